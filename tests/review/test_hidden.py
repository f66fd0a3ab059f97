"""What the rules leave open is found whether they say so or not: in copies without what marks or settles it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from referee.api.rule_sources import RulesSource
from referee.api.runs.scenario_examples import told_in
from referee.review.finding import Finding
from referee.review.subject import ReviewEffort
from tests.review.flawed import EFFORT, FLAWS, Reviewed, reviewed
from tests.review.hidden import WAY, Hidden, hide
from tests.sample_sizes import FULL, in_turn

RULESETS = Path(__file__).resolve().parent.parent.parent / "rulesets"
GAPS = ("gap-move", "gap-case", "gap-supply")
PLAY = {"end of the rules": "play"}
"""Where a game comes to if a gap is removed from what is done in turn and nothing stands in its place."""
CLASSES = (*GAPS, "no-chooser", "no-order", "conflict")
SOME = ReviewEffort(games=40, events=400, positions=500)


def family(found: Finding) -> str:
    """Which gap one is called depends on whether the rules say that it is one."""
    return "gap" if found.code in GAPS else found.code


def same(one: Finding, other: Finding) -> bool:
    """True for the same flaw: of one kind in one declaration, or for one statement of the rulebook.

    Where the rules say nothing instead of `unspecified`, they go on, and what is open may come up there as another
    kind: if nobody says who wins a drawn shoot-out, the winner is the best of two who are alike.
    """
    owners = {found.place.partition(".")[0] for found in (one, other)}
    alike = family(one) == family(other)
    return (alike and len(owners) == 1) or (
        (alike or "gap" in (family(one), family(other))) and bool(set(one.cites) & set(other.cites)))


def flaws(done: Reviewed) -> list[Finding]:
    return [one for code in CLASSES for one in done.of(code)]


def copies(
    path: Path, folder: Path, effort: ReviewEffort = EFFORT, *, told: bool = False
) -> tuple[list[Finding], list[Finding], Hidden]:
    """What a review finds in the rules as they are, and in the copy. `told`: what scenarios tell is looked at in both;
    the copy says then which way turns go, which a position in the middle does not."""
    hidden = hide(path, folder, WAY if told else "")
    effort = replace(effort, told=told_in(RulesSource(str(path)))) if told else effort
    said, found = (flaws(reviewed(p, *CLASSES, effort=effort, most=3)) for p in (path, hidden.path))
    return said, found, hidden


def agree(said: list[Finding], found: list[Finding], hidden: Hidden) -> None:
    """Nothing that was said to be open is missed, and nothing is found where nothing was removed."""
    missed = [one.id for one in said if not any(same(one, other) for other in found)]
    assert missed == []
    new = [one for one in found if not any(same(one, other) for other in said)]
    owners = {PLAY.get(one.place, one.place.partition(".")[0]): one.id for one in new}
    assert {owner: what for owner, what in owners.items() if owner not in hidden.owners} == {}


@pytest.mark.parametrize(
    ("seed", "code"), list(enumerate(["no-chooser", "no-order", "conflict", "no-target", "simultaneity"])))
@pytest.mark.parametrize("which", ["flaw", "twin"])
def test_a_flaw_and_its_twin(tmp_path: Path, seed: int, code: str, which: str) -> None:
    """With any seed; each has another one here."""
    agree(*copies(FLAWS / code / f"{which}.rules", tmp_path, replace(EFFORT, seed=seed)))


@pytest.mark.parametrize("code", ["no-chooser", "no-order", "conflict"])
def test_a_twin_without_what_settles_it_has_the_flaw(tmp_path: Path, code: str) -> None:
    _, found, _ = copies(FLAWS / code / "twin.rules", tmp_path)
    (flaw,) = reviewed(FLAWS / code / "flaw.rules", code).of(code)
    assert any(same(flaw, one) for one in found)


LONG = {"chess.rules", "go.rules"}
"""Nothing is hidden in them, and to play them takes half a minute."""
CLASSICS = sorted(path.name for path in (RULESETS / "classics").glob("*.rules") if path.name not in LONG)
SLOW = {f"{name}.rules" for name in (
    "battleship", "blackjack", "checkers", "crazy_eights", "cribbage", "gin_rummy", "hanabi", "liars_dice")}
FEW = ReviewEffort(games=10, events=200, positions=300)
GAMES = {
    "go_goal": FEW, "adrenalyn_xl": SOME, "king_of_the_pitch": FEW, "il_mister": FEW,
    "adrenaline": ReviewEffort(games=2, events=200, positions=50),
}  # fmt: skip
LONGEST = {"adrenaline", "il_mister", "king_of_the_pitch"}
"""They take longer than the others together: looked at if full samples are asked for."""
RANDOM = "adrenalyn_xl"
"""What orders it leaves open comes up in any random game; that its deck is used up in one of two hundred, so in too few
of these to be compared. In the others it hangs on a sample (a deck has to be
used up first), so the games that scenarios tell are looked at too."""


@pytest.mark.parametrize(("name", "effort"), [one for one in GAMES.items() if FULL or one[0] not in LONGEST])
def test_a_game(tmp_path: Path, name: str, effort: ReviewEffort) -> None:
    said, found, hidden = copies(RULESETS / name, tmp_path, effort, told=name != RANDOM)
    assert hidden.owners
    agree(said, found, hidden)


@pytest.mark.parametrize("name", in_turn(CLASSICS, "hidden", 8))
def test_a_classic(tmp_path: Path, name: str) -> None:
    agree(*copies(RULESETS / "classics" / name, tmp_path, FEW if name in SLOW else EFFORT))
