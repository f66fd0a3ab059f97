"""What is known of where a game stands, of all the positions in which it may stand: the rest is left open in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, assert_never

from referee.core.ruleset import Form
from referee.game.state import Ended, Layout, Open, Slot, State, Step
from referee.interpreter.walker import Walker
from referee.judge.partial.constraints.constraint_search import bounds
from referee.judge.partial.constraints.hidden_values import Bag, Case, Sum, Token, Unknown, members
from referee.judge.partial.lifted.hidden_pools import Kinds, is_hidden

UNSEEN = -1
"""Stands for a component of which it is not known what it is."""
MOST_POSITIONS = 64
"""So many positions are laid beside each other at most."""
Domains = Mapping[int, int]
"""The classes, as bits, that each hidden component may have."""
_NOTHING_KNOWN = Open(0, 0)


class _CannotBeTold(Exception):
    """Not even how many components lie in a place is known."""


@dataclass(frozen=True, slots=True)
class KnownPosition:
    """A position with what is known alone. `UNSEEN` stands in places, and `Open` in values, for what is not. `settled`:
    it is also known who has to act, and that is so as the rules say of this step."""

    step: Step
    settled: bool


def known_position(walker: Walker, positions: Sequence[tuple[Step, Domains]]) -> KnownPosition | None:
    """What is the same in all positions in which a game may stand, each with what its hidden components may be; None if
    that cannot be drawn."""
    if not 0 < len(positions) <= MOST_POSITIONS:
        return None
    if all(not domains and step == positions[0][0] for step, domains in positions):
        return KnownPosition(positions[0][0], settled=True)
    states = [step if isinstance(step, State) else step.state for step, _ in positions]
    if any(state is None for state in states):
        return None
    try:
        rows = [_told(walker.layout, state, domains) for state, (_, domains) in zip(states, positions, strict=True)
                if state is not None]
        slots = _common(walker.layout, rows)
    except _CannotBeTold:
        return None
    first, at = positions[0][0], states[0]
    assert at is not None
    state = State(at.at, tuple(slots))
    if isinstance(first, Ended) and all(isinstance(s, Ended) and s.winners == first.winners for s, _ in positions):
        return KnownPosition(Ended(state, first.winners), settled=True)
    return KnownPosition(state, settled=False)


def _forms(layout: Layout) -> list[Form]:
    """How what lies there lies, of each entry that is a place: these come first."""
    return [zone.form for zone in layout.core.zones.values() for _ in range(layout.zones[zone.name].count)]


def _told(layout: Layout, state: State, domains: Domains) -> list[Slot]:
    """The entries of one position, with what is known alone."""
    forms = _forms(layout)
    places = [_content(form, entry, domains) for form, entry in zip(forms, state.slots, strict=False)]
    return [*places, *(_value(entry, domains) if is_hidden(entry) else entry for entry in state.slots[len(forms):])]


# ---------------------------------------------------------------------- places
def _content(form: Form, entry: Any, domains: Domains) -> Any:
    """What lies in a place."""
    match form:
        case Form.BAG:
            return _known_of(entry, domains)
        case Form.PILE:
            if not isinstance(entry, tuple):
                return (_known_of(entry, domains),)
            return tuple(_known_of((one,) if isinstance(one, Token) else one, domains) for one in entry)
        case Form.LINE | Form.SLOTS:
            if not isinstance(entry, tuple):
                raise _CannotBeTold
            return tuple(_class(one, domains) if isinstance(one, Token) else one for one in entry)
        case _:
            assert_never(form)


def _class(token: Token, domains: Domains) -> int:
    mask = domains[token.id]
    return next(members(mask)) if mask.bit_count() == 1 else UNSEEN


def _known_of(entry: Any, domains: Domains) -> tuple[int, ...]:
    """Of components that lie together those that are there whatever the hidden ones are, and the rest as `UNSEEN`."""
    if isinstance(entry, tuple):
        found = [_class(one, domains) if isinstance(one, Token) else one for one in entry]
        return _in_order(Counter(one for one in found if one != UNSEEN), len(found))
    if not isinstance(entry, Bag):
        raise _CannotBeTold
    least = Counter(entry.known)
    for token, sign in entry.tokens.items():
        mask = domains[token]
        if mask.bit_count() == 1:
            least[next(members(mask))] += sign
        elif sign < 0:  # one of these has left
            least.subtract(members(mask))
    return _in_order(least, len(entry))


def _in_order(known: Counter[int], number: int) -> tuple[int, ...]:
    found = [one for one in sorted(known) for _ in range(max(0, known[one]))]
    return (*found, *[UNSEEN] * (number - len(found)))


# ---------------------------------------------------------------------- values
def _value(entry: Any, domains: Domains) -> Slot:
    """A hidden value: the one that it must be, or what leaves it open."""
    assert is_hidden(entry)
    match entry:
        case Sum():
            lo, hi = bounds(domains, entry)
            return lo if lo == hi else Open(lo, hi)
        case Case():
            values = [entry.values.get(one) for one in members(domains[entry.token])]
            return _one_of([_value(one, domains) if is_hidden(one) else one for one in values])
        case Token():
            one = _class(entry, domains)
            return _NOTHING_KNOWN if one == UNSEEN else one
        case Bag() | Kinds() | Unknown():
            return _NOTHING_KNOWN
        case _:
            assert_never(entry)


def _one_of(values: Sequence[Any]) -> Slot:
    """The only one of some values, or what leaves open which of them it is."""
    first = values[0]
    if all(type(one) is type(first) and one == first for one in values):
        return first  # type: ignore[no-any-return]  # a value of the rules
    ends = [(one.lo, one.hi) if isinstance(one, Open) else (one, one) for one in values
            if isinstance(one, Open) or type(one) is int]
    if len(ends) < len(values):
        return _NOTHING_KNOWN
    return Open(min(lo for lo, _ in ends), max(hi for _, hi in ends))


# ---------------------------------------------------------------------- several positions
def _common(layout: Layout, rows: Sequence[Sequence[Slot]]) -> list[Slot]:
    """What is the same in all of them."""
    if len(rows) == 1:
        return list(rows[0])
    forms, found = _forms(layout), list[Slot]()
    for at, entries in enumerate(zip(*rows, strict=True)):
        if at >= len(forms):
            found.append(_one_of(entries))
        elif all(one == entries[0] for one in entries):
            found.append(entries[0])
        else:
            found.append(_shared(forms[at], entries))
    return found


def _shared(form: Form, contents: Sequence[Any]) -> Any:
    """What lies in a place in all of them."""
    if len({len(one) for one in contents}) > 1:
        raise _CannotBeTold
    match form:
        case Form.BAG:
            return _both(contents)
        case Form.PILE:
            return tuple(_both(blocks) for blocks in zip(*contents, strict=True))
        case Form.LINE | Form.SLOTS:
            if any((one is None) != (entries[0] is None) for entries in zip(*contents, strict=True) for one in entries):
                raise _CannotBeTold
            return tuple(entries[0] if all(one == entries[0] for one in entries) else UNSEEN
                         for entries in zip(*contents, strict=True))
        case _:
            assert_never(form)


def _both(contents: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Of components that lie together those that are there in all of them."""
    if len({len(one) for one in contents}) > 1:
        raise _CannotBeTold
    common = Counter(contents[0])
    for one in contents[1:]:
        common &= Counter(one)
    del common[UNSEEN]
    return _in_order(common, len(contents[0]))
