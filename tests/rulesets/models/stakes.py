"""A hand of no-limit poker with two cards each and five for all: whose turn it is, what he may stake, who gets what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king", "ace")


def value_of_five(cards: Sequence[str]) -> tuple[int, ...]:
    """What five cards are worth: larger beats smaller."""
    ranks = sorted((RANKS.index(card.split("-")[0]) for card in cards), reverse=True)
    alike = sorted(((number, rank) for rank, number in Counter(ranks).items()), reverse=True)
    shape = tuple(number for number, _ in alike)
    order = tuple(rank for _, rank in alike)
    straight = len(alike) == 5 and (ranks[0] - ranks[4] == 4 or ranks == [12, 3, 2, 1, 0])
    top = (3,) if ranks[:2] == [12, 3] else (ranks[0],)
    flush = len({card.split("-")[1] for card in cards}) == 1
    if straight and flush:
        return (8, *top)
    if flush:
        return (5, *order)
    if straight:
        return (4, *top)
    shapes = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1, (1, 1, 1, 1, 1): 0}
    return (shapes[shape], *order)


def value_of(cards: Sequence[str]) -> tuple[int, ...]:
    """What the best five of seven cards are worth."""
    return max(map(value_of_five, combinations(cards, 5)))


@dataclass
class Seat:
    """A player: what he brought, has left, has staked in this round and in all of them; `met`: what was to be called
    when he last acted in this round."""

    brought: int
    left: int = 0
    bet: int = 0
    staked: int = 0
    met: int | None = None
    out: bool = False
    hand: list[str] = field(default_factory=list)

    def pay(self, chips: int, *, bet: bool = True) -> None:
        """Stakes so many chips, or those that are left."""
        chips = min(chips, self.left)
        self.left -= chips
        self.staked += chips
        if bet:
            self.bet += chips


class Stakes:
    """A hand. Seats are numbered as they are listed; `turn` is None while cards are dealt and when all is over."""

    def __init__(self, brought: Sequence[int], dealer: int, small: int, big: int, ante: int, each_one: bool) -> None:
        self.seats = [Seat(chips, chips) for chips in brought]
        self.big, self.each_one = big, each_one
        count = len(brought)
        self.order = [(dealer + step) % count for step in range(1, count + 1)]
        blind = dealer if count == 2 else self.order[0]
        for seat in self.seats:
            seat.pay(ante, bet=False)
        self.seats[blind].pay(small)
        self.seats[(blind + 1) % count].pay(big)
        self.middle: list[str] = []
        self.call, self.step = big, big
        self.turn: int | None = None
        self.first = (blind + 2) % count

    @property
    def rest(self) -> list[Seat]:
        """Those who have not folded."""
        return [seat for seat in self.seats if not seat.out]

    def deal(self, seat: int, cards: Sequence[str]) -> None:
        """Somebody gets his cards; the bets begin with the last of them."""
        self.seats[seat].hand = list(cards)
        if all(one.hand for one in self.seats):
            self._ask(self.first)

    def open(self, cards: Sequence[str]) -> None:
        """Cards are laid in the middle, and another round begins."""
        self.middle += cards
        for seat in self.seats:
            seat.bet, seat.met = 0, None
        self.call, self.step = 0, self.big
        self._ask(self.order[0])

    def _ask(self, at: int) -> None:
        """Whose turn it is, looking from somebody on; nobody's if the round is over."""
        self.turn = None
        if len(self.rest) == 1:
            return
        count = len(self.seats)
        able = [seat for seat in self.rest if seat.left]
        for seat in (n % count for n in range(at, at + count)):
            one = self.seats[seat]
            if one.out or not one.left:
                continue
            if len(able) == 1:
                behind = one.bet < max(other.bet for other in self.seats)
            else:
                behind = one.met is None or one.bet < self.call
            if behind:
                self.turn = seat
                return

    def raises(self) -> range:
        """To how much who is asked may raise."""
        assert self.turn is not None
        me = self.seats[self.turn]
        most = me.bet + me.left
        others = [one for one in self.rest if one is not me and one.bet + one.left > self.call]
        if most <= self.call or not others or (me.met is not None and self.call - me.met < self.step):
            return range(0)
        return range(min(self.call + self.step, most), most + 1)

    def act(self, do: str, to: int = 0) -> None:
        """Who is asked folds, checks, calls or raises."""
        assert self.turn is not None
        seat, me = self.turn, self.seats[self.turn]
        if do == "fold":
            me.out = True
        elif do == "raise":
            me.pay(to - me.bet)
            self.step = max(self.step, to - self.call)
            self.call = to
        else:
            me.pay(self.call - me.bet)
        me.met = self.call
        self._ask((seat + 1) % len(self.seats))

    def scores(self) -> list[int]:
        """What each has won or lost in the end."""
        won = Counter[int]()
        values = {seat: value_of([*one.hand, *self.middle]) if len(self.rest) > 1 else ()
                  for seat, one in enumerate(self.seats) if not one.out}
        levels = sorted({self.seats[seat].staked for seat in values})
        for below, level in zip([0, *levels], levels, strict=False):
            pot = sum(min(one.staked, level) - min(one.staked, below) for one in self.seats)
            inside = [seat for seat in self.order if seat in values and self.seats[seat].staked >= level]
            best = max(values[seat] for seat in inside)
            takers = [seat for seat in inside if values[seat] == best]
            share, odd = divmod(pot, len(takers))
            for place, seat in enumerate(takers):
                won[seat] += share + (int(place < odd) if self.each_one else odd if place == 0 else 0)
        return [one.left + won[seat] - one.brought for seat, one in enumerate(self.seats)]
