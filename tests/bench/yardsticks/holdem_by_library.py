"""No-limit hold'em by pokerkit: the actions of a hand judged one by one, and the result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pokerkit import Automation, Card, Mode, NoLimitTexasHoldem

OWN = {Automation.HOLE_DEALING, Automation.BOARD_DEALING}
BY_ITSELF = tuple(one for one in Automation if one not in OWN)
"""What nobody says in a log: blinds, bets that are gathered, hands that are shown, pots."""


@dataclass(frozen=True)
class Action:
    """Who (a seat, None for fate) does what; `cards` lie in the middle if they are given to nobody."""

    by: int | None
    does: str
    to: int | None = None
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True)
class Hand:
    """A hand; the dealer sits last, between two he sits second."""

    stacks: tuple[int, ...]
    small: int
    big: int
    ante: int
    actions: Sequence[Action]
    won: tuple[int, ...]


def first_wrong(hand: Hand) -> int | None:
    """Which of the actions (from 0; their number for the result) cannot stand, None if all can."""
    state = NoLimitTexasHoldem.create_state(
        BY_ITSELF, True, hand.ante, (hand.small, hand.big), hand.big, hand.stacks, len(hand.stacks),
        mode=Mode.CASH_GAME)
    number = 0
    try:
        for number, action in enumerate(hand.actions):
            if action.by is not None and action.by != state.actor_index:
                return number
            match action.does:
                case "raise":
                    state.complete_bet_or_raise_to(action.to)
                case "call":
                    if not state.checking_or_calling_amount:
                        return number
                    state.check_or_call()
                case "check":
                    if state.checking_or_calling_amount:
                        return number
                    state.check_or_call()
                case "fold":
                    state.fold()
                case _ if action.to is None:
                    state.deal_board(action.cards)
                case _:
                    state.deal_hole(action.cards, action.to)
    except ValueError:
        return number
    return None if not state.status and tuple(state.payoffs) == hand.won else len(hand.actions)
