PYTHON ?= python3
VENV := .venv-$(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])')

.DEFAULT_GOAL := help

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 16

.PHONY: demo
demo: ## show what the library does; needs Python and nothing else
	@$(PYTHON) -m tests.examples.demo

.PHONY: test
test: $(VENV)/installed ## mypy --strict and all tests, in a virtual environment of their own
	$(VENV)/bin/python -m mypy
	$(VENV)/bin/python -m pytest

# pip reads dependency groups (PEP 735) since version 25.1.
$(VENV)/installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --upgrade pip
	$(VENV)/bin/python -m pip install --quiet --group test
	touch $@

.PHONY: stubs
stubs: ## write the stubs of the examples again
	$(PYTHON) -m dsh_tools stubs tests.examples.coding_tools -o stubs

.PHONY: clean
clean: ## remove what the other targets made
	rm -rf .venv-* .mypy_cache .pytest_cache build dist *.egg-info
