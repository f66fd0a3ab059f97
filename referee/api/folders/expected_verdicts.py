"""What is expected of the logs in a folder: `expected.json` beside them, and where a verdict differs from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from referee.api.errors import ArgumentError
from referee.api.results.verdicts import Verdict, WrongLine
from referee.game.log.strict_json import Json, JsonFault, parse
from referee.report.text.printable import printable
from referee.system.file_observations import read_regular

NAME = "expected.json"
MOST_BYTES = 4_000_000
"""A file of expected verdicts with more bytes is refused."""
REMARKS = ("why", "what")
"""Entries that tell people why; nothing is compared with them."""


@dataclass(frozen=True, slots=True)
class ExpectedVerdict:
    """What is expected of one log: entries of `expected.json`, each of a name and a type that there is."""

    log: str
    entries: Mapping[str, Json]

    def differences(self, verdict: Verdict) -> tuple[str, ...]:
        """Each entry that is not as expected, in words; nothing if all are."""
        found = []
        for name, wanted in self.entries.items():
            told = _TOLD[name](verdict)
            if not _fits(name, wanted, told):
                found.append(printable(f"{name}: {_said(wanted)} expected, {_said(told)} found", 400))
        return tuple(found)


def _outcome(verdict: Verdict) -> str:
    return "legal so far" if verdict.outcome == "legal" and not verdict.finished else verdict.outcome


def _of(get: Callable[[WrongLine], Json]) -> Callable[[Verdict], Json]:
    """What is told of the wrong line, None if there is none."""
    return lambda verdict: None if verdict.wrong is None else get(verdict.wrong)


def _cited(wrong: WrongLine) -> list[Json]:
    """The statements of a wrong line and of what led to it."""
    return [*dict.fromkeys((*wrong.statements, *(name for one in wrong.because for name in one.statements)))]


def _failed(wrong: WrongLine) -> list[Json]:
    return [one.text for one in wrong.failed]


_TOLD: Mapping[str, Callable[[Verdict], Json]] = {
    "verdict": _outcome,
    "line": lambda verdict: verdict.line,
    "kind": _of(lambda wrong: wrong.kind),
    "rule": _of(lambda wrong: wrong.rule),
    "says": _of(lambda wrong: wrong.message),
    "guard": _of(_failed),
    "claim": _of(_failed),
    "guards": _of(_failed),
    "statements": _of(_cited),
    "winners": lambda verdict: None if verdict.winners is None else [*verdict.winners],
}
"""Entries that are compared, and what a verdict has for them."""
_LISTS = ("guards", "statements", "winners")
_PARTS = ("rule", "says")
"""Texts of which a part may be expected."""


def _fits(name: str, wanted: Json, told: Json) -> bool:
    if wanted is None:
        return not told
    if isinstance(told, list):
        among = wanted if isinstance(wanted, list) else [wanted]
        return set(map(str, among)) <= set(map(str, told)) and (name != "winners" or len(told) == len(among))
    return str(wanted) in str(told or "") if name in _PARTS else wanted == told


def _said(value: Json) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return "none" if value is None else str(value)


def expected_in(folder: Path) -> dict[str, ExpectedVerdict]:
    """log -> what is expected of it, as `expected.json` of a folder has it; nothing if there is no such file.

    Raises `ArgumentError` (EX01, EX02) for a file that cannot be used.
    """
    path = folder / NAME
    try:
        data = read_regular(path, MOST_BYTES + 1)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise ArgumentError("EX01", f"{path}: cannot be read: {error.strerror or error}") from None
    if len(data) > MOST_BYTES:
        raise ArgumentError("EX01", f"{path}: more than {MOST_BYTES:,} bytes")
    try:
        entries = parse(data.decode())
    except UnicodeDecodeError:
        raise ArgumentError("EX01", f"{path}: is no UTF-8") from None
    except JsonFault as fault:
        raise ArgumentError("EX01", f"{path}: {fault}") from None
    if not isinstance(entries, dict):
        raise ArgumentError("EX01", f"{path}: is no object with an entry for each log")
    return {name: _expected(path, name, entry) for name, entry in entries.items() if name.endswith(".jsonl")}


def _expected(path: Path, log: str, entry: Json) -> ExpectedVerdict:
    if not isinstance(entry, dict):
        raise ArgumentError("EX02", f"{path}: {printable(log, 60)}: an expected verdict is an object")
    told = {name: value for name, value in entry.items() if name not in REMARKS}
    for wrong in _wrong(told):
        raise ArgumentError("EX02", f"{path}: {printable(log, 60)}: {wrong}", expected=(*_TOLD, *REMARKS))
    if "line" in told:
        told.setdefault("verdict", "illegal")
    if "verdict" not in told:
        raise ArgumentError("EX02", f"{path}: {printable(log, 60)}: says neither a verdict nor the wrong line")
    return ExpectedVerdict(log, told)


def _wrong(told: Mapping[str, Json]) -> Iterator[str]:
    for name, value in told.items():
        if name not in _TOLD:
            yield f"an expected verdict has no entry {printable(name, 60)}"
        elif name in _LISTS:
            if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
                yield f"{name} is a list of texts"
        elif name == "line":
            if not isinstance(value, int) or isinstance(value, bool):
                yield "line is a number"
        elif not isinstance(value, str | None):
            yield f"{name} is a text, or null for none"
