"""What callers hand over to be called or read from: it may call the library again, and its errors are its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import referee
from referee import Ruleset

RULES = Path(__file__).parent / "rules"
TWO_STEPS = """game "Two steps" for 2 players first and second

counters
  taken: 0..9 starts 0

play
  turns from first, to the left
    turn player must take one of wait, grab
    if taken >= 8: turn player wins

action wait
  nothing

action grab
  raise taken by 3
  me chooses one of 1..2 as more, logged as add(more: more)

always little: taken <= 2

scenario "who waits takes nothing"
  first wait
  expect taken = 0
"""
"""The invariant is broken within an action, and is tested when its last event has happened."""


class OwnError(Exception):
    """What a caller's own function raises."""


@pytest.fixture(scope="module")
def two_steps() -> Ruleset:
    return referee.loads(TWO_STEPS)


@pytest.fixture(scope="module")
def broken(two_steps: Ruleset) -> list[str]:
    """A log of which the last line breaks the invariant."""
    head, = two_steps.new_game(["Ana", "Ben"]).log()
    return [head, '{"by": "Ana", "do": "wait"}', '{"by": "Ben", "do": "grab"}',
            '{"by": "Ben", "do": "add", "with": {"more": 1}}']


def busy(rules: Ruleset, log: list[str]) -> None:
    """Calls that carry the same rules out."""
    assert all(rules.test())
    game = rules.new_game(["Ana", "Ben"], seed=1)
    game.play("Ana", "wait")
    assert game.value("taken") == 0
    assert rules.judge(log[:2]).outcome == "legal"


def test_whoever_hands_lines_over_may_call_the_library_in_between(two_steps: Ruleset, broken: list[str]) -> None:
    def lines() -> Iterator[str]:
        for line in broken:
            busy(two_steps, broken)
            yield line

    expected = str(two_steps.judge(broken))
    assert "broken invariant: little" in expected
    for _ in range(2):  # also once each line is known by its text
        assert str(two_steps.judge(lines())) == expected


def test_whoever_is_asked_whether_to_stop_may_call_the_library(two_steps: Ruleset, broken: list[str]) -> None:
    """What he calls then is not asked to stop by him, and nothing is another for it."""
    asked = list[None]()

    def cancel() -> bool:
        asked.append(None)
        busy(two_steps, broken)
        return False

    for call in (lambda **how: two_steps.judge(broken, **how), lambda **how: two_steps.together([broken], **how).wrong,
                 lambda **how: two_steps.explain(broken, 4, **how), lambda **how: two_steps.check(**how),
                 lambda **how: tuple(two_steps.test(**how)), lambda **how: tuple(two_steps.judge_many([broken], **how)),
                 lambda **how: list(two_steps.redact(broken[:2], "Ana", **how))):
        expected, asked = call(), []
        assert str(call(cancel=cancel)) == str(expected)
        assert asked


def test_a_game_goes_on_from_where_a_callback_has_led_it(two_steps: Ruleset) -> None:
    game = two_steps.new_game(["Ana", "Ben"])

    def lead(number: int) -> None:
        if number == 1:
            game.undo()
            game.play("Ana", "wait")
            game.play("Ben", "wait")

    game.play("Ana", "wait")
    game.undo()
    played = game.play_out(1, progress=lead)
    assert [(one.by, one.do) for one in played] == [("Ana", "wait"), ("Ben", "wait")]
    assert game.events == played


RAISING: list[Callable[[Ruleset, list[str], Callable[..., Any]], object]] = [
    lambda rules, log, fail: rules.judge(log, cancel=fail),
    lambda rules, log, fail: rules.judge([*log[:2], log[2].replace('"grab"', '"?"')], cancel=fail),
    lambda rules, log, fail: rules.together([log, log], cancel=fail),
    lambda rules, log, fail: rules.redact(log[:2], "Ana", cancel=fail),
    lambda rules, log, fail: rules.explain(log, 2, cancel=fail),
    lambda rules, log, fail: list(rules.judge_many([log], cancel=fail)),
    lambda rules, log, fail: list(rules.judge_many([log], progress=fail)),
    lambda rules, log, fail: rules.check(progress=fail),
    lambda rules, log, fail: rules.check(cancel=fail),
    lambda rules, log, fail: list(rules.test(progress=fail)),
    lambda rules, log, fail: rules.infer([log[:2]], progress=fail),
    lambda rules, log, fail: rules.review(games=2, positions=10, progress=fail),
    lambda rules, log, fail: rules.new_game(["Ana", "Ben"]).play_out(5, cancel=fail),
    lambda rules, log, fail: rules.new_game(["Ana", "Ben"]).play_out(5, progress=fail),
]


@pytest.mark.parametrize("call", RAISING)
@pytest.mark.parametrize("kind", [OwnError, OSError, ValueError, KeyError, RecursionError])
def test_what_a_callback_raises_comes_out_as_it_is(two_steps: Ruleset, broken: list[str], kind: type[Exception],
                                                   call: Callable[[Ruleset, list[str], Callable[..., Any]], object],
                                                   ) -> None:
    """Whatever kind it is, nothing in between takes it for an error of its own; the next call goes on as ever."""
    mine = kind("mine")

    def fail(*_: object) -> bool:
        raise mine

    with pytest.raises(kind) as error:
        call(two_steps, broken, fail)
    assert error.value is mine
    assert two_steps.judge(broken).line == 4


def endless(first: object) -> Iterator[Any]:
    yield first
    raise OwnError


@pytest.mark.parametrize("call", [
    lambda rules, log: list(rules.judge_many(endless(log))),
    lambda rules, log: list(rules.judge_many(endless(log), jobs=1)),
    lambda rules, log: rules.together(endless(log)),
    lambda rules, log: rules.infer(endless(log)),
])
def test_logs_handed_over_one_by_one_may_raise_an_error_of_the_callers_own(
        two_steps: Ruleset, broken: list[str], call: Callable[[Ruleset, list[str]], object]) -> None:
    with pytest.raises(OwnError):
        call(two_steps, broken)


def test_lines_that_break_off_are_a_log_that_cannot_be_read(two_steps: Ruleset, broken: list[str]) -> None:
    with pytest.raises(referee.LogError) as error:
        two_steps.judge(endless(broken[0]))
    assert error.value.code == "LG01"
    assert "OwnError" in error.value.message
