"""Expressions of the rules become expressions of the core.

Read `coercions` (how one meaning becomes the type that its place asks for), then `value_expressions`,
`member_sources` and `conditions`; the others hold a group of constructs each, and `expression_lowering` puts all of
them together.
"""
