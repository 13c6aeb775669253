"""Functions and constants of torch's main namespace that are no ops: questions about tensors and dtypes, and tensors
over given memory.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy

from tritonflow import dtypes
from tritonflow.binding import data_exchange
from tritonflow.binding.annotations import DeviceLike
from tritonflow.binding.data_exchange import from_numpy, from_torch, with_dtype
from tritonflow.binding.new_tensors import tensor
from tritonflow.device import torch_exchange
from tritonflow.device.device import Device, get_default_device
from tritonflow.dtypes import DType
from tritonflow.errors import ArgumentTypeError, ArgumentValueError, ShapeError, type_name
from tritonflow.framework.runtime_scalar import RuntimeScalar
from tritonflow.framework.size import Size
from tritonflow.framework.tensor import Tensor

inf, nan, pi, e = math.inf, math.nan, math.pi, math.e
newaxis = None


class StorageLayout:
    """How a tensor's elements are stored: `flow.strided`, or as the entries of a sparse tensor (docs/sparse.md)."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"tritonflow.{self.name}"

    def __str__(self) -> str:
        return f"torch.{self.name}"  # the text by which programs tell layouts, as PyTorch Geometric does

    def __reduce__(self) -> str:
        return self.name


strided, sparse_coo, sparse_csr, sparse_csc = map(StorageLayout, ("strided", "sparse_coo", "sparse_csr", "sparse_csc"))
sparse_bsr, sparse_bsc = StorageLayout("sparse_bsr"), StorageLayout("sparse_bsc")  # of torch; no tensor here has them


# ----------------------------------------------------------------------------------------------- questions about tensors


def is_tensor(obj: Any) -> bool:
    """Whether an object is a tensor.

    Args:
        obj: anything.

    Source: torch.is_tensor.

    Example:
        >>> import tritonflow as flow
        >>> flow.is_tensor(flow.ones(1)), flow.is_tensor([1.0])
        (True, False)
    """
    return isinstance(obj, Tensor)


def _tensor(function: str, input: Any) -> Tensor:
    if not isinstance(input, Tensor):
        raise ArgumentTypeError(f"{function}(): argument 'input' (position 1) must be Tensor, not {type_name(input)}")
    return input


def is_floating_point(input: Tensor) -> bool:
    """Whether a tensor's dtype is a floating dtype.

    Args:
        input: a tensor.

    Raises:
        TypeError: it is no tensor.

    Source: torch.is_floating_point.

    Example:
        >>> import tritonflow as flow
        >>> flow.is_floating_point(flow.ones(1))
        True
    """
    return _tensor("is_floating_point", input).dtype.is_floating_point


def is_complex(input: Tensor) -> bool:
    """Whether a tensor's dtype is a complex dtype.

    Args:
        input: a tensor.

    Raises:
        TypeError: it is no tensor.

    Source: torch.is_complex.

    Example:
        >>> import tritonflow as flow
        >>> flow.is_complex(flow.tensor([1j])), flow.is_complex(flow.ones(1))
        (True, False)
    """
    return bool(getattr(_tensor("is_complex", input).dtype, "is_complex", False))


def is_signed(input: Tensor) -> bool:
    """Whether a tensor's dtype has negative numbers.

    Args:
        input: a tensor.

    Raises:
        TypeError: it is no tensor.

    Source: torch.is_signed.

    Example:
        >>> import tritonflow as flow
        >>> flow.is_signed(flow.ones(1)), flow.is_signed(flow.ones(1, dtype=flow.uint8))
        (True, False)
    """
    return _tensor("is_signed", input).dtype.is_signed


def is_nonzero(input: Tensor) -> bool:
    """Whether the only element of a tensor is not zero.

    Args:
        input: a tensor of one element.

    Raises:
        RuntimeError: the tensor has not exactly one element.
        TypeError: it is no tensor.

    Source: torch.is_nonzero.

    Example:
        >>> import tritonflow as flow
        >>> flow.is_nonzero(flow.tensor([[2.0]]))
        True
    """
    return bool(_tensor("is_nonzero", input))


def is_same_size(input: Tensor, other: Tensor) -> bool:
    """Whether two tensors have the same shape.

    Args:
        input: a tensor.
        other: a tensor.

    Raises:
        TypeError: the input is no tensor.

    Source: torch.is_same_size.

    Example:
        >>> import tritonflow as flow
        >>> flow.is_same_size(flow.ones(2, 1), flow.ones(1, 2))
        False
    """
    return _tensor("is_same_size", input).shape == other.shape


def is_inference(input: Tensor) -> bool:
    """Whether a tensor was made in inference mode; that is not marked on tensors here, so it is always False.

    Args:
        input: a tensor.

    Raises:
        TypeError: it is no tensor.

    Source: torch.is_inference.

    Example:
        >>> import tritonflow as flow
        >>> flow.is_inference(flow.ones(1))
        False
    """
    _tensor("is_inference", input)
    return False


