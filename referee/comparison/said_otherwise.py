"""Which events two rulesets speak of in other words: where a difference is looked for first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Set
from dataclasses import fields, is_dataclass

from referee.comparison.side import ComparedSide
from referee.core.ruleset import Core
from referee.core.stmt import Block, Call, Decide, Origin
from referee.core.traverse import statements
from referee.diagnostics.source import Span

MOST_SHARE = 0.5
"""Where more than this share of labels is said otherwise, the two were not written one after the other, and it tells
nothing."""


def labels_said_otherwise(one: ComparedSide, other: ComparedSide) -> frozenset[str]:
    """The shared labels of actions that are not the same in both; where all are, of those that carry out a procedure
    that is not the same, or that are done in one; none where nearly all are not."""
    here, there = _actions(one), _actions(other)
    both = here.keys() & there.keys()
    found = frozenset(label for label in both if here[label] != there[label])
    if not found:
        changed = _changed_procedures(one.walker.core, other.walker.core)
        found = frozenset(one.dictionary.label(label) for label in _meeting(one.walker.core, changed)) & both
    return found if len(found) <= MOST_SHARE * len(both) else frozenset()


def _changed_procedures(one: Core, other: Core) -> frozenset[str]:
    here, there = one.procedures, other.procedures
    return frozenset(name for name in here.keys() & there.keys() if _bare(here[name]) != _bare(there[name]))


def _meeting(core: Core, changed: Set[str]) -> Iterator[str]:
    """The labels of actions that carry these procedures out, by others too, or that are offered in them."""
    leading = set(changed)
    while further := {name for name, one in core.procedures.items()
                      if name not in leading and not leading.isdisjoint(_called(one.body))}:  # fmt: skip
        leading |= further
    for action in core.actions.values():
        if not leading.isdisjoint(_called(action.body)):
            yield action.label
    for name in changed:
        for asked in statements(core.procedures[name].body, Decide):
            yield from (core.actions[option.action].label for option in asked.options)


def _called(body: Block) -> Iterator[str]:
    return (call.procedure for call in statements(body, Call))


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
