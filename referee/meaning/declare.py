"""Declarations: kinds and components, zones, counters, givens, parameters, readings, tables."""

from __future__ import annotations

from itertools import product

from referee.core.ruleset import Choice, Component, Form, Home, Reading, Role, Sight, Table, Var, Zone
from referee.core.types import Bool, DomainKind, Elem, Int, Maybe, Scalar, Type, Value
from referee.meaning import make
from referee.meaning.entity import Bound, Kind, PlaceOf, Scope
from referee.meaning.nodes import first, node, nodes, origin, text, word, words
from referee.meaning.symbols import Symbols
from referee.meaning.values import Values
from referee.syntax.tree import Node, Word

MOST_COMPONENTS = 5000


def declare_kind(symbols: Symbols, decl: Node, labels: list[str | int]) -> None:
    """Reads `kind K`, `kind K of player`, `kind K is A < B`, `kind K is 1..5`; appends the classes' labels."""
    name_word = word(decl.parts[0])
    name = symbols.claim(name_word)
    owner = decl.parts[1]
    if owner is not None and word(owner).text != "player":
        raise symbols.unknown(word(owner), "player", {"player"})
    members = first(decl, "order", "names", "range")
    listed = _labels(symbols, members) if members is not None else [name]
    if owner is not None:
        roles = symbols.seats.roles or tuple(f"player {n + 1}" for n in range(symbols.seats.number))
        listed = [f"{label} of {role}" for label in listed for role in roles]
    lo = len(labels)
    labels.extend(listed)
    if len(labels) > MOST_COMPONENTS:
        raise symbols.wrong("CP04", f"more than {MOST_COMPONENTS} different components", decl.span)
    ordered = members is not None and members.kind in ("order", "range")
    symbols.kinds[name] = Kind(name, lo, len(labels) - 1, owner is not None, ordered, members is not None, {})


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


def declare_zone(symbols: Symbols, decl: Node) -> None:
    """Reads one line of `zones`."""
    name_word = word(decl.parts[0])
    keys = _keys(symbols, first(decl, "keys"))
    form = Form(next(words(decl, "FORM")).text.split()[0])
    kinds = [_kind(symbols, w) for w in words(decl, "PROPER")]
    board = [w for w in words(decl, "NAME") if w is not name_word]
    spots = _spots(symbols, board[0]) if board else None
    if (form is Form.SLOTS) != (spots is not None):
        raise symbols.wrong(
            "ZN01",
            f"{name_word.text}: only slots lie on a board, and slots always do",
            decl.span,
            hint="write `slots of KIND on BOARD`",
        )
    sight = _sight(symbols, decl, keys)
    most = first(decl, "at_most")
    limit = Values(symbols).number(node(most.parts[-1]), Scope()) if most is not None else None
    total = sum(c.number for c in symbols.components if c.kind in {k.name for k in kinds})
    name = symbols.claim(name_word)
    symbols.zones[name] = Zone(name, keys, form, tuple(k.name for k in kinds), spots, sight, limit, total, origin(decl))


def _kind(symbols: Symbols, name: Word) -> Kind:
    kind = symbols.kinds.get(name.text)
    if kind is None:
        raise symbols.unknown(name, "a kind of component", set(symbols.kinds))
    return kind


def _spots(symbols: Symbols, name: Word) -> Elem:
    if name.text not in symbols.boards:
        raise symbols.unknown(name, "a board", set(symbols.boards))
    return symbols.domains[name.text].whole


def _sight(symbols: Symbols, decl: Node, keys: tuple[Scalar, ...]) -> Sight:
    said = list(nodes(decl, "open", "seen_by_owner", "face_down"))
    if len(said) != 1:
        raise symbols.wrong(
            "VS01", "who sees what lies here?", decl.span, expected=("`, open`", "`, seen by owner`", "`, face down`")
        )
    if said[0].kind == "open":
        return Sight(True)
    if said[0].kind == "face_down":
        return Sight(False)
    owners = tuple(i for i, key in enumerate(keys) if isinstance(key, Elem) and key.domain == "player")
    if not owners:
        raise symbols.wrong(
            "VS02",
            "`seen by owner`, but the zone belongs to no player",
            said[0].span,
            hint="write `NAME of player`, or say `open` or `face down`",
        )
    return Sight(False, owners)


