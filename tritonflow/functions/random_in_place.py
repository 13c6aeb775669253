"""Functors that write random numbers over a tensor."""

from __future__ import annotations

import math
from typing import Any

from tritonflow import dtypes
from tritonflow.binding.library import function
from tritonflow.binding.target import target_like
from tritonflow.dtypes import DType
from tritonflow.errors import InvalidArgumentError
from tritonflow.execution.op_expr import OpExpr, op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.cast import copy_
from tritonflow.functions.random import check_deviation, check_probability, draw, floating_dtype
from tritonflow.functions.random_generator import Generator
from tritonflow.functions.view_complex import pairs_of_complex

_uniform = op_expr("random_uniform")
_normal = op_expr("random_normal")
_exponential = op_expr("random_exponential")
_bernoulli = op_expr("random_bernoulli")


def _draw_over(
    function: str, input: Tensor, op: OpExpr, dtype: DType, numbers: tuple[float, ...], generator: Generator | None
) -> Any:
    """Numbers over an input."""
    where = target_like(function, input, input.meta.ndim)
    return copy_(input, draw(op, (input.meta.shape, dtype), numbers, where, generator))


@function(
    "Tensor (Tensor input, Float mean=0.0, Float std=1.0, *, Generator generator=None)",
    methods="normal_", export=(),
    samples={"none": "random: tests/ops/test_random.py looks at distributions, seeds and dtypes"},
)
def normal_(input: Tensor, mean: float = 0.0, std: float = 1.0, generator: Generator | None = None) -> Any:
    """Normally distributed random numbers written over the input.

    Args:
        input: the input.
        mean: the mean.
        std: the standard deviation.
        generator: draws the numbers; the device's default generator unless given.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Method: `Tensor.normal_`.

    Raises:
        RuntimeError: a negative deviation.
        NotImplementedError: a dtype that is neither floating nor complex.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.Tensor.normal_.

    Example:
        >>> import tritonflow as flow
        >>> flow.empty(3).normal_(mean=5.0, std=0.0)
        tensor([5., 5., 5.])
    """
    check_deviation(std)
    if input.meta.dtype.is_complex:  # half of the variance is that of the real part, half that of the imaginary one
        normal_(pairs_of_complex(input), mean, std / math.sqrt(2), generator)
        return input
    dtype = floating_dtype("normal_", input.meta.dtype)
    return _draw_over("normal_", input, _normal, dtype, (float(mean), float(std)), generator)


@function(
    "Tensor (Tensor input, Float low=0.0, Float high=1.0, *, Generator generator=None)",
    methods="uniform_", export=(),
    samples={"none": "random: tests/ops/test_random.py looks at distributions, seeds and dtypes"},
)
def uniform_(input: Tensor, low: float = 0.0, high: float = 1.0, generator: Generator | None = None) -> Any:
    """Uniform random numbers in [low, high) written over the input.

    No number is `high`, in any dtype. Where the dtype has no number in [low, high), they are the
    nearest one to low.

    Args:
        input: the input.
        low: the least number.
        high: the bound.
        generator: draws the numbers; the device's default generator unless given.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Method: `Tensor.uniform_`.

    Raises:
        RuntimeError: low is greater than high, one is not finite, or one or their distance is beyond the
            dtype's numbers.
        NotImplementedError: a dtype that is neither floating nor complex.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.Tensor.uniform_.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.empty(100).uniform_(-1.0, 1.0)
        >>> bool((x.abs() <= 1).all())
        True
    """
    for name, bound in (("from", low), ("to", high)):
        if not math.isfinite(bound):
            raise InvalidArgumentError(f"uniform_: {name} must be finite, but found {name}={bound}")
    if low > high:
        raise InvalidArgumentError(f"uniform_ expects to return a [from, to) range, but found from={low} > to={high}")
    if input.meta.dtype.is_complex:
        uniform_(pairs_of_complex(input), low, high, generator)
        return input
    dtype = floating_dtype("uniform_", input.meta.dtype)
    return _draw_over("uniform_", input, _uniform, dtype, _interval(float(low), float(high), dtype), generator)


def _interval(low: float, high: float, dtype: DType) -> tuple[float, float]:
    """[low, high) by two numbers of a dtype: the same of its numbers lie between them, if any does."""
    limits = dtypes.finfo(dtype)
    for name, bound in (("from", low), ("to", high)):
        if abs(bound) > limits.max:
            raise InvalidArgumentError(f"{name} is out of bounds for {dtype.name}: {bound}")
    if high - low > limits.max:
        raise InvalidArgumentError(
            f"uniform_ expects to - from to be at most {limits.max}, the largest {dtype.name}, but found to={high}, from={low}"
        )
    if dtype is dtypes.float64:
        return low, high
    first, bound = _ceiling(low, limits), _ceiling(high, limits)
    return (first, bound) if first < bound else (low, high)


def _ceiling(number: float, limits: dtypes.finfo) -> float:
    """The least number of a dtype that is narrower than float64 which is not less."""
    _, exponent = math.frexp(number)  # |number| < 2^exponent
    step = max(math.ldexp(limits.eps, exponent - 1), limits.tiny * limits.eps)
    return math.ceil(number / step) * step


@function(
    "Tensor (Tensor input, Float lambd=1.0, *, Generator generator=None)",
    methods="exponential_", export=(),
    samples={"none": "random: tests/ops/test_random.py looks at distributions, seeds and dtypes"},
)
def exponential_(input: Tensor, lambd: float = 1.0, generator: Generator | None = None) -> Any:
    """Exponentially distributed random numbers written over the input.

    Their density is lambd * exp(-lambd * x), their mean 1 / lambd. All are positive.

    Args:
        input: the input.
        lambd: the rate.
        generator: draws the numbers; the device's default generator unless given.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Method: `Tensor.exponential_`.

    Raises:
        RuntimeError: a rate that is not positive.
        NotImplementedError: a dtype that is not floating.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.Tensor.exponential_.

    Example:
        >>> import tritonflow as flow
        >>> bool((flow.empty(100).exponential_() > 0).all())
        True
    """
    if not lambd > 0:
        raise InvalidArgumentError(f"exponential_ expects lambda > 0.0, but found lambda={lambd}")
    dtype = floating_dtype("exponential_", input.meta.dtype)
    return _draw_over("exponential_", input, _exponential, dtype, (float(lambd),), generator)


@function(
    "Tensor (Tensor input, Tensor p, *, Generator generator=None) => BernoulliInplaceTensor",
    "Tensor (Tensor input, Float p=0.5, *, Generator generator=None)",
    methods="bernoulli_", export=(),
    samples={"none": "random: tests/ops/test_random.py looks at distributions, seeds and dtypes"},
)
def bernoulli_(input: Tensor, p: float = 0.5, generator: Generator | None = None) -> Any:
    """1 with probability p, else 0, written over the input.

    Args:
        input: the input.
        p: one probability for all, or a tensor that broadcasts to the input.
        generator: draws the numbers; the device's default generator unless given.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Method: `Tensor.bernoulli_`.

    Raises:
        RuntimeError: a probability outside 0 to 1.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.Tensor.bernoulli_.

    Example:
        >>> import tritonflow as flow
        >>> flow.empty(2).bernoulli_(flow.tensor([0.0, 1.0]))
        tensor([0., 1.])
    """
    check_probability("bernoulli_", p)
    return _draw_over("bernoulli_", input, _bernoulli, input.meta.dtype, (float(p),), generator)
