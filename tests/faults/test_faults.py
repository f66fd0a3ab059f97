"""The table of faults in the README of a ruleset is what the rules and their tests make of it."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest

from tests.faults.__main__ import BEGIN, NOT_TRIED
from tests.faults.__main__ import rows as listed
from tests.faults.caught import Ruleset
from tests.sample_sizes import FULL

RULESETS = Path(__file__).parents[2] / "rulesets"
GAMES = sorted(path.parent.name for path in RULESETS.glob("*/README.md") if BEGIN in path.read_text("utf-8"))
EVERY = int(os.environ.get("REFEREE_FAULT_EVERY", "90"))
"""One in so many faults is put in again, of those that something notices and of the others; 1 for all."""
LARGE = 160
"""Faults of a ruleset. One that nothing notices is shown to all scenarios and logs, and games are played: for a ruleset
of so many faults this is done only if more than one in 45 of them are asked for."""
MANY = ("adrenaline", "il_mister")
"""Rulesets of which listing all faults takes half a minute: with full samples only."""
SLOW = (*MANY, "go_goal", "king_of_the_pitch")
"""Rulesets of which putting some in again takes ten seconds: with full samples only."""
NOTICING = ("scenario", "log")


@cache
def ruleset(name: str) -> Ruleset:
    return Ruleset(RULESETS / name)


def rows(name: str) -> list[str]:
    return listed(RULESETS / name / "README.md")


@pytest.mark.parametrize("name", [name for name in GAMES if FULL or name not in MANY])
def test_every_fault_is_listed(name: str) -> None:
    listed = [row.rpartition(" | ")[0] for row in rows(name)]
    assert listed == [f"| {one.kind} | {one.words} | {' '.join(one.cites)}" for one in ruleset(name).faults()]
    assert len(listed) >= 20


@pytest.mark.parametrize("name", [name for name in GAMES if FULL or name not in SLOW])
def test_some_are_put_in_again(name: str) -> None:
    rules = ruleset(name)
    told = [(fault, row, row.rpartition(" | ")[2].partition(": ")[0].rstrip(" |"))
            for fault, row in zip(rules.faults(), rows(name), strict=True)]
    for fault, row, by in [one for one in told if one[2] in NOTICING][::EVERY]:
        assert (rules.kept(fault, row) or rules.tried(fault)).by == by
    if len(told) < LARGE or EVERY < 45:
        for fault, _, by in [one for one in told if one[2] not in (*NOTICING, NOT_TRIED)][::EVERY]:
            assert rules.tried(fault).by == by


@pytest.mark.parametrize("name", GAMES)
def test_what_nothing_notices_is_said(name: str) -> None:
    missed = [row for row in rows(name) if "| missed" in row or "| not come to" in row]
    assert len(missed) <= len(rows(name)) // 20, missed


def test_a_slip_is_put_into_every_shape_that_has_its_place() -> None:
    rules = ruleset("il_mister")
    slips = [slip for slip in rules.slips("6_modes.rules") if slip.words.startswith("toss_for_opponents:")]
    cores = [rules.core(players, options) for players, options in rules.shapes if players == 4]
    assert len(slips) >= 20
    assert len(cores) == 4
    assert [slip.words for slip in slips[::1 if FULL else 24] for core in cores if slip.put(core) == core] == []
