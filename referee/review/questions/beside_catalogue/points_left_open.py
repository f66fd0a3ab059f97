"""Points at which the table would rule and of which the rules say nothing: a question each, if a ruling matters; and
those at which games stop, as nothing is possible or nothing more is said.

`unspecified`, written at such a point, answers it: then somebody has said that the rulebook does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from referee.analysis.position_words import Words
from referee.analysis.rule_places import Places
from referee.core.flow import Rule
from referee.core.ruleset import Core
from referee.core.stmt import Gap
from referee.frontend.names.other_answers import THE_RULES
from referee.game.state import Step, Stopped
from referee.interpreter.walker import Walker
from referee.review.finding import AskedQuestion, Continuation, Finding, FindingOutcome, GameShare
from referee.review.open_rulings import DIMENSIONS, WORDINGS, OpenRulings, is_conflict, points_of, settled
from referee.review.questions.noted_games import NotedGame, under
from referee.review.questions.telling import CODE
from referee.simulation.game_shares import interval
from referee.simulation.shrinking import minimised
from referee.simulation.witness import Witness
from referee.system.deadline import Clock

LOOKED_AT = 60
"""So many positions at one point are looked at for a difference before it has made one,"""
EACH = 5
"""and so many more for each game in which it has."""
NOT_SAID, STOP = "not_said", "stop"
STILL_LEVEL = "several are still level, and the rules do not say who has won"
STOPPED = ("Who can do none of this passes.", "If nobody can go on, the game is over, and ... has won.")
"""What a rulebook could say where a game stops."""
LEVEL = ("All who are still level have won.", "Of those who are still level nobody has won.")
"""What a rulebook could say where whoever is taken has won."""


@dataclass(slots=True)
class _Point:
    """What is known of one point: in how many games it made a difference, how often it was looked at, the shortest."""

    node: Rule
    told: int = 0
    looked_at: int = 0
    game: tuple[NotedGame, int] | None = None


@dataclass(slots=True)
class _Stop:
    """A point at which games stop: in how many, and the shortest of them."""

    last: Stopped
    told: int
    game: NotedGame


@dataclass
class PointsLeftOpen:
    """The points of one core. `known`: the places of which it is asked already."""

    core: Core
    walker: Walker
    words: Words
    places: Places
    clock: Clock
    known: frozenset[str]
    _games: int = 0
    _stops: dict[str, _Stop] = field(default_factory=dict)
    _points: dict[str, _Point] = field(default_factory=dict)
    _at: dict[int, _Point] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._rulings = OpenRulings(self.walker, self.words, self.clock)
        for at, node in points_of(self.walker.flow):
            if node.gap in DIMENSIONS:
                said = "unspecified" in self.places.text(node.point.origin.span)
                if not said and self._name(node) not in self.known:
                    self._at[at] = self._points.setdefault(node.point.name, _Point(node))

    def names(self) -> Iterator[str]:
        """What the question about each point is called."""
        yield from (self._name(one.node) for one in self._points.values())
        yield from (f"{name}/{STOP}.{NOT_SAID}" for name in self._stops)

    def look(self, game: NotedGame) -> None:
        """Looks whether it matters in a game what is ruled. Raises `OutOfTime`."""
        self._games += 1
        self._note_stop(game)
        done: set[str] = set()
        for number, state in enumerate(game.states):
            one = self._at.get(state.at)
            if one is None or one.node.point.name in done or one.looked_at >= LOOKED_AT + EACH * one.told:
                continue
            one.looked_at += 1
            if self._rulings.difference(under(self.walker, state, THE_RULES), one.node)[0] is not None:
                done.add(one.node.point.name)
                one.told += 1
                if one.game is None or number < one.game[1]:
                    one.game = game, number

    def _note_stop(self, game: NotedGame) -> None:
        """Notes where a game stops, unless the rules say themselves that nothing is said there."""
        last = game.last
        if not isinstance(last, Stopped) or "unspecified" in self.places.text(last.point.origin.span):
            return
        known = self._stops.get(last.point.name)
        if known is None:
            self._stops[last.point.name] = _Stop(last, 1, game)
            return
        known.told += 1
        if len(game.events) < len(known.game.events):
            known.last, known.game = last, game

    def stops(self, open_: Sequence[str]) -> Iterator[Finding]:
        """A question for each of these points at which games stop."""
        for point, stop in self._stops.items():
            name = f"{point}/{STOP}.{NOT_SAID}"
            if name in open_ and name not in self.known:
                yield self._stopping(name, stop)

    def findings(self, open_: Sequence[str]) -> Iterator[Finding]:
        """A question for each of these points at which it matters what is ruled."""
        for one in sorted(self._points.values(), key=lambda point: -point.told):
            if one.game is not None and self._name(one.node) in open_:
                yield self._finding(one, *one.game)

    def _stopping(self, name: str, stop: _Stop) -> Finding:
        def shows(step: Step) -> bool:
            return isinstance(step, Stopped) and step.point.name == stop.last.point.name

        game, span = stop.game, stop.last.point.origin.span
        events, least = minimised(self.walker, game.setting, game.events, shows, self.clock)
        cites = self.core.statements_in(dict.fromkeys((*stop.last.point.origin.cites, *self.places.cites(span))))
        asked = AskedQuestion("the game cannot go on here: what then?", (self.places.text(span),))
        return Finding(
            CODE, FindingOutcome.FOUND, asked.message, name,
            (span,), cites, Witness(game.setting, events, False, least, options=self.core.options),
            tuple(Continuation(said, f"the game stops here by the rules: {stop.last.why}") for said in STOPPED),
            "an option that is always possible, `may`, an end of the game, or `unspecified`",
            weight=GameShare(stop.told, self._games, *interval(stop.told, self._games)),
            wordings=tuple(f'{where}: "{said}"' for where, said in zip(
                (f"in {cites[0]}" if cites else "in the rulebook", "or"), STOPPED, strict=True)), asked=asked,
            lines=("# it is as it should be, and nobody has to say it", f'accept "{CODE}/{name}" because "..."'),
        )  # fmt: skip

    def _finding(self, one: _Point, game: NotedGame, number: int) -> Finding:
        self._rulings = OpenRulings(self.walker, self.words, Clock(None))  # what was found is told, however late it is
        node, state = one.node, under(self.walker, game.states[number], THE_RULES)
        span = node.point.origin.span
        cites = self.core.statements_in(dict.fromkeys((*node.point.origin.cites, *self.places.cites(span))))
        overwrites = is_conflict(self.core, node)
        asks, wordings = self._rulings.message(state, node, overwrites=overwrites), WORDINGS[node.gap]
        candidates = tuple(self._rulings.candidates(state, node))
        if node.gap is Gap.TIE and all(way.end == f"{way.text} wins" for way in candidates):
            asks, wordings = STILL_LEVEL, LEVEL
            candidates = tuple(Continuation(said.rstrip("."), "it is the end of the game") for said in LEVEL)
        text, name = self.places.text(span), self._name(node)
        where = f"in {cites[0]}" if cites else "in the rulebook"
        asked = AskedQuestion(asks, (text,))
        return Finding(
            CODE, FindingOutcome.FOUND, asked.message, name, (span,), cites,
            Witness(game.setting, game.events[:number], options=self.core.options),
            candidates, settled(self.core, node, text),
            () if cites else ("no statement of the rulebook is cited here",),
            weight=GameShare(one.told, self._games, *interval(one.told, self._games)),
            wordings=tuple(f'{where if not at else "or"}: "{said}"' for at, said in enumerate(wordings)), asked=asked,
            lines=("# it is as it should be, and nobody has to say it", f'accept "{CODE}/{name}" because "..."'),
        )  # fmt: skip

    def _name(self, node: Rule) -> str:
        return f"{node.point.name}/{DIMENSIONS[node.gap]}.{NOT_SAID}"
