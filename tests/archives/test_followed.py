"""A log that is judged while it is written has the verdict of the whole log; its wrong line is told when it comes."""

from __future__ import annotations

import gzip
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from referee.api.followed_logs import Followed, Patience, follow
from referee.api.runs.judging import How
from referee.api.runs.log_engines import Rules
from referee.archives import growing_source
from referee.archives.growing_source import GrowingSource
from referee.cli.main import run
from referee.cli.progress import asked_to_end
from referee.game.log.log_reader import StreamFault
from referee.judge.log_run import judge_path
from referee.judge.verdict import LogVerdict
from referee.report.data.schemas import SCHEMAS
from referee.report.data.verdict_data import as_data
from referee.report.followed_report import FollowEnd
from tests.sample_sizes import FULL

ROOT = Path(__file__).resolve().parents[2]
HEAD = b'{"schema": "referee/log/1", "ruleset": "tic_tac_toe", "players": ["x", "o"]}\n'
HOW = How(None, "generated", None, False, None, False, None, False)
LOGS = [path for name in ("connect_four", "kuhn_poker")
        for path in sorted((ROOT / "tests" / "logs" / name).glob("*.jsonl"))]
MOST_ASKED = 20_000


def marks(*cells: str) -> list[bytes]:
    return [json.dumps({"by": "xo"[at % 2], "do": "mark", "with": {"cell": cell}}).encode() + b"\n"
            for at, cell in enumerate(cells)]


