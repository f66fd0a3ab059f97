"""Plays games with another program and compares: `python -m tests.foreign.agreement --scratch FOLDER NAME...`.

Needs the extra `oracles`; NAME is a key of `GAMES`. Each game is played by lot by the other program, converted (of
OpenSpiel through the text that `referee convert` reads), and judged; as often it is damaged, and judged again. In
`--asked` of the games the legal events of both are compared at every decision. `--keep` writes so many games of each
sort into this folder.
"""

from __future__ import annotations

import argparse
import io
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from importlib.metadata import version
from pathlib import Path
from random import Random
from typing import Any

from referee.api.runs.log_engines import Rules
from referee.convert.conversion import FollowedGame, UnfitStep, begun, convert
from referee.convert.foreign_game import BoundedLines, ForeignGame
from referee.convert.mapping import FormatMapping, read_mapping
from referee.convert.step_text import read_steps
from referee.game.log.strict_json import Json
from referee.game.state import State
from referee.game.value_codec import encode_event
from referee.judge.log_run import judge_path
from referee.judge.verdict import LogOutcome
from tests.foreign.oracle import ChessOracle, Oracle, SpielOracle, spiel_oracle, written

HERE = Path(__file__).parent
RUNS = HERE / "agreement.json"
OTHERS = {"open_spiel": "OpenSpiel", "chess": "python-chess", "pokerkit": "pokerkit"}
MOST_EVENTS = 600
GAMES = {
    "tic_tac_toe": "tic_tac_toe()", "connect_four": "connect_four()", "breakthrough": "breakthrough()",
    "othello": "othello()", "checkers": "checkers()", "amazons": "amazons()", "side_to_side": "hex(board_size=5)",
    "mancala": "mancala()", "oware": "oware()", "dots_and_boxes": "dots_and_boxes(num_rows=3,num_cols=3)",
    "leduc_poker": "leduc_poker()", "kuhn_poker": "kuhn_poker()", "nine_mens_morris": "nine_mens_morris()",
    "chess": "", "pig": "pig()", "hearts": "hearts()", "spades": "spades()", "euchre": "euchre()",
    "bridge": "bridge(dealer=3,use_double_dummy_result=False)", "crazy_eights": "crazy_eights()", "hanabi": "hanabi()",
    "blackjack": "blackjack()", "liars_dice": "liars_dice()", "go": "go(board_size=9)",
    "cribbage": "cribbage()", "gin_rummy": "gin_rummy()",
    "battleship": "battleship(board_width=4,board_height=4,ship_sizes=[3;2],ship_values=[1;1],num_shots=16,"
                  "allow_repeated_shots=False)",
}
LINES = {
    "chess": (
        "e3 a5 Qh5 Ra6 Qxa5 h5 h4 Rah6 Qxc7 f6 Qxd7+ Kf7 Qxb7 Qd3 Qxb8 Qh7 Qxc8 Kg6 Qe6",
        "Nf3 Nf6 Ng1 Ng8 " * 4, "f3 e5 g4 Qh4#", "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#",
        "e4 a6 e5 d5 exd6 Nf6 dxc7 Nfd7 cxb8=N", "d4 d5 Nc3 Nc6 Bf4 Bf5 Qd2 Qd7 O-O-O O-O-O",
        "e4 e5 Nf3 Nf6 Bc4 Bc5 O-O O-O", "g4 a5 g5 f5 gxf6 a4 b4 axb3 fxg7 bxa2 gxh8=R axb1=B",
    ),
}
"""How the first games that are kept begin: stalemate, the fifth time, mate, taking in passing, castling, promotion."""
LEFT_OUT: dict[str, Callable[[tuple[float, ...], Any, Sequence[str]], bool]] = {
    "nine_mens_morris": lambda results, *_: results[0] == results[1],
    "crazy_eights": lambda results, *_: max(results) < 0,
    "cribbage": lambda results, *_: min(results) >= 121 - 1000,
    "gin_rummy": lambda results, last, events: twice_on_one(events) or (
        not any(results) and isinstance(last.followed.step, State)),
}
"""Games that are left out by their results: draws of a game that got too long, where the rules have other draws; what
hands are worth that nobody has emptied, which OpenSpiel takes from the numbers of its cards instead of their ranks;
games in which both count to 121, of which there always the first has won; deals that come to nothing there because the
card turned up went to and fro, or was taken fifty times, and those in which a third card could be laid to a run."""
UNFIT = {"nine_mens_morris": "CV10", "gin_rummy": "CV08"}
"""And those in which the format does not tell something: how a game goes on that is over here; to which of two sets a
card is laid."""
RARE = re.compile(r"Reveal|Discard|^(?:RD|D)bl$|^Pass$")
"""Steps of OpenSpiel that come more often than by lot: without them games are short or much alike."""
SHORT = {"chess": 100, "go": 80}
"""Games that are kept have at most so many events."""
LONGEST = {"go": 160}
"""Longer games end there, whatever stands on the board."""
KINDS = ("illegal move", "wrong player", "dropped", "swapped", "wrong result", "late event", "early end")
AT_ONCE = ("illegal move", "wrong player")
"""What shows at the line where it was done; the others may show later."""

