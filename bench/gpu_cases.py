"""Calls of real sizes for a GPU, worst expected first: what `gpu_code.py` compiles and `gpu.py` measures.

A case is written once for both libraries: `lib` is tritonflow or torch, and `make` makes tensors of the device under test.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Call = Callable[[], Any]
# make(*shape, dtype="float32", grad=False, high=None): random numbers, or with `high` integers below it.
Make = Callable[..., Any]


@dataclass(frozen=True)
class Case:
    """One call.

    Attributes:
        name: op, dtype and sizes.
        build: (lib, make) -> the call.
        bytes: that it must move at least, each operand once.
        operations: of its products, 2 for a multiply-add.
        dtype: of its products' operands.
        exact: whether two libraries give the same numbers but for rounding; random draws do not.
    """

    name: str
    build: Callable[[Any, Make], Call]
    bytes: float
    operations: float = 0.0
    dtype: str = "float32"
    exact: bool = True


SIZE = {"float32": 4, "bfloat16": 2, "float16": 2}
M = 1 << 20


def _forward(
    function: Callable[..., Any], *operands: tuple[tuple[int, ...], dict[str, Any]]
) -> Callable[[Any, Make], Call]:
    """The case of function(lib, *tensors)."""

    def build(lib: Any, make: Make) -> Call:
        tensors = [make(*shape, **options) for shape, options in operands]
        return lambda: function(lib, *tensors)

    return build


def _backward(
    function: Callable[..., Any], *operands: tuple[tuple[int, ...], dict[str, Any]]
) -> Callable[[Any, Make], Call]:
    """The case of the gradients of function(lib, *tensors) by the tensors that are made with grad=True."""

    def build(lib: Any, make: Make) -> Call:
        tensors = [make(*shape, **options) for shape, options in operands]
        y = function(lib, *tensors)
        dy = make(*y.shape, dtype=str(y.dtype).rpartition(".")[2])
        leaves = [t for t in tensors if t.requires_grad]
        return lambda: lib.autograd.grad([y], leaves, [dy], retain_graph=True)

    return build


def t(*shape: int, **options: Any) -> tuple[tuple[int, ...], dict[str, Any]]:
    """An operand."""
    return shape, options


def _reductions() -> list[Case]:
    cases = []
    for dtype in ("float32", "bfloat16"):
        size = SIZE[dtype]
        cases += [
            Case(f"sum {dtype} 64M", _forward(lambda lib, x: x.sum(), t(64 * M, dtype=dtype)), 64 * M * size),
            Case(
                f"sum columns {dtype} 16384x4096",
                _forward(lambda lib, x: x.sum(0), t(16384, 4096, dtype=dtype)),
                64 * M * size,
            ),
            Case(
                f"sum rows {dtype} 128x524288",
                _forward(lambda lib, x: x.sum(1), t(128, 524288, dtype=dtype)),
                64 * M * size,
            ),
            Case(
                f"max rows {dtype} 16384x4096",
                _forward(lambda lib, x: x.amax(1), t(16384, 4096, dtype=dtype)),
                64 * M * size,
            ),
            Case(
                f"argmax rows {dtype} 16384x4096",
                _forward(lambda lib, x: x.argmax(1), t(16384, 4096, dtype=dtype)),
                64 * M * size,
            ),
            Case(
                f"var rows {dtype} 128x524288",
                _forward(lambda lib, x: x.var(1), t(128, 524288, dtype=dtype)),
                64 * M * size,
            ),
            Case(f"cumsum {dtype} 64M", _forward(lambda lib, x: x.cumsum(0), t(64 * M, dtype=dtype)), 128 * M * size),
        ]
    return cases


def _indices() -> list[Case]:
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
        Case(
            "embedding backward 32768 of 50257x4096", _backward(embedding, table, ids), 4 * 4096 * (50257 + 2 * 32768)
        ),
        Case(
            "embedding backward bfloat16 32768 of 50257x4096",
            _backward(embedding, t(50257, 4096, dtype="bfloat16", grad=True), ids),
            2 * 4096 * (50257 + 2 * 32768),
        ),
        Case(
            "index_add 65536 of 100000x1024",
            _forward(index_add, t(100000, 1024), t(65536, dtype="int64", high=100000), t(65536, 1024)),
            3 * 4 * 65536 * 1024,
        ),
        Case(
            "index_add 1M of 1000", _forward(index_add, t(1000), t(M, dtype="int64", high=1000), t(M)), 12 * M
        ),
        Case(
            "assignment 65536 of 100000x1024",
            _forward(assign, t(100000, 1024), t(65536, dtype="int64", high=100000), t(65536, 1024)),
            2 * 4 * 65536 * 1024,
            exact=False,
        ),
        Case(
            "scatter_add 4096x4096",
            _forward(scatter_add, t(4096, 4096), t(4096, 4096, dtype="int64", high=4096), t(4096, 4096)),
            (3 * 4 + 8) * 16 * M,
        ),
        Case(
            "index_select 65536 of 100000x1024",
            _forward(lambda lib, x, i: x.index_select(0, i), t(100000, 1024), t(65536, dtype="int64", high=100000)),
            2 * 4 * 65536 * 1024,
        ),
    ]


def _attention() -> list[Case]:
    def causal(lib: Any, q: Any, k: Any, v: Any) -> Any:
        return lib.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)

    cases = []
    for dtype, d in (("bfloat16", 64), ("bfloat16", 128), ("bfloat16", 256), ("float32", 64), ("float32", 128)):
        operand = t(4, 16, 4096, d, dtype=dtype, grad=True)
        work, moved = 2.0 * 4 * 16 * 4096 * 4096 * d, 4.0 * 4 * 16 * 4096 * d * SIZE[dtype]
        label = f"{dtype} causal d{d}"
        cases += [
            Case(f"attention {label}", _forward(causal, operand, operand, operand), moved, work, dtype),
            Case(
                f"attention backward {label}",
                _backward(causal, operand, operand, operand),
                2 * moved,
                2.5 * work,
                dtype,
            ),
        ]
    return cases


def _convolutions() -> list[Case]:
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
                Case(f"conv {label}", _forward(conv, *operands), moved, work, dtype),
                Case(f"conv backward {label}", _backward(conv, *operands), 2 * moved, 2 * work, dtype),
            ]
            if dtype == "bfloat16":
                operands = t(n, side, side, c, dtype=dtype, grad=True), operands[1]
                cases += [
                    Case(f"conv channels-last {label}", _forward(last, *operands), moved, work, dtype),
                    Case(f"conv channels-last backward {label}", _backward(last, *operands), 2 * moved, 2 * work, dtype),
                ]
    return cases


def _products() -> list[Case]:
    def linear(lib: Any, x: Any, w: Any, *b: Any) -> Any:
        return lib.nn.functional.linear(x, w, *b)

    def product(name: str, m: int, n: int, k: int, dtype: str) -> Case:
        y = t(n, k, dtype=dtype) if name == "linear" else t(k, n, dtype=dtype)
        function = linear if name == "linear" else lambda lib, a, b: a @ b
        moved = SIZE[dtype] * (m * k + n * k + m * n)
        return Case(
            f"{name} {dtype} {m}x{n}x{k}", _forward(function, t(m, k, dtype=dtype), y), moved, 2.0 * m * n * k, dtype
        )

    def scaled(lib: Any, make: Make) -> Call:
        m = 4096
        scaled_mm = getattr(lib, "_scaled_mm", None) or lib.nn.functional.scaled_mm
        x, w = (make(m, m, dtype="bfloat16").to(lib.float8_e4m3fn) for _ in range(2))
        scale = make(1)
        return lambda: scaled_mm(x, w.t(), scale, scale, out_dtype=lib.bfloat16)

    cases = [product(name, m, m, m, "bfloat16") for m in (4096, 8192) for name in ("matmul", "linear")]
    cases += [product("matmul", 4096, 4096, 4096, "float32"), product("matmul", 256, 1024, 1024, "bfloat16")]
    shapes = ((64, 8192, 8192), (1, 8192, 8192), (512, 512, 65536), (16384, 1024, 4096), (16384, 4096, 1024))
    cases += [product("linear", *shape, "bfloat16") for shape in shapes]
    x, w, b = (t(*shape, dtype="bfloat16", grad=True) for shape in ((16384, 4096), (4096, 4096), (4096,)))
    moved, work = 2.0 * (2 * 16384 * 4096 + 4096 * 4096) * 2, 4.0 * 16384 * 4096 * 4096
    return [
        *cases,
        Case("linear backward bfloat16 16384x4096x4096", _backward(linear, x, w, b), moved, work, "bfloat16"),
        Case("scaled_mm float8 4096x4096x4096", scaled, 4.0 * 4096**2, 2.0 * 4096**3, "float8"),
    ]


def _rows() -> list[Case]:
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
                Case(f"layer norm {dtype} {r}x{c}", _forward(layer_norm, *operands), 2 * r * c * size),
                Case(f"layer norm backward {dtype} {r}x{c}", _backward(layer_norm, *operands), 3 * r * c * size),
            ]
        for r, c in ((65536, 1024), (4096, 50257)):
            x = t(r, c, dtype=dtype, grad=True)
            cases += [
                Case(f"softmax {dtype} {r}x{c}", _forward(softmax, x), 2 * r * c * size),
                Case(f"softmax backward {dtype} {r}x{c}", _backward(softmax, x), 3 * r * c * size),
            ]
        for r, c in ((16384, 32000), (16384, 50257)):
            x, i = t(r, c, dtype=dtype, grad=True), t(r, dtype="int64", high=c)
            cases += [
                Case(f"cross entropy {dtype} {r}x{c}", _forward(cross_entropy, x, i), r * c * size),
                Case(f"cross entropy backward {dtype} {r}x{c}", _backward(cross_entropy, x, i), 2 * r * c * size),
            ]
    return cases


def _images() -> list[Case]:
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
        Case("batch norm bfloat16 256x64x112", _forward(batch_norm, x, weights, weights), 3 * n),
        Case(
            "batch norm float32 65536x512",
            _forward(batch_norm, t(65536, 512), t(512), t(512)),
            3 * 4 * 65536 * 512,
        ),
        Case("batch norm bfloat16 3M x 64", _forward(batch_norm, t(3 * M, 64, dtype="bfloat16"), t(64), t(64)), 6 * 64 * 3 * M),
        Case("batch norm backward bfloat16 256x64x112", _backward(batch_norm, x, weights, weights), 5 * n),
        Case("max pool bfloat16 256x64x112", _forward(max_pool, x), 1.25 * n),
        Case("max pool backward bfloat16 256x64x112", _backward(max_pool, x), 2.25 * n),
        Case("max pool channels-last bfloat16 256x64x112", _forward(max_pool_last, last), 1.25 * n),
        Case("max pool channels-last backward bfloat16 256x64x112", _backward(max_pool_last, last), 2.25 * n),
        Case("depthwise conv bfloat16 256x128x56", _forward(depthwise, small, taps), n),
        Case("depthwise conv backward bfloat16 256x128x56", _backward(depthwise, small, taps), 2 * n),
        Case("depthwise conv channels-last bfloat16 256x128x56", _forward(depthwise_last, small_last, taps), n),
        Case("depthwise conv channels-last backward bfloat16 256x128x56", _backward(depthwise_last, small_last, taps), 2 * n),
        Case("avg pool bfloat16 256x64x112", _forward(avg_pool, x), 1.25 * n),
        Case("avg pool channels-last bfloat16 256x64x112", _forward(avg_pool_last, last), 1.25 * n),
        Case("avg pool channels-last backward bfloat16 256x64x112", _backward(avg_pool_last, last), 1.25 * n),
    ]


def _elements() -> list[Case]:
    cases = []
    for dtype in ("bfloat16", "float32"):
        size, x = 64.0 * M * SIZE[dtype], t(64 * M, dtype=dtype, grad=True)
        cases += [
            Case(f"add {dtype} 64M", _forward(lambda lib, a, b: a + b, x, x), 3 * size),
            Case(f"gelu {dtype} 64M", _forward(lambda lib, a: lib.nn.functional.gelu(a), x), 2 * size),
            Case(f"gelu backward {dtype} 64M", _backward(lambda lib, a: lib.nn.functional.gelu(a), x), 3 * size),
            Case(
                f"transposed copy {dtype} 8192",
                _forward(lambda lib, a: a.t().contiguous(), t(8192, 8192, dtype=dtype)),
                2 * size,
            ),
            Case(
                f"broadcast column {dtype} 16384x4096",
                _forward(lambda lib, a, b: a + b, t(16384, 4096, dtype=dtype), t(16384, 1, dtype=dtype)),
                2 * size,
            ),
        ]
    return cases


def _others() -> list[Case]:
    def randn(lib: Any, x: Any) -> Any:
        return lib.randn(64 * M, device=x.device)

    def dropout(lib: Any, x: Any) -> Any:
        return lib.nn.functional.dropout(x, 0.1, True)

    return [
        Case("randn 64M", _forward(randn, t(1)), 4 * 64 * M, exact=False),
        Case("dropout bfloat16 64M", _forward(dropout, t(64 * M, dtype="bfloat16")), 5 * 64 * M, exact=False),
        Case("sort rows 4096x4096", _forward(lambda lib, x: lib.sort(x, 1), t(4096, 4096)), 5 * 4 * 16 * M),
        Case("sort 1M", _forward(lambda lib, x: lib.sort(x, 0), t(M)), 5 * 4 * M),
        Case(
            "topk 4096x32000",
            _forward(lambda lib, x: lib.topk(x, min(50, x.shape[1])), t(4096, 32000)),
            4 * 4096 * 32000,
        ),
        Case("AdamW 134M", _adamw, 28.0 * (8 * 4096 * 4096 + 8 * 4096)),
    ]


def _adamw(lib: Any, make: Make) -> Call:
    parameters = [make(*shape, grad=True) for shape in [(4096, 4096)] * 8 + [(4096,)] * 8]
    for p in parameters:
        p.grad = make(*p.shape)
    optimizer = lib.optim.AdamW(parameters, lr=1e-3)

    def step() -> Any:
        optimizer.step()
        return parameters

    return step


CASES: dict[str, Case] = {
    case.name: case
    for family in (_indices, _attention, _reductions, _convolutions, _products, _rows, _images, _elements, _others)
    for case in family()
}
