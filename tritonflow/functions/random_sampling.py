"""Functors of random numbers that depend on tensors, and of distributions made of uniform and normal numbers."""

from __future__ import annotations

import math
from typing import Any

from tritonflow.binding.library import function, functor
from tritonflow.dtypes import BOOL, FLOATING, DType, finfo, float32, float64, iinfo, int64, torch_name
from tritonflow.errors import DTypeNotImplementedError, InvalidArgumentError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions import reduction
from tritonflow.functions.arithmetic import add, scalar_add, scalar_sub_reversed
from tritonflow.functions.cast import cast, copy_
from tritonflow.functions.elementwise import clamp
from tritonflow.functions.generated import (
    ceil,
    div,
    exp,
    log,
    logical_and,
    mul,
    scalar_ge,
    scalar_gt,
    scalar_lt,
    scalar_mul,
    tan,
)
from tritonflow.functions.index_search import searchsorted
from tritonflow.functions.random import draw_counts, exponential_like, rand_like, randn_like
from tritonflow.functions.random_bernoulli import bernoulli
from tritonflow.functions.random_generator import Generator
from tritonflow.functions.random_integers import random_
from tritonflow.functions.scan_sort import cumsum, topk
from tritonflow.functions.value_checks import require_all
from tritonflow.functions.view import contiguous, expand, narrow
from tritonflow.interpreter.choice import all_examples
from tritonflow.interpreter.dispatch import dispatch
from tritonflow.interpreter.grad_mode import no_grad
from tritonflow.interpreter.recording import record_zeros
from tritonflow.ops.elementwise import broadcast_shapes

_poisson = op_expr("random_poisson")
_binomial = op_expr("random_binomial")
_gamma = op_expr("random_gamma")
_sample_tokens = op_expr("sample_tokens")

MOST_CATEGORIES = 2**24  # torch's limit


@function(
    "Tensor (Tensor input, Int64 num_samples, Bool replacement=False, *, Generator generator=None)",
    methods="multinomial", samples={"none": "random: tests/ops/test_random.py looks at distributions, seeds and dtypes"},
)
def multinomial(input: Tensor, num_samples: int, replacement: bool = False, generator: Generator | None = None) -> Any:
    """Categories drawn with the probabilities of a row.

    Args:
        input: weights of the categories, which need not add up to 1.
        num_samples: how many are drawn from each row.
        replacement: whether a category may be drawn more than once.
        generator: draws the numbers; the device's default generator unless given.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (K) or (N, K) -> (num_samples) or (N, num_samples), int64.

    Method: `Tensor.multinomial`.

    Raises:
        RuntimeError: negative or infinite weights or none, or more samples than there are categories.
        NotImplementedError: weights that are not floating.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.multinomial.

    Example:
        >>> import tritonflow as flow
        >>> flow.multinomial(flow.tensor([0.0, 1.0, 0.0]), 3, replacement=True)
        tensor([1, 1, 1])
    """
    # Categories drawn with the probabilities of a row, which need not add up to 1. With replacement: where a uniform number
    # lies among the sums of the row. Without: the largest of p / e, e exponentially distributed, which come in the order of
    # draws without replacement (Efraimidis and Spirakis, 2006).
    _check_multinomial(input, num_samples, replacement)
    with no_grad():
        p = input if input.meta.dtype is float64 else cast(input, float32)
        _check_probabilities(p)
        if replacement:
            sums = cumsum(p, -1)
            total = narrow(sums, -1, sums.meta.shape[-1] - 1, 1)
            places = expand(narrow(p, -1, 0, 1), (*p.meta.shape[:-1], num_samples))
            drawn = mul(rand_like(places, generator=generator), total)
            return searchsorted(sums, drawn, right=True)
        waiting = clamp(exponential_like(p, generator), finfo(p.dtype).tiny)
        return topk(div(p, waiting), num_samples, -1)[1]


def _check_multinomial(p: Tensor, num_samples: int, replacement: bool) -> None:
    if p.meta.ndim not in (1, 2):
        raise ShapeError("prob_dist must be 1 or 2 dim")
    if not p.meta.dtype.is_floating_point:
        raise DTypeNotImplementedError(
            f"multinomial only supports floating-point dtypes for input, got: {torch_name(p.meta.dtype)}"
        )
    count = p.meta.shape[-1]
    if num_samples <= 0:
        raise InvalidArgumentError("cannot sample n_sample <= 0 samples")
    if not replacement and num_samples > count:
        raise InvalidArgumentError("cannot sample n_sample > prob_dist.size(-1) samples without replacement")
    if count > MOST_CATEGORIES:
        raise InvalidArgumentError("number of categories cannot exceed 2^24")


