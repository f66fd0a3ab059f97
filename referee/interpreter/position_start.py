"""Starts a game from a position: everything in its place, tested as far as rules can test what they did not make."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, assert_never

from referee.core.ruleset import TURN, Component, Form, Home, Key, Zone
from referee.core.types import COMPONENT, size
from referee.diagnostics.suggestions import did_you_mean
from referee.game.log.header_registers import RegisterReader, register_kind
from referee.game.log.strict_json import brief
from referee.game.setting import Setting
from referee.game.start_position import (
    HIDDEN_ONE,
    VACANT,
    WHOSE_TURN,
    BadPosition,
    MissingEntry,
    Placed,
    Position,
    ToldRegister,
)
from referee.game.state import Layout, empty
from referee.game.value_codec import called, encode_value
from referee.interpreter.closures.frame import Frame
from referee.interpreter.closures.statement_closures import block
from referee.interpreter.closures.zone_moves import amount
from referee.interpreter.course import FlowCourse
from referee.interpreter.initial_state import home, stated
from referee.interpreter.start_points import Register, StartPoint, StartPoints

Slots = list[Any]
Conceal = Callable[[Layout, Slots, Mapping[int, int]], None]
"""Puts something in the place of each hidden component (`HIDDEN_ONE`); so many of each class are left for them."""


def placed(course: FlowCourse, points: StartPoints, setting: Setting, position: Position,
           unknown: object = None, conceal: Conceal | None = None) -> tuple[int, Frame]:
    """The node and the frame in which a game begins that starts from a position. `unknown`: stands in every zone of
    which it is not known what lies there, `conceal` is for those of which it is only known how many components lie
    there; None where such positions are refused.

    Raises `BadPosition` (LG26 to LG29, LG32), `Fault` and `Unsettled`, and what `unknown` raises if it is looked into.
    """
    if not position.rest_known and (unknown is None or (position.hidden and conceal is None)):
        raise BadPosition("LG32", "it is not known where everything lies", "state")
    point = points.find(position.at)
    slots = stated(course.layout, setting, home(course.layout))
    filling = _Filling(course.layout, slots, position, setting.players)
    if position.hidden and conceal is not None:
        conceal(course.layout, slots, filling.fill_hidden())
    else:
        filling.fill(None if position.rest_known else unknown)
    for (name, key), value in position.values.items():
        slots[course.layout.vars[name].find(key)] = value
    if position.turn is not None:
        slots[course.layout.vars[TURN].base] = position.turn
    frame = Frame(course.code, slots)
    for register, cond in points.watched.items():
        slots[course.layout.vars[register].base] = frame.evaluate(cond)
    _enter(course, point, setting, position, frame)
    return point.at, frame


def _enter(course: FlowCourse, point: StartPoint, setting: Setting, position: Position, frame: Frame) -> None:
    """Fills the registers of a point: what is told of them, and what the statements right before it make of the
    position."""
    core, slots, layout = course.layout.core, frame.slots, course.layout
    told = _told(point, position)
    missing = [one for one in point.registers if one.needed and one.name not in told]
    if missing:
        raise _missing(point, position, missing)
    if point.turn and position.turn is None:
        raise BadPosition("LG26", f"whose turn is it at {point.name}?", "state", missing=(WHOSE_TURN,))
    values = {name: RegisterReader(core, setting.players, said, register.var, whole=register.needed).values()
              for name, (said, register) in told.items()}
    for register in point.registers:
        for key, value in values.get(register.name, {}).items():
            slots[layout.vars[register.var.name].find(key)] = value
    block(point.entry, course.code, ())(slots, frame.env)
    for register in point.computed:
        for key, value in values.get(register.name, {}).items():
            here = slots[layout.vars[register.var.name].find(key)]
            if here != value:
                is_, was = (brief(encode_value(core, setting.players, register.var.type, one)) for one in (here, value))
                raise BadPosition("LG29", f"in this position {register.name} is {is_}, not {was}", register.name)


def _told(point: StartPoint, position: Position) -> dict[str, tuple[ToldRegister, Register]]:
    """The registers that are told, by name."""
    known = {one.name: one for one in (*point.registers, *point.computed)}
    found: dict[str, tuple[ToldRegister, Register]] = {}
    for said in position.registers:
        if said.name not in known:
            hint = did_you_mean(said.name, known)
            fault = said.fault if hint is None else BadPosition(
                "LG26", f"{said.name} is nothing that can be told at {point.name}", said.name, tuple(known), hint)
            raise fault
        found[said.name] = said, known[said.name]
    return found


def _missing(point: StartPoint, position: Position, missing: Sequence[Register]) -> BadPosition:
    names = ", ".join(one.name for one in missing)
    registers = (MissingEntry(one.name, register_kind(one.var)) for one in missing)
    turn = (WHOSE_TURN,) if point.turn and position.turn is None else ()
    return BadPosition("LG28", f"to start at {point.name}, this has to be told: {names}", position.at or "state",
                       missing=(*turn, *registers))


class _Filling:
    """Lays the components of one position."""

    def __init__(self, layout: Layout, slots: Slots, position: Position, players: tuple[str, ...]) -> None:
        self._layout = layout
        self._players = players
        self._core = layout.core
        self._slots = slots
        self._placed = position.placed
        self._used: Counter[int] = Counter()
        self._named = {(one.zone, one.key) for one in position.placed}

    def fill(self, unknown: object = None) -> None:
        """What is placed lies where it is said, everything else at home; or wherever it may, if `unknown`."""
        self._lay_all()
        if unknown is None:
            for index, component in enumerate(self._core.components):
                self._send_home(index, component)
        else:
            self._leave_open(unknown)

    def fill_hidden(self) -> Mapping[int, int]:
        """What is placed lies where it is said, and nothing anywhere else: of each class so many are left, as many as
        there are hidden ones."""
        self._lay_all()
        left = {index: number for index, component in enumerate(self._core.components)
                if (number := self._left(index, component))}
        hidden = sum(block.count(HIDDEN_ONE) for one in self._placed for block in one.blocks)
        if sum(left.values()) != hidden:
            message = f"hidden components: {hidden}; components that lie nowhere: {sum(left.values())}"
            raise BadPosition("LG27", message, "place")
        return left

    def _lay_all(self) -> None:
        for zone in self._core.zones.values():
            entries = self._layout.zones[zone.name]
            self._slots[entries.base:entries.base + entries.count] = [empty(zone)] * entries.count
        self._used.update(index for one in self._placed for block in one.blocks for index in block)
        for one in self._placed:
            self._lay(one)

    def _leave_open(self, unknown: object) -> None:
        """Zones of which nothing is said may hold any component that lies nowhere else."""
        left: Counter[str] = Counter()
        for index, component in enumerate(self._core.components):
            left[component.kind] += self._left(index, component)
        somewhere: set[str] = set()
        for zone in self._core.zones.values():
            entries = self._layout.zones[zone.name]
            for at, key in enumerate(entries.keys(), entries.base):
                if (zone.name, key) not in self._named and any(left[kind] for kind in zone.kinds):
                    self._slots[at] = unknown
                    somewhere.update(zone.kinds)
        for kind, number in left.items():
            if number and kind not in somewhere:
                there = sum(component.number for component in self._core.components if component.kind == kind)
                message = f"{number} of {there} {kind} lie nowhere: every place that may hold one says what lies there"
                raise BadPosition("LG27", message, "place")

    def _left(self, index: int, component: Component) -> int:
        """How many of a component lie nowhere yet."""
        left = component.number - self._used[index]
        if left < 0:
            name = called(self._core, self._players, COMPONENT, index)
            raise BadPosition("LG27", f"there are only {component.number} {name}, not {self._used[index]}",
                              self._where(index))
        return left

    def _lay(self, one: Placed) -> None:
        zone = self._core.zones[one.zone]
        at = self._at(zone, one.key)
        some = self._some(one)
        blocks = (*one.blocks, some) if some else one.blocks
        if self._slots[at] != empty(zone) and not zone.form.on_spots:
            raise BadPosition("LG26", f"what lies in {one.text} is said twice", one.text)
        flat = tuple(index for block in blocks for index in block)
        match zone.form:
            case Form.PILE:
                self._slots[at] = blocks
            case Form.BAG:
                self._slots[at] = tuple(sorted(flat))
            case Form.LINE:
                self._slots[at] = flat
            case Form.SLOTS:
                if zone.spots is not None:
                    first = 0 if one.spot is None else one.spot - zone.spots.lo
                    for spot, index in enumerate(flat, first):
                        if index != VACANT:
                            self._put(zone, at, spot, index, one.text)
            case _:
                assert_never(zone.form)
        if amount(zone, self._slots[at]) > zone.capacity:
            raise BadPosition("LG27", f"{one.text} cannot hold so much", one.text)

    def _put(self, zone: Zone, at: int, spot: int, index: int, text: str) -> None:
        content = list(self._slots[at])
        if zone.spots is None or not 0 <= spot < size(zone.spots):
            raise BadPosition("LG26", f"{text} is no spot", text)
        if content[spot] is not None:
            raise BadPosition("LG26", f"what lies in {text} is said twice", text)
        content[spot] = index
        self._slots[at] = tuple(content)

    def _some(self, one: Placed) -> tuple[int, ...]:
        """Of each kind of which some are wanted, the first that lie nowhere else."""
        found: list[int] = []
        for spread in one.some:
            free = [index for index in range(spread.lo, spread.hi + 1)
                    for _ in range(self._core.components[index].number - self._used[index])]
            if len(free) < spread.number:
                raise BadPosition("LG27", f"{one.text}: only {len(free)} of them are left", one.text)
            self._used.update(free[:spread.number])
            found.extend(free[:spread.number])
        return tuple(sorted(found))

    def _send_home(self, index: int, component: Component) -> None:
        left = self._left(index, component)
        free = [home for home in component.homes if (home.zone, home.key) not in self._named]
        name = called(self._core, self._players, COMPONENT, index)
        room = sum(home.number for home in free)
        if left > room:
            message = f"{left - room} {name} lie nowhere: where they are at home, other components are said to lie"
            raise BadPosition("LG27", message, "place", missing=self._somewhere(component.kind))
        if 0 < left < room and len(free) > 1:
            message = f"{name} is at home in several places: say where each lies"
            raise BadPosition("LG27", message, "place")
        for place in free if left else ():
            self._add_home(index, place, min(left, place.number))

    def _somewhere(self, kind: str) -> tuple[MissingEntry, ...]:
        """Where all of a kind could lie that lie nowhere: in a place of which nothing is said, if there is one."""
        number = 0
        for index, component in enumerate(self._core.components):
            if component.kind == kind:
                free = [home for home in component.homes if (home.zone, home.key) not in self._named]
                number += max(0, component.number - self._used[index] - sum(home.number for home in free))
        fits = [zone for zone in self._core.zones.values()
                if kind in zone.kinds and not zone.keys and not zone.form.on_spots and number <= zone.capacity
                and (zone.name, ()) not in self._named]
        loose = sorted(fits, key=lambda zone: zone.form is not Form.BAG)
        return (MissingEntry(loose[0].name, kind, number),) if loose else ()

    def _add_home(self, index: int, home: Home, number: int) -> None:
        zone = self._core.zones[home.zone]
        at = self._at(zone, home.key)
        here = self._slots[at]
        match zone.form:
            case Form.SLOTS:
                if zone.spots is not None and home.spot is not None:
                    self._put(zone, at, home.spot - zone.spots.lo, index, zone.name)
                else:
                    self._slots[at] = (*here, *[index] * number)
            case Form.PILE:
                self._slots[at] = (tuple(sorted([*(one for block in here for one in block), *[index] * number])),)
            case Form.BAG:
                self._slots[at] = tuple(sorted((*here, *[index] * number)))
            case Form.LINE:
                self._slots[at] = (*here, *[index] * number)
            case _:
                assert_never(zone.form)

    def _where(self, index: int) -> str:
        """The place to point at for a component of which there are too many."""
        return next((one.text for one in self._placed if any(index in block for block in one.blocks)), "place")

    def _at(self, zone: Zone, key: Key) -> int:
        at = self._layout.zones[zone.name].find(key)
        if at < 0:
            raise BadPosition("LG26", f"there is no such {zone.name}", zone.name)
        return at
