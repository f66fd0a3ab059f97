"""Asks about what the rules say and no words of the rulebook do.

Each assumption, and each line marked `[inferred]`, is a question with the game in which it first matters that it is so.

Its lines are taken out behind the selector of other answers, where that leaves rules. Where it does not, or no game is
another one without them, the game is told that first comes to one of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import islice

from referee.analysis.position_words import Words
from referee.core.ruleset import DeclaredAssumption
from referee.diagnostics.source import Span
from referee.flow.lowering import lower
from referee.frontend.loading.remarks.declared_assumptions import resting
from referee.frontend.names.tree_access import INFERRED
from referee.game.event import Event
from referee.game.state import Failed, State, Step
from referee.interpreter.walker import Walker
from referee.other_rules.without_statement import Line, without_lines
from referee.review.covered_parts import Marked, MarkReader
from referee.review.finding import AskedQuestion, Continuation, Finding, GameShare
from referee.review.questions.noted_games import NotedGame, noted_games
from referee.review.questions.parting import Comparison
from referee.review.questions.question_finding import AS_IT_IS, CODE, question, share_of, worded
from referee.review.questions.short_games import ShortGames
from referee.review.questions.trials import AnswerTrial, AnswerTrials, Difference
from referee.review.questions.wordings import accepting
from referee.review.subject import Subject
from referee.simulation.shrinking import minimised
from referee.simulation.witness import Witness
from referee.system.deadline import OutOfTime

GRANTED, NOT_SO = "granted", "not_so"
GAMES = 40
"""So many games are looked at, at most."""
ASKS = "no words of the rulebook say this: is it meant?"
TIME = 0.4
"""How much of the time that is left is for this."""


def granted(about: str) -> str:
    """The place of the question whether what is taken for granted is so. `about`: the name of an assumption, or that of
    a marked line."""
    return f"{about}/{GRANTED}.{NOT_SO}"


@dataclass(frozen=True, slots=True)
class _Granted:
    """Something that is taken for granted. `place`: what its question is about; `about`: the assumption; None for a
    line that is only marked; `spans`: where it stands, and the lines that rest on it."""

    place: str
    about: DeclaredAssumption | None
    spans: tuple[Span, ...]

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines that rest on it."""
        own = self.spans if self.about is None else self.spans[1:]
        return tuple((span.path, span.line) for span in own)


