"""Calls of real sizes for a GPU, worst expected first: what is timed there, and what `bench/gpu_code.py` compiles."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from tritonflow.bench.cases.written import SIZE, KernelCase, backward, few_bits, forward, t
from tritonflow.bench.libraries import Make

M = 1 << 20


def _reductions() -> list[KernelCase]:
    rows, long_rows = (16384, 4096), (128, 524288)
    calls: tuple[tuple[str, Callable[[Any, Any], Any], str, tuple[int, ...], int], ...] = (
        ("sum", lambda lib, x: x.sum(), "64M", (64 * M,), 1),
        ("sum columns", lambda lib, x: x.sum(0), "16384x4096", rows, 1),
        ("sum rows", lambda lib, x: x.sum(1), "128x524288", long_rows, 1),
        ("max rows", lambda lib, x: x.amax(1), "16384x4096", rows, 1),
        ("argmax rows", lambda lib, x: x.argmax(1), "16384x4096", rows, 1),
        ("var rows", lambda lib, x: x.var(1), "128x524288", long_rows, 1),
        ("cumsum", lambda lib, x: x.cumsum(0), "64M", (64 * M,), 2),
    )
    return [
        KernelCase(f"{name} {dtype} {size}", forward(call, t(*shape, dtype=dtype)), passes * 64 * M * SIZE[dtype])
        for dtype in ("float32", "bfloat16")
        for name, call, size, shape, passes in calls
    ]


def _indices() -> list[KernelCase]:
    def embedding(lib: Any, w: Any, i: Any) -> Any:
        return lib.nn.functional.embedding(i, w)

    def index_add(lib: Any, x: Any, i: Any, y: Any) -> Any:
        return x.index_add_(0, i, y)

    def assign(lib: Any, x: Any, i: Any, y: Any) -> Any:
        x[i] = y
        return x

    def scatter_add(lib: Any, x: Any, i: Any, y: Any) -> Any:
        return x.scatter_add_(0, i, y)

    table, ids = t(50257, 4096, grad=True), t(32768, dtype="int64", high=50257)
    return [
        KernelCase(
            "embedding backward 32768 of 50257x4096", backward(embedding, table, ids), 4 * 4096 * (50257 + 2 * 32768)
        ),
        KernelCase(
            "embedding backward bfloat16 32768 of 50257x4096",
            backward(embedding, t(50257, 4096, dtype="bfloat16", grad=True), ids),
            2 * 4096 * (50257 + 2 * 32768),
        ),
        KernelCase(
            "index_add 65536 of 100000x1024",
            forward(index_add, t(100000, 1024), t(65536, dtype="int64", high=100000), t(65536, 1024)),
            3 * 4 * 65536 * 1024,
        ),
        KernelCase(
            "index_add 1M of 1000", forward(index_add, t(1000), t(M, dtype="int64", high=1000), t(M)), 12 * M
        ),
        KernelCase(
            "assignment 65536 of 100000x1024",
            forward(assign, t(100000, 1024), t(65536, dtype="int64", high=100000), t(65536, 1024)),
            2 * 4 * 65536 * 1024,
            exact=False,
        ),
        KernelCase(
            "scatter_add 4096x4096",
            forward(scatter_add, t(4096, 4096), t(4096, 4096, dtype="int64", high=4096), t(4096, 4096)),
            (3 * 4 + 8) * 16 * M,
        ),
        KernelCase(
            "index_select 65536 of 100000x1024",
            forward(lambda lib, x, i: x.index_select(0, i), t(100000, 1024), t(65536, dtype="int64", high=100000)),
            2 * 4 * 65536 * 1024,
        ),
    ]


def _attention() -> list[KernelCase]:
    def causal(lib: Any, q: Any, k: Any, v: Any) -> Any:
        return lib.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)

    cases = []
    for dtype, d in (("bfloat16", 64), ("bfloat16", 128), ("bfloat16", 256), ("float32", 64), ("float32", 128)):
        operand = t(4, 16, 4096, d, dtype=dtype, grad=True)
        work, moved = 2.0 * 4 * 16 * 4096 * 4096 * d, 4.0 * 4 * 16 * 4096 * d * SIZE[dtype]
        label = f"{dtype} causal d{d}"
        cases += [
            KernelCase(f"attention {label}", forward(causal, operand, operand, operand), moved, work, dtype),
            KernelCase(
                f"attention backward {label}",
                backward(causal, operand, operand, operand),
                2 * moved,
                2.5 * work,
                dtype,
            ),
        ]
    return [*cases, *_sequences()]


def _sequences() -> list[KernelCase]:
    """Attention of sequences one behind the other, and of one query for each of 32 to keys in pages."""
    heads, shared, d, count, length, page = 32, 8, 128, 8, 2048, 16

    def operands(lib: Any, make: Make) -> tuple[Any, ...]:
        q, k, v = (make(count * length, h, d, dtype="bfloat16", grad=True) for h in (heads, shared, shared))
        each = q.shape[0] // count  # the length, but for small sizes
        return q, k, v, (make(count + 1, dtype="int64", high=1) + each).cumsum(0).to(lib.int32) - each

    def attend(lib: Any, q: Any, k: Any, v: Any, starts: Any) -> Any:
        varlen = importlib.import_module(f"{lib.__name__}.nn.attention.varlen")
        return varlen.varlen_attn(q, k, v, starts, starts, length, length, window_size=(-1, 0), enable_gqa=True)

    def of_lengths(lib: Any, make: Make) -> Any:
        given = operands(lib, make)
        return lambda: attend(lib, *given)

    def backward_of_lengths(lib: Any, make: Make) -> Any:
        given = operands(lib, make)
        y = attend(lib, *given)
        dy = make(*y.shape, dtype="bfloat16")
        return lambda: lib.autograd.grad([y], list(given[:3]), [dy], retain_graph=True)

    def of_pages(lib: Any, make: Make) -> Any:
        batch, keys = 32, 8192
        pages = [make(batch * keys // page, page, shared, d, dtype="bfloat16") for _ in range(2)]
        each = pages[0].shape[0] // batch
        table = lib.arange(batch * each, device=pages[0].device).to(lib.int32).reshape(batch, each)
        used = make(batch, dtype="int64", high=1).to(lib.int32) + each * page
        starts = lib.arange(batch + 1, device=pages[0].device).to(lib.int32)
        q = make(batch, heads, d, dtype="bfloat16")
        varlen = importlib.import_module(f"{lib.__name__}.nn.attention.varlen")
        return lambda: varlen.varlen_attn(
            q, *pages, starts, None, 1, keys, enable_gqa=True, seqused_k=used, block_table=table
        )  # fmt: skip

    rows = 32 * 8192
    work, moved = 2.0 * count * heads * length * length * d, 2.0 * 2 * count * length * d * (heads + shared)
    found = {  # torch has none of them on a CPU, in float64
        "attention of lengths bfloat16 d128": (of_lengths, moved, work),
        "attention of lengths backward bfloat16 d128": (backward_of_lengths, 2 * moved, 2.5 * work),
        "attention to pages bfloat16 32 of 8192": (of_pages, 4.0 * rows * shared * d, 4.0 * rows * heads * d),
    }
    return [KernelCase(name, *case, "bfloat16", exact=False) for name, case in found.items()]


def _convolutions() -> list[KernelCase]:
    cases = []
    sizes = (
        (256, 64, 56, 64, 3, 1),
        (256, 256, 14, 256, 3, 1),
        (256, 512, 7, 512, 3, 1),
        (256, 256, 56, 64, 1, 1),
        (256, 128, 56, 128, 3, 2),
        (256, 3, 224, 64, 7, 2),
    )
    for n, c, side, o, k, s in sizes:
        for dtype in ("bfloat16", "float32"):

            def conv(lib: Any, x: Any, w: Any, s: int = s, k: int = k) -> Any:
                return lib.nn.functional.conv2d(x, w, None, stride=s, padding=k // 2)

            def last(lib: Any, x: Any, w: Any, s: int = s, k: int = k) -> Any:
                y = lib.nn.functional.conv2d(x.permute(0, 3, 1, 2), w, None, stride=s, padding=k // 2)
                return y.permute(0, 2, 3, 1)

            out = (side + 2 * (k // 2) - k) // s + 1
            operands = t(n, c, side, side, dtype=dtype, grad=True), t(o, c, k, k, dtype=dtype, grad=True)
            moved = SIZE[dtype] * (n * c * side**2 + n * o * out**2 + o * c * k**2)
            work = 2.0 * n * out**2 * o * c * k * k
            label = f"{dtype} {c}x{side} {k}x{k}/{s} {o}"
            cases += [
                KernelCase(f"conv {label}", forward(conv, *operands), moved, work, dtype),
                KernelCase(f"conv backward {label}", backward(conv, *operands), 2 * moved, 2 * work, dtype),
            ]
            if dtype == "bfloat16":
                operands = t(n, side, side, c, dtype=dtype, grad=True), operands[1]
                cases += [
                    KernelCase(f"conv channels-last {label}", forward(last, *operands), moved, work, dtype),
                    KernelCase(f"conv channels-last backward {label}", backward(last, *operands), 2 * moved, 2 * work, dtype),
                ]
    return cases


def _products() -> list[KernelCase]:
    def linear(lib: Any, x: Any, w: Any, *b: Any) -> Any:
        return lib.nn.functional.linear(x, w, *b)

    def product(name: str, m: int, n: int, k: int, dtype: str) -> KernelCase:
        y = t(n, k, dtype=dtype) if name == "linear" else t(k, n, dtype=dtype)
        function = linear if name == "linear" else lambda lib, a, b: a @ b
        moved = SIZE[dtype] * (m * k + n * k + m * n)
        return KernelCase(
            f"{name} {dtype} {m}x{n}x{k}", forward(function, t(m, k, dtype=dtype), y), moved, 2.0 * m * n * k, dtype
        )

    def scaled(lib: Any, make: Make) -> Any:
        m = 4096
        scaled_mm = getattr(lib, "_scaled_mm", None) or lib.nn.functional.scaled_mm
        x, w = (make(m, m, dtype="bfloat16").to(lib.float8_e4m3fn) for _ in range(2))
        scale = make(1)
        return lambda: scaled_mm(x, w.t(), scale, scale, out_dtype=lib.bfloat16)

    def experts(lib: Any, make: Make) -> tuple[Any, Any, Any]:
        """Rows of 8 experts of a mixture, their weights, and where their rows end."""
        x, w = (make(*shape, dtype="bfloat16", grad=True) for shape in ((16384, 2048), (8, 2048, 4096)))
        rows = make(8, dtype="int64", high=1) + x.shape[0] // 8
        return x, w, rows.cumsum(0).to(lib.int32)

    def grouped(lib: Any, make: Make) -> Any:
        x, w, ends = experts(lib, make)
        return lambda: lib.nn.functional.grouped_mm(x, w, offs=ends)

    def grouped_backward(lib: Any, make: Make) -> Any:
        x, w, ends = experts(lib, make)
        y = lib.nn.functional.grouped_mm(x, w, offs=ends)
        dy = make(*y.shape, dtype="bfloat16")
        return lambda: lib.autograd.grad([y], [x, w], [dy], retain_graph=True)

    def quantized(form: str, group: int, rows: int) -> KernelCase:
        n, k = 8192, 8192

        def build(lib: Any, make: Make) -> Any:
            x, codes, scales = few_bits(lib, make, form, group, (rows, k), n, "bfloat16")
            return lambda: lib.nn.functional.quantized_linear(x, codes, scales, form=form, group=group)

        moved = n * k * (1.0 if form == "int8" else 0.5) + 2.0 * n * (k // group if group else 1)
        return KernelCase(f"linear {form} {rows}x{n}x{k}", build, moved, 2.0 * rows * n * k, "bfloat16", exact=False)

    def int_mm(lib: Any, make: Make) -> Any:
        a, b = (make(4096, 4096, dtype="int64", high=127).to(lib.int8) for _ in range(2))
        return lambda: lib._int_mm(a, b.t())

    def loss(lib: Any, make: Make) -> Any:
        """The last layer of a language model and its loss, with gradients."""
        x, w = (make(*shape, dtype="bfloat16", grad=True) for shape in ((8192, 2048), (50257, 2048)))
        target = make(8192, dtype="int64", high=50257)
        return lambda: lib.nn.functional.linear_cross_entropy(x, w, target)

    def routed(lib: Any, make: Make) -> Any:
        """Tokens on their way to two of 64 experts each, and back."""
        x, logits = make(16384, 2048, dtype="bfloat16"), make(16384, 64, dtype="bfloat16")
        functional = lib.nn.functional

        def there_and_back() -> Any:
            weights, indices = functional.moe_topk(logits, 2, renormalize=True)
            rows, row_id_map, _ = functional.moe_permute(x, indices, 64)
            return functional.moe_unpermute(rows, row_id_map, weights)

        return there_and_back

    cases = [product(name, m, m, m, "bfloat16") for m in (4096, 8192) for name in ("matmul", "linear")]
    cases += [product("matmul", 4096, 4096, 4096, "float32"), product("matmul", 256, 1024, 1024, "bfloat16")]
    shapes = ((64, 8192, 8192), (1, 8192, 8192), (512, 512, 65536), (16384, 1024, 4096), (16384, 4096, 1024))
    cases += [product("linear", *shape, "bfloat16") for shape in shapes]
    x, w, b = (t(*shape, dtype="bfloat16", grad=True) for shape in ((16384, 4096), (4096, 4096), (4096,)))
    moved, work = 2.0 * (2 * 16384 * 4096 + 4096 * 4096) * 2, 4.0 * 16384 * 4096 * 4096
    return [
        *cases,
        KernelCase("linear backward bfloat16 16384x4096x4096", backward(linear, x, w, b), moved, work, "bfloat16"),
        KernelCase("grouped_mm bfloat16 8 of 16384x4096x2048", grouped, *_cost(16384, 4096, 2048, 8, 1)),
        KernelCase("grouped_mm backward bfloat16 8 of 16384x4096x2048", grouped_backward, *_cost(16384, 4096, 2048, 8, 2)),
        *[quantized(form, group, rows) for form, group in (("int8", 0), ("int4", 128)) for rows in (1, 16, 64)],
        KernelCase("int_mm 4096x4096x4096", int_mm, 6.0 * 4096**2, 2.0 * 4096**3, "float8"),
        KernelCase("linear cross entropy bfloat16 8192x50257x2048", loss, *_cost(8192, 50257, 2048, 1, 3)),
        KernelCase("experts bfloat16 16384x2048 2 of 64", routed, 12.0 * 16384 * 2048, 4.0 * 16384 * 2048, "bfloat16", exact=False),
        KernelCase("scaled_mm float8 4096x4096x4096", scaled, 4.0 * 4096**2, 2.0 * 4096**3, "float8"),
    ]


def _cost(m: int, n: int, k: int, groups: int, products: int) -> tuple[float, float, str]:
    """Bytes, operations and dtype of products of groups of rows."""
    return 2.0 * products * (m * k + groups * n * k + m * n), 2.0 * products * m * n * k, "bfloat16"


def _rows() -> list[KernelCase]:
    def layer_norm(lib: Any, x: Any, w: Any, b: Any) -> Any:
        return lib.nn.functional.layer_norm(x, (x.shape[-1],), w, b)

    def softmax(lib: Any, x: Any) -> Any:
        return lib.nn.functional.softmax(x, -1)

    def cross_entropy(lib: Any, x: Any, i: Any) -> Any:
        return lib.nn.functional.cross_entropy(x, i)

    cases = []
    for dtype in ("bfloat16", "float32"):
        size = SIZE[dtype]
        for r, c in ((16384, 4096), (65536, 768)):
            operands = t(r, c, dtype=dtype, grad=True), t(c, dtype=dtype, grad=True), t(c, dtype=dtype, grad=True)
            cases += [
                KernelCase(f"layer norm {dtype} {r}x{c}", forward(layer_norm, *operands), 2 * r * c * size),
                KernelCase(f"layer norm backward {dtype} {r}x{c}", backward(layer_norm, *operands), 3 * r * c * size),
            ]
        for r, c in ((65536, 1024), (4096, 50257)):
            x = t(r, c, dtype=dtype, grad=True)
            cases += [
                KernelCase(f"softmax {dtype} {r}x{c}", forward(softmax, x), 2 * r * c * size),
                KernelCase(f"softmax backward {dtype} {r}x{c}", backward(softmax, x), 3 * r * c * size),
            ]
        for r, c in ((16384, 32000), (16384, 50257)):
            x, i = t(r, c, dtype=dtype, grad=True), t(r, dtype="int64", high=c)
            cases += [
                KernelCase(f"cross entropy {dtype} {r}x{c}", forward(cross_entropy, x, i), r * c * size),
                KernelCase(f"cross entropy backward {dtype} {r}x{c}", backward(cross_entropy, x, i), 2 * r * c * size),
            ]
    return cases


def _images() -> list[KernelCase]:
    def batch_norm(lib: Any, x: Any, w: Any, b: Any) -> Any:
        return lib.nn.functional.batch_norm(x, None, None, w, b, True)

    def max_pool(lib: Any, x: Any) -> Any:
        return lib.nn.functional.max_pool2d(x, 3, 2, 1)

    def depthwise(lib: Any, x: Any, w: Any) -> Any:
        return lib.nn.functional.conv2d(x, w, None, padding=1, groups=x.shape[1])

    def max_pool_last(lib: Any, x: Any) -> Any:
        return max_pool(lib, x.permute(0, 3, 1, 2)).permute(0, 2, 3, 1)

    def avg_pool(lib: Any, x: Any) -> Any:
        return lib.nn.functional.avg_pool2d(x, 2)

    def avg_pool_last(lib: Any, x: Any) -> Any:
        return avg_pool(lib, x.permute(0, 3, 1, 2)).permute(0, 2, 3, 1)

    def depthwise_last(lib: Any, x: Any, w: Any) -> Any:
        return depthwise(lib, x.permute(0, 3, 1, 2), w).permute(0, 2, 3, 1)

    x = t(256, 64, 112, 112, dtype="bfloat16", grad=True)
    last = t(256, 112, 112, 64, dtype="bfloat16", grad=True)
    n, weights = 2.0 * 256 * 64 * 112 * 112, t(64, grad=True)
    small, taps = t(256, 128, 56, 56, dtype="bfloat16", grad=True), t(128, 1, 3, 3, dtype="bfloat16", grad=True)
    small_last = t(256, 56, 56, 128, dtype="bfloat16", grad=True)
    return [
        KernelCase("batch norm bfloat16 256x64x112", forward(batch_norm, x, weights, weights), 3 * n),
        KernelCase(
            "batch norm float32 65536x512",
            forward(batch_norm, t(65536, 512), t(512), t(512)),
            3 * 4 * 65536 * 512,
        ),
        KernelCase(
            "batch norm bfloat16 3M x 64",
            forward(batch_norm, t(3 * M, 64, dtype="bfloat16"), t(64), t(64)),
            6 * 64 * 3 * M,
        ),
        KernelCase("batch norm backward bfloat16 256x64x112", backward(batch_norm, x, weights, weights), 5 * n),
        KernelCase("max pool bfloat16 256x64x112", forward(max_pool, x), 1.25 * n),
        KernelCase("max pool backward bfloat16 256x64x112", backward(max_pool, x), 2.25 * n),
        KernelCase("max pool channels-last bfloat16 256x64x112", forward(max_pool_last, last), 1.25 * n),
        KernelCase("max pool channels-last backward bfloat16 256x64x112", backward(max_pool_last, last), 2.25 * n),
        KernelCase("depthwise conv bfloat16 256x128x56", forward(depthwise, small, taps), n),
        KernelCase("depthwise conv backward bfloat16 256x128x56", backward(depthwise, small, taps), 2 * n),
        KernelCase("depthwise conv channels-last bfloat16 256x128x56", forward(depthwise_last, small_last, taps), n),
        KernelCase("depthwise conv channels-last backward bfloat16 256x128x56", backward(depthwise_last, small_last, taps), 2 * n),
        KernelCase("avg pool bfloat16 256x64x112", forward(avg_pool, x), 1.25 * n),
        KernelCase("avg pool channels-last bfloat16 256x64x112", forward(avg_pool_last, last), 1.25 * n),
        KernelCase("avg pool channels-last backward bfloat16 256x64x112", backward(avg_pool_last, last), 1.25 * n),
    ]


def _elements() -> list[KernelCase]:
    cases = []
    for dtype in ("bfloat16", "float32"):
        size, x = 64.0 * M * SIZE[dtype], t(64 * M, dtype=dtype, grad=True)
        cases += [
            KernelCase(f"add {dtype} 64M", forward(lambda lib, a, b: a + b, x, x), 3 * size),
            KernelCase(f"gelu {dtype} 64M", forward(lambda lib, a: lib.nn.functional.gelu(a), x), 2 * size),
            KernelCase(f"gelu backward {dtype} 64M", backward(lambda lib, a: lib.nn.functional.gelu(a), x), 3 * size),
            KernelCase(
                f"transposed copy {dtype} 8192",
                forward(lambda lib, a: a.t().contiguous(), t(8192, 8192, dtype=dtype)),
                2 * size,
            ),
            KernelCase(
                f"broadcast column {dtype} 16384x4096",
                forward(lambda lib, a, b: a + b, t(16384, 4096, dtype=dtype), t(16384, 1, dtype=dtype)),
                2 * size,
            ),
        ]
    return cases


def _others() -> list[KernelCase]:
    def randn(lib: Any, x: Any) -> Any:
        return lib.randn(64 * M, device=x.device)

    def dropout(lib: Any, x: Any) -> Any:
        return lib.nn.functional.dropout(x, 0.1, True)

    return [
        KernelCase("randn 64M", forward(randn, t(1)), 4 * 64 * M, exact=False),
        KernelCase("dropout bfloat16 64M", forward(dropout, t(64 * M, dtype="bfloat16")), 5 * 64 * M, exact=False),
        KernelCase("sort rows 4096x4096", forward(lambda lib, x: lib.sort(x, 1), t(4096, 4096)), 5 * 4 * 16 * M),
        KernelCase("sort 1M", forward(lambda lib, x: lib.sort(x, 0), t(M)), 5 * 4 * M),
        KernelCase(
            "topk 4096x32000",
            forward(lambda lib, x: lib.topk(x, min(50, x.shape[1])), t(4096, 32000)),
            4 * 4096 * 32000,
        ),
        KernelCase(
            "topk 64 of 32x128256",
            forward(lambda lib, x: lib.topk(x, min(64, x.shape[1])), t(32, 128256)),
            4 * 32 * 128256,
        ),
        KernelCase("AdamW 134M", _adamw, 28.0 * (8 * 4096 * 4096 + 8 * 4096)),
    ]


def _adamw(lib: Any, make: Make) -> Any:
    parameters = [make(*shape, grad=True) for shape in [(4096, 4096)] * 8 + [(4096,)] * 8]
    for p in parameters:
        p.grad = make(*p.shape)
    optimizer = lib.optim.AdamW(parameters, lr=1e-3)

    def step() -> Any:
        optimizer.step()
        return parameters

    return step


CASES: dict[str, KernelCase] = {
    case.name: case
    for family in (_indices, _attention, _reductions, _convolutions, _products, _rows, _images, _elements, _others)
    for case in family()
}
