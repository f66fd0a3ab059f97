"""What the benchmark measures: the work of referee, and the same work by others."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import warnings
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import referee
from referee.api.rule_sources import RulesSource
from referee.api.runs.log_engines import Rules
from referee.core.flow import Flow
from referee.flow.lowering import lower
from referee.frontend import load
from referee.game.event import Spoken, spoken
from referee.game.event_table import EventTable
from referee.game.log.log_header import header_of
from referee.game.log.strict_json import parse
from referee.game.setting import Setting
from referee.game.state import State, Step
from referee.game.value_codec import decode_event
from referee.interpreter.playouts import END, play_out
from referee.interpreter.walker import Walker
from referee.judge.log_run import judge_all
from referee.judge.open_settings.header_admission import admitted
from referee.judge.verdict import LogOutcome
from referee.native.engine_names import GENERATED, NATIVE, engine
from referee.simulation.every_position import MOST_BYTES, explore
from referee.system.deadline import NEVER
from tests.bench import pieces
from tests.bench.measuring import NotMeasured, Side, spread
from tests.bench.reference_connect_four import first_wrong
from tests.bench.yardsticks import c_programs, plain_playouts
from tests.laws.games import NAMES

ROOT = Path(__file__).resolve().parents[2]
FOREIGN = ROOT / "tests" / "foreign"
FAIR, FAIR_C = 0.45, 300
"""A hand-written referee slower than this beside `json.loads`, or a C program slower than this beside the Python one,
is no yardstick."""
LOGS = 60
COPIES = 5
MOST_EVENTS = 400
"""Of a game in memory so many events are followed at most: the walker is slow."""
MOST_PLAYED = 120


@cache
def flow_of(game: str, players: int | None = None) -> Flow:
    return lower(load(game) if players is None else load(game, players))


@cache
def carrier(game: str, name: str) -> Walker:
    """An engine for a game, by name. Raises `NotMeasured` where it is another one that would run."""
    made = engine(flow_of(game), name)
    if name == NATIVE and (made.note or "").startswith("by generated code"):
        raise NotMeasured(str(made.note))
    return made


def setting_of(game: str) -> Setting:
    core = flow_of(game).core
    return Setting(core.seats.roles or NAMES[:core.seats.number])


# --- play-outs


def played_out(game: str, name: str, games: int) -> Side:
    """Play-outs by an engine, other ones each time."""
    walker, setting, seeds = carrier(game, name), setting_of(game), count()

    def work() -> int:
        moves = 0
        for _ in range(games):
            found = play_out(walker, setting, next(seeds))
            if found.outcome != END:
                raise AssertionError(f"{game}: {found.outcome}")
            moves += len(found.events)
        return moves

    return Side(work)


def played_by_machine(game: str, games: int) -> Side:
    """Play-outs by machine code alone, so many games in a call, of which no event is told. What it leaves to others is
    `NotMeasured`."""
    walker = carrier(game, GENERATED)
    carrier(game, NATIVE)
    from referee.native.by_lot.counted_games import CountedGames  # needs llvmlite

    step, counted = walker.begin(setting_of(game), test_arrival=False), CountedGames(walker.flow, walker.layout)
    assert isinstance(step, State)
    seeds = count(1)

    def work() -> int:
        made = counted.play(step, next(seeds) * 0x9E3779B97F4A7C15 & (1 << 64) - 1, games, 1 << 20)
        if made.games < games:
            raise NotMeasured("machine code leaves what is unusual in these play-outs to generated code")
        return made.moves

    return Side(work)


def by_hand(game: str, programs: Any, games: int) -> Side:
    """Play-outs by a program that is written by hand in Python."""
    random, function = Random(7), getattr(programs, game)
    return Side(lambda: int(function(games, random)[0]))


@cache
def c_code() -> c_programs.CPrograms:
    folder = Path(tempfile.mkdtemp())
    made = c_programs.compiled(folder)
    if made is None:
        raise NotMeasured("there is no C compiler")
    return made


def by_c(game: str) -> Side:
    """Play-outs by the C program. Raises `NotMeasured` if it is too slow to be a yardstick."""
    program, games = c_code(), 20_000
    made = Side(lambda: program.play(game, games)[0])
    plain = by_hand(game, plain_playouts, 200)
    share = spread([made.rate(5) / plain.rate(3) for _ in range(5)])["median"]
    if share < FAIR_C:
        raise NotMeasured(f"the C program is no yardstick: only {share:.0f} times the Python one")
    return made


# --- files of JSON lines


@dataclass(frozen=True)
class LogFiles:
    """Logs of connect four by lot, as the checkers write them, and a copy of each with a serial number in each line."""

    paths: tuple[Path, ...]
    unlike: tuple[Path, ...]
    lines: int

    def number(self, serial: Iterator[int]) -> None:
        """Makes all lines different from each other, and from those before; in a form that is not looked for."""
        for path, copy in zip(self.paths, self.unlike, strict=True):
            lines = path.read_text(encoding="utf-8").splitlines()
            numbered = [f'{line[:-1]}, "note": [{next(serial)}]}}\n' for line in lines]
            copy.write_text("".join(numbered), encoding="utf-8")


@cache
def log_files() -> LogFiles:
    folder = Path(tempfile.mkdtemp())
    for name in ("same", "unlike"):
        (folder / name).mkdir()
    pieces.write_games("connect_four", folder / "same", LOGS)
    paths = tuple(sorted((folder / "same").glob("*.jsonl")))
    return LogFiles(paths, tuple(folder / "unlike" / path.name for path in paths),
                    sum(len(path.read_bytes().splitlines()) for path in paths))


def judged(name: str, *, unlike: bool = False) -> Side:
    """The judge over the files, each time as a process that has just begun, but for the engine."""
    carrier("connect_four", name)
    logs, rules = log_files(), Rules(None, name)
    paths = [str(path) for path in (logs.unlike if unlike else logs.paths)] * (1 if unlike else COPIES)
    often, serial = 1 if unlike else COPIES, count()

    def work() -> int:
        for verdict in judge_all(paths, rules):
            if verdict.outcome is not LogOutcome.LEGAL:
                raise AssertionError(f"{verdict.path}: {verdict.outcome.value}")
        return logs.lines * often

    return Side(work, (lambda: logs.number(serial)) if unlike else (lambda: None))


def judged_by_hand(*, unlike: bool = False) -> Side:
    """The hand-written referee. Raises `NotMeasured` if it is too slow to be a yardstick."""
    logs, serial = log_files(), count(10**9)
    paths = (logs.unlike if unlike else logs.paths) * (1 if unlike else COPIES)
    lines = logs.lines * (1 if unlike else COPIES)

    def work() -> int:
        for path in paths:
            with path.open("rb") as file:
                if (wrong := first_wrong(file)) is not None:
                    raise AssertionError(f"{path}:{wrong}")
        return lines

    def parsing() -> int:
        for path in paths:
            with path.open("rb") as file:
                for line in file:
                    json.loads(line)
        return lines

    if unlike:
        logs.number(serial)
    made = Side(work, (lambda: logs.number(serial)) if unlike else (lambda: None))
    share = spread([Side(work).rate(5) / Side(parsing).rate(5) for _ in range(5)])["median"]
    if share < FAIR:
        raise NotMeasured(f"the hand-written referee is no yardstick: {share:.2f} of json.loads")
    return made


# --- events in memory


def begun_and_spoken(walker: Walker, lines: Sequence[str]) -> tuple[Setting, list[Spoken]]:
    """A log in memory: the setting, and what each line says."""
    header = header_of(parse(lines[0]), lambda *_: None)
    setting, events = admitted(walker, header), []
    for line in lines[1:]:
        raw = json.loads(line)
        if "do" in raw:
            found = decode_event(walker.core, setting, raw)
            assert not isinstance(found, list), found
            events.append(spoken(found))
    return setting, events


def followed(games: Sequence[tuple[Walker, Setting, list[Spoken]]]) -> Side:
    """Each event tested and carried out, and what is claimed after it: events by number, as a judge has them."""
    tables = {id(walker): EventTable() for walker, _, _ in games}
    coded = [(walker, setting, tables[id(walker)], array("i", map(tables[id(walker)].number, events)))
             for walker, setting, events in games]

    def work() -> int:
        for walker, setting, table, numbers in coded:
            step: Step = walker.begin(setting, test_arrival=False)
            done = 0
            while done < len(numbers):
                assert isinstance(step, State)
                more, step = walker.follow_numbers(step, numbers[done:], table, tested=True)
                if not more and isinstance(step, State):
                    event = table.events[numbers[done]][0]
                    if walker.check(step, event) is not None:
                        raise AssertionError(f"{event} is refused")
                    more, step = 1, walker.advance(step, event, test_arrival=False)
                done += more
        return sum(len(numbers) for *_, numbers in coded)

    return Side(work)


@cache
def random_games(game: str) -> tuple[tuple[Setting, list[Spoken]], ...]:
    """The beginnings of games by lot."""
    walker, setting = carrier(game, GENERATED), setting_of(game)
    games = (play_out(walker, setting, seed, MOST_EVENTS) for seed in range(2))
    return tuple((one.setting, [spoken(event) for event in one.events]) for one in games)


def memory(game: str, name: str) -> Side:
    """Games by lot, followed by an engine."""
    walker = carrier(game, name)
    return followed([(walker, *one) for one in random_games(game)])


def begun_play(game: str, name: str) -> Side:
    """The beginnings of games by lot, decided as they go."""
    walker, setting, seeds = carrier(game, name), setting_of(game), count()

    def work() -> int:
        return len(play_out(walker, setting, next(seeds), MOST_PLAYED).events)

    return Side(work)


def foreign_logs(game: str) -> Iterator[list[str]]:
    for path in sorted((FOREIGN / game / "right").glob("*.jsonl")):
        yield path.read_text(encoding="utf-8").splitlines()


def of_others(game: str, name: str) -> Side:
    """The logs of other programs, in memory, for whatever number of players."""
    made: dict[int, Walker] = {}
    games = []
    for lines in foreign_logs(game):
        players = len(json.loads(lines[0])["players"])
        if players not in made:
            made[players] = engine(flow_of(game, players), name)
            if name == NATIVE and (made[players].note or "").startswith("by generated code"):
                raise NotMeasured(str(made[players].note))
        games.append((made[players], *begun_and_spoken(made[players], lines)))
    return followed(games)


def counted(depth: int) -> Side:
    """Ways on in chess, 1, 2, ... moves deep, as `count` counts them."""
    rules = referee.load("chess")
    return Side(lambda: sum(rules.count(depth).numbers))


def counted_by_library(depth: int) -> Side:
    chess = library("chess")
    yardstick = library("tests.bench.yardsticks.chess_by_library")
    return Side(lambda: sum(yardstick.sequences(chess.Board(), deep) for deep in range(1, depth + 1)))


def explored() -> Side:
    """Every position of connect four on four columns of four, with the ends of games."""
    text = (ROOT / "rulesets" / "classics" / "connect_four.rules").read_text(encoding="utf-8")
    small = text[:text.index("scenario ")]
    for old, new in (("columns 1..7, rows 1..6", "columns 1..4, rows 1..4"), ("21 Disc", "8 Disc"), (" = 42", " = 16")):
        assert old in small
        small = small.replace(old, new)
    flow = RulesSource("small.rules", small).flow(2)

    def work() -> int:
        walker = engine(flow)
        found = explore(walker, walker.begin(Setting(("ana", "ben"))), MOST_BYTES, NEVER)
        assert found.why is None, "not every position was found"
        return found.positions

    return Side(work)


def library(name: str) -> Any:
    """A module, or `NotMeasured`."""
    try:
        return import_module(name)
    except ModuleNotFoundError as missing:
        raise NotMeasured(f"{missing.name} is not installed") from None


def moves_of(lines: Iterable[str], chess: Any, claim: Any) -> Iterator[Any]:
    """The moves of a log as python-chess has them."""
    for number, line in enumerate(json.loads(one) for one in lines if '"do"' in one):
        match line["do"]:
            case "move":
                args = line["with"]
                rank = {"queen": "q", "rook": "r", "bishop": "b", "knight": "n"}.get(args.get("promote"), "")
                yield chess.Move.from_uci(args["from"] + args["to"] + rank)
            case "castle":
                row = 1 + 7 * (number % 2)
                yield chess.Move.from_uci(f"e{row}{'g' if line['with']['side'] == 'king_side' else 'c'}{row}")
            case "claim_draw":
                yield claim
            case other:
                raise ValueError(f"chess has no {other}")


def chess_by_library() -> Side:
    """The same games judged by python-chess."""
    chess = library("chess")
    yardstick = library("tests.bench.yardsticks.chess_by_library")
    games = [list(moves_of(lines, chess, yardstick.CLAIM)) for lines in foreign_logs("chess")]

    def work() -> int:
        for moves in games:
            if (wrong := yardstick.first_wrong(moves)) is not None:
                raise AssertionError(f"{moves[wrong]} is refused")
        return sum(map(len, games))

    return Side(work)


def hand_of(lines: Sequence[str], pokerkit: Any, yardstick: Any) -> Any:
    """A log of hold'em as pokerkit has it: the dealer sits last, of two he sits second."""
    header, end = json.loads(lines[0]), json.loads(lines[-1])["end"]
    players, numbers = header["players"], header["parameters"]
    first = players.index(header["given"]["dealer"]) + 1
    order = [*players[first:], *players[:first]]
    ranks = {"10": "T", "jack": "J", "queen": "Q", "king": "K", "ace": "A"}

    def card(called: str) -> Any:
        rank, suit = called.split("-")
        return next(iter(pokerkit.Card.parse(ranks.get(rank, rank) + suit[0])))

    actions = []
    for line in map(json.loads, lines[1:-1]):
        args = line.get("with", {})
        by = None if line["by"] == "fate" else order.index(line["by"])
        to = order.index(args["to"]) if by is None and "to" in args else args.get("to")
        actions.append(yardstick.Action(by, line["do"], to, tuple(map(card, args.get("cards", ())))))
    return yardstick.Hand(tuple(numbers["chips"][one] for one in order), numbers["small"], numbers["big"],
                          numbers["ante"], actions, tuple(end["scores"][one] for one in order))


