"""Which events two rulesets speak of in other words: where a difference is looked for first."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import fields, is_dataclass

from referee.comparison.side import ComparedSide
from referee.core.stmt import Origin
from referee.diagnostics.source import Span

FEW = 0.5
"""Where more than this share of labels is said otherwise, the two were not written one after the other, and it tells
nothing."""


def labels_said_otherwise(one: ComparedSide, other: ComparedSide) -> frozenset[str]:
    """The shared labels of actions that are not the same in both; none where nearly all are not."""
    here, there = _actions(one), _actions(other)
    both = here.keys() & there.keys()
    found = frozenset(label for label in both if here[label] != there[label])
    return found if len(found) <= FEW * len(both) else frozenset()


def _actions(side: ComparedSide) -> dict[str, list[object]]:
    found: dict[str, list[object]] = defaultdict(list)
    for action in side.walker.core.actions.values():
        found[side.dictionary.label(action.label)].append(_bare(action))
    return found


def _bare(part: object) -> object:
    """A part of the rules without where it stands and what it cites."""
    if isinstance(part, Origin | Span):
        return None
    if is_dataclass(part) and not isinstance(part, type):
        return type(part).__name__, *(_bare(getattr(part, one.name)) for one in fields(part))
    if isinstance(part, tuple | list):
        return tuple(_bare(one) for one in part)
    return part
