"""Scenarios: small games told in the rules, as events, refusals and expectations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from referee.core.expr import Expr
from referee.core.naming import is_bare
from referee.core.read_write_sets import reads
from referee.core.ruleset import PUBLIC, WINNERS, Core
from referee.core.stmt import Decide, point_of
from referee.core.traverse import bodies, statements
from referee.diagnostics.diagnostic import Diagnostic, Problems, Reporter
from referee.diagnostics.source import Source, Span
from referee.frontend.checks.cost_bound import LESS, MOST_WORK, Work, too_much
from referee.frontend.expressions import typed_operators
from referee.frontend.loading.assembly import Loaded, build, parsed
from referee.frontend.loading.core_builder import MOST_SHAPES, Built
from referee.frontend.loading.ruleset_files import find
from referee.frontend.names.bindings import Bound, Scope
from referee.frontend.names.seat_names import check_names
from referee.frontend.names.shapes import Range, Shape
from referee.frontend.names.symbol_table import guess
from referee.frontend.names.tree_access import ErrorReported, called, cites, head, node, nodes, text, word, words
from referee.frontend.scenarios.scenario_positions import Json, Start, combined, read_start
from referee.frontend.statements.actions import Acting
from referee.frontend.statements.statement_lowering import StatementLowering
from referee.syntax.syntax_tree import Node, Word

NAMES = ("ana", "ben", "cleo", "dan", "eve", "finn", "gil", "hana", "ivo", "jo", "kim", "lea")
"""The players of a scenario that names none."""


@dataclass(frozen=True, slots=True)
class ToldEvent:
    """An event that somebody causes, as a line of a log has it."""

    by: str
    do: str
    args: Mapping[str, Json]
    span: Span
    unnamed: tuple[Json, ...] = ()


@dataclass(frozen=True, slots=True)
class RefusedEvent:
    """An event that must be refused; `guards` are texts of guards that must be among those that fail."""

    event: ToldEvent
    guards: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class KnownEvent:
    """Whether somebody knows all of an event that was told before: a seat, or None for who sits at no seat."""

    who: int | None
    event: ToldEvent
    known: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Expected:
    """A condition that must hold now. `over`: it speaks of winners, so the game must be over."""

    cond: Expr
    text: str
    shows: tuple[tuple[str, Expr], ...]
    over: bool
    span: Span


Line = ToldEvent | RefusedEvent | KnownEvent | Expected
_OF_THE_SHAPE = frozenset({"SN05", "SH01", "SH02", "SH03", "SH04"})
"""Codes of what is wrong with the number of players or the options: it stands in the scenario, not in the rules."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario with the core of its shape. `header` holds what a log's header would besides the players."""

    title: str
    cites: tuple[str, ...]
    core: Core
    players: tuple[str, ...]
    header: Mapping[str, Mapping[str, Json]]
    lines: tuple[Line, ...]
    span: Span
    start: Start | None = None


class _OtherShape(Exception):
    """A scenario is for a shape that is not known."""


