"""Functors of random numbers: each reads and advances a generator's state."""

from __future__ import annotations

from typing import Any

from tritonflow import dtypes
from tritonflow.binding.library import function
from tritonflow.binding.target import Destination, SbpList, target, target_like
from tritonflow.device.device import Device
from tritonflow.dtypes import DType
from tritonflow.errors import DTypeNotImplementedError, InvalidArgumentError
from tritonflow.execution.op_expr import OpExpr, op_expr
from tritonflow.framework.memory_format import MemoryFormat
from tritonflow.framework.meta import numel_of
from tritonflow.framework.placement import Placement
from tritonflow.framework.tensor import Tensor
from tritonflow.functions import random_generator as generators
from tritonflow.functions.creation import checked_shape, leaf
from tritonflow.functions.join_layout import format_like, in_format
from tritonflow.functions.placement import to_global, whole
from tritonflow.functions.random_generator import Generator
from tritonflow.interpreter.choice import batched_road
from tritonflow.interpreter.dispatch import dispatch
from tritonflow.thread_state import thread_state
from tritonflow.wire.world import this_rank

Shape = tuple[int, ...]
Device_ = Device | None

_uniform = op_expr("random_uniform")
_normal = op_expr("random_normal")
_exponential = op_expr("random_exponential")
_bernoulli = op_expr("random_bernoulli")
_integers = op_expr("random_integers")
_reserve = op_expr("random_reserve")


def local_state(generator: Generator | None, device: Device) -> Tensor:
    """The {seed, offset} buffer to draw from on a device.

    Raises:
        ValueError: the generator is one of another device.
    """
    if generator is None:
        generator = generators.default_generator(device)
    elif generator.device is not device:
        generator = generator.on(device)
    return batched_road().marked_state(generator.state) if thread_state.batch_levels else generator.state


def state_of(generator: Generator | None, where: Destination) -> Tensor:
    """The buffer to draw from; for numbers over a placement a consistent tensor on the buffer of this rank."""
    if where.placement is None:
        return local_state(generator, where.device)
    if generator is None:
        generator = generators.default_consistent_generator(where.placement)
    return generators.state_over(local_state(generator, where.device), where.placement)


def floating_dtype(name: str, dtype: DType | None) -> DType:
    dtype = dtype or dtypes.get_default_dtype()
    if not dtype.is_floating_point and not (dtype.is_complex and name.startswith("rand")):
        raise DTypeNotImplementedError(
            f"{name}: expected a floating point dtype, got {dtype}. Only support float and double in {name}()."
        )
    return dtype


def draw(
    op: OpExpr,
    attrs: tuple[Any, ...],
    numbers: tuple[float, ...],
    where: Destination,
    generator: Generator | None,
    requires_grad: bool = False,
) -> Any:
    """Random numbers; the first static attribute is their shape. They are the same for any placement and sbp."""
    state = state_of(generator, where)
    if where.placement is None:
        drawn = dispatch(op, (state,), attrs, numbers)
    else:
        assert where.sbp is not None
        drawn = dispatch(op, (state,), attrs, numbers, None, where.placement, whole(where.sbp))
        pass_over(state, where, numel_of(attrs[0]))
        drawn = to_global(drawn, None, where.sbp)
    return leaf(drawn, True) if requires_grad else drawn


def pass_over(state: Tensor, where: Destination, count: int) -> None:
    """On a rank outside of the placement: move on by the numbers that the others have drawn."""
    placement = where.placement
    if placement is not None and placement.coordinate(this_rank().index) is None:
        dispatch(_reserve, (generators.buffer_of(state),), (count,))


def reserve(like: Tensor, count: int) -> Tensor:
    """The state of the default generator from which so many numbers may be drawn later; they are taken now."""
    where = target_like("random_reserve", like, 1)
    state = state_of(None, where)
    reserved = dispatch(_reserve, (state,), (count,))
    pass_over(state, where, count)
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
    attrs = (checked_shape(size), floating_dtype("rand", dtype))
    where = where_to("rand", len(attrs[0]), device, generator, placement, sbp)
    return draw(_uniform, attrs, (0.0, 1.0), where, generator, requires_grad)


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
    attrs = (checked_shape(size), floating_dtype("randn", dtype))
    where = where_to("randn", len(attrs[0]), device, generator, placement, sbp)
    return draw(_normal, attrs, (0.0, 1.0), where, generator, requires_grad)


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
    attrs = (input.meta.shape, floating_dtype("rand_like", dtype or input.meta.dtype))
    where = target_like("rand_like", input, input.meta.ndim, device, placement, sbp)
    made = draw(_uniform, attrs, (0.0, 1.0), where, generator)
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
    attrs = (input.meta.shape, floating_dtype("randn_like", dtype or input.meta.dtype))
    where = target_like("randn_like", input, input.meta.ndim, device, placement, sbp)
    made = draw(_normal, attrs, (0.0, 1.0), where, generator)
    return leaf(in_format(made, format_like(input, memory_format)), requires_grad)


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
    check_deviation(std)
    attrs = (checked_shape(size), floating_dtype("normal", dtype))
    where = where_to("normal", len(attrs[0]), device, generator, placement, sbp)
    return draw(_normal, attrs, (float(mean), float(std)), where, generator, requires_grad)


def check_deviation(std: float) -> None:
    if not std >= 0:
        raise InvalidArgumentError(f"normal expects std >= 0.0, but found std {std}")


def where_to(
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


def exponential_like(input: Tensor, generator: Generator | None = None) -> Any:
    """Exponentially distributed numbers of rate 1."""
    where = target_like("exponential", input, input.meta.ndim)
    return draw(_exponential, (input.meta.shape, input.meta.dtype), (1.0,), where, generator)


def draw_counts(function: str, op: OpExpr, inputs: tuple[Tensor, ...], generator: Generator | None) -> Any:
    """A number for each element of the inputs, which have one shape and dtype."""
    meta = inputs[0].meta
    if not meta.dtype.is_floating_point:
        raise DTypeNotImplementedError(f"{function}: expected a floating point tensor, got {meta.dtype}")
    where = target_like(function, inputs[0], meta.ndim)
    state = state_of(generator, where)
    drawn = dispatch(op, (*inputs, state))
    pass_over(state, where, meta.numel)
    return drawn


def check_probability(name: str, p: float) -> None:
    if not 0 <= p <= 1:
        raise InvalidArgumentError(f"{name} expects p to be in [0, 1], but got p={p}")
