"""indistinguishable: components that the rules never tell apart, and columns of cards that nobody reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import assert_never

from referee.core.decided_values import decided
from referee.core.expr import (
    After,
    And,
    At,
    Connected,
    Const,
    Expr,
    Fold,
    FoldKind,
    Get,
    If,
    Let,
    Local,
    Look,
    Only,
    Op,
    Operator,
    Or,
    Split,
    Where,
)
from referee.core.member_types import member_type
from referee.core.ruleset import Component, Core
from referee.core.splits import parts_of
from referee.core.stmt import Guard
from referee.core.traverse import expressions, rewrite_each, rules_of, types_in, walk
from referee.core.types import COMPONENT, Bool, Elem, Maybe, SetOf, Type
from referee.frontend.names.tree_access import cites as cites_of
from referee.frontend.names.tree_access import head, words
from referee.review.finding import Finding, FindingOutcome, absent
from referee.review.subject import Subject

CODE = "indistinguishable"


def indistinguishable(subject: Subject) -> Iterator[Finding]:
    """Groups of component classes that can be exchanged in all the rules; columns that no rule reads."""
    core = subject.core
    groups = [group for group in _groups(core) if not _from_file(subject, core.components[group[0]].kind)]
    for group in groups:
        yield _found(subject, group)
    unread = [table for table in _unread(core) if not subject.places.used(table.partition(" ")[0])]
    for table in unread:
        message = f"no rule reads the column {table.partition(' ')[0]}"
        yield Finding(
            CODE, FindingOutcome.FOUND, message, f"column.{table}", settle="a rule that reads it, or no such column"
        )
    if not groups and not unread:
        yield absent(CODE, "each kind of component is told from the others by some rule")


def _groups(core: Core) -> Iterator[tuple[int, ...]]:
    """Classes of one kind that are alike to every rule, whatever their number."""
    reading = _Reading(core)
    kinds: dict[tuple[object, ...], list[int]] = {}
    for index, one in enumerate(core.components):
        kinds.setdefault((one.kind, one.owner), []).append(index)
    for members in kinds.values():
        if len(members) > 1 and not reading.compares(members):
            alike: dict[object, list[int]] = {}
            for index in members:
                alike.setdefault(reading.sign(index), []).append(index)
            yield from (tuple(group) for group in alike.values() if len(group) > 1)


def _found(subject: Subject, group: tuple[int, ...]) -> Finding:
    core = subject.core
    shown = [_called(core, index) for index in group]
    names = ", ".join(shown[:6]) + (f" and {len(shown) - 6} more" if len(shown) > 6 else "")
    numbers = sorted({core.components[index].number for index in group})
    kind = core.components[group[0]].kind
    note = "only how many there are of each is different" if len(numbers) > 1 else "exchanging them changes nothing"
    node = subject.places.declared("kind", kind)
    declared = None if node is None else head(node)
    cites = () if node is None else cites_of(node)
    return Finding(
        CODE, FindingOutcome.FOUND, f"no rule tells {names} apart", f"{kind}.{'+'.join(shown[:3])}",
        () if declared is None else (declared,), cites, notes=(note,),
        settle="a rule for which it matters which of them it is, or one name for all of them",
    )  # fmt: skip


def _from_file(subject: Subject, kind: str) -> bool:
    """True for cards that a file lists: as they are printed some may well be alike."""
    node = subject.places.declared("kind", kind)
    return node is not None and any(True for _ in words(node, "STRING"))


def _called(core: Core, index: int) -> str:
    return str(core.components[index].name)


def _unread(core: Core) -> Iterator[str]:
    """Columns of kinds that no rule reads."""
    read = {one.table for one in walk(rules_of(core), Look)}
    for name, table in core.tables.items():
        keyed = len(table.keys) >= 1 and isinstance(table.keys[0], Elem) and table.keys[0].domain == COMPONENT
        if keyed and " " in name and name not in read:
            yield name


class _Reading:
    """What the rules read of components: those they name, tables, start values, comparisons."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._said: list[frozenset[int]] = []
        self._compared: list[tuple[int, int]] = []
        self._read = {one.table for one in walk(rules_of(core), Look)}
        self._got = {one.var for one in walk(rules_of(core), Get)}
        rules = _with_lists(rules_of(core))
        for one in expressions(rules):
            self._note(one)
        for kind in types_in(rules):
            if isinstance(kind, Elem) and kind.domain == COMPONENT:
                self._said.append(frozenset(range(kind.lo, kind.hi + 1)))

    def compares(self, members: list[int]) -> bool:
        """True if two components that are not fixed by the rules are compared, which may both be among these."""
        lo, hi = min(members), max(members)
        return any(low <= lo and hi <= high for low, high in self._compared)

    def sign(self, index: int) -> object:
        """What the rules can see of a class; two classes with the same can be exchanged."""
        core, one = self._core, self._core.components[index]
        said = tuple(index in some for some in self._said)
        return said, _homes(one), tuple(self._row(name, index) for name in sorted(core.tables)), self._starts(index)

    def _note(self, one: Expr) -> None:
        match one:
            case Const():
                self._note_constant(one)
            case Op():
                self._note_operator(one)
            case Fold():
                self._note_fold(one)
            case Split():
                if _is_component(self._core.tables[one.table].type):
                    self._said.extend(parts_of(self._core.tables[one.table]))
            case (Local() | Get() | Look() | And() | Or() | If() | At() | Where() | Connected() | Let() | Only()
                  | After()):
                return
            case _:
                assert_never(one)

    def _note_constant(self, one: Const) -> None:
        if _is_component(one.type):
            members = one.value if isinstance(one.value, frozenset) else {one.value}
            self._said.append(frozenset(m for m in members if isinstance(m, int)))

    def _note_operator(self, one: Op) -> None:
        """What compares or counts with values: components that the rules do not name it tells one from another."""
        match one.op:
            case (Operator.EQ | Operator.NE | Operator.LT | Operator.LE | Operator.GT | Operator.GE | Operator.LOWER
                  | Operator.HIGHER | Operator.ADD | Operator.SUB | Operator.MUL | Operator.NEG | Operator.BETWEEN
                  | Operator.NOT):
                told = one.args
            case Operator.IN:
                if isinstance(one.args[1], Const):
                    return
                told = one.args[:1]
            case Operator.SET | Operator.UNION | Operator.MINUS | Operator.SIZE:
                return
            case _:
                assert_never(one.op)
        if all(_is_component(a.type) for a in told) and not any(isinstance(a, Const) for a in told):
            self._compared.append(_hull([_range(a.type) for a in told]))

    def _note_fold(self, one: Fold) -> None:
        """The best of some components, or what they come to together, tells one from another."""
        match one.kind:
            case FoldKind.SUM | FoldKind.MIN | FoldKind.MAX:
                kind = member_type(self._core, one.source) if one.body is None else one.body.type
            case FoldKind.ANY | FoldKind.ALL | FoldKind.COUNT:
                return
            case _:
                assert_never(one.kind)
        if _is_component(kind):
            self._compared.append(_range(kind))

    def _row(self, name: str, index: int) -> object:
        """What a table that some rule reads has for a class."""
        table = self._core.tables[name]
        if name not in self._read:
            return None
        found: list[object] = []
        for at, key in enumerate(table.keys):
            if isinstance(key, Elem) and key.domain == COMPONENT and key.lo <= index <= key.hi:
                inner = 1
                for later in table.keys[at + 1 :]:
                    inner *= later.hi - later.lo + 1
                size, here = key.hi - key.lo + 1, index - key.lo
                found.append(tuple(v for i, v in enumerate(table.values) if i // inner % size == here))
        return tuple(found)

    def _starts(self, index: int) -> object:
        """What variables begin with for a class; of what a log may state, the class itself: it may state anything."""
        found: list[object] = []
        for name in sorted(self._core.vars):
            var = self._core.vars[name]
            if name not in self._got or not any(_is_component(key) and _covers(key, index) for key in var.keys):
                continue
            if var.start is None:
                found.append((name, index))
            elif isinstance(var.start, tuple) and len(var.keys) == 1 and len(var.start) > index - var.keys[0].lo:
                found.append((name, var.start[index - var.keys[0].lo]))
        return tuple(found)


def _with_lists(rules: tuple[object, ...]) -> tuple[object, ...]:
    """Rules in which components that are named in a list stand there as one value: a set, or `x is A or x is B`.

    What is only told of a condition that fails is left out.
    """
    rules = rewrite_each(rules, Guard, lambda one: replace(one, shows=()), lambda _: False)
    rules = rewrite_each(rules, Or, _listed, lambda _: False)
    return rewrite_each(rules, Op, lambda one: _as_one(one.args) if one.op is Operator.SET else None, lambda _: False)


def _as_one(named: Sequence[Expr]) -> Const | None:
    """The set of components that are named, None if something else is among them."""
    known = [decided(one, {}) for one in named if _is_component(one.type)]
    members = [one.value for one in known if one is not None]
    if not members or len(members) < len(named):
        return None
    ranges = [_range(one.type) for one in named]
    kind = Elem(COMPONENT, min(lo for lo, _ in ranges), max(hi for _, hi in ranges))
    return Const(frozenset(one for one in members if isinstance(one, int)), SetOf(kind))


def _listed(part: Or) -> Expr | None:
    """The same with what is compared with several components as looked for among these; None if nothing is."""
    tests: dict[Expr, list[Expr]] = {}
    others: list[Expr] = []
    for one in part.parts:
        test = next(walk(one, Op), None)
        if test is one and test.op is Operator.EQ and _as_one(test.args[1:]) is not None:
            tests.setdefault(test.args[0], []).append(test.args[1])
        else:
            others.append(one)
    if all(len(named) < 2 for named in tests.values()):
        return None
    found = [Op(Operator.IN, (tested, _as_one(named) or tested), Bool()) for tested, named in tests.items()]
    return Or((*found, *others))


def _covers(key: Type, index: int) -> bool:
    lo, hi = _range(key)
    return lo <= index <= hi


def _homes(one: Component) -> object:
    return tuple(sorted({(home.zone, home.key, home.spot is not None) for home in one.homes}))


def _is_component(kind: Type) -> bool:
    inner = kind.of if isinstance(kind, Maybe | SetOf) else kind
    return isinstance(inner, Elem) and inner.domain == COMPONENT


def _range(kind: Type) -> tuple[int, int]:
    inner = kind.of if isinstance(kind, Maybe | SetOf) else kind
    assert isinstance(inner, Elem)
    return inner.lo, inner.hi


def _hull(ranges: list[tuple[int, int]]) -> tuple[int, int]:
    """What all of several ranges have in common."""
    return max(lo for lo, _ in ranges), min(hi for _, hi in ranges)
