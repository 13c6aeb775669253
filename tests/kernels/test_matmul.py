"""kernels/matmul.py against torch.matmul."""

import math
import time

import pytest
import torch
import triton
import triton.language as tl

from tests.device.fake_cuda import A100, GPUS, H100
from tests.kernels.harness import (
    BACKENDS,
    CPU,
    GPU,
    TYPES,
    Constant,
    compile_for,
    flat,
    kernels,
    run,
    signature,
    stride,
    strides,
)
from tests.triton_cpu.test_memory import page_before_a_hole
from tritonflow import triton_cpu
from tritonflow.testing import assert_close, in_float64

module = kernels("matmul")
persistent = kernels("matmul_persistent")
stream_k = kernels("matmul_stream_k")
epilogues = kernels("epilogue")
WHOLE = {"BLOCK_M": 128, "BLOCK_N": 256, "BLOCK_K": 64, "GROUP_M": 8}  # the tile of programs that compute several
TOLERANCE = {torch.float16: 2e-2, torch.bfloat16: 1.5e-1, torch.float32: 1e-4, torch.float64: 1e-10}


def column_operands(extras, m, n):
    """Sizes and strides of operands of an epilogue that have an element for every column."""
    return ((m,), (n,)), tuple(((Constant(0),), (stride(e.stride(0)),)) for e in extras)


