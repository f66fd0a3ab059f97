"""Renaming the players changes no verdict: kept logs and random games of every bundled ruleset, under hostile names.

`REFEREE_LAW_GAMES=20 pytest tests/laws/test_renamed.py` tries so many games of each (1 by default).
"""

from __future__ import annotations

import io
import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.api.game_record import Recorder
from referee.api.runs.log_engines import Rules
from referee.core.naming import is_bare, quoted, written
from referee.core.ruleset import Core, Role
from referee.core.types import PLAYER, Elem
from referee.game.log.log_reader import Log
from referee.game.setting import Setting
from referee.game.state import Open, State
from referee.game.value_codec import encode_value, place_text
from referee.judge.log_run import judge_log
from referee.judge.verdict import LogOutcome, LogVerdict
from referee.views.redaction import redacted
from tests.laws.games import Game, play
from tests.laws.shapes import Case, places, usual, walker_of
from tests.sample_sizes import by_lot, in_turn

GAMES = int(os.environ.get("REFEREE_LAW_GAMES", "1"))
EVENTS = 12
MOST_CLAIMS = 60
BUNDLED = [where for where in places() if "constructs" not in where.parts]
KEPT = [where for where in BUNDLED if (where / "logs").is_dir()]
RULES = Rules()
NASTY = (
    "Ben", "ana maria", "ana", "anabel", "me", "1", '"', "\\", 'a "b" \\', "of", "p-1", "hand of ana", "e\u0301",
    "\u00e9", "x" * 100, "two\nlines", "\u202eabc", "\u0000", "it", "no", "a, b", "(", "[x]", "#", "true", "null",
    "0", "-1", "turn player", "every", "Player", "player 1", "Ana Maria", "\u0410\u043d\u043d\u0430", "\U0001f600", "_",
)


def hostile(core: Core, random: Random) -> tuple[str, ...]:
    """Names that could be taken for something else: words of these rules, among others."""
    labels = [str(one) for domain in core.domains.values() for one in domain.labels]
    own = [name for name in (*core.zones, *core.vars, *core.actions, *labels) if 0 < len(name) <= 100]
    found = list(dict.fromkeys([*random.sample(own, min(12, len(own))), *NASTY]))
    free = [name for name in found if name not in {"all", "fate", "table", "nobody", "?", "public"} and name.strip()]
    return tuple(random.sample(free, core.seats.number))


def judged(lines: Sequence[dict[str, Any]]) -> LogVerdict:
    return judge_log(log_of(lines), RULES)


def log_of(lines: Sequence[dict[str, Any]]) -> Log:
    return Log(io.StringIO("".join(f"{json.dumps(line)}\n" for line in lines)), "renamed.jsonl")


def said(verdict: LogVerdict) -> tuple[object, ...]:
    """What a verdict says, without the names."""
    wrong = verdict.wrong
    return (verdict.outcome, verdict.at, verdict.finished, len(verdict.after), len(verdict.winners or ()),
            [found.code for found in verdict.diagnostics],
            wrong and (wrong.line, wrong.kind, wrong.what, wrong.cites, len(wrong.failed)))


# --- kept logs

def renamed(line: dict[str, Any], names: dict[str, str], written_as: dict[str, str]) -> dict[str, Any]:
    """A line of a log with other names. The notes speak of nobody."""
    def words(text: str) -> str:
        return re.sub("|".join(rf"\b{name}\b" for name in names), lambda found: written_as[found.group()], text)

    def data(value: Any) -> Any:
        match value:
            case str() if value in names:
                return names[value]
            case str() if " of " in value and value.rpartition(" of ")[2] in names:
                kind, _, name = value.rpartition(" of ")
                return f"{kind} of {names[name]}"
            case list():
                return [data(one) for one in value]
            case dict():
                return {data(key): data(one) for key, one in value.items()}
            case _:
                return value

    made = {key: value if key in ("note", "do", "ruleset", "schema") else data(value) for key, value in line.items()}
    for part in ("place", "set"):
        if part in line.get("state", {}):
            made["state"][part] = {words(text): data(value) for text, value in line["state"][part].items()}
    if "assert" in line:
        made["assert"] = {words(text): data(value) for text, value in line["assert"].items()}
    return made


def telling(lines: Sequence[dict[str, Any]]) -> bool:
    """Whether a log names players in words of the rules."""
    return "state" in lines[0] or "rulings" in lines[0] or any("assert" in line for line in lines)


def kept(where: Path) -> Iterator[list[dict[str, Any]]]:
    paths = [path for path in sorted((where / "logs").glob("*/*.jsonl")) if path.stat().st_size < 20_000]
    logs = [[json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()] for path in paths]
    told = [lines for lines in logs if telling(lines)] or logs
    yield from Random(where.stem).sample(told, min(2 * GAMES, len(told)))


