"""What the compiler makes of the kernels that named calls of real sizes launch on a GPU: no spills, wide loads, matrix instructions.

`python bench/gpu_code.py` prints the same figures as a table.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

import tritonflow as flow
from tests.kernels.compile_sweep import GPU, Request, sweep
from tests.kernels.gpu_code import Code, code_of, launches_of
from tritonflow.bench.cases.gpu_kernels import CASES

F = flow.nn.functional

# A case, and what holds for kernels that it launches: "wide" loads 16 bytes at a time and never less of a large operand, "tiles"
# does so where a tile is whole, "asynchronous" loads nothing into registers, "matrix" has its products in matrix units, on sm_90 in
# those of a warp group, "flowing" has loops, and no thread waits for another one in them.
EXPECTED: dict[str, dict[str, str]] = {
    "add float32 64M": {"elementwise.flat": "wide"},
    "layer norm bfloat16 16384x4096": {"norm.forward": "wide"},
    "layer norm backward bfloat16 16384x4096": {"norm.gradients": "wide"},
    "sum bfloat16 64M": {"reduce.reduce": "wide flowing"},
    "sum columns float32 16384x4096": {"reduce.reduce": "wide flowing"},
    "argmax rows float32 16384x4096": {"reduce.reduce": "wide flowing"},
    "var rows bfloat16 128x524288": {"reduce.reduce": "wide flowing"},
    "cumsum float32 64M": {"reduce.reduce": "wide flowing"},
    "cross entropy bfloat16 16384x50257": {"loss.cross_entropy": "flowing tiles", "loss.finish": "flowing"},
    "batch norm bfloat16 256x64x112": {"batch_norm.statistics": "wide flowing"},
    "matmul bfloat16 4096x4096x4096": {"matmul_persistent.matmul_persistent": "matrix"},
    "linear bfloat16 4096x4096x4096": {"matmul_persistent.matmul_persistent": "matrix"},
    "matmul bfloat16 256x1024x1024": {"matmul.matmul": "matrix"},
    "attention bfloat16 causal d128": {"attention.forward": "matrix"},
    "attention backward bfloat16 causal d64": {"attention_gradients.key_gradients": "matrix", "attention_gradients.query_gradient": "matrix"},
    "attention of lengths bfloat16 d128": {"attention.forward": "matrix"},
    "attention of lengths backward bfloat16 d128": {"attention_gradients.key_gradients": "matrix", "attention_gradients.query_gradient": "matrix"},
    "attention to pages bfloat16 32 of 8192": {"attention.forward": "tiles"},
    "matmul float32 4096x4096x4096": {"matmul.matmul": "matrix"},
    "conv channels-last bfloat16 256x14 3x3/1 256": {"conv.forward": "matrix wide"},
    "conv channels-last backward bfloat16 256x14 3x3/1 256": {"conv.input_gradient": "matrix wide", "conv.weight_gradient": "matrix wide"},
    "conv channels-last bfloat16 3x224 7x7/2 64": {"conv.forward": "matrix asynchronous"},
    "conv channels-last backward bfloat16 3x224 7x7/2 64": {"conv.weight_gradient": "matrix asynchronous"},
    "depthwise conv channels-last bfloat16 256x128x56": {"depthwise_last.forward_last": "wide"},
    "depthwise conv channels-last backward bfloat16 256x128x56": {
        "depthwise_last.input_gradient_last": "wide", "depthwise_last.weight_gradient_last": "wide",
    },
    "avg pool channels-last bfloat16 256x64x112": {"pool_last.avg_pool_last": "wide"},
    "avg pool channels-last backward bfloat16 256x64x112": {"pool_last.avg_pool_backward_last": "wide"},
    "linear int8 16x8192x8192": {"quantized.product": "tiles"},
    "linear int4 1x8192x8192": {"quantized.product": "tiles"},
    "linear int4 16x8192x8192": {"quantized.product": "tiles"},
    "linear int8 64x8192x8192": {"quantized.product": "matrix"},
    "linear int4 64x8192x8192": {"quantized.product": "matrix"},
    "int_mm 4096x4096x4096": {"matmul.matmul": "matrix"},
    "grouped_mm bfloat16 8 of 16384x4096x2048": {"matmul_grouped.rows": "matrix wide"},
    "grouped_mm backward bfloat16 8 of 16384x4096x2048": {
        "matmul_grouped.rows": "matrix wide", "matmul_grouped.depths": "matrix wide",
    },
    "linear cross entropy bfloat16 8192x50257x2048": {"linear_loss.rows_of_chunk": "tiles", "linear_loss.add_up": "wide"},
    "experts bfloat16 16384x2048 2 of 64": {"experts.route": "wide", "experts.count": "wide"},
    "scaled_mm float8 4096x4096x4096": {"matmul.matmul": "matrix"},
}


def has(code: Code, expected: str) -> bool:
    """Whether the code is as it should be."""
    if expected == "matrix":
        older = code.count("[HI]MMA")
        return older > 0 if code.arch < 90 else code.count("[HQI]GMMA") > 0 and older == 0
    if expected == "flowing":
        inside = [line for loop in code.loops for line in code.text[loop]]
        return bool(inside) and not any("BAR." in line for line in inside)
    if expected == "asynchronous":
        return code.count(r"LDGSTS") > 0 and code.count(r"LDG\.") == 0
    loads = code.count(r"LDG(STS)?\.")  # not LDGDEPBAR, which loads nothing
    wide = code.count(r"LDG(STS)?\..*128") + code.count(r"UTMALDG")
    if expected == "tiles":
        return wide >= 4
    return wide > 0 and loads - wide <= wide // 4


def check(name: str, arch: int) -> None:
    seen, wanted = set(), dict(EXPECTED.get(name, {}))
    if arch < 90 and "matmul_persistent.matmul_persistent" in wanted:
        wanted["matmul.matmul"] = wanted.pop("matmul_persistent.matmul_persistent")
    for launched in launches_of(name, arch):
        request = launched.request
        kernel = request.name
        code = code_of(request.compile(arch), arch)
        assert code.stack == 0, f"{request}: {code.stack} bytes of stack"
        assert code.programs > 0, f"{request}: {code.shared} bytes of shared memory"
        first = kernel not in seen  # what adds up the results of programs comes later, and reads few numbers
        for expected in wanted.get(kernel, "").split() if first else ():
            assert has(code, expected), f"{request}: not {expected}: {dict(code.instructions)}"
        seen.add(kernel)
    missing = set(wanted) - seen
    assert not missing, f"{name} launches {sorted(seen)}, not {sorted(missing)}"


@pytest.mark.parametrize("name", [n if k % 6 == 0 else pytest.param(n, marks=pytest.mark.long) for k, n in enumerate(EXPECTED)])
@pytest.mark.sampled(most=2)
def test_code_for_sm_90(name: str) -> None:
    check(name, 90)


def products_of(call: Callable[[], Any]) -> list[Request]:
    """The kernels of matrix products that a call launches, each once."""
    with sweep(90) as found:
        call()  # what it makes on the stand-in ends with it
        return list({launched.request: None for launched in found.launches if "matmul" in launched.request.fn.__name__})


def requests_of(call: Callable[[], Any]) -> list[Request]:
    """The kernels that a call wants compiled."""
    with sweep(90) as found:
        call()
        return list(found.requests)


@pytest.mark.parametrize("rows, columns", [(500, 1000), (100, 100), pytest.param(200, 4096, marks=pytest.mark.long)])
def test_rows_at_odd_addresses_do_not_spill(rows: int, columns: int) -> None:
    """They are loaded into registers, 2 bytes at a time, beside the sums."""
    (request,) = products_of(
        lambda: F.linear(*[flow.empty(n, 501, dtype=flow.bfloat16, device=GPU) for n in (rows, columns)])
    )
    code = code_of(request.compile(90), 90)
    assert code.stack == 0 and has(code, "matrix"), str(request)


def test_large_factors_with_odd_rows_are_loaded_by_descriptors() -> None:
    """Both gradients of the head of a GPT-2, in a graph, whose casts and sums are epilogues: no thread loads 2 bytes at a time."""

    def gradients(x: flow.Tensor, w: flow.Tensor, dy: flow.Tensor) -> tuple[flow.Tensor, ...]:
        with flow.autocast("cuda", dtype=flow.bfloat16):
            y = F.linear(x, w)
        return flow.autograd.grad([y], [x, w], [dy])

    def call() -> None:
        x, w = (flow.empty(n, 768, device=GPU, requires_grad=True) for n in (4096, 50257))
        flow.compile(gradients, fullgraph=True)(x, w, flow.empty(4096, 50257, dtype=flow.bfloat16, device=GPU))

    codes = [code_of(request.compile(90), 90) for request in products_of(call)]
    assert len(codes) == 2  # nobody reads the forward
    for code in codes:
        loop = [line for each in code.loops for line in code.text[each]]
        assert code.stack == 0 and has(code, "matrix") and not any("LDG.E.U16" in line for line in loop)


BEHIND: dict[str, Callable[..., Any]] = {
    "gelu": lambda x, w, b, r: (y := F.linear(x, w, b), F.gelu(y)),
    "residual": lambda x, w, b, r: F.linear(x, w, b).float() + r.float(),
    "gradient": lambda x, w, b, r: flow.autograd.grad([F.gelu(v := r.detach().requires_grad_())], [v], [x @ w.mT])[0],
    "dropout": lambda x, w, b, r: F.dropout(F.silu(F.linear(x, w, b)) * r, 0.1),
}


@pytest.mark.parametrize("name", [n if n != "dropout" else pytest.param(n, marks=pytest.mark.long) for n in BEHIND])
def test_epilogues_of_large_products_do_not_spill(name: str) -> None:
    """Of the layers of a transformer, in bfloat16, with what a graph stores beside."""
    sizes = ((16384, 768), (3072, 768), (3072,), (16384, 3072))

    def call() -> None:
        flow.compile(BEHIND[name], fullgraph=True)(*[flow.empty(*s, dtype=flow.bfloat16, device=GPU) for s in sizes])

    (request,) = products_of(call)
    code = code_of(request.compile(90), 90)
    assert code.stack == 0 and code.programs == (1 if "persistent" in request.fn.__name__ else 2), str(request)


def test_numbers_below_the_smallest_normal_one_are_kept() -> None:
    """As in torch's kernels: no instruction takes an operand of 1e-40 for 0. Attention alone does, whose weights these are no part of."""
    functions = ("sin", "cos", "log", "log1p", "expm1", "asin", "atan", "sqrt", "rsqrt", "exp2")
    q = (1, 2, 256, 64)
    requests = requests_of(lambda: [getattr(flow, name)(x) for x in [flow.empty(64, device=GPU)] for name in functions])
    assert len(requests) == len(functions)
    texts = {name: request.compile(90).asm["ptx"] for name, request in zip(functions, requests)}
    found = requests_of(
        lambda: F.scaled_dot_product_attention(*[flow.empty(*q, dtype=flow.float16, device=GPU) for _ in range(3)])
    )
    (attention,) = [request for request in found if request.fn.__name__ == "forward"]
    flushing = {name: re.findall(r"^\s+([a-z.0-9]+\.ftz\S*)", text, re.M) for name, text in texts.items()}
    assert not any(flushing.values()), flushing
    assert "ex2.approx.ftz" in attention.compile(90).asm["ptx"]


