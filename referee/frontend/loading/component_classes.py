"""Pieces of the game: kinds of components with their attributes, and how many there are, where."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import pairwise

from referee.core.decided_values import decided
from referee.core.expr import Const
from referee.core.ruleset import Component, Form, Home
from referee.core.types import COMPONENT, Bool, DomainKind, Elem, Int, Maybe, Type, Value
from referee.diagnostics.source import Span
from referee.frontend.expressions import typed_operators
from referee.frontend.expressions.expression_lowering import ExpressionLowering
from referee.frontend.loading.card_tables import Row, class_rows, read_rows
from referee.frontend.loading.combined_kinds import declare_combined, ladder_labels
from referee.frontend.loading.declarations import distinct
from referee.frontend.names.bindings import Bound, ComponentKind, Group, Noun, PlaceOf, Scope
from referee.frontend.names.grids import DIRECTION
from referee.frontend.names.symbol_table import Symbols
from referee.frontend.names.tree_access import ErrorReported, cites, first, head, node, nodes, word, words
from referee.frontend.names.type_names import named_type, read_type
from referee.syntax.syntax_tree import Node, Part, Word

_NUMBER = re.compile(r"-?[0-9]{1,9}")
MOST_COMPONENTS = 5_000
"""Different components of a ruleset: more are refused."""
MOST_COPIES = 9_999
"""Copies of one component: more are refused."""
MOST_IN_ALL = 20_000
"""Components of a ruleset, with all copies: more are refused."""


def declare_type(symbols: Symbols, decl: Node) -> None:
    """Reads `type T is a, b, c`, `type T is a < b < c` or `type T is 1..6 < top`."""
    members = node(decl.parts[1])
    ordered = members.kind in ("ladder", "rung")
    labels = tuple(ladder_labels(symbols, members) if ordered else _labels(symbols, members))
    name = _claimed(symbols, word(decl.parts[0]))
    symbols.domain(name, DomainKind.ENUM, labels, ordered)


def _claimed(symbols: Symbols, name: Word) -> str:
    """The name of a type or kind. Raises Wrong if it is the one of the built-in type that boards and maps bring."""
    if name.text == DIRECTION and symbols.grids:
        said = f"`{DIRECTION}` stands for the directions of a board or map: choose another name"
        raise symbols.wrong("NM03", said, name.span)
    return symbols.claim(name)


def declare_kinds(
    symbols: Symbols,
    decls: Sequence[Node],
    classes: Sequence[Node],
    tried: Callable[[Callable[[Node], object], Node], None],
) -> list[str | int]:
    """Reads all kinds; returns the labels of their classes. A group may stand before its kinds, and a column hold
    components of a kind below.

    `classes` are the `class NAME of K` lines; each step for a declaration is carried out by `tried`.
    """
    labels: list[str | int] = []
    symbols.domain(COMPONENT, DomainKind.COMPONENT, ())
    rows: list[tuple[Node, tuple[Row, ...]]] = []
    for decl in decls:
        if first(decl, "group") is None:
            own = [c for c in classes if word(c.parts[1]).text == word(decl.parts[0]).text]
            tried(lambda d, own=own: rows.append((d, _declare_kind(symbols, d, labels, own))), decl)  # type: ignore[misc]
    symbols.domain(COMPONENT, DomainKind.COMPONENT, tuple(labels))
    for decl in decls:
        if first(decl, "group") is not None:
            tried(lambda d: _declare_group(symbols, d), decl)
    for decl, found in rows:
        tried(lambda d, found=found: _declare_columns(symbols, d, found), decl)  # type: ignore[misc]
    return labels


def _declare_kind(symbols: Symbols, decl: Node, labels: list[str | int], classes: Sequence[Node]) -> tuple[Row, ...]:
    """Reads `kind K`, `kind K of player`, `kind K is A < B`, `kind K is 1..5`; appends the classes' labels.

    Returns the rows of its data file and of its `class` lines.
    """
    name_word = word(decl.parts[0])
    name = _claimed(symbols, name_word)
    if first(decl, "each_of") is not None:
        _classes(symbols, decl, first(decl, "each_of"), (), classes)
        declare_combined(symbols, decl, name, labels, MOST_COMPONENTS)
        source = next(words(decl, "STRING"), None)
        return () if source is None else _in_order(symbols, symbols.kinds[name], labels, source)
    owner = decl.parts[1]
    if owner is not None and word(owner).text != "player":
        raise symbols.unknown(word(owner), "player", {"player"})
    members = first(decl, "order", "names", "range")
    source = next(words(decl, "STRING"), None)
    rows = read_rows(symbols, name, source) if source is not None else ()
    rows = (*rows, *_classes(symbols, decl, members, rows, classes))
    listed = [row.name for row in rows] or (_labels(symbols, members) if members is not None else [name])
    if owner is not None:
        roles = symbols.seats.roles or tuple(f"player {n + 1}" for n in range(symbols.seats.number))
        listed = [f"{label} of {role}" for label in listed for role in roles]
    lo = len(labels)
    if lo + len(listed) > MOST_COMPONENTS:
        raise symbols.wrong(
            "CP04", f"with these there are more than {MOST_COMPONENTS} different components", head(decl)
        )
    labels.extend(listed)
    ordered = members is not None and members.kind in ("order", "range")
    named = members is not None or bool(rows)
    symbols.kinds[name] = ComponentKind(name, lo, len(labels) - 1, owner is not None, ordered, named)
    return rows


def _in_order(symbols: Symbols, kind: ComponentKind, labels: Sequence[str | int], source: Word) -> tuple[Row, ...]:
    """The rows of the data file of a kind that is each of several types, in the order of its classes; one for each."""
    rows = {row.name: row for row in read_rows(symbols, kind.name, source)}
    classes = [str(label) for label in labels[kind.lo:kind.hi + 1]]
    missing = next((name for name in classes if name not in rows), None)
    if missing is not None:
        raise symbols.wrong("DT02", f"{source.text[1:-1]} has no row for {missing}", source.span)
    if len(rows) > len(classes):
        other = next(row for name, row in rows.items() if name not in classes)
        raise symbols.wrong("DT02", f"{other.place}: there is no {kind.name} called {other.name}", source.span)
    return tuple(rows[name] for name in classes)


def _declare_columns(symbols: Symbols, decl: Node, rows: Sequence[Row]) -> None:
    """Reads the columns of a kind."""
    kind = symbols.kinds[word(decl.parts[0]).text]
    for attribute in nodes(decl, "attribute"):
        _attribute(symbols, kind, attribute, rows)


def _classes(
    symbols: Symbols, decl: Node, members: Node | None, rows: Sequence[Row], classes: Sequence[Node]
) -> tuple[Row, ...]:
    """What `class NAME of K` lines add to the rows of a data file."""
    if classes and members is not None:
        said = f"the classes of {word(decl.parts[0]).text} are all named where it is declared"
        raise symbols.wrong("DT04", said, classes[0].span)
    columns = {word(a.parts[0]).text for a in nodes(decl, "attribute")}
    known = {row.name for row in rows}
    for one in classes:
        name = word(one.parts[0])
        if name.text in known:
            raise symbols.wrong("DT04", f"the class {name.text} stands twice", name.span)
        known.add(name.text)
        distinct(symbols, [word(v.parts[0]) for v in nodes(one, "class_value")])
        for value in nodes(one, "class_value"):
            if word(value.parts[0]).text not in columns:
                raise symbols.unknown(word(value.parts[0]), "a column", columns)
    return class_rows(classes)


def _declare_group(symbols: Symbols, decl: Node) -> None:
    """Reads `kind K is L or M`: a name for kinds that follow each other."""
    group = node(first(decl, "group"))
    kinds = sorted((symbols.kind(w) for w in words(group) if w.type != "OR"), key=lambda k: k.lo)
    for one, other in pairwise(kinds):
        if other.lo != one.hi + 1:
            raise symbols.wrong(
                "KD01",
                f"{other.name} does not follow {one.name}",
                group.span,
                hint="kinds under one name are declared one after the other",
            )
    unfit = next((w for w in words(decl, "NAME", "STRING")), None) or first(decl, "attribute")
    if unfit is not None:
        raise symbols.wrong("KD01", "a name for several kinds says nothing else of them", unfit.span)
    name = symbols.claim(word(decl.parts[0]))
    symbols.groups[name] = Group(name, tuple(kinds))


def _attribute(symbols: Symbols, kind: ComponentKind, decl: Node, rows: Sequence[Row]) -> None:
    """A table from the classes of a kind to what its data file says in the column of this name."""
    name = word(decl.parts[0])
    if not rows:
        raise symbols.wrong(
            "DT05",
            f"{kind.name} has no data file to take {name.text} from",
            name.span,
            hint=f'write `kind {kind.name} from "data/NAME.toml"`, or a `table`',
        )
    by = decl.parts[1]
    of = read_type(symbols, node(decl.parts[2]), f"{name.text} of {kind.name}")
    if by is not None:
        _columns(symbols, kind, name, by, of, rows)
        return
    values = tuple(_cell(symbols, row, name.text, of, name.span) for row in rows)
    table = symbols.table(f"{name.text} of {kind.name}", (kind.type,), of, values)
    symbols.attributes.setdefault(name.text, []).append((kind, table))


def _columns(symbols: Symbols, kind: ComponentKind, name: Word, by: Part, of: Type, rows: Sequence[Row]) -> None:
    """A table from the classes of a kind and the members of a type, each of which is a column of the data file."""
    member = named_type(symbols, by) if isinstance(by, Word) else None
    if not isinstance(member, Elem):
        raise symbols.wrong("TY06", f"the columns of {name.text} are members of a type", name.span)
    columns = symbols.labels(member)
    values = tuple(_cell(symbols, row, str(column), of, name.span) for row in rows for column in columns)
    symbols.table(symbols.claim(name), (kind.type, member), of, values)


def _cell(symbols: Symbols, row: Row, column: str, of: Type, span: Span) -> Value:
    span = row.span or span
    if column not in row.values:
        raise symbols.wrong("DT02", f"{row.place}: {row.name} has no column {column}", span)
    raw = row.values[column]
    if isinstance(of, Maybe):
        return None if raw in ("", "none") else _cell(symbols, row, column, of.of, span)
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
    shown = repr(raw[:60]) if isinstance(raw, str) else str(raw) if isinstance(raw, int | float) else "no single value"
    said = f"{row.place}: {column} of {row.name} is {shown}"
    raise symbols.wrong("DT03", f"{said}, expected {symbols.describe(of)}", span)


def _whole(raw: object) -> int | None:
    if isinstance(raw, bool):
        return None
    if isinstance(raw, int):
        return raw
    return int(raw) if isinstance(raw, str) and _NUMBER.fullmatch(raw) else None


def _labels(symbols: Symbols, members: Node) -> list[str | int]:
    if members.kind == "range":
        lo, hi = (ExpressionLowering(symbols).constants.fixed_number(node(p)) for p in members.parts)
        if lo > hi:
            raise symbols.wrong("TY08", f"{lo}..{hi} is empty: the lower number comes first", members.span)
        if hi - lo >= MOST_COMPONENTS:
            raise symbols.wrong("CP04", f"{lo}..{hi} are more than {MOST_COMPONENTS} components", members.span)
        return list(range(lo, hi + 1))
    listed = [word(p) for p in members.parts if not (isinstance(p, Word) and p.type == "OR")]
    distinct(symbols, listed)
    return [int(w.text) if w.type == "INT" and len(w.text) < 10 else w.text for w in listed]


class Stocks:
    """Collects the `components` blocks: how many of each class, and where they are at home."""

    def __init__(self, symbols: Symbols) -> None:
        self._symbols = symbols
        self._homes: dict[int, list[tuple[int, int | None, Node]]] = {}
        self._places: dict[tuple[int, int | None], Home] = {}
        self._total = 0

    def count(self, decl: Node) -> None:
        """Notes a line; its home is read once the zones are known."""
        symbols = self._symbols
        for_each = any(True for _ in words(decl, "FOR_EACH_PLAYER", "OF_EACH_PLAYER"))
        number_of, classes, among = self._what(decl)
        kind = symbols.kind_at(classes.lo)
        if among is not None and kind.owned and not for_each:
            indices: list[tuple[int, int | None]] = [(i, (i - kind.lo) % symbols.seats.number) for i in among]
        else:
            players: list[int | None] = list(range(symbols.seats.number)) if for_each else [None]
            indices = [(index, player) for player in players for index in self._owned(classes, player, decl)]
        owned = [(index, player) for index, player in indices if among is None or index in among]
        self._total += sum(number_of(index) for index, _ in owned)
        if self._total > MOST_IN_ALL:
            raise symbols.wrong("CP04", f"with these there are more than {MOST_IN_ALL} components", head(decl))
        for index, player in owned:
            self._homes.setdefault(index, []).append((number_of(index), player, decl))

    def _what(self, decl: Node) -> tuple[Callable[[int], int], Elem, frozenset[int] | None]:
        """How many there are of each of which classes, and which of these if it is not all of them."""
        if decl.kind == "stock_each":
            said, name = word(decl.parts[0]), next(words(decl, "PROPER"))
            classes = self._symbols.kind(name).type
            if said.type == "NAME":
                return self._said_of(said), classes, None
            fixed = self._number(said)
            return lambda _: fixed, classes, None
        what = node(decl.parts[0])
        count_node, noun = (what.parts[0], node(what.parts[1])) if what.kind == "some_of" else (None, what)
        number = self._counted(count_node) if count_node is not None else 1
        values = ExpressionLowering(self._symbols)
        found = values.sources.noun(noun, Scope())
        return lambda _: number, found.classes, self._among(values, found)

    def _among(self, values: ExpressionLowering, noun: Noun) -> frozenset[int] | None:
        """The classes of `Card of 1`, which need not lie side by side, or the one of `Man of geese`; None for all."""
        if noun.one is not None:
            return frozenset({values.constants.fixed_index(noun.one)})
        if noun.among is None:
            return None
        known = decided(noun.among, {})
        among = noun.among if known is None else Const(known.value, noun.among.type, noun.span)
        chosen = values.constants.fixed(among, among.type, noun.span)
        assert isinstance(chosen, frozenset)
        return chosen

    def _said_of(self, name: Word) -> Callable[[int], int]:
        """How many of a class its row of the data file, a table or a definition says there are; what says it of all
        alike is asked once."""
        values, symbols = ExpressionLowering(self._symbols), self._symbols
        known = {*symbols.attributes, *symbols.defines, *symbols.tables}
        if name.text not in known:
            raise symbols.unknown(name, "a column of a data file, a table or a definition", known)
        alike = name.text in symbols.defines and not symbols.defines[name.text].params

        @cache
        def number(index: int) -> int:
            one = Const(index, Elem(COMPONENT, index, index), name.span)
            found = (values.sources.of(name, one, Scope(), name.span) if name.text in symbols.tables else
                     values.terms.function(name, [] if alike else [one], Scope(), name.span))
            copies = values.terms.plain(found, name.span)
            there = values.constants.fixed(values.terms.as_number(copies, name.span), Int(0, MOST_COPIES), name.span)
            assert isinstance(there, int)
            return there

        return (lambda _: number(0)) if alike else number

    def _counted(self, count: Node | Word) -> int:
        """How many, as a number or as what it is for so many players: then maybe none."""
        if isinstance(count, Word):
            return self._number(count)
        number = ExpressionLowering(self._symbols).constants.fixed_number(count)
        if not 0 <= number <= MOST_COPIES:
            raise self._symbols.wrong("CP04", f"there are 0 to {MOST_COPIES} of a component, not {number}", count.span)
        return number

    def _number(self, count: Word) -> int:
        if not 0 < int(count.text[:5]) <= MOST_COPIES:
            raise self._symbols.wrong("CP04", f"there are 1 to {MOST_COPIES} of a component", count.span)
        return int(count.text)

    def _owned(self, classes: Elem, player: int | None, decl: Node) -> list[int]:
        kind = self._symbols.kind_at(classes.lo)
        indices = list(range(classes.lo, classes.hi + 1))
        if not kind.owned:
            return indices
        if player is None:
            raise self._symbols.wrong(
                "CP02",
                f"each player has his own {kind.name}",
                node(decl.parts[0]).span if isinstance(decl.parts[0], Node) else head(decl),
                hint=f"write `of each player` after {kind.name}, which gives each as many; for other numbers a line "
                f"for each side, `9 {kind.name} of SEAT in ...`",
            )
        return [i for i in indices if (i - kind.lo) % self._symbols.seats.number == player]

    def declared(self, labels: list[str | int]) -> tuple[Component, ...]:
        """The components, without homes yet: their numbers are needed before zones can be."""
        return tuple(self._component(i, label, True) for i, label in enumerate(labels))

    def settled(self, labels: list[str | int]) -> tuple[Component, ...]:
        """The components with the places where they are at home; errors in some leave the others."""
        return tuple(self._component(i, label, False) for i, label in enumerate(labels))

    def _component(self, index: int, label: str | int, draft: bool) -> Component:
        kind = self._symbols.kind_at(index)
        owner = (index - kind.lo) % self._symbols.seats.number if kind.owned else None
        homes: list[Home] = []
        cited: list[str] = []
        for number, player, decl in self._homes.get(index, ()):
            cited.extend(cites(decl))
            with suppress(ErrorReported):
                home = Home("", (), None, number) if draft else self._home(number, player, decl)
                self._admitted(home, kind, decl)
                homes.extend([home] if number else [])
        return Component(label, kind.name, tuple(homes), owner, tuple(dict.fromkeys(cited)))

    def _admitted(self, home: Home, kind: ComponentKind, decl: Node) -> None:
        zone = self._symbols.zones.get(home.zone)
        if zone is not None and kind.name not in zone.kinds:
            place = node(first(decl, "place"))
            raise self._symbols.wrong("ZN04", f"{zone.name} is for {' or '.join(zone.kinds)} only", place.span)

    def _home(self, number: int, player: int | None, decl: Node) -> Home:
        """Where the components of a line lie, for the player who has them."""
        known = self._places.get((id(decl), player))
        if known is None:
            known = self._places[id(decl), player] = self._read_home(number, player, decl)
        elif known.spot is not None:
            raise self._on_one_spot(decl, number)
        return replace(known, number=number)

    def _read_home(self, number: int, player: int | None, decl: Node) -> Home:
        place_node = node(node(first(decl, "place")).parts[0])
        symbols, values = self._symbols, ExpressionLowering(self._symbols)
        names = {"owner": Bound(typed_operators.member(player, symbols.player))} if player is not None else {}
        found = values.terms.meaning(place_node, Scope(names))
        if not isinstance(found, PlaceOf):
            raise symbols.wrong(
                "CP03", f"`{symbols.text(place_node.span)}` is no zone: components begin in one", place_node.span
            )
        zone = symbols.zones[found.place.zone]
        key = tuple(values.constants.fixed_index(e) for e in found.place.keys)
        spot = values.constants.fixed_index(found.place.spot) if found.place.spot is not None else None
        if zone.form is Form.SLOTS and spot is None:
            hint = f"write `in {zone.name} at SPOT`" if number == 1 else self._one_by_one(decl, f"{zone.name} at c")
            raise symbols.wrong("CP03", f"on which spot of {zone.name}?", place_node.span, hint=hint)
        home = Home(zone.name, key, spot, number)
        taken = spot is not None and any(
            (h.zone, h.key, h.spot) == (zone.name, key, spot) for h in self._places.values()
        )
        if spot is not None and (number > 1 or taken):
            raise self._on_one_spot(decl, number)
        return home

    def _on_one_spot(self, decl: Node, number: int) -> ErrorReported:
        place = node(first(decl, "place"))
        said = self._symbols.text(place.span)
        hint = None if number == 1 else self._one_by_one(decl, f"{said.partition(' at ')[0]} at c")
        return self._symbols.wrong("CP03", f"there is room for one component in `{said}`", place.span, hint=hint)

    def _one_by_one(self, decl: Node, spot: str) -> str:
        """How several are laid on a board, each on a spot of its own."""
        stated = decl.parts[0] if isinstance(decl.parts[0], Node) else next(words(decl, "PROPER"), None)
        piece = "PIECE" if stated is None else re.sub(r"^[(\d][^A-Z]*", "", self._symbols.text(stated.span))
        whose = " of PLAYER" if any(words(decl, "OF_EACH_PLAYER", "FOR_EACH_PLAYER")) else ""
        return (f"each spot has room for one: let them begin in a bag, `box: bag of {piece.split()[0]}, open`, and lay "
                f"them in `setup`: `for each c in {{SPOT, SPOT}}, as listed: move {piece}{whose} from box to {spot}`")
