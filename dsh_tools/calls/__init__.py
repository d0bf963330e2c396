"""One call of a tool: the chain of listeners (`waterfall`), what a body may return (`content`),
the tool itself (`define`), its execution (`pipeline`), its card (`presentation`), the tools of a
host (`registry`) and the calls of a model's step (`steps`).

The words and `schema` may enter here, and nothing of a provider, a protocol or a command.
"""
