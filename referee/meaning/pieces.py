"""Pieces of the game: kinds of components with their attributes, and how many there are, where."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.ruleset import Component, Form, Home
from referee.core.types import Bool, DomainKind, Elem, Int, Type, Value
from referee.meaning import make
from referee.meaning.cards import Row, read_rows
from referee.meaning.entity import Bound, Kind, PlaceOf, Scope
from referee.meaning.nodes import first, node, nodes, word, words
from referee.meaning.symbols import Symbols
from referee.meaning.typenames import read_type
from referee.meaning.values import Values
from referee.syntax.tree import Node, Word

MOST_COMPONENTS = 5000


def declare_type(symbols: Symbols, decl: Node) -> None:
    """Reads `type T is a, b, c` or `type T is a < b < c`."""
    members = node(decl.parts[1])
    labels = tuple(_labels(symbols, members))
    name = symbols.claim(word(decl.parts[0]))
    symbols.domain(name, DomainKind.ENUM, labels, members.kind == "order")


def declare_kind(symbols: Symbols, decl: Node, labels: list[str | int]) -> None:
    """Reads `kind K`, `kind K of player`, `kind K is A < B`, `kind K is 1..5`; appends the classes' labels."""
    name_word = word(decl.parts[0])
    name = symbols.claim(name_word)
    owner = decl.parts[1]
    if owner is not None and word(owner).text != "player":
        raise symbols.unknown(word(owner), "player", {"player"})
    members = first(decl, "order", "names", "range")
    source = next(words(decl, "STRING"), None)
    rows = read_rows(symbols, name, source) if source is not None else ()
    listed = [row.name for row in rows] or (_labels(symbols, members) if members is not None else [name])
    if owner is not None:
        roles = symbols.seats.roles or tuple(f"player {n + 1}" for n in range(symbols.seats.number))
        listed = [f"{label} of {role}" for label in listed for role in roles]
    lo = len(labels)
    labels.extend(listed)
    if len(labels) > MOST_COMPONENTS:
        raise symbols.wrong("CP04", f"more than {MOST_COMPONENTS} different components", decl.span)
    ordered = members is not None and members.kind in ("order", "range")
    named = members is not None or bool(rows)
    symbols.kinds[name] = Kind(name, lo, len(labels) - 1, owner is not None, ordered, named)
    for attribute in nodes(decl, "attribute"):
        _attribute(symbols, symbols.kinds[name], attribute, rows)


def _attribute(symbols: Symbols, kind: Kind, decl: Node, rows: Sequence[Row]) -> None:
    """A table from the classes of a kind to what its data file says in the column of this name."""
    name = word(decl.parts[0])
    if not rows:
        raise symbols.wrong(
            "DT05",
            f"{kind.name} has no data file to take {name.text} from",
            name.span,
            hint=f'write `kind {kind.name} from "data/NAME.toml"`, or a `table`',
        )
    of = read_type(symbols, node(decl.parts[1]), f"{name.text} of {kind.name}")
    values = tuple(_cell(symbols, row, name, of) for row in rows)
    table = symbols.table(f"{name.text} of {kind.name}", (kind.type,), of, values)
    symbols.attributes.setdefault(name.text, []).append((kind, table))


def _cell(symbols: Symbols, row: Row, name: Word, of: Type) -> Value:
    if name.text not in row.values:
        raise symbols.wrong("DT02", f"{row.place}: {row.name} has no column {name.text}", name.span)
    raw = row.values[name.text]
    if isinstance(of, Bool) and raw in (True, False, "yes", "no"):
        return raw in (True, "yes")
    if isinstance(of, Int) and not isinstance(raw, bool) and _whole(raw) is not None:
        number = _whole(raw)
        if number is not None and of.lo <= number <= of.hi:
            return number
    elif isinstance(of, Elem):
        whole = _whole(raw)
        index = symbols.labelled(of, raw) if isinstance(raw, str) else None
        index = symbols.labelled(of, whole) if index is None and whole is not None else index
        if index is not None:
            return index
    raise symbols.wrong(
        "DT03", f"{row.place}: {name.text} of {row.name} is {str(raw)[:60]!r}, expected {make.describe(of)}", name.span
    )


def _whole(raw: object) -> int | None:
    if isinstance(raw, bool):
        return None
    if isinstance(raw, int):
        return raw
    return int(raw) if isinstance(raw, str) and raw.lstrip("-").isdigit() and len(raw) < 10 else None


