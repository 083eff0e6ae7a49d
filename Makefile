# `make play` to play, `make test` to test, `make help` for the rest. Each step runs only if what it
# was made from has changed. Works with GNU Make from 3.81 on, which macOS has.

SHELL := bash
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
ifndef STEPS # set by scripts/side-by-side
.NOTPARALLEL:
endif
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PATH := $(CURDIR)/.venv/node:$(PATH):$(HOME)/.cargo/bin
# Some containers forbid it to keep what it compiles, and each of hundreds of processes would compile all it imports.
unexport PYTHONDONTWRITEBYTECODE
export PYTHONPYCACHEPREFIX := $(CURDIR)/target/pycache

PY := .venv/bin/python
STEP := scripts/step
together = scripts/side-by-side $(MAKE) --no-print-directory --silent --jobs=$(if $(VERBOSE),1,4)
OFFLINE := If the package index could not be reached, check the network and run make again.

core-sources := pyproject.toml Cargo.toml Cargo.lock .cargo/config.toml $(shell find crates games -type f 2>/dev/null \
	\( -name '*.rs' -o -name '*.json' -o -name '*.net' -o -name '*.bin' -o -name Cargo.toml -o -path '*/art/*' -o -path '*/rules/*' \))
web-sources := $(shell find web -type f -not -path '*/node_modules/*' -not -path 'web/dist/*' \
	-not -path 'web/src/messages.ts' 2>/dev/null)

##@ To play
.PHONY: play build
play: prerequisites ## Set up what is missing, start the server, open the browser (PORT=..., HOST=...)
	@$(together) playable
	@nice $(together) .venv/.wasm | cat & # beside the first game
	@.venv/bin/tavola serve || [ $$? = 130 ] # Ctrl-C stops the server

build: prerequisites ## Set up everything, run nothing: .venv then has Tavola installed
	@$(together) playable .venv/.wasm

.PHONY: playable
playable: .venv/.run python/tavola/web/index.html .venv/.core

##@ To change it
.PHONY: test test-rust test-python test-postgresql test-web test-e2e test-long
test: build .venv/.test ## Run the tests (one kind: make test-rust, test-python, test-postgresql, test-web, test-e2e)
	@$(get-tools) || true # before two kinds want them at once
	@BUILT=1 MAKE="$(MAKE)" $(PY) scripts/run_tests.py "test-python test-e2e" "test-rust test-web test-postgresql"

test-long: ## Run all tests, also the long ones: deep comparisons, kill series, fuzzers, every browser width
	@$(MAKE) --no-print-directory PROFILE=ci test

# `quick` is for `make test`. `ci` adds the tests marked `long` (those over a second and a half, in the browser four),
# and more examples to those that have a size.
PROFILE := quick
profile = TAVOLA_TEST_PROFILE=$(PROFILE)
pytest = $(PY) -m pytest -n 3 --dist loadfile -q --durations=10
quick-marks = not long and not nightly
ci-marks = not nightly
built = $(if $(BUILT),,build .venv/.test) # `make test` builds once, before kinds run side by side
get-tools = { scripts/find-chromium >/dev/null && scripts/with-postgresql 2>/dev/null; } || \
	$(MAKE) --no-print-directory tests/tools/node_modules/.installed

test-rust: prerequisites
	@printf '\n== Tests in Rust ($(PROFILE)) ==\n'
	@$(profile) cargo test --workspace --locked --quiet --tests # without the examples, which lint-rust compiles
	@$(profile) cargo test --workspace --exclude tavola-py --locked --quiet --doc # its docs are those of Python

test-python: $(built)
	@printf '\n== Tests in Python ($(PROFILE)) ==\n'
	@$(profile) $(pytest) -m "$($(PROFILE)-marks)" $(ARGS)

# On PostgreSQL, `quick` runs the tests of storage and of several processes, `ci` all that store something.
# Agents in Python and memory do not depend on the database.
quick-postgresql = tests/server/storage tests/server/cluster -m "$(quick-marks)"
ci-postgresql = $(addprefix tests/server/,storage cluster accounts archive live matches moderation outbox people quick_pairing \
	tournaments watch http/test_lobby.py http/test_health.py) \
	$(addprefix --ignore=tests/server/live/,test_agents_of_python_games.py test_release.py) -m "$(ci-marks)"

test-postgresql: $(built)
	@printf '\n== Tests of the server on PostgreSQL ($(PROFILE)) ==\n'
	@command -v valkey-server >/dev/null || command -v redis-server >/dev/null || [ -n "$$CI" ] || \
		printf 'There is no Redis or Valkey: the tests of several processes are left out (Debian: sudo apt install redis-server).\n'
	@scripts/with-postgresql 2>/dev/null || $(get-tools)
	@$(profile) scripts/with-postgresql $(pytest) $($(PROFILE)-postgresql) $(ARGS) || { \
		status=$$?; [ $$status = 77 ] && [ -z "$$CI" ] || exit $$status; \
		printf 'NOT RUN. Get it (Debian: sudo apt install postgresql), then: make test-postgresql\n'; }

