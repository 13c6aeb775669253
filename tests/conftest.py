"""What every test has: a seed that is printed when the test fails, fair use of the cores, and fixtures for random data.

The seed of a run is 0 or `--seed N`; each test's own seed mixes it with the test's name, so a test behaves the same
alone as in the whole run. Reproduce a failure with `pytest <test id> --seed <N printed>`.
"""

from __future__ import annotations

import gc
import logging
import os
import random
import zlib
from collections.abc import Iterator
from typing import Any

if "PYTEST_XDIST_WORKER" in os.environ:  # parallel processes share the cores
    os.environ.setdefault("TRITONFLOW_NUM_THREADS", "1")
    os.environ.setdefault("OMP_NUM_THREADS", "1")

# Tests change what passes and prices depend on, of which a plan on disk knows nothing; those of plans on disk ask for them.
os.environ.setdefault("TRITONFLOW_KEEP_PLANS", "0")

import hypothesis
import numpy
import pytest

from tests import sampling, where
from tests.costs import Costs
from tests.on_gpu import OnGpu, has_to_do_with

# No deadlines: the first call of an op compiles, and other processes share the cores. Examples are the same in every run.
hypothesis.settings.register_profile("tritonflow", deadline=None, derandomize=True, print_blob=True)
hypothesis.settings.load_profile("tritonflow")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--seed", type=int, default=0, help="seed of the random samples (default 0)")
    parser.addoption("--device", choices=("cpu", "cuda"), default="cpu", help="where new tensors are made (tests/where.py)")
    parser.addoption("--share", default="1/1", help="K/N: the K-th of N parts of the tests (default 1/1)")
    parser.addoption("--poison", action="store_true", help="poison memory in every test (tests/poison.py)")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Costs())
    if config.getoption("--device") != "cpu":
        where.begin(config.getoption("--device"))
        config.pluginmanager.register(OnGpu())


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> int:
    """This test's seed: from `--seed` and the test's name."""
    return zlib.crc32(f"{request.config.getoption('--seed')}:{request.node.nodeid}".encode()) & 0x7FFFFFFF


@pytest.fixture
def rng(seed: int) -> numpy.random.Generator:
    """NumPy's generator from this test's seed."""
    return numpy.random.default_rng(seed)


@pytest.fixture(autouse=True)
def _seed_everything(seed: int) -> None:
    import torch

    random.seed(seed)
    numpy.random.seed(seed)
    if where.device == "cpu":
        torch.default_generator.manual_seed(seed)  # torch.manual_seed asks for every kind of device: a millisecond for each test
    else:
        torch.manual_seed(seed)
    try:
        import tritonflow
    except ImportError:
        return
    if hasattr(tritonflow, "manual_seed"):
        tritonflow.manual_seed(seed)


@pytest.fixture(autouse=True)
def _settings_stay() -> Iterator[None]:
    """A test leaves no setting behind for the next one."""
    from tritonflow.settings import settings

    before = dict(settings.__dict__)
    yield
    assert settings.__dict__ == before


@pytest.fixture
def products_of_float32() -> Iterator[None]:
    """A GPU's products of float32 are as near as float32's, convolutions, too: so their tests may demand it."""
    from tritonflow.ops.precision import change, policy

    before = policy()
    change(conv="tf32x3")
    yield
    change(conv=before.conv)


@pytest.fixture(autouse=True)
def _default_device(request: pytest.FixtureRequest, _settings_stay: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    if where.device == "cpu":
        yield
        return
    import tritonflow

    if request.path.parent.name in ("device", "kernels", "triton_cpu"):  # whose tests name the device of each tensor
        for name, function in where.replaced.items():
            monkeypatch.setattr(tritonflow, name, function)
        yield
        return
    if not request.node.get_closest_marker("tf32"):
        request.getfixturevalue("products_of_float32")
    tritonflow.set_default_device(where.device)
    yield
    tritonflow.set_default_device(None)
    tritonflow.sync()  # raises what this test has not asked for, a bad index, before another test does


@pytest.fixture
def poison() -> Iterator[None]:
    """Memory is poisoned in this test."""
    from tests.poison import poisoned

    with poisoned():
        yield


@pytest.fixture(autouse=True)
def _poison_everything(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--poison"):
        request.getfixturevalue("poison")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo):
    report = yield
    if report.when == "call" and report.failed:
        report.sections.append(("seed", f"--seed {item.config.getoption('--seed')}"))
    return report


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[Any]:
    """Nothing that is made while tests are collected is garbage."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """What each later test would pay for: `gc.collect()` would walk through the objects of 40,000 tests (0.7 s), and pytest sets its
    handlers on each logger that does not propagate, as 40 of torch's do (a millisecond)."""
    gc.collect()
    gc.freeze()
    for name, logger in logging.root.manager.loggerDict.items():
        if name.partition(".")[0] == "torch" and isinstance(logger, logging.Logger):
            logger.propagate = True


@pytest.hookimpl(tryfirst=True)  # before `-m` selects
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    sampling.mark_the_rest_long(items)
    sampling.mark_doctests_by_turn(items)
    for item in items:
        if item.path.parent.name not in ("consistent", "parallel") and item.get_closest_marker("ranks"):
            raise pytest.UsageError(f"{item.nodeid} is on several processes: `make test-ranks` takes consistent and parallel only")
    kept = sampling.share_of([item.nodeid for item in items], config.getoption("--share"))
    if where.device != "cpu":
        kept = [keep and not item.get_closest_marker("cpu_only") for item, keep in zip(items, kept)]
        if not where.is_stand_in():
            kept = [keep and has_to_do_with(item) for item, keep in zip(items, kept)]
    config.hook.pytest_deselected(items=[item for item, keep in zip(items, kept) if not keep])
    items[:] = [item for item, keep in zip(items, kept) if keep]
    if not any(item.get_closest_marker("cuda") for item in items):
        return
    import torch

    if not torch.cuda.is_available():
        skip = pytest.mark.skip(reason="no NVIDIA GPU")
        for item in items:
            if item.get_closest_marker("cuda"):
                item.add_marker(skip)
