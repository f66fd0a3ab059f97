"""A review as text: a table of the checks, then each finding like a compiler error, with the game that shows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from referee.core.ruleset import DeclaredAssumption
from referee.proofs.proof_outcomes import SearchedSpace
from referee.report.text.diagnostic_text import LineOf, Piece, place
from referee.report.text.printable import count, printable, width
from referee.report.text.rulebook_findings_text import text_lines
from referee.report.text.told_game import TellableGames, position_head, position_lines, told_events, weight_text
from referee.review.finding import Finding, FindingOutcome
from referee.review.review import Review
from referee.review.subject import ReviewEffort
from referee.simulation.witness import Witness

FIRST_PAGE = 12
"""So many questions are told, unless somebody wants all of them."""
_STYLE = {
    FindingOutcome.FOUND: "bold red", FindingOutcome.CANDIDATE: "bold yellow", FindingOutcome.VACUOUS: "bold yellow",
    FindingOutcome.ABSENT: "green", FindingOutcome.BOUNDED: "", FindingOutcome.UNKNOWN: "bold magenta",
}  # fmt: skip
_FRAME = "blue"
_LEFT = 23
"""Columns for the code of a class of findings."""
Line = list[Piece]


def lines(
    review: Review, line_of: LineOf, games: TellableGames, wording: dict[str, str], accepted: bool = False,
    full: bool = False,
) -> Iterator[Line]:  # fmt: skip
    """The whole report, line by line. `wording`: the statements of the rulebook; `accepted`: what the rules accept is
    told as fully as the rest, with the reason; `full`: games with all their events."""
    yield [("bold", f"{printable(review.name)}: {_shapes(review.shapes)}, default options")]
    yield [("", _effort(review.effort))]
    if review.options:
        yield [("", f"with fewer games also: {'; '.join(map(printable, review.options))}")]
    yield []
    for check in review.checks:
        yield from _row(review, check.code)
    asked = review.questions if accepted else review.likely[:FIRST_PAGE]
    later = {one.id for one in review.questions} - {one.id for one in asked}
    for finding in review.flaws if accepted else review.new:
        if finding.id in later:
            continue
        yield []
        yield from _FindingLines(finding, line_of, games, full).lines(wording, review.assumptions)
        if finding.id in review.accepted:
            yield _note(_gutter(finding), "accepted", printable(review.accepted[finding.id].reason))
    if later:
        yield []
        yield [("", f"{_later(review, later)}: `--all` tells them too")]
    yield []
    if review.text is not None:
        yield from text_lines(review.text, accepted)
    yield from _accepted(review, told=accepted)
    yield [("", summary(review))]


def _later(review: Review, later: Set[str]) -> str:
    """How many questions are not told yet, and how many of these are seldom worth asking."""
    seldom = sum(one.seldom for one in review.questions if one.id in later)
    kinds = f", {seldom} of a kind that readers seldom found worth asking" if seldom else ""
    return f"{count(len(later), 'question')} more{kinds}"


def search_lines(searches: Sequence[tuple[int, str, SearchedSpace]]) -> Iterator[str]:
    """What was searched, by what and how fast; it is no part of the report that is kept, as it takes another time on
    each machine."""
    for players, options, space in searches:
        with_options = f", {printable(options)}" if options else ""
        yield f"{count(players, 'player')}{with_options}: {space.told_with_speed}"


def plain(line: Line) -> str:
    """A line without its colours."""
    return "".join(text for _, text in line)


def summary(review: Review) -> str:
    """`3 findings, 2 accepted`, and what was left undone."""
    none = "nothing found so far" if review.interrupted else "no findings"
    asked = len(review.questions)
    flaws = [count(len(review.new) - asked, "finding")] if len(review.new) > asked else []
    said = [*flaws, *([count(asked, "question")] if asked else [])] or [none]
    if len(review.flaws) > len(review.new):
        said.append(f"{len(review.flaws) - len(review.new)} accepted")
    if review.known:
        said.append(f"{count(len(review.known), 'question')} known before")
    if review.stale:
        said.append(f"{len(review.stale)} accepted and not there")
    if any(one.outcome is FindingOutcome.UNKNOWN for one in review.findings):
        said.append("some checks not done")
    return ", ".join(said) + (": interrupted" if review.interrupted else "")


# ---------------------------------------------------------------------- the table
def _row(review: Review, code: str) -> Iterator[Line]:
    """A check: how many flaws, else what is known of there being none."""
    found = review.of(code)
    flaws = [one for one in found if one.outcome.is_flaw]
    rest = [one for one in found if not one.outcome.is_flaw]
    first: list[tuple[str, str, str]] = []
    for outcome in (FindingOutcome.FOUND, FindingOutcome.CANDIDATE, FindingOutcome.VACUOUS):
        here = [one for one in flaws if one.outcome is outcome]
        if here:
            accepted = sum(one.id in review.accepted for one in here)
            told = f"{len(here)}" + (f", {accepted} accepted" if accepted else "")
            first.append((outcome.value, told, _STYLE[outcome] if accepted < len(here) else ""))
    for places, one in _alike(rest):
        shapes = "" if one.shapes == review.shapes else f" ({_shapes(one.shapes)})"
        said = f"{printable(', '.join(places))}: {printable(one.message)}" if places else printable(one.message)
        first.append((one.outcome.value, said + shapes, _STYLE[one.outcome]))
    if not first:
        first.append(("not looked for", "", _STYLE[FindingOutcome.UNKNOWN]))
    for index, (outcome_, told, style) in enumerate(first):
        name = code if index == 0 else ""
        yield [("", name.ljust(_LEFT)), (style, outcome_.ljust(15)), ("", f" {told}".rstrip())]


def _effort(effort: ReviewEffort) -> str:
    """How much was looked at for each number of players: a reader is to know what `not found` is worth."""
    games = f"{effort.games:,} games of up to {effort.events:,} events (seed {effort.seed})"
    proofs = "proofs were tried" if effort.proofs else "no proofs were tried"
    return f"looked at: up to {effort.positions:,} positions; {games}, and those that scenarios tell; {proofs}"


def _alike(found: Sequence[Finding]) -> Iterator[tuple[list[str], Finding]]:
    """What is known of places of which the same is known, once with all of them."""
    kinds: dict[tuple[FindingOutcome, str, tuple[int, ...]], list[Finding]] = {}
    for one in found:
        kinds.setdefault((one.outcome, one.message, one.shapes), []).append(one)
    for alike in kinds.values():
        yield [one.place for one in alike if one.place], alike[0]


def _shapes(shapes: Sequence[int]) -> str:
    """`2 players`, `2 to 6 players`, `2, 4 and 5 players`."""
    numbers = sorted(set(shapes))
    if len(numbers) > 2 and numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]} to {numbers[-1]} players"
    said = [str(number) for number in numbers]
    joined = " and ".join([", ".join(said[:-1]), said[-1]]) if len(said) > 1 else said[0]
    return f"{joined} player{'' if numbers == [1] else 's'}"


# ---------------------------------------------------------------------- a finding
class _FindingLines:
    """Tells one finding."""

    def __init__(self, finding: Finding, line_of: LineOf, games: TellableGames, full: bool) -> None:
        self._finding, self._line_of, self._games, self._full = finding, line_of, games, full
        self._gutter = _gutter(finding)
        self._style = _STYLE[finding.outcome]

    def lines(self, wording: Mapping[str, str], assumed: Mapping[str, DeclaredAssumption]) -> Iterator[Line]:
        """All of it."""
        finding = self._finding
        yield [(self._style, f"{finding.outcome.value}[{finding.code}]"), ("bold", f": {printable(finding.message)}")]
        for span in finding.spans:
            yield from place(span, self._style, self._line_of)
        for cite in finding.cites:
            if cite in assumed:
                yield self._note("assumed", f"[{cite}] {printable(assumed[cite].text, 200)}")
                continue
            said = f" {printable(wording[cite], 200)}" if cite in wording else ""
            yield self._note("statement", f"[{cite}]{said}")
        for note in finding.notes:
            yield self._note("note", printable(note))
        if finding.witness is not None:
            yield from self._game(finding.witness)
        for candidate in finding.candidates:
            yield self._note("if", f"{printable(candidate.text)}: {printable(candidate.end)}")
        if finding.weight is not None:
            yield self._note("weight", weight_text(finding.weight))
        for words in finding.wordings:
            yield self._note("write", printable(words))
        if finding.settle:
            yield self._note("settle", printable(finding.settle))
        for line in finding.lines:
            yield self._framed(f"  {printable(line)}")
        yield self._note("id", f"{printable(finding.id)} ({_shapes(finding.shapes)})")

    def _game(self, witness: Witness) -> Iterator[Line]:
        question = self._finding.weight is not None
        chosen = self._games.settings(witness) if question else ()
        if chosen:
            yield self._note("with", printable("; ".join(chosen)))
        least = " (no game is shorter)" if witness.shortest else ""
        least = " (minimised: no event can be left out)" if not least and witness.minimised else least
        if witness.tale is not None:
            shown = "" if self._finding.from_start is not None else ": that a game comes there is not shown"
            least += f"; from the position of the scenario below{shown}"
        told = f"{count(len(witness.events), 'event')}{least}"
        at_once = not witness.events and witness.tale is None
        yield self._note("game", "at once, when the game begins" if at_once else told)
        numbered = told_events(self._games, witness, question=question, full=self._full)
        columns = max((width(str(number)) for number, _ in numbered), default=1)
        for number, said in numbered:
            yield self._framed(f"{(str(number) if number else '').rjust(columns)}  {printable(said)}")
        if witness.position:
            yield self._framed(f"{' ' * columns}  {printable(witness.position)}")
        drawn = list(position_lines(self._games, witness))
        if drawn:
            yield self._note("position", position_head(witness))
        for line in drawn:
            yield self._framed(f"  {printable(line)}")
        if witness.tale is not None:
            yield from place(witness.tale.span, self._style, self._line_of)

    def _note(self, word: str, said: str) -> Line:
        return _note(self._gutter, word, said)

    def _framed(self, said: str) -> Line:
        return [(_FRAME, f"{self._gutter} | "), ("", said)]


def _gutter(finding: Finding) -> str:
    return " " * len(str(finding.spans[0].line)) if finding.spans else " "


def _note(gutter: str, word: str, said: str) -> Line:
    return [(_FRAME, f"{gutter} = "), ("", f"{word}: {said}")]


def _accepted(review: Review, *, told: bool) -> Iterator[Line]:
    """What is accepted, with its reason, unless it is told already; and what is accepted and was not found."""
    for finding in review.flaws:
        if finding.id in review.accepted and not told:
            said = f"{printable(finding.id)}: {printable(review.accepted[finding.id].reason)}"
            yield [("", "accepted  "), ("", said)]
    for stale in review.stale:
        where = stale.origin.span
        yield [("bold yellow", "stale     "), ("", f"{printable(stale.id)} is accepted at "),
               ("", f"{printable(str(where).rpartition('/')[2])}, and nothing like it was found")]  # fmt: skip
    if review.stale or (review.accepted and not told):
        yield []
