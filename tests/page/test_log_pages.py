"""The page of a log holds every position, who was asked, what was legal, and the verdict; it stays bounded."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import referee
from referee.page import log_page as log_pages
from tests.page.drawn import BIRDS, ROOT, Replay, document

PIG = ROOT / "rulesets" / "classics" / "pig.rules"
HEAD = {"schema": "referee/log/1", "ruleset": "pig", "players": ["Ana", "Ben"]}
GAMES = ("breakthrough", "hearts", "side_to_side")


def long_game(rounds: int) -> list[dict[str, Any]]:
    """A log of `4 * rounds + 1` events."""
    start = {"by": "fate", "do": "choose", "with": {"starter": "Ana"}}
    turn = [line for player in ("Ana", "Ben") for line in (
        {"by": player, "do": "roll"}, {"by": "fate", "do": "roll", "with": {"for": player, "die": 1}})]
    return [HEAD, start, *turn * rounds]


def played(name: str | Path, events: int, seed: int = 4) -> referee.Game:
    rules = referee.load(str(name))
    names = ["Ana", "Ben", "Cleo", "Dan"][: rules.players[0]]
    game = rules.new_game(names, seed=seed)
    game.play_out(events)
    return game


@pytest.mark.parametrize("name", GAMES)
def test_each_step_is_what_a_game_shows_there(name: str, tmp_path: Path) -> None:
    """Played once more, the game shows each player the same as his page does."""
    game = played(name, 24)
    again = referee.load(name).new_game(seed=4, header=json.loads(game.log()[0]))
    viewer = game.players[1]
    page = document(tmp_path, game.log(), viewer=viewer)
    replay = Replay(page)
    assert len(page["steps"]) == len(game.log())
    for step, event in zip(page["steps"], [None, *game.events], strict=False):
        if event is not None:
            again.play(event)
        replay.take(step["change"])
        scene = again.scene(viewer)
        for at, zone in enumerate(scene["zones"]):
            pieces = [(one["name"], one["number"], one["spot"]) for one in zone["pieces"]]
            assert (replay.numbers[at], replay.lying(at)) == (zone["number"], pieces), (step["line"], zone["title"])
        assert replay.values == [value["text"] for value in scene["values"]]


def test_a_wrong_line_stands_with_its_verdict_and_the_words_of_its_statements(tmp_path: Path) -> None:
    folder = ROOT / "rulesets" / "go_goal" / "logs" / "illegal"
    expected = json.loads((folder / "expected.json").read_text("utf-8"))
    name = next(name for name, said in expected.items() if said["statements"])
    page = document(tmp_path, (folder / name).read_text("utf-8").splitlines(), "go_goal")
    wrong = page["verdict"]["wrong"]
    assert (wrong["line"], page["verdict"]["outcome"]) == (expected[name]["line"], "illegal")
    assert set(expected[name]["statements"]) <= set(page["statements"])
    assert all(page["statements"].values())
    assert wrong["line"] in [step["line"] for step in page["steps"]]


def test_who_was_asked_and_what_was_legal_stands_at_each_line(tmp_path: Path) -> None:
    game = played(PIG, 6)
    page = document(tmp_path, game.log(), PIG)
    again = referee.load(PIG).new_game(header=json.loads(game.log()[0]))
    assert page["steps"][0]["legal"] == []
    for step, event in zip(page["steps"][1:], game.events, strict=False):
        asked = again.asked
        assert asked is not None
        assert step["asked"].endswith(asked.point)
        told = [page["texts"][number] for number in step["legal"]]
        assert told == [str(one).partition(": ")[2] for one in again.legal()]
        again.play(event)


@pytest.mark.parametrize("lines", [
    ["no json"], [{**HEAD, "ruleset": "nothing_of_the_kind"}], [HEAD, "{"],
    [{**HEAD, "players": [f"p{number}" for number in range(90)]}],
    [HEAD, {"by": "Ana", "do": "fly"}, {"by": "Ana", "do": "fly"}, {"by": "Ana", "do": "fly"}, {"undo": 3}],
    [HEAD, {"by": "fate", "do": "?", "with": {}}],
], ids=["unreadable", "no rules", "broken off", "too many", "nonsense", "holes"])
def test_a_log_of_which_nothing_can_be_shown_has_a_page_with_its_verdict(lines: list[Any], tmp_path: Path) -> None:
    page = document(tmp_path, lines)
    assert page["verdict"]["outcome"] != "legal"


@pytest.mark.parametrize(("rules", "events"), [(BIRDS, 40), ("crazy_eights", 18)], ids=["birds", "crazy_eights"])
def test_of_a_log_with_holes_what_is_known_is_drawn(rules: str | Path, events: int, tmp_path: Path) -> None:
    """The log as Ben knows it: what is drawn of it lies there, as many lie everywhere, and of what others hold at the
    beginning nothing is said."""
    loaded = referee.load(rules)
    game = loaded.new_game(["Ana", "Ben", "Cleo"], seed=1)
    game.play_out(events)
    known = document(tmp_path, list(loaded.redact(game.log(), "Ben")), rules)
    replay, true = Replay(known), Replay(document(tmp_path, game.log(), rules))
    hands = [at for at, place in enumerate(known["places"]) if place["name"] == "hand"]
    least = dict.fromkeys(hands, 99)
    for step, whole in zip(known["steps"], true.page["steps"], strict=True):
        replay.take(step["change"])
        true.take(whole["change"])
        assert replay.numbers == true.numbers
        for at in range(len(replay.numbers)):
            assert not Counter(cards(replay, at)) - Counter(cards(true, at)), (step["line"], at)
        for at in hands:
            least[at] = min(least[at], len(cards(replay, at)) if replay.numbers[at] > 2 else 99)
        for value, so in zip(replay.values, true.values, strict=True):
            assert value == so or value.startswith("open")
    assert known["verdict"]["outcome"] in ("possible", "legal")
    assert [least[at] > 0 for at in hands] == [False, True, False]


def cards(replay: Replay, place: int) -> list[str]:
    """What is known to lie in a place."""
    return [name for name, number, _ in replay.lying(place) for _ in range(number) if name is not None]


def test_for_a_player_who_did_not_record_it_nothing_is_drawn_of_what_is_left_open(tmp_path: Path) -> None:
    loaded = referee.load(BIRDS)
    game = loaded.new_game(["Ana", "Ben", "Cleo"], seed=1)
    game.play_out(20)
    page = document(tmp_path, list(loaded.redact(game.log(), "Ben")), BIRDS, viewer="Ana")
    assert [step["change"] is not None for step in page["steps"][:4]] == [True, False, False, False]


def test_a_page_takes_few_letters_for_an_event(tmp_path: Path) -> None:
    """Each rolls a 1 in his turn, over and over: nobody ever wins."""
    page = document(tmp_path, long_game(50), PIG)
    assert (page["verdict"]["outcome"], page["verdict"]["events"], len(page["steps"])) == ("legal", 201, 202)
    assert len(json.dumps(page)) < 400 * 200


def test_of_a_longer_log_it_says_how_much_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = played(PIG, 30)
    monkeypatch.setattr(log_pages, "MOST_LETTERS", 2_000)
    page = document(tmp_path, game.log(), PIG)
    assert 0 < len(page["steps"]) < len(game.log())
    assert len(page["steps"]) + page["left_out"] == len(game.log())


