# Two commands are all a newcomer needs: `make demo` and `make test`. Each sets up what it needs from Python alone.
.DEFAULT_GOAL := help
.PHONY: help demo test env parts lint nightly coverage lock clean

SHELL := /bin/bash
PYTHON ?= $(firstword $(foreach name,python3.13 python3.12 python3.11 python3 python,$(shell \
    $(name) -c 'import sys; print("$(name)" if sys.version_info >= (3, 11) else "")' 2>/dev/null)))
VENV := .venv
RUN := $(VENV)/bin/python
READY := $(VENV)/.ready-$(shell cat requirements/dev.txt pyproject.toml | cksum | cut -d' ' -f1)

help: ## this list
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | column -t -s "$$(printf '\t')"

demo: env ## ingest the demo corpus, ask a list of questions, then chat
	@$(VENV)/bin/fundstelle --data $(CURDIR)/.demo demo

test: env ## run every test that this machine can run
	@$(RUN) -m pytest -n logical --dist loadscope -m "not nightly" $(ARGS)

env: $(READY) ## only make the environment (.venv/bin/fundstelle)

$(READY): requirements/dev.txt pyproject.toml
	@test -n "$(PYTHON)" || { echo "Fundstelle needs Python 3.11 or newer on the PATH (or: make PYTHON=/path/to/python)."; exit 2; }
	@test -x $(RUN) && $(RUN) -c 'import sys; assert sys.version_info >= (3, 11)' 2>/dev/null || $(PYTHON) -m venv --clear $(VENV)
	$(RUN) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	$(RUN) -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@rm -f $(VENV)/.ready-* && touch $@

parts: env ## every real part that tests can use: torch, vLLM on the processor, OpenSearch, a checker in Go, Synapse and its clients (Node.js 20); 12 GB
	$(VENV)/bin/uv pip install --quiet --python $(RUN) --require-hashes -r requirements/parts.txt
	mvn -q -B -f tests/opensearch/pom.xml package
	cd tests/transparency && go build -o bin/transparency .
	PATH="$(CURDIR)/$(VENV)/bin:$$PATH" PYTHON=$(abspath $(RUN)) tests/models/install-vllm.sh
	PATH="$(CURDIR)/$(VENV)/bin:$$PATH" PYTHON=$(abspath $(RUN)) tests/matrix/install-synapse.sh
	cd tests/matrix/js && npm ci --silent
	cd tests/matrix/browser && npm ci --silent && npm run --silent build

lint: env ## style, format, types and the import contract
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .
	$(RUN) -m mypy
	$(VENV)/bin/lint-imports

nightly: env ## the long suites: a million events, 10,000 histories, 2,000 questions in rooms, a model that hallucinates, every property 25 times as often
	PATH="$(CURDIR)/$(VENV)/bin:$$PATH" PYTHON=$(abspath $(RUN)) tests/models/install-llama.sh
	@$(RUN) -m pytest -m nightly -rP $(ARGS)
	@FUNDSTELLE_EXAMPLES=25 $(RUN) -m pytest -m "not nightly" tests/property $(ARGS)
	@FUNDSTELLE_HISTORIES=10000 $(RUN) -m pytest tests/property/test_simulation.py $(ARGS)

LOCK := $(VENV)/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
    --no-emit-find-links --custom-compile-command "make lock" pyproject.toml

coverage: env ## how much of the code the tests inside one process reach
	@$(RUN) -m coverage run -m pytest -q -m "not nightly" tests/unit tests/contract tests/property tests/integration
	@$(RUN) -m coverage report --skip-covered --sort=cover

lock: env ## renew the locked requirements
	$(LOCK) -o requirements/base.txt
	@for extra in dev models server matrix teams opensearch; do \
	    $(LOCK) --extra $$extra -o requirements/$$extra.txt || exit 1; done
	$(LOCK) --extra dev --extra models --extra opensearch -o requirements/parts.txt
	$(LOCK) --extra matrix --extra opensearch -o requirements/stack.txt
	$(VENV)/bin/uv pip compile --quiet --python-version 3.11 --python-platform x86_64-manylinux_2_28 --generate-hashes \
	    --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" \
	    --overrides requirements/vllm-overrides.txt requirements/vllm.in -o requirements/vllm.txt
	$(VENV)/bin/uv pip compile --quiet --python-version 3.11 --python-platform x86_64-manylinux_2_28 --generate-hashes \
	    --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" requirements/llama.in \
	    -o requirements/llama.txt
	$(VENV)/bin/uv pip compile --quiet --python-version 3.11 --python-platform x86_64-manylinux_2_28 --generate-hashes \
	    --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" requirements/synapse.in \
	    -o requirements/synapse.txt

clean: ## remove the environment and the demo's data
	rm -rf $(VENV) .demo
