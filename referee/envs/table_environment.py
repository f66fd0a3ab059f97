"""A game as an environment of PettingZoo: agents pick in turn, fate and the table are carried out inside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import index
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from referee.api.argument_checks import a_number, one_of, options_by_name
from referee.api.error_translation import of_fault, told
from referee.api.errors import FAILING, ArgumentError, RulesError
from referee.api.execution_lock import LOCK
from referee.api.game_record import Recorder
from referee.api.game_scene import text_of
from referee.api.game_setting import drawn, header_from, players_of
from referee.api.results.game_view import View, view_of
from referee.api.rule_sources import RulesSource
from referee.cli.terminal_writer import OUT
from referee.core.ruleset import PUBLIC
from referee.envs.action_codes import ActionCodes, Pick
from referee.envs.observations import Observations
from referee.envs.pick_chains import PickChains
from referee.game.event import Event
from referee.game.setting import Setting
from referee.game.state import Ended, Failed, State, Step, Stopped
from referee.interpreter.interruptions import Fault
from referee.interpreter.knowledge.custody import GameKnowledge
from referee.interpreter.playouts import choose, complete
from referee.judge.open_settings.header_admission import admitted
from referee.native.engine_names import engine

MOST_EVENTS = 1_000
"""After so many events a game is cut off, if nothing else is said."""
RENDERED = ("ansi", "human")
REWARDS = ("winning", "scores")


class TableEnvironment(AECEnv):  # type: ignore[misc]  # of an extra, of which the types are not looked at
    """A game by some rules. `ruleset`: a bundled name or a path; `players`: names, or how many (None: the fewest).

    `options`, `readings`, `parameters`, `given`, `rulings`: as of `Ruleset.new_game`; what is left open is drawn anew
    for each game. `max_events`: after so many the game is cut off (truncated). `reward`: at the end of a game, how much
    better an agent did than the others on average, by `winning` (1 for who wins, else 0) or `scores`.
    `render_mode`: `ansi` gives the table as text, as `public` sees it; `human` writes it after every event.

    Raises `RulesError` for rules that cannot be loaded, `ArgumentError` (EN01 to EN03, AP01) for what cannot be an
    environment, `LogError` for settings that do not fit.
    """

    metadata = {"render_modes": [*RENDERED], "name": "referee_v0", "is_parallelizable": False, "render_fps": 1}  # noqa: RUF012  # as PettingZoo has it

    def __init__(self, ruleset: str | Path, players: int | Sequence[str] | None = None, *,
                 options: Mapping[str, str] | None = None, readings: Mapping[str, str] | None = None,
                 parameters: Mapping[str, Any] | None = None, given: Mapping[str, Any] | None = None,
                 rulings: Mapping[str, Any] | None = None, max_events: int = MOST_EVENTS, reward: str = "winning",
                 render_mode: str | None = None) -> None:
        super().__init__()
        a_number(max_events, "`max_events`", 1, 2**31)
        one_of(reward, "reward", REWARDS)
        if render_mode is not None:
            one_of(render_mode, "render mode", RENDERED)
        options_by_name(options)
        if isinstance(players, str) or not isinstance(players, int | Sequence | None):
            raise ArgumentError("AP01", f"players are names, or how many, not {type(players).__name__}")
        with LOCK, told():
            seats = players if isinstance(players, int) else None if players is None else len(players)
            flow = RulesSource(ruleset).flow(seats, options)
            core = flow.core
            if reward != "winning" and core.score is None:
                raise ArgumentError("EN03", f"the rules {core.name} count no scores")
            names = players_of(core) if players is None or isinstance(players, int) else tuple(players)
            entries = {"options": options, "readings": readings, "parameters": parameters, "given": given,
                       "rulings": rulings}
            self._walker = engine(flow)
            self._setting = admitted(self._walker, header_from(core.name, names, None, entries))
            self.codes = ActionCodes(flow)
            self.observed = Observations(self._walker, self.codes.number, self.codes.longest)
        self._options = dict(options or {})
        self._max_events, self._reward = max_events, reward
        self.render_mode = render_mode
        self._random = SystemRandom()  # type: Random
        self.possible_agents = list(self._setting.players)
        number = self.codes.number
        low, high = (np.array([one.bounds[end] for one in self.observed.entries for _ in range(one.number)], np.int64)
                     for end in (0, 1))
        self._space = spaces.Dict({"observation": spaces.Box(low, high, dtype=np.int64),
                                   "action_mask": spaces.Box(0, 1, (number,), np.int8)})
        self.observation_spaces = dict.fromkeys(self.possible_agents, self._space)
        self.action_spaces = {agent: spaces.Discrete(number) for agent in self.possible_agents}
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> Any:
        """What an agent observes: `observation`, numbers as `observed.entries` has them, and `action_mask`."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The picks, by their codes; `code_text` tells what each is."""
        return self.action_spaces[agent]

    def code_text(self, code: int) -> str:
        """A pick in words: `take sticks 2`. Raises `ArgumentError` (AP01) for a number that is no code."""
        a_number(code, "a code", 0, self.codes.number - 1)
        return self.codes.text(code, self._walker.flow, self._setting)

    # ------------------------------------------------------------------ a game
    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begins a game. The same seed and the same picks give the same game; without one what comes is drawn on.
        `options` is there for PettingZoo, and says nothing. Raises `ArgumentError` (AP01) for a seed that is no number,
        `RulesError` if the rules fail."""
        if seed is not None:
            self._random = Random(_whole(seed, "`seed`"))
        self.agents = self.possible_agents[:]
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._skip_agent_selection: str | None = None
        self._past: list[tuple[State, Event]] = []
        self._steps = 0
        self._codes: tuple[int, ...] = ()
        self._possible: dict[int, None] = {}
        with LOCK, told():
            self._game: Setting = complete(self._walker, self._setting, self._random)
            self._known = GameKnowledge(self._walker)
            self._step: Step = self._walker.begin(self._game)
            self._go_on()

    def step(self, action: int | None) -> None:
        """Makes a pick for the agent whose turn it is; None for one whose game is over.

        Raises `ArgumentError` (AP01) for a pick that the mask does not allow and before the first `reset`, `RulesError`
        if the rules fail.
        """
        if not hasattr(self, "agent_selection"):
            raise ArgumentError("AP01", "there is no game yet: begin one by `reset()`")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        code = None if action is None else _whole(action, "a pick")
        if code is None or code not in self._possible:
            raise ArgumentError("AP01", f"{agent} cannot pick {action} now: the action mask says what is possible")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._codes = (*self._codes, code)
        with LOCK, told():
            assert isinstance(self._step, State)
            found, event = self._after(self._step)
            if event is not None:
                self._take(self._step, event)
                self._go_on()
            elif found:
                self._possible = dict.fromkeys(map(self.codes.code, found))
            else:  # a way that could not be looked through to its end has none: he begins anew
                self._steps += 1
                self._go_on()
        self._accumulate_rewards()

    def _after(self, state: State) -> tuple[tuple[Pick, ...], Event | None]:
        """What can be picked after what was picked, or the event that it makes up."""
        chains = PickChains(self._walker, state, self.possible_agents.index(self.agent_selection))
        return chains.after([self.codes.pick(code) for code in self._codes])

    def _go_on(self) -> None:
        """Carries out what is not for players to do, up to the next pick or the end."""
        self._codes, self._possible = (), {}
        while isinstance(self._step, State) and self._steps < self._max_events:
            who = min(self._walker.who(self._step))
            if who >= 0:
                self.agent_selection = self.possible_agents[who]
                found, event = self._after(self._step)
                assert event is None, "an event takes a pick at least"
                self._possible = dict.fromkeys(map(self.codes.code, found))
                break
            self._take(self._step, choose(self._walker, self._step, self._random))
        self._close()
        if self.render_mode == "human":
            self.render()

    def _take(self, state: State, event: Event) -> None:
        self._steps += 1
        try:
            step = self._walker.advance(state, event)
        except Fault as fault:
            raise of_fault(fault) from fault
        self._past.append((state, event))
        self._step = step

    def _close(self) -> None:
        """Ends the game for all agents if it is over, or cut off."""
        match self._step:
            case Failed():
                raise RulesError(self._step.code, f"{FAILING}{self._step.message}", span=self._step.span)
            case State():
                if self._steps >= self._max_events:
                    self.truncations = dict.fromkeys(self.agents, True)
            case Stopped():
                self.terminations = dict.fromkeys(self.agents, True)
                self.infos = {agent: {"stopped": f"{self._step.point.name}: {self._step.why}"} for agent in self.agents}
            case Ended():
                self.terminations = dict.fromkeys(self.agents, True)
                self.rewards = dict(zip(self.agents, self._rewards(self._step), strict=True))

    def _rewards(self, end: Ended) -> list[float]:
        """How much better each did than the others on average."""
        number = len(self.possible_agents)
        if self._reward == "winning":
            values = [float(seat in end.winners) for seat in range(number)]
        else:
            scores = self._walker.scores(end.state) or dict.fromkeys(range(number), 0)
            values = [float(scores[seat]) for seat in range(number)]
        if number == 1:
            return values
        return [one - (sum(values) - one) / (number - 1) for one in values]

    # ------------------------------------------------------------------ looking
    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees now; the mask has ones for the picks that he can make, if it is his turn."""
        mask: Any = np.zeros(self.codes.number, np.int8)
        with LOCK, told():
            state = self._step if isinstance(self._step, State) else self._step.state
            assert state is not None
            playing = isinstance(self._step, State) and self._steps < self._max_events
            asked = self._walker.who(state) if playing else frozenset[int]()
            seen = self.observed.seen(state, self.possible_agents.index(agent), asked,
                                      self._codes if agent == self.agent_selection else ())
        if playing and agent == self.agent_selection:
            mask[list(self._possible)] = 1
        return {"observation": np.array(seen, np.int64), "action_mask": mask}

    def view(self, agent: str) -> View:
        """What an agent (or `public`) knows, in words: the table, and the events as he saw them (`Game.view`)."""
        one_of(agent, "player of this game", (*self.possible_agents, PUBLIC))
        with LOCK, told():
            seat = self.possible_agents.index(agent) if agent in self.possible_agents else None
            state = self._step if isinstance(self._step, State) else self._step.state
            assert state is not None
            return view_of(self._walker, self._game, state, agent, seat, self._known.sightings(self._past))

    def log(self) -> tuple[str, ...]:
        """The lines of the log of the game so far."""
        with LOCK:
            recorder = Recorder(self._walker, self._options)
            return tuple(recorder.lines(self._game, [event for _, event in self._past], self._step,
                                        drawn(self._setting, self._game)))

    def render(self) -> str | None:
        """The table as everybody sees it: as text (`ansi`), or written (`human`); nothing without a render mode."""
        if self.render_mode is None:
            return None
        with LOCK, told():
            text = text_of(self._walker, self.possible_agents, self._step, PUBLIC)
        if self.render_mode == "ansi":
            return text
        OUT.tell(text)
        return None

    def close(self) -> None:
        """There is nothing to close."""


def _whole(value: object, what: str) -> int:
    """A number, also one of numpy. Raises `ArgumentError` (AP01) for anything else."""
    try:
        return index(value)  # type: ignore[arg-type]  # what it cannot take it says
    except TypeError:
        raise ArgumentError("AP01", f"{what} is a whole number, not {type(value).__name__}") from None
