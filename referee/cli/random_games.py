"""Random games, many of them: written one file each, and counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from referee.api.runs.seated_games import CUT, END, FAILED, STOPPED, GameByLot
from referee.api.whole_files import write_whole
from referee.cli.terminal_writer import ERR
from referee.diagnostics.exit_codes import Exit
from referee.report.text.printable import count, printable


@dataclass(slots=True)
class GameTally:
    """What became of the games so far."""

    outcomes: Counter[str] = field(default_factory=Counter)
    stops: Counter[str] = field(default_factory=Counter)
    winners: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    events: int = 0
    engines: Counter[str] = field(default_factory=Counter)

    def add(self, game: GameByLot) -> None:
        """Counts a game."""
        self.outcomes[game.outcome] += 1
        self.events += game.events
        self.engines[game.engine] += 1
        if game.outcome == END:
            self.winners[" and ".join(game.winners) or "nobody"] += 1
        elif game.outcome == STOPPED:
            self.stops[game.point] += 1
        elif game.outcome == FAILED:
            self.failures.append(game.failure)

    @property
    def exit(self) -> Exit:
        """1 if the rules made an error, 5 if a game came to no end, else 0."""
        if self.outcomes[FAILED]:
            return Exit.NEGATIVE
        return Exit.OPEN if self.outcomes[STOPPED] or self.outcomes[CUT] else Exit.GOOD

    def lines(self, max_events: int) -> Iterator[str]:
        """The summary."""
        parts = [f"{self.outcomes[END]} ended"]
        parts += [f"{number} stopped at {printable(point)}" for point, number in self.stops.most_common()]
        parts += [f"{self.outcomes[CUT]} cut at {count(max_events, 'event')}"] if self.outcomes[CUT] else []
        parts += [f"{self.outcomes[FAILED]} failed"] if self.outcomes[FAILED] else []
        yield f"{count(self.outcomes.total(), 'game')}, {count(self.events, 'event')}: {', '.join(parts)}"
        yield from self._played()
        if self.winners:
            yield "won by " + ", ".join(f"{printable(name)} {number}" for name, number in self.winners.most_common())
        for failure, number in Counter(self.failures).most_common(10):
            yield f"the rules failed {count(number, 'time')}: {printable(failure)}"

    def _played(self) -> Iterator[str]:
        """What played them, where it was not only generated code."""
        for engine, number in self.engines.most_common():
            some = "" if len(self.engines) == 1 else f"{count(number, 'game')} "
            if engine or some:
                yield f"{some}played {printable(engine or 'by generated code')}"


def seeds(seed: int, number: int) -> range:
    """A seed for each game; runs with different seeds share none."""
    return range(seed << 32, (seed << 32) + number)


def write_games(games: Iterable[GameByLot], folder: Path | None, number: int, tally: GameTally) -> None:
    """Counts each game and writes it into the folder as 000.jsonl, 001.jsonl, ... Raises `OSError` as writing does."""
    with progress(number) as advance:
        for index, game in enumerate(games):
            if folder is not None:
                write_whole(folder / game_file(index, number), game.lines)
            tally.add(game)
            advance()


def game_file(index: int, number: int) -> str:
    """How the file of a game is called that is one of so many: 000.jsonl, 001.jsonl, ..."""
    return f"{index:0{max(3, len(str(number - 1)))}}.jsonl"


@contextmanager
def progress(number: int, doing: str = "playing") -> Iterator[Callable[[], None]]:
    """A bar on the terminal, if there is one."""
    if not ERR.isatty():
        yield lambda: None
        return
    with ERR.bar(number, doing) as advance:
        yield advance
