"""The recipes of the cookbook: each loads in the frame of its section, for every shape, and its scenarios pass."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import referee
from referee.syntax.formatter import format_text

PAGE = (Path(__file__).resolve().parents[2] / "spec" / "cookbook.md").read_text("utf-8")
SECTION = re.compile(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
RECIPE = re.compile(r"^### ([^\n]+)\n(.*?)(?=^### |\Z)", re.MULTILINE | re.DOTALL)
RULES = re.compile(r"^```rules\n(.*?)^```$", re.MULTILINE | re.DOTALL)
REPLACED = re.compile(r"setup\b|play\b|action \w+")
"""What a recipe has in the place of what its frame has under that name."""


def passages(text: str) -> list[str]:
    """The blocks of a rules file."""
    return [f"{part.rstrip()}\n" for part in re.split(r"\n{2,}", text)]


def framed(frame: str, recipe: str) -> str:
    """A recipe in the frame of its section, or by itself if it is a whole game."""
    added = passages(recipe)
    if recipe.startswith("game "):
        return recipe
    instead = {found[0] for part in added if (found := REPLACED.match(part))}
    kept = [part for part in passages(frame) if (found := REPLACED.match(part)) is None or found[0] not in instead]
    return "\n".join([*kept, *added])


def recipes() -> Iterator[tuple[str, str]]:
    """Each frame by the name of its section, and each recipe by its own, as whole rules."""
    for section, body in SECTION.findall(PAGE):
        frame = RULES.findall(body)[0]
        yield section, frame
        for title, text in RECIPE.findall(body):
            for found in RULES.findall(text):
                yield title, framed(frame, found)


RECIPES = dict(recipes())


@pytest.mark.parametrize("title", RECIPES)
def test_a_recipe_is_in_order_and_its_scenarios_pass(title: str) -> None:
    rules = referee.loads(RECIPES[title], "recipe")
    report = rules.check()
    assert report, report
    assert format_text(RECIPES[title]) == RECIPES[title]
    assert [result for result in rules.test() if result.failures] == []


def test_every_recipe_has_rules_and_a_name_of_its_own() -> None:
    titles = re.findall(r"^### (.+)$", PAGE, re.MULTILINE)
    assert len(titles) >= 20
    assert len(set(titles)) == len(titles)
    assert {*titles} <= {*RECIPES}
    assert all(f"[{title[0].lower()}{title[1:]}](#" in PAGE for title in titles)
    assert len(RULES.findall(PAGE)) == PAGE.count("```rules\n") == len(RECIPES)
