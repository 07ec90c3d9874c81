# Two commands matter: `make run` and `make test`. `make help` lists the rest.
PYTHON ?= $(shell command -v python3.11 || command -v python3 || echo python3)
VENV := .venv/bin
INSTALL := $(PYTHON) checks/install.py

.DEFAULT_GOAL := help
.PHONY: help setup run dev test test-llm check format schema lock doctor image bench bench-search bench-recall bench-tape bench-topics bench-costs

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1@/' | column -t -s@

setup: python ## install everything from the lock files, for running, testing and checking
	@$(INSTALL) run dev frontend browser sshd

run: python ## install what is missing, start everything, print the address
	@$(INSTALL) run frontend
	@exec $(VENV)/python -m kb_agent.launcher

dev: python ## like run, starting again when the code changes, pages served by Vite
	@$(INSTALL) run frontend
	@exec $(VENV)/python -m kb_agent.launcher --reload

test: python ## every test: Python, front end, browser
	@$(INSTALL) run dev frontend browser sshd
	@cd frontend && npm test --silent
	@$(VENV)/python -m pytest

check: python ## lint, types, layers, sizes, drift of schema, migrations and translations
	@$(INSTALL) run dev frontend
	@$(VENV)/python checks/all.py

format: python ## rewrite the code in its one format
	@$(INSTALL) run dev frontend
	@$(VENV)/ruff format . && $(VENV)/ruff check --fix --quiet . ; cd frontend && npx biome check --write .

test-llm: python ## the wire formats against a real llama.cpp and a real embeddings server, from wheels
	@$(INSTALL) run dev llm
	@$(VENV)/python -m pytest tests/llm_real

schema: python ## write docs/openapi.json and the front end's types from the code
	@$(INSTALL) run dev frontend
	@$(VENV)/python manage.py spectacular --format openapi-json --file docs/openapi.json && cd frontend && npm run types --silent

lock: ## compile requirements/*.txt from pyproject.toml (needs uv)
	@sh checks/lock.sh

doctor: python ## check every dependency, setting and permission, and say what to do
	@$(INSTALL) run
	@$(VENV)/python manage.py doctor

bench: python ## measure start times and memory on this machine
	@$(INSTALL) run dev frontend
	@$(VENV)/python checks/measure.py

bench-search: python ## measure search on the benchmark company of docs/bench, signal by signal
	@$(INSTALL) run
	@$(VENV)/python checks/bench_search.py

bench-recall: python ## measure recall of topics on docs/bench/recall, after bench-search
	@$(INSTALL) run
	@$(VENV)/python checks/bench_recall.py

bench-costs: python ## measure the ledger and its dashboard over a million calls
	@$(INSTALL) run
	@$(VENV)/python checks/bench_costs.py

bench-tape: python ## measure tapes beside bare INSERTs, at up to a million entries
	@$(INSTALL) run
	@$(VENV)/python checks/bench_tape.py

bench-topics: python ## measure the list of topics at a hundred thousand, beside icontains
	@$(INSTALL) run
	@$(VENV)/python checks/bench_topics.py

image: ## build the container image with buildah on a bootstrapped base
	@sh checks/image.sh

.PHONY: python
python:
	@command -v $(PYTHON) >/dev/null 2>&1 || { echo "KB Agent needs Python 3.11, which is not installed: install it, or name it with PYTHON=/path/to/python3.11." >&2; exit 1; }
