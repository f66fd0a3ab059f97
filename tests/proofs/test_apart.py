"""Proofs in a process of their own: what ends the process costs one claim; what the solver cannot do is said."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import pytest
import z3

from referee.core.flow import Flow
from referee.frontend import load_flow
from referee.game.setting import Setting
from referee.proofs import proof_workers
from referee.proofs.proof_claims import Claim, claims_of
from referee.proofs.proof_outcomes import Proof, ProofOutcome
from referee.proofs.proof_workers import prove_apart
from referee.proofs.prover import ProofBudget, prove
from referee.proofs.sliced_steps import Steps
from referee.smt.solver import Solver
from referee.smt.value import Unencodable
from tests.changed_text import changed
from tests.cores import HERE
from tests.proofs.test_prove import HEAP, written

BY_INDUCTION = ProofBudget(20.0, chance=0.5, positions=0.0)
LONG = "taken_by of player: line of Stone, open, at most 70"
PLAYERS = Setting(("first", "second"))


@pytest.fixture
def heap(tmp_path: Path) -> Flow:
    return written(tmp_path, HEAP.format(stones=5, most=9))


def outcomes(found: list[Proof]) -> list[tuple[str, ProofOutcome]]:
    return [(proof.name, proof.outcome) for proof in found]


def test_the_outcomes_are_those_of_prove(heap: Flow) -> None:
    assert list(prove_apart(heap, PLAYERS, ProofBudget(20.0))) == list(prove(heap, PLAYERS, None, ProofBudget(20.0)))


def test_rules_without_claims_need_no_process(tmp_path: Path) -> None:
    path = tmp_path / "short.rules"
    path.write_text('game "Short" for 2 players\n\nplay\n  nobody wins\n', encoding="utf-8")
    assert list(prove_apart(load_flow(path), Setting(("ana", "ben")), ProofBudget(20.0))) == []


def test_a_process_that_ends_costs_one_claim(heap: Flow) -> None:
    ended: list[str] = []

    def end_it_once(doing: str) -> None:
        if not ended and doing.startswith("looking for games"):
            ended.append(doing)
            for process in multiprocessing.active_children():
                process.kill()

    found = list(prove_apart(heap, PLAYERS, BY_INDUCTION, end_it_once))
    assert outcomes(found) == [
        ("taken_are_counted", ProofOutcome.UNKNOWN),
        ("few_are_taken", ProofOutcome.REFUTED),
        ("stones_stay", ProofOutcome.PROVED),
    ]
    assert "the process of the solver ended" in found[0].how


def test_two_processes_find_what_one_finds(heap: Flow) -> None:
    alone = {proof.name: proof.outcome for proof in prove_apart(heap, PLAYERS, BY_INDUCTION)}
    shared = {proof.name: proof.outcome for proof in prove_apart(heap, PLAYERS, BY_INDUCTION, jobs=2)}
    assert shared == alone
    assert len(alone) == 3


def test_what_ends_one_of_two_processes_is_tried_again_alone(heap: Flow) -> None:
    ended: list[str] = []

    def end_them_once(doing: str) -> None:
        if len(multiprocessing.active_children()) == 2 and not ended:
            ended.append(doing)
            for process in multiprocessing.active_children():
                process.kill()

    found = list(prove_apart(heap, PLAYERS, BY_INDUCTION, end_them_once, jobs=2))
    assert ended
    assert dict(outcomes(found)) == {
        "taken_are_counted": ProofOutcome.PROVED,
        "few_are_taken": ProofOutcome.REFUTED,
        "stones_stay": ProofOutcome.PROVED,
    }


class Scripted:
    """Stands for a process: what it tells is written down for it, once it is known which claims it is given."""

    started: ClassVar[list[Scripted]] = []
    script: ClassVar[Callable[[Scripted], None]]
    exit_code = 0

    def __init__(self, _work: object, _task: object, claims: list[Claim], *_: object, fresh: bool) -> None:
        assert fresh
        self.said, self._there = multiprocessing.Pipe()
        self.names, self.ended = [claim.name for claim in claims], False
        self.started.append(self)
        type(self).script(self)

    def __enter__(self) -> Scripted:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def at(self, name: str) -> None:
        self._there.send(proof_workers._At(name))

    def tell(self, name: str, outcome: ProofOutcome = ProofOutcome.PROVED) -> None:
        self._there.send(Proof(name, outcome, HERE))

    def join(self) -> None:
        pass

    def end(self) -> None:
        if not self.ended:
            self.ended = True
            self.said.close()
            self._there.close()


def shared(heap: Flow, monkeypatch: pytest.MonkeyPatch, script: Callable[[Scripted], None]) -> list[Proof]:
    """What two processes tell of six claims, `a` to `f`."""
    monkeypatch.setattr(Scripted, "started", [])
    monkeypatch.setattr(Scripted, "script", staticmethod(script), raising=False)
    monkeypatch.setattr(proof_workers, "Worker", Scripted)
    every = [replace(claims_of(heap.core)[0], name=name) for name in "abcdef"]
    return list(prove_apart(heap, PLAYERS, BY_INDUCTION, claims=every, jobs=2))


def all_proved(one: Scripted) -> None:
    for name in one.names:
        one.at(name)
        one.tell(name)


def test_a_process_that_is_done_takes_over_what_another_has_not_tried(
        heap: Flow, monkeypatch: pytest.MonkeyPatch) -> None:
    def script(one: Scripted) -> None:
        if len(Scripted.started) == 1:
            one.at("a")
            return
        all_proved(one)
        if one.names == ["b"]:
            Scripted.started[0].tell("a", ProofOutcome.UNKNOWN)

    found = shared(heap, monkeypatch, script)
    assert [one.names for one in Scripted.started] == [["a", "b", "c"], ["d", "e", "f"], ["c"], ["b"]]
    assert sorted(proof.name for proof in found) == list("abcdef")
    assert {proof.name for proof in found if proof.outcome is ProofOutcome.UNKNOWN} == {"a"}
    assert all(one.ended for one in Scripted.started)


def test_what_was_taken_over_is_answered_once(heap: Flow, monkeypatch: pytest.MonkeyPatch) -> None:
    """By whoever is certain first; the other is not waited for."""
    def script(one: Scripted) -> None:
        first = Scripted.started[0]
        if one is first:
            one.at("a")
        elif one.names == ["c"]:
            one.at("c")
            for name, outcome in (("c", ProofOutcome.UNKNOWN), ("c", ProofOutcome.REFUTED), ("a", ProofOutcome.PROVED)):
                first.tell(name, outcome)
        else:
            all_proved(one)

    found = shared(heap, monkeypatch, script)
    assert sorted((proof.name, proof.outcome.value) for proof in found) == [
        ("a", "proved"), ("b", "proved"), ("c", "refuted"), ("d", "proved"), ("e", "proved"), ("f", "proved")]


def test_an_interruption_leaves_no_process(heap: Flow) -> None:
    def interrupt(_: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(prove_apart(heap, PLAYERS, BY_INDUCTION, interrupt))
    assert multiprocessing.active_children() == []


def fails_with(error: Exception) -> Callable[..., None]:
    def fail(*_: object) -> None:
        raise error

    return fail


@pytest.mark.parametrize(("error", "why"), [
    (z3.Z3Exception(b"out of memory"), "too large for the memory that proofs may use"),
    (z3.Z3Exception(b"index out of bounds"), "the solver gave up: index out of bounds"),
    (RecursionError(), "too deeply nested for the solver"),
    (MemoryError(), "too large for the memory that proofs may use"),
])
def test_a_solver_that_gives_up_is_unknown_with_the_reason(
    heap: Flow, error: Exception, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Solver, "push", fails_with(error))
    found = {proof.name: proof for proof in prove(heap, PLAYERS, None, BY_INDUCTION)}
    assert found["taken_are_counted"].outcome is ProofOutcome.UNKNOWN
    assert found["taken_are_counted"].how == why
    assert found["few_are_taken"].outcome is ProofOutcome.REFUTED


def test_what_cannot_be_encoded_is_unknown_with_the_reason(heap: Flow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Steps, "kinds", fails_with(Unencodable("row may be longer than 64")))
    found = {proof.name: proof for proof in prove(heap, PLAYERS, None, BY_INDUCTION)}
    assert (found["taken_are_counted"].outcome, found["taken_are_counted"].how) == (
        ProofOutcome.UNKNOWN, "row may be longer than 64")


def test_a_long_line_is_no_obstacle_where_its_order_does_not_matter(tmp_path: Path) -> None:
    text = changed(HEAP.format(stones=70, most=9), {"taken_by of player: bag of Stone, open": LONG})
    flow = written(tmp_path, changed(text, {"to taken_by": "to the top of taken_by"}))
    found = {proof.name: proof.outcome for proof in prove(flow, PLAYERS, None, BY_INDUCTION)}
    assert found["stones_stay"] is ProofOutcome.PROVED