AT_ONCE_BY_FATE = {"liars_dice"}
"""Where the dice of all are rolled at once, so that their lines stand in any order here: no such line is damaged."""




def twice_on_one(events: Sequence[str]) -> bool:
    """Whether two cards were laid to one set of gin rummy."""
    onto = [json.loads(event)["with"]["onto"] for event in events if '"lay_off"' in event]
    return len(set(onto)) < len(onto)


@dataclass(frozen=True)
class Comparison:
    """What two programs are asked with: the rules, the mapping, and the beginning of a game of the other program."""

    ruleset: str
    game: str
    mapping: FormatMapping
    load: Rules

    @property
    def skip(self) -> int:
        """How many lines of a log stand before the first event that the format tells."""
        return 1 + len(self.mapping.before)

    def oracle(self) -> Oracle:
        """The other program at the beginning of a game."""
        if self.game:
            return spiel_oracle(self.game, self.ruleset, self.mapping, self.load)
        import chess

        return ChessOracle(chess.Board())

    def followed(self) -> FollowedGame:
        """Our rules there."""
        return begun(ForeignGame(1, self.mapping.game), self.ruleset, self.mapping, self.load) if not self.game else (
            self.oracle().followed)  # type: ignore[attr-defined]


@dataclass(frozen=True)
class Played:
    """A game of the other program: its log, and the events alone."""

    lines: tuple[str, ...]
    events: tuple[str, ...]


def played(with_: Comparison, random: Random, few: int, line: Sequence[str] = ()) -> tuple[
        list[str], list[str], list[Oracle]]:
    """A game by lot: its events, its steps, and its positions, of at most `few` events. `line`: the steps that it
    begins with."""
    oracle = with_.oracle()
    events: list[str] = []
    steps: list[str] = []
    positions = [oracle]
    begin = list(line)
    often = few < MOST_EVENTS
    while oracle.results is None and len(events) < few:
        if isinstance(oracle, SpielOracle):
            found = oracle.by_lot(lambda ways, state: by_lot(ways, state, random))
            if found is None:
                break
            event, told, oracle = found
            steps += told
            events.append(event)
            positions.append(oracle)
            continue
        choice = {event: told for event, told in oracle.events.items() if told}
        if begin:
            event = next(event for event, told in choice.items() if told == (begin[0],))
            del begin[0]
        else:
            event = chosen(choice, random, often=often)
        steps += choice[event]
        events.append(event)
        oracle = oracle.after(event)
        positions.append(oracle)
    return events, steps, positions


