"""Rules of a heap from which two players take stones in turn: `stones` in the heap, a counter up to `most`."""

HEAP = """game "Heap" for 2 players first and second

kind Stone

components
  {stones} Stone in heap

zones
  heap: bag of Stone, open
  taken_by of player: bag of Stone, open

counters
  taken: 0..{most}

play
  turns from first, to the left
    turn player must take

action take
  move Stone from heap to taken_by of me
  raise taken by 1
  if heap is empty: me wins

always taken_are_counted: taken + number of heap = {stones}
always few_are_taken: taken <= 3
"""
