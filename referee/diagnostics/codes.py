"""The stable codes of all diagnostics: what each says in short, and what to do about it.

A code is never given a second meaning. Sections by the room that reports them.
"""

from __future__ import annotations

from referee.diagnostics.code_text import Code as Code
from referee.diagnostics.frontend_codes import MEANING
from referee.diagnostics.ledger_codes import LEDGER

SYNTAX: dict[str, Code] = {
    "SY01": Code("the rules cannot be read", "There is no such file, it is a directory, or it may not be read."),
    "SY02": Code(
        "the rules are not UTF-8 text",
        "The byte or character at this place belongs in no text: the file is binary or in another encoding. Save it as "
        "UTF-8. Tabs and both kinds of line ends are fine, other control characters are not.",
    ),
    "SY03": Code(
        "nothing to read",
        'The text holds nothing but blank lines and comments; rules begin with game "NAME" for 2 players. A claim is '
        "one line with one condition or value, such as stake of ana = 3.",
    ),
    "SY04": Code(
        "the text is too large",
        "A rules file has at most 1,000,000 bytes and 160,000 words and signs, a line 2,000 characters, a number 12 "
        "digits: far more than rules need. A long line goes on in the next, indented deeper, after a comma or inside "
        "brackets.",
    ),
    "SY05": Code(
        "nested too deeply",
        "Brackets, levels of indentation and values within values go only so deep. Give a part a name: "
        "define strength of player p = ... outside, or let gap = ... a line above.",
    ),
    "SY10": Code(
        "a tab in the indentation",
        "How far a tab reaches depends on who looks at it. Indent with two spaces for each level; the formatter "
        "replaces tabs.",
    ),
    "SY11": Code(
        "indentation that is no level",
        "What belongs to a line stands below it, two spaces further in: after the line if deck is empty, the line "
        "nothing stands two spaces deeper, neither one nor three. The line was read as if it stood at the nearest "
        "level.",
    ),
    "SY12": Code(
        "indented without a reason",
        "A line stands deeper than the one above, but that one has nothing below it, as move does: "
        "move card to deck, and the next line two spaces deeper. Take the indentation away; or, if the line above is "
        "to go on here, let it end with a comma or an operator or inside an open bracket.",
    ),
    "SY13": Code(
        "a body is missing",
        "A line such as setup or for each p in players is the head of what stands indented below it, and there is "
        "nothing, or it is not indented. Indent it by two spaces; write nothing where nothing is to happen.",
    ),
    "SY14": Code(
        "ids in the midst of a line",
        "A line that goes on in the next says what it encodes once, behind its last word.",
    ),
    "SY20": Code(
        "brackets that do not match",
        "Every ( { [ is closed by its ) } ] in the same line, or in those that go on from it and are indented deeper: "
        "give(card, to: ben needs a ) at its end.",
    ),
    "SY21": Code(
        "a quote is not closed",
        'A text stands between two " on one line: needs "the cell is free": ...',
    ),
    "SY22": Code(
        "a sign without a meaning",
        "The language does not use this sign outside of texts in quotes and comments; a ? or a % for example.",
    ),
    "SY30": Code(
        "a misspelt word",
        "With another word of the language in its place the line can be read: me choses one of players as victim "
        "wants chooses.",
    ),
    "SY31": Code(
        "something is left out",
        "With one word or sign more the line can be read: move card discards lacks to after card; when c -1 lacks the "
        "colon before -1.",
    ),
    "SY32": Code(
        "something is too much",
        "Without this word or sign the line can be read: move card to to discards has one to too many.",
    ),
    "SY33": Code(
        "something that cannot stand here",
        "The line can be read up to this place, and no small change would mend it. The message lists what could stand "
        "here instead.",
    ),
    "SY34": Code(
        "something ends too early",
        "The line (or the block below it) stops where more has to follow: move card to says no place; a reading with "
        "a default alone lacks its alternative.",
    ),
    "SY35": Code(
        "a word of the language as a name",
        "Zones, counters, actions and whatever else has a name cannot be called move, play, from or another word that "
        "means something to the language: choose another name.",
    ),
    "SY36": Code(
        "said otherwise in this language",
        "Another language, or a rulebook, would put it so, this one does not: a = b compares, set a to b changes, "
        "raise a by 1 adds; else belongs to if, otherwise to a list of when.",
    ),
    "SY37": Code(
        "a capital too few or too many",
        "Kinds and components begin with a capital (Card, Piece), everything else with a small letter (deck, hand).",
    ),
    "SY38": Code(
        "this stands on a line of its own",
        "A `;` joins events with events and statements with statements. In a scenario `expect ...` and what somebody "
        "`may not` do each begin a line.",
    ),
    "SY40": Code(
        "too many errors",
        "So much is wrong here that reading on would only add noise: mend what is reported, then check again.",
    ),
}

