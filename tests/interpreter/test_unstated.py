"""Parameters that nobody stated: what their range decides, how it is split, and how a piece is settled."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.core.expr import Const, Expr, Get, Op, Operator
from referee.core.ruleset import Role
from referee.core.stmt import Branch, Decide, Option
from referee.core.types import Bool, Int, SetOf, Type, Value
from referee.flow.lowering import lower
from referee.game.setting import Setting
from referee.game.state import Open, State
from referee.interpreter.interruptions import Unsettled
from referee.interpreter.walker import Walker
from tests import cores
from tests.cores import HERE

RANGE = Int(1, 9)
SEATS = Setting(("ana", "ben"))


def variable(name: str, kind: Type, *keys: Int, start: Value = None) -> object:
    return cores.state(name, kind, start, *keys, role=Role.PARAMETER)


def game() -> Walker:
    go = Decide(cores.point("ask"), cores.seat(0), (Option("go"),), None)
    variables = [variable("p", RANGE), variable("q", RANGE), variable("flag", Bool()),
                 variable("rows", RANGE, Int(1, 2)), variable("known", RANGE, start=4)]
    return Walker(lower(cores.made((go,), variables=variables, actions=[cores.action("go")])))  # type: ignore[arg-type]


WALKER = game()
P = Get("p", (), RANGE)


def begun(setting: Setting = SEATS) -> State:
    step = WALKER.begin(setting)
    assert isinstance(step, State)
    return step


def compared(op: Operator, right: Expr | int, left: Expr = P) -> Expr:
    return Op(op, (left, cores.num(right) if isinstance(right, int) else right), Bool())


def pieces(expr: Expr, state: State | None = None) -> tuple[tuple[int, int], ...]:
    with pytest.raises(Unsettled) as unsettled:
        WALKER.evaluate(state or begun(), expr)
    return unsettled.value.pieces


def test_what_is_not_stated_is_open_unless_it_has_a_default() -> None:
    assert WALKER.layout.read_var(begun(), "p") == Open(1, 9)
    assert WALKER.layout.read_var(begun(), "flag") == Open(0, 1)
    assert WALKER.layout.read_var(begun(), "rows", (2,)) == Open(1, 9)
    assert WALKER.layout.read_var(begun(), "known") == 4
    stated = replace(SEATS, parameters={"p": {(): 3}, "rows": {(2,): 5}})
    assert WALKER.layout.read_var(begun(stated), "p") == 3
    assert WALKER.layout.read_var(begun(stated), "rows", (2,)) == 5


@pytest.mark.parametrize(("op", "other", "value"), [
    (Operator.LT, 10, True), (Operator.LT, 1, False), (Operator.GE, 1, True), (Operator.LE, 9, True),
    (Operator.GT, 9, False), (Operator.EQ, 0, False), (Operator.NE, 12, True),
])
def test_a_comparison_that_the_range_decides(op: Operator, other: int, value: bool) -> None:
    assert WALKER.evaluate(begun(), compared(op, other)) is value


@pytest.mark.parametrize(("op", "other", "split"), [
    (Operator.LT, 4, ((1, 3), (4, 9))), (Operator.GE, 4, ((1, 3), (4, 9))), (Operator.LE, 4, ((1, 4), (5, 9))),
    (Operator.GT, 4, ((1, 4), (5, 9))), (Operator.EQ, 4, ((1, 3), (4, 4), (5, 9))), (Operator.NE, 1, ((1, 1), (2, 9))),
])
def test_a_comparison_that_it_does_not_decide_splits_at_the_other_value(
        op: Operator, other: int, split: tuple[tuple[int, int], ...]) -> None:
    assert pieces(compared(op, other)) == split


def test_the_sides_of_a_comparison_may_be_turned_round() -> None:
    assert pieces(compared(Operator.LT, P, cores.num(4))) == ((1, 4), (5, 9))
    assert WALKER.evaluate(begun(), compared(Operator.LT, P, cores.num(0))) is True


def test_membership_splits_into_runs() -> None:
    some = Const(frozenset({2, 3, 7}), SetOf(RANGE))
    assert pieces(compared(Operator.IN, some)) == ((1, 1), (2, 3), (4, 6), (7, 7), (8, 9))


def test_two_open_values_split_the_wider_range() -> None:
    assert pieces(compared(Operator.EQ, Get("q", (), RANGE))) == ((1, 5), (6, 9))


def test_any_other_use_halves_the_range() -> None:
    assert pieces(cores.add(P, cores.num(1), RANGE)) == ((1, 5), (6, 9))
    assert pieces(Get("flag", (), Bool())) == ((0, 0), (1, 1))


def test_a_piece_is_settled() -> None:
    state = begun()
    with pytest.raises(Unsettled) as unsettled:
        WALKER.evaluate(state, compared(Operator.LT, 4))
    low, high = (WALKER.settle(state, unsettled.value, piece) for piece in unsettled.value.pieces)
    assert WALKER.evaluate(low, compared(Operator.LT, 4)) is True
    assert WALKER.evaluate(high, compared(Operator.LT, 4)) is False
    with pytest.raises(Unsettled) as unsettled:
        WALKER.evaluate(state, Get("flag", (), Bool()))
    assert WALKER.evaluate(WALKER.settle(state, unsettled.value, (1, 1)), Get("flag", (), Bool())) is True


def test_a_key_is_named() -> None:
    with pytest.raises(Unsettled) as unsettled:
        WALKER.evaluate(begun(), Get("rows", (cores.num(2),), RANGE))
    assert (unsettled.value.var, unsettled.value.key) == ("rows", (2,))


def test_set_up_may_be_what_needs_it() -> None:
    branch = Branch(Get("flag", (), Bool()), (), (), HERE)
    walker = Walker(lower(cores.made((branch,), variables=[variable("flag", Bool())])))  # type: ignore[list-item]
    with pytest.raises(Unsettled):
        walker.begin(SEATS)
