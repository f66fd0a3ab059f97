"""Rules text: reading it into a generic tree, reporting everything that is wrong with it, and formatting it."""

from referee.syntax.parser import Parsed, parse, parse_expression
from referee.syntax.syntax_tree import Node, Part, Word
from referee.syntax.text_reader import decode, read_source

__all__ = ["Node", "Parsed", "Part", "Word", "decode", "parse", "parse_expression", "read_source"]
