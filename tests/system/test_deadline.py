"""Deadlines: on the wall and of computing, and one within another."""

from __future__ import annotations

import math
import time

from referee.system.deadline import NEVER, Deadline


def test_what_is_bounded_by_computing_goes_on_while_the_machine_does_something_else() -> None:
    until = NEVER.computing_within(0.05)
    time.sleep(0.06)
    assert not until.passed
    assert 0 < until.seconds_left <= 0.05


def test_what_is_bounded_by_computing_ends_once_so_much_is_computed() -> None:
    begun = time.process_time()
    until = NEVER.computing_within(0.02)
    while not until.passed:
        assert time.process_time() - begun < 1
    assert time.process_time() - begun >= 0.02


def test_what_is_within_a_time_on_the_wall_ends_with_it() -> None:
    whole = Deadline(0.02)
    until = whole.computing_within(10)
    assert until.seconds_left <= 0.02
    inner = until.within(5)
    time.sleep(0.03)
    assert until.passed
    assert inner.passed
    assert until.as_timeout == inner.as_timeout == 0.1


def test_what_never_ends_has_no_time_left_to_tell() -> None:
    assert NEVER.as_timeout is None
    assert NEVER.seconds_left == math.inf
