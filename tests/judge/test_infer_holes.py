"""The settings that explain logs with holes are those under which each of them is not illegal, no more and no fewer.

`REFEREE_LAW_GAMES=20 pytest tests/judge/test_infer_holes.py` tries so many logs of each ruleset.
"""

from __future__ import annotations

import io
import json
import os
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from referee.api.game_record import Recorder
from referee.game.log.log_reader import Log
from referee.game.setting import Setting
from referee.game.value_codec import encode_event
from referee.inference.distinguishing_events import Decisive, decisive
from referee.inference.inference import infer
from referee.judge.log_run import judge_path
from referee.judge.open_settings import setting_space
from referee.judge.open_settings.setting_sets import NOTHING
from referee.judge.open_settings.setting_verdicts import explain
from referee.judge.open_settings.value_ranges import Place
from referee.judge.partial import enumeration
from referee.judge.verdict import LogOutcome
from referee.views.redaction import redacted
from tests.judge.filling import holed
from tests.judge.playing import PLAIN
from tests.judge.test_infer import PLAYERS, among, setting_of, settings_of, walker, written
from tests.sample_sizes import FULL, drawn

LOGS = int(os.environ.get("REFEREE_LAW_GAMES", "4"))
SMALL = {"readings": 0.5, "parameters": 0.4, "relations": 0.4}


def with_holes(path: Path, name: str, share: float, seed: int) -> Path:
    """The log with holes in the place of some values, maybe with something wrong in it, maybe with a claim."""
    random = Random(seed)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    players = PLAYERS.get(name, ("ana", "ben"))
    lines = holed(random, lines, walker(name).core, players, share, damage=seed % 3 == 1)
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return path


def stands(path: Path, name: str, chosen: dict[Place, int]) -> bool:
    """Whether a log with holes is not illegal under one setting, judged by itself."""
    rules = walker(name)
    head, *rest = map(json.loads, path.read_text().splitlines())
    known = {key: value for key, value in head.items() if key == "given"}
    head |= Recorder(rules, {}).header(setting_of(name, chosen, tuple(head["players"])), ()) | known
    again = path.with_suffix(".again")
    again.write_text("".join(f"{json.dumps(line)}\n" for line in [head, *rest]))
    verdict = judge_path(str(again), lambda _: rules, PLAIN)
    if verdict.outcome is LogOutcome.STOPPED:  # a game that goes on where the rules stop is not explained by them
        return verdict.at == verdict.lines == len(rest) + 1
    assert verdict.outcome in (LogOutcome.LEGAL, LogOutcome.POSSIBLE, LogOutcome.ILLEGAL), verdict
    return verdict.outcome is not LogOutcome.ILLEGAL


def some_of(name: str, random: Random) -> list[dict[Place, int]]:
    every = list(settings_of(name))
    return every if len(every) <= 40 else random.sample(every, 40)


@pytest.mark.parametrize("few", [512, 0], ids=["filled", "not filled"])
@pytest.mark.parametrize(("name", "share"), SMALL.items())
def test_exactly_the_settings_under_which_it_can_be_filled(
        monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, share: float, few: int) -> None:
    random = Random(7)
    some = some_of(name, random)
    refuted = 0
    for seed in range(LOGS):
        hidden = random.choice(some)
        path = with_holes(written(tmp_path, name, setting_of(name, hidden), seed, 8), name, share, seed)
        with monkeypatch.context() as patched:
            patched.setattr(enumeration, "FEW_BRANCHES", few)
            told = explain(str(path), lambda _: walker(name))
        assert told.region is not None, told.verdict
        assert not told.untold
        for chosen in some:
            holds = among(told.region, chosen)
            assert holds == stands(path, name, chosen), (seed, chosen, path.read_text())
            refuted += not holds
    assert refuted


