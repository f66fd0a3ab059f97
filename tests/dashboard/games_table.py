"""`python -m tests.dashboard.games_table`: writes `spec/games.md`, a table of the classics, from what else is kept."""

from __future__ import annotations

import json
import re
from math import prod
from pathlib import Path

from tests.dashboard.__main__ import rows

ROOT = Path(__file__).parents[2]
CLASSICS = ROOT / "rulesets" / "classics"
PAGE = ROOT / "spec" / "games.md"
RUNS = ROOT / "tests" / "foreign" / "agreement.json"
FOREIGN = ROOT / "tests" / "foreign"
TRIAL = Path(__file__).parent / "said_in_less.json"
_TOKEN = re.compile(r'"[^"]*"|#[^\n]*|\w+|[^\w\s]')
_PLAYERS = re.compile(r'^game "[^"]*" for (\d+)(?:\.\.(\d+))? players?', re.MULTILINE)
_OPTION = re.compile(r"^option \w+: ([\w ,]+)", re.MULTILINE)
COLUMNS = ("players", "shapes", "lines", "tokens", "in the trial", "scenarios", "logs", "invariants", "agreement")
HEAD = f"""# The classic games

The rulesets of `rulesets/classics`, a file each. `shapes`: numbers of players times choices of options; `lines` and
`tokens` of the rules without scenarios and comments, laid out by `referee fmt` (a text in quotes is one token);
`in the trial`: tokens of the same game as somebody new to the language had written it before, and how many times as
long as that the rules here are; `logs`: right + damaged games that the tests judge; `invariants`: what `referee prove`
made of them (`rulesets/README.md`); `agreement`: right + damaged games of another program that were judged, and at how
many decisions the whole set of legal events was compared (`agreement.md`).

The games of the trial have one number of players, one hand, no options and no invariants. Where a ruleset here says
more than that and is longer for it, it stands beside the figure in brackets.

The table is written by `python -m tests.dashboard.games_table`.

| ruleset | {" | ".join(COLUMNS)} |
|---|{"---|" * len(COLUMNS)}
"""


def rules_alone(text: str) -> str:
    """A ruleset without its scenarios."""
    kept, telling = list[str](), False
    for line in text.splitlines():
        if line and not line[0].isspace():
            telling = line.startswith("scenario")
        if not telling:
            kept.append(line)
    return "\n".join(kept)


def tokens(text: str) -> int:
    """Words, numbers, texts in quotes and signs of a ruleset, without scenarios and comments."""
    return sum(not token.startswith("#") for token in _TOKEN.findall(rules_alone(text)))


def shapes(text: str) -> tuple[str, int]:
    """For how many players rules are, and that times the choices of their options."""
    found = _PLAYERS.search(text)
    assert found is not None
    fewest, most = int(found[1]), int(found[2] or found[1])
    choices = prod(len(re.split(r" or |, ", option)) for option in _OPTION.findall(text))
    return str(fewest) if fewest == most else f"{fewest} to {most}", (most - fewest + 1) * choices


def row(name: str, dashboard: dict[str, str]) -> list[str]:
    """The cells of a game."""
    text = (CLASSICS / f"{name}.rules").read_text("utf-8")
    players, number = shapes(text)
    said = json.loads(TRIAL.read_text("utf-8"))
    trial, here, more = said["tokens"].get(name), tokens(text), said["more"].get(name)
    run = json.loads(RUNS.read_text("utf-8")).get(name)
    kept = " + ".join(str(len(list((FOREIGN / name / kind).glob("*.jsonl")))) for kind in ("right", "damaged"))
    return [
        players, str(number), dashboard["lines of rules"], f"{here:,}",
        "" if trial is None else f"{trial:,}, {here / trial:.2f} times" + (f" ({more})" if more else ""),
        dashboard["scenarios"],
        "" if kept == "0 + 0" else kept, dashboard["invariants"],
        "" if run is None else f"{run['with']}: {run['right']} + {run['damaged']}, {run['decisions']:,} decisions",
    ]


def page() -> str:
    """The whole page."""
    known = rows()
    names = sorted(path.stem for path in CLASSICS.glob("*.rules"))
    return HEAD + "".join(f"| `{name}` | {' | '.join(row(name, known[name]))} |\n" for name in names)


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