test-web: prerequisites web/node_modules/.installed
	@printf '\n== Tests of the web client ==\n'
	@cd web && npm test --silent

test-e2e: $(built)
	@printf '\n== Tests in the browser ($(PROFILE)) ==\n'
	@scripts/find-chromium >/dev/null || $(get-tools)
	@if chromium=$$(scripts/find-chromium); then \
		cd web && $(profile) CHROMIUM="$$chromium" npm run e2e --silent; \
	elif [ -n "$$CI" ]; then \
		printf 'There is no Chromium, and in CI the browser tests must run.\n' >&2; exit 1; \
	else \
		printf 'NOT RUN: there is no Chromium or Chrome. Get one (Debian: sudo apt install chromium-headless-shell) or name one\n(CHROMIUM=/path/to/it), then: make test-e2e\n'; \
	fi

.PHONY: coverage
coverage: build .venv/.coverage web/node_modules/.installed ## Measure how many lines the tests run, and compare with tests/coverage.json
	@cargo llvm-cov --version >/dev/null 2>&1 || { \
		printf 'Get cargo-llvm-cov: rustup component add llvm-tools && cargo install --locked cargo-llvm-cov\n' >&2; exit 1; }
	@rm -rf target/coverage && mkdir -p target/coverage
	@$(profile) cargo llvm-cov --workspace --locked --quiet --tests --json --summary-only --output-path target/coverage/rust.json
	@$(profile) $(pytest) -m "$($(PROFILE)-marks)" --cov --cov-report=json:target/coverage/python.json
	@cd web && npm test --silent -- --coverage
	@$(PY) scripts/coverage_floors.py

.PHONY: mutants
GAME := *
mutants: prerequisites ## Change each line of the rules, and see a test fail (GAME=... for one game)
	@cargo mutants --version >/dev/null 2>&1 || { \
		printf 'Get cargo-mutants: cargo install --locked cargo-mutants\n' >&2; exit 1; }
	@cargo mutants --file "games/$(GAME)/src/rules.rs" --file "games/$(GAME)/src/rules/*.rs" --output target '--cargo-arg=--test=*' \
		$(ARGS) || [ $$? = 3 ] # an endless game is noticed too

.PHONY: check lint lint-rust lint-python lint-web lint-language format
check: lint docs test ## Before a commit: formatters, lints, types, docs, tests (PROFILE=ci: the long ones, too)

lint: lint-rust lint-python lint-web lint-language

lint-rust: prerequisites
	@$(STEP) "Rust: format" "Fix it with: make format" cargo fmt --all --check
	@$(STEP) "Rust: lints" "Each warning above says what to change." \
		cargo clippy --workspace --all-targets --locked --quiet -- -D warnings

lint-python: build .venv/.test
	@$(STEP) "Python: format" "Fix it with: make format" $(PY) -m ruff format --check .
	@$(STEP) "Python: lints" "Fix what you can with: make format" $(PY) -m ruff check .
	@$(STEP) "Python: types" "See the places above." $(PY) -m mypy
	@$(STEP) "Python: the compiled module is as its stub says" "Change python/tavola/_core.pyi or crates/py." \
		$(PY) -m mypy.stubtest tavola._core

lint-web: prerequisites web/node_modules/.installed
	@$(STEP) "Web: format, lints, types" "Fix the format with: make format" npm --prefix web run check --silent

lint-language: prerequisites ## Lint the English of messages, docs, docstrings and comments
	@$(STEP) "Language: words and sentences" "How we write: CONTRIBUTING.md." \
		"$$(scripts/prerequisites)" scripts/lint_language.py $(ARGS)

.PHONY: stub types
stub: build .venv/.test ## Copy the docstrings of the built core into its stub
	@$(PY) scripts/stub.py
	@$(PY) -m ruff check python/tavola/_core.pyi

types: build web/node_modules/.installed ## Write the types of the browser from those of the core and the server
	@cargo run -q -p tavola-core --example schema > web/schema/view.schema.json
	@$(PY) scripts/wire_schema.py
	@npm --prefix web run types --silent

format: .venv/.test web/node_modules/.installed ## Format all code
	@cargo fmt --all
	@$(PY) -m ruff check --fix-only --quiet .
	@$(PY) -m ruff format --quiet .
	@npm --prefix web run format --silent

.PHONY: docs
docs: build .venv/.docs ## Build the documentation site into site/
	@$(STEP) "Building the documentation" "Each warning above says what to change." \
		env NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build --strict --quiet $(ARGS)

.PHONY: bench levels nightly lock clean
bench: build .venv/.bench ## Measure against the peers, in the same run
	@$(PY) -m benches $(ARGS)

levels: build .venv/.bench ## Play every level against the one below it, and write docs/reference/levels.md
	@$(PY) -m benches levels $(ARGS)

