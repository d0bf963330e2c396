"""The benchmark: `make bench`, or `python -m tests.bench [TABLE ...]` where the peers are installed.

Every figure is the median of rounds in which all candidates of a table take turns, so that a
busy machine slows all of them; a ratio is the median of the rounds' own ratios.
"""
