"""What is computed of numbers that are known lies within the bounds that are computed of what is known of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.codegen.trusted_variables import doubt
from referee.codegen.value_bounds import BoundProver
from referee.core import expr as core
from referee.core.expr import Const, Expr, FoldKind, Op, Operator
from referee.core.intervals import HUGE, INTERVALS, WIDE, Bounds, fold, hull, most_members, of_type, of_value
from referee.core.known_operators import KnownOperators
from referee.core.read_write_sets import locals_of
from referee.core.types import Bool, Elem, Int, Many, Maybe, SetOf, Type, Value
from referee.flow.lowering import lower
from referee.frontend.expressions import typed_operators
from referee.interpreter.closures.closure_types import NOTHING, Env, Fn, Scope, Slots
from referee.interpreter.closures.expression_closures import ExpressionClosures
from referee.interpreter.walker import Walker
from tests.laws.games import play
from tests.twin.random_core import Maker

NUMBERS = st.integers(-20, 20)
ONE = Const(1, Int(1, 1))
OF_SETS = (Operator.UNION, Operator.MINUS)


@st.composite
def bounded(draw: st.DrawFn) -> tuple[int, Bounds]:
    """A number and bounds that it keeps."""
    number = draw(NUMBERS)
    return number, Bounds(number - draw(st.integers(0, 9)), number + draw(st.integers(0, 9)))


@st.composite
def bounded_set(draw: st.DrawFn) -> tuple[frozenset[int], Bounds]:
    """A set and bounds that each of its members keeps."""
    lo, more = draw(NUMBERS), draw(st.integers(0, 9))
    return draw(st.frozensets(st.integers(lo, lo + more), max_size=6)), Bounds(lo, lo + more)


def _is_within(value: Any, bounds: Bounds) -> bool:
    if isinstance(value, frozenset | tuple):
        return all(bounds.lo <= one <= bounds.hi for one in value)
    return bounds.none if value is None else bounds.lo <= value <= bounds.hi


@pytest.mark.parametrize("op", Operator)
@given(data=st.data())
def test_every_operator_stays_within_its_bounds(op: Operator, data: st.DataObject) -> None:
    args: list[tuple[Any, Bounds]]
    if op in OF_SETS:
        args = [data.draw(bounded_set()), data.draw(bounded_set())]
    elif op is Operator.SIZE:
        args = [data.draw(bounded_set())]
    elif op is Operator.IN:
        args = [data.draw(bounded()), data.draw(bounded_set())]
    elif op is Operator.NOT:
        args = [(data.draw(st.booleans()), Bounds(0, 1))]
    elif op in (Operator.SET, Operator.LOWER, Operator.HIGHER):
        args = data.draw(st.lists(bounded(), min_size=1, max_size=4))
    else:
        args = [data.draw(bounded()) for _ in range(1 if op is Operator.NEG else 2)]
    expr = Op(op, tuple(ONE for _ in args), SetOf(Int(-99, 99)) if op is Operator.SET else Int(0, 0))
    value = KnownOperators().operate(expr, [value for value, _ in args])
    assert _is_within(value, INTERVALS.operate(expr, [bounds for _, bounds in args]))


FOLDS: dict[FoldKind, Callable[[list[int]], Any]] = {
    FoldKind.ANY: lambda bodies: any(body > 0 for body in bodies),
    FoldKind.ALL: lambda bodies: all(body > 0 for body in bodies),
    FoldKind.COUNT: lambda bodies: sum(body > 0 for body in bodies),
    FoldKind.SUM: sum,
    FoldKind.MIN: lambda bodies: min(bodies, default=7),
    FoldKind.MAX: lambda bodies: max(bodies, default=7),
}


@pytest.mark.parametrize("kind", FoldKind)
@given(found=bounded_set(), more=st.integers(0, 9))
def test_every_fold_stays_within_its_bounds(kind: FoldKind, found: tuple[frozenset[int], Bounds], more: int) -> None:
    members, bounds = found
    value = FOLDS[kind](sorted(members))
    assert _is_within(value, fold(kind, bounds, of_value(7), len(members) + more))
    assert _is_within(value, fold(kind, bounds, of_value(7), HUGE))


VALUES: list[tuple[Type, Value]] = [
    (Bool(), True), (Int(2, 5), 5), (Elem("d", 0, 3), 0), (Maybe(Int(2, 5)), None), (Maybe(Elem("d", 0, 3)), 3),
    (SetOf(Int(2, 5)), frozenset({2, 3, 4, 5})), (Many(Elem("d", 0, 3), 3), (1, 1, 3)), (SetOf(Int(2, 5)), frozenset()),
]  # fmt: skip


def test_a_type_says_as_much_of_its_values() -> None:
    assert {type(kind) for kind, _ in VALUES} == set(get_args(Type))
    for kind, value in VALUES:
        assert _is_within(value, of_type(kind))
        assert _is_within(value, of_value(value))
        assert _is_within(value, hull((Bounds(1, 1), of_value(value))))
        assert _is_within(value, WIDE)
        assert (len(value) if isinstance(value, frozenset | tuple) else 1) <= most_members(kind)


def test_numbers_that_are_known_come_to_what_they_are() -> None:
    ops = (Operator.BETWEEN, Operator.SUB, Operator.MUL)
    made = [typed_operators.arithmetic(op, typed_operators.number(3), typed_operators.number(5)) for op in ops]
    assert made == [typed_operators.number(2), typed_operators.number(-2), typed_operators.number(15)]


def test_what_games_come_to_is_within_what_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every expression without names that random games of rules made at random evaluate."""
    seen = set[Expr]()
    compiled = ExpressionClosures.expr

    def checked(self: ExpressionClosures, expr: Expr, scope: Scope = NOTHING) -> Fn:
        evaluate = compiled(self, expr, scope)
        if locals_of(expr):
            return evaluate
        bounds = prover.value(expr, {})

        def evaluated(slots: Slots, env: Env) -> Any:
            value = evaluate(slots, env)
            seen.add(expr)
            assert _is_within(value, bounds), (expr, value)
            return value

        return evaluated

    monkeypatch.setattr(ExpressionClosures, "expr", checked)
    for seed in range(15):
        walker = Walker(lower(Maker(seed).core()))
        prover = BoundProver(walker.layout)
        doubt(walker.flow, prover)
        play(walker, seed, 20)
    assert {type(one) for one in seen} == set(get_args(Expr)) - {core.Local, core.Look}
