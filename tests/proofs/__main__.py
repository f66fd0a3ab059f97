"""Tries all claims of rulesets for every number of players: `python -m tests.proofs [--timeout S] [NAME ...]`.

Without names the five rulebooks. What is found out stands in `tests/proofs/kept.json` as soon as it is; the same
command goes on from there: what is certain is not tried again unless the rules have changed, what is open only with
more time than it had. `--table` writes what is kept into `spec/proofs.md`, and tries nothing.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from referee.api.game_setting import players_of
from referee.api.rule_sources import RulesSource
from referee.api.whole_files import write_whole
from referee.game.setting import Setting
from referee.proofs.proof_claims import claims_of
from referee.proofs.proof_outcomes import Proof, ProofOutcome
from referee.proofs.proof_workers import CERTAIN, prove_apart, spent
from referee.proofs.prover import ProofBudget
from referee.system.deadline import Stopwatch

ROOT = Path(__file__).parents[2]
KEPT = Path(__file__).parent / "kept.json"
PAGE = ROOT / "spec" / "proofs.md"
FIVE = ("go_goal", "adrenalyn_xl", "king_of_the_pitch", "il_mister", "adrenaline")
WORDS = re.compile(r'"[^"]*"|\[[^\]]*\]$')  # reasons, names of readings, statements that are cited
NO_RULES = {"scenario", "settled", "accept"}  # blocks of which nothing becomes a rule
BEGIN, END = "<!-- kept: begin -->", "<!-- kept: end -->"


def digest_of(name: str) -> str:
    """What the rules of a ruleset are, in short, without blocks, words and remarks that no claim hangs on."""
    found = hashlib.sha256()
    for path in sorted((ROOT / "rulesets" / name).glob("*.rules")):
        told = True
        for line in path.read_text("utf-8").splitlines():
            if line[:1].strip(" #"):
                told = line.split()[0] not in NO_RULES
            said = WORDS.sub("", line.partition(" # ")[0]).rstrip()
            if told and said and not said.lstrip().startswith("#"):
                found.update(said.encode() + b"\n")
    for path in sorted((ROOT / "rulesets" / name / "data").glob("*")):
        found.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()[:12]


class Kept:
    """What is known of each claim of each shape, in a file that is always whole."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.shapes: dict[str, dict[str, Any]] = json.loads(path.read_text("utf-8")) if path.exists() else {}

    def shape(self, name: str, players: int) -> dict[str, Any]:
        """What is known of a ruleset for a number of players, by the rules as they are."""
        key, rules = f"{name} {players}", digest_of(name)
        if self.shapes.get(key, {}).get("rules") != rules:
            self.shapes[key] = {"rules": rules, "date": "", "seconds": 0.0, "of": 0, "claims": {}}
        return self.shapes[key]

    def write(self) -> None:
        """To the file."""
        write_whole(self._path, json.dumps(self.shapes, indent=1, sort_keys=True).splitlines())


def try_shape(kept: Kept, source: RulesSource, name: str, players: int, timeout: float, jobs: int) -> None:
    """Tries what is open of a shape, and keeps what is found out."""
    flow, shape = source.flow(players), kept.shape(name, players)
    every, known = claims_of(flow.core), shape["claims"]
    open_ = [one for one in every if not certain(known.get(one.name), timeout)]
    shape["of"] = len(every)
    if not open_:
        return
    before, others, watch = shape["seconds"], spent(), Stopwatch.computing()
    for proof in prove_apart(flow, Setting(players_of(flow.core)), ProofBudget(timeout), claims=open_, jobs=jobs):
        if better(proof, known.get(proof.name)):
            known[proof.name] = {"outcome": proof.outcome.value, "how": proof.how, "timeout": timeout}
        shape["date"] = f"{datetime.now(UTC):%Y-%m-%d}"
        shape["seconds"] = round(before + watch.seconds + spent() - others, 1)
        kept.write()
        print(f"{name} {players}: {proof.outcome.value}  {proof.name}: {proof.how}", flush=True)
    shape["seconds"] = round(before + watch.seconds + spent() - others, 1)
    kept.write()


def certain(known: dict[str, Any] | None, timeout: float) -> bool:
    """Whether there is nothing left to try of a claim in so many seconds."""
    return known is not None and (known["outcome"] in {one.value for one in CERTAIN} or known["timeout"] >= timeout)


def better(proof: Proof, known: dict[str, Any] | None) -> bool:
    """Whether a proof says no less than what is known: what is `candidate` once stays that."""
    return known is None or proof.outcome is not ProofOutcome.UNKNOWN or known["outcome"] == ProofOutcome.UNKNOWN.value


def table(kept: Kept) -> str:
    """What is kept, as it stands in the page."""
    head = ["ruleset", "players", "claims", *(one.value for one in ProofOutcome), "not tried", "seconds", "date"]
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    left: list[str] = []
    for key, shape in sorted(kept.shapes.items(), key=lambda one: (FIVE.index(one[0].split()[0]), one[0])):
        found = [one["outcome"] for one in shape["claims"].values()]
        if not found:
            continue
        numbers = [found.count(one.value) for one in ProofOutcome]
        name, players = key.split()
        cells = [name, players, shape["of"], *numbers, shape["of"] - len(found), round(shape["seconds"]), shape["date"]]
        lines.append(f"| {' | '.join(map(str, cells))} |")
        left += [f"| {name} | {players} | `{claim}` | {one['outcome']} | {one['how']} | {one['timeout']:g} |"
                 for claim, one in sorted(shape["claims"].items())
                 if one["outcome"] not in {one.value for one in CERTAIN}]
    if left:
        lines += ["", "| ruleset | players | open | outcome | why | `--timeout` |", "|---|---|---|---|---|---|", *left]
    return "\n".join(lines)


def write_table(kept: Kept) -> None:
    """Puts the table into the page, between its marks."""
    text = PAGE.read_text("utf-8")
    head, _, rest = text.partition(BEGIN)
    _, _, tail = rest.partition(END)
    write_whole(PAGE, f"{head}{BEGIN}\n{table(kept)}\n{END}{tail}".splitlines())


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.proofs", description=__doc__)
    parser.add_argument("names", nargs="*", default=FIVE, metavar="NAME")
    parser.add_argument("--players", type=int, help="for how many; every number if not said")
    parser.add_argument("--timeout", type=float, default=300.0, help="seconds of computing for each shape")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--file", type=Path, default=KEPT)
    parser.add_argument("--table", action="store_true")
    asked = parser.parse_args()
    kept = Kept(asked.file)
    if asked.table:
        write_table(kept)
        return 0
    for name in asked.names:
        source = RulesSource(name)
        numbers = source.loaded.range.players if asked.players is None else (asked.players,)
        for players in numbers:
            try_shape(kept, source, name, players, asked.timeout, asked.jobs)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
