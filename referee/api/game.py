"""A game that a program plays: who is asked, what is legal, events, views, and the log of it all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from random import Random
from typing import Any, assert_never

from referee.api.argument_checks import a_number, a_text, a_timeout, callbacks, one_of
from referee.api.error_translation import of_fault, one_by_one, told
from referee.api.errors import (
    FAILING,
    ArgumentError,
    Cancelled,
    GameOver,
    IllegalEvent,
    LogError,
    RefereeError,
    RulesError,
)
from referee.api.execution_lock import LOCK
from referee.api.game_record import Recorder
from referee.api.results.frozen_results import FrozenDict, frozen
from referee.api.results.game_events import Choice, GameEvent, Prompt, event_of, line_of
from referee.api.results.game_view import View, view_of
from referee.api.results.html_texts import html_block
from referee.api.results.verdicts import verdict_for_programs
from referee.api.rule_sources import RulesSource
from referee.core.flow import PointNode, Rule, offered
from referee.core.ruleset import PUBLIC
from referee.game.event import CHOICE, FATE, TABLE, Event
from referee.game.log.log_lines import EventLine
from referee.game.setting import Setting
from referee.game.signatures import Signatures
from referee.game.start_position import BadPosition
from referee.game.state import Ended, Failed, State, Step, Stopped
from referee.game.value_codec import POINT, RULE, decode_event, encode_event, encode_value
from referee.interpreter.interruptions import Fault
from referee.interpreter.knowledge.custody import GameKnowledge
from referee.interpreter.offers import InRange
from referee.interpreter.playouts import choose
from referee.interpreter.walker import Walker
from referee.judge.judge import Judge
from referee.judge.judgement_summary import verdict_of
from referee.judge.verdict import LogOutcome, LogVerdict
from referee.system.deadline import NEVER, Deadline

MOST_EVENTS = 10_000
"""After so many events a game that is played out is cut off, if nothing else is said."""
MOST_KEPT = 4_096
"""Events handed over by programs, or shown to them, that are remembered, at most, for each list of players."""


_Past = tuple[State, Event]
"""Where a game stood before an event, and the event."""


class Game:
    """A game by some rules, from its beginning (or a position) on. Made by `Ruleset.new_game`.

    Calls from several threads wait for each other: each sees the game before or after another call, never in between.
    What is drawn by lot comes from the seed of the game and the number of events before: the same seed and the same
    calls give the same game, also after `undo`.

    >>> import referee
    >>> game = referee.load("sticks.rules").new_game(["Ana", "Ben"], seed=7)
    >>> game.asked
    Prompt(who=('Ana',), what=('take',), point='play.take', kind='decide', question=None)
    >>> print(next(game.legal()))
    Ana: take sticks 1
    >>> game.play("Ana", "take", sticks=3)
    >>> game.value("taken")
    3
    """

    def __init__(self, walker: Walker, setting: Setting, options: Mapping[str, str],
                 seed: int | Random, chosen: tuple[str, ...], beside: Mapping[str, Any], source: RulesSource) -> None:
        """`seed`: of everything drawn by lot, or what it is drawn from, one after the other; `chosen`: names of what
        was drawn before the game began; `beside`: entries of the header that the setting does not know."""
        self._walker = walker
        self._setting = setting
        self._options = options
        self._seed = seed
        self._chosen = chosen
        self._beside = beside
        self._source = source  # given as a text, the rules can be read as long as somebody keeps it
        self._past: list[_Past] = []
        self._known = GameKnowledge(walker)
        known = Signatures.of(walker.core)
        self._handed = known.handed(setting.players)
        self._shown = known.shown(setting.players)
        self._step = _sound(walker.begin(setting))

    # ------------------------------------------------------------------ where it stands
    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players, in seat order."""
        return self._setting.players

    @property
    def actions(self) -> Mapping[str, tuple[str, ...]]:
        """What can be done in games by these rules, at whatever point: action -> the names of its arguments.

        >>> import referee
        >>> dict(referee.load("sticks.rules").new_game(["Ana", "Ben"]).actions)
        {'take': ('sticks',)}
        """
        with LOCK:
            labels = Signatures.of(self._walker.core).labels
        return FrozenDict({label: tuple(arguments) for label, arguments in labels.items()})

    @property
    def over(self) -> bool:
        """Whether the game is over: ended by its rules, or stopped where they do not say how it goes on."""
        return not isinstance(self._step, State)

    @property
    def outcome(self) -> str:
        """`playing`, `ended`, or `stopped` (the rules do not say how it goes on: `reason` says where)."""
        match self._step:
            case State():
                return "playing"
            case Ended():
                return "ended"
            case Stopped():
                return "stopped"
            case Failed():
                return "failed"
            case _:
                assert_never(self._step)

    @property
    def reason(self) -> str | None:
        """Of a game that stopped: at which point, and what the rules leave open there; else None."""
        step = self._step
        return f"{step.point.name}: {step.why}" if isinstance(step, Stopped) else None

    @property
    def winners(self) -> tuple[str, ...] | None:
        """Who won, in seat order; None as long as the game has not ended."""
        step = self._step
        return tuple(self.players[seat] for seat in sorted(step.winners)) if isinstance(step, Ended) else None

    @property
    def scores(self) -> Mapping[str, int] | None:
        """The scores at the end of a game; None before, and if the rules have none."""
        with LOCK:
            step = self._step
            found = self._walker.scores(step.state) if isinstance(step, Ended) else None
        return None if found is None else frozen({self.players[seat]: score for seat, score in found.items()})

    @property
    def events(self) -> tuple[GameEvent, ...]:
        """What has happened so far."""
        with LOCK:
            return self._since(0)

    def _since(self, number: int) -> tuple[GameEvent, ...]:
        return tuple([self._event(event) for _, event in self._past[number:]])

    def _event(self, event: Event) -> GameEvent:
        """An event as programs see it, made once: nobody can change it. Not where a value is true or false, which are
        equal to 1 and 0."""
        if any(value is True or value is False for _, value in event.args):
            return event_of(self._walker.core, self._setting, event)
        known = self._shown.get(event)
        if isinstance(known, GameEvent):
            return known
        made = event_of(self._walker.core, self._setting, event)
        if len(self._shown) < MOST_KEPT:
            self._shown[event] = made
        return made

    @property
    def asked(self) -> Prompt | None:
        """Who has to do what, at which point; `fate` and `table` too. None once the game is over."""
        with LOCK:
            if not isinstance(state := self._step, State):
                return None
            found = self._walker.asked(state)
            what, question = _offered(self._walker.course.point(state.at))
            return Prompt(tuple(self._who(by) for by in sorted(found.by)), what, found.point.name, found.kind, question)

    def _who(self, by: int) -> str:
        return {FATE: "fate", TABLE: "table"}[by] if by < 0 else self.players[by]

    # ------------------------------------------------------------------ what is possible
    def legal(self) -> Iterator[GameEvent]:
        """Every legal event of everybody who is asked, in a fixed order, found one by one; none once it is over.

        They are those of where the game stands now, also if it is played on in between.

        >>> import referee
        >>> [event.with_["sticks"] for event in referee.load("sticks.rules").new_game(["Ana", "Ben"]).legal()]
        [1, 2, 3]
        """
        if isinstance(state := self._step, State):
            yield from one_by_one(self._walker.legal(state), partial(event_of, self._walker.core, self._setting))

    def choices(self, *, cancel: Callable[[], bool] | None = None) -> Iterator[Choice]:
        """What can be done, as `legal`, where an argument that may be any number of a range is told by its ends.

        `cancel` is asked now and then, where there are many sets to look at; raises `Cancelled` if it says so.

        >>> import referee
        >>> next(referee.load("sticks.rules").new_game(["Ana", "Ben"]).choices()).event.do
        'take'
        """
        callbacks(None, cancel)
        if isinstance(state := self._step, State):
            for by in sorted(self._walker.who(state)):
                yield from one_by_one(self._walker.in_ranges(state, by), self._choice, cancel)

    def _choice(self, found: InRange) -> Choice:
        return Choice(event_of(self._walker.core, self._setting, found[0]), FrozenDict(dict(found[1])))

    def is_legal(self, by: str | GameEvent | Mapping[str, Any], do: str | None = None, /,
                 with_: Mapping[str, Any] | None = None, **arguments: Any) -> bool:
        """Whether an event could be played now. It is handed over as to `play`.

        Raises `ArgumentError` for what is no event at all.

        >>> import referee
        >>> game = referee.load("sticks.rules").new_game(["Ana", "Ben"])
        >>> game.is_legal("Ana", "take", sticks=2), game.is_legal("Ben", "take", sticks=2)
        (True, False)
        """
        line = line_of(by, do, with_, arguments)
        with LOCK, told():
            return self._found(line) is not None

    def _found(self, line: Mapping[str, Any]) -> tuple[State, Event, tuple[_Past, ...]] | None:
        """The event of a line where it is legal, after the passes that need not be said; None if it is not."""
        event = self._read(line)
        if event is None:
            return None
        state: Step = self._step
        passed: tuple[_Past, ...] = ()
        while isinstance(state, State):
            if self._walker.check(state, event) is None:
                return state, event, passed
            pass_ = self._walker.silent(state)
            if pass_ is None:
                return None
            passed = (*passed, (state, pass_))
            state = self._walker.advance(state, pass_)
        return None

    def _read(self, line: Mapping[str, Any]) -> Event | None:
        """The event of a line, None if it is none. Those that are all texts and whole numbers are remembered: with
        other values `True` would be taken for 1."""
        by, do, with_ = line["by"], line["do"], line["with"]
        key = None
        if type(by) is str and type(do) is str and type(with_) is dict:
            for value in with_.values():
                if type(value) is not str and type(value) is not int:
                    break
            else:
                key = (by, do, *with_.items())
                known = self._handed.get(key)
                if known is not None:
                    return known
        event = decode_event(self._walker.core, self._setting, line)
        if not isinstance(event, Event):
            return None
        if key is not None and len(self._handed) < MOST_KEPT:
            self._handed[key] = event
        return event

    # ------------------------------------------------------------------ playing
    def play(self, by: str | GameEvent | Mapping[str, Any], do: str | None = None, /,
             with_: Mapping[str, Any] | None = None, **arguments: Any) -> None:
        """Plays an event: `play(event)`, a `GameEvent` or a line of a log; or who, what, and its arguments by name.

        `with_`: arguments whose names are no names in Python. Values are as in a log: names as texts, numbers, lists.
        Passes that a log may leave out may be left out here too; they are played before.

        Raises `IllegalEvent` with the verdict if the rules do not allow it (the game stands as it stood), `GameOver`,
        `ArgumentError` for what is no event, `RulesError` if the rules fail.

        >>> import referee
        >>> game = referee.load("sticks.rules").new_game(["Ana", "Ben"])
        >>> game.play("Ana", "take", sticks=3)
        >>> game.play({"by": "Ben", "do": "take", "with": {"sticks": 3}})
        >>> try:
        ...     game.play("Ana", "take", sticks=2)
        ... except referee.IllegalEvent as error:
        ...     print(error.verdict.wrong.failed[0].text)
        so many are left
        """
        line = line_of(by, do, with_, arguments)
        with LOCK:
            if not isinstance(self._step, State):
                self._playing()
            try:
                found = self._found(line)
            except Fault as fault:
                raise of_fault(fault) from fault
            if found is None:
                raise self._refused(line)
            self._take(*found)

    def rule(self, point: str, choice: Any) -> None:
        """The table rules at a point that the rules leave open. Raises what `play` raises.

        >>> import referee
        >>> game = referee.load("high_card.rules").new_game(["Ana", "Ben"], seed=3)
        >>> events = game.advance_fate()
        >>> game.play("Ana", "keep")
        >>> game.asked.who, game.asked.point, game.asked.question
        (('table',), 'play.unspecified', 'may the second player raise?')
        >>> game.rule("play.unspecified", "he_may")
        >>> game.value("stake")
        2
        """
        self.play({"by": "table", "do": RULE, "with": {POINT: point, CHOICE: choice}})

    def advance_fate(self) -> tuple[GameEvent, ...]:
        """Carries out chance events by the seed of the game, as long as fate is asked; what they were, maybe nothing,
        as where a player is asked or the game is over.

        Raises `RulesError` if the rules fail.

        >>> import referee
        >>> [event.by for event in referee.load("high_card.rules").new_game(["Ana", "Ben"], seed=3).advance_fate()]
        ['fate', 'fate']
        """
        with LOCK:
            before, random = len(self._past), self._lot()
            with told():
                while isinstance(self._step, State) and self._walker.asked(self._step).kind == "chance":
                    self._take(self._step, choose(self._walker, self._step, random))
            return self._since(before)

    def play_out(self, max_events: int = MOST_EVENTS, *, timeout: float | None = None,
                 progress: Callable[[int], None] | None = None,
                 cancel: Callable[[], bool] | None = None) -> tuple[GameEvent, ...]:
        """Plays on at random to the end, or through `max_events` events; the table rules by lot. The events played.

        `timeout` in seconds (None: no end); `progress` is told how many there are after each; `cancel` is asked before
        each whether to stop. Raises `GameOver`, `Cancelled` (AP08, or AP11 once the time is over: what was played stays
        played) and `RulesError` if the rules fail.

        >>> import referee
        >>> game = referee.load("sticks.rules").new_game(["Ana", "Ben"], seed=1)
        >>> len(game.play_out()) == len(game.events), game.over
        (True, True)
        """
        a_number(max_events, "`max_events`", 0, 2**31)
        a_timeout(timeout)
        callbacks(progress, cancel)
        until = NEVER if timeout is None else Deadline(timeout)
        with LOCK:
            self._playing()
            before, random = len(self._past), self._lot()
        for number in range(1, max_events + 1):
            if until is not NEVER and until.passed:
                raise Cancelled("AP11", f"the time was over after {number - 1} events")
            if cancel is not None and cancel():
                raise Cancelled("AP08", f"stopped after {number - 1} events")
            with LOCK:
                state = self._step
                if not isinstance(state, State):
                    break
                try:
                    event = choose(self._walker, state, random)
                except Fault as fault:
                    raise of_fault(fault) from fault
                self._take(state, event)
            if progress is not None:
                progress(number)
        with LOCK:
            return self._since(before)

    def _take(self, state: State, event: Event, passed: tuple[_Past, ...] = ()) -> None:
        try:
            step = self._walker.advance(state, event)
            if isinstance(step, Failed):
                _sound(step)
        except Fault as fault:
            raise self._failed(of_fault(fault), event) from fault
        except RulesError as error:
            raise self._failed(error, event) from None
        if passed:
            self._past += passed
        self._past.append((state, event))
        self._step = step

    def _failed(self, error: RulesError, event: Event) -> RulesError:
        """The error, with the event at which it came up."""
        error.event = encode_event(self._walker.core, self._setting, event)
        return error

    def _lot(self) -> Random:
        """What is drawn from here on."""
        return self._seed if isinstance(self._seed, Random) else Random(f"{self._seed}/{len(self._past)}")

    def _playing(self) -> None:
        if not isinstance(self._step, State):
            how = f"stopped at {self.reason}" if isinstance(self._step, Stopped) else "is over"
            raise GameOver("AP03", f"the game {how}", hint="take an event back by undo(), or begin another game")

    def _refused(self, line: Mapping[str, Any]) -> RefereeError:
        """The error for a line that is no legal event here, with the verdict on the game with it."""
        core, number = self._walker.core, len(self._past) + 2
        by, do, with_ = line["by"], line["do"], line["with"]
        if not isinstance(by, str) or not isinstance(do, str) or not isinstance(with_, dict):
            return ArgumentError("AP01", "an event says by whom it is and what he does, as texts")
        viewer = self.players.index(by) if by in self.players else None
        judge = Judge(self._walker, self._setting, viewer)
        for at, (_, event) in enumerate(self._past, 2):
            raw = encode_event(core, self._setting, event)
            args = raw.get("with", {})
            assert isinstance(args, dict)
            judge.feed(EventLine(at, str(raw["by"]), str(raw["do"]), args))
        judge.feed(EventLine(number, by, do, with_))
        blank = LogVerdict("<game>", LogOutcome.ILLEGAL, core.name, core.version, self.players,
                        viewer=None if viewer is None else by)
        verdict = verdict_for_programs(verdict_of(judge, blank))
        if verdict.wrong is None:
            return ArgumentError("AP05", f"{do} by {by} closes a log, and is no event of these rules",
                                 hint="play no more, and write it as the last line behind those of log()")
        return IllegalEvent(verdict.wrong.message, verdict)

    # ------------------------------------------------------------------ looking
    def view(self, player: str) -> View:
        """What a player (or `public`: whoever sits at no seat) knows: what lies visible to him, and the events as he
        saw them happen. Raises `ArgumentError` (AP02) for somebody who does not play.

        >>> import referee
        >>> game = referee.load("high_card.rules").new_game(["Ana", "Ben"], seed=3)
        >>> events = game.advance_fate()
        >>> [event.with_["card"] == "?" for event in game.view("Ben").events]
        [True, False]
        """
        one_of(player, "player of this game", (*self.players, PUBLIC))
        with LOCK, told():
            sightings = self._known.sightings(self._past)
            return view_of(self._walker, self._setting, self._state(), player, self._seat(player), sightings)

    def _seat(self, player: str) -> int | None:
        return self.players.index(player) if player in self.players else None

    def _state(self) -> State:
        """Where the game stands, also once it is over."""
        step = self._step
        state = step if isinstance(step, State) else step.state
        assert state is not None
        return state

    def position(self) -> dict[str, Any]:
        """The entry `state` of a header: a game from it goes on as this one does from here, with the same rules,
        players and settings. Everything is told, also what is hidden from somebody.

        Raises `LogError` (LG28) where no game can start: inside an action, or while some have chosen and others have
        not; LG26 if a place has no name of its own; and `GameOver`.

        >>> import referee
        >>> game = referee.load("sticks.rules").new_game(["Ana", "Ben"])
        >>> game.play("Ana", "take", sticks=3)
        >>> game.position()
        {'at': 'play.take', 'turn': 'Ben', 'place': {}, 'set': {'taken': 3}}
        >>> referee.load("sticks.rules").new_game(["Ana", "Ben"], state=game.position()).asked.who
        ('Ben',)
        """
        from referee.views.position_entry import state_entry  # slow to import, and mostly not needed
        from referee.views.start_view import Unshown

        with LOCK, told():
            self._playing()
            try:
                return {**state_entry(self._walker, self.players, self._state())}
            except BadPosition as bad:
                raise LogError(bad.code, bad.message) from None
            except Unshown as why:
                raise LogError("LG26", str(why)) from None

    def scene(self, player: str) -> dict[str, Any]:
        """What lies where, for a player (or `public`), as plain data to draw it by: scene.schema.json says what is in
        it. It holds no more than he may know. Raises `ArgumentError` (AP02) for somebody who does not play.

        >>> import referee
        >>> game = referee.load("high_card.rules").new_game(["Ana", "Ben"], seed=3)
        >>> events = game.advance_fate()
        >>> [(zone["title"], zone["number"], zone["seen"]) for zone in game.scene("Ana")["zones"]]
        [('deck', 2, False), ('hand of Ana', 1, True), ('hand of Ben', 1, False)]
        """
        from referee.api.game_scene import data_of  # slow to import, and mostly not needed

        with LOCK, told():
            return data_of(self._walker, self.players, self._step, player)

    def drawing(self, player: str) -> str:
        """The scene for a player (or `public`) as text, as `referee play` shows it. Raises what `scene` raises.

        >>> import referee
        >>> game = referee.load("high_card.rules").new_game(["Ana", "Ben"], seed=3)
        >>> events = game.advance_fate()
        >>> print(game.drawing("Ana"))
        deck: 2 hidden; stake: 1
        Ana | hand: Three
        Ben | hand: 1 hidden
        """
        from referee.api.game_scene import text_of

        with LOCK, told():
            return text_of(self._walker, self.players, self._step, player)

    def value(self, expression: str) -> Any:
        """The value of an expression of the rules where the game stands, as a log has values. It sees everything.

        Raises `RulesError` with the place in the expression if it is none, or has no value.

        >>> import referee
        >>> game = referee.load("high_card.rules").new_game(["Ana", "Ben"], seed=3)
        >>> events = game.advance_fate()
        >>> game.value("number of deck"), game.value("stake > 1")
        (2, False)
        """
        from referee.frontend.checks.cost_bound import check_expression
        from referee.frontend.loading.outside_expressions import expression as read

        a_text(expression, "an expression")
        with LOCK, told():
            core = self._walker.core
            expr = read(core, expression, self.players)
            check_expression(core, expr)
            return frozen(encode_value(core, self.players, expr.type, self._walker.evaluate(self._state(), expr)))

    def log(self) -> tuple[str, ...]:
        """The game so far as the lines of a log, each as JSON without a line end: header, events and, once it has
        ended, its end.

        >>> import referee
        >>> rules = referee.load("sticks.rules")
        >>> _ = (game := rules.new_game(["Ana", "Ben"], seed=2)).play_out()
        >>> rules.judge(game.log()).outcome
        'legal'
        """
        with LOCK:
            recorder = Recorder(self._walker, self._options)
            events = [event for _, event in self._past]
            return tuple(recorder.lines(self._setting, events, self._step, self._chosen, self._beside))

    # ------------------------------------------------------------------ other games
    def copy(self) -> Game:
        """The same game once more; what is played in one does not change the other.

        >>> import referee
        >>> game = referee.load("sticks.rules").new_game(["Ana", "Ben"])
        >>> other = game.copy()
        >>> other.play("Ana", "take", sticks=3)
        >>> len(game.events), len(other.events)
        (0, 1)
        """
        with LOCK:
            made = Game.__new__(Game)
            made.__dict__.update(self.__dict__)
            made._past = list(self._past)
            return made

    def undo(self) -> GameEvent:
        """Takes the last event back, whoever did it; the event. `ArgumentError` (AP06) if there is none.

        >>> import referee
        >>> game = referee.load("sticks.rules").new_game(["Ana", "Ben"])
        >>> game.play("Ana", "take", sticks=3)
        >>> print(game.undo())
        Ana: take sticks 3
        """
        with LOCK:
            if not self._past:
                raise ArgumentError("AP06", "nothing has happened that could be taken back")
            self._step, event = self._past.pop()
            return event_of(self._walker.core, self._setting, event)

    def __repr__(self) -> str:
        return f"<Game {self._walker.core.name}: {', '.join(self.players)}; {len(self._past)} events, {self.outcome}>"

    def _repr_html_(self) -> str:
        """What everybody at the table sees."""
        with LOCK:
            return f"{html_block(repr(self))}{self.view(PUBLIC)._repr_html_()}"


def _sound(step: Step) -> Step:
    """A step, unless the rules failed."""
    if isinstance(step, Failed):
        raise RulesError(step.code, f"{FAILING}{step.message}", span=step.span)
    return step


def _offered(node: PointNode) -> tuple[tuple[str, ...], str | None]:
    """The actions that a point offers, and the question that it leaves to the table."""
    if isinstance(node, Rule):
        return (RULE,), node.question
    return tuple(dict.fromkeys(one.label for one in offered(node))), None
