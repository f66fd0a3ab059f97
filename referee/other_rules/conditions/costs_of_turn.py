"""Actions that take nothing from a turn, among others that do: where "does it count as one of them?" is asked for."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace

from referee.core.expr import Expr
from referee.core.read_write_sets import locals_of, variables_of
from referee.core.ruleset import Core, Role
from referee.core.stmt import Block, Branch, Decide, Put, Repeat
from referee.core.traverse import bodies, itself, statements
from referee.frontend.names.other_answers import OtherAnswers

COSTS, AS_THE_OTHERS = "costs", "as_the_others"
MANY = 3
"""So many actions of a decision have to note the same before it is what an action costs."""


def with_costs_of_the_others(core: Core, others: OtherAnswers) -> Core:
    """The rules with what most actions of a decision note alike, if a repetition ends by it; for another answer those
    that do not note it do so too."""
    found: dict[str, list[Branch]] = {}
    asked = {one.point.origin.span for body in bodies(core) for one in statements(body, Decide)}
    ends = variables_of(tuple(one.until for body in bodies(core) for one in statements(body, Repeat)))
    for offered in _offered(core):
        for put in _noted_by_most(core, offered, ends):
            for name in offered:
                one = core.actions[name]
                passes = one.origin.span in asked  # that has no action of its own
                idle = passes or not one.body  # whoever says that he does nothing
                if idle or _writes(one.body, put.var) or not core.statements_in(one.origin.cites):
                    continue
                test = others.test(COSTS, AS_THE_OTHERS, one.origin, alone=True, act=one.label)
                if test is not None:
                    found.setdefault(name, []).append(Branch(test, (put,), (), one.origin))
    return replace(core, actions={
        name: replace(one, body=(*one.body, *found.get(name, ()))) for name, one in core.actions.items()
    })  # fmt: skip


def _offered(core: Core) -> list[tuple[str, ...]]:
    """The actions of each decision, each set of them once."""
    asked = (tuple(dict.fromkeys(option.action for option in one.options))
             for body in bodies(core) for one in statements(body, Decide))  # fmt: skip
    return list(dict.fromkeys(asked))


def _noted_by_most(core: Core, offered: Sequence[str], ends: Set[str]) -> list[Put]:
    """What more than half of some actions do alike to a counter of nobody that says when a repetition `ends`."""
    alike: dict[tuple[str, Expr], list[Put]] = {}
    for name in offered:
        for put in (one for stmt in core.actions[name].body for one in itself(stmt, Put)):
            if put.var in ends and not put.keys and core.vars[put.var].role is Role.STATE and not locals_of(put):
                alike.setdefault((put.var, put.value), []).append(put)
    return [puts[0] for puts in alike.values() if len(puts) >= MANY and 2 * len(puts) > len(offered)]


def _writes(body: Block, var: str) -> bool:
    return any(put.var == var for put in statements(body, Put))
