"""The methods of Tensor that are not ops: autograd, conversion, Python's protocols. Attached when the package is imported."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from typing import Any, SupportsIndex

import numpy

from tritonflow import dtypes
from tritonflow.binding import data_exchange, new_tensors
from tritonflow.binding.annotations import DeviceLike
from tritonflow.binding.target import target_like
from tritonflow.device.device import DEVICE_TYPES, META, Device
from tritonflow.dtypes import DType
from tritonflow.errors import (
    AutogradError,
    BatchedValueError,
    CaptureError,
    DeviceError,
    DTypeError,
    foreign_hint,
    type_name,
)
from tritonflow.execution.transfer import allocate
from tritonflow.framework.hooks import HookTable, RemovableHandle, add_hook
from tritonflow.framework.locality import require_same_locality
from tritonflow.framework.memory_format import MemoryFormat
from tritonflow.framework.module_version import module_version
from tritonflow.framework.placement import Placement
from tritonflow.framework.sbp import Sbp, broadcast
from tritonflow.framework.tensor import Tensor
from tritonflow.framework.tensor_impl import BatchedTensorImpl, EagerLocalTensorImpl
from tritonflow.functions.placement import to_global, to_local
from tritonflow.functions.view import base_of, detach
from tritonflow.interpreter.grad_node import AccumulateGrad
from tritonflow.interpreter.recording import edges_of, require_grad
from tritonflow.members import indexing, printing
from tritonflow.thread_state import slow_path, thread_state

# ------------------------------------------------------------------------------------------------------------ autograd


def _requires_grad(self: Tensor) -> bool:
    """Whether gradients flow to this tensor."""
    return edges_of((self,))[0] is not None


def _set_requires_grad(self: Tensor, value: bool) -> None:
    module_version.advance()
    if slow_path.count and thread_state.lazy is not None and bool(value) is not (self._node is not None):
        thread_state.lazy.change_history(self)
    if value:
        require_grad(self)
    elif self._node is not None:
        if not isinstance(self._node, AccumulateGrad):
            raise AutogradError(
                "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in a"
                " subgraph that doesn't require differentiation use var_no_grad = var.detach()."
            )
        self._node = None


def requires_grad_(self: Tensor, requires_grad: bool = True) -> Tensor:
    """Set `requires_grad` and return the tensor.

    Args:
        requires_grad: whether backward leaves a gradient in `.grad`.

    Raises:
        RuntimeError: a dtype that has no gradient, or False for a tensor that is no leaf.

    Source: torch.Tensor.requires_grad_.

    Example:
        >>> import tritonflow as flow
        >>> flow.ones(2).requires_grad_().requires_grad
        True
    """
    _set_requires_grad(self, requires_grad)
    return self


def _is_leaf(self: Tensor) -> bool:
    """Whether the tensor is no result of a recorded op. A view has the history of its memory, which may have been written."""
    node = self._node
    if node is None and self._view is not None:
        return edges_of((self,))[0] is None
    return node is None or isinstance(node, AccumulateGrad)


def _grad_fn(self: Tensor) -> Any:
    """The node of the op that made the tensor; None for leaves."""
    edge = edges_of((self,))[0]
    return None if edge is None or isinstance(edge[0], AccumulateGrad) else edge[0]


def _get_grad(self: Tensor) -> Tensor | Any:
    """The gradient accumulated by backward, or None; to checkers a tensor, as no program asks before each use."""
    if slow_path.count and thread_state.lazy is not None:
        thread_state.lazy.read_gradient(self)
    return self._grad


def _set_grad(self: Tensor, grad: Tensor | None) -> None:
    if grad is not None:
        if not isinstance(grad, Tensor):
            came = f"{type_name(grad)}{foreign_hint(grad)}"
            raise TypeError(f"assigned grad expected to be a Tensor or None but got grad of type {came}")
        if grad.meta.shape != self.meta.shape:
            raise AutogradError(
                f"assigned grad has data of a different size: {list(grad.meta.shape)}, expected {list(self.meta.shape)}"
            )
        require_same_locality("assigned grad", grad.meta, self.meta)
        if not self.meta.is_local and grad.placement is not self.placement:
            raise AutogradError(f"assigned grad lies over {grad.placement}, expected {self.placement}")
        if grad.meta.device is not self.meta.device or grad.meta.dtype is not self.meta.dtype:
            raise AutogradError("assigned grad has data of a different type or on a different device")
    if slow_path.count and thread_state.lazy is not None:
        thread_state.lazy.write_gradient(self)
    self._grad = grad


def _retains(self: Tensor) -> bool:
    """Whether backward stores the gradient of this non-leaf tensor."""
    return self._retains_grad


def retain_grad(self: Tensor) -> None:
    """Store the gradient of this non-leaf tensor in `.grad`.

    Raises:
        RuntimeError: the tensor does not require grad.

    Source: torch.Tensor.retain_grad.

    Example:
        >>> import tritonflow as flow
        >>> y = flow.ones(2, requires_grad=True) * 2
        >>> y.retain_grad()
        >>> y.sum().backward()
        >>> y.grad
        tensor([1., 1.])
    """
    edge = edges_of((self,))[0]
    if edge is None:
        raise AutogradError("can't retain_grad on Tensor that has requires_grad=False")
    if isinstance(edge[0], AccumulateGrad) or self._retains_grad:
        return
    self._retains_grad = True
    edge[0].retain(edge[1], self)


def register_hook(self: Tensor, hook: Callable[[Tensor], Any]) -> RemovableHandle:
    """Call `hook(grad)` when this tensor's gradient is computed; what it returns (if not None) is used instead.

    Args:
        hook: from a gradient to a gradient or None.

    Returns:
        A handle whose `remove()` takes the hook away.

    Raises:
        RuntimeError: the tensor does not require grad.

    Source: torch.Tensor.register_hook.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.ones(2, requires_grad=True)
        >>> handle = x.register_hook(lambda grad: 10 * grad)
        >>> x.sum().backward()
        >>> x.grad
        tensor([10., 10.])
    """
    edge = edges_of((self,))[0]
    if edge is None:
        raise AutogradError("cannot register a hook on a tensor that doesn't require gradient")
    handle: RemovableHandle = edge[0].add_tensor_hook(edge[1], hook)
    if slow_path.count and thread_state.lazy is not None:
        thread_state.lazy.note_hook(self, handle)
    return handle


def register_post_accumulate_grad_hook(self: Tensor, hook: Callable[[Tensor], None]) -> RemovableHandle:
    """Call `hook(tensor)` after a gradient was added to this leaf's `.grad`.

    Args:
        hook: from the tensor; what it returns is ignored.

    Returns:
        A handle whose `remove()` takes the hook away.

    Raises:
        RuntimeError: the tensor is no leaf that requires grad.

    Source: torch.Tensor.register_post_accumulate_grad_hook.

    Example:
        >>> import tritonflow as flow
        >>> x, seen = flow.ones(2, requires_grad=True), []
        >>> handle = x.register_post_accumulate_grad_hook(lambda x: seen.append(x.grad.tolist()))
        >>> x.sum().backward()
        >>> seen
        [[1.0, 1.0]]
    """
    node = self._node
    if not isinstance(node, AccumulateGrad):
        raise AutogradError("post accumulate grad hooks cannot be registered on non-leaf tensors")
    if node.post_hooks is None:
        node.post_hooks = HookTable()
    handle = add_hook(node.post_hooks, hook)
    if slow_path.count and thread_state.lazy is not None:
        thread_state.lazy.note_hook(self, handle)
    return handle


def detach_(self: Tensor) -> Tensor:
    """Forget the history of this tensor, in place.

    Raises:
        RuntimeError: it is a view.

    Source: torch.Tensor.detach_.

    Example:
        >>> import tritonflow as flow
        >>> y = flow.ones(2, requires_grad=True) * 2
        >>> y.detach_().requires_grad
        False
    """
    if self._view is not None:
        raise AutogradError("Can't detach views in-place. Use detach() instead.")
    if self._node is not None and slow_path.count and thread_state.lazy is not None:
        thread_state.lazy.detach_in_place(self, detach_)
    self._node = None
    return self


def _set_data(self: Tensor, other: Tensor) -> None:
    if not isinstance(other, Tensor):
        raise TypeError(f"data must be a Tensor, not {type_name(other)}{foreign_hint(other)}")
    if other.impl.is_lazy and not self.impl.is_lazy:
        raise CaptureError(
            "`data` of a tensor from outside was set to one that a captured function computes, as by `module.half()`: its memory is"
            " another in every run. Write into it with copy_(), or convert the module outside."
        )
    if slow_path.count and thread_state.lazy is not None:
        thread_state.lazy.change_memory(self, other)
    other.impl.base = base_of(other)
    self.meta, self.impl, self.ptr = other.meta, other.impl, other.ptr


# ---------------------------------------------------------------------------------------------------------- conversion


def to_numpy(self: Tensor) -> numpy.ndarray[Any, Any]:
    """An array that shares the memory of a CPU tensor; a copy of a GPU's.

    It has no history: what NumPy computes from it is unknown to backward. As in OneFlow, and other than in torch, a tensor that
    requires grad need not be detached first. Where NumPy converts a tensor by itself, one that requires grad is refused.

    Raises:
        TypeError: NumPy has no such dtype (bfloat16, float8).

    Example:
        >>> import tritonflow as flow
        >>> flow.ones(2, requires_grad=True).numpy()
        array([1., 1.], dtype=float32)
    """
    return data_exchange.numpy_of(self)


def __array__(self: Tensor, dtype: Any = None, copy: bool | None = None) -> numpy.ndarray[Any, Any]:
    """What NumPy calls where it wants an array; who writes `numpy.exp(x)` does not ask for a result without a gradient."""
    if _requires_grad(self):
        raise AutogradError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
    array = data_exchange.numpy_of(self)
    if dtype is not None:
        array = array.astype(dtype, copy=False)
    return array.copy() if copy else array


def __dlpack__(
    self: Tensor,
    *,
    stream: Any = -1,
    max_version: tuple[int, int] | None = None,
    dl_device: tuple[Any, int] | None = None,
    copy: bool | None = None,
) -> Any:
    """A capsule with the tensor's memory, for another library; its arguments are those of torch.Tensor.__dlpack__."""
    if _requires_grad(self):
        raise BufferError("Can't export tensors that require gradient, use tensor.detach()")
    options = {"stream": stream, "max_version": max_version, "dl_device": dl_device, "copy": copy}
    return data_exchange.to_torch(self).__dlpack__(**options)


