"""kernels/radix_sort.py, as sort and topk launch it on a CPU, against torch's stable sort."""

from __future__ import annotations

import pytest
import torch

import tritonflow as flow
from tests.kernels.harness import kernels, run, stride

module = kernels("radix_sort")
EXTREMES = {
    torch.float32: (-0.0, 0.0, float("inf"), float("-inf"), float("nan"), 1e-45, -1e-45, 3e38, -3e38),
    torch.float64: (-0.0, 0.0, float("inf"), float("-inf"), float("nan"), 5e-324, -1e308),
    torch.bfloat16: (-0.0, 0.0, float("inf"), float("-inf"), float("nan"), 1e-40, -3e38),
    torch.float16: (-0.0, 0.0, float("inf"), float("-inf"), float("nan"), 6e-8, -65504),
    torch.int64: (-(2**63), 2**63 - 1, -1, 2**32, -(2**32), 255, -256),
    torch.int32: (-(2**31), 2**31 - 1, -1, 255, -256, 65536),
    torch.int16: (-(2**15), 2**15 - 1, -1, 255, -256),
    torch.int8: (-128, 127, -1, 0),
    torch.uint8: (0, 255, 127, 128),
    torch.bool: (False, True),
}


def same(x: torch.Tensor, dim: int, descending: bool, keep: int) -> None:
    ours = flow.sort(flow.from_torch(x), dim, descending) if keep == x.shape[dim] else None
    ours = ours or flow.topk(flow.from_torch(x), keep, dim, descending)
    expected = torch.sort(x, dim=dim, descending=descending, stable=True)
    for y, z in zip(ours, expected):
        torch.testing.assert_close(flow.to_torch(y), z.narrow(dim, 0, keep), rtol=0, atol=0, equal_nan=True)


@pytest.mark.parametrize("n", [70, pytest.param(1100, marks=pytest.mark.long)])
@pytest.mark.parametrize(
    "dtype",
    [pytest.param(d, marks=[pytest.mark.long] * (d is not torch.float32)) for d in EXTREMES],
    ids=str,
)
def test_dtypes(dtype: torch.dtype, n: int) -> None:
    """Extremes, ties, both zeros and NaN."""
    some = torch.tensor(EXTREMES[dtype], dtype=dtype)
    x = torch.cat([some[torch.randint(0, len(some), (3, n // 2))], torch.randn(3, n - n // 2).mul(9).to(dtype)], 1)
    for descending in (False, True):
        same(x, 1, descending, n)


@pytest.mark.parametrize("shape, dim", [((70, 3, 2), 0), ((3, 70, 2), 1)])
def test_dimensions(shape: tuple[int, ...], dim: int) -> None:
    same(torch.randn(shape), dim, False, 70)


def test_more_rows_than_programs() -> None:
    x = torch.randint(0, 300, (3 * module.PROGRAMS + 1, 66))
    same(x, 1, True, 66)
    same(x, 1, False, 40)


@pytest.mark.parametrize("backend", ["interpreter", "cpu"])
def test_kernel(backend: str) -> None:
    """Digits of 8 bits of keys of 16 bits, of which one digit is the same everywhere."""
    x = torch.randint(0, 9, (3, 20), dtype=torch.int16)
    values, order = torch.empty_like(x), torch.empty(3, 20, dtype=torch.int64)
    keys, positions, counts = (torch.empty(size, dtype=torch.int32) for size in (80, 80, 2 * 2 * 256))
    layout = (20, (3,), (20,), stride(1), (20,), stride(1), 20)
    arguments = (x, values, order, keys, positions, counts, 3, 2, *layout)
    constants = {"DESCENDING": False, "WIDTH": 16, "BITS": 8, "BLOCK": 16}
    run(backend, module.radix_sort, (2,), arguments, constants)
    expected = torch.sort(x, dim=1, stable=True)
    assert torch.equal(values, expected.values) and torch.equal(order, expected.indices)
