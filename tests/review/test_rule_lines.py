"""What a review reads in the words of a line: each on a line of rules as they are laid out, so a new spelling fails."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from referee.frontend.loading.assembly import build, parsed
from referee.frontend.loading.ruleset_files import find
from referee.frontend.names.shapes import Shape
from referee.review import rule_lines
from referee.syntax.formatter import format_text

RULES = """\
game "Lines" for 2 players ana and ben

kind Pebble

components
  3 Pebble in box

zones
  box: bag of Pebble, open
  pot: bag of Pebble, open

counters
  purse of player: 0..20 starts 0
  bids of player: 0..20 starts 0

end as soon as number of pot >= 3: the p in players with the most purse, ties: with the most bids, then nobody wins

play
  turns from ana, to the left
    turn player must take one of earn, move_it, bet

action earn
  needs "he has less": purse of me < purse of opponent
  raise purse of me by 1

action move_it
  needs "few were bid": bids of me <= 12
  move 1 Pebble from box to pot

action bet
  unspecified "who bids when it is one of two?", one of
    he: raise bids of me by 1
    the_other: raise bids of opponent by 1
"""


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The lines of rules that are laid out and can be loaded."""
    path: Path = tmp_path_factory.mktemp("lines") / "lines.rules"
    path.write_text(RULES, "utf-8")
    assert format_text(RULES) == RULES
    build(parsed(find(path)), Shape())
    return [line.strip() for line in RULES.splitlines()]


def where(lines: list[str], said: Callable[[str], object]) -> list[str]:
    """How the lines begin of which something is said."""
    return [" ".join(line.split()[:2]) for line in lines if said(line)]


def test_a_line_that_says_that_nobody_says(lines: list[str]) -> None:
    assert where(lines, rule_lines.says_unspecified) == ["unspecified \"who"]
    assert not rule_lines.says_unspecified('needs "it is unspecified": unspecified_cards of me > 0')


def test_a_line_by_which_somebody_chooses(lines: list[str]) -> None:
    assert where(lines, rule_lines.offers_several) == ["turn player"]
    assert where(lines, rule_lines.is_chosen) == ["turn player", 'unspecified "who']
    assert rule_lines.is_chosen("turn player may earn")
    assert not rule_lines.offers_several('needs "one of two": purse of me > 1')


def test_a_line_that_breaks_ties(lines: list[str]) -> None:
    (end,) = [line for line in lines if rule_lines.breaks_ties(line)]
    assert end.startswith("end as soon as")
    assert rule_lines.says_who_wins_then(end)
    assert rule_lines.says_nobody_wins_then(end)
    assert not rule_lines.says_who_wins_then(end.replace(", then nobody wins", " wins"))


def test_a_line_that_compares(lines: list[str]) -> None:
    assert where(lines, rule_lines.is_compared) == ["end as", 'needs "he', 'needs "few']
    assert [rule_lines.compared_number(line) for line in lines if line.startswith("needs")] == ["", "12"]
    assert rule_lines.compared_number("12 < purse of me") == "12"
    assert rule_lines.compares_the_same("purse of me < purse of opponent")
    assert not rule_lines.compares_the_same("purse of me >= bids of me")


def test_a_line_that_quotes_moves_or_counts(lines: list[str]) -> None:
    assert [rule_lines.quoted(line) for line in lines if line.startswith("needs")] == ["he has less", "few were bid"]
    (move,) = [line for line in lines if line.startswith("move 1")]
    assert rule_lines.moved_and_place(move) == ("move 1 Pebble from box", "pot")
    assert [stock for line in lines if (stock := rule_lines.stock_of(line))] == [(3, "Pebble")]
