"""What rows of the wording ask about is looked for in rules and games: whether it can be at all, and comes up."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee.api.rule_sources import RulesSource
from referee.api.runs.witness_games import load_for
from referee.diagnostics.diagnostic import Problems
from referee.frontend.loading.assembly import parsed
from referee.frontend.loading.ruleset_files import find
from referee.frontend.names.shapes import Shape
from referee.review.finding import Finding
from referee.review.review import review
from referee.review.subject import ReviewEffort
from referee.review.text_questions.text_rows import read_rows
from tests.changed_text import changed

EFFORT = ReviewEffort(games=12, events=60, lone_words=True)
FISHING = """
game "Fishing" for 2 players first and second

kind Fish is {kinds}

components
  {number} of each Fish in sea

zones
  sea: bag of Fish, open
  net of player: bag of Fish, open

counters
  taken: 0..6 starts 0

play
  turns from first, to the left, until taken >= 6
    turn player must take one of angle, rest
    raise taken by 1
  the p in players with the most catch, ties: all wins

define catch of player p = number of net of p divided by 3, rounded down    [S-2]

action angle
  needs "there are some": sea has COD
  move at most 2 COD from sea to net of me                                  [S-1]

action rest
  nothing
"""
SAID = {"S-1": "Whoever casts his net gets 2 fish tokens.",
        "S-2": "A player scores 1 point for every three fish.", "S-3": "Fish are of several kinds."}  # fmt: skip


def asked(folder: Path, kinds: str, number: int) -> list[Finding]:
    """What a review asks of the wording of these rules, in its order."""
    (folder / "game.rules").write_text(FISHING.format(kinds=kinds, number=number).lstrip(), encoding="utf-8")
    (folder / "statements.toml").write_text("\n".join(
        f'[statement.{name}]\ntext = "{text}"\nline = 1\nstatus = "encoded"\n' for name, text in SAID.items()
    ), encoding="utf-8")  # fmt: skip
    load = load_for(RulesSource(str(folder)))
    found = review(parsed(find(str(folder))), load, [Shape()], EFFORT, None, only=["question"])
    return [one for one in found.flaws if "/words." in one.id]


def rows(found: list[Finding]) -> list[str]:
    return [one.id.rpartition(".")[2] for one in found]


def test_whether_of_one_kind_is_asked_only_where_there_are_several(tmp_path: Path) -> None:
    assert "of_any_kind" not in rows(asked(tmp_path, "COD", 90))
    assert "of_any_kind" in rows(asked(tmp_path, "COD, EEL", 90))


def test_a_supply_that_runs_short_in_a_game_is_asked_first_and_the_game_is_shown(tmp_path: Path) -> None:
    first = asked(tmp_path, "COD", 3)[0]
    assert first.id == "question/S-1/words.tokens_too_few"
    assert first.witness is not None
    last = asked(tmp_path, "COD", 90)[-1]
    assert last.id == first.id
    assert last.witness is None


def test_a_row_names_situations_that_are_known(tmp_path: Path) -> None:
    path = tmp_path / "rows.toml"
    path.write_text('language = "English"\n[row.one]\nmatch = ["one"]\nask = "one?"\nanswers = ["a", "b"]\n'
                    'situation = ["flood"]\n', encoding="utf-8")  # fmt: skip
    with pytest.raises(Problems) as raised:
        read_rows([path])
    assert "situation" in str(raised.value)


def with_nets(folder: Path, option: str, *answers: str) -> set[str]:
    """The ids of what is asked where two sentences say that nets may be used, and the rules have such an option."""
    said = "".join(f'[statement.S-{number}]\ntext = "With {some} players, nets may be used."\nline = 1\n'
                   'status = "encoded"\n' for number, some in ((8, "two or three"), (9, "four or five")))  # fmt: skip
    plain = re.sub(r" +\[S-.\]", "", FISHING.format(kinds="COD, EEL", number=3).lstrip())
    rules = changed(plain, {"components\n": f"{option}\n\ncomponents\n"})
    rules = changed(rules, {"sea has COD\n": "sea has COD or nets is used\n"})
    (folder / "game.rules").write_text("\n".join((rules, *answers)), encoding="utf-8")
    (folder / "statements.toml").write_text(said, encoding="utf-8")
    found = review(parsed(find(str(folder))), load_for(RulesSource(str(folder))), [Shape()],
                   ReviewEffort(games=1, events=20, lone_words=True), None, only=["question"])  # fmt: skip
    return {one.id for one in found.new}


def test_when_something_is_played_is_not_asked_of_what_an_option_cites(tmp_path: Path) -> None:
    assert "question/S-8/words.who_decides_the_mode" in with_nets(tmp_path, "option nets: without or used")
    found = with_nets(tmp_path, "option nets: without or used  [S-8]")
    assert "question/S-8/words.who_decides_the_mode" not in found


def test_what_is_answered_for_the_first_sentence_is_not_asked_of_the_next(tmp_path: Path) -> None:
    answer = 'settled "question/S-8/words.who_decides_the_mode" by [S-8] "may be used"\n'
    found = with_nets(tmp_path, "option nets: without or used", answer)
    assert not any("who_decides_the_mode" in one for one in found)
    assert "question" not in found  # what its own sentence answers could be asked
    wrong = changed(answer, {"who_decides_the_mode": "no_such_row"})
    assert "question" in with_nets(tmp_path, "option nets: without or used", wrong)
