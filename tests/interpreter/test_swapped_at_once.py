"""What is tested behind a swap, at once or behind all that is done `together`; limits when somebody is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.frontend import load_flow
from referee.game.event import Event
from referee.game.setting import Setting
from referee.game.state import Failed, State
from referee.interpreter.walker import Walker
from referee.native.engine_names import ENGINES, engine

RULES = """game "Leaders" for 2 players first and second

kind Card is A, B, C

components
  1 of each Card in hand of second

zones
  hand of player: bag of Card, open
  shelf: bag of Card, open, at most 2

counters
  lead: player starts second
  seen: 0..9

play
  turns from first, to the left
    turn player must go

action go
{body}

when hand of first has 3 and lead is second: raise seen by 1

{claim}
"""
LEADS = "always leader_has_them, at every moment: hand of lead has 3"
SWAP, SET = "swap hand of first with hand of second", "set lead to if lead is first then second else first"


def after(tmp_path: Path, name: str, body: str, claim: str = "") -> tuple[Walker, object]:
    """The engine, and what comes of one turn."""
    path = tmp_path / "leaders.rules"
    path.write_text(RULES.format(body=body, claim=claim), encoding="utf-8")
    walker = engine(load_flow(path), name)
    start = walker.begin(Setting(("first", "second")))
    assert isinstance(start, State)
    return walker, walker.advance(start, Event(0, "go"))


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize(("first", "second"), [(SWAP, SET), (SET, SWAP)])
def test_nothing_is_tested_within_together(tmp_path: Path, name: str, first: str, second: str) -> None:
    assert isinstance(after(tmp_path, name, f"  together\n    {first}\n    {second}", LEADS)[1], State)
    assert isinstance(after(tmp_path, name, f"  {first}\n  {second}", LEADS)[1], Failed)


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize(("body", "times"), [
    (f"  {SWAP}\n  {SET}", 1), (f"  together\n    {SWAP}\n    {SET}", 0), (f"  {SWAP}\n  {SWAP}", 1),
    ("  swap hand of me with hand of me", 0),
])
def test_a_trigger_sees_a_swap_that_stands_alone(tmp_path: Path, name: str, body: str, times: int) -> None:
    walker, state = after(tmp_path, name, body)
    assert isinstance(state, State)
    assert state.slots[walker.layout.vars["seen"].base] == times


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize(("times", "broken"), [(1, ["limit of shelf"]), (2, [])])
def test_a_limit_is_tested_when_somebody_is_asked(tmp_path: Path, name: str, times: int, broken: list[str]) -> None:
    walker, state = after(tmp_path, name, "  swap shelf with hand of second\n" * times)
    assert isinstance(state, State)
    assert [one.name for one in walker.broken(state)] == broken