@dataclass
class _ScenarioReader:
    """Reads the scenarios of one ruleset; shapes are built once each, those that are `known` not at all. `only_known`:
    nothing is built; known shapes are told by all of their options."""

    loaded: Loaded
    reporter: Reporter
    built: dict[Shape, Built] = field(default_factory=dict)
    refused: dict[Shape, Problems] = field(default_factory=dict)
    known: Mapping[Shape, Built] = field(default_factory=dict)
    only_known: bool = False

    def scenario(self, decl: Node) -> Scenario | None:
        """One scenario, or None if it has errors (reported)."""
        seated = [w for part in nodes(decl, "s_players") for w in words(part)]
        named = [called(w) for w in seated]
        stated = {word(p.parts[0]).text: p for p in nodes(decl, "s_with")}
        options = tuple(sorted((n, self._plain(p)) for n, p in stated.items() if n in self.loaded.range.options))
        try:
            built = self._shape(Shape(len(named) or None, options))
        except Problems as problems:
            for found in problems.diagnostics:
                self.reporter.add(found if found.code not in _OF_THE_SHAPE else replace(found, span=head(decl)))
            return None
        core = built.core
        players = tuple(named) or core.seats.roles or NAMES[: core.seats.number]
        player = built.values.symbols.player
        bare = {n: Bound(typed_operators.member(i, player)) for i, n in enumerate(players) if is_bare(core, players, i)}
        before = len(self.reporter.found())
        check_names(self.reporter, seated)
        built.values.symbols.begin(self.reporter)
        scope = Scope(bare, owner="scenario", seats={n: i for i, n in enumerate(players)})
        lines = _Lines(self, built, players, scope).lines(decl)
        start = read_start(built.values, scope, decl, _points(ByIdentity(core)))
        others = [p for p in nodes(decl, "s_with") if word(p.parts[0]).text not in self.loaded.range.options]
        header = self._header(core, others)
        if len(self.reporter.found()) > before:
            return None
        return Scenario(text(decl.parts[0]), cites(decl), core, players, header, lines, head(decl), start)

    def _shape(self, shape: Shape) -> Built:
        if self.only_known:
            found = self.known.get(_whole(shape, self.loaded.range))
            if found is None:
                raise _OtherShape
            return found
        if shape not in self.built:
            if len(self.built) >= MOST_SHAPES:
                said = f"the scenarios before this one have {MOST_SHAPES} different numbers of players and options"
                raise Problems((Diagnostic("SN05", said, self.loaded.sources[0].whole()),))
            if shape in self.refused:
                raise self.refused[shape]
            try:
                self.built[shape] = self.known.get(_whole(shape, self.loaded.range)) or build(self.loaded, shape)
            except Problems as problems:
                self.refused[shape] = problems
                raise
        return self.built[shape]

    def _plain(self, stated: Node) -> str:
        return " ".join(w.text for p in nodes(stated, "event_word") for w in words(p))

    def _header(self, core: Core, stated: list[Node]) -> Mapping[str, Mapping[str, Json]]:
        """What a log's header would state. What has a key is stated for this key alone; the last of several counts."""
        header: dict[str, dict[str, Json]] = {}
        for part in stated:
            name = word(part.parts[0]).text
            var = core.vars.get(name)
            keys = {"reading": "readings", "parameter": "parameters", "given": "given"}
            if var is None or var.role.value not in keys:
                known = {n for n, v in core.vars.items() if v.role.value in keys} | set(self.loaded.range.options)
                self.reporter.error(
                    "SN01",
                    f"`{name}` is no option, reading, parameter or given",
                    word(part.parts[0]).span,
                    hint=guess(name, known),
                )
                continue
            of, *items = part.parts[1:]
            said = [] if of is None else [str(_json(p)) for p in node(of).parts if isinstance(p, Node | Word)]
            value = _json(items[0]) if isinstance(items[0], Node | Word) else ""
            if not _state(header.setdefault(keys[var.role.value], {}), [name, *said], value):
                self.reporter.error(
                    "SN01", f"all of `{name}` is stated above: no key of it by itself as well", part.span,
                    hint="leave that line out, and state each key")
        return header


def _state(values: dict[str, Json], keys: list[str], value: Json) -> bool:
    """States one value, which may have keys; whether that can be said beside what was stated before."""
    for key in keys[:-1]:
        inner = values.setdefault(key, {})
        if not isinstance(inner, dict):
            return False
        values = inner
    values[keys[-1]] = value
    return True


