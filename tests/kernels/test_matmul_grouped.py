"""kernels/matmul_grouped.py against a product for each group."""

import pytest
import torch

from tests.kernels.harness import BACKENDS, kernels, run, stride, strides
from tritonflow.testing import assert_close, in_float64

module = kernels("matmul_grouped")
BLOCKS = {"DOT": True, "PRECISION": "ieee", "BLOCK_M": 16, "BLOCK_N": 16, "BLOCK_K": 16}


def error_word():
    return torch.zeros(1, dtype=torch.int32)


def launch_rows(backend, a, b, ends, group_m=2):
    """The product by as many programs as there are tiles at most, and some more, which have nothing to do."""
    (m, k), (groups, _, n) = a.shape, b.shape
    out, err = torch.full((m, n), float("nan"), dtype=a.dtype), error_word()
    tiles = (m + (groups + 1) * 15) // 16 * -(-n // 16)
    args = (a, b, ends, out, err, m, n, k, groups, stride(ends.stride(0)), strides(a), strides(b), strides(out))
    run(backend, module.rows, (tiles + 5,), args, BLOCKS | {"GROUP_M": group_m, "GROUPS": 8})
    return out, err.item()


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("group_m", [1, 2])
@pytest.mark.parametrize("ends", [[5, 5, 40, 45], [0, 20, 20, 33], [0, 0, 0, 0]], ids=str)
def test_rows(backend, ends, group_m):
    a, b = torch.randn(45, 20), torch.randn(4, 20, 24)
    expected = torch.zeros(45, 24, dtype=torch.float64)
    for g, (i, j) in enumerate(zip([0, *ends], ends)):
        expected[i:j] = a[i:j].double() @ b[g].double()
    found, bad = launch_rows(backend, a, b, torch.tensor(ends), group_m)
    assert_close(found, in_float64(expected), op_class="matmul")
    assert not bad


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("ends", [[5, 4, 40, 45], [-1, 20, 20, 33], [5, 5, 5, 46], [1 << 40, -(1 << 40), 3, 4]], ids=str)
def test_bad_ends_are_reported_and_nothing_outside_is_written(backend, ends):
    whole = torch.zeros(3, 45, 24)
    a, b = torch.randn(45, 20), torch.randn(4, 20, 24)
    out, err, at = whole[1], error_word(), torch.tensor(ends)
    args = (a, b, at, out, err, 45, 24, 20, 4, stride(1), strides(a), strides(b), strides(out))
    run(backend, module.rows, (20,), args, BLOCKS | {"GROUP_M": 1, "GROUPS": 8})
    assert err.item() == 1
    assert not whole[0].any() and not whole[2].any()


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("ends", "bad"), [([5, 5, 40, 45], False), ([0, 20, 20, 33], False), ([5, 4, 45, 46], True)], ids=str)
def test_depths(backend, ends, bad):
    a, b = torch.randn(20, 45), torch.randn(45, 24)
    out, err, at = torch.full((4, 20, 24), float("nan")), error_word(), torch.tensor(ends, dtype=torch.int32)
    args = (a, b, at, out, err, 20, 24, 45, 4, stride(1), strides(a), strides(b), strides(out))
    run(backend, module.depths, (2 * 2 * 4,), args, BLOCKS | {"GROUP_M": 2})
    assert err.item() == bad
    if not bad:
        expected = torch.stack([a[:, i:j].double() @ b[i:j].double() for i, j in zip([0, *ends], ends)])
        assert_close(out, in_float64(expected), op_class="matmul")