def call(a, b, bias=None, splits=1, facts=CPU, kind=None):
    """(kernel, grid, arguments, constexprs, result) of a @ b + bias; `kind` is what the configuration is asked for."""
    m, k, n = *a.shape[-2:], b.shape[-1]
    batch = torch.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    a, b = a.expand(*batch, m, k), b.expand(*batch, k, n)
    c = torch.full((*batch, m, n), 77, dtype=a.dtype)
    config = module.config(facts, kind or TYPES[a.dtype], m, n, k)
    blocks = config["constexprs"]
    extras = () if bias is None else (bias,)
    out = c if splits == 1 else torch.empty(splits, m, n, dtype=c.dtype if c.dtype == torch.float64 else torch.float32)
    args = (a, b, extras if splits == 1 else (), (out,), m, n, k, max(1, -(-k // splits)), tuple(batch))
    args += (strides(a)[:-2], strides(b)[:-2], strides(c)[:-2], strides(a)[-2:], strides(b)[-2:], strides(c)[-2:])
    args += (*(column_operands(extras, m, n) if splits == 1 else ((), ())), m * n)
    epilogue = epilogues.add_bias if extras and splits == 1 else epilogues.identity
    tiles = math.ceil(m / blocks["BLOCK_M"]) * math.ceil(n / blocks["BLOCK_N"]) * math.prod(batch)
    options = {key: config[key] for key in ("num_warps", "num_stages")}
    functions = {"PROLOGUE_A": None, "PROLOGUE_B": None, "EPILOGUE": epilogue, "PARTS": 1}
    return module.matmul, (tiles, splits), args, {**functions, **blocks}, c, out, options


def check(c, a, b, bias=None):
    expected = a.double() @ b.double() + (0 if bias is None else bias.double())
    tolerance = TOLERANCE.get(c.dtype, 0)
    torch.testing.assert_close(c.double(), expected, rtol=tolerance, atol=tolerance)


def operand(shape, dtype, transposed=False):
    shape = (*shape[:-2], shape[-1], shape[-2]) if transposed else shape
    x = (
        torch.randint(-5, 5, shape).to(dtype)
        if not dtype.is_floating_point
        else torch.randn(shape, dtype=torch.float64).to(dtype)
    )
    return x.mT if transposed else x


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    "dtype", [torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int32, torch.int64]
)
@pytest.mark.parametrize(
    ("a_shape", "b_shape"),
    [((4, 4), (4, 4)), ((33, 70), (70, 17)), ((2, 1, 5, 19), (3, 19, 6)), ((1, 129), (129, 1))],
)
def test_shapes(backend, dtype, a_shape, b_shape):
    a, b = operand(a_shape, dtype), operand(b_shape, dtype)
    kernel, grid, args, constexprs, c, *_ = call(a, b)
    run(backend, kernel, grid, args, constexprs)
    check(c, a, b)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("transposed", [(False, True), (True, False), (True, True)])
def test_transposes_and_bias(backend, transposed):
    a, b = operand((40, 37), torch.float32, transposed[0]), operand((37, 50), torch.float32, transposed[1])
    bias = torch.randn(50)
    kernel, grid, args, constexprs, c, *_ = call(a, b, bias)
    run(backend, kernel, grid, args, constexprs)
    check(c, a, b, bias)


@pytest.mark.parametrize("backend", BACKENDS)
def test_several_tiles(backend):
    a, b = operand((200, 300), torch.float32), operand((300, 150), torch.float32)
    kernel, grid, args, constexprs, c, *_ = call(a, b)
    run(backend, kernel, grid, args, constexprs)
    check(c, a, b)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
@pytest.mark.parametrize("left", [False, True])
def test_what_lies_behind_the_end_of_an_operand_is_not_loaded(dtype, left):
    """On a CPU even a masked load of what is not there faults, which takes a hundred times as long. The product itself takes 4 us."""

    def seconds(x):
        y, k = operand((*x.shape,), dtype), x.shape[0]
        a, b = (x.mT, y) if left else (y.mT, x)
        kernel, (tiles, _), args, constexprs, c, *_ = call(a, b)
        assert constexprs["BLOCK_K"] > k
        compiled = triton_cpu.compile(kernel, *signature(kernel, args, constexprs))
        arguments, times = [leaf for arg in args for leaf in flat(arg)], []
        for _ in range(20):
            start = time.thread_time()
            compiled.launch(tiles, 1, 1, *arguments)
            times.append(time.thread_time() - start)
        check(c, a, b)
        return min(times)

    with page_before_a_hole() as page:
        last = page.view(dtype).view(-1, 64)
        last = last[-(len(last) // 2 + 2) :]
        last.copy_(torch.randn(last.shape))
        assert seconds(last) < 5 * seconds(torch.randn(16 * len(last), 64).to(dtype)[: len(last)])


@pytest.mark.parametrize("backend", BACKENDS)
def test_empty_k_gives_zeros(backend):
    a, b = torch.empty(3, 0), torch.empty(0, 5)
    kernel, grid, args, constexprs, c, *_ = call(a, b)
    run(backend, kernel, grid, args, constexprs)
    assert torch.equal(c, torch.zeros(3, 5))


@pytest.mark.parametrize("backend", BACKENDS)
def test_nonfinite_values_stay_in_their_row_and_column(backend):
    a, b = torch.randn(20, 30), torch.randn(30, 20)
    a[3, 4], b[5, 6] = math.nan, math.inf
    kernel, grid, args, constexprs, c, *_ = call(a, b)
    run(backend, kernel, grid, args, constexprs)
    assert_close(c, in_float64(a.double() @ b.double()), op_class="matmul", equal_nan=True)


@pytest.mark.parametrize("backend", BACKENDS)
def test_splits_of_k(backend):
    a, b, bias = operand((20, 500), torch.float32), operand((500, 24), torch.float32), torch.randn(24)
    kernel, grid, args, constexprs, c, parts, _ = call(a, b, bias, splits=3)
    run(backend, kernel, grid, args, constexprs)
    sizes = (3, 20 * 24, 20, 24, strides(c), *column_operands((bias,), 20, 24))
    blocks = {"EPILOGUE": epilogues.add_bias, "BLOCK_M": 16, "BLOCK_N": 16}
    run(backend, module.reduce_splits, (2, 2), (parts, (bias,), (c,), *sizes), blocks)
    check(c, a, b, bias)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("kind", "tile"),
    [("bf16", (128, 256, 64)), ("fp16", (64, 128, 64)), ("tf32x3", (64, 128, 16)), ("tf32", (128, 128, 32)), ("fp32", (64, 64, 16))],
)
def test_tiles_of_gpus(backend, kind, tile):
    """What a GPU is given has the right numbers here, for odd sizes and a transposed operand."""
    dtype = {"fp16": torch.float16, "bf16": torch.bfloat16}.get(kind, torch.float32)
    m, n, k = tile[0] + 3, tile[1] + 1, tile[2] + 5
    a, b, bias = operand((m, k), dtype, True), operand((k, n), dtype), torch.randn(n).to(dtype)
    kernel, _, args, constexprs, c, *_ = call(a, b, bias, facts=GPU, kind=kind)
    run(backend, kernel, (4, 1), args, {**constexprs, **dict(zip(("BLOCK_M", "BLOCK_N", "BLOCK_K"), tile))})
    check(c, a, b, bias)


SHAPES = [(1, 1, 1), (0, 5, 3), (5, 3, 0), (33, 65, 7), (128, 4096, 4096), (512, 512, 65536), (100, 50257, 768), (4096, 4096, 4096)]


@pytest.mark.parametrize("facts", [*GPUS.values(), H100._replace(capability=75)])
@pytest.mark.parametrize("kind", ["fp16", "tf32", "tf32x3", "fp32", "fp64"])
def test_rules_of_gpus(facts, kind):
    """Splits cover K, each begins where a load of 16 bytes may; tiles fit."""
    for m, n, k in SHAPES:
        rule = module.config(facts, kind, m, n, k)
        blocks = rule["constexprs"]
        stage = (blocks["BLOCK_M"] + blocks["BLOCK_N"]) * blocks["BLOCK_K"] * {"fp16": 2, "fp64": 8}.get(kind, 4)
        assert stage * rule["num_stages"] <= facts.shared_memory
        splits, depth = module.splits_of_k(facts, kind, m, n, k, 1, rule)
        assert splits >= 1 and splits * depth >= k > (splits - 1) * depth or k == 0
        assert splits == 1 or depth % 64 == 0
        assert module.splits_of_k(facts, kind, m, n, k, 3, rule)[0] == 1, "no workspace for matrices of a batch"


def test_rules_of_an_h100():
    """Large products take the tile that shared memory feeds best; others as many programs as there are multiprocessors."""

    def rule(m, n, k, **fused):
        config = module.config(H100, "bf16", m, n, k, **fused)
        blocks = config["constexprs"]
        programs = -(-m // blocks["BLOCK_M"]) * -(-n // blocks["BLOCK_N"]) * module.splits_of_k(H100, "bf16", m, n, k, 1, config)[0]
        return (blocks["BLOCK_M"], blocks["BLOCK_N"]), programs

    assert rule(4096, 4096, 4096) == ((128, 256), 512)
    assert rule(4096, 4096, 4096, few_registers=True) == ((128, 128), 1024)
    for shape in ((1024, 1024, 1024), (64, 8192, 8192), (512, 512, 65536), (128, 4096, 4096)):
        assert 120 <= rule(*shape)[1] <= 264, shape


@triton.jit
def halved(x):
    return x.to(tl.bfloat16)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("which", [(True, False), (False, True), (True, True)])
@pytest.mark.parametrize("splits", [1, 3])
@pytest.mark.parametrize("transposed", [False, True])
def test_casts_as_prologues(backend, which, splits, transposed):
    """The bits of casts before the product, ragged sizes or not."""
    a, b = operand((40, 520), torch.float32, transposed), operand((520, 64), torch.float32, not transposed)
    given = [x if wide else x.to(torch.bfloat16) for x, wide in zip((a, b), which)]
    found = []
    for x, y, wide in ((*given, which), (a.to(torch.bfloat16), b.to(torch.bfloat16), (False, False))):
        kernel, grid, args, constexprs, c, out, _ = call(x.to(torch.bfloat16), y.to(torch.bfloat16), splits=splits)
        prologues = dict(zip(("PROLOGUE_A", "PROLOGUE_B"), (halved if w else None for w in wide)))
        args = (x, y, *args[2:])
        strides_of = (strides(x), strides(y), strides(out)[-2:])
        run(backend, kernel, grid, (*args[:12], *strides_of, *args[15:]), {**constexprs, **prologues})
        found.append(out)
    assert torch.equal(*found)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("parts", [1, 2])
def test_operands_of_an_epilogue(backend, dtype, parts):
    """Rows counted through the batch, columns in two dimensions, operands broadcast along either, a run-time scalar."""
    a, b = operand((3, 20, 9), dtype), operand((3, 9, 12), dtype)
    by_batch, by_column = torch.randn(3, 1, 4, 3).to(dtype), torch.randn(20, 1, 3)
    kernel, grid, args, constexprs, c, *_ = call(a, b)
    extras = [t.expand(3, 20, 4, 3) for t in (by_batch, by_column)]
    steps = [*(t.stride() for t in extras), (0, 0, 0, 0)]
    steps = tuple((tuple(map(stride, step[:2])), tuple(map(stride, step[2:]))) for step in steps)
    args = (*args[:2], (by_batch, by_column, 0.5), *args[3:-3], ((3, 20), (4, 3)), steps, args[-1])
    run(backend, kernel, grid, args, {**constexprs, "PARTS": parts, "EPILOGUE": kernels("functions.arithmetic").addcmul})
    expected = a.double() @ b.double() + 0.5 * (extras[0].double() * extras[1].double()).flatten(2)
    torch.testing.assert_close(c.double(), expected, rtol=TOLERANCE[dtype], atol=TOLERANCE[dtype])


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float64, torch.int64])
def test_matvec(backend, dtype):
    a, x = operand((3, 21, 70), dtype), operand((70, 1), dtype)[:, 0]
    y = torch.empty(3, 21, dtype=dtype)
    config = module.matvec_config(CPU, 70)
    args = (
        a,
        x,
        y,
        21,
        70,
        (3,),
        strides(a)[:1],
        (Constant(0),),
        strides(y)[:1],
        strides(a)[1:],
        Constant(1),
        Constant(1),
    )
    run(backend, module.matvec, (math.ceil(21 / config["constexprs"]["BLOCK_M"]) * 3,), args, config["constexprs"])
    check(y, a, x)


@pytest.mark.parametrize("arch", [80, 90])
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.int64])
@pytest.mark.parametrize("size", [4, 1024])
@pytest.mark.sampled(most=4)
def test_compiles(arch, dtype, size):
    a = torch.empty(size, size, dtype=dtype)
    kernel, _, args, constexprs, _, _, options = call(a, a, torch.empty(size, dtype=dtype), facts=GPU)
    assert compile_for(arch, kernel, args, constexprs, **options).asm["ptx"]


