"""Conditions of one of several like actions that another has not: where "there too?" is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from referee.core.expr import After, Local, Or
from referee.core.ruleset import Core
from referee.core.stmt import Action, Decide, Guard
from referee.core.traverse import bodies, statements, walk
from referee.core.types import Elem, Int, Many, Type
from referee.diagnostics.source import Span
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers
from referee.other_rules.conditions.guard_answers import said

SIBLINGS, THERE_TOO = "siblings", "there_too"


def with_conditions_of_siblings(core: Core, others: OtherAnswers, written: Mapping[str, frozenset[Span]]) -> Core:
    """The rules with each condition that only one of two like actions has; for another answer the other has it too.

    Alike are actions among which the same decision chooses, if a log calls them the same. What a condition speaks of
    must be there in both.
    """
    lines = {(span.path, span.line) for span in written["need"] | written["forbidden"]}
    found: dict[str, list[Guard]] = {}
    for here, there in of_one_decision(core):
        if here.label != there.label:
            continue
        known = {guard.cond for guard in there.guards}
        for guard in here.guards:
            where = guard.origin
            if guard.cond in known or (where.span.path, where.span.line) not in lines or not _fits(guard, here, there):
                continue
            test = others.test(SIBLINGS, THERE_TOO, where, alone=True, here=here.name, there=there.name,
                               label=said(guard))  # fmt: skip
            if test is not None:
                free = typed_operators.negate(test)
                found.setdefault(there.name, []).append(replace(guard, cond=Or((free, guard.cond)), shows=()))
    return replace(core, actions={
        name: replace(one, guards=(*one.guards, *found.get(name, ()))) for name, one in core.actions.items()
    })  # fmt: skip


def of_one_decision(core: Core) -> Iterator[tuple[Action, Action]]:
    """Each two actions among which the same decision chooses, both ways round."""
    pairs = {(a.action, b.action): None for body in bodies(core) for asked in statements(body, Decide)
             for a in asked.options for b in asked.options if a.action != b.action}  # fmt: skip
    yield from ((core.actions[one], core.actions[other]) for one, other in pairs)


def _fits(guard: Guard, here: Action, there: Action) -> bool:
    """Whether all arguments that a condition speaks of, if any, are bound in another action too; what has to be so
    after an action speaks of what that one does."""
    if any(True for _ in walk(guard.cond, After)):
        return False
    own = {param.name: param.type for param in here.params}
    known = {param.name: param.type for param in there.params}
    named = {one.name for one in walk((guard.cond, tuple(value for _, value in guard.shows)), Local)} & set(own)
    return all(name in known and _within(known[name], own[name]) for name in named)


def _within(inner: Type | Many, outer: Type | Many) -> bool:
    match inner, outer:
        case (Elem(), Elem()):
            return inner.domain == outer.domain and outer.lo <= inner.lo and inner.hi <= outer.hi
        case (Int(), Int()):
            return outer.lo <= inner.lo and inner.hi <= outer.hi
        case _:
            return inner == outer
