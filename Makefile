# The two commands of the README: `make demo` and `make test`. Both need only Python 3.11 and make; `make help` lists the rest.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV ?= .venv
JOBS ?= 2

# One qualified recipe with every choice it asks for. The network names are samples.
DEMO_RECIPE := --recipe h100-gke-cos-training-kubeflow \
  --profile gpuStack=gke-default --profile fabricAttachment=gke-tcpxo-multinetwork \
  --param fabricAttachment.interfaces=eth1=vpc1,eth2=vpc2,eth3=vpc3,eth4=vpc4,eth5=vpc5,eth6=vpc6,eth7=vpc7,eth8=vpc8

# Hundreds of tests start aicr as a process: without bytecode each would compile every module anew.
unexport PYTHONDONTWRITEBYTECODE

BIN := $(VENV)/bin
LOCKED := $(VENV)/.locked
INSTALLED := $(VENV)/.installed

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help install demo test lint types imports unit catalogue wheel bench docs site format lock clean

help: ## List the targets
	@sed -n 's/^\([a-z]*\):[^#]*## /\1\t/p' $(MAKEFILE_LIST) | while IFS="$$(printf '\t')" read -r name what; do printf '  make %-10s %s\n' "$$name" "$$what"; done

# The environment is made afresh when the lock changes, so that nothing from an older lock is left in it.
$(LOCKED): requirements-dev.lock
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "aicr needs Python 3.11 or newer; choose one with: make PYTHON=/path/to/python3.11")'
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements-dev.lock
	@touch $@

$(INSTALLED): $(LOCKED) pyproject.toml
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

install: $(INSTALLED) ## Create .venv with the locked dependencies and aicr itself

demo: $(INSTALLED) ## Bundle the GKE A3 Mega recipe into ./demo and list the files
	$(BIN)/aicr bundle $(DEMO_RECIPE) --output demo
	@find demo -type f | LC_ALL=C sort

test: lint types imports unit catalogue wheel site ## Run everything that CI runs

lint: $(INSTALLED) ## Style: ruff check and ruff format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(INSTALLED) ## Types: mypy, strict
	$(BIN)/mypy

imports: $(INSTALLED) ## Architecture: stages import downwards only
	$(BIN)/lint-imports

unit: $(INSTALLED) ## Every test: unit, golden, attacks, property, command line, docs
	$(BIN)/python -m pytest --numprocesses $(JOBS) --dist worksteal

catalogue: $(INSTALLED) ## The shipped recipes, overlays, profiles and templates, their fixtures, lock and list of images
	$(BIN)/aicr lint
	$(BIN)/aicr guard
	$(BIN)/aicr lock --check
	$(BIN)/aicr bom --check

wheel: $(INSTALLED) ## Build the wheel, install it elsewhere, and compare its bundle with the checkout's
	.ci/wheel $(BIN) $(DEMO_RECIPE)

bench: $(INSTALLED) ## Measure side by side with kubectl kustomize
	$(BIN)/python -m tests.bench

docs: $(INSTALLED) ## Generate docs/reference from the code, the schemas and the catalogue
	$(BIN)/python docs/generate.py

site: $(INSTALLED) ## Build the documentation as a site into build/site; a link that leads nowhere is an error
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --config-file docs/site/mkdocs.yml

format: $(INSTALLED) ## Format the code and mend what ruff can mend
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

lock: ## Resolve the dependencies again (needs uv on PATH)
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --upgrade pyproject.toml --output-file requirements.lock
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --upgrade --extra dev --extra bom --extra cluster --extra docs --constraint requirements.lock pyproject.toml --output-file requirements-dev.lock

clean: ## Remove everything that make made
	rm -rf $(VENV) demo build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
