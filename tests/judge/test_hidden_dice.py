"""Hidden dice: what they can be is listed once, and more possibilities than can be followed are given up at once."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

import pytest

from referee.api.runs.log_engines import Rules
from referee.game.log.log_reader import Log
from referee.interpreter.multisets import every_taken
from referee.judge.log_run import judge_log
from referee.judge.partial.lifted import lifted_offers
from referee.judge.partial.lifted.line_passage import Passage
from referee.judge.verdict import LogOutcome, LogVerdict

RULES = Rules(None)
HEAD = {"schema": "referee/log/1", "ruleset": "liars_dice", "players": ["ana", "ben"], "options": {"at_first": "five"}}
STARTER = {"by": "fate", "do": "choose", "with": {"starter": "ben"}}
REST = [
    {"by": "ben", "do": "bid", "with": {"many": 4, "face": 2}},
    {"by": "ana", "do": "bid", "with": {"many": 10, "face": 5}},
]


class Counted:
    """A function, and how often it was called."""

    def __init__(self, does: Callable[..., object]) -> None:
        self.calls = 0
        self._does = does

    def __call__(self, *given: object, **how: object) -> object:
        self.calls += 1
        return self._does(*given, **how)


def judged(viewpoint: str, *cups: object) -> LogVerdict:
    """The bids of a round of which a view does not have all dice."""
    rolls = [{"by": "fate", "do": "roll", "with": {"for": who, "cup": cup}}
             for who, cup in zip(("ana", "ben"), cups, strict=True)]
    lines = [{**HEAD, "viewpoint": viewpoint}, STARTER, *rolls, *REST]
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    return judge_log(Log(io.StringIO(text), "view.jsonl"), RULES)


def test_what_is_rolled_is_listed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = Counted(every_taken)
    monkeypatch.setattr(lifted_offers, "every_taken", listed)
    verdict = judged("ana", [2, 3, 3, 4, 5], "?")
    assert verdict.outcome is LogOutcome.LEGAL  # whatever was rolled
    assert listed.calls < 10


def test_more_possibilities_than_can_be_followed_are_given_up_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = Counted(Passage.attempt)
    monkeypatch.setattr(Passage, "attempt", lambda *given, **how: tried(*given, **how))
    verdict = judged("public", "?", "?")
    assert verdict.outcome is LogOutcome.UNKNOWN
    assert tried.calls < 3_000
