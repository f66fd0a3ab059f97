"""What is found out about an invariant or a limit: one list of outcomes, as `prove` reports them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from referee.base.exitcodes import Exit
from referee.core.stmt import Origin
from referee.game.event import Event
from referee.game.setting import Setting


class Outcome(Enum):
    """What is known. `spec/proofs.md` says what each means."""

    PROVED = "proved"
    REFUTED = "refuted"
    CANDIDATE = "candidate"
    BOUNDED = "bounded"
    VACUOUS = "vacuous"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Game:
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
    outcome: Outcome
    origin: Origin
    how: str = ""
    game: Game | None = None
    lemmas: tuple[str, ...] = ()
    depth: int = 0
    expected: Outcome = Outcome.PROVED

    @property
    def exit(self) -> Exit:
        """0 if it is as declared, 5 if it is not known, 1 if it is otherwise."""
        if self.outcome is self.expected:
            return Exit.GOOD
        decided = self.outcome in (Outcome.PROVED, Outcome.REFUTED, Outcome.VACUOUS)
        return Exit.NEGATIVE if decided else Exit.OPEN
