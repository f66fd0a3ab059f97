"""Lists kept beside the tests can be read, name what is there, and no file holds two versions of itself."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

from tests.conformance.alternatives import alternatives_in
from tests.house.imports import PACKAGE, ROOT, module_name

HARMLESS = ROOT / "tests" / "conformance" / "harmless.toml"
KEPT = [PACKAGE, *(ROOT / folder for folder in ("grammar", "rulesets", "spec", "tests"))]
MARKS = tuple(sign * 7 + b" " for sign in (b"<", b">", b"|"))


def texts() -> Iterator[Path]:
    for folder in KEPT:
        for ending in ("py", "lark", "rules", "toml", "md", "txt", "json"):
            yield from folder.rglob(f"*.{ending}")


def test_no_file_holds_the_marks_of_a_merge_that_was_not_ended() -> None:
    assert [path for path in texts() if any(line.startswith(MARKS) for line in path.read_bytes().splitlines())] == []


def test_what_is_harmless_without_an_alternative_names_one_that_is_there() -> None:
    named = {name for group in tomllib.loads(HARMLESS.read_text("utf-8"))["because"] for name in group["of"]}
    paths = {module_name(path): path for path in PACKAGE.rglob("*.py")}
    there = set()
    for module in {name.split(":")[0] for name in named} & paths.keys():
        for one in alternatives_in(module, paths[module]):
            there |= {one.name, f"{one.module}: {one.function}", one.module}
    assert sorted(named - there) == []
