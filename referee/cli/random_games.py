"""Random games, many of them: played, written one file each, and counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from referee.api.game_record import Recorder
from referee.api.game_setting import drawn
from referee.api.whole_files import write_whole
from referee.cli.terminal_writer import ERR
from referee.diagnostics.exit_codes import Exit
from referee.game.setting import Setting
from referee.game.state import Ended, Failed, Stopped
from referee.interpreter.playouts import CUT, END, FAILED, STOPPED, PlayedGame, play_out
from referee.interpreter.walker import Walker
from referee.report.text.printable import count, printable
from referee.system.deadline import Deadline


@dataclass(slots=True)
class GameTally:
    """What became of the games so far."""

    outcomes: Counter[str] = field(default_factory=Counter)
    stops: Counter[str] = field(default_factory=Counter)
    winners: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    events: int = 0

    def add(self, game: PlayedGame) -> None:
        """Counts a game."""
        self.outcomes[game.outcome] += 1
        self.events += len(game.events)
        match game.last:
            case Ended(_, winners):
                names = [game.setting.players[seat] for seat in sorted(winners)]
                self.winners[" and ".join(names) or "nobody"] += 1
            case Stopped(_, point):
                self.stops[point.name] += 1
            case Failed(code, message, span):
                self.failures.append(f"{code} {message}" + (f" ({span})" if span is not None else ""))
            case _:
                pass

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
        if self.winners:
            yield "won by " + ", ".join(f"{printable(name)} {number}" for name, number in self.winners.most_common())
        for failure, number in Counter(self.failures).most_common(10):
            yield f"the rules failed {count(number, 'time')}: {printable(failure)}"


def seeds(seed: int, number: int) -> range:
    """A seed for each game; runs with different seeds share none."""
    return range(seed << 32, (seed << 32) + number)


def play_many(walker: Walker, setting: Setting, games: range, max_events: int, rule: bool,
              timeout: float | None) -> Iterator[PlayedGame]:
    """The games, one after the other. Raises `OutOfTime` after so many seconds, whatever becomes of the game then."""
    until = Deadline(timeout)
    return (play_out(walker, setting, seed, max_events, rule=rule, until=until) for seed in games)


def write_games(games: Iterable[PlayedGame], setting: Setting, recorder: Recorder, folder: Path | None, number: int,
                tally: GameTally) -> None:
    """Counts each game and writes it into the folder as 000.jsonl, 001.jsonl, ... Raises `OSError` as writing does."""
    with progress(number) as advance:
        for index, game in enumerate(games):
            if folder is not None:
                lines = recorder.lines(game.setting, game.events, game.last, drawn(setting, game.setting))
                write_whole(folder / game_file(index, number), lines)
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
