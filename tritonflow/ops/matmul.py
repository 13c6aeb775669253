"""Planners of matrix products: matmul of any ranks from two on, and linear. A bias is an epilogue, and so is what a graph fuses.

A product with a single row or column whose operand runs along K in memory is a matrix-vector kernel; a long K with few
tiles is cut into parts. Functors bring vectors to rank two and fold the batch of `(..., m, k) @ (k, n)` into its rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from math import prod
from typing import Any, NamedTuple

from tritonflow.device.provider import facts_of
from tritonflow.dtypes import DType, bfloat16, float8_e4m3fn, float16, float32, float64, int32
from tritonflow.framework.meta import Shape, TensorMeta, contiguous_meta
from tritonflow.kernels.facts import DeviceFacts
from tritonflow.ops.elementwise import broadcast_shapes, collapse, launch, scalar_function
from tritonflow.ops.epilogue import Epilogue, biased, scaled, store_only
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.operands import Address, Float8Input, Input, LaunchOperand, Output, Workspace
from tritonflow.ops.panels import product_launch, takes_panels
from tritonflow.ops.plan import Launch, Plan, stride
from tritonflow.ops.precision import product_dtype
from tritonflow.ops.prologue import Prologues, as_loaded
from tritonflow.ops.scratch import Scratch, padded
from tritonflow.ops.tuning import choose

SUMMED = 16, 64  # the block of a program that adds parts
PADDED = 1 << 29  # multiply-adds of a product that a copy of a factor may be made for

Factors = tuple[LaunchOperand, LaunchOperand]

kernels = KernelModule("matmul")
persistent_kernels = KernelModule("matmul_persistent")
stream_k_kernels = KernelModule("matmul_stream_k")


class Product(NamedTuple):
    """C = A @ B with strides: batch sizes, then per operand the batch's strides and those of (row, column)."""

    m: int
    n: int
    k: int
    batch: Shape
    batch_strides: tuple[Shape, Shape, Shape]
    strides: tuple[Shape, Shape, Shape]

    @property
    def matrices(self) -> int:
        return prod(self.batch)

    @property
    def loads_wide(self) -> bool:
        """Whether a GPU loads 16 bytes of an operand at a time, past the registers, if operands begin at such an address."""
        runs = ((self.strides[0], (self.m, self.k)), (self.strides[1], (self.k, self.n)))
        along = all(
            any(step[d] == 1 and step[1 - d] % 16 == 0 and sizes[d] % 16 == 0 for d in (0, 1)) for step, sizes in runs
        )
        return along and all(step % 16 == 0 for steps in self.batch_strides[:2] for step in steps)


class ProductLaunch(NamedTuple):
    """A product as a launch computes it.

    Attributes:
        factors: where its operands are.
        config: of the kernel.
        splits: of K, of `depth` each.
        outs: where the results go, which the epilogue makes.
    """

    product: Product
    factors: Factors
    config: dict[str, Any]
    splits: int
    depth: int
    outs: tuple[LaunchOperand, ...]
    epilogue: Epilogue
    prologues: Prologues


def matmul(
    op: OpDef,
    inputs: tuple[TensorMeta, ...],
    attrs: tuple[Any, ...],
    epilogue: Epilogue | None = None,
    prologues: Prologues | None = None,
    outputs: Sequence[TensorMeta] = (),
) -> Plan:
    """The product of the last two dimensions; attributes: (transpose_a, transpose_b).

    `outputs`: metas of the results, where rows are padded.
    """
    a, b = inputs
    alone = epilogue is None and prologues is None and a.dtype.is_floating_point and not a.dtype.is_storage
    prologues = prologues or as_loaded(a)
    transpose_a, transpose_b = attrs
    a_shape, a_stride = _matrices(a, transpose_a)
    b_shape, b_stride = _matrices(b, transpose_b)
    batch = broadcast_shapes([a_shape[:-2], b_shape[:-2]])
    c = outputs[0] if outputs else contiguous_meta((*batch, a_shape[-2], b_shape[-1]), prologues.dtype, a.device)
    if alone and a_shape[-1] == 1:
        column, row = TensorMeta.get(a_shape, a_stride, a.dtype, a.device), TensorMeta.get(b_shape, b_stride, b.dtype, b.device)
        return _outer(inputs, column, row, c)
    strides = [_expanded(s, t, batch) for s, t in ((a_shape, a_stride), (b_shape, b_stride))]
    p = product(a_shape[-2], b_shape[-1], a_shape[-1], batch, (*strides, c.stride))
    return plan_product(inputs, p, epilogue or store_only(c), prologues)


