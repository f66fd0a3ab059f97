"""Files that cannot be read, or would have to be waited for, are named or left out: no command hangs on one."""

from __future__ import annotations

import os
import shutil
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from referee.cli.main import run
from referee.diagnostics.exit_codes import Exit

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with a name")
LOG = Path("tests/foreign/tic_tac_toe/right/000.jsonl")
RULES = """\
game "Coins" for 2 players first and second

kind Coin from "data/coins.csv"
  worth: 0..9

components
  1 of each Coin in purse

zones
  purse: bag of Coin, open

play
  turns from first, to the left
    turn player must stop

action stop  [R-1]
  me wins
"""
PLAYED = (
    '{"schema": "referee/log/1", "ruleset": "coins", "players": ["ana", "ben"]}\n{"by": "ana", "do": "stop"}\n'
)


@contextmanager
def at_once() -> Iterator[None]:
    """Whoever waits for a pipe does not come back: an alarm ends him."""

    def late(*_: object) -> None:
        raise AssertionError("it hangs")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(20)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def listening(path: Path) -> None:
    here = os.getcwd()
    os.chdir(path.parent)  # the name of a socket is short
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(here)


STRANGE: dict[str, Callable[[Path], None]] = {
    "pipe": os.mkfifo, "socket": listening, "device": lambda path: path.symlink_to("/dev/zero"),
}


@pytest.fixture(name="coins")
def folder_of_rules(tmp_path: Path) -> Path:
    folder = tmp_path / "coins"
    (folder / "data").mkdir(parents=True)
    (folder / "coins.rules").write_text(RULES)
    (folder / "data" / "coins.csv").write_text("name,worth\nred,1\n")
    (folder / "statements.toml").write_text('[statement.R-1]\ntext = "Stop."\n')
    (folder / "played.jsonl").write_text(PLAYED)
    return folder


@pytest.mark.parametrize("kind", STRANGE)
def test_no_pipe_socket_or_device_in_a_folder_is_a_log(
    kind: str, tmp_path: Path, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    STRANGE[kind](tmp_path / "a.jsonl")
    shutil.copy(project / LOG, tmp_path / "b.jsonl")
    with at_once():
        assert run(["judge", str(tmp_path)]) == Exit.GOOD
        assert "b.jsonl: legal" in capsys.readouterr().out
        (tmp_path / "b.jsonl").unlink()
        assert run(["judge", str(tmp_path)]) == Exit.LOG
        assert "LG01" in capsys.readouterr().out


@pytest.mark.parametrize("kind", STRANGE)
@pytest.mark.parametrize(("name", "code"), [
    ("a.rules", "SY01"), ("data/coins.csv", "DT01"), ("statements.toml", "ST01"), ("logs/x/a.jsonl", ""),
    ("data/unused.csv", ""),
])
def test_no_pipe_socket_or_device_in_a_ruleset_is_waited_for(
    kind: str, name: str, code: str, coins: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (coins / name).unlink(missing_ok=True)
    (coins / name).parent.mkdir(parents=True, exist_ok=True)
    STRANGE[kind](coins / name)
    with at_once():
        for words in (["check", coins], ["judge", coins, "--ruleset", coins]):
            assert run([str(word) for word in words]) == (Exit.RULES if code else Exit.GOOD)
            written = "".join(capsys.readouterr())
            assert not code or (f"[{code}]" in written and Path(name).name in written)
        assert run(["coverage", "--live", str(coins)]) in (Exit.GOOD, Exit.NEGATIVE, Exit.RULES)


@pytest.mark.parametrize(("name", "code"), [
    ("coins.rules", "SY01"), ("data/coins.csv", "DT01"), ("statements.toml", "ST01"), ("data/unused.csv", ""),
])
def test_a_file_that_may_not_be_read_is_named_if_it_is_needed(
    name: str, code: str, coins: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever is root may read anything: so the system is made to refuse it."""
    (coins / name).touch()
    opened = os.open

    def refusing(path: Path, *how: int) -> int:
        if path == coins / name:
            raise PermissionError(13, "Permission denied", str(path))
        return opened(path, *how)

    monkeypatch.setattr(os, "open", refusing)
    assert run(["judge", str(coins), "--ruleset", str(coins)]) == (Exit.RULES if code else Exit.GOOD)
    written = capsys.readouterr().out.lower()
    assert not code or f"[{code.lower()}]" in written
    assert not code or (Path(name).name in written and "permission denied" in written)
