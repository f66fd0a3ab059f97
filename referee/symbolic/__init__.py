"""Flow as formulas: what holds for every game, and games that show what does not."""
