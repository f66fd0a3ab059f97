"""Pictures of rules: what may be one, what stands in a page, and where it is drawn."""

from __future__ import annotations

import base64
import os
import struct
import zlib
from pathlib import Path

import pytest

import referee
from referee.frontend.loading.loader import load_flow
from referee.page.html_file import html_of
from referee.page.pictures import pictures_of
from referee.system.picture_files import MOST_BYTES, picture_form
from tests.changed_text import changed
from tests.page.browsing import THERE, Visit, browser
from tests.page.drawn import ROOT, document
from tests.page.drawn_pictures import FOLDER, SHAPES, picture

RULES = ROOT / "tests" / "language" / "constructs" / "drawn.rules"
PNG = (RULES.parent / "data" / "dot.png").read_bytes()
JPEG = b"\xff\xd8\xff\xe0\x00\x04AB\xff\xc0\x00\x11\x08\x00\x20\x00\x10\x03" + bytes(12)
WEBP = {
    "lossy": b"RIFF\0\0\0\0WEBPVP8 " + bytes(4) + b"\0\0\0\x9d\x01\x2a" + struct.pack("<HH", 16, 32),
    "lossless": b"RIFF\0\0\0\0WEBPVP8L" + bytes(4) + b"\x2f" + struct.pack("<I", 15 | 31 << 14),
    "extended": b"RIFF\0\0\0\0WEBPVP8X" + bytes(8) + b"\x0f\0\0\x1f\0\0",
}


@pytest.mark.parametrize("data", [JPEG, *WEBP.values()], ids=["jpeg", *WEBP])
def test_how_large_a_picture_is_stands_in_its_content(data: bytes) -> None:
    form = picture_form(data)
    assert (form.width, form.height) == (16, 32)
    assert form.media == ("image/jpeg" if data is JPEG else "image/webp")


@pytest.mark.parametrize("data", [PNG, JPEG, *WEBP.values()], ids=["png", "jpeg", *WEBP])
def test_what_ends_too_early_or_is_spoiled_is_no_picture_or_has_a_size(data: bytes) -> None:
    for length in range(16):
        with pytest.raises(ValueError, match=r"it |by its content"):
            picture_form(data[:length])
    for at in range(len(data)):
        for byte in (0, 255):
            try:
                form = picture_form(data[:at] + bytes([byte]) + data[at + 1 :])
            except ValueError:
                continue
            assert 0 < form.width <= 4_096
            assert 0 < form.height <= 4_096


def rules(folder: Path, **files: str) -> Path:
    """The rules of the test with other files for some names."""
    text = RULES.read_text("utf-8")
    for name, said in files.items():
        name = f'"{name}"' if name == "HIGH" else name
        text = text.replace(f'picture of {name}: "data/dot.png"', f'picture of {name}: "{said}"')
    (folder / "data").mkdir(exist_ok=True)
    (folder / "data" / "dot.png").write_bytes(PNG)
    path = folder / "drawn.rules"
    path.write_text(text, encoding="utf-8")
    return path


def test_another_picture_is_no_other_version(tmp_path: Path) -> None:
    path = rules(tmp_path)
    before = referee.load(path).version
    (tmp_path / "data" / "dot.png").write_bytes(JPEG)
    assert referee.load(path).version == before
    path.write_text(changed(path.read_text("utf-8"), {'game "': 'game "More '}), encoding="utf-8")
    assert referee.load(path).version != before


def refused(path: Path) -> list[str]:
    with pytest.raises(referee.RulesError) as error:
        referee.load(path)
    assert {one.code for one in error.value.diagnostics} == {"TS03"}
    return [one.message for one in error.value.diagnostics]


def test_links_out_of_the_folder_pipes_and_folders_are_refused(tmp_path: Path) -> None:
    inside = tmp_path / "game"
    inside.mkdir()
    (tmp_path / "secret.png").write_bytes(PNG)
    (inside / "out.png").symlink_to(tmp_path / "secret.png")
    (inside / "round.png").symlink_to(inside / "round.png")
    os.mkfifo(inside / "pipe.png")
    assert refused(rules(inside, Stone="out.png")) == ["out.png leads out of the folder of the ruleset"]
    assert refused(rules(inside, Stone="pipe.png")) == ["pipe.png cannot be read: it is no regular file"]
    assert refused(rules(inside, Stone="data")) == ["data cannot be read: is a directory"]
    assert len(refused(rules(inside, Stone="round.png"))) == 1
    (inside / "in.png").symlink_to(inside / "data" / "dot.png")
    assert referee.load(rules(inside, Stone="in.png")).check()


