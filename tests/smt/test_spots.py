"""What lies on spots that were changed in several ways: the cases say what the terms say, and stay few."""

from __future__ import annotations

from referee.smt import term
from referee.smt.abstraction.kept_spots import MOST_CASES, KeptSpot, Spots, cases_of, merged
from referee.smt.solver import Answer, Solver
from referee.smt.value import Opt


def changed(times: int) -> Spots:
    """One spot after some changes, each of which may be made or not, in a place that may be the one or not."""
    there: Spots = (Opt(term.unknown_cond("taken"), term.unknown_number("first")),)
    for number in range(times):
        new = (Opt(number % 3 > 0, number),)
        laid = merged(term.unknown_cond(f"free {number}"), new, there)
        found = merged(term.unknown_cond(f"here {number}"), laid, there)
        assert found is not None
        there = found
    return there


def test_cases_say_what_lies_there() -> None:
    (one,) = changed(6)
    assert isinstance(one, KeptSpot)
    *cases, (_, before) = cases_of(one)
    has = term.pick([(when, term.number(there.has)) for when, there in cases], term.number(before.has))
    value = term.pick([(when, there.value) for when, there in cases], before.value)
    solver = Solver(10.0)
    same = term.both(term.equal(has, term.number(one.has)), term.equal(value, one.value))
    solver.add(term.no(same))
    assert solver.ask() is Answer.NO


def test_a_change_that_may_not_be_made_adds_its_own_case_only() -> None:
    (one,) = changed(6)
    assert len(cases_of(one)) == 7


def test_many_changes_are_told_without_cases() -> None:
    for times in (2 * MOST_CASES, 3 * MOST_CASES):
        (one,) = changed(times)
        assert len(cases_of(one)) <= MOST_CASES
