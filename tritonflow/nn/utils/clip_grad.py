"""Clipping gradients by their norm or by value. The host reads nothing, so that a captured step can clip, too."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from math import prod
from types import GeneratorType
from typing import Any

from tritonflow import _C
from tritonflow.autograd import no_grad
from tritonflow.dtypes import promote_types
from tritonflow.errors import ArgumentTypeError, DTypeNotImplementedError
from tritonflow.framework.sbp import split
from tritonflow.framework.tensor import Tensor
from tritonflow.nn.utils.multi_tensor import InPlace, batches, beside, layout_and_dtype

Tensors = Tensor | Iterable[Tensor]


def get_total_norm(
    tensors: Tensors, norm_type: float = 2.0, error_if_nonfinite: bool = False, foreach: bool | None = None
) -> Tensor:
    """The norm of all elements of some tensors, as if they were one vector: (sum |x|^p)^(1/p), or the largest |x|.

    Of order 0 it is the number of tensors that are not zero, as in torch.

    Args:
        tensors: of floating or complex dtypes, on any devices.
        norm_type: the order p, any number, infinity included.
        error_if_nonfinite: raise if the norm is infinite or NaN; waits for it.
        foreach: accepted and ignored: there is one launch for all tensors of a dtype and device.

    Returns:
        A number on the device of the first tensor, in the dtype that the tensors promote to.

    Raises:
        RuntimeError: a tensor is neither floating nor complex; or the norm is not finite, and that is to be an error.

    Source: https://pytorch.org/docs/stable/generated/torch.nn.utils.get_total_norm.html

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.utils.get_total_norm([flow.tensor([3.0]), flow.tensor([4.0])])
        tensor(5.)
    """
    tensors, order = _listed(tensors), float(norm_type)
    if not tensors:
        return _C.full((), 0.0)
    with no_grad(), InPlace() as contiguous:
        sizes = [_C.abs(t) if t.dtype.is_complex else t for t in tensors]
        parts = [_norms(contiguous.read(t), order) for t in batches(sizes, layout_and_dtype if order else id)]
        if order == 0:  # a tensor of several chunks counts once
            parts = [_C.amax(p, (0,), True) for p in parts if p.numel()] or parts
        total = _C.norm(_C.cat([beside(p, tensors[0]) for p in parts]), order)
        dtype = sizes[0].dtype
        for size in sizes:
            dtype = promote_types(dtype, size.dtype)
        total = _C.cast(total, dtype)
    if error_if_nonfinite and not _C.isfinite(total).item():
        raise RuntimeError(
            f"The total norm of order {order} for gradients from `parameters` is non-finite, so it cannot be clipped. To disable"
            " this error and scale the gradients by the non-finite norm anyway, set `error_if_nonfinite=False`"
        )
    return total


def clip_grads_with_norm_(parameters: Tensors, max_norm: float, total_norm: Tensor, foreach: bool | None = None) -> None:
    """Multiply the gradients of the parameters by min(max_norm / (total_norm + 1e-6), 1), in place.

    Args:
        parameters: those without a gradient are left out.
        max_norm: the largest norm that the gradients may have.
        total_norm: the norm that they have: what `get_total_norm` returns.
        foreach: accepted and ignored.

    Source: https://pytorch.org/docs/stable/generated/torch.nn.utils.clip_grads_with_norm_.html

    Example:
        >>> import tritonflow as flow
        >>> p = flow.zeros(2, requires_grad=True)
        >>> p.grad = flow.tensor([3.0, 4.0])
        >>> flow.nn.utils.clip_grads_with_norm_(p, 1.0, flow.tensor(10.0))
        >>> [round(g, 4) for g in p.grad.tolist()]
        [0.3, 0.4]
    """
    for gradients in batches(_gradients(_listed(parameters)), layout_and_dtype):
        with no_grad(), InPlace() as contiguous:
            norm = beside(total_norm, gradients[0])
            _C.multi_tensor_scale_to_norm(contiguous.written(gradients), norm, float(max_norm))


def clip_grad_norm_(
    parameters: Tensors,
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
    fused: bool | None = None,
) -> Tensor:
    """Scale the gradients of all parameters down, in place, so that their norm is at most `max_norm`.

    The norm is that of all gradients as one vector; what `get_total_norm` and `clip_grads_with_norm_` do together.

    Args:
        parameters: those without a gradient are left out.
        max_norm: the largest norm.
        norm_type: the norm's order, any number, infinity included.
        error_if_nonfinite: raise if the norm is infinite or NaN, and leave the gradients; waits for the norm.
        foreach, fused: accepted and ignored: all gradients of a dtype and device are one launch.

    Returns:
        The norm before clipping.

    Raises:
        RuntimeError: the norm is not finite, and that is to be an error.

    Source: https://pytorch.org/docs/stable/generated/torch.nn.utils.clip_grad_norm_.html

    Example:
        >>> import tritonflow as flow
        >>> p = flow.zeros(2, requires_grad=True)
        >>> p.grad = flow.tensor([3.0, 4.0])
        >>> flow.nn.utils.clip_grad_norm_([p], max_norm=1.0)
        tensor(5.)
        >>> [round(g, 4) for g in p.grad.tolist()]
        [0.6, 0.8]
    """
    empty_generator = isinstance(parameters, GeneratorType)
    parameters = _listed(parameters)
    if empty_generator and not parameters:
        warnings.warn("`parameters` is an empty generator, no gradient clipping will occur.", stacklevel=2)
    max_norm = float(max_norm)
    total = get_total_norm(_gradients(parameters), norm_type, error_if_nonfinite)
    clip_grads_with_norm_(parameters, max_norm, total)
    return total


def clip_grad_norm(
    parameters: Tensors,
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """The name that `clip_grad_norm_` had in older programs; it warns.

    Args:
        parameters, max_norm, norm_type, error_if_nonfinite, foreach: as of `clip_grad_norm_`.

    Raises:
        RuntimeError: as of `clip_grad_norm_`.

    Source: torch.nn.utils.clip_grad_norm.
    """
    warnings.warn(
        "`nn.utils.clip_grad_norm` is now deprecated in favor of `nn.utils.clip_grad_norm_`.", FutureWarning, stacklevel=2
    )
    return clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite, foreach)


def clip_grad_value_(parameters: Tensors, clip_value: float, foreach: bool | None = None) -> None:
    """Clip every element of the gradients to [-clip_value, clip_value], in place.

    Args:
        parameters: those without a gradient are left out.
        clip_value: the largest absolute value of an element.
        foreach: accepted and ignored: all gradients of a dtype and device are one launch.

    Raises:
        NotImplementedError: a gradient is complex.

    Source: https://pytorch.org/docs/stable/generated/torch.nn.utils.clip_grad_value_.html

    Example:
        >>> import tritonflow as flow
        >>> p = flow.zeros(2, requires_grad=True)
        >>> p.grad = flow.tensor([0.5, -4.0])
        >>> flow.nn.utils.clip_grad_value_([p], 1.0)
        >>> p.grad
        tensor([ 0.5000, -1.0000])
    """
    bound = float(clip_value)
    for gradients in batches(_gradients(_listed(parameters)), layout_and_dtype):
        if gradients[0].dtype.is_complex:
            raise DTypeNotImplementedError("clip_grad_value_: complex numbers have no order: got a complex gradient")
        with no_grad(), InPlace() as contiguous:
            _C.multi_tensor_clip(contiguous.written(gradients), bound)


def _norms(tensors: tuple[Tensor, ...], order: float) -> Tensor:
    """Numbers whose norm is that of all the tensors, which lie alike. Of consistent ones, the norm of each rank's shards."""
    meta: Any = tensors[0].meta
    if meta.is_local or order <= 0 or any(one.is_partial for one in meta.sbp):
        return _C.multi_tensor_norm(tensors, order)  # type: ignore[no-any-return]
    own = _C.multi_tensor_norm(tuple([t.to_local() for t in tensors]), order)
    number = _C.reshape(_C.norm(own, order), (1,)) if own.numel() else _C.new_zeros(own, (1,))
    sbp = tuple([split(0) if one.is_split else one for one in meta.sbp])
    count = prod([n for one, n in zip(sbp, meta.placement.shape) if one.is_split])
    return _C.local_to_global(number, meta.placement, sbp, (count,))  # type: ignore[no-any-return]


def _listed(tensors: Tensors) -> list[Tensor]:
    found = [tensors] if isinstance(tensors, Tensor) else list(tensors)
    for tensor in found:
        if not isinstance(tensor, Tensor):
            raise ArgumentTypeError(f"expected tensors, but one of them is {type(tensor)}")
    return found


def _gradients(parameters: list[Tensor]) -> list[Tensor]:
    return [p.grad for p in parameters if p.grad is not None]
