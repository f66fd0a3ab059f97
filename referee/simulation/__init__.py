"""Games played to find something: by strategies, toward a place, exhaustively, made short afterwards; ways counted.

Read `strategies` and `game_samples`; then `guided_search`, `state_space`, `shrinking`, `divergence`; then
`game_counting`, `game_shares`, `every_position`.
"""
