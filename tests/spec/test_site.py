"""The pages as a site: each stands in the navigation, and what is built asks no other host for anything."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SPEC = ROOT / "spec"
SETTINGS = (SPEC / "site" / "mkdocs.yml").read_text("utf-8")
INSTALLED = all(find_spec(name) is not None for name in ("mkdocs", "material", "mkdocstrings"))
TAGS = "script|link|img|iframe|source|object|video|audio"
FETCHED = re.compile(rf"<(?:{TAGS})\b[^>]*?\b(?:src|href|data)=[\"']?((?:https?:)?//[^\"' >]+)")
FROM_STYLES = re.compile(r"(?:@import\s+[\"']?|url\([\"']?)((?:https?:)?//[^\"')]+)")


def test_every_page_stands_in_the_navigation_once() -> None:
    named = re.findall(r"^      - .+: (\S+\.md)$", SETTINGS.partition("\nnav:\n")[2], re.MULTILINE)
    assert sorted(named) == sorted([*(path.name for path in SPEC.glob("*.md")), "decisions/README.md"])


def test_no_font_is_fetched_and_no_repository_asked() -> None:
    """Material asks Google for fonts, and GitHub for stars of a repository, unless the settings say otherwise."""
    assert re.search(r"^  font: false$", SETTINGS, re.MULTILINE)
    assert "repo_url" not in SETTINGS


@pytest.mark.skipif(not INSTALLED, reason="the extra `docs` is not installed")
def test_the_site_is_built_without_a_warning_and_asks_nobody(tmp_path: Path) -> None:
    run = subprocess.run([sys.executable, "-m", "mkdocs", "build", "--strict", "-f", str(SPEC / "site" / "mkdocs.yml"),
                          "-d", str(tmp_path / "site")], capture_output=True, text=True, check=False, cwd=ROOT)
    assert run.returncode == 0, run.stderr
    site = tmp_path / "site"
    pages = [*site.rglob("*.html")]
    assert len(pages) >= len([*SPEC.glob("*.md")])
    asked = {link for page in pages for link in FETCHED.findall(page.read_text("utf-8"))}
    asked |= {link for style in site.rglob("*.css") for link in FROM_STYLES.findall(style.read_text("utf-8"))}
    assert asked == set()


def test_what_is_asked_of_others_is_seen() -> None:
    assert FETCHED.findall('<script async src="https://a.example/x.js"></script><img src=here.png>') == [
        "https://a.example/x.js"]
    assert FROM_STYLES.findall("a{background:url(//b.example/y.woff)} b{background:url(here.png)}") == [
        "//b.example/y.woff"]
