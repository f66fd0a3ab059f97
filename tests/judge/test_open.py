"""What is open: rulings, passes left out, values that nobody stated, readings; and what is then assumed."""

from __future__ import annotations

from typing import Any

import pytest

from referee.judge.log_run import Options
from referee.judge.verdict import LogOutcome, LogVerdict
from tests.judge import made_open
from tests.judge.playing import does, ends, header, judged, wrong


def adds(by: str, number: int = 1) -> dict[str, Any]:
    return does(by, "add", number=number)


def rules(name: str, choice: Any) -> dict[str, Any]:
    return does("table", "rule", point=name, choice=choice)


def under(verdict: LogVerdict) -> list[list[str]]:
    assert verdict.outcome is LogOutcome.LEGAL, verdict
    return [[str(made) for made in world] for world in verdict.under]


# --- rulings

def test_a_ruling_in_the_log_is_followed() -> None:
    verdict = judged(made_open.tie(), adds("ana"), rules("tie.first", "ben"), adds("ben"), ends("ben"))
    assert under(verdict) == []
    assert verdict.winners == ("ben",)


def test_a_ruling_in_the_header_is_followed() -> None:
    head = header(rulings={"tie.first": "ben"})
    assert under(judged(made_open.tie(), adds("ana"), adds("ben"), head=head)) == []
    assert wrong(judged(made_open.tie(), adds("ana"), adds("ana"), head=head)) == (
        3, "wrong player", "only ben may add here, not ana")


def test_without_a_ruling_it_is_legal_under_one() -> None:
    assert under(judged(made_open.tie(), adds("ana"), adds("ben"))) == [["tie.first = ben (line 3)"]]
    assert under(judged(made_open.tie(), adds("ana"), adds("ana"), ends("ana"))) == [["tie.first = ana (line 3)"]]


def test_the_result_tells_which_ruling_it_was() -> None:
    verdict = judged(made_open.tie(), adds("ana"), adds("ana"), ends("ben"))
    assert wrong(verdict) == (4, "wrong result", "the winner is ana, not ben")


def test_what_no_ruling_allows_is_illegal() -> None:
    assert wrong(judged(made_open.tie(), adds("ana"), does("fate", "add", number=1)))[:2] == (3, "wrong player")


def test_a_ruling_nobody_asked_for() -> None:
    assert wrong(judged(made_open.tie(), rules("tie.first", "ben")))[:2] == (2, "wrong player")
    assert wrong(judged(made_open.tie(), adds("ana"), rules("tie.first", "zed")))[:2] == (3, "bad argument")
    assert wrong(judged(made_open.tie(), adds("ana"), rules("tie", "ben")))[:2] == (3, "bad argument")


def test_a_ruling_that_changes_nothing_is_not_assumed() -> None:
    assert under(judged(made_open.harmless_tie(), adds("ana"), adds("ben"), ends("ben"))) == []


def test_a_log_may_stop_where_the_table_should_rule() -> None:
    verdict = judged(made_open.tie(), adds("ana"))
    assert (verdict.outcome, verdict.finished, verdict.under) == (LogOutcome.LEGAL, False, ())


def test_where_the_rules_say_nothing_the_game_stops() -> None:
    verdict = judged(made_open.gap(), adds("ana"))
    assert (verdict.outcome, verdict.reason) == (LogOutcome.STOPPED, "market: what if it is empty?")
    verdict = judged(made_open.gap(), adds("ana"), adds("ben"), adds("ana"))
    assert (verdict.outcome, verdict.at) == (LogOutcome.STOPPED, 3)
    assert judged(made_open.gap(), adds("ana"), ends("ana")).outcome is LogOutcome.STOPPED


def test_more_than_can_be_followed_is_no_verdict() -> None:
    legal = judged(made_open.many_ties(5), adds("ana"), adds("ben"))
    assert under(legal) == [[f"tie {number} = ben (line 3)" for number in range(5)]]
    passed = judged(made_open.many_ties(7), adds("ana"), does("ben", "pass"))
    assert (passed.outcome, passed.more_worlds) == (LogOutcome.LEGAL, True)
    verdict = judged(made_open.many_ties(12), adds("ana"), adds("ben"))
    assert (verdict.outcome, verdict.at) == (LogOutcome.DEPENDS, 3)
    assert verdict.reason.startswith("more than 64 ways to settle what is open")


