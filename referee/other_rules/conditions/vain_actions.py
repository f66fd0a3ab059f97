"""Another answer to whether an action may be done without something that it needs to choose.

By the other answer it may, and comes to nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from referee.core.expr import Expr, Fold, FoldKind, Place, Within
from referee.core.read_write_sets import locals_of
from referee.core.ruleset import Core
from referee.core.stmt import Action, Bind, Block, Decide, Guard, Option, Param, Stmt, is_whole
from referee.core.traverse import bodies, drawn_actions, inner_blocks, rewrite_each, statements, walk, with_blocks
from referee.core.types import COMPONENT, Bool, Elem
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers
from referee.other_rules.conditions.needed_targets import TARGETS

IN_VAIN = "also_in_vain"
_WITHOUT = "with nothing to choose"


def with_actions_in_vain(core: Core, others: OtherAnswers) -> Core:
    """The rules with each action that is done with something and to something else; for another answer it may also be
    done where there is nothing that it could be done to, and the rest of it happens.

    What it is done to is the last thing that is chosen for it. Not where nothing would be left of it.
    """
    offered = {option.action for body in bodies(core) for one in statements(body, Decide) for option in one.options
               if not option.bound}  # fmt: skip
    drawn = drawn_actions(core)
    made: dict[str, Action] = {}
    for name in sorted(offered - drawn):
        action = core.actions[name]
        target = _target(action)
        rest = None if target is None else _without(action.body, target.name)
        if target is None or rest is None or not core.statements_in((*action.origin.cites, *target.origin.cites)):
            continue
        where = target.origin if core.statements_in(target.origin.cites) else action.origin
        test = others.test(TARGETS, IN_VAIN, where, alone=True, act=action.label,
                           what=_kind(core, target))
        if test is not None:
            there = Fold(FoldKind.ANY, target.name, target.source, _told(action, target), None, Bool())
            free = Guard("there is nothing to choose", typed_operators.both((test, typed_operators.negate(there))),
                         where)  # fmt: skip
            guards = tuple(one for one in action.guards if target.name not in locals_of(one.cond))
            made[name] = replace(action, name=f"{name} {_WITHOUT}", guards=(*guards, free), body=rest,
                                 params=action.params[:-1])  # fmt: skip
    if not made:
        return core
    return _offered(replace(core, actions={**core.actions, **{one.name: one for one in made.values()}}), made)


def _offered(core: Core, made: Mapping[str, Action]) -> Core:
    """The rules with further actions beside those that they go with."""

    def more(asked: Decide) -> Decide:
        further = tuple(Option(made[one.action].name) for one in asked.options
                        if one.action in made and not one.bound)  # fmt: skip
        otherwise = asked.otherwise and rewrite_each(asked.otherwise, Decide, more, lambda _: False)
        if not further or asked.taken is not None:
            return replace(asked, otherwise=otherwise)
        return replace(asked, options=(*asked.options, *further), otherwise=otherwise)

    def inside(block: Block) -> Block:
        return rewrite_each(block, Decide, more, lambda _: False)

    return replace(
        core, main=inside(core.main),
        actions={name: replace(one, body=inside(one.body)) for name, one in core.actions.items()},
        procedures={name: replace(one, body=inside(one.body)) for name, one in core.procedures.items()},
    )  # fmt: skip


def _target(action: Action) -> Param | None:
    """What an action is done to: the last of several things, from another place than the one before it."""
    if len(action.params) < 2 or len(set(map(_place, action.params[-2:]))) < 2:
        return None
    last = action.params[-1]
    place = _place(last)
    if place is None or _place(action.params[-2]) is None or last.count is not None or last.arg is None:
        return None
    return last if any(one.domain == COMPONENT for one in walk(last.type, Elem)) else None


def _place(param: Param) -> str | None:
    places = [one.place for one in walk(param.source, Within)]
    zones = {one.zone for one in (*places, *walk(param.source, Place))}
    return next(iter(zones)) if places and len(zones) == 1 else None


def _kind(core: Core, target: Param) -> str:
    """What an action is done to, by its kind."""
    zone = _place(target)
    return " or ".join(core.zones[zone].kinds) if zone is not None else target.name


def _told(action: Action, target: Param) -> Expr | None:
    conds = [one.cond for one in action.guards if target.name in locals_of(one.cond)]
    return typed_operators.both(conds) if conds else None


def _without(block: Block, name: str) -> Block | None:
    """What is left of what an action does where there is nothing by a name; None if nothing is, or nothing goes."""
    rest = tuple(_left(block, {name}))
    effects = [one for one in statements(rest) if not any(bind is one for bind in statements((one,), Bind))]
    return rest if effects and rest != block else None


def _left(block: Block, gone: set[str]) -> Iterator[Stmt]:
    alone = True
    for stmt in block:
        own = with_blocks(stmt, lambda _: ())
        reads_it = bool(locals_of(own) & gone)
        whole = alone and is_whole(stmt)
        alone = is_whole(stmt)
        if reads_it and not whole:
            return
        if reads_it:
            gone.update(one.name for one in walk((own,), Bind))
            continue
        yield with_blocks(stmt, lambda inner: tuple(_left(inner, gone))) if inner_blocks(stmt) else stmt
