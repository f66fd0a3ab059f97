"""Gin rummy against a model in plain Python: what may be done at every decision of random games, and what is won."""

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


def worth(cards: Iterable[str]) -> int:
    return sum(min(rank(card), 10) for card in cards)


def is_meld(cards: Sequence[str]) -> bool:
    """A set or a run."""
    ranks = sorted(map(rank, cards))
    run = len({suit(card) for card in cards}) == 1 and ranks == list(range(ranks[0], ranks[0] + len(ranks)))
    return len(cards) >= 3 and (len(set(ranks)) == 1 or run)


def melds(cards: Sequence[str]) -> list[tuple[str, ...]]:
    """All melds among cards."""
    held = sorted(cards, key=lambda card: (suit(card), rank(card)))
    alike = [[card for card in held if rank(card) == one] for one in range(1, 14)]
    found = [group for some in alike for size in (3, 4) for group in combinations(some, size)]
    runs = (tuple(held[at:end]) for at in range(len(held)) for end in range(at + 3, len(held) + 1))
    return found + [run for run in runs if is_meld(run)]


def least(cards: Sequence[str]) -> int:
    """What is left over at least: every choice of melds is tried."""
    return min((least([card for card in cards if card not in meld]) for meld in melds(cards)), default=worth(cards))


class Table:
    """A deal, followed line by line."""

    def __init__(self) -> None:
        self.hands: dict[str, list[str]] = {player: [] for player in PLAYERS}
        self.heap: list[str] = []
        self.laid: list[list[str]] = []
        self.stock, self.refused, self.turn = 52, 0, "first"
        self.taken: str | None = None
        self.knocker: str | None = None
        self.may_throw = False
        self.kept = 0

    def take(self, did: Line) -> None:
        """What a line does."""
        by, args = did["by"], did.get("with", {})
        self.stock -= by == "fate"
        match did["do"]:
            case "deal" if "to" not in args:
                self.heap.append(args["card"])
            case "deal" | "draw" if by == "fate":
                to = args.get("to") or args["for"]
                self.hands[to].append(args["card"])
            case "draw":
                self.refused, self.taken, self.may_throw = 3, None, True
            case "take_up":
                self.refused, self.taken, self.may_throw = 3, self.heap.pop(), True
                self.hands[by].append(self.taken)
            case "refuse":
                self.refused, self.turn = self.refused + 1, self.other(by)
            case "pass":
                pass
            case "discard" | "knock" as what:
                self.hands[by].remove(args["card"])
                self.heap.append(args["card"])
                self.may_throw, self.turn = False, self.other(by)
                if what == "knock":
                    self.knocker, self.kept = by, least(self.hands[by])
            case "show":
                self.hands[by] = [card for card in self.hands[by] if card not in args["cards"]]
                self.laid.append(args["cards"])
            case _:  # something is laid off
                self.hands[by].remove(args["card"])
                self.laid[args["onto"] - 1].append(args["card"])

    @staticmethod
    def other(player: str) -> str:
        return "second" if player == "first" else "first"

    def legal(self) -> set[str]:
        """What may be done now."""
        mine = self.hands[self.turn]
        if self.knocker is not None:
            shown = self.hands[self.knocker]
            if worth(shown) > self.kept:
                return {line(self.knocker, "show", cards=sorted(meld, key=lambda card: (suit(card), rank(card))))
                        for meld in melds(shown) if least([card for card in shown if card not in meld]) == self.kept}
            return {line(self.turn, "pass")} | {
                line(self.turn, "lay_off", card=card, onto=at)
                for card in mine for at, meld in enumerate(self.laid, 1) if is_meld([*meld, card])}
        if self.may_throw:
            free = [card for card in mine if card != self.taken]
            return {line(self.turn, "discard", card=card) for card in free} | {
                line(self.turn, "knock", card=card) for card in free
                if least([one for one in mine if one != card]) <= 10}
        offered = {line(self.turn, "take_up")} if self.refused != 2 else set()
        return offered | {line(self.turn, "draw" if self.refused >= 2 else "refuse")}

    def scores(self) -> dict[str, int]:
        """What each has won."""
        if self.knocker is None:
            return dict.fromkeys(PLAYERS, 0)
        other = self.other(self.knocker)
        theirs = least(self.hands[other])
        won = theirs + 25 if self.kept == 0 else theirs - self.kept - 25 * (theirs <= self.kept)
        return {self.knocker: won, other: -won}


def toward_the_end(did: Line) -> bool:
    """Whether it is what somebody does who wants to knock."""
    return did["do"] in ("knock", "show", "lay_off", "draw") or (did["do"] == "discard"
                                                                 and rank(did["with"]["card"]) > 7)


def test_a_model_allows_the_same_and_counts_the_same() -> None:
    seen = set[str]()
    for seed in range(8):
        table, taken = Table(), 0
        for decision in decisions("gin_rummy", 2, seed, rather=toward_the_end):
            for did in decision.before[taken:]:
                table.take(did)
                seen.add(did["do"])
            taken = len(decision.before)
            if decision.scores is None:
                assert decision.legal == table.legal(), decision.before
            else:
                assert decision.scores == table.scores(), decision.before
    assert seen >= {"knock", "show", "lay_off"}
