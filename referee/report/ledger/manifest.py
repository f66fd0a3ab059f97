"""The manifest of a folder of verdicts: what the run hangs on, and which parts are done. It alone says so."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from referee.report.data.tally_data import SUMMARY_SCHEMA, as_data, tally_of
from referee.report.ledger.durable_files import put
from referee.report.ledger.ledger_fault import LedgerFault, reason
from referee.report.schema_parts import TEXT, exactly
from referee.report.verdict_tally import VerdictTally

NAME = "manifest.json"
SCHEMA = "referee/ledger/1"
_NUMBER = {"type": "integer", "minimum": 0}
_DIGEST = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
_TALLY = {key: value for key, value in SUMMARY_SCHEMA.items() if key in ("type", "required", "properties")}


MANIFEST_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": f"a folder of verdicts ({SCHEMA})",
    **exactly(
        schema={"const": SCHEMA},
        key=exactly(
            program=exactly(version=TEXT, python=TEXT, sha256=_DIGEST),
            rules=exactly(
                ruleset={"description": "by which all logs are judged; null: by those that they name",
                         "type": ["string", "null"]},
                files={"description": "the digest of each file, or of rules that come along how many there are",
                       "type": ["object", "integer"]},
                sha256=_DIGEST),
            options={"description": "how is judged, by the names of the command line", "type": "object"},
        ),
        inputs=exactly(files={"description": "that are read", **_NUMBER}, bytes=_NUMBER,
                   vague={"description": "URLs of which nothing is known that would show another content", **_NUMBER},
                   sha256={"description": "of path, size and digest of each", **_DIGEST}),
        parts={"description": "in order; together they have the verdict on each log once", "type": "array",
               "items": exactly(file=TEXT, logs=_NUMBER, bytes=_NUMBER, sha256=_DIGEST)},
        at={"description": "what comes next: so many files are done, and so many logs of the next",
            **exactly(files=_NUMBER, logs=_NUMBER)},
        done={"description": "every log has its verdict", "type": "boolean"},
        tally={"description": "what is counted of the verdicts of all parts, as `judge --summary` has it", **_TALLY},
        seal={"description": "of everything else", **_DIGEST},
    ),
    "$defs": SUMMARY_SCHEMA["$defs"],
}


@dataclass(frozen=True, slots=True)
class PartRecord:
    """A part file that is done."""

    file: str
    logs: int
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class InputsRecord:
    """What is read: how many files of how many bytes, and a digest of what identifies them; `vague`: how many URLs it
    does not tell from others of the same size."""

    files: int
    bytes: int
    sha256: str
    vague: int = 0


@dataclass(frozen=True, slots=True)
class PlaceReached:
    """So many files are done, and so many logs of the next."""

    files: int = 0
    logs: int = 0


@dataclass(slots=True)
class Manifest:
    """What is kept of a run. `key` is the data of a `RunKey`."""

    key: Mapping[str, Any]
    inputs: InputsRecord
    parts: list[PartRecord] = field(default_factory=list)
    at: PlaceReached = PlaceReached()
    done: bool = False
    tally: VerdictTally = field(default_factory=VerdictTally)

    def write(self, folder: Path) -> None:
        """Puts it into a folder in the place of the one before. Raises `OSError`."""
        data = {
            "schema": SCHEMA, "key": self.key, "inputs": _data(self.inputs),
            "parts": [_data(one) for one in self.parts],
            "at": _data(self.at), "done": self.done, "tally": as_data(self.tally),
        }
        put(folder / NAME, [json.dumps({**data, "seal": _seal(data)}, indent=1).encode() + b"\n"])


def read(folder: Path) -> Manifest | None:
    """The manifest of a folder, None if there is none. Raises `LedgerFault` for one that is damaged, or of another
    program."""
    another = "judge into another folder"
    try:
        text = (folder / NAME).read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise LedgerFault("LD04", f"{folder / NAME} cannot be read: {reason(error)}", another) from None
    damaged = LedgerFault("LD04", f"{folder / NAME} is damaged", another)
    try:
        data = json.loads(text)
        if not isinstance(data, dict):
            raise damaged
        if data.get("schema") != SCHEMA:
            raise LedgerFault("LD05", f"{folder / NAME} is of the schema {json.dumps(data.get('schema'))[:60]}, this "
                                      f"program writes {SCHEMA}", "go on with the program that began, or " + another)
        if data.pop("seal", None) != _seal(data):
            raise damaged
        return Manifest(data["key"], InputsRecord(**data["inputs"]), [PartRecord(**one) for one in data["parts"]],
                        PlaceReached(**data["at"]), bool(data["done"]), tally_of(data["tally"]))
    except (ValueError, TypeError, KeyError, RecursionError):
        raise damaged from None


def _data(one: PartRecord | InputsRecord | PlaceReached) -> dict[str, Any]:
    return {name: getattr(one, name) for name in one.__slots__}


def _seal(data: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()
