"""Games made and judged by another program are judged the same by us: right ones legal, damaged ones at their line."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from referee.api.runs.log_engines import Rules
from referee.archives.log_opening import open_log
from referee.judge.judge import Judge
from referee.judge.log_run import judge_all
from referee.judge.open_settings.header_admission import admitted
from referee.judge.verdict import LogOutcome, WrongKind
from tests.foreign.agreement_table import PAGE, page
from tests.sample_sizes import by_lot, drawn

HERE = Path(__file__).parent
GAMES = sorted(path.name for path in HERE.iterdir() if (path / "right").is_dir())
LONG = {
    "amazons", "backgammon", "battleship", "bridge", "checkers", "chess", "crazy_eights", "cribbage", "euchre",
    "gin_rummy", "go", "hanabi", "hearts", "holdem", "nine_mens_morris", "othello", "oware", "pig", "spades",
}
"""Of these a few damaged logs are judged with all that is told of a wrong line, and all of them without."""
VERY_LONG = {"backgammon", "cribbage", "go"}
"""Of these not all of them either, if full samples are not asked for."""
BY_COMMAND = ("kuhn_poker", "othello", "tic_tac_toe")
"""Of these all logs are judged by the command, too."""
ILLEGAL = re.compile(r"^(?P<path>.+?):(?P<line>\d+): illegal\b", re.MULTILINE)


def judge(project: Path, logs: list[Path]) -> tuple[int, dict[str, int], str]:
    """Exit code, file -> line called illegal, and everything printed."""
    paths = [str(path.relative_to(project)) for path in logs]
    done = subprocess.run([sys.executable, "-m", "referee", "judge", *paths], cwd=project, capture_output=True,
                          text=True, check=False)
    found = [(match["path"].rsplit("/", 1)[-1], int(match["line"])) for match in ILLEGAL.finditer(done.stdout)]
    assert len(dict(found)) == len(found), "more than one verdict for a log"
    return done.returncode, dict(found), done.stdout + done.stderr


def test_there_are_thirty_of_each_or_more() -> None:
    assert len(GAMES) == 30
    for game in GAMES:
        assert len(list((HERE / game / "right").glob("*.jsonl"))) >= 30
        assert len(list((HERE / game / "damaged").glob("*.jsonl"))) >= 30


@pytest.mark.parametrize("game", BY_COMMAND)
def test_right_logs_are_legal(game: str, project: Path) -> None:
    code, illegal, text = judge(project, sorted((HERE / game / "right").glob("*.jsonl")))
    assert illegal == {}, text
    assert code == 0, text


@pytest.mark.parametrize("game", BY_COMMAND)
def test_damaged_logs_are_illegal_at_the_line_of_the_damage(game: str, project: Path) -> None:
    folder = HERE / game / "damaged"
    expected = json.loads((folder / "expected.json").read_text("utf-8"))
    names = sorted(expected)[:6] if game in LONG else sorted(expected)
    code, illegal, text = judge(project, [folder / name for name in names])
    assert illegal == {name: expected[name]["first_wrong_line"] for name in names}, text
    assert code == 1, text


@pytest.mark.parametrize("game", sorted(LONG))
def test_every_damaged_log_of_a_long_game_is_illegal_at_its_line(game: str) -> None:
    folder, rules = HERE / game / "damaged", Rules(None)
    expected = json.loads((folder / "expected.json").read_text("utf-8"))
    for name, entry in list(expected.items())[: drawn(5, 30) if game in VERY_LONG else None]:
        with open_log(folder / name) as log:
            walker = rules(log.header)
            judge = Judge(walker, admitted(walker, log.header))
            judge.follow(log)
            for line in log:
                judge.feed(line)
                if judge.found:
                    break
        assert [found.wrong.line for found in judge.found] == [entry["first_wrong_line"]], name


KINDS = {
    "wrong result": {WrongKind.WRONG_RESULT},
    "early end": {WrongKind.EARLY_END},
    "late event": {WrongKind.EVENT_AFTER_END},
    "wrong player": {WrongKind.WRONG_PLAYER},
    "illegal move": {WrongKind.ILLEGAL_MOVE},
    "dropped": {WrongKind.ILLEGAL_MOVE, WrongKind.WRONG_PLAYER, WrongKind.MISSING_EVENT, WrongKind.EARLY_END},
    "swapped": {WrongKind.ILLEGAL_MOVE, WrongKind.WRONG_PLAYER, WrongKind.MISSING_EVENT, WrongKind.EARLY_END},
}
"""What was done to a log, and the kinds of wrong line that it may leave."""
OTHER_ARGUMENTS = {"blackjack"}
"""Where an event of another place has the same label, and other arguments."""
BY_FATE = ("cannot be", "must be dealt", "must roll")
"""What is said of wrong lines of fate, of which no condition fails."""
BOTH_ASKED = {"goofspiel"}
"""Where both players may act, a line of the wrong one may be read as his, with a card that he does not have."""


@pytest.mark.parametrize("game", by_lot(GAMES, "kinds", 2))
def test_the_kind_of_wrong_line_fits_the_damage(game: str) -> None:
    folder = HERE / game / "damaged"
    expected = json.loads((folder / "expected.json").read_text("utf-8"))
    names = sorted(expected)[6:12] if game in LONG else sorted(expected)
    for verdict in judge_all((str(folder / name) for name in names), Rules(None)):
        entry = expected[Path(verdict.path).name]
        assert verdict.outcome is LogOutcome.ILLEGAL
        assert verdict.wrong is not None
        assert verdict.wrong.line == entry["first_wrong_line"]
        kinds = KINDS[entry["kind"]] | ({WrongKind.ILLEGAL_MOVE} if game in BOTH_ASKED else set())
        kinds |= {WrongKind.BAD_ARGUMENT} if game in OTHER_ARGUMENTS else set()
        assert verdict.wrong.kind in kinds, (verdict.path, verdict.wrong)
        if verdict.wrong.kind is WrongKind.ILLEGAL_MOVE and "here, only" not in verdict.wrong.message:
            assert verdict.wrong.rule is not None
            assert verdict.wrong.failed or any(told in verdict.wrong.message for told in BY_FATE)


@pytest.mark.parametrize("game", GAMES)
def test_the_result_of_a_right_log_is_found(game: str) -> None:
    paths = sorted((HERE / game / "right").glob("*.jsonl"))
    for path, verdict in zip(paths, judge_all(map(str, paths), Rules(None)), strict=True):
        lines = path.read_text("utf-8").splitlines()
        winner = json.loads(lines[-1])["end"]["winner"]
        assert (verdict.outcome, verdict.finished) == (LogOutcome.LEGAL, True)
        told = [] if winner is None else sorted(winner) if isinstance(winner, list) else [winner]
        assert sorted(verdict.winners or ()) == told
        assert (verdict.lines, verdict.events) == (len(lines), len(lines) - 2)


def test_the_table_of_agreement_is_as_it_is_written() -> None:
    assert PAGE.read_text("utf-8") == page()
