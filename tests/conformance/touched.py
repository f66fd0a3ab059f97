"""A plugin of pytest that writes down which functions of the package ran: `pytest -p tests.conformance.touched`.

The file is named by `REFEREE_TOUCHED`: a JSON list of `path: function`, the path from the root of the tree.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from types import CodeType, FrameType

ROOT = Path(__file__).resolve().parents[2]
_ran: set[CodeType] = set()


def _called(frame: FrameType, event: str, arg: object) -> None:
    if event == "call":
        _ran.add(frame.f_code)


def pytest_configure() -> None:
    """Begins to listen."""
    sys.setprofile(_called)


def pytest_unconfigure() -> None:
    """Writes down what ran."""
    sys.setprofile(None)
    package = str(ROOT / "referee")
    found = {f"{Path(one.co_filename).relative_to(ROOT)}: {one.co_qualname.split('.<locals>')[0]}"
             for one in _ran if one.co_filename.startswith(package)}
    Path(os.environ["REFEREE_TOUCHED"]).write_text(json.dumps(sorted(found)), "utf-8")
