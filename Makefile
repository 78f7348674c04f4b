# make serve   install, build the graph, serve it        make test   what CI runs
# make check   format, lint, types, tests                make soak   what is long        make bench  what is measured
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PORT   ?= 8000

.PHONY: serve build test check soak bench assets wheel lock clean
serve: $(VENV)/.run $(VENV)/.assets
	@$(BIN)/kg build
	@$(BIN)/kg serve --port $(PORT)

build: $(VENV)/.run
	@$(BIN)/kg build

test: $(VENV)/.test
	$(BIN)/python -m pytest -n 2 --dist loadgroup -rs $(PYTEST)

check: $(VENV)/.test
	$(BIN)/ruff format --check kg tests bench serve.py
	$(BIN)/ruff check kg tests bench serve.py
	$(BIN)/mypy
	$(BIN)/python -m pytest -n 2 --dist loadgroup -rs

soak: $(VENV)/.test
	$(BIN)/python -m pytest tests/soak tests/web/sparql/test_schema.py --soak

bench: $(VENV)/.test
	$(BIN)/python -m bench $(if $(PEERS),--peers $(PEERS))

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: requirements-build.lock requirements.lock requirements-data.lock pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements-build.lock
	$(BIN)/python -m pip install --quiet --require-hashes --no-build-isolation -r requirements.lock
	$(BIN)/python -m pip install --quiet --require-hashes --no-build-isolation --no-deps -r requirements-data.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.test: $(VENV)/.run requirements-test.lock
	$(BIN)/python -m pip install --quiet --require-hashes --no-build-isolation -r requirements-test.lock
	@$(BIN)/python -m kg.web.assets --with-tests >/dev/null || echo "Tests of editor, typeface and accessibility are skipped: npm or its registry is missing."
	@touch $@

# Query editor, typeface, coastlines: by the npm lock. Without npm and without registry the pages work, plainly.
$(VENV)/.assets: package-lock.json kg/web/assets.py | $(VENV)/.run
	@command -v npm >/dev/null || $(BIN)/python -m pip install --quiet --require-hashes -r requirements-assets.lock || true
	@$(BIN)/python -m kg.web.assets >/dev/null || echo "The pages are served without editor and typeface; 'make assets' tries again."
	@touch $@

assets: $(VENV)/.run
	@rm -f $(VENV)/.assets
	@$(MAKE) $(VENV)/.assets

wheel: $(VENV)/.assets
	$(BIN)/python -m hatchling build -t wheel

# Needs uv; writes names, versions and hashes only.
lock:
	uv pip compile --quiet --universal --generate-hashes --python-version 3.11 --no-header --extra cluster --group test pyproject.toml -o requirements-test.lock
	uv pip compile --quiet --universal --generate-hashes --python-version 3.11 --no-header pyproject.toml -c requirements-test.lock -o requirements.lock
	uv pip compile --quiet --universal --generate-hashes --python-version 3.11 --no-header --group pyproject.toml:build -c requirements-test.lock -o requirements-build.lock
	uv pip compile --quiet --universal --generate-hashes --python-version 3.11 --no-header --group pyproject.toml:assets -o requirements-assets.lock
	uv pip compile --quiet --universal --generate-hashes --no-deps --python-version 3.11 --no-header requirements-data.in -o requirements-data.lock

clean:
	rm -rf $(VENV) kg-data