def unrounded_product(
    op: OpDef,
    inputs: tuple[TensorMeta, ...],
    attrs: tuple[Any, ...],
    epilogue: Epilogue | None = None,
    prologues: Prologues | None = None,
) -> Plan:
    """The product of the last two dimensions, whose float32 sums are the result."""
    a, b = inputs
    batch = broadcast_shapes([a.shape[:-2], b.shape[:-2]])
    c = contiguous_meta((*batch, a.shape[-2], b.shape[-1]), float32, a.device)
    strides = [_expanded(meta.shape, meta.stride, batch) for meta in inputs]
    p = product(a.shape[-2], b.shape[-1], a.shape[-1], batch, (*strides, c.stride))
    return plan_product(inputs, p, epilogue or store_only(c), prologues or as_loaded(a))


def _outer(inputs: tuple[TensorMeta, ...], column: TensorMeta, row: TensorMeta, c: TensorMeta) -> Plan:
    """Sums of one product each, as gradients of products with vectors are: columns times rows, element by element."""
    multiply = scalar_function("arithmetic.mul")
    return Plan(inputs, (c,), [launch(multiply, c.dtype.compute, c.shape, (column, row), (c,), Input.several(2), (Output(0),))])


def linear(
    op: OpDef,
    inputs: tuple[TensorMeta | None, ...],
    attrs: tuple[Any, ...],
    epilogue: Epilogue | None = None,
    prologues: Prologues | None = None,
    outputs: Sequence[TensorMeta] = (),
) -> Plan:
    """x (rows, in) @ weight (out, in) transposed + bias (out), which another epilogue has to add itself.

    `outputs`: metas of the results, where rows are padded.
    """
    x, weight, bias = inputs
    assert x is not None and weight is not None
    prologues = prologues or as_loaded(x)
    c = outputs[0] if outputs else contiguous_meta((x.shape[0], weight.shape[0]), prologues.dtype, x.device)
    p = product(x.shape[0], weight.shape[0], x.shape[1], (), (x.stride, weight.stride[::-1], c.stride))
    return plan_product(inputs, p, epilogue or biased(c, c.shape, bias), prologues)


def scaled_mm(op: OpDef, inputs: tuple[TensorMeta | None, ...], attrs: tuple[Any, ...]) -> Plan:
    """scale_a * scale_b * (a @ b) + bias, of float8 matrices; attributes: (dtype of the result,).

    Scales are (rows or 1, 1) and (1, columns or 1). Matrix units that take float8 multiply it; for others it is cast.
    """
    a, b, scale_a, scale_b, bias = inputs
    assert a is not None and b is not None and scale_a is not None and scale_b is not None
    c = contiguous_meta((a.shape[0], b.shape[1]), attrs[0], a.device)
    p = product(a.shape[0], b.shape[1], a.shape[1], (), (a.stride, b.stride, c.stride))
    facts = facts_of(a.device)
    if facts.architecture.float8:
        prologues = Prologues(None, None, float8_e4m3fn)
    else:
        dtype = float16 if facts.kind == "gpu" else float32
        prologues = Prologues(_widening(a.dtype, dtype), _widening(b.dtype, dtype), dtype)
    return plan_product(inputs, p, scaled(c, scale_a, scale_b, bias), prologues)


