"""What all tests share: the folder of the project, a cache of their own, hypothesis without a clock."""

from __future__ import annotations

import gc
import os
import signal
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings

settings.register_profile("untimed", deadline=None, print_blob=True)
settings.load_profile("untimed")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--accept", action="store_true", help="write what comes out into the files of expected output")


def pytest_configure(config: pytest.Config) -> None:
    """Keeps the tests away from the caches of whoever runs them. Processes that share the tests share one cache: they
    inherit its name from the process that starts them. Where Python is told to keep no compiled modules, commands that
    tests start keep them there: compiling anew is more than half of what a small command takes. Elsewhere they lie
    where Python has them, so that what is installed is not compiled again in each run.

    A shell that starts the tests in the background has Ctrl-C ignored, by all that they start too; tests interrupt."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if "PYTEST_XDIST_WORKER" not in os.environ:
        cache = TemporaryDirectory(prefix="referee-tests-", ignore_cleanup_errors=True)
        config.add_cleanup(cache.cleanup)
        patch = pytest.MonkeyPatch()
        config.add_cleanup(patch.undo)
        patch.setenv("REFEREE_CACHE", cache.name)
        if sys.dont_write_bytecode:
            patch.setenv("PYTHONPYCACHEPREFIX", str(Path(cache.name) / "compiled"))
            patch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """With `-n`, each process takes one half of the tests and then what the other has left: neighbours, which use the
    same games, stay together."""
    if getattr(config.option, "numprocesses", None) and config.option.dist == "no":
        config.option.dist = "worksteal"


def pytest_collection_finish() -> None:
    """What collecting has made stays until the end, so no collection of garbage needs to look at it again; and what
    tests make is looked at less often than usual, which is a fifth of the time of those that build many trees."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 50)


@pytest.fixture(scope="session")
def project() -> Path:
    """The folder that holds `pyproject.toml`."""
    return Path(__file__).resolve().parent.parent
