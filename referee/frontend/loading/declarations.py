"""Declarations: kinds and components, zones, counters, givens, parameters, readings, tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import dropwhile, product
from math import prod

from referee.core.expr import Const, Expr
from referee.core.ruleset import Form, Reading, ReadingChoice, Role, Sight, Table, Var, Zone
from referee.core.types import Bool, DomainKind, Elem, Int, Maybe, Scalar, Type, Value, size
from referee.frontend.expressions import typed_operators
from referee.frontend.expressions.expression_lowering import ExpressionLowering
from referee.frontend.names.bindings import Scope
from referee.frontend.names.symbol_table import Symbols
from referee.frontend.names.tree_access import (
    ErrorReported,
    first,
    head,
    node,
    nodes,
    origin,
    text,
    without_comma,
    word,
    words,
)
from referee.frontend.names.type_names import keys_of, read_type
from referee.syntax.syntax_tree import Node, Word


def declare_option(symbols: Symbols, decl: Node) -> None:
    """Reads `option NAME: A or B`; which value is meant is part of the shape."""
    name, *values = words(decl, "NAME")
    symbols.claim(name)
    distinct(symbols, values)
    symbols.domain(f"option {name.text}", DomainKind.ENUM, tuple(v.text for v in values))


def distinct(symbols: Symbols, names: Sequence[Word]) -> None:
    """Reports the second of two equal names. Raises Wrong if there is one."""
    known: dict[str, Word] = {}
    twice = [n for n in names if known.setdefault(n.text, n) is not n]
    for name in twice:
        notes = ((f"{name.text} stands here first", known[name.text].span),)
        symbols.reporter.error("NM02", f"the name {name.text} is used twice", name.span, notes=notes)
    if twice:
        raise ErrorReported


def declare_zone(symbols: Symbols, decl: Node) -> None:
    """Reads one line of `zones`."""
    name_word = word(decl.parts[0])
    name = symbols.claim(name_word)
    keys = keys_of(symbols, first(decl, "keys"))
    form = Form(next(words(decl, "FORM")).text.split()[0])
    kinds = [k for w in words(decl, "PROPER") for k in symbols.kinds_of(w)]
    on = first(decl, "spots")
    spots = _spots(symbols, on) if on is not None else None
    if form is Form.SLOTS and spots is None:
        hint = f"write `{name_word.text}: slots of {kinds[0].name} on BOARD`, or on the names of a type, or on 1..5"
        raise symbols.wrong("ZN01", "slots of what board?", next(words(decl, "FORM")).span, hint=hint)
    if form is not Form.SLOTS and on is not None:
        raise symbols.wrong("ZN01", f"only slots lie on a board, this is a {form.value}", on.span)
    symbols.take(prod(map(size, keys)) * (1 if spots is None else size(spots)), head(decl))
    sight = _sight(symbols, decl, keys)
    most = first(decl, "at_most")
    limit, room = _limit(symbols, most) if most is not None else (None, None)
    total = sum(symbols.number_of(kind) for kind in set(kinds))
    room = total if room is None else min(room, total)
    symbols.zones[name] = Zone(name, keys, form, tuple(k.name for k in kinds), spots, sight, limit, room, origin(decl))


def _limit(symbols: Symbols, most: Node) -> tuple[Expr, int | None]:
    """How many may lie in a zone whenever somebody is asked; and at any moment, if the limit holds inside actions."""
    values, said = ExpressionLowering(symbols), node(most.parts[1])
    limit = values.terms.number(said, Scope())
    return limit, values.constants.fixed_number(said) if any(True for _ in words(most, "EVERY_MOMENT")) else None


def _spots(symbols: Symbols, spots: Node) -> Scalar:
    """Where the components of slots lie: a board's cells, the names of a type, or numbered places."""
    return keys_of(symbols, spots)[0]


def _sight(symbols: Symbols, decl: Node, keys: tuple[Scalar, ...]) -> Sight:
    said = list(nodes(decl, "open", "seen_by_owner", "seen_by_others", "face_down"))
    if not said:
        raise symbols.wrong(
            "VS01",
            "who sees what lies here?",
            head(decl),
            expected=("`, open`", "`, seen by owner`", "`, seen by others`", "`, face down`"),
        )
    if len(said) > 1:
        raise symbols.wrong("VS01", "who sees what lies here is said twice", said[1].span)
    if said[0].kind == "open":
        return Sight(True)
    if said[0].kind == "face_down":
        return Sight(False)
    others = said[0].kind == "seen_by_others"
    owners = tuple(i for i, key in enumerate(keys) if isinstance(key, Elem) and key.domain == "player")
    if not owners:
        raise symbols.wrong(
            "VS02",
            f"`{'seen by others' if others else 'seen by owner'}`, but the zone belongs to no player",
            said[0].span if others else without_comma(next(words(said[0], "SEEN_BY_OWNER"))),
            hint="write `NAME of player`, or say `open` or `face down`",
        )
    return Sight(False, owners, others)


