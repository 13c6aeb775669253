"""Planners of 2-d convolution and of its two gradients, dense or depthwise, by the shape of the weight.

Static attributes of all three: (stride, padding, dilation, groups), pairs but for the last; the gradients have the
shape of their result before them.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

from tritonflow.dtypes import float32, float64
from tritonflow.framework.meta import Shape, TensorMeta, contiguous_meta
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.plan import Launch, Plan
from tritonflow.ops.plan import stride as marked

dense = KernelModule("conv")
depthwise = KernelModule("depthwise")
products = KernelModule("matmul")

FLAT_CHANNELS = 16  # fewer input channels than a block of the reduction are reduced together with the taps
Pair = tuple[int, int]


def _marked(values: Shape) -> tuple[marked, ...]:
    return tuple([marked(v) for v in values])


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
        return (*shapes, _marked(self.stride), self.padding, _marked(self.dilation))

    @property
    def steps(self) -> tuple[marked, ...]:
        """Distances of taps in the input gradient."""
        return _marked(tuple([dense.tap_step(s, d) for s, d in zip(self.stride, self.dilation)]))

    @property
    def phase_positions(self) -> int:
        """Positions of one image in one phase of the input gradient."""
        return prod(-(-size // step) for size, step in zip(self.x_shape[2:], self.stride))


def conv2d(op: OpDef, inputs: tuple[TensorMeta | None, ...], attrs: tuple[Any, ...]) -> Plan:
    """y from (x, weight, bias)."""
    x, w, bias = inputs
    assert x is not None and w is not None
    g = Geometry(x.shape, w.shape, *attrs)
    y = contiguous_meta(g.y_shape, x.dtype, x.device)
    if bias is None:
        extras: tuple[Any, ...] = ((), (), products.identity)
    else:
        extras = (("i2",), ((marked(0), marked(1), marked(0)),), products.add_bias)
    launch = _depthwise_forward(g, x, extras) if g.is_depthwise else _forward(g, x, extras)
    return Plan(inputs, (y,), [launch])


def _tiles(blocks: dict[str, Any], rows: int, columns: int) -> int:
    return -(-rows // blocks["BLOCK_M"]) * -(-columns // blocks["BLOCK_N"])


def _launch(kernel: Any, grid: Shape, pointers: Any, sizes: Any, config: dict[str, Any], **constexprs: Any) -> Launch:
    options = {key: config[key] for key in ("num_warps", "num_stages")}
    return Launch(kernel, grid, pointers, sizes, {**constexprs, **config["constexprs"]}, **options)


def _forward(g: Geometry, x: TensorMeta, extras: tuple[Any, ...]) -> Launch:
    inputs, outputs = g.channels
    flat = inputs < FLAT_CHANNELS
    depth = inputs * prod(g.w_shape[2:]) if flat else inputs
    positions = x.shape[0] * prod(g.out)
    config = dense.config(x.device.type, x.dtype.triton, outputs, positions, depth)
    pointers, extra_strides, epilogue = extras
    sizes = (x.shape[0], g.groups, inputs, outputs, *g.sizes, _marked(x.stride), extra_strides)
    grid = (_tiles(config["constexprs"], outputs, positions), g.groups)
    return _launch(dense.forward, grid, ("i0", "i1", pointers, "o0"), sizes, config, EPILOGUE=epilogue, FLAT=flat)


def _depthwise_forward(g: Geometry, x: TensorMeta, extras: tuple[Any, ...]) -> Launch:
    config = depthwise.config(x.device.type, prod(g.out))
    pointers, extra_strides, epilogue = extras
    tiles = -(-prod(g.out) // config["constexprs"]["BLOCK"])
    sizes = (g.groups, g.channels[1], *g.sizes, _marked(x.stride), extra_strides)
    grid = (x.shape[0] * g.w_shape[0], tiles)
    return _launch(depthwise.forward, grid, ("i0", "i1", pointers, "o0"), sizes, config, EPILOGUE=epilogue)


def conv_data_grad(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """dx from (dy, weight); attributes: (shape of x, ...)."""
    dy, w = inputs
    shape, *rest = attrs
    g = Geometry(shape, w.shape, *rest)
    dx = contiguous_meta(shape, dy.dtype, dy.device)
    inner, outer = g.channels
    phases = prod(g.stride)
    if g.is_depthwise:
        config = depthwise.config(dy.device.type, g.phase_positions)
        grid = (shape[0] * shape[1], -(-g.phase_positions // config["constexprs"]["BLOCK"]), phases)
        sizes: tuple[Any, ...] = (g.groups, outer, *g.sizes, g.steps)
        return Plan(inputs, (dx,), [_launch(depthwise.input_gradient, grid, ("i0", "i1", "o0"), sizes, config)])
    positions = shape[0] * g.phase_positions
    config = dense.config(dy.device.type, dy.dtype.triton, inner, positions, outer)
    grid = (_tiles(config["constexprs"], inner, positions), g.groups, phases)
    sizes = (shape[0], g.groups, inner, outer, *g.sizes, g.steps)
    return Plan(inputs, (dx,), [_launch(dense.input_gradient, grid, ("i0", "i1", "o0"), sizes, config)])


def conv_filter_grad(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """dw from (dy, x); attributes: (shape of w, ...)."""
    dy, x = inputs
    shape, *rest = attrs
    g = Geometry(x.shape, shape, *rest)
    dw = contiguous_meta(shape, dy.dtype, dy.device)
    batch, taps = x.shape[0], prod(shape[2:])
    inner, outer = g.channels
    if g.is_depthwise:
        config = depthwise.config(dy.device.type, prod(g.out))
        sizes: tuple[Any, ...] = (batch, g.groups, outer, *g.sizes, _marked(x.stride))
        launch = _launch(depthwise.weight_gradient, (shape[0], taps), ("i0", "i1", "o0"), sizes, config)
        return Plan(inputs, (dw,), [launch])
    columns = inner * taps
    config = dense.config(dy.device.type, dy.dtype.triton, outer, columns, prod(g.out))
    tiles = _tiles(config["constexprs"], outer, columns)
    splits = dense.splits_of_batch(dy.device.type, batch, tiles * g.groups)
    per_split = max(-(-batch // splits), 1)
    splits = max(-(-batch // per_split), 1)
    sizes = (batch, per_split, g.groups, inner, outer, *g.sizes, _marked(x.stride))
    target = "o0" if splits == 1 else "w0"
    launches = [_launch(dense.weight_gradient, (tiles, g.groups, splits), ("i0", "i1", target), sizes, config)]
    if splits == 1:
        return Plan(inputs, (dw,), launches)
    launches.append(_sum_of_parts(splits, shape[0], columns))
    return Plan(inputs, (dw,), launches, [(splits * dw.numel, float64 if dy.dtype is float64 else float32)])


def _sum_of_parts(splits: int, rows: int, columns: int) -> Launch:
    blocks = {"EPILOGUE": products.identity, "BLOCK_M": 16, "BLOCK_N": 64}
    sizes = (splits, rows * columns, rows, columns, (columns, marked(1)), ())
    grid = (-(-rows // 16), -(-columns // 64))
    return Launch(products.reduce_splits, grid, ("w0", (), "o0"), sizes, blocks, num_warps=4)
