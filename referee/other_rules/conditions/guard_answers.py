"""Conditions that a sentence has no word for, and comparisons with what is not set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from referee.core.expr import And, At, Const, Expr, Fold, FoldKind, Local, Op, Operator, Or, Within
from referee.core.read_write_sets import variables_of
from referee.core.ruleset import Core
from referee.core.stmt import Action, Guard, Move, Origin
from referee.core.traverse import carried_out, itself, rewrite_each, statements, walk
from referee.core.types import Maybe
from referee.diagnostics.source import Span
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers
from referee.frontend.statements.decisions import PASS
from referee.other_rules.amounts.counter_answers import noted_as_done

GUARD, ABSENT, UNSET_APART = "guard", "absent", "unset_is_alike_to_nothing"
NOT_HERE = "not_here"


def with_fewer_guards(core: Core, others: OtherAnswers, written: Mapping[str, frozenset[Span]]) -> Core:
    """The rules with each condition that is `written` as one of an action, and without it for another answer.

    Only where a statement of the rulebook is cited by the line: else nothing says what it would leave out.
    """
    lines = {span.first_line for span in written["need"] | written["forbidden"]}

    noted = noted_as_done(core)
    first = _spoken_of(core)
    given = {name: _given_away(core, one) for name, one in core.actions.items()}

    def fewer(guard: Guard, name: str) -> Guard:
        where = guard.origin
        read = variables_of(guard.cond)
        if read & noted.get(name, frozenset()) or read & core.readings.keys():
            return guard  # how often, and what a reading says, is asked by itself
        there = first.get(core.statements_in(where.cites), "")
        about = _is_about(core, there, name)
        if _is_about_room(guard) and (about or zones_laid_into(core, core.actions[name]) & {
                one.place.zone for one in walk(guard.cond, At)}):  # fmt: skip
            return guard  # and so is what comes of what lies there
        if _is_about_being(guard.cond):
            return guard  # what there is not cannot be used
        if _is_about_having(guard.cond, given[name]):
            return guard  # nobody gives away what he has not
        if not core.statements_in(where.cites) or where.span.first_line not in lines:
            return guard
        act = core.actions[name].label
        test = (others.test(GUARD, ABSENT, where, alone=True, act=act, label=said(guard)) if about else
                others.test(GUARD, NOT_HERE, where, alone=True, act=act, label=said(guard),
                            there=core.actions[there].label))  # fmt: skip
        return guard if test is None else replace(guard, cond=Or((test, guard.cond)))

    return replace(core, actions={
        name: replace(one, guards=tuple(fewer(guard, name) for guard in one.guards))
        for name, one in core.actions.items()
    })  # fmt: skip


def _spoken_of(core: Core) -> Mapping[tuple[str, ...], str]:
    """By what conditions cite the action that is spoken of there: the one that cites it itself, else the first that has
    such a condition. No sentence speaks of a way out that a decision has beside its actions."""
    found: dict[tuple[str, ...], str] = {}
    declared = {name: one for name, one in core.actions.items() if one.label != PASS or "." not in name}
    for cites in dict.fromkeys(core.statements_in(guard.origin.cites)
                               for one in declared.values() for guard in one.guards):  # fmt: skip
        having = [name for name, one in declared.items()
                  if any(core.statements_in(guard.origin.cites) == cites for guard in one.guards)]  # fmt: skip
        own = [name for name in having if set(core.actions[name].origin.cites) & set(cites)]
        found[cites] = (own or having)[0]
    return found


def _is_about(core: Core, there: str, name: str) -> bool:
    """Whether a condition of an action is one that its own sentences are about, and not only those of another."""
    if there in ("", name):
        return True
    own, other = (core.statements_in(core.actions[one].origin.cites) for one in (name, there))
    return bool(set(own) & set(other))


def with_unset_apart(core: Core, others: OtherAnswers, written: Mapping[str, frozenset[Span]]) -> Core:
    """The rules with each comparison of two values that may both be missing: two that are missing are as good as the
    same, and for another answer they are not."""
    spans = written["equal"] | written["is_"] | written["is_not"]

    def apart(part: Op) -> Expr | None:
        if part.op not in (Operator.EQ, Operator.NE) or part.span not in spans or not _both_may_miss(part):
            return None
        test = others.test(GUARD, UNSET_APART, Origin(part.span), alone=True)
        if test is None:
            return None
        kind = part.args[0].type
        assert isinstance(kind, Maybe)
        missing = And((test, typed_operators.equal(part.args[0], typed_operators.nothing(kind.of))))
        if part.op is Operator.NE:
            return Or((missing, part), part.span)
        return And((typed_operators.negate(missing), part), part.span)

    return replace(
        core, main=rewrite_each(core.main, Op, apart, lambda _: False),
        actions={name: rewrite_each(one, Op, apart, lambda _: False) for name, one in core.actions.items()},
        procedures={n: rewrite_each(one, Op, apart, lambda _: False) for n, one in core.procedures.items()},
    )  # fmt: skip


def said(guard: Guard) -> str:
    """What a condition says, in words."""
    return f"it is not so that {guard.text}" if guard.forbids else guard.text


def _is_about_room(guard: Guard) -> bool:
    """Whether a condition says that nothing lies on a spot: where something does, nothing more can be laid."""
    return any(one.op is Operator.EQ and any(at is one.args[0] for at in walk(one.args[0], At))
               and any(none is one.args[1] and none.value is None for none in walk(one.args[1], Const))
               for one in _parts(guard.cond))  # fmt: skip


def _given_away(core: Core, action: Action) -> frozenset[str]:
    """The zones from which an action moves something, itself or by what it carries out."""
    return frozenset(move.source.zone for move in _moves(core, action))


def zones_laid_into(core: Core, action: Action) -> frozenset[str]:
    """The zones into which an action moves something, itself or by what it carries out."""
    return frozenset(move.to.zone for move in _moves(core, action))


def _moves(core: Core, action: Action) -> Iterator[Move]:
    return (move for body in carried_out(core.procedures, action.body) for move in statements(body, Move))


def _is_about_having(cond: Expr, given: frozenset[str]) -> bool:
    """Whether a condition says no more than that who acts has something where the action takes it from."""
    op = next(itself(cond, Op), None)
    some = op is not None and op.op is Operator.GE and any(one.value == 1 for one in itself(op.args[1], Const))
    many = next(itself(op.args[0] if op is not None and some else cond, Fold), None)
    if many is None or many.kind is not (FoldKind.COUNT if some else FoldKind.ANY):
        return False
    places = [one.place for one in itself(many.source, Within)]
    return any(place.zone in given and any(key.name == "me" for key in walk(place.keys, Local)) for place in places)


def _is_about_being(cond: Expr) -> bool:
    """Whether a condition says no more than that something is not none: a place, a component, somebody."""
    op = next(itself(cond, Op), None)
    inner = next((one for one in walk(op.args, Op) if op.op is Operator.NOT and one is op.args[0]), op) if op else None
    if op is None or inner is None or inner.op is not (Operator.NE if inner is op else Operator.EQ):
        return False
    missing = any(one is inner.args[1] and one.value is None for one in walk(inner.args[1], Const))
    return missing and not any(True for _ in walk(inner, At))


def _parts(cond: Expr) -> Iterator[Op]:
    """What is compared in a condition, of several that hold together or of which one does."""
    for joined in itself(cond, And, Or):
        for part in joined.parts:
            yield from _parts(part)
    yield from itself(cond, Op)


def _both_may_miss(part: Op) -> bool:
    return all(isinstance(arg.type, Maybe) and not isinstance(arg, Const) for arg in part.args)
