"""`referee compare`: twins and errata, renamed rules, games that are proved alike, verdicts that change."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import referee
from referee.api.rule_sources import RulesSource
from referee.api.runs.comparison_runs import Comparer
from referee.cli.main import run
from referee.comparison.correspondence import read_correspondence
from referee.comparison.search import CompareEffort
from referee.diagnostics.exit_codes import Exit
from referee.report.data.schemas import SCHEMAS
from referee.report.text.comparison_text import summary
from tests.changed_text import changed

TAKING = """\
game "Taking" for 2 players first and second

counters
  left: 0..5 starts 5

play
  turns from first, to the left
    turn player must take
    if left = 0: turn player wins

action take(stones: 1..2) [T-1]
  needs "so many are left": stones <= left
  lower left by stones
"""
DRAWING = """\
game "Drawing" for 2 players first and second

counters
  heap: 0..5 starts 5

play
  turns from first, to the left
    turn player must show
    turn player must draw
    if heap = 0: turn player wins

action show

action draw(matches: 1..2)
  needs "the heap has them": matches <= heap
  lower heap by matches
"""
SAME = """\
schema = "referee/correspondence/1"
[labels]
take = "draw"
[arguments.take]
stones = "matches"
[silent]
second = ["show"]
[state]
same = { left = "heap" }
[claims]
"left" = "heap"
"""
FATE = """\
game "Lot" for 2 players first and second

counters
  gold of player: 0..6 starts 0

play
  turns from first, to the left
    turn player rolls 1..3 as die
    raise gold of turn player by die
    if gold of turn player >= 4: turn player wins
