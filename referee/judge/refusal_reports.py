"""What a refusal becomes in a verdict: the kind of wrong line, sentences, conditions, the nearest legal lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from referee.core.flow import Ask, Draw, Gather, Rule, offered, offers
from referee.core.stmt import Origin, Param
from referee.diagnostics.source import Span
from referee.game.event import FATE, TABLE, Event
from referee.game.log.log_lines import EventLine
from referee.game.setting import Setting
from referee.game.state import Ended, State, Step
from referee.game.value_codec import POINT as RULED_POINT
from referee.game.value_codec import RULE, DecodeProblem
from referee.interpreter.event_explanation import explain
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.refusals import (
    BAD_ARGUMENT,
    GUARD,
    UNKNOWN_EVENT,
    WRONG_PLAYER,
    ArgumentProblem,
    Refusal,
    Tested,
)
from referee.interpreter.walker import Walker
from referee.judge.display_names import Names
from referee.judge.nearest_events import nearest
from referee.judge.partial.possible_worlds import PossibleState
from referee.judge.reasons.argument_words import ArgumentWords
from referee.judge.reasons.chance.chance_mistakes import ChanceMistakes
from referee.judge.reasons.chance.chance_reasons import ChanceReasons
from referee.judge.reasons.chance.chance_words import ChanceWords, DueChance
from referee.judge.reasons.condition_words import ConditionWords
from referee.judge.reasons.due_actions import DueActions, either
from referee.judge.reasons.end_reasons import how_it_ended, not_over
from referee.judge.reasons.line_reasons import LineReasons
from referee.judge.reasons.rule_words import RuleWords
from referee.judge.reasons.sight.seen_refusals import SeenRefusals
from referee.judge.reasons.values.argument_sentences import argument_sentence
from referee.judge.reasons.values.value_story import ValueStory
from referee.judge.verdict import Fact, FailedLine, Nearest, Reason, WrongKind
from referee.judge.visibility import HIDDEN, PlayerSight

_TELLING = (WRONG_PLAYER, UNKNOWN_EVENT, BAD_ARGUMENT, GUARD)
"""Kinds of refusals, the most telling last."""

POINT = "."
"""Stands in the name of what is asked in the middle of something, and in no action's."""

_UNDECODED = {"player": WrongKind.UNKNOWN_PLAYER, "label": WrongKind.UNKNOWN_ACTION}


@dataclass(frozen=True, slots=True)
class Standing:
    """By what a legal event stands: action, its place, statements, conditions."""

    rule: str | None
    span: Span | None
    cites: tuple[str, ...]
    held: tuple[Fact, ...]


