"""Rules text: reading it into a generic tree, reporting everything that is wrong with it, and formatting it."""

from referee.syntax.parse import Parsed, parse, parse_expression
from referee.syntax.read import decode, read_source
from referee.syntax.tree import Node, Part, Word

__all__ = ["Node", "Parsed", "Part", "Word", "decode", "parse", "parse_expression", "read_source"]
