"""The exam: the hardest passages of real rulebooks as small games. Each loads, is played and judged in every shape."""

from __future__ import annotations

import io
from pathlib import Path
from random import Random

import pytest

from referee.api.game_record import Recorder
from referee.frontend.scenarios.scenario_reader import load_scenarios
from referee.game.log.log_header import Header
from referee.game.log.log_reader import Log
from referee.game.state import Stopped
from referee.interpreter.playouts import CUT, END, STOPPED, play_out
from referee.interpreter.walker import Walker
from referee.judge.log_run import judge_log
from referee.judge.verdict import LogOutcome, LogVerdict
from referee.rule_tests.scenario_runs import run_scenario
from referee.syntax.formatter import format_text
from tests.laws.games import setting_for
from tests.laws.shapes import Case, core_of, loaded, readable, shapes, walker_of
from tests.sample_sizes import drawn
from tests.twin.compare import compare

GAMES, EVENTS = drawn(8, of=20), 300
COMPARED, STEPS = 3, 60
FILES = sorted(Path(__file__).parent.glob("[0-9][0-9]_*.rules"))
EVERY_FILE = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


def cases() -> list[Case]:
    """Every fragment in every shape, of those that can be read."""
    return [Case(path, shape) for path in readable(FILES) for shape in shapes(loaded(path))]


EVERY_CASE = pytest.mark.parametrize("case", cases(), ids=str)


@EVERY_FILE
def test_the_scenarios_of_a_fragment_pass(path: Path) -> None:
    scenarios = load_scenarios(path, loaded(path)).found
    assert len(scenarios) >= 2
    for scenario in scenarios:
        found = run_scenario(scenario).failures
        assert [f"{one.span}: {one.message} {dict(one.values)}" for one in found] == [], scenario.title


@EVERY_FILE
def test_each_fragment_says_first_what_it_is_about(path: Path) -> None:
    assert path.read_text(encoding="utf-8").startswith("# ")


@EVERY_FILE
def test_each_fragment_is_laid_out_as_the_formatter_does_it(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert format_text(text) == text


@EVERY_CASE
def test_a_play_out_ends_as_it_may_and_its_log_is_legal(case: Case) -> None:
    walker = walker_of(case)
    for seed in range(GAMES):
        game = play_out(walker, setting_for(walker, Random(seed)), seed, EVENTS)
        assert game.outcome in (END, STOPPED, CUT), game.last
        lines = list(Recorder(walker, dict(case.shape.options)).lines(game.setting, game.events, game.last, ()))
        verdict = judged(walker, lines)
        assert verdict.outcome is (LogOutcome.STOPPED if game.outcome == STOPPED else LogOutcome.LEGAL), verdict
        assert verdict.finished == (game.outcome == END)
        if isinstance(game.last, Stopped):
            assert verdict.reason == f"{game.last.point.name}: {game.last.why}"


def judged(walker: Walker, lines: list[str]) -> LogVerdict:
    def load(_: Header) -> Walker:
        return walker

    return judge_log(Log(io.StringIO("".join(f"{line}\n" for line in lines)), "game.jsonl"), load)


@EVERY_CASE
def test_walker_and_twin_agree_step_for_step(case: Case) -> None:
    core = core_of(case)
    for seed in range(COMPARED):
        compare(core, seed, STEPS, setting_for(walker_of(case), Random(seed)))
