"""Each entry of a questions.md is in the rules or statements as it says, and what those leave open is in it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from pathlib import Path

import pytest

from referee.core.ruleset import Core
from referee.core.stmt import Gap, Unspecified
from referee.core.traverse import bodies, statements
from referee.frontend.desugaring.placed_readings import readings_apart
from referee.frontend.loading.assembly import Loaded, build, parsed
from referee.frontend.loading.ruleset_files import find
from referee.frontend.names.tree_access import nodes, words
from referee.syntax.syntax_tree import Node
from tests.laws.shapes import shapes

RULESETS = Path(__file__).resolve().parents[2] / "rulesets"
GAMES = sorted(path.parent.name for path in RULESETS.glob("*/questions.md"))
KINDS = {"assume": "assumption", "reading": "reading", "parameter": "parameter", "option": "option", "given": "given"}
TO_BE_LISTED = ("reading", "assumption")
SETTLED = re.compile(r'settled (\S+) "([^"]+)"')
NAMED = re.compile(r"(assumption|reading|parameter|option|given|unspecified) `([^`]+)`")


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of a questions.md: what became of a question, in parts as `reading `sixth``, `settled RO-14 "words"`."""

    number: str
    question: str
    statements: tuple[str, ...]
    meanings: str
    became: tuple[str, ...]


@cache
def entries(game: str) -> tuple[Entry, ...]:
    """The rows of all tables whose first column is a number."""
    found = []
    for line in (RULESETS / game / "questions.md").read_text("utf-8").splitlines():
        if line.startswith("| Q"):
            number, question, statements, meanings, became = (cell.strip() for cell in line.strip("| ").split(" | "))
            found.append(Entry(number, question, tuple(statements.split()), meanings, tuple(became.split("; "))))
    return tuple(found)


@cache
def loaded(game: str) -> Loaded:
    return parsed(find(RULESETS / game))


@cache
def declared(game: str) -> frozenset[tuple[str, str]]:
    """Kind and name of what the ruleset declares to be open or assumed, with all options for the fewest players."""
    rules = loaded(game)
    written = readings_apart([decl for tree in rules.trees for decl in nodes(tree)])
    decls = [decl for decl in written if decl.kind in KINDS]
    few = takewhile(lambda shape: shape.players == rules.range.fewest, shapes(rules))
    cores = [build(rules, shape).core for shape in few]
    points = {("unspecified", point) for core in cores for point in unspecified(core, Gap)}
    return frozenset({(KINDS[decl.kind], name_of(decl)) for decl in decls} | points)


@cache
def to_be_listed(game: str) -> frozenset[tuple[str, str]]:
    """What the list may not leave out: of the questions to the table, those that the rules themselves put."""
    rules = loaded(game)
    few = takewhile(lambda shape: shape.players == rules.range.fewest, shapes(rules))
    said = {("unspecified", point) for shape in few for point in unspecified(build(rules, shape).core, [Gap.SAID])}
    return frozenset({one for one in declared(game) if one[0] in TO_BE_LISTED} | said)


def name_of(decl: Node) -> str:
    return next(words(decl, "NAME")).text


def unspecified(core: Core, gaps: Iterable[Gap]) -> set[str]:
    """The points where the table is asked because of one of `gaps`."""
    asked = (one for body in bodies(core) for one in statements(body, Unspecified))
    return {one.point.name for one in asked if one.gap in gaps}


@pytest.mark.parametrize("game", GAMES)
def test_questions_have_numbers_of_their_own(game: str) -> None:
    numbers = [one.number for one in entries(game)]
    assert numbers
    assert all(re.fullmatch(r"Q\d\d+", number) for number in numbers)
    assert len(set(numbers)) == len(numbers)


@pytest.mark.parametrize("game", GAMES)
def test_each_question_has_a_mark_meanings_and_statements_that_there_are(game: str) -> None:
    for one in entries(game):
        assert one.question.endswith("?"), one
        assert one.meanings, one
        assert set(one.statements) - {"none"} <= set(loaded(game).statements), one


@pytest.mark.parametrize("game", GAMES)
def test_what_became_of_each_question_is_in_the_rules_or_the_statements(game: str) -> None:
    settles = {(question, name, said) for name, statement in loaded(game).statements.items()
               for question, said in statement.settles}  # fmt: skip
    told = set()
    for one in entries(game):
        for part in one.became:
            settled, named = SETTLED.fullmatch(part), NAMED.match(part)
            assert settled or named, f"{one.number}: neither settled nor named: {part}"
            if settled:
                told.add((one.number, *settled.groups()))
            if named:
                assert named.groups() in declared(game), f"{one.number}: {part}"
    assert told == settles


@pytest.mark.parametrize("game", GAMES)
def test_each_reading_assumption_and_unspecified_question_is_in_the_list(game: str) -> None:
    listed = {named.groups() for one in entries(game) for part in one.became if (named := NAMED.match(part))}
    assert to_be_listed(game) <= listed
