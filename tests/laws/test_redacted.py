"""A view of a legal game is never illegal, and hardly ever unknown: the views of random games of every ruleset.

`REFEREE_LAW_GAMES=10 REFEREE_LAW_EVENTS=300 pytest tests/laws/test_redacted.py -s` tries so many of each and prints how
many were unknown; by default it is one game of each, their beginnings, with every player's view.
"""

from __future__ import annotations

import io
import json
import os
from collections import Counter
from collections.abc import Iterator

import pytest

from referee.api.game_record import Recorder
from referee.core.ruleset import PUBLIC
from referee.game.log.log_reader import Log
from referee.judge.log_run import judge_log
from referee.judge.verdict import LogOutcome, LogVerdict
from referee.views.redaction import redacted
from tests.laws.games import play
from tests.laws.shapes import Case, cases, firsts, walker_of
from tests.sample_sizes import CLASSICS, CONSTRUCTS, by_lot, drawn, fewer, in_turn

GAMES = int(os.environ.get("REFEREE_LAW_GAMES", drawn(1, of=2)))
EVENTS = int(os.environ.get("REFEREE_LAW_EVENTS", "15"))
CASES = [case for case in cases() if GAMES > 2 or case.where.parent.name != "classics" or case in firsts()]
"""By default one shape of each classic game: the views of a whole pack of cards take seconds."""
LEAST = 0.05
"""The share of views that may be unknown."""
SHARED: Counter[LogOutcome] = Counter()


def log_of(texts: list[str]) -> Log:
    return Log(io.StringIO("".join(f"{text}\n" for text in texts)), "view.jsonl")


def views(case: Case, seed: int) -> Iterator[LogVerdict]:
    """The verdict on each view of one game."""
    walker = walker_of(case)
    game = play(walker, seed, fewer(case.where.stem, EVENTS))
    texts = list(Recorder(walker, {}).lines(game.setting, game.events, game.steps[-1], ()))
    for viewer in (PUBLIC, *game.setting.players):
        yield judge_log(log_of(list(redacted(log_of(texts), viewer, lambda _: walker))), lambda _: walker)


@pytest.mark.parametrize("case", by_lot(in_turn(CASES, "redacted", 3, CLASSICS | CONSTRUCTS), "redacted", 12), ids=str)
def test_no_view_of_a_legal_game_is_illegal(case: Case) -> None:
    found = [verdict for seed in range(GAMES) for verdict in views(case, seed)]
    for verdict in found:
        assert verdict.outcome in (LogOutcome.LEGAL, LogOutcome.POSSIBLE, LogOutcome.STOPPED, LogOutcome.UNKNOWN), (
            verdict
        )
    seen = Counter(verdict.outcome for verdict in found)
    SHARED.update(seen)
    print(f"{case}: {json.dumps({one.value: number for one, number in seen.items()})}")
    assert seen[LogOutcome.UNKNOWN] <= LEAST * max(len(found), 1 / LEAST)


def test_few_views_are_unknown() -> None:
    total = sum(SHARED.values())
    print(f"{SHARED[LogOutcome.UNKNOWN]} of {total} views are unknown")
    assert SHARED[LogOutcome.UNKNOWN] <= LEAST * total
