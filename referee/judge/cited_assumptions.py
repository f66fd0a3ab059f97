"""What a wrong line is judged by: statements of the rulebook told apart from what the ruleset assumes."""

from __future__ import annotations

from dataclasses import replace

from referee.core.ruleset import Core
from referee.judge.verdict import Fact, FailedLine


def told_apart(core: Core, wrong: FailedLine) -> FailedLine:
    """A wrong line whose `cites` are statements only, and whose assumptions stand by themselves."""
    if not core.assumptions:
        return wrong
    cited = dict.fromkeys((*wrong.cites, *(cite for one in wrong.because for cite in one.cites)))
    return replace(wrong, cites=core.statements_in(wrong.cites), assumed=core.assumptions_in(cited),
                   failed=told_apart_facts(core, wrong.failed), held=told_apart_facts(core, wrong.held),
                   because=tuple(replace(one, cites=core.statements_in(one.cites),
                                         assumed=core.assumptions_in(one.cites)) for one in wrong.because))


def told_apart_facts(core: Core, facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """Conditions of which the same holds."""
    return tuple(replace(fact, cites=core.statements_in(fact.cites), assumed=core.assumptions_in(fact.cites))
                 for fact in facts)