def _keys(symbols: Symbols, keys: Node | None) -> tuple[Scalar, ...]:
    if keys is None:
        return ()
    found: list[Scalar] = []
    for part in keys.parts:
        if isinstance(part, Node) and part.kind == "range":
            kind: Type = Values(symbols).range_type(part)
        else:
            kind = named_type(symbols, word(part))
        if not isinstance(kind, Elem | Int):
            raise symbols.wrong("TY06", f"{make.describe(kind)} cannot be a key", keys.span)
        found.append(kind)
    return tuple(found)


def named_type(symbols: Symbols, name: Word) -> Type:
    """The type that a single word stands for."""
    if name.text == "player":
        return symbols.player
    if name.text in symbols.boards:
        return symbols.domains[name.text].whole
    if name.text in symbols.kinds:
        return symbols.kinds[name.text].type
    if name.text in symbols.domains:
        return symbols.domains[name.text].whole
    raise symbols.unknown(name, "a type", {"player", *symbols.boards, *symbols.kinds})


def read_type(symbols: Symbols, part: Node, named: str) -> Type:
    """A type as a declaration writes it; `named` names the domain of a type listed here."""
    if part.kind == "type" and len(part.parts) == 1 and isinstance(part.parts[0], Node):
        return read_type(symbols, part.parts[0], named)
    if part.kind == "range":
        return Values(symbols).range_type(part)
    if part.kind == "yes_or_no":
        return Bool()
    if part.kind == "lane_of":
        return _lane_type(symbols, word(part.parts[0]), word(part.parts[1]))
    if part.kind == "type_or_none":
        inner = named_type(symbols, word(part.parts[0]))
        assert isinstance(inner, Elem | Int)
        return Maybe(inner)
    if part.kind == "enum":
        labels = tuple(w.text for w in words(part) if w.type != "OR")
        return symbols.domain(named, DomainKind.ENUM, labels).whole
    return named_type(symbols, word(part.parts[0]))


def _lane_type(symbols: Symbols, lane: Word, board: Word) -> Type:
    if board.text not in symbols.boards:
        raise symbols.unknown(board, "a board", set(symbols.boards))
    if lane.text not in ("column", "row"):
        raise symbols.unknown(lane, "column or row", {"column", "row"})
    return symbols.domains[f"{lane.text} of {board.text}"].whole


def declare_var(symbols: Symbols, decl: Node, role: Role) -> None:
    """Reads a counter, a given or a parameter."""
    name_word = word(decl.parts[0])
    keys = _keys(symbols, first(decl, "keys"))
    kind_node = next(n for n in nodes(decl) if n.kind in _TYPES)
    kind = read_type(symbols, kind_node, name_word.text)
    start = _start(symbols, decl, kind, role)
    title = text(next(words(decl, "STRING"), None))
    seen = next((i for i, k in enumerate(keys) if k == symbols.player), None)
    hidden = any(True for _ in words(decl, "SEEN_BY_OWNER"))
    name = symbols.claim(name_word)
    symbols.vars[name] = Var(
        name,
        keys,
        kind,
        start,
        role,
        origin(decl),
        title,
        role is Role.PARAMETER and start is not None,
        seen if hidden else None,
    )


_TYPES = ("type", "range", "yes_or_no", "enum", "lane_of", "type_or_none")
_VALUES = ("int", "name", "yes", "no", "none", "neg", "noun", "nobody")


