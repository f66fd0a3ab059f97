"""Dataclasses whose methods are made later behave as those of the library."""

from __future__ import annotations

import copy
import dataclasses
import importlib
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, asdict, field, fields, is_dataclass, replace
from typing import Any

import pytest

from referee.core import expr
from referee.core.types import Bool
from referee.system import frozen_pickles, lazy_dataclasses

made_late: Any = lazy_dataclasses.dataclass


def pair(dataclass: Callable[..., Any]) -> tuple[Any, Any]:
    """A class and one that is based on it."""

    @dataclass(frozen=True, slots=True)
    class First:
        one: int
        two: str = "two"
        several: list[int] = field(default_factory=list, compare=False, repr=False)
        own: str = field(default="own", init=False, compare=False)

    @dataclass(frozen=True, slots=True)
    class Second(First):
        further: tuple[int, ...] = ()

        def __post_init__(self) -> None:
            if self.one < 0:
                raise ValueError("less than nothing")

    return First, Second


LATE, PLAIN = pair(made_late), pair(dataclasses.dataclass)
ASKED: list[Callable[[Any, Any], object]] = [
    lambda first, second: repr(first(1)) + repr(second(1, further=(2,))),
    lambda first, second: first(1) == first(1, several=[2]),
    lambda first, second: (first(1) == second(1), first(1) == first(2), first(1) != first(1)),
    lambda first, second: hash(second(1, "x")) == hash((1, "x", ())),
    lambda first, second: (first.__match_args__, second.__match_args__, second.__slots__),
    lambda first, second: [(one.name, one.type, one.init, one.compare, one.repr) for one in fields(second)],
    lambda first, second: repr(replace(second(1), one=5)),
    lambda first, second: asdict(second(1, "x", [3])),
    lambda first, second: repr(copy.deepcopy(second(1, "x", [3]))) + repr(copy.copy(first(9))),
    lambda first, second: (is_dataclass(first), is_dataclass(second(1)), second.__dataclass_params__.frozen),
    lambda first, second: first(1).several is first(1).several,
    lambda first, second: setattr(first(1), "one", 2),
    lambda first, second: setattr(second(1), "strange", 2),
    lambda first, second: delattr(second(1), "two"),
    lambda first, second: first(),
    lambda first, second: first(1, two="x", three=3),
    lambda first, second: second(-1),
    lambda first, second: replace(first(1), own="x"),
    lambda first, second: first.one.__set__ is not None,
]


def answer(ask: Callable[[Any, Any], object], classes: tuple[Any, Any]) -> str:
    try:
        return repr(ask(*classes))
    except Exception as error:
        return type(error).__name__ + str(error)


@pytest.mark.parametrize("number", range(len(ASKED)))
def test_it_is_as_the_library_has_it(number: int) -> None:
    told = [answer(ASKED[number], pair(made)).replace("Second", "class") for made in (made_late, dataclasses.dataclass)]
    if "strange" in told[0]:  # the library has an error of its own there
        assert told[0].startswith(FrozenInstanceError.__name__)
    else:
        assert told[0] == told[1]


def test_what_is_not_as_usual_is_left_to_the_library() -> None:
    @lazy_dataclasses.dataclass(frozen=True, slots=True, order=True)
    class Ordered:
        one: int

    @lazy_dataclasses.dataclass
    class Plain:
        one: int

    assert Ordered(1) < Ordered(2)
    changed = Plain(1)
    changed.one = 2
    assert changed == Plain(2)


def test_a_method_that_is_there_stays() -> None:
    @lazy_dataclasses.dataclass(frozen=True, slots=True)
    class Own:
        one: int

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 7

        def __repr__(self) -> str:
            return "own"

    assert (Own(1) == Own(2), hash(Own(1)), repr(Own(1))) == (True, 7, "own")


def test_the_core_is_sent_as_before() -> None:
    value = expr.And((expr.Const(True, Bool()), expr.Const(False, Bool())))
    for sent in (frozen_pickles.dumps(value), pickle.dumps(value)):
        assert frozen_pickles.loads(sent) == value


def test_nothing_is_made_when_a_module_is_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    written = list[str]()
    monkeypatch.setattr(lazy_dataclasses, "_written", lambda head, *_: written.append(head))
    spec = importlib.util.find_spec("referee.core.player_names")
    assert spec is not None
    assert spec.loader is not None
    spec.loader.exec_module(importlib.util.module_from_spec(spec))
    assert written == []
