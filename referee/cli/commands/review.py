"""`referee review`: what the rules leave open, forget or contradict, each with a game that shows it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from referee.api.code_help import CLASSES
from referee.api.errors import ArgumentError
from referee.api.named_engines import AUTO, ENGINES, NO_SOLVER
from referee.api.rule_sources import MOST_PLAYERS, RulesSource
from referee.api.runs.question_inputs import QuestionInputs
from referee.api.runs.witness_games import Games, Reviewing
from referee.cli.option_groups import gathered
from referee.cli.options import Seconds, force_option, html_option, misuse, nothing_lost, ruleset_argument
from referee.cli.progress import doing, ended_in_order
from referee.cli.terminal_writer import ERR, OUT
from referee.diagnostics.exit_codes import Exit
from referee.system.deadline import Clock

FORMATS = ("text", "json", "sarif", "markdown")
QUESTION = "question"
MINUTES = 10
"""So long is computed for questions, if nobody says how long; for rules of few lines only one. A busy machine asks no
less."""
FEW_LINES = 600
"""For rules of more lines questions are given ten minutes, if nothing is said, and not one."""
_FILE = click.Path(path_type=Path)

if TYPE_CHECKING:
    from referee.api.runs.witness_games import Review


@dataclass(frozen=True, slots=True)
class ReviewedAmount:
    """How much is looked at, as `Reviewing.review` takes it."""

    games: int
    events: int
    positions: int
    seed: int
    proofs: bool


@dataclass(frozen=True, slots=True)
class ReviewTelling:
    """How findings are told. `form`: as `FORMATS` has it; `html`: the page that is written of them; `out`: the folder
    for their games; `accepted`: what the rules accept too; `full`: games with set-up."""

    form: str
    html: Path | None
    out: Path | None
    force: bool
    accepted: bool
    full: bool
    strict: bool

    def exit(self, found: Review) -> Exit:
        """How the command ends."""
        if not self.strict or found.exit is not Exit.GOOD:
            return found.exit
        if found.questions:
            return Exit.NEGATIVE
        return Exit.OPEN if found.is_bounded else Exit.GOOD



@click.command()
@ruleset_argument
@click.option("--players", type=click.IntRange(1, MOST_PLAYERS),
              help="For how many players; for every number if not said.")
@click.option("--only", multiple=True, metavar="CLASS",
              help=f"Only what is of this class (several are possible): {', '.join(CLASSES)}.")
@click.option("--questions", is_flag=True, help="Only what sentences leave open and nobody has said (class question).")
@click.option("--blind", is_flag=True,
              help="Ask as if nothing were declared to be open, settled or assumed, of the wording too (to measure "
                   "what is found).")
@click.option("--rulebook", type=_FILE, metavar="FILE",
              help="The text of the rulebook: its words count too, and sentences without a statement are told.")
@click.option("--language", metavar="LANG", help="Of the rulebook, by name or code; guessed if not said.")
@click.option("--lexicon", "lexicons", type=_FILE, multiple=True, metavar="FILE",
              help="Words (TOML) that settle a question or leave it open, besides those that come along.")
@click.option("--words", "lone_words", is_flag=True,
              help="Ask what the wording alone leaves open, and tell sentences with words that leave something open.")
@click.option("--baseline", type=_FILE, metavar="FILE",
              help="An earlier report (JSON): questions that it has are not told.")
@click.option("--games", type=click.IntRange(0, 100_000), default=200, show_default=True,
              help="How many random games are looked at for each number of players.")
@click.option("--events", type=click.IntRange(1, 1_000_000), default=400, show_default=True,
              help="After how many events a random game is broken off.")
@click.option("--positions", type=click.IntRange(0, 1_000_000), default=20_000, show_default=True,
              help="How many positions are searched: a smaller game is known completely.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of all chance: the same seed, the same findings.")
@click.option("--prove", "proofs", is_flag=True,
              help="Try to prove what no game showed (needs the extra `solver`, takes minutes).")
@click.option("--timeout", type=Seconds(1), metavar="SECONDS",
              help="How long to try; what could not be done by then is unknown. For questions, if not said, until "
                   f"{60 * MINUTES} have been computed, of short rules 60.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True)
@html_option("Write a page too: each finding with its position and the ways in which the game goes on.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
              help="Write each game that shows a finding into this folder, as a log.")
@force_option
@click.option("--engine", "engine_name", type=click.Choice(ENGINES),
              help="What plays and looks at positions, and have it said; auto: machine code too, where it pays.  "
                   "[default: auto]")
@click.option("--all", "accepted", is_flag=True, help="Tell what the rules accept as fully as the rest.")
@click.option("--full", is_flag=True, help="Tell games with all their events, set-up too.")
@click.option("--strict", is_flag=True,
              help="A class that was looked for and not proved absent ends with 5, not 0; a question with 1.")
@gathered("inputs", QuestionInputs)
@gathered("looked_at", ReviewedAmount)
@gathered("telling", ReviewTelling)
def review(ruleset: str, players: int | None, only: tuple[str, ...], questions: bool, blind: bool,
           inputs: QuestionInputs, looked_at: ReviewedAmount, timeout: float | None, engine_name: str | None,
           telling: ReviewTelling) -> int:
    """Find what a RULESET leaves open, forgets or contradicts, for each number of players."""
    classes = (*only, *((QUESTION,) if questions else ()))
    asked = QUESTION in classes
    if not asked and (flag := next(_for_questions(inputs, telling, blind), None)):
        raise click.UsageError(f"{flag} is for questions: say --questions too")
    if inputs.language is not None and inputs.rulebook is None:
        raise click.UsageError("--language is that of the rulebook: name it with --rulebook FILE")
    try:
        work = Reviewing(RulesSource(ruleset, blind=blind), players, classes, inputs if asked else None)
    except ArgumentError as error:
        raise misuse(error) from None
    nothing_lost(telling.out, telling.force)
    limit: float | Clock | None = timeout
    if timeout is None and classes == (QUESTION,):
        lines_written = sum(one.text.count("\n") for one in work.sources)
        limit = Clock.computing(60.0 if lines_written <= FEW_LINES else 60.0 * MINUTES)
    if looked_at.proofs and find_spec("z3") is None:
        ERR.say(f"nothing is proved by induction: {NO_SOLVER}")
    with ended_in_order(), doing("reading") as progress:
        found = work.review(limit, progress, **asdict(looked_at), engine_name=engine_name or AUTO)
    _tell(found, work, telling, searches=engine_name is not None)
    return telling.exit(found)


def _for_questions(inputs: QuestionInputs, telling: ReviewTelling, blind: bool) -> Iterator[str]:
    """The options that are said and for questions only."""
    said = {"--blind": blind, "--rulebook": inputs.rulebook, "--lexicon": inputs.lexicons, "--words": inputs.lone_words,
            "--baseline": inputs.baseline, "--format markdown": telling.form == "markdown"}  # fmt: skip
    return (flag for flag, value in said.items() if value)


def _tell(found: Review, work: Reviewing, telling: ReviewTelling, *, searches: bool) -> None:
    """Writes what was found, in the form and into the files that are wanted. `searches`: how positions were searched
    too."""
    told, form = Games(work.load, telling.out), telling.form
    if form == "text":
        from referee.report.text.diagnostic_text import lines_of
        from referee.report.text.finding_text import lines, search_lines

        OUT.show(lines(found, lines_of(work.sources), told, work.wording, telling.accepted, telling.full))
        for line in search_lines(found.searches) if searches else ():
            ERR.say(line)
    elif form == "markdown":
        from referee.report.text.question_letter import letter

        OUT.tell("\n".join(letter(found, work.title, told, work.wording, telling.accepted, telling.full)))
    else:
        from referee.report.data.finding_data import as_data, sarif_of

        data = as_data(found, told, work.wording) if form == "json" else sarif_of(found)
        OUT.tell(json.dumps(data, indent=1, ensure_ascii=True))
    if telling.html is not None:
        from referee.api.pages.log_files import write_page
        from referee.api.pages.report_files import review_page
        from referee.report.data.finding_data import as_data

        write_page(review_page(work.title, as_data(found, told, work.wording), found, told), telling.html)
    told.write_all(found)
