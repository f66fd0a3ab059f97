"""The construct of stakes with numbers by the million: what can be done is told by its ends."""

from __future__ import annotations

from pathlib import Path

TEXT = Path("tests/language/constructs/stakes.rules").read_text("utf-8").split("scenario")[0]
for thousands in ("50000", "20000", "15000"):
    TEXT = TEXT.replace(thousands, f"{thousands}00")
