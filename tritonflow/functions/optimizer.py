"""Functors of the optimizer steps over many parameters: one launch, whatever their number.

All parameters of a call share dtype and device, and so do all gradients, and all states; every tensor is contiguous.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from tritonflow.binding.library import functor
from tritonflow.dtypes import DType, float32, float64, uint8
from tritonflow.errors import ArgumentValueError, DTypeError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.runtime_scalar import as_float
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.dispatch import dispatch
from tritonflow.interpreter.grad_mode import set_grad_enabled

_sgd = op_expr("multi_tensor_sgd_update")
_adam = op_expr("multi_tensor_adam_update")
_update = op_expr("multi_tensor_update")
_adam8bit = op_expr("multi_tensor_adam8bit_update")

Tensors = Sequence[Tensor]
CODE_BLOCKS = (128, 256, 512, 1024, 2048)  # elements that share a scale; whole ones are in a chunk of a kernel


def _check(name: str, **columns: Tensors) -> None:
    """As `_check_metas`, which many steps ask the same."""
    _check_metas(name, tuple(columns), tuple([tuple([t.meta for t in column]) for column in columns.values()]))


@lru_cache(maxsize=64)
def _check_metas(name: str, labels: tuple[str, ...], columns: tuple[tuple[TensorMeta, ...], ...]) -> None:
    """Raise unless the columns have the shapes of the first one, each a dtype, and only contiguous tensors."""
    model = columns[0]
    for label, metas in zip(labels, columns):
        if len(metas) != len(model):
            raise ArgumentValueError(f"{name}: expected {len(model)} tensors in {label}, but got {len(metas)}")
        for meta, parameter in zip(metas, model):
            if meta.shape != parameter.shape:
                raise ShapeError(f"{name}: {label} of shape {list(meta.shape)} for a parameter of shape {list(parameter.shape)}")
            if meta.dtype is not metas[0].dtype:
                raise DTypeError(f"{name}: {label} has tensors of dtype {metas[0].dtype} and {meta.dtype}")
            if not meta.is_contiguous:
                raise ShapeError(f"{name}: {label} has a tensor that is not contiguous: {meta}")


def check_number(name: str, label: str, tensor: Tensor | None, dtype: DType) -> None:
    """Raises unless a tensor that a kernel reads or writes one number of has just that, of `dtype`."""
    if tensor is None:
        return
    if tensor.meta.numel != 1:
        raise ShapeError(f"{name}: {label} must be one number, but has the shape {list(tensor.meta.shape)}")
    if tensor.meta.dtype is not dtype:
        raise DTypeError(f"{name}: {label} must be of dtype {dtype}, not {tensor.meta.dtype}")


@functor("MultiTensorSgdUpdate")
def multi_tensor_sgd_update(
    model: Tensors,
    model_diff: Tensors,
    momentum_buf: Tensors | None = None,
    found_inf: Tensor | None = None,
    learning_rate: float = 1e-3,
    weight_decay: float = 0.0,
    momentum: float = 0.0,
    dampening: float = 0.0,
    nesterov: bool = False,
    maximize: bool = False,
    first_step: bool = False,
) -> None:
    if not model:
        return
    columns = {"model": model, "model_diff": model_diff}
    if momentum != 0:
        columns["momentum_buf"] = tuple(momentum_buf or ())
    _check("multi_tensor_sgd_update", **columns)
    check_number("multi_tensor_sgd_update", "found_inf", found_inf, float32)
    attrs = (len(model), weight_decay != 0, momentum != 0, first_step, nesterov, maximize)
    scalars = (as_float(learning_rate), as_float(weight_decay), as_float(momentum), 1.0 - dampening)
    with set_grad_enabled(False):
        dispatch(_sgd, (found_inf, *[t for column in columns.values() for t in column]), attrs, scalars)


@functor("MultiTensorAdamUpdate")
def multi_tensor_adam_update(
    model: Tensors,
    model_diff: Tensors,
    m: Tensors,
    v: Tensors,
    step: Tensors,
    max_v: Tensors | None = None,
    found_inf: Tensor | None = None,
    learning_rate: float = 1e-3,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    weight_decay: float = 0.0,
    do_bias_correction: bool = True,
    decoupled: bool = False,
    maximize: bool = False,
) -> None:
    if not model:
        return
    name = "multi_tensor_adam_update"
    largest = {"max_v": max_v} if max_v else {}
    _check(name, model=model, model_diff=model_diff, m=m, v=v, **largest)
    if len(step) != len(model):
        raise ArgumentValueError(f"{name}: expected {len(model)} tensors in step, but got {len(step)}")
    for count in {t.meta: t for t in step}.values():
        check_number(name, "step", count, float32)
    check_number(name, "found_inf", found_inf, float32)
    attrs = (len(model), weight_decay != 0, do_bias_correction, decoupled, bool(max_v), maximize)
    scalars = (as_float(learning_rate), as_float(weight_decay), as_float(beta1), as_float(beta2), as_float(epsilon))
    with set_grad_enabled(False):
        dispatch(_adam, (found_inf, *model, *model_diff, *m, *v, *step, *(max_v or ())), attrs, scalars)


@functor("MultiTensorUpdate")
def multi_tensor_update(
    rule: str,
    model: Tensors,
    model_diff: Tensors,
    numbers: Tensors,
    states: Tensors,
    hyperparameters: Sequence[float],
    found_inf: Tensor | None = None,
    decay: bool = False,
    decoupled: bool = False,
    maximize: bool = False,
) -> None:
    if not model:
        return
    name, count = f"multi_tensor_update ({rule})", len(model)
    if len(states) % count or len(numbers) % count:
        raise ArgumentValueError(f"{name}: expected {count} tensors in each column of numbers and states")
    columns = {f"state {k}": states[k * count : (k + 1) * count] for k in range(len(states) // count)}
    _check(name, model=model, model_diff=model_diff, **columns)
    for number in {t.meta: t for t in numbers}.values():
        check_number(name, "a number", number, float64 if numbers[0].meta.dtype is float64 else float32)
    check_number(name, "found_inf", found_inf, float32)
    attrs = (count, rule, decay, decoupled, maximize)
    scalars = tuple([as_float(value) for value in hyperparameters])
    with set_grad_enabled(False):
        dispatch(_update, (found_inf, *model, *model_diff, *numbers, *states), attrs, scalars)


@functor("MultiTensorAdam8bitUpdate")
def multi_tensor_adam8bit_update(
    model: Tensors,
    model_diff: Tensors,
    m: Tensors,
    m_scale: Tensors,
    v: Tensors,
    v_scale: Tensors,
    step: Tensors,
    max_v: Tensors | None = None,
    max_v_scale: Tensors | None = None,
    block_size: int = 256,
    found_inf: Tensor | None = None,
    learning_rate: float = 1e-3,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    weight_decay: float = 0.0,
    decoupled: bool = False,
    maximize: bool = False,
) -> None:
    if not model:
        return
    name = "multi_tensor_adam8bit_update"
    if block_size not in CODE_BLOCKS:
        raise ArgumentValueError(f"{name}: block_size must be one of {', '.join(map(str, CODE_BLOCKS))}, but got {block_size}")
    largest = {"max_v": max_v} if max_v else {}
    _check(name, model=model, model_diff=model_diff, m=m, v=v, **largest)
    for label, codes, scales in (("m", m, m_scale), ("v", v, v_scale), ("max_v", max_v or (), max_v_scale or ())):
        _check_codes(name, label, codes, scales, block_size)
    if len(step) != len(model):
        raise ArgumentValueError(f"{name}: expected {len(model)} tensors in step, but got {len(step)}")
    for count in {t.meta: t for t in step}.values():
        check_number(name, "step", count, float32)
    check_number(name, "found_inf", found_inf, float32)
    attrs = (len(model), block_size, weight_decay != 0, decoupled, bool(max_v), maximize)
    scalars = (as_float(learning_rate), as_float(weight_decay), as_float(beta1), as_float(beta2), as_float(epsilon))
    columns = (model, model_diff, m, m_scale, v, v_scale, step, max_v or (), max_v_scale or ())
    with set_grad_enabled(False):
        dispatch(_adam8bit, (found_inf, *[t for column in columns for t in column]), attrs, scalars)


def _check_codes(name: str, label: str, codes: Tensors, scales: Tensors, block_size: int) -> None:
    """Raises unless each state is of uint8, with a contiguous float32 scale for each block."""
    if len(codes) != len(scales):
        raise ArgumentValueError(f"{name}: expected {len(codes)} tensors in {label}_scale, but got {len(scales)}")
    for code, scale in zip(codes, scales):
        if code.meta.dtype is not uint8:
            raise DTypeError(f"{name}: {label} must be of dtype {uint8}, not {code.meta.dtype}")
        shape = (-(-code.meta.numel // block_size),)
        if scale.meta.shape != shape or scale.meta.dtype is not float32 or not scale.meta.is_contiguous:
            raise ShapeError(f"{name}: {label}_scale must be {list(shape)} numbers of float32, but got {scale.meta}")
