"""Planners of scans (cumsum, cumprod, cummax, cummin, logcumsumexp) and sort along a dimension."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

from tritonflow.device.provider import facts_of
from tritonflow.dtypes import DType, bool_, float32, float64, iinfo, int64
from tritonflow.framework.meta import Shape, TensorMeta, contiguous_meta, contiguous_stride
from tritonflow.ops import radix_sort
from tritonflow.ops.elementwise import collapse, triton_dtype
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.operands import Address, Input, LaunchOperand, Output, Workspace
from tritonflow.ops.plan import Launch, Plan, stride
from tritonflow.ops.sort_keys import RowStrides, SortedRows, sort_by_keys, suits

Metas = tuple[TensorMeta, ...]

kernels = KernelModule("scan_sort")
reduce_kernels = KernelModule("reduce")
reductions = KernelModule("reductions")
top_kernels = KernelModule("top")

# ------------------------------------------------------------------------------------------------------------- scans


@dataclass(frozen=True)
class Scan:
    """What a scan is made of: names of functions in kernels/scan_sort.py and kernels/reductions.py.

    Args:
        scan: the scan of a tile.
        combine: of two totals.
        start: the elements as states of a reduction.
        reduce: of a tile to its total.
    """

    scan: str
    combine: str
    start: str
    reduce: str


SUM = Scan("cumulative_sum", "combine_add", "start_sum", "reduce_add")
PRODUCT = Scan("cumulative_product", "combine_mul", "start_prod", "reduce_mul")
LARGEST = Scan("cumulative_max", "combine_max", "start_max", "reduce_max")
SMALLEST = Scan("cumulative_min", "combine_min", "start_min", "reduce_min")
LOG_OF_SUM = Scan("cumulative_logaddexp", "combine_logaddexp", "start_max", "reduce_logaddexp")


def cumsum(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """attributes: (dim, dtype, whether to sum from the end)"""
    dim, dtype, reverse = attrs
    result = _result(inputs[0], dtype)
    return _scan(inputs[0], dim, result, _accumulate(result), SUM, 0, reverse)


def cumprod(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """attributes: (dim, dtype)"""
    dim, dtype = attrs
    result = _result(inputs[0], dtype)
    return _scan(inputs[0], dim, result, _accumulate(result), PRODUCT, 1)


def cumulative_extremum(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """attributes: (dim,)"""
    dtype = inputs[0].dtype
    largest = op.name == "cumulative_max"
    neutral: float
    if dtype is bool_:
        neutral = int(not largest)
    elif dtype.is_floating_point:
        neutral = float("-inf") if largest else float("inf")
    else:
        neutral = iinfo(dtype).min if largest else iinfo(dtype).max
    compute = dtype.compute if dtype.is_floating_point else dtype
    return _scan(inputs[0], attrs[0], dtype, compute, LARGEST if largest else SMALLEST, neutral)


def logcumsumexp(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """attributes: (dim, whether to add up from the end)"""
    dtype = inputs[0].dtype
    return _scan(inputs[0], attrs[0], dtype, _accumulate(dtype), LOG_OF_SUM, float("-inf"), attrs[1])


def _result(x: TensorMeta, dtype: DType | None) -> DType:
    return dtype or (x.dtype if x.dtype.is_floating_point else int64)


def _scan(
    x: TensorMeta, dim: int, result: DType, compute: DType, kind: Scan, neutral: float, reverse: bool = False
) -> Plan:
    y = contiguous_meta(x.shape, result, x.device)
    if x.ndim == 0:
        x = TensorMeta.get((1,), (1,), x.dtype, x.device, x.aligned)
    n = x.shape[dim]
    y_stride = contiguous_stride(x.shape)
    kept = [d for d in range(x.ndim) if d != dim]
    sizes, (x_steps, y_steps) = collapse(
        [x.shape[d] for d in kept], [[s[d] for d in kept] for s in (x.stride, y_stride)]
    )
    rows = prod(sizes)
    if rows == 1:  # the only row begins where memory does
        x_steps, y_steps = (0,), (0,)
    axis = 1 if rows == 1 or x.stride[dim] == 1 else 0
    x_step, y_step = x.stride[dim], y_stride[dim]
    source: LaunchOperand = Input(0)
    target: LaunchOperand = Output(0)
    if reverse and n > 1:  # from the last element backwards
        source = Input(0).plus((n - 1) * x_step * x.dtype.itemsize)
        target = Output(0).plus((n - 1) * y_step * result.itemsize)
        x_step, y_step = -x_step, -y_step
    facts = facts_of(x.device)
    options = dict(kernels.config(facts, rows, n, axis)["scan"])
    warps = options.pop("num_warps")
    blocks, steps = -(-rows // options["KEPT"]), -(-n // options["COLS"])
    splits, each = reduce_kernels.splits(facts, blocks, steps)
    layout = (rows, sizes, _marked(x_steps), _marked(y_steps), n, stride(x_step), stride(y_step))
    combine, reduce = getattr(reductions, kind.combine), getattr(reductions, kind.reduce)
    names = {
        "SCAN": getattr(kernels, kind.scan), "COMBINE": combine,
        "TOTAL": reduce if facts.kind == "gpu" else None, "NEUTRAL": neutral, "COMPUTE": triton_dtype(compute),
    }  # fmt: skip
    if splits == 1:
        constants = names | {"CARRY": False, "AXIS": axis} | options
        return Plan(
            (x,),
            (y,),
            [Launch(kernels.scan, (blocks,), (source, target, target), (*layout, each), constants, num_warps=warps)],
        )
    total = Launch(
        reduce_kernels.reduce, (blocks * splits,), ((source,), (Workspace(0),)),
        (n, rows, sizes, (_marked(x_steps),), (n,), ((stride(x_step),),), each),
        {
            "START": getattr(reductions, kind.start), "COMBINE": combine,
            "REDUCE": reduce, "FINISH": reductions.finish_state,
            "COMPUTE": triton_dtype(compute), "ACCUMULATE": triton_dtype(compute), "AXIS": axis, "MAP": None, **options,
            "SHIFTED": None, "LINES": False,
            "FOLD": reduce_kernels.fold(facts, options["KEPT"], options["COLS"], axis, x.dtype.itemsize),
        },
        num_warps=warps,
    )  # fmt: skip
    carry_options = dict(kernels.config(facts, rows, splits, 0)["scan"])
    carry_warps = carry_options.pop("num_warps")
    one = stride(1)
    carry = Launch(
        kernels.scan, (-(-rows // carry_options["KEPT"]),), (Workspace(0), Workspace(1), Workspace(1)),
        (rows, (rows,), (one,), (one,), splits, stride(rows), stride(rows), -(-splits // carry_options["COLS"])),
        names | {"CARRY": False, "AXIS": 0} | carry_options, num_warps=carry_warps,
    )  # fmt: skip
    constants = names | {"CARRY": True, "AXIS": axis} | options
    last = Launch(
        kernels.scan, (blocks * splits,), (source, Workspace(1), target), (*layout, each), constants, num_warps=warps
    )
    return Plan((x,), (y,), [total, carry, last], [(splits * rows, compute)] * 2)


def _accumulate(result: DType) -> DType:
    """float64 for float32, as a scan's rounding errors add up; what rounds to a half type is exact enough in float32."""
    if not result.is_floating_point:
        return int64
    return float64 if result is float32 else result.compute


