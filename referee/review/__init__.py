"""What rules leave open, forget or contradict, each with a game that shows it.

Steps: `subject` gathers games and positions, `detectors` lists the checks in their order, `review` runs them for every
number of players; `checks` has a module for each class of finding.
"""
