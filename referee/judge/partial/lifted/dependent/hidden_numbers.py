"""Numbers that hang on several hidden components at once: a token of its own, whose class follows from theirs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from enum import Enum, auto
from random import Random
from typing import Any, assert_never

from referee.codegen.often.value_functions import LEFT
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
from referee.core.read_write_sets import locals_of, variables_of
from referee.core.traverse import walk
from referee.core.types import Bool, Elem, Int, Many, Maybe, SetOf
from referee.interpreter.interruptions import Fault
from referee.judge.partial.constraints.constraint_search import GaveUp
from referee.judge.partial.constraints.derived_tokens import MOST_LISTED, MOST_SAMPLED, Classes, DerivedToken
from referee.judge.partial.constraints.hidden_values import Bag, Case, Hidden, HiddenValueAsked, Sum, Token
from referee.judge.partial.constraints.world_positions import shown, tokens_in
from referee.judge.partial.lifted.choice_points import FEW_FORKS, LeftOpen, TooManyForks, Trial, forks
from referee.judge.partial.lifted.lifted_evaluation import HiddenView
from referee.judge.partial.lifted.lifted_operators import as_sum

MOST_NUMBERS = 4_096
"""A number that may be more than so many is never kept so."""
MOST_BASE = 12
"""Nor is one that hangs on more components."""
Term = tuple[int, Expr]
"""A part of a sum, with its sign."""


def number_of(view: HiddenView, expr: Expr, lo: int, hi: int) -> Any:
    """The value of an expression that is to be lo..hi: if it would be many, a sum with a token in it that stands for
    what it is."""
    if view.trial.quiet:
        return view.value(expr)
    found: list[Any] = []
    way = view.trial.once(lambda: _way(view, expr, lo, hi, found))  # the same when more is known
    if found:
        return found[0]
    if isinstance(way, Sum):
        view.trial.pass_over()  # its token was made then
        return way
    return view.value(expr)


class NumberOrigin(Enum):
    """How a number was found, if no token was made for it: nothing had to be decided, or what it hangs on was."""

    TOLD = auto()
    DECIDED = auto()


def _way(view: HiddenView, expr: Expr, lo: int, hi: int, found: list[Any]) -> NumberOrigin | Sum:
    """How a number is found, or a sum with a token; with the number itself where nothing was decided. What came out in
    many ways before does so again, mostly, and is not looked at for that."""
    many = view.terms.get(id(expr)) is not None
    quiet = None if many else _quietly(view, expr)
    if quiet is not None:
        found.append(quiet)
        return NumberOrigin.TOLD
    if many or _in_many_ways(view, expr):
        view.terms[id(expr)] = True
        made = _derived(view, expr, lo, hi)
        if made is not None:
            found.append(made)
            return made
    return NumberOrigin.DECIDED


def _quietly(view: HiddenView, expr: Expr) -> Any:
    """The value of an expression, if nothing has to be decided for it; else None."""
    before, view.trial.quiet = view.trial.quiet, True
    try:
        return view.value(expr)
    except (LeftOpen, Fault):
        return None
    finally:
        view.trial.quiet = before


def _in_many_ways(view: HiddenView, expr: Expr) -> bool:
    """Whether there are many ways through an expression."""
    mine, env = view.trial, dict(view.env)

    def ask(trial: Trial) -> None:
        view.trial, view.env = trial, dict(env)
        with suppress(Fault):
            view.value(expr)

    try:
        for number, _ in enumerate(forks(mine.store, mine.last, mine.line, ask, free=True)):
            if number >= FEW_FORKS:
                return True
    except (TooManyForks, GaveUp):
        return True
    finally:
        view.trial, view.env = mine, env
    return False


def _derived(view: HiddenView, expr: Expr, lo: int, hi: int) -> Sum | None:
    """A sum with a token for all of it that is not told without deciding something; None if that cannot be."""
    plain, open_terms = Sum(0, {}), list[Term]()
    for sign, term in _terms(expr, 1):
        value = _quietly(view, term)
        number = None if value is None else _as_sum(value, view.trial)
        if number is None:
            open_terms.append((sign, term))
        else:
            plain = plain.plus(number, sign)
    least, most = view.trial.store.bounds(plain)
    low, high = _range(open_terms)
    bottom, top = max(lo - most, low), min(hi - least, high)
    entries = _entries(view, open_terms)
    if not open_terms or top - bottom > MOST_NUMBERS or bottom > top or entries is None:
        return None
    tokens = sorted({token for _, value in entries for token in tokens_in(value)})
    if not 0 < len(tokens) <= MOST_BASE or any(token in view.trial.store.derived for token in tokens):
        return None
    derived = DerivedToken(tokens, _function(view, open_terms, entries, tokens, (bottom, top)),
                           alike=all(_alike(value, tokens) for _, value in entries))
    domains = view.trial.store.domains
    if not derived.listed(domains, MOST_LISTED):
        derived.sampled(domains, Random(0), MOST_SAMPLED)
    derived.of(view.trial.store.witness)
    beyond = top - bottom + 1
    if beyond in derived.met:
        return None
    mask = sum(1 << one for one in derived.met) if derived.whole else (1 << beyond) - 1
    token = view.trial.following(derived, mask)
    return plain.plus(Sum(0, {token: {one: bottom + one for one in range(beyond)}}))


def _terms(expr: Expr, sign: int) -> Iterator[Term]:
    match expr:
        case Op(Operator.ADD | Operator.SUB as op, (one, other)):
            yield from _terms(one, sign)
            yield from _terms(other, sign if op is Operator.ADD else -sign)
        case (Const() | Local() | Get() | Look() | Op() | And() | Or() | If() | At() | Fold() | Where() | Connected()
              | Split() | Let() | Only() | After()):
            yield sign, expr
        case _:
            assert_never(expr)


def _range(terms: Sequence[Term]) -> tuple[int, int]:
    """The least and the greatest that terms may be together, by their types."""
    low = high = 0
    for sign, term in terms:
        match term.type:
            case Int(lo, hi) | Elem(_, lo, hi):
                low, high = (low + lo, high + hi) if sign > 0 else (low - hi, high - lo)
            case Bool() | Maybe() | SetOf() | Many():
                return -MOST_NUMBERS, MOST_NUMBERS
            case _:
                assert_never(term.type)
    return low, high


def _as_sum(value: Any, trial: Trial) -> Sum | None:
    """A number as a sum, if nothing has to be decided for it."""
    if isinstance(value, bool) or not isinstance(value, int | Sum | Case | Token):
        return None
    if isinstance(value, Case) and not all(type(one) is int for one in value.values.values()):
        return None
    return as_sum(value, trial)


def _entries(view: HiddenView, terms: Sequence[Term]) -> list[tuple[Any, Any]] | None:
    """The entries of the position, and the locals, that are read and hidden; None if one of them cannot be told."""
    found: dict[Any, Any] = {}
    layout = view.layout
    for _, term in terms:
        for name in locals_of(term):
            if isinstance(view.env.get(name), Hidden):
                found[name] = view.env[name]
        for variable in variables_of(term):
            spread = layout.vars[variable]
            found.update((at, view.slots[at]) for at in range(spread.base, spread.base + spread.count)
                         if _hides(view.slots[at]))
        for place in walk(term, Place):
            found.update((at, view.slots[at]) for at in _places(view, place) if _hides(view.slots[at]))
    if any(not isinstance(value, Bag | Token | Case | Sum | tuple) for value in found.values()):
        return None
    return list(found.items())


def _places(view: HiddenView, place: Place) -> Sequence[int]:
    """Where a place lies; every instance of its zone, if that hangs on something."""
    spread = view.layout.zones[place.zone]
    keys = [_quietly(view, key) if not locals_of(key) else None for key in place.keys]
    plain = [key for key in keys if type(key) is int]
    if len(plain) == len(keys) and (at := spread.find(plain)) >= 0:
        return [at]
    return range(spread.base, spread.base + spread.count)


def _hides(value: Any) -> bool:
    return isinstance(value, Hidden) or (isinstance(value, tuple) and any(map(_hides, value)))


def _alike(value: Any, tokens: Sequence[int]) -> bool:
    """Whether it is no matter in a value which token is of which class."""
    return isinstance(value, Bag) and len(value.tokens) == len(tokens) and len(set(value.tokens.values())) == 1


def _function(view: HiddenView, terms: Sequence[Term], entries: Sequence[tuple[Any, Any]], tokens: Sequence[int],
              ends: tuple[int, int]) -> Callable[[Classes], int]:
    """What gives the number for classes of the tokens, less the least; one more than it can be, if it is an error or
    beyond its ends."""
    parts = [(sign, view.code.expr(term)) for sign, term in terms]
    slots, env, (bottom, top) = list(view.slots), dict(view.env), ends
    quick = view.functions.total(terms, env)

    def total(there: list[Any], names: dict[Any, Any]) -> int:
        if quick is not None:
            with suppress(*LEFT, HiddenValueAsked):  # where it cannot say, the reference engine does
                return quick(there, names)
        return sum(sign * part(there, names) for sign, part in parts)

    def number(classes: Classes) -> int:
        witness: Mapping[int, int] = dict(zip(tokens, classes, strict=True))
        there, names = list(slots), dict(env)
        for at, value in entries:
            (there if isinstance(at, int) else names)[at] = shown(value, witness)
        try:
            found = total(there, names)
        except (Fault, HiddenValueAsked):
            return top - bottom + 1
        return found - bottom if bottom <= found <= top else top - bottom + 1

    return number
