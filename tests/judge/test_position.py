"""Logs that start from a position: what it may say, what it leaves at home, where no game can start."""

from __future__ import annotations

import io
import json
from collections import Counter
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from referee.api.game_record import Recorder
from referee.flow.lowering import lower
from referee.frontend import load
from referee.game.log.log_reader import Log, LogProblem
from referee.game.setting import Setting
from referee.game.state import State
from referee.interpreter.playouts import PlayedGame, play_out
from referee.interpreter.walker import Walker
from referee.judge.log_run import judge_log
from referee.judge.verdict import LogOutcome, LogVerdict
from referee.report.text.verdict_text import text_of
from tests.judge.playing import PLAIN, does, ends, wrong

DUEL = Path(__file__).parent.parent / "language" / "constructs" / "positions.rules"


@lru_cache
def walker(ruleset: str | Path) -> Walker:
    return Walker(lower(load(ruleset)))


def judged(ruleset: str | Path, state: Any, *lines: dict[str, Any]) -> LogVerdict:
    name = ruleset if isinstance(ruleset, str) else ruleset.stem
    head = {"schema": "referee/log/1", "ruleset": name, "players": ["ana", "ben"], "state": state}
    text = "".join(f"{json.dumps(line)}\n" for line in (head, *lines))
    return judge_log(Log(io.StringIO(text), "game.jsonl"), lambda _: walker(ruleset), PLAIN)


def board(**more: Any) -> dict[str, Any]:
    return {"turn": "ana", "place": {"field at a2": ["Piece of ana"], "field at h7": "Piece of ben"}, **more}


def test_a_game_goes_on_from_a_position() -> None:
    verdict = judged("breakthrough", board(), does("ana", "move", **{"from": "a2", "to": "a1"}), ends("ana"))
    assert (verdict.outcome, verdict.winners) == (LogOutcome.LEGAL, ("ana",))


def test_what_the_position_forbids_is_illegal() -> None:
    verdict = judged("breakthrough", board(), does("ana", "move", **{"from": "a2", "to": "a3"}))
    assert wrong(verdict)[:2] == (2, "illegal move")
    assert verdict.wrong is not None
    assert [fact.text for fact in verdict.wrong.failed] == ["one row ahead"]
    assert wrong(judged("breakthrough", board(turn="ben"), does("ana", "move")))[:2] == (2, "wrong player")


def test_what_is_not_placed_is_at_home() -> None:
    claims = {"assert": {"number of box of ben": 15, "number of box of ana": 15, "number of c in square where "
                         "field at c is taken": 2}}
    assert judged("breakthrough", board(), claims).outcome is LogOutcome.LEGAL


def test_some_of_a_kind_are_the_first_that_lie_nowhere_else() -> None:
    state = {"place": {"hand of ana": {"any Card": 1}, "hand of ben": ["J"]}}
    assert judged("kuhn_poker", state, {"assert": {"number of Q in hand of ana": 1}}).outcome is LogOutcome.LEGAL
    few = {"place": {"hand of ana": {"any Card": 3}, "hand of ben": ["J"]}}
    assert codes(judged("kuhn_poker", few)) == ["LG27"]


SPREAD: dict[str, Any] = {
    "hand of ana": {"any Card": 1}, "hand of ben": {"any Card": 2}, "heap": {"any Card": 3}, "slot at left": ["B"],
    "row": ["C"],
}
"""Of each class there are four cards: A, B, C."""


@settings(max_examples=40)
@given(st.permutations(list(SPREAD)), st.integers(1, 9), st.sampled_from("ABC"), st.sampled_from(list(SPREAD)[:3]))
@example(["hand of ben", "hand of ana", "slot at left", "heap", "row"], 3, "A", "hand of ana")
def test_the_order_in_which_places_are_named_says_nothing(keys: list[str], number: int, card: str, place: str) -> None:
    """Several draw on one kind: which of them lie where is in the rules, and not in the log."""
    claims = [{"assert": {f"number of {card} in {place}": claimed}} for claimed in range(4)]
    wanted = {**SPREAD, "heap": {"any Card": number}}
    told = [judged(DUEL, {"turn": "ana", "place": {key: wanted[key] for key in order}}, *claims)
            for order in (list(SPREAD), keys)]
    assert told[0].outcome is (LogOutcome.ILLEGAL if number < 8 else LogOutcome.UNREADABLE)
    one, two = (replace(each, excerpts={}, diagnostics=()) for each in told)
    assert one == two
    assert [found.message for found in told[0].diagnostics] == [found.message for found in told[1].diagnostics]


