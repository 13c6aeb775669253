"""Parameter: a tensor that a module counts among its parameters when it is assigned as an attribute."""

from __future__ import annotations

from typing import Any

from tritonflow.framework.tensor import Tensor


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

    def __init__(self, data: Tensor | None = None, requires_grad: bool = True) -> None:
        if data is None:
            from tritonflow import _C

            data = _C.empty((0,))
        if not isinstance(data, Tensor):
            raise TypeError(f"Parameter(): argument 'data' must be tensor, not {type(data)}")
        Tensor.__init__(self, data.meta, data.impl, data.ptr)
        if requires_grad:
            self.requires_grad = True

    def __deepcopy__(self, memo: dict[int, Any]) -> Parameter:
        if id(self) in memo:
            return memo[id(self)]
        copied = type(self)(self.detach().clone(), self.requires_grad)
        memo[id(self)] = copied
        return copied

    def __reduce_ex__(self, protocol: Any) -> tuple:
        return _rebuild_parameter, (type(self), self.detach(), self.requires_grad)

    def __repr__(self) -> str:
        return "Parameter containing:\n" + super().__repr__()


def empty_parameter(shape: tuple[int, ...], device: Any = None, dtype: Any = None) -> Parameter:
    """A parameter that holds whatever is in memory."""
    from tritonflow import _C

    return Parameter(_C.empty(shape, device=device, dtype=dtype))


def _rebuild_parameter(kind: type[Parameter], data: Tensor, requires_grad: bool) -> Parameter:
    return kind(data, requires_grad)
