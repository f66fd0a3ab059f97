"""A win that is claimed to be shared, where the rules have the table choose one of those who are level."""

from __future__ import annotations

from typing import Any

import referee

RULES = referee.loads("""
game "Most" for 2 players ana and ben

counters
  points of player: 0..9

play
  ana must add
  ben must add
  the p in players with the most points wins

action add(n: 1..3)
  raise points of me by n
""", "most")


def judged(line: dict[str, Any], last: int = 2) -> referee.Verdict:
    head: dict[str, Any] = {"schema": "referee/log/1", "ruleset": "most", "players": ["ana", "ben"]}
    adds: list[dict[str, Any]] = [{"by": name, "do": "add", "with": {"n": n}}
                                  for name, n in (("ana", 2), ("ben", last))]
    return RULES.judge([head, *adds, line])


def test_that_the_table_chooses_one_is_told() -> None:
    """Line 4: both are level; either may have won, and no ruling says both."""
    verdict = judged({"end": {"winner": ["ana", "ben"]}})
    assert verdict.wrong is not None
    assert (verdict.wrong.line, verdict.wrong.kind) == (4, "wrong result")
    assert verdict.wrong.message.endswith(
        "; at play.tie the table chooses one of them: the rules offer no win that is shared")
    assert judged({"end": {"winner": "ana"}}).outcome == judged({"end": {"winner": "ben"}}).outcome == "legal"


def test_where_nobody_is_level_it_is_not_told() -> None:
    verdict = judged({"end": {"winner": ["ana", "ben"]}}, last=1)
    assert verdict.wrong is not None
    assert verdict.wrong.message == "the winner is ana, not ana and ben"


def test_a_ruling_for_several_is_told_so() -> None:
    verdict = judged({"by": "table", "do": "rule", "with": {"point": "play.tie", "choice": ["ana", "ben"]}})
    assert verdict.wrong is not None
    assert (verdict.wrong.kind, verdict.wrong.message) == (
        "bad argument", 'at play.tie the table chooses one, not ["ana", "ben"]')
