"""What logs say of the settings they were played under, as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from referee.diagnostics.exit_codes import Exit, first
from referee.inference.distinguishing_events import Decisive, DistinguishingGame
from referee.inference.header_conflicts import Disagreement, apart_at, at_odds, disagreements, going_together, stated_by
from referee.inference.inference import Excluded, FixedRuling, Inference
from referee.inference.setting_choice import Pair
from referee.judge.open_settings.setting_sets import NOTHING, Choices, beyond
from referee.judge.open_settings.value_ranges import Box, Place
from referee.judge.verdict import LogOutcome

SCHEMA = "referee/inference/1"
MOST_COMBINATIONS = 20
"""So many combinations of values that explain the logs are listed."""
MOST_EXPLAINED = 100
"""Sets of logs that contradict each other of which it is told by which value, at most."""


@dataclass(frozen=True, slots=True)
class Inferred:
    """All that is told of several logs. `files`: where the games that tell settings apart were written, for each pair
    one by the first setting and one by the second, None where there is none."""

    inference: Inference
    excluded: Sequence[Excluded] = ()
    rulings: Sequence[FixedRuling] = ()
    decisive: Sequence[Decisive] = ()
    pairs: Sequence[Pair] = ()
    files: Sequence[tuple[str | None, str | None]] = ()

    @property
    def exit(self) -> Exit:
        """1 if no setting explains all logs, 5 if that could not be told, 3 and 4 if a log could not be judged."""
        bad = [log.verdict.exit for log in self.inference.logs
               if log.verdict.outcome in (LogOutcome.UNREADABLE, LogOutcome.NO_RULES)]
        return first([*bad, {"explained": Exit.GOOD, "contradiction": Exit.NEGATIVE}.get(self.outcome, Exit.OPEN)])

    @property
    def engines(self) -> tuple[str, ...]:
        """What judged the logs, in words."""
        return tuple(dict.fromkeys(log.walker.note or "by generated code" for log in self.inference.logs
                                   if log.walker is not None))

    @property
    def outcome(self) -> str:
        """`explained`, `contradiction` or `unknown`."""
        region = self.inference.region
        if region is not None and not region:
            return "contradiction"
        return "unknown" if region is None or self.inference.unsure or self.inference.untold else "explained"


def as_data(told: Inferred) -> dict[str, Any]:
    """Everything as plain data for JSON; the keys are always the same."""
    inference = told.inference
    region = inference.region or NOTHING
    touched = inference.told_of if region else []
    product = inference.product
    return {
        "schema": SCHEMA,
        "outcome": told.outcome,
        "exit": int(told.exit),
        "engines": list(told.engines),
        "logs": [{"path": log.path, "outcome": log.verdict.outcome.value, "line": _line(log.verdict),
                  "events": log.verdict.events, "reason": log.verdict.reason or None,
                  "told": log.region is not None, "states": list(stated_by(log))} for log in inference.logs],
        "headers": [_disagreement(one, inference) for one in disagreements(inference.logs)],
        "settings": [_setting(place, told) for place in touched],
        "untouched": len(set(inference.inferred) - {*touched, *inference.stated}) if region else None,
        "combinations": [] if product else _combinations(region, inference),
        "number_of_combinations": 0 if product else region.number_of_boxes,
        "untold": _combinations(inference.untold, inference),
        "number_untold": inference.untold.number_of_boxes,
        "rulings": [{"point": one.point, "tried": list(one.tried), "explaining": list(one.explaining)}
                    for one in told.rulings],
        "clashes": [list(paths) for paths in inference.clashing],
        "by_headers": _by_headers(inference),
        "apart_at": [_apart_at(paths, inference) if index < MOST_EXPLAINED else None
                     for index, paths in enumerate(inference.clashing)],
        "all_clashes": inference.complete,
        "together": [list(group) for group in going_together(inference.logs, inference.clashing)]
        if inference.clashing and inference.complete else [],
        "deciding": [_deciding(one, told) for one in told.decisive],
        "apart": [_pair(index, told) for index in range(len(told.pairs))],
    }


def _disagreement(one: Disagreement, inference: Inference) -> dict[str, Any]:
    names = inference.names(one.place)
    return {
        "kind": names.openness(one.place[0]).value,
        "name": names.variable(*one.place),
        "values": [{"value": names.piece(one.place[0], piece), "logs": list(paths)} for piece, paths in one.values],
        "more": one.more,
    }


def _by_headers(inference: Inference) -> list[bool]:
    """Of each set of logs that contradict each other, whether their headers do."""
    logs = {log.path: log for log in inference.logs}
    return [at_odds([logs[path] for path in paths]) for paths in inference.clashing]


def _apart_at(paths: Sequence[str], inference: Inference) -> dict[str, Any] | None:
    if len(paths) != 2:
        return None
    one, other = (next(log for log in inference.logs if log.path == path) for path in paths)
    found = apart_at(one, other)
    return None if found is None else _disagreement(found, inference)


def _line(verdict: Any) -> int | None:
    found: int | None = verdict.wrong.line if verdict.wrong is not None else verdict.at
    return found


def _combinations(region: Choices, inference: Inference) -> list[list[dict[str, str]]]:
    """The first of the combinations of a region, without what headers state."""
    told = set(inference.told_of)
    boxes = islice(region.boxes(), MOST_COMBINATIONS)
    return [combination(tuple(one for one in box if one.place in told), inference) for box in boxes]


def _setting(place: Place, told: Inferred) -> dict[str, Any]:
    inference = told.inference
    names = inference.names(place)
    left = (inference.region or NOTHING).values(place)
    known = inference.sure.values(place)
    return {
        "kind": names.openness(place[0]).value,
        "name": names.variable(*place),
        "left": [names.piece(place[0], piece) for piece in left],
        "untold": [names.piece(place[0], piece) for piece in beyond(left, known)],
        "settled": len(left) == 1 and left[0][0] == left[0][1],
        "excluded": [_excluded(one, told) for one in told.excluded if one.place == place],
    }


def _excluded(one: Excluded, told: Inferred) -> dict[str, Any]:
    wrong = None if one.verdict is None else one.verdict.wrong
    return {
        "value": told.inference.names(one.place).piece(one.place[0], one.piece),
        "looked": one.looked,
        "log": None if one.verdict is None else one.verdict.path,
        "line": None if wrong is None else wrong.line,
        "what": None if wrong is None else wrong.what,
        "message": None if wrong is None else wrong.message,
        "statements": [] if wrong is None else list(wrong.cites),
    }


def combination(box: Box, inference: Inference) -> list[dict[str, str]]:
    """The readings and parameters that a box settles, with their values."""
    return [{"name": inference.names(one.place).variable(*one.place),
             "value": inference.names(one.place).piece(one.place[0], (one.lo, one.hi))} for one in box]


def _deciding(one: Decisive, told: Inferred) -> dict[str, Any]:
    inference = told.inference
    judge = next(log.judge for log in inference.logs if log.path == one.path)
    names = None if judge is None else judge.names
    left = []
    for place in sorted(one.left.places):
        now, before = one.left.values(place), (inference.region or NOTHING).values(place)
        if now != before:
            called = inference.names(place)
            left.append({"name": called.variable(*place),
                         "value": " or ".join(called.piece(place[0], piece) for piece in now)})
    return {"log": one.path, "event": "" if names is None else f"{names.who(one.event.by)}: {names.event(one.event)}",
            "left": left}


def _pair(index: int, told: Inferred) -> dict[str, Any]:
    pair = told.pairs[index]
    names = told.inference.names(pair.place)
    values = [names.piece(pair.place[0], (value, value)) for value in pair.values]
    files = told.files[index] if index < len(told.files) else (None, None)
    return {
        "name": names.variable(*pair.place), "values": values,
        "games": [_apart(found, by, other, file, names) for found, by, other, file in zip(
            pair.found, values, reversed(values), files, strict=True)],
    }


def _apart(found: DistinguishingGame, by: str, other: str, file: str | None, names: Any) -> dict[str, Any]:
    last = found.events[-1] if found.events else None
    return {
        "by": by, "forbidden_by": other, "events": len(found.events) or None,
        "event": None if last is None else f"{names.who(last.by)}: {names.event(last)}",
        "exhaustive": found.exhaustive, "games": found.games, "file": file,
    }
