"""Rules that mean far more than they say: refused with a code, or played, in little time and memory."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.attack.bounded import run
from tests.sample_sizes import in_turn

RULES = 3
RACE = """\
game "Race" for 2 players ana and ben

counters
  steps of player: 0..9

play
  turns from ana, to the left
    turn player must step

action step
  raise steps of me by 1
  if steps of me = 9: me wins
"""
STONES = """\
game "Stones" for 2 players ash and birch

kind Stone of player

board square: columns a..c, rows 1..3

components
  5 Stone of each player in heap of owner

zones
  heap of player: bag of Stone, open
  field: slots of Stone on square, open

play
  turns from ash, to the left
    turn player must put

action put(cell: square)
  needs "the cell is free": field at cell is empty
  move Stone of me from heap of me to field at cell
  if field is full: nobody wins
"""


def changed(base: str, *changes: tuple[str, str], add: str = "") -> str:
    for old, new in changes:
        assert old in base
        base = base.replace(old, new, 1)
    return base + add


def many(number: int, text: str) -> str:
    """The text so often, `@` standing for a number from 0 and `+` for the one after it."""
    return "".join(text.replace("@", str(i)).replace("+", str(i + 1)) for i in range(number))


PLAY = "  turns from"
STEP = "  if steps of me"
TEST = "steps of me = 9"
COUNTER = "  steps of player"
SQUARE = "columns a..c, rows 1..3"

REFUSED: dict[str, tuple[str, str]] = {
    # definitions, procedures, triggers that grow with every step
    "definitions that double": (
        changed(RACE, (TEST, "d0 of me"), add=many(18, "\ndefine d@ of player p = d+ of p or d+ of p\n")
                + "\ndefine d18 of player p = steps of p = 9\n"), "DF02"),
    "a chain of definitions": (
        changed(RACE, (TEST, "d0 of me = 9"), add=many(500, "\ndefine d@ of player p = d+ of p\n")
                + "\ndefine d500 of player p = steps of p\n"), "DF02"),
    "a circle of definitions": (
        changed(RACE, add=many(500, "\ndefine d@ of player p = d+ of p\n") + "\ndefine d500 of player p = d0 of p\n"),
        "DF02|NM06"),
    "a definition used 5,000 times": (
        changed(RACE, add="\ndefine d of player p = " + "steps of p, ".replace(", ", " - ") * 9 + "1\n"
                + many(5_000, "\nalways a@: d of ana < 9\n")), "DF02"),
    "cases within cases": (
        changed(RACE, (TEST, "d0 of me = 9"), add="".join(
            f"\ndefine d{i} of player p\n" + many(40, "  when steps of p = @: 1\n") + f"  otherwise: d{i + 1} of p\n"
            for i in range(10)) + "\ndefine d10 of player p = 1\n"), "DF03"),
    "procedures that double": (
        changed(RACE, (PLAY, "  carry out p0\n" + PLAY),
                add=many(25, "\nprocedure p@\n  carry out p+\n  carry out p+\n")
                + "\nprocedure p25\n  ana must step\n"), "FL04"),
    "procedures that double in a loop": (
        changed(RACE, (PLAY, "  repeat until yes\n    carry out p0\n" + PLAY),
                add=many(25, "\nprocedure p@\n  carry out p+\n  carry out p+\n") + "\nprocedure p25\n  nothing\n"),
        "FL04"),
    "a chain of procedures": (
        changed(RACE, (PLAY, "  carry out p0\n" + PLAY), add=many(2_000, "\nprocedure p@\n  carry out p+\n")
                + "\nprocedure p2000\n  nothing\n"), "FL04"),
    "a circle of procedures": (
        changed(RACE, (PLAY, "  carry out p0\n" + PLAY), add=many(2_000, "\nprocedure p@\n  carry out p+\n")
                + "\nprocedure p2000\n  carry out p0\n"), "FL02"),
    "deep blocks in deep procedures": (
        changed(RACE, (PLAY, "  carry out p0\n" + PLAY), add="".join(
            f"\nprocedure p{i}\n" + "".join("  " * (k + 1) + "if steps of ana < 9\n" for k in range(25))
            + "  " * 26 + f"carry out p{i + 1}\n" for i in range(20)) + "\nprocedure p20\n  nothing\n"), "FL04"),
    "a trigger for every mood": (changed(RACE, add=many(500, "\nwhen steps of ana = 3: nothing\n")), "TR02"),
    "triggers behind thousands of statements": (
        changed(RACE, (STEP, "  raise steps of me by 1\n" * 8_000 + STEP),
                add=many(40, "\nwhen steps of ana = 3: nothing\n")), "TR02"),
    "triggers within triggers": (
        changed(RACE, (COUNTER, many(41, "  a@: 0..9\n") + COUNTER), (STEP, "  raise a0 by 1\n" + STEP),
                add=many(40, "\nwhen a@ = 1\n" + "".join("  " * (k + 1) + "if a0 = 1\n" for k in range(30))
                         + "  " * 31 + "raise a+ by 1\n")), "TR02"),
    "500 ends": (changed(RACE, add=many(500, "\nend as soon as steps of ana = 3: ana wins\n")), "EN01"),
    "an end behind thousands of statements": (
        changed(RACE, (STEP, "  raise steps of me by 1\n" * 8_000 + STEP),
                add="\nend as soon as " + " or ".join(["steps of ana = 3"] * 60) + ": ana wins\n"), "FL04|TR02"),
    # things, by the thousand
    "a key of a billion": (changed(RACE, (COUNTER, "  c of 0..999999999: 0..9\n" + COUNTER)), "KY01"),
    "twenty players for a key": (
        changed(RACE, (COUNTER, "  c of player" + " and player" * 19 + ": 0..9\n" + COUNTER)), "KY01"),
    "2,000 counters for 1,000 keys": (
        changed(RACE, (COUNTER, many(2_000, "  c@ of 0..999: 0..9 starts it - it\n") + COUNTER)), "KY01"),
    "a table of a billion rows": (changed(RACE, add="\ntable t of 0..999999999: 0..9\n  0 | 1\n"), "KY01"),
    "a table of seven keys": (
        changed(RACE, add="\ntable t of 0..9" + " and 0..9" * 6 + ": 0..9\n  " + "0 | " * 7 + "1\n"), "KY01"),
    "slots for a billion": (changed(STONES, ("on square", "on 1..999999999")), "KY01"),
    "1,000 large boards": (
        changed(STONES, ("board square", many(1_000, "board b@: columns 1..32, rows 1..32\n\n") + "board square")),
        "BD02"),
    "long rows everywhere": (
        changed(STONES, (SQUARE, "columns 1..32, rows 1..32"), ("  if field is full: nobody wins\n", many(
            32, "  if every x@ in square: field has + Stone of me in a row: me wins\n"))), "BD10"),
    "5,001 kinds": (changed(STONES, ("kind Stone of", many(5_001, "kind K@\n") + "\nkind Stone of")), "CP04"),
    "a kind of 20,000": (
        changed(STONES, ("kind Stone of", "kind Card is a0" + many(20_000, ",\n  b@") + "\n\nkind Stone of")), "CP04"),
    "forty million components": (
        changed(STONES, ("kind Stone of", "kind Card is 1..4000\n\nkind Stone of"),
                ("components\n", "components\n  9999 of each Card in pack\n"),
                ("zones\n", "zones\n  pack: bag of Card, open\n")), "CP04"),
    "a number of 11 digits": (changed(STONES, ("  5 Stone", "  99999999999 Stone")), "CP04"),
    "5,000 options": (changed(RACE, ("counters", many(5_000, "option o@: a or b\n") + "\ncounters")), "OP01"),
    "5,000 names in one block": (changed(RACE, (STEP, many(5_000, "  let x@ = steps of me\n") + STEP)), "NM10"),
    "5,000 unknown names among 5,000 known": (
        changed(RACE, (COUNTER, many(5_000, "  abcdefghij@: 0..9\n") + COUNTER),
                (STEP, many(5_000, "  raise abcdefghijx@ by 1\n") + STEP)), "NM01"),
    "5,000 arguments": (
        changed(RACE, ("action step", "action step(a: 0..9" + many(5_000, ",\n  x@: 0..9") + ")")), "PA01"),
    "300 durations": (
        changed(RACE, (STEP, many(300, "  raise steps of me by 1 until the end of the p@\n") + STEP),
                add=many(300, "\nprocedure p@\n  nothing\n")), "DU02"),
    "a die of a billion faces, 200 times": (
        changed(RACE, (PLAY, "  fate rolls 200 dice 1..999999999 as eyes\n" + PLAY)), "DI01"),
    # work without an end
    "a square of a square of a square": (
        changed(RACE, (STEP, "  let x0 = steps of me\n" + many(60, "  let x+ = x@ * x@\n") + STEP)), "TY16"),
    "a billion times": (changed(RACE, (STEP, "  for each n in 1..999999999: raise steps of me by 1\n" + STEP)), "BD10"),
    "thirty times through the board": (
        changed(STONES, ("field is full", many(30, "every x@ in square: ") + "field is full")), "BD10"),
    "the best of the best of the best": (
        changed(RACE, (
            TEST, "steps of (" + "the p in players with the most (steps of (" * 12 + "ana" + "))" * 12 + ") = 9")),
        "DF03"),
    "3,000 secret choices": (changed(
        RACE, (PLAY, "  simultaneously\n" + many(3_000, "    ana commits one of 1..3 as x@\n") + PLAY)), "CM05"),
}


@pytest.mark.parametrize("name", in_turn(REFUSED, "refused", 3, frozenset(REFUSED)))
def test_rules_that_are_refused(tmp_path: Path, name: str) -> None:
    text, code = REFUSED[name]
    (tmp_path / "toy.rules").write_text(text, encoding="utf-8")
    ending = run(tmp_path, "check", "toy.rules")
    assert ending.code == RULES, ending.text[:2000]

    assert re.search(rf"error\[({code})\]", ending.text), ending.text[:2000]


PLAYED: dict[str, str] = {
    "5,000 components": changed(
        STONES, ("kind Stone of", "kind Card is 1..4998\n\nkind Stone of"),
        ("components\n", "components\n  3 of each Card in pack\n"),
        ("zones\n", "zones\n  pack: pile of Card, face down\n  hand of player: bag of Card, seen by owner\n"),
        ("play\n", "setup\n  shuffle pack\n  for each p in players: deal 5 from pack to hand of p\n\nplay\n")),
    "a board as large as allowed": changed(STONES, (SQUARE, "columns 1..32, rows 1..32"), ("5 Stone", "512 Stone")),
    "32 rows, up to as long as allowed": changed(
        STONES, (SQUARE, "columns 1..32, rows 1..32"), ("5 Stone", "512 Stone"), (
            "  if field is full: nobody wins\n", many(31, "  if not field has + Stone of me in a row: nothing\n"))),
    "twelve players": changed(RACE, ("2 players ana and ben", "2..12 players"), (
        "turns from ana", "turns from first"), ("counters", "given first: player\n\ncounters")),
    "3,000 choices of one name": changed(
        RACE, ("    turn player must", "    turn player chooses one of 1..3 as x\n" * 3_000 + "    turn player must")),
    "5,000 counters": changed(RACE, (COUNTER, many(5_000, "  c@: 0..9\n") + COUNTER)),
    "5,000 zones": changed(STONES, ("zones\n", "zones\n" + many(5_000, "  z@: bag of Stone, open\n"))),
    "3,000 needs": changed(RACE, ("  raise", many(3_000, '  needs "n@": steps of me < 9\n') + "  raise")),
    "names of 1,900 letters": RACE.replace("steps", "s" * 1_900),
    "nested as deeply as allowed": changed(
        RACE, (STEP + " = 9: me wins\n", "".join("  " * (k + 1) + "if steps of me < 9\n" for k in range(30))
               + "  " * 31 + "if " + "not " * 34 + "steps of me = 8: me wins\n")),
    "as long a sum as allowed": changed(RACE, (TEST, TEST + " + 0" * 66)),
    "cases as many as allowed": changed(
        RACE, add="\nscore of player p\n" + many(49, "  when steps of p = @: @\n") + "  otherwise: 0\n"),
}


@pytest.mark.parametrize("name", in_turn(PLAYED, "played", 2, frozenset(PLAYED)))
def test_rules_that_are_large_and_sound(tmp_path: Path, name: str) -> None:
    (tmp_path / "toy.rules").write_text(PLAYED[name], encoding="utf-8")
    checked = run(tmp_path, "check", "toy.rules")
    assert checked.code == 0, checked.text[:2000]
    played = run(tmp_path, "play", "toy.rules", "--random", "1", "--seed", "1", "--max-events", "20", "--out", "logs")
    assert played.code in {0, 5}, played.text[:2000]
