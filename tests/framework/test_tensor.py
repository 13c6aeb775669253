"""Tensors: metas, views, printing, copies, and memory shared with NumPy, torch and DLPack."""

from __future__ import annotations

import copy
import ctypes
import inspect
import operator
import pickle
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow
from tritonflow import dtypes
from tritonflow.device.device import Device
from tritonflow.device.stream import WorkerStream, use_stream
from tritonflow.device.torch_exchange import from_torch_dtype, to_torch_dtype
from tritonflow.framework.meta import TensorMeta, contiguous_meta, contiguous_stride
from tritonflow.vm.machine import machine

ALL = dtypes.ALL


# --------------------------------------------------------------------------------------------------------------- metas


def test_metas_are_interned() -> None:
    a, b = flow.tensor([[1.0, 2.0]]), flow.tensor([[3.0, 4.0]])
    assert a.meta is b.meta
    assert a.meta is TensorMeta.get((1, 2), (2, 1), flow.float32, Device("cpu"))
    assert a.meta is contiguous_meta((1, 2), flow.float32, Device("cpu"))
    assert pickle.loads(pickle.dumps(a.meta)) is a.meta
    assert copy.deepcopy(a.meta) is a.meta


def test_meta_of_a_view_knows_alignment_not_offset() -> None:
    x = flow.from_torch(torch.zeros(64))
    assert x[4:8].meta is x[8:12].meta
    assert x[1:5].meta is not x[4:8].meta


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (2, 0, 3), (1, 5, 1), (0,)])
def test_contiguous_strides_are_torchs(shape: tuple[int, ...]) -> None:
    assert contiguous_stride(shape) == torch.empty(shape).stride()


def test_properties() -> None:
    x = flow.from_torch(torch.zeros(4, 6).t()[1:, ::2])
    theirs = flow.to_torch(x)
    assert x.shape == (5, 2) and x.stride() == theirs.stride() and x.storage_offset() == 1
    assert x.ndim == x.dim() == 2 and x.numel() == x.nelement() == 10 and len(x) == 5
    assert x.size() == (5, 2) and x.size(-1) == 2 and x.stride(0) == theirs.stride(0)
    assert x.dtype is flow.float32 and x.element_size() == x.itemsize == 4 and x.nbytes == 40
    assert not x.is_contiguous() and x.contiguous().is_contiguous()
    assert x.is_floating_point() and x.is_cpu and not x.is_cuda and x.is_local and not x.is_global and not x.is_lazy
    assert str(x.device) == "cpu" or str(x.device) == "cpu:0"
    assert repr(x.shape) == "tritonflow.Size([5, 2])" and x.shape.numel() == 10 and x.shape[:1] == (5,)


# ----------------------------------------------------------------------------------------------------- data in and out


@pytest.mark.parametrize("dtype", ALL, ids=lambda d: d.name)
def test_torch_round_trip_shares_memory(dtype: dtypes.DType) -> None:
    theirs = torch.arange(12).reshape(3, 4).to(to_torch_dtype(dtype))
    ours = flow.from_torch(theirs)
    assert ours.dtype is dtype and ours.data_ptr() == theirs.data_ptr()
    back = flow.to_torch(ours)
    assert back.data_ptr() == theirs.data_ptr() and back.dtype == theirs.dtype and torch.equal(back, theirs)
    theirs[0, 0] = 1
    assert torch.equal(flow.to_torch(ours), theirs)


@pytest.mark.parametrize("make", ["t.t()", "t[1:, ::2]", "t[2]", "t.expand(2, 4, 6)", "t[:0]", "t[0, 0]", "t.unsqueeze(1)"])
def test_layouts_survive(make: str) -> None:
    theirs = eval(make, {"t": torch.arange(24.0).reshape(4, 6)})
    ours = flow.from_torch(theirs)
    assert ours.shape == theirs.shape and ours.stride() == theirs.stride()
    back = flow.to_torch(ours)
    assert back.stride() == theirs.stride() and torch.equal(back, theirs)
    assert numpy.array_equal(ours.numpy(), theirs.numpy())


def test_foreign_memory_lives_as_long_as_the_tensor() -> None:
    x = flow.from_torch(torch.full((1000,), 7.0))
    y = flow.from_numpy(numpy.full(1000, 8.0))
    _ = [torch.zeros(1000) for _ in range(20)]
    assert set(x.tolist()) == {7.0} and set(y.tolist()) == {8.0}


