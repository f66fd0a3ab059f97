"""Where a name is declared, and where it is spoken of."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types

from referee.diagnostics.source import Span
from referee.editors.open_documents import OpenDocument
from referee.editors.session import EditorSession


def definition(session: EditorSession, document: OpenDocument, position: types.Position) -> list[types.Location]:
    """Where what stands at a place is declared; a statement of the rulebook in its list."""
    meant = session.index(document.path).meant_at(str(document.path), *document.places.place(position))
    if meant is None:
        return []
    if meant.cited:
        return statement_places(session, document.path, meant.name)
    return [location(session, one.span) for one in meant.declared]


def statement_places(session: EditorSession, path: Path, name: str) -> list[types.Location]:
    """The head of a statement in `statements.toml`."""
    where = session.ruleset(path).where
    listed = (where if where.suffix != ".rules" else where.parent) / "statements.toml"
    places = session.places(listed)
    for quote in ("", '"', "'"):
        head = f"[statement.{quote}{name}{quote}]"
        at = places.text.find(f"\n{head}") + 1 or (0 if places.text.startswith(head) else -1)
        if at >= 0:
            found = types.Range(places.position(at), places.position(at + len(head)))
            return [types.Location(session.uri(listed), found)]
    return []


def references(session: EditorSession, document: OpenDocument, position: types.Position, declared: bool
               ) -> list[types.Location]:
    """Wherever what stands at a place is spoken of. `declared`: its declarations too."""
    index = session.index(document.path)
    meant = index.meant_at(str(document.path), *document.places.place(position))
    if meant is None:
        return []
    own = {(one.span.path, one.span.line, one.span.column) for one in meant.declared}
    return [location(session, span) for span in index.references(meant)
            if declared or meant.cited or (span.path, span.line, span.column) not in own]


def location(session: EditorSession, span: Span) -> types.Location:
    """A place in a file."""
    path = Path(span.path)
    return types.Location(session.uri(path), session.places(path).range(span))
