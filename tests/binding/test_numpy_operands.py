"""NumPy's numbers, arrays and functions where torch takes them, and what refuses them."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow
from tritonflow.utils.data import default_collate


def shown(value: Any) -> Any:
    if isinstance(value, (torch.Tensor, flow.Tensor)):
        return str(value.dtype).split(".")[-1], tuple(value.shape), value.tolist()
    return type(value).__name__, value


@pytest.mark.parametrize("function", [
    lambda x: numpy.add(x, 1),
    lambda x: numpy.sin(x),
    lambda x: numpy.add(x, numpy.ones(2)),
    lambda x: numpy.greater(x, 2),
    lambda x: numpy.transpose(x),
    lambda x: numpy.add.reduce(x),
    lambda x: x * numpy.float32(2),
    lambda x: numpy.float64(2) * x,
    lambda x: numpy.int64(7) - x.long(),
])
def test_functions_of_numpy_give_tensors(function: Any) -> None:
    assert shown(function(flow.tensor([1.5, 2.5]))) == shown(function(torch.tensor([1.5, 2.5])))


def test_a_result_of_numpy_has_no_gradient_so_what_requires_one_is_refused() -> None:
    for lib in (torch, flow):
        with pytest.raises(RuntimeError, match="requires grad"):
            numpy.sin(lib.ones(2, requires_grad=True))


def test_operators_with_arrays_say_how_to_make_a_tensor() -> None:
    """torch leaves `tensor + array` to NumPy, which computes; here all numbers are computed by kernels."""
    with pytest.raises(TypeError, match="from_numpy"):
        flow.ones(2) + numpy.ones(2)


def test_an_array_of_another_dtype_is_always_a_copy() -> None:
    x = flow.ones(2)
    assert numpy.shares_memory(x.__array__(copy=False), x.numpy())
    assert x.__array__(numpy.int32).tolist() == [1, 1]
    with pytest.raises(ValueError, match="Unable to avoid copy"):
        x.__array__(numpy.int32, copy=False)
    assert x.numpy(force=True).tolist() == [1.0, 1.0]


@pytest.mark.parametrize("make", ["Tensor", "FloatTensor", "LongTensor"])
def test_numpys_integers_are_sizes(make: str) -> None:
    for sizes in ([numpy.int64(3)], [numpy.int32(2), 3]):
        assert tuple(getattr(flow, make)(*sizes).shape) == tuple(getattr(torch, make)(*sizes).shape)


def test_sizes_are_integers() -> None:
    for lib in (torch, flow):
        size = lib.Size((lib.tensor(2), numpy.int64(3)))
        assert type(size[0]) is int and size == (2, 3)
        with pytest.raises(TypeError, match=r"Size\(\) takes an iterable of 'int' \(item 1 is 'float'\)"):
            lib.Size([1, 2.0])


@pytest.mark.parametrize("batch", [[1, 2.5], [1, 2], [1, True]])
def test_a_batch_of_numbers_loses_no_fraction(batch: list[Any]) -> None:
    assert shown(default_collate(batch)) == shown(torch.utils.data.default_collate(batch))


@pytest.mark.parametrize("sizes", [{"size": numpy.int64(4)}, {"scale_factor": numpy.float32(2)}], ids=str)
def test_numpys_numbers_are_sizes_of_images(sizes: dict[str, Any]) -> None:
    image = [[[[1.0, 2.0], [3.0, 4.0]]]]
    shapes = [lib.nn.functional.interpolate(lib.tensor(image), **sizes).tolist() for lib in (torch, flow)]
    assert shapes[0] == shapes[1]


@pytest.mark.parametrize("function", [
    lambda x: numpy.exp(x * 2) + x,
    lambda x: numpy.maximum(x, x * 0 + 1.5),
    lambda x: x * float(numpy.sum(x)),
    lambda x: x * flow.tensor(numpy.stack([x, x])[0]),
])
@pytest.mark.filterwarnings("ignore:.*runs in eager mode")
def test_what_numpy_computes_in_a_compiled_function_is_no_constant(function: Any) -> None:
    compiled = flow.compile(function)
    for numbers in ([1.0, 2.0], [3.0, 4.0], [0.5, 7.0]):
        x = flow.tensor(numbers)
        assert compiled(x).tolist() == pytest.approx(function(x).tolist())


def test_a_graph_refuses_what_numpy_computes() -> None:
    class Sine(flow.nn.Graph):
        def build(self, x: flow.Tensor) -> Any:
            return numpy.sin(x)

    with pytest.raises(RuntimeError, match="NumPy needs the value of a tensor"):
        Sine()(flow.ones(2))


@pytest.mark.parametrize("make", [
    lambda tensor: [tensor([1.0]), tensor([2.0])],
    lambda tensor: [[tensor([1.0])], [tensor(2.0)]],
    lambda tensor: (tensor([[1]]), 3),
    lambda tensor: [tensor(numpy.ones(1))],
    lambda tensor: [numpy.ones(1), numpy.ones(1)],
], ids=["sequence", "nested", "integers", "float64", "arrays"])  # fmt: skip
def test_tensors_of_one_element_in_sequences_are_numbers(make: Any) -> None:
    assert shown(flow.tensor(make(flow.tensor))) == shown(torch.tensor(make(torch.tensor)))