def test_own_memory_lives_as_long_as_the_export() -> None:
    array = (flow.ones(1000) * 3).numpy()
    theirs = flow.to_torch(flow.ones(1000) * 4)
    for _ in range(5):
        flow.ones(1000) * 9
    assert set(array.tolist()) == {3.0} and set(theirs.tolist()) == {4.0}


def test_numpy_shares_memory_both_ways() -> None:
    array = numpy.zeros((2, 3), dtype=numpy.float32)
    x = flow.from_numpy(array)
    x.add_(1)
    assert array.tolist() == [[1.0] * 3] * 2
    array[0, 0] = 5
    assert x.tolist()[0][0] == 5
    x.numpy()[1, 1] = 9
    assert array[1, 1] == 9


def test_numpy_with_offsets_and_strides() -> None:
    base = numpy.arange(24, dtype=numpy.int64).reshape(4, 6)
    x = flow.from_numpy(base[1:, ::2])
    assert x.tolist() == base[1:, ::2].tolist() and x.stride() == (6, 2)
    with pytest.raises(ValueError, match="negative"):
        flow.from_numpy(base[::-1])
    with pytest.raises(TypeError):
        flow.from_numpy(numpy.zeros(2, dtype=numpy.clongdouble))
    with pytest.raises(TypeError, match="numpy has no dtype for tritonflow.bfloat16"):
        flow.tensor([1.0], dtype=flow.bfloat16).numpy()


def test_read_only_arrays_are_copied() -> None:
    array = numpy.zeros(2)
    array.flags.writeable = False
    x = flow.from_numpy(array)
    x.add_(1)
    assert array.tolist() == [0, 0]


def test_array_protocol() -> None:
    x = flow.tensor([[1.5, 2.5]])
    assert numpy.asarray(x).dtype == numpy.float32 and numpy.asarray(x).tolist() == [[1.5, 2.5]]
    assert numpy.array(x, dtype=numpy.int64).tolist() == [[1, 2]]
    copied = numpy.array(x)
    copied[0, 0] = 9
    assert x.tolist() == [[1.5, 2.5]]


OPERATORS = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "lt", "le", "gt", "ge", "eq", "ne", "iadd")


@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("number", [numpy.float32(2), numpy.int64(2)], ids=["float32", "int64"])
def test_numpys_numbers_give_way_to_the_tensor(name: str, number: Any) -> None:
    operator_ = getattr(operator, name)
    x, theirs = flow.tensor([1.5, 3.0], requires_grad=True), torch.tensor([1.5, 3.0], requires_grad=True)
    result, expected = operator_(number, x), operator_(number, theirs)
    wide = torch.tensor([1.5, 3.0], dtype=torch.float64, requires_grad=True)
    exact = operator_(number, wide)
    assert isinstance(result, flow.Tensor) and result.requires_grad == expected.requires_grad
    assert result.dtype is from_torch_dtype(expected.dtype) and result.tolist() == pytest.approx(exact.tolist())
    if result.requires_grad and name not in ("floordiv", "mod"):  # of which torch has no derivative
        result.sum().backward()
        exact.sum().backward()
        assert x.grad.tolist() == pytest.approx(wide.grad.tolist())


CONVERSIONS: dict[str, Callable[[flow.Tensor], object]] = {
    "asarray": numpy.asarray,
    "array": lambda x: numpy.array([x, x]),
    "array of zero-dim": lambda x: numpy.array([x[0], x[1]]),
    "ufunc": numpy.exp,
    "ufunc of two": lambda x: numpy.multiply(numpy.ones(2), x),
    "concatenate": lambda x: numpy.concatenate([x, x]),
    "number": lambda x: numpy.float32(x[0]),
    "assignment": lambda x: numpy.zeros(2).__setitem__(slice(None), x),
}


@pytest.mark.parametrize("name", CONVERSIONS)
def test_numpy_converts_nothing_that_requires_grad(name: str) -> None:
    with pytest.raises(RuntimeError, match=r"Can't call numpy\(\) on Tensor that requires grad. Use tensor.detach\(\)"):
        CONVERSIONS[name](flow.ones(2, requires_grad=True))
    CONVERSIONS[name](flow.ones(2))
    assert flow.ones(2, requires_grad=True).numpy().tolist() == [1.0, 1.0]


