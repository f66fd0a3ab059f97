"""A block of a text while it is being mended: its lines may be edited, replaced, shifted or taken out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from referee.syntax.layout import LogicalLine, depths_of


@dataclass(frozen=True, slots=True)
class Draft:
    """Consecutive physical lines, the first numbered `first`, and the logical lines they form."""

    first: int
    texts: tuple[str, ...]
    lines: tuple[LogicalLine, ...]

    @classmethod
    def of(cls, lines: Sequence[LogicalLine], texts: Sequence[str]) -> Draft:
        """The draft of some logical lines of a text."""
        first, last = lines[0].first, lines[-1].last
        return cls(first, tuple(texts[first - 1 : last]), tuple(lines))

    @property
    def text(self) -> str:
        """What there is to parse."""
        return "\n".join(self.texts) + "\n"

    def depths(self) -> dict[int, int]:
        """For each physical line with code its depth, or CONTINUED."""
        return depths_of(self.lines)

    def index_at(self, number: int) -> int:
        """The index of the logical line that holds a physical line, or of the last one before it."""
        return max((i for i, line in enumerate(self.lines) if line.first <= number), default=0)

    def physical(self, number: int) -> str:
        """The text of a physical line."""
        return self.texts[number - self.first]

    def code(self, index: int) -> str:
        """The text of the first physical line of a logical line, without its indentation."""
        return self.physical(self.lines[index].first).strip()

    def children(self, index: int) -> range:
        """The indices of the lines that stand deeper below a line."""
        end = index + 1
        while end < len(self.lines) and self.lines[end].depth > self.lines[index].depth:
            end += 1
        return range(index + 1, end)

    def parent(self, index: int) -> int | None:
        """The index of the line that a line stands below, None at depth 0."""
        depth = self.lines[index].depth
        return next((i for i in range(index - 1, -1, -1) if self.lines[i].depth < depth), None)

    def only(self, indices: Sequence[int]) -> Draft:
        """The draft with only some of its logical lines, in their order, the others blank."""
        lines = tuple(self.lines[i] for i in indices)
        texts = [""] * (lines[-1].last - self.first + 1)
        for line in lines:
            place = slice(line.first - self.first, line.last - self.first + 1)
            texts[place] = self.texts[place]
        return Draft(self.first, tuple(texts), lines)

    def around(self, index: int) -> list[int]:
        """The indices of what a line stands in: the lines above it, and at its level the first and the one before."""
        found: list[int] = []
        level: int | None = index
        while level is not None:
            above = self.parent(level)
            depth, start = self.lines[level].depth, 0 if above is None else above + 1
            beside = [i for i in range(start, level) if self.lines[i].depth == depth]
            for head in {*beside[:1], *beside[-1:]}:
                found.extend((head, *self.children(head)))
            found.append(level)
            level = above
        return sorted({*found, *range(index + 1, min(index + 2, len(self.lines)))})

    # ------------------------------------------------------------ changes, each a new draft

    def edited(self, number: int, start: int, end: int, text: str) -> Draft:
        """With a stretch of a physical line (columns from 1, end exclusive) replaced."""
        old = self.physical(number)
        return self._with_text(number, old[: start - 1] + text + old[end - 1 :])

    def replaced(self, index: int, text: str) -> Draft:
        """With other words in place of a logical line."""
        line = self.lines[index]
        lines = (*self.lines[:index], replace(line, last=line.first), *self.lines[index + 1 :])
        return replace(self._blank(index), lines=lines)._with_text(line.first, "  " * line.depth + text)

    def without(self, index: int) -> Draft:
        """With a line taken out, those below it put in its place."""
        below = self.shifted(self.children(index), -1)
        return replace(below._blank(index), lines=below.lines[:index] + below.lines[index + 1 :])

    def without_all(self, index: int) -> Draft:
        """With a line taken out and all that stand below it."""
        draft = self
        for below in reversed((index, *self.children(index))):
            draft = draft.without(below)
        return draft

    def shifted(self, indices: Sequence[int], levels: int) -> Draft:
        """With some lines put deeper or less deep."""
        chosen = set(indices)
        moved = (replace(ln, depth=max(0, ln.depth + levels)) if i in chosen else ln for i, ln in enumerate(self.lines))
        return replace(self, lines=tuple(moved))

    def _blank(self, index: int) -> Draft:
        line = self.lines[index]
        texts = list(self.texts)
        for number in range(line.first, line.last + 1):
            texts[number - self.first] = ""
        return replace(self, texts=tuple(texts))

    def _with_text(self, number: int, text: str) -> Draft:
        texts = list(self.texts)
        texts[number - self.first] = text
        return replace(self, texts=tuple(texts))
