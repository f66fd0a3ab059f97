"""What questions are made of as findings: what is asked, both answers, in how many games it matters, what to write."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field

from referee.diagnostics.source import Span
from referee.review.finding import AskedQuestion, Continuation, Finding, FindingOutcome, GameShare
from referee.review.questions.noted_games import NotedGame
from referee.review.questions.wordings import also_meant
from referee.simulation.game_shares import interval
from referee.simulation.witness import Witness

CODE = "question"
SETTLE = "one of these lines in the rules"
AS_IT_IS = "as the rules have it"


def question(
    place: str, asked: AskedQuestion, spans: tuple[Span, ...], cites: tuple[str, ...],
    candidates: tuple[Continuation, ...], witness: Witness | None, weight: GameShare | None, *,
    outcome: FindingOutcome = FindingOutcome.FOUND, settle: str = SETTLE, notes: tuple[str, ...] | None = None,
    wordings: Iterable[str] = (), lines: Iterable[str] = (), alike: Iterable[str] = (),
    from_start: Witness | None = None, seldom: bool = False,
) -> Finding:  # fmt: skip
    """The finding of a question. `notes`: unless they are given, whether a statement is cited."""
    if notes is None:
        notes = cited_or_not(cites)
    return Finding(
        CODE, outcome, asked.message, place, spans, cites, witness, candidates, settle, notes, weight=weight,
        wordings=tuple(wordings), lines=tuple(lines), alike=tuple(alike), from_start=from_start, seldom=seldom,
        asked=asked,
    )  # fmt: skip


def cited_or_not(cites: Sequence[str]) -> tuple[str, ...]:
    """What is noted where no statement is cited."""
    return () if cites else ("no statement of the rulebook is cited here",)


def called(now: str, then: str, cites: Sequence[str]) -> tuple[str, str]:
    """What both answers are called."""
    return f"{now}, {AS_IT_IS}", f"{then}, {also_meant(cites)}"


def both(now: str, then: str, ends: Sequence[str], cites: Sequence[str]) -> tuple[Continuation, ...]:
    """Both answers with what comes of them."""
    return tuple(map(Continuation, called(now, then, cites), ends))


def worded(cites: Sequence[str], said: Iterable[str], *, as_it_is: bool = False,
           where: str = "in the rulebook") -> tuple[str, ...]:  # fmt: skip
    """What a rulebook could say for each answer. `as_it_is`: the first is what the rules do, and it is said so;
    `where`: if no statement is cited."""
    here = f"in {cites[0]}" if cites else where
    first, *others = said
    return (f'{here}: "{first}"{f" ({AS_IT_IS})" if as_it_is else ""}', *(f'or: "{one}"' for one in others))


def by_words(place: str, cites: Sequence[str]) -> str:
    """What settles a question that words of the rulebook answer."""
    return f'`settled "{CODE}/{place}" by [{cites[0] if cites else "STATEMENT"}] "WORDS OF IT"`, or an assumption'


def share_of(told: int, games: int) -> GameShare:
    """In how many of some games something matters, with the interval of that share (Wilson, 95 %)."""
    return GameShare(told, games, *interval(told, games))


@dataclass(slots=True)
class FirstGame:
    """In how many games something was seen; the one in which it came first, and after how many events."""

    game: NotedGame
    number: int
    told: int = 1

    def witness(self, options: tuple[tuple[str, str], ...]) -> Witness:
        """The game up to there."""
        return Witness(self.game.setting, self.game.events[: self.number], options=options)


@dataclass(slots=True)
class FirstGames:
    """What was seen in games, by what it is called. `games`: how many were looked at."""

    games: int = 0
    first: dict[Hashable, FirstGame] = field(default_factory=dict)

    def note(self, name: Hashable, game: NotedGame, number: int) -> None:
        """Notes that a game comes to it after so many events: once for each game."""
        known = self.first.get(name)
        if known is None:
            self.first[name] = FirstGame(game, number)
            return
        known.told += 1
        if number < known.number:
            known.game, known.number = game, number

    def told(self, name: Hashable) -> int:
        """In how many of the games it was seen."""
        return self.first[name].told if name in self.first else 0

    def share(self, name: Hashable) -> GameShare:
        """The same as a share of them."""
        return share_of(self.told(name), self.games)
