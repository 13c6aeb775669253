"""Planners of 2-d convolution and of its two gradients, dense or depthwise, by the shape of the weight.

Static attributes of all three: (stride, padding, dilation, groups), pairs but for the last; the gradients have the
shape of their result before them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any, NamedTuple

from tritonflow.device.provider import facts_of
from tritonflow.framework.meta import Shape, TensorMeta, contiguous_meta, contiguous_stride
from tritonflow.kernels.facts import DeviceFacts
from tritonflow.ops.copy import copy
from tritonflow.ops.epilogue import Epilogue, biased, planes, store_only
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.matmul import product, reduce_splits
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.operands import Address, Input, Operands, Output, Workspace
from tritonflow.ops.plan import Launch, Plan, constant
from tritonflow.ops.plan import stride as marked
from tritonflow.ops.precision import product_dtype
from tritonflow.ops.prologue import Prologues, as_loaded
from tritonflow.ops.tuning import choose

dense = KernelModule("conv")
depthwise = KernelModule("depthwise")

FLAT_CHANNELS = 16  # fewer input channels than a block of the reduction are reduced together with the taps
FEW_POSITIONS = 1024  # for fewer a CPU does not lay out the weight by taps first: 512x7 3x3 is 1.14 times as fast
UNROLLED_TAPS = 9  # of a depthwise kernel: up to so many its loop is unrolled
Pair = tuple[int, int]


def _marked(values: Shape) -> tuple[marked, ...]:
    return tuple([marked(v) for v in values])


def _step(stride: int) -> int:
    """A stride that the kernel knows if it is 1 or 2: a CPU then loads every second pixel as vectors and a shuffle."""
    return constant(stride) if stride <= 2 else stride


@dataclass(frozen=True)
class Geometry:
    """The sizes of a convolution and how they are passed to its kernels."""

    x_shape: Shape
    w_shape: Shape
    stride: Pair
    padding: Pair
    dilation: Pair
    groups: int

    @property
    def out(self) -> Pair:
        sizes = zip(self.x_shape[2:], self.w_shape[2:], self.stride, self.padding, self.dilation)
        out: Pair = tuple([dense.output_size(*s) for s in sizes])
        return out

    @property
    def y_shape(self) -> Shape:
        return (self.x_shape[0], self.w_shape[0], *self.out)

    @property
    def is_depthwise(self) -> bool:
        """Whether every group has one input channel."""
        return self.groups > 1 and self.w_shape[1] == 1

    @property
    def channels(self) -> tuple[int, int]:
        """Input and output channels of a group."""
        return self.w_shape[1], self.w_shape[0] // self.groups

    @property
    def sizes(self) -> tuple[Any, ...]:
        """image, kernel, out, stride, padding, dilation."""
        shapes = (self.x_shape[2:], self.w_shape[2:], self.out)
        return (*shapes, tuple([_step(s) for s in self.stride]), self.padding, _marked(self.dilation))

    @property
    def unrolled(self) -> bool:
        """Whether the kernel of a depthwise convolution is small enough for code without a loop over its taps."""
        return self.taps <= UNROLLED_TAPS

    @property
    def plane_sizes(self) -> tuple[Any, ...]:
        """`sizes` as depthwise kernels get them: they know the kernel's where its taps are unrolled."""
        image, kernel, *rest = self.sizes
        return (image, tuple([constant(k) for k in kernel]) if self.unrolled else kernel, *rest)

    @property
    def steps(self) -> tuple[marked, ...]:
        """Distances of taps in the input gradient."""
        return _marked(tuple([dense.tap_step(s, d) for s, d in zip(self.stride, self.dilation)]))

    @property
    def taps(self) -> int:
        return prod(self.w_shape[2:])

    @property
    def phase(self) -> Pair:
        """Rows and columns of an image that are in one phase of the input gradient."""
        rows, columns = [-(-size // step) for size, step in zip(self.x_shape[2:], self.stride)]
        return rows, columns

    @property
    def work(self) -> int:
        """Vector instructions of the convolution or of one gradient."""
        return prod(self.y_shape) * self.w_shape[1] * self.taps // 16

    def flattened(self, x_stride: Shape) -> tuple[Geometry, Shape]:
        """Images as single rows where a kernel of one pixel takes every pixel: no position of a tile is left empty then."""
        n, c, h, w = self.x_shape
        plain = self.taps == 1 and self.stride == (1, 1) and self.padding == (0, 0)
        if not plain or x_stride[2] != w * x_stride[3]:
            return self, x_stride
        return replace(self, x_shape=(n, c, 1, h * w)), (*x_stride[:2], h * w * x_stride[3], x_stride[3])


def conv2d(
    op: OpDef,
    inputs: tuple[TensorMeta | None, ...],
    attrs: tuple[Any, ...],
    epilogue: Epilogue | None = None,
    prologues: Prologues | None = None,
) -> Plan:
    """y from (x, weight, bias); another epilogue has to add the bias itself."""
    x, w, bias = inputs
    assert x is not None and w is not None
    g = Geometry(x.shape, w.shape, *attrs)
    prologues = prologues or as_loaded(x)
    epilogue = epilogue or biased(contiguous_meta(g.y_shape, prologues.dtype, x.device), planes(g.y_shape), bias)
    inputs = (*inputs, *epilogue.inputs)
    if g.is_depthwise:
        return Plan(inputs, epilogue.outputs, [_depthwise_forward(g, x, epilogue)])
    return _forward(inputs, g, epilogue, prologues)


def _launch(
    kernel: Any,
    grid: Shape,
    operands: Sequence[Operands],
    sizes: Any,
    config: dict[str, Any],
    work: int = 0,
    **constexprs: Any,
) -> Launch:
    options = {key: config[key] for key in ("num_warps", "num_stages")}
    return Launch(kernel, grid, operands, sizes, {**constexprs, **config["constexprs"]}, work=work, **options)


def _forward(inputs: tuple[TensorMeta | None, ...], g: Geometry, epilogue: Epilogue, prologues: Prologues) -> Plan:
    x, w = inputs[:2]
    assert x is not None and w is not None
    g, x_stride = g.flattened(x.stride)
    channels, outputs = g.channels
    positions = (x.shape[0] * g.out[0], g.out[1])
    flat = _is_flat(g, facts_of(x.device))
    depth, whole = channels * (g.taps if flat else 1), channels * g.taps
    facts = facts_of(x.device)
    dtype = product_dtype(facts, prologues.dtype, "conv")
    config = choose(dense.tile_candidates(facts, dtype, outputs, *positions, depth, prologues.any))
    in_place = _Weight(Input(1), (0, outputs * whole, whole, 1), prologues)
    weight = in_place if flat or g.taps == 1 else _by_tap(Input(1), g, w, 1, prologues)
    strides = (_marked(x_stride), _marked(weight.strides))
    sizes = (x.shape[0], g.groups, channels, outputs, *g.sizes, *strides, *epilogue.arguments)
    grid = (dense.tiles(config["constexprs"], outputs, *positions), g.groups)
    operands = (Input(0), weight.operand, epilogue.operands, epilogue.targets)
    fixed = {**weight.prologues.constexprs, "EPILOGUE": epilogue.function, "FLAT": flat}
    launch = _launch(dense.forward, grid, operands, sizes, config, g.work, **fixed)
    return Plan(inputs, epilogue.outputs, [*weight.launches, launch], weight.workspaces)


def _is_flat(g: Geometry, facts: DeviceFacts) -> bool:
    """Whether input channels are reduced together with the taps."""
    few = facts.kind == "cpu" and g.taps > 1 and g.x_shape[0] * prod(g.out) < FEW_POSITIONS
    return g.channels[0] < FLAT_CHANNELS or few


def copies_weight(name: str, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> bool:
    """Whether conv2d or conv_data_grad lays out its weight by taps before, by a kernel that does what a prologue would."""
    data, w = inputs[:2]
    several = prod(w.shape[2:]) > 1
    return several and (name != "conv2d" or not _is_flat(Geometry(data.shape, w.shape, *attrs), facts_of(data.device)))


def is_dense(name: str, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> bool:
    """Whether a convolution or gradient is not depthwise: those take no prologues, and the weight's gradient no epilogue."""
    weight = attrs[0] if name == "conv_filter_grad" else inputs[1].shape
    return attrs[-1] == 1 or weight[1] > 1


class _Weight(NamedTuple):
    """A weight as a kernel reads it: where, its strides of (tap, group, row, reduced channel), and what it still has to do with
    operands; what lays it out so before."""

    operand: Address
    strides: Shape
    prologues: Prologues
    launches: tuple[Launch, ...] = ()
    workspaces: tuple[Any, ...] = ()


def _by_tap(operand: Address, g: Geometry, w: TensorMeta, reduced: int, prologues: Prologues) -> _Weight:
    """A copy in which the reduced channels (dimension 1, or 0 for the input gradient) of a tap are neighbours.

    Gathering them would cost more in every tile. The copy does what the prologue would.
    """
    inputs, outputs = g.channels
    shape = (g.groups, outputs, inputs, *g.w_shape[2:])
    step = contiguous_stride(shape)
    order = (3, 4, 0, 1, 2) if reduced == 1 else (3, 4, 0, 2, 1)
    view = TensorMeta.get(tuple([shape[d] for d in order]), tuple([step[d] for d in order]), w.dtype, w.device)
    copied = contiguous_meta(view.shape, prologues.dtype, w.device)
    move = copy(view, operand, copied, Workspace(0), prologues.b)
    return _Weight(Workspace(0), copied.stride[1:], prologues._replace(b=None), (move,), ((view.numel, prologues.dtype),))


def _depthwise_forward(g: Geometry, x: TensorMeta, epilogue: Epilogue) -> Launch:
    config = depthwise.config(facts_of(x.device), *g.out)
    tiles = depthwise.tiles(config["constexprs"], *g.out)
    sizes = (g.groups, g.channels[1], *g.plane_sizes, _marked(x.stride), *epilogue.arguments)
    grid = (x.shape[0] * g.w_shape[0], tiles)
    operands = (Input(0), Input(1), epilogue.operands, epilogue.targets)
    return _launch(depthwise.forward, grid, operands, sizes, config, EPILOGUE=epilogue.function, UNROLLED=g.unrolled)


def conv_data_grad(
    op: OpDef,
    inputs: tuple[TensorMeta, ...],
    attrs: tuple[Any, ...],
    epilogue: Epilogue | None = None,
    prologues: Prologues | None = None,
) -> Plan:
    """dx from (dy, weight); attributes: (shape of x, ...)."""
    dy, w = inputs
    shape, *rest = attrs
    g = Geometry(shape, w.shape, *rest)
    prologues = prologues or as_loaded(dy)
    dx = contiguous_meta(shape, prologues.dtype, dy.device)
    epilogue = epilogue or store_only(dx)
    inputs = (*inputs, *epilogue.inputs)
    inner, outer = g.channels
    phases = prod(g.stride)
    if g.is_depthwise:
        config = depthwise.config(facts_of(dy.device), *g.phase)
        grid = (shape[0] * shape[1], depthwise.tiles(config["constexprs"], *g.phase), phases)
        sizes: tuple[Any, ...] = (g.groups, outer, *g.plane_sizes, g.steps, *epilogue.arguments)
        operands: tuple[Operands, ...] = (Input(0), Input(1), epilogue.operands, epilogue.targets)
        fixed = {"EPILOGUE": epilogue.function, "UNROLLED": g.unrolled and outer == 1 and g.stride == (1, 1)}
        return Plan(inputs, epilogue.outputs, [_launch(depthwise.input_gradient, grid, operands, sizes, config, **fixed)])
    g, _ = g.flattened(dx.stride)
    positions = (shape[0] * g.phase[0], g.phase[1])
    facts = facts_of(dy.device)
    dtype = product_dtype(facts, prologues.dtype, "conv")
    config = choose(dense.tile_candidates(facts, dtype, inner, *positions, outer, prologues.any))
    weight = (
        _Weight(Input(1), (0, outer * inner, 1, inner), prologues) if g.taps == 1 else _by_tap(Input(1), g, w, 0, prologues)
    )
    grid = (dense.tiles(config["constexprs"], inner, *positions), g.groups, phases)
    sizes = (shape[0], g.groups, inner, outer, *g.sizes, g.steps, _marked(weight.strides), *epilogue.arguments)
    operands = (Input(0), weight.operand, epilogue.operands, epilogue.targets)
    fixed = {**weight.prologues.constexprs, "EPILOGUE": epilogue.function}
    launch = _launch(dense.input_gradient, grid, operands, sizes, config, g.work, **fixed)
    return Plan(inputs, epilogue.outputs, [*weight.launches, launch], weight.workspaces)


def conv_filter_grad(
    op: OpDef,
    inputs: tuple[TensorMeta, ...],
    attrs: tuple[Any, ...],
    epilogue: Epilogue | None = None,
    prologues: Prologues | None = None,
) -> Plan:
    """dw from (dy, x); attributes: (shape of w, ...)."""
    dy, x = inputs
    shape, *rest = attrs
    g = Geometry(x.shape, shape, *rest)
    prologues = prologues or as_loaded(dy)
    epilogue = epilogue or store_only(contiguous_meta(shape, prologues.dtype, dy.device))
    inputs = (*inputs, *epilogue.inputs)
    if g.is_depthwise:
        return Plan(inputs, epilogue.outputs, [_depthwise_filter_grad(g, x)])
    return _filter_grad(inputs, g, epilogue, prologues)


def _depthwise_filter_grad(g: Geometry, x: TensorMeta) -> Launch:
    config = depthwise.config(facts_of(x.device), *g.out)
    sizes: tuple[Any, ...] = (x.shape[0], g.groups, g.channels[1], *g.sizes, _marked(x.stride))
    return _launch(depthwise.weight_gradient, (g.w_shape[0] * g.taps,), (Input(0), Input(1), Output(0)), sizes, config)


def _filter_grad(inputs: tuple[TensorMeta, ...], g: Geometry, epilogue: Epilogue, prologues: Prologues) -> Plan:
    dy, x = inputs[:2]
    facts, shape, batch = facts_of(x.device), g.w_shape, x.shape[0]
    inner, outer = g.channels
    g, x_stride = g.flattened(x.stride)
    flat = inner < FLAT_CHANNELS
    columns = inner * g.taps if flat else inner
    dtype = product_dtype(facts, prologues.dtype, "conv")
    rule = dense.depth_config(facts, dtype, outer, columns, *g.out, prologues.any)
    config = choose(dense.depth_candidates(facts, dtype, outer, columns, rule, prologues.any))
    by_rule, tiles = (_tiles(each["constexprs"], outer, columns) * (1 if flat else g.taps) for each in (rule, config))
    image = prod(x.shape[1:]) + prod(dy.shape[1:]) if g.taps > 1 else 0
    splits = dense.splits_of_batch(facts, batch, by_rule * g.groups, prod(shape), image)
    per_split = max(-(-batch // splits), 1)
    splits = max(-(-batch // per_split), 1)
    part = TensorMeta.get((splits, *shape), contiguous_stride((splits, *shape)), prologues.dtype.compute, x.device)
    stored, targets = (epilogue, epilogue.targets) if splits == 1 else (store_only(part), (Workspace(0),))
    sizes = (batch, per_split, g.groups, inner, outer, *g.sizes, _marked(x_stride), *stored.arguments)
    fixed = {**prologues.constexprs, "EPILOGUE": stored.function, "FLAT": flat}
    operands, grid = (Input(0), Input(1), stored.operands, targets), (tiles, g.groups, splits)
    launch = _launch(dense.weight_gradient, grid, operands, sizes, config, g.work, **fixed)
    if splits == 1:
        return Plan(inputs, epilogue.outputs, [launch])
    matrix = product(shape[0], inner * g.taps, 0, (), ((), (), (inner * g.taps, 1)))
    launches = [launch, reduce_splits(matrix, splits, epilogue)]
    return Plan(inputs, epilogue.outputs, launches, [(part.numel, part.dtype)])


def filter_grad_loads(inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...], tile: int) -> tuple[int, int]:
    """How often conv_filter_grad loads each element of dy and of x, in tiles of so many rows and columns."""
    _, x = inputs
    g = Geometry(x.shape, *attrs)
    inner, outer = g.channels
    columns = -(-inner * g.taps // tile) if inner < FLAT_CHANNELS else -(-inner // tile) * g.taps
    return columns, -(-outer // tile) * g.taps


def _tiles(blocks: dict[str, Any], rows: int, columns: int) -> int:
    return -(-rows // blocks["BLOCK_M"]) * -(-columns // blocks["BLOCK_N"])
