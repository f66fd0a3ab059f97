"""What all tests share: the folder of the project, a cache of their own, hypothesis without a clock."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("untimed", deadline=None, print_blob=True)
settings.load_profile("untimed")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--accept", action="store_true", help="write what comes out into the files of expected output")


@pytest.fixture(scope="session")
def project() -> Path:
    """The folder that holds `pyproject.toml`."""
    return Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Keeps the tests away from the caches of whoever runs them."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("REFEREE_CACHE", str(folder))
        yield folder
