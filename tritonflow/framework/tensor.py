"""Tensor: the object that Python sees.

It is small on purpose, because every eager op makes one. It has a meta (shape, dtype and the like), an impl (where the data is),
the address of its first element, and its grad node. Its methods are attached by `binding` (ops) and
`members/` (the rest), so that this room stays below both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from tritonflow.device.device import META, Device
from tritonflow.device.memory import Block
from tritonflow.dtypes import DType
from tritonflow.errors import ArgumentTypeError, DimensionError, LocalityError
from tritonflow.framework.consistent_meta import ConsistentTensorMeta
from tritonflow.framework.function_overrides import adopt, default_call
from tritonflow.framework.memory_format import MemoryFormat, contiguous_format, lies_in
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.runtime_scalar import for_user
from tritonflow.framework.size import Size
from tritonflow.framework.tensor_impl import BatchedTensorImpl, EagerLocalTensorImpl
from tritonflow.thread_state import thread_state

if TYPE_CHECKING:
    from tritonflow._C.tensor_methods import TensorMethods
    from tritonflow.framework.placement import Placement
    from tritonflow.framework.sbp import NdSbp
else:
    TensorMethods = object


class Tensor(TensorMethods):
    """A multi-dimensional array on a device; made by ops and by `flow.tensor`.

    Slots: `meta` (TensorMeta), `impl` (TensorImpl), `ptr` (address of element 0), `_node` (None, or the grad node that
    produced it, or the accumulator of a leaf that requires grad), `_view` (None, or base, op, attributes and version of a view).
    """

    __slots__ = ("meta", "impl", "ptr", "_node", "_view", "__dict__", "__weakref__")

    # In the instance's dictionary where set: the number of this output of its node, the gradient, whether a non-leaf stores it in
    # `.grad`; of a gradient, whether code outside of the backward engine may refer to it; whether the tensor was made a view of
    # itself, such as by `t_`: views of it that are older are no longer what their ops make of it; and whether it is a view that an
    # `autograd.Function` gave, whose history is the function's and not its op's.
    _output_nr = 0
    _grad: Tensor | None = None
    _retains_grad = False
    _is_exposed = False
    _was_viewed = False
    _is_of_function = False
    _is_plain_tensor = True  # of this class alone: others may take over functions (function_overrides.py)

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        adopt(cls, Tensor)

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """What a subclass makes of a call with its tensors: the call, whose results are tensors of the subclass.

        A subclass may have another one, which calls this one by `super()`, or returns NotImplemented.

        Args:
            func: the function, as `flow.add`, or the method or property, as `Tensor.add`.
            types: the classes of the arguments that take part.
            args, kwargs: the arguments.

        Source: torch.Tensor.__torch_function__.

        Example:
            >>> import tritonflow as flow
            >>> class Noted(flow.Tensor):
            ...     @classmethod
            ...     def __torch_function__(cls, func, types, args=(), kwargs=None):
            ...         print(func.__name__)
            ...         return super().__torch_function__(func, types, args, kwargs)
            >>> x = flow.ones(2).as_subclass(Noted)
            >>> type(flow.relu(x) + 1).__name__
            relu
            add
            'Noted'
        """
        return default_call(cls, Tensor, func, types, args, kwargs)

    def __init__(self, meta: Any = (), impl: Any = None, ptr: Any = None, *more: Any, **options: Any) -> None:
        """Inside of the package: from meta, impl and address.

        For users, `flow.Tensor(2, 3)` or `flow.Tensor([1.0, 2.0])`: a float32 tensor of a size (not initialised) or of data, with
        the options device, or placement and sbp; prefer `flow.empty` and `flow.tensor`.
        """
        if meta.__class__ is not TensorMeta and meta.__class__ is not ConsistentTensorMeta:
            if hasattr(self, "meta"):  # `__new__` of a subclass has returned a whole tensor, and Python calls this behind it
                return
            meta, impl, ptr = _parts_for_user([a for a in (meta, impl, ptr, *more) if a is not None], options)
        self.meta = meta
        self.impl: Any = impl
        self.ptr = ptr
        self._node: Any = None
        self._view: Any = None

    @property
    def shape(self) -> Size:
        """The size of every dimension."""
        return self.meta.sizes

    @property
    def dtype(self) -> DType:
        """The data type of the elements."""
        return self.meta.dtype

    @property
    def device(self) -> Device:
        """Where the data is.

        Raises:
            RuntimeError: the tensor is consistent: each rank has a device of its own. In `global_mode` it is the device type.
        """
        if not self.meta.is_local:
            if thread_state.global_mode is not None:
                return Device(self.meta.placement.type)
            raise LocalityError("Only local tensors have 'device'. Please use '.placement' for global tensors.")
        return self.meta.device

    @property
    def placement(self) -> Placement:
        """Over which ranks a consistent tensor lies.

        Raises:
            RuntimeError: the tensor is local.
        """
        if self.meta.is_local:
            raise LocalityError("Only global tensors have 'placement'. Please use '.device' for local tensors.")
        return self.meta.placement

    @property
    def sbp(self) -> NdSbp:
        """How a consistent tensor lies over its placement: one sbp for each dimension of that.

        Raises:
            RuntimeError: the tensor is local.
        """
        if self.meta.is_local:
            raise LocalityError("Local tensor has no sbp property. Make it global with to_global(placement=..., sbp=...).")
        return self.meta.sbp

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return self.meta.ndim

    def dim(self) -> int:
        """The number of dimensions.

        Source: torch.Tensor.dim.

        Example:
            >>> import tritonflow as flow
            >>> flow.zeros(2, 3).dim()
            2
        """
        return self.meta.ndim

    ndimension = dim

    def numel(self) -> int:
        """The number of elements.

        Source: torch.Tensor.numel.

        Example:
            >>> import tritonflow as flow
            >>> flow.ones(2, 3).numel()
            6
        """
        count: int = self.meta.numel
        return count if type(count) is int else for_user(count)

    nelement = numel

    def element_size(self) -> int:
        """The size of an element in bytes.

        Source: torch.Tensor.element_size.

        Example:
            >>> import tritonflow as flow
            >>> flow.zeros(1, dtype=flow.float64).element_size()
            8
        """
        return self.meta.dtype.itemsize

    @property
    def itemsize(self) -> int:
        """The size of an element in bytes."""
        return self.meta.dtype.itemsize

    @property
    def nbytes(self) -> int:
        """The number of bytes that the elements take, on all ranks together if they are split."""
        return for_user(self.meta.numel) * self.meta.dtype.itemsize

    @overload
    def size(self) -> Size: ...
    @overload
    def size(self, dim: int) -> int: ...
    def size(self, dim: int | None = None) -> Size | int:
        """The shape, or the size of one dimension.

        Args:
            dim: which dimension, negative ones from the end; all unless given.

        Raises:
            IndexError: there is no such dimension.

        Source: torch.Tensor.size.

        Example:
            >>> import tritonflow as flow
            >>> x = flow.zeros(2, 3)
            >>> x.size(), x.size(-1)
            (tritonflow.Size([2, 3]), 3)
        """
        if dim is None:
            return self.shape
        size: int = self.meta.shape[wrap_dim(dim, self.meta.ndim)]
        return size if type(size) is int else for_user(size)

    @overload
    def stride(self) -> tuple[int, ...]: ...
    @overload
    def stride(self, dim: int) -> int: ...
    def stride(self, dim: int | None = None) -> tuple[int, ...] | int:
        """The distance in elements between neighbours along every dimension, or along one; of a consistent tensor, on one rank.

        Args:
            dim: which dimension, negative ones from the end; all unless given.

        Raises:
            IndexError: there is no such dimension.

        Source: torch.Tensor.stride.

        Example:
            >>> import tritonflow as flow
            >>> x = flow.zeros(2, 3)
            >>> x.stride(), x.T.stride()
            ((3, 1), (1, 3))
        """
        stride = tuple(map(for_user, self.meta.on_one_rank.stride))
        return stride if dim is None else stride[wrap_dim(dim, self.meta.ndim)]

    def storage_offset(self) -> int:
        """The distance in elements between the memory block's start and element 0.

        Source: torch.Tensor.storage_offset.

        Example:
            >>> import tritonflow as flow
            >>> flow.zeros(2, 3)[1].storage_offset()
            3
        """
        start = 0 if self.meta.device is META or self.impl.__class__ is BatchedTensorImpl else self.impl.block.ptr
        return int((self.ptr - start) // self.meta.dtype.itemsize)

    def is_contiguous(self, memory_format: MemoryFormat = contiguous_format) -> bool:
        """Whether the elements lie in a memory format without gaps; those of a consistent tensor, on one rank.

        Args:
            memory_format: row-major order unless given.

        Source: torch.Tensor.is_contiguous.

        Example:
            >>> import tritonflow as flow
            >>> x = flow.zeros(2, 3)
            >>> x.is_contiguous(), x.T.is_contiguous()
            (True, False)
        """
        meta = self.meta.on_one_rank
        return meta.lies_contiguous() if memory_format.ndim == 0 else lies_in(meta, memory_format)

    def is_floating_point(self) -> bool:
        """Whether the dtype is a floating dtype.

        Source: torch.Tensor.is_floating_point.

        Example:
            >>> import tritonflow as flow
            >>> flow.ones(2).is_floating_point()
            True
        """
        return self.meta.dtype.is_floating_point

    @property
    def is_cuda(self) -> bool:
        """Whether the data is on an NVIDIA GPU."""
        return self.meta.device.type == "cuda"

    @property
    def is_cpu(self) -> bool:
        """Whether the data is in host memory."""
        return self.meta.device.type == "cpu"

    @property
    def is_meta(self) -> bool:
        """Whether the tensor is on the meta device and has no elements."""
        return self.meta.device is META

    @property
    def is_local(self) -> bool:
        """Whether the tensor belongs to this process alone."""
        return self.meta.is_local

    @property
    def is_global(self) -> bool:
        """Whether the tensor is consistent: one logical tensor over several ranks."""
        return not self.meta.is_local

    is_consistent = is_global

    @property
    def is_lazy(self) -> bool:
        """Whether the tensor stands for a value of a graph that is being captured."""
        return bool(self.impl.is_lazy)

    @property
    def _version(self) -> int:
        """How often the memory was written in place."""
        return int(self.impl.version)


_allocate = object.__new__


def make_tensor(meta: Any, impl: Any, ptr: Any) -> Tensor:
    """`Tensor(meta, impl, ptr)` for the roads that make one in each op: 170 ns, where Python's call of a class takes 240."""
    made = _allocate(Tensor)
    made.meta = meta
    made.impl = impl
    made.ptr = ptr
    made._node = made._view = None
    return made


