"""Reading and writing by random indices, compared with torch; errors too."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import tritonflow as flow

SHAPES = ((5,), (3, 4), (2, 3, 4), (2, 1, 3, 2), ())


@st.composite
def indices(draw: st.DrawFn, shape: tuple[int, ...], advanced: bool) -> tuple[Any, ...]:
    """An index of a shape: integers, slices, None, Ellipsis, and with `advanced` lists, tensors and masks."""
    items: list[Any] = []
    ellipsis = False
    for dim in range(draw(st.integers(0, len(shape)))):
        n = shape[dim] if not ellipsis else max(shape, default=1)
        choices = ["int", "slice", "none", "ellipsis"] + ["list", "tensor", "mask"] * advanced
        kind = draw(st.sampled_from(choices))
        if kind == "int":
            items.append(draw(st.integers(-n, n - 1)) if draw(st.integers(0, 19)) else n)
        elif kind == "slice":
            bound = st.none() | st.integers(-n - 1, n + 1)
            items.append(slice(draw(bound), draw(bound), draw(st.none() | st.integers(1, 3))))
        elif kind == "none":
            items.append(None)
        elif kind == "ellipsis" and not ellipsis:
            ellipsis = True
            items.append(Ellipsis)
        elif kind == "list":
            items.append(draw(st.lists(st.integers(-n, n - 1), min_size=2, max_size=2)))
        elif kind == "tensor":
            values = draw(st.lists(st.integers(-n, n - 1), min_size=2, max_size=2))
            items.append(torch.tensor([values]) if draw(st.booleans()) else torch.tensor(values))
        elif kind == "mask":
            items.append(torch.tensor(draw(st.lists(st.booleans(), min_size=n, max_size=n))))
    return tuple(items)


def _ours(index: Any) -> Any:
    return tuple(flow.from_torch(i.clone()) if isinstance(i, torch.Tensor) else i for i in index)


@st.composite
def cases(draw: st.DrawFn, advanced: bool) -> tuple[tuple[int, ...], tuple[Any, ...]]:
    shape = draw(st.sampled_from(SHAPES))
    return shape, draw(indices(shape, advanced))


def _data(shape: tuple[int, ...]) -> torch.Tensor:
    return torch.arange(1.0, 1 + int(numpy.prod(shape, dtype=int) or 1)).reshape(shape)


def _read(shape: tuple[int, ...], index: tuple[Any, ...]) -> None:
    theirs = _data(shape)
    ours = flow.from_torch(theirs.clone())
    try:
        expected = theirs[index]
    except (IndexError, RuntimeError, ValueError) as error:
        with pytest.raises((IndexError, RuntimeError, ValueError)):
            pytest.fail(f"torch: {error}; ours: {ours[_ours(index)]}")
        return
    found = ours[_ours(index)]
    assert found.shape == expected.shape
    assert torch.equal(flow.to_torch(found), expected)
    if expected._base is not None and expected.numel():
        assert found.data_ptr() - ours.data_ptr() == expected.data_ptr() - theirs.data_ptr(), "a view in torch"


def _write(shape: tuple[int, ...], index: tuple[Any, ...], scalar: bool) -> None:
    theirs = _data(shape)
    ours = flow.from_torch(theirs.clone())
    try:
        target = theirs[index]
        value = -1.0 if scalar else -torch.arange(1.0, 1 + target.numel()).reshape(target.shape)
        if _repeats(theirs, index) and not scalar:
            value = torch.full_like(target, -2.0)  # which of several writes wins is not defined
        theirs[index] = value
    except (IndexError, RuntimeError, ValueError):
        with pytest.raises((IndexError, RuntimeError, ValueError)):
            ours[_ours(index)] = -1.0
            pytest.fail("torch raises")
        return
    ours[_ours(index)] = value if scalar else flow.from_torch(value)
    assert torch.equal(flow.to_torch(ours), theirs)


def _repeats(theirs: torch.Tensor, index: tuple[Any, ...]) -> bool:
    chosen = torch.arange(theirs.numel()).reshape(theirs.shape)[index]
    return chosen.unique().numel() < chosen.numel()


@given(cases(advanced=False))
@settings(max_examples=150, deadline=None)
def test_basic_reads(case: tuple[tuple[int, ...], tuple[Any, ...]]) -> None:
    _read(*case)


@given(cases(advanced=False), st.booleans())
@settings(max_examples=80, deadline=None)
def test_basic_writes(case: tuple[tuple[int, ...], tuple[Any, ...]], scalar: bool) -> None:
    _write(*case, scalar)


@given(cases(advanced=True))
@settings(max_examples=100, deadline=None)
def test_reads(case: tuple[tuple[int, ...], tuple[Any, ...]]) -> None:
    _read(*case)


@given(cases(advanced=True), st.booleans())
@settings(max_examples=80, deadline=None)
def test_writes(case: tuple[tuple[int, ...], tuple[Any, ...]], scalar: bool) -> None:
    _write(*case, scalar)


def test_gradients_of_writes_behind_masks() -> None:
    found = []
    for m in (torch, flow):
        x, value = m.arange(24.0).reshape(2, 3, 4).requires_grad_(), m.tensor(3.0, requires_grad=True)
        y = x * 1
        y[y > 7] = value
        y[..., m.tensor([True, False, True, False])] = 1
        y[:, y[0, :, 1] > 4, 1:3] = 9
        (y * y).sum().backward()
        found.append([t.tolist() for t in (y, x.grad, value.grad)])
    assert found[0] == found[1]


def test_a_mask_of_another_shape_writes_nothing() -> None:
    x = flow.zeros(3, 2)
    for index in (flow.ones(1, dtype=flow.bool), (slice(None), flow.ones(3, dtype=flow.bool))):
        with pytest.raises(IndexError, match="shape of the mask"):
            x[index] = 1.0
    assert x.sum().item() == 0


@pytest.mark.long
@given(cases(advanced=True), st.booleans())
@settings(max_examples=3000, deadline=None)
def test_many(case: tuple[tuple[int, ...], tuple[Any, ...]], scalar: bool) -> None:
    _read(*case)
    _write(*case, scalar)


def test_masks_of_several_dimensions() -> None:
    x = torch.arange(24.0).reshape(2, 3, 4)
    ours = flow.from_torch(x.clone())
    for mask in (x > 7, (x > 7)[:, :, 0], torch.zeros(2, 3, 4, dtype=torch.bool), torch.ones(2, dtype=torch.bool)):
        assert torch.equal(flow.to_torch(ours[flow.from_torch(mask)]), x[mask])
    ours[flow.from_torch(x > 7)] = 0.5
    x[x > 7] = 0.5
    assert torch.equal(flow.to_torch(ours), x)


@pytest.mark.parametrize("index", [True, False, numpy.int64(1), numpy.array([0, 1]), [True, False], ([0, 1], 1)])
def test_other_kinds_of_indices(index: Any) -> None:
    x = torch.arange(6.0).reshape(2, 3)
    assert torch.equal(flow.to_torch(flow.from_torch(x)[index]), x[index])


def test_dtypes_of_index_tensors() -> None:
    x = torch.arange(6.0)
    for dtype in (torch.int64, torch.int32, torch.int16, torch.int8):
        index = torch.tensor([1, -1, 3], dtype=dtype)
        assert flow.from_torch(x)[flow.from_torch(index)].tolist() == [1.0, 5.0, 3.0]


def test_values_are_cast_and_broadcast() -> None:
    x = flow.from_torch(torch.zeros(2, 3))
    x[0] = flow.tensor([1, 2, 3])
    x[:, 1] = 9
    x[1] = flow.tensor(True)
    assert x.tolist() == [[1, 9, 3], [1, 1, 1]]
    x[:] = flow.from_torch(torch.ones(1, 1, 2, 3) * 4)
    assert x.tolist() == [[4] * 3] * 2


def test_gradients_of_reads() -> None:
    data = torch.arange(12.0).reshape(3, 4)
    for index in ((0,), (slice(None), 1), ([0, 0, 2],), (slice(1, None), [1, 1]), (Ellipsis, None, 2), (data > 5,)):
        theirs = data.clone().requires_grad_()
        (theirs[index] ** 2).sum().backward()
        ours = flow.from_torch(data.clone()).requires_grad_()
        (ours[_ours(index)] ** 2).sum().backward()
        assert torch.equal(flow.to_torch(ours.grad), theirs.grad), index


def test_loops_over_elements_make_few_plans() -> None:
    x = flow.from_torch(torch.arange(300.0))
    assert [x[k].item() for k in range(300)] == list(range(300))


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int8", "int32", "int64", "float32", "float64"])
@pytest.mark.parametrize("value", [0, 1, -1, True, 1.7, -2.5, 127, 128, -129, 255, 256, -256, 2**31, 1e30, float("nan")])
def test_numbers_that_do_not_fit_are_refused(value: float, dtype: str) -> None:
    def written(module: Any) -> Any:
        x = module.zeros(3, dtype=getattr(module, dtype))
        try:
            x[1] = value
        except RuntimeError:
            assert x.tolist() == [0, 0, 0]
            return "refused"
        return str(x.tolist())

    def made(module: Any) -> Any:
        try:
            return str(module.tensor([[0, value]], dtype=getattr(module, dtype)).tolist())
        except RuntimeError:
            return "refused"

    assert written(flow) == written(torch)
    assert made(flow) == made(torch)


def test_oneflows_slice_takes_tuples() -> None:
    x = flow.arange(12).reshape(3, 4)
    assert flow.slice(x, slice_tup_list=[[None, None, None], [0, 3, 2]]).tolist() == [[0, 2], [4, 6], [8, 10]]
    assert flow.slice(x, [(1, 2, 1)]).tolist() == flow.slice(x, [1], [2], [1]).tolist() == [[4, 5, 6, 7]]
    with pytest.raises(ValueError, match=r"slice\(\): expected \(start, stop, step\) for dimension 0, got \(1, 2\)"):
        flow.slice(x, [(1, 2)])


@pytest.mark.parametrize("mask", [True, False])
def test_a_mask_without_dimensions_writes_into_one_number(mask: bool) -> None:
    x, right = flow.tensor(2.0), torch.tensor(2.0)
    x[flow.tensor(mask)] = 5.0
    right[torch.tensor(mask)] = 5.0
    assert x.item() == right.item()
