"""What logs say of the settings they were played under, as text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from referee.report.data.inference_data import Inferred, as_data
from referee.report.text.printable import count, printable, width
from referee.report.text.verdict_text import text_of

MOST_SETTINGS = 60
"""So many settings are told; of more it is said how many."""
MOST_CLASHES = 20
"""So many sets of logs that contradict each other are told; of more it is said how many."""
MOST_DECIDING = 10
"""So many events that would decide are told; of more it is said how many."""
MOST_LISTED = 12
"""So many logs are named; of more it is said how many."""
MOST_UNTOLD = 5
"""Of more combinations that are not told only the number is said."""


def inference_text(told: Inferred) -> str:
    """Everything as text, several lines, without the last line end."""
    return "\n".join(_lines(told, as_data(told)))


def _lines(told: Inferred, data: dict[str, Any]) -> Iterator[str]:
    for log in told.inference.logs:
        if not log.region:
            yield text_of(log.verdict)
    yield _headline(data)
    yield from _engines(data)
    yield from _headers(data)
    yield from _clashes(data)
    yield from _settings(data)
    yield from _combinations(data)
    yield from _untold(data)
    yield from _rulings(data)
    yield from _deciding(data)
    yield from _apart(data)


def _engines(data: dict[str, Any]) -> Iterator[str]:
    if data["engines"] != ["by generated code"]:
        yield from (f"judged {printable(one)}" for one in data["engines"])


def _headline(data: dict[str, Any]) -> str:
    events = sum(log["events"] for log in data["logs"])
    told = f"{count(len(data['logs']), 'log')}, {count(events, 'event')}"
    match data["outcome"]:
        case "explained":
            return f"{told}: explained"
        case "contradiction":
            return f"{told}: no setting explains them all"
        case _:
            unsure = sum(not log["told"] for log in data["logs"])
            if unsure:
                others = "; the others say" if unsure < len(data["logs"]) else ""
                return f"{told}: unknown, {count(unsure, 'log')} could not be told{others}"
            why = ("not all settings could be looked at; nothing else explains them all" if data["untold"]
                   else "too many combinations are left to keep them apart")
            return f"{told}: unknown, {why}"


def _clashes(data: dict[str, Any]) -> Iterator[str]:
    told = zip(data["clashes"], data["by_headers"], data["apart_at"], strict=True)
    clashes = [(paths, apart) for paths, stated, apart in told if not stated]
    for paths, apart in clashes[:MOST_CLASHES]:
        names = " and ".join(map(printable, paths))
        why = "" if apart is None else f": {apart['kind']} {printable(apart['name'])}, {_values(apart, data)}"
        yield f"  {names} {'contradict each other' if len(paths) > 1 else 'is explained by no setting'}{why}"
    if len(clashes) > MOST_CLASHES or not data["all_clashes"]:
        yield f"  and {len(clashes) - MOST_CLASHES} sets more" if data["all_clashes"] else "  maybe more"
    for group in data["together"] if any(len(group) > 1 for group in data["together"]) else ():
        yield f"  together   {_listed(group, data)}"


def _headers(data: dict[str, Any]) -> Iterator[str]:
    """Which logs contradict each other because of what their headers state, and what that is."""
    number = sum(data["by_headers"])
    if not number:
        return
    yield (f"  {count(number, 'set')} of logs contradict each other by what their headers state "
           "(--blind does not look at that):")
    for one in data["headers"]:
        more = f" (and {count(one['more'], 'value')} more)" if one["more"] else ""
        yield f"    {one['kind']} {printable(one['name'])}: {_values(one, data)}{more}"


def _values(one: dict[str, Any], data: dict[str, Any]) -> str:
    return "; ".join(f"{printable(each['value'])} in {_listed(each['logs'], data)}" for each in one["values"])


def _listed(paths: list[str], data: dict[str, Any]) -> str:
    """Logs by the names of their files, if these are all different."""
    names = {log["path"]: Path(log["path"]).name for log in data["logs"]}
    short = len(set(names.values())) == len(names)
    told = [printable(names[path] if short else path) for path in paths[:MOST_LISTED]]
    return ", ".join(told) + (f" and {len(paths) - MOST_LISTED} more" if len(paths) > MOST_LISTED else "")


def _settings(data: dict[str, Any]) -> Iterator[str]:
    rows = [(one["name"], " or ".join(one["left"])) for one in data["settings"][:MOST_SETTINGS]]
    column = max((width(printable(name)) for name, _ in rows), default=0)
    for one, (name, left) in zip(data["settings"], rows, strict=False):
        pad = " " * (column - width(printable(name)) + 2)
        state = "" if one["settled"] else "  (open)"
        if one["untold"]:
            state = f"  (not told: {printable(' or '.join(one['untold']))})"
        yield f"  {one['kind']:<9}  {printable(name)}{pad}{printable(left)}{state}"
        for bad in one["excluded"]:
            yield from _against(bad)
    more = len(data["settings"]) - MOST_SETTINGS
    if more > 0:
        yield f"  and {more} more"
    if data["untouched"]:
        yield f"  {count(data['untouched'], 'value')} of parameters of which no log says anything"


def _against(bad: dict[str, Any]) -> Iterator[str]:
    if bad["log"] is None:
        if bad["looked"]:
            yield f"             not {printable(bad['value'])}: several logs together, or several values of one"
        return
    cites = f"  [{' '.join(bad['statements'])}]" if bad["statements"] else ""
    yield (f"             not {printable(bad['value'])}: {printable(bad['log'])} line {bad['line']}, "
           f"{printable(bad['what'])}: {printable(bad['message'])}{cites}")


def _untold(data: dict[str, Any]) -> Iterator[str]:
    if data["number_untold"] > MOST_UNTOLD:
        yield f"  not told   {data['number_untold']:,} combinations of values"
        return
    for box in data["untold"]:
        yield f"  not told   {_said(box)}"


def _said(box: list[dict[str, Any]]) -> str:
    return " and ".join(f"{printable(one['name'])} = {printable(one['value'])}" for one in box) or "anything"


def _combinations(data: dict[str, Any]) -> Iterator[str]:
    if data["number_of_combinations"] > len(data["combinations"]):
        yield f"  combined   the values left do not all go together: {data['number_of_combinations']:,} combinations"
        return
    for index, box in enumerate(data["combinations"]):
        yield f"  {'either   ' if index == 0 else 'or       '}  {_said(box)}"


def _rulings(data: dict[str, Any]) -> Iterator[str]:
    for one in data["rulings"]:
        fits = ", ".join(map(printable, one["explaining"]))
        said = f"always {fits} explains all" if fits else "no single choice explains all"
        yield f"  ruling     {printable(one['point'])}: {said}" + (
            "" if one["tried"] else " (too many choices to try)")


def _deciding(data: dict[str, Any]) -> Iterator[str]:
    for one in data["deciding"][:MOST_DECIDING]:
        left = " and ".join(f"{printable(part['name'])} = {printable(part['value'])}" for part in one["left"])
        yield f"  decides    {printable(one['log'])}, next {printable(one['event'])}: {left or 'fewer combinations'}"
    more = len(data["deciding"]) - MOST_DECIDING
    if more > 0:
        yield f"  and {more} events more that would decide something"


def _apart(data: dict[str, Any]) -> Iterator[str]:
    for pair in data["apart"]:
        for game in pair["games"]:
            name, by, other = (printable(text) for text in (pair["name"], game["by"], game["forbidden_by"]))
            yield f"  apart      {name}: {_told_apart(game, by, other)}"


def _told_apart(game: dict[str, Any], by: str, other: str) -> str:
    if game["events"] is None:
        looked = "proved, all positions searched" if game["exhaustive"] else f"in {count(game['games'], 'game')}"
        return f"no game by {by} is forbidden by {other} ({looked})"
    where = f", {printable(game['file'])}" if game["file"] else ""
    short = "shortest" if game["exhaustive"] else count(game["events"], "event")
    return f"a game by {by} that {other} forbids at {printable(game['event'])} ({short}{where})"
