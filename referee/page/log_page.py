"""The document of a log's page: its lines, what lay where after each, who was asked before it, and the verdict."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from referee.core.ruleset import Core
from referee.game.event import NOBODY, TABLE, Event
from referee.game.log.log_lines import EventLine, Line, LineFault
from referee.game.log.log_reader import Log, LogProblem
from referee.game.setting import Setting
from referee.game.state import State
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.walker import Walker
from referee.judge.judge import Judge
from referee.judge.judgement_summary import Loader, begun, seat_of
from referee.judge.open_settings.header_admission import admitted
from referee.judge.reasons.legal_choices import MOST_LEGAL, choices_before
from referee.judge.verdict import LogVerdict
from referee.judge.visibility import PlayerSight
from referee.page.known_lines import KnownLines
from referee.page.scene_changes import SceneChanges
from referee.report.data.page_schema import SCHEMA
from referee.report.data.verdict_data import as_data
from referee.scene.arrangement import Arrangement
from referee.scene.scene import Scene
from referee.system.deadline import Deadline, OutOfTime

MOST_STEPS = 20_000
"""Lines of a log that a page shows, at most."""
MOST_LETTERS = 48_000_000
"""Of the JSON of all steps; what comes later in the log is left out."""


def log_document(log: Log, verdict: LogVerdict, load: Loader, viewer: str | None, until: Deadline,
                 most: int = MOST_STEPS) -> dict[str, Any]:
    """The page of a log that has not been read further than its header, as plain data for JSON. `verdict`: on it, for
    the same viewer; `most`: lines at most.

    Nothing stands in it that the viewer (a player, `public`, None for somebody who sees all) may not know, and each
    step holds what he knew when its line was taken. Raises `Problems` and `HeaderFault` for rules that there are not.
    """
    walker = load(log.header)
    setting = admitted(walker, log.header)
    steps = _Steps(walker, setting, seat_of(viewer, log.header), until)
    told: list[dict[str, Any]] = []
    letters = left_out = 0
    for step in steps.of(log, most):
        letters += len(json.dumps(step))
        if letters > MOST_LETTERS:
            break
        told.append(step)
    if told and verdict.lines > told[-1]["line"]:
        left_out = verdict.lines - told[-1]["line"]
    return {
        **blank_log_document(verdict, walker.core),
        "statements": _wordings(walker.core, told, verdict),
        **steps.layout, "pieces": [{"name": name, "kind": kind, "owner": owner} for name, kind, owner in
                                   steps.scenes.pieces],
        "texts": list(steps.texts), "steps": told, "left_out": left_out,
    }  # fmt: skip


def blank_log_document(verdict: LogVerdict, core: Core | None = None) -> dict[str, Any]:
    """The page of a log of which nothing but the verdict can be told."""
    return {
        "schema": SCHEMA, "kind": "log", "title": (core.title if core is not None else "") or verdict.ruleset,
        "ruleset": verdict.ruleset, "version": verdict.version, "players": list(verdict.players),
        "viewer": verdict.viewer, "verdict": {**as_data(verdict), "path": PurePath(verdict.path).name},
        "statements": {}, "boards": [], "places": [], "values": [], "pieces": [], "texts": [], "steps": [],
        "left_out": 0,
    }  # fmt: skip


@dataclass(slots=True)
class _Before:
    """Where the game may have stood before a line. `asked`, `legal`: who had to act, and what he could do."""

    states: tuple[State, ...]
    asked: str
    legal: tuple[str, ...]


class _Steps:
    """Goes through one log. `layout`: what stays as it is; `texts`: those that steps name by their numbers."""

    def __init__(self, walker: Walker, setting: Setting, viewer: int | None, until: Deadline) -> None:
        players = setting.players
        hidden = setting.position is not None and setting.position.hidden
        self._walker, self._until = walker, until
        self._judge = Judge(walker, setting, viewer, somewhere=begun(walker, setting) if hidden else None)
        self._judge.limit(until)
        self._sight = PlayerSight(walker.flow, viewer)
        self._lines = KnownLines(walker, setting, self._judge.names, self._judge.claims, viewer)
        self._arrangement = Arrangement(walker, players)
        self._viewers: tuple[int, ...] = tuple(range(len(players))) if viewer is None else (viewer,)
        if viewer == NOBODY:
            self._viewers = ()
        self.scenes = SceneChanges()
        self.layout: dict[str, Any] = {"boards": [], "places": [], "values": []}
        self.texts: dict[str, int] = {}

    def of(self, log: Log, most: int) -> Iterator[dict[str, Any]]:
        """The steps: of the header, and of each line up to one that cannot be read or after which nothing is judged."""
        judge = self._judge
        log.test = judge.claims.readable
        log.until = self._until
        try:
            yield self._step(1, "the game begins", self._before(), ())
            for number, line in enumerate(log, 2):
                if number > most:
                    return
                before = self._before()
                judge.feed(line)
                known = self._lines.take(line, before.states)
                told = self._step(line.number, known.text, before, self._cited(before, line, known.event))
                yield told | ({"learned": [[at, text] for at, text in known.learned]} if known.learned else {})
                if judge.halt is not None or judge.not_judged_from is not None:
                    return
        except (LineFault, LogProblem, OutOfTime):
            return

    def _before(self) -> _Before:
        alive = self._judge.alive
        states = tuple(here.step for here in alive if isinstance(here.step, State))
        if self._judge.holes is not None:
            return _Before((), "", ())
        return _Before(states, *choices_before(self._walker, self._judge.names, self._sight, alive, self._until))

    def _step(self, line: int, text: str, before: _Before, cited: tuple[str, ...]) -> dict[str, Any]:
        first = line == 1
        told: dict[str, Any] = {
            "line": line, "text": text, "asked": "" if first else before.asked,
            "legal": [] if first else [self._number(one) for one in before.legal[:MOST_LEGAL]],
            "more": not first and len(before.legal) > MOST_LEGAL, "statements": list(cited),
        }
        scene = self._scene()
        return told | {"change": None if scene is None else self.scenes.change(scene)}

    def _scene(self) -> Scene | None:
        """What lies where; None where that is open."""
        judge = self._judge
        alive = judge.alive if judge.holes is None else []
        steps = [here.step for here in alive]
        if not steps or any(one != steps[0] for one in steps[1:]):
            return None
        try:
            scene = self._arrangement.scene(steps[0], self._viewers)
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
