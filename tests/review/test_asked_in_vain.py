"""Other answers that nobody asks for are left out.

They are what can be noticed nowhere, what somebody must have to give it, what a sentence tells its reader to do; and
one that leaves no rules that could be played takes none of the others with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from referee.analysis.rule_places import Places
from referee.api.rule_sources import RulesSource
from referee.api.runs.witness_games import load_for
from referee.core.ruleset import Core
from referee.core.types import Value
from referee.flow.lowering import lower
from referee.frontend.loading.assembly import build, parsed
from referee.frontend.loading.ruleset_files import find
from referee.frontend.names.other_answers import gone_by
from referee.frontend.names.shapes import Shape
from referee.game.setting import Setting
from referee.interpreter.playouts import play_out
from referee.interpreter.walker import Walker
from referee.other_rules.components.newcomers import BEFORE
from referee.other_rules.every_other_rule import build_with_others
from referee.review.questions.all_answers.answer_counts import NO_RULES
from referee.review.questions.noise.settling import Settling
from referee.review.questions.sentence_words import sentence_words
from referee.review.review import review
from referee.review.subject import ReviewEffort
from tests.changed_text import changed

MARKET = """\
game "Market" for 2 players ana and ben

kind Good is SALT, WOOL, {kinds}

components
  2 of each Good in stock

zones
  stock: pile of Good, face down
  row: line of Good, open, at most 3, refilled from stock
  house of player: bag of Good, open
  sold: bag of Good, open

play
  for each p in players, as listed: deal 2 from stock to house of p
  turns from ana, to the left, until stock is empty
    turn player must take one of buy, sell                                        [S-1]
  the p in players with the most number of house of p, ties: with the fewest sold_by, then all wins  [S-4]

counters
  sold_by of player: 0..60

action buy(good: Good in row)
  move good to house of me                                                      [S-2]

action sell
  needs "he has salt": my house has SALT                                        [S-3]
  move SALT from house of me to sold
  raise sold_by of me by 1
