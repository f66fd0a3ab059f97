"""Of faults put into a large game a comparison finds most: a small share of what `fault_share` measures."""

from __future__ import annotations

from pathlib import Path

from referee.api.game_setting import players_of
from referee.api.rule_sources import RulesSource
from referee.comparison.comparing import compared
from referee.comparison.correspondence import Correspondence
from referee.comparison.search import CompareEffort
from referee.flow.lowering import lower
from referee.native.engine_names import engine
from referee.system.deadline import Clock
from tests.faults.faults import faults
from tests.faults.text import Text

RULESET = Path(__file__).parents[2] / "rulesets" / "adrenalyn_xl"
TRIED = ("play_action: the move to being_played goes to discards", "play: the move to deck goes to initial_cards")
EFFORT = CompareEffort(games=1, events=40, positions=0)


def test_faults_of_a_large_game_are_found() -> None:
    source = RulesSource(str(RULESET))
    core = source.flow(2, {}).core
    one, players = engine(lower(core)), players_of(core)
    found = {fault.words: fault for fault in faults(core, Text(source.loaded.sources))}
    for words in TRIED:
        other = engine(lower(found[words].put(core)))
        assert compared(one, other, players, Correspondence(), "", EFFORT, Clock(None)).differences, words
