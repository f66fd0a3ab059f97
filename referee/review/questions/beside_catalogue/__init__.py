"""Questions that no answer of the catalogue is tried for, a module each.

`seen_places` and `seen_passing` ask who sees what lies somewhere or passes, `points_left_open` what happens where the
table would rule or a game stops, `level_players` who has won where nothing decides any more, and `taken_for_granted`
whether what no words of the rulebook say is meant.
"""
