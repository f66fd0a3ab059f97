"""The walker: the reference interpreter of flow, and play-outs with it."""
