"""Games played to find something: by strategies, toward a place, exhaustively, made short afterwards; ways counted.

Read `strategies` and `game_samples`; then `guided_search`, `state_space`, `shrinking`, `divergence`; `game_counting`.
"""
