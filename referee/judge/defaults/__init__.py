"""What a game has at its default because the header does not name it: what of that was looked at, and what it decides.

Read `settings_at_default`, `recording_walker`, then `settings_read`, then `default_trials`.
"""
