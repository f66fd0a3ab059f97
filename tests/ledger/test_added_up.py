"""What several runs have counted is what one run counts; files behind URLs are told apart by what is said of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.judge.verdict import LogOutcome
from referee.report.data.tally_data import as_data
from referee.report.verdict_tally import MOST_NAMES, TallyEntry, VerdictTally
from tests.changed_text import changed
from tests.ledger.conftest import Told

Judge = Callable[..., Told]


def test_parts_of_the_logs_add_up_to_all(judge: Judge) -> None:
    Path("others").mkdir()
    for path in sorted(Path("logs").iterdir())[:13]:
        path.rename(Path("others") / path.name)
    judge("logs", "--out", "one")
    judge("others", "--out", "two")
    for words in ((), ("--format", "json")):
        code, out, err = judge("--summary-of", "one", "two", *words)
        assert (code, out, err) == (4, judge("logs", "others", "--summary", *words)[1], "")


def test_what_does_not_belong_together_is_told(judge: Judge) -> None:
    judge("logs", "--out", "one")
    judge("logs", "--out", "two", "--facts")
    _, out, err = judge("--summary-of", "one", "two")
    assert "80 logs" in out
    assert err.splitlines() == ["two was judged by other options than one",
                                "two has verdicts on the same files as one: they count twice"]
    assert judge("--summary-of", "one", "--out", "three")[0] == 2


def test_a_run_that_is_not_done_is_told(judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    def ended(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("referee.report.ledger.verdict_folder.LEAST", 0.0)  # what is judged counts at once
        patch.setattr("referee.report.ledger.verdict_folder.VerdictFolder.finish", ended)
        judge("logs/00001.jsonl", "--out", "one")
    code, _, err = judge("--summary-of", "one")
    assert code == 5
    assert err == "one is not done: 1 log has a verdict so far\n"


def test_names_beyond_the_most_are_counted_together() -> None:
    tallies = [VerdictTally(), VerdictTally()]
    for number in range(MOST_NAMES + 5):
        entry = TallyEntry(f"name_{number}", LogOutcome.ILLEGAL, 1, False, (f"rule_{number}", ""))
        tallies[number % 2].add(entry)
    whole = VerdictTally()
    for one in tallies:
        whole.include(one)
    data = as_data(whole)
    assert (data["logs"], data["others"]["logs"], len(data["rulesets"])) == (MOST_NAMES + 5, 5, MOST_NAMES)


def test_a_url_is_told_by_what_its_server_says(judge: Judge) -> None:
    pytest.importorskip("fsspec")
    url = Path("logs").absolute().as_uri()
    assert judge(url, "--out", "kept")[0] == 4
    stamps = [json.loads(line) for line in Path("kept/inputs.jsonl").read_text().splitlines()]
    assert {tuple(one["marks"]) for one in stamps} == {("mtime",)}
    assert {one["sha256"] for one in stamps} == {None}
    assert json.loads(Path("kept/manifest.json").read_text())["inputs"]["vague"] == 0
    assert judge(url, "--out", "kept")[2] == "40 logs have a verdict already\n"
    path = Path("logs/00003.jsonl")
    path.write_text(changed(path.read_text(), {"x": "y"}, 1))
    code, _, err = judge(url, "--out", "kept")
    assert code == 2
    assert "LD09" in err
    assert "00003.jsonl had the mtime " in err


def test_a_url_of_which_only_the_size_is_known_is_told(judge: Judge) -> None:
    fsspec = pytest.importorskip("fsspec")
    files = fsspec.filesystem("memory")
    files.pipe_file("/kept/a.jsonl", Path("logs/00001.jsonl").read_bytes())
    try:
        _, _, err = judge("memory://kept/a.jsonl", "memory://kept/none.jsonl", "--out", "kept")
        assert err == "2 URLs: at most the size is known, so a change that keeps it goes unnoticed\n"
        files.pipe_file("/kept/a.jsonl", b"{")
        assert "LD09" in judge("memory://kept/a.jsonl", "memory://kept/none.jsonl", "--out", "kept")[2]
    finally:
        files.rm("/kept", recursive=True)
