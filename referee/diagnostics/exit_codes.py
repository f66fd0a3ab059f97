"""Exit codes of every command, and which of several wins."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum


class Exit(IntEnum):
    """What a command ends with."""

    GOOD = 0          # everything as it should be
    NEGATIVE = 1      # illegal line, broken claim, failed scenario, not the declared outcome, not formatted
    USAGE = 2         # the command line makes no sense
    RULES = 3         # a ruleset cannot be loaded
    LOG = 4           # a log cannot be read
    OPEN = 5          # depends, unknown or stopped
    INTERNAL = 70     # a fault of the program
    INTERRUPTED = 130  # Ctrl-C


_FIRST = (Exit.INTERRUPTED, Exit.INTERNAL, Exit.USAGE, Exit.RULES, Exit.LOG, Exit.NEGATIVE, Exit.OPEN, Exit.GOOD)


def first(codes: Iterable[Exit]) -> Exit:
    """The code that stands for all inputs together; `GOOD` if there are none."""
    return min(codes, key=_FIRST.index, default=Exit.GOOD)
