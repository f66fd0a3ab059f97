"""Follows games in which something is hidden, without saying what it is until a rule asks."""