LOG: dict[str, Code] = {
    "LG01": Code(
        "the log cannot be opened",
        "There is no such file, it is a directory, it may not be read, or reading it broke off: then open it again "
        "and judge it from its first line.",
    ),
    "LG02": Code(
        "the log is not UTF-8 text",
        "A log is JSON Lines in UTF-8. The bytes at this place are something else: a binary file, another encoding, "
        "or half of a surrogate pair. Save the log as UTF-8.",
    ),
    "LG03": Code("the log is empty", "A log has at least a header line: schema, ruleset and players."),
    "LG04": Code(
        "a line is too long",
        "A line of a log holds one event. One of more than a megabyte is no log line; probably the file is not "
        "JSON Lines but one JSON text.",
    ),
    "LG05": Code("a line is not JSON", "Each line of a log is one JSON object, complete on its line."),
    "LG06": Code("a line is nested too deeply", "No value in a log needs more than 32 levels of brackets."),
    "LG07": Code(
        "a key stands twice in one object",
        "JSON readers disagree about which of the two counts, so neither does. Remove one.",
    ),
    "LG08": Code("a number that is not a number", "NaN, Infinity and numbers beyond the range of JSON are refused."),
    "LG09": Code(
        "a number has too many digits",
        "Numbers in a log have at most 18 digits. A longer one, such as those of the positions that have come about, "
        'is written as a text of its digits: "1234567890123456789".',
    ),
    "LG10": Code("a line is not a JSON object", 'A line looks like {"by": ..., "do": ..., "with": {...}}.'),
    "LG11": Code(
        "the last line is cut off",
        "The last line has no line end and is not complete JSON: whoever wrote the log was interrupted. Remove the "
        "line to judge what came before.",
    ),
    "LG12": Code(
        "the first line is no header",
        'The first line names the schema, the ruleset and the players: {"schema": "referee/log/1", "ruleset": NAME, '
        '"players": [...]}.',
    ),
    "LG13": Code("the schema is not known", 'This program reads logs of schema "referee/log/1".'),
    "LG14": Code(
        "the ruleset is not a plain name",
        "The header names a ruleset by its plain name: letters, digits, _ and -. A path is given on the command line, "
        "never by a log.",
    ),
    "LG15": Code(
        "the players are not a list of names",
        "`players` lists the names in seat order, clockwise: each of 1 to 100 characters, not all of them blanks.",
    ),
    "LG16": Code(
        "a player has a reserved name",
        "all, fate, table, nobody, public and ? mean something else in a log, or where it is asked who sees what.",
    ),
    "LG17": Code("two players have the same name", "Each name in `players` stands once."),
    "LG18": Code("the number of players does not fit the ruleset", "The ruleset says for how many players it is."),
    "LG19": Code(
        "a header entry does not fit the ruleset",
        "An option, given, reading, ruling or parameter that the ruleset does not have, or a value it cannot take.",
    ),
    "LG21": Code("a header entry has the wrong form", "The log format lists the entries of a header and their types."),
    "LG22": Code("the log names a ruleset that is not known", "No bundled ruleset has it; give one by --ruleset."),
    "LG23": Code(
        "a line has none of the known forms",
        "A line is an event (by, do, with), an assert, an end or an undo, and only one of them.",
    ),
    "LG24": Code("an entry of a line has the wrong form", "`by` and `do` are texts, `with` an object, and so on."),
    "LG25": Code(
        "the player for whom to judge does not play",
        "Verdicts were asked for as one player may know them, but he is not among the players of this log.",
    ),
    "LG26": Code(
        "the position does not fit the ruleset",
        "`state` names a place, counter, component, point or player that the ruleset does not have, or says the same "
        "twice. Places and counters are named as in the rules (`hand of ana`, `grid at c3`, `points of ana`), points "
        "as `referee show --points` lists them.",
    ),
    "LG27": Code(
        "components that cannot all lie there",
        "Every component lies somewhere, once. A place that `state` names holds just what is said; what is placed "
        "nowhere is at home, if its home is not one of those places.",
    ),
    "LG28": Code(
        "no game can start from this point",
        "A game can start where it rests, not inside an action, nor at a point that no game of these players and "
        "options comes to. What the rules keep on the way to the point and need later on is told under `set`, by the "
        "names that `referee show --points` lists.",
    ),
    "LG29": Code(
        "the position breaks a rule",
        "A limit of a zone or a condition that holds always does not hold in the position that `state` describes; or "
        "the game is over there, and the rules leave open how; or what is told of the way there contradicts it.",
    ),
    "LG30": Code(
        "the card pool does not fit the ruleset",
        "`pool` has rows for a kind that takes its cards from a data file: each with a `name` and the columns that the "
        "rules declare, no others, with values that their types admit. What a card does stands in the rules; a log "
        "only names it. There are as many cards as it takes to set up, and what always holds does with them.",
    ),
    "LG31": Code(
        "parameters that do not fit each other",
        "The rules say how the values of their parameters are related (`such that`); no values for those that the log "
        "leaves open keep to it.",
    ),
    "LG32": Code(
        "a position of which something is unknown",
        "Here a game is looked at only from a position in which everything has its place: say where the rest lies, or "
        "leave `rest` out if it is at home. `judge` judges other logs as far as nothing hangs on it.",
    ),
    "LG33": Code(
        "a claim cannot be read",
        "What an assert claims is an expression in the words of the rules, with the names of the players: "
        "`points of ana`. A name that is a word of the rules, begins with a digit or has signs that end a word stands "
        r"in quotes: `points of \"p-1\"`. This one is no expression of this ruleset, or one without a value; nothing "
        "is said about the game.",
    ),
    "LG34": Code(
        "a claim has a value of another kind",
        "The value that an assert claims is of another kind than what its expression gives: a number, true or false, "
        "the name of a player, the label of a component, null for nothing.",
    ),
    "LG35": Code(
        "a claim asks for too much",
        "What a line claims is worked out by going through members of what the rules have: at most 2,000,000 for all "
        "claims of one line, as many as one condition of the rules may go through. Claim less on one line, or nest "
        "less deeply.",
    ),
    "LG40": Code("an unknown key", "The key means nothing in a log and was ignored; perhaps it is misspelt."),
    "LG41": Code("a byte order mark", "The log begins with a byte order mark; it was ignored."),
    "LG42": Code("a blank line", "A blank line between lines was ignored."),
    "LG43": Code(
        "the log names another version of the ruleset",
        "It was judged by the version at hand, which may differ from the one it was played by.",
    ),
    "LG44": Code(
        "a hole in a log that is said to be whole",
        "A value is left open (`?`), but the header does not say from whose view the log was written: add "
        '`"viewpoint": NAME`, or `public`.',
    ),
    "LG51": Code(
        "what a log is packed in is damaged",
        "The data of gzip, zstd, tar or zip is cut off, was changed, or is not what the name says. What came "
        "before is judged; fetch the file once more.",
    ),
    "LG52": Code(
        "it unpacks to too much",
        "A few packed bytes that stand for thousands of millions are no log, but made to fill a machine: the "
        "rest of that file is not read. Logs that are packed so well can be unpacked first.",
    ),
    "LG53": Code(
        "a member of an archive is no file",
        "A link, a device or a pipe in an archive is not followed. Pack the logs themselves.",
    ),
    "LG54": Code(
        "a member of an archive cannot be unpacked",
        "It is encrypted, or packed in a way that is not read here: in zip archives stored, deflated and zstd are.",
    ),
    "LG55": Code(
        "something is missing that reads this",
        "Logs packed by zstd need zstandard, those behind URLs fsspec: pip install 'referee[archives]'; some URLs need "
        "a package besides, such as s3fs, which the message names.",
    ),
    "LG56": Code(
        "several logs where one is meant",
        "A file or an archive may hold many logs; what is asked for here is one of them. Name it: PATH#3 for the third "
        "of a file, ARCHIVE::MEMBER for a member, ARCHIVE::MEMBER#3 for the third in it.",
    ),
    "LG57": Code(
        "an archive without logs",
        "Logs are members called *.jsonl, *.jsonl.gz or *.jsonl.zst; an archive in an archive is not looked into.",
    ),
    "LG58": Code(
        "no log begins in what follows",
        "Behind a log that could not be read on, so much follows that may have no end: what comes from a pipe is not "
        "read for ever. Each log begins with its header on a line of its own.",
    ),
    "LG59": Code(
        "a log that cannot be followed",
        "What was read while it was written does not lie there any more: the file was cut, written anew, replaced or "
        "removed. Or it is packed: of that nothing can be told before it is whole. Judge it without --follow.",
    ),
}

