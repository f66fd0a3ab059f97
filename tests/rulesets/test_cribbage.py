"""Cribbage against a model in plain Python: what may be done at every decision of random games, and every point."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from tests.rulesets.playing import Line, decisions, line

ORDER = ("ace", *map(str, range(2, 11)), "jack", "queen", "king")
PLAYERS = ("first", "second")


def rank(card: str) -> int:
    """1 to 13."""
    return ORDER.index(card.split("-")[0]) + 1


def suit(card: str) -> str:
    return card.split("-")[1]


def count(cards: Iterable[str]) -> int:
    """What cards count together."""
    return sum(min(rank(card), 10) for card in cards)


def is_run(cards: Sequence[str]) -> bool:
    ranks = sorted(map(rank, cards))
    return len(ranks) >= 3 and ranks == list(range(ranks[0], ranks[0] + len(ranks)))


def pegged(row: Sequence[str]) -> int:
    """What the last card of a row earns."""
    found = 2 * (count(row) in (15, 31))
    alike = next(n for n in range(len(row), 0, -1) if len({rank(card) for card in row[-n:]}) == 1)
    runs = [n for n in range(3, len(row) + 1) if is_run(row[-n:])]
    return found + alike * (alike - 1) + max(runs, default=0)


def shown(cards: Sequence[str], cut: str, is_crib: bool) -> int:
    """What four cards earn with the starter."""
    all_five = [*cards, cut]
    groups = [group for size in range(2, 6) for group in combinations(all_five, size)]
    found = sum(2 for group in groups if count(group) == 15)
    found += sum(2 for one, two in combinations(all_five, 2) if rank(one) == rank(two))
    runs = [len(group) for group in groups if is_run(group)]
    found += sum(length for length in runs if length == max(runs))
    if len({suit(card) for card in cards}) == 1:
        found += 5 if suit(cut) == suit(cards[0]) else 0 if is_crib else 4
    return found + any(card == f"jack-{suit(cut)}" for card in cards)


class Table:
    """A game, followed line by line."""

    def __init__(self) -> None:
        self.points = dict.fromkeys(PLAYERS, 0)
        self.dealer = "second"
        self.cut: str | None = None
        self.last = ""
        self.anew()

    def anew(self) -> None:
        """The next deal."""
        self.dealer = self.other(self.dealer)
        self.hands: dict[str, list[str]] = {player: [] for player in PLAYERS}
        self.laid: dict[str, list[str]] = {player: [] for player in PLAYERS}
        self.crib, self.row = list[str](), list[str]()
        self.cut, self.passes, self.turn = None, 0, self.other(self.dealer)

    @staticmethod
    def other(player: str) -> str:
        return "second" if player == "first" else "first"

    def won_by(self) -> str | None:
        return next((player for player in PLAYERS if self.points[player] >= 121), None)

    def earn(self, player: str, points: int) -> None:
        if self.won_by() is None:
            self.points[player] += points

    def take(self, did: Line) -> None:
        """What a line does."""
        by, args = did["by"], did.get("with", {})
        match did["do"]:
            case "deal":
                self.hands[args["to"]].append(args["card"])
            case "give":
                self.crib += args["cards"]
                self.hands[by] = [card for card in self.hands[by] if card not in args["cards"]]
            case "draw":
                self.cut = args["card"]
                self.earn(self.dealer, 2 * args["card"].startswith("jack"))
            case "lay":
                self.hands[by].remove(args["card"])
                self.laid[by].append(args["card"])
                self.row.append(args["card"])
                self.last, self.passes, self.turn = by, 0, self.other(by)
                self.earn(by, pegged(self.row))
                if count(self.row) == 31:
                    self.row = []
            case _:  # a pass
                self.passes, self.turn = self.passes + 1, self.other(by)
                if self.passes == 2:
                    self.earn(self.last, 1)
                    self.row, self.passes = [], 0
        if self.cut is not None and not self.row and not any(self.hands.values()):
            pone = self.other(self.dealer)
            for player in (pone, self.dealer):
                self.earn(player, shown(self.laid[player], self.cut, is_crib=False))
            self.earn(self.dealer, shown(self.crib, self.cut, is_crib=True))
            self.anew()

    def legal(self) -> set[str]:
        """What may be done now."""
        giving = next((player for player in PLAYERS if len(self.hands[player]) == 6), None)
        if giving is not None:
            held = sorted(self.hands[giving], key=lambda card: (suit(card), rank(card)))
            return {line(giving, "give", cards=list(two)) for two in combinations(held, 2)}
        can = {line(self.turn, "lay", card=card) for card in self.hands[self.turn] if count([*self.row, card]) <= 31}
        return can or {line(self.turn, "pass")}


def test_a_model_allows_the_same_and_counts_the_same() -> None:
    for seed in range(2):
        table, taken, result = Table(), 0, None
        for decision in decisions("cribbage", 2, seed, most=1_000):
            for did in decision.before[taken:]:
                table.take(did)
            taken, result = len(decision.before), decision.scores
            if result is None:
                assert decision.legal == table.legal(), decision.before
        assert result == table.points
        assert table.won_by() is not None


def test_what_hands_of_which_it_is_known_are_worth() -> None:
    assert shown(["5-clubs", "5-diamonds", "5-spades", "jack-hearts"], "5-hearts", is_crib=False) == 29
    assert shown(["2-clubs", "4-diamonds", "8-spades", "10-hearts"], "queen-hearts", is_crib=True) == 0
