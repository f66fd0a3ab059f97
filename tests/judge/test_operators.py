"""The one table of operators: what each representation of values makes of operands is what known values come to."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.core.expr import Const, Op, Operator
from referee.core.known_operators import PLAIN
from referee.core.operators import Operations, comparison
from referee.core.types import Bool, Int, SetOf, Type
from referee.flow.lowering import lower
from referee.frontend import load
from referee.interpreter.course import FlowCourse
from referee.interpreter.interruptions import Fault
from referee.judge.partial.constraints.constraint_store import ConstraintStore
from referee.judge.partial.constraints.hidden_values import Case, Sum
from referee.judge.partial.lifted.choice_points import Trial, forks
from referee.judge.partial.lifted.lifted_operators import Lifted

NUMBER = Int(-4, 4)
NUMBERS, SETS = st.integers(-4, 4), st.frozensets(st.integers(-4, 4), max_size=4)
SHAPES: dict[Operator, tuple[tuple[st.SearchStrategy[Any], ...], Type]] = {
    **dict.fromkeys((Operator.LT, Operator.LE, Operator.GT, Operator.GE, Operator.EQ, Operator.NE),
                    ((NUMBERS, NUMBERS), Bool())),
    **dict.fromkeys((Operator.ADD, Operator.SUB, Operator.MUL, Operator.BETWEEN), ((NUMBERS, NUMBERS), NUMBER)),
    **dict.fromkeys((Operator.LOWER, Operator.HIGHER), ((NUMBERS, NUMBERS, NUMBERS), NUMBER)),
    Operator.SET: ((NUMBERS, NUMBERS), SetOf(NUMBER)),
    **dict.fromkeys((Operator.UNION, Operator.MINUS), ((SETS, SETS), SetOf(NUMBER))),
    Operator.IN: ((NUMBERS, SETS), Bool()),
    Operator.SIZE: ((SETS,), NUMBER),
    Operator.NOT: ((st.booleans(),), Bool()),
    Operator.NEG: ((NUMBERS,), NUMBER),
}
TOKEN = 7


def node(op: Operator) -> Op:
    """An operator; what its operands are is told beside it."""
    shapes, kind = SHAPES[op]
    return Op(op, tuple(Const(0, NUMBER) for _ in shapes), kind)


def operands(op: Operator) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.tuples(*SHAPES[op][0])


def test_every_operator_is_drawn() -> None:
    assert set(SHAPES) == set(Operator)


def test_what_compares_yields_a_truth() -> None:
    assert {op for op, (_, kind) in SHAPES.items() if comparison(op)} == {
        op for op, (_, kind) in SHAPES.items() if kind == Bool()} - {Operator.NOT}


def constant(value: Any) -> Const:
    """An operand that is known."""
    kind = Bool() if isinstance(value, bool) else SetOf(NUMBER) if isinstance(value, frozenset) else NUMBER
    return Const(value, kind)


@pytest.mark.parametrize("op", Operator)
def test_functions_come_to_what_known_values_come_to(op: Operator) -> None:
    code = FlowCourse(lower(load("tic_tac_toe"))).code

    @given(operands(op))
    def agrees(values: tuple[Any, ...]) -> None:
        expr = Op(op, tuple(map(constant, values)), SHAPES[op][1])
        assert code.expr(expr)([], {}) == PLAIN.operate(expr, values)

    agrees()


def made(value: Any, other: Any, form: str) -> Any:
    """A value that is one of two by the class of a token, in one of the forms that such a value may have."""
    if form == "known" or (form == "sum" and type(value) is not int):
        return value
    return Case(TOKEN, {0: value, 1: other}) if form == "case" else Sum(value, {TOKEN: {1: other - value}})


def at(value: Any, one: int) -> Any:
    """A value, if the token is of a class."""
    if isinstance(value, Case):
        return value.values[one]
    return value.const + value.weights.get(TOKEN, {}).get(one, 0) if isinstance(value, Sum) else value


@pytest.mark.parametrize("op", Operator)
def test_hidden_values_come_to_what_they_come_to_for_each_class(op: Operator) -> None:
    forms = st.lists(st.sampled_from(("known", "case", "sum")), min_size=3, max_size=3)

    @given(operands(op), operands(op), forms)
    def agrees(first: tuple[Any, ...], second: tuple[Any, ...], some: list[str]) -> None:
        args = [made(one, other, form) for one, other, form in zip(first, second, some, strict=False)]

        def ask(trial: Trial) -> Any:
            return Lifted(trial).operate(node(op), args)

        start = ConstraintStore().meeting(TOKEN, 0b11, 0)
        answers = list(forks(start, 100, 1, ask))
        for store, answer in answers:
            one = store.witness[TOKEN]
            found = at(answer, one)
            assert not isinstance(found, Fault)
            assert found == PLAIN.operate(node(op), [at(arg, one) for arg in args])
        assert answers

    agrees()


def test_a_representation_without_an_operator_cannot_be_made() -> None:
    class Lacking(Operations[int]):
        """All but nothing is said."""

    with pytest.raises(TypeError, match="abstract"):
        Lacking()  # type: ignore[abstract]
