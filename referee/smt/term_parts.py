"""Terms taken apart, each part once: what they are where unknowns are known, and which of these make them so."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import reduce
from heapq import heappop, heappush
from itertools import combinations
from math import inf
from typing import Any, TypeAlias

import z3

from referee.smt.value import Unencodable

Worth: TypeAlias = Any
"""What is known of a part: of a condition what it is, or None; of a number the least and the most that it may be."""
Worths: TypeAlias = dict[int, Worth]
"""What is known of parts, by their numbers."""
_Range: TypeAlias = tuple[float, float]
_ANY: _Range = (-inf, inf)


def _every(parts: Sequence[bool | None]) -> bool | None:
    return False if False in parts else None if None in parts else True


def _some(parts: Sequence[bool | None]) -> bool | None:
    return True if True in parts else None if None in parts else False


def _not(one: bool | None) -> bool | None:
    return None if one is None else not one


def _same(one: Worth, other: Worth) -> bool | None:
    if one is None or other is None:
        return None
    if isinstance(one, bool):
        return bool(one == other)
    if one[1] < other[0] or other[1] < one[0]:
        return False
    return True if one[0] == one[1] == other[0] == other[1] else None


def _chosen(cond: bool | None, yes: Worth, other: Worth) -> Worth:
    if cond is not None:
        return yes if cond else other
    if yes is None or isinstance(yes, bool):
        return yes if yes == other else None
    return min(yes[0], other[0]), max(yes[1], other[1])


def _at_most(one: _Range, other: _Range) -> bool | None:
    return True if one[1] <= other[0] else False if one[0] > other[1] else None


def _added(parts: Sequence[_Range]) -> _Range:
    return sum(one[0] for one in parts), sum(one[1] for one in parts)


def _less(one: _Range) -> _Range:
    return -one[1], -one[0]


def _times(one: _Range, other: _Range) -> _Range:
    if (0, 0) in (one, other):
        return 0, 0
    if inf in (one[1], other[1]) or -inf in (one[0], other[0]):
        return _ANY
    found = [a * b for a in one for b in other]
    return min(found), max(found)


_TRUE, _FALSE, _NUMBER, _UNKNOWN = z3.Z3_OP_TRUE, z3.Z3_OP_FALSE, z3.Z3_OP_ANUM, z3.Z3_OP_UNINTERPRETED
_WORKED: Mapping[int, Callable[[list[Worth]], Worth]] = {
    z3.Z3_OP_NOT: lambda v: _not(v[0]),
    z3.Z3_OP_AND: _every,
    z3.Z3_OP_OR: _some,
    z3.Z3_OP_IMPLIES: lambda v: _some((_not(v[0]), v[1])),
    z3.Z3_OP_XOR: lambda v: _not(_same(v[0], v[1])),
    z3.Z3_OP_IFF: lambda v: _same(v[0], v[1]),
    z3.Z3_OP_EQ: lambda v: _same(v[0], v[1]),
    z3.Z3_OP_DISTINCT: lambda v: _every([_not(_same(one, other)) for one, other in combinations(v, 2)]),
    z3.Z3_OP_ITE: lambda v: _chosen(v[0], v[1], v[2]),
    z3.Z3_OP_LE: lambda v: _at_most(v[0], v[1]),
    z3.Z3_OP_GE: lambda v: _at_most(v[1], v[0]),
    z3.Z3_OP_LT: lambda v: _not(_at_most(v[1], v[0])),
    z3.Z3_OP_GT: lambda v: _not(_at_most(v[0], v[1])),
    z3.Z3_OP_ADD: _added,
    z3.Z3_OP_SUB: lambda v: _added([v[0], *map(_less, v[1:])]),
    z3.Z3_OP_UMINUS: lambda v: _less(v[0]),
    z3.Z3_OP_MUL: lambda v: reduce(_times, v),
}


def _exactly(value: bool | int) -> Worth:
    return value if isinstance(value, bool) else (value, value)


class Parts:
    """The parts of terms, by numbers: each is numbered after what it is made of. `named`: the unknowns, by the name
    (`term.name_of`) of each."""

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}
        self._kinds: list[int] = []
        self._inner: list[tuple[int, ...]] = []
        self._said: list[Any] = []
        """Of a part without parts what it is, or the name of an unknown."""
        self._whole: list[Any] = []
        """What was taken apart: Z3 gives the name of a term to another one once nobody holds it."""
        self._orders: dict[int, list[int]] = {}
        self.named: dict[int, Any] = {}

    def number(self, whole: Any) -> int:
        """The number of a term. Raises `Unencodable` if it is made in a way that is not known here."""
        found = self._numbers.get(whole.get_id())
        return self._taken_apart(whole) if found is None else found

    def order(self, number: int) -> list[int]:
        """A part and all that it is made of, what is inside first."""
        if number not in self._orders:
            seen, waiting = {number}, [number]
            while waiting:
                for one in self._inner[waiting.pop()]:
                    if one not in seen:
                        seen.add(one)
                        waiting.append(one)
            self._orders[number] = sorted(seen)
        return self._orders[number]

    def unknowns(self, number: int) -> frozenset[int]:
        """The names of the unknowns in a part."""
        return frozenset(self._said[i] for i in self.order(number) if self._kinds[i] == _UNKNOWN)

    def worked_out(self, number: int, known: Callable[[int], bool | int | None]) -> Worths:
        """What a part and all in it are. `known`: what an unknown is, by its name; None if that is not known."""
        found: Worths = {}
        for i in self.order(number):
            inner, said = self._inner[i], self._said[i]
            if inner:
                found[i] = _WORKED[self._kinds[i]]([found[k] for k in inner])
            elif self._kinds[i] == _UNKNOWN:
                value = known(said)
                found[i] = self._any(said) if value is None else _exactly(value)
            else:
                found[i] = _exactly(said)
        return found

    def _any(self, name: int) -> Worth:
        return None if isinstance(self.named[name], z3.BoolRef) else _ANY

    def known(self, whole: Any, values: Mapping[int, Any]) -> bool:
        """Whether a condition holds where unknowns, by their names, have these values: all that are in it."""
        number = self.number(whole)
        return self.worked_out(number, values.__getitem__)[number] is True

    def reasons(self, number: int, known: Callable[[int], bool | int], free: Collection[int]) -> frozenset[int]:
        """Unknowns among some whose values make a condition what it is, whatever the others of them are: a small set,
        not always a smallest. `known`: what each unknown is, by its name."""
        whole = self.worked_out(number, known)
        telling = self._telling(number, whole, free)
        found = self.worked_out(number, lambda name: None if name in free and name not in telling else known(name))
        above, kept = self._above(number), set(telling)
        for one in sorted(telling):
            before = self._forgotten(one, found, above)
            if found[number] is whole[number]:
                kept.discard(one)
            else:
                found.update(before)
        return frozenset(kept)

    def _telling(self, number: int, worths: Worths, free: Collection[int]) -> set[int]:
        """Unknowns that tell what a part is: all that matter, and where one of several is enough, the least of them."""
        weights = self._weights(number, free)
        found, done, waiting, either = set[int](), set[int](), [number], list[tuple[int, int, tuple[int, ...]]]()
        while waiting or either:
            if not waiting:  # last, once it is known what is needed anyway
                _, _, some = heappop(either)
                if done.isdisjoint(some):
                    waiting.append(min(some, key=weights.__getitem__))
                continue
            one = waiting.pop()
            if one in done:
                continue
            done.add(one)
            if not weights[one]:
                continue
            if self._kinds[one] == _UNKNOWN:
                found.add(self._said[one])
                continue
            every, some = self._inside(one, worths)
            waiting.extend(every)
            if some:
                heappush(either, (min(weights[i] for i in some), one, some))
        return found

    def _inside(self, one: int, worths: Worths) -> tuple[Sequence[int], tuple[int, ...]]:
        """Of what a part is made: what tells what it is, all of it, and one of some others."""
        kind, inner, value = self._kinds[one], self._inner[one], worths[one]
        match kind:
            case z3.Z3_OP_AND | z3.Z3_OP_OR if value is (kind == z3.Z3_OP_OR):
                return (), tuple(i for i in inner if worths[i] is value)
            case z3.Z3_OP_IMPLIES if value:
                return (), tuple(i for i, tells in zip(inner, (False, True), strict=True) if worths[i] is tells)
            case z3.Z3_OP_ITE:
                return (inner[0], inner[1] if worths[inner[0]] else inner[2]), ()
            case z3.Z3_OP_MUL if value == (0, 0):
                return (), tuple(i for i in inner if worths[i] == value)
            case _:
                return inner, ()

    def _weights(self, number: int, free: Collection[int]) -> Mapping[int, int]:
        """How many unknowns of some each part has, each counted as often as it stands there."""
        found: dict[int, int] = {}
        for i in self.order(number):
            inner = self._inner[i]
            found[i] = sum(found[k] for k in inner) if inner else int(
                self._kinds[i] == _UNKNOWN and self._said[i] in free)
        return found

    def _above(self, number: int) -> Mapping[int, Sequence[int]]:
        """Within a part: what each part is a part of."""
        found: dict[int, list[int]] = {}
        for i in self.order(number):
            for inner in set(self._inner[i]):
                found.setdefault(inner, []).append(i)
        return found

    def _forgotten(self, name: int, worths: Worths, above: Mapping[int, Sequence[int]]) -> Worths:
        """Takes back what is known of an unknown, and of all that hangs on it; what was known of these."""
        one = self._numbers[name]
        before = {one: worths[one]}
        worths[one] = self._any(name)
        waiting = list(above.get(one, ()))
        seen = set(waiting)
        while waiting:
            i = heappop(waiting)
            new = _WORKED[self._kinds[i]]([worths[k] for k in self._inner[i]])
            if new != worths[i]:
                before[i], worths[i] = worths[i], new
                for k in above.get(i, ()):
                    if k not in seen:
                        seen.add(k)
                        heappush(waiting, k)
        return before

    # ------------------------------------------------------------------ taking apart
    def _taken_apart(self, whole: Any) -> int:
        self._whole.append(whole)
        context, waiting = whole.ctx.ref(), [whole.as_ast()]
        while waiting:
            ast = waiting[-1]
            name = z3.Z3_get_ast_id(context, ast)
            inner = [z3.Z3_get_app_arg(context, ast, i) for i in range(z3.Z3_get_app_num_args(context, ast))]
            names = [z3.Z3_get_ast_id(context, one) for one in inner]
            missing = [one for one, its in zip(inner, names, strict=True) if its not in self._numbers]
            if name in self._numbers or not missing:
                waiting.pop()
            if name not in self._numbers:
                waiting.extend(missing)
                if not missing:
                    self._add(context, ast, name, tuple(self._numbers[its] for its in names))
        return self._numbers[whole.get_id()]

    def _add(self, context: Any, ast: Any, name: int, inner: tuple[int, ...]) -> None:
        kind = z3.Z3_get_decl_kind(context, z3.Z3_get_app_decl(context, ast))
        said: Any = None
        if kind == _UNKNOWN and not inner:
            cond = z3.Z3_get_sort_kind(context, z3.Z3_get_sort(context, ast)) == z3.Z3_BOOL_SORT
            self.named[name], said = (z3.BoolRef if cond else z3.ArithRef)(ast), name
        elif kind == _NUMBER:
            said = int(z3.Z3_get_numeral_string(context, ast))
        elif kind in (_TRUE, _FALSE):
            said = kind == _TRUE
        elif kind not in _WORKED:
            raise Unencodable(f"a term of kind {kind} is not known")
        self._numbers[name] = len(self._kinds)
        self._kinds.append(kind)
        self._inner.append(inner)
        self._said.append(said)
