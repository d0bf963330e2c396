"""Does a value fit a JSON Schema, and if not, what is to be mended? Only `schema` to the left of this
folder and the words may enter here.
"""
