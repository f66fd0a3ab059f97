"""What the program needs of the machine it runs on: files that come along, the cache folder, time limits, workers.

Nothing here knows rules or games. Each module stands by itself.
"""
