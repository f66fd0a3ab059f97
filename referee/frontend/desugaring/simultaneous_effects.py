"""What is set off at one moment by several declarations: one after the other, the table says which comes next.

Where the order cannot matter nobody is asked: then it is the order in which they stand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from referee.core.expr import All, Const, Expr, Get, Local, Members, Op, Operator, Or, Where
from referee.core.ruleset import Role, Var
from referee.core.stmt import Block, Branch, Gap, Origin, Point, Put, Repeat, Stmt, Unspecified
from referee.core.types import Bool, DomainKind, Elem, Int, SetOf
from referee.frontend.expressions import typed_operators
from referee.frontend.names.symbol_table import Symbols

QUESTION = "several things are to happen now, and the rules do not say in which order: which is next?"
NEXT = "which next"
"""The local that holds what comes next; no rules text can spell it."""
_LONGEST = 60
"""Letters of the name that is made of a condition: what is longer is cut off."""
_SIGNS = ((">=", "at_least"), ("<=", "at_most"), ("!=", "is_not"), ("=", "is"), (">", "above"), ("<", "below"),
          ("+", "plus"), ("-", "minus"), ("*", "times"))


@dataclass(frozen=True, slots=True)
class Item:
    """Something that happens when `due`. `after_above`: later than whatever stands above it."""

    label: str
    due: Expr
    body: Block
    origin: Origin
    after_above: bool = False


def spelt(text: str) -> str:
    """A condition as one word, so that a log and a scenario can name it."""
    for sign, said in _SIGNS:
        text = text.replace(sign, f" {said} ")
    return "_".join(re.findall(r"\w+", text.lower()))[:_LONGEST].strip("_")


def groups(size: int, free: Callable[[int, int], bool]) -> list[tuple[int, ...]]:
    """Which of `size` things have to be put in order together: those that `free` does not set apart, in order."""
    found: list[list[int]] = []
    for index in range(size):
        met = [g for g in found if any(not free(other, index) for other in g)]
        merged = sorted([index, *(one for g in met for one in g)])
        found = [g for g in found if g not in met] + [merged]
    return [tuple(g) for g in sorted(found)]


class AtOnce:
    """Lowering of several items of which any may be due."""

    def __init__(self, symbols: Symbols) -> None:
        self._symbols = symbols

    def block(self, items: Sequence[Item], name: str) -> Block:
        """Takes note of which are due, then carries them out one after the other. `name`: of the point."""
        where, which = items[0].origin, self._domain(items, name)
        left = self._left(name, which, where)
        due = Where(NEXT, All(which), Or(tuple(self._is(NEXT, i, which, one.due) for i, one in enumerate(items))),
                    SetOf(which))
        rest: Expr = Get(left, (), SetOf(which))
        chosen = Local(NEXT, which)
        taken = Op(Operator.MINUS, (rest, typed_operators.singleton(chosen)), SetOf(which))
        free = Members(self._next(items, rest, which))
        ask = Unspecified(Point(name, False, where), QUESTION, NEXT, which, free, Gap.ORDER)
        none = typed_operators.equal(Op(Operator.SIZE, (rest,), Int(0, len(items))), Const(0, Int(0, 0)))
        body = (ask, Put(left, (), taken, where), *self._cases(items, which))
        return (Put(left, (), due, where), Repeat(none, body, None, where))

    def _domain(self, items: Sequence[Item], name: str) -> Elem:
        labels: list[str] = []
        for one in items:
            labels.append(self._symbols.numbered(spelt(one.label), labels, "_"))
        known = self._symbols.domains.get(f"due at {name}")
        return (known or self._symbols.domain(f"due at {name}", DomainKind.ENUM, tuple(labels))).whole

    def _left(self, name: str, which: Elem, where: Origin) -> str:
        """The register with those that are still to come. Its name is its own: nothing that it sets off uses it."""
        self._symbols.vars.setdefault(name, Var(name, (), SetOf(which), frozenset(), Role.REGISTER, where))
        return name

    def _is(self, local: str, index: int, which: Elem, also: Expr = typed_operators.TRUE) -> Expr:
        return typed_operators.both(
            (typed_operators.equal(Local(local, which), typed_operators.member(index, which)), also)
        )

    def _next(self, items: Sequence[Item], rest: Expr, which: Elem) -> Expr:
        """Those that may come next: no other comes before them."""
        if not any(one.after_above for one in items):
            return rest
        free: list[Expr] = []
        for index, one in enumerate(items):
            above = [self._in(other, rest, which) for other in range(index)] if one.after_above else []
            free.append(
                self._is(NEXT, index, which, typed_operators.both(typed_operators.negate(cond) for cond in above))
            )
        return Where(NEXT, Members(rest), Or(tuple(free)), SetOf(which))

    def _in(self, index: int, rest: Expr, which: Elem) -> Expr:
        return Op(Operator.IN, (typed_operators.member(index, which), rest), Bool())

    def _cases(self, items: Sequence[Item], which: Elem) -> Block:
        rest: Block = ()
        for index, one in reversed(list(enumerate(items))):
            rest = (Branch(self._is(NEXT, index, which), one.body, rest, one.origin),)
        return rest


def in_turn(items: Sequence[Item]) -> Block:
    """Items of which the order does not matter, in the order in which they stand."""
    done: list[Stmt] = []
    for one in items:
        done.extend(one.body if one.due == typed_operators.TRUE else (Branch(one.due, one.body, (), one.origin),))
    return tuple(done)
