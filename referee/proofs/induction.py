"""Proofs by induction on slices, led by what is to be shown: a lemma is looked for where a step would break something.

To show that something holds at a place, every kind of step that leads there is looked at. Where a step may break it,
Z3 gives a position from which it does; what matters of it is kept, and a lemma is guessed that excludes it and that all
positions seen at its place agree with. The lemma is to be shown in turn. What a step cannot touch holds after it if it
held before. A lemma that some step does not keep is given up, with all that stood on it, and what the step made of a
position that was seen counts as seen from then on. (After IC3: Bradley, VMCAI 2011; learning from implications: Garg,
Löding, Madhusudan and Neider, CAV 2014.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from referee.core.flow import Flow, point_of
from referee.game.state import State
from referee.proofs.claim_places import is_meant
from referee.proofs.lemmas.lemma import NEVER, Lemma, lemma, lemmas_of, portable
from referee.proofs.lemmas.lemma_candidates import Guesser, LemmaOffer
from referee.proofs.lemmas.lemma_templates import Feature, features_of
from referee.proofs.lemmas.precondition_lemmas import EXACT, pulled_back
from referee.proofs.proof_claims import Claim
from referee.proofs.proof_outcomes import LATE, NotShown, ShortOf
from referee.proofs.slice_visits import END
from referee.proofs.sliced_steps import Steps
from referee.proofs.step_questions import QUESTION, AskedStep, Goal, Question, said
from referee.proofs.visited_slices import Visited
from referee.smt import term
from referee.smt.abstraction.known_slices import in_model, terms_of
from referee.smt.abstraction.relevance import Model, TermUnknowns
from referee.smt.abstraction.slices import SPOTS, Sliced
from referee.smt.abstraction.weakest_precondition import PositionBefore
from referee.smt.solver import Answer, Solver, memory_is_short
from referee.smt.term import Cond
from referee.system.deadline import Deadline

TRIES = 60
"""Positions that are to be excluded before one step is given up for one lemma."""
AGAIN = 8
"""How often lemmas for one step may turn out wrong before what they were for is given up."""
OFFERED = 40
"""Likely guesses that are tried together."""
SHAPES = 200
"""Lemmas of other places that are tried too, the latest ones."""
MORE_SIDES = 2
"""How many sides a lemma may have more than the claim has."""
FOLLOWED = 6
"""Positions that were seen of which it is tried what a step makes, before nothing is learnt."""
FROM_CLAIM, KNOWN_SHAPE, NEAR_SHAPE, FAR_SHAPE, ALONE, SELDOM = -2.0, -1.0, 1.5, 20.0, 0.0, 30.0
"""Ranks of lemmas beside those of guesses: what the claim says; what was wanted elsewhere (where something was seen;
where nothing was, but places before agree; or not); what is left without a guess (of much, of little that was seen)."""
SELDOM_SEEN = 25
"""With fewer positions that were seen at a place, little was seen there."""

_Stands = frozenset[Goal] | None


class Induction:
    """Lemmas at places, wanted for a claim and shown, until it stands or falls.

    `until`: when to stop trying; `seen`: positions of games by place, from which lemmas are
    guessed; `focus`: the components that they may be looked at for; `exact`: just what a step needs comes before any
    guess; `patience`: after how many questions that failed on something not kept no more is tried, if there is more to
    keep; `why`: why the claim was given up.
    """

    def __init__(
        self, flow: Flow, steps: Steps, claim: Claim, until: Deadline, seen: Mapping[int, Sequence[State]],
        focus: Sequence[int], exact: bool = False, patience: int | None = None,
    ) -> None:
        self.flow, self.steps, self.claim, self.until, self._exact = flow, steps, claim, until, exact
        self._patience, self._lacked, self._states = patience, 0, seen
        self.why: NotShown | None = None
        self._parts = lemmas_of(claim)
        self._most_sides = max((len(one.sides) for one in self._parts), default=0) + MORE_SIDES
        self._asked = [AskedStep(kind, steps) for kind in steps.kinds()]
        self._into: dict[int, list[int]] = {}
        for number, asked in enumerate(self._asked):
            for target in asked.kind.targets:
                self._into.setdefault(target, []).append(number)
        into = {place: [self._asked[number] for number in numbers] for place, numbers in self._into.items()}
        self._seen = Visited(steps.slice, into, seen, focus, until)
        self.missed: Counter[str] = Counter()
        """The variables and zones that are not kept and on which it hung that a step kept something."""
        self._goals: dict[int, list[Goal]] = {}
        self._following: dict[int, list[Lemma]] = {}
        self._wrong: set[tuple[int, str]] = set()
        self._waiting: list[Goal] = []
        self._shapes: dict[str, Lemma] = {}
        self._unknowns = TermUnknowns()
        self._free = self._unknowns.of_all(terms_of(steps.before))
        self._before = PositionBefore(steps.before, self._unknowns)
        self._features = list(self._different(features_of(steps.slice, claim)))
        self._guesser = Guesser([feature for feature, _ in self._features])

    def _different(self, features: Iterable[Feature]) -> Iterable[tuple[Feature, frozenset[int]]]:
        """Features, each with the unknowns it is made of; of those that are the same term the first."""
        found: dict[int, tuple[Feature, frozenset[int]]] = {}
        for feature in features:
            read = feature.read(self.steps.before)
            if not term.known(read):
                found.setdefault(term.name_of(read), (feature, self._unknowns.of(read)))
        self.steps.slice.true.clear()
        return found.values()

    @property
    def lemmas(self) -> tuple[str, ...]:
        """The lemmas that are wanted or shown, each with its place: a point, or a step by its number."""
        return tuple(f"{self._said(place)}: {goal.lemma.name}" for place in sorted(self._goals)
                     for goal in self._goals[place])

    @property
    def facts(self) -> Mapping[int, Sequence[Lemma]]:
        """What is wanted or shown at places and can be said of other slices too."""
        if self.steps.slice.groups.focus is not None:
            return {}
        held = {place: [goal.lemma for goal in goals] for place, goals in self._goals.items()}
        for place, parts in self._following.items():
            held.setdefault(place, []).extend(parts)
        return {place: [one for one in lemmas if portable(one)] for place, lemmas in held.items()}

    @property
    def wrong(self) -> int:
        """How many lemmas turned out wrong."""
        return len(self._wrong)

    def _said(self, place: int) -> str:
        if place == END:
            return "at the end"
        point = point_of(self.flow.nodes[place])
        return f"before step {place}" if point is None else f"at {point.name}"

    # ------------------------------------------------------------------ goals
    def by_type(self) -> bool:
        """Whether the claim holds of whatever the types allow, with each component somewhere once."""
        solver = Solver(QUESTION)
        solver.add(*self.steps.true)
        told = [said(part, self.steps.before) for part in self._parts]
        solver.add(*(t for _, true in told for t in true), term.disj(term.no(cond) for cond, _ in told))
        return solver.ask() is Answer.NO

    def run(self) -> bool:
        """Whether the claim holds in every game. Raises `Unencodable`."""
        for place in sorted(self._into):
            if is_meant(self.flow, self.claim, place):
                for part in self._parts:
                    self._want(part, place)
        if not self._all_shown():
            return False
        inside = [n for n, _ in enumerate(self._asked) if self.steps.inside is not None]
        while True:
            stands = [self._kept_inside(number) for number in inside]
            if None in stands or not self._all_shown():
                return False
            if not any(goal.gone for on in stands for goal in on or ()):
                return True

    def follows(self) -> bool:
        """Whether the claim holds wherever it is meant by what was shown there for other claims, with each component
        somewhere once."""
        places = [place for place in self._into if is_meant(self.flow, self.claim, place)]
        if self.claim.inside or not all(map(self._follows_at, places)):
            return False
        self._following = {place: list(self._parts) for place in places}
        return True

    def _follows_at(self, place: int) -> bool:
        facts = [one for one in self.steps.known.get(place, ()) if self.steps.slice.keeps(one.reads)]
        if not facts:
            return False
        solver = Solver(QUESTION)
        solver.add(*self.steps.true)
        for fact in facts:
            cond, true = said(fact, self.steps.before)
            solver.add(cond, *true)
        told = [said(part, self.steps.before) for part in self._parts]
        solver.add(*(t for _, true in told for t in true), term.disj(term.no(cond) for cond, _ in told))
        return self._answer(solver) is Answer.NO

    def _all_shown(self) -> bool:
        while self._waiting:
            if self.until.passed or (self._patience is not None and self._lacked > self._patience):
                self.why = LATE
                return False
            if memory_is_short():
                for asked in self._asked:
                    asked.forget()
            goal = max(reversed(self._waiting), key=lambda one: len(self._states.get(one.place, ())))
            self._waiting.remove(goal)  # what holds where much was seen is found first, and offered elsewhere
            if not goal.gone and not self._shown(goal) and self._is_claim(goal):
                return False
        return True

    def _is_claim(self, goal: Goal) -> bool:
        """Whether a goal is part of the claim where it is to hold."""
        return goal.lemma.claim is not None and is_meant(self.flow, self.claim, goal.place)

    def _want(self, one: Lemma, place: int) -> Goal:
        for goal in self._goals.setdefault(place, []):
            if goal.lemma.name == one.name:
                return goal
        goal = Goal(one, place)
        self._shapes[one.name] = one
        self._goals[place].append(goal)
        self._waiting.append(goal)
        return goal

    def _shown(self, goal: Goal) -> bool:
        """Whether every step keeps a goal, as far as can be told now; if not, it is given up."""
        for number in self._into.get(goal.place, ()):
            if number in goal.done:
                continue
            stands = self._stands(number, goal)
            if goal.gone:  # something that was learnt on the way speaks against it
                return False
            if stands is None:
                self._give_up(goal, self._asked[number].kind.text)
                return False
            goal.done[number] = stands
        return True

    def _give_up(self, goal: Goal, step: str) -> None:
        goal.gone = True
        self._wrong.add((goal.place, goal.lemma.name))
        self._goals[goal.place].remove(goal)
        if self._is_claim(goal):
            self.why = self.why or (LATE if self.until.passed else NotShown(ShortOf.LEMMAS, f"not kept by {step}"))
        for other in (one for goals in self._goals.values() for one in goals):
            lost = [number for number, on in other.done.items() if goal in on]
            for number in lost:
                del other.done[number]
            if lost and other not in self._waiting:
                self._waiting.append(other)

    def _stands(self, number: int, goal: Goal) -> _Stands:
        """The goals on which it stands that a step keeps a goal; None if it does not."""
        asked = self._asked[number]
        start = asked.kind.start
        goal.tries[number] = goal.tries.get(number, 0) + 1
        if goal.tries[number] > AGAIN:
            return None
        touched = goal.lemma.reads & asked.kind.writes
        if start is not None and not touched and (start, goal.lemma.name) not in self._wrong:
            if not self._seen.of_games(start).violates(goal.lemma):
                return frozenset((self._want(goal.lemma, start),))
        step, _, _ = asked.made
        reached = asked.reached(goal.place)
        cond, true = said(goal.lemma, step.after)
        if reached is False or cond is True:
            return frozenset()
        question = self._question(number, term.conj((reached, term.no(cond), *true)), goal.lemma, goal)
        if question.exact is not None and (start, question.exact.name) in self._wrong:
            return None
        return self._never(question)

    def _kept_inside(self, number: int) -> _Stands:
        """The goals on which it stands that the claim holds after every statement of a step; None if it does not."""
        step, _, _ = self._asked[number].made
        if step.broken is False:
            return frozenset()
        stands = self._never(self._question(number, step.broken, self._parts[0], None))
        if stands is None:
            text = f"not kept inside {self._asked[number].kind.text}"
            self.why = self.why or (LATE if self.until.passed else NotShown(ShortOf.LEMMAS, text))
        return stands

    # ------------------------------------------------------------------ questions
    def _question(self, number: int, bad: Cond, shown: Lemma, goal: Goal | None) -> Question:
        asked = self._asked[number]
        step, _, _ = asked.made
        sides = tuple(side for side in shown.sides if not side.reads & asked.kind.writes)
        whole = term.conj((step.possible, *step.true, bad))
        told = f"{asked.kind.text} ({number}) to {'any place' if goal is None else goal.place}"
        exact = pulled_back(shown, told, whole, self._before) if self._exact else None
        return Question(asked, whole, sides, goal, exact)

    def _answer(self, solver: Solver, assumed: Sequence[Cond] = ()) -> Answer:
        solver.bound(max(0.01, min(QUESTION, self.until.seconds_left)))
        return solver.ask(*assumed)

    def _never(self, question: Question) -> _Stands:
        """The goals that keep a step from doing what is asked, with lemmas wanted for it; None if there are none.

        Lemmas are offered in the order of their ranks, no more than exclude every position that Z3 finds.
        """
        start = question.asked.kind.start
        _, _, solver = question.asked.made
        known = question.asked.flags(self._goals.get(start, [])) if start is not None else {}
        pool: dict[str, tuple[LemmaOffer, Cond]] = {}
        limit = FROM_CLAIM - 1
        solver.push()
        solver.add(question.whole)
        try:
            for _ in range(TRIES):
                goals = {goal: flag for goal, flag in known.items() if not goal.gone}
                ready = [(offer, flag) for offer, flag in pool.values() if offer.rank <= limit]
                answer = self._answer(solver, [*goals.values(), *(flag for _, flag in ready)])
                if answer is Answer.NO:
                    return self._least(question, goals, ready)
                if answer is Answer.UNKNOWN or start is None:
                    return None
                offers = self._offers(question, solver)
                if not offers:
                    self.missed.update(anew := self._unknowns.read_anew(question.whole))
                    self._lacked += any(not name.endswith(SPOTS) for name in self.steps.slice.lacks(anew))
                    return None
                for offer in offers:
                    if offer.lemma.name not in pool:
                        pool[offer.lemma.name] = offer, question.asked.flag(offer.lemma, solver)
                limit = max(limit, min(offer.rank for offer in offers))
            return None
        finally:
            solver.pop()

    def _least(self, question: Question, goals: dict[Goal, Cond], ready: list[tuple[LemmaOffer, Cond]]) -> _Stands:
        """What is needed for the last `no`: lemmas that can be done without are, those of a high rank first."""
        _, _, solver = question.asked.made
        core = solver.core()
        needed = {goal: flag for goal, flag in goals.items() if term.name_of(flag) in core}
        chosen = [one for one in ready if term.name_of(one[1]) in core]
        for one in sorted(chosen, key=lambda c: (-c[0].rank, len(c[0].lemma.sides))):
            if one not in chosen:
                continue
            rest = [other for other in chosen if other is not one]
            if self._answer(solver, [*needed.values(), *(flag for _, flag in rest)]) is Answer.NO:
                core = solver.core()
                needed = {goal: flag for goal, flag in needed.items() if term.name_of(flag) in core}
                chosen = [other for other in rest if term.name_of(other[1]) in core]
        start = question.asked.kind.start
        wanted = (self._want(offer.lemma, start) for offer, _ in chosen) if start is not None else ()
        return frozenset((*needed, *wanted))

    # ------------------------------------------------------------------ lemmas
    def _offers(self, question: Question, solver: Solver) -> list[LemmaOffer]:
        """Lemmas that exclude the position of the solver's model; without any, the step may be as it says."""
        model = solver.model()
        position = in_model(self.steps.before, model)
        found = self._known_ones(question, position)
        if any(offer.lemma is question.exact for offer in found):  # with it, nothing is left to be guessed
            self.steps.slice.true.clear()
            return found
        needed = self._unknowns.needed(question.whole, model, self._free)
        relevant = [feature for feature, of in self._features if of <= needed]
        wider = [one for one, of in self._features if of & needed and not of <= needed and len(of) <= one.wide]
        found += self._guessed(question, position, [*relevant, *wider])
        self.steps.slice.true.clear()
        if not found:
            self._learn(question, position, relevant, model)
        likely = [offer for offer in found if offer.likely]
        return likely or found[:5]

    def _known_ones(self, question: Question, position: Sliced) -> list[LemmaOffer]:
        """Lemmas that were wanted at other places, and what is left of what is to be shown without a guess."""
        place = question.asked.kind.start
        assert place is not None
        there = self._seen[place]
        near = [] if there.stores else self._seen.before(place)
        goal, found = question.goal, []
        for one in list(self._shapes.values())[-SHAPES:]:
            if one.pulled and (goal is None or one.name != goal.lemma.name):
                continue  # it says what one step needs
            if (place, one.name) in self._wrong or one.holds(position) is not False or there.violates(one):
                continue
            if one.claim is not None and self.claim.at is None:
                rank = FROM_CLAIM
            elif there.stores:
                rank = KNOWN_SHAPE
            elif any(other.violates(one) for other in near):
                rank = FAR_SHAPE
            else:  # what is to hold after a step most likely holds before it
                rank = KNOWN_SHAPE if goal is not None and one.name == goal.lemma.name else NEAR_SHAPE
            found.append(LemmaOffer(one, rank - len(one.sides) / 100))  # of two, the one that says less
        exact = question.exact
        if exact is not None and (place, exact.name) not in self._wrong and not there.violates(exact):
            found.append(LemmaOffer(exact, EXACT))
        if question.sides and not there.outside(question.sides):
            left = lemma(question.sides)
            if (place, left.name) not in self._wrong:
                found.append(LemmaOffer(left, ALONE if len(there.stores) >= SELDOM_SEEN else SELDOM))
        return found

    def _guessed(self, question: Question, position: Sliced, relevant: Sequence[Feature]) -> list[LemmaOffer]:
        """Lemmas with a new side: it need hold only where those sides do not that the step cannot touch."""
        place = question.asked.kind.start
        assert place is not None
        there = self._seen[place]
        many = there.outside(question.sides) or list(range(len(there.stores)))
        found: list[LemmaOffer] = []
        for guess in self._guesser.excluding(position, relevant, there, many):
            likely = sum(offer.likely for offer in found)
            if likely >= OFFERED or (guess is None and likely):
                break
            if guess is None:
                continue
            new = [] if guess.clause == NEVER and question.sides else [guess.clause.side()]
            made = lemma([*question.sides, *new])
            if len(made.sides) <= self._most_sides and (place, made.name) not in self._wrong:
                found.append(LemmaOffer(made, guess.rank, guess.likely))
        return found

    def _learn(self, question: Question, position: Sliced, relevant: Sequence[Feature], model: Model) -> None:
        """What a step makes of a position that was seen counts as seen: what it breaks is given up."""
        goal, place = question.goal, question.asked.kind.start
        if goal is None or place is None:
            return
        there = self._seen[place]
        cube = [(there.of(feature), feature.at(position)) for feature in relevant]
        inside = [i for i in range(len(there.stores)) if all(values[i] == value for values, value in cube)]
        step, _, _ = question.asked.made
        for i in inside[:FOLLOWED]:
            pairs = zip(terms_of(self.steps.before), terms_of(there.stores[i]), strict=True)
            instead = self._unknowns.instead(model, pairs)
            if instead(question.whole) is True:
                made = in_model(step.after, instead)
                self._seen[goal.place].add(made)
                self._refute(goal, made, question.asked.kind.text)
                self.steps.slice.true.clear()
                return

    def _refute(self, goal: Goal, made: Sliced, step: str) -> None:
        """Gives up the other goals of a place that a position there breaks, but for the claim where it is to hold."""
        for other in [one for one in self._goals.get(goal.place, ()) if one is not goal]:
            if not self._is_claim(other) and other.lemma.holds(made) is False:
                self._give_up(other, step)
