"""Terms: Python values where a value is known, Z3 terms where it is not. Only here z3 is imported by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Any, TypeAlias

import z3

Cond: TypeAlias = bool | z3.BoolRef
"""A condition, known or not."""
Num: TypeAlias = int | z3.ArithRef
"""A whole number, known or not."""


def known(value: Cond | Num) -> bool:
    """True if a term is a Python value."""
    return isinstance(value, int)


def name_of(value: Cond | Num) -> int:
    """A number by which a term is told from every other one that still exists; of a known condition -1 or -2."""
    return (-1 if value else -2) if isinstance(value, int) else int(value.get_id())


def is_condition(value: object) -> bool:
    """True if a term is a condition, and no number."""
    return isinstance(value, bool | z3.BoolRef)


def holds(value: Cond) -> bool:
    """True if a condition is known to hold."""
    return value is True


def never(value: Cond) -> bool:
    """True if a condition is known not to hold."""
    return value is False


_CONTEXT = z3.main_ctx()
_NUMBERS: dict[int, Any] = {}


def _bool(made: Any) -> z3.BoolRef:
    return z3.BoolRef(made, _CONTEXT)


def _int(made: Any) -> z3.ArithRef:
    return z3.ArithRef(made, _CONTEXT)


def raw(value: Cond | Num) -> Any:
    """What Z3 knows a term by. Terms are built from these: the operators of z3 check again what is well typed here."""
    if isinstance(value, bool):
        return (z3.BoolVal(True) if value else z3.BoolVal(False)).as_ast()
    if isinstance(value, int):
        if value not in _NUMBERS:
            _NUMBERS[value] = z3.IntVal(value)
        return _NUMBERS[value].as_ast()
    return value.as_ast()


def _array(parts: Sequence[Any]) -> Any:
    return (z3.Ast * len(parts))(*map(raw, parts))


def no(value: Cond) -> Cond:
    """The opposite."""
    return not value if isinstance(value, bool) else _bool(z3.Z3_mk_not(_CONTEXT.ref(), value.as_ast()))


def both(*parts: Cond) -> Cond:
    """True if all are."""
    return conj(parts)


def conj(parts: Iterable[Cond]) -> Cond:
    """True if all are; without any, true."""
    kept: list[z3.BoolRef] = []
    for part in parts:
        if part is False:
            return False
        if part is not True:
            kept.append(part)
    if len(kept) < 2:
        return kept[0] if kept else True
    return _bool(z3.Z3_mk_and(_CONTEXT.ref(), len(kept), _array(kept)))


def disj(parts: Iterable[Cond]) -> Cond:
    """True if some is; without any, false."""
    kept: list[z3.BoolRef] = []
    for part in parts:
        if part is True:
            return True
        if part is not False:
            kept.append(part)
    if len(kept) < 2:
        return kept[0] if kept else False
    return _bool(z3.Z3_mk_or(_CONTEXT.ref(), len(kept), _array(kept)))


def choose(cond: Cond, yes: Num, other: Num) -> Num:
    """One of two numbers."""
    if isinstance(cond, bool):
        return yes if cond else other
    if yes is other or (known(yes) and known(other) and yes == other):
        return yes
    return _int(z3.Z3_mk_ite(_CONTEXT.ref(), cond.as_ast(), raw(yes), raw(other)))


def either(cond: Cond, yes: Cond, other: Cond) -> Cond:
    """One of two conditions."""
    if isinstance(cond, bool):
        return yes if cond else other
    if yes is other or (isinstance(yes, bool) and isinstance(other, bool) and yes == other):
        return yes
    if yes is True and other is False:
        return cond
    if yes is False and other is True:
        return no(cond)
    return disj((both(cond, yes), both(no(cond), other)))


def equal(left: Num, right: Num) -> Cond:
    """True if two numbers are the same."""
    if known(left) and known(right):
        return left == right
    return True if left is right else _bool(z3.Z3_mk_eq(_CONTEXT.ref(), raw(left), raw(right)))


def same(left: Cond, right: Cond) -> Cond:
    """True if two conditions are both true or both false."""
    if isinstance(left, bool):
        return right if left else no(right)
    if isinstance(right, bool):
        return left if right else no(left)
    return _bool(z3.Z3_mk_eq(_CONTEXT.ref(), left.as_ast(), right.as_ast()))


def less(left: Num, right: Num) -> Cond:
    """True if the first number is smaller."""
    if isinstance(left, int) and isinstance(right, int):
        return left < right
    return _bool(z3.Z3_mk_lt(_CONTEXT.ref(), raw(left), raw(right)))


def at_most(left: Num, right: Num) -> Cond:
    """True if the first number is not larger."""
    if isinstance(left, int) and isinstance(right, int):
        return left <= right
    return _bool(z3.Z3_mk_le(_CONTEXT.ref(), raw(left), raw(right)))


def total(parts: Sequence[Num]) -> Num:
    """The sum; of nothing, 0."""
    fixed = sum(p for p in parts if isinstance(p, int))
    rest = [p for p in parts if not isinstance(p, int)]
    if not rest:
        return fixed
    parts = [*rest, fixed] if fixed else rest
    return rest[0] if len(parts) == 1 else _int(z3.Z3_mk_add(_CONTEXT.ref(), len(parts), _array(parts)))


def minus(left: Num, right: Num) -> Num:
    """The difference."""
    return left if isinstance(right, int) and right == 0 else left - right


def times(left: Num, right: Num) -> Num:
    """The product."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, int) and one in (0, 1):
            return other if one else 0
    return left * right


