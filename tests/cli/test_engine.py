"""Both engines say the same to the last byte: games played, verdicts, scenarios. Of machine code see `tests/native`."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.cli.main import referee
from referee.native.engine_names import GENERATED, NATIVE, REFERENCE
from tests.sample_sizes import FULL

ROOT = Path(__file__).resolve().parents[2]
BOTH = (GENERATED, REFERENCE)
GAMES = ("connect_four", "kuhn_poker", "goofspiel", "breakthrough", "go_goal", "adrenalyn_xl")


def said(*args: str) -> str:
    return CliRunner().invoke(referee, args).output


@pytest.mark.parametrize("game", GAMES)
def test_they_play_the_same_games(game: str, tmp_path: Path) -> None:
    told = [said("play", game, "--random", "2", "--seed", "7", "--out", str(tmp_path / name), "--engine", name)
            for name in BOTH]
    assert told[0] == told[1]
    logs = [[path.read_bytes() for path in sorted((tmp_path / name).glob("*.jsonl"))] for name in BOTH]
    assert len(logs[0]) == 2
    assert logs[0] == logs[1]


@pytest.mark.parametrize("form", ["text", "json"])
def test_they_give_the_same_verdicts(form: str) -> None:
    folder = ROOT / "rulesets" / "go_goal" / "logs"
    some = [str(path) for kind in ("legal", "illegal") for path in sorted((folder / kind).glob("*.jsonl"))[::7]]
    told = [said("judge", *some, "--format", form, "--engine", name) for name in BOTH]
    assert told[0] == told[1]
    assert "illegal" in told[0]


@pytest.mark.parametrize("game", ["adrenalyn_xl", "go_goal"] if FULL else ["go_goal"])
def test_they_carry_out_scenarios_alike(game: str) -> None:
    told = [said("test", game, "--engine", name) for name in BOTH]
    assert told[0] == told[1]
    assert "passed" in told[0]


def test_an_engine_that_is_not_there_is_refused() -> None:
    assert "'fast' is not one of" in said("judge", "x.jsonl", "--engine", "fast")


def test_machine_code_says_the_same_and_that_it_judged(tmp_path: Path) -> None:
    said("play", "tic_tac_toe", "--random", "1", "--seed", "7", "--out", str(tmp_path))
    generated, native = (said("judge", str(tmp_path / "000.jsonl"), "--engine", name) for name in (GENERATED, NATIVE))
    assert native.replace("  note      by machine code\n", "") == generated != native
