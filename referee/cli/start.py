"""Where the process of a command begins: until everything is imported, Ctrl-C just ends it."""

from __future__ import annotations

import signal
from typing import NoReturn


def main() -> NoReturn:
    """Runs the command line. Who ends it while modules are imported sees no traceback: there is nothing to tell yet."""
    catches = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if catches:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from referee.cli.main import main as command_line  # takes a while

    if catches:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    command_line()