def lower(left: Num, right: Num) -> Num:
    """The lesser of two numbers."""
    return choose(at_most(left, right), left, right)


def higher(left: Num, right: Num) -> Num:
    """The greater of two numbers."""
    return choose(at_most(left, right), right, left)


def number(value: Cond) -> Num:
    """1 or 0."""
    return choose(value, 1, 0)


def pick(cases: Sequence[tuple[Cond, Num]], other: Num) -> Num:
    """The first number whose condition holds, else another."""
    return reduce(lambda rest, case: choose(case[0], case[1], rest), reversed(cases), other)


def unknown_number(name: str) -> z3.ArithRef:
    """A number that nothing is said of yet."""
    return z3.Int(name)


def unknown_entry(name: str, keys: Sequence[Num], cond: bool) -> Any:
    """An entry of an array that nothing is said of: of conditions, or of numbers."""
    sorts = [z3.IntSort()] * len(keys)
    made = z3.Function(name, *sorts, z3.BoolSort() if cond else z3.IntSort())
    return made(*keys)


def unknown_cond(name: str) -> z3.BoolRef:
    """A condition that nothing is said of yet."""
    return z3.Bool(name)


def seen(model: z3.ModelRef, asked: Cond | Num) -> bool | int | None:
    """What a term is in a model; None if the model leaves it open. Raises `z3.Z3Exception`."""
    return _in_model(model, asked, False)


def told(model: z3.ModelRef, asked: Any) -> Any:
    """What a term is in a model, anything where the model leaves it open. Raises `z3.Z3Exception`."""
    return asked if isinstance(asked, int) else _in_model(model, asked, True)


def _in_model(model: z3.ModelRef, asked: Cond | Num, complete: bool) -> bool | int | None:
    found, context = (z3.Ast * 1)(), _CONTEXT.ref()
    if not z3.Z3_model_eval(context, model.model, raw(asked), complete, found):
        return None
    if is_condition(asked):
        return {1: True, -1: False}.get(z3.Z3_get_bool_value(context, found[0]))
    if z3.Z3_get_ast_kind(context, found[0]) != z3.Z3_NUMERAL_AST:
        return None
    return int(z3.Z3_get_numeral_string(context, found[0]))
