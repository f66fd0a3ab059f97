"""Games as environments: PettingZoo's own tests pass; picks, rewards and observations are those of the rules.

All bundled rulesets: `python -m tests.envs.all_bundled`.
"""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pettingzoo.test import api_test, render_test, seed_test

import referee
from referee.envs import TableEnvironment, env, observations
from referee.envs.action_codes import Pick
from referee.envs.pick_chains import PickChains
from referee.game.event import Event
from referee.game.state import State

SAMPLE = ["tic_tac_toe", "kuhn_poker", "goofspiel", "four_not_three"]
"""A board, cards that are hidden, choices at the same time, something chosen in several steps."""
LARGE = "hearts"
SETS = """\
game "Sets" for 2 players first and second

kind Card is A, B, C

components
  3 A in heap
  2 B in heap
  1 C in heap

zones
  heap: bag of Card, open
  hand of player: bag of Card, open

play
  turns from first, to the left
    turn player must grab

action grab(cards: up to 3 Card in heap, to: players)
  needs "not all are A": not (every c in cards: c is A)
  move cards from heap to hand of to
  if heap is empty: me wins
"""


def picked(one: Any, seed: int, most: int = 400) -> list[str]:
    """A random game by the masks; what each agent picked."""
    random, found = Random(seed), []
    one.reset(seed=seed)
    for _ in range(most):
        if not one.agents:
            break
        seen, _, terminated, truncated, _ = one.last()
        if terminated or truncated:
            one.step(None)
            continue
        possible = [code for code, allowed in enumerate(seen["action_mask"]) if allowed]
        assert one.observation_space(one.agent_selection).contains(seen)
        code = random.choice(possible)
        found.append(one.code_text(code))
        one.step(code)
    return found


@pytest.mark.parametrize("name", [*SAMPLE, LARGE])
@pytest.mark.filterwarnings("ignore")
def test_pettingzoos_own_tests_pass(name: str) -> None:
    def made(render_mode: str | None = None) -> Any:
        return env(name, max_events=60, render_mode=render_mode)

    with contextlib.redirect_stdout(io.StringIO()):
        api_test(made(), num_cycles=30)
        seed_test(made, num_cycles=12)
        render_test(made)


@pytest.mark.parametrize("name", [*SAMPLE, LARGE])
def test_a_game_by_the_masks_is_legal(name: str) -> None:
    rules, one = referee.load(name), TableEnvironment(name)
    for seed in range(1 if name == LARGE else 3):
        assert picked(one, seed, most=120)
        verdict = rules.judge(one.log())
        assert (verdict.outcome, verdict.under) == ("legal", ())


def reached(environment: TableEnvironment, state: State, by: int) -> list[Event]:
    """Every event that picks can make up at a position."""
    chains, found, waiting = PickChains(environment._walker, state, by), list[Event](), list[tuple[Pick, ...]]([()])
    while waiting:
        picks = waiting.pop()
        following, event = chains.after(picks)
        found += [event] if event is not None else []
        assert following or event is not None, "a pick leads somewhere"
        waiting += [(*picks, one) for one in following]
    return found


@pytest.mark.parametrize("name", ["tic_tac_toe", "goofspiel", "four_not_three", "breakthrough", "sets.rules"])
def test_picks_make_up_what_is_legal_and_nothing_else(name: str, tmp_path: Path) -> None:
    (tmp_path / "sets.rules").write_text(SETS)
    one = TableEnvironment(tmp_path / name if name.endswith(".rules") else name)
    picked(one, 3, most=9)
    for state, event in one._past:
        if event.by >= 0:
            legal = set(one._walker.events(state, event.by))
            assert set(reached(one, state, event.by)) == legal


def test_a_chosen_set_is_picked_one_by_one(tmp_path: Path) -> None:
    (tmp_path / "sets.rules").write_text(SETS)
    one = TableEnvironment(tmp_path / "sets.rules")
    one.reset(seed=1)
    shown = []
    for wanted in ("grab cards A", "grab cards A"):
        shown.append(possible(one))
        one.step(code_of(one, wanted))
    assert shown[0] == ["grab cards A", "grab cards B", "grab cards C"]
    assert shown[1] == ["grab cards A", "grab cards B", "grab cards C"]
    assert possible(one) == ["grab cards B", "grab cards C"], "not all may be A, so two of them are not enough"
    one.step(code_of(one, "grab cards C"))
    assert possible(one) == ["grab to first", "grab to second"], "nobody has to say that the most there are is enough"
    one.step(code_of(one, "grab to second"))
    assert '"with": {"cards": ["A", "A", "C"], "to": "second"}' in one.log()[-1]
    one.step(code_of(one, "grab cards B"))
    assert "grab cards: enough" in possible(one)


def possible(one: TableEnvironment) -> list[str]:
    mask = one.observe(one.agent_selection)["action_mask"]
    return [one.code_text(code) for code, allowed in enumerate(mask) if allowed]


def code_of(one: TableEnvironment, text: str) -> int:
    return next(code for code in range(one.codes.number) if one.code_text(code) == text)


def test_an_observation_tells_nothing_that_is_hidden() -> None:
    """In a game of one card each, what the first sees is the same whatever card the other has."""
    one = TableEnvironment("kuhn_poker")
    seen: dict[str, set[tuple[int, ...]]] = {}
    dealt: dict[str, set[str]] = {}
    for seed in range(24):
        one.reset(seed=seed)
        own, other = ([event.with_["card"] for event in one.view(agent).events][at]
                      for at, agent in enumerate(one.possible_agents))
        assert one.view(one.possible_agents[0]).events[1].with_["card"] == "?"
        first = one.possible_agents[0]
        seen.setdefault(own, set()).add(tuple(one.observe(first)["observation"]))
        dealt.setdefault(own, set()).add(other)
    assert all(len(others) == 2 for others in dealt.values())
    assert all(len(numbers) == 1 for numbers in seen.values())
    assert len({next(iter(numbers)) for numbers in seen.values()}) == 3