@pytest.mark.parametrize("name", [*OPERATORS, "matmul", "imul"])
def test_torchs_tensors_are_no_operands(name: str) -> None:
    x, foreign, operator_ = flow.ones(2), torch.ones(2), getattr(operator, name)
    with pytest.raises(TypeError) as caught:
        operator_(x, foreign)
    assert "torch.Tensor" in str(caught.value) and "flow.from_torch()" in str(caught.value)
    with pytest.raises(TypeError):
        operator_(foreign, x)
    assert foreign.tolist() == x.tolist() == [1.0, 1.0]


def test_dlpack_both_ways() -> None:
    x = flow.tensor([[1.0, 2.0], [3.0, 4.0]])
    theirs = torch.from_dlpack(x.t())
    assert torch.equal(theirs, torch.tensor([[1.0, 3.0], [2.0, 4.0]]))
    theirs[0, 1] = 30
    assert x.tolist() == [[1.0, 2.0], [30.0, 4.0]]
    y = flow.from_dlpack(torch.arange(3))
    assert y.tolist() == [0, 1, 2] and y.dtype is flow.int64
    assert numpy.from_dlpack(x).tolist() == x.tolist()
    assert flow.from_dlpack(numpy.arange(3.0)).tolist() == [0, 1, 2]
    assert x.__dlpack_device__()[1] == 0
    assert inspect.signature(flow.Tensor.__dlpack__).parameters.keys() == inspect.signature(torch.Tensor.__dlpack__).parameters.keys()
    assert flow.from_dlpack(x, device="cpu").data_ptr() == x.data_ptr() != flow.from_dlpack(x, copy=True).data_ptr()
    assert torch.from_dlpack(x.__dlpack__(stream=None, copy=True)).data_ptr() != x.data_ptr()
    with pytest.raises(BufferError):
        torch.from_dlpack(flow.tensor([1.0], requires_grad=True))


def _floats(address: int) -> list[float]:
    return list((ctypes.c_float * 4).from_address(address))


HANDS_OUT = {
    "data_ptr": lambda x: _floats(x.data_ptr()),
    "numpy": lambda x: x.numpy().tolist(),
    "to_torch": lambda x: flow.to_torch(x).tolist(),
    "dlpack": lambda x: torch.from_dlpack(x).tolist(),
    "array": lambda x: numpy.asarray(x).tolist(),
    "tolist": lambda x: x.tolist(),
    "pickle": lambda x: pickle.loads(pickle.dumps(x)).tolist(),
}


@pytest.fixture
def slow() -> Iterator[Callable[[flow.Tensor], None]]:
    """Ops go to a queue; `slow(x)` lets what uses `x` wait."""
    other = WorkerStream(Device("cpu"), "slow")

    def delay(x: flow.Tensor) -> None:
        machine.issue(other, lambda: time.sleep(0.05), [], [x.impl.block])

    with use_stream(WorkerStream(Device("cpu"), "queue")):
        yield delay


@pytest.mark.parametrize("way", HANDS_OUT)
def test_memory_is_handed_out_when_it_has_been_written(way: str, slow: Callable[[flow.Tensor], None]) -> None:
    x = flow.zeros(4)
    slow(x)
    x.add_(1)
    assert HANDS_OUT[way](x) == [1.0] * 4


def test_what_the_outside_sees_is_used_at_the_call(slow: Callable[[flow.Tensor], None]) -> None:
    theirs = torch.zeros(4)
    ours, exported = flow.from_torch(theirs), flow.zeros(4)
    address = exported.data_ptr()
    for x in (ours, exported):
        slow(x)
        x.add_(1)
    assert theirs.tolist() == _floats(address) == [1.0] * 4
    late = flow.zeros(4)
    slow(late)
    result = ours + late  # reads what torch may write
    theirs.fill_(5)
    assert result.tolist() == [1.0] * 4


def test_memory_that_arrays_had_is_not_waited_for() -> None:
    x = flow.zeros(4)
    block, array = x.impl.block, x.numpy()
    other, go = WorkerStream(Device("cpu"), "slow"), threading.Event()
    threading.Timer(0.2, go.set).start()
    assert machine.issue(other, go.wait, [], [block]).done  # `array` sees it
    del x, array
    go.clear()
    assert not machine.issue(other, lambda: go.wait(10), [], [block]).done
    go.set()
    machine.sync()


def test_two_imports_of_one_storage_share_their_dependence() -> None:
    theirs = torch.zeros(8)
    a, b = flow.from_torch(theirs[:4]), flow.from_torch(theirs[4:])
    assert a.impl.block is b.impl.block


