"""When in a turn something may be done of which a sentence says no more than that it is in the turn: other moments."""

from __future__ import annotations

from dataclasses import replace

from referee.core.expr import Let
from referee.core.read_write_sets import block_writes, variables_of
from referee.core.ruleset import TURN, Core, Role
from referee.core.stmt import Action, Block, Branch, Decide, Guard, Option, Repeat, Stmt
from referee.core.traverse import carried_out, in_course, rewrite_each, statements
from referee.core.types import Bool
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers
from referee.frontend.statements.passing_options import possible
from referee.other_rules.conditions.further_options import OFFERED
from referee.other_rules.forms import as_a

LATER_TOO, LAST_ALONE = "later_in_the_turn_too", "only_at_the_last_moment"
_PASS = "pass"


def with_options_at_other_moments(core: Core, others: OtherAnswers) -> Core:
    """The rules with what is offered beside other things in a step of a turn; for another answer it may be done later
    in the turn too, or, of what is offered at several moments, only at the last of them."""
    setup, play = core.main[: core.setup], core.main[core.setup :]
    loop = next((one for one in (as_a(stmt, Repeat) for stmt in play) if one is not None
                 and TURN in block_writes(one.body)), None)  # fmt: skip
    if loop is None or _PASS not in core.actions:
        return core
    steps = [[asked for block in carried_out(core.procedures, (stmt,)) for asked in statements(block, Decide)]
             for stmt in loop.body]
    offered: dict[str, list[int]] = {}
    for at, asked in ((at, one) for at, some in enumerate(steps) for one in some):
        beside = asked.options if len(asked.options) > 1 else ()
        for name in (one.action for one in beside if not one.bound and "." not in one.action):
            if at not in offered.setdefault(name, []) and name != _PASS:
                offered[name].append(at)
    more: dict[int, list[Stmt]] = {}
    fewer = dict[str, Action]()
    for name, moments in offered.items():
        action = core.actions[name]
        if not core.statements_in(action.origin.cites) or any(param.count is not None for param in action.params):
            continue
        if any(core.vars[one].role is Role.PARAMETER for one in variables_of((action.params, action.guards))):
            continue  # it need not be known at another moment
        if len(moments) > 1:
            test = others.test(OFFERED, LAST_ALONE, action.origin, alone=True, act=action.label)
            if test is not None:
                not_yet = Guard("only at the last moment", typed_operators.negate(test), action.origin)
                fewer[name] = replace(action, name=f"{name} before", guards=(not_yet, *action.guards))
            continue
        later = [at for at in range((moments or [len(steps)])[0] + 1, len(steps)) if steps[at]][:2]
        test = others.test(OFFERED, LATER_TOO, action.origin, alone=True, act=action.label) if later else None
        if test is not None:
            asked = steps[moments[0]][0]
            point = replace(asked.point, name=f"{asked.point.name} later {name}")
            can = Let("me", asked.actor, possible(action, 0, Option(name)), Bool())
            ask = Decide(point, asked.actor, (Option(name), Option(_PASS)), None)
            more.setdefault(later[-1], []).append(Branch(typed_operators.both((test, can)), (ask,), (), action.origin))
    body = tuple(one for at, stmt in enumerate(loop.body) for one in (*more.get(at, ()), stmt))
    made = replace(core, main=(*setup, *(replace(loop, body=body) if one is loop else one for one in play)),
                   actions={**core.actions, **{one.name: one for one in fewer.values()}})  # fmt: skip
    return _only_last(made, fewer, {name: offered[name][-1] for name in fewer}, steps)


def _only_last(core: Core, fewer: dict[str, Action], last: dict[str, int], steps: list[list[Decide]]) -> Core:
    """The rules with what is offered before its last moment as an action that another answer forbids."""
    late = {name: {one.point.name for one in steps[at]} for name, at in last.items()}

    def change(asked: Decide) -> object | None:
        options = tuple(replace(one, action=fewer[one.action].name) if one.action in fewer and not one.bound
                        and asked.point.name not in late[one.action] else one for one in asked.options)  # fmt: skip
        return replace(asked, options=options) if options != asked.options else None

    def inside(block: Block) -> Block:
        return rewrite_each(block, Decide, change, lambda _: False)

    if not fewer:
        return core
    return in_course(core, inside)
