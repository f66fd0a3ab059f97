"""Taking components out of contents and laying them in, with the condition that it can be done."""

from __future__ import annotations

from typing import assert_never

from referee.core.expr import End
from referee.smt import term
from referee.smt.encoding.content import (
    Content,
    LineContent,
    Pile,
    Slots,
    Sure,
    as_it_is,
    compact,
    less_by,
    more_by,
    single,
)
from referee.smt.term import Cond, Num
from referee.smt.value import Counts, Opt, Unencodable, count, merge


def taken(
    content: Content, moved: Counts, end: End | None, spot: Num | None, sure: Sure = as_it_is
) -> tuple[Content, Cond]:
    """What is left when components are taken, and whether they are there. `sure`: a condition as far as decided."""
    match content:
        case Counts():
            return less_by(content, moved)
        case LineContent():
            return _from_line(content, moved, end, spot, sure)
        case Slots():
            return _from_slots(content, moved, spot)
        case Pile():
            return _from_pile(content, moved, end, sure)
        case _:
            assert_never(content)


def laid(
    content: Content, moved: Counts, end: End | None, spot: Num | None, sure: Sure = as_it_is
) -> tuple[Content, Cond, Cond]:
    """What is there when components are laid down, whether there is room for them, and where it cannot be followed."""
    match content:
        case Counts():
            return *more_by(content, moved), False
        case LineContent():
            return *_into_line(content, moved, end, spot, sure), False
        case Slots():
            return *_into_slots(content, moved, spot), False
        case Pile():
            return _into_pile(content, moved, end, sure)
        case _:
            assert_never(content)


# ---------------------------------------------------------------------- lines
def _settled(at: Num, most: int, sure: Sure) -> Num:
    """A position as far as it is decided which one it is."""
    for i in range(most + 1):
        here = sure(term.equal(at, i))
        if here is not False:
            return i if here is True else at
    return at


def _from_line(
    line: LineContent, moved: Counts, end: End | None, spot: Num | None, sure: Sure
) -> tuple[Content, Cond]:
    if spot is None and (several := _several(moved)):
        return _each_from_line(line, several, sure) if end is None else _many_from_line(line, several, end)
    one, many = single(moved), moved.size
    if spot is None and end is None:
        at: Num = len(line.items)
        for i in reversed(range(len(line.items))):
            at = term.choose(sure(term.both(term.less(i, line.length), term.equal(line.items[i], one))), i, at)
    else:
        at = spot if spot is not None else 0 if end is End.BOTTOM else line.length - 1
    at = _settled(at, len(line.items), sure)
    there = term.disj(
        term.both(term.equal(at, i), term.less(i, line.length), term.equal(item, one))
        for i, item in enumerate(line.items)
    )
    padded = (*line.items, line.items[-1]) if line.items else ()
    items = tuple(term.choose(term.at_most(at, i), padded[i + 1], padded[i]) for i in range(len(line.items)))
    left = LineContent(items, line.length - 1)
    nothing = term.equal(many, 0)
    whole = LineContent(
        tuple(term.choose(nothing, a, b) for a, b in zip(line.items, left.items, strict=True)),
        term.choose(nothing, line.length, left.length),
    )
    return whole, term.disj((nothing, term.both(_alone(many), there)))


def _several(moved: Counts) -> list[int]:
    """The classes that are moved, if they are known and more than one; else nothing."""
    classes = [c for c, n in moved.members() if isinstance(n, int) for _ in range(n)]
    return classes if len(classes) > 1 and all(isinstance(n, int) for n in moved.counts) else []


def _each_from_line(line: LineContent, classes: list[int], sure: Sure) -> tuple[Content, Cond]:
    """Each the first of its class, one after the other."""
    there: list[Cond] = []
    for one in classes:
        left, ok = _from_line(line, Counts(one, (1,)), None, None, sure)
        assert isinstance(left, LineContent)
        line = left
        there.append(ok)
    return line, term.conj(there)


