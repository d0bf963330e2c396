"""One call of a tool: the chain of listeners (`waterfall`), what a body may return (`content`) and
what becomes of it (`outcome`), the tool itself (`define`), whether a call may run (`gate`), what
listeners make of its result (`review`), all of that in its order (`pipeline`), its card
(`presentation`), the tools of a host (`registry`) and the calls of a model's step (`steps`).

The words and `schema` may enter here, and nothing of a provider, a protocol or a command.
"""
