"""The engines for the logs that are judged: of rules that a log names, or that are given; made once for each shape."""

from __future__ import annotations

import gc
import json
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path

from referee.api.errors import NoSolver
from referee.api.named_engines import GENERATED, NO_SOLVER, SOLVER
from referee.api.rule_sources import RulesSource
from referee.core.flow import Flow
from referee.diagnostics.diagnostic import Problems
from referee.diagnostics.suggestions import did_you_mean
from referee.frontend import find, names
from referee.game.log.log_header import Header, HeaderFault
from referee.game.log.strict_json import brief
from referee.interpreter.walker import Walker
from referee.native.engine_names import engine

_Shape = tuple[str, int, tuple[tuple[str, str], ...], str]
MOST_KEPT = 32
"""Rules kept ready, at most: each log may bring a card pool of its own."""
_FAULTS = {
    "SH01": ("LG18", "players"), "SH02": ("LG19", "options"), "SH03": ("LG19", "options"), "SH04": ("LG19", "options"),
    "SH05": ("LG30", "pool"),
}


class Rules:
    """Finds the engine for a log. `rules` stand for whatever the logs name."""

    def __init__(self, rules: RulesSource | str | None = None, engine_name: str = GENERATED, seconds: float = 0, *,
                 alone: bool = False, work: int = 0) -> None:
        """`seconds`: how long the solver may take for a log, if it is the engine; `alone`: the process is there for
        nothing but logs; `work`: of so many bytes. Raises `NoSolver`, and `Problems` if there is no such ruleset."""
        self._solver = _solver(seconds) if engine_name == SOLVER else None
        origin = RulesSource(rules) if isinstance(rules, str) else rules
        if origin is not None and origin.text is None:
            find(origin.where)
        self._origin = origin
        self._engine = partial(engine, name=engine_name, work=work)
        self._alone = alone
        self._found: dict[_Shape, Walker | Problems | HeaderFault] = {}
        self._known: tuple[str, ...] = ()

    def __call__(self, header: Header) -> Walker:
        """The rules for a log. Raises `Problems`, or `HeaderFault` if the header asks for what is not there."""
        origin = self._origin or RulesSource(self._bundled(header))
        options = tuple(sorted(_options(header).items()))
        shape = (str(origin.where), len(header.players), options, json.dumps(header.pool, sort_keys=True))
        if shape not in self._found:
            if len(self._found) >= MOST_KEPT:
                del self._found[next(iter(self._found))]
            self._found[shape] = _made(origin, shape, self._solver or self._engine)
            if len(self._found) == 1 and self._alone:
                gc.freeze()  # what the first rules are made of stays: the collector need not go through it ever again
        made = self._found[shape]
        if isinstance(made, Walker):
            made.begin_log()
            return made
        raise made.with_traceback(None)  # it may be raised again, for the next log

    def _bundled(self, header: Header) -> str:
        """A log names rules that come along, never a file. Their folder is looked into once."""
        self._known = self._known or names()
        if header.ruleset not in self._known:
            raise HeaderFault("LG22", f"there is no ruleset {brief(header.ruleset)}", "ruleset",
                              hint=did_you_mean(header.ruleset, self._known) or "name one by --ruleset")
        return header.ruleset


def bytes_of(paths: Iterable[str]) -> int:
    """How many bytes of logs lie behind some paths, of those that are files."""
    found = 0
    for path in paths:
        with suppress(OSError, ValueError):
            found += Path(path).stat().st_size
    return found


def _solver(seconds: float) -> Callable[[Flow], Walker]:
    """What makes an engine that asks the solver. Raises `NoSolver`."""
    try:
        from referee.judge.solver_engine import Solved
    except ModuleNotFoundError:
        raise NoSolver("AP09", NO_SOLVER) from None
    return lambda flow: Solved(flow, seconds)


def _made(origin: RulesSource, shape: _Shape, engine_of: Callable[[Flow], Walker]) -> (
        Walker | Problems | HeaderFault):
    """The rules, or what to raise: a shape that they do not have is a fault of the header."""
    _, players, options, pool = shape
    try:
        flow = origin.flow(players, dict(options), json.loads(pool))
        return engine_of(flow)
    except Problems as problems:
        found = problems.diagnostics[0]
        if found.code in _FAULTS:
            code, key = _FAULTS[found.code]
            return HeaderFault(code, found.message, key, hint=found.hint)
        if json.loads(pool) and isinstance(_made(origin, (shape[0], players, options, "{}"), engine_of), Walker):
            return HeaderFault("LG30", f"with these cards the rules do not load: {found.message}", "pool",
                               found.expected, found.hint)
        return problems


def _options(header: Header) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in header.options.items():
        if not isinstance(value, str):
            what = "is a text, the name of one of its choices"
            raise HeaderFault("LG19", f"the value of the option {brief(name)} {what}", "options")
        found[name] = value
    return found
