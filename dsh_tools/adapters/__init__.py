"""One outside party a module, in pure functions over dicts: `openai`, `anthropic`, `gemini`, `mcp`,
`acp`, and a person at a `terminal`. `wire` holds what they have in common.

The words and `wire` may enter here, of `calls` nothing but types; siblings never import each other.
"""
