"""The formatter: the one way to lay out a rules text. It works on the tokens, so no word and no comment is lost."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from referee.diagnostics.diagnostic import Problems, Reporter
from referee.diagnostics.source import Source
from referee.syntax import layout
from referee.syntax.layout import LogicalLine, Plan
from referee.syntax.lr_parser import Machine, Stuck, machine
from referee.syntax.parser import parse
from referee.syntax.scanner import indent_of, pieces
from referee.syntax.syntax_tree import Word
from referee.syntax.text_reader import is_text

_IDS_COLUMN = 76
"""The column before which what a line cites does not begin."""
_INDENT = "  "
_FURTHER = "    "  # what a continued line is indented more than its first: deeper than a body would be
_CONDITIONS = frozenset({"expect", "given"})  # the lines of a scenario that hold values
_TIGHT_BEFORE = frozenset({",", ";", ":", ")", "}", ".."})
_TIGHT_AFTER = frozenset({"(", "{", ".."})
_ENDS_VALUE = frozenset({"NAME", "PROPER", "INT", "COMPONENT", "STRING", "RPAR", "RBRACE"})


def format_text(text: str, path: str = "rules", engine: Machine | None = None) -> str:
    """The text laid out anew: same words, same comments. Formatting twice is formatting once.

    Raises Problems if the text does not parse; tabs in the indentation, and levels of more than two spaces, are no
    hindrance.
    """
    engine = engine or machine()
    source = Source(path, text)
    reporter = Reporter()
    if not is_text(source, reporter):
        raise Problems(reporter.found(), (source,))
    plan = layout.plan(source, reporter)
    words = engine.words("\n".join(plan.texts) + "\n", plan.depths()) if not plan.hopeless else None
    if words is None or isinstance(words, Stuck):
        plan.complain_of_depth(reporter)
        parse(source, reporter, engine)
    if isinstance(words, list) and all(found.code == "SY10" for found in reporter.found()):
        return _Printer(plan, words, engine.values | _ENDS_VALUE).text()
    raise Problems(reporter.found(), (source,))


@dataclass(slots=True)
class _Row:
    """One physical line to be: its indentation, its cells (more than one in a table), ids and comment."""

    indent: str
    cells: list[str] = field(default_factory=list)
    ids: str = ""
    comment: str = ""

    def text(self) -> str:
        line = self.indent + " | ".join(self.cells).rstrip()
        if self.ids:
            line = line.ljust(_IDS_COLUMN - 2) + "  " + self.ids
        if self.comment:
            line = line + "  " + self.comment if line.strip() else self.indent + self.comment
        return line.rstrip()


class _Printer:
    """Puts the tokens of a plan's lines together again."""

    def __init__(self, plan: Plan, words: Sequence[Word], ends_value: frozenset[str]) -> None:
        self._plan = plan
        self._ends_value = ends_value
        self._by_line: dict[int, list[Word]] = {}
        for word in words:
            self._by_line.setdefault(word.span.line, []).append(word)
        self._heads = {line.first for line, below in pairwise(plan.lines) if below.depth > line.depth}
        self._rows: list[_Row] = []
        self._scenario = self._event = False
        self._class = self._effect = False

    def text(self) -> str:
        """The whole text."""
        before: LogicalLine | None = None
        for line in self._plan.lines:
            self._between(before, line)
            self._line(line)
            before = line
        self._between(before, None)
        _align(self._rows)
        joined = "\n".join(row.text() for row in self._rows).strip("\n")
        return joined + "\n" if joined else ""

    # ------------------------------------------------------------ between lines

    def _between(self, before: LogicalLine | None, after: LogicalLine | None) -> None:
        """Comments and at most one blank line in a row between two logical lines."""
        first = before.last + 1 if before else 1
        last = after.first - 1 if after else len(self._plan.texts)
        low = after.depth if after else 0
        high = max(low, before.depth if before else 0)
        for number in range(first, last + 1):
            text = self._plan.texts[number - 1].strip()
            if text:
                depth = min(high, max(low, self._level(number)))
                self._rows.append(_Row(_INDENT * depth, comment=text))
            elif self._rows and self._rows[-1].text():
                self._rows.append(_Row(""))

    def _level(self, number: int) -> int:
        """How deep a comment of its own stands."""
        text = self._plan.texts[number - 1]
        return (indent_of(text[: len(text) - len(text.lstrip())] + "x") or 0) // len(_INDENT)

    # ------------------------------------------------------------ one line

    def _line(self, line: LogicalLine) -> None:
        """A logical line, broken where it was broken before."""
        before: Word | None = None
        head = self._by_line.get(line.first, [])
        said = head[0].text if head else ""
        inside = bool(head) and head[0].type == "SETTLED"  # what is cited stands before the words that it has
        self._scenario = said == "scenario" if line.depth == 0 else self._scenario
        self._event = self._scenario and said not in _CONDITIONS
        self._class = said == "class" if line.depth == 0 else self._class
        self._effect = self._class and line.depth == 1 and said != "phase"
        for number in range(line.first, line.last + 1):
            row = _Row(_INDENT * line.depth + (_FURTHER if number > line.first else ""))
            words = self._by_line.get(number, [])
            cited = [] if inside else [word for word in words if word.type == "CITE"]
            row.ids = " ".join(map(_tidy, cited))
            row.cells = self._cells([word for word in words if word not in cited], before)
            row.comment = self._comment(number)
            before = words[-1] if words else before
            if row.text():
                self._rows.append(row)
        self._without_colon(line)

    def _without_colon(self, line: LogicalLine) -> None:
        """Takes away the colon before an indented block, which may stand there but need not. The head of an effect of a
        component keeps its own."""
        row = self._rows[-1]
        if self._class and line.depth == 1:
            return
        if line.first in self._heads and row.cells and row.cells[-1].endswith(":"):
            row.cells[-1] = row.cells[-1][:-1]

    def _comment(self, number: int) -> str:
        text = self._plan.texts[number - 1]
        if "#" not in text:
            return ""
        return next((piece.text.rstrip() for piece in pieces(text) if piece.kind == "comment"), "")

    def _cells(self, words: Iterable[Word], before: Word | None) -> list[str]:
        """The words with blanks between them, cut at each `|`."""
        cells = [""]
        start = True
        for word in words:
            if word.text == "|":
                cells.append("")
            else:
                gap = " " if cells[-1] and not start and self._is_apart(before, word) else ""
                cells[-1] += gap + _tidy(word)
            self._unary(word, before)
            before, start = word, False
        return cells

    def _unary(self, word: Word, before: Word | None) -> None:
        """Notes a `-` that begins a number, so that the number follows it at once; in events there is no other one."""
        begins = self._event or before is None or before.type not in self._ends_value
        self._sign = word.text == "-" and begins

    def _is_apart(self, before: Word | None, word: Word) -> bool:
        """Whether a blank stands between two words of a line."""
        if before is None or word.text in _TIGHT_BEFORE or word.text.startswith(","):
            return False
        if before.text in _TIGHT_AFTER or (before.text == "-" and self._sign):
            return False
        if self._effect and (word.text == "(" or before.type == "LOGGED_AS"):  # what an effect costs stands before that
            self._effect = False
            return True
        # A word of the language may be an event's name, which only the grammar could tell: there it stays as it is.
        return not (word.text == "(" and (before.type == "NAME" or before.span.end_column == word.span.column))


def _tidy(word: Word) -> str:
    """A token as it is to be written: one blank where there were several, and one after a comma in it."""
    if word.type == "STRING":
        return word.text
    return re.sub(r"^, ?(?=.)", ", ", re.sub(r"[ \t]+", " ", word.text))


def _align(rows: list[_Row]) -> None:
    """Gives the cells of neighbouring rows of a table the same width; comments between them do not matter."""
    table: list[_Row] = []
    for row in rows:
        if not row.cells and row.comment:
            continue
        if table and (len(row.cells), row.indent) != (len(table[0].cells), table[0].indent):
            _widen(table)
            table = []
        if len(row.cells) > 1:
            table.append(row)
    _widen(table)


def _widen(table: list[_Row]) -> None:
    for column in range(len(table[0].cells) if table else 0):
        width = max(len(row.cells[column]) for row in table)
        for row in table:
            row.cells[column] = row.cells[column].ljust(width)
