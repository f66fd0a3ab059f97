"""How the table is drawn: the `table` sections of a ruleset, of which a game takes no notice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from referee.core.ruleset import TURN, WINNERS, Role, TableLook
from referee.core.types import PLAYER
from referee.frontend.names.symbol_table import Symbols
from referee.frontend.names.tree_access import called, nodes, text, words
from referee.syntax.syntax_tree import Node, Word
from referee.system.file_observations import FileObservations, PathKind, barred
from referee.system.inner_paths import Outside, inner_path
from referee.system.picture_files import MOST_BYTES, picture_form

LOOKS = "looks"
"""The section, as the grammar calls it."""
LONGEST_TITLE = 60
"""Letters of the title of a group: longer ones are refused."""


class PictureFiles:
    """Reads the pictures of one ruleset, each once however many shapes it has."""

    def __init__(self) -> None:
        self._found: dict[Path, int | str] = {}

    def size(self, looks: FileObservations, folder: Path, said: str) -> int:
        """How many bytes a picture has. Raises `ValueError`, which says why it is none."""
        try:
            path = inner_path(folder, said, looks.real)
        except Outside as error:
            raise ValueError(error) from None
        except (OSError, RuntimeError, ValueError):
            raise ValueError("is no usable path") from None
        if path not in self._found:
            self._found[path] = self._read(looks, path)
        found = self._found[path]
        if isinstance(found, str):
            raise ValueError(found)
        return found

    @staticmethod
    def _read(looks: FileObservations, path: Path) -> int | str:
        if looks.found(path) is PathKind.NOTHING:
            return f"cannot be read: {barred(path) or 'there is no such file'}"
        try:
            data = looks.read(path, MOST_BYTES + 1)
            if len(data) <= MOST_BYTES:
                picture_form(data)
        except OSError as error:
            return f"cannot be read: {(error.strerror or 'it is no usable path').lower()}"
        except ValueError as error:
            return f"cannot be drawn: {error}"
        return len(data)


class _LookLines:
    """Reads what the sections of one ruleset say, line by line, in one shape."""

    def __init__(self, symbols: Symbols, files: PictureFiles) -> None:
        self._symbols, self._files = symbols, files
        self._places = {*symbols.zones, *(name for name, var in symbols.vars.items() if var.role is Role.STATE)}
        self._places -= {TURN, WINNERS}
        seats = symbols.domains[PLAYER].labels
        self._pictured = {*self._places, *symbols.kinds, *(one.without_owner(seats) for one in symbols.components)}
        self._sizes: dict[str, int] = {}
        self._stood: dict[tuple[str, str], Word] = {}
        self.pictures: dict[str, str] = {}
        self.order: list[str] = []
        self.groups: list[tuple[str, tuple[str, ...]]] = []

    def line(self, line: Node) -> None:
        """One of the lines of a section."""
        match line.kind:
            case "picture":
                self._picture(*words(line, "NAME", "PROPER", "INT", "STRING"))
            case "first_drawn":
                self.order += self._named(line, "order")
            case _:
                title = next(words(line, "STRING"))
                if not 0 < len(text(title).strip()) <= LONGEST_TITLE:
                    expected = (f"a text of 1 to {LONGEST_TITLE} letters",)
                    self._symbols.wrong("TS01", "this is no title of a group", title.span, expected=expected)
                self.groups.append((text(title).strip(), tuple(self._named(line, "group"))))

    def _named(self, line: Node, what: str) -> Iterator[str]:
        """The zones and counters of a line; each stands in one line of a sort."""
        for one in words(line, "NAME"):
            if one.text not in self._places:
                self._symbols.unknown(one, "a zone or a counter", self._places)
            elif self._once(what, one):
                yield one.text

    def _once(self, what: str, name: Word) -> bool:
        first = self._stood.setdefault((what, called(name)), name)
        if first.span != name.span:
            note = (("it stands here", first.span),)
            message = f"{called(name)} stands a second time: {_TWICE[what]}"
            self._symbols.reporter.error("TS02", message, name.span, notes=note)
        return first.span == name.span

    def _picture(self, name: Word, file: Word) -> None:
        plain = replace(name, text=called(name))
        if plain.text not in self._pictured:
            if not self._symbols.pool:  # the rows of a log may have other names
                self._symbols.unknown(plain, "a kind, a class of components, a zone or a counter", self._pictured)
        elif self._once("picture", name):
            said = text(file)
            try:
                size = self._files.size(self._symbols.looks, self._symbols.folder, said)
            except ValueError as error:
                self._symbols.wrong("TS03", f"{said[:80] or 'nothing'} {error}", file.span)
                return
            if sum({**self._sizes, said: size}.values()) > MOST_BYTES:
                message = f"with this one the pictures have more than {MOST_BYTES:,} bytes"
                self._symbols.wrong("TS03", message, file.span)
                return
            self._sizes[said] = size
            self.pictures[plain.text] = said


_TWICE = {"order": "it has one place in the order", "group": "it belongs to one group", "picture": "it has one picture"}


def table_look(symbols: Symbols, decls: Iterable[Node], files: PictureFiles) -> TableLook:
    """What all sections say together. Errors are reported: names of nothing that is drawn (NM01), titles that are none
    (TS01), names that stand twice (TS02), files that are no pictures, or too large together (TS03)."""
    reading = _LookLines(symbols, files)
    for decl in decls:
        for line in nodes(decl):
            reading.line(line)
    return TableLook(reading.pictures, tuple(reading.order), tuple(reading.groups))
