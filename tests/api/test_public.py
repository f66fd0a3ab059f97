"""What is public is kept: names, signatures and fields, word for word (`public.txt`)."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path

import referee
from referee import envs, strategies

KEPT = Path(__file__).parent / "public.txt"


def beside() -> Iterator[str]:
    """A line for each public name of the modules beside the library."""
    for name in ("env", "raw_env"):
        yield f"referee.envs.{name}{inspect.signature(getattr(envs, name))}"
    for name, value in sorted(vars(envs.TableEnvironment).items()):
        if not name.startswith("_") and callable(value):
            yield f"  {name}{inspect.signature(value)}"
    for name in ("events", "games"):
        yield f"referee.strategies.{name}{inspect.signature(getattr(strategies, name))}"


def described() -> Iterator[str]:
    """A line for each public name, and for each public thing of a class."""
    yield from beside()
    for name in sorted(referee.__all__):
        one = getattr(referee, name)
        if not inspect.isclass(one):
            yield f"{name}{inspect.signature(one)}" if callable(one) else name
            continue
        yield f"class {name}({', '.join(base.__name__ for base in one.__bases__)})"
        own = [(field.name, str(field.type)) for field in fields(one)] if is_dataclass(one) else []
        yield from (f"  {field}: {kind}" for field, kind in own if not field.startswith("_"))
        known = {field for field, _ in own}
        for part, value in sorted(vars(one).items()):
            if part.startswith("_") or part in known:
                continue
            if isinstance(value, property):
                yield f"  {part} -> {inspect.signature(value.fget).return_annotation}" if value.fget else part
            elif part in vars(one).get("__annotations__", {}):
                yield f"  {part}: {one.__annotations__[part]}"
            else:
                yield f"  {part}{inspect.signature(getattr(one, part))}"


def test_what_is_public_is_what_was_published() -> None:
    """Whoever changes this on purpose writes the list anew, and the change into CHANGELOG.md and spec/api.md:
    `python -m tests.api.test_public`."""
    assert list(described()) == KEPT.read_text("utf-8").splitlines()


def test_the_page_names_whatever_is_public() -> None:
    page = (Path(__file__).parents[2] / "spec" / "api.md").read_text("utf-8")
    methods = [name for cls in (referee.Ruleset, referee.Game) for name in vars(cls) if not name.startswith("_")]
    assert [name for name in (*referee.__all__, *methods) if f"`{name}" not in page and f".{name}" not in page] == []


if __name__ == "__main__":
    KEPT.write_text("".join(f"{line}\n" for line in described()), "utf-8")
