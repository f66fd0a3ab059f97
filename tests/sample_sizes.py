"""How large the samples of tests are: small ones in the usual run, all of it with `REFEREE_FULL_SAMPLES=1`."""

from __future__ import annotations

import os

FULL = os.environ.get("REFEREE_FULL_SAMPLES", "") not in ("", "0")


def drawn(usual: int, of: int) -> int:
    """How many of a sample are drawn: `usual`, or all `of` them if full samples are asked for."""
    return of if FULL else usual
