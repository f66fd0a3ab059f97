"""Tells somebody who waits what is being done: on the terminal all the time, in a file a line now and then."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from referee.cli.terminal_writer import ERR
from referee.system.deadline import Stopwatch

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


def _now_and_then() -> Callable[[str], None]:
    watch, told = Stopwatch(), min(FIRST, SELDOM) - SELDOM

    def tell(text: str) -> None:
        nonlocal told
        now = watch.seconds
        if now - told >= SELDOM:
            told = now
            ERR.say(f"after {now:.0f} s: {text}")

    return tell
