"""Loops over members with points inside: a snapshot of the source in registers, taken up one by one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from referee.core.expr import (
    All,
    At,
    Const,
    Domainlike,
    Expr,
    Fold,
    FoldKind,
    Get,
    Local,
    Members,
    Numbers,
    Only,
    Op,
    Operator,
    Or,
    Place,
    Where,
    Within,
)
from referee.core.flow import Fork
from referee.core.member_types import member_type
from referee.core.ruleset import Form
from referee.core.stmt import Block, Each, Origin, Stmt
from referee.core.types import Bool, Int, Many, Maybe, Scalar, SetOf
from referee.flow.flow_graph import Graph
from referee.flow.register_starts import const

Body = Callable[[str, int], int]
"""Lowers the body, given the register of the member and the node to go on at."""
_ITEM = "item"


def each_loop(graph: Graph, stmt: Each, source: Domainlike, title: str, body: Body, after: int) -> int:
    """The first node of a loop over a source (names in it already replaced) that goes on at `after`."""
    loop = _Loop(graph, stmt, source, title, after)
    match source:
        case Members(of) if isinstance(of.type, Many):
            return loop.copies(of, of.type, body)
        case Within(place) if graph.core.zones[place.zone].form is Form.LINE and place.end is None is place.spot:
            return loop.line(place, graph.core.zones[place.zone].capacity, body)
        case _:
            return loop.members(body)


class _Loop:
    def __init__(self, graph: Graph, stmt: Each, source: Domainlike, title: str, after: int) -> None:
        self.graph = graph
        self.origin: Origin = stmt.origin
        self.source = source
        self.title = title
        self.after = after
        self.owner = id(stmt)
        self.kind: Scalar = member_type(graph.core, source)
        self.member = graph.register((self.owner, "member"), title, self.kind, self.origin)

    def members(self, body: Body) -> int:
        """The members left are a set; the next one is its least, its greatest, or the first from a seat on."""
        start = self.graph.reserve()
        take, first, leave = self._taking()
        inner = self.graph.run(take, body(self.member, start))
        self.graph.fill(start, Fork(self._none_left(), leave, inner, self.origin))
        return self.graph.run(first, start)

    def copies(self, of: Expr, kind: Many, body: Body) -> int:
        """A loop over the classes, and in it one over the copies of each."""
        graph = self.graph
        snapshot = graph.register((self.owner, "all"), f"{self.title} of", kind, self.origin,
                                  title=f"all {self.title}")
        left = graph.register((self.owner, "copies"), f"{self.title} copies", Int(0, kind.most), self.origin,
                              title=f"{self.title} once more")
        assert isinstance(self.source, Members)
        self.source = replace(self.source, of=graph.read(snapshot))
        start, again = graph.reserve(), graph.reserve()
        take, first, leave = self._taking(snapshot)
        same = _equal(Local(_ITEM, self.kind), graph.read(self.member))
        number = Fold(FoldKind.COUNT, _ITEM, Members(graph.read(snapshot)), same, None, Int(0, kind.most))
        one_less = Op(Operator.SUB, (graph.read(left), const(1, Int(1, 1))), Int(-1, kind.most - 1))
        inner = graph.run((graph.put(left, one_less, self.origin),), body(self.member, again))
        graph.fill(again, Fork(_equal(graph.read(left), const(0, Int(0, 0))), start, inner, self.origin))
        entered = graph.run((*take, graph.put(left, number, self.origin)), again)
        graph.fill(start, Fork(self._none_left(), leave, entered, self.origin))
        return graph.run((graph.put(snapshot, of, self.origin), *first), start)

    def line(self, place: Place, capacity: int, body: Body) -> int:
        """The positions are kept in an array, and gone through by number."""
        graph, positions = self.graph, Int(0, capacity - 1)
        held = Maybe(self.kind)
        array = graph.register((self.owner, "line"), f"{self.title} line", held, self.origin, keys=(positions,),
                               title=f"{self.title} by place")
        at = graph.register((self.owner, "place"), f"{self.title} place", Int(0, capacity), self.origin)
        here = Get(array, (graph.read(at),), held)
        index = Local(_ITEM, positions)
        keep = Each(_ITEM, Numbers(const(0, positions), const(capacity - 1, positions)),
                    (graph.put(array, At(place, index, held), self.origin, index),), self.origin)
        done = Or((_equal(graph.read(at), const(capacity, Int(capacity, capacity))), _equal(here, Const(None, held))))
        further = Op(Operator.ADD, (graph.read(at), const(1, Int(1, 1))), Int(1, capacity + 1))
        take = (graph.put(self.member, Only(here, self.kind), self.origin), graph.put(at, further, self.origin))
        start = graph.reserve()
        leave = graph.run(graph.clear((self.member, at, array), self.origin), self.after)
        graph.fill(start, Fork(done, leave, graph.run(take, body(self.member, start)), self.origin))
        return graph.run((keep,), start)

    def _taking(self, *also: str) -> tuple[Block, Block, int]:
        """Statements that take the next member, those that read the source, and where the loop is left to."""
        graph = self.graph
        self.rest = graph.register((self.owner, "rest"), f"{self.title} rest", SetOf(self.kind), self.origin,
                                   title=f"{self.title} to come")
        rest, used = graph.read(self.rest), [self.member, *also]
        first: list[Stmt] = [graph.put(self.rest, Where(_ITEM, _unordered(self.source), None, SetOf(self.kind)),
                                         self.origin)]
        seat: Expr | None = None
        if isinstance(self.source, (All, Members)) and self.source.first is not None:
            register = graph.register((self.owner, "from"), f"{self.title} from", self.source.first.type, self.origin)
            used.append(register)
            first.append(graph.put(register, self.source.first, self.origin))
            seat = graph.read(register)
        down = not isinstance(self.source, Within) and self.source.down
        one = Op(Operator.SET, (graph.read(self.member),), SetOf(self.kind))
        take = (graph.put(self.member, _next(rest, self.kind, seat, down), self.origin),
                graph.put(self.rest, Op(Operator.MINUS, (rest, one), SetOf(self.kind)), self.origin))
        return take, tuple(first), graph.run(graph.clear(used, self.origin), self.after)

    def _none_left(self) -> Expr:
        size = Op(Operator.SIZE, (self.graph.read(self.rest),), Int(0, self.kind.hi - self.kind.lo + 1))
        return _equal(size, const(0, Int(0, 0)))


def _equal(left: Expr, right: Expr) -> Expr:
    return Op(Operator.EQ, (left, right), Bool())


def _unordered(source: Domainlike) -> Domainlike:
    """The source without its order, which is applied when members are taken up."""
    return replace(source, first=None, down=False) if isinstance(source, (All, Members)) else source


def _next(rest: Expr, kind: Scalar, seat: Expr | None, down: bool) -> Expr:
    """The member to take up next: an end of the set, or the end of the part from a seat on if that is not empty."""
    item = Local(_ITEM, kind)
    fold = FoldKind.MAX if down else FoldKind.MIN
    end = Fold(fold, _ITEM, Members(rest), None, item, kind)
    if seat is None:
        return end
    beyond = Op(Operator.LE if down else Operator.GE, (item, seat), Bool())
    return Fold(fold, _ITEM, Members(rest), beyond, item, kind, empty=end)
