"""Planners of depthwise convolution and of its two gradients, of contiguous images and of channels-last ones."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from tritonflow.device.provider import facts_of
from tritonflow.framework.meta import TensorMeta
from tritonflow.kernels.facts import DeviceFacts
from tritonflow.ops.epilogue import Epilogue
from tritonflow.ops.geometry import Geometry, strides
from tritonflow.ops.images import channels_last
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.matmul import product, reduce_splits
from tritonflow.ops.operands import Input, LaunchOperand, Operands, Output
from tritonflow.ops.plan import Launch, Plan, constant
from tritonflow.ops.scratch import Scratch

planes = KernelModule("depthwise")
last = KernelModule("depthwise_last")
rows = KernelModule("depthwise_rows")

Metas = tuple[TensorMeta | None, ...]


def forward(inputs: Metas, g: Geometry, is_last: bool, epilogue: Epilogue) -> Plan:
    """y from (x, weight, ...); `is_last`: y is channels-last."""
    x, w = inputs[:2]
    assert x is not None and w is not None
    scratch = Scratch()
    if is_last:
        operands = (_as_last(scratch, x, Input(0)), _by_tap(scratch, w), epilogue.operands, epilogue.targets)
        if facts_of(x.device).kind == "cpu":
            launch = _rows_launch(g, facts_of(x.device), operands, epilogue)
        else:
            sizes = (g.y_shape[1], _known(g.channels[1]), *g.plane_sizes, *epilogue.arguments)
            fixed = {"EPILOGUE": epilogue.function, "UNROLLED": g.unrolled}
            launch = _last_launch(last.forward_last, g.y_shape, x, operands, sizes, **fixed)
        return Plan(inputs, epilogue.outputs, [*scratch.launches, launch], scratch.workspaces)
    config = planes.config(facts_of(x.device), *g.out)
    tiles = planes.tiles(config["constexprs"], *g.out)
    sizes = (g.groups, g.channels[1], *g.plane_sizes, strides(x.stride), *epilogue.arguments)
    grid = (x.shape[0] * g.w_shape[0], tiles)
    operands = (Input(0), Input(1), epilogue.operands, epilogue.targets)
    fixed = {"EPILOGUE": epilogue.function, "UNROLLED": g.unrolled}
    return Plan(inputs, epilogue.outputs, [_launch(planes.forward, grid, operands, sizes, config, **fixed)])


def input_gradient(inputs: Metas, g: Geometry, is_last: bool, epilogue: Epilogue) -> Plan:
    """dx from (dy, weight, ...); `is_last`: dx is channels-last."""
    dy, w = inputs[:2]
    assert dy is not None and w is not None
    scratch, outer = Scratch(), g.channels[1]
    if is_last:
        operands = (_as_last(scratch, dy, Input(0)), _by_tap(scratch, w), epilogue.operands, epilogue.targets)
        unrolled = g.unrolled and outer == 1
        known = (_known(outer), *g.plane_sizes) if unrolled else (outer, *g.sizes)
        sizes: tuple[Any, ...] = (g.x_shape[1], *known, *epilogue.arguments)
        fixed = {"EPILOGUE": epilogue.function, "UNROLLED": unrolled}
        scratch.launches.append(_last_launch(last.input_gradient_last, g.x_shape, dy, operands, sizes, **fixed))
        return Plan(inputs, epilogue.outputs, scratch.launches, scratch.workspaces)
    config = planes.config(facts_of(dy.device), *g.phase)
    grid = (prod(g.x_shape[:2]), planes.tiles(config["constexprs"], *g.phase), prod(g.stride))
    sizes = (g.groups, outer, *g.plane_sizes, g.steps, *epilogue.arguments)
    operands = (scratch.contiguous(dy, Input(0)), Input(1), epilogue.operands, epilogue.targets)
    fixed = {"EPILOGUE": epilogue.function, "UNROLLED": g.unrolled and outer == 1 and g.stride == (1, 1)}
    launch = _launch(planes.input_gradient, grid, operands, sizes, config, **fixed)
    return Plan(inputs, epilogue.outputs, [*scratch.launches, launch], scratch.workspaces)


def filter_gradient(inputs: Metas, g: Geometry, epilogue: Epilogue) -> Plan:
    """dw from (dy, x, ...); from channels-last images where dy is channels-last."""
    dy, x = inputs[:2]
    assert dy is not None and x is not None
    scratch = Scratch()
    if dy.is_channels_last:
        return _filter_gradient_last(inputs, g, dy, x, scratch, epilogue)
    config = planes.config(facts_of(x.device), *g.out)
    sizes: tuple[Any, ...] = (x.shape[0], g.groups, g.channels[1], *g.sizes, strides(x.stride))
    operands = (scratch.contiguous(dy, Input(0)), Input(1), Output(0))
    launch = _launch(planes.weight_gradient, (g.w_shape[0] * g.taps,), operands, sizes, config)
    return Plan(inputs, epilogue.outputs, [*scratch.launches, launch], scratch.workspaces)


def _filter_gradient_last(
    inputs: Metas, g: Geometry, dy: TensorMeta, x: TensorMeta, scratch: Scratch, epilogue: Epilogue
) -> Plan:
    facts, channels = facts_of(x.device), g.w_shape[0]
    positions = dy.shape[0] * prod(g.out)
    config, _ = last.config(facts, positions, channels)
    blocks = config["constexprs"]
    programs = -(-channels // blocks["COLS"]) * g.taps
    per_split = max(-(-positions // last.splits(facts, positions, programs, blocks["ROWS"])), 1)
    per_split = -(-per_split // blocks["ROWS"]) * blocks["ROWS"]
    splits = max(-(-positions // per_split), 1)
    images = _as_last(scratch, x, Input(1))
    made = Output(0) if splits == 1 else scratch.memory(splits * prod(g.w_shape), x.dtype.compute)
    sizes = (positions, per_split, channels, _known(g.channels[1]), *g.plane_sizes)
    kernel = last.weight_gradient_last
    launches = [*scratch.launches, _launch(kernel, (programs, splits), (Input(0), images, made), sizes, config)]
    if not isinstance(made, Output):
        matrix = product(channels, g.taps, 0, (), ((), (), (g.taps, 1)))
        launches.append(reduce_splits(matrix, splits, epilogue, made))
    return Plan(inputs, epilogue.outputs, launches, scratch.workspaces)


def _as_last(scratch: Scratch, x: TensorMeta, operand: Input) -> LaunchOperand:
    """Images as a kernel reads them whose channels are neighbours. Those of one channel, or one pixel, lie so as they are."""
    alike = x.is_channels_last or (x.is_contiguous and not channels_last(x).is_channels_last)
    return operand if alike else scratch.channels_last(x, operand, x.dtype, None)[0]


def _by_tap(scratch: Scratch, w: TensorMeta) -> LaunchOperand:
    """A copy of the weight in which the channels of a tap are neighbours."""
    view = TensorMeta.get((*w.shape[2:], w.shape[0]), (*w.stride[2:], w.stride[0]), w.dtype, w.device)
    return scratch.copy(view, Input(1), w.dtype, None)[0]


def _known(multiplier: int) -> Any:
    """A number that the kernel knows if it is 1: it does not divide then."""
    return constant(1) if multiplier == 1 else multiplier


def _rows_launch(g: Geometry, facts: DeviceFacts, operands: Sequence[Operands], epilogue: Epilogue) -> Launch:
    """A launch that computes channels-last images by rows; its kernel knows how many taps there are."""
    n, channels, height, _ = g.y_shape
    config, tiles = rows.config(facts, n * height, channels)
    image, taps, *rest = g.sizes
    sizes = (channels, _known(g.channels[1]), image, tuple([constant(k) for k in taps]), *rest, *epilogue.arguments)
    return _launch(rows.forward_rows, (tiles,), operands, sizes, config, EPILOGUE=epilogue.function, SMALL=g.unrolled)


def _last_launch(
    kernel: Any, shape: Sequence[int], like: TensorMeta, operands: Sequence[Operands], sizes: Any, **fixed: Any
) -> Launch:
    """A launch that computes channels-last images of a shape."""
    (n, channels, height, width), facts = shape, facts_of(like.device)
    positions = n * height * width
    config, tiles = last.config(facts, positions, channels)
    return _launch(kernel, (tiles,), operands, (positions, *sizes), config, SPREAD=facts.kind == "gpu", **fixed)


def _launch(
    kernel: Any, grid: tuple[int, ...], operands: Sequence[Operands], sizes: Any, config: dict[str, Any], **fixed: Any
) -> Launch:
    options = {key: config[key] for key in ("num_warps", "num_stages")}
    return Launch(kernel, grid, operands, sizes, {**fixed, **config["constexprs"]}, **options)