def _check_probabilities(p: Tensor) -> None:
    """Probabilities are finite and not negative, and some are positive.

    Raises:
        RuntimeError: they are not.
    """
    if not p.meta.numel:
        return
    p = all_examples(p)
    largest = reduction.amax(p, (-1,))  # of each row; extrema of NaN are NaN
    least = reduction.amin(p, (-1,))
    bounded = logical_and(scalar_ge(least, 0), scalar_lt(largest, math.inf))
    require_all(bounded, InvalidArgumentError("probability tensor contains either `inf`, `nan` or element < 0"))
    positive = scalar_gt(largest, 0)
    require_all(positive, InvalidArgumentError("invalid multinomial distribution (sum of probabilities <= 0)"))


# ------------------------------------------------------------------------------------------- numbers for each element


@function(
    "Tensor (Tensor input, Generator generator=None)",
    samples={"none": "random: tests/ops/test_random.py looks at distributions, seeds and dtypes"},
)
def poisson(input: Tensor, generator: Generator | None = None) -> Any:
    """a Poisson number for each rate.

    P(k) = rate ** k * exp(-rate) / k!; no gradient flows to the rates.

    Args:
        input: the rates.
        generator: draws the numbers; the device's default generator unless given.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Raises:
        RuntimeError: a negative rate.
        NotImplementedError: a dtype that is not floating.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.poisson.

    Example:
        >>> import tritonflow as flow
        >>> flow.poisson(flow.zeros(3))
        tensor([0., 0., 0.])
    """
    return record_zeros(draw_counts("poisson", _poisson, (input,), generator), (input,))


@function(
    "Tensor (Tensor input, Generator generator=None)",
    export=(), samples={"none": "random: tests/distributions looks at distributions and gradients"},
)
def standard_gamma(input: Tensor, generator: Generator | None = None) -> Any:
    """A gamma-distributed number for each concentration, of the rate 1."""
    return draw_counts("standard_gamma", _gamma, (input,), generator)


@functor("SampleTokens")
def sample_tokens(logits: Tensor, *others: Any) -> Any:
    """The op: the other tensors, then a number for each setting."""
    return dispatch(_sample_tokens, (logits, *others[:15]), (), others[15:])


@function(
    "Tensor (Tensor count, Tensor prob, Generator generator=None)",
    samples={"none": "random: tests/ops/test_random.py looks at distributions, seeds and dtypes"},
)
def binomial(count: Tensor, prob: Tensor, generator: Generator | None = None) -> Any:
    """How many of so many trials succeed.

    Args:
        count: how many trials.
        prob: the probability that one succeeds.
        generator: draws the numbers; the device's default generator unless given.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        shapes that broadcast -> the common shape.

    Raises:
        NotImplementedError: dtypes that differ, or are not floating.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.binomial.

    Example:
        >>> import tritonflow as flow
        >>> flow.binomial(flow.tensor([10.0, 10.0]), flow.tensor([0.0, 1.0]))
        tensor([ 0., 10.])
    """
    if count.meta.dtype is not prob.meta.dtype:
        raise DTypeNotImplementedError(
            f"Found dtype {torch_name(prob.meta.dtype)} but expected {torch_name(count.meta.dtype)}"
        )
    shape = broadcast_shapes([count.meta.shape, prob.meta.shape])
    return draw_counts("binomial", _binomial, (expand(count, shape), expand(prob, shape)), generator)


@functor("NormalTensors")
def normal_tensors(mean: Tensor, std: Tensor, generator: Generator | None = None) -> Any:
    """A normal number for each pair of a mean and a standard deviation."""
    with no_grad():
        _check_deviations(std)
        shape = broadcast_shapes([mean.meta.shape, std.meta.shape])
        drawn = randn_like(expand(mean, shape), generator=generator)
        drawn = add(mul(drawn, std), mean)
    return record_zeros(drawn, (mean, std))


@functor("NormalMeans")
def normal_means(mean: Tensor, std: float = 1.0, generator: Generator | None = None) -> Any:
    if not std >= 0:
        raise InvalidArgumentError(f"normal expects std >= 0.0, but found std {std}")
    with no_grad():
        drawn = add(scalar_mul(randn_like(mean, generator=generator), std), mean)
    return record_zeros(drawn, (mean,))


@functor("NormalDeviations")
def normal_deviations(mean: float, std: Tensor, generator: Generator | None = None) -> Any:
    with no_grad():
        _check_deviations(std)
        drawn = scalar_add(mul(randn_like(std, generator=generator), std), mean)
    return record_zeros(drawn, (std,))


def _check_deviations(std: Tensor) -> None:
    require_all(scalar_ge(std, 0), InvalidArgumentError("normal expects all elements of std >= 0.0"))


# ---------------------------------------------------------------------------------------------------------- in place


def _wide(input: Tensor) -> DType:
    """In which dtype the numbers of a tensor are computed."""
    return float64 if input.meta.dtype is float64 else float32


def _uniform(input: Tensor, generator: Generator | None) -> Any:
    """Numbers in (0, 1], one for each element."""
    return scalar_sub_reversed(1, rand_like(input, dtype=_wide(input), generator=generator))


def _require_floating(name: str, input: Tensor) -> None:
    if not input.meta.dtype.is_floating_point:
        raise DTypeNotImplementedError(f"\"{name}\" not implemented for '{torch_name(input.meta.dtype)}'")


