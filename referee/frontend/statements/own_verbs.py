"""Phrases of a ruleset's own: `deal 2 damage to target` for a procedure, `me pays PRICE`, `me uses effects of CARD`."""

from __future__ import annotations

from dataclasses import replace

from referee.core.stmt import Origin, Stmt
from referee.frontend.names import tree_building as build
from referee.frontend.names.bindings import Scope, Texts, Verb
from referee.frontend.names.prices import declared_price, price_args
from referee.frontend.names.symbol_table import Symbols
from referee.frontend.names.tree_access import first, node, nodes, word, words
from referee.frontend.statements.state_changes import Statements
from referee.syntax.syntax_tree import Node, Word


def declare_verb(symbols: Symbols, procedure: str, decl: Node) -> None:
    """Takes the phrase of a procedure, if it has one. Raises Wrong."""
    said = first(decl, "said_as")
    if said is None:
        return
    _, verb, amount, noun, _, target = (word(part) for part in said.parts)
    group = first(decl, "proc_params")
    params = [word(p.parts[0]).text for p in nodes(group, "proc_param")] if group is not None else []
    if sorted(params) != sorted((amount.text, target.text)):
        hint = f"`{procedure}` takes {' and '.join(params) or 'nothing'}"
        raise symbols.wrong("VB01", "the phrase names the two arguments of its procedure, each once", said.span,
                            hint=hint)
    known = symbols.verbs.get((verb.text, noun.text))
    if known is not None:
        notes = (("the first stands here", known.span),)
        symbols.reporter.error("VB01", f"`{verb.text} ... {noun.text}` stands twice", said.span, notes=notes)
        return
    symbols.verbs[verb.text, noun.text] = Verb(procedure, params.index(amount.text), params.index(target.text),
                                               said.span)


class OwnVerbs:
    """The lowering of these phrases: to statements that are written out."""

    def __init__(self, statements: Statements) -> None:
        self._statements = statements
        self.symbols = statements.symbols
        self.terms = statements.terms
        statements.rules.update({"own_verb": self._own_verb, "pays": self._pays, "uses": self._uses})

    # ------------------------------------------------------------------ verbs
    def _own_verb(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        verb, told = word(stmt.parts[0]), node(stmt.parts[-1])
        to_each = told.kind == "each_told"
        target = build.name(word(told.parts[1]).text, told.span) if to_each else told
        done = [self._dose(verb, dose, target) for dose in nodes(stmt, "dose")]
        if to_each:
            each = next(words(told, "NAME"))
            done = [build.each(each.text, node(told.parts[2]), done, stmt.span)]
        return self._lines(done, scope, where)

    def _dose(self, verb: Word, dose: Node, target: Node) -> Node:
        amount, noun = dose.parts[0], word(dose.parts[1])
        verbs = self.symbols.verbs
        known = verbs.get((verb.text, noun.text)) or verbs.get((verb.text, noun.text.removesuffix("s")))
        if known is None:
            nouns = {n for v, n in self.symbols.verbs if v == verb.text}
            if not nouns:
                raise self.symbols.unknown(verb, "a verb of these rules", {v for v, _ in self.symbols.verbs})
            raise self.symbols.unknown(noun, f"what one can {verb.text}", nouns)
        value = Node("int", (amount,), amount.span) if isinstance(amount, Word) else node(amount)
        args = [value, target] if known.amount == 0 else [target, value]
        return build.carried_out(known.procedure, args, dose.span)

    def _lines(self, stmts: list[Node], scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        """What statements in a row come to; what is cited where the phrase stands is cited for each."""
        cited = Node("cite", (Word("CITE", f"[{' '.join(where.cites)}]", where.span),), where.span)
        lines = tuple(build.line([one], [cited] if where.cites else (), one.span) for one in stmts)
        return list(self._statements.block(Node("body", lines, where.span), replace(scope, hoist=None))), scope

    # ------------------------------------------------------------------ prices
    def _pays(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        args = [node(stmt.parts[0]), *price_args(self.symbols, stmt.parts[2])]
        pays = declared_price(self.symbols, stmt).pays
        return self._lines([build.carried_out(pays, args, stmt.span)], scope, where)

    # ------------------------------------------------------------------ texts
    def _uses(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        """Round by round one effect is asked for, and what comes after each is done; until none was used."""
        card = node(stmt.parts[2])
        texts, span = self._texts(card, scope), stmt.span
        going = build.name(texts.going, span)
        body = node(stmt.parts[4])
        ask = [build.flag(going, False, span), build.carried_out(texts.procedure, [card, node(stmt.parts[0])], span)]
        after = Node("if_", (going, body), body.span)
        rounds = Node("body", (*(build.line([one], (), span) for one in ask), after), body.span)
        most = build.number(texts.most, span)
        repeat = Node("repeat", (build.negated(going), Word("AT_MOST", "at most", span), most, rounds), span)
        forget = build.carried_out(texts.forgetting, [], span)
        return self._lines([forget, build.flag(going, True, span), repeat, forget], scope, where)

    def _texts(self, card: Node, scope: Scope) -> Texts:
        symbols = self.symbols
        said = symbols.describe(self.terms.value(card, scope).type)
        found = next((t for k, t in symbols.texts.items() if symbols.describe(symbols.kinds[k].type) == said), None)
        if found is not None:
            return found
        hint = "write `effects of KIND as NAME, ended by ACTION, noted in COUNTER of TYPE`"
        raise symbols.wrong("EF01", f"`{symbols.text(card.span)}` is no component with effects", card.span,
                            hint=hint)
