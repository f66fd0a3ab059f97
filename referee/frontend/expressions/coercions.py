"""Names and coercions: what a name stands for, and how one meaning becomes the type that its place asks for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import assert_never

from referee.core.expr import (
    All,
    At,
    Const,
    Domainlike,
    Expr,
    Get,
    Look,
    Members,
    Only,
    Op,
    Operator,
    Place,
    Where,
    Within,
    spelled_at,
)
from referee.core.ruleset import TURN, Form, Table, Zone
from referee.core.types import COMPONENT, Bool, Elem, Int, Many, Maybe, Scalar, SetOf, Type, size
from referee.diagnostics.source import Span
from referee.frontend.expressions import typed_operators
from referee.frontend.names import board_geometry as grid
from referee.frontend.names.bindings import LOST, Define, DomainOf, Meaning, Noun, PlaceOf, Scope
from referee.frontend.names.symbol_table import Symbols
from referee.frontend.names.timed_modifiers import effective
from referee.frontend.names.tree_access import ErrorReported
from referee.syntax.syntax_tree import Node, Word

MOST_NUMBER = 10**18
"""The largest number, up or down, that an expression may come to: one that may become larger is refused."""
MOST_DEEP = 70
"""Expressions that stand within each other: deeper ones are refused."""
MOST_CASES = 50
"""Cases of a definition, or of a statement: more are refused, a table can have them."""
_MINUS = re.compile(r"(?P<first>\w+) *- *(?P<last>\w+)")
_WORDS = ("opponent", "others", "nobody", "players")
"""Words of the language that are values."""
PARTNER, SIDE, IN_SIDES = "partner", "side", 4
"""What is asked of players who sit in pairs, two opposite each other, unless rules define it; and how many they are."""


@dataclass(frozen=True, slots=True)
class MemberSource:
    """What can be gone through: its members' type, a filter on the variable, and where components of it lie.

    `often`: of dice of which several are taken, how many show the member.
    """

    domain: Domainlike
    type: Scalar
    where: Expr | None
    at: Place | None
    often: Expr | None = None


Rule = Callable[[Node, Scope, "Type | None"], Meaning]
"""Lowers one construct: its node, the names in force, the type that its place expects."""
Expand = Callable[[Define, Word, Sequence[Node | Expr], Scope, Span], Meaning]
"""Puts a definition in where it is used: (definition, the name there, what it is applied to, names in force)."""
Towards = Callable[[Word, Sequence[Node | Expr], Scope, Span], Expr]
"""Lowers `step(c, d)` and `straight(c, d)`: (which of the two, cell and direction, names in force)."""


def _no_definitions(define: Define, name: Word, args: Sequence[Node | Expr], scope: Scope, span: Span) -> Meaning:
    raise ErrorReported


def _no_grids(name: Word, args: Sequence[Node | Expr], scope: Scope, span: Span) -> Expr:
    raise ErrorReported


class Terms:
    """What all of the lowering of expressions stands on: the constructs known so far, names, coercions.

    `rules`: what lowers each construct, by the kind of its node; `expand` puts a definition in, `towards` goes in a
    direction. The modules beside this one add theirs. `watched` is told what each phrase means, if somebody
    wants to know.
    """

    def __init__(self, symbols: Symbols) -> None:
        self.symbols = symbols
        self.rules: dict[str, Rule] = {}
        self.expand: Expand = _no_definitions
        self.towards: Towards = _no_grids
        self._depth = 0
        self.used: set[str] = set()
        self.watched: Callable[[Node, Meaning], None] | None = None

    @contextmanager
    def deeper(self, levels: int, where: Span) -> Iterator[None]:
        """What is read within counts as so much deeper: values within values have a bound, definitions put in too."""
        self._depth += levels
        try:
            if self._depth > MOST_DEEP:
                raise self._too_deep(where)
            yield
        finally:
            self._depth -= levels

    def _too_deep(self, where: Span) -> ErrorReported:
        hint = "give a part a name: `let NAME = ...` before it"
        return self.symbols.wrong("DF03", "this is nested too deeply", where, hint=hint)

    def meaning(self, term: Node, scope: Scope, expected: Type | None = None) -> Meaning:
        """What a phrase stands for."""
        rule = self.rules.get(term.kind)
        if rule is None:
            raise self.symbols.wrong("TY13", f"`{self.symbols.text(term.span)}` is no value", term.span)
        self._depth += 1  # as `deeper` does, which takes longer: this is done for each part of each phrase
        try:
            if self._depth > MOST_DEEP:
                raise self._too_deep(term.span)
            found = rule(term, scope, expected)
        finally:
            self._depth -= 1
        kind = None if isinstance(found, PlaceOf | Noun) else found.type
        if isinstance(kind, Int) and not -MOST_NUMBER <= kind.lo <= kind.hi <= MOST_NUMBER:
            raise self.symbols.wrong("TY16", "this may become a number with more than 18 digits", term.span)
        if self.watched is not None:
            self.watched(term, found)
        return found

    # ------------------------------------------------------------------ from meanings to values
    def value(self, term: Node, scope: Scope, expected: Type | None = None) -> Expr:
        """The phrase as a value, of the expected type if there is one. Raises Wrong (reported)."""
        found = self.plain(self.meaning(term, scope, expected), term.span)
        return found if expected is None else self.fit(found, expected, term.span)

    def condition(self, term: Node, scope: Scope) -> Expr:
        """The phrase as a condition."""
        return self.value(term, scope, Bool())

    def number(self, term: Node, scope: Scope) -> Expr:
        """The phrase as a whole number."""
        found = self.plain(self.meaning(term, scope), term.span)
        return self.as_number(found, term.span)

    def place(self, term: Node, scope: Scope) -> PlaceOf:
        """The phrase as a place in a zone."""
        found = self.meaning(term, scope)
        if not isinstance(found, PlaceOf):
            raise self.symbols.wrong(
                "TY03",
                f"`{self.symbols.text(term.span)}` is no zone",
                term.span,
                expected=tuple(f"`{z}`" for z in sorted(self.symbols.zones)[:6]),
            )
        return found

    def plain(self, found: Meaning, span: Span) -> Expr:
        if isinstance(found, PlaceOf):
            return self.content(found)
        if isinstance(found, Noun):
            if found.one is None:
                raise self.symbols.wrong(
                    "TY04",
                    f"`{self.symbols.text(span)}` is a kind, not one component",
                    span,
                    hint="say which: `the KIND in ZONE`, or a named component",
                )
            return found.one
        if isinstance(found, DomainOf):
            raise self.symbols.wrong("TY04", f"`{self.symbols.text(span)}` means several, and one is expected", span)
        return found

    def content(self, found: PlaceOf) -> Expr:
        zone = self.symbols.zones[found.place.zone]
        if found.place.spot is None:
            raise self.symbols.wrong(
                "TY05",
                f"{zone.name} is a zone, not a value",
                found.span,
                hint=f"`number of {self.symbols.text(found.span)}` counts what lies there",
            )
        return At(found.place, found.place.spot, Maybe(self.component_type(zone)), found.span)

    def component_type(self, zone: Zone) -> Elem:
        """The type of the components that a zone admits."""
        kinds = [self.symbols.kinds[k] for k in zone.kinds]
        return Elem(COMPONENT, min(k.lo for k in kinds), max(k.hi for k in kinds))

    def fit(self, expr: Expr, expected: Type, span: Span) -> Expr:
        """The value as the expected type; bounds of numbers are checked when it runs, domains here."""
        have = expr.type
        if isinstance(expr, Const) and expr.value is None and not isinstance(expected, Maybe):
            raise self.symbols.wrong("TY01", f"expected {self.symbols.describe(expected)}, and "
                                             f"`{self.symbols.text(span)}` is never one", span)
        if isinstance(expected, Int):
            return self.as_number(expr, span)
        if isinstance(have, Maybe) and isinstance(expected, Elem) and _meet(have.of, expected):
            return Only(expr, have.of, span)
        if isinstance(expected, Maybe):
            if isinstance(expr, Const) and expr.value is None:
                return typed_operators.nothing(expected.of, span)
            if not isinstance(have, Maybe):
                return self.fit(expr, expected.of, span)
            if isinstance(have.of, Elem) and isinstance(expected.of, Elem) and _meet(have.of, expected.of):
                return expr
        if isinstance(have, Bool) and isinstance(expected, Bool):
            return expr
        if isinstance(have, Elem) and isinstance(expected, Elem) and _meet(have, expected):
            return expr
        if have == expected or (isinstance(have, SetOf | Many) and isinstance(expected, SetOf | Many)):
            return expr
        if isinstance(have, Maybe) and isinstance(expected, Elem | Int):
            have = have.of
        wanted, found = self.symbols.describe(expected), self.symbols.describe(have)
        raise self.symbols.wrong("TY01", f"expected {wanted}, this is {found}", span)

    def as_number(self, expr: Expr, span: Span) -> Expr:
        """The value as a whole number: members of a domain labelled with numbers count as those, columns from 1."""
        kind = expr.type
        if isinstance(kind, Maybe):
            return self.as_number(Only(expr, kind.of, span), span)
        if isinstance(kind, Int):
            return expr
        if isinstance(kind, Elem):
            numbers = self.symbols.numbers_of(kind)
            if numbers is not None:
                return self._labelled_number(expr, kind, numbers, span)
        raise self.symbols.wrong("TY02", f"expected a number, this is {self.symbols.describe(kind)}", span)

    def alike(self, values: Sequence[Expr], spans: Sequence[Span]) -> list[Expr]:
        """Values of which one will be taken: beside numbers, members that count as numbers are taken as such."""
        counted = [self._counts(value.type) for value in values]
        if True not in counted:
            return list(values)
        return [
            value if counts is None else self.as_number(value, span)
            for value, span, counts in zip(values, spans, counted, strict=True)
        ]

    def with_nothing(self, values: Sequence[Expr], parts: Sequence[Node], scope: Scope) -> list[Expr]:
        """Values of which one will be taken, each `none` among them as nothing of the type of the others."""
        given = next((v.type for v, part in zip(values, parts, strict=True) if part.kind != "none"), None)
        return [value if part.kind != "none" else self.plain(self.meaning(part, scope, given), part.span)
                for value, part in zip(values, parts, strict=True)]

    def _counts(self, kind: Type) -> bool | None:
        """Whether values of a type are numbers; None for no members that count as some either."""
        match kind:
            case Int():
                return True
            case Elem():
                return None if self.symbols.numbers_of(kind) is None else False
            case Bool() | Maybe() | SetOf() | Many():
                return None
            case _:
                assert_never(kind)

    def _labelled_number(self, expr: Expr, kind: Elem, numbers: tuple[int, ...], span: Span) -> Expr:
        """The number that a member counts as, by a table from the members."""
        if isinstance(expr, Const) and isinstance(expr.value, int):
            return typed_operators.number(numbers[expr.value - kind.lo], span)
        whole = self.symbols.domains[kind.domain]
        if (
            isinstance(expr, Look)
            and grid.lane_number(self.symbols, kind.domain) is not None
            and expr.table == kind.domain
        ):
            name = f"number of {expr.table}"
            values = self.symbols.tables[expr.table].values
            lanes = tuple(whole.labels[v] for v in values if isinstance(v, int))
            kind_of = Int(min(numbers), max(numbers))
            self.symbols.table(
                name, self.symbols.tables[expr.table].keys, kind_of, tuple(n for n in lanes if isinstance(n, int))
            )
            return Look(name, expr.keys, kind_of, span)
        counts = Int(min(numbers), max(numbers))
        table = self.symbols.table(f"number of {kind.domain} {kind.lo}..{kind.hi}", (kind,), counts, numbers)
        return Look(table, (expr,), counts, span)

    # ------------------------------------------------------------------ names
    def name(self, found: Word, scope: Scope, expected: Type | None) -> Meaning:
        """What a bare name stands for: a local, a value of the expected type, a seat, then what is declared."""
        if found.text in scope.names:
            if scope.names[found.text] is LOST:
                raise ErrorReported
            return spelled_at(scope.names[found.text].expr, found.span)
        member = self._label(found, expected)
        if member is not None:
            return member
        symbols = self.symbols
        seat = symbols.role(found.text)
        if seat is not None:
            return typed_operators.member(seat, symbols.player, found.span)
        if found.text in symbols.boards or found.text in symbols.maps:
            return DomainOf(symbols.domains[found.text].whole, found.span)
        if found.text in symbols.options:
            domain = symbols.domains.get(f"option {found.text}")
            if domain is None or symbols.options[found.text] not in domain.labels:  # declared wrongly, or twice
                raise ErrorReported
            return Const(domain.labels.index(symbols.options[found.text]), domain.whole, found.span)
        cell = self._cell(found) if not symbols.declared(found.text) else None
        return cell or self.function(found, [], scope, found.span, expected)

    def _cell(self, found: Word) -> Const | None:
        """The cell of this name, if only one board or map has one."""
        symbols = self.symbols
        grids = [symbols.domains[name].whole for name in (*symbols.boards, *symbols.maps)]
        cells = [(index, grid) for grid in grids if (index := symbols.labelled(grid, found.text)) is not None]
        return typed_operators.member(*cells[0], found.span) if len(cells) == 1 else None

    def _label(self, found: Word, expected: Type | None) -> Const | None:
        of = expected.of if isinstance(expected, Maybe | SetOf) else expected
        if not isinstance(of, Elem) or of.domain == "player":
            return None
        index = self.symbols.labelled(of, found.text)
        return None if index is None else typed_operators.member(index, of, found.span)

    def function(
        self, name: Word, args: Sequence[Node | Expr], scope: Scope, span: Span, expected: Type | None = None
    ) -> Meaning:
        """A variable, zone, table, definition or attribute applied to its keys."""
        symbols = self.symbols
        var, zone = symbols.vars.get(name.text), symbols.zones.get(name.text)
        if var is not None:
            if name.text in symbols.pools and len(args) == len(var.keys) - 1:
                raise self._dice_alone(span)
            return effective(self.symbols, Get(var.name, self.keys(name, var.keys, args, scope), var.type, span))
        if zone is not None:
            return PlaceOf(Place(zone.name, self.keys(name, zone.keys, args, scope), span=span), span)
        if name.text in symbols.tables and " " not in name.text:
            table = symbols.tables[name.text]
            return self.looked_up(table, self.keys(name, table.keys, args, scope), span)
        if name.text in symbols.attributes and len(args) == 1:
            return self._attribute(name, args[0], scope, span)
        if name.text in ("step", "straight") and len(args) == 2 and symbols.grids and name.text not in symbols.defines:
            return self.towards(name, args, scope, span)
        if name.text in ("left", "right") and len(args) == 1:
            beside = self.argument(args[0], scope, symbols.player, span)
            return Look(symbols.next_player(name.text == "right"), (beside,), symbols.player, span)
        if name.text in symbols.defines:
            return self.expand(symbols.defines[name.text], name, args, scope, span)
        if name.text in (PARTNER, SIDE) and len(args) == 1:
            return self._partner(name, args[0], scope, span)
        if name.text == "player":
            hint = "say which they are: `players`, or `another player`"
            raise symbols.wrong("NM01", "`player` is a type, no value", span, hint=hint)
        of = expected.of if isinstance(expected, Maybe | SetOf) else expected
        labels = symbols.labels(of) if of is not None else ()
        wanted = symbols.describe(of) if of is not None and labels else "a value, a zone or a definition"
        told = _WORDS[:1] if labels else _WORDS
        raise symbols.unknown(name, wanted, lambda: {*symbols.values(), *scope.names, *labels, *told})

    def no_trick(self, span: Span) -> ErrorReported:
        """The error that something is asked of a trick and none is declared, or wrongly."""
        if self.symbols.reporter.failed:
            return ErrorReported()
        return self.symbols.wrong("TK01", "nothing is said of what a trick is", span,
                                  hint="`trick is laid from leader` says in which zone it lies, and who leads")

    def _partner(self, name: Word, arg: Node | Expr, scope: Scope, span: Span) -> Expr:
        """Who sits opposite, of four; or both of them. Raises Wrong."""
        symbols = self.symbols
        if symbols.seats.number != IN_SIDES:
            said = f"of {typed_operators.plural(symbols.seats.number, 'player')} nobody sits opposite as partner"
            raise symbols.wrong("SD01", said, span, hint=f"`define {name.text} of player p = ...` says who it is")
        one: Expr = self.argument(arg, scope, symbols.player, span)
        beside, kind = symbols.next_player(False), symbols.player
        opposite = Look(beside, (Look(beside, (one,), kind, span),), kind, span)
        return opposite if name.text == PARTNER else Op(Operator.SET, (one, opposite), SetOf(kind), span)

    def _dice_alone(self, span: Span) -> ErrorReported:
        said = self.symbols.text(span)
        hint = f"`number of {said}`, `highest of {said}`, `lowest of {said}` and `sum of {said}` are values"
        return self.symbols.wrong("DI03", f"`{said}` are dice, not a value", span, hint=hint)

    def _attribute(self, name: Word, arg: Node | Expr, scope: Scope, span: Span) -> Expr:
        """What a data file says of a component."""
        whole = Elem(COMPONENT, 0, len(self.symbols.domains[COMPONENT].labels) - 1)
        owner = self.argument(arg, scope, whole, span)
        assert isinstance(owner.type, Elem)
        for kind, table in self.symbols.attributes[name.text]:
            if kind.lo <= owner.type.lo and owner.type.hi <= kind.hi:
                return self.looked_up(self.symbols.tables[table], (owner,), span)
        having = " or ".join(kind.name for kind, _ in self.symbols.attributes[name.text])
        raise self.symbols.wrong("TY12", f"only a {having} has {name.text}", span)

    def keys(
        self, name: Word, kinds: tuple[Scalar, ...], args: Sequence[Node | Expr], scope: Scope
    ) -> tuple[Expr, ...]:
        if len(kinds) != len(args):
            raise self.miscounted(name, kinds, len(args))
        return tuple(self.argument(a, scope, k, name.span) for a, k in zip(args, kinds, strict=True))

    def miscounted(self, name: Word, kinds: Sequence[Type], given: int, *, called: bool = False) -> ErrorReported:
        """Reports a name with too many or too few keys; `called`: they stand in brackets."""
        needs = " and ".join(self.symbols.describe(kind) for kind in kinds)
        if called and (not kinds or not given):
            here = "is none" if not given else "is one" if given == 1 else f"are {given}"
            said = f"{name.text} needs {needs or 'no argument'}, here {here}"
        elif not kinds:
            said = f"{name.text} stands alone: it was declared without `of`"
        elif not given:
            said = f"{name.text} of whom or what? It needs {needs}"
        else:
            said = f"{name.text} needs {needs}, here {'is one' if given == 1 else f'are {given}'}"
        return self.symbols.wrong("NM05", said, name.span)

    def argument(self, arg: Node | Expr, scope: Scope, kind: Type, span: Span) -> Expr:
        if isinstance(arg, Node):
            span = arg.span
            arg = self.plain(self.meaning(arg, scope, kind), span)
        return self.fit(self._by_column(arg, kind, span), kind, span)

    def _by_column(self, expr: Expr, kind: Type, span: Span) -> Expr:
        """Where a suit is asked for, that of a card which has one; any other value as it is."""
        having = (k for k in self.symbols.kinds.values() if k.columns and typed_operators.within(expr.type, k.type))
        found = [(k, name) for k in having for name, of in k.columns if typed_operators.within(of, kind)]
        if len(found) != 1:
            return expr
        of, name = found[0]
        return self.looked_up(self.symbols.tables[f"{name} of {of.name}"], (expr,), span)

    def looked_up(self, table: Table, keys: tuple[Expr, ...], span: Span) -> Expr:
        """The entry of a table; of fixed keys, the value itself."""
        index = 0
        for key, kind in zip(keys, table.keys, strict=True):
            if not isinstance(key, Const) or not isinstance(key.value, int) or not kind.lo <= key.value <= kind.hi:
                return Look(table.name, keys, table.type, span)
            index = index * size(kind) + key.value - kind.lo
        return Const(table.values[index], table.type, span)

    # ------------------------------------------------------------------ players
    def me(self, scope: Scope, span: Span, said: str = "me") -> Expr:
        """The player deciding; raises Wrong outside an action. `said`: the word that means him or goes by him."""
        if scope.me is None:
            instead = "turn player" if said == "me" else f"{said} of turn player"
            raise self.symbols.wrong(
                "NM07", f"`{said}` is known in an action only", span, hint=f"say `{instead}`, or a player by name"
            )
        return replace(scope.me, span=span)

    def turn_player(self, span: Span) -> Expr:
        """Whose turn it is."""
        return Only(Get(TURN, (), Maybe(self.symbols.player), span), self.symbols.player, span)

    # ------------------------------------------------------------------ sources
    def through(self, found: Meaning, span: Span) -> MemberSource:
        """What a meaning can be gone through as."""
        if isinstance(found, DomainOf):
            return MemberSource(All(found.type), found.type, None, None)
        if isinstance(found, PlaceOf):
            zone = self.symbols.zones[found.place.zone]
            return MemberSource(Within(found.place), self.component_type(zone), None, found.place)
        if isinstance(found, Noun):
            every = All(found.classes) if found.among is None else Members(found.among)
            return MemberSource(every, found.classes, None, None)
        return self._members(found, span)

    def _members(self, expr: Expr, span: Span) -> MemberSource:
        kind = expr.type
        if isinstance(kind, SetOf | Many):
            return MemberSource(Members(expr), kind.of, None, None)
        if isinstance(kind, Elem) and f"cells in {kind.domain}" in self.symbols.tables:
            table = self.symbols.tables[f"cells in {kind.domain}"]
            assert isinstance(table.type, SetOf)
            return MemberSource(Members(Look(table.name, (expr,), table.type, span)), table.type.of, None, None)
        written = _MINUS.fullmatch(self.symbols.text(span))
        raise self.symbols.wrong(
            "TY10",
            f"{self.symbols.describe(kind)} cannot be gone through",
            span,
            expected=("a zone", "a set", "a board", "players", "a range"),
            hint=f"from one number to another it is `{written['first']}..{written['last']}`" if written else None,
        )

    def as_set(self, found: Meaning, kind: SetOf, span: Span) -> Expr:
        """What a meaning can be gone through as, as a set of members of a type; alike ones are one member."""
        if not isinstance(found, PlaceOf | Noun | DomainOf) and found.type == kind:
            return found
        source = self.through(found, span)
        if not _meet(source.type, kind.of):
            said = f"expected {self.symbols.describe(kind)}, this is {self.symbols.describe(SetOf(source.type))}"
            raise self.symbols.wrong("TY01", said, span)
        return Where("member taken", source.domain, source.where, SetOf(source.type), span)

    def form(self, place: Place) -> Form:
        """How the components of a place lie."""
        return self.symbols.zones[place.zone].form


def _meet(left: Scalar, right: Scalar) -> bool:
    if isinstance(left, Elem) and isinstance(right, Elem):
        return left.domain == right.domain and left.lo <= right.hi and right.lo <= left.hi
    return isinstance(left, Int) and isinstance(right, Int)
