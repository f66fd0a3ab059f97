"""Views of the games kept with the rulesets: rulings are left out in them, and still hardly any is answered unknown.

`REFEREE_VIEWS=all pytest tests/judge/test_bundled_views.py -s` judges every view of every legal log, and prints how
many were unknown.
"""

from __future__ import annotations

import io
import json
import os
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from referee.archives.log_opening import open_log
from referee.core.ruleset import PUBLIC
from referee.frontend import load_flow
from referee.game.log.log_header import Header
from referee.game.log.log_reader import Log
from referee.interpreter.walker import Walker
from referee.judge.log_run import judge_log
from referee.judge.verdict import LogOutcome, LogVerdict
from referee.native.engine_names import engine
from referee.views.redaction import redacted
from tests.sample_sizes import by_lot

RULESETS = Path(__file__).resolve().parent.parent.parent / "rulesets"
SOME = ["adrenaline/001", "adrenalyn_xl/001", "adrenalyn_xl/005", "go_goal/000", "go_goal/001", "il_mister/003",
        "king_of_the_pitch/003"]
EVERY = [f"{path.parts[-4]}/{path.stem}" for path in sorted(RULESETS.glob("*/logs/legal/*.jsonl"))]
STANDING = (LogOutcome.LEGAL, LogOutcome.POSSIBLE)
LEAST = 0.05
"""The share of views that may be unknown."""
SEEN: Counter[LogOutcome] = Counter()


@cache
def walker_of(name: str, players: int, options: str) -> Walker:
    return engine(load_flow(name, players, json.loads(options)))


def load(header: Header) -> Walker:
    return walker_of(header.ruleset, len(header.players), json.dumps(dict(header.options), sort_keys=True))


def view(name: str, viewer: str) -> list[str]:
    game, number = name.split("/")
    with open_log(str(RULESETS / game / "logs" / "legal" / f"{number}.jsonl")) as log:
        return list(redacted(log, viewer, load))


def verdict(name: str, viewer: str) -> LogVerdict:
    return judge_log(Log(io.StringIO("".join(f"{line}\n" for line in view(name, viewer))), "view.jsonl"), load)


@pytest.mark.parametrize("name", EVERY if os.environ.get("REFEREE_VIEWS") == "all" else by_lot(SOME, "view", 3))
def test_a_view_of_a_game_that_is_kept_is_legal_or_possible(name: str) -> None:
    with open_log(str(RULESETS / name.replace("/", "/logs/legal/")) + ".jsonl") as log:
        players = log.header.players
    for viewer in (*players, PUBLIC):
        found = verdict(name, viewer)
        SEEN[found.outcome] += 1
        assert found.outcome in (*STANDING, LogOutcome.UNKNOWN), (viewer, found.wrong)


def test_few_are_unknown() -> None:
    print({outcome.value: number for outcome, number in SEEN.items()})
    assert SEEN[LogOutcome.UNKNOWN] <= LEAST * sum(SEEN.values())


def test_what_is_placed_later_narrows_a_deal_where_a_ruling_is_left_out() -> None:
    """Line 3 deals four cards to ben, which ana did not see; on line 11 he places Ujvary. Who is dealt to first was
    left to the table: whatever it ruled, without Ujvary among his cards line 11 could not stand."""
    found = verdict("adrenalyn_xl/002", "ana")
    assert found.outcome is LogOutcome.POSSIBLE
    assert found.narrowing == (11,)


def test_the_last_card_of_a_deck_is_drawn() -> None:
    """On line 108 the last card of a deck is drawn, of which the public has seen no card: it is what 24 draws left."""
    lines = view("adrenalyn_xl/007", PUBLIC)
    assert json.loads(lines[107]) == {"by": "fate", "do": "draw", "with": {"to": "away", "card": "?"}}
    assert verdict("adrenalyn_xl/007", PUBLIC).outcome is LogOutcome.POSSIBLE


def test_a_pass_before_a_claim_may_be_left_out() -> None:
    """On line 50 ana plays GO_GOAL and nobody answers: with that pass, stated by no line, it is a goal on line 51."""
    lines = view("go_goal/000", PUBLIC)
    assert json.loads(lines[50]) == {"assert": {"goals of ana": 2}}
    assert verdict("go_goal/000", PUBLIC).outcome is LogOutcome.POSSIBLE
