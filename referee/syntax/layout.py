"""Layout: which lines belong together, how deep each stands, and what is wrong with indentation and brackets.

Two spaces are one level. A line that ends in a comma, an operator (a sign, or a word such as `and`), or has an open
bracket, goes on in the next if that is indented deeper. Nothing here raises: a problem is reported, the likeliest
meaning assumed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from itertools import pairwise

from referee.diagnostics.diagnostic import Diagnostic, Reporter
from referee.diagnostics.source import Source, Span
from referee.syntax import size_limits
from referee.syntax.scanner import PAIRS, LinePiece, goes_on, indent_of, pieces, without_cites, without_comment
from referee.system.lazy_dataclasses import dataclass

CONTINUED = -1
"""Stands for the depth of a line that goes on with the one before it."""
_LEVEL = 2
"""Spaces of one level of indentation."""


@dataclass(frozen=True, slots=True)
class LogicalLine:
    """One logical line: the physical lines `first` to `last` (from 1), at a depth in levels."""

    first: int
    last: int
    depth: int


@dataclass(slots=True)
class Plan:
    """The layout of a text. `texts` are its physical lines without their ends.

    `marred` and `crooked` are the physical lines where brackets or quotes, or the indentation, are wrong; `too_deep`
    are complaints about indentation, by line, that are void if the line before turns out to stand not deep enough;
    `unsure` are lines that may also have been meant one level more or less deep.
    """

    texts: list[str]
    lines: list[LogicalLine] = field(default_factory=list)
    marred: set[int] = field(default_factory=set)
    crooked: set[int] = field(default_factory=set)
    too_deep: dict[int, Diagnostic] = field(default_factory=dict)
    unsure: dict[int, int] = field(default_factory=dict)
    hopeless: bool = False

    def depths(self) -> dict[int, int]:
        """For each physical line with code its depth, or CONTINUED."""
        return depths_of(self.lines)

    def complain_of_depth(self, reporter: Reporter, shallow: frozenset[int] = frozenset()) -> None:
        """Reports the lines that are too deep, but for those right after a line of `shallow`."""
        for before, line in pairwise(self.lines):
            if line.first in self.too_deep and before.first not in shallow:
                reporter.add(self.too_deep[line.first])

    def blocks(self) -> Iterator[list[LogicalLine]]:
        """The logical lines by block: each block starts at depth 0."""
        block: list[LogicalLine] = []
        for line in self.lines:
            if line.depth == 0 and block:
                yield block
                block = []
            block.append(line)
        if block:
            yield block


def depths_of(lines: Iterable[LogicalLine]) -> dict[int, int]:
    """For each physical line of some logical lines its depth, or CONTINUED."""
    found: dict[int, int] = {}
    for line in lines:
        found.update(dict.fromkeys(range(line.first + 1, line.last + 1), CONTINUED))
        found[line.first] = line.depth
    return found


def split_lines(text: str) -> list[str]:
    """The lines of a text without their ends (`\\n` or `\\r\\n`)."""
    return [line.removesuffix("\r") for line in text.split("\n")]


def plan(source: Source, reporter: Reporter) -> Plan:
    """The layout of a source, with everything wrong reported."""
    return _Planner(source, reporter).run()


class _Planner:
    """Goes through the physical lines once."""

    def __init__(self, source: Source, reporter: Reporter) -> None:
        self._path = source.path
        self._reporter = reporter
        self._plan = Plan(split_lines(source.text))
        self._texts = self._plan.texts
        self._indents = [indent_of(text) for text in self._texts]
        self._following = self._next_with_code()
        self._stack = [0]

    def _next_with_code(self) -> list[int | None]:
        following: list[int | None] = [None] * len(self._texts)
        later: int | None = None
        for number in range(len(self._texts) - 1, -1, -1):
            following[number] = later
            if self._indents[number] is not None:
                later = number
        return following

    def run(self) -> Plan:
        number: int | None = 0 if self._indents[0] is not None else self._following[0]
        before: int | None = None
        while number is not None and not self._plan.hopeless:
            last = self._extent(number)
            depth = self._depth(number, before, self._following[last])
            self._plan.lines.append(LogicalLine(number + 1, last + 1, depth))
            before, number = last, self._following[last]
        return self._plan

    # ------------------------------------------------------------ where a line ends

    def _extent(self, first: int) -> int:
        """The last physical line of the logical line that starts at `first`."""
        brackets: list[tuple[int, LinePiece]] = []
        last = closed = first
        while True:
            if self._brackets(last, brackets):
                closed = last
            following = self._following[last]
            if self._plan.hopeless or following is None:
                break
            code = without_comment(self._texts[last])
            if not (brackets or goes_on(code) or goes_on(without_cites(code))):
                break
            if not self._is_deeper(following, first, bool(brackets)):
                break
            if code.endswith("]"):
                self._cites_above(last)
            last = following
        if not brackets or self._plan.hopeless:
            return last
        self._unclosed(first, *brackets[0])
        return closed

    def _is_deeper(self, number: int, first: int, inside: bool) -> bool:
        here, start = self._indents[number] or 0, self._indents[first] or 0
        closes = inside and self._texts[number].lstrip()[:1] in (")", "}")
        return here > start or (closes and here == start)

    def _brackets(self, number: int, stack: list[tuple[int, LinePiece]]) -> bool:
        """Opens and closes the brackets of a physical line; True if one of an earlier line was closed."""
        text = self._texts[number]
        if not any(sign in text for sign in "(){}[]\""):
            return False
        closed_earlier = False
        for piece in pieces(text):
            if piece.kind == "opener":
                stack.append((number, piece))
            elif piece.kind == "closer":
                closed_earlier |= self._close(number, piece, stack)
            elif piece.kind in ("open_string", "open_cite"):
                self._cut_off(number, piece)
            if len(stack) > size_limits.OPEN_BRACKETS:
                self._too_deep(number, piece)
                return False
        return closed_earlier

    def _close(self, number: int, piece: LinePiece, stack: list[tuple[int, LinePiece]]) -> bool:
        if stack and PAIRS[stack[-1][1].text] == piece.text:
            return stack.pop()[0] != number
        self._mar(number)
        if not stack:
            self._reporter.error("SY20", f"`{piece.text}` closes nothing: no bracket is open here",
                                 self._span(number, piece), hint=f"remove the `{piece.text}`")
            return False
        opened_at, opener = stack.pop()
        self._reporter.error(
            "SY20", f"`{piece.text}` cannot close `{opener.text}`", self._span(number, piece),
            hint=f"close it with `{PAIRS[opener.text]}`", notes=(("opened here", self._span(opened_at, opener)),))
        return opened_at != number

    def _unclosed(self, first: int, number: int, piece: LinePiece) -> None:
        self._mar(first, number)
        self._reporter.error("SY20", f"this `{piece.text}` is never closed", self._span(number, piece),
                             hint=f"add the missing `{PAIRS[piece.text]}`")

    def _cites_above(self, number: int) -> None:
        """Statement ids that stand where the line goes on."""
        for piece in (one for one in pieces(self._texts[number]) if one.kind == "cite"):
            self._mar(number)
            self._reporter.error("SY14", "the line goes on, and these ids stand where it ends",
                                 self._span(number, piece), hint="put them behind the last word of the line")

    def _cut_off(self, number: int, piece: LinePiece) -> None:
        self._mar(number)
        if piece.kind == "open_string":
            curved = next((sign for sign in piece.text if sign in "\u201c\u201d\u201e"), None)
            hint = 'a text ends with " on the line it began on' + (f", and {curved} is another sign" if curved else "")
            self._reporter.error("SY21", "this quote is never closed", self._span(number, piece, 1), hint=hint)
        else:
            self._reporter.error("SY20", "this `[` is never closed", self._span(number, piece, 1),
                                 hint="statement ids stand in [ ] at the end of the line")

    def _too_deep(self, number: int, piece: LinePiece) -> None:
        self._plan.hopeless = True
        self._reporter.error("SY05", f"more than {size_limits.OPEN_BRACKETS} brackets are open here",
                             self._span(number, piece), hint="give parts of it names, with `define` or `let`")

    def _mar(self, *numbers: int) -> None:
        self._plan.marred.update(number + 1 for number in numbers)

    # ------------------------------------------------------------ how deep a line stands

    def _depth(self, number: int, before: int | None, after: int | None) -> int:
        """Puts the line into the stack of open levels and returns its depth."""
        text = self._texts[number]
        indent = self._indents[number] or 0
        if before is None and indent:
            self._reporter.error("SY11", "the first line is indented", self._line(number),
                                 hint="begin in the first column")
            return 0
        if "\t" in text[: len(text) - len(text.lstrip(" \t"))]:
            self._tab(number)
        if indent not in self._stack and indent != self._stack[-1] + _LEVEL:
            indent = self._straighten(number, indent, before, after)
        while self._stack[-1] > indent:
            self._stack.pop()
        if self._stack[-1] < indent:
            self._stack.append(indent)
        if len(self._stack) > size_limits.INDENT_LEVELS:
            self._plan.hopeless = True
            self._reporter.error(
                "SY05", f"more than {size_limits.INDENT_LEVELS} levels of indentation", self._line(number)
            )
        return len(self._stack) - 1

    def _straighten(self, number: int, indent: int, before: int | None, after: int | None) -> int:
        """The indentation that was probably meant where it is none that could be."""
        top = self._stack[-1]
        self._plan.crooked.add(number + 1)
        if indent == top + 1:
            return self._one_off(number, indent, before, after)
        if indent == top + _LEVEL + 1 and self._indent_at(after) != indent:
            self._odd(number, indent)
            return top + _LEVEL
        if indent > top:
            self._plan.too_deep[number + 1] = Diagnostic(
                "SY11", f"this line is indented by {indent - top} spaces more than the one before", self._line(number),
                hint="one level is two spaces; the formatter lays out as two what is more")
            return indent
        self._odd(number, indent)
        if indent == 1 and (before is None or number - before > 1):
            return 0
        if indent - max(known for known in self._stack if known < indent) >= _LEVEL:
            return indent
        if {indent - 1, indent + 1} <= set(self._stack):
            self._plan.unsure[number + 1] = -1
        return min(reversed(self._stack), key=lambda known: abs(known - indent))

    def _one_off(self, number: int, indent: int, before: int | None, after: int | None) -> int:
        """One space more than the line before: is it that line's body or its neighbour? Parsing may tell otherwise."""
        top = self._stack[-1]
        self._odd(number, indent)
        if before is None or (top == 0 and number - before > 1):
            return top
        opens = without_comment(self._texts[before]).endswith(":")
        if opens or top == 0 or self._indent_at(after) in (indent, top + _LEVEL, top + 2 * _LEVEL):
            self._plan.unsure[number + 1] = -1
            return top + _LEVEL
        self._plan.unsure[number + 1] = 1
        return top

    def _indent_at(self, number: int | None) -> int | None:
        return None if number is None else self._indents[number]

    def _odd(self, number: int, indent: int) -> None:
        self._reporter.error("SY11", f"this line is indented by {_spaces(indent)}", self._line(number),
                             hint="one level is two spaces")

    def _tab(self, number: int) -> None:
        self._plan.crooked.add(number + 1)
        self._reporter.error("SY10", "a tab in the indentation", self._line(number),
                             hint="indent with two spaces for each level; the formatter replaces tabs")

    # ------------------------------------------------------------ places

    def _span(self, number: int, piece: LinePiece, length: int | None = None) -> Span:
        end = piece.end if length is None else piece.start + length
        return Span(self._path, number + 1, piece.start + 1, number + 1, end + 1)

    def _line(self, number: int) -> Span:
        """The indentation of a line and its first letter."""
        text = self._texts[number]
        start = len(text) - len(text.lstrip(" \t"))
        return Span(self._path, number + 1, 1, number + 1, start + 1 if start else 2)


def _spaces(count: int) -> str:
    return "1 space" if count == 1 else f"{count} spaces"
