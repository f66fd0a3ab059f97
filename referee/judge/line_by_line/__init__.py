"""Logs judged line by line, in whatever way is asked for.

`judging_options` says how, `admitted_log` tests the header and finds who judges, `log_judgement` has it done.

It is imported when a log comes that is not judged whole: most of a judge is there for what is unusual.
"""
