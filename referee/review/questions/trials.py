"""Other answers tried beside the rules: where a game comes to a place of one, the game goes on with it for a while."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from referee.analysis.position_words import Words
from referee.core.ruleset import Core
from referee.frontend.names.other_answers import SELECTOR, OtherAnswer
from referee.game.event import Event
from referee.game.setting import Setting
from referee.game.state import Failed, State, Step, Stopped
from referee.interpreter.interruptions import Unsettled
from referee.interpreter.walker import Walker
from referee.review.finding import Continuation
from referee.review.questions.noted_games import NotedGame, under
from referee.review.questions.parting import Comparison, Parting
from referee.review.questions.tried_places import tried_places
from referee.review.way_scenes import way_scenes
from referee.simulation.side_by_side import SideBySide, legality
from referee.simulation.witness import Tale, Witness
from referee.system.deadline import Clock

FORKS, EVENTS, ALLOWED = 10, 200, 6
"""An answer is forked so often at most before it has told anything apart; a fork is followed for so many events, and at
so many first ones it is asked what is allowed."""
FORKS_OF_A_PART = 4
"""Before it has told anything apart, at so many of the first, the middle and the last places of a game: what shows late
is not lost because much of no account comes before it."""
SET_UP = -1
"""The place before the first event: what is done until something is asked."""
KEPT = 4
"""So many games that tell are kept, the shortest of them."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A game that parts: how it begins, its events, and an event that only one of the two allows then, if that is it.

    `minimised`: no event of it can be left out.
    """

    setting: Setting
    events: tuple[Event, ...]
    one: Step
    other: Step
    only: Event | None = None
    minimised: bool = False

    def witness(self, options: tuple[tuple[str, str], ...], tale: Tale | None = None) -> Witness:
        """The game that shows it. `options`: of the rules; `tale`: whose position it begins in."""
        drawn = len(self.events) if self.only is not None else max(0, len(self.events) - 1)
        return Witness(self.setting, self.events, False, self.minimised, options=options, drawn=drawn, tale=tale)

    def end(self, words: Words, *, other: bool) -> str:
        """What comes of it by the rules, or by the other answer, in words."""
        step, against = (self.other, self.one) if other else (self.one, self.other)
        if self.only is None:
            return words.apart(step, [against])
        return f"{words.move(self.only)} is {legality(words.walker, step, self.only)}"

    def ways(self, rules: Core, words: Words, now: str, then: str) -> tuple[Continuation, Continuation]:
        """Both ways on, by the rules and by the other answer, each with what lies where then. `now`, `then`: what they
        are called; `rules`: those without other answers."""
        one, other = way_scenes(rules, words, self.one, self.other, self.only)
        return (Continuation(now, self.end(words, other=False), scene=one),
                Continuation(then, self.end(words, other=True), scene=other))


@dataclass
class AnswerTrial:
    """What is known of an other answer. `games`: how many were looked at; `told`: in how many the answer made a
    difference; `forks`: how often it did something else; `failed`: what speaks against it."""

    answer: OtherAnswer
    games: int = 0
    told: int = 0
    forks: int = 0
    failed: str = ""
    kept: list[Difference] = field(default_factory=list)

    @property
    def undecided(self) -> bool:
        """Whether it is still worth a try."""
        return not self.failed and (bool(self.told) or self.forks < FORKS)


class AnswerTrials:
    """Tries the other answers of one core. `set_up`: also in what is done before the first event, so that who begins is
    one of them."""

    def __init__(self, walker: Walker, comparison: Comparison, *, set_up: bool = False) -> None:
        self._walker, self._comparison, self._set_up = walker, comparison, set_up

    @property
    def walker(self) -> Walker:
        """The engine of the rules in which the answers stand."""
        return self._walker

    def look(self, trial: AnswerTrial, game: NotedGame, clock: Clock) -> None:
        """Tries an answer at the places of it that a game comes to, until one tells the two apart. Raises `OutOfTime`.
        """
        trial.games += 1
        draw = f"{trial.answer.index} {trial.games}"
        for part in tried_places(self._visits(trial.answer, game), draw):
            before = trial.forks
            for visit in part:
                if not trial.undecided:
                    return
                if not trial.told and trial.forks - before >= FORKS_OF_A_PART:
                    break
                clock.tick()
                try:
                    found = self._forked(trial, game, visit)
                except Unsettled as unknown:  # the rules do not ask for it there
                    trial.failed = f"it hangs on {unknown.args[0]}, which is not known there"
                    return
                if found is not None:
                    self._keep(trial, game, found)
                    return

    def _visits(self, answer: OtherAnswer, game: NotedGame) -> Sequence[int]:
        """After how many events a game comes to a place of an answer."""
        visits = game.visits.get(answer.index, ())
        return (SET_UP, *visits) if self._set_up and answer.index in game.begun else visits

    def _keep(self, trial: AnswerTrial, game: NotedGame, found: tuple[int, Parting]) -> None:
        done, parting = found
        trial.told += 1
        trial.kept.append(Difference(game.setting, game.events[:done], parting.one, parting.other, parting.only))
        trial.kept.sort(key=lambda one: len(one.events))
        del trial.kept[KEPT:]

    def _forked(self, trial: AnswerTrial, game: NotedGame, visit: int) -> tuple[int, Parting] | None:
        """After how many events and how the game parts, if it goes on with the answer from there."""
        answer = trial.answer.index
        if visit == SET_UP:
            now = self._sides(answer).begin(game.setting)[1]
        else:
            here = game.states[visit]
            there = under(self._walker, here, answer)
            if answer in game.offers[visit]:
                parting = self._comparison.allowed(here, there)
                if parting is not None:
                    trial.forks += 1
                    return visit, parting
            event = game.events[visit]
            if self._walker.check(there, event) is not None:
                return None
            now = self._walker.advance(there, event)
        if self._comparison.same_but_the_answer(_after(game, visit + 1), now):
            return None
        trial.forks += 1
        return self._followed(trial, game, visit + 1, now)

    def _followed(self, trial: AnswerTrial, game: NotedGame, done: int, now: Step) -> tuple[int, Parting] | None:
        """The same events further on, until something shows."""
        for number in range(done, min(len(game.events), done + EVENTS) + 1):
            base = _after(game, number)
            if self._breaks(trial, base, now):
                return None
            parting = self._comparison.parting(base, now)
            if parting is not None:
                return number, parting
            if not isinstance(base, State) or number >= len(game.events):
                return None
            now = self._comparison.joined(base, now)
            if not isinstance(now, State) or self._comparison.same_but_the_answer(base, now):
                return None
            more = self._comparison.allowed(base, now) if base.at == now.at and number < done + ALLOWED else None
            if more is not None:
                return number, more
            event = game.events[number]
            if self._walker.check(now, event) is not None:
                return number, Parting(base, now, event)
            now = self._walker.advance(now, event)
        return None

    def _breaks(self, trial: AnswerTrial, base: Step, now: Step) -> bool:
        """Notes what speaks against the answer: a stop, an error or a broken invariant that the rules do not have."""
        if isinstance(now, Stopped | Failed) and not isinstance(base, Stopped | Failed):
            trial.failed = f"the game stops: {now.why}" if isinstance(now, Stopped) else f"an error: {now.message}"
        elif isinstance(now, State) and isinstance(base, State):
            broken = list(self._walker.broken(now))
            known = {one.name for one in self._walker.broken(base)} if broken else set()
            new = [one.name for one in broken if one.name not in known]
            trial.failed = f"{new[0]} does not hold" if new else ""
        return bool(trial.failed)

    # ------------------------------------------------------------------ the shortest game
    def shortest(self, trial: AnswerTrial, clock: Clock) -> Difference:
        """The shortest of the games that tell, made as short as it can be. Raises `OutOfTime` never: what is found by
        then counts."""
        made = [self.minimised(trial.answer.index, one, clock) for one in trial.kept[:2]]
        return min(made, key=lambda one: len(one.events))

    def parted(self, answer: OtherAnswer, game: NotedGame) -> Difference | None:
        """Where a game parts, if it goes on with an answer at one of its places; None if it does not, or the answer
        breaks something."""
        trial = AnswerTrial(answer)
        for visit in self._visits(answer, game):
            if not trial.undecided:
                break
            found = self._forked(trial, game, visit)
            if found is not None:
                done, parting = found
                return Difference(game.setting, game.events[:done], parting.one, parting.other, parting.only)
        return None

    def minimised(self, answer: int, found: Difference, clock: Clock) -> Difference:
        """A game that parts without the events that it does so without; the same where the answer has a place before
        it parts. Raises `OutOfTime` never."""
        sides = self._sides(answer)
        if sides.parted(found.setting, found.events) is None:  # only after events that one of the two has alone
            return found
        shorter, least = sides.shortest(found.setting, found.events, clock)
        if shorter is None:
            return found
        parting = shorter.how
        return Difference(found.setting, shorter.events, parting.one, parting.other, parting.only, least)

    def _sides(self, answer: int) -> SideBySide[Parting]:
        """The rules, and the same with another answer."""
        def both(setting: Setting) -> tuple[Setting, Setting]:
            return setting, replace(setting, readings={**setting.readings, SELECTOR: answer})

        return SideBySide(self._walker, self._walker, both, self._parting)

    def _parting(self, one: Step, other: Step) -> Parting | None:
        shown = self._comparison.parting(one, other)
        if shown is not None or not isinstance(one, State) or not isinstance(other, State) or one.at != other.at:
            return shown
        return self._comparison.allowed(one, other)


def _after(game: NotedGame, number: int) -> Step:
    """What a game has come to after so many events."""
    return game.states[number] if number < len(game.states) else game.last
