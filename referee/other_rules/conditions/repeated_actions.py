"""Whether what may be done as often as one can is done once a turn: another answer to "how often?"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.core.expr import Get, Or
from referee.core.read_write_sets import variables_of
from referee.core.ruleset import Core, Role, Var
from referee.core.stmt import Action, Branch, Decide, Guard, Origin, Put, Repeat, Stmt
from referee.core.traverse import bodies, statements, walk
from referee.core.types import Bool
from referee.frontend.desugaring.triggers import AGAIN
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers
from referee.other_rules.amounts.counter_answers import noted_as_done
from referee.other_rules.players.player_rounds import at_ends_of_turns

ONCE_A_TURN = "once_a_turn"


def with_actions_once_a_turn(core: Core, others: OtherAnswers) -> Core:
    """The rules with each action that is offered time and again in a turn; for another answer only until it was done.

    Not of what ends it, nor of what the rules themselves count. What a log calls the same is the same.
    """
    noted, changed, back = noted_as_done(core), dict[str, Action](), list[Stmt]()
    asked = dict(_repeated(core))
    registers, first = dict[str, Var](), dict[str, Origin]()
    for name, offered in asked.items():
        action = core.actions[name]
        if name in noted or not action.params or not core.statements_in(action.origin.cites):
            continue
        test = others.test(AGAIN, ONCE_A_TURN, first.setdefault(action.label, action.origin), alone=True,
                           also=offered, act=action.label)  # fmt: skip
        if test is None:
            continue
        done, where = f"done {action.label}", action.origin
        registers[done] = Var(done, (), Bool(), False, Role.REGISTER, where)
        not_yet = typed_operators.negate(Get(done, (), Bool()))
        guard = Guard("once a turn", Or((typed_operators.negate(test), not_yet)), where)
        note = Branch(test, (Put(done, (), typed_operators.TRUE, where),), (), where)
        changed[name] = replace(action, guards=(*action.guards, guard), body=(note, *action.body))
        back.append(Branch(test, (Put(done, (), typed_operators.FALSE, where),), (), where))
    if not back:
        return core
    core = replace(core, vars={**core.vars, **registers}, actions={**core.actions, **changed})
    return at_ends_of_turns(core, tuple(back))


def _repeated(core: Core) -> Iterator[tuple[str, Origin]]:
    """The actions that are offered in a loop with others, and that do not end it by themselves, and where."""
    for body in bodies(core):
        for loop in statements(body, Repeat):
            ends = frozenset(variables_of(loop.until))
            for asked in (one for one in loop.body for one in statements((one,), Decide)):
                names = [one.action for one in asked.options]
                if len(names) > 1:
                    yield from ((one, asked.point.origin) for one in names if not _ends(core.actions[one], ends))


def _ends(action: Action, ends: frozenset[str]) -> bool:
    return any(put.var in ends for put in walk(action.body, Put))
