"""What counts where things of several kinds lie together: another answer is that those of one kind alone do."""

from __future__ import annotations

from dataclasses import replace

from referee.core.expr import Const, Expr, Fold, FoldKind, If, Local, Members, Op, Operator, Or, Where, Within
from referee.core.ruleset import Core
from referee.core.stmt import Origin, Param
from referee.core.traverse import itself, rewrite, rules_of, walk
from referee.core.types import COMPONENT, Bool, Elem, Many, SetOf
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers
from referee.other_rules.components.moved_piece import WHICH_SET
from referee.other_rules.forms import as_a

OF_THE_KIND = "of_that_kind_alone"


def with_one_kind_alone(core: Core, others: OtherAnswers) -> Core:
    """The rules with what is counted or taken of a place in which things of several kinds may lie; for another answer
    only what is of the kind that most of them are counts, or may be taken."""
    one = _Kinds(core, others)
    return replace(
        core, main=(*core.main[: core.setup], *rewrite(core.main[core.setup :], one.change)),
        actions={name: replace(action, params=tuple(map(one.param, action.params)),
                               guards=rewrite(action.guards, one.change), body=rewrite(action.body, one.change))
                 for name, action in core.actions.items()},
        procedures={n: replace(body, body=rewrite(body.body, one.change)) for n, body in core.procedures.items()},
    )  # fmt: skip


class _Kinds:
    """Makes the other answers of one core."""

    def __init__(self, core: Core, others: OtherAnswers) -> None:
        self._core, self._others = core, others
        self._kind = {str(one.name): one.kind for one in core.components}
        named = (one.value for either in walk(rules_of(core), Or) for part in either.parts
                 for op in itself(part, Op) if op.op is Operator.EQ
                 for one in walk(op.args, Const) for kind in walk(one.type, Elem) if kind.domain == COMPONENT)
        self._alike = tuple(dict.fromkeys(str(core.components[one].name) for one in named if type(one) is int))

    def change(self, part: object) -> object | None:
        """What stands in the place of a part; None to look into it."""
        op, fold = as_a(part, Op), as_a(part, Fold)
        if op is not None:
            counted, zero = as_a(op.args[0], Fold), as_a(op.args[-1], Const)
            if op.op is Operator.EQ and counted is not None and zero is not None and zero.value == 0:
                return part  # whether anything lies there
            several = as_a(op.args[0], Local)
            return None if op.op is not Operator.SIZE or several is None else self._of_several(op, several)
        if fold is None or fold.kind is not FoldKind.COUNT or fold.where is not None or fold.span is None:
            return None
        here = as_a(fold.source, Within)
        test = None if here is None else self._test(here.place.zone, Origin(fold.span))
        if here is None or test is None:
            return None
        own = self._is_of_kind(fold.var, self._main(here.place.zone))
        return replace(fold, where=Or((typed_operators.negate(test), own)))

    def param(self, param: Param) -> Param:
        """An argument that is taken out of such a place."""
        here, kind = as_a(param.source, Within), as_a(param.type, Elem)
        if here is None or kind is None or param.count is not None or param.arg is None:
            return param
        zone = here.place.zone
        test = self._test(zone, param.origin)
        if test is None:
            return param
        own = Or((typed_operators.negate(test), self._is_of_kind("it", self._main(zone))))
        these = Where("it", param.source, own, SetOf(kind), param.origin.span)
        return replace(param, source=Members(these))

    def _of_several(self, size: Op, several: Local) -> Expr | None:
        many = as_a(several.type, Many)
        of = None if many is None else as_a(many.of, Elem)
        if of is None or of.domain != COMPONENT or size.span is None:
            return None
        kinds = {self._core.components[at].kind for at in range(of.lo, of.hi + 1)}
        zones = [zone.name for zone in self._core.zones.values() if set(zone.kinds) == kinds]
        test = self._test(zones[0], Origin(size.span)) if len(kinds) > 1 and zones else None
        if test is None:
            return None
        own = self._is_of_kind("it", self._main(zones[0]))
        counted = Fold(FoldKind.COUNT, "it", Members(several), own, None, size.type)
        return If(test, counted, size, size.type, size.span)

    def _test(self, zone: str, where: Origin) -> Expr | None:
        kinds = self._core.zones[zone].kinds
        if len(kinds) < 2:
            return None
        rest = [one for one in kinds if one != self._main(zone)]
        alike = [name for name in self._alike if self._kind[name] in rest]
        return self._others.test(WHICH_SET, OF_THE_KIND, where, alone=True, kind=self._main(zone),
                                 rest=" or ".join(alike or rest), kinds=" ".join(rest),
                                 alike=" ".join(alike))  # fmt: skip

    def _main(self, zone: str) -> str:
        """The kind of which there are the most things, of those that may lie in a place."""
        return max(self._core.zones[zone].kinds, key=lambda kind: sum(
            one.number for one in self._core.components if one.kind == kind))  # fmt: skip

    def _is_of_kind(self, var: str, kind: str) -> Expr:
        at = [index for index, one in enumerate(self._core.components) if one.kind == kind]
        every = Elem(COMPONENT, 0, len(self._core.components) - 1)
        own = Const(frozenset(at), SetOf(every))
        return Op(Operator.IN, (Local(var, every), own), Bool())
