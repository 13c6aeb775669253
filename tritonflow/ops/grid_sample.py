"""Planners of grid_sample and its gradients, over images whose pixels are one dimension (kernels/grid_sample.py)."""

from __future__ import annotations

from math import prod
from typing import Any

from tritonflow.device.provider import facts_of
from tritonflow.dtypes import float32
from tritonflow.framework.meta import TensorMeta, contiguous_meta
from tritonflow.ops.copy import copy, zeros
from tritonflow.ops.elementwise import launch as elementwise_launch
from tritonflow.ops.elementwise import scalar_function
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.operands import Input, Output
from tritonflow.ops.plan import Launch, Plan, constant
from tritonflow.ops.scratch import Scratch

kernels = KernelModule("grid_sample")

Attrs = tuple[Any, ...]
Metas = tuple[TensorMeta, ...]


def _constexprs(attrs: Attrs) -> dict[str, Any]:
    _, mode, padding, aligned, _ = attrs
    return {"TAPS": kernels.TAPS[mode], "MODE": mode, "PADDING": padding, "ALIGNED": aligned}


def _image(attrs: Attrs) -> tuple[Any, ...]:
    """(sizes of the image, orders), the last arguments of the kernels."""
    image, *_, orders = attrs
    return image, tuple([constant(order) for order in orders])


def _tiles(grid: TensorMeta, fixed: dict[str, Any]) -> tuple[dict[str, Any], int, int]:
    """Constexprs, warps and the number of tiles of points, over all images."""
    config = kernels.config(facts_of(grid.device), fixed["TAPS"] ** grid.shape[2])
    tiles = grid.shape[0] * -(-grid.shape[1] // config["constexprs"]["BLOCK"])
    return {**fixed, **config["constexprs"]}, config["num_warps"], tiles


def grid_sample(op: OpDef, inputs: Metas, attrs: Attrs) -> Plan:
    """Images seen at points, (n, c, points); attributes: (image, mode, padding, aligned, orders of derivatives)."""
    x, grid = inputs
    n, c, _ = x.shape
    y = contiguous_meta((n, c, grid.shape[1]), x.dtype, x.device)
    fixed, warps, tiles = _tiles(grid, _constexprs(attrs))
    groups = kernels.channel_groups(facts_of(x.device), tiles, c)
    sizes = (c, grid.shape[1], groups, *_image(attrs))
    operands = (*Input.several(2), Output(0))
    return Plan(inputs, (y,), [Launch(kernels.sample, (tiles * groups,), operands, sizes, fixed, num_warps=warps)])


def grid_sample_slopes(op: OpDef, inputs: Metas, attrs: Attrs) -> Plan:
    """The gradient of the grid, from (dy, x, grid); attributes as above."""
    _, x, grid = inputs
    if attrs[1] == "nearest":
        return Plan(inputs, (grid.contiguous(),), [zeros(grid.contiguous())])
    fixed, warps, tiles = _tiles(grid, _constexprs(attrs))
    operands = (*Input.several(3), Output(0))
    sizes = (x.shape[1], grid.shape[1], *_image(attrs))
    return Plan(inputs, (grid.contiguous(),), [Launch(kernels.slopes, (tiles,), operands, sizes, fixed, num_warps=warps)])


def grid_sample_spread(op: OpDef, inputs: Metas, attrs: Attrs) -> Plan:
    """The gradient of the images, from (dy, grid): added up channels-last, then laid out; attributes as above."""
    dy, image = inputs[0], attrs[0]
    n, c, points = dy.shape
    area = prod(image)
    dx = contiguous_meta((n, c, area), dy.dtype, dy.device)
    if not dx.numel:
        return Plan(inputs, (dx,), [])
    scratch = Scratch()
    exact = float32 if dy.dtype.itemsize == 2 else dy.dtype
    turned = TensorMeta.get((n, points, c), (c * points, 1, points), dy.dtype, dy.device)
    gradients, _ = scratch.copy(turned, Input(0), dy.dtype, None)
    sums = scratch.memory(dx.numel, exact)
    zeroed = contiguous_meta((n, area, c), exact, dy.device)
    zero = scalar_function("arithmetic.zero")
    scratch.launches.append(elementwise_launch(zero, exact, zeroed.shape, (zeroed,), (zeroed,), (sums,), (sums,)))
    config, groups, bands = kernels.spread_config(facts_of(dy.device), n, c, area)
    fixed = {**_constexprs(attrs), **config["constexprs"]}
    operands = (gradients, Input(1), sums)
    sizes = (c, points, groups, bands, *_image(attrs))
    scratch.launches.append(
        Launch(kernels.spread, (n * groups * bands,), operands, sizes, fixed, num_warps=config["num_warps"])
    )
    laid_out = TensorMeta.get(dx.shape, (area * c, 1, c), exact, dy.device)
    return Plan(inputs, (dx,), [*scratch.launches, copy(laid_out, sums, dx, Output(0))], scratch.workspaces)
