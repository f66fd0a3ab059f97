"""The page of a player holds nothing that he may not know, and each step no more than he knew then.

Each card of these rules has a name of its own, so the names in a page say which cards it tells of.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis.strategies import integers, sampled_from

import referee
from referee.api.runs.log_engines import Rules
from tests.page.drawn import BIRDS, document

PLAYERS = ("Ana", "Ben", "Cleo")
EVENTS = 12
CARD = re.compile("|".join(re.findall(r"[A-Z]{4,}", BIRDS.read_text("utf-8"))))
LOAD = Rules(str(BIRDS))


@cache
def rules() -> referee.Ruleset:
    return referee.load(BIRDS)


def page_of(lines: tuple[str, ...], viewer: str | None) -> dict[str, Any]:
    with TemporaryDirectory() as folder:
        return document(Path(folder), lines, viewer=viewer, load=LOAD)


def named(data: object) -> set[str]:
    """The cards that anything tells of."""
    return set(CARD.findall(json.dumps(data)))


def seen(view: referee.View) -> set[str]:
    return named([view.zones[name].content for name in view.zones]) | named([str(event) for event in view.events])


def told(page: Mapping[str, Any]) -> Iterator[set[str]]:
    """The cards that each step tells of by itself."""
    for step in page["steps"]:
        zones = (step["change"] or {}).get("zones", {}).values()
        entries = [entry[0] for one in zones for entry in one.get("pieces", (0, 0, []))[2]]
        pieces = [page["pieces"][number] for number in entries]
        yield named([step, pieces, [page["texts"][number] for number in step["legal"]]])


def knowledge(game: referee.Game, viewer: str) -> list[set[str]]:
    """What he knew after each line: all that he had seen by then."""
    again = rules().new_game(header=json.loads(game.log()[0]))
    known = [seen(again.view(viewer))]
    for event in game.events:
        again.play(event)
        known.append(known[-1] | seen(again.view(viewer)))
    return known


@settings(max_examples=6)
@given(seed=integers(0, 10_000), events=integers(0, EVENTS), viewer=sampled_from((*PLAYERS, "public")))
def test_a_step_holds_what_was_known_at_its_line_and_the_file_no_more(seed: int, events: int, viewer: str) -> None:
    game = rules().new_game(PLAYERS, seed=seed)
    game.play_out(events)
    page = page_of(game.log(), viewer)
    known = knowledge(game, viewer)
    for number, (step, before) in enumerate(zip(told(page), known, strict=False)):
        assert step <= before, (number, page["steps"][number])
    assert named(page) <= known[-1]


@settings(max_examples=5)
@given(seed=integers(0, 10_000), events=integers(0, EVENTS - 1), viewer=sampled_from((*PLAYERS, "public")),
       by=sampled_from(PLAYERS), do=sampled_from(("give", "bid", "hide")))  # fmt: skip
def test_a_wrong_line_of_somebody_else_gives_nothing_away(seed: int, events: int, viewer: str, by: str,
                                                         do: str) -> None:
    """He names a card that the viewer has not seen, in an argument that is for him alone to know."""
    game = rules().new_game(PLAYERS, seed=seed)
    game.play_out(events)
    known = knowledge(game, viewer)[-1]
    secret = min(set(CARD.findall(BIRDS.read_text("utf-8"))) - known)
    line = json.dumps({"by": by, "do": do, "with": {"card": secret}})
    if by != viewer:
        assert named(page_of((*game.log(), line), viewer)) <= known


def test_who_sees_everything_has_all_in_his_page() -> None:
    """Else the tests above could not fail."""
    game = rules().new_game(PLAYERS, seed=3)
    game.play_out(EVENTS)
    assert len(named(page_of(game.log(), None))) == 20
    assert len(named(page_of(game.log(), "Ana"))) < 10


def test_what_was_secret_until_all_had_chosen_is_told_from_then_on() -> None:
    game = rules().new_game(PLAYERS, seed=3)
    game.play_out(EVENTS)
    page = page_of(game.log(), "Ana")
    bids = [step for step in page["steps"] if ": bid" in step["text"]]
    assert [("hidden" in step["text"]) for step in bids] == [False, True, False]
    (learned,) = bids[2]["learned"]
    assert learned[0] == bids[1]["line"]
    assert CARD.search(learned[1])
