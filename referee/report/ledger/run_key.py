"""What verdicts hang on besides the logs: the program, the rules and the options; and what differs between two runs."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee import __version__
from referee.frontend.loading.loader import load_recorded, program_digest
from referee.report.ledger.ledger_fault import LedgerFault
from referee.system.bundled_files import rulesets_root

_READ = frozenset({".rules", ".csv", ".toml"})
"""Files of bundled rulesets that rules are read from."""


@dataclass(frozen=True, slots=True)
class RunKey:
    """`program`: version, Python and a digest of both; `rules`: digest of each file that rules are read from, by a
    digest of them all and their number; `options`: how is judged, by the names of the command line."""

    program: Mapping[str, str]
    rules: Mapping[str, Any]
    options: Mapping[str, Any]

    def data(self) -> dict[str, Any]:
        """As the manifest has it."""
        return {"program": dict(self.program), "rules": dict(self.rules), "options": dict(self.options)}


def key_of(ruleset: str | None, options: Mapping[str, Any]) -> RunKey:
    """The key of a run by one ruleset, or by those that logs name. Raises `Problems` if it cannot be loaded."""
    files = dict(_bundled() if ruleset is None else _read_for(ruleset))
    digest = hashlib.sha256(json.dumps(sorted(files.items())).encode()).hexdigest()
    program = {"version": __version__, "python": sys.version.split()[0],
               "sha256": hashlib.sha256(program_digest().encode()).hexdigest()}
    rules = {"ruleset": ruleset, "files": files if ruleset is not None else len(files), "sha256": digest}
    return RunKey(program, rules, options)


def _bundled() -> Iterator[tuple[str, str]]:
    root = rulesets_root()
    for path in sorted(root.rglob("*")):
        if path.suffix in _READ and path.is_file():
            yield str(path.relative_to(root)), hashlib.sha256(path.read_bytes()).hexdigest()


def _read_for(ruleset: str) -> Iterator[tuple[str, str]]:
    """What loading a ruleset read. Its folder may have moved: only the names count."""
    _, record = load_recorded(ruleset)
    for how, path, _, told in json.loads(record or b"[]"):
        if how == "bytes":
            yield Path(path).name, told


def compare(before: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Raises `LedgerFault` if verdicts of two runs do not belong together, with what has changed. Both are as the
    manifest has them."""
    again = "judge all of them again into another folder, or go on with what was there before"
    if before["options"] != now["options"]:
        told = ", ".join(f"{name} was {_shown(before['options'].get(name))} and is {_shown(now['options'].get(name))}"
                         for name in sorted({*before["options"], *now["options"]})
                         if before["options"].get(name) != now["options"].get(name))
        raise LedgerFault("LD08", f"the options have changed: {told}", again)
    named = [rules["ruleset"] for rules in (before["rules"], now["rules"])]
    if None in named and named[0] != named[1]:
        raise LedgerFault("LD08", f"the options have changed: ruleset was {_shown(named[0])} and is {_shown(named[1])}",
                          again)
    if before["rules"]["sha256"] != now["rules"]["sha256"]:
        raise LedgerFault("LD07", f"the rules have changed{_files(before['rules'], now['rules'])}", again)
    if before["program"] != now["program"]:
        raise LedgerFault("LD06", f"the program has changed: it was {_program(before['program'])}, it is "
                                  f"{_program(now['program'])}", again)


def _shown(value: object) -> str:
    return "not set" if value is None else json.dumps(value)


def _files(before: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    old, new = before["files"], now["files"]
    if not isinstance(old, dict) or not isinstance(new, dict):
        return " among those that come along"
    return ": " + ", ".join(sorted(name for name in {*old, *new} if old.get(name) != new.get(name)))


def _program(program: Mapping[str, str]) -> str:
    return f"{program['version']} on Python {program['python']} (sha256 {program['sha256'][:12]})"
