"""The figures of the benchmark: kept as JSON, and told on its page between two marks."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.bench.rows import ROWS, START

SPEC = Path(__file__).resolve().parents[2] / "spec"
KEPT = SPEC / "bench.json"
PAGE = SPEC / "bench.md"
BEGIN, END = "<!-- figures: python -m tests.bench --write -->", "<!-- end of the figures -->"
HEAD = ("work", "rate", "against", "its rate", "ratio (least, most)", "aim", "runs", "load")
DIGITS = 3


def said(number: float) -> str:
    """A number with as many digits as mean something."""
    for size, name in ((1e6, " M"), (1e3, " k")):
        if number >= size:
            return f"{number / size:.{DIGITS}g}{name}" if number < 1000 * size else f"{number / size:.0f}{name}"
    return f"{number:.{DIGITS}g}"


def cells(row: Mapping[str, Any]) -> tuple[str, ...]:
    """A row of the table."""
    start = row["name"] == START
    aim = "" if row["aim"] is None else f"at most {row['aim']} s more" if start else f">= {row['aim']:g}"
    if "why" in row:
        return row["work"], "", row["against"], "", f"not measured: {row['why']}", aim, "", ""
    unit = " s" if start else f" {row['unit']}/s"
    share, mark = row["ratio"], " s more" if start else " x"
    ratio = f"{said(share['median'])}{mark} ({said(share['min'])}, {said(share['max'])})"
    if row["aim"] is not None:
        reached = share["median"] <= row["aim"] if start else share["median"] >= row["aim"]
        ratio += "" if reached else ", missed"
    return (row["work"], said(row["rate"]["median"]) + unit, row["against"], said(row["against_rate"]["median"]) + unit,
            ratio, aim, str(row["runs"]), f"{row['load']:.1f}")


def page(kept: Mapping[str, Any]) -> str:
    """What the page tells, with its marks."""
    where = kept["machine"]
    lines = [f"| {' | '.join(line)} |" for line in (HEAD, ("---",) * len(HEAD), *map(cells, kept["rows"]))]
    days = sorted({row["measured"] for row in kept["rows"]})
    return "\n".join((
        BEGIN, "",
        f"{where['cores']} cores ({where['processor']}), {where['python']}; "
        f"installed: {', '.join(where['installed'])}.",
        f"Measured {' to '.join(dict.fromkeys((days[0], days[-1])))}.", "",
        *lines, "", END))


def keep(machine: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> None:
    """Writes what was measured, beside what is known of other rows, and the page."""
    known = {row["name"]: row for row in json.loads(KEPT.read_text(encoding="utf-8"))["rows"]} if KEPT.exists() else {}
    known.update({row["name"]: row for row in rows})
    order = [*(row.name for row in ROWS), START]
    kept = {"machine": machine, "rows": [known[name] for name in order if name in known]}
    KEPT.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(paged(PAGE.read_text(encoding="utf-8"), kept), encoding="utf-8")


def paged(text: str, kept: Mapping[str, Any]) -> str:
    """The page with the figures between its marks."""
    before, _, rest = text.partition(BEGIN)
    return before + page(kept) + rest.partition(END)[2]
