"""A comparison of two rulesets as text: what was looked at, then each difference with the game that shows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from referee.comparison.comparing import LogChange, RulesComparison, ShapeComparison
from referee.comparison.correspondence import SharedEvent
from referee.comparison.search import SearchedGames
from referee.comparison.telling import SideSays, ToldDifference
from referee.judge.verdict import LogVerdict
from referee.report.text.printable import count, path_of, printable
from referee.simulation.game_shares import interval

MOST_TOLD = 40
"""Of a longer game the beginning and the end are told."""
_WHICH = ("first", "second")


def lines(found: RulesComparison) -> Iterator[str]:
    """The whole comparison, line by line."""
    for which, name in zip(_WHICH, found.names, strict=True):
        yield f"{which + ':':8}{printable(name)}"
    if found.options:
        yield f"options: {', '.join(f'{printable(name)} {printable(value)}' for name, value in found.options.items())}"
    if found.engine != "by generated code":
        yield found.engine
    for shape in found.shapes:
        yield ""
        yield from _shape(shape, found)
    if found.logs:
        yield ""
        for log in found.logs:
            yield from _log(log, found)
    yield ""
    yield summary(found)


def summary(found: RulesComparison) -> str:
    """`2 differences`, `no difference: proved`, `no difference in what was looked at`; and verdicts that changed; or
    that it was interrupted."""
    number = sum(len(shape.differences) for shape in found.shapes)
    said = []
    if found.shapes:
        none = ("no difference: proved" if found.proved else "no difference in what was looked at"
                if all(shape.searched.looked for shape in found.shapes) else "not everything was compared")
        said.append(count(number, "difference") if number else none)
    if found.logs:
        changed = sum(log.changed for log in found.logs)
        said.append(f"{changed} of {count(len(found.logs), 'verdict')} changed")
    return ", ".join(said) + (": interrupted" if found.interrupted else "")


def _shape(shape: ShapeComparison, found: RulesComparison) -> Iterator[str]:
    yield f"{count(len(shape.players), 'player')}: {_known(shape)}"
    if shape.searched.games:
        searched = shape.searched
        low, high = interval(searched.told, searched.games)
        yield (f"  {searched.told} of {count(searched.games, 'game')} by lot show a difference "
               f"({low:.0%} to {high:.0%} of such games)")
    for note in shape.notes:
        yield f"  note: {printable(note)}"
    for number, one in enumerate(shape.differences, 1):
        yield ""
        yield from _difference(number, one, found)


def _known(shape: ShapeComparison) -> str:
    searched = shape.searched
    if shape.proved:
        return f"no difference in any game (proved on {count(searched.positions, 'position')})"
    if shape.same_at_defaults:
        how = "its default" if len(shape.at_default) == 1 else "their defaults"
        return (f"no difference on all {count(searched.positions, 'position')}, with {', '.join(shape.at_default)} at "
                f"{how}: other choices were not looked at")
    looked = _looked(searched)
    if not searched.looked:
        return f"nothing was compared{f': {searched.stopped}' if searched.stopped else ''}"
    if shape.differences:
        return f"{count(len(shape.differences), 'difference')} ({looked})"
    return f"no difference found ({looked})"


def _looked(searched: SearchedGames) -> str:
    said = []
    if searched.positions:
        said.append(f"{'all ' if searched.whole else ''}{count(searched.positions, 'position')}")
    if searched.games:
        said.append(f"{count(searched.games, 'game')} by lot")
    if searched.scenarios:
        said.append(f"{count(searched.scenarios, 'game')} of scenarios")
    if searched.directed:
        said.append(f"{searched.directed} toward differences")
    return ", ".join(said or ["nothing was looked at"]) + (f"; {searched.stopped}" if searched.stopped else "")


def _difference(number: int, one: ToldDifference, found: RulesComparison) -> Iterator[str]:
    shown = one.shown
    yield f"{number}. {shown.parting.kind.value}: {printable(one.message)}"
    much = f"   in {count(len(shown.games), 'game')} by lot" if shown.games else "   in no game by lot"
    yield f"{much}; {_length(one)}"
    yield from (f"     {line}" for line in _story(shown.events))
    for which, said, wording in zip(_WHICH, one.says, found.wording, strict=True):
        yield from _says(which, said, wording)
    if one.then is not None:
        events, message = one.then
        further = f" after {'; '.join(map(str, events))}" if events else ""
        yield printable(f"   then{further}: {message}")


def _length(one: ToldDifference) -> str:
    number, scenario = len(one.shown.events), one.shown.told
    if scenario is not None:
        return f"from the position of the scenario at {printable(scenario.place)}, after {count(number, 'event')}:"
    if not number:
        return "at the beginning"
    how = "the shortest game" if one.shown.shortest else (
        "no event can be left out" if one.shown.minimised else "maybe not the shortest game")
    return f"after {count(number, 'event')} ({how}):"


def _story(events: Sequence[SharedEvent]) -> Iterator[str]:
    for at, event in enumerate(events):
        if len(events) > MOST_TOLD and at == MOST_TOLD // 2:
            yield f"... {len(events) - MOST_TOLD} more"
        if len(events) <= MOST_TOLD or at < MOST_TOLD // 2 or at >= len(events) - MOST_TOLD // 2:
            yield printable(str(event))


def _says(which: str, said: SideSays, wording: Mapping[str, str]) -> Iterator[str]:
    yield f"   {which + ':':8}{printable(said.text)}"
    left = " " * 11
    if said.rule is not None or said.span is not None:
        place = "" if said.span is None else f"{path_of(said.span.path)}:{said.span.line}"
        yield left + printable(" at ".join(part for part in (said.rule or "", place) if part))
    for fact in said.conditions:
        yield f"{left}{'holds ' if said.holds else 'failed'}  {printable(fact.text)}"
    for why in said.because:
        yield f"{left}because {printable(why)}"
    for cite in said.cites:
        text = wording.get(cite, "")
        yield printable(f"{left}[{cite}] {text}".rstrip())


def _log(log: LogChange, found: RulesComparison) -> Iterator[str]:
    path = path_of(log.path)
    if log.why_not:
        yield f"{path}: not comparable: {printable(log.why_not)}"
        return
    if not log.changed:
        yield f"{path}: {log.first.outcome.value} by both"
        if log.unreadable:
            yield from (f"   {one.code} {printable(one.message)}" for one in log.first.diagnostics[:1])
        return
    yield f"{path}: the verdict changes"
    for which, verdict, line, wording in ((*pair, words) for pair, words in zip(
            ((_WHICH[0], log.first, log.first.at), (_WHICH[1], log.second, log.line)), found.wording, strict=True)):
        yield from _verdict(which, verdict, line, wording)


def _verdict(which: str, verdict: LogVerdict, line: int | None, wording: Mapping[str, str]) -> Iterator[str]:
    at = "" if line is None else f" at line {line}"
    wrong = verdict.wrong
    if wrong is None:
        why = f": {printable(verdict.reason)}" if verdict.reason else ""
        yield f"   {which + ':':8}{verdict.outcome.value}{at}{why}"
        for one in verdict.diagnostics[:1]:
            yield f"{' ' * 11}{one.code} {printable(one.message)}"
        return
    yield f"   {which + ':':8}{verdict.outcome.value}{at}, {wrong.kind.value}: {printable(wrong.message)}"
    yield from list(_says(which, SideSays("", wrong.rule, wrong.span, wrong.cites, wrong.failed, False), wording))[1:]
