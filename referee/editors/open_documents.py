"""The texts that are open in an editor, as it has them now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from lsprotocol import types
from pygls.uris import to_fs_path

from referee.editors.text_positions import TextPlaces, applied
from referee.syntax.size_limits import SOURCE_BYTES

MOST_CHARACTERS = 4 * SOURCE_BYTES
"""Of a larger text nothing is kept but that it is too large."""
MOST_OPEN = 1_000
"""Texts that are open at once; a further one is not looked at."""


class NotOpen(Exception):
    """An editor speaks of a text that it has not opened, or of a place that is no file."""


@dataclass(frozen=True)
class OpenDocument:
    """One text: where it lies (`uri` as the editor calls it), which `version` of it this is."""

    uri: str
    path: Path
    version: int | None
    text: str
    encoding: str

    @cached_property
    def places(self) -> TextPlaces:
        """The places in it."""
        return TextPlaces(self.text, self.encoding)

    @property
    def is_rules(self) -> bool:
        """Whether it is a rules file."""
        return self.path.suffix == ".rules"

    @property
    def is_log(self) -> bool:
        """Whether it is a log, by its header."""
        return self.path.suffix == ".jsonl" and '"referee/log/' in self.text[:4_000].partition("\n")[0]

    @property
    def data(self) -> bytes:
        """The text as a file would hold it: what has no such form is what no reader takes either."""
        return self.text.encode("utf-8", "surrogatepass")


class OpenDocuments:
    """All that are open."""

    def __init__(self) -> None:
        self.encoding: str = types.PositionEncodingKind.Utf16
        self._known: dict[str, OpenDocument] = {}

    def __iter__(self) -> Iterator[OpenDocument]:
        return iter(tuple(self._known.values()))

    def open(self, uri: str, version: int | None, text: str) -> OpenDocument:
        """Takes a text. Raises `NotOpen` for what lies in no file, and for too many."""
        path = to_fs_path(uri) if uri.startswith("file:") else None
        if path is None or "\0" in path:
            raise NotOpen(f"only files are looked at, not {uri[:200]!r}")
        if len(self._known) >= MOST_OPEN and uri not in self._known:
            raise NotOpen(f"more than {MOST_OPEN:,} texts are open")
        text = text if len(text) <= MOST_CHARACTERS else text[: MOST_CHARACTERS + 1]
        made = OpenDocument(uri, Path(path), version, text, self.encoding)
        self._known[uri] = made
        return made

    def change(self, uri: str, version: int | None,
               changes: Sequence[types.TextDocumentContentChangeEvent]) -> OpenDocument:
        """Takes changes, one after the other. Raises `NotOpen`."""
        text = self.get(uri).text
        for change in changes:
            if isinstance(change, types.TextDocumentContentChangePartial):
                text = applied(TextPlaces(text, self.encoding), change.range, change.text)
            else:
                text = change.text
        return self.open(uri, version, text)

    def close(self, uri: str) -> OpenDocument:
        """Forgets a text. Raises `NotOpen`."""
        found = self.get(uri)
        del self._known[uri]
        return found

    def get(self, uri: str) -> OpenDocument:
        """The text of this name. Raises `NotOpen`."""
        found = self._known.get(uri)
        if found is None:
            raise NotOpen(f"{uri[:200]!r} is not open")
        return found

    def at(self, path: Path) -> OpenDocument | None:
        """The text that is open of a file."""
        return next((one for one in self._known.values() if one.path == path), None)

    def unsaved(self) -> Mapping[Path, bytes]:
        """Every open text, by its file: it stands in the place of what is saved."""
        return {one.path: one.data for one in self._known.values()}
