"""The tutorial is so: files are written as it says, its commands run in that order and print what stands there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from referee.cli.main import run

PAGE = Path(__file__).resolve().parents[2] / "spec" / "tutorial.md"
BLOCK = re.compile(r"^```(?P<language>\w+)(?: title=\"(?P<title>[^\"]+)\")?\n(?P<text>.*?)^```$",
                   re.MULTILINE | re.DOTALL)
"""A block of the page; its title is the name of a file, and how the block changes it."""
COMMAND = re.compile(r"^\$ referee (?P<line>.*)\n(?P<printed>(?:(?!\$ ).*\n)*)", re.MULTILINE)
SO_FAR = re.compile(r"after \d+ s: ")
SHOWN = 140
"""So much of a line that is printed stands on the page."""


@dataclass(frozen=True)
class Step:
    """A block of the page."""

    language: str
    title: str
    text: str


def steps(page: str) -> Iterator[Step]:
    """All blocks of the page, from the top."""
    for found in BLOCK.finditer(page):
        yield Step(found["language"], found["title"] or "", found["text"])


def passages(text: str) -> list[str]:
    """A rules file in its passages, blank lines between them left out."""
    return [f"{part.rstrip()}\n" for part in re.split(r"\n{2,}", text)]


def head(passage: str) -> list[str]:
    """The first two words of a passage: `end as`, `play turns`."""
    return passage.split()[:2]


def write(step: Step, folder: Path) -> None:
    """Makes a file, adds to its end, or puts passages in place of those that begin with the same two words."""
    name, _, how = step.title.partition(", ")
    path = folder / name
    if how == "":
        path.write_text(step.text, "utf-8")
        return
    old, new = passages(path.read_text("utf-8")), passages(step.text)
    if how == "at the end":
        path.write_text("\n".join([*old, *new]), "utf-8")
        return
    assert how == "changed", step.title
    heads = [head(part) for part in old]
    for part in new:
        old[heads.index(head(part))] = part
    path.write_text("\n".join(old), "utf-8")


def printed(line: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What a command writes to its standard output and to the standard error, long lines cut as on the page. How far it
    has come is told only where it takes long."""
    run(line.split())
    out, err = capsys.readouterr()
    lines = (one for one in (out + err).splitlines() if not SO_FAR.match(one))
    return "".join(f"{one[:SHOWN]} …\n" if len(one) > SHOWN else f"{one}\n" for one in lines)


def test_every_step_goes_as_it_stands_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                            capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    commands = 0
    for step in steps(PAGE.read_text("utf-8")):
        if step.title:
            write(step, tmp_path)
        elif step.language == "console":
            for found in COMMAND.finditer(step.text):
                commands += 1
                assert printed(found["line"], capsys) == found["printed"], found["line"]
    assert commands >= 10


def test_all_that_stands_in_blocks_is_run() -> None:
    """No block is of a language that is passed over, and none of a session holds lines outside of commands."""
    for step in steps(PAGE.read_text("utf-8")):
        assert step.title or step.language in {"console", "sh"}, step
        if step.language == "console":
            assert COMMAND.sub("", step.text) == "", step
