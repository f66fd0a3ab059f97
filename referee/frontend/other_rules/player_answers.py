"""Whether who acts is one of those that a rule speaks of: where other answers to "he himself too?" are asked for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from referee.core.expr import All, Expr, Fold, Local, Members, Op, Operator, Or, Where
from referee.core.ruleset import Core
from referee.core.stmt import Action, Branch, Each, Origin, Param
from referee.core.traverse import expressions, rewrite, walk
from referee.core.types import PLAYER, Bool, Elem, SetOf
from referee.diagnostics.source import Span
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers

HIMSELF, HE_TOO, NOT_HE = "himself", "he_too", "not_he"
ME = "me"


def with_himself(core: Core, others: OtherAnswers, defined: Iterable[Span]) -> Core:
    """The rules with both answers for each set of players that an action speaks of: all, or all others.

    Not in what is `defined` for all uses, nor in what ends the game or is triggered: that is nobody's own.
    """
    besides = frozenset((span.path, line) for span in defined for line in range(span.line, span.end_line + 1))
    besides |= {(span.path, span.line) for part in expressions((core.over, core.ending, tuple(core.watched.values())))
                if (span := part.span) is not None}  # fmt: skip
    player = Elem(PLAYER, 0, core.seats.number - 1)
    me = Local(ME, player)

    def not_he(var: str, where: Origin, cond: Expr | None) -> Expr | None:
        if (where.span.path, where.span.line) in besides:
            return None
        test = others.test(HIMSELF, NOT_HE, where, alone=True)
        if test is None:
            return None
        another = Or((typed_operators.negate(test), Op(Operator.NE, (Local(var, player), me), Bool())))
        return another if cond is None else typed_operators.both((another, cond))

    def change(part: object) -> object | None:
        match part:
            case Op(Operator.NE, (Local(_, Elem(domain=domain)), Local(name))) if domain == PLAYER and name == ME:
                test = None if part.span is None else others.test(HIMSELF, HE_TOO, Origin(part.span), alone=True)
                return None if test is None else Or((test, part), part.span)
            case Fold(source=All(Elem(domain=domain))) if domain == PLAYER and part.span and not _says(part):
                cond = not_he(part.var, Origin(part.span), part.where)
                return None if cond is None else replace(part, where=cond)
            case Where(source=All(Elem(domain=domain))) if domain == PLAYER and part.span and not _says(part):
                cond = not_he(part.var, Origin(part.span), part.where)
                return None if cond is None else replace(part, where=cond)
            case Each(source=All(Elem(domain=domain))) if domain == PLAYER and not _says(part.body):
                cond = not_he(part.var, part.origin, None)
                return None if cond is None else replace(part, body=(
                    Branch(cond, rewrite(part.body, change), (), part.origin),))
            case Param(type=Elem(), source=All(Elem(domain=domain))) if domain == PLAYER:
                cond = not_he("it", part.origin, None)
                return None if cond is None else replace(part, source=Members(
                    Where("it", part.source, cond, SetOf(player), part.origin.span)))
        return None

    def changed(one: Action) -> Action:
        return rewrite(one, change)

    return replace(core, actions={name: changed(one) for name, one in core.actions.items()})


def _says(part: object) -> bool:
    """Whether who acts is spoken of already."""
    return any(one.name == ME for one in walk(part, Local))