# --- windows

def test_a_pass_may_be_said_or_left_out() -> None:
    for answer in ([], [does("ben", "pass")]):
        assert under(judged(made_open.window(), adds("ana"), *answer, adds("ben"), ends("ben"))) == []
    assert judged(made_open.window(), adds("ana"), does("ben", "answer"), adds("ben", 1)).outcome is LogOutcome.LEGAL


def test_an_answer_that_fails_is_the_wrong_line() -> None:
    verdict = judged(made_open.window(), adds("ana", 2), does("ben", "answer"))
    assert wrong(verdict) == (3, "illegal move", "ben may not answer")
    assert verdict.wrong is not None
    assert [fact.text for fact in verdict.wrong.failed] == ["the total is odd"]


def test_whoever_is_not_asked_is_told_who_is() -> None:
    assert wrong(judged(made_open.window(), adds("ana"), adds("ana")))[:2] == (3, "wrong player")


# --- fate, and what had to happen

def test_a_draw_left_out_is_a_missing_event() -> None:
    deal = does("fate", "deal", to="ana", card="T1")
    message = "1 card must be dealt to ben from deck first"
    assert wrong(judged(made_open.dealt(), deal, does("ana", "fold"))) == (3, "missing event", message)


def test_a_forced_effect_left_out_is_a_missing_event() -> None:
    lines = [does("fate", "deal", to="ana", card="T1"), does("fate", "deal", to="ben", card="T2"), does("ana", "fold")]
    assert wrong(judged(made_open.dealt(), *lines, does("ana", "fold"))) == (5, "missing event", "ben must draw")


def test_fate_gives_only_what_is_there() -> None:
    deal = does("fate", "deal", to="ana", card="T1")
    verdict = judged(made_open.dealt(), deal, does("fate", "deal", to="ben", card="T1"))
    assert wrong(verdict)[:2] == (3, "illegal move")


def test_a_failed_guard_is_carried_out_for_the_lines_after_it() -> None:
    lines = [does("fate", "deal", to="ana", card="T1"), does("fate", "deal", to="ben", card="T2"),
             does("ana", "play", card="T1"), does("ben", "draw")]
    verdict = judged(made_open.dealt(), *lines)
    assert wrong(verdict)[:2] == (4, "illegal move")
    assert verdict.after == ()
    overruled = judged(made_open.dealt(), *lines, does("table", "overrule", line=4))
    assert (overruled.outcome, overruled.overruled, overruled.finished) == (LogOutcome.LEGAL, (4,), True)


def test_values_that_a_player_cannot_see_are_hidden_from_him() -> None:
    lines = [does("fate", "deal", to="ana", card="T1"), does("fate", "deal", to="ben", card="T2"),
             does("ana", "play", card="T1")]
    for viewer, value in ((None, "1"), ("all", "1"), ("ben", "1"), ("ana", "hidden")):
        verdict = judged(made_open.dealt(), *lines, options=Options(viewer=viewer))
        assert verdict.wrong is not None
        assert verdict.wrong.failed[0].shows == (("cards of ben", value),)
        assert bool(verdict.wrong.nearest) is (viewer != "ben")


def test_a_viewer_has_to_play() -> None:
    verdict = judged(made_open.dealt(), options=Options(viewer="zed"))
    assert (verdict.outcome, verdict.diagnostics[0].code) == (LogOutcome.UNREADABLE, "LG25")


# --- invariants

def test_a_broken_invariant_is_the_fault_of_the_line_that_leads_there() -> None:
    verdict = judged(made_open.bounded(), adds("ana", 3), adds("ben", 3), adds("ana", 1))
    assert wrong(verdict) == (3, "broken invariant", "total_is_not_six")
    assert verdict.wrong is not None
    assert verdict.wrong.failed[0].shows == (("total", "6"),)
    assert verdict.after == ()


# --- rules that fail

