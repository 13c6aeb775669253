"""Copies that a plan makes of its operands, in workspaces, because its kernel wants another layout."""

from __future__ import annotations

from typing import Any

from tritonflow.dtypes import DType
from tritonflow.framework.meta import TensorMeta, contiguous_meta
from tritonflow.ops.copy import copy
from tritonflow.ops.images import channels_last
from tritonflow.ops.operands import LaunchOperand, Workspace
from tritonflow.ops.plan import Launch

LINE = 64  # elements of a half: 128 bytes


class Scratch:
    """What a plan computes in front of its kernel: copies of operands, in workspaces."""

    def __init__(self) -> None:
        self.launches: list[Launch] = []
        self.workspaces: list[tuple[int, DType]] = []

    def memory(self, elements: int, dtype: DType) -> Workspace:
        """Another workspace."""
        self.workspaces.append((elements, dtype))
        return Workspace(len(self.workspaces) - 1)

    def copy(
        self, view: TensorMeta, operand: LaunchOperand, dtype: DType, function: Any
    ) -> tuple[Workspace, TensorMeta]:
        """A contiguous copy of a view of an operand. It does what a prologue would."""
        copied = contiguous_meta(view.shape, dtype, view.device)
        target = self.memory(view.numel, dtype)
        self.copy_into(view, operand, copied, target, 0, function)
        return target, copied

    def copy_into(
        self, view: TensorMeta, operand: LaunchOperand, copied: TensorMeta, target: Workspace, first: int, function: Any
    ) -> None:
        """A copy of a view of an operand, laid out as `copied`, from an element of a workspace on."""
        self._lay_out(copy(view, operand, copied, target.plus(first * copied.dtype.itemsize), function), target)

    def copy_to(self, matrix: TensorMeta, operand: LaunchOperand, copied: TensorMeta) -> Workspace:
        """A copy of a matrix, laid out as `padded` says."""
        target = self.memory(max(n * step for n, step in zip(copied.shape, copied.stride)), copied.dtype)
        x, y = (matrix, copied) if copied.stride[1] == 1 else (_turned(matrix), _turned(copied))
        self._lay_out(copy(x, operand, y, target), target)
        return target

    def _lay_out(self, launch: Launch, target: Workspace) -> None:
        launch.lays_out = target.number
        self.launches.append(launch)

    def contiguous(self, x: TensorMeta, operand: LaunchOperand) -> LaunchOperand:
        """Images as a kernel reads them that takes contiguous ones alone."""
        return operand if x.is_contiguous else self.copy(x, operand, x.dtype, None)[0]

    def like(self, images: TensorMeta, x: TensorMeta, operand: LaunchOperand) -> LaunchOperand:
        """x as a kernel reads it that takes it laid out as other images are: contiguous, or channels-last."""
        if not images.is_channels_last:
            return self.contiguous(x, operand)
        return operand if x.is_channels_last else self.channels_last(x, operand, x.dtype, None)[0]

    def channels_last(
        self, x: TensorMeta, operand: LaunchOperand, dtype: DType, function: Any
    ) -> tuple[Workspace, TensorMeta]:
        """A copy of images whose channels are neighbours."""
        n, c, h, w = x.shape
        image, channel, row, column = x.stride
        view = TensorMeta.get((n, h, w, c), (image, row, column, channel), x.dtype, x.device)
        target, _ = self.copy(view, operand, dtype, function)
        return target, channels_last(x, dtype)


def padded(matrix: TensorMeta) -> TensorMeta:
    """A matrix whose rows, or whose columns where these run on in memory, begin at whole lines of a cache."""
    along = matrix.stride.index(1)
    length = -(-matrix.shape[along] // LINE) * LINE
    stride = (1, length) if along == 0 else (length, 1)
    return TensorMeta.get(matrix.shape, stride, matrix.dtype, matrix.device)


def _turned(x: TensorMeta) -> TensorMeta:
    """A matrix whose rows are columns."""
    return TensorMeta.get(x.shape[::-1], x.stride[::-1], x.dtype, x.device)
