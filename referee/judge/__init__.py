"""Judging recorded games: from a log and the rules to a verdict."""
