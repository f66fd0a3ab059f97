"""Measures how fast an editor is told of the largest ruleset: `python -m tests.bench.editor_speed`. Never a test.

At once: an edit of one word in a block drawn at random, up to what is published of the file (syntax, names and types of
the block in one shape). In the background: the whole check after such an edit, all shapes and scenarios. CPU time of
this process, which does both here.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median

from lsprotocol import types

from referee.editors.shown_diagnostics import shown
from tests.editors.desk import Desk

LARGEST = "adrenaline"
FILES, EDITS = 3, 40
"""So many files, each with so many edits and one whole check."""


def seconds(what: Callable[[], object]) -> float:
    """The CPU time that something takes."""
    begun = time.process_time()
    what()
    return time.process_time() - begun


def main() -> None:
    """Prints medians and the slowest."""
    random = Random(0)
    with tempfile.TemporaryDirectory() as scratch:
        where = Path(scratch) / LARGEST
        shutil.copytree(Path(__file__).parents[2] / "rulesets" / LARGEST, where)
        edits, checks = [], []
        for path in random.sample(sorted(where.glob("*.rules")), FILES):
            desk = Desk(path)
            text = path.read_text("utf-8")
            desk.open(text)
            for _ in range(EDITS):
                edits.append(seconds(lambda: told(desk, random)))  # noqa: B023 (it is called at once)
                desk.change(text)
            told(desk, random)
            checks.append(seconds(desk.check))
    print(f"{LARGEST}: {len(edits)} edits: median {1000 * median(edits):.0f} ms, slowest {1000 * max(edits):.0f} ms")
    print(f"{len(checks)} whole checks: median {median(checks):.1f} s, slowest {max(checks):.1f} s")


def told(desk: Desk, random: Random) -> None:
    """One letter is put in, and what was found is made ready to be published."""
    document = desk.document
    where = document.places.position(random.randrange(len(document.text)))
    desk.edit(types.TextDocumentContentChangePartial(types.Range(where, where), "x"))
    published(desk)


def published(desk: Desk) -> None:
    """What an editor would be sent of the file."""
    for one in desk.session.shown_at(desk.path):
        shown(one, desk.session.places)


if __name__ == "__main__":
    main()