"""


@pytest.fixture
def rules(tmp_path: Path) -> Any:
    def write(name: str, text: str) -> str:
        path = tmp_path / name / f"{name}.rules"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
        wording = '[statement.T-1]\ntext = "Take one or two stones."\nstatus = "encoded"\n'
        (path.parent / "statements.toml").write_text(wording, "utf-8")
        return str(path.parent)

    return write


def compared(capsys: pytest.CaptureFixture[str], *words: str, code: Exit) -> dict[str, Any]:
    """The comparison as JSON that fits its schema."""
    assert run(["compare", *words, "--format", "json"]) == code
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    Draft202012Validator(SCHEMAS["comparison"]).validate(told)
    assert told["exit"] == code
    return told


def test_of_twins_it_is_proved_that_there_is_no_difference(rules: Any, capsys: pytest.CaptureFixture[str]) -> None:
    told = compared(capsys, rules("one", TAKING), rules("two", TAKING), code=Exit.GOOD)
    assert told["proved"]
    assert told["shapes"][0]["outcome"] == "proved"
    assert run(["compare", rules("one", TAKING), rules("two", TAKING)]) == Exit.GOOD
    assert "no difference: proved" in capsys.readouterr().out


def test_where_not_all_is_looked_at_nothing_is_proved(rules: Any, capsys: pytest.CaptureFixture[str]) -> None:
    words = rules("one", TAKING), rules("two", TAKING), "--positions", "3", "--games", "4"
    told = compared(capsys, *words, code=Exit.GOOD)
    assert not told["proved"]
    assert told["shapes"][0]["outcome"] == "none found"
    assert told["shapes"][0]["games"] == 4
    assert run(["compare", *words, "--strict"]) == Exit.OPEN


@pytest.mark.parametrize(("before", "after", "kind", "message", "events"), [
    ("1..2)", "1..3)", "legal", "first take stones 3 is legal by the second rules alone", 0),
    ("stones <= left", "stones <= left and (stones < 2 or left > 2)", "legal",
     "take stones 2 is legal by the first rules alone", 2),
    ("turns from first", "turns from second", "asked", "after set-up somebody else is asked", 0),
    ("if left = 0: turn player wins", "if left <= 1: turn player wins", "result",
     "after take the game is not over in the same way", 2),
    ("lower left by stones", "lower left by 1", "state", "after take left is 3, and 4", 1),
], ids=["number", "guard", "order", "end", "effect"])  # fmt: skip
def test_an_errata_is_shown_by_a_shortest_game(rules: Any, capsys: pytest.CaptureFixture[str], before: str, after: str,
                                               kind: str, message: str, events: int) -> None:
    assert before in TAKING
    one, two = rules("one", TAKING), rules("two", changed(TAKING, {before: after}))
    told = compared(capsys, one, two, "--games", "6", code=Exit.NEGATIVE)["shapes"][0]
    first = told["differences"][0]
    assert (first["kind"], len(first["events"])) == (kind, events)
    assert message in first["message"]
    assert first["shortest"]
    assert told["low"] <= told["told"] / told["games"] <= told["high"]
    for side, ruleset in (("first", one), ("second", two)):
        assert referee.load(ruleset).judge(first[side]["log"]).outcome == "legal"


def test_where_the_table_is_asked_in_one_alone_it_is_told_where_and_what(
    rules: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    asking = TAKING.replace("  lower left", '  if stones = 2\n    unspecified "which?", one of\n      a: nothing\n'
                            "      b: nothing\n  lower left")  # fmt: skip
    told = compared(capsys, rules("one", TAKING), rules("two", asking), "--games", "2", code=Exit.NEGATIVE)
    second = told["shapes"][0]["differences"][0]["second"]
    assert second["text"] == "the table must act (rule take.unspecified)"
    assert second["place"].endswith("two.rules:14")


def test_what_breaks_an_invariant_of_one_alone_is_told(rules: Any, capsys: pytest.CaptureFixture[str]) -> None:
    claimed = f"{TAKING}\nalways some_are_left: left > 2\n"
    words = rules("one", TAKING), rules("two", claimed), "--games", "0"
    first, *more = compared(capsys, *words, code=Exit.NEGATIVE)["shapes"][0]["differences"]
    assert (first["kind"], len(first["events"]), more) == ("broken", 2, [])
    assert first["message"] == "after take some_are_left does not hold by the second rules alone"
    assert first["second"]["rule"] == "some_are_left"


def test_each_side_says_by_which_rule_and_statement(rules: Any, capsys: pytest.CaptureFixture[str]) -> None:
    other = changed(TAKING, {"stones <= left": "stones < left or left = 1"})
    words = rules("one", TAKING), rules("two", other)
    first = compared(capsys, *words, "--games", "0", code=Exit.NEGATIVE)["shapes"][0]["differences"][0]
    allowed, refused = sorted((first["first"], first["second"]), key=lambda side: -side["holds"])
    assert (allowed["holds"], refused["holds"]) == (True, False)
    assert refused["conditions"] == ["so many are left"]
    for side in (allowed, refused):
        assert side["rule"] == "take"
        assert side["statements"] == [{"id": "T-1", "text": "Take one or two stones."}]
    run(["compare", *words])
    assert "[T-1] Take one or two stones." in capsys.readouterr().out


def test_games_that_are_longer_than_needed_are_made_shorter(rules: Any, capsys: pytest.CaptureFixture[str]) -> None:
    long = changed(TAKING, {"0..5 starts 5": "0..30 starts 30"})
    other = changed(long, {"1..2)": "1..3)", "stones <= left": "stones <= left and (stones < 3 or left < 27)"})
    words = rules("one", long), rules("two", other), "--positions", "0", "--games", "5"
    first = compared(capsys, *words, code=Exit.NEGATIVE)["shapes"][0]["differences"][0]
    assert first["minimised"]
    assert len(first["events"]) == 2


def test_rules_that_call_everything_otherwise_are_the_same_by_a_mapping(
    rules: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "same.toml"
    path.write_text(SAME, "utf-8")
    words = rules("one", TAKING), rules("two", DRAWING), "--mapping", str(path)
    assert compared(capsys, *words, code=Exit.GOOD)["proved"]
    told = compared(capsys, rules("one", TAKING), rules("two", DRAWING), "--games", "2", code=Exit.NEGATIVE)
    assert "only the second rules have the events draw, show" in told["shapes"][0]["notes"]
    path.write_text(changed(SAME, {'same = { left = "heap" }': 'ignored = ["*"]'}), "utf-8")
    wrong = changed(DRAWING, {"lower heap by matches": "lower heap by 1"})
    told = compared(capsys, words[0], rules("two", wrong), *words[2:], "--games", "2", code=Exit.NEGATIVE)
    assert (told["shapes"][0]["differences"][0]["kind"], told["shapes"][0]["differences"][0]["message"]) == (
        "claim", "after take left is 3, and 4")


def test_several_events_for_one_are_not_compared_and_nothing_is_proved(
    rules: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "several.toml"
    several = '[several]\nfirst = ["take"]\nsecond = ["show", "draw"]\n'
    path.write_text(f'schema = "referee/correspondence/1"\n{several}', "utf-8")
    told = compared(capsys, rules("one", TAKING), rules("two", DRAWING), "--mapping", str(path), "--games", "2",
                    code=Exit.GOOD)["shapes"][0]
    assert told["outcome"] == "none found"
    assert any("not comparable" in note for note in told["notes"])


@pytest.mark.parametrize(("text", "code", "said"), [
    ("schema = ", "CR01", "no TOML"),
    (f"schema = {'1' * 5_000}", "CR01", "no TOML"),
    ('schema = "referee/correspondence/1"\n[labels]\ntake = 3', "CR02", "labels.take"),
    ('schema = "referee/correspondence/1"\n[labels]\nsteal = "take"', "CR02", "the event 'steal' is none of the first"),
    ('schema = "referee/correspondence/1"\n[silent]\nsecond = ["show"]', "CR02", "'show' is none of the second"),
    ('schema = "referee/correspondence/1"\n[arguments.take]\nstones = "matches"', "CR02", "argument of take 'matches'"),
    ('schema = "referee/correspondence/1"\n[state]\nignored = ["clock"]', "CR02", "the counter or zone 'clock'"),
    ('schema = "referee/correspondence/1"\n[values]\nA = "B"', "CR02", "the value 'A'"),
    ('schema = "referee/correspondence/1"\n[settings.same]\nx = "y"', "CR02", "reading or option 'x'"),
    ('schema = "referee/correspondence/1"\n[settings.first.readings]\nx = "y"', "CR02", "the settings of"),
    ('schema = "referee/correspondence/1"\n[values]\na = "b"\nc = "b"', "CR02", "'b' for two names"),
    ('schema = "referee/correspondence/1"\n[claims]\n"lefts" = "left"', "CR02", "none of one"),
])  # fmt: skip
def test_a_mapping_that_does_not_fit_is_told(rules: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str,
                                             code: str, said: str) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(text, "utf-8")
    assert run(["compare", rules("one", TAKING), rules("two", TAKING), "--mapping", str(path)]) == Exit.RULES
    told = capsys.readouterr().err
    assert code in told
    assert said in told


def test_a_mapping_of_another_schema_is_told_what_was_expected(
    rules: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mapping.toml").write_text('schema = "referee/log/1"\n', "utf-8")
    path = rules("one", TAKING)
    assert run(["compare", path, path, "--mapping", str(tmp_path / "mapping.toml")]) == Exit.RULES
    told = capsys.readouterr().err
    assert "error[CR02]: `schema` does not fit" in told
    assert "= expected: 'referee/correspondence/1'" in told


def test_a_mapping_that_does_not_fit_is_told_where_only_logs_are_looked_at(
    rules: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "game.jsonl"
    log.write_text('{"schema": "referee/log/1", "ruleset": "one", "players": ["Ana", "Ben"]}\n', "utf-8")
    path = tmp_path / "wrong.toml"
    path.write_text('schema = "referee/correspondence/1"\n[labels]\ntake = "fly"', "utf-8")
    words = ["compare", rules("one", TAKING), rules("two", TAKING), str(log), "--only-logs", "--mapping", str(path)]
    assert run(words) == Exit.RULES
    assert "the event 'fly' is none of the second" in capsys.readouterr().err


def test_verdicts_that_change_are_told_with_line_and_rule(rules: Any, tmp_path: Path,
                                                          capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "game.jsonl"
    log.write_text('{"schema": "referee/log/1", "ruleset": "one", "players": ["Ana", "Ben"]}\n'
                   '{"by": "Ana", "do": "take", "with": {"stones": 1}}\n'
                   '{"by": "Ben", "do": "take", "with": {"stones": 2}}\n', "utf-8")
    words = rules("one", TAKING), rules("two", changed(TAKING, {"1..2)": "1..1)"})), str(log), "--only-logs"
    told = compared(capsys, *words, code=Exit.NEGATIVE)
    assert told["shapes"] == []
    verdicts = told["logs"][0]
    assert (verdicts["first"]["outcome"], verdicts["second"]["outcome"]) == ("legal", "illegal")
    assert (verdicts["second"]["line"], verdicts["second"]["rule"]) == (3, "take")
    assert compared(capsys, words[0], words[0], *words[2:], code=Exit.GOOD)["logs"][0]["changed"] is False
    path = tmp_path / "same.toml"
    path.write_text(changed(SAME, {'[silent]\nsecond = ["show"]\n': ""}), "utf-8")
    drawing = changed(DRAWING, {"    turn player must show\n": "", "action show\n\n": ""})
    other = rules("three", changed(drawing, {"1..2)": "1..1)"}))
    told = compared(capsys, words[0], other, *words[2:], "--mapping", str(path), code=Exit.NEGATIVE)
    assert (told["logs"][0]["second"]["line"], told["logs"][0]["second"]["rule"]) == (3, "draw")


def test_what_a_log_says_that_the_second_rules_cannot_be_told_is_not_compared(
    rules: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A reading that they have not, and an event that only the first have, and that is wrong."""
    read = 'reading end "which?"\n  default zero "at none"\n  alternative one "at one"\n\nplay\n'
    mine = changed(TAKING, {"play\n": read, "if left = 0:": "if left = 0 or (left = 1 and end is one):"})
    counting = ("action count_them(number: 0..5, told: 0..5), logged as count(told: told)\n"
                '  needs "so many": told = number')
    mine = changed(mine, {"    if left": "    turn player must count_them(left)\n    if left"})
    one = rules("one", f"{mine}\n{counting}\n")
    header = '{"schema": "referee/log/1", "ruleset": "one", "players": ["Ana", "Ben"], "readings": {"end": "%s"}}\n'
    took = '{"by": "Ana", "do": "take", "with": {"stones": 1}}\n{"by": "Ana", "do": "count", "with": {"told": %d}}\n'
    for name, reading, number in (("a", "zero", 4), ("b", "zero", 3), ("c", "one", 4)):
        (tmp_path / f"{name}.jsonl").write_text(header % reading + took % number, "utf-8")
    mapping = tmp_path / "same.toml"
    mapping.write_text('schema = "referee/correspondence/1"\n[silent]\nfirst = ["count"]\n', "utf-8")
    logs = [str(tmp_path / f"{name}.jsonl") for name in "abc"]
    told = compared(capsys, one, rules("two", TAKING), *logs, "--only-logs", "--mapping", str(mapping), code=Exit.GOOD)
    assert [log["first"]["outcome"] for log in told["logs"]] == ["legal", "illegal", "legal"]
    assert [log["why_not"] for log in told["logs"]] == [
        "", "line 3 says nothing to the second rules", "the reading end is one, which the second rules have not"]
    assert [log["changed"] for log in told["logs"]] == [False] * 3


