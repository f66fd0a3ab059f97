"""Whether the order of two blocks can matter: what each looks at and changes, and whether the one meets the other.

An answer `True` is safe: the order makes no difference that anybody could see. `False` may be too careful.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import assert_never

from referee.core.expr import (
    Connected,
    Const,
    End,
    Expr,
    Fold,
    Get,
    Let,
    Local,
    Look,
    Members,
    Op,
    Operator,
    Place,
    Split,
    Where,
    Within,
)
from referee.core.ruleset import Form, Role
from referee.core.stmt import (
    Action,
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
from referee.core.traverse import children, statements, walk
from referee.core.types import Int
from referee.flow.register_names import in_place, substitute
from referee.frontend.names.symbol_table import Symbols

Names = Mapping[str, Expr]
_PRIVATE = (Role.REGISTER, Role.COUNTER, Role.RESULT)
_STOPS = {Operator.LOWER: Operator.ADD, Operator.HIGHER: Operator.SUB}


class AccessKind(Enum):
    """What is done with an entry."""

    READ = "read"
    SET = "set"
    SHIFT = "shift"  # raised or lowered
    TAKE = "take"  # a component leaves a zone, wherever in it it lies
    SWEEP = "sweep"  # all components of a class leave a zone
    LAY = "lay"  # a component comes into a bag
    SPOT = "spot"  # a component comes to a spot of its own
    DRAW = "draw"  # fate takes from a zone
    STIR = "stir"  # anything else with a zone in which components lie in an order


_LAID = (AccessKind.LAY, AccessKind.SPOT)
_TAKEN = (AccessKind.TAKE, AccessKind.SWEEP, AccessKind.STIR)


@dataclass(frozen=True, slots=True)
class Access:
    """An entry of a variable or zone, and what is done with it. `what`: the component, the value or the direction."""

    name: str
    keys: tuple[Expr, ...]
    how: AccessKind
    what: Expr | Operator | None = None
    limit: Expr | None = None


class Commuting:
    """Compares blocks of a ruleset."""

    def __init__(self, symbols: Symbols) -> None:
        self._symbols = symbols

    def rounds(self, body: Block, var: str) -> bool:
        """True if the rounds of a loop over different members can be made in any order."""
        found = self._of(body, {})
        return found is not None and not self._met(found, found, var)

    def blocks(self, one: Block, other: Block) -> bool:
        """True if two blocks can be carried out in any order."""
        a, b = self._of(one, {}), self._of(other, {})
        return a is not None and b is not None and not self._met(a, b, None)

    def clears(self, later: Block, one: Block) -> bool:
        """True if a block sweeps away, or sets back to a fixed value, what another only looks at: before it there would
        be nothing to look at."""
        a, b = self._of(one, {}), self._of(later, {})
        if a is None or b is None:
            return False
        changed = {access.name for access in a if access.how is not AccessKind.READ}
        looked = {access.name for access in a if access.how is AccessKind.READ} - changed
        return any(access.name in looked and _clears(access) for access in b)

    def hands_on(self, one: Block, later: Block) -> bool:
        """True if a block lays something where another takes from, or only counts what the other looks at: done the
        other way round, that would find nothing of it."""
        a, b = self._of(one, {}), self._of(later, {})
        if a is None or b is None:
            return False
        laid = {access.name for access in a if access.how in _LAID}
        if any(access.name in laid and access.how in _TAKEN for access in b):
            return True
        changed = [access for access in a if access.how is not AccessKind.READ]
        counted = {access.name for access in changed if access.how is AccessKind.SHIFT}
        return len(counted) == len(changed) > 0 and any(
            access.name in counted and access.how is AccessKind.READ for access in b) and not any(
            access.name in counted and access.how is not AccessKind.READ for access in b)

    def _of(self, block: Block, names: Names) -> list[Access] | None:
        """What a block does; None if somebody is asked in it, or the game ends."""
        found: list[Access] = []
        for stmt in block:
            made = self._stmt(stmt, names)
            if made is None:
                return None
            found.extend(made)
            if isinstance(stmt, Bind):
                value = substitute(stmt.value, names)
                names = {**names, stmt.name: value if self._plain(value) else _inside(stmt.name)}
        return found

    def _stmt(self, stmt: Stmt, names: Names) -> list[Access] | None:
        match stmt:
            case Put():
                return self._put(stmt, names)
            case Move():
                return self._move(stmt, names)
            case Merge():
                return [Access(p.zone, in_place(p, names).keys, AccessKind.STIR) for p in (stmt.to, *stmt.sources)]
            case Swap():
                places = (stmt.one, stmt.other)
                looked = self._read(tuple(place.keys for place in places), names)
                return [*looked, *(Access(p.zone, in_place(p, names).keys, AccessKind.STIR) for p in places)]
            case Bind():
                return self._read((stmt.value,), names)
            case Branch():
                if self._refills(stmt):
                    return []
                return self._joined(self._read((stmt.cond,), names), (stmt.yes, names), (stmt.no, names))
            case Each(body=(Move(what=Local(name)) as move,)) if name == stmt.var and _all_of(move):
                return self._swept(stmt, move, names)
            case Each():
                inner = {**names, stmt.var: _inside(stmt.var)}
                return self._joined(self._read((stmt.source,), names), (stmt.body, inner))
            case Repeat():
                return self._joined(self._read((stmt.until,), names), (stmt.body, names))
            case Call():
                made = self._symbols.procedures[stmt.procedure]
                args = {n: substitute(a, names) for (n, _), a in zip(made.params, stmt.args, strict=True)}
                return self._joined(self._read(stmt.args, names), (made.body, args))
            case Chance():
                return self._drawn(self._symbols.actions[stmt.action], dict(stmt.bound), names)
            case Unspecified(candidates=some):
                return [] if some is None else None  # of none the game stops here, whenever it comes here
            case Decide() | Commit() | Finish():
                return None
            case _:
                assert_never(stmt)

    def _joined(self, first: list[Access], *blocks: tuple[Block, Names]) -> list[Access] | None:
        for block, names in blocks:
            made = self._of(block, names)
            if made is None:
                return None
            first = [*first, *made]
        return first

    # ------------------------------------------------------------------ single statements
    def _read(self, parts: Iterable[object], names: Names) -> list[Access]:
        return [
            Access(name, tuple(substitute(key, names) for key in keys), AccessKind.READ)
            for name, keys in _entries(tuple(parts), {})
            if not self._private(name)
        ]

    def _refills(self, stmt: Branch) -> bool:
        """True for the test of a trigger that only shuffles: to form a pile anew is a part of drawing from it."""
        test = stmt.yes[0] if len(stmt.yes) == 1 else None
        if not isinstance(test, Branch) or not isinstance(test.cond, Get):
            return False
        if test.cond.var not in self._symbols.watched:
            return False
        done = [one for one in statements(test.no) if not (isinstance(one, Put) and self._private(one.var))]
        shuffled = {one.to.zone for one in done if isinstance(one, Merge)}
        return bool(shuffled) and all(
            isinstance(one, Merge | Each) or (isinstance(one, Move) and one.to.zone in shuffled) for one in done)

    def _private(self, name: str) -> bool:
        var = self._symbols.vars.get(name)
        return var is not None and var.role in _PRIVATE

    def _put(self, stmt: Put, names: Names) -> list[Access]:
        if self._private(stmt.var):
            return []
        keys = tuple(substitute(key, names) for key in stmt.keys)
        shift = _shift(stmt)
        if shift is not None:
            looked = self._read((stmt.keys, shift.amount), names)
            return [*looked, Access(stmt.var, keys, AccessKind.SHIFT, shift.way, shift.limit)]
        return [*self._read((stmt.keys, stmt.value), names),
                Access(stmt.var, keys, AccessKind.SET, substitute(stmt.value, names))]

    def _move(self, stmt: Move, names: Names) -> list[Access]:
        what = substitute(stmt.what, names)
        looked = self._read((stmt.what, stmt.source.keys, stmt.to.keys), names)
        if stmt.number is not None and not _all_of(stmt):
            looked += self._read((stmt.number,), names)
        return [
            *looked,
            self._end(stmt.source, AccessKind.TAKE, what, names),
            self._end(stmt.to, AccessKind.LAY, what, names),
        ]

    def _end(self, place: Place, how: AccessKind, what: Expr, names: Names) -> Access:
        found, form = in_place(place, names), self._symbols.zones[place.zone].form
        if form is Form.BAG or (how is AccessKind.TAKE and place.end is None is place.spot and form is not Form.SLOTS):
            return Access(place.zone, found.keys, how, what)
        if form is Form.SLOTS and found.spot is not None:
            return Access(
                place.zone, (*found.keys, found.spot), AccessKind.SPOT if how is AccessKind.LAY else AccessKind.STIR
            )
        return Access(place.zone, found.keys, AccessKind.STIR)

    def _swept(self, stmt: Each, move: Move, names: Names) -> list[Access]:
        """All components of a place, or all of one class, are moved to another."""
        filtered = stmt.source.of if isinstance(stmt.source, Members) else None
        cond = filtered.where if isinstance(filtered, Where) else None
        same = isinstance(cond, Op) and cond.op is Operator.EQ and cond.args[0] == move.what
        only = cond.args[1] if isinstance(cond, Op) and same else None
        what = None if only is None else substitute(only, names)
        looked = self._read((only if only is not None else cond, move.source.keys, move.to.keys), names)
        laid = self._end(move.to, AccessKind.LAY, what if what is not None else _inside(stmt.var), names)
        return [*looked, Access(move.source.zone, in_place(move.source, names).keys, AccessKind.SWEEP, what), laid]

    def _drawn(self, action: Action, bound: Names, names: Names) -> list[Access] | None:
        """A draw: where the components come from is left alone by those that others draw from it."""
        inner: Names = {param.name: _inside(param.name) for param in action.params}
        inner = {**inner, **{name: substitute(value, names) for name, value in bound.items()}}
        found = self._read(tuple(v for v in bound.values()), names)
        sources = [in_place(p, inner) for param in action.params for p in _places(param.source)]
        for param in action.params:
            counts = param.count or ()
            found += [one for one in self._read((param.source, counts), inner)
                      if not any(one.name == place.zone for place in sources)]
        found += [Access(p.zone, p.keys, AccessKind.DRAW) for p in sources]
        made = self._of(action.body, inner)
        if made is None:
            return None
        drawn = {p.zone for p in sources}
        return [
            *found,
            *(one for one in made if one.name not in drawn or one.how not in (AccessKind.TAKE, AccessKind.STIR)),
        ]

    # ------------------------------------------------------------------ what meets what
    def _met(self, one: list[Access], other: list[Access], var: str | None) -> bool:
        """True if something of the one may change what the other sees or leaves; `var` is different in each."""
        return any(_clash(a, b) and not self._apart(a, b, var) for a in one for b in other if a.name == b.name)

    def _apart(self, a: Access, b: Access, var: str | None) -> bool:
        """True if two accesses are surely to different entries, or to components of different classes."""
        pairs: list[tuple[object, object]] = list(zip(a.keys, b.keys, strict=False))
        if {a.how, b.how} <= {AccessKind.TAKE, AccessKind.SWEEP, AccessKind.LAY}:
            pairs.append((a.what, b.what))
        return any(self._different(x, y, var) for x, y in pairs)

    def _different(self, x: object, y: object, var: str | None) -> bool:
        """True for values that are surely not the same."""
        if isinstance(x, Const) and isinstance(y, Const):
            return x.value != y.value
        if isinstance(x, Look) and isinstance(y, Look) and x.table == y.table and self._one_to_one(x.table):
            return self._different(x.keys[0], y.keys[0], var)
        return var is not None and isinstance(x, Local) and isinstance(y, Local) and x.name == y.name == var

    def _one_to_one(self, table: str) -> bool:
        """True for a table in which each key has a value of its own."""
        found = self._symbols.tables[table]
        return len(found.keys) == 1 and len(set(found.values)) == len(found.values)

    def _plain(self, value: Expr) -> bool:
        return isinstance(value, Const | Local) or (isinstance(value, Look) and self._one_to_one(value.table))


def _clash(a: Access, b: Access) -> bool:
    """True if these two, done to one entry, may not be exchanged."""
    hows = {a.how, b.how}
    if hows == {AccessKind.SET}:
        return not (isinstance(a.what, Const) and isinstance(b.what, Const) and a.what.value == b.what.value)
    if hows == {AccessKind.SHIFT}:
        return a.what != b.what or a.limit != b.limit
    return len(hows) > 1 or hows <= {AccessKind.SWEEP, AccessKind.STIR}


def _clears(access: Access) -> bool:
    """True if what was in an entry is gone: all of it was moved, or a fixed value was set."""
    if access.how is AccessKind.SET:
        return set(map(type, walk(access.what))) == {Const}
    return access.how is AccessKind.SWEEP or (
        access.how is AccessKind.TAKE and next(walk(access.what, Where), None) is not None)  # fmt: skip


# ---------------------------------------------------------------------- parts of statements
def _inside(name: str) -> Local:
    """What something bound inside a block is called, so that nothing outside is taken for it."""
    return Local(f"{name} inside", Int(0, 0))


def _entries(node: object, bound: Names) -> Iterator[tuple[str, tuple[Expr, ...]]]:
    """Every variable and zone that is looked at, with the keys; `bound`: the names bound on the way to it."""
    if isinstance(node, Fold | Where | Connected | Let):
        bound = {**bound, node.var: _inside(node.var)}
    if isinstance(node, Connected):
        bound = {**bound, node.here: _inside(node.here)}
    if isinstance(node, Split):
        bound = {**bound, node.rest: _inside(node.rest)}
    if isinstance(node, Get | Place):
        name = node.var if isinstance(node, Get) else node.zone
        yield name, tuple(substitute(key, bound) for key in node.keys)
    for part in children(node):
        yield from _entries(part, bound)


def _places(node: object) -> list[Place]:
    source = getattr(node, "place", None)
    return [source] if isinstance(source, Place) and source.end in (End.TOP, None) else []


@dataclass(frozen=True, slots=True)
class _Shift:
    """How a counter is moved: in which direction, how far, and the fixed number past which it does not go."""

    way: Operator
    amount: Expr
    limit: Expr | None


def _shift(stmt: Put) -> _Shift | None:
    """None if a variable is not moved but set."""
    value, limit = stmt.value, None
    if isinstance(value, Op) and value.op in _STOPS and isinstance(value.args[1], Const):
        inner, limit = value.args
        if not isinstance(inner, Op) or _STOPS[value.op] is not inner.op:
            return None
        value = inner
    if isinstance(value, Op) and value.op in (Operator.ADD, Operator.SUB) and isinstance(value.args[0], Get):
        same = value.args[0].var == stmt.var and value.args[0].keys == stmt.keys
        return _Shift(value.op, value.args[1], limit) if same and _steady(value.args[1]) else None
    return None


def _steady(amount: Expr) -> bool:
    """True for an amount that is surely not negative: then a bound is passed in one direction only."""
    return getattr(amount.type, "lo", -1) >= 0


def _all_of(stmt: Move) -> bool:
    """True for a move of as many of a class as lie there: it is no more than that they leave."""
    return isinstance(stmt.number, Fold) and stmt.number.source == Within(stmt.source)
