"""What a verdict made for a player tells of somebody else's secret argument: nothing, not even when it is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.cli.main import run
from referee.diagnostics.exit_codes import Exit

HEADER = {"schema": "referee/log/1", "players": ["first", "second"]}
DEALT_TWICE = [
    {"by": "fate", "do": "deal", "with": {"to": "first", "card": "Q"}},
    {"by": "fate", "do": "deal", "with": {"to": "second", "card": "Q"}},
]
BID_TWICE = [
    {"by": "first", "do": "bid", "with": {"card": 3}},
    {"by": "second", "do": "bid", "with": {"card": 5}},
    {"by": "first", "do": "bid", "with": {"card": 3}},
]


@pytest.mark.parametrize(("ruleset", "lines", "viewer", "secret"), [
    ("kuhn_poker", DEALT_TWICE, "first", "card cannot be Q"),
    ("goofspiel", BID_TWICE, "second", "card cannot be 3"),
])
def test_a_wrong_secret_argument_is_hidden_from_others(
    ruleset: str, lines: list[dict[str, object]], viewer: str, secret: str, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    log = tmp_path / "game.jsonl"
    log.write_text("\n".join(json.dumps(line) for line in [{**HEADER, "ruleset": ruleset}, *lines]) + "\n", "utf-8")
    assert run(["judge", str(log)]) == Exit.NEGATIVE
    assert secret in capsys.readouterr().out
    assert run(["judge", str(log), "--for", viewer]) == Exit.NEGATIVE
    told = capsys.readouterr().out
    assert secret not in told
    assert f"card is none of those it could be here; what it is, {viewer} does not see" in told


def test_what_cannot_be_among_several_is_named(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Line 2: the cards dealt to the first player are not of the pile that is dealt (RO-09)."""
    assert run(["judge", str(project / "rulesets/go_goal/logs/illegal/001.jsonl")]) == Exit.NEGATIVE
    told = capsys.readouterr().out.splitlines()[1]
    assert told.endswith("cards cannot be GOAL, NO here: GOAL and NO cannot be among them")
