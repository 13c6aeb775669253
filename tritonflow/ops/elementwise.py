"""The planner of all pointwise ops: broadcasting, promotion, strides.

The result of the promotion decides the type that the kernel computes in; every operand is loaded in its own dtype and cast there.
Adjacent dimensions that every operand walks through as one are merged, so that most calls become one flat loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import prod
from typing import Any

from tritonflow.device.provider import facts_of
from tritonflow.dtypes import INTEGER, DType, bool_, float32, get_default_dtype, int64, torch_name, uint64
from tritonflow.errors import DTypeError, IntegerDivisionByZeroError, ShapeError
from tritonflow.framework.memory_format import result_stride
from tritonflow.framework.meta import Shape, TensorMeta, contiguous_meta
from tritonflow.kernels.facts import DeviceFacts
from tritonflow.ops.dtype_rules import promoted
from tritonflow.ops.kernel_modules import KernelModule, imported
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.operands import ERROR_WORD, Input, LaunchOperand, Operands, Output, Scalar
from tritonflow.ops.plan import Launch, Plan, stride

kernels = KernelModule("elementwise")
divisor_kernels = KernelModule("divisor")


def plan_pointwise(
    op: OpDef,
    inputs: tuple[TensorMeta | None, ...],
    attrs: tuple[Any, ...],
    kinds: tuple[type, ...] = (),
    out: TensorMeta | None = None,
    results: Sequence[TensorMeta] | None = None,
) -> Plan:
    """A plan for outputs = function(*inputs, *dynamic scalars).

    Args:
        kinds: the Python classes of the dynamic scalars, which take part in promotion.
        out: the meta of the tensor written in place.
        results: the metas of the outputs, where they are to lie otherwise than the inputs say.
    """
    metas = [m for m in inputs if m is not None]
    shapes = [m.shape for m in metas]
    shape = broadcast_shapes(shapes) if out is None else _inplace_shape(out.shape, shapes or [()])
    operand, dtype = operand_dtypes(op, metas, kinds)
    if out is None:
        outputs = list(results or [_result_meta(shape, dtype, metas)] * len(op.outputs))
    else:
        _check_out(out, dtype)
        outputs, shape = [out], out.shape
    function = scalar_function(op.target)
    compute = operand.compute
    scalars = Scalar.several(len(kinds), scalar_dtype(compute))
    sources, targets = Input.several(len(metas)), Output.several(len(outputs))
    computing = launch(function, compute, shape, metas, outputs, sources, targets, scalars, in_place=out is not None)
    if op.divisor and operand.category == INTEGER:
        return _checked_division(op, inputs, outputs, computing)
    return Plan(inputs, outputs, [computing])


def _result_meta(shape: Shape, dtype: DType, metas: Sequence[TensorMeta]) -> TensorMeta:
    """The meta of a new result: channels-last where its operands are, else contiguous."""
    plain = contiguous_meta(shape, dtype, metas[0].device)
    if plain.ndim not in (4, 5) or all(m.is_contiguous for m in metas):
        return plain
    steps = result_stride(shape, [broadcast_stride(m, shape) for m in metas])
    made = TensorMeta.get(shape, steps, dtype, plain.device)
    return made if made.is_channels_last or made.is_channels_last_3d else plain


def cross(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """y[i] = a[j] * b[k] - a[k] * b[j] along a dimension of size 3, with i, j, k in turn; attributes: (dim,)."""
    (a, b), (dim,) = inputs, attrs
    y = contiguous_meta(a.shape, a.dtype, a.device)
    shape = (*a.shape[:dim], 1, *a.shape[dim + 1 :])

    def part(meta: TensorMeta, operand: Any, index: int) -> tuple[TensorMeta, LaunchOperand]:
        cut = TensorMeta.get(shape, meta.stride, meta.dtype, meta.device)
        return cut, operand.plus(index * meta.stride[dim] * meta.dtype.itemsize)

    launches = []
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        parts = [part(a, Input(0), j), part(a, Input(0), k), part(b, Input(1), j), part(b, Input(1), k)]
        target, written = part(y, Output(0), i)
        metas, sources = [meta for meta, _ in parts], [source for _, source in parts]
        function = scalar_function("arithmetic.determinant")
        launches.append(launch(function, a.dtype.compute, shape, metas, (target,), sources, (written,)))
    return Plan(inputs, (y,), launches)


def gated_gradients(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """The gradients of x and y from (the gradient of f(x) * y, x, y), of the first one's shape and dtype; attributes: (f,)."""
    grad, *_ = inputs
    made = contiguous_meta(grad.shape, grad.dtype, grad.device)
    function = scalar_function(f"activation.{attrs[0]}_gate_slopes")
    computing = launch(
        function, grad.dtype.compute, grad.shape, inputs, (made, made), Input.several(3), Output.several(2)
    )
    return Plan(inputs, (made, made), [computing])


