"""Actions that take nothing from a turn, among others that do: where "does it count as one of them?" is asked for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from referee.core.expr import Expr
from referee.core.read_write_sets import locals_of, variables_of
from referee.core.ruleset import Core, Role
from referee.core.stmt import Block, Branch, Decide, Origin, Put, Repeat
from referee.core.traverse import bodies, statements, walk
from referee.frontend.names.other_answers import OtherAnswers

COSTS, AS_THE_OTHERS = "costs", "as_the_others"
MANY = 3
"""So many actions of a decision have to note the same before it is what an action costs."""


def with_costs_of_the_others(core: Core, others: OtherAnswers) -> Core:
    """The rules with what most actions of a decision note alike, if that ends a repetition or stands in a condition of
    theirs; for another answer those that do not note it do so too."""
    found: dict[str, list[Branch]] = {}
    asked = {one.point.origin.span for body in bodies(core) for one in statements(body, Decide)}
    for offered in _offered(core):
        for put in _noted_by_most(core, offered):
            for name in offered:
                one = core.actions[name]
                passes = one.origin.span in asked  # that has no action of its own
                idle = passes or not one.body  # whoever says that he does nothing
                if idle or _writes(one.body, put.var) or not core.statements_in(one.origin.cites):
                    continue
                where = Origin(one.origin.span, one.origin.cites)
                test = others.test(COSTS, AS_THE_OTHERS, where, alone=True, act=one.label)
                if test is not None:
                    found.setdefault(name, []).append(Branch(test, (put,), (), where))
    return replace(core, actions={
        name: replace(one, body=(*one.body, *found.get(name, ()))) for name, one in core.actions.items()
    })  # fmt: skip


def _offered(core: Core) -> list[tuple[str, ...]]:
    """The actions of each decision, each set of them once."""
    asked = (tuple(dict.fromkeys(option.action for option in one.options))
             for body in bodies(core) for one in statements(body, Decide))  # fmt: skip
    return list(dict.fromkeys(asked))


def _noted_by_most(core: Core, offered: Iterable[str]) -> list[Put]:
    """What more than half of some actions do alike to a counter of nobody that says when a repetition ends."""
    ends: set[str] = set()
    for body in bodies(core):
        for one in statements(body, Repeat):
            ends |= variables_of(one.until)
    alike: dict[tuple[str, Expr], list[Put]] = {}
    names = list(offered)
    for name in names:
        body = core.actions[name].body
        for put in (one for one in walk(body, Put) if any(one is stmt for stmt in body)):
            if put.var in ends and not put.keys and core.vars[put.var].role is Role.STATE and not locals_of(put):
                alike.setdefault((put.var, put.value), []).append(put)
    return [puts[0] for puts in alike.values() if len(puts) >= MANY and 2 * len(puts) > len(names)]


def _writes(body: Block, var: str) -> bool:
    return any(put.var == var for put in statements(body, Put))

