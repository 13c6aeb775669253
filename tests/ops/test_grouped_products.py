"""`grouped_mm`: products of groups whose ends a tensor holds, with both gradients, beside a product for each group in float64."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import tritonflow as flow
from tests.ops.sides import ours
from tritonflow.testing import assert_close

F = flow.nn.functional

SHAPES = {
    "rows": ((37, 20), (4, 20, 24)),
    "columns": ((4, 20, 24), (24, 37)),
    "depths": ((20, 37), (37, 24)),
}
ENDS = ([10, 10, 30, 37], [0, 1, 18, 33], [37, 37, 37, 37], [0, 0, 0, 0])


def expected(a: torch.Tensor, b: torch.Tensor, ends: list[int]) -> torch.Tensor:
    """A product for each group, by torch."""
    pieces = list(enumerate(zip([0, *ends], ends)))
    if a.ndim == b.ndim:
        return torch.stack([a[:, i:j] @ b[i:j] for _, (i, j) in pieces])
    if a.ndim == 2:
        rest = a.new_zeros(a.shape[0] - ends[-1], b.shape[2])
        return torch.cat([*[a[i:j] @ b[g] for g, (i, j) in pieces], rest])
    rest = a.new_zeros(a.shape[1], b.shape[1] - ends[-1])
    return torch.cat([*[a[g] @ b[:, i:j] for g, (i, j) in pieces], rest], 1)


def leaf(x: torch.Tensor) -> Any:
    return ours(x).requires_grad_()


@pytest.mark.sampled(most=6)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float64], ids=str)
@pytest.mark.parametrize("ends", ENDS, ids=str)
@pytest.mark.parametrize("form", SHAPES)
def test_against_a_product_for_each_group(form: str, ends: list[int], dtype: torch.dtype) -> None:
    torch.manual_seed(0)
    a, b = (torch.randn(shape).to(dtype) for shape in SHAPES[form])
    doubles = [x.double().requires_grad_() for x in (a, b)]
    y = expected(*doubles, ends)
    dy = torch.randn(y.shape).to(dtype)
    y.backward(dy.double())
    leaves = [leaf(a), leaf(b)]
    found = F.grouped_mm(*leaves, offs=ours(torch.tensor(ends, dtype=torch.int32)))
    found.backward(ours(dy))
    for mine, theirs in zip((found, *[x.grad for x in leaves]), (y, *[x.grad for x in doubles])):
        assert mine.dtype == leaves[0].dtype
        assert_close(mine.detach(), theirs.detach(), op_class="matmul", check_dtype=False, check_device=False)


@pytest.mark.parametrize("form", SHAPES)
def test_layouts_and_ends_of_64_bits(form: str) -> None:
    """Factors that lie transposed in memory, and ends that are every second number of a tensor."""
    a, b = (torch.randn((*shape[:-2], shape[-1], shape[-2])) for shape in SHAPES[form])
    ends = [4, 11, 11, 36]
    every = ours(torch.tensor(ends).repeat_interleave(2))[::2]
    found = F.grouped_mm(ours(a).transpose(-2, -1), ours(b).transpose(-2, -1), offs=every)
    assert_close(found, expected(a.double().mT, b.double().mT, ends), op_class="matmul", check_dtype=False, check_device=False)


@pytest.mark.parametrize("form", SHAPES)
def test_second_derivatives(form: str) -> None:
    a, b = (leaf(torch.randn([n // 4 or n for n in shape], dtype=torch.float64)) for shape in SHAPES[form])
    groups = next((x.shape[0] for x in (a, b) if x.ndim == 3), 2)
    ends = ours(torch.tensor([3, 7][:groups], dtype=torch.int32))
    assert flow.autograd.gradcheck(lambda a, b: F.grouped_mm(a, b, offs=ends), (a, b))
    assert flow.autograd.gradgradcheck(lambda a, b: F.grouped_mm(a, b, offs=ends), (a, b))


def test_complex_numbers() -> None:
    a, b = torch.randn(7, 4, dtype=torch.complex64), torch.randn(2, 4, 3, dtype=torch.complex64)
    found = F.grouped_mm(ours(a), ours(b), offs=ours(torch.tensor([2, 6], dtype=torch.int32)))
    doubles = expected(a.to(torch.complex128), b.to(torch.complex128), [2, 6])
    for part in ("real", "imag"):
        assert_close(getattr(found, part), getattr(doubles, part), op_class="matmul", check_dtype=False, check_device=False)


def test_nothing_to_multiply() -> None:
    none = ours(torch.zeros(0, dtype=torch.int32))
    assert F.grouped_mm(flow.ones(3, 4), flow.ones(0, 4, 5), offs=none).tolist() == [[0.0] * 5] * 3
    assert F.grouped_mm(flow.ones(3, 4), flow.ones(4, 5), offs=none).shape == (0, 3, 5)
    two = ours(torch.tensor([0, 0], dtype=torch.int32))
    assert F.grouped_mm(flow.ones(0, 4), flow.ones(2, 4, 5), offs=two).shape == (0, 5)
    assert F.grouped_mm(flow.ones(3, 0), flow.ones(2, 0, 5), offs=two).tolist() == [[0.0] * 5] * 3
    assert F.grouped_mm(flow.ones(3, 0), flow.ones(0, 5), offs=two).tolist() == [[[0.0] * 5] * 3] * 2


@pytest.mark.parametrize("ends", [[3, 2], [-1, 2], [2, 8]], ids=str)
@pytest.mark.parametrize("form", SHAPES)
def test_ends_that_do_not_rise_or_lie_outside(form: str, ends: list[int]) -> None:
    shapes = [[{37: 7}.get(n, 2 if n == 4 else n) for n in shape] for shape in SHAPES[form]]
    a, b = (ours(torch.randn(shape)) for shape in shapes)
    with pytest.raises(IndexError, match=r"offs must rise from 0 to 7 at most"):
        F.grouped_mm(a, b, offs=ours(torch.tensor(ends, dtype=torch.int32)))
        flow.sync()


def test_wrong_calls() -> None:
    a, b = flow.ones(3, 4), flow.ones(2, 4, 5)
    with pytest.raises(RuntimeError, match="matrix batch sizes have to match"):
        F.grouped_mm(a, b, offs=flow.tensor([1, 2, 3]))
    with pytest.raises(RuntimeError, match="offs has to be 1D"):
        F.grouped_mm(a, b, offs=flow.tensor([[1, 3]]))
    with pytest.raises(RuntimeError, match="have to be int32 or int64"):
        F.grouped_mm(a, b, offs=flow.tensor([1.0, 3.0]))
    with pytest.raises(RuntimeError, match="same dtype"):
        F.grouped_mm(a, b.double(), offs=flow.tensor([1, 3]))
