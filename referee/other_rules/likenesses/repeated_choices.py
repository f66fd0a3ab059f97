"""What is chosen several times, one after the other: another answer is that it is the same each time."""

from __future__ import annotations

from dataclasses import replace

from referee.core.expr import Const, Get, Local, Numbers, Op, Operator, Or
from referee.core.read_write_sets import variables_of
from referee.core.ruleset import Core, Role, Var
from referee.core.stmt import Action, Block, Decide, Each, Guard, Param, Put, Repeat
from referee.core.traverse import in_course, rewrite_each, walk
from referee.core.types import COMPONENT, PLAYER, Elem, Maybe
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers
from referee.other_rules.conditions.mixed_choices import MIXED
from referee.other_rules.forms import as_a
from referee.other_rules.joined_blocks import in_a_row

EACH_TIME_THE_SAME = "the_same_each_time"


def with_repeated_choices(core: Core, others: OtherAnswers) -> Core:
    """The rules with an action that is done several times in a row with a player or a thing; for another answer it is
    done with the same one each time."""
    registers, changed = dict[str, Var](), dict[str, Action]()

    def each(loop: Each) -> object | None:
        return held(loop) if as_a(loop.source, Numbers) is not None else None

    def repeat(loop: Repeat) -> object | None:
        counts = as_a(loop.body[-1], Put) if loop.body else None
        more = None if counts is None else as_a(counts.value, Op)
        if counts is None or more is None or more.op is not Operator.ADD or counts.var not in variables_of(loop.until):
            return None
        return held(loop)

    def held(loop: Each | Repeat) -> object | None:
        asked = list(walk(loop.body, Decide))
        if len(asked) != 1:
            return None
        offered = [one.action for one in asked[0].options if core.actions[one.action].params and not one.bound]
        if len(offered) != 1:
            return None
        action = core.actions[offered[0]]
        param = next((one for one in action.params if _is_one(one)), None)
        cites = core.statements_in((*asked[0].point.origin.cites, *action.origin.cites))
        if param is None or not cites or action.name in changed:
            return None
        test = others.test(MIXED, EACH_TIME_THE_SAME, action.origin, alone=True, also=asked[0].point.origin,
                           act=action.label, what="player" if PLAYER in _domains(param) else param.name)  # fmt: skip
        of = as_a(param.type, Elem)
        if test is None or of is None:
            return None
        kind, last = Maybe(of), f"last {param.name} of {action.name}"
        none = Const(None, kind)
        registers[last] = Var(last, (), kind, None, Role.REGISTER, param.origin)
        known, own = Get(last, (), kind), Local(param.name, of)
        same = Or((typed_operators.negate(test), typed_operators.equal(known, none), typed_operators.equal(known, own)))
        note = Put(last, (), own, action.origin)
        forget = Put(last, (), none, loop.origin)
        changed[action.name] = replace(
            action, guards=(*action.guards, Guard("it is the same each time", same, action.origin)),
            body=(note, *action.body))  # fmt: skip
        return in_a_row(forget, loop, forget)

    def inside(block: Block) -> Block:
        return rewrite_each(rewrite_each(block, Each, each, lambda _: False), Repeat, repeat, lambda _: False)

    made = in_course(core, inside)
    return replace(made, vars={**made.vars, **registers}, actions={**made.actions, **changed})


def _domains(param: Param) -> set[str]:
    return {one.domain for one in walk(param.type, Elem)}


def _is_one(param: Param) -> bool:
    """Whether an argument is one player or one thing, and not where something is put."""
    of = as_a(param.type, Elem)
    return param.count is None and of is not None and of.domain in (PLAYER, COMPONENT)
