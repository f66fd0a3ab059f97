"""Options that belong together, given to a command as one value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import wraps
from typing import Any


def gathered(name: str, into: type) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """A command gets, as the argument `name`, one value for all options that are called as the fields of a dataclass
    are."""
    taken = [field.name for field in fields(into)]

    def around(command: Callable[..., int]) -> Callable[..., int]:
        @wraps(command)
        def given(**values: Any) -> int:
            return command(**{name: into(**{one: values.pop(one) for one in taken})}, **values)

        return given

    return around
