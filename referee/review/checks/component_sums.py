"""component-sum: contents of the box that do not add up, or are too few for some number of players."""

from __future__ import annotations

import re
from collections.abc import Iterator

from referee.diagnostics.source import Span
from referee.frontend.names.tree_access import cites, nodes
from referee.review.finding import Finding, FindingOutcome
from referee.review.rule_lines import stock_of
from referee.review.subject import Subject


def contents(subject: Subject, code: str) -> Iterator[Finding]:
    """Kinds of which there is none; totals that a statement says and the rules have not."""
    yield from _nothing(subject, code)
    yield from _totals(subject, code)


def _nothing(subject: Subject, code: str) -> Iterator[Finding]:
    """Kinds of component of which there is none with so many players."""
    for one in subject.core.components:
        if one.number:
            continue
        node = subject.places.declared("kind", one.kind)
        span = () if node is None else (node.span,)
        yield Finding(code, FindingOutcome.FOUND, f"there is no {one.name} in the box", f"{one.kind}.{one.name}", span,
                      settle=f"`1 {one.name} in ...` among the components")  # fmt: skip


def _totals(subject: Subject, code: str) -> Iterator[Finding]:
    """Numbers that a statement of the rulebook names and that no components that cite it add up to."""
    lines: dict[str, list[tuple[int, Span]]] = {}
    homes = {str(one.name): one.number for one in subject.core.components}
    for block in subject.places.all("components"):
        for stock in nodes(block, "stock"):
            number, name = stock_of(subject.places.text(stock.span)) or (0, "")
            for cite in cites(stock):
                if number and homes.get(name) == number:
                    lines.setdefault(cite, []).append((number, stock.span))
    for cite, counted_lines in lines.items():
        said = subject.core.statements.get(cite, "")
        numbers = [number for number, _ in counted_lines]
        sums = _sums(numbers)
        for number in map(int, re.findall(r"\b\d{1,4}\b", said)):
            if number > max(numbers) and number not in sums:
                message = f"{cite} speaks of {number}, the components that cite it are {sum(numbers)}"
                yield Finding(code, FindingOutcome.FOUND, message, f"{cite}.{number}", (counted_lines[0][1],), (cite,),
                              settle="other numbers, or another wording of the statement")  # fmt: skip


def _sums(numbers: list[int]) -> set[int]:
    """What some of the numbers, one beside the other, add up to."""
    found = {0}
    for number in numbers[:20]:
        found |= {known + number for known in found}
    return found
