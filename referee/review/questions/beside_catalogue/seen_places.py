"""Asks who may see what lies somewhere.

It is asked once of what is seen by its owner alone, once of where used things lie, and of what passes from player to
player.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from referee.analysis.rule_places import Places
from referee.core.expr import Place
from referee.core.ruleset import Core, Form, Zone
from referee.core.stmt import Decide, Move
from referee.core.traverse import bodies, statements, walk
from referee.game.state import State
from referee.interpreter.closures.zone_moves import amount
from referee.interpreter.walker import Walker
from referee.review.finding import AskedQuestion, Finding
from referee.review.questions.beside_catalogue.seen_passing import SeenPassing
from referee.review.questions.noted_games import NotedGame
from referee.review.questions.question_finding import FirstGames, both, by_words, question, worded
from referee.review.questions.sentence_words import SentenceWords

WHO_KNOWS, EVERYBODY, THE_LAST = "who_knows", "everybody", "the_last_alone"
ASKS = "who may see what lies there?"


@dataclass(frozen=True, slots=True)
class _Sight:
    """An answer: what it is called, what the rules say, what they would say, and what comes of both."""

    name: str
    now: str
    then: str
    ends: tuple[str, str]


_ALL_KNOW = "all of them know what lies there"
_OWN = _Sight(EVERYBODY, "only whose it is may look at it", "everybody may look at it",
              ("the others do not know what lies there", _ALL_KNOW))  # fmt: skip
_USED = _Sight(THE_LAST, "everybody may look at all of it", "only what was put there last is seen",
               (_ALL_KNOW, "what lies below is known to whoever remembers it"))  # fmt: skip


class SeenPlaces:
    """The zones of one core of which it is asked, and in how many of some games something lies there."""

    def __init__(self, core: Core, places: Places, words: SentenceWords) -> None:
        self._core, self._places, self._words = core, places, words
        self._passing = SeenPassing(core, places, words)
        self._filled = self._moved_into(core)
        own = [one for one in core.zones.values() if one.sight.owners and not one.sight.everybody
               and not one.sight.others and core.seats.number > 1]  # fmt: skip
        self._asked = [(_OWN, tuple(sorted(own, key=self._rank)))] if own else []
        self._asked += [(_USED, (one,)) for one in self._used()[:1]]
        self._seen = FirstGames()

    def names(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """What each question is called, and what is cited there."""
        for sight, zones in self._asked:
            yield self._name(sight, zones[0]), self._cites(zones[0])
        yield from self._passing.names()

    def is_settled(self, name: str) -> bool:
        """Whether words of a cited statement say who sees it, or what the place is called: a hand is a hand."""
        passing = self._passing.is_settled(name)
        if passing is not None:
            return passing
        zone = next(zones[0] for sight, zones in self._asked if self._name(sight, zones[0]) == name)
        called = self._words.lexicon.settling(WHO_KNOWS, zone.name.replace("_", " "))
        return (called or self._words.settling(WHO_KNOWS, self._core.statements_in(self._cites(zone)))) is not None

    def look(self, walker: Walker, game: NotedGame) -> None:
        """Notes where something lies in a game."""
        self._seen.games += 1
        self._passing.look(game)
        for sight, zones in self._asked:
            for number, state in enumerate(game.states):
                if _number(walker, state, zones[0]) > (1 if sight is _USED else 0):
                    self._seen.note(self._name(sight, zones[0]), game, number)
                    break

    def findings(self, open_: Sequence[str]) -> Iterator[Finding]:
        """Those questions of which somebody could see something."""
        for sight, zones in self._asked:
            name = self._name(sight, zones[0])
            if name in self._seen.first and name in open_:
                yield self._finding(name, sight, zones)
        yield from self._passing.findings(open_)

    def _finding(self, name: str, sight: _Sight, zones: tuple[Zone, ...]) -> Finding:
        cites = self._core.statements_in(self._cites(zones[0]))
        asked = AskedQuestion(ASKS, (self._places.text(zones[0].origin.span),))
        return question(
            name, asked, (zones[0].origin.span,), cites, both(sight.now, sight.then, sight.ends, cites),
            self._seen.first[name].witness(self._core.options), self._seen.share(name), settle=by_words(name, cites),
            wordings=worded(cites, (sight.now, sight.then)), alike=(self._name(sight, zone) for zone in zones[1:]),
        )  # fmt: skip

    def _name(self, sight: _Sight, zone: Zone) -> str:
        return f"{self._places.name(zone.origin.span)}/{WHO_KNOWS}.{sight.name}"

    def _cites(self, zone: Zone) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*zone.origin.cites, *self._places.cites(zone.origin.span))))

    def _used(self) -> list[Zone]:
        """Bags and piles that everybody sees, into which play puts things that a player alone may have seen before and
        nobody chooses from, the one that most is put into first."""
        core = self._core
        secret = {kind for one in core.zones.values() if one.sight.owners and not one.sight.everybody
                  for kind in one.kinds}  # fmt: skip
        offered = {option.action for body in bodies(core) for one in statements(body, Decide) for option in one.options}
        chosen = {place.zone for name in offered for param in core.actions[name].params
                  for place in walk((param.source, param.among), Place)}  # fmt: skip
        starts = {place.zone for stmt in core.main[: core.setup] for place in walk(stmt, Place)}
        found = [core.zones[name] for name in self._filled if name not in chosen | starts]
        plain = [one for one in found if one.sight.everybody and one.form in (Form.BAG, Form.PILE)
                 and secret & set(one.kinds)]
        return sorted(plain, key=self._rank)

    def _rank(self, zone: Zone) -> tuple[int, str]:
        return -self._filled.get(zone.name, 0), zone.name

    @staticmethod
    def _moved_into(core: Core) -> dict[str, int]:
        """How many lines of play put something into each zone."""
        number: dict[str, int] = {}
        for body in (core.main[core.setup :], *(one.body for one in core.actions.values()),
                     *(one.body for one in core.procedures.values())):  # fmt: skip
            for move in statements(body, Move):
                number[move.to.zone] = number.get(move.to.zone, 0) + 1
        return number


def _number(walker: Walker, state: State, zone: Zone) -> int:
    """How much lies in the fullest instance of a zone."""
    keys = walker.layout.zones[zone.name].keys()
    return max((amount(zone, walker.layout.read_zone(state, zone.name, key)) for key in keys), default=0)
