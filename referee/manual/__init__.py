"""What people read about a ruleset: which statements of the rulebook it encodes, and where."""
