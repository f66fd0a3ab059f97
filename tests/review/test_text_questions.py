"""What the wording of sentences leaves open by itself, and what settles it. All sentences are invented."""

from __future__ import annotations

import re

import pytest

from referee.review.text_questions.asked_sentences import AskedOf, asked
from referee.review.text_questions.sentence_patterns import Sentences
from referee.review.text_questions.text_rows import TextRow, shipped_rows

ROWS = [(known.language, row) for known in shipped_rows().values() for row in known.rows]
PATTERNS = Sentences(("the", "a", "of", "from"), ("two", "three"))


def names(*texts: str, players: int = 4, language: str = "English") -> set[str]:
    """The rows that ask something of some sentences."""
    sentences = [AskedOf((f"S-{number}",), None, text, language) for number, text in enumerate(texts, 1)]
    return {one.row.name for one in asked(sentences, shipped_rows(), players)}


@pytest.mark.parametrize(("language", "row"), ROWS, ids=[f"{language}-{row.name}" for language, row in ROWS])
def test_a_row_has_a_question_and_different_answers_with_slots_that_its_patterns_fill(
    language: str, row: TextRow
) -> None:
    slots = [set(re.findall(r"\{(\w+)\}", one)) for one in row.match]
    asked_with = set(re.findall(r"\{(\w+)\}", " ".join((row.ask, *row.answers))))
    assert all(asked_with <= one for one in slots)
    assert row.ask.endswith("?")
    assert len(set(row.answers)) == len(row.answers) >= 2
    assert row.once in ("", "all", "thing")
    assert 0 < row.worth <= 1
    for patterns in (row.match, row.unless, row.elsewhere, row.anywhere, row.needs):
        shipped_rows()[language].sentences.fits(patterns, "none of these words", "bolt")


@pytest.mark.parametrize(("row", "texts"), [
    ("limit_full", ["Nobody keeps more than four lanterns."]),
    ("draw_too_few", ["After that she draws three bolts from the bag."]),
    ("can_do_none", ["In his turn a smith must place one rivet."]),
    ("chosen_by_whom", ["The chosen goat is eliminated."]),
    ("where_removed", ["A goat that meets a wolf is removed."]),
    ("toss", ["A coin is tossed before the first trick."]),
    ("hands_open", ["He takes the bolt into his hand."]),
    ("nobody_gets_there", ["The first smith to fill four racks wins the game."]),
    ("also_diagonally", ["A shepherd is put on a square next to a sheep."]),
    ("possible_in_part", ["If you cannot carry it out, nothing happens."]),
    ("more_but_equal", ["The smith with the most rivets wins."]),
    ("place_taken", ["She places a marker on any hill."]),
    ("must_capture", ["Then you capture it."]),
])  # fmt: skip
def test_a_sentence_leaves_it_open(row: str, texts: list[str]) -> None:
    assert row in names(*texts)


@pytest.mark.parametrize(("row", "texts"), [
    ("limit_full", ["Nobody keeps more than four lanterns; whoever has a fifth must discard one."]),
    ("draw_too_few", ["After that she draws three bolts from the bag.", "When the bolts run out the scrap is melted."]),
    ("can_do_none", ["In his turn a smith must place one rivet.", "Who cannot place anything passes."]),
    ("chosen_by_whom", ["The chosen goat is eliminated: its owner chooses it."]),
    ("where_removed", ["A goat that meets a wolf is removed and put into the box."]),
    ("toss", ["A coin is tossed, and whoever wins it chooses."]),
    ("hands_open", ["He takes the bolt into his hand.", "Hands are kept secret."]),
    ("also_diagonally", ["A shepherd is put on a square orthogonally next to a sheep."]),
    ("more_but_equal", ["The smith with the most rivets wins.", "Play ends there.", "Those who are level share it."]),
    ("place_taken", ["She places a marker on any empty hill."]),
    ("must_capture", ["Then you must capture it."]),
    ("nobody_gets_there", ["The first smith to fill four racks wins the game.",
                           "When the bag runs out the one with the most racks wins the game."]),
])  # fmt: skip
def test_other_words_settle_it_there_or_in_another_sentence(row: str, texts: list[str]) -> None:
    assert row not in names(*texts)


def test_what_somebody_else_does_is_asked_only_where_there_are_several_others() -> None:
    text = "The opponent may lay a shield."
    assert "which_opponent" in names(text, players=3)
    assert "which_opponent" not in names(text, players=2)


def test_sentences_of_a_language_without_rows_are_not_asked_about() -> None:
    assert names("Nobody keeps more than four lanterns.", language="Klingon") == set()


def test_the_words_and_the_things_are_those_of_the_sentence() -> None:
    found = PATTERNS.first(["draws {number} {thing}"], "Then (if he likes) Ana draws two RED Bolts, from the bag.")
    assert found is not None
    assert found.words == "draws two RED Bolts"
    assert found.slots == {"number": "two", "thing": "RED Bolts"}


@pytest.mark.parametrize(("pattern", "text", "fits"), [
    ("draw|draws a? card*", "she draws cards", True),
    ("draw|draws a? card*", "she draws a cardigan", True),
    ("draws card", "she draws cards", False),
    ("draws ... bag", "draws two of the small bolts from the bag", False),
    ("draws ... bag", "draws two bolts. From the bag", False),
    ("draws ... bag", "draws two bolts, from the bag", True),
    ("CAFFÈ", "un caffe", True),
    ("{one} , {other}", "bolts, nuts", True),
    ("bolts|small_nuts and", "small nuts and more", True),
])  # fmt: skip
def test_a_pattern_fits_words_in_their_order(pattern: str, text: str, fits: bool) -> None:
    assert PATTERNS.fits([pattern], text) is fits


def test_in_another_sentence_a_thing_is_known_by_how_its_last_word_begins() -> None:
    assert PATTERNS.fits(["no {thing} left"], "no bolts left", "red bolt")
    assert not PATTERNS.fits(["no {thing} left"], "no nuts left", "red bolt")
    assert not PATTERNS.fits(["no {thing} left"], "no nuts left")


def test_one_question_stands_for_all_sentences_of_which_the_same_is_asked_once() -> None:
    texts = ["Hands are filled first.", "Later he takes it into his hand."]
    sentences = [AskedOf((f"S-{number}",), None, text, "English") for number, text in enumerate(texts, 1)]
    found = [one for one in asked(sentences, shipped_rows(), 2) if one.row.name == "hands_open"]
    assert [(one.sentence.ids, [other.ids for other in one.others]) for one in found] == [(("S-1",), [("S-2",)])]


def test_a_long_sentence_takes_no_long_time() -> None:
    assert isinstance(names("draws " * 4_000), set)
