"""Kinds of events, as they are told apart before anything of them is tested."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.flow import OfferNode, offered

Key = tuple[str, ...]
Said = tuple[Key, tuple[bool, ...]]
"""Label and names of the arguments of an event, and which of the arguments take several."""


def by_kinds(key: Key, node: OfferNode, numbers: Sequence[int]) -> dict[Said, tuple[int, ...]]:
    """The alternatives that a label and arguments may mean, by which of the arguments take several."""
    found: dict[Said, tuple[int, ...]] = {}
    for number_of in numbers:
        params = [param for param in offered(node)[number_of].params if param.arg is not None]
        said = key, tuple([param.count is not None for param in params])
        found[said] = (*found.get(said, ()), number_of)
    return found
