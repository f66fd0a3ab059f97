"""Several taken at once from a source: which multisets a parameter with a count can be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from heapq import merge
from random import Random
from typing import assert_never

from referee.core.expr import Domainlike, End, Within
from referee.core.stmt import Param
from referee.core.types import Elem, Int, Many, Value
from referee.interpreter.closures.closure_types import NOTHING
from referee.interpreter.closures.frame import Frame
from referee.interpreter.closures.source_closures import keyed
from referee.system.deadline import NEVER

OFTEN = 256
"""After so many multisets whoever waits is asked whether to go on."""
Taken = tuple[int, ...]
Blocks = Sequence[Sequence[int]]
"""What can be taken from; each block only once those before it are used up."""


def selections(param: Param, frame: Frame) -> Iterator[Taken]:
    """Every multiset that can be taken: fewer first, then by members; each sorted. Found one by one, as asked for."""
    blocks = _piles(param, frame)
    return every_taken(blocks, *_bounds(param, blocks, frame))


def every_taken(blocks: Blocks, least: int, most: int) -> Iterator[Taken]:
    """Every multiset of least to most members that can be taken from blocks, in the order of `selections`.

    There may be a million of them of which no guard lets one through, so whoever waits is asked whether to go on.
    """
    for number in range(least, most + 1):
        whole, rest, block = _split(blocks, number)
        counts = sorted(Counter(block).items())
        for index, chosen in enumerate(_combinations(counts, rest)):
            if index % OFTEN == OFTEN - 1:
                NEVER.check()
            yield tuple(sorted((*whole, *chosen)))


def selections_with(param: Param, held: Taken, frame: Frame) -> Iterator[Taken]:
    """Every multiset that can be taken and holds these members, fewer first; found one by one, as asked for."""
    blocks = _piles(param, frame)
    return taken_with(blocks, *_bounds(param, blocks, frame), held)


def taken_with(blocks: Blocks, least: int, most: int, held: Taken) -> Iterator[Taken]:
    """Those of `every_taken` that hold these members, fewer first."""
    wanted = Counter(held)
    for number in range(max(least, len(held)), most + 1):
        whole, rest, block = _split(blocks, number)
        needed, there = wanted - Counter(whole), Counter(block)
        if needed <= there and needed.total() <= rest:
            for index, chosen in enumerate(_combinations(sorted((there - needed).items()), rest - needed.total())):
                if index % OFTEN == OFTEN - 1:
                    NEVER.check()
                yield tuple(sorted((*whole, *needed.elements(), *chosen)))


def near_selections(param: Param, given: Taken, frame: Frame) -> Iterator[Taken]:
    """Every multiset that can be taken, those first that differ from a given one in the fewest members; of equal ones
    fewer members first, then in the order of `selections`. Found one by one, as asked for."""
    blocks = _piles(param, frame)
    return near_taken(blocks, *_bounds(param, blocks, frame), given)


def near_taken(blocks: Blocks, least: int, most: int, given: Taken) -> Iterator[Taken]:
    """Every multiset of least to most members that can be taken from blocks, in the order of `near_selections`."""
    wanted = Counter(given)
    for _, number, shared in merge(*(_shared(blocks, number, wanted) for number in range(least, most + 1))):
        whole, rest, block = _split(blocks, number)
        there, common = Counter(block), (wanted - Counter(whole)) & Counter(block)
        for kept in _combinations(sorted(common.items()), shared):
            left = Counter(kept)
            others = sorted((one, there[one] - common[one]) for one in there
                            if left[one] == common[one] and there[one] > common[one])
            for added in _combinations(others, rest - shared):
                yield tuple(sorted((*whole, *kept, *added)))


def _shared(blocks: Blocks, number: int, wanted: Counter[int]) -> Iterator[tuple[int, int, int]]:
    """How many members of the last block a multiset of a size can share with a wanted one, the most first: in how many
    members the two differ then, the size, and how many of the block are shared."""
    whole, rest, block = _split(blocks, number)
    common = ((wanted - Counter(whole)) & Counter(block)).total()
    surely = (wanted & Counter(whole)).total()
    for shared in range(min(common, rest), max(rest - len(block) + common, 0) - 1, -1):
        yield wanted.total() + number - 2 * (surely + shared), number, shared


def sample(param: Param, frame: Frame, random: Random) -> Taken | None:
    """A multiset taken at random: its number uniformly, then its members as from a shuffled pile; None if none can."""
    blocks = _piles(param, frame)
    return sample_from(blocks, *_bounds(param, blocks, frame), param.repeated, random)


def sample_from(blocks: Blocks, least: int, most: int, repeated: bool, random: Random) -> Taken | None:
    """A multiset of least to most members taken from blocks at random."""
    if least > most:
        return None
    number = random.randint(least, most)
    if repeated:
        return tuple(sorted(random.choices(sorted(set(blocks[0])), k=number)))
    whole, rest, block = _split(blocks, number)
    return tuple(sorted((*whole, *random.sample(block, rest))))


def is_selection(param: Param, value: Value, frame: Frame) -> bool:
    """True if a value is a multiset that can be taken."""
    if not isinstance(value, tuple):
        return False
    blocks = _piles(param, frame)
    return is_taken(blocks, *_bounds(param, blocks, frame), value)


def is_taken(blocks: Blocks, least: int, most: int, value: Taken) -> bool:
    """True if a value is a multiset of least to most members that can be taken from blocks."""
    if not least <= len(value) <= most:
        return False
    whole, _, block = _split(blocks, len(value))
    left = Counter(value)
    left.subtract(whole)
    there = Counter(block)
    return all(0 <= number <= there[member] for member, number in left.items())


def limits(param: Param, value: Value, frame: Frame) -> tuple[tuple[int, int], Taken]:
    """How many can be taken, at least and at most; and what of a value is more than there is, each so often."""
    blocks = _piles(param, frame)
    there = Counter(one for block in blocks for one in block)
    beyond = Counter(value) - there if isinstance(value, tuple) else Counter[int]()
    return _bounds(param, blocks, frame), tuple(sorted(beyond.elements()))


def _bounds(param: Param, blocks: Blocks, frame: Frame) -> tuple[int, int]:
    assert param.count is not None
    least, most = (frame.evaluate(end) for end in param.count)
    return ends(blocks, least, most, cap(param))


def cap(param: Param) -> int:
    """How many a parameter can be at the most, by its type."""
    match param.type:
        case Many(_, most):
            return most
        case Int() | Elem():
            return 1
        case _:
            assert_never(param.type)


def ends(blocks: Blocks, least: int, most: int, limit: int) -> tuple[int, int]:
    """How many can be taken, at least and at most."""
    return max(least, 0), min(most, limit, sum(map(len, blocks)))


def _piles(param: Param, frame: Frame) -> list[list[int]]:
    """What can be taken from; what is taken again and again is there as often as it can be taken."""
    blocks = _blocks(param.source, frame)
    if param.among is not None:
        blocks = wanted(blocks, frame.evaluate(param.among))
    return [sorted(block * cap(param)) for block in blocks] if param.repeated else blocks


def wanted(blocks: Blocks, among: frozenset[int]) -> list[list[int]]:
    """The members of a set in each block, down to the first block that holds others: it is never used up."""
    found: list[list[int]] = []
    for block in blocks:
        found.append([one for one in block if one in among])
        if len(found[-1]) < len(block):
            break
    return found


def _blocks(source: Domainlike, frame: Frame) -> list[list[int]]:
    """What can be taken from; each block only once those before it are used up."""
    if isinstance(source, Within) and source.place.end is not None:
        place, zone = source.place, frame.layout.core.zones[source.place.zone]
        if zone.form.in_blocks:
            where = keyed(frame.layout.zones[zone.name], zone.name, place.keys, NOTHING, frame.code, place.span)
            content = frame.slots[where(frame.slots, frame.env)]
            blocks = [list(block) for block in content]
            return blocks[::-1] if place.end is End.BOTTOM else blocks
    return [list(frame.members(source))]


def _split(blocks: Blocks, number: int) -> tuple[list[int], int, Sequence[int]]:
    """The blocks that are taken whole, how many are taken from the next one, and that one."""
    whole: list[int] = []
    for block in blocks:
        if len(whole) + len(block) > number:
            return whole, number - len(whole), block
        whole.extend(block)
    return whole, number - len(whole), ()


def _combinations(counts: Sequence[tuple[int, int]], number: int, first: int = 0) -> Iterator[Taken]:
    """The multisets of a size, ascending, of the classes from a position on."""
    if number == 0:
        yield ()
        return
    left = sum(there for _, there in counts[first:])
    for index in range(first, len(counts)):
        if left < number:
            return
        member, there = counts[index]
        left -= there
        for taken in range(min(there, number), 0, -1):
            for others in _combinations(counts, number - taken, index + 1):
                yield (member,) * taken + others
