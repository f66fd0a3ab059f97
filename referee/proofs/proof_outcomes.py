"""What is found out about an invariant or a limit: one list of outcomes, as `prove` reports them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from referee.core.stmt import Origin
from referee.diagnostics.exit_codes import Exit
from referee.game.event import Event
from referee.game.setting import Setting


class ProofOutcome(Enum):
    """What is known. `spec/proofs.md` says what each means."""

    PROVED = "proved"
    REFUTED = "refuted"
    CANDIDATE = "candidate"
    BOUNDED = "bounded"
    VACUOUS = "vacuous"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class RefutingGame:
    """A game that refutes: what its header fixes, and its events up to the break. `shortest`: no shorter one is there;
    else none of its events can be dropped."""

    setting: Setting
    events: tuple[Event, ...]
    shortest: bool = False


@dataclass(frozen=True, slots=True)
class Proof:
    """What is known of a claim. `how`: by what it is proved, or why it is not; `lemmas`: what was shown besides, with
    places; `depth`: so many events were searched completely; `expected`: the outcome that the rules declare."""

    name: str
    outcome: ProofOutcome
    origin: Origin
    how: str = ""
    game: RefutingGame | None = None
    lemmas: tuple[str, ...] = ()
    depth: int = 0
    expected: ProofOutcome = ProofOutcome.PROVED

    @property
    def exit(self) -> Exit:
        """0 if it is as declared, 5 if it is not known, 1 if it is otherwise."""
        if self.outcome is self.expected:
            return Exit.GOOD
        decided = self.outcome in (ProofOutcome.PROVED, ProofOutcome.REFUTED, ProofOutcome.VACUOUS)
        return Exit.NEGATIVE if decided else Exit.OPEN
