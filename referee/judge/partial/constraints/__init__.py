"""What is known of hidden components: conditions on tokens, and whether all of them can hold.

Read `hidden_values`, `constraint_store`, `constraint_search`; then `model_counting`, `lagrangian_bound`, `exclusion`.
"""
