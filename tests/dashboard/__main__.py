"""`python -m tests.dashboard`: writes `rulesets/README.md`, the dashboard of all rulesets.

`--only FIGURE`, more than once if need be: of the figures that take minutes only these, the others stay as they are:
`live`, `invariants`, `findings`, `play-outs`; by default all but `live`. `--games N`: random games of each shape
(50); `--seconds N`: how long `prove` and `review` may take for each ruleset (600). Names of rulesets: only their rows
are made anew.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tests.dashboard.figures import COSTLY, cheap, costly

ROOT = Path(__file__).parents[2] / "rulesets"
README = ROOT / "README.md"
COLUMNS = ("statements", "live", "scenarios", "logs", "invariants", "findings", "faults noticed", "play-outs",
           "lines of rules", "decisions a second")
HEAD = f"""# Rulesets

One folder for each game, with everything of that game: rules, statements, scenarios, logs with the verdict expected,
what `prove` and `review` say. `classics` holds small games in a file each.

The table is written by `python -m tests.dashboard`. `statements`: encoded or declared open, of those of the rulebook;
`live`: of those cited, how many make a difference when their lines are taken out, one at a time: a scenario or a log
goes otherwise, or at least other lines need them; `logs`: legal + illegal; `invariants`: what `prove` made of them and
of the limits of zones within the time given, for the fewest players (of which day: `spec/proofs.md`); `findings`: of
`review`; `faults noticed`: of those put in one at a time (the README of each game lists them); `play-outs`: random
games, over all shapes; `decisions a second`: in those, CPU time, on a shared machine.

| ruleset | {" | ".join(COLUMNS)} |
|---|{"---|" * len(COLUMNS)}
"""


def places() -> list[Path]:
    """Every ruleset that comes along: folders first, then the small ones."""
    folders = [folder for folder in sorted(ROOT.iterdir()) if any(folder.glob("*.rules")) and folder.name != "classics"]
    return [*folders, *sorted((ROOT / "classics").glob("*.rules"))]


def rows() -> dict[str, dict[str, str]]:
    """The dashboard as it stands: ruleset -> column -> figure."""
    lines = [line for line in README.read_text("utf-8").splitlines() if line.startswith("| ")][1:]
    cells = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in lines]
    return {name.strip("`"): dict(zip(COLUMNS, rest, strict=True)) for name, *rest in cells}


def write(found: dict[str, dict[str, str]]) -> None:
    """Writes the dashboard."""
    table = "".join(f"| `{place.stem}` | {' | '.join(found[place.stem].get(column, '') for column in COLUMNS)} |\n"
                    for place in places() if place.stem in found)
    README.write_text(HEAD + table, "utf-8")


if __name__ == "__main__":
    options = argparse.ArgumentParser()
    options.add_argument("--games", type=int, default=50)
    options.add_argument("--seconds", type=int, default=600)
    options.add_argument("--only", choices=COSTLY, action="append")
    options.add_argument("names", nargs="*")
    given = options.parse_args()
    known = rows()
    for place in places():
        if not given.names or place.stem in given.names:
            before = {**dict.fromkeys(COLUMNS, "not run"), **known.get(place.stem, {})}
            found = costly(place, given.games, given.seconds, given.only or COSTLY[1:])
            known[place.stem] = {**before, **cheap(place), **found}
            write(known)
