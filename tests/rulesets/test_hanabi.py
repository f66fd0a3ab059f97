"""Hanabi against a second opinion in plain Python: at every decision of random games the legal moves are the same."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import pytest

import referee

RULES = "rulesets/classics/hanabi.rules"
COLOURS = ("red", "yellow", "green", "white", "blue")
NAMES = ("ana", "ben", "cleo", "dan", "eve")
Card = tuple[str, int]
Move = tuple[object, ...]


def read(card: object) -> Card:
    rank, colour = str(card).split("-")
    return colour, int(rank)


@dataclass
class Table:
    """What lies there: hands in the order of their places, and what the rules count."""

    hands: dict[str, list[Card]]
    deck: int
    height: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COLOURS, 0))
    hints: int = 8
    fuses: int = 3
    turns_left: int | None = None

    def moves(self, me: str) -> set[Move]:
        found: set[Move] = {("lay", place) for place in range(1, len(self.hands[me]) + 1)}
        if self.hints < 8:
            found |= {("discard", place) for place in range(1, len(self.hands[me]) + 1)}
        for other in self.hands if self.hints else ():
            for at, what in ((0, "hint_colour"), (1, "hint_rank")):
                if other != me:
                    found |= {(what, other, named, self.touched(other, at, named))
                              for named in {card[at] for card in self.hands[other]}}
        return found

    def touched(self, player: str, at: int, named: object) -> tuple[int, ...]:
        return tuple(place for place, card in enumerate(self.hands[player], 1) if card[at] == named)

    def part_with(self, me: str, place: int, laid: bool) -> Card:
        colour, rank = card = self.hands[me].pop(place - 1)
        if not laid:
            self.hints += 1
        elif rank == self.height[colour] + 1:
            self.height[colour] = rank
            self.hints = min(8, self.hints + (rank == 5))
        else:
            self.fuses -= 1
        return card

    def over(self) -> bool:
        return self.fuses == 0 or self.turns_left == 0 or sum(self.height.values()) == 25


def move_of(event: referee.GameEvent) -> Move:
    said = event.with_
    if event.do in ("lay", "discard"):
        return event.do, said["place"]
    named = said["colour"] if event.do == "hint_colour" else said["rank"]
    places = said["places"]
    assert isinstance(places, tuple)
    return event.do, said["to"], named, tuple(sorted(places))


@pytest.fixture(scope="module")
def rules() -> referee.Ruleset:
    return referee.load(RULES)


@pytest.mark.parametrize("number", [2, 3, 4, 5])
def test_legal_moves_and_results_are_those_of_plain_python(rules: referee.Ruleset, number: int) -> None:
    luck, names = random.Random(number), NAMES[:number]
    game = rules.new_game(names, seed=number, header={"given": {"starter": "ben"}})
    game.advance_fate()
    table = Table({name: [] for name in names}, 50)
    told = 0

    def listen() -> None:
        nonlocal told
        for event in game.events[told:]:
            if event.do in ("deal", "draw"):
                table.hands[str(event.with_["to"])].append(read(event.with_["card"]))
                table.deck -= 1
        told = len(game.events)

    listen()
    assert {len(hand) for hand in table.hands.values()} == {5 if number < 4 else 4}
    turn = 1
    while not game.over:
        me = names[turn % number]
        legal = list(game.legal())
        assert {event.by for event in legal} == {me}
        assert {move_of(event) for event in legal} == table.moves(me)
        # Right cards are laid more often than by chance, so that games come to their last round.
        good = [event for event in legal if event.do == "lay"
                and table.hands[me][int(str(event.with_["place"])) - 1][1]
                == table.height[table.hands[me][int(str(event.with_["place"])) - 1][0]] + 1]
        tame = [event for event in legal if event.do != "lay"] or legal
        event = luck.choice(good or tame)
        game.play(event)
        if event.do in ("lay", "discard"):
            card = table.part_with(me, int(str(event.with_["place"])), event.do == "lay")
            game.advance_fate()
            assert read(next(e for e in game.events[told:] if e.do == "turn_up").with_["card"]) == card
        else:
            table.hints -= 1
        if table.turns_left is not None:
            table.turns_left -= 1
        listen()
        if table.deck == 0 and table.turns_left is None:
            table.turns_left = number
        assert game.over == table.over()
        turn += 1
    points = sum(table.height.values()) if table.fuses else 0
    assert game.scores == dict.fromkeys(names, points)
    assert set(game.winners or ()) == (set(names) if points == 25 else set())
