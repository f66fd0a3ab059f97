"""Play-outs: random games, event by event, from a seed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import assert_never

from referee.core.flow import Ask, Draw, Gather, PointNode, Rule
from referee.core.ruleset import Key, Role, Var
from referee.core.types import Bool, Value
from referee.game.event import FATE, Event
from referee.game.setting import Setting, everywhere
from referee.game.state import Ended, Failed, Layout, Open, Slot, State, Step, Stopped, starts
from referee.interpreter.closures.closure_types import Slots
from referee.interpreter.interruptions import NO_VALUES, Fault
from referee.interpreter.parameter_relations import Pieces
from referee.interpreter.walker import Walker
from referee.system.deadline import NEVER, Deadline

FEW_LISTED = 1_000
"""Up to so many legal events are listed and one of them is taken; of more, the parameters are drawn one by one."""
TRIES = 200
"""So often parameters are drawn one by one for a legal event."""

END, STOPPED, FAILED, CUT = "end", "stopped", "failed", "cut"


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game played out. `outcome`: `end`, `stopped` (the rules do not say how it goes on), `failed` (the rules made an
    error) or `cut` (too long); `last` is where it came to."""

    setting: Setting
    events: tuple[Event, ...]
    outcome: str
    last: Step


def play_out(walker: Walker, setting: Setting, seed: int, max_events: int = 10_000, *, rule: bool = True,
             until: Deadline = NEVER) -> PlayedGame:
    """A random game. Parameters and givens that the setting leaves open are drawn; with `rule` the table rules at
    random, else the game stops where it would have to. The same seed gives the same game.

    Raises `OutOfTime` if the game is not over in time.
    """
    until.check()
    random = Random(seed)
    try:
        setting = complete(walker, setting, random)
    except Fault as fault:
        return PlayedGame(setting, (), FAILED, fault.step(None))
    step: Step = walker.begin(setting)
    events: list[Event] = []
    while isinstance(step, State):
        until.check()
        if len(events) >= max_events:
            step = walker.arrive(step)
            break
        played, step = walker.play_on(step, random, max_events - len(events), rule=rule)
        if played:
            events.extend(played)
            continue
        assert isinstance(step, State)
        question = None if rule else _question(walker.course.point(step.at))
        if question is not None:
            step = Stopped(step, walker.course.point(step.at).point, question)
            break
        event = _chosen(walker, step, random)
        if event is None:
            step = walker.arrive(step)
        else:
            events.append(event)
            step = walker.advance(step, event, test_arrival=False)
    return PlayedGame(setting, tuple(events), _outcome(step), step)


def _question(node: PointNode) -> str | None:
    """What the table is asked at a point, if it is."""
    match node:
        case Rule():
            return node.question
        case Ask() | Gather() | Draw():
            return None
        case _:
            assert_never(node)


def _outcome(step: Step) -> str:
    match step:
        case Ended():
            return END
        case Stopped():
            return STOPPED
        case Failed():
            return FAILED
        case State():
            return CUT


def complete(walker: Walker, setting: Setting, random: Random) -> Setting:
    """The setting with a value drawn for every parameter and given that it leaves open, related as the rules say.

    Raises `Fault` (RT08) if no such values are found.
    """
    if not walker.may_be_open and not walker.core.relations:
        return setting
    slots = _fitting(walker, setting, random)
    drawn = {True: dict(setting.parameters), False: dict(setting.givens)}
    for name, var in walker.layout.stated:
        entries = walker.layout.vars[name]
        stated = drawn[var.role is Role.PARAMETER]
        held = slots[entries.base:entries.base + entries.count] if var.in_play_outs is not None else ()
        if held and held.count(held[0]) == entries.count:  # the usual case of a large table
            stated[name] = everywhere(var.keys, held[0])
            continue
        known = dict(stated.get(name, {}))
        for key, at in list(_left_open(walker.layout, name, known)):
            known[key] = _drawn_for(var, slots[at], random)
        if known:
            stated[name] = known
    return replace(setting, parameters=drawn[True], givens=drawn[False])


def _left_open(layout: Layout, name: str, stated: Mapping[Key, Value]) -> Iterator[tuple[Key, int]]:
    """The entries of a variable for which no value is known: with where each lies."""
    if not stated:
        yield from layout.without_start(name)
        return
    entries = layout.vars[name]
    for at, (key, start) in enumerate(zip(entries.keys(), starts(layout.defs[name], entries.count), strict=True),
                                      entries.base):
        if isinstance(stated.get(key, start), Open):
            yield key, at


def _fitting(walker: Walker, setting: Setting, random: Random) -> Slots:
    """The entries of a game, with what is open narrowed until it is related as the rules say."""
    slots = walker.entries(setting)
    for name, var in walker.layout.called_in_play_outs:
        entries = walker.layout.vars[name]
        called = dict(var.named)[str(var.in_play_outs)]
        held = slots[entries.base:entries.base + entries.count]
        same = isinstance(held[0], Open) and held.count(held[0]) == len(held)
        slots[entries.base:entries.base + entries.count] = [called] * len(held) if same else [
            called if isinstance(one, Open) else one for one in held]
    found = walker.relations.fitting(slots, lambda pieces: _shuffled(pieces, random))
    if found is None:
        raise Fault(NO_VALUES, "no values of the parameters were found that are related as the rules say", None)
    return found


def _shuffled(pieces: Pieces, random: Random) -> Pieces:
    """The pieces in an order by lot, where a wider one is more likely to come first."""
    return sorted(pieces, key=lambda piece: random.random() ** (1 / (piece[1] - piece[0] + 1)), reverse=True)


def _drawn_for(var: Var, open_: Slot, random: Random) -> Value:
    """A value for what nobody has stated: any that is left, where nothing narrower is known."""
    if not isinstance(open_, Open):
        return open_  # type: ignore[return-value]
    number = random.randint(open_.lo, open_.hi)
    return bool(number) if isinstance(var.type, Bool) else number


def choose(walker: Walker, state: State, random: Random) -> Event:
    """A legal event at random: by number of components for fate, else every event alike (if they are not too many).

    `ValueError` if there is none, which can only be where the arrival was not tested.
    """
    event = _chosen(walker, state, random)
    if event is None:
        raise ValueError("nothing is possible here")
    return event


def _chosen(walker: Walker, state: State, random: Random) -> Event | None:
    node = walker.course.point(state.at)
    match node:
        case Draw():
            event = walker.sampled(state, FATE, random, TRIES)
            if event is not None:
                return event
        case Ask() | Gather() | Rule():
            pass
        case _:
            assert_never(node)
    by = random.choice(sorted(walker.who(state)))
    return walker.pick(state, by, random, FEW_LISTED, TRIES)
