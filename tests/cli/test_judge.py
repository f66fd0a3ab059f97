"""`referee judge` on the command line: formats, folders, standard input, exit codes over many logs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from referee.cli.main import run
from referee.diagnostics.exit_codes import Exit

HEADER = '{"schema": "referee/log/1", "ruleset": "tic_tac_toe", "players": ["x", "o"]}\n'
MARK = '{"by": "x", "do": "mark", "with": {"cell": "b2"}}\n'
WRONG = '{"by": "o", "do": "mark", "with": {"cell": "b2"}}\n'


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """good.jsonl, wrong.jsonl (line 3) and broken.jsonl (line 2)."""
    (tmp_path / "good.jsonl").write_text(HEADER + MARK)
    (tmp_path / "wrong.jsonl").write_text(HEADER + MARK + WRONG)
    (tmp_path / "broken.jsonl").write_text(HEADER + "{\n")
    return tmp_path


def test_one_broken_log_does_not_stop_the_others(logs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["judge", str(logs)]) == Exit.LOG
    shown = capsys.readouterr().out
    assert f"{logs}/wrong.jsonl:3: illegal  mark\n" in shown
    assert shown.endswith("3 logs: 1 legal, 1 illegal, 1 unreadable\n")


def test_only_the_line_of_a_negative_verdict_begins_with_illegal(logs: Path,
                                                                capsys: pytest.CaptureFixture[str]) -> None:
    run(["judge", str(logs)])
    assert [line for line in capsys.readouterr().out.splitlines() if ": illegal" in line and line[0] != " "] == [
        f"{logs}/wrong.jsonl:3: illegal  mark"]


@pytest.mark.parametrize(
    ("names", "code"),
    [(["good"], Exit.GOOD), (["wrong"], Exit.NEGATIVE), (["broken"], Exit.LOG), (["good", "wrong"], Exit.NEGATIVE),
     (["wrong", "broken"], Exit.LOG), (["none"], Exit.LOG)],
)
def test_the_exit_code_is_the_worst_of_all_logs(names: list[str], code: Exit, logs: Path) -> None:
    assert run(["judge", *(str(logs / f"{name}.jsonl") for name in names)]) == code


def test_the_standard_input_is_a_log_too(logs: Path, project: Path) -> None:
    done = subprocess.run([sys.executable, "-m", "referee", "judge", "-"], cwd=project, capture_output=True, text=True,
                          input=(logs / "wrong.jsonl").read_text(), check=False)
    assert done.returncode == Exit.NEGATIVE
    assert ":3: illegal  mark" in done.stdout


def test_quiet_counts_legal_logs_only(logs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["judge", "--quiet", str(logs / "good.jsonl")]) == Exit.GOOD
    assert capsys.readouterr().out == "1 log: 1 legal\n"


@pytest.mark.parametrize(("form", "beginning"), [("json", "{"), ("sarif", "{"), ("junit", "<")])
def test_every_format_names_the_wrong_line(form: str, beginning: str, logs: Path,
                                           capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["judge", "--format", form, str(logs / "wrong.jsonl")]) == Exit.NEGATIVE
    shown = capsys.readouterr().out
    assert shown.startswith(beginning)
    assert "wrong.jsonl" in shown
    if form != "junit":
        json.loads(shown)


def test_a_ruleset_on_the_command_line_counts_instead_of_the_header(logs: Path, tmp_path: Path, project: Path) -> None:
    rules = tmp_path / "mine.rules"
    original = (project / "rulesets" / "classics" / "tic_tac_toe.rules").read_text("utf-8")
    rules.write_text(original)
    log = tmp_path / "other.jsonl"
    log.write_text((HEADER + MARK).replace("tic_tac_toe", "mine"))
    assert run(["judge", str(log)]) == Exit.LOG
    assert run(["judge", "--ruleset", str(rules), str(log)]) == Exit.GOOD
    assert run(["judge", "--ruleset", "nothing", str(log)]) == Exit.RULES


def test_for_somebody_who_does_not_play(logs: Path) -> None:
    assert run(["judge", "--for", "zoe", str(logs / "good.jsonl")]) == Exit.LOG


@pytest.mark.skipif(sys.platform == "win32", reason="no head there")
def test_a_reader_who_goes_away_is_no_internal_error(logs: Path, project: Path) -> None:
    many = " ".join(["wrong.jsonl"] * 2000)
    done = subprocess.run(f"{sys.executable} -m referee judge {many} | head -1", cwd=logs, shell=True,
                          capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": str(project)})
    assert done.stderr == ""
    assert done.stdout.count("\n") == 1


def test_other_values_are_tried_in_the_place_of_defaults(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """il_mister, line 4: by the reading that is the default nobody but a goalkeeper stands in goal (IT-14 IT-23)."""
    log = str(project / "rulesets/il_mister/logs/illegal/017.jsonl")
    assert run(["judge", log]) == Exit.NEGATIVE
    shown = capsys.readouterr().out
    assert "  under     reading in_goal = the_goalkeeper" in shown
    assert "tried" not in shown
    assert run(["judge", log, "--under", "--format", "json"]) == Exit.NEGATIVE
    verdict = json.loads(capsys.readouterr().out)["verdicts"][0]
    assert (verdict["line"], verdict["wrong"]["line"]) == (4, 4)
    assert {"kind": "reading", "name": "in_goal", "value": "the_goalkeeper"} in verdict["defaults"]
    assert {"settings": [{"kind": "reading", "name": "in_goal", "value": "anybody"}], "line": None} in (
        verdict["trials"]["found"])
