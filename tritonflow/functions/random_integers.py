"""Functors of random whole numbers and orders."""

from __future__ import annotations

from functools import cache
from typing import Any

from tritonflow import dtypes
from tritonflow.binding.library import function, functor
from tritonflow.binding.target import Destination, SbpList, target_like
from tritonflow.device.device import Device
from tritonflow.dtypes import DType
from tritonflow.errors import InvalidArgumentError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.placement import Placement
from tritonflow.framework.sbp import broadcast
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.cast import cast, copy_
from tritonflow.functions.creation import checked_shape, leaf
from tritonflow.functions.placement import to_global
from tritonflow.functions.random import draw, where_to
from tritonflow.functions.random_generator import Generator
from tritonflow.functions.scan_sort import argsort

Shape = tuple[int, ...]
Device_ = Device | None
_integers = op_expr("random_integers")
_EVEN_COUNT = 2**24  # of more numbers that 32 bits are shared among, some come noticeably more often than others


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
    where = where_to("randint", len(shape), device, generator, placement, sbp)
    return leaf(_draw_integers(low, high, shape, dtype or dtypes.int64, where, generator), requires_grad)


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
    return draw(_integers, (shape, dtype, wide), (low, wrapped), where, generator)


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
        raise InvalidArgumentError(f"Trying to create tensor with negative dimension {n}: [{n}]")
    where = where_to("randperm", 1, device, generator, placement, sbp)
    everywhere = where if where.sbp is None else where._replace(sbp=(broadcast,) * len(where.sbp))
    keys = _draw_integers(0, 2**63 - 1, (n,), dtypes.int64, everywhere, generator)
    order = argsort(keys)
    if where.sbp is not None:
        order = to_global(order, None, where.sbp)
    return leaf(order if dtype is None else cast(order, dtype), requires_grad)


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
