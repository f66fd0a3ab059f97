"""inferred: answers that the rules give and no words of the rulebook."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.ruleset import DeclaredAssumption
from referee.frontend.loading.declared_assumptions import resting
from referee.frontend.names.tree_access import INFERRED, cited, nodes
from referee.review.finding import Finding, FindingOutcome, absent
from referee.review.subject import Subject
from referee.syntax.syntax_tree import Node

CODE = "inferred"


def inferred(subject: Subject) -> Iterator[Finding]:
    """What is assumed, by name, and lines marked `[inferred]`: open readings until they are accepted with a reason.

    A declared assumption says its reason itself, so it is accepted where it is declared.
    """
    marks = [cite.span for tree in subject.loaded.trees for cite in _marked(tree)]
    spans = [subject.places.before(mark) for mark in marks]
    assumptions = subject.core.assumptions.values()
    for one in assumptions:
        yield _assumed(subject, one)
    for span in spans:
        yield Finding(CODE, FindingOutcome.FOUND, "the rulebook does not say this", subject.places.name(span), (span,),
                      subject.places.cites(span), settle='`assume NAME "in words"`, or a reading')
    if not spans and not assumptions:
        yield absent(CODE, "no answer is marked as inferred")


def _assumed(subject: Subject, one: DeclaredAssumption) -> Finding:
    """What the rules take for granted, with the lines that rest on it."""
    rests = tuple(subject.places.before(span) for span in resting(subject.loaded.trees, one.name))
    return Finding(CODE, FindingOutcome.FOUND, "the rulebook does not say this", one.name, (one.origin.span, *rests),
                   one.statements)


def _marked(part: Node) -> Iterator[Node]:
    """The citations that say so."""
    for child in nodes(part):
        if child.kind == "cite" and INFERRED in cited(child):
            yield child
        yield from _marked(child)
