"""Which classes a fork tells apart, where something is moved on one of its ways alone."""

from __future__ import annotations

from pathlib import Path

from referee.core.flow import Flow
from referee.frontend import load_flow
from referee.interpreter.walker import Walker
from referee.proofs.lemmas.forked_classes import told_apart

RULES = """game "Fines" for 2 players first and second

type Sort is gentle, hard

kind Card is WALK, RUN, FALL, TRIP

table sort of Card: Sort
  WALK | gentle
  RUN  | gentle
  FALL | hard
  TRIP | hard

kind Coin is PENNY

components
  1 of each Card in deck
  9 PENNY in bank

zones
  deck: pile of Card, face down
  shown: bag of Card, open
  bank: bag of Coin, open
  purse of player: bag of Coin, open

setup
  shuffle deck

play
  turns from first, to the left, until deck is empty
    deal 1 from deck to shown as card
    depending on sort of card
      hard
        turn player may pay
        if card is TRIP: turn player may pay
      otherwise: turn player must earn

action earn
  move PENNY from bank to purse of me

action pay
  move PENNY from purse of me to bank
"""


def masks(path: Path, zones: set[str], among: set[str]) -> set[frozenset[str]]:
    flow = made(path)
    names = [str(one.name) for one in flow.core.components]
    inside = frozenset(i for i, name in enumerate(names) if name in among)
    return {frozenset(names[c] for c in mask)
            for mask in told_apart(Walker(flow).layout, flow, frozenset(zones), inside)}


def made(path: Path) -> Flow:
    where = path / "fines.rules"
    where.write_text(RULES, encoding="utf-8")
    return load_flow(where)


def test_by_what_was_read_of_a_card_and_stored_and_by_which_card_it_is(tmp_path: Path) -> None:
    found = masks(tmp_path, {"purse"}, {"WALK", "RUN", "FALL", "TRIP"})
    assert found == {frozenset({"FALL", "TRIP"}), frozenset({"TRIP"})}


def test_not_where_nothing_is_moved_that_matters(tmp_path: Path) -> None:
    assert masks(tmp_path, {"deck"}, {"WALK", "RUN", "FALL", "TRIP"}) == set()


def test_nor_classes_that_do_not_matter(tmp_path: Path) -> None:
    assert masks(tmp_path, {"purse"}, {"PENNY", "WALK"}) == set()
