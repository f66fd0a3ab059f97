"""What is taken for granted, and points of which rules say nothing, are questions with the game in which it matters."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.api.rule_sources import RulesSource
from referee.api.runs.witness_games import load_for
from referee.cli.main import run
from referee.frontend.loading.assembly import parsed
from referee.frontend.loading.ruleset_files import find
from referee.frontend.names.shapes import Shape
from referee.game.state import Failed, Stopped
from referee.interpreter.walker import Walker
from referee.review.finding import Finding
from referee.review.review import Review, review
from referee.review.subject import ReviewEffort
from referee.simulation.shrinking import replayed
from tests.changed_text import changed

EFFORT = ReviewEffort(games=6, events=60, positions=200)
PEBBLES = """game "Pebbles" for 2 players ana and ben

assume the_last_one_wins "whoever takes the last one has won"
assume never_so "the heap never grows"

counters
  heap: 0..9 starts 9
  seen of player: 0..9

play
  turns from ana, to the left
    turn player must take one of take_away, wait

action take_away                                                            [inferred]
  lower heap by 1
  raise seen of me by 1                                                     [inferred]
  if heap = 0: me wins                                                      [the_last_one_wins]

action wait
  needs "the heap has grown": heap > 9                                      [never_so]
  nothing
"""
TIED = """game "Tied" for 2 players ana and ben

counters
  points of player: 0..3
  turns_left: 0..2 starts 2

play
  turns from ana, to the left, until turns_left = 0
    turn player must take one of score, wait
  the p in players with the most points wins

action score
  raise points of me by 1, not above 3
  lower turns_left by 1

action wait
  lower turns_left by 1
"""


def asked(tmp_path: Path, rules: str, only: str = "question") -> tuple[Review, Walker]:
    path = tmp_path / "game.rules"
    path.write_text(rules, encoding="utf-8")
    load = load_for(RulesSource(str(path)))
    return review(parsed(find(str(path))), load, [Shape()], EFFORT, only=[only]), Walker(load(Shape())[0])


def one(found: Review, name: str) -> Finding:
    (flaw,) = [flaw for flaw in found.flaws if flaw.id == name]
    return flaw


def test_a_line_that_only_says_that_it_is_inferred_is_a_question_with_its_game(tmp_path: Path) -> None:
    found, walker = asked(tmp_path, PEBBLES)
    raised = one(found, "question/take_away.raise-seen-of-me-by-1/granted.not_so")
    assert raised.witness is not None
    assert len(raised.witness.events) == 1
    assert replayed(walker, raised.witness.setting, raised.witness.events) is not None
    so, not_so = raised.candidates
    assert so.end != not_so.end
    assert raised in found.new


def test_a_line_without_which_there_are_no_rules_is_told_with_the_game_that_comes_there(tmp_path: Path) -> None:
    found, _ = asked(tmp_path, PEBBLES)
    head = one(found, "question/take_away.action-take_away/granted.not_so")
    assert head.witness is not None
    assert [event.label for event in head.witness.events] == ["take_away"]
    assert len(head.candidates) == 1


def test_what_is_assumed_is_accepted_in_its_own_words(tmp_path: Path) -> None:
    found, _ = asked(tmp_path, PEBBLES)
    last = one(found, "question/the_last_one_wins/granted.not_so")
    assert last.witness is not None
    assert len(last.witness.events) == 9
    assert found.accepted[last.id].reason == "whoever takes the last one has won"
    assert last not in found.new


def test_a_question_about_what_is_taken_for_granted_can_be_answered(tmp_path: Path) -> None:
    name = "question/take_away.raise-seen-of-me-by-1/granted.not_so"
    found, _ = asked(tmp_path, PEBBLES + f'\naccept "{name}" because "it is for the record"\n')
    assert one(found, name) not in found.new
    settled, _ = asked(tmp_path, PEBBLES + f'\nsettled "{name}" by [S-1] "seen"\n')
    assert [flaw.message for flaw in settled.flaws if "seen" in flaw.message]  # no statement has the words


def test_the_ordinary_review_does_not_tell_what_is_taken_for_granted(tmp_path: Path) -> None:
    found, _ = asked(tmp_path, PEBBLES, "shadowed")
    assert "inferred" not in {check.code for check in found.checks}
    assert not found.accepted


@pytest.mark.parametrize(("tie", "number"), [("", 1), (", ties: unspecified", 0), (", ties: random", 0)])
def test_a_tie_of_which_nothing_is_said_is_a_question_and_unspecified_answers_it(
    tmp_path: Path, tie: str, number: int
) -> None:
    found, walker = asked(tmp_path, changed(TIED, {"most points": f"most points{tie}"}))
    ties = [flaw for flaw in found.flaws if "/tie.not_said" in flaw.id]
    assert len(ties) == number
    for flaw in ties:
        assert flaw.witness is not None
        assert replayed(walker, flaw.witness.setting, flaw.witness.events) is not None
        assert [(candidate.text, candidate.end) for candidate in flaw.candidates] == [
            ("All who are still level have won", "it is the end of the game"),
            ("Of those who are still level nobody has won", "it is the end of the game")]
        assert flaw.message.endswith("several are still level, and the rules do not say who has won")
        assert [said.partition(": ")[2] for said in flaw.wordings] == [
            '"All who are still level have won."', '"Of those who are still level nobody has won."']
        assert flaw.weight is not None


def test_a_line_that_cannot_be_carried_out_is_asked_first(tmp_path: Path) -> None:
    """What the sentence leaves out is a case in which the rules make an error: games end there."""
    found, walker = asked(tmp_path, changed(TIED, {"by 1, not above 3": "by 4"}))
    first = found.flaws[0]
    assert first.id.endswith("/fail.not_said")
    assert first.witness is not None
    assert isinstance(replayed(walker, first.witness.setting, first.witness.events), Failed)
    assert first.witness.minimised
    assert first.candidates[0].text == "It may not be done then"


@pytest.mark.parametrize(("last", "number"), [("", 1), ('  unspecified "nobody has won: what then?"\n', 0)])
def test_a_game_that_cannot_go_on_is_the_first_question(tmp_path: Path, last: str, number: int) -> None:
    rules = changed(TIED, {"  the p in players with the most points wins\n": last})
    found, walker = asked(tmp_path, rules)
    stops = [flaw for flaw in found.flaws if flaw.id.endswith("/stop.not_said")]
    assert len(stops) == number
    if stops:
        assert found.flaws[0] == stops[0]
        assert stops[0].witness is not None
        assert isinstance(replayed(walker, stops[0].witness.setting, stops[0].witness.events), Stopped)
        assert stops[0].witness.minimised


def test_words_are_asked_of_a_statement_only_where_they_are_known(tmp_path: Path) -> None:
    cited = changed(TIED, {"turn player must take one of score, wait": "turn player must score  [T-1]"})
    cited = changed(cited, {"action score\n": "action score(number: 1..2)\n", "of me by 1": "of me by number"})
    found, _ = asked(tmp_path, cited)
    (must,) = [flaw for flaw in found.flaws if "/must." in flaw.id]
    assert must.cites == ("T-1",)
    assert not any(line.startswith("settled") and line.endswith("\"...\"") for line in must.lines)


def test_the_position_of_any_finding_with_a_game_is_drawn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "tied.rules"
    path.write_text(TIED, encoding="utf-8")
    run(["review", str(path), "--only", "no-chooser", "--games", "4"])
    told = capsys.readouterr().out
    assert "found[no-chooser]" in told
    assert "= position: after these events (all cards open)" in told
    assert "turns_left: 0" in told


def test_without_a_line_that_alone_asks_in_a_loop_there_are_no_rules(tmp_path: Path) -> None:
    asks = """    window                                                                      [both_may_wait]
      ask ana, then ben
      may wait
      until all pass
    turn player must take_away
