"""Questions that are answered by words of the rulebook, `settled "QUESTION" by [IDS] "WORDS"`, or an assumption."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from referee.core.ruleset import Core, DeclaredAssumption, SettledQuestion
from referee.core.stmt import Origin
from referee.diagnostics.diagnostic import Diagnostic, Reporter, Severity
from referee.frontend.loading.remarks.declared_assumptions import may_be_cited
from referee.frontend.names.tree_access import ids, nodes, text, words
from referee.syntax.syntax_tree import Node

SETTLED = "settled"
"""The declaration, as the grammar calls it."""
_ID = re.compile(r"question/\S+/[a-z_]+(\.[a-z_]+)?")


def settled(
    decls: Iterable[Node], statements: Collection[str], assumptions: Collection[str], reporter: Reporter
) -> tuple[SettledQuestion, ...]:
    """The answers, each question once. An error is reported for what cannot be the name of one, for one that is
    answered a second time, and for an answer without words that no assumption gives; an assumption that is yet to be
    written is asked for by `check_citations` alone."""
    found: dict[str, SettledQuestion] = {}
    for decl in decls:
        name, *said = words(decl, "STRING")
        called, quoted = text(name), "".join(map(text, said))
        cites = tuple(dict.fromkeys(one for cite in nodes(decl, "cite") for one in ids(cite)))
        if not _ID.fullmatch(called):
            expected = ('`"question/PLACE/DIMENSION.ANSWER"`, as `referee review` names it',)
            reporter.error("SQ01", f"{called[:60] or 'nothing'} is no name of a question", name.span, expected=expected)
        elif called in found:
            note = (("it is answered here", found[called].origin.span),)
            reporter.error("SQ02", f"{called} is answered a second time", name.span, notes=note)
        elif not said and not any(cite in assumptions for cite in cites):
            if all(may_be_cited(cite, statements, assumptions) for cite in cites):
                reporter.error("SQ04", f"which words of {' or '.join(cites)} say so?", name.span,
                               expected=("the words in quotes, behind what is cited",))  # fmt: skip
        else:
            found[called] = SettledQuestion(called, cites, quoted, Origin(name.span, cites))
    return tuple(found.values())


def unquoted(core: Core) -> Iterator[Diagnostic]:
    """A warning for each answer of which the words do not stand in the wording of what it cites: they may stand in the
    rulebook itself, which only a review is given."""
    for one in core.settled:
        if not answers(one, core.statements, core.assumptions):
            message = f'"{one.words[:60]}" does not stand in {" or ".join(one.statements)}'
            hint = "if the rulebook has these words, review with --rulebook FILE"
            yield Diagnostic("SQ03", message, one.origin.span, Severity.WARNING, (), hint)


def answers(
    one: SettledQuestion, statements: Mapping[str, str], assumptions: Mapping[str, DeclaredAssumption],
    rulebook: str = "",
) -> bool:  # fmt: skip
    """Whether an answer has its words from what it cites, or from the whole rulebook; all words of an assumption are
    meant where none are quoted."""
    assumed = [assumptions[cite].text for cite in one.statements if cite in assumptions]
    if not one.words:
        return bool(assumed)
    cited = (statements[cite] for cite in one.statements if cite in statements)
    return stand_in(one.words, (*assumed, *cited, rulebook))


def stand_in(quoted: str, sentences: Iterable[str]) -> bool:
    """Whether a sentence has some words, as whole words one after the other, in small letters or capitals."""
    wanted = " ".join(quoted.split())
    pattern = re.compile(rf"(?<!\w){re.escape(wanted)}(?!\w)", re.IGNORECASE)
    return bool(wanted) and any(pattern.search(" ".join(one.split())) for one in sentences)
