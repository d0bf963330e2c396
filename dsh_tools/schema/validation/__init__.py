"""Does a value fit a JSON Schema, and if not, what is to be mended?

`reading` says what is checked of any schema. For each family of keywords (`scalars`, `containers`,
`choices`) the lines of a generated check and the closure that explains stand side by side, on what
`building` and `equality` share; `words` holds every text, `compiler` puts one schema together, and
`validator` is what others call. Only what stands left of this folder and the words may enter here.
"""