def test_the_reward_is_the_difference_at_the_end() -> None:
    one = TableEnvironment("tic_tac_toe")
    for place in ("1", "4", "2", "5", "3"):
        one.reset(seed=1) if place == "1" else None
        one.step(next(code for code in range(9) if possible_code(one, code, place)))
    assert one.rewards == {one.possible_agents[0]: 1.0, one.possible_agents[1]: -1.0}


def possible_code(one: TableEnvironment, code: int, place: str) -> bool:
    """Whether a code marks the cell of this number, row by row."""
    return code == int(place) - 1


def test_the_reward_may_be_the_scores() -> None:
    one = TableEnvironment("goofspiel", reward="scores")
    one.reset(seed=3)
    random = Random(3)
    while not any(one.terminations.values()):
        one.step(random.choice([int(code) for code in one.observe(one.agent_selection)["action_mask"].nonzero()[0]]))
    scores = json.loads(one.log()[-1])["end"]["scores"]
    first, second = one.possible_agents
    assert one.rewards == {first: scores[first] - scores[second], second: scores[second] - scores[first]}
    assert one.rewards[first] != 0


def test_a_game_is_cut_off_after_so_many_events() -> None:
    one = TableEnvironment("breakthrough", max_events=7)
    picked(one, 1, most=14)
    assert all(one.truncations.values())
    assert len(one.log()) == 8
    assert not any(one.rewards.values())
    assert not one.observe(one.possible_agents[0])["action_mask"].any()


@pytest.mark.parametrize(("make", "code"), [
    (lambda: TableEnvironment("holdem"), "EN01"),
    (lambda: TableEnvironment("tic_tac_toe", reward="luck"), "AP02"),
    (lambda: TableEnvironment("tic_tac_toe", render_mode="rgb_array"), "AP02"),
    (lambda: TableEnvironment("tic_tac_toe", max_events=0), "AP01"), (lambda: TableEnvironment("tic_tac_to"), "RS01"),
    (lambda: TableEnvironment("tic_tac_toe", 5), "SH01"), (lambda: TableEnvironment("tic_tac_toe", ["a", "a"]), "LG17"),
])
def test_what_cannot_be_an_environment_is_told(make: Callable[[], object], code: str) -> None:
    with pytest.raises(referee.RefereeError) as error:
        make()
    assert error.value.code == code


def test_rules_without_scores_reward_by_none(tmp_path: Path) -> None:
    (tmp_path / "sets.rules").write_text(SETS)
    with pytest.raises(referee.ArgumentError, match="count no scores") as error:
        TableEnvironment(tmp_path / "sets.rules", reward="scores")
    assert error.value.code == "EN03"


def test_an_observation_of_too_many_numbers_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(observations, "MOST_ENTRIES", 20)
    with pytest.raises(referee.ArgumentError, match="more than 20") as error:
        TableEnvironment("tic_tac_toe")
    assert error.value.code == "EN02"


@pytest.mark.parametrize("wrong", [{"players": "ana"}, {"players": 2.5}, {"options": "bogus"}])
def test_arguments_of_another_type_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(referee.ArgumentError) as error:
        TableEnvironment("tic_tac_toe", **wrong)
    assert error.value.code == "AP01"


@pytest.mark.parametrize("seed", ["x", 1.5])
def test_a_seed_that_is_no_number_is_refused(seed: Any) -> None:
    with pytest.raises(referee.ArgumentError, match="`seed` is a whole number"):
        TableEnvironment("tic_tac_toe").reset(seed=seed)


@pytest.mark.parametrize("action", ["x", 1.5])
def test_a_pick_that_is_no_number_is_refused(action: Any) -> None:
    one = TableEnvironment("tic_tac_toe")
    one.reset(seed=1)
    with pytest.raises(referee.ArgumentError, match="a pick is a whole number"):
        one.step(action)


@pytest.mark.parametrize("action", [9, -1, None, 0])
def test_a_pick_that_is_not_possible_is_refused(action: int | None) -> None:
    one = TableEnvironment("tic_tac_toe")
    one.reset(seed=1)
    one.step(0)
    with pytest.raises(referee.ArgumentError, match="the action mask says what is possible"):
        one.step(action)


def test_a_pick_before_there_is_a_game_is_refused() -> None:
    with pytest.raises(referee.ArgumentError, match="begin one by `reset"):
        TableEnvironment("tic_tac_toe").step(0)


@pytest.mark.parametrize(("module", "missing", "extra"), [("referee.envs", "pettingzoo", "envs"),
                                                          ("referee.strategies", "hypothesis", "hypothesis")])
def test_without_an_extra_its_name_is_said(module: str, missing: str, extra: str) -> None:
    code = f"import sys; sys.modules[{missing!r}] = None; import {module}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f"pip install 'referee[{extra}]'" in done.stderr.splitlines()[-1]


def test_human_writes_the_table_and_ansi_gives_it(capsys: pytest.CaptureFixture[str]) -> None:
    one = TableEnvironment("tic_tac_toe", render_mode="human")
    one.reset(seed=1)
    assert one.render() is None
    assert len(capsys.readouterr().out.splitlines()) >= 6
    other = TableEnvironment("tic_tac_toe", render_mode="ansi")
    other.reset(seed=1)
    assert isinstance(other.render(), str)
    assert capsys.readouterr().out == ""
