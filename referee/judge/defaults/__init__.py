"""What of its settings a verdict hangs on: what was looked at, what has a bearing, what other defaults would decide.

Read `log_settings`, `recording_walker`, then `settings_read`, `setting_bearing`, then `default_trials`.
"""
