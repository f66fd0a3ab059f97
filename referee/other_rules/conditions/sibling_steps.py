"""Effects of one of several like actions that another has not: where "there too?" is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.core.expr import Place
from referee.core.read_write_sets import locals_bound_in, locals_of, variables_of
from referee.core.ruleset import Core
from referee.core.stmt import Action, Branch, Move, Put, Stmt, is_whole, origin_of
from referee.core.traverse import itself, rules_of, walk
from referee.core.types import Int
from referee.frontend.names.other_answers import OtherAnswers
from referee.other_rules.conditions.sibling_guards import SIBLINGS, of_one_decision

STEP_TOO = "this_step_too"
_Shape = tuple[str, ...]


def with_steps_of_siblings(core: Core, others: OtherAnswers) -> Core:
    """The rules with each effect that only one of two like actions has; for another answer the other has it too, as the
    last that it does.

    Alike are actions among which the same decision chooses, that take the same and have at least as many effects in
    common as not.
    """
    found: dict[str, list[Stmt]] = {}
    for here, there in of_one_decision(core):
        own, known = list(_steps(here)), {shape for _, shape in _steps(there)}
        common = sum(shape in known for _, shape in own)
        more = [(stmt, shape) for stmt, shape in own if shape not in known]
        if not common or len(more) != 1 or common < len(known) or not _fits(more[0][0], here, there):
            continue
        stmt = more[0][0]
        where = origin_of(stmt)
        if set(core.statements_in(where.cites)) & set(here.origin.cites):
            continue  # this is what the action is
        if _is_a_number_of_places(core, stmt):
            continue
        test = others.test(SIBLINGS, STEP_TOO, where, alone=True, here=here.label, there=there.label)
        if test is not None:
            found.setdefault(there.name, []).append(Branch(test, (stmt,), (), where))
    return replace(core, actions={
        name: replace(one, body=(*one.body, *found.get(name, ()))) for name, one in core.actions.items()
    })  # fmt: skip


def _steps(action: Action) -> Iterator[tuple[Stmt, _Shape]]:
    """The plain effects of an action, each with what it changes."""
    for stmt in action.body:
        puts = [one for one in itself(stmt, Put) if is_whole(stmt)
                and any(True for _ in walk(one.value.type, Int))]  # fmt: skip
        moves = list(itself(stmt, Move))
        yield from ((one, ("put", one.var)) for one in puts)
        yield from ((one, ("move", one.source.zone, one.to.zone)) for one in moves)


def _is_a_number_of_places(core: Core, stmt: Stmt) -> bool:
    """Whether a statement counts a variable up that says which of many places is meant, and nothing a player has."""
    keys = [key for one in walk(rules_of(core), Put, Place) for key in one.keys]
    return any(one.var in variables_of(tuple(keys)) for one in itself(stmt, Put))


def _fits(stmt: Stmt, here: Action, there: Action) -> bool:
    """Whether whatever a statement speaks of is bound in another action too, as the same."""
    own = {param.name: param.type for param in here.params}
    known = {param.name: param.type for param in there.params}
    read = locals_of(stmt) - locals_bound_in(stmt) - {"me"}
    return all(name in own and known.get(name) == own[name] for name in read)
