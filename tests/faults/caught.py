"""Whether anything notices a fault: a scenario, a log, an invariant, a law; or else that the games are the same."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, product
from pathlib import Path

from referee.core.ruleset import Core
from referee.diagnostics.diagnostic import Problems
from referee.flow.lowering import lower
from referee.frontend.loading.assembly import parsed
from referee.frontend.loading.loader import Rows, load
from referee.frontend.loading.ruleset_files import find
from referee.frontend.scenarios.scenario_reader import Expected, KnownEvent, RefusedEvent, Scenario, load_scenarios
from referee.game.log.log_header import Header
from referee.interpreter.interruptions import Fault as Failing
from referee.interpreter.walker import Walker
from referee.judge.log_run import judge_path
from referee.native.engine_names import engine
from referee.rule_tests.scenario_runs import run_scenario
from tests.faults.alike import Compared, Pair
from tests.faults.faults import Fault, faults
from tests.faults.slips import slips
from tests.faults.text import Text
from tests.laws.shapes import shapes

SHAPES, GAMES = 2, 4
"""Random games of each of so many shapes, far from each other."""
MOST = 40
"""So many games of each at most, where none of the first came to the fault: cards that are there once, rare rulings."""
BROKEN = (ValueError, KeyError, Failing, Problems)
"""What is raised by rules that a fault leaves without a meaning."""


@dataclass(frozen=True, slots=True)
class Caught:
    """A fault and what notices it: `by` is a scenario, a log, an invariant, a law; `equivalent` if every game is the
    same as far as it was followed; `not come to` if no random game came to the fault, or none to a position from which
    every game could be followed; `missed` if something differs that nothing notices."""

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
        loaded = parsed(find(str(folder)))
        self.scenarios = load_scenarios(folder, loaded).found
        self.text = Text(loaded.sources)
        self.shapes = [(shape.players or 0, dict(shape.options)) for shape in shapes(loaded)]
        self.logs = sorted(folder.glob("logs/*/*.jsonl"))
        self._as_it_is = self._walkers(lambda core: core)
        self._said: dict[Path, tuple[object, ...]] = {}

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
        return self._each_once(lambda core: faults(core, self.text))

    def slips(self, file: str) -> list[Fault]:
        """The slips of the pen in a file, each once, made for every shape: what stands at a place in one is not always
        the same in another."""
        same = self._by_place(lambda core: slips(core, self.text, file))
        return [replace(of_shapes[0], put=partial(_put_as_it_fits, of_shapes)) for of_shapes in same]

    def _each_once(self, made: Callable[[Core], Iterable[Fault]]) -> list[Fault]:
        return [of_shapes[0] for of_shapes in self._by_place(made)]

    def _by_place(self, made: Callable[[Core], Iterable[Fault]]) -> list[list[Fault]]:
        found: dict[tuple[str, str, object], list[Fault]] = {}
        for players, options in self.shapes:
            for fault in made(self.core(players, options)):
                found.setdefault((fault.kind, fault.words, fault.span), []).append(fault)
        return list(found.values())

    def tried(self, fault: Fault) -> Caught:
        """Puts a fault in and looks who notices, the quickest first."""
        return self.noticed(fault) or Caught(fault, *self._games(fault))

    def kept(self, fault: Fault, row: str) -> Caught | None:
        """What a line of the table says of a fault, if the scenario or log named there still notices it."""
        by, _, what = row.rpartition(" | ")[2].removesuffix(" |").partition(": ")
        found = Caught(fault, by, what)
        if found.row != row:
            return None
        if by == "scenario":
            titled = [one for one in self.scenarios if one.title == what]
            return found if any(self._notices(one, fault) for one in titled) else None
        path = self.folder / "logs" / what
        named = by == "log" and path in self.logs
        return found if named and _judged(path, self._walkers(fault.put)) != self._sound_verdict(path) else None

    def noticed(self, fault: Fault) -> Caught | None:
        """The scenario or log that notices a fault; None if none does."""
        for by, look in (("scenario", self._scenario), ("log", self._log)):
            found = look(fault)
            if found:
                return Caught(fault, by, found)
        return None

    def _scenario(self, fault: Fault) -> str:
        near = sorted(self.scenarios, key=lambda one: _far(one, fault))
        changed: dict[int, Core] = {}
        for scenario in near:
            if self._notices(scenario, fault, changed):
                return scenario.title
        return ""

    @staticmethod
    def _notices(scenario: Scenario, fault: Fault, changed: dict[int, Core] | None = None) -> bool:
        """`changed`: the rules of each shape with the fault, kept for the next scenario."""
        changed = {} if changed is None else changed
        if id(scenario.core) not in changed:
            changed[id(scenario.core)] = fault.put(scenario.core)
        core = changed[id(scenario.core)]
        return core is not scenario.core and not _passes(replace(scenario, core=core))

    def _log(self, fault: Fault) -> str:
        faulty = self._walkers(fault.put)
        for path in self.logs:
            if _judged(path, faulty) != self._sound_verdict(path):
                return str(path.relative_to(self.folder / "logs"))
        return ""

    def _sound_verdict(self, path: Path) -> tuple[object, ...]:
        """What the rules as they are say of a log, judged once."""
        if path not in self._said:
            self._said[path] = _judged(path, self._as_it_is)
        return self._said[path]

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

    def _games(self, fault: Fault) -> tuple[str, str]:
        found = Compared()
        cores = [(self.core(players, options), players, options) for players, options in self.shapes]
        differing = [(core, changed, players, options) for core, players, options in cores
                     if (changed := fault.put(core)) != core]
        chosen = differing[::-(-len(differing) // SHAPES) or 1]
        try:
            pairs = [Pair(core, changed, self._sound(players, options)) for core, changed, players, options in chosen]
        except (ValueError, KeyError, Problems) as problem:
            return "law", f"no rules any more ({problem})"
        played = 0
        for pair, seed in chain(product(pairs, range(GAMES)), ((one, n) for n in range(GAMES, MOST) for one in pairs)):
            if played >= len(pairs) * GAMES and (found.positions or found.differs):
                break
            pair.play(seed, found)
            played += 1
            if found.broken:
                by, _, what = found.broken.partition(": ")
                return by, what
        if found.differs:
            return "missed", found.differs
        games = f"{played} random games"
        if not found.positions:
            return "not come to", f"in {games}, but for {found.come_to} times"
        far = "every game" if found.depth is None else f"every game of {found.depth} events"
        return "equivalent", (f"in {far} from {found.positions} positions before it, and in {games}, "
                              f"which come to it {found.come_to} times")


def _put_as_it_fits(of_shapes: list[Fault], core: Core) -> Core:
    """The core with the first of these faults that changes something in it; the core itself if none does."""
    return next((changed for one in of_shapes if (changed := one.put(core)) != core), core)


def _far(scenario: Scenario, fault: Fault) -> tuple[int, ...]:
    """How far a scenario is from a fault: whether it tells of what the fault is in, and statements in common."""
    owner = fault.words.partition(":")[0]
    told = {line.event.do if isinstance(line, RefusedEvent) else line.do
            for line in scenario.lines if not isinstance(line, Expected | KnownEvent)}
    return owner not in told, -len({*scenario.cites} & {*fault.cites})


def _passes(scenario: Scenario) -> bool:
    try:
        return run_scenario(scenario).passed
    except BROKEN:
        return False


def _judged(path: Path, walker: Callable[[Header], Walker]) -> tuple[object, ...]:
    """What is said of a log, and what has to be assumed; nothing by rules that cannot be followed."""
    try:
        verdict = judge_path(str(path), walker)
    except BROKEN:
        return ()
    wrong = verdict.wrong
    told = None if wrong is None else (wrong.kind.value, wrong.what)
    return verdict.outcome.value, verdict.at, told, verdict.under