@pytest.mark.parametrize("where", by_lot(KEPT, "renamed", 4), ids=lambda where: where.stem)
def test_kept_logs_under_other_names(where: Path) -> None:
    for number, lines in enumerate(kept(where)):
        players = lines[0]["players"]
        before = said(judged(lines))
        core = RULES(log_of(lines).header).core
        names = hostile(core, Random(f"{where.stem} {number}"))
        ways = ([written(core, names, seat) for seat in range(len(names))], [quoted(name) for name in names])
        for way in ways:
            other = [renamed(line, dict(zip(players, names, strict=True)), dict(zip(players, way, strict=True)))
                     for line in lines]
            assert said(judged(other)) == before, (lines, other)


# --- random games

def claims(walker: Any, state: State, setting: Setting, random: Random) -> dict[str, Any]:
    """What is so in a position of every counter and place of somebody."""
    core, found = walker.core, {}
    for name, var in walker.layout.defs.items():
        if var.role is Role.STATE and name in core.vars and " " not in name and "." not in name and var.keys:
            for key in walker.layout.vars[name].keys():
                value = walker.layout.read_var(state, name, key)
                if not isinstance(value, Open) and any(isinstance(k, Elem) and k.domain == PLAYER for k in var.keys):
                    text = place_text(core, setting.players, name, var.keys, key)
                    found[text] = encode_value(core, setting.players, var.type, value)
    for name, zone in core.zones.items():
        for key in walker.layout.zones[name].keys() if zone.keys else ():
            content = walker.layout.read_zone(state, name, key)
            text = place_text(core, setting.players, name, zone.keys, key)
            found[f"number of {text}"] = sum(
                len(one) if isinstance(one, tuple) else one is not None for one in content)
    return {text: found[text] for text in random.sample(sorted(found), min(MOST_CLAIMS, len(found)))}


@cache
def games(where: Path) -> tuple[tuple[Case, Game], ...]:
    every = usual(where)
    chosen = Random(where.stem).sample(every, min(GAMES, 2, len(every)))
    return tuple((case, play(walker_of(case), seed, EVENTS)) for case in chosen for seed in range(GAMES))


def lines_of(case: Case, game: Game, players: tuple[str, ...], *, wrong: bool) -> list[dict[str, Any]]:
    walker = walker_of(case)
    setting = replace(game.setting, players=players)
    lines = [json.loads(text) for text in
             Recorder(walker, dict(case.shape.options)).lines(setting, game.events, game.steps[-1], ())]
    random = Random(0)
    last = game.steps[-1]
    if isinstance(last, State):
        said_so = claims(walker, last, setting, random)
        if wrong:
            said_so |= {text: value + 1 for text, value in said_so.items() if type(value) is int}
        lines.append({"assert": said_so})
    return lines


@pytest.mark.parametrize("where", in_turn(BUNDLED, "renamed 1", 5), ids=lambda where: where.stem)
def test_random_games_under_other_names(where: Path) -> None:
    for number, (case, game) in enumerate(games(where)):
        names = hostile(walker_of(case).core, Random(f"{where.stem} {number}"))
        for wrong in (False, True):
            plain = lines_of(case, game, game.setting.players, wrong=wrong)
            other = lines_of(case, game, names, wrong=wrong)
            verdict = judged(plain)
            assert said(judged(other))[:3] == said(verdict)[:3], other
            if not wrong:
                assert verdict.outcome in (LogOutcome.LEGAL, LogOutcome.STOPPED), verdict


@pytest.mark.parametrize("where", in_turn(BUNDLED, "renamed 2", 5), ids=lambda where: where.stem)
def test_views_under_other_names_are_no_more_illegal(where: Path) -> None:
    case, game = games(where)[0]
    names = hostile(walker_of(case).core, Random(where.stem))
    lines = lines_of(case, game, names, wrong=False)
    for viewer in names[:2]:
        seen = [json.loads(text) for text in redacted(log_of(lines), viewer, RULES)]
        assert seen[0]["viewpoint"] == viewer
        assert judged(seen).outcome in (LogOutcome.LEGAL, LogOutcome.POSSIBLE, LogOutcome.STOPPED, LogOutcome.UNKNOWN)


@pytest.mark.parametrize("where", in_turn(BUNDLED, "renamed 3", 5), ids=lambda where: where.stem)
def test_a_name_that_stands_bare_is_no_word_of_the_rules(where: Path) -> None:
    core = walker_of(games(where)[0][0]).core
    for name in (*core.zones, *core.vars, *core.actions, "me", "1", "p-1", "hand of ana", "it", '"', "every"):
        players = (name, *(f"other{seat}" for seat in range(1, core.seats.number)))
        assert not is_bare(core, players, 0) or name in core.seats.roles
