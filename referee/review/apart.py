"""Proving in a process of its own: what ends that process costs one claim, not the answers to the others.

Z3 may end the process that it runs in when it meets its limit of memory, and may look at one question for longer than
it was told to.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from referee.core.flow import Flow
from referee.game.setting import Setting
from referee.review.claims import Claim, claims_of
from referee.review.induction import TOO_HARD
from referee.review.outcomes import Outcome, Proof
from referee.review.prove import Budget, prove
from referee.symbolic.solver import MOST_MEMORY

BESIDES = 2_000
"""Megabytes for everything but the solver."""
Progress = Callable[[str], None]
_DONE = "done"


@dataclass(frozen=True)
class _At:
    """The claim that a process tries next."""

    name: str


def prove_apart(
    flow: Flow, setting: Setting, budget: Budget, progress: Progress = lambda _: None,
    claims: Sequence[Claim] | None = None,
) -> Iterator[Proof]:
    """As `prove`; a claim at which the process ended is unknown, and the rest is tried in a new one."""
    left = claims_of(flow.core) if claims is None else list(claims)
    started = spent()
    while left:
        seconds = budget.seconds - (spent() - started)
        if seconds <= 0:
            yield from (_unknown(claim, TOO_HARD) for claim in left)
            return
        with _process(flow, setting, left, replace(budget, seconds=seconds)) as (process, said):
            tried = left[0].name
            for one in _heard(said, progress):
                if isinstance(one, _At):
                    tried = one.name
                    continue
                left = [claim for claim in left if claim.name != one.name]
                yield one
            process.join()
            yield from (_unknown(claim, _why(process.exitcode)) for claim in left if claim.name == tried)
            left = [claim for claim in left if claim.name != tried]


def _unknown(claim: Claim, why: str) -> Proof:
    return Proof(claim.name, Outcome.UNKNOWN, claim.origin, why, expected=claim.expected)


def _why(code: int | None) -> str:
    if code is not None and code == -getattr(signal, "SIGXCPU", 0):
        return TOO_HARD
    return f"the process of the solver ended ({code}), as it does for want of memory"


def spent() -> float:
    """Seconds of computing of the processes of this one that have ended."""
    times = os.times()
    return times.children_user + times.children_system


# ---------------------------------------------------------------------- this side
@contextmanager
def _process(flow: Flow, setting: Setting, claims: Sequence[Claim], budget: Budget) -> Iterator[tuple[Any, Connection]]:
    """A process that proves, and where it is heard; it is gone afterwards, whatever happened."""
    context = get_context("spawn")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(there, flow, setting, list(claims), budget), daemon=True)
    with _deaf():
        process.start()
    there.close()
    try:
        yield process, here
    finally:
        process.kill()
        process.join()
        here.close()


@contextmanager
def _deaf() -> Iterator[None]:
    """What is started meanwhile ignores an interruption from the keyboard: it is for us to end it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _heard(said: Connection, progress: Progress) -> Iterator[Proof | _At]:
    """The proofs that a process tells and what it tries, until it is done or gone. Raises what went wrong there."""
    with suppress(EOFError, ConnectionError):
        while (one := said.recv()) != _DONE:
            match one:
                case Proof() | _At():
                    yield one
                case Exception():
                    raise one
                case _:
                    progress(one)


# ---------------------------------------------------------------------- the other side
def _work(said: Connection, flow: Flow, setting: Setting, claims: list[Claim], budget: Budget) -> None:
    """Tells each proof as it is found, and what is being done."""
    _limited(budget.seconds)
    sys.unraisablehook = lambda _: None  # memory that cannot be given back is nothing for readers
    with suppress(BrokenPipeError), said:
        try:
            for proof in prove(flow, setting, claims, budget, said.send, lambda name: said.send(_At(name))):
                said.send(proof)
            said.send(_DONE)
        except BrokenPipeError:
            raise
        except Exception as error:  # for the other side to show
            said.send(RuntimeError(f"{type(error).__name__}: {error}"))


def _limited(seconds: float) -> None:
    """Bounds the memory and the computing of this process, where the system can."""
    try:
        import resource
    except ModuleNotFoundError:
        return
    most = (MOST_MEMORY + BESIDES) * 1_000_000
    for kind, limit in ((resource.RLIMIT_AS, most), (resource.RLIMIT_CPU, int(1.5 * seconds) + 30)):
        with suppress(OSError, ValueError):
            resource.setrlimit(kind, (limit, limit))
