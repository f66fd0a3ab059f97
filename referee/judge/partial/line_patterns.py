"""Lines with holes: which events fit what such a line states."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from referee.core.ruleset import Core
from referee.core.types import Bool, Elem, Int, Many, Maybe, Scalar, SetOf, Type, Value
from referee.diagnostics.suggestions import did_you_mean
from referee.game.event import CHOICE, TABLE, Event
from referee.game.log.log_lines import EventLine, is_hole
from referee.game.log.strict_json import Json, brief
from referee.game.player_views import HIDDEN
from referee.game.setting import Setting
from referee.game.signatures import Signatures
from referee.game.value_codec import POINT, RULE, BadValue, DecodeProblem, decode_argument, decode_event


@dataclass(frozen=True, slots=True)
class Anything:
    """Any value."""


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of some values, or what fits one of `others`."""

    values: frozenset[tuple[type, Value]]
    others: tuple[Hole, ...] = ()


@dataclass(frozen=True, slots=True)
class MembersPattern:
    """Several members, of which some are known; `distinct`: a set, in which none counts twice."""

    known: tuple[int, ...]
    holes: tuple[OneOf, ...]
    free: int
    distinct: bool


Hole = Anything | OneOf | MembersPattern
MOST_HOLES = 200
"""Holes in one list, at most."""


class TooManyHoles(Exception):
    """A list has more holes than are looked at."""


def fits(hole: Hole, value: Value) -> bool:
    """Whether a value may stand in the place of a hole."""
    match hole:
        case Anything():
            return True
        case OneOf(values, others):
            return (type(value), value) in values or any(fits(other, value) for other in others)
        case MembersPattern():
            return _members_fit(hole, value)
        case _:
            assert_never(hole)


def _members_fit(hole: MembersPattern, value: Value) -> bool:
    if hole.distinct:
        return isinstance(value, frozenset) and _set_fits(hole, value)
    if not isinstance(value, tuple) or len(value) != len(hole.known) + len(hole.holes) + hole.free:
        return False
    known, there = Counter(hole.known), Counter(value)
    if known - there:
        return False
    rest = sorted((there - known).elements())
    return _matched(hole.holes, rest) == len(hole.holes)


def _set_fits(hole: MembersPattern, value: frozenset[int]) -> bool:
    """Values that are stated twice count once: so may what stands for a hole."""
    if not value >= set(hole.known) or (not value and (hole.holes or hole.free)):
        return False
    if any(not any(fits(part, one) for one in value) for part in hole.holes):
        return False
    rest = sorted(value - set(hole.known))
    return _matched(hole.holes, rest) >= len(rest) - hole.free


def _matched(holes: Sequence[OneOf], rest: Sequence[int]) -> int:
    """How many holes can have a member of their own, at most."""
    taken: dict[int, int] = {}

    def place(index: int, tried: set[int]) -> bool:
        for at, one in enumerate(rest):
            if at not in tried and fits(holes[index], one):
                tried.add(at)
                if at not in taken or place(taken[at], tried):
                    taken[at] = index
                    return True
        return False

    return sum(place(index, set()) for index in range(len(holes)))


@dataclass(frozen=True, slots=True)
class Pattern:
    """What a line with holes states: who, what, and of each argument its value or what is known of it."""

    by: int
    label: str
    known: Mapping[str, Value]
    holes: Mapping[str, Hole]

    def fits(self, event: Event) -> bool:
        """Whether an event may be the one that the line tells of."""
        if event.by != self.by or event.label != self.label:
            return False
        if len(event.args) != len(self.known) + len(self.holes):
            return False
        return all(self._fits(name, value) for name, value in event.args)

    def _fits(self, name: str, value: Value) -> bool:
        hole = self.holes.get(name)
        if hole is not None:
            return fits(hole, value)
        return name in self.known and self.known[name] == value and type(self.known[name]) is type(value)

    @property
    def bare(self) -> Event:
        """The event without the arguments that have holes."""
        return Event(self.by, self.label, tuple(self.known.items()))


def known(event: Event) -> Pattern:
    """The pattern of an event without holes."""
    return Pattern(event.by, event.label, dict(event.args), {})


