"""Source for what always holds, invariants and limits; those are tested that what was done since can have broken."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from referee.codegen.often.conserved_counts import conserved
from referee.codegen.often.kept_claims import every
from referee.core.flow import Flow
from referee.core.read_write_sets import reads
from referee.core.ruleset import Zone

if TYPE_CHECKING:
    from referee.codegen.expression_code import Coder


class InvariantCode:
    """The invariants and limits of a flow, each with a bit of its own.

    Where all held and only what a claim does not read has changed since, it holds still.
    """

    def __init__(self, flow: Flow) -> None:
        self._invariants = flow.core.invariants
        self._limited = [zone for zone in flow.core.zones.values() if zone.limit is not None]
        self._reads = [reads(one.guard.cond) for one in self._invariants]
        self._reads += [reads(zone.limit) | {zone.name} for zone in self._limited]
        self._conserved = [conserved(one.guard.cond, flow.core) for one in self._invariants]
        self._conserved += [frozenset()] * len(self._limited)
        self.number = len(self._reads)
        self.all = (1 << self.number) - 1

    def touched(self, names: Iterable[str]) -> int:
        """The claims that may be broken where some variables and zones are changed, or something is `moved`."""
        plain = frozenset(names)
        pairs = [frozenset(name.split("\n")) for name in plain if "\n" in name]
        return sum(1 << bit for bit, read in enumerate(self._reads) if not plain.isdisjoint(read) or any(
            not read.isdisjoint(pair) and not pair <= self._conserved[bit] for pair in pairs))

    def holds(self, code: Coder, bit: int) -> None:
        """True if a claim holds."""
        first = len(self._invariants)
        if bit < first:
            cond = self._invariants[bit].guard.cond
            code.out.line(f"return {every(code, cond, bit) or code.value(cond, {})}")
        else:
            _limit(code, self._limited[bit - first])

    def plain(self, bits: int) -> bool:
        """Whether all of some claims, as bits, can be written with `asserted`."""
        return bits < 1 << len(self._invariants)

    def asserted(self, code: Coder, bit: int) -> None:
        """A line that raises where a plain claim does not hold."""
        code.out.refuse(f"not {code.value(self._invariants[bit].guard.cond, {})}")


def _limit(code: Coder, zone: Zone) -> None:
    assert zone.limit is not None
    limit, entries = code.out.keep(code.value(zone.limit, {})), code.layout.zones[zone.name]
    named = code.objects.name("z", zone.name, zone)
    with code.out.block(f"for z in s[{entries.base}:{entries.base + entries.count}]:"):
        code.out.line(f"if amount({named}, z) > {limit}: return False")
    code.out.line("return True")
