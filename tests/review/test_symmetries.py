"""What is declared alike: found where the rules treat it otherwise, and nothing where they do not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.review.flawed import EFFORT, FLAWS, Reviewed, reviewed

CODE = "symmetry-break"
CARDS = """game "Cards" for 2 players ana and ben

type Suit is hearts, spades
type Rank is ace < two
kind Card is each of Suit and Rank

alike SUITS

components
  HEARTS of each Card in stock

zones
  stock: bag of Card, open
  basket of player: bag of Card, open

counters
  worth of player: 0..STARTS

play
  turns from ana, to the left, until stock is empty
    turn player must pick
  if worth of ana > worth of ben: ana wins
  else if worth of ben > worth of ana: ben wins
  else: all win

action pick(card: Card in stock)
  move card to basket of me
  TEST
"""


def cards(tmp_path: Path, test: str, suits: str = "Suit") -> Reviewed:
    path = tmp_path / "cards.rules"
    rules = CARDS.replace("TEST", test).replace("SUITS", suits).replace("HEARTS", "1").replace("STARTS", "9")
    path.write_text(rules, encoding="utf-8")
    return reviewed(path, CODE)


@pytest.mark.parametrize("seed", range(5))
def test_a_player_who_is_treated_otherwise_is_found(seed: int) -> None:
    done = reviewed(FLAWS / CODE / "flaw.rules", CODE, effort=replace(EFFORT, seed=seed))
    (found,) = done.of(CODE)
    assert (found.place, found.outcome.value, found.cites) == ("players", "found", ("S1",))
    assert found.witness is not None
    assert len(found.witness.events) <= 2
    assert len({one.end for one in found.candidates}) == 2
    assert 21 in {span.line for span in found.spans}
    assert done.accepted_by_judge(found.witness)


def test_nothing_is_found_of_the_twin_in_any_class() -> None:
    done = reviewed(FLAWS / CODE / "twin.rules")
    assert done.found.flaws == ()
    assert ("proved absent", "players") in done.known(CODE)


@pytest.mark.parametrize(("test", "suits", "places"), [
    ("if suit of card is hearts: raise worth of me by 1", "Suit", ["Suit"]),
    ("if suit of card is hearts: raise worth of me by 1", "spades, hearts", ["spades+hearts"]),
    ("if rank of card is ace: raise worth of me by 1", "Suit", []),
    ("if rank of card > ace: raise worth of me by 1", "Rank", ["Rank"]),
    ("if rank of card is ace: raise worth of me by 1; else: raise worth of me by 1", "Rank", []),
    ("if basket of me has at least 1 Card(ace, hearts): raise worth of me by 1", "Suit", ["Suit"]),
])  # fmt: skip
def test_suits_and_ranks_are_alike_if_no_rule_tells_them_apart(
    tmp_path: Path, test: str, suits: str, places: list[str]
) -> None:
    if "else" in test:
        test = test.replace("; else: ", "\n  else: ")
    assert [one.place for one in cards(tmp_path, test, suits).of(CODE)] == places


def test_what_is_exchanged_in_turn_is_proved_to_be_the_same(tmp_path: Path) -> None:
    """Both names stand in the rules, so the same comes of it with the one in the place of the other."""
    both = "if suit of card is hearts: raise worth of me by 1\n  if suit of card is spades: raise worth of me by 1"
    done = cards(tmp_path, both)
    assert done.of(CODE) == []
    assert done.known(CODE) == [("proved absent", "Suit")]


def test_players_who_do_not_begin_alike_are_told(tmp_path: Path) -> None:
    path = tmp_path / "start.rules"
    rules = (FLAWS / CODE / "twin.rules").read_text(encoding="utf-8")
    rules = rules.replace("counters\n", "kind Coin is COPPER\n\ncomponents\n  3 of each Coin in purse of ana\n\n"
                          "zones\n  purse of player: bag of Coin, open\n\ncounters\n")
    path.write_text(rules, encoding="utf-8")
    (found,) = reviewed(path, CODE).of(CODE)
    assert (found.place, found.witness) == ("players.start", None)
    assert "do not begin alike" in found.message
