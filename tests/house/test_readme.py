"""The README says what is so: its example is run literally, its set-up is two commands, its doors lead somewhere.

The changelog beside it is a list to look something up in."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee.cli.main import COMMANDS, run
from referee.diagnostics.exit_codes import Exit
from referee.frontend import names


@pytest.fixture(scope="module")
def readme(project: Path) -> str:
    return (project / "README.md").read_text("utf-8")


def test_the_example_is_literally_so(readme: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                     capsys: pytest.CaptureFixture[str]) -> None:
    rules, log, session = re.findall(r"```\n(.*?)```", readme, re.DOTALL)
    (tmp_path / "sticks.rules").write_text(rules)
    (tmp_path / "game.jsonl").write_text(log)
    monkeypatch.chdir(tmp_path)
    command, _, verdict = session.partition("\n")
    assert run(command.removeprefix("$ referee ").split()) == Exit.NEGATIVE
    assert capsys.readouterr().out == verdict
    assert run(["check", "sticks.rules"]) == Exit.GOOD
    assert run(["fmt", "--check", "sticks.rules"]) == Exit.GOOD


def test_set_up_is_two_commands(readme: str, project: Path) -> None:
    section = readme.split("## Set up")[1].split("\n## ")[0]
    install, test = re.findall(r"^    (\S.*)$", section, re.MULTILINE)
    assert install.startswith("python3 -m venv .venv && .venv/bin/pip install -e . && .venv/bin/referee judge ")
    assert (project / install.split()[-1]).is_dir()
    assert test == ".venv/bin/pip install -e '.[test]' && .venv/bin/python -m pytest -n 2"


def test_every_command_and_every_game_is_named(project: Path) -> None:
    page = (project / "spec" / "commands.md").read_text("utf-8")
    assert set(re.findall(r"^\| `referee (\w+)", page, re.MULTILINE)) == set(COMMANDS)
    assert all(f"`{name}`" in page for name in names())


def test_each_change_is_short_and_stands_once_under_a_heading(project: Path) -> None:
    text = (project / "CHANGELOG.md").read_text("utf-8")
    for version in text.split("\n## ")[1:]:
        assert "\n- " not in version.partition("\n### ")[0]
        headings = re.findall(r"^### .*$", version, re.MULTILINE)
        assert len(headings) == len(set(headings))
    changes = re.split(r"\n+(?=- |#)", text)
    assert [change for change in changes if len(change) > 360] == []
    assert len(changes) == len(set(changes))


def test_doors_lead_somewhere(readme: str, project: Path) -> None:
    links = re.findall(r"\]\(([^)]+)\)", readme)
    assert [link for link in links if not (project / link).is_file()] == []
    assert f"; {len(names())} games come along" in readme
    assert set(re.findall(r"`referee (\w+)", readme)) <= set(COMMANDS)
