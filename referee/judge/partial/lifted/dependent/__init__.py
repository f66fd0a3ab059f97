"""Values that hang on hidden things: on one token, on several, and numbers that follow from what components are.

Read `case_diagrams`, `class_by_class`; then `hidden_numbers` and `loop_shapes`.
"""
