"""Functions of whole rows in the template of fused kernels, beside torch: ragged rows, tails, every dtype, and compiled for GPUs."""

from __future__ import annotations

from typing import Any

import pytest
import torch
import torch.nn.functional as F

import tritonflow as flow
from tests.kernels.harness import compile_for, computed_in_float64, kernels, run, stride
from tritonflow.device.torch_exchange import to_torch_dtype
from tritonflow.ops.function_source import Operation, write_function
from tritonflow.testing import assert_close

elementwise = kernels("elementwise")


def normalised(x: Any, w: Any) -> Any:
    mean, var = x.mean(-1, keepdim=True), x.var(-1, correction=0, keepdim=True)
    return F.layer_norm(x, x.shape[-1:], w, eps=0.5), mean, (var + 0.5).rsqrt()


def normalised_gradient(dy: Any, x: Any, mean: Any, rstd: Any) -> Any:
    leaf = x.detach().requires_grad_()
    y = (leaf - leaf.mean(-1, keepdim=True)) * (leaf.var(-1, correction=0, keepdim=True) + 0.5).rsqrt()
    return (torch.autograd.grad(y, leaf, dy)[0],)


def gradient(function: Any) -> Any:
    def of(dy: Any, y: Any) -> Any:
        leaf = y.detach().requires_grad_()
        return (torch.autograd.grad(function(leaf, -1), leaf, dy)[0],)

    return of


# name: (whole operands, numbers of rows and other arguments, reference of the operands, how many results are whole)
CASES: dict[str, Any] = {
    "row_sum": (["x"], [], lambda x: (x.sum(-1, keepdim=True),), 0),
    "row_mean": (["x"], [], lambda x: (x.mean(-1, keepdim=True),), 0),
    "row_amax": (["x"], [], lambda x: (x.amax(-1, keepdim=True),), 0),
    "row_amin": (["x"], [], lambda x: (x.amin(-1, keepdim=True),), 0),
    "row_var": (["x"], ["correction=1"], lambda x: (x.var(-1, keepdim=True),), 0),
    "row_std": (["x"], ["correction=0"], lambda x: (x.std(-1, correction=0, keepdim=True),), 0),
    "row_var_mean": (["x"], ["correction=1"], lambda x: torch.var_mean(x, -1, keepdim=True), 0),
    "row_softmax": (["x"], [], lambda x: (F.softmax(x, -1),), 1),
    "row_log_softmax": (["x"], [], lambda x: (F.log_softmax(x, -1),), 1),
    "row_softmax_grad": (["dy", "softmax"], [], gradient(F.softmax), 1),
    "row_log_softmax_grad": (["dy", "log_softmax"], [], gradient(F.log_softmax), 1),
    "row_layer_norm": (["x", "w"], ["center=True"], normalised, 1),
    "row_layer_norm_grad": (["dy", "x", "mean", "rstd"], ["center=True"], normalised_gradient, 1),
}


def operands(names: list[str], rows: int, cols: int, dtype: Any) -> tuple[list[Any], list[Any]]:
    """What the kernel reads, and what the reference reads in its place."""
    x = (torch.randn(rows, cols, dtype=torch.float64) * 2).to(dtype)
    _, mean, rstd = normalised(x.double(), torch.ones(cols, dtype=torch.float64))
    known = {
        "x": x, "dy": torch.randn(rows, cols).to(dtype), "w": torch.rand(cols).to(dtype), "softmax": F.softmax(x.double(), -1).to(dtype),
        "log_softmax": F.log_softmax(x.double(), -1).to(dtype), "mean": mean.to(dtype), "rstd": rstd.to(dtype),
    }  # fmt: skip
    given = [known[name] for name in names]
    return given, [x if "softmax" in name else known[name] for name in names]


def function(name: str, dtype: Any) -> Any:
    """The row function with the arguments of a fused one."""
    names, fixed, _, _ = CASES[name]
    results = ["y", "mean", "rstd"] if name == "row_layer_norm" else ["y", "z"] if name == "row_var_mean" else ["y"]
    given = [*[(n, dtype) for n in names], *([("None", dtype), ("0.5", dtype)] if name == "row_layer_norm" else [])]
    given += [("None", dtype)] if name == "row_layer_norm_grad" else []
    operation = Operation(f"rows.{name}", [(r, dtype) for r in results], given, dtype, ("mask", "count", *fixed))
    return write_function(f"alone_{name}", ["mask", "count", *names], [operation], results)


def arguments(names: list[str], xs: list[Any], outs: list[Any], rows: int, cols: int) -> tuple[Any, ...]:
    steps = {"w": (0, 1), "mean": (1, 0), "rstd": (1, 0)}
    x_strides = tuple(tuple(map(stride, steps.get(name, (cols, 1)))) for name in names)
    out_strides = tuple((stride(cols), stride(1)) if out.shape[-1] == cols else (stride(1), stride(0)) for out in outs)
    return (tuple(xs), tuple(outs), rows, (rows, cols), x_strides, out_strides)


def constants(name: str, dtype: Any, rows: int, cols: int) -> dict[str, Any]:
    names, _, _, whole = CASES[name]
    tiles = sum(n not in ("mean", "rstd") for n in names)
    return {"FN": function(name, dtype), "X_TILES": tiles, "OUT_TILES": whole, "ROWS": rows, "COLS": cols}


@pytest.mark.parametrize(
    "backend", ("cpu", *(pytest.param(f"cpu {t}", marks=pytest.mark.hours) for t in ("avx2", "baseline")))
)
@pytest.mark.parametrize("dtype", (flow.float32, flow.float64), ids=lambda d: d.name)
@pytest.mark.parametrize("name", CASES)
@pytest.mark.sampled(most=9)
def test_rows(backend: str, name: str, dtype: Any) -> None:
    for rows, cols, block in ((1, 2, 2), (7, 33, 64), (5, 64, 64), (3, 300, 512)):
        xs, given = operands(CASES[name][0], rows, cols, to_torch_dtype(dtype))
        expected = computed_in_float64(CASES[name][2], *given)
        outs = [torch.full(e.values.shape, 77, dtype=to_torch_dtype(dtype)) for e in expected]
        fixed = constants(name, dtype, 4, block)
        run(backend, elementwise.whole_rows, (-(-rows // 4),), arguments(CASES[name][0], xs, outs, rows, cols), fixed)
        for out, e in zip(outs, expected):
            tolerance = 1e-5 if dtype is flow.float32 else 1e-9
            assert_close(out, e, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("arch", (80, 90))
@pytest.mark.parametrize("name", CASES)
def test_rows_compile_for_gpus(arch: int, name: str) -> None:
    names, _, reference, _ = CASES[name]
    xs, given = operands(names, 4, 40, torch.float32)
    args = arguments(names, xs, list(reference(*given)), 4, 40)
    assert compile_for(arch, elementwise.whole_rows, args, constants(name, flow.float32, 4, 64)).asm["cubin"]
