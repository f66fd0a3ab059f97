"""Procedures by cases: several with one name, each for one class of components, which a call tells apart.

`procedure use(SWORD, p: player)` and `procedure use(BOW, p: player)` are carried out by `use(weapon, p)`. So what a
component does stands beside the component, and a new one changes nothing elsewhere.
"""

from __future__ import annotations

from referee.core.expr import Const, Expr, Local
from referee.core.stmt import Block, Branch, Call, Gap, Origin, Point, Procedure, Unspecified
from referee.core.types import COMPONENT, Elem, Scalar
from referee.frontend.expressions import typed_operators
from referee.frontend.names.symbol_table import Symbols
from referee.frontend.names.tree_access import ErrorReported, first, head, nodes, origin, word
from referee.syntax.syntax_tree import Node

WHICH = "the case"
"""How a procedure calls the component that its cases are told apart by."""


def claim_procedure(symbols: Symbols, decl: Node) -> None:
    """Takes the name of a procedure, or of one case of it. Raises Wrong (reported)."""
    name = word(decl.parts[0])
    cases = _said(decl, "proc_case")
    if not cases:
        symbols.procedure_nodes[symbols.claim(name)] = decl
        return
    label = word(cases[0].parts[0])
    if len(cases) > 1:
        raise symbols.wrong("PC01", f"{name.text} is told apart by one component, not by two", cases[1].span)
    index = symbols.labelled(Elem(COMPONENT, 0, len(symbols.domains[COMPONENT].labels) - 1), label.text)
    if index is None:
        raise symbols.unknown(label, "a component", set(symbols.labels(symbols.domains[COMPONENT].whole)))
    key = f"{name.text}.{label.text}"
    known = symbols.cased.get(name.text)
    if known is None:
        known = symbols.cased[symbols.claim(name)] = {}
    if index in known:
        notes = ((f"the first {label.text} stands here", head(symbols.procedure_nodes[key])),)
        symbols.reporter.error("PC01", f"{name.text} of {label.text} stands twice", label.span, notes=notes)
        raise ErrorReported
    known[index] = key
    symbols.procedure_nodes[key] = decl


def together(symbols: Symbols) -> None:
    """Declares for each procedure by cases the one that is called: it goes on in the case of the component given."""
    for name, keys in symbols.cased.items():
        known = {index: key for index, key in keys.items() if key in symbols.procedures}
        if not known:
            continue
        decl = symbols.procedure_nodes[next(iter(known.values()))]
        kind = symbols.kind_at(next(iter(known))).type
        for index, key in known.items():
            _alike(symbols, name, decl, symbols.procedure_nodes[key], kind, index)
        symbols.told[name] = symbols.told[next(iter(known.values()))]
        symbols.procedures[name] = _calls(symbols, name, decl, known, kind)


def _alike(symbols: Symbols, name: str, one: Node, other: Node, kind: Elem, index: int) -> None:
    """Complains of a case that takes or gives something else than the first, or is of another kind."""
    case = _said(other, "proc_case")[0]
    if not kind.lo <= index <= kind.hi:
        said = f"{word(case.parts[0]).text} is no {symbols.kind_at(kind.lo).name}, as the other cases of {name} are"
        raise symbols.wrong("PC01", said, case.span)
    heads = [symbols.procedures[f"{name}.{word(_said(d, 'proc_case')[0].parts[0]).text}"] for d in (one, other)]
    if _place(one) != _place(other) or heads[0].params != heads[1].params or heads[0].results != heads[1].results:
        notes = (("the first case stands here", head(one)),)
        symbols.reporter.error("PC01", f"the cases of {name} take and give the same", head(other), notes=notes)


def _calls(symbols: Symbols, name: str, decl: Node, keys: dict[int, str], kind: Elem) -> Procedure:
    where = origin(decl)
    own = symbols.procedures[next(iter(keys.values()))]
    params: list[tuple[str, Scalar]] = list(own.params)
    params.insert(_place(decl), (WHICH, kind))
    which = Local(WHICH, kind)
    args: tuple[Expr, ...] = tuple(Local(n, k) for n, k in own.params)
    results = tuple(n for n, _ in own.results)
    body: Block = _nothing_said(symbols, name, where) if len(keys) < kind.hi - kind.lo + 1 else ()
    for index, key in sorted(keys.items(), reverse=True):
        here = symbols.procedures[key].origin
        this = typed_operators.equal(which, Const(index, Elem(COMPONENT, index, index)))
        call: Block = (Call(key, args, results, here),)
        body = (Branch(this, call, body, here),) if body else call
    return Procedure(name, tuple(params), own.results, body, where)


def _nothing_said(symbols: Symbols, name: str, where: Origin) -> Block:
    point = Point(symbols.point(f"{name}.case"), False, where)
    return (Unspecified(point, f"nothing is said of {name} for this component", None, None, None, Gap.CASE),)


def _said(decl: Node, *kinds: str) -> list[Node]:
    group = first(decl, "proc_params")
    return list(nodes(group, *kinds)) if group is not None else []


def _place(decl: Node) -> int:
    """Which of its arguments a case names."""
    return [part.kind for part in _said(decl, "proc_param", "proc_case")].index("proc_case")
