"""One solver for many questions: none of them has a say in another, and none lasts longer than it may."""

from __future__ import annotations

import pytest
import z3

from referee.smt import term
from referee.smt.concolic.guide import Guide, Valuation
from referee.smt.incremental_solver import MOST_ASKED, Asker
from referee.smt.undecided import Undecided
from referee.system.deadline import NEVER, Deadline


def test_a_question_says_nothing_about_the_next() -> None:
    asker, x = Asker(), term.unknown_number("x")
    assert not asker.possible([term.equal(x, 1), term.equal(x, 2)], NEVER)
    assert asker.possible([term.equal(x, 2)], NEVER)
    assert not asker.possible([False], NEVER)
    assert asker.possible([], NEVER)
    assert asker.possible([term.equal(x, 1)], NEVER)


def test_answers_stay_right_when_the_solver_is_replaced() -> None:
    asker, x = Asker(), term.unknown_number("x")
    for number in range(MOST_ASKED + 10):
        assert asker.possible([term.equal(x, number), term.less(x, 5)], NEVER) == (number < 5)


def test_out_of_time_is_no_answer() -> None:
    asker, x = Asker(), term.unknown_number("x")
    with pytest.raises(Undecided, match="out of time"):
        asker.possible([term.equal(x, 1)], Deadline(-1))
    assert asker.possible([term.equal(x, 1)], NEVER)


def test_a_question_that_takes_too_long_is_given_up_and_the_next_is_answered() -> None:
    asker = Asker()
    a, b, c = (term.unknown_number(name) for name in "abc")
    cubes = term.equal(term.total([term.times(a, term.times(a, a)), term.times(b, term.times(b, b))]),
                       term.times(c, term.times(c, c)))
    with pytest.raises(Undecided):
        asker.possible([cubes, *(term.less(100, one) for one in (a, b, c))], Deadline(0.2))
    assert asker.possible([term.equal(a, 101)], NEVER)


def test_nothing_of_an_interrupted_question_remains(monkeypatch: pytest.MonkeyPatch) -> None:
    asker, x = Asker(), term.unknown_number("x")
    assert asker.possible([], NEVER)

    def interrupted(solver: z3.Solver) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(z3.Solver, "check", interrupted)
        with pytest.raises(KeyboardInterrupt):
            asker.possible([term.equal(x, 1)], NEVER)
    assert asker.possible([term.equal(x, 2)], NEVER)


def test_what_is_decided_follows_from_the_values() -> None:
    x, held = term.unknown_number("x"), term.unknown_cond("held")
    guide = Guide(NEVER, Asker())
    guide.know(Valuation([(x, 3), (held, False)]))
    assert (guide.number(x), guide.cond(held), guide.number(term.total([x, 4])), guide.cond(term.less(x, 3))) == (
        3, False, 7, False)
    assert guide.possible(term.equal(x, 3))
    assert not guide.possible(held)


def test_values_that_contradict_the_conclusions_are_no_answer() -> None:
    x = term.unknown_number("x")
    guide = Guide(NEVER, Asker())
    guide.know(Valuation([(x, 3)]))
    assert guide.cond(term.less(2, x))
    guide.know(Valuation([(x, 1)]))
    with pytest.raises(Undecided, match="contradicts"):
        guide.possible()
