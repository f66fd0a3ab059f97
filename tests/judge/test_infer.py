"""The settings that explain logs are those under which each of them is legal, no more and no fewer."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, islice, product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.api.game_record import Recorder
from referee.core.ruleset import Role
from referee.core.types import Bool, Int
from referee.frontend import load_flow
from referee.game.setting import Setting
from referee.game.state import State
from referee.inference.distinguishing_events import DistinguishingGame, apart, decisive
from referee.inference.inference import infer, rulings
from referee.inference.setting_choice import pairs
from referee.interpreter.playouts import play_out
from referee.interpreter.walker import Walker
from referee.judge.log_run import judge_path
from referee.judge.open_settings.setting_sets import Choices
from referee.judge.open_settings.setting_verdicts import Explained, explain
from referee.judge.open_settings.value_ranges import Box, Place
from referee.judge.verdict import LogOutcome
from referee.native.engine_names import engine
from tests.judge.playing import PLAIN
from tests.sample_sizes import FULL, drawn

CONSTRUCTS = Path(__file__).parent.parent / "language" / "constructs"
SMALL = ("readings", "parameters", "relations", "rulings")
PLAYERS = {"relations": ("first", "second")}
MANY = int(os.environ.get("REFEREE_LAW_GAMES", "2"))


@lru_cache
def walker(name: str, players: int = 2) -> Walker:
    return engine(load_flow(CONSTRUCTS / f"{name}.rules" if name in SMALL else name, players, {}))


def settings_of(name: str) -> Iterator[dict[Place, int]]:
    """Every combination of readings and parameters that is related as the rules say."""
    rules = walker(name)
    ranges: dict[Place, range] = {(one, ()): range(len(known.choices)) for one, known in rules.core.readings.items()}
    for one, var in rules.layout.defs.items():
        if var.role is Role.PARAMETER:
            values_of = range(var.type.lo, var.type.hi + 1) if isinstance(var.type, Int) else range(2)
            ranges |= {(one, key): values_of for key in rules.layout.vars[one].keys()}
    for values in islice(product(*ranges.values()), 200_000):
        chosen = dict(zip(ranges, values, strict=True))
        setting = setting_of(name, chosen)
        if rules.relations.broken(rules.entries(setting)) is None:
            yield chosen


def setting_of(name: str, chosen: dict[Place, int], players: tuple[str, ...] = ()) -> Setting:
    rules = walker(name)
    readings = {one: value for (one, _), value in chosen.items() if one in rules.core.readings}
    parameters: dict[str, dict[tuple[int, ...], Any]] = {}
    for (one, key), value in chosen.items():
        if one not in rules.core.readings:
            flag = isinstance(rules.layout.defs[one].type, Bool)
            parameters.setdefault(one, {})[key] = bool(value) if flag else value
    return Setting(players or PLAYERS.get(name, ("ana", "ben")), readings=readings, parameters=parameters)


def written(folder: Path, name: str, setting: Setting, seed: int, longest: int, *, damaged: bool = False) -> Path:
    """A random game under a setting, as a log that tells nothing of it; maybe one event of it is another's."""
    rules = walker(name, len(setting.players))
    game = play_out(rules, setting, seed, 400)
    lines = [json.loads(line) for line in Recorder(rules, {}).lines(game.setting, game.events, game.last, ())]
    for entry in ("readings", "parameters", "rulings", "note"):
        lines[0].pop(entry, None)
    lines = lines if len(lines) <= longest else lines[:longest]
    if damaged and len(lines) > 2:
        other = play_out(rules, setting, seed + 10_000, 400)
        donor = [json.loads(line) for line in Recorder(rules, {}).lines(other.setting, other.events, other.last, ())]
        index = Random(seed).randrange(1, min(len(lines), len(donor)))
        lines[index] = donor[index]
    path = folder / f"{seed:03}.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return path


def inside(box: Box, chosen: dict[Place, int]) -> bool:
    return all(one.lo <= chosen[one.place] <= one.hi for one in box)


def among(choices: Choices, chosen: dict[Place, int]) -> bool:
    """Whether a setting is one of a set."""
    return any(inside(box, chosen) for box in choices.boxes())