@pytest.mark.parametrize(("name", "share"), SMALL.items())
def test_what_is_left_out_is_looked_at_later(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str,
                                             share: float) -> None:
    """However few positions are followed at once, in the end the answer is the same."""
    random = Random(8)
    some = some_of(name, random)
    monkeypatch.setattr(enumeration, "FEW_BRANCHES", 0)
    for seed in range(LOGS):
        path = with_holes(written(tmp_path, name, setting_of(name, random.choice(some)), seed, 8), name, share, seed)
        whole = explain(str(path), lambda _: walker(name))
        monkeypatch.setattr(setting_space, "MOST_FOLLOWED", 2)
        parts = explain(str(path), lambda _: walker(name))
        monkeypatch.undo()
        monkeypatch.setattr(enumeration, "FEW_BRANCHES", 0)
        for chosen in some:
            sure = among(parts.region or NOTHING, chosen)
            open_ = among(parts.untold, chosen) or parts.region is None
            holds = among(whole.region or NOTHING, chosen)
            assert holds == sure or open_, (seed, chosen, path.read_text())


@pytest.mark.parametrize("name", ["readings", "parameters"])
def test_of_a_complete_log_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str) -> None:
    random = Random(9)
    some = some_of(name, random)
    monkeypatch.setattr(setting_space, "MOST_FOLLOWED", 1)
    later = 0
    for seed in range(LOGS):
        hidden = random.choice(some)
        path = written(tmp_path, name, setting_of(name, hidden), seed, 8)
        parts = explain(str(path), lambda _: walker(name))
        assert parts.region is not None
        assert among(parts.left, hidden)
        for chosen in some:
            if among(parts.untold, chosen):
                later += 1
            else:
                assert among(parts.region, chosen) == stands(path, name, chosen), (seed, chosen)
        assert not parts.untold or parts.verdict.outcome is not LogOutcome.ILLEGAL
    assert not later, "all is told in the end where there are few settings"


def test_what_a_header_states_takes_no_part(tmp_path: Path) -> None:
    """A table of thousands of entries, all of them stated: what is left open is told as fast as without it."""
    path = written(tmp_path, "go_goal", Setting(("ana", "ben")), 3, 40)
    bare = explain(str(path), lambda _: walker("go_goal"))
    head, *rest = path.read_text().splitlines()
    path.write_text("\n".join([json.dumps({**json.loads(head), "parameters": {"may_score": "all_yes"}}), *rest]) + "\n")
    told = explain(str(path), lambda _: walker("go_goal"))
    assert told.region
    assert bare.region
    readings = [(one, ()) for one in walker("go_goal").core.readings]
    assert [told.region.values(one) for one in readings] == [bare.region.values(one) for one in readings]
    assert told.region.number_of_boxes <= bare.region.number_of_boxes
    assert {place[0] for place in infer([told]).told_of} <= {"same_symbol", *(name for name, _ in readings)}


def test_without_time_nothing_is_refuted_that_was_not_looked_at(tmp_path: Path) -> None:
    path = view_of("adrenalyn_xl", tmp_path, seed=3, longest=60)
    told = explain(str(path), lambda _: walker("adrenalyn_xl"), blind=True, seconds=0.001)
    assert told.region is None or told.untold
    assert told.verdict.outcome is LogOutcome.UNKNOWN


def view_of(name: str, folder: Path, seed: int, longest: int) -> Path:
    """A random game as everybody saw it."""
    readings = {one: Random(seed).randrange(len(known.choices)) for one, known in walker(name).core.readings.items()}
    path = written(folder, name, Setting(("ana", "ben"), readings=readings), seed, longest)
    head, *rest = path.read_text().splitlines()
    log = {**json.loads(head), "readings": {one: walker(name).core.readings[one].choices[index].name
                                            for one, index in readings.items()}}
    whole = Log(io.StringIO("\n".join([json.dumps(log), *rest]) + "\n"), "game.jsonl")
    path.write_text("".join(f"{line}\n" for line in redacted(whole, "public", lambda _: walker(name))))
    return path


