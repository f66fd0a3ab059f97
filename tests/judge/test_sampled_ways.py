"""Logs with holes of which only some ways to fill them are followed: possible only where one of these is legal."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.api.game_record import Recorder
from referee.core.ruleset import Core
from referee.frontend import load_flow
from referee.game.log.header_setting import setting_of
from referee.game.setting import Setting
from referee.game.value_codec import encode_event
from referee.interpreter.playouts import play_out
from referee.interpreter.walker import Walker
from referee.judge.judge import Judge
from referee.judge.judgement_summary import verdict_of
from referee.judge.log_run import judge_log
from referee.judge.partial import enumeration
from referee.judge.partial.lifted import filling_tracker
from referee.judge.partial.lifted.sampled import sampled_ways
from referee.judge.verdict import LogOutcome, LogVerdict
from referee.native.engine_names import engine
from tests.judge.filling import Lines, by_hand, read
from tests.judge.test_holes_exact import CLAIMS, logs
from tests.sample_sizes import drawn

CONSTRUCTS = Path(__file__).resolve().parent.parent / "language" / "constructs"
GAMES = [("goofspiel", 6, 0.4), ("secrets", 6, 0.25), ("commits", 6, 0.4), ("fate", 5, 0.4),
         ("rulings", 6, 0.4), ("choices", 5, 0.3), ("limits", 5, 0.4), ("parameters", 5, 0.4), ("random_ties", 5, 0.4)]


def judged(walker: Walker, lines: Lines) -> tuple[Judge, LogVerdict]:
    log = read(lines)
    judge = Judge(walker, setting_of(log.header, walker.core))
    for line in log:
        judge.feed(line)
    core = walker.core
    return judge, verdict_of(judge, LogVerdict("", LogOutcome.LEGAL, core.name, core.version, log.header.players))


def filled(core: Core, judge: Judge, lines: Lines) -> list[Lines]:
    """The log without holes, in each way that was followed."""
    setting = setting_of(read(lines).header, core)
    found = []
    for world in judge.holes.branches.alive if judge.holes is not None else ():
        events = world.trail.events() if world.trail is not None else None
        copy = list(lines)
        for number, event in events or ():
            copy[number - 1] = encode_event(core, setting, event)
        found.append(copy)
    return found


@pytest.mark.parametrize(("name", "longest", "share"), GAMES)
def test_nothing_is_said_that_is_not_so(monkeypatch: pytest.MonkeyPatch, name: str, longest: int, share: float) -> None:
    """Two ways are followed at most, and what is said is held against every way to fill the holes."""
    monkeypatch.setattr(enumeration, "MOST_BRANCHES", 0)
    monkeypatch.setattr(filling_tracker, "MOST_CONSTRAINED", 1)
    monkeypatch.setattr(sampled_ways, "MOST_SAMPLED_WAYS", 2)
    monkeypatch.setattr(sampled_ways, "FEW_OUTCOMES", 1)
    walker = engine(load_flow(name if name in CLAIMS else CONSTRUCTS / f"{name}.rules", 2, {}))
    seen: Counter[str] = Counter()
    for seed in range(drawn(16, of=60)):
        lines = logs(name, walker, longest, share, seed)
        judge, verdict = judged(walker, lines)
        some = judge.holes is not None and judge.holes.some
        seen[f"{verdict.outcome.value}{', of some' if some else ''}"] += 1
        if not some or verdict.outcome is LogOutcome.UNKNOWN:
            continue
        known = by_hand(walker, lines)
        assert verdict.outcome is LogOutcome.POSSIBLE
        assert known.wrong is None, (seed, lines)
        assert verdict.ways is verdict.open_holes is verdict.winners is None
        assert all(known.lines[number - 2] in ("possible", "claim") for number in verdict.narrowing), (seed, lines)
        assert verdict.finished == any("end" in line for line in lines)
        for one in filled(walker.core, judge, lines):
            assert judge_log(read(one), lambda _: walker).outcome is LogOutcome.LEGAL, (seed, one)
    print(name, dict(seen))
    assert name != "goofspiel" or seen["possible, of some"]


def test_a_log_with_more_ways_than_are_followed() -> None:
    """The first lines of a game, with thirty holes by lot: it was unknown when some ways only were not followed."""
    walker = engine(load_flow("go_goal", 4, {}))
    game = play_out(walker, Setting(("ana", "ben", "cleo", "dan")), 0, rule=True)
    lines: list[dict[str, Any]] = [json.loads(line) for line in Recorder(walker, {}).lines(
        game.setting, game.events, game.last, ())][:60]
    spots = [(line, name) for line in lines for name in line.get("with", {})]
    for line, name in Random(0).sample(spots, 30):
        line["with"][name] = "?"
    judge, verdict = judged(walker, lines)
    assert judge.holes is not None
    assert judge.holes.some
    assert verdict.outcome is LogOutcome.POSSIBLE
    assert not verdict.finished
    for one in filled(walker.core, judge, lines):
        assert judge_log(read(one), lambda _: walker).outcome is LogOutcome.LEGAL


def test_a_way_that_does_not_stand_by_itself_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(enumeration, "MOST_BRANCHES", 0)
    monkeypatch.setattr(filling_tracker, "MOST_CONSTRAINED", 1)
    walker = engine(load_flow("goofspiel", 2, {}))
    told = [judged(walker, logs("goofspiel", walker, 6, 0.4, seed)) for seed in range(0, 16, 2)]
    judge = next(judge for judge, verdict in told if judge.holes is not None and judge.holes.some
                 and verdict.outcome is LogOutcome.POSSIBLE)
    monkeypatch.setattr(Judge, "_taken", lambda self, line, event: self.refusals.late(line, "it is another rule"))
    core = walker.core
    again = verdict_of(judge, LogVerdict("", LogOutcome.LEGAL, core.name, core.version, judge.names.players))
    assert again.outcome is LogOutcome.UNKNOWN
    assert "no way to fill the holes was found" in (again.reason or "")
