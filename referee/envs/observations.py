"""What a player sees, as numbers: a vector of the same length and meaning at every position of a game.

First comes who is asked and what, then the picks of an event that has been begun, then every zone and every variable in
the order of the rules. `spec/environments.md` says what stands for what.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import assert_never

from referee.api.errors import ArgumentError
from referee.core.flow import Ask, Draw, Fork, Gather, Rule, Run
from referee.core.ruleset import Core, Form, Role, Var, Zone
from referee.core.types import Bool, Elem, Int, Many, Maybe, SetOf, Type, size
from referee.game.player_views import ZoneView, table
from referee.game.state import Open, Slot, State, is_open
from referee.interpreter.walker import Walker

MOST_ENTRIES = 200_000
"""Numbers in an observation: rules that take more make no environment."""
MOST_PICKS = 32
"""Of the picks of an event that has been begun, the last so many are shown."""
FARTHEST = 2**53
"""No number of an observation is farther from 0: one that is stands as this."""
UNSEEN, UNKNOWN = -1, -2
"""On a spot lies something that he does not see; he does not even know whether something lies there."""
Bounds = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Observed:
    """What an entry, or several in a row, stand for: words, the bounds of each, and how many there are."""

    name: str
    bounds: Bounds
    number: int = 1


class Observations:
    """How the positions of one game are seen as numbers."""

    def __init__(self, walker: Walker, codes: int, longest: int) -> None:
        """`codes`: the number of picks; `longest`: of how many an event can consist. Raises `ArgumentError` (EN02)."""
        self._walker = walker
        core = walker.core
        self._seats = core.seats.number
        self._points = {at: number for number, at in enumerate(_points(walker), 1)}
        self._picks = min(longest, MOST_PICKS)
        self._classes = {zone.name: _classes(core, zone) for zone in core.zones.values()}
        self._vars = {var.name: var for var in core.vars.values()
                      if var.role is Role.STATE or (var.role is not Role.REGISTER and is_open(var))}
        self.entries = tuple(self._entries(codes))
        self.length = sum(one.number for one in self.entries)
        if self.length > MOST_ENTRIES:
            most = max(self.entries, key=lambda one: one.number)
            raise ArgumentError("EN02", f"an observation of these rules has {self.length:,} numbers, more than "
                                        f"{MOST_ENTRIES:,}", hint=f"{most.name} alone takes {most.number:,} at a time")

    def _entries(self, codes: int) -> Iterator[Observed]:
        core, layout = self._walker.core, self._walker.layout
        yield Observed("own seat", (0, self._seats - 1))
        yield Observed("asked, by seat", (0, 1), self._seats)
        yield Observed("point", (0, len(self._points)))
        yield Observed("picks", (0, codes), self._picks)
        for zone in core.zones.values():
            classes = len(self._classes[zone.name])
            for key in layout.zones[zone.name].keys():
                name = f"{zone.name}{list(key) or ''}"
                yield Observed(f"{name}: seen", (0, 1))
                yield Observed(f"{name}: number", (0, zone.capacity))
                yield from _zone_entries(zone, name, classes)
        for var in self._vars.values():
            for key in layout.vars[var.name].keys():
                name = f"{var.name}{list(key) or ''}"
                yield Observed(f"{name}: known", (0, 1))
                yield _value_entries(var.type, name)

    def seen(self, state: State, seat: int, asked: frozenset[int], picks: Sequence[int]) -> list[int]:
        """What somebody sees at a position. `picks`: the codes of what he has picked of an event so far."""
        mine = seat in asked
        found = [seat, *(int(one in asked) for one in range(self._seats)), self._points[state.at] if mine else 0]
        shown = [code + 1 for code in picks[-self._picks:]] if mine else []
        found += [*shown, *[0] * (self._picks - len(shown))]
        view = table(self._walker.core, self._walker.layout, state, seat)
        for zone in view.zones:
            found += self._zone(self._walker.core.zones[zone.zone], zone)
        known = {(name, key): value for name, key, value in view.variables}
        for var in self._vars.values():
            for key in self._walker.layout.vars[var.name].keys():
                found += _value(var, known.get((var.name, key), Open(0, 0)))
        return [max(-FARTHEST, min(FARTHEST, one)) for one in found]

    def _zone(self, zone: Zone, view: ZoneView) -> list[int]:
        classes = self._classes[zone.name]
        content = view.content
        head = [int(content is not None), view.number if view.taken is not None or zone.form is not Form.SLOTS else 0]
        match zone.form:
            case Form.SLOTS:
                assert zone.spots is not None
                if content is not None:
                    return head + [0 if one is None else classes[one] for one in content]  # type: ignore[index]  # a class
                taken = view.taken
                return head + [UNSEEN if one else 0 for one in taken or ()] + [UNKNOWN] * (
                    size(zone.spots) if taken is None else 0)
            case Form.LINE:
                places = [classes[one] for one in content or () if isinstance(one, int)]
                return head + places + [0] * (zone.capacity - len(places))
            case Form.BAG | Form.PILE:
                return head + _counted(classes, content or (), zone.form)
            case _:
                assert_never(zone.form)


def _counted(classes: dict[int, int], content: Sequence[object], form: Form) -> list[int]:
    """How many of each class there are; of a pile before that what lies on top, if that is known."""
    numbers = [0] * len(classes)
    blocks = [one if isinstance(one, tuple) else (one,) for one in content]
    for block in blocks:
        for one in block:
            numbers[classes[one] - 1] += 1
    if not form.in_blocks:
        return numbers
    return [classes[blocks[0][0]] if blocks and len(set(blocks[0])) == 1 else 0, *numbers]


def _points(walker: Walker) -> Iterator[int]:
    """Where players are asked, in the order of the course."""
    for at, node in enumerate(walker.flow.nodes):
        match node:
            case Ask() | Gather():
                yield at
            case Run() | Fork() | Draw() | Rule():
                pass
            case _:
                assert_never(node)


def _classes(core: Core, zone: Zone) -> dict[int, int]:
    """The classes of components that a zone admits -> their numbers there, from 1."""
    admitted = [index for index, one in enumerate(core.components) if one.kind in zone.kinds]
    return {index: number for number, index in enumerate(admitted, 1)}


def _zone_entries(zone: Zone, name: str, classes: int) -> Iterator[Observed]:
    match zone.form:
        case Form.SLOTS:
            assert zone.spots is not None
            yield Observed(f"{name}: what lies on each spot", (UNKNOWN, classes), size(zone.spots))
        case Form.LINE:
            yield Observed(f"{name}: what lies at each place", (0, classes), zone.capacity)
        case Form.PILE:
            yield Observed(f"{name}: what lies on top", (0, classes))
            yield Observed(f"{name}: how many of each", (0, zone.capacity), classes)
        case Form.BAG:
            yield Observed(f"{name}: how many of each", (0, zone.capacity), classes)
        case _:
            assert_never(zone.form)


def _value_entries(kind: Type, name: str) -> Observed:
    match kind:
        case Bool():
            return Observed(name, (0, 1))
        case Int() | Elem():
            return Observed(name, _near(min(kind.lo, 0), max(kind.hi, 0)))
        case Maybe():
            return Observed(name, _near(min(kind.of.lo - 1, 0), max(kind.of.hi, 0)))
        case SetOf():
            return Observed(f"{name}: which are in it", (0, 1), size(kind.of))
        case Many():
            return Observed(f"{name}: how many of each", (0, kind.most), size(kind.of))
        case _:
            assert_never(kind)


def _near(lo: int, hi: int) -> Bounds:
    return max(lo, -FARTHEST), min(hi, FARTHEST)


def _value(var: Var, value: Slot) -> list[int]:
    """Whether a value is known, and the value."""
    kind = var.type
    if isinstance(value, Open):
        return [0] * (1 + _value_entries(kind, "").number)
    match kind:
        case Bool() | Int() | Elem():
            return [1, int(value)]  # type: ignore[arg-type]  # a number
        case Maybe():
            return [1, kind.of.lo - 1 if value is None else int(value)]  # type: ignore[arg-type]  # a number
        case SetOf() | Many():
            numbers = [0] * size(kind.of)
            for one in value:  # type: ignore[union-attr]  # members
                numbers[one - kind.of.lo] += 1  # type: ignore[operator]  # an index
            return [1, *numbers]
        case _:
            assert_never(kind)
