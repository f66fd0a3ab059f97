"""What could be written to answer a question: a sentence of a rulebook for each answer, and lines for the rules."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import chain

from referee.frontend.desugaring.later_moments import (
    AFTER_ACTION,
    END_OF_ROUND,
    END_OF_TURN,
    RUN_DRY,
    WHEN,
    WHEN_NEEDED,
)
from referee.frontend.desugaring.strict_comparisons import EQUAL_FAILS, EQUAL_PASSES, VALUE
from referee.frontend.desugaring.swapped_effects import ORDER, OTHER_FIRST
from referee.frontend.names.first_player import NEXT_BEGINS, TURN_ORDER
from referee.frontend.statements.control_statements import NOBODY
from referee.frontend.statements.decisions import FEWER, FIXED, HOW_MANY, MUST, NEXT_PLAYER, NO_FIXED, NOT_NONE, WHO
from referee.frontend.statements.state_changes import NOT_AT_ALL, SURPLUS
from referee.other_rules.components.destinations import BACK, ELSEWHERE, OTHER_END, SHUFFLED, STAYS, WHERE_TO
from referee.review.questions.catalogue import DIMENSIONS, Reply

_AS_NAMED = "It is put at the place that is named here, and nowhere else."
_AT_ONCE = "This happens at once, as soon as it is so."
_SENTENCES: Mapping[tuple[str, str], tuple[str, str]] = {
    (WHEN, AFTER_ACTION): (_AT_ONCE, "An action is first carried out to its end; only then does this happen."),
    (WHEN, END_OF_TURN): (_AT_ONCE, "The turn is first played to its end; only then does this happen."),
    (WHEN, END_OF_ROUND): (_AT_ONCE, "The round is first played to its end, so that all have had as many turns; only"
                                     " then does this happen."),
    (RUN_DRY, WHEN_NEEDED): ("It is filled up again as soon as it is empty.",
                             "It is filled up again only when something is to be drawn from it."),
    (ORDER, OTHER_FIRST): ("This happens in the order in which it stands here.",
                           "What stands here second happens first."),
    (WHO, NEXT_PLAYER): ("The player named here makes this choice.",
                         "The next player in turn (of two: the other one) makes this choice."),
    (WHO, NOBODY): ("Of several who are level, all win.", "Of several who are level, nobody wins."),
    (MUST, FIXED): ("A player may leave this, even if he could do it.", "Who can do this must do it."),
    (MUST, NO_FIXED): ("Who can do this must do it.", "A player may leave this, even if he could do it."),
    (HOW_MANY, FEWER): ("It must be exactly this number.", "It may be fewer than this number, and none."),
    (HOW_MANY, NOT_NONE): ("It may be none.", "It must be at least one, if there is one."),
    (SURPLUS, NOT_AT_ALL): ("What would go beyond the limit is lost.",
                            "Where it would go beyond the limit, nothing is changed at all."),
    (TURN_ORDER, NEXT_BEGINS): ("The player who is named here is the first.",
                                "The player after the one who is named here is the first."),
    (WHERE_TO, STAYS): (_AS_NAMED, "It stays where it is."),
    (WHERE_TO, ELSEWHERE): (_AS_NAMED, "It goes where other things go that have been used."),
    (WHERE_TO, BACK): (_AS_NAMED, "It goes back to the hand of the player who used it."),
    (WHERE_TO, OTHER_END): (_AS_NAMED, "It goes to the other end of that pile."),
    (WHERE_TO, SHUFFLED): (_AS_NAMED, "It is shuffled into that pile."),
    (VALUE, EQUAL_PASSES): ("It must be more (or less): equal is not enough.", "Equal is enough."),
    (VALUE, EQUAL_FAILS): ("Equal is enough.", "It must be more (or less): equal is not enough."),
}  # fmt: skip
_FOLDED = re.compile(r"[^a-z]+")


def sentences_of(answer: Reply) -> tuple[str, str]:
    """What a rulebook could say: as the rules have it, and by the other answer."""
    found = _SENTENCES.get((answer.dimension, answer.name))
    return found if found is not None and not answer.asks else (_sentence(answer.now), _sentence(answer.then))


def also_meant(cites: Sequence[str]) -> str:
    """What is said of another answer: that a sentence could mean it, if one is cited."""
    return "as the sentence could also mean" if cites else "as it could also be meant"


def lines_for(
    question: str, answer: Reply, cites: Sequence[str], worded: str, assumed: Sequence[str] = ()
) -> tuple[str, ...]:  # fmt: skip
    """Lines of the rules, of which some answer a question; above each, as a comment, when it is the one. `worded`: a
    cited statement whose words are known; empty if there is none; `assumed`: the assumptions that the line rests on."""
    by = f"  [{' '.join(cites)}]" if cites else ""
    now, then = sentences_of(answer)
    procedure = _FOLDED.sub("_", question.partition("/")[2].partition(".")[0].lower()).strip("_")
    name = f"{procedure}_{answer.dimension}".strip("_")
    said = ("# its words say so: put them for the dots", f'settled "{question}" by [{worded}] "..."') if worded else ()
    settling = ((f"# what {one} says is what is meant here", f'settled "{question}" by [{one}]') for one in assumed)
    return (
        *chain.from_iterable(settling),
        *said,
        f"# you decide it so: {f'put {name} into the brackets' if cites else f'write [{name}]'} behind the line",
        f'assume {name} "{now}"{by}',
        f'settled "{question}" by [{name}]',
        f"# some play it so and some otherwise: let the line ask whether {name} is as_here",
        f'reading {name} "{answer.asks or DIMENSIONS[answer.dimension].asks}"{by}',
        f'  default as_here "{now}"',
        f'  alternative otherwise "{then}"',
        '# the table decides each time: `unspecified "...", one of` in the place of the line',
        *accepting(question),
    )


def accepting(question: str) -> tuple[str, str]:
    """A line of the rules by which a question is accepted, below what it says, as a comment."""
    return "# it is as it should be, and nobody has to say it", f'accept "{question}" because "..."'


def _sentence(said: str) -> str:
    return f"{said[:1].upper()}{said[1:]}."
