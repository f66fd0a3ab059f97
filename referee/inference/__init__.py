"""Which readings, rulings and parameters explain recorded games, which contradict each other, what would decide."""
