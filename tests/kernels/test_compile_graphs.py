"""Every kernel that graphs generate, compiled for GPUs: training steps of a few models, captured on a stand-in for a GPU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

import tritonflow as flow
from bench.gpt import block
from tests.kernels.compile_sweep import GPU, Request, on_gpu, sweep

nn = flow.nn


def convolutions() -> Any:
    return nn.Sequential(
        nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.SiLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(8 * 16, 5), nn.Softmax(1)
    )


MODELS: dict[str, tuple[Callable[[], Any], tuple[int, ...]]] = {
    "mlp": (lambda: nn.Sequential(nn.Linear(20, 30), nn.Tanh(), nn.Linear(30, 30), nn.Softplus(), nn.Linear(30, 4)), (8, 20)),
    "convolutions": (convolutions, (4, 3, 8, 8)),
    "block": (lambda: block(flow, 64, heads=4, causal=False, dropout=0.1), (4, 16, 64)),
    "dropout": (lambda: nn.Sequential(nn.Linear(20, 256), nn.Dropout(0.1), nn.Tanh(), nn.Linear(256, 4)), (256, 20)),
}


def generated(name: str, dtype: Any) -> list[Request]:
    """What the generated functions of a model's training step are compiled from."""
    make, shape = MODELS[name]
    with sweep() as found:
        model = make().to(GPU)

        class Train(nn.Graph):
            def __init__(self) -> None:
                super().__init__()
                self.model = model
                self.add_optimizer(flow.optim.AdamW(model.parameters(), lr=0.1))

            def build(self, x: flow.Tensor) -> flow.Tensor:
                with flow.autocast("cuda", dtype=dtype, enabled=dtype is not flow.float32):
                    loss = ((self.model(x) - 1.0) ** 2).mean()
                loss.backward()
                return loss

        Train()(on_gpu(torch.randn(shape)))
    return [request for request in found.requests if _is_generated(request)]


def _is_generated(request: Request) -> bool:
    functions = [request.fn, *request.constexprs.values()]
    return any(str(getattr(function, "__module__", "")).startswith("tritonflow_fused") for function in functions)


def test_a_compiled_function_is_launched() -> None:
    with sweep() as found:
        flow.compile(lambda x: flow.relu(x) * 2)(on_gpu(torch.ones(4)))
    assert len(found.launches) == 1 and _is_generated(found.launches[0].request)


@pytest.mark.long
@pytest.mark.parametrize("dtype", [flow.float32, flow.float16, flow.bfloat16], ids=str)
@pytest.mark.parametrize("name", MODELS)
def test_generated_kernels_compile_for_gpus(name: str, dtype: Any) -> None:
    requests = generated(name, dtype)
    assert requests, "nothing was fused"
    for request in requests:
        for arch in (80, 90):
            assert request.compile(arch).asm["cubin"], f"{request} for sm_{arch}"
