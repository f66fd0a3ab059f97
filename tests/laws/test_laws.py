"""Laws that hold in every game, whatever its rules: tried on random games of every ruleset in every shape.

Few games by default. `REFEREE_LAW_GAMES=200 pytest tests/laws` tries so many of each (1 by default), and
`REFEREE_LAW_EVENTS` is how long one may be at most (200 by default). What takes long is tried on the beginnings of
games, an eighth of that. Games that are slow (`tests/sample_sizes.py`) are shorter, unless full samples are asked for.
"""

from __future__ import annotations

import io
import os
from collections import Counter
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from referee.api.game_record import Recorder
from referee.core.ruleset import Form, Role
from referee.flow.lowering import lower
from referee.game.log.log_header import Header
from referee.game.log.log_reader import Log
from referee.game.player_views import table
from referee.game.setting import Setting
from referee.game.state import Open, State, Stopped
from referee.interpreter.closures.statement_closures import fitting
from referee.interpreter.closures.zone_moves import components
from referee.interpreter.playouts import CUT, END, STOPPED, play_out
from referee.interpreter.walker import Walker
from referee.judge.log_run import judge_log
from referee.judge.verdict import LogOutcome, LogVerdict
from tests.laws.games import NAMES, Game, play, setting_for, strange
from tests.laws.pairs import disguises, prompt, refusals, side_by_side
from tests.laws.shapes import Case, cases, core_of, loaded, places, shapes, walker_of
from tests.sample_sizes import CLASSICS, CONSTRUCTS, by_lot, drawn, fewer, in_turn
from tests.twin.compare import compare

GAMES = int(os.environ.get("REFEREE_LAW_GAMES", drawn(1, of=2)))
EVENTS = int(os.environ.get("REFEREE_LAW_EVENTS", "200"))
BEGINNING = EVENTS // 8
LISTED = 2_000
def every(law: str) -> pytest.MarkDecorator:
    """Every ruleset in its usual shapes; those whose turn it is with a law."""
    small = in_turn(cases(), law, 28, CLASSICS | CONSTRUCTS)
    large = by_lot((case for case in small if case.where.is_dir()), law, 9)
    looked = [case for case in small if case in large or not case.where.is_dir()]
    return pytest.mark.parametrize("case", looked, ids=str)


@pytest.mark.parametrize("where", places(), ids=lambda where: where.stem)
def test_every_ruleset_loads(where: Path) -> None:
    assert list(shapes(loaded(where)))


def most(case: Case, usual: int = EVENTS) -> int:
    """How many events a game of it may have."""
    return fewer(case.where.stem, usual)


@cache
def games(case: Case) -> tuple[Game, ...]:
    return tuple(play(walker_of(case), seed, most(case)) for seed in range(GAMES))


# --- conservation

@every("lost")
def test_components_are_neither_lost_nor_made(case: Case) -> None:
    walker = walker_of(case)
    for game in games(case):
        for step in game.steps:
            state = step if isinstance(step, State) else step.state
            assert state is not None, step
            assert dict(lying(walker, state)) == {index: one.number for index, one in enumerate(walker.core.components)}


def lying(walker: Walker, state: State) -> Counter[int]:
    """How many of each class lie anywhere. Contents have the form that their zone says."""
    found: Counter[int] = Counter(dict.fromkeys(range(len(walker.core.components)), 0))
    for zone in walker.core.zones.values():
        for key in walker.layout.zones[zone.name].keys():
            content = walker.layout.read_zone(state, zone.name, key)
            assert isinstance(content, tuple)
            here = components(zone, content)
            assert len(here) <= zone.capacity
            assert {walker.core.components[index].kind for index in here} <= set(zone.kinds)
            if zone.form in (Form.BAG, Form.PILE):
                blocks = content if zone.form is Form.PILE else [content]
                assert all(list(block) == sorted(block) for block in blocks)  # type: ignore[arg-type, type-var]
                assert zone.form is Form.BAG or all(blocks)
            found.update(here)
    return found


