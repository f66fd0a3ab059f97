"""Guild row against a second opinion in plain Python: what may be used and bought, whose decks grow how, who wins."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import referee

NAMES = ("ana", "ben", "cleo", "dan")
# cost, coins, cards drawn, worth
CARDS = {"PENNY": (0, 1, 0, 0), "COTTAGE": (2, 0, 0, 1), "CROWN": (3, 2, 0, 0), "CARTER": (3, 0, 2, 0),
         "FORGE": (4, 1, 0, 1), "MANOR": (5, 0, 0, 3), "NOBLE": (6, 3, 0, 0)}


@pytest.fixture(scope="module")
def rules() -> referee.Ruleset:
    return referee.load("rulesets/classics/guild_row.rules")


@pytest.mark.parametrize("number", [2, 3, 4])
def test_choices_and_results_are_those_of_plain_python(rules: referee.Ruleset, number: int) -> None:
    luck, names = random.Random(number), NAMES[:number]
    game = rules.new_game(names, seed=number, header={"given": {"starter": "ana"}})
    row: list[str] = []
    hand: dict[str, Counter[str]] = {name: Counter() for name in names}
    own: dict[str, Counter[str]] = {name: Counter(PENNY=7, COTTAGE=3) for name in names}
    told, market, turn, purse, forged = 0, 36, 0, 0, False

    def listen() -> None:
        """Fate goes on, and what it draws comes into hands and into the row."""
        nonlocal told, market
        game.advance_fate()
        for event in game.events[told:]:
            card = str(event.with_.get("card"))
            if event.by == "fate" and "to" in event.with_:
                hand[str(event.with_["to"])][card] += 1
            elif event.by == "fate":
                row.append(card)
                market -= 1
        told = len(game.events)

    listen()
    while not game.over:
        me = names[turn % number]
        legal = list(game.legal())
        found = {(event.by, event.do, *event.with_.values()) for event in legal}
        held = {card for card, count in hand[me].items() if count}
        if forged:
            assert {(by, do) for by, do, _ in found} == {(me, "choose")}
            assert len(found) == len(held) + 1
        else:
            useful = {(me, "use", card) for card in held if CARDS[card][1] + CARDS[card][2]}
            paid = {(me, "buy", place) for place, card in enumerate(row, 1) if CARDS[card][0] <= purse}
            assert found == {(me, "end_turn")} | useful | paid
        event = luck.choice([one for one in legal if one.do != "end_turn"] or legal)
        told += 1
        game.play(event)
        if event.do == "choose":
            forged = False
            (chosen,) = event.with_.values()
            assert isinstance(chosen, tuple)
            melted = Counter(str(card) for card in chosen)
            hand[me] -= melted
            own[me] -= melted
        elif event.do == "use":
            card = str(event.with_["card"])
            hand[me][card] -= 1
            purse += CARDS[card][1]
            forged = card == "FORGE"
        elif event.do == "buy":
            card = row.pop(int(str(event.with_["place"])) - 1)
            purse -= CARDS[card][0]
            own[me][card] += 1
        else:
            hand[me].clear()
            del row[:1]
            turn, purse = turn + 1, 0
        listen()
        if event.do == "end_turn":
            assert sum(hand[me].values()) == min(5, sum(own[me].values()))
            assert game.over == (market == 0 and turn % number == 0)
    fame = {name: sum(CARDS[card][3] * count for card, count in own[name].items()) for name in names}
    assert game.scores == fame
    assert set(game.winners or ()) == {name for name in names if fame[name] == max(fame.values())}
