"""Methods and properties of torch.Tensor that are no ops: layouts, parts of complex numbers, subclasses, functions of elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn, TypeVar

from tritonflow.binding import new_tensors
from tritonflow.binding.annotations import DeviceLike
from tritonflow.binding.torch_calls import in_place
from tritonflow.device.device import Device
from tritonflow.dtypes import DType
from tritonflow.errors import AutogradError, InvalidArgumentError, ShapeError
from tritonflow.execution.lazy import note_alias
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.creation_sequences import empty_strided
from tritonflow.functions.special import polygamma_of
from tritonflow.functions.unary_complex import imag, real
from tritonflow.members.torch_names import (
    StorageLayout,
    get_device,
    is_complex,
    is_inference,
    is_nonzero,
    is_same_size,
    is_signed,
    strided,
)
from tritonflow.thread_state import thread_state

T = TypeVar("T", bound=Tensor)


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


def _pos(self: Tensor) -> Tensor:
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
    note_alias(self)
    result = object.__new__(cls)  # as torch: `__new__` of the class is for programs, and may want arguments
    Tensor.__init__(result, self.meta, self.impl, self.ptr)
    result._node, result._view = self._node, self._view
    if self._output_nr:
        result._output_nr = self._output_nr
    return result


def _write_part(part: Tensor, value: Any) -> None:
    part.copy_(value) if isinstance(value, Tensor) else part.fill_(value)  # type: ignore[attr-defined]


def _output_nr(self: Tensor) -> int:
    return self._output_nr


def _delitem(self: Tensor, index: Any) -> NoReturn:
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


def map_(self: Tensor, tensor: Tensor, callable: Callable[[Any, Any], Any]) -> Tensor:
    """Write callable(own element, element of `tensor`) over each element, in Python; slow, of CPU tensors.

    Args:
        tensor: is expanded to this tensor's shape.
        callable: is given two numbers and returns one.

    Raises:
        RuntimeError: the tensor is on another device, or requires grad.

    Source: torch.Tensor.map_.

    Example:
        >>> import tritonflow as flow
        >>> flow.tensor([1, 2], device="cpu").map_(flow.tensor([3, 4], device="cpu"), lambda a, b: a * b)
        tensor([3, 8])
    """
    if self.device.type != "cpu":
        raise InvalidArgumentError(f"map_ is only implemented on CPU tensors, not on {self.device}")
    pairs = zip(_flat(self), _flat(tensor.expand(self.shape)))
    return _write_flat(self, [callable(a, b) for a, b in pairs])


def apply_(self: Tensor, callable: Callable[[Any], Any]) -> Tensor:
    """Write callable(element) over each element, in Python; slow, of CPU tensors.

    Args:
        callable: is given a number and returns one.

    Raises:
        RuntimeError: the tensor is on another device, or requires grad.

    Source: torch.Tensor.apply_.

    Example:
        >>> import tritonflow as flow
        >>> flow.arange(3).apply_(lambda n: n * n)
        tensor([0, 1, 4])
    """
    if self.device.type != "cpu":
        raise InvalidArgumentError(f"apply_ is only implemented on CPU tensors, not on {self.device}")
    return _write_flat(self, [callable(a) for a in _flat(self)])


def _flat(x: Tensor) -> list[Any]:
    return x.detach().reshape((-1,)).tolist()  # type: ignore[no-any-return]


def _write_flat(x: Tensor, numbers: list[Any]) -> Tensor:
    if x.requires_grad and thread_state.grad_enabled:
        raise AutogradError("can't call a Python function on the elements of a Tensor that requires grad")
    return x.copy_(new_tensors.tensor(numbers, dtype=x.dtype).reshape(x.shape))


METHODS: dict[str, Any] = {
    **{name: property(_no) for name in (
        "is_sparse", "is_sparse_csr", "is_quantized", "is_xpu", "is_mps", "is_mkldnn", "is_xla", "is_ipu", "is_hpu", "is_mtia",
        "is_maia", "is_vulkan", "is_nested",
    )},
    "layout": property(_layout),
    "name": property(_name),
    "__pos__": _pos,
    "polygamma_": polygamma_,
    "__nonzero__": is_nonzero,
    "__long__": _long,
    "__complex__": _complex,
    "__delitem__": _delitem,
    "__reversed__": _reversed,
    "new_empty_strided": new_empty_strided,
    "output_nr": property(_output_nr),
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
    "map_": map_,
    "apply_": apply_,
    "as_subclass": as_subclass,
}  # fmt: skip
