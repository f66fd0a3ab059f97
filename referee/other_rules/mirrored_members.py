"""Rules in which members that are declared alike are exchanged, behind the selector of other answers.

If they are treated alike, every game goes on as by the rules.

Exchanged is what stands in the rules by name, what tables hold for them and how they are compared, not what lies where:
a position in which a game stands is gone on from by both. What set-up does and who begins is left as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from referee.core.expr import All, Const, Expr, Fold, FoldKind, If, Look, Op, Operator
from referee.core.ruleset import TURN, Component, Core, DeclaredAlike, Table
from referee.core.stmt import Each, Origin, Param, Put, Stmt
from referee.core.traverse import itself, rewrite_each, walk
from referee.core.types import COMPONENT, PLAYER, Bool, Elem, Many, Scalar, Type, Value
from referee.frontend.names.other_answers import SELECTOR, OtherAnswer, OtherAnswers, gone_by_test

SYMMETRY = "symmetry"
MOST_EXCHANGES = 12
"""Of a group only so many pairs of neighbours are exchanged."""
_ORDERED = (Operator.LT, Operator.LE, Operator.GT, Operator.GE)
T = TypeVar("T")
Order = tuple[int, ...]
"""By each member of a domain the one that stands in its place."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """Members in the places of others, by their domains: those that are declared, and what follows for components."""

    declared: DeclaredAlike
    said: str
    orders: Mapping[str, Order]

    def member(self, domain: str, one: int) -> int:
        """What stands in the place of a member."""
        return self.orders[domain][one] if domain in self.orders else one

    def value(self, kind: Type, value: Value) -> Value:
        """A value with the members exchanged that it holds."""
        domain = _domain(kind)
        if domain not in self.orders or value is None:
            return value
        if isinstance(value, frozenset):
            return frozenset(self.member(domain, one) for one in value)
        return tuple(sorted(self.member(domain, one) for one in value)) if isinstance(value, tuple) else self.member(
            domain, value)

    def key(self, keys: Sequence[Scalar], at: Sequence[int]) -> tuple[int, ...]:
        """A combination of keys with the members exchanged."""
        return tuple(self.member(_domain(kind), one) for kind, one in zip(keys, at, strict=True))


def exchanges(core: Core, one: DeclaredAlike) -> tuple[Exchange, ...]:
    """What has to make no difference if members are alike: each player by the next one, or neighbours by each other."""
    labels, size = core.domains[one.domain].labels, core.domains[one.domain].size
    if one.domain == PLAYER and len(one.members) == size:
        if size < 2:
            return ()
        turned = tuple((seat + 1) % size for seat in range(size))
        said = "the two players" if size == 2 else "each player and the next"
        return (Exchange(one, said, _followed(core, PLAYER, turned)),)
    made = []
    for left, right in list(zip(one.members, one.members[1:], strict=False))[:MOST_EXCHANGES]:
        order = list(range(size))
        order[left], order[right] = right, left
        made.append(Exchange(one, f"{labels[left]} and {labels[right]}", _followed(core, one.domain, tuple(order))))
    return tuple(made)


def _followed(core: Core, domain: str, order: Order) -> dict[str, Order]:
    """The orders with that of components which follows: the card of a suit becomes that card of the other suit."""
    if domain == COMPONENT:
        return {domain: order}
    moved = list(range(core.domains[COMPONENT].size)) if COMPONENT in core.domains else []
    first = Exchange(DeclaredAlike("", domain, (), "", Origin(core.origin)), "", {domain: order})
    for table in core.tables.values():
        alone = len(set(table.values)) == len(table.values)
        if alone and _domain(table.type) == COMPONENT and domain in map(_domain, table.keys):
            for at, held in zip(_keys(table), table.values, strict=True):
                other = _entry(table, first.key(table.keys, at))
                if isinstance(held, int) and isinstance(other, int):
                    moved[held] = other
    whole = sorted(moved) == list(range(len(moved)))
    return {domain: order, COMPONENT: tuple(moved)} if whole and moved else {domain: order}


def _keys(table: Table) -> Iterator[tuple[int, ...]]:
    """The keys of a table in the order of its values."""
    found: list[tuple[int, ...]] = [()]
    for key in table.keys:
        found = [(*before, one) for before in found for one in range(key.lo, key.hi + 1)]
    yield from found


def _entry(table: Table, at: Sequence[int]) -> Value:
    """What a table holds for some keys; nothing where these are none of its own."""
    place = 0
    for key, one in zip(table.keys, at, strict=True):
        if not key.lo <= one <= key.hi:
            return None
        place = place * (key.hi - key.lo + 1) + one - key.lo
    return table.values[place]


def with_members_exchanged(core: Core, found: Sequence[Exchange]) -> tuple[Core, tuple[OtherAnswer, ...]]:
    """The rules with each exchange behind the selector, and those that change anything in them, as answers with the
    number of the exchange for an index."""
    mirror = _Mirror(core, found)
    setup, play = core.main[: core.setup], core.main[core.setup :]
    made = replace(
        core, main=(*setup, *map(mirror.first, play)), score=mirror.rules(core.score),
        actions={name: mirror.rules(one) for name, one in core.actions.items()},
        procedures={name: mirror.rules(one) for name, one in core.procedures.items()},
    )  # fmt: skip
    answers = tuple(OtherAnswer(index, SYMMETRY, found[index - 1].said, tuple(origins))
                    for index, origins in sorted(mirror.places.items()))  # fmt: skip
    tables = {**core.tables, **mirror.tables}
    held = {**made.vars, SELECTOR: OtherAnswers.variable(Origin(core.origin))}
    return replace(made, tables=tables, vars=held), answers


def is_seen_through(core: Core, one: DeclaredAlike) -> bool:
    """Whether nothing else in the rules can tell members from each other: no order in which they are gone through, no
    least or greatest of them, no range that holds some of them only."""
    rules = (core.main[core.setup :], tuple(core.actions.values()), tuple(core.procedures.values()), core.score)
    domains = {one.domain, COMPONENT}
    rounds = [every for each in walk(rules, Each) for every in itself(each.source, All)]
    if any(_domain(every.of) in domains for every in rounds):
        return False
    if any(fold.kind in (FoldKind.MIN, FoldKind.MAX) and fold.body is not None and _domain(fold.body.type) in domains
           for fold in walk(rules, Fold)):  # fmt: skip
        return False
    gone_through = (*(each.of for each in walk(rules, All)), *(param.type for param in walk(rules, Param)))
    ranges = {(kind.lo, kind.hi) for kind in walk(gone_through, Elem) if kind.domain == one.domain}
    return all(len({lo <= member <= hi for member in one.members}) == 1 for lo, hi in ranges)


def uneven_start(core: Core, one: Exchange) -> str:
    """What set-up has otherwise for one member than for another, in words; empty if it is the same."""
    for index, component in enumerate(core.components):
        other = core.components[one.member(COMPONENT, index)]
        if _homes(core, component, one) != _homes(core, other, None):
            return (f"there {'is' if component.number == 1 else 'are'} {component.number} {component.name}, "
                    f"and {other.number} {other.name}" if component.number != other.number
                    else f"{component.name} and {other.name} begin in places that are not alike")
    for name, var in core.vars.items():
        starts = var.start
        if " " in name or not isinstance(starts, tuple) or not var.keys or any(True for _ in walk(var.type, Many)):
            continue
        table = Table(name, var.keys, var.type, starts)
        for at in _keys(table):
            if _entry(table, one.key(var.keys, at)) != one.value(var.type, _entry(table, at)):
                return f"{name.replace('_', ' ')} does not begin with the same for each"
    return ""


def _homes(core: Core, component: Component, one: Exchange | None) -> set[tuple[object, ...]]:
    """Where components of a class are before set-up, as if members were exchanged."""
    return {(home.zone, home.key if one is None else one.key(core.zones[home.zone].keys, home.key), home.number,
             home.spot is None) for home in component.homes}  # fmt: skip


class _Mirror:
    """Puts exchanges into rules. `places`: where each of them changes something; `tables`: those that it needs."""

    def __init__(self, core: Core, found: Sequence[Exchange]) -> None:
        self._core, self._found = core, found
        self.places: dict[int, list[Origin]] = {}
        self.tables: dict[str, Table] = {}

    def first(self, stmt: Stmt) -> Stmt:
        """A statement of the course of the game; who begins it is as it is."""
        begins = any(put is stmt and put.var == TURN and any(one is put.value for one in walk(put.value, Const))
                     for put in walk(stmt, Put))  # fmt: skip
        return stmt if begins else self.rules(stmt)

    def rules(self, part: T) -> T:
        """A part of the rules with every exchange in it."""
        part = rewrite_each(part, Const, self._constant, lambda _: False)
        return self._orders(self._looks(part))

    def _looks(self, part: T) -> T:
        return rewrite_each(part, Look, self._looked_up, lambda _: False)

    def _orders(self, part: T) -> T:
        return rewrite_each(part, Op, self._compared, lambda _: False)

    def _constant(self, part: Const) -> Expr | None:
        """What is named; what nobody has written is the first of an order."""
        made: Expr = part
        if part.span is None:
            return None
        for index, one in enumerate(self._found, 1):
            value = one.value(part.type, part.value)
            if value != part.value:
                self._note(index, part)
                other = Const(value, _wide(part.type, value), part.span)
                made = If(_by(index), other, made, _wide(part.type, value), part.span)
        return None if made is part else made

    def _looked_up(self, part: Look) -> Expr | None:
        """What a table holds for the members that stand in the places of those asked for, exchanged again."""
        keys = self._looks(part.keys)
        made: Expr = replace(part, keys=keys)
        table, changed = self._core.tables[part.table], keys is not part.keys
        for index, one in enumerate(self._found, 1):
            values: list[Value] = [None] * len(table.values)
            for at, held in zip(_keys(table), table.values, strict=True):
                values[_place(table, one.key(table.keys, at))] = one.value(table.type, held)
            if tuple(values) != table.values:
                self._note(index, part)
                name = f"{table.name} exchanged {index}"
                self.tables[name] = replace(table, name=name, values=tuple(values))
                made, changed = If(_by(index), Look(name, keys, part.type, part.span), made, part.type, part.span), True
        return made if changed else None

    def _compared(self, part: Op) -> Expr | None:
        """An order between members: of those that stand in their places."""
        args = self._orders(part.args)
        made: Expr = replace(part, args=args)
        changed, domain = args is not part.args, _domain(part.args[0].type)
        for index, one in enumerate(self._found, 1):
            if part.op in _ORDERED and domain in one.orders:
                self._note(index, part)
                whole, order = self._core.domains[domain].whole, one.orders[domain]
                back = tuple(order.index(member) for member in range(len(order)))
                name = f"{domain} exchanged {index}"
                self.tables[name] = Table(name, (whole,), whole, back)
                there = tuple(Look(name, (arg,), whole, part.span) for arg in args)
                made, changed = If(_by(index), replace(part, args=there), made, Bool(), part.span), True
        return made if changed else None

    def _note(self, index: int, part: Const | Look | Op) -> None:
        found = self.places.setdefault(index, [])
        if part.span is not None and all(one.span != part.span for one in found):
            found.append(Origin(part.span))


def _place(table: Table, at: Sequence[int]) -> int:
    place = 0
    for key, one in zip(table.keys, at, strict=True):
        place = place * (key.hi - key.lo + 1) + one - key.lo
    return place


def _by(index: int) -> Expr:
    return gone_by_test(index)


def _domain(kind: object) -> str:
    """Of what members of a type are members; empty if it has none."""
    return next((one.domain for one in walk(kind, Elem)), "")


def _wide(kind: Type, value: Value) -> Type:
    """A type of members that has one more value."""
    members = value if isinstance(value, frozenset | tuple) else () if value is None else (value,)
    return rewrite_each(kind, Elem, lambda one: Elem(one.domain, min(one.lo, *members), max(one.hi, *members))
                        if members else one, lambda _: False)  # fmt: skip
