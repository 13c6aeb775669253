"""Functions and constants of torch's main namespace that are no ops: questions about tensors and dtypes, tensors over given
memory, and switches.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any, NoReturn, TypeVar

import numpy

from tritonflow import dtypes
from tritonflow.device import torch_exchange
from tritonflow.device.device import Device, get_default_device
from tritonflow.dtypes import DType
from tritonflow.errors import ArgumentTypeError, ArgumentValueError, InvalidArgumentError, ShapeError, type_name
from tritonflow.framework.tensor import Size, Tensor
from tritonflow.functional import data_exchange
from tritonflow.functional.annotations import DeviceLike
from tritonflow.functional.data_exchange import from_numpy, from_torch, tensor, with_dtype
from tritonflow.functional.functors.complex_views import imag, real
from tritonflow.functional.functors.sequences import empty_strided
from tritonflow.functional.functors.special import polygamma_of
from tritonflow.functional.torch_calls import in_place

T = TypeVar("T", bound=Tensor)

inf, nan, pi, e = math.inf, math.nan, math.pi, math.e
newaxis = None


class StorageLayout:
    """How a tensor's elements are stored; `flow.strided` is the only layout."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"tritonflow.{self.name}"

    def __reduce__(self) -> str:
        return self.name


strided = StorageLayout("strided")


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
    operands = (tensor1, tensor2)
    for operand in operands:
        if not isinstance(operand, (Tensor, bool, int, float, complex)):
            raise ArgumentTypeError(f"result_type(): expected tensors or numbers, but got {type_name(operand)}")
    tensors = [(t.meta.dtype, t.meta.ndim) for t in operands if isinstance(t, Tensor)]
    return dtypes.result_type(tensors, [type(n) for n in operands if not isinstance(n, Tensor)])


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


# ------------------------------------------------------------------------------------------------------------- switches

