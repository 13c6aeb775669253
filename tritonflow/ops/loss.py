"""Planners of the losses of class indices: cross entropy and nll_loss, (n, classes, ...) against (n, ...)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from tritonflow.device.provider import facts_of
from tritonflow.dtypes import DType, float32, float64
from tritonflow.framework.meta import TensorMeta, contiguous_meta
from tritonflow.framework.symbolic_int import is_symbolic
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.operands import ERROR_WORD, Input, Operands, Output, Scalar, Workspace, optional
from tritonflow.ops.plan import Launch, Plan, stride
from tritonflow.ops.softmax import row_strides

if TYPE_CHECKING:
    from tritonflow.kernels.rows import RowLayout

kernels = KernelModule("loss")
rows = KernelModule("rows")

REDUCTIONS = {"none": 0, "sum": 1, "mean": 2}
OUT_OF_BOUNDS = "Target is out of bounds: class indices must be in [0, {}), or equal to ignore_index"


class _Rows:
    """What all launches of one loss share."""

    def __init__(self, x: TensorMeta, reduction: str, ignore_index: int, backward: bool = False) -> None:
        self.layout: RowLayout = rows.row_layout(x.shape, 1)
        self.facts = facts_of(x.device)
        self.config = kernels.config(self.facts, self.layout, backward)
        self.blocks = self.config["constexprs"]
        self.walk = self.config["walk"]
        self.programs = rows.row_grid(self.layout, self.blocks)
        self.reduction = REDUCTIONS[reduction]
        self.sizes = (ignore_index, self.layout.rows, self.layout.cols, _strides(x, self.layout))
        self.options = {"num_warps": self.config["num_warps"]}
        self.compute: DType = float64 if x.dtype is float64 else float32

    @property
    def single(self) -> bool:
        """Whether one program sees every row and writes the loss itself."""
        return self.programs == 1

    def outputs(
        self, x: TensorMeta, target: TensorMeta, dtype: DType | None = None
    ) -> tuple[TensorMeta, TensorMeta]:
        """The loss, and the sums of losses and of weights, where there are any."""
        out = contiguous_meta(() if self.reduction else target.shape, dtype or x.dtype, x.device)
        return out, contiguous_meta((2,) if self.reduction else (0,), self.compute, x.device)

    @property
    def parts(self) -> list[tuple[int, DType]]:
        """The workspace for the sums of every program, where there are several or none."""
        return [] if self.reduction == 0 or self.single else [(2 * self.programs, self.compute)]

    def part(self, totals: Output) -> Operands:
        """What a program adds up."""
        return Workspace(0) if self.parts else totals

    def finish(self, totals: Output, out: Output) -> list[Launch]:
        """The launch that adds the programs' sums."""
        if not self.parts:
            return []
        options = kernels.finish_config(self.facts)
        warps = options.pop("num_warps")
        constexprs = {"REDUCTION": self.reduction, **options}
        return [
            Launch(kernels.finish, (1,), (Workspace(0), totals, out), (self.programs,), constexprs, num_warps=warps)
        ]

    def scalar(self) -> Scalar:
        """The label smoothing."""
        return Scalar(0, self.compute)


def _strides(x: TensorMeta, layout: RowLayout) -> tuple[stride, ...]:
    """Of (group, row, column): those of the layout, or of a matrix whose rows are padded."""
    return row_strides(layout) if x.is_contiguous else (stride(0), *map(stride, x.stride))


def cross_entropy(op: OpDef, inputs: tuple[TensorMeta | None, ...], attrs: tuple[Any, ...]) -> Plan:
    """(input, target, weight) -> (loss, largest logit of rows, log of the sum of their exponentials by that, totals).

    attributes: (reduction, ignore_index, smooth, dtype of the loss or None). The rows of a matrix may be padded.
    """
    x, target, weight = inputs
    reduction, ignore_index, smooth, dtype = attrs
    assert x is not None and target is not None
    rows = _Rows(x, reduction, ignore_index)
    out, totals = rows.outputs(x, target, dtype)
    of_rows = contiguous_meta(target.shape, rows.compute, x.device)
    constexprs = {
        "REDUCTION": rows.reduction,
        "SMOOTH": smooth,
        "SINGLE": rows.single,
        **rows.walk,
        **rows.blocks,
    }
    operands = (
        Input(0),
        Input(1),
        optional(weight, Input(2)),
        *Output.several(4),
        rows.part(Output(3)),
        ERROR_WORD,
        rows.scalar(),
    )
    launch = Launch(kernels.cross_entropy, (rows.programs,), operands, rows.sizes, constexprs, **rows.options)
    message = sized_message(OUT_OF_BOUNDS, x.shape[1])
    launches = [launch, *rows.finish(Output(3), Output(0))]
    return Plan(inputs, (out, of_rows, of_rows, totals), launches, rows.parts, index_check=message)


