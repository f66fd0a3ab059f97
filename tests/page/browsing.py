"""Pages in a real browser: headless Chromium, driven by playwright, both found where they are installed."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
THERE = CHROMIUM is not None and find_spec("playwright") is not None
"""Whether there is a browser to look with."""
ABOUT = """() => ({ line: document.querySelector('output').textContent,
  what: document.querySelector('.what').textContent, asked: document.activeElement.tagName,
  tables: document.querySelectorAll('.table').length, wide: document.documentElement.scrollWidth - innerWidth })"""


@contextmanager
def browser() -> Iterator[Browser]:
    """A browser without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            yield opened
        finally:
            opened.close()


class Visit:
    """A page that is looked at. `troubles`: what the browser complained about, and whom the page asked for anything."""

    def __init__(self, opened: Browser, file: Path, **looks: Any) -> None:
        self.page: Page = opened.new_page(**looks)
        self.troubles: list[str] = []
        self.page.on("console", lambda said: self.troubles.append(f"{said.type}: {said.text}"))
        self.page.on("pageerror", lambda error: self.troubles.append(f"error: {error}"))
        self.page.on("request", lambda asked: self._asked(asked.url, file))
        self.page.goto(file.as_uri())

    def _asked(self, url: str, file: Path) -> None:
        if url != file.as_uri() and not url.startswith("data:"):
            self.troubles.append(f"asked for {url}")

    def about(self) -> dict[str, Any]:
        """What the page says of the step that it shows."""
        found: dict[str, Any] = self.page.evaluate(ABOUT)
        return found

    def press(self, *keys: str) -> dict[str, Any]:
        """Presses keys one after the other; what the page says then."""
        for key in keys:
            self.page.keyboard.press(key)
        return self.about()
