"""Two games side by side that differ only in what one player has not observed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from random import Random

from referee.core.ruleset import Form, Zone
from referee.core.types import Bool, Elem, Int, Maybe, Type, Value
from referee.game.event import Event
from referee.game.log.log_header import Header
from referee.game.log.log_lines import EventLine
from referee.game.player_views import Recorded, Sighting, VisibleTable, knows, record, sees, table
from referee.game.setting import Setting
from referee.game.state import Slot, State
from referee.interpreter.knowledge.custody import Custody
from referee.interpreter.refusals import Refusal
from referee.interpreter.walker import Walker
from referee.judge.defaults.log_settings import at_default
from referee.judge.defaults.settings_read import SettingsRead
from referee.judge.display_names import Names
from referee.judge.partial.possible_worlds import PossibleState
from referee.judge.refusal_reports import Refusals
from referee.judge.verdict import FailedLine
from referee.system.deadline import NEVER
from tests.laws.games import setting_for, strange

MOST_LISTED = 1_000


@dataclass
class Watched:
    """A game as it goes on, with what happened in it."""

    walker: Walker
    state: State
    past: list[Sighting] = field(default_factory=list)
    custody: Custody | None = None

    def known(self, player: int, event: Event | None = None) -> tuple[Recorded, ...]:
        """What a player remembers, maybe after one event more."""
        more = [] if event is None else [self.walker.sighting(self.state, event)]
        return record([*self.past, *more], player)

    def remembered(self, player: int) -> tuple[Recorded, ...]:
        """What a player knows of the events, by what he saw since as well."""
        assert self.custody is not None
        return record(self.custody.known(dict(enumerate(self.past))).values(), player)

    def seen(self, player: int) -> VisibleTable:
        """What lies visible to a player."""
        return table(self.walker.core, self.walker.layout, self.state, player)

    def options(self) -> list[Event]:
        """What is legal."""
        return list(islice(self.walker.legal(self.state), MOST_LISTED))

    def take(self, event: Event) -> bool:
        """Goes on after an event; False if the game is over then."""
        if self.custody is not None:
            self.custody.event(len(self.past), self.state, event)
        self.past.append(self.walker.sighting(self.state, event))
        step = self.walker.advance(self.state, event)
        if isinstance(step, State):
            self.state = step
        return isinstance(step, State)


@dataclass(frozen=True, slots=True)
class Moment:
    """Both games at a moment up to which a player has seen the same in both."""

    one: Watched
    other: Watched

    @property
    def differs(self) -> bool:
        """Whether there is anything that he does not know."""
        return self.one.state.slots != self.other.state.slots


def side_by_side(walker: Walker, player: int, seed: int, most: int) -> Iterator[Moment]:
    """Every moment of a pair of games for as long as they are the same to a player."""
    random = Random(seed)
    setting = setting_for(walker, random)
    first, second = walker.begin(setting), walker.begin(setting)
    if not isinstance(first, State) or not isinstance(second, State):
        return
    moment = Moment(*(Watched(walker, state, custody=Custody(walker.flow)) for state in (first, second)))
    for _ in range(most):
        yield moment
        pair = _next(moment, player, random)
        if pair is None or not all([moment.one.take(pair[0]), moment.other.take(pair[1])]):
            return
        if moment.one.seen(player) != moment.other.seen(player):
            return


def _next(moment: Moment, player: int, random: Random) -> tuple[Event, Event] | None:
    """An event in each game that are one to the player, different ones if that can be."""
    event = random.choice(moment.one.options())
    known = moment.one.known(player, event)
    same = [one for one in moment.other.options()
            if (one.by, one.label) == (event.by, event.label) and moment.other.known(player, one) == known]
    another = [one for one in same if one != event]
    return (event, random.choice(another or same)) if same else None


def prompt(watched: Watched, player: int) -> tuple[object, ...]:
    """What a player is told of who is asked, and what he is offered himself."""
    asked = watched.walker.asked(watched.state)
    own = tuple(event for event in watched.options() if event.by == player) if player in asked.by else ()
    return asked.point.name, asked.kind, asked.by, asked.silent, own


def refusals(watched: Watched, setting: Setting, player: int, seed: int) -> list[FailedLine | None]:
    """What a player is told of events that he tries."""
    walker, random = watched.walker, Random(seed)
    pool = [event for event in lowest_of_each(walker, player) if event.by == player]
    told = Refusals(walker, setting, Names(walker.flow, setting.players), player)
    found: list[FailedLine | None] = []
    for event in strange(walker.core, pool, random, 12) if pool else ():
        if event.by == player:
            found.append(_told(told, watched, setting, event, walker.check(watched.state, event)))
    return found


def defaults_told(watched: Watched, setting: Setting, player: int, seed: int) -> list[tuple[list[int], list[str]]]:
    """Which settings a player is told of as read when he tries something that is refused, had the header named none."""
    walker, random = watched.walker, Random(seed)
    pool = [event for event in lowest_of_each(walker, player) if event.by == player]
    refused = Refusals(walker, setting, Names(walker.flow, setting.players), player)
    known = at_default(walker, Setting(setting.players), Header(walker.core.name, setting.players))
    read = SettingsRead(walker, setting, player, NEVER)
    found: list[tuple[list[int], list[str]]] = []
    for event in strange(walker.core, pool, random, 12) if pool else ():
        refusal = walker.check(watched.state, event) if event.by == player else None
        wrong = _told(refused, watched, setting, event, refusal)
        if wrong is not None:
            line = EventLine(2, setting.players[event.by], event.label, {})
            looked = read.before(wrong, line, [PossibleState(watched.state)], [])
            found.append((known.among(looked.entries), known.options_in(looked.parts)))
    return found


def _told(
    told: Refusals, watched: Watched, setting: Setting, event: Event, refusal: Refusal | None
) -> FailedLine | None:
    if refusal is None:
        return None
    line = EventLine(2, setting.players[event.by], event.label, {})
    return told.wrong(line, event, [(PossibleState(watched.state), refusal)])


def lowest_of_each(walker: Walker, player: int) -> Iterator[Event]:
    """An event for each action, with the lowest value of each argument."""
    for action in walker.core.actions.values():
        args = tuple((param.arg, _lowest(param.type)) for param in action.params if param.arg is not None)
        yield Event(player, action.label, args)


def _lowest(kind: Type) -> Value:
    return kind.lo if isinstance(kind, Elem | Int) else ()


def disguises(walker: Walker, state: State, player: int, random: Random) -> Iterator[State]:
    """The same position with something else where a player cannot look."""
    hidden = [(zone, index) for zone in walker.core.zones.values() for key in walker.layout.zones[zone.name].keys()
              for index in [walker.layout.zones[zone.name].find(key)] if not sees(zone.sight, key, player)]
    for zone, index in hidden:
        yield _with(state, index, _other_content(walker, zone, state.slots[index], random))
    for var in walker.core.vars.values():
        for key in walker.layout.vars[var.name].keys():
            if not knows(var, key, player):
                index = walker.layout.vars[var.name].find(key)
                yield _with(state, index, _other_value(var.type, random))


def _with(state: State, index: int, slot: Slot) -> State:
    return State(state.at, (*state.slots[:index], slot, *state.slots[index + 1:]))


def _other_content(walker: Walker, zone: Zone, content: Slot, random: Random) -> Slot:
    """As many components, other ones, lying in the same way."""
    admitted = [index for index, one in enumerate(walker.core.components) if one.kind in zone.kinds]
    assert isinstance(content, tuple)
    match zone.form:
        case Form.PILE:
            return tuple(tuple(sorted(random.choice(admitted) for _ in block)) for block in content)  # type: ignore[union-attr]
        case Form.SLOTS:
            lying = [None if one is None else random.choice(admitted) for one in content]
            return tuple(lying if zone.sight.spots else random.sample(lying, len(lying)))
        case Form.LINE:
            return tuple(random.choice(admitted) for _ in content)
        case Form.BAG:
            return tuple(sorted(random.choice(admitted) for _ in content))


def _other_value(kind: Type, random: Random) -> Slot:
    match kind:
        case Bool():
            return random.choice([True, False])
        case Int(lo, hi) | Elem(_, lo, hi):
            return random.randint(lo, hi)
        case Maybe(of):
            return random.choice([None, random.randint(of.lo, of.hi)])
        case _:
            raise AssertionError(f"no counter holds {kind}")
