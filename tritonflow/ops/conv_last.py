"""Planner of dense convolution of channels-last images on a CPU."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from tritonflow.device.provider import facts_of
from tritonflow.framework.meta import TensorMeta, contiguous_meta
from tritonflow.kernels.facts import DeviceFacts
from tritonflow.ops import conv_windows
from tritonflow.ops.copy import copy, zeros
from tritonflow.ops.epilogue import Epilogue
from tritonflow.ops.geometry import Geometry, strides
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.operands import Input, LaunchOperand, Operands
from tritonflow.ops.panels import in_panels
from tritonflow.ops.plan import Launch, Plan
from tritonflow.ops.prologue import Prologues
from tritonflow.ops.scratch import Scratch

kernels = KernelModule("conv_last")
rules = KernelModule("matmul_panels")

LEAST_CHANNELS = 16  # of a group: fewer are too short a run, unless no windows can be taken


def takes_last(facts: DeviceFacts, g: Geometry, dtype: str) -> bool:
    """Whether the kernel computes such a convolution of channels-last images."""
    long = g.channels[0] >= LEAST_CHANNELS or g.groups == 1 and g.w_shape[3] == 1
    return facts.kind == "cpu" and dtype == "fp32" and not g.is_depthwise and long


def takes_windows(facts: DeviceFacts, g: Geometry, dtype: str) -> bool:
    """Whether it computes one of few channels, by a copy of images that lie in any way."""
    return facts.kind == "cpu" and dtype == "fp32" and g.channels[0] < LEAST_CHANNELS and conv_windows.takes_windows(g)


def forward(
    inputs: Sequence[TensorMeta | None], g: Geometry, is_last: bool, epilogue: Epilogue, prologues: Prologues
) -> Plan:
    """y from (x, weight, ...), both images channels-last; x in any way where its windows are taken. `is_last`: y counts as such."""
    x, w = inputs[:2]
    assert x is not None and w is not None
    scratch, facts = Scratch(), facts_of(x.device)
    shape = (g.groups, g.channels[1], *g.w_shape[2:], g.channels[0])
    o, i, row, column = w.stride
    panel, steps = rules.panel(facts), (g.channels[1] * o, o, row, column, i)
    weight = in_panels(scratch, Input(1), w, shape, steps, panel, prologues.dtype, prologues.b)
    images: LaunchOperand = Input(0)
    n, c, h, v = x.shape
    x_strides: tuple[int, ...] = (c * h * v, c * v, c)
    if takes_windows(facts, g, "fp32"):
        images, g, x_strides = _windows(scratch, x, g, prologues)
        prologues = prologues._replace(a=None)
    channels, outputs = g.channels
    blocks = rules.config(facts, channels, outputs, channels * outputs * g.taps)
    plain = g.taps == 1 and g.stride == (1, 1) and g.padding == (0, 0) and images == Input(0)
    positions = n * prod(g.out)
    operands: tuple[Operands, ...] = (images, weight, epilogue.operands, epilogue.targets)
    sizes = (strides(x_strides), positions, g.groups, channels, outputs, *g.sizes, *epilogue.arguments)
    fixed = {"PROLOGUE": prologues.a, "EPILOGUE": epilogue.function, "PLAIN": plain, "LAST": is_last, **blocks}
    grid = (rules.tiles(blocks, positions, outputs), g.groups)
    launch = Launch(kernels.forward, grid, operands, sizes, fixed, num_warps=1, num_stages=1, work=g.work)
    return Plan(tuple(inputs), epilogue.outputs, [*scratch.launches, launch], scratch.workspaces)


def _windows(
    scratch: Scratch, x: TensorMeta, g: Geometry, prologues: Prologues
) -> tuple[LaunchOperand, Geometry, tuple[int, ...]]:
    """Images with zeros around them, the convolution whose pixels are the windows under a row of taps, and their strides."""
    (n, c, h, v), (up, left) = x.shape, g.padding
    height, width = h + 2 * up, v + 2 * left
    steps = (height * width * c, width * c, c)
    framed = contiguous_meta((n, height, width, c), prologues.dtype, x.device)
    target = scratch.memory(framed.numel, framed.dtype)
    scratch.launches.append(zeros(framed, target))
    image, channel, row, column = x.stride
    view = TensorMeta.get((n, h, v, c), (image, row, column, channel), x.dtype, x.device)
    inside = TensorMeta.get(view.shape, framed.stride, framed.dtype, framed.device)
    first = (up * width + left) * c * framed.dtype.itemsize
    scratch.launches.append(copy(view, Input(0), inside, target.plus(first), prologues.a))
    outputs, _, rows, columns = g.w_shape
    seen = replace(
        g, x_shape=(n, columns * c, height, g.out[1]), w_shape=(outputs, columns * c, rows, 1), stride=(g.stride[0], 1),
        padding=(0, 0), dilation=(g.dilation[0], 1),
    )  # fmt: skip
    return target, seen, (*steps[:2], g.stride[1] * c)