def int_mm(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """a @ b of int8 matrices, whose int32 sums are the result."""
    a, b = inputs
    c = contiguous_meta((a.shape[0], b.shape[1]), int32, a.device)
    p = product(a.shape[0], b.shape[1], a.shape[1], (), (a.stride, b.stride, c.stride))
    return plan_product(inputs, p, store_only(c), as_loaded(a))


def scaled_int_mm(op: OpDef, inputs: tuple[TensorMeta | None, ...], attrs: tuple[Any, ...]) -> Plan:
    """scale_a * scale_b * (a @ b) + bias, of int8 matrices added in int32; attributes: (dtype of the result,)."""
    a, b, scale_a, scale_b, bias = inputs
    assert a is not None and b is not None and scale_a is not None and scale_b is not None
    c = contiguous_meta((a.shape[0], b.shape[1]), attrs[0], a.device)
    p = product(a.shape[0], b.shape[1], a.shape[1], (), (a.stride, b.stride, c.stride))
    return plan_product(inputs, p, scaled(c, scale_a, scale_b, bias), as_loaded(a))


def takes_sums(a: TensorMeta, b: TensorMeta) -> bool:
    """Whether `matmul_with_sums` has a kernel for these matrices."""
    return a.dtype.is_floating_point and _config_with_sums(a, b) is not None


def matmul_with_sums(
    op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...], epilogue: Epilogue | None = None
) -> Plan:
    """a^T @ b, which an epilogue may take, and the sums of a's columns, where `takes_sums`."""
    a, b = inputs
    p, config = _transposed_product(a, b), _config_with_sums(a, b)
    assert config is not None
    epilogue, scratch = epilogue or store_only(contiguous_meta((p.m, p.n), a.dtype, a.device)), Scratch()
    sums = contiguous_meta((p.m,), a.dtype, a.device)
    call = ProductLaunch(p, (Input(0), Input(1)), config, 1, p.k, epilogue.targets, epilogue, as_loaded(a))
    launches = _shared(scratch, call, Output.several(1, len(epilogue.outputs)))
    return Plan((*inputs, *epilogue.inputs), (*epilogue.outputs, sums), launches, scratch.workspaces)


def _transposed_product(a: TensorMeta, b: TensorMeta) -> Product:
    """a^T @ b, of matrices."""
    m, n = a.shape[1], b.shape[1]
    return product(m, n, a.shape[0], (), (a.stride[::-1], b.stride, (n, 1)))


def _config_with_sums(a: TensorMeta, b: TensorMeta) -> dict[str, Any] | None:
    """The configuration of programs that share out the steps of a^T @ b; None where that does not pay."""
    facts, p = facts_of(a.device), _transposed_product(a, b)
    configs = _persistent_configs(facts, product_dtype(facts, a.dtype, "matmul"), p, store_only(a))
    return next((config for config in configs if config["share"]), None) if a.aligned and b.aligned else None


def _widening(source: DType, target: DType) -> Any:
    """The scalar function that casts float8."""
    width = "half" if target is float16 else "float"
    return scalar_function(f"float8.{source.name.removeprefix('float8_')}_to_{width}")


def _matrices(meta: TensorMeta, transposed: bool) -> tuple[Shape, Shape]:
    """Shape and strides with the last two dimensions swapped if `transposed`."""
    if not transposed:
        return meta.shape, meta.stride
    shape, step = [(*s[:-2], s[-1], s[-2]) for s in (meta.shape, meta.stride)]
    return shape, step


def _expanded(shape: Shape, strides: Shape, batch: Shape) -> Shape:
    """Strides of (batch, row, column): 0 in dimensions of the batch that the operand lacks or has once."""
    missing = len(batch) - (len(shape) - 2)
    own = [0 if size == 1 else step for size, step in zip(shape[:-2], strides[:-2])]
    return (*[0] * missing, *own, *strides[-2:])


def product(m: int, n: int, k: int, batch: Shape, strides: tuple[Shape, ...]) -> Product:
    """A product with the batch's dimensions merged where every operand walks through them as one."""
    steps: list[Shape] = [(), (), ()]
    if prod(batch) != 1:
        batch, steps = collapse(batch, [s[:-2] for s in strides])
    else:
        batch = ()
    return Product(m, n, k, batch, tuple(steps), tuple(s[-2:] for s in strides))  # type: ignore[arg-type]