def patterns_of(core: Core, setting: Setting, line: EventLine) -> tuple[Pattern, ...] | list[DecodeProblem]:
    """What a line with holes may state (several: rulings on different points), or what is wrong with it whatever stands
    in their place. Raises `TooManyHoles`."""
    if line.by == "table" and line.do == RULE:
        return _rulings(core, setting, line)
    plain = {name: value for name, value in line.args.items() if name not in line.holes}
    event = decode_event(core, setting, {"by": line.by, "do": line.do, "with": plain})
    if not isinstance(event, Event):
        return event
    types = Signatures.of(core).labels[line.do]
    strange = [name for name in line.holes if name not in types]
    if strange:
        return [DecodeProblem(name, f"{line.do} has no argument {brief(name)}", "argument", tuple(types),
                              did_you_mean(name, types)) for name in strange]
    holes = {name: _hole(core, setting, types[name], line.args[name], event.by) for name in line.holes}
    return (Pattern(event.by, line.do, dict(event.args), holes),)


def _rulings(core: Core, setting: Setting, line: EventLine) -> tuple[Pattern, ...] | list[DecodeProblem]:
    """A ruling: the point is its label, and its only argument is the choice."""
    known = Signatures.of(core).rulings
    point = line.args.get(POINT)
    if CHOICE not in line.args or POINT not in line.args:
        return [DecodeProblem(CHOICE, "a ruling names its point and says what is chosen", "argument", (POINT, CHOICE))]
    if not is_hole(point):
        if not isinstance(point, str) or point not in known:
            message = f"{brief(point)} is no point on which the table rules"
            return [DecodeProblem(POINT, message, "value", tuple(known))]
        points = [point]
    else:
        among = point["in"] if isinstance(point, dict) else [HIDDEN]
        points = [name for name in known if isinstance(among, list) and (name in among or HIDDEN in among)]
    return tuple(Pattern(TABLE, name, {}, {CHOICE: _hole(core, setting, (known[name],), line.args[CHOICE], TABLE)})
                 for name in points)


def _hole(core: Core, setting: Setting, kinds: tuple[Type, ...], raw: Json, by: int) -> Hole:
    """What may stand for a value. What no such argument could be is left out: it fits nothing."""
    if raw == HIDDEN:
        return Anything()
    if isinstance(raw, dict) and raw.keys() == {"in"} and isinstance(among := raw["in"], list):
        return _one_of(core, setting, kinds, among, by)
    if isinstance(raw, list) and is_hole(raw):
        lists = (_members(core, setting, kind, raw, by) for kind in kinds)
        return OneOf(frozenset(), tuple(one for one in lists if one is not None))
    return _one_of(core, setting, kinds, [raw], by)


def _one_of(core: Core, setting: Setting, kinds: tuple[Type, ...], among: Iterable[Json], by: int) -> OneOf:
    values: set[tuple[type, Value]] = set()
    others: list[Hole] = []
    for raw in among:
        if is_hole(raw):
            others.append(_hole(core, setting, kinds, raw, by))
            continue
        try:
            value = decode_argument(core, setting.players, kinds, raw, by)
        except BadValue:
            continue
        values.add((type(value), value))
    return OneOf(frozenset(values), tuple(others))


def _members(core: Core, setting: Setting, kind: Type, raw: list[Json], by: int) -> MembersPattern | None:
    """A list with holes in it; None where no list can stand, or where one of its members can be nothing."""
    match kind:
        case SetOf(of):
            return _listed(core, setting, of, raw, by, distinct=True)
        case Many(of):
            return _listed(core, setting, of, raw, by, distinct=False)
        case Bool() | Int() | Elem() | Maybe():
            return None
        case _:
            assert_never(kind)


def _listed(
    core: Core, setting: Setting, of: Scalar, raw: list[Json], by: int, *, distinct: bool
) -> MembersPattern | None:
    if sum(map(is_hole, raw)) > MOST_HOLES:
        raise TooManyHoles
    known: list[int] = []
    holes: list[OneOf] = []
    free = 0
    for part in raw:
        hole = _hole(core, setting, (of,), part, by)
        match hole:
            case Anything():
                free += 1
            case OneOf(values, ()) if len(values) == 1 and not is_hole(part):
                known += [value for _, value in values if isinstance(value, int)]
            case OneOf():
                holes.append(hole)
            case MembersPattern():
                return None
    return MembersPattern(tuple(known), tuple(holes), free, distinct)