@pytest.mark.parametrize(
    ("data", "dtype"),
    [(1, "int64"), (1.5, "float32"), (True, "bool"), ([1, 2], "int64"), ([1, 2.5], "float32"), ([], "float32"), ([[True]], "bool"),
     (numpy.float64(1), "float64"), (numpy.arange(3, dtype=numpy.int8), "int8"), (range(3), "int64"), ((1.0, 2.0), "float32")],
)  # fmt: skip
def test_tensor_infers_its_dtype(data: object, dtype: str) -> None:
    x = flow.tensor(data)
    assert x.dtype.name == dtype
    assert x.shape == numpy.asarray(data).shape


@pytest.mark.parametrize(
    "data",
    [[numpy.int64(1), 1.5], [1.5, numpy.float64(2)], [1, numpy.float64(2)], [numpy.int32(1), numpy.float64(2)], [numpy.int16(3)],
     [[1.0], [numpy.float64(2)]], [numpy.float32(1), numpy.float64(2)], [numpy.float32(1), 2], [numpy.float16(1), 2.5], (numpy.uint8(1), 2),
     [numpy.ones(2), [1, 2]], [numpy.ones(2, "f"), numpy.ones(2, "f")], [True, 2.0], [1, 2j], [numpy.complex64(1), 2]],
    ids=repr,
)  # fmt: skip
def test_tensor_of_mixed_numbers_has_the_dtype_that_holds_them(data: object) -> None:
    expected = torch.tensor(data)
    assert flow.tensor(data).dtype.name == str(expected.dtype)[6:]
    assert flow.tensor(data).tolist() == expected.tolist()


def test_tensor_of_tensors_and_numbers() -> None:
    half, double = flow.tensor(2.0).half(), flow.tensor(2.5).double()
    assert flow.tensor([1, half]).dtype is flow.float16
    assert flow.tensor([half, double, 1.5]).dtype is flow.float64
    assert flow.tensor([flow.tensor(1), flow.tensor(2.5)]).tolist() == [1.0, 2.5]


@pytest.mark.parametrize("name", ["float16", "bfloat16", "float32", "float64"])
def test_limits_print_as_torch_prints_them(name: str) -> None:
    assert repr(flow.finfo(getattr(flow, name))) == repr(torch.finfo(getattr(torch, name)))
    assert repr(flow.iinfo(flow.int8)) == repr(torch.iinfo(torch.int8))


def test_tensor_copies() -> None:
    array = numpy.zeros(2, dtype=numpy.float32)
    x = flow.tensor(array)
    y = flow.tensor(x)
    x.add_(1)
    assert array.tolist() == [0, 0] and y.tolist() == [0, 0]
    assert flow.tensor([flow.tensor(1.0), flow.tensor(2.0)]).tolist() == [1.0, 2.0]
    assert flow.tensor([1, 2], dtype=flow.float16).dtype is flow.float16
    assert flow.tensor([1.0, 2.0], dtype=flow.bfloat16).tolist() == [1.0, 2.0]


@pytest.mark.parametrize("dtype", ALL, ids=lambda d: d.name)
def test_item_and_tolist(dtype: dtypes.DType) -> None:
    theirs = torch.tensor([[0, 1], [1, 1]]).to(to_torch_dtype(dtype))
    x = flow.from_torch(theirs)
    assert x.tolist() == theirs.tolist()
    assert x[0, 1].item() == theirs[0, 1].item() and type(x[0, 1].item()) is type(theirs[0, 1].item())
    assert x.t().tolist() == theirs.t().tolist()


def test_python_numbers() -> None:
    assert int(flow.tensor(3)) == 3 and float(flow.tensor([2.5])) == 2.5 and bool(flow.tensor(0.0)) is False
    assert [10, 20][flow.tensor(1)] == 20
    assert f"{flow.tensor(1.5):.2f}" == "1.50" and f"{flow.tensor(3)} {flow.tensor(0.5, requires_grad=True)}" == "3 0.5"
    assert f"{flow.tensor([3])}" == "tensor([3])" and f"{flow.ones((), device='meta')}".startswith("tensor(...")
    with pytest.raises(TypeError):
        [1][flow.tensor(0.0)]
    assert 2.0 in flow.tensor([1.0, 2.0])


def test_iteration() -> None:
    x = flow.tensor([[1, 2], [3, 4]])
    assert [row.tolist() for row in x] == [[1, 2], [3, 4]]
    with pytest.raises(TypeError, match="iteration over a 0-d tensor"):
        iter(flow.tensor(1))


# -------------------------------------------------------------------------------------------------------------- copies


