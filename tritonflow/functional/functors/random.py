"""Functors of random numbers: each reads and advances a generator's state."""

from __future__ import annotations

import math
from typing import Any

from tritonflow import dtypes
from tritonflow.device.device import Device
from tritonflow.dtypes import DType
from tritonflow.errors import ArgumentValueError, DTypeNotImplementedError, InvalidArgumentError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.locality import local_device
from tritonflow.framework.tensor import Tensor
from tritonflow.functional import random_generator as generators
from tritonflow.functional.functors.cast import cast, copy_
from tritonflow.functional.functors.creation import CPU, checked_shape, empty_like, leaf
from tritonflow.functional.functors.generated import mul, scalar_mul
from tritonflow.functional.functors.scan_sort import argsort
from tritonflow.functional.library import functor
from tritonflow.functional.random_generator import Generator
from tritonflow.interpreter.dispatch import dispatch

Shape = tuple[int, ...]
Device_ = Device | None

_uniform = op_expr("random_uniform")
_normal = op_expr("random_normal")
_exponential = op_expr("random_exponential")
_bernoulli = op_expr("random_bernoulli")
_bernoulli_of = op_expr("random_bernoulli_of")
_integers = op_expr("random_integers")
_dropout = op_expr("random_dropout")
_reserve = op_expr("random_reserve")


def _state(generator: Generator | None, device: Device | None) -> Tensor:
    """The {seed, offset} buffer to draw from."""
    if generator is None:
        return generators.default_generator(device or CPU).state
    if device is not None and generator.device is not device:
        raise ArgumentValueError(f"Expected a '{device}' device type for generator but found '{generator.device}'")
    return generator.state


def _floating(name: str, dtype: DType | None) -> DType:
    dtype = dtype or dtypes.get_default_dtype()
    if not dtype.is_floating_point:
        raise DTypeNotImplementedError(f"{name}: expected a floating point dtype, got {dtype}")
    return dtype


def _draw(op: Any, size: Shape, dtype: DType, state: Tensor, numbers: tuple[float, ...]) -> Any:
    return dispatch(op, (state,), (checked_shape(size), dtype), numbers)


def reserve(device: Device, count: int) -> Tensor:
    """The state of the default generator from which so many numbers may be drawn later; they are taken now."""
    return dispatch(_reserve, (_state(None, device),), (count,))  # type: ignore[no-any-return]


def factor_of(p: float) -> float:
    """The factor of the elements that dropout does not drop."""
    return 0.0 if p == 1 else 1 / (1 - p)


@functor("Rand")
def rand(
    size: Shape, dtype: DType | None = None, device: Device_ = None, generator: Generator | None = None,
    requires_grad: bool = False,
) -> Any:  # fmt: skip
    return leaf(_draw(_uniform, size, _floating("rand", dtype), _state(generator, device), (0.0, 1.0)), requires_grad)


@functor("RandN")
def randn(
    size: Shape, dtype: DType | None = None, device: Device_ = None, generator: Generator | None = None,
    requires_grad: bool = False,
) -> Any:  # fmt: skip
    return leaf(_draw(_normal, size, _floating("randn", dtype), _state(generator, device), (0.0, 1.0)), requires_grad)


@functor("RandLike")
def rand_like(
    input: Tensor, dtype: DType | None = None, device: Device_ = None, generator: Generator | None = None,
    requires_grad: bool = False,
) -> Any:  # fmt: skip
    return rand(input.meta.shape, dtype or input.meta.dtype, local_device("rand_like", input, device), generator, requires_grad)


@functor("RandNLike")
def randn_like(
    input: Tensor, dtype: DType | None = None, device: Device_ = None, generator: Generator | None = None,
    requires_grad: bool = False,
) -> Any:  # fmt: skip
    return randn(input.meta.shape, dtype or input.meta.dtype, local_device("randn_like", input, device), generator, requires_grad)


@functor("RandInt")
def randint(
    low: int, high: int, size: Shape, dtype: DType | None = None, device: Device_ = None,
    generator: Generator | None = None, requires_grad: bool = False,
) -> Any:  # fmt: skip
    if low >= high:
        raise InvalidArgumentError(f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}")
    dtype = dtype or dtypes.int64
    first, last = _whole_numbers(dtype)
    if not first <= low <= last:
        raise InvalidArgumentError(f"from is out of bounds for {dtype.name}: {low}")
    if not first < high <= last + 1:
        raise InvalidArgumentError(f"to - 1 is out of bounds for {dtype.name}: {high - 1}")
    count = high - low
    attrs = (checked_shape(size), dtype, count > 2**32)
    wrapped = 0 if count >= 2**64 else count if count < 2**63 else count - 2**64
    return leaf(dispatch(_integers, (_state(generator, device),), attrs, (low, wrapped)), requires_grad)


def _whole_numbers(dtype: DType) -> tuple[int, int]:
    """The first and the last whole number that `randint` draws in a dtype."""
    if dtype.category == dtypes.BOOL:
        return 0, 1
    if dtype.category == dtypes.INTEGER:
        return dtypes.iinfo(dtype).min, dtypes.iinfo(dtype).max
    largest = min(int(dtypes.finfo(dtype).max), 2**63 - 1)
    return -largest, largest


@functor("RandIntHigh")
def randint_high(
    high: int, size: Shape, dtype: DType | None = None, device: Device_ = None, generator: Generator | None = None,
    requires_grad: bool = False,
) -> Any:  # fmt: skip
    return randint(0, high, size, dtype, device, generator, requires_grad)