def numel(input: Tensor) -> int:
    """The number of elements of a tensor: the product of its sizes.

    Args:
        input: a tensor.

    Raises:
        TypeError: it is no tensor.

    Source: torch.numel.

    Example:
        >>> import tritonflow as flow
        >>> flow.numel(flow.zeros(2, 3))
        6
    """
    return _tensor("numel", input).numel()


def get_device(input: Tensor) -> int:
    """The number of the GPU that a tensor is on, -1 of one in host memory.

    Args:
        input: a tensor.

    Raises:
        TypeError: it is no tensor.

    Source: torch.get_device.

    Example:
        >>> import tritonflow as flow
        >>> flow.get_device(flow.zeros(1, device="cpu"))
        -1
    """
    device = _tensor("get_device", input).device
    return -1 if device.index is None else int(device.index)


def typename(obj: Any) -> str:
    """The name of an object's type, with its module; of a tensor, of its tensor type.

    Args:
        obj: anything.

    Source: torch.typename.

    Example:
        >>> import tritonflow as flow
        >>> flow.typename(flow.ones(1)), flow.typename([])
        ('torch.FloatTensor', 'list')
    """
    if isinstance(obj, Tensor):
        return str(obj.type())  # type: ignore[attr-defined]
    kind = obj if hasattr(obj, "__qualname__") else type(obj)
    module = getattr(kind, "__module__", "") or ""
    return kind.__qualname__ if module in ("", "builtins") else f"{module}.{kind.__qualname__}"


def result_type(tensor1: Any, tensor2: Any) -> DType:
    """The dtype of the result of an op on two operands, each a tensor or a number.

    Args:
        tensor1: a tensor or a number.
        tensor2: a tensor or a number.

    Raises:
        TypeError: one is neither.

    Source: torch.result_type.

    Example:
        >>> import tritonflow as flow
        >>> flow.result_type(flow.tensor([1, 2]), 1.0)
        tritonflow.float32
    """
    operands = [x.item() if isinstance(x, numpy.generic) else x for x in (tensor1, tensor2)]
    for operand in operands:
        if not isinstance(operand, (Tensor, bool, int, float, complex)):
            raise ArgumentTypeError(f"result_type(): expected tensors or numbers, but got {type_name(operand)}")
    tensors = [(t.meta.dtype, t.meta.ndim) for t in operands if isinstance(t, Tensor)]
    kinds = [type(n.value) if type(n) is RuntimeScalar else type(n) for n in operands if not isinstance(n, Tensor)]
    return dtypes.result_type(tensors, kinds)


def can_cast(from_: DType, to: DType) -> bool:
    """Whether type promotion allows a result of one dtype to be written into a tensor of another.

    Args:
        from_: the dtype of the result.
        to: the dtype of the tensor.

    Source: torch.can_cast.

    Example:
        >>> import tritonflow as flow
        >>> flow.can_cast(flow.float64, flow.float32), flow.can_cast(flow.float32, flow.int64)
        (True, False)
    """
    return from_.category <= to.category


def broadcast_shapes(*shapes: Any) -> Size:
    """The shape to which tensors of these shapes are broadcast together.

    Args:
        shapes: sequences of sizes, or single sizes.

    Raises:
        RuntimeError: they cannot be.

    Source: torch.broadcast_shapes.

    Example:
        >>> import tritonflow as flow
        >>> flow.broadcast_shapes((2, 1), (3,), 1)
        tritonflow.Size([2, 3])
    """
    result: list[int] = []
    for given in shapes:
        shape = (given,) if isinstance(given, int) else tuple(given)
        if any(n < 0 for n in shape):
            raise ShapeError(f"Trying to create tensor with negative dimension ({min(shape)}): ({min(shape)})")
        result[:0] = [1] * (len(shape) - len(result))
        for k in range(1, len(shape) + 1):
            if result[-k] == 1:
                result[-k] = shape[-k]
            elif shape[-k] not in (1, result[-k]):
                raise ShapeError("Shape mismatch: objects cannot be broadcast to a single shape")
    return Size(result)


# ---------------------------------------------------------------------------------------------- tensors over given memory


def as_tensor(data: Any, dtype: DType | None = None, device: DeviceLike | None = None) -> Tensor:
    """A tensor of data, sharing its memory where dtype and device allow; a tensor keeps its history.

    Args:
        data: a tensor, a NumPy array, a number or nested sequences of numbers.
        dtype, device: of the result; those of `data` unless given.

    Source: torch.as_tensor.

    Example:
        >>> import numpy, tritonflow as flow
        >>> a = numpy.zeros(2)
        >>> flow.as_tensor(a).fill_(1.0)
        tensor([1., 1.], dtype=tritonflow.float64)
        >>> a
        array([1., 1.])
    """
    where = None if device is None else Device(device)
    if isinstance(data, Tensor):
        result = data
    elif isinstance(data, numpy.ndarray):
        where = get_default_device() if where is None else where
        result = from_numpy(data)
    elif torch_exchange.is_tensor(data):
        result = from_torch(data)
    else:
        return tensor(data, dtype=dtype, device=where)
    if where is None:
        return result if dtype is None else result.to(dtype)  # type: ignore[no-any-return]
    return result.to(where) if dtype is None else result.to(where, dtype)  # type: ignore[no-any-return]


