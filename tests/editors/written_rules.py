"""Rules that tests of the editor write on."""

STICKS = '''# Seven sticks; whoever takes the last one loses.

game "Sticks" for 2 players first and second

counters
  taken: 0..7 starts 0

play
  turns from first, to the left
    turn player must take

action take(sticks: 1..3)
  needs "so many are left": taken + sticks <= 7
  raise taken by sticks
  if taken = 7: opponent wins

scenario "two take all"
  first take 3; second take 3
  first may not take 2: "so many are left"
  first take 1
  expect second wins
'''

CARDS = '''# Cards: who shows more has more.

game "Cards" for 2 players first and second

kind Card is low < mid < high

components
  1 of each Card in deck

zones
  deck: pile of Card, face down
  hand of player: bag of Card, seen by owner
  table_: bag of Card, open

# What somebody has.
counters
  points of player: 0..3 starts 0                                           [R-2]

setup
  shuffle deck
  for each p in players: deal 1 from deck to hand of p

play
  first must play_card
  second must play_card
  the p in players with the highest points of p wins

action play_card(card: Card in hand of me)
  move card to table_
  raise points of me by worth of card                                       [R-2]

define worth of Card c: 1..3
  when c is low: 1
  when c is mid: 2
  otherwise: 3

scenario "high wins"                                                        [R-1]
  fate deal to first card high; fate deal to second card mid
  first play_card card high; second play_card card mid
  expect first wins

scenario "low loses"
  fate deal to first card low; fate deal to second card mid
  first play_card card low; second play_card card mid
  expect second wins
'''

STATEMENTS = '''[statement.R-1]
text = "Each player has one card."

[statement.R-2]
text = "Who plays a card has its worth."
'''

LOG = '''{"schema": "referee/log/1", "ruleset": "sticks", "players": ["ana", "ben"]}
{"by": "ana", "do": "take", "with": {"sticks": 3}}
{"by": "ben", "do": "take", "with": {"sticks": 3}}
{"by": "ana", "do": "take", "with": {"sticks": 2}}
'''
