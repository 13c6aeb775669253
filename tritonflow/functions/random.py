"""Functors of random numbers: each reads and advances a generator's state."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

from tritonflow import dtypes
from tritonflow.binding.library import functor
from tritonflow.binding.target import Destination, SbpList, target, target_like
from tritonflow.device.device import Device
from tritonflow.dtypes import DType
from tritonflow.errors import ArgumentValueError, DTypeNotImplementedError, InvalidArgumentError
from tritonflow.execution.op_expr import OpExpr, op_expr
from tritonflow.framework.memory_format import MemoryFormat
from tritonflow.framework.meta import numel_of
from tritonflow.framework.placement import Placement
from tritonflow.framework.sbp import broadcast
from tritonflow.framework.tensor import Tensor
from tritonflow.functions import random_generator as generators
from tritonflow.functions.cast import cast, copy_
from tritonflow.functions.creation import checked_shape, empty_like, leaf
from tritonflow.functions.generated import mul, scalar_mul
from tritonflow.functions.join_layout import format_like, in_format
from tritonflow.functions.placement import to_global, whole
from tritonflow.functions.random_generator import Generator
from tritonflow.functions.scan_sort import argsort
from tritonflow.functions.view_complex import pairs_of_complex
from tritonflow.interpreter.choice import batched_road
from tritonflow.interpreter.dispatch import dispatch, dispatch_first
from tritonflow.interpreter.recording import record_zeros
from tritonflow.thread_state import thread_state
from tritonflow.wire.world import this_rank

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


def _local_state(generator: Generator | None, device: Device) -> Tensor:
    """The {seed, offset} buffer to draw from on a device.

    Raises:
        ValueError: the generator is one of another device.
    """
    if generator is None:
        generator = generators.default_generator(device)
    elif generator.device is not device:
        raise ArgumentValueError(f"Expected a '{device}' device type for generator but found '{generator.device}'")
    return batched_road().marked_state(generator.state) if thread_state.batch_levels else generator.state


def _state(generator: Generator | None, where: Destination) -> Tensor:
    """The buffer to draw from; for numbers over a placement a consistent tensor on the buffer of this rank."""
    if where.placement is None:
        return _local_state(generator, where.device)
    if generator is None:
        generator = generators.default_consistent_generator(where.device.type)
    return generators.state_over(_local_state(generator, where.device), where.placement)


def _floating(name: str, dtype: DType | None) -> DType:
    dtype = dtype or dtypes.get_default_dtype()
    if not dtype.is_floating_point and not (dtype.is_complex and name.startswith("rand")):
        raise DTypeNotImplementedError(
            f"{name}: expected a floating point dtype, got {dtype}. Only support float and double in {name}()."
        )
    return dtype


def _draw(
    op: OpExpr,
    attrs: tuple[Any, ...],
    numbers: tuple[float, ...],
    where: Destination,
    generator: Generator | None,
    requires_grad: bool = False,
) -> Any:
    """Random numbers; the first static attribute is their shape. They are the same for any placement and sbp."""
    state = _state(generator, where)
    if where.placement is None:
        drawn = dispatch(op, (state,), attrs, numbers)
    else:
        assert where.sbp is not None
        drawn = dispatch(op, (state,), attrs, numbers, None, where.placement, whole(where.sbp))
        _pass_over(state, where, numel_of(attrs[0]))
        drawn = to_global(drawn, None, where.sbp)
    return leaf(drawn, True) if requires_grad else drawn


def _pass_over(state: Tensor, where: Destination, count: int) -> None:
    """On a rank outside of the placement: move on by the numbers that the others have drawn."""
    placement = where.placement
    if placement is not None and placement.coordinate(this_rank().index) is None:
        dispatch(_reserve, (generators.buffer_of(state),), (count,))


def reserve(like: Tensor, count: int) -> Tensor:
    """The state of the default generator from which so many numbers may be drawn later; they are taken now."""
    where = target_like("random_reserve", like, 1)
    state = _state(None, where)
    reserved = dispatch(_reserve, (state,), (count,))
    _pass_over(state, where, count)
    return reserved  # type: ignore[no-any-return]


def factor_of(p: float) -> float:
    """The factor of the elements that dropout does not drop."""
    return 0.0 if p == 1 else 1 / (1 - p)


@functor("Rand")
def rand(
    size: Shape, dtype: DType | None = None, device: Device_ = None, generator: Generator | None = None,
    requires_grad: bool = False, placement: Placement | None = None, sbp: SbpList | None = None,
) -> Any:  # fmt: skip
    attrs = (checked_shape(size), _floating("rand", dtype))
    where = _where("rand", len(attrs[0]), device, generator, placement, sbp)
    return _draw(_uniform, attrs, (0.0, 1.0), where, generator, requires_grad)


@functor("RandN")
def randn(
    size: Shape, dtype: DType | None = None, device: Device_ = None, generator: Generator | None = None,
    requires_grad: bool = False, placement: Placement | None = None, sbp: SbpList | None = None,
) -> Any:  # fmt: skip
    attrs = (checked_shape(size), _floating("randn", dtype))
    where = _where("randn", len(attrs[0]), device, generator, placement, sbp)
    return _draw(_normal, attrs, (0.0, 1.0), where, generator, requires_grad)


@functor("RandLike")
def rand_like(
    input: Tensor, dtype: DType | None = None, device: Device_ = None, generator: Generator | None = None,
    requires_grad: bool = False, placement: Placement | None = None, sbp: SbpList | None = None,
    memory_format: MemoryFormat | None = None,
) -> Any:  # fmt: skip
    attrs = (input.meta.shape, _floating("rand_like", dtype or input.meta.dtype))
    where = target_like("rand_like", input, input.meta.ndim, device, placement, sbp)
    made = _draw(_uniform, attrs, (0.0, 1.0), where, generator)
    return leaf(in_format(made, format_like(input, memory_format)), requires_grad)


@functor("RandNLike")
def randn_like(
    input: Tensor, dtype: DType | None = None, device: Device_ = None, generator: Generator | None = None,
    requires_grad: bool = False, placement: Placement | None = None, sbp: SbpList | None = None,
    memory_format: MemoryFormat | None = None,
) -> Any:  # fmt: skip
    attrs = (input.meta.shape, _floating("randn_like", dtype or input.meta.dtype))
    where = target_like("randn_like", input, input.meta.ndim, device, placement, sbp)
    made = _draw(_normal, attrs, (0.0, 1.0), where, generator)
    return leaf(in_format(made, format_like(input, memory_format)), requires_grad)


@functor("RandInt")
def randint(
    low: int, high: int, size: Shape, dtype: DType | None = None, device: Device_ = None,
    generator: Generator | None = None, requires_grad: bool = False,
    placement: Placement | None = None, sbp: SbpList | None = None,
) -> Any:  # fmt: skip
    shape = checked_shape(size)
    where = _where("randint", len(shape), device, generator, placement, sbp)
    return leaf(_draw_integers(low, high, shape, dtype or dtypes.int64, where, generator), requires_grad)


_EVEN_COUNT = 2**24  # of more numbers that 32 bits are shared among, some come noticeably more often than others


def _draw_integers(low: int, high: int, shape: Shape, dtype: DType, where: Destination, generator: Generator | None) -> Any:
    """Whole numbers in [low, high)."""
    if low >= high:
        raise InvalidArgumentError(f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}")
    first, last = _whole_numbers(dtype)
    if not first <= low <= last:
        raise InvalidArgumentError(f"from is out of bounds for {dtype.name}: {low}")
    if not first < high <= last + 1:
        raise InvalidArgumentError(f"to - 1 is out of bounds for {dtype.name}: {high - 1}")
    if dtype.is_floating_point:
        low, high = _rounded_up(low, dtype), -_rounded_up(1 - high, dtype) + 1
        if low >= high:
            raise InvalidArgumentError(
                f"random_ expects 'from' casted to dtype to be less than 'to' casted to dtype, but got from={low} >= to={high}"
            )
    count = high - low
    wrapped = 0 if count >= 2**64 else count if count < 2**63 else count - 2**64
    wide = count > _EVEN_COUNT and (count > 2**32 or count & (count - 1) != 0)
    return _draw(_integers, (shape, dtype, wide), (low, wrapped), where, generator)


@cache
def _whole_numbers(dtype: DType) -> tuple[int, int]:
    """The first and the last whole number that `randint` draws in a dtype."""
    if dtype.category == dtypes.BOOL:
        return 0, 1
    if dtype.category == dtypes.INTEGER:
        return dtypes.iinfo(dtype).min, dtypes.iinfo(dtype).max
    largest = min(int(dtypes.finfo(dtype).max), 2**63 - 1)
    return -largest, largest


def _rounded_up(number: int, dtype: DType) -> int:
    """The least whole number of a floating dtype that is not less."""
    digits = int(1 / dtypes.finfo(dtype).eps).bit_length()
    step = 1 << max(number.bit_length() - digits, 0)
    return -(-number // step) * step


@functor("RandIntHigh")
def randint_high(
    high: int, size: Shape, dtype: DType | None = None, device: Device_ = None, generator: Generator | None = None,
    requires_grad: bool = False, placement: Placement | None = None, sbp: SbpList | None = None,
) -> Any:  # fmt: skip
    return randint(0, high, size, dtype, device, generator, requires_grad, placement, sbp)


@functor("RandIntLike")
def randint_like(
    input: Tensor, low: int, high: int, dtype: DType | None = None, device: Device_ = None,
    generator: Generator | None = None, requires_grad: bool = False,
    placement: Placement | None = None, sbp: SbpList | None = None,
) -> Any:  # fmt: skip
    where = target_like("randint_like", input, input.meta.ndim, device, placement, sbp)
    return leaf(_draw_integers(low, high, input.meta.shape, dtype or input.meta.dtype, where, generator), requires_grad)


@functor("RandIntLikeHigh")
def randint_like_high(
    input: Tensor, high: int, dtype: DType | None = None, device: Device_ = None, generator: Generator | None = None,
    requires_grad: bool = False, placement: Placement | None = None, sbp: SbpList | None = None,
) -> Any:  # fmt: skip
    return randint_like(input, 0, high, dtype, device, generator, requires_grad, placement, sbp)


@functor("RandPerm")
def randperm(
    n: int, generator: Generator | None = None, dtype: DType | None = None, device: Device_ = None,
    requires_grad: bool = False, placement: Placement | None = None, sbp: SbpList | None = None,
) -> Any:  # fmt: skip
    """The order that sorts n random 63-bit keys."""
    if n < 0:
        raise InvalidArgumentError(f"n must be non-negative, got {n}")
    where = _where("randperm", 1, device, generator, placement, sbp)
    everywhere = where if where.sbp is None else where._replace(sbp=(broadcast,) * len(where.sbp))
    keys = _draw_integers(0, 2**63 - 1, (n,), dtypes.int64, everywhere, generator)
    order = argsort(keys)
    if where.sbp is not None:
        order = to_global(order, None, where.sbp)
    return leaf(order if dtype is None else cast(order, dtype), requires_grad)


@functor("Normal")
def normal(
    mean: float, std: float, size: Shape, dtype: DType | None = None, device: Device_ = None,
    generator: Generator | None = None, requires_grad: bool = False, placement: Placement | None = None,
    sbp: SbpList | None = None,
) -> Any:  # fmt: skip
    _check_deviation(std)
    attrs = (checked_shape(size), _floating("normal", dtype))
    where = _where("normal", len(attrs[0]), device, generator, placement, sbp)
    return _draw(_normal, attrs, (float(mean), float(std)), where, generator, requires_grad)


def _check_deviation(std: float) -> None:
    if not std >= 0:
        raise InvalidArgumentError(f"normal expects std >= 0.0, but found std {std}")


def _where(
    function: str,
    ndim: int,
    device: Device | None,
    generator: Generator | None,
    placement: Placement | None,
    sbp: SbpList | None,
) -> Destination:
    """Where numbers lie: on the device that is given, else on that of the generator; or over a placement."""
    if generator is not None and device is None and placement is None:
        device = generator.device
    return target(function, ndim, device, placement, sbp)


def _draw_over(
    function: str, input: Tensor, op: OpExpr, dtype: DType, numbers: tuple[float, ...], generator: Generator | None
) -> Any:
    """Numbers over an input."""
    where = target_like(function, input, input.meta.ndim)
    return copy_(input, _draw(op, (input.meta.shape, dtype), numbers, where, generator))


@functor("NormalInplace")
def normal_(input: Tensor, mean: float = 0.0, std: float = 1.0, generator: Generator | None = None) -> Any:
    _check_deviation(std)
    if input.meta.dtype.is_complex:  # half of the variance is that of the real part, half that of the imaginary one
        normal_(pairs_of_complex(input), mean, std / math.sqrt(2), generator)
        return input
    dtype = _floating("normal_", input.meta.dtype)
    return _draw_over("normal_", input, _normal, dtype, (float(mean), float(std)), generator)


@functor("UniformInplace")
def uniform_(input: Tensor, low: float = 0.0, high: float = 1.0, generator: Generator | None = None) -> Any:
    for name, bound in (("from", low), ("to", high)):
        if not math.isfinite(bound):
            raise InvalidArgumentError(f"uniform_: {name} must be finite, but found {name}={bound}")
    if low > high:
        raise InvalidArgumentError(f"uniform_ expects to return a [from, to) range, but found from={low} > to={high}")
    if input.meta.dtype.is_complex:
        uniform_(pairs_of_complex(input), low, high, generator)
        return input
    dtype = _floating("uniform_", input.meta.dtype)
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


@functor("ExponentialInplace")
def exponential_(input: Tensor, lambd: float = 1.0, generator: Generator | None = None) -> Any:
    if not lambd > 0:
        raise InvalidArgumentError(f"exponential_ expects lambda > 0.0, but found lambda={lambd}")
    dtype = _floating("exponential_", input.meta.dtype)
    return _draw_over("exponential_", input, _exponential, dtype, (float(lambd),), generator)


def exponential_like(input: Tensor, generator: Generator | None = None) -> Any:
    """Exponentially distributed numbers of rate 1."""
    where = target_like("exponential", input, input.meta.ndim)
    return _draw(_exponential, (input.meta.shape, input.meta.dtype), (1.0,), where, generator)


@functor("RandomInplace")
def random_(input: Tensor, low: int, high: int, generator: Generator | None = None) -> Any:
    where = target_like("random_", input, input.meta.ndim)
    return copy_(input, _draw_integers(low, high, input.meta.shape, input.meta.dtype, where, generator))


@functor("BernoulliInplace")
def bernoulli_(input: Tensor, p: float = 0.5, generator: Generator | None = None) -> Any:
    _check_probability("bernoulli_", p)
    return _draw_over("bernoulli_", input, _bernoulli, input.meta.dtype, (float(p),), generator)


@functor("Bernoulli")
def bernoulli(input: Tensor, generator: Generator | None = None) -> Any:
    if not input.meta.dtype.is_floating_point:
        raise DTypeNotImplementedError(f"bernoulli: expected a floating point tensor, got {input.meta.dtype}")
    where = target_like("bernoulli", input, input.meta.ndim)
    state = _state(generator, where)
    drawn = dispatch(_bernoulli_of, (input, state))
    _pass_over(state, where, input.meta.numel)
    return record_zeros(drawn, (input,))


def draw_counts(function: str, op: OpExpr, inputs: tuple[Tensor, ...], generator: Generator | None) -> Any:
    """A number for each element of the inputs, which have one shape and dtype."""
    meta = inputs[0].meta
    if not meta.dtype.is_floating_point:
        raise DTypeNotImplementedError(f"{function}: expected a floating point tensor, got {meta.dtype}")
    where = target_like(function, inputs[0], meta.ndim)
    state = _state(generator, where)
    drawn = dispatch(op, (*inputs, state))
    _pass_over(state, where, meta.numel)
    return drawn


@functor("BernoulliProb")
def bernoulli_prob(input: Tensor, p: float, generator: Generator | None = None) -> Any:
    _check_probability("bernoulli", p)
    where = target_like("bernoulli", input, input.meta.ndim)
    return _draw(_bernoulli, (input.meta.shape, input.meta.dtype), (float(p),), where, generator)


@functor("BernoulliOfCast")
def bernoulli_of_cast(input: Tensor, generator: Generator | None, dtype: DType) -> Any:
    """OneFlow's form: the result in a dtype."""
    return cast(bernoulli(input, generator), dtype)


@functor("BernoulliCast")
def bernoulli_cast(input: Tensor, p: float, generator: Generator | None, dtype: DType) -> Any:
    """OneFlow's form: the result in a dtype."""
    return cast(bernoulli_prob(input, p, generator), dtype)


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
    if input.meta.is_local:
        return dispatch_first(_dropout, (input, _local_state(generator, input.meta.device)), (), (float(p), scale))
    where = target_like("dropout", input, input.meta.ndim)
    state = _state(generator, where)
    dropped = dispatch(_dropout, (input, state), (), (float(p), scale))[0]
    _pass_over(state, where, input.meta.numel)
    return dropped
