"""Whether anything notices a fault: a scenario, a log, an invariant, a law; or else that the games are the same."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from referee.core.ruleset import Core
from referee.engine.engines import engine
from referee.engine.faults import Fault as Failing
from referee.engine.faults import Unsettled
from referee.engine.play import choose
from referee.engine.walker import Walker
from referee.game.header import Header
from referee.game.state import Ended, Failed, State, Step, Stopped
from referee.judge.run import judge_path
from referee.judge.scenarios import run_scenario
from referee.meaning.assemble import parsed
from referee.meaning.find import find
from referee.meaning.flow import lower
from referee.meaning.load import Rows, load
from referee.meaning.scenario import Expected, Refused, Scenario, load_scenarios
from tests.faults.faults import Fault, faults
from tests.laws.games import setting_for
from tests.laws.shapes import shapes

GAMES = 12
"""Random games of each shape."""
EVENTS = 400
"""Events of a random game."""


@dataclass(frozen=True, slots=True)
class Caught:
    """A fault and what notices it: `by` is a scenario, a log, an invariant, a law; `equivalent` if nothing in so many
    events of random games differs; `missed` if something differs that nothing notices."""

    fault: Fault
    by: str
    what: str

    @property
    def row(self) -> str:
        """A line of the table."""
        cites = " ".join(self.fault.cites)
        noticed = f"{self.by}: {self.what}" if self.what else self.by
        return f"| {self.fault.kind} | {self.fault.words} | {cites} | {noticed} |"


class Ruleset:
    """One ruleset with everything that may notice a fault."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cores: dict[tuple[int, str], Core] = {}
        self.engines: dict[int, Walker] = {}
        self.scenarios = load_scenarios(folder).found
        self.shapes = [(shape.players or 0, dict(shape.options)) for shape in shapes(parsed(find(str(folder))))]
        sound = self._walkers(lambda core: core)
        logs = sorted(folder.glob("logs/*/*.jsonl"))
        self.said = {path: _judged(path, sound) for path in logs}

    def core(self, players: int, options: Mapping[str, str] | None = None, pool: Rows | None = None) -> Core:
        """The core for a shape, loaded once."""
        key = players, json.dumps([dict(options or {}), dict(pool or {})], sort_keys=True)
        if key not in self.cores:
            self.cores[key] = load(self.folder, players, dict(options or {}), dict(pool or {}))
        return self.cores[key]

    def _sound(self, players: int, options: Mapping[str, str]) -> Walker:
        """The engine for a shape of the rules as they are, made once."""
        core = self.core(players, options)
        if id(core) not in self.engines:
            self.engines[id(core)] = engine(lower(core))
        return self.engines[id(core)]

    def faults(self) -> list[Fault]:
        """The faults of every shape, each once."""
        found: dict[tuple[str, str, object], Fault] = {}
        for players, options in self.shapes:
            for fault in faults(self.core(players, options)):
                found.setdefault((fault.kind, fault.words, fault.span), fault)
        return list(found.values())

    def tried(self, fault: Fault) -> Caught:
        """Puts a fault in and looks who notices, the quickest first."""
        for by, look in (("scenario", self._scenario), ("log", self._log), ("", self._games)):
            found = look(fault)
            if found:
                return Caught(fault, by or found.partition(": ")[0], found if by else found.partition(": ")[2])
        return Caught(fault, "equivalent", f"in {GAMES} games of each shape")

    def _scenario(self, fault: Fault) -> str:
        near = sorted(self.scenarios, key=lambda one: _far(one, fault))
        changed: dict[int, Core] = {}
        for scenario in near:
            core = changed.setdefault(id(scenario.core), fault.put(scenario.core))
            if core is not scenario.core and not _passes(replace(scenario, core=core)):
                return scenario.title
        return ""

    def _log(self, fault: Fault) -> str:
        faulty = self._walkers(fault.put)
        for path, said in self.said.items():
            if _judged(path, faulty) != said:
                return str(path.relative_to(self.folder / "logs"))
        return ""

    def _walkers(self, change: Callable[[Core], Core]) -> Callable[[Header], Walker]:
        """The engine for a log's header, of rules changed so; made once for each shape."""
        made: dict[int, Walker] = {}

        def walker(header: Header) -> Walker:
            options = {name: str(value) for name, value in header.options.items()}
            core = self.core(len(header.players), options, header.pool)
            if id(core) not in made:
                made[id(core)] = engine(lower(change(core)))
            return made[id(core)]

        return walker

    def _games(self, fault: Fault) -> str:
        differs = ""
        for players, options in self.shapes:
            core = self.core(players, options)
            changed = fault.put(core)
            if changed == core:
                continue
            sound = self._sound(players, options)
            try:
                faulty = engine(lower(changed))
            except (ValueError, KeyError) as problem:
                return f"law: no rules any more ({problem})"
            for seed in range(GAMES):
                found = compared(sound, faulty, seed)
                if found.startswith(("invariant", "law")):
                    return found
                differs = differs or found
        return differs and f"missed: {differs}"


