"""Takes out each alternative that tells kinds apart, one at a time in a copy of the tree, and says what notices it.

`python -m tests.conformance.take_out FOLDER [--only GLOB ...] [--jobs N] [--types] [--tests PATH ...]
[--without-reason]`: mypy is asked first (its daemon, so that a change costs a second or two), and only where it finds
nothing the tests, and these only for functions that they run. If no others are named they are the conformance test (of
that the samples of the kind first) and the test of static exclusions. FOLDER holds the copies and `results.jsonl`, a
line for each alternative; begun again, what stands there is not done again unless its module has changed: so `--types`
first, and the tests for what is left. At the end the survivors, each with why nothing is lost: the reason in
`harmless.toml` beside this file, or that of the place in `tests/house/dispatch/`.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from queue import Queue
from threading import Lock

from tests.conformance.alternatives import Alternative, alternatives
from tests.house.dispatches import listed
from tests.house.imports import ROOT

COPIED = ("referee", "tests", "pyproject.toml")
LINKED = ("grammar", "rulesets", "spec", "README.md")
HARMLESS = Path(__file__).parent / "harmless.toml"
CONFORMANCE = "tests/conformance/test_conformance.py"
EXCLUSIONS = "tests/review/test_static_exclusions.py"
"""What is read of the rules without a game: no engine, so that the conformance test does not come there."""
PYTEST = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
MOST_SECONDS = 900
"""A test that takes longer than this has noticed: it goes on without end."""
SAMPLES = f"{CONFORMANCE}::test_every_engine_makes_the_same_of_it"
CHECKED, TESTED, SURVIVED, NOT_TESTED = "types", "tests", "nothing", "not by types"
NOT_RUN = "not run by the tests"


@dataclass(frozen=True)
class Result:
    """What noticed that an alternative is missing, and how it said so."""

    name: str
    digest: str
    noticed: str
    said: str
    seconds: float


class Copy:
    """A copy of the tree, with a type checker that waits for changes."""

    def __init__(self, folder: Path, tests: Sequence[str]) -> None:
        self._folder = folder
        self._tests_of = tests
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for name in COPIED:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, folder / name)
        for name in LINKED:
            (folder / name).symlink_to(ROOT / name)
        self._started = False

    def _start(self) -> None:
        """Has the type checker look at everything as it is, when it is first asked."""
        if self._started:
            return
        self._started = True
        said = self._daemon("run", "--", "referee")
        if said:
            raise RuntimeError(f"mypy finds errors before anything is taken out: {said}")

    def close(self) -> None:
        """Ends the type checker."""
        if self._started:
            self._run([sys.executable, "-m", "mypy.dmypy", "stop"], 60)

    def noticed(self, one: Alternative, ran: frozenset[str] | None, typed: bool) -> Result:
        """Takes one out, asks, and puts it back. `ran`: the functions that the tests run; None to leave them out.
        `typed`: mypy is known to find nothing."""
        if not typed:
            self._start()
        started, path = time.monotonic(), self._folder / one.path
        before = path.read_text("utf-8")
        path.write_text(one.text, "utf-8")
        try:
            noticed, said = CHECKED, "" if typed else self._daemon("recheck")
            if not said and ran is None:
                noticed = NOT_TESTED
            elif not said and not _runs(one, ran or frozenset()):
                noticed, said = SURVIVED, NOT_RUN
            elif not said:
                said = self._tests(one.kind)
                noticed = TESTED if said else SURVIVED
            return Result(one.name, one.digest, noticed, said, round(time.monotonic() - started, 1))
        finally:
            path.write_text(before, "utf-8")

    def _daemon(self, *arguments: str) -> str:
        """The first error that the type checker finds; nothing if there is none."""
        code, said = self._run([sys.executable, "-m", "mypy.dmypy", *arguments], MOST_SECONDS)
        errors = [line for line in said.splitlines() if ": error:" in line]
        if code not in (0, 1) and not errors:
            raise RuntimeError(f"mypy could not be asked: {said}")
        return errors[0] if errors else ""

    def _tests(self, kind: str) -> str:
        """The first test that fails; nothing if none does. The samples of a kind are asked first."""
        asked = any(one.startswith(CONFORMANCE) for one in self._tests_of)
        own = [f"{SAMPLES}[{name}]" for name in kind.split(", ")] if asked else []
        return (self._failing(own) if own else "") or self._failing(self._tests_of)

    def _failing(self, tests: Sequence[str]) -> str:
        code, said = self._run([*PYTEST, "-x", *tests], MOST_SECONDS)
        if code == 0 or "no tests ran" in said:
            return ""
        failed = [line for line in said.splitlines() if line.startswith(("FAILED", "ERROR", "E  "))]
        return failed[-1][:300] if failed else said[-300:] or "no end"

    def ran(self) -> frozenset[str]:
        """The functions that the tests run."""
        touched = self._folder / "touched.json"
        code, said = self._run([*PYTEST, "-p", "tests.conformance.touched", *self._tests_of], 4 * MOST_SECONDS)
        if code != 0:
            raise RuntimeError(f"the tests fail before anything is taken out: {said[-2_000:]}")
        return frozenset(json.loads(touched.read_text("utf-8")))

    def _run(self, command: Sequence[str], seconds: float) -> tuple[int, str]:
        paths = os.pathsep.join([str(self._folder), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
        settings = {**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1",
                    "REFEREE_TOUCHED": str(self._folder / "touched.json")}
        try:
            done = subprocess.run(command, cwd=self._folder, env=settings, capture_output=True, text=True,
                                  timeout=seconds, check=False)
        except subprocess.TimeoutExpired:
            return 2, ""
        return done.returncode, done.stdout + done.stderr


def _runs(one: Alternative, ran: frozenset[str]) -> bool:
    """Whether the tests run the function of an alternative; what stands in no function is run when it is imported."""
    return one.function == "module" or any(
        f"{one.path}: {function}" in ran for function in (one.function, one.function.rpartition(".")[0]))


def _is_done(one: Result) -> bool:
    return one.noticed != NOT_TESTED


def known(path: Path) -> dict[tuple[str, str], Result]:
    """What was found out already, by name and by the text of the module."""
    if not path.exists():
        return {}
    read = (Result(**json.loads(line)) for line in path.read_text("utf-8").splitlines())
    return {(one.name, one.digest): one for one in read}


def asked(some: Sequence[Alternative], folder: Path, jobs: int, tests: Sequence[str]) -> Iterator[Result]:
    """What notices each, as it is found out, and written down. `tests`: those that are asked; none: mypy alone."""
    path, lock, copies = folder / "results.jsonl", Lock(), Queue[Copy]()
    before = known(path)
    found = [before.get((one.name, one.digest)) for one in some]
    left = [one for one, done in zip(some, found, strict=True) if done is None or (tests and not _is_done(done))]
    yield from (done for done in found if done is not None and (_is_done(done) or not tests))
    made = [Copy(folder / f"copy{number}", tests) for number in range(min(jobs, len(left)))]
    for one in made:
        copies.put(one)
    ran = made[0].ran() if made and tests else None

    def ask(one: Alternative) -> Result:
        copy = copies.get()
        try:
            result = copy.noticed(one, ran, (one.name, one.digest) in before)
        finally:
            copies.put(copy)
        with lock, path.open("a", encoding="utf-8") as out:
            out.write(json.dumps(vars(result)) + "\n")
        return result

    try:
        with ThreadPoolExecutor(max(1, len(made))) as pool:
            yield from pool.map(ask, left)
    finally:
        for copy in made:
            copy.close()


class Reasons:
    """Why nothing is lost without some alternatives: by name, by module, or by the place that is listed."""

    def __init__(self) -> None:
        told = tomllib.loads(HARMLESS.read_text("utf-8")) if HARMLESS.exists() else {}
        self._own: dict[str, str] = {name: group["reason"] for group in told.get("because", []) for name in group["of"]}
        self._places: dict[tuple[str, str], list[tuple[frozenset[str], str]]] = {}
        for room in listed().values():
            for place, reason in room.reasons.items():
                module, function, what = place.split(": ")
                kinds = frozenset(what.partition(" ")[2].split(", "))
                self._places.setdefault((module, function), []).append((kinds, reason))

    def of(self, one: Alternative) -> str | None:
        """The reason; None if none is given."""
        own = self._own.get(one.name) or self._own.get(f"{one.module}: {one.function}") or self._own.get(one.module)
        if own:
            return own
        named = set(one.kind.split(", "))
        some = [reason for kinds, reason in self._places.get((one.module, one.function), ()) if named & kinds]
        return some[0] if some else None


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.conformance.take_out", description=__doc__)
    parser.add_argument("folder", type=Path, help="for copies and results, outside the tree")
    parser.add_argument("--only", nargs="*", default=["*"], help="modules to look at, as `referee.smt.*`")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--types", action="store_true", help="ask the type checker alone")
    parser.add_argument("--tests", nargs="*", default=[CONFORMANCE, EXCLUSIONS],
                        help="what is asked where mypy finds nothing")
    parser.add_argument("--without-reason", action="store_true", help="only those for which no reason is given")
    parser.add_argument("--list", action="store_true", help="list the alternatives and stop")
    options = parser.parse_args()
    some = [one for one in alternatives() if any(fnmatch(one.module, some) for some in options.only)]
    reasons = Reasons()
    if options.without_reason:
        some = [one for one in some if reasons.of(one) is None]
    if options.list:
        print("\n".join(one.name for one in some))
        return 0
    options.folder.mkdir(parents=True, exist_ok=True)
    tests: list[str] = [] if options.types else options.tests
    noticed, survivors = Counter[str](), dict[str, Result]()
    for number, one in enumerate(asked(some, options.folder.resolve(), options.jobs, tests), 1):
        noticed[one.noticed] += 1
        if one.noticed in (SURVIVED, NOT_TESTED):
            survivors[one.name] = one
        print(f"{number}/{len(some)} {one.noticed} ({one.seconds} s): {one.name}", flush=True)
    print(f"{len(some)} alternatives: {dict(noticed)}")
    return 1 if unexplained([one for one in some if one.name in survivors], survivors, reasons) else 0


def unexplained(some: Sequence[Alternative], results: Mapping[str, Result], reasons: Reasons) -> int:
    """Writes the survivors with why nothing is lost without them. How many there are without a reason."""
    number = 0
    for one in some:
        reason, said = reasons.of(one), results[one.name].said
        number += reason is None
        print(f"  {one.name}{f' ({said})' if said else ''}: {reason or 'NOTHING NOTICES IT, and no reason is given'}")
    print(f"{len(some)} survivors, of which {number} have no reason")
    return number


if __name__ == "__main__":
    sys.exit(main())