FLOW: dict[str, Code] = {
    "FL01": Code(
        "a loop may go round without asking anybody",
        "A loop that names no number of rounds has to pass a decision, a commit, a chance or an unspecified point, or "
        "end the game, on every way through it. Add one to the way that has none, or say how often at most.",
    ),
    "FL02": Code(
        "something carries out itself",
        "A procedure or action that leads back to itself has no bounded number of steps. Write a loop instead.",
    ),
    "FL03": Code(
        "a result is not always given",
        "A procedure names a result that some way through its body never says. Say it on every way.",
    ),
    "FL04": Code(
        "the course of the game is too large",
        "Procedures and actions are written out wherever they are used; here that makes too many steps. Usually one "
        "procedure is used in many places of another that is itself used in many places.",
    ),
}

RUN: dict[str, Code] = {
    "RT01": Code(
        "a value leaves its range",
        "The rules store a value outside the range declared for it, or look up an entry that is not there.",
    ),
    "RT02": Code("a component is not there", "The rules move a component from a place where it does not lie."),
    "RT03": Code(
        "there is no room",
        "The rules move a component to a spot that is taken, or into a zone that cannot hold one more.",
    ),
    "RT05": Code(
        "not exactly one",
        "The rules take the only member, or the best member, of something that has none or (the only one of) several.",
    ),
    "VS05": Code(
        "a secret that everybody can tell",
        "A choice or roll that all see decides what lies where only some may look, so all know it. Say who sees it"
        " (`, seen by me`, `, seen by p`), or declare the zone or counter open.",
    ),
    "RT06": Code(
        "it goes on for too long",
        "A loop passed the number of rounds that it may have, or the game goes on without asking anybody.",
    ),
    "RT07": Code(
        "an invariant is broken inside an action",
        "A condition that holds always, at every moment, does not hold after a statement.",
    ),
    "RT08": Code(
        "no values for the parameters",
        "For a game played out at random no values were found that are related as the rules say (`such that`): give "
        "some by --parameter.",
    ),
}

