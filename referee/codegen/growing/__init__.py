"""Long lists that grow at their end, as histories of positions: counted at once, and not copied for a look ahead."""
