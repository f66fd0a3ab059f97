"""A review: every check for every number of players, and what they found put together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial

from referee.core.flow import Flow
from referee.core.ruleset import Accepted, DeclaredAssumption
from referee.diagnostics.diagnostic import Problems
from referee.diagnostics.exit_codes import Exit
from referee.frontend.loading.assembly import Loaded
from referee.frontend.names.shapes import Shape
from referee.proofs.proof_outcomes import SearchedSpace
from referee.review.detectors import DETECTORS, CheckScope, Detector
from referee.review.finding import Finding, FindingOutcome, absent, bounded, unknown
from referee.review.questions.all_answers.stale_answers import stale_everywhere
from referee.review.questions.beside_catalogue.taken_for_granted import granted
from referee.review.questions.text_findings import TextFindings
from referee.review.subject import ReviewEffort, Subject
from referee.system.deadline import Clock, OutOfTime

Progress = Callable[[str], None]
Load = Callable[[Shape], tuple[Flow, tuple[str, ...]]]
"""The flow for a shape, and names for its players."""
FIRST_SHAPE = 0.6
"""How much of the time that is left each shape may take for questions: of later ones only the undecided is asked."""
FEWER = 4
"""One in so many games are played with each other value of an option,"""
THOROUGH = frozenset({CheckScope.ALL_SHAPES, CheckScope.UNTIL_FOUND, CheckScope.QUESTION})
"""unless something is looked for in one of these ways: then as many as with the defaults."""
UNSEEN = "with other numbers of players or options it may be otherwise: it was interrupted before they were looked at"


@dataclass(frozen=True, slots=True)
class Review:
    """What a review found. `shapes`: the numbers of players it speaks of; `effort`: how much was to be looked at;
    `interrupted`: not everything was done; `narrowed`: other numbers of players or options were not looked at;
    `options`: other values of options with which games were played, in words;
    `assumptions`: those that the rules declare, by name: `cites` of findings name them like statements; `known`: the
    ids of questions that are there and left out, as they were asked before; `text`: what the rulebook itself shows;
    `searches`: for how many players, with which options, positions were searched, and what came of it."""

    name: str
    shapes: tuple[int, ...]
    checks: tuple[Detector, ...]
    findings: tuple[Finding, ...]
    accepted: Mapping[str, Accepted]
    effort: ReviewEffort
    interrupted: bool = False
    narrowed: bool = False
    assumptions: Mapping[str, DeclaredAssumption] = field(default_factory=dict)
    options: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    text: TextFindings | None = None
    searches: tuple[tuple[int, str, SearchedSpace], ...] = ()

    def without(self, known: Set[str]) -> Review:
        """The same without the questions that have one of these ids, or stand for one that has."""
        before = tuple(one.id for one in self.questions if one.place and not known.isdisjoint(one.ids))
        return replace(self, findings=tuple(one for one in self.findings if one.id not in before), known=before)

    def first_questions(self, most: int) -> Review:
        """The same with so many questions at most: those that matter most often, where no statement is cited first,
        then those that words alone raise; of kinds that are seldom worth asking none, where there are others."""
        def how_much(one: Finding) -> tuple[bool, bool, float]:
            share = one.weight
            return share is None, bool(one.cites), 0.0 if share is None else -share.told / share.games

        told = sorted(self.likely, key=how_much)[:most]
        left = [one for one in self.questions if one not in told]
        if not left:
            return self
        seldom = sum(one.seldom for one in left)
        why = f"{len(left)} more that matter less often are left out"
        if seldom:
            why = f"{len(left)} more are left out, {seldom} of them of kinds that readers seldom found worth asking"
        rest = replace(bounded(left[0].code, why), shapes=self.shapes)
        return replace(self, findings=(*(one for one in self.findings if one not in left), rest))

    def of(self, code: str) -> tuple[Finding, ...]:
        """What is known of one class."""
        return tuple(one for one in self.findings if one.code == code)

    @property
    def flaws(self) -> tuple[Finding, ...]:
        """What somebody has to look at."""
        return tuple(one for one in self.findings if one.outcome.is_flaw)

    @property
    def new(self) -> tuple[Finding, ...]:
        """Flaws that the rules do not accept."""
        return tuple(one for one in self.flaws if one.id not in self.accepted)

    @property
    def questions(self) -> tuple[Finding, ...]:
        """Those of the new ones that only ask something."""
        asking = {check.code for check in self.checks if check.asks}
        return tuple(one for one in self.new if one.code in asking)

    @property
    def likely(self) -> tuple[Finding, ...]:
        """The questions that are told first: those of kinds that readers seldom found worth asking only where there are
        no others."""
        return tuple(one for one in self.questions if not one.seldom) or self.questions

    @property
    def stale(self) -> tuple[Accepted, ...]:
        """What the rules accept although nothing like it is there: a check knows that there is no other flaw."""
        found = {name for one in self.flaws for name in one.ids}
        open_ = {o.code for o in self.findings if o.outcome in (FindingOutcome.UNKNOWN, FindingOutcome.BOUNDED)}
        done = {check.code for check in self.checks} - open_
        known = {check.code for check in DETECTORS}
        if self.interrupted or self.narrowed:  # what is accepted may be there where nobody looked
            return ()
        return tuple(
            one for name, one in self.accepted.items()
            if name not in found and (_class(name) in done or _class(name) not in known)
        )  # fmt: skip

    @property
    def is_bounded(self) -> bool:
        """True if some class was looked for and not found, which proves nothing."""
        return any(one.outcome is FindingOutcome.BOUNDED for one in self.findings)

    @property
    def exit(self) -> Exit:
        """130 if it was interrupted; else 1 for a flaw that is new and more than a question, or an acceptance of none,
        5 if a check was not made to its end, else 0."""
        if self.interrupted:
            return Exit.INTERRUPTED
        if len(self.new) > len(self.questions) or self.stale:
            return Exit.NEGATIVE
        return Exit.OPEN if any(one.outcome is FindingOutcome.UNKNOWN for one in self.findings) else Exit.GOOD


def review(
    loaded: Loaded, load: Load, shapes: Sequence[Shape], effort: ReviewEffort, seconds: float | Clock | None = None,
    only: Iterable[str] = (), progress: Progress = lambda _: None, elsewhere: Sequence[Shape] = (),
) -> Review:  # fmt: skip
    """Every check (`only`: those of these classes) for each shape. `seconds`: on the wall, or a clock of its own.

    Ctrl-C ends what is being done, be it games that are played, and keeps what is known: the checks of this shape look
    at that for a few seconds more. A second one ends the review at once.

    In shapes with options other than the defaults fewer games are played, unless something is looked at that must be
    the same everywhere, or was not found with the defaults; what was found with them is not told again. `elsewhere`:
    shapes that are not reviewed, in which what must be the same everywhere must be so too.
    """
    wanted = frozenset(only)
    checks = tuple(one for one in DETECTORS if one.code in wanted or not (wanted or one.asks))
    clock = seconds if isinstance(seconds, Clock) else Clock(seconds)
    run = _ReviewRun(loaded, load, effort, clock, progress)
    everywhere = [one for one in checks if one.scope is CheckScope.ALL_SHAPES]
    todo = [partial(run.shape, one, checks) for one in shapes]
    todo += [partial(run.elsewhere, one, everywhere) for one in (elsewhere if everywhere else ())]
    done = 0
    with suppress(KeyboardInterrupt):
        while done < len(todo) and not clock.hurried:
            todo[done](len(todo) - done)
            done += 1
    if done < len(todo):
        run.left_out({one.code for one in everywhere})
    begun = shapes[: max(1, done)]
    players = tuple(shape.players for shape in begun if shape.players is not None and not shape.options)
    interrupted = clock.hurried or done < len(todo)
    narrowed = interrupted or bool(elsewhere)
    found = together(checks, stale_everywhere(run.found, run.numbers, narrowed=narrowed))
    options = tuple(_options(shape) for shape in shapes[:done] if shape.options)
    accepted = {**dict(_assumed(found, run.assumptions)), **dict(_alike(found, run.accepted)), **run.accepted}
    return Review(loaded.files.name, players, checks, found, accepted, effort, interrupted, bool(elsewhere),
                  run.assumptions, options if any(one.plays_options for one in checks) else (),
                  searches=tuple(run.searches))


def _assumed(
    found: Iterable[Finding], assumptions: Mapping[str, DeclaredAssumption]
) -> Iterator[tuple[str, Accepted]]:
    """The questions whether what is assumed is so: they are accepted where it is declared. What else a line leaves open
    that rests on it is a question of its own."""
    for one in found:
        name = next((cite for cite in one.cites if cite in assumptions), None)
        if name is not None and one.place == granted(name) and one.outcome.is_flaw:
            yield one.id, Accepted(one.id, assumptions[name].text, assumptions[name].origin)


def _alike(found: Iterable[Finding], accepted: Mapping[str, Accepted]) -> Iterator[tuple[str, Accepted]]:
    """Flaws told for others too of which one is accepted: which of them is told first hangs on the games."""
    for one in found:
        known = next((accepted[name] for name in one.ids if name in accepted), None)
        if known is not None and one.outcome.is_flaw:
            yield one.id, known


class _ReviewRun:
    """A review under way."""

    def __init__(self, loaded: Loaded, load: Load, effort: ReviewEffort, clock: Clock, progress: Progress) -> None:
        self._loaded, self._load, self._effort, self._clock, self._tell = loaded, load, effort, clock, progress
        self._in_all: dict[str, frozenset[str]] = {}
        self.found: list[Finding] = []
        self.searches: list[tuple[int, str, SearchedSpace]] = []
        self.accepted: dict[str, Accepted] = {}
        self.assumptions: dict[str, DeclaredAssumption] = {}
        self.numbers: set[int] = set()

    def _progress(self, said: str) -> None:
        self._tell(f"interrupted (again ends it at once): {said}" if self._clock.hurried else said)

    def shape(self, shape: Shape, checks: Sequence[Detector], left: int) -> None:
        """Every check for one shape; `left`: shapes that are still to be looked at, this one among them."""
        flow, names = self._load(shape)
        self.numbers.add(len(names))
        self.accepted |= {one.id: one for one in flow.core.accepted}
        self.assumptions |= flow.core.assumptions
        asking = all(check.asks for check in checks)
        clock = self._clock.part(max(1.5 / left, FIRST_SHAPE if asking else 0.0))
        idle = all(self._idle(one, shape) for one in checks if one.scope in THOROUGH)
        games = max(1, self._effort.games // FEWER) if shape.options and idle else self._effort.games
        subject = Subject(self._loaded, flow, names, replace(self._effort, games=games), clock, self._progress)
        for index, check in enumerate(checks):
            if self._idle(check, shape):
                continue
            clock.share(len(checks) - index - 1)
            subject.wanted = self._undecided(check) if shape.options else None
            flaws = [one for one in self.found if one.code == check.code and one.outcome.is_flaw]
            subject.known = frozenset(place for one in flaws for place in (one.place, *one.alike))
            found: list[Finding] = []
            try:
                carry_out(check, subject, found)
            finally:
                told = [replace(one, shapes=(len(names),)) for one in found]
                if shape.options and check.scope is not CheckScope.ALL_SHAPES:
                    told = _with_options(told, shape)
                if shape.options and check.scope is CheckScope.EACH_SHAPE:
                    self._keep_new(check, told)
                else:
                    self._keep(check, told)
        self.searches += [(len(names), _options(shape), one) for one in subject.searches]

    def left_out(self, codes: set[str]) -> None:
        """Says of the flaws of some classes that a shape was not looked at in which they would have to be too."""
        self.found = [replace(one, notes=(*(n for n in one.notes if n != UNSEEN), UNSEEN))
                      if one.code in codes and one.outcome.is_flaw else one for one in self.found]  # fmt: skip

    def elsewhere(self, shape: Shape, checks: Sequence[Detector], left: int) -> None:
        """Takes back what is found so far and is not so in this shape; nothing else is told of it, not even errors."""
        left_over = [one for one in checks if not self._idle(one, shape)]
        before = {one.code: [f for f in self.found if f.code == one.code] for one in left_over}
        if not left_over:
            return
        try:
            self._load(shape)
        except Problems:
            return
        self.shape(shape, left_over, left)
        if self._clock.hurried:
            return
        for code, known in before.items():
            still = self._in_all[code]
            kept = [one for one in known if not one.outcome.is_flaw or one.id in still]
            self.found = [one for one in self.found if one.code != code]
            self.found += kept or [_not_everywhere(code, known)]

    def _idle(self, check: Detector, shape: Shape) -> bool:
        """True if nothing can come of it: what all shapes must have is not in one, or is not to be looked for here."""
        if shape.options and check.scope is CheckScope.UNTIL_FOUND:
            return not self._undecided(check)
        if shape.options and check.scope is CheckScope.DEFAULTS_ONLY:
            return True
        return self._in_all.get(check.code) == frozenset()

    def _undecided(self, check: Detector) -> frozenset[str] | None:
        """Of what is looked for until it is found, the places at which nothing was found so far."""
        if check.scope is not CheckScope.UNTIL_FOUND:
            return None
        known = [one for one in self.found if one.code == check.code and one.place]
        return frozenset(one.place for one in known) - {one.place for one in known if one.outcome.is_flaw}

    def _keep_new(self, check: Detector, found: list[Finding]) -> None:
        """Adds flaws that are none with the default options; and that it is not known whether there are some. Of the
        place of such a flaw it is not said any more that nothing was found there."""
        known = {one.id for one in self.found if one.code == check.code and one.outcome.is_flaw}
        new = [one for one in found if one.outcome.is_flaw and one.id not in known]
        places = {one.place for one in new}
        self.found = [one for one in self.found if one.code != check.code or one.outcome.is_flaw
                      or one.place not in places]  # fmt: skip
        self.found += [*new, *(one for one in found if one.outcome is FindingOutcome.UNKNOWN)]

    def _keep(self, check: Detector, found: list[Finding]) -> None:
        """Adds what was found; of what must be the same everywhere, what all shapes so far have."""
        if check.scope is not CheckScope.ALL_SHAPES:
            until = check.scope is CheckScope.UNTIL_FOUND
            flaws = {one.place for one in found if until and one.outcome.is_flaw}
            self.found = [one for one in self.found if one.code != check.code or one.place not in flaws
                          or one.outcome.is_flaw]  # fmt: skip
            self.found.extend(found)
            return
        here = frozenset(one.id for one in found if one.outcome.is_flaw)
        if any(one.outcome is FindingOutcome.UNKNOWN for one in found):
            here |= self._in_all.get(check.code, frozenset())
        both = here & self._in_all.get(check.code, here)
        self._in_all[check.code] = both
        known = [one for one in self.found if one.code == check.code]
        self.found = [one for one in self.found if one.code != check.code]
        kept = [one for one in (*known, *found) if not one.outcome.is_flaw or one.id in both]
        self.found.extend(kept or [_not_everywhere(check.code, [*known, *found])])


def _options(shape: Shape) -> str:
    return ", ".join(f"{name} {value}" for name, value in shape.options)


def _with_options(found: Iterable[Finding], shape: Shape) -> list[Finding]:
    """What was found with other options than the defaults, which is said, or could have been and was not."""
    said = f"with {_options(shape)}"
    flaws = [replace(one, notes=(*one.notes, said)) for one in found if one.outcome.is_flaw]
    rest = [one for one in found if one.outcome in (FindingOutcome.BOUNDED, FindingOutcome.UNKNOWN)]
    return [*flaws, *(replace(one, message=f"{one.message}, {said}") for one in rest)]


def _not_everywhere(code: str, found: Sequence[Finding]) -> Finding:
    """That each of these flaws of some shapes is none in another."""
    shapes = tuple(dict.fromkeys(number for one in found for number in one.shapes))
    return replace(absent(code, "what is so with some players or options is not so with others"), shapes=shapes)


def _in_time(one: Finding, subject: Subject) -> Finding:
    """What was not found, or never seen, because there was no time to look for it is unknown."""
    unseen = one.outcome is FindingOutcome.BOUNDED or (one.outcome is FindingOutcome.CANDIDATE and one.witness is None)
    if not unseen or subject.in_time:
        return one
    return replace(one, outcome=FindingOutcome.UNKNOWN, message=f"{one.message}; then {subject.clock.why}")


def _class(name: str) -> str:
    return name.partition("/")[0]


def carry_out(check: Detector, subject: Subject, found: list[Finding]) -> None:
    """Adds what a check finds. What it found before its time was up counts; Ctrl-C ends this check, twice all."""
    try:
        subject.progress(f"{check.code}, {len(subject.players)} players")
        for one in check.find(subject):  # one by one: whatever comes in between, those before it are kept
            found.append(one if check.asks else _in_time(_of_the_middle(one), subject))
    except OutOfTime:
        found.append(unknown(check.code, subject.clock.why))
    except KeyboardInterrupt:
        if not subject.clock.hurry():
            raise
        found.append(unknown(check.code, subject.clock.why))


def _of_the_middle(one: Finding) -> Finding:
    """What is shown only from the position of a scenario is a candidate: maybe no game comes there."""
    told = one.witness is not None and one.witness.tale is not None
    return replace(one, outcome=FindingOutcome.CANDIDATE) if told and one.outcome is FindingOutcome.FOUND else one


CAUSES = {"gap-move": "obligation-conflict", "undefined-value": "no-target"}
"""A class whose findings at the same place have the other for a cause: only the cause is told."""


def together(checks: Sequence[Detector], found: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings in the order of the checks, those with one id as one; without a place, those with one message."""
    alike: dict[tuple[str, FindingOutcome | None, str], list[Finding]] = {}
    for one in _by_cause(list(found)):
        key = (one.id, None if one.outcome.is_flaw else one.outcome,
               "" if one.outcome.is_flaw and one.place else one.message)
        alike.setdefault(key, []).append(one)
    order = {check.code: index for index, check in enumerate(checks)}
    return tuple(sorted(map(_as_one, alike.values()), key=lambda one: order.get(one.code, len(order))))


