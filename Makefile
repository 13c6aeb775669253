# make venv | demo | projects | test | test-ranks | test-long | test-hours | test-checked | test-targets | check | bench | docs | wheel | release | clean
# make gpu SECONDS=480 OUT=folder | gpu-bundle: docs/gpu.md
#
# Variables, given as `make NAME=value ...`:
#   PYTHON        the interpreter that makes the environment (python3)
#   VENV          where the environment lies (.venv)
#   TORCH         what pip is asked for; without an NVIDIA driver the CPU build, not gigabytes of CUDA
#   TORCH_INDEX   where the CPU build is looked for when the configured package index does not have it
#   TRITON        what pip is asked for; torch's CUDA build brings its own
#   PIP_INDEX_URL, PIP_FIND_LINKS ... are pip's own and reach it through the environment
#   JOBS          parallel test processes (2)
#   GPU_PYTHON    the interpreter that `make gpu` takes, with its own torch and Triton (python3)

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
RANKS := tests/consistent tests/parallel # which have all tests on several processes (tests/conftest.py)
RUNTIME := $(VENV)/.runtime# torch and Triton are there
READY := $(VENV)/.ready# all is there
DOCS := $(VENV)/.docs# what writes the site is there

# Tests start hundreds of processes, each of which would compile the sources again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: venv demo projects test test-ranks test-long test-hours test-checked test-targets check bench docs \
	gpu gpu-bundle wheel release clean

venv: $(READY)

$(RUNTIME): pyproject.toml Makefile
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) install --quiet --upgrade "pip>=24" "setuptools>=77"
	$(PIP) install --quiet "$(TORCH)" "$(TRITON)" || $(PIP) install --quiet --extra-index-url "$(TORCH_INDEX)" "$(TORCH)" "$(TRITON)"
	touch $@

$(READY): $(RUNTIME)
	$(PIP) install --quiet --no-build-isolation --editable ".[dev,examples,bench]"
	$(PIP) install --quiet --no-deps flag-gems==5.0.2 # asks for one release of NumPy; the long tests run its kernels
	touch $@

$(DOCS): $(RUNTIME)
	$(PIP) install --quiet --no-build-isolation --editable ".[docs]"
	touch $@

demo: venv
	$(BIN)/python examples/digits.py

# What tests/projects runs, in an environment of its own, which sees the torch of the other one. Its tests are skipped without it.
PROJECTS := $(VENV)-projects

projects: venv
	$(BIN)/python -m venv $(PROJECTS)
	$(BIN)/python -c "import site; print(site.getsitepackages()[0])" > "$$($(PROJECTS)/bin/python -c 'import site; print(site.getsitepackages()[0])')/torch.pth"
	$(PROJECTS)/bin/python -c "import torch; print('torch==' + torch.__version__)" > $(PROJECTS)/torch.txt
	$(PROJECTS)/bin/python -m pip --disable-pip-version-check install --quiet -c $(PROJECTS)/torch.txt -r tests/projects/requirements.txt
	$(PROJECTS)/bin/python -m pip --disable-pip-version-check install --quiet --no-deps fastai==2.8.12 # asks for torchvision, which it does without

# The code of kernels is to be right here, not fast: compiled in half the time. The long tests have what users have.
test: venv
	TRITONFLOW_CPU_CODEGEN=0 $(PYTEST) -m "not long and not hours and not ranks" $(ARGS)
	$(MAKE) test-ranks

test-ranks: venv # on several processes; a second test at the same time would have pools of its own
	OMP_NUM_THREADS=1 TRITONFLOW_CPU_CODEGEN=0 $(PYTEST) -n 0 -m "not long and not hours and ranks" $(or $(ARGS),$(RANKS)) || test $$? -eq 5 # 5: none of these tests

test-long: venv
	$(PYTEST) -m "long and not hours and not ranks" $(ARGS) || test $$? -eq 5 # 5: no long test yet
	$(PYTEST) -n 0 -m "long and not hours and ranks" $(or $(ARGS),$(RANKS)) || test $$? -eq 5

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
	$(BIN)/python tritonflow/registry/generate.py --check
	$(BIN)/python tests/types/check.py

# Cases first, then what is no case: whole programs, launches, compile times. Some hours; `make bench ARGS=--quick` of the cases alone.
BENCH := $(BIN)/python -m tritonflow.bench
PROGRAMS := launch launch_cpu own_ops eager_overhead vm compile_time graph graph_memory sizes decisions refused_calls collectives fusion models accuracy random_lengths graphs_over_ranks checkpoint

bench: venv
	$(BENCH) kernels --vs torch --json bench/results/cpu_kernels.json --plot docs/cpu_kernels.png $(ARGS)
	$(BENCH) ops --size small --size medium --vs torch --threads 1 --clock cpu --json bench/results/ops.json $(ARGS)
	$(BENCH) bench/consistent_overhead.py --vs local $(ARGS)
	for name in $(PROGRAMS); do $(BIN)/python bench/$$name.py || exit 1; done

# On a machine with a GPU, by the torch and the Triton that are there: nothing is installed. Whatever was found is in OUT at once;
# the same command goes on behind it. docs/gpu.md.
GPU_PYTHON ?= python3
SECONDS ?= 480
OUT ?= build/gpu/out

gpu:
	$(GPU_PYTHON) -m gpu --seconds $(SECONDS) --out $(OUT) $(ARGS)

# What such a machine may lack, packed here for its Python: build/gpu-bundle.tar.xz, with the sources, is all that it needs.
BUNDLE_PYTHON ?= 3.12
BUNDLED := llvmlite numpy safetensors expecttest hypothesis sortedcontainers attrs pytest pytest-xdist pytest-timeout execnet pluggy iniconfig packaging pygments pyyaml

gpu-bundle: venv
	rm -rf build/gpu-site && mkdir -p build/gpu-site
	$(PIP) install --quiet --no-deps --only-binary=:all: --no-compile --python-version $(BUNDLE_PYTHON) --implementation cp \
		$(foreach glibc,2_17 2_24 2_27 2_28,--platform manylinux_$(glibc)_x86_64) --platform manylinux2014_x86_64 --target build/gpu-site/site $(BUNDLED)
	tar -C build/gpu-site -cJf build/gpu-site.tar.xz site
	git ls-files | tar -cJf build/gpu-bundle.tar.xz -T - build/gpu-site.tar.xz
	ls -l build/gpu-bundle.tar.xz

# The site reads what the package is when it is imported, so it needs torch and Triton, and nothing of the tests.
docs: $(DOCS)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --clean
	@echo build/site/index.html

# In an environment of its own, into which pip fetches setuptools.
wheel:
	rm -rf build/lib build/bdist.*
	test -x build/wheel/bin/python || $(PYTHON) -m venv build/wheel
	build/wheel/bin/python -m pip --disable-pip-version-check wheel --quiet --no-deps --wheel-dir dist .

# What is published: wheel and sources, looked into, and tried in a clean environment of each Python that is here. docs/versions.md.
release: venv
	$(BIN)/python release/ready.py
	$(PYTHON) release/check.py --torch "$(TORCH)" --torch-index "$(TORCH_INDEX)" $(ARGS)
	rm -r tritonflow/ready # what runs in a checkout compiles its kernels

clean:
	rm -rf build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