def stands(path: Path, name: str, chosen: dict[Place, int]) -> bool:
    """Whether a log is legal under one setting, judged by itself."""
    rules = walker(name)
    head = json.loads(path.read_text().splitlines()[0])
    lines = path.read_text().splitlines()[1:]
    setting = setting_of(name, chosen, tuple(head["players"]))
    head |= Recorder(rules, {}).header(setting, ()) | {key: value for key, value in head.items() if key == "given"}
    again = path.with_suffix(".again")
    again.write_text("\n".join([json.dumps(head), *lines]) + "\n")
    verdict = judge_path(str(again), lambda _: rules, PLAIN)
    assert verdict.outcome in (LogOutcome.LEGAL, LogOutcome.ILLEGAL, LogOutcome.STOPPED), verdict.outcome
    # A game that goes on where the rules stop is not explained by them.
    return verdict.outcome is LogOutcome.LEGAL or (
        verdict.outcome is LogOutcome.STOPPED and verdict.lines == len(lines) + 1 and verdict.at == verdict.lines
    )


@pytest.mark.parametrize("name", SMALL)
def test_exactly_the_settings_under_which_a_log_is_legal(name: str, tmp_path: Path) -> None:
    every = list(settings_of(name))
    random = Random(7)
    few = every if len(every) <= 150 else random.sample(every, 150)
    illegal = 0
    for seed in range(8):
        hidden = random.choice(every)
        path = written(tmp_path, name, setting_of(name, hidden), seed, 8, damaged=seed % 2 == 1)
        told = explain(str(path), lambda _: walker(name))
        assert told.region is not None
        for chosen in [*few, hidden]:
            holds = among(told.region, chosen)
            assert holds == stands(path, name, chosen), (seed, chosen)
        illegal += not all(among(told.region, chosen) for chosen in few)
    assert illegal, "no log said anything of the settings"


@pytest.mark.parametrize("name", SMALL)
def test_exactly_the_settings_that_explain_several_logs(name: str, tmp_path: Path) -> None:
    every = list(settings_of(name))
    random = Random(8)
    some = drawn(40, of=80)
    few = every if len(every) <= some else random.sample(every, some)
    for trial in range(3):
        hidden = [random.choice(every) for _ in range(2)]
        paths = [written(tmp_path, name, setting_of(name, hidden[seed % 2]), 10 * trial + seed, 6) for seed in range(4)]
        told = infer([explain(str(path), lambda _: walker(name)) for path in paths])
        assert told.region is not None
        for chosen in few:
            holds = among(told.region, chosen)
            assert holds == all(stands(path, name, chosen) for path in paths)
        assert told.complete
        assert bool(told.clashing) == (not told.region)


