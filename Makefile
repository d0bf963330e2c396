PYTHON ?= python3
VERSION := $(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])')
VENV := .venv-$(VERSION)
BENCH_VENV := .venv-bench-$(VERSION)

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

.PHONY: bench
bench: $(BENCH_VENV)/installed ## compare the speed with what people would use instead
	$(BENCH_VENV)/bin/python -m tests.bench

$(VENV)/installed: GROUP := test
$(BENCH_VENV)/installed: GROUP := peers

# pip reads dependency groups (PEP 735) since version 25.1.
$(VENV)/installed $(BENCH_VENV)/installed: pyproject.toml
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet --upgrade pip
	$(@D)/bin/python -m pip install --quiet --group $(GROUP)
	touch $@

.PHONY: clean
clean: ## remove what the other targets made
	rm -rf .venv-* .mypy_cache .pytest_cache build dist *.egg-info
