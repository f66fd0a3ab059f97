"""Every kind of wrong line in games of marks: which line, which kind, which rule, what would have been legal."""

from __future__ import annotations

from typing import Any

import pytest

from referee.judge.verdict import LogOutcome, WrongKind
from tests.judge.playing import does, ends, header, judged, wrong
from tests.made_grid import grid

GRID = grid()


def marks(*cells: str) -> list[dict[str, Any]]:
    return [does(("ana", "ben")[index % 2], "mark", cell=cell) for index, cell in enumerate(cells)]


WON = marks("a1", "b1", "a2", "b2", "a3")
FULL = marks("a1", "a2", "a3", "b2", "b1", "b3", "c2", "c1", "c3")


def test_a_game_without_fault() -> None:
    verdict = judged(GRID, *WON, ends("ana"))
    assert (verdict.outcome, verdict.finished, verdict.winners) == (LogOutcome.LEGAL, True, ("ana",))
    assert (verdict.lines, verdict.events) == (7, 5)
    assert (verdict.ruleset, verdict.version) == ("made", "1")


def test_a_draw_and_a_game_without_end_line() -> None:
    assert judged(GRID, *FULL, ends(None)).winners == ()
    assert judged(GRID, *FULL).finished


def test_a_log_may_stop_anywhere() -> None:
    for number in range(5):
        verdict = judged(GRID, *WON[:number])
        assert (verdict.outcome, verdict.finished, verdict.winners) == (LogOutcome.LEGAL, False, None)


def test_a_failed_guard_is_named_with_its_values_and_the_nearest_legal_lines() -> None:
    verdict = judged(GRID, *marks("a1", "a1"))
    assert wrong(verdict) == (3, "illegal move", "ben may not mark cell a1")
    assert verdict.wrong is not None
    (fact,) = verdict.wrong.failed
    assert (fact.text, fact.shows) == ("the cell is free", (("on it", "x"),))
    assert (verdict.wrong.rule, str(verdict.wrong.span)) == ("mark", "made.rules:1")
    near = verdict.wrong.nearest
    assert [(n.text, n.changed) for n in near] == [
        ("mark cell a2", "other cell"), ("mark cell a3", "other cell"), ("mark cell b1", "other cell")]
    assert near[0].line == {"by": "ben", "do": "mark", "with": {"cell": "a2"}}


def test_wrong_player() -> None:
    verdict = judged(GRID, *marks("a1"), does("ana", "mark", cell="a2"))
    assert wrong(verdict) == (3, "wrong player", "only ben may mark here, not ana")
    assert verdict.wrong is not None
    assert (verdict.wrong.nearest[0].text, verdict.wrong.nearest[0].changed) == ("ben: mark cell a2", "other player")


@pytest.mark.parametrize(("line", "kind", "message"), [
    (does("zed", "mark", cell="a1"), "unknown player", '"zed" does not play'),
    (does("ana", "castle"), "unknown action", 'there is no action "castle"'),
    (does("ana", "mrak", cell="a1"), "unknown action", 'there is no action "mrak"; did you mean mark?'),
    (does("ana", "mark"), "bad argument", None),
    (does("ana", "mark", cell="a1", colour="red"), "bad argument", None),
    (does("ana", "mark", cell="z9"), "bad argument", None),
    (does("ana", "mark", cell=3), "bad argument", None),
    (does("ana", "mark", cell=None), "bad argument", None),
    (does("ana", "mark", cell=["a1"]), "bad argument", None),
    (does("ana", "mark", cell={"a1": 1}), "bad argument", None),
    (does("ana", "mark", cell=1.5), "bad argument", None),
    (does("fate", "mark", cell="a1"), "wrong player", "only ana may mark here, not fate"),
])
def test_lines_that_no_state_allows(line: dict[str, Any], kind: str, message: str | None) -> None:
    verdict = judged(GRID, line)
    assert wrong(verdict)[:2] == (2, kind)
    if message is not None:
        assert wrong(verdict)[2] == message


def test_early_end() -> None:
    verdict = judged(GRID, *WON[:4], ends("ana"))
    assert wrong(verdict) == (6, "early end", "the game is not over: it waits for ana to mark")


def test_event_after_the_end() -> None:
    assert wrong(judged(GRID, *WON, does("ben", "mark", cell="c1")))[:2] == (7, "event after the end")
    assert wrong(judged(GRID, *WON, ends("ana"), does("ben", "mark", cell="c1")))[:2] == (8, "event after the end")
    assert wrong(judged(GRID, *WON, ends("ana"), ends("ana")))[:2] == (8, "event after the end")
    assert wrong(judged(GRID, *WON, does("ben", "concede")))[:2] == (7, "event after the end")


@pytest.mark.parametrize(("claim", "message"), [
    (ends("ben"), "the winner is ana, not ben"), (ends(None), "the winner is ana, not nobody"),
    (ends(["ana", "ben"]), "the winner is ana, not ana and ben"), (ends("zed"), "zed does not play"),
    (ends(ranking=["ben", "ana"]), "ana won, but comes after ben"),
])
def test_wrong_result(claim: dict[str, Any], message: str) -> None:
    assert wrong(judged(GRID, *WON, claim)) == (7, "wrong result", message)


