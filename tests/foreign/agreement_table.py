"""`python -m tests.foreign.agreement_table`: writes `spec/agreement.md` from the runs noted and the games kept."""

from __future__ import annotations

import json
from pathlib import Path

HERE = Path(__file__).parent
OUR_OWN = ("guild_row", "smugglers", "wreckers")
NOT_PLAYED = ("four_not_three", "isolation")
"""Rulesets without an oracle: games of our own, and published ones that none of these programs plays."""
PAGE = HERE.parents[1] / "spec" / "agreement.md"
RUNS = HERE / "agreement.json"
HEAD = """# Agreement with other programs

Games of these rulesets were played by programs that know nothing of `referee`, converted by the mappings that lie
beside the rules (`converting.md`), and judged. `right`: games that the other program played to their end by lot, all of
them legal with the right result; `damaged`: the same with one thing wrong (a move nearby, another player, two lines
exchanged, a line dropped, an end too early, an event too late, a wrong result), each found at the line at which the
other program refuses it; `asked`: games in which the whole set of legal events was compared at every decision, fate's
too; `differences`: what did not agree. `kept`: right + damaged games in `tests/foreign`, which the test suite judges
without the other program.

The table is written by `python -m tests.foreign.agreement_table`; the runs, of the day told, by
`python -m tests.foreign.agreement --scratch FOLDER NAME...` with the extra `oracles`.

| ruleset | other program | kept | right | damaged | asked | differences | day |
|---|---|---|---|---|---|---|---|
"""
NOTES = """
What the programs do not agree on by themselves, and how it is settled:

- Checkers: OpenSpiel ends a game after 40 moves without a jump: option `quiet_game` `no_jump`.
- Oware: OpenSpiel ends a game as soon as a position comes again: option `endless` `repeated`.
- Side to side: OpenSpiel's Hex has sides of any length, and a swap: sides of five or eleven are compared, without it.
- Chess: python-chess tells where a draw may be claimed; claims are compared where both know them, and no game by lot
  takes one. Openings with steps of two, on from which both go to and fro past the third time, are compared in
  `tests/foreign/test_repetitions.py`. `kept` has mates, a stalemate, a fifth repetition, castling to both sides,
  taking in passing, promotion.
- Nine men's morris: OpenSpiel draws a game after 200 turns and lets positions come again; games that are drawn there or
  here are left out.
- No-limit hold'em (`python -m tests.foreign.poker_agreement`), where pokerkit goes another way: a first bet or raise
  that is too short, of last chips, opens the bets as a whole one does; who alone has chips left, with nothing to call,
  is still asked; losers throw their cards away before pots are shared, so that chips left over in several pots are
  those of one. Hands in which it comes to that are left out. Chips that cannot be shared all go to the first winner
  there: reading `odd_chips`.
- Pig: OpenSpiel lets a player stop before he has rolled: option `first_roll` `may`.
- Hearts: one hand whose cards are passed to the left. OpenSpiel counts 26 less what a player has: the result is
  compared by who has won.
- Blackjack: OpenSpiel has one player and one deck, no stakes, doubling or splitting: option `ways` `plain`.
- Liar's dice: one die each, sixes wild: option `at_first` `one`. What is shown after a doubt is not told there;
  dice that are rolled at once come there seat by seat.
- Bridge: the whole play; west has dealt, nobody is vulnerable.
- Hanabi: two players; most cards laid by lot do not fit, so that hints and discards were taken more often than by lot.
- Euchre: OpenSpiel deals to the dealer first, who does not throw away the card turned up, and throws before it is said
  who plays alone: option `variant` `dealers`.
- Crazy eights: OpenSpiel lets five cards be drawn, ends with one pass after all have passed, and puts an eight that
  is turned up at the start back: option `variant` `loose`. Games that end by passing are left out: it takes what the
  cards cost from their numbers in the deck.
- Spades: OpenSpiel lets a side bid thirteen tricks at most, and spades are never broken: option `variant` `strict`.
- Go: nine points to a side, 7.5 points for white. OpenSpiel ends a game in which a position comes again, where the
  rules refuse the move, and any game after 162 events: moves after which it would be so are left out there. Games that
  are kept end early, as two passes by lot have it.
- Backgammon (`python -m tests.foreign.backgammon_agreement`): an action of OpenSpiel is up to two steps, and its text
  does not tell which die was used first; its number does, so there is no mapping. Option `gammons` `not_counted`. Equal
  dice at the very beginning, which are rolled again, OpenSpiel does not have.
- Battleship: four squares to a side, ships placed in turn (option `placing` `in_turn`) and as many shots as squares.
  What a shot has hit is not told there; it follows.
- Cribbage: OpenSpiel deals six cards to the one and then to the other, and counts a flush of four in the crib, too:
  option `variant` `loose`. There both go on counting what they show, and the first seat has won where both come to 121:
  such games are left out, and the result is compared by who has won.
- Gin rummy: OpenSpiel lets the card taken up be thrown again, each show as much as he likes, in runs of five at most,
  and whoever finds two cards in the stock take the last one up and knock or stop; as much left over as the one who
  knocks has, nobody wins: option `variant` `loose`. Cards were thrown so that little is left over, or hardly anybody
  knocks by lot. Left out are deals that end because a card goes to and fro or the card turned up was taken fifty times,
  those in which two cards are laid to one run (no third one to the same end is known there), and those in which a
  card fits two sets, to which of them is not told.
- Of our own, so that no other program knows them: {}. Not played by any of these programs: {} (the rules of Yavalath,
  and a floor of seven by seven).
- Goofspiel, where both choose at once, was compared before there were mappings, and has none.
"""


def kept(name: str) -> str:
    """How many games of a ruleset are kept."""
    return " + ".join(str(len(list((HERE / name / kind).glob("*.jsonl")))) for kind in ("right", "damaged"))


def page() -> str:
    """The whole page."""
    runs = json.loads(RUNS.read_text("utf-8"))
    names = sorted({*runs, *(path.parent.name for path in HERE.glob("*/right"))})
    rows = []
    for name in names:
        run = runs.get(name)
        cells = ["OpenSpiel 2.0.2", kept(name), "", "", "", "", ""] if run is None else [
            run["with"], kept(name), str(run["right"]), str(run["damaged"]),
            f"{run['asked']} ({run['decisions']:,} decisions)", str(run["differences"]), run["day"]]
        rows.append(f"| `{name}` | {' | '.join(cells)} |\n")
    return HEAD + "".join(rows) + NOTES.format(*(", ".join(f"`{name}`" for name in names)
                                                        for names in (OUR_OWN, NOT_PLAYED)))


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
