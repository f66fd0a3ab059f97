"""no-end, for players who want none: they do the same again and again, and no rule ends the game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random

from referee.analysis.position_words import Words
from referee.game.event import FATE, TABLE, Event
from referee.game.setting import Setting
from referee.game.state import State, Step
from referee.interpreter.interruptions import Fault
from referee.review.finding import Continuation, Finding, FindingOutcome
from referee.review.subject import Subject, Trail
from referee.simulation.endless_play import Going, kept_going, way_back, ways_of
from referee.simulation.prolonged_games import CONFIRMED, Loop, Prolonged, Start
from referee.simulation.shrinking import minimised
from referee.simulation.state_space import Reached
from referee.simulation.strategies import drawn
from referee.simulation.witness import Witness
from referee.system.deadline import Clock

SETTLE = "what ends such a game: so many passes in a row, a limit of rounds, a position that comes again"
NEAREST = 40
"""From so many positions a way back is looked for."""
TOLD = 6
"""So many events are told of what is done again and again."""
SHARE = 8
"""One in so many of the events that random games have is looked at in games that are prolonged."""
STARTS = 4
"""So many games begin where random games were broken off, and so many where others once were."""
SECONDS = 5.0
"""So long it is tried to make a game shorter."""
CAUSES = 3
"""So many ways to go on for ever are told."""


def stalled(subject: Subject, code: str) -> Iterator[Finding]:
    """Who can go on for ever whatever the others do, of a game of which all positions are known; if nobody can alone,
    whether all can together."""
    ways = ways_of(subject.walker, (one.step for one in subject.space.positions() if isinstance(one.step, State)),
                   subject.clock)
    seats = range(len(subject.players))
    alone = {seat: kept_going(ways, {seat}) for seat in seats} if len(seats) > 1 else {}
    able = [seat for seat in seats if alone.get(seat)]
    going = alone[able[0]] if able else kept_going(ways, {*seats, TABLE})
    near = [one for one in subject.space.positions() if one.step in going]
    if not near:
        return
    who = {able[0]} if able else {*seats}
    reached, again = _nearest(near, going)
    said = " or ".join(subject.players[seat] for seat in able)
    message = f"{said} can go on for ever, whatever the others do" if able else _all(subject)
    events = (*subject.space.events(reached), *again)
    first = next((n for n, event in enumerate(again) if event.by in who), 0)
    cut = len(events) - len(again) + first
    note = f"of {subject.space.size} positions {len(near)} are such"
    yield _told(subject, code, FindingOutcome.FOUND, message, Trail(reached.setting, events[:cut], reached.step, True),
                (*again[first:], *again[:first]), (note,))


def _nearest(near: Sequence[Reached], going: Going) -> tuple[Reached, tuple[Event, ...]]:
    """The nearest position that comes again, and the way back to it; without one, the nearest and nothing."""
    for one in near[:NEAREST]:
        assert isinstance(one.step, State)
        again = way_back(going, one.step)
        if again is not None:
            return one, again
    return near[0], ()


def prolonged(subject: Subject, code: str) -> Iterator[Finding]:
    """Ways to go on for ever, of games that are prolonged by all players: of each cause the shortest."""
    effort = subject.effort
    steps = effort.games * effort.events // SHARE
    games = Prolonged(subject.walker, effort.seed, steps, subject.clock)
    subject.progress("prolonging games")
    found = list(games.loops(_starts(subject), effort.events))
    told: list[frozenset[str]] = []
    for loop in sorted(found, key=_length):
        labels = frozenset(event.label for event in loop.again if event.by >= 0)
        if len(told) < CAUSES and not any(labels >= known for known in told):
            told.append(labels)
            yield from _loop(subject, code, loop)


def _length(loop: Loop) -> tuple[bool, int, int]:
    """By which the first is told: how much is to be read of it. Of what is exact the beginning gets shorter still."""
    return not loop.exact, len(loop.again) + (0 if loop.exact else len(loop.events)), len(loop.events)


def _starts(subject: Subject) -> list[Start]:
    """Where games begin that are prolonged: with set-up, and where random games have come to."""
    random, found = Random(subject.effort.seed), list[Start]()
    for number in (0, 1):
        try:
            found.append((drawn(subject.walker, Setting(subject.players), number, random), ()))
        except Fault:
            continue
    long = [game for game in subject.plays.games if isinstance(game.last, State)]
    found += [(game.setting, game.events) for game in random.sample(long, min(STARTS, len(long)))]
    asked = [visits for _, visits in sorted(subject.plays.visits.items())
             if min(subject.walker.who(visits[0].state)) > FATE]  # fmt: skip
    for visits in random.sample(asked, min(STARTS, len(asked))):
        visit = random.choice(visits)
        game = subject.plays.games[visit.game]
        found.append((game.setting, game.events[: visit.number]))
    return found


def _loop(subject: Subject, code: str, loop: Loop) -> Iterator[Finding]:
    def shows(step: Step) -> bool:
        return isinstance(step, State) and _comes_again(subject, step, loop.again)

    trail = Trail(loop.setting, loop.events, subject.after(Witness(loop.setting, loop.events)), False)
    if not loop.exact:
        note = (f"as much lies everywhere and is counted as before; {CONFIRMED + 1} games that were played so had "
                f"no end in {loop.most:,} events")
        yield _told(subject, code, FindingOutcome.CANDIDATE, _all(subject), trail, loop.again, (note,))
        return
    events, least = minimised(subject.walker, loop.setting, loop.events, shows, Clock(SECONDS, subject.clock))
    made = Trail(loop.setting, events, subject.after(Witness(loop.setting, events)), False)
    message = _all(subject)
    if _forced(subject, made.step, loop.again):
        message = "the game goes on for ever, and nobody has a choice"
    yield _told(subject, code, FindingOutcome.FOUND, message, made, loop.again, (), minimised=least)


def _forced(subject: Subject, step: Step, again: Sequence[Event]) -> bool:
    """Whether nothing but these events is possible, one after the other."""
    for event in again:
        if not isinstance(step, State) or len(list(islice(subject.walker.legal(step), 2))) > 1:
            return False
        step = subject.walker.advance(step, event)
    return True


def _comes_again(subject: Subject, state: State, again: Sequence[Event]) -> bool:
    """Whether some events lead from a position to itself."""
    step: Step = state
    for event in again:
        if not isinstance(step, State) or subject.walker.check(step, event) is not None:
            return False
        step = subject.walker.advance(step, event)
    return step == state


def _all(subject: Subject) -> str:
    one = len(subject.players) == 1
    return "the player can go on for ever" if one else "if all players want it, the game goes on for ever"


def _told(
    subject: Subject, code: str, outcome: FindingOutcome, message: str, trail: Trail, again: tuple[Event, ...],
    notes: tuple[str, ...], *, minimised: bool = False,
) -> Finding:  # fmt: skip
    witness = Witness(trail.setting, trail.events, trail.shortest, minimised, options=subject.core.options)
    here = subject.after(witness)
    assert isinstance(here, State)
    point = subject.walker.course.point(here.at).point
    words = Words(subject.walker, trail.setting.players)
    said = "; ".join(map(words.event, again[:TOLD])) + ("; and so on" if len(again) > TOLD else "")
    end = "everything is as it was" if outcome is FindingOutcome.FOUND else "as much lies everywhere as before"
    beside = ["as long as the table rules so"] if any(event.by == TABLE for event in again) else []
    return Finding(
        code, outcome, message, f"{point.name}.again", (point.origin.span,), point.origin.cites, witness,
        (Continuation(f"again and again {said}", end, again),) if again else (), SETTLE, (*notes, *beside),
    )  # fmt: skip

