"""Values that no event has changed: where they come from, and which rules alone change them."""

from __future__ import annotations

from functools import cached_property
from typing import assert_never

from referee.core.flow import Flow, body_of
from referee.core.read_write_sets import writes
from referee.core.stmt import (
    Bind,
    Branch,
    Call,
    Chance,
    Commit,
    Decide,
    Each,
    Finish,
    Merge,
    Move,
    Origin,
    Put,
    Repeat,
    Stmt,
    Swap,
    Unspecified,
)
from referee.core.traverse import statements
from referee.game.state import Slot
from referee.interpreter.closures.zone_moves import components
from referee.judge.reasons.rule_words import RuleWords
from referee.judge.verdict import Reason

MOST_RULES = 4
"""So many rules are named that change a variable or zone; more say nothing."""
MOST_CITED = 4
"""If the rules that change something cite more statements, none of them is cited."""
_SETUP = "setup"


class UntouchedValues:
    """The words for such values in one ruleset."""

    def __init__(self, flow: Flow, words: RuleWords) -> None:
        self._flow = flow
        self._words = words

    def told(self, name: str, entry: str, held: Slot, *, positioned: bool) -> Reason:
        """Of an entry (its words) of a variable or zone: that it is as it was, what declares it, and what changes it.

        `held`: what it holds; `positioned`: the log begins with a position, not with set-up.
        """
        start = "as the position in the header has it" if positioned else "as the game began"
        zone = self._flow.core.zones.get(name)
        declared = zone.origin if zone is not None else self._flow.vars[name].origin
        cites = list(self._words.all_cites(declared))
        empty = zone is not None and isinstance(held, tuple) and not list(components(zone, held))
        rules = {by: told for by, all_of_it in self._rules.get(name, {}).items()
                 if (told := [one for one, brings in all_of_it if brings or not empty])}
        found = [cite for origins in rules.values() for one in origins for cite in self._words.all_cites(one)]
        cites.extend(found if len(dict.fromkeys(found)) <= MOST_CITED else ())
        said = "empty" if empty else self._words.amount(name, held)
        do = "put anything there" if empty else "change it"
        only = "" if len(rules) > MOST_RULES else self._only(list(rules), do)
        return Reason(f"{entry}: {said}, {start}{only}", (), tuple(dict.fromkeys(cites)), declared.span)

    def _only(self, rules: list[str], do: str) -> str:
        """Which rules alone do something."""
        if not rules:
            return "; nothing changes it" if do == "change it" else "; nothing is put there"
        verb, _, rest = do.partition(" ")
        return f"; only {_listed(rules)} {verb}{'s' if len(rules) == 1 else ''} {rest}"

    @cached_property
    def _rules(self) -> dict[str, dict[str, list[tuple[Origin, bool]]]]:
        """By the name of a variable or zone the rules that change it after set-up, with the statements that do, and
        whether these bring anything there."""
        found: dict[str, dict[str, list[tuple[Origin, bool]]]] = {}
        for node in self._flow.nodes:
            for stmt in statements(body_of(node)):
                origin = _origin(stmt)
                by = "" if origin is None else self._words.declaration(origin.span)
                if origin is not None and by not in ("", _SETUP):
                    for name in writes(stmt):
                        found.setdefault(name, {}).setdefault(by, []).append((origin, _brings(stmt, name)))
        return found


def _brings(stmt: Stmt, name: str) -> bool:
    """Whether a statement that changes something brings anything to a zone."""
    match stmt:
        case Move(_, _, _, to) | Merge(to):
            return to.zone == name
        case Put() | Swap():
            return True
        case (Finish() | Bind() | Branch() | Each() | Repeat() | Decide() | Commit() | Chance() | Unspecified()
              | Call()):
            return False
        case _:
            assert_never(stmt)


def _origin(stmt: Stmt) -> Origin | None:
    """Where a statement comes from that changes something by itself."""
    match stmt:
        case Put() | Move() | Merge() | Swap():
            return stmt.origin
        case (Finish() | Bind() | Branch() | Each() | Repeat() | Decide() | Commit() | Chance() | Unspecified()
              | Call()):
            return None
        case _:
            assert_never(stmt)


def _listed(names: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
