"""Both engines say the same to the last byte: games played, verdicts, scenarios. Of machine code see `tests/native`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.cli.main import referee
from referee.native.engine_names import GENERATED, NATIVE, REFERENCE
from referee.native.native_engine import NOTHING
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
    assert told[0] == told[1].replace("played by the reference engine\n", "") != told[1]
    logs = [[path.read_bytes() for path in sorted((tmp_path / name).glob("*.jsonl"))] for name in BOTH]
    assert len(logs[0]) == 2
    assert logs[0] == logs[1]


@pytest.mark.parametrize("form", ["text", "json"])
def test_they_give_the_same_verdicts(form: str) -> None:
    folder = ROOT / "rulesets" / "go_goal" / "logs"
    some = [str(path) for kind in ("legal", "illegal") for path in sorted((folder / kind).glob("*.jsonl"))[::7]]
    told = [said("judge", *some, "--format", form, "--engine", name) for name in BOTH]
    note = re.compile(r'  note      by the reference engine\n|(?<=\[)"by the reference engine"(, )?')
    plain = [note.sub("", one) for one in told]
    assert told[0] == plain[0] == plain[1] != told[1]
    assert "illegal" in told[0]


@pytest.mark.parametrize("game", ["adrenalyn_xl", "go_goal"] if FULL else ["go_goal"])
def test_they_carry_out_scenarios_alike(game: str) -> None:
    told = [said("test", game, "--engine", name) for name in BOTH]
    assert told[0] == told[1].replace(", by the reference engine", "") != told[1]
    assert "passed" in told[0]


def test_an_engine_that_is_not_there_is_refused() -> None:
    assert "'fast' is not one of" in said("judge", "x.jsonl", "--engine", "fast")


def test_what_judged_is_told_of_logs_that_are_not_listed() -> None:
    logs = str(ROOT / "rulesets" / "go_goal" / "logs" / "legal")
    assert said("judge", logs, "--quiet").count("\n") == 1
    assert said("judge", logs, "--quiet", "--engine", REFERENCE).endswith("\njudged by the reference engine\n")


def test_machine_code_says_the_same_and_that_it_judged(tmp_path: Path) -> None:
    said("play", "tic_tac_toe", "--random", "1", "--seed", "7", "--out", str(tmp_path))
    generated, native = (said("judge", str(tmp_path / "000.jsonl"), "--engine", name) for name in (GENERATED, NATIVE))
    assert native.replace("  note      by machine code\n", "") == generated != native


def test_a_log_of_which_machine_code_follows_nothing_says_so(tmp_path: Path) -> None:
    said("play", "kuhn_poker", "--random", "1", "--seed", "7", "--out", str(tmp_path))
    hidden = said("redact", str(tmp_path / "000.jsonl"), "--for", "public", "--engine", NATIVE)
    (tmp_path / "hidden.jsonl").write_text(hidden, encoding="utf-8")
    assert f"  note      {NOTHING}\n" in said("judge", str(tmp_path / "hidden.jsonl"), "--engine", NATIVE)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_plays_games_is_said(jobs: str) -> None:
    found = said("play", "tic_tac_toe", "--random", "3", "--engine", NATIVE, "--jobs", jobs)
    assert "\nplayed by machine code\n" in found


def test_what_counts_is_said() -> None:
    for name, last in ((GENERATED, "by generated code"), (REFERENCE, "by the reference engine"),
                       (NATIVE, "by generated code: there was not so much to count that machine code pays")):
        found = said("count", "tic_tac_toe", "--depth", "3", "--engine", name)
        assert found.splitlines()[1:4] == ["1    9", "2   72", "3  504"]
        assert found.splitlines()[4].startswith(last)


def test_every_command_that_judges_takes_an_engine(tmp_path: Path) -> None:
    said("play", "tic_tac_toe", "--random", "1", "--seed", "7", "--out", str(tmp_path))
    log, page = str(tmp_path / "000.jsonl"), str(tmp_path / "page.html")
    for words in (("explain", f"{log}:3"), ("redact", log, "--for", "public"), ("show", log, "--html", page),
                  ("infer", "tic_tac_toe", log), ("compare", "tic_tac_toe", "tic_tac_toe", log, "--only-logs")):
        plain = said(*words)
        for name in (REFERENCE, NATIVE):
            told = said(*words, "--engine", name).splitlines()
            assert [one for one in told if " by machine code" not in one and "by the reference" not in one
                    and "by generated code" not in one] == plain.splitlines()
