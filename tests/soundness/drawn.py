"""Small rules made at random: every kind of statement, counters, zones of every form, and claims."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from random import Random

PLAYERS = ("first", "second")
CLAIMS = 48
"""So many are made of each ruleset, of which some are asked."""
STONES = ("RED", "BLUE", "GREEN")
ZONES = {
    "kept": "kept_by of player: bag of Stone, open",
    "row": "row: line of Stone, open, at most 4, at every moment",
    "shelf": "shelf of player: slots of Stone on Spot, open",
    "deck": "deck: pile of Stone, face down",
    "gone": "gone: bag of Stone, open",
}
"""What besides the heap may be there."""
PLACES = {"kept": "kept_by of {who}", "row": "row", "shelf": "shelf of {who}", "deck": "deck", "gone": "gone"}

STATEMENTS: tuple[tuple[str, str], ...] = (
    ("", "raise points of {who} by {small}, not above 4"), ("", "if points of {who} > 0: lower points of {who} by 1"),
    ("", "set level to {small}"), ("", "if level < 3: raise level by 1"), ("", "set flag to {truth}"),
    ("", "if {cond}: set flag to {truth}"), ("", "if {cond}: raise points of {who} by 1, not above 4"),
    ("", "set points of {who} to {number}"), ("", "set chosen to {who}"), ("", "if {cond}: set chosen to none"),
    ("", "set worn of {stone} to {truth}"), ("", "if {cond}: set worn of {stone} to yes"),
    ("", "for each p in players, in order from me: raise points of p by {small}, not above 4"),
    ("", "repeat until level >= 2, at most 4 times: raise level by 1"),
    ("", "repeat until level = {small}, at most 3 times: raise level by 1, not above 3"),
    ("", "carry out count({who})"), ("", "if {cond}: me wins"), ("", "if points of me = 4: nobody wins"),
    ("", "fate rolls 1..2 as eyes_{nth}\n  if eyes_{nth} = 1: set flag to {truth}"),
    ("", "fate chooses 1 Stone in heap as up_{nth}\n  if up_{nth} is {stone}: set worn of up_{nth} to yes"),
    ("", "me chooses one of 1..2 as stake_{nth}\n  set level to stake_{nth}"),
    ("", "opponent chooses 1 Stone in heap as named_{nth}\n  set worn of named_{nth} to yes"),
    ("", "together\n    set level to points of me\n    set points of me to level"),
    ("", "if {cond}\n    set flag to {truth}\n    {simple}\n  else\n    {simple}"),
    ("kept", "if {stone} is in heap: move {stone} from heap to kept_by of {who}"),
    ("kept", "if {stone} is in kept_by of {who}: move {stone} from kept_by of {who} to heap"),
    ("kept", "move all Stone in kept_by of {who} to heap"),
    ("kept", "move (points of {who}) {stone} from heap to kept_by of me"),
    ("kept", "for each s in kept_by of {who}, as listed: raise points of {who} by weight of s, not above 4"),
    ("kept", "me chooses 1 Stone in heap as taken_{nth}\n  move taken_{nth} from heap to kept_by of me"),
    ("kept", "fate chooses 1 Stone in heap as given_{nth}\n  move given_{nth} from heap to kept_by of {who}"),
    ("kept gone", "for each s in kept_by of me where weight of s > 1, as listed: move s from kept_by of me to gone"),
    ("gone", "if {stone} is in heap: move {stone} from heap to gone"),
    ("gone", "if gone has at least 2: move all Stone in gone to heap"),
    ("row", "if number of row < 4 and {stone} is in heap: move {stone} from heap to row"),
    ("row", "if number of row < 4 and {stone} is in heap: move {stone} from heap to row at 1"),
    ("row", "if {stone} is in row: move {stone} from row to heap"), ("row", "move all Stone in row to heap"),
    ("row", "if number of row >= 2: move row at 2 to heap"), ("row", "move 2 {stone} from row to heap"),
    ("row", "for each s in row, as listed: raise points of {who} by weight of s, not above 4"),
    ("row kept", "if number of row >= 1: move row at 1 to kept_by of {who}"),
    ("row shelf", "if number of row >= 1 and shelf of me at 2 is empty: move row at 1 to shelf of me at 2"),
    ("shelf", "if {stone} is in heap and shelf of {who} at {spot} is empty: "
              "move {stone} from heap to shelf of {who} at {spot}"),
    ("shelf", "if shelf of {who} at {spot} is taken: move shelf of {who} at {spot} to heap"),
    ("shelf", "move all Stone in shelf of {who} to heap"), ("shelf", "move {stone} from heap to shelf of {who} at 1"),
    ("deck", "shuffle heap into deck"), ("deck row", "shuffle row into deck"),
    ("deck kept", "shuffle kept_by of me into deck"),
    ("deck row", "if not deck is empty and number of row < 4: deal 1 from deck to row"),
    ("deck kept", "if not deck is empty: deal 1 from deck to kept_by of {who}"),
    ("deck gone", "if not deck is empty: deal 1 from deck to gone"),
    ("deck", "if {stone} is in heap: move {stone} from heap to the top of deck"),
    ("kept", "swap kept_by of me with kept_by of {who}"), ("gone", "if {cond}: swap heap with gone"),
    ("kept gone", "swap gone with kept_by of {who}"), ("shelf", "swap shelf of first with shelf of second"),
    ("kept", "together\n    swap kept_by of me with kept_by of opponent\n    set level to points of me"),
)
SIMPLE = ("set level to {small}", "set flag to {truth}", "raise points of {who} by 1, not above 4",
          "set worn of {stone} to {truth}")
CONDITIONS: tuple[tuple[str, str], ...] = (
    ("", "flag"), ("", "not flag"), ("", "level = {small}"), ("", "level < {small}"), ("", "points of {who} > {small}"),
    ("", "{number} > {small}"), ("", "{number} = {other}"), ("", "{number} <= {other}"), ("", "worn of {stone}"),
    ("", "heap is empty"), ("", "{stone} is in heap"), ("", "chosen is {who}"), ("", "chosen is none"),
    ("", "heap has at least {small}"), ("", "(some s in Stone where worn of s)"),
    ("", "(every s in heap: weight of s > {small})"), ("", "(every p in players: points of p < 4)"),
    ("kept", "{stone} is in kept_by of {who}"), ("kept", "kept_by of {who} has at least 2"),
    ("kept", "(some s in kept_by of {who} where weight of s > {small})"),
    ("kept", "(kept_by of {who} has 1 and (the Stone in kept_by of {who}) is {stone})"),
    ("row", "row at 1 is {stone}"), ("row", "{stone} is in row"), ("row", "row is empty"),
    ("row", "row has {small} {stone}"),
    ("row", "(every s in row: weight of s > {small})"), ("shelf", "shelf of {who} at {spot} is {stone}"),
    ("shelf", "shelf of {who} at {spot} is taken"), ("shelf", "(some n in Spot where shelf of {who} at n is {stone})"),
    ("row shelf", "(some s in row where s is in shelf of {who})"), ("deck", "deck is empty"),
    ("gone", "{stone} is in gone"),
)
NUMBERS: tuple[tuple[str, str], ...] = (
    ("", "number of heap"), ("", "number of {stone} in heap"), ("", "level"), ("", "points of {who}"),
    ("", "(number of s in Stone where worn of s)"), ("kept", "number of kept_by of {who}"),
    ("kept", "number of {stone} in kept_by of {who}"), ("row", "number of row"), ("row", "number of {stone} in row"),
    ("row", "(if row is empty then 0 else highest of weight in row)"), ("shelf", "number of shelf of {who}"),
    ("shelf", "(number of n in Spot where shelf of {who} at n is {stone})"), ("deck", "number of deck"),
    ("gone", "number of gone"), ("gone", "number of {stone} in gone"),
)
RULES = """game "Drawn" for 2 players first and second

