"""What is kept of rules between runs: written before a process ends."""

from __future__ import annotations

from referee.system.late_writes import write_all


def write_kept() -> bool:
    """Writes what was made of rules into the cache folder; false if it is to be kept, and could not be."""
    return write_all()