def _marked(strides: Shape) -> tuple[int, ...]:
    return (*strides[:-1], stride(strides[-1]))


# ------------------------------------------------------------------------------------------------------------- sorts


def sort(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """(values, indices) of the first `keep` elements in order; attributes: (dim, descending, keep)"""
    (x,), (dim, descending, keep) = inputs, attrs
    shape = (*x.shape[:dim], keep, *x.shape[dim + 1 :]) if x.ndim else ()
    outputs = contiguous_meta(shape, x.dtype, x.device), contiguous_meta(shape, int64, x.device)
    own_shape, own_stride = x.shape or (1,), x.stride or (1,)
    out_stride = contiguous_stride(shape) or (1,)
    n = own_shape[dim]
    kept = [d for d in range(len(own_shape)) if d != dim]
    sizes, (x_steps, y_steps) = collapse(
        [own_shape[d] for d in kept], [[s[d] for d in kept] for s in (own_stride, out_stride)]
    )
    rows = prod(sizes)
    if not rows or not keep:
        return Plan(inputs, outputs, [])
    names = {"DESCENDING": descending, "COMPUTE": triton_dtype(x.dtype.compute)}
    if top_kernels.fits(n, keep):
        options = top_kernels.config(facts_of(x.device), n)
        warps = options.pop("num_warps")
        layout = (_marked(x_steps), stride(own_stride[dim]), _marked(y_steps), stride(out_stride[dim]))
        few = Launch(
            top_kernels.top_few, (rows,), (Input(0), Output(0), Output(1)), (n, sizes, *layout, keep), names | options,
            work=rows * keep * n, num_warps=warps,
        )  # fmt: skip
        return Plan(inputs, outputs, [few])
    rows_of_x, rows_of_y = RowStrides(x_steps, own_stride[dim]), RowStrides(y_steps, out_stride[dim])
    if radix_sort.suits(x, n):
        whole, spaces = radix_sort.sort_by_digits(x, sizes, rows_of_x, rows_of_y, rows, n, keep, descending)
        return Plan(inputs, outputs, [whole], spaces)
    if suits(x):
        launches, spaces = sort_by_keys(SortedRows(rows, n, sizes, rows_of_x), rows_of_y, keep, descending)
        return Plan(inputs, outputs, launches, spaces)
    passes = kernels.passes(n, keep)
    options = kernels.config(facts_of(x.device))
    work = n * rows * max(n.bit_length(), 6)

    def target(k: int) -> tuple[tuple[Address, ...], Shape, int]:
        """Where pass k writes: operands, strides of the rows, stride of the elements."""
        if k == len(passes):
            return Output.several(2), _marked(y_steps), stride(out_stride[dim])
        return Workspace.several(2, first=2 * (k % 2)), _dense_rows(sizes, passes[k].width), stride(1)

    operands, steps, step = target(0)
    first = Launch(
        kernels.sort_runs, (rows * -(-n // kernels.RUN),), (Input(0), *operands),
        (rows, n, sizes, _marked(x_steps), stride(own_stride[dim]), steps, step, kernels.RUN if passes else keep),
        names | {"RUN": kernels.RUN}, work=work, num_warps=options["sort_runs"]["num_warps"],
    )  # fmt: skip
    launches = [first]
    block = options["merge_runs"]["BLOCK"]
    for k, (width, length, cut) in enumerate(passes):
        source, (operands, steps, step) = operands, target(k + 1)
        launches.append(
            Launch(
                kernels.merge_runs, (rows * -(-width // block),), (*source, *operands),
                (rows, width, length, sizes, steps, step, cut, length.bit_length()), names | {"BLOCK": block}, work=work,
                num_warps=options["merge_runs"]["num_warps"],
            )
        )  # fmt: skip
    spaces = [(rows * each.width, dtype) for each in passes[:2] for dtype in (x.dtype, int64)]
    return Plan(inputs, outputs, launches, spaces)


def _dense_rows(sizes: Shape, width: int) -> tuple[int, ...]:
    """The strides of rows of `width` elements, one behind the other."""
    return _marked(tuple([s * width for s in contiguous_stride(sizes)]))