def rows_of_16_bytes(rows, columns, dtype, transposed):
    """A matrix whose rows, or columns if transposed, begin at multiples of 16 bytes, as descriptors want them."""
    rows, columns = (columns, rows) if transposed else (rows, columns)
    x = operand((rows, columns + -columns % 8), dtype)[:, :columns]
    return x.mT if transposed else x


@pytest.mark.sampled
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize(
    ("m", "n", "k", "transposed", "parts"),
    [
        (300, 520, 200, (False, True), 4), (130, 264, 72, (True, False), 1), (129, 8, 64, (False, False), 2),
        (256, 256, 24, (True, True), 4),
    ],
)  # fmt: skip
def test_programs_that_compute_several_tiles(backend, dtype, m, n, k, transposed, parts):
    """With descriptors of what has no whole tiles; the bits are those of the kernel with a program for each tile."""
    a, b = (rows_of_16_bytes(*shape, dtype, t) for shape, t in zip(((m, k), (k, n)), transposed))
    bias, c, own = operand((n,), dtype), torch.full((m, n), 77.0, dtype=dtype), torch.empty(m, n, dtype=dtype)
    args = (a, b, (bias,), (c,), m, n, k, n, strides(a), strides(b), strides(c), *column_operands((bias,), m, n))
    layout = {"TRANSPOSED_A": transposed[0], "TRANSPOSED_B": transposed[1], "PARTS": parts, "EPILOGUE": epilogues.add_bias}
    run(backend, persistent.matmul_persistent, (2,), args, {**layout, **WHOLE})
    check(c, a, b, bias)
    rule = {**WHOLE, "DOT": True, "PRECISION": "ieee", "EPILOGUE": epilogues.add_bias, "PROLOGUE_A": None, "PROLOGUE_B": None}
    args = (a, b, (bias,), (own,), m, n, k, k, (), (), (), (), strides(a), strides(b), strides(own))
    tiles = math.ceil(m / 128) * math.ceil(n / 256)
    run(backend, module.matmul, (tiles, 1), (*args, *column_operands((bias,), m, n), m * n), {**rule, "PARTS": 8 // parts})
    assert torch.equal(c, own)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("k", "share"), [(200, 1), (200, 3), (200, 4), (192, 5), (64, 2)])
@pytest.mark.parametrize("with_sums", [False, True])
def test_programs_that_have_equal_shares_of_all_steps(backend, k, share, with_sums):
    """Tiles of 4, 3 and 1 steps, of which a program has fewer, all, or more; the last program has less, or nothing."""
    m, n = 130, 264
    a, b = rows_of_16_bytes(m, k, torch.float16, False), rows_of_16_bytes(k, n, torch.float16, False)
    steps = math.ceil(k / WHOLE["BLOCK_K"])
    parts, c = torch.full((math.ceil(steps / share) + 1, m, n), 77.0), torch.full((m, n), 77.0, dtype=torch.float16)
    row_parts, row_sums = ((torch.full((len(parts), m), 77.0),), (torch.full((m,), 77.0),)) if with_sums else ((), ())
    bias, blocks = operand((n,), torch.float16), {d: WHOLE[d] for d in ("BLOCK_M", "BLOCK_N", "BLOCK_K")}
    sizes = (m, n, k, share, m * n)
    layout = {"TRANSPOSED_A": False, "TRANSPOSED_B": False}
    programs = math.ceil(4 * steps / share) + 1
    run(backend, stream_k.matmul_stream_k, (programs,), (a, b, parts, row_parts, *sizes, strides(a), strides(b)), {**layout, **blocks})
    tiles = {f"TILE_{d}": blocks[f"BLOCK_{d}"] for d in "MNK"}
    args = (parts, row_parts, (bias,), (c,), row_sums, *sizes, strides(c), *column_operands((bias,), m, n))
    added = {"EPILOGUE": epilogues.add_bias, **tiles, "BLOCK_M": 16, "BLOCK_N": 64}
    run(backend, stream_k.add_parts, (math.ceil(m / 16), math.ceil(n / 64)), args, added)
    check(c, a, b, bias)
    for sums in row_sums:
        torch.testing.assert_close(sums.double(), a.double().sum(1), rtol=1e-5, atol=1e-4)


def test_where_a_program_for_each_multiprocessor_is_chosen():
    config = kernels("matmul_persistent").config
    assert config(H100, "bf16", 4096, 4096, 4096)["programs"] == H100.processors
    assert config(H100, "bf16", 3072, 768, 16384)["share"] == 140  # of 72 * 256 steps
    assert config(H100, "bf16", 4096, 4096, 4096, 40)["share"] == 0 and config(H100, "bf16", 4096, 4096, 1024, 40) is None
    for facts, dtype, m, n, k in (
        (A100, "bf16", 4096, 4096, 4096), (CPU, "bf16", 4096, 4096, 4096), (H100, "fp32", 4096, 4096, 4096),
        (H100, "bf16", 256, 1024, 1024), (H100, "bf16", 4096, 4096, 256),
    ):  # fmt: skip
        assert config(facts, dtype, m, n, k) is None