def plan_product(inputs: tuple[TensorMeta | None, ...], p: Product, epilogue: Epilogue, prologues: Prologues) -> Plan:
    """The plan of a product of inputs 0 and 1."""
    a, inputs, outputs = inputs[0], (*inputs, *epilogue.inputs), epilogue.outputs
    assert a is not None
    facts, dtype, scratch = facts_of(a.device), prologues.dtype, Scratch()
    kind = "fp8" if a.dtype.is_storage else product_dtype(facts, dtype, "matmul")
    few_rows = _few_rows(facts, p, epilogue, prologues)
    if few_rows is not None:
        return Plan(inputs, outputs, [few_rows])
    if epilogue.is_plain and not prologues.any and min(p.m, p.n) == 1 and p.k > 1:
        matvec = _matvec(facts, p)
        if matvec is not None:
            return Plan(inputs, outputs, [matvec])
    b = inputs[1]
    if b is not None and takes_panels(facts, kind, p.matrices, p.k, p.n, p.strides[0], p.strides[2]):
        launch = product_launch(scratch, b, (p.m, p.n, p.k), p.strides, epilogue, prologues)
        return Plan(inputs, outputs, [*scratch.launches, launch], scratch.workspaces)
    operand = Float8Input if dtype.is_storage else Input
    factors: Factors = (operand(0), operand(1))
    if facts.kind == "gpu" and a.dtype.is_floating_point and a.dtype.itemsize == 2:
        pays = lambda q: q.loads_wide or bool(_large(facts, kind, q, epilogue, prologues))  # noqa: E731
        p, factors = _padded(scratch, inputs, p, prologues, pays)
    aligned = all(x.__class__ is Workspace or meta is None or meta.aligned for x, meta in zip(factors, inputs))
    launches = product_launches(scratch, p, factors, epilogue, prologues, aligned, kind)
    return Plan(inputs, outputs, [*scratch.launches, *launches], scratch.workspaces)


def product_launches(
    scratch: Scratch,
    p: Product,
    factors: tuple[LaunchOperand, LaunchOperand],
    epilogue: Epilogue,
    prologues: Prologues,
    aligned: bool,
    kind: str,
    outs: tuple[LaunchOperand, ...] = (),
) -> list[Launch]:
    """The launches of one product among those of a plan.

    Args:
        scratch: of the plan, for sums of parts.
        factors: where they are.
        aligned: whether both begin at 16 bytes.
        kind: what it is computed in.
        outs: where the results go, unless these are the plan's outputs.
    """
    facts = facts_of(epilogue.outputs[0].device)
    narrow = not (p.loads_wide and aligned)
    rule = kernels.config(facts, kind, p.m, p.n, p.k, prologues.any, p.matrices, not epilogue.is_brief, narrow)
    splits, depth = kernels.splits_of_k(facts, kind, p.m, p.n, p.k, p.matrices, rule)
    large = _large(facts, kind, p, epilogue, prologues) if aligned else []
    config = choose(chain(large, kernels.candidates(facts, kind, p.m, p.n, rule, prologues.any)))
    call = ProductLaunch(p, factors, config, 1, p.k, outs or epilogue.targets, epilogue, prologues)
    if "programs" in config:
        return _shared(scratch, call) if config["share"] else [_persistent(call)]
    if splits == 1 or not prologues.dtype.is_floating_point:
        return [_tiles(call)]
    return _split(scratch, call._replace(splits=splits, depth=depth))


def _large(facts: DeviceFacts, kind: str, p: Product, epilogue: Epilogue, prologues: Prologues) -> list[dict[str, Any]]:
    """The configuration of programs that compute one tile after the other, without prologues."""
    return [] if prologues.any else _persistent_configs(facts, kind, p, epilogue)


def _split(scratch: Scratch, call: ProductLaunch) -> list[Launch]:
    """The launch of all splits, whose sums go to a workspace, and the one that adds these."""
    p, epilogue = call.product, call.epilogue
    dtype = float64 if call.prologues.dtype is float64 else float32
    parts = contiguous_meta((call.splits, p.m, p.n), dtype, epilogue.outputs[0].device)
    sums = scratch.memory(parts.numel, parts.dtype)
    whole = Product(p.m, p.n, p.k, (), ((), (), ()), (*p.strides[:2], (p.n, 1)))
    partial = _tiles(call._replace(product=whole, outs=(sums,), epilogue=store_only(parts)))
    return [partial, reduce_splits(p, call.splits, epilogue, sums, call.outs)]


