"""What one player knows of a recorded game: his log, with a hole for whatever he did not see."""
