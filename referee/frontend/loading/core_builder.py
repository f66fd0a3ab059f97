"""From trees to a core, for one shape: declarations in the order in which they need each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from referee.core.ruleset import (
    TURN,
    WINNERS,
    Accepted,
    Core,
    DeclaredAlike,
    LookOfItsOwn,
    Role,
    Seats,
    SettledQuestion,
    TableLook,
    Var,
)
from referee.core.stmt import Origin
from referee.core.types import PLAYER, DomainKind, Maybe, SetOf, Type
from referee.diagnostics.diagnostic import Reporter
from referee.diagnostics.source import Source, Span
from referee.frontend.desugaring import later_moments, observers
from referee.frontend.desugaring.action_costs import costs_written_out
from referee.frontend.desugaring.automatic_choices import check_automatic
from referee.frontend.desugaring.end_conditions import Ending, Endings
from referee.frontend.desugaring.hooks import Hooks
from referee.frontend.desugaring.insert_checks import behind
from referee.frontend.desugaring.lookahead import Lookahead
from referee.frontend.desugaring.placed_readings import readings_apart
from referee.frontend.desugaring.refilled_places import refills_written_out
from referee.frontend.desugaring.rest_points import settled
from referee.frontend.desugaring.top_cards import check_tops
from referee.frontend.desugaring.triggers import Triggers
from referee.frontend.desugaring.unordered_loops import Orders
from referee.frontend.expressions import typed_operators
from referee.frontend.expressions.expression_lowering import ExpressionLowering
from referee.frontend.expressions.positions import declare_position, noting
from referee.frontend.loading.card_tables import columns_of
from referee.frontend.loading.carried_texts import texts_carried_out
from referee.frontend.loading.component_classes import Stocks, declare_kinds, declare_type
from referee.frontend.loading.component_texts import written_out
from referee.frontend.loading.declarations import (
    declare_option,
    declare_reading,
    declare_table,
    declare_var,
    declare_zone,
    distinct,
    numbers_of_players,
)
from referee.frontend.loading.packs import packs_written_out
from referee.frontend.loading.phased_texts import phases_written_out
from referee.frontend.loading.remarks.accepted_findings import accepted
from referee.frontend.loading.remarks.alike_members import ALIKE, alike
from referee.frontend.loading.remarks.declared_assumptions import ASSUME, check_citations, declared
from referee.frontend.loading.remarks.settled_questions import SETTLED
from referee.frontend.loading.remarks.settled_questions import settled as settled_questions
from referee.frontend.loading.rulebook_statements import Statement
from referee.frontend.loading.ruleset_files import Files
from referee.frontend.loading.setup_choices import spoken_of_later
from referee.frontend.loading.tricks import tricks_written_out
from referee.frontend.names.bindings import Define, Scope
from referee.frontend.names.board_geometry import declare_board
from referee.frontend.names.map_geometry import declare_map
from referee.frontend.names.other_answers import SELECTOR, OtherAnswers
from referee.frontend.names.seat_names import check_names
from referee.frontend.names.shapes import MOST_PLAYERS, Range, Shape, said
from referee.frontend.names.symbol_table import Symbols
from referee.frontend.names.table_looks import LOOKS, PictureFiles, table_look
from referee.frontend.names.timed_modifiers import collect
from referee.frontend.names.tree_access import (
    ErrorReported,
    first,
    head,
    nodes,
    origin,
    text,
    word,
    words,
)
from referee.frontend.names.type_names import known_type, named_type, read_type
from referee.frontend.statements import passing_options
from referee.frontend.statements.actions import Acting
from referee.frontend.statements.dice_rolls import declare_pool
from referee.frontend.statements.draws_at_once import check_at_once
from referee.frontend.statements.own_verbs import declare_verb
from referee.frontend.statements.procedure_cases import claim_procedure, together
from referee.frontend.statements.state_changes import Statements
from referee.frontend.statements.statement_lowering import StatementLowering
from referee.frontend.statements.turns.auctions import bids_written_out, counters_of_bids
from referee.frontend.statements.turns.full_rounds import declare_next_turn, given_turns
from referee.syntax.scanner import without_comment
from referee.syntax.syntax_tree import Node, Word

MOST_SHAPES = 50
"""Numbers of players and options that are each built and checked: rules, and scenarios, with more are refused."""


@dataclass(frozen=True, slots=True)
class Built:
    """A core, and what lowers further expressions in its terms."""

    core: Core
    values: ExpressionLowering


class Builder:
    """Builds one core out of the declarations of a ruleset."""

    def __init__(
        self,
        files: Files,
        sources: Sequence[Source],
        trees: Sequence[Node],
        broken: frozenset[str],
        reporter: Reporter,
        statements: Mapping[str, Statement],
        others: OtherAnswers | None = None,
        pictures: PictureFiles | None = None,
    ) -> None:
        """`others`: the other answers that are asked for; None: none. `pictures`: who has read some of them already."""
        self._files = files
        self._sources = sources
        written = (d for tree in trees for d in nodes(tree))
        packed = [one for d in written for one in packs_written_out(d, reporter)]
        self._written, self._taker = tricks_written_out(packed, reporter)
        self._decls = self._written
        self._reporter = reporter
        self._statements = statements
        self._others = OtherAnswers() if others is None else others
        self._broken = set(broken)
        self._accepted: tuple[Accepted, ...] = ()
        self._settled: tuple[SettledQuestion, ...] = ()
        self._alike: tuple[DeclaredAlike, ...] = ()
        self._pictures = PictureFiles() if pictures is None else pictures
        self._look = TableLook()
        self._headings: dict[Span, Define | None] = {}  # None: it has an error, which was reported

    # ------------------------------------------------------------------ the shape
    def range(self) -> Range | None:
        """For how many players, with which options; None (reported) without a `game` line."""
        games = self._all("game")
        if not games:
            self._reporter.error(
                "GM01",
                "there is no `game` line: rules begin with one",
                self._sources[0].whole(),
                expected=('`game "TITLE" for 2 players`',),
            )
            return None
        for extra in games[1:]:
            first_one = (("the first stands here", head(games[0])),)
            self._reporter.error("GM02", "a second `game` line", head(extra), notes=first_one)
        players = numbers_of_players(games[0])
        if not players or not set(players) <= set(range(1, MOST_PLAYERS + 1)):
            where = first(games[0], "range") or next(words(games[0], "INT"), games[0])
            self._reporter.error(
                "GM03",
                f"a game is for 1 to {MOST_PLAYERS} players",
                where.span,
                expected=("`for 2 players`", "`for 2 or 4 players`", "`for 2..4 players`"),
            )
            return None
        options = {
            word(o.parts[0]).text: tuple(w.text for w in list(words(o, "NAME"))[1:]) for o in self._all("option")
        }
        self._few_shapes(len(players))
        limited = {word(o.parts[0]).text: o for o in self._all("option") if any(True for _ in words(o, "ONLY_FOR"))}
        only = {name: numbers_of_players(o) for name, o in limited.items()}
        for name, numbers in only.items():
            if not numbers or not set(numbers) <= set(players):
                where = first(limited[name], "range") or next(words(limited[name], "INT"))
                nobody = f"nobody has this option: the game is for {said(players)} players"
                self._reporter.error("OP02", nobody, where.span)
        columns = {
            word(k.parts[0]).text: columns_of(k, self._decls)
            for k in self._all("kind")
            if any(True for _ in words(k, "STRING"))
        }
        return Range(players, options, only, columns)

    def _few_shapes(self, shapes: int) -> None:
        """Rules are checked for every number of players and every value of an option: there are not too many."""
        for option in self._all("option"):
            shapes += len(list(words(option, "NAME"))) - 2
            if shapes > MOST_SHAPES:
                said = f"with this option there are more than {MOST_SHAPES} numbers of players and options to check"
                self._reporter.error("OP01", said, head(option))
                return

    def scenarios(self) -> list[Node]:
        """The scenarios of the ruleset, in order."""
        return self._all("scenario")

    def _all(self, *kinds: str) -> list[Node]:
        return [d for d in self._decls if d.kind in kinds]

    # ------------------------------------------------------------------ building
    def build(self, shape: Shape, bounds: Range) -> Built | None:
        """The core, or None if an error was reported."""
        game = self._all("game")[0]
        seats = self._seats(game, shape.players or bounds.fewest)
        assumptions = declared(self._all(ASSUME), self._statements, self._reporter)
        symbols = Symbols(tuple(self._sources), self._reporter, seats, broken=self._broken, pool=dict(shape.pool),
                          looks=self._files.looks, assumptions=frozenset(assumptions), others=self._others)
        symbols.taker = self._taker
        plain = texts_carried_out(symbols, readings_apart(self._written))
        plain = bids_written_out(phases_written_out(symbols, plain), self._reporter)
        plain = costs_written_out([*plain, *counters_of_bids(plain)])
        self._decls = written_out(symbols, refills_written_out(symbols, plain))
        for role in _roles(game):
            with suppress(ErrorReported):
                symbols.claim(role)
                check_names(self._reporter, (role,))
        chosen = dict(shape.options)
        symbols.options = {name: chosen.get(name, values[0]) for name, values in bounds.options.items()}
        values = ExpressionLowering(symbols)
        self._things(symbols)
        self._course(symbols, values)
        self._look = table_look(symbols, self._all(LOOKS), self._pictures)
        named = {word(decl.parts[0]).text for decl in self._all(ASSUME)} | self._broken
        check_citations(self._decls, self._statements, named, self._reporter)
        self._accepted = accepted(self._all("accept"), self._reporter)
        self._settled = settled_questions(self._all(SETTLED), self._statements, named, self._reporter)
        self._alike = alike(self._all(*ALIKE), symbols)
        if self._reporter.failed:
            return None
        open_to = bounds.options_for(seats.number)
        options = tuple((name, value) for name, value in sorted(symbols.options.items()) if name in open_to)
        core = self._core(symbols, game, seats, options)
        return Built(replace(core, pool=shape.pool, assumptions=assumptions), values)

    def _seats(self, game: Node, number: int) -> Seats:
        roles = tuple(w.text for w in _roles(game))
        if not roles or len(roles) == number:
            return Seats(number, roles)
        self._reporter.error(
            "GM04",
            f"{typed_operators.plural(len(roles), 'name')} for {typed_operators.plural(number, 'seat')}",
            head(game),
        )
        self._broken.update(roles)
        return Seats(number, ())

    def _each(self, what: Callable[[Node], object], *kinds: str) -> None:
        """Carries out one step for every declaration of a kind; an error in one leaves the others."""
        for decl in self._all(*kinds):
            self._try(what, decl)

    def _try(self, what: Callable[[Node], object], decl: Node) -> None:
        try:
            what(decl)
        except ErrorReported:
            # its name is known to be meant to exist: whoever uses it is not to be told that it does not
            self._broken.update(w.text for w in _declared(decl))

    def _things(self, symbols: Symbols) -> None:
        roles = symbols.seats.roles or tuple(f"player {n + 1}" for n in range(symbols.seats.number))
        symbols.domain(PLAYER, DomainKind.PLAYER, roles[: symbols.seats.number])
        self._each(lambda d: declare_option(symbols, d), "option")
        self._each(lambda d: declare_board(symbols, d), "board")
        self._each(lambda d: declare_map(symbols, d), "map")
        self._each(lambda d: declare_type(symbols, d), "type_decl")
        labels = declare_kinds(symbols, self._all("kind"), self._all("class_decl"), self._try)
        self._each(lambda d: symbols.kind(word(d.parts[1])), "class_decl")
        # limits, numbers of components and what counters start with may use definitions
        for decl in self._all("define"):
            if all(known_type(symbols, name) for name in _types_of(decl)):
                self._try(lambda d: symbols.defines.setdefault(word(d.parts[0]).text, self.headed(symbols, d)), decl)
        self._each(lambda d: declare_table(symbols, d), "table")
        stocks = Stocks(symbols)
        for block in self._all("components"):
            for stock in nodes(block, "stock", "stock_each"):
                self._try(stocks.count, stock)
        symbols.components = stocks.declared(labels)
        self._each(lambda d: declare_var(symbols, d, Role.GIVEN), "given")
        self._each(lambda d: declare_var(symbols, d, Role.PARAMETER), "parameter")
        self._each(lambda d: declare_reading(symbols, d), "reading")
        for block in self._all("zones"):
            for zone in nodes(block, "zone"):
                self._try(lambda d: declare_zone(symbols, d), zone)
        for block in self._all("counters"):
            for counter in nodes(block, "counter"):
                self._try(lambda d: declare_var(symbols, d, Role.STATE), counter)
            for pool in nodes(block, "pool"):
                self._try(lambda d: declare_pool(symbols, d), pool)
        symbols.defines.clear()
        self._hidden_vars(symbols)
        collect(symbols, self._decls)
        with suppress(ErrorReported):
            symbols.components = stocks.settled(labels)

    def _hidden_vars(self, symbols: Symbols) -> None:
        where = Origin(self._sources[0].whole())
        symbols.vars[TURN] = Var(TURN, (), Maybe(symbols.player), None, Role.STATE, where, "whose turn it is")
        if any(given_turns(decl) for decl in self._decls):
            declare_next_turn(symbols, where)
        if self._others.asked:
            symbols.vars[SELECTOR] = self._others.variable(where)
        symbols.vars[WINNERS] = Var(WINNERS, (), SetOf(symbols.player), frozenset(), Role.RESULT, where, "who has won")

    def _course(self, symbols: Symbols, values: ExpressionLowering) -> None:
        lowered = StatementLowering(values)
        acting, statements = Acting(symbols, values, lowered), lowered.statements
        self._each(lambda d: self._define(symbols, d), "define")
        self._each(lambda d: self._claim(symbols, d, symbols.action_nodes), "action")
        self._each(lambda d: claim_procedure(symbols, d), "procedure")
        for name, decl in symbols.procedure_nodes.items():
            self._try(partial(acting.procedure_head, name), decl)
        for name, decl in symbols.procedure_nodes.items():
            self._try(partial(declare_verb, symbols, name), decl)
        with suppress(ErrorReported):
            together(symbols)
        self._each(lambda d: declare_position(symbols, values.terms, d), "position")
        symbols.later |= {name for name in spoken_of_later(self._decls) if not symbols.declared(name)}
        symbols.setup = tuple(s for d in self._all("setup") for s in statements.block(d, Scope(owner="setup")))
        main = [s for d in self._all("play") for s in statements.block(d, Scope(owner="play"))]
        for turns in self._all("turns", "turns_in_order"):
            wrapped = Node("play", (turns,), turns.span)
            main += statements.block(wrapped, Scope(owner="play"))
        symbols.main = tuple(main)
        for name, decl in symbols.procedure_nodes.items():
            self._try(partial(acting.procedure, name), decl)
        for name, decl in symbols.action_nodes.items():
            self._try(lambda d, n=name: symbols.actions.__setitem__(n, acting.action(d)), decl)  # type: ignore[misc]
        if not self._reporter.failed:
            passing_options.settle(symbols)
            with suppress(ErrorReported):
                Lookahead(symbols, final=False).settle()
            symbols.actions_read = True
        self._woven(symbols, values, statements)
        self._checked_whole(symbols)
        self._always_true(symbols, acting)
        if not self._all("play", "turns", "turns_in_order") and not self._reporter.failed:
            self._reporter.error(
                "GM05",
                "nothing is played: there is no `play`",
                head(self._all("game")[0]),
                hint="write `play`, and below it who does what, for example `turns from PLAYER`",
            )
        self._unused_definitions(symbols, values)

    def _woven(self, symbols: Symbols, values: ExpressionLowering, statements: Statements) -> None:
        """Puts what happens by itself where it happens. The order is that of nesting: what ends the game is woven last,
        as it is tested first of all; it is read first, since triggers must not miss what it reads."""
        endings = Endings(symbols, values, statements)
        triggers = Triggers(symbols, values, statements)
        hooks = Hooks(symbols, values, statements, triggers)
        fired, ends, hooked = self._all("trigger"), self._all("ending"), self._all("before", "after")
        over: list[Ending] = []
        if ends:
            self._try(lambda _: over.append(endings.together(ends, [endings.ending(d) for d in ends])), ends[0])
        if fired or ends:
            looked_at = frozenset(name for ending in over for name in ending.reads)
            self._try(lambda _: triggers.read(fired, looked_at), (fired or ends)[0])
        if hooked:
            self._try(lambda _: hooks.add(hooked), hooked[0])
        hooks.durations()
        if fired and not self._reporter.failed:
            self._try(lambda _: triggers.weave(), fired[0])
        later_moments.settle(symbols)
        for ending in over:
            symbols.over = ending.due, ending.check
        ahead = Lookahead(symbols, final=True)  # what is tested after a body is tested before the end of the game
        for ending in over:  # the end is tested first of all that happens by itself, so it is woven last
            check = later_moments.postponed(symbols, ending.check, origin(ends[0]))
            self._try(lambda d, e=ending, c=check: behind(symbols, c, e.reads | ahead.reads(e.due), head(d)),  # type: ignore[misc]
                      ends[0])
        later_moments.settle(symbols)
        if not self._reporter.failed:
            symbols.actions = dict(noting(symbols))
            with suppress(ErrorReported):
                ahead.settle()

    def _checked_whole(self, symbols: Symbols) -> None:
        """What only rules that are woven show: orders, who sees what, what must be known at once."""
        if not self._reporter.failed:
            Orders(symbols).settle()
            observers.settle(symbols)
            check_automatic(symbols)
            check_tops(symbols)
            check_at_once(symbols)

    def _always_true(self, symbols: Symbols, acting: Acting) -> None:
        """Invariants, how parameters are related, and the score: none of them changes anything, so they come last."""
        self._each(lambda d: symbols.invariants.append(acting.invariant(d)), "always")
        for decl in self._all("parameter"):
            for such_that in nodes(decl, "such_that"):
                self._try(lambda d, s=such_that: symbols.relations.append(acting.relation(d, s)), decl)  # type: ignore[misc]
        scores = self._all("score")
        for extra in scores[1:]:
            first_one = (("the first stands here", head(scores[0])),)
            self._reporter.error("SC01", "a second score", head(extra), notes=first_one)
        if scores:
            self._try(partial(self._score, symbols, acting), scores[0])

    def _score(self, symbols: Symbols, acting: Acting, decl: Node) -> None:
        symbols.score = acting.score(decl)

    def _unused_definitions(self, symbols: Symbols, values: ExpressionLowering) -> None:
        """A definition is lowered where it is used; one that nobody uses is checked all the same."""
        for define in symbols.defines.values():
            if define.name not in values.terms.used:
                self._try(lambda d, x=define: values.definitions.check_definition(x), define.node)  # type: ignore[misc]

    def _claim(self, symbols: Symbols, decl: Node, known: dict[str, Node]) -> None:
        known[symbols.claim(word(decl.parts[0]))] = decl

    def _define(self, symbols: Symbols, decl: Node) -> None:
        symbols.defines[symbols.claim(word(decl.parts[0]))] = self.headed(symbols, decl)

    def headed(self, symbols: Symbols, decl: Node) -> Define:
        """A definition with its types, read once. Raises Wrong."""
        if decl.span in self._headings:
            known = self._headings[decl.span]
            if known is None:
                raise ErrorReported
            return known
        self._headings[decl.span] = None
        name = word(decl.parts[0]).text
        group = first(decl, "define_params")
        listed = list(nodes(group, "define_param")) if group is not None else []
        distinct(symbols, [word(part.parts[1]) for part in listed])
        params = []
        for part in listed:
            said, param = part.parts[0], word(part.parts[1])
            kind = read_type(symbols, said, "") if isinstance(said, Node) else _of_param(symbols, word(said), param)
            params.append((param.text, kind))
        typed = _result_of(decl)
        result = read_type(symbols, typed, f"{name} value") if typed is not None else None
        found = self._headings[decl.span] = Define(name, tuple(params), result, decl)
        return found

    def _core(self, symbols: Symbols, game: Node, seats: Seats, options: tuple[tuple[str, str], ...]) -> Core:
        return Core(
            name=self._files.name,
            title=text(next(words(game, "STRING"))),
            version=version_of(self._sources),
            path=self._sources[0].path,
            seats=seats,
            options=options,
            domains=symbols.domains,
            tables=symbols.tables,
            vars=symbols.vars,
            zones=symbols.zones,
            components=symbols.components,
            actions=symbols.actions,
            procedures=settled(symbols.procedures, symbols.actions, symbols.aside),
            main=(*symbols.setup, *symbols.main),
            invariants=tuple(one for one in symbols.invariants if not one.refuted),
            refutable=tuple(one for one in symbols.invariants if one.refuted),
            readings=symbols.readings,
            score=symbols.score,
            statements={name: one.text for name, one in self._statements.items()},
            sources=tuple(s.path for s in self._sources),
            origin=head(game),
            setup=len(symbols.setup),
            watched=symbols.watched,
            relations=tuple(symbols.relations),
            undo=bool(self._all("undo")),
            accepted=self._accepted,
            settled=self._settled,
            alike=self._alike,
            words=symbols.said(),
            over=symbols.over[0] if symbols.over is not None else None,
            ending=symbols.over[1] if symbols.over is not None else (),
            record=self._files.looks.record(),
            texts={s.path: s.text for s in self._sources},
            drawn={**dict.fromkeys(symbols.pools, LookOfItsOwn.DICE),
                   **dict.fromkeys(symbols.hexagons, LookOfItsOwn.HEXAGONS)},
            look=self._look,
        )


def _of_param(symbols: Symbols, said: Word, param: Word) -> Type:
    """The type of what a definition depends on."""
    if known_type(symbols, param.text) and not known_type(symbols, said.text) and said.text not in symbols.broken:
        raise symbols.wrong("NM01", f"`{said.text}` and `{param.text}` stand in the wrong order", said.span,
                            hint=f"write `{param.text} {said.text}`: a type, then what is called so")
    return named_type(symbols, said)


def _result_of(define: Node) -> Node | None:
    """The type that a definition says it has."""
    return first(define, "type", "range", "yes_or_no", "lane_of", "enum", "type_or_none")


def _types_of(define: Node) -> Iterable[str]:
    """The names of the types that a definition takes and gives."""
    group, result = first(define, "define_params"), _result_of(define)
    said = [part.parts[0] for part in nodes(group, "define_param")] if group is not None else []
    named = [one.text for part in said if part is not None for one in _named_in(part)]
    return named if result is None or result.kind != "type" else [*named, *(w.text for w in words(result))]


def _named_in(part: Node | Word) -> Iterable[Word]:
    """The type that a parameter names: a word, or the one in `player or none`."""
    return words(part, "NAME", "PROPER") if isinstance(part, Node) else (part,)


def _roles(game: Node) -> list[Word]:
    """The names of the seats, as the `game` line gives them."""
    return [w for r in nodes(game, "roles") for w in words(r, "NAME")]


def _declared(decl: Node) -> Iterable[Word]:
    """The name that a declaration gives, as a word or none."""
    return list(words(decl, "NAME", "PROPER"))[:1]


def version_of(sources: Iterable[Source]) -> str:
    """A short name for exactly these rules, comments and scenarios aside: what a log may state as `version`."""
    from hashlib import sha256

    digest = sha256()
    for source in sources:
        for line in _of_the_rules(source.text):
            digest.update(f"{line}\n".encode())
    return digest.hexdigest()[:12]


def _of_the_rules(text: str) -> Iterator[str]:
    """The lines of a text without comments, blank lines and scenarios."""
    told = False
    for line in map(without_comment, text.split("\n")):
        if line and not line[0].isspace():
            told = line.split('"')[0].strip() == "scenario"
        if line and not told:
            yield line


def _leaves(parent: Node) -> Iterable[Word]:
    stack: list[Node | Word | None] = list(reversed(parent.parts))
    while stack:
        part = stack.pop()
        if isinstance(part, Word):
            yield part
        elif isinstance(part, Node):
            stack.extend(reversed(part.parts))
