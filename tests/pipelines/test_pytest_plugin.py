"""The plugin of pytest: what it collects, what a failure says, its fixtures, and that it does nothing unasked."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from referee.api.folders import expected_verdicts, found_rulesets
from referee.api.ruleset import load
from referee.rule_tests import scenario_runs
from tests.changed_text import changed

pytest_plugins = ["pytester"]

ONCE = (expected_verdicts, found_rulesets, load, scenario_runs)
"""Imported here: what is imported within `pytester` is forgotten after each run."""
RULES = """\
game "Sticks" for 2 players first and second

counters
  taken: 0..7 starts 0

play
  turns from first, to the left
    turn player must take

action take(sticks: 1..3)
  needs "so many are left": taken + sticks <= 7
  raise taken by sticks
  if taken = 7: opponent wins
"""
SCENARIOS = """
scenario "three are taken"
  players ana, ben
  ana take 3
  expect taken = 3

scenario "four are taken"
  players ana, ben
  ana take 3
  expect taken = 4
"""
HEAD = {"schema": "referee/log/1", "ruleset": "sticks", "players": ["ana", "ben"]}


def log(*numbers: int) -> str:
    """A game of sticks in which the two take so many in turn."""
    moves = [{"by": ("ana", "ben")[at % 2], "do": "take", "with": {"sticks": one}} for at, one in enumerate(numbers)]
    return "".join(f"{json.dumps(line)}\n" for line in (HEAD, *moves))


@pytest.fixture
def pytester(pytester: pytest.Pytester) -> pytest.Pytester:
    """A folder with rules and logs, and the plugin, whether or not the package is installed; no other plugin."""
    installed = [one for one in entry_points(group="pytest11") if one.value == "referee.pytest_plugin"]
    others = [one.name for one in entry_points(group="pytest11") if one not in installed]
    words = [*(["-p referee.pytest_plugin"] if not installed else []), *(f"-p no:{name}" for name in others)]
    pytester.makeini(f"[pytest]\naddopts = {' '.join(words)}\n")
    (pytester.path / "logs").mkdir()
    (pytester.path / "sticks.rules").write_text(RULES + SCENARIOS)
    (pytester.path / "logs" / "good.jsonl").write_text(log(3, 3))
    (pytester.path / "logs" / "bad.jsonl").write_text(log(3, 3, 2))
    (pytester.path / "logs" / "other.jsonl").write_text(log(1))
    (pytester.path / "logs" / "expected.json").write_text(json.dumps({
        "good.jsonl": {"verdict": "legal so far", "why": "one is left"},
        "bad.jsonl": {"line": 4, "kind": "illegal move", "rule": "take", "guard": "so many are left"},
    }))
    return pytester


def test_scenarios_and_logs_are_tests(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess("--referee", "-v")
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(["*logs/bad.jsonl::verdict PASSED*", "*logs/good.jsonl::verdict PASSED*",
                                 "*sticks.rules::three are taken PASSED*", "*sticks.rules::four are taken FAILED*",
                                 "*sticks.rules:*: *taken = 4*"])
    result.stdout.no_fnmatch_line("*Traceback*")
    result.stdout.no_fnmatch_line("*other.jsonl*")


def test_plugins_that_look_for_what_a_test_has_taken_find_nothing(pytester: pytest.Pytester) -> None:
    pytester.makeconftest("def pytest_runtest_call(item):\n    assert not list(item.funcargs.values())\n")
    pytester.runpytest_inprocess("--referee").assert_outcomes(passed=3, failed=1)


def test_a_log_fails_by_its_verdict_in_words(pytester: pytest.Pytester) -> None:
    (pytester.path / "logs" / "expected.json").write_text(json.dumps({"bad.jsonl": {"verdict": "legal"}}))
    result = pytester.runpytest_inprocess("--referee", "logs/bad.jsonl")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([
        "verdict: legal expected, illegal found", "*bad.jsonl:4: illegal  take",
        "  illegal move: ana may not take sticks 2",
        "    failed  so many are left  taken + sticks = 8, at most 7 is needed",
    ])


@pytest.mark.parametrize("asked", [[], ["logs/bad.jsonl"], ["logs/bad.jsonl", "logs/good.jsonl"]])
def test_expected_verdicts_that_cannot_be_used_are_told_once(pytester: pytest.Pytester, asked: list[str]) -> None:
    (pytester.path / "logs" / "expected.json").write_text('{"bad.jsonl": {"lines": 4}}')
    result = pytester.runpytest_inprocess("--referee", *asked)
    result.assert_outcomes(errors=1)
    assert str(result.stdout).count("an expected verdict has no entry lines") == 1


def test_nothing_is_done_unasked(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess("--fixtures")
    result.stdout.no_fnmatch_line("rules *referee*")
    assert pytester.runpytest_inprocess().ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_loading_the_plugin_imports_nothing_else() -> None:
    program = "import pytest, referee.pytest_plugin, sys; print(*(m for m in sys.modules if m.startswith('referee')))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True,
                          cwd=Path(__file__).parents[2])
    assert set(done.stdout.split()) == {"referee", "referee.pytest_plugin"}


def test_rules_that_cannot_be_loaded_are_told_with_their_line(pytester: pytest.Pytester) -> None:
    (pytester.path / "sticks.rules").write_text(changed(RULES, {"raise taken": "raise tken"}))
    result = pytester.runpytest_inprocess("--referee", "sticks.rules")
    result.stdout.no_fnmatch_line("*Traceback*")
    result.stdout.fnmatch_lines(["*error*NM*: *tken*", "*raise tken by sticks*"])


def test_a_folder_is_one_ruleset_if_one_file_begins_it(pytester: pytest.Pytester) -> None:
    folder = pytester.path / "ours"
    folder.mkdir()
    (folder / "1_game.rules").write_text(RULES)
    (folder / "2_scenarios.rules").write_text(SCENARIOS)
    result = pytester.runpytest_inprocess("--referee", "-v", "ours")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["ours/1_game.rules::three are taken PASSED*"])


def test_titles_from_outside_steer_no_terminal(pytester: pytest.Pytester) -> None:
    (pytester.path / "sticks.rules").write_text(f'{RULES}\nscenario "x\u202e</a>"\n  players ana, ben\n  ana take 3\n')
    result = pytester.runpytest_inprocess("--referee", "-v", "sticks.rules")
    assert "\u202e" not in result.stdout.str()


def test_fixtures_are_rules_and_a_game(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("""
        import pytest

        @pytest.mark.referee("sticks.rules", players=["cleo", "dan"])
        def test_named(rules, game):
            assert (rules.name, game.players) == ("sticks", ("cleo", "dan"))
            game.play("cleo", "take", sticks=3)

        @pytest.mark.referee("tic_tac_toe")
        def test_one_that_comes_along(rules):
            assert rules.name == "tic_tac_toe"

        def test_of_the_setting(game):
            assert game.asked.what == ("take",)

        @pytest.mark.referee("stick.rules")
        def test_not_there(rules):
            pass

        @pytest.mark.referee("sticks.rules", sed=3)
        def test_no_such_argument(game):
            pass
    """)
    result = pytester.runpytest_inprocess("--referee", "-o", "referee_rules=sticks.rules",
                                         "test_fixtures_are_rules_and_a_game.py")
    result.assert_outcomes(passed=3, errors=2)
    result.stdout.fnmatch_lines(["*RS01*stick.rules*", "@pytest.mark.referee: *'sed'"])
    result.stdout.no_fnmatch_line("*another exception occurred*")


def test_a_test_that_names_no_rules_is_told(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_it(game): pass")
    result = pytester.runpytest_inprocess("--referee", "-k", "test_it")
    result.stdout.fnmatch_lines(["*no ruleset is named: *"])
