"""Another name for what stands at a place, wherever it is spoken of; only if the rules mean the same then."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from lsprotocol import types

from referee.diagnostics.source import Span
from referee.editors.names.block_words import words_of
from referee.editors.names.name_index import Meant, NameIndex
from referee.editors.open_documents import OpenDocument
from referee.editors.session import EditorSession

_SMALL, _LARGE = re.compile(r"[a-z_]\w{0,79}", re.ASCII), re.compile(r"[A-Z]\w{0,79}", re.ASCII)


class CannotRename(Exception):
    """Why something cannot be called otherwise."""


@dataclass(frozen=True, slots=True)
class Renaming:
    """Where a name is replaced, and the texts that come of it."""

    old: str
    spans: tuple[Span, ...]
    texts: Mapping[Path, bytes]


def renamable(session: EditorSession, document: OpenDocument, position: types.Position) -> types.Range | None:
    """The name at a place that can be another one; None if there is none."""
    meant = _meant(session, document, position)
    return None if meant is None or meant.cited else document.places.range(meant.word)


def renaming(session: EditorSession, document: OpenDocument, position: types.Position, new: str) -> Renaming:
    """What is to be replaced for a new name. Raises `CannotRename`."""
    meant = _meant(session, document, position)
    if meant is None:
        raise CannotRename("there is no name here")
    if meant.cited:
        raise CannotRename("a statement of a rulebook keeps its id: other files speak of it")
    wanted = _LARGE if meant.name[:1].isupper() else _SMALL
    if not wanted.fullmatch(new):
        begins = "a capital letter" if wanted is _LARGE else "a small letter"
        raise CannotRename(f"{new[:80]!r} is no such name: {begins}, then letters, digits and _")
    index = session.index(document.path)
    if _taken(index, meant, new):
        raise CannotRename(f"{new} stands here already, as a name or as a word of the language")
    spans = tuple(index.references(meant))
    texts: dict[Path, bytes] = {}
    for path in {Path(span.path) for span in spans}:
        places = session.places(path)
        text = places.text
        for span in sorted((one for one in spans if one.path == str(path)), reverse=True):
            at = places.at(span.line, span.column)
            text = text[:at] + new + text[at + len(meant.name) :]
        texts[path] = text.encode("utf-8", "surrogatepass")
    return Renaming(meant.name, spans, texts)


def edits(session: EditorSession, renamed: Renaming, new: str) -> types.WorkspaceEdit:
    """A renaming as an editor carries it out."""
    changes: dict[str, list[types.TextEdit]] = {}
    for span in renamed.spans:
        path = Path(span.path)
        changes.setdefault(session.uri(path), []).append(types.TextEdit(session.places(path).range(span), new))
    return types.WorkspaceEdit(changes=changes)


def _meant(session: EditorSession, document: OpenDocument, position: types.Position) -> Meant | None:
    return session.index(document.path).meant_at(str(document.path), *document.places.place(position))


def _taken(index: NameIndex, meant: Meant, new: str) -> bool:
    """Whether the new name is said already where the old one is known."""
    blocks = [meant.declared[0].block] if meant.local else [one for blocks in index.blocks.values() for one in blocks]
    return any(word.text.partition("#")[0] == new for block in blocks if new in block.text
               for word in words_of(block.text) if word.kind in ("word", "id"))
