"""Several records of one game: merged line by line, or the lines that contradict each other."""