@pytest.mark.parametrize("state", [
    {"place": {"hand of ana": [], "(hand of ana)": ["A"]}}, {"place": {"(hand of ana)": ["A"], "hand of ana": []}},
    {"set": {"points of ana": 1, "(points of ana)": 2}}, {"set": {"(points of ana)": 2, "points of ana": 1}},
])
def test_what_is_said_twice_is_refused_in_either_order(state: dict[str, Any]) -> None:
    assert codes(judged(DUEL, {"turn": "ana", **state})) == ["LG26"]


def test_the_order_in_a_pile_is_as_told_and_counted_ones_are_shuffled() -> None:
    hands = {"hand of ana": ["A"], "hand of ben": ["A"]}
    drawn = does("fate", "draw", card="C")
    for deck, outcome in ((["C", "B", "B"], LogOutcome.LEGAL), (["B", "C", "B"], LogOutcome.ILLEGAL),
                          ({"B": 2, "C": 1}, LogOutcome.LEGAL), ([{"B": 1, "C": 1}, "B"], LogOutcome.LEGAL)):
        state = {"turn": "ben", "at": "play.draw", "place": {**hands, "deck": deck, "heap": {"A": 2, "B": 2, "C": 3}}}
        assert judged(DUEL, state, drawn).outcome is outcome, deck


def test_counters_have_the_values_told() -> None:
    state = {"turn": "ana", "set": {"points of ana": 2, "held_by": "ben", "marked": True}}
    claims = {"assert": {"points of ana": 2, "points of ben": 0, "held_by is ben": True, "marked": True}}
    assert judged(DUEL, state, claims).outcome is LogOutcome.LEGAL


def test_a_trigger_does_not_fire_for_what_is_so_from_the_start() -> None:
    """`when points of first >= 3: set held_by to second` fires when it turns true, not because it is true."""
    state = {"turn": "ana", "set": {"points of ana": 3}, "place": {"hand of ana": ["A"], "hand of ben": ["B"]}}
    scored = [does("ana", "score"), {"assert": {"held_by is none": True}}]
    assert judged(DUEL, state, *scored).outcome is LogOutcome.LEGAL
    state["set"] = {"points of ana": 2}
    assert judged(DUEL, state, does("ana", "score"), {"assert": {"held_by is ben": True}}).outcome is LogOutcome.LEGAL


def test_a_secret_choice_is_a_point_to_start_from() -> None:
    state: dict[str, Any] = {"at": "play.shown", "turn": "ana"}
    lines = [does("ben", "show", card="B"), does("ana", "show", card="A"), {"assert": {"points of ben": 1}}]
    state["place"] = {"hand of ana": ["A"], "hand of ben": ["B"]}
    assert judged(DUEL, state, *lines).outcome is LogOutcome.LEGAL


def codes(verdict: LogVerdict) -> list[str]:
    return [found.code for found in verdict.diagnostics]