def tensor_in(meta: TensorMeta, block: Block) -> Tensor:
    """A new tensor in a block of its own, likewise."""
    impl = _allocate(EagerLocalTensorImpl)
    impl.block = block
    impl.version = 0
    made = _allocate(Tensor)
    made.meta = meta
    made.impl = impl
    made.ptr = block.ptr
    made._node = made._view = None
    return made


_constructor: list[Any] = []


def set_user_constructor(function: Any) -> None:
    """Register the function that makes the tensor for `flow.Tensor(*args, device=, placement=, sbp=)`; `members` does so."""
    _constructor[:] = [function]


def _parts_for_user(args: list[Any], options: dict[str, Any]) -> tuple[Any, Any, Any]:
    for name in options:
        if name not in ("device", "placement", "sbp"):
            raise ArgumentTypeError(f"Tensor(): got an unexpected keyword argument '{name}'")
    made: Tensor = _constructor[0](args, **options)
    return made.meta, made.impl, made.ptr


def wrap_dim(dim: int, ndim: int) -> int:
    """Turn a negative dimension into a position.

    Raises:
        IndexError: `dim` is not in [-ndim, ndim - 1]; a zero-dim tensor counts as having one dimension.
    """
    limit = max(ndim, 1)
    if not -limit <= dim < limit:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-limit}, {limit - 1}], but got {dim})")
    return dim + limit if dim < 0 else dim


def wrap_own_dim(dim: int, ndim: int) -> int:
    """`wrap_dim` where a zero-dim tensor has no dimension to name.

    Raises:
        IndexError: `dim` is not in [-ndim, ndim - 1].
    """
    if not ndim:
        raise DimensionError(f"Dimension specified as {dim} but tensor has no dimensions")
    return wrap_dim(dim, ndim)
