"""Which events surely end a turn: found in the flow of the rules, without carrying anything out."""

from __future__ import annotations

from typing import assert_never

from referee.core.expr import Get, Look, Only
from referee.core.flow import Ask, Draw, Flow, Fork, Gather, Rule, Run, ways_on
from referee.core.read_write_sets import changes
from referee.core.ruleset import TURN
from referee.core.stmt import Put, Stmt, origin_of
from referee.core.types import Elem, Maybe

_NEXT = ("next player", "previous player")
"""The tables that lead from a seat to a neighbour: of two seats or more, always another one."""


def surely_last(flow: Flow) -> frozenset[int]:
    """The points at which whatever the turn player does ends his turn or the game: before anybody is asked again it is
    the next one's turn, once, and he is the one who is asked."""
    number = flow.core.seats.number
    if number < 2:
        return frozenset()
    player = Elem("player", 0, number - 1)
    on_turn = Only(Get(TURN, (), Maybe(player)), player)
    return frozenset(at for at, node in enumerate(flow.nodes)
                     if getattr(node, "actor", None) == on_turn and _hands_on(flow, at, on_turn))


def _hands_on(flow: Flow, start: int, on_turn: Only) -> bool:
    """Whether every way from a decision comes to another one with the turn handed on just once."""
    waiting = [(after, False) for after in ways_on(flow.nodes[start])]
    seen: set[tuple[int, bool]] = set()
    while waiting:
        here = waiting.pop()
        if here in seen:
            continue
        seen.add(here)
        at, handed = here
        node = flow.nodes[at]
        match node:
            case Run():
                if TURN in changes(node):
                    if handed or not _only_hands_on(node, on_turn):
                        return False
                    handed = True
                waiting.append((node.next, handed))
            case Fork():
                waiting += [(node.yes, handed), (node.no, handed)]
            case Ask():
                if not handed or node.actor != on_turn:
                    return False
                if node.otherwise is not None:  # where he cannot do anything the game goes on behind it
                    return False
            case Rule():
                if node.candidates is not None:  # without any the game stops there
                    return False
            case Draw() | Gather():
                return False
            case _:
                assert_never(node)
    return True


def _only_hands_on(node: Run, on_turn: Only) -> bool:
    """Whether a step hands the turn on to a neighbour, exactly once and whatever happens."""
    writers = [one for one in node.body if TURN in changes(Run((one,), node.next))]
    return len(writers) == 1 and any(writers[0] == _handing_on(writers[0], table, on_turn) for table in _NEXT)


def _handing_on(stmt: Stmt, table: str, on_turn: Only) -> Stmt:
    """The statement that hands the turn on, at the place of another one."""
    return Put(TURN, (), Look(table, (on_turn,), on_turn.type), origin_of(stmt))
