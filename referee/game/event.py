"""Events: what somebody did at a point, with the values that a log states."""

from __future__ import annotations

from referee.core.types import Value
from referee.system.lazy_dataclasses import dataclass

FATE = -1
"""`by` of a chance event."""
TABLE = -2
"""`by` of a ruling."""
NOBODY = -3
"""A seat at which nobody sits: whoever has it sees what everybody sees."""
CHOICE = "choice"
"""The argument of a ruling."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened: who (a seat, `FATE` or `TABLE`), its label, and the logged arguments as declared.

    A ruling has the name of its point as label, and one argument: `CHOICE`.
    """

    by: int
    label: str
    args: tuple[tuple[str, Value], ...] = ()


Spoken = tuple[Event, tuple[str, ...], int, tuple[Value, ...]]
"""An event, and taken apart: its label with the names of its arguments, who, and the values of the arguments."""


def spoken(event: Event) -> Spoken:
    """An event as those take it who look up by label and arguments what to do with it."""
    return event, (event.label, *[name for name, _ in event.args]), event.by, tuple([value for _, value in event.args])
