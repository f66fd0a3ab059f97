"""Ways by lot, each as likely, and games that are only counted.

Read `drawing_plan`, `counted_games_ir`, then `counted_games`.
"""
