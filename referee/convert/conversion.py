"""Makes a log of a foreign game: each step is what the mapping calls it, done by whoever the rules ask for it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice

from referee.convert.foreign_game import ForeignGame, ForeignStep, diagnostic
from referee.convert.mapping import ASKED, BY_FATE, FormatMapping, StepPattern
from referee.convert.position_text import state_of
from referee.diagnostics.diagnostic import Diagnostic
from referee.game.event import FATE, Event
from referee.game.log.log_header import SCHEMA, Header, HeaderFault, header_of
from referee.game.log.log_lines import LineFault
from referee.game.log.strict_json import Json
from referee.game.setting import Setting
from referee.game.state import Ended, Failed, State, Step, Stopped
from referee.game.value_codec import decode_event, encode_event
from referee.interpreter.interruptions import Unsettled
from referee.interpreter.walker import Walker
from referee.judge.open_settings.header_admission import admitted

MOST_LOOKED_AT = 20_000
"""Legal events among which the one is looked for that a step can be."""
MOST_TEXT = 200
"""Characters of a step, at most."""
DRAWN = "the result of the file: nobody wins"
Loader = Callable[[Header], Walker]


@dataclass(slots=True)
class Converted:
    """A log, as far as the game could be followed, and what could not be converted."""

    lines: list[str]
    troubles: list[Diagnostic]


class UnfitStep(Exception):
    """A step that cannot be converted."""

    def __init__(self, code: str, message: str, expected: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.expected = expected


def convert(game: ForeignGame, ruleset: str, mapping: FormatMapping, load: Loader, path: str) -> Converted:
    """The log of a game. What the rules do not allow stands in it as its last event; what comes after that, or cannot
    be converted, is told. Raises what loading rules raises."""
    made = Converted([], [])
    if game.refused is not None:
        made.troubles.append(game.refused)
        return made
    try:
        conversion = begun(game, ruleset, mapping, load)
        made.lines = conversion.lines
    except UnfitStep as why:
        made.troubles.append(diagnostic(why.code, why.message, path, game.line, why.expected))
        return made
    for step in game.steps:
        try:
            conversion.take(step)
        except UnfitStep as why:
            made.troubles.append(diagnostic(why.code, why.message, path, step.line, why.expected))
            return made
    if game.trouble is not None:
        made.troubles.append(game.trouble)
    else:
        conversion.end(game)
    return made


def begun(game: ForeignGame, ruleset: str, mapping: FormatMapping, load: Loader) -> FollowedGame:
    """A game at its beginning. Raises `UnfitStep` (CV06), and what loading rules raises."""
    if mapping.game is not None and game.game != mapping.game:
        raise UnfitStep("CV06", f"the mapping is for {mapping.game}, not for {game.game}")
    if game.seats is not None and game.seats > len(mapping.players):
        raise UnfitStep("CV06", f"the mapping has {len(mapping.players)} players, not {game.seats}")
    mapping = mapping.seated(game.seats)
    head: dict[str, Json] = {"schema": SCHEMA, "ruleset": ruleset, "players": list(mapping.players)}
    for part, values in mapping.header.items():
        head[part] = {name: _stated(value, game.facts) for name, value in values.items()}
    if game.viewpoint is not None:
        head["viewpoint"] = game.viewpoint
    options = _options(game, mapping)
    if options:
        head["options"] = dict(options)
    if game.start is not None:
        state = None if mapping.start is None else state_of(game.start, mapping.start)
        if state is None:
            raise UnfitStep("CV06", "the position that it starts from cannot be told")
        head["state"] = state
    if game.notes:
        head["note"] = dict(game.notes)
    try:
        header = header_of(head, lambda *_: None)
        walker = load(header)
        setting = admitted(walker, header)
        step = walker.begin(setting)
    except (LineFault, HeaderFault) as fault:
        raise UnfitStep("CV06", f"the rules do not take it: {fault.message}", fault.expected) from None
    followed = FollowedGame(walker, setting, mapping, [_text(head)], step)
    for event in mapping.before:
        followed.lines.append(_text(event))
        if not followed.play(event):
            raise UnfitStep("CV06", f"the rules do not allow {event['do']} at the beginning, as the mapping has it")
    return followed


def _stated(value: Json, facts: Mapping[str, Json]) -> Json:
    """What the header of a log states: a value of the mapping, or what the file tells."""
    if not isinstance(value, str) or not value.startswith("{") or not value.endswith("}"):
        return value
    if value[1:-1] not in facts:
        raise UnfitStep("CV06", f"the file does not tell {value[1:-1][:40]}", tuple(facts))
    return facts[value[1:-1]]


def _options(game: ForeignGame, mapping: FormatMapping) -> Mapping[str, str]:
    found = dict(mapping.options)
    for name in game.parameters:
        if name not in mapping.parameters:
            raise UnfitStep("CV06", f"the mapping has no parameter {name[:80]}", tuple(mapping.parameters))
    for name, known in mapping.parameters.items():
        value = game.parameters.get(name, known.default)
        if value not in known.options:
            raise UnfitStep("CV06", f"the rules have no game with {name}={value[:80]}", tuple(known.options))
        found.update(known.options[value])
    return found


@dataclass(slots=True)
class FollowedGame:
    """A game that is followed by the rules while its log is written. `kept`: groups of steps that are a part of the
    next event; `gathered`: the same, of each of several steps alike."""

    walker: Walker
    setting: Setting
    mapping: FormatMapping
    lines: list[str]
    step: Step
    kept: dict[str, str] = field(default_factory=dict)
    gathered: list[dict[str, str]] = field(default_factory=list)
    choice: list[dict[str, Json]] | None = None
    offered: frozenset[tuple[Json, frozenset[str]]] | None = None

    def take(self, said: ForeignStep) -> None:
        """Writes what a step is, and follows it. Raises `UnfitStep`."""
        if len(said.text) <= MOST_TEXT and any(
                one.passed and one.pattern.fullmatch(said.text) for one in self.mapping.steps):
            return
        raw = self.meaning(said.text)
        if raw is None:
            return
        self.kept, self.gathered = {}, []
        beside: dict[str, Json] = {name: text for name, text in (("at", said.at), ("note", said.note)) if text}
        self.lines.append(_text(raw | beside))
        followed = raw if said.followed is None else self.meaning(said.followed)
        self.kept = {}
        if not self.play(followed or raw):
            raise UnfitStep("CV09", f"the rules do not allow {said.text[:80]!r} here: the log ends with it")

    def play(self, raw: Mapping[str, Json]) -> bool:
        """Follows an event as a log has it; false if the rules do not allow it. Raises `UnfitStep` (CV08)."""
        event = decode_event(self.walker.core, self.setting, raw)
        state = self.step
        try:
            if (not isinstance(state, State) or not isinstance(event, Event)
                    or self.walker.check(state, event) is not None):
                return False
            self.step = self.walker.advance(state, event)
            self.choice = self.offered = None
        except Unsettled as open_:
            raise UnfitStep("CV08", f"it hangs on {open_.var}, which nobody stated") from None
        return True

    def meaning(self, text: str) -> dict[str, Json] | None:
        """The event that a step is here, as a log has it; None if it is only a part of the next. What fate has to do
        before is done. Raises `UnfitStep`."""
        self.pass_untold()
        if not isinstance(self.step, State):
            raise UnfitStep("CV10", f"{text[:80]!r} after the end: {_end_of(self.step)}")
        pattern, groups = self._pattern(text)
        self.kept |= groups
        self.gathered = [*self.gathered, groups]
        if pattern.label is None or len(self.gathered) < pattern.steps:
            return None
        if pattern.by != BY_FATE:
            self._pass_fate()
        by = self._by(pattern, text)
        try:
            arguments = {name: self.mapping.argument(
                value, self.kept, self.gathered if pattern.steps > 1 else ())
                         for name, value in pattern.arguments.items()}
        except KeyError as missing:
            raise UnfitStep("CV07", f"{text[:80]!r}: nothing is known of {missing}") from None
        raw: dict[str, Json] = {"by": "fate" if by == FATE else self.setting.players[by], "do": pattern.label}
        if arguments:
            raw["with"] = arguments
        return self._completed(self.step, by, raw) if pattern.complete else self._as_written(raw)

    def _as_written(self, raw: dict[str, Json]) -> dict[str, Json]:
        """An event with the members of its sets in the order of logs."""
        given = raw.get("with")
        if not isinstance(given, dict) or not any(isinstance(value, list) for value in given.values()):
            return raw
        event = decode_event(self.walker.core, self.setting, raw)
        return encode_event(self.walker.core, self.setting, event) if isinstance(event, Event) else raw

    def untold(self) -> dict[str, Json] | None:
        """The event that comes next without being told by the format, if there is one."""
        if not self.mapping.untold or not isinstance(self.step, State):
            return None
        who = self.walker.who(self.step)
        found = list(islice(self.walker.events(self.step, next(iter(who))), 2)) if len(who) == 1 else []
        if len(found) != 1 or found[0].label not in self.mapping.untold:
            return None
        return encode_event(self.walker.core, self.setting, found[0])

    def pass_untold(self) -> None:
        """Writes what the format does not tell."""
        while (event := self.untold()) is not None:
            self.lines.append(_text(event))
            self.play(event)

    def _pattern(self, text: str) -> tuple[StepPattern, dict[str, str]]:
        """The first pattern that fits and is offered; if none is offered, the first that fits."""
        state = self.step
        assert isinstance(state, State)
        fits = [(one, found.groupdict("")) for one in self.mapping.steps
                if len(text) <= MOST_TEXT and (one.after is None or self.kept.get(one.after))
                and (found := one.pattern.fullmatch(text)) is not None]
        if not fits:
            raise UnfitStep("CV07", f"nothing in the mapping fits {text[:80]!r}")
        if len(fits) == 1:
            return fits[0]
        if self.offered is None:
            self.offered = frozenset(self._offered(state))
        return next((one for one in fits if one[0].label is None or any(
            one[0].label == label and one[0].arguments.keys() <= names for label, names in self.offered)), fits[0])

    def _offered(self, state: State) -> Iterator[tuple[Json, frozenset[str]]]:
        """The labels of what is legal, each with the names of its arguments."""
        for by in self.walker.who(state):
            for event, _ in islice(self.walker.in_ranges(state, by), MOST_LOOKED_AT):
                told = encode_event(self.walker.core, self.setting, event)
                arguments = told.get("with")
                yield told["do"], frozenset(arguments if isinstance(arguments, dict) else ())

    def _by(self, pattern: StepPattern, text: str) -> int:
        if pattern.by in (BY_FATE, ASKED):
            return FATE if pattern.by == BY_FATE else self._asked()
        name = self.mapping.argument(pattern.by, self.kept)
        if name not in self.setting.players:
            raise UnfitStep("CV07", f"{text[:80]!r}: {str(name)[:40]} does not play", self.setting.players)
        return self.setting.players.index(str(name))

    def _asked(self) -> int:
        state = self.step
        assert isinstance(state, State)
        who = self.walker.who(state)
        if len(who) != 1:
            raise UnfitStep("CV08", "several may act here, and the step does not say who does")
        return next(iter(who))

    def _pass_fate(self) -> None:
        """Writes what fate does where only one thing is possible: the format does not tell it."""
        while isinstance(self.step, State) and self.walker.who(self.step) == {FATE}:
            found = list(islice(self.walker.events(self.step, FATE), 2))
            if len(found) != 1:
                raise UnfitStep("CV08", "fate draws here first, and the file does not say what")
            self.lines.append(_text(encode_event(self.walker.core, self.setting, found[0])))
            self.step = self.walker.advance(self.step, found[0])
            self.choice = self.offered = None
        if not isinstance(self.step, State):
            raise UnfitStep("CV10", f"a step after the end: {_end_of(self.step)}")

    def _completed(self, state: State, by: int, raw: Mapping[str, Json]) -> dict[str, Json]:
        """The event with the arguments that the step leaves out, if only one legal event fits it."""
        found: dict[str, dict[str, Json]] = {}
        given = raw.get("with", {})
        assert isinstance(given, dict)
        for told in self._legal(state, by):
            arguments = told.get("with", {})
            if told["do"] == raw["do"] and isinstance(arguments, dict) and given.items() <= arguments.items():
                found[_text(told)] = told
        if len(found) > 1 and (by != FATE or len({_text(_for_anybody(told)) for told in found.values()}) > 1):
            raise UnfitStep("CV08", "several events fit the step", tuple(found)[:3])
        return next(iter(found.values()), dict(raw))

    def _legal(self, state: State, by: int) -> list[dict[str, Json]]:
        if self.choice is None:
            events = self.walker.events(state, by) if by in self.walker.who(state) else ()
            self.choice = [encode_event(self.walker.core, self.setting, event)
                           for event in islice(events, MOST_LOOKED_AT)]
        return self.choice

    def end(self, game: ForeignGame) -> None:
        """Writes how the game ended, as the file has it: as its end if the rules say it is over; else a player who has
        less concedes, or the table stops."""
        self.pass_untold()
        if game.results is None:
            return
        if len(game.results) != len(self.mapping.order):
            return
        best = max(game.results)
        level = best == min(game.results) and (len(game.results) > 1 or best <= 0)
        winners = [name for name, got in zip(self.mapping.order, game.results, strict=True) if got == best]
        winners = (winners if self.mapping.level_wins else []) if level else winners
        if self.mapping.gain_wins:
            winners = [name for name, got in zip(self.mapping.order, game.results, strict=True) if got > 0]
            if not isinstance(self.step, Ended):
                return
        if isinstance(self.step, State):
            self._stopped(winners, level)
        if isinstance(self.step, Ended) or (not level and len(self.mapping.order) == 2):
            told: dict[str, Json] = {"winner": None if not winners else winners[0] if len(winners) == 1 else [*winners]}
            if self.mapping.scores and isinstance(self.step, Ended):
                told["scores"] = {name: round(got) for name, got in zip(self.mapping.order, game.results, strict=True)}
            self.lines.append(_text({"end": told}))

    def _stopped(self, winners: list[str], level: bool) -> None:
        if level:
            self.lines.append(_text({"by": "table", "do": "stop", "with": {"why": DRAWN}}))
        elif len(self.mapping.order) == 2:
            loser = next(name for name in self.mapping.order if name not in winners)
            self.lines.append(_text({"by": loser, "do": "concede"}))


def _end_of(step: Step) -> str:
    match step:
        case Ended():
            return "by the rules the game is over"
        case Stopped():
            return "the rules do not say how the game goes on"
        case Failed():
            return f"the rules fail: {step.message}"
        case State():
            return "the game goes on"


def _for_anybody(told: Mapping[str, Json]) -> dict[str, Json]:
    """An event of fate without the player whom it is for: at once it comes for several, in the order of seats."""
    arguments = told.get("with")
    assert isinstance(arguments, dict)
    return {**told, "with": {name: value for name, value in arguments.items() if name != "for"}}


def _text(line: Mapping[str, Json]) -> str:
    return json.dumps(line, ensure_ascii=False)
