"""Plays hands of no-limit hold'em with pokerkit: `python -m tests.foreign.poker_agreement --scratch FOLDER`.

As `tests.foreign.agreement` does for other games: each hand is told in PHH, converted and judged, as often damaged and
judged again, and in `--asked` of them what is legal is compared at every decision, fate's too. Needs the extra
`oracles`.
"""

from __future__ import annotations

import io
import json
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any, cast

from referee.api.runs.log_engines import Rules
from referee.convert.conversion import FollowedGame, begun, convert
from referee.convert.foreign_game import BoundedLines, ForeignGame
from referee.convert.hand_history import read_hands
from referee.convert.mapping import FormatMapping, read_mapping
from referee.game.log.strict_json import Json
from tests.foreign.agreement import KINDS, Comparison, Found, along, damaged, options
from tests.foreign.oracle import Oracle, written

NAME = "holdem"
RANKS = dict(zip("23456789TJQKA", ("2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king", "ace"),
                 strict=True))
SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
DECK = [rank + suit for suit in SUITS for rank in RANKS]
"""All cards as PHH writes them, in the order of the rules."""
CALLED = {card: f"{RANKS[card[0]]}-{SUITS[card[1]]}" for card in DECK}
CARDS = {called: card for card, called in CALLED.items()}


class LeftOut(Exception):
    """The hand has come to where the other program goes another way, as `spec/agreement.md` says."""


class Allowed(Mapping[str, tuple[str, ...]]):
    """What is legal at a position, each event with its step in PHH; looked up without listing all of it."""

    def __init__(self, oracle: PokerOracle) -> None:
        self._oracle = oracle

    def __getitem__(self, event: str) -> tuple[str, ...]:
        step = self._oracle.step(json.loads(event))
        if step is None:
            raise KeyError(event)
        return (step,)

    def __iter__(self) -> Iterator[str]:
        return self._oracle.every()

    def __len__(self) -> int:
        return sum(1 for _ in self)


