"""Rules with slots and a line, made at random of statements and conditions that read and change them in every way."""

from __future__ import annotations

from hypothesis import strategies as st

PLAYERS = ("first", "second")
STATEMENTS = (
    "move {stone} from heap to row",
    "move {stone} from row to heap",
    "move row at {place} to heap",
    "if number of row >= {place}: move row at {place} to heap",
    "if number of row >= {place} and shelf of me at {spot} is empty: move row at {place} to shelf of me at {spot}",
    "if number of row < 4 and {stone} is in heap: move {stone} from heap to row",
    "if number of row < 4 and {stone} is in heap: move {stone} from heap to row at 1",
    "if number of row < 4 and {stone} is in heap and number of row >= 2: move {stone} from heap to row at 3",
    "move 2 {stone} from row to heap",
    "if number of row < 3 and heap has at least 2 {stone}: move 2 {stone} from heap to row",
    "move (points of {who} - 2) {stone} from heap to row",
    "move all Stone in row to heap",
    "move all Stone in shelf of {who} to heap",
    "if shelf of {who} at {spot} is taken: move shelf of {who} at {spot} to heap",
    "if shelf of {who} at {spot} is taken and number of row < 4: move shelf of {who} at {spot} to row",
    "if {stone} is in shelf of {who}: move {stone} from shelf of {who} to heap",
    "if {stone} is in heap and shelf of {who} at {spot} is empty: move {stone} from heap to shelf of {who} at {spot}",
    "move {stone} from heap to shelf of {who} at {spot}",
    "swap shelf of me with shelf of {who}",
    "shuffle row into deck",
    "shuffle shelf of {who} into deck",
    "if not deck is empty and number of row < 4: deal 1 from deck to row at 1",
    "if not deck is empty and shelf of {who} at {spot} is empty: deal 1 from deck to shelf of {who} at {spot}",
    "for each s in row, as listed: raise points of {who} by weight of s, not above 9",
    "for each s in shelf of {who}, as listed: raise points of {who} by weight of s, not above 9",
    "for each s in shelf of {who} where weight of s > 1, as listed: move s from shelf of {who} to heap",
    "if {cond}: set flag to yes",
    "if {cond}: raise points of {who} by 1, not above 9",
    "set points of {who} to {number}",
)
CONDITIONS = (
    "row at {place} is {stone}",
    "shelf of {who} at {spot} is {stone}",
    "shelf of {who} at {spot} is taken",
    "{number} > {small}",
    "{number} = {other}",
    "row has {small} {stone}",
    "(some s in row where weight of s > {small})",
    "(every s in shelf of {who}: weight of s > {small})",
    "{stone} is in row",
    "{stone} is in shelf of {who}",
    "(some n in Spot where shelf of {who} at n is row at {place})",
    "(some s in row where s is in shelf of {who})",
    "row is empty",
    "shelf of {who} is full",
    "(row has 1 and (the Stone in row) is {stone})",
    "(shelf of {who} has 1 and (the Stone in shelf of {who}) is {stone})",
)
NUMBERS = (
    "number of row",
    "number of shelf of {who}",
    "number of {stone} in row",
    "number of {stone} in shelf of {who}",
    "(number of n in Spot where shelf of {who} at n is {stone})",
    "(number of s in row where weight of s > points of {who})",
    "(number of s in shelf of {who} where weight of s > points of {who})",
    "(if row is empty then 0 else highest of weight in row)",
    "(sum of weight in shelf of {who})",
)
RULES = """game "Spots" for 2 players first and second

type Spot is 1 < 2 < 3

kind Stone is RED, BLUE, GREEN

table weight of Stone: 1..3
  RED   | 1
  BLUE  | 2
  GREEN | 3

components
  {red} RED in heap
  2 BLUE in heap
  1 GREEN in heap

zones
  heap: bag of Stone, open
  row: line of Stone, open, at most 4, at every moment
  shelf of player: slots of Stone on Spot, open
  deck: pile of Stone, face down

counters
  points of player: 0..9
  flag: yes or no

play
  turns from first, to the left
    turn player must take one of {actions}, rest

{said}

action rest
  nothing

always on_shelf: every player p: points of p <= (number of n in Spot where shelf of p at n is RED)
always in_row: row is empty or row at 1 is RED or flag
always said: {claim}
always all_there: number of heap + number of row + number of deck + (sum of lying in players) = {total}

define lying of player p = number of shelf of p
"""


def _filled(draw: st.DrawFn, text: str, place: str, spot: str) -> str:
    """A template with its blanks filled in, those that come in with a blank too."""
    while "{" in text:
        text = text.format(
            place=place, spot=spot, stone=draw(st.sampled_from(("RED", "BLUE", "GREEN"))),
            who=draw(st.sampled_from(("me", "opponent"))), small=draw(st.integers(0, 2)),
            cond=draw(st.sampled_from(CONDITIONS)), number=draw(st.sampled_from(NUMBERS)),
            other=draw(st.sampled_from(NUMBERS)),
        )
    return text


@st.composite
def rules(draw: st.DrawFn) -> str:
    """A whole ruleset: two actions of up to three statements each, and a claim."""
    actions = []
    for name in ("act", "do"):
        body = [
            _filled(draw, draw(st.sampled_from(STATEMENTS)), "place", "spot") for _ in range(draw(st.integers(1, 3)))
        ]
        head = f"action {name}(place: 1..4, spot: Spot)"
        actions.append("\n".join([head, *(f"  {line}" for line in body)]))
    claim = _filled(draw, draw(st.sampled_from(CONDITIONS)), "1", "2").replace("opponent", "second")
    red = draw(st.integers(1, 2))
    return RULES.format(
        red=red, total=red + 3, actions=draw(st.sampled_from(("act", "act, do"))), said="\n\n".join(actions),
        claim=claim.replace("of me", "of first"),
    )
