"""What a header leaves open: sets of settings, followed together and told apart.

Read `setting_space`, `setting_sets`, `decision_diagrams`; then `setting_verdicts` and `wide_search`.
"""
