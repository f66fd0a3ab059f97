"""Taking components out of contents and laying them in, with the condition that it can be done."""

from __future__ import annotations

from typing import assert_never

from referee.core.expr import End
from referee.symbolic import term
from referee.symbolic.content import (
    Content,
    Line,
    Pile,
    Slots,
    compact,
    less_by,
    more_by,
    single,
)
from referee.symbolic.term import Cond, Num
from referee.symbolic.value import Counts, Opt, Unencodable, count, merge


def taken(content: Content, moved: Counts, end: End | None, spot: Num | None) -> tuple[Content, Cond]:
    """What is left when components are taken, and whether they are there."""
    match content:
        case Counts():
            return less_by(content, moved)
        case Line():
            return _from_line(content, moved, end, spot)
        case Slots():
            return _from_slots(content, moved, spot)
        case Pile():
            return _from_pile(content, moved, end)
        case _:
            assert_never(content)


def laid(content: Content, moved: Counts, end: End | None, spot: Num | None) -> tuple[Content, Cond]:
    """What is there when components are laid down, and whether there is room for them."""
    match content:
        case Counts():
            return more_by(content, moved)
        case Line():
            return _into_line(content, moved, end, spot)
        case Slots():
            return _into_slots(content, moved, spot)
        case Pile():
            return _into_pile(content, moved, end)
        case _:
            assert_never(content)


# ---------------------------------------------------------------------- lines
def _from_line(line: Line, moved: Counts, end: End | None, spot: Num | None) -> tuple[Content, Cond]:
    one, many = single(moved), moved.size
    if spot is None and end is None:
        at: Num = len(line.items)
        for i in reversed(range(len(line.items))):
            at = term.choose(term.both(term.less(i, line.length), term.equal(line.items[i], one)), i, at)
    else:
        at = spot if spot is not None else 0 if end is End.BOTTOM else line.length - 1
    there = term.disj(
        term.both(term.equal(at, i), term.less(i, line.length), term.equal(item, one))
        for i, item in enumerate(line.items)
    )
    padded = (*line.items, line.items[-1]) if line.items else ()
    items = tuple(term.choose(term.at_most(at, i), padded[i + 1], padded[i]) for i in range(len(line.items)))
    left = Line(items, line.length - 1)
    nothing = term.equal(many, 0)
    whole = Line(
        tuple(term.choose(nothing, a, b) for a, b in zip(line.items, left.items, strict=True)),
        term.choose(nothing, line.length, left.length),
    )
    return whole, term.disj((nothing, term.both(_alone(many), there)))


def _into_line(line: Line, moved: Counts, end: End | None, spot: Num | None) -> tuple[Content, Cond]:
    one, many = single(moved), moved.size
    at: Num = spot if spot is not None else 0 if end is End.BOTTOM else line.length
    items: list[Num] = []
    for i in range(len(line.items)):
        before = line.items[i - 1] if i else one
        items.append(term.choose(term.equal(at, i), one, term.choose(term.less(at, i), before, line.items[i])))
    inside = term.both(term.at_most(0, at), term.at_most(at, line.length), term.less(line.length, len(line.items)))
    nothing = term.equal(many, 0)
    made = Line(
        tuple(term.choose(nothing, a, b) for a, b in zip(line.items, items, strict=True)),
        term.choose(nothing, line.length, line.length + 1),
    )
    return made, term.disj((nothing, term.both(_alone(many), inside)))


def _alone(many: Num) -> Cond:
    """Lines and slots move one component at a time."""
    if isinstance(many, int) and many > 1:
        raise Unencodable("several components moved to or from a line at once")
    return term.equal(many, 1)


# ---------------------------------------------------------------------- slots
def _from_slots(slots: Slots, moved: Counts, spot: Num | None) -> tuple[Content, Cond]:
    spots, there = list(slots.spots), []
    wanted = list(moved.members())
    if spot is not None:
        one, nothing = single(moved), term.equal(moved.size, 0)
        for i, held in enumerate(slots.spots):
            here = term.both(term.equal(spot, i), held.has, term.equal(held.value, one), term.no(nothing))
            there.append(here)
            spots[i] = Opt(term.both(held.has, term.no(here)), held.value)
        return Slots(tuple(spots)), term.disj((nothing, term.both(term.equal(moved.size, 1), term.disj(there))))
    enough = []
    for member, number in wanted:
        if isinstance(number, int) and number == 0:
            continue
        left: Num = number
        for i, held in enumerate(spots):
            here = term.both(held.has, term.equal(held.value, member), term.less(0, left))
            spots[i] = Opt(term.both(held.has, term.no(here)), held.value)
            left = left - term.number(here)
        enough.append(term.equal(left, 0))
    return Slots(tuple(spots)), term.conj(enough)


def _into_slots(slots: Slots, moved: Counts, spot: Num | None) -> tuple[Content, Cond]:
    nothing = term.equal(moved.size, 0)
    if spot is None:
        return slots, nothing
    one, spots, free = single(moved), [], []
    for i, held in enumerate(slots.spots):
        here = term.both(term.equal(spot, i), term.no(nothing))
        free.append(term.both(here, term.no(held.has)))
        spots.append(Opt(term.disj((held.has, here)), term.choose(here, one, held.value)))
    return Slots(tuple(spots)), term.disj((nothing, term.both(term.equal(moved.size, 1), term.disj(free))))


# ---------------------------------------------------------------------- piles
def _from_pile(pile: Pile, moved: Counts, end: End | None) -> tuple[Content, Cond]:
    """Block after block; at an end, the next only when the one before is used up."""
    order = list(range(len(pile.blocks)))
    blocks = list(pile.blocks)
    if end is End.BOTTOM:
        order.reverse()
    wanted = moved
    open_: Cond = True
    for i in order:
        block = blocks[i]
        got = {c: term.lower(n, count(wanted, c)) for c, n in block.members()}
        got = {c: term.choose(open_, n, 0) for c, n in got.items()}
        blocks[i] = Counts(block.lo, tuple(n - got[c] for c, n in block.members()))
        wanted = Counts(wanted.lo, tuple(n - got[c] if c in got else n for c, n in wanted.members()))
        if end is not None:
            open_ = term.both(open_, term.equal(blocks[i].size, 0))
    return Pile(compact(blocks)), term.equal(wanted.size, 0)


def _into_pile(pile: Pile, moved: Counts, end: End | None) -> tuple[Content, Cond]:
    """What is moved at once is one block. A pile deeper than can be told apart makes the step unfaithful."""
    empty = Counts(pile.blocks[0].lo, (0,) * len(pile.blocks[0].counts))
    block, fits = more_by(empty, moved)
    if end is End.BOTTOM:
        blocks, placed = list(pile.blocks), term.equal(moved.size, 0)
        for i, held in enumerate(pile.blocks):
            here = term.both(term.no(placed), term.equal(held.size, 0))
            merged = merge(here, block, held)
            assert isinstance(merged, Counts)
            blocks[i] = merged
            placed = term.disj((placed, here))
        return Pile(tuple(blocks)), term.both(fits, placed)
    shifted = compact((block, *pile.blocks))
    return Pile(shifted[:-1]), term.both(fits, term.equal(shifted[-1].size, 0))
