"""The codes of what can be wrong with the meaning of rules: names, types, places, points, shapes."""

from __future__ import annotations

from referee.diagnostics.code_text import Code

MEANING: dict[str, Code] = {
    "NM01": Code(
        "a name is not known", "Nothing of this name is declared, or not for use at this place. Check the spelling."
    ),
    "NM02": Code(
        "a name is used twice", "Zones, counters, kinds, actions, definitions and so on share one set of names."
    ),
    "NM03": Code(
        "a word of the language is used as a name",
        "`me`, `turn`, `players` and such words have a meaning of their own. They are listed in section 10 of "
        "`spec/language.md`.",
    ),
    "NM05": Code("a name with too many or too few keys", "`points of player` needs a player: `points of ana`."),
    "NM06": Code(
        "a definition needs itself", "A definition is put in where it is used, so it can never contain itself."
    ),
    "NM07": Code(
        "`me` outside an action", "`me` is the player who decides. Elsewhere say `turn player`, or name the player."
    ),
    "NM08": Code(
        "`opponent` among more than two", "With two players the opponent is the other one. With more, say which."
    ),
    "NM09": Code("`it` outside a filter", "`it` is the member that a filter (`where ...`) looks at."),
    "NM10": Code(
        "too many names in one block",
        "`let`, `as` and loops give names that hold until the end of their block: at most 500 at a time.",
    ),
    "TY01": Code(
        "a value of the wrong type", "A player where a card is expected, a number where a condition is, and so on."
    ),
    "TY02": Code(
        "a number is expected",
        "Only numbers are added, raised or compared by size; kinds declared with `<` or as a range are ordered.",
    ),
    "TY03": Code("a zone is expected", "Components lie in zones and move between zones."),
    "TY04": Code("many where one is expected", "A kind or a domain has several members: say which one is meant."),
    "TY05": Code("a zone is not a value", "Count what lies there (`number of ZONE`), or name one component in it."),
    "TY06": Code(
        "a type that does not fit here", "Keys and the arguments of procedures are numbers or members of a domain."
    ),
    "TY07": Code("a fixed value is expected", "Start values, homes and bounds are known before a game begins."),
    "TY08": Code("a range that is empty", "The lower bound comes first: `0..5`."),
    "TY09": Code("a number out of bounds", "The value does not lie in the declared range, or has too many digits."),
    "TY10": Code(
        "this cannot be gone through",
        "`for each`, `some` and `every` run through zones, sets, boards, players and ranges.",
    ),
    "TY11": Code("these can never be the same", "No component is of both kinds, or the zone never holds that kind."),
    "TY12": Code("a kind of component is expected", "Kinds and named components begin with a capital."),
    "TY13": Code("this is no value", "The phrase is one that steers the game, not one that has a value."),
    "TY14": Code("a component without an owner", "`K of p` is for kinds declared `kind K of player`."),
    "TY15": Code("this is never none", "Only a spot, a choice or a value declared `or none` can be none."),
    "TY16": Code(
        "a number without bounds",
        "What can come out of a calculation is known before a game begins; it has at most 18 digits. Multiply less "
        "often, or numbers with closer bounds.",
    ),
    "TY17": Code(
        "a number that may be less than 1 divides",
        "What a number is divided by is always 1 or more, by its declared range. Declare the range so, or divide by "
        "(larger of n and 1).",
    ),
    "TY18": Code(
        "it is not said how far `larger of` reaches",
        "`larger of 0 and a - b` may be `(larger of 0 and a) - b` or `larger of 0 and (a - b)`. Say which in brackets.",
    ),
    "BD01": Code("no sequence of columns or rows", "Columns and rows run over letters (`a..h`) or numbers (`1..8`)."),
    "BD02": Code("a board is too large", "A board has at most 1,024 cells."),
    "BD03": Code("only cells lie next to each other", "`BOARD next to CELL` are the cells around a cell."),
    "BD04": Code("a row needs a board", "`ZONE has 4 K in a row` is for slots on a board, and a fixed number."),
    "BD05": Code("no cell of a board", "Steps, rays, lines and distances go from cell to cell of one board or map."),
    "BD06": Code(
        "no such lines on this board",
        "Squares meet at sides and corners, hexagons at sides; on a map moves go through doors. On a board that goes "
        "round there is no one line between two cells.",
    ),
    "BD07": Code(
        "too many cells for this",
        "What is asked of each two cells, or of each place in a ray, takes a table, of at most 300,000 entries.",
    ),
    "BD08": Code(
        "a board that cannot be laid out",
        "Columns and rows go round from three on; a cell is missing once, and some cell is there.",
    ),
    "BD10": Code(
        "too much to go through",
        "Loops and conditions inside each other multiply: at most 2,000,000 members may be gone through by one "
        "condition or statement.",
    ),
    "ZN01": Code(
        "slots lie on a board",
        "`slots of K on BOARD`: one component at most on each cell. Other forms lie on no board.",
    ),
    "ZN02": Code("a zone without a limit is never full", "Declare `at most n`, or count."),
    "ZN03": Code("a zone without spots", "Only slots (by cell) and lines (by position, from 1) have spots."),
    "ZN04": Code(
        "a component that a zone does not admit", "A zone holds the kinds that its declaration names, no others."
    ),
    "KY01": Code(
        "too many combinations of keys",
        "A zone, counter or table has an entry for every combination of its keys, and a position of a game holds them "
        "all: at most 100,000. Use fewer keys, or smaller ranges.",
    ),
    "KD01": Code(
        "kinds that do not follow each other",
        "`kind K is L or M` is a name for kinds that stand above it, one after the other, and says no more of them.",
    ),
    "KD02": Code(
        "a kind of all combinations",
        "`kind Card is each of Suit and Rank` has one class for each combination of members of two or more types, each "
        "type once. Its columns are these types: `Card(queen, clubs)` names one of each, `Card of clubs` one.",
    ),
    "KD03": Code(
        "a pack of cards",
        "`kind Card is a pack from 2 to ace` has a card of each suit and each rank from one to the other: ace, 2 to "
        "10, jack, queen, king, ace. Its types are Suit and Rank; the ace is lowest where the pack begins with it.",
    ),
    "VS01": Code("who sees this zone?", "Each zone says `open`, `seen by owner`, `seen by others` or `face down`."),
    "VS02": Code(
        "what belongs to nobody", "`seen by owner` and `seen by others` need a zone, counter or pool `of player`."
    ),
    "VS03": Code(
        "who sees it?", "After `seen by` stand players: `me`, `p and left of p`, `others`, or `nobody`."
    ),
    "VS04": Code(
        "who sees it is a secret itself",
        "Everybody must know who learns what is chosen or rolled, so that may not hang on what lies hidden.",
    ),
    "CP02": Code(
        "each player has components of his own",
        "Of a kind declared `of player`, say how many `of each player`, or of one seat's own.",
    ),
    "CP03": Code("where components are at home", "Every component begins in a zone; one component on each spot."),
    "CP04": Code("too many components", "A ruleset has at most 5,000 different components, and 9,999 of each."),
    "TB01": Code("a row with a wrong number of columns", "A row has a cell for each key, then the value."),
    "TB02": Code("a table without a row", "A table says its value for every combination of its keys."),
    "TB03": Code("a row that stands twice", "Two rows for the same keys would contradict each other."),
    "TB04": Code("a cell of the wrong type", "The cell is no member of the type that its column has."),
    "TB05": Code("`otherwise` before other rows", "The row for all keys that have none of their own is the last one."),
    "TS01": Code("no title of a group", "What is drawn together stands under a short title, in quotes."),
    "TS02": Code(
        "a name that stands twice where the table is described",
        "A zone or a counter has one place in the order and belongs to one group; whatever is drawn has one picture.",
    ),
    "TS03": Code(
        "not a picture that a page may hold",
        "Pictures are PNG, JPEG or WebP by their content, with at most 4,096 pixels in each direction, and lie in the "
        "folder of the ruleset or below it, also where links lead. All of them have at most 5,000,000 bytes together.",
    ),
    "RD01": Code("a reading without one default", "Exactly one choice of a reading is the `default`."),
    "DF01": Code("the last case is `otherwise`", "Cases are tried in order; `otherwise` makes sure that one fits."),
    "DF02": Code(
        "definitions that grow too long",
        "A definition is written out wherever it is used, with all that it uses. One that uses another twice, which "
        "uses a third twice, doubles at every step. Use a counter or a procedure for what is needed often.",
    ),
    "DF03": Code(
        "nested too deeply",
        "Values, blocks and definitions stand within each other at most 70 levels deep; every case counts as a level. "
        "Give a part a name.",
    ),
    "DF04": Code(
        "too many cases", "Definitions, `if` and `depending on` have at most 50 cases; a `table` has as many as needed."
    ),
    "DP01": Code(
        "cases of what?", "`depending on` tells the members of a kind, board or list apart, or numbers, nothing else."
    ),
    "DT01": Code(
        "a data file that cannot be read",
        "The attributes of a kind come from a .toml, .csv or .json file in the folder of the ruleset, with one list of "
        "at most 5,000 rows.",
    ),
    "DT02": Code(
        "a column is missing", "Each row of a data file has a `name` and a value for every attribute of the kind."
    ),
    "DT03": Code("a value of the wrong type in a data file", "The value is none of those that the attribute can have."),
    "DT04": Code("a name twice in a data file", "Each row is one component or kind of components, with its own name."),
    "DT05": Code("attributes without a data file", "Attributes are columns of the file that `from` names."),
    "DI01": Code("too many dice", "At most 100 dice are rolled at once, each with at most 1,000 faces."),
    "DI02": Code("no dice", "Only dice have a highest number of their own, strike each other or are rolled again."),
    "DI03": Code("dice are no value", "A pool holds several dice: say what of them is meant."),
    "DI04": Code("other dice", "A pool holds dice that show its numbers; one die is rolled again, of its own pool."),
    "DI05": Code("no end of a sum", "Ties are struck from the highest or from the lowest number on."),
    "DI06": Code("dice chosen by fate", "Fate rolls dice; of those that lie there it takes one number that shows."),
    "DU02": Code("too many durations", "A counter is raised or lowered for at most twelve different durations."),
    "PA02": Code(
        "too many combinations of arguments",
        "An action is offered with every combination of its arguments; at most a million can be gone through.",
    ),
    "EF01": Code(
        "a text of effects that does not fit together",
        "Below `class NAME of KIND` stand its effects: `basic effect:` first, then `instead: NAME:`, `with NAME:`, "
        "`then you may NAME:`. A line `effects of KIND as ...` says how they are used, with a type that has a name for "
        "the basic effect and for each that comes with it.",
    ),
    "EF02": Code(
        "an argument of an effect that cannot be told later",
        "`target of NAME`, with the name of an effect, is a player, players, or one of a type with names. Effects at "
        "the same place in the texts of several components share what is noted, so it is of one type.",
    ),
    "TX01": Code(
        "a text that cannot be carried out",
        "Below `class NAME of KIND` stands `text:` and what it says, for who carries it out (`me`). An action says "
        "`carry out text of card`, of a component of a kind of which some have a text; a text carries out no other.",
    ),
    "PH01": Code(
        "phases that do not fit together",
        "The phases of a text are counted from 1, in their order. A line `phases of KIND as NAME(us: player, them: "
        "player) gives RESULT` says how the texts below the classes of a kind are carried out.",
    ),
    "PH02": Code(
        "a contest that means nothing here",
        "`a of X against b of Y` stands in the phases of a text, between the first two players among its parameters. "
        "A line `contests are DEFINITION against DEFINITION, won if DEFINITION` says what is compared, and how.",
    ),
    "PR01": Code(
        "a phrase that is no price",
        "`price is red, blue, can be paid if DEFINITION, paid by PROCEDURE` says once what a price is made of. Then "
        "`price of CARD` and `(1 red and 2 blue)` are prices.",
    ),
    "RF01": Code(
        "a place that nothing refills, or not in full",
        "`row: line of Card, open, at most 5, refilled from deck` says how many lie there and from where others come. "
        "`refilled by PROCEDURE` lets the rules do it; a procedure with one argument is told from what place of the "
        "line something was taken.",
    ),
    "RO01": Code(
        "no roll-off",
        "`each player rolls 1..6 as die, highest is starter, ties roll again` (or `p and q roll ...`) is between at "
        "least two players. What each has rolled is `die of p`: one name for one sort of dice.",
    ),
    "VB01": Code(
        "a phrase that does not fit its procedure",
        "`procedure hurt(q: player, points: 0..3), said as deal points damage to q`: the amount and the target are the "
        "two arguments, and no other procedure has this verb with this noun.",
    ),
    "PC01": Code(
        "cases of a procedure that do not fit together",
        "`procedure use(SWORD, p: player)` is a case of `use`: each names another component of one kind at the same "
        "place, and takes and gives otherwise the same.",
    ),
    "PA01": Code("too many arguments", "An action has at most 30 arguments; whoever acts has to name them all."),
    "DU01": Code("how long for whom?", "`for the next ...` and its like speak of the player who acts."),
    "EN01": Code("too many ends", "A ruleset has at most 40 ways to end, all `else as soon as` counted."),
    "TI01": Code(
        "a tie that nobody breaks", "A value that several may have needs a rule for ties, or a statement of its own."
    ),
    "TI02": Code(
        "too many rules for a tie", "A tie has at most five rules one after another: `ties: with the most X, then all`."
    ),
    "MV01": Code("from where?", "Where the rules do not show where a component lies, `move` says it."),
    "MV02": Code("to which spot?", "On slots a component lies on one spot."),
    "MV04": Code(
        "at most how many?", "`move at most 3 KIND from ZONE to ZONE` moves as many as lie there and find room."
    ),
    "MV03": Code("to the top or to the bottom?", "A pile has two ends, and it matters which."),
    "PL01": Code("only a pile is shuffled", "Bags have no order, lines and slots keep theirs."),
    "PL02": Code("shuffled into what?", "What lies somewhere is shuffled into a pile: say which."),
    "PL03": Code(
        "what lies at an end is not known",
        "`the top card of Z` is for lines, and for open piles that are never shuffled and that every card comes to by "
        "itself: of several that are laid at once, or that begin there, nobody says which is on top.",
    ),
    "SW01": Code(
        "what is exchanged does not fit",
        "Two places are exchanged if both are declared in the same form, for the same kinds and with the same room "
        "(`at every moment`, spots). A limit is tested after it.",
    ),
    "SW02": Code("only whole places are exchanged", "What lies on one spot, or at one end, is moved."),
    "PM01": Code(
        "a relation between parameters",
        "`such that C` says which values fit each other before a game begins: it speaks of parameters, readings and "
        "tables only.",
    ),
    "VR01": Code("this cannot be set", "Only counters change. Definitions, readings, parameters and givens do not."),
    "VR02": Code(
        "`it` in a start value", "A start value that differs by key calls the key `it`; there must be exactly one key."
    ),
    "VR03": Code(
        "what a log states cannot be `or none`",
        "A log may leave a `given` or a `parameter` open: then each of its values is looked at, so it is a number, a "
        "member of a type, or `yes or no`. Whether there is one at all is said apart: `given there_is_one: yes or no`.",
    ),
    "TG01": Code(
        "what happens together",
        "`together` is for values that are set, raised or lowered, and places that are swapped, at once.",
    ),
    "TG02": Code(
        "written twice at once",
        "Of two values for the same counter at the same moment neither is the last, nor of two swaps of one place.",
    ),
    "TG03": Code(
        "a loop in `together`",
        "It is written out round by round, so it runs through at most 100 members, and nothing comes first. Where not "
        "all members are meant, each round writes entries of its own member.",
    ),
    "OR01": Code("an order round the table", "Only players sit in order; other sources are gone through in their own."),
    "AC01": Code("who acts?", "A decision or a roll belongs to one player at a time."),
    "AC02": Code("how many does fate choose?", "Chance picks a fixed number; `up to` leaves the number to a player."),
    "CH01": Code(
        "several of what?",
        "Components, players, cells, names and the numbers of a range of at most 100 are chosen several at a time.",
    ),
    "AB01": Code(
        "`if able` with several at once",
        "Who can take nothing else passes. Of an action that takes several of something at once that is not tested. "
        "Offer an action beside it, which `needs` that nothing can be taken: the rules say then what that means "
        "(`spec/cookbook.md`, \"Cards of the table are taken by their sum\").",
    ),
    "LA01": Code("no argument of this", "`logged as LABEL(arg: NAME)` names arguments of the action it stands at."),
    "LK01": Code(
        "nothing to look at",
        "`p looks at hand of q`: p sees all that lies in a bag, what lies on one spot of a line or board, or the top "
        "card of a pile; what everybody sees is not looked at. What is turned up for all lies on one spot.",
    ),
    "LA02": Code(
        "one word for two things",
        "What a log calls an event, and the names of its arguments, say by themselves what they mean: the same sort of "
        "thing wherever they are used. Two choices `as X` from different things need different names.",
    ),
    "CM05": Code("too many secret choices", "At most 24 choices are made at the same moment: two by each of twelve."),
    "CM04": Code("one name for two secrets", "A name stands for choices from the same things wherever it is used."),
    "RV01": Code("nothing to reveal", "`reveal X` stands right after the `simultaneously` in which X was chosen."),
    "RV02": Code("half a secret", "What is chosen at the same time is revealed at the same time."),
    "RV03": Code("looked at too early", "`reveal X once C` looks at C before X is chosen: C is about something else."),
    "CM01": Code(
        "a commit by itself", "A secret choice is one of several made at once: put it inside `simultaneously`."
    ),
    "CM02": Code("what is done simultaneously", "Only choices are made at once; what follows from them comes after."),
    "CM03": Code("a secret choice that depends on a name", "What can be committed depends on the position alone."),
    "CM06": Code(
        "what fate decides at once",
        "`simultaneously` with `each player rolls ...` or `each player draws ...` is one line: `me` in it is each of "
        "them, and a log may tell them in any order.",
    ),
    "CM07": Code(
        "not at once",
        "What several roll or draw at once is told in any order, so one may not change what another gets: not how many "
        "cards, not where they lie in an order, not what a `when` or an end of the game tests in between.",
    ),
    "DR01": Code("where does the card go?", "A draw moves what is drawn: say to where."),
    "DR02": Code("in which order?", "What lies in a line lies in an order; several that come at once have none."),
    "GM01": Code("no `game` line", "The first line of a ruleset: its title, and for how many players it is."),
    "GM02": Code("a second `game` line", "A ruleset is one game; variants of it are options."),
    "GM03": Code("a number of players out of bounds", "1 to 12 players, the fewer first: `for 2..6 players`."),
    "GM04": Code("not one name for each seat", "If seats have names, each has one."),
    "GM05": Code("nothing is played", "After the set-up somebody must be asked something: `play` says who and what."),
    "AU01": Code(
        "`automatic` where not everybody can see what is possible",
        "A choice that goes unasked tells that it had one option only. So that may depend on nothing that lies hidden:"
        " only on open zones, and on hands of which everybody knows what came into them.",
    ),
    "TR01": Code(
        "a trigger that sets itself off",
        "What happens when something becomes true may not, in the end, make it become true again.",
    ),
    "TR02": Code(
        "too much that happens by itself",
        "Triggers and ends are tested behind every statement that can bring them about: at most 40 triggers, and not "
        "behind so many statements that the rules become many times as long.",
    ),
    "WN01": Code("in which order?", "Several are asked one after another: say who is first."),
    "OP01": Code(
        "too many options",
        "Rules are read once for every number of players, and once for every value of an option: at most 50 times.",
    ),
    "OP02": Code("an option for nobody", "`only for 2..3 players` names numbers of players that the game is for."),
    "SC01": Code("a second score", "There is one score of a player; make it a sum or cases."),
    "SN01": Code(
        "a scenario states something unknown", "`with NAME is VALUE` is for options, readings, parameters and givens."
    ),
    "SN02": Code("too many arguments", "The event has no further argument for this value."),
    "SN05": Code(
        "scenarios of too many kinds", "Scenarios use at most 50 different numbers of players and values of options."
    ),
    "SN03": Code("one position to start from", "`turn of WHO` and `at POINT` stand once in a scenario."),
    "SN04": Code(
        "what lies there?",
        "`given ZONE: A, 2 B, any 3 K` lists components: by name, so many of one, the first of a kind. `{A, B}` is a "
        "shuffled part of a pile, `none` is nothing.",
    ),
    "SN06": Code(
        "no such point",
        "`at POINT` names where the game stands when a scenario begins: a point at which somebody is asked and the "
        "rules rest. A point is called after the procedure or action in which it stands and what is done there "
        '(`day.attack`), or after a label of its own; where several ways lead to it, `at "toss.choose in toss.2"` '
        "says which. `referee show --points` lists them.",
    ),
    "AF01": Code(
        "a body that cannot be looked at in advance",
        "What is tested `afterwards` is tested before anybody acts, at the position that the body and its triggers "
        "would lead to. So they ask nobody, draw nothing, leave nothing to the table, and their loops have limits.",
    ),
    "AF02": Code(
        "whether somebody can choose several together",
        "`p can NAME` tries one value of each argument after the other. Of an argument that is several at once it is "
        "worked out only whether enough of them are what `every c in NAME: C` asks of each, so no other condition of "
        "the action may look at which they are.",
    ),
    "AF03": Code(
        "a question about itself",
        "What `p can NAME` and `afterwards` ask may lead to more such questions, but never back to the first.",
    ),
    "AF04": Code(
        "if nothing else can be chosen",
        "`needs \"...\", if able: C` and `forbidden \"...\", unless forced: C` look at all other values of the "
        "arguments that C speaks of, so it speaks of one, and none of them is several at once.",
    ),
    "HI01": Code(
        "what does not count for a position",
        "What counts is seen by everybody and has values that can be told apart: zones but for piles, counters, "
        "conditions, numbers, members and sets. There is room for as many positions as the line says.",
    ),
    "HI02": Code("a second `position is`", "It is said once, for all rules, what counts of a position."),
    "HI03": Code(
        "which position?", "`occurrences of position` asks how often the present one has come about; `position is ...` "
        "says what of it counts."
    ),
    "RS01": Code(
        "there is no such ruleset",
        "A ruleset is named as it is bundled, or given by the path of a folder or of a .rules file.",
    ),
    "RS02": Code("a folder without rules", "The rules of a game are the files *.rules in its folder."),
    "SH01": Code("a wrong number of players", "The ruleset says for how many players it is."),
    "SH02": Code("no such option", "The ruleset does not declare an option of this name."),
    "SH03": Code("no such value of an option", "An option takes one of the values that it lists."),
    "SH04": Code("an option for others", "The option is only for other numbers of players."),
    "SH05": Code(
        "a card pool that does not fit",
        "Rows may stand in the place of a data file only for a kind that has one, with the columns that it declares.",
    ),
    "AK01": Code(
        "not the name of a finding",
        "What `referee review` finds has a name of two parts, such as dead/action.pass: the class, a stroke, and what "
        "it is about. The report has it in full.",
    ),
    "AK02": Code("a finding is accepted twice", "One `accept` for each finding; it may name several."),
    "AK03": Code(
        "why is it accepted?",
        "An `accept` ends with a reason, for whoever reads the rules: because \"the table decides such things\".",
    ),
    "AL01": Code(
        "alike to what?",
        "`alike players`, `alike Suit` or `alike red, blue` says what the rules are to treat alike: all players, all "
        "members of a type or kind, or some of one. `referee review` looks whether they do.",
    ),
    "AL02": Code("said to be alike twice", "One `alike` for each group."),
    "SQ01": Code(
        "not the name of a question",
        "What `referee review --questions` asks has a name of three parts, such as question/action.lay/must.may: that "
        "it is a question, where it stands, and what is asked with the other answer. Without the last word it is "
        "everything that is asked there about the same.",
    ),
    "SQ02": Code("a question is answered twice", "One `settled` for each question; it may cite several statements."),
    "SQ03": Code(
        "words that the statement does not have",
        "`settled` quotes the words that answer the question, as they stand in the wording of a statement that it "
        "cites (`statements.toml`), or in the text of the rulebook: `referee review --questions --rulebook FILE` looks "
        "there. Without them the question is not answered.",
    ),
    "SQ04": Code(
        "an answer without words",
        "A statement answers a question by words of it, which stand in quotes behind what is cited: "
        "`settled \"question/play.lay/must.may\" by [RO-12] \"must\"`. Only an assumption (`assume NAME \"...\"`) says "
        "one thing, so its name is enough: `settled \"question/play.lay/must.may\" by [NAME]`.",
    ),
    "AS01": Code(
        "a name that cites something else",
        "Lines cite statements and assumptions in the same brackets, so no assumption is called as a statement is, or "
        "`inferred`.",
    ),
    "AS02": Code(
        "what is assumed?", "`assume NAME \"SENTENCE\"` says in words what the rules take for granted; verdicts say it."
    ),
    "AS03": Code(
        "an assumption about no statement",
        "Behind `assume NAME \"SENTENCE\"` stand the statements of the rulebook that it completes or explains, if any.",
    ),
    "AS04": Code(
        "an assumption that no line rests on",
        "Lines that would be others without it cite an assumption by its name. One that no line cites never shows in a "
        "verdict: take it out, or cite it.",
    ),
    "ID01": Code(
        "a declaration of which no rule speaks",
        "A zone, a counter, a reading, a parameter or a fact from outside that stands in no rule changes no game. It "
        "is left over, or the rule that was to speak of it is missing. Scenarios, and how the table is drawn, are no "
        "rules.",
    ),
    "ST01": Code("the statements cannot be read", "`statements.toml` is a TOML file in UTF-8."),
    "ST02": Code("statements in the wrong form", "Each statement is a table `[statement.ID]`."),
    "ST04": Code("a statement of unknown status", "A statement is `encoded`, `open` or `not a rule`."),
    "ST05": Code(
        "why is this no rule?",
        "A statement that is no rule has a `reason`: heading, aim, example, component list, flavour, not in our copy, "
        "or `duplicate of ID`; any other has none.",
    ),
    "ST06": Code("an example or not?", "`example` is true or false: does the statement show what comes of others?"),
    "ST07": Code(
        "what a statement settles",
        "`settles` is a table: questions that are asked of the rulebook, each with the few words that answer it.",
    ),
    "ST03": Code(
        "a statement without wording", "Each statement has a `text`: what the rulebook says there, in our words."
    ),
    "GR01": Code(
        "connected by what?",
        "A group goes from each member to those next to it: to neighbours on a board or map, `by sides`, `by corners` "
        "or `by all`, or, of any type, `along` a relation that is declared for two of it.",
    ),
    "SP01": Code(
        "split into what?",
        "What lies in a place is split into sets that `define meld of several Card s = C` says yes to: a definition of "
        "several of one type and of nothing else. Of what is left each time, the lowest or highest value is taken.",
    ),
    "SP02": Code(
        "sets that are not known before a game",
        "Which sets a definition means is worked out when the rules are loaded, so it speaks of the set, of columns "
        "and tables, and of nothing that changes in a game.",
    ),
    "SP03": Code(
        "too many sets",
        "The sets that a definition means are listed when the rules are loaded, at most 10,000 of them. Conditions "
        "that hold for any two members (`every c in s: every d in s: ...`), and how many there are, make the search "
        "short.",
    ),
    "SP04": Code(
        "sets of components that are alike",
        "A component is in a set or not. Of what is split into sets each component is there once: give it a name of "
        "its own.",
    ),
    "TK01": Code(
        "what is a trick?",
        "`trick is laid from leader, trumps are clubs` says it once, for all rules: the zone that each player lays a "
        "card to, who leads, and what is trumps, if anything is; `card follows suit`, `taker of trick` are known then. "
        "The zone is declared by it if there is a pack of cards, or only one kind.",
    ),
    "BI01": Code(
        "what is a bid higher than?",
        "`action bid(many: 1..30, face: 1..6), higher than number_bid, then face_bid, by bidder`: what stands behind "
        "`higher than` are counters, the first for the first argument, the next for the next; they keep the last bid.",
    ),
    "BI02": Code(
        "an auction without bids",
        "`auction of bid, double from dealer` begins without a bid and is over when all have passed but who has bid. "
        "So one of its actions is a bid that says who: `action bid(coins: 1..20), higher than price, by buyer`.",
    ),
    "SD01": Code(
        "partners of how many?",
        "With four players `partner of p` is who sits opposite, and `side of p` are both. With another number rules "
        "define themselves who belongs together.",
    ),
    "MP01": Code("a cell in two rooms", "Each cell of a map is in exactly one room."),
    "MP02": Code("no two cells side by side", "Doors and walls stand between two cells that lie side by side."),
    "MP03": Code("only cells of a map", "Sight, and straight lines that look past walls, are for the cells of a map."),
}
