"""The games that a review shows: in words, as lines of a log, and as files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from referee.api.errors import ArgumentError
from referee.api.game_record import Recorder
from referee.api.game_setting import players_of
from referee.api.rule_sources import RulesSource
from referee.api.runs.chosen_settings import chosen
from referee.api.whole_files import write_whole
from referee.core.flow import Flow
from referee.diagnostics.source import Source
from referee.frontend.names.shapes import Range, Shape
from referee.game.event import FATE, Event
from referee.game.log.strict_json import Json
from referee.game.state import Failed
from referee.interpreter.walker import Walker
from referee.judge.display_names import Names
from referee.native.engine_names import GENERATED, REFERENCE, engine
from referee.page.pictures import pictures_of
from referee.scene.arrangement import Arrangement
from referee.scene.scene import Scene
from referee.simulation.set_up import SetUp
from referee.simulation.shrinking import replayed
from referee.system.deadline import Clock

if TYPE_CHECKING:
    from referee.api.runs.question_inputs import QuestionInputs
    from referee.review.review import Load
    from referee.review.review import Review as Review  # what `Reviewing` gives is told by commands
    from referee.simulation.witness import Witness

MOST_BLIND = 40
"""So many questions are told of rules of which it is measured what is found."""
_PLAIN = re.compile(r"[^A-Za-z0-9_.-]+")


def load_for(source: RulesSource) -> Load:
    """Finds the flow for a shape, with names for its players; each once."""

    @cache
    def load(shape: Shape) -> tuple[Flow, tuple[str, ...]]:
        flow = source.flow(shape.players, dict(shape.options))
        return flow, players_of(flow.core)

    return load


def shapes_of(bounds: Range, players: int | None) -> list[Shape]:
    """The shapes that are reviewed: every number of players, or one, with default options; then each other value of
    an option, with the fewest players that have it."""
    numbers = bounds.players if players is None else (players,)
    found = [Shape(number) for number in numbers]
    for name, values in bounds.options.items():
        having = next((number for number in numbers if name in bounds.options_for(number)), None)
        found += [Shape(having, ((name, value),)) for value in values[1:] if having is not None]
    return found


class Reviewing:
    """A review that is to be made. `load`: finds the rules of a shape; `wording`: of the statements of the rulebook."""

    def __init__(self, source: RulesSource, players: int | None, only: Sequence[str],
                 given: QuestionInputs | None = None) -> None:
        """`players`: None for every number; `only`: classes of findings, if there are any; `given`: files that the
        questions look at. Raises `ArgumentError` (AP02) for a class or a language that there is not, `Problems` if the
        rules are not for so many, or a file cannot be used (RV01 to RV04)."""
        from referee.api.runs.scenario_examples import shapes_told
        from referee.review.detectors import DETECTORS

        known = sorted({check.code for check in DETECTORS})
        for code in only:
            if code not in known:
                raise ArgumentError("AP02", f"there is no class {code}", expected=tuple(known))
        self._source, self._only = source, tuple(only)
        self._loaded = source.loaded
        self._given = given
        self._words = None if given is None else given.words(self._loaded)
        self._known = frozenset[str]() if given is None else given.known()
        self.load = load_for(source)
        bounds = self._loaded.range
        self._shapes = [*shapes_of(bounds, players), *shapes_told(source, bounds, players)]
        every = [*shapes_of(bounds, None), *shapes_told(source, bounds, None)]
        self._elsewhere = [shape for shape in every if shape not in self._shapes]
        self.load(self._shapes[0])  # that there are so many players is said before anything is looked at

    @property
    def wording(self) -> dict[str, str]:
        return {name: one.text for name, one in self._loaded.statements.items()}

    @property
    def title(self) -> str:
        """What the game is called."""
        return self.load(self._shapes[0])[0].core.title

    @property
    def sources(self) -> tuple[Source, ...]:
        """The texts of the rules."""
        return self._loaded.sources

    def review(self, timeout: float | Clock | None, progress: Callable[[str], None], *, games: int, events: int,
               positions: int, seed: int, proofs: bool, engine_name: str = GENERATED) -> Review:
        """The review. `timeout` in seconds on the wall, or a clock; the rest as in `ReviewEffort`."""
        from referee.api.runs.scenario_examples import contradicted_in, examples_of, told_in
        from referee.review.review import review
        from referee.review.subject import ReviewEffort

        effort = ReviewEffort(games, events, seed=seed, positions=positions, proofs=proofs,
                        examples=examples_of(self._source), told=told_in(self._source),
                        contradicted=contradicted_in(self._source), words=self._words,
                        lone_words=self._source.blind or (self._given is not None and self._given.lone_words),
                        blind=self._source.blind, engine=engine_name)
        found = review(self._loaded, self.load, self._shapes, effort, timeout, self._only, progress, self._elsewhere)
        told = self._with_text(found).without(self._known)
        return told.first_questions(MOST_BLIND) if self._source.blind else told

    def _with_text(self, found: Review) -> Review:
        """The review with what the rulebook itself shows, if it is given or its words are wanted."""
        from referee.review.questions.text_findings import text_findings

        if self._given is None or self._words is None or not (self._given.rulebook or self._given.lone_words):
            return found
        core = self.load(self._shapes[0])[0].core
        text = text_findings(self._words, self._loaded.statements, core, found.flaws, self._given.lone_words)
        return replace(found, text=text)


class Games:
    """Games of one ruleset. `folder`: where they are written, None for nowhere."""

    def __init__(self, load: Load, folder: Path | None) -> None:
        self._load = load
        self._folder = folder
        self._walkers: dict[Shape, Walker] = {}

    def story(self, witness: Witness) -> Sequence[str]:
        """The events of a game in words."""
        setting = witness.setting
        names = Names(self._load(Shape(len(setting.players), witness.options))[0], setting.players)
        return [_told(names, event) for event in witness.events]

    def settings(self, witness: Witness) -> Sequence[str]:
        """What is not the default in the setting of a game: options, readings, parameters and givens, in words."""
        players = witness.setting.players
        return list(chosen(self._load(Shape(len(players), witness.options))[0], witness.setting,
                           self._load(Shape(len(players)))[0].core.options))  # fmt: skip

    def set_up(self, witness: Witness) -> int:
        """How many events of a game are set-up."""
        setting = witness.setting
        walker = self._walker(Shape(len(setting.players), witness.options))
        return SetUp(walker).events(setting, witness.events)

    def scene(self, witness: Witness) -> Scene | None:
        """What lies where in the position that is to be drawn of a game, with all that some player sees; None if the
        rules fail before there is one."""
        setting = witness.setting
        walker = self._walker(Shape(len(setting.players), witness.options))
        step = replayed(walker, setting, witness.events[: witness.drawn])
        if step is None or (isinstance(step, Failed) and step.state is None):
            return None
        return Arrangement(walker, setting.players).scene(step, range(len(setting.players)))

    def pictures(self) -> dict[str, str]:
        """The pictures of the rules by which positions were drawn so far, as data URIs."""
        return {name: uri for walker in self._walkers.values() for name, uri in pictures_of(walker.core).items()}

    def log(self, witness: Witness, further: Sequence[Event] = ()) -> list[str]:
        """A game as the lines of a log. `further`: events that come after it."""
        setting, events = witness.setting, (*witness.events, *further)
        walker = self._walker(Shape(len(setting.players), witness.options))
        state = None if witness.tale is None else witness.tale.state
        beside: dict[str, Json] = {} if witness.tale is None else {"state": None if state is None else dict(state)}
        return list(Recorder(walker, dict(witness.options)).replayed(setting, events, beside=beside))

    def _walker(self, shape: Shape) -> Walker:
        if shape not in self._walkers:
            self._walkers[shape] = engine(self._load(shape)[0], REFERENCE)
        return self._walkers[shape]

    def write_all(self, found: Review) -> None:
        """Writes the game of each flaw into the folder, named after the flaw. Raises `OSError` as writing does."""
        if self._folder is None:
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        for name, witness in self._shown(found):
            path = self._folder / f"{name}.jsonl"
            write_whole(path, self.log(witness))

    def _shown(self, found: Review) -> Iterator[tuple[str, Witness]]:
        for finding in found.flaws:
            if finding.witness is not None:
                yield _PLAIN.sub("_", finding.id)[:120], finding.witness
            if finding.from_start is not None:
                yield f"{_PLAIN.sub('_', finding.id)[:108]}.from_start", finding.from_start


def _told(names: Names, event: Event) -> str:
    if event.by < FATE:
        return f"the table rules on {event.label}: {names.ruling(event)}"
    return f"{names.who(event.by)}  {names.event(event)}"