def _far(scenario: Scenario, fault: Fault) -> tuple[int, ...]:
    """How far a scenario is from a fault: whether it tells of what the fault is in, and statements in common."""
    owner = fault.words.partition(":")[0]
    told = {line.event.do if isinstance(line, Refused) else line.do
            for line in scenario.lines if not isinstance(line, Expected)}
    return owner not in told, -len({*scenario.cites} & {*fault.cites})


def _passes(scenario: Scenario) -> bool:
    try:
        return run_scenario(scenario).passed
    except (ValueError, KeyError, Failing):
        return False


def _judged(path: Path, walker: Callable[[Header], Walker]) -> tuple[object, ...]:
    """What is said of a log."""
    verdict = judge_path(str(path), walker)
    wrong = verdict.wrong
    return verdict.outcome.value, verdict.at, None if wrong is None else (wrong.kind.value, wrong.what)


def compared(sound: Walker, faulty: Walker, seed: int) -> str:
    """Plays a game of the faulty rules: an invariant that breaks, a law that fails, or a difference; else nothing."""
    random = Random(seed)
    setting = setting_for(sound, random)
    differs = ""
    try:
        step: Step = faulty.begin(setting)
        there: Step | None = sound.begin(setting)
        for _ in range(EVENTS):
            if isinstance(step, Failed):
                return f"law: rules make no errors ({step.code} {step.message})"
            if not isinstance(step, State):
                break
            broken = faulty.broken(step)
            if broken:
                return f"invariant: {broken[0].name.replace('_', ' ')}"
            event = choose(faulty, step, random)
            if isinstance(there, State) and not differs:
                if sound.check(there, event) is not None:
                    differs = f"{event.label} is legal"
                    there = None
                else:
                    there = sound.advance(there, event)
            step = faulty.advance(step, event)
            if there is not None and not differs and not _alike(faulty, step, sound, there):
                differs = "the game goes on otherwise"
        if isinstance(step, Stopped) and isinstance(there, State):
            differs = differs or "the game stops"
    except (Failing, Unsettled) as fault:
        return f"law: rules make no errors ({fault})"
    except (ValueError, IndexError, KeyError):
        return "law: somebody can always do something"
    return differs


def _alike(faulty: Walker, step: Step, sound: Walker, there: Step) -> bool:
    """True if the same can be seen of both; where rules lay their state out alike, equal slots say so at once."""
    if isinstance(step, State) and isinstance(there, State) and faulty.layout == sound.layout:
        if step.slots == there.slots:
            return True
    return _seen(faulty, step) == _seen(sound, there)


def _seen(walker: Walker, step: Step) -> object:
    """What can be seen of where a game stands: every variable and zone of the rules, and who won."""
    if not isinstance(step, State | Ended):
        return type(step)
    state = step if isinstance(step, State) else step.state
    layout = walker.layout
    spreads = [layout.vars[name] for name in walker.core.vars] + [layout.zones[name] for name in walker.core.zones]
    entries = tuple(state.slots[spread.base:spread.base + spread.count] for spread in spreads)
    return entries, step.winners if isinstance(step, Ended) else None
