"""Planners of the cross entropy of a linear map: chunks of rows, whose logits a workspace holds, one chunk after the other.

    logits = x[chunk] @ weight^T + bias           a product, float32 for half types
    losses, and gradients over the logits         kernels/linear_loss.py
    d_x[chunk] = gradients @ weight               products and sums, as far as they are wanted
    d_weight += gradients^T @ x[chunk]
    d_bias += the columns' sums
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from tritonflow.device.provider import facts_of
from tritonflow.dtypes import DType, float32, float64
from tritonflow.framework.meta import TensorMeta, contiguous_meta
from tritonflow.framework.size_questions import decided
from tritonflow.ops.epilogue import Epilogue, store_only
from tritonflow.ops.epilogue import kernels as epilogues
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.loss import OUT_OF_BOUNDS, sized_message
from tritonflow.ops.loss import kernels as loss_kernels
from tritonflow.ops.matmul import product, product_launches
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.operands import ERROR_WORD, Input, LaunchOperand, Output, Scalar, Workspace, optional
from tritonflow.ops.plan import Launch, Plan
from tritonflow.ops.precision import product_dtype
from tritonflow.ops.prologue import as_loaded
from tritonflow.ops.scratch import Scratch

Metas = tuple[TensorMeta | None, ...]

kernels = KernelModule("linear_loss")
row_kernels = KernelModule("rows")

LINE = 64  # elements: a row of logits begins at a whole line of a cache


class Flags(NamedTuple):
    """What a row's loss has beside the cross entropy."""

    smooth: bool
    capped: bool
    squared: bool


class _Operands(NamedTuple):
    """Where the tensors of a call are; `dout` and `weight` are empty where they are absent."""

    dout: tuple[LaunchOperand, ...]
    x: Input
    linear_weight: Input
    target: Input
    bias: tuple[Input, ...]
    weight: tuple[LaunchOperand, ...]