def cross_entropy_grad(op: OpDef, inputs: tuple[TensorMeta | None, ...], attrs: tuple[Any, ...]) -> Plan:
    """(grad, input, target, largest, log_sum, totals, weight) -> the gradient, which lies as the input does.

    attributes: (reduction, ignore_index, smooth)
    """
    _, x, _, _, _, _, weight = inputs
    reduction, ignore_index, smooth = attrs
    assert x is not None
    rows = _Rows(x, reduction, ignore_index, backward=True)
    constexprs = {"REDUCTION": rows.reduction, "SMOOTH": smooth, **rows.walk, **rows.blocks}
    of_rows = Input(3), Input(4), Input(5)
    operands = (Input(0), Input(1), Input(2), optional(weight, Input(6)), *of_rows, Output(0), rows.scalar())
    grid = (rows.programs if rows.layout.cols else 0,)
    launch = Launch(kernels.cross_entropy_backward, grid, operands, rows.sizes, constexprs, **rows.options)
    return Plan(inputs, (x,), [launch])


def nll_loss(op: OpDef, inputs: tuple[TensorMeta | None, ...], attrs: tuple[Any, ...]) -> Plan:
    """(input, target, weight) -> (loss, totals); attributes: (reduction, ignore_index)."""
    x, target, weight = inputs
    reduction, ignore_index = attrs
    assert x is not None and target is not None
    rows = _Rows(x, reduction, ignore_index)
    out, totals = rows.outputs(x, target)
    constexprs = {"REDUCTION": rows.reduction, "SINGLE": rows.single, "ROWS": rows.blocks["ROWS"]}
    operands = (Input(0), Input(1), optional(weight, Input(2)), Output(0), Output(1), rows.part(Output(1)), ERROR_WORD)
    launch = Launch(kernels.nll, (rows.programs,), operands, rows.sizes, constexprs, **rows.options)
    message = sized_message(OUT_OF_BOUNDS, x.shape[1])
    return Plan(inputs, (out, totals), [launch, *rows.finish(Output(1), Output(0))], rows.parts, index_check=message)


def nll_loss_grad(op: OpDef, inputs: tuple[TensorMeta | None, ...], attrs: tuple[Any, ...]) -> Plan:
    """(grad, target, totals, weight) -> the input's gradient; attributes: (shape, reduction, ignore_index)."""
    grad, _, _, weight = inputs
    shape, reduction, ignore_index = attrs
    assert grad is not None
    dx = contiguous_meta(shape, grad.dtype, grad.device)
    rows = _Rows(dx, reduction, ignore_index, backward=True)
    constexprs = {"REDUCTION": rows.reduction, **rows.blocks}
    operands = (Input(0), Input(1), optional(weight, Input(3)), Input(2), Output(0))
    grid = (rows.programs if rows.layout.cols else 0,)
    launch = Launch(kernels.nll_backward, grid, operands, rows.sizes, constexprs, **rows.options)
    return Plan(inputs, (dx,), [launch])


class _SizedMessage(NamedTuple):
    """A text with a `{}` for each of some numbers, which are put in when it is raised."""

    text: str
    numbers: tuple[int, ...]

    def __str__(self) -> str:
        return self.text.format(*self.numbers)


def sized_message(text: str, *numbers: int) -> Any:
    """The text of an error; where numbers are symbolic, what has it as its text in each run.

    Args:
        text: with a `{}` for each number.
        numbers: of sizes.

    Example:
        >>> from tritonflow.ops.loss import sized_message
        >>> sized_message("classes must be in [0, {})", 7)
        'classes must be in [0, 7)'
    """
    message = _SizedMessage(text, numbers)
    return message if is_symbolic(numbers) else str(message)
