"""Random cores: every kind of statement, source and expression, in bodies that no game would have."""

from __future__ import annotations

from random import Random

from referee.core.expr import (
    After,
    All,
    And,
    At,
    Connected,
    Const,
    Domainlike,
    End,
    Expr,
    Fold,
    FoldKind,
    Get,
    If,
    Let,
    Local,
    Members,
    Numbers,
    Only,
    Op,
    Operator,
    Or,
    Place,
    Split,
    Where,
    Within,
)
from referee.core.ruleset import Core, Form, Sight, Table
from referee.core.stmt import (
    Action,
    Bind,
    Block,
    Branch,
    Call,
    Chance,
    Commit,
    Decide,
    Each,
    Finish,
    Merge,
    Move,
    Option,
    Param,
    Part,
    Point,
    Procedure,
    Repeat,
    Stmt,
    Swap,
    Unspecified,
)
from referee.core.types import COMPONENT, PLAYER, Bool, Elem, Int, Many, Maybe, SetOf, Type
from tests import cores

SEAT = Elem(PLAYER, 0, 2)
THING = Elem(COMPONENT, 0, 2)
SPOTS = cores.enum("spot", "north", "south", "east")
SPOT = SPOTS.whole
NUMBER = Int(0, 6)
TAKEN = cores.enum("taken", "first", "second", "neither")
ZONES = (
    cores.zone("hand", Form.BAG, SEAT, sight=Sight(False, (0,))), cores.zone("row", Form.LINE, capacity=6),
    cores.zone("deck", Form.PILE, sight=Sight(False)), cores.zone("board", Form.SLOTS, spots=SPOT, capacity=3),
)
TEAMS = Table("teams", (Int(1, 3),), SetOf(SEAT), tuple(map(frozenset, ({0, 2}, {1}, {1, 2}))))
Scope = dict[str, Type]