@every("range")
def test_variables_stay_in_their_range(case: Case) -> None:
    walker = walker_of(case)
    for game in games(case):
        for state, _ in game.states[:: max(1, len(game.states) // 12)]:
            for var in walker.layout.defs.values():
                for key in walker.layout.vars[var.name].keys():
                    value = walker.layout.read_var(state, var.name, key)
                    assert not isinstance(value, Open)
                    assert fitting(var.type)(value) or var.role is Role.RESULT, (var.name, key, value)


# --- only what is legal is accepted

@every("listed")
def test_what_is_listed_is_accepted_and_nothing_else(case: Case) -> None:
    walker, random = walker_of(case), Random(str(case))
    for game in games(case):
        for state, event in random.sample(game.states, min(12, len(game.states))):
            legal = list(islice(walker.legal(state), LISTED))
            assert legal, "a point that nobody can leave"
            assert len(set(legal)) == len(legal)
            assert event is None or event in legal or len(legal) == LISTED
            assert {one.by for one in legal} <= walker.asked(state).by
            for one in random.sample(legal, min(40, len(legal))):
                assert walker.check(state, one) is None, one
            for one in strange(walker.core, [*legal, *game.events], random, 40):
                if len(legal) < LISTED:
                    assert (walker.check(state, one) is None) == (one in legal), one


# --- nobody is told what he has not observed

@every("observed")
def test_what_a_player_has_not_observed_changes_nothing_for_him(case: Case) -> None:
    walker = walker_of(case)
    for seed in range(GAMES):
        setting = setting_for(walker, Random(seed))
        for player in range(walker.core.seats.number):
            for number, moment in enumerate(side_by_side(walker, player, seed, most(case, EVENTS // 6))):
                assert prompt(moment.one, player) == prompt(moment.other, player)
                assert moment.one.remembered(player) == moment.other.remembered(player)
                if moment.differs:
                    told = [refusals(one, setting, player, number) for one in (moment.one, moment.other)]
                    assert told[0] == told[1]


@every("hidden")
def test_what_lies_hidden_is_not_on_the_table(case: Case) -> None:
    walker, random = walker_of(case), Random(str(case))
    for game in games(case):
        for state, _ in random.sample(game.states, min(3, len(game.states))):
            for player in range(walker.core.seats.number):
                seen = table(walker.core, walker.layout, state, player)
                found = list(disguises(walker, state, player, random))
                for other in random.sample(found, min(6, len(found))):
                    assert table(walker.core, walker.layout, other, player) == seen


def test_pairs_of_games_really_differ() -> None:
    """The law above says nothing about rulesets in which everything lies open; of these it does."""
    for case in cases():
        if case.where.stem in ("kuhn_poker", "goofspiel"):
            sights = [zone.sight for zone in core_of(case).zones.values()]
            assert not all(sight.everybody for sight in sights)
            pairs = [moment.differs for seed in range(3) for moment in side_by_side(walker_of(case), 0, seed, 50)]
            assert any(pairs), case


# --- play-outs

@every("ends")
def test_a_play_out_ends_as_it_may_and_its_log_is_legal(case: Case) -> None:
    walker = walker_of(case)
    for seed in range(GAMES):
        setting = setting_for(walker, Random(seed))
        game = play_out(walker, setting, seed, most(case))
        assert game.outcome in (END, STOPPED, CUT), game.last
        lines = list(Recorder(walker, dict(case.shape.options)).lines(game.setting, game.events, game.last, ()))
        verdict = judged(walker, lines)
        assert verdict.outcome is (LogOutcome.STOPPED if game.outcome == STOPPED else LogOutcome.LEGAL), verdict
        assert verdict.under == ()
        assert verdict.finished == (game.outcome == END)
        assert verdict.events == len(game.events)
        if isinstance(game.last, Stopped):
            assert verdict.reason == f"{game.last.point.name}: {game.last.why}"


def judged(walker: Walker, lines: list[str]) -> LogVerdict:
    def load(_: Header) -> Walker:
        return walker

    return judge_log(Log(io.StringIO("".join(f"{line}\n" for line in lines)), "game.jsonl"), load)


@every("seed")
def test_the_same_seed_gives_the_same_game(case: Case) -> None:
    again = Walker(lower(core_of(case)))
    for seed in range(GAMES):
        setting = Setting(core_of(case).seats.roles or NAMES[: core_of(case).seats.number])
        one, other = (play_out(walker, setting, seed, most(case)) for walker in (walker_of(case), again))
        assert one == other


@every("twin")
def test_walker_and_twin_agree_step_for_step(case: Case) -> None:
    core = core_of(case)
    for seed in range(GAMES):
        compare(core, seed, most(case, BEGINNING), setting_for(walker_of(case), Random(seed)))
