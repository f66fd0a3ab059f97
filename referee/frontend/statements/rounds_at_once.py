"""A loop in `together`: written out round by round, so that all values are read before the first is written."""

from __future__ import annotations

from typing import assert_never

from referee.core.expr import All, Const, Local, Numbers, Op, Operator
from referee.core.stmt import Bind, Branch, Origin, Stmt
from referee.core.types import Bool, Elem, Int, Scalar
from referee.frontend.expressions.coercions import MemberSource
from referee.frontend.expressions.typed_operators import number
from referee.frontend.names.bindings import Bound, Scope
from referee.frontend.names.tree_access import word
from referee.frontend.statements.state_changes import Statements, first_line
from referee.syntax.syntax_tree import Node

MOST_AT_ONCE = 100
"""Rounds of a loop that is written out to be done at once: more are refused."""


def rounds_at_once(
    statements: Statements, loop: Node, scope: Scope, where: Origin, source: MemberSource
) -> list[Stmt]:
    """The rounds of all members, each under the condition that its member is meant, unless all are.

    Raises ErrorReported: TG03 for too many members.
    """
    name, kind = word(loop.parts[1]).text, source.type
    if kind.hi - kind.lo >= MOST_AT_ONCE:
        said = f"this loop would be written out {kind.hi - kind.lo + 1} times, and at once it may be {MOST_AT_ONCE}"
        raise statements.symbols.wrong("TG03", said, first_line(loop))
    rounds: list[tuple[Const, tuple[Stmt, ...]]] = []
    for member in range(kind.lo, kind.hi + 1):
        one = Const(member, _type_of(member, kind))
        rounds.append((one, statements.body(loop.parts[-1], scope.bind(name, Bound(one, source.at)))))
    if source.where is None and source.domain in (All(kind), Numbers(number(kind.lo), number(kind.hi))):
        return [part for _, parts in rounds for part in parts]
    them = statements.sources.set_of(source, name, loop.span)
    those = Local(statements.sources.fresh("those"), them.type)
    tests = [Op(Operator.IN, (one, those), Bool(), loop.span) for one, _ in rounds]
    only = [Branch(test, parts, (), where) for test, (_, parts) in zip(tests, rounds, strict=True)]
    return [Bind(those.name, them, where), *only]


def _type_of(member: int, kind: Scalar) -> Scalar:
    """A number is known to be this one, which sums with it go by."""
    match kind:
        case Int():
            return Int(member, member)
        case Elem():
            return kind
        case _:
            assert_never(kind)