type Spot is 1 < 2

kind Stone is RED, BLUE, GREEN

table weight of Stone: 1..3
  RED   | 1
  BLUE  | 2
  GREEN | 3

components
{components}

zones
  heap: bag of Stone, open
{zones}

counters
  points of player: 0..4
  level: 0..3
  flag: yes or no
  chosen: player or none
  worn of Stone: yes or no

play
{opening}  turns from first, to the left
    turn player must take one of {offered}

{actions}

action rest
  nothing

procedure count(p: player)
  if points of p < 3: raise points of p by 1

{defined}

"""


@dataclass(frozen=True)
class Drawn:
    """A ruleset without claims, and claims that can be made about it, by name."""

    text: str
    claims: Mapping[str, str]

    def asking(self, names: Iterable[str]) -> str:
        """The ruleset with some of the claims."""
        return self.text + "".join(f"always {name}: {self.claims[name]}\n" for name in names)


class Drawing:
    """One ruleset on the way. `there`: the zones besides the heap."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.there = frozenset(random.sample(sorted(ZONES), random.choice((1, 2, 2, 3))))

    def of(self, some: tuple[tuple[str, str], ...]) -> str:
        """One of some texts, of those that need no zone but those there are."""
        return self.random.choice([text for needs, text in some if self.there.issuperset(needs.split())])

    def filled(self, text: str, who: tuple[str, ...]) -> str:
        """A text with its blanks filled in, those that come in with a blank too."""
        while "{" in text:
            start, rest = text.split("{", 1)
            name, rest = rest.split("}", 1)
            text = f"{start}{self._filling(name, who)}{rest}"
        return text

    def _filling(self, name: str, who: tuple[str, ...]) -> str:
        match name:
            case "who":
                return self.random.choice(who)
            case "stone":
                return self.random.choice(STONES)
            case "small":
                return str(self.random.randint(0, 2))
            case "spot":
                return str(self.random.randint(1, 2))
            case "truth":
                return self.random.choice(("yes", "no"))
            case "cond":
                return self.of(CONDITIONS)
            case "simple":
                return self.random.choice(SIMPLE)
            case _:
                return self.of(NUMBERS)

    def action(self, name: str) -> str:
        """An action of one to three statements, maybe with a guard."""
        head = [f"action {name}"]
        if self.random.random() < 0.4:
            head.append('  needs "may": {cond}')
        body = [f"  {self.of(STATEMENTS)}".replace("{nth}", str(nth)) for nth in range(self.random.randint(1, 3))]
        return "\n".join(self.filled(line, ("me", "opponent")) for line in (*head, *body))

    def opening(self) -> str:
        """What comes before the turns: maybe a secret choice of both."""
        if self.random.random() < 0.7:
            return ""
        return ("  simultaneously\n    each player commits 1 Stone in heap as bet\n"
                f"  if bet of first is {self.random.choice(STONES)}: raise points of second by 1\n"
                "  if bet of first is bet of second: set flag to yes\n")

    def claim(self) -> str:
        """A claim about the position: a bound, a condition, one that follows from another, or for each player."""
        match self.random.randrange(6):
            case 0:
                text = "{number} <= " + str(self.random.randint(1, 4))
            case 1:
                text = "not {cond}" if self.random.random() < 0.5 else "{cond}"
            case 2 | 3:
                text = "not ({cond}) or {cond}"
            case 4:
                text = "every player p: {number} <= " + str(self.random.randint(1, 4))
                return self.filled(text, ("p",))
            case _:
                text = "{number} + {other} <= " + str(self.random.randint(2, 5))
        return self.filled(text, PLAYERS)

    def drawn(self) -> Drawn:
        """The whole ruleset."""
        numbers = (self.random.randint(1, 2), 1, self.random.randint(0, 1))
        total = sum(numbers)
        names = ["act", *(["do"] if self.random.random() < 0.7 else [])]
        all_there = " + ".join(
            f"(sum of {zone}s in players)" if zone in ("kept", "shelf") else f"number of {zone}"
            for zone in ("heap", *sorted(self.there)))
        defined = [f"define {zone}s of player p = number of {PLACES[zone].format(who='p')}"
                   for zone in ("kept", "shelf") if zone in self.there]
        said = dict.fromkeys([f"{all_there} = {total}", *(self.claim() for _ in range(CLAIMS - 1))])
        claims = {f"claim_{number}": claim for number, claim in enumerate(said)}
        text = RULES.format(
            components="\n".join(f"  {n} {stone} in heap" for n, stone in zip(numbers, STONES, strict=True) if n),
            zones="\n".join(f"  {ZONES[zone]}" for zone in sorted(self.there)), opening=self.opening(),
            offered=", ".join([*names, "rest"]), actions="\n\n".join(self.action(name) for name in names),
            defined="\n".join(defined))
        return Drawn(text, claims)


def rules(seed: int) -> Drawn:
    """The ruleset of a seed."""
    return Drawing(Random(seed)).drawn()
