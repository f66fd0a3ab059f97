"""What is told of the holes of a log is so however they are filled, and nothing of that kind is left out."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.api.game_record import Recorder
from referee.frontend import load_flow
from referee.game.log.header_setting import setting_of
from referee.game.setting import Setting
from referee.interpreter.playouts import play_out
from referee.interpreter.walker import Walker
from referee.judge.judge import Judge
from referee.judge.partial import enumeration
from referee.native.engine_names import engine
from tests.judge.filling import facts_by_hand, holed, read
from tests.sample_sizes import FULL, drawn

CONSTRUCTS = Path(__file__).resolve().parent.parent / "language" / "constructs"
MOST_NAMED = 6

TRICKS = """game "Tricks" for 2 players ana and ben

kind Card is A1, A2, B1, B2, C1

components
  2 A1 in deck
  1 A2 in deck
  1 B1 in deck
  1 B2 in deck
  1 C1 in deck

zones
  deck: pile of Card, face down
  hand of player: bag of Card, seen by owner
  heap: bag of Card, open

setup
  shuffle deck
  for each p in players: deal {dealt} from deck to hand of p

play
  turns from ana, to the left, until (number of hand of ana + number of hand of ben) = {left}
    turn player may lay, show
  nobody wins

action lay(card: Card in my hand)
  needs "no C1 before an A1": card is not C1 or heap has at least 1 A1
  move card to heap

action show
  needs "two of a kind": hand of me has at least 2 A1
  nothing
"""


def logs(walker: Walker, seed: int, share: float, longest: int) -> list[dict[str, Any]]:
    game = play_out(walker, Setting(("ana", "ben")), seed, 60, rule=True)
    lines = [json.loads(line) for line in Recorder(walker, {}).lines(game.setting, game.events, game.last, ())]
    short = [lines[0], *(line for line in lines[1:longest + 1] if "do" in line)]
    short[0].pop("parameters", None)
    found = holed(Random(seed), short, walker.core, ("ana", "ben"), share, damage=False)
    for line in found[1:] if seed % 2 else ():
        if line["do"] == "deal" and isinstance(line["with"].get("cards"), list | dict):
            line["with"]["cards"] = "?"
    return found


def told(walker: Walker, lines: list[dict[str, Any]]) -> dict[tuple[int, str], tuple[bool, tuple[str, ...]]] | None:
    log = read(lines)
    judge = Judge(walker, setting_of(log.header, walker.core))
    for line in log:
        judge.feed(line)
    if judge.halt is not None or judge.holes is None:
        return None
    return {(fact.line, fact.name): (fact.among, tuple(sorted(map(str, fact.values))))
            for fact in judge.holes.facts()}


@pytest.mark.parametrize(("dealt", "left"), [(3, 0), (3, 2), (2, 0), (2, 1)] if FULL else [(3, 0), (2, 1)])
def test_what_was_dealt(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, dealt: int, left: int) -> None:
    """The second hand is what the first one leaves: what is known of it follows from that."""
    path = tmp_path / "tricks.rules"
    path.write_text(TRICKS.format(dealt=dealt, left=left), encoding="utf-8")
    compare(monkeypatch, engine(load_flow(path)), drawn(5, of=12), 0.3, 9)


@pytest.mark.parametrize(("name", "share"), [
    ("secrets", 0.25), ("fate", 0.4), ("lines", 0.4), ("choices", 0.5), ("piles", 0.3), ("zones", 0.3),
    ("commits", 0.3), ("copies", 0.3), ("shown_later", 0.3), ("groups", 0.3),
])
def test_constructs(monkeypatch: pytest.MonkeyPatch, name: str, share: float) -> None:
    number = drawn(5, of=12) if name == "secrets" else 12
    compare(monkeypatch, engine(load_flow(CONSTRUCTS / f"{name}.rules", 2, {})), number, share, 5)


def compare(monkeypatch: pytest.MonkeyPatch, walker: Walker, number: int, share: float, longest: int) -> None:
    monkeypatch.setattr(enumeration, "MOST_BRANCHES", 0)
    seen: Counter[str] = Counter()
    for seed in range(number):
        lines = logs(walker, seed, share, longest)
        mine = told(walker, lines)
        if mine is None:
            continue
        for place, (several, values) in facts_by_hand(walker, lines).items():
            if not values if several else len(values) > MOST_NAMED:
                assert place not in mine, (seed, place, lines)
                continue
            assert mine.get(place) == (several, values), (seed, place, lines)
            seen["several" if several else "one"] += 1
    print(dict(seen))
    assert sum(seen.values()) >= 5