def asarray(
    obj: Any, *, dtype: DType | None = None, device: DeviceLike | None = None, copy: bool | None = None, requires_grad: bool = False
) -> Tensor:
    """A tensor of any object: one with `__dlpack__` or of NumPy, a buffer, numbers.

    Args:
        obj: the data.
        dtype, device: of the result.
        copy: True for memory of its own, False for that of `obj`, None for its where that is possible.
        requires_grad: whether backward leaves a gradient in `.grad`.

    Source: torch.asarray.

    Raises:
        ValueError: the memory cannot be shared, and `copy` is False.

    Example:
        >>> import tritonflow as flow
        >>> flow.asarray([1, 2], dtype=flow.float32)
        tensor([1., 2.])
    """
    sharing = isinstance(obj, (Tensor, numpy.ndarray)) or torch_exchange.is_tensor(obj)
    if isinstance(obj, Tensor) or sharing:
        source = as_tensor(obj)
    elif hasattr(obj, "__dlpack__"):
        source, sharing = data_exchange.from_dlpack(obj), True
    elif isinstance(obj, (bytes, bytearray, memoryview)):
        source, sharing = frombuffer(obj, dtype=dtypes.from_python(dtype) or dtypes.get_default_dtype()), True
    else:
        source = tensor(obj, dtype=dtype)
    result = as_tensor(source, dtype, device)
    if copy is False and (not sharing or result.impl is not source.impl):
        raise ArgumentValueError("asarray(): cannot share memory with the object, and copy=False")
    if copy and sharing and result.impl is source.impl:
        result = result.clone()
    if isinstance(obj, Tensor) and not requires_grad and result.requires_grad:
        return result.detach()
    if requires_grad and not result.requires_grad:
        result = result.detach().requires_grad_()
    return result


def frombuffer(
    buffer: Any, *, dtype: DType, count: int = -1, offset: int = 0, requires_grad: bool = False
) -> Tensor:
    """A tensor over the memory of an object with Python's buffer protocol, with one dimension.

    Args:
        buffer: such as bytes, a bytearray or an array; memory that cannot be written is copied.
        dtype: of the elements.
        count: how many elements; -1 for all.
        offset: bytes to leave out at the beginning.
        requires_grad: whether backward leaves a gradient in `.grad`.

    Source: torch.frombuffer.

    Raises:
        ValueError: the buffer is empty, or offset and count do not fit it.

    Example:
        >>> import tritonflow as flow
        >>> flow.frombuffer(bytearray([1, 0, 2, 0]), dtype=flow.int16)
        tensor([1, 2], dtype=tritonflow.int16)
    """
    view = memoryview(buffer).cast("B")
    size = dtype.itemsize
    if len(view) == 0:
        raise ArgumentValueError("both buffer length (0) and count (-1) must not be 0")
    if count == 0:
        raise ArgumentValueError(f"both buffer length ({len(view)}) and count (0) must not be 0")
    if not 0 <= offset < len(view):
        raise ArgumentValueError(
            f"offset ({offset} bytes) must be non-negative and no greater than buffer length ({len(view)} bytes) - 1"
        )
    rest = len(view) - offset
    if count < 0 and rest % size:
        raise ArgumentValueError(
            f"buffer length ({rest} bytes) after offset ({offset} bytes) must be a multiple of element size ({size})"
        )
    if count > 0 and offset + count * size > len(view):
        raise ArgumentValueError(
            f"requested buffer length ({count} * {size} bytes) after offset ({offset} bytes) must not be greater than actual"
            f" buffer length ({len(view)} bytes)"
        )
    bits = dtype if dtype.has_numpy else dtypes.uint8 if size == 1 else dtypes.int16
    array = numpy.frombuffer(view, dtype=bits.numpy, count=count if count > 0 else rest // size, offset=offset)
    if offset % size:
        array = array.copy()
    result = from_numpy(array)
    result = result if bits is dtype else with_dtype(result, dtype)
    if requires_grad:
        result.requires_grad = True
    return result


__all__: Sequence[str] = (
    "as_tensor", "asarray", "broadcast_shapes", "can_cast", "e", "frombuffer", "get_device", "inf", "is_complex",
    "is_floating_point", "is_inference", "is_nonzero", "is_same_size", "is_signed", "is_tensor", "nan", "newaxis", "numel",
    "pi", "result_type", "sparse_bsc", "sparse_bsr", "sparse_coo", "sparse_csc", "sparse_csr", "strided", "typename",
)  # fmt: skip
