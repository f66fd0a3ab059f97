"""The encoding with nothing known: what Z3 finds possible in it, the engine does, and what the engine does it allows.

Every kind of step is encoded once, from a position of which nothing is known. Then, for steps of games, the position
is equated with the one of the game, and Z3 is asked whether the event is allowed and whether the step may lead
elsewhere than the engine says; and for everything that the step may lead to (each point, the end, a stop, each error)
Z3 is asked for a position and an event that lead there, which the engine replays.

A few rulesets by default, all of which that can be done with `REFEREE_AGREEMENT_STEPS=10000`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.core.flow import Alternative, Ask, Draw, Flow, Gather, Rule
from referee.core.types import Type
from referee.frontend import load_flow
from referee.game.event import CHOICE, FATE, TABLE, Event
from referee.game.state import Ended, Failed, State, Step, Stopped
from referee.interpreter.interruptions import Fault
from referee.interpreter.walker import Walker
from referee.smt import term, value
from referee.smt.encoding import content
from referee.smt.encoding import term_store as stores
from referee.smt.encoding.decoding import decode_state, decode_value
from referee.smt.encoding.step_relation import Landing, Stepper
from referee.smt.encoding.term_evaluation import Evaluator
from referee.smt.encoding.term_store import TermStore
from referee.smt.semantics.context import Context
from referee.smt.solver import Answer, Solver
from referee.smt.term import Cond
from referee.smt.value import Bits, Sym, Unencodable
from tests.sample_sizes import by_lot
from tests.smt.drawn import Drawn, games

LONG = "REFEREE_AGREEMENT_STEPS" in os.environ
CONSTRUCTS = sorted(Path("tests/language/constructs").glob("*.rules"))
SHORT = {"choices", "dice_pools", "entries", "fate", "gaps", "lines", "listed", "offers", "orders", "positions",
         "rulings", "shown_later", "triggers", "zones"}
TOO_LARGE = {"ties", "turn_orders"}
"""All ways to choose are listed where nothing is known, which takes minutes."""
RULESETS = ["kuhn_poker", "tic_tac_toe", *(["connect_four", "breakthrough"] if LONG else []),
            *(str(path) for path in CONSTRUCTS if path.stem not in TOO_LARGE and (LONG or path.stem in SHORT))]
SECONDS = 20.0


@dataclass
class Encoded:
    """A kind of step: who takes what at which node, where that is legal, and where it leads."""

    at: int
    by: Sym
    label: str
    args: dict[str, Sym]
    types: Mapping[str, Type]
    legal: Cond
    landing: Landing[TermStore]


@dataclass
class Encoding:
    """Every kind of step of a flow, from one position of which nothing is known."""

    flow: Flow
    walker: Walker
    store: TermStore
    sound: Cond
    steps: list[Encoded] = field(default_factory=list)
    unencoded: list[str] = field(default_factory=list)


@cache
def encoding(ruleset: str) -> Encoding:
    flow = load_flow(ruleset)
    stepper = Stepper(flow)
    store, sound = stores.unknown(stepper.layout, "s")
    made = Encoding(flow, Walker(flow), store, sound)
    for at, by, alternative, asked in _kinds(flow, store):
        args: dict[str, Sym] = {p.name: value.unknown(p.type, f"{at} {p.name}") for p in alternative.params}
        typed = term.conj(value.typed(p.type, args[p.name]) for p in alternative.params)
        node = flow.nodes[at]
        try:
            legal = stepper.legal(store, alternative, by, args)
            if isinstance(node, Gather):
                assert isinstance(by, int)
                legal = term.both(legal, stepper.pending(store, node).has(by))
                landing = stepper.commit(store, node, alternative, by, args, at)
            else:
                landing = stepper.take(store, alternative, by, args)
        except Unencodable as why:
            made.unencoded.append(str(why))
            continue
        types = {p.arg: p.type for p in alternative.params if p.arg is not None}
        logged = {p.arg: args[p.name] for p in alternative.params if p.arg is not None}
        legal = term.both(asked, typed, legal)
        made.steps.append(Encoded(at, FATE if by is None else by, alternative.label, logged, types, legal, landing))
    made.steps.extend(_rulings(flow, store, stepper))
    return made


def _rulings(flow: Flow, store: TermStore, stepper: Stepper) -> Iterator[Encoded]:
    for at, node in enumerate(flow.nodes):
        if isinstance(node, Rule) and node.candidates is not None and node.type is not None:
            choice = value.unknown(node.type, f"{at} choice")
            context = Context(store)
            members = Evaluator(context).members(node.candidates, True)
            offered = term.disj(term.both(m.there, value.equal(m.value, choice)) for m in members)
            legal = term.both(value.typed(node.type, choice), offered, term.no(context.failed))
            yield Encoded(at, TABLE, node.point.name, {CHOICE: choice}, {CHOICE: node.type}, legal,
                          stepper.rule(store, node, choice))


def _kinds(flow: Flow, store: TermStore) -> Iterator[tuple[int, Sym | None, Alternative, Cond]]:
    """Node, who acts, what he takes, and where it is he who is asked."""
    for at, node in enumerate(flow.nodes):
        match node:
            case Ask():
                context = Context(store)
                by = Evaluator(context).number(node.actor)
                yield from ((at, by, one, term.no(context.failed)) for one in node.alternatives)
            case Draw():
                yield at, None, node.alternative, True
            case Gather():
                for actors, one in node.parts:
                    context = Context(store)
                    asked = Evaluator(context)(actors)
                    assert isinstance(asked, Bits)
                    for seat in range(flow.core.seats.number):
                        yield at, seat, one, term.both(asked.has(seat), term.no(context.failed))
            case _:
                pass


# ---------------------------------------------------------------------- a step of a game, decided by Z3
def is_at(store: TermStore, state: State) -> Cond:
    """That a position is a known one, entry by entry."""
    known = stores.of_state(store.layout, state)
    parts: list[Cond] = []
    for index, entry in enumerate(store.entries):
        if entry is not None and known.entries[index] is not None:
            parts.extend(_same(entry, known.entries[index]))
    return term.conj(parts)


def _same(left: Any, right: Any) -> Iterator[Cond]:
    if isinstance(left, content.LineContent):
        yield term.equal(left.length, right.length)
        pairs = zip(left.items, right.items, strict=True)
        yield from (term.disj((term.at_most(left.length, i), term.equal(a, b))) for i, (a, b) in enumerate(pairs))
    elif isinstance(left, content.Slots):
        yield from (value.equal(a, b) for a, b in zip(left.spots, right.spots, strict=True))
    elif isinstance(left, content.Pile):
        none = value.Counts(left.blocks[0].lo, (0,) * len(left.blocks[0].counts))
        for i in range(max(len(left.blocks), len(right.blocks))):
            a, b = (pile.blocks[i] if i < len(pile.blocks) else none for pile in (left, right))
            yield value.equal(a, b)
    else:
        yield value.equal(left, right)


def differences(made: Encoding, one: Drawn) -> Iterator[str]:
    """What Z3 finds possible of a step of a game that the engine does not do."""
    steps = [s for s in made.steps if s.at == one.state.at and s.label == one.event.label]
    here, possible = is_at(made.store, one.state), []
    for step in steps:
        said = _said(step, one.event)
        if said is False:
            continue
        solver = Solver(SECONDS)
        solver.add(made.sound, here, said, step.legal)
        found = solver.ask()
        assert found is not Answer.UNKNOWN
        if found is Answer.YES:
            possible.append(step)
    legal = made.walker.check(one.state, one.event) is None
    if legal != bool(possible):
        yield f"the engine {'accepts' if legal else 'refuses'} it"
    elif legal and len(possible) == 1:
        yield from _elsewhere(made, possible[0], one, term.both(here, _said(possible[0], one.event)))


def _said(step: Encoded, event: Event) -> Cond:
    """That a step is by the one who did it, with the arguments that he named."""
    given = dict(event.args)
    if step.args.keys() != given.keys():
        return False
    args = [value.equal(one, value.of(step.types[name], given[name])) for name, one in step.args.items()]
    return term.both(value.equal(step.by, event.by), *args)


def _elsewhere(made: Encoding, step: Encoded, one: Drawn, here: Cond) -> Iterator[str]:
    """Whether the step may lead elsewhere than where the engine comes to."""
    after, landing = made.walker.advance(one.state, one.event), step.landing
    solver = Solver(SECONDS)
    solver.add(made.sound, here, step.legal, term.no(landing.lost), term.no(_led(made, landing, after)))
    if solver.ask() is not Answer.NO:
        yield f"Z3 finds another way than to {after}"


def _led(made: Encoding, landing: Landing[TermStore], after: Step) -> Cond:
    """That a step leads to what the engine comes to."""
    match after:
        case State(at):
            return term.both(landing.at.get(at, False), is_at(landing.store, after))
        case Ended(state, _):
            return term.both(landing.over, is_at(landing.store, state))
        case Stopped(state, _):
            stopped = term.disj((landing.stops.get(state.at, False), landing.at.get(state.at, False)))
            return term.both(stopped, is_at(landing.store, state))
        case Failed(code):
            return _first(landing, code)


def _first(landing: Landing[TermStore], code: str) -> Cond:
    """That the first error is one with a code."""
    before: Cond = False
    found: list[Cond] = []
    for failure in landing.failures:
        if failure.code == code:
            found.append(term.both(failure.when, term.no(before)))
        before = term.disj((before, failure.when))
    return term.disj(found)


# ---------------------------------------------------------------------- what Z3 finds, replayed
def replayed(made: Encoding, step: Encoded) -> Iterator[str | None]:
    """For everything that a step may lead to: what the engine does otherwise, None if nothing."""
    landing = step.landing
    going = term.no(term.disj(f.when for f in landing.failures))
    wanted: list[tuple[str, Cond]] = [("over", term.both(landing.over, going))]
    wanted += [(f"at {at}", term.both(cond, going)) for at, cond in landing.at.items()]
    wanted += [(f"stopped at {at}", term.both(cond, going)) for at, cond in landing.stops.items()]
    wanted += [(code, _first(landing, code)) for code in sorted({f.code for f in landing.failures})]
    for name, cond in wanted:
        solver = Solver(SECONDS)
        solver.add(made.sound, step.legal, cond, term.no(landing.lost))
        if cond is not False and solver.ask() is Answer.YES:
            yield _replay(made, step, name, solver.model())


def _replay(made: Encoding, step: Encoded, name: str, model: Callable[[Any], Any]) -> str | None:
    state = decode_state(made.store, step.at, model)
    args = tuple((name, decode_value(step.types[name], one, model)) for name, one in step.args.items())
    event = Event(int(model(step.by)), step.label, args)
    try:
        if made.walker.check(state, event) is not None:
            return f"{name}: the engine refuses {event} in {state}"
        after = made.walker.advance(state, event)
    except Fault as fault:
        return f"{name}: {fault.code} for {event} in {state}"
    if not model(_led(made, step.landing, after)):
        return f"{name}: {event} leads to {after} from {state}"
    return None


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda path: Path(path).stem)
def test_what_the_engine_does_is_the_only_thing_possible(ruleset: str) -> None:
    made, random = encoding(ruleset), Random(3)
    every = [one for game in games(made.flow) for one in game]
    drawn = random.sample(every, min(len(every), 60 if LONG else 6))
    assert [f"{one.event}: {said}" for one in drawn for said in differences(made, one)] == []


@pytest.mark.parametrize("ruleset", by_lot(RULESETS, "found possible", 2), ids=lambda path: Path(path).stem)
def test_what_is_found_possible_the_engine_does(ruleset: str) -> None:
    made = encoding(ruleset)
    found = [said for step in made.steps for said in replayed(made, step)]
    assert [said for said in found if said is not None] == []
    assert found or not made.steps
