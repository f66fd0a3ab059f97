"""What can be found out about rules: proofs over all games, games that refute, what the rulebook leaves open."""
