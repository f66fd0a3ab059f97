"""Statements as changes of a store, each carried out under the condition that it is reached and nothing has failed."""

from __future__ import annotations

from typing import assert_never

from referee.core.expr import Place
from referee.core.ruleset import WINNERS, Invariant, Role
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
    Unspecified,
)
from referee.core.types import Elem, Maybe, Type
from referee.symbolic import content, moving, term, value
from referee.symbolic.evaluate import BROKEN, NO_ROOM, NOT_THERE, RANGE, ROUNDS, Context, Evaluator
from referee.symbolic.term import Cond, Num
from referee.symbolic.value import Bits, Counts, Opt, Sym, Unencodable


class Performer:
    """Carries statements out in a context. `over` is true where the game has ended.

    `watched`: invariants that hold after every statement; else the rules are in error.
    """

    def __init__(self, context: Context, watched: tuple[Invariant, ...] = ()) -> None:
        self.context = context
        self._watched = watched
        self.evaluate = Evaluator(context)
        self.over: Cond = False

    def going(self) -> Cond:
        """Where the step is still going: reached, no error, not over."""
        return term.both(self.context.path, term.no(self.context.failed), term.no(self.over))

    def block(self, block: Block) -> None:
        """Carries statements out in order."""
        for stmt in block:
            if self.going() is False:
                return
            self._one(stmt)
            if self._watched and _is_whole(stmt):
                self._watch()

    def _watch(self) -> None:
        """What holds after every statement, also after one that ends the game."""
        with self.context.under(term.no(self.context.failed)):
            for one in self._watched:
                self.context.fail(term.no(self.evaluate.condition(one.guard.cond)), BROKEN, one.guard.origin.span)

    def _one(self, stmt: Stmt) -> None:
        match stmt:
            case Put():
                self._put(stmt)
            case Move():
                self._move(stmt)
            case Merge():
                self._merge(stmt)
            case Branch():
                cond = self.evaluate.condition(stmt.cond)
                with self.context.under(cond):
                    self.block(stmt.yes)
                with self.context.under(term.no(cond)):
                    self.block(stmt.no)
            case Each():
                self._each(stmt)
            case Finish():
                self._finish(stmt)
            case Bind() | Repeat() | Decide() | Commit() | Chance() | Unspecified() | Call():
                raise Unencodable(f"{type(stmt).__name__} does not stand in a flow")
            case _:
                assert_never(stmt)

    def _put(self, stmt: Put) -> None:
        var = self.context.store.layout.defs[stmt.var]
        keys = [self.evaluate.key(k) for k in stmt.keys]
        new = self.evaluate(stmt.value)
        if var.role not in (Role.REGISTER, Role.COUNTER) or not _cleared(new):
            code = ROUNDS if var.role is Role.COUNTER else RANGE
            self.context.fail(term.no(value.typed(var.type, new)), code, stmt.origin.span)
        inside = self.context.store.write(var, keys, _shaped(new, var.type), self.going())
        self.context.fail(term.no(inside), RANGE, stmt.origin.span)

    def _each(self, stmt: Each) -> None:
        members = [(m.there, m.value) for m in self.evaluate.members(stmt.source, True)]
        for there, member in members:
            with self.context.bound({stmt.var: member}), self.context.under(there):
                self.block(stmt.body)

    def _finish(self, stmt: Finish) -> None:
        winners = self.evaluate(stmt.winners)
        going = self.going()
        self.context.store.write(self.context.store.layout.defs[WINNERS], [], winners, going)
        self.over = term.disj((self.over, going))

    # ------------------------------------------------------------------ components
    def _moved(self, stmt: Move) -> Counts:
        """How many of each class are moved."""
        what = self.evaluate(stmt.what)
        if isinstance(what, Counts):
            return what
        if isinstance(what, Bits):
            return Counts(what.lo, tuple(term.number(bit) for _, bit in what.members()))
        number = term.higher(self.evaluate.number(stmt.number), 0) if stmt.number is not None else 1
        one = what.value if isinstance(what, Opt) else what
        there = what.has if isinstance(what, Opt) else True
        self.context.fail(term.no(there), NOT_THERE, stmt.origin.span)
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


def _is_whole(stmt: Stmt) -> bool:
    """False if the next statement belongs to this one, or if it is tested inside."""
    return not (isinstance(stmt, Put) and stmt.more)


def _cleared(new: Sym) -> bool:
    """True for the start value that lowering stores in a register at the end of its scope."""
    return isinstance(new, Opt) and new.has is False


def _shaped(new: Sym, kind: Type) -> Sym:
    """A sure member in the representation of one that may be missing, where the variable may be without."""
    if isinstance(kind, Maybe) and not isinstance(new, Opt):
        assert not isinstance(new, Bits | Counts)
        return Opt(True, new)
    return new.value if isinstance(new, Opt) and not isinstance(kind, Maybe) else new
