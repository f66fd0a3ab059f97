"""What `explain` tells of a line: what it did, in the words of the rules; and nothing that a player does not see."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

import referee
from referee.cli.main import referee as command
from referee.game.event import Event
from referee.game.state import State
from referee.interpreter.walker import Walker
from referee.judge.display_names import Names
from referee.judge.reasons.line_reasons import LineReasons, replay_of
from referee.judge.reasons.past_events import PastEvents
from referee.judge.reasons.sight.trace_sight import TraceSight
from referee.judge.reasons.told_traces import ToldTrace, TraceTeller
from referee.report.data.schemas import SCHEMAS
from tests.laws.pairs import side_by_side
from tests.laws.shapes import Case, cases, walker_of
from tests.reasons.test_values import moves, rules
from tests.sample_sizes import CLASSICS, CONSTRUCTS, in_turn

SECRET = """
game "Moods" for 2 players

kind Card is 1..6

components
  1 of each Card in deck

zones
  deck: pile of Card, face down
  hand of player: bag of Card, seen by owner

counters
  mood of player: 0..9 seen by owner
  looks of player: 0..9

given first: player

setup
  shuffle deck
  for each p in players: deal 1 from deck to hand of p

play
  turns from first, to the left
    turn player must look

action look
  raise looks of me by 1
  if some c in Card in hand of me where c > 3: raise mood of me by 1

end as soon as some player p where looks of p = 3: nobody wins
"""
"""What a look does hangs on a card that only one player sees, and shows nowhere."""
ROOT = Path(__file__).resolve().parents[2] / "rulesets"
FIRST = list({case.where: case for case in cases()}.values())
EVERY = pytest.mark.parametrize("case", in_turn(FIRST, "told", 9, CLASSICS | CONSTRUCTS), ids=str)


def told(walker: Walker, player: int, state: State, event: Event) -> ToldTrace:
    names = Names(walker.flow, walker.core.seats.roles or tuple(f"p{i}" for i in range(walker.core.seats.number)))
    trace = replay_of(walker).step(state, event)
    sight = sight_of(walker, player)
    seen = sight.of(trace)
    reasons = LineReasons(walker, names, PastEvents(), player)
    return TraceTeller(walker.core, names, reasons).told(seen, 1, cut=sight.cut)


@cache
def sight_of(walker: Walker, player: int) -> TraceSight:
    return TraceSight(walker.flow, walker.layout, player)


@EVERY
def test_a_player_is_told_the_same_of_games_that_are_the_same_to_him(case: Case) -> None:
    walker = walker_of(case)
    for player in range(walker.core.seats.number):
        before: tuple[State, State] | None = None
        for moment in side_by_side(walker, player, 3, 25):
            if before is not None and before[0].slots != before[1].slots:
                events = [one.past[-1].event for one in (moment.one, moment.other)]
                one, other = (told(walker, player, *pair) for pair in zip(before, events, strict=True))
                assert one == other
            before = moment.one.state, moment.other.state


def test_what_a_line_did() -> None:
    found = rules().explain(moves(1, 3), 3)
    assert found.trace is not None
    assert [(one.kind, one.text, dict(one.values)) for one in found.trace.lines] == [
        ("event", "play.mark: mark many 3", {}), ("write", "marks of ben: 0 -> 3, by mark", {}),
        ("condition", "some player p where marks of p >= 5: no", {"marks of ana": "1", "marks of ben": "3"}),
        ("condition", "many = 3: yes", {"many": "3"}),
        ("write", "whose turn it is: ben -> ana, by play", {})]
    assert [one.text for one in found.trace.lines[3].inside] == ["fines of ben: 0 -> 1, by mark"]
    assert "    many = 3: yes (many = 3)\n      fines of ben: 0 -> 1, by mark\n" in str(found)


def test_a_line_that_cannot_stand_did_nothing() -> None:
    log = moves(1)
    log.append({"by": "ana", "do": "mark", "with": {"many": 1}})
    assert rules().explain(log, 3).trace is None


def test_statements_stand_beside_what_they_are_behind() -> None:
    path = str(ROOT / "adrenalyn_xl/logs/illegal/059.jsonl")
    found = referee.load("adrenalyn_xl").explain(path, 47)
    assert found.trace is not None
    goal = next(one for one in found.trace.lines if one.text == "def of Oseinako = 0: yes")
    assert (goal.inside[0].text, goal.inside[0].statements) == ("goals of ana: 0 -> 1, by hit_goalkeeper", ("AX-39",))


def test_as_json_it_fits_the_schema() -> None:
    path = str(ROOT / "adrenalyn_xl/logs/illegal/059.jsonl")
    for line in ("47", "48"):
        done = CliRunner().invoke(command, ["explain", f"{path}:{line}", "--format", "json"], standalone_mode=False)
        Draft202012Validator(SCHEMAS["explanation"]).validate(json.loads(done.output))


def looked(player: str | None, mine: int, others: int) -> referee.Explanation:
    """Ben looks: what `player` is told of it. `mine` is the card of Ana."""
    head: dict[str, Any] = {"schema": "referee/log/1", "ruleset": "moods", "players": ["ana", "ben"],
                            "given": {"first": "ben"}}
    deals: list[dict[str, Any]] = [{"by": "fate", "do": "deal", "with": {"to": to, "card": card}}
             for to, card in (("ana", mine), ("ben", others))]
    log = [head, *deals, {"by": "ben", "do": "look"}]
    return referee.loads(SECRET, "moods").explain(log, 4, for_=player)


def test_what_hangs_on_what_a_player_does_not_see_is_not_told_to_him() -> None:
    whole, own = looked(None, 1, 5), looked("ben", 1, 5)
    assert whole.trace is not None
    assert own.trace is not None
    conditions = [one.text for one in whole.trace.lines if one.kind == "condition"]
    assert "some c in Card in hand of ben where c > 3: yes" in conditions
    assert [one.text for one in own.trace.lines if one.kind == "condition"] == conditions
    told = [looked("ana", 1, card).trace for card in (2, 5)]
    assert told[0] == told[1]
    assert told[0] is not None
    assert told[0].cut
    assert [one.text for one in told[0].lines] == ["looks of ben: 0 -> 1, by look",
                                                   "some player p where looks of p = 3: no"]
    assert "the rest hangs on what is hidden" in str(looked("ana", 1, 2))


LONG = """
game "Long" for 2 players

counters
  total: 0..999999

given first: player

play
  turns from first, to the left
    turn player must count_up

action count_up
  for each n in 1..30000
    raise total by 1
    if n > 20000: raise total by 1
"""


def test_a_long_step_is_told_in_part_and_the_rest_is_counted() -> None:
    rules = referee.loads(LONG, "long")
    log: list[dict[str, Any]] = [
        {"schema": "referee/log/1", "ruleset": "long", "players": ["ana", "ben"], "given": {"first": "ben"}},
        {"by": "ben", "do": "count_up"}]
    found = rules.explain(log, 2).trace
    assert found is not None
    loop = next(one for one in found.lines if one.kind == "loop")
    assert (loop.text, dict(loop.values)) == ("for each n in 1..30000", {"rounds": "30000"})
    assert [one.text for one in loop.inside[:2]] == ["1", "2"]
    assert loop.inside[1].inside[0].text == "total: 1 -> 2, by count_up"
    assert len(loop.inside) == 12
    assert found.left_out > 30_000