WON = [HEAD, *marks("a1", "b1", "a2", "b2", "a3")]


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody sleeps where the test itself writes what comes next."""
    monkeypatch.setattr(growing_source, "SHORTEST", 0.0)
    monkeypatch.setattr("referee.api.followed_logs.LAST_LINES", 0.0)


class Writer:
    """Writes one piece of a log each time it is asked whether to stop; then it does something else, once."""

    def __init__(self, path: Path, pieces: Sequence[bytes], then: Callable[[], bool] | None = None) -> None:
        self.path, self.left, self.asked = path, list(pieces), 0
        self.then = then or self._for_long
        path.write_bytes(b"")
        self.written = self.calls = 0

    def _for_long(self) -> bool:
        self.asked += 1
        return self.asked > 2

    def __call__(self) -> bool:
        self.calls += 1
        assert self.calls < MOST_ASKED, "it comes to no end"
        if not self.left:
            return self.then()
        with self.path.open("ab") as file:
            file.write(self.left.pop(0))
        self.written += 1
        return False


def followed(writer: Writer, how: How = HOW, idle: float | None = None, next_games: bool = True) -> list[
        tuple[Followed, int]]:
    """What is told, and how many pieces were written by then."""
    told: list[tuple[Followed, int]] = []
    follow(str(writer.path), how, Patience(idle, next_games, writer), lambda one: told.append((one, writer.written)))
    return told


def plain(verdict: LogVerdict) -> dict[str, object]:
    return json.loads(json.dumps(as_data(verdict)))  # type: ignore[no-any-return]


def test_the_verdict_is_that_of_the_whole_log(tmp_path: Path) -> None:
    own, rules = tmp_path / "log.jsonl", Rules()
    for path in LOGS[::1 if FULL else 8]:
        told = followed(Writer(own, path.read_bytes().splitlines(keepends=True)))
        own.write_bytes(path.read_bytes())
        right = judge_path(str(own), rules)
        assert plain(told[-1][0].verdict) == plain(right), path
        early = [(one.verdict.wrong, written) for one, written in told if one.end is None]
        if right.wrong is None:
            assert not early, path
            continue
        (wrong, written), = early
        assert wrong is not None
        assert (wrong.line, wrong.kind) == (right.wrong.line, right.wrong.kind), path
        assert written <= right.wrong.line + 1, path  # it is told when more is asked for


def test_a_wrong_line_that_the_table_lets_stand_is_told_and_taken_back(tmp_path: Path) -> None:
    lines = [HEAD, *marks("a1", "a1"), b'{"by": "table", "do": "overrule", "with": {"line": 3}}\n']
    told = [(one.verdict.outcome.value, one.end, written) for one, written in
            followed(Writer(tmp_path / "log.jsonl", lines))]
    assert told[0] == ("illegal", None, 4)
    assert told[1][0] != "illegal"


def test_it_ends_with_the_game(tmp_path: Path) -> None:
    writer = Writer(tmp_path / "log.jsonl", WON, then=lambda: False)
    (one, _), = followed(writer, next_games=False)
    assert (one.end, one.verdict.outcome.value, one.verdict.winners) == (FollowEnd.OVER, "legal", ("x",))


def test_one_game_after_another_is_told_by_its_number(tmp_path: Path) -> None:
    told = [one for one, _ in followed(Writer(tmp_path / "log.jsonl", [*WON, HEAD, *marks("a1", "a1"), *WON]))]
    assert [(one.verdict.path.rpartition("/")[2], one.verdict.outcome.value, one.end) for one in told] == [
        ("log.jsonl#1", "legal", FollowEnd.NEXT), ("log.jsonl#2", "illegal", None),
        ("log.jsonl#2", "illegal", FollowEnd.NEXT), ("log.jsonl#3", "legal", FollowEnd.INTERRUPTED)]
    assert [as_data(one.verdict)["index"] for one in told] == [1, 2, 2, 3]


def test_a_game_that_stands_there_is_no_end_if_another_stands_behind_it(tmp_path: Path) -> None:
    writer = Writer(tmp_path / "log.jsonl", [b"".join([*WON, *WON])], then=lambda: False)
    assert [one.end for one, _ in followed(writer, next_games=False)] == [FollowEnd.NEXT, FollowEnd.OVER]


@pytest.mark.parametrize(("rest", "events", "half"), [
    (b'{"by": "o", "do": "ma', 1, True), (marks("", "b1")[1].rstrip(), 2, False), (b"  ", 1, False), (b"7", 1, True)])
def test_a_line_without_an_end_is_judged_if_it_is_whole(tmp_path: Path, rest: bytes, events: int, half: bool) -> None:
    (one, _), = followed(Writer(tmp_path / "log.jsonl", [HEAD, *marks("a1"), rest], then=lambda: False), idle=0.02)
    assert (one.end, one.half, one.verdict.outcome.value, one.verdict.events) == (
        FollowEnd.IDLE, half, "legal", events)


def test_a_line_that_comes_in_pieces_is_one(tmp_path: Path) -> None:
    pieces = [bytes([one]) for one in b"".join(WON)]
    (one, _), = followed(Writer(tmp_path / "log.jsonl", pieces))
    assert (one.verdict.outcome.value, one.verdict.winners) == ("legal", ("x",))


def cut(path: Path) -> None:
    os.truncate(path, 10)


def replaced(path: Path) -> None:
    path.with_suffix(".new").write_bytes(b"".join(WON))
    os.replace(path.with_suffix(".new"), path)


def rewritten(path: Path) -> None:
    path.write_bytes(HEAD + b"".join(marks("c3", "c2", "c1", "a1")))


@pytest.mark.parametrize(("change", "says"), [
    (cut, "it had 127 bytes and has 10"), (Path.unlink, "not there any more"), (replaced, "another file has taken"),
    (rewritten, "written anew")])
def test_what_was_read_has_to_stay(tmp_path: Path, change: Callable[[Path], None], says: str) -> None:
    changes = iter([change])

    def then() -> bool:
        for one in changes:
            one(tmp_path / "log.jsonl")
        return False

    (one, _), = followed(Writer(tmp_path / "log.jsonl", [HEAD, *marks("a1")], then))
    assert one.end is FollowEnd.HALTED
    assert one.verdict.outcome.value == "unreadable"
    assert [found.code for found in one.verdict.diagnostics] == ["LG59"]
    assert says in one.verdict.reason


def test_a_wrong_line_stays_wrong_if_the_file_is_gone(tmp_path: Path) -> None:
    def then() -> bool:
        (tmp_path / "log.jsonl").unlink(missing_ok=True)
        return False

    told = followed(Writer(tmp_path / "log.jsonl", [HEAD, *marks("a1", "a1")], then))
    assert [one.verdict.outcome.value for one, _ in told] == ["illegal", "illegal"]
    assert [found.code for found in told[1][0].verdict.diagnostics] == ["LG59"]


@pytest.mark.parametrize("data", [gzip.compress(b"".join(WON)), b"\0" * 9])
def test_what_is_packed_is_not_waited_for(tmp_path: Path, data: bytes) -> None:
    (one, _), = followed(Writer(tmp_path / "log.jsonl", [data], then=lambda: False))
    assert [found.code for found in one.verdict.diagnostics] == ["LG59"]


def test_a_line_without_end_takes_no_memory_without_end(tmp_path: Path) -> None:
    writer = Writer(tmp_path / "log.jsonl", [HEAD, *[b"x" * (1 << 18)] * 5], then=lambda: False)
    (one, _), = followed(writer, next_games=False)
    assert (one.end, one.verdict.outcome.value) == (FollowEnd.HALTED, "unreadable")


def test_nobody_waits_busily(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growing_source, "SHORTEST", 0.02)
    (tmp_path / "log.jsonl").write_bytes(HEAD)
    asked: list[float] = []

    def waits(seconds: float) -> bool:
        asked.append(seconds)
        return seconds < 0.5

    source = GrowingSource(str(tmp_path / "log.jsonl"), waits)
    assert (source.read(1 << 20), source.read(1 << 20)) == (HEAD, b"")
    source.close()
    assert len(asked) < 12


@pytest.fixture
def pipe(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Where somebody writes what comes by the standard input."""
    there, here = os.pipe()
    with open(there) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        yield here


