"""Logs judged through the library: every form of a log, the fields of the report, errors with codes."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import FrozenInstanceError, fields
from pathlib import Path
from re import sub
from threading import Lock, Thread
from typing import Any

import jsonschema
import pytest

import referee
from referee.report.data.verdict_schema import REPORT_SCHEMA

RULES = Path(__file__).parent / "rules"
HEAD: dict[str, Any] = {"schema": "referee/log/1", "ruleset": "sticks", "players": ["Ana", "Ben"]}
WRONG: list[dict[str, Any]] = [
    HEAD, {"by": "Ana", "do": "take", "with": {"sticks": 3}}, {"by": "Ben", "do": "take", "with": {"sticks": 3}},
    {"by": "Ana", "do": "take", "with": {"sticks": 2}},
]


@pytest.fixture(scope="module")
def sticks() -> referee.Ruleset:
    return referee.load(RULES / "sticks.rules")


def text_of(lines: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(line) + "\n" for line in lines)


def test_the_text_of_a_log_is_not_taken_for_a_path(sticks: referee.Ruleset) -> None:
    text = text_of(WRONG)
    with pytest.raises(referee.ArgumentError, match=r"text\.splitlines"):
        sticks.judge(text)
    assert sticks.judge(text.splitlines()).outcome == "illegal"


def test_a_log_is_the_same_in_every_form(sticks: referee.Ruleset, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text(text_of(WRONG))
    with path.open() as text, path.open("rb") as raw:
        forms: list[Any] = [path, str(path), text, raw, WRONG, text_of(WRONG).splitlines(), io.StringIO(text_of(WRONG)),
                            iter(WRONG), [line.encode() for line in text_of(WRONG).splitlines()]]
        found = [sticks.judge(form) for form in forms]
    assert {(one.outcome, one.line, one.wrong.failed[0].text if one.wrong else "") for one in found} == {
        ("illegal", 4, "so many are left")}


def test_a_verdict_has_the_fields_of_the_report(sticks: referee.Ruleset) -> None:
    verdict = sticks.judge(WRONG)
    data = verdict.data()
    jsonschema.validate({"schema": "referee/report/1", "verdicts": [data]}, REPORT_SCHEMA)
    described = REPORT_SCHEMA["$defs"]["verdict"]["properties"]
    public = {field.name.rstrip("_") for field in fields(verdict) if not field.name.startswith("_")}
    assert set(data) == set(described) == public
    assert data["wrong"]["nearest"][0]["event"] == {"by": "Ana", "do": "take", "with": {"sticks": 1}}
    assert not verdict
    assert "so many are left" in str(verdict)


def test_a_verdict_cannot_be_changed(sticks: referee.Ruleset) -> None:
    verdict = sticks.judge(WRONG)
    with pytest.raises(FrozenInstanceError):
        verdict.outcome = "legal"  # type: ignore[misc]
    assert verdict.wrong is not None
    with pytest.raises(TypeError):
        verdict.wrong.nearest[0].event["by"] = "Ben"  # type: ignore[index]


def test_many_logs_by_processes_are_judged_as_by_one(sticks: referee.Ruleset, tmp_path: Path) -> None:
    for number in range(5):
        (tmp_path / f"{number}.jsonl").write_text(text_of(WRONG[:2 + number % 3]))
    (tmp_path / "bad.jsonl").write_text("no log")
    paths = sorted(tmp_path.glob("*.jsonl"))
    seen: list[int] = []
    alone = list(sticks.judge_many(paths, jobs=1, progress=seen.append))
    assert list(sticks.judge_many(paths, jobs=2)) == alone
    assert seen == [1, 2, 3, 4, 5, 6]
    assert [one.outcome for one in alone] == ["legal", "legal", "illegal", "legal", "legal", "unreadable"]


def test_judging_many_logs_stops_when_it_is_asked_to(sticks: referee.Ruleset) -> None:
    found = sticks.judge_many([WRONG, WRONG], cancel=iter([False, True]).__next__)
    assert next(found).outcome == "illegal"
    with pytest.raises(referee.Cancelled) as error:
        next(found)
    assert error.value.code == "AP08"


class Breaking:
    """A file object that breaks off after a line."""

    def __init__(self, why: Exception, lines: list[str]) -> None:
        self._why = why
        self._lines = lines

    def readline(self, _limit: int = -1) -> str:
        if not self._lines:
            raise self._why
        return self._lines.pop(0)


@pytest.mark.parametrize(("log", "kind", "code"), [
    (Breaking(ConnectionResetError(104, "gone"), [text_of([HEAD])]), referee.LogError, "LG01"),
    (Breaking(RuntimeError("odd"), []), referee.LogError, "LG01"),
    (Breaking(EOFError(), [3]), referee.LogError, "LG01"),  # type: ignore[list-item]
    ("no/such/file.jsonl", referee.LogError, "LG01"), ("-", referee.LogError, "LG01"), ("\0", referee.LogError, "LG01"),
    (7, referee.ArgumentError, "AP01"), ([7], referee.ArgumentError, "AP01"), (None, referee.ArgumentError, "AP01"),
    ([{"by": object()}], referee.ArgumentError, "AP01"), ([], referee.LogError, "LG03"),
    (["{"], referee.LogError, "LG05"),
    ([{**HEAD, "players": ["Ana"]}], referee.LogError, "LG18"),
    ([{**HEAD, "options": {"x": "y"}}], referee.LogError, "LG19"), (b"raw", referee.ArgumentError, "AP01"),
], ids=lambda one: sub(r" at 0x\w+", "", str(one)))  # the same in every process
def test_what_is_no_log_is_an_error_with_a_code(
    sticks: referee.Ruleset, log: Any, kind: type[referee.RefereeError], code: str
) -> None:
    with pytest.raises(kind) as error:
        sticks.judge(log)
    assert error.value.code == code
    assert code in str(error.value)
    assert kind is referee.ArgumentError or error.value.span is not None


@pytest.mark.parametrize("how", [{"for_": 3}, {"timeout": 0}, {"timeout": "1"}, {"engine": "steam"}], ids=str)
def test_options_that_make_no_sense_are_refused(sticks: referee.Ruleset, how: dict[str, Any]) -> None:
    with pytest.raises(referee.ArgumentError):
        sticks.judge(WRONG, **how)


def test_a_viewer_who_does_not_play_is_an_error(sticks: referee.Ruleset) -> None:
    with pytest.raises(referee.LogError) as error:
        sticks.judge(WRONG, for_="Cleo")
    assert error.value.code == "LG25"


def test_several_threads_get_the_same_verdicts(sticks: referee.Ruleset) -> None:
    found: list[referee.Verdict] = []
    threads = [Thread(target=lambda: found.extend(sticks.judge(WRONG) for _ in range(10))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 40
    assert len({str(one) for one in found}) == 1


def test_a_verdict_shows_itself_without_running_what_is_in_it(sticks: referee.Ruleset) -> None:
    nasty = "<script>alert(1)</script>"
    verdict = sticks.judge([HEAD, {"by": nasty, "do": nasty}])
    assert "<script" not in verdict._repr_html_()
    assert "&lt;script&gt;" in verdict._repr_html_()
    page = verdict.html()
    assert page.startswith("<!DOCTYPE html>")
    assert nasty not in page
    assert "Content-Security-Policy" in page


Cancellable = Callable[[referee.Ruleset, list[str], Callable[[], bool]], object]


@pytest.mark.parametrize(("call", "before"), [
    (lambda rules, log, cancel: rules.judge(log, cancel=cancel), 0),
    (lambda rules, log, cancel: rules.judge(log, facts=True, cancel=cancel), 3),
    (lambda rules, log, cancel: rules.together([log, log], cancel=cancel), 3),
    (lambda rules, log, cancel: rules.redact(log, "Ana", cancel=cancel), 3),
    (lambda rules, log, cancel: rules.explain(log, 20, cancel=cancel), 3),
])
def test_a_single_call_can_be_cancelled(call: Cancellable, before: int) -> None:
    """It is asked now and then; once it says so the call ends, and the next one goes on as ever."""
    rules = referee.load("breakthrough")
    game = rules.new_game(["Ana", "Ben"], seed=1)
    game.play_out(max_events=40)
    log, asked = list(game.log()), list[bool]()

    def cancel() -> bool:
        asked.append(len(asked) >= before)
        return asked[-1]

    with pytest.raises(referee.Cancelled) as error:
        call(rules, log, cancel)
    assert error.value.code == "AP08"
    assert asked == [False] * before + [True]
    assert rules.judge(log).outcome == "legal"
    call(rules, log, lambda: False)


def test_two_threads_never_ask_z3_at_once(sticks: referee.Ruleset, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its main context is shared: judging by it waits, proofs of a review are made in processes."""
    z3 = pytest.importorskip("z3")
    game = sticks.new_game(["Ana", "Ben"], seed=1)
    game.play_out()
    check, free, asked, together = z3.Solver.check, Lock(), list[object](), list[object]()

    def watched(solver: object, *conditions: object) -> object:
        if not free.acquire(blocking=False):
            together.append(solver)
            return check(solver, *conditions)
        try:
            asked.append(solver)
            return check(solver, *conditions)
        finally:
            free.release()

    monkeypatch.setattr(z3.Solver, "check", watched)
    calls: list[Callable[[], object]] = [
        *[lambda: sticks.judge(game.log(), engine="solver")] * 4,
        lambda: sticks.review(games=2, positions=50, proofs=True, timeout=10),
    ]
    threads = [Thread(target=call) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert asked
    assert together == []
