"""What takes the events of a table at each point: functions and their arguments, and quicker ones for what comes often.
"""

from __future__ import annotations

from typing import Any

from referee.codegen.compiled_steps import Stepping
from referee.codegen.offer_groups import groups
from referee.core.flow import offers
from referee.game.event_table import EventTable

OFTEN = 300
"""Events of a form that came so often at a point have a function made for them."""
Quick = tuple[Any, tuple[Any, ...], int]
"""What takes an event and goes on, what it is called with, and which claims it may break."""


class EventForm:
    """What takes the events of a form at a point, what that may break, and how often it was called. `quick`: the same
    with what comes behind, once it is made, and what that may break."""

    __slots__ = ("doubts", "group", "quick", "take", "times", "tried")

    def __init__(self, take: Any, doubts: int, group: tuple[int, ...]) -> None:
        self.take = take
        self.doubts = doubts
        self.group = group
        self.times = 0
        self.tried = False
        self.quick: tuple[Any, int] | None = None


Move = tuple[EventForm, tuple[Any, ...]]


class Moves:
    """For one table at a time, by point and number: of events that came often the quick functions are in `often`.
    `least`: so often has a form to come at a point."""

    def __init__(self, steps: Stepping) -> None:
        self.least = OFTEN
        self._steps = steps
        self._forms: dict[tuple[int, tuple[str, ...]], EventForm | None] = {}
        self._table: EventTable | None = None
        self._known: list[dict[int, Move]] = []
        self.often: list[dict[int, Quick]] = []

    def of(self, table: EventTable) -> list[dict[int, Move]]:
        """What is known of the events of a table."""
        if table is not self._table:
            self._table = table
            self._known = [{} for _ in self._steps.flow.nodes]
            self.often = [{} for _ in self._steps.flow.nodes]
        return self._known

    def move(self, at: int, number: int) -> Move | None:
        """What takes an event at a point; None if nothing plainly does."""
        assert self._table is not None
        _, key, by, values = self._table.events[number]
        if (at, key) not in self._forms:
            self._forms[at, key] = self._form(at, key)
        form = self._forms[at, key]
        if form is None:
            return None
        made = self._known[at][number] = form, (by, *values)
        return made

    def _form(self, at: int, key: tuple[str, ...]) -> EventForm | None:
        take = self._steps.takes[at].get(key) or self._steps.take(at, key)
        node = offers(self._steps.flow.nodes[at])
        if take is None or node is None:
            return None
        made = EventForm(*take, groups(node)[key])
        if self._steps.program.is_kept("step", at, *made.group):
            made.times = self.least  # came often before
        return made

    def quicken(self, at: int, number: int) -> None:
        """Events of this form come often at a point."""
        form, args = self._known[at][number]
        if not form.tried:
            form.tried = True
            program = self._steps.program
            found = program.step(at, form.group)
            form.quick = None if found is None else (found, program.doubts("step", at, *form.group))
        if form.quick is not None:
            self.often[at][number] = form.quick[0], args, form.quick[1]