"""


def reasons(folder: Path, rules: str, **texts: str) -> dict[str, str]:
    """The other answers of some rules, by dimension and name, with why they are no question (empty: they are one)."""
    folder.mkdir()
    (folder / "game.rules").write_text(rules, encoding="utf-8")
    (folder / "statements.toml").write_text("".join(
        f'[statement.{name.replace("_", "-")}]\nline = 1\ntext = "{text}"\n' for name, text in texts.items()),
        encoding="utf-8")
    loaded = parsed(find(folder))
    core, others = build_with_others(loaded, Shape())
    settling = Settling(core, Places(loaded), sentence_words(loaded.statements))
    return {f"{one.dimension}.{one.name}": settling.why(one) for one in others}


def market(kinds: str = "CLAY, TIN") -> str:
    return MARKET.format(kinds=kinds)


SENTENCES = {"S_1": "The player in turn trades.", "S_2": "The buyer gets the good.", "S_3": "Salt is sold.",
             "S_4": "On a tie, who has sold less is the winner."}


def test_whether_somebody_needs_what_he_gives_away(tmp_path: Path) -> None:
    assert "guard.absent" not in reasons(tmp_path / "own", market(), **SENTENCES)
    other = market().replace("move SALT from", "move WOOL from")
    assert "guard.absent" not in reasons(tmp_path / "zone", other, **SENTENCES)
    kept = market().replace("  move SALT from house of me to sold\n", "")
    assert reasons(tmp_path / "kept", kept, **SENTENCES | {"S_3": "Goods are sold."})["guard.absent"] == ""


def test_whether_a_condition_is_about_a_way_out_that_nobody_has_written(tmp_path: Path) -> None:
    """That one may do nothing at all is another answer to the same sentence, and no action that it speaks of."""
    same = market().replace("[S-3]", "[S-1]").replace("  move SALT from house of me to sold\n", "")
    found = reasons(tmp_path / "same", same, **SENTENCES)
    assert "guard.absent" in found
    assert "guard.not_here" not in found


def test_at_which_end_of_a_row_of_which_no_rule_asks_a_place(tmp_path: Path) -> None:
    assert "rows.at_the_other_end" not in reasons(tmp_path / "plain", market(), **SENTENCES)
    asked = "  if row at 1 is SALT: raise sold_by of me by 1\n"
    read = market().replace("  move good to house of me", f"{asked}  move good to house of me")
    assert reasons(tmp_path / "read", read, **SENTENCES)["rows.at_the_other_end"] == ""


def test_whether_the_reader_must_do_what_he_is_told_to(tmp_path: Path) -> None:
    alone = market().replace("must take one of buy, sell", "must buy")
    assert reasons(tmp_path / "told", alone, **SENTENCES)["must.may"] == ""
    told = SENTENCES | {"S_1": "On your turn, take a good there."}
    assert reasons(tmp_path / "telling", alone, **told)["must.may"] == "settled by a word"
    assert reasons(tmp_path / "several", market(), **told)["must.may_pass"] == ""
    one = told | {"S_1": "On your turn, do exactly one of these."}
    assert reasons(tmp_path / "exactly", market(), **one)["must.may_pass"] == "settled by a word"
    passing = told | {"S_3": "Salt is sold. Who cannot trade passes."}
    assert reasons(tmp_path / "passing", market(), **passing)["must.may_pass"] == "settled by a word"


def test_what_decides_a_tie_does_not_say_what_if_that_is_level_too(tmp_path: Path) -> None:
    assert reasons(tmp_path / "first", market(), **SENTENCES)["who.nobody_of_several"] == ""
    both = SENTENCES["S_4"][:-1] + "; if that is also equal, they share the market."
    found = reasons(tmp_path / "both", market(), **SENTENCES | {"S_4": both})
    assert found["who.nobody_of_several"] == "settled by a word"


def test_what_becomes_of_the_things_of_a_player_who_only_sits_out(tmp_path: Path) -> None:
    rules = (Path(__file__).parent / "questions" / "out_goes_away" / "game.rules").read_text(encoding="utf-8")
    texts = {"S_1": "Who is struck has a life less."}
    assert reasons(tmp_path / "out", rules, **texts)["out.goes_away"] == ""
    back = changed(rules, {"  raise coins_taken by 1\n": "  raise coins_taken by 1\n  set lives of me to 2\n"})
    assert back != rules
    assert "out.goes_away" not in reasons(tmp_path / "back", back, **texts)


def test_who_passes_where_the_rules_offer_it_is_said_by_them(tmp_path: Path) -> None:
    offered = market().replace("one of buy, sell", "one of buy, sell, pass")
    offered += '\naction pass\n  needs "there is little left": number of stock < 2\n'
    texts = SENTENCES | {"S_1": "On your turn, take a good there."}
    assert reasons(tmp_path / "offered", offered, **texts)["must.may_pass"] == "clear by itself"
    other = offered.replace("sell, pass", "sell, wait").replace("action pass", "action wait")
    assert reasons(tmp_path / "other", other, **texts)["must.may_pass"] == ""


def test_where_something_goes_is_asked_only_if_a_sentence_speaks_of_it(tmp_path: Path) -> None:
    rules = (Path(__file__).parent / "questions" / "where_to_elsewhere" / "game.rules").read_text(encoding="utf-8")
    assert reasons(tmp_path / "cited", rules, S_1="A card that was used counts no more.")["where_to.elsewhere"] == ""
    assert reasons(tmp_path / "bare", changed(rules, {"[S-1]": ""}))["where_to.elsewhere"] == "clear by itself"


AGAIN = """\
game "Back and forth" for 2 players ana and ben

counters
  place of player: 0..2

position is place, at most 40

play
  turns from ana, to the left
    turn player must step

action step(to: 0..2)
  set place of me to to
  if occurrences of position = 2: me wins
  if every p in players: place of p = to: others win
