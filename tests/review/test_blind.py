"""Rules as if nothing were declared to be open, settled or assumed.

What was declared is gone, and only what the catalogue makes is asked.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from referee.api.rule_sources import RulesSource
from referee.cli.main import run
from referee.core.ruleset import Core
from referee.core.stmt import Gap, Unspecified
from referee.core.traverse import bodies, statements
from referee.diagnostics.exit_codes import Exit
from referee.frontend.loading.assembly import build, parsed
from referee.frontend.loading.ruleset_files import find
from referee.frontend.names.shapes import Shape
from referee.frontend.undeclared.undeclared_rules import undeclared
from referee.report.text.outline import core_outline
from referee.review.detectors import DETECTORS
from referee.review.finding import Finding, FindingOutcome, GameShare
from referee.review.review import Review
from referee.review.subject import ReviewEffort
from tests.changed_text import changed

NOTICED = """
game "Heaps" for 2 players first and second

assume said_aloud "the number is said aloud"
reading last "who has won, if nothing is left?"
  default takes "whoever took the last stone"
  alternative loses "the other one"
reading leaving "may a player leave his turn out?"
  default not_at_all "no"
  alternative once "yes"
reading first_heap "which of the heaps may he take from?"
  default any_heap "any"
  alternative full "one that is full"

counters
  taken: 0..9
  gone: 0..9

play
  turns from first, to the left
    if leaving is once
      turn player may take
    else
      turn player must take
    if leaving is not not_at_all: turn player must take

define is_last of 0..9 n = n = 9
define is_mine of player p = last is takes and p is turn player

action take(stones: 1..3)  [said_aloud]
  needs "so many are left": taken + stones <= 9
  needs "the heap is full": first_heap is any_heap or taken = 0
  raise taken by stones
  if is_last(taken) and not is_mine(me): opponent wins
  depending on last
    takes: raise gone by 1, not above 9
    loses: lower gone by 1, not below 0
  if taken = 9
    unspecified "nothing is left: what then?", one of
      he_has_won: me wins
      nobody_has: nobody wins

before take, when last is loses: lower gone by 1, not below 0
after take, when last is not loses: raise gone by 1, not above 9

action leave
  needs "turns may be left out": leaving is once
  nothing

always counted: gone <= taken or last is loses
always bounded: taken <= 9

accept "gap-case/take.unspecified" because "the table rules"
"""
PLAIN = """
game "Heaps" for 2 players first and second

counters
  taken: 0..9
  gone: 0..9

play
  turns from first, to the left
    turn player must take

define is_last of 0..9 n = n = 9
define is_mine of player p = p is turn player

action take(stones: 1..3)
  needs "so many are left": taken + stones <= 9
  raise taken by stones
  if is_last(taken) and not is_mine(me): opponent wins
  raise gone by 1, not above 9
  if taken = 9
    me wins

after take: raise gone by 1, not above 9

always bounded: taken <= 9
"""


def core_of(text: str, folder: Path, *, blind: bool) -> Core:
    path = folder / "heaps.rules"
    path.write_text(text.lstrip(), encoding="utf-8")
    loaded = parsed(find(str(path)))
    return build(undeclared(loaded) if blind else loaded, Shape()).core


def outline(core: Core) -> list[str]:
    """What the rules say, without where it stands."""
    return [re.sub(r" *\S+\.rules:\d+|\b[0-9a-f]{12}\b", "", line).rstrip() for line in core_outline(core)]


def test_what_was_noticed_is_gone_and_the_defaults_are_the_rules(tmp_path: Path) -> None:
    blind, plain = core_of(NOTICED, tmp_path, blind=True), core_of(PLAIN, tmp_path, blind=False)
    assert outline(blind) == outline(plain)
    assert (blind.readings, dict(blind.assumptions), blind.accepted) == ({}, {}, ())


def test_bundled_rules_are_rules_without_what_they_declare() -> None:
    core = build(undeclared(parsed(find("king_of_the_pitch"))), Shape()).core
    assert not core.readings
    assert not core.assumptions
    assert not core.settled
    assert not core.accepted
    assert not any(stmt.gap is Gap.SAID for body in bodies(core) for stmt in statements(body, Unspecified))


DECLARED = """
game "Sticks" for 2 players first and second

