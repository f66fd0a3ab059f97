"""Bridge against a second opinion in plain Python: legal calls and cards at every decision, and the score."""

from __future__ import annotations

import random

import pytest

import referee

SEATS = ("north", "east", "south", "west")
STRAINS = ("clubs", "diamonds", "hearts", "spades", "no_trumps")
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king", "ace")
DANGERS = ("neither", "north_south", "east_west", "both", "neither", "both", "north_south", "east_west")
Call = tuple[int, int]


@pytest.fixture(scope="module")
def rules() -> referee.Ruleset:
    return referee.load("rulesets/classics/bridge.rules")


def points(level: int, strain: int, risk: int, vulnerable: bool, tricks: int) -> int:
    """What the declarer's side gets, by the printed tables: undoubled, doubled (risk 2), redoubled (risk 4)."""
    over = tricks - 6 - level
    if over < 0:
        if risk == 1:
            return over * (100 if vulnerable else 50)
        steps = [200, *[300] * 12] if vulnerable else [100, 200, 200, *[300] * 10]
        return -sum(steps[:-over]) * risk // 2
    odd = (20, 20, 30, 30, 30)[strain]
    below = (level * odd + (10 if strain == 4 else 0)) * risk
    total = below + (50 if below < 100 else 500 if vulnerable else 300)
    total += {6: 750 if vulnerable else 500, 7: 1500 if vulnerable else 1000}.get(level, 0)
    if risk == 1:
        return total + over * odd
    return total + over * (200 if vulnerable else 100) * risk // 2 + 25 * risk


@pytest.mark.parametrize(("seed", "danger"), list(enumerate(DANGERS)))
def test_calls_cards_and_score_are_those_of_plain_python(rules: referee.Ruleset, seed: int, danger: str) -> None:
    luck = random.Random(seed)
    game = rules.new_game(SEATS, seed=seed, header={"given": {"dealer": "east", "danger": danger}})
    game.advance_fate()
    hands: dict[int, set[tuple[int, int]]] = {seat: set() for seat in range(4)}

    def card(said: object) -> tuple[int, int]:
        rank, suit = str(said).split("-")
        return STRAINS.index(suit), RANKS.index(rank)

    for event in game.events:
        hands[SEATS.index(str(event.with_["to"]))].add(card(event.with_["card"]))

    best, bids, risk, passes, turn = (0, 4), list[tuple[int, Call]](), 1, 0, 1
    while passes < (3 if bids else 4):
        legal = list(game.legal())
        calls: set[tuple[object, ...]] = {("pass",)}
        calls |= {("bid", level, strain) for level in range(1, 8) for strain in range(5) if (level, strain) > best}
        if bids and (turn - bids[-1][0]) % 2 == 1 and risk == 1:
            calls.add(("double",))
        if bids and (turn - bids[-1][0]) % 2 == 0 and risk == 2:
            calls.add(("redouble",))
        assert {event.by for event in legal} == {SEATS[turn % 4]}
        assert calls == {(event.do, event.with_["tricks"], STRAINS.index(str(event.with_["trumps"])))
                         if event.do == "bid" else (event.do,) for event in legal}
        others, higher = [one for one in legal if one.do != "bid"], [one for one in legal if one.do == "bid"]
        # Low bids and many passes, so that some contracts are made.
        event = luck.choice([*others[:1] * 2, *others, *luck.sample(higher[:4], min(1, len(higher)))])
        game.play(event)
        passes = passes + 1 if event.do == "pass" else 0
        risk = {"double": 2, "redouble": 4, "bid": 1, "pass": risk}[event.do]
        if event.do == "bid":
            best = (int(str(event.with_["tricks"])), STRAINS.index(str(event.with_["trumps"])))
            bids.append((turn, best))
        turn += 1
    if not bids:
        assert game.over
        assert game.scores == dict.fromkeys(SEATS, 0)
        return

    level, trumps = best
    declarer = next(by for by, call in bids if call[1] == trumps and (by - bids[-1][0]) % 2 == 0) % 4
    dummy, leader, tricks = (declarer + 2) % 4, (declarer + 1) % 4, 0
    for _ in range(13):
        laid: list[tuple[int, int]] = []
        for seat in (leader + step for step in range(4)):
            held = hands[seat % 4]
            follow = {one for one in held if laid and one[0] == laid[0][0]} or held
            legal = list(game.legal())
            assert {event.by for event in legal} == {SEATS[declarer if seat % 4 == dummy else seat % 4]}
            assert {card(event.with_["card"]) for event in legal} == follow
            event = luck.choice(legal)
            game.play(event)
            laid.append(card(event.with_["card"]))
            held.discard(laid[-1])
        strongest = max(laid, key=lambda one: (one[0] == trumps, one[0] == laid[0][0], one[1]))
        leader = (leader + laid.index(strongest)) % 4
        tricks += leader in (declarer, dummy)
    won = points(level, trumps, risk, danger == "both" or danger == ("north_south", "east_west")[declarer % 2], tricks)
    side = {SEATS[declarer], SEATS[dummy]}
    assert game.over
    assert game.scores == {seat: won if seat in side else -won for seat in SEATS}
    assert set(game.winners or ()) == (side if won > 0 else set(SEATS) - side)


def test_scores_are_those_of_the_printed_tables(rules: referee.Ruleset) -> None:
    luck = random.Random(0)
    place = {"hand of north": ["ace-spades"], "hand of east": ["king-spades"], "dummy": ["2-hearts"],
             "hand of west": ["3-clubs"]}
    for _ in range(60):
        level, strain, risk = luck.randint(1, 7), luck.randrange(5), luck.choice((1, 2, 4))
        made, danger = luck.randint(max(0, level + 1), 13), luck.choice(DANGERS)
        said = {"level": level, "strain": STRAINS[strain], "stakes": risk, "bidder": "south", "declarer": "north",
                "leader": "east", "made": made}
        state = {"at": "play.lay", "turn": "east", "place": place, "set": said}
        game = rules.new_game(SEATS, header={"given": {"dealer": "north", "danger": danger}, "state": state})
        assert game.value("result") == points(level, strain, risk, danger in ("both", "north_south"), made), said
