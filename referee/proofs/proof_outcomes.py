"""What is found out about an invariant or a limit: one list of outcomes, as `prove` reports them."""

from __future__ import annotations

from dataclasses import dataclass, field
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


TOO_HARD = "too hard in the time given"


class ShortOf(Enum):
    """What a claim was short of where it was not shown on a slice."""

    TIME = "the time was over first"
    LEMMAS = "some step does not keep it, as far as lemmas were found"
    MEANS = "the solver cannot do it, or rules cannot be told to it"


@dataclass(frozen=True, slots=True)
class NotShown:
    """Why a claim was not shown on a slice, for programs and in words."""

    short_of: ShortOf
    text: str


LATE = NotShown(ShortOf.TIME, TOO_HARD)


@dataclass(frozen=True, slots=True)
class RefutingGame:
    """A game that refutes: what its header fixes, and its events up to the break. `shortest`: no shorter one is there;
    else none of its events can be dropped."""

    setting: Setting
    events: tuple[Event, ...]
    shortest: bool = False


@dataclass(frozen=True, slots=True)
class SearchedSpace:
    """The positions that were looked at for the claims of a shape. `depth`: all games of so many events; `engine`: what
    looked at them, in words; `why` these are not all that games come to, None if they are."""

    positions: int
    depth: int
    seconds: float
    engine: str
    why: str | None

    @property
    def whole(self) -> bool:
        """Whether no game comes to any other."""
        return self.why is None

    @property
    def rate(self) -> int:
        """Positions a second of computing."""
        return round(self.positions / max(self.seconds, 0.001))

    @property
    def told(self) -> str:
        """What was looked at, in words."""
        if self.why is not None:
            return f"not every position that games come to was looked at, only {self.positions:,}: {self.why}"
        return f"every one of {self.positions:,} position{'' if self.positions == 1 else 's'} reached was looked at"

    @property
    def told_with_speed(self) -> str:
        """What was looked at, by what and how fast."""
        return f"{self.told} ({self.engine}, {self.rate:,} a second)" if self.engine else self.told


@dataclass(frozen=True, slots=True)
class PlayedGames:
    """The games by lot that were to break the claims of a shape. `engine`: what played them, in words."""

    games: int
    events: int
    seconds: float
    engine: str

    @property
    def told(self) -> str:
        """What was played, by what and how fast."""
        rate = round(self.events / max(self.seconds, 0.001))
        return f"{self.games:,} games by lot, {self.events:,} events ({self.engine}, {rate:,} a second)"


class ProofWay(Enum):
    """In which way something was decided."""

    POSITIONS = "positions"
    INDUCTION = "induction"
    GAME = "game"


@dataclass(frozen=True, slots=True)
class Proof:
    """What is known of a claim. `how`: by what it is proved, or why it is not; `lemmas`: what was shown besides, with
    places; `depth`: so many events were searched completely; `expected`: the outcome that the rules declare; `space`:
    the positions that were looked at before anything else; `searched`: that decided it; `played`: games by lot."""

    name: str
    outcome: ProofOutcome
    origin: Origin
    how: str = ""
    game: RefutingGame | None = None
    lemmas: tuple[str, ...] = ()
    depth: int = 0
    expected: ProofOutcome = ProofOutcome.PROVED
    space: SearchedSpace | None = field(default=None, compare=False)
    searched: bool = False
    played: PlayedGames | None = field(default=None, compare=False)

    @property
    def way(self) -> ProofWay | None:
        """In which way it was decided; None if it is open."""
        if self.searched:
            return ProofWay.POSITIONS
        if self.game is not None:
            return ProofWay.GAME
        return ProofWay.INDUCTION if self.outcome in (ProofOutcome.PROVED, ProofOutcome.VACUOUS) else None

    @property
    def exit(self) -> Exit:
        """0 if it is as declared, 5 if it is not known, 1 if it is otherwise."""
        if self.outcome is self.expected:
            return Exit.GOOD
        decided = self.outcome in (ProofOutcome.PROVED, ProofOutcome.REFUTED, ProofOutcome.VACUOUS)
        return Exit.NEGATIVE if decided else Exit.OPEN