def _padded(
    scratch: Scratch, inputs: tuple[TensorMeta | None, ...], p: Product, prologues: Prologues, pays: Callable[[Product], bool]
) -> tuple[Product, Factors]:
    """The product with copies of large factors whose rows begin where no 16 bytes are loaded at a time, if that `pays`.

    Two bytes at a time go through registers, and the matrix units wait for them: a third of the speed. A copy takes as long as
    some 200 columns of the product.
    """
    factors: list[Address] = [Input(0), Input(1)]
    large = p.matrices == 1 and p.m * p.n * p.k >= PADDED
    copied: dict[int, tuple[TensorMeta, TensorMeta]] = {}
    for number, (sizes, others, prologue) in enumerate((((p.m, p.k), p.n, prologues.a), ((p.k, p.n), p.m, prologues.b))):
        meta, step = inputs[number], p.strides[number]
        assert meta is not None
        odd = 1 in step and (max(step) % 8 != 0 or not meta.aligned)
        if large and odd and others >= 512 and prologue is None and min(sizes) > 1:
            matrix = TensorMeta.get(sizes, step, meta.dtype, meta.device)
            copied[number] = matrix, padded(matrix)
    strides = [copied[k][1].stride if k in copied else p.strides[k] for k in range(3)]
    found = p._replace(strides=(strides[0], strides[1], strides[2]))
    if not copied or not pays(found):
        return p, (factors[0], factors[1])
    for number, (matrix, target) in copied.items():
        factors[number] = scratch.copy_to(matrix, factors[number], target)
    return found, (factors[0], factors[1])


def _marked(strides: Shape) -> tuple[stride, ...]:
    return tuple([stride(s) for s in strides])


def _persistent_configs(facts: DeviceFacts, kind: str, p: Product, epilogue: Epilogue) -> list[dict[str, Any]]:
    """The configuration of programs that compute one tile after the other, where that pays and descriptors can be had."""
    if facts.kind == "cpu":
        return []
    described = all(1 in steps and min(steps) > 0 and max(steps) % 8 == 0 for steps in p.strides[:2])
    rows = max(size * step for sizes, steps in zip(((p.m, p.k), (p.k, p.n)), p.strides) for size, step in zip(sizes, steps))
    if not described or p.matrices > 1 or max(rows, p.m * p.strides[2][0]) >= 1 << 31:
        return []
    config = persistent_kernels.config(facts, kind, p.m, p.n, p.k, epilogue.operations)
    return [] if config is None else [config]


def _persistent(call: ProductLaunch) -> Launch:
    """By programs that compute one tile after the other."""
    p, config, epilogue = call.product, call.config, call.epilogue
    columns = p.strides[2][0] if epilogue.is_plain else p.n  # the padding of rows too, so that stores are wide
    facts, widest = facts_of(epilogue.outputs[0].device), max(out.dtype.itemsize for out in epilogue.outputs)
    parts = persistent_kernels.epilogue_parts(facts, epilogue.is_light, widest)
    return Launch(
        persistent_kernels.matmul_persistent,
        (config["programs"],),
        (*call.factors, epilogue.operands, call.outs),
        (p.m, p.n, p.k, columns, *map(_marked, p.strides), *epilogue.arguments),
        {**_transposed(p), "EPILOGUE": epilogue.function, "PARTS": parts, **config["constexprs"]},
        num_warps=config["num_warps"],
        num_stages=config["num_stages"],
    )


