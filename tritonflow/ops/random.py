"""Planners of random ops.

The input `state` is a generator's {seed, offset}; every plan ends with the launch that moves the offset on.

An op that draws a shard has two more attributes and one more dynamic scalar behind the others (ops/sbp/random.py): the shape of
the whole tensor, whether the shard's rows begin at counters, and at which counter the shard begins; at which element, if not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow.dtypes import DType, bfloat16, bool_, float16, float32, int64
from tritonflow.errors import ShapeError
from tritonflow.framework.meta import TensorMeta, contiguous_stride, numel_of, sized_meta
from tritonflow.ops.elementwise import collapse, launch
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.operands import ERROR_WORD, Input, LaunchOperand, Output, Scalar
from tritonflow.ops.plan import Launch, Plan, stride

kernels = KernelModule("random")
functions = KernelModule("functions.random")
counts = KernelModule("counts")
gamma_draws = KernelModule("gamma_draws")


def uniform(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """Numbers in [low, high), which are numbers of the dtype; attributes: (shape, dtype); dynamic: (low, high)."""
    function = {float16: functions.uniform_half, bfloat16: functions.uniform_bfloat}.get(attrs[1], functions.uniform)
    return _fill(inputs, attrs, function, 2)


def normal(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """Normally distributed numbers; attributes: (shape, dtype); dynamic: (mean, std)."""
    (state,), (shape, dtype, *shard) = inputs, attrs
    y = sized_meta(shape, dtype, state.device)
    drawn = _Words(y, Input(0), 2, shard)
    draw = drawn.by_counters(kernels.normal, kernels.normal_shard, _scalars(dtype, 2))
    return Plan(inputs, (y,), [draw, drawn.advance()])


def exponential(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """Exponentially distributed numbers; attributes: (shape, dtype); dynamic: (rate,)."""
    function = functions.exponential_half if attrs[1] is float16 else functions.exponential
    return _fill(inputs, attrs, function, 1)


def bernoulli(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """1 with probability p, else 0; attributes: (shape, dtype); dynamic: (p,)."""
    return _fill(inputs, attrs, functions.bernoulli, 1)


def bernoulli_of(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """1 with the probability in each element of the input, which is looked at first: it must be in [0, 1].

    A graph that draws within another kernel does not look.
    """
    p, _ = inputs
    y = p.contiguous()
    drawn = _Words(y, Input(1), 0, attrs)
    draw = launch(functions.bernoulli_of, None, y.shape, (p, drawn.meta), (y,), (Input(0), drawn.source), (Output(0),))
    options = kernels.config()
    warps = options.pop("num_warps")
    grid = (-(-y.numel // options["BLOCK"]),)
    look = Launch(kernels.refuse_no_probability, grid, (Input(0), ERROR_WORD), (y.numel,), options, num_warps=warps)
    steps = [look, draw, drawn.advance()]
    message = "bernoulli expects every element of the input to be in [0, 1]"
    return Plan(inputs, (y,), steps, index_check=message, check_error=ShapeError, validate=1)


def poisson(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """A Poisson number for each rate, which must not be negative."""
    return _counts(inputs, attrs, counts.poisson, False, "invalid Poisson rate, expected rate to be non-negative")


def binomial(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """How many trials succeed, of inputs (number of trials, chance of each, state); a chance is in [0, 1]."""
    return _counts(inputs, attrs, counts.binomial, True, "binomial expects every probability to be in [0, 1]")


def gamma(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """A gamma-distributed number for each concentration, which must not be negative."""
    message = "standard_gamma expects every concentration to be non-negative"
    return _counts(inputs, attrs, gamma_draws.gamma, False, message)


def _counts(
    inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...], kernel: Any, chances: bool, message: str
) -> Plan:
    """The numbers of a kernel of kernels/counts.py or gamma_draws.py, whose last tensor besides the state has rates, or chances."""
    state, y = Input(len(inputs) - 1), inputs[0].contiguous()
    drawn = _Words(y, state, 0, attrs)
    options = dict(counts.config())
    warps = options.pop("num_warps")
    grid = (-(-y.numel // options["BLOCK"]),)
    checked = (Input(len(inputs) - 2), ERROR_WORD)
    look = Launch(
        counts.refuse_outside, grid, checked, (y.numel,), {"CHANCES": chances, **options}, num_warps=warps
    )
    sizes, (strides,) = collapse(y.shape, [drawn.meta.stride])
    layout = (y.numel, sizes, tuple(map(stride, strides)))
    operands = (*Input.several(len(inputs) - 1), Output(0), state)
    options = {"UNIT": 4 if drawn.fours else 1, **options}
    if attrs:
        draw = Launch(kernel, grid, (*operands, drawn.first), layout, options, num_warps=warps)
    else:
        draw = Launch(kernel, grid, operands, (0, *layout), options, num_warps=warps)
    return Plan(
        inputs, (y,), [look, draw, drawn.advance()], index_check=message, check_error=ShapeError, validate=1
    )


def dropout(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """(x * scale where kept else 0, kept); dynamic: (p, scale)."""
    x, _ = inputs
    y, kept = x.contiguous(), x.with_dtype(bool_)
    drawn = _Words(y, Input(1), 2, attrs)
    sources, targets = (Input(0), drawn.source), Output.several(2)
    draw = launch(functions.dropout, None, y.shape, (x, drawn.meta), (y, kept), sources, targets, _scalars(x.dtype, 2))
    return Plan(inputs, (y, kept), [draw, drawn.advance()])


def integers(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """Whole numbers low + (0 ... size-1); attributes: (shape, dtype, whether an element takes 96 bits); dynamic: (low, size)."""
    (state,), (shape, dtype, wide, *shard) = inputs, attrs
    if not wide:
        return _fill(inputs, (shape, dtype, *shard), functions.integer, 2, int64)
    y = sized_meta(shape, dtype, state.device)
    drawn = _Words(y, Input(0), 2, shard)
    draw = drawn.by_counters(kernels.wide_integers, kernels.wide_integers_shard, _scalars(int64, 2))
    return Plan(inputs, (y,), [draw, drawn.advance()])


def reserve(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """The state as it is, which moves on by so many numbers; attributes: (count,)."""
    (state,) = inputs
    counters = kernels.counters(attrs[0])
    return Plan(inputs, (state,), [Launch(kernels.reserve, (1,), (Input(0), Output(0)), (counters,), num_warps=1)])


def _fill(
    inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...], function: Any, scalars: int, compute: DType | None = None
) -> Plan:
    """A tensor of (shape, dtype) of what a function makes of each word and the scalars."""
    (state,), (shape, dtype, *shard) = inputs, attrs
    y = sized_meta(shape, dtype, state.device)
    names = _scalars(compute or (dtype if dtype.is_floating_point else float32), scalars)
    drawn = _Words(y, Input(0), scalars, shard)
    draw = launch(function, None, shape, (drawn.meta,), (y,), (drawn.source,), (Output(0),), names)
    return Plan(inputs, (y,), [draw, drawn.advance()])


def _scalars(dtype: DType, count: int) -> tuple[Scalar, ...]:
    return Scalar.several(count, dtype.compute)


class _Words:
    """The random words of a tensor, or of a shard.

    Args:
        y: the meta of what is drawn.
        state: the generator's.
        scalars: how many dynamic scalars the op has; one more says where a shard begins.
        shard: nothing, or (the shape of the whole tensor, whether the shard's rows begin at counters).

    Attributes:
        meta: what y's strides are in the whole tensor.
        source: the words as an operand of the elementwise template.
    """

    def __init__(self, y: TensorMeta, state: Input, scalars: int, shard: Sequence[Any]) -> None:
        self.y, self.meta, self.state, self.whole, self.fours = y, y, state, y.shape, True
        self.source: tuple[LaunchOperand, ...] = (state,)
        if shard:
            self.whole, self.fours = shard
            self.first = Scalar(scalars, int64)
            self.meta = TensorMeta.get(y.shape, contiguous_stride(self.whole), y.dtype, y.device)
            self.source = (state, self.first) if self.fours else (self.first, state)

    def by_counters(self, kernel: Any, shard_kernel: Any, scalars: tuple[Scalar, ...]) -> Launch:
        """The launch of a kernel that makes four neighbours at a time, or of the one that makes each element of a shard alone."""
        options = kernels.config()
        warps = options.pop("num_warps")
        n = self.y.numel
        grid = (-(-n // options["BLOCK"]),)
        if self.fours and self.meta.is_contiguous:
            generator = self.source if len(self.source) > 1 else self.state
            return Launch(kernel, grid, (Output(0), generator, *scalars), (n,), options, num_warps=warps)
        sizes, (strides,) = collapse(self.y.shape, [self.meta.stride])
        operands = (Output(0), self.state, *scalars, self.first)
        options["UNIT"] = 4 if self.fours else 1
        return Launch(shard_kernel, grid, operands, (n, sizes, tuple(map(stride, strides))), options, num_warps=warps)

    def advance(self) -> Launch:
        """The launch that moves the generator on, by the words of the whole tensor."""
        return advance(self.state, numel_of(self.whole))


def advance(state: Input, n: int) -> Launch:
    return Launch(kernels.advance, (1,) if n else (0,), (state,), (kernels.counters(n),), num_warps=1)