def operand_dtypes(op: OpDef, metas: Sequence[TensorMeta], kinds: tuple[type, ...]) -> tuple[DType, DType]:
    """What the operands of a pointwise op promote to, and the dtype of its result."""
    operand = promoted(op, metas, kinds)
    dtype = _result_dtype(op, operand, metas)
    return (dtype if op.result == "float" and not operand.is_floating_point else operand), dtype


def _checked_division(
    op: OpDef, inputs: tuple[TensorMeta | None, ...], outputs: Sequence[TensorMeta], divide: Launch
) -> Plan:
    """Integers have no infinity for x / 0: the divisor is looked at first, and a zero raises as a bad index does."""
    number = op.inputs.index(op.divisor)
    divisor = inputs[number]
    assert divisor is not None
    sizes, (steps,) = collapse(divisor.shape, [divisor.stride])
    rows, cols = prod(sizes[:-1]), sizes[-1]
    options = dict(divisor_kernels.config(_facts(outputs), rows, cols)["strided"])
    warps = options.pop("num_warps")
    programs = -(-rows // options["ROWS"]) * -(-cols // options["COLS"]) if outputs[0].numel else 0
    arguments = (rows, sizes, tuple([stride(s) for s in steps]))
    look = Launch(
        divisor_kernels.refuse_zeros, (programs,), (Input(number), ERROR_WORD), arguments, options, num_warps=warps
    )
    message = f"ZeroDivisionError: {op.function or op.name}(): argument '{op.divisor}' has a zero among its integers"
    return Plan(
        inputs, outputs, [look, divide], index_check=message, check_error=IntegerDivisionByZeroError, validate=1
    )


def launch(
    function: Any,
    compute: DType | None,
    shape: Shape,
    inputs: Sequence[TensorMeta],
    outputs: Sequence[TensorMeta],
    sources: Sequence[Operands],
    targets: Sequence[LaunchOperand],
    scalars: Sequence[Scalar] = (),
    in_place: bool = False,
) -> Launch:
    """The launch of the elementwise template over `shape` with a scalar function; for planners of other ops too.

    The function gets its operands in the dtype `compute`; without one, each in what its own dtype is computed in.
    A source may be (generator's state,) or (generator's state, first counter): the random words of a tensor of that meta.
    `in_place`: an input may be the memory of an output.
    """
    sizes, strides = collapse(shape, [broadcast_stride(m, shape) for m in (*inputs, *outputs)])
    xs = (*sources, *scalars)
    count = prod(shape)
    in_memory = [m for m, operand in zip((*inputs, *outputs), (*sources, *targets)) if operand.__class__ is not tuple]
    touched = sum(m.dtype.itemsize for m in in_memory) * count
    facts = _facts(outputs)
    overwrites = in_place or not set(sources).isdisjoint(targets)
    cache = "" if overwrites else kernels.cache_modifier(facts, touched)
    dtype = "" if compute is None else compute.triton
    fixed = {"FN": function, "COMPUTE": None if compute is None else triton_dtype(compute), "CACHE": cache}
    if len(sizes) <= 1 and all(s[-1:] in ((1,), ()) for s in strides):
        options = dict(kernels.flat_config(facts, function.__name__, dtype))
        warps = options.pop("num_warps")
        grid = (-(-count // options["BLOCK"]),)
        return Launch(kernels.flat, grid, (xs, tuple(targets)), (count,), fixed | options, num_warps=warps)
    rows, cols = prod(sizes[:-1]), sizes[-1]
    across = any(s[-1] not in (0, 1) for s in strides) and rows > 1
    itemsize = max(m.dtype.itemsize for m in (*inputs, *outputs))
    options = dict(kernels.strided_config(facts, function.__name__, dtype, rows, cols, across, itemsize))
    warps = options.pop("num_warps")
    grid = (-(-rows // options["ROWS"]) * -(-cols // options["COLS"]),) if count else (0,)
    last = 2 if across else 1  # which of the two runs along memory decides how a tile is read
    marked = [(*s[:-last], *map(stride, s[-last:])) for s in strides]
    nothing = (0,) * len(sizes)
    x_strides = (*marked[: len(inputs)], *[nothing for _ in scalars])
    out_strides = tuple(marked[len(inputs) :])
    arguments = (rows, sizes, x_strides, out_strides)
    fixed["BY_ROW"] = facts.kind == "gpu"
    return Launch(kernels.strided, grid, (xs, tuple(targets)), arguments, fixed | options, num_warps=warps)


def launch_rows(
    function: Any,
    sizes: Shape,
    cols: int,
    inputs: Sequence[TensorMeta],
    outputs: Sequence[TensorMeta],
    sources: Sequence[Operands],
    targets: Sequence[LaunchOperand],
    scalars: Sequence[Scalar] = (),
) -> Launch:
    """The launch of the template of whole rows: the last of `sizes`, together `cols`, are reduced by the function.

    The metas have the shape `sizes`; those with stride 0 along the columns, behind the others, have one number for a row.
    """
    inner = next(k for k in range(1, len(sizes) + 1) if prod(sizes[-k:]) == cols)
    steps = [meta.stride for meta in (*inputs, *outputs)]
    across = [s[-1] for s in steps]
    rows, strides = collapse(sizes[:-inner], [s[:-inner] for s in steps])
    marked = [(*s[:-1], stride(s[-1]), stride(last)) for s, last in zip(strides, across)]
    tiles = [last != 0 for last in across]
    options = dict(kernels.config(_facts(outputs), prod(rows), cols)["rows"])
    warps = options.pop("num_warps")
    nothing = (0,) * (len(rows) + 1)
    x_strides = (*marked[: len(inputs)], *[nothing for _ in scalars])
    arguments = (prod(rows), (*rows, cols), x_strides, tuple(marked[len(inputs) :]))
    fixed = {"FN": function, "X_TILES": sum(tiles[: len(inputs)]), "OUT_TILES": sum(tiles[len(inputs) :]), **options}
    grid = (-(-prod(rows) // options["ROWS"]),)
    return Launch(kernels.whole_rows, grid, ((*sources, *scalars), tuple(targets)), arguments, fixed, num_warps=warps)


@cache
def scalar_function(name: str) -> Any:
    """The @triton.jit function "<family>.<function>" of kernels/functions."""
    family, _, function = name.partition(".")
    return getattr(imported(f"tritonflow.kernels.functions.{family}"), function)


def _facts(metas: Sequence[TensorMeta]) -> DeviceFacts:
    return facts_of(metas[0].device)


def triton_dtype(dtype: DType) -> Any:
    """Triton's dtype object for a compute dtype; bool computes as int8, float8 moves as bytes."""
    tl = imported("triton.language")
    if dtype.is_storage:
        return tl.uint8
    return tl.int8 if dtype is bool_ else getattr(tl, dtype.name)


def scalar_dtype(dtype: DType) -> DType:
    """In which dtype a kernel that computes `dtype` takes dynamic scalars."""
    if dtype.is_storage:
        return float32
    return dtype.compute if dtype.is_floating_point or dtype is uint64 else int64


def _result_dtype(op: OpDef, operand: DType, metas: Sequence[TensorMeta]) -> DType:
    rule = op.result
    if rule == "promoted":
        return operand
    if rule == "bool":
        return bool_
    if rule == "float":
        return operand if operand.is_floating_point else get_default_dtype()
    return metas[op.inputs.index(rule)].dtype


def _check_out(out: TensorMeta, dtype: DType) -> None:
    if dtype.category > out.dtype.category:
        raise DTypeError(f"result type {torch_name(dtype)} can't be cast to the desired output type {torch_name(out.dtype)}")


def _inplace_shape(own: Shape, shapes: Sequence[Shape]) -> Shape:
    """The shape of a result that is written over a tensor of shape `own`, with OneFlow's texts where they do not agree."""
    try:
        result = broadcast_shapes(shapes)
    except ShapeError as error:
        raise ShapeError(
            f"Tensor with shape {_plain(own)} doesn't match the broadcast shape in an inplace operation. {error}"
        ) from None
    if result != own:
        what = f"output with shape {list(own)} doesn't match the broadcast shape {list(result)}"
        if len(result) > len(own):
            raise ShapeError(f"Can not expand origin shape {_plain(result)} to {_plain(own)}: {what}")
        if broadcast_shapes([own, result]) != own:
            raise ShapeError(
                f"Tensor with shape {_plain(own)} doesn't match the broadcast shape in an inplace operation: {what}"
            )
    return result


def _plain(shape: Shape) -> str:
    return "(" + ",".join(map(str, shape)) + ")"


def broadcast_shapes(shapes: Sequence[Shape]) -> Shape:
    """The shape that all shapes broadcast to.

    Raises:
        RuntimeError: two sizes differ and neither is 1.
    """
    result = shapes[0]
    for shape in shapes[1:]:
        if shape != result:
            result = _broadcast_two(result, shape)
    return result


def _broadcast_two(a: Shape, b: Shape) -> Shape:
    rank = max(len(a), len(b))
    left, right = (1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b
    result = []
    for dim, (m, n) in enumerate(zip(left, right)):
        if m is n or (type(n) is int and n == 1):  # which asks nothing of the other one, where that is symbolic
            result.append(m)
            continue
        if m != n and m != 1 and n != 1:
            raise ShapeError(
                f"The size of tensor a ({m}) must match the size of tensor b ({n}) at non-singleton dimension {dim}"
            )
        result.append(n if m == 1 else m)
    return tuple(result)


def broadcast_stride(meta: TensorMeta, shape: Shape) -> Shape:
    """The strides with which a tensor is read as `shape`: 0 where it is broadcast."""
    missing = len(shape) - meta.ndim
    own = [0 if n is not m and n == 1 and m != 1 else s for n, s, m in zip(meta.shape, meta.stride, shape[missing:])]
    return (0,) * missing + tuple(own)


def collapse(shape: Sequence[int], strides: Sequence[Sequence[int]]) -> tuple[Shape, list[Shape]]:
    """Drop dimensions of size 1 and merge neighbours that every operand walks through as one."""
    sizes: list[int] = []
    steps: list[list[int]] = [[] for _ in strides]
    for dim, n in enumerate(shape):
        if n == 1:
            continue
        if sizes and all(own[-1] == n * given[dim] for own, given in zip(steps, strides)):
            sizes[-1] *= n
            for own, given in zip(steps, strides):
                own[-1] = given[dim]
            continue
        sizes.append(n)
        for own, given in zip(steps, strides):
            own.append(given[dim])
    if not sizes:
        sizes = [1]
        steps = [[1] for _ in strides]
    return tuple(sizes), [tuple(own) for own in steps]
