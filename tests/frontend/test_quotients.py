"""Quotients and remainders are what the arithmetic of whole numbers says, and lie in the range that is told of them."""

from __future__ import annotations

from itertools import count

from hypothesis import given
from hypothesis import strategies as st

from referee.core.expr import Const, Expr, If, Let, Local, Op, Operator
from referee.core.types import Int
from referee.diagnostics.source import Span
from referee.frontend.expressions.division import quotient, remainder

SPAN = Span("here", 1, 1, 1, 2)
NUMBERS = st.integers(-300, 300)


def evaluated(expr: Expr, env: dict[str, int]) -> int:
    """The value of what is made of numbers; what is compared is never more than 18 digits."""
    match expr:
        case Const(int() as value):
            found = value
        case Local(name):
            found = env[name]
        case Let(var, value, body):
            found = evaluated(body, {**env, var: evaluated(value, env)})
        case If(Op(Operator.LE, (left, right)), yes, no):
            found = evaluated(yes if evaluated(left, env) <= evaluated(right, env) else no, env)
        case Op(op, (left, right)):
            a, b = evaluated(left, env), evaluated(right, env)
            found = {Operator.ADD: a + b, Operator.SUB: a - b, Operator.MUL: a * b}[op]
        case _:
            raise AssertionError(expr)
    assert isinstance(expr.type, Int)
    assert expr.type.lo <= found <= expr.type.hi
    return found


@given(NUMBERS, NUMBERS, NUMBERS, st.integers(1, 40), st.integers(1, 40), st.integers(1, 40), st.booleans())
def test_they_are_what_is_known_of_whole_numbers(
    one: int, least: int, most: int, by: int, lowest: int, highest: int, up: bool
) -> None:
    number = Local("number", Int(min(one, least), max(one, most)))
    divisor = Local("divisor", Int(min(by, lowest), max(by, highest)))
    env, numbers = {"number": one, "divisor": by}, count()

    def fresh(name: str) -> str:
        return f"{name} {next(numbers)}"

    whole = -(-one // by) if up else one // by
    assert evaluated(quotient(number, divisor, up, fresh, SPAN), env) == whole
    assert evaluated(remainder(number, divisor, fresh, SPAN), env) == one % by


@given(NUMBERS, st.integers(1, 40))
def test_of_known_numbers_they_are_known(number: int, by: int) -> None:
    known = (Const(value, Int(value, value)) for value in (number, by))
    left, right = known
    assert quotient(left, right, False, str, SPAN) == Const(number // by, Int(number // by, number // by))
    assert remainder(left, right, str, SPAN) == Const(number % by, Int(number % by, number % by))
