"""Reasons for what is too large to be told whole: bounded work, a right verdict, and what is left out is counted."""

from __future__ import annotations

from typing import Any

import pytest

import referee
from referee.core.expr import Expr
from referee.interpreter.closures.closure_types import Env
from referee.interpreter.deciding_parts import DecidingParts
from referee.interpreter.trace import DecidingPart
from tests.reasons.test_told_traces import LONG

HEAD: dict[str, Any] = {"schema": "referee/log/1", "players": ["ana", "ben"], "given": {"first": "ana"}}
NAME = "n" * 198
LONG_NAMES = f"""
game "Long names" for 2 players

kind Card is {NAME}a, {NAME}b

components
  1 of each Card in deck

zones
  deck: bag of Card, open
  hand of player: bag of Card, open

counters
  {NAME}c: 0..9

given first: player

play
  turns from first, to the left
    turn player must {NAME}d

action {NAME}d({NAME}e: Card in deck)
  needs "few": {NAME}c < 5
  move {NAME}e to hand of me
  if {NAME}c = 0: raise {NAME}c by 1
"""
PARAMETERS = [f"p{number}" for number in range(300)]
OPEN = "\n".join([
    'game "Open" for 2 players', "counters", "  total: 0..9999", "given first: player",
    *(f"parameter {name}: 0..9 default 1" for name in PARAMETERS),
    "play", "  turns from first, to the left", "    turn player must take one of add, finish", "action add",
    *(f"  raise total by {' + '.join(PARAMETERS[at:at + 20])}" for at in range(0, 300, 20)),
    "action finish", '  needs "much": total > 2000', "  raise total by 1", ""])


def verdict(text: str, *lines: dict[str, Any], **options: Any) -> referee.Verdict:
    rules = referee.loads(text, "made")
    return rules.judge([{**HEAD, "ruleset": "made", "players": options.pop("players", HEAD["players"]),
                         "given": {"first": options.pop("first", "ana")}}, *lines], **options)


def test_of_a_step_of_many_rounds_only_the_first_are_looked_into(monkeypatch: pytest.MonkeyPatch) -> None:
    number = 0
    of = DecidingParts.of

    def counted(self: DecidingParts, cond: Expr, env: Env) -> tuple[DecidingPart, ...]:
        nonlocal number
        number += 1
        return of(self, cond, env)

    monkeypatch.setattr(DecidingParts, "of", counted)
    count = {"by": "ana", "do": "count_up"}
    found = verdict(LONG, count, {"assert": {"total": 5}})
    assert found.wrong is not None
    assert found.wrong.message == "total is 40000, not 5"
    assert [one.text for one in found.wrong.because] == ["total: 0 -> 40000"]
    assert verdict(LONG, count, count).wrong.because  # type: ignore[union-attr]
    assert 0 < number < 40_000


def test_a_claim_that_goes_through_many_members_has_its_reason() -> None:
    claim = "some n in 1..100000 where total = n + 200000"
    found = verdict(LONG, {"by": "ana", "do": "count_up"}, {"assert": {claim: True}})
    assert found.wrong is not None
    assert found.wrong.message == f"{claim} is no, not true"
    assert [one.text for one in found.wrong.because] == ["total: 0 -> 40000"]


def test_long_names_are_told() -> None:
    ana, ben = "a" * 100, "b" * 100
    line = {"by": ana, "do": f"{NAME}d", "with": {f"{NAME}e": f"{NAME}a"}}
    for wrong in (line, {**line, "by": ben}, {"assert": {f"{NAME}c": 5}}):
        found = verdict(LONG_NAMES, line, wrong, players=[ana, ben], first=ana)
        assert found.wrong is not None
        assert all(len(one.text) < 2_000 for one in found.wrong.because)
        assert found.wrong.because
        assert str(found)


def test_many_defaults_are_named_and_tried_within_their_time() -> None:
    found = verdict(OPEN, {"by": "ana", "do": "add"}, {"by": "ben", "do": "finish"}, under=True)
    assert found.wrong is not None
    assert len(found.defaults) == 100
    assert 0 < found.more_defaults < 200
    assert found.trials is not None
    assert found.trials.alone == 300
    assert found.trials.seconds < 20
