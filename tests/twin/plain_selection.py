"""Every multiset that can be taken from a source, found by trying all of them."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement

from referee.core.expr import End, Within
from referee.core.ruleset import Form
from referee.core.stmt import Param
from referee.core.types import Many
from tests.twin.plain_evaluate import entry, evaluate, members
from tests.twin.plain_frame import Frame


def selections(param: Param, frame: Frame) -> list[tuple[int, ...]]:
    """The multisets by size, then ascending. Of a pile, only those that use up a block before they touch the next."""
    assert param.count is not None
    assert isinstance(param.type, Many)
    least, most = (evaluate(end, frame) for end in param.count)
    blocks = _blocks(param, frame)
    wanted = None if param.among is None else evaluate(param.among, frame)
    found: list[tuple[int, ...]] = []
    for number in range(max(least, 0), min(most, param.type.most) + 1):
        ways = _again(blocks, number) if param.repeated else _once(blocks, number)
        found.extend(sorted(way for way in ways if wanted is None or wanted.issuperset(way)))
    return found


def _once(blocks: list[list[int]], number: int) -> set[tuple[int, ...]]:
    """Alike ones of a block are tried by their number: which of them is taken makes no difference."""
    cards = Counter((depth, one) for depth, block in enumerate(blocks) for one in block)
    ways: list[tuple[tuple[int, int], ...]] = [()]
    for card, there in sorted(cards.items()):
        ways = [(*way, *(card,) * more) for way in ways for more in range(min(there, number - len(way)) + 1)]
    whole = [way for way in ways if len(way) == number and _in_order(way, blocks)]
    return {tuple(sorted(one for _, one in way)) for way in whole}


def _again(blocks: list[list[int]], number: int) -> set[tuple[int, ...]]:
    """Each is taken from the first block, which is whole again after it."""
    return set(combinations_with_replacement(sorted(set(blocks[0])) if blocks else [], number))


def _blocks(param: Param, frame: Frame) -> list[list[int]]:
    if isinstance(param.source, Within) and param.source.place.end is not None:
        place = param.source.place
        if frame.layout.core.zones[place.zone].form is Form.PILE:
            content = frame.slots[entry(frame.zones[place.zone], place.zone, place.keys, frame, place.span)]
            return [list(block) for block in (content if place.end is End.TOP else reversed(content))]
    return [list(members(param.source, frame))]


def _in_order(taken: tuple[tuple[int, int], ...], blocks: list[list[int]]) -> bool:
    depths = [depth for depth, _ in taken]
    return all(depths.count(depth) == len(blocks[depth]) for depth in range(max(depths, default=0)))
