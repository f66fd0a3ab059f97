"""What is known of hidden components: conditions on tokens, and whether all of them can hold.

Read `hidden_values`, `constraint_store`, `constraint_search`; then `transport` with
`alike_tokens` and `bounded_flow`, `model_counting`, `lagrangian_bound`.
"""
