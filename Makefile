# `make run` and `make test` need nothing but Python 3.11+: they set up .venv themselves.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8501
HOME_DIR ?= $(if $(ASKCORE_HOME),$(ASKCORE_HOME),data)

.PHONY: run test check fix lake bench proofs proofs-write clean help
help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/'

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "AskLake needs Python 3.11 or newer; name it: make PYTHON=python3.11 run"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.user: requirements.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(VENV)/.dev: requirements.txt requirements-dev.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@ $(VENV)/.user

lake: $(VENV)/.user ## make the demo lake and the fonts of PDFs if there are none
	@test -e "$(HOME_DIR)/lake/demo/manifest.json" || $(BIN)/python -m askcore demo >/dev/null
	@test -e "$(HOME_DIR)/state/fonts" || $(BIN)/python -m askcore fonts >/dev/null

run: lake ## set up, make the demo lake, start the app
	@echo "AskLake: http://localhost:$(PORT)"
	$(BIN)/streamlit run serve.py --server.port $(PORT) --server.address localhost

test: $(VENV)/.dev ## set up and run every test
	$(BIN)/python -m pytest -n 2 --dist loadfile -q

check: $(VENV)/.dev ## format, lint, types, import contracts, tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -n 2 --dist loadfile -q

fix: $(VENV)/.dev ## format and mend what ruff can
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(VENV)/.dev ## ratios against hand-written SQL, in one run
	$(BIN)/python -m benchmarks

proofs: $(VENV)/.dev ## prove every check and guard on a mutant and its clean twin
	$(BIN)/python -m proofs

proofs-write: $(VENV)/.dev ## the same, and rewrite docs/proofs.md
	$(BIN)/python -m proofs --write

clean: ## remove .venv and caches; the lake stays
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