@pytest.mark.parametrize(("state", "code"), [
    ({"place": {"hand of zed": []}}, "LG26"), ({"place": {"hands of ana": []}}, "LG26"),
    ({"place": {"points of ana": []}}, "LG26"), ({"place": {"hand of ana": ["Z"]}}, "LG26"),
    ({"place": {"hand of ana": {"A": -1}}}, "LG26"), ({"place": {"hand of ana": {"A": 10 ** 9}}}, "LG26"),
    ({"place": {"hand of ana": [7]}}, "LG26"), ({"place": {"hand of ana": {"any Coin": 1}}}, "LG26"),
    ({"place": {"slot": ["A"]}}, "LG26"), ({"place": {"slot at left": ["A", "A"]}}, "LG26"),
    ({"place": {"slot at left": ["A"], "(slot) at left": ["B"]}}, "LG26"),
    ({"place": {"row": {"A": 1, "B": 1}}}, "LG26"),
    ({"place": {"(" * 5000: []}}, "LG26"), ({"place": {"hand of ana": [[["A"]]]}}, "LG26"),
    ({"place": {"": []}}, "LG26"), ({"place": {"hand of ana": [None]}}, "LG26"),
    ({"place": {"the p in players with the most points, ties: random": []}}, "LG26"),
    ({"set": {"points of zed": 1}}, "LG26"), ({"set": {"points of ana": 11}}, "LG26"),
    ({"set": {"points of ana": "many"}}, "LG26"), ({"set": {"hand of ana": 1}}, "LG26"),
    ({"set": {"turn player": "ana"}}, "LG26"), ({"set": {"points of ana + 1": 1}}, "LG26"),
    ({"turn": "zed"}, "LG26"), ({"at": "play.nowhere"}, "LG26"), ({"turn": None}, "LG26"),
    ({"place": {"hand of ana": {"A": 5}}}, "LG27"), ({"place": {"deck": ["A"]}}, "LG27"),
    ({"at": "play.choose_guess"}, "LG28"), ({"at": "swap.choose_out"}, "LG28"),
    ({"place": {"hand of ana": ["A", "A", "B"]}}, "LG29"), ({"set": {"points of ana": 9, "points of ben": 9}}, "LG29"),
])
def test_positions_that_cannot_be(state: Any, code: str) -> None:
    verdict = judged(DUEL, {"turn": "ana", **state})
    assert verdict.outcome is LogOutcome.UNREADABLE
    assert codes(verdict)[-1] == code


@pytest.mark.parametrize("state", [[], {"turn": 1}, {"place": []}, {"rest": "gone"}, {"at": ["play"]},
                                   {"set": {f"points of ana + {n}": 1 for n in range(2001)}}])
def test_positions_of_another_form(state: Any) -> None:
    with pytest.raises(LogProblem, match="LG21"):
        judged(DUEL, state)


def over() -> dict[str, Any]:
    """`end as soon as deck is empty: nobody wins`."""
    place = {"deck": [], "hand of ana": ["A"], "hand of ben": ["B"], "heap": {"A": 3, "B": 3, "C": 4}}
    return {"turn": "ana", "place": place}


def test_a_game_that_is_over_is_over_from_the_start() -> None:
    ended = judged(DUEL, over(), ends(None))
    assert (ended.outcome, ended.finished, ended.winners) == (LogOutcome.LEGAL, True, ())
    assert wrong(judged(DUEL, over(), does("ana", "score")))[0] == 2
    assert wrong(judged(DUEL, over(), ends("ana")))[:2] == (2, "wrong result")
    going_on = over()
    going_on["place"].update({"deck": ["C"], "heap": {"A": 3, "B": 3, "C": 3}})
    assert judged(DUEL, going_on, does("ana", "score")).outcome is LogOutcome.LEGAL


def test_who_wins_is_not_made_up_where_the_table_decides_it(tmp_path: Path) -> None:
    rules = tmp_path / "race.rules"
    rules.write_text("""game "Race" for 2 players first and second

counters
  steps of player: 0..9

play
  turns from first, to the left
    turn player must take one of walk, rest

action walk
  raise steps of me by 1

action rest
  nothing

end as soon as some p in players where steps of p >= 3: p wins
""")
    both = judged(rules, {"turn": "ana", "set": {"steps of ana": 3, "steps of ben": 4}})
    assert (both.outcome, codes(both)) == (LogOutcome.UNREADABLE, ["LG29"])
    one = judged(rules, {"turn": "ana", "set": {"steps of ben": 4}}, ends("ben"))
    assert (one.outcome, one.winners) == (LogOutcome.LEGAL, ("ben",))


