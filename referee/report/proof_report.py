"""What was proved and what was refuted, as text, as plain data, and as SARIF."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from referee import __version__
from referee.core.ruleset import Core
from referee.game.log.strict_json import brief
from referee.game.value_codec import encode_event
from referee.proofs.proof_outcomes import PlayedGames, Proof, ProofOutcome, RefutingGame, SearchedSpace
from referee.report.data.proof_schema import SCHEMA
from referee.report.data.sarif import result_at, sarif_run
from referee.report.text.printable import count, printable


@dataclass(frozen=True, slots=True)
class ShapeProofs:
    """The proofs of one shape. `logs`: the file into which a game was written, by claim. `whole`: not interrupted."""

    core: Core
    proofs: tuple[Proof, ...]
    logs: dict[str, str]
    whole: bool = True

    @property
    def space(self) -> SearchedSpace | None:
        """The positions that were looked at, if they were."""
        return next((proof.space for proof in self.proofs if proof.space is not None), None)

    @property
    def played(self) -> PlayedGames | None:
        """The games by lot that one process played, if it did."""
        return next((proof.played for proof in self.proofs if proof.played is not None), None)


# ---------------------------------------------------------------------- text
def lines_of(core: Core, proof: Proof, log: str | None, lemmas: bool = False) -> Iterator[str]:
    """One proof: what is known, then its lemmas if they are asked for, or the game that refutes it, as a story."""
    how = f": {proof.how}" if proof.how else ""
    depth = f" ({proof.depth})" if proof.outcome is ProofOutcome.BOUNDED else ""
    declared = "" if proof.outcome is proof.expected else f", declared {proof.expected.value}"
    if proof.outcome is proof.expected and proof.expected is not ProofOutcome.PROVED:
        declared = ", as declared"
    statements = core.statements_in(proof.origin.cites)
    cites = f"  [{' '.join(statements)}]" if statements else ""
    yield printable(f"{proof.outcome.value}{depth}  {_said(proof.name)}{declared}{how}{cites}")
    yield from (printable(f"    assumed: {one.text}") for one in core.assumptions_in(proof.origin.cites))
    yield from (printable(f"    {one}") for one in (proof.lemmas if lemmas else ()))
    if proof.game is not None:
        yield from (printable(f"    {line}") for line in _story(core, proof.game))
        if log is not None:
            yield printable(f"    written to {log}")


def _story(core: Core, game: RefutingGame) -> Iterator[str]:
    names = game.setting.players
    length = "shortest" if game.shortest else "minimised: no event can be dropped"
    yield f"{count(len(game.events), 'event')} ({length}), for {', '.join(names)}"
    readings = [
        f"{name} is {core.readings[name].choices[index].name}" for name, index in game.setting.readings.items()
        if index != core.readings[name].default
    ]
    if readings:
        yield f"read so: {', '.join(readings)}"
    for number, event in enumerate(game.events, 1):
        told = encode_event(core, game.setting, event)
        args = told.get("with")
        said = " ".join(f"{name} {_plain(one)}" for name, one in args.items()) if isinstance(args, dict) else ""
        yield f"{number:>3}. {told['by']}: {told['do']} {said}".rstrip()


def _plain(one: Any) -> str:
    return one if isinstance(one, str) else brief(one)


def _said(name: str) -> str:
    return name.replace("_", " ")


def summary_of(shape: ShapeProofs) -> str:
    """What came out for a shape, counted."""
    parts = [(sum(p.outcome is o for p in shape.proofs), o.value) for o in ProofOutcome]
    told = ", ".join(f"{number} {word}" for number, word in parts if number)
    seats = count(shape.core.seats.number, "player")
    if not shape.whole:
        told = f"{told}, then interrupted" if told else "interrupted before anything was found"
    told = told or "nothing to prove: no invariants, no limits of zones"
    looked = f"; {shape.space.told_with_speed}" if shape.space is not None else ""
    looked += f"; {shape.played.told}" if shape.played is not None else ""
    return f"{seats}, whatever the readings, parameters and givens: {told}{looked}"


# ---------------------------------------------------------------------- data
def as_data(shapes: Sequence[ShapeProofs]) -> dict[str, Any]:
    """All shapes as plain data for JSON; the keys are always the same."""
    return {"schema": SCHEMA, "shapes": [_shape(shape) for shape in shapes]}


def _shape(shape: ShapeProofs) -> dict[str, Any]:
    core = shape.core
    return {
        "ruleset": core.name, "version": core.version or None, "players": core.seats.number,
        "options": dict(core.options), "whole": shape.whole,
        "positions": None if shape.space is None else _space(shape.space),
        "games": None if shape.played is None else _played(shape.played),
        "claims": [proof_data(core, proof, shape.logs.get(proof.name)) for proof in shape.proofs],
    }


def _space(space: SearchedSpace) -> dict[str, Any]:
    return {
        "positions": space.positions, "whole": space.whole, "why": space.why, "depth": space.depth,
        "seconds": round(space.seconds, 3), "per_second": space.rate, "engine": space.engine,
    }


def _played(games: PlayedGames) -> dict[str, Any]:
    return {"games": games.games, "events": games.events, "seconds": round(games.seconds, 3), "engine": games.engine}


def proof_data(core: Core, proof: Proof, log: str | None) -> dict[str, Any]:
    """One proof as plain data. `log`: the file into which its game was written."""
    span = proof.origin.span
    return {
        "name": proof.name, "outcome": proof.outcome.value, "expected": proof.expected.value,
        "how": proof.how or None, "way": None if proof.way is None else proof.way.value, "depth": proof.depth,
        "lemmas": list(proof.lemmas),
        "cites": list(core.statements_in(proof.origin.cites)),
        "assumed": [one.name for one in core.assumptions_in(proof.origin.cites)],
        "path": span.path, "line": span.line, "log": log,
        "game": None if proof.game is None else _game(core, proof.game),
    }


def _game(core: Core, game: RefutingGame) -> dict[str, Any]:
    return {
        "players": list(game.setting.players), "shortest": game.shortest,
        "readings": {n: core.readings[n].choices[i].name for n, i in game.setting.readings.items()},
        "events": [encode_event(core, game.setting, event) for event in game.events],
    }


def sarif_of(shapes: Sequence[ShapeProofs]) -> dict[str, Any]:
    """One run, with a result for each claim that is not as declared, in each shape."""
    results = [_result(shape.core, p) for shape in shapes for p in shape.proofs if p.outcome is not p.expected]
    used = sorted({str(result["ruleId"]) for result in results})
    rules = [{"id": name, "shortDescription": {"text": f"an invariant or limit is {name}"}} for name in used]
    driver = {"name": "referee", "version": __version__, "rules": rules}
    return sarif_run(driver, results)


def _result(core: Core, proof: Proof) -> dict[str, Any]:
    message = f"{_said(proof.name)} is {proof.outcome.value} for {count(core.seats.number, 'player')}"
    why = f": {proof.how}" if proof.how else ""
    level = "error" if proof.outcome in (ProofOutcome.REFUTED, ProofOutcome.PROVED, ProofOutcome.VACUOUS) else "warning"
    span = proof.origin.span
    return result_at(proof.outcome.value, level, message + why, span.path, span.line, span.column)
