"""The reference interpreter of flow (the walker): small, slow, obviously right; every engine agrees with it.

Steps of one move: `walker` asks what is possible (`offers`, `multisets`), takes an event, and follows the flow
(`course`) to the next point. Read `walker`, `course`, `offers`; then `closures`. `playouts` plays games at random.
"""
