"""uint16, uint32 and uint64: against NumPy, whose integers wrap as the kernels' do, and against torch."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow
from tritonflow import dtypes
from tritonflow.utils.data import default_collate

NAMES = ("uint16", "uint32", "uint64")


def numbers(name: str) -> numpy.ndarray[Any, Any]:
    top = numpy.iinfo(name).max
    return numpy.array([3, 2, top, top // 2 + 3, 0, 7], name)


OPERATIONS: list[tuple[Callable[[Any], Any], Callable[[Any], Any]]] = [
    (lambda t: t + t, lambda a: a + a),
    (lambda t: t - t.flip(0), lambda a: a - a[::-1]),
    (lambda t: t * t, lambda a: a * a),
    (lambda t: t + 1, lambda a: a + a.dtype.type(1)),
    (lambda t: 3 - t, lambda a: a.dtype.type(3) - a),
    (lambda t: t * flow.tensor(3), lambda a: a * a.dtype.type(3)),
    (lambda t: t.expand(3, 6) * t, lambda a: numpy.broadcast_to(a, (3, 6)) * a),
    (lambda t: t == t.flip(0), lambda a: a == a[::-1]),
    (lambda t: t < t.flip(0), lambda a: a < a[::-1]),
    (lambda t: t >= t.flip(0), lambda a: a >= a[::-1]),
    (lambda t: t > 2, lambda a: a > 2),
    (lambda t: t <= flow.iinfo(t.dtype).max, lambda a: a <= numpy.iinfo(a.dtype).max),
    (lambda t: t * flow.iinfo(t.dtype).max, lambda a: a * numpy.iinfo(a.dtype).max),
    (lambda t: t & 6, lambda a: a & a.dtype.type(6)),
    (lambda t: 1 | t, lambda a: a | a.dtype.type(1)),
    (lambda t: t ^ t.flip(0), lambda a: a ^ a[::-1]),
    (lambda t: t.sum(), lambda a: a.astype(numpy.int64).sum()),
    (lambda t: t.cumsum(0), lambda a: a.astype(numpy.int64).cumsum()),
    (lambda t: t.sort()[0], numpy.sort),
    (lambda t: t.sort(descending=True)[0], lambda a: numpy.sort(a)[::-1]),
    (lambda t: t.argsort(), numpy.argsort),
    (flow.unique, numpy.unique),
    (lambda t: t[t > 2], lambda a: a[a > 2]),
    (lambda t: t[flow.tensor([0, 2])], lambda a: a[[0, 2]]),
    (lambda t: t[1:4].clone(), lambda a: a[1:4]),
    (lambda t: flow.cat([t, t[2:]]), lambda a: numpy.concatenate([a, a[2:]])),
    (lambda t: flow.stack([t, t]), lambda a: numpy.stack([a, a])),
    (lambda t: t.masked_fill(t > 2, 1), lambda a: numpy.where(a > 2, a.dtype.type(1), a)),
    (lambda t: flow.where(t > 2, t, t * 2), lambda a: numpy.where(a > 2, a, a * a.dtype.type(2))),
    (lambda t: flow.where(t > 2, t, 0), lambda a: numpy.where(a > 2, a, a.dtype.type(0))),
    (lambda t: t.any(), lambda a: a.any()),
    (lambda t: t.clone().fill_(flow.iinfo(t.dtype).max), lambda a: numpy.full_like(a, numpy.iinfo(a.dtype).max)),
    (lambda t: flow.full((2,), flow.iinfo(t.dtype).max, dtype=t.dtype), lambda a: numpy.full(2, numpy.iinfo(a.dtype).max, a.dtype)),
    (lambda t: t.double(), lambda a: a.astype(numpy.float64)),
    (lambda t: t.float(), lambda a: a.astype(numpy.float32)),
    (lambda t: t.long(), lambda a: a.astype(numpy.int64)),
    (lambda t: t.to(flow.uint64).to(flow.uint16), lambda a: a.astype(numpy.uint16)),
    (lambda t: t.bool(), lambda a: a.astype(bool)),
    (lambda t: t.repeat(2), lambda a: numpy.tile(a, 2)),
    (lambda t: t.isfinite(), lambda a: numpy.isfinite(a)),
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("number", range(len(OPERATIONS)))
def test_numbers_are_numpys(name: str, number: int) -> None:
    of_tensor, of_array = OPERATIONS[number]
    array = numbers(name)
    with numpy.errstate(all="ignore"):
        expected = numpy.asarray(of_array(array))
    for function in (of_tensor, flow.compile(of_tensor)):
        for x in (flow.from_numpy(array.copy()), flow.from_numpy(numpy.stack([array, array], 1).copy())[:, 0]):
            found = function(x).numpy()
            assert found.dtype == expected.dtype and found.shape == expected.shape
            assert numpy.array_equal(found, expected)


def test_zero_dimensions_and_no_elements() -> None:
    for name in NAMES:
        dtype = getattr(flow, name)
        assert (flow.tensor(5, dtype=dtype) > flow.tensor(4, dtype=dtype)).item() is True
        assert (flow.zeros(0, dtype=dtype) + 1).shape == (0,)
        assert flow.zeros(0, 2, dtype=dtype).sum(0).tolist() == [0, 0]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("source", ["float32", "float64", "int64", "int8", "bool", "uint8", "uint64"])
@pytest.mark.parametrize("count", [1, 40])
def test_casts_are_torchs(name: str, source: str, count: int) -> None:
    top = numpy.iinfo(name).max
    values = [1.5, 2.0**15 + 0.5, 2.0**31 + 1, 2.0**40 + 1, 2.0**63 + 4096, -1.5, -1e4, 1e18, 0.0, 250.0]
    if "float" in source:
        values = [v for v in values if v <= top]  # what is larger, C leaves open
    else:
        values = [-1, 3, 127, 0, -128] if source.startswith("int") else [1, 0]
    array = numpy.array(values * (count // len(values) + 1)).astype(source)[:count]
    expected = torch.from_numpy(array).to(getattr(torch, name)).numpy()
    assert numpy.array_equal(flow.from_numpy(array).to(getattr(flow, name)).numpy(), expected)
    written = flow.zeros(count, dtype=getattr(flow, name)).copy_(flow.from_numpy(array))
    assert numpy.array_equal(written.numpy(), expected)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("function", [
    lambda lib, t: t / 2, lambda lib, t: t / t.flatten(), lambda lib, t: t + 1.5, lambda lib, t: t * lib.tensor([0.5]),
    lambda lib, t: t * 2, lambda lib, t: t == 3, lambda lib, t: t * lib.tensor(2), lambda lib, t: lib.sqrt(t), lambda lib, t: t.half(),
])  # fmt: skip
def test_results_are_torchs(name: str, function: Any) -> None:
    array = numpy.array([3, 2, 9], name)
    ours, theirs = function(flow, flow.from_numpy(array)), function(torch, torch.from_numpy(array))
    assert str(ours.dtype).split(".")[-1] == str(theirs.dtype).split(".")[-1]
    assert numpy.allclose(ours.double().numpy(), theirs.double().numpy(), rtol=1e-6)


def test_they_promote_to_floats_only() -> None:
    every = (*dtypes.ALL, *dtypes.BAREBONES, *dtypes.COMPLEX_DTYPES)
    for a in dtypes.BAREBONES:
        for b in every:
            outcomes = []
            for lib in (torch, flow):
                try:
                    outcomes.append(str(lib.promote_types(getattr(lib, a.name), getattr(lib, b.name))).split(".")[-1])
                except RuntimeError as error:
                    outcomes.append(str(error))
            assert outcomes[0] == outcomes[1]


@pytest.mark.parametrize("function", [
    lambda t: -t, lambda t: ~t, lambda t: t // 2, lambda t: t % 2, lambda t: t << 1, lambda t: t**2, lambda t: t.max(), lambda t: t @ t,
    lambda t: flow.arange(3, dtype=t.dtype), lambda t: t.abs(), lambda t: t.topk(1), lambda t: flow.maximum(t, t),
])  # fmt: skip
def test_what_has_no_kernel_is_refused(function: Any) -> None:
    for name in NAMES:
        with pytest.raises(NotImplementedError, match="not implemented for 'UInt"):
            function(flow.tensor([1, 2], dtype=getattr(flow, name)))


def test_mixtures_are_refused() -> None:
    x = flow.tensor([1, 2], dtype=flow.uint16)
    for other in (x.long(), x.bool(), x.to(flow.uint32)):
        with pytest.raises(RuntimeError, match="Promotion for uint16, uint32, uint64 types is not supported, attempted to promote UInt16"):
            x * other
    with pytest.raises(RuntimeError, match="can't be cast"):
        x.mul_(1.5)
    assert x.tolist() == [1, 2]


@pytest.mark.parametrize("name", NAMES)
def test_they_are_made_copied_saved_and_printed(name: str, tmp_path: Path) -> None:
    array, dtype = numbers(name), getattr(flow, name)
    x = flow.tensor(array)
    assert x.dtype is dtype and x.tolist() == array.tolist() and flow.tensor([array[0], array[1]]).dtype is dtype
    assert numpy.array_equal(flow.frombuffer(bytearray(array.tobytes()), dtype=dtype).numpy(), array)
    assert flow.from_torch(torch.from_numpy(array)).dtype is dtype and flow.to_torch(x).dtype is getattr(torch, name)
    flow.save({"x": x}, tmp_path / "x.pt")
    for copied in (flow.load(tmp_path / "x.pt")["x"], pickle.loads(pickle.dumps(x)), copy.deepcopy(x), x.clone()):
        assert copied.dtype is dtype and numpy.array_equal(copied.numpy(), array)
    assert repr(x).replace("tritonflow.", "") == repr(torch.from_numpy(array)).replace("torch.", "")
    assert default_collate([array, array]).dtype is dtype and default_collate([array[0], array[1]]).dtype is dtype
    ours, theirs = flow.iinfo(dtype), torch.iinfo(getattr(torch, name))
    assert (ours.min, ours.max, ours.bits) == (theirs.min, theirs.max, theirs.bits)
    assert x.view(flow.uint8).shape == (array.nbytes,) and x.element_size() == array.itemsize and not dtype.is_signed
