"""Random edits as an editor sends them: to `referee lsp` over pipes, with requests, pauses and nonsense between them.

`python -m tests.editors.edits_over_pipes --edits 10000` edits bundled rulesets, one server each. At each hundredth what
the editor was last told is what a cold check of the saved files finds, every place and word of it. No request is
answered by an error of the server's own, none of its processes ends, and it ends when it is asked to. `--seed`,
`--each` how many edits lie between two comparisons, `--rules NAME` (again for each) which rulesets.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from lsprotocol import converters, types

from referee.editors.background import whole_check
from referee.editors.open_documents import OpenDocument, OpenDocuments
from referee.editors.shown_diagnostics import shown
from referee.editors.text_positions import TextPlaces
from tests.editors.editor_client import Editor, Refused, editing
from tests.editors.random_edits import FRESH, RULESETS, edited

PAUSES, NONSENSE, RENAMES = 0.03, 0.02, 0.02
"""The share of edits after which nobody writes for a moment (a whole check begins), something comes that makes no
sense, and among requests of renamings, each of which loads the rules twice."""
MOMENT = 0.2
Shown = tuple[str, str, str]
CONVERTER = converters.get_converter()


class Writer:
    """Somebody who edits one file of a ruleset in an editor."""

    def __init__(self, editor: Editor, path: Path, random: Random) -> None:
        self.editor, self.path, self._random = editor, path, random
        self._texts = OpenDocuments()
        self.first = path.read_text("utf-8")
        self.version = 1
        self._texts.open(path.as_uri(), 1, self.first)
        editor.open(path, self.first)

    @property
    def document(self) -> OpenDocument:
        """The text as it is."""
        return self._texts.get(self.path.as_uri())

    def edit(self, change: types.TextDocumentContentChangeEvent) -> None:
        """Changes the text here and there."""
        self.version += 1
        self._texts.change(self.path.as_uri(), self.version, [change])
        self.editor.change(self.path, CONVERTER.unstructure(change))

    def ask(self) -> None:
        """Asks for something at a place, which may lie outside. Raises `AssertionError` for an answer that tells of an
        error of the server's own."""
        line, character = self._random.randrange(self.document.text.count("\n") + 3), self._random.randrange(90)
        at = self.editor.at(self.path, line, character)
        whole = {"textDocument": at["textDocument"]}
        place = {"start": at["position"], "end": at["position"]}
        asked: list[tuple[str, dict[str, object]]] = [
            ("hover", at), ("definition", at), ("references", {**at, "context": {"includeDeclaration": True}}),
            ("completion", at), ("codeAction", {**whole, "range": place, "context": {"diagnostics": []}}),
            ("foldingRange", whole), ("prepareRename", at), ("documentSymbol", whole), ("codeLens", whole),
            ("semanticTokens/full", whole),
            ("formatting", {**whole, "options": {"tabSize": 2, "insertSpaces": True}}),
        ]
        what, params = self._random.choice(asked)
        if self._random.random() < RENAMES:
            what, params = "rename", {**at, "newName": "another_name"}
        refused = self.refusal(f"textDocument/{what}", params)
        assert refused is None or refused.code == INVALID, (what, params, refused)

    def nonsense(self) -> None:
        """Sends what no editor should."""
        uri = self.path.as_uri()
        senseless: list[Callable[[], None]] = [
            lambda: self.editor.raw(b"{"), lambda: self.editor.raw(b"[]"), lambda: self.editor.raw(b'"\xff"'),
            lambda: self.editor.raw(b'{"jsonrpc": "2.0", "method": 7, "params": []}'),
            lambda: self.editor.send("textDocument/didOpen", {"textDocument": {
                "uri": "untitled:1", "languageId": "referee", "version": 1, "text": "game"}}),
            lambda: self.editor.send("textDocument/didChange", {"textDocument": {
                "uri": uri + "x", "version": 3}, "contentChanges": [{"text": "x"}]}),
            lambda: self.editor.send("textDocument/didChange", {"textDocument": {"uri": uri}, "contentChanges": 7}),
            lambda: self.editor.send("textDocument/didClose", {"textDocument": {"uri": "file:///\u202e<b>"}}),
            lambda: self.editor.send("no/such", {"method": None}),
            lambda: self.editor.send("$/cancelRequest", {"id": "none"}),
            lambda: self.refused("textDocument/hover", {"textDocument": uri, "position": "here"}),
            lambda: self.refused("textDocument/hover", {"textDocument": {"uri": uri}, "position": {
                "line": -1, "character": "x"}}),
            lambda: self.refused("textDocument/rename", {}),
            lambda: self.refused("workspace/executeCommand", {"command": "no.such", "arguments": [{}]}),
            lambda: self.refused("no/such/request", None),
        ]
        self._random.choice(senseless)()

    def refused(self, method: str, params: object) -> None:
        """A request that has to be answered, by an error."""
        assert self.refusal(method, params) is not None, (method, params)

    def refusal(self, method: str, params: object) -> Refused | None:
        """Why a request was not answered; None if it was."""
        try:
            self.editor.ask(method, params)
        except Refused as why:
            return why
        return None

    def settled(self) -> None:
        """Waits until the whole check of the text as it is has been told: after what is seen at once. Other files are
        told of in the same breath, so before the answer to what is asked then."""
        told = 0
        while told < 2:
            one = self.editor.until("textDocument/publishDiagnostics")
            told += one["uri"] == self.path.as_uri() and one.get("version") == self.version
        self.editor.ask("textDocument/foldingRange", {"textDocument": {"uri": self.path.as_uri()}})

    def told(self) -> set[Shown]:
        """What the editor shows now: of each file, without the folder it lies in."""
        return {as_shown(uri.rpartition("/")[2], one, self.path.parent)
                for uri, found in self.editor.published.items() for one in found}