"""


def test_of_what_a_position_is_made_nobody_asks_whose_it_is(tmp_path: Path) -> None:
    rules = (tmp_path / "game.rules")
    rules.write_text(AGAIN, encoding="utf-8")
    loaded = parsed(find(tmp_path))
    core, others = build_with_others(loaded, Shape())
    places, settling = Places(loaded), Settling(core, Places(loaded), sentence_words({}))
    found = {places.text(one.origins[0].span): settling.why(one) for one in others if one.dimension == "himself"}
    assert found.pop("place") == "clear by itself"
    assert found == {"every p in players: place of p = to": "", "others": ""}


ROAD = """\
game "Road" for 2 players ana and ben

counters
  place of player: 0..9

play
  turns from ana, to the left, until some player p where place of p = 9
    turn player must take one of walk, ride
  ana wins

action walk(to: 0..9), logged as go
  needs "it is not far": to <= place of me + 1
  needs "nobody is met", afterwards: place of ana != place of ben or to = 9
  set place of me to to

action ride(to: 0..9), logged as go
  needs "it is farther": to > place of me{OTHER}
  set place of me to to
"""


def test_what_has_to_be_so_after_one_action_is_not_asked_of_another(tmp_path: Path) -> None:
    also = '\n  needs "nobody is met", afterwards: place of ana != place of ben or to = 9'
    for number, other in enumerate(("", also)):
        rules = tmp_path / f"{number}.rules"
        rules.write_text(ROAD.replace("{OTHER}", other), encoding="utf-8")
        _, others = build_with_others(parsed(find(rules)), Shape())
        assert [dict(one.said)["label"] for one in others if one.name == "there_too"] == [
            "it is not far", "it is farther"]  # fmt: skip


WON = """\
game "Fill" for 2 players ana and ben

kind Mark of player

board square: columns a..b, rows 1..2

components
  4 Mark of each player in supply of owner

zones
  supply of player: bag of Mark, open
  grid: slots of Mark on square, open

counters
  points of player: 0..9
  best: 0..9

play
  turns from ana, to the left, until grid is full
    turn player must lay
  LINE

action lay(cell: square)
  needs "LABEL": grid at cell is empty
  move Mark of me from supply of me to grid at cell
  raise points of me by row of cell
  if points of me > best: set best to points of me

define ahead of player p = every q in players: points of p >= points of q
"""


def ends_with(folder: Path, line: str, label: str = "it can be") -> dict[str, str]:
    return reasons(folder, WON.replace("LINE", line).replace("LABEL", label))


def test_who_wins_by_what_is_so_of_himself_alone_is_level_with_nobody(tmp_path: Path) -> None:
    for number, line in enumerate(("winners are players where points of it > 2", "others than ana win",
                                   "winners are players where points of it > number of supply of it")):  # fmt: skip
        assert ends_with(tmp_path / f"own{number}", line)["who.nobody_of_several"] == "clear by itself"
    for number, line in enumerate(("the p in players with the most points, ties: all wins",
                                   "winners are players where ahead of it",
                                   "winners are players where points of it = best")):  # fmt: skip
        assert ends_with(tmp_path / f"most{number}", line)["who.nobody_of_several"] == ""


def test_a_condition_of_rules_without_a_rulebook_says_what_it_is_about(tmp_path: Path) -> None:
    line = "the p in players with the most points wins"
    assert ends_with(tmp_path / "silent", line)["taken_place.replaced"] == ""
    assert ends_with(tmp_path / "free", line, "the cell is free")["taken_place.replaced"] == "settled by a word"
    rules = WON.replace("LINE", line).replace("LABEL", "the cell is free")
    cited = changed(rules, {"cell is empty\n": "cell is empty  [S-1]\n"})
    found = reasons(tmp_path / "cited", cited, S_1="A mark is laid.")
    assert found["taken_place.replaced"] == ""


NIM = """\
game "Nim" for 2 players ana and ben

counters
  taken: 0..7

