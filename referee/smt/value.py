"""Values of the core as terms: one class for each type, and one of two values by a condition."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar, assert_never

from referee.core.types import Bool, Elem, Int, Many, Maybe, Scalar, SetOf, Type, Value
from referee.smt import term
from referee.smt.term import Cond, Num

_Entry = TypeVar("_Entry")


@dataclass(frozen=True, slots=True)
class Opt:
    """A member or nothing. Without a member, `value` means nothing."""

    has: Cond
    value: Num


@dataclass(frozen=True, slots=True)
class Bits:
    """A set: whether `lo`, `lo` + 1, ... are in it."""

    lo: int
    bits: tuple[Cond, ...]

    def members(self) -> Iterator[tuple[int, Cond]]:
        """Each possible member with the condition that it is one."""
        return enumerate(self.bits, self.lo)

    def has(self, member: Num) -> Cond:
        """True if a number is a member."""
        if isinstance(member, int):
            inside = 0 <= member - self.lo < len(self.bits)
            return self.bits[member - self.lo] if inside else False
        return term.disj(term.both(bit, term.equal(member, index)) for index, bit in self.members())


@dataclass(frozen=True, slots=True)
class Counts:
    """A multiset: how often `lo`, `lo` + 1, ... are in it."""

    lo: int
    counts: tuple[Num, ...]

    def members(self) -> Iterator[tuple[int, Num]]:
        """Each possible member with how often it is one."""
        return enumerate(self.counts, self.lo)

    @property
    def size(self) -> Num:
        """The number of members, with repetition."""
        return term.total(self.counts)


Sym: TypeAlias = Cond | Num | Opt | Bits | Counts
"""A value of the core, known or not."""


class Unencodable(Exception):
    """Something has no representation as a term, or one that is too large; the message says what."""


def merge(cond: Cond, yes: Sym, other: Sym) -> Sym:
    """One of two values of the same type."""
    if cond is True or yes is other:
        return yes
    if cond is False:
        return other
    if isinstance(yes, Opt):
        assert isinstance(other, Opt)
        return Opt(term.either(cond, yes.has, other.has), term.choose(cond, yes.value, other.value))
    if isinstance(yes, Bits):
        assert isinstance(other, Bits)
        lo, size = _hull(yes.lo, len(yes.bits), other.lo, len(other.bits))
        bits = tuple(term.either(cond, yes.has(i), other.has(i)) for i in range(lo, lo + size))
        return Bits(lo, bits)
    if isinstance(yes, Counts):
        assert isinstance(other, Counts)
        lo, size = _hull(yes.lo, len(yes.counts), other.lo, len(other.counts))
        return Counts(lo, tuple(term.choose(cond, count(yes, i), count(other, i)) for i in range(lo, lo + size)))
    if _is_cond(yes) or _is_cond(other):
        return term.either(cond, yes, other)
    return term.choose(cond, yes, other)


def _is_cond(value: Sym) -> bool:
    return term.is_condition(value)


def _hull(lo: int, size: int, other: int, other_size: int) -> tuple[int, int]:
    start = min(lo, other)
    return start, max(lo + size, other + other_size) - start


def count(counts: Counts, member: int) -> Num:
    """How often a member is in a multiset."""
    return counts.counts[member - counts.lo] if 0 <= member - counts.lo < len(counts.counts) else 0


def equal(left: Sym, right: Sym) -> Cond:
    """True if two values are the same."""
    if isinstance(left, Opt) or isinstance(right, Opt):
        one = left if isinstance(left, Opt) else Opt(True, left)
        two = right if isinstance(right, Opt) else Opt(True, right)
        if one.has is True or two.has is True:
            return term.both(one.has, two.has, term.equal(one.value, two.value))
        return term.both(term.same(one.has, two.has), term.disj((term.no(one.has), term.equal(one.value, two.value))))
    if isinstance(left, Bits):
        assert isinstance(right, Bits)
        lo, size = _hull(left.lo, len(left.bits), right.lo, len(right.bits))
        return term.conj(term.same(left.has(i), right.has(i)) for i in range(lo, lo + size))
    if isinstance(left, Counts):
        assert isinstance(right, Counts)
        lo, size = _hull(left.lo, len(left.counts), right.lo, len(right.counts))
        return term.conj(term.equal(count(left, i), count(right, i)) for i in range(lo, lo + size))
    if _is_cond(left) or _is_cond(right):
        return term.same(left, right)
    return term.equal(left, right)


def of(kind: Type, value: Value) -> Sym:
    """A concrete value of a type as a (known) term."""
    match kind:
        case Bool():
            return bool(value)
        case Int() | Elem():
            return _int(value)
        case Maybe(inner):
            return Opt(value is not None, inner.lo if value is None else _int(value))
        case SetOf(inner):
            assert isinstance(value, frozenset)
            return Bits(inner.lo, tuple(i in value for i in range(inner.lo, inner.hi + 1)))
        case Many(inner):
            assert isinstance(value, tuple)
            return Counts(inner.lo, tuple(value.count(i) for i in range(inner.lo, inner.hi + 1)))
        case _:
            assert_never(kind)


def _int(value: Value) -> int:
    assert isinstance(value, int)
    return value


def unknown(kind: Type, name: str) -> Sym:
    """A value of a type that nothing is said of yet; `typed` says what makes it one of the type."""
    match kind:
        case Bool():
            return term.unknown_cond(name)
        case Int() | Elem():
            return term.unknown_number(name)
        case Maybe():
            return Opt(term.unknown_cond(f"{name}?"), term.unknown_number(name))
        case SetOf(inner):
            return Bits(inner.lo, tuple(term.unknown_cond(f"{name}[{i}]") for i in range(inner.lo, inner.hi + 1)))
        case Many(inner):
            return Counts(inner.lo, tuple(term.unknown_number(f"{name}[{i}]") for i in range(inner.lo, inner.hi + 1)))
        case _:
            assert_never(kind)


def within(kind: Scalar, value: Num) -> Cond:
    """True if a number lies in the range of a type."""
    return term.both(term.at_most(kind.lo, value), term.at_most(value, kind.hi))


def typed(kind: Type, value: Sym) -> Cond:
    """True if a value is one of a type."""
    match kind:
        case Bool():
            return True
        case Int() | Elem():
            return (
                within(kind, value) if not isinstance(value, Opt) else term.both(value.has, within(kind, value.value))
            )
        case Maybe(inner):
            one = value if isinstance(value, Opt) else Opt(True, value)
            return term.disj((term.no(one.has), within(inner, one.value)))
        case SetOf(inner):
            assert isinstance(value, Bits)
            return term.conj(term.no(bit) for i, bit in value.members() if not inner.lo <= i <= inner.hi)
        case Many(inner, most):
            assert isinstance(value, Counts)
            outside = [term.equal(n, 0) for i, n in value.members() if not inner.lo <= i <= inner.hi]
            some = [term.at_most(0, n) for _, n in value.members()]
            return term.conj([*outside, *some, term.at_most(value.size, most)])
        case _:
            assert_never(kind)


def entry(kind: Type, entries: Sequence[Value], key: Num) -> Sym:
    """The entry of a list of constants at a key that surely lies in 0..len(entries) - 1."""
    if isinstance(key, int):
        return of(kind, entries[key])
    match kind:
        case Bool():
            return _where(entries, key, bool)
        case SetOf(inner):
            sets = [one for one in entries if isinstance(one, frozenset)]
            return Bits(inner.lo, tuple(_where(sets, key, _holds(member)) for member in range(inner.lo, inner.hi + 1)))
        case Int() | Elem() | Maybe() | Many():
            return look(len(entries), key, 0, lambda i: of(kind, entries[i]))
        case _:
            assert_never(kind)


def _where(entries: Sequence[_Entry], key: Num, test: Callable[[_Entry], bool]) -> Cond:
    """Whether an entry passes a test: the key is that of one that does."""
    return term.disj(term.equal(key, index) for index, one in enumerate(entries) if test(one))


def _holds(member: int) -> Callable[[frozenset[int]], bool]:
    return lambda one: member in one


Choice = Callable[[int], Sym]


def look(entries: int, key: Num, lo: int, entry: Choice) -> Sym:
    """The entry at a key that surely lies in lo..lo + entries - 1."""
    if isinstance(key, int):
        return entry(key - lo)
    found = entry(entries - 1)
    for index in reversed(range(entries - 1)):
        found = merge(term.equal(key, index + lo), entry(index), found)
    return found


def number_of(found: Sym) -> Num:
    """The value as a number; of one that may be nothing, the member."""
    if isinstance(found, Opt):
        return found.value
    assert not isinstance(found, Bits | Counts)
    return found
