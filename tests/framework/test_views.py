"""Strides of views and the collapse of elementwise loops, by random shapes against torch."""

from __future__ import annotations

import itertools
from typing import Any

import numpy
import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import tritonflow as flow
from tritonflow.device.device import Device
from tritonflow.framework.meta import TensorMeta
from tritonflow.ops.elementwise import broadcast_shapes, broadcast_stride, collapse
from tritonflow.ops.view import view_stride

sizes = st.lists(st.integers(0, 4), max_size=4).map(tuple)
positive = st.lists(st.integers(1, 4), max_size=4).map(tuple)


def _meta(t: torch.Tensor) -> TensorMeta:
    return TensorMeta.get(tuple(t.shape), tuple(t.stride()), flow.float32, Device("cpu"))


@st.composite
def layouts(draw: st.DrawFn) -> torch.Tensor:
    """A tensor of distinct numbers in a layout reached by permuting, slicing, expanding and unsqueezing."""
    shape = draw(positive)
    t = torch.arange(float(numpy.prod(shape, dtype=int) or 1)).reshape(shape) if shape else torch.tensor(1.0)
    for _ in range(draw(st.integers(0, 3))):
        step = draw(st.sampled_from(("permute", "slice", "expand", "unsqueeze")))
        if step == "permute":
            t = t.permute(draw(st.permutations(range(t.ndim))))
        elif step == "slice" and t.ndim:
            dim = draw(st.integers(0, t.ndim - 1))
            start = draw(st.integers(0, max(t.shape[dim] - 1, 0)))
            t = t[(slice(None),) * dim + (slice(start, None, draw(st.integers(1, 2))),)]
        elif step == "expand":
            t = t.expand(draw(st.integers(1, 3)), *t.shape)
        else:
            t = t.unsqueeze(draw(st.integers(0, t.ndim)))
    return t


@st.composite
def reshapes(draw: st.DrawFn) -> tuple[torch.Tensor, tuple[int, ...]]:
    """A tensor and a shape with as many elements."""
    t = draw(layouts())
    rest, shape = t.numel(), []
    while rest > 1:
        factor = draw(st.sampled_from([n for n in range(2, rest + 1) if rest % n == 0]))
        shape.append(factor)
        rest //= factor
        if draw(st.booleans()):
            shape.append(1)
    return t, tuple(draw(st.permutations(shape)))


@given(reshapes())
@settings(max_examples=300, deadline=None)
def test_view_stride(case: tuple[torch.Tensor, tuple[int, ...]]) -> None:
    t, shape = case
    found = view_stride(_meta(t), shape)
    try:
        expected = t.view(shape)
    except RuntimeError:
        assert found is None
        return
    assert found is not None, "torch has a view"
    assert torch.equal(torch.as_strided(t, shape, found, t.storage_offset()), expected)
    for n, mine, theirs in zip(shape, found, expected.stride()):
        assert n == 1 or mine == theirs


@given(reshapes())
@settings(max_examples=60, deadline=None)
def test_reshape_and_view(case: tuple[torch.Tensor, tuple[int, ...]]) -> None:
    t, shape = case
    ours = flow.from_torch(t)
    reshaped = ours.reshape(shape)
    assert torch.equal(flow.to_torch(reshaped), t.reshape(shape))
    assert (reshaped.data_ptr() == ours.data_ptr()) == (t.reshape(shape).data_ptr() == t.data_ptr())
    try:
        expected = t.view(shape)
    except RuntimeError:
        with pytest.raises(RuntimeError, match="view size is not compatible with input tensor's size and stride"):
            ours.view(shape)
        return
    assert torch.equal(flow.to_torch(ours.view(shape)), expected)


@given(st.lists(sizes, min_size=1, max_size=4))
def test_broadcast_shapes(shapes: list[tuple[int, ...]]) -> None:
    try:
        expected = tuple(torch.broadcast_shapes(*shapes))
    except RuntimeError:
        with pytest.raises(RuntimeError):
            broadcast_shapes(shapes)
        return
    assert broadcast_shapes(shapes) == expected


@given(layouts(), st.lists(st.integers(1, 3), max_size=2))
def test_broadcast_stride(t: torch.Tensor, extra: list[int]) -> None:
    shape = (*extra, *[3 if n == 1 else n for n in t.shape])
    expected = t.expand(shape)
    found = broadcast_stride(_meta(t), shape)
    assert torch.equal(torch.as_strided(t, shape, found, t.storage_offset()), expected)


def _addresses(shape: tuple[int, ...], stride: tuple[int, ...]) -> list[int]:
    return [sum(i * s for i, s in zip(index, stride)) for index in itertools.product(*[range(n) for n in shape])]


@given(st.lists(layouts(), min_size=1, max_size=3))
@settings(max_examples=200, deadline=None)
def test_collapse_walks_the_same_elements(tensors: list[torch.Tensor]) -> None:
    try:
        shape = tuple(torch.broadcast_shapes(*[t.shape for t in tensors]))
    except RuntimeError:
        assume(False)
    strides = [broadcast_stride(_meta(t), shape) for t in tensors]
    new_shape, new_strides = collapse(shape, strides)
    assert len(new_shape) <= max(len(shape), 1)
    for before, after in zip(strides, new_strides):
        assert _addresses(shape, before) == _addresses(new_shape, after)


@given(layouts())
def test_contiguous_tensors_collapse_to_one_loop(t: torch.Tensor) -> None:
    t = t.contiguous()
    meta = _meta(t)
    shape, _ = collapse(meta.shape, [meta.stride, meta.stride])
    assert len(shape) == 1 and shape[0] == t.numel()


@given(layouts(), layouts())
@settings(max_examples=40, deadline=None)
def test_addition_of_any_two_layouts(a: torch.Tensor, b: torch.Tensor) -> None:
    try:
        expected = a + b
    except RuntimeError:
        with pytest.raises(RuntimeError, match="must match the size of tensor b"):
            flow.from_torch(a) + flow.from_torch(b)
        return
    assert torch.equal(flow.to_torch(flow.from_torch(a) + flow.from_torch(b)), expected)


@pytest.mark.parametrize(("shape", "source", "target"), [
    ((3, 4), "float32", "int32"), ((3, 4), "float32", "uint8"), ((3, 4), "int16", "float64"), ((2, 3), "bfloat16", "int16"),
    ((0, 2), "int32", "int64"), ((), "float32", "int32"),
])  # fmt: skip
def test_memory_is_read_as_another_dtype(shape: tuple[int, ...], source: str, target: str) -> None:
    x = torch.randint(0, 200, shape).to(getattr(torch, source))
    ours = flow.from_torch(x.clone())
    expected, found = x.view(getattr(torch, target)), ours.view(getattr(flow, target))
    assert found.stride() == expected.stride()
    assert torch.equal(flow.to_torch(found).view(torch.uint8) if shape else flow.to_torch(found), expected.view(torch.uint8) if shape else expected)
    found.zero_()
    assert not flow.to_torch(ours).to(torch.float32).any()
    assert ours._version == 1


@pytest.mark.parametrize(("make", "target"), [
    (lambda x: x[:, :3], "float64"), (lambda x: x[:, ::2], "float64"), (lambda x: x[0, 0], "int8"), (lambda x: x[:, 1:3], "float64"),
])  # fmt: skip
def test_memory_that_another_dtype_does_not_fit(make: Any, target: str) -> None:
    for x, library in ((torch.ones(3, 4), torch), (flow.ones(3, 4), flow)):
        with pytest.raises(RuntimeError, match="different element sizes"):
            make(x).view(getattr(library, target))