def by_lot(ways: Mapping[str, Any], state: Any, random: Random) -> str:
    """A step by lot; what is rare in games by lot comes more often. `ways`: each with its number in a state."""
    rare = [text for text in ways if RARE.search(text)]
    if hasattr(state, "deadwood") and len(ways) > 1 and state.current_player() >= 0 and random.random() < 0.9:
        return least_left_over(ways, state)
    return random.choice(sorted(rare if rare and random.random() < 0.2 else ways))


def least_left_over(ways: Mapping[str, Any], state: Any) -> str:
    """The step of gin rummy after which least is left over: a knock first, sets before what ends showing them."""
    def left(text: str) -> tuple[bool, int]:
        return not text.endswith("Knock"), state.child(ways[text]).deadwood()[state.current_player()]

    return min(sorted(ways), key=left)


def chosen(choice: Mapping[str, tuple[str, ...]], random: Random, *, often: bool) -> str:
    """An event by lot; if `often`, what is rare in games by lot comes more often: mate, castling, promotion."""
    mates = [event for event, told in choice.items() if told[0].endswith("#")]
    rare = [event for event, told in choice.items() if told[0][0] == "O" or "=" in told[0] or "x" in told[0]]
    if often and mates:
        return random.choice(sorted(mates))
    if often and rare and random.random() < 0.4:
        return random.choice(sorted(rare))
    return random.choice(sorted(choice))


def recorded(with_: Comparison, events: Sequence[str], steps: Sequence[str],
             results: tuple[float, ...]) -> tuple[str, ...]:
    """The log of a game, by the converter."""
    if with_.game:
        text = "\n".join((with_.game, *steps, f"returns: {', '.join(map(str, results))}", ""))
        game = read_steps(BoundedLines(io.BytesIO(text.encode()), "steps"))
    else:
        import chess
        import chess.pgn

        from referee.convert.movetext import read_movetext

        board = chess.Board()
        for san in steps:
            board.push_san(san)
        text = str(chess.pgn.Game.from_board(board)) + "\n\n"
        game = next(read_movetext(BoundedLines(io.BytesIO(text.encode()), "moves")))
        game.notes = {}
    made = convert(game, with_.ruleset, with_.mapping, with_.load, with_.ruleset)
    assert not made.troubles, made.troubles
    said = [written(json.loads(line)) for line in made.lines[with_.skip:] if '"do"' in line]
    assert said == list(events), "the converter says something else"
    return tuple(made.lines)


def asked(with_: Comparison, events: Sequence[str], positions: Sequence[Oracle]) -> str | None:
    """The first difference between what is legal here and there in a game; None if there is none. Where fate does
    something for several at once, it is compared for whom it comes there."""
    ours = with_.followed()
    for number, (event, oracle) in enumerate(zip((*events, None), positions, strict=True)):
        step = ours.step
        legal = set[str]()
        if isinstance(step, State):
            legal = {written(encode_event(ours.walker.core, ours.setting, one)) for one in ours.walker.legal(step)}
        theirs = set(oracle.events) if oracle.results is None else set[str]()
        seats = {for_whom(one) for one in theirs}
        legal = {one for one in legal if '"by": "fate"' not in one or for_whom(one) in seats}
        if legal != theirs:
            return (f"after {number} events only here: {sorted(legal - theirs)[:4]}, "
                    f"only there: {sorted(theirs - legal)[:4]}")
        if event is None:
            return None
        assert ours.play(json.loads(event))
    return None


def along(with_: Comparison, events: Sequence[str]) -> list[Oracle]:
    """The positions of the other program in a game."""
    found = [with_.oracle()]
    for event in events:
        found.append(found[-1].after(event))
    return found


def for_whom(event: str) -> object:
    """The player for whom fate does something, None if nobody is named."""
    return json.loads(event).get("with", {}).get("for")


def first_wrong(positions: Sequence[Oracle], same: int, events: Sequence[str]) -> int | None:
    """The number of the first event that the other program does not allow, from 0; as many as there are if the game is
    not over with the last; None if it is just over then. The first `same` lead to those positions."""
    oracle = positions[same]
    for number, event in enumerate(events[same:], same):
        if oracle.results is not None or event not in oracle.events:
            return number
        oracle = oracle.after(event)
    return None if oracle.results is not None else len(events)


