"""Planners of reductions: which dimensions are walked how, in one pass or in two.

Attributes begin with (dims, keepdim): sorted dimensions, all of them for a full reduction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import inf, prod
from typing import Any, NamedTuple

from tritonflow.device.provider import facts_of
from tritonflow.dtypes import DType, bool_, float32, float64, int8, int32, int64
from tritonflow.framework.meta import Shape, TensorMeta, contiguous_meta, contiguous_stride
from tritonflow.ops.elementwise import collapse, triton_dtype
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.operands import Address, Input, LaunchOperand, Output, Workspace
from tritonflow.ops.plan import Launch, Plan, stride

kernels = KernelModule("reduce")
reductions = KernelModule("reductions")

_SHORT_ROW = 16  # shorter rows leave most lanes of a vector idle: tiles run across the kept dimensions instead


@dataclass(frozen=True)
class Reduction:
    """The functions of kernels/reductions.py that make up a reduction.

    Attributes:
        start: from an element to a state.
        combine: of two states.
        reduce: of a tile of states to one for each row.
        finish: from a state to results.
        start_again: in place of `start`, over the states that a first pass stored.
        reduce_again: in place of `reduce`, over the states that a first pass stored; None for `reduce`.
        state: the dtypes of a state; None is the dtype that `accumulate` gives.
        on_gpu: the constexprs in place of `start`, `combine` and `reduce` in a GPU's pass over elements; None for these.
    """

    start: Any
    combine: Any
    reduce: Any
    finish: Any
    start_again: Any
    reduce_again: Any = None
    state: tuple[DType | None, ...] = (None,)
    on_gpu: dict[str, Any] | None = None

    def accumulate(self, compute: DType) -> DType:
        """The dtype in which tiles are added up: float64 for sums and products, whose rounding errors add up as well."""
        exact = self.combine in (reductions.combine_add, reductions.combine_mul, reductions.combine_moments)
        return float64 if compute.is_floating_point and exact else compute

    def functions(self) -> dict[str, Any]:
        """The constexprs of a pass over elements, without FINISH."""
        return {"START": self.start, "COMBINE": self.combine, "REDUCE": self.reduce}

    def functions_again(self) -> dict[str, Any]:
        """The constexprs of a pass over stored states that differ from the first pass's."""
        return {"START": self.start_again, "REDUCE": self.reduce_again or self.reduce}


@cache
def reductions_by_op() -> dict[str, Reduction]:
    """What the reduction of each op is made of. A function, as kernels are imported at their first use."""
    r = reductions
    indexed, moments = (None, int64), (None, None, None)
    argmax = (r.start_argmax, r.combine_argmax, r.reduce_argmax)
    argmin = (r.start_argmin, r.combine_argmin, r.reduce_argmin)
    of_max = {"START": r.start_max_at, "COMBINE": r.combine_later_max, "REDUCE": r.reduce_max_at}
    of_min = {"START": r.start_min_at, "COMBINE": r.combine_later_min, "REDUCE": r.reduce_min_at}
    around = {
        "START": r.start_deviation,
        "COMBINE": r.combine_both,
        "REDUCE": r.reduce_both,
        "SHIFTED": r.moments_around,
    }

    def of_moments(finish: Any) -> Reduction:
        pass_over = (r.start_moments, r.combine_moments, r.reduce_moments)
        return Reduction(*pass_over, finish, r.again_moments, r.merge_moments, moments, around)

    largest = Reduction(r.start_max, r.combine_max, r.reduce_max, r.finish_state, r.start_max)
    smallest = Reduction(r.start_min, r.combine_min, r.reduce_min, r.finish_state, r.start_min)
    return {
        "sum": Reduction(r.start_sum, r.combine_add, r.reduce_add, r.finish_state, r.start_sum),
        "nansum": Reduction(r.start_nansum, r.combine_add, r.reduce_add, r.finish_state, r.start_sum),
        "mean": Reduction(r.start_sum, r.combine_add, r.reduce_add, r.finish_mean, r.start_sum),
        "prod": Reduction(r.start_prod, r.combine_mul, r.reduce_mul, r.finish_state, r.start_prod),
        "amax": largest,
        "amin": smallest,
        "max_all": largest,
        "min_all": smallest,
        "any": Reduction(r.start_any, r.combine_max, r.reduce_max, r.finish_state, r.start_any, state=(int32,)),
        "all": Reduction(r.start_all, r.combine_min, r.reduce_min, r.finish_state, r.start_all, state=(int32,)),
        "argmax": Reduction(*argmax, r.finish_index, r.again_argmax, state=indexed, on_gpu=of_max),
        "argmin": Reduction(*argmin, r.finish_index, r.again_argmin, state=indexed, on_gpu=of_min),
        "max_dim": Reduction(*argmax, r.finish_state, r.again_argmax, state=indexed, on_gpu=of_max),
        "min_dim": Reduction(*argmin, r.finish_state, r.again_argmin, state=indexed, on_gpu=of_min),
        "var": of_moments(r.finish_var),
        "std": of_moments(r.finish_std),
        "var_mean": of_moments(r.finish_var_mean),
    }  # fmt: skip