def test_minimal_sets_of_logs_that_contradict_each_other(tmp_path: Path) -> None:
    """Every set named is explained by nothing, each of its parts by something, and no other such set is left out."""
    logs = []
    for seed in range(6):
        chosen: dict[Place, int] = {("exchange", ()): seed % 2, ("floor", ()): seed // 2 % 2}
        logs.append(explain(str(written(tmp_path, "readings", setting_of("readings", chosen), seed, 6)),
                            lambda _: walker("readings")))
    told = infer(logs)
    unexplained = {frozenset(log.path for log in chosen) for number in range(1, 7)
                   for chosen in combinations(logs, number) if not infer(chosen).region}
    minimal = {one for one in unexplained if not any(other < one for other in unexplained)}
    assert {frozenset(paths) for paths in told.clashing} == minimal
    assert minimal


def test_what_would_decide_next(tmp_path: Path) -> None:
    """After one blow with nothing at stake, the next one shows how they fall."""
    path = tmp_path / "short.jsonl"
    path.write_text('{"schema": "referee/log/1", "ruleset": "readings", "players": ["ana", "ben"]}\n')
    log = explain(str(path), lambda _: walker("readings"))
    assert log.region is not None
    assert log.region.everything
    assert list(decisive(log, log.region)) == []
    path.write_text(path.read_text() + '{"by": "ana", "do": "strike", "with": {"force": 3}}\n')
    log = explain(str(path), lambda _: walker("readings"))
    assert log.region is not None
    events = {one.event.by: one.left for one in decisive(log, log.region)}
    assert list(events) == [1]
    assert events[1].values(("exchange", ())) == [(1, 1)]


def test_settings_are_told_apart_by_a_game_or_by_none(tmp_path: Path) -> None:
    rules = walker("readings")
    at_once, one_by_one = (Setting(("ana", "ben"), readings={"exchange": index, "floor": 0}) for index in (0, 1))
    found = apart(rules, one_by_one, at_once, 0)
    assert found.exhaustive
    assert len(found.events) == 2
    assert not apart(rules, at_once, at_once, 5).events
    assert apart(rules, at_once, at_once, 5).exhaustive


ALIKE = {("go_goal", "refill"), ("go_goal", "red_goes"), ("adrenalyn_xl", "summed"), ("adrenalyn_xl", "keeper_damage")}
"""Readings that random games hardly ever bring up: a pack that runs out, whether a card comes back out of one that has,
a drawn match of a tournament (an option), hurt Goalkeepers, which change goals and no event before the end."""


@pytest.mark.parametrize(("name", "players"), [("go_goal", 3), *([("adrenalyn_xl", 2)] if FULL else [])])
def test_every_two_choices_of_a_reading_are_told_apart(name: str, players: int) -> None:
    rules = walker(name, players)
    seated = ("ana", "ben", "cleo")[:players]
    games = drawn(12, of=30) if MANY == 2 else 1_000
    for one, reading in rules.core.readings.items():
        for pair in combinations(range(len(reading.choices)), 2):
            settings = [Setting(seated, readings={one: index}) for index in pair]
            found = [apart(rules, one_by, other, games) for one_by, other in (settings, settings[::-1])]
            print(name, one, pair, [(len(side.events), side.games, side.exhaustive) for side in found])
            assert any(side.events for side in found) or (name, one) in ALIKE
            for side, other in zip(found, settings[::-1], strict=True):
                assert not side.events or allowed(rules, side, other) == (len(side.events), len(side.events) - 1)


def allowed(rules: Walker, side: DistinguishingGame, other: Setting) -> tuple[int, int]:
    """How many events of a game its own setting allows, and how many the other one."""
    there = replace(other, givens=side.setting.givens, parameters=side.setting.parameters)
    numbers = []
    for setting in (side.setting, there):
        step, number = rules.begin(setting), 0
        for event in side.events:
            if not isinstance(step, State) or rules.check(step, event) is not None:
                break
            step, number = rules.advance(step, event), number + 1
        numbers.append(number)
    return numbers[0], numbers[1]


def test_a_choice_of_the_table_that_explains_all(tmp_path: Path) -> None:
    hidden = Setting(("ana", "ben"))
    paths = [written(tmp_path, "rulings", hidden, seed, 40) for seed in range(3)]
    for path in paths:
        lines = [line for line in path.read_text().splitlines() if '"by": "table"' not in line]
        path.write_text("\n".join(lines) + "\n")
    logs = [explain(str(path), lambda _: walker("rulings")) for path in paths]
    told = infer(logs)
    assert told.region
    for fixed in rulings(told, lambda _: walker("rulings"), blind=False):
        assert set(fixed.explaining) <= set(fixed.tried)


def test_a_log_that_nothing_explains(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text('{"schema": "referee/log/1", "ruleset": "readings", "players": ["ana", "ben"]}\n'
                    '{"by": "ben", "do": "strike", "with": {"force": 1}}\n')
    told = infer([explain(str(path), lambda _: walker("readings"))])
    assert told.region is not None
    assert not told.region
    assert told.clashing == ((str(path),),)
    wrong = told.logs[0].verdict.wrong
    assert wrong is not None
    assert (wrong.line, wrong.kind.value) == (2, "wrong player")


@pytest.mark.parametrize("text", ["", "{}", '{"schema": "referee/log/1", "ruleset": "x", "players": ["a"]}\n',
                                  '{"schema": "referee/log/1", "ruleset": "readings", "players": ["ana", "ben"]}\n{'])
def test_a_log_that_cannot_be_read_says_so(text: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(text)
    told = explain(str(path), lambda _: walker("readings"))
    assert told.region is None
    assert told.verdict.outcome is LogOutcome.UNREADABLE
    assert isinstance(told, Explained)
    assert list(pairs(infer([told]), 1, 0)) == []
