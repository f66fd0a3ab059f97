"""Games played through the library: what is asked and legal, copies, views, logs, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from re import sub
from threading import Thread
from typing import Any

import pytest

import referee
from referee import Game, Ruleset

RULES = Path(__file__).parent / "rules"
CLASSICS = ("tic_tac_toe", "connect_four", "breakthrough", "kuhn_poker", "goofspiel")


@pytest.fixture(scope="module")
def sticks() -> Ruleset:
    return referee.load(RULES / "sticks.rules")


@pytest.fixture(scope="module")
def high_card() -> Ruleset:
    return referee.load(RULES / "high_card.rules")


@pytest.mark.parametrize("name", CLASSICS)
def test_a_game_played_out_is_legal_and_comes_again_by_its_seed(name: str) -> None:
    rules = referee.load(name)
    games = [rules.new_game(["Ana", "Ben"], seed=5) for _ in range(2)]
    for game in games:
        game.play_out()
    assert games[0].log() == games[1].log()
    verdict = rules.judge(games[0].log())
    assert verdict.outcome == "legal"
    assert verdict.finished
    assert verdict.winners == games[0].winners


@pytest.mark.parametrize("name", CLASSICS)
def test_a_game_played_by_its_own_legal_events_is_as_it_is_told(name: str) -> None:
    """What `legal` lists can be played, a copy goes its own way, and undo leads back to the beginning."""
    game = referee.load(name).new_game(["Ana", "Ben"], seed=1)
    begun = game.view("Ana")
    while not game.over and len(game.events) < 12:
        asked = game.asked
        assert asked is not None
        event = list(game.legal())[-1]
        assert event.by in asked.who
        assert event.do in asked.what
        assert game.is_legal(event)
        other = game.copy()
        other.play(event)
        assert len(other.events) == len(game.events) + 1
        game.play(event.by, event.do, event.with_)
        assert game.log() == other.log()
        assert game.view("Ben") == other.view("Ben")
    while game.events:
        game.undo()
    assert game.view("Ana") == begun


def test_events_name_the_players_of_their_own_game(high_card: Ruleset) -> None:
    """What was shown of an event is remembered, for these players only."""
    played = [high_card.new_game(players, seed=5).play_out() for players in (["Ana", "Ben"], ["Ben", "Ana"])]
    again = high_card.new_game(["Ana", "Ben"], seed=5)
    assert again.play_out() == again.events == played[0]
    renamed = {"Ana": "Ben", "Ben": "Ana"}
    exchanged = [(renamed.get(one.by, one.by), one.do, renamed.get(one.with_.get("to", ""))) for one in played[1]]
    assert exchanged == [(one.by, one.do, one.with_.get("to")) for one in played[0]]


def test_fate_and_the_table_are_asked_too(high_card: Ruleset) -> None:
    game = high_card.new_game(["Ana", "Ben"], seed=2)
    assert game.asked is not None
    assert (game.asked.who, game.asked.kind) == (("fate",), "chance")
    assert game.play_out(max_events=1) == game.events
    game.advance_fate()
    game.play("Ana", "keep")
    assert game.asked.who == ("table",)
    assert {event.with_["choice"] for event in game.legal()} == {"he_may", "he_may_not"}
    game.rule("play.unspecified", "he_may_not")
    assert game.over
    assert game.asked is None
    assert list(game.legal()) == []
    assert high_card.judge(game.log()).outcome == "legal"


def test_readings_rulings_and_a_position_are_given_by_name_or_as_a_header(high_card: Ruleset) -> None:
    rulings = {"play.unspecified": "he_may"}
    for game in (high_card.new_game(["Ana", "Ben"], seed=2, rulings=rulings),
                 high_card.new_game(header={"players": ["Ana", "Ben"], "rulings": rulings}, seed=2)):
        game.advance_fate()
        game.play("Ana", "keep")
        assert game.over
        assert json.loads(game.log()[0])["rulings"] == rulings
    rules = referee.load("tic_tac_toe")
    header = json.loads(rules.new_game(["Ana", "Ben"]).log()[0])
    game = rules.new_game(header={**header, "state": {"turn": "Ben"}})
    assert game.asked is not None
    assert game.asked.who == ("Ben",)
    game.play_out()
    assert rules.judge(game.log()).outcome == "legal"


def test_a_player_sees_his_own_cards_only(high_card: Ruleset) -> None:
    game = high_card.new_game(["Ana", "Ben"], seed=2)
    game.advance_fate()
    ana, public = game.view("Ana"), game.view("public")
    assert ana.zones["hand of Ana"].content == (game.events[0].with_["card"],)
    assert ana.zones["hand of Ben"].content is None
    assert public.zones["hand of Ana"].content is None
    assert [event.with_["card"] == "?" for event in ana.events] == [False, True]
    assert ana.values["stake"] == 1
    json.dumps(ana.data())


def test_a_refusal_tells_a_player_nothing_that_he_cannot_see(high_card: Ruleset) -> None:
    game = high_card.new_game(["Ana", "Ben"], seed=2)
    game.advance_fate()
    with pytest.raises(referee.IllegalEvent) as error:
        game.play("Ben", "keep")
    assert error.value.verdict.for_ == "Ben"
    assert error.value.verdict.wrong is not None
    assert error.value.verdict.wrong.kind == "wrong player"


HOLDS_ITSELF: list[object] = []
HOLDS_ITSELF.append(HOLDS_ITSELF)


@pytest.mark.parametrize(("call", "kind", "code"), [
    (lambda game: game.play("Cleo", "take", sticks=1), referee.IllegalEvent, "AP04"),
    (lambda game: game.play("Ana", "grab"), referee.IllegalEvent, "AP04"),
    (lambda game: game.play("Ana", "take"), referee.IllegalEvent, "AP04"),
    (lambda game: game.play("Ana", "take", sticks="many"), referee.IllegalEvent, "AP04"),
    (lambda game: game.play("Ana", "take", stick=1), referee.IllegalEvent, "AP04"),
    (lambda game: game.rule("nowhere", "x"), referee.IllegalEvent, "AP04"),
    (lambda game: game.play("Ana", "take", sticks=object()), referee.ArgumentError, "AP01"),
    (lambda game: game.play("Ana", "take", sticks=float("nan")), referee.IllegalEvent, "AP04"),
    (lambda game: game.play("Ana"), referee.ArgumentError, "AP01"),
    (lambda game: game.play(None), referee.ArgumentError, "AP01"),
    (lambda game: game.play({}), referee.ArgumentError, "AP01"),
    (lambda game: game.play("Ana", "take", 3), referee.ArgumentError, "AP01"),
    (lambda game: game.play("Ana", "take", sticks=HOLDS_ITSELF), referee.ArgumentError, "AP01"),
    (lambda game: game.is_legal("Ana", "take", sticks=HOLDS_ITSELF), referee.ArgumentError, "AP01"),
    (lambda game: game.play({"by": "Ana", "do": "take", "with": {"sticks": HOLDS_ITSELF}}), referee.ArgumentError,
     "AP01"),
    (lambda game: game.play_out(progress="x"), referee.ArgumentError, "AP01"),
    (lambda game: game.play_out(cancel=True), referee.ArgumentError, "AP01"),
    (lambda game: game.play("Ana", 3), referee.ArgumentError, "AP01"),
    (lambda game: game.play("table", "stop"), referee.ArgumentError, "AP05"),
    (lambda game: game.play("Ana", "concede"), referee.ArgumentError, "AP05"),
    (lambda game: game.undo(), referee.ArgumentError, "AP06"),
    (lambda game: game.view("Cleo"), referee.ArgumentError, "AP02"),
    (lambda game: game.view(None), referee.ArgumentError, "AP02"),
    (lambda game: game.value("taken +"), referee.RulesError, "SY34"),
    (lambda game: game.value("took"), referee.RulesError, "NM01"),
    (lambda game: game.value("every n in 1..999999999: n = n"), referee.RulesError, "BD10"),
    (lambda game: game.value(3), referee.ArgumentError, "AP01"),
    (lambda game: game.play_out(-1), referee.ArgumentError, "AP01"),
    (lambda game: game.play_out(cancel=lambda: True), referee.Cancelled, "AP08"),
])
def test_what_cannot_be_is_an_error_with_a_code_and_changes_nothing(
    sticks: Ruleset, call: Callable[[Game], object], kind: type[referee.RefereeError], code: str
) -> None:
    game = sticks.new_game(["Ana", "Ben"])
    with pytest.raises(kind) as error:
        call(game)
    assert error.value.code == code
    assert game.events == ()
    game.play("Ana", "take", sticks=1)


@pytest.mark.parametrize("call", [
    lambda game: game.play("Ana", "take", sticks=1), lambda game: game.play_out(), lambda game: game.rule("x", "y"),
])
def test_a_game_is_not_driven_after_its_end(sticks: Ruleset, call: Callable[[Game], object]) -> None:
    game = sticks.new_game(["Ana", "Ben"], seed=1)
    game.play_out()
    with pytest.raises(referee.GameOver) as error:
        call(game)
    assert error.value.code == "AP03"
    game.undo()
    assert not game.over


def test_the_value_of_an_option_is_a_text(sticks: Ruleset) -> None:
    with pytest.raises(referee.LogError, match='the value of the option "x" is a text') as error:
        sticks.new_game(["Ana", "Ben"], header={"options": {"x": 1}})
    assert error.value.code == "LG19"


def test_fate_has_nothing_to_do_once_a_game_is_over(sticks: Ruleset) -> None:
    game = sticks.new_game(["Ana", "Ben"], seed=1)
    assert game.advance_fate() == ()  # a player is asked
    game.play_out()
    assert game.advance_fate() == ()


def test_who_concedes_is_told_where_it_is_written(sticks: Ruleset) -> None:
    game = sticks.new_game(["Ana", "Ben"])
    with pytest.raises(referee.ArgumentError, match="behind those of log") as error:
        game.play("Ana", "concede")
    assert error.value.code == "AP05"
    assert sticks.judge([*game.log(), {"by": "Ana", "do": "concede"}]).winners == ("Ben",)


def test_without_players_there_are_the_fewest_by_the_names_of_their_seats(sticks: Ruleset) -> None:
    assert sticks.new_game().players == ("first", "second")
    assert referee.load("hearts").new_game().players == ("ana", "ben", "cleo", "dan")


@pytest.mark.parametrize(("how", "code"), [
    ({"players": ["Ana"]}, "LG18"), ({"players": ["Ana", "Ana"]}, "LG17"), ({"players": ["Ana", 3]}, "LG15"),
    ({"players": "Ana"}, "AP01"), ({"players": 3}, "AP01"), ({"header": {}}, "LG15"), ({"seed": "x"}, "AP01"),
    ({"readings": {"x": "y"}}, "LG19"), ({"readings": 3}, "LG21"), ({"options": {"x": "y"}}, "LG19"),
    ({"header": {"playrs": []}}, "LG40"), ({"header": {"players": ["Ana", "Ben"], "ruleset": "chess"}}, "AP02"),
    ({"players": ["Ana", "Ben"], "header": {"players": ["Ana", "Ben"]}}, "AP01"), ({"header": 3}, "AP01"),
    ({"given": {"x": object()}}, "AP01"), ({"parameters": {"x": float("nan")}}, "LG08"),
], ids=lambda one: sub(r" at 0x\w+", "", str(one)))  # the same in every process
def test_a_header_that_does_not_fit_is_an_error_with_a_code(sticks: Ruleset, how: dict[str, Any], code: str) -> None:
    if not how.keys() & {"players", "header"} and how:
        how = {"players": ["Ana", "Ben"], **how}
    with pytest.raises(referee.RefereeError) as error:
        sticks.new_game(**how)
    assert error.value.code == code
    assert error.value.span is None, "no text was handed over that it could point into"


def test_two_threads_on_one_game_wait_for_each_other() -> None:
    """Each event is played once: of two threads that play all the same moves one is refused each time."""
    rules = referee.load("connect_four")
    for _ in range(3):
        game = rules.new_game(["Ana", "Ben"])
        played: list[int] = []

        def drop(game: Game = game, played: list[int] = played) -> None:
            for number in range(12):
                try:
                    game.play(("Ana", "Ben")[number % 2], "drop", column=number % 7 + 1)
                    played.append(number)
                except referee.RefereeError:
                    pass

        threads = [Thread(target=drop) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(game.events) == len(played)
        assert rules.judge(game.log()).outcome == "legal"


def test_a_game_shows_itself_without_running_what_is_in_it(sticks: Ruleset) -> None:
    nasty = "<script>alert(1)</script>"
    game = sticks.new_game([nasty, "Ben"])
    assert nasty in repr(game)
    for shown in (game._repr_html_(), sticks._repr_html_()):
        assert "<script" not in shown


def test_what_a_notebook_shows_hides_nothing_and_turns_nothing_round(sticks: Ruleset) -> None:
    """Names may hold signs that colour a terminal or turn the direction of writing: they are made visible."""
    game = sticks.new_game(["a\x1b[31m\u202eb", "Ben"])
    for shown in (game._repr_html_(), game.view("public")._repr_html_(),
                  sticks.judge([*game.log(), {"by": "Ben", "do": "\u202e"}])._repr_html_()):
        assert "\ufffd" in shown
        assert not {"\x1b", "\u202e"} & set(shown)


def test_a_notebook_shows_a_bounded_part_of_a_large_game_and_says_what_is_left_out() -> None:
    view = referee.load("go_goal").new_game(["Ana", "Ben"], seed=1).view("public")
    assert len(view.values) > 3_000
    shown = view._repr_html_()
    assert len(shown) < 20_000
    assert f"{len(view.values) - 50:,} more of <code>.values</code>" in shown
    assert "zones</code>" not in shown
