"""Tells somebody who waits what is being done: on the terminal all the time, in a file a line now and then."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from referee.cli.terminal_writer import ERR
from referee.system.deadline import Stopwatch

Progress = Callable[[int, int], None]
"""Takes how many are done, and how many of them were before."""
SOME_LOGS = 20
"""Fewer are judged before anybody could read a bar."""
SELDOM = 30.0
"""Seconds between two lines where there is no terminal."""
FIRST = 20.0
"""Seconds before the first of them."""


@contextmanager
def doing(first: str = "") -> Iterator[Callable[[str], None]]:
    """Takes what is being done, as it changes, and tells it on the standard error."""
    if not ERR.isatty():
        yield _now_and_then()
        return
    with ERR.status(first) as status:
        yield status


@contextmanager
def judging_progress(number: int, *, shown: bool) -> Iterator[Progress]:
    """A bar on the terminal, with rate and time left, if somebody waits there for many and nothing else is written."""
    if not shown or number < SOME_LOGS or not ERR.isatty():
        yield _nobody
        return
    with ERR.meter(number, "logs") as meter:
        yield meter


def _nobody(_done: int, _before: int) -> None:
    pass


@contextmanager
def ended_in_order() -> Iterator[None]:
    """Within it SIGTERM does what Ctrl-C does, so that what is known by then is told."""
    if threading.current_thread() is not threading.main_thread():  # nobody else hears of signals
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def asked_to_end() -> Iterator[Callable[[], bool]]:
    """Within it Ctrl-C and SIGTERM end nothing: what is given says whether one of them came, so that what is under way
    comes to its end. A second one ends it at once."""
    came: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        if came:
            signal.default_int_handler(number, frame)
        came.append(number)

    before: dict[int, Any] = {}
    try:
        if threading.current_thread() is threading.main_thread():  # nobody else hears of signals
            for one in (signal.SIGINT, signal.SIGTERM):
                before[one] = signal.signal(one, note)
        yield lambda: bool(came)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _now_and_then() -> Callable[[str], None]:
    watch, told = Stopwatch(), min(FIRST, SELDOM) - SELDOM

    def tell(text: str) -> None:
        nonlocal told
        now = watch.seconds
        if now - told >= SELDOM:
            told = now
            ERR.say(f"after {now:.0f} s: {text}")

    return tell
