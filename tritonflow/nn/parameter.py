"""Parameter and Buffer: tensors that a module counts among its parameters or buffers when they are assigned as attributes."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.annotations import DeviceLike
from tritonflow.dtypes import DType
from tritonflow.execution.lazy import note_alias
from tritonflow.framework.function_overrides import disabled, takes_over
from tritonflow.framework.tensor import Tensor
from tritonflow.members.printing import representation


class Parameter(Tensor):
    """A leaf tensor over the memory of `data`, requiring grad unless told otherwise.

    Args:
        data: the tensor whose memory, shape and dtype the parameter takes; no copy is made.
        requires_grad: whether backward leaves a gradient in `.grad`.

    Raises:
        TypeError: `data` is not a tensor.
        RuntimeError: `requires_grad` for a dtype that has no gradient.

    Source: torch.nn.Parameter.

    Example:
        >>> import tritonflow as flow
        >>> p = flow.nn.Parameter(flow.zeros(2))
        >>> p.requires_grad, p.is_leaf
        (True, True)
    """

    __slots__ = ()
    # The binding's fast test is `x.__class__ is Tensor`: a parameter passes it, and `type(p)` is still Parameter.
    __class__ = Tensor  # type: ignore[assignment]
    __torch_function__ = staticmethod(disabled)  # type: ignore[assignment]

    def __new__(cls, *args: Any, **options: Any) -> Any:
        made: Any = Tensor.__new__(cls)
        if takes_over(cls):
            made.__dict__["__class__"] = cls  # a subclass that functions shall ask does not pass their test
        return made

    def __init__(self, data: Tensor | None = None, requires_grad: bool = True) -> None:
        if data is None:
            from tritonflow import _C

            data = _C.empty((0,))
        if not isinstance(data, Tensor):
            raise TypeError(f"Parameter(): argument 'data' must be tensor, not {type(data)}")
        note_alias(data)
        Tensor.__init__(self, data.meta, data.impl, data.ptr)
        if requires_grad:
            self.requires_grad = True

    def __deepcopy__(self, memo: dict[int, Any]) -> Parameter:
        if id(self) in memo:
            return memo[id(self)]
        copied = type(self)(self.detach().clone(), self.requires_grad)
        memo[id(self)] = copied
        return copied

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        return _rebuild_parameter, (type(self), self.detach(), self.requires_grad)

    def __repr__(self) -> str:
        if type(self) is Parameter:
            return "Parameter containing:\n" + representation(self, "tensor")
        return f"Parameter containing:\nParameter({representation(self)})"


class Buffer(Tensor):
    """A tensor that a module counts among its buffers when it is assigned as an attribute: state, but no parameter.

    Args:
        data: the tensor whose memory, shape and dtype the buffer takes; no copy is made.
        persistent: whether the module's `state_dict` contains it.

    Raises:
        TypeError: `data` is not a tensor.

    Source: torch.nn.Buffer.

    Example:
        >>> import tritonflow as flow
        >>> m = flow.nn.Module()
        >>> m.mean = flow.nn.Buffer(flow.zeros(2))
        >>> list(m.state_dict())
        ['mean']
    """

    __slots__ = ()
    __class__ = Tensor  # type: ignore[assignment] # as Parameter's
    __torch_function__ = staticmethod(disabled)  # type: ignore[assignment]
    __new__ = Parameter.__new__  # type: ignore[assignment]

    def __init__(self, data: Tensor | None = None, *, persistent: bool = True) -> None:
        if data is None:
            from tritonflow import _C

            data = _C.empty((0,))
        if not isinstance(data, Tensor):
            raise TypeError(f"Buffer(): argument 'data' must be tensor, not {type(data)}")
        note_alias(data)
        Tensor.__init__(self, data.meta, data.impl, data.ptr)
        self.persistent = persistent
        if data.requires_grad:
            self.requires_grad = True

    def __deepcopy__(self, memo: dict[int, Any]) -> Buffer:
        if id(self) in memo:
            return memo[id(self)]
        copied = type(self)(self.detach().clone().requires_grad_(self.requires_grad), persistent=self.persistent)
        memo[id(self)] = copied
        return copied

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        return _rebuild_buffer, (type(self), self.detach(), self.requires_grad, self.persistent)

    def __repr__(self) -> str:
        return representation(self, "tensor" if type(self) is Buffer else None)


def empty_parameter(shape: tuple[int, ...], device: DeviceLike | None = None, dtype: DType | None = None) -> Parameter:
    """A parameter that holds whatever is in memory."""
    from tritonflow import _C

    return Parameter(_C.empty(shape, device=device, dtype=dtype))


def _rebuild_parameter(kind: type[Parameter], data: Tensor, requires_grad: bool) -> Parameter:
    return kind(data, requires_grad)


def _rebuild_buffer(kind: type[Buffer], data: Tensor, requires_grad: bool, persistent: bool) -> Buffer:
    return kind(data.requires_grad_(requires_grad), persistent=persistent)


class _Uninitialized:
    """What parameters and buffers without a shape share: a module gives them one at its first call."""

    __slots__ = ()
    becomes: type = Tensor

    def materialize(self, shape: tuple[int, ...], device: DeviceLike | None = None, dtype: DType | None = None) -> None:
        """Memory for that shape, of the device and dtype that were given first, unless others are given now."""
        from tritonflow import _C

        held: Any = self
        device, dtype = held.device if device is None else device, held.dtype if dtype is None else dtype
        held.data = _C.empty(tuple(shape), device=device, dtype=dtype)
        object.__dict__["__class__"].__set__(held, self.becomes)

    @property
    def shape(self) -> Any:
        raise RuntimeError(
            "Can't access the shape of an uninitialized parameter or buffer. This error usually happens in `load_state_dict`"
            " when trying to load an uninitialized parameter into an initialized one. Call `forward` to initialize the parameters"
            " before accessing their attributes."
        )

    def numel(self) -> int:
        raise ValueError(
            "Attempted to use an uninitialized parameter in numel(). This error happens when you are using a `LazyModule` or"
            f" explicitly manipulating `{type(self).__name__}` objects. Call `forward` with a dummy batch to initialize them first."
        )

    nelement = numel

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


class UninitializedParameter(_Uninitialized, Parameter):
    """A parameter whose shape is not known yet.

    Args:
        requires_grad: as of `Parameter`.
        device, dtype: of the memory to come.

    Source: torch.nn.UninitializedParameter.

    Example:
        >>> import tritonflow as flow
        >>> p = flow.nn.UninitializedParameter()
        >>> p.materialize((2, 3))
        >>> p.shape, type(p).__name__
        (tritonflow.Size([2, 3]), 'Parameter')
    """

    __slots__ = ()
    __class__ = Tensor  # type: ignore[assignment]
    becomes = Parameter

    def __init__(self, requires_grad: bool = True, device: DeviceLike | None = None, dtype: DType | None = None) -> None:
        from tritonflow import _C

        Parameter.__init__(self, _C.empty((0,), device=device, dtype=dtype), requires_grad)

    def __deepcopy__(self, memo: dict[int, Any]) -> UninitializedParameter:
        if id(self) not in memo:
            memo[id(self)] = UninitializedParameter(self.requires_grad, self.device, self.dtype)
        return memo[id(self)]


class UninitializedBuffer(_Uninitialized, Tensor):
    """A buffer whose shape is not known yet; see `UninitializedParameter`.

    Source: torch.nn.UninitializedBuffer.

    Example:
        >>> import tritonflow as flow
        >>> b = flow.nn.UninitializedBuffer()
        >>> b.materialize((2,))
        >>> b.shape
        tritonflow.Size([2])
    """

    __slots__ = ()
    __class__ = Tensor  # type: ignore[assignment]
    __torch_function__ = staticmethod(disabled)  # type: ignore[assignment]

    def __init__(self, requires_grad: bool = False, device: DeviceLike | None = None, dtype: DType | None = None) -> None:
        from tritonflow import _C

        data = _C.empty((0,), device=device, dtype=dtype)
        Tensor.__init__(self, data.meta, data.impl, data.ptr)


def is_lazy(tensor: Any) -> bool:
    """Whether it is a parameter or a buffer without a shape."""
    return issubclass(type(tensor), _Uninitialized)