def __dlpack_device__(self: Tensor) -> tuple[int, int]:
    return data_exchange.to_torch(self).__dlpack_device__()


def new_tensor(
    self: Tensor,
    data: Any,
    dtype: DType | None = None,
    device: DeviceLike | None = None,
    requires_grad: bool = False,
    placement: Placement | None = None,
    sbp: Sbp | Sequence[Sbp] | None = None,
) -> Tensor:
    """`flow.tensor(data)`, with the dtype of this tensor, on its device or over its placement, unless others are given.

    Args:
        data: a number, nested sequences of numbers, a NumPy array, or a tensor.
        dtype: of the result; this tensor's unless given.
        device: where it lies; this tensor's unless given.
        requires_grad: whether backward leaves a gradient in `.grad`.
        placement, sbp: over which ranks it lies, and how; this tensor's unless given.

    Raises:
        TypeError, ValueError: `data` is not rectangular or not made of numbers.

    Source: torch.Tensor.new_tensor.

    Example:
        >>> import tritonflow as flow
        >>> flow.ones(2, dtype=flow.float64).new_tensor([1, 2])
        tensor([1., 2.], dtype=tritonflow.float64)
    """
    dtype = self.meta.dtype if dtype is None else dtype
    if placement is None and sbp is None:
        ndim = data.ndim if hasattr(data, "ndim") else numpy.ndim(data)
        like = target_like("new_tensor", self, ndim, None if device is None else Device(device))
        device, placement, sbp = like.device if like.placement is None else None, like.placement, like.sbp
    return new_tensors.tensor(data, dtype=dtype, device=device, requires_grad=requires_grad, placement=placement, sbp=sbp)


