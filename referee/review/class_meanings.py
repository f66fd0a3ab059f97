"""What a flaw of each class is, in a sentence or two: the words of the table in `spec/ambiguity.md`."""

from __future__ import annotations

from collections.abc import Mapping

MEANINGS: Mapping[str, str] = {
    "gap-move": "somebody must act and nothing is possible; or the rules are through and nobody has won",
    "gap-case": "`depending on` without a line for a value; `unspecified` about anything but a shortage",
    "undefined-value": "the best of none, the only one of none, an entry that a table or zone has not",
    "gap-supply": "more is drawn or moved than is there; `unspecified` behind tests of how many lie somewhere",
    "no-chooser": (
        "several are the best, nobody is named who chooses, and the picks lead to different games; the game "
        "ends for several at once"
    ),
    "no-target": '"the" one of several (`opponent` among more than two is refused before: NM08)',
    "no-order": (
        "things happen at once without an order, and do not commute: rounds of a loop, triggers, what stands "
        "before or after an action, which way turns go"
    ),
    "simultaneity": (
        "neighbouring `set`, `raise`, `lower` of one sentence (they cite a statement in common, or none at "
        "all; assumptions do not count), of which a later one reads what an earlier one changes, come to "
        "something else at once. Those that cite different statements are in the order of the text; a branch "
        "on a reading is one already"
    ),
    "conflict": (
        "as `no-order`, but neither looks at what the other does: both leave a value in one place; ends of "
        "the game that name different winners"
    ),
    "obligation-conflict": "what must be done is forbidden",
    "contradiction": "what is to hold always does not; a zone over its limit",
    "dead": "an action, a procedure or a branch that nothing comes to",
    "shadowed": "a case whose values cases before it take; a condition that forbids nothing that no other forbids",
    "redundant": (
        "a statement of the rulebook whose lines come up in games and change nothing if they are taken out. "
        "Looked at are those of which all lines are effects, conditions of actions, branches or loops"
    ),
    "vacuous": (
        "what is to hold always still does with a part of it replaced by what never holds; a premise that "
        "never comes about"
    ),
    "indistinguishable": (
        "classes of one kind that no rule names, looks up or compares differently: a set that holds several "
        "(`is in {A, B}`, `is A or is B`) tells none of these from another (kinds listed in the rules, not in"
        " data files); a column that nobody reads"
    ),
    "symmetry-break": (
        "players or components that the rules declare alike (`alike players`, `alike Suit`, `alike red, "
        "blue`) and do not treat alike: with them exchanged, a game goes another way; or they do not begin "
        "alike"
    ),
    "component-sum": (
        "set-up that cannot be carried out; a kind of which there is none; a number in a statement of the "
        "rulebook that no components citing it add up to"
    ),
    "no-end": (
        "a position from which no end can be reached; a loop that goes on for too long; somebody can go on "
        "for ever whatever the others do, or all together can: by passing, waiting, throwing cards away"
    ),
    "unbounded": "a counter leaves its range, a zone has no room",
    "reading-divergence": (
        "two readings of a sentence lead to different games. The event by which a log would tell is named"
    ),
    "idle-value": (
        "two values of a parameter that come to the same in every game, or a parameter that no rule depends "
        "on. Else it is told which values games tell apart, and after how many events"
    ),
    "reading-kills-sentence": (
        "what speaks against a reading: under it another sentence never comes up or changes nothing (a "
        "`candidate`), it breaks an invariant that the other readings keep, or it contradicts a worked example "
        "of the rulebook"
    ),
    "question": (
        "a sentence of the rulebook could mean something else than the rules have it, nobody has said which, "
        "and a game goes another way then; asked with `--questions`"
    ),
}
"""By class. What it looks for, and when it is proved absent, stands in that table too."""
