"""Calls of real sizes for a CPU, with the share of the roof that they should reach."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from tritonflow.bench.cases.written import SIZE, KernelCase, backward, few_bits, forward, t
from tritonflow.bench.libraries import Make

M = 1 << 20


def _matmuls() -> Iterator[KernelCase]:
    def product(name: str, m: int, k: int, n: int, bar: float, dtype: str = "float32", turned: str = "nn") -> KernelCase:
        def call(lib: Any, a: Any, b: Any) -> Any:
            return (a.t() if turned[0] == "t" else a) @ (b.t() if turned[1] == "t" else b)

        a, b = (m, k) if turned[0] == "n" else (k, m), (k, n) if turned[1] == "n" else (n, k)
        moved = SIZE[dtype] * (m * k + k * n + m * n)
        build = forward(call, t(*a, dtype=dtype), t(*b, dtype=dtype))
        return KernelCase(f"matmul {name}", build, moved, 2.0 * m * k * n, dtype, bar=bar)

    for n in (512, 1024, 2048):
        yield product(str(n), n, n, n, 0.85)
    for m, k, n in ((500, 700, 300), (1000, 1000, 1000), (1537, 1023, 511)):
        yield product(f"{m}x{k}x{n}", m, k, n, 0.7)
    for turned in ("nt", "tn", "tt"):
        yield product(f"512 {turned}", 512, 512, 512, 0.7, turned=turned)
    for m, k, n in ((32, 4096, 1024), (32, 1024, 1024), (32, 784, 512)):
        yield product(f"{m}x{k}x{n}", m, k, n, 0.7)
    linear = forward(lambda lib, x, w, b: lib.nn.functional.linear(x, w, b), t(32, 1024), t(1024, 1024), t(1024))
    yield KernelCase("linear 32x1024x1024", linear, 4 * (2 * 32 * 1024 + 1024**2), 2.0 * 32 * 1024**2, bar=0.7)
    for label, dtype, sides in (("bf16", "bfloat16", (512, 1024, 2048)), ("fp16", "float16", (512, 1024))):
        for n in sides:
            yield product(f"{label} {n}", n, n, n, 0.0, dtype)
    for turned in ("nt", "tn"):
        yield product(f"bf16 1024 {turned}", 1024, 1024, 1024, 0.0, "bfloat16", turned)
    yield product("bf16 1000x1000x1000", 1000, 1000, 1000, 0.0, "bfloat16")


def _few_bits() -> Iterator[KernelCase]:
    """A token's products with a weight of 8 and 4 bits, whose bytes bound them, and products of int8."""
    n, k = 8192, 4096

    def quantized(form: str, group: int) -> Any:
        def build(lib: Any, make: Any) -> Any:
            x, codes, scales = few_bits(lib, make, form, group, (1, k), n)
            if lib.__name__ == "tritonflow":
                return lambda: lib.nn.functional.quantized_linear(x, codes, scales, form=form, group=group)
            if form == "int8":
                return lambda: lib._weight_int8pack_mm(x.bfloat16(), codes, scales.flatten().bfloat16())
            w = make(n, 32, x.shape[1] // 32).flatten(1)  # torch has its own order of 4 bits: the product that they stand for
            return lambda: lib.nn.functional.linear(x, w)

        return build

    for form, group, size in (("int8", 0, 1 + 4 / k), ("int4", 32, 0.625), ("int4", 128, 0.5 + 4 / 128)):
        label = f"linear {form}{f' of {group}' if group else ''} 1x{n}x{k}"
        yield KernelCase(label, quantized(form, group), n * k * size, 2.0 * n * k, exact=False)
    yield KernelCase("linear float32 1x8192x4096", forward(_linear, t(1, k), t(n, k)), 4 * n * k, 2.0 * n * k, bar=0.85)

    def int_mm(side: int, lib: Any, make: Any) -> Any:
        a, b = (make(side, side, dtype="int64", high=127).to(lib.int8) for _ in range(2))
        return lambda: lib._int_mm(a, b.t())

    for side in (512, 1000, 1024, 2048):
        yield KernelCase(f"int_mm {side}", partial(int_mm, side), 6.0 * side**2, 2.0 * side**3, "int8")


def _linear(lib: Any, x: Any, w: Any) -> Any:
    return lib.nn.functional.linear(x, w)


def _attentions() -> Iterator[KernelCase]:
    heads, length, depth = 8, 1024, 64
    work, moved = 4.0 * heads * length * length * depth, 4.0 * 4 * heads * length * depth
    for causal, name, share in ((False, "attention", 1.0), (True, "attention causal", 0.5)):

        def attend(lib: Any, q: Any, k: Any, v: Any, causal: bool = causal) -> Any:
            return lib.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)

        operands = [t(1, heads, length, depth, grad=True)] * 3
        yield KernelCase(name, forward(attend, *operands), moved, work * share, bar=0.5)
        yield KernelCase(f"{name} backward", backward(attend, *operands), 2 * moved, 2.5 * work * share, bar=0.4)
    for label, dtype, size in (("", "float32", 4), (" bf16", "bfloat16", 2)):
        for heads, shared in ((8, 8), (32, 8)):

            def decode(lib: Any, q: Any, k: Any, v: Any) -> Any:
                return lib.nn.functional.scaled_dot_product_attention(q, k, v, enable_gqa=True)

            keys, name = t(1, shared, 8192, depth, dtype=dtype), f"attention decode {heads} of {shared}{label}"
            moved, work = 2.0 * size * shared * 8192 * depth, 4.0 * heads * 8192 * depth
            yield KernelCase(name, forward(decode, t(1, heads, 1, depth, dtype=dtype), keys, keys), moved, work)
    lengths, heads, shared = (300, 20, 700, 4), 8, 2
    work, tokens = sum(2.0 * heads * n * n * depth for n in lengths), sum(lengths)

    def of_lengths(lib: Any, make: Make) -> Any:
        """Causal attention of sequences one behind the other, each by itself where the library has no other way."""
        q, k, v = make(tokens, heads, depth), make(tokens, shared, depth), make(tokens, shared, depth)
        counts = [n * q.shape[0] // tokens for n in lengths]
        counts[-1] += q.shape[0] - sum(counts)
        if lib.__name__ == "torch":
            parts = [x.transpose(0, 1).split(counts, 1) for x in (q, k, v)]
            attend = lib.nn.functional.scaled_dot_product_attention
            return lambda: lib.cat([attend(*part, is_causal=True, enable_gqa=True) for part in zip(*parts)], 1).transpose(0, 1)
        from tritonflow.nn.attention.varlen import varlen_attn

        ends = lib.tensor([0, *counts]).cumsum(0).to(lib.int32)
        return lambda: varlen_attn(q, k, v, ends, ends, max(counts), max(counts), window_size=(-1, 0), enable_gqa=True)

    yield KernelCase("attention of lengths", of_lengths, 4.0 * tokens * depth * (heads + 2 * shared), work)


# (input channels, image, output channels, kernel, stride) of ResNet-18 and -50
RESNET = (
    (3, 224, 64, 7, 2), (64, 56, 64, 3, 1), (64, 56, 256, 1, 1), (128, 28, 128, 3, 1), (128, 56, 128, 3, 2),
    (256, 14, 256, 3, 1), (512, 7, 512, 3, 1),
)  # fmt: skip


def _convolutions() -> Iterator[KernelCase]:
    def conv(name: str, x: tuple[int, ...], w: tuple[int, ...], stride: int) -> Iterator[KernelCase]:
        def call(lib: Any, x: Any, w: Any) -> Any:
            groups = x.shape[1] // w.shape[1]  # of the operands, which --tiny shrinks
            return lib.nn.functional.conv2d(x, w, None, stride=stride, padding=w.shape[-1] // 2, groups=groups)

        n, c, side, _ = x
        out = n * w[0] * (side // stride) ** 2
        work, moved = 2.0 * out * w[1] * w[2] ** 2, 4.0 * (n * c * side**2 + out + w[0] * w[1] * w[2] ** 2)
        operands = t(*x, grad=True), t(*w, grad=True)
        yield KernelCase(name, forward(call, *operands), moved, work)
        yield KernelCase(f"{name} backward", backward(call, *operands), 2 * moved, 2 * work)

    for inputs, size, outputs, kernel, stride in RESNET:
        name = f"conv {inputs}x{size} {outputs} {kernel}x{kernel}" + (f" /{stride}" if stride > 1 else "")
        yield from conv(name, (8, inputs, size, size), (outputs, inputs, kernel, kernel), stride)
    yield from conv("conv depthwise 144x56 3x3", (8, 144, 56, 56), (144, 1, 3, 3), 1)


UNARY: dict[str, Callable[[Any, Any], Any]] = {
    "relu": lambda lib, x: lib.relu(x),
    "copy": lambda lib, x: lib.clone(x),
    "exp": lambda lib, x: lib.exp(x),
    "gelu": lambda lib, x: lib.nn.functional.gelu(x),
    "gelu tanh": lambda lib, x: lib.nn.functional.gelu(x, approximate="tanh"),
}


def _elements() -> Iterator[KernelCase]:
    for label, n in (("1M", M), ("1M ragged", 1_000_003), ("16M", 16 * M)):
        for name, function in UNARY.items():
            yield KernelCase(f"{name} {label}", forward(function, t(n)), 8 * n, bar=0.9)
        yield KernelCase(f"cast to bf16 {label}", forward(lambda lib, x: x.to(lib.bfloat16), t(n)), 6 * n, bar=0.9)
        yield KernelCase(f"add {label}", forward(lambda lib, x, y: x + y, t(n), t(n)), 12 * n, bar=0.9)
    yield KernelCase("Adam 10M", _adam, 28.0 * 10_000_000, exact=False, bar=0.9)


def _adam(lib: Any, make: Make) -> Callable[[], Any]:
    x = make(10_000_000, grad=True)
    x.grad = make(10_000_000)
    options = {"fused": True} if lib.__name__ == "torch" else {}
    step: Callable[[], Any] = lib.optim.Adam([x], **options).step
    return step


def _rows() -> Iterator[KernelCase]:
    def softmax(lib: Any, x: Any) -> Any:
        return lib.nn.functional.softmax(x, 1)

    def layer_norm(lib: Any, x: Any, w: Any, b: Any) -> Any:
        return lib.nn.functional.layer_norm(x, (x.shape[1],), w, b)

    def cross_entropy(lib: Any, x: Any, target: Any) -> Any:
        return lib.nn.functional.cross_entropy(x, target)

    for r, c in ((4096, 1024), (4096, 1000)):
        x, w, size = t(r, c, grad=True), t(c, grad=True), 4 * r * c
        families = (("softmax", softmax, [x], 1), ("layer norm", layer_norm, [x, w, w], 1))
        for name, function, operands, outputs in (*families, ("cross entropy", cross_entropy, [x, t(r, high=c)], 0)):
            moved = size * (1 + outputs)
            yield KernelCase(f"{name} {r}x{c}", forward(function, *operands), moved, bar=0.8)
            yield KernelCase(f"{name} {r}x{c} backward", backward(function, *operands), moved + size, bar=0.7)
    reductions: dict[str, Callable[[Any, Any], Any]] = {
        "row sums": lambda lib, x: x.sum(1), "column sums": lambda lib, x: x.sum(0), "sum": lambda lib, x: x.sum(),
        "argmax": lambda lib, x: x.argmax(1),
    }  # fmt: skip
    for name, reduce in reductions.items():
        yield KernelCase(f"{name} 4096x1024", forward(reduce, t(4096, 1024)), 16 * M, bar=0.85)


def _indices() -> Iterator[KernelCase]:
    ids, table = t(16_384, high=50_000), t(50_000, 256)
    embed = forward(lambda lib, i, w: lib.nn.functional.embedding(i, w), ids, table)
    yield KernelCase("embedding 16384 of 50000x256", embed, 2 * 4 * 16_384 * 256, bar=0.8)

    def positions(lib: Any, i: Any, w: Any, p: Any) -> Any:
        if lib.__name__ == "torch":
            return lib.nn.functional.embedding(i, w) + p
        return lib.nn.functional.token_and_position_embedding(i, w, p)

    tokens, words, places = t(8, 512, high=50_000), t(50_000, 512), t(512, 512)
    yield KernelCase("embedding + position 8x512x512", forward(positions, tokens, words, places), 3 * 4 * 8 * 512 * 512, bar=0.8)
    x, at = t(4096, 1024), t(4096, 1024, high=4096)
    gather = forward(lambda lib, x, at: lib.gather(x, 0, at), x, at)
    yield KernelCase("gather 4096x1024", gather, 16 * 4 * M, bar=0.8)
    scatter = forward(lambda lib, x, at, s: lib.scatter_add(x, 0, at, s), x, at, x)
    yield KernelCase("scatter_add 4096x1024", scatter, 20 * 4 * M)
    yield KernelCase("sort 1M", forward(lambda lib, x: lib.sort(x)[0], t(M)), 8 * M)
    yield KernelCase("topk 4096x1024, 8", forward(lambda lib, x: lib.topk(x, 8, 1)[0], x), 16 * M)
    yield KernelCase("cumsum 4096x1024", forward(lambda lib, x: lib.cumsum(x, 1), x), 32 * M)
    yield KernelCase("randn 1M", lambda lib, make: lambda: lib.randn(M), 4 * M, exact=False)
    pool = forward(lambda lib, x: lib.nn.functional.max_pool2d(x, 2), t(8, 64, 56, 56))
    yield KernelCase("max_pool2d 64x56", pool, 5 * 8 * 64 * 56 * 56)
    turn = forward(lambda lib, x: x.t().contiguous(), t(2048, 2048))
    yield KernelCase("transposed copy 2048", turn, 8 * 2048**2)


def _around_attention() -> Iterator[KernelCase]:
    """What stands between the products of a transformer; torch has it in several steps."""

    def rotary(lib: Any, x: Any, table: Any, inplace: bool = False) -> Any:
        """`table`: the cosines of positions, and the sines."""
        cos, sin = table.unflatten(1, (2, -1)).unbind(1)
        if lib.__name__ != "torch":
            return lib.nn.functional.apply_rotary_emb(x, cos, sin, False, inplace)
        a, b = x.chunk(2, -1)
        c, s = cos[: x.shape[1], None], sin[: x.shape[1], None]
        turned = lib.cat((a * c - b * s, b * c + a * s), -1)
        return x.copy_(turned) if inplace else turned

    def rotary_inplace(lib: Any, x: Any, table: Any) -> Any:
        return rotary(lib, x, table, True)

    def add_rms_norm(lib: Any, x: Any, residual: Any, w: Any) -> Any:
        if lib.__name__ != "torch":
            return lib.nn.functional.add_rms_norm(x, residual, (x.shape[1],), w)[0]
        return lib.nn.functional.rms_norm(x + residual, (x.shape[1],), w)

    def add_layer_norm(lib: Any, x: Any, residual: Any, w: Any, b: Any) -> Any:
        if lib.__name__ != "torch":
            return lib.nn.functional.add_layer_norm(x, residual, (x.shape[1],), w, b)[0]
        return lib.nn.functional.layer_norm(x + residual, (x.shape[1],), w, b)

    def swiglu(lib: Any, x: Any, y: Any) -> Any:
        return lib.nn.functional.silu(x) * y if lib.__name__ == "torch" else lib.nn.functional.swiglu(x, y)

    for label, dtype in (("", "float32"), (" bf16", "bfloat16")):
        size = SIZE[dtype]
        heads, table = t(1, 2048, 32, 128, dtype=dtype), t(2048, 128, dtype=dtype)
        moved = 2.0 * size * 2048 * 32 * 128
        yield KernelCase(f"rotary 2048x32x128{label}", forward(rotary, heads, table), moved, dtype=dtype, bar=0.9)
        inplace = forward(rotary_inplace, heads, table)
        yield KernelCase(f"rotary in place 2048x32x128{label}", inplace, moved, dtype=dtype, exact=False, bar=0.9)
        rows, row = t(4096, 1024, dtype=dtype, grad=True), t(1024, dtype=dtype, grad=True)
        moved = 4.0 * size * 4096 * 1024
        norms = {"rms": forward(add_rms_norm, rows, rows, row), "layer": forward(add_layer_norm, rows, rows, row, row)}
        for name, build in norms.items():
            yield KernelCase(f"add + {name} norm 4096x1024{label}", build, moved, dtype=dtype, bar=0.9)
        yield KernelCase(f"swiglu 4096x1024{label}", forward(swiglu, rows, rows), 0.75 * moved, dtype=dtype, bar=0.9)
        yield KernelCase(f"swiglu 4096x1024{label} backward", backward(swiglu, rows, rows), 1.25 * moved, dtype=dtype, bar=0.8)


CASES: dict[str, KernelCase] = {
    case.name: case
    for family in (_matmuls, _few_bits, _attentions, _convolutions, _elements, _rows, _indices, _around_attention)
    for case in family()
}
