"""The function of a flow's whole games: asked for what a game comes to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.codegen.compiled_program import carried_out, space
from referee.codegen.kept.code_store import code_of
from referee.codegen.runtime_support import Again, StepError
from referee.codegen.whole_games.game_function import GameFunction, Kind
from referee.codegen.whole_games.set_memory import KnownMembers
from referee.codegen.whole_games.set_numbers import (
    bag_content,
    bag_counts,
    lies_at,
    members_of,
    number_of,
    spot_content,
    spot_sets,
)
from referee.game.event import Spoken
from referee.game.event_table import EventTable
from referee.game.state import Open, State

UNKNOWN = 1 << 30
"""The kind of an event that no point takes."""
Result = tuple[frozenset[int], tuple[int, ...] | None]
Row = tuple[Any, ...]


class WholeGame:
    """Follows whole games of a flow from a point on."""

    def __init__(self, form: GameFunction, fixed: int) -> None:
        """`fixed`: as in the layout of the flow."""
        self._form, self._fixed = form, fixed
        self._function = carried_out(
            code_of(form.code), {**space(), "M": KnownMembers(), "lies_at": lies_at, **form.objects})
        self._winners: dict[int, frozenset[int]] = {}
        self._table: EventTable | None = None
        self._rows: list[Row] = []
        self._end: Row = (-1, *[None] * (form.width + 1))
        self._begun: tuple[State | None, list[Any]] = (None, [])

    def result(self, state: State, numbers: Sequence[int], table: EventTable) -> Result | None:
        """What a game comes to that ends with the last of some events; None if there is anything unusual about it. At
        the position everything holds that is to hold always."""
        found = self._followed(state, numbers, table)
        if found is None or len(found) > 2:
            return None
        won, scores = found
        return self.winners(won), scores

    def winners(self, won: int) -> frozenset[int]:
        """Who has won, of whom there is a number."""
        winners = self._winners.get(won)
        if winners is None:
            winners = self._winners[won] = frozenset(members_of(won))
        return winners

    def follow(self, state: State, numbers: Sequence[int], table: EventTable) -> State | None:
        """The position behind some events; None if there is anything unusual about one of them, or the game ends."""
        found = self._followed(state, numbers, table)
        return State(found[0], self._slots(found[2])) if found is not None and len(found) > 2 else None

    def _followed(self, state: State, numbers: Sequence[int], table: EventTable) -> tuple[Any, ...] | None:
        place = self._form.places.get(state.at)
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
        number = self._form.kinds.get(kind, UNKNOWN)
        if any(value.__class__ is not int and value.__class__ is not tuple for value in values):
            number = UNKNOWN
        return (number, by, *values[:self._form.width], *[None] * (self._form.width - len(values)))

    def _lies(self, state: State) -> bool:
        """Whether a position is one for the function; then it is what that begins with."""
        if self._begun[0] is not state:
            if any(isinstance(one, Open) for one in state.slots):
                return False
            self._begun = state, self._entries(state)
        return True

    def _entries(self, state: State) -> list[Any]:
        """A position as the function takes it."""
        entries: list[Any] = list(state.slots)
        for at in self._form.sets:
            entries[at] = number_of(entries[at])
        for at, low, _ in self._form.spots:
            entries[at] = spot_sets(entries[at], low, self._form.classes)
        for at in self._form.counted:
            entries[at] = bag_counts(entries[at], self._form.classes)
        return [*entries[:self._fixed], tuple(entries[self._fixed:])]

    def _slots(self, entries: list[Any]) -> tuple[Any, ...]:
        """The entries of a position, from those of the function."""
        slots: list[Any] = [*entries[:-1], *entries[-1]]
        for entry in self._form.truths:
            slots[entry] = slots[entry] != 0
        for entry in self._form.sets:
            slots[entry] = frozenset(members_of(slots[entry]))
        for entry, low, high in self._form.spots:
            slots[entry] = spot_content(slots[entry], low, high)
        for entry in self._form.counted:
            slots[entry] = bag_content(slots[entry])
        return tuple(slots)