def test_attention_of_small_heads_has_programs_beside_each_other_and_few_instructions() -> None:
    """GPT-2's, in bfloat16: programs on a multiprocessor, and instructions for each score of the loop over blocks without edges.

    The gradients are two launches: the kernel for rows computes rowsum(do o) as well.
    """

    def call() -> None:
        q, k, v = (flow.empty(4, 12, 1024, 64, dtype=flow.bfloat16, device=GPU, requires_grad=True) for _ in range(3))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        y.backward(flow.empty(4, 12, 1024, 64, dtype=flow.bfloat16, device=GPU))

    found = [request for request in requests_of(call) if "attention" in request.fn.__module__]
    assert [request.fn.__name__ for request in found] == ["forward", "query_gradient", "key_gradients"]
    bounds = {"forward": (4, 10), "query_gradient": (4, 8), "key_gradients": (2, 13)}
    for request in found:
        code, (programs, instructions) = code_of(request.compile(90), 90), bounds[request.fn.__name__]
        scores = request.constexprs["BLOCK_M"] * request.constexprs["BLOCK_N"] / (32 * code.warps)
        loop = min(s.stop - s.start for s in code.loops if any("GMMA" in line for line in code.text[s]))
        assert code.stack == 0 and code.programs >= programs, f"{request.fn.__name__}: {code.registers} registers"
        assert loop / scores <= instructions, f"{request.fn.__name__}: {loop / scores:.1f} instructions"


