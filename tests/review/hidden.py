"""A copy of a ruleset from which everything is removed that settles or marks what its text leaves open.

Removed on the syntax tree, mechanically: every clause that says a tie or an order, every statement `unspecified` with
the test that leads to it, and an action that was nothing else, with its offers. What the language then refuses, because
it always wants it said, is put back.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from referee.diagnostics.diagnostic import Problems
from referee.diagnostics.source import Span
from referee.frontend.loading.assembly import Loaded, parsed
from referee.frontend.loading.loader import load
from referee.frontend.loading.ruleset_files import find
from referee.syntax.syntax_tree import Node, Word

GAPS = ("unspecified", "ruling")
BESIDE_GAPS = ("let", *GAPS)
WAY = "TO_THE"
CLAUSES = ("IN_ORDER_FROM", "NO_ORDER", "AFTER_ABOVE", WAY)
ROUNDS = 12


@dataclass(frozen=True)
class Cut:
    """Lines (first and last, 1-based) of a file that are replaced by others."""

    path: str
    first: int
    last: int
    by: tuple[str, ...]


@dataclass
class Hidden:
    """The copy; which declarations something was removed from."""

    path: Path
    owners: set[str] = field(default_factory=set)


def hide(original: Path, folder: Path, kept: str = "") -> Hidden:
    """Writes the copy into a folder and makes sure that it loads for every shape. `kept`: a clause that stays."""
    target = folder / original.name
    if original.is_dir():
        shutil.copytree(original, target, ignore=shutil.ignore_patterns("logs", "*.jsonl"))
    else:
        shutil.copy(original, target)
    for rules in [target] if target.is_file() else sorted(target.glob("*.rules")):
        rest = _without_scenarios(rules.read_text("utf-8"))
        rules.write_text(rest, encoding="utf-8")
        if all(not line.strip() or line.startswith("#") for line in rest.split("\n")):
            rules.unlink()
    hidden = Hidden(target)
    for step in (partial(_clauses, kept), _gaps):
        _carry_out(hidden, step)
    return hidden


def _without_scenarios(text: str) -> str:
    """Scenarios and acceptances say what the rules do; the copy is to say less."""
    return re.sub(r"(?m)^(scenario|accept) .*\n(?:(?:  .*)?\n)*", "", text)


def _carry_out(hidden: Hidden, step: object) -> None:
    """Applies every cut of a step of which the rules still load."""
    refused: set[tuple[str, int]] = set()
    for _ in range(ROUNDS):
        loaded = parsed(find(str(hidden.path)))
        cuts = [c for c in step(loaded) if (Path(c.path).name, c.first) not in refused]  # type: ignore[operator]
        before = {source.path: source.text for source in loaded.sources}
        owners = {_owner(loaded, cut) for cut in cuts}
        _apply(cuts, before)
        try:
            for players in loaded.range.players:
                load(str(hidden.path), players)
        except Problems:
            for path, text in before.items():
                Path(path).write_text(text, encoding="utf-8")
            if len(cuts) <= 1:
                refused |= {(Path(c.path).name, c.first) for c in cuts}
                continue
            refused |= _alone(hidden, cuts, before)
            continue
        hidden.owners |= owners
        return


def _alone(hidden: Hidden, cuts: list[Cut], before: dict[str, str]) -> set[tuple[str, int]]:
    """Which cuts cannot be made each by itself."""
    refused = set()
    for cut in cuts:
        _apply([cut], before)
        try:
            load(str(hidden.path))
        except Problems:
            refused.add((Path(cut.path).name, cut.first))
        Path(cut.path).write_text(before[cut.path], encoding="utf-8")
    return refused or {(Path(c.path).name, c.first) for c in cuts}


def _apply(cuts: list[Cut], texts: dict[str, str]) -> None:
    """Writes the files with the cuts made, from the last line to the first; one inside another is not made."""
    for path, text in texts.items():
        lines, here = text.split("\n"), [c for c in cuts if c.path == path]
        for cut in sorted(here, key=lambda c: -c.first):
            if not any(o.first <= cut.first and cut.last <= o.last and o.last - o.first > cut.last - cut.first
                       for o in here):
                lines[cut.first - 1 : cut.last] = cut.by
        Path(path).write_text("\n".join(lines), encoding="utf-8")


def _owner(loaded: Loaded, cut: Cut) -> str:
    for tree in loaded.trees:
        for decl in _nodes(tree):
            if decl.span.path == cut.path and decl.span.line <= cut.first <= decl.span.end_line:
                name = next((p.text for p in decl.parts if isinstance(p, Word) and p.type == "NAME"), None)
                kind = {"turns": "play", "trigger": "when", "ending": "end"}.get(decl.kind, decl.kind)
                return name if name is not None and decl.kind in ("action", "procedure") else kind
    return ""


# ---------------------------------------------------------------------- clauses
def _clauses(kept: str, loaded: Loaded) -> Iterator[Cut]:
    """One cut for each line with clauses that say a tie or an order."""
    spans: dict[tuple[str, int], list[Span]] = {}
    for tree in loaded.trees:
        for node in _all(tree):
            for span in _said(node, kept):
                spans.setdefault((span.path, span.line), []).append(span)
    for (path, number), found in spans.items():
        line = next(s for s in loaded.sources if s.path == path).line(number)
        for span in sorted(found, key=lambda s: -s.column):
            line = line[: span.column - 1] + line[span.end_column - 1 :]
        yield Cut(path, number, number, (line,))


def _said(node: Node, kept: str) -> Iterator[Span]:
    if node.kind == "tie":
        yield node.span
    for index, part in enumerate(node.parts):
        if isinstance(part, Word) and part.type in CLAUSES and part.type != kept and node.kind != "ask":
            after = node.parts[index + 1] if part.type == "IN_ORDER_FROM" else part
            end = after.span if after is not None else part.span
            yield Span(part.span.path, part.span.line, part.span.column, end.end_line, end.end_column)


# ---------------------------------------------------------------------- what is called unspecified
def _gaps(loaded: Loaded) -> Iterator[Cut]:
    """Statements that say that nothing is said, with the test that leads to nothing else."""
    for tree in loaded.trees:
        for node in _all(tree):
            if node.kind == "if_":
                yield from _without_test(loaded, node)
            elif node.kind in ("depends_else", "depends") and _is_gap(node.parts[-1]):
                yield Cut(node.span.path, node.span.line, _last(node), ())
            elif node.kind == "action" and _is_gap(node, ("param", "params", "need", "forbidden", "logged", "cite")):
                yield Cut(node.span.path, node.span.line, _last(node), ())
                yield from _offers(loaded, next(p.text for p in node.parts if isinstance(p, Word)))
            elif node.kind in ("action", "play", "setup", "procedure", "body"):
                yield from _alone_in(node)


def _without_test(loaded: Loaded, node: Node) -> Iterator[Cut]:
    """`if C: gap` goes; of `if C: gap, else: X` and of `if C: X, else: gap` what is left is X."""
    yes = _body(node.parts[1])
    others = [p for p in node.parts[2:] if isinstance(p, Node)]
    last = _last(node)
    if not others and _is_gap(yes):
        yield Cut(node.span.path, node.span.line, last, (" " * (node.span.column - 1) + "nothing",))
        yield from _way_out(loaded, node)
    elif len(others) == 1 and others[0].kind == "else_":
        no = _body(others[0].parts[0])
        kept = no if _is_gap(yes) else yes if _is_gap(no) else None
        if kept is not None:
            yield Cut(node.span.path, node.span.line, last, tuple(_lifted(loaded, node, kept)))


def _way_out(loaded: Loaded, node: Node) -> Iterator[Cut]:
    """`if able`, which is there only to come to the gap below it: `if DONE is pass: gap`."""
    source = next(s for s in loaded.sources if s.path == node.span.path)
    number = node.span.line - 1
    if re.match(r" *if \w+ is pass\b", source.line(node.span.line)) and ", if able" in source.line(number):
        yield Cut(node.span.path, number, number, (source.line(number).replace(", if able", ""),))


def _lifted(loaded: Loaded, node: Node, body: Node) -> Iterator[str]:
    """The lines of a body, where the statement stood that it was a part of."""
    source = next(s for s in loaded.sources if s.path == node.span.path)
    indent = " " * (node.span.column - 1)
    statements = [n for n in _nodes(body) if n.kind != "cite"]
    for statement in statements:
        first = source.line(statement.span.line)[statement.span.column - 1 :]
        yield indent + first
        for number in range(statement.span.line + 1, _last(statement) + 1):
            line = source.line(number)
            yield line[2:] if line.startswith("  ") else line


def _alone_in(node: Node) -> Iterator[Cut]:
    """A gap among other statements is left out, one by itself leaves nothing."""
    for child in _nodes(node):
        gap = child if child.kind in GAPS else next((n for n in _nodes(child) if n.kind in GAPS), None)
        if gap is not None and child.kind in ("line", *GAPS) and child.span.line > node.span.line:
            by = " " * (child.span.column - 1) + "nothing"
            yield Cut(child.span.path, child.span.line, _last(child), (by,))


def _offers(loaded: Loaded, name: str) -> Iterator[Cut]:
    for source in loaded.sources:
        for number, line in enumerate(source.text.split("\n"), 1):
            test = re.match(rf"( *)if \w+ is not {name}: (.*)", line)
            if test:
                yield Cut(source.path, number, number, (test.group(1) + test.group(2),))
            elif re.search(rf", {name}\b", line):
                yield Cut(source.path, number, number, (re.sub(rf", {name}\b", "", line),))


# ---------------------------------------------------------------------- trees
def _body(part: object) -> Node:
    assert isinstance(part, Node)
    return part


def _is_gap(part: object, besides: tuple[str, ...] = ("cite",)) -> bool:
    """True if a body holds nothing but a gap, and names for it."""
    found = [n for child in _nodes(_body(part)) for n in ([child] if child.kind != "line" else _nodes(child))]
    kinds = [n.kind for n in found if n.kind not in besides]
    return any(kind in GAPS for kind in kinds) and all(kind in BESIDE_GAPS for kind in kinds)


def _last(node: Node) -> int:
    """The last line of a node; the end of a block is written at the beginning of the next line."""
    return node.span.end_line - (1 if node.span.end_column == 1 else 0)


def _nodes(node: Node) -> Iterator[Node]:
    return (part for part in node.parts if isinstance(part, Node))


def _all(node: Node) -> Iterator[Node]:
    yield node
    for part in _nodes(node):
        yield from _all(part)