def test_the_standard_input_ends_when_nobody_writes(pipe: int, capsys: pytest.CaptureFixture[str]) -> None:
    os.write(pipe, b"".join([HEAD, *marks("a1", "a1")]))
    os.close(pipe)
    assert run(["judge", "--follow", "-", "--format", "json"]) == 1
    out, err = capsys.readouterr()
    told = [json.loads(line) for line in out.splitlines()]
    for one in told:
        Draft202012Validator(SCHEMAS["followed"]).validate(one)
    assert [(one["end"], one["verdict"]["line"]) for one in told] == [(None, 3), ("closed", 3)]
    assert err == "<stdin>: nobody writes any more\n"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names")
def test_a_pipe_with_a_name_is_waited_for_and_ends_with_its_writer(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    todo: list[Callable[[], object]] = []

    def stopped() -> bool:
        if not todo:
            handle = os.open(tmp_path / "pipe", os.O_WRONLY)
            todo.extend([lambda: os.write(handle, HEAD), lambda: os.write(handle, marks("a1")[0]),
                         lambda: os.close(handle), lambda: None])
        elif len(todo) > 1:
            todo.pop(0)()
        return False

    told: list[Followed] = []
    follow(str(tmp_path / "pipe"), HOW, Patience(None, False, stopped), told.append)
    assert [(one.end, one.verdict.events) for one in told] == [(FollowEnd.CLOSED, 1)]


def test_the_text_is_that_of_judge_told_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "log.jsonl")
    Path(path).write_bytes(b"".join([HEAD, *marks("a1", "a1")]))
    assert run(["judge", path]) == 1
    right = capsys.readouterr().out
    assert run(["judge", path, "--follow", "--follow-for", "0.1"]) == 1
    assert capsys.readouterr() == (right, f"{path}: nothing came any more\n")


@pytest.mark.parametrize("words", [
    ("logs",), ("https://example.org/a.jsonl",), ("a.jsonl", "b.jsonl"), ("a.jsonl", "--out", "kept"),
    ("a.jsonl", "--jobs", "2"), ("a.jsonl", "--format", "sarif"), ("a.jsonl", "--engine", "solver")])
def test_what_does_not_go_with_it_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...],
                                             capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "logs").mkdir()
    assert run(["judge", "--follow", *words]) == 2
    assert "--follow" in capsys.readouterr().err
    assert run(["judge", "a.jsonl", "--follow-for", "3"]) == 2


def test_a_file_that_is_not_there_is_not_waited_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["judge", "--follow", str(tmp_path / "none.jsonl")]) == 4
    assert "LG01" in capsys.readouterr().out
    with pytest.raises(StreamFault):
        GrowingSource(str(tmp_path), lambda _: True)


def test_a_signal_asks_and_the_second_insists() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with asked_to_end() as asked:
        assert not asked()
        os.kill(os.getpid(), signal.SIGTERM)
        assert asked()
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
    assert signal.getsignal(signal.SIGTERM) is before
