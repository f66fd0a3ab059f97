"""Who sees what passes from one hidden place of a player to another: asked of each line that moves it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from referee.analysis.rule_places import Places
from referee.core.expr import Local
from referee.core.ruleset import Core, Zone
from referee.core.stmt import Action, Move
from referee.core.traverse import statements, walk
from referee.review.finding import AskedQuestion, Finding
from referee.review.questions.noted_games import NotedGame
from referee.review.questions.question_finding import FirstGames, both, by_words, question, worded
from referee.review.questions.sentence_words import SentenceWords

ON_THE_WAY, SHOWN = "on_the_way", "shown_on_the_way"
_ASKS = "does everybody see what it is?"
_NOW, _THEN = "only who sees it there learns what it is", "it is shown to all on the way"
_ENDS = "the others do not know what it is", "all of them know what it is"


@dataclass(frozen=True, slots=True)
class _Passing:
    """A line by which an action moves something that not all see to where not all see it."""

    name: str
    action: Action
    move: Move


class SeenPassing:
    """The lines of one core of which it is asked, and in how many of some games they are carried out."""

    def __init__(self, core: Core, places: Places, words: SentenceWords) -> None:
        self._core, self._places, self._words = core, places, words
        self._asked = {one.name: one for one in self._passing()} if core.seats.number > 1 else {}
        self._seen = FirstGames()

    def names(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """What each question is called, and what is cited there."""
        for name, one in self._asked.items():
            yield name, self._cites(one)

    def is_settled(self, name: str) -> bool | None:
        """Whether words of a cited statement say who sees it; None of another question."""
        one = self._asked.get(name)
        return None if one is None else (
            self._words.settling(ON_THE_WAY, self._core.statements_in(self._cites(one))) is not None)  # fmt: skip

    def look(self, game: NotedGame) -> None:
        """Notes which of them a game comes to."""
        self._seen.games += 1
        for name, one in self._asked.items():
            args = tuple(param.arg for param in one.action.params if param.arg is not None)
            number = next((at for at, event in enumerate(game.events, 1) if event.label == one.action.label
                           and tuple(arg for arg, _ in event.args) == args), None)  # fmt: skip
            if number is not None:
                self._seen.note(name, game, number)

    def findings(self, open_: Sequence[str]) -> Iterator[Finding]:
        """Those questions to which a game came."""
        yield from (self._finding(one) for name, one in self._asked.items()
                    if name in self._seen.first and name in open_)  # fmt: skip

    def _finding(self, one: _Passing) -> Finding:
        cites, name = self._core.statements_in(self._cites(one)), one.name
        asked = AskedQuestion(_ASKS, (self._places.text(one.move.origin.span),))
        return question(
            name, asked, (one.move.origin.span,), cites, both(_NOW, _THEN, _ENDS, cites),
            self._seen.first[name].witness(self._core.options), self._seen.share(name), settle=by_words(name, cites),
            wordings=worded(cites, (_NOW, _THEN)),
        )  # fmt: skip

    def _cites(self, one: _Passing) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*one.move.origin.cites, *self._places.cites(one.move.origin.span))))

    def _passing(self) -> Iterator[_Passing]:
        """What comes from one player and goes to another, if not all learn what is chosen or drawn; a line once."""
        known = set[str]()
        for action in self._core.actions.values():
            unseen = {param.name for param in action.params if param.arg is not None and param.seen is not None}
            for move in statements(action.body, Move):
                own, to = (self._core.zones[place.zone] for place in (move.source, move.to))
                name = f"{self._places.name(move.origin.span)}/who_knows.{SHOWN}"
                moved = {one.name for one in walk(move.what, Local)} & unseen
                if moved and _is_private(own) and _is_private(to) and move.source != move.to and name not in known:
                    known.add(name)
                    yield _Passing(name, action, move)


def _is_private(zone: Zone) -> bool:
    """Whether a player alone, or some, see what lies there."""
    return bool(zone.keys) and not zone.sight.everybody and bool(zone.sight.owners)
