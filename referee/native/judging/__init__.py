"""Logs followed by machine code: many events in one call, which are numbers into a table of what they say."""
