"""One lock for all that carries rules out in this process.

What is remembered from line to line and from claim to claim (words, trees, engines) is shared by everything that runs
here, so calls from several threads wait for each other. Long work goes into processes, where nothing waits.
"""

from __future__ import annotations

from threading import RLock

LOCK = RLock()
