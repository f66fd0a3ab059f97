"""What the program needs of the machine it runs on: files that come along or are given, caches, time limits, workers.

Nothing here knows rules or games. Each module stands by itself, but that `given_files` reads as `file_observations`
does, and `late_writes` and `worker_processes` write to the cache.
"""
