"""A game that starts from a position in which it is known of every place how many components lie there, not which.

Each hidden component is a token. In the largest place for the same kinds as others lies what these leave over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, assert_never

from referee.core.ruleset import Form, Zone
from referee.core.types import COMPONENT, Elem, Many
from referee.game.start_position import HIDDEN_ONE, BadPosition
from referee.game.state import Layout, State, Step
from referee.interpreter.walker import Walker
from referee.judge.display_names import Names
from referee.judge.partial.constraints.constraint_search import GaveUp
from referee.judge.partial.constraints.constraint_store import ConstraintStore
from referee.judge.partial.constraints.hidden_values import (
    Bag,
    HiddenValueAsked,
    Sum,
    Token,
    mask_of,
    members,
    number_in,
)
from referee.judge.partial.constraints.model_counting import Filled
from referee.judge.partial.lifted.hidden_pools import bag_of
from referee.system.deadline import NEVER, Deadline

_HEADER = 1
"""The line of a log that tells of a position."""
Place = tuple[Zone, int]
"""A zone, and the entry of one of its instances."""


def concealed(layout: Layout, slots: list[Any], left: Mapping[int, int]) -> None:
    """Puts tokens in the place of hidden components, of which so many of each class are left. Raises `BadPosition`
    (LG27) if these cannot lie there, `HiddenValueAsked` if that is not found out."""
    hidden = [(zone, at) for zone, at, _ in _places(layout) if _number(slots[at])]
    rests = list(_for_the_rest(hidden, slots))
    over = {at for _, at in rests}
    numbers = iter(range(1, 2 + len(rests) + sum(left.values())))
    for zone, at in hidden:
        if at not in over:
            slots[at] = _with_tokens(zone, slots[at], numbers)
    for zone, at in rests:
        own = {one: number for one, number in left.items() if layout.core.components[one].kind in zone.kinds}
        others = [token for other, here in hidden if here not in over and other.kinds == zone.kinds
                  for token in _tokens(slots[here])]
        bag = Bag(own, dict.fromkeys(others, -1), next(numbers))
        if len(bag) != _number(slots[at]):
            raise _too_many(zone)
        slots[at] = (bag,) if zone.form.in_blocks else bag
    try:
        _store(layout, slots, NEVER)
    except GaveUp as why:
        raise HiddenValueAsked from why


def has_tokens(step: Step) -> bool:
    """Whether there are hidden components in a position that a game starts from."""
    return isinstance(step, State) and any(_hides(entry) for entry in step.slots)


def opened(walker: Walker, step: Step, names: Names, deadline: Deadline) -> tuple[ConstraintStore, tuple[Filled, ...]]:
    """What is known of the tokens in the position that a game starts from, and which lie where."""
    if not isinstance(step, State) or not has_tokens(step):
        return ConstraintStore(deadline=deadline), ()
    return _store(walker.layout, step.slots, deadline), tuple(_filled(walker.layout, step.slots, names))


def _places(layout: Layout) -> Iterator[tuple[Zone, int, tuple[int, ...]]]:
    for zone in layout.core.zones.values():
        entries = layout.zones[zone.name]
        for at, key in enumerate(entries.keys(), entries.base):
            yield zone, at, key


def _number(content: Any) -> int:
    """How many hidden components are said to lie in a place."""
    return sum(part.count(HIDDEN_ONE) if isinstance(part, tuple) else part == HIDDEN_ONE for part in content)


def _for_the_rest(hidden: Sequence[Place], slots: Sequence[Any]) -> Iterator[Place]:
    """Of the places for the same kinds, for which no other place is, the largest of those in which everything is hidden
    and without an order."""
    every = {zone.kinds for zone, _ in hidden}
    for kinds in sorted(every):
        if any(other != kinds and set(kinds) & set(other) for other in every):
            continue
        fitting = [(zone, at) for zone, at in hidden if zone.kinds == kinds and _shuffled(zone, slots[at])]
        if fitting:
            yield max(fitting, key=lambda place: _number(slots[place[1]]))


def _shuffled(zone: Zone, content: Any) -> bool:
    match zone.form:
        case Form.PILE:
            return len(content) == 1 and set(content[0]) == {HIDDEN_ONE}
        case Form.BAG:
            return set(content) == {HIDDEN_ONE}
        case Form.LINE | Form.SLOTS:
            return False
        case _:
            assert_never(zone.form)


def _with_tokens(zone: Zone, content: Any, numbers: Iterator[int]) -> Any:
    """What lies in a place, with a token for each hidden component."""
    def shown(one: int | None) -> int | Token | None:
        return Token(next(numbers)) if one == HIDDEN_ONE else one

    match zone.form:
        case Form.BAG:
            return bag_of([shown(one) for one in content])
        case Form.PILE:
            return tuple(bag_of([shown(one) for one in block]) if HIDDEN_ONE in block else block for block in content)
        case Form.LINE | Form.SLOTS:
            return tuple(shown(one) for one in content)
        case _:
            assert_never(zone.form)


def _hides(entry: Any) -> bool:
    return isinstance(entry, Token | Bag) or (isinstance(entry, tuple) and any(map(_hides, entry)))


def _tokens(entry: Any) -> list[int]:
    """The tokens that lie in a place."""
    if isinstance(entry, Token):
        return [entry.id]
    if isinstance(entry, Bag):
        return [token for token, sign in entry.tokens.items() if sign > 0]
    return [token for part in entry for token in _tokens(part)] if isinstance(entry, tuple) else []


def _known(entry: Any) -> Counter[int]:
    """The components that lie in a place and are known, or left over for it."""
    if isinstance(entry, Bag):
        return Counter(entry.known)
    if isinstance(entry, tuple):
        return sum(map(_known, entry), Counter[int]())
    return Counter() if entry is None or isinstance(entry, Token) else Counter((entry,))


def _rest(entry: Any) -> Bag | None:
    """The bag of what other places leave over, if a place holds it."""
    found = entry[0] if isinstance(entry, tuple) and len(entry) == 1 else entry
    return found if isinstance(found, Bag) and found.source is not None else None


def _store(layout: Layout, slots: Sequence[Any], deadline: Deadline) -> ConstraintStore:
    """What is known of the tokens. Raises `BadPosition` and `GaveUp`."""
    core, store = layout.core, ConstraintStore(deadline=deadline)
    rests = {zone.kinds: bag for zone, at, _ in _places(layout) if (bag := _rest(slots[at])) is not None}
    left = Counter({one: component.number for one, component in enumerate(core.components)})
    for _, at, _ in _places(layout):
        left.subtract(_known(slots[at]))
    free = left + sum((Counter(bag.known) for bag in rests.values()), Counter[int]())
    mine: dict[int, dict[int, Mapping[int, int]]] = {}
    for zone, at, _ in _places(layout):
        kinds = [one for one, number in left.items() if number > 0 and core.components[one].kind in zone.kinds]
        mask = mask_of(rests[zone.kinds].known if zone.kinds in rests else kinds)
        for token in _tokens(slots[at]):
            pick = next((one for one in members(mask) if free[one] > 0), None)
            if pick is None:
                raise _too_many(zone)
            free[pick] -= 1
            store = store.meeting(token, mask, pick)
            for one in () if zone.kinds in rests else kinds:
                mine.setdefault(one, {})[token] = {one: -1}
    totals = [((bag.source, one), number_in(bag, 1 << one)) for bag in rests.values() for one in bag.known]
    totals += [(("left", one), Sum(left[one], weights)) for one, weights in mine.items()]  # type: ignore[misc]
    for name, total in totals:
        after = store.adding(total, _HEADER, name)
        if after is None:
            raise BadPosition("LG27", "what lies nowhere cannot lie where something is hidden", "place")
        store = after
    return store


def _too_many(zone: Zone) -> BadPosition:
    return BadPosition("LG27", f"what lies nowhere is not what is hidden in {zone.name}", "place")


def _filled(layout: Layout, slots: Sequence[Any], names: Names) -> Iterator[Filled]:
    """What is hidden in each place, as holes of the header; not what other places leave over."""
    one = Elem(COMPONENT, 0, max(0, len(layout.core.components) - 1))
    for zone, at, key in _places(layout):
        tokens = tuple(_tokens(slots[at]))
        if tokens:
            name = names.place(zone.name, zone.keys, key)
            yield Filled(_HEADER, name, Many(one, len(tokens)), None, tokens)
