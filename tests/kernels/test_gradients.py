"""kernels/gradients.py against torch."""

import math

import pytest
import torch

from tests.kernels.harness import BACKENDS, GPU, Scalar, compile_for, kernels, run
from tests.kernels.multi_tensor import TRITON, Tables
from tritonflow.testing import assert_close, in_float64

module, reductions = kernels("gradients"), kernels("reductions")
SHAPES = [(3,), (40, 50), (1,), (0,), (2500,)]
DTYPES = [torch.float32, torch.float64, torch.bfloat16]
KINDS = {1: ("sum_of_abs", "add", 1), 2: ("sum_of_squares", "add", 2), math.inf: ("max_of_abs", "max", 1)}
KINDS |= {-math.inf: ("min_of_abs", "min", 1), 0: ("count_nonzero", "add", 1), 3: ("sum", "add", 0), 0.5: ("sum", "add", 0)}


def gradients(dtype):
    return [torch.randn(s, dtype=torch.float64).to(dtype) for s in SHAPES]


def parts(order):
    start, combine, root = KINDS[order]
    names = {"START": f"start_{start}", "COMBINE": f"combine_{combine}", "REDUCE": f"reduce_{combine}"}
    return {**{k: getattr(reductions, v) for k, v in names.items()}, "ROOT": root}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("order", KINDS)
def test_norms(backend, dtype, order):
    mine = gradients(dtype)
    tables = Tables(mine, width=2)
    wide = torch.float64 if dtype == torch.float64 else torch.float32
    norms = torch.full((tables.programs,), math.nan, dtype=wide)
    tables.run(backend, module.norms, (norms,), (float(order),), GRADIENT=TRITON[dtype], **parts(order))
    expected = torch.linalg.vector_norm(torch.cat([g.double().flatten() for g in mine]), order)
    tolerance = 1e-12 if dtype == torch.float64 else 1e-5
    torch.testing.assert_close(torch.linalg.vector_norm(norms.double(), order or 1), expected, rtol=tolerance, atol=0)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("order", [1, 2, math.inf, 3])
@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_norms_of_what_is_not_finite(backend, order, bad):
    mine = gradients(torch.float32)
    mine[1][7, 8] = bad
    tables = Tables(mine, width=2)
    norms = torch.zeros(tables.programs)
    tables.run(backend, module.norms, (norms,), (float(order),), GRADIENT=TRITON[torch.float32], **parts(order))
    expected = [torch.linalg.vector_norm(c.double(), order) for g in mine for c in g.flatten().split(1024) if g.numel()]
    assert_close(norms, in_float64(torch.stack(expected)), rtol=1e-5, atol=0, equal_nan=True)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("norm", [0.5, 4.0, math.inf, math.nan])
def test_scale_to_norm(backend, dtype, norm):
    mine = gradients(dtype)
    expected = [g.double() * torch.clamp(2.0 / (torch.tensor(norm, dtype=torch.float64) + 1e-6), max=1.0) for g in mine]
    tables = Tables(mine, width=2)
    tables.run(backend, module.scale_to_norm, (torch.tensor(norm),), (2.0,), GRADIENT=TRITON[dtype])
    tolerance = 8e-3 if dtype == torch.bfloat16 else 1e-6
    for got, wanted in zip(mine, expected):
        assert_close(got, in_float64(wanted, dtype), rtol=tolerance, atol=tolerance, equal_nan=True)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_clip(backend, dtype):
    mine = gradients(dtype)
    mine[0][:2] = torch.tensor([math.nan, -math.inf])
    expected = [g.clamp(-0.5, 0.5) for g in mine]
    Tables(mine, width=2).run(backend, module.clip, (), (0.5,), GRADIENT=TRITON[dtype])
    for got, wanted in zip(mine, expected):
        torch.testing.assert_close(got, wanted, rtol=0, atol=0, equal_nan=True)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.float64])
@pytest.mark.parametrize("bad", [None, math.nan, -math.inf])
def test_unscale(backend, dtype, bad):
    mine = gradients(dtype)
    if bad is not None:
        mine[4][2400] = bad
    expected = [g.clone() for g in mine]
    found = torch.zeros(())
    torch._amp_foreach_non_finite_check_and_unscale_(expected, found, torch.tensor(1 / 8.0))
    found_inf = torch.zeros(1)
    Tables(mine, width=2).run(backend, module.unscale, (torch.tensor(8.0), found_inf), GRADIENT=TRITON[dtype])
    assert found_inf.item() == found.item()
    for got, wanted in zip(mine, expected):
        torch.testing.assert_close(got, wanted, rtol=0, atol=0, equal_nan=True)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("scale", [8.0, 3e38])
@pytest.mark.parametrize("successes", [0, 2])
@pytest.mark.parametrize("bad", [0.0, 1.0, 2.0])
def test_update_scale(backend, scale, successes, bad):
    mine = torch.tensor(scale), torch.tensor(successes, dtype=torch.int32)
    theirs = mine[0].clone(), mine[1].clone()
    torch._amp_update_scale_(*theirs, torch.tensor(bad), 2.0, 0.5, 3)
    scalars = (Scalar(2.0, "fp32"), Scalar(0.5, "fp32"), 3)
    run(backend, module.update_scale, (1,), (*mine, torch.tensor(bad), *scalars))
    assert mine[0] == theirs[0] and mine[1] == theirs[1]


@pytest.mark.parametrize("arch", [80, 90])
def test_compiles(arch):
    tables = Tables([torch.zeros(10, dtype=torch.float16)], width=2)
    number = torch.zeros(())
    types = {"GRADIENT": TRITON[torch.float16], **kernels("multi_tensor").config(GPU)["constexprs"]}
    for order in KINDS:
        assert compile_for(arch, module.norms, tables.args((number,), (2.0,)), {**parts(order), **types}).asm["ptx"]
    assert compile_for(arch, module.scale_to_norm, tables.args((number,), (2.0,)), types).asm["ptx"]
    assert compile_for(arch, module.clip, tables.args((), (2.0,)), types).asm["ptx"]
    assert compile_for(arch, module.unscale, tables.args((number, number), ()), types).asm["ptx"]
    args = (number, torch.zeros((), dtype=torch.int32), number, Scalar(2.0, "fp32"), Scalar(0.5, "fp32"), 2000)
    assert compile_for(arch, module.update_scale, args).asm["ptx"]
