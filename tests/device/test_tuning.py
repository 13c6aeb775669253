"""Tuning on a GPU: candidates run on its stream, and those that it has not enough shared memory for are left out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tests.device.fake_cuda import H100, FakeCuda
from tritonflow import triton_compat
from tritonflow.device.cuda import CudaProvider
from tritonflow.graph.explain.why import changes
from tritonflow.graph.plan import tuning
from tritonflow.settings import settings


@pytest.fixture(autouse=True)
def unknown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Nothing is known of before; few rounds, and all times count."""
    monkeypatch.setattr(tuning, "_known", {})
    monkeypatch.setattr(tuning, "LEAST", {"gpu": 0.0})
    monkeypatch.setattr(tuning, "ENOUGH", 2)
    with settings.override(cache_dir=tmp_path):
        yield


def product(tune: bool) -> tuple[Any, Any]:
    """What a product of random matrices gives on the GPU, and the graph behind it."""
    generator = numpy.random.default_rng(0)
    x, w = (flow.tensor(generator.standard_normal((256, 256)), dtype=flow.float16, device="cuda") for _ in range(2))
    f = flow.compile(lambda x, w: flow.relu(x @ w), tune=tune)
    y = f(x, w).numpy()
    (kept,) = f.captures()
    return y, kept.graph


def test_candidates_run_on_the_stream(cuda: FakeCuda) -> None:
    """Each between two events, with the second-level cache overwritten before, on random numbers."""
    wanted, _ = product(False)
    waits = len(cuda.log)
    y, graph = product(True)
    (choice,) = graph.choices.values()
    assert len(choice.seconds) == len(choice.candidates) > 2
    log = cuda.log[waits:]
    cleared = log.count(("clear", 2 * H100.cache))
    assert cleared >= 20 * len(choice.candidates) and sum(entry[0] == "record" for entry in log) >= 2 * cleared
    assert log.count(("device", 0)) < len(choice.candidates)
    assert y.tobytes() == wanted.tobytes()


def test_what_does_not_fit_is_left_out(cuda: FakeCuda, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rule and the rest are measured; memory that even the rule's kernel lacks is an error as without tuning."""
    real, refused = CudaProvider.kernel, range(32, 33)

    def kernel(self: Any, fn: Any, signature: Any, constexprs: Any, attrs: Any, **options: Any) -> Any:
        wanted = constexprs.get("BLOCK_K", -1)
        if wanted in refused:
            raise triton_compat.OutOfResources(wanted, refused.start, "shared memory")
        return real(self, fn, signature, constexprs, attrs, **options)

    monkeypatch.setattr(CudaProvider, "kernel", kernel)
    _, graph = product(True)
    (choice,) = graph.choices.values()
    left_out = [config for number, config in enumerate(choice.candidates) if number not in choice.seconds]
    assert 0 in choice.seconds and left_out
    assert all("BLOCK_K 32" in changes(config, choice.candidates[0]) for config in left_out)
    refused = range(1000)
    tuning._known.clear()
    for tune in (False, True):
        with pytest.warns(UserWarning, match="runs in eager mode"), pytest.raises(triton_compat.OutOfResources):
            flow.compile(lambda x: x @ x, tune=tune)(flow.zeros(65, 65, device="cuda", dtype=flow.float64))