_deterministic = {"mode": 0}
_MODES = {"default": 0, "warn": 1, "error": 2}


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Note whether only deterministic algorithms are wanted: all of them are, whatever is set.

    Args:
        mode: whether they are wanted.
        warn_only: whether a warning instead of an error was wanted for others.

    Source: torch.use_deterministic_algorithms.

    Example:
        >>> import tritonflow as flow
        >>> flow.use_deterministic_algorithms(True, warn_only=True)
        >>> flow.are_deterministic_algorithms_enabled(), flow.get_deterministic_debug_mode()
        (True, 1)
        >>> flow.use_deterministic_algorithms(False)
    """
    _deterministic["mode"] = 0 if not mode else 1 if warn_only else 2


def are_deterministic_algorithms_enabled() -> bool:
    """Whether `use_deterministic_algorithms` asked for them.

    Source: torch.are_deterministic_algorithms_enabled.

    Example:
        >>> import tritonflow as flow
        >>> flow.are_deterministic_algorithms_enabled()
        False
    """
    return _deterministic["mode"] > 0


def is_deterministic_algorithms_warn_only_enabled() -> bool:
    """Whether `use_deterministic_algorithms` asked for warnings only.

    Source: torch.is_deterministic_algorithms_warn_only_enabled.

    Example:
        >>> import tritonflow as flow
        >>> flow.is_deterministic_algorithms_warn_only_enabled()
        False
    """
    return _deterministic["mode"] == 1


def get_deterministic_debug_mode() -> int:
    """0, 1 for warnings or 2 for errors, as `use_deterministic_algorithms` set it.

    Source: torch.get_deterministic_debug_mode.

    Example:
        >>> import tritonflow as flow
        >>> flow.get_deterministic_debug_mode()
        0
    """
    return _deterministic["mode"]


def set_deterministic_debug_mode(debug_mode: int | str) -> None:
    """Say what `use_deterministic_algorithms` says in one word.

    Args:
        debug_mode: "default", "warn" or "error", or 0, 1 or 2.

    Raises:
        TypeError: it is neither a text nor an int.
        RuntimeError: it is none of these.

    Source: torch.set_deterministic_debug_mode.

    Example:
        >>> import tritonflow as flow
        >>> flow.set_deterministic_debug_mode("error")
        >>> flow.get_deterministic_debug_mode()
        2
        >>> flow.set_deterministic_debug_mode("default")
    """
    if not isinstance(debug_mode, (int, str)):
        raise TypeError(f"debug_mode must be str or int, but got {type(debug_mode)}")
    mode = _MODES.get(debug_mode) if isinstance(debug_mode, str) else debug_mode
    if mode not in (0, 1, 2):
        raise InvalidArgumentError(
            f"invalid value of debug_mode, expected one of `default`, `warn`, `error`, but got {debug_mode}"
        )
    _deterministic["mode"] = mode


def set_flush_denormal(mode: bool) -> bool:
    """False: denormal numbers are always computed with.

    Args:
        mode: whether they should count as 0.

    Source: torch.set_flush_denormal.

    Example:
        >>> import tritonflow as flow
        >>> flow.set_flush_denormal(True)
        False
    """
    return False


def get_num_interop_threads() -> int:
    """1: ops of one program run one after another.

    Source: torch.get_num_interop_threads.

    Example:
        >>> import tritonflow as flow
        >>> flow.get_num_interop_threads()
        1
    """
    return 1


def set_num_interop_threads(count: int) -> None:
    """Nothing: ops of one program run one after another.

    Args:
        count: a positive integer, which is checked.

    Raises:
        RuntimeError: it is none.

    Source: torch.set_num_interop_threads.

    Example:
        >>> import tritonflow as flow
        >>> flow.set_num_interop_threads(4)
    """
    if not isinstance(count, int) or count < 1:
        raise InvalidArgumentError(f"set_num_interop_threads expects a positive integer, but got {count!r}")


def set_warn_always(b: bool) -> None:
    """Show warnings each time, or as Python's filters say.

    Args:
        b: whether each time.

    Source: torch.set_warn_always.

    Example:
        >>> import tritonflow as flow
        >>> flow.set_warn_always(False)
    """
    warnings.simplefilter("always" if b else "default", UserWarning)


def compiled_with_cxx11_abi() -> bool:
    """True: torch's question about its binary interface, for programs that ask it.

    Source: torch.compiled_with_cxx11_abi.

    Example:
        >>> import tritonflow as flow
        >>> flow.compiled_with_cxx11_abi()
        True
    """
    return True


# -------------------------------------------------------------------------------------------------- methods and properties


def _no(self: Tensor) -> bool:
    """False: there are no such tensors here.

    Source: torch.Tensor.is_conj, is_neg, is_distributed, is_coalesced.

    Example:
        >>> import tritonflow as flow
        >>> flow.ones(2).is_conj()
        False
    """
    return False


def _layout(self: Tensor) -> StorageLayout:
    return strided


def _name(self: Tensor) -> None:
    return None


def _conjugate_transpose(self: Tensor) -> Tensor:
    swapped = self.transpose(-2, -1)
    return swapped.conj() if is_complex(self) else swapped  # type: ignore[attr-defined]


def _h(self: Tensor) -> Tensor:
    if self.meta.ndim not in (0, 2):
        raise ShapeError(f"tensor.H is only supported on matrices (2-D tensors). Got {self.meta.ndim}-D tensor.")
    return _conjugate_transpose(self) if self.meta.ndim else self


def _mh(self: Tensor) -> Tensor:
    if self.meta.ndim == 1:
        raise ShapeError("tensor.mH is only supported on matrices or batches of matrices. Got 1-D tensor.")
    return _conjugate_transpose(self) if self.meta.ndim else self


def _itself(self: Tensor) -> Tensor:
    return self


def _long(self: Tensor) -> int:
    return int(self)


def _complex(self: Tensor) -> complex:
    return complex(self.item())


def _is_view(self: Tensor) -> bool:
    return self._view is not None


def sum_to_size(self: Tensor, *size: int | Sequence[int]) -> Tensor:
    """The sum over the dimensions that broadcasting `size` to this shape would expand.

    Args:
        size: the sizes, as integers or a sequence.

    Raises:
        RuntimeError: `size` cannot be broadcast to this shape.

    Source: torch.Tensor.sum_to_size.

    Example:
        >>> import tritonflow as flow
        >>> flow.ones(2, 3).sum_to_size(1, 3)
        tensor([[2., 2., 2.]])
    """
    shape: tuple[Any, ...] = tuple(size[0]) if len(size) == 1 and isinstance(size[0], (tuple, list)) else size
    own = self.meta.shape
    missing = len(own) - len(shape)
    if missing < 0 or any(n not in (1, m) for n, m in zip(shape, own[missing:])):
        raise ShapeError(f"size {{{list(shape)}}} is not expandable to size {{{list(own)}}}.")
    if not shape:
        return self.sum()  # type: ignore[attr-defined]
    dims = [d for d, m in enumerate(own) if d < missing or shape[d - missing] == 1 != m]
    return self.sum(dims, keepdim=True).reshape(shape) if dims else self.reshape(shape)  # type: ignore[attr-defined]


def as_subclass(self: Tensor, cls: type[T]) -> T:
    """The tensor as one of a subclass, over the same memory and history.

    Args:
        cls: a subclass of `flow.Tensor`.

    Raises:
        TypeError: `cls` is no class of tensors.

    Source: torch.Tensor.as_subclass.

    Example:
        >>> import tritonflow as flow
        >>> class Named(flow.Tensor):
        ...     pass
        >>> type(flow.ones(2).as_subclass(Named)).__name__
        'Named'
    """
    if not (isinstance(cls, type) and issubclass(cls, Tensor)):
        raise TypeError(f"cls must be a type of tensors, not {cls!r}")
    result = cls.__new__(cls)
    Tensor.__init__(result, self.meta, self.impl, self.ptr)
    result._node, result._view, result._output_nr = self._node, self._view, self._output_nr
    return result


def _write_part(part: Tensor, value: Any) -> None:
    part.copy_(value) if isinstance(value, Tensor) else part.fill_(value)  # type: ignore[attr-defined]


def _output_number(self: Tensor) -> int:
    return self._output_nr


def _no_deletion(self: Tensor, index: Any) -> NoReturn:
    raise TypeError("Tensor does not support deleting items")


def _reversed(self: Tensor) -> Tensor:
    """The elements in reverse along the first dimension."""
    return self[list(range(self.meta.shape[0]))[::-1]] if self.meta.ndim and self.meta.numel else self


def new_empty_strided(
    self: Tensor, size: Sequence[int], stride: Sequence[int], dtype: DType | None = None, device: DeviceLike | None = None,
    requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """A tensor with given strides, of this dtype on this device unless others are given, and whatever is in its memory.

    Args:
        size: the shape.
        stride: the distance of neighbours in each dimension, in elements.
        dtype: of the numbers; the tensor's unless given.
        device: where it lies; the tensor's unless given.
        requires_grad: whether backward leaves a gradient in `.grad`.

    Raises:
        RuntimeError: different numbers of sizes and strides, or negative ones.

    Source: torch.Tensor.new_empty_strided.

    Example:
        >>> import tritonflow as flow
        >>> flow.ones(1).new_empty_strided((2, 3), (1, 2)).stride()
        (1, 2)
    """
    where = self.device if device is None else Device(device)
    return empty_strided(tuple(size), tuple(stride), dtype or self.dtype, where, requires_grad)


_polygamma_in_place = in_place(polygamma_of)


def polygamma_(self: Tensor, n: int) -> Tensor:
    """`flow.polygamma(n, self)`, in place.

    Args:
        n: how many times digamma is differentiated; not negative.

    Raises:
        RuntimeError: `n` is negative, or the tensor is a leaf that requires grad, or has integers.

    Source: torch.Tensor.polygamma_.

    Example:
        >>> import tritonflow as flow
        >>> flow.tensor([1.0, 2.0]).polygamma_(1)
        tensor([1.6449, 0.6449])
    """
    return _polygamma_in_place(self, n)  # type: ignore[no-any-return]


METHODS: dict[str, Any] = {
    **{name: property(_no) for name in (
        "is_sparse", "is_sparse_csr", "is_quantized", "is_xpu", "is_mps", "is_mkldnn", "is_xla", "is_ipu", "is_hpu", "is_mtia",
        "is_maia", "is_vulkan", "is_nested",
    )},
    "layout": property(_layout),
    "name": property(_name),
    "__pos__": _itself,
    "polygamma_": polygamma_,
    "__nonzero__": is_nonzero,
    "__long__": _long,
    "__complex__": _complex,
    "__delitem__": _no_deletion,
    "__reversed__": _reversed,
    "new_empty_strided": new_empty_strided,
    "output_nr": property(_output_number),
    "H": property(_h),
    "mH": property(_mh),
    "is_complex": is_complex,
    "real": property(real, lambda self, value: _write_part(real(self), value)),
    "imag": property(imag, lambda self, value: _write_part(imag(self), value)),
    "is_signed": is_signed,
    "is_nonzero": is_nonzero,
    "is_same_size": is_same_size,
    "is_inference": is_inference,
    "is_conj": _no,
    "is_neg": _no,
    "is_distributed": _no,
    "is_coalesced": _no,
    "_is_view": _is_view,
    "get_device": get_device,
    "sum_to_size": sum_to_size,
    "as_subclass": as_subclass,
}  # fmt: skip


__all__: Sequence[str] = (
    "are_deterministic_algorithms_enabled", "as_tensor", "asarray", "broadcast_shapes", "can_cast", "compiled_with_cxx11_abi", "e",
    "frombuffer", "get_deterministic_debug_mode", "get_device", "get_num_interop_threads", "inf", "is_complex",
    "is_deterministic_algorithms_warn_only_enabled", "is_floating_point", "is_inference", "is_nonzero", "is_same_size", "is_signed",
    "is_tensor", "nan", "newaxis", "numel", "pi", "result_type", "set_deterministic_debug_mode", "set_flush_denormal",
    "set_num_interop_threads", "set_warn_always", "strided", "typename", "use_deterministic_algorithms",
)  # fmt: skip