API: dict[str, Code] = {
    "AP01": Code(
        "a call that makes no sense",
        "A program has handed over something of another type than wanted, something that cannot be written as JSON, a "
        "number out of its bounds, or the same thing twice. The message says what is wanted; `spec/api.md` lists it.",
    ),
    "AP02": Code(
        "a name that nothing has",
        "No player, engine, schema or ruleset of this call has this name; the message lists those that there are.",
    ),
    "AP03": Code(
        "the game is over",
        "Nothing can be played after the end of a game. Look at `over` before, take an event back by `undo`, or begin "
        "another game.",
    ),
    "AP04": Code(
        "the rules do not allow this event",
        "The error has the verdict: which condition failed, with which values, and what would be legal. The game "
        "stands as it stood.",
    ),
    "AP05": Code(
        "this closes a log, and is no event",
        "To concede, to stop and to overrule are lines of a log: the rules know nothing of them, and a game that is "
        "played goes on by its rules. Write them behind the lines of `log()`.",
    ),
    "AP06": Code(
        "nothing to take back", "No event of this game has happened, or all were taken back.",
    ),
    "AP07": Code(
        "the rules have changed since they were loaded",
        "A file of the ruleset is not what it was when the rules were loaded, so what is made of it now would not fit "
        "what was made before. Load the rules again, and begin games anew.",
    ),
    "AP08": Code(
        "stopped because somebody asked for it",
        "The function handed over as `cancel` said so. What was done before is done.",
    ),
    "AP10": Code(
        "no view of this log",
        "What one player saw can be told of a log that is legal up to its last line and in which nothing is left out. "
        "The error has the verdict: mend the log first.",
    ),
    "AP11": Code(
        "the time is over",
        "What was asked for was not done within the `timeout` that it was given. What was done before is done; the "
        "rest is not known. Give it more time.",
    ),
    "AP09": Code(
        "Z3 is not installed",
        "Proofs and the second opinion on logs need it: pip install 'referee[solver]'.",
    ),
}

