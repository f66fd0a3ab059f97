"""What is told of a condition that is tested afterwards: the values at the position that the line would have led to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.frontend.loading.loader import load_flow
from referee.judge.log_run import judge_path
from referee.native.engine_names import GENERATED, REFERENCE, engine

RULES = """game "Jars" for 2 players ana and ben

counters
  full of player: 0..9 starts 2

play
  turns from ana, to the left
    turn player must pour

action pour(cups: 1..3)
  needs "no jar overflows", afterwards: full of me <= 4
  raise full of me by cups

when full of ana = 4
  raise full of ana by 1
"""


@pytest.mark.parametrize("name", [GENERATED, REFERENCE])
def test_the_values_are_those_afterwards(name: str, tmp_path: Path) -> None:
    rules, log = tmp_path / "jars.rules", tmp_path / "log.jsonl"
    rules.write_text(RULES, "utf-8")
    header = {"schema": "referee/log/1", "ruleset": "jars", "players": ["ana", "ben"]}
    lines = [header, {"by": "ana", "do": "pour", "with": {"cups": 2}}]
    log.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    flow = load_flow(rules)
    wrong = judge_path(str(log), lambda _: engine(flow, name)).wrong
    assert wrong is not None
    assert [(fact.text, dict(fact.shows)) for fact in wrong.failed] == [
        ("no jar overflows", {"afterwards full of ana": "5, at most 4 is needed"})]
