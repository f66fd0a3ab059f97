"""Source for expressions where sets are numbers, and what lies on spots is a set for each class.

What a set is asked as a whole is asked at once (`at_once`); whatever is not of such a form goes the general way.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, assert_never

from referee.codegen.code_scope import Scope, known, tight
from referee.codegen.expression_code import Coder
from referee.codegen.fold_code import each_passing
from referee.codegen.operator_code import TEXT, Text
from referee.codegen.source_text import Objects
from referee.codegen.value_bounds import BoundProver
from referee.codegen.whole_games import at_once
from referee.codegen.whole_games.set_numbers import number_of
from referee.codegen.whole_games.set_scope import AsItLies, NotWhole, empty
from referee.core.expr import (
    After,
    And,
    At,
    Connected,
    Const,
    Expr,
    Fold,
    Get,
    If,
    Let,
    Local,
    Look,
    Only,
    Op,
    Operator,
    Or,
    Place,
    Split,
    Where,
)
from referee.core.types import Bool, Elem, Int, Many, Maybe, Scalar, SetOf, Type
from referee.game.state import Layout

WIDEST = 4_096
"""No member of a set that is a number is larger."""


class SetText(Text):
    """Operators where sets are numbers."""

    def member(self, one: str, group: str) -> str:
        return f"({tight(group)} >> {tight(one)} & 1)"

    def set_of(self, members: Sequence[str], of: Scalar) -> str:
        return "(" + " | ".join(f"1 << {tight(one)}" for one in members) + ")" if members else "0"

    def without(self, one: str, other: str) -> str:
        return f"({one} & ~{tight(other)})"

    def size(self, group: str) -> str:
        return f"{tight(group)}.bit_count()"


SET_TEXT = SetText()


class SetCoder(Coder):
    """Writes one function. `spots`: the zones of which the spots are sets, with the names of these; `counted`: the bags
    of which it is kept how many of each class lie there; `found`: variables of which it is known which expression has
    their value."""

    def __init__(self, layout: Layout, objects: Objects, prover: BoundProver, spots: Mapping[str, str],
                 counted: Collection[str]) -> None:
        super().__init__(layout, objects, prover)
        self.spots = spots
        self.counted = counted
        self.found: Mapping[str, Expr] = {}
        self.classes = len(layout.core.components)

    def value(self, expr: Expr, scope: Scope) -> str:
        """An expression."""
        match expr:
            case Where():
                return at_once.filtered(self, expr, scope) or self._filtered(expr, scope)
            case Fold():
                return at_once.fold(self, expr, scope) or super().value(expr, scope)
            case Look(table):
                return f"{self._table(table)}[{self.place(self.layout.tables[table][0], expr.keys, scope)}]"
            case Connected() | Split():
                raise NotWhole(f"{type(expr).__name__} is left to other functions")
            case After(body) if body:
                raise NotWhole("what is tried out is left to other functions")
            case (Const() | Local() | Get() | Op() | And() | Or() | If() | At() | Let() | Only() | After()):
                return super().value(expr, scope)
            case _:
                assert_never(expr)

    def literal(self, value: Any) -> str:
        """A constant: a set is its number."""
        return f"({self.number(value)})" if isinstance(value, frozenset) else super().literal(value)

    def number(self, value: frozenset[int]) -> int:
        """The number of a set."""
        if value and not 0 <= min(value) <= max(value) <= WIDEST:
            raise NotWhole("a set has members that are too small or too large")
        return number_of(value)

    def _table(self, name: str) -> str:
        """The entries of a table, as they are written here."""
        values = self.layout.tables[name][1].values
        return self.objects.name("t", name, [
            self.number(one) if isinstance(one, frozenset) else one for one in values])

    def rows(self, name: str) -> list[int]:
        """The sets of a table. Raises `NotWhole` if there is anything else in it."""
        values = self.layout.tables[name][1].values
        return [self.number(one) for one in values if isinstance(one, frozenset)]

    def _filtered(self, expr: Where, scope: Scope) -> str:
        self.one_bit(self.prover.members(expr.source, known(scope)))
        found = self.out.fresh()
        self.out.line(f"{found} = 0")
        each_passing(self, expr, scope, lambda value: self.out.line(f"{found} |= 1 << {tight(value)}"))
        return found

    def one_bit(self, bounds: Any) -> None:
        """Raises `NotWhole` unless a number is one that a set can have as a member."""
        if not bounds.members_inside(0, WIDEST):
            raise NotWhole("a set may have members that are too small or too large")

    # --- what is asked of sets

    def ordered(self, of: Expr, scope: Scope) -> str:
        """The members of a set or Many, ascending."""
        text = self.value(of, scope)
        return f"M[{text}]" if is_set(of.type) else f"sorted({text})"

    def has(self, of: Expr, member: str, scope: Scope, *, surely: bool = False) -> str:
        """Whether a number, the value of a name, is a member of a set or Many. `surely`: it may be one."""
        text = self.value(of, scope)
        if not is_set(of.type):
            return TEXT.member(member, text)
        found = SET_TEXT.member(member, text)
        return found if surely else f"({member} >= 0 and {found})"

    def _in(self, member: Expr, of: Expr, scope: Scope) -> str:
        bounds = self.prover.value(member, known(scope))
        if is_set(of.type) and not bounds.inside(0, WIDEST):
            if not bounds.members_inside(0, WIDEST):
                raise NotWhole("what is looked for in a set may be too small or too large")
            text = self.out.keep(self.value(member, scope))
            return f"({text} is not None and {self.has(of, text, scope, surely=True)})"
        return super()._in(member, of, scope)

    def _operator(self, expr: Op, scope: Scope) -> str:
        args = expr.args
        match expr.op:
            case Operator.EQ:
                return at_once.lies(self, args, scope) or at_once.filled(self, args) or super()._operator(expr, scope)
            case Operator.NE:
                lies = at_once.lies(self, args, scope)
                return super()._operator(expr, scope) if lies is None else f"(not {lies})"
            case Operator.SIZE if is_set(args[0].type):
                return SET_TEXT.size(self.value(args[0], scope))
            case Operator.SET:
                for one in args:
                    self.one_bit(self.prover.value(one, known(scope)))
                    if self.prover.value(one, known(scope)).none:
                        raise NotWhole("a member of a set may be nothing")
                return SET_TEXT.operate(expr, [self.value(one, scope) for one in args])
            case Operator.MINUS:
                return SET_TEXT.operate(expr, [self.value(one, scope) for one in args])
            case (Operator.NOT | Operator.ADD | Operator.SUB | Operator.MUL | Operator.NEG | Operator.LOWER |
                  Operator.HIGHER | Operator.LT | Operator.LE | Operator.GT | Operator.GE | Operator.IN |
                  Operator.UNION | Operator.SIZE | Operator.BETWEEN):
                return super()._operator(expr, scope)
            case _:
                assert_never(expr.op)

    def _alternatives(self, expr: Or, scope: Scope) -> str:
        return self._chain(expr.parts, scope, "or")

    def _at(self, expr: At, scope: Scope) -> str:
        if expr.place.zone not in self.spots:
            return super()._at(expr, scope)
        name = self.spots[expr.place.zone]
        return f"lies_at({name}, {empty(name)}, {self.spot(expr, scope)})"

    def spot(self, expr: At, scope: Scope) -> str:
        """The spot that is looked at, of a zone of which the spots are sets."""
        zone = self.layout.core.zones[expr.place.zone]
        assert zone.spots is not None
        text = self.value(expr.spot, scope)
        if not self.prover.value(expr.spot, known(scope)).inside(zone.spots.lo, zone.spots.hi):
            text = self.out.keep(text)
            self.out.refuse(f"not {zone.spots.lo} <= {text} <= {zone.spots.hi}")
        return text

    def _only(self, expr: Only, scope: Scope) -> str:
        if not is_set(expr.of.type):
            return super()._only(expr, scope)
        text = self.out.keep(self.value(expr.of, scope))
        self.out.refuse(f"not {text} or {text} & {text} - 1")
        return f"({text}.bit_length() - 1)"

    def content(self, place: Place, scope: Scope) -> str:
        """What lies in a zone instance."""
        if place.zone in self.spots or place.zone in self.counted:
            raise AsItLies(place.zone)
        return super().content(place, scope)

    def several(self, what: Expr, text: str, number: str) -> str:
        """The components that a move is about, sorted."""
        return f"M[{text}]" if is_set(what.type) else super().several(what, text, number)

    def set_misfit(self, text: str, of: Scalar) -> str:
        """The condition under which a set has members outside of a range."""
        return f"{text} & ~{((1 << of.hi + 1) - 1) >> of.lo << of.lo}"


def is_set(kind: Type) -> bool:
    """Whether the values of a type are sets."""
    match kind:
        case SetOf():
            return True
        case Bool() | Int() | Elem() | Maybe() | Many():
            return False
        case _:
            assert_never(kind)
