"""Random games of a ruleset, told as logs tell them: what was done so far, and all that may be done now."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from referee.frontend.loading.loader import load_flow
from referee.game.event import FATE
from referee.game.setting import Setting
from referee.game.state import Ended, State
from referee.game.value_codec import encode_event
from referee.interpreter.playouts import choose, complete
from referee.native.engine_names import engine

CLASSICS = Path(__file__).resolve().parents[2] / "rulesets" / "classics"
NAMES = ("ana", "ben", "cleo", "dan")
Line = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Decision:
    """Somebody is to act, or the game is over: `before` are the lines so far, `legal` all that may be done now (none at
    the end), `scores` those of the end."""

    before: tuple[Line, ...]
    legal: frozenset[str]
    scores: Mapping[str, int] | None


def text(line: Line) -> str:
    """A line as a text that is the same for equal lines."""
    return json.dumps(line, sort_keys=True)


def line(by: str, do: str, **args: object) -> str:
    """The text of a line."""
    return text({"by": by, "do": do, "with": args} if args else {"by": by, "do": do})


def decisions(game: str, players: int, seed: int, *, most: int = 400,
              rather: Callable[[Line], bool] = lambda _: True, **options: str) -> Iterator[Decision]:
    """The decisions of the players of one random game, of at most so many events, and its end. Of what may be done
    something is taken that is `rather` done, if there is such."""
    walker = engine(load_flow(CLASSICS / f"{game}.rules", players, options))
    random, core = Random(seed), walker.core
    names = core.seats.roles or NAMES[:players]
    setting = complete(walker, Setting(names), random)
    step, before = walker.begin(setting), list[Line]()
    while isinstance(step, State) and len(before) < most:
        event = choose(walker, step, random)
        if event.by != FATE:
            found = list(islice(walker.legal(step), 2_000))
            told = [encode_event(core, setting, one) for one in found]
            yield Decision(tuple(before), frozenset(map(text, told)), None)
            liked = [one for one, line in zip(found, told, strict=True) if rather(line)]
            event = random.choice(liked or [event])
        before.append(encode_event(core, setting, event))
        step = walker.advance(step, event)
    if isinstance(step, Ended):
        scores = walker.scores(step.state) or {}
        yield Decision(tuple(before), frozenset(), {names[seat]: score for seat, score in scores.items()})
