"""What a game is made of: values, positions, events, settings, views, and the log format."""
