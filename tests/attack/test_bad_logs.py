"""Logs that are broken or meant to do harm: each is answered with a code, a place and the right exit code, in time."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.attack.bounded import complains, run
from tests.changed_text import changed

HEADER = '{"schema": "referee/log/1", "ruleset": "tic_tac_toe", "players": ["x", "o"]}\n'
MARK = '{"by": "x", "do": "mark", "with": {"cell": "b2"}}\n'
UNREADABLE = 4
ILLEGAL = 1


def header(**entries: object) -> str:
    whole = {"schema": "referee/log/1", "ruleset": "tic_tac_toe", "players": ["x", "o"], **entries}
    return json.dumps(whole) + "\n"


def judged(folder: Path, content: str | bytes) -> Callable[[int, str, int], None]:
    """Writes a log, judges it, and gives a check of exit code, diagnostic code and line."""
    (folder / "game.jsonl").write_bytes(content if isinstance(content, bytes) else content.encode())
    ending = run(folder, "judge", "game.jsonl")
    return lambda exit_code, code, line: complains(ending, exit_code, code, f"game.jsonl:{line}")


def deep(opening: str, closing: str, levels: int = 100_000) -> str:
    return opening * levels + closing * levels


UNREADABLE_LOGS: dict[str, tuple[str | bytes, str, int]] = {
    "empty": ("", "LG03", 1),
    "nothing but blank lines": ("\n\n\n", "LG03", 1),
    "binary": (bytes(range(256)) * 100, "LG02", 1),
    "binary after a while": (HEADER.encode() + MARK.encode() + b"\x00\xff\xfe\n", "LG02", 3),
    "half a surrogate pair": (HEADER + '{"by": "x", "do": "\\ud800", "with": {}}\n', "LG02", 2),
    "another encoding": (HEADER.encode("utf-16"), "LG02", 1),
    "lists nested deep": (HEADER + deep("[", "]") + "\n", "LG06", 2),
    "objects nested deep": (HEADER + '{"with": ' + deep('{"a":', "}") + "}\n", "LG06", 2),
    "nested deep and never closed": (HEADER + "[" * 100_000 + "\n", "LG06", 2),
    "a header nested deep": ('{"schema": ' + deep("[", "]") + "}\n", "LG06", 1),
    "not a number": (HEADER + '{"by": "x", "do": "mark", "with": {"cell": NaN}}\n', "LG08", 2),
    "infinity": (HEADER + '{"by": "x", "do": "mark", "with": {"cell": -Infinity}}\n', "LG08", 2),
    "a number beyond floats": (HEADER + '{"by": "x", "do": "mark", "with": {"cell": 1e999}}\n', "LG08|LG09", 2),
    "the same key twice": (HEADER + '{"by": "x", "by": "o", "do": "mark", "with": {}}\n', "LG07", 2),
    "the same argument twice": (
        HEADER + '{"by": "x", "do": "mark", "with": {"cell": "a1", "cell": "b1"}}\n', "LG07", 2),
    "10,000 digits": (HEADER + '{"by": "x", "do": "mark", "with": {"cell": ' + "9" * 10_000 + "}}\n", "LG09", 2),
    "10,000 digits in a score": (HEADER + '{"end": {"scores": {"x": -' + "9" * 10_000 + "}}}\n", "LG09", 2),
    "the last line cut off": (HEADER + MARK + '{"by": "o", "do": "ma', "LG11", 3),
    "a header cut off": (HEADER[:30], "LG05|LG11", 1),
    "a line that is no JSON": (HEADER + "x marks b2\n", "LG05", 2),
    "a line that is no object": (HEADER + "[1, 2]\n", "LG10", 2),
    "two objects on a line": (HEADER + MARK.strip() + " " + MARK, "LG05", 2),
    "no header": (MARK, "LG12", 1),
    "a schema from the future": (header(schema="referee/log/99"), "LG13", 1),
    "a ruleset that nobody knows": (header(ruleset="tic_tac_tow"), "LG22", 1),
    "a path for a ruleset": (header(ruleset="../../../../etc/passwd"), "LG14", 1),
    "an absolute path for a ruleset": (header(ruleset="/etc/passwd"), "LG14", 1),
    "a backslash path for a ruleset": (header(ruleset="..\\rulesets"), "LG14", 1),
    "a ruleset with a zero byte": (header(ruleset="tic\u0000tac"), "LG14", 1),
    "a very long ruleset": (header(ruleset="a" * 100_000), "LG14|LG22", 1),
    "a number for a ruleset": (header(ruleset=7), "LG\\d\\d", 1),
    "one player": (header(players=["x"]), "LG18", 1),
    "no player": (header(players=[]), "LG1[58]", 1),
    "three players": (header(players=["x", "o", "z"]), "LG18", 1),
    "100,000 players": (header(players=[f"p{i}" for i in range(100_000)]), "LG18", 1),
    "the same player twice": (header(players=["x", "x"]), "LG17", 1),
    "a reserved name": (header(players=["x", "fate"]), "LG16", 1),
    "numbers for players": (header(players=[1, 2]), "LG15", 1),
    "a text for players": (header(players="xo"), "LG15", 1),
    "an option that there is not": (header(options={"torus": True}), "LG19", 1),
    "a reading that there is not": (header(readings={"first": "o"}), "LG19", 1),
    "a parameter that there is not": (header(parameters={"size": 10**9}), "LG19", 1),
    "by a number": (HEADER + '{"by": 5, "do": "mark", "with": {"cell": "b2"}}\n', "LG24", 2),
    "doing a list": (HEADER + '{"by": "x", "do": ["mark"], "with": {}}\n', "LG24", 2),
    "with a list": (HEADER + '{"by": "x", "do": "mark", "with": ["b2"]}\n', "LG24", 2),
    "a line without any known key": (HEADER + '{"x": "b2"}\n', "LG23", 2),
    "a line that is two things": (HEADER + '{"by": "x", "do": "mark", "end": {}}\n', "LG23", 2),
    "an action of 100,000 letters": (HEADER + '{"by": "x", "do": "' + "m" * 100_000 + '"}\n', "LG24", 2),
    "scores that are texts": (HEADER + '{"end": {"scores": {"x": "1"}}}\n', "LG24", 2),
}


@pytest.mark.parametrize("name", UNREADABLE_LOGS)
def test_a_log_that_cannot_be_read(tmp_path: Path, name: str) -> None:
    content, code, line = UNREADABLE_LOGS[name]
    judged(tmp_path, content)(UNREADABLE, code, line)


ILLEGAL_LOGS: dict[str, tuple[str, str, int]] = {
    "an unknown action": ('{"by": "x", "do": "marc", "with": {"cell": "b2"}}\n', "marc", 2),
    "an action that draws on the terminal": ('{"by": "x", "do": "\\u001b[2J\\u001b]0;title\\u0007"}\n', "illegal", 2),
    "a huge number": ('{"by": "x", "do": "mark", "with": {"cell": 999999999999999999}}\n', "cell", 2),
    "an object for a cell": ('{"by": "x", "do": "mark", "with": {"cell": {"b": 2}}}\n', "cell", 2),
    "null for a cell": ('{"by": "x", "do": "mark", "with": {"cell": null}}\n', "cell", 2),
    "markup for a cell": ('{"by": "x", "do": "mark", "with": {"cell": "[bold]b2[/oops]"}}\n', "cell", 2),
    "10,000 arguments": (
        json.dumps({"by": "x", "do": "mark", "with": {f"a{i}": i for i in range(10_000)}}) + "\n", "a0", 2),
    "undo of everything": (MARK + '{"undo": 999999999}\n', "undo", 3),
}


@pytest.mark.parametrize("name", ILLEGAL_LOGS)
def test_a_log_that_is_illegal(tmp_path: Path, name: str) -> None:
    lines, word, line = ILLEGAL_LOGS[name]
    (tmp_path / "game.jsonl").write_text(HEADER + lines, encoding="utf-8")
    ending = run(tmp_path, "judge", "game.jsonl")
    complains(ending, ILLEGAL, word, f"game.jsonl:{line}: illegal")
    assert "\x1b" not in ending.text


@pytest.mark.parametrize("claim", [
    "(" * 20_000 + "1" + ")" * 20_000, "1" + " + 1" * 50_000, "number of " * 5000, "not " * 50_000 + "yes", "", "\x00",
    "9" * 5000, "the Mark in grid", 'import os; os.system("true")', "number of grid\n  end",
], ids=["brackets", "terms", "number of", "not", "empty", "zero", "digits", "several", "Python", "two lines"])
def test_a_claim_that_makes_no_sense(tmp_path: Path, claim: str) -> None:
    (tmp_path / "game.jsonl").write_text(HEADER + json.dumps({"assert": {claim: 1}}) + "\n", encoding="utf-8")
    ending = run(tmp_path, "judge", "game.jsonl")
    assert ending.code in {ILLEGAL, UNREADABLE}, ending.text[:3000]
    assert "game.jsonl:2" in ending.text


@pytest.mark.parametrize("line", [1, 2])
def test_100_megabytes_on_one_line(tmp_path: Path, line: int) -> None:
    path = tmp_path / "game.jsonl"
    with path.open("wb") as file:
        if line == 2:
            file.write(HEADER.encode())
        file.write(b'{"by": "')
        for _ in range(100):
            file.write(b"x" * (1 << 20))
        file.write(b'"}\n')
    ending = run(tmp_path, "judge", "game.jsonl")
    path.unlink()
    complains(ending, UNREADABLE, "LG04", f"game.jsonl:{line}")


def test_a_directory(tmp_path: Path) -> None:
    (tmp_path / "game.jsonl").mkdir()
    complains(run(tmp_path, "judge", "game.jsonl"), UNREADABLE, "LG01", "game.jsonl")


def test_no_such_file(tmp_path: Path) -> None:
    complains(run(tmp_path, "judge", "game.jsonl"), UNREADABLE, "LG01", "game.jsonl")


def test_an_endless_file(tmp_path: Path) -> None:
    (tmp_path / "game.jsonl").symlink_to("/dev/zero")
    complains(run(tmp_path, "judge", "game.jsonl"), UNREADABLE, "LG0[1-4]", "game.jsonl")


@pytest.mark.parametrize(("content", "code"), [
    (b"\xef\xbb\xbf" + HEADER.encode() + MARK.encode(), "LG41"),
    ((HEADER + MARK).replace("\n", "\r\n").encode(), "legal so far"),
    ((HEADER + "\n" * 100_000 + MARK).encode(), "LG42"),
    ((HEADER + changed(MARK, {"}}": '}, "colour": "red"}'})).encode(), "LG40"),
    ((HEADER + MARK).encode()[:-1], "legal so far"),
], ids=["byte order mark", "CRLF", "blank lines", "unknown key", "no line end"])
def test_odd_but_readable(tmp_path: Path, content: bytes, code: str) -> None:
    (tmp_path / "game.jsonl").write_bytes(content)
    ending = run(tmp_path, "judge", "game.jsonl")
    assert ending.code == 0, ending.text[:3000]
    assert code in ending.text, ending.text[:3000]


def test_100_000_wrong_lines_are_not_100_000_complaints(tmp_path: Path) -> None:
    (tmp_path / "game.jsonl").write_text(HEADER + MARK * 100_000, encoding="utf-8")
    complains(run(tmp_path, "judge", "game.jsonl"), ILLEGAL, "wrong player", "game.jsonl:3: illegal")


def test_one_broken_log_does_not_stop_the_others(tmp_path: Path) -> None:
    (tmp_path / "1.jsonl").write_text(HEADER + MARK, encoding="utf-8")
    (tmp_path / "2.jsonl").write_bytes(b"\xff")
    (tmp_path / "3.jsonl").write_text(header(ruleset="no_such_game"), encoding="utf-8")
    (tmp_path / "4.jsonl").write_text(HEADER + MARK + MARK, encoding="utf-8")
    (tmp_path / "6.jsonl").write_text(HEADER + MARK, encoding="utf-8")
    ending = run(tmp_path, "judge", *(f"{i}.jsonl" for i in range(1, 7)))
    complains(ending, UNREADABLE, "LG02", "2.jsonl:1")
    complains(ending, UNREADABLE, "LG22", "3.jsonl:1")
    complains(ending, UNREADABLE, "LG01", "5.jsonl")
    complains(ending, UNREADABLE, "wrong player", "4.jsonl:3: illegal")
    assert "1.jsonl" in ending.text
    assert "6.jsonl" in ending.text
