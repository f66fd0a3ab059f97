"""The file of a page: nothing in it is read as anything but text, its policy fits what stands in it, it asks nobody."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis.strategies import text

from referee.page.html_file import SCRIPTS, embedded, html_of
from tests.page.drawn import document, parts

STATIC = Path(__file__).resolve().parents[2] / "referee" / "page" / "static"
HOSTILE = ("</script><img src=x onerror=alert(1)>", "<!--<script>", "\u202egnirts", "\u2028\u2029", "&lt;b&gt;", '"\'`',
           "__proto__", "\ud800", "\x00\x1b[31m")  # fmt: skip
PROOFS = {"schema": "referee/page/1", "kind": "proofs", "report": {"schema": "referee/proofs/1", "shapes": []}}


class Tags(HTMLParser):
    """The tags of a file, with their attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_text_stays_a_text(name: str) -> None:
    html = html_of({**PROOFS, "title": name})
    plain = html_of({**PROOFS, "title": "plain"})
    assert [tag for tag, _ in Tags(html).found] == [tag for tag, _ in Tags(plain).found]
    data, _, _ = parts(html)
    assert json.loads(data)["title"] == name
    assert data.isascii()
    assert not set("<>&\u2028\u2029") & set(data)
    html.encode("utf-8")


@settings(max_examples=25)
@given(text())
def test_whatever_is_embedded_comes_out_again(said: str) -> None:
    data = embedded({"title": said, said: [said]})
    assert json.loads(data) == {"title": said, said: [said]}
    assert not re.search("[<>&\u2028\u2029]", data)


def test_a_log_with_hostile_names_has_a_page(tmp_path: Path) -> None:
    head = {"schema": "referee/log/1", "ruleset": "pig", "players": [HOSTILE[0], HOSTILE[2]], "note": HOSTILE[1]}
    lines: list[dict[str, Any]] = [head, {"by": HOSTILE[0], "do": HOSTILE[0], "with": {HOSTILE[1]: HOSTILE[0]}}]
    page = document(tmp_path, lines, "pig")
    data, _, _ = parts(html_of(page))
    assert json.loads(data)["players"] == page["players"]


def test_the_policy_allows_the_style_and_the_script_that_stand_there_and_nothing_else() -> None:
    html = html_of({**PROOFS, "title": "x"})
    _, script, style = parts(html)
    (policy,) = [attrs["content"] for tag, attrs in Tags(html).found if attrs.get("http-equiv")]
    assert policy is not None
    rules = dict(part.split(" ", 1) for part in policy.split("; "))
    assert rules.pop("script-src") == f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
    assert rules.pop("style-src") == f"'sha256-{base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()}'"
    assert rules == {"default-src": "'none'", "base-uri": "'none'", "form-action": "'none'"}


def test_a_page_asks_nobody_and_makes_no_html_of_texts() -> None:
    files = {path.name: path.read_text("utf-8") for path in STATIC.iterdir()}
    assert set(files) == {"page.css", *(f"{name}.js" for name in SCRIPTS)}
    wrong = re.compile(r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|new Function|fetch\(|XMLHttp|"
                       r"import\(|url\(|@import|\.src\s*=|https?://(?!www\.w3\.org/2000/svg)|setTimeout\(\s*[\"'`]|srcdoc|"
                       r"\bon\w+\s*=\s*[\"']")
    assert {name: found for name, said in files.items() if (found := wrong.findall(said))} == {}
    html = html_of({**PROOFS, "title": "x"})
    assert not [attrs for _, attrs in Tags(html).found if {"src", "href", "srcset", "style"} & attrs.keys()]


def test_parts_of_the_page_are_of_a_size_to_be_read() -> None:
    for path in STATIC.iterdir():
        said = path.read_text("utf-8")
        assert len(said.splitlines()) <= 600, path.name
        assert path.suffix == ".css" or said.startswith("// "), path.name