@cache
def norms_by_order() -> dict[float, Reduction]:
    """What the norm of each order is made of."""
    r = reductions
    return {
        0: Reduction(r.start_count_nonzero, r.combine_add, r.reduce_add, r.finish_state, r.start_sum),
        1: Reduction(r.start_sum_of_abs, r.combine_add, r.reduce_add, r.finish_state, r.start_sum),
        2: Reduction(r.start_sum_of_squares, r.combine_add, r.reduce_add, r.finish_sqrt, r.start_sum),
        inf: Reduction(r.start_max_of_abs, r.combine_max, r.reduce_max, r.finish_state, r.start_max),
        -inf: Reduction(r.start_min_of_abs, r.combine_min, r.reduce_min, r.finish_state, r.start_min),
    }


class Source(NamedTuple):
    """Elements that a reduction computes on the way instead of reading them: function(*operands).

    Attributes:
        function: the scalar function.
        operands: of the launch, for the function.
        shape: over which the operands have strides: the dimensions of the elements, perhaps cut into several.
        parts: for each dimension of the elements those of `shape`.
        strides: for every operand, 0 for scalars and where a tensor is broadcast.
        inputs: the metas of the tensors.
    """

    function: Any
    operands: tuple[LaunchOperand, ...]
    shape: Shape
    parts: Sequence[slice]
    strides: tuple[Shape, ...]
    inputs: tuple[TensorMeta, ...]


def sum(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...], source: Source | None = None) -> Plan:
    """attributes: (dims, keepdim, dtype)"""
    return _accumulated("sum", inputs, attrs, source)


def nansum(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """attributes: (dims, keepdim, dtype)"""
    return _accumulated("nansum", inputs, attrs)


def mean(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...], source: Source | None = None) -> Plan:
    """attributes: (dims, keepdim, dtype)"""
    return _accumulated("mean", inputs, attrs, source)


def prod_(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """attributes: (dims, keepdim, dtype)

    Rounding near 1 errs to one side, so float32 is multiplied in float64: of 4M factors near 1 it would be off by 3e-3.
    """
    return _accumulated("prod", inputs, attrs)


def _accumulated(
    kind: str, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...], source: Source | None = None
) -> Plan:
    """Sums and products: of integers in int64, of half types in float32."""
    (x,), (dims, keepdim, dtype) = inputs, attrs
    result = dtype or (x.dtype if x.dtype.is_floating_point else int64)
    compute = result.compute if result.is_floating_point else int64
    if kind == "prod" and result is float32:
        compute = float64
    return plan_reduction(reductions_by_op()[kind], x, dims, keepdim, (result,), compute, source=source)


