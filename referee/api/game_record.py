"""A game that was played, as the lines of a log."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod

from referee.core.ruleset import Core, Var
from referee.core.types import Value, size
from referee.game.event import Event
from referee.game.log.log_header import SCHEMA
from referee.game.log.strict_json import Json
from referee.game.setting import Setting, Stated
from referee.game.signatures import Signatures
from referee.game.state import Ended, State, Step
from referee.game.value_codec import encode_event, encode_value
from referee.interpreter.walker import Walker

CHOSEN = "chosen for this game"


@dataclass(frozen=True, slots=True)
class Recorder:
    """Writes the games of one ruleset and shape."""

    walker: Walker
    options: Mapping[str, str]

    def lines(self, setting: Setting, events: Iterable[Event], last: Step, chosen: tuple[str, ...],
              beside: Mapping[str, Json] | None = None) -> Iterator[str]:
        """Header, events and, if the game is over, its end, each as JSON. `chosen`: names of what was drawn by lot;
        `beside`: entries of the header that a setting does not know, such as the position that a game starts from."""
        yield _text({**self.header(setting, chosen), **(beside or {})})
        for event in events:
            yield _text(encode_event(self.walker.core, setting, event))
        if isinstance(last, Ended):
            yield _text({"end": self.end(setting, last)})

    def replayed(self, setting: Setting, events: Sequence[Event], chosen: tuple[str, ...] = (),
                 beside: Mapping[str, Json] | None = None) -> Iterator[str]:
        """A game that somebody found, as `lines` has it: carried out again, to tell whether it is over."""
        last = self.walker.begin(setting)
        for event in events:
            if isinstance(last, State):
                last = self.walker.advance(last, event)
        return self.lines(setting, events, last, chosen, beside)

    def header(self, setting: Setting, chosen: tuple[str, ...]) -> dict[str, Json]:
        """The first line; entries that state nothing are left out."""
        core = self.walker.core
        ruled = Signatures.of(core).rulings
        rulings = {name: encode_value(core, setting.players, ruled[name], value)
                   for name, value in setting.rulings.items()}
        entries: dict[str, Json] = {
            "options": dict(self.options), "given": _stated(core, setting, setting.givens),
            "readings": {name: core.readings[name].choices[index].name for name, index in setting.readings.items()},
            "rulings": rulings, "parameters": _stated(core, setting, setting.parameters),
        }
        head: dict[str, Json] = {
            "schema": SCHEMA, "ruleset": core.name, "version": core.version, "players": list(setting.players)}
        note: dict[str, Json] = {"note": f"{', '.join(chosen)}: {CHOSEN}"} if chosen else {}
        return head | {name: entry for name, entry in entries.items() if entry} | note

    def end(self, setting: Setting, last: Ended) -> dict[str, Json]:
        """Who won, and the scores if the rules have any."""
        winners: list[Json] = [setting.players[seat] for seat in sorted(last.winners)]
        scores = self.walker.scores(last.state)
        winner: Json = None if not winners else winners[0] if len(winners) == 1 else winners
        if scores is None:
            return {"winner": winner}
        return {"winner": winner, "scores": {setting.players[seat]: score for seat, score in scores.items()}}


def _text(line: Mapping[str, Json]) -> str:
    return json.dumps(line, ensure_ascii=False)


def _stated(core: Core, setting: Setting, stated: Stated) -> dict[str, Json]:
    return {name: _table(core.vars[name], values) or _nested(core, setting, core.vars[name], values)
            for name, values in stated.items()}


def _table(var: Var, values: Mapping[tuple[int, ...], Value]) -> str | None:
    """The name that the rules give to these values, if they have one for all of them."""
    if not var.named or len(values) < prod(map(size, var.keys)):
        return None
    held = set(values.values())
    return next((name for name, value in var.named if held == {value}), None)


def _nested(core: Core, setting: Setting, var: Var, values: Mapping[tuple[int, ...], Value]) -> Json:
    """A value, or objects in objects with one for each key."""
    if not var.keys:
        return encode_value(core, setting.players, var.type, values[()])
    called = _called(var, values)
    if called is not None:
        return called
    found: dict[str, Json] = {}
    for key, value in values.items():
        place = found
        parts = zip(var.keys, key, strict=True)
        labels = [str(encode_value(core, setting.players, kind, part)) for kind, part in parts]
        for label in labels[:-1]:
            inner = place.setdefault(label, {})
            assert isinstance(inner, dict)
            place = inner
        place[labels[-1]] = encode_value(core, setting.players, var.type, value)
    return found


def _called(var: Var, values: Mapping[tuple[int, ...], Value]) -> str | None:
    """The name that the rules have for these values of all keys, if they have one."""
    if len(values) != prod(map(size, var.keys)):
        return None
    return next((name for name, value in var.named if all(one == value for one in values.values())), None)
