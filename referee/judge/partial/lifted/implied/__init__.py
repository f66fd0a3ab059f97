"""What follows after a line from the positions that are left: what is known of all, and which fillings are gone."""
