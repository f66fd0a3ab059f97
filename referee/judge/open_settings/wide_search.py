"""A log in which more is open than is followed way by way, judged under all settings together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from referee.archives.log_places import LogPlace
from referee.game.setting import Setting
from referee.interpreter.walker import Walker
from referee.judge.judgement_summary import Loader
from referee.judge.open_settings.setting_narrowing import opened
from referee.judge.open_settings.setting_verdicts import Explained, SettingSearch, explained
from referee.judge.open_settings.value_ranges import Place
from referee.judge.partial.possible_worlds import MOST_WORLDS
from referee.judge.verdict import Assumption, LogOutcome, LogVerdict, World


def widely(verdict: LogVerdict, path: str | LogPlace, load: Loader, *, all_readings: bool,
           seconds: float | None) -> LogVerdict:
    """The verdict on a log of which another look could not tell; the same if this one cannot either."""
    def opening(walker: Walker, setting: Setting) -> Setting:
        return opened(walker.flow, setting) if all_readings else setting

    again = explained(SettingSearch(path, load, opening, verdict.viewer), seconds=seconds)
    found = again.verdict
    if again.region and found.outcome in (LogOutcome.LEGAL, LogOutcome.POSSIBLE):
        return _explained(verdict, again)
    if found.outcome is LogOutcome.STOPPED and not again.untold:
        return replace(verdict, outcome=found.outcome, at=found.at, reason=found.reason, lines=found.lines,
                       events=found.events)
    if again.region is None or again.untold or found.outcome is not LogOutcome.ILLEGAL:
        return verdict
    return replace(verdict, outcome=LogOutcome.ILLEGAL, wrong=found.wrong, after=found.after, at=found.at, reason="",
                   lines=found.lines, events=found.events, not_judged_from=found.not_judged_from,
                   conflict=found.conflict)


def _explained(verdict: LogVerdict, again: Explained) -> LogVerdict:
    """A log that stands under some settings."""
    found = again.verdict
    under, more = _under(again)
    if found.holes:
        return replace(verdict, under=under, more_worlds=more, lines=found.lines, events=found.events,
                       reason="nothing contradicts the rules, but which lines are legal in every way to fill the holes "
                              "was not found out")
    return replace(verdict, outcome=LogOutcome.LEGAL, reason="", at=None, under=under, more_worlds=more,
                   lines=found.lines, events=found.events, finished=found.finished, winners=found.winners,
                   overruled=found.overruled, notes=found.notes)


def _under(again: Explained) -> tuple[tuple[World, ...], bool]:
    """What is settled by the settings that explain a log: the values of each entry, where they go together in every
    combination, else the first combinations; whether there is more to tell."""
    region, space = again.region, again.space
    if region is None or space is None:
        return (), True
    open_ = [place for place in sorted(region.places) if place not in {one.place for one in space.stated}]
    more = bool(again.untold) or bool(again.ruled)
    own = region.among(open_)
    if not own.spread().less(own):
        worlds = [tuple(_made(again, place, own.values(place)) for place in open_)]
        return tuple(world for world in worlds if world), more
    worlds = [tuple(_made(again, one.place, [(one.lo, one.hi)]) for one in box)
              for box in islice(own.boxes(), MOST_WORLDS)]
    return tuple(worlds), more or own.number_of_boxes > MOST_WORLDS


def _made(again: Explained, place: Place, pieces: Sequence[tuple[int, int]]) -> Assumption:
    assert again.judge is not None
    names = again.judge.names
    value = " or ".join(names.piece(place[0], piece) for piece in pieces)
    return Assumption(1, names.variable(*place), value, 2, names.openness(place[0]).value)
