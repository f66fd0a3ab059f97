"""No-limit hold'em against a model in plain Python: what may be done at every decision of a hand, and what is won."""

from __future__ import annotations

from random import Random

import pytest

from referee.frontend.loading.loader import load_flow
from referee.game.event import FATE, Event
from referee.game.log.log_header import SCHEMA, header_of
from referee.game.log.strict_json import Json
from referee.game.state import Ended, State
from referee.game.value_codec import decode_event, encode_event
from referee.interpreter.playouts import choose
from referee.interpreter.walker import Walker
from referee.judge.open_settings.header_admission import admitted
from referee.native.engine_names import engine
from tests.rulesets.models.stakes import RANKS, Stakes, value_of
from tests.rulesets.playing import CLASSICS, Line, line, text
from tests.sample_sizes import drawn

SUITS = ("clubs", "diamonds", "hearts", "spades")


def followed(walker: Walker, players: int, seed: int) -> int:
    """Follows a random hand in both; at how many decisions."""
    random = Random(seed)
    names = [f"p{seat}" for seat in range(players)]
    big = random.choice((2, 5, 20))
    brought = [random.randint(1, big * random.choice((3, 10, 40))) for _ in names]
    dealer, small, ante = random.randrange(players), big // 2, random.choice((0, 0, 1))
    each_one = random.random() < 0.5
    parameters: dict[str, Json] = {"chips": dict(zip(names, brought, strict=True)), "small": small, "big": big,
                                   "ante": ante}
    header = header_of({
        "schema": SCHEMA, "ruleset": "holdem", "players": [*names], "given": {"dealer": names[dealer]},
        "readings": {"odd_chips": "one_each" if each_one else "first_takes_all"}, "parameters": parameters,
    }, lambda *_: None)
    setting = admitted(walker, header)
    step, model, asked = walker.begin(setting), Stakes(brought, dealer, small, big, ante, each_one), 0
    while isinstance(step, State):
        event = choose(walker, step, random)
        said: Line = encode_event(walker.core, setting, event)
        args = said.get("with", {})
        if event.by == FATE:
            if "to" in args:
                model.deal(names.index(args["to"]), args["cards"])
            else:
                model.open(args["cards"])
            step = walker.advance(step, event)
            continue
        asked += 1
        assert model.turn is not None
        me = names[model.turn]
        behind = model.seats[model.turn].bet < model.call
        mine = {line(me, "fold"), line(me, "call" if behind else "check")}
        mine |= {line(me, "raise", to=to) for to in model.raises()}
        legal = list(walker.legal(step))
        assert {text(encode_event(walker.core, setting, one)) for one in legal} == mine
        event = random.choice((legal[1], legal[1], random.choice(legal), legal[-1]))
        model.act(event.label, *(to for _, to in event.args if isinstance(to, int)))
        step = walker.advance(step, event)
    assert model.turn is None
    assert isinstance(step, Ended)
    scores = walker.scores(step.state)
    assert scores is not None
    assert [scores[seat] for seat in range(players)] == model.scores()
    return asked


@pytest.mark.parametrize("players", [2, 4])
def test_what_may_be_staked_and_what_is_won_is_as_in_the_model(players: int) -> None:
    walker = engine(load_flow(CLASSICS / "holdem.rules", players))
    assert sum(followed(walker, players, seed) for seed in range(drawn(12, 300))) > 20


def test_the_best_five_of_seven_cards_win() -> None:
    """Hands of a few ranks and suits, so that all sorts of them come."""
    walker = engine(load_flow(CLASSICS / "holdem.rules", 2))
    header = header_of({"schema": SCHEMA, "ruleset": "holdem", "players": ["ana", "ben"], "given": {"dealer": "ana"}},
                       lambda *_: None)
    setting, sorts = admitted(walker, header), set[int]()
    entry = walker.layout.vars["power"]
    begun = walker.begin(setting)
    random = Random(5)
    for _ in range(drawn(120, 3000)):
        ranks, suits = random.choice(((RANKS, SUITS), (RANKS[4:10], SUITS), (RANKS, SUITS[:2]), (RANKS[:4], SUITS),
                                      ((*RANKS[:4], "ace"), SUITS[:2])))
        cards = random.sample([f"{rank}-{suit}" for rank in ranks for suit in suits], 9)
        hands, middle = (cards[:2], cards[2:4]), cards[4:]
        step = begun
        told: list[Line] = [
            {"by": "fate", "do": "deal", "with": {"to": "ben", "cards": hands[1]}},
            {"by": "fate", "do": "deal", "with": {"to": "ana", "cards": hands[0]}},
            {"by": "ana", "do": "raise", "with": {"to": 200}}, {"by": "ben", "do": "call"},
            *({"by": "fate", "do": "deal", "with": {"cards": some}} for some in (middle[:3], middle[3:4], middle[4:]))]
        for one in told:
            assert isinstance(step, State)
            event = decode_event(walker.core, setting, one)
            assert isinstance(event, Event)
            step = walker.advance(step, event)
        assert isinstance(step, Ended)
        mine, yours = (int(str(power)) for power in step.state.slots[entry.base:entry.base + 2])
        values = [value_of([*hand, *middle]) for hand in hands]
        sorts |= {value[0] for value in values}
        assert (mine > yours, mine == yours) == (values[0] > values[1], values[0] == values[1]), cards
    assert sorts == set(range(9))
