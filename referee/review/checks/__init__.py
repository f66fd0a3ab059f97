"""The classes of findings, a module each: how a flaw of this kind is found, or shown to be absent."""
