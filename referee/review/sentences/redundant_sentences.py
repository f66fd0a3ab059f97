"""redundant: a sentence of the rulebook of which the rules could do without: taken out, its lines change nothing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from referee.analysis.position_words import Words
from referee.core.ruleset import Core
from referee.flow.lowering import lower
from referee.frontend.names.other_answers import OtherAnswer
from referee.frontend.names.tree_access import cited, nodes
from referee.interpreter.walker import Walker
from referee.other_rules.without_statement import Line, without_statements
from referee.review.finding import Finding, FindingOutcome, absent, bounded, some
from referee.review.questions.noted_games import noted_games
from referee.review.questions.parting import Comparison
from referee.review.questions.trials import AnswerTrial, AnswerTrials
from referee.review.subject import Subject
from referee.syntax.syntax_tree import Node

CODE = "redundant"
GAMES = 40
"""So many games are played by the rules at most."""
ENOUGH = 5
"""In so many games a sentence has to come up before it is told that it changes nothing."""


def redundant(subject: Subject) -> Iterator[Finding]:
    """Statements whose lines come up in games, and change nothing there if they are taken out."""
    core, answers = without_statements(subject.core, list(cited_lines(subject)))
    if not answers:
        yield absent(CODE, "no statement of a rulebook has lines of its own that could be taken out")
        return
    trials = [one for one in _tried(subject, core, answers) if not one[0].told and not one[0].failed]
    idle = [(one, games) for one, games in trials if games >= ENOUGH]
    for one, games in idle:
        yield _found(one, games)
    seldom = [one.answer.name for one, games in trials if games < ENOUGH]
    if seldom:
        which = f"each of {len(answers)} statements" if not idle else f"each of {len(answers) - len(idle)} others"
        said = f"{which} changes something in some game, or came up in fewer than {ENOUGH}"
        yield bounded(CODE, f"{said}: {some(seldom)}")
    elif not idle:
        yield absent(CODE, f"each of {len(answers)} statements of which all lines can be taken out changes some game")


def _tried(subject: Subject, core: Core, answers: tuple[OtherAnswer, ...]) -> list[tuple[AnswerTrial, int]]:
    """Each statement, and in how many games it came up."""
    walker = Walker(lower(core))
    trials = AnswerTrials(walker, Comparison(walker, Words(walker, subject.players)))
    every = {one.index: AnswerTrial(one) for one in answers}
    came = dict.fromkeys(every, 0)
    effort = subject.effort
    games = noted_games(walker, subject.players, effort.seed, effort.events, subject.clock)
    for game in islice(games, min(effort.games, GAMES)):
        met = set().union(*game.offers, *game.effects)
        for index, trial in every.items():
            if index in met and not trial.told and not trial.failed:
                came[index] += 1
                trials.look(trial, game, subject.clock)
    return [(trial, came[index]) for index, trial in every.items()]


def cited_lines(subject: Subject) -> Iterator[tuple[str, Line]]:
    """Each line of the rules that cites a statement, outside of scenarios and what is said about findings."""
    for tree in subject.loaded.trees:
        yield from _cited_in(tree)


def _cited_in(part: Node) -> Iterator[tuple[str, Line]]:
    for child in nodes(part):
        if child.kind in ("scenario", "accept", "settled"):
            continue
        if child.kind == "cite":
            yield from ((name, (child.span.path, child.span.line)) for name in cited(child))
        yield from _cited_in(child)


def _found(trial: AnswerTrial, games: int) -> Finding:
    answer = trial.answer
    spans = tuple(dict.fromkeys(one.span for one in answer.origins))
    did = f", though it did something {trial.forks} times that could not be seen later" if trial.forks else ""
    return Finding(
        CODE, FindingOutcome.CANDIDATE, f"if what {answer.name} says is taken out, nothing changes", answer.name, spans,
        (answer.name,), notes=(f"it came up in {games} games{did}",),
        settle="a rule under which the sentence is of use, or none of its lines",
    )  # fmt: skip