class Maker:
    """Makes one core. Bodies use only actions and procedures with higher numbers, so nothing recurs."""

    def __init__(self, seed: int) -> None:
        self.looks = Random(seed + 1_000_000)
        self.aside = Random(seed + 2_000_000)
        self.apart = Random(seed + 3_000_000)
        self.random = Random(seed)
        self.points = 0
        self.names = 0
        self.params: dict[str, tuple[Param, ...]] = {}

    def core(self) -> Core:
        actions = [self.action(number, fate) for number in (3, 2, 1, 0) for fate in (False, True)]
        procedures = [self.procedure(number) for number in range(3)]
        main = (*self.block({}, 3, 0), self.repeat({}, 2, 0), *self.block({}, 2, 0))
        variables = [cores.state("n", NUMBER, 2), cores.state("flag", Bool(), False), cores.state("at", SEAT, 0),
                     cores.state("kept", NUMBER, 0, SEAT), cores.state("few", Many(THING, 9), (0, 0, 1))]
        return cores.made(main, domains=[SPOTS, TAKEN], variables=variables, zones=ZONES, actions=actions,
                          components=cores.things("deck", 4, 2, 1), procedures=procedures, tables=[TEAMS],
                          players=3)

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def name(self, stem: str) -> str:
        self.names += 1
        return f"{stem}{self.names % 3}"

    def point(self) -> Point:
        self.points += 1
        return cores.point(f"point {self.points}", self.random.random() < 0.3)

    # --- who is who

    def action(self, number: int, fate: bool = False) -> Action:
        params: list[Param] = []
        scope: Scope = {} if fate else {"me": SEAT}
        for index in range(self.random.choice([0, 0, 1, 2])):
            name = f"a{index}"
            params.append(self.param(name, scope))
            scope[name] = params[-1].type
        guards = [cores.guard("may", self.truth(scope, 2)) for _ in range(self.random.randint(0, 1))]
        body = self.block(scope, 2, number + 1) if self.random.random() < 0.8 else ()
        name = f"{'fate' if fate else 'do'}{number}"
        self.params[name] = tuple(params)
        return Action(name, self.pick("go", "do"), tuple(params), tuple(guards), body, cores.HERE)

    def param(self, name: str, scope: Scope) -> Param:
        arg = name if self.random.random() < 0.9 else None
        if self.random.random() < 0.25:
            place = Place("deck", end=End.TOP) if self.random.random() < 0.5 else self.place(scope)
            source: Domainlike = Within(place)
            count = (cores.num(self.random.choice([0, 0, 1, 2])), cores.num(2))
            among = Op(Operator.SET, (Const(0, THING), Const(self.random.randint(0, 2), THING)), SetOf(THING))
            return Param(name, arg, Many(THING, 3), source, cores.HERE, count, repeated=self.random.random() < 0.2,
                         among=among if self.random.random() < 0.3 else None)
        kind, source = self.source(scope)
        return Param(name, arg, kind, source, cores.HERE)

    def procedure(self, number: int) -> Procedure:
        scope: Scope = {"given": NUMBER}
        body = self.block(scope, 2, number + 2)
        if self.random.random() < 0.5:
            ends: Block = (Branch(self.truth(scope, 1), (Bind("result", self.number(scope, 1), cores.HERE),),
                                  (Bind("result", self.number(scope, 1), cores.HERE),), cores.HERE),)
        else:
            ends = (Bind("result", self.number(scope, 1), cores.HERE),)
        return Procedure(f"call{number}", (("given", NUMBER),), (("result", NUMBER),), (*body, *ends), cores.HERE)

    # --- statements

    def block(self, scope: Scope, depth: int, first: int) -> Block:
        inner = dict(scope)
        return tuple(self.stmt(inner, depth, first) for _ in range(self.random.randint(1, 3)))

    def stmt(self, scope: Scope, depth: int, first: int) -> Stmt:
        flat = ["put", "put", "move", "move", "merge", "swap", "bind", "keep"]
        deep = ["branch", "each", "repeat", "decide", "decide", "commit", "chance", "rule", "call", "finish"]
        kind = self.pick(*(flat if depth == 0 else flat + deep + deep))
        match kind:
            case "put" if (several := self.local(scope, Many(THING, 3))) is not None:
                return cores.put("few", several)
            case "put":
                return cores.put("n", self.number(scope, 2)) if self.random.random() < 0.6 else (
                    cores.put("at", self.seat(scope)))
            case "keep":
                return cores.put("kept", self.number(scope, 1), self.seat(scope))
            case "move":
                return self.move(scope)
            case "merge":
                return Merge(Place("deck"), (self.place(scope, "hand", "row", "board"),), cores.HERE)
            case "swap":
                return Swap(self.place(scope, "hand"), self.place(scope, "hand"), cores.HERE)
            case "bind":
                return self.bind(scope)
            case "branch":
                return Branch(self.truth(scope, 2), self.block(scope, depth - 1, first),
                              self.block(scope, depth - 1, first), cores.HERE)
            case "each":
                return self.each(scope, depth, first)
            case "repeat":
                return self.repeat(scope, depth, first)
            case "commit":
                return self.commit(scope, first)
            case "call" if first < 3:
                return self.call(scope, first)
            case "finish" if self.random.random() < 0.2:
                return Finish(Op(Operator.SET, (self.seat(scope),), SetOf(SEAT)), cores.HERE)
            case "rule":
                return self.rule(scope)
            case "chance" if first < 4:
                return Chance(self.point(), f"fate{self.random.randint(first, 3)}")
            case _ if first < 4:
                return self.decide(scope, depth, first)
            case _:
                return self.move(scope)

    def bind(self, scope: Scope) -> Stmt:
        name = self.name("b")
        value, kind = (self.number(scope, 2), NUMBER) if self.random.random() < 0.5 else (self.seat(scope), SEAT)
        stmt = Bind(name, value, cores.HERE)
        scope[name] = kind
        return stmt

    def move(self, scope: Scope) -> Stmt:
        source, to = self.place(scope), self.place(scope)
        if self.random.random() < 0.1 and to.zone != "board":
            return Move(Get("few", (), Many(THING, 9)), None, source, to, cores.HERE)
        one = Fold(FoldKind.MIN, "m", Within(source), None, None, THING, Const(0, THING))
        there = Fold(FoldKind.COUNT, "m", Within(source), None, None, NUMBER)
        spot_free = cores.YES if to.zone != "board" else cores.eq(
            At(Place("board"), to.spot or Const(0, SPOT), Maybe(THING)), Const(None, Maybe(THING)))
        safe = And((cores.less(cores.num(0), there), spot_free))
        return Branch(safe, (Move(one, None, source, to, cores.HERE),), (), cores.HERE)

    def each(self, scope: Scope, depth: int, first: int) -> Stmt:
        name = self.name("e")
        kind, source = self.source(scope)
        return Each(name, source, self.block({**scope, name: kind}, depth - 1, first), cores.HERE)

    def repeat(self, scope: Scope, depth: int, first: int) -> Stmt:
        more = Op(Operator.LOWER, (cores.add(Get("n", (), NUMBER), cores.num(2), Int(0, 8)), cores.num(6)), NUMBER)
        body = (*self.block(scope, depth - 1, first), cores.put("n", more))
        until = Or((self.truth(scope, 1), cores.less(cores.num(3), Get("n", (), NUMBER))))
        return Repeat(until, body, self.random.randint(2, 4), cores.HERE)

    def decide(self, scope: Scope, depth: int, first: int) -> Stmt:
        options = tuple(self.option(scope, first) for _ in range(self.random.randint(1, 2)))
        otherwise = self.block(scope, depth - 1, first) if self.random.random() < 0.9 else None
        taken = self.name("t") if self.random.random() < 0.5 else None
        stmt = Decide(self.point(), self.seat(scope), options, otherwise, taken, None if taken is None else "taken")
        if taken is not None:
            scope[taken] = TAKEN.whole
        return stmt

    def option(self, scope: Scope, first: int) -> Option:
        name = f"do{self.random.randint(first, 3)}"
        fixed = [(param.name, self.number(scope, 1) if param.type == NUMBER else self.seat(scope))
                 for param in self.params[name] if param.type in (NUMBER, SEAT) and self.random.random() < 0.3]
        return Option(name, tuple(fixed))

    def commit(self, scope: Scope, first: int) -> Stmt:
        if first > 3:
            return self.move(scope)
        actors = Where("w", All(SEAT), self.truth({**scope, "w": SEAT}, 1), SetOf(SEAT))
        parts = tuple(self.part(actors, first) for _ in range(self.random.randint(1, 2)))
        return Commit(self.point(), parts, True, True)

    def part(self, actors: Expr, first: int) -> Part:
        name = f"do{self.random.randint(first, 3)}"
        keeps = [param.type for param in self.params[name]] == [NUMBER]
        return Part(actors, name, ("kept",) if keeps else ())

    def call(self, scope: Scope, first: int) -> Stmt:
        name = self.name("r")
        stmt = Call(f"call{self.random.randint(first, 2)}", (self.number(scope, 1),), (name,), cores.HERE)
        scope[name] = NUMBER
        return stmt

    def rule(self, scope: Scope) -> Stmt:
        name = self.name("u")
        kind, source = self.source(scope)
        stmt = Unspecified(self.point(), "which?", name, kind, source)
        scope[name] = kind
        return stmt

    # --- expressions

    def place(self, scope: Scope, *zones: str) -> Place:
        zone = self.pick(*(zones or ("hand", "row", "deck", "board")))
        end = self.random.choice([None, End.TOP, End.BOTTOM])
        match zone:
            case "hand":
                return Place(zone, (self.seat(scope),))
            case "board":
                return Place(zone, (), Const(self.random.randint(0, 2), SPOT))
            case _:
                return Place(zone, end=end)

    def source(self, scope: Scope) -> tuple[Elem | Int, Domainlike]:
        down = self.random.random() < 0.4
        match self.pick("numbers", "all", "members", "many", "within", "within"):
            case "numbers":
                return NUMBER, Numbers(cores.num(self.random.randint(0, 2)), self.number(scope, 1), down)
            case "all":
                return SEAT, All(SEAT, self.seat(scope) if self.random.random() < 0.6 else None, down)
            case "members":
                chosen = Where("w", All(SEAT), self.truth({**scope, "w": SEAT}, 1), SetOf(SEAT))
                return SEAT, Members(chosen, self.seat(scope) if self.random.random() < 0.6 else None, down)
            case "many":
                return THING, Members(Get("few", (), Many(THING, 9)), None, down)
            case _:
                return THING, Within(self.place(scope))

    def local(self, scope: Scope, kind: Type) -> Expr | None:
        names = [name for name, known in scope.items() if known == kind]
        return Local(self.random.choice(names), kind) if names else None

    def seat(self, scope: Scope) -> Expr:
        found = self.local(scope, SEAT)
        if found is not None and self.random.random() < 0.7:
            return found
        return Const(self.random.randint(0, 2), SEAT) if self.random.random() < 0.5 else Get("at", (), SEAT)

    def number(self, scope: Scope, depth: int) -> Expr:
        made = self._number(scope, depth)
        if depth > 0 and self.apart.random() < 0.1:
            made = self.split(made)
        return self.after(made, scope) if depth > 0 and self.looks.random() < 0.2 else made

    def after(self, value: Expr, scope: Scope) -> Expr:
        """A number at the position that a few statements lead to; drawn apart, so that all else stays what it was."""
        before, self.random = self.random, self.looks
        made = (self.stmt(dict(scope), 0, 9) for _ in range(self.random.randint(0, 3)))
        body = tuple(stmt for stmt in made if not isinstance(stmt, Bind))
        failing = cores.num(self.random.randint(0, 3)) if self.random.random() < 0.7 else None
        self.random = before
        return After(body, value, NUMBER, failing)

    def _number(self, scope: Scope, depth: int) -> Expr:
        found = self.local(scope, NUMBER)
        if found is not None and self.random.random() < 0.4:
            return found
        if depth == 0:
            return cores.num(self.random.randint(0, 3)) if self.random.random() < 0.5 else Get("n", (), NUMBER)
        match self.pick("leaf", "add", "sub", "kept", "fold", "if", "let", "only"):
            case "add":
                both = (self.number(scope, depth - 1), cores.num(1))
                return Op(Operator.LOWER, (Op(Operator.ADD, both, Int(0, 7)), cores.num(6)), NUMBER)
            case "sub":
                return Op(Operator.BETWEEN, (self.number(scope, depth - 1), self.number(scope, depth - 1)), NUMBER)
            case "kept":
                return Get("kept", (self.seat(scope),), NUMBER)
            case "fold":
                return self.fold(scope, depth)
            case "if":
                yes, other = self.number(scope, depth - 1), self.number(scope, depth - 1)
                return If(self.truth(scope, depth - 1), yes, other, NUMBER)
            case "let":
                name = self.name("l")
                return Let(name, self.number(scope, depth - 1), self.number({**scope, name: NUMBER}, depth - 1), NUMBER)
            case "only":
                return Only(Op(Operator.SET, (self.number(scope, depth - 1),), SetOf(NUMBER)), NUMBER)
            case _:
                return self.number(scope, 0)

    def fold(self, scope: Scope, depth: int) -> Expr:
        name = self.name("f")
        kind, source = self.source(scope)
        where = self.truth({**scope, name: kind}, depth - 1) if self.random.random() < 0.5 else None
        fold = self.random.choice([FoldKind.COUNT, FoldKind.MIN, FoldKind.MAX])
        body = None if fold is FoldKind.COUNT else self.number({**scope, name: kind}, depth - 1)
        made = Fold(fold, name, source, where, body, NUMBER, cores.num(0))
        return Op(Operator.LOWER, (made, cores.num(6)), NUMBER)

    def split(self, value: Expr) -> Expr:
        """A number, mostly beside what those keep who are left of some seats without teams of them."""
        rest, one = Local("r", SetOf(SEAT)), Local("s", SEAT)
        some = Where("s", All(SEAT), cores.less(Get("kept", (one,), NUMBER), Get("n", (), NUMBER)), SetOf(SEAT))
        kept = Fold(FoldKind.SUM, "s", Members(rest), None, Get("kept", (one,), NUMBER), Int(0, 18))
        body = Op(Operator.LOWER, (Op(Operator.ADD, (kept, value), Int(0, 24)), cores.num(6)), NUMBER)
        kind = self.apart.choice([FoldKind.MIN, FoldKind.MAX])
        if self.apart.random() < 0.3:
            return Split(kind, Const(frozenset({0, 1, 2}), SetOf(SEAT)), "teams", "r", value, NUMBER)
        return Split(kind, some, "teams", "r", body, NUMBER)

    def connected(self, start: Expr) -> Expr:
        """The seats connected with one over those that keep less than `n`, or with another one while a flag is up."""
        here, one, other = "h", "c", "w"
        if self.aside.random() < 0.4:
            all_with = Op(Operator.SET, (Get("at", (), SEAT),), SetOf(SEAT))
            return Connected(start, here, all_with, one, Get("flag", (), Bool()), SetOf(SEAT))
        apart = Op(Operator.NE, (Local(other, SEAT), Local(here, SEAT)), Bool())
        keeps = cores.less(Get("kept", (Local(one, SEAT),), NUMBER), Get("n", (), NUMBER))
        return Connected(start, here, Where(other, All(SEAT), apart, SetOf(SEAT)), one, keeps, SetOf(SEAT))

    def truth(self, scope: Scope, depth: int) -> Expr:
        if depth == 0:
            some = cores.less(Get("n", (), NUMBER), cores.num(4))
            return Get("flag", (), Bool()) if self.random.random() < 0.2 else some
        match self.pick("less", "seat", "and", "or", "not", "any", "all", "in"):
            case "less":
                return cores.less(self.number(scope, depth - 1), self.number(scope, depth - 1))
            case "seat":
                one, other = self.seat(scope), self.seat(scope)
                joined = Op(Operator.IN, (one, self.connected(other)), Bool())
                return joined if self.aside.random() < 0.5 else cores.eq(one, other)
            case "and":
                return And((self.truth(scope, depth - 1), self.truth(scope, depth - 1)))
            case "or":
                return Or((self.truth(scope, depth - 1), self.truth(scope, depth - 1)))
            case "not":
                return cores.no(self.truth(scope, depth - 1))
            case "in":
                one, other = self.seat(scope), self.seat(scope)
                group = self.connected(other) if self.aside.random() < 0.5 else Op(Operator.SET, (other,), SetOf(SEAT))
                return Op(Operator.IN, (one, group), Bool())
            case kind:
                name = self.name("f")
                member, source = self.source(scope)
                inner = {**scope, name: member}
                return Fold(FoldKind.ANY if kind == "any" else FoldKind.ALL, name, source,
                            self.truth(inner, depth - 1), self.truth(inner, depth - 1), Bool())