"""
    rules = changed(PEBBLES, {"    turn player must take one of take_away, wait\n": asks})
    found, _ = asked(tmp_path, rules.replace("counters", 'assume both_may_wait "both may wait first"\n\ncounters', 1))
    window = one(found, "question/both_may_wait/granted.not_so")
    assert len(window.candidates) == 1  # the game that comes there; none without it
    assert len(one(found, "question/the_last_one_wins/granted.not_so").candidates) == 2


def test_lines_of_which_the_table_takes_one_are_not_asked_about(tmp_path: Path) -> None:
    ends = "  the p in players with the most points, ties: all wins\n"
    said = changed(TIED, {"  the p in players with the most points wins\n": ends})
    open_, _ = asked(tmp_path, said)
    assert [flaw.id for flaw in open_.flaws if flaw.id.endswith("/who.nobody_of_several")]
    ruling = '  unspecified "who has won?", one of\n    the_best: ' + ends.strip() + "\n    nobody_does: nobody wins\n"
    ruled, _ = asked(tmp_path, changed(said, {ends: ruling}))
    assert not [flaw.id for flaw in ruled.flaws if flaw.id.endswith("/who.nobody_of_several")]


def test_a_line_whose_result_is_spoken_of_later_stays(tmp_path: Path) -> None:
    first = """    carry out who_begins(ana) as first_one                                      [he_begins]
    raise seen of first_one by 1, not above 9
"""
    rules = PEBBLES.replace("    turn player must take", first + "    turn player must take").replace(
        "counters", 'assume he_begins "who begins is looked up each time"\n\ncounters', 1)  # fmt: skip
    named = "\nprocedure who_begins(p: player) gives best: player\n  let best = p\n"
    found, _ = asked(tmp_path, rules + named)
    assert len(one(found, "question/he_begins/granted.not_so").candidates) == 1  # the game that comes there
