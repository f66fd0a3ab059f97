"""What a player is told of a wrong line, and of what a line did, is the same in two logs that are the same to him.

The rulesets are made for it: their ways hang on what only some see, and come to the same for the others.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.api.game_record import Recorder
from referee.flow.lowering import lower
from referee.frontend import load
from referee.game.event import Event
from referee.game.log.log_header import Header
from referee.game.log.log_reader import Log
from referee.game.setting import Setting
from referee.game.value_codec import encode_event
from referee.interpreter.walker import Walker
from referee.judge.line_explanation import moment as explained
from referee.judge.log_run import Options, judge_log
from referee.judge.verdict import LogOutcome
from referee.report.data.explanation_data import as_data as explanation_data
from referee.report.data.verdict_data import as_data
from referee.report.text.verdict_text import text_of
from tests.laws.games import setting_for, strange
from tests.laws.pairs import Moment, Watched, lowest_of_each, side_by_side

NEEDS = Path(__file__).parent / "secrets" / "hidden_needs.rules"
RULES = sorted(set(NEEDS.parent.glob("*.rules")) - {NEEDS})
EVERY = pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
SEEDS, EVENTS, TRIED = 2, 12, 3
Line = dict[str, Any]
FALSE = {
    "hidden_hands": ("(some c in Card in hand of NAME where c > 3) and noise > 90", "number of hand of NAME > 5"),
    "secret_rolls": ("highest of cup of NAME = 1 and noise > 90",),
    "secret_counters": ("luck of NAME > 1 and noise > 90",),
    "seen_by_others": ("(some c in Card in brow of NAME where c > 3) and noise > 90", "number of deck > 5"),
    "given_cards": ("(some c in Card in hand of NAME where c > 4) and noise > 90", "number of hand of NAME > 5"),
}
"""What is never so, whatever it looks at on the way."""


@cache
def walker_of(path: Path) -> Walker:
    return Walker(lower(load(path)))


def moments(path: Path) -> Iterator[tuple[Moment, Setting, int, int]]:
    """Moments of pairs of games that differ in what a player does not know."""
    walker = walker_of(path)
    for seed in range(SEEDS):
        setting = setting_for(walker, Random(seed))
        for player in range(walker.core.seats.number):
            for number, moment in enumerate(side_by_side(walker, player, seed, EVENTS)):
                if moment.differs:
                    yield moment, setting, player, 100 * seed + number


def log_of(watched: Watched, setting: Setting, more: list[Line]) -> Log:
    lines = list(Recorder(watched.walker, {}).lines(setting, [one.event for one in watched.past], watched.state, ()))
    return Log(io.StringIO("".join(f"{line}\n" for line in [*lines, *map(json.dumps, more)])), "game.jsonl")


def wrong_lines(path: Path, watched: Watched, setting: Setting, player: int, random: Random) -> list[Line]:
    """Lines of which the player knows without the other hands that they are wrong: his own, what somebody does who is
    not asked, claims about what lies open."""
    walker, asked = watched.walker, watched.walker.who(watched.state)
    pool = list(lowest_of_each(walker, player))
    tried = list(strange(walker.core, pool, random, 8))
    tried += [event for by in range(walker.core.seats.number) for event in lowest_of_each(walker, by)]
    own = [one for one in tried if one.by == player or (one.by >= 0 and one.by not in asked and not one.args)]
    found: list[Line] = [encode_event(walker.core, setting, one) for one in own if _codes(walker, one)]
    noise = watched.walker.layout.read_var(watched.state, "noise")
    assert isinstance(noise, int)
    claim = random.choice(FALSE[path.stem]).replace("NAME", random.choice(setting.players))
    claims: list[Line] = [{"assert": {"noise": noise + 1}}, {"assert": {claim: True}}, {"end": {"winners": []}}]
    return [*random.sample(found, min(TRIED, len(found))), *claims]


def _codes(walker: Walker, event: Event) -> bool:
    """Whether a line of a log can state an event at all."""
    try:
        encode_event(walker.core, Setting(("p",) * walker.core.seats.number), event)
    except (KeyError, IndexError, ValueError):
        return False
    return True


def told(watched: Watched, setting: Setting, player: int, line: Line) -> tuple[str, str, bool, bool]:
    """A verdict for a player, as JSON and as text; whether it is negative, and whether reasons are told."""
    def rules(_: Header) -> Walker:
        return watched.walker

    verdict = judge_log(log_of(watched, setting, [line]), rules, Options(viewer=setting.players[player]))
    negative = verdict.outcome is LogOutcome.ILLEGAL
    because = verdict.wrong is not None and bool(verdict.wrong.because)
    return json.dumps(as_data(verdict)), text_of(verdict), negative, because


@EVERY
def test_a_wrong_line_is_told_the_same(path: Path) -> None:
    negative = because = 0
    for moment, setting, player, number in moments(path):
        for line in wrong_lines(path, moment.one, setting, player, Random(number)):
            one, other = (told(watched, setting, player, line) for watched in (moment.one, moment.other))
            assert one == other, line
            negative, because = negative + one[2], because + one[3]
    assert negative > 40
    assert because > 15


def test_what_refuses_others_is_told_the_same_whatever_they_hold() -> None:
    compared = untold = 0
    for moment, setting, player, number in moments(NEEDS):
        walker, other = moment.one.walker, 1 - player
        tried = [one for one in lowest_of_each(walker, other) if one.by == other]
        for event in [*tried, *strange(walker.core, tried, Random(number), 12)]:
            if event.by != other or not _codes(walker, event):
                continue
            line: Line = encode_event(walker.core, setting, event)
            one, two = (told(watched, setting, player, line) for watched in (moment.one, moment.other))
            if one[2] and two[2]:
                assert one == two, line
                compared, untold = compared + 1, untold + ("does not see" in one[1])
    assert compared > 40
    assert untold > 10


@EVERY
def test_what_a_line_did_is_told_the_same(path: Path) -> None:
    for moment, setting, player, number in moments(path):
        if number % 2 == 0 or not moment.one.past:
            continue
        one, other = (_explained(watched, setting, player) for watched in (moment.one, moment.other))
        assert one == other


def _explained(watched: Watched, setting: Setting, player: int) -> str:
    log, last = log_of(watched, setting, []), len(watched.past) + 1
    found = explained(log, last, lambda _: watched.walker, Options(viewer=setting.players[player]))
    return json.dumps(explanation_data(found))
