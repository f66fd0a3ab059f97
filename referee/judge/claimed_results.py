"""The result that an `end` line claims, against the one that the rules give."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from referee.game.log.log_lines import EndLine
from referee.judge.display_names import Names


def wrong_result(line: EndLine, winners: frozenset[int], scores: Mapping[int, int] | None, names: Names) -> str | None:
    """What the line claims wrongly, as a sentence; None if all that it claims is so (or cannot be told)."""
    return (
        _wrong_winners(line, winners, names)
        or _wrong_scores(line, scores, names)
        or _wrong_ranking(line, winners, scores, names)
    )


def _stranger(claimed: tuple[str, ...], names: Names) -> str | None:
    return next((f"{name} does not play" for name in claimed if name not in names.players), None)


def _wrong_winners(line: EndLine, winners: frozenset[int], names: Names) -> str | None:
    if line.winners is None:
        return None
    if (stranger := _stranger(line.winners, names)) is not None:
        return stranger
    claimed = frozenset(names.players.index(name) for name in line.winners)
    if claimed == winners:
        return None
    return f"the winner is {names.all_of(winners, 'and')}, not {names.all_of(claimed, 'and')}"


def _wrong_scores(line: EndLine, scores: Mapping[int, int] | None, names: Names) -> str | None:
    if line.scores is None:
        return None
    if (stranger := _stranger(tuple(line.scores), names)) is not None:
        return stranger
    if scores is None:
        return None
    wrong = [(name, claimed, scores[names.players.index(name)]) for name, claimed in line.scores.items()
             if scores[names.players.index(name)] != claimed]
    return "; ".join(f"the score of {name} is {score}, not {claimed}" for name, claimed, score in wrong) or None


def _wrong_ranking(line: EndLine, winners: frozenset[int], scores: Mapping[int, int] | None,
                   names: Names) -> str | None:
    if line.ranking is None:
        return None
    flat = tuple(name for place in line.ranking for name in place)
    if (stranger := _stranger(flat, names)) is not None:
        return stranger
    if sorted(flat) != sorted(names.players):
        return "the ranking does not name every player once"
    places = [[names.players.index(name) for name in place] for place in line.ranking]
    place_of = {seat: number for number, place in enumerate(places) for seat in place}
    for winner in sorted(winners):
        for other in range(len(names.players)):
            if other not in winners and place_of[other] < place_of[winner]:
                return f"{names.who(winner)} won, but comes after {names.who(other)}"
    more_is_better = scores is not None and all(scores[winner] == max(scores.values()) for winner in winners)
    return _wrong_order(places, scores, names) if scores is not None and more_is_better else None


def _wrong_order(places: list[list[int]], scores: Mapping[int, int], names: Names) -> str | None:
    """A place that does not follow from the scores, if more is better."""
    for place in places:
        for one, two in pairwise(place):
            if scores[one] != scores[two]:
                return f"{names.who(one)} has {scores[one]}, {names.who(two)} {scores[two]}: they do not share a place"
    for upper, lower in pairwise(places):
        if scores[upper[0]] < scores[lower[0]]:
            return f"{names.who(lower[0])} has {scores[lower[0]]}, {names.who(upper[0])} only {scores[upper[0]]}"
    return None