@pytest.mark.parametrize("dtype", ALL, ids=lambda d: d.name)
def test_pickle(dtype: dtypes.DType) -> None:
    x = flow.from_torch(torch.arange(6).reshape(2, 3).to(to_torch_dtype(dtype))).t()
    y = pickle.loads(pickle.dumps(x))
    assert y.dtype is dtype and y.shape == (3, 2) and y.tolist() == x.tolist() and y.data_ptr() != x.data_ptr()


@pytest.mark.cuda
def test_pickle_of_half_types_on_a_gpu() -> None:
    """NumPy reads no memory of a GPU, and knows no bfloat16."""
    for dtype in (flow.bfloat16, flow.float16):
        x = flow.tensor([1.5, -2.0], dtype=dtype, device="cuda")
        y = pickle.loads(pickle.dumps(x))
        assert y.device is x.device and y.dtype is dtype and y.tolist() == [1.5, -2.0]


def test_pickle_keeps_requires_grad() -> None:
    x = flow.tensor([1.0], requires_grad=True)
    assert pickle.loads(pickle.dumps(x)).requires_grad


def test_deepcopy() -> None:
    x = flow.tensor([1.0, 2.0], requires_grad=True)
    (x * 2).sum().backward()
    y = copy.deepcopy(x)
    assert y is not x and y.requires_grad and y.is_leaf and y.tolist() == x.tolist() and y.grad.tolist() == [2.0, 2.0]
    y.grad.zero_()
    assert x.grad.tolist() == [2.0, 2.0]
    pair = copy.deepcopy([x, x])
    assert pair[0] is pair[1]
    y = copy.deepcopy(x * 2)  # which torch refuses
    assert y.is_leaf and not y.requires_grad and y.tolist() == (x * 2).tolist()


def test_detach_and_data_share_memory() -> None:
    x = flow.tensor([1.0, 2.0], requires_grad=True)
    y = x.detach()
    assert y.data_ptr() == x.data_ptr() and not y.requires_grad
    assert x.data.data_ptr() == x.data_ptr() and not x.data.requires_grad
    x.data = flow.tensor([5.0, 6.0])
    assert x.requires_grad and x.tolist() == [5.0, 6.0]


def test_setting_grad() -> None:
    x = flow.tensor([1.0, 2.0], requires_grad=True)
    x.grad = flow.tensor([3.0, 4.0])
    assert x.grad.tolist() == [3.0, 4.0]
    x.grad = None
    assert x.grad is None
    with pytest.raises(RuntimeError, match="different size"):
        x.grad = flow.tensor([1.0])
    with pytest.raises(RuntimeError, match="different type"):
        x.grad = flow.tensor([1, 2])


# ------------------------------------------------------------------------------------------------------------ printing


@pytest.mark.parametrize(
    "make",
    ["torch.arange(3)", "torch.tensor(3)", "torch.tensor([True, False])", "torch.zeros(2, 3)", "torch.arange(24).reshape(2, 3, 4)",
     "torch.tensor([1, 200, -3])", "torch.tensor([float('nan'), float('inf')])", "torch.tensor([1.0, 2.0, -300.0])"],
)  # fmt: skip
def test_whole_values_print_as_in_torch(make: str) -> None:
    theirs = eval(make, {"torch": torch, "float": float})
    assert repr(flow.from_torch(theirs)) == repr(theirs)


@pytest.mark.parametrize("values", [[1.5, -2.25], [[1.0, 1e6], [1e-6, 3.0]], 3.14159265, [[0.1, 0.22, 0.333]], [1e-30, 1e30]])
def test_printed_values_are_right_to_four_digits(values: object) -> None:
    text = repr(flow.tensor(values))
    assert numpy.allclose(eval(text, {"tensor": numpy.array}), numpy.array(values), rtol=1e-3, atol=1e-4)


def test_long_tensors_print_in_short() -> None:
    text = repr(flow.from_torch(torch.arange(100_000.0).reshape(100, 1000)))
    assert "..." in text and len(text) < 2000


def test_print_says_what_is_special() -> None:
    assert "dtype=tritonflow.float16" in repr(flow.tensor([1.0], dtype=flow.float16))
    assert "requires_grad=True" in repr(flow.tensor([1.0], requires_grad=True))
    x = flow.tensor([1.0], requires_grad=True)
    assert "grad_fn=<" in repr(x * 2)
    assert repr(flow.from_torch(torch.zeros(0, 3))).startswith("tensor([], ")