@pytest.mark.parametrize(("state", "message", "key"), [
    ({"set": {"points of ana": 9, "points of ben": 9}},
     "in this position not both far ahead does not hold: points of first + points of second = 18", "points of ana"),
    ({"place": {"deck": {"C": 4}, "heap": {"A": 2, "B": 2}, "hand of ben": ["B", "A", "B"], "hand of ana": ["A"]}},
     "in this position limit of hand does not hold: number of hand of ben = 3", "hand of ben"),
])
def test_what_does_not_hold_is_told_with_values_at_an_entry_that_it_hangs_on(state: Any, message: str,
                                                                            key: str) -> None:
    found = judged(DUEL, {"turn": "ana", **state})
    assert (found.outcome, codes(found)) == (LogOutcome.UNREADABLE, ["LG29"])
    span = found.diagnostics[0].span
    assert found.diagnostics[0].message == message
    assert found.excerpts is not None
    assert found.excerpts[span.path, span.line][span.column - 1:].startswith(f'"{key}"')


def test_what_lies_nowhere_has_somewhere_to_lie() -> None:
    """Every place says what lies there, and there are more components than that."""
    place: dict[str, Any] = {"deck": ["C"], "heap": [], "row": [], "slot": [None, "A"], "hand of ana": ["A"],
                             "hand of ben": ["B"]}
    found = judged(DUEL, {"turn": "ana", "rest": "unknown", "place": place})
    assert (found.outcome, codes(found)) == (LogOutcome.UNREADABLE, ["LG27"])
    assert found.diagnostics[0].message == (
        "8 of 12 Card lie nowhere: every place that may hold one says what lies there")
    del place["heap"]
    assert judged(DUEL, {"turn": "ana", "rest": "unknown", "place": place}).outcome is LogOutcome.LEGAL


def test_a_board_listed_whole_says_where_nothing_lies() -> None:
    claim = {"assert": {"slot at left is taken": False, "slot at right is A": True}}
    state = {"turn": "ana", "place": {"slot": [None, "A"], "hand of ana": ["B"]}}
    assert judged(DUEL, state, claim).outcome is LogOutcome.LEGAL
    assert codes(judged(DUEL, {"turn": "ana", "place": {"slot": [None]}})) == ["LG26"]
    assert codes(judged(DUEL, {"turn": "ana", "place": {"slot at left": [None]}})) == ["LG26"]


def test_the_place_in_a_long_header_is_shown() -> None:
    found = judged(DUEL, {"note": "." * 900, "at": "play.nowhere"})
    shown = text_of(found).splitlines()
    line = next(index for index, text in enumerate(shown) if '"play.nowhere"' in text and "|" in text)
    assert shown[line + 1].index("^") == shown[line].index('"play.nowhere"')


HANDS = {"hand of ana": ["A", "B"], "hand of ben": ["C", "C"]}


def somewhere(**more: Any) -> dict[str, Any]:
    """A position in which only the hands are known, and where nobody draws."""
    return {"turn": "ana", "rest": "unknown", "place": HANDS, "set": {"points of ana": 4}, **more}


def test_where_the_rest_lies_is_no_matter_as_long_as_nobody_looks() -> None:
    shown = [does("ana", "show", card="B"), does("ben", "show", card="C")]
    claim = {"assert": {"points of ana": 5, "points of ben": 1}}
    found = judged(DUEL, somewhere(), does("ana", "score"), *shown, claim)
    assert (found.outcome, found.notes) == (LogOutcome.LEGAL, ())
    late = judged(DUEL, somewhere(), does("ana", "score"), *shown, {"assert": {"points of ben": 0}})
    assert wrong(late)[:2] == (5, "broken claim")


def test_what_the_known_part_forbids_is_illegal() -> None:
    found = judged(DUEL, somewhere(), does("ana", "score"), does("ana", "show", card="C"))
    assert wrong(found) == (3, "illegal move", "ana may not show, whatever lies where it is not known")
    assert wrong(judged(DUEL, somewhere(), does("ben", "score")))[:2] == (2, "illegal move")


def test_what_is_laid_where_nothing_is_known_is_gone() -> None:
    """The heap takes the card; how many lie there then is not known."""
    swap = [does("ana", "swap"), does("ana", "choose", out="A")]
    found = judged(DUEL, somewhere(), *swap)
    assert found.outcome is LogOutcome.LEGAL, found
    found = judged(DUEL, somewhere(), *swap, {"assert": {"number of heap": 1}})
    assert (found.outcome, found.at) == (LogOutcome.UNKNOWN, 4)
    assert found.reason == "line 4: it hangs on what lies in heap, and that is not known"


