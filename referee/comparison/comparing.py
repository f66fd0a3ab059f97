"""Compares two rulesets, one number of players after the other: what was looked at, and what is not the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from referee.comparison.correspondence import Correspondence, Dictionary
from referee.comparison.lockstep import Lockstep
from referee.comparison.mapped_names import unknown_names
from referee.comparison.paired_settings import OneOfPair, PairedSettings
from referee.comparison.search import CompareEffort, DifferenceSearch, SearchedGames
from referee.comparison.shown_difference import ScenarioGame
from referee.comparison.side import ComparedSide
from referee.comparison.telling import ToldDifference, each_once, told
from referee.convert.foreign_game import trouble
from referee.core.expr import Expr
from referee.diagnostics.diagnostic import Problems
from referee.diagnostics.exit_codes import Exit, first
from referee.frontend.loading.outside_expressions import expression
from referee.game.log.header_setting import setting_of
from referee.game.log.log_header import SCHEMA, header_of
from referee.game.log.log_lines import LineFault
from referee.game.log.strict_json import Json
from referee.game.setting import Setting
from referee.game.signatures import Signatures
from referee.game.value_codec import RULE
from referee.interpreter.walker import Walker
from referee.judge.verdict import LogOutcome, LogVerdict
from referee.system.deadline import Clock

MOST_EXPECTED = 12
"""Of the names that are known, where one is not, so many are told."""


@dataclass(frozen=True, slots=True)
class ShapeComparison:
    """The comparison for one number of players. `notes`: what one side has and the other has not; `at_default`: the
    readings that one side has alone, of which other choices were not looked at."""

    players: tuple[str, ...]
    searched: SearchedGames
    differences: tuple[ToldDifference, ...]
    notes: tuple[str, ...]
    at_default: tuple[str, ...] = ()

    @property
    def proved(self) -> bool:
        """Whether there is no difference, however a game goes and whatever is chosen before it."""
        return self.same_at_defaults and not self.at_default

    @property
    def same_at_defaults(self) -> bool:
        """Whether there is no difference, however a game goes, if readings that one side has alone are at their
        defaults."""
        return self.searched.whole and not self.differences and not self.searched.stopped


def compared(one: Walker, other: Walker, players: tuple[str, ...], correspondence: Correspondence, said: str,
             effort: CompareEffort, clock: Clock, told_games: Sequence[ScenarioGame] = (),
             progress: Callable[[str], None] = lambda _: None) -> ShapeComparison:
    """Compares two rulesets for these players. `said`: what the correspondence is called where it is wrong; `clock`
    has the time for it; `told_games`: of the scenarios of both. Raises `Problems` (CR02) for a correspondence that
    names what there is not."""
    sides = _sides(one, other, players, correspondence, said)
    settings = paired(one, other, players, correspondence, said)
    search = DifferenceSearch(Lockstep(*sides, correspondence), settings, effort, clock, told_games, progress)
    found = search.run()
    notes = (*_notes(sides, correspondence), *_settings_alone(settings))
    alone = tuple(name for names in settings.readings_alone for name in names)
    return ShapeComparison(players, found, each_once(told(sides, one) for one in found.differences), notes, alone)


def paired(one: Walker, other: Walker, players: tuple[str, ...], correspondence: Correspondence, said: str, *,
           turned: bool = False) -> PairedSettings:
    """The settings of two rulesets. `turned`: these are the second and the first. Raises `Problems` (CR02)."""
    same = correspondence.settings
    names = {theirs: mine for mine, theirs in same.items()} if turned else same
    chosen = {same.get(reading, reading): {theirs: mine for mine, theirs in choices.items()}
              for reading, choices in correspondence.choices.items()} if turned else correspondence.choices
    held = tuple(reversed(correspondence.held)) if turned else correspondence.held
    fixed = [_fixed(walker, players, entries, said) for walker, entries in zip((one, other), held, strict=True)]
    return PairedSettings(OneOfPair(one, fixed[0], names, chosen), OneOfPair(other, fixed[1], {}, {}))


def _fixed(walker: Walker, players: tuple[str, ...], entries: Mapping[str, Json], said: str) -> Setting:
    """What is fixed for all games of one of the rules."""
    header: dict[str, Json] = {"schema": SCHEMA, "ruleset": "rules", "players": list(players), **entries}
    try:
        return setting_of(header_of(header, lambda *_: None), walker.core)
    except LineFault as fault:
        raise trouble("CR02", f"the settings of {walker.core.name}: {fault.message}", said,
                      expected=fault.expected) from None


def dictionaries(one: Walker, other: Walker, correspondence: Correspondence) -> tuple[Dictionary, Dictionary]:
    """How each side turns its events into those that both share: they are called as the first rules call them."""
    mine, its = ((*Signatures.of(walker.core).labels, RULE) for walker in (one, other))
    return (Dictionary(mine, {}, {}, {}),
            Dictionary(its, correspondence.labels, correspondence.arguments, correspondence.values))


def refuse_unknown_names(
    one: Walker, other: Walker, players: tuple[str, ...], correspondence: Correspondence, said: str
) -> None:
    """Raises `Problems` (CR02) for a correspondence that names what there is not."""
    walkers = one, other
    for number, which in enumerate(("first", "second")):
        for wrong in unknown_names(walkers[number].core, players, correspondence, number):
            raise trouble("CR02", f"{wrong.what} {wrong.name!r} is none of the {which} rules", said,
                          expected=wrong.known[:MOST_EXPECTED])


def _sides(one: Walker, other: Walker, players: tuple[str, ...], correspondence: Correspondence,
           said: str) -> tuple[ComparedSide, ComparedSide]:
    walkers = one, other
    refuse_unknown_names(one, other, players, correspondence, said)
    made = [
        ComparedSide(walker, players, dictionary, silent, several,
             [_claim(walker, pair[number], players, said) for pair in correspondence.claims])
        for number, (walker, dictionary, silent, several) in enumerate(zip(
            walkers, dictionaries(one, other, correspondence), correspondence.silent, correspondence.several,
            strict=True))
    ]
    return made[0], made[1]


def _claim(walker: Walker, text: str, players: tuple[str, ...], said: str) -> Expr:
    try:
        return expression(walker.core, text, players)
    except Problems as problems:
        message = problems.diagnostics[0].message
        raise trouble("CR02", f"the claim `{text}` is none of {walker.core.name}: {message}", said) from None


def _notes(sides: Sequence[ComparedSide], correspondence: Correspondence) -> Iterator[str]:
    """What cannot be compared."""
    labels = [{side.dictionary.label(label): (label, set(types)) for label, types in
               Signatures.of(side.walker.core).labels.items()} for side in sides]
    for number, which in enumerate(("first", "second")):
        apart = correspondence.silent[number] | correspondence.several[number]
        alone = [own for shared, (own, _) in labels[number].items() if shared not in labels[1 - number]
                 and own not in apart]
        if alone:
            yield f"only the {which} rules have the events {', '.join(sorted(alone))}"
        if correspondence.several[number]:
            names = ", ".join(sorted(correspondence.several[number]))
            yield f"not comparable, several events for one: {names} of the {which} rules"
    said = {theirs: mine for mine, theirs in correspondence.settings.items()}
    options = [dict(sides[0].walker.core.options),
               {said.get(name, name): value for name, value in sides[1].walker.core.options}]
    for number, which in enumerate(("first", "second")):
        for name in sorted(options[number].keys() - options[1 - number].keys()):
            yield f"only the {which} rules have the option {name}: {options[number][name]}"
    for name in sorted(options[0].keys() & options[1].keys()):
        if options[0][name] != options[1][name]:
            yield f"the option {name} is {options[0][name]}, and {options[1][name]}"
    scored = [which for which, side in zip(("first", "second"), sides, strict=True) if side.walker.core.score]
    if len(scored) == 1:
        yield f"only the {scored[0]} rules have scores: they are not compared"
    for shared in sorted(labels[0].keys() & labels[1].keys()):
        known = correspondence.arguments.get(shared, {})
        mine, its = {known.get(name, name) for name in labels[0][shared][1]}, labels[1][shared][1]
        if mine != its:
            yield f"{shared} has other arguments: {', '.join(sorted(mine ^ its))} in one of them alone"


def _settings_alone(settings: PairedSettings) -> Iterator[str]:
    for which, names, readings in zip(("first", "second"), settings.alone, settings.readings_alone, strict=True):
        if names:
            yield f"only the {which} rules have {', '.join(names)} open before a game: drawn by lot there"
        if readings:
            yield f"at its default, with these choices of the {which} rules alone: {', '.join(readings)}"
    if settings.otherwise:
        yield f"readings with other defaults, compared with those of the first rules: {', '.join(settings.otherwise)}"
    if settings.unfit:
        yield f"values of {', '.join(sorted(settings.unfit))} in the first rules are none in the second"


@dataclass(frozen=True, slots=True)
class LogChange:
    """The verdicts on one log; `line`: of the log at which the second rules say theirs; `why_not`: why they cannot be
    told what it says, empty if they can."""

    path: str
    first: LogVerdict
    second: LogVerdict
    line: int | None
    why_not: str = ""

    @property
    def changed(self) -> bool:
        """Whether the rules do not say the same of it, or not at the same line."""
        if self.why_not:
            return False
        kinds = [None if one.wrong is None else one.wrong.kind for one in (self.first, self.second)]
        return self.first.outcome is not self.second.outcome or kinds[0] is not kinds[1] or self.first.at != self.line

    @property
    def unreadable(self) -> bool:
        """Whether neither of the rules can read it."""
        return all(one.outcome in (LogOutcome.UNREADABLE, LogOutcome.NO_RULES) for one in (self.first, self.second))


@dataclass(frozen=True, slots=True)
class RulesComparison:
    """What is known of two rulesets, for each number of players and each log. `wording`: of the statements of both
    rulebooks; `engine`: what carried both out, in words; `interrupted`: somebody ended it before its end."""

    names: tuple[str, str]
    options: Mapping[str, str]
    effort: CompareEffort
    shapes: tuple[ShapeComparison, ...]
    logs: tuple[LogChange, ...]
    wording: tuple[Mapping[str, str], Mapping[str, str]]
    engine: str
    interrupted: bool = False

    @property
    def proved(self) -> bool:
        """Whether there is no difference for any number of players that was to be looked at."""
        return bool(self.shapes) and not self.interrupted and all(shape.proved for shape in self.shapes)

    @property
    def exit(self) -> Exit:
        """130 if it was interrupted, 1 for a difference of games or verdicts, 4 for a log that cannot be read, 5 if for
        some players nothing was compared, else 0."""
        differs = any(shape.differences for shape in self.shapes) or any(log.changed for log in self.logs)
        return first([Exit.INTERRUPTED if self.interrupted else Exit.GOOD, Exit.NEGATIVE if differs else Exit.GOOD,
                      Exit.GOOD if all(shape.searched.looked for shape in self.shapes) else Exit.OPEN,
                      Exit.LOG if any(log.unreadable for log in self.logs) else Exit.GOOD])
