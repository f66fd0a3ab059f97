"""Trees in which readings are what they are by default: what can never come then is not there any more."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field

from referee.diagnostics.source import Span
from referee.frontend.names import tree_building as build
from referee.frontend.names.tree_access import cited, node, nodes, word
from referee.syntax.syntax_tree import Node, Part, Word


@dataclass(frozen=True, slots=True)
class Always:
    """What is always so. `readings`: what each is by default; `conditions`: definitions that always hold, or never do;
    `gone`: actions that nobody can take; `uncited`: what is cited and no statement of the rulebook."""

    readings: Mapping[str, str]
    conditions: Mapping[str, bool] = field(default_factory=dict)
    gone: Set[str] = frozenset()
    uncited: Set[str] = frozenset()


class Folding:
    """Takes declarations apart, and puts together what is left of them."""

    def __init__(self, always: Always) -> None:
        self._always = always
        self._kinds: Mapping[str, Callable[[Node], list[Part]]] = {
            "is_": self._is, "is_not": self._is, "is_in": self._is_in, "is_not_in": self._is_in,
            "name": self._named, "call": self._named, "attr_of": self._named, "group": self._group, "not_": self._not,
            "and_": self._joined, "or_": self._joined, "either": self._either, "where": self._where, "if_": self._if,
            "depending": self._depending, "need": self._need, "forbidden": self._forbidden, "unless": self._unless,
            "define": self._cases, "score": self._cases, "ruling": self._ruling, "unspecified": self._nothing,
            "tie": self._tie, "for_each": self._no_order, "must": self._offers, "must_one": self._offers,
            "may": self._offers, "w_may": self._offers, "can": self._can, "can_not": self._can, "line": self._line,
            "body": self._body, "cite": self._cite, "before": self._hook, "after": self._hook,
        }  # fmt: skip

    def declaration(self, decl: Node) -> Node | None:
        """What is left of a declaration; None where nothing is: what is done before or after an action, if never."""
        left = self._folded(decl)
        return node(left[0]) if left else None

    def _folded(self, one: Node) -> list[Part]:
        """What stands in the place of a node: nothing, itself, or several statements."""
        parts: list[Part] = []
        for part in one.parts:
            parts += self._folded(part) if isinstance(part, Node) else [part]
        same = len(parts) == len(one.parts) and all(a is b for a, b in zip(parts, one.parts, strict=True))
        kept = one if same else Node(one.kind, tuple(parts), one.span)
        how = self._kinds.get(kept.kind)
        return [kept] if how is None else how(kept)

    # ------------------------------------------------------------------ conditions and values
    def _is(self, test: Node) -> list[Part]:
        one, other = test.parts[0], test.parts[-1]
        chosen = self._default(one)
        meaning = _bare(other)
        if chosen is None or meaning is None:
            return [test]
        return [truth((chosen == meaning) is (test.kind == "is_"), test.span)]

    def _is_in(self, test: Node) -> list[Part]:
        chosen, among = self._default(test.parts[0]), test.parts[-1]
        if chosen is None or not isinstance(among, Node) or among.kind != "set_of":
            return [test]
        meanings = [_bare(one) for args in nodes(among, "args") for one in args.parts]
        return [truth((chosen in meanings) is (test.kind == "is_in"), test.span)]

    def _default(self, part: Part) -> str | None:
        return self._always.readings.get(_bare(part) or "")

    def _named(self, one: Node) -> list[Part]:
        known = self._always.conditions.get(word(one.parts[0]).text)
        return [one] if known is None else [truth(known, one.span)]

    def _group(self, one: Node) -> list[Part]:
        known = holds(one.parts[0])
        return [one] if known is None else [truth(known, one.span)]

    def _not(self, one: Node) -> list[Part]:
        known = holds(one.parts[0])
        return [one] if known is None else [truth(not known, one.span)]

    def _joined(self, one: Node) -> list[Part]:
        decisive = one.kind == "or_"
        known = [holds(part) for part in one.parts]
        if decisive in known:
            return [truth(decisive, one.span)]
        left = [node(part) for part, now in zip(one.parts, known, strict=True) if now is None]
        if len(left) == len(one.parts):
            return [one]
        return [build.joined(one.kind, left, one.span) if left else truth(not decisive, one.span)]

    def _either(self, one: Node) -> list[Part]:
        known = holds(one.parts[0])
        return [one] if known is None else [one.parts[1 if known else 2]]

    def _where(self, one: Node) -> list[Part]:
        return [one.parts[0]] if len(one.parts) == 2 and holds(one.parts[1]) else [one]

    def _can(self, one: Node) -> list[Part]:
        name = word(one.parts[-1]).text
        return [truth(one.kind == "can_not", one.span)] if name in self._always.gone else [one]

    # ------------------------------------------------------------------ statements
    def _if(self, stmt: Node) -> list[Part]:
        """The first block of which it is not known that it never comes, and those after it up to one that always does.
        """
        cites = tuple(nodes(stmt, "cite"))
        ways: list[tuple[Part, Node]] = [(stmt.parts[0], node(stmt.parts[1]))]
        ways += [(one.parts[0], node(one.parts[1])) for one in nodes(stmt, "elif_")]
        ways += [(None, node(one.parts[0])) for one in nodes(stmt, "else_")]
        known = [True if cond is None else holds(cond) for cond, _ in ways]
        if all(now is None for (cond, _), now in zip(ways, known, strict=True) if cond is not None):
            return [stmt]
        left = [(cond, body, now) for (cond, body), now in zip(ways, known, strict=True) if now is not False]
        last = next((number for number, way in enumerate(left) if way[2]), len(left))
        left = left[: last + 1]
        if not left:
            return []
        (cond, body, now), *rest = left
        if now:
            return self._spliced(body, cites)
        others = [Node("else_", (one,), one.span) if sure else Node("elif_", (test, one), one.span)
                  for test, one, sure in rest]  # fmt: skip
        return [Node("if_", (cond, body, *others, *cites), stmt.span)]

    @staticmethod
    def _spliced(body: Node, cites: Sequence[Node]) -> list[Part]:
        """The statements of a body, which cite what the line of the body cites."""
        cites = (*nodes(body, "cite"), *cites)
        stmts = [one for one in nodes(body) if one.kind != "cite"]
        if not stmts or any(one.kind == "line" for one in stmts):
            return [Node(one.kind, (*one.parts, *cites), one.span) if one.kind == "line" and not any(
                nodes(one, "cite")) else one for one in stmts]  # fmt: skip
        return [Node("line", (*stmts, *cites), stmts[0].span.to(stmts[-1].span))]

    def _depending(self, stmt: Node) -> list[Part]:
        chosen = self._default(stmt.parts[0])
        if chosen is None:
            return [stmt]
        for case in nodes(stmt, "depends"):
            if chosen in [_bare(label) for label in case.parts[:-1]]:
                return self._spliced(node(case.parts[-1]), tuple(nodes(stmt, "cite")))
        return [part for last in nodes(stmt, "depends_else") for part in self._spliced(node(last.parts[0]), ())]

    def _ruling(self, stmt: Node) -> list[Part]:
        """What may happen by the first ruling."""
        first = next(nodes(stmt, "candidate"))
        return self._spliced(node(first.parts[1]), tuple(nodes(stmt, "cite")))

    @staticmethod
    def _nothing(stmt: Node) -> list[Part]:
        return [Node("nothing", (), stmt.span)]

    @staticmethod
    def _no_order(stmt: Node) -> list[Part]:
        parts = tuple(None if isinstance(part, Word) and part.type == "NO_ORDER" else part for part in stmt.parts)
        return [stmt if parts == stmt.parts else Node(stmt.kind, parts, stmt.span)]

    @staticmethod
    def _tie(one: Node) -> list[Part]:
        said = [part for part in nodes(one) if part.kind != "tie_unspecified"]
        if len(said) == len(list(nodes(one))):
            return [one]
        ways = [part for part in one.parts if part in said or (isinstance(part, Word) and part.type != "THEN")]
        return [Node("tie", tuple(ways), one.span) if said else None]

    def _offers(self, stmt: Node) -> list[Part]:
        offered = list(nodes(stmt, "event_name"))
        left = [one for one in offered if word(one.parts[0]).text not in self._always.gone]
        if len(left) == len(offered):
            return [stmt]
        parts = tuple(part for part in stmt.parts if part not in offered or part in left)
        return [Node(stmt.kind, parts, stmt.span)] if left else self._nothing(stmt)

    def _hook(self, decl: Node) -> list[Part]:
        named = next((part for part in decl.parts if isinstance(part, Word) and part.type == "NAME"), None)
        if named is not None and named.text in self._always.gone:
            return []
        conds = [part for part in decl.parts if isinstance(part, Node) and part.kind in ("yes", "no")]
        if any(holds(part) is False for part in conds):
            return []
        parts = tuple(None if isinstance(part, Node) and part in conds else part for part in decl.parts)
        return [Node(decl.kind, parts, decl.span) if conds else decl]

    def _line(self, stmt: Node) -> list[Part]:
        return [stmt] if any(one.kind != "cite" for one in nodes(stmt)) else []

    def _body(self, one: Node) -> list[Part]:
        if any(part.kind != "cite" for part in nodes(one)):
            return [one]
        return [Node("body", (Node("nothing", (), one.span), *one.parts), one.span)]

    # ------------------------------------------------------------------ guards, definitions, cites
    def _need(self, one: Node) -> list[Part]:
        said, how, cond, when, *cites = one.parts
        if holds(cond) or (when is not None and holds(when) is False):
            return []
        if when is not None and holds(cond) is False:
            return [Node("need", (said, how, build.negated(node(when)), None, *cites), one.span)]
        return [Node("need", (said, how, cond, None, *cites), one.span) if when is not None and holds(when) else one]

    @staticmethod
    def _forbidden(one: Node) -> list[Part]:
        return [] if holds(one.parts[2]) is False else [one]

    @staticmethod
    def _unless(one: Node) -> list[Part]:
        return [] if holds(one.parts[1]) is False else [one]

    @staticmethod
    def _cases(decl: Node) -> list[Part]:
        """A definition by cases without those that never come, and those after one that always does."""
        cases = list(nodes(decl, "case", "otherwise"))
        if all(holds(one.parts[0]) is None for one in cases if one.kind == "case"):
            return [decl]
        left: list[Node] = []
        for one in cases:
            known = holds(one.parts[0]) if one.kind == "case" else None
            if known is not False:
                left.append(one if known is None else Node("otherwise", one.parts[1:], one.span))
            if left and left[-1].kind == "otherwise":
                break
        head = [part for part in decl.parts if part not in cases]
        if len(left) == 1:
            value, *cites = left[0].parts
            before = [part for part in head if not isinstance(part, Node) or part.kind != "cite"]
            return [Node(decl.kind, (*before, value, *cites, *nodes(decl, "cite")), decl.span)]
        return [Node(decl.kind, (*head, *left), decl.span)]

    def _cite(self, one: Node) -> list[Part]:
        names = cited(one)
        left = [name for name in names if name not in self._always.uncited]
        if len(left) == len(names):
            return [one]
        said = word(one.parts[0])
        return [Node("cite", (Word(said.type, f"[{' '.join(left)}]", said.span),), one.span)] if left else []


def holds(cond: Part) -> bool | None:
    """Whether a condition is written to hold, or not to; None if that hangs on something."""
    if isinstance(cond, Node) and cond.kind in ("yes", "no"):
        return cond.kind == "yes"
    return None


def truth(known: bool, span: Span) -> Node:
    """`yes` or `no`."""
    return Node("yes" if known else "no", (), span)


def _bare(part: Part) -> str | None:
    """The word that a part is."""
    if isinstance(part, Word):
        return part.text
    return word(part).text if isinstance(part, Node) and part.kind in ("name", "label") and len(part.parts) == 1 else (
        None)  # fmt: skip
