"""Questions as a letter to the author of a rulebook, in Markdown: one section for each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from referee.report.text.finding_text import FIRST_PAGE
from referee.report.text.printable import count, printable
from referee.report.text.told_game import TellableGames, position_head, position_lines, told_events, weight_text
from referee.review.finding import AskedQuestion, Continuation, Finding
from referee.review.review import Review
from referee.simulation.witness import Witness

_SIGNS = re.compile(r"([\\`*_{}\[\]<>#|~!&])")


def letter(
    review: Review, title: str, games: TellableGames, wording: Mapping[str, str], every: bool = False,
    full: bool = False,
) -> Iterator[str]:  # fmt: skip
    """The letter, line by line. `title`: of the game; `every`: all questions stand in it, not the first dozen alone;
    `full`: games with all their events."""
    asked = list(_asking(review.questions))
    told = asked if every else list(_asking(review.likely))[:FIRST_PAGE]
    yield f"# Questions about the rules of {_safe(title)}"
    yield ""
    if not told:
        yield "There is nothing that we would have to ask."
        return
    yield (
        "We have written your rules down so that a program can play by them. In some sentences we had to choose what is"
        " meant. Below stands for each what is open, a game in which it matters, and what could be written for each"
        " answer. A word from you settles it."
    )
    for number, (finding, of) in enumerate(told, 1):
        yield ""
        yield from _question(number, finding, of, games, wording, full)
    if len(asked) > len(told):
        yield ""
        more = len(asked) - len(told)
        yield f"{count(more, 'question')} more, which {'matters' if more == 1 else 'matter'} less, can follow."


def _asking(findings: Iterable[Finding]) -> Iterator[tuple[Finding, AskedQuestion]]:
    """Those that ask the author something, and what they ask."""
    return ((one, one.asked) for one in findings if one.asked is not None)


def _question(
    number: int, finding: Finding, of: AskedQuestion, games: TellableGames, wording: Mapping[str, str], full: bool
) -> Iterator[str]:
    yield f"## {number}. {_safe(of.asks[:1].upper() + of.asks[1:])}"
    said = [f"{_safe(wording.get(cite, ''))} \\[{_safe(cite)}\\]".lstrip() for cite in finding.cites]
    if of.of:
        whose = "In our rules" if finding.spans else "The words"
        said.append(f"{whose}: {', then '.join(map(_code, of.of))}")
    for at, quoted in enumerate(said):
        yield ">" if at else ""
        yield f"> {quoted}"
    yield from _notes(finding)
    if finding.witness is not None:
        yield from _game(finding.witness, games, full)
    if finding.candidates:
        yield ""
        yield "What comes then:"
        yield ""
        yield from map(_answer, finding.candidates)
    if finding.weight is not None:
        yield ""
        yield f"How often: {weight_text(finding.weight)}."
    if finding.wordings:
        yield ""
        yield "What could be written:"
        yield ""
        yield from (f"- {_safe(words)}" for words in finding.wordings)
    yield ""
    yield f"({_code(finding.id)})"


def _notes(finding: Finding) -> Iterator[str]:
    for note in finding.notes:
        yield ""
        yield f"{_safe(note[:1].upper() + note[1:])}."


def _game(witness: Witness, games: TellableGames, full: bool) -> Iterator[str]:
    chosen = games.settings(witness)
    with_ = f" ({_safe('; '.join(chosen))})" if chosen else ""
    players = f"with {count(len(witness.setting.players), 'player')}{with_}"
    events = told_events(games, witness, question=True, full=full)
    yield ""
    if not events:
        yield f"It shows at once, when a game {players} begins."
    else:
        yield f"A game in which it shows, {players}:"
        yield ""
        for number, said in events:
            yield f"{number}. {_safe(said)}" if number else f"* {_safe(said)}"
    drawn = list(position_lines(games, witness))
    if drawn:
        yield ""
        yield f"The position {position_head(witness)}:"
        yield ""
        yield from (f"    {printable(line)}" for line in drawn)


def _answer(candidate: Continuation) -> str:
    return f"- {_safe(candidate.text)}: **{_safe(candidate.end)}**"


def _code(text: str) -> str:
    """A text as it stands: between as many back ticks as it needs."""
    said = printable(text)
    ticks = "`" * (1 + max((len(run) for run in re.findall("`+", said)), default=0))
    return f"{ticks} {said} {ticks}" if "`" in said else f"`{said}`"


def _safe(text: str) -> str:
    """A text in which nothing is a sign of Markdown; at the start of a line it stands behind other words."""
    return _SIGNS.sub(r"\\\1", printable(" ".join(text.split())))