def _start(symbols: Symbols, decl: Node, kind: Type, role: Role) -> Value:
    """The start value or default: as declared, else the first value of the type (nothing for an open parameter)."""
    said = [n for n in nodes(decl) if n.kind in _VALUES]
    if said:
        values = Values(symbols)
        return values.fixed(values.value(said[-1], Scope(), kind), kind, said[-1].span)
    if role is not Role.STATE or isinstance(kind, Maybe):
        return None
    if isinstance(kind, Bool):
        return False
    if isinstance(kind, Int):
        return max(kind.lo, min(kind.hi, 0))
    return kind.lo if isinstance(kind, Elem) else None


def declare_reading(symbols: Symbols, decl: Node) -> None:
    """Reads a reading: a variable over the names of its choices, set by the header and never written."""
    name_word = word(decl.parts[0])
    name = symbols.claim(name_word)
    choices = list(nodes(decl, "default_choice", "alternative"))
    names = tuple(word(c.parts[0]).text for c in choices)
    if len(set(names)) < len(names):
        raise symbols.wrong("NM02", f"two choices of {name} have the same name", decl.span)
    defaults = [i for i, c in enumerate(choices) if c.kind == "default_choice"]
    if len(defaults) != 1:
        raise symbols.wrong(
            "RD01",
            f"a reading has exactly one default, this has {len(defaults)}",
            decl.span,
            expected=("one line `default NAME`", "one or more lines `alternative NAME`"),
        )
    where = origin(decl, tuple(c for choice in choices for c in origin(choice).cites))
    domain = symbols.domain(name, DomainKind.ENUM, names)
    texts = tuple(Choice(n, text(c.parts[1])) for n, c in zip(names, choices, strict=True))
    symbols.readings[name] = Reading(name, text(decl.parts[1]), texts, defaults[0], where)
    symbols.vars[name] = Var(name, (), domain.whole, defaults[0], Role.READING, where, text(decl.parts[1]))


def declare_table(symbols: Symbols, decl: Node) -> None:
    """Reads a table: rows `key | key | value`, each combination of keys once."""
    name_word = word(decl.parts[0])
    keys = _keys(symbols, first(decl, "keys"))
    kind = read_type(symbols, next(n for n in nodes(decl) if n.kind in _TYPES), name_word.text)
    entries: dict[tuple[int, ...], Value] = {}
    for row in nodes(decl, "row"):
        _row(symbols, row, keys, kind, entries)
    values: list[Value] = []
    for key in product(*(range(k.lo, k.hi + 1) for k in keys)):
        if key not in entries:
            shown = " | ".join(show(symbols, v, k) for v, k in zip(key, keys, strict=True))
            raise symbols.wrong("TB02", f"the table has no row for {shown}", name_word.span)
        values.append(entries[key])
    name = symbols.claim(name_word)
    symbols.tables[name] = Table(name, keys, kind, tuple(values))


def _row(
    symbols: Symbols, row: Node, keys: tuple[Scalar, ...], kind: Type, entries: dict[tuple[int, ...], Value]
) -> None:
    cells = [p for p in row.parts if not (isinstance(p, Node) and p.kind == "cite")]
    if len(cells) != len(keys) + 1:
        raise symbols.wrong(
            "TB01",
            f"this row has {len(cells)} columns, the table has {len(keys) + 1}",
            row.span,
            expected=("a cell for each key", "then the value"),
        )
    values = Values(symbols)
    read = [values.literal(cell, k) for cell, k in zip(cells, [*keys, kind], strict=True)]
    key = tuple(v for v in read[:-1] if isinstance(v, int))
    if key in entries:
        raise symbols.wrong("TB03", "a row for these keys stands above", row.span)
    entries[key] = read[-1]


def show(symbols: Symbols, value: int, kind: Scalar) -> str:
    """A key as people write it."""
    return str(value) if isinstance(kind, Int) else str(symbols.domains[kind.domain].labels[value])


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
            return self._number(count), _kind(self._symbols, name).type
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
