"""Other answers about counters that say where somebody stands on a track, and about rows."""
