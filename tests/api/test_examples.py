"""Every public name of the library has a docstring, and the examples in them do what they say."""

from __future__ import annotations

import doctest
import pkgutil
from importlib import import_module
from pathlib import Path

import pytest

import referee
import referee.api

RULES = Path(__file__).parent / "rules"
MODULES = sorted(found.name for found in pkgutil.walk_packages(referee.api.__path__, "referee.api."))
WORKS: list[type] = [referee.Game, referee.Ruleset]


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_do_what_they_say(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(RULES)
    found = doctest.testmod(import_module(module))
    assert found.failed == 0


@pytest.mark.parametrize("cls", WORKS, ids=lambda cls: cls.__name__)
def test_whatever_does_something_has_an_example(cls: type) -> None:
    methods = {name: one for name, one in vars(cls).items() if callable(one) and not name.startswith("_")}
    assert methods
    assert [name for name, one in methods.items() if ">>> " not in (one.__doc__ or "")] == []


def test_whatever_is_public_says_what_it_is() -> None:
    public = {name: getattr(referee, name) for name in referee.__all__ if not name.startswith("_")}
    assert [name for name, one in public.items() if not one.__doc__] == []