reading leaving "may he leave it?"
  default freely "yes"
  alternative never "no"
reading colour "is a stick of the other colour taken too?"
  default one "no"
  alternative two "yes"

counters
  taken: 0..9

play
  turns from first, to the left
    if leaving is freely: turn player may take  [S-1]
    else: turn player must take  [S-1]
    if taken >= 5: turn player wins

action take
  raise taken by 1
  if colour is two: raise taken by 1
"""


def asked(path: Path, capsys: pytest.CaptureFixture[str], *flags: str) -> list[str]:
    assert run(["review", str(path), "--questions", "--games", "4", "--format", "json", *flags]) == Exit.GOOD
    return [one["id"] for one in json.loads(capsys.readouterr().out)["findings"] if one["weight"]]


def test_only_what_the_catalogue_makes_is_asked_of_what_was_declared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "sticks.rules"
    path.write_text(DECLARED.lstrip(), encoding="utf-8")
    question = "question/play.turn-player-may-take/must.must"
    assert question not in asked(path, capsys)
    found = asked(path, capsys, "--blind")
    assert question in found
    assert not any("colour" in one for one in found)


def test_a_scenario_is_left_if_it_shows_a_worked_example_and_chooses_nothing(tmp_path: Path) -> None:
    scenario = 'scenario "{title}"  [{cite}]\n{line}  first take\n  expect taken = {taken}\n\n'
    text = DECLARED.lstrip() + "\n" + "".join(
        scenario.format(title=title, cite=cite, line=line, taken=taken) for title, cite, line, taken in (
            ("shown", "S-2", "  with colour is one\n", 1), ("chosen", "S-2", "  with colour is two\n", 2),
            ("ours", "S-1", "", 1)))  # fmt: skip
    (tmp_path / "game.rules").write_text(text, encoding="utf-8")
    shown = '[statement.S-{number}]\ntext = "One is taken."\nexample = {example}\nline = {number}\nstatus = "encoded"\n'
    told = "".join(shown.format(number=one, example=example) for one, example in ((1, "false"), (2, "true")))
    (tmp_path / "statements.toml").write_text(told, encoding="utf-8")
    assert [one.title for one in RulesSource(str(tmp_path), blind=True).scenarios.found] == ["shown"]


def test_so_many_questions_are_told_at_most() -> None:
    found = tuple(Finding("question", FindingOutcome.FOUND, "?", f"place{n}", cites=("S-1",),
                          weight=GameShare(n, 10, 0.0, 1.0)) for n in range(5))  # fmt: skip
    asking = tuple(check for check in DETECTORS if check.asks)
    told = Review("game", (2,), asking, found, {}, ReviewEffort()).first_questions(2)
    assert [one.place for one in told.questions] == ["place3", "place4"]
    assert told.findings[-1].message == "3 more that matter less often are left out"
    assert told.findings[-1].shapes == (2,)  # else the table of checks could not be told


def test_what_words_alone_raise_is_told_after_what_a_game_shows() -> None:
    shown = [Finding("question", FindingOutcome.FOUND, "?", f"shown{n}", cites=("S-1",),
                     weight=GameShare(9 - n, 10, 0.0, 1.0)) for n in range(3)]  # fmt: skip
    raised = [Finding("question", FindingOutcome.CANDIDATE, "?", f"raised{n}", cites=("S-1",)) for n in range(3)]
    asking = tuple(check for check in DETECTORS if check.asks)
    told = Review("game", (2,), asking, (*shown, *raised), {}, ReviewEffort()).first_questions(4)
    assert {one.place for one in told.questions} == {"shown0", "shown1", "shown2", "raised0"}


SEEN = """
game "Hands" for 2 players first and second

kind Card is RED, BLUE, GREEN, WHITE

components
  2 of each Card in deck

zones
  deck: pile of Card, face down
  tray of player: bag of Card, seen by owner{cite}
  discards: bag of Card, open

setup
  shuffle deck
  deal 2 from deck to tray of first
  deal 2 from deck to tray of second

play
  turns from first, to the left
    turn player must put_down
    if tray of turn player is empty: turn player wins

