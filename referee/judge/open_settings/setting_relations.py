"""Whether sets of settings have any whose values are related as the rules say."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

from referee.core.read_write_sets import variables_of
from referee.game.state import Open
from referee.interpreter.walker import Walker
from referee.judge.open_settings.setting_sets import Choices
from referee.judge.open_settings.value_ranges import Box

MOST_BOXES = 32
"""Combinations looked at while a log is followed, at most; past it, related values are taken to exist."""
MOST_PARTS = 1_000
"""The same where it is asked once."""


class Related:
    """The relations of one ruleset and shape. `names`: the parameters that they are about."""

    def __init__(self, walker: Walker) -> None:
        self.names = variables_of(walker.core.relations)
        self._relations = walker.relations
        self._layout = walker.layout

    def fits(self, choices: Choices, slots: Sequence[Any]) -> bool:
        """Whether there are such settings. `slots`: the entries of a position, for what is not settled."""
        boxes = list(islice(self._own(choices).boxes(), MOST_BOXES + 1))
        return len(boxes) > MOST_BOXES or any(self._holds(box, slots) for box in boxes)

    def part(self, choices: Choices, slots: Sequence[Any]) -> Choices:
        """Without combinations that have no such setting. Raises `TooManyNodes`."""
        if not self.names:
            return choices
        own = self._own(choices)
        bad = [box for box in islice(own.boxes(), MOST_PARTS) if not self._holds(box, slots)]
        return choices.less(Choices.of(bad, choices.ranges)) if bad else choices

    def _own(self, choices: Choices) -> Choices:
        return choices.among(place for place in choices.places if place[0] in self.names)

    def _holds(self, box: Box, slots: Sequence[Any]) -> bool:
        found = list(slots)
        for one in box:
            entries = self._layout.vars.get(one.place[0])
            at = -1 if entries is None else entries.find(one.place[1])
            if at >= 0:
                found[at] = Open(one.lo, one.hi) if one.lo < one.hi else one.lo
        return self._relations.broken(found) is None
