"""What lies at a place of a row from which something was taken in this turn: another answer is that nothing does."""

from __future__ import annotations

from dataclasses import replace

from referee.core.expr import Expr, Get, Local
from referee.core.ruleset import Core, Form, Role, Var
from referee.core.stmt import Block, Branch, Move, Put
from referee.core.traverse import in_course, rewrite_each, statements, walk
from referee.core.types import Bool
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers
from referee.other_rules.joined_blocks import in_a_row
from referee.other_rules.players.player_rounds import at_ends_of_turns
from referee.other_rules.tracks.rows import ROWS

STAYS_EMPTY = "the_place_stays_empty"


def with_places_that_stay_empty(core: Core, others: OtherAnswers) -> Core:
    """The rules with what happens in a turn to what lies at a place of a row from which an action may have taken
    something; for another answer nothing lies there then, as the rest has not moved up yet."""
    taken = {move.source.zone for action in core.actions.values() for move in statements(action.body, Move)
             if move.source.spot is not None and core.zones[move.source.zone].form is Form.LINE}  # fmt: skip
    registers, noted, back = dict[str, Var](), dict[str, list[tuple[str, Expr]]](), list[Put]()

    def left(move: Move) -> object | None:
        zone, spot = move.source.zone, move.source.spot
        if zone not in taken or spot is None or any(True for _ in walk(spot, Local)) or move.source.keys:
            return None
        test = others.test(ROWS, STAYS_EMPTY, move.origin, alone=True, row=zone)
        if test is None:
            return None
        name = f"taken from {zone} {len(registers) + 1}"
        registers[name] = Var(name, (), Bool(), False, Role.REGISTER, move.origin)
        noted.setdefault(zone, []).append((name, spot))
        back.append(Put(name, (), typed_operators.FALSE, move.origin))
        return Branch(typed_operators.both((test, Get(name, (), Bool()))), (), (move,), move.origin)

    def note(move: Move) -> object | None:
        known = noted.get(move.source.zone, []) if move.source.spot is not None else []
        puts = [Branch(typed_operators.equal(move.source.spot, spot), (
            Put(name, (), typed_operators.TRUE, move.origin),), (), move.origin)
                for name, spot in known if move.source.spot is not None]  # fmt: skip
        return in_a_row(*puts, move) if puts else None

    def inside(block: Block) -> Block:
        return rewrite_each(block, Move, left, lambda _: False)

    core = in_course(core, inside)
    if not registers:
        return core
    core = replace(core, vars={**core.vars, **registers}, actions={
        name: replace(one, body=rewrite_each(one.body, Move, note, lambda _: False))
        for name, one in core.actions.items()})  # fmt: skip
    return at_ends_of_turns(core, tuple(back))
