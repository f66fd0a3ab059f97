"""What words stand for: the symbol table, bindings of names, types, shapes, geometry of boards and maps.

Read `symbol_table` and `bindings` first; `tree_access` is how syntax trees are read everywhere in the front end.
"""
