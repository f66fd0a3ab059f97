"""Source for expressions: one case for each kind, in the order of `core/expr.py`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, assert_never

from referee.codegen.array_code import alike
from referee.codegen.code_scope import Name, Scope, known, offset, tight
from referee.codegen.fold_code import connected, filtered, fold, split
from referee.codegen.growing.lent_entries import lent_entries
from referee.codegen.member_code import member_test
from referee.codegen.often.worked_out import worked_out
from referee.codegen.operator_code import TEXT
from referee.codegen.source_text import CodePiece, Objects, Writer
from referee.codegen.statement_code import Effects
from referee.codegen.value_bounds import BoundProver
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
from referee.core.ruleset import Form
from referee.core.types import Bool, Elem, Int, Many, Maybe, Scalar, SetOf
from referee.game.state import Layout, Spread

FEW_ONE_BY_ONE = 4
"""A set of at most so many members is compared with one by one; so many entries are looked at before they are read."""


class Coder:
    """Writes one function. What a method returns is source for a value; lines that it needs stand before it.

    `changed`: the variables and zones that the function may change.
    """

    def __init__(self, layout: Layout, objects: Objects, prover: BoundProver) -> None:
        self.layout = layout
        self.objects = objects
        self.prover = prover
        self.out = Writer()
        self.changed: frozenset[str] = frozenset()

    def value(self, expr: Expr, scope: Scope) -> str:
        """An expression."""
        match expr:
            case Const(value):
                return self.literal(value)
            case Local(name):
                return scope[name].text
            case Get():
                return self._get(expr, scope)
            case Look():
                table = self.objects.name("t", expr.table, self.layout.tables[expr.table][1].values)
                return f"{table}[{self.place(self.layout.tables[expr.table][0], expr.keys, scope)}]"
            case Op():
                return self._operator(expr, scope)
            case And():
                return self._chain(expr.parts, scope, "and")
            case Or():
                return self._alternatives(expr, scope)
            case If():
                return self._if(expr, scope)
            case At():
                return self._at(expr, scope)
            case Fold():
                return worked_out(self, expr, scope) or fold(self, expr, scope)
            case Where():
                return worked_out(self, expr, scope) or filtered(self, expr, scope)
            case Connected():
                return connected(self, expr, scope)
            case Split():
                return split(self, expr, scope)
            case Let():
                text = self.out.keep(self.value(expr.value, scope))
                bounds = self.prover.value(expr.value, known(scope))
                return self.value(expr.body, {**scope, expr.var: Name(text, bounds)})
            case Only():
                return self._only(expr, scope)
            case After():
                return self._after(expr, scope)
            case _:
                assert_never(expr)

    def literal(self, value: Any) -> str:
        """A constant: numbers as they are, sets and multisets as objects."""
        if value is None or isinstance(value, (bool, int)):
            return repr(value) if value is None or isinstance(value, bool) or value >= 0 else f"({value!r})"
        return self.objects.name("k", (type(value), value), value)

    def piece(self, expr: Expr, scope: Scope) -> tuple[CodePiece, str]:
        """An expression with its lines apart, for a place that is not always reached."""
        with self.out.apart() as piece:
            text = self.value(expr, scope)
        return piece, text

    def place(self, entries: Spread, keys: tuple[Expr, ...], scope: Scope) -> str:
        """Where an entry lies; what is not proved to be in range is tested."""
        base, parts = entries.base, list[str]()
        stride = entries.count
        for key, low, size in zip(keys, entries.lows, entries.sizes, strict=True):
            stride //= size
            if isinstance(key, Const) and isinstance(key.value, int) and low <= key.value < low + size:
                base += (key.value - low) * stride
                continue
            text = self.value(key, scope)
            if not self.prover.value(key, known(scope)).inside(low, low + size - 1):
                text = self.out.keep(text)
                self.out.refuse(f"not {low} <= {text} <= {low + size - 1}")
            base -= low * stride
            parts.append(text if stride == 1 else f"{tight(text)} * {stride}")
        if base or not parts:
            parts.append(str(base))
        return " + ".join(tight(part) if len(parts) > 1 and " * " not in part else part for part in parts).replace(
            "+ -", "- ")

    def slot(self, entries: Spread, keys: tuple[Expr, ...], scope: Scope) -> str:
        """An entry of the position; those that never change are one entry together."""
        fixed = self.layout.fixed
        if entries.base < fixed:
            return f"s[{self.place(entries, keys, scope)}]"
        return f"s[{fixed}][{self.place(replace(entries, base=entries.base - fixed), keys, scope)}]"

    def _get(self, expr: Get, scope: Scope) -> str:
        entries = self.layout.vars[expr.var]
        if not self.layout.may_be_open(expr.var):
            return self.slot(entries, expr.keys, scope)
        if entries.count <= FEW_ONE_BY_ONE:
            self.out.opens.update(entries.entries)
            return self.slot(entries, expr.keys, scope)
        text = self.out.keep(self.slot(entries, expr.keys, scope))
        self.out.leave(f"{text}.__class__ is O")
        return text

    def _operator(self, expr: Op, scope: Scope) -> str:
        args = expr.args
        if expr.op is Operator.SIZE and isinstance(of := args[0], Where) and self.distinct(of.source):
            return self.value(Fold(FoldKind.COUNT, of.var, of.source, of.where, None, of.type), scope)
        if expr.op is Operator.EQ and isinstance(args[1], Const) and args[1].value is None:
            return f"({self.value(args[0], scope)} is None)"
        if expr.op is Operator.IN:
            return self._in(args[0], args[1], scope)
        return TEXT.operate(expr, [self.value(arg, scope) for arg in args])

    def _in(self, member: Expr, of: Expr, scope: Scope) -> str:
        """Whether something is a member. Of few members each is compared; of a filter the condition is tested."""
        text = self.value(member, scope)
        if isinstance(of, Op) and of.op is Operator.SET and 0 < len(of.args) <= FEW_ONE_BY_ONE:
            text = self.out.keep(text)
            return "(" + " or ".join(f"{text} == {self.value(arg, scope)}" for arg in of.args) + ")"
        if isinstance(of, Where) and of.where is not None and isinstance(of.source, All):
            text = self.out.keep(text)
            with self.out.apart() as piece:
                inner = {**scope, of.var: Name(text, self.prover.members(of.source, known(scope)))}
                parts = [(CodePiece([], False), f"{text} is not None"),
                         (CodePiece([], False), member_test(self, of.source, text, scope)), self.piece(of.where, inner)]
                whole = self.chained(parts, "and")
            if not piece.raises:
                self.out.insert(piece)
                return whole
        return self.has(of, text, scope, surely=True)

    def ordered(self, of: Expr, scope: Scope) -> str:
        """The members of a set or Many, ascending."""
        return f"sorted({self.value(of, scope)})"

    def has(self, of: Expr, member: str, scope: Scope, *, surely: bool = False) -> str:
        """Whether the value of a name is a member of a set or Many. `surely`: it is a number that may be one."""
        return TEXT.member(member, self.value(of, scope))

    def several(self, what: Expr, text: str, number: str) -> str:
        """The components that a move is about, sorted."""
        self.out.raises = True
        return f"moved({text}, {number})"

    def set_misfit(self, text: str, of: Scalar) -> str:
        """The condition under which a set has members outside of a range."""
        return f"{text} and not ({of.lo} <= min({text}) and max({text}) <= {of.hi})"

    def distinct(self, source: Domainlike) -> bool:
        """True if no member comes twice."""
        match source:
            case Members():
                return isinstance(source.of.type, SetOf)
            case Numbers() | All():
                return True
            case Within():
                return False
            case _:
                assert_never(source)

    def _chain(self, parts: tuple[Expr, ...], scope: Scope, word: str) -> str:
        return self.chained([self.piece(part, scope) for part in parts], word)

    def _alternatives(self, expr: Or, scope: Scope) -> str:
        made = []
        for one in alike(self, expr.parts, scope):
            if isinstance(one, tuple):
                piece, text = self.piece(one[0], scope)
                made.append((piece, f"({text} in {one[1]})"))
            else:
                made.append(self.piece(one, scope))
        return self.chained(made, "or")

    def chained(self, made: list[tuple[CodePiece, str]], word: str) -> str:
        """Parts of which the later are reached only if the earlier do not decide."""
        if not made:
            return "True" if word == "and" else "False"
        self.out.insert(made[0][0])
        texts = [made[0][1]]
        for index, (piece, text) in enumerate(made[1:], 1):
            if piece.plain:
                texts.append(text)
                continue
            so_far = _joined(texts, word)
            name = self.out.fresh()
            self.out.line(f"{name} = {so_far}")
            with self.out.block(f"if {name}:" if word == "and" else f"if not {name}:"):
                self.out.insert(piece)
                rest = self.chained([(CodePiece([], False), text), *made[index + 1:]], word)
                self.out.line(f"{name} = {rest}")
            return name
        return _joined(texts, word)

    def _if(self, expr: If, scope: Scope) -> str:
        cond = self.value(expr.cond, scope)
        (yes, yes_text), (no, no_text) = self.piece(expr.yes, scope), self.piece(expr.no, scope)
        if yes.plain and no.plain:
            return f"({yes_text} if {cond} else {no_text})"
        name = self.out.fresh()
        for head, piece, text in ((f"if {cond}:", yes, yes_text), ("else:", no, no_text)):
            with self.out.block(head):
                self.out.insert(piece)
                self.out.line(f"{name} = {text}")
        return name

    def content(self, place: Place, scope: Scope) -> str:
        """What lies in a zone instance."""
        return self.slot(self.layout.zones[place.zone], place.keys, scope)

    def _at(self, expr: At, scope: Scope) -> str:
        zone = self.layout.core.zones[expr.place.zone]
        there = self.content(expr.place, scope)
        spot, bounds = self.value(expr.spot, scope), self.prover.value(expr.spot, known(scope))
        match zone.form:
            case Form.SLOTS:
                assert zone.spots is not None
                low, high = zone.spots.lo, zone.spots.hi
                if not bounds.inside(low, high):
                    spot = self.out.keep(spot)
                    self.out.refuse(f"not {low} <= {spot} <= {high}")
                return f"{there}[{offset(spot, low)}]"
            case Form.LINE | Form.BAG | Form.PILE:
                there, spot = self.out.keep(there), self.out.keep(spot)
                return f"({there}[{spot}] if 0 <= {spot} < len({there}) else None)"
            case _:
                assert_never(zone.form)

    def _only(self, expr: Only, scope: Scope) -> str:
        text, kind = self.value(expr.of, scope), expr.of.type
        match kind:
            case SetOf():
                self.out.raises = True
                return f"only({text})"
            case Int() | Elem() | Bool() | Maybe() | Many():
                if not self.prover.value(expr.of, known(scope)).none:
                    return text
                text = self.out.keep(text)
                self.out.raises = True
                if isinstance(kind, Maybe) and not self._one_by_one(expr.of):
                    return f"({text} if {text}.__class__ is int else only({text}))"
                self.out.refuse(f"{text} is None")
                return text
            case _:
                assert_never(kind)

    def _one_by_one(self, expr: Expr) -> bool:
        """Whether a value that is surely of its type is read as it was stored."""
        match expr:
            case Get(name):
                return name not in self.prover.doubtful and not self.layout.may_be_open(name)
            case (Const() | Local() | Look() | Op() | And() | Or() | If() | At() | Fold() | Where() | Connected() |
                  Split() | Let() | Only() | After()):
                return False
            case _:
                assert_never(expr)

    def _after(self, expr: After, scope: Scope) -> str:
        """The position is a copy while the block and the value are computed, whatever happens there; one with a long
        list is the same, and what the block writes is put back."""
        name, kept, raised = self.out.fresh(), self.out.fresh(), self.out.raises
        lent = lent_entries(self, expr.body, scope) if expr.body else []
        back = [f"s = {kept}"] if lent is None else [f"s[{where}] = {was}" for where, was in lent]
        if lent:
            self.out.line("if s.__class__ is tuple: s = list(s)")
        for where, was in lent or ():
            self.out.line(f"{was} = s[{where}]")
        with self.out.apart() as piece:
            if expr.body:
                if lent is None:
                    self.out.line("s = list(s)")
                Effects(self, -1, ()).block(expr.body, scope)
            self.out.line(f"{name} = {self.value(expr.value, scope)}")
        failing = None if expr.failing is None or not piece.raises else self.piece(expr.failing, scope)
        if not expr.body and failing is None:
            self.out.insert(piece)
            return name
        if expr.body and lent is None:
            self.out.line(f"{kept} = s")
        with self.out.block("try:"):
            self.out.insert(piece)
        if failing is not None:
            self.out.raises = raised
            with self.out.block("except W:"):
                for line in back:
                    self.out.line(line)
                self.out.insert(failing[0])
                self.out.line(f"{name} = {failing[1]}")
        if expr.body:
            with self.out.block("finally:"):
                for line in back:
                    self.out.line(line)
        return name


def _joined(texts: list[str], word: str) -> str:
    return texts[0] if len(texts) == 1 else "(" + f" {word} ".join(texts) + ")"
