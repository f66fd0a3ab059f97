"""What rules are to treat alike: `alike players`, `alike Suit`, `alike RED, BLUE "in words" [ids]`."""

from __future__ import annotations

from collections.abc import Iterable

from referee.core.ruleset import DeclaredAlike
from referee.core.types import COMPONENT, PLAYER, DomainKind
from referee.frontend.names.symbol_table import Symbols
from referee.frontend.names.tree_access import ErrorReported, head, origin, text
from referee.syntax.syntax_tree import Node, Word

ALIKE = ("alike", "alike_players")
"""The declaration, as the grammar calls it: of some members, and of all players."""
_OF = (DomainKind.PLAYER, DomainKind.ENUM, DomainKind.COMPONENT)


def alike(decls: Iterable[Node], symbols: Symbols) -> tuple[DeclaredAlike, ...]:
    """What is declared alike, each once; what is no member of anything, or alone, is reported."""
    found: dict[str, DeclaredAlike] = {}
    for decl in decls:
        try:
            one = _players(decl, symbols) if decl.kind == "alike_players" else _members(decl, symbols)
        except ErrorReported:
            continue
        if one.name in found:
            note = (("it is said here", found[one.name].origin.span),)
            symbols.reporter.error("AL02", f"{one.name} are said to be alike a second time", head(decl), notes=note)
        found.setdefault(one.name, one)
    return tuple(found.values())


def _players(decl: Node, symbols: Symbols) -> DeclaredAlike:
    said = next((text(part) for part in decl.parts if isinstance(part, Word)), "")
    return DeclaredAlike("players", PLAYER, tuple(range(symbols.seats.number)), said, origin(decl))


def _members(decl: Node, symbols: Symbols) -> DeclaredAlike:
    """Raises ErrorReported."""
    named = [part for part in decl.parts if isinstance(part, Word) and part.type != "STRING"]
    said = next((text(part) for part in decl.parts if isinstance(part, Word) and part.type == "STRING"), "")
    whole = _whole(named[0].text, symbols) if len(named) == 1 else None
    if whole is not None:
        domain, members = whole
        name = named[0].text
    else:
        domain, members = _listed(named, symbols)
        name = "+".join(one.text for one in named)
    if len(set(members)) < 2:
        raise symbols.wrong("AL01", f"{name} is alike to what?", head(decl),
                            expected=("`players`, a type or kind of several, or members of one: `alike red, blue`",))
    return DeclaredAlike(name, domain, members, said, origin(decl))


def _whole(name: str, symbols: Symbols) -> tuple[str, tuple[int, ...]] | None:
    """All members of a type or kind; None if there is none of this name."""
    kind = symbols.kinds.get(name)
    if kind is not None:
        return COMPONENT, tuple(range(kind.lo, kind.hi + 1))
    domain = symbols.domains.get(name)
    return None if domain is None or domain.kind not in _OF else (name, tuple(range(domain.size)))


def _listed(named: list[Word], symbols: Symbols) -> tuple[str, tuple[int, ...]]:
    """Members of one type or kind, by their names. Raises ErrorReported."""
    labels = [int(one.text) if one.type == "INT" else one.text for one in named]
    for name, domain in symbols.domains.items():
        if domain.kind in _OF and all(label in domain.labels for label in labels):
            return name, tuple(domain.labels.index(label) for label in labels)
    known = {str(label) for one in symbols.domains.values() if one.kind in _OF for label in one.labels}
    for one in named:
        if one.text not in known:
            raise symbols.unknown(one, "a player, or a member of a type or kind", known)
    shown = ", ".join(one.text for one in named)
    raise symbols.wrong("AL01", f"{shown} are not of one type or kind", named[0].span.to(named[-1].span))