play
  turns from ana, until taken >= 7{cites}
    turn player must take
  {end}

action take(number: 1..2)
  needs "so many are left": taken + number <= 7
  raise taken by number
"""


def who_begins(folder: Path, cites: str = "", end: str = "turn player wins", **texts: str) -> str | None:
    """Why it is no question who begins; empty if it is one."""
    return reasons(folder, NIM.format(cites=cites, end=end), **texts).get("turn_order.the_next_begins")


def test_who_begins(tmp_path: Path) -> None:
    sticks = "They take sticks by turns, who takes the last one wins."
    assert who_begins(tmp_path / "rules alone") == ""
    assert who_begins(tmp_path / "told apart", end="ben wins") == "clear by itself"
    assert who_begins(tmp_path / "nothing cited", S_1=sticks) == ""
    assert who_begins(tmp_path / "cited", "  [S-1]", S_1=sticks) == ""
    assert who_begins(tmp_path / "told apart, with a rulebook", end="ben wins", S_1=sticks) == ""
    youngest = "The youngest player begins the game."
    assert who_begins(tmp_path / "said elsewhere", "  [S-1]", S_1=sticks, S_2=youngest) == "settled by a word"
    assert who_begins(tmp_path / "said there", "  [S-2]", S_1=sticks, S_2=youngest) == "settled by a word"


def test_in_which_order_cards_are_dealt_is_not_who_begins(tmp_path: Path) -> None:
    all_ = market().replace("for each p in players, as listed: deal 2 from stock to house of p",
                            "deal 2 from stock to house of each player")
    alone = changed(all_, {"turns from ana, to the left, until stock is empty": "rounds n from 1 to 2"})
    dealt = changed(alone, {"turn player must": "ben must"})
    assert "turn_order.the_next_begins" not in reasons(tmp_path / "dealt", dealt, **SENTENCES)
    asked = changed(dealt, {"  rounds n": "  for each p in players, as listed: p must buy\n  rounds n"})
    assert "turn_order.the_next_begins" in reasons(tmp_path / "asked", asked, **SENTENCES)


STICKS = """\
game "Sticks" for 2 players ana and ben

counters
  taken: 0..9 starts 0
  moved: yes or no

play
  turns from ana, to the left, until taken >= 7
    set moved to no
    if turn player can take
      set moved to no                                                             [S-1]
      repeat until moved                                                          [S-1]
        turn player must take one of take, wait                                   [S-2]
    else
      turn player must wait
  ana wins

action take(number: 1..2)
  needs "one a turn": not moved                                                   [S-1]
  needs "so many are left": taken + number <= 7
  raise taken by number
  set moved to yes
  if taken = 7: me wins                                                           [S-3]

action wait
  set moved to yes
"""


def test_an_answer_that_leaves_no_rules_is_told_and_the_others_are_tried(tmp_path: Path) -> None:
    (tmp_path / "game.rules").write_text(STICKS, encoding="utf-8")
    (tmp_path / "statements.toml").write_text(
        '[statement.S-1]\nline = 1\ntext = "Sticks are taken further."\n[statement.S-2]\nline = 2\ntext = "Some go."\n'
        '[statement.S-3]\nline = 3\ntext = "Who takes the last one has it."\n'
        '[statement.S-4]\nline = 4\ntext = "The youngest player begins."\n',
        encoding="utf-8")
    loaded = parsed(find(tmp_path))
    found = review(loaded, load_for(RulesSource(str(tmp_path))), [Shape()], ReviewEffort(games=4, events=40), None,
                   only=["question"])
    told = {what: int(number) for one in found.findings for number, what in re.findall(r"(\d+) ([^;]+)", one.message)}
    _, others = build_with_others(loaded, Shape())
    assert told[NO_RULES] == 1
    assert sum(told.values()) == len(others)


MARKS = """\
game "Marks" for 2 players first and second

counters
  strength of player: 0..6 starts 0

play
  turns from first, to the left, until strength of second = 6
    turn player must grow
  first wins

