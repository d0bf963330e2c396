"""One schema and its faces: what a text must be (`pattern_syntax`, `patterns`, `formats`), the
words of a spec (`keywords`), whether a property refuses a value (`fitting`), what is wrong with a
spec (`faults`), what type hints say (`hints`) and a TypedDict class as a spec (`typed_dicts`), what
authors call (`spec`), the JSON Schema that all else reads (`lowering`), the check (`generated`,
`validation`), and the Python type of what fits (`type_tree`) as source (`typed_source`).

Only the words of the package may enter here, and a module imports only from its left.
"""