def declare_var(symbols: Symbols, decl: Node, role: Role) -> None:
    """Reads a counter, a given or a parameter."""
    name_word = word(decl.parts[0])
    name = symbols.claim(name_word)
    keys = keys_of(symbols, first(decl, "keys"))
    kind_node = next(n for n in nodes(decl) if n.kind in _TYPES)
    kind = read_type(symbols, kind_node, name_word.text)
    may_be_none = any(one.kind == "type_or_none" for one in (kind_node, *nodes(kind_node)))
    if role is not Role.STATE and may_be_none:  # what a log leaves open is one of a range
        said = f"`{name_word.text}` is stated by a log, and cannot be `or none`"
        raise symbols.wrong("VR03", said, kind_node.span, hint=NEVER_NOTHING)
    symbols.take(prod(map(size, keys)), head(decl))
    start = _start(symbols, decl, keys, kind, role)
    title = text(next(words(decl, "STRING"), None))
    named = tuple(_named(symbols, n, kind) for n in nodes(decl, "named_table"))
    in_play_outs = [
        word(n.parts[0]).text for n in nodes(decl, "named_table") if any(True for _ in words(n, "IN_PLAY_OUTS"))
    ]
    symbols.vars[name] = Var(
        name,
        keys,
        kind,
        start,
        role,
        origin(decl),
        title,
        role is Role.PARAMETER and start is not None,
        owner_key(symbols, decl, keys),
        named,
        in_play_outs[0] if in_play_outs else None,
    )


def owner_key(symbols: Symbols, decl: Node, keys: tuple[Scalar, ...]) -> int | None:
    """Which key of a counter or pool is the player who alone sees it; None if everybody does. Raises Wrong."""
    said = next(words(decl, "SEEN_BY_OWNER"), None)
    if said is None:
        return None
    found = next((index for index, key in enumerate(keys) if key == symbols.player), None)
    if found is None:
        hint = "write `NAME of player`, or leave `seen by owner` out"
        raise symbols.wrong("VS02", "`seen by owner`, but it belongs to no player", without_comma(said), hint=hint)
    return found


NEVER_NOTHING = "a log may leave it open, so it is one of a range; state whether there is one as `yes or no` beside it"
_TYPES = ("type", "range", "yes_or_no", "enum", "lane_of", "type_or_none")


def _named(symbols: Symbols, decl: Node, kind: Type) -> tuple[str, Value]:
    """A value for a whole parameter that a header may call by a name."""
    values, term = ExpressionLowering(symbols), node(decl.parts[1])
    return word(decl.parts[0]).text, values.constants.fixed(values.terms.value(term, Scope(), kind), kind, term.span)


def _start(symbols: Symbols, decl: Node, keys: tuple[Scalar, ...], kind: Type, role: Role) -> Value | tuple[Value, ...]:
    """The start value or default: as declared (maybe by key: `it`), else the first value of the type."""
    after_type = list(dropwhile(lambda n: n.kind not in _TYPES, nodes(decl)))[1:]
    said = [n for n in after_type if n.kind not in ("cite", "named_table", "such_that")]
    if said:
        return _said(symbols, said[0], keys, kind)
    if role is not Role.STATE or isinstance(kind, Maybe):
        return None
    if isinstance(kind, Bool):
        return False
    if isinstance(kind, Int):
        return max(kind.lo, min(kind.hi, 0))
    return kind.lo if isinstance(kind, Elem) else None


def _said(symbols: Symbols, term: Node, keys: tuple[Scalar, ...], kind: Type) -> Value | tuple[Value, ...]:
    """One start value, or, where it speaks of `it`, one for each key."""
    values = ExpressionLowering(symbols)
    if not any(n.kind == "it" for n in _within(term)):
        return values.constants.fixed(values.terms.value(term, Scope(), kind), kind, term.span)
    if len(keys) != 1:
        raise symbols.wrong("VR02", "`it` in a start value is the one key of a counter", term.span)
    key = keys[0]
    starts: list[Value] = []
    for index in range(key.lo, key.hi + 1):
        scope = Scope(it=Const(index, Elem(key.domain, index, index) if isinstance(key, Elem) else Int(index, index)))
        starts.append(values.constants.fixed(values.terms.value(term, scope, kind), kind, term.span))
    return tuple(starts)


def _within(term: Node) -> list[Node]:
    return [term, *(inner for child in nodes(term) for inner in _within(child))]


