"""Games played to find something: by strategies, toward a place in the rules, exhaustively, made short afterwards.

Read `strategies` and `game_samples`; then `guided_search`, `state_space`, `shrinking`, `divergence`.
"""
