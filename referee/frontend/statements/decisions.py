"""Statements that ask somebody: decisions, secret choices, draws and dice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from referee.core.expr import (
    Const,
    Expr,
    Fold,
    FoldKind,
    Get,
    If,
    Local,
    Look,
    Members,
    Only,
    Op,
    Operator,
    Place,
    Where,
)
from referee.core.read_write_sets import variables_of
from referee.core.ruleset import Role, Var
from referee.core.stmt import (
    Action,
    Block,
    Chance,
    Commit,
    Decide,
    Guard,
    Option,
    Origin,
    Param,
    Part,
    Point,
    Put,
    Stmt,
)
from referee.core.types import Bool, DomainKind, Elem, Int, Many, Maybe, Scalar, SetOf, Type
from referee.diagnostics.source import Span
from referee.frontend.expressions import typed_operators
from referee.frontend.expressions.coercions import MemberSource
from referee.frontend.expressions.expression_lowering import ExpressionLowering
from referee.frontend.names.bindings import Bound, Scope
from referee.frontend.names.free_locals import local_types
from referee.frontend.names.tree_access import cites, node, nodes, word, words
from referee.frontend.statements.audiences import Audiences
from referee.frontend.statements.passing_options import way_out
from referee.frontend.statements.state_changes import Statements, first_line
from referee.syntax.syntax_tree import Node, Word
from referee.syntax.syntax_tree import Part as TreePart

MOST_COMMITS = 24
"""Secret choices that are made at once: more are refused."""
MOST_CHOSEN = 100_000
"""Stands for "any number" of what is chosen, and is the largest number of the type of its count."""
LONG = 60
"""A decision with a longer name than this is called as its result, if that has a name."""
SEVERAL = ("each_player", "those_players", "rollers")
"""Subjects that are several players."""
PASS = "pass"
MUST, FIXED, NO_FIXED, PASSES = "must", "must", "may", "may_pass"
WHO, NEXT_PLAYER = "who", "the_next_player"
SHORTAGE, ALL_THERE_ARE = "shortage", "all_there_are"
HOW_MANY, FEWER, NOT_NONE = "how_many", "up_to", "at_least_one"
"""What other answers are about, and what they are called: whether somebody must, who chooses, how many, and if there
are not so many."""
ME, MINE = "me", "it"
SO_MANY_SHOW, DIE = "so many dice show it", "die"
"""The words of the guard that of several dice no more are taken of a number than show it, and of each of them."""
OUTSIDE = "me outside"
"""How an action that a statement makes calls the `me` of the action around it; its own actor may be another player."""


class Decisions:
    """Lowering of points."""

    def __init__(self, values: ExpressionLowering, statements: Statements) -> None:
        self.statements = statements
        self.symbols = values.symbols
        self.terms = values.terms
        self.constants = values.constants
        self.sources = values.sources
        self.conditions = values.conditions
        self.audiences = Audiences(values)
        statements.rules.update(
            {
                "choose": self._choose,
                "choose_value": self._choose_value,
                "must": self._must,
                "must_one": self._must,
                "may": self._may,
                "simultaneously": self._simultaneously,
                "commit": self._lone_commit,
                "reveal": self._reveal,
            }
        )

    # ------------------------------------------------------------------ who
    def actor(self, subject: Node, scope: Scope) -> Expr:
        if subject.kind in (*SEVERAL, "nobody", "fate"):
            raise self.symbols.wrong(
                "AC01", "one player decides here", subject.span, hint="use `for each p in players`, or `simultaneously`"
            )
        return self.terms.value(subject, scope, self.symbols.player)

    def point(self, scope: Scope, name: str, where: Origin, automatic: bool = False) -> Point:
        return Point(self.symbols.point(f"{scope.owner}.{name}"), scope.me is None, where, automatic)

    # ------------------------------------------------------------------ decisions
    def _must(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        return self.decide(stmt, scope, where, None)

    def _may(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        return self.decide(stmt, scope, where, self.passing(where))

    def passing(self, where: Origin) -> str:
        """The action of doing nothing, made unless the rules declare one."""
        if PASS not in self.symbols.action_nodes:
            self.symbols.actions.setdefault(PASS, Action(PASS, PASS, (), (), (), where))
        return PASS

    def decide(self, stmt: Node, scope: Scope, where: Origin, extra: str | None) -> tuple[list[Stmt], Scope]:
        actor = self.actor(node(stmt.parts[0]), scope)
        options = [self.option(n, scope) for n in nodes(stmt, "event_name")]
        if extra is not None:
            options.append(self._passing_option(extra, options, scope, where))
        offered = [o.action if o.action in self.symbols.action_nodes else PASS for o in options]
        automatic = any(True for _ in words(stmt, "AUTOMATIC"))
        named = next(words(stmt, "NAME"), None)
        name = "_or_".join(offered)
        name = named.text if named is not None and len(name) > LONG else name
        if any(True for _ in words(stmt, "IF_ABLE")):
            passing = self.symbols.others.test(MUST, PASSES, where) if scope.me is None else None
            options.append(way_out(self.symbols, tuple(options), f"{scope.owner}.{name}", where, passing))
        elif extra is None and named is None:
            in_turn = scope.me is None and len(options) > 1
            options += self._may_pass(f"{scope.owner}.{name}", where, PASSES if in_turn else NO_FIXED)
        point = self.point(scope, name, where, automatic)
        if named is None:
            return [Decide(point, actor, tuple(options), None)], scope
        labels = (*offered, *([PASS] if len(options) > len(offered) else []))
        domain = self.symbols.domain(f"taken at {point.name}", DomainKind.BRANCH, labels)
        taken = Bound(Local(named.text, domain.whole, named.span))
        return [Decide(point, actor, tuple(options), None, named.text, domain.name)], scope.bind(named.text, taken)

    def _passing_option(self, extra: str, options: list[Option], scope: Scope, where: Origin) -> Option:
        """The option of doing nothing, and for another answer: only if nothing else is possible."""
        test = self.symbols.others.test(MUST, FIXED, where)
        if test is None or not options:
            return Option(extra)
        name = f"{scope.owner}.{'_or_'.join(o.action for o in options)}"
        return way_out(self.symbols, tuple(options), name, where, typed_operators.negate(test))

    def _may_pass(self, name: str, where: Origin, answer: str) -> list[Option]:
        """For another answer than that somebody must: an option of doing nothing."""
        test = self.symbols.others.test(MUST, answer, where)
        if test is None:
            return []
        action = self.symbols.numbered(f"{name}.declined", self.symbols.actions)
        guard = Guard("it may be left", test, where)
        self.symbols.actions[action] = Action(action, PASS, (), (guard,), (), where)
        return [Option(action)]

    def option(self, event: Node, scope: Scope) -> Option:
        name, args = word(event.parts[0]), event.parts[1]
        action = self.symbols.action_nodes.get(name.text)
        if action is None:
            raise self.symbols.unknown(name, "an action", set(self.symbols.action_nodes))
        if args is None:
            return Option(name.text)
        declared = [p for group in nodes(action, "params") for p in nodes(group, "param")]
        given = [node(p) for p in node(args).parts]
        if len(given) > len(declared):
            has = typed_operators.plural(len(declared), "argument") if declared else "no argument"
            here = "is one" if len(given) == 1 else f"are {len(given)}"
            raise self.symbols.wrong("NM05", f"{name.text} has {has}, here {here}", event.span)
        return Option(name.text, tuple(self._fixed(declared, given, scope)))

    def _fixed(self, declared: list[Node], given: list[Node], scope: Scope) -> Iterator[tuple[str, Expr]]:
        """The arguments that an offer fixes, as values of what the action takes them from."""
        inner = Scope({}, Local(ME, self.symbols.player))
        for param, value in zip(declared, given, strict=False):
            name = word(param.parts[0]).text
            source = self.sources.source(node(param.parts[2]), inner, name)
            fixed = self.terms.value(value, scope, source.type)
            if isinstance(fixed, Const):
                self.constants.fixed(fixed, source.type, value.span)
            yield name, fixed
            inner = inner.bind(name, Bound(Local(name, source.type), source.at))

    # ------------------------------------------------------------------ choices without an action of their own
    def _choose(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        amount, sel = stmt.parts[2], node(stmt.parts[3])
        return self._choice(stmt, scope, where, node(amount), sel, stmt.parts[4])

    def _choose_value(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        return self._choice(stmt, scope, where, None, node(stmt.parts[3]), stmt.parts[4])

    def _choice(
        self, stmt: Node, scope: Scope, where: Origin, amount: Node | None, sel: Node, named: TreePart
    ) -> tuple[list[Stmt], Scope]:
        who = node(stmt.parts[0])
        actor = None if who.kind == "fate" else self._chooser(self.actor(who, scope), sel, scope, where)
        if actor is None and amount is not None and amount.kind != "exactly":
            raise self.symbols.wrong("AC02", "fate chooses a fixed number", amount.span)
        name = word(named).text if named is not None else "chosen"
        param = self.param(name, sel, outside(scope), where, self.count(amount, scope, name, sel))
        if actor is None and param.repeated:
            hint = "write `fate chooses one of ...`, which takes each number that shows alike"
            raise self.symbols.wrong("DI06", "fate does not choose several dice at once", sel.span, hint=hint)
        limits = self.dice_there(param, sel, outside(scope))
        param = self.audiences.narrowed(stmt, param, outside(scope), None if actor is None else ME)
        kept = self.register(f"{scope.owner}.{name}", (), param.type, where)
        body: Block = (Put(kept.name, (), Local(name, param.type), where),)
        action, bound = self.anonymous(scope, "choose", (param,), body, where, stmt, limits)
        automatic = any(True for _ in words(stmt, "AUTOMATIC"))
        point = self.point(scope, f"choose_{name}", where, automatic)
        held = Get(kept.name, (), kept.type, where.span)
        value = held if isinstance(param.type, Many) else Only(held, param.type, where.span)
        at = self._where_from(sel, scope, name)
        ask: Stmt = Chance(point, action, bound)
        if actor is not None:
            ask = Decide(point, actor, (Option(action, bound),), None)
        return [ask], scope.bind(name, Bound(value, at))

    def _chooser(self, actor: Expr, sel: Node, scope: Scope, where: Origin) -> Expr:
        """Who chooses; for another answer the next player, who is the other one of two. Not of what he may not see."""
        place = self._where_from(sel, scope, MINE) if self.symbols.others.asked else None
        open_ = place is None or self.symbols.zones[place.zone].sight.everybody
        test = self.symbols.others.test(WHO, NEXT_PLAYER, where) if open_ else None
        if test is None or self.symbols.seats.number < 2:
            return actor
        following = Look(self.symbols.next_player(False), (actor,), self.symbols.player, actor.span)
        return If(test, following, actor, self.symbols.player, actor.span)

    def _number(
        self, count: tuple[Expr, Expr], source: MemberSource, name: str, where: Origin
    ) -> tuple[Expr, Expr]:
        """Least and most to choose; for other answers: fewer of a fixed number, or at least one of those up to one."""
        least, most = count
        fixed = least is most
        test = self.symbols.others.test(HOW_MANY, FEWER if fixed else NOT_NONE, where)
        if test is None:
            return count
        if fixed:
            fewer = If(test, typed_operators.number(0), least, Int(0, _most(least)), least.span)
            return self.as_many_as_there_are(fewer, source, name, where), most
        there = Fold(FoldKind.ANY, name, source.domain, source.where, None, Bool())
        one = If(typed_operators.both((test, there)), typed_operators.number(1), typed_operators.number(0), Int(0, 1))
        return typed_operators.arithmetic(Operator.HIGHER, one, least), most

    def as_many_as_there_are(self, number: Expr, source: MemberSource, name: str, where: Origin) -> Expr:
        """A number of things, each of which the source calls by a name; for another answer all there are, if they are
        fewer."""
        test = self.symbols.others.test(SHORTAGE, ALL_THERE_ARE, where)
        if test is None:
            return number
        there = self.sources.as_often(source, name, MOST_CHOSEN, None)
        fewer = typed_operators.arithmetic(Operator.LOWER, number, there)
        kind = typed_operators.join(fewer.type, number.type)
        assert kind is not None
        return If(test, fewer, number, kind, number.span)

    def _where_from(self, sel: Node, scope: Scope, name: str) -> Place | None:
        return self.sources.source(sel, scope.pure(), name).at

    def count(self, amount: Node | None, scope: Scope, name: str, sel: Node) -> tuple[Expr, Expr] | None:
        """Least and most to choose of a source, each member of which has a name; None for exactly one."""
        if amount is None:
            return None
        if amount.kind == "all_of":
            source = self.sources.several(sel, scope, name)
            all_ = self.sources.as_often(source, name, MOST_CHOSEN, sel.span)
            return all_, all_
        if amount.kind == "any_number":
            return typed_operators.number(0), typed_operators.number(MOST_CHOSEN)
        most = self.conditions.quantity(amount.parts[-1], scope)
        if amount.kind in ("up_to", "between"):
            least = self.constants.whole(word(amount.parts[0])) if amount.kind == "between" else 0
            return typed_operators.number(least), most
        return None if isinstance(most, Const) and most.value == 1 else (most, most)

    def register(self, name: str, keys: tuple[Scalar, ...], kind: Scalar | Many, where: Origin) -> Var:
        held = kind if isinstance(kind, Many) else Maybe(kind)
        chosen = name.removeprefix("setup.")
        if name.startswith("setup.") and chosen in self.symbols.later and held is not kind:
            self.symbols.later.remove(chosen)
            self.symbols.vars[chosen] = Var(chosen, keys, held, None, Role.STATE, where)
            return self.symbols.vars[chosen]
        var = Var(self.free(name), keys, held, () if isinstance(kind, Many) else None, Role.REGISTER, where)
        self.symbols.vars[var.name] = var
        return var

    def free(self, name: str) -> str:
        return self.symbols.numbered(name, self.symbols.vars, " ")

    def param(
        self,
        name: str,
        sel: Node,
        scope: Scope,
        where: Origin,
        count: tuple[Expr, Expr] | None = None,
        arg: str | None = None,
    ) -> Param:
        source = (self.sources.source if count is None else self.sources.several)(sel, scope, name)
        over = self.sources.domain_with(source, name, sel.span)
        if count is None:
            return Param(name, arg or name, source.type, over, Origin(sel.span, where.cites))
        kind, here = self._many(source, count, sel.span), Origin(sel.span, where.cites)
        count = self._number(count, source, name, where)
        if source.often is not None:
            most = self.sources.as_often(source, name, self.sources.most(source), sel.span)
            if count[1] != typed_operators.number(MOST_CHOSEN):
                most = typed_operators.arithmetic(Operator.LOWER, count[1], most, sel.span)
            return Param(name, arg or name, kind, over, here, (count[0], most), repeated=True)
        if source.at is None or source.where is None:
            return Param(name, arg or name, kind, over, here, count)
        among = Where(name, source.domain, source.where, SetOf(source.type), sel.span)
        return Param(name, arg or name, kind, source.domain, here, count, among=among)

    def dice_there(self, param: Param, sel: Node, scope: Scope) -> tuple[Guard, ...]:
        """Of dice that are taken several at a time, that no more are taken of a number than show it."""
        if not param.repeated:
            return ()
        assert isinstance(param.type, Many)
        said = DIE if DIE not in {param.name, *scope.names} else self.sources.fresh(DIE)
        die, like = (Local(name, param.type.of) for name in (said, self.sources.fresh("like")))
        often, taken = self.sources.several(sel, scope, die.name).often, Members(Local(param.name, param.type))
        assert often is not None
        same = typed_operators.equal(like, die)
        number = Fold(FoldKind.COUNT, like.name, taken, same, None, Int(0, param.type.most))
        enough = typed_operators.compare(Operator.LE, number, often)
        cond = Fold(FoldKind.ALL, die.name, taken, None, enough, Bool(), None, sel.span)
        beyond = Where(die.name, taken, typed_operators.negate(enough, sel.span), SetOf(param.type.of))
        return (Guard(SO_MANY_SHOW, cond, param.origin, (("too often", beyond),)),)

    def _many(self, source: MemberSource, count: tuple[Expr, Expr], span: Span) -> Many:
        if not isinstance(source.type, Elem):
            hint = "write `chooses one of ...`"
            raise self.symbols.wrong("CH01", "numbers are not chosen several at a time", span, hint=hint)
        assert isinstance(count[1].type, Int)
        return Many(source.type, max(0, min(count[1].type.hi, self.sources.most(source))))

    def anonymous(
        self, scope: Scope, label: str, params: tuple[Param, ...], body: Block, where: Origin, stmt: Node,
        guards: tuple[Guard, ...] = (),
    ) -> tuple[str, tuple[tuple[str, Expr], ...]]:
        """An action of a single statement, with what it takes from around it as bound names.

        `logged as` renames it and its arguments.
        """
        name = self._action_name(f"{scope.owner}.{label}")
        logged = next(nodes(stmt, "logged"), None)
        if logged is not None:
            label, params = self.renamed(logged, params)
        taken = captured(scope, (params, guards, body), {p.name for p in params})
        around = tuple(
            Param(n, None, k, Members(typed_operators.singleton(Local(n, k))), where)
            for n, k, _ in taken
            if isinstance(k, Elem | Int)
        )
        self.symbols.actions[name] = Action(name, label, (*around, *params), guards, body, where)
        return name, tuple((n, value) for n, _, value in taken)

    def _action_name(self, wanted: str) -> str:
        return self.symbols.numbered(wanted, self.symbols.actions)

    def renamed(self, logged: Node, params: tuple[Param, ...]) -> tuple[str, tuple[Param, ...]]:
        """Label and parameters as a `logged as LABEL(arg: name)` says."""
        label = _event_word(node(logged.parts[1]))
        said: dict[str, str] = {}
        for arg in nodes(logged, "log_arg"):
            value = node(arg.parts[1])
            if value.kind != "name" or word(value.parts[0]).text not in {p.name for p in params}:
                raise self.symbols.wrong(
                    "LA01",
                    f"`{self.symbols.text(value.span)}` is no argument of this",
                    value.span,
                    expected=tuple(f"`{p.name}`" for p in params[:6]),
                )
            said[word(value.parts[0]).text] = _event_word(node(arg.parts[0]))
        if not said:
            return label, params
        return label, tuple(replace(p, arg=said.get(p.name)) for p in params)

    # ------------------------------------------------------------------ secret choices
    def _lone_commit(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        said = "a secret choice by itself: `commits` stands inside `simultaneously`"
        raise self.symbols.wrong("CM01", said, stmt.span)

    def _simultaneously(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        found = [n for line in nodes(node(stmt.parts[0])) for n in ([line] if line.kind == "commit" else nodes(line))]
        commits = [n for n in found if n.kind == "commit"]
        others = [n for n in found if n.kind not in ("commit", "cite")]
        if others:
            where_else = first_line(others[0])
            each = any(line.kind == "for_each" for line in nodes(node(stmt.parts[0])))
            hint = "of all players: `each player commits ... as NAME`" if each else None
            said = "`simultaneously` holds `... commits ... as NAME` only, or one line that each player rolls or draws"
            raise self.symbols.wrong("CM02", said, where_else, hint=hint)
        if len(commits) > MOST_COMMITS:
            more = commits[MOST_COMMITS].span
            raise self.symbols.wrong("CM05", f"at most {MOST_COMMITS} secret choices are made at once", more)
        cited = _cited_for(stmt, where)
        parts = [self._part(c, scope, cited[id(c)]) for c in commits]
        automatic = any(True for c in commits for _ in words(c, "AUTOMATIC"))
        names = _committed(stmt)
        all_said = Origin(where.span, tuple(dict.fromkeys(c for one in cited.values() for c in one.cites)))
        point = self.point(scope, "_and_".join(sorted(names)), all_said, automatic)
        after = self.statements.neighbours[1]
        revealed = {w.text for w in words(after, "NAME")} if after is not None and after.kind == "reveal" else set()
        if revealed and revealed < names:
            missing = " and ".join(sorted(names - revealed))
            secret = f"{missing} stays secret here: all of it is revealed, or nothing"
            raise self.symbols.wrong("RV02", secret, where.span)
        once = self._once(after, parts, scope) if after is not None and revealed else None
        return [Commit(point, tuple(parts), True, bool(revealed), once)], scope

    def _once(self, reveal: Node, parts: Sequence[Part], scope: Scope) -> Expr | None:
        """The condition of `reveal X once C`, which is about the position before anybody has chosen X."""
        said = reveal.parts[-1]
        if not isinstance(said, Node):
            return None
        once = self.terms.condition(said, scope)
        early = variables_of(once) & {name for part in parts for name in part.into}
        if early:
            early_said = f"{min(early)} is not chosen yet when this is looked at: it is asked before the choice"
            raise self.symbols.wrong("RV03", early_said, said.span)
        return once

    def _reveal(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        """What is revealed is known as soon as all have chosen: `_simultaneously` has seen to it."""
        before = self.statements.neighbours[0]
        secret = _committed(before) if before is not None and before.kind == "simultaneously" else set()
        for name in words(stmt, "NAME"):
            if name.text not in secret:
                raise self.symbols.wrong("RV01", f"{name.text} was not chosen in secret just before this", name.span)
        return [], scope

    def _part(self, commit: Node, scope: Scope, where: Origin) -> Part:
        who, sel, name = node(commit.parts[0]), node(commit.parts[3]), word(commit.parts[4])
        amount = commit.parts[2] if isinstance(commit.parts[2], Node) else None
        actors = self.players(who, scope)
        inner = Scope(scope.names, Local(ME, self.symbols.player), None, None, scope.owner)
        param = self.param(name.text, sel, inner, where, self.count(amount, scope, name.text, sel))
        var = self.kept_by_each(name, param, where)
        limits = self.dice_there(param, sel, inner)
        action, bound = self.anonymous(scope, "commit", (param,), (), where, commit, limits)
        if bound:
            said = f"a secret choice cannot depend on {bound[0][0]}"
            raise self.symbols.wrong("CM03", said, sel.span, hint="say `me` for who chooses")
        return Part(actors, action, (var.name,))

    def players(self, who: Node, scope: Scope) -> Expr:
        """The set of those who do something at once."""
        player = self.symbols.player
        if who.kind == "each_player":
            return Const(frozenset(range(player.hi + 1)), SetOf(player), who.span)
        if who.kind == "those_players":
            all_players = Node("players", (), word(who.parts[0]).span)
            those = Node("where", (all_players, *(part for part in who.parts[1:] if part is not None)), who.span)
            return self.terms.value(those, scope.pure(), SetOf(player))
        named = nodes(who) if who.kind == "rollers" else (who,)
        return Op(Operator.SET, tuple(self.actor(one, scope) for one in named), SetOf(player), who.span)

    def kept_by_each(self, name: Word, param: Param, where: Origin) -> Var:
        """The variable, keyed by player, for what each has chosen or got under this name. Raises Wrong."""
        known = self.symbols.vars.get(name.text)
        if known is not None and known.role is Role.REGISTER:
            if known.type not in (param.type, Maybe(param.type) if isinstance(param.type, Elem | Int) else None):
                said = f"{name.text} is chosen in secret elsewhere, from something else"
                raise self.symbols.wrong("CM04", said, name.span, hint="choose another name")
            return known
        self.symbols.claim(name)
        return self.register(name.text, (self.symbols.player,), param.type, where)


def _cited_for(stmt: Node, where: Origin) -> dict[int, Origin]:
    """For each commit of `simultaneously` (by identity): where it stands, with what its line and the whole cite."""
    found: dict[int, Origin] = {}
    body = node(stmt.parts[0])
    for line in (body, *nodes(body)):
        for commit in nodes(line, "commit"):
            found[id(commit)] = Origin(commit.span, tuple(dict.fromkeys((*where.cites, *cites(line)))))
    return found


def _most(number: Expr) -> int:
    """The greatest value that a number can have."""
    assert isinstance(number.type, Int)
    return max(0, number.type.hi)


def outside(scope: Scope) -> Scope:
    """The scope as an action made inside it sees it: `me` stays whoever it is around."""
    return scope.pure() if scope.me is None else replace(scope.pure(), me=Local(OUTSIDE, scope.me.type))


def captured(scope: Scope, parts: object, own: set[str]) -> list[tuple[str, Type, Expr]]:
    """What an action made inside a scope reads of it: (name in the action, type, value around)."""
    around = {local: bound for bound in scope.names.values() for local in local_types(bound.expr)}
    found: list[tuple[str, Type, Expr]] = []
    for local in sorted(local_types(parts).items()):
        name, kind = local
        if name == OUTSIDE and scope.me is not None and isinstance(scope.me.type, Elem):
            found.append((name, scope.me.type, scope.me))
        elif name in around and name not in own:
            found.append((name, kind, Local(name, kind)))
    return found


def _event_word(part: Node) -> str:
    return word(part.parts[0]).text



def _committed(simultaneously: Node) -> set[str]:
    """The names of what is chosen in secret."""
    lines = [node(simultaneously.parts[0]), *nodes(node(simultaneously.parts[0]))]
    return {word(c.parts[4]).text for line in lines for c in nodes(line, "commit")}