def test_what_an_end_does_not_claim_is_not_tested() -> None:
    assert judged(GRID, *WON, ends()).outcome is LogOutcome.LEGAL


def test_undo_is_not_allowed() -> None:
    assert wrong(judged(GRID, *marks("a1"), {"undo": 1}))[:2] == (3, "not allowed")


@pytest.mark.parametrize("value", ["?", {"in": ["a1", "a2"]}])
def test_a_hole_may_be_filled(value: Any) -> None:
    assert judged(GRID, *marks("a1"), does("ben", "mark", cell=value)).outcome is LogOutcome.LEGAL
    verdict = judged(GRID, *marks("a1"), does("ben", "mark", cell=value), does("zed", "nonsense"))
    assert wrong(verdict)[:2] == (4, "unknown player")


def test_after_an_illegal_line_a_hole_changes_nothing() -> None:
    verdict = judged(GRID, *marks("a1", "a1"), does("ana", "mark", cell="?"))
    assert wrong(verdict)[0] == 3
    assert verdict.not_judged_from == 4


def test_an_unreadable_line_before_the_first_wrong_one_is_the_verdict() -> None:
    verdict = judged(GRID, *marks("a1"), "{nonsense", *marks("a1"))
    assert (verdict.outcome, verdict.at, verdict.diagnostics[0].code) == (LogOutcome.UNREADABLE, 3, "LG05")


def test_an_unreadable_line_after_it_is_not() -> None:
    verdict = judged(GRID, *marks("a1", "a1"), "{nonsense")
    assert wrong(verdict)[0] == 3
    assert (verdict.not_judged_from, [d.code for d in verdict.diagnostics]) == (4, ["LG05"])


# --- after the first wrong line

def test_the_verdict_is_the_first_wrong_line_and_the_rest_is_remarked_on() -> None:
    verdict = judged(GRID, does("ben", "mark", cell="c3"), *WON, ends("ben"))
    assert wrong(verdict)[:2] == (2, "wrong player")
    assert [(later.line, later.kind) for later in verdict.after] == [(8, WrongKind.WRONG_RESULT)]


def test_three_wrong_lines_in_a_row_end_the_judging() -> None:
    verdict = judged(GRID, *[does("ben", "mark", cell="c3")] * 9)
    assert wrong(verdict)[0] == 2
    assert ([later.line for later in verdict.after], verdict.not_judged_from) == ([3, 4], 5)


# --- the table's lines

def test_a_player_concedes() -> None:
    assert judged(GRID, *marks("a1"), does("ana", "concede"), ends("ben")).winners == ("ben",)
    assert judged(GRID, *marks("a1"), does("ana", "concede")).winners == ("ben",)
    claim = judged(GRID, *marks("a1"), does("ana", "concede"), ends("ana"))
    assert wrong(claim) == (4, "wrong result", "ana conceded: the winner is ben, not ana")
    late = judged(GRID, does("ana", "concede"), *marks("a1"))
    assert wrong(late) == (3, "event after the end", "ana: mark, but ana conceded")


def test_the_table_stops_a_game() -> None:
    verdict = judged(GRID, *marks("a1"), does("table", "stop", why="dinner"), ends(None))
    assert (verdict.outcome, verdict.finished, verdict.winners) == (LogOutcome.LEGAL, True, None)
    assert verdict.notes == ("the table stopped the game: dinner", "the result claimed was not checked")
    assert wrong(judged(GRID, does("table", "stop"), *marks("a1")))[:2] == (3, "event after the end")


def test_an_overruled_line_stands_and_the_next_wrong_one_is_the_verdict() -> None:
    claim = judged(GRID, *WON, ends("ben"), does("table", "overrule", line=7))
    assert (claim.outcome, claim.overruled) == (LogOutcome.LEGAL, (7,))
    second = judged(GRID, *WON, ends("ben"), does("table", "overrule", line=7), does("ben", "mark", cell="c1"))
    assert wrong(second)[:2] == (9, "event after the end")


def test_an_overruled_line_that_cannot_be_carried_out_leaves_the_rest_unknown() -> None:
    verdict = judged(GRID, does("ben", "mark", cell="a1"), does("table", "overrule", line=2))
    assert (verdict.outcome, verdict.at) == (LogOutcome.UNKNOWN, 2)


def test_overruling_nothing() -> None:
    assert judged(GRID, *marks("a1"), does("table", "overrule", line=2)).notes == (
        "line 2 was overruled, but nothing is wrong with it",)
    for line in (9, 1, 0, "2", None):
        assert wrong(judged(GRID, *marks("a1"), does("table", "overrule", line=line)))[:2] == (3, "bad argument")


def test_players_may_have_any_names() -> None:
    head = header(["ben", "Ana Maria"])
    assert judged(GRID, does("ben", "mark", cell="a1"), does("Ana Maria", "mark", cell="a2"), head=head).events == 2


def test_memory_does_not_grow_with_the_log() -> None:
    lines = [does("table", "overrule", line=2)] * 3000
    verdict = judged(GRID, *marks("a1"), *lines)
    assert len(verdict.notes) <= 10
    assert len(judged(GRID, *marks("a1"), *([does("ana", "mark", cell="b1")] * 3000)).after) <= 20
