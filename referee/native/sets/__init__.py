"""Many members at once: sets of those that pass, out of sets that are kept and tables of what constants say.

Read `tabled_conditions`, `at_once_ir`, then `table_folds_ir`.
"""
