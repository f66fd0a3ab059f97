"""A review as plain data, for JSON and as SARIF."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from referee import __version__
from referee.core.ruleset import Accepted
from referee.diagnostics.source import Span
from referee.game.event import Event
from referee.proofs.proof_outcomes import SearchedSpace
from referee.report.data.sarif import placed, sarif_run
from referee.report.data.scene_data import scene_data
from referee.report.data.verdict_data import assumed_data
from referee.review.finding import Continuation, Finding, FindingOutcome, GameShare
from referee.review.questions.text_findings import OpenSentence, TextFindings
from referee.review.review import Review
from referee.review.subject import ReviewEffort
from referee.scene.scene import Scene
from referee.simulation.witness import Witness

SCHEMA = "referee/review/1"


class RecordedGames(Protocol):
    """Says what a report holds of the games of findings."""

    def log(self, witness: Witness, further: Sequence[Event] = ()) -> Sequence[str]:
        """A game, with further events, as the lines of a log."""

    def settings(self, witness: Witness) -> Sequence[str]:
        """What is not the default in the setting of a game, in words."""

    def set_up(self, witness: Witness) -> int:
        """How many events of a game are set-up."""

    def scene(self, witness: Witness) -> Scene | None:
        """What lies where in the position that is to be drawn; None if there is none."""


_LEVELS = {FindingOutcome.FOUND: "error", FindingOutcome.CANDIDATE: "warning", FindingOutcome.VACUOUS: "warning"}


def as_data(review: Review, games: RecordedGames, wording: Mapping[str, str]) -> dict[str, Any]:
    """A review as plain data for JSON; the keys are always the same. `wording`: of the statements of the rulebook."""
    return {
        "schema": SCHEMA,
        "ruleset": review.name,
        "players": list(review.shapes),
        "effort": _effort(review.effort),
        "searches": [_search(*one) for one in review.searches],
        "exit": int(review.exit),
        "interrupted": review.interrupted,
        "checks": [{"class": check.code, "title": check.title} for check in review.checks],
        "findings": [_finding(one, review, games, wording) for one in review.findings],
        "stale": [_accepted(one) for one in review.stale],
        "known": list(review.known),
        "rulebook": None if review.text is None else _text(review.text),
    }


def _search(players: int, options: str, space: SearchedSpace) -> dict[str, Any]:
    return {
        "players": players, "options": options, "positions": space.positions, "whole": space.whole, "why": space.why,
        "depth": space.depth, "seconds": round(space.seconds, 3), "per_second": space.rate, "engine": space.engine,
    }  # fmt: skip


def _effort(effort: ReviewEffort) -> dict[str, Any]:
    return {
        "games": effort.games, "events": effort.events, "positions": effort.positions, "seed": effort.seed,
        "proofs": effort.proofs,
    }  # fmt: skip


def _finding(one: Finding, review: Review, games: RecordedGames, wording: Mapping[str, str]) -> dict[str, Any]:
    accepted = review.accepted.get(one.id) if one.outcome.is_flaw else None
    return {
        "id": one.id,
        "class": one.code,
        "outcome": one.outcome.value,
        "message": one.message,
        "players": list(one.shapes),
        "statements": [cite for cite in one.cites if cite not in review.assumptions],
        "sentences": [wording[cite] for cite in one.cites if cite in wording],
        "places": [_place(span) for span in one.spans],
        "game": None if one.witness is None else _game(one.witness, games),
        "from_start": None if one.from_start is None else [
            json.loads(line) for line in games.log(one.from_start, ())],
        "candidates": [_candidate(c, one.witness, games) for c in one.candidates],
        "settle": one.settle or None,
        "lines": list(one.lines),
        "weight": None if one.weight is None else _weight(one.weight),
        "wordings": list(one.wordings),
        "alike": list(one.ids[1:]),
        "seldom": one.seldom,
        "notes": list(one.notes),
        "accepted": None if accepted is None else accepted.reason,
        "assumed": [assumed_data(review.assumptions[cite]) for cite in one.cites if cite in review.assumptions],
    }


def _text(text: TextFindings) -> dict[str, Any]:
    return {
        "path": text.path, "language": text.language, "guessed": text.guessed, "sentences": text.sentences,
        "uncovered": [{"line": one.first, "text": one.text} for one in text.uncovered],
        "open": None if text.open is None else [_open(one) for one in text.open],
    }  # fmt: skip


def _open(one: OpenSentence) -> dict[str, Any]:
    words = [{"dimension": dimension, "words": words} for dimension, words in one.words]
    return {"statements": list(one.statements), "line": one.line, "text": one.text, "words": words}


def _weight(share: GameShare) -> dict[str, Any]:
    return {"told": share.told, "games": share.games, "low": round(share.low, 4), "high": round(share.high, 4)}


def _game(witness: Witness, games: RecordedGames) -> dict[str, Any]:
    scene = games.scene(witness)
    return {
        "log": [json.loads(line) for line in games.log(witness, ())],
        "settings": list(games.settings(witness)),
        "set_up": games.set_up(witness),
        "drawn": len(witness.events) if witness.drawn is None else witness.drawn,
        "scene": None if scene is None else scene_data(scene),
        "shortest": witness.shortest,
        "minimised": witness.minimised,
    }


def _candidate(candidate: Continuation, witness: Witness | None, games: RecordedGames) -> dict[str, Any]:
    lines: list[Any] = []
    if witness is not None and candidate.events:
        lines = [json.loads(line) for line in games.log(witness, candidate.events)]
    return {"text": candidate.text, "end": candidate.end, "log": lines}


def _place(span: Span) -> dict[str, Any]:
    return {
        "path": span.path, "line": span.line, "column": span.column,
        "end_line": span.end_line, "end_column": span.end_column,
    }  # fmt: skip


def _accepted(one: Accepted) -> dict[str, Any]:
    return {"id": one.id, "reason": one.reason, "place": _place(one.origin.span)}


def sarif_of(review: Review) -> dict[str, Any]:
    """One run with a result for each flaw; what is accepted is suppressed, with its reason."""
    titles = {check.code: check.title for check in review.checks}
    results = [_result(one, review) for one in review.flaws]
    driver = {
        "name": "referee", "version": __version__,
        "rules": [{"id": code, "shortDescription": {"text": title}} for code, title in titles.items()],
    }  # fmt: skip
    return sarif_run(driver, results)


def _result(one: Finding, review: Review) -> dict[str, Any]:
    message = one.message + (f" [{' '.join(one.cites)}]" if one.cites else "")
    message += f"; to settle it: {one.settle}" if one.settle and not one.lines else ""
    if one.weight is not None:
        message += "".join(f"\nif {said.text}: {said.end}" for said in one.candidates)
        message += f"\nit matters in {one.weight.told} of {one.weight.games} games"
        message += "".join(f"\nto write {said}" for said in one.wordings)
    tale = None if one.witness is None else one.witness.tale
    beside = [*one.spans[1:], *([] if tale is None else [tale.span])]
    is_question = any(question.id == one.id for question in review.questions)
    found: dict[str, Any] = {
        "ruleId": one.code, "level": "note" if is_question else _LEVELS[one.outcome], "message": {"text": message},
        "locations": [placed(span.path, span.line, span.column) for span in one.spans[:1]],
        "relatedLocations": [placed(span.path, span.line, span.column) for span in beside],
        "partialFingerprints": {"findingId/v1": one.id},
    }  # fmt: skip
    accepted = review.accepted.get(one.id)
    if accepted is not None:
        found["suppressions"] = [{"kind": "inSource", "justification": accepted.reason}]
    return found