def full(self: Tensor) -> Tensor:
    """A local tensor with all elements of a consistent one, on every rank of the world; itself if it is local.

    Every rank of the world calls this. Gradients of all ranks add up.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.ones(2, placement=flow.placement.all("cpu"), sbp=flow.sbp.split(0))
        >>> x.full()
        tensor([1., 1.])
    """
    if self.meta.is_local:
        return self
    everyone = Placement.all(self.placement.type)
    whole: Tensor = to_local(to_global(self, everyone, (broadcast,) * everyone.ndim))
    return whole


_DTYPE_OF = {
    "float": "float32",
    "double": "float64",
    "cdouble": "complex128",
    "cfloat": "complex64",
    "chalf": "complex32",
    "half": "float16",
    "bfloat16": "bfloat16",
    "long": "int64",
    "int": "int32",
    "short": "int16",
    "char": "int8",
    "byte": "uint8",
    "bool": "bool",
}


def _to_dtype(name: str, of: str) -> Callable[..., Tensor]:
    dtype = dtypes.from_name(of)

    def method(self: Tensor, memory_format: MemoryFormat | None = None) -> Tensor:
        if memory_format is not None:
            return self.to(dtype, memory_format=memory_format)  # type: ignore[attr-defined, no-any-return]
        return self if self.meta.dtype is dtype else self.to(dtype)  # type: ignore[attr-defined, no-any-return]

    method.__name__ = method.__qualname__ = name
    method.__doc__ = _TO_DTYPE.format(dtype=dtype.name, name=name)
    return method