@pytest.mark.parametrize(("state", "line", "zone"), [
    ({"turn": "ana", "rest": "unknown"}, 2, "deck"),
    ({"turn": "ana", "place": {"hand of ana": "?"}, "set": {"points of ana": 4}}, 2, "hand"),
])
def test_what_hangs_on_what_is_not_known_is_unknown(state: dict[str, Any], line: int, zone: str) -> None:
    found = judged(DUEL, state, does("ana", "score"))
    assert (found.outcome, found.exit, found.at) == (LogOutcome.UNKNOWN, 5, line)
    assert found.reason == f"line {line}: it hangs on what lies in {zone}, and that is not known"


def test_a_board_of_which_the_rest_is_unknown() -> None:
    state = board(rest="unknown")
    for to in ("a1", "a3", "b1", "h8"):
        move = does("ana", "move", **{"from": "a2", "to": to})
        known, unknown = judged("breakthrough", board(), move), judged("breakthrough", state, move)
        assert (known.outcome, known.at) == (unknown.outcome, unknown.at)


def test_what_is_said_of_an_unknown_position_is_so_in_every_one() -> None:
    """Of positions on the way through random games some places are forgotten: no verdict on what follows contradicts
    that on the whole position."""
    seen: Counter[tuple[str, str]] = Counter()
    for seed in range(40):
        random = Random(seed)
        game = play_out(walker(DUEL), Setting(("ana", "ben")), seed, 60)
        known, lines = position_in(game, random)
        if random.random() < 0.5 and lines:
            random.choice(lines)["by"] = random.choice(["ana", "ben"])
        kept = {place: there for place, there in known["place"].items() if random.random() < 0.7}
        whole, part = judged(DUEL, known, *lines), judged(DUEL, {**known, "place": kept, "rest": "unknown"}, *lines)
        seen[whole.outcome.value, part.outcome.value] += 1
        if part.outcome is not LogOutcome.UNKNOWN:
            assert (part.outcome, part.at) == (whole.outcome, whole.at), (seed, known, kept, lines)
    assert seen["legal", "legal"]
    assert seen["illegal", "illegal"]
    assert seen["legal", "unknown"]


def position_in(game: PlayedGame, random: Random) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A position at which somebody has a turn, as a header tells it, and a few of the events that followed."""
    rules = walker(DUEL)
    lines = [json.loads(line) for line in Recorder(rules, {}).lines(game.setting, game.events, game.last, ())][1:]
    step, at = rules.begin(game.setting), 0
    turns = []
    for at, event in enumerate(game.events):
        assert isinstance(step, State)
        if rules.asked(step).point.name == "play.score_or_swap_or_rest":
            turns.append((at, step))
        step = rules.advance(step, event)
    at, state = random.choice(turns)
    layout, names = rules.layout, [one.name for one in rules.core.components]
    place: dict[str, Any] = {}
    for zone in ("deck", "heap", "hand"):
        for key in layout.zones[zone].keys():
            content: Any = state.slots[layout.zones[zone].find(key)]
            there = [[names[one] for one in block] for block in content] if zone == "deck" else [
                names[one] for one in content]
            place[zone if not key else f"{zone} of {('ana', 'ben')[key[0]]}"] = there
    points = {f"points of {who}": state.slots[layout.vars["points"].find((seat,))]
              for seat, who in enumerate(("ana", "ben"))}
    return {"turn": lines[at]["by"], "place": place, "set": points}, lines[at:at + 4]


@pytest.mark.parametrize(("state", "code"), [
    ({"turn": "zed", "rest": "unknown"}, "LG26"), ({"rest": "unknown", "place": {"hand of ana": {"A": 5}}}, "LG27"),
    ({"rest": "unknown", "at": "swap.choose_out"}, "LG28")])
def test_an_unknown_rest_mends_nothing(state: Any, code: str) -> None:
    found = judged(DUEL, {"turn": "ana", **state})
    assert (found.outcome, codes(found)[-1]) == (LogOutcome.UNREADABLE, code)
