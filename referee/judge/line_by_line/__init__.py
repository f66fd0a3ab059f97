"""Logs judged line by line, in whatever way is asked for: `judging_options` says how, `log_judgement` does it.

It is imported when a log comes that is not judged whole: most of a judge is there for what is unusual.
"""
