"""Other answers about players: who is meant, who begins, who goes through what when."""
