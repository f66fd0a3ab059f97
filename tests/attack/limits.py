"""How much time and memory an attacked command may take."""

from __future__ import annotations

import resource
import signal

SECONDS = 10
MEMORY = 1 << 30


def limit() -> None:
    """Gives this process no more of either than that; it is also ended after six times the seconds on the clock."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
    signal.alarm(6 * SECONDS)