def _many_from_line(line: LineContent, classes: list[int], end: End) -> tuple[Content, Cond]:
    """So many from an end, whatever their order."""
    many, size = len(classes), len(line.items)
    first = line.length - many if end is End.TOP else 0
    inside = [term.both(term.at_most(first, i), term.less(i, first + many)) for i in range(size)]
    there = [term.at_most(many, line.length)]
    for c in sorted(set(classes)):
        here = [term.number(term.both(i, term.equal(item, c))) for i, item in zip(inside, line.items, strict=True)]
        there.append(term.equal(term.total(here), classes.count(c)))
    kept = line.items if end is End.TOP else (*line.items[many:], *line.items[:many])
    return LineContent(kept, line.length - many), term.conj(there)


def _many_into_line(
    line: LineContent, classes: list[int], end: End | None, spot: Num | None, sure: Sure
) -> tuple[Content, Cond]:
    """Several side by side, in the order of their classes."""
    room: list[Cond] = []
    for number, one in enumerate(classes if spot is None and end is not End.BOTTOM else reversed(classes)):
        made, ok = _into_line(line, Counts(one, (1,)), end, spot, sure)
        assert isinstance(made, LineContent)
        line = made
        room.append(ok if number == 0 or spot is None else True)
    return line, term.both(*room, term.at_most(line.length, len(line.items)))


def _into_line(line: LineContent, moved: Counts, end: End | None, spot: Num | None, sure: Sure) -> tuple[Content, Cond]:
    if several := _several(moved):
        return _many_into_line(line, several, end, spot, sure)
    one, many = single(moved), moved.size
    at: Num = _settled(
        spot if spot is not None else 0 if end is End.BOTTOM else line.length, len(line.items), sure)
    items: list[Num] = []
    for i in range(len(line.items)):
        before = line.items[i - 1] if i else one
        items.append(term.choose(term.equal(at, i), one, term.choose(term.less(at, i), before, line.items[i])))
    inside = term.both(term.at_most(0, at), term.at_most(at, line.length), term.less(line.length, len(line.items)))
    nothing = term.equal(many, 0)
    made = LineContent(
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
def _from_pile(pile: Pile, moved: Counts, end: End | None, sure: Sure) -> tuple[Content, Cond]:
    """Block after block; at an end, the next only when the one before is used up."""
    order = list(range(len(pile.blocks)))
    blocks = list(pile.blocks)
    if end is End.BOTTOM:
        order.reverse()
    wanted = moved
    open_: Cond = True
    for i in order:
        block = blocks[i]
        got = {c: _got(n, count(wanted, c), open_) for c, n in block.members()}
        blocks[i] = Counts(block.lo, tuple(term.minus(n, got[c]) for c, n in block.members()))
        wanted = Counts(wanted.lo, tuple(term.minus(n, got[c]) if c in got else n for c, n in wanted.members()))
        if end is not None:
            open_ = sure(term.both(open_, term.equal(blocks[i].size, 0)))
    return Pile(compact(blocks, sure)), term.equal(wanted.size, 0)


def _got(there: Num, wanted: Num, open_: Cond) -> Num:
    """How many are taken where some are, at most so many as are wanted."""
    return 0 if isinstance(wanted, int) and wanted == 0 else term.choose(open_, term.lower(there, wanted), 0)


def _into_pile(pile: Pile, moved: Counts, end: End | None, sure: Sure) -> tuple[Content, Cond, Cond]:
    """What is moved at once is one block. A pile grows where it surely has to; else what is too deep is lost."""
    empty = Counts(pile.blocks[0].lo, (0,) * len(pile.blocks[0].counts))
    block, fits = more_by(empty, moved)
    if end is not End.BOTTOM:
        shifted = compact((block, *pile.blocks), sure)
        lost = sure(term.less(0, shifted[-1].size))
        return (Pile(shifted), fits, False) if lost is True else (Pile(shifted[:-1]), fits, lost)
    blocks, placed = list(pile.blocks), term.equal(moved.size, 0)
    for i, held in enumerate(pile.blocks):
        here = sure(term.both(term.no(placed), term.equal(held.size, 0)))
        merged = merge(here, block, held)
        assert isinstance(merged, Counts)
        blocks[i] = merged
        placed = sure(term.disj((placed, here)))
    return (Pile((*blocks, block)), fits, False) if placed is False else (Pile(tuple(blocks)), fits, term.no(placed))
