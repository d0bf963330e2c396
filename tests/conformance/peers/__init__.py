"""Tests against software that others wrote; `make conformance` runs them."""