@functor("RandIntLike")
def randint_like(
    input: Tensor, low: int, high: int, dtype: DType | None = None, device: Device_ = None,
    generator: Generator | None = None, requires_grad: bool = False,
) -> Any:  # fmt: skip
    device = local_device("randint_like", input, device)
    return randint(low, high, input.meta.shape, dtype or input.meta.dtype, device, generator, requires_grad)


@functor("RandIntLikeHigh")
def randint_like_high(
    input: Tensor, high: int, dtype: DType | None = None, device: Device_ = None, generator: Generator | None = None,
    requires_grad: bool = False,
) -> Any:  # fmt: skip
    return randint_like(input, 0, high, dtype, device, generator, requires_grad)


@functor("RandPerm")
def randperm(
    n: int,
    generator: Generator | None = None,
    dtype: DType | None = None,
    device: Device_ = None,
    requires_grad: bool = False,
) -> Any:
    """The order that sorts n random 63-bit keys."""
    if n < 0:
        raise InvalidArgumentError(f"n must be non-negative, got {n}")
    keys = randint(0, 2**63 - 1, (n,), None, device, generator)
    order = argsort(keys)
    return leaf(order if dtype is None else cast(order, dtype), requires_grad)


@functor("Normal")
def normal(
    mean: float, std: float, size: Shape, dtype: DType | None = None, device: Device_ = None,
    generator: Generator | None = None, requires_grad: bool = False,
) -> Any:  # fmt: skip
    if not std >= 0:
        raise InvalidArgumentError(f"normal expects std >= 0.0, but found std {std}")
    numbers = (float(mean), float(std))
    return leaf(_draw(_normal, size, _floating("normal", dtype), _state(generator, device), numbers), requires_grad)


def _overwrite(target: Tensor, values: Tensor) -> Any:
    return copy_(target, values)


@functor("NormalInplace")
def normal_(input: Tensor, mean: float = 0.0, std: float = 1.0, generator: Generator | None = None) -> Any:
    return _overwrite(input, normal(mean, std, input.meta.shape, input.meta.dtype, local_device("normal_", input), generator))


@functor("UniformInplace")
def uniform_(input: Tensor, low: float = 0.0, high: float = 1.0, generator: Generator | None = None) -> Any:
    for name, bound in (("from", low), ("to", high)):
        if not math.isfinite(bound):
            raise InvalidArgumentError(f"uniform_: {name} must be finite, but found {name}={bound}")
    if low > high:
        raise InvalidArgumentError(f"uniform_ expects to return a [from, to) range, but found from={low} > to={high}")
    shape, dtype = input.meta.shape, _floating("uniform_", input.meta.dtype)
    state = _state(generator, local_device("uniform_", input))
    return _overwrite(input, _draw(_uniform, shape, dtype, state, (float(low), float(high))))


@functor("ExponentialInplace")
def exponential_(input: Tensor, lambd: float = 1.0, generator: Generator | None = None) -> Any:
    if not lambd > 0:
        raise InvalidArgumentError(f"exponential_ expects lambda > 0.0, but found lambda={lambd}")
    dtype = _floating("exponential_", input.meta.dtype)
    state = _state(generator, local_device("exponential_", input))
    return _overwrite(input, _draw(_exponential, input.meta.shape, dtype, state, (float(lambd),)))


@functor("RandomInplace")
def random_(input: Tensor, low: int, high: int, generator: Generator | None = None) -> Any:
    return _overwrite(input, randint(low, high, input.meta.shape, input.meta.dtype, local_device("random_", input), generator))


@functor("BernoulliInplace")
def bernoulli_(input: Tensor, p: float = 0.5, generator: Generator | None = None) -> Any:
    _check_probability("bernoulli_", p)
    state = _state(generator, local_device("bernoulli_", input))
    return _overwrite(input, _draw(_bernoulli, input.meta.shape, input.meta.dtype, state, (float(p),)))


@functor("Bernoulli")
def bernoulli(input: Tensor, generator: Generator | None = None) -> Any:
    if not input.meta.dtype.is_floating_point:
        raise DTypeNotImplementedError(f"bernoulli: expected a floating point tensor, got {input.meta.dtype}")
    return dispatch(_bernoulli_of, (input, _state(generator, input.meta.device)))


@functor("BernoulliProb")
def bernoulli_prob(input: Tensor, p: float, generator: Generator | None = None) -> Any:
    _check_probability("bernoulli", p)
    state = _state(generator, local_device("bernoulli", input))
    return _draw(_bernoulli, input.meta.shape, input.meta.dtype, state, (float(p),))


def _check_probability(name: str, p: float) -> None:
    if not 0 <= p <= 1:
        raise InvalidArgumentError(f"{name} expects p to be in [0, 1], but got p={p}")


@functor("Dropout")
def dropout(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False, generator: Generator | None = None
) -> Any:
    if not 0 <= p <= 1:
        raise ArgumentValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if not training or p == 0 or input.meta.numel == 0:
        return input
    scale = factor_of(p)
    if inplace:
        mask = bernoulli_prob(empty_like(input), 1 - p, generator)
        return mul(input, scalar_mul(mask, scale), inplace=True)
    return dispatch(_dropout, (input, _state(generator, input.meta.device)), (), (float(p), scale))[0]