def damaged(with_: Comparison, lines: Sequence[str], positions: Sequence[Oracle], kind: str,
            random: Random) -> tuple[list[str], int] | None:
    """A log with one thing wrong, and the line where it shows first by the other program; None if it does not show."""
    head, body, end = lines[:with_.skip], list(lines[with_.skip:-1]), lines[-1]
    events = [written(json.loads(line)) for line in body]
    at = random.randrange(len(body))
    if kind == "wrong result":
        told = json.loads(end)
        other = [None, *with_.mapping.players]
        other.remove(told["end"]["winner"] if not isinstance(told["end"]["winner"], list) else None)
        return [*head, *body, json.dumps({"end": {"winner": random.choice(other)}})], len(lines)
    if kind == "late event":
        return [*head, *body, body[at], end], len(lines)
    if kind == "early end":
        if at == 0:
            return None
        return [*head, *body[:at], end], at + len(head) + 1
    mine = json.loads(body[at])
    if with_.ruleset in AT_ONCE_BY_FATE and '"by": "fate"' in body[at] + body[at - 1]:
        return None
    if kind == "wrong player":
        if mine["by"] not in with_.mapping.players:
            return None
        others = [name for name in with_.mapping.players if name != mine["by"]]
        if not others:
            return None
        mine["by"] = random.choice(others)
        body[at] = json.dumps(mine)
    elif kind == "dropped":
        del body[at]
    elif kind == "swapped":
        if at == 0:
            return None
        body[at - 1], body[at] = body[at], body[at - 1]
    else:
        like = [one for event in events if (one := json.loads(event))["do"] == mine["do"] and one.get("with")]
        if not mine.get("with"):
            return None
        name = random.choice(sorted(mine["with"]))
        mine["with"][name] = random.choice(like)["with"].get(name, mine["with"][name])
        body[at] = json.dumps(mine)
    wrong = first_wrong(positions, max(at - 1, 0), [written(json.loads(line)) for line in body])
    if wrong is None or (kind in AT_ONCE and wrong != at):
        return None
    return [*head, *body, end], wrong + len(head) + 1


