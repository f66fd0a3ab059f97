"""How rulebooks put it, and how it is written here: a table of phrases, each with the words that could stand instead.

Whether these words mend the line is for others to try (`remedies`); so a phrase may be described loosely here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from referee.syntax.scanner import pieces

_NUMBERS = {
    "a": "1", "an": "1", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
    "eight": "8", "nine": "9", "ten": "10",
}
_START = r"(?:^ *|[:;] *)"
_END = r"(?= *(?:;|$))"
_N = r"(?P<n>\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|[a-z_]\w*|\([^()]*\))"
_VERB = r"(?:draw|deal|gain|lose|score|get|earn|receive)"
_WHO = rf"(?:the +)?(?P<who>(?:turn|each|every) +player|(?!{_VERB})[a-z_]\w*(?: +of +\w+)?)"
_CALLED = {"": "me", "you": "me", "player": "turn player"}
_MOST = r"(?P<which>most|highest|fewest|lowest|least)"
_QUOTES = str.maketrans(dict.fromkeys("“”„‟«»", '"'))
_PLACEHOLDER = "~"
_LONGEST_LINE = 300
"""In lines of more letters no phrase is looked for: nobody writes such a sentence, and looking would take too long."""


@dataclass(frozen=True, slots=True)
class Rewriting:
    """A stretch of a line (from 0, end exclusive), and the whole line with other words in its place."""

    start: int
    end: int
    line: str
    hint: str


@dataclass(frozen=True, slots=True)
class _Found:
    """A phrase in a line: `part` gives the words of a group, "" if there are none."""

    match: re.Match[str]
    line: str

    def part(self, name: str) -> str:
        start, end = self.match.span(name) if name in self.match.re.groupindex else (0, 0)
        return self.line[start:end].strip() if start >= 0 else ""

    def number(self, name: str = "n") -> str:
        return _NUMBERS.get(self.part(name), self.part(name))

    def someone(self) -> str:
        """Who does it; who acts, if nobody is named."""
        return _CALLED.get(self.part("who"), self.part("who"))


def _for_all(who: str, said: Callable[[str], str]) -> str:
    """What somebody does; what each player does, one after the other."""
    everybody = who.split()[0] in ("each", "every", "all")
    return f"for each p in players: {said('p')}" if everybody else said(who)


def _changed(found: _Found) -> str:
    verb = "lower" if found.part("verb").startswith(("lose", "subtract", "deduct", "decrease", "reduce")) else "raise"
    return f"{verb} {found.part('what')} by {found.number()}"


def _gained(found: _Found) -> str:
    noun = found.part("what")
    several = noun if noun.endswith("s") else f"{noun}s"
    verb = "lower" if found.part("verb").startswith("lose") else "raise"
    return _for_all(found.someone(), lambda who: f"{verb} {several} of {who} by {found.number()}")


def _drawn(found: _Found) -> str:
    pile = found.part("pile") or "deck"
    return _for_all(found.someone(), lambda who: (
        f"{who} draws {found.number()} from {pile} to {found.part('goal') or f'hand of {who}'}"))


def _dealt(found: _Found) -> str:
    pile = found.part("pile") or "deck"
    return _for_all(found.someone(), lambda who: f"deal {found.number()} from {pile} to hand of {who}")


def _one_of(found: _Found) -> str:
    named = re.split(r" *, *or +| *, *| +or +", found.part("list"))
    return f"{found.part('verb')} take one of {', '.join(named)}"


def _best(found: _Found) -> str:
    which = "fewest" if found.part("which") == "least" else found.part("which")
    return f"the p in players with the {which} {found.part('what')} wins"


def _has_none(found: _Found) -> str:
    noun = found.part("noun")
    said = "hand of p is empty" if noun.lower() in ("card", "cards") else (
        f"hand of p has no {noun}" if noun[0].isupper() else f"{noun} of p = 0")
    return f"some player p where {said}"


def _has_many(found: _Found) -> str:
    return f"some player p where {found.part('noun')} of p >= {found.number()}"


def _numbered(found: _Found) -> str:
    upper = found.number("hi")
    return f"for {found.number()}{f'..{upper}' if upper else ''} players"


@dataclass(frozen=True, slots=True)
class _Phrase:
    """A phrase, what is written instead, and what more there is to say. `shown`: the hint, if it is another one."""

    said: re.Pattern[str]
    ours: Callable[[_Found], str]
    more: str = ""
    shown: str = ""


def _phrase(said: str, ours: Callable[[_Found], str], more: str = "", shown: str = "") -> _Phrase:
    return _Phrase(re.compile(said), ours, more, shown)


_COUNTED = ", with the name of the counter"
_TIES = "; before `wins`, `, ties: all` says who wins if they are level"
_FREE_PILES = ", with the names of the pile and the hand"
_ARGUMENT = "which one is an argument of the action, as in `action lay(card: Card in my hand)`"

_PHRASES = (
    _phrase(rf"{_START}(?P<said>(?P<verb>add) +{_N} +to +(?P<what>[^:;]+?)){_END}", _changed),
    _phrase(rf"{_START}(?P<said>(?P<verb>subtract|deduct) +{_N} +from +(?P<what>[^:;]+?)){_END}", _changed),
    _phrase(rf"{_START}(?P<said>(?P<verb>decrease|reduce) +(?P<what>[^:;]+?) +by +{_N}){_END}", _changed),
    _phrase(rf"{_START}(?P<said>(?:{_WHO} +)?(?P<verb>(?:gain|lose|score|get|earn|receive)s?) +{_N} +(?!cards?\b)"
            rf"(?P<what>[a-z_]\w*)){_END}", _gained, _COUNTED),
    _phrase(rf"{_START}(?P<said>(?:{_WHO} +)?(?:draw|take)s? +{_N}(?: +cards?)?(?: +from +(?:the +)?(?P<pile>\w+))?"
            rf"(?: +to +(?P<goal>[^:;]+?))?){_END}", _drawn, _FREE_PILES),
    _phrase(rf"{_START}(?P<said>(?:deal|give)s? +{_N}(?: +cards?)?(?: +from +(?:the +)?(?P<pile>\w+))? +to +"
            rf"(?P<who>(?:each|every|all) +players?|[a-z_]\w*)){_END}", _dealt, _FREE_PILES),
    _phrase(rf"{_START}(?P<said>(?:deal|give)s? +(?P<who>(?:each|every) +player) +{_N} +cards?){_END}", _dealt,
            _FREE_PILES),
    _phrase(rf"{_START}(?P<said>(?P<who>(?:each|every) +player) +(?:gets|receives|is +dealt) +{_N} +cards?){_END}",
            _dealt, _FREE_PILES),
    _phrase(r"(?P<said>\b(?P<verb>must|may) +(?:either +)?(?P<list>[a-z_]\w*(?:(?: *, *or| *,| +or) +[a-z_]\w*)+))",
            _one_of),
    _phrase(r"(?P<said>\b(?P<verb>must|may) +(?P<what>[a-z_]\w*) +(?:an?|one) +\w+)",
            lambda found: f"{found.part('verb')} {found.part('what')}", f"; {_ARGUMENT}"),
    _phrase(rf"(?P<said>(?:the +)?player +with +(?:the +)?{_MOST} +(?P<what>[\w ]+?) +wins?\b)", _best, _TIES),
    _phrase(rf"(?P<said>(?:whoever|(?:the +)?(?:player|one) +who) +has +(?:the +)?{_MOST} +(?P<what>[\w ]+?) +wins?\b)",
            _best, _TIES),
    _phrase(rf"{_START}(?P<said>(?:the +)?{_MOST} +(?P<what>[\w ]+?) +wins?){_END}", _best, _TIES),
    _phrase(r"\b(?P<said>(?:an?|any) +player +(?:has|holds) +no +(?P<noun>[A-Za-z_]\w*)(?: +left)?"
            r"(?: +in +(?:his|her|their|the) +hand)?)\b", _has_none),
    _phrase(rf"\b(?P<said>(?:an?|any) +player +has +(?:at +least +)?{_N} +(?P<noun>[a-z_]\w*))\b", _has_many),
    _phrase(rf'needs +"~*"[^:]*: *(?P<said>if +(?P<given>[^:;]+?)(?: +then|[,:]) +(?P<what>(?:(?! else ).)+?)){_END}',
            lambda found: f"{found.part('what')}, when {found.part('given')}"),
    _phrase(rf'needs +"~*"[^:]*: *(?P<said>(?!if )(?P<what>[^:;]+?) *,? +if +(?P<given>(?:(?! then ).)+?)){_END}',
            lambda found: f"{found.part('what')}, when {found.part('given')}"),
    _phrase(rf"{_START}(?P<said>(?:the +)?next +player){_END}", lambda found: "left of turn player has the next turn",
            shown="`turns from PLAYER, to the left` passes the turn on by itself; `PLAYER has the next turn` gives it "
                  "to another one, and `left of p` is who comes after p"),
    _phrase(r"\b(?P<said>(?:the +)?next +player)\b", lambda found: "left of turn player"),
    _phrase(rf"\b(?P<said>for +{_N}(?: *(?:to|[-\u2013]) *(?P<hi>\w+))? +players)\b", _numbered),
    _phrase(r"(?<!the )\b(?P<said>(?P<end>top|bottom) +card +of)\b", lambda found: f"the {found.part('end')} card of"),
    _phrase(r"\b(?P<said>(?:the +)?(?P<end>top|bottom) +card +of +(?P<what>[a-z_]\w*(?: +of +\w+)?))\b",
            lambda found: f"(the {found.part('end')} card of {found.part('what')})"),
    _phrase(rf"{_START}(?P<said>(?:{_WHO} +)?(?:discard|lay|play)s? +(?:an?|one) +card){_END}",
            lambda found: "move card to pile", shown=f"write `move card to PILE`; {_ARGUMENT}"),
    _phrase(rf"{_START}(?P<said>turn +up +(?:(?:the +)?top +card +of|a +card +from) +(?:the +)?(?P<pile>\w+)){_END}",
            lambda found: f"deal 1 from {found.part('pile')} to pile",
            shown="write `deal 1 from PILE to ZONE`, with an open zone: what lies there everybody sees"),
    _phrase(r"^(?P<said>(?:the +game +)?ends? +(?:when|if|once|as +soon +as))\b", lambda found: "end as soon as"),
    _phrase(r"\b(?P<said>wins? +the +game)\b", lambda found: "wins"),
    _phrase(r"^ *(?:else +)?if +[^:;]+?(?P<said>,)(?= +\w)", lambda found: ":"),
    _phrase(r"^ *(?:else +)?if +[^:;]+?(?P<said>: *if)(?= +[^:;]+:)", lambda found: " and",
            shown="write `if A and B: ...`, or the second `if` in the block below the first"),
    _phrase(r"^ *(?:for +each|rounds)\b[^:;]+?(?P<said>: *if +[^:;]+:)", lambda found: ":",
            shown="behind the colon stands what is done each time: write the `if` in the block below"),
    _phrase(rf"{_START}(?P<said>move +(?:an?|one) +(?P<kind>[A-Z]\w*))\b",
            lambda found: f"move {found.part('kind').lower()}", f"; {_ARGUMENT}"),
    _phrase(r"(?P<said>\b(?P<n>\w+) *[-\u2013] *(?P<hi>\w+)\b)",
            lambda found: f"{found.part('n')}..{found.part('hi')}"),
)  # fmt: skip


def rewritings(line: str) -> Iterator[Rewriting]:
    """The line with a phrase of rulebooks put as it is written here, for each phrase in it."""
    if len(line) > _LONGEST_LINE:
        return
    yield from _straight_quotes(line)
    bare = _bare(line)
    for phrase in _PHRASES:
        match = phrase.said.search(bare)
        if match is None:
            continue
        found = _Found(match, line)
        start, end = match.span("said")
        ours, rest, more = phrase.ours(found), line[end:], phrase.more
        if ours.startswith("some player p ") and "that player" in rest:  # who was found is called so further on
            rest, more = re.sub(r"\bthat player\b", "p", rest), "; further on `p` is that player"
        yield Rewriting(start, end, line[:start] + ours + rest, phrase.shown or f"write `{ours}`{more}")


def _straight_quotes(line: str) -> Iterator[Rewriting]:
    straight = line.translate(_QUOTES)
    where = [place for place, (one, other) in enumerate(zip(line, straight, strict=True)) if one != other]
    if where:
        yield Rewriting(where[0], where[0] + 1, straight, 'texts stand in straight quotes: write `"`')


def _bare(line: str) -> str:
    """The line, as long as it is, with nothing to be found in texts, comments and statement ids."""
    kept = list(line)
    for piece in pieces(line):
        inside = slice(piece.start, piece.end)
        if piece.kind in ("string", "open_string"):
            kept[inside] = ['"', *_PLACEHOLDER * (len(piece.text) - 2), '"'] if len(piece.text) > 1 else ['"']
        elif piece.kind in ("comment", "cite", "open_cite"):
            kept[inside] = " " * len(piece.text)
    return "".join(kept)
