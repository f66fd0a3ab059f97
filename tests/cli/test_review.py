"""`referee review` on the command line: formats, acceptance, what is left undone, exit codes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from referee.cli.main import run
from referee.core.ruleset import Accepted
from referee.core.stmt import Origin
from referee.diagnostics.exit_codes import Exit
from referee.diagnostics.source import Span
from referee.report.data.schemas import SCHEMAS
from referee.review import review as reviews
from referee.review.detectors import DETECTORS, Detector
from referee.review.finding import Finding, FindingOutcome
from referee.review.review import Review
from referee.review.subject import ReviewEffort, Subject
from referee.system.deadline import OutOfTime
from tests.changed_text import changed

STICKS = """game "Sticks" for 2 players first and second

counters
  taken: 0..7

play
  turns from first, to the left
    turn player must take

action take(sticks: 2..3)
  needs "so many are left": taken + sticks <= 7
  raise taken by sticks
  if taken = 7: opponent wins
"""
ACCEPTED = 'accept "gap-move/play.take" because "then the table says who has won"\n'
SHOWN = """found[gap-move]: somebody must act and can do nothing
 --> sticks.rules:8:5
  |
8 |     turn player must take
  |     ^^^^^^^^^^^^^^^^^^^^^
  = note: take: so many are left
  = game: 2 events (no game is shorter)
  | 1  first  take sticks 3
  | 2  second  take sticks 3
  = position: after these events (all cards open)
  |   turn: first
  |   taken: 6
  = settle: an option that is always possible, or `may`
  = id: gap-move/play.take (2 players)