INVALID = -32602
"""The code of the protocol for what cannot be answered as it was asked."""
TOLD_OF_NONSENSE = ("is not open", "only files", "Invalid Params", "Expecting property name", "can't decode byte",
                    "can only concatenate", "has no attribute 'jsonrpc'")
"""Parts of what an editor is told of `nonsense`; nothing else may be told."""


def as_shown(name: str, one: dict[str, Any], folder: Path) -> Shown:
    """A diagnostic to be compared: its file, its range, and all that is said."""
    return name, str(one["range"]), f"{one['code']} {one['severity']} {one['message']}".replace(str(folder), "")


def found_cold(writer: Writer, where: Path, saved: Path) -> set[Shown]:
    """What a check from the beginning finds in the text as it is, saved elsewhere."""
    shutil.copytree(where, saved)
    (saved / writer.path.name).write_bytes(writer.document.data)
    found, _ = whole_check(saved, {})
    texts = {path: TextPlaces(path.read_bytes().decode("utf-8", "replace"), types.PositionEncodingKind.Utf16)
             for path in {Path(one.span.path) for one in found}}
    made = {as_shown(Path(one.span.path).name, CONVERTER.unstructure(shown(one, texts.__getitem__)), saved)
            for one in found}
    shutil.rmtree(saved)
    return made


def run(rules: Path, edits: int, seed: int, each: int) -> tuple[int, int]:
    """Edits the rules in a folder, or in one file: how many comparisons were made, and in how many there was something
    to compare. Raises `AssertionError` where the server errs."""
    random = Random(seed)
    compared = wrong = 0
    with tempfile.TemporaryDirectory() as scratch:
        where = Path(scratch) / "open" / (rules.name if rules.is_dir() else rules.stem)
        shutil.copytree(rules, where) if rules.is_dir() else where.mkdir(parents=True)
        if not rules.is_dir():
            shutil.copy(rules, where)
        with editing(Path(scratch)) as editor:
            writer = Writer(editor, random.choice(sorted(where.glob("*.rules"))), random)
            for number in range(1, edits + 1):
                if number % FRESH == 0:
                    writer.edit(types.TextDocumentContentChangeWholeDocument(writer.first))
                writer.edit(edited(writer.document, random))
                if number % each == 0:
                    writer.settled()
                    cold = found_cold(writer, where, Path(scratch) / f"saved{number}")
                    assert writer.told() == cold, f"version {writer.version}: {writer.told() ^ cold}"
                    compared, wrong = compared + 1, wrong + bool(cold)
                writer.ask()
                if random.random() < NONSENSE:
                    writer.nonsense()
                if random.random() < PAUSES:
                    time.sleep(MOMENT)
            ours = [one for one in editor.messages if not any(words in one for words in TOLD_OF_NONSENSE)]
            assert not ours, ours
    return compared, wrong


def main() -> None:
    """Edits each ruleset as often."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--edits", type=int, default=10_000)
    options.add_argument("--each", type=int, default=100)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--rules", action="append")
    asked = options.parse_args()
    Editor.patience = 3_600.0  # beside other work, at the lowest priority
    chosen = asked.rules or RULESETS
    for number, name in enumerate(chosen):
        begun, edits = time.monotonic(), asked.edits // len(chosen)
        compared, wrong = run(Path(__file__).parents[2] / "rulesets" / name, edits, asked.seed + number, asked.each)
        print(f"{name}: {edits} edits, nothing crashed, {compared} checks told the same, {wrong} of them of something "
              f"wrong, {time.monotonic() - begun:.0f} s", flush=True)


if __name__ == "__main__":
    main()
