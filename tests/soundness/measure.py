"""What `prove` says of claims of rules made at random, compared with all positions of the small games that they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from referee.core.flow import Flow
from referee.frontend import load_flow
from referee.game.event import Event
from referee.game.setting import Setting
from referee.game.state import Ended, State, Step, Stopped
from referee.interpreter.walker import Walker
from referee.proofs.proof_outcomes import Proof, ProofOutcome
from referee.proofs.prover import ProofBudget, prove
from tests.soundness.drawn import PLAYERS, rules

SETTING = Setting(PLAYERS)
MOST_POSITIONS = 6_000
EACH = 8
"""So many broken and so many true claims of a ruleset are asked about."""
BY_INDUCTION = ProofBudget(20.0, chance=0.0, positions=0.0)
"""Nothing but proofs on slices."""
BY_GAMES = ProofBudget(4.0, chance=0.5, positions=1.0)
"""As it is used: games by chance and positions are looked at too."""


@dataclass
class Measured:
    """What was said of the claims of some rulesets: by truth and outcome. `false`: proved although a game breaks it;
    `open`: true, and not proved."""

    rulesets: int = 0
    too_large: int = 0
    broken: Counter[str] = field(default_factory=Counter)
    true: Counter[str] = field(default_factory=Counter)
    refuted: Counter[str] = field(default_factory=Counter)
    false: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)

    def add(self, other: Measured) -> None:
        """Counts what was said of other rulesets too."""
        self.rulesets, self.too_large = self.rulesets + other.rulesets, self.too_large + other.too_large
        self.broken += other.broken
        self.true += other.true
        self.refuted += other.refuted
        self.false += other.false
        self.open += other.open


def loaded(text: str) -> Flow:
    """The flow of a ruleset. Raises what loading raises."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "drawn.rules"
        path.write_text(text, encoding="utf-8")
        return load_flow(path)


def broken_claims(flow: Flow) -> dict[str, list[Event]] | None:
    """Each claim that some game breaks, with a shortest one; None if there are too many positions to look at all.

    Written for itself, from what the walker says alone: no search of the package is used.
    """
    walker = Walker(flow)
    found: dict[str, list[Event]] = {}
    seen: dict[State, tuple[State, Event] | None] = {}

    def arrived(step: Step, way: tuple[State, Event] | None) -> State | None:
        state = step.state if isinstance(step, Ended | Stopped) else step
        if not isinstance(state, State):
            return None
        for one in walker.broken(state):
            found.setdefault(one.name, _events(way, seen))
        if not isinstance(step, State) or state in seen:
            return None
        seen[state] = way
        return state

    layer = [one for one in [arrived(walker.begin(SETTING), None)] if one is not None]
    while layer:
        after = []
        for state in layer:
            if len(seen) > MOST_POSITIONS:
                return None
            for event in walker.legal(state):
                one = arrived(walker.advance(state, event), (state, event))
                if one is not None:
                    after.append(one)
        layer = after
    return found


def _events(way: tuple[State, Event] | None, seen: Mapping[State, tuple[State, Event] | None]) -> list[Event]:
    events: list[Event] = []
    while way is not None:
        events.append(way[1])
        way = seen[way[0]]
    return events[::-1]


def _breaks(flow: Flow, proof: Proof) -> bool:
    """Whether the game that refutes a claim does."""
    walker = Walker(flow)
    assert proof.game is not None
    step = walker.begin(proof.game.setting)
    for event in proof.game.events:
        if not isinstance(step, State) or walker.check(step, event) is not None:
            return False
        step = walker.advance(step, event)
    state = step.state if isinstance(step, Ended | Stopped) else step
    return isinstance(state, State) and proof.name in [one.name for one in walker.broken(state)]


def measured(seed: int, each: int = EACH, *, games: bool = True) -> Measured:
    """What is said of so many broken and true claims of one ruleset; `games`: also where games are looked at."""
    drawn = rules(seed)
    every = broken_claims(loaded(drawn.asking(drawn.claims)))
    if every is None:
        return Measured(too_large=1)
    broken = {name: every[name] for name in list(every)[:each]}
    true = [name for name in drawn.claims if name not in every][:each]
    result, flow = Measured(rulesets=1), loaded(drawn.asking([*broken, *true]))
    names = {*broken, *true}
    for proof in prove(flow, SETTING, None, BY_INDUCTION):
        if proof.name in names:
            said = proof.outcome.value
            (result.broken if proof.name in broken else result.true)[said] += 1
            if proof.name in true and proof.outcome not in (ProofOutcome.PROVED, ProofOutcome.VACUOUS):
                result.open.append(f"seed {seed}: {proof.name} holds, and is {said}: {drawn.claims[proof.name]}")
            if proof.name in broken and proof.outcome in (ProofOutcome.PROVED, ProofOutcome.VACUOUS):
                shown = " ".join(str(event) for event in broken[proof.name])
                result.false.append(f"seed {seed}: {proof.name} is {said}, broken by: {shown}")
    for proof in prove(flow, SETTING, None, BY_GAMES) if broken and games else ():
        if proof.name in broken:
            result.refuted[proof.outcome.value] += 1
            if proof.outcome is ProofOutcome.PROVED or (
                proof.outcome is ProofOutcome.REFUTED and not _breaks(flow, proof)
            ):
                result.false.append(f"seed {seed}: {proof.name} is {proof.outcome.value}, wrongly")
        elif proof.name in true and proof.outcome is ProofOutcome.REFUTED:
            result.false.append(f"seed {seed}: {proof.name} is refuted, and holds in every position")
    return result
