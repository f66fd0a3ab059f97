"""Logs that start from a position in which so many components are hidden: as views of such logs tell it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.archives.log_opening import open_log
from referee.core.ruleset import PUBLIC
from referee.game.log.log_header import Header
from referee.game.setting import Setting
from referee.interpreter.playouts import play_out
from referee.judge.line_explanation import moment
from referee.judge.records.joint_judgement import judge_together
from referee.judge.verdict import LogOutcome, LogVerdict
from referee.views.redaction import RedactionRefused, redacted
from tests.judge.playing import PLAIN, does, wrong
from tests.judge.test_bundled_views import verdict
from tests.judge.test_position import DUEL, codes, judged, position_in, walker
from tests.sample_sizes import FULL, by_lot

Line = dict[str, Any]
PLACED = ["adrenaline/002", "adrenaline/003", "go_goal/012", "il_mister/013", "king_of_the_pitch/015"]


def poker(ana: Any, ben: Any, **more: Any) -> dict[str, Any]:
    return {"place": {"hand of ana": ana, "hand of ben": ben, **more}}


def hidden(number: int) -> dict[str, int]:
    return {"?": number}


def test_a_hand_of_which_only_the_number_is_known() -> None:
    claim = {"assert": {"number of hand of ben": 1, "number of K in hand of ben": 1}}
    found = judged("kuhn_poker", poker(["Q"], hidden(1), deck=hidden(1)), claim)
    assert (found.outcome, found.narrowing) == (LogOutcome.POSSIBLE, (2,))
    assert judged("kuhn_poker", poker(["Q"], hidden(1), deck=["J"]), claim).outcome is LogOutcome.LEGAL
    never = judged("kuhn_poker", poker(["K"], hidden(1), deck=hidden(1)), claim)
    assert wrong(never)[:2] == (2, "broken claim")


@pytest.mark.parametrize(("state", "code"), [
    (poker(["Q"], hidden(1)), "LG27"), (poker(["Q"], hidden(3)), "LG27"), (poker(["Q"], hidden(-1)), "LG26"),
    ({**poker(["Q"], hidden(1), deck=hidden(1)), "rest": "unknown"}, "LG26"),
    (poker(["Q"], hidden(1), deck="?"), "LG26"),
])
def test_every_place_says_how_many_lie_there(state: dict[str, Any], code: str) -> None:
    found = judged("kuhn_poker", state)
    assert (found.outcome, codes(found)[-1]) == (LogOutcome.UNREADABLE, code)


def test_a_position_with_hidden_ones_is_judged_over_all_that_may_lie_there() -> None:
    """Of positions on the way through random games hands and the pile are hidden, each or together: the verdict is what
    follows from judging every position that it may be."""
    seen: Counter[str] = Counter()
    for seed in range(60):
        random = Random(seed)
        game = play_out(walker(DUEL), Setting(("ana", "ben")), seed, 60)
        known, lines = position_in(game, random)
        if random.random() < 0.4 and lines:
            random.choice(lines)["by"] = random.choice(["ana", "ben"])
        places = random.sample(["deck", "hand of ana", "hand of ben"], random.choice([2, 3]))
        masked = {place: hidden(amount(there)) if place in places else there for place, there in known["place"].items()}
        found = judged(DUEL, {**known, "place": masked}, *lines)
        every = [judged(DUEL, {**known, "place": place}, *lines) for place in fillings(masked)]
        if found.outcome is LogOutcome.STOPPED:  # whoever has no card left to show ends the game
            assert any(one.outcome is LogOutcome.STOPPED for one in every)
            continue
        assert (found.outcome, found.at) == expected(every), (seed, known, masked, lines)
        seen[found.outcome.value] += 1
    print(dict(seen))
    assert seen["legal"]
    assert min(seen["possible"], seen["illegal"]) >= 5


def amount(there: list[Any]) -> int:
    return sum(len(one) if isinstance(one, list) else 1 for one in there)


def fillings(masked: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every way in which what lies nowhere may lie in the places in which something is hidden; piles are shuffled."""
    left = Counter({"A": 4, "B": 4, "C": 4})
    for there in masked.values():
        if isinstance(there, list):
            left -= Counter(label for one in there for label in (one if isinstance(one, list) else [one]))

    def each(names: list[str], rest: Counter[str]) -> Iterator[dict[str, Any]]:
        if not names:
            yield {}
            return
        for some in combinations_with_replacement("ABC", masked[names[0]]["?"]):
            if Counter(some) <= rest:
                for others in each(names[1:], rest - Counter(some)):
                    yield {names[0]: dict(Counter(some)), **others}

    for filled in each([name for name, there in masked.items() if isinstance(there, dict)], left):
        yield {**masked, **filled}


def expected(every: list[LogVerdict]) -> tuple[LogOutcome, int | None]:
    """What is to be said of a log that stands for all of these: illegal where the last of them is."""
    lines = [one.at for one in every if one.outcome is LogOutcome.ILLEGAL]
    if len(lines) == len(every):
        return LogOutcome.ILLEGAL, max(line for line in lines if line is not None)
    return LogOutcome.POSSIBLE if lines else LogOutcome.LEGAL, None


