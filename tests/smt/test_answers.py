"""The solver decides every step as the engine does: what is legal, what becomes of it, where the rules stop or fail.

1,000 steps by default. `REFEREE_AGREEMENT_STEPS=10000 pytest tests/smt/test_answers.py` compares so many.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from math import ceil
from pathlib import Path
from random import Random
from typing import Any, get_args

import pytest

from referee.core.expr import Const, Domainlike, Expr, FoldKind, Get, Op, Operator
from referee.core.flow import Flow, Node
from referee.core.stmt import Branch, Each, Finish, Merge, Move, Put, Swap
from referee.core.types import Int, SetOf
from referee.frontend import load_flow, names
from referee.game.event import Event
from referee.game.setting import Setting
from referee.game.state import Ended, Failed, State, Step, Stopped
from referee.interpreter.interruptions import Fault
from referee.interpreter.playouts import complete
from referee.interpreter.walker import Walker
from referee.smt.concolic.concolic_course import ConcolicCourse
from referee.smt.concolic.position_answers import Answers, NoValue
from referee.smt.encoding.term_evaluation import Evaluator
from referee.smt.encoding.term_execution import Performer
from referee.smt.encoding.term_operators import operate
from tests.sample_sizes import FULL
from tests.smt.drawn import draw, players_of, takes, tries

STEPS = int(os.environ.get("REFEREE_AGREEMENT_STEPS", "1000"))
CONSTRUCTS = sorted(Path("tests/language/constructs").glob("*.rules"))
WIDE = ("chess", "gin_rummy", "go", "holdem")
RULESETS = [name for name in names() if name not in WIDE and (FULL or name != "il_mister")]
"""Without chess, gin, go and hold'em: not all that is offered is taken there in 20 random games, and these with the
1,000 positions among which the rest is looked for take 40 s, or minutes where melds are chosen. `test_agreement.py`
compares beginnings; each construct has a file."""
SHARE = 3
"""A ruleset is compared for so many times as many steps as a file that shows a construct."""


@dataclass
class Compared:
    """What was compared."""

    steps: int = 0
    refused: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    kinds: set[str] = field(default_factory=set)
    tried: set[tuple[int, str]] = field(default_factory=set)
    taken: set[tuple[int, str]] = field(default_factory=set)


def differences(walker: Walker, answers: Answers, state: State, event: Event, tally: Compared) -> Iterator[str]:
    """What the solver says otherwise about a step."""
    tally.steps += 1
    tally.tried |= tries(walker.flow, state, event)
    try:
        refusal = walker.check(state, event)
    except Fault as fault:
        with pytest.raises(NoValue) as error:
            answers.legal(state, event)
        tally.outcomes["Failed"] += 1
        if (error.value.failure.code, error.value.failure.span) != (fault.code, fault.span):
            yield f"the engine fails with {fault.code}, the solver with {error.value.failure.code}"
        return
    taking = answers.legal(state, event)
    if (refusal is None) != (taking is not None):
        yield f"the engine {'refuses' if refusal else 'accepts'} it"
    if refusal is not None or taking is None:
        tally.refused += 1
        return
    tally.taken |= {(state.at, taking.alternative.action)} if taking.alternative is not None else set()
    before, after = walker.advance(state, event), answers.after(state, event, taking, True)
    tally.outcomes[_name(before)] += 1
    yield from _differ(before, after)


def _differ(engine: Step, solver: Step) -> Iterator[str]:
    match engine, solver:
        case State(), State():
            yield from _apart(engine, solver)
        case (Stopped(at, point), Stopped(other, here)) if point.name == here.name:
            yield from _apart(at, other)
        case Failed(code, _, span), Failed(other_code, _, other_span):
            if (code, span) != (other_code, other_span):
                yield f"the engine fails with {code} at {span}, the solver with {other_code} at {other_span}"
        case Ended(state, winners), Ended(other, others):
            if winners != others or state.slots != other.slots:
                yield f"the engine ends with {winners}, the solver with {others}"
        case _:
            yield f"engine {engine}, solver {solver}"


def _apart(engine: State, solver: State) -> Iterator[str]:
    if engine.at != solver.at:
        yield f"the engine comes to {engine.at}, the solver to {solver.at}"
    for index, (one, other) in enumerate(zip(engine.slots, solver.slots, strict=True)):
        if one != other:
            yield f"entry {index}: engine {one}, solver {other}"


@cache
def compared(ruleset: str, number: int, seed: int) -> tuple[Flow, Compared, list[str]]:
    """So many steps of a ruleset."""
    flow = load_flow(ruleset)
    walker, answers, tally, found = Walker(flow), Answers(flow), Compared(), list[str]()
    with watching() as kinds:
        for one in draw(flow, number, Random(seed)):
            where = f"{one.event} at node {one.state.at}{'' if one.reached else ' (shaken)'}"
            found += [f"{where}: {said}" for said in differences(walker, answers, one.state, one.event, tally)]
    tally.kinds |= kinds
    return flow, tally, found


@contextmanager
def watching() -> Iterator[set[str]]:
    """The kinds of nodes, statements, expressions, sources and operators that are encoded meanwhile."""
    seen: set[str] = set()

    def noting(function: Callable[..., Any], position: int, kind: Callable[[Any], object]) -> Callable[..., Any]:
        def noted(*args: Any) -> Any:
            seen.add(str(kind(args[position])))
            return function(*args)

        return noted

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ConcolicCourse, "_next", _of_node(ConcolicCourse._next, seen))
        patch.setattr(Performer, "one", noting(Performer.one, 1, _name))
        patch.setattr(Evaluator, "__call__", noting(Evaluator.__call__, 1, _name))
        patch.setattr(Evaluator, "members", noting(Evaluator.members, 1, _name))
        patch.setattr(Evaluator, "folded", noting(Evaluator.folded, 1, lambda expr: expr.kind))
        patch.setattr("referee.smt.semantics.expression_semantics.operate", noting(operate, 0, lambda expr: expr.op))
        yield seen


def _name(node: object) -> str:
    return type(node).__name__


def _of_node(following: Callable[..., Any], seen: set[str]) -> Callable[..., Any]:
    def noted(course: ConcolicCourse, at: int, *others: Any) -> Any:
        seen.add(_name(course.flow.nodes[at]))
        return following(course, at, *others)

    return noted


def of_ruleset(ruleset: str) -> tuple[Flow, Compared, list[str]]:
    """The steps of a bundled ruleset that are compared."""
    return compared(ruleset, ceil(STEPS * SHARE / (SHARE * len(RULESETS) + len(CONSTRUCTS))), 1)


def of_construct(path: Path) -> tuple[Flow, Compared, list[str]]:
    """The steps of a file that shows a construct that are compared."""
    return compared(str(path), ceil(STEPS / (SHARE * len(RULESETS) + len(CONSTRUCTS))), 2)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_solver_takes_the_steps_of_the_engine(ruleset: str) -> None:
    flow, tally, found = of_ruleset(ruleset)
    assert found == []
    assert tally.tried >= takes(flow)
    assert len(tally.taken) >= 0.9 * len(takes(flow))  # no position was found where the rest can be taken
    assert tally.refused >= (tally.steps - len(tally.taken)) // 5  # beside each thing that is taken once


@pytest.mark.parametrize("path", CONSTRUCTS, ids=lambda path: path.stem)
def test_the_solver_takes_the_steps_of_every_construct(path: Path) -> None:
    _, _, found = of_construct(path)
    assert found == []


def test_every_kind_of_node_is_compared_and_many_steps_that_are_refused_or_fail() -> None:
    tallies = [of_ruleset(name)[1] for name in RULESETS] + [of_construct(path)[1] for path in CONSTRUCTS]
    kinds = unsaid().union(*(one.kinds for one in tallies))
    statements = {Put, Move, Merge, Swap, Branch, Each, Finish}  # the others do not stand in a flow
    wanted = {_name_of(one) for one in (*get_args(Node), *get_args(Expr), *get_args(Domainlike), *statements)}
    assert wanted | {str(one) for one in (*Operator, *FoldKind)} <= kinds
    outcomes = sum((one.outcomes for one in tallies), Counter[str]())
    assert outcomes.keys() >= {"State", "Ended", "Failed", "Stopped"}
    assert sum(one.steps for one in tallies) >= STEPS
    assert sum(one.refused for one in tallies) >= sum(one.steps for one in tallies) // 5


def unsaid() -> set[str]:
    """The kinds of what no line of rules becomes, compared by its value."""
    flow = load_flow("goofspiel")
    walker, answers, player = Walker(flow), Answers(flow), flow.core.domains["player"].whole
    state = walker.begin(complete(walker, Setting(players_of(flow)), Random(1)))
    var = next(one for one in flow.vars.values() if isinstance(one.type, Int) and not one.keys)
    number, group = Get(var.name, (), var.type), SetOf(player)
    one, other = (Op(Operator.SET, (Const(seat, player),), group) for seat in (0, 1))
    exprs = (Op(Operator.NEG, (number,), Int(-100, 100)), Op(Operator.UNION, (one, other), group))
    assert isinstance(state, State)
    with watching() as kinds:
        assert [answers.value(state, expr) for expr in exprs] == [walker.evaluate(state, expr) for expr in exprs]
    return kinds


def _name_of(kind: type) -> str:
    return kind.__name__
