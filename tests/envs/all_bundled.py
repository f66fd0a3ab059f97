"""PettingZoo's own tests on every bundled ruleset: `python -m tests.envs.all_bundled [NAME...]`, about ten minutes.

It tells for each how many codes and how many numbers there are, or why there is no environment of it; it ends with 1
if a test fails.
"""

from __future__ import annotations

import contextlib
import io
import sys
import warnings
from collections.abc import Sequence
from time import monotonic
from typing import Any

from pettingzoo.test import api_test, render_test, seed_test

from referee.api.errors import ArgumentError
from referee.envs import TableEnvironment, env
from referee.frontend import names

CYCLES, SEEDED, MOST_EVENTS = 200, 30, 150


def tested(name: str) -> str:
    """What there is to tell of a ruleset. Raises `AssertionError` if a test fails."""

    def made(render_mode: str | None = None) -> Any:
        return env(name, max_events=MOST_EVENTS, render_mode=render_mode)

    try:
        one = TableEnvironment(name)
    except ArgumentError as error:
        return f"none: {error}"
    began = monotonic()
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        api_test(made(), num_cycles=CYCLES)
        seed_test(made, num_cycles=SEEDED)
        render_test(made)
    return f"{one.codes.number:,} codes, {one.observed.length:,} numbers, {monotonic() - began:.1f} s"


def main(chosen: Sequence[str]) -> int:
    """Tests these, or all."""
    failed = 0
    for name in chosen or names():
        try:
            print(f"{name}: {tested(name)}", flush=True)
        except AssertionError as error:
            failed += 1
            print(f"{name}: FAILED {error}", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