class _Lines:
    """Reads the lines of one scenario."""

    def __init__(self, reader: _ScenarioReader, built: Built, players: tuple[str, ...], scope: Scope) -> None:
        self._reporter = reader.reporter
        self._built = built
        self._players = players
        self._scope = scope
        symbols = built.values.symbols
        self._acting = Acting(symbols, built.values, StatementLowering(built.values))
        self._labels = labels(built.core)
        self._work = 0

    def lines(self, decl: Node) -> tuple[Line, ...]:
        found: list[Line] = []
        for part in nodes(decl, "s_event", "s_refused", "s_known", "s_expect"):
            try:
                found.extend(self._line(part))
            except ErrorReported:
                continue
        return tuple(found)

    def _line(self, part: Node) -> list[Line]:
        if part.kind == "s_event":
            return [self._event(e) for e in nodes(part, "event")]
        if part.kind == "s_refused":
            guards = tuple(text(w) for w in _after_colon(part))
            return [RefusedEvent(self._event(part), guards, part.span)]
        if part.kind == "s_known":
            return [self._known(part)]
        return [self._expected(c) for c in nodes(part) if c.kind != "cite"]

    def _known(self, part: Node) -> KnownEvent:
        who, knows, *said = (one for one in part.parts if isinstance(one, Node | Word))
        name = word(who)
        if called(name) not in (*self._players, PUBLIC):
            raise self._built.values.symbols.unknown(name, f"a player, or {PUBLIC}", {*self._players, PUBLIC})
        seat = None if called(name) not in self._players else self._players.index(called(name))
        event = self._event(replace(part, parts=tuple(said)))
        return KnownEvent(seat, event, word(knows).type == "KNOWS", part.span)

    def _expected(self, cond: Node) -> Expected:
        values = self._built.values
        expr = values.terms.condition(cond, self._scope)
        self._work += Work(self._built.core).of(expr)
        if self._work > MOST_WORK:
            self._reporter.error("BD10", too_much(self._work, "the expectations of this scenario"), cond.span,
                                 hint=LESS)
            raise ErrorReported
        over = WINNERS in reads(expr)
        return Expected(expr, values.symbols.text(cond.span), self._acting.shows(cond, self._scope), over, cond.span)

    def _event(self, part: Node) -> ToldEvent:
        by = word(node(part.parts[0]).parts[0])
        if called(by) not in (*self._players, "fate", "table"):
            raise self._built.values.symbols.unknown(by, "a player, fate or table", {*self._players, "fate", "table"})
        named = next(nodes(part, "event_word"))
        label = word(named.parts[0])
        if label.text not in self._labels:
            raise self._built.values.symbols.unknown(label, "something that can be done", set(self._labels))
        items = [p for p in part.parts if isinstance(p, Node | Word) and p is not named][1:]
        items = [
            p
            for p in items
            if not (isinstance(p, Word) and p.type == "MAY_NOT")
            and not (isinstance(p, Node) and p.kind in ("cite", "guards"))
        ]
        args, unnamed = self._arguments(label, items)
        return ToldEvent(called(by), label.text, args, part.span, unnamed)

    def _arguments(self, label: Word, items: list[Node | Word]) -> tuple[Mapping[str, Json], tuple[Json, ...]]:
        """`name value` pairs where a word is the name of an argument; and values, for the others in their order."""
        names = self._labels[label.text]
        found: dict[str, Json] = {}
        unnamed: list[Json] = []
        rest = list(items)
        while rest:
            item = rest.pop(0)
            spoken = self._json(item)
            quoted = isinstance(item, Word) and item.type == "STRING"
            free = isinstance(spoken, str) and spoken in names and spoken not in found and rest and not quoted
            name = spoken if free and isinstance(spoken, str) else None
            if name is not None:
                found[name] = self._json(rest.pop(0))
            elif len(found) + len(unnamed) < len(names):
                unnamed.append(spoken)
            else:
                hint = f"{label.text} has only: {', '.join(names)}" if names else None
                raise self._built.values.symbols.wrong("SN02", f"{label.text} has no further argument", item.span,
                                                       hint=hint)
        return found, tuple(unnamed)

    def _json(self, item: Node | Word) -> Json:
        """A value as a log has it; a component that is named by its members is called as the rules call it."""
        if isinstance(item, Node) and item.kind == "event_set":
            return [self._json(part) for part in item.parts if isinstance(part, Node | Word)]
        return self._combined(item) if isinstance(item, Node) and item.kind == "combination" else _json(item)

    def _combined(self, item: Node) -> Json:
        name, *members = item.parts
        said = tuple(_bare(word(member)) for member in members)
        term = Node("combination", (name, Node("args", said, item.span)), item.span)
        return combined(self._built.values, term)[0]


@dataclass(frozen=True)
class ByIdentity:
    """A core by its identity: scenarios of one shape share it, and what is made of it is kept."""

    core: Core

    def __hash__(self) -> int:
        return id(self.core)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ByIdentity) and other.core is self.core


@lru_cache(maxsize=32)
def _points(one: ByIdentity) -> tuple[str, ...]:
    """The names of the points at which a game rests, in the order of the text."""
    points = (point_of(stmt) for body in bodies(one.core) for stmt in statements(body))
    return tuple(dict.fromkeys(point.name for point in points if point is not None and point.rest))


