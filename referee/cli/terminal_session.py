"""A game in the terminal: numbered legal moves, typed moves, and why a typed move is refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from random import Random

from referee.cli.table_drawing import Picture
from referee.cli.typed_moves import TypingFault, typed_move
from referee.core.flow import Rule
from referee.game.event import CHOICE, FATE, TABLE, Event
from referee.game.log.log_lines import EventLine
from referee.game.player_views import record
from referee.game.setting import Setting
from referee.game.signatures import Signatures
from referee.game.state import Ended, Failed, State, Step, Stopped
from referee.game.value_codec import POINT, RULE, decode_event, encode_event, encode_recorded
from referee.interpreter.playouts import choose
from referee.interpreter.walker import Walker
from referee.judge.display_names import Names
from referee.judge.judge import Judge
from referee.report.text.printable import printable
from referee.report.text.verdict_text import reasons

MOST_SHOWN = 60
HELP = """  NUMBER   take the move with this number
  MOVE     type a move: `label value value` or `label name=value`
  ?        show the table and the legal moves once more
  undo     take back the last decision
  quit     stop here"""


class Quit(Exception):
    """Whoever types has had enough."""


class Session:
    """One game. `say` prints a line, `read` asks for one with a prompt and raises `EOFError` if there is none left."""

    def __init__(self, walker: Walker, setting: Setting, random: Random, say: Callable[[str], None],
                 read: Callable[[str], str]) -> None:
        self._walker, self._setting, self._random = walker, setting, random
        self._say, self._read = say, read
        self._names = Names(walker.flow, setting.players)
        self._picture = Picture(walker, self._names)
        self._decided: list[tuple[State, int]] = []
        self.events: list[Event] = []

    def play(self) -> Step:
        """Plays to the end, or until whoever types has had enough; the last step."""
        step = self._walker.begin(self._setting)
        while isinstance(step, State):
            try:
                step = self._turn(step)
            except Quit:
                break
            except EOFError:
                self._say("")
                break
        self._say(self._closing(step))
        return step

    def _turn(self, state: State) -> Step:
        by = min(self._walker.asked(state).by)
        if by == FATE:
            event = choose(self._walker, state, self._random)
            self._say(f"fate: {printable(self._overheard(state, event))}")
            return self._take(state, event)
        self._show(state, by)
        while True:
            step = self._answer(state, by, self._read(f"{self._names.who(by)}> ").strip())
            if step is not None:
                return step

    def _overheard(self, state: State, event: Event) -> str:
        """An event as everybody at this terminal may know it."""
        known, = record([self._walker.sighting(state, event)], None)
        line = encode_recorded(self._walker.core, self._setting, known)
        args = line.get("with", {})
        assert isinstance(args, dict)
        return " ".join([event.label, *(f"{name} {value}" for name, value in args.items())])

    def _show(self, state: State, by: int) -> None:
        self._say("")
        for line in self._picture.lines(state, by):
            self._say(line)
        node = self._walker.course.point(state.at)
        if isinstance(node, Rule):
            self._say(f"the rules do not say: {printable(node.question)}")
        legal = self._legal(state, by)
        for number, event in enumerate(legal[:MOST_SHOWN], 1):
            self._say(f"{number:4}  {printable(self._told(event))}")
        if len(legal) > MOST_SHOWN:
            self._say("      and more")

    def _told(self, event: Event) -> str:
        return self._names.ruling(event) if event.by == TABLE else self._names.event(event)

    def _legal(self, state: State, by: int) -> Sequence[Event]:
        return list(islice((event for event in self._walker.legal(state) if event.by == by), MOST_SHOWN + 1))

    def _answer(self, state: State, by: int, text: str) -> Step | None:
        """The step that was asked for; None, and why, if there is none such."""
        if text == "quit":
            raise Quit
        if text == "undo":
            return self._undone()
        if text in {"", "?", "help"}:
            self._show(state, by)
            self._say(HELP)
            return None
        event = self._numbered(state, by, text) if text.isascii() and text.isdigit() else self._typed(state, by, text)
        if event is None:
            return None
        self._decided.append((state, len(self.events)))
        return self._take(state, event)

    def _numbered(self, state: State, by: int, text: str) -> Event | None:
        legal = self._legal(state, by)[:MOST_SHOWN]
        number = int(text[:6])
        if 1 <= number <= len(legal):
            return legal[number - 1]
        self._say(f"  there is no number {text[:6]}: 1 to {len(legal)}, or type a move (? for help)")
        return None

    def _typed(self, state: State, by: int, text: str) -> Event | None:
        known = Signatures.of(self._walker.core)
        labels: dict[str, Sequence[str]] = {label: list(args) for label, args in known.labels.items()}
        try:
            move = typed_move(text, {RULE: (POINT, CHOICE)} if by == TABLE else labels)
        except TypingFault as fault:
            self._say(f"  {printable(str(fault))} (? for help)")
            return None
        who = "table" if by == TABLE else self._setting.players[by]
        event = decode_event(self._walker.core, self._setting, {"by": who, **move})
        if isinstance(event, Event) and self._walker.check(state, event) is None:
            return event
        self._refuse(by, EventLine(len(self.events) + 2, who, move["do"], move["with"]))
        return None

    def _refuse(self, by: int, line: EventLine) -> None:
        """Says what the judge would say of the move, had it been made."""
        judge = Judge(self._walker, self._setting, by if by >= 0 else None)
        for number, event in enumerate(self.events, 2):
            raw = encode_event(self._walker.core, self._setting, event)
            with_ = raw.get("with", {})
            assert isinstance(with_, dict)
            judge.feed(EventLine(number, str(raw["by"]), str(raw["do"]), with_))
        judge.feed(line)
        for found in judge.found[-1:]:
            for told in reasons(found.wrong):
                self._say(told)

    def _take(self, state: State, event: Event) -> Step:
        self.events.append(event)
        return self._walker.advance(state, event)

    def _undone(self) -> Step | None:
        if not self._decided:
            self._say("  nothing was decided yet")
            return None
        state, number = self._decided.pop()
        del self.events[number:]
        return state

    def _closing(self, step: Step) -> str:
        match step:
            case Ended(_, winners):
                who = self._names.all_of(winners, "and")
                return f"the game is over: {printable(who)} {'wins' if len(winners) < 2 else 'win'}"
            case Stopped(_, point, why):
                return f"the game stops at {printable(point.name)}: {printable(why)}"
            case Failed(code, message, span):
                return f"the rules fail: {code} {printable(message)}" + (f" ({span})" if span is not None else "")
            case State():
                return "the game is not over"
