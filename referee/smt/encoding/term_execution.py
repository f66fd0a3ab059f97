"""Statements as changes of a position of which it is kept what lies in each zone."""

from __future__ import annotations

from typing import TypeVar, assert_never

from referee.core.expr import Place
from referee.core.ruleset import Invariant
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
    Merge,
    Move,
    Put,
    Repeat,
    Stmt,
    Swap,
    Unspecified,
)
from referee.core.types import Elem, Maybe
from referee.smt import term
from referee.smt.encoding import content, moving
from referee.smt.encoding.term_evaluation import Evaluator
from referee.smt.semantics.context import BROKEN, NO_ROOM, NOT_THERE, RANGE, Context
from referee.smt.semantics.statement_semantics import Executor
from referee.smt.semantics.term_position import Contents
from referee.smt.term import Cond, Num
from referee.smt.value import Bits, Counts, Opt, Unencodable

C_co = TypeVar("C_co", bound=Contents, covariant=True)
"""How positions are represented of which everything is kept."""


class Performer(Executor[C_co]):
    """Carries statements out. `watched`: invariants that hold after every statement; else the rules are in error."""

    def __init__(self, context: Context[C_co], watched: tuple[Invariant, ...] = ()) -> None:
        self.evaluate: Evaluator = Evaluator(context)
        super().__init__(context, self.evaluate)
        self._watched = watched

    def one(self, stmt: Stmt) -> None:
        match stmt:
            case Put():
                self.put(stmt)
            case Move():
                self._move(stmt)
            case Merge():
                self._merge(stmt)
            case Swap():
                self._swap(stmt)
            case Branch():
                self.branch(stmt)
            case Each():
                self.each(stmt)
            case Finish():
                self.finish(stmt)
            case Bind():
                self.bind(stmt)
            case Repeat() | Decide() | Commit() | Chance() | Unspecified() | Call():
                raise Unencodable(f"{type(stmt).__name__} does not stand in a flow")
            case _:
                assert_never(stmt)

    def tested(self, reached: Cond) -> None:
        if not self._watched:
            return
        with self.context.under(term.no(self.context.failed)):  # after a statement that ends the game too
            for one in self._watched:
                self.context.fail(term.no(self.evaluate.condition(one.guard.cond)), BROKEN, one.guard.origin.span)

    # ------------------------------------------------------------------ components
    def _moved(self, stmt: Move) -> Counts:
        """How many of each class are moved, as far as that is known."""
        what, known = self.evaluate(stmt.what), self.context.known
        if isinstance(what, Counts):
            return Counts(what.lo, tuple(known.number(n) for n in what.counts))
        if isinstance(what, Bits):
            return Counts(what.lo, tuple(known.number(term.number(bit)) for bit in what.bits))
        number = term.higher(self.evaluate.key(stmt.number), 0) if stmt.number is not None else 1
        one = what.value if isinstance(what, Opt) else what
        there = known.cond(what.has) if isinstance(what, Opt) else True
        self.context.fail(term.no(there), NOT_THERE, stmt.origin.span)
        if there is not False:
            one = known.number(one)
        if isinstance(one, int):
            return Counts(one, (term.choose(there, number, 0),))
        kind = stmt.what.type.of if isinstance(stmt.what.type, Maybe) else stmt.what.type
        assert isinstance(kind, Elem)
        every = range(kind.lo, kind.hi + 1)
        return Counts(kind.lo, tuple(term.choose(term.both(there, term.equal(one, c)), number, 0) for c in every))

    def _spot(self, place: Place) -> Num | None:
        if place.spot is None:
            return None
        zone = self.context.store.layout.core.zones[place.zone]
        return self.evaluate.key(place.spot) - (zone.spots.lo if zone.spots is not None else 0)

    def _move(self, stmt: Move) -> None:
        store = self.context.store
        moved = self._moved(stmt)
        zone = store.layout.core.zones[stmt.source.zone]
        keys, spot = [self.evaluate.key(k) for k in stmt.source.keys], self._spot(stmt.source)
        there, inside = store.zone(zone, keys)
        left, ok = moving.taken(there, moved, stmt.source.end, spot, self.context.sure)
        self.context.fail(term.no(inside), RANGE, stmt.origin.span)
        self.context.fail(term.no(ok), NOT_THERE, stmt.origin.span)
        store.put_zone(zone, keys, left, self.going())
        target = store.layout.core.zones[stmt.to.zone]
        to_keys, to_spot = [self.evaluate.key(k) for k in stmt.to.keys], self._spot(stmt.to)
        there, inside = store.zone(target, to_keys)
        made, room, lost = moving.laid(there, moved, stmt.to.end, to_spot, self.context.sure)
        self.context.lose(lost)
        full = term.less(target.capacity, term.total([content.amount(there), moved.size]))
        self.context.fail(term.no(inside), RANGE, stmt.origin.span)
        self.context.fail(term.disj((full, term.no(room))), NO_ROOM, stmt.origin.span)
        store.put_zone(target, to_keys, made, self.going())

    def _merge(self, stmt: Merge) -> None:
        store, core = self.context.store, self.context.store.layout.core
        zone = core.zones[stmt.to.zone]
        lo, hi = content.classes(core, zone)
        keys = [self.evaluate.key(k) for k in stmt.to.keys]
        parts = []
        for place in (stmt.to, *stmt.sources):
            source = core.zones[place.zone]
            source_keys = [self.evaluate.key(k) for k in place.keys]
            there, inside = store.zone(source, source_keys)
            self.context.fail(term.no(inside), RANGE, stmt.origin.span)
            parts.append(content.flattened([there], *content.classes(core, source)))
            store.put_zone(source, source_keys, content.nothing_like(there), self.going())
        block = content.flattened(parts, lo, hi)
        empty, _ = store.zone(zone, keys)
        made, room, lost = moving.laid(content.nothing_like(empty), block, None, None, self.context.sure)
        self.context.lose(lost)
        self.context.fail(term.disj((term.no(room), term.less(zone.capacity, block.size))), NO_ROOM, stmt.origin.span)
        store.put_zone(zone, keys, made, self.going())

    def _swap(self, stmt: Swap) -> None:
        """Both contents are read before the first is stored."""
        store = self.context.store
        found = []
        for place in (stmt.one, stmt.other):
            zone, keys = store.layout.core.zones[place.zone], [self.evaluate.key(k) for k in place.keys]
            there, inside = store.zone(zone, keys)
            self.context.fail(term.no(inside), RANGE, stmt.origin.span)
            found.append((zone, keys, there))
        going = self.going()
        for (zone, keys, _), (_, _, there) in zip(found, reversed(found), strict=True):
            store.put_zone(zone, keys, there, going)


def carried(context: Context[C_co], block: Block) -> None:
    """Carries statements out in a context, for what is asked of the position after them."""
    Performer(context).block(block)
