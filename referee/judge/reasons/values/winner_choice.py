"""What named the winners where the rules choose those with the most: the candidates, and what each of them has.

Of `the X in S with the most V, ties: with the most W, ...` each V; and each W of those who are level, if several are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from referee.core.expr import (
    After,
    And,
    At,
    Connected,
    Const,
    Expr,
    Fold,
    Get,
    If,
    Let,
    Local,
    Look,
    Only,
    Op,
    Or,
    Split,
    Where,
)
from referee.core.flow import Flow, body_of
from referee.core.ruleset import Role
from referee.core.stmt import Finish, Origin, Put
from referee.core.traverse import statements
from referee.game.state import State
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.recording_slots import RecordingSlots
from referee.judge.reasons.line_reasons import LineReasons
from referee.judge.reasons.values.best_members import BestMembers
from referee.judge.verdict import Reason

MOST_CANDIDATES = 6
"""So many candidates are told with what they have, those who have most first."""


def winner_choice(final: State, origin: Origin, reasons: LineReasons, line: int | None) -> Iterator[Reason]:
    """Who had the most of those among whom a statement has named the winners at a position; nothing if it names them
    otherwise, or if any of it hangs on what the player does not see who is told."""
    named = _named(reasons.replay.flow, origin)
    if named is None:
        return
    finish, puts = named
    code, layout = reasons.replay.course.code, reasons.replay.course.layout
    slots = RecordingSlots(final.slots)
    try:
        for put in puts:
            slots[layout.vars[put.var].base] = code.expr(put.value)(slots, {})
    except (Fault, Unsettled):
        return
    members = BestMembers(reasons.replay.flow, code, reasons.words, slots)
    having = _chosen(finish.winners)
    best = None if having is None else members.compared(having)
    told = [] if best is None else members.levels(best)
    kept = frozenset(layout.vars[put.var].base for put in puts)
    read = (slots.taken() | members.taken()) - kept
    if not told or (reasons.sight is not None and not reasons.sight.sees(read)):
        return
    last = told[-1].best
    said = members.words(told[0].best, finish.winners.span, ties=len(told) > 1) if finish.winners.span else ""
    shows = (show for one in told for show in members.shows(one.best, (*one.having, *one.others)[:MOST_CANDIDATES]))
    yield Reason(f"{said}: {members.value(members.having(last), last)}", tuple(shows), reasons.words.all_cites(origin),
                 origin.span, line)


def _named(flow: Flow, origin: Origin) -> tuple[Finish, tuple[Put, ...]] | None:
    """The statement that names the winners, and what it keeps in registers for that."""
    for node in flow.nodes:
        for finish in statements(body_of(node), Finish):
            if finish.origin == origin:
                first: dict[str, Put] = {}  # what is kept is emptied afterwards
                for put in statements(body_of(node), Put):
                    if not put.keys and put.origin.span == finish.winners.span:
                        first.setdefault(put.var, put)
                return finish, tuple(put for put in first.values() if flow.vars[put.var].role is Role.REGISTER)
    return None


def _chosen(winners: Expr) -> Where | None:
    """Those who have the most, also where they win only if they are not level."""
    match winners:
        case Where():
            return winners
        case If(_, yes, Const()):
            return _chosen(yes)
        case (Op() | Const() | Local() | Get() | Look() | And() | Or() | If() | At() | Fold() | Connected()
              | Split() | Let() | Only() | After()):
            return None
        case _:
            assert_never(winners)