class TakenForGranted:
    """What one subject takes for granted. `unseen`: to how much of it no game came that was looked at."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._every = {one.place: one for one in (*self._assumed(), *self._marked())}
        self.unseen = 0

    @property
    def names(self) -> tuple[str, ...]:
        """What the questions are called."""
        return tuple(self._every)

    def _assumed(self) -> Iterator[_Granted]:
        subject = self._subject
        for name, one in subject.core.assumptions.items():
            rests = tuple(subject.places.before(span) for span in resting(subject.loaded.trees, name))
            yield _Granted(granted(name), one, (one.origin.span, *rests))

    def _marked(self) -> Iterator[_Granted]:
        for mark in resting(self._subject.loaded.trees, INFERRED):
            span = self._subject.places.before(mark)
            yield _Granted(granted(self._subject.places.name(span)), None, (span,))

    def besides(self, assumed: Collection[str], lines: Set[Line]) -> list[str]:
        """The questions about other assumptions and other lines than these."""
        return [name for name, one in self._every.items() if (
            one.about.name not in assumed if one.about is not None else lines.isdisjoint(one.lines))]  # fmt: skip

    def findings(self, wanted: Sequence[str]) -> Iterator[Finding]:
        """Those questions among these that some game comes to."""
        asked = {name: self._every[name] for name in wanted}
        if not asked:
            return
        clock = self._subject.clock.part(TIME)
        core, answers = without_lines(self._subject.core, {name: one.lines for name, one in asked.items()})
        walker = Walker(lower(core))
        words = Words(walker, self._subject.players)
        tries = AnswerTrials(walker, Comparison(walker, words))
        every = [AnswerTrial(one) for one in answers]
        effort, games = self._subject.effort, list[NotedGame]()
        try:
            for game in islice(noted_games(walker, self._subject.players, effort.seed, effort.events, clock),
                               min(effort.games, GAMES)):  # fmt: skip
                games.append(game)
                for trial in every:
                    if trial.undecided:
                        tries.look(trial, game, clock)
        except OutOfTime:
            pass
        told = {one.answer.name: one for one in every if one.told and not one.failed}
        short = ShortGames(walker, tries, effort.seed)
        for name, one in asked.items():
            if name in told:
                found = tries.shortest(told[name], clock)
                found = short.shorter(told[name].answer, found, clock)
                yield self._parting(one, told[name], found, words)
        rest = {name: one for name, one in asked.items() if name not in told}
        yield from self._met(rest, games)

    # ------------------------------------------------------------------ games that come to a line
    def _met(self, asked: Mapping[str, _Granted], games: Sequence[NotedGame]) -> Iterator[Finding]:
        """The questions of which a game comes to a line, with the shortest way to one."""
        marked = Marked(self._subject.core)
        reader = MarkReader(Walker(lower(marked.core)))
        lines = {line: set(parts) for line, parts in marked.lines.items()}
        for number, part in enumerate(marked.parts):
            lines.setdefault((part.span.path, part.span.line), set()).add(number)
        parts = {name: set[int | None]().union(*(lines.get(line, ()) for line in one.lines))
                 for name, one in asked.items()}  # fmt: skip
        came: dict[str, list[tuple[int, NotedGame]]] = {}
        for game in games:
            for name, number in _first(reader, game, parts).items():
                came.setdefault(name, []).append((number, game))
        self.unseen = len(asked) - len(came)
        for name, some in came.items():
            number, game = min(some, key=lambda one: one[0])
            events, least = self._shorter(reader, game, number, parts[name])
            weight = share_of(len(some), len(games))
            witness = Witness(game.setting, events, False, least, options=self._subject.core.options)
            so = Continuation(AS_IT_IS, f"this comes up here, in {len(some)} of {len(games)} games")
            yield self._finding(asked[name], witness, (so,), weight)

    def _shorter(
        self, reader: MarkReader, game: NotedGame, number: int, parts: set[int | None]
    ) -> tuple[tuple[Event, ...], bool]:
        """The first events of a game without those that it does without to come to a part."""
        def shows(step: Step) -> bool:
            reader.done.clear()
            reader.read(step)
            return not parts.isdisjoint(reader.done)

        if None in parts:
            return game.events[:number], False
        return minimised(reader.walker, game.setting, game.events[:number], shows, self._subject.clock)

    # ------------------------------------------------------------------ what is told
    def _parting(self, one: _Granted, trial: AnswerTrial, found: Difference, words: Words) -> Finding:
        core = self._subject.core
        ways = found.ways(core, words, f"it is so, {AS_IT_IS}", "it is not so: what these lines say is left out")
        return self._finding(one, found.witness(core.options), ways, share_of(trial.told, trial.games))

    def _finding(
        self, one: _Granted, witness: Witness, candidates: tuple[Continuation, ...], weight: GameShare
    ) -> Finding:
        core, places = self._subject.core, self._subject.places
        about = one.about
        said = places.text(one.spans[0]) if about is None else about.text
        cites = core.statements_in(places.cites(one.spans[0])) if about is None else (*about.statements, about.name)
        lines = ("# you decide it so: put its name into the brackets behind the line, in the place of `inferred`",
                 'assume NAME "..."') if about is None else ()  # fmt: skip
        return question(
            one.place, AskedQuestion(ASKS, (said,)), one.spans, cites, candidates, witness, weight,
            settle="words of the rulebook, a reading, or one of these lines", notes=(),
            wordings=() if about is None else worded((), (about.text,)),
            lines=(*lines, *accepting(f"{CODE}/{one.place}")),
        )  # fmt: skip


def _first(reader: MarkReader, game: NotedGame, parts: Mapping[str, set[int | None]]) -> dict[str, int]:
    """After how many events a game has come to a part, by name."""
    walker, found = reader.walker, dict[str, int]()
    reader.done.clear()
    step = walker.begin(game.setting)
    for number, event in enumerate((*game.events, None)):
        if not isinstance(step, Failed):
            reader.read(step)
        for name, some in parts.items():
            if name not in found and (None in some or not some.isdisjoint(reader.done)):
                found[name] = number
        if event is None or not isinstance(step, State):
            break
        step = walker.advance(step, event)
    return found
