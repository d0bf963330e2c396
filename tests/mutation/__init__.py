"""Does a test notice when a line of the hot path is wrong? `python -m tests.mutation` finds out."""