action grow(number: 1..3)
  raise strength of me by number
  if strength of me {reached}
    set strength of me to 0                                                       [S-1]
"""


def test_what_is_more_than_nothing_has_passed_no_mark(tmp_path: Path) -> None:
    text = {"S_1": "Marks are counted."}
    assert reasons(tmp_path / "mark", MARKS.format(reached=">= 4"), **text)["surplus.carried_over"] == ""
    assert "surplus.carried_over" not in reasons(tmp_path / "some", MARKS.format(reached="> 0"), **text)


TRACK = """\
game "Track" for 2 players ana and ben

counters
  place of player: 0..40
  sunny: 0..40 starts 4
  sleeps of player: yes or no

play
  turns from ana, to the left, until some player p where place of p >= 30
    if sleeps of turn player: turn player must snore                              [S-1]
    else: turn player must go                                                     [S-2]
  ana wins

action snore
  set sleeps of me to no                                                          [S-1]

action go(steps: 1..4)                                                            [S-2]
  let free = highest of s in 0..40 where s <= place of me + steps and not taken(s)  [S-3]
  set place of me to free                                                         [S-2]
  set sleeps of me to in_the_sun(me)                                              [S-4]

define taken of 0..40 s = s > 0 and (some player p where place of p = s)          [S-3]

define in_the_sun of player p = place of p >= sunny and place of p <= sunny + 3   [S-4]
"""


def test_bounds_of_what_is_looked_for_and_of_ranges_and_the_only_thing_to_do(tmp_path: Path) -> None:
    (tmp_path / "game.rules").write_text(TRACK, encoding="utf-8")
    texts = ("A sleeper is out for a turn.", "The others go on.", "Nobody goes where another is.",
             "On the sunny place and up to three places beyond it one falls asleep.")  # fmt: skip
    (tmp_path / "statements.toml").write_text("".join(
        f'[statement.S-{number}]\nline = {number}\ntext = "{text}"\n' for number, text in enumerate(texts, 1)),
        encoding="utf-8")
    loaded = parsed(find(tmp_path))
    places = Places(loaded)
    settling = Settling(build(loaded, Shape()).core, places, sentence_words(loaded.statements))
    _, others = build_with_others(loaded, Shape())
    why = {(one.name, places.text(one.origins[0].span)): settling.why(one) for one in others}
    assert why["may", "turn player must snore"] == why["equal_fails", "s <= place of me + steps"] == "clear by itself"
    assert why["equal_fails", "place of p >= sunny"] == "settled by a number"
    assert why["may", "turn player must go"] == ""


STEPS = """\
game "Steps" for 2 players ana and ben

counters
  place of player: 0..40
  purse of player: 0..40

play
  turns from ana, to the left, until some player p where place of p >= 30
    turn player must go
  ana wins

action go
  raise place of me by 1 + purse of me, not above 40                              [S-1]
  raise purse of me by 1, not above 3                                             [S-2]
"""


def test_steps_that_are_listed_have_their_order(tmp_path: Path) -> None:
    (tmp_path / "game.rules").write_text(STEPS, encoding="utf-8")
    why = []
    for second in (2, 4):
        (tmp_path / "statements.toml").write_text(
            f'[statement.S-1]\nline = 1\ntext = "Go on."\n[statement.S-2]\nline = {second}\ntext = "Earn a coin."\n',
            encoding="utf-8")
        loaded = parsed(find(tmp_path))
        core, others = build_with_others(loaded, Shape())
        settling = Settling(core, Places(loaded), sentence_words(loaded.statements))
        why += [settling.why(one) for one in others if one.name == "the_other_first"]
    assert why == ["settled by a word", ""]


BOATS = """\
game "Boats" for 2 players ana and ben

kind Boat is RED, BLUE, GREEN, WHITE, BLACK, BROWN

components
  1 of each Boat in sea

zones
  sea: bag of Boat, open
  port of player: bag of Boat, open
  wrecks: bag of Boat, open

