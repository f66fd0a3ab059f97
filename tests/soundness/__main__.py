"""Measures proofs from outside: `python -m tests.soundness N [--first SEED]`.

Goes on until N claims that some game breaks and N that hold in every position were seen.
A line for each false answer and each true claim that is not proved, the sums at the end and every 50 rulesets.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

from tests.soundness.measure import Measured, measured


def share(some: Counter[str], *names: str) -> str:
    """So many of them, and in percent."""
    number, whole = sum(some[name] for name in names), some.total()
    return f"{number} of {whole}" + (f" ({100 * number / whole:.1f} %)" if whole else "")


def said(whole: Measured, started: float) -> str:
    """The sums so far."""
    return (f"{whole.rulesets} rulesets ({whole.too_large} too large left out), {time.monotonic() - started:.0f} s\n"
            f"  broken: proved {share(whole.broken, 'proved', 'vacuous')}; refuted {share(whole.refuted, 'refuted')}\n"
            f"  true: proved {share(whole.true, 'proved', 'vacuous')}\n"
            f"  by outcome: broken {dict(whole.broken)}, with games {dict(whole.refuted)}, true {dict(whole.true)}\n"
            f"  false answers: {len(whole.false)}")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soundness", description=__doc__)
    parser.add_argument("number", type=int, help="of broken claims and of true ones, at least")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    asked = parser.parse_args()
    whole, started, seed = Measured(), time.monotonic(), asked.first
    while min(whole.broken.total(), whole.true.total()) < asked.number:
        one = measured(seed)
        whole.add(one)
        for told in (*one.false, *one.open):
            print(told, flush=True)
        seed += 1
        if seed % 50 == 0:
            print(f"up to seed {seed}: {said(whole, started)}", flush=True)
    print(said(whole, started))
    return 1 if whole.false else 0


if __name__ == "__main__":
    sys.exit(main())