def declare_reading(symbols: Symbols, decl: Node) -> None:
    """Reads a reading: a variable over the names of its choices, set by the header and never written."""
    name_word = word(decl.parts[0])
    name = symbols.claim(name_word)
    choices = list(nodes(decl, "default_choice", "alternative"))
    distinct(symbols, [word(c.parts[0]) for c in choices])
    names = tuple(word(c.parts[0]).text for c in choices)
    defaults = [i for i, c in enumerate(choices) if c.kind == "default_choice"]
    if len(defaults) != 1:
        raise symbols.wrong(
            "RD01",
            "this reading has no `default`" if not defaults else "a reading has one `default` only",
            name_word.span if not defaults else choices[defaults[1]].span,
            hint="one line is `default NAME`, the others are `alternative NAME`",
        )
    where = origin(decl, tuple(c for choice in choices for c in origin(choice).cites))
    domain = symbols.domain(name, DomainKind.ENUM, names)
    texts = tuple(ReadingChoice(n, text(c.parts[1])) for n, c in zip(names, choices, strict=True))
    symbols.readings[name] = Reading(name, text(decl.parts[1]), texts, defaults[0], where)
    symbols.vars[name] = Var(name, (), domain.whole, defaults[0], Role.READING, where, text(decl.parts[1]))


def declare_table(symbols: Symbols, decl: Node) -> None:
    """Reads a table: rows `key | key | value`, each combination of keys once."""
    name_word = word(decl.parts[0])
    name = symbols.claim(name_word)
    keys = keys_of(symbols, first(decl, "keys"))
    kind = read_type(symbols, next(n for n in nodes(decl) if n.kind in _TYPES), name_word.text)
    entries = _entries(symbols, list(nodes(decl, "row")), keys, kind)
    otherwise = _otherwise(symbols, decl, kind)
    values: list[Value] = []
    for key in product(*(range(k.lo, k.hi + 1) for k in keys)):
        if key not in entries and otherwise is not None:
            values.append(otherwise)
            continue
        if key not in entries:
            shown = " | ".join(show(symbols, v, k) for v, k in zip(key, keys, strict=True))
            hint = f"add a row `{shown} | ...`, or a last one `otherwise | ...` for all that have none"
            raise symbols.wrong("TB02", f"the table has no row for {shown}", name_word.span, hint=hint)
        values.append(entries[key])
    symbols.tables[name] = Table(name, keys, kind, tuple(values))


def _otherwise(symbols: Symbols, decl: Node, kind: Type) -> Value | None:
    """The value of all keys without a row of their own, if the table has one. Raises Wrong."""
    said = list(nodes(decl, "other_rows"))
    if not said:
        return None
    last = list(nodes(decl, "row", "other_rows"))[-1]
    if said[0] is not last:
        raise symbols.wrong("TB05", "`otherwise` is the last row, no other comes after it", head(said[0]))
    return ExpressionLowering(symbols).constants.literal(last.parts[0], kind)


def _entries(
    symbols: Symbols, rows: Sequence[Node], keys: tuple[Scalar, ...], kind: Type
) -> Mapping[tuple[Value, ...], Value]:
    """The value in each row by its keys. Raises Wrong once every row with an error is reported."""
    found: dict[tuple[Value, ...], tuple[Value, Node]] = {}
    failed = False
    for row in rows:
        try:
            *key, value = _row(symbols, row, keys, kind)
        except ErrorReported:
            failed = True
            continue
        above = found.setdefault(tuple(key), (value, row))[1]
        if above is not row:
            failed = True
            notes = (("the first row for them", above.span),)
            symbols.reporter.error("TB03", "a second row for the same keys", row.span, notes=notes)
    if failed:
        raise ErrorReported
    return {key: value for key, (value, _) in found.items()}


def _row(symbols: Symbols, row: Node, keys: tuple[Scalar, ...], kind: Type) -> list[Value]:
    cells = [p for p in row.parts if not (isinstance(p, Node) and p.kind == "cite")]
    if len(cells) != len(keys) + 1:
        raise symbols.wrong(
            "TB01",
            f"this row has {typed_operators.plural(len(cells), 'column')}, the table has {len(keys) + 1}",
            row.span,
            hint="a row has a cell for each key, then the value",
        )
    values = ExpressionLowering(symbols)
    return [values.constants.literal(cell, k) for cell, k in zip(cells, [*keys, kind], strict=True)]


def show(symbols: Symbols, value: int, kind: Scalar) -> str:
    """A key as people write it."""
    return str(value) if isinstance(kind, Int) else str(symbols.domains[kind.domain].labels[value])


def numbers_of_players(decl: Node) -> tuple[int, ...]:
    """The numbers that a `game` or an `option` names, plain and rising; none if they are something else."""
    between = first(decl, "range")
    if between is None:
        listed = tuple(int(w.text[:4]) for w in words(decl, "INT"))
        return listed if list(listed) == sorted(set(listed)) else ()
    bounds = [int(word(b.parts[0]).text[:4]) if b.kind == "int" else 0 for b in nodes(between)]
    return tuple(range(bounds[0], bounds[-1] + 1)) if all(bounds) else ()
