"""Hidden dice: what they can be is listed once, and more possibilities than can be followed are given up at once."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

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


def test_dice_that_nobody_has_seen_are_followed_as_what_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = Counted(Passage.attempt)
    monkeypatch.setattr(Passage, "attempt", lambda *given, **how: tried(*given, **how))
    verdict = judged("public", "?", "?")
    assert verdict.outcome is LogOutcome.LEGAL  # whatever was rolled
    assert tried.calls < 3_000


def test_what_is_shown_of_dice_is_counted_over_all_of_them() -> None:
    """Five dice of each: nobody shows six, and who shows five fives has no four twos."""
    doubted: list[Any] = [*REST, {"by": "ben", "do": "doubt"}, {"by": "ana", "do": "show", "with": {"dice": 5}}]
    assert shown("?", doubted, 5).outcome is LogOutcome.POSSIBLE
    wrong = shown([1, 1, "?", "?", "?"], doubted, 4).wrong
    assert wrong is not None
    assert wrong.line == 8


def shown(cup: object, doubted: list[Any], dice: int) -> LogVerdict:
    """A bid of ten fives that is doubted, after which all show what they have."""
    rolls = [{"by": "fate", "do": "roll", "with": {"for": "ana", "cup": cup}},
             {"by": "fate", "do": "roll", "with": {"for": "ben", "cup": "?"}}]
    lines = [{**HEAD, "viewpoint": "public"}, STARTER, *rolls, *doubted,
             {"by": "ben", "do": "show", "with": {"dice": dice}}]
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    return judge_log(Log(io.StringIO(text), "view.jsonl"), RULES)