def test_a_legal_event_that_the_rules_cannot_carry_out_leaves_the_rest_unknown() -> None:
    verdict = judged(made_open.failing(), adds("ana", 3), adds("ben", 3))
    assert (verdict.outcome, verdict.at) == (LogOutcome.UNKNOWN, 3)
    assert verdict.reason.startswith("the rules fail: RT01 total cannot become 6")
    assert judged(made_open.failing(), adds("ana", 3), adds("ben", 3), adds("ana")).at == 4


def test_a_log_may_stop_where_the_rules_fail() -> None:
    verdict = judged(made_open.failing(), adds("ana"), does("ben", "pass"))
    assert (verdict.outcome, verdict.finished) == (LogOutcome.UNKNOWN, False)


@pytest.mark.parametrize("line", [
    adds("ana"), ends("ana"), {"undo": 1}, does("ana", "concede"), does("ana", "nonsense"),
])
def test_an_actor_that_cannot_be_found_is_no_crash(line: dict[str, Any]) -> None:
    verdict = judged(made_open.failing(), adds("ana"), does("ben", "pass"), line)
    assert verdict.outcome in (LogOutcome.UNKNOWN, LogOutcome.ILLEGAL)


# --- values that nobody stated

def test_a_parameter_is_narrowed_by_what_was_legal() -> None:
    verdict = judged(made_open.unknown_limit(), adds("ana", 2), adds("ben", 2))
    assert under(verdict) == [["limit = 4..6"]]


def test_a_parameter_in_the_header_is_none_to_assume() -> None:
    head = header(parameters={"limit": 4})
    assert under(judged(made_open.unknown_limit(), adds("ana", 2), adds("ben", 2), head=head)) == []
    verdict = judged(made_open.unknown_limit(), adds("ana", 2), adds("ben", 3), head=head)
    assert wrong(verdict)[:2] == (3, "illegal move")


def test_what_no_value_allows_is_illegal() -> None:
    verdict = judged(made_open.unknown_limit(), adds("ana", 3), adds("ben", 3), adds("ana", 1))
    assert wrong(verdict)[:2] == (4, "illegal move")


def test_a_given_decides_who_begins() -> None:
    core = made_open.given_starter()
    assert under(judged(core, adds("ben"), ends("ben"))) == [["starter = ben"]]
    assert wrong(judged(core, adds("ben"), ends("ana")))[:2] == (3, "wrong result")
    assert under(judged(core, adds("ben"), head=header(given={"starter": "ben"}))) == []
    assert wrong(judged(core, adds("ana"), head=header(given={"starter": "ben"})))[:2] == (2, "wrong player")


# --- readings

def test_readings_are_at_their_default_unless_the_header_chooses() -> None:
    core = made_open.two_readings()
    lines = [adds("ana", 2), adds("ben", 2)]
    assert wrong(judged(core, *lines))[:2] == (3, "illegal move")
    assert judged(core, *lines, head=header(readings={"strict": "loose"})).outcome is LogOutcome.LEGAL


def test_all_readings_are_open_when_asked_for() -> None:
    core, every = made_open.two_readings(), Options(all_readings=True)
    assert under(judged(core, adds("ana", 2), adds("ben", 2), options=every)) == [["strict = loose"]]
    assert under(judged(core, adds("ana", 1), adds("ben", 1), options=every)) == []
    head = header(readings={"strict": "tight"})
    assert wrong(judged(core, adds("ana", 2), adds("ben", 2), head=head, options=every))[:2] == (3, "illegal move")


def test_the_statement_behind_a_guard_is_cited() -> None:
    verdict = judged(made_open.two_readings(), adds("ana", 2), adds("ben", 2))
    assert verdict.wrong is not None
    assert verdict.wrong.cites == ("MA-7",)


def test_scores_are_compared() -> None:
    core = made_open.two_readings()
    lines = [adds("ana", 1), adds("ben", 2)]
    assert judged(core, *lines, ends("ben", scores={"ana": 3, "ben": 3})).outcome is LogOutcome.LEGAL
    assert wrong(judged(core, *lines, ends("ben", scores={"ana": 2}))) == (
        4, "wrong result", "the score of ana is 3, not 2")
