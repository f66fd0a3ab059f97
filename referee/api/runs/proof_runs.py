"""Proofs of the invariants and zone limits of rules, for one number of players after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from referee.analysis.rule_places import Places
from referee.api.errors import NoSolver
from referee.api.game_record import Recorder
from referee.api.game_setting import players_of
from referee.api.named_engines import AUTO, NO_SOLVER
from referee.api.rule_sources import RulesSource
from referee.api.shared_tasks import PROCESSES, shared
from referee.api.whole_files import write_whole
from referee.core.flow import Flow
from referee.game.setting import Setting
from referee.interpreter.walker import Walker
from referee.judge.batch import available
from referee.proofs.proof_claims import Claim, claims_of
from referee.proofs.proof_outcomes import Proof, ProofOutcome, RefutingGame

if TYPE_CHECKING:
    from referee.proofs.prover import ProofBudget

LOOKING, MOST_LOOKING = 0.1, 60.0
"""What part of the time goes into looking at every position, and how many seconds at most."""
Progress = Callable[[str], None]


class Prover:
    """Proves what some rules claim. `numbers`: of players, for which it is proved."""

    def __init__(self, source: RulesSource, players: int | None, timeout: float, jobs: int | None,
                 where: str = PROCESSES, engine_name: str = AUTO) -> None:
        """`players`: None for every number; `timeout`: seconds of computing for each; `jobs`: processes, None for two
        where there are cores; `where`: the executor that proves; `engine_name`: what plays games and looks at
        positions. Raises `Problems`."""
        self.numbers = source.loaded.range.players if players is None else (players,)
        self._source = source
        self._timeout = timeout
        self._jobs = jobs or min(2, available())
        self._where = where
        self._engine = engine_name
        self._text = Places(source.loaded).text

    def flow(self, players: int) -> Flow:
        """The rules for a number of players. Raises `Problems`, and `NoSolver` if Z3 is not installed."""
        flow = self._source.flow(players)
        if find_spec("z3") is None:
            raise NoSolver("AP09", NO_SOLVER)
        return flow

    def game_files(self) -> Iterator[str]:
        """How the files are called that may be written of games. Raises as `flow` does."""
        for number in self.numbers:
            yield from (_file(number, claim.name) for claim in claims_of(self.flow(number).core))

    def proofs(self, flow: Flow, progress: Progress = lambda _: None) -> Iterator[Proof]:
        """What is known of each claim, as it is found out, in processes of their own. `progress` is told what is being
        done."""
        from referee.proofs.proof_workers import prove_apart
        from referee.proofs.prover import ProofBudget
        from referee.proofs.vacuity import prove_telling

        setting = Setting(players_of(flow.core))
        apart = prove_apart if self._where == PROCESSES else self._elsewhere
        budget = ProofBudget(self._timeout, positions=max(4.0, min(MOST_LOOKING, LOOKING * self._timeout)),
                             engine=self._engine)
        return prove_telling(flow, setting, budget, self._text, progress, self._jobs, apart)

    def _elsewhere(self, flow: Flow, setting: Setting, budget: ProofBudget, progress: Progress,
                   claims: Sequence[Claim] | None, _jobs: int) -> Iterator[Proof]:
        """Each claim is a task of its own, with the whole time. Raises `ArgumentError` if nobody takes tasks there."""
        every = claims_of(flow.core) if claims is None else list(claims)
        progress(f"proving elsewhere: {len(every)} claims")
        found = shared(every, partial(_proving, flow, setting, budget), 0, _lost, self._where, large=True)
        with closing(found):
            yield from found


def _proving(flow: Flow, setting: Setting, budget: ProofBudget) -> Callable[[Claim], Proof]:
    """In a worker elsewhere: in a process of its own, as Z3 may end it; in itself, where it may have none."""
    from multiprocessing import current_process

    from referee.proofs.proof_workers import prove_apart
    from referee.proofs.prover import prove
    from referee.smt.solver import MOST_MEMORY, limit_memory

    if not current_process().daemon:
        return lambda claim: next(prove_apart(flow, setting, budget, claims=[claim]))
    limit_memory(MOST_MEMORY)
    return lambda claim: next(prove(flow, setting, [claim], budget))


def _lost(claim: Claim) -> Proof:
    return Proof(claim.name, ProofOutcome.UNKNOWN, claim.origin, "the workers that tried it were lost",
                 expected=claim.expected)


def in_order(flow: Flow, proofs: Sequence[Proof]) -> tuple[Proof, ...]:
    """Proofs in the order in which the rules make the claims."""
    order = [claim.name for claim in claims_of(flow.core)]
    return tuple(sorted(proofs, key=lambda proof: order.index(proof.name)))


def telling_somewhere(proofs: Sequence[Proof]) -> list[Proof]:
    """The proofs without those that say nothing for some number of players, and something for another: as they should.
    """
    telling = {proof.name for proof in proofs if proof.outcome is ProofOutcome.PROVED}
    return [one for one in proofs if one.outcome is not ProofOutcome.VACUOUS or one.name not in telling]


def write_game(flow: Flow, name: str, game: RefutingGame, folder: Path) -> str:
    """Writes a game as a log that ends where the claim is broken; the path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / _file(flow.core.seats.number, name)
    chosen = (*game.setting.givens, *game.setting.parameters)
    write_whole(path, Recorder(Walker(flow), dict(flow.core.options)).replayed(game.setting, game.events, chosen))
    return str(path)


def _file(players: int, claim: str) -> str:
    return f"{players}_players_{claim.replace(' ', '_')}.jsonl"
