"""Games played toward what no other game comes to: they go where the rules lead, and what they show is a game."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.api.rule_sources import RulesSource
from referee.api.runs.scenario_examples import told_in
from referee.api.runs.witness_games import load_for
from referee.core.flow import Ask, Rule
from referee.frontend.loading.assembly import parsed
from referee.frontend.loading.ruleset_files import find
from referee.frontend.names.shapes import Shape
from referee.native.engine_names import engine
from referee.review.finding import Finding, FindingOutcome
from referee.review.review import review
from referee.review.subject import ReviewEffort
from referee.simulation.guided_search import Toward, distances
from referee.simulation.shrinking import replayed
from referee.system.deadline import Clock

DEPTH = 9
STAIRS = "".join(
    f"action up_{n}(foot: 0..1)\n  me must take one of up_{n + 1}, fall, trip, rest as next_{n}\n\n"
    for n in range(DEPTH)
)
# the given number has so many values that no search looks at all games
RULES = f"""game "Stairs" for 2 players ana and ben

counters
  turns_left: 0..40 starts 40
  height of player: 0..9

given lucky: 0..99

reading bell "who rings at the top is heard: by whom?"
  default by_himself "by himself"
  alternative by_the_other "by the other one"

play
  turns from ana, to the left, until turns_left = 0
    lower turns_left by 1
    turn player must take one of up_0, fall, trip, rest as first_step
  nobody wins

action fall
  nothing

action trip
  nothing

action rest
  nothing

{STAIRS}
action up_{DEPTH}(foot: 0..1)
  OPEN
"""
OPEN = """unspecified "he is at the top: what does he see?", one of
    the_sea: set height of me to 9
    the_fog: set height of me to 0"""
READ = """if bell is by_himself: set height of me to 8
  else: set height of opponent to 8"""
ORDER = """for each p in players
    set height of p to larger of (height of me) and (height of opponent)
    raise height of p by 1, not above 9"""
AT_THE_TOP = f"""
scenario "somebody stands below the last step"
  given turns_left is 3
  with lucky is 7
  turn of ana
  ana {"; ana ".join(f"up_{n} 1" for n in range(DEPTH + 1))}
"""
EFFORT = ReviewEffort(games=1, events=150, positions=0)
"""The first game is one by chance, which hardly gets to the top."""


def found_in(
    folder: Path, at_the_top: str, code: str, effort: ReviewEffort = EFFORT, *, told: bool = False
) -> list[Finding]:
    path = folder / "stairs.rules"
    rules = RULES.replace("OPEN", at_the_top)
    path.write_text(rules + (AT_THE_TOP if told else ""), encoding="utf-8")
    effort = ReviewEffort(effort.games, effort.events, 0, told=told_in(RulesSource(str(path))))
    loaded = parsed(find(str(path)))
    return list(review(loaded, load_for(RulesSource(str(path))), [Shape()], effort, None, (code,)).of(code))


TOPS = pytest.mark.parametrize(("at_the_top", "code"), [
    (OPEN, "gap-case"), (READ, "reading-divergence"), (ORDER, "no-order"),
])


@TOPS
def test_what_a_random_game_hardly_comes_to_is_found_from_the_beginning(
    tmp_path: Path, at_the_top: str, code: str
) -> None:
    (found,) = [one for one in found_in(tmp_path, at_the_top, code, told=True) if one.place]
    assert found.outcome is FindingOutcome.FOUND
    assert found.witness is not None
    assert found.witness.tale is None
    flow, _ = load_for(RulesSource(str(tmp_path / "stairs.rules")))(Shape())
    assert replayed(engine(flow), found.witness.setting, found.witness.events) is not None


@TOPS
def test_what_they_do_not_come_to_is_a_candidate_that_says_so(tmp_path: Path, at_the_top: str, code: str) -> None:
    short = ReviewEffort(games=3, events=4)
    (found,) = [one for one in found_in(tmp_path, at_the_top, code, short, told=True) if one.place]
    assert found.outcome is FindingOutcome.CANDIDATE
    assert found.notes[-1] == "3 games were played toward it from the start, and none of them shows it"
    known = [one for one in found_in(tmp_path, at_the_top, code, short) if one.outcome is FindingOutcome.BOUNDED]
    assert code == "gap-case" or [one.message.endswith(", nor in 3 played toward it") for one in known] == [True]


def test_the_distance_counts_what_is_asked_on_the_way(tmp_path: Path) -> None:
    path = tmp_path / "stairs.rules"
    path.write_text(RULES.replace("OPEN", OPEN), encoding="utf-8")
    flow, _ = load_for(RulesSource(str(path)))(Shape())
    goals = {at for at, node in enumerate(flow.nodes) if isinstance(node, Rule) and node.candidates is not None}
    far = distances(flow, goals)
    assert {far[at] for at in goals} == {0}
    asked = sorted({far[at] for at, node in enumerate(flow.nodes) if isinstance(node, Ask)})
    assert asked == list(range(1, DEPTH + 2))


def test_ctrl_c_ends_them_and_what_is_known_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr(Toward, "_nearer", interrupted)
    path = tmp_path / "stairs.rules"
    path.write_text(RULES.replace("OPEN", ORDER) + AT_THE_TOP, encoding="utf-8")
    effort = ReviewEffort(1, 4, 0, told=told_in(RulesSource(str(path))))
    load = load_for(RulesSource(str(path)))
    found = review(parsed(find(str(path))), load, [Shape()], effort, None, ("no-order", "shadowed"))
    assert found.interrupted
    assert [one.outcome for one in found.of("no-order") if one.place] == [FindingOutcome.CANDIDATE]
    assert [one.outcome for one in found.of("shadowed")] == [FindingOutcome.ABSENT]


def test_one_seed_plays_the_same_games(tmp_path: Path) -> None:
    path = tmp_path / "stairs.rules"
    path.write_text(RULES.replace("OPEN", OPEN), encoding="utf-8")
    flow, players = load_for(RulesSource(str(path)))(Shape())
    goals = {at for at, node in enumerate(flow.nodes) if isinstance(node, Rule) and node.candidates is not None}
    played = [list(Toward(engine(flow), players, goals, seed, Clock(None)).games(4, 60)) for seed in (1, 1, 2)]
    assert played[0] == played[1] != played[2]
    assert any(game.came for game in played[0])
