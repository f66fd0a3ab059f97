"""Ctrl-C during a review: what is known by then is looked at for a few seconds; a second one ends it at once."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from referee.api.rule_sources import RulesSource
from referee.api.runs.witness_games import load_for, shapes_of
from referee.diagnostics.exit_codes import Exit
from referee.frontend import load_flow
from referee.frontend.loading.assembly import parsed
from referee.frontend.loading.ruleset_files import find
from referee.frontend.names.shapes import Shape
from referee.native.engine_names import engine
from referee.review import review as reviews
from referee.review.detectors import DETECTORS, Detector
from referee.review.finding import Finding, FindingOutcome
from referee.review.review import Review, review
from referee.review.subject import ReviewEffort, Subject
from referee.simulation.game_samples import Plays
from referee.simulation.state_space import StateSpace
from referee.system.deadline import LAST_SECONDS, Clock, OutOfTime

FLAWS = Path(__file__).parent / "flaws"
PLAYERS = ("x", "o")


def ctrl_c(*said: str) -> Callable[[str], None]:
    """What hears of progress, and presses Ctrl-C at each of these words, once."""
    left = list(said)

    def hear(now: str) -> None:
        if left and now.endswith(left[0]):
            del left[0]
            signal.raise_signal(signal.SIGINT)

    return hear


def looked_at(
    flaw: str, progress: Callable[[str], None], *codes: str, elsewhere: Sequence[Shape] = ()
) -> Review:
    """A review without a search, that is interrupted."""
    path = FLAWS / flaw / "flaw.rules"
    loaded = parsed(find(str(path)))
    effort = ReviewEffort(games=24, events=200, positions=0)
    load = load_for(RulesSource(str(path)))
    return review(loaded, load, shapes_of(loaded.range, 2), effort, None, codes, progress, elsewhere)


def test_the_games_played_before_it_are_kept_and_that_which_is_broken_off_is_none() -> None:
    clock, walker = Clock(None), engine(load_flow("breakthrough"))
    broken_off = Plays(walker, PLAYERS, 1, 9, 500, clock, progress=ctrl_c("game 4 of 9"))
    assert clock.hurried
    assert not broken_off.in_time
    assert broken_off.said == "3 games"
    assert broken_off.games == Plays(walker, PLAYERS, 1, 3, 500, Clock(None)).games
    assert {v.game for kept in broken_off.visits.values() for v in kept} <= {0, 1, 2}
    with pytest.raises(OutOfTime):
        list(broken_off.more(1))


def test_the_positions_found_before_it_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, walker = Clock(None), engine(load_flow("tic_tac_toe"))
    advance, left = walker.advance, iter(range(50))

    def advanced(*given: object) -> object:
        if next(left, None) is None and not clock.hurried:
            raise KeyboardInterrupt
        return advance(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(walker, "advance", advanced)
    space = StateSpace.searched(walker, PLAYERS, 10_000, clock)
    assert clock.hurried
    assert not space.whole
    assert 20 < space.size <= 51


def test_a_flaw_that_the_games_show_is_told_although_not_all_were_played() -> None:
    found = looked_at("gap-case", ctrl_c("game 12 of 24"), "gap-case", "contradiction", "no-end")
    assert [(one.outcome, one.witness is not None) for one in found.flaws] == [(FindingOutcome.FOUND, True)]
    assert found.exit == Exit.INTERRUPTED
    (rest,) = found.of("no-end")
    assert rest.outcome is FindingOutcome.UNKNOWN
    assert rest.message.startswith("11 games")
    assert rest.message.endswith("; then it was interrupted")


def test_a_second_one_ends_it_at_once() -> None:
    found = looked_at("gap-case", ctrl_c("game 12 of 24", "gap-case, 2 players"), "gap-case", "no-end")
    assert found.exit == Exit.INTERRUPTED
    later = looked_at("gap-case", ctrl_c("game 12 of 24", "no-end, 2 players"), "gap-case", "no-end")
    assert [one.code for one in later.flaws] == ["gap-case"]
    assert later.of("no-end") == ()


def test_a_check_that_is_interrupted_is_unknown_and_the_others_look_at_what_is_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stopped(_: Subject) -> Iterator[Finding]:
        raise KeyboardInterrupt
        yield

    checks = [Detector("first", "first", stopped), next(one for one in DETECTORS if one.code == "gap-case")]
    monkeypatch.setattr(reviews, "DETECTORS", checks)
    found = looked_at("gap-case", lambda _: None, "first", "gap-case")
    assert [(one.outcome, one.message) for one in found.of("first")] == [(FindingOutcome.UNKNOWN, "it was interrupted")]
    assert found.interrupted


def test_what_must_be_so_everywhere_says_that_the_rest_was_not_looked_at() -> None:
    found = looked_at("dead", ctrl_c("shadowed, 2 players"), "dead", "shadowed", elsewhere=[Shape(2)])
    assert found.shapes == (2,)
    (dead,) = [one for one in found.of("dead") if one.outcome.is_flaw]
    assert dead.notes.count(reviews.UNSEEN) == 1
    (whole,) = [one for one in looked_at("dead", lambda _: None, "dead").of("dead") if one.outcome.is_flaw]
    assert reviews.UNSEEN not in whole.notes


def test_after_it_a_few_seconds_are_left_for_every_part_once() -> None:
    whole = Clock(None)
    part = whole.part(0.5).part(0.5)
    assert part.left() > LAST_SECONDS
    assert part.hurry()
    assert 0 < whole.left() <= LAST_SECONDS
    assert 0 < part.left() <= LAST_SECONDS
    assert not whole.hurry()


def test_an_answer_to_what_was_not_looked_at_any_more_is_not_out_of_date(tmp_path: Path) -> None:
    """With more players it may be asked, and nobody has looked at these."""
    path = tmp_path / "game.rules"
    path.write_text("""\
game "Round" for 2..3 players

given starter: player "who begins"

play
  turns from starter, to the left
    turn player must stop

action stop
  me wins

settled "question/play.gone/must.may" by [S-1] "player"
""", encoding="utf-8")
    (tmp_path / "statements.toml").write_text('[statement.S-1]\ntext = "A player stops."\n', encoding="utf-8")
    loaded = parsed(find(str(path)))
    load, shapes = load_for(RulesSource(str(path))), shapes_of(loaded.range, None)
    stale = "question/play.gone/must.may is settled here, and cannot be asked"
    for hear, told in ((lambda _: None, True), (ctrl_c("question, 2 players"), False)):
        found = review(loaded, load, shapes, ReviewEffort(games=2), None, ["question"], hear)
        assert (stale in [one.message for one in found.flaws]) == told
