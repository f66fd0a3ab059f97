"""What comes from outside steers no terminal, and a standard error that cannot be written changes no exit code."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.cli.main import run
from referee.cli.terminal_writer import ERR, Terminal, escaped
from referee.diagnostics.exit_codes import Exit
from tests.changed_text import changed

EVIL = "\x1b]0;x\x07\x1b[31m\u202ea\u2066b\x9b2J\x7f\r\u200bc"
RULES = """\
game "Evil" for 2 players first and second

counters
  steps of player: 0..3

play
  turns from first, to the left
    turn player must step

type Pace is slow, fast

action step(pace: Pace)  [R-1]
  raise steps of me by 1, not above 3
  if steps of me = 3: me wins

scenario "evil"
  first step slow
  expect steps of first = 2
"""
STATEMENTS = """\
[statement.R-1]
text = "A \\u001b[31mstep\\u202e."

[statement."R\\u001b[31m\\u202e\\u009b2J\\n3"]
text = "More \\u001b[31m."
"""
HEAD = '{"schema": "referee/log/1", "ruleset": "x", "players": ["ana", "ben"]}\n'
STEP = '{"by": "ana", "do": "step", "with": {"pace": "slow"}}\n'
LOGS = {
    "good": HEAD + STEP,
    "wrong": HEAD + json.dumps({"by": f"ana{EVIL}", "do": EVIL, "with": {EVIL: EVIL}}) + "\n",
    "worse": HEAD + STEP + json.dumps({"by": "ana", "do": "step", "with": {"pace": EVIL}}) + "\n",
    "asserted": HEAD + json.dumps({"assert": {f"steps of {EVIL}": 1}}) + "\n",
    "broken": HEAD + f'{{"by": "{EVIL}'.replace("\r", "") + "\n",
    "odd": HEAD + json.dumps({"by": "ana", "do": "step", "with": {"pace": "fast"}, EVIL: EVIL}) + "\n",
    "headless": json.dumps({"schema": EVIL, "ruleset": EVIL, "players": [EVIL, "b"], EVIL: 1}) + "\n",
}


def acting(text: str) -> set[str]:
    """The characters of a text that are more than seen; a line end is meant."""
    return {c for c in text if c not in "\n\t" and not c.isprintable() and category(c) != "Zs"}


@pytest.fixture(name="evil")
def folder_with_an_evil_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / f"r{EVIL}"
    folder.mkdir()
    (folder / f"main{EVIL}.rules").write_text(RULES, encoding="utf-8")
    (folder / "more.rules").write_text("type Size is small, big\n", encoding="utf-8")
    (folder / "statements.toml").write_text(STATEMENTS, encoding="utf-8")
    for name, text in LOGS.items():
        (folder / f"{name}{EVIL}.jsonl").write_text(text, encoding="utf-8")
    shutil.copytree(folder, tmp_path / f"bad{EVIL}")
    (tmp_path / f"bad{EVIL}" / f"main{EVIL}.rules").write_text(changed(RULES, {"steps of me": "leaps\u00e9 of me"}))
    monkeypatch.chdir(tmp_path)
    return folder


RULESET, BAD, LOG = f"r{EVIL}", f"bad{EVIL}", f"r{EVIL}/{{}}{EVIL}.jsonl"
GOOD = LOG.format("good")
WORDS = [
    *(["judge", "--ruleset", RULESET, "--format", form, RULESET] for form in ("text", "json", "sarif", "junit")),
    ["judge", "--ruleset", RULESET, "--facts", "--readings", "all", RULESET], ["judge", "--for", EVIL, GOOD],
    ["judge", GOOD], ["judge", EVIL], ["judge", "--ruleset", EVIL, GOOD], ["judge", "--ruleset", BAD, GOOD],
    ["judge", "--ruleset", RULESET, "--together", GOOD, GOOD], ["judge", "--engine", EVIL, GOOD],
    ["judge", f"--{EVIL}"],
    ["redact", "--for", "ana", "--ruleset", RULESET, GOOD], ["redact", "--for", EVIL, "--ruleset", RULESET, GOOD],
    ["redact", "--for", "ana", "--ruleset", RULESET, LOG.format("wrong")],
    ["redact", "--for", "ana", "--ruleset", RULESET, LOG.format("broken")], ["redact", "--for", EVIL, EVIL],
    ["play", RULESET, "--random", "2", "--out", f"out{EVIL}"], ["play", RULESET, "--random", "1", "--out", GOOD],
    ["play", RULESET, "--out", f"here{EVIL}"], ["play", EVIL], ["play", RULESET, "--option", f"{EVIL}={EVIL}"],
    ["play", RULESET, "--option", EVIL], ["play", RULESET, "--reading", f"{EVIL}={EVIL}"],
    ["check", RULESET], ["check", BAD], ["check", EVIL], ["test", RULESET], ["test", "--quiet", BAD], ["test", EVIL],
    ["coverage", RULESET], ["coverage", "--live", RULESET], ["coverage", "--answers", RULESET], ["coverage", BAD],
    ["infer", RULESET, GOOD, LOG.format("wrong")], ["infer", RULESET, LOG.format("headless"), "--format", "json"],
    ["infer", RULESET, EVIL], ["infer", EVIL, GOOD],
    ["prove", RULESET, "--out", f"out{EVIL}"], ["prove", BAD], ["prove", EVIL, "--format", "sarif"],
    ["review", RULESET, "--games", "3", "--positions", "20", "--out", f"out{EVIL}"], ["review", BAD],
    ["review", RULESET, "--only", EVIL], ["review", EVIL],
    ["show", RULESET], ["show", RULESET, "--flow"], ["show", RULESET, "--points"], ["show", BAD],
    ["fmt", f"{RULESET}/main{EVIL}.rules", "--check"], ["fmt", RULESET], ["fmt", EVIL], ["fmt", f"{EVIL}.rules"],
    *(["explain", f"{LOG.format(name)}:{line}", "--ruleset", RULESET] for name in LOGS for line in (2, 9)),
    ["explain", EVIL], ["explain", f"{EVIL}:2"], ["explain", f"{GOOD}:2", "--for", EVIL],
    ["schema", EVIL], [EVIL], [f"--{EVIL}"],
]


@pytest.mark.parametrize("words", WORDS, ids=lambda words: escaped(" ".join(words)).replace("\\", "")[:60])
def test_nothing_from_outside_steers_the_terminal(
    words: list[str], evil: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1\nquit\n"))
    code = run(words)
    written = capsys.readouterr()
    assert acting(written.out + written.err) == set()
    assert code in set(Exit) - {Exit.INTERNAL}
    assert "Traceback" not in written.err


def test_the_evil_ruleset_is_one(evil: Path) -> None:
    codes = [run(words) for words in (
        ["check", RULESET], ["coverage", RULESET], ["judge", "--ruleset", RULESET, GOOD], ["test", RULESET],
        ["judge", "--ruleset", RULESET, LOG.format("wrong")], ["prove", RULESET], ["fmt", RULESET],
    )]
    assert codes == [0, 1, 0, 1, 1, 0, 0]


class Screen(io.StringIO):
    """A stream that says that it is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def test_in_colour_nothing_but_our_colours_steers_the_terminal() -> None:
    screen = Screen()
    Terminal(lambda: screen, must_arrive=True).show([[("bold red", EVIL), ("", f"[red]{EVIL}\n")]])
    assert "\x1b[" in screen.getvalue()
    assert acting(re.sub(r"\x1b\[[0-9;]*m", "", screen.getvalue())) == set()


