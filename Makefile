PYTHON ?= python3
VERSION := $(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])')
VENV := .venv-$(VERSION)
PEERS_VENV := .venv-peers-$(VERSION)
CHECKERS_VENV := .venv-checkers-$(VERSION)

.DEFAULT_GOAL := help

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 16

.PHONY: demo
demo: ## show what the library does; needs Python and nothing else
	@$(PYTHON) -m tests.examples.demo

.PHONY: test
test: types units ## mypy --strict and all tests, in a virtual environment of their own

.PHONY: types
types: $(VENV)/installed
	$(VENV)/bin/python -m mypy
	$(VENV)/bin/python -m mypy.stubtest dsh_tools --mypy-config-file pyproject.toml \
		--allowlist tests/typing/stubtest_allowlist.txt --ignore-unused-allowlist

.PHONY: units
units: $(VENV)/installed
	$(VENV)/bin/python -m pytest

.PHONY: relocated
relocated: $(VENV)/installed ## the whole suite beside a copy under another name
	LARGE_TESTS=yes $(VENV)/bin/python -m tests.relocated

.PHONY: conformance
conformance: $(PEERS_VENV)/installed ## the real SDKs, clients and oracles that others wrote
	$(PEERS_VENV)/bin/python -m mypy --config-file tests/conformance/peers/mypy.ini
	$(PEERS_VENV)/bin/python -m pytest tests/conformance/peers

.PHONY: soak
soak: $(PEERS_VENV)/installed ## the generated tests with more than a million calls, each time others
	HYPOTHESIS_PROFILE=soak $(PEERS_VENV)/bin/python -m pytest tests/conformance/peers/test_oracles.py \
		tests/conformance/peers/test_pipeline_model.py \
		tests/conformance/peers/test_random_schemas.py

.PHONY: mutation
mutation: $(VENV)/installed ## the changes of the hot path that no test notices
	$(VENV)/bin/python -m tests.mutation

.PHONY: bench
bench: $(PEERS_VENV)/installed ## compare the speed with what people would use instead
	$(PEERS_VENV)/bin/python -m tests.bench

.PHONY: bench-typing
bench-typing: $(PEERS_VENV)/installed ## compare mypy's time with the plugin and without
	$(PEERS_VENV)/bin/python -m tests.bench.typing_overhead

comma := ,
MYPY_VERSIONS ?= 1.11.2 1.14.1 1.19.1 2.0.0 2.3.1 2.4.1

.PHONY: typing-matrix
typing-matrix: $(MYPY_VERSIONS:%=typing-with-%) ## warm caches, daemon and workers against cold runs, over mypy's versions

.PHONY: $(MYPY_VERSIONS:%=typing-with-%)
$(MYPY_VERSIONS:%=typing-with-%): typing-with-%: .venv-mypy-%/installed
	.venv-mypy-$*/bin/python -m tests.typing.drive \
		--modes warm,daemon$(if $(filter 1.%,$*),,$(comma)workers)

.venv-mypy-%/installed:
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet mypy==$* typing_extensions
	touch $@

.PHONY: checkers
checkers: $(CHECKERS_VENV)/installed ## what mypy without plugin, pyright, ty, pyrefly and zuban find in the case files
	$(CHECKERS_VENV)/bin/python -m tests.typing.checkers

$(VENV)/installed: GROUP := test
$(CHECKERS_VENV)/installed: GROUP := checkers
$(PEERS_VENV)/installed: GROUP := peers

# pip reads dependency groups (PEP 735) since version 25.1.
$(VENV)/installed $(PEERS_VENV)/installed $(CHECKERS_VENV)/installed: pyproject.toml
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet --upgrade pip
	$(@D)/bin/python -m pip install --quiet --group $(GROUP)
	touch $@

.PHONY: stubs
stubs: ## write the stubs of the examples again
	$(PYTHON) -m dsh_tools stubs tests.examples.coding_tools tests.examples.forms -o stubs

.PHONY: clean
clean: ## remove what the other targets made
	rm -rf .venv-* .hypothesis .mypy_cache .pytest_cache build dist *.egg-info
