"""Generated code that is kept between runs.

`code_store` reads and writes what is kept of a flow, `object_pickles` the objects that the code uses.
"""
