"""Whether rules mean the same after a name in them was made another one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path

from referee.api.runs.rule_checks import checked_rules
from referee.diagnostics.diagnostic import Problems
from referee.diagnostics.source import Span
from referee.frontend.loading.assembly import parsed
from referee.frontend.loading.ruleset_files import find
from referee.system.file_observations import FileObservations

_TOLD_BY_THE_TEXT = frozenset({"version", "record", "texts"})
"""What of a core tells one text from another."""


def differs(where: Path, before: Mapping[Path, bytes], after: Mapping[Path, bytes], old: str, new: str) -> str | None:
    """Why rules are others after a name was made another one, or are wrong before or after; None if they are not."""
    meant = []
    for texts in (before, after):
        try:
            done = checked_rules(parsed(find(where, FileObservations(texts))))
        except Problems as problems:
            return f"the rules cannot be read: {problems.diagnostics[0]}"
        if done.found:
            first, so = done.found[0], "would be" if texts is after else "is"
            return f"{first.span.path}:{first.span.line} {so} wrong: {first.message}"
        meant.append((done.built, done.scenarios))
    same = _SameParts(old, new)
    if same.same(*meant):
        return None
    return f"with {new} in the place of {old} the rules would mean something else"


class _SameParts:
    """Compares two things part by part; one name counts as the other, and places as nothing."""

    def __init__(self, old: str, new: str) -> None:
        self._old = re.compile(rf"(?<!\w){re.escape(old)}(?!\w)")
        self._new = new
        self._done: set[tuple[int, int]] = set()

    def same(self, one: object, other: object) -> bool:
        """Whether they are the same."""
        stack: list[tuple[object, object]] = [(one, other)]
        while stack:
            one, other = stack.pop()
            if isinstance(one, Span | None) and isinstance(other, Span | None):
                continue
            if type(one) is not type(other):
                return False
            if (id(one), id(other)) in self._done:
                continue
            if isinstance(one, str):
                if self._named(one) != self._named(str(other)):
                    return False
            elif is_dataclass(one) and not isinstance(one, type):
                self._done.add((id(one), id(other)))
                names = [field.name for field in fields(one) if field.name not in _TOLD_BY_THE_TEXT]
                stack.extend((getattr(one, name, None), getattr(other, name, None)) for name in names)
            elif isinstance(one, Mapping) and isinstance(other, Mapping):
                keys = {self._key(key): value for key, value in other.items()}
                if len(one) != len(other) or any(self._key(key) not in keys for key in one):
                    return False
                stack.extend((value, keys[self._key(key)]) for key, value in one.items())
            elif isinstance(one, Set) and isinstance(other, Set):
                if {self._key(part) for part in one} != {self._key(part) for part in other}:
                    return False
            elif isinstance(one, tuple | list) and isinstance(other, tuple | list):
                if len(one) != len(other):
                    return False
                stack.extend(zip(one, other, strict=True))
            elif isinstance(one, int | float | bytes | Enum) and one != other:
                return False
        return True

    def _named(self, text: str) -> str:
        return self._old.sub(self._new, text)

    def _key(self, key: object) -> object:
        return self._named(key) if isinstance(key, str) else self._named(repr(key))
