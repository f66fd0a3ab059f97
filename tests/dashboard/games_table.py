"""`python -m tests.dashboard.games_table`: writes `spec/games.md`, a table of the classics, from what else is kept."""

from __future__ import annotations

import json
import re
from math import prod
from pathlib import Path
from statistics import median

from tests.dashboard.__main__ import rows
from tests.dashboard.like_with_like import reduction
from tests.foreign.agreement_table import NOT_PLAYED, OUR_OWN

ROOT = Path(__file__).parents[2]
CLASSICS = ROOT / "rulesets" / "classics"
PAGE = ROOT / "spec" / "games.md"
RUNS = ROOT / "tests" / "foreign" / "agreement.json"
FOREIGN = ROOT / "tests" / "foreign"
TRIAL = Path(__file__).parent / "said_in_less.json"
_TOKEN = re.compile(r'"[^"]*"|#[^\n]*|\w+|[^\w\s]')
_PLAYERS = re.compile(r'^game "[^"]*" for (\d+)(?:\.\.(\d+))? players?', re.MULTILINE)
_OPTION = re.compile(r"^option \w+: ([\w ,]+)", re.MULTILINE)
COLUMNS = ("players", "shapes", "lines", "tokens", "the same alone", "in the trial", "scenarios", "logs", "invariants",
           "agreement")
HEAD = f"""# The classic games

The rulesets of `rulesets/classics`, a file each. `shapes`: numbers of players times choices of options; `lines` and
`tokens` of the rules without scenarios and comments, laid out by `referee fmt` (a text in quotes is one token);
`the same alone`: tokens without what the trial's game does not say, as far as that can be told without reading it: the
other choices of options and numbers of players, assumptions, invariants, cites, and what is idle then (`python -m
tests.dashboard.like_with_like NAME` shows what is left and what is not; a test judges the kept games by what is left);
`in the trial`: tokens of the same game as somebody new to the language had written it before, and how many times as
long as that `the same alone` is, and in brackets how many times as long where tables in files that it reads (cards with
suit, rank and cost) are counted too, which the rulesets here say themselves; `logs`: right + damaged games that the
tests judge; `invariants`: what `referee prove` made of them (`rulesets/README.md`); `agreement`: right + damaged
games of another program that were judged, and at how many decisions the whole set of legal events was compared
(`agreement.md`).

Where a ruleset is still longer because it says more than the trial's, that stands beside the figure in brackets.
{{MEDIAN}}

Two readers who know the games, and had seen neither these rules nor the language before, read each line of all 35 on
28 November 2026: 1,957 of 1,968 say the game's rule right, as it is published or as the file says that it is played.
Eleven did not (a repetition in chess, bids that stood from hand to hand in spades, when alone is said in euchre, ...),
and twelve small things were neither there nor said to be missing; both are mended, and what the readers stumbled over
is worded anew. Another reader, who had seen neither, read ten of them and one weapon card after that (hearts, bridge,
euchre, spades, backgammon, dots and boxes, mancala, nine men's morris, battleship, chess): of 689 lines 673 say the
game's rule right, one did not (tricks that lie open in hearts: it is an assumption now), and fifteen were misleading
or left a choice without a word, most of which are mended since.

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
    trial, more, files = (said[one].get(name) for one in ("tokens", "more", "files"))
    alone = None if trial is None else said_alone(name)
    run = json.loads(RUNS.read_text("utf-8")).get(name)
    kept = " + ".join(str(len(list((FOREIGN / name / kind).glob("*.jsonl")))) for kind in ("right", "damaged"))
    return [
        players, str(number), dashboard["lines of rules"], f"{tokens(text):,}",
        "" if alone is None else f"{alone:,}",
        "" if alone is None else f"{trial:,}, {alone / trial:.2f} times"
        + (f" ({alone / (trial + files):.2f})" if files else "") + (f" ({more})" if more else ""),
        dashboard["scenarios"],
        "" if kept == "0 + 0" else kept, dashboard["invariants"],
        "of our own, no other program" if name in OUR_OWN else "not played by another program" if name in NOT_PLAYED
        else "OpenSpiel 2.0.2, before there were mappings"
        if run is None else f"{run['with']}: {run['right']} + {run['damaged']}, {run['decisions']:,} decisions",
    ]


def said_alone(name: str) -> int:
    """Tokens of a classic without what the trial's game does not say."""
    found = reduction(name)
    assert found is not None
    return tokens(found[0])


def page() -> str:
    """The whole page."""
    known = rows()
    said = json.loads(TRIAL.read_text("utf-8"))
    alone = {name: said_alone(name) for name in said["tokens"]}
    shares = [alone[name] / number for name, number in said["tokens"].items()]
    with_files = [alone[name] / (number + said["files"].get(name, 0)) for name, number in said["tokens"].items()]
    few = sum(share <= 1 for share in shares)
    told = (f"Of {len(shares)} games {few} say it in no more than the trial's tokens, half of all in "
            f"{median(shares):.2f} times as many or less, and in {median(with_files):.2f} with its files.")
    names = sorted(path.stem for path in CLASSICS.glob("*.rules"))
    table = "".join(f"| `{name}` | {' | '.join(row(name, known[name]))} |\n" for name in names)
    return HEAD.replace("{MEDIAN}", told) + table


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