CONVERT: dict[str, Code] = {
    "CV01": Code("the mapping cannot be read", "A mapping is a TOML file beside the rules, or named by --mapping."),
    "CV02": Code(
        "the mapping does not fit its schema",
        "The message names the entry and what would fit; `referee schema mapping` prints the schema. An expression in "
        "`pattern` is one of Python's, and each table that an argument names stands under `values`.",
    ),
    "CV03": Code("the file cannot be read", "There is no such file, it is a directory, or it may not be read."),
    "CV04": Code(
        "the file is too large",
        "A line has at most 65,536 characters, a game 4,000,000 characters and 20,000 steps: far more than any that "
        "was played. Nothing behind this line is read.",
    ),
    "CV05": Code(
        "no game",
        "The file begins with the name of its game, as in game() or game(size=5); a hand of poker is TOML.",
    ),
    "CV06": Code(
        "a game that the mapping is not for",
        "It is another game, has a parameter or a value that the rules have no option for, or starts from a position "
        "that they do not take.",
    ),
    "CV07": Code(
        "a step that the mapping does not know",
        "No pattern fits the text, a table lacks what stands in it, or the reader of the format finds no move in it. "
        "The log ends before it.",
    ),
    "CV08": Code(
        "a step that can be several events",
        "The file does not tell who acts, what fate does, or which of several events is meant. The log ends before it.",
    ),
    "CV09": Code(
        "a step that the rules do not allow",
        "The log ends with it, so that judging the log says why. Perhaps the game was played by other rules: an option "
        "may have them.",
    ),
    "CV10": Code("a step after the end", "By the rules the game is over before this line. The log ends there."),
    "CV11": Code("a result that is none", "returns: is followed by a number for each player, as in returns: 1, -1."),
    "CV12": Code(
        "a library is missing",
        "It reads the format: install referee with its extra `convert`, or the library that the message names.",
    ),
    "CV13": Code(
        "a remark or a variation that is not closed",
        "A remark ends with }, and may go over lines and games; a variation ends with ), before its game does. What "
        "stands behind may belong to it, so the log ends before it.",
    ),
    "CV14": Code(
        "a variation before the first move",
        "A variation stands behind the move that it replaces; before the first move of a game there is "
        "none. Nobody knows what is meant by it, so nothing of the game is converted. A remark stands in { }.",
    ),
}