def _labels(symbols: Symbols, members: Node) -> list[str | int]:
    if members.kind == "range":
        lo, hi = (Values(symbols).fixed_number(node(p)) for p in members.parts)
        if not 0 <= hi - lo < MOST_COMPONENTS:
            raise symbols.wrong("TY08", f"{lo}..{hi} is no range", members.span)
        return list(range(lo, hi + 1))
    found: list[str | int] = []
    for label in words(members):
        value = int(label.text) if label.type == "INT" and len(label.text) < 10 else label.text
        if value in found:
            raise symbols.wrong("NM02", f"{label.text} is named twice", label.span)
        found.append(value)
    return found


class Stocks:
    """Collects the `components` blocks: how many of each class, and where they are at home."""

    def __init__(self, symbols: Symbols) -> None:
        self._symbols = symbols
        self._homes: dict[int, list[tuple[int, int | None, Node]]] = {}

    def count(self, decl: Node) -> None:
        """Notes a line; its home is read once the zones are known."""
        symbols = self._symbols
        for_each = any(True for _ in words(decl, "FOR_EACH_PLAYER", "OF_EACH_PLAYER"))
        number, classes = self._what(decl)
        players: list[int | None] = list(range(symbols.seats.number)) if for_each else [None]
        for player in players:
            for index in self._owned(classes, player, decl):
                self._homes.setdefault(index, []).append((number, player, decl))

    def _what(self, decl: Node) -> tuple[int, Elem]:
        if decl.kind == "stock_each":
            count, name = word(decl.parts[0]), next(words(decl, "PROPER"))
            return self._number(count), self._symbols.kind(name).type
        what = node(decl.parts[0])
        count_node, noun = (what.parts[0], node(what.parts[1])) if what.kind == "some_of" else (None, what)
        number = self._number(word(count_node)) if count_node is not None else 1
        return number, Values(self._symbols).noun(noun, Scope()).classes

    def _number(self, count: Word) -> int:
        if len(count.text) > 4:
            raise self._symbols.wrong("CP04", "too many components", count.span)
        return int(count.text)

    def _owned(self, classes: Elem, player: int | None, decl: Node) -> list[int]:
        kind = next(k for k in self._symbols.kinds.values() if k.lo <= classes.lo <= k.hi)
        indices = list(range(classes.lo, classes.hi + 1))
        if not kind.owned:
            return indices
        if player is None:
            raise self._symbols.wrong(
                "CP02",
                f"each player has his own {kind.name}",
                decl.span,
                hint=f"write `of each player` after {kind.name}",
            )
        return [i for i in indices if (i - kind.lo) % self._symbols.seats.number == player]

    def declared(self, labels: list[str | int]) -> tuple[Component, ...]:
        """The components, without homes yet: their numbers are needed before zones can be."""
        return tuple(self._component(i, label, True) for i, label in enumerate(labels))

    def settled(self, labels: list[str | int]) -> tuple[Component, ...]:
        """The components with the places where they are at home."""
        return tuple(self._component(i, label, False) for i, label in enumerate(labels))

    def _component(self, index: int, label: str | int, draft: bool) -> Component:
        kind = next(k for k in self._symbols.kinds.values() if k.lo <= index <= k.hi)
        owner = (index - kind.lo) % self._symbols.seats.number if kind.owned else None
        homes = [
            Home("", (), None, n) if draft else self._home(n, player, decl)
            for n, player, decl in self._homes.get(index, ())
        ]
        return Component(label, kind.name, tuple(homes), owner)

    def _home(self, number: int, player: int | None, decl: Node) -> Home:
        place_node = node(node(first(decl, "place")).parts[0])
        symbols = self._symbols
        names = {"owner": Bound(make.member(player, symbols.player))} if player is not None else {}
        scope = Scope(names)
        found = Values(symbols).meaning(place_node, scope)
        if not isinstance(found, PlaceOf):
            raise symbols.wrong("CP03", "components are at home in a zone", place_node.span)
        values = Values(symbols)
        zone = symbols.zones[found.place.zone]
        key = tuple(values.fixed_index(e) for e in found.place.keys)
        spot = values.fixed_index(found.place.spot) if found.place.spot is not None else None
        if zone.form is Form.SLOTS and (spot is None or number != 1):
            raise symbols.wrong(
                "CP03", "one component lies on a spot: say which", place_node.span, hint="`in ZONE at SPOT`"
            )
        return Home(zone.name, key, spot, number)
