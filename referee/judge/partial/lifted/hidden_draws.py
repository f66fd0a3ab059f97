"""Components taken out of a zone by a parameter, where not all of them are known."""

from __future__ import annotations

from itertools import combinations
from typing import Any, assert_never

from referee.core.expr import Domainlike, End, Members, Where, Within
from referee.core.ruleset import Form
from referee.core.stmt import Param
from referee.interpreter.multisets import cap, every_taken, wanted
from referee.interpreter.multisets import ends as cut
from referee.judge.partial.constraints.hidden_values import Bag, Sum, Token, mask_of, number_in
from referee.judge.partial.lifted.choice_points import Trial
from referee.judge.partial.lifted.hidden_pools import HiddenPool, Kinds, bag_of
from referee.judge.partial.lifted.lifted_evaluation import HiddenView
from referee.judge.partial.lifted.lifted_operators import known
from referee.judge.partial.line_patterns import Anything, Hole, OneOf, fits
from referee.judge.partial.line_patterns import MembersPattern as Several


class Drawn:
    """What a parameter is taken from: bags, each only once those before it are used up, and the classes (bits; -1: all)
    of which it may be."""

    def __init__(self, blocks: list[Any], mask: int = -1, index: int | None = None, *, pile: bool = False) -> None:
        self.blocks = [bag_of(block) for block in blocks]
        self.mask = mask
        self._index = index
        self._pile = pile

    @staticmethod
    def is_for(param: Param, view: HiddenView) -> bool:
        """Whether a parameter takes components out of a zone, of which it does not matter where in it they lie."""
        place = _place(param.source)
        if place is None or place.place.spot is not None or param.repeated:
            return False
        core = view.layout.core
        zone, whole = core.zones[place.place.zone], place is param.source
        match zone.form:
            case Form.PILE:
                return whole and place.place.end is End.TOP and param.among is None
            case Form.BAG:
                alike = any(one.number > 1 for one in core.components if one.kind in zone.kinds)
                return whole or param.count is None or not alike
            case Form.LINE | Form.SLOTS:
                return False
            case _:
                assert_never(zone.form)

    @property
    def all_known(self) -> bool:
        """Whether all components are known."""
        return not any(block.tokens for block in self.blocks)

    @property
    def size(self) -> int:
        """How many components there are."""
        return sum(map(len, self.blocks))

    def inside(self, trial: Trial) -> Sum:
        """How many components can be taken."""
        total = Sum(0, {})
        for block in self.blocks:
            total = total.plus(number_in(block, self.mask & trial.classes(block)))
        return total

    def plain(self, trial: Trial) -> list[list[int]]:
        """The classes in each block; what is hidden is decided."""
        return [list(HiddenPool(block, self.mask).plain(trial)) for block in self.blocks]

    def holds(self, trial: Trial, value: Bag, *, must: bool = False) -> bool:
        """Whether known components can be taken: whole blocks, and a part of the next. `must`: as in `Trial.decide`."""
        left = value
        for block in self.blocks:
            if not len(left):
                return True
            if len(block) > len(left):
                return all(bool(self.mask >> one & 1) and trial.has(block, one, number, must=must)
                           for one, number in left.known.items())
            rest = trial.less(left, block, must=must)
            if rest is None:
                return False
            left = rest
        return not len(left)

    def take_one(self, view: HiddenView, mask: int) -> Token:
        """A token for one of the first block, of some classes of which there is one."""
        return view.trial.draw(self._sourced(view, 0), mask)[0]

    def _sourced(self, view: HiddenView, at: int) -> Bag:
        """A block that says where it comes from, in its place as well: what is taken then replaces what was known."""
        block = self.blocks[at]
        if block.source is None and self._index is not None:
            block = self.blocks[at] = Bag(block.known, block.tokens, view.trial.source(block), block.why)
            content = view.slots[self._index]
            view.slots[self._index] = (*content[:at], block, *content[at + 1:]) if self._pile else block
        return block

    def take_several(self, view: HiddenView, hole: Hole, least: int, most: int) -> Any:
        """Several components in the place of a hole; None if there are none such."""
        trial = view.trial
        options = list(masks_of(hole, least, most, self.mask))
        if not options:
            return None
        masks = trial.choose(options)
        value, rest = Bag({}, {}), list(masks)
        for at, block in enumerate(self.blocks):
            if not rest:
                break
            if len(block) <= len(rest):
                if any(mask != -1 for mask in rest):
                    return self._decided(trial, hole, len(masks))
                value = value.plus(block, trial.line)
                rest = rest[len(block):]
                continue
            taken = _matching(trial, block, rest)
            if taken is None:
                return None
            drawn_ones = _take_all(trial, self._sourced(view, at), taken)
            value, rest = value.plus(drawn_ones, trial.line), []
        return trial.plain(value)

    def _decided(self, trial: Trial, hole: Hole, number: int) -> Any:
        """Where whole blocks are taken of which something is said: what is in them is decided."""
        values = [one for one in every_taken(self.plain(trial), number, number) if fits(hole, one)]
        if not values:
            return None
        return trial.choose(values)


