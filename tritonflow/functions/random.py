"""Functors of random numbers: each reads and advances a generator's state."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

from tritonflow import dtypes
from tritonflow.binding.library import function, functor
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


@function(
    "Tensor (Shape size, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False, "
    "Placement placement=None, SbpList sbp=None)",
    samples={"none": "random: tests/ops/test_random.py looks at distributions, seeds and dtypes"},
)
def rand(
    size: Shape, dtype: DType | None = None, device: Device_ = None, generator: Generator | None = None,
    requires_grad: bool = False, placement: Placement | None = None, sbp: SbpList | None = None,
) -> Any:  # fmt: skip
    """Uniform random numbers in [0, 1).

    `flow.manual_seed` makes them the same.

    Args:
        size: the shape, as integers or a sequence.
        dtype: of the numbers; default `flow.get_default_dtype()`.
        device: where the result lies, such as `"cpu"` or `"cuda:0"`; the default device unless given.
        generator: draws the numbers; the device's default generator unless given.
        requires_grad: whether backward leaves a gradient in `.grad`.
        placement: the devices over which a consistent result lies, with `sbp`; a local one unless given.
        sbp: how a consistent result lies over `placement`: split, broadcast or partial sum.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        -> size.

    Raises:
        RuntimeError: a negative size.
        NotImplementedError: a dtype that is neither floating nor complex.
        ValueError: a generator of another device.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.rand.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.rand(2, 3)
        >>> x.shape, bool(((x >= 0) & (x < 1)).all())
        (tritonflow.Size([2, 3]), True)
    """
    attrs = (checked_shape(size), _floating("rand", dtype))
    where = _where("rand", len(attrs[0]), device, generator, placement, sbp)
    return _draw(_uniform, attrs, (0.0, 1.0), where, generator, requires_grad)


@function(
    "Tensor (Shape size, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False, "
    "Placement placement=None, SbpList sbp=None)",
    samples={"none": "random: tests/ops/test_random.py looks at distributions, seeds and dtypes"},
)
def randn(
    size: Shape, dtype: DType | None = None, device: Device_ = None, generator: Generator | None = None,
    requires_grad: bool = False, placement: Placement | None = None, sbp: SbpList | None = None,
) -> Any:  # fmt: skip
    """Normally distributed random numbers.

    Of mean 0 and variance 1. `flow.manual_seed` makes them the same.

    Args:
        size: the shape, as integers or a sequence.
        dtype: of the numbers; default `flow.get_default_dtype()`.
        device: where the result lies, such as `"cpu"` or `"cuda:0"`; the default device unless given.
        generator: draws the numbers; the device's default generator unless given.
        requires_grad: whether backward leaves a gradient in `.grad`.
        placement: the devices over which a consistent result lies, with `sbp`; a local one unless given.
        sbp: how a consistent result lies over `placement`: split, broadcast or partial sum.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        -> size.

    Raises:
        RuntimeError: a negative size.
        NotImplementedError: a dtype that is neither floating nor complex.
        ValueError: a generator of another device.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.randn.

    Example:
        >>> import tritonflow as flow
        >>> seed = flow.manual_seed(0)
        >>> x = flow.randn(10000)
        >>> abs(x.mean().item()) < 0.05, abs(x.var().item() - 1) < 0.05
        (True, True)
    """
    attrs = (checked_shape(size), _floating("randn", dtype))
    where = _where("randn", len(attrs[0]), device, generator, placement, sbp)
    return _draw(_normal, attrs, (0.0, 1.0), where, generator, requires_grad)


@function(
    "Tensor (Tensor input, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False, "
    "Placement placement=None, SbpList sbp=None, MemoryFormat memory_format=None)",
    samples={"none": "random: tests/ops/test_random.py looks at distributions, seeds and dtypes"},
)
def rand_like(
    input: Tensor, dtype: DType | None = None, device: Device_ = None, generator: Generator | None = None,
    requires_grad: bool = False, placement: Placement | None = None, sbp: SbpList | None = None,
    memory_format: MemoryFormat | None = None,
) -> Any:  # fmt: skip
    """Uniform random numbers in [0, 1), of the input's shape.

    Args:
        input: the input.
        dtype: of the numbers; default the input's.
        device: where they lie; default the input's.
        generator: draws the numbers; the device's default generator unless given.
        requires_grad: whether backward leaves a gradient in `.grad`.
        placement: the devices over which a consistent result lies, with `sbp`; a local one unless given.
        sbp: how a consistent result lies over `placement`: split, broadcast or partial sum.
        memory_format: the order of the dimensions in memory; default the input's.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Raises:
        NotImplementedError: a dtype that is neither floating nor complex.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.rand_like.

    Example:
        >>> import tritonflow as flow
        >>> flow.rand_like(flow.zeros(2, 3)).shape
        tritonflow.Size([2, 3])
    """
    attrs = (input.meta.shape, _floating("rand_like", dtype or input.meta.dtype))
    where = target_like("rand_like", input, input.meta.ndim, device, placement, sbp)
    made = _draw(_uniform, attrs, (0.0, 1.0), where, generator)
    return leaf(in_format(made, format_like(input, memory_format)), requires_grad)


@function(
    "Tensor (Tensor input, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False, "
    "Placement placement=None, SbpList sbp=None, MemoryFormat memory_format=None)",
    samples={"none": "random: tests/ops/test_random.py looks at distributions, seeds and dtypes"},
)
def randn_like(
    input: Tensor, dtype: DType | None = None, device: Device_ = None, generator: Generator | None = None,
    requires_grad: bool = False, placement: Placement | None = None, sbp: SbpList | None = None,
    memory_format: MemoryFormat | None = None,
) -> Any:  # fmt: skip
    """Normally distributed random numbers, of the input's shape.

    Of mean 0 and variance 1.

    Args:
        input: the input.
        dtype: of the numbers; default the input's.
        device: where they lie; default the input's.
        generator: draws the numbers; the device's default generator unless given.
        requires_grad: whether backward leaves a gradient in `.grad`.
        placement: the devices over which a consistent result lies, with `sbp`; a local one unless given.
        sbp: how a consistent result lies over `placement`: split, broadcast or partial sum.
        memory_format: the order of the dimensions in memory; default the input's.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Raises:
        NotImplementedError: a dtype that is neither floating nor complex.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.randn_like.

    Example:
        >>> import tritonflow as flow
        >>> flow.randn_like(flow.zeros(2, 3)).shape
        tritonflow.Size([2, 3])
    """
    attrs = (input.meta.shape, _floating("randn_like", dtype or input.meta.dtype))
    where = target_like("randn_like", input, input.meta.ndim, device, placement, sbp)
    made = _draw(_normal, attrs, (0.0, 1.0), where, generator)
    return leaf(in_format(made, format_like(input, memory_format)), requires_grad)


@function(
    "Tensor (Int64 low, Int64 high, Shape size, *, DataType dtype=None, Device device=None, Generator generator=None, Bool "
    "requires_grad=False, Placement placement=None, SbpList sbp=None)",
    "Tensor (Int64 high, Shape size, *, DataType dtype=None, Device device=None, Generator generator=None, Bool "
    "requires_grad=False, Placement placement=None, SbpList sbp=None) => RandIntHigh",
    samples={"none": "random: tests/ops/test_random.py looks at distributions, seeds and dtypes"},
)
def randint(
    low: int, high: int, size: Shape, dtype: DType | None = None, device: Device_ = None,
    generator: Generator | None = None, requires_grad: bool = False,
    placement: Placement | None = None, sbp: SbpList | None = None,
) -> Any:  # fmt: skip
    """Random whole numbers in [low, high).

    Overloads:
        - `randint(low: int, high: int, size: Sequence[int], *, dtype: DType | None = None, device: Device | str | None
          = None, generator: Generator | None = None, requires_grad: bool = False, placement: Placement | None = None,
          sbp: Sbp | Sequence[Sbp] | None = None) -> Tensor`
        - `randint(high: int, size: Sequence[int], *, dtype: DType | None = None, device: Device | str | None = None,
          generator: Generator | None = None, requires_grad: bool = False, placement: Placement | None = None, sbp: Sbp
          | Sequence[Sbp] | None = None) -> Tensor`

    Args:
        low: the least number; default 0.
        high: one more than the largest.
        size: the shape, a sequence of integers.
        dtype: of the numbers; default int64.
        device: where the result lies, such as `"cpu"` or `"cuda:0"`; the default device unless given.
        generator: draws the numbers; the device's default generator unless given.
        requires_grad: whether backward leaves a gradient in `.grad`.
        placement: the devices over which a consistent result lies, with `sbp`; a local one unless given.
        sbp: how a consistent result lies over `placement`: split, broadcast or partial sum.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        -> size.

    Raises:
        RuntimeError: low is not less than high, a number that the dtype does not have, or a negative size.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.randint.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.randint(1, 7, (100,))  # dice
        >>> x.dtype, 1 <= x.min().item(), x.max().item() <= 6
        (tritonflow.int64, True, True)
    """
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


@function(
    "Tensor (Tensor input, Int64 low, Int64 high, *, DataType dtype=None, Device device=None, Generator generator=None, "
    "Bool requires_grad=False, Placement placement=None, SbpList sbp=None)",
    "Tensor (Tensor input, Int64 high, *, DataType dtype=None, Device device=None, Generator generator=None, Bool "
    "requires_grad=False, Placement placement=None, SbpList sbp=None) => RandIntLikeHigh",
    samples={"none": "random: tests/ops/test_random.py looks at distributions, seeds and dtypes"},
)
def randint_like(
    input: Tensor, low: int, high: int, dtype: DType | None = None, device: Device_ = None,
    generator: Generator | None = None, requires_grad: bool = False,
    placement: Placement | None = None, sbp: SbpList | None = None,
) -> Any:  # fmt: skip
    """Random whole numbers in [low, high), of the input's shape.

    Overloads:
        - `randint_like(input: Tensor, low: int, high: int, *, dtype: DType | None = None, device: Device | str | None =
          None, generator: Generator | None = None, requires_grad: bool = False, placement: Placement | None = None,
          sbp: Sbp | Sequence[Sbp] | None = None) -> Tensor`
        - `randint_like(input: Tensor, high: int, *, dtype: DType | None = None, device: Device | str | None = None,
          generator: Generator | None = None, requires_grad: bool = False, placement: Placement | None = None, sbp: Sbp
          | Sequence[Sbp] | None = None) -> Tensor`

    Args:
        input: the input.
        low: the least number; default 0.
        high: one more than the largest.
        dtype: of the numbers; default the input's.
        device: where they lie; default the input's.
        generator: draws the numbers; the device's default generator unless given.
        requires_grad: whether backward leaves a gradient in `.grad`.
        placement: the devices over which a consistent result lies, with `sbp`; a local one unless given.
        sbp: how a consistent result lies over `placement`: split, broadcast or partial sum.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Raises:
        RuntimeError: low is not less than high, or a number that the dtype does not have.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.randint_like.

    Example:
        >>> import tritonflow as flow
        >>> flow.randint_like(flow.zeros(2, 3), 10).shape
        tritonflow.Size([2, 3])
    """
    where = target_like("randint_like", input, input.meta.ndim, device, placement, sbp)
    return leaf(_draw_integers(low, high, input.meta.shape, dtype or input.meta.dtype, where, generator), requires_grad)


@functor("RandIntLikeHigh")
def randint_like_high(
    input: Tensor, high: int, dtype: DType | None = None, device: Device_ = None, generator: Generator | None = None,
    requires_grad: bool = False, placement: Placement | None = None, sbp: SbpList | None = None,
) -> Any:  # fmt: skip
    return randint_like(input, 0, high, dtype, device, generator, requires_grad, placement, sbp)


@function(
    "Tensor (Int64 n, *, Generator generator=None, DataType dtype=None, Device device=None, Bool requires_grad=False, "
    "Placement placement=None, SbpList sbp=None)",
    samples={"none": "random: tests/ops/test_random.py looks at distributions, seeds and dtypes"},
)
def randperm(
    n: int, generator: Generator | None = None, dtype: DType | None = None, device: Device_ = None,
    requires_grad: bool = False, placement: Placement | None = None, sbp: SbpList | None = None,
) -> Any:  # fmt: skip
    """A random order of 0 ... n-1.

    Args:
        n: how many numbers.
        generator: draws the numbers; the device's default generator unless given.
        dtype: of the numbers; default int64.
        device: where the result lies, such as `"cpu"` or `"cuda:0"`; the default device unless given.
        requires_grad: whether backward leaves a gradient in `.grad`.
        placement: the devices over which a consistent result lies, with `sbp`; a local one unless given.
        sbp: how a consistent result lies over `placement`: split, broadcast or partial sum.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        -> (n).

    Raises:
        RuntimeError: n is negative.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.randperm.

    Example:
        >>> import tritonflow as flow
        >>> flow.randperm(5).sort().values
        tensor([0, 1, 2, 3, 4])
    """
    # The order that sorts n random 63-bit keys.
    if n < 0:
        raise InvalidArgumentError(f"n must be non-negative, got {n}")
    where = _where("randperm", 1, device, generator, placement, sbp)
    everywhere = where if where.sbp is None else where._replace(sbp=(broadcast,) * len(where.sbp))
    keys = _draw_integers(0, 2**63 - 1, (n,), dtypes.int64, everywhere, generator)
    order = argsort(keys)
    if where.sbp is not None:
        order = to_global(order, None, where.sbp)
    return leaf(order if dtype is None else cast(order, dtype), requires_grad)


@function(
    "Tensor (Tensor mean, Tensor std, *, Generator generator=None) => NormalTensors",
    "Tensor (Tensor mean, Float std=1.0, *, Generator generator=None) => NormalMeans",
    "Tensor (Float mean, Tensor std, *, Generator generator=None) => NormalDeviations",
    "Tensor (Float mean, Float std, Shape size, *, DataType dtype=None, Device device=None, Generator generator=None, Bool "
    "requires_grad=False, Placement placement=None, SbpList sbp=None)",
    samples={"none": "random: tests/ops/test_random.py looks at distributions, seeds and dtypes"},
)
def normal(
    mean: float, std: float, size: Shape, dtype: DType | None = None, device: Device_ = None,
    generator: Generator | None = None, requires_grad: bool = False, placement: Placement | None = None,
    sbp: SbpList | None = None,
) -> Any:  # fmt: skip
    """Normally distributed random numbers of a mean and a standard deviation.

    With tensors there is a number for each pair of a mean and a deviation, which broadcast; no gradient
    flows to them.

    Overloads:
        - `normal(mean: Tensor, std: Tensor, *, generator: Generator | None = None) -> Tensor`
        - `normal(mean: Tensor, std: float = 1.0, *, generator: Generator | None = None) -> Tensor`
        - `normal(mean: float, std: Tensor, *, generator: Generator | None = None) -> Tensor`
        - `normal(mean: float, std: float, size: Sequence[int], *, dtype: DType | None = None, device: Device | str |
          None = None, generator: Generator | None = None, requires_grad: bool = False, placement: Placement | None =
          None, sbp: Sbp | Sequence[Sbp] | None = None) -> Tensor`

    Args:
        mean: the mean, a tensor or a number.
        std: the standard deviation, a tensor or a number.
        generator: draws the numbers; the device's default generator unless given.
        size: the shape, where both are numbers.
        dtype: of the numbers; default `flow.get_default_dtype()`.
        device: where the result lies, such as `"cpu"` or `"cuda:0"`; the default device unless given.
        requires_grad: whether backward leaves a gradient in `.grad`.
        placement: the devices over which a consistent result lies, with `sbp`; a local one unless given.
        sbp: how a consistent result lies over `placement`: split, broadcast or partial sum.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        shapes that broadcast -> the common shape; or size.

    Raises:
        RuntimeError: a negative deviation.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.normal.

    Example:
        >>> import tritonflow as flow
        >>> flow.normal(flow.tensor([1.0, 100.0]), flow.zeros(2))
        tensor([  1., 100.])
        >>> flow.normal(0.0, 1.0, (2, 3)).shape
        tritonflow.Size([2, 3])
    """
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
    _check_deviation(std)
    if input.meta.dtype.is_complex:  # half of the variance is that of the real part, half that of the imaginary one
        normal_(pairs_of_complex(input), mean, std / math.sqrt(2), generator)
        return input
    dtype = _floating("normal_", input.meta.dtype)
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
    dtype = _floating("exponential_", input.meta.dtype)
    return _draw_over("exponential_", input, _exponential, dtype, (float(lambd),), generator)


def exponential_like(input: Tensor, generator: Generator | None = None) -> Any:
    """Exponentially distributed numbers of rate 1."""
    where = target_like("exponential", input, input.meta.ndim)
    return _draw(_exponential, (input.meta.shape, input.meta.dtype), (1.0,), where, generator)


@function(
    "Tensor (Tensor input, Int64 low, Int64 high, *, Generator generator=None)",
    "Tensor (Tensor input, Int64 to, *, Generator generator=None) => RandomInplaceTo",
    "Tensor (Tensor input, *, Generator generator=None) => RandomInplaceAll",
    methods="random_", export=(),
    samples={"none": "random: tests/ops/test_random.py looks at distributions, seeds and dtypes"},
)
def random_(input: Tensor, low: int, high: int, generator: Generator | None = None) -> Any:
    """Random whole numbers written over the input.

    In [low, high), or in [0, to); without bounds all numbers that are not negative, as far as the dtype
    has every one.

    Overloads:
        - `random_(input: Tensor, low: int, high: int, *, generator: Generator | None = None) -> Tensor`
        - `random_(input: Tensor, to: int, *, generator: Generator | None = None) -> Tensor`
        - `random_(input: Tensor, *, generator: Generator | None = None) -> Tensor`

    Args:
        input: the input.
        low: the least number.
        high: one more than the largest.
        generator: draws the numbers; the device's default generator unless given.
        to: one more than the largest.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Method: `Tensor.random_`.

    Raises:
        RuntimeError: low is not less than high, or a number that the dtype does not have.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.Tensor.random_.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.empty(100).random_(1, 7)
        >>> 1 <= x.min().item(), x.max().item() <= 6
        (True, True)
    """
    where = target_like("random_", input, input.meta.ndim)
    return copy_(input, _draw_integers(low, high, input.meta.shape, input.meta.dtype, where, generator))


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
    _check_probability("bernoulli_", p)
    return _draw_over("bernoulli_", input, _bernoulli, input.meta.dtype, (float(p),), generator)


@function(
    "Tensor (Tensor input, *, Generator generator=None)",
    "Tensor (Tensor input, Float p, *, Generator generator=None) => BernoulliProb",
    "Tensor (Tensor input, *, Float p, Generator generator=None, DataType dtype) => BernoulliCast",
    "Tensor (Tensor input, *, Generator generator=None, DataType dtype) => BernoulliOfCast",
    methods="bernoulli", samples={"none": "random: tests/ops/test_random.py looks at distributions, seeds and dtypes"},
)
def bernoulli(input: Tensor, generator: Generator | None = None) -> Any:
    """1 with the probability that the input (or p) says, else 0.

    Overloads:
        - `bernoulli(input: Tensor, *, generator: Generator | None = None) -> Tensor`
        - `bernoulli(input: Tensor, p: float, *, generator: Generator | None = None) -> Tensor`
        - `bernoulli(input: Tensor, *, p: float, generator: Generator | None = None, dtype: DType) -> Tensor`
        - `bernoulli(input: Tensor, *, generator: Generator | None = None, dtype: DType) -> Tensor`

    Args:
        input: probabilities, or with p only the shape and the dtype.
        generator: draws the numbers; the device's default generator unless given.
        p: one probability for all.
        dtype: of the result; default the input's.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Method: `Tensor.bernoulli`.

    Raises:
        RuntimeError: a probability outside 0 to 1.
        NotImplementedError: an input without p that is not floating.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.bernoulli.

    Example:
        >>> import tritonflow as flow
        >>> flow.bernoulli(flow.tensor([0.0, 1.0]))
        tensor([0., 1.])
    """
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


@function(
    "Tensor (Tensor input, Float p=0.5, Bool training=True, Bool inplace=False, *, Generator generator=None)",
    export=("flow", "nn.functional"),
    samples={"none": "random: tests/ops/test_random.py looks at distributions, seeds and dtypes"},
)
def dropout(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False, generator: Generator | None = None
) -> Any:
    """Zeros with probability p, the rest divided by 1 - p.

    Every element is drawn by itself; the mean stays. After Srivastava et al., Dropout, 2014.

    Args:
        input: the input.
        p: the probability of a zero.
        training: whether elements are dropped; otherwise the input is returned.
        inplace: whether the result is written over the input.
        generator: draws the numbers; the device's default generator unless given.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Raises:
        ValueError: a probability outside 0 to 1.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.dropout.

    Example:
        >>> import tritonflow as flow
        >>> flow.dropout(flow.ones(3), p=0.5, training=False)
        tensor([1., 1., 1.])
        >>> sorted(set(flow.dropout(flow.ones(100)).tolist()))
        [0.0, 2.0]
    """
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
