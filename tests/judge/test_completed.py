"""What a first look left out is looked at box by box: values take turns, what has no part in a refusal stays open."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from referee.judge.open_settings.setting_preference import next_box
from referee.judge.open_settings.setting_sets import NOTHING, Choices
from referee.judge.open_settings.setting_verdicts import Explained, _completed, _Rest
from referee.judge.open_settings.value_ranges import Box, Place, Stretch
from referee.judge.verdict import FailedLine, LogOutcome, LogVerdict, WrongKind
from referee.system.deadline import Deadline

RANGES: dict[Place, tuple[int, int]] = {("a", ()): (0, 9), ("b", ()): (0, 9), ("c", ()): (0, 9), ("d", ()): (0, 9)}
EVERY = Choices(RANGES)


def settled(**values: int) -> Box:
    return tuple(sorted(Stretch((name, ()), value, value) for name, value in values.items()))


class Log:
    """A log that stands if `a` is 3 or more and `b` is not 5. A look at settings with more than two entries open tells
    nothing."""

    def __init__(self) -> None:
        low = Choices(RANGES, box=(Stretch(("a", ()), 0, 2),))
        self.refuted = low.either(Choices(RANGES, box=settled(b=5)))
        self.looked: list[Box] = []

    def look(self, box: Box, _: Deadline) -> Explained:
        self.looked.append(box)
        one = Choices(RANGES, box=box)
        told = len(box) >= 2
        verdict = LogVerdict("log", LogOutcome.LEGAL if one.less(self.refuted) else LogOutcome.ILLEGAL)
        return Explained("log", verdict, one.less(self.refuted) if told else NOTHING, frozenset(),
                         untold=NOTHING if told else one)


FIRST = Explained("log", LogVerdict("log", LogOutcome.UNKNOWN), NOTHING, frozenset(), untold=EVERY)


def test_what_has_no_part_in_a_refusal_stays_open() -> None:
    """With a = 1 the log is refuted whatever b and c are: 100 settings in five looks, and those that it stands for."""
    log, box = Log(), settled(a=1, b=2, c=3, d=4)
    rest = _Rest(FIRST, NOTHING, log.look)
    part = rest.look(box, Deadline(60))
    assert part is not None
    assert part.refuted
    rest.widen(box, Deadline(60), 1.0)
    assert [[one.place[0] for one in looked] for looked in log.looked] == [
        ["a", "b", "c", "d"], ["b", "c", "d"], ["a", "c", "d"], ["a", "d"], ["a"]]
    assert not rest.untold.both(Choices(RANGES, box=settled(a=1, d=4)))
    assert rest.untold.both(Choices(RANGES, box=settled(a=1, d=5)))
    stands = Choices(RANGES, box=settled(b=2, c=3, d=4)).less(log.refuted)
    assert not stands.less(rest.region)
    assert not rest.region.less(stands)


def test_without_time_nothing_is_looked_at() -> None:
    log = Log()
    found = _completed(FIRST, NOTHING, log.look, Deadline(-1))
    assert (found.region, log.looked) == (None, [])


def test_once_all_was_looked_at_the_verdict_is_sure() -> None:
    """A first look that did not come to its end leaves `unknown` behind only as long as something is not told."""
    wrong = FailedLine(3, WrongKind.ILLEGAL_MOVE, "add", "ana may not add")
    first = replace(FIRST, verdict=LogVerdict("log", LogOutcome.UNKNOWN, lines=90, reason="not to the end"),
                    untold=Choices(RANGES, box=settled(a=1, b=2)))
    refuted = Explained("log", LogVerdict("log", LogOutcome.ILLEGAL, lines=90, wrong=wrong), NOTHING, frozenset())
    found = _completed(first, NOTHING, lambda *_: refuted, Deadline(60))
    assert found.refuted
    assert (found.verdict.outcome, found.verdict.wrong) == (LogOutcome.ILLEGAL, wrong)
    late = replace(refuted, region=None)
    found = _completed(first, NOTHING, lambda *_: late, Deadline(60))
    assert not found.refuted
    assert found.verdict.outcome is LogOutcome.UNKNOWN


def test_values_that_are_not_told_take_turns() -> None:
    tried = Counter[tuple[Place, int]]()
    region = Choices(RANGES, box=settled(a=0, b=0, c=0, d=0))
    rest = EVERY.within(("b", ()), 0, 1).within(("c", ()), 0, 0).within(("d", ()), 0, 0).less(region)
    found = [next_box(rest, region, {("a", ()): 0, ("b", ()): 0}, tried) for _ in range(20)]
    values = [one.lo for box in found if box is not None for one in box if one.place == ("a", ())]
    assert set(values) == set(range(1, 10))
