"""Folders in which rules are written, and what lies beside the rules.

Which rulesets and logs lie in them, what is expected of the logs, what has changed since, and the files with which a
ruleset begins. In this order: `found_rulesets`, `expected_verdicts`, `folder_changes`, `first_files`.
"""