def test_pictures_have_five_million_bytes_together(tmp_path: Path) -> None:
    for name, more in (("half", -len(PNG)), ("rest", 0), ("more", 9_000)):
        (tmp_path / f"{name}.png").write_bytes(PNG + bytes(MOST_BYTES // 2 - len(PNG) + more))
    fits = rules(tmp_path, Stone="half.png", LOW="rest.png")
    assert referee.load(fits).check()
    again = rules(tmp_path, Stone="half.png", HIGH="more.png")
    told = "with this one the pictures have more than 5,000,000 bytes"
    assert refused(again.rename(tmp_path / "other.rules")) == [told]


def page(folder: Path, rules: Path, viewer: str | None = None) -> dict[str, object]:
    game = referee.load(rules).new_game(["Ana", "Ben"], seed=3)
    game.play_out(6)
    return document(folder, game.log(), rules, viewer)


def test_a_page_holds_its_pictures_and_the_policy_for_them(tmp_path: Path) -> None:
    made = page(tmp_path, RULES)
    uri = f"data:image/png;base64,{base64.b64encode(PNG).decode()}"
    assert made["pictures"] == {"data/dot.png": uri}
    assert "img-src data:; " in html_of(made)
    plain = page(tmp_path, ROOT / "rulesets" / "classics" / "pig.rules")
    assert plain["pictures"] == {}
    assert "img-src" not in html_of(plain)


def test_what_is_not_seen_has_no_picture(tmp_path: Path) -> None:
    known = page(tmp_path, RULES, "Ana")
    pieces = known["pieces"]
    assert isinstance(pieces, list)
    assert any(one["picture"] for one in pieces)
    assert all(one["picture"] is None for one in pieces if one["name"] is None)


def test_a_picture_that_was_changed_since_is_left_out(tmp_path: Path) -> None:
    path = rules(tmp_path)
    core = load_flow(path).core
    assert list(pictures_of(core)) == ["data/dot.png"]
    (tmp_path / "data" / "dot.png").write_text("<svg/>")
    assert pictures_of(core) == {}
    assert len(refused(path)) == 4


def test_order_and_groups_stand_in_a_scene() -> None:
    scene = referee.load(RULES).new_game(["Ana", "Ben"], seed=3).scene("public")
    assert list(dict.fromkeys(one["name"] for one in scene["zones"])) == ["middle", "deck", "hand", "stones"]
    assert list(dict.fromkeys(one["name"] for one in scene["values"])) == ["points", "table_order"]
    groups = {one["name"]: one["group"] for one in (*scene["zones"], *scene["values"])}
    assert groups == {"middle": "In the middle", "table_order": "In the middle", "deck": None, "points": None,
                      "hand": "Before a player", "stones": "Before a player"}  # fmt: skip


def test_the_pictures_of_the_classics_are_those_that_the_script_draws() -> None:
    assert {one.stem for one in FOLDER.iterdir()} == set(SHAPES)
    kept, drawn = (FOLDER / "pawn.png").read_bytes(), picture(SHAPES["pawn"])
    assert [zlib.decompress(one[41:-16]) for one in (kept, drawn)] == [zlib.decompress(drawn[41:-16])] * 2


@pytest.mark.skipif(not THERE, reason="no Chromium, or no playwright (extra `pages`)")
def test_pictures_are_drawn_without_asking_anybody(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(html_of(page(tmp_path, RULES)), encoding="utf-8")
    with browser() as opened:
        visit = Visit(opened, file)
        shown = visit.page.evaluate("[...document.querySelectorAll('img.picture')].map((one) => one.naturalWidth)")
        assert len(shown) >= 4
        assert set(shown) == {4}
        groups = visit.page.locator(".player .group > .title").all_text_contents()
        assert groups == ["Before a player"] * 2
        assert not visit.troubles
