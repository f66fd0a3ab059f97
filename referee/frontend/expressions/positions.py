"""`position is ...` and `occurrences of position`: how often what counts of a position has come about.

Each position is written down as one number, exactly: a digit for each entry that counts. Whenever a player acts, the
position that he acts in is noted, unless it is as it was before; what is noted is part of the state as any variable.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import assert_never

from referee.core.expr import (
    All,
    At,
    Const,
    Domainlike,
    Expr,
    Fold,
    FoldKind,
    Get,
    If,
    Let,
    Local,
    Look,
    Members,
    Numbers,
    Only,
    Operator,
    Or,
    Place,
    Within,
)
from referee.core.read_write_sets import reads
from referee.core.ruleset import Form, Role, Table, Var, Zone
from referee.core.stmt import Action, Block, Branch, Chance, Origin, Put
from referee.core.traverse import statements
from referee.core.types import COMPONENT, Bool, Elem, Int, Many, Maybe, Scalar, SetOf, Type, size
from referee.diagnostics.source import Span
from referee.frontend.desugaring.insert_checks import bodies
from referee.frontend.expressions.coercions import Terms
from referee.frontend.expressions.typed_operators import arithmetic, equal, negate, number
from referee.frontend.names.bindings import Scope
from referee.frontend.names.symbol_table import Symbols
from referee.frontend.names.tree_access import ErrorReported, node, nodes, origin, word, words
from referee.syntax.syntax_tree import Node

USUAL_ROOM = 1_000
"""So many positions are kept if the rules do not say for how many there is room."""
MOST_ROOM = 200_000
"""Positions for which rules may say that there is room: more are refused."""
MOST_DIGITS = 4_000
"""A number of different positions with more digits is refused."""
_SAID = "position is"
NOTED, LENGTH = "positions noted", "number of positions noted"


@dataclass(frozen=True, slots=True)
class _Digits:
    """A number from 0 on, less than `base`."""

    value: Expr
    base: int


def declare_position(symbols: Symbols, terms: Terms, decl: Node) -> None:
    """Reads `position is ...`. Raises Wrong."""
    symbols.broken.add(_SAID)
    if symbols.position is not None:
        raise symbols.wrong("HI02", "a second `position is`: it is said once what counts", decl.span)
    history = _Positions(symbols, terms, decl.span)
    parts = [one for part in nodes(decl, "counting") for one in history.digits(node(part.parts[0]))]
    code: Expr = number(0, decl.span)
    base = 1
    for one in parts:
        code = arithmetic(Operator.ADD, code, arithmetic(Operator.MUL, number(base), one.value))
        base *= one.base
    if base >= 10**MOST_DIGITS:
        said = f"of so much there are more than 10 to the power of {MOST_DIGITS} positions"
        raise symbols.wrong("HI01", said, decl.span)
    room = next((int(one.text) for one in words(decl, "INT")), USUAL_ROOM)
    if not 1 <= room <= MOST_ROOM:
        raise symbols.wrong("HI01", f"there is room for 1 to {MOST_ROOM:,} positions", decl.span)
    where = origin(decl)
    kept, many = Int(0, base - 1), Int(0, room)
    symbols.vars[NOTED] = Var(NOTED, (many,), kept, 0, Role.COUNTER, where, "the list of positions")
    symbols.vars[LENGTH] = Var(LENGTH, (), many, 0, Role.COUNTER, where, "the list of positions")
    symbols.position = replace(code, span=decl.span)


def occurrences(symbols: Symbols, span: Span) -> Expr:
    """How often the present position has come about, now included. Raises Wrong."""
    code = symbols.position
    if code is None and _SAID in symbols.broken:
        raise ErrorReported
    if code is None:
        said = "it is not said what counts of a position"
        raise symbols.wrong("HI03", said, span, hint="`position is BOARD, turn player` says it, once for all rules")
    length = _length(symbols)
    now, one = Local("position", code.type), Local("noted", length.type)
    many = symbols.vars[LENGTH].type
    assert isinstance(many, Int)
    last = arithmetic(Operator.SUB, length, number(1))
    same = equal(_noted(symbols, one), now)
    times = Fold(FoldKind.COUNT, one.name, Numbers(number(0), last), same, None, many, None, span)
    anew = If(_is_anew(symbols, now), number(1), number(0), Int(0, 1))
    found = arithmetic(Operator.ADD, times, anew)
    return Let(now.name, code, found, found.type, span)


def noting(symbols: Symbols) -> Mapping[str, Action]:
    """The actions, those of players begun by noting the position that they act in: it comes about no more often so."""
    if symbols.position is None:
        return symbols.actions
    fates = {stmt.action for block in bodies(symbols) for stmt in statements(block, Chance)}
    return {name: one if name in fates else _noting(symbols, one, symbols.position)
            for name, one in symbols.actions.items()}


def _noting(symbols: Symbols, action: Action, code: Expr) -> Action:
    length, where = _length(symbols), Origin(symbols.vars[LENGTH].origin.span)
    longer = Put(LENGTH, (), arithmetic(Operator.ADD, length, number(1)), where)
    clear = Put(NOTED, (length,), number(0), where)
    noted: Block = (
        Put(NOTED, (length,), code, where),
        Branch(_is_anew(symbols, _noted(symbols, length)), (longer,), (clear,), where),
    )
    return replace(action, body=(*noted, *action.body))


def _length(symbols: Symbols) -> Get:
    return Get(LENGTH, (), symbols.vars[LENGTH].type)


def _noted(symbols: Symbols, index: Expr) -> Get:
    return Get(NOTED, (index,), symbols.vars[NOTED].type)


def _is_anew(symbols: Symbols, now: Expr) -> Expr:
    """Whether a position is another one than was noted last."""
    length = _length(symbols)
    last = _noted(symbols, arithmetic(Operator.SUB, length, number(1)))
    return Or((equal(length, number(0)), negate(equal(last, now))))


class _Positions:
    """What counts of a position, as digits."""

    def __init__(self, symbols: Symbols, terms: Terms, span: Span) -> None:
        self._symbols = symbols
        self._terms = terms
        self._span = span

    def digits(self, part: Node) -> Iterator[_Digits]:
        """The digits of a counter, of a zone, or of a value."""
        name = word(part.parts[0]).text if part.kind == "name" else ""
        if name in self._symbols.zones:
            yield from self._zone(self._symbols.zones[name], part.span)
        elif name in self._symbols.vars and self._symbols.vars[name].keys:
            yield self._array(self._symbols.vars[name], part.span)
        else:
            value = self._terms.value(part, Scope(owner="position"))
            self._open(value, part.span)
            yield self._digit(value, part.span)

    def _open(self, value: Expr, span: Span) -> None:
        for name in sorted(reads(value)):
            if name in self._symbols.zones:
                self._seen(self._symbols.zones[name], span)
            elif self._symbols.vars[name].seen_by is not None:
                raise self._hidden(name, span)

    def _hidden(self, name: str, span: Span) -> Exception:
        return self._symbols.wrong("HI01", f"not everybody sees {name}, so it does not count for a position", span)

    def _seen(self, zone: Zone, span: Span) -> None:
        if not zone.sight.everybody:
            raise self._hidden(zone.name, span)

    # ------------------------------------------------------------------ entries
    def _array(self, var: Var, span: Span) -> _Digits:
        if var.seen_by is not None:
            raise self._hidden(var.name, span)
        names = [Local(f"k{index}", kind) for index, kind in enumerate(var.keys)]
        one = self._digit(Get(var.name, tuple(names), var.type, span), span)
        return self._sum([(name, All(kind)) for name, kind in zip(names, var.keys, strict=True)], one, span)

    def _zone(self, zone: Zone, span: Span) -> Iterator[_Digits]:
        self._seen(zone, span)
        for key in product(*(range(kind.lo, kind.hi + 1) for kind in zone.keys)):
            keys = tuple(Const(one, _single(kind, one)) for one, kind in zip(key, zone.keys, strict=True))
            yield self._instance(zone, Place(zone.name, keys, span=span), span)

    def _instance(self, zone: Zone, place: Place, span: Span) -> _Digits:
        symbols = self._symbols
        thing = Elem(COMPONENT, 0, len(symbols.components) - 1)
        match zone.form:
            case Form.SLOTS:
                assert zone.spots is not None
                spot = Local("k0", zone.spots)
                there = self._digit(At(place, spot, Maybe(thing), span), span)
                return self._sum([(spot, All(zone.spots))], there, span)
            case Form.LINE:
                index = Local("k0", Int(0, max(zone.capacity - 1, 0)))
                there = self._digit(At(place, index, Maybe(thing), span), span)
                return self._sum([(index, All(_scalar(index)))], there, span)
            case Form.BAG:
                kind = Local("k0", thing)
                most = max((one.number for one in symbols.components), default=0)
                alike = equal(Local("k1", thing), kind)
                many = Fold(FoldKind.COUNT, "k1", Within(place), alike, None, Int(0, most), None, span)
                return self._sum([(kind, All(thing))], _Digits(many, most + 1), span)
            case Form.PILE:
                said = f"{zone.name} is a pile: nobody knows the order of what lies there"
                raise symbols.wrong("HI01", said, span)
            case _:
                assert_never(zone.form)

    def _sum(self, names: Sequence[tuple[Local, Domainlike]], one: _Digits, span: Span) -> _Digits:
        """The same digit for each combination of members, each at its place."""
        kinds = tuple(_scalar(name) for name, _ in names)
        many = 1
        for kind in kinds:
            many *= size(kind)
        base = one.base**many
        if base >= 10**MOST_DIGITS:
            said = f"of so much there are more than 10 to the power of {MOST_DIGITS} positions"
            raise self._symbols.wrong("HI01", said, span)
        table = self._symbols.numbered("weights", self._symbols.tables, " ")
        weights = tuple(one.base**index for index in range(many))
        self._symbols.tables[table] = Table(table, kinds, Int(1, weights[-1]), weights)
        weight = Look(table, tuple(name for name, _ in names), Int(1, weights[-1]), span)
        whole = Int(0, base - 1)
        found = arithmetic(Operator.MUL, weight, one.value)
        for name, source in reversed(names):
            found = Fold(FoldKind.SUM, name.name, source, None, found, whole, None, span)
        return _Digits(found, base)

    # ------------------------------------------------------------------ values
    def _digit(self, value: Expr, span: Span) -> _Digits:
        kind: Type = value.type
        match kind:
            case Bool():
                return _Digits(If(value, number(1), number(0), Int(0, 1), span), 2)
            case Int(lo):
                return _Digits(arithmetic(Operator.SUB, value, number(lo)), size(kind))
            case Elem():
                return _Digits(self._index(value, kind, span), size(kind))
            case Maybe(of):
                inner = self._digit(Only(value, of, span), span)
                some = arithmetic(Operator.ADD, inner.value, number(1))
                none = equal(value, Const(None, Maybe(of)))
                return _Digits(If(none, number(0), some, Int(0, inner.base), span), inner.base + 1)
            case SetOf(of):
                name = Local("k0", of)
                return self._sum([(name, Members(value))], _Digits(number(1), 2), span)
            case Many():
                raise self._symbols.wrong("HI01", "several at once do not count for a position", span)
            case _:
                assert_never(kind)

    def _index(self, value: Expr, kind: Elem, span: Span) -> Expr:
        """The number of a member, from 0 on."""
        name = f"place in {kind.domain} {kind.lo}..{kind.hi}"
        places = tuple(range(size(kind)))
        self._symbols.tables[name] = Table(name, (kind,), Int(0, size(kind) - 1), places)
        return Look(name, (value,), Int(0, size(kind) - 1), span)


def _scalar(name: Local) -> Scalar:
    assert isinstance(name.type, Int | Elem)
    return name.type


def _single(kind: Scalar, value: int) -> Scalar:
    return replace(kind, lo=value, hi=value)
