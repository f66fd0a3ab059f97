"""Values of pools of dice. A pool is a counter: for each number, how many of its dice show it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee.core.expr import Expr, Fold, FoldKind, Get, If, Let, Local, Numbers, Operator
from referee.core.intervals import fold, of_type
from referee.core.types import Int
from referee.diagnostics.source import Span
from referee.frontend.expressions import typed_operators
from referee.frontend.expressions.coercions import MemberSource, Terms
from referee.frontend.expressions.member_sources import MemberSources
from referee.frontend.names.bindings import DicePool, Scope
from referee.frontend.names.number_domains import labelled
from referee.frontend.names.tree_access import ErrorReported, node, word, words
from referee.syntax.syntax_tree import Node

_FOLDS = {"sum": FoldKind.SUM, "highest": FoldKind.MAX, "lowest": FoldKind.MIN}


@dataclass(frozen=True, slots=True)
class Dice:
    """The dice of one pool."""

    pool: DicePool
    keys: tuple[Expr, ...]

    def showing(self, number: Expr) -> Get:
        """How many of them show a number that they have."""
        return Get(self.pool.name, (*self.keys, number), Int(0, self.pool.most))


def faces(dice: tuple[Dice, ...]) -> Int:
    """The numbers that some of the dice can show."""
    return Int(min(one.pool.faces.lo for one in dice), max(one.pool.faces.hi for one in dice))


def showing(dice: tuple[Dice, ...], number: Expr, shown: Int) -> Expr:
    """How many of several pools show a number out of `shown`; a pool that has not this number has none."""
    total: Expr = typed_operators.number(0)
    for one in dice:
        own, tests = one.pool.faces, []
        if own.lo > shown.lo:
            tests.append(typed_operators.compare(Operator.GE, number, typed_operators.number(own.lo)))
        if own.hi < shown.hi:
            tests.append(typed_operators.compare(Operator.LE, number, typed_operators.number(own.hi)))
        there: Expr = one.showing(number)
        if tests:
            there = If(typed_operators.both(tests), there, typed_operators.number(0), Int(0, one.pool.most))
        total = there if one is dice[0] else typed_operators.arithmetic(Operator.ADD, total, there)
    return total


class DicePools:
    """The lowering of what is said of dice: how many, the highest, what is left of one side when ties are struck."""

    def __init__(self, terms: Terms, sources: MemberSources) -> None:
        self.terms = terms
        self.sources = sources
        self.symbols = terms.symbols
        sources.dice = self.shown
        sources.several_dice = self.several

    def dice(self, term: Node, scope: Scope) -> tuple[Dice, ...] | None:
        """The pools that a phrase names, as `A` or `A + B`; None if it speaks of something else."""
        if term.kind == "group":
            return self.dice(node(term.parts[0]), scope)
        if term.kind == "plus":
            left, right = (self.dice(node(part), scope) for part in term.parts)
            return (*left, *right) if left is not None and right is not None else None
        if term.kind not in ("name", "attr_of", "call") or word(term.parts[0]).text not in self.symbols.pools:
            return None
        name = word(term.parts[0])
        said = () if term.kind == "name" else term.parts[1:] if term.kind == "attr_of" else node(term.parts[1]).parts
        pool = self.symbols.pools[name.text]
        return (Dice(pool, self.terms.keys(name, pool.keys, [node(part) for part in said], scope)),)

    def pool_of(self, term: Node, scope: Scope) -> tuple[Dice, ...]:
        """The same, for a phrase that must name dice. Raises Wrong (DI02)."""
        found = self.dice(term, scope)
        if found is None:
            if any(leaf.text in self.symbols.broken for leaf in words(term, "NAME")):
                raise ErrorReported
            known = tuple(f"`{name}`" for name in sorted(self.symbols.pools)[:6])
            hint = "dice lie in a counter declared like `pool of player: up to 4 dice 1..6`"
            said = f"`{self.symbols.text(term.span)}` are no dice"
            raise self.symbols.wrong("DI02", said, term.span, expected=known, hint=hint)
        return found

    def shown(self, term: Node, scope: Scope, var: str) -> MemberSource | None:
        """The numbers that dice show, each once, called by a name; None if a phrase speaks of something else."""
        dice = self.dice(term, scope)
        if dice is None:
            return None
        kind = faces(dice)
        there = showing(dice, Local(var, kind, term.span), kind)
        some = _some(there, term.span)
        return MemberSource(_numbers(kind), kind, some, None)

    def several(self, term: Node, scope: Scope, var: str) -> MemberSource | None:
        """The same of dice of which several are taken, with how many show each number."""
        source, dice = self.shown(term, scope, var), self.dice(term, scope)
        if source is None or dice is None:
            return None
        whole = MemberSource(source.domain, source.type, None, None)
        named = labelled(self.symbols, whole, lambda kind: self.terms.as_number(Local(var, kind), term.span), term.span)
        number = self.terms.as_number(Local(var, named.type), term.span)
        there = showing(dice, replace(number, span=None), faces(dice))
        some = _some(there, term.span)
        return MemberSource(named.domain, named.type, some, None, there)

    def number_of_dice(self, dice: tuple[Dice, ...], span: Span) -> Expr:
        """How many dice lie there."""
        number = Local(self.sources.fresh("number"), faces(dice), span)
        return self._over(FoldKind.SUM, number, None, showing(dice, number, faces(dice)), Int(0, _most(dice)), None)

    def of_dice(self, term: Node, scope: Scope) -> Expr:
        """`highest of A`, `lowest of A`, `sum of A`: of what the dice show; there is no highest of no dice."""
        dice = self.pool_of(node(term.parts[1]), scope)
        shown = faces(dice)
        number = Local(self.sources.fresh("number"), shown, term.span)
        there = showing(dice, number, shown)
        kind = _FOLDS[word(term.parts[0]).text.split()[0]]
        if kind is FoldKind.SUM:
            total = fold(kind, of_type(shown), None, _most(dice)).type
            return self._over(kind, number, None, typed_operators.arithmetic(Operator.MUL, number, there), total, None)
        some = _some(there, term.span)
        return self._over(kind, number, some, number, fold(kind, of_type(shown), None, _most(dice)).type, None)

    def struck(self, term: Node, scope: Scope) -> Expr:
        """`highest of A after ties with B are struck`: while the highest of both are equal one of each is struck, then
        the highest of A counts; 0 if none is left. `lowest` the same from below.

        So nothing is struck behind the first number of which one side has more dice than the other (`parted`): of A
        counts that number if A has more, else the next one that A has.
        """
        kind = _FOLDS[word(term.parts[0]).text.split()[0]]
        if kind is FoldKind.SUM:
            said = "ties are struck from the highest or from the lowest number on, and a sum has neither"
            raise self.symbols.wrong("DI05", said, term.span, hint="say `highest of A after ties with B are struck`")
        own, other = (self.pool_of(node(part), scope) for part in (term.parts[1], term.parts[3]))
        shown = faces((*own, *other))
        past = shown.lo - 1 if kind is FoldKind.MAX else shown.hi + 1  # where nothing parts them
        number = Local(self.sources.fresh("number"), shown, term.span)
        mine, theirs = (showing(side, number, shown) for side in (own, other))
        uneven = typed_operators.compare(Operator.NE, mine, theirs, term.span)
        whole = Int(min(shown.lo, past), max(shown.hi, past))
        first = self._over(kind, number, uneven, number, whole, typed_operators.number(past))
        parted = Local(self.sources.fresh("parted"), whole, term.span)
        at_it = typed_operators.compare(Operator.EQ, number, parted)
        lost = If(at_it, theirs, typed_operators.number(0), theirs.type)
        beyond = typed_operators.compare(Operator.LE if kind is FoldKind.MAX else Operator.GE, number, parted)
        left = typed_operators.both([beyond, typed_operators.compare(Operator.GT, mine, lost)])
        result = fold(kind, of_type(shown), of_type(Int(0, 0)), _most(own)).type
        best = self._over(kind, number, left, number, result, typed_operators.number(0))
        return Let(parted.name, first, best, result, term.span)

    def _over(
        self, kind: FoldKind, number: Local, where: Expr | None, body: Expr, result: Int, empty: Expr | None
    ) -> Expr:
        assert isinstance(number.type, Int)
        return Fold(kind, number.name, _numbers(number.type), where, body, result, empty, number.span)


def _numbers(shown: Int) -> Numbers:
    return Numbers(typed_operators.number(shown.lo), typed_operators.number(shown.hi))


def _some(there: Expr, span: Span | None) -> Expr:
    """Whether any dice show a number, of which so many are there."""
    return typed_operators.compare(Operator.GT, there, typed_operators.number(0), span)


def _most(dice: tuple[Dice, ...]) -> int:
    return sum(one.pool.most for one in dice)
