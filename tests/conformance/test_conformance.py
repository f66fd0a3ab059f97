"""Every kind of the core and of flow means the same in every engine, from positions of which more or less is known."""

from __future__ import annotations

from dataclasses import fields
from random import Random

import pytest

from referee.core.expr import Local, Op, Operator, Within
from referee.core.ruleset import Core
from referee.core.stmt import Block, Branch, Each, Move, Put
from referee.core.traverse import types_in, walk
from referee.core.types import Bool
from referee.flow.lowering import lower
from referee.game.setting import Setting
from referee.game.state import State, empty
from referee.interpreter.walker import Walker
from referee.smt.solver import Answer
from tests.conformance import world
from tests.conformance.agreement import GIVEN, NAMES, Engines, Tally
from tests.conformance.hidden import Veiled
from tests.conformance.samples import KINDS, SAMPLES, UNUSUAL, Kind, core_of, unusual
from tests.conformance.world import BOARD, DECK_BOTTOM, ONE, THING
from tests.cores import HERE, put
from tests.sample_sizes import FULL
from tests.twin.random_core import Maker

BODIES = 4
"""So many samples of a kind; the rest and more positions by `python -m tests.conformance`."""
RANDOM = 20
MACHINED_EVERY = 6
"""One of so many is compiled to machine code as well, in the usual run; the rest by `python -m tests.native`."""


def compiled_too(seed: int) -> bool:
    return FULL or seed % MACHINED_EVERY == 0


def named(kind: Kind) -> str:
    return kind.__name__ if isinstance(kind, type) else str(kind)


def test_every_kind_has_samples() -> None:
    """Whoever adds a kind writes a sample of it."""
    assert [named(kind) for kind in KINDS if not SAMPLES.get(kind)] == []
    assert [named(kind) for kind in SAMPLES if kind not in KINDS] == []


def stands_in(kind: Kind, core: Core) -> bool:
    """Whether a kind is in a core, in what it is lowered to, or in what is declared for it."""
    flow = lower(core)
    rules = (*core.actions.values(), *flow.nodes)
    if isinstance(kind, type):
        types = [*types_in(rules), *(one.type for one in flow.vars.values())]
        return any(isinstance(one, kind) for one in (*walk(rules), *types))
    parts = (*walk(rules), *core.zones.values())
    return any(kind in (getattr(one, field.name) for field in fields(one)) for one in parts)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", KINDS, ids=named)
def test_a_sample_has_what_it_is_a_sample_of(kind: Kind) -> None:
    assert stands_in(kind, core_of(kind))


@pytest.mark.parametrize("kind", KINDS, ids=named)
def test_every_engine_makes_the_same_of_it(kind: Kind) -> None:
    seed, tally = KINDS.index(kind), Tally()
    engines = Engines(core_of(kind, seed, BODIES), seed, (0.5, 0.9), machine=compiled_too(seed))
    assert list(engines.each(1, tally)) == []
    assert tally.steps.total() > 0
    assert tally.completions > 0
    assert tally.unencoded == set()


@pytest.mark.parametrize("name", UNUSUAL)
def test_every_engine_makes_the_same_of_what_is_unusual(name: str) -> None:
    assert list(Engines(unusual(name), 3, (0.3, 0.5, 0.6, 0.9), machine=FULL).each(12, Tally())) == []


@pytest.mark.parametrize("seed", range(RANDOM))
def test_every_engine_makes_the_same_of_random_cores(seed: int) -> None:
    engines = Engines(Maker(seed).core(), seed, (0.6,), apart=True, machine=compiled_too(seed))
    assert list(engines.played(5, Tally())) == []


def test_what_the_solver_does_not_answer_in_time_is_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    engines, tally = Engines(core_of(Put, 0, 1), 0, (0.5,)), Tally()
    monkeypatch.setattr("referee.proofs.step_questions.Solver.ask", lambda solver: Answer.UNKNOWN)
    assert [said for said in engines.each(1, tally) if said.startswith("sliced")] == []
    assert any("not found in time" in said for said in tally.unencoded)


@pytest.mark.parametrize("body", [
    (Branch(Op(Operator.NE, (Local("x", THING), ONE), Bool()), (put("one", Local("x", THING)),), (), HERE),),
    (Move(Local("x", THING), None, BOARD, DECK_BOTTOM, HERE),),
], ids=["written", "moved"])
def test_what_is_hidden_on_spots_is_gone_through_by_class(body: Block) -> None:
    flow = lower(world.core([(Each("x", Within(BOARD), body, HERE),)]))
    walker = Walker(flow)
    begun = walker.begin(Setting(NAMES, parameters={"given": {(): GIVEN}}))
    assert isinstance(begun, State)
    slots, zones = list(begun.slots), walker.layout.zones
    for name, spread in zones.items():
        slots[spread.base:spread.base + spread.count] = [empty(flow.core.zones[name])] * spread.count
    slots[zones["board"].base], slots[zones["deck"].base] = (2, 1, 0), ((0, 0, 1),)
    state, veiled = State(begun.at, tuple(slots)), Veiled(walker, NAMES)
    event = next(iter(walker.legal(state)))
    assert [said for seed in range(3) for said in veiled.differs(state, event, Random(seed))] == []
    assert veiled.split > 0
