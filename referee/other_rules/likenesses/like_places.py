"""Another answer to what must be so at a place where an action lays something.

By the other answer it must be so too where another action does.

What a sentence of set-up says of where things of a kind are laid is asked of play too, where such things move.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.core.expr import Expr, Only, Op, Operator, Or
from referee.core.read_write_sets import locals_bound_in, locals_of
from referee.core.ruleset import Core
from referee.core.stmt import Action, Guard, Move
from referee.core.traverse import itself, offered, statements, walk
from referee.core.types import Elem, Maybe
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers
from referee.other_rules.conditions.guard_answers import said
from referee.other_rules.conditions.sibling_guards import SIBLINGS
from referee.other_rules.forms import as_a, with_value
from referee.other_rules.likenesses.like_moves import ME, cites_of, done

HERE_AS_WELL = "where_it_leads_too"


def with_conditions_on_like_places(core: Core, others: OtherAnswers) -> Core:
    """The rules with each condition of an action on where it leads, by a sentence about the place; for another answer
    it holds too for an action that lays something at such a place."""
    changed = dict(core.actions)
    every, early = done(core), _of_set_up(core)
    for name, other in ((one, two) for one in every for two in every if two != one):
        here, there = core.actions[name], core.actions[other]
        kept = name in early and other not in early and _lay_the_same(here, there)
        for guard, param in _on_places(core, here, kept=kept):
            cites = set(guard.origin.cites)
            if cites_of(core, there) & cites or any(set(one.origin.cites) & cites for one in there.guards):
                continue
            value = _led_to(here, there, param)
            if value is None or (as_a(value.type, Maybe) is not None and not kept):
                continue
            test = others.test(SIBLINGS, HERE_AS_WELL, guard.origin, alone=True, also=there.origin, apart=other,
                               here=here.label, there=there.label, label=said(guard))  # fmt: skip
            if test is not None:
                cond = Or((typed_operators.negate(test), _holds_at(guard.cond, param, value)))
                changed[other] = replace(changed[other], guards=(*changed[other].guards,
                                                                 replace(guard, cond=cond, shows=())))  # fmt: skip
    return replace(core, actions=changed)


def _of_set_up(core: Core) -> frozenset[str]:
    """The actions that are done before play alone."""
    return frozenset(offered(core, core.main[: core.setup]) - offered(core, core.main[core.setup :]))


def _lay_the_same(here: Action, there: Action) -> bool:
    """Whether an action moves nothing into a zone but kinds of which another one moves into it."""
    return any(one[0] <= other[0] and one[1] == other[1] for one in _laid(there) for other in _laid(here))


def _laid(action: Action) -> Iterator[tuple[frozenset[int], str]]:
    """The kinds that each move of an action may move, and into which zone."""
    compared = {one.args for guard in action.guards for one in walk(guard.cond, Op) if one.op is Operator.EQ}
    for move in statements(action.body, Move):
        named = as_a(move.what, Only)
        what = move.what if named is None else named.of
        said = [args[1] for args in compared if args[0] == what]
        kind = as_a((said[0] if len(said) == 1 else move.what).type, Elem)
        if kind is not None:
            yield frozenset(range(kind.lo, kind.hi + 1)), move.to.zone


def _on_places(core: Core, action: Action, *, kept: bool) -> Iterator[tuple[Guard, str]]:
    """The conditions of an action that speak of one argument alone, which is where it moves something to. `kept`: also
    those by the sentence that it is done by, where they say where nothing is laid."""
    own = set(core.statements_in((*action.origin.cites, *(cite for one in statements(action.body, Move)
                                                          for cite in one.origin.cites))))  # fmt: skip
    places = {param.name for param in action.params} & locals_of(tuple(
        key for move in statements(action.body, Move) for key in (*move.to.keys, move.to.spot)))  # fmt: skip
    for guard in action.guards:
        cites = set(core.statements_in(guard.origin.cites))
        named = locals_of(guard.cond) - {ME}
        if kept:
            named -= locals_bound_in(guard.cond)
        apart = not cites & own or (kept and _is_a_ban(guard))
        if cites and apart and len(named) == 1 and named <= places:
            yield guard, next(iter(named))


def _is_a_ban(guard: Guard) -> bool:
    """Whether a condition says where nothing may be laid, and not where it is."""
    here = as_a(guard.cond, Or)
    ways = (guard.cond,) if here is None else here.parts  # beside the tests of other answers
    return guard.forbids or any(one.op in (Operator.NOT, Operator.NE) for way in ways for one in itself(way, Op))


def _led_to(here: Action, there: Action, param: str) -> Expr | None:
    """Where another action moves something to, of the sort of an argument of this one, said by its own arguments."""
    wanted = next(one.type for one in here.params if one.name == param)
    known = {one.name for one in there.params} | {ME}
    found = [key for move in statements(there.body, Move) for key in (*move.to.keys, move.to.spot)
             if key is not None and (key.type == wanted or getattr(key.type, "of", None) == wanted)
             and locals_of(key) - locals_bound_in(key) <= known]  # fmt: skip
    return found[0] if len(set(found)) == 1 else None


def _holds_at(cond: Expr, param: str, value: Expr) -> Expr:
    """A condition with a place in the place of its argument; where there is none it holds."""
    kind = as_a(value.type, Maybe)
    if kind is None:
        return with_value(cond, param, value)
    nowhere = typed_operators.equal(value, typed_operators.nothing(kind.of))
    return Or((nowhere, with_value(cond, param, Only(value, kind.of))))