def _attention(d: int, masked: bool, dropout: float) -> Any:
    """The gradients of attention in bfloat16."""

    def call() -> None:
        q, k, v = (flow.empty(1, 2, 1024, d, dtype=flow.bfloat16, device=GPU, requires_grad=True) for _ in range(3))
        mask = flow.empty(1024, 1024, dtype=flow.bfloat16, device=GPU) if masked else None
        attention = flow.nn.functional.scaled_dot_product_attention
        attention(q, k, v, mask, dropout_p=dropout, is_causal=not masked).sum().backward()

    return call


def _odd_rows() -> None:
    x, w = (flow.empty(4096, 1001, dtype=flow.bfloat16, device=GPU) for _ in range(2))
    flow.nn.functional.linear(x, w)


@pytest.mark.long
@pytest.mark.parametrize("arch", [80, 90])
@pytest.mark.parametrize(
    "call",
    [_odd_rows, *[_attention(d, *beside) for d in (64, 128) for beside in ((True, 0.0), (False, 0.1), (True, 0.1))]],
    ids=["odd rows", *[f"{d} {beside}" for d in (64, 128) for beside in ("mask", "dropout", "mask and dropout")]],
)
def test_what_takes_registers_beside_does_not_spill(call: Any, arch: int) -> None:
    """Loads into registers beside the sums, masks and random words take smaller tiles."""
    with sweep(arch) as found:
        call()
    multiplying = ("attention", "attention_gradients", "matmul")
    for request in {str(r): r for r in found.requests if r.fn.__module__.endswith(multiplying)}.values():
        code = code_of(request.compile(arch), arch)
        assert code.stack == 0, f"{request}: {code.stack} bytes of stack"


def _by_architecture() -> list[Any]:
    """Each case for one architecture in the long run, for both in that of hours."""
    pairs = [(name, arch, k) for k, name in enumerate(CASES) for arch in (80, 90)]
    return [pytest.param(n, arch, marks=pytest.mark.long if (arch == 90) == k % 2 else pytest.mark.hours) for n, arch, k in pairs]


@pytest.mark.parametrize(("name", "arch"), _by_architecture())
def test_code_of_every_case(name: str, arch: int) -> None:
    check(name, arch)


def test_topk_is_four_launches() -> None:
    """One reads the rows; the others sort few keys."""
    assert len(launches_of("topk 64 of 32x128256")) <= 4
