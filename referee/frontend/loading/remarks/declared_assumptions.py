"""What rules take for granted: `assume NAME "in words" [ids]`, and the lines that cite NAME."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from referee.core.naming import is_plain
from referee.core.ruleset import DeclaredAssumption
from referee.diagnostics.diagnostic import Diagnostic, Reporter, Severity
from referee.diagnostics.source import Span
from referee.frontend.names.symbol_table import guess
from referee.frontend.names.tree_access import INFERRED, head, nodes, origin, text, word
from referee.syntax.syntax_tree import Node
from referee.syntax.tree_contents import contents

ASSUME = "assume"
"""The declaration, as the grammar calls it."""
_SETTLED = "settled"
UNBOUND = frozenset({ASSUME, _SETTLED, "scenario"})
"""Declarations whose citations rest on nothing: they say what they are about, what has the words, what they test."""


def declared(
    decls: Iterable[Node], statements: Collection[str], reporter: Reporter
) -> Mapping[str, DeclaredAssumption]:
    """The assumptions by name; an error is reported for a name that cites something else, and for one without words."""
    found: dict[str, DeclaredAssumption] = {}
    for decl in decls:
        name, said = word(decl.parts[0]), text(decl.parts[1]).strip()
        other = "what marks an answer without a name" if name.text == INFERRED else "a statement of the rulebook"
        if name.text == INFERRED or name.text in statements:
            reporter.error("AS01", f"[{name.text}] is {other}, so no assumption can have this name", name.span)
        elif name.text in found:
            note = (("it is declared here", found[name.text].origin.span),)
            reporter.error("NM02", f"the assumption {name.text} is declared twice", name.span, notes=note)
        elif not said:
            reporter.error("AS02", f"what is assumed as {name.text}?", word(decl.parts[1]).span,
                           expected=("a sentence in quotes",))
        else:
            about = origin(decl)
            found[name.text] = DeclaredAssumption(name.text, said, tuple(dict.fromkeys(about.cites)), about)
    return found


def check_citations(
    decls: Iterable[Node], statements: Collection[str], assumptions: Collection[str], reporter: Reporter
) -> None:
    """Reports what is cited and is nothing: no statement, where there is a list of them, and no assumption.

    Without a list every word that begins with a capital letter or a digit may be a statement.
    """
    for decl in decls:
        about = decl.kind == ASSUME
        for name in contents(decl).cited:
            if about and (name.text == INFERRED or name.text in assumptions):
                reporter.error("AS03", f"[{name.text}] is no statement of the rulebook", name.span)
            elif not may_be_cited(name.text, statements, assumptions) and reporter.wants("NM01", name.span):
                what, known = _expected(statements, () if about else assumptions)
                hint = guess(name.text, known)
                if hint is None and decl.kind == _SETTLED and is_plain(name.text):
                    hint = f'an assumption is declared, as in `assume {name.text} "WHAT IS TAKEN FOR GRANTED"`'
                reporter.error("NM01", f"`{name.text}` is not known here: expected {what}", name.span, hint=hint)


def may_be_cited(name: str, statements: Collection[str], assumptions: Collection[str]) -> bool:
    """Whether a name is one of a statement or of an assumption, as far as is known."""
    if name == INFERRED or name in assumptions or name in statements:
        return True
    return not statements and not is_plain(name)


def _expected(statements: Collection[str], assumptions: Collection[str]) -> tuple[str, frozenset[str]]:
    """What may be cited, in words, and the names of it that are known."""
    kinds = ["a statement of the rulebook"] if statements or not assumptions else []
    kinds += ["an assumption"] if assumptions or not statements else []
    return " or ".join(kinds), frozenset(statements) | frozenset(assumptions)


def resting(trees: Iterable[Node], name: str) -> Iterator[Span]:
    """Where lines of the rules cite an assumption."""
    for tree in trees:
        for decl in nodes(tree):
            if decl.kind not in UNBOUND:
                yield from (one.span for one in contents(decl).cited if one.text == name)


def unused(trees: Iterable[Node]) -> Iterator[Diagnostic]:
    """A warning for each assumption that no line of the rules rests on."""
    trees = tuple(trees)
    for decl in (decl for tree in trees for decl in nodes(tree, ASSUME)):
        name = word(decl.parts[0]).text
        if not any(True for _ in resting(trees, name)):
            hint = f"cite it as `[{name}]` on the lines that would be others without it"
            yield Diagnostic("AS04", f"no line rests on the assumption {name}", head(decl), Severity.WARNING, (), hint)


def marks(trees: Iterable[Node]) -> int:
    """How many lines are marked `[inferred]`: answers that no words of the rulebook give, and no name says."""
    return sum(name.text == INFERRED for tree in trees for decl in nodes(tree) for name in contents(decl).cited)
