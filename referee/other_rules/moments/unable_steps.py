"""A step that nobody can do: other answers than that what comes after it in the turn is done all the same."""

from __future__ import annotations

from dataclasses import replace

from referee.core.expr import Get, Op, Operator
from referee.core.read_write_sets import variables_of
from referee.core.ruleset import Core, Role, Var
from referee.core.stmt import Action, Block, Branch, Decide, Guard, Origin, Put, Stmt
from referee.core.traverse import in_course, walk, with_blocks
from referee.core.types import Bool
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import SELECTOR, OtherAnswers
from referee.frontend.statements.decisions import MUST
from referee.frontend.statements.passing_options import GUARD
from referee.other_rules.forms import as_a
from referee.other_rules.moments.broken_turns import is_kept
from referee.other_rules.players.player_rounds import asking_procedures, asks

REST_IS_LOST = "rest_of_the_turn_is_lost"
_UNABLE = "could do none of it"
"""How the names begin of what is noted when somebody cannot do a step."""


def with_the_rest_lost(core: Core, others: OtherAnswers) -> Core:
    """The rules with each step that has to be done `if able` and has others behind it; for another answer who can do
    none of it does nothing of the rest either."""
    asking, noted, changed = asking_procedures(core), dict[str, Var](), dict[str, Action]()

    def lost(asked: Decide, behind: Block) -> tuple[Stmt, ...] | None:
        last = next((at for at, one in enumerate(behind) if is_kept(one)), len(behind))
        rest, after = behind[:last], behind[last:]
        ways_out = [one.action for one in asked.options if any(map(_has_to, core.actions[one.action].guards))]
        where = asked.point.origin
        if len(ways_out) != 1 or not asks(rest, asking):
            return None
        cites = tuple(cite for option in asked.options for cite in core.actions[option.action].origin.cites)
        said = Origin(where.span, where.cites or cites)
        test = others.test(MUST, REST_IS_LOST, said, alone=True) if core.statements_in(said.cites) else None
        if test is None:
            return None
        name, (out,) = f"{_UNABLE} {len(noted) + 1}", ways_out
        noted[name] = Var(name, (), Bool(), False, Role.REGISTER, where)
        note: Stmt = Branch(test, (Put(name, (), typed_operators.TRUE, where),), (), where)
        changed[out] = replace(core.actions[out], body=(*core.actions[out].body, note))
        anew = Branch(test, (Put(name, (), typed_operators.FALSE, where),), (), where)
        goes_on = typed_operators.negate(typed_operators.both((test, Get(name, (), Bool()))))
        return anew, asked, Branch(goes_on, inside(rest), (), where), *after

    def inside(block: Block) -> Block:
        for at, stmt in enumerate(block):
            asked = as_a(stmt, Decide)
            found = None if asked is None else lost(asked, block[at + 1 :])
            if found is not None:
                return (*(with_blocks(one, inside) for one in block[:at]), *found)
        return tuple(with_blocks(one, inside) for one in block)

    made = in_course(core, inside)
    return replace(made, vars={**made.vars, **noted}, actions={**made.actions, **changed}) if noted else core


def _has_to(way_out: Guard) -> bool:
    """Whether who may leave a step by this condition has to do it where he can: what may be left has it for another
    answer alone."""
    opposite = (one.args[0] for one in walk(way_out.cond, Op) if one.op is Operator.NOT)
    return way_out.text == GUARD and not any(
        SELECTOR in variables_of(one) for one in opposite if (asked := as_a(one, Op)) and asked.op is Operator.EQ)