def extremum(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...], source: Source | None = None) -> Plan:
    """amax, amin; attributes: (dims, keepdim)"""
    (x,), (dims, keepdim) = inputs, attrs
    return plan_reduction(reductions_by_op()[op.name], x, dims, keepdim, (x.dtype,), x.dtype.compute, source=source)


def extremum_with_index(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """(values, indices) of max and min along dimensions; attributes: (dims, keepdim)"""
    (x,), (dims, keepdim) = inputs, attrs
    return plan_reduction(reductions_by_op()[op.name], x, dims, keepdim, (x.dtype, int64), x.dtype.compute)


def arg_extremum(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """argmax, argmin; attributes: (dims, keepdim)"""
    (x,), (dims, keepdim) = inputs, attrs
    return plan_reduction(reductions_by_op()[op.name], x, dims, keepdim, (int64,), x.dtype.compute)


def truth(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """any, all; attributes: (dims, keepdim)"""
    (x,), (dims, keepdim) = inputs, attrs
    return plan_reduction(reductions_by_op()[op.name], x, dims, keepdim, (bool_,), x.dtype.compute)


def norm(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """The norms of order 0, 1, 2, inf and -inf; attributes: (order, dims, keepdim)"""
    (x,), (order, dims, keepdim) = inputs, attrs
    if order == 2 and prod([x.shape[d] for d in dims]) == 1:
        order = inf  # of one number, whose square may be beyond its dtype
    return plan_reduction(norms_by_order()[order], x, dims, keepdim, (x.dtype,), x.dtype.compute)


def moments(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...], source: Source | None = None) -> Plan:
    """var, std, var_mean; attributes: (dims, correction, keepdim)"""
    (x,), (dims, correction, keepdim) = inputs, attrs
    results = (x.dtype,) * len(op.outputs)
    return plan_reduction(reductions_by_op()[op.name], x, dims, keepdim, results, x.dtype.compute, correction, source)


def plan_reduction(
    reduction: Reduction,
    x: TensorMeta,
    dims: Shape,
    keepdim: bool,
    results: tuple[DType, ...],
    compute: DType,
    correction: int = 0,
    source: Source | None = None,
) -> Plan:
    """A plan that reduces `dims` of x to outputs of dtypes `results`, computing in `compute`.

    `correction` is subtracted from the number of elements that a mean or a variance divides by. With a `source`, x is what that
    makes, in row-major order, and lies nowhere.
    """
    outputs = tuple([contiguous_meta(reduced_shape(x.shape, dims, keepdim), d, x.device) for d in results])
    source = source or Source(None, (Input(0),), x.shape, [slice(d, d + 1) for d in range(x.ndim)], (x.stride,), (x,))
    shape, memory = source.shape, x.stride if source.function is None else contiguous_stride(source.shape)
    gone = [k for d in dims for k in range(*source.parts[d].indices(len(shape)))]
    kept_sizes, kept_strides = _collapsed(
        shape, [k for k in range(len(shape)) if k not in gone], memory, source.strides
    )
    if int64 not in reduction.state:  # only argmax and argmin count positions: the others may follow memory
        gone.sort(key=lambda k: -memory[k])
    sizes, strides = _collapsed(shape, gone, memory, source.strides)
    count = prod(sizes) - correction
    rows = prod(kept_sizes)
    if rows == 1:  # a stride of 1 would hide that the only row begins where memory does
        kept_strides = [(0,)] * len(kept_strides)
    layout = (rows, kept_sizes, _marked(kept_strides[1:]), sizes, _marked(strides[1:]))
    axis = _axis(rows, kept_strides[0][-1], sizes[-1], strides[0][-1])
    facts = facts_of(x.device)
    lines = kernels.along_lines(facts, kept_sizes, axis)
    line, count_of_lines = (kept_sizes[-1], prod(kept_sizes[:-1])) if lines else (rows, 1)
    options = kernels.config(facts, line, sizes[-1], axis, x.dtype.itemsize)
    blocks = count_of_lines * -(-line // options["KEPT"])
    steps = prod(sizes[:-1]) * -(-sizes[-1] // options["COLS"])
    splits, each = kernels.splits(facts, blocks, steps)
    accumulate = reduction.accumulate(compute)
    names = reduction.functions() | {"FINISH": reduction.finish, "SHIFTED": None}
    if facts.kind == "gpu" and reduction.on_gpu is not None:
        if reduction.reduce_again is not None and steps < 4:  # few tiles are better reduced one by one than read again
            options["FOLD"] = 0
        else:
            names |= reduction.on_gpu
    names |= {"COMPUTE": triton_dtype(compute), "ACCUMULATE": triton_dtype(accumulate)}
    names |= {"AXIS": axis, "MAP": source.function, "LINES": lines}
    outs = Output.several(len(outputs))
    if splits == 1:
        launch = _launch((blocks,), source.operands, outs, (count, *layout, each), names, options)
        return Plan(source.inputs, outputs, [launch])
    spaces = Workspace.several(len(reduction.state))
    state = [(splits * rows, d or (int8 if compute is bool_ else accumulate)) for d in reduction.state]
    first = {**names, "FINISH": reductions.finish_state}
    launches = [_launch((blocks * splits,), source.operands, spaces, (count, *layout, each), first, options)]
    axis = 1 if rows == 1 else 0
    options = kernels.config(facts, rows, splits, axis)
    last = {**names, **reduction.functions(), **reduction.functions_again(), "AXIS": axis, "SHIFTED": None, "LINES": False}
    last |= {"COMPUTE": None, "ACCUMULATE": None, "MAP": None}
    step = stride(int(rows > 1))
    layout = (rows, (rows,), ((step,),) * len(spaces), (splits,), ((stride(rows),),) * len(spaces))
    steps = -(-splits // options["COLS"])
    launches.append(_launch((-(-rows // options["KEPT"]),), spaces, outs, (count, *layout, steps), last, options))
    return Plan(source.inputs, outputs, launches, workspaces=state)


def _collapsed(shape: Shape, dims: list[int], memory: Shape, strides: Sequence[Shape]) -> tuple[Shape, list[Shape]]:
    """The sizes of some dimensions, as few as all strides allow, with the strides of the elements and of the operands."""
    return collapse([shape[d] for d in dims], [[s[d] for d in dims] for s in (memory, *strides)])


def reduced_shape(shape: Shape, dims: Shape, keepdim: bool) -> Shape:
    """What is left of a shape."""
    if keepdim:
        return tuple([1 if d in dims else n for d, n in enumerate(shape)])
    return tuple([n for d, n in enumerate(shape) if d not in dims])


def _axis(rows: int, kept_stride: int, cols: int, col_stride: int) -> int:
    """The tile's dimension that is reduced: 1 where memory runs along it."""
    if rows == 1:
        return 1
    if col_stride != 1 and kept_stride == 1:
        return 0
    return 0 if cols < _SHORT_ROW and rows >= _SHORT_ROW else 1


def _marked(strides: Sequence[Shape]) -> tuple[Shape, ...]:
    """Only the innermost stride is worth a specialisation of the kernel."""
    return tuple([(*s[:-1], stride(s[-1])) for s in strides])


def _launch(
    grid: tuple[int, ...],
    xs: tuple[LaunchOperand, ...],
    outs: tuple[Address, ...],
    sizes: tuple[Any, ...],
    names: Any,
    options: Any,
) -> Launch:
    constexprs = names | {k: v for k, v in options.items() if k != "num_warps"}
    count, kept = sizes[:2]
    work = max(count * kept // 4, 1)  # a few instructions for 16 elements
    return Launch(kernels.reduce, grid, (xs, outs), sizes, constexprs, work=work, num_warps=options["num_warps"])
