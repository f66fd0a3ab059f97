"""Whether the situation of which a row of the wording asks can come about.

That is seen from the lines that cite the sentence, and from the games that were played.

A row names what must be so (`situation`): `short`: there is too little where these lines take something from; `used`:
things that were used lie somewhere; `kinds`: what they count is of several sorts; `play`: they belong to play, and not
to set-up alone; `limit`: a counter comes to its limit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from referee.analysis.rule_places import Places
from referee.core.expr import Const, Fold, Within
from referee.core.ruleset import Core, Form
from referee.core.stmt import Block, Call, Chance, Merge, Move, Stmt, origin_of
from referee.core.traverse import bodies, called, itself, offered, rules_of, statements, walk
from referee.frontend.statements.state_changes import SURPLUS
from referee.game.state import Ended
from referee.interpreter.closures.zone_moves import amount
from referee.interpreter.walker import Walker
from referee.review.questions.lexicon import folded
from referee.review.questions.noted_games import NotedGame
from referee.review.questions.question_finding import FirstGame, FirstGames
from referee.review.questions.sentence_words import SentenceWords
from referee.review.questions.trials import AnswerTrial
from referee.review.text_questions.asked_sentences import TextQuestion
from referee.review.text_questions.text_rows import KINDS, LIMIT, PLAY, SHORT, USED

ENOUGH = 8
"""So many games that ended are enough to say that something does not come about."""
_ORDER = (True, None, False)
"""What came about, that of which it is not known, what did not."""


@dataclass
class Situations:
    """What is known of one shape's rules and games. Nothing is known of a sentence that no line cites."""

    core: Core
    places: Places
    words: SentenceWords
    _taken: dict[str, set[tuple[str, int]]] = field(default_factory=dict)
    _in_play: dict[str, bool] = field(default_factory=dict)
    _counted: dict[str, set[int]] = field(default_factory=dict)
    _short: FirstGames = field(default_factory=FirstGames)
    _limits: dict[str, list[AnswerTrial]] = field(default_factory=dict)
    _settled: dict[tuple[str, str], bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for cites, stmt, playing in self._lines():
            for cite in self.core.statements_in(cites):
                self._in_play[cite] = self._in_play.get(cite, False) or playing
                self._taken.setdefault(cite, set()).update(self._sources(stmt))
        for fold in walk(rules_of(self.core), Fold):
            for within in itself(fold.source, Within):
                if fold.span is not None:
                    kinds = self.core.zones[within.place.zone].kinds
                    many = sum(one.kind in kinds and not one.owner for one in self.core.components)
                    for cite in self.places.cites(fold.span):
                        self._counted.setdefault(cite, set()).add(many)

    # ------------------------------------------------------------------ what the rules say
    def _lines(self) -> Iterator[tuple[tuple[str, ...], Stmt, bool]]:
        """Each line with what is cited there, and whether it belongs to play."""
        core = self.core
        before, playing = core.main[: core.setup], core.main[core.setup :]
        ahead = self._reached(before) - self._reached(playing)
        yield from (one for block, here in ((before, False), (playing, True)) for one in self._of(block, (), here))
        for action in core.actions.values():
            yield from self._of(action.body, action.origin.cites, action.name not in ahead)
        for name, one in core.procedures.items():
            yield from self._of(one.body, one.origin.cites, name not in ahead)

    def _of(self, block: Block, cites: tuple[str, ...], playing: bool
            ) -> Iterator[tuple[tuple[str, ...], Stmt, bool]]:  # fmt: skip
        for stmt in statements(block):
            own = origin_of(stmt).cites or cites
            yield own, stmt, playing
            for call in itself(stmt, Call):
                if call.procedure in self.core.procedures:
                    inner = statements(self.core.procedures[call.procedure].body)
                    yield from ((own, one, playing) for one in inner if not origin_of(one).cites)

    def _reached(self, block: Block) -> set[str]:
        """The names of the procedures and actions that a block comes to."""
        return called(self.core.procedures, (block,)) | offered(self.core, block)

    def _sources(self, stmt: Stmt) -> Iterator[tuple[str, int]]:
        """The places that belong to nobody from which a line takes something, and how much it takes."""
        for move in itself(stmt, Move):
            number = next((one.value for one in itself(move.number, Const)), 1)
            if isinstance(number, int):
                yield move.source.zone, number
        for chance in itself(stmt, Chance):
            for within in walk(tuple(one.source for one in self.core.actions[chance.action].params), Within):
                yield within.place.zone, 1

    # ------------------------------------------------------------------ what the games show
    def look(self, walker: Walker, game: NotedGame) -> None:
        """Notes where something runs short in a game that comes to its end."""
        if not isinstance(game.last, Ended):
            return
        self._short.games += 1
        for name, needed in {one for some in self._taken.values() for one in some if not self.core.zones[one[0]].keys}:
            begun = False
            for number, state in enumerate(game.states):
                there = amount(self.core.zones[name], walker.layout.read_zone(state, name, ()))
                if begun and there < needed:
                    self._short.note((name, needed), game, number)
                    break
                begun = begun or there >= needed

    def note_settled(self, cites: Iterable[str], dimension: str, *, settled: bool) -> None:
        """Notes whether something settles what lines of some statements leave open."""
        for cite in cites:
            key = cite, dimension
            self._settled[key] = self._settled.get(key, True) and settled

    def note_tried(self, trial: AnswerTrial, cites: Iterable[str]) -> None:
        """Notes of an other answer that was tried whether games came to where it does something else."""
        for cite in cites if trial.answer.dimension == SURPLUS and trial.games >= ENOUGH else ():
            self._limits.setdefault(cite, []).append(trial)

    # ------------------------------------------------------------------ what comes of it
    def first(self, asked: Iterable[TextQuestion], names: Iterable[str]) -> list[str]:
        """The names of what is asked of the wording, without what cannot come about and what is settled for the lines;
        first what came about in games, and last what did in none: a reader asks what to do when a supply is used up
        without working out that it is large enough."""
        known = [(self._comes_about(one), one.row, name) for one, name in zip(asked, names, strict=True)
                 if not self._is_settled(one)]  # fmt: skip
        told = [(came, name) for came, row, name in known if came is not False or SHORT in row.situation]
        return [name for _, name in sorted(told, key=lambda one: _ORDER.index(one[0]))]

    def shown(self, asked: TextQuestion) -> FirstGame | None:
        """The first game in which it came about."""
        if SHORT not in asked.row.situation:
            return None
        supplies = self._open_supplies(asked.sentence.ids)
        games = [self._short.first[one] for one in supplies if one in self._short.first]
        return min(games, key=lambda one: one.number, default=None)

    def _is_settled(self, asked: TextQuestion) -> bool:
        """Whether lines of the sentence were asked the same and something settled all of them, other than the very
        words of which it is asked."""
        for cite in asked.sentence.ids if asked.second is None else ():
            for like in asked.row.like:
                if self._settled.get((cite, like), False):
                    word = self.words.settling(like, (cite,))
                    if word is None or folded(word) not in folded(asked.words):
                        return True
        return False

    def _comes_about(self, asked: TextQuestion) -> bool | None:
        """Whether what is asked about came about; None where that is not known."""
        known = [self._known(one, asked.sentence.ids) for one in asked.row.situation]
        return False if False in known else True if True in known else None

    def _known(self, situation: str, ids: tuple[str, ...]) -> bool | None:
        if situation == SHORT:
            places = self._open_supplies(ids)
            enough = bool(places) and self._short.games >= ENOUGH
            return True if any(one in self._short.first for one in places) else False if enough else None
        if situation == KINDS:
            many = {one for cite in ids for one in self._counted.get(cite, ())}
            return False if many == {1} else None
        if situation == PLAY:
            lines = [self._in_play[cite] for cite in ids if cite in self._in_play]
            return False if lines and not any(lines) else None
        if situation == LIMIT:
            tried = [one for cite in ids for one in self._limits.get(cite, ())]
            return any(one.forks for one in tried) if tried else None
        return False if situation == USED and not self._has_used_things else None

    def _open_supplies(self, ids: Iterable[str]) -> set[tuple[str, int]]:
        return {one for cite in ids for one in self._taken.get(cite, ()) if not self.core.zones[one[0]].keys}

    @property
    def _has_used_things(self) -> bool:
        """Whether play puts something into a bag or pile of nobody, or shuffles it into one."""
        core = self.core
        blocks = (core.main[core.setup :], *bodies(core)[1:])
        zones = {move.to.zone for block in blocks for move in statements(block, Move)}
        zones |= {merge.to.zone for block in blocks for merge in statements(block, Merge)}
        return any(not core.zones[one].keys and core.zones[one].form in (Form.BAG, Form.PILE) for one in zones)
