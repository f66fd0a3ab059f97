"""What two rulesets call the same things: labels, arguments, values; read from a TOML file."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from referee.comparison.correspondence_schema import CORRESPONDENCE_SCHEMA
from referee.convert.foreign_game import trouble
from referee.convert.schema_check import misfits
from referee.game.log.strict_json import Json
from referee.system.given_files import toml_of

MOST_BYTES = 1_000_000
"""A file of correspondences with more bytes is refused."""
ALL = "*"


@dataclass(frozen=True, slots=True, order=True)
class SharedEvent:
    """An event in the words of the first rules: who, what, and the arguments by name, each as JSON."""

    by: str
    do: str
    args: tuple[tuple[str, str], ...] = ()

    @property
    def line(self) -> dict[str, Json]:
        """As the line of a log of the first rules."""
        said: dict[str, Json] = {name: json.loads(value) for name, value in self.args}
        return {"by": self.by, "do": self.do, **({"with": said} if said else {})}

    def __str__(self) -> str:
        return " ".join([self.by, self.do, *(f"{name} {in_words(json.loads(value))}" for name, value in self.args)])


@dataclass(frozen=True, slots=True)
class Correspondence:
    """What the two call the same: each mapping goes from the first to the second.

    `silent`, `several`: labels of the first and the second; `same`: counters and zones; `ignored`: those of the first
    that are not compared; `claims`: expressions whose values are compared; `settings`: parameters, givens and readings;
    `choices`: of a reading of the first; `held`: what each has fixed for all games, as the header of a log says it.
    """

    labels: Mapping[str, str] = field(default_factory=dict)
    arguments: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)
    silent: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
    several: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
    same: Mapping[str, str] = field(default_factory=dict)
    ignored: frozenset[str] = frozenset()
    claims: tuple[tuple[str, str], ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)
    held: tuple[Mapping[str, Json], Mapping[str, Json]] = ({}, {})
    choices: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def compares(self, name: str) -> bool:
        """Whether a counter or zone of the first is compared, if the second has it."""
        return name not in self.ignored and (ALL not in self.ignored or name in self.same)


class Dictionary:
    """Turns events of one ruleset into those that both share, and back."""

    def __init__(self, own: Iterable[str], labels: Mapping[str, str], arguments: Mapping[str, Mapping[str, str]],
                 values: Mapping[str, str]) -> None:
        """`own`: the labels that the rules have; each mapping goes from the shared word to the own one."""
        taken = {theirs: shared for shared, theirs in labels.items()}
        self._labels = {label: taken.get(label, f"{label}'" if label in labels else label) for label in own}
        self._own = {shared: label for label, shared in self._labels.items()}
        self._arguments = arguments
        self._values = values
        self._back = {theirs: shared for shared, theirs in values.items()}
        self._said = re.compile("|".join(rf"\b{re.escape(one)}\b" for one in sorted(self._back, key=len, reverse=True)))

    def shared(self, line: Mapping[str, Json]) -> SharedEvent:
        """The event of a line of these rules."""
        do = self.label(str(line["do"]))
        back = {own: name for name, own in self._arguments.get(do, {}).items()}
        with_ = line.get("with", {})
        assert isinstance(with_, dict)
        args = [(back.get(name, name), json.dumps(_named(value, self._back), sort_keys=True))
                for name, value in with_.items()]
        return SharedEvent(str(line["by"]), do, tuple(sorted(args)))

    def own(self, event: SharedEvent) -> dict[str, Json]:
        """The line that an event is in a log of these rules."""
        known = self._arguments.get(event.do, {})
        args = {known.get(name, name): _named(json.loads(value), self._values) for name, value in event.args}
        return {"by": event.by, "do": self._own.get(event.do, event.do), **({"with": args} if args else {})}

    def label(self, own: str) -> str:
        """The shared word for a label of these rules."""
        return self._labels.get(own, own)

    def value(self, own: str) -> str:
        """The shared word for a component, square or choice of these rules."""
        return self._back.get(own) or self.text(own)

    def values(self, own: Json) -> Json:
        """A value of these rules, as a log has it, in shared words."""
        return _named(own, self._back)

    def foreign(self, shared: Json) -> Json:
        """A value in shared words as a log of these rules has it."""
        return _named(shared, self._values)

    def text(self, own: str) -> str:
        """A text that names values, with the shared words for them."""
        return self._said.sub(lambda found: self._back[found[0]], own) if self._back else own


def _named(value: Json, names: Mapping[str, str]) -> Json:
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, list):
        return [_named(one, names) for one in value]
    if isinstance(value, dict):
        return {names.get(name, name): _named(one, names) for name, one in value.items()}
    return value


def in_words(value: Json) -> str:
    """A value of a log for people."""
    if isinstance(value, list):
        return ", ".join(map(in_words, value)) or "nothing"
    return {None: "none", True: "yes", False: "no"}[value] if value is None or isinstance(value, bool) else str(value)


def read_correspondence(path: Path) -> Correspondence:
    """What a file says. Raises `Problems` (CR01, CR02)."""
    said = str(path)
    data = toml_of("CR01", "the correspondence", path, MOST_BYTES)
    for where, wanted in misfits(data, CORRESPONDENCE_SCHEMA):
        raise trouble("CR02", f"`{where or 'the correspondence'}` does not fit", said, expected=(wanted,))
    for where in ("labels", "values"):
        _one_to_one(data.get(where, {}), where, said)
    for label, names in data.get("arguments", {}).items():
        _one_to_one(names, f"arguments.{label}", said)
    state, settings = data.get("state", {}), data.get("settings", {})
    _one_to_one(state.get("same", {}), "state.same", said)
    _one_to_one(settings.get("same", {}), "settings.same", said)
    for reading, names in settings.get("choices", {}).items():
        _one_to_one(names, f"settings.choices.{reading}", said)
    return Correspondence(
        data.get("labels", {}), data.get("arguments", {}), data.get("values", {}), _pair(data.get("silent", {})),
        _pair(data.get("several", {})), state.get("same", {}), frozenset(state.get("ignored", ())),
        tuple(data.get("claims", {}).items()), settings.get("same", {}),
        (settings.get("first", {}), settings.get("second", {})), settings.get("choices", {}),
    )


def _pair(data: Mapping[str, Any]) -> tuple[frozenset[str], frozenset[str]]:
    return frozenset(data.get("first", ())), frozenset(data.get("second", ()))


def _one_to_one(names: Mapping[str, str], where: str, said: str) -> None:
    twice = next((name for name, times in Counter(names.values()).items() if times > 1), None)
    if twice is not None:
        raise trouble("CR02", f"`{where}` gives {twice!r} for two names: each is one of the other rules", said)