"""


@pytest.fixture(autouse=True)
def sticks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ruleset with one flaw, in the current folder."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "sticks.rules"
    path.write_text(STICKS, encoding="utf-8")
    return path


def test_a_finding_is_told_like_a_compiler_error_with_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["review", "sticks.rules"]) == Exit.NEGATIVE
    shown = capsys.readouterr().out
    assert SHOWN in shown
    table, _, _ = shown.partition(SHOWN)
    assert "gap-move               found           1\n" in table
    assert "gap-case               proved absent   all 5 positions\n" in table
    assert shown.endswith("\n1 finding\n")


def test_what_is_accepted_with_a_reason_is_no_finding(sticks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sticks.write_text(STICKS + "\n" + ACCEPTED, encoding="utf-8")
    assert run(["review", "sticks.rules"]) == Exit.GOOD
    shown = capsys.readouterr().out
    assert "found[" not in shown
    assert "gap-move               found           1, 1 accepted\n" in shown
    assert "accepted  gap-move/play.take: then the table says who has won\n" in shown


def test_an_acceptance_of_what_is_not_there_is_stale(sticks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sticks.write_text(changed(STICKS, {"2..3": "1..3"}) + "\n" + ACCEPTED, encoding="utf-8")
    assert run(["review", "sticks.rules"]) == Exit.NEGATIVE
    told = "stale     gap-move/play.take is accepted at sticks.rules:15, and nothing like it was found\n"
    assert told in capsys.readouterr().out
    assert run(["review", "sticks.rules", "--only", "dead"]) == Exit.GOOD  # it was not looked for
    few = ["--positions", "0", "--games", "2"]
    assert run(["review", "sticks.rules", "--only", "gap-move", *few]) == Exit.GOOD  # it may be there all the same


def test_for_some_numbers_of_players_only_nothing_is_stale() -> None:
    """What is accepted may be there for another number of players."""
    accepted = Accepted("gap-move/play.take", "then the table says who has won", Origin(Span("s", 1, 1, 1, 2)))
    whole = Review("sticks", (2,), tuple(DETECTORS), (), {accepted.id: accepted}, ReviewEffort())
    assert (whole.stale, whole.exit) == ((accepted,), Exit.NEGATIVE)
    narrowed = replace(whole, narrowed=True)
    assert (narrowed.stale, narrowed.exit) == ((), Exit.GOOD)


def test_json_is_as_the_schema_says_and_holds_the_log(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["review", "sticks.rules", "--format", "json"]) == Exit.NEGATIVE
    data = json.loads(capsys.readouterr().out)
    Draft202012Validator(SCHEMAS["review"]).validate(data)
    (flaw,) = [one for one in data["findings"] if one["outcome"] == "found"]
    assert flaw["id"] == "gap-move/play.take"
    assert [line["by"] for line in flaw["game"]["log"][1:]] == ["first", "second"]


def test_sarif_points_at_the_line_and_suppresses_what_is_accepted(
    sticks: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sticks.write_text(STICKS + "\n" + ACCEPTED, encoding="utf-8")
    run(["review", "sticks.rules", "--format", "sarif"])
    (result,) = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    assert result["ruleId"] == "gap-move"
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 8
    assert result["message"]["text"].endswith("; to settle it: an option that is always possible, or `may`")
    assert result["suppressions"][0]["justification"] == "then the table says who has won"


def test_the_game_is_written_as_a_log_that_can_be_judged(capsys: pytest.CaptureFixture[str]) -> None:
    run(["review", "sticks.rules", "--out", "games"])
    capsys.readouterr()
    assert run(["judge", "--ruleset", "sticks.rules", "games"]) == Exit.OPEN
    assert "legal up to play.take" in capsys.readouterr().out


def test_games_that_are_there_are_overwritten_only_by_force(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["review", "sticks.rules", "--games", "20", "--positions", "0", "--out", str(tmp_path / "kept")]
    found = run(words)
    (log,) = (tmp_path / "kept").iterdir()
    written = log.read_text()
    log.write_text("older")
    capsys.readouterr()
    assert run(words) == Exit.USAGE
    told = capsys.readouterr()
    assert f"{log} is there already" in told.err
    assert not told.out
    assert log.read_text() == "older"
    assert run([*words, "--force"]) == found
    assert log.read_text() == written


def test_the_same_seed_finds_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    told = []
    for _ in range(2):
        run(["review", "sticks.rules", "--positions", "0", "--games", "20", "--seed", "7"])
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]
    assert "minimised: no event can be left out" in told[0]


def test_there_is_no_such_class(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["review", "sticks.rules", "--only", "gaps"]) == Exit.USAGE
    assert "there is no class gaps" in capsys.readouterr().err


def test_strict_wants_proofs(capsys: pytest.CaptureFixture[str]) -> None:
    few = ["review", "sticks.rules", "--only", "no-end", "--positions", "0", "--games", "5"]
    assert run(few) == Exit.GOOD
    assert run([*few, "--strict"]) == Exit.OPEN
    assert "not found       5 games" in capsys.readouterr().out


def only(monkeypatch: pytest.MonkeyPatch, stopped_by: BaseException) -> None:
    """A review of two checks, the first of which is stopped after its first finding."""

    def find(_: Subject) -> Iterator[Finding]:
        yield Finding("one", FindingOutcome.FOUND, "something", "somewhere")
        raise stopped_by

    def never(_: Subject) -> Iterator[Finding]:
        yield Finding("two", FindingOutcome.ABSENT, "nowhere")

    monkeypatch.setattr(reviews, "DETECTORS", (Detector("one", "one", find), Detector("two", "two", never)))


def test_interrupted_it_tells_what_is_known_and_looks_at_that(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    only(monkeypatch, KeyboardInterrupt())
    assert run(["review", "sticks.rules"]) == Exit.INTERRUPTED
    shown = capsys.readouterr().out
    assert "found[one]: something" in shown
    assert "unknown         it was interrupted\n" in shown
    assert "two                    proved absent   nowhere\n" in shown
    assert shown.endswith("1 finding, some checks not done: interrupted\n")


def test_a_check_whose_time_is_up_is_unknown_and_the_others_go_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    only(monkeypatch, OutOfTime())
    assert run(["review", "sticks.rules"]) == Exit.NEGATIVE
    shown = capsys.readouterr().out
    assert "unknown         the time was up\n" in shown
    assert "two                    proved absent   nowhere\n" in shown


def test_a_review_without_time_ends_with_unknown(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["review", "connect_four", "--timeout", "1", "--games", "5000"]) == Exit.OPEN
    assert "then the time was up" in capsys.readouterr().out


def test_without_the_solver_it_goes_on_and_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("referee.cli.commands.review.find_spec", lambda _: None)
    assert run(["review", "sticks.rules", "--prove", "--only", "dead"]) == Exit.GOOD
    assert "nothing is proved by induction" in capsys.readouterr().err