def labels(core: Core) -> Mapping[str, tuple[str, ...]]:
    """The names of the logged arguments of each label, in order."""
    return _labels(ByIdentity(core))


@lru_cache(maxsize=32)
def _labels(one: ByIdentity) -> Mapping[str, tuple[str, ...]]:
    core = one.core
    found: dict[str, tuple[str, ...]] = {"rule": ("point", "choice")}
    fixed = _always_fixed(core)
    for action in core.actions.values():
        given = [p for p in action.params if p.name not in fixed.get(action.name, ())]
        names = tuple(p.arg for p in given if p.arg is not None)
        found[action.label] = tuple(dict.fromkeys((*found.get(action.label, ()), *names)))
    return found


def _always_fixed(core: Core) -> dict[str, frozenset[str]]:
    """The parameters of each action that are fixed wherever it is offered: no log names them."""
    found: dict[str, frozenset[str]] = {}
    for body in bodies(core):
        for stmt in statements(body):
            offered = stmt.options if isinstance(stmt, Decide) else ()
            for option in offered:
                names = frozenset(name for name, _ in option.bound)
                found[option.action] = found.get(option.action, names) & names
    return found


def _json(item: Node | Word | None) -> Json:
    if isinstance(item, Word):
        if item.type == "INT":
            return int(item.text[:18])
        return called(item)
    assert isinstance(item, Node)
    if item.kind == "event_set":
        return [_json(p) for p in item.parts]
    if item.kind == "minus_int":
        return -int(word(item.parts[0]).text[:18])
    if item.kind in ("yes", "no"):
        return item.kind == "yes"
    return _json(item.parts[0])


def _bare(said: Word) -> Node:
    """A member of a type as a value names it."""
    return Node("int" if said.type == "INT" else "name", (said,), said.span)


def _after_colon(part: Node) -> list[Word]:
    """The guards that a refusal names."""
    return [said for named in nodes(part, "guards") for said in words(named, "STRING")]


@dataclass(frozen=True, slots=True)
class Scenarios:
    """The scenarios of a ruleset, and the texts they come from."""

    found: tuple[Scenario, ...]
    sources: tuple[Source, ...]


def scenarios_of(loaded: Loaded, order: Callable[[str, tuple[str, ...]], tuple[int, ...]]) -> Iterator[Scenario]:
    """The scenarios of a ruleset one by one, each read when its turn comes, in an order by title and statements.

    Raises Problems at the first that cannot be read, or if the rules cannot.
    """
    reporter = Reporter()
    reader = _ScenarioReader(loaded, reporter)
    decls = [p for t in loaded.trees for p in nodes(t, "scenario")]
    for decl in sorted(decls, key=lambda d: order(text(d.parts[0]), cites(d))):
        found = reader.scenario(decl)
        if found is None or reporter.failed:
            raise Problems(reporter.found(), loaded.sources)
        yield found


def read_scenario(loaded: Loaded, decl: Node, built: Mapping[Shape, Built], reporter: Reporter) -> Scenario | None:
    """One scenario. None if it cannot be read, which is reported, or if its shape is none of those in `built`, by all
    of their options."""
    try:
        return _ScenarioReader(loaded, reporter, known=built, only_known=True).scenario(decl)
    except _OtherShape:
        return None


def _whole(shape: Shape, bounds: Range) -> Shape:
    """A shape with every option as it is, as the core made for it has them."""
    players = shape.players or bounds.fewest
    options = {name: values[0] for name, values in bounds.options_for(players).items()} | dict(shape.options)
    return Shape(players, tuple(sorted(options.items())))


def load_scenarios(where: str | Path, loaded: Loaded | None = None,
                   built: Mapping[Shape, Built] | None = None) -> Scenarios:
    """Every scenario of a ruleset. Raises Problems if the rules or a scenario cannot be read.

    `loaded`: the ruleset, if it was read before; `built`: shapes of it that need not be built again.
    """
    loaded = parsed(find(where)) if loaded is None else loaded
    reporter = Reporter()
    reader = _ScenarioReader(loaded, reporter, known=built or {})
    decls = [p for t in loaded.trees for p in nodes(t, "scenario")]
    found = [reader.scenario(d) for d in decls]
    if reporter.failed:
        raise Problems(reporter.found(), loaded.sources)
    return Scenarios(tuple(s for s in found if s is not None), loaded.sources)
