"""A game as a text to read: who did what, and after each turn where everybody stands.

`python -m tests.rulesets.telling LOG` prints it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from referee.core.ruleset import TURN
from referee.flow.lowering import lower
from referee.frontend.loading.loader import load
from referee.frontend.loading.outside_expressions import expression
from referee.game.event import Event
from referee.game.log.header_setting import setting_of
from referee.game.log.log_header import header_of
from referee.game.state import Ended, State
from referee.game.value_codec import decode_event
from referee.interpreter.closures.zone_moves import amount
from referee.interpreter.walker import Walker
from referee.judge.display_names import Names

RULESETS = Path(__file__).resolve().parent.parent.parent / "rulesets"
ZONES = {
    "go_goal": {"team": "in the team", "hand": "in the hand"},
    "adrenalyn_xl": {"field": "on the field", "hand": "in the hand", "deck": "in the deck"},
    "il_mister": {"squad": "in the squad", "pitch": "on the pitch", "bench": "on the bench"},
    "king_of_the_pitch": {"victories": "won", "hand": "in the hand", "cubes": "cubes"},
    "adrenaline": {"track": "damage", "ammo": "cubes", "weapons": "weapons", "hand": "powerup cards"},
}
"""Of which zones it is told how many cards lie there."""
COUNTERS = {"king_of_the_pitch": ("defence", "attack"), "adrenaline": ("points",)}
"""What is told of each player besides; elsewhere his goals."""


def told(path: Path) -> Iterator[str]:
    """The lines of a legal log that leaves nothing out, as sentences."""
    header, *lines = (json.loads(line) for line in path.read_text("utf-8").splitlines())
    read = header_of(header, lambda *_: None)
    options = {name: str(value) for name, value in read.options.items()}
    walker = Walker(lower(load(RULESETS / read.ruleset, len(read.players), options)))
    setting = setting_of(read, walker.core)
    names = Names(walker.flow, read.players)
    step, turn = walker.begin(setting), None
    yield f"{', '.join(read.players)} play {walker.core.title}"
    for line in (one for one in lines if "by" in one):
        assert isinstance(step, State)
        now = walker.layout.read_var(step, TURN)
        if now != turn:
            turn = now
            yield from ("", standing(walker, step, read.players))
        event = decode_event(walker.core, setting, line)
        assert isinstance(event, Event)
        yield f"  {names.who(event.by)}: {names.event(event)}"
        step = walker.advance(step, event)
        if event.label == "end_turn" and isinstance(step, State):
            yield from ("", standing(walker, step, read.players))
    if isinstance(step, Ended):
        yield from ("", standing(walker, step.state, read.players), f"won by {names.all_of(step.winners, 'and')}")


def _goals(walker: Walker, state: State, seat: int) -> int:
    """What a counter says, or how many cards are kept for goals."""
    if "goals" in walker.core.vars:
        counted = walker.layout.read_var(state, "goals", (seat,))
        assert isinstance(counted, int)
        return counted
    return amount(walker.core.zones["goal_cards"], walker.layout.read_zone(state, "goal_cards", (seat,)))


def standing(walker: Walker, state: State, players: tuple[str, ...]) -> str:
    """Goals of each player (or what else counts), and how many cards lie where."""
    core = walker.core
    counters = COUNTERS.get(core.name, ())

    def one(seat: int) -> str:
        values = [walker.evaluate(state, expression(core, f"{name} of {players[seat]}", players)) for name in counters]
        counted = " ".join(map(str, values or [_goals(walker, state, seat)]))
        there = {zone: walker.layout.read_zone(state, zone, (seat,)) for zone in ZONES[core.name]}
        numbers = [f"{amount(core.zones[zone], cards)} {ZONES[core.name][zone]}" for zone, cards in there.items()]
        return f"{players[seat]} {counted} ({', '.join(numbers)})"

    title = " and ".join(counters).capitalize() or "Goals"
    return f"{title}: " + ", ".join(map(one, range(len(players))))


if __name__ == "__main__":
    print("\n".join(told(Path(sys.argv[1]))))
