"""The native engine: machine code for a flow, which judges and plays what is usual; the rest it leaves to the others.

An exhaustive consumer of flow like the interpreter and the generated code. Needs the extra `native` (llvmlite).
"""