def holdem_by_library() -> Side:
    """The same hands judged by pokerkit."""
    pokerkit = library("pokerkit")
    yardstick = library("tests.bench.yardsticks.holdem_by_library")
    hands = [hand_of(lines, pokerkit, yardstick) for lines in foreign_logs("holdem")]

    def work() -> int:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a card that pokerkit would have burned may be dealt
            for hand in hands:
                if (wrong := yardstick.first_wrong(hand)) is not None:
                    raise AssertionError(f"action {wrong} of {hand} is refused")
        return sum(len(hand.actions) for hand in hands)

    return Side(work)


# --- the start of a process


def start_up(runs: int) -> dict[str, Any]:
    """CPU seconds of a process up to its first verdict, everything cached, and of one that does nothing."""
    log, nothing, verdict = log_files().paths[0], [], []
    with tempfile.TemporaryDirectory() as cache_folder:
        for number in range(runs + 1):
            ours = _child([sys.executable, "-m", "referee", "judge", str(log)], cache_folder)
            bare = _child([sys.executable, "-c", "pass"], cache_folder)
            if number:
                verdict.append(ours)
                nothing.append(bare)
    return {"rate": spread(verdict), "against_rate": spread(nothing),
            "ratio": spread([ours - bare for ours, bare in zip(verdict, nothing, strict=True)]),
            "load": os.getloadavg()[0]}


def _child(command: list[str], cache_folder: str) -> float:
    """Python may keep the modules that it has compiled, as where it is installed."""
    own = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, env={**own, "REFEREE_CACHE": cache_folder})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

