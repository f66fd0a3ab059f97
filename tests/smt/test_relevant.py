"""What of a model matters for a condition, and models with other values."""

from __future__ import annotations

from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from referee.smt import term
from referee.smt.abstraction.relevance import TermUnknowns
from referee.smt.solver import Answer, Solver
from referee.smt.term import Cond
from referee.smt.term_parts import Parts

NAMES = ("a", "b", "c", "d")
NUMBERS = {name: term.unknown_number(name) for name in NAMES}


@st.composite
def conditions(draw: st.DrawFn, depth: int = 2) -> Cond:
    if depth == 0 or draw(st.booleans()):
        one, other = (NUMBERS[draw(st.sampled_from(NAMES))] for _ in range(2))
        right = other if draw(st.booleans()) else draw(st.integers(0, 3))
        return draw(st.sampled_from([term.equal, term.at_most, term.less]))(one, right)
    parts = [draw(conditions(depth - 1)) for _ in range(2)]
    made = draw(st.sampled_from([term.conj, term.disj]))(parts)
    return term.no(made) if draw(st.booleans()) else made


def holds(cond: Cond, values: dict[str, int], left_open: frozenset[str] = frozenset()) -> bool:
    """Whether a condition holds, whatever the open unknowns are within 0..3."""
    solver = Solver(5.0)
    for name, value in values.items():
        free = name in left_open
        solver.add(term.both(term.at_most(0, NUMBERS[name]), term.at_most(NUMBERS[name], 3)) if free
                   else term.equal(NUMBERS[name], value))
    solver.add(term.no(cond))
    return solver.ask() is Answer.NO


VALUES = st.fixed_dictionaries({name: st.integers(0, 3) for name in NAMES})


@given(conditions(), VALUES, st.sets(st.sampled_from(NAMES)))
def test_what_is_not_needed_may_be_anything(cond: Cond, values: dict[str, int], free: set[str]) -> None:
    if not holds(cond, values):
        return
    unknowns = TermUnknowns()

    def model(one: Any) -> Any:
        return values[str(one)]

    names = {term.name_of(NUMBERS[name]): name for name in NAMES}
    needed = unknowns.needed(cond, model, [term.name_of(NUMBERS[name]) for name in free])
    assert needed is not None
    kept = {names[one] for one in needed}
    assert kept <= free
    assert holds(cond, values, frozenset(free - kept))


NUMERIC = [
    lambda a, b, c: term.total([a, b, 1]), lambda a, b, c: term.minus(a, b), lambda a, b, c: term.times(a, b),
    lambda a, b, c: term.choose(term.at_most(a, b), c, 2), lambda a, b, c: term.lower(a, c), lambda a, b, c: -c,
]  # fmt: skip


@given(st.sampled_from(NUMERIC), conditions(), VALUES, st.sets(st.sampled_from(NAMES)))
def test_what_is_known_of_a_term_is_what_it_is(made: Any, cond: Cond, values: dict[str, int], open_: set[str]) -> None:
    a, b, c, d = (NUMBERS[name] for name in NAMES)
    whole = term.both(cond, term.at_most(made(a, b, c), d))
    assume(not isinstance(whole, bool))  # what is no term needs no looking at
    parts = Parts()
    number = parts.number(whole)
    names = {term.name_of(NUMBERS[name]): name for name in NAMES}
    told = parts.worked_out(number, lambda one: None if names[one] in open_ else values[names[one]])[number]
    assert told in {None, holds(whole, values)}
    if not open_:
        assert told is not None
    for name in open_:  # whatever is told holds for every value
        for value in range(-1, 5):
            assert told is None or told is holds(whole, {**values, name: value})


def test_only_what_matters_is_needed() -> None:
    a, b, c = (NUMBERS[name] for name in "abc")
    cond = term.both(term.equal(a, 1), term.disj((term.equal(b, 2), term.at_most(0, c), term.at_most(a, 5))))
    unknowns = TermUnknowns()
    needed = unknowns.needed(cond, lambda one: {"a": 1, "b": 0, "c": 5}[str(one)], unknowns.of(cond))
    assert needed == {term.name_of(a)}


def test_a_model_with_other_values_keeps_the_rest() -> None:
    a, b = NUMBERS["a"], NUMBERS["b"]
    unknowns = TermUnknowns()
    whole = term.total([a, b])
    unknowns.of(whole)
    instead = unknowns.instead(lambda one: {"a": 1, "b": 2}[str(one)], [(a, 10)])
    assert (instead(whole), instead(a), instead(b), instead(7)) == (12, 10, 2, 7)


def test_unknowns_are_found_once_each() -> None:
    a, b = NUMBERS["a"], NUMBERS["b"]
    assert TermUnknowns().of(term.equal(term.total([a, b]), a)) == {term.name_of(a), term.name_of(b)}
    assert TermUnknowns().of(5) == frozenset()
