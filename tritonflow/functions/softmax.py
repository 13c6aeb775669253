"""Functors of softmax, log_softmax, softmax of negated numbers, and of numbers with noise.

The dimension is found and checked, and integers are refused.
"""

from __future__ import annotations

import warnings
from typing import Any

from tritonflow.binding.library import function, functor
from tritonflow.dtypes import DType, torch_name
from tritonflow.errors import DTypeNotImplementedError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor, wrap_dim
from tritonflow.functions.arithmetic import sub
from tritonflow.functions.cast import cast
from tritonflow.functions.creation_like import empty_like, zeros_like
from tritonflow.functions.index_gather import scatter_scalar
from tritonflow.functions.random_in_place import exponential_
from tritonflow.functions.reduction import argmax
from tritonflow.functions.unary import negative
from tritonflow.interpreter.dispatch import dispatch1, dispatch2
from tritonflow.interpreter.grad_mode import no_grad

_softmax = op_expr("softmax")
_softmax_grad = op_expr("softmax_grad")
_log_softmax = op_expr("log_softmax")
_log_softmax_grad = op_expr("log_softmax_grad")


@functor("Softmax")
def softmax(x: Tensor, dim: int | None = None, dtype: DType | None = None) -> Any:
    return dispatch1(_softmax, *_prepare("softmax_lastdim_kernel_impl", x, dim, dtype))


@functor("LogSoftmax")
def log_softmax(x: Tensor, dim: int | None = None, dtype: DType | None = None) -> Any:
    return dispatch1(_log_softmax, *_prepare("log_softmax_lastdim_kernel_impl", x, dim, dtype))


def _prepare(kernel: str, x: Tensor, dim: int | None, dtype: DType | None) -> tuple[Tensor, tuple[Any, ...]]:
    """The input in a floating dtype, and the attributes. Without `dim` it is 0 for ranks 0, 1 and 3, otherwise 1."""
    meta = x.meta
    if dim is None:
        dim = 0 if meta.ndim in (0, 1, 3) else 1
    dim = wrap_dim(dim, meta.ndim)
    if dtype is not None and dtype is not meta.dtype:
        x, meta = cast(x, dtype), meta.with_dtype(dtype)
    if not meta.dtype.is_floating_point:
        raise DTypeNotImplementedError(f"\"{kernel}\" not implemented for '{torch_name(meta.dtype)}'")
    return x, (dim, None)


@functor("SoftmaxGrad")
def softmax_grad(grad: Tensor, y: Tensor, dim: int) -> Any:
    return dispatch2(_softmax_grad, grad, y, (dim if dim >= 0 else wrap_dim(dim, y.meta.ndim),))


@functor("LogSoftmaxGrad")
def log_softmax_grad(grad: Tensor, y: Tensor, dim: int) -> Any:
    return dispatch2(_log_softmax_grad, grad, y, (dim if dim >= 0 else wrap_dim(dim, y.meta.ndim),))


@function(
    "Tensor (Tensor logits, Double tau=1, Bool hard=False, Double eps=1e-10, Int32 dim=-1)",
    export="nn.functional", samples={"none": "random: tests/nn/test_layers_of_several_inputs.py looks at distributions"},
)
def gumbel_softmax(logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1) -> Any:
    """softmax((logits + noise) / tau), and the largest as one where it is hard.

    Draws from a categorical distribution so that gradients flow: noise is `-log(-log(u))` of uniform u.
    A hard sample is exactly 0 or 1, with the gradient of the soft one. After Jang, Gu and Poole, 2016.

    Args:
        logits: logarithms of probabilities, not normalised.
        tau: the temperature, positive; the smaller, the harder.
        hard: whether samples are 0 or 1.
        eps: has no effect.
        dim: the dimension of the categories.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        the result has the shape of `logits`.

    Raises:
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.gumbel_softmax.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> sample = F.gumbel_softmax(flow.zeros(3, 4), hard=True)
        >>> sample.sum(-1)
        tensor([1., 1., 1.])
    """
    # softmax((logits + noise) / tau); hard: the largest as one, with the gradient of the soft one (Jang et al., 2017).
    if eps != 1e-10:
        warnings.warn("`eps` parameter is deprecated and has no effect.", stacklevel=3)
    with no_grad():
        noise = exponential_(empty_like(logits)).log()
    soft = softmax(sub(logits, noise) / tau, dim)
    if not hard:
        return soft
    chosen = scatter_scalar(zeros_like(soft.detach()), dim, argmax(soft.detach(), dim, True), 1.0)
    return chosen - soft.detach() + soft


@function(
    "Tensor (Tensor input, Int32 dim=None, DataType dtype=None)",
    export="nn.functional", reference="torch.nn.functional.softmin", samples="along_dim", tolerance="norm",
    autocast="float32",
)
def softmin(input: Tensor, dim: int | None = None, dtype: DType | None = None) -> Any:
    """Softmax of -x.

    `out[i] = exp(-x[i]) / sum over j of exp(-x[j])`.

    Args:
        input: the input.
        dim: the dimension along which the results add up to 1.
        dtype: of the result; the input is cast to it first.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        the result has the shape of `input`.

    Under `flow.autocast` it computes in float32.

    Raises:
        NotImplementedError: integers or bool without a floating `dtype`.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.softmin.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.softmin(flow.tensor([0.0, 0.0]), dim=0)
        tensor([0.5000, 0.5000])
    """
    return softmax(negative(input), dim, dtype)
