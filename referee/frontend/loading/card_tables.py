"""Data files of cards: TOML, CSV or JSON, one row for each component class."""

from __future__ import annotations

import csv
import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from referee.diagnostics.source import Span
from referee.frontend.names.symbol_table import Symbols
from referee.frontend.names.tree_access import first, node, nodes, word, words
from referee.syntax.syntax_tree import Node, Part, Word
from referee.system.file_observations import PathKind, barred
from referee.system.inner_paths import Outside, inner_path

MOST_BYTES = 2_000_000
"""A data file with more bytes is refused."""
MOST_ROWS = 5_000
"""Rows of a kind in a data file: more are refused."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a data file, or a `class` line: the name of the class, its other columns, and where it stands."""

    name: str
    values: Mapping[str, object]
    place: str
    span: Span | None = None


def read_rows(symbols: Symbols, kind: str, source: Word) -> tuple[Row, ...]:
    """The rows of the data file of a kind, or those that stand in its place. Raises Wrong (reported, DT01 to DT04)."""
    said = source.text[1:-1]
    if kind in symbols.pool:
        return _distinct(symbols, kind, source, "pool", json.loads(symbols.pool[kind]))
    try:
        path = _inside(symbols, source, said)
        if symbols.looks.found(path) is PathKind.NOTHING:
            why = barred(path) or "there is no such file"
            raise symbols.wrong("DT01", f"{said} cannot be read: {why}", source.span)
        data = symbols.looks.read(path, MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise symbols.wrong("DT01", f"{said} is larger than {MOST_BYTES:,} bytes", source.span)
        text = data.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
        entries = list(_entries(path.suffix, text))
    except OSError as error:
        why = (error.strerror or "it is no usable path").lower()
        raise symbols.wrong("DT01", f"{said} cannot be read: {why}", source.span) from None
    except (ValueError, RuntimeError, csv.Error) as error:
        raise symbols.wrong("DT01", f"{said} cannot be read: {error}", source.span) from None
    return _distinct(symbols, kind, source, said, entries)


def columns_of(kind: Node, decls: Sequence[Node]) -> tuple[str, ...]:
    """The columns that the rows of a kind have: one for each attribute, or for each member of a type that it is of."""
    types = {word(d.parts[0]).text: d for d in decls if d.kind in ("type_decl", "kind")}
    found: list[str] = []
    for attribute in nodes(kind, "attribute"):
        key = attribute.parts[1]
        of = types.get(key.text) if isinstance(key, Word) else None
        members = None if of is None else first(of, "order", "names")
        found += [word(attribute.parts[0]).text] if members is None else [w.text for w in words(members)]
    return tuple(found)


def _distinct(symbols: Symbols, kind: str, source: Word, said: str, entries: Sequence[object]) -> tuple[Row, ...]:
    """The rows, each with a name of its own."""
    rows = tuple(_row(symbols, source, entry, f"{said} row {number}") for number, entry in enumerate(entries, 1))
    if not rows or len(rows) > MOST_ROWS:
        raise symbols.wrong("DT01", f"{said} has {len(rows)} rows for {kind}, expected 1 to {MOST_ROWS}", source.span)
    seen: dict[str, Row] = {}
    for row in rows:
        if row.name in seen:
            raise symbols.wrong("DT04", f"{row.place}: the name {row.name} stands twice", source.span)
        seen[row.name] = row
    return rows


def class_rows(decls: Sequence[Node]) -> tuple[Row, ...]:
    """The rows that `class NAME of KIND: COLUMN VALUE, ...` lines say."""
    return tuple(_of_line(decl) for decl in decls)


def _of_line(decl: Node) -> Row:
    name = word(decl.parts[0]).text
    said = {word(v.parts[0]).text: _said(v.parts[1]) for v in nodes(decl, "class_value")}
    return Row(name, said, f"class {name}", decl.span)


def _said(cell: Part) -> object:
    if isinstance(cell, Word):
        return int(cell.text) if cell.type == "INT" and len(cell.text) < 10 else cell.text
    said = node(cell)
    return -int(word(said.parts[0]).text[:9]) if said.kind == "minus_int" else said.kind


def _inside(symbols: Symbols, source: Word, said: str) -> Path:
    """The path of a data file, which lies in the folder of the ruleset."""
    try:
        return inner_path(symbols.folder, said, symbols.looks.real)
    except Outside as error:
        raise symbols.wrong("DT01", f"{said} {error}", source.span) from None


def _entries(suffix: str, text: str) -> Iterator[object]:
    if suffix == ".csv":
        for row in csv.DictReader(StringIO(text)):
            if None in row:
                raise ValueError("a row has more columns than the first one names")
            yield row
        return
    if suffix not in (".toml", ".json"):
        raise ValueError(f"a data file is .toml, .csv or .json, not {suffix or 'without ending'}")
    data: object = tomllib.loads(text) if suffix == ".toml" else json.loads(text)
    if isinstance(data, dict):
        lists = [value for value in data.values() if isinstance(value, list)]
        if len(lists) != 1:
            raise ValueError("expected one list of rows")
        data = lists[0]
    if not isinstance(data, list):
        raise ValueError("expected a list of rows")
    yield from data


def _row(symbols: Symbols, source: Word, entry: object, place: str) -> Row:
    name = entry.get("name") if isinstance(entry, dict) else None
    if not isinstance(entry, dict) or not isinstance(name, str) or not 0 < len(name) <= 80 or not name.isprintable():
        raise symbols.wrong("DT02", f"{place} has no `name`", source.span)
    return Row(name, {str(k): v for k, v in entry.items()}, place)
