"""What rules say about themselves, and no game goes by: what is accepted, settled, taken for granted, alike."""
