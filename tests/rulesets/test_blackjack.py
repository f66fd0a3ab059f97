"""Blackjack against a model in plain Python: what may be done at every decision of random games, and what is won."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from tests.rulesets.playing import NAMES, Line, decisions, line

FACES = {"ace": 1, "jack": 10, "queen": 10, "king": 10}


def pips(card: str) -> int:
    """What a card counts, an ace 1."""
    rank = card.split("-")[0]
    return FACES.get(rank) or int(rank)


def total(cards: Sequence[str]) -> int:
    """The best that cards are worth."""
    hard = sum(map(pips, cards))
    return hard + 10 if hard <= 11 and any(card.startswith("ace") for card in cards) else hard


@dataclass
class Hand:
    """The cards of a stake."""

    stake: int
    cards: list[str] = field(default_factory=list)
    stands: bool = False

    @property
    def open(self) -> bool:
        return not self.stands and total(self.cards) <= 21


class Table:
    """A round, followed line by line."""

    def __init__(self, players: Sequence[str], plain: bool) -> None:
        self.players, self.plain = players, plain
        self.hands: dict[str, list[Hand]] = {}
        self.house: list[str] = []
        self.waiting: list[Hand] = []
        """The hands to which the next cards go that somebody asked for."""

    def natural(self, cards: Sequence[str]) -> bool:
        return not self.plain and len(cards) == 2 and total(cards) == 21

    def has_natural(self, player: str) -> bool:
        return len(self.hands[player]) == 1 and self.natural(self.hands[player][0].cards)

    def take(self, did: Line) -> None:
        """What a line does."""
        by, args = did["by"], did.get("with", {})
        match did["do"]:
            case "bet":
                self.hands[by] = [Hand(args["chips"])]
            case "deal" if "cards" in args:
                self.hands[args["to"]][0].cards += args["cards"]
            case "deal" if "to" in args:
                self.waiting.pop(0).cards.append(args["card"])
            case "deal":
                self.house.append(args["card"])
            case "split":
                one = self.hands[by][0]
                one.cards.remove(args["card"])
                self.hands[by].append(Hand(one.stake, [args["card"]]))
                self.waiting += self.hands[by]
                for hand in self.hands[by]:
                    hand.stands = args["card"].startswith("ace")
            case what:
                hand = next(hand for hand in self.hands[by] if hand.open)
                hand.stands = what != "hit"
                if what == "double":
                    hand.stake *= 2
                if what != "stand":
                    self.waiting.append(hand)

    def legal(self) -> set[str]:
        """What may be done now."""
        betting = next((player for player in self.players if player not in self.hands), None)
        if betting is not None:
            return {line(betting, "bet", chips=chips) for chips in range(1, 11)}
        for player in self.players:
            hand = next((hand for hand in self.hands[player] if hand.open), None)
            if hand is None or self.has_natural(player):
                continue
            found = {line(player, "hit"), line(player, "stand")}
            if not self.plain and len(hand.cards) == 2:
                found.add(line(player, "double"))
                if len(self.hands[player]) == 1 and pips(hand.cards[0]) == pips(hand.cards[1]):
                    found |= {line(player, "split", card=card) for card in hand.cards}
            return found
        return set()

    def gain(self, player: str) -> int:
        """What a player has won or lost."""
        house, won = total(self.house), 0
        for hand in self.hands[player]:
            mine = total(hand.cards)
            if self.has_natural(player) and not self.natural(self.house):
                won += hand.stake * 3 // 2
            elif mine > 21 or (self.natural(self.house) and not self.has_natural(player)):
                won -= hand.stake
            elif house > 21 or mine != house:
                won += hand.stake if house > 21 or mine > house else -hand.stake
        return won


@pytest.mark.parametrize(("ways", "players"), [("all_ways", 3), ("plain", 1)])
def test_a_model_allows_the_same_and_counts_the_same(ways: str, players: int) -> None:
    seen = set[str]()
    for seed in range(7):
        names = NAMES[:players]
        for decision in decisions("blackjack", players, seed, ways=ways,
                                  rather=lambda did: did["do"] == "split"):
            table = Table(names, ways == "plain")
            for did in decision.before:
                table.take(did)
                seen.add(did["do"])
            if decision.scores is None:
                assert decision.legal == table.legal(), decision.before
            else:
                assert decision.scores == {name: table.gain(name) for name in names}, decision.before
                assert total(table.house) >= 17 or all(
                    total(hand.cards) > 21 or table.has_natural(name)
                    for name, hands in table.hands.items() for hand in hands)
    assert seen >= {"hit", "stand"} | ({"double", "split"} if ways == "all_ways" else set())