_TO_DTYPE = """The tensor in {dtype}; itself if it is.

    Args:
        memory_format: the order of the dimensions in memory; as they lie unless given.

    Source: torch.Tensor.{name}.

    Example:
        >>> import tritonflow as flow
        >>> flow.ones(2, dtype=flow.uint8).{name}().dtype
        tritonflow.{dtype}
    """


def _with_dimensions_reversed(self: Tensor) -> Tensor:
    """The tensor with its dimensions in reverse."""
    return self.permute(tuple(range(self.meta.ndim))[::-1])


def _with_matrices_transposed(self: Tensor) -> Tensor:
    """The tensor with its last two dimensions swapped."""
    return self.transpose(-2, -1)


def cpu(self: Tensor, memory_format: MemoryFormat | None = None) -> Tensor:
    """The tensor in host memory; itself if it is there.

    Args:
        memory_format: the order of the dimensions in memory; as they lie unless given.

    Source: torch.Tensor.cpu.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.ones(2, device="cpu")
        >>> x.cpu() is x
        True
    """
    if self.meta.device.type == "cpu" and memory_format is None:
        return self
    return self.to(data_exchange.CPU, memory_format=memory_format)  # type: ignore[attr-defined, no-any-return]


def cuda(
    self: Tensor,
    device: DeviceLike | int | None = None,
    non_blocking: bool = False,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """The tensor on an NVIDIA GPU; itself if it is there. Of a consistent one, each shard on its rank's.

    Args:
        device: which one, a number or a device; the current one unless given.
        non_blocking: torch's; copies to a GPU do not block.
        memory_format: the order of the dimensions in memory; as they lie unless given.

    Raises:
        RuntimeError: there is no such GPU.

    Source: torch.Tensor.cuda.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.ones(2)
        >>> y = x.cuda() if flow.cuda.is_available() else x
    """
    where = Device(f"cuda:{device}" if isinstance(device, int) else device or "cuda")
    return self.to(where, memory_format=memory_format)  # type: ignore[attr-defined, no-any-return]


# ---------------------------------------------------------------------------------------------------- Python protocols


def __len__(self: Tensor) -> int:
    if not self.meta.shape:
        raise TypeError("len() of a 0-d tensor")
    return self.meta.shape[0]


def __iter__(self: Tensor) -> Iterator[Tensor]:
    if not self.meta.shape:
        raise TypeError("iteration over a 0-d tensor")
    return iter(self.unbind(0))  # type: ignore[attr-defined]


def _real_item(self: Tensor, kind: str) -> Any:
    value = data_exchange.item(self)
    if isinstance(value, complex):
        if value.imag:
            raise DTypeError(f"value cannot be converted to type {kind} without overflow")
        return value.real
    return value


def __bool__(self: Tensor) -> bool:
    if self.meta.numel != 1:
        what = "no values" if self.meta.numel == 0 else "more than one value"
        raise RuntimeError(f"Boolean value of Tensor with {what} is ambiguous")
    if self.impl.__class__ is BatchedTensorImpl:
        raise BatchedValueError(
            "vmap: It looks like you're attempting to use a Tensor in some data-dependent control flow. We don't support that yet,"
            " please shout over at https://github.com/pytorch/functorch/issues/257 . help: choose between values with where()"
        )
    return bool(data_exchange.item(self))


def __int__(self: Tensor) -> int:
    return int(_real_item(self, "int64"))


def __float__(self: Tensor) -> float:
    return float(_real_item(self, "double"))


def __index__(self: Tensor) -> int:
    if self.meta.dtype.is_floating_point or self.meta.numel != 1:
        raise TypeError("only integer tensors of a single element can be converted to an index")
    return int(data_exchange.item(self))


def __format__(self: Tensor, spec: str) -> str:
    """A tensor of one number is formatted as the number; without a format only where this rank has it, as of no subclass."""
    known = type(self) is Tensor and self.meta.is_local and not self.is_lazy
    if self.meta.ndim == 0 and (spec or known) and not self.is_meta:
        return format(data_exchange.item(self), spec)
    return object.__format__(self, spec)


def __contains__(self: Tensor, element: object) -> bool:
    return bool((self == element).any())  # type: ignore[attr-defined]


def __deepcopy__(self: Tensor, memo: dict[int, Any]) -> Tensor:
    """A leaf's copy requires grad as the leaf does, another tensor's has no history, as in OneFlow; torch refuses that."""
    found: Tensor | None = memo.get(id(self))
    if found is not None:
        return found
    result = _beside_its_kin(self, memo) if _has_memory(self) else data_exchange.copy_of(self, self.dtype)
    if self._node is not None and _is_leaf(self):
        require_grad(result)
    memo[id(self)] = result
    for name, value in self.__dict__.items():
        if name not in ("_grad", "_retains_grad", "_output_nr"):
            result.__dict__[name] = copy.deepcopy(value, memo)
    if self._grad is not None:
        result._grad = copy.deepcopy(self._grad, memo)
    return result  # type: ignore[no-any-return]


def _has_memory(x: Tensor) -> bool:
    return x.impl.__class__ is EagerLocalTensorImpl and x.meta.is_local and x.meta.device is not META and x.meta.numel > 0


def _beside_its_kin(x: Tensor, memo: dict[Any, Any]) -> Tensor:
    """A copy that lies in its memory as the tensor does; copies of tensors that share memory share theirs, as torch's do."""
    key = "memory of a tensor", id(x.impl)
    if key not in memo:
        memo[key] = data_exchange.copy_of(x.untyped_storage()._bytes(), dtypes.uint8), x.impl  # type: ignore[attr-defined]
    own = x.new_empty((0,)).detach()  # type: ignore[attr-defined]
    storage = memo[key][0].untyped_storage()
    return own.set_(storage, x.storage_offset(), tuple(x.meta.shape), tuple(x.meta.stride))  # type: ignore[attr-defined, no-any-return]


def __reduce_ex__(self: Tensor, protocol: SupportsIndex) -> Any:
    bits = self.detach()  # type: ignore[attr-defined]
    if not self.meta.is_local:
        state = {k: v for k, v in self.__dict__.items() if not k.startswith("_")}
        return (_rebuild_consistent, (data_exchange.whole(bits), self.placement, self.sbp, self._node is not None, state))
    if self.meta.device is META:
        state = {k: v for k, v in self.__dict__.items() if not k.startswith("_")}
        return (_rebuild_without_data, (self.meta, self._node is not None, state))
    if not self.meta.dtype.has_numpy:
        bits = data_exchange.with_dtype(bits, _bits_of(self.meta.dtype))
    array = data_exchange.numpy_of(bits)
    state = {k: v for k, v in self.__dict__.items() if not k.startswith("_")}
    return (_rebuild, (numpy.array(array, order="C"), self.dtype, self.device, self._node is not None, state))


def _rebuild_consistent(data: Tensor, placement: Any, sbp: Any, requires_grad: bool, state: dict[str, Any]) -> Tensor:
    result = new_tensors.spread(data, placement, sbp)
    if requires_grad:
        require_grad(result)
    result.__dict__.update(state)
    return result


def _rebuild_without_data(meta: Any, requires_grad: bool, state: dict[str, Any]) -> Tensor:
    result = allocate(meta)
    if requires_grad:
        require_grad(result)
    result.__dict__.update(state)
    return result


def _bits_of(dtype: dtypes.DType) -> dtypes.DType:
    """An integer dtype of the same size."""
    return dtypes.uint8 if dtype.itemsize == 1 else dtypes.int16


def _rebuild(array: Any, dtype: Any, device: Any, requires_grad: bool, state: dict[str, Any]) -> Tensor:
    if not dtype.has_numpy:
        bits = new_tensors.from_array(array, _bits_of(dtype), device)
        result = data_exchange.with_dtype(bits, dtype)
    else:
        result = new_tensors.from_array(array, dtype, device)
    if requires_grad:
        require_grad(result)
    result.__dict__.update(state)
    return result


def method_to(function: Any) -> Callable[..., Tensor]:
    """`Tensor.to` over the binding's function; `x.to(flow.Tensor)` is x, as OneFlow's graphs write it of parameters."""

    def to(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        if not self.meta.is_local:
            _check_device_type(args[0] if args else kwargs.get("device"))
        return self if args and args[0] is Tensor else function(self, *args, **kwargs)

    to.__doc__ = function.__doc__
    to.__signature__ = function.__signature__.of_method()  # type: ignore[attr-defined]
    return to


def _check_device_type(device: Any) -> None:
    """Raises RuntimeError for a text that names no device type; the words are OneFlow's for global tensors."""
    if isinstance(device, str) and device.partition(":")[0] not in (*DEVICE_TYPES, "meta"):
        raise DeviceError(
            f'Only string device without device id (eg. "cpu" or "cuda") is expected for global tensor, but got {device}'
        )


METHODS: dict[str, Any] = {
    "requires_grad": property(_requires_grad, _set_requires_grad),
    "is_leaf": property(_is_leaf),
    "grad_fn": property(_grad_fn),
    "grad": property(_get_grad, _set_grad, lambda self: _set_grad(self, None)),
    "data": property(detach, _set_data),
    "retains_grad": property(_retains),
    "T": property(_with_dimensions_reversed),
    "mT": property(_with_matrices_transposed),
    "requires_grad_": requires_grad_,
    "retain_grad": retain_grad,
    "register_hook": register_hook,
    "register_post_accumulate_grad_hook": register_post_accumulate_grad_hook,
    "detach_": detach_,
    "data_ptr": data_exchange.address,
    "_run_kernel": data_exchange.run_kernel,
    "numpy": to_numpy,
    "full": full,
    "new_tensor": new_tensor,
    "cpu": cpu,
    "cuda": cuda,
    **{name: _to_dtype(name, dtype) for name, dtype in _DTYPE_OF.items()},
    "item": data_exchange.item,
    "tolist": data_exchange.tolist,
    "__array__": __array__,
    "__array_priority__": 1000,  # NumPy's scalars and arrays leave operators with tensors to these
    "__dlpack__": __dlpack__,
    "__dlpack_device__": __dlpack_device__,
    "__len__": __len__,
    "__iter__": __iter__,
    "__bool__": __bool__,
    "__int__": __int__,
    "__float__": __float__,
    "__index__": __index__,
    "__format__": __format__,
    "__contains__": __contains__,
    "__getitem__": indexing.getitem,
    "__setitem__": indexing.setitem,
    "__repr__": printing.representation,
    "__deepcopy__": __deepcopy__,
    "__reduce_ex__": __reduce_ex__,
}
