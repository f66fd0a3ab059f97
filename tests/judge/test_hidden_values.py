"""Whatever is hidden is of a class that the engines tell apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from referee.judge.partial.constraints.hidden_values import Hidden
from referee.judge.partial.lifted.hidden_pools import HiddenValue


def kinds_of(parent: type[object]) -> Iterator[type[object]]:
    for one in parent.__subclasses__():
        yield one
        yield from kinds_of(one)


def test_every_kind_of_hidden_value_is_one_of_the_union_that_matches_name() -> None:
    """Whoever adds a class puts it into the union: then the type checker says where something is to be made of it."""
    assert set(kinds_of(Hidden)) == set(get_args(HiddenValue))
