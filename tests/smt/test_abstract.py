"""What represents a position inherits nothing that it could fail to honour: bases are abstract, their methods final."""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Iterator
from importlib import import_module

import pytest

import referee.proofs
import referee.smt
from referee.smt.abstraction.kept_spots import KeptSpot
from referee.smt.abstraction.slices import Sliced
from referee.smt.encoding.term_store import TermStore
from referee.smt.semantics.expression_semantics import Interpreter
from referee.smt.semantics.term_position import TermPosition

VALUES = {KeptSpot}
"""Values that are others with something besides; they inherit fields and no behaviour."""
ROOMS = (referee.smt, referee.proofs)


def _classes() -> Iterator[type]:
    for room in ROOMS:
        for module in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
            for one in vars(import_module(module.name)).values():
                if inspect.isclass(one) and one.__module__ == module.name:
                    yield one


def _bases(one: type) -> list[type]:
    return [base for base in one.__bases__ if base.__module__.startswith("referee.")]


DERIVED = sorted({one for one in _classes() if _bases(one)} - VALUES, key=lambda one: one.__qualname__)


def test_there_is_something_to_look_at() -> None:
    assert len(DERIVED) >= 10
    assert not issubclass(Sliced, TermStore)


@pytest.mark.parametrize("one", DERIVED, ids=lambda one: one.__qualname__)
def test_every_base_is_abstract(one: type) -> None:
    assert [base for base in _bases(one) if not inspect.isabstract(base)] == []


@pytest.mark.parametrize("one", DERIVED, ids=lambda one: one.__qualname__)
def test_only_what_is_abstract_is_said_anew(one: type) -> None:
    said = {name for name, there in vars(one).items() if inspect.isfunction(there)} - {"__init__"}
    for base in one.__mro__[1:]:
        if base.__module__.startswith("referee."):
            done = {name for name, there in vars(base).items() if inspect.isfunction(there)}
            assert said & done <= getattr(base, "__abstractmethods__", frozenset())


@pytest.mark.parametrize("base", [TermPosition, Interpreter], ids=lambda one: one.__qualname__)
def test_what_is_left_out_is_not_made(base: type) -> None:
    forgetful = type("Forgetful", (base,), {})
    with pytest.raises(TypeError, match="abstract"):
        forgetful()