def _shared(scratch: Scratch, call: ProductLaunch, row_sums: tuple[Output, ...] = ()) -> list[Launch]:
    """By programs that have equal shares of all steps; their sums go to a workspace, and a second launch adds these.

    `row_sums`: where the sums of the rows of the first factor go, if anywhere.
    """
    p, config, epilogue = call.product, call.config, call.epilogue
    blocks, share, size = config["constexprs"], config["share"], p.m * p.n
    steps = -(-p.k // blocks["BLOCK_K"])
    most = -(-steps // share) + 1
    sums = scratch.memory(most * size, float32)
    row_parts = tuple([scratch.memory(most * p.m, float32) for _ in row_sums])
    a, b, c = map(_marked, p.strides)
    options = {"num_warps": config["num_warps"], "num_stages": config["num_stages"]}
    partial = Launch(
        stream_k_kernels.matmul_stream_k,
        (config["programs"],),
        (*call.factors, sums, row_parts),
        (p.m, p.n, p.k, share, size, a, b),
        {**_transposed(p), **blocks},
        **options,
    )
    block_m, block_n = SUMMED
    added = Launch(
        stream_k_kernels.add_parts,
        (-(-p.m // block_m), -(-p.n // block_n)),
        (sums, row_parts, epilogue.operands, call.outs, row_sums),
        (p.m, p.n, p.k, share, size, c, *epilogue.arguments),
        {
            "EPILOGUE": epilogue.function,
            **{f"TILE_{d}": blocks[f"BLOCK_{d}"] for d in "MNK"},
            "BLOCK_M": block_m,
            "BLOCK_N": block_n,
        },
        num_warps=4,
    )
    return [partial, added]


def _transposed(p: Product) -> dict[str, bool]:
    """Which operands run on along their columns' neighbours."""
    a, b, _ = p.strides
    return {"TRANSPOSED_A": a[1] != 1, "TRANSPOSED_B": b[1] != 1}


def _tiles(call: ProductLaunch) -> Launch:
    """By a program for each tile of each split."""
    p, config, epilogue = call.product, call.config, call.epilogue
    blocks, warps = config["constexprs"], config["num_warps"]
    parts = 1 if epilogue.is_light else kernels.epilogue_parts(facts_of(epilogue.outputs[0].device), blocks, warps)
    tiles = -(-p.m // blocks["BLOCK_M"]) * -(-p.n // blocks["BLOCK_N"]) * p.matrices
    sizes = (p.m, p.n, p.k, max(call.depth, 1), p.batch, *map(_marked, p.batch_strides), *map(_marked, p.strides))
    return Launch(
        kernels.matmul,
        (tiles, call.splits),
        (*call.factors, epilogue.operands, call.outs),
        (*sizes, *epilogue.arguments, p.m * p.n),
        {**call.prologues.constexprs, "EPILOGUE": epilogue.function, "PARTS": parts, **blocks},
        work=p.m * p.n * p.k * p.matrices // 16,
        num_warps=warps,
        num_stages=config["num_stages"],
    )


def reduce_splits(
    p: Product, splits: int, epilogue: Epilogue, parts: Workspace, outs: tuple[LaunchOperand, ...] = ()
) -> Launch:
    """The sum of the parts in a workspace, for a product of a single matrix. `outs`: as of `product_launches`."""
    block_m, block_n = SUMMED
    return Launch(
        kernels.reduce_splits,
        (-(-p.m // block_m), -(-p.n // block_n)),
        (parts, epilogue.operands, outs or epilogue.targets),
        (splits, p.m * p.n, p.m, p.n, _marked(p.strides[2]), *epilogue.arguments),
        {"EPILOGUE": epilogue.function, "BLOCK_M": block_m, "BLOCK_N": block_n},
        num_warps=4,
    )


def _matvec(facts: DeviceFacts, p: Product) -> Launch | None:
    """The launch for one column (or one row, transposed), if the matrix is contiguous along K."""
    a, b, c = p.strides
    if p.n == 1 and a[1] == 1:
        order, rows, matrix, x, y = (0, 1), p.m, a, b[0], c[0]
    elif p.m == 1 and b[0] == 1:
        order, rows, matrix, x, y = (1, 0), p.n, b[::-1], a[1], c[1]
    else:
        return None
    config = kernels.matvec_config(facts, p.k)
    tiles = -(-rows // config["constexprs"]["BLOCK_M"]) * p.matrices
    batch = [_marked(p.batch_strides[i]) for i in (*order, 2)]
    sizes = (rows, p.k, p.batch, *batch, _marked(matrix), stride(x), stride(y))
    operands = (Input(order[0]), Input(order[1]), Output(0))
    return Launch(kernels.matvec, (tiles,), operands, sizes, config["constexprs"], num_warps=config["num_warps"])


def _few_rows(facts: DeviceFacts, p: Product, epilogue: Epilogue, prologues: Prologues) -> Launch | None:
    """The launch for few rows of A, if a CPU reads columns of B as they lie in memory."""
    a, b, c = p.strides
    fits = b[0] == 1 and a[1] == 1 and p.matrices == 1 and epilogue.is_brief and not prologues.any
    if not fits or prologues.dtype not in (float32, float16, bfloat16):
        return None
    config = kernels.few_rows_config(facts, prologues.dtype.itemsize, p.m, p.n, p.k)
    if config is None:
        return None
    return Launch(
        kernels.few_rows,
        (-(-p.m // config["constexprs"]["ROWS"]), -(-p.n // config["constexprs"]["COLUMNS"])),
        (Input(0), Input(1), epilogue.operands, epilogue.targets),
        (p.m, p.n, p.k, _marked(a), _marked(b), _marked(c), *epilogue.arguments),
        {"EPILOGUE": epilogue.function, **config["constexprs"]},
        work=p.m * p.n * p.k // 8,
    )
