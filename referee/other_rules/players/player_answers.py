"""Whether who acts is one of those that a rule speaks of: where other answers to "he himself too?" are asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from referee.core.expr import All, Expr, Fold, Local, Look, Members, Op, Operator, Or, Where
from referee.core.ruleset import Core, Table
from referee.core.stmt import Branch, Decide, Each, Origin, Param
from referee.core.traverse import bodies, expressions, rewrite, statements, walk
from referee.core.types import PLAYER, Bool, Elem, SetOf
from referee.diagnostics.source import Span
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers
from referee.frontend.statements.decisions import WHO

NEXT_ONLY = "the_next_only"
HIMSELF, HE_TOO, NOT_HE = "himself", "he_too", "not_he"
ME, IT, NEXT = "me", "one of them", "next player"


def with_himself(core: Core, others: OtherAnswers, defined: Iterable[Span]) -> Core:
    """The rules with both answers for each set of players that an action speaks of: all, or all others.

    Not in what is `defined` for all uses, nor in what ends the game or is triggered: that is nobody's own.
    """
    besides = frozenset((span.path, line) for span in defined for line in range(span.line, span.end_line + 1))
    besides |= {(span.path, span.line) for part in expressions((core.over, core.ending, tuple(core.watched.values())))
                if (span := part.span) is not None}  # fmt: skip
    begins = sorted({(one.origin.span.path, one.origin.span.line) for one in core.actions.values()})
    return replace(core, actions={
        name: rewrite(one, _Himself(core, others, besides | _others_lines(begins, one.origin.span), one.origin.cites)
                      .change)
        for name, one in core.actions.items()
    })  # fmt: skip


def _others_lines(begins: Sequence[tuple[str, int]], own: Span) -> frozenset[tuple[str, int]]:
    """The lines of all other actions: what one asks whether another could be done is not its own."""
    found = set[tuple[str, int]]()
    for (path, line), (after, end) in zip(begins, (*begins[1:], ("", 0)), strict=True):
        if (path, line) != (own.path, own.line):
            found |= {(path, one) for one in range(line, end if after == path else line + 1)}
    return frozenset(found)


class _Himself:
    """Makes the other answers of one action, whose line cites what its arguments do not cite themselves."""

    def __init__(
        self, core: Core, others: OtherAnswers, besides: frozenset[tuple[str, int]], cites: tuple[str, ...]
    ) -> None:
        self._others, self._besides, self._cites = others, besides, cites
        self._player = Elem(PLAYER, 0, core.seats.number - 1)
        self._me = Local(ME, self._player)

    def change(self, part: object) -> object | None:
        """What stands in the place of a part; None to look into it."""
        match part:
            case Op(Operator.NE, (Local(_, Elem(domain=domain)), Local(name))) if domain == PLAYER and name == ME:
                test = self._test(HE_TOO, None if part.span is None else Origin(part.span, self._cites))
                return None if test is None else Or((test, part), part.span)
            case Fold(source=All(Elem(domain=domain))) | Where(source=All(Elem(domain=domain))) if domain == PLAYER:
                return self._without(part)
            case Each(source=All(Elem(domain=domain))) if domain == PLAYER and not _says(part.body):
                cond = self._not_he(part.var, part.origin)
                return None if cond is None else replace(part, body=(
                    Branch(cond, rewrite(part.body, self.change), (), part.origin),))  # fmt: skip
            case Param(type=Elem(), source=All(Elem(domain=domain))) if domain == PLAYER:
                cond = self._not_he("it", part.origin)
                return None if cond is None else replace(part, source=Members(
                    Where("it", part.source, cond, SetOf(self._player), part.origin.span)))  # fmt: skip
            case _:
                return None

    def _without(self, part: Fold | Where) -> Fold | Where | None:
        if part.span is None or _says(part):
            return None
        cond = self._not_he(part.var, Origin(part.span, self._cites))
        if cond is None:
            return None
        return replace(part, where=cond if part.where is None else typed_operators.both((cond, part.where)))

    def _not_he(self, var: str, where: Origin) -> Expr | None:
        test = self._test(NOT_HE, where)
        if test is None:
            return None
        return Or((typed_operators.negate(test), Op(Operator.NE, (Local(var, self._player), self._me), Bool())))

    def _test(self, name: str, where: Origin | None) -> Expr | None:
        if where is None or (where.span.path, where.span.line) in self._besides:
            return None
        return self._others.test(HIMSELF, name, where)


def with_the_next_alone(core: Core, others: OtherAnswers) -> Core:
    """The rules with each player whom an action names among several; for another answer it is always the next one."""
    number = core.seats.number
    if number < 3:
        return core
    player = Elem(PLAYER, 0, number - 1)
    following = Look(NEXT, (Local(ME, player),), player)

    def narrowed(param: Param) -> Param:
        if param.arg is None or param.count is not None or not any(
            kind.domain == PLAYER for kind in walk(param.type, Elem)
        ):
            return param
        test = others.test(WHO, NEXT_ONLY, param.origin)
        if test is None:
            return param
        cond = Or((typed_operators.negate(test), Op(Operator.EQ, (Local(IT, player), following), Bool())))
        return replace(param, source=Members(Where(IT, param.source, cond, SetOf(player), param.origin.span)))

    chosen = {one.action for body in bodies(core) for point in statements(body, Decide) for one in point.options
              if not {name for name, _ in one.bound} & {param.name for param in core.actions[one.action].params}}
    actions = {name: replace(one, params=tuple(map(narrowed, one.params))) if name in chosen else one
               for name, one in core.actions.items()}  # fmt: skip
    table = Table(NEXT, (player,), player, tuple((p + 1) % number for p in range(number)))
    return replace(core, actions=actions, tables={**core.tables, NEXT: table})


def _says(part: object) -> bool:
    """Whether who acts is spoken of already."""
    return any(one.name == ME for one in walk(part, Local))
