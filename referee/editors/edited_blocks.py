"""Which declarations of a text an edit touches, and what is wrong with them as far as that is seen at once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace

from referee.diagnostics.diagnostic import Diagnostic, Reporter
from referee.diagnostics.source import Source, Span
from referee.frontend.checks.block_checks import BlockCheck, KnownNames, Watch
from referee.frontend.loading.ruleset_files import Files
from referee.syntax.parser import parse
from referee.syntax.syntax_tree import Node

_CODE = re.compile(r"[^\s#]")
MOST_BLOCKS = 4
"""Of more only the whole check says something."""


@dataclass(frozen=True, slots=True)
class Edit:
    """Lines, from 0, the last excluded: `before` were replaced by `after`; whole blocks."""

    before: range
    after: range
    blocks: tuple[range, ...]

    @property
    def moved(self) -> int:
        """How many lines what stands below has moved down."""
        return len(self.after) - len(self.before)


def blocks_of(lines: Sequence[str]) -> tuple[range, ...]:
    """The blocks of a text: each begins with a line of code that is not indented, and goes up to the next; what stands
    before the first is one too."""
    starts = [at for at, line in enumerate(lines) if line[:1] not in ("", " ", "\t", "#", "\r")]
    if not starts or starts[0] != 0:
        starts.insert(0, 0)
    return tuple(range(one, other) for one, other in zip(starts, [*starts[1:], len(lines)], strict=True))


def edit_between(before: Sequence[str], after: Sequence[str]) -> Edit:
    """What was edited between two texts, given as lines."""
    same = next((at for at, (one, other) in enumerate(zip(before, after, strict=False)) if one != other),
                min(len(before), len(after)))
    most = min(len(before), len(after)) - same
    below = next((at for at in range(most) if before[-1 - at] != after[-1 - at]), most)
    old = _touched(blocks_of(before), same, len(before) - below)
    new = _touched(blocks_of(after), same, len(after) - below)
    top = min(old[0].start, new[0].start)
    bottom = min(len(before) - old[-1].stop, len(after) - new[-1].stop)
    after_range = range(top, len(after) - bottom)
    touched = tuple(one for one in blocks_of(after) if one.start < after_range.stop and one.stop > after_range.start)
    return Edit(range(top, len(before) - bottom), after_range, touched)


def _touched(blocks: Sequence[range], start: int, stop: int) -> list[range]:
    """The blocks that have a part of these lines, and the one above the first."""
    found = [one for one in blocks if one.start <= max(stop, start) and one.stop >= start]
    return found or [blocks[-1]]


def carried_over(found: Sequence[Diagnostic], edit: Edit) -> list[Diagnostic]:
    """What was found before and is not in the edited lines, where it stands now."""
    kept = []
    for one in found:
        line = one.span.line - 1
        if line in edit.before:
            continue
        kept.append(one if line < edit.before.start else replace(one, span=_moved(one.span, edit.moved)))
    return kept


def _moved(span: Span, lines: int) -> Span:
    return Span(span.path, span.line + lines, span.column, span.end_line + lines, span.end_column)


def quick_check(path: str, lines: Sequence[str], block: range, files: Files, known: KnownNames | None,
                declared: Set[str] = frozenset(), watch: Watch | None = None) -> tuple[Diagnostic, ...]:
    """What is wrong with one block: its text; if that is right, its names and types in one shape of the rules as they
    were when they were last right. `declared`: names that stand in the rules now, of which nothing else is known."""
    text = "\n".join(lines[block.start : block.stop])
    if not any(_CODE.match(line.lstrip()) for line in lines[block.start : block.stop]):
        return ()
    source = Source(path, "\n" * block.start + text + "\n")
    reporter = Reporter()
    tree = parse(source, reporter).tree
    if reporter.failed or tree is None or known is None:
        return reporter.found()
    check = BlockCheck(known, files, source, declared, watch)
    return tuple(found for decl in _declarations(tree)
                 for found in check.found(decl, range(block.start + 1, block.stop + 1)))


def _declarations(tree: Node) -> Iterator[Node]:
    return (part for part in tree.parts if isinstance(part, Node))