def masks_of(hole: Hole, least: int, most: int, allowed: int) -> Any:
    """For each number of components that a hole may stand for, the classes that each of them may be of."""
    match hole:
        case Anything():
            for number in range(least, most + 1):
                yield [allowed] * number
        case OneOf(values, others):
            for _, value in sorted(values, key=repr):
                if isinstance(value, tuple) and least <= len(value) <= most:
                    yield [1 << one & allowed for one in value]
            for other in others:
                yield from masks_of(other, least, most, allowed)
        case Several(known_ones, holes, free, distinct):
            number = len(known_ones) + len(holes) + free
            if not distinct and least <= number <= most:
                some = [mask_of(value for _, value in one.values if isinstance(value, int)) for one in holes]
                yield [*[1 << one & allowed for one in known_ones], *[one & allowed for one in some],
                       *[allowed] * free]


def _matching(trial: Trial, block: Bag, masks: list[int]) -> list[int] | None:
    """The masks, where each can have a component of its own (Hall's condition, for each union of them); else None."""
    full = mask_of(HiddenPool(block).classes(trial))
    wanted_ones = sorted((mask & full for mask in masks), key=lambda mask: mask.bit_count())
    distinct = list(dict.fromkeys(wanted_ones))
    for number in range(1, len(distinct) + 1):
        for some in combinations(distinct, number):
            union = 0
            for one in some:
                union |= one
            inside = sum(1 for mask in wanted_ones if mask & ~union == 0)
            if not trial.decide(number_in(block, union).plus(-inside)):
                return None
    return wanted_ones


def _take_all(trial: Trial, block: Bag, masks: list[int]) -> Bag:
    """A component for each mask."""
    taken, left = Bag({}, {}), block
    for mask in masks:
        if mask.bit_count() == 1:
            one = Bag({mask.bit_length() - 1: 1}, {})
            after = trial.less(left, one)
            assert after is not None
        else:
            token, after = trial.draw(left, mask)
            one = Bag({}, {token.id: 1})
        taken, left = taken.plus(one, trial.line), after
    return taken


def _place(source: Domainlike) -> Within | None:
    """The zone that a source goes through, maybe only for what passes a test."""
    if isinstance(source, Within):
        return source
    if isinstance(source, Members) and isinstance(source.of, Where) and source.first is None:
        return _place(source.of.source)
    return None


def drawn(view: HiddenView, param: Param) -> Drawn:
    """What a parameter is taken from."""
    source = param.source
    if not Drawn.is_for(param, view):
        return Drawn(_listed(view, param))
    place = _place(source)
    assert place is not None
    zone, index = view.layout.core.zones[place.place.zone], view.where(place.place.zone, place.place.keys)
    content, pile = view.slots[index], zone.form.in_blocks
    mask = -1
    if isinstance(source, Members):
        mask &= _allowed(view.value(source.of))
    if param.among is not None:
        mask &= _allowed(view.value(param.among))
    return Drawn(list(content) if pile else [content], mask, index, pile=pile)