def judged(with_: Comparison, lines: Sequence[str], path: Path) -> tuple[LogOutcome, int | None, bool]:
    """What our judge says of a log: the outcome, the wrong line, whether it came to an end."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    verdict = judge_path(str(path), with_.load)
    return verdict.outcome, verdict.wrong.line if verdict.wrong is not None else None, verdict.finished


@dataclass
class Found:
    """What a run has found so far. `ask`: in so many games all that is legal is compared; `keep`: so many of the right
    and of the damaged logs are kept."""

    name: str
    ask: int
    keep: int
    scratch: Path
    right: int = 0
    damaged: int = 0
    decisions: int = 0
    differences: list[str] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)
    expected: dict[str, dict[str, Json]] = field(default_factory=dict)

    def _path(self, sort: str, number: int) -> Path:
        return (HERE if number < self.keep else self.scratch) / self.name / sort / f"{number:03}.jsonl"

    def game(self, with_: Comparison, events: Sequence[str], positions: Sequence[Oracle],
             lines: Sequence[str]) -> None:
        """Judges the log of a game, and compares what is legal in it."""
        found = judged(with_, lines, self._path("right", self.right))
        if found != (LogOutcome.LEGAL, None, True):
            self.differences.append(f"right game {self.right}: {found}")
        if self.right < self.ask:
            self.decisions += len(events)
            difference = asked(with_, events, positions)
            if difference is not None:
                self.differences.append(f"game {self.right}: {difference}")
        self.right += 1

    def wrong(self, with_: Comparison, lines: Sequence[str], line: int, kind: str) -> None:
        """Judges a log that was damaged: so, and first wrong in a line."""
        path = self._path("damaged", self.damaged)
        outcome, found_line, _ = judged(with_, lines, path)
        if (outcome, found_line) != (LogOutcome.ILLEGAL, line):
            self.differences.append(
                f"damaged game {self.damaged} ({kind}): {outcome}, line {found_line}, not {line}: {path}")
        self.expected[path.name] = {"kind": kind, "first_wrong_line": line}
        self.kinds[kind] += 1
        self.damaged += 1

    def done(self, library: str, say: Callable[[str], object]) -> int:
        """Writes down what was kept, notes the run in `agreement.json`, from which the table of `spec/agreement.md` is
        made, and says what was found; how many differences there were. `library`: the other program."""
        if self.keep:
            folder = HERE / self.name / "damaged"
            told = {path: entry for path, entry in self.expected.items() if (folder / path).exists()}
            (folder / "expected.json").write_text(f"{json.dumps(told, indent=1)}\n", "utf-8")
        games = min(self.right, self.ask)
        known = json.loads(RUNS.read_text("utf-8")) if RUNS.exists() else {}
        known[self.name] = {
            "with": f"{OTHERS[library]} {version(library)}", "right": self.right, "damaged": self.damaged,
            "asked": games, "decisions": self.decisions, "differences": len(self.differences),
            "day": f"{date.today():%Y-%m-%d}",
        }
        RUNS.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", "utf-8")
        kinds = ", ".join(f"{number} {kind}" for kind, number in sorted(self.kinds.items()))
        say(f"{self.name}: {self.right} right, {self.damaged} damaged ({kinds}), {games} asked at {self.decisions} "
            f"decisions: {len(self.differences)} differences")
        for difference in self.differences[:8]:
            say(f"  {difference}")
        return len(self.differences)


def compare(name: str, games: int, ask: int, keep: int, scratch: Path, say: Callable[[str], object]) -> int:
    """Compares on one game; how many differences there were."""
    form = "openspiel" if GAMES[name] else "pgn"
    mapping = read_mapping(Path("rulesets/classics") / f"{name}.mapping.toml", form)
    with_ = Comparison(name, GAMES[name], mapping, Rules(name))
    random, found, tries = Random(name), Found(name, ask, keep, scratch), 0
    while found.right < games and tries < 60 * games:
        kept = found.right < keep
        line = LINES.get(name, ())[found.right].split() if kept and found.right < len(LINES.get(name, ())) else []
        tries += 1
        try:
            most = SHORT.get(name, MOST_EVENTS) if kept else LONGEST.get(name, MOST_EVENTS)
            events, steps, positions = played(with_, random, most, line)
        except UnfitStep as unfit:
            if unfit.code != UNFIT.get(name):
                raise
            continue
        results = positions[-1].results
        if results is None or (name in LEFT_OUT and LEFT_OUT[name](results, positions[-1], events)):
            continue
        lines = recorded(with_, events, steps, results)
        found.game(with_, events, positions, lines)
        for kind in (*(KINDS[found.damaged % len(KINDS)],) * 20, "wrong result"):
            made = damaged(with_, lines, positions, kind, random)
            if made is not None:
                break
        assert made is not None
        found.wrong(with_, *made, kind)
    return found.done("open_spiel" if form == "openspiel" else "chess", say)


def options(said: str | None) -> argparse.ArgumentParser:
    """What every comparison with another program is asked for."""
    parser = argparse.ArgumentParser(description=said)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--asked", type=int, default=50)
    parser.add_argument("--keep", type=int, default=0)
    parser.add_argument("--scratch", type=Path, required=True, help="a folder for the games that are not kept")
    return parser


def main() -> int:
    """The command."""
    parser = options(__doc__)
    parser.add_argument("names", nargs="+", choices=sorted(GAMES))
    given = parser.parse_args()
    found = [compare(name, given.games, given.asked, given.keep, given.scratch, print) for name in given.names]
    return 1 if any(found) else 0


if __name__ == "__main__":
    sys.exit(main())
