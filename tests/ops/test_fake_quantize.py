"""`fake_quantize_per_tensor_affine` and `..._per_channel_affine`: torch's numbers, gradients of what is in the range, errors."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import tritonflow as flow
from tests.ops.sides import ours


def exact(x: torch.Tensor, scale: torch.Tensor, zero: torch.Tensor, least: int, greatest: int) -> tuple[torch.Tensor, torch.Tensor]:
    """In float64, by the float32 inverse that torch multiplies by; and where the code is in the range."""
    code = (x.float() * (1 / scale.float())).round().double() + zero.double()
    return (code.clamp(least, greatest) - zero.double()) * scale.double(), (code >= least) & (code <= greatest)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16], ids=str)
@pytest.mark.parametrize("tensors", [False, True])
def test_per_tensor(dtype: torch.dtype, tensors: bool) -> None:
    torch.manual_seed(0)
    x = torch.cat([torch.randn(5, 40) * 3, torch.arange(-20, 20)[None] / 8]).to(dtype)  # ties, too
    scale, zero = torch.tensor(0.25), torch.tensor(3, dtype=torch.int32)
    leaf, dy = ours(x).requires_grad_(), torch.randn(6, 40).to(dtype)
    given = (ours(scale), ours(zero)) if tensors else (0.25, 3)
    y = flow.fake_quantize_per_tensor_affine(leaf, *given, -8, 7)
    (dx,) = flow.autograd.grad(y, leaf, ours(dy), create_graph=True)
    wanted, inside = exact(x, scale, zero, -8, 7)
    assert torch.equal(flow.to_torch(y.detach()), wanted.to(dtype)) and y.dtype is leaf.dtype
    assert torch.equal(flow.to_torch(dx.detach()), torch.where(inside, dy, 0)) and 0 < int(inside.sum()) < inside.numel()
    if dtype == torch.float32:
        assert torch.equal(flow.to_torch(y.detach()), torch.fake_quantize_per_tensor_affine(x, 0.25, 3, -8, 7))


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_per_channel(axis: int) -> None:
    torch.manual_seed(0)
    x = torch.randn(4, 5, 6).transpose(0, 2) * 4
    channels = x.shape[axis]
    scale, zero = torch.rand(channels) + 0.1, torch.randint(-3, 4, (channels,), dtype=torch.int32)
    theirs = x.clone().requires_grad_()
    torch.fake_quantize_per_channel_affine(theirs, scale, zero, axis, -8, 7).square().sum().backward()
    leaf = ours(x).requires_grad_()
    y = flow.fake_quantize_per_channel_affine(leaf, ours(scale), ours(zero), axis, -8, 7)
    y.square().sum().backward()
    shape = [channels if dim == axis else 1 for dim in range(3)]
    wanted, inside = exact(x, scale.reshape(shape), zero.reshape(shape), -8, 7)
    assert torch.allclose(flow.to_torch(y.detach()).double(), wanted, rtol=1e-6, atol=0)
    assert torch.allclose(flow.to_torch(leaf.grad), theirs.grad, rtol=1e-5) and bool((~inside).any())


def test_graphs_and_what_is_not_finite() -> None:
    x = flow.tensor([0.3, float("inf"), float("-inf"), float("nan"), 1e30])

    def call(x: Any) -> Any:
        return flow.fake_quantize_per_tensor_affine(x * 1.0, 0.5, 0, -8, 7)

    for found in (call(x), flow.compile(call)(x)):
        values = found.tolist()
        assert values[:3] == [0.5, 3.5, -4.0] and values[3] != values[3] and values[4] == 3.5
    assert flow.fake_quantize_per_tensor_affine(flow.ones(0, 3), 0.5, 0, -8, 7).shape == (0, 3)
    wide = flow.fake_quantize_per_tensor_affine(flow.tensor([0.3], dtype=flow.float64), 0.5, 0, -8, 7)
    assert wide.dtype is flow.float64 and wide.tolist() == [0.5]


def test_bad_operands_are_refused() -> None:
    x, scale, zero = flow.ones(2, 3), flow.ones(3), flow.zeros(3, dtype=flow.int32)
    tensor, channel = flow.fake_quantize_per_tensor_affine, flow.fake_quantize_per_channel_affine
    for message, call in (
        ("less than or equal to `quant_max`", lambda: tensor(x, flow.tensor(0.5), flow.tensor(8), 8, 7)),
        ("`zero_point` must be between", lambda: tensor(x, 0.5, 9, -8, 7)),
        (r"expected scale to be one number, but got \[3\]", lambda: tensor(x, scale, zero, -8, 7)),
        ("an input of a floating dtype", lambda: tensor(zero, 0.5, 0, -8, 7)),
        (r"expected zero_point to be \[3\] numbers", lambda: channel(x, scale, zero[:2], 1, -8, 7)),
        ("`axis` must be between 0", lambda: channel(x, scale, zero, 2, -8, 7)),
        ("constants, and have no gradient", lambda: channel(x, scale.clone().requires_grad_(), zero, 1, -8, 7)),
    ):
        with pytest.raises(RuntimeError, match=message):
            call()
