"""What two sentences leave open together, what one does, and what settles it. All sentences are invented."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from referee.frontend.loading.rulebook_statements import Statement
from referee.review.questions.sentence_words import sentence_words
from referee.review.text_questions.asked_sentences import MOST_PAIRS, AskedOf, TextQuestion, asked
from referee.review.text_questions.text_rows import shipped_rows
from referee.review.text_questions.word_questions import WordQuestions

CASES: list[dict[str, Any]] = tomllib.loads((Path(__file__).parent / "sentences.toml").read_text())["case"]


def questions(*texts: str, beside: tuple[str, ...] = ()) -> list[TextQuestion]:
    """What is asked of some sentences."""
    sentences = [AskedOf((f"S-{number}",), None, text, "English") for number, text in enumerate(texts, 1)]
    return list(asked(sentences, shipped_rows(), 4, beside))


def names(*texts: str, beside: tuple[str, ...] = ()) -> set[str]:
    """The rows that ask something of some sentences."""
    return {one.row.name for one in questions(*texts, beside=beside)}


@pytest.mark.parametrize("case", CASES, ids=[one["row"] for one in CASES])
def test_sentences_leave_something_open_unless_other_words_settle_it(case: dict[str, Any]) -> None:
    assert case["row"] in names(*case["open"])
    assert case["row"] not in names(*case["settled"])


def test_a_pair_is_asked_once_in_the_words_of_both_sentences() -> None:
    arrives, pushed = "When you stop at a well, take a bolt.", "If you meet a ram, push that ram back one ford."
    found = [one for one in questions(arrives, pushed, arrives) if one.row.name == "came_there_otherwise"]
    pairs = [(one.sentence.ids, one.second and one.second.ids) for one in found]
    assert pairs == [(("S-1",), ("S-2",)), (("S-3",), ("S-2",))]
    assert "push that ram back" in found[0].ask
    again = [AskedOf(("S-1",), line, arrives, "English") for line in (None, 3)]
    twice = [*again, AskedOf(("S-2",), None, pushed, "English")]
    assert sum(one.row.name == "came_there_otherwise" for one in asked(twice, shipped_rows(), 4)) == 1


def test_in_one_sentence_the_second_stands_behind_the_first() -> None:
    assert "came_there_otherwise" in names("If you stop on a ford with another goat, push that goat back one ford.")
    assert "came_there_otherwise" not in names("Push that goat back one ford when you stop at a well, and rest.")


def test_a_pair_is_not_asked_again_where_lines_have_raised_it_of_both_sentences() -> None:
    texts = ("When you stop at a well, take a bolt.", "If you meet a ram, push that ram back one ford.")
    known = {f"S-{number}": Statement(f"S-{number}", text) for number, text in enumerate(texts, 1)}
    found = WordQuestions(sentence_words(known), known, frozenset(), 4)
    name = "S-1/words.came_there_otherwise/S-2"
    assert found.finding(name, [(frozenset({"S-1", "S-3"}), "led_on")]) is not None
    assert found.finding(name, [(frozenset({"S-1", "S-2"}), "when")]) is not None
    assert found.finding(name, [(frozenset({"S-1", "S-2"}), "led_on")]) is None


def test_only_some_pairs_are_asked_of() -> None:
    found = questions(*(f"When you stop at well {number} there, rest." for number in range(8)),
                      *(f"Then goat {number} drifts two fords." for number in range(8)))  # fmt: skip
    assert sum(one.row.name == "came_there_otherwise" for one in found) == MOST_PAIRS


def test_of_the_same_words_only_the_best_questions_are_asked() -> None:
    found = [one for one in questions("You can carry one bell.", "When a goat rests, it picks it up.")
             if one.words.startswith("can carry") or one.words.startswith("carry")]  # fmt: skip
    assert len(found) == 2


def test_headings_and_short_questions_may_settle_something() -> None:
    tie = "In a tie, the tied player with more bolts wins."
    assert "tie_break_level" in names(tie)
    assert "tie_break_level" not in names(tie, beside=("Still tied?",))


def test_the_sentence_before_may_settle_it_too() -> None:
    assert "blocked_by_what" in names("It stays if the path is blocked.")
    assert "more_but_equal" not in names("Those who are level share it.", "The smith with the most rivets wins.")


@pytest.mark.parametrize("key", ["unless", "near", "anywhere", "needs", "second_unless"])
def test_where_no_thing_is_known_patterns_name_none(key: str) -> None:
    rows = [row for known in shipped_rows().values() for row in known.rows]
    assert [row.name for row in rows if any("{thing}" in one for one in getattr(row, key))] == []


@pytest.mark.parametrize(("cites", "asked_"), [
    ({"S-1", "S-2"}, False), ({"S-1"}, False), ({"S-1", "S-3"}, True), ({"S-2"}, True), ({"S-3"}, True),
])  # fmt: skip
def test_lines_ask_the_same_as_a_pair_if_they_are_about_both_sentences_or_the_first_alone(
    cites: set[str], asked_: bool
) -> None:
    texts = {"S-1": "When you stop at a well, take a bolt.", "S-2": "Push that ram back one ford.", "S-3": "Rest well."}
    statements = {name: Statement(name, text) for name, text in texts.items()}
    words = WordQuestions(sentence_words(statements), statements, frozenset(), 4)
    name = next(one for one in words.names if "came_there_otherwise" in one)
    assert (words.finding(name, {(frozenset(cites), "led_on")}) is not None) is asked_
    assert words.finding(name, {(frozenset({"S-1", "S-2"}), "order")}) is not None
