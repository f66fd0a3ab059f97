"""What speaks against going on in a folder is told by a code, and nothing in it is touched."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from referee.diagnostics.codes import CODES
from referee.report.ledger import run_key
from referee.report.ledger.folder_lock import FolderLock
from tests.ledger.conftest import Told
from tests.ledger.killing import ROOT

Judge = Callable[..., Told]
TOLD = Path(__file__).parent / "refusals"
RULES = ROOT / "rulesets" / "classics" / "tic_tac_toe.rules"


def no_folder() -> None:
    Path("kept").write_text("")


def foreign() -> None:
    Path("kept").mkdir()
    Path("kept/thesis.tex").write_text("")


def damaged() -> None:
    text = Path("kept/manifest.json").read_text()
    Path("kept/manifest.json").write_text(text.replace('"done": true', '"done": false'))


def cut() -> None:
    text = Path("kept/manifest.json").read_bytes()
    Path("kept/manifest.json").write_bytes(text[: len(text) // 2])


def gone() -> None:
    Path("kept/manifest.json").unlink()


def without_inputs() -> None:
    Path("kept/inputs.jsonl").write_text("[]\n")
    Path("logs/00003.jsonl").write_text("")


def of_another_version() -> None:
    Path("kept/manifest.json").write_text(json.dumps({"schema": "referee/ledger/2"}))


def changed() -> None:
    Path("logs/00003.jsonl").write_text("")
    path = Path("logs/00004.jsonl")
    path.write_text(path.read_text().replace('"x"', '"y"', 1))
    os.chmod("logs/00005.jsonl", 0o444)  # its content is the same


def new_and_gone() -> None:
    Path("logs/00003.jsonl").rename("logs/new.jsonl")


def part_changed() -> None:
    with Path("kept/part-000001.jsonl").open("ab") as file:
        file.write(b"{}\n")


def part_gone() -> None:
    Path("kept/part-000001.jsonl").unlink()


def rules_changed() -> None:
    with Path("mine.rules").open("a") as file:
        file.write("\n# another remark\n")


BY_MINE = ("--ruleset", "mine.rules")
CASES: dict[str, tuple[Callable[[], None], tuple[str, ...] | None, tuple[str, ...]]] = {
    "LD01_no_folder": (no_folder, None, ()),
    "LD02_foreign": (foreign, None, ()),
    "LD04_damaged": (damaged, (), ()),
    "LD04_cut": (cut, (), ()),
    "LD04_gone": (gone, (), ()),
    "LD04_without_inputs": (without_inputs, (), ()),
    "LD05_of_another_version": (of_another_version, (), ()),
    "LD07_rules_changed": (rules_changed, BY_MINE, BY_MINE),
    "LD08_options": (lambda: None, ("--timeout", "100"), ("--facts", "--readings", "all")),
    "LD08_another_ruleset": (lambda: None, (), BY_MINE),
    "LD08_no_ruleset": (lambda: None, BY_MINE, ()),
    "LD09_changed": (changed, (), ()),
    "LD09_new_and_gone": (new_and_gone, (), ()),
    "LD10_changed": (part_changed, (), ()),
    "LD10_gone": (part_gone, (), ()),
}
"""What is done between two runs, and the options of each; None: there is no first run."""


def compared(name: str, told: str, accept: bool) -> None:
    path = TOLD / f"{name}.txt"
    if accept:
        path.write_text(told)
    assert told == path.read_text()
    assert name[:4] in CODES
    assert name[:4] in told


def listed(folder: Path) -> object:
    return {path.name: path.read_bytes() for path in folder.iterdir()} if folder.is_dir() else folder.exists()


@pytest.mark.parametrize("name", CASES)
def test_the_second_run_is_refused(judge: Judge, name: str, request: pytest.FixtureRequest) -> None:
    Path("mine.rules").write_text(RULES.read_text())
    between, first, then = CASES[name]
    if first is not None:
        assert judge("logs", "--out", "kept", *first)[0] == 4
    between()
    before = listed(Path("kept"))
    code, out, err = judge("logs", "--out", "kept", *then)
    assert (code, out) == (2, "")
    compared(name, err, request.config.getoption("--accept"))
    after = listed(Path("kept"))
    assert after == before or name.startswith("LD02")


def test_another_program_is_refused(judge: Judge, monkeypatch: pytest.MonkeyPatch,
                                    request: pytest.FixtureRequest) -> None:
    monkeypatch.setattr(run_key, "program_digest", lambda: "one")
    monkeypatch.setattr("sys.version", "3.11.0 (main)")
    judge("logs", "--out", "kept")
    monkeypatch.setattr(run_key, "program_digest", lambda: "another")
    code, _, err = judge("logs", "--out", "kept")
    assert code == 2
    compared("LD06_program", err, request.config.getoption("--accept"))


def test_two_processes_do_not_write_at_once(judge: Judge, request: pytest.FixtureRequest) -> None:
    judge("logs", "--out", "kept")
    held = "import fcntl as f, sys; a = open('kept/lock', 'r+'); f.lockf(a, 6); print(flush=True); sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", held], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        code, _, err = judge("logs", "--out", "kept")
        other.kill()
    assert code == 2
    compared("LD03_held", err, request.config.getoption("--accept"))
    assert judge("logs", "--out", "kept")[0] == 4
    with FolderLock(Path("kept")):
        assert judge("logs", "--out", "kept")[2] == err


def test_a_full_disk_is_told_and_what_was_counted_stands(judge: Judge, tmp_path: Path) -> None:
    """No file may grow beyond some bytes, which the first part has sooner or later. Python itself would cut the
    compiled modules that it keeps, and other tests of this run would find them: here it keeps none."""
    words = [sys.executable, "-m", "referee", "judge", str(tmp_path / "logs"), "--jobs", "1", "--out",
             str(tmp_path / "kept")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    full = subprocess.run(words, env=environment, capture_output=True, text=True, check=False, preexec_fn=lambda: (
        resource.setrlimit(resource.RLIMIT_FSIZE, (12_000, 12_000))))
    assert full.returncode == 2
    assert "LD11" in full.stderr
    assert "the same command goes on" in full.stderr
    assert judge(str(tmp_path / "logs"), "--out", str(tmp_path / "kept"))[0] == 4
    rows = b"".join(path.read_bytes() for path in sorted(Path("kept").glob("part-*.jsonl")))
    assert len(rows.splitlines()) == 40


def test_what_can_be_read_once_is_refused(judge: Judge, request: pytest.FixtureRequest) -> None:
    os.mkfifo("pipe")
    for name, words in (("LD12_pipe", ("pipe", "logs")), ("LD12_input", ("-",))):
        code, _, err = judge(*words, "--out", "kept")
        assert code == 2
        compared(name, err, request.config.getoption("--accept"))


def test_one_log_of_a_file_is_refused(judge: Judge, request: pytest.FixtureRequest) -> None:
    code, _, err = judge("logs/00003.jsonl#1", "--out", "kept")
    assert code == 2
    compared("LD16_address", err, request.config.getoption("--accept"))


@pytest.mark.parametrize(("name", "folders"), [("LD17_twice", ("kept", "./kept")), ("LD17_none", ("kept", "logs"))])
def test_what_cannot_be_added_up_is_told(judge: Judge, name: str, folders: tuple[str, ...],
                                         request: pytest.FixtureRequest) -> None:
    judge("logs", "--out", "kept")
    code, out, err = judge("--summary-of", *folders)
    assert (code, out) == (2, "")
    compared(name, err, request.config.getoption("--accept"))


class _NobodyBesides:
    """What MPI gives to a process that was started alone."""

    num_workers = 0

    def __enter__(self) -> _NobodyBesides:
        return self

    def __exit__(self, *_: object) -> None:
        pass


@pytest.mark.parametrize(("name", "where", "library"), [
    ("LD13_spark", "spark", None),
    ("LD14_mpi", "mpi", None),
    ("LD14_ray", "ray", None),
    ("LD15_nobody", "mpi", SimpleNamespace(MPIPoolExecutor=_NobodyBesides)),
])
def test_an_executor_that_is_not_there_is_told(judge: Judge, name: str, where: str, library: object,
                                               monkeypatch: pytest.MonkeyPatch,
                                               request: pytest.FixtureRequest) -> None:
    for module in ("ray", "mpi4py.futures"):
        monkeypatch.setitem(sys.modules, module, library)
    code, out, err = judge("logs", "--executor", where)
    assert (code, out) == (2, "")
    compared(name, err, request.config.getoption("--accept"))


@pytest.mark.parametrize("words", [
    ("--together",), ("--format", "sarif"), ("--format", "junit"), ("--html", "page.html"),
])
def test_what_needs_all_verdicts_at_once_is_refused(judge: Judge, words: tuple[str, ...]) -> None:
    code, _, err = judge("logs", "--out", "kept", *words)
    assert code == 2
    assert "Error: " in err
    assert not Path("kept").exists()