nightly: build .venv/.test ## The long tests: millions of positions, and the engine's strength
	@$(MAKE) --no-print-directory PROFILE=nightly test-rust
	@TAVOLA_TEST_PROFILE=nightly $(PY) -m pytest -n auto -q -m "nightly or sized" --timeout 7200 $(ARGS)
	@$(PY) -m benches strength
	@cargo run -q --release -p tavola-passtally --example strength
	@cargo run -q --release -p tavola-montana --example strength -- seconds=2
	@cargo run -q --release -p tavola-montana --example strength -- players=4 seconds=2

lock: .venv/.lock ## Compile requirements/*.txt again (UPGRADE=1: the newest versions)
	@scripts/lock

clean: ## Remove everything that was built or installed here
	rm -rf .venv target web/node_modules web/dist web/src/messages.ts python/tavola/web python/tavola/_core*.so dist site
	find . -name __pycache__ -prune -exec rm -rf {} +
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis

.PHONY: help
help: ## Say what there is
	@printf 'Tavola: four table games in the browser. Say "make" and one of these:\n'
	@awk -F ':.*## ' '/^##@/ { printf "\n%s\n", substr($$0, 5) } /^[a-z-]+:.*## / { printf "  %-13s %s\n", $$1, $$2 }' Makefile

# Steps of the commands above. A file under .venv named .something marks a finished step.

.PHONY: prerequisites
prerequisites:
	@scripts/prerequisites >/dev/null

.venv/.home:
	@python=$$(scripts/prerequisites) && \
		$(STEP) "Making a Python environment" "On Debian and Ubuntu: sudo apt install python3-venv" \
			"$$python" -m venv --clear .venv
	@printf '%s' "$(CURDIR)" > $@

# Python compiles what it imports; pip would compile everything.
install = $(PY) -m pip install --no-compile --require-hashes $(foreach name,$(1),-r requirements/$(name).txt)

maturin = env VIRTUAL_ENV="$(CURDIR)/.venv" $(PY) -m maturin develop --release --locked

.venv/.build: .venv/.home requirements/build.txt
	@$(STEP) "Getting the compiler of the Python module" "$(OFFLINE)" $(call install,build)
	@touch $@

.venv/.run: .venv/.build requirements/run.txt
	@$(STEP) "Getting the Python packages" "$(OFFLINE)" $(call install,run)
	@touch $@

.venv/.node: .venv/.home requirements/node.txt scripts/get-node
	@scripts/get-node
	@touch $@

.venv/.test: .venv/.run requirements/test.txt
	@$(STEP) "Getting the packages for tests" "$(OFFLINE)" $(call install,test)
	@touch $@

.venv/.coverage: .venv/.test requirements/coverage.txt
	@$(STEP) "Getting the packages that measure coverage" "$(OFFLINE)" $(call install,coverage)
	@touch $@

.venv/.docs: .venv/.test requirements/docs.txt
	@$(STEP) "Getting the packages for the documentation" "$(OFFLINE)" $(call install,docs)
	@touch $@

.venv/.bench: .venv/.test requirements/bench.txt
	@$(STEP) "Getting the peers to measure against" "$(OFFLINE)" $(call install,bench)
	@touch $@

.venv/.lock: .venv/.home requirements/lock.txt
	@$(STEP) "Getting the tool that locks" "$(OFFLINE)" $(call install,lock)
	@touch $@

web/node_modules/.installed: .venv/.node web/package.json web/package-lock.json
	@$(STEP) "Getting the web packages" "$(OFFLINE)" npm --prefix web ci --no-audit --no-fund
	@touch $@

# Where the system has no Chromium or PostgreSQL, the tests use those of two npm packages.
tests/tools/node_modules/.installed: tests/tools/package.json tests/tools/package-lock.json $(wildcard tests/tools/*.js)
	@$(STEP) "Getting a browser and PostgreSQL for the tests" "$(OFFLINE)" sh -c 'npm --prefix tests/tools ci \
		--ignore-scripts --no-audit --no-fund && node tests/tools/unpack-postgresql.js && node tests/tools/unpack-chromium.js'
	@touch $@

.PHONY: web
web: prerequisites python/tavola/web/index.html ## Build the web client alone

python/tavola/web/index.html: web/node_modules/.installed $(web-sources)
	@touch web/node_modules/.began
	@$(STEP) "Building the web client" "The message above says where." npm --prefix web run build
	@rm -rf python/tavola/web && cp -R web/dist python/tavola/web
	@[ ! -e target/wasm/core.wasm ] || cp target/wasm/core.wasm python/tavola/web/
	@touch -r web/node_modules/.began $@

# To compile, maturin alone is enough, and the other packages come meanwhile; to install, they must be there.
.venv/.crates: .venv/.build $(core-sources)
	@touch $@-began # what is saved from now on is newer
	@$(STEP) "Compiling the games and engines" "If Cargo.lock is out of date: cargo update --workspace" \
		$(maturin) --skip-install
	@touch -r $@-began $@ # two makes may be at it

.venv/.core: .venv/.run .venv/.crates
	@$(STEP) "Installing the Python module" "The message above says where." $(maturin)
	@touch $@

.venv/.wasm: .venv/.home $(core-sources) scripts/build-wasm
	@touch $@-began
	@scripts/build-wasm
	@touch -r $@-began $@ # two makes may be at it
