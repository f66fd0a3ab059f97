"""Each class of findings: rules that have the flaw and nothing else, and a twin of which nothing is found."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee.api.rule_sources import RulesSource
from referee.api.runs.witness_games import load_for
from referee.diagnostics.exit_codes import Exit
from referee.frontend.loading.assembly import parsed
from referee.frontend.loading.ruleset_files import find
from referee.frontend.names.shapes import Shape
from referee.review.class_meanings import MEANINGS
from referee.review.detectors import DETECTORS
from referee.review.finding import Finding, FindingOutcome
from referee.review.review import review
from referee.review.subject import ReviewEffort
from tests.changed_text import changed
from tests.review.flawed import EFFORT, FLAWS, Reviewed, reviewed

FOUND = {
    "gap-move": ("play.take", "found", 2),
    "gap-case": ("walk.case", "found", 1),
    "undefined-value": ("play.highest-of-worth-in-yard-of-second", "found", 2),
    "gap-supply": ("fill.move-2-Drop-from-well-to-jar-of-me", "found", 3),
    "dead": ("action.leap", "found", None),
    "shadowed": ("toll.when-l-is-HEAVY-3", "found", None),
    "redundant": ("S3", "candidate", None),
    "vacuous": ("no_end_in_the_dark.1", "vacuous", None),
    "contradiction": ("nobody_is_poor", "found", 1),
    "indistinguishable": ("Fruit.APPLE+PEAR", "found", None),
    "component-sum": ("setup.deal", "found", 3),
    "no-end": ("play.drop_or_wait", "found", 2),
    "unbounded": ("two.raise-points-of-me-by-2", "found", 5),
}
"""By class: what its flaw is called, its outcome, and how many events the game has that shows it."""
CLASSES = pytest.mark.parametrize("code", FOUND)


def flaw_of(code: str) -> tuple[Reviewed, Finding]:
    done = reviewed(FLAWS / code / "flaw.rules")
    (found,) = done.found.flaws
    return done, found


def test_what_a_flaw_of_a_class_is_stands_in_the_page_in_the_same_words() -> None:
    page = (Path(__file__).parents[2] / "spec" / "ambiguity.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| `([a-z-]+)`(?: \*everywhere\*)? \| (.+?) \| ", page, re.MULTILINE))
    assert MEANINGS.keys() == {check.code for check in DETECTORS}
    assert {code: text for code, text in MEANINGS.items() if code != "question" and rows[code] != text} == {}


@CLASSES
def test_the_flaw_is_found_and_nothing_else(code: str) -> None:
    done, found = flaw_of(code)
    assert (found.id, found.outcome.value) == (f"{code}/{FOUND[code][0]}", FOUND[code][1])
    assert found.settle
    assert found.spans
    assert done.found.exit is Exit.NEGATIVE


@CLASSES
def test_the_game_that_shows_it_is_one_and_none_is_shorter(code: str) -> None:
    done, found = flaw_of(code)
    events = FOUND[code][2]
    if found.witness is None:
        assert events is None
        return
    assert len(found.witness.events) == events
    assert found.witness.shortest
    # the judge follows the game, and says the same of it where that is his to say
    assert done.accepted_by_judge(found.witness) == (code != "contradiction")


@CLASSES
def test_of_the_twin_nothing_is_found(code: str) -> None:
    done = reviewed(FLAWS / code / "twin.rules")
    assert done.found.flaws == ()
    assert (FindingOutcome.ABSENT.value, "") in done.known(code)
    assert done.found.exit is Exit.GOOD


def test_too_few_components_are_told_with_the_number_of_players() -> None:
    _, found = flaw_of("component-sum")
    assert found.shapes == (4,)


def test_each_way_to_do_nothing_is_told() -> None:
    _, found = flaw_of("gap-move")
    assert found.notes == ("take: so many are left",)


def climb(tmp_path: Path) -> Path:
    """Rules in which three players come to what two do not."""
    rules = (FLAWS / "dead" / "twin.rules").read_text(encoding="utf-8")
    rules = changed(rules, {"2 players first and second": "2 or 3 players", "from first": "from beginner"})
    rules = changed(rules, {"counters\n": "counters\n  beginner: player\n"})
    rules = changed(rules, {">= 4": ">= (if number of players = 3 then 4 else 5)"})
    path = tmp_path / "climb.rules"
    path.write_text(rules, encoding="utf-8")
    return path


def test_what_only_some_numbers_of_players_do_not_come_to_is_not_dead(tmp_path: Path) -> None:
    done = reviewed(climb(tmp_path), "dead")
    assert done.found.flaws == ()
    assert done.known("dead") == [(FindingOutcome.ABSENT.value, "")]


def test_nor_if_only_some_numbers_of_players_are_reviewed(tmp_path: Path) -> None:
    path = climb(tmp_path)
    load, loaded = load_for(RulesSource(str(path))), parsed(find(str(path)))
    alone = review(loaded, load, [Shape(2)], EFFORT, only=["dead"])
    assert [one.shapes for one in alone.flaws] == [(2,)]
    both = review(loaded, load, [Shape(2)], EFFORT, only=["dead"], elsewhere=[Shape(3)])
    assert [(one.outcome, one.shapes) for one in both.findings] == [(FindingOutcome.ABSENT, (2,))]
    assert both.shapes == (2,)


@pytest.mark.parametrize("code", ["vacuous", "dead", "contradiction", "gap-move"])
def test_without_time_nothing_is_said_to_be_so_and_nothing_not_to_be(code: str) -> None:
    path = FLAWS / code / "flaw.rules"
    load, loaded = load_for(RulesSource(str(path))), parsed(find(str(path)))
    found = review(loaded, load, [Shape()], EFFORT, seconds=0.0, only=[code])
    assert {one.outcome for one in found.findings} == {FindingOutcome.UNKNOWN}
    assert found.exit is Exit.OPEN


LISTED = """game "Stall" for 2 players first and second

kind Fruit is APPLE, PEAR, PLUM

components
  2 of each Fruit in stall

zones
  stall: bag of Fruit, open
  basket of player: bag of Fruit, open

play
  turns from first, to the left, until stall is empty
    turn player must pick
  the p in players with the most worth, ties: all wins

action pick(fruit: Fruit in stall)
  needs "fine": fruit is in {APPLE, PEAR, PLUM} or fruit is APPLE or fruit is PEAR
  move fruit to basket of me

define worth of player p = number of f in basket of p where f is in {APPLE, LAST}
"""


@pytest.mark.parametrize(("last", "alike"), [("PEAR", ["Fruit.APPLE+PEAR"]), ("PLUM", [])])
def test_what_is_named_in_a_list_is_named_alike(tmp_path: Path, last: str, alike: list[str]) -> None:
    path = tmp_path / "stall.rules"
    path.write_text(LISTED.replace("LAST", last), encoding="utf-8")
    assert [one.place for one in reviewed(path, "indistinguishable").of("indistinguishable")] == alike


def test_what_the_language_makes_of_phases_is_no_case_of_the_author() -> None:
    """Of a phase that hangs on two choices nothing is left where no case is named."""
    done = reviewed(FLAWS.parents[1] / "language" / "constructs" / "phases.rules", "shadowed",
                    effort=ReviewEffort(games=1, events=20, positions=1))
    assert [one for one in done.of("shadowed") if "this case" in one.message] == []
