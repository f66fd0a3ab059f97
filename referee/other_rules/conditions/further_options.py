"""What may be done at one decision and not at a like one: another answer is that it may be done there too."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.core.ruleset import Core
from referee.core.stmt import Action, Block, Decide, Guard, Option
from referee.core.traverse import bodies, rewrite_each, statements
from referee.frontend.names.other_answers import OtherAnswers

OFFERED, HERE_TOO = "offered", "here_too"
_MOST = 3
"""So many decisions are like each other at most: where there are more, each is something of its own."""


def with_options_of_like_decisions(core: Core, others: OtherAnswers) -> Core:
    """The rules with each action that is offered at one of several decisions which have another in common; for another
    answer it is offered at the others too."""
    asked = [one for body in bodies(core) for one in statements(body, Decide)
             if one.taken is None and all(_is_written(core, option) for option in one.options)]  # fmt: skip
    further: dict[str, list[Action]] = {}
    for here in asked:
        like = [one for one in asked if one.point.name != here.point.name and _names(one) & _names(here)]
        if len(like) >= _MOST:
            continue
        for name in sorted({name for one in like for name in _names(one) - _names(here)}):
            action = core.actions[name]
            if not core.statements_in((*here.point.origin.cites, *action.origin.cites)):
                continue
            rest = " or ".join(sorted(core.actions[one].label for one in _names(here)))
            test = others.test(OFFERED, HERE_TOO, here.point.origin, alone=True, act=action.label, here=rest)
            if test is not None:
                guard = Guard("it may be done here too", test, here.point.origin)
                further.setdefault(here.point.name, []).append(
                    replace(action, name=f"{name} at {here.point.name}", guards=(guard, *action.guards)))

    def more(one: Decide) -> Decide:
        inner = replace(one, otherwise=one.otherwise and inside(one.otherwise))
        found = further.get(one.point.name, ())
        return replace(inner, options=(*inner.options, *(Option(action.name) for action in found)))

    def inside(block: Block) -> Block:
        return rewrite_each(block, Decide, more, lambda _: False)

    if not further:
        return core
    added = {one.name: one for some in further.values() for one in some}
    return replace(
        core, main=inside(core.main),
        actions={**{name: replace(one, body=inside(one.body)) for name, one in core.actions.items()}, **added},
        procedures={name: replace(one, body=inside(one.body)) for name, one in core.procedures.items()},
    )  # fmt: skip


def _names(asked: Decide) -> set[str]:
    return set(_plain(asked))


def _plain(asked: Decide) -> Iterator[str]:
    return (one.action for one in asked.options if not one.bound and " " not in one.action and "." not in one.action)


def _is_written(core: Core, option: Option) -> bool:
    return not option.bound and option.action in core.actions
