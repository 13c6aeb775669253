"""Planners of batch normalisation over (n, channels, ...), in training and evaluation, and of its gradient."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from tritonflow.device.provider import facts_of
from tritonflow.dtypes import DType, float64
from tritonflow.framework.meta import TensorMeta, contiguous_meta
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.norm import Metas, compute_type
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.operands import Input, LaunchOperand, Operands, Output, Scalar, Workspace, optional
from tritonflow.ops.plan import Launch, Plan
from tritonflow.ops.scratch import Scratch

kernels = KernelModule("batch_norm")


class _Sizes:
    """The sizes and launch configurations that all kernels of one normalisation share."""

    def __init__(self, x: TensorMeta) -> None:
        self.batch, self.channels, self.spatial = x.shape[0], x.shape[1], prod(x.shape[2:])
        if x.is_channels_last:  # rows of channels
            self.batch, self.spatial = self.batch * self.spatial, 1
        facts = facts_of(x.device)
        self.config = kernels.config(facts, self.batch, self.channels, self.spatial)
        self.tile = self.config["tile"]
        self.compute = compute_type(x)
        self.statistic = contiguous_meta((self.channels,), self.compute, x.device)
        by_plane = self.tile["SPATIAL"]
        self.planes = self.batch * self.channels if by_plane else self.batch
        columns = self.spatial if by_plane else self.channels
        self.tiles = -(-self.planes // self.tile["ROWS"]) * -(-columns // self.tile["COLS"])
        programs = self.channels if by_plane else -(-self.channels // self.tile["COLS"])
        splits = kernels.splits_of_batch(facts, self.batch, programs)
        self.per_split = max(-(-self.batch // splits), 1)
        self.splits = max(-(-self.batch // self.per_split), 1)
        self.programs = (programs, self.splits)

    @property
    def batch_sizes(self) -> tuple[int, ...]:
        return (self.batch, self.per_split, self.channels, self.spatial)

    def scalar(self, number: int) -> Scalar:
        """A dynamic scalar."""
        return Scalar(number, self.compute)

    def over_tiles(self, kernel: Any, operands: Sequence[Operands], *more: int, **constexprs: Any) -> Launch:
        """A launch that visits every element."""
        sizes = (self.planes, self.channels, self.spatial, *more)
        warps = self.config["num_warps"]
        return Launch(kernel, (self.tiles,), operands, sizes, {**constexprs, **self.tile}, num_warps=warps)

    def over_parts(self, kernel: Any, operands: Sequence[Operands], **constexprs: Any) -> Launch:
        """A launch that reduces each part of the batch per channel."""
        warps = self.config["num_warps"]
        return Launch(kernel, self.programs, operands, self.batch_sizes, {**constexprs, **self.tile}, num_warps=warps)

    def over_channels(self, kernel: Any, operands: Sequence[Operands], sizes: tuple[int, ...]) -> Launch:
        """A launch with one lane per channel."""
        block = self.config["channels"]
        return Launch(kernel, (-(-self.channels // block["BLOCK"]),), operands, sizes, block, num_warps=1)

    def over_splits(self, kernel: Any, operands: Sequence[Operands], sizes: tuple[int, ...]) -> Launch:
        """A launch that merges the splits of the batch by channel."""
        blocks = self.config["merging"]
        warps = self.config["num_warps"] if blocks["PARTS"] else 1
        return Launch(kernel, (-(-self.channels // blocks["BLOCK"]),), operands, sizes, blocks, num_warps=warps)

    def statistics(self, results: tuple[Output, Output], running: tuple[Operands, Operands]) -> list[Launch]:
        """The launches that compute mean and rstd of x (input 0), and move the running statistics."""
        operands = (Workspace(0), Workspace(1), *results, *running, self.scalar(1), self.scalar(0))
        return [
            self.over_parts(kernels.statistics, (Input(0), Workspace(0), Workspace(1)), FOLD=self.config["fold"]),
            self.over_splits(kernels.finish_statistics, operands, (*self.batch_sizes, self.splits)),
        ]

    def gradient_sums(self, dy: LaunchOperand, dweight: Output, dbias: Output) -> list[Launch]:
        """The launches that compute the sums of (dy, x, mean, rstd), into workspace 1, too."""
        operands = (Workspace(0), Workspace(1), (dweight,), (dbias,))
        return [
            self.over_parts(kernels.gradient_sums, (dy, Input(1), Input(2), Input(3), Workspace(0))),
            self.over_splits(kernels.finish_gradient_sums, operands, (self.channels, self.splits)),
        ]

    @property
    def statistics_parts(self) -> list[tuple[int, DType]]:
        """The workspaces of `statistics`."""
        return [(self.splits * self.channels, float64)] * 2

    @property
    def gradient_parts(self) -> list[tuple[int, DType]]:
        """The workspaces of `gradient_sums`."""
        return [(2 * self.splits * self.channels, self.compute), (2 * self.channels, self.compute)]


def batch_norm(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """(y, mean, rstd) from (x, weight, bias, running mean, running variance); the last two are moved by `momentum`."""
    x, weight, bias, running_mean, running_var = inputs
    assert x is not None
    s = _Sizes(x)
    running = (optional(running_mean, Input(3)), optional(running_var, Input(4)))
    affine = (optional(weight, Input(1)), optional(bias, Input(2)))
    normalize = s.over_tiles(kernels.normalize, (Input(0), Output(1), Output(2), *affine, Output(0)))
    launches = [*s.statistics((Output(1), Output(2)), running), normalize]
    return Plan(inputs, (x, s.statistic, s.statistic), launches, s.statistics_parts)


def batch_norm_statistics(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """(mean, rstd) from (x, running mean, running variance), as the first part of `batch_norm`."""
    x, running_mean, running_var = inputs
    assert x is not None
    s = _Sizes(x)
    launches = s.statistics((Output(0), Output(1)), (optional(running_mean, Input(1)), optional(running_var, Input(2))))
    return Plan(inputs, (s.statistic, s.statistic), launches, s.statistics_parts)


def batch_norm_eval(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """(y, rstd) from (x, weight, bias, running mean, running variance)."""
    x, weight, bias, _, _ = inputs
    assert x is not None
    s = _Sizes(x)
    affine = (optional(weight, Input(1)), optional(bias, Input(2)))
    launches = [
        s.over_channels(kernels.reciprocal_deviation, (Input(4), Output(1), s.scalar(0)), (s.channels,)),
        s.over_tiles(kernels.normalize, (Input(0), Input(3), Output(1), *affine, Output(0))),
    ]
    return Plan(inputs, (x, s.statistic), launches)


def batch_norm_grad(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """(dx, dweight, dbias) from (dy, x, mean, rstd, weight); attributes: (training,)."""
    dy, x, _, _, weight = inputs
    (training,) = attrs
    assert dy is not None and x is not None
    s, scratch = _Sizes(x), Scratch()
    scratch.workspaces += s.gradient_parts
    gradient = scratch.like(x, dy, Input(0))
    parameter = s.statistic if weight is None else weight
    more = {"TRAINING": training}
    launches = [
        *scratch.launches,
        *s.gradient_sums(gradient, Output(1), Output(2)),
        s.over_tiles(
            kernels.input_gradient,
            (gradient, Input(1), Input(2), Input(3), optional(weight, Input(4)), Workspace(1), Output(0)),
            s.batch * s.spatial,
            **more,
        ),
    ]
    return Plan(inputs, (x, parameter, parameter), launches, scratch.workspaces)


def batch_norm_sums(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """(dweight, dbias) from (dy, x, mean, rstd), as the first part of `batch_norm_grad`."""
    x = inputs[1]
    assert x is not None
    s = _Sizes(x)
    return Plan(inputs, (s.statistic, s.statistic), s.gradient_sums(Input(0), Output(0), Output(1)), s.gradient_parts)
