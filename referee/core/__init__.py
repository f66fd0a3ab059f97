"""The core: the small language that rules text lowers to, and flow, its graph of points."""
