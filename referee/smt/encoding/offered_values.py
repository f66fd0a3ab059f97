"""What the sources of parameters offer, where it is kept what lies in each zone."""

from __future__ import annotations

from typing import assert_never

from referee.core.expr import Within
from referee.core.stmt import Param
from referee.core.types import Elem, Int, Many
from referee.smt import term
from referee.smt.encoding import moving
from referee.smt.encoding.term_evaluation import Evaluator
from referee.smt.term import Cond, Num
from referee.smt.value import Bits, Counts, Opt, Sym, Unencodable


def allowed(param: Param, given: Sym, evaluate: Evaluator) -> Cond:
    """Whether a value is one that a parameter's source offers."""
    match param.type:
        case Many():
            return _several(param, given, evaluate)
        case Int() | Elem():
            members = evaluate.members(param.source, True)
            assert not isinstance(given, Opt | Bits | Counts)
            return term.disj(term.both(m.there, term.equal(m.value, given)) for m in members)
        case _:
            assert_never(param.type)


def _several(param: Param, given: Sym, evaluate: Evaluator) -> Cond:
    """Whether several can be taken at once from a source."""
    assert isinstance(given, Counts)
    assert param.count is not None
    least, most = (evaluate.number(end) for end in param.count)
    if isinstance(param.source, Within) and param.source.place.end is not None and not param.repeated:
        return _from_end(param, param.source, given, evaluate)
    there: dict[int, list[Num]] = {}
    for member in evaluate.members(param.source, False):
        if not isinstance(member.value, int):
            raise Unencodable(f"{param.name}: several are taken from a line")
        there.setdefault(member.value, []).append(term.choose(member.there, member.number, 0))
    enough: list[Cond] = []
    for i, number in given.members():
        available = term.total(there.get(i, []))
        limit = term.choose(term.less(0, available), given.size, 0) if param.repeated else available
        enough.append(term.both(term.at_most(0, number), term.at_most(number, limit)))
    assert isinstance(param.type, Many)
    size = [term.at_most(least, given.size), term.at_most(given.size, term.lower(most, param.type.most))]
    return term.conj([*enough, *_among(param, given, evaluate), *size])


def _among(param: Param, given: Counts, evaluate: Evaluator) -> list[Cond]:
    """That each of several is one of those that are allowed, where not all are."""
    if param.among is None:
        return []
    among = evaluate(param.among)
    assert isinstance(among, Bits)
    return [term.disj((term.equal(n, 0), among.has(i))) for i, n in given.members()]


def _from_end(param: Param, source: Within, given: Counts, evaluate: Evaluator) -> Cond:
    """Whether several can be drawn from an end of a pile: block after block, the next only when one is used up."""
    place, store = source.place, evaluate.context.store
    zone = store.layout.core.zones[place.zone]
    there, inside = store.zone(zone, [evaluate.number(k) for k in place.keys])
    _, ok = moving.taken(there, given, place.end, None)
    assert param.count is not None
    assert isinstance(param.type, Many)
    least, most = (evaluate.number(end) for end in param.count)
    some = [term.at_most(0, n) for _, n in given.members()]
    size = term.both(term.at_most(least, given.size), term.at_most(given.size, term.lower(most, param.type.most)))
    return term.both(inside, ok, size, *some, *_among(param, given, evaluate))
