"""The rows of the benchmark: what is measured against what, and what is aimed at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from referee.native.engine_names import GENERATED, NATIVE, REFERENCE
from tests.bench import sides
from tests.bench.measuring import Side
from tests.bench.yardsticks import four_by_four, plain_playouts, tuned_playouts

GAMES = ("go_goal", "adrenalyn_xl", "il_mister", "king_of_the_pitch", "adrenaline", "chess", "holdem")
"""The five rulebooks, and two classics that ask much."""
AIMS = {GENERATED: 10, NATIVE: 100}
BY_HAND = "plain Python by hand"


@dataclass(frozen=True)
class Row:
    """What is measured against what; `aim`: what the ratio is to be, None where nothing is aimed at."""

    name: str
    work: str
    against: str
    unit: str
    aim: float | None
    ours: Callable[[], Side]
    other: Callable[[], Side]


def _play_outs() -> list[Row]:
    c4, brk = "connect_four", "breakthrough"
    return [
        Row("native play-outs", "play-outs, machine code alone, connect four", BY_HAND, "moves", 100,
            partial(sides.played_by_machine, c4, 20_000), partial(sides.by_hand, c4, plain_playouts, 300)),
        Row("native play-outs tuned", "the same", "tuned Python by hand", "moves", None,
            partial(sides.played_by_machine, c4, 20_000), partial(sides.by_hand, c4, tuned_playouts, 1_000)),
        Row("native play-outs C", "the same", "C on bit boards", "moves", 0.25,
            partial(sides.played_by_machine, c4, 20_000), partial(sides.by_c, c4)),
        Row("native breakthrough C", "play-outs, machine code alone, breakthrough", "C on bit boards", "moves", 0.06,
            partial(sides.played_by_machine, brk, 5_000), partial(sides.by_c, brk)),
        Row("told play-outs native", "play-outs told event by event, `native`, connect four", BY_HAND, "moves", None,
            partial(sides.played_out, c4, NATIVE, 200), partial(sides.by_hand, c4, plain_playouts, 300)),
        Row("generated play-outs", "the same, `generated`", BY_HAND, "moves", 1.5,
            partial(sides.played_out, c4, GENERATED, 200), partial(sides.by_hand, c4, plain_playouts, 300)),
        Row("generated play-outs tuned", "the same", "tuned Python by hand", "moves", None,
            partial(sides.played_out, c4, GENERATED, 200), partial(sides.by_hand, c4, tuned_playouts, 1_000)),
        Row("generated breakthrough", "play-outs told event by event, `generated`, breakthrough", BY_HAND, "moves",
            None, partial(sides.played_out, brk, GENERATED, 50), partial(sides.by_hand, brk, plain_playouts, 100)),
    ]


def _files() -> list[Row]:
    by_hand = "referee by hand in Python"
    return [
        Row("file", "connect four, JSON lines to verdict, `generated`", by_hand, "lines", 2.5,
            partial(sides.judged, GENERATED), sides.judged_by_hand),
        Row("file unlike", "the same, no two lines alike", by_hand, "lines", 0.5,
            partial(sides.judged, GENERATED, unlike=True), partial(sides.judged_by_hand, unlike=True)),
        Row("file native", "connect four, JSON lines to verdict, `native`", by_hand, "lines", 10,
            partial(sides.judged, NATIVE), sides.judged_by_hand),
        Row("file native unlike", "the same, no two lines alike", by_hand, "lines", None,
            partial(sides.judged, NATIVE, unlike=True), partial(sides.judged_by_hand, unlike=True)),
    ]


def _against_the_walker() -> list[Row]:
    found = []
    for game in GAMES:
        for name, aim in AIMS.items():
            found.append(Row(f"{game} judge {name}", f"{game}, events in memory to verdict, `{name}`", "the walker",
                             "events", aim, partial(sides.memory, game, name), partial(sides.memory, game, REFERENCE)))
            found.append(Row(f"{game} play {name}", f"{game}, play-outs, `{name}`", "the walker", "events", aim,
                             partial(sides.begun_play, game, name), partial(sides.begun_play, game, REFERENCE)))
    return found


def _libraries() -> list[Row]:
    return [
        *(Row(f"chess {name}", f"chess, moves in memory to verdict, `{name}`", "python-chess", "moves", 3,
              partial(sides.of_others, "chess", name), sides.chess_by_library) for name in AIMS),
        Row("chess count", "chess, ways on to depth 4", "python-chess", "ways", 20, partial(sides.counted, 4),
            partial(sides.counted_by_library, 4)),
        *(Row(f"holdem {name}", f"hold'em, actions in memory to verdict, `{name}`", "pokerkit", "actions", 20,
              partial(sides.of_others, "holdem", name), sides.holdem_by_library) for name in AIMS),
        Row("explorer", "every position, connect four 4x4", "search over tuples by hand", "positions", 1.5,
            sides.explored, partial(Side, four_by_four.states)),
    ]


ROWS = (*_play_outs(), *_files(), *_libraries(), *_against_the_walker())
START = "start"
LONGEST_START = 0.15
"""The row that is no ratio: how many seconds more a process takes to its first verdict than one that does nothing."""
