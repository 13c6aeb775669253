"""Functors of one launch over all gradients: norms, clipping, unscaling; and of the next loss scale.

All tensors of a call share dtype and device; every tensor is contiguous.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow.binding.library import functor
from tritonflow.dtypes import float32, int32
from tritonflow.errors import ArgumentValueError, DTypeError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.optimizer import check_number
from tritonflow.interpreter.dispatch import dispatch
from tritonflow.interpreter.grad_mode import set_grad_enabled

_norm = op_expr("multi_tensor_norm")
_scale_to_norm = op_expr("multi_tensor_scale_to_norm")
_clip = op_expr("multi_tensor_clip")
_unscale = op_expr("multi_tensor_unscale")
_update_scale = op_expr("amp_update_scale")

Tensors = Sequence[Tensor]
_OWN_KERNELS = (0.0, 1.0, 2.0, float("inf"), float("-inf"))


def _check(name: str, tensors: Tensors) -> None:
    for tensor in tensors:
        meta = tensor.meta
        if not meta.dtype.is_floating_point or meta.dtype is not tensors[0].meta.dtype:
            raise DTypeError(f"{name}: expected tensors of one floating dtype, but got {tensors[0].meta.dtype} and {meta.dtype}")
        if not meta.is_contiguous:
            raise ShapeError(f"{name}: got a tensor that is not contiguous: {meta}")


@functor("MultiTensorNorm")
def multi_tensor_norm(tensors: Tensors, p: float = 2.0) -> Any:
    if not tensors:
        raise ArgumentValueError("multi_tensor_norm: expected at least one tensor")
    _check("multi_tensor_norm", tensors)
    order = float(p) if p in _OWN_KERNELS else None
    with set_grad_enabled(False):
        return dispatch(_norm, tuple(tensors), (order,), (float(p),))


@functor("MultiTensorScaleToNorm")
def multi_tensor_scale_to_norm(tensors: Tensors, norm: Tensor, max_norm: float) -> None:
    if not tensors:
        return
    _check("multi_tensor_scale_to_norm", (*tensors,))
    check_number("multi_tensor_scale_to_norm", "norm", norm, norm.meta.dtype)
    with set_grad_enabled(False):
        dispatch(_scale_to_norm, (norm, *tensors), (), (float(max_norm),))


@functor("MultiTensorClip")
def multi_tensor_clip(tensors: Tensors, bound: float) -> None:
    if not tensors:
        return
    _check("multi_tensor_clip", tensors)
    with set_grad_enabled(False):
        dispatch(_clip, tuple(tensors), (), (float(bound),))


@functor("MultiTensorUnscale")
def multi_tensor_unscale(tensors: Tensors, scale: Tensor, found_inf: Tensor) -> None:
    if not tensors:
        return
    _check("multi_tensor_unscale", tensors)
    check_number("multi_tensor_unscale", "scale", scale, float32)
    check_number("multi_tensor_unscale", "found_inf", found_inf, float32)
    with set_grad_enabled(False):
        dispatch(_unscale, (scale, found_inf, *tensors))


@functor("AmpUpdateScale")
def amp_update_scale(
    scale: Tensor,
    growth_tracker: Tensor,
    found_inf: Tensor,
    growth_factor: float,
    backoff_factor: float,
    growth_interval: int,
) -> None:
    for label, tensor, dtype in (
        ("scale", scale, float32),
        ("growth_tracker", growth_tracker, int32),
        ("found_inf", found_inf, float32),
    ):
        check_number("amp_update_scale", label, tensor, dtype)
    scalars = (float(growth_factor), float(backoff_factor), int(growth_interval))
    with set_grad_enabled(False):
        dispatch(_update_scale, (scale, growth_tracker, found_inf), (), scalars)