class _Chunks:
    """The launches of a call, and their workspaces."""

    def __init__(self, inputs: Metas, at: _Operands, ignore_index: int, flags: Flags) -> None:
        x, linear_weight = inputs[at.x.number], inputs[at.linear_weight.number]
        assert x is not None and linear_weight is not None
        self.x, self.linear_weight, self.at, self.flags = x, linear_weight, at, flags
        self.bias = inputs[at.bias[0].number] if at.bias else None
        self.ignore_index = ignore_index
        (self.rows, self.depth), self.cols = x.shape, linear_weight.shape[0]
        self.compute: DType = float64 if x.dtype is float64 else float32
        self.facts = facts_of(x.device)
        self.kind = product_dtype(self.facts, x.dtype, "matmul")
        most = kernels.chunk_rows(self.facts, self.rows)
        self.count = decided("chunks of rows", (self.rows, most), lambda: -(-self.rows // most))
        self.height = self.rows if self.count == 1 else most
        self.pitch = -(-self.cols // LINE) * LINE
        self.scratch = Scratch()
        self.logits = self.scratch.memory(self.height * self.pitch, self.compute)

    def gradient(self) -> Workspace:
        """Where a chunk's gradients go: over its logits, unless these are wider."""
        same = self.x.dtype is self.compute
        return self.logits if same else self.scratch.memory(self.height * self.pitch, self.x.dtype)

    def each(self) -> Iterator[tuple[int, int]]:
        """(first row, number of rows) of the chunks."""
        for k in range(self.count):
            first = k * self.height
            yield first, (self.height if k + 1 < self.count else self.rows - first)

    def launches(self, rows: Any, gradient: Workspace | None, targets: tuple[Output | None, ...]) -> list[Launch]:
        """The launches of all chunks.

        Args:
            rows: gives the launch of a chunk's losses from its first row and its height.
            targets: where the gradients of x, weight and bias go, None for those that are not wanted.
        """
        found: list[Launch] = []
        for first, height in self.each():
            found += [*self._logits(first, height), rows(first, height)]
            if gradient is not None:
                found += self._gradients(first, height, gradient, targets)
        return [*self.scratch.launches, *found]

    def losses(
        self,
        first: int,
        height: int,
        factor: tuple[LaunchOperand, ...],
        gradient: Workspace | None,
        results: tuple[LaunchOperand, ...],
        parts: tuple[LaunchOperand, ...],
    ) -> Launch:
        """The launch of a chunk's losses."""
        layout = row_kernels.RowLayout(1, height, self.cols, (0, self.pitch, 1), 1)
        config = loss_kernels.config(self.facts, layout, gradient is not None)
        blocks, at = config["constexprs"], self.at
        own = () if gradient is None else (gradient,)
        operands = (at.target, at.weight, at.dout, factor, self.logits, own, results, parts, ERROR_WORD)
        sizes = (self.ignore_index, first, height, self.cols, self.pitch, self.rows)
        flags = {"SMOOTH": self.flags.smooth, "CAPPED": self.flags.capped, "SQUARE": self.flags.squared}
        return Launch(
            kernels.rows_of_chunk,
            (-(-height // blocks["ROWS"]),),
            (*operands, *Scalar.several(3, self.compute)),
            sizes,
            {**flags, **config["walk"], **blocks},
            work=height * self.cols * (2 if gradient is None else 4),
            num_warps=config["num_warps"],
        )

    def _row(self, matrix: TensorMeta, operand: Input | Output, first: int) -> LaunchOperand:
        """The address of a row."""
        return operand.plus(first * matrix.stride[0] * matrix.dtype.itemsize)

    def _matrix(self, height: int, dtype: DType) -> TensorMeta:
        return TensorMeta.get((height, self.cols), (self.pitch, 1), dtype, self.x.device)

    def _product(
        self, sizes: Any, strides: Any, factors: tuple[LaunchOperand, LaunchOperand], epilogue: Epilogue, out: LaunchOperand
    ) -> list[Launch]:
        aligned = all(each.__class__ is Workspace or self._is_aligned(each) for each in factors)
        m, n, k = sizes
        p = product(m, n, k, (), strides)
        return product_launches(self.scratch, p, factors, epilogue, as_loaded(self.x), aligned, self.kind, (out,))

    def _is_aligned(self, operand: LaunchOperand) -> bool:
        meta = self.linear_weight if operand is self.at.linear_weight else self.x
        return meta.aligned and operand.offset % 16 == 0

    def _logits(self, first: int, height: int) -> list[Launch]:
        """Those of a chunk."""
        c, epilogue = self._matrix(height, self.compute), None
        if self.bias is not None:
            step = ((0, self.bias.stride[0]),)
            epilogue = Epilogue(epilogues.add_bias, (c,), c.shape, c.shape, self.at.bias, step)
        factors = self._row(self.x, self.at.x, first), self.at.linear_weight
        strides = (self.x.stride, self.linear_weight.stride[::-1], c.stride)
        return self._product((height, self.cols, self.depth), strides, factors, epilogue or store_only(c), self.logits)

    def _gradients(self, first: int, height: int, gradient: Workspace, targets: tuple[Output | None, ...]) -> list[Launch]:
        """The products and sums that take the gradients of a chunk."""
        of_x, of_weight, of_bias = targets
        x, w, launches = self.x, self.linear_weight, list[Launch]()
        g = self._matrix(height, x.dtype)
        if of_x is not None:
            c = contiguous_meta((height, self.depth), self.compute, x.device)
            to, factors = self._row(c, of_x, first), (gradient, self.at.linear_weight)
            launches += self._product((height, self.depth, self.cols), (g.stride, w.stride, c.stride), factors, store_only(c), to)
        if of_weight is not None:
            c, epilogue = contiguous_meta(w.shape, self.compute, x.device), None
            if first:
                epilogue = Epilogue(epilogues.add_bias, (c,), c.shape, c.shape, (of_weight,), (c.stride,))
            sizes, strides = (self.cols, self.depth, height), (g.stride[::-1], x.stride, c.stride)
            rows = self._row(x, self.at.x, first)
            launches += self._product(sizes, strides, (gradient, rows), epilogue or store_only(c), of_weight)
        if of_bias is not None:
            launches.append(self._column_sums(first, height, gradient, of_bias))
        return launches

    def _column_sums(self, first: int, height: int, gradient: Workspace, out: Output) -> Launch:
        options = kernels.columns_config(self.facts)
        warps, block = options["num_warps"], options["BLOCK"]
        grid, sizes = (-(-self.cols // block),), (height, self.cols, self.pitch)
        constexprs = {"FIRST": first == 0, "BLOCK": block}
        work = height * self.cols
        return Launch(kernels.column_sums, grid, (gradient, out), sizes, constexprs, work=work, num_warps=warps)

    def metas(self, wanted: tuple[bool, ...]) -> tuple[TensorMeta, ...]:
        """Of the gradients of x, weight and bias, in float32 for half types; empty ones are not wanted."""
        shapes = (self.x.shape, self.linear_weight.shape, (self.cols,))
        return tuple([contiguous_meta(shape if want else (0,), self.compute, self.x.device) for shape, want in zip(shapes, wanted)])

    @property
    def message(self) -> Any:
        return sized_message(OUT_OF_BOUNDS, self.cols)


def chunked_cross_entropy(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """(input, linear_weight, target, linear_bias, weight) -> (loss, z-loss, totals, gradients of the sum of losses).

    The totals are the sum of the rows' weights, and how many rows count.

    Attributes: (reduction, ignore_index, smooth, capped, squared, and whether gradients of input, weight and bias are wanted). A
    mean is a sum here, whose z-losses are scaled so that one division makes means of both.
    """
    reduction, ignore_index, *rest = attrs
    flags, wanted = Flags(*rest[:3]), tuple(rest[3:])
    weight = inputs[4]
    bias = () if inputs[3] is None else (Input(3),)
    s = _Chunks(inputs, _Operands((), Input(0), Input(1), Input(2), bias, optional(weight, Input(4))), ignore_index, flags)
    reduced = reduction != "none"
    loss = contiguous_meta(() if reduced else (s.rows,), s.compute, s.x.device)
    z_loss = loss if flags.squared else contiguous_meta((0,), s.compute, s.x.device)
    totals = contiguous_meta((2,) if reduced else (0,), s.compute, s.x.device)
    outputs = (loss, z_loss, totals, *s.metas(wanted))
    results = Output.several(2 if flags.squared else 1)
    parts = s.scratch.memory(4 * s.rows, s.compute) if reduced else None
    gradient = s.gradient() if any(wanted) else None
    options = kernels.sums_config(s.facts)
    warps, block = options["num_warps"], {"BLOCK": options["BLOCK"]}
    launches: list[Launch] = []
    factor: tuple[LaunchOperand, ...] = ()
    if flags.squared and weight is not None and reduction == "mean":
        factor = (s.scratch.memory(1, s.compute),)
        operands = (s.at.target, s.at.weight, *factor)
        launches.append(Launch(kernels.scale_of_z, (1,), operands, (ignore_index, s.rows, s.cols), block, num_warps=warps))

    def rows(first: int, height: int) -> Launch:
        own, sums = (results, ()) if parts is None else ((), (parts,))
        return s.losses(first, height, factor, gradient, own, sums)

    targets = tuple([Output(3 + k) if want else None for k, want in enumerate(wanted)])
    launches += s.launches(rows, gradient, targets)
    if parts is not None:
        launches.append(Launch(kernels.add_up, (1,), (parts, results, Output(2)), (s.rows,), block, num_warps=warps))
    return Plan(inputs, outputs, launches, s.scratch.workspaces, index_check=s.message)


def chunked_cross_entropy_grad(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """(grad of rows, input, linear_weight, target, linear_bias, weight, factor of z-losses) -> gradients of input, weight, bias.

    Attributes: (ignore_index, smooth, capped, squared, and whether gradients of input, weight and bias are wanted).
    """
    ignore_index, *rest = attrs
    flags, wanted = Flags(*rest[:3]), tuple(rest[3:])
    bias = () if inputs[4] is None else (Input(4),)
    at = _Operands((Input(0),), Input(1), Input(2), Input(3), bias, optional(inputs[5], Input(5)))
    s = _Chunks(inputs, at, ignore_index, flags)
    gradient, factor = s.gradient(), optional(inputs[6], Input(6))

    def rows(first: int, height: int) -> Launch:
        return s.losses(first, height, factor, gradient, (), ())

    targets = tuple([Output(k) if want else None for k, want in enumerate(wanted)])
    launches = s.launches(rows, gradient, targets)
    return Plan(inputs, s.metas(wanted), launches, s.scratch.workspaces, index_check=s.message)
