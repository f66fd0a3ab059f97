"""Logs of the first of two rulesets in the words of the second."""

from __future__ import annotations

import json
from collections.abc import Iterable

from referee.comparison.correspondence import Correspondence, Dictionary
from referee.game.log.strict_json import JsonFault, parse


def translated(lines: Iterable[str], correspondence: Correspondence, dictionaries: tuple[Dictionary, Dictionary],
               ruleset: str) -> tuple[list[str], list[int]]:
    """The lines of a log as logs of the second rules, and of each the number that it has in the first.

    Events that only the first rules have are left out. What is no event stays as it is, and so does what cannot be
    read: the judge says so.
    """
    mine, its = dictionaries
    found: list[str] = []
    numbers: list[int] = []
    for number, text in enumerate(lines, 1):
        said: str | None = text
        try:
            raw = parse(text)
        except JsonFault:
            raw = None
        if isinstance(raw, dict) and number == 1:
            said = json.dumps({**{key: one for key, one in raw.items() if key != "version"}, "ruleset": ruleset})
        elif isinstance(raw, dict) and isinstance(raw.get("do"), str) and isinstance(raw.get("with", {}), dict):
            event = mine.shared({"by": "", **raw})
            own = its.own(event)
            said = None if raw["do"] in correspondence.silent[0] else json.dumps({**raw, **own, "by": raw.get("by")})
        if said is not None:
            found.append(said)
            numbers.append(number)
    return found, numbers