def _as_one(alike: Sequence[Finding]) -> Finding:
    """The first of what is more than a candidate, if there is any, with the shapes of which that is so; of the others
    it says what they are."""
    unsure = [one for one in alike if one.outcome is FindingOutcome.CANDIDATE]
    sure = [one for one in alike if one.outcome is not FindingOutcome.CANDIDATE]
    shown, rest = (sure, unsure) if sure else (unsure, [])
    weaker = [str(number) for number in dict.fromkeys(number for one in rest for number in one.shapes)]
    notes = (f"with {', '.join(weaker)} players a candidate only",) if weaker else ()
    shapes = tuple(number for one in shown for number in one.shapes)
    return replace(shown[0], shapes=shapes, notes=(*shown[0].notes, *notes))


def _by_cause(found: Sequence[Finding]) -> Iterator[Finding]:
    """The findings without those that only follow from another at the same place."""
    at = {(one.code, span.path, span.line): one for one in found if one.outcome.is_flaw for span in one.spans[:1]}
    for one in found:
        cause = CAUSES.get(one.code, "")
        if one.outcome.is_flaw and any((cause, span.path, span.line) in at for span in one.spans[:1]):
            yield replace(bounded(one.code, f"nothing but what {cause} tells"), shapes=one.shapes)
        else:
            yield one
