"""How much work rules may ask for between two decisions: a bound found before anything is carried out.

Every loop is over something finite, but four nested ones over a board are more than any machine goes through. The
bound counts what is gone through and is never less than what will be; rules that pass it are refused (BD10), and so are
expectations of scenarios; claims of logs are, too (LG35).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from referee.core.expr import (
    All,
    Connected,
    Domainlike,
    Expr,
    Fold,
    Let,
    Local,
    Look,
    Members,
    Numbers,
    Split,
    Where,
    Within,
)
from referee.core.intervals import most_members, of_type
from referee.core.ruleset import Core
from referee.core.splits import most_left, parts_of
from referee.core.stmt import (
    Bind,
    Block,
    Branch,
    Call,
    Chance,
    Commit,
    Decide,
    Each,
    Finish,
    Guard,
    Merge,
    Move,
    Put,
    Repeat,
    Stmt,
    Swap,
    Unspecified,
    origin_of,
    point_of,
)
from referee.core.traverse import children, outermost, statements
from referee.core.types import Value, size
from referee.diagnostics.diagnostic import Diagnostic, Problems, Reporter
from referee.diagnostics.source import Span

MOST_WORK = 2_000_000
"""So many members may be gone through by one condition, value or statement with all that it holds."""
_COSTLY: frozenset[type[object]] = frozenset({Fold, Where, Connected, Let, Split, Each, Repeat, Branch, Call})
"""What takes more than is gone through once in it, or less."""
LESS = "go through fewer things, or through one inside the other less deeply"


def check_work(core: Core, reporter: Reporter) -> bool:
    """False, and each reported, if there is a condition or statement that may ask for more than `MOST_WORK`."""
    bounded = True
    for where, amount in Work(core).all():
        if amount > MOST_WORK:
            bounded = False
            reporter.error("BD10", too_much(amount), where, hint=LESS)
    return bounded


def check_expression(core: Core, expr: Expr) -> None:
    """Raises `Problems` (BD10) for an expression from outside the rules that may ask for more than `MOST_WORK`."""
    if (amount := Work(core).of(expr)) > MOST_WORK:
        raise Problems((Diagnostic("BD10", too_much(amount), expr.span or Span("claim", 1, 1, 1, 1), hint=LESS),))


def too_much(amount: int, what: str = "this") -> str:
    """What is said of so much work."""
    return f"{what} may go through {_rough(amount)} members, {MOST_WORK:,} are allowed"


def _rough(amount: int) -> str:
    return f"{amount:,}" if amount < 10**12 else "more than a million million"


class Work:
    """Bounds of the work in a core."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._called: dict[str, int] = {}
        self._named: dict[str, int] = {}  # of sets that are named by a `Let`, the most members

    def all(self) -> Iterator[tuple[Span, int]]:
        """Each outermost condition and statement with its bound."""
        for invariant in (*self._core.invariants, *self._core.refutable):
            yield self._guard(invariant.guard)
        yield from map(self._guard, self._core.relations)
        for action in self._core.actions.values():
            yield from map(self._guard, action.guards)
            for param in action.params:
                yield param.origin.span, self._inside(param)
            yield from self._block(action.body)
        for procedure in self._core.procedures.values():
            yield from self._block(procedure.body)
        yield from self._block(self._core.main)
        if self._core.score is not None:
            yield self._core.score.origin.span, self.of(self._core.score.value)

    def of(self, node: object) -> int:
        """A bound of the work that evaluating an expression, or carrying out a statement without points, takes."""
        match node:
            case Fold(source=source, where=where, body=body, empty=empty):
                inner = 1 + self.of(where) + self.of(body)
                return self._inside(source) + self.of(empty) + self.size(source) * inner
            case Where(source=source, where=where):
                return self._inside(source) + self.size(source) * (1 + self.of(where))
            case Connected(step=Look(table=table)):
                sets = (one for one in self._core.tables[table].values if isinstance(one, frozenset))
                return self._connected(node, max(map(len, sets), default=0))
            case Connected():
                return self._connected(node, most_members(node.step.type))
            case Let(var=var, value=value, body=body):
                return self.of(value) + self._within(body, var, self.size(Members(value)))
            case Split(of=of, table=table, rest=rest, body=body):
                parts, most = parts_of(self._core.tables[table]), self.size(Members(of), limited=True)
                return self.of(of) + len(parts) + most_left(parts, most) * (1 + self._within(body, rest, most))
            case Each(source=source, body=body):
                return self._inside(source) + self.size(source) * (1 + self.of(body))
            case Repeat(until=until, body=body, limit=limit):
                return (limit or 1) * (1 + self.of(until) + self.of(body))
            case Branch(cond=cond, yes=yes, no=no):
                return self.of(cond) + max(self.of(yes), self.of(no))
            case Call(procedure=procedure):
                return self._inside(node) + self._procedure(procedure)
            case tuple():
                return sum(map(self.of, outermost(node, _COSTLY)))
            case _:
                return self._inside(node)

    def _connected(self, node: Connected, beside: int) -> int:
        """The work of going from every member to so many that are beside it."""
        return self.of(node.start) + size(node.type.of) * (1 + beside + self.of(node.step) + self.of(node.where))

    def _procedure(self, name: str) -> int:
        """The work of a procedure each time it is carried out; one that calls itself is refused elsewhere."""
        if name not in self._called:
            self._called[name] = 0
            self._called[name] = self.of(self._core.procedures[name].body)
        return self._called[name]

    def size(self, source: Domainlike, *, limited: bool = False) -> int:
        """The most members that a source can have; `limited`: where somebody is asked."""
        match source:
            case Numbers(lo=lo, hi=hi):
                return max(0, of_type(hi.type).hi - of_type(lo.type).lo + 1)
            case All(of=of):
                return size(of)
            case Members(of=Look(table=table)):  # a ray is much shorter than a board is large
                return max(map(_number, self._core.tables[table].values), default=0)
            case Members(of=Local(name, kind)) if name in self._named:
                return min(self._named[name], most_members(kind))
            case Members(of=Where(source=inner)):
                return self.size(inner, limited=limited)
            case Members(of=of):
                return most_members(of.type)
            case Within(place=place):
                zone = self._core.zones[place.zone]
                return min(zone.capacity, of_type(zone.limit.type).hi) if limited and zone.limit else zone.capacity
            case _:
                assert_never(source)

    def _within(self, body: Expr, name: str, most: int) -> int:
        """The work of a value in which a name stands for at most so many members."""
        before = self._named.get(name)
        self._named[name] = most
        amount = self.of(body)
        if before is None:
            del self._named[name]
        else:
            self._named[name] = before
        return amount

    def _guard(self, guard: Guard) -> tuple[Span, int]:
        return guard.origin.span, self.of(guard.cond)

    def _inside(self, node: object) -> int:
        """The work of what a node holds, gone through once."""
        return sum(map(self.of, outermost(children(node), _COSTLY)))

    def _block(self, block: Block) -> Iterator[tuple[Span, int]]:
        """Statements with points inside are looked into: what they repeat waits for somebody."""
        for stmt in block:
            if not _has_point(stmt):
                yield origin_of(stmt).span, self.of(stmt)
                continue
            match stmt:
                case Branch(cond=cond, yes=yes, no=no):
                    yield stmt.origin.span, self.of(cond)
                    yield from self._block(yes)
                    yield from self._block(no)
                case Each(source=source, body=body):
                    yield stmt.origin.span, self._inside(source) + self.size(source)
                    yield from self._block(body)
                case Repeat(until=until, body=body):
                    yield stmt.origin.span, self.of(until)
                    yield from self._block(body)
                case Decide(otherwise=otherwise):
                    yield stmt.point.origin.span, self.of(stmt.actor)
                    yield from self._block(otherwise or ())
                case (Commit() | Chance() | Unspecified() | Put() | Move() | Merge() | Swap() | Bind() | Finish()
                      | Call()):
                    yield origin_of(stmt).span, self._inside(stmt)
                case _:
                    assert_never(stmt)


def _number(value: Value) -> int:
    """How many members a value has; one for what is no set."""
    return len(value) if isinstance(value, frozenset | tuple) else 1


def _has_point(stmt: Stmt) -> bool:
    return any(point_of(inner) is not None for inner in statements((stmt,)))
