"""What is counted for the dashboard: of one ruleset, each figure found by running what it speaks of."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from referee.api.game_setting import players_of
from referee.frontend.loading.assembly import Loaded, parsed
from referee.frontend.loading.loader import load, load_flow
from referee.frontend.loading.ruleset_files import find
from referee.frontend.scenarios.scenario_reader import load_scenarios
from referee.game.setting import Setting
from referee.interpreter.playouts import play_out
from referee.native.engine_names import engine
from referee.rule_tests.live_coverage import CitationTrial, live
from referee.rule_tests.statement_coverage import StatementState, coverage
from tests.faults.__main__ import BEGIN, END, NOT_TRIED
from tests.laws.shapes import shapes

MOST_EVENTS = 10_000


def cheap(folder: Path) -> dict[str, str]:
    """The figures that take no time: those that a test compares with the dashboard."""
    loaded = parsed(find(str(folder)))
    rows = coverage(loaded).rows
    encoded = Counter(row.state for row in rows)
    return {
        "statements": f"{len(rows) - encoded[StatementState.MISSING]} of {len(rows)}" if rows else "none",
        "scenarios": str(len(load_scenarios(folder).found)),
        "logs": logs_of(folder),
        "lines of rules": str(sum(_lines(path) for path in rules_of(folder))),
        "faults noticed": faults_of(folder),
    }


def rules_of(folder: Path) -> list[Path]:
    """The rules files of a ruleset, without scenarios of their own file."""
    return [folder] if folder.is_file() else sorted(folder.glob("*.rules"))


def _lines(path: Path) -> int:
    """Lines that say something, those of scenarios left out."""
    count, telling = 0, False
    for line in path.read_text("utf-8").splitlines():
        if line and not line[0].isspace():
            telling = line.startswith("scenario")
        count += bool(line.strip()) and not line.lstrip().startswith("#") and not telling
    return count


def logs_of(folder: Path) -> str:
    """How many logs with a legal game, and how many with a wrong line."""
    legal, illegal = (len(list(folder.glob(f"logs/{kind}/*.jsonl"))) for kind in ("legal", "illegal"))
    return f"{legal} + {illegal}" if legal + illegal else "0"


def faults_of(folder: Path) -> str:
    """Of the faults listed in the README, how many something notices or change nothing."""
    readme = folder / "README.md"
    text = readme.read_text("utf-8") if folder.is_dir() and readme.is_file() else ""
    inside = text.partition(BEGIN)[2].partition(END)[0]
    rows = [line for line in inside.splitlines() if line.startswith("| ")][1:]
    missed = sum("| missed" in row or "| not come to" in row for row in rows)
    same, late = (sum(f"| {word}" in row for row in rows) for word in ("equivalent", NOT_TRIED))
    left = f", {late} not tried" if late else ""
    number = len(rows) - missed - same - late
    return f"{number} of {len(rows)}, {same} make no difference{left}" if rows else "not run"


COSTLY = ("live", "invariants", "findings", "play-outs")
"""The figures that take minutes, the first of them a quarter of an hour for the largest ruleset."""


def costly(folder: Path, games: int, seconds: int, wanted: Collection[str]) -> dict[str, str]:
    """Those of the costly figures that are wanted."""
    loaded = parsed(find(str(folder)))
    return {
        **({"live": _live(loaded)} if "live" in wanted else {}),
        **({"invariants": _proved(folder, min(loaded.range.players), seconds)} if "invariants" in wanted else {}),
        **({"findings": _found(folder, seconds)} if "findings" in wanted else {}),
        **(_played(folder, loaded, games) if "play-outs" in wanted else {}),
    }


def _live(loaded: Loaded) -> str:
    """Of the statements that rules cite, how many make a difference; those that a scenario or log does not notice are
    told when all is done."""
    best: dict[str, CitationTrial] = {}
    for tried in live(loaded, coverage(loaded), every_line=False):
        before = best.get(tried.citation.id)
        if before is None or _weight(tried) > _weight(before):
            best[tried.citation.id] = tried
    for name, tried in best.items():
        if _weight(tried) < 2:
            print(f"{name}  {tried.citation.span}  {tried.noticed or 'nothing notices'}", file=sys.stderr, flush=True)
    weights = Counter(_weight(tried) for tried in best.values())
    leant_on = f", {weights[1]} only as other lines need theirs" if weights[1] else ""
    return f"{len(best) - weights[0]} of {len(best)}{leant_on}" if best else "none"


def _weight(tried: CitationTrial) -> int:
    """2: a scenario or a log shows the difference; 1: without the line the rules cannot be read; 0: nothing."""
    return 0 if not tried.live else 1 if tried.unreadable else 2


def _proved(folder: Path, players: int, seconds: int) -> str:
    """What becomes of the invariants and limits, for the fewest players."""
    data = _json("prove", str(folder), "--players", str(players), "--timeout", str(seconds))
    outcomes = Counter(str(one["outcome"]) for shape in data.get("shapes", []) for one in shape["claims"])
    return ", ".join(f"{number} {outcome}" for outcome, number in outcomes.most_common()) or "none"


def _found(folder: Path, seconds: int) -> str:
    """The findings of the report that is kept beside a ruleset, or of a review now."""
    kept = folder / "review.txt"
    if folder.is_dir() and kept.is_file():
        lines = kept.read_text("utf-8").splitlines()
        number = sum(line.startswith(("found[", "candidate[", "vacuous[")) for line in lines)
        accepted = sum(line.strip().startswith("= accepted") for line in lines)
    else:
        data = _json("review", str(folder), "--timeout", str(seconds))
        found = [one for one in data.get("findings", []) if one["outcome"] in ("found", "candidate", "vacuous")]
        number, accepted = len(found), sum(one["accepted"] is not None for one in found)
    return f"{number}, {accepted} accepted" if number else "0"


def _json(*words: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "referee", *words, "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return dict(json.loads(done.stdout)) if done.stdout else {}


def _played(folder: Path, loaded: Loaded, games: int) -> dict[str, str]:
    """Random games of every shape: what became of them, and decisions a second."""
    outcomes: Counter[str] = Counter()
    events, spent = 0, 0.0
    for outcome, number, seconds in _games(folder, loaded, games):
        outcomes[outcome] += 1
        events, spent = events + number, spent + seconds
    told = ", ".join(f"{number} {outcome}" for outcome, number in sorted(outcomes.items()) if outcome != "end")
    return {"play-outs": f"{outcomes.total():,}" + (f" ({told})" if told else " (all ended)"),
            "decisions a second": f"{events / max(spent, 1e-9):,.0f}"}


def _games(folder: Path, loaded: Loaded, games: int) -> Iterator[tuple[str, int, float]]:
    for shape in shapes(loaded):
        walker = engine(load_flow(folder, shape.players, dict(shape.options)))
        setting = Setting(players_of(load(folder, shape.players, dict(shape.options))))
        for seed in range(games):
            before = time.process_time()
            game = play_out(walker, setting, seed, MOST_EVENTS)
            yield game.outcome, len(game.events), time.process_time() - before
