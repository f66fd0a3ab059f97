"""Verdicts in a folder are those of the report, and what is counted of them is told."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from referee.judge.verdict import LogOutcome
from referee.report.data.schemas import SCHEMAS
from referee.report.data.tally_data import as_data, tally_of
from referee.report.verdict_tally import MOST_NAMES, TallyEntry, VerdictTally
from tests.ledger.conftest import Told
from tests.ledger.killing import whole

Judge = Callable[..., Told]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_parts_have_the_verdicts_of_the_report(judge: Judge, jobs: str) -> None:
    code, _, _ = judge("logs", "--out", "kept", "--jobs", jobs)
    again, out, _ = judge("logs", "--format", "json")
    assert code == again == 4
    rows = [json.loads(line) for line in whole(Path("kept")).splitlines()]
    assert rows == json.loads(out)["verdicts"]
    assert len({row["path"] for row in rows}) == 40
    for row in rows:
        Draft202012Validator({**SCHEMAS["report"], **SCHEMAS["report"]["$defs"]["verdict"]}).validate(row)


def test_the_manifest_is_as_its_schema_says(judge: Judge) -> None:
    judge("logs", "--out", "kept")
    Draft202012Validator(SCHEMAS["ledger"]).validate(json.loads(Path("kept/manifest.json").read_text()))


def test_a_run_that_is_done_judges_nothing_again(judge: Judge) -> None:
    first = judge("logs", "--out", "kept")
    before = {path.name: path.stat().st_mtime_ns for path in Path("kept").glob("part-*")}
    code, out, err = judge("logs", "--out", "kept")
    assert (code, out) == first[:2]
    assert err == "40 logs have a verdict already\n"
    assert {path.name: path.stat().st_mtime_ns for path in Path("kept").glob("part-*")} == before


def test_what_no_manifest_counts_is_judged_again(judge: Judge) -> None:
    judge("logs", "--out", "kept")
    right = whole(Path("kept"))
    Path("kept/part-000099.jsonl").write_text("{}\n")
    Path("kept/part-000100.jsonl.unfinished").write_text("{")
    judge("logs", "--out", "kept")
    assert whole(Path("kept")) == right
    assert not Path("kept/part-000099.jsonl").exists()
    assert not Path("kept/part-000100.jsonl.unfinished").exists()


def test_another_number_of_processes_goes_on(judge: Judge) -> None:
    judge("logs", "--out", "kept", "--jobs", "1")
    assert judge("logs", "--out", "kept", "--jobs", "2")[0] == 4


def test_the_summary_says_what_is_broken_most(judge: Judge) -> None:
    code, out, _ = judge("logs", "--summary")
    verdicts = json.loads(judge("logs", "--format", "json")[1])["verdicts"]
    broken = Counter(one["wrong"]["rule"] or one["wrong"]["kind"] for one in verdicts if one["wrong"])
    assert code == 4
    assert f"40 logs: {sum(one['outcome'] == 'legal' for one in verdicts)} legal, 6 illegal, 1 unreadable" in out
    assert all(f"{number}  {name}" in out for name, number in broken.items())
    summary = json.loads(judge("logs", "--summary", "--format", "json")[1])
    Draft202012Validator(SCHEMAS["summary"]).validate(summary)
    assert {row["rule"]: row["logs"] for one in summary["rulesets"] for row in one["rules"]} == broken


def test_a_folder_tells_the_same_summary(judge: Judge) -> None:
    assert judge("logs", "--out", "kept", "--format", "json")[1] == judge("logs", "--summary", "--format", "json")[1]


def test_a_table_has_all_verdicts(judge: Judge) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    judge("logs", "--out", "kept")
    code, _, err = judge("logs", "--out", "kept", "--parquet")  # of verdicts that were there before
    assert (code, err) == (4, "40 logs have a verdict already\n")
    rows = parquet.read_table("kept/verdicts.parquet").to_pylist()
    verdicts = [json.loads(line) for line in whole(Path("kept")).splitlines()]
    assert [json.loads(row["verdict"]) for row in rows] == verdicts
    same = ("path", "member", "index", "outcome", "line", "players")
    assert [[row[name] for name in same] for row in rows] == [[one[name] for name in same] for one in verdicts]
    assert [row["rule"] for row in rows] == [one["wrong"] and one["wrong"]["rule"] for one in verdicts]
    assert not list(Path("kept").glob("*.unfinished"))


def test_a_name_that_is_no_text_is_written_out(judge: Judge) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    Path("odd").mkdir()
    Path("logs/00001.jsonl").rename(b"odd/\xff.jsonl".decode(errors="surrogateescape"))
    assert judge("odd", "--out", "kept", "--parquet")[0] == 0
    assert judge("odd", "--out", "kept", "--parquet")[0] == 0
    assert parquet.read_table("kept/verdicts.parquet").column("path").to_pylist() == ["odd/\\udcff.jsonl"]


def test_a_table_needs_its_library_and_a_folder(judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    assert judge("logs", "--parquet")[0] == 2
    monkeypatch.setattr("referee.report.ledger.parquet_file.find_spec", lambda name: None)
    code, _, err = judge("logs", "--out", "kept", "--parquet")
    assert code == 2
    assert "LD14 pyarrow is not installed: pip install 'referee[parquet]'" in err
    assert not Path("kept").exists()


def test_what_was_counted_comes_back() -> None:
    tally = VerdictTally()
    for number in range(MOST_NAMES + 5):
        tally.add(TallyEntry(f"name_{number}", LogOutcome.UNREADABLE, 1, False, code="LG22"))
        tally.add(TallyEntry("sticks", LogOutcome.ILLEGAL, 2, number % 2 == 0, (f"rule_{number}", ""),
                             (("take", "so many are left"),), ("S-1",)))
    data = as_data(tally)
    assert as_data(tally_of(json.loads(json.dumps(data)))) == data
    assert data["logs"] == 2 * (MOST_NAMES + 5)
    assert data["others"]["logs"] == 6
    assert data["rulesets"][0]["others"] == 5
