"""Other answers to what happens where players stand on a track.

They are about a place to which an effect leads, one where somebody stands already, and what lies beyond the end.
"""

from __future__ import annotations

from dataclasses import replace

from referee.core.expr import All, Expr, Get, If, Local, Op, Operator
from referee.core.ruleset import Core
from referee.core.stmt import (
    Bind,
    Block,
    Branch,
    Call,
    Chance,
    Commit,
    Decide,
    Each,
    Finish,
    Origin,
    Put,
    Repeat,
    Stmt,
    Unspecified,
    is_whole,
)
from referee.core.traverse import in_play, inner_blocks, itself, rewrite_each, statements, walk, with_blocks
from referee.core.types import PLAYER, Bool, Elem
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers
from referee.frontend.statements.state_changes import SURPLUS
from referee.other_rules.tracks.track_counters import is_moved, track_counters

LED_ON, THERE_TOO_ON_TRACK = "led_on", "what_is_there_counts_too"
SHARED, SENT_BACK = "shared", "sent_back_to_the_start"
TURNS_BACK = "turns_back"
WHO = "who stands there"


class PlacesOnTracks:
    """The places of one core where somebody is moved along a track."""

    def __init__(self, core: Core, others: OtherAnswers) -> None:
        self._core, self._others = core, others
        self._tracks = track_counters(core)
        self._first: dict[str, Origin] = {}
        self._player = Elem(PLAYER, 0, core.seats.number - 1)

    def made(self) -> Core:
        """The rules with all these answers; set-up is left as it is."""
        core = self._core
        if not self._tracks:
            return core
        return in_play(core, self._block)

    def _block(self, block: Block) -> Block:
        found: list[Stmt] = []
        for stmt in block:
            led = self._led_on(stmt)
            inner = with_blocks(stmt, self._block)
            moved = [one for one in itself(inner, Put) if self._moves(one)]
            found += [inner] if not moved else [self._turned_back(moved[0])]
            if moved and is_whole(moved[0]):
                found += self._sent_back(moved[0])
            found += led
        return tuple(found)

    def _moves(self, put: Put) -> bool:
        return put.var in self._tracks and is_moved(put)

    # ------------------------------------------------------------------ beyond the end
    def _turned_back(self, put: Put) -> Put:
        """What stops at the end of the track; for another answer it goes back by what is too much."""

        def back(part: Op) -> Expr | None:
            if part.op is not Operator.LOWER:
                return None
            test = self._others.test(SURPLUS, TURNS_BACK, put.origin, alone=True)
            if test is None:
                return None
            value, most = part.args
            over = typed_operators.compare(Operator.GT, value, most)
            twice = typed_operators.arithmetic(Operator.ADD, most, most)
            turned = typed_operators.arithmetic(Operator.SUB, twice, value)
            kind = typed_operators.join(turned.type, part.type)
            assert kind is not None
            return If(typed_operators.both((test, over)), turned, part, kind, part.span)

        return replace(put, value=rewrite_each(put.value, Op, back, lambda _: False))

    # ------------------------------------------------------------------ where somebody is
    def _sent_back(self, put: Put) -> Block:
        """Who stands there already is sent back to the start, for another answer."""
        start = self._core.vars[put.var].start
        if not isinstance(start, int) or self._core.seats.number < 2 or self._compares(put.var):
            return ()
        first = self._first.setdefault(put.var, put.origin)  # asked once of each track
        test = self._others.test(SHARED, SENT_BACK, first, alone=True, place=put.var)
        if test is None:
            return ()
        kind = self._core.vars[put.var].type
        other, who = Local(WHO, self._player), put.keys[0]
        here, there = Get(put.var, (who,), kind), Get(put.var, (other,), kind)
        met = typed_operators.both((Op(Operator.NE, (other, who), Bool()), typed_operators.equal(here, there)))
        back = Put(put.var, (other,), typed_operators.number(start), put.origin)
        each = Each(WHO, All(self._player), (Branch(met, (back,), (), put.origin),), put.origin)
        return (Branch(test, (each,), (), put.origin),)

    def _compares(self, name: str) -> bool:
        """Whether the rules compare the places of two players, or look whether one is there."""
        core = self._core
        for one in walk((core.main, *core.actions.values(), *core.procedures.values()), Op):
            both = [{get.keys for get in walk(arg, Get) if get.var == name} for arg in one.args]
            if len(both) == 2 and one.op in (Operator.EQ, Operator.NE) and both[0] and both[1] and both[0] != both[1]:
                return True
        return False

    # ------------------------------------------------------------------ further effects
    def _led_on(self, stmt: Stmt) -> Block:
        """What a place does with who is on it, once more at the place to which it leads, for another answer."""
        looked = self._looked_at(stmt)
        if looked is None or not _asks_nobody(stmt):
            return ()
        test = self._others.test(LED_ON, THERE_TOO_ON_TRACK, looked.origin, alone=True)
        return () if test is None else (Branch(test, (stmt,), (), looked.origin),)

    def _looked_at(self, stmt: Stmt) -> Put | None:
        """The move along a track that hangs on the place where somebody stands."""
        branch = list(itself(stmt, Branch))
        tests = [op for one in branch for inner in statements((one,), Branch) for op in walk(inner.cond, Op)]
        for op in tests:
            for get in walk(op.args[0] if op.op is Operator.EQ else (), Get):
                for put in statements(tuple(branch), Put):
                    if put.var in self._tracks and (get.var, get.keys) == (put.var, put.keys):
                        return put
        return None


def _asks_nobody(stmt: Stmt) -> bool:
    """Whether a statement can be carried out twice in a row: it asks nobody and gives no names."""
    points = (*walk(stmt, Decide, Commit), *walk(stmt, Chance, Unspecified), *walk(stmt, Call, Repeat),
              *walk(stmt, Finish, Bind))  # fmt: skip
    return not points and bool(inner_blocks(stmt))
