"""Games made and judged by another program are judged the same by us: right ones legal, damaged ones at their line."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
GAMES = sorted(path.name for path in HERE.iterdir() if (path / "right").is_dir())
ILLEGAL = re.compile(r"^(?P<path>.+?):(?P<line>\d+): illegal\b", re.MULTILINE)


def judge(project: Path, logs: list[Path]) -> tuple[int, dict[str, int], str]:
    """Exit code, file -> line called illegal, and everything printed."""
    paths = [str(path.relative_to(project)) for path in logs]
    done = subprocess.run([sys.executable, "-m", "referee", "judge", *paths], cwd=project, capture_output=True,
                          text=True, check=False)
    found = [(match["path"].rsplit("/", 1)[-1], int(match["line"])) for match in ILLEGAL.finditer(done.stdout)]
    assert len(dict(found)) == len(found), "more than one verdict for a log"
    return done.returncode, dict(found), done.stdout + done.stderr


def test_there_are_forty_of_each() -> None:
    assert len(GAMES) == 5
    for game in GAMES:
        assert len(list((HERE / game / "right").glob("*.jsonl"))) == 40
        assert len(list((HERE / game / "damaged").glob("*.jsonl"))) == 40


@pytest.mark.parametrize("game", GAMES)
def test_right_logs_are_legal(game: str, project: Path) -> None:
    code, illegal, text = judge(project, sorted((HERE / game / "right").glob("*.jsonl")))
    assert illegal == {}, text
    assert code == 0, text


@pytest.mark.parametrize("game", GAMES)
def test_damaged_logs_are_illegal_at_the_line_of_the_damage(game: str, project: Path) -> None:
    folder = HERE / game / "damaged"
    expected = json.loads((folder / "expected.json").read_text("utf-8"))
    code, illegal, text = judge(project, [folder / name for name in sorted(expected)])
    assert illegal == {name: entry["first_wrong_line"] for name, entry in expected.items()}, text
    assert code == 1, text
