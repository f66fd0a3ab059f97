"""Logs written by hand get the verdict written beside them: legal or not, the line, the kind, and the rule named."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.logs.checkers import GAMES
from tests.logs.second_opinion import first_wrong

HERE = Path(__file__).parent
EXPECTED: dict[str, dict[str, dict[str, Any]]] = {
    game: json.loads((HERE / game / "expected.json").read_text("utf-8")) for game in GAMES
}
CASES = [(game, name) for game in GAMES for name in EXPECTED[game]]


def case_id(value: tuple[str, str]) -> str:
    game, name = value
    return f"{game} {name[:3]} {EXPECTED[game][name]['what']}"


@pytest.fixture(scope="module")
def blocks(project: Path) -> dict[tuple[str, str], str]:
    """What is printed on each log: the headline and the lines below it."""
    paths = [str((HERE / game / name).relative_to(project)) for game, name in CASES]
    done = subprocess.run([sys.executable, "-m", "referee", "judge", *paths], cwd=project, capture_output=True,
                          text=True, encoding="utf-8", check=False)
    start = re.compile(r"^tests/logs/(\w+)/(\d+\.jsonl)(?=:)", re.MULTILINE)
    heads = [*start.finditer(done.stdout)]
    ends = [head.start() for head in heads[1:]] + [len(done.stdout)]
    assert len(heads) == len(CASES), done.stdout[-2000:] + done.stderr
    return {(head[1], head[2]): done.stdout[head.end():end] for head, end in zip(heads, ends, strict=True)}


@pytest.mark.parametrize("case", CASES, ids=case_id)
def test_the_verdict_is_the_one_written_beside_the_log(
    case: tuple[str, str], blocks: dict[tuple[str, str], str]
) -> None:
    expected = EXPECTED[case[0]][case[1]]
    block = blocks[case]
    match expected["verdict"]:
        case "illegal":
            assert block.startswith(f":{expected['line']}: illegal"), block
            assert f"\n  {expected['kind']}:" in block
            assert expected.get("rule", "") in block
        case "legal":
            assert re.match(r": legal(?! so far)\b", block), block
        case verdict:
            assert block.startswith(f": {verdict}"), block
            assert "ways" not in expected or f"{expected['ways']} ways to fill them" in block


@pytest.mark.parametrize("game", GAMES)
def test_the_kinds_of_logs_are_many_and_both_ways(game: str) -> None:
    verdicts = [entry["verdict"] for entry in EXPECTED[game].values()]
    assert {name.name for name in (HERE / game).glob("*.jsonl")} == set(EXPECTED[game])
    assert verdicts.count("illegal") >= 10
    assert len(verdicts) - verdicts.count("illegal") >= 5


BEYOND = {"broken claim", "not allowed", "contradiction"}
"""What the checkers, who know events and scores only, cannot tell."""


@pytest.mark.parametrize("case", CASES, ids=case_id)
def test_the_checkers_agree(case: tuple[str, str]) -> None:
    expected = EXPECTED[case[0]][case[1]]
    text = (HERE / case[0] / case[1]).read_text("utf-8")
    lines = [json.loads(line) for line in text.splitlines()]
    if expected.get("kind") in BEYOND or "ways" in expected or expected.get("rule") == "comes after":
        return
    assert first_wrong(lines) == expected.get("line")
