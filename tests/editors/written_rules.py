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