REVIEW: dict[str, Code] = {
    "RV01": Code(
        "the text of the rulebook cannot be read",
        "What --rulebook names is a plain text in UTF-8 of at most 1,000,000 bytes. Of a PDF take the text out first; "
        "the lines of `statements.toml` are counted in this text.",
    ),
    "RV02": Code("a lexicon cannot be read", "What --lexicon names is a TOML file of at most 200,000 bytes, in UTF-8."),
    "RV03": Code(
        "a lexicon that does not fit",
        "It says language = \"NAME\" and has lists of words: common, numbers, and in tables [dimension.when] and so on "
        "settles, open, open_among_three. Entries are a few words; a star stands for letters of a word. "
        "`spec/ambiguity.md` has an example.",
    ),
    "RV04": Code(
        "a baseline that is no report of a review",
        "What --baseline names is what an earlier `referee review --format json` wrote, of at most 20,000,000 bytes.",
    ),
}

FOLDERS: dict[str, Code] = {
    "EX01": Code(
        "the expected verdicts cannot be read",
        "`expected.json` beside logs is a JSON object in UTF-8, of at most 4,000,000 bytes: the name of each log, and "
        "what is expected of it. `spec/testing.md` has an example.",
    ),
    "EX02": Code(
        "no expected verdict",
        "The entry of a log is an object with `verdict` (`legal`, `legal so far`, `illegal`, ...) or `line`, and what "
        "else is expected: `kind`, `rule`, `says`, `guard`, `claim`, `guards`, `statements`, `winners`. `why` is for "
        "people.",
    ),
}

NEW: dict[str, Code] = {
    "NW01": Code(
        "no name for a new ruleset",
        "It becomes the name of a folder, and what logs call the rules: at most 40 small letters, digits and `_`, a "
        "letter first, and not the name of a ruleset that comes along.",
    ),
    "NW02": Code(
        "something is in the way",
        "Where the folder of a new ruleset would be there is something already. Nothing is overwritten: choose another "
        "name.",
    ),
}

ENVIRONMENTS: dict[str, Code] = {
    "EN01": Code(
        "too many picks for an environment",
        "Each value of each argument of an action has a code, and there are at most 100,000. The hint names the "
        "argument that takes most: a number of a wide range, say. Choose an option in which it is narrower, or "
        "declare it so.",
    ),
    "EN02": Code(
        "an observation that is too large",
        "All zones and variables together are at most 200,000 numbers. The hint names the entry that takes most.",
    ),
    "EN03": Code(
        "no scores to be rewarded by",
        "The rules have no line `score of player p = ...`: an environment of them rewards by `winning`.",
    ),
}

COMPARE: dict[str, Code] = {
    "CR01": Code(
        "the correspondence cannot be read",
        "It is a TOML file, named by --mapping, that says what two rulesets call the same.",
    ),
    "CR02": Code(
        "the correspondence does not fit",
        "The message names the entry and what would fit: a label, an expression or a key that is there; each name of "
        "one ruleset stands for one of the other. `referee schema correspondence` prints the schema.",
    ),
}

CODES: dict[str, Code] = {
    **SYNTAX, **MEANING, **LOG, **FLOW, **RUN, **API, **CONVERT, **COMPARE, **REVIEW, **FOLDERS, **ENVIRONMENTS, **NEW,
    **LEDGER,
}
"""Every code of every section."""
