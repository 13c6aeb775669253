# make venv | demo | test | test-ranks | test-long | test-hours | test-checked | test-targets | check | bench | wheel | clean
#
# Variables, given as `make NAME=value ...`:
#   PYTHON        the interpreter that makes the environment (python3)
#   VENV          where the environment lies (.venv)
#   TORCH         what pip is asked for; without an NVIDIA driver the CPU build, not gigabytes of CUDA
#   TORCH_INDEX   where the CPU build is looked for when the configured package index does not have it
#   TRITON        what pip is asked for; torch's CUDA build brings its own
#   PIP_INDEX_URL, PIP_FIND_LINKS ... are pip's own and reach it through the environment
#   JOBS          parallel test processes (2)

PYTHON ?= python3
VENV ?= .venv
JOBS ?= 2
TORCH_INDEX ?= https://download.pytorch.org/whl/cpu

HAS_DRIVER := $(shell (command -v nvidia-smi || ls /dev/nvidiactl) >/dev/null 2>&1 && echo yes)
ifeq ($(HAS_DRIVER),yes)
TORCH ?= torch==2.13.0
else ifndef TORCH
TORCH := torch==2.13.0+cpu
TRITON ?= triton==3.6.0
endif
TRITON ?= triton>=3.6

BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
PYTEST := $(BIN)/python -m pytest -n $(JOBS) --dist worksteal
READY := $(VENV)/.ready

.PHONY: venv demo test test-ranks test-long test-hours test-checked test-targets check bench wheel clean

venv: $(READY)

$(READY): pyproject.toml Makefile
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) install --quiet --upgrade "pip>=24" "setuptools>=77"
	$(PIP) install --quiet "$(TORCH)" "$(TRITON)" || $(PIP) install --quiet --extra-index-url "$(TORCH_INDEX)" "$(TORCH)" "$(TRITON)"
	$(PIP) install --quiet --no-build-isolation --editable ".[dev,examples,bench]"
	touch $@

demo: venv
	$(BIN)/python examples/digits.py

# The code of kernels is to be right here, not fast: compiled in half the time. The long tests have what users have.
test: venv
	TRITONFLOW_CPU_CODEGEN=0 $(PYTEST) -m "not long and not hours and not ranks" $(ARGS)
	$(MAKE) test-ranks

test-ranks: venv # on several processes; a second test at the same time would have pools of its own
	OMP_NUM_THREADS=1 TRITONFLOW_CPU_CODEGEN=0 $(PYTEST) -n 0 -m "not long and not hours and ranks" $(ARGS) || test $$? -eq 5 # 5: none of these tests

test-long: venv
	$(PYTEST) -m "long and not hours and not ranks" $(ARGS) || test $$? -eq 5 # 5: no long test yet
	$(PYTEST) -n 0 -m "long and not hours and ranks" $(ARGS) || test $$? -eq 5

test-hours: venv
	$(PYTEST) -m "hours and not ranks" $(ARGS)
	$(PYTEST) -n 0 -m "hours and ranks" $(ARGS) || test $$? -eq 5

test-checked: venv # every address that a CPU kernel uses is checked
	TRITONFLOW_CPU_CHECK=1 TRITONFLOW_CPU_CODEGEN=0 $(PYTEST) -m "not long and not hours and not ranks" $(ARGS)

test-targets: venv # kernels and ops as for CPUs with less than this one
	for target in avx2 baseline; do TRITONFLOW_CPU_TARGET=$$target $(PYTEST) -m "not long and not hours" tests/kernels tests/ops tests/triton_cpu $(ARGS) || exit 1; done

check: venv
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tritonflow/functional/generate.py --check

bench: venv
	for script in bench/*.py; do $(BIN)/python "$$script" $(ARGS) || exit 1; done

wheel: venv
	$(PIP) wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .

clean:
	rm -rf build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
