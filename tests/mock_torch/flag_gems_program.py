"""Kernels of the package flag-gems beside torch's ops in float64, as JSON: what is wrong, by name. Run by test_flag_gems.py.

FlagGems knows GPUs alone, and asks at its import for the name and the number of them. Here it is told of one. Its kernels, and what
it writes around them, are unchanged; they get tensors of the CPU.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import warnings
from types import SimpleNamespace
from typing import Any

import numpy
import torch

import tritonflow as flow

numbers = numpy.random.default_rng(0)
A, B, C = (torch.from_numpy(numbers.standard_normal((5, 7), numpy.float32)) for _ in range(3))
P = torch.from_numpy(numbers.uniform(0.1, 0.9, (5, 7)).astype(numpy.float32))
K, L = (torch.from_numpy(numbers.integers(1, 9, (5, 7))) for _ in range(2))
F = torch.nn.functional

# By the names of FlagGems' functions: the arguments, and what torch computes of them. Not here is argmin: its kernel has no mask, and
# reads behind a row of 7, as TRITONFLOW_CPU_CHECK=1 says.
CASES: dict[str, tuple[tuple[Any, ...], Any]] = {
    **{name: ((A,), getattr(torch, name)) for name in ("relu", "abs", "exp", "cos", "sin", "tanh", "sigmoid", "neg", "erf", "isnan", "isinf")},
    **{name: ((P,), getattr(torch, name)) for name in ("log", "sqrt", "rsqrt", "reciprocal")},
    **{name: ((A, B), getattr(torch, name)) for name in ("add", "sub", "mul", "lt", "le", "gt", "ge")},
    **{name: ((K, L), getattr(torch, name)) for name in ("eq", "ne", "logical_and", "logical_or")},
    "silu": ((A,), F.silu), "gelu": ((A,), F.gelu), "true_divide": ((A, P), torch.div), "pow_tensor_tensor": ((P, B), torch.pow),
    "bitwise_and_tensor": ((K, L), torch.bitwise_and), "bitwise_or_tensor": ((K, L), torch.bitwise_or), "bitwise_not": ((K,), torch.bitwise_not),
    "logical_not": ((K,), torch.logical_not), "clamp": ((A, -0.5, 0.5), torch.clamp),
    **{name: ((A,), getattr(torch, name)) for name in ("sum", "mean", "max", "min", "prod")},
    **{name: ((K,), getattr(torch, name)) for name in ("all", "any")},
    "sum_dim": ((A, [1]), torch.sum), "mean_dim": ((A, [1]), torch.mean), "prod_dim": ((A, 1), torch.prod), "amax": ((A, [1]), torch.amax),
    "max_dim": ((A, 1), torch.max), "argmax": ((A, 1), torch.argmax), "all_dim": ((K, 1), torch.all),
    "any_dim": ((K, 1), torch.any), "cumsum": ((A, 1), torch.cumsum), "softmax": ((A, 1), torch.softmax), "log_softmax": ((A, 1), torch.log_softmax),
    "var_mean": ((A, [1]), torch.var_mean), "vector_norm": ((A, 2, [1]), torch.linalg.vector_norm), "mm": ((A, B.T.contiguous()), torch.mm),
}  # fmt: skip


def imported() -> Any:
    """The package, told of a GPU."""
    os.environ["GEMS_VENDOR"] = "nvidia"
    facts = SimpleNamespace(name="H100", major=9, minor=0, multi_processor_count=4, total_memory=1 << 30, L2_cache_size=1 << 20)
    answers = {
        "get_device_name": "H100", "get_device_capability": (9, 0), "get_device_properties": facts, "current_device": 0,
        "device": contextlib.nullcontext(),
    }  # fmt: skip
    with flow.mock_torch.enable():
        import torch as mocked

        mocked.cuda.default_generators  # which is asked for before there seems to be a GPU
        for name, answer in answers.items():
            setattr(flow.cuda, name, lambda *args, answer=answer: answer)
        flow.cuda.device_count = mocked.cuda.device_count = lambda: 1
        import flag_gems
    return flag_gems.ops


def as_tuple(result: Any) -> tuple[Any, ...]:
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)


def compare(function: Any, args: tuple[Any, ...], reference: Any) -> None:
    mine = as_tuple(function(*[flow.from_torch(x) if isinstance(x, torch.Tensor) else x for x in args]))
    exact = [x.double() if isinstance(x, torch.Tensor) and x.is_floating_point() else x for x in args]
    theirs = as_tuple(reference(*exact))
    assert len(mine) == len(theirs)
    for got, wanted in zip(mine, theirs):
        assert tuple(got.shape) == tuple(wanted.shape), (got.shape, wanted.shape)
        numpy.testing.assert_allclose(got.numpy().astype(float), wanted.numpy().astype(float), rtol=1e-5, atol=1e-5)


def main() -> None:
    warnings.simplefilter("ignore")
    ops, wrong = imported(), {}
    for name, (args, reference) in CASES.items():
        try:
            compare(getattr(ops, name), args, reference)
        except Exception as error:
            wrong[name] = f"{type(error).__name__}: {error}"
    print(json.dumps({"tried": sorted(CASES), "wrong": wrong}), file=sys.__stdout__)


if __name__ == "__main__":
    main()
