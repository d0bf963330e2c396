"""What a person types after `python -m dsh_tools`: which tools are meant (`targets`), what providers
take of them (`providers`), a copy of the package (`vendoring`), and parsing and printing (`cli`).

All rooms above may enter here but the plugin, and nothing imports from here but `__main__`.
"""
