"""Calls that have nothing to do, such as a roll by 0 or a shuffle of one channel: whose memory the result is, against torch.

A result that shares the argument's memory where torch's does not changes with the argument, and nobody is told.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

import tritonflow as flow

Call = tuple[Callable[[Any, Any], Any], tuple[int, ...]]  # of the package and a tensor; the tensor's shape

IMAGE = (1, 4, 3, 3)
CALLS: dict[str, Call] = {
    "pixel_shuffle by 1": (lambda p, x: p.nn.functional.pixel_shuffle(x, 1), IMAGE),
    "pixel_shuffle of one pixel": (lambda p, x: p.nn.functional.pixel_shuffle(x, 2), (1, 4, 1, 1)),
    "pixel_unshuffle by 1": (lambda p, x: p.nn.functional.pixel_unshuffle(x, 1), IMAGE),
    "pixel_unshuffle to one pixel": (lambda p, x: p.nn.functional.pixel_unshuffle(x, 2), (1, 1, 2, 2)),
    "channel_shuffle of one group": (lambda p, x: p.channel_shuffle(x, 1), IMAGE),
    "channel_shuffle of groups of one": (lambda p, x: p.channel_shuffle(x, 4), IMAGE),
    "roll by 0": (lambda p, x: p.roll(x, 0), (3, 4)),
    "roll by the size": (lambda p, x: p.roll(x, 4, 1), (3, 4)),
    "rot90 by 0": (lambda p, x: p.rot90(x, 0), (3, 4)),
    "rot90 by 4": (lambda p, x: p.rot90(x, 4), (3, 4)),
    "flip of nothing": (lambda p, x: p.flip(x, ()), (3, 4)),
    "diff of order 0": (lambda p, x: p.diff(x, n=0), (3, 4)),
    "tile by 1": (lambda p, x: p.tile(x, (1,)), (3, 4)),
    "tile of one element": (lambda p, x: p.tile(x, (3,)), (1,)),
    "repeat by 1": (lambda p, x: x.repeat(1, 1), (3, 4)),
    "repeat of a number": (lambda p, x: x.repeat(3), ()),
    "repeat_interleave by 1": (lambda p, x: p.repeat_interleave(x, 1), (4,)),
    "repeat_interleave of a number": (lambda p, x: p.repeat_interleave(x, 3), ()),
    "repeat_interleave of rows of one": (lambda p, x: p.repeat_interleave(x, 3, 1), (2, 1)),
    "unfold to pixels": (lambda p, x: p.nn.functional.unfold(x, 1), IMAGE),
    "fold of pixels": (lambda p, x: p.nn.functional.fold(x, (3, 3), 1), (1, 4, 9)),
    "interpolate to the same size": (lambda p, x: p.nn.functional.interpolate(x, size=(3, 3)), IMAGE),
    "adaptive_avg_pool2d to the same size": (lambda p, x: p.nn.functional.adaptive_avg_pool2d(x, (3, 3)), IMAGE),
    "dropout of none": (lambda p, x: p.nn.functional.dropout(x, 0.0), (3, 4)),
    "dropout of an evaluation": (lambda p, x: p.nn.functional.dropout(x, 0.5, False), (3, 4)),
    "dropout2d of an evaluation": (lambda p, x: p.nn.functional.dropout2d(x, 0.5, False), IMAGE),
    "pad by 0": (lambda p, x: p.nn.functional.pad(x, (0, 0)), (3, 4)),
    "pad by 0, reflected": (lambda p, x: p.nn.functional.pad(x, (0, 0), mode="reflect"), (1, 3, 4)),
    "pad by -1, in a circle": (lambda p, x: p.nn.functional.pad(x, (-1, 0), mode="circular"), (1, 3, 4)),
    "pad by -1, replicated": (lambda p, x: p.nn.functional.pad(x, (-1, 2), mode="replicate"), (1, 3, 4)),
    "positive": (lambda p, x: p.positive(x), (3, 4)),
    "real": (lambda p, x: p.real(x), (3, 4)),
    "atleast_2d": (lambda p, x: p.atleast_2d(x), (3,)),
    "cartesian_prod of one": (lambda p, x: p.cartesian_prod(x), (3,)),
    "einsum of the same": (lambda p, x: p.einsum("ij->ij", x), (3, 4)),
    "einsum of the transpose": (lambda p, x: p.einsum("ij->ji", x), (3, 4)),
    "ravel": (lambda p, x: p.ravel(x), (3, 4)),
    "meshgrid of one": (lambda p, x: p.meshgrid(x, indexing="ij")[0], (3,)),
    "block_diag of one": (lambda p, x: p.block_diag(x), (3, 4)),
    "squeeze_copy": (lambda p, x: p.squeeze_copy(x), (3, 4)),
    "expand_copy": (lambda p, x: p.expand_copy(x, (3, 4)), (3, 4)),
    "column_stack of one": (lambda p, x: p.column_stack([x]), (3, 4)),
    "cat of one": (lambda p, x: p.cat([x]), (3, 4)),
    "renorm of short rows": (lambda p, x: p.renorm(x, 2, 0, 1e9), (3, 4)),
    "sort of a number": (lambda p, x: p.sort(x)[0], ()),
    "cumsum of a number": (lambda p, x: p.cumsum(x, 0), ()),
    "cummax of a number": (lambda p, x: p.cummax(x, 0)[0], ()),
    "median of a number": (lambda p, x: p.median(x), ()),
    "sum of a number": (lambda p, x: p.sum(x), ()),
    "sum of one row": (lambda p, x: p.sum(x, 0), (1, 4)),
    "amax of one row": (lambda p, x: p.amax(x, 0), (1, 4)),
    "quantile of one row": (lambda p, x: p.quantile(x, 0.5, 0), (1, 4)),
    "round to no decimals": (lambda p, x: p.round(x, decimals=0), (4,)),
    "tril of all": (lambda p, x: p.tril(x, 9), (3, 4)),
}


@pytest.mark.parametrize("name", CALLS)
def test_memory_is_shared_where_torchs_is(name: str) -> None:
    call, shape = CALLS[name]
    theirs = torch.linspace(0.1, 0.9, max(torch.Size(shape).numel(), 1)).reshape(shape)
    x = flow.tensor(theirs.numpy())
    expected, result = call(torch, theirs), call(flow, x)
    torch.testing.assert_close(flow.to_torch(result), expected)
    assert (result.impl is x.impl) == (expected.untyped_storage().data_ptr() == theirs.untyped_storage().data_ptr())
    if 0 not in expected.stride():
        assert 0 not in [step for step, n in zip(result.stride(), result.shape) if n > 1]


@pytest.mark.parametrize("name", ["scatter_reduce", "index_reduce"])
def test_a_second_derivative_of_products_with_two_zeros_is_refused(name: str) -> None:
    """Torch refuses it, too: the first derivative is 0, the second one is not."""
    x = flow.tensor([1.5, 2.5], dtype=flow.float64, requires_grad=True)
    index = flow.tensor([1, 0, 1])
    for numbers, refused in (([0.0, 2.0, 3.0], False), ([0.0, 2.0, 0.0], True)):
        source = flow.tensor(numbers, dtype=flow.float64, requires_grad=True)
        y = getattr(x, name)(0, index, source, "prod")
        if refused:
            with pytest.raises(RuntimeError, match="Double backward is unsupported"):
                flow.autograd.grad(y.sum(), source, create_graph=True)
        else:
            (first,) = flow.autograd.grad(y.sum(), source, create_graph=True)
            (second,) = flow.autograd.grad(first.sum(), source)
            assert (first.tolist(), second.tolist()) == ([7.5, 1.5, 0.0], [2.5, 0.0, 2.5])