action put_down(card: Card in my tray)
  move card to discards
"""
HIDDEN = "question/zones.tray-of-player-bag-of-Card-seen-by-owner/who_knows.everybody"
LOOKED_THROUGH = "question/zones.discards-bag-of-Card-open/who_knows.the_last_alone"


def test_who_sees_what_lies_somewhere_is_asked_unless_a_sentence_says_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "game.rules").write_text(SEEN.lstrip().format(cite=""), encoding="utf-8")
    assert {HIDDEN, LOOKED_THROUGH} <= set(asked(tmp_path, capsys))
    (tmp_path / "game.rules").write_text(SEEN.lstrip().format(cite="  [S-1]"), encoding="utf-8")
    said = '[statement.S-1]\ntext = "Trays are hidden."\nline = 1\nstatus = "encoded"\n'
    (tmp_path / "statements.toml").write_text(said, encoding="utf-8")
    found = asked(tmp_path, capsys)
    assert HIDDEN not in found
    assert LOOKED_THROUGH in found


def test_nobody_asks_who_sees_a_hand_or_looks_through_what_all_have_seen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hands = changed(SEEN.lstrip().format(cite=""), {"tray": "hand"})
    (tmp_path / "game.rules").write_text(hands, encoding="utf-8")
    assert [one for one in asked(tmp_path, capsys) if "/who_knows" in one] == [LOOKED_THROUGH]
    opened = changed(SEEN.lstrip().format(cite=""), {"seen by owner": "open"})
    (tmp_path / "game.rules").write_text(opened, encoding="utf-8")
    assert not any("/who_knows" in one for one in asked(tmp_path, capsys))


COUNTED = """
game "Counted" for 2 players first and second

counters
  taken: 0..7

play
  turns from first, to the left
    turn player must take

action take(n: 1..2)
  needs "so many are left": taken + n <= 7
  raise taken by n, not above {most}
  if taken >= 6: me wins
"""


@pytest.mark.parametrize(("most", "equal"), [(7, True), (4, False)])
def test_an_answer_is_proved_to_be_none_if_it_is_the_same_at_all_positions(
    most: int, equal: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "counted.rules"
    path.write_text(COUNTED.lstrip().format(most=most), encoding="utf-8")
    run(["review", str(path), "--questions", "--games", "3", "--prove", "--format", "json"])
    found = json.loads(capsys.readouterr().out)["findings"]
    (rest,) = [one["message"] for one in found if one["outcome"] == "not found"]
    assert ("proved equal at all" in rest) is equal
    surplus = any("surplus" in one["id"] for one in found)
    assert surplus is not equal


def test_an_option_is_played_too_and_the_question_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = changed(PLAIN.lstrip(), {"\ncounters": '\noption leaving: never or once "may he?"\n\ncounters'}, 1)
    ways = "    if leaving is never: turn player may take\n    else: turn player may give\n"
    rules = changed(rules, {"    turn player must take\n": ways})
    path = tmp_path / "heaps.rules"
    path.write_text(rules + "\naction give\n  me wins\n", encoding="utf-8")
    run(["review", str(path), "--questions", "--games", "4", "--format", "json"])
    found = {one["id"]: one for one in json.loads(capsys.readouterr().out)["findings"] if one["weight"]}
    assert "with leaving once" in found["question/play.turn-player-may-give/must.must"]["notes"]
    assert not any("with" in note for note in found["question/play.turn-player-may-take/must.must"]["notes"])


LEVEL = """
game "Coins" for 2 players first and second

counters
  coins of player: 0..9
  taken: 0..4 starts 0

play
  turns from first, to the left, until taken >= 4
    turn player must take
    raise taken by 1
  the p in players with the most coins, ties: unspecified wins

action take(some: 1..2)
  raise coins of me by some
"""


def test_whoever_is_level_is_asked_of_although_the_rules_say_that_nobody_says_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "coins.rules"
    path.write_text(LEVEL, encoding="utf-8")
    assert not [one for one in asked(path, capsys) if "tie.not_said" in one]
    assert [one for one in asked(path, capsys, "--blind") if "tie.not_said" in one]