play
  turns from ana, to the left, until number of sea < 2
    turn player must land
    if number of port of turn player > 1: turn player must scrap
  ana wins

action land(boats: up to 2 Boat in sea)
  move boats to port of me

action scrap(boat: Boat in my port)                                         [S-1]
  move boat to wrecks
"""


def test_of_several_that_have_come_at_once_each_may_be_what_is_left_out(tmp_path: Path) -> None:
    statement = '[statement.S-1]\nline = 1\ntext = "One is scrapped."\n'
    (tmp_path / "statements.toml").write_text(statement, encoding="utf-8")
    (tmp_path / "game.rules").write_text(BOATS, encoding="utf-8")
    core, others = build_with_others(parsed(find(tmp_path)), Shape())
    (before,) = (one for one in others if one.name == BEFORE)
    assert just_landed(core) > 0
    assert just_landed(gone_by(core, before)) == 0


def just_landed(core: Core) -> int:
    """How many boats were scrapped, in some games by lot, that had landed in the same turn."""
    walker = Walker(lower(core))
    played = [play_out(walker, Setting(("ana", "ben")), seed).events for seed in range(20)]
    return sum(one.label == "land" and later.label == "scrap" and later.args[0][1] in set(walk_values(one.args[0][1]))
               for events in played for one, later in pairwise(events))


def walk_values(value: Value) -> Iterator[Value]:
    """The members of what was chosen."""
    yield from value if isinstance(value, tuple) else (value,)


BELLS = """\
game "Bells" for 2 players ana and ben

kind Bell

components
  9 Bell in yard

zones
  yard: bag of Bell, open
  tower of player: bag of Bell, open

counters
  evening: yes or no
  last_ringer: player
  steps of player: 0..8 starts 0

play
  turns from ana, to the left, until evening
    turn player must ring
    if evening: set last_ringer to turn player                                    [S-2]
  the p in players with the most number of tower of p, ties: all wins

when yard is empty: set evening to yes                                            [S-1]

action ring(number: 1..3)
  move at most (number) Bell from yard to tower of me
  raise steps of me by number, not above 8                                        [S-3]
{more}"""
RINGING = {"S_1": "When the yard is empty it is evening.", "S_2": "Who has rung then is the last.",
           "S_3": "The ringer climbs as many steps."}


def test_a_flag_that_is_read_when_the_turn_is_over_is_not_asked_when_it_is_set(tmp_path: Path) -> None:
    plain = reasons(tmp_path / "plain", BELLS.format(more=""), **RINGING)
    assert plain["when.end_of_turn"] == plain["when.after_the_action"] == "clear by itself"
    at_once = BELLS.format(more='  if evening: lower steps of me by 1, not below 0\n')
    assert not reasons(tmp_path / "read", at_once, **RINGING)["when.end_of_turn"]


def test_what_only_notes_that_a_supply_is_empty_fills_nothing(tmp_path: Path) -> None:
    assert "run_dry.when_needed" not in reasons(tmp_path / "noted", BELLS.format(more=""), **RINGING)


def test_whose_turn_it_is_when_something_happens_is_noted_to_be_known_later(tmp_path: Path) -> None:
    rules = BELLS.format(more="\naction idle\n  needs \"he is the last\": last_ringer is me\n")
    assert "fact.each_time" not in reasons(tmp_path / "noted", rules, **RINGING)


def test_a_sentence_about_one_limit_settles_all_lines_with_that_limit(tmp_path: Path) -> None:
    rules = BELLS.format(more="  if number = 3: raise steps of me by 1, not above 8         [S-4]\n")
    thrice = "Who rings thrice climbs one more"
    assert not reasons(tmp_path / "open", rules, **RINGING, S_4=f"{thrice}.")["surplus.not_at_all"]
    said = reasons(tmp_path / "said", rules, **RINGING, S_4=f"{thrice}, and no exact number is needed.")
    assert said["surplus.not_at_all"] == "settled by a word"
