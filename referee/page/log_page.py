"""The document of a log's page: its lines, what lay where after each, who was asked before it, and the verdict."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from referee.core.ruleset import Core
from referee.game.event import NOBODY, TABLE, Event
from referee.game.log.log_header import Header
from referee.game.log.log_lines import EventLine, Line
from referee.game.setting import Setting
from referee.game.state import State
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.walker import Walker
from referee.judge.judge import Judge
from referee.judge.judgement_summary import seat_of
from referee.judge.partial.hole_judging import Holes
from referee.judge.reasons.legal_choices import MOST_LEGAL, choices_before
from referee.judge.verdict import HoleFact, LogOutcome, LogVerdict
from referee.judge.visibility import PlayerSight
from referee.page.known_lines import KnownLines
from referee.page.pictures import pictures_of
from referee.page.scene_changes import SceneChanges
from referee.report.data.page_schema import SCHEMA
from referee.report.data.verdict_data import as_data
from referee.scene.arrangement import Arrangement
from referee.scene.scene import Scene
from referee.system.deadline import Deadline, OutOfTime

MOST_STEPS = 20_000
"""Lines of a log that a page shows, at most."""
MOST_HOLES = 40
"""Of so many values that are not stated it is looked for what they must be."""
MOST_LETTERS = 48_000_000
"""Of the JSON of all steps; what comes later in the log is left out."""


def blank_log_document(verdict: LogVerdict, core: Core | None = None) -> dict[str, Any]:
    """The page of a log of which nothing but the verdict can be told."""
    return {
        "schema": SCHEMA, "kind": "log", "title": (core.title if core is not None else "") or verdict.ruleset,
        "ruleset": verdict.ruleset, "version": verdict.version, "players": list(verdict.players),
        "viewer": verdict.viewer, "verdict": {**as_data(verdict), "path": PurePath(verdict.path).name},
        "statements": {}, "boards": [], "places": [], "values": [], "pieces": [], "pictures": {}, "texts": [],
        "steps": [],        "left_out": 0,
    }  # fmt: skip


@dataclass(slots=True)
class _Before:
    """Where the game may have stood before a line. `asked`, `legal`: who had to act, and what he could do."""

    states: tuple[State, ...]
    asked: str
    legal: tuple[str, ...]


class LogRecorder:
    """Looks on while a log is judged, and makes its page: so the log is judged once.

    Nothing stands in the page that the viewer (a player, `public`, None for somebody who sees all) may not know, and
    each step holds what he knew when its line was taken.
    """

    def __init__(self, viewer: str | None, until: Deadline, most: int = MOST_STEPS) -> None:
        """`most`: lines at most."""
        self._name, self._until, self._most = viewer, until, most
        self._looking = True
        self._begun: _Looking | None = None
        self._told: list[dict[str, Any]] = []
        self._letters = 0

    @property
    def watches(self) -> bool:
        """Whether the next line belongs to the page too."""
        return self._looking

    def begins(self, header: Header, walker: Walker, setting: Setting, judge: Judge) -> None:
        """Takes the header: the first step."""
        self._begun = _Looking(header, walker, setting, judge, self._name, self._until)
        self._note(lambda looking: looking.step(1, "the game begins", looking.before, ()))

    def before(self) -> None:
        """Looks at where the game stands before a line."""
        self._note(lambda looking: looking.look())

    def after(self, line: Line) -> None:
        """Takes a line: the next step."""
        self._note(lambda looking: looking.taken(line))
        if self._begun is not None and self._begun.over:
            self._looking = False

    def _note(self, look: Callable[[_Looking], dict[str, Any] | None]) -> None:
        """Keeps a step; if there is no more room or time, no further one is looked at."""
        if self._begun is None or not self._looking:
            return
        try:
            told = look(self._begun)
        except OutOfTime:
            self._looking = False
            return
        if told is None:
            return
        self._letters += len(json.dumps(told))
        self._looking = self._letters <= MOST_LETTERS and len(self._told) < self._most
        if self._looking:
            self._told.append(told)

    def facts(self, verdict: LogVerdict) -> tuple[HoleFact, ...]:
        """What must be so of what a log leaves out, if that is little."""
        holes = None if self._begun is None else self._begun.holes
        told = verdict.outcome in (LogOutcome.LEGAL, LogOutcome.POSSIBLE) and verdict.holes <= MOST_HOLES
        return verdict.facts if holes is None or not told else holes.facts()

    def document(self, verdict: LogVerdict) -> dict[str, Any]:
        """The page, as plain data for JSON. `verdict`: on the same log, for the same viewer."""
        looking = self._begun
        if looking is None:
            return blank_log_document(verdict)
        told = self._told
        left_out = verdict.lines - told[-1]["line"] if told and verdict.lines > told[-1]["line"] else 0
        return {
            **blank_log_document(verdict, looking.core), "statements": _wordings(looking.core, told, verdict),
            **looking.layout, "pieces": [{"name": name, "kind": kind, "owner": owner, "picture": picture}
                                         for name, kind, owner, picture in looking.scenes.pieces],
            "pictures": pictures_of(looking.core), "texts": list(looking.texts), "steps": told, "left_out": left_out,
        }  # fmt: skip


class _Looking:
    """Goes through one log beside its judge. `layout`: what stays as it is; `texts`: those that steps name by their
    numbers; `before`: where the game stood before the next line."""

    def __init__(self, header: Header, walker: Walker, setting: Setting, judge: Judge, viewer: str | None,
                 until: Deadline) -> None:
        seat = seat_of(viewer, header)
        self._whole = seat is None or header.viewpoint == viewer
        self._walker, self._judge, self._until = walker, judge, until
        self._sight = PlayerSight(walker.flow, seat)
        self._lines = KnownLines(walker, setting, judge.names, judge.claims, seat)
        self._arrangement = Arrangement(walker, setting.players)
        self._viewers: tuple[int, ...] = tuple(range(len(setting.players))) if seat is None else (seat,)
        if seat == NOBODY:
            self._viewers = ()
        self.before = _Before((), "", ())
        self.scenes = SceneChanges()
        self.layout: dict[str, Any] = {"boards": [], "places": [], "values": []}
        self.texts: dict[str, int] = {}

    @property
    def core(self) -> Core:
        """The rules."""
        return self._walker.core

    @property
    def holes(self) -> Holes | None:
        """The ways to fill the holes, from the first one on."""
        return self._judge.holes

    @property
    def over(self) -> bool:
        """Whether nothing is judged any more."""
        return self._judge.halt is not None or self._judge.not_judged_from is not None

    def look(self) -> None:
        """Notes where the game stands. Raises `OutOfTime`."""
        self.before = _Before((), "", ())
        if self._judge.holes is None:
            alive = self._judge.arrive()
            states = tuple(here.step for here in alive if isinstance(here.step, State))
            asked = choices_before(self._walker, self._judge.names, self._sight, alive, self._until)
            self.before = _Before(states, *asked)

    def taken(self, line: Line) -> dict[str, Any]:
        """The step of a line. Raises `OutOfTime`."""
        known = self._lines.take(line, self.before.states)
        told = self.step(line.number, known.text, self.before, self._cited(self.before, line, known.event))
        return told | ({"learned": [[at, text] for at, text in known.learned]} if known.learned else {})

    def step(self, line: int, text: str, before: _Before, cited: tuple[str, ...]) -> dict[str, Any]:
        """What is told of a line."""
        told: dict[str, Any] = {
            "line": line, "text": text, "asked": before.asked,
            "legal": [self._number(one) for one in before.legal[:MOST_LEGAL]],
            "more": len(before.legal) > MOST_LEGAL, "statements": list(cited),
        }
        scene = self._scene()
        return told | {"change": None if scene is None else self.scenes.change(scene)}

    def _scene(self) -> Scene | None:
        """What is known of what lies where; None where that cannot be drawn. What is not stated for a player, or is
        open, may hang on what he does not see: he gets no drawing of what is left, unless the log is his own."""
        if self._judge.holes is not None and not self._whole:
            return None
        found = self._judge.known()
        if found is None or not (self._whole or found.settled):
            return None
        try:
            scene = self._arrangement.scene(found.step, self._viewers, settled=found.settled)
        except ValueError:
            return None
        if not self.layout["places"] and not self.layout["values"]:
            self.layout = self.scenes.layout(scene)
        return scene

    def _number(self, text: str) -> int:
        return self.texts.setdefault(text, len(self.texts))

    def _cited(self, before: _Before, line: Line, event: Event | None) -> tuple[str, ...]:
        """The statements of the rulebook by which a legal event stands. Which of several ways an event of somebody else
        went may hang on what the viewer does not see."""
        if event is None or not isinstance(line, EventLine) or not self._sight.of_actor(event.by):
            return ()
        for state in before.states:
            try:
                if self._walker.check(state, event) is None:
                    return tuple(self._walker.core.statements_in(dict.fromkeys(cites_of(self._walker, state, event))))
            except (Unsettled, Fault):
                continue
        return ()


def cites_of(walker: Walker, state: State, event: Event) -> Iterator[str]:
    """What the action of a legal event and its conditions cite."""
    if event.by == TABLE:
        return
    taken = walker.course.taken(state.at, event, walker.course.frame(state)).alternative
    yield from taken.origin.cites
    for guard in taken.guards:
        yield from guard.origin.cites


def _wordings(core: Core, steps: Iterable[Mapping[str, Any]], verdict: LogVerdict) -> dict[str, str]:
    """The words of each statement that is cited anywhere in a page."""
    cited = {cite for step in steps for cite in step["statements"]}
    for wrong in (verdict.wrong, *verdict.after):
        if wrong is not None:
            cited.update(wrong.cites, *(one.cites for one in (*wrong.failed, *wrong.held)),
                         *(one.cites for one in wrong.because))
    return {cite: core.statements[cite] for cite in sorted(cited) if cite in core.statements}
