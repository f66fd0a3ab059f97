"""What an installation holds: the wheel carries grammar, rulesets and the type marker; versions agree."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest

import referee
from referee.system import bundled_files


@pytest.fixture(scope="module")
def wheel(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of the project, built without the network: hatchling comes with the test extra."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index",
         "--disable-pip-version-check", "--wheel-dir", str(folder), str(project)],
        check=True, capture_output=True, stdin=subprocess.DEVNULL,
    )
    return next(folder.glob("referee-*.whl"))


def test_the_wheel_carries_grammar_and_rulesets(wheel: Path, project: Path) -> None:
    names = set(ZipFile(wheel).namelist())
    wanted = {
        f"referee/_bundled/{path.relative_to(project).as_posix()}"
        for folder in ("grammar", "rulesets") for path in (project / folder).rglob("*")
        if path.is_file() and path.suffix in {".lark", ".rules", ".jsonl", ".toml", ".json", ".md"}
    }
    assert wanted
    assert wanted <= names
    assert {"referee/review/questions/words/english.toml", "referee/page/static/page.css"} <= names


def test_the_wheel_is_typed_and_carries_no_tests(wheel: Path) -> None:
    names = ZipFile(wheel).namelist()
    assert "referee/py.typed" in names
    assert not [name for name in names if name.startswith(("tests/", "referee/editors/vscode/"))]
    assert "referee/editors/server.py" in names


def test_the_wheel_has_the_version_of_the_package(wheel: Path) -> None:
    assert wheel.name.startswith(f"referee-{referee.__version__}-")


def test_an_installed_wheel_judges_by_the_rules_it_carries(wheel: Path, project: Path, tmp_path: Path) -> None:
    installed = tmp_path / "installed"
    ZipFile(wheel).extractall(installed)
    (tmp_path / "game.jsonl").write_bytes((project / "tests/foreign/kuhn_poker/right/000.jsonl").read_bytes())
    run = subprocess.run([sys.executable, "-m", "referee", "judge", "game.jsonl"], cwd=tmp_path, capture_output=True,
                         text=True, check=False, env={**os.environ, "PYTHONPATH": str(installed)})
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.startswith("game.jsonl: legal")


def test_a_checkout_finds_grammar_and_rulesets_beside_the_package(project: Path) -> None:
    assert bundled_files.grammar_path() == project / "grammar" / "referee.lark"
    assert bundled_files.rulesets_root() == project / "rulesets"


def test_the_continuous_integration_runs_the_test_command_of_the_readme(project: Path) -> None:
    command = (project / ".ci" / "run").read_text("utf-8").splitlines()[-1].split("/bin/")[1].replace(chr(34), "")
    assert command in (project / "README.md").read_text("utf-8")


def test_the_console_script_exists(project: Path) -> None:
    scripts = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]
    module, name = scripts["referee"].split(":")
    assert callable(getattr(__import__(module, fromlist=[name]), name))
