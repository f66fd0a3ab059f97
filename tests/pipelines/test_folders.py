"""Folders of rules: what `new` makes is in order, what `watch` tells, and which ruleset a file or a log belongs to."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from referee.api.errors import ArgumentError
from referee.api.folders.first_files import make_ruleset
from referee.api.folders.folder_changes import WatchedFolder
from referee.api.folders.found_rulesets import ruleset_at, ruleset_named, rulesets_in, wholes
from referee.cli.main import run
from referee.diagnostics.exit_codes import Exit

GAME = 'game "Nothing" for 2 players\n'


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_what_new_makes_is_in_order(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["new", "seven_stones"]) == Exit.GOOD
    for command in (["check", "./seven_stones"], ["fmt", "--check", "./seven_stones"], ["test", "./seven_stones"],
                    ["judge", "seven_stones/logs", "--ruleset", "./seven_stones", "--strict"],
                    ["watch", ".", "--once"]):
        assert run(command) == Exit.GOOD, (command, capsys.readouterr())
    assert (here / "seven_stones/.github/workflows/rules.yml").is_file()
    capsys.readouterr()
    (here / "seven_stones" / "game.rules").write_text("mine")
    assert run(["new", "seven_stones"]) == Exit.USAGE
    assert "NW02 seven_stones is there already: nothing is overwritten" in capsys.readouterr().err
    assert (here / "seven_stones" / "game.rules").read_text() == "mine"


@pytest.mark.parametrize("name", ["", ".", "..", "../x", "/tmp/x", "A", "9x", "a b", "x" * 41, "chess", "nul", "é",
                                  "x\u202ey", "<b>", "a/b", "x\n", "-x", "a\0b"])
def test_a_name_that_is_none_is_refused(here: Path, name: str) -> None:
    with pytest.raises(ArgumentError) as error:
        make_ruleset(name, here)
    assert error.value.code == "NW01"
    assert not name.isprintable() or name in error.value.message
    assert run(["new", "--", name]) == Exit.USAGE
    assert list(here.iterdir()) == []


def test_nothing_is_followed_or_overwritten(here: Path) -> None:
    (here / "away").mkdir()
    (here / "mine").symlink_to(here / "away")
    with pytest.raises(ArgumentError) as error:
        make_ruleset("mine", here)
    assert error.value.code == "NW02"
    assert list((here / "away").iterdir()) == []


def test_a_file_belongs_to_the_folder_that_is_one_ruleset(here: Path) -> None:
    for path, text in {"one/a.rules": GAME, "one/b.rules": "", "many/a.rules": GAME, "many/b.rules": GAME,
                       "none/a.rules": "", "alone/a.rules": GAME, ".hidden/a.rules": GAME}.items():
        (here / path).parent.mkdir(exist_ok=True)
        (here / path).write_text(text)
    assert [one.relative_to(here).as_posix() for one in rulesets_in(here)] == [
        "alone/a.rules", "many/a.rules", "many/b.rules", "none/a.rules", "one"]
    assert ruleset_at(here / "one" / "b.rules") is None
    assert wholes(["one/a.rules", "one/b.rules", "many/a.rules", "gone.rules", "chess"]) == (
        f"one{os.sep}", "many/a.rules", "gone.rules", "chess")


def test_a_log_means_the_nearest_ruleset_of_its_name(here: Path) -> None:
    for path in ("sticks.rules", "deep/sticks.rules", "deep/er/logs/x.jsonl", "whole/a.rules", "whole/logs/x.jsonl"):
        (here / path).parent.mkdir(parents=True, exist_ok=True)
        (here / path).write_text(GAME)
    deep, whole = here / "deep/er/logs/x.jsonl", here / "whole/logs/x.jsonl"
    assert ruleset_named("sticks", deep, here) == here / "deep" / "sticks.rules"
    assert ruleset_named("sticks", whole, here) == here / "sticks.rules"
    assert ruleset_named("whole", deep, here) == here / "whole"
    assert ruleset_named("whole", whole, here) == here / "whole"
    for other in ("chess", "../deep/sticks", "", "/etc/passwd", "a b"):
        assert ruleset_named(other, deep, here) == other


def test_check_and_test_take_files_of_one_ruleset_once(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_ruleset("ours", here)
    files = ["ours/game.rules", "ours/scenarios.rules"]
    assert run(["check", "--whole", *files]) == Exit.GOOD
    assert run(["test", "--quiet", "--whole", *files]) == Exit.GOOD
    assert capsys.readouterr().out == "ours: nothing is wrong (2 players, 1 shape)\n2 scenarios: 2 passed, 0 failed\n"


def test_what_has_changed_is_looked_at_and_nothing_else(here: Path) -> None:
    made = make_ruleset("ours", here)
    make_ruleset("theirs", here)
    watched = WatchedFolder(here)
    first = watched.changes()
    assert len(watched.rulesets(first)) == 2
    assert watched.changes() == frozenset()
    made[1].write_text(made[1].read_text() + "\n")
    changed = watched.changes()
    assert changed == {made[1]}
    assert watched.rulesets(changed) == (here / "ours",)
    assert [path for path, _ in watched.verdicts(changed, watched.rulesets(changed))] == [made[3]]
    made[4].write_text(json.dumps({"first_game.jsonl": {"verdict": "illegal"}, "gone.jsonl": {"line": 2}}))
    told = dict(watched.verdicts(watched.changes(), ()))
    assert told[made[3]][0] == "verdict: illegal expected, legal found"
    assert "LG01" in told[made[4].parent / "gone.jsonl"][0]
    made[4].write_text("{")
    assert "EX01" in dict(watched.verdicts(watched.changes(), ()))[made[4]][0]


def test_watch_tells_what_changes_until_it_is_ended(here: Path) -> None:
    rules, log = make_ruleset("ours", here)[0], here / "told.txt"
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with log.open("w") as out:
        watching = subprocess.Popen([sys.executable, "-m", "referee", "watch", ".", "--interval", "0.1"], stdout=out,
                                    stderr=subprocess.STDOUT, cwd=here, env=environment)
        try:
            waited_for(log, "nothing is wrong")
            assert log.read_text().startswith("watching ., until Ctrl-C\n")
            rules.write_text(rules.read_text().replace("lower left", "lower lft"))
            waited_for(log, "something is wrong")
            watching.send_signal(signal.SIGINT)
            assert watching.wait(20) == Exit.INTERRUPTED
        finally:
            watching.kill()
            watching.wait()
    told = log.read_text()
    assert "NM01" in told
    assert "Traceback" not in told


def waited_for(log: Path, words: str) -> None:
    """Until a line is there; half a minute at most."""
    waiting = threading.Event()
    for _ in range(300):
        if words in log.read_text().splitlines():
            return
        waiting.wait(0.1)
    raise AssertionError(log.read_text())