def test_what_only_fate_decides_is_compared_too(rules: Any, capsys: pytest.CaptureFixture[str]) -> None:
    one = rules("one", FATE)
    assert compared(capsys, one, rules("two", FATE), code=Exit.GOOD)["proved"]
    told = compared(capsys, one, rules("two", changed(FATE, {">= 4": ">= 5"})), "--games", "4", code=Exit.NEGATIVE)
    assert told["shapes"][0]["differences"][0]["kind"] == "result"


def test_with_a_reading_of_one_side_alone_nothing_is_proved_unless_it_is_fixed(
    rules: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    read = 'reading end "which?"\n  default zero "at none"\n  alternative one "at one"\n\nplay\n'
    mine = changed(TAKING, {"play\n": read, "if left = 0:": "if left = 0 or (left = 1 and end is one):"})
    one, two = rules("one", mine), rules("two", TAKING)
    assert compared(capsys, one, two, code=Exit.GOOD)["proved"] is False
    assert compared(capsys, two, one, code=Exit.GOOD)["shapes"][0]["outcome"] == "none found"
    assert run(["compare", one, two, "--strict"]) == Exit.OPEN
    assert "with end at its default: other choices were not looked at" in capsys.readouterr().out
    fixed = tmp_path / "fixed.toml"
    fixed.write_text('schema = "referee/correspondence/1"\n[settings.first]\nreadings = { end = "zero" }\n', "utf-8")
    assert compared(capsys, one, two, "--mapping", str(fixed), code=Exit.GOOD)["proved"]
    fixed.write_text(changed(fixed.read_text("utf-8"), {"zero": "one"}), "utf-8")
    assert compared(capsys, one, two, "--mapping", str(fixed), code=Exit.NEGATIVE)["proved"] is False


def test_programs_compare_rules_too() -> None:
    mine, other = referee.loads(changed(TAKING, {" [T-1]": ""}), "one"), referee.loads(DRAWING, "two")
    found = mine.compare(other, games=3)
    assert not found
    assert found.shapes[0].differences[0].kind == "legal"
    assert mine.compare(mine).proved
    text = changed(TAKING, {" [T-1]": "", "2 players first and second": "3 players first, second and third"})
    three = referee.loads(text, "three")
    with pytest.raises(referee.ArgumentError, match="never for as many"):
        mine.compare(three)


@pytest.mark.parametrize("wrong", [{"players": "two"}, {"seed": None}, {"seed": [1]}, {"games": -1}, {"options": "x"}])
def test_programs_are_told_what_cannot_be_asked_for(wrong: dict[str, Any]) -> None:
    rules = referee.loads(changed(TAKING, {" [T-1]": ""}), "one")
    with pytest.raises(referee.ArgumentError, match="AP01"):
        rules.compare(rules, **wrong)


def test_a_mapping_is_read_from_a_file_only(tmp_path: Path) -> None:
    rules = referee.loads(changed(TAKING, {" [T-1]": ""}), "one")
    for wrong in (tmp_path, tmp_path / "none", Path("/dev/null"), f"{tmp_path}/a\0b"):
        with pytest.raises(referee.RulesError, match="CR01"):
            rules.compare(rules, mapping=wrong)
    with pytest.raises(referee.ArgumentError, match="AP01"):
        rules.compare("one")  # type: ignore[arg-type]


def test_a_mapping_of_very_many_names_is_read_quickly(tmp_path: Path) -> None:
    path = tmp_path / "many.toml"
    names = "".join(f'v{number} = "w{number}"\n' for number in range(40_000))
    path.write_text(f'schema = "referee/correspondence/1"\n[values]\n{names}', "utf-8")
    begun = process_time()
    assert len(read_correspondence(path).values) == 40_000
    assert process_time() - begun < 5.0


def test_when_the_time_is_over_what_is_known_is_told(rules: Any, capsys: pytest.CaptureFixture[str]) -> None:
    long = rules("long", changed(TAKING, {"0..5 starts 5": "0..9000 starts 9000"}))
    told = compared(capsys, long, long, "--timeout", "1", "--positions", "0", "--games", "9999", code=Exit.GOOD)
    assert told["shapes"][0]["stopped"] == "the time was up"
    assert not told["proved"]


def test_after_ctrl_c_nothing_is_proved_and_the_code_says_so(rules: Any) -> None:
    """What was found is told, and nobody takes it for the whole answer."""
    pressed = list[str]()

    def press(said: str) -> None:
        if not pressed:
            pressed.append(said)
            signal.raise_signal(signal.SIGINT)

    path = rules("long", changed(TAKING, {"0..5 starts 5": "0..9000 starts 9000"}))
    work = Comparer(RulesSource(path), RulesSource(path), None, None, {})
    found = work.compare((), CompareEffort(positions=0, games=9999), None, progress=press)
    assert pressed
    assert (found.exit, found.proved) == (Exit.INTERRUPTED, False)
    assert summary(found).endswith(": interrupted")


def test_where_nothing_was_compared_it_does_not_end_well(rules: Any, capsys: pytest.CaptureFixture[str]) -> None:
    words = rules("one", TAKING), rules("two", TAKING), "--positions", "0", "--games", "0"
    assert run(["compare", *words]) == Exit.OPEN
    told = capsys.readouterr().out
    assert "2 players: nothing was compared" in told
    assert "no difference" not in told


def test_the_games_of_scenarios_are_compared_from_their_positions(
    rules: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    told = """\
scenario "two are left"
  at play.take
  turn of second
  given left is 2
  second take stones 2
  expect second wins
"""
    other = changed(TAKING, {"stones <= left": "stones <= left and (stones < 2 or left > 2)"})
    words = rules("one", f"{TAKING}\n{told}"), rules("two", other), "--positions", "0", "--games", "0"
    shape = compared(capsys, *words, code=Exit.NEGATIVE)["shapes"][0]
    assert shape["scenarios"] == 1
    assert shape["differences"][0]["scenario"].endswith("one.rules:15")
