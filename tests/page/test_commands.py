"""The commands that write pages: the file, what they say, how they end, and what they refuse."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.cli.main import run
from tests.page.drawn import FITS, parts

HEAD = {"schema": "referee/log/1", "ruleset": "pig", "players": ["Ana", "Ben"]}
START = {"by": "fate", "do": "choose", "with": {"starter": "Ana"}}


def written(folder: Path, *lines: object) -> str:
    path = folder / "game.jsonl"
    path.write_text("".join(f"{json.dumps(one)}\n" for one in lines), encoding="utf-8")
    return str(path)


def test_show_writes_the_page_of_a_log_and_ends_as_its_verdict(tmp_path: Path,
                                                               capsys: pytest.CaptureFixture[str]) -> None:
    log, out = written(tmp_path, HEAD, START, {"by": "Ben", "do": "roll"}), tmp_path / "out.html"
    assert run(["show", log, "--html", str(out), "--for", "Ben"]) == 1
    assert "illegal, 3 steps" in capsys.readouterr().out
    page = json.loads(parts(out.read_text("utf-8"))[0])
    FITS.validate(page)
    assert (page["viewer"], page["verdict"]["wrong"]["line"]) == ("Ben", 3)
    assert str(tmp_path) not in out.read_text("utf-8")


@pytest.mark.parametrize("words", [
    ["show", "LOG", "--html", "LOG"], ["show", "LOG", "--html", "out.txt"], ["show", "pig", "--for", "Ana"],
    ["show", "LOG", "--html", "out.html", "--flow"],
])  # fmt: skip
def test_what_makes_no_page_is_refused_and_nothing_is_lost(words: list[str], tmp_path: Path,
                                                           capsys: pytest.CaptureFixture[str]) -> None:
    log = written(tmp_path, HEAD, START)
    assert run([log if word == "LOG" else word for word in words]) == 2
    assert capsys.readouterr().err
    assert json.loads(Path(log).read_text("utf-8").splitlines()[0]) == HEAD


def test_a_player_who_is_not_there_has_no_page(tmp_path: Path) -> None:
    """The page has the verdict, that the log cannot be read for him."""
    out = tmp_path / "out.html"
    assert run(["show", written(tmp_path, HEAD, START), "--html", str(out), "--for", "Cleo"]) != 0
    assert json.loads(parts(out.read_text("utf-8"))[0])["steps"] == []
