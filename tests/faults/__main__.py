"""`python -m tests.faults FOLDER...`: the table of faults of each ruleset, written into its README.

Without `--write` the table is printed. What the table in the README says stays so if the scenario or log named there
still notices the fault, also where other statements are cited now; `--anew`: every fault is shown to all again;
`--seconds N`: faults whose turn has not come by then are told as `not tried`, and a run after that tries those.
`--slips FILE`: instead, of the slips of the pen in one file of the ruleset, those that no scenario and no log notices.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

from tests.faults.caught import Caught, Ruleset

NOT_TRIED = "not tried"
BEGIN, END = "<!-- faults: python -m tests.faults -->", "<!-- end of faults -->"


INTRODUCTION = """\
Faults made by rule, all of them, put in one at a time: each number of a limit, a condition, a definition, a choice or
rounds one less and one more; each guard, exception, condition of a choice or of an effect left out; each payment and
gain left out; each amount one more; the target of each move changed. What notices each, by
`python -m tests.faults --write`. `equivalent`: nothing does, and the games are the same: every one of so many events
from positions in which the fault comes next, and random ones. `not come to`: no random game came to it. `missed`:
something differs, and nothing notices. `not tried`: the time was over (`--seconds`).
"""


def table(found: list[Caught]) -> str:
    """The table, with what it is and a line that counts."""
    numbers = Counter(one.by for one in found)
    told = ", ".join(f"{number} {by}" for by, number in sorted(numbers.items()))
    head = ["| kind | fault | statements | noticed by |", "|---|---|---|---|"]
    return "\n".join([INTRODUCTION, f"{len(found)} faults: {told}.", "", *head, *(one.row for one in found)])


def rows(readme: Path) -> list[str]:
    """The lines of the table in a README."""
    inside = readme.read_text("utf-8").partition(BEGIN)[2].partition(END)[0]
    return [line for line in inside.splitlines() if line.startswith("| ")][1:]


def noticed(readme: Path) -> dict[tuple[str, int], str]:
    """What the table in a README says of each fault, by its kind and words, and which of those called so it is."""
    found: dict[tuple[str, int], str] = {}
    times = Counter[str]()
    for row in rows(readme):
        head, _, by = row.removesuffix(" |").rpartition(" | ")
        called = head.rpartition(" | ")[0]
        found[called, times[called]] = by
        times[called] += 1
    return found


def written(readme: Path, text: str) -> None:
    """Puts a table between its marks."""
    before, _, rest = readme.read_text("utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    readme.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", "utf-8")


def unnoticed(rules: Ruleset, file: str) -> None:
    """Prints the slips in a file that nothing notices, and how many there are of all."""
    all_, left = 0, 0
    for slip in rules.slips(file):
        all_ += 1
        if rules.noticed(slip) is None:
            left += 1
            print(slip.words, flush=True)
    print(f"{file}: {all_} slips, {left} not noticed")


if __name__ == "__main__":
    options = argparse.ArgumentParser()
    options.add_argument("--write", action="store_true")
    options.add_argument("--anew", action="store_true")
    options.add_argument("--seconds", type=float)
    options.add_argument("--slips", metavar="FILE")
    options.add_argument("folders", nargs="+", type=Path)
    given = options.parse_args()
    for folder in given.folders:
        rules = Ruleset(folder)
        if given.slips:
            unnoticed(rules, given.slips)
            continue
        found = []
        before = {} if given.anew else noticed(rules.folder / "README.md")
        times = Counter[str]()
        until = None if given.seconds is None else time.monotonic() + given.seconds
        for fault in rules.faults():
            called = f"| {fault.kind} | {fault.words}"
            by, _, what = before.get((called, times[called]), NOT_TRIED).partition(": ")
            times[called] += 1
            row = Caught(fault, by, what).row
            late = until is not None and time.monotonic() > until
            found.append(rules.kept(fault, row) or (Caught(fault, NOT_TRIED, "") if late else rules.tried(fault)))
            print(found[-1].row, file=sys.stderr, flush=True)
        if given.write:
            written(rules.folder / "README.md", table(found))
        else:
            print(table(found))