def test_what_is_being_done_does_not_steer_the_terminal() -> None:
    screen = Screen()
    terminal = Terminal(lambda: screen, must_arrive=False)
    with terminal.status(EVIL) as tell:
        tell(f"{EVIL}[/red]")
    with terminal.bar(3, f"[red]{EVIL}") as advance:
        advance()
    assert not {"\x1b]", "\x07", "\u202e", "\x9b", "\x1b[31m", "\u200b"} & set(screen.getvalue())


@given(st.text())
def test_json_that_is_escaped_says_the_same(text: str) -> None:
    written = escaped(json.dumps(text, ensure_ascii=False))
    assert json.loads(written) == text
    assert acting(written) == set()


@given(st.text(st.characters(categories=["L", "N", "P", "S", "Zs"])))
def test_what_is_only_seen_stays(text: str) -> None:
    assert escaped(text) == text


FAILING = [
    (["judge", "--nonsense"], Exit.USAGE), ([], Exit.USAGE), (["explain", "nothing"], Exit.USAGE),
    (["check", "no/such"], Exit.RULES), (["redact", "--for", "ana", "no.jsonl"], Exit.LOG),
    (["review", "tic_tac_toe", "--only", "nothing"], Exit.USAGE),
]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize(("words", "code"), FAILING)
def test_an_error_that_cannot_be_written_changes_nothing(
    words: list[str], code: Exit, monkeypatch: pytest.MonkeyPatch
) -> None:
    for buffering in (1, -1):
        with Path("/dev/full").open("w", buffering=buffering) as full:
            monkeypatch.setattr("sys.stderr", full)
            assert run(words) == code
            ERR.flush()


@pytest.mark.parametrize(("words", "code"), FAILING[:5:2])
def test_a_process_whose_error_nobody_reads_ends_as_ever(words: list[str], code: Exit) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([sys.executable, "-m", "referee", *words], stdout=subprocess.PIPE, stderr=writing,
                          check=False)
    os.close(writing)
    assert (done.returncode, done.stdout) == (code, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_process_that_can_write_nothing_ends_with_a_code_of_ours() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([sys.executable, "-m", "referee", "judge", "no.jsonl"], stdout=full, stderr=full,
                              check=False)
    assert done.returncode == Exit.USAGE
