"""What an invariant would be with a part replaced by what never holds: if that holds too, the part says nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from referee.core.decided_values import decided
from referee.core.expr import (
    After,
    And,
    At,
    Connected,
    Const,
    Expr,
    Fold,
    FoldKind,
    Get,
    If,
    Let,
    Local,
    Look,
    Only,
    Op,
    Operator,
    Or,
    Split,
    Where,
)
from referee.core.ruleset import Invariant
from referee.diagnostics.source import Span
from referee.frontend.expressions import typed_operators
from referee.game.state import State
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.walker import Walker


@dataclass(frozen=True, slots=True)
class Stronger:
    """An invariant with a part replaced by what never holds, as `cond`.

    `part`: where it stands, if that is known; `premise`: the part is what follows from a premise; `number`: from 1.
    """

    invariant: Invariant
    cond: Expr
    part: Span | None
    premise: bool
    number: int

    @property
    def name(self) -> str:
        """Like no other one of a ruleset."""
        return f"{self.invariant.name} without {self.number}"

    @property
    def alone(self) -> Invariant:
        """As an invariant of its own."""
        return replace(self.invariant, name=self.name, guard=replace(self.invariant.guard, cond=self.cond))

    def holds(self, walker: Walker, state: State) -> bool:
        """Whether it holds in a position; not where it cannot be told."""
        try:
            return bool(walker.evaluate(state, self.cond))
        except (Fault, Unsettled):
            return False

    @property
    def span(self) -> Span:
        """Where the part stands, else the invariant."""
        return self.part or self.invariant.guard.origin.span


def stronger(invariant: Invariant) -> Iterator[Stronger]:
    """The invariant without one part after the other, but for parts that the number of players or an option decides."""
    for number, (cond, part, premise) in enumerate(_without(invariant.guard.cond), 1):
        if cond is not None:
            yield Stronger(invariant, cond, part, premise, number)


_Way = tuple[Expr | None, Span | None, bool]


def _without(cond: Expr) -> Iterator[_Way]:
    """The condition with one part after the other replaced by what never holds; None for one that is decided.

    What is known before a game is played (of a shape: its players and options) says on purpose to which games the rest
    applies.
    """
    match cond:
        case Or(parts=parts):
            for part, rest in _one_less(parts, True):
                yield _joined(cond, rest), part.span, False
        case And(parts=parts):
            for index, part in enumerate(parts):
                for inner, span, premise in _without(part):
                    whole = None if inner is None else replace(cond, parts=(*parts[:index], inner, *parts[index + 1 :]))
                    yield whole, span, premise
        case Fold(kind=FoldKind.ALL, where=where, body=body) if where is not None and body is not None:
            yield replace(cond, body=typed_operators.FALSE) if decided(where, {}) is None else None, where.span, True
        case Fold(kind=FoldKind.ALL, where=where, body=body):
            for inner, span, premise in _without(body if body is not None else where or typed_operators.FALSE):
                yield None if inner is None else replace(cond, body=inner, where=None), span, premise
        case Op(op=Operator.NOT, args=(And(parts=parts) as both,)):
            for part, rest in _one_less(parts, False):
                inner = _joined(both, rest)
                yield None if inner is None else replace(cond, args=(inner,)), part.span, False
        case Let():
            for inner, span, premise in _without(cond.body):
                yield None if inner is None else replace(cond, body=inner), span, premise
        case (Const() | Local() | Get() | Look() | Op() | If() | At() | Fold() | Where() | Connected() | Split()
              | Only() | After()):
            return
        case _:
            assert_never(cond)


def _one_less(parts: Sequence[Expr], decisive: bool) -> Iterator[tuple[Expr, tuple[Expr, ...] | None]]:
    """Each part and the others; None where it is decided, or where another one decides everything."""
    known = [decided(part, {}) for part in parts]
    all_of_it = any(one is not None and one.value is decisive for one in known)
    for index, part in enumerate(parts):
        matters = known[index] is None and not all_of_it
        yield part, (*parts[:index], *parts[index + 1 :]) if matters else None


def _joined(cond: Or | And, rest: tuple[Expr, ...] | None) -> Expr | None:
    if rest is None:
        return None
    return rest[0] if len(rest) == 1 else replace(cond, parts=rest)
