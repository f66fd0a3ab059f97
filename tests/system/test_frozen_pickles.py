"""What is pickled as calls of classes comes back as it was: shared where it was shared, also what is no such class."""

from __future__ import annotations

import gc
from dataclasses import dataclass, field
from pickle import UnpicklingError

import pytest

from referee.frontend.loading.loader import load_flow
from referee.system.frozen_pickles import dumps, loads


@dataclass(frozen=True, slots=True)
class Leaf:
    number: int
    note: str = field(default="", compare=False)


@dataclass(frozen=True)
class Empty:
    pass


@dataclass
class Open:
    of: object


@dataclass(frozen=True, slots=True)
class Counted:
    """Counts how often one was made anew: by a call of the class, but by no pickle."""

    made: list[int]

    def __post_init__(self) -> None:
        self.made.append(1)


def test_everything_comes_back() -> None:
    leaf = Leaf(3, "three")
    value = (leaf, {"one": leaf, "other": Leaf(3)}, Open(leaf), Empty(), frozenset({Leaf(1)}), Counted([]))
    again = loads(dumps(value))
    assert again == value
    assert isinstance(again, tuple)
    assert (again[0].note, again[1]["other"].note) == ("three", "")
    assert again[0] is again[1]["one"] is again[2].of
    assert again[5].made == [1]


def test_a_flow_comes_back() -> None:
    flow = load_flow("side_to_side", 2)
    assert loads(dumps(flow)) == flow


def test_what_is_damaged_leaves_nothing_switched_off() -> None:
    with pytest.raises(UnpicklingError):
        loads(b"no pickle")
    assert gc.isenabled()
