"""Asks about points at which the table would rule and of which the rules say nothing.

Each is a question if a ruling matters; so are those at which games stop, as nothing is possible or nothing more is
said, and the lines that cannot be carried out in a game, as nothing is there or no room is.

`unspecified`, written at such a point, answers it: then somebody has said that the rulebook does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from referee.analysis.position_words import Words
from referee.analysis.rule_places import Places
from referee.core.flow import Rule
from referee.core.ruleset import Core
from referee.core.stmt import Gap, Point
from referee.diagnostics.source import Span
from referee.frontend.names.other_answers import THE_RULES
from referee.game.state import Failed, Step, Stopped
from referee.interpreter.walker import Walker
from referee.review.finding import AskedQuestion, Continuation, Finding, GameShare
from referee.review.open_rulings import DIMENSIONS, WORDINGS, OpenRulings, is_conflict, points_of, settled
from referee.review.questions.noted_games import NotedGame, under
from referee.review.questions.question_finding import CODE, FirstGame, FirstGames, question, worded
from referee.review.questions.wordings import accepting
from referee.review.rule_lines import says_unspecified
from referee.simulation.shrinking import minimised
from referee.simulation.witness import Witness
from referee.system.deadline import Clock

LOOKED_AT = 60
"""So many positions at one point are looked at for a difference before it has made one,"""
EACH = 5
"""and so many more for each game in which it has."""
NOT_SAID, STOP, FAIL = "not_said", "stop", "fail"
STILL_LEVEL = "several are still level, and the rules do not say who has won"
STOPPED = ("Who can do none of this passes.", "If nobody can go on, the game is over, and ... has won.")
"""What a rulebook could say where a game stops."""
IN_VAIN = ("It may not be done then.", "So much of it is done as can be, and then ... happens.")
"""What a rulebook could say where something cannot be carried out."""
LEVEL = ("All who are still level have won.", "Of those who are still level nobody has won.")
"""What a rulebook could say where whoever is taken has won."""


@dataclass(slots=True)
class _Point:
    """A point, and how often it was looked at."""

    node: Rule
    looked_at: int = 0


@dataclass
class PointsLeftOpen:
    """The points of one core. `known`: the places of which it is asked already; `blind`: also those of which the rules
    say that nobody says anything."""

    core: Core
    walker: Walker
    words: Words
    places: Places
    clock: Clock
    known: frozenset[str]
    blind: bool = False
    _stops: FirstGames = field(default_factory=FirstGames)
    _fails: FirstGames = field(default_factory=FirstGames)
    _mattered: FirstGames = field(default_factory=FirstGames)
    _points: dict[str, _Point] = field(default_factory=dict)
    _at: dict[int, _Point] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._rulings = OpenRulings(self.walker, self.words, self.clock)
        for at, node in points_of(self.walker.flow):
            if node.gap in DIMENSIONS:
                if not self._is_said(node.point) and self._name(node) not in self.known:
                    self._at[at] = self._points.setdefault(node.point.name, _Point(node))

    def _is_said(self, point: Point) -> bool:
        return not self.blind and says_unspecified(self.places.text(point.origin.span))

    def names(self) -> Iterator[str]:
        """What the question about each point is called."""
        yield from (self._name(one.node) for one in self._points.values())
        yield from (f"{name}/{STOP}.{NOT_SAID}" for name in self._stops.first)
        yield from (f"{name}/{FAIL}.{NOT_SAID}" for name in self._fails.first)

    def look(self, game: NotedGame) -> None:
        """Looks whether it matters in a game what is ruled. Raises `OutOfTime`."""
        self._mattered.games += 1
        self._note_stop(game)
        done: set[str] = set()
        for number, state in enumerate(game.states):
            one = self._at.get(state.at)
            if one is None or (name := one.node.point.name) in done:
                continue
            if one.looked_at >= LOOKED_AT + EACH * self._mattered.told(name):
                continue
            one.looked_at += 1
            if self._rulings.difference(under(self.walker, state, THE_RULES), one.node)[0] is not None:
                done.add(name)
                self._mattered.note(name, game, number)

    def _note_stop(self, game: NotedGame) -> None:
        """Notes where a game stops, unless the rules say themselves that nothing is said there, or fails."""
        self._stops.games += 1
        self._fails.games += 1
        last = game.last
        if isinstance(last, Failed) and last.span is not None:
            self._fails.note(self.places.name(last.span), game, len(game.events))
        if isinstance(last, Stopped) and not self._is_said(last.point):
            self._stops.note(last.point.name, game, len(game.events))

    def stops(self, open_: Sequence[str]) -> Iterator[Finding]:
        """A question for each of these points at which games stop, and each of these lines that fail."""
        for point, seen in self._stops.first.items():
            name = f"{point}/{STOP}.{NOT_SAID}"
            if name in open_ and name not in self.known and isinstance(seen.game.last, Stopped):
                yield self._stopping(name, seen.game, seen.game.last, self._stops.share(point))
        for place, seen in self._fails.first.items():
            name, last = f"{place}/{FAIL}.{NOT_SAID}", seen.game.last
            if name in open_ and name not in self.known and isinstance(last, Failed) and last.span is not None:
                yield self._failing(name, seen.game, last, last.span, self._fails.share(place))

    def findings(self, open_: Sequence[str]) -> Iterator[Finding]:
        """A question for each of these points at which it matters what is ruled."""
        for one in sorted(self._points.values(), key=lambda point: -self._mattered.told(point.node.point.name)):
            seen = self._mattered.first.get(one.node.point.name)
            if seen is not None and self._name(one.node) in open_:
                yield self._finding(one.node, seen)

    def _stopping(self, name: str, game: NotedGame, last: Stopped, weight: GameShare) -> Finding:
        def shows(step: Step) -> bool:
            return isinstance(step, Stopped) and step.point.name == last.point.name

        events, least = minimised(self.walker, game.setting, game.events, shows, self.clock)
        return self._left_open(
            name, "the game cannot go on here: what then?", STOPPED, f"the game stops here by the rules: {last.why}",
            last.point.origin.span, Witness(game.setting, events, False, least, options=self.core.options), weight,
            "an option that is always possible, `may`, an end of the game, or `unspecified`", last.point.origin.cites,
        )  # fmt: skip

    def _failing(self, name: str, game: NotedGame, last: Failed, span: Span, weight: GameShare) -> Finding:
        def shows(step: Step) -> bool:
            return isinstance(step, Failed) and (step.code, step.span) == (last.code, span)

        events, least = minimised(self.walker, game.setting, game.events, shows, self.clock)
        return self._left_open(
            name, "this cannot be carried out here: what then?", IN_VAIN,
            f"the rules fail here ({last.code}): {last.message}", span,
            Witness(game.setting, events, False, least, options=self.core.options), weight,
            "a `needs` of the action, or an `if` around the line",
        )  # fmt: skip

    def _left_open(
        self, name: str, asks: str, said: tuple[str, ...], end: str, span: Span, witness: Witness, weight: GameShare,
        settle: str, cited: Sequence[str] = (),
    ) -> Finding:  # fmt: skip
        """A question where no game goes on. `said`: what a rulebook could say; `end`: what comes by the rules."""
        cites = self.core.statements_in(dict.fromkeys((*cited, *self.places.cites(span))))
        return question(
            name, AskedQuestion(asks, (self.places.text(span),)), (span,), cites,
            tuple(Continuation(one.rstrip("."), end) for one in said), witness, weight, settle=settle, notes=(),
            wordings=worded(cites, said), lines=accepting(f"{CODE}/{name}"),
        )  # fmt: skip

    def _finding(self, node: Rule, seen: FirstGame) -> Finding:
        self._rulings = OpenRulings(self.walker, self.words, Clock(None))  # what was found is told, however late it is
        state = under(self.walker, seen.game.states[seen.number], THE_RULES)
        span = node.point.origin.span
        cites = self.core.statements_in(dict.fromkeys((*node.point.origin.cites, *self.places.cites(span))))
        overwrites = is_conflict(self.core, node)
        asks, wordings = self._rulings.message(state, node, overwrites=overwrites), WORDINGS[node.gap]
        candidates = tuple(self._rulings.candidates(state, node))
        if node.gap is Gap.TIE and all(way.end == f"{way.text} wins" for way in candidates):
            asks, wordings = STILL_LEVEL, LEVEL
            candidates = tuple(Continuation(said.rstrip("."), "it is the end of the game") for said in LEVEL)
        text, name = self.places.text(span), self._name(node)
        return question(
            name, AskedQuestion(asks, (text,)), (span,), cites, candidates, seen.witness(self.core.options),
            self._mattered.share(node.point.name), settle=settled(self.core, node, text),
            wordings=worded(cites, wordings), lines=accepting(f"{CODE}/{name}"),
        )  # fmt: skip

    def _name(self, node: Rule) -> str:
        return f"{node.point.name}/{DIMENSIONS[node.gap]}.{NOT_SAID}"
