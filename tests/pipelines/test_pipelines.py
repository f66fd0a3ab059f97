"""What pipelines take: reports in the forms of other tools, hooks, the workflow, completion in a shell."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.shell_completion import BashComplete, FishComplete, ZshComplete
from jsonschema import Draft202012Validator

from referee.api.folders.first_files import make_ruleset
from referee.cli.main import COMMANDS, referee, run
from referee.diagnostics.exit_codes import Exit
from referee.frontend import names
from tests.pipelines.reported import reviewed, written

HERE = Path(__file__).parent
SARIF = json.loads((HERE / "sarif_subset.schema.json").read_text("utf-8"))
ATTRIBUTES: dict[str, tuple[set[str], set[str]]] = {
    "testsuites": (set(), set()),
    "testsuite": ({"name", "tests", "failures", "errors", "skipped"}, set()),
    "testcase": ({"classname", "name"}, set()),
    "failure": ({"message", "type"}, set()), "error": ({"message", "type"}, set()), "skipped": ({"message"}, set()),
}
"""Of JUnit's XML, as Ant and Jenkins read it: element -> attributes that it has to have, and others that it may."""
INSIDE = {"testsuites": {"testsuite"}, "testsuite": {"testcase"}, "testcase": {"failure", "error", "skipped"}}


@pytest.fixture
def logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Logs of every outcome, by the command that judges them."""
    monkeypatch.chdir(tmp_path)
    return written(tmp_path)


def test_sarif_is_as_its_schema_says(logs: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    run([*logs, "--format", "sarif"])
    found = json.loads(capsys.readouterr().out)
    Draft202012Validator(SARIF).validate(found)
    assert len(found["runs"][0]["results"]) >= 5
    ids = {rule["id"] for rule in found["runs"][0]["tool"]["driver"]["rules"]}
    assert {result["ruleId"] for result in found["runs"][0]["results"]} == ids
    Draft202012Validator.check_schema(SARIF)


def test_sarif_of_a_review_is_as_its_schema_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run([*reviewed(tmp_path), "--format", "sarif"])
    Draft202012Validator(SARIF).validate(json.loads(capsys.readouterr().out))


@pytest.mark.parametrize("damage", [
    lambda run: run.pop("tool"), lambda run: run["results"][0].pop("message"),
    lambda run: run["results"][0].update(level="fatal"), lambda run: run["results"][0].update(line=3),
])
def test_the_schema_tells_what_is_no_sarif(damage: object, logs: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    run([*logs, "--format", "sarif"])
    found = json.loads(capsys.readouterr().out)
    assert callable(damage)
    damage(found["runs"][0])
    assert not Draft202012Validator(SARIF).is_valid(found)


def test_junit_is_as_other_tools_read_it(logs: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    run([*logs, "--format", "junit"])
    text = capsys.readouterr().out
    root = ET.fromstring(text)
    assert root.tag == "testsuites"
    for element in root.iter():
        needed, more = ATTRIBUTES[element.tag]
        assert needed <= set(element.attrib) <= needed | more, element.tag
        assert {inner.tag for inner in element} <= INSIDE.get(element.tag, set())
    suite = root[0]
    for name, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        assert int(suite.attrib[name]) == len(list(suite.iter(tag))) > 0
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_each_hook_is_a_command_that_goes_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                                  project: Path) -> None:
    hooks = (project / ".pre-commit-hooks.yaml").read_text("utf-8")
    entries = re.findall(r"^  entry: referee (.+)$", hooks, re.MULTILINE)
    assert re.findall(r"^- id: (.+)$", hooks, re.MULTILINE) == ["referee-check", "referee-fmt", "referee-test"]
    make_ruleset("ours", tmp_path)
    monkeypatch.chdir(tmp_path)
    for entry in entries:
        assert run([*entry.split(), "ours/game.rules", "ours/scenarios.rules"]) == Exit.GOOD
    (tmp_path / "ours" / "scenarios.rules").write_text('scenario "x"\n  first   take 2\n  expect left = 3\n')
    assert [run([*entry.split(), "ours/game.rules", "ours/scenarios.rules"]) for entry in entries] == [
        Exit.GOOD, Exit.NEGATIVE, Exit.NEGATIVE]


def test_the_workflow_runs_the_commands_of_the_readme(project: Path) -> None:
    workflow = (project / ".github" / "workflows" / "tests.yml").read_text("utf-8")
    readme = (project / "README.md").read_text("utf-8")
    for command in (".venv/bin/pip install -e '.[test]'", ".venv/bin/python -m pytest -n 2"):
        assert f"- run: {command}\n" in workflow
        assert command in readme


@pytest.mark.parametrize("shell", [BashComplete, ZshComplete, FishComplete])
def test_a_shell_completes_commands_and_names_of_rulesets(
        shell: type[BashComplete | ZshComplete | FishComplete]) -> None:
    complete = shell(referee, {}, "referee", "_REFEREE_COMPLETE")
    assert "_REFEREE_COMPLETE" in complete.source_template % complete.source_vars()
    assert {one.value for one in complete.get_completions([], "")} == set(COMMANDS)
    assert [one.value for one in complete.get_completions(["check"], "tic")] == ["tic", "tic_tac_toe"]
    assert set(names()) <= {one.value for one in complete.get_completions(["test"], "")}
    assert "--quiet" in {one.value for one in complete.get_completions(["test", "x"], "--")}
    assert [one.value for one in complete.get_completions(["judge", "--format"], "sa")] == ["sarif"]


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_offers_names_of_rulesets() -> None:
    """By the function that it calls; `compopt`, which has it look at files, is there only while somebody types."""
    environment = {**os.environ, "_REFEREE_COMPLETE": "bash_source"}
    program = [sys.executable, "-c", "import sys; from referee.cli.main import main; sys.argv[0] = 'referee'; main()"]
    source = subprocess.run(program, env=environment, capture_output=True, text=True, check=True).stdout
    typed = f"""referee() {{ {shlex.join(program)}; }}; compopt() {{ :; }}; env() {{ local -x "${{@:1:3}}"; referee; }}
        {source}
        COMP_WORDS=(referee check tic); COMP_CWORD=2; _referee_completion referee; printf '%s ' "${{COMPREPLY[@]}}"
        COMPREPLY=(); COMP_WORDS=(referee judge --format sa); COMP_CWORD=3
        _referee_completion referee; echo "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(["bash", "-c", typed], capture_output=True, text=True, check=True)
    assert done.stdout == "tic_tac_toe sarif\n"
