"""The sets for which a condition holds, found without trying every set: one that cannot become right is not grown.

The condition is asked of sets that are known in part: some members, and how many there are to be. It then says yes, no,
or that this is not known yet. Which two members can be in one set is asked first, so that only sets are grown in which
any two can be; of what hangs on the number of members, the sets of each number are sought by themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any, assert_never

from referee.core.expr import (
    After,
    All,
    And,
    At,
    Connected,
    Const,
    Domainlike,
    Expr,
    Fold,
    FoldKind,
    Get,
    If,
    Let,
    Local,
    Look,
    Members,
    Numbers,
    Only,
    Op,
    Operator,
    Or,
    Split,
    Where,
    Within,
)
from referee.core.known_operators import PLAIN
from referee.core.ruleset import Table
from referee.core.traverse import walk
from referee.core.types import Scalar, size
from referee.diagnostics.source import Span

MOST_WORK = 1_000_000
"""So many pairs of members may be looked at while sets are sought."""
MOST_SETS = 10_000
"""Rules of which a condition holds for more sets of members are refused."""
MOST_ALTERNATIVES = 16
"""A condition with more alternatives is not taken apart: it is one search then, which is wider."""

MOST_NAMES = 200
"""More than can be bound inside each other: values have a bound of their depth."""

UNKNOWN: Any = object()
"""What is not known of a set of which not all members are known."""


class NotFixed(Exception):
    """The condition hangs on something besides the set: on the part at `span`."""

    def __init__(self, span: Span | None) -> None:
        super().__init__("known in play only")
        self.span = span


class TooManySets(Exception):
    """There are too many sets, or they cannot be found without trying too many."""


@dataclass(frozen=True, slots=True)
class SetInPart:
    """A set as far as it is known: members in it, ascending, and of how many it is to be (None: of any number)."""

    members: tuple[int, ...]
    number: int | None

    @property
    def complete(self) -> bool:
        return self.number == len(self.members)


Env = list[Any]
"""What is bound inside, by the depth of what binds it."""
Names = tuple[str, ...]
Asked = Callable[[SetInPart, Env], Any]
"""The value of an expression for a set known in part, or `UNKNOWN`."""


def sets_where(cond: Expr, name: str, of: Scalar, tables: Mapping[str, Table]) -> tuple[frozenset[int], ...]:
    """The sets of members of a type, but for the empty one, for which a condition on the local `name` holds.

    Raises `NotFixed` and `TooManySets`.
    """
    read = {one.table for one in walk(cond, Look)}
    return _sets(cond, name, of, tuple(tables[one] for one in sorted(read)))


@lru_cache(maxsize=16)
def _sets(cond: Expr, name: str, of: Scalar, tables: tuple[Table, ...]) -> tuple[frozenset[int], ...]:
    """As `sets_where`; the same rules are read several times: for each number of players, and for scenarios."""
    found: dict[frozenset[int], None] = {}
    search = _Search(found)
    for alternative in _alternatives(cond):
        search.through(PartialValues(name, {one.name: one for one in tables}).asked(alternative, ()), of)
    return tuple(sorted(found, key=lambda one: (min(one), sorted(one))))


def _alternatives(cond: Expr) -> list[Expr]:
    """Conditions of which one has to hold: each is a narrower search than all of them."""
    match cond:
        case Or(parts):
            found = [inner for part in parts for inner in _alternatives(part)]
        case And(parts):
            each = [_alternatives(part) for part in parts]
            found = [And(chosen, cond.span) for chosen in product(*each)]
        case (Const() | Local() | Get() | Look() | Op() | If() | At() | Fold() | Where() | Connected() | Split()
              | Let() | Only() | After()):
            return [cond]
        case _:
            assert_never(cond)
    return found if len(found) <= MOST_ALTERNATIVES else [cond]


class _Search:
    """Growing sets member by member, the lowest first."""

    def __init__(self, found: dict[frozenset[int], None]) -> None:
        self._found = found
        self._work = 0

    def through(self, cond: Asked, of: Scalar) -> None:
        """Notes all sets of a type for which a condition holds."""
        every = [one for one in range(of.lo, of.hi + 1) if self._asked(cond, (one,), None) is not False]
        pairs = {one: [other for other in every if other > one and self._asked(cond, (one, other), None) is not False]
                 for one in every}
        most = 1 + max(map(len, pairs.values()), default=0)
        for number in range(1, most + 1):
            apart: dict[tuple[int, ...], bool] = {}
            for one in every:
                if len(pairs[one]) >= number - 1:
                    self._grow(cond, (one,), pairs[one], number, apart)

    def _grow(self, cond: Asked, members: tuple[int, ...], others: list[int], number: int,
              apart: dict[tuple[int, ...], bool]) -> None:
        if len(members) == number:
            self._test(cond, members, number)
            return
        fitting = [one for one in others if not self._apart(cond, members[-1], one, number, apart)]
        missing = number - len(members)
        if len(fitting) == missing:
            self._test(cond, (*members, *fitting), number)
            return
        for at in range(len(fitting) - missing + 1):
            more = (*members, fitting[at])
            if len(more) == 2 or self._asked(cond, more, number) is not False:
                self._grow(cond, more, fitting[at + 1 :], number, apart)

    def _test(self, cond: Asked, members: tuple[int, ...], number: int) -> None:
        held = self._asked(cond, members, number)
        if held is UNKNOWN:
            raise NotFixed(None)
        if held:
            self._found[frozenset(members)] = None
            if len(self._found) > MOST_SETS:
                raise TooManySets

    def _apart(self, cond: Asked, one: int, other: int, number: int, apart: dict[tuple[int, ...], bool]) -> bool:
        known = apart.get((one, other))
        if known is None:
            known = apart[one, other] = number > 1 and self._asked(cond, (one, other), number) is False
        return known

    def _asked(self, cond: Asked, members: tuple[int, ...], number: int | None) -> Any:
        self._work += len(members) ** 2
        if self._work > MOST_WORK:
            raise TooManySets
        return cond(SetInPart(members, number), [None] * MOST_NAMES)


class PartialValues:
    """Expressions as functions of a set known in part; `name` is the local that stands for it."""

    def __init__(self, name: str, tables: Mapping[str, Table]) -> None:
        self._name = name
        self._tables = tables

    def asked(self, expr: Expr, names: Names) -> Asked:
        """The value of an expression. Raises `NotFixed` for one that hangs on a position."""
        match expr:
            case Const(value):
                return lambda part, env: value
            case Local(name) if name == self._name:
                return lambda part, env: frozenset(part.members) if part.complete else UNKNOWN
            case Local(name):
                at = len(names) - 1 - names[::-1].index(name)
                return lambda part, env: env[at]
            case Look():
                return self._look(expr, names)
            case Op(Operator.SIZE, (Local(name),)) if name == self._name:
                return lambda part, env: UNKNOWN if part.number is None else part.number
            case Op():
                return self._operated(expr, names)
            case And(parts):
                return _joined([self.asked(part, names) for part in parts], False)
            case Or(parts):
                return _joined([self.asked(part, names) for part in parts], True)
            case If():
                return self._either(expr, names)
            case Fold():
                return self._fold(expr, names)
            case Where():
                passing = self._passing(expr.var, expr.source, expr.where, None, names)
                return lambda part, env: _all_of(frozenset, *passing(part, env))
            case Let(var, value, body):
                return _named(self.asked(value, names), len(names), self.asked(body, (*names, var)))
            case Only(of):
                return _only(self.asked(of, names))
            case Get() | At() | Connected() | Split() | After():
                raise NotFixed(expr.span)
            case _:
                assert_never(expr)

    def _look(self, expr: Look, names: Names) -> Asked:
        table = self._tables[expr.table]
        keys = [(self.asked(key, names), kind.lo, size(kind)) for key, kind in zip(expr.keys, table.keys, strict=True)]

        def entry(part: SetInPart, env: Env) -> Any:
            index = 0
            for key, low, many in keys:
                at = key(part, env)
                if at is UNKNOWN or not 0 <= at - low < many:
                    return UNKNOWN
                index = index * many + at - low
            return table.values[index]

        return entry

    def _operated(self, expr: Op, names: Names) -> Asked:
        args = [self.asked(arg, names) for arg in expr.args]
        if len(args) == 2:
            return _paired(expr, *args)

        def operated(part: SetInPart, env: Env) -> Any:
            values = [arg(part, env) for arg in args]
            return UNKNOWN if any(value is UNKNOWN for value in values) else PLAIN.operate(expr, values)

        return operated

    def _either(self, expr: If, names: Names) -> Asked:
        cond, yes, no = (self.asked(one, names) for one in (expr.cond, expr.yes, expr.no))

        def either(part: SetInPart, env: Env) -> Any:
            test = cond(part, env)
            if test is UNKNOWN:
                one, other = yes(part, env), no(part, env)
                return one if one is not UNKNOWN and one == other else UNKNOWN
            return yes(part, env) if test else no(part, env)

        return either

    def _fold(self, expr: Fold, names: Names) -> Asked:
        where, body = expr.where, expr.body
        if expr.kind is FoldKind.ALL and body is None:
            where, body = None, where
        match expr.kind:
            case FoldKind.ANY:
                return _any_decides(self._tested(expr, where, body, names), True)
            case FoldKind.ALL:
                return _any_decides(self._tested(expr, where, body, names), False)
            case FoldKind.COUNT:
                passing = self._passing(expr.var, expr.source, where, None, names)
                return lambda part, env: _all_of(len, *passing(part, env))
            case FoldKind.SUM:
                summands = self._passing(expr.var, expr.source, where, body, names)
                return lambda part, env: _all_of(sum, *summands(part, env))
            case FoldKind.MIN | FoldKind.MAX:
                return self._best(expr, names)
            case _:
                assert_never(expr.kind)

    def _best(self, expr: Fold, names: Names) -> Asked:
        values = self._passing(expr.var, expr.source, expr.where, expr.body, names)
        empty = None if expr.empty is None else self.asked(expr.empty, names)
        choose: Any = min if expr.kind is FoldKind.MIN else max

        def best(part: SetInPart, env: Env) -> Any:
            found, complete = values(part, env)
            if not complete or (not found and empty is None):
                return UNKNOWN
            return choose(found) if found or empty is None else empty(part, env)

        return best

    def _tested(self, expr: Fold, where: Expr | None, body: Expr | None, names: Names
                ) -> Callable[[SetInPart, Env], Iterator[Any]]:
        """Of each member whether it passes and then holds (None: it does not pass); at last `UNKNOWN` if there may be
        more of them."""
        source, at, inner = self._source(expr.source, names), len(names), (*names, expr.var)
        passes, holds = (None if one is None else self.asked(one, inner) for one in (where, body))

        def tested(part: SetInPart, env: Env) -> Iterator[Any]:
            members, complete = source(part, env)
            for member in members:
                env[at] = member
                test = True if passes is None else passes(part, env)
                if test is False:
                    yield None
                    continue
                held = True if holds is None else holds(part, env)
                yield held if test is True else (test, held)
            if not complete:
                yield UNKNOWN

        return tested

    def _passing(self, var: str, source: Domainlike, where: Expr | None, body: Expr | None, names: Names
                 ) -> Callable[[SetInPart, Env], tuple[list[Any], bool]]:
        """The body (left out: the member) of each member that passes, and whether this is all that is known."""
        members, at, inner = self._source(source, names), len(names), (*names, var)
        passes, value = (None if one is None else self.asked(one, inner) for one in (where, body))

        def passing(part: SetInPart, env: Env) -> tuple[list[Any], bool]:
            there, complete = members(part, env)
            found = []
            for member in there if complete else ():
                env[at] = member
                test = True if passes is None else passes(part, env)
                if test:
                    found.append(member if value is None or test is UNKNOWN else value(part, env))
                complete = complete and test is not UNKNOWN and (not test or found[-1] is not UNKNOWN)
            return found, complete

        return passing

    def _source(self, source: Domainlike, names: Names
                ) -> Callable[[SetInPart, Env], tuple[tuple[int, ...] | range, bool]]:
        """The members that a source surely has, and whether these are all."""
        match source:
            case Members(Local(name)) if name == self._name:
                return lambda part, env: (part.members, part.complete)
            case Members(of):
                group = self.asked(of, names)

                def members(part: SetInPart, env: Env) -> tuple[tuple[int, ...], bool]:
                    found = group(part, env)
                    return ((), False) if found is UNKNOWN else (tuple(sorted(found)), True)

                return members
            case All(of=of):
                every = range(of.lo, of.hi + 1)
                return lambda part, env: (every, True)
            case Numbers(lo, hi):
                low, high = self.asked(lo, names), self.asked(hi, names)

                def numbers(part: SetInPart, env: Env) -> tuple[tuple[int, ...] | range, bool]:
                    ends = low(part, env), high(part, env)
                    return ((), False) if UNKNOWN in ends else (range(ends[0], ends[1] + 1), True)

                return numbers
            case Within(place):
                raise NotFixed(place.span)
            case _:
                assert_never(source)


def _named(value: Asked, at: int, body: Asked) -> Asked:
    def named(part: SetInPart, env: Env) -> Any:
        env[at] = value(part, env)
        return body(part, env)

    return named


def _paired(expr: Op, one: Asked, other: Asked) -> Asked:
    def paired(part: SetInPart, env: Env) -> Any:
        left = one(part, env)
        if left is UNKNOWN:
            return UNKNOWN
        right = other(part, env)
        return UNKNOWN if right is UNKNOWN else PLAIN.operate(expr, (left, right))

    return paired


def _joined(parts: list[Asked], decisive: bool) -> Asked:
    """`and` (False decides) and `or` (True does)."""

    def joined(part: SetInPart, env: Env) -> Any:
        unknown = False
        for one in parts:
            found = one(part, env)
            if found is decisive:
                return decisive
            unknown = unknown or found is UNKNOWN
        return UNKNOWN if unknown else not decisive

    return joined


def _any_decides(tested: Callable[[SetInPart, Env], Iterator[Any]], decisive: bool) -> Asked:
    """`some` (a member that is so decides) and `all` (one that is not does)."""
    other = not decisive

    def any_decides(part: SetInPart, env: Env) -> Any:
        unknown = False
        for held in tested(part, env):
            if held is decisive:
                return decisive
            unknown = unknown or held is UNKNOWN or (isinstance(held, tuple) and held[1] is not other)
        return UNKNOWN if unknown else other

    return any_decides


def _all_of(make: Callable[[list[Any]], Any], found: list[Any], complete: bool) -> Any:
    return make(found) if complete else UNKNOWN


def _only(of: Asked) -> Asked:
    """The member of a set of one, or what may be nothing; not known where it would be an error."""

    def only(part: SetInPart, env: Env) -> Any:
        found = of(part, env)
        if isinstance(found, frozenset):
            return next(iter(found)) if len(found) == 1 else UNKNOWN
        return UNKNOWN if found is None else found

    return only
