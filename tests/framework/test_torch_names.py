"""Constants, tensor types, storages and questions about tensors that torch's programs ask."""

from __future__ import annotations

import math
from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow
from tritonflow import nn


def test_constants() -> None:
    assert (flow.inf, flow.pi, flow.e, flow.newaxis) == (math.inf, math.pi, math.e, None) and math.isnan(flow.nan)
    assert flow.ones(2).layout is flow.strided and isinstance(flow.strided, flow.layout)


@pytest.mark.parametrize(
    "name", ["Float", "Double", "Half", "BFloat16", "Byte", "Char", "Short", "Int", "Long", "Bool"]
)
def test_tensor_types(name: str) -> None:
    ours, theirs = getattr(flow, f"{name}Tensor"), getattr(torch, f"{name}Tensor")
    x, y = ours([1, 0]), theirs([1, 0])
    assert x.type() == y.type() and x.float().tolist() == y.float().tolist()
    assert (
        isinstance(x, ours)
        and not isinstance(x, flow.IntTensor if name == "Long" else flow.LongTensor)
        or name == "Long"
    )
    assert ours(2, 3).shape == theirs(2, 3).shape and ours().shape == theirs().shape
    assert flow.ones(2).type(ours).type() == flow.ones(2).type(y.type()).type() == y.type()
    assert x.new(2).type() == y.type() and x.new([1]).type() == y.type()


def test_types_that_are_refused() -> None:
    with pytest.raises(TypeError, match="expected LongTensor \\(got torch.FloatTensor\\)"):
        flow.LongTensor(flow.ones(2))
    with pytest.raises(ValueError, match="invalid type"):
        flow.ones(2).type("torch.NoTensor")
    with pytest.raises(TypeError, match="only floating-point types"):
        flow.set_default_tensor_type(flow.LongTensor)


def test_default_tensor_type() -> None:
    try:
        flow.set_default_tensor_type("torch.DoubleTensor")
        assert flow.ones(1).dtype is flow.float64
    finally:
        flow.set_default_tensor_type(flow.FloatTensor)
    assert flow.ones(1).dtype is flow.float32


def test_storages() -> None:
    x = flow.arange(6).reshape(2, 3)
    assert (x.storage().size(), x.untyped_storage().nbytes(), len(x.untyped_storage())) == (6, 48, 48)
    assert x[1].untyped_storage().data_ptr() == x.data_ptr() and x[1].storage().tolist() == list(range(6))
    assert list(x.storage()) == [0, 1, 2, 3, 4, 5] and sum(x.untyped_storage()) == 15
    assert flow.is_storage(x.storage()) and not flow.is_storage(x)
    assert x.untyped_storage() == x[1:].untyped_storage() != x.clone().untyped_storage()


def test_resize() -> None:
    x = flow.arange(6)
    view = x[:]
    assert x.resize_(2, 2).tolist() == [[0, 1], [2, 3]]
    x.fill_(7)
    assert view.tolist() == [7, 7, 7, 7, 4, 5]
    assert x.resize_(1000).tolist()[:6] == [7, 7, 7, 7, 4, 5]
    assert flow.zeros(0).resize_as_(x).shape == (1000,)
    with pytest.raises(NotImplementedError, match="channels_last"):
        flow.zeros(8).resize_(1, 2, 2, 2, memory_format=flow.channels_last)
    with pytest.raises(RuntimeError, match="cannot resize variables that require grad"):
        flow.ones(2, requires_grad=True).resize_(3)
    with pytest.raises(RuntimeError, match="negative dimension"):
        x.resize_(-1)


def test_set() -> None:
    x, y = flow.arange(6), flow.empty(0, dtype=flow.int64)
    y.set_(x.storage(), 1, (2, 2), (2, 1))
    y.zero_()
    assert x.tolist() == [0, 0, 0, 0, 0, 5]
    y.set_(x)
    assert y.data_ptr() == x.data_ptr() and y.shape == (6,)
    with pytest.raises(RuntimeError, match="out of bounds for storage of size 48"):
        y.set_(x.storage(), 4, (3,))
    with pytest.raises(RuntimeError, match="expected a source of dtype"):
        y.set_(flow.ones(2))


def test_memory_is_shared_where_it_can_be() -> None:
    array = numpy.zeros(2)
    flow.as_tensor(array).fill_(1)
    flow.asarray(array)[0] = 5
    assert array.tolist() == [5.0, 1.0]
    x = flow.ones(2, requires_grad=True)
    assert flow.as_tensor(x) is x and flow.as_tensor(x, dtype=flow.float64).requires_grad
    assert not flow.asarray(x).requires_grad
    assert flow.asarray(array, copy=True).data_ptr() != flow.asarray(array).data_ptr()
    with pytest.raises(ValueError, match="copy=False"):
        flow.asarray([1, 2], copy=False)
    assert flow.as_tensor([1, 2], dtype=flow.float32).tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    "options", [{}, {"count": 1}, {"offset": 4}, {"count": 2, "offset": 2}, {"offset": 1, "count": 1}]
)
def test_frombuffer(options: dict[str, int]) -> None:
    data = bytearray(range(8))
    mine = flow.frombuffer(data, dtype=flow.int16, **options)
    assert mine.tolist() == torch.frombuffer(data, dtype=torch.int16, **options).tolist()


