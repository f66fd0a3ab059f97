"""Other answers about counters that say where somebody stands on a track, about rows, and about spots of a board."""
