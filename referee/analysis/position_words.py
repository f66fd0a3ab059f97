"""What a review says of positions: places by their names, what lies there, and what sets two positions apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest

from referee.core.ruleset import TURN, WINNERS, Core, Form, Role, Zone
from referee.core.types import COMPONENT, Type
from referee.game.event import CHOICE, FATE, TABLE, Event
from referee.game.signatures import Signatures
from referee.game.state import Ended, Failed, Layout, Open, Slot, State, Step, Stopped
from referee.game.value_codec import called, encode_value, fitting_type, key_text
from referee.interpreter.closures.zone_moves import components
from referee.interpreter.walker import Walker

MOST_PLACES = 3
"""So many places that tell one position from others are named; of more it is said how many."""
MOST_LISTED = 6
"""Of so many components in a place each is told; on the spots of a board those that are not alike, of these so many."""
MOST_TRIED = 200
"""So many events are tried for one that is possible in one of two positions only."""


@dataclass(frozen=True, slots=True)
class VisibleSpot:
    """An entry of a position that lies open to whoever looks at the whole table: a zone, or a counter."""

    title: str
    name: str
    key: tuple[int, ...]
    is_zone: bool


def spots(layout: Layout, players: Sequence[str]) -> tuple[VisibleSpot, ...]:
    """Every zone and every counter that the rules know; not what engines keep for themselves."""
    core = layout.core
    found = [
        VisibleSpot(_title(core, players, var.title or name, var.keys, key), name, key, False)
        for name, var in layout.defs.items() if (var.role is Role.STATE and _is_named(name)) or name == WINNERS
        for key in layout.vars[name].keys()
    ]  # fmt: skip
    return (*found, *(
        VisibleSpot(_title(core, players, name, zone.keys, key), name, key, True)
        for name, zone in core.zones.items() for key in layout.zones[name].keys()
    ))  # fmt: skip


def _is_named(name: str) -> bool:
    """Whether the rules know it: what is added for other answers has a name that no rules can spell."""
    return " " not in name or name == TURN


def _title(core: Core, players: Sequence[str], name: str, kinds: Sequence[Type], key: tuple[int, ...]) -> str:
    said = [key_text(core, players, kind, value) for kind, value in zip(kinds, key, strict=True)]
    return f"{name} of {' and '.join(said)}" if said else name


class Words:
    """Says things of the positions of one flow."""

    def __init__(self, walker: Walker, players: Sequence[str], called: Callable[[str], str] | None = None) -> None:
        """`called`: what components are called here; bags are told in the order of these names, then."""
        self.walker = walker
        self.players = tuple(players)
        self._called = called
        self.spots = spots(walker.layout, players)
        spreads = {True: walker.layout.zones, False: walker.layout.vars}
        held = ((spreads[spot.is_zone][spot.name], spot.key) for spot in self.spots)
        self._entries = [spread.find(key) for spread, key in held]

    def slot(self, state: State, spot: VisibleSpot) -> Slot:
        """What an entry holds."""
        layout = self.walker.layout
        if spot.is_zone:
            return layout.read_zone(state, spot.name, spot.key)
        return layout.read_var(state, spot.name, spot.key)

    def open_to_all(self, state: State) -> tuple[Slot, ...]:
        """All that a position shows, for comparison."""
        slots = state.slots
        return tuple([slots[entry] for entry in self._entries])

    def value(self, state: State, spot: VisibleSpot) -> str:
        """What an entry holds, in words."""
        slot, core = self.slot(state, spot), self.walker.core
        if isinstance(slot, Open):
            return f"{slot.lo}..{slot.hi}"
        if spot.is_zone:
            return self._content(core.zones[spot.name], slot)
        return _plain(encode_value(core, self.players, self.walker.layout.defs[spot.name].type, slot))  # type: ignore[arg-type]

    def _content(self, zone: Zone, slot: Slot) -> str:
        assert isinstance(slot, tuple)
        if zone.form is Form.PILE:
            return " then ".join(self._bag(block) for block in slot if isinstance(block, tuple)) or "nothing"
        held = [part for part in slot if isinstance(part, int)]
        if zone.form is Form.BAG:
            return self._bag(held)
        return ", ".join(self._component(one) for one in held) or "nothing"

    def _bag(self, held: Sequence[int]) -> str:
        counts = Counter(held)
        named = [(self._component(one), n) for one, n in sorted(counts.items())]
        if self._called is not None:
            named.sort()
        return ", ".join(name if n == 1 else f"{n} {name}" for name, n in named) or "nothing"

    def _component(self, index: int) -> str:
        name = str(called(self.walker.core, self.players, COMPONENT, index))
        return name if self._called is None else self._called(name)

    # ------------------------------------------------------------------ events and steps
    def event(self, event: Event) -> str:
        """`ana lay RED`, `the table rules pick: ben`."""
        return " ".join(self._by_and_done(event))

    def move(self, event: Event) -> str:
        """`"ana: lay RED"`, within a sentence."""
        return '"{}: {}"'.format(*self._by_and_done(event))

    def _by_and_done(self, event: Event) -> tuple[str, str]:
        core = self.walker.core
        who = {FATE: "fate", TABLE: "the table"}.get(event.by) or self.players[event.by]
        args = [f"{name} {_plain(value)}" for name, value in self._args(core, event)]
        return who, " ".join([event.label.replace("_", " ") if event.by == TABLE else event.label, *args])

    def _args(self, core: Core, event: Event) -> Iterator[tuple[str, object]]:
        kinds = Signatures.of(core).labels.get(event.label, {})
        for name, value in event.args:
            if event.by == TABLE and name == CHOICE:
                yield "chooses", self.choice(event)
            elif name in kinds:
                yield name, encode_value(core, self.players, fitting_type(kinds[name], value), value)

    def choice(self, ruling: Event) -> str:
        """What the table chooses, by its name."""
        kind = Signatures.of(self.walker.core).rulings.get(ruling.label)
        value = dict(ruling.args)[CHOICE]
        return str(value) if kind is None else _plain(encode_value(self.walker.core, self.players, kind, value))

    def apart(self, step: Step, others: Sequence[Step]) -> str:
        """What a step has come to, as far as it is not the same in the others."""
        match step:
            case Failed():
                return f"the rules make an error: {step.message}"
            case Stopped():
                return f"the game stops: {step.why}"
            case Ended():
                won = " and ".join(self.players[p] for p in sorted(step.winners)) or "nobody"
                said = self._different(step.state, others)
                return f"{won} {'win' if len(step.winners) > 1 else 'wins'}" + (f", {said}" if said else "")
            case State():
                return self._different(step, others) or self._only(step, others) or self.asks(step)

    def asks(self, state: State) -> str:
        """Who has to do something."""
        who = {FATE: "fate", TABLE: "the table"}
        by = [who.get(p) or self.players[p] for p in sorted(self.walker.who(state))]
        return f"{' and '.join(by)} must act"

    def _only(self, state: State, others: Sequence[Step]) -> str:
        """Of positions in which the same have to act: an event that is possible in this one only; else nothing."""
        rest = [one for one in others if isinstance(one, State) and self.asks(one) == self.asks(state)]
        if len(rest) < len(others):
            return ""
        for event in islice(self.walker.legal(state), MOST_TRIED):
            if all(self.walker.check(one, event) is not None for one in rest):
                return f"{self.event(event)} is possible"
        return ""

    def _different(self, state: State, others: Sequence[Step]) -> str:
        rest = [s if isinstance(s, State) else s.state for s in others]
        known = [s for s in rest if s is not None]
        odd = [s for s in self.spots if s.name != WINNERS
               and any(self.slot(state, s) != self.slot(other, s) for other in known)]
        said = [f"{spot.title}: {self._against(spot, state, known)}" for spot in odd[:MOST_PLACES]]
        more = len(odd) - len(said)
        return ", ".join(said) + (f", and {more} more" if more > 0 else "")

    def _against(self, spot: VisibleSpot, state: State, others: Sequence[State]) -> str:
        """What an entry holds; of many components how many, and those that it has not in all the others, or, if that is
        all the same, the first that lies elsewhere; of many on spots the spots that are not alike."""
        if spot.is_zone and self.walker.core.zones[spot.name].form is Form.SLOTS:
            return self._against_spots(spot, state, others)
        held = [self._held(spot, one) for one in (state, *others)]
        mine = held[0]
        if mine is None or mine.total() <= MOST_LISTED:
            return self.value(state, spot)
        same = mine
        for other in held[1:]:
            if other is None:
                return self.value(state, spot)
            same = same & other
        own = self._bag(list((mine - same).elements()))
        if mine != same:
            return f"{mine.total()}, with {own}"
        if any(other != mine for other in held):
            return f"{mine.total()}"
        zone = self.walker.core.zones[spot.name]
        entries = [list(slot) for one in (state, *others) if isinstance(slot := self.slot(one, spot), tuple)]
        for place, (part, *rest) in enumerate(zip_longest(*entries), 1):
            if any(part != other for other in rest):
                there = components(zone, () if part is None else (part,))
                return f"{mine.total()}, at place {place} {self._bag(there)}"
        return self.value(state, spot)

    def _against_spots(self, spot: VisibleSpot, state: State, others: Sequence[State]) -> str:
        """What lies on those spots of a zone where it is not so in all the others."""
        zone = self.walker.core.zones[spot.name]
        boards = [slot if isinstance(slot := self.slot(one, spot), tuple) else () for one in (state, *others)]
        if zone.spots is None:
            return self.value(state, spot)
        said = [f"{key_text(self.walker.core, self.players, zone.spots, zone.spots.lo + place)} "
                f"{self._bag(components(zone, (mine,)))}"
                for place, (mine, *rest) in enumerate(zip(*boards, strict=True)) if any(one != mine for one in rest)]
        more = len(said) - MOST_LISTED
        return ", ".join(said[:MOST_LISTED]) + (f" and {more} more" if more > 0 else "")

    def _held(self, spot: VisibleSpot, state: State) -> Counter[int] | None:
        """The components of a zone, None if it is none or each lies on a spot of its own."""
        if not spot.is_zone:
            return None
        slot, zone = self.slot(state, spot), self.walker.core.zones[spot.name]
        return Counter(components(zone, slot)) if isinstance(slot, tuple) and zone.form is not Form.SLOTS else None


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(_plain(one) for one in value) or "nothing"
    return "none" if value is None else str(value)
