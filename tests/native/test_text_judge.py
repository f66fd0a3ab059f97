"""Short files are judged by their text in one call where machine code knows all their lines.

Whatever their bytes are, each verdict is the one that is found line by line.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from referee.api.runs.log_engines import Rules
from referee.judge.log_run import judge_all
from referee.judge.verdict import LogVerdict
from referee.judge.whole_logs.whole_logs import WholeLogs
from referee.native.engine_names import AUTO, NATIVE
from referee.native.judging import line_table, weighed_engine
from tests.logs.second_opinion import random_game
from tests.sample_sizes import drawn

GAMES = ("connect_four", "kuhn_poker", "goofspiel")
ODD = (b" ", b"\t", b"\r", b"\0", b"\n", b"\xff", b"\xef\xbb\xbf", b'"', b"\\", b"{", b"}", b",", b"[", b"1",
       b"0" * 30, b'"by": "x", ', b'"schema"', b'"note": 1, ', b"e9", b"\xc3\xa9", b" " * 5_000)


def _damaged(text: bytes, random: Random) -> bytes:
    """A log with its bytes changed in one of many ways: at most as its own lines, of which some know each other."""
    at = random.randrange(len(text))
    lines = text.splitlines(keepends=True)
    line = random.randrange(1, len(lines))
    match random.randrange(12):
        case 0:
            return text[:at]
        case 1:
            return text[:at] + text[at + 1:]
        case 2:
            return text[:at] + bytes([random.randrange(256)]) + text[at + 1:]
        case 3 | 4:
            return text[:at] + random.choice(ODD) + text[at:]
        case 5:
            return b"".join(lines[:line] + lines[line + 1:])
        case 6:
            return b"".join(lines[:line] + lines[line:line + 1] + lines[line:])
        case 7:
            lines[line - 1], lines[line] = lines[line], lines[line - 1]
            return b"".join(lines)
        case 8:
            return random.choice((b"\xef\xbb\xbf", b"", b"\n", b" ")) + text.replace(b"\n", b"\r\n")
        case 9:
            key = random.choice((b'"by":', b'"do":', b'"with":', b'"end":'))
            return text.replace(key, key + b" 1, " + key, 1)
        case 10:
            return text.replace(b": 1", b": " + b"1" * random.randrange(2, 400), 1)
        case _:
            return text + random.choice((lines[line], b"\n", b"{}\n", lines[0], text, b"\0"))


def _files(folder: Path, random: Random, number: int) -> list[str]:
    """Files with a log each: right ones, damaged ones, and right ones once more."""
    right = [b"".join(json.dumps(line).encode() + b"\n" for line in random_game(game, Random(seed)))
             for game in GAMES for seed in range(5)]
    texts = [*right, *right, *(_damaged(random.choice(right), random) for _ in range(number)), *right]
    random.shuffle(texts)
    paths = [folder / f"{index:05}.jsonl" for index in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_bytes(text)
    return [str(path) for path in paths]


def _verdicts(paths: Sequence[str], engine: str) -> list[LogVerdict]:
    return list(judge_all(paths, Rules(None, engine)))


@pytest.mark.parametrize("most", [10, 1_000])
def test_whatever_the_bytes_are_the_verdict_is_that_of_line_by_line(
        most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(most)
    paths = _files(tmp_path, random, drawn(60, 20_000))
    monkeypatch.setattr(line_table, "MOST_LINES", most)
    taken: list[LogVerdict] = []
    whole = WholeLogs.followed

    def counted(self: WholeLogs, text: bytes, path: str) -> LogVerdict | None:
        found = whole(self, text, path)
        taken.extend([found] if found is not None else [])
        return found

    monkeypatch.setattr(WholeLogs, "followed", counted)
    found = _verdicts(paths, NATIVE)
    monkeypatch.setattr(WholeLogs, "verdict", lambda *_: None)
    plain = _verdicts(paths, NATIVE)
    assert [one for one, other in zip(found, plain, strict=True) if (one, one.engine) != (other, other.engine)] == []
    assert len(taken) > (0 if most == 10 else 10)
    assert len(taken) < len(found) / 2


def test_an_engine_that_weighs_reads_so_once_it_has_machine_code(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = _files(tmp_path, Random(1), 0)
    for name in ("FIRST_LOOK", "AT_LEAST", "EACH_NODE"):
        monkeypatch.setattr(weighed_engine, name, 0)
    found = _verdicts(paths * 2, AUTO)
    assert {one.engine for one in found[len(paths):]} == {"by machine code"}
    assert found == _verdicts(paths, NATIVE) * 2


def test_lines_are_known_by_all_their_bytes(tmp_path: Path) -> None:
    """Each byte of each line of a known log is another one, once: none is taken for what it was."""
    text = b"".join(json.dumps(line).encode() + b"\n" for line in random_game("kuhn_poker", Random(4)))
    known = WholeLogs()
    rules = Rules(None, NATIVE)
    for _ in range(2):
        assert known.verdict(text, "known", rules) is not None
    assert known.followed(text, "known") is not None
    begin = text.find(b"\n")
    for at in range(begin, len(text)):
        for other in (text[at] ^ 1, text[at] ^ 0x80, 0x0A):
            if other != text[at]:
                assert known.followed(text[:at] + bytes([other]) + text[at + 1:], "known") is None, (at, other)
        assert known.followed(text[:at], "known") is None
