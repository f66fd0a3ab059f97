"""referee: rules of tabletop and card games as text, and a referee that judges recorded games by them."""

__version__ = "0.1.0"
