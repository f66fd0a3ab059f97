"""Random edits of rules in an editor: nothing crashes, and what is told is what a check of the saved files finds.

`python -m tests.editors.random_edits --edits 10000` (about ten minutes) edits bundled rulesets; `--seed`, `--each` how
many edits lie between two comparisons, `--rules NAME` (again for each) which rulesets.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

from lsprotocol import types

from referee.diagnostics.diagnostic import Diagnostic
from referee.editors.background import whole_check
from referee.editors.features.coloring import colors
from referee.editors.features.completion import completion
from referee.editors.features.hovers import hover
from referee.editors.features.lenses import lenses
from referee.editors.features.outline import folds, laid_out, outline
from referee.editors.features.places_of_names import definition, references
from referee.editors.features.quick_fixes import quick_fixes
from referee.editors.features.renaming import CannotRename, renamable, renaming
from referee.editors.open_documents import OpenDocument
from tests.editors.desk import Desk

RULESETS = ("classics/kuhn_poker.rules", "classics/nine_mens_morris.rules", "classics/cribbage.rules", "go_goal")
PIECES = (
    " ", "  ", "\n", "\n  ", "\r\n", "\t", '"', "(", ")", "[", "]", "{", "}", ":", ",", ";", "#", "..", "=", "<", "-",
    "0", "9999999", "if ", "else", "action a\n  nothing\n", "define x = 1\n", "zones\n", "raise ", " of ", "player",
    "let x = 1\n", "scenario \"s\"\n  expect yes\n", "\u00e9", "\U0001f3b2", "\u2028", "\x01", "game",
    "end as soon as ",
)
FRESH = 40
"""After so many edits a text is what it was at the beginning, or there would be nothing but errors."""
Place = tuple[str, str, int, int, str]


def edited(document: OpenDocument, random: Random) -> types.TextDocumentContentChangePartial:
    """One edit of a text."""
    text = document.text
    start = random.randrange(len(text) + 1)
    end = min(len(text), start + random.choice((0, 0, 1, 3, 10, 60)))
    match random.randrange(5):
        case 0 | 1:
            new = random.choice(PIECES)
        case 2:
            new = ""
        case 3:
            words = text.split()
            new = random.choice(words) if words else "x"
        case _:
            lines = text.split("\n")
            new = "\n" + random.choice(lines) + "\n"
    places = document.places
    return types.TextDocumentContentChangePartial(types.Range(places.position(start), places.position(end)), new)


def looked_at(desk: Desk, document: OpenDocument, random: Random) -> None:
    """Asks for something at a place, which may lie outside."""
    session = desk.session
    where = types.Position(random.randrange(document.text.count("\n") + 3), random.randrange(90))
    asked: list[Callable[[], object]] = [
        lambda: hover(session, document, where), lambda: definition(session, document, where),
        lambda: references(session, document, where, True), lambda: completion(session, document, where),
        lambda: quick_fixes(session, document, types.Range(where, where)), lambda: folds(document),
        lambda: renamable(session, document, where), lambda: outline(document, session.index(document.path)),
        lambda: colors(document, session.index(document.path)), lambda: lenses(session, document),
        lambda: laid_out(document),
    ]
    random.choice(asked)()
    if random.random() < 0.1:
        with suppress(CannotRename):
            renaming(session, document, where, "another_name")


def told(found: Iterator[Diagnostic] | list[Diagnostic]) -> set[Place]:
    """What was found, without the folder it was found in."""
    return {(one.code, Path(one.span.path).name, one.span.line, one.span.column, one.message.replace(
        str(Path(one.span.path).parent), "")) for one in found}


def run(rules: Path, edits: int, seed: int, each: int) -> None:
    """Edits the rules in a folder, or in one file. Raises `AssertionError` where an editor is told something else than
    a check of the saved files says."""
    random = Random(seed)
    files = sorted(rules.glob("*.rules")) if rules.is_dir() else [rules]
    with tempfile.TemporaryDirectory() as scratch:
        where = Path(scratch) / "open" / (rules.name if rules.is_dir() else "")
        shutil.copytree(rules, where) if rules.is_dir() else where.mkdir(parents=True)
        if not rules.is_dir():
            shutil.copy(rules, where)
        path = where / random.choice(files).name
        first = path.read_text("utf-8")
        desk = Desk(path)
        document = desk.open(first)
        for number in range(1, edits + 1):
            if number % FRESH == 0:
                document = desk.change(first)
            document = desk.edit(edited(document, random))
            looked_at(desk, document, random)
            if number % each == 0:
                desk.check()
                compared(desk, document, where, Path(scratch) / f"saved{number}")


def compared(desk: Desk, document: OpenDocument, where: Path, saved: Path) -> None:
    """Saves the text elsewhere, and checks what is there from the beginning."""
    shutil.copytree(where, saved)
    (saved / document.path.name).write_bytes(document.data)
    cold, _ = whole_check(saved, {})
    shown = [one for found in desk.session.found.values() for one in found]
    assert told(shown) == told(list(cold)), f"version {document.version}: {told(shown) ^ told(list(cold))}"
    shutil.rmtree(saved)


def main() -> None:
    """Edits each ruleset as often."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--edits", type=int, default=10_000)
    options.add_argument("--each", type=int, default=100)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--rules", action="append")
    asked = options.parse_args()
    chosen = asked.rules or RULESETS
    for number, name in enumerate(chosen):
        edits = asked.edits // len(chosen)
        run(Path(__file__).parents[2] / "rulesets" / name, edits, asked.seed + number, asked.each)
        print(f"{name}: {edits} edits, nothing crashed, {edits // asked.each} checks told the same")


if __name__ == "__main__":
    main()
