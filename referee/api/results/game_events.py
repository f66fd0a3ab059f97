"""Events of games for programs, and who is asked for one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.api.errors import ArgumentError
from referee.api.results.frozen_results import FrozenDict, frozen, thawed
from referee.core.ruleset import Core
from referee.game.event import Event
from referee.game.log.strict_json import MAX_DEPTH, Json
from referee.game.setting import Setting
from referee.game.value_codec import encode_event

_EMPTY: FrozenDict[str, Any] = FrozenDict({})


@dataclass(frozen=True, slots=True)
class GameEvent:
    """Something that happens in a game, as a line of a log says it: `by` whom (a player, `fate` or `table`), what they
    `do`, and `with_` what (argument -> value as JSON has it, "?" where it is not known).

    >>> from referee import GameEvent
    >>> GameEvent("Ana", "take", {"sticks": 1}).data()
    {'by': 'Ana', 'do': 'take', 'with': {'sticks': 1}}
    """

    by: str
    do: str
    with_: Mapping[str, Any] = field(default=_EMPTY)

    def __post_init__(self) -> None:
        if type(self.with_) is not FrozenDict:
            object.__setattr__(self, "with_", frozen(self.with_))

    def __str__(self) -> str:
        return " ".join([f"{self.by}: {self.do}", *(f"{name} {thawed(value)}" for name, value in self.with_.items())])

    def data(self) -> dict[str, Json]:
        """The line of a log; `with` only if there are arguments."""
        line: dict[str, Json] = {"by": self.by, "do": self.do}
        return {**line, "with": thawed(self.with_)} if self.with_ else line


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that is legal: an `event`; where its arguments may be greater, too, `most` has the greatest number of
    each such argument, and the event the least."""

    event: GameEvent
    most: Mapping[str, int] = field(default_factory=lambda: FrozenDict({}))


@dataclass(frozen=True, slots=True)
class Prompt:
    """Who has to do what in a game. `who`: names of players, or `fate`, or `table`; `what`: the actions that they are
    offered, whether or not one of them is possible; `point`: the place in the course of the game, as
    `Ruleset.points()` names it; `kind`: `decide` (one player), `commit` (several, each by himself), `chance` or
    `table`; `question`: what the rules leave to the table, else None."""

    who: tuple[str, ...]
    what: tuple[str, ...]
    point: str
    kind: str
    question: str | None = None


def event_of(core: Core, setting: Setting, event: Event) -> GameEvent:
    """An event as programs see it."""
    line = encode_event(core, setting, event)
    with_ = line.get("with")
    return GameEvent(line["by"], line["do"], FrozenDict.of_json(with_) if with_ else _EMPTY)  # type: ignore[arg-type]  # texts, and an object


def line_of(by: object, do: object, with_: Mapping[str, object] | None, arguments: Mapping[str, object]) -> dict[
        str, Any]:
    """The line of a log for an event that somebody hands over. Raises `ArgumentError` (AP01)."""
    if do is None:
        if with_ is not None or arguments:
            raise ArgumentError("AP01", "an event is handed over whole, or as by, do and its arguments")
        if isinstance(by, GameEvent):
            return {"by": by.by, "do": by.do, "with": _arguments(by.with_)}
        if isinstance(by, dict) and isinstance(with_ := by.get("with", {}), dict):
            return {"by": by.get("by"), "do": by.get("do"), "with": _arguments(with_)}
        if not isinstance(by, Mapping):
            raise ArgumentError("AP01", f"an event is a GameEvent or a mapping, not {type(by).__name__}")
        return {"by": by.get("by"), "do": by.get("do"), "with": _plain(by.get("with", {}))}
    if with_ is not None and not isinstance(with_, Mapping):
        raise ArgumentError("AP01", f"`with_` is a mapping, not {type(with_).__name__}")
    return {"by": by, "do": do, "with": _arguments({**with_, **arguments} if with_ else arguments)}


def _arguments(given: Mapping[str, object]) -> dict[str, object]:
    """Arguments as JSON has them; those of most events are texts and numbers."""
    return {name: value if type(value) is str or type(value) is int else _plain(value)
            for name, value in given.items()}


def _plain(value: object, depth: int = 0) -> object:
    """A value of an argument as JSON has it. `ArgumentError` (AP01) for what JSON has not, or what holds itself."""
    if depth > MAX_DEPTH:
        raise ArgumentError("AP01", f"an argument is nested at most {MAX_DEPTH} levels deep")
    if isinstance(value, str | int | float | None):
        return value
    if isinstance(value, (set, frozenset)):
        return [_plain(inner, depth + 1) for inner in value]
    if isinstance(value, Mapping):
        return {str(name): _plain(inner, depth + 1) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inner, depth + 1) for inner in value]
    raise ArgumentError("AP01", f"an argument is a text, a number, or a list or mapping of them, not "
                                f"{type(value).__name__}")
