"""Reports of made-up verdicts in every format: what stands where, and that nothing from a log can forge a line."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from jsonschema import Draft202012Validator

from referee.diagnostics.diagnostic import Diagnostic
from referee.diagnostics.exit_codes import Exit
from referee.diagnostics.source import Span
from referee.judge.verdict import Assumption, Fact, FailedLine, LogOutcome, LogVerdict, Nearest, WrongKind
from referee.report.data.verdict_schema import REPORT_SCHEMA
from referee.report.text.verdict_text import text_of
from referee.report.verdict_writer import FORMATS, write

WRONG = FailedLine(
    17,
    WrongKind.ILLEGAL_MOVE,
    "attack",
    "ana may not attack with Alba",
    "attack",
    Span("rules/attack.rules", 23, 3, 23, 9),
    ("AX-30", "AX-31"),
    failed=(Fact("no shield is left", (("ben has", "1"),), ("AX-30",)), Fact("the attacker is on offense")),
    held=(Fact("the attacker is rested"),),
    nearest=(
        Nearest({"by": "ana", "do": "attack", "with": {"with": "Costa"}}, "attack with Costa", "other with"),
        Nearest({"by": "ana", "do": "end_turn"}, "end_turn", ""),
    ),
)
LATER = FailedLine(19, WrongKind.WRONG_PLAYER, "attack", "ben must attack, not ana")
WARNING = Diagnostic("LG40", "unknown key \"x\"", Span("bad.jsonl", 3, 1, 3, 2))
ILLEGAL = LogVerdict("bad.jsonl", LogOutcome.ILLEGAL, "cards", "1.0", ("ana", "ben"), 20, 19, WRONG, (LATER,), 22, 17,
                  diagnostics=(WARNING,))
LEGAL = LogVerdict(
    "good.jsonl", LogOutcome.LEGAL, "cards", "1.0", ("ana", "ben"), 9, 8, finished=True, winners=("ana",)
)
SO_FAR = LogVerdict("half.jsonl", LogOutcome.LEGAL, "cards", "1.0", ("ana", "ben"), 4, 1,
                 under=((Assumption(3, "tie", "ana", 2, "ruling"),),
                        (Assumption(1, "silver", "1..4", 2, "parameter"),)))
HOLE = LogVerdict("hole.jsonl", LogOutcome.UNKNOWN, "cards", at=5, reason="line 5 has a hole (card)")
STOPPED = LogVerdict("stop.jsonl", LogOutcome.STOPPED, "cards", at=6, reason="market.empty: nothing says what then")
BROKEN = LogVerdict("cut.jsonl", LogOutcome.UNREADABLE, at=2, reason="not JSON",
                 diagnostics=(Diagnostic("LG05", "not JSON: Expecting value", Span("cut.jsonl", 2, 8, 2, 9)),),
                 excerpts={("cut.jsonl", 2): '{"by": x}'})
ALL = [ILLEGAL, LEGAL, SO_FAR, HOLE, STOPPED, BROKEN]


def report(form: str, *verdicts: LogVerdict, quiet: bool = False) -> tuple[str, Exit]:
    out = io.StringIO()
    code = write(verdicts, form, out, quiet=quiet)
    return out.getvalue(), code


def test_an_illegal_line_as_text() -> None:
    assert text_of(ILLEGAL) == """\
bad.jsonl:17: illegal  attack  [AX-30 AX-31]
  illegal move: ana may not attack with Alba
    failed  no shield is left           ben has = 1
    failed  the attacker is on offense
    held    the attacker is rested
  rule      attack  rules/attack.rules:23
  nearest   attack with Costa (other with), end_turn
  what follows may come of line 17 alone
  after line 17: line 19, wrong player: ben must attack, not ana
  not judged from line 22 on
  error LG40  line 3: unknown key "x\""""


def test_what_the_rules_forbid_is_told_as_it_is_said() -> None:
    barred = (Fact("suit is not followed", (("led", "clubs"),), forbids=True), Fact("it is the third card"))
    free = (Fact("hearts are not broken", forbids=True), Fact("the card is open"))
    assert text_of(replace(ILLEGAL, wrong=replace(WRONG, failed=barred, held=free))).splitlines()[2:6] == [
        "    forbidden  suit is not followed   led = clubs",
        "    failed     it is the third card",
        "    not so     hearts are not broken",
        "    held       the card is open",
    ]