LONG = ("il_mister/013",)
"""A log with so many views that they are judged with full samples only."""


@pytest.mark.parametrize("name", [name for name in by_lot(PLACED, "placed", 2) if FULL or name not in LONG])
def test_views_of_logs_that_start_from_a_position(name: str) -> None:
    with open_log(str(Path("rulesets") / name.replace("/", "/logs/legal/")) + ".jsonl") as log:
        players = log.header.players
    for viewer in (*players, PUBLIC):
        assert verdict(name, viewer).outcome in (LogOutcome.LEGAL, LogOutcome.POSSIBLE), viewer


def test_a_view_counts_what_lies_hidden(tmp_path: Path) -> None:
    """Whoever does not see a hand knows how many cards it has, of the open heap every card; notes are left out."""
    state = {"turn": "ana", "place": {"hand of ana": ["A", "B"], "hand of ben": ["C"], "heap": ["A", "A"],
                                      "deck": ["C", {"A": 1, "B": 3, "C": 2}]}, "set": {"points of ana": 4}}
    head = {"schema": "referee/log/1", "ruleset": "positions", "players": ["ana", "ben"], "state": state}
    lines = viewed(tmp_path, "ben", head, does("ana", "swap"), does("ana", "choose", out="B"))
    assert lines[0]["state"] == {"turn": "ana", "set": {"points of ana": 4}, "place": {
        "deck": {"?": 7}, "heap": ["A", "A"], "hand of ana": {"?": 2}, "hand of ben": ["C"]}}
    assert viewed(tmp_path, "ana", head)[0]["state"]["place"]["hand of ana"] == ["A", "B"]
    with pytest.raises(RedactionRefused, match="is not all known"):
        viewed(tmp_path, "ana", {**head, "state": {**state, "rest": "unknown"}})


def viewed(folder: Path, viewer: str, *lines: Line) -> list[Line]:
    path = folder / "game.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))

    def rules(_: Header) -> Any:
        return walker(DUEL)

    with open_log(path) as log:
        return [json.loads(line) for line in redacted(log, viewer, rules)]


def test_views_together_are_the_position(tmp_path: Path) -> None:
    """What one player only counts, the other sees; both together know the hands, and the pile is still hidden."""
    state = {"turn": "ana", "place": {"hand of ana": ["A", "B"], "hand of ben": ["C"], "heap": ["A", "A"],
                                      "deck": {"A": 1, "B": 3, "C": 3}}, "set": {"points of ana": 4}}
    head = {"schema": "referee/log/1", "ruleset": "positions", "players": ["ana", "ben"], "state": state}
    lines = [head, does("ana", "swap"), does("ana", "choose", out="B")]
    views = [viewed(tmp_path, who, *lines) for who in ("ana", "ben")]
    assert joined_views(tmp_path, *views).outcome is LogOutcome.LEGAL
    views[1][0]["state"]["place"]["hand of ana"] = {"?": 3}
    apart = joined_views(tmp_path, *views)
    assert wrong(apart)[:2] == (1, "bad argument")
    assert wrong(apart)[2].startswith("these are no records of one game: hand of ana differs")
    del views[1][0]["state"]
    assert joined_views(tmp_path, *views).outcome is LogOutcome.UNKNOWN


def joined_views(folder: Path, *views: list[Line]) -> LogVerdict:
    paths = []
    for number, lines in enumerate(views):
        (path := folder / f"{number}.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
        paths.append(str(path))
    return judge_together(paths, lambda _: walker(DUEL), PLAIN)


def test_a_line_of_a_view_is_explained(tmp_path: Path) -> None:
    state = {"turn": "ana", "place": {"hand of ana": ["A", "B"], "hand of ben": hidden(1), "heap": ["A", "A"],
                                      "deck": hidden(7)}, "set": {"points of ana": 4}}
    path = tmp_path / "game.jsonl"
    head = {"schema": "referee/log/1", "ruleset": "positions", "players": ["ana", "ben"], "state": state}
    path.write_text("".join(f"{json.dumps(line)}\n" for line in (head, does("ana", "swap"))))
    with open_log(path) as log:
        found = moment(log, 2, lambda _: walker(DUEL), PLAIN)
    assert (found.asked, found.rule) == ("ana at play.score_or_swap_or_rest", "swap")


def test_no_view_of_a_position_is_illegal(tmp_path: Path) -> None:
    """Random games from a position on their way: whoever saw them, nothing contradicts the rules."""
    seen: Counter[LogOutcome] = Counter()
    for seed in range(25):
        state, lines = position_in(play_out(walker(DUEL), Setting(("ana", "ben")), seed, 60), Random(seed))
        head = {"schema": "referee/log/1", "ruleset": "positions", "players": ["ana", "ben"], "state": state}
        for viewer in ("ana", "ben", PUBLIC):
            told = viewed(tmp_path, viewer, head, *lines)
            found = judged(DUEL, told[0]["state"], *told[1:])
            assert found.outcome in (LogOutcome.LEGAL, LogOutcome.POSSIBLE, LogOutcome.STOPPED), (
                seed,
                viewer,
                found.wrong,
            )
            seen[found.outcome] += 1
    assert seen[LogOutcome.POSSIBLE]
