"""Numbers of which several are chosen: they are the members of a domain that is labelled with them."""

from __future__ import annotations

from collections.abc import Callable

from referee.core.expr import All, Const, Expr, Numbers, Operator
from referee.core.types import DomainKind, Elem, Int
from referee.diagnostics.source import Span
from referee.frontend.expressions import typed_operators
from referee.frontend.expressions.coercions import MemberSource
from referee.frontend.names.symbol_table import Symbols

MOST_NUMBERS = 100
"""Numbers out of which several are chosen at once: more are refused."""


def labelled(symbols: Symbols, source: MemberSource, number: Callable[[Elem], Expr], span: Span) -> MemberSource:
    """A source of numbers as one of members of such a domain; any other as it is.

    `number`: the number that a member of a domain stands for. Raises `Wrong` (CH01) for too many numbers.
    """
    if not (isinstance(source.type, Int) and isinstance(source.domain, Numbers)):
        return source
    lo, hi = source.type.lo, source.type.hi
    if hi - lo >= MOST_NUMBERS:
        raise symbols.wrong("CH01", f"several are chosen out of at most {MOST_NUMBERS} numbers", span)
    name = f"number {lo}..{hi}"
    known = symbols.domains.get(name)
    kind = (known or symbols.domain(name, DomainKind.ENUM, tuple(range(lo, hi + 1)), ordered=True)).whole
    ends = ((Operator.GE, source.domain.lo), (Operator.LE, source.domain.hi))
    tests = [typed_operators.compare(op, number(kind), end) for op, end in ends if not isinstance(end, Const)]
    return MemberSource(All(kind), kind, typed_operators.both(tests, span) if tests else None, None)
