"""Cut where it rests, a game goes on as it did: the rest of a log, from the position there, is judged as in the whole.

`REFEREE_LAW_GAMES=10 REFEREE_LAW_EVENTS=300 REFEREE_LAW_CUTS=50 pytest tests/laws/test_positions.py` tries more of it,
of every ruleset in every shape; by default it is the beginning of one game of each that comes along, in one shape.
"""

from __future__ import annotations

import json
import os
from random import Random

import pytest

from referee.api.game_record import Recorder
from referee.game.log.strict_json import Json
from referee.game.start_position import BadPosition
from referee.game.state import State
from referee.judge.log_run import judge_log
from referee.judge.verdict import LogOutcome, LogVerdict
from referee.views.position_entry import state_entry
from tests.laws.games import Game, play
from tests.laws.shapes import Case, cases, walker_of
from tests.laws.test_redacted import log_of
from tests.sample_sizes import by_lot, fewer, in_turn

GAMES = int(os.environ.get("REFEREE_LAW_GAMES", "1"))
EVENTS = int(os.environ.get("REFEREE_LAW_EVENTS", "30"))
CUTS = int(os.environ.get("REFEREE_LAW_CUTS", "2"))


def chosen() -> list[Case]:
    """Every shape, if somebody wants more of it; else the first of each ruleset that is a game of its own."""
    if "REFEREE_LAW_CUTS" in os.environ:
        return list(cases())
    first = {case.where: case for case in reversed(cases())}
    return [case for where, case in first.items() if "constructs" not in where.parts or where.stem == "positions"]


def said(verdict: LogVerdict, cut: int) -> tuple[object, ...]:
    """What a verdict says, whichever lines were left out before."""
    wrong = verdict.wrong and (verdict.wrong.line - cut, verdict.wrong.kind, verdict.wrong.message)
    return verdict.outcome, verdict.winners, verdict.finished, wrong, verdict.reason


def resting(case: Case, game: Game, random: Random) -> list[tuple[int, dict[str, Json]]]:
    """Some of the places where a game can start, by how much lies before them, with the position there."""
    walker = walker_of(case)
    found: list[tuple[int, dict[str, Json]]] = []
    refused = []
    places = [at for at, step in enumerate(game.steps) if isinstance(step, State)]
    for at in random.sample(places, len(places)):
        step = game.steps[at]
        assert isinstance(step, State)
        try:
            found.append((at, state_entry(walker, game.setting.players, step)))
        except BadPosition as bad:
            refused.append((bad, walker.course.point(step.at).point.rest))
        if len(found) == CUTS:
            break
    assert all((bad.code, "some have chosen" in bad.message) == ("LG28", rests) for bad, rests in refused), refused
    return found


@pytest.mark.parametrize("case", by_lot(in_turn(chosen(), "positions"), "positions", 2), ids=str)
def test_the_rest_of_a_game_is_judged_as_in_the_whole(case: Case) -> None:
    walker = walker_of(case)
    for seed in range(GAMES):
        random = Random(seed)
        game = play(walker, seed, fewer(case.where.stem, EVENTS))
        texts = list(Recorder(walker, {}).lines(game.setting, game.events, game.steps[-1], ()))
        for cut, entry in resting(case, game, random):
            head = json.dumps({**json.loads(texts[0]), "state": entry})
            lines = texts[1:]
            whole, rest = (judge_log(log_of(some), lambda _: walker) for some in ([texts[0], *lines],
                                                                                 [head, *lines[cut:]]))
            assert whole.outcome in (LogOutcome.LEGAL, LogOutcome.STOPPED), whole
            assert said(rest, 0) == said(whole, 0), (seed, entry, rest)
            damaged = list(range(cut, len(lines)))
            if damaged:
                at = random.choice(damaged)
                line = json.loads(lines[at])
                if line.get("by") in game.setting.players:
                    line["by"] = random.choice(game.setting.players)
                    lines[at] = json.dumps(line)
                    whole, rest = (judge_log(log_of(some), lambda _: walker) for some in ([texts[0], *lines],
                                                                                         [head, *lines[cut:]]))
                    assert said(rest, 0) == said(whole, cut), (seed, entry, line, rest)
