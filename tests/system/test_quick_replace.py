"""`replace` for values that are replaced all the time gives what that of the library gives."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field

import pytest

from referee.system.quick_replace import replace


@dataclass(frozen=True, slots=True)
class Several:
    one: int
    two: str = "two"
    three: list[int] = field(default_factory=list, compare=False)


def test_it_gives_what_that_of_the_library_gives() -> None:
    before = Several(1, "b", [3])
    after = replace(before, two="c")
    assert after == dataclasses.replace(before, two="c") == Several(1, "c")
    assert after.three is before.three
    assert before == Several(1, "b")


def test_a_field_that_is_not_there_cannot_be_given() -> None:
    with pytest.raises(KeyError):
        replace(Several(1), four=4)
