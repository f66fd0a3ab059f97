"""Values of which not everything is known: a component, several of them, a number, one of some values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple, NoReturn


class HiddenValueAsked(Exception):
    """Something was asked of a hidden value that only its own operations answer."""


def _is(_: object, other: object) -> bool:
    if other is None:
        return False
    raise HiddenValueAsked


def _is_not(_: object, other: object) -> bool:
    if other is None:
        return True
    raise HiddenValueAsked


def _ask(*_: object) -> NoReturn:
    raise HiddenValueAsked


class Hidden:
    """What the functions of an engine cannot look into: whatever they ask of it but whether it is there, they are
    stopped by `HiddenValueAsked`.
    """

    __slots__ = ()
    __iter__ = __contains__ = __getitem__ = __index__ = __int__ = _ask
    __eq__ = _is
    __ne__ = _is_not
    __lt__ = __le__ = __gt__ = __ge__ = _ask
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __neg__ = __abs__ = _ask
    __or__ = __ror__ = __and__ = __rand__ = _ask
    __hash__ = _ask

    def __bool__(self) -> bool:
        raise HiddenValueAsked


class Untold(Exception):
    """The answer hangs on what lies in a place of which nothing is known."""


class Unknown(Hidden):
    """What lies in a zone of which nothing is known."""

    __slots__ = ()
    __len__ = _ask


UNKNOWN = Unknown()


class Token(Hidden):
    """A component of which the class is not known; `id` tells it from the others."""

    __slots__ = ("id",)

    def __init__(self, number: int) -> None:
        self.id = number


Counts = Mapping[int, int]
Why = Mapping[int, frozenset[int]]
"""For some classes the lines of a log."""
_NO_LINES: Why = {}
_NONE: frozenset[int] = frozenset()


class Bag(Hidden):
    """Several components: so many of each class, and tokens, each once too many (-1) or more (+1) than `known` says.

    What is known may be less than nothing, where a component was seen to leave of which it was not known that it was
    there. `source`: equal for bags of which one came from the other by taking components out. `why`: the lines of the
    log that told of components of a class.
    """

    __slots__ = ("_masks", "_signed", "known", "size", "source", "tokens", "why")

    def __init__(self, known: Counts, tokens: Counts, source: int | None = None, why: Why = _NO_LINES) -> None:
        self.why = why
        self.known = {one: number for one, number in known.items() if number}
        self.tokens = {one: sign for one, sign in tokens.items() if sign}
        self.size = sum(self.known.values()) + sum(self.tokens.values())
        self.source = source
        self._signed: tuple[frozenset[int], frozenset[int]] | None = None
        self._masks: tuple[int, int] | None = None

    def __len__(self) -> int:
        return self.size

    def __bool__(self) -> bool:
        return self.size > 0

    @property
    def signed(self) -> tuple[frozenset[int], frozenset[int]]:
        """The tokens that are there once more than `known` says, and those once fewer."""
        if self._signed is None:
            more = frozenset([token for token, sign in self.tokens.items() if sign > 0])
            self._signed = more, frozenset([token for token in self.tokens if token not in more])
        return self._signed

    @property
    def masks(self) -> tuple[int, int]:
        """The classes, as bits, of which `known` says that some are there, and those of which less than nothing is."""
        if self._masks is None:
            self._masks = (mask_of([one for one, number in self.known.items() if number > 0]),
                           mask_of([one for one, number in self.known.items() if number < 0]))
        return self._masks

    def plus(self, other: Bag, line: int, sign: int = 1, source: int | None = None) -> Bag:
        """Both together, or what is left of one without the other: so a line of the log tells."""
        why = dict(self.why)
        for one in other.known:
            why[one] = why.get(one, frozenset()) | {line}
        for one, lines in other.why.items():
            why[one] = why.get(one, frozenset()) | lines
        return Bag(_joined(self.known, other.known, sign), _joined(self.tokens, other.tokens, sign), source, why)


def _joined(one: Counts, other: Counts, sign: int) -> dict[int, int]:
    found = dict(one)
    for member, number in other.items():
        found[member] = found.get(member, 0) + sign * number
    return found


class Case(Hidden):
    """A value that hangs on the class of one token; or of several, if values are cases themselves. It may be nothing.
    """

    __slots__ = ("token", "values")
    __eq__ = __ne__ = __len__ = _ask  # type: ignore[assignment]
    __hash__ = _ask

    def __init__(self, token: int, values: Mapping[int, Any]) -> None:
        self.token = token
        self.values = values


Weights = Mapping[int, Mapping[int, int]]
"""Of each token, what it counts by its class; left out: nothing."""


class CountedTokens(NamedTuple):
    """A sum that counts tokens of some classes (bits): `const`, those in `plus`, less those in `minus`."""

    plus: frozenset[int]
    minus: frozenset[int]
    mask: int
    const: int


class SharedWeights:
    """What was found out of sums that differ only in their constants: with some `domains` they are between `least` and
    `most`, but for the constant."""

    __slots__ = ("_key", "_weights", "domains", "least", "most")

    def __init__(self, weights: Weights) -> None:
        self._key: object = None
        self._weights = weights
        self.domains: Mapping[int, int] | None = None
        self.least = self.most = 0

    def key(self) -> object:
        """Equal for the same weights."""
        if self._key is None:
            self._key = tuple(sorted((token, tuple(sorted((c, w) for c, w in own.items() if w)))
                                     for token, own in self._weights.items()))
        return self._key


class Sum(Hidden):
    """A number: `const`, and what each token counts. `why`: the lines of the log that `const` comes from; `least`: it
    is that at least in every world, if something is known by itself: what lies somewhere is never less than nothing."""

    __slots__ = ("_key", "_row", "_shared", "_weights", "const", "least", "why")

    def __init__(self, const: int, weights: Weights | None, why: frozenset[int] = frozenset(),
                 row: CountedTokens | None = None) -> None:
        """`row`: in the place of weights."""
        self._key: object = None
        self._row: tuple[CountedTokens | None] | None = None if row is None else (row,)
        self._shared: SharedWeights | None = None
        self.least: int | None = None
        self._weights = weights
        self.const = const
        self.why = why

    @property
    def weights(self) -> Weights:
        """What each token counts."""
        if self._weights is None:
            row = self.row()
            assert row is not None
            plus, minus, mask, _ = row
            self._weights = {**dict.fromkeys(plus, dict.fromkeys(members(mask), 1)),
                             **dict.fromkeys(minus, dict.fromkeys(members(mask), -1))}
        return self._weights

    def plus(self, other: Sum | int, times: int = 1) -> Sum:
        """The sum with so many times another."""
        if isinstance(other, int):
            return self._moved(times * other, self.why)
        if other._weights is not None and not other._weights:
            return self._moved(times * other.const, self.why | other.why)
        found = dict(self.weights)  # what one token counts is never changed, so that sums can have it together
        for token, own in other.weights.items():
            mine = found.get(token)
            if mine is None:
                found[token] = own if times == 1 else {member: times * weight for member, weight in own.items()}
                continue
            both = dict(mine)
            for member, weight in own.items():
                both[member] = both.get(member, 0) + times * weight
            found[token] = both
        return Sum(self.const + times * other.const, found, self.why | other.why)

    def _moved(self, by: int, why: frozenset[int]) -> Sum:
        row = self.row()
        if row is not None:
            found = Sum(self.const + by, self._weights, why, row._replace(const=row.const + by))
        else:
            found = Sum(self.const + by, self._weights, why)
            found._row, found._shared = self._row, self.shared
        found.least = None if self.least is None else self.least + by
        return found

    def times(self, factor: int) -> Sum:
        """So many times the sum."""
        row = self.row() if factor == -1 else None
        if row is not None:
            return Sum(-self.const, None, self.why, CountedTokens(row.minus, row.plus, row.mask, -row.const))
        return Sum(0, {}).plus(self, factor)

    def key(self) -> object:
        """Equal for sums that are always the same."""
        if self._key is None:
            self._key = self.row() or (self.const, self.shared.key())
        return self._key

    @property
    def shared(self) -> SharedWeights:
        """What sums that are so much more or less have together with this one."""
        if self._shared is None:
            self._shared = SharedWeights(self.weights)
        return self._shared

    def row(self) -> CountedTokens | None:
        """The same sum, if it counts each token once (or takes it away once) for the same classes; else None."""
        if self._row is None:
            self._row = (_row(self),)
        return self._row[0]


def _row(total: Sum) -> CountedTokens | None:
    signed: dict[int, list[int]] = {1: [], -1: []}
    seen: dict[int, Mapping[int, int] | None] = {1: None, -1: None}
    mask = 0
    for token, own in total.weights.items():
        for sign, tokens in signed.items():
            if own is seen[sign]:
                tokens.append(token)
                break
        else:
            weights = {weight for weight in own.values() if weight}
            if not weights:
                continue
            found = mask_of(one for one, weight in own.items() if weight)
            if len(weights) > 1 or not weights <= {1, -1} or (mask and found != mask):
                return None
            mask, sign = found, weights.pop()
            seen[sign] = own
            signed[sign].append(token)
    return CountedTokens(frozenset(signed[1]), frozenset(signed[-1]), mask, total.const)


def members(mask: int) -> Iterator[int]:
    """The classes in a set of bits, ascending."""
    return iter(_members(mask))


@lru_cache(maxsize=4_096)
def _members(mask: int) -> tuple[int, ...]:
    found: list[int] = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return tuple(found)


def mask_of(classes: Any) -> int:
    """A set of bits for classes."""
    found = 0
    for one in classes:
        found |= 1 << one
    return found


def weighed(bag: Bag, weights: Mapping[int, int]) -> Sum:
    """What is in a bag, each class counting so much (left out: nothing)."""
    const = sum(number * weights.get(one, 0) for one, number in bag.known.items())
    signed = {sign: {one: sign * weight for one, weight in weights.items()} for sign in set(bag.tokens.values())}
    return Sum(const, {token: signed[sign] for token, sign in bag.tokens.items()}, _lines(bag, weights))


def _lines(bag: Bag, classes: Iterable[int]) -> frozenset[int]:
    return frozenset().union(*(bag.why[one] for one in classes if one in bag.why)) if bag.why else frozenset()


def number_in(bag: Bag, mask: int) -> Sum:
    """How many components of some classes are in a bag."""
    if mask.bit_count() == 1:
        return number_of(bag, mask.bit_length() - 1)
    plus, minus = bag.signed
    const = sum([number for one, number in bag.known.items() if mask >> one & 1])
    return Sum(const, None, _lines(bag, members(mask)), CountedTokens(plus, minus, mask if bag.tokens else 0, const))


_tuple = tuple.__new__
"""Makes a named tuple in half the time."""


def number_of(bag: Bag, one: int) -> Sum:
    """How many components of a class are in a bag: nothing is asked more often."""
    plus, minus = bag.signed
    const = bag.known.get(one, 0)
    mask = 1 << one if plus or minus else 0
    row: CountedTokens = _tuple(CountedTokens, (plus, minus, mask, const))
    return Sum(const, None, bag.why.get(one, _NONE), row)
