"""The command `referee` itself: help, unknown commands, and what becomes of errors that nobody caught."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest

from referee import __version__
from referee.cli import main
from referee.cli.main import COMMANDS, referee, run
from referee.diagnostics.diagnostic import Diagnostic, Problems
from referee.diagnostics.exit_codes import Exit
from referee.diagnostics.source import Source, Span
from referee.game.log.log_reader import LogProblem


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == Exit.GOOD
    shown = capsys.readouterr().out
    assert all(name in shown for name in COMMANDS)


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_has_help_and_the_first_line_of_the_table(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([name, "--help"]) == Exit.GOOD
    assert f"Usage: referee {name}" in capsys.readouterr().out


def test_help_does_not_load_what_is_slow() -> None:
    code = (
        "import sys; from referee.cli.main import run; run(['--help']); "
        "slow = {'lark', 'rich', 'jsonschema', 'referee.syntax', 'referee.interpreter', 'referee.codegen'}; "
        "sys.exit(sorted(slow & set(sys.modules)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_verdict_does_not_load_what_only_other_commands_need(project: Path) -> None:
    code = (
        "import sys; from referee.cli.main import run; run(['judge', 'tests/logs/tic_tac_toe/012.jsonl']); "
        "other = {'referee.review', 'referee.page', 'referee.proofs', 'referee.report.ledger', 'z3', 'llvmlite'}; "
        "sys.exit(sorted(other & set(sys.modules)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=project, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == Exit.GOOD
    assert __version__ in capsys.readouterr().out


def test_the_module_runs_like_the_command(project: Path) -> None:
    done = subprocess.run([sys.executable, "-m", "referee", "--version"], cwd=project, capture_output=True, text=True,
                          check=False)
    assert (done.returncode, done.stdout.strip()) == (0, f"referee, version {__version__}")


@pytest.mark.parametrize("words", [["jugde"], ["--nonsense"], []])
def test_a_command_line_without_sense_ends_with_2(words: list[str]) -> None:
    assert run(words) == Exit.USAGE


def _failing(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise error

    monkeypatch.setitem(main.COMMANDS, "fail", ("nowhere", "Fail."))
    monkeypatch.setattr(type(referee), "get_command", lambda *_: click.Command("fail", callback=fail))


def test_an_internal_error_is_one_line_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _failing(RuntimeError("out of cheese"), monkeypatch)
    assert run(["fail"]) == Exit.INTERNAL
    told = capsys.readouterr().err
    assert told.startswith("internal error: RuntimeError: out of cheese\n")
    assert "Traceback" not in told


def test_debug_shows_where_an_internal_error_comes_from(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _failing(RuntimeError("out of cheese"), monkeypatch)
    assert run(["--debug", "fail"]) == Exit.INTERNAL
    assert "Traceback" in capsys.readouterr().err


def test_problems_are_drawn_and_end_with_3(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    source = Source("my.rules", "game 7\n")
    _failing(Problems((Diagnostic("XX01", "no name", Span("my.rules", 1, 6, 1, 7)),), (source,)), monkeypatch)
    assert run(["fail"]) == Exit.RULES
    told = capsys.readouterr().err
    assert "error[XX01]: no name" in told
    assert "1 | game 7\n  |      ^\n" in told


def test_problems_of_a_log_end_with_4(monkeypatch: pytest.MonkeyPatch) -> None:
    _failing(LogProblem(Diagnostic("XX02", "empty", Span("a.jsonl", 1, 1, 1, 1))), monkeypatch)
    assert run(["fail"]) == Exit.LOG


def test_ctrl_c_ends_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    _failing(KeyboardInterrupt(), monkeypatch)
    assert run(["fail"]) == Exit.INTERRUPTED


@pytest.mark.parametrize("words", [
    ["judge", "tests/foreign/connect_four/right"], ["play", "tic_tac_toe", "--random", "2"], ["--help"], ["--version"],
])
def test_a_reader_that_is_gone_is_no_wrong_line(words: list[str], project: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([sys.executable, "-m", "referee", *words], cwd=project, stdout=writing,
                          stderr=subprocess.PIPE, text=True, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (Exit.INTERRUPTED, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("words", [
    ["check", "tic_tac_toe"], ["--help"], ["show", "tic_tac_toe"], ["play", "tic_tac_toe", "--random", "1"],
])
def test_a_full_disk_is_said_and_no_fault_of_the_program(words: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([sys.executable, "-m", "referee", *words], stdout=full, stderr=subprocess.PIPE, text=True,
                              check=False)
    assert done.returncode == Exit.USAGE
    assert "internal" not in done.stderr
    assert "None" not in done.stderr


@pytest.mark.parametrize(("closed", "code"), [("<&-", Exit.LOG), (">&- </dev/null", Exit.LOG)])
def test_closed_streams_are_empty_ones(closed: str, code: Exit) -> None:
    done = subprocess.run(["sh", "-c", f'"$0" -m referee judge - {closed}', sys.executable], stderr=subprocess.PIPE,
                          text=True, check=False)
    assert done.returncode == code
    assert "internal" not in done.stderr


def test_ctrl_c_while_modules_are_imported_ends_it_without_a_word() -> None:
    """There is nothing to tell yet, and a traceback says nothing to whoever has pressed it."""
    program = """\
import signal, sys

class Pressed:
    def find_spec(self, name, *more):
        if name == "click":
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Pressed())
from referee.cli.start import main
main()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")
    begun = subprocess.run([sys.executable, "-m", "referee", "--version"], capture_output=True, text=True, check=False)
    assert begun.returncode == 0
