"""Proving in processes of their own: what ends a process costs one claim, not the answers to the others.

Z3 may end the process that it runs in when it meets its limit of memory, and may look at one question for longer than
it was told to. Several processes share the claims, and the memory.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from itertools import pairwise
from multiprocessing.connection import Connection, wait

from referee.core.flow import Flow
from referee.game.setting import Setting
from referee.proofs.explicit_search import Exploration, explored
from referee.proofs.induction_rounds import LEAST_SECONDS
from referee.proofs.proof_claims import Claim, claims_of
from referee.proofs.proof_outcomes import TOO_HARD, Proof, ProofOutcome
from referee.proofs.prover import ProofBudget, prove
from referee.smt.solver import MOST_MEMORY, TOO_LARGE, limit_memory
from referee.system.worker_processes import Worker

BESIDES = 2_000
"""Megabytes for everything but the solver."""
ENDED = "the process of the solver ended"
Progress = Callable[[str], None]
Apart = Callable[[Flow, Setting, ProofBudget, Progress, Sequence[Claim] | None, int], Iterator[Proof]]
"""Proves claims, all if none are named, by so many at once: as `prove_apart` does."""
CERTAIN = (ProofOutcome.PROVED, ProofOutcome.REFUTED, ProofOutcome.VACUOUS)
"""With these nothing is left to find out."""
_DONE = "done"


@dataclass(frozen=True)
class _At:
    """The claim that a process tries next."""

    name: str


@dataclass(frozen=True)
class _Task:
    """What processes are for. `jobs`: how many at once; each has its part of the memory. `searched`: what is known of
    every position; None if a process is to look at them."""

    flow: Flow
    setting: Setting
    budget: ProofBudget
    jobs: int
    searched: Exploration | None = None


@dataclass
class _Share:
    """The claims whose answers are a process's, the one it is at, those it was at, the seconds it has left, and how it
    is heard. Others may have taken over some of what it was given."""

    claims: list[Claim]
    seconds: float
    tried: str = ""
    met: set[str] = field(default_factory=set)
    worker: Worker | None = None

    def at(self, name: str) -> None:
        """It tries a claim."""
        self.tried = name
        self.met.add(name)

    def without(self, names: Container[str]) -> None:
        """Some claims are no longer its own."""
        self.claims = [claim for claim in self.claims if claim.name not in names]

    def handed_over(self) -> list[Claim]:
        """The later half of what it has not tried, which is another's from now on; what it begins with it keeps."""
        untried = [claim for claim in self.claims if claim.name not in self.met]
        kept = int(len(untried) == len(self.claims))
        given = untried[kept + (len(untried) - kept) // 2:]
        self.without({claim.name for claim in given})
        return given


def prove_apart(
    flow: Flow, setting: Setting, budget: ProofBudget, progress: Progress = lambda _: None,
    claims: Sequence[Claim] | None = None, jobs: int = 1,
) -> Iterator[Proof]:
    """As `prove`; a claim at which the process ended is unknown, and the rest is tried in a new one.

    `jobs` processes share the claims, each with the whole time, and its part of the memory: neighbours go together, as
    what is shown for one may help with the next. One that is done takes over what another has not tried. What was too
    large for one of several is tried again by itself.
    """
    every = claims_of(flow.core) if claims is None else list(claims)
    number = max(1, min(jobs, len(every)))
    task = _Task(flow, setting, budget, number)
    left = budget.seconds
    if number > 1 and budget.positions > 0:  # one looks at positions for all of them
        before = spent()
        task = replace(task, searched=_searched(replace(task, jobs=1), progress))
        left -= spent() - before
        decided = {proof.name: proof for proof in task.searched.decided(every)} if task.searched is not None else {}
        yield from decided.values()
        every = [claim for claim in every if claim.name not in decided]
        number = min(number, len(every))
    large: dict[str, Proof] = {}
    ends = [len(every) * n // max(1, number) for n in range(number + 1)]
    shares = [_Share(every[first:last], left) for first, last in pairwise(ends)]
    for proof, rest in _proved(task, shares, progress):
        if number > 1 and (proof.how == TOO_LARGE or proof.how.startswith(ENDED)):
            large[proof.name], left = proof, min(left, rest)
        else:
            yield proof
    again = [claim for claim in every if claim.name in large]
    if left < LEAST_SECONDS or not again:
        yield from large.values()
        return
    yield from (proof for proof, _ in _proved(replace(task, jobs=1), [_Share(again, left)], progress))


def _searched(task: _Task, progress: Progress) -> Exploration:
    """What a process that looks at every position found; nothing if it ended before that."""
    with Worker(_look, task, fresh=True) as worker:
        while True:
            one = _next(worker.said)
            if isinstance(one, Exploration):
                worker.join()
                return one
            if one is None:
                return Exploration()
            if isinstance(one, str):
                progress(one)


def _proved(task: _Task, shares: list[_Share], progress: Progress) -> Iterator[tuple[Proof, float]]:
    """What the processes tell, once of each claim; and how many seconds the process has left, if it ended."""
    with ExitStack() as stack:
        heard = {_started(task, share, stack): share for share in shares if share.claims}
        while heard:
            for said in wait(list(heard)):
                assert isinstance(said, Connection)
                share = heard.get(said)
                if share is None:  # all that it was still at has been answered by others
                    continue
                one = _next(said)
                if isinstance(one, _At):
                    share.at(one.name)
                elif isinstance(one, Proof):
                    owner = _owner(one, share, heard.values())
                    if owner is not None:
                        owner.without({one.name})
                        yield one, share.seconds
                elif isinstance(one, str):
                    progress(one)
                else:
                    del heard[said]
                    yield from _ended(share)
                    if share.claims and share.seconds > 0:
                        heard[_started(task, share, stack)] = share
                    yield from ((_unknown(claim, TOO_HARD), 0.0) for claim in share.claims if share.seconds <= 0)
                    taken = [] if share.claims else _taken_over(share, heard.values())
                    if taken:
                        other = _Share(taken, share.seconds)
                        heard[_started(task, other, stack)] = other
            for said in [said for said, share in heard.items() if not share.claims]:
                idle = heard.pop(said)
                _stopped(idle)
                taken = _taken_over(idle, heard.values())
                if taken:
                    other = _Share(taken, idle.seconds)
                    heard[_started(task, other, stack)] = other


def _owner(proof: Proof, share: _Share, every: Iterable[_Share]) -> _Share | None:
    """Whose answer a proof is: that of the process that tells it; or of another that has taken the claim over, if
    nothing is left to find out. None if it is of no use."""
    for one in every:
        if any(claim.name == proof.name for claim in one.claims):
            return one if one is share or proof.outcome in CERTAIN else None
    return None


def _taken_over(idle: _Share, every: Collection[_Share]) -> list[Claim]:
    """What a process that is done takes over from the one that has most left to try."""
    if idle.seconds < LEAST_SECONDS or not every:
        return []
    return max(every, key=lambda one: sum(claim.name not in one.met for claim in one.claims)).handed_over()


def _stopped(share: _Share) -> None:
    """Ends a process of which no answer is waited for."""
    assert share.worker is not None
    before = spent()
    share.worker.end()
    share.seconds -= spent() - before


def _ended(share: _Share) -> Iterator[tuple[Proof, float]]:
    """A process is gone: what it was at is unknown."""
    assert share.worker is not None
    before = spent()
    share.worker.join()
    share.worker.end()
    share.seconds -= spent() - before
    for claim in share.claims:
        if claim.name == share.tried:
            yield _unknown(claim, _why(share.worker.exit_code)), share.seconds
    share.claims = [claim for claim in share.claims if claim.name != share.tried]


def _started(task: _Task, share: _Share, stack: ExitStack) -> Connection:
    """Where a new process for a share is heard."""
    share.tried = share.claims[0].name
    share.met.clear()
    share.worker = stack.enter_context(Worker(_work, task, share.claims, share.seconds, fresh=True))
    return share.worker.said


def _unknown(claim: Claim, why: str) -> Proof:
    return Proof(claim.name, ProofOutcome.UNKNOWN, claim.origin, why, expected=claim.expected)


def _why(code: int | None) -> str:
    if code is not None and code == -getattr(signal, "SIGXCPU", 0):
        return TOO_HARD
    return f"{ENDED} ({code}), as it does for want of memory"


def spent() -> float:
    """Seconds of computing of the processes of this one that have ended."""
    times = os.times()
    return times.children_user + times.children_system


def _next(said: Connection) -> Proof | _At | Exploration | str | None:
    """What a process tells next; None if it is done or gone. Raises what went wrong there."""
    try:
        one = said.recv()
    except (EOFError, ConnectionError):
        return None
    match one:
        case Proof() | _At() | Exploration():
            return one
        case Exception():
            raise one
        case _:
            return None if one == _DONE else str(one)


# ---------------------------------------------------------------------- the other side
def _work(said: Connection, task: _Task, claims: list[Claim], seconds: float) -> None:
    """Tells each proof as it is found, and what is being done."""
    _limited(seconds, task.jobs)
    sys.unraisablehook = lambda _: None  # memory that cannot be given back is nothing for readers
    budget = replace(task.budget, seconds=seconds)
    try:
        for proof in prove(task.flow, task.setting, claims, budget, said.send, lambda name: said.send(_At(name)),
                           task.searched):
            said.send(proof)
        said.send(_DONE)
    except BrokenPipeError:
        raise
    except Exception as error:  # for the other side to show
        said.send(RuntimeError(f"{type(error).__name__}: {error}"))


def _look(said: Connection, task: _Task) -> None:
    """Tells what becomes known of every position."""
    _limited(task.budget.seconds, 1)
    try:
        said.send(explored(task.flow, task.setting, task.budget.positions, said.send))
    except BrokenPipeError:
        raise
    except Exception as error:  # for the other side to show
        said.send(RuntimeError(f"{type(error).__name__}: {error}"))


def _limited(seconds: float, jobs: int) -> None:
    """Bounds the memory and the computing of this process, one of some, where the system can."""
    limit_memory(MOST_MEMORY // jobs)
    try:
        import resource
    except ModuleNotFoundError:
        return
    most = (MOST_MEMORY + BESIDES) // jobs * 1_000_000
    for kind, limit in ((resource.RLIMIT_AS, most), (resource.RLIMIT_CPU, int(1.5 * seconds) + 30)):
        with suppress(OSError, ValueError):
            resource.setrlimit(kind, (limit, limit))
