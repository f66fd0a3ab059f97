"""What several runs have counted, each in a folder of its own, added up; and what speaks against adding it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from referee.report.ledger.ledger_fault import LedgerFault
from referee.report.ledger.manifest import NAME, Manifest, read
from referee.report.verdict_tally import VerdictTally

_ALIKE = {"program": "another program", "rules": "other rules", "options": "other options"}


def added_up(folders: Sequence[Path]) -> tuple[VerdictTally, list[str], bool]:
    """What is counted of the verdicts in all folders; remarks on what does not belong together, or is not done; and
    whether all are done. Raises `LedgerFault` for a folder that has none, is damaged, or is named twice."""
    tally, remarks, done = VerdictTally(), [], True
    seen: dict[Path, Path] = {}
    inputs: dict[str, Path] = {}
    first: Manifest | None = None
    for folder in folders:
        here = folder.resolve()
        if here in seen:
            raise LedgerFault("LD17", f"{folder} is named twice: its verdicts would count twice", "name it once")
        seen[here] = folder
        one = read(folder)
        if one is None:
            raise LedgerFault("LD17", f"{folder} has no {NAME}: no verdicts were kept there",
                              "name folders of judge --out")
        first = first or one
        remarks += [f"{folder} was judged by {what} than {folders[0]}" for name, what in _ALIKE.items()
                    if _what_counts(one, name) != _what_counts(first, name)]
        if not one.done:
            have = "log has" if one.tally.logs == 1 else "logs have"
            remarks.append(f"{folder} is not done: {one.tally.logs:,} {have} a verdict so far")
            done = False
        same = inputs.setdefault(one.inputs.sha256, folder)
        if same != folder:
            remarks.append(f"{folder} has verdicts on the same files as {same}: they count twice")
        tally.include(one.tally)
    return tally, remarks, done


def _what_counts(one: Manifest, name: str) -> object:
    part = one.key[name]
    return part if name == "options" else part["sha256"]