@pytest.mark.parametrize(("verdict", "text"), [
    (LEGAL, "good.jsonl: legal, won by ana (8 events)"),
    (SO_FAR, "half.jsonl: legal so far, not finished (1 event)\n"
             "  if        tie = ana (line 3)\n  or if     silver = 1..4"),
    (HOLE, "hole.jsonl:5: unknown: line 5 has a hole (card)"),
    (STOPPED, "stop.jsonl:6: legal up to market.empty: nothing says what then"),
    (BROKEN, "cut.jsonl:2: unreadable\n  error[LG05]: not JSON: Expecting value\n   --> cut.jsonl:2:8\n    |\n"
             '  2 | {"by": x}\n    |        ^'),
])
def test_other_verdicts_as_text(verdict: LogVerdict, text: str) -> None:
    assert text_of(verdict) == text


def test_only_negative_verdicts_begin_with_a_place_and_illegal() -> None:
    text, _ = report("text", *ALL)
    assert [line for line in text.splitlines() if re.match(r"\S+:\d+: illegal", line)] == [
        "bad.jsonl:17: illegal  attack  [AX-30 AX-31]",
    ]
    assert text.splitlines()[-1] == "6 logs: 2 legal, 1 illegal, 1 unknown, 1 stopped, 1 unreadable"


def test_a_log_cannot_forge_a_line() -> None:
    forged = "x\nother.jsonl:1: illegal\x1b[31m"
    wrong = FailedLine(2, WrongKind.UNKNOWN_ACTION, forged, forged, failed=(Fact(forged, ((forged, forged),)),))
    text = text_of(LogVerdict(forged, LogOutcome.ILLEGAL, wrong=wrong, at=2, notes=(forged,)))
    assert sum("other.jsonl:1: illegal" in line[:30] and line.startswith("other") for line in text.splitlines()) == 0
    assert "\x1b" not in text


def test_quiet_text_counts_legal_logs_only() -> None:
    text, code = report("text", LEGAL, SO_FAR, quiet=True)
    assert text == "2 logs: 2 legal\n"
    assert code is Exit.GOOD


def test_json_follows_its_schema() -> None:
    text, code = report("json", *ALL)
    data = json.loads(text)
    Draft202012Validator(REPORT_SCHEMA).validate(data)
    assert code is Exit.LOG
    first = data["verdicts"][0]
    assert (first["outcome"], first["line"], first["wrong"]["kind"], first["wrong"]["statements"]) == (
        "illegal", 17, "illegal move", ["AX-30", "AX-31"])
    assert first["wrong"]["nearest"][0]["event"]["with"] == {"with": "Costa"}
    assert [verdict["exit"] for verdict in data["verdicts"]] == [1, 0, 0, 5, 5, 4]


def test_no_logs_are_a_report_too() -> None:
    for form in FORMATS:
        text, code = report(form)
        assert text
        assert code is Exit.GOOD
    assert json.loads(report("json")[0]) == {"schema": "referee/report/1", "verdicts": []}


def test_sarif_names_kind_and_place() -> None:
    data = json.loads(report("sarif", *ALL)[0])
    (run,) = data["runs"]
    found = [(r["ruleId"], r["level"], r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
              r["locations"][0]["physicalLocation"]["region"]["startLine"]) for r in run["results"]]
    assert found == [
        ("LG40", "error", "bad.jsonl", 3), ("illegal-move", "error", "bad.jsonl", 17),
        ("unknown", "warning", "hole.jsonl", 5), ("stopped", "warning", "stop.jsonl", 6),
        ("LG05", "error", "cut.jsonl", 2),
    ]
    assert {rule["id"] for rule in run["tool"]["driver"]["rules"]} == {name for name, *_ in found}


def test_junit_has_a_case_for_each_log() -> None:
    text, _ = report("junit", *ALL, LogVerdict("a\x01<&.jsonl", LogOutcome.LEGAL))
    suite = ET.fromstring(text)[0]
    assert {key: suite.get(key) for key in ("tests", "failures", "errors", "skipped")} == {
        "tests": "7", "failures": "1", "errors": "1", "skipped": "2"}
    failure = suite[0].find("failure")
    assert failure is not None
    assert failure.get("type") == "illegal move"
    assert failure.get("message") == "bad.jsonl:17: illegal  attack  [AX-30 AX-31]"


def test_places_inside_the_current_folder_are_shown_from_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    wrong = replace(WRONG, span=Span(f"{tmp_path}/rules/a.rules", 4, 1, 4, 2))
    assert "  rule      attack  rules/a.rules:4\n" in text_of(replace(ILLEGAL, wrong=wrong))


def test_what_is_wrong_with_a_ruleset_is_said_once() -> None:
    found = (Diagnostic("NM01", "field is not known here", Span("a.rules", 4, 1, 4, 2)),)
    broken = [LogVerdict(f"{name}.jsonl", LogOutcome.NO_RULES, "cards", diagnostics=found) for name in "abc"]
    text, code = report("text", *broken)
    assert text.count("NM01") == 1
    assert "c.jsonl: no rules, as above\n" in text
    assert code is Exit.RULES
