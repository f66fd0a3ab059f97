"""What is the case until something ends it, and several things do: where "does this end it?" is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.core.expr import Const
from referee.core.ruleset import Core, Role
from referee.core.stmt import Block, Branch, Put
from referee.core.traverse import rewrite_each, statements, walk
from referee.frontend.names.other_answers import OtherAnswers

ENDED, GOES_ON = "ended", "goes_on"


def with_facts_that_go_on(core: Core, others: OtherAnswers) -> Core:
    """The rules with each place at which a yes that play has set becomes no again, if an action and something else does
    so; for another answer it stays as it was there.

    Not what each turn begins with: that is how long it lasts, and no end of its own.
    """
    places: dict[str, list[int]] = {}
    for number, block in enumerate(_ways(core)):
        for put in _ends(core, block):
            places.setdefault(put.var, []).append(number)
    own = range(len(core.actions))
    several = {var for var, at in places.items() if len(set(at)) > 1 and any(number in own for number in at)}

    def stays(put: Put) -> object | None:
        if put.var not in several or not _is_end(core, put):
            return None
        test = others.test(ENDED, GOES_ON, put.origin, alone=True)
        return None if test is None else Branch(test, (), (put,), put.origin)

    def inside(block: Block) -> Block:
        return rewrite_each(block, Put, stays, lambda _: False)

    def branches(block: Block) -> Block:
        return rewrite_each(block, Branch, lambda one: replace(one, yes=inside(one.yes), no=inside(one.no)),
                            lambda _: False)  # fmt: skip

    setup, play = core.main[: core.setup], core.main[core.setup :]
    return replace(core, main=(*setup, *branches(play)), actions={
        name: replace(one, body=inside(one.body)) for name, one in core.actions.items()
    })  # fmt: skip


def _ways(core: Core) -> Iterator[Block]:
    """What each action does, and then what stands in play under a condition."""
    yield from (one.body for one in core.actions.values())
    yield from (block for one in statements(core.main[core.setup :], Branch) for block in (one.yes, one.no))


def _ends(core: Core, block: Block) -> Iterator[Put]:
    return (put for put in statements(block, Put) if _is_end(core, put))


def _is_end(core: Core, put: Put) -> bool:
    """Whether a statement of the rulebook says at a line that something is not so any more."""
    var = core.vars[put.var]
    known = var.role is Role.STATE and not put.more and bool(core.statements_in(put.origin.cites))
    return known and any(one is put.value and one.value is False for one in walk((put.value,), Const))