@pytest.mark.parametrize(("name", "longest"), [("go_goal", drawn(20, of=30)), ("adrenalyn_xl", drawn(30, of=50))])
def test_the_readings_of_a_game_are_never_excluded_by_its_public_view(name: str, longest: int, tmp_path: Path) -> None:
    excluded = 0
    for seed in range(max(2, LOGS // 2)):
        path = view_of(name, tmp_path, seed, longest)
        head = json.loads(path.read_text().splitlines()[0])
        told = explain(str(path), lambda _: walker(name), blind=True)
        assert told.region is not None, told.verdict
        readings = walker(name).core.readings
        hidden: dict[Place, int] = {
            (one, ()): [choice.name for choice in readings[one].choices].index(value)
                  for one, value in head["readings"].items()}
        assert among(told.left.among(hidden), hidden)
        excluded += not told.left.everything
        assert infer([told]).region
    assert excluded


@pytest.mark.parametrize(("name", "longest"), [("go_goal", drawn(15, of=25)), ("adrenalyn_xl", drawn(20, of=30))])
def test_a_public_view_is_never_illegal_whatever_else_is_open(name: str, longest: int, tmp_path: Path) -> None:
    """It is told so too, though there are too many ways to fill its holes to count them."""
    for seed in range(max(2, LOGS // 2)):
        path = view_of(name, tmp_path, seed, longest)
        head, *rest = path.read_text().splitlines()
        bare = {key: value for key, value in json.loads(head).items() if key not in ("readings", "parameters")}
        path.write_text("\n".join([json.dumps(bare), *rest]) + "\n")
        found = judge_path(str(path), lambda _: walker(name), replace(PLAIN, all_readings=True))
        assert found.outcome in (LogOutcome.LEGAL, LogOutcome.POSSIBLE) or found.reason.startswith(
            "nothing contradicts"
        )


def test_what_decides_next_leaves_what_the_longer_log_does(tmp_path: Path) -> None:
    """Of a view with holes too: an event is told with exactly the settings under which the log goes on with it."""
    name, looked = "go_goal", 0
    for seed in range(4) if FULL else (2,):
        path = view_of(name, tmp_path, seed, 18 + seed)
        log = explain(str(path), lambda _: walker(name), blind=True)
        text = path.read_text()
        for one in random_few(list(decisive(log, log.region or NOTHING))):
            line = encode_event(walker(name).core, Setting(log.verdict.players), one.event)
            path.write_text(f"{text}{json.dumps(line)}\n")
            longer = explain(str(path), lambda _: walker(name), blind=True)
            assert log.region
            assert longer.region
            after = longer.region.both(log.region)
            assert not after.less(one.left)
            assert not one.left.less(after)
            looked += 1
    assert looked


def random_few(found: list[Decisive]) -> list[Decisive]:
    return Random(1).sample(found, min(2, len(found)))


def test_a_position_of_which_not_all_is_known(tmp_path: Path) -> None:
    """It explains and refutes settings as far as nothing hangs on the rest; then it cannot be told."""
    path = tmp_path / "somewhere.jsonl"
    head = {"schema": "referee/log/1", "ruleset": "relations", "players": ["first", "second"],
            "state": {"turn": "first", "rest": "unknown"}}
    claim = {"by": "first", "do": "claim_silver", "with": {"number": 3}}
    path.write_text(f"{json.dumps(head)}\n{json.dumps(claim)}\n")
    told = explain(str(path), lambda _: walker("relations"))
    assert told.region is not None
    assert told.region.values(("silver_from", ()))[-1][1] == 3
    rest = {"by": "first", "do": "rest", "with": {"shot": "?"}}
    path.write_text(f"{json.dumps(head)}\n{json.dumps(rest)}\n")
    told = explain(str(path), lambda _: walker("relations"))
    assert (told.region, told.verdict.outcome) == (None, LogOutcome.UNKNOWN)
    assert "hand" in told.verdict.reason
