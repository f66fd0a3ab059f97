"""inferred: answers that the rules give and no words of the rulebook."""

from __future__ import annotations

from collections.abc import Iterator

from referee.frontend.names.tree_access import INFERRED, cited, nodes
from referee.review.finding import Finding, FindingOutcome, absent
from referee.review.subject import Subject
from referee.syntax.syntax_tree import Node

CODE = "inferred"


def inferred(subject: Subject) -> Iterator[Finding]:
    """Lines marked `[inferred]`: open readings until they are accepted with a reason."""
    marks = [cite.span for tree in subject.loaded.trees for cite in _marked(tree)]
    spans = [subject.places.before(mark) for mark in marks]
    for span in spans:
        yield Finding(CODE, FindingOutcome.FOUND, "the rulebook does not say this", subject.places.name(span), (span,),
                      subject.places.cites(span), settle='`accept "ID" because "REASON"`, or a reading')  # fmt: skip
    if not spans:
        yield absent(CODE, "no answer is marked as inferred")


def _marked(part: Node) -> Iterator[Node]:
    """The citations that say so."""
    for child in nodes(part):
        if child.kind == "cite" and INFERRED in cited(child):
            yield child
        yield from _marked(child)
