"""Trees are kept for the texts that they were read of: for no other text, of no other program, and only if whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.diagnostics.diagnostic import Problems
from referee.diagnostics.source import Source
from referee.frontend.loading.assembly import parsed
from referee.frontend.loading.ruleset_files import Files
from referee.syntax.kept_trees import LEAST_CHARACTERS, _key
from referee.syntax.lr_parser import machine
from referee.syntax.parser import Parsed
from referee.system import disk_cache, frozen_pickles
from tests.changed_text import changed

RULES = """game "Stop" for 2 players

play
  turns from left of turn player
    turn player must stop

action stop
  me wins

""" + "# and nothing else\n" * (LEAST_CHARACTERS // 19 + 1)
PROGRAM = "this program"


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Files:
    """A ruleset in a file, and a cache with nothing in it."""
    machine()  # made of the usual cache
    monkeypatch.setenv("REFEREE_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "stop.rules"
    path.write_text(RULES, encoding="utf-8")
    return Files("stop", tmp_path, (path,))


def only_kept(files: Files, monkeypatch: pytest.MonkeyPatch, program: str = PROGRAM) -> bool:
    """Whether the trees are there without anything being parsed."""
    with monkeypatch.context() as patch:
        patch.setattr("referee.frontend.loading.assembly._read", lambda source: pytest.fail("parsed"))
        try:
            parsed(files, kept=program)
        except pytest.fail.Exception:
            return False
    return True


def test_what_was_read_is_not_read_again(rules: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    first = parsed(rules, kept=PROGRAM)
    assert only_kept(rules, monkeypatch)
    assert parsed(rules, kept=PROGRAM) == first == parsed(rules)


@pytest.mark.parametrize("change", ["text", "program", "path"])
def test_what_is_another_is_read(change: str, rules: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed(rules, kept=PROGRAM)
    (path,) = rules.rules
    match change:
        case "text":
            path.write_text(changed(RULES, {"must": "may"}), encoding="utf-8")
        case "program":
            assert not only_kept(rules, monkeypatch, "another program")
            return
        case _:
            rules = Files("stop", path.parent, (path.rename(path.with_name("other.rules")),))
    assert not only_kept(rules, monkeypatch)


def test_what_has_an_error_is_told_every_time(rules: Files) -> None:
    rules.rules[0].write_text(changed(RULES, {"must": "mast"}), encoding="utf-8")
    for _ in range(2):
        with pytest.raises(Problems):
            parsed(rules, kept=PROGRAM)


DAMAGED = {
    "empty": b"", "no pickle": b"no pickle", "nothing": frozen_pickles.dumps(()),
    "no tree": frozen_pickles.dumps(("no tree",)), "too many": frozen_pickles.dumps((Parsed(None), Parsed(None))),
}


@pytest.mark.parametrize("data", DAMAGED.values(), ids=DAMAGED)
def test_what_is_damaged_is_read(data: bytes, rules: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    first = parsed(rules, kept=PROGRAM)
    disk_cache.write(_key([Source(str(rules.rules[0]), RULES)], PROGRAM), data)
    assert not only_kept(rules, monkeypatch)
    assert parsed(rules, kept=PROGRAM) == first