@pytest.mark.parametrize("options", [{"count": 0}, {"offset": 9}, {"offset": 1}, {"count": 9}, {"offset": -1}])
def test_frombuffer_refuses(options: dict[str, int]) -> None:
    for module, dtype in ((torch, torch.int16), (flow, flow.int16)):
        with pytest.raises(ValueError):
            module.frombuffer(bytearray(8), dtype=dtype, **options)


def test_frombuffer_shares_memory_and_bits() -> None:
    data = bytearray(4)
    flow.frombuffer(data, dtype=flow.uint8).fill_(1)
    assert data == b"\1\1\1\1"
    assert flow.frombuffer(bytes([0x80, 0x3F]), dtype=flow.bfloat16).float().tolist() == [1.0]


def test_given_strides() -> None:
    for args in (((2, 3), (1, 2)), ((2, 0), (3, 1)), ((), ())):
        mine, theirs = flow.empty_strided(*args), torch.empty_strided(*args)
        assert (mine.shape, mine.stride()) == (tuple(theirs.shape), theirs.stride())
    mine, theirs = flow.empty_permuted((2, 3, 4), (0, 2, 1)), torch.empty_permuted((2, 3, 4), (0, 2, 1))
    assert mine.stride() == theirs.stride() and flow.ones(1).new_empty_strided((2, 2), (1, 2)).stride() == (1, 2)


NUMBERS = [2, 2.5, True]


def test_questions_have_torchs_answers() -> None:
    dtypes = ("bool", "uint8", "int8", "int64", "float16", "float32", "float64")
    for a in dtypes:
        for b in dtypes:
            mine = flow.can_cast(getattr(flow, a), getattr(flow, b))
            assert mine == torch.can_cast(getattr(torch, a), getattr(torch, b)), (a, b)
        for shape in ((2,), ()):
            x, y = flow.ones(shape, dtype=getattr(flow, a)), torch.ones(shape, dtype=getattr(torch, a))
            pairs: list[Any] = [(n, n) for n in NUMBERS] + [
                (flow.ones(2), torch.ones(2)),
                (flow.tensor(2), torch.tensor(2)),
            ]
            for n, m in pairs:
                assert str(flow.result_type(x, n)).split(".")[1] == str(torch.result_type(y, m)).split(".")[1]
            for name in ("is_floating_point", "is_complex", "is_signed", "numel"):
                assert getattr(flow, name)(x) == getattr(torch, name)(y)
            assert (x.is_sparse, x.get_device()) == (y.is_sparse, y.get_device())
    assert flow.typename(flow.ones(1)) == torch.typename(torch.ones(1)) and flow.typename([]) == torch.typename([])


@pytest.mark.parametrize("shapes", [((2, 1), (3,)), ((), (2,)), ((0,), (1,)), (3, (2, 1)), ((1,),)])
def test_broadcast_shapes(shapes: Any) -> None:
    assert tuple(flow.broadcast_shapes(*shapes)) == tuple(torch.broadcast_shapes(*shapes))
    with pytest.raises(RuntimeError, match="Shape mismatch"):
        flow.broadcast_shapes((2,), (3,))


def test_matrices_and_sums() -> None:
    x = flow.arange(6.0).reshape(2, 3)
    assert x.H.tolist() == x.mH.tolist() == x.t().tolist()
    assert x.sum_to_size(1, 3).tolist() == [[3.0, 5.0, 7.0]] and x.sum_to_size(3).tolist() == [3.0, 5.0, 7.0]
    with pytest.raises(RuntimeError, match="only supported on matrices"):
        x.reshape(1, 2, 3).H
    with pytest.raises(RuntimeError, match="not expandable"):
        x.sum_to_size(4)


def test_functions_of_elements() -> None:
    x = flow.arange(4).reshape(2, 2)
    assert x.t().map_(x, lambda a, b: a + 10 * b).tolist() == [[0, 12], [21, 33]]
    assert x.tolist() == [[0, 21], [12, 33]]
    assert x.apply_(lambda n: -n).tolist() == [[0, -21], [-12, -33]]


def test_switches() -> None:
    try:
        flow.use_deterministic_algorithms(True, warn_only=True)
        assert flow.are_deterministic_algorithms_enabled() and flow.is_deterministic_algorithms_warn_only_enabled()
        flow.set_deterministic_debug_mode("error")
        assert flow.get_deterministic_debug_mode() == 2
    finally:
        flow.use_deterministic_algorithms(False)
    with pytest.raises(RuntimeError, match="invalid value of debug_mode"):
        flow.set_deterministic_debug_mode("loud")


def test_buffers_of_modules() -> None:
    module = nn.Module()
    module.kept, module.scratch = nn.Buffer(flow.ones(2)), nn.Buffer(flow.zeros(2), persistent=False)
    assert list(module.state_dict()) == ["kept"] and [n for n, _ in module.named_buffers()] == ["kept", "scratch"]
    assert isinstance(module.kept, nn.Buffer) and not isinstance(flow.ones(1), nn.Buffer)
    module.kept = nn.Buffer(flow.ones(3))
    assert module.double().kept.dtype is flow.float64 and (module.kept + 1).shape == (3,)
    module.kept = flow.ones(1)
    assert list(module.state_dict()) == ["kept"]
    with pytest.raises(TypeError, match="must be tensor"):
        nn.Buffer(3)
