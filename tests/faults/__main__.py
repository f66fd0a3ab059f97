"""`python -m tests.faults FOLDER...`: the table of faults of each ruleset, written into its README.

Without `--write` the table is printed.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from tests.faults.caught import Caught, Ruleset

BEGIN, END = "<!-- faults: python -m tests.faults -->", "<!-- end of faults -->"


def table(found: list[Caught]) -> str:
    """The table, with a line that counts."""
    numbers = Counter(one.by for one in found)
    told = ", ".join(f"{number} {by}" for by, number in sorted(numbers.items()))
    head = ["| kind | fault | statements | noticed by |", "|---|---|---|---|"]
    return "\n".join([f"{len(found)} faults: {told}.", "", *head, *(one.row for one in found)])


def written(readme: Path, text: str) -> None:
    """Puts a table between its marks."""
    before, _, rest = readme.read_text("utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    readme.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", "utf-8")


if __name__ == "__main__":
    for name in (word for word in sys.argv[1:] if word != "--write"):
        rules = Ruleset(Path(name))
        found = []
        for fault in rules.faults():
            found.append(rules.tried(fault))
            print(found[-1].row, file=sys.stderr, flush=True)
        if "--write" in sys.argv:
            written(rules.folder / "README.md", table(found))
        else:
            print(table(found))
