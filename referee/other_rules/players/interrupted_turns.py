"""Who has the turn once somebody has come between: where other answers are asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.core.expr import Expr, Get, If, Local, Only, Op, Operator, Or
from referee.core.read_write_sets import variables_of
from referee.core.ruleset import TURN, Core, Role, Var
from referee.core.stmt import Action, Block, Branch, Decide, Move, Origin, Put
from referee.core.traverse import bodies, rewrite_each, statements
from referee.core.types import PLAYER, Bool, Elem, Maybe
from referee.frontend.expressions import typed_operators
from referee.frontend.names.first_player import TURN_ORDER
from referee.frontend.names.other_answers import OtherAnswers
from referee.other_rules.joined_blocks import in_a_row

AFTER_HIM, SAME_AGAIN = "after_who_came_between", "the_same_again"
CAME = "who came between"


def with_turns_after_interruptions(core: Core, others: OtherAnswers) -> Core:
    """The rules with each action by which somebody does out of turn what others do in theirs; for another answer the
    turn passes on from him, or whose it was has it again."""
    player = Elem(PLAYER, 0, core.seats.number - 1)
    tests: list[tuple[Expr, Expr]] = []
    changed: dict[str, Action] = {}
    for name in _between(core) if TURN in core.vars and core.seats.number > 1 else ():
        action = core.actions[name]
        found = [others.test(TURN_ORDER, one, action.origin, alone=True, act=action.label)
                 for one in (AFTER_HIM, SAME_AGAIN)]  # fmt: skip
        if found[0] is not None and found[1] is not None:
            tests.append((found[0], found[1]))
            me = Local("me", player)
            out_of_turn = Op(Operator.NE, (me, Get(TURN, (), Maybe(player))), Bool())
            noted = Put(CAME, (), me, action.origin)
            note = Branch(typed_operators.both((Or(tests[-1]), out_of_turn)), (noted,), (), action.origin)
            changed[name] = replace(action, body=(note, *action.body))
    if not tests:
        return core
    came = Get(CAME, (), Maybe(player))
    nobody = typed_operators.nothing(player)
    somebody = typed_operators.negate(typed_operators.equal(came, nobody))
    after_him, again = (Or(tuple(pair[number] for pair in tests)) for number in (0, 1))

    def passed_on(put: Put) -> object | None:
        if put.var != TURN or TURN not in variables_of(put.value) or put.more:
            return None
        from_him = rewrite_each(put.value, Get, lambda one: came if one.var == TURN else None, lambda _: False)
        same = Only(Get(TURN, (), Maybe(player)), player)
        kept = If(typed_operators.both((again, somebody)), same, put.value, put.value.type)
        value = If(typed_operators.both((after_him, somebody)), from_him, kept, put.value.type)
        forgotten = Branch(Or((after_him, again)), (Put(CAME, (), nobody, put.origin),), (), put.origin)
        return in_a_row(replace(put, value=value), forgotten)

    def inside(block: Block) -> Block:
        return rewrite_each(block, Put, passed_on, lambda _: False)

    where: Origin = next(iter(changed.values())).origin
    return replace(
        core, main=(*core.main[: core.setup], *inside(core.main[core.setup :])),
        actions={**core.actions, **changed},
        procedures={name: replace(one, body=inside(one.body)) for name, one in core.procedures.items()},
        vars={**core.vars, CAME: Var(CAME, (), Maybe(player), None, Role.REGISTER, where)},
    )  # fmt: skip


def _between(core: Core) -> Iterator[str]:
    """The actions that are asked of somebody else than who has the turn, and that move what those of who has it move
    from and to the same places."""
    own, out = dict[str, None](), dict[str, None]()
    for body in bodies(core):
        for asked in statements(body, Decide):
            (own if TURN in variables_of(asked.actor) else out).update(dict.fromkeys(
                one.action for one in asked.options))  # fmt: skip
    usual = {way for name in own for way in _ways(core.actions[name])}
    yield from (name for name in out if usual & _ways(core.actions[name]))


def _ways(action: Action) -> frozenset[tuple[str, str]]:
    return frozenset((one.source.zone, one.to.zone) for one in statements(action.body, Move))