def _allowed(value: Any) -> int:
    """The classes of a set, as bits; of one that hangs on what is hidden also those that are not there."""
    return value.mask if isinstance(value, Kinds) else mask_of(value)


def _listed(view: HiddenView, param: Param) -> list[Any]:
    """What is taken from, with all that is hidden decided."""
    blocks = [_plain(view, one) for one in _contents(view, param)]
    if param.among is not None:
        blocks = [tuple(block) for block in wanted(blocks, view.plain(param.among))]
    if param.repeated:
        blocks = [tuple(sorted(block * cap(param))) for block in blocks]
    return blocks


def _contents(view: HiddenView, param: Param) -> list[Any]:
    source = param.source
    if isinstance(source, Within) and view.layout.core.zones[source.place.zone].form.in_blocks and source.place.end:
        content = view.content(source.place.zone, source.place.keys)
        return list(content if source.place.end is End.TOP else content[::-1])
    return [view.gone(source)]


def _plain(view: HiddenView, block: Any) -> tuple[int, ...]:
    if isinstance(block, Bag):
        block = HiddenPool(block)
    return block.plain(view.trial) if isinstance(block, HiddenPool) else tuple(known(one, view.trial) for one in block)


def ends(view: HiddenView, param: Param, found: Drawn) -> tuple[int, int]:
    """How many can be taken, at least and at most."""
    assert param.count is not None
    least, most = (view.plain(end) for end in param.count)
    size = found.size if found.mask == -1 else view.trial.number(found.inside(view.trial))
    return cut([range(size)], least, most, cap(param))


def fillable(view: HiddenView, found: Drawn, hole: Hole, least: int, most: int) -> bool:
    """Whether several components can be taken that may stand in the place of a hole."""
    trial = view.trial
    return any(_can_take(trial, found, hole, masks) for masks in masks_of(hole, least, most, found.mask))


def _can_take(trial: Trial, found: Drawn, hole: Hole, masks: list[int]) -> bool:
    rest = list(masks)
    for block in found.blocks:
        if not rest:
            return True
        if len(block) > len(rest):
            return _matching(trial, block, rest) is not None
        if any(mask != -1 for mask in rest):
            number = len(masks)
            return any(fits(hole, one) for one in every_taken(found.plain(trial), number, number))
        rest = rest[len(block):]
    return not rest


def rolled_masks(view: HiddenView, param: Param, hole: Hole, least: int, most: int) -> list[list[int]] | None:
    """For each number of dice that a hole may stand for, the sides that each of them may show; None where each is not
    taken from a whole source of known values again, or where it is not said of all dice alike."""
    if not param.repeated or param.among is not None:
        return None
    gone = view.gone(param.source)
    if isinstance(gone, HiddenPool) or any(type(one) is not int or one < 0 for one in gone):
        return None
    found = list(masks_of(hole, least, most, mask_of(gone)))
    if any(len({mask for mask in masks if mask.bit_count() > 1}) > 1 for masks in found):
        return None  # what is alike is counted once, in any order
    return [masks for masks in found if all(masks)]


def roll(trial: Trial, options: list[list[int]]) -> Any:
    """Dice, each with a token for what it shows if that is not known; None if there are no such dice."""
    if not options:
        return None
    masks = trial.choose(options)
    known_ones: dict[int, int] = {}
    for one in (mask.bit_length() - 1 for mask in masks if mask.bit_count() == 1):
        known_ones[one] = known_ones.get(one, 0) + 1
    return trial.plain(Bag(known_ones, {trial.token(mask): 1 for mask in masks if mask.bit_count() > 1}))
