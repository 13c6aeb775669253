"""Sizes that no memory has are an error at once: nothing runs for minutes, and nothing takes the memory first."""

from __future__ import annotations

import time

import pytest
import torch

import tritonflow as flow

HUGE, LARGE = 1 << 60, 1 << 40
F = flow.nn.functional
MAXIMA = flow.zeros(1, 1, 2, 2, dtype=flow.int64)

CALLS = {
    "max_unpool2d, two negative sizes": lambda: F.max_unpool2d(flow.rand(1, 1, 2, 2), MAXIMA, -44717, 2),
    "max_unpool2d, stride": lambda: F.max_unpool2d(flow.rand(1, 1, 2, 2), MAXIMA, 2, LARGE),
    "combinations": lambda: flow.combinations(flow.arange(1 << 12), 9),
    "combinations, half": lambda: flow.combinations(flow.arange(1 << 12), 1 << 11),
    "combinations, again": lambda: flow.combinations(flow.arange(1 << 12), 5, with_replacement=True),
    "combinations of one": lambda: flow.combinations(flow.arange(1), LARGE, with_replacement=True),
    "cartesian_prod": lambda: flow.cartesian_prod(*[flow.arange(1 << 14)] * 6),
    "tensor_split": lambda: flow.tensor_split(flow.ones(3), 1 << 31),
    "chunk": lambda: flow.ones(0).chunk(1 << 31),
    "avg_pool1d": lambda: F.avg_pool1d(flow.ones(1, 1, 4), 2 * LARGE, 1, LARGE),
    "max_pool2d": lambda: F.max_pool2d(flow.ones(1, 1, 4, 4), 1 << 20, 1, 1 << 19),
    "lp_pool1d": lambda: F.lp_pool1d(flow.ones(1, 1, 4), 2, LARGE),
    "pad_packed_sequence": lambda: flow.nn.utils.rnn.pad_packed_sequence(
        flow.nn.utils.rnn.pack_sequence([flow.ones(2)]), total_length=HUGE
    ),
    "repeat_interleave, a sum of 2^64": lambda: flow.ones(4).repeat_interleave(flow.full((4,), 1 << 62)),
    "repeat_interleave": lambda: flow.ones(2).repeat_interleave(flow.tensor([LARGE, LARGE])),
    "repeat": lambda: flow.ones(3).repeat(1 << 32, 1 << 32),
    "bincount": lambda: flow.bincount(flow.tensor([HUGE])),
    "one_hot": lambda: F.one_hot(flow.tensor([LARGE])),
    "histc": lambda: flow.histc(flow.ones(3), bins=LARGE),
    "pad": lambda: F.pad(flow.ones(3), (HUGE, HUGE)),
    "arange": lambda: flow.arange(0, 1, 1e-30),
    "linspace": lambda: flow.linspace(0, 1, HUGE),
    "adaptive_avg_pool1d": lambda: F.adaptive_avg_pool1d(flow.ones(1, 1, 4), HUGE),
    "conv_transpose2d": lambda: F.conv_transpose2d(flow.ones(1, 1, 3, 3), flow.ones(1, 1, 2, 2), stride=LARGE),
    "interpolate": lambda: F.interpolate(flow.ones(1, 1, 3), scale_factor=1e30),
    "interpolate, without end": lambda: F.interpolate(flow.ones(1, 1, 3), scale_factor=float("inf")),
    "interpolate, no number": lambda: F.interpolate(flow.ones(1, 1, 3, 3), scale_factor=float("nan")),
    "fft": lambda: flow.fft.fft(flow.ones(3), n=HUGE),
    "vander": lambda: flow.linalg.vander(flow.ones(3), N=HUGE),
    "randperm": lambda: flow.randperm(HUGE),
    "multinomial": lambda: flow.multinomial(flow.ones(3), HUGE, replacement=True),
    "Embedding": lambda: flow.nn.Embedding(1 << 50, 1 << 12),
    "as_strided": lambda: flow.as_strided(flow.ones(3), (2, 2, 2, 2, 2), (1 << 62,) * 5),
    "a sum of an expanded tensor": lambda: flow.ones(1).expand(1 << 62) + 1,
}


@pytest.mark.parametrize("name", CALLS)
def test_an_error_at_once(name):
    begin = time.monotonic()
    with pytest.raises((RuntimeError, ValueError, IndexError)) as caught:
        CALLS[name]()
    assert str(caught.value) and time.monotonic() - begin < 10


@pytest.mark.parametrize("again", [False, True])
@pytest.mark.parametrize(("n", "r"), [(0, 1), (0, 3), (1, 3), (3, 3), (5, 3), (5, 1), (2, 4), (3, 0)])
def test_combinations_are_torchs(n, r, again):
    mine, theirs = (lib.combinations(lib.arange(n), r, again) for lib in (flow, torch))
    assert tuple(mine.shape) == tuple(theirs.shape) and mine.tolist() == theirs.tolist()


@pytest.mark.parametrize("options", [(2, 1, 1, 2), (3, 1, 1, 4), (4, 2, 2, 2)])
def test_far_taps_of_max_pooling(options):
    """An input is in at most as many windows as there are, however far their taps are from each other."""
    kernel, step, padding, dilation = options
    x = torch.randn(1, 2, 9, dtype=torch.float64)
    grads = []
    for lib in (flow, torch):
        leaf = lib.tensor(x.tolist(), dtype=lib.float64, requires_grad=True)
        y = lib.nn.functional.max_pool1d(leaf, kernel, step, padding, dilation)
        y.square().sum().backward()
        grads.append(leaf.grad.tolist())
    assert grads[0] == grads[1]


def test_triangles_of_few_ones_in_large_matrices() -> None:
    assert flow.triu_indices(1 << 40, 3).tolist() == flow.triu_indices(3, 3).tolist()
    assert flow.tril_indices(3, 1 << 40, -1).tolist() == flow.tril_indices(3, 3, -1).tolist()