@dataclass(frozen=True)
class PokerOracle:
    """A position of pokerkit."""

    state: Any
    names: tuple[str, ...]
    big: int

    @property
    def events(self) -> Mapping[str, tuple[str, ...]]:
        return Allowed(self)

    @cached_property
    def results(self) -> tuple[float, ...] | None:
        return None if self.state.status else tuple(map(float, self.state.payoffs))

    @cached_property
    def dealt(self) -> tuple[int | None, int]:
        """Who is dealt cards now (None: the middle), and how many; 0 if a player is asked."""
        state = self.state
        if state.can_deal_hole():
            return next(seat for seat in range(len(self.names)) if len(state.hole_cards[seat]) < 2), 2
        return (None, 1 if any(state.board_cards) else 3) if state.can_deal_board() else (None, 0)

    @cached_property
    def unseen(self) -> list[str]:
        """The cards that lie nowhere."""
        state = self.state
        gone = {repr(card) for cards in (*state.hole_cards, *state.board_cards, *self.folded) for card in cards}
        return [card for card in DECK if card not in gone]

    @property
    def folded(self) -> Sequence[Any]:
        """The cards that were thrown away."""
        return [self.state.mucked_cards]

    def raises(self) -> range:
        """To how much who is asked may raise."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if not self.state.can_complete_bet_or_raise_to():
                return range(0)
            return range(self.state.min_completion_betting_or_raising_to_amount,
                         self.state.max_completion_betting_or_raising_to_amount + 1)

    def every(self) -> Iterator[str]:
        """Each legal event."""
        if self.results is not None:
            return
        seat, number = self.dealt
        if number:
            for cards in combinations(self.unseen, number):
                yield written(self._deal(seat, cards))
            return
        me = self.names[self.state.actor_index]
        yield written({"by": me, "do": "fold"})
        yield written({"by": me, "do": "call" if self.state.checking_or_calling_amount else "check"})
        for to in self.raises():
            yield written({"by": me, "do": "raise", "with": {"to": to}})

    def _deal(self, seat: int | None, cards: Sequence[str]) -> dict[str, Json]:
        where: dict[str, Json] = {} if seat is None else {"to": self.names[seat]}
        return {"by": "fate", "do": "deal", "with": {**where, "cards": [CALLED[card] for card in cards]}}

    def step(self, event: Mapping[str, Any]) -> str | None:
        """A legal event as PHH has it; None for any other."""
        if self.results is not None:
            return None
        seat, number = self.dealt
        args = event.get("with", {})
        if number:
            cards = [CARDS.get(str(card), "") for card in args.get("cards", ())]
            legal = set(cards) <= set(self.unseen) and len(set(cards)) == len(cards) == number
            same = event["by"] == "fate" and args.get("to") == (None if seat is None else self.names[seat])
            where = "db" if seat is None else f"dh {self.names[seat]}"
            return f"d {where} {''.join(cards)}" if legal and same else None
        me = self.names[self.state.actor_index]
        said = "call" if self.state.checking_or_calling_amount else "check"
        if event["by"] != me:
            return None
        if event["do"] == "raise":
            return f"{me} cbr {args['to']}" if args.get("to") in self.raises() else None
        return {"fold": f"{me} f", said: f"{me} cc"}.get(event["do"])

    def after(self, event: str) -> PokerOracle:
        """The position after a legal event. Raises `LeftOut`."""
        said = json.loads(event)
        step = self.step(said)
        assert step is not None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            state = deepcopy(self.state)
            match said["do"]:
                case "deal":
                    cards = "".join(CARDS[card] for card in said["with"]["cards"])
                    if self.dealt[0] is None:
                        state.deal_board(cards)
                    else:
                        state.deal_hole(cards, self.dealt[0])
                case "fold":
                    state.fold()
                case "raise":
                    self._whole(said["with"]["to"])
                    state.complete_bet_or_raise_to(said["with"]["to"])
                case _:
                    state.check_or_call()
        made = PokerOracle(state, self.names, self.big)
        made.told()
        return made

    def _whole(self, to: int) -> None:
        """A first bet or raise that is too short counts as a whole one there."""
        state = self.state
        if state.completion_betting_or_raising_amount < self.big and to - max(state.bets) < self.big:
            raise LeftOut

    def told(self) -> None:
        """Raises `LeftOut` where nothing is left to be decided and somebody is asked, and where chips are left over
        and losers have thrown their cards away, so that pots are shared out as one."""
        state = self.state
        if state.status and state.actor_index is not None:
            me = state.actor_index
            able = [seat for seat in range(len(self.names)) if state.statuses[seat] and state.stacks[seat]]
            if able == [me] and state.bets[me] >= max(state.bets):
                raise LeftOut
        if not state.status and self.uneven(state):
            raise LeftOut

    @staticmethod
    def uneven(state: Any) -> bool:
        """Whether a pot that several have shared had chips left over."""
        shared = [[amount for amount in one.amounts if amount] for one in state.operations
                  if type(one).__name__ == "ChipsPushing"]
        return any(len(set(amounts)) > 1 for amounts in shared) or (
            len(shared) > 1 and any(len(amounts) > 1 for amounts in shared))


@dataclass
class Hand:
    """What two programs are asked with in one hand."""

    stacks: tuple[int, ...]
    small: int
    big: int
    ante: int
    whole: FormatMapping
    load: Rules
    ruleset: str = NAME
    game: str = "phh"
    steps: list[str] = field(default_factory=list)
    skip: int = 1

    @property
    def mapping(self) -> FormatMapping:
        """The mapping for so many players, and with the odd chips as pokerkit gives them."""
        return replace(self.whole.seated(len(self.stacks)), header={
            **self.whole.header, "readings": {"odd_chips": "first_takes_all"}})

    def oracle(self) -> PokerOracle:
        """The other program at the beginning of the hand."""
        from pokerkit import Automation, Mode, NoLimitTexasHoldem

        own = {Automation.HOLE_DEALING, Automation.BOARD_DEALING}
        state = NoLimitTexasHoldem.create_state(
            tuple(one for one in Automation if one not in own), True, self.ante, (self.small, self.big), self.big,
            self.stacks, len(self.stacks), mode=Mode.CASH_GAME)
        return PokerOracle(state, self.mapping.players, self.big)

    def _written(self, steps: Sequence[str], results: Sequence[float]) -> ForeignGame:
        blinds = [self.small, self.big, *[0] * (len(self.stacks) - 2)]
        after = [int(stack + won) for stack, won in zip(self.stacks, results, strict=True)]
        text = (f"variant = 'NT'\nantes = {[self.ante] * len(self.stacks)}\nblinds_or_straddles = {blinds}\n"
                f"min_bet = {self.big}\nstarting_stacks = {list(self.stacks)}\nfinishing_stacks = {after}\n"
                f"actions = {json.dumps(list(steps), indent=1)}\n")
        return next(read_hands(BoundedLines(io.BytesIO(text.encode()), "hand")))

    def followed(self) -> FollowedGame:
        """Our rules there."""
        return begun(self._written((), [0] * len(self.stacks)), NAME, self.mapping, self.load)

    def recorded(self, events: Sequence[str], results: Sequence[float]) -> tuple[str, ...]:
        """The log of the hand, by the converter."""
        made = convert(self._written(self.steps, results), NAME, self.mapping, self.load, NAME)
        assert not made.troubles, made.troubles
        said = [written(json.loads(line)) for line in made.lines[1:] if '"do"' in line]
        assert said == list(events), "the converter says something else"
        return tuple(made.lines)


def drawn(random: Random, whole: FormatMapping, load: Rules, deep: int) -> Hand:
    """A table by lot: nobody has less than the big blind."""
    players, big = random.choice((2, 2, 3, 3, 4, 5, 6, 9)), random.choice((2, 6, 10))
    ante = random.choice((0, 0, 1))
    stacks = tuple(random.randint(big + ante, big * random.choice((3, 10, deep)) + ante) for _ in range(players))
    return Hand(stacks, big // 2, big, ante, whole, load)


def played(hand: Hand, random: Random) -> tuple[list[str], tuple[float, ...]]:
    """A hand by lot. Raises `LeftOut`."""
    oracle, events = hand.oracle(), list[str]()
    hand.steps = []
    while oracle.results is None:
        seat, number = oracle.dealt
        if number:
            cards = sorted(random.sample(oracle.unseen, number), key=DECK.index)
            event = written(oracle._deal(seat, cards))
        else:
            me, raises = oracle.names[oracle.state.actor_index], oracle.raises()
            call = oracle.state.checking_or_calling_amount
            choice: list[dict[str, Json]] = [{"by": me, "do": "call" if call else "check"}] * 5
            choice += [{"by": me, "do": "fold"}] * 2 if call else []
            ends = (raises[0], raises[0], raises[-1], random.choice(raises)) if raises else ()
            choice += [{"by": me, "do": "raise", "with": {"to": to}} for to in ends]
            event = written(random.choice(choice))
        hand.steps += oracle.events[event]
        events.append(event)
        oracle = oracle.after(event)
    return events, oracle.results


def damaged_hand(hand: Hand, lines: Sequence[str], positions: Sequence[Oracle], wrong: int,
                 random: Random) -> tuple[list[str], int, str]:
    """A log with one thing wrong, the line where it shows first, and what was done."""
    for kind in (*(KINDS[wrong % len(KINDS)],) * 20, "wrong result"):
        try:
            made = damaged(cast(Comparison, hand), lines, positions, kind, random)
        except LeftOut:
            continue
        if made is not None:
            return *made, kind
    raise ValueError("nothing could be damaged")


def compare(games: int, ask: int, keep: int, scratch: Path) -> int:
    """Compares; how many differences there were."""
    whole, load = read_mapping(Path(f"rulesets/classics/{NAME}.mapping.toml"), "phh"), Rules(NAME)
    random, found = Random(NAME), Found(NAME, ask, keep, scratch)
    while found.right < games:
        hand = drawn(random, whole, load, 20 if found.right < ask else 200)
        try:
            events, results = played(hand, random)
        except LeftOut:
            continue
        lines, with_ = hand.recorded(events, results), cast(Comparison, hand)
        positions = along(with_, events)
        found.game(with_, events, positions, lines)
        found.wrong(with_, *damaged_hand(hand, lines, positions, found.damaged, random))
    return found.done("pokerkit", print)


if __name__ == "__main__":
    given = options(__doc__).parse_args()
    sys.exit(1 if compare(given.games, given.asked, given.keep, given.scratch) else 0)
