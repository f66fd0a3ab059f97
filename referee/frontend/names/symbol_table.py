"""Everything that a ruleset declares, by name; complains about names used twice and words of the language."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Container, Iterable, Mapping
from copy import copy
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import assert_never

from referee.core.expr import Expr, Look
from referee.core.naming import LANGUAGE
from referee.core.ruleset import Component, Invariant, Reading, Score, Seats, Table, Var, Zone
from referee.core.stmt import Action, Block, Chance, Guard, Origin, Procedure, Stmt
from referee.core.types import (
    COMPONENT,
    PLAYER,
    Bool,
    Domain,
    DomainKind,
    Elem,
    Int,
    Many,
    Maybe,
    Scalar,
    SetOf,
    Type,
    Value,
)
from referee.diagnostics.diagnostic import Reporter
from referee.diagnostics.source import Source, Span
from referee.diagnostics.suggestions import nearest
from referee.frontend.expressions import typed_operators
from referee.frontend.names.bindings import Board, ComponentKind, Define, DicePool, Group, Idle, Price, Texts, Verb
from referee.frontend.names.grids import Grid
from referee.frontend.names.other_answers import OtherAnswers
from referee.frontend.names.tree_access import ErrorReported
from referee.syntax.scanner import without_comment
from referee.syntax.syntax_tree import Node, Word
from referee.system.file_observations import FileObservations

MOST_ENTRIES = 100_000
"""Counters and spots of a position, and combinations of keys: rules with more are refused."""
MOST_WRITTEN = 100_000
"""Parts of trees that definitions are written out to, in all: rules with more are refused."""

# fmt: off
RESERVED = frozenset({
    "all", "and", "at", "automatic", "component", "each", "else", "every", "exactly", "fate", "for", "from", "has",
    "have", "hold", "holds", "if", "in", "is", "it", "me", "my", "no", "nobody", "none", "not", "of", "opponent",
    "or", "owner", "play", "player", "players", "reveal", "simultaneously", "some", "table", "the", "then", "to",
    "together", "turn", "unspecified", "until", "when", "where", "win", "wins", "yes",
})
# fmt: on
"""Words that no declaration may take as a name: they mean something else in too many places."""


def guess(word: str, known: Iterable[str]) -> str | None:
    """A hint at the name that was probably meant."""
    best = nearest(word, known)
    return f"did you mean `{best}`?" if best not in (None, word) else None


@dataclass
class Symbols:
    """The declarations of one ruleset for one shape, filled in as the tree is read."""

    sources: tuple[Source, ...]
    reporter: Reporter
    seats: Seats
    options: dict[str, str] = field(default_factory=dict)
    pool: dict[str, str] = field(default_factory=dict)
    domains: dict[str, Domain] = field(default_factory=dict)
    kinds: dict[str, ComponentKind] = field(default_factory=dict)
    groups: dict[str, Group] = field(default_factory=dict)
    attributes: dict[str, list[tuple[ComponentKind, str]]] = field(default_factory=dict)
    boards: dict[str, Board] = field(default_factory=dict)
    maps: set[str] = field(default_factory=set)
    hexagons: set[str] = field(default_factory=set)  # boards of them
    grids: dict[str, Grid] = field(default_factory=dict)  # of each board and map
    tables: dict[str, Table] = field(default_factory=dict)
    vars: dict[str, Var] = field(default_factory=dict)
    zones: dict[str, Zone] = field(default_factory=dict)
    defines: dict[str, Define] = field(default_factory=dict)
    action_nodes: dict[str, Node] = field(default_factory=dict)
    actions: dict[str, Action] = field(default_factory=dict)
    position: Expr | None = None  # what counts of a position, as a number
    taker: Node | None = None  # who takes a trick, as a value
    actions_read: bool = False  # whether all of them are there, with all their guards
    pools: dict[str, DicePool] = field(default_factory=dict)
    idle: list[Idle] = field(default_factory=list)
    procedure_nodes: dict[str, Node] = field(default_factory=dict)
    procedures: dict[str, Procedure] = field(default_factory=dict)
    told: dict[str, frozenset[str]] = field(default_factory=dict)  # by procedure, which results are yes or no
    cased: dict[str, dict[int, str]] = field(default_factory=dict)
    readings: dict[str, Reading] = field(default_factory=dict)
    lasting: dict[str, list[str]] = field(default_factory=dict)
    components: tuple[Component, ...] = ()
    invariants: list[Invariant] = field(default_factory=list)
    relations: list[Guard] = field(default_factory=list)
    watched: dict[str, Expr] = field(default_factory=dict)
    over: tuple[Expr, Block] | None = None
    loops: dict[Origin, bool] = field(default_factory=dict)  # those without an order; True: said to have none
    at_once: dict[str, Chance] = field(default_factory=dict)  # what fate decides for several at once, by its action
    setup: Block = ()
    main: Block = ()
    aside: list[Block] = field(default_factory=list)  # what triggers and hooks do
    score: Score | None = None
    broken: set[str] = field(default_factory=set)
    assumptions: frozenset[str] = frozenset()  # the names by which lines cite them
    looks: FileObservations = field(default_factory=FileObservations)
    points: set[str] = field(default_factory=set)
    room: int = MOST_WRITTEN  # for what definitions say where they are used; none: that was reported
    topped: dict[str, Span] = field(default_factory=dict)  # piles whose top or bottom card is a value, and where
    later: set[str] = field(default_factory=set)  # choices of set-up that are spoken of in play
    price: Price | None = None
    texts: dict[str, Texts] = field(default_factory=dict)  # by kind
    carried: dict[str, Node] = field(default_factory=dict)  # texts that are carried out as a whole, by component
    verbs: dict[tuple[str, str], Verb] = field(default_factory=dict)  # by verb and noun: `deal`, `damage`
    others: OtherAnswers = field(default_factory=OtherAnswers)
    moments: dict[str, list[Stmt]] = field(default_factory=dict)  # what other answers have done at a later one
    _places: dict[str, Span] = field(default_factory=dict)
    _counts: dict[tuple[str, int], int] = field(default_factory=dict)
    _numbers: dict[str, int] = field(default_factory=dict)
    _kinds: list[ComponentKind] = field(default_factory=list)
    _entries: int = 0
    _found: dict[str, tuple[Domain, Mapping[str | int, list[int]]]] = field(default_factory=dict)

    @property
    def player(self) -> Elem:
        """The type of players."""
        return Elem(PLAYER, 0, self.seats.number - 1)

    def begin(self, reporter: Reporter) -> None:
        """Begins another text, such as a claim, with its own report and as much room for definitions as rules have."""
        self.reporter = reporter
        self.room = MOST_WRITTEN

    def copied(self, reporter: Reporter, rewritten: Callable[[Span], bool]) -> Symbols:
        """The same declarations for another report, in which names may be taken that are declared where text is
        `rewritten`. What is declared in it is not declared here."""
        made = copy(self)
        for one in fields(self):
            held = getattr(self, one.name)
            if isinstance(held, dict | list | set):
                setattr(made, one.name, held.copy())
        made.begin(reporter)
        made._places = {name: span for name, span in self._places.items() if not rewritten(span)}
        return made

    def text(self, span: Span) -> str:
        """The rules text of a span as one line, as a guard shows it."""
        source = next((s for s in self.sources if s.path == span.path), None)
        if source is None:
            return "this"
        lines = [source.line(number) for number in range(span.line, span.end_line + 1)]
        lines[-1] = lines[-1][: span.end_column - 1]
        lines[0] = lines[0][span.column - 1 :]
        return " ".join(word for line in lines for word in without_comment(line).split())

    def claim(self, name: Word) -> str:
        """Takes a name for a declaration; raises Wrong if it is reserved or taken."""
        if name.text in RESERVED:
            self.reporter.error("NM03", f"`{name.text}` is a word of the language: choose another name", name.span)
            raise ErrorReported
        taken = self._places.get(name.text)
        if taken is not None:
            # kinds are read before zones, and so on: what the reader meets first is the first
            one, other = (taken, name.span) if taken.path != name.span.path else sorted((taken, name.span))
            notes = ((f"{name.text} is declared here first", one),)
            self.reporter.error("NM02", f"the name {name.text} is used twice", other, notes=notes)
            raise ErrorReported
        self._places[name.text] = name.span
        return name.text

    def point(self, wanted: str) -> str:
        """A fresh published name for a point."""
        name = self.numbered(wanted, self.points)
        self.points.add(name)
        return name

    def numbered(self, wanted: str, taken: Container[str], sign: str = ".") -> str:
        """The name, or if it is taken the name with a number that makes it a new one."""
        name = wanted
        while name in taken:
            # goes on where it stopped: thousands of statements may want the same name
            self._counts[wanted, id(taken)] = count = self._counts.get((wanted, id(taken)), 1) + 1
            name = f"{wanted}{sign}{count}"
        return name

    def said(self) -> frozenset[str]:
        """Every word that means something in these rules, but for the names of the seats."""
        members = (domain.labels for name, domain in self.domains.items() if name != PLAYER)
        labels = frozenset(label for found in members for label in found if isinstance(label, str))
        declared = self._places.keys() | self.vars.keys() | self.attributes.keys() | self.options.keys()
        return (labels | declared) - {*self.seats.roles}

    def declared(self, name: str) -> bool:
        """Whether some declaration has this name."""
        return name in self._places

    def values(self) -> set[str]:
        """Every name that a value may begin with, for suggestions."""
        return self.names() - self.action_nodes.keys() - self.procedure_nodes.keys()

    def labels(self, kind: Type) -> tuple[str, ...]:
        """The members of a type by name, for suggestions."""
        if not isinstance(kind, Elem):
            return ()
        return tuple(str(label) for label in self.domains[kind.domain].labels[kind.lo : kind.hi + 1])

    def has_numbers(self, kind: Elem) -> bool:
        """Whether the members of a type are called by numbers."""
        return isinstance(self.domains[kind.domain].labels[kind.lo], int)

    def numbers_of(self, kind: Elem) -> tuple[int, ...] | None:
        """The numbers that the members of a type count as; None if they are no numbers.

        Members labelled with numbers count as these, columns of a board from 1 on. In an ordered type with numbers in a
        row, names before and behind them count on: below 2 comes 1, above 10 comes 11.
        """
        domain = self.domains[kind.domain]
        labels = domain.labels[kind.lo : kind.hi + 1]
        numbers = tuple(label for label in labels if isinstance(label, int))
        if len(numbers) == len(labels):
            return numbers
        if any(kind.domain == board.column_domain for board in self.boards.values()):
            return tuple(range(kind.lo + 1, kind.hi + 2))
        start = self._first_counted(domain)
        return None if start is None else tuple(range(start + kind.lo, start + kind.hi + 1))

    def _first_counted(self, domain: Domain) -> int | None:
        """What the first member of a type counts as in which names stand before or behind numbers in a row."""
        known = [(label - place, place) for place, label in enumerate(domain.labels) if isinstance(label, int)]
        in_a_row = bool(known) and known[-1][1] - known[0][1] + 1 == len(known) and len({one for one, _ in known}) == 1
        return known[0][0] if domain.ordered and in_a_row else None

    def describe(self, kind: Type) -> str:
        """A type in words, for diagnostics."""
        match kind:
            case Bool():
                return "a condition"
            case Int(lo, hi):
                return f"the number {lo}" if lo == hi else f"a number {lo}..{hi}"
            case Elem():
                return typed_operators.article(self._noun(kind))
            case Maybe(of):
                return f"{self.describe(of)} or none"
            case SetOf(of) | Many(of):
                return f"a set of {self._nouns(of)}" if isinstance(of, Elem) else "a set of numbers"
            case _:
                assert_never(kind)

    def _noun(self, kind: Elem) -> str:
        if kind.domain == COMPONENT:
            within = [k.name for k in self.kinds.values() if k.lo <= kind.lo and kind.hi <= k.hi]
            return within[0] if within else COMPONENT
        domain = self.domains[kind.domain]
        if domain.kind is DomainKind.CELL:
            return f"cell of {domain.name}"
        return "action taken" if domain.kind is DomainKind.BRANCH else domain.name

    def _nouns(self, kind: Elem) -> str:
        """Several of a type, in words: `dice 1..6`, `cells of square`."""
        first, *rest = self._noun(kind).split(" ")
        return " ".join(("dice" if first == "die" else f"{first}s", *rest))

    def names(self) -> set[str]:
        """Every declared name, for suggestions."""
        return {
            *self.vars,
            *self.zones,
            *self.defines,
            *self.boards,
            *self.kinds,
            *self.groups,
            *self.readings,
            *self.seats.roles,
            *self.action_nodes,
            *self.procedure_nodes,
            *self.tables,
        }

    def unknown(self, name: Word, what: str, known: set[str] | Callable[[], set[str]] | None = None) -> ErrorReported:
        """Reports an unknown name (quietly if its declaration is one that could not be read)."""
        if name.text not in self.broken and self.reporter.wants("NM01", name.span):
            hint = guess(name.text, self.names() if known is None else known() if callable(known) else known)
            hint = hint or guess(name.text, self.broken - LANGUAGE)  # what is declared where the text could not be read
            other = self._category(name.text)
            why = f"is {typed_operators.article(other)}" if other else "is not known here"
            self.reporter.error("NM01", f"`{name.text}` {why}: expected {what}", name.span, hint=hint)
        return ErrorReported()

    def _category(self, name: str) -> str | None:
        """What a declared name stands for, in a word."""
        categories: dict[str, Container[str]] = {
            "action": self.action_nodes,
            "procedure": self.procedure_nodes,
            "definition": self.defines,
            "zone": self.zones,
            "counter": self.vars,
            "kind of component": self.kinds,
            "board": self.boards,
            "table": self.tables,
            "player": self.seats.roles,
        }
        return next((what for what, names in categories.items() if name in names), None)

    def wrong(
        self, code: str, message: str, span: Span, *, hint: str | None = None, expected: tuple[str, ...] = ()
    ) -> ErrorReported:
        """Reports an error and returns what to raise."""
        self.reporter.error(code, message, span, hint=hint, expected=expected)
        return ErrorReported()

    def domain(self, name: str, kind: DomainKind, labels: tuple[str | int, ...], ordered: bool = False) -> Domain:
        """Adds a domain."""
        made = Domain(name, kind, labels, ordered)
        self.domains[name] = made
        return made

    def kind(self, name: Word) -> ComponentKind:
        """The kind of this name. Raises Wrong."""
        if name.text not in self.kinds:
            raise self.unknown(name, "a kind of component", set(self.kinds))
        return self.kinds[name.text]

    def kinds_of(self, name: Word) -> tuple[ComponentKind, ...]:
        """The kinds that a name stands for: one, or all of a group. Raises Wrong."""
        group = self.groups.get(name.text)
        return group.kinds if group is not None else (self.kind(name),)

    def take(self, entries: int, where: Span) -> None:
        """Counts what a declaration needs in every position of a game. Raises Wrong past the limit."""
        self._entries += entries
        if self._entries > MOST_ENTRIES:
            raise self.wrong("KY01", f"with these a position has more than {MOST_ENTRIES:,} counters and spots", where)

    def number_of(self, kind: ComponentKind) -> int:
        """How many components of a kind there are."""
        if not self._numbers:
            for component in self.components:
                self._numbers[component.kind] = self._numbers.get(component.kind, 0) + component.number
        return self._numbers.get(kind.name, 0)

    def kind_at(self, index: int) -> ComponentKind:
        """The kind of a component class."""
        kinds = list(self.kinds.values()) if len(self._kinds) != len(self.kinds) else self._kinds
        self._kinds = kinds
        return kinds[bisect_right(kinds, index, key=lambda k: k.lo) - 1]

    @property
    def folder(self) -> Path:
        """The folder of the ruleset, where its data files are."""
        return Path(self.sources[0].path).parent

    def table(self, name: str, keys: tuple[Scalar, ...], kind: Type, values: tuple[Value, ...]) -> str:
        """Adds a constant table unless it is there already."""
        self.tables.setdefault(name, Table(name, keys, kind, values))
        return name

    def labelled(self, of: Elem, label: str | int) -> int | None:
        """The index of the member of a type with this label."""
        domain = self.domains[of.domain]
        known = self._found.get(of.domain)
        if known is None or known[0] is not domain:
            found: dict[str | int, list[int]] = {}
            for index, one in enumerate(domain.labels):
                found.setdefault(one, []).append(index)
            known = self._found[of.domain] = (domain, found)
        return next((index for index in known[1].get(label, ()) if of.lo <= index <= of.hi), None)

    def role(self, name: str) -> int | None:
        """The seat that the rules call by this name."""
        return self.seats.roles.index(name) if name in self.seats.roles else None

    def next_player(self, back: bool) -> str:
        """The table from each player to the next (or previous) one round the table."""
        n, step = self.seats.number, -1 if back else 1
        name = "previous player" if back else "next player"
        return self.table(name, (self.player,), self.player, tuple((p + step) % n for p in range(n)))

    def opponent(self, of: Expr, span: Span) -> Look:
        """The other player of two; raises Wrong with more."""
        if self.seats.number != 2:
            raise self.wrong(
                "NM08",
                f"`opponent` says too little with {self.seats.number} players",
                span,
                hint="name the player, for example by an argument `against: another player`",
            )
        self.table("opponent", (self.player,), self.player, (1, 0))
        return Look("opponent", (of,), self.player, span)