class Refusals:
    """Explains the wrong lines of one game to one viewer."""

    def __init__(self, walker: Walker, setting: Setting, names: Names, viewer: int | None,
                 reasons: LineReasons | None = None) -> None:
        self._reasons = reasons
        self._words = RuleWords(walker.flow, names)
        self._chance = ChanceWords(walker, self._words)
        self._walker = walker
        self._setting = setting
        self._names = names
        self._sight = PlayerSight(walker.flow, viewer)
        self._viewer = viewer
        self._seen = SeenRefusals(walker, self._sight)
        self._due = DueActions(walker, names, self._sight)

    def wrong(self, line: EventLine, event: Event, refused: Sequence[tuple[PossibleState, Refusal]]) -> FailedLine:
        """The wrong line of an event that every candidate refuses: by the refusal that tells most."""
        seen = [(here, self._seen.of(event, here.step, refusal)) for here, refusal in refused]
        here, told = max(reversed(seen), key=lambda pair: _telling(event, pair[1].refusal))
        refusal = told.refusal
        kind, message = self._said(event, refusal, here)
        origin = refusal.origin or self._point(here)
        because = self._because(event, refusal, here)
        failed, held = self._facts(refusal, event, here.step)
        if told.unseen:
            failed = (self._unseen_fact(told.unseen, refusal.origin),)
        cites = [cite for one in because[:1] if refusal.kind != GUARD for cite in one.cites]
        cites += [cite for fact in failed for cite in fact.cites]
        around = origin.cites if origin is not None else ()
        core = self._walker.core
        if core.statements_in(cites):  # the part that decides says itself what it rests on
            around = core.statements_in(around)
        return FailedLine(
            line.number, kind, line.do, message, refusal.action, origin.span if origin is not None else None,
            tuple(dict.fromkeys((*cites, *around))),
            failed, held, self.nearest_to(here, event),
            because=because,
        )

    def _because(self, event: Event, refusal: Refusal, here: PossibleState) -> tuple[Reason, ...]:
        """Why the game asks for something else, or an argument cannot be what it is."""
        if not isinstance(here.step, State) or self._reasons is None:
            return ()
        if refusal.by == {FATE}:
            told = self._of_chance(event, refusal, here.step)
            if told:
                return told
        if refusal.kind in (WRONG_PLAYER, UNKNOWN_EVENT):
            return self._reasons.elsewhere(here.step, event)
        if refusal.kind == GUARD:
            said, unseen = ConditionWords(self._walker, self._words, here.step), self._unseen_locals(event)
            conds = [one.guard.cond for one in refusal.failed if one.fault is None]
            parts = [part for cond in conds if self._sight.open(cond, event.by, unseen)
                     for part in said.deciding(cond, refusal.env)]
            return self._reasons.since(here.step, parts)
        if not self._sight.of_actor(event.by):
            return ()
        words = ArgumentWords(self._walker, self._words, here.step, self._reasons)
        around = refusal.origin.cites if refusal.origin is not None else ()
        kept = (reason for one in refusal.arguments[:1] if refusal.by == {FATE} and self._sight.all
                for reason in ChanceMistakes(self._walker, self._reasons).kept(here.step, one))
        for one in refusal.arguments[:1] if self._sight.all else ():
            number = tuple(words.number(one, refusal.env))
            if number:
                return (*self._reasons.stands(here.step), *number)
        found = (*kept, *(reason for one in refusal.arguments
                          if all(self._sight.open(which.source, event.by) for which in (one.param, one.lacking)
                                 if which is not None)
                          for reason in words.refused(one, refusal.env, around)))
        return (*found, *self._reasons.led(here.step)) if POINT in (refusal.action or "") else found

    def _of_chance(self, event: Event, refusal: Refusal, state: State) -> tuple[Reason, ...]:
        """Why chance has to decide something else, for somebody else or of another number."""
        if self._reasons is None:
            return ()
        if refusal.kind != BAD_ARGUMENT:
            return ChanceReasons(self._walker, self._reasons).missing(state, event)
        due = self._due_chance(state)
        if due is None or self._mistaken(due, event, refusal, state) is None:
            return ()
        return ChanceMistakes(self._walker, self._reasons).of(state, due, event, refusal.arguments)

    def _mistaken(self, due: DueChance | None, event: Event, refusal: Refusal, step: Step) -> str | None:
        """What an event gets wrong about what chance decides."""
        if due is None or not isinstance(step, State) or not self._sight.all:
            return None
        return self._chance.mistaken(due, event, refusal.arguments, step)

    def _due_chance(self, state: Step) -> DueChance | None:
        """What chance has to decide, if the viewer may know for whom and how many."""
        due = self._chance.due(state) if isinstance(state, State) else None
        if due is None or not all(self._sight.open(expr, FATE) for expr in due.asked):
            return None
        return due

    def standing(self, state: State, event: Event) -> Standing | None:
        """By what an event is legal at a state; None if it is not, or is a ruling."""
        try:
            if event.by == TABLE or self._walker.check(state, event) is not None:
                return None
            if not self._sight.all and self._seen.not_excluded(event, state) > 1:
                return None  # which of several ways it was may be hidden
            course = self._walker.course
            frame = course.frame(state)
            told = explain(event, course.offers(state.at, event.by, frame), frozenset((event.by,)), (), frame)
        except (Unsettled, Fault):
            return None
        _, held = self._facts(told, event, state)
        cites = [cite for fact in held for cite in fact.cites]
        cites += told.origin.cites if told.origin is not None else ()
        return Standing(told.action, told.origin.span if told.origin is not None else None,
                        tuple(dict.fromkeys(cites)), held)

    def _said(self, event: Event, refusal: Refusal, here: PossibleState) -> tuple[WrongKind, str]:
        who, what = self._names.who(event.by), self._names.event(event, self._unseen(event, here))
        drawn = self._due_chance(here.step) if refusal.by == {FATE} else None
        mistaken = self._mistaken(drawn, event, refusal, here.step)
        match refusal.kind:
            case "wrong player" if drawn is not None:
                return WrongKind.MISSING_EVENT, f"{drawn.text} first"
            case "unknown event" if drawn is not None:
                return WrongKind.ILLEGAL_MOVE, f"{drawn.text} first: no {event.label} is due here"
            case "bad argument" if mistaken is not None:
                return WrongKind.ILLEGAL_MOVE, mistaken
            case "wrong player":
                due = self._due.of(refusal, here)
                if self._forced(event, refusal, here):
                    return WrongKind.MISSING_EVENT, due.must
                return WrongKind.WRONG_PLAYER, due.instead_of(who, event)
            case "unknown event":
                only = either(self._due.labels(refusal, here, event.by))
                return WrongKind.ILLEGAL_MOVE, f"{who} may not {event.label} here, only {only}"
            case "bad argument":
                shapes = [problem for problem in refusal.arguments if problem.why != "not allowed"]
                kind = WrongKind.BAD_ARGUMENT if shapes else WrongKind.ILLEGAL_MOVE
                return kind, "; ".join(self._argument(problem, event, here) for problem in refusal.arguments)
            case _:  # a kind of refusal is a word, not one of a union: this is `GUARD`
                return WrongKind.ILLEGAL_MOVE, f"{who} may not {what}"

    def _forced(self, event: Event, refusal: Refusal, here: PossibleState) -> bool:
        """Whether something had to happen first that nobody could have chosen otherwise, as far as can be told."""
        if refusal.by in ({FATE}, {TABLE}):
            return event.by not in refusal.by
        if not all(map(self._sight.of_actor, refusal.by)):
            return False
        if event.by < 0 or len(refusal.labels) > 1 or event.label in refusal.labels or not isinstance(here.step, State):
            return False
        # Told by the rules alone: how many options there are for a player may be for him alone to know.
        node = self._walker.course.point(here.step.at)
        match node:
            case Ask() | Gather():
                return not any(param.arg is not None for one in offered(node) for param in one.params)
            case Draw() | Rule():
                return True
            case _:
                assert_never(node)

    def _argument(self, problem: ArgumentProblem, event: Event, here: PossibleState) -> str:
        unseen = self._not_seen_by if problem.arg in self._unseen(event, here) else ""
        return argument_sentence(self._names, problem, unseen=unseen, asked=self._sight.of_actor(event.by))

    @property
    def _not_seen_by(self) -> str:
        """Who does not see what is not told, in words."""
        public = self._viewer is None or self._viewer < 0
        return "not everybody sees" if public else f"{self._names.who(self._viewer or 0)} does not see"

    def _unseen(self, event: Event, here: PossibleState) -> set[str]:
        """The arguments of somebody else's event that the viewer might not have seen, had it been legal."""
        if self._sight.of_actor(event.by) or not isinstance(here.step, State):
            return set()
        node = self._walker.course.point(here.step.at)
        match node:
            case Gather():
                return {name for name, _ in event.args} if node.hidden else self._seen_by_some(event)
            case Ask() | Draw() | Rule():
                return self._seen_by_some(event)
            case _:
                assert_never(node)

    def _seen_by_some(self, event: Event) -> set[str]:
        return {p.arg for p in self._secret_params(event) if p.arg is not None}

    def _unseen_locals(self, event: Event) -> set[str]:
        """What conditions call the arguments of somebody else's event that the viewer might not have seen."""
        return set() if self._sight.of_actor(event.by) else {p.name for p in self._secret_params(event)}

    def _secret_params(self, event: Event) -> list[Param]:
        actions = self._walker.core.actions.values()
        return [p for a in actions if a.label == event.label for p in a.params if p.seen is not None]

    def _facts(self, refusal: Refusal, event: Event, step: Step) -> tuple[tuple[Fact, ...], tuple[Fact, ...]]:
        """The conditions that failed, and those that held and had to be tested."""
        if not isinstance(step, State):
            return (tuple(self._fact(one, event) for one in refusal.failed),
                    tuple(self._fact(one, event) for one in refusal.held))
        said, unseen = ConditionWords(self._walker, self._words, step), self._unseen_locals(event)
        failed, held = [], []
        own = refusal.origin.cites if refusal.origin is not None else ()
        for tested in refusal.failed:
            fact, cond = self._fact(tested, event), tested.guard.cond
            told = tested.fault is None and self._sight.open(cond, event.by, unseen)
            parts = said.deciding(cond, refusal.env) if told else ()
            first, then = fact.cites, said.cites(parts)
            cites = (*then, *first) if first == own else (*first, *then)
            shows = said.shows(parts, needed=True) or fact.shows
            failed.append(replace(fact, shows=shows, cites=tuple(dict.fromkeys(cites))))
        for tested in refusal.held:
            fact, cond = self._fact(tested, event), tested.guard.cond
            if not self._sight.open(cond, event.by, unseen):
                held.append(fact)
            elif said.applies(cond, refusal.env) and said.matters(parts := said.deciding(cond, refusal.env)):
                held.append(replace(fact, shows=said.shows(parts, needed=False) or fact.shows))
        return tuple(failed), tuple(held)

    def _fact(self, tested: Tested, event: Event) -> Fact:
        exprs, actor, unseen = dict(tested.guard.shows), event.by, self._unseen_locals(event)
        shows: list[tuple[str, str]] = []
        for shown in tested.values:
            told = shown.text not in exprs or self._sight.open(exprs[shown.text], actor, unseen)
            shows.append((shown.text, self._names.value(shown.value, shown.type) if told else HIDDEN))
        if not self._sight.open(tested.guard.cond, actor, unseen):  # nor is told whether it has a value
            given = {shown.text: text for shown, (_, text) in zip(tested.values, shows, strict=True)}
            shows = [(text, given.get(text, HIDDEN)) for text in exprs]
        elif tested.fault is not None:
            shows.append(("no value", tested.fault))
        return Fact(tested.guard.text, tuple(shows), tested.guard.origin.cites, tested.guard.origin.span,
                    forbids=tested.guard.forbids)

    def _unseen_fact(self, texts: tuple[str, ...], origin: Origin | None) -> Fact:
        """One telling for all conditions that read what the viewer does not see."""
        return Fact(f"a condition that reads what {self._not_seen_by}", tuple((text, HIDDEN) for text in texts),
                    () if origin is None else origin.cites, None if origin is None else origin.span)

    def nearest_to(self, here: PossibleState, event: Event | None) -> tuple[Nearest, ...]:
        """The legal lines that are nearest to an event where the game may stand."""
        if not isinstance(here.step, State):
            return ()
        return nearest(self._walker, self._setting, self._names, self._sight, here.step, event)

    def _point(self, here: PossibleState) -> Origin | None:
        if not isinstance(here.step, State):
            return None
        try:
            return self._walker.asked(here.step).point.origin
        except (Unsettled, Fault):
            return None

    def undecoded(
        self, line: EventLine, problems: Sequence[DecodeProblem], alive: Sequence[PossibleState]
    ) -> FailedLine:
        """The wrong line of an event that no state could accept: a stranger, an unknown action, arguments amiss.

        `alive`: where the game may stand, first as the log has it, then after passes and rulings that it need not
        state.
        """
        kind = _UNDECODED.get(problems[0].kind, WrongKind.BAD_ARGUMENT)
        said = [one.message + (f"; {one.hint}" if one.hint else "") for one in problems]
        if line.do == RULE and problems[0].where == RULED_POINT:
            return self._misruled(line, said[0], alive)
        cites = self._cited_for(line.do, alive[0]) if alive and kind is WrongKind.BAD_ARGUMENT else ()
        players = self._setting.players
        meant = Event(players.index(line.by), line.do, ()) if cites and line.by in players else None
        near = self.nearest_to(self._meant_at(meant, alive), meant) if alive else ()
        return FailedLine(line.number, kind, line.do, "; ".join(said), cites=cites, nearest=near)

    def _misruled(self, line: EventLine, message: str, alive: Sequence[PossibleState]) -> FailedLine:
        """The wrong line of a ruling that names no point: with the point that is due, if the table rules on one."""
        due = self._due.ruling(alive)
        origin = due[1] if due is not None else self._point(alive[0]) if alive else None
        text = f"{message}, it must rule on {due[0]}" if due is not None else message
        return FailedLine(line.number, WrongKind.BAD_ARGUMENT, line.do, text,
                          span=None if origin is None else origin.span,
                          cites=() if origin is None else self._words.all_cites(origin),
                          nearest=self.nearest_to(alive[0], None) if alive else ())

    def _meant_at(self, meant: Event | None, alive: Sequence[PossibleState]) -> PossibleState:
        """The first candidate at which somebody could do what he meant; for a player, whose passes are not told, and if
        there is none, the first."""
        for here in alive if meant is not None and self._sight.all else ():
            if isinstance(here.step, State) and meant is not None and meant.by in self._walker.who(here.step):
                node = offers(self._walker.flow.nodes[here.step.at])
                if node is not None and any(one.label == meant.label for one in offered(node)):
                    return here
        return alive[0]

    def _cited_for(self, label: str, here: PossibleState) -> tuple[str, ...]:
        """What is cited by the actions of a label: by those that are asked for here, if any is."""
        node = offers(self._walker.flow.nodes[here.step.at]) if isinstance(here.step, State) else None
        asked = [] if node is None else [one.origin for one in offered(node) if one.label == label]
        found = asked or [one.origin for one in self._walker.core.actions.values() if one.label == label]
        return tuple(dict.fromkeys(cite for origin in found for cite in origin.cites))

    def early(self, line: int, here: PossibleState) -> FailedLine:
        """The wrong line of an end before the game is over."""
        message, origin = "the game is not over", self._point(here)
        because: tuple[Reason, ...] = ()
        amid = False
        if isinstance(here.step, State):
            because = () if self._reasons is None else not_over(here.step, self._reasons)
            try:
                asked = self._walker.asked(here.step)
            except (Unsettled, Fault):
                pass
            else:
                due = self._due_chance(here.step)
                message += f": it waits for {self._due.awaited(here.step, asked.by)}" if due is None else (
                    f": {due.text} first")
                amid = not self._due.in_turn(here.step, asked.by)
        cites = dict.fromkeys(cite for one in because for cite in one.cites)
        if origin is not None and (amid or not cites):
            cites.update(dict.fromkeys(origin.cites))
        return FailedLine(line, WrongKind.EARLY_END, "end", message, None, origin.span if origin is not None else None,
                          tuple(cites),
                          nearest=self.nearest_to(here, None), because=because)

    def late(self, line: EventLine, how: str, here: PossibleState | None = None) -> FailedLine:
        """The wrong line of an event after the end. `here`: where the rules had ended the game, if it is known."""
        because: tuple[Reason, ...] = ()
        if here is not None and isinstance(here.step, Ended) and self._reasons is not None:
            because = how_it_ended(here.step, self._reasons)
            line_of_end = self._reasons.last_line
            how += "" if line_of_end is None else f" since line {line_of_end}"
            how += f": {self._names.won(here.step.winners)}"
        cites = dict.fromkeys(cite for one in because for cite in one.cites)
        return FailedLine(line.number, WrongKind.EVENT_AFTER_END, line.do, f"{line.by}: {line.do}, but {how}",
                          cites=tuple(cites), because=because)

    def unsound(self, line: int, what: str, here: PossibleState) -> FailedLine:
        """The wrong line that leads to a state which the rules exclude."""
        state = here.step.state if isinstance(here.step, Ended) else here.step
        broken = self._walker.broken(state) if isinstance(state, State) else ()
        origins = [one.tested.guard.origin for one in broken]
        because: tuple[Reason, ...] = ()
        if self._reasons is not None and isinstance(state, State):
            because = ValueStory(self._reasons).of_broken(state, broken).because
        made = [cite for one in because[:1] for cite in one.cites]
        return FailedLine(
            line, WrongKind.BROKEN_INVARIANT, what, "; ".join(one.name for one in broken),
            broken[0].name if broken else None, origins[0].span if origins else None,
            tuple(dict.fromkeys((*(c for origin in origins for c in origin.cites), *made))),
            tuple(self._fact(one.tested, Event(TABLE, what, ())) for one in broken), because=because,
        )


def _telling(event: Event, refusal: Refusal) -> int:
    """How much a refusal tells of an event: where somebody else could do this, it tells more than that others could
    be done."""
    alike = refusal.kind == WRONG_PLAYER and event.label in refusal.labels
    return 2 * _TELLING.index(UNKNOWN_EVENT if alike else refusal.kind) + alike
