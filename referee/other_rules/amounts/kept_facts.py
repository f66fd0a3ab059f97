"""What is worked out once and kept: where "or each time it is asked?" is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from referee.core.expr import Const, Expr, Get, If, Local
from referee.core.read_write_sets import variables_of
from referee.core.ruleset import TURN, Core, Role
from referee.core.stmt import Put
from referee.core.traverse import bodies, in_all_play, rewrite, statements, walk
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers

FACT, EACH_TIME = "fact", "each_time"


def with_facts_worked_out(core: Core, others: OtherAnswers) -> Core:
    """The rules with everything that is noted of a member when something happens and read later; for another answer
    it is worked out anew wherever it is read."""
    noted = _noted(core)
    tests = {name: test for name, put in noted.items()
             if (test := others.test(FACT, EACH_TIME, put.origin)) is not None}  # fmt: skip

    def anew(part: object) -> object | None:
        if not isinstance(part, Get) or part.var not in tests:
            return None
        put = noted[part.var]
        value = put.value
        if put.keys:
            (own,), (key,) = put.keys, part.keys
            value = rewrite(value, lambda one: key if one == own else None)
        kind = typed_operators.join(value.type, part.type)
        return part if kind is None else If(tests[part.var], value, part, kind, part.span)

    if not tests:
        return core
    made = in_all_play(core, lambda node: rewrite(node, anew))
    return made if core.score is None else replace(made, score=rewrite(core.score, anew))


def _noted(core: Core) -> Mapping[str, Put]:
    """By variable the only statement that stores in it what hangs on the position, and on nothing but its member. Whose
    turn it is when something happens is noted to be known later."""
    found: dict[str, list[Put]] = {}
    for body in bodies(core):
        for put in statements(body, Put):
            if not isinstance(put.value, Const):
                found.setdefault(put.var, []).append(put)
    return {name: puts[0] for name, puts in found.items()
            if len(puts) == 1 and core.vars[name].role is Role.STATE and variables_of(puts[0].value) != {TURN}
            and _hangs_on_its_member(core, puts[0])}  # fmt: skip


def _hangs_on_its_member(core: Core, put: Put) -> bool:
    own = {one.name for one in put.keys if isinstance(one, Local)}
    read = frozenset(variables_of(put.value))
    states = [name for name in read if core.vars[name].role is Role.STATE]
    return (len(put.keys) <= 1 and len(own) == len(put.keys) and bool(states) and put.var not in read
            and _free(put.value) <= own)  # fmt: skip


def _free(value: Expr) -> set[str]:
    """The names in a value that it does not bind itself; one that it binds counts too, so that none is caught."""
    return {one.name for one in walk(value, Local)}
