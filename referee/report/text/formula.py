"""Types, values and expressions of the core as one line of text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

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
    Place,
    Split,
    Where,
    Within,
)
from referee.core.ruleset import Core
from referee.core.types import Bool, Elem, Int, Many, Maybe, SetOf, Type, Value

_PREFIX = {Operator.NOT: "not ", Operator.NEG: "-", Operator.SIZE: "size of "}
_CALLED = {Operator.LOWER, Operator.HIGHER, Operator.BETWEEN}


class Formulas:
    """Writes the expressions of one core: its domains give members their names."""

    def __init__(self, core: Core) -> None:
        self._core = core

    def kind(self, kind: Type) -> str:
        """A type."""
        match kind:
            case Bool():
                return "yes | no"
            case Int(lo, hi):
                return f"{lo}..{hi}"
            case Elem(domain, lo, hi):
                whole = (lo, hi) == (0, self._core.domains[domain].size - 1)
                return domain if whole else f"{domain} {self._label(domain, lo)}..{self._label(domain, hi)}"
            case Maybe(of):
                return f"{self.kind(of)} or nothing"
            case SetOf(of):
                return f"set of {self.kind(of)}"
            case Many(of, most):
                return f"up to {most} of {self.kind(of)}"
            case _:
                assert_never(kind)

    def value(self, value: Value, kind: Type) -> str:
        """A value of a type, members by their labels."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        if value is None:
            return "nothing"
        if isinstance(value, frozenset | tuple):
            of = kind.of if isinstance(kind, SetOf | Many) else kind
            return "{" + ", ".join(self.value(member, of) for member in sorted(value)) + "}"
        inner = kind.of if isinstance(kind, Maybe) else kind
        return self._label(inner.domain, value) if isinstance(inner, Elem) else str(value)

    def _label(self, domain: str, index: int) -> str:
        labels = self._core.domains[domain].labels
        return str(labels[index]) if 0 <= index < len(labels) else f"{domain} #{index}"

    def text(self, expr: Expr) -> str:
        """An expression; everything compound stands in brackets."""
        match expr:
            case Const(value, kind):
                return self.value(value, kind)
            case Local(name):
                return name
            case Get(name, keys) | Look(name, keys):
                return self.keyed(name, keys)
            case Op(op, args):
                return self._operator(op, args)
            case And(parts):
                return "(" + " and ".join(map(self.text, parts)) + ")"
            case Or(parts):
                return "(" + " or ".join(map(self.text, parts)) + ")"
            case If(cond, yes, no):
                return f"(if {self.text(cond)} then {self.text(yes)} else {self.text(no)})"
            case At(place, spot):
                return f"what is at {self.text(spot)} in {self.place(place)}"
            case Fold():
                return self._fold(expr)
            case Where(var, source, where):
                return "{" + f"{var} in {self.source(source)}{self._filter(where)}" + "}"
            case Connected(start, here, step, var, where):
                steps = f"steps from {here} to {var} in {self.text(step)}{self._filter(where)}"
                return "{" + f"what {self.text(start)} leads to by {steps}" + "}"
            case Split(kind, of, table, rest, body):
                which = "least" if kind is FoldKind.MIN else "greatest"
                return f"(the {which} {self.text(body)} for {rest} left of {self.text(of)} without {table})"
            case Let(var, value, body):
                return f"(let {var} = {self.text(value)}: {self.text(body)})"
            case Only(of):
                return f"the only {self.text(of)}"
            case After(body, value, failing=failing):
                otherwise = "" if failing is None else f", in error {self.text(failing)}"
                return f"({'afterwards ' if body else ''}{self.text(value)}{otherwise})"
            case _:
                assert_never(expr)

    def keyed(self, name: str, keys: Sequence[Expr]) -> str:
        """`name`, or `name[keys]`."""
        return f"{name}[{', '.join(map(self.text, keys))}]" if keys else name

    def place(self, place: Place) -> str:
        """A zone instance, with its spot or end."""
        text = self.keyed(place.zone, place.keys)
        if place.spot is not None:
            text += f" at {self.text(place.spot)}"
        return f"the {place.end.value} of {text}" if place.end is not None else text

    def source(self, source: Domainlike) -> str:
        """What is gone through."""
        match source:
            case Numbers(lo, hi, down):
                return f"{self.text(lo)}..{self.text(hi)}{_down(down)}"
            case All(of, start, down):
                return f"all {self.kind(of)}{self._start(start)}{_down(down)}"
            case Members(of, start, down):
                return f"members of {self.text(of)}{self._start(start)}{_down(down)}"
            case Within(place):
                return self.place(place)
            case _:
                assert_never(source)

    def _start(self, start: Expr | None) -> str:
        return "" if start is None else f" from {self.text(start)}"

    def _filter(self, where: Expr | None) -> str:
        return "" if where is None else f" where {self.text(where)}"

    def _operator(self, op: Operator, args: Sequence[Expr]) -> str:
        shown = [self.text(arg) for arg in args]
        if op is Operator.SET:
            return "{" + ", ".join(shown) + "}"
        if op in _CALLED:
            return f"{op.value}({', '.join(shown)})"
        if op in _PREFIX:
            return f"{_PREFIX[op]}{shown[0]}"
        return "(" + f" {op.value} ".join(shown) + ")"

    def _fold(self, fold: Fold) -> str:
        over = f"{fold.var} in {self.source(fold.source)}{self._filter(fold.where)}"
        if fold.kind in {FoldKind.ANY, FoldKind.ALL}:
            return f"({fold.kind.value} {over}: {self._body(fold)})"
        empty = "" if fold.empty is None else f", if none {self.text(fold.empty)}"
        return f"({fold.kind.value} of {self._body(fold)} over {over}{empty})"

    def _body(self, fold: Fold) -> str:
        return fold.var if fold.body is None else self.text(fold.body)


def _down(down: bool) -> str:
    return " backwards" if down else ""
