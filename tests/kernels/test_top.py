"""kernels/top.py against torch's stable sort."""

import pytest
import torch
import triton.language as tl

from tests.kernels.harness import BACKENDS, CPU, compile_for, kernels, run, stride

module = kernels("top")
COMPUTE = {torch.float64: tl.float64, torch.int64: tl.int64, torch.bool: tl.int8}


def top(backend, x, keep, descending):
    """Along the last dimension of two, which may have any stride."""
    rows, n = x.shape
    values, order = torch.empty(rows, keep, dtype=x.dtype), torch.empty(rows, keep, dtype=torch.int64)
    sizes = (n, (rows,), (stride(x.stride(0)),), stride(x.stride(1)), (stride(keep),), stride(1), keep)
    constexprs = {"DESCENDING": descending, "COMPUTE": COMPUTE.get(x.dtype, tl.float32)}
    run(backend, module.top_few, (rows,), (x, values, order, *sizes), {**constexprs, "COLS": module.config(CPU, n)["COLS"]})
    return values, order


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("descending", [True, False])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float64, torch.int64, torch.bool])
@pytest.mark.parametrize(("n", "keep"), [(1, 1), (10, 10), (100, 7), (257, 16)])
def test_first_elements_in_order(backend, n, keep, dtype, descending):
    if backend == "interpreter" and n > 10:
        pytest.skip("too slow in Triton's interpreter")
    x = (torch.randn(3, n) * 8).to(dtype)  # many are equal where the type is narrow
    if dtype.is_floating_point and n > 9:
        x[0, ::9], x[1, 3], x[2] = float("nan"), -float("inf"), float("nan")
    values, order = top(backend, x, keep, descending)
    expected = x.sort(dim=1, stable=True, descending=descending)
    torch.testing.assert_close(values, expected.values[:, :keep], rtol=0, atol=0, equal_nan=True)
    assert torch.equal(order, expected.indices[:, :keep])


@pytest.mark.parametrize("backend", BACKENDS)
def test_strided(backend):
    x = torch.randn(40, 6).T
    values, order = top(backend, x, 5, True)
    expected = x.sort(dim=1, stable=True, descending=True)
    assert torch.equal(values, expected.values[:, :5]) and torch.equal(order, expected.indices[:, :5])


@pytest.mark.parametrize("arch", [80, 90])
def test_compiles_for_gpu(arch):
    x, order = torch.empty(8, 64), torch.empty(8, 4, dtype=torch.int64)
    sizes = (64, (8,), (64,), stride(1), (4,), stride(1), 4)
    for descending in (True, False):
        options = {"DESCENDING": descending, "COMPUTE": tl.float32, "COLS": 64}
        assert compile_for(arch, module.top_few, (x, x, order, *sizes), options).asm["ptx"]