@function(
    "Tensor (Tensor input, Float median=0.0, Float sigma=1.0, *, Generator generator=None)",
    methods="cauchy_", export=(),
    samples={"none": "random: tests/ops/test_random.py looks at distributions, seeds and dtypes"},
)
def cauchy_(input: Tensor, median: float = 0.0, sigma: float = 1.0, generator: Generator | None = None) -> Any:
    """Cauchy-distributed random numbers written over the input.

    Their density is 1 / (pi * sigma * (1 + ((x - median) / sigma) ** 2)).

    Args:
        input: the input.
        median: the median.
        sigma: half of the distance of the quartiles.
        generator: draws the numbers; the device's default generator unless given.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Method: `Tensor.cauchy_`.

    Raises:
        RuntimeError: a sigma that is not positive.
        NotImplementedError: a dtype that is not floating.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.Tensor.cauchy_.

    Example:
        >>> import tritonflow as flow
        >>> flow.empty(3).cauchy_().shape
        tritonflow.Size([3])
    """
    if not sigma > 0:
        raise InvalidArgumentError(f"cauchy_ expects sigma > 0.0, but found sigma={sigma}")
    _require_floating("cauchy_", input)
    with no_grad():
        turns = scalar_add(_uniform(input, generator), -0.5)
        drawn = scalar_add(scalar_mul(tan(scalar_mul(turns, math.pi)), sigma), median)
    return copy_(input, drawn)


@function(
    "Tensor (Tensor input, Float mean=1.0, Float std=2.0, *, Generator generator=None)",
    methods="log_normal_", export=(),
    samples={"none": "random: tests/ops/test_random.py looks at distributions, seeds and dtypes"},
)
def log_normal_(input: Tensor, mean: float = 1.0, std: float = 2.0, generator: Generator | None = None) -> Any:
    """Random numbers whose logarithms are normally distributed, written over the input.

    Args:
        input: the input.
        mean: the mean of the logarithms.
        std: their standard deviation.
        generator: draws the numbers; the device's default generator unless given.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Method: `Tensor.log_normal_`.

    Raises:
        RuntimeError: a deviation that is not positive.
        NotImplementedError: a dtype that is not floating.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.Tensor.log_normal_.

    Example:
        >>> import tritonflow as flow
        >>> bool((flow.empty(100).log_normal_() > 0).all())
        True
    """
    if not std > 0:
        raise InvalidArgumentError(f"log_normal_ expects std > 0.0, but found std={std}")
    _require_floating("log_normal_", input)
    with no_grad():
        normal = randn_like(input, dtype=_wide(input), generator=generator)
        drawn = exp(scalar_add(scalar_mul(normal, std), mean))
    return copy_(input, drawn)


@function(
    "Tensor (Tensor input, Float p, *, Generator generator=None)",
    methods="geometric_", export=(),
    samples={"none": "random: tests/ops/test_random.py looks at distributions, seeds and dtypes"},
)
def geometric_(input: Tensor, p: float, generator: Generator | None = None) -> Any:
    """How many trials it takes until one succeeds, drawn and written over the input.

    P(k) = p * (1 - p) ** (k - 1) for k = 1, 2, ...

    Args:
        input: the input.
        p: the probability that a trial succeeds.
        generator: draws the numbers; the device's default generator unless given.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Method: `Tensor.geometric_`.

    Raises:
        RuntimeError: p is not between 0 and 1.
        NotImplementedError: bool.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.Tensor.geometric_.

    Example:
        >>> import tritonflow as flow
        >>> bool((flow.empty(100).geometric_(0.5) >= 1).all())
        True
    """
    # How many trials of a chance p it takes until one succeeds.
    if not 0 < p < 1:
        raise InvalidArgumentError(f"geometric_ expects p to be in (0, 1), but got p={p}")
    if input.meta.dtype.category == BOOL:
        raise DTypeNotImplementedError("\"geometric_\" not implemented for 'Bool'")
    with no_grad():
        drawn = clamp(ceil(scalar_mul(log(_uniform(input, generator)), 1 / math.log1p(-p))), 1)
    return copy_(input, drawn)


@functor("BernoulliInplaceTensor")
def bernoulli_tensor_(input: Tensor, p: Tensor, generator: Generator | None = None) -> Any:
    with no_grad():
        drawn = bernoulli(contiguous(expand(p, input.meta.shape)), generator)
    return copy_(input, drawn)


@functor("RandomInplaceTo")
def random_to_(input: Tensor, to: int, generator: Generator | None = None) -> Any:
    return random_(input, 0, to, generator)


@functor("RandomInplaceAll")
def random_all_(input: Tensor, generator: Generator | None = None) -> Any:
    """Any whole number that is not negative, as far as the dtype has all of them."""
    dtype = input.meta.dtype
    if dtype.category == FLOATING:
        most = round(2 / finfo(dtype).eps)
    else:
        most = 1 if dtype.category == BOOL else iinfo(dtype).max
    return random_(input, 0, most + (dtype is not int64), generator)
