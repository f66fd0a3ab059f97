"""The function of a flow's whole games: made, kept, and asked for what a game comes to."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Sequence
from types import CodeType
from typing import Any

from referee.codegen.compiled_program import carried_out, space
from referee.codegen.often.local_entries import PlainNames, entry_name
from referee.codegen.runtime_support import Again, StepError
from referee.codegen.source_text import Objects, TooLong
from referee.codegen.trusted_variables import doubt
from referee.codegen.value_bounds import BoundProver
from referee.codegen.whole_games.game_code import GameCode, Kind
from referee.codegen.whole_games.set_code import WIDEST, is_set
from referee.codegen.whole_games.set_numbers import (
    KnownMembers,
    lies_at,
    members_of,
    number_of,
    spot_content,
    spot_sets,
)
from referee.codegen.whole_games.set_scope import NotWhole, SpotBySpot
from referee.core.flow import Flow, asks
from referee.core.intervals import of_type
from referee.core.ruleset import Zone
from referee.core.types import Bool, size
from referee.game.event import Spoken
from referee.game.event_table import EventTable
from referee.game.state import Layout, Open, State

MOST_NODES, MOST_LINES = 150, 1_500
"""Of a larger flow, or with more lines, most of a function would never be needed, and to make it takes its time."""
MOST_CLASSES = 16
UNKNOWN = 1 << 30
"""The kind of an event that no point takes."""
Result = tuple[frozenset[int], tuple[int, ...] | None]
Row = tuple[Any, ...]


class WholeGame:
    """Follows whole games of a flow from a point on. Raises `NotWhole` for a flow of which no function is made."""

    def __init__(self, flow: Flow, layout: Layout, start: int) -> None:
        if len(flow.nodes) > MOST_NODES:
            raise NotWhole("there are too many nodes")
        self.start = start
        self._layout = layout
        self._spots = _spots(layout)
        prover = BoundProver(layout)
        doubt(flow, prover)
        _trusted(layout, prover)
        try:
            code, text, objects = self._made(flow, prover)
        except (TooLong, RecursionError) as why:
            raise NotWhole("the function would be too long") from why
        self.text = text
        self._kinds, self._width = code.kinds, code.width
        self._places = {at: number for number, (at, used) in enumerate(code.places)
                        if used and asks(flow.nodes[at]) is not None}
        self._names = {**space(), "M": KnownMembers(), "lies_at": lies_at, **objects.named}
        self._function = carried_out(self._compiled(text), self._names)
        self._winners: dict[int, frozenset[int]] = {}
        self._table: EventTable | None = None
        self._rows: list[Row] = []
        self._end: Row = (-1, *[None] * (self._width + 1))
        self._begun: tuple[State | None, list[Any]] = (None, [])

    _coder: type[GameCode] = GameCode

    def _made(self, flow: Flow, prover: BoundProver) -> tuple[GameCode, str, Objects]:
        """The source. Zones of which it is asked spot by spot are left as they are."""
        carried = 0
        while True:
            objects = Objects()
            code = self._coder(flow, self._layout, objects, prover, {
                name: f"z{self._layout.zones[name].base}_" for name in self._spots}, carried)
            try:
                text = code.text(self.start)
            except SpotBySpot as why:
                self._spots.remove(why.zone)
                continue
            if text.count("\n") > MOST_LINES:
                raise NotWhole("the function would be too long")
            if code.carried | carried == carried:
                return code, text, objects
            carried |= code.carried

    def _compiled(self, text: str) -> CodeType:
        """The function, with its plain entries in local variables."""
        tree = ast.parse(text)
        function = tree.body[0]
        assert isinstance(function, ast.FunctionDef)
        spots = {self._layout.zones[name].base for name in self._spots}
        naming = PlainNames(_plain(self._layout) - spots)
        body = [naming.visit(one) for one in function.body]
        used = {one.id for part in body for one in ast.walk(part) if isinstance(one, ast.Name)}
        written = {one.id for part in body for one in ast.walk(part)
                   if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
        kept = [f"s[{at}] = {entry_name(at)}" for at in sorted(_plain(self._layout)) if entry_name(at) in written]
        kept += [f"s[{at}] = z{at}_, e{at}_" for at in sorted(spots) if f"e{at}_" in used]
        body = _EntriesTold(kept).visit(ast.Module(body, [])).body
        begun = ["s = s.copy()"] if "s" in used else []
        begun += [f"{entry_name(at)} = s[{at}]" for at in sorted(_plain(self._layout)) if entry_name(at) in used]
        begun += [f"z{at}_, e{at}_ = s[{at}]; z{at}_ = z{at}_.copy()" for at in sorted(spots)
                  if {f"z{at}_", f"e{at}_"} & used]
        function.body = [*ast.parse("\n".join(begun)).body, *body]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)  # a constant compared with a constant
            return compile(ast.fix_missing_locations(tree), "<generated>", "exec")

    @property
    def points(self) -> tuple[int, ...]:
        """The nodes at which somebody is asked."""
        return tuple(self._places)

    def result(self, state: State, numbers: Sequence[int], table: EventTable) -> Result | None:
        """What a game comes to that ends with the last of some events; None if there is anything unusual about it. At
        the position everything holds that is to hold always."""
        found = self._followed(state, numbers, table)
        if found is None or len(found) > 2:
            return None
        won, scores = found
        winners = self._winners.get(won)
        if winners is None:
            winners = self._winners[won] = frozenset(members_of(won))
        return winners, scores

    def follow(self, state: State, numbers: Sequence[int], table: EventTable) -> State | None:
        """The position behind some events; None if there is anything unusual about one of them, or the game ends."""
        found = self._followed(state, numbers, table)
        return self._state(found[0], found[2]) if found is not None and len(found) > 2 else None

    def _followed(self, state: State, numbers: Sequence[int], table: EventTable) -> tuple[Any, ...] | None:
        place = self._places.get(state.at)
        if place is None:
            return None
        if not self._lies(state):
            return None
        if table is not self._table:
            self._table, self._rows = table, []
        rows = self._rows
        if len(rows) < len(table.events):
            rows += map(self._row, table.events[len(rows):])
        events = [*map(rows.__getitem__, numbers), self._end]
        try:
            found: tuple[Any, ...] | None = self._function(self._begun[1], place, iter(events))
        except (StepError, Again):
            return None
        return found

    def _row(self, said: Spoken) -> Row:
        """What an event says, as the function reads it."""
        _, words, by, values = said
        kind: Kind = (words, tuple([value.__class__ is tuple for value in values]))
        number = self._kinds.get(kind, UNKNOWN)
        if any(value.__class__ is not int and value.__class__ is not tuple for value in values):
            number = UNKNOWN
        return (number, by, *values[:self._width], *[None] * (self._width - len(values)))

    def _lies(self, state: State) -> bool:
        """Whether a position is one for the function; then it is what that begins with."""
        if self._begun[0] is not state:
            if any(isinstance(one, Open) for one in state.slots):
                return False
            self._begun = state, self._entries(state)
        return True

    def _entries(self, state: State) -> list[Any]:
        """A position as the function takes it."""
        layout = self._layout
        entries: list[Any] = list(state.slots)
        for name, var in layout.defs.items():
            if is_set(var.type):
                for at in layout.vars[name].entries:
                    entries[at] = number_of(entries[at])
        for name in self._spots:
            zone, at = layout.core.zones[name], layout.zones[name].base
            assert zone.spots is not None
            entries[at] = spot_sets(entries[at], zone.spots.lo, len(layout.core.components))
        return [*entries[:layout.fixed], tuple(entries[layout.fixed:])]

    def _state(self, at: int, entries: list[Any]) -> State:
        """The position that such entries are."""
        layout = self._layout
        slots: list[Any] = [*entries[:-1], *entries[-1]]
        for name, var in layout.defs.items():
            if is_set(var.type) or var.type == Bool():
                for entry in layout.vars[name].entries:
                    value = slots[entry]
                    slots[entry] = value != 0 if var.type == Bool() else frozenset(members_of(value))
        for name in self._spots:
            zone, entry = layout.core.zones[name], layout.zones[name].base
            assert zone.spots is not None
            slots[entry] = spot_content(slots[entry], zone.spots.lo, zone.spots.hi)
        return State(at, tuple(slots))


class _EntriesTold(ast.NodeTransformer):
    """Writes entries back where they are told."""

    def __init__(self, kept: Sequence[str]) -> None:
        self._kept = kept

    def visit_Return(self, node: ast.Return) -> ast.AST | list[ast.AST]:
        match node.value:
            case ast.Tuple(elts=[*_, ast.Name(id="s")]):
                return [*ast.parse("\n".join(self._kept)).body, node]
            case _:
                return node


def _plain(layout: Layout) -> frozenset[int]:
    """The entries that stand by themselves: no function looks for them by a key."""
    entries = [one for some in (layout.vars, layout.zones) for one in some.values() if not one.sizes]
    return frozenset((*(one.base for one in entries), *layout.rulings.values())) & frozenset(range(layout.fixed))


def _spots(layout: Layout) -> list[str]:
    """The zones of which the spots can be sets."""
    if len(layout.core.components) > MOST_CLASSES:
        return []
    return [zone.name for zone in layout.core.zones.values() if _on_spots(zone)]


def _on_spots(zone: Zone) -> bool:
    return zone.form.on_spots and zone.spots is not None and not zone.keys and zone.limit is None and (
        zone.capacity >= size(zone.spots)) and 0 <= zone.spots.lo <= zone.spots.hi <= WIDEST


def _trusted(layout: Layout, prover: BoundProver) -> None:
    """Raises `NotWhole` if a variable may hold a set that is none by its number."""
    for name, var in layout.defs.items():
        if is_set(var.type) and (name in prover.doubtful or not of_type(var.type).members_inside(0, WIDEST)):
            raise NotWhole("a variable may hold a set with members that are too small or too large")
