"""One outside party a module, in pure functions over dicts: `openai`, `anthropic`, `gemini`, `mcp`,
`acp`, and a person at a `terminal`. `wire` holds what they have in common, with the one spelling
of parameters out of `normalising`.

The words, `schema` and these two may enter here, of `calls` nothing but types; siblings never
import each other.
"""
