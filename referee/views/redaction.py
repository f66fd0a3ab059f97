"""A log as one player knows it at its last line: what he did not see is a hole."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import assert_never

from referee.core.ruleset import PUBLIC
from referee.game.event import FATE, NOBODY, Event
from referee.game.log.log_header import SCHEMA, Header, HeaderFault
from referee.game.log.log_lines import AssertLine, EndLine, EventLine, Line, LineFault, UndoLine
from referee.game.log.log_reader import OVERRULING, Log
from referee.game.log.strict_json import Json, brief
from referee.game.player_views import HIDDEN, Sighting, record, seen_anyway
from referee.game.setting import Setting
from referee.game.state import State
from referee.game.value_codec import RULE, decode_event
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.knowledge.custody import Custody, CustodyMoment
from referee.interpreter.walker import Walker
from referee.judge.claims import AssertedClaims
from referee.judge.display_names import Names
from referee.judge.judge import Judge
from referee.judge.judgement_summary import Loader, verdict_of
from referee.judge.judging_notes import out_of_time
from referee.judge.open_settings.header_admission import admitted
from referee.judge.partial.possible_states import Explorer
from referee.judge.partial.possible_worlds import PossibleState
from referee.judge.verdict import LogOutcome, LogVerdict
from referee.judge.visibility import PlayerSight
from referee.system.deadline import Deadline, OutOfTime
from referee.views.start_view import Unshown, shown_state


class RedactionRefused(Exception):
    """A log of which there is no view: the verdict says why."""

    def __init__(self, verdict: LogVerdict) -> None:
        super().__init__(verdict.reason)
        self.verdict = verdict


def redacted(log: Log, player: str, load: Loader, timeout: float | None = None) -> Iterator[str]:
    """The lines of a log as a player (or `public`) knows them, each as JSON, the header first.

    An assert keeps what he can know, and an end the scores and the ranking if he can; remarks are left out. `timeout`:
    seconds that judging it may take. Raises `RedactionRefused` for a log that is not legal up to its last line, has
    holes, starts from a position of which there is no view, or was not judged in time; and what judging raises.
    """
    seat = _seat(player, log.header)
    walker = load(log.header)
    setting = admitted(walker, log.header)
    blank = LogVerdict(log.path, LogOutcome.LEGAL, walker.core.name, walker.core.version, log.header.players)
    state: dict[str, Json] = {}
    if setting.position is not None:
        if not setting.starts_known:
            reason = "the position that the log starts from is not all known: what somebody else saw of it is not known"
            raise RedactionRefused(replace(blank, outcome=LogOutcome.UNKNOWN, at=1, reason=reason))
        try:
            state = shown_state(walker, setting, log.header, seat)
        except Unshown as why:
            raise RedactionRefused(replace(blank, outcome=LogOutcome.UNKNOWN, at=1, reason=f"no view: {why}")) from None
    views = _Views(walker, setting, seat)
    judge = Judge(walker, setting)
    log.test = judge.claims.readable
    if timeout is not None:
        log.until = Deadline(timeout)
        judge.limit(log.until)
        views.limit(log.until)
    try:
        for line in log:
            if isinstance(line, EventLine) and line.holes:
                reason = f"line {line.number} has a hole: what somebody else saw of it is not known"
                raise RedactionRefused(replace(blank, outcome=LogOutcome.UNKNOWN, at=line.number, reason=reason))
            log.until.check()
            views.note(line, judge.arrive())
            judge.feed(line)
    except LineFault as fault:
        raise log.refuse_line(fault) from None
    except OutOfTime:
        judge.halt = judge.halt or out_of_time(log.until, log.line)
    verdict = verdict_of(judge, replace(blank, diagnostics=tuple(log.warnings)))
    if verdict.outcome not in (LogOutcome.LEGAL, LogOutcome.STOPPED):
        raise RedactionRefused(verdict)
    for entry in (_header(log.header, player, state), *views.lines()):
        yield json.dumps(entry, ensure_ascii=False)


def _seat(player: str, header: Header) -> int | None:
    if player == PUBLIC:
        return None
    if player not in header.players:
        raise HeaderFault("LG25", f"{brief(player)}, whose view is asked for, does not play", "players",
                          (*header.players, PUBLIC))
    return header.players.index(player)


def _header(header: Header, player: str, state: dict[str, Json]) -> dict[str, Json]:
    """The header with the viewpoint, without remarks; entries that state nothing are left out."""
    entries: dict[str, object] = {
        "version": header.version, "options": header.options, "given": header.given, "readings": header.readings,
        "rulings": header.rulings, "parameters": header.parameters, "pool": header.pool,
        "state": state,
    }
    stated: dict[str, Json] = json.loads(json.dumps({name: entry for name, entry in entries.items() if entry}))
    return {"schema": SCHEMA, "ruleset": header.ruleset, "players": list(header.players), **stated,
            "viewpoint": player}


class _Views:
    """The lines of one log, and who saw what of its events. `seat`: whose view is made, None for the public."""

    def __init__(self, walker: Walker, setting: Setting, seat: int | None) -> None:
        names = Names(walker.flow, setting.players)
        viewer = NOBODY if seat is None else seat
        self._walker = walker
        self._setting = setting
        self._seat = seat
        self._sight = PlayerSight(walker.flow, viewer)
        self._explorer = Explorer(walker, names)
        self._claims = AssertedClaims(walker, setting, self._explorer, names, viewer)
        self._labels = {action.label for action in walker.core.actions.values()}
        self._lines: list[Line] = []
        self._sightings: dict[int, Sighting] = {}
        self._standing: list[int] = []
        self._waiting: list[int] = []
        self._custody = Custody(walker.flow)
        self._kept: dict[int, CustodyMoment | None] = {}

    def limit(self, deadline: Deadline) -> None:
        """From now on nothing is looked for after a moment."""
        self._explorer.deadline = deadline

    def note(self, line: Line, alive: list[PossibleState]) -> None:
        """Takes the next line, and where the game may stand before it."""
        index = len(self._lines)
        self._lines.append(line)
        if isinstance(line, UndoLine):
            self._undone(line.count)
        if not isinstance(line, EventLine) or (line.by, line.do) == OVERRULING:
            return
        self._standing.append(index)
        self._kept[index] = self._custody.kept
        sighting = self._sighting(index, line, alive)
        if sighting is None:
            return
        self._sightings[index] = sighting
        self._waiting += [index] if sighting.group is not None else []
        if sighting.closes:
            self._waiting = [one for one in self._waiting if self._sightings[one].group != sighting.group]

    def _undone(self, count: int) -> None:
        """What was kept secret and is taken back before it was revealed never is."""
        gone = self._standing[-count:]
        del self._standing[-count:]
        self._custody.kept = self._kept[gone[0]] if gone else self._custody.kept
        for index in gone:
            if index in self._waiting:
                self._waiting.remove(index)
                self._sightings[index] = replace(self._sightings[index], group=None)

    def _sighting(self, index: int, line: EventLine, alive: list[PossibleState]) -> Sighting | None:
        """Who saw what of an event, in each state where it may have happened; None for one that hides nothing."""
        if line.do not in self._labels and line.do != RULE:
            return None
        event = decode_event(self._walker.core, self._setting, {"by": line.by, "do": line.do, "with": line.args})
        if not isinstance(event, Event):
            return None
        found = [(here, self._seen(here, event)) for here in self._explorer.settling(alive, line.number)]
        made = [sighting for _, sighting in found if sighting is not None]
        places = [here.step for here, sighting in found if sighting is not None and isinstance(here.step, State)]
        if len(places) == 1:
            self._custody.event(index, places[0], event)
        else:  # where it happened is open, so where its components are is not followed
            self._custody.kept = None
        if not made:  # it was let stand against the rules: who saw it they do not say
            return Sighting(event, (frozenset((event.by,)),) * len(event.args))
        return seen_anyway(made)

    def _seen(self, here: PossibleState, event: Event) -> Sighting | None:
        if not isinstance(here.step, State):
            return None
        try:
            legal = self._walker.check(here.step, event) is None
            return self._walker.sighting(here.step, event) if legal else None
        except (Unsettled, Fault):
            return None

    def lines(self) -> Iterator[dict[str, Json]]:
        """The lines as they are known after the last."""
        sightings = self._custody.known(self._sightings)
        known = dict(zip(sightings, record(sightings.values(), self._seat), strict=True))
        numbers = {line.number: at for at, line in enumerate(self._lines, 2)}
        for index, line in enumerate(self._lines):
            match line:
                case EventLine():
                    hidden = {name for name, value in known[index].args if value == HIDDEN} if index in known else set()
                    yield _event(line, hidden, numbers)
                case AssertLine():
                    yield {"assert": {text: value for text, value in line.claims.items() if self._knows(text)}}
                case EndLine():
                    yield {"end": self._end(line)}
                case UndoLine():
                    yield {"undo": line.count}
                case _:
                    assert_never(line)

    def _knows(self, text: str) -> bool:
        return self._sight.open(self._claims.expression(text), FATE)

    def _end(self, line: EndLine) -> dict[str, Json]:
        score = self._walker.core.score
        known = score is None or self._sight.open(score.value, FATE)
        made: dict[str, Json] = {}
        if line.winners is not None:
            made["winner"] = None if not line.winners else (
                line.winners[0] if len(line.winners) == 1 else list(line.winners))
        if line.scores is not None and known:
            made["scores"] = dict(line.scores)
        if line.ranking is not None and known:
            made["ranking"] = [place[0] if len(place) == 1 else list(place) for place in line.ranking]
        return made


def _event(line: EventLine, hidden: set[str], numbers: Mapping[int, int]) -> dict[str, Json]:
    args: dict[str, Json] = {name: HIDDEN if name in hidden else value for name, value in line.args.items()}
    if (line.by, line.do) == OVERRULING and isinstance(number := args.get("line"), int):
        args["line"] = numbers.get(number, number)
    return {"by": line.by, "do": line.do, "with": args} if args else {"by": line.by, "do": line.do}
