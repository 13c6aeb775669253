"""Products of matrices on a GPU, a stand-in: factors whose rows begin at odd addresses, shares of K, epilogues in parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

import tritonflow as flow
from tests.device.fake_cuda import FakeCuda, on_stand_in
from tests.graph.test_fusion import optimized
from tritonflow.graph.ir import KernelNode
from tritonflow.kernels import matmul_persistent
from tritonflow.ops import matmul

F = flow.nn.functional


def there(x: torch.Tensor) -> Any:
    return on_stand_in(flow.from_torch(x))


def same(found: Any, expected: torch.Tensor, limit: float = 2e-2) -> None:
    """Whether a tensor on the device has these numbers, as near as a share of the largest."""
    error = (flow.to_torch(found.detach().to("cpu")).double() - expected).abs().max()
    assert error <= limit * expected.abs().max(), float(error)


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> Callable[[int | None], None]:
    """Small products are planned as large ones are; the function says the steps of a program, or None for a program for each tile."""
    monkeypatch.setattr(matmul, "PADDED", 1 << 20)
    return lambda share: monkeypatch.setattr(matmul_persistent, "persistent_share", lambda *sizes: share)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_large_factors_with_odd_rows_are_copied_before(compiled: list[str], large: Any, dtype: torch.dtype) -> None:
    """The gradient of a linear layer with an odd number of outputs, whose rows run on in it, and its columns."""
    large(0)
    x, w = torch.randn(640, 512, dtype=dtype), torch.randn(601, 512, dtype=dtype) / 16
    dy = torch.randn(640, 601, dtype=dtype)
    ours = [there(t).requires_grad_() for t in (x, w)]
    y = F.linear(*ours)
    same(y, x.double() @ w.double().mT)
    compiled.clear()
    dx, dw = flow.autograd.grad([y], ours, [there(dy)])
    assert compiled.count("strided") == 1  # of the gradient, for both: the same kernel
    same(dx, dy.double() @ w.double())
    same(dw, dy.double().mT @ x.double())


def test_factors_are_copied_where_that_is_of_use(compiled: list[str], large: Any) -> None:
    """A program for each tile loads 16 bytes of a copy only where rows end at such, too."""
    large(None)
    w, x = torch.randn(528, 601).bfloat16(), torch.randn(520, 601).bfloat16()
    same(F.linear(there(x), there(w)), x.double() @ w.double().mT)
    assert "strided" not in compiled
    same(F.linear(there(x)[:, 1:593], there(w)[:, 1:593]), x[:, 1:593].double() @ w[:, 1:593].double().mT)
    assert "strided" in compiled


def test_small_factors_are_not_copied(compiled: list[str]) -> None:
    x, w = torch.randn(64, 101).bfloat16(), torch.randn(32, 101).bfloat16()
    same(F.linear(there(x), there(w)), x.double() @ w.double().mT)
    assert "strided" not in compiled


@pytest.mark.parametrize("share", [2, 5, 7, 16, 50])
def test_programs_have_equal_shares_of_a_long_sum(compiled: list[str], large: Any, share: int) -> None:
    """As where there are few tiles, and no smaller ones are faster: here 9 of 16 steps each, by 132 programs."""
    large(share)
    a, b, bias = torch.randn(300, 1000).bfloat16(), torch.randn(1000, 520).bfloat16() / 8, torch.randn(520).bfloat16()
    same(F.linear(there(a), there(b).mT, there(bias)), a.double() @ b.double() + bias.double())
    assert compiled[-2:] == ["matmul_stream_k", "add_parts"]


@pytest.mark.parametrize(
    "behind",
    [
        lambda lib, y, r: lib.nn.functional.gelu(y),
        lambda lib, y, r: y + r,
        lambda lib, y, r: lib.tanh(y) * r[0] + lib.sigmoid(y),
    ],
    ids=["gelu", "add", "tanh"],
)
@pytest.mark.parametrize("rows", [40, 700])
def test_an_epilogue_takes_a_tile_in_parts(compiled: list[str], behind: Callable[..., Any], rows: int) -> None:
    x, w, r = (torch.randn(*shape).bfloat16() for shape in ((rows, 576), (328, 576), (rows, 328)))
    w /= 16
    function = flow.compile(lambda x, w, r: behind(flow, F.linear(x, w), r), fullgraph=True)
    same(function(there(x), there(w), there(r)), behind(torch, x.double() @ w.double().mT, r.double()))
    assert "flat" not in compiled and "strided" not in compiled


def loss_and_gradients(lib: Any, x: Any, w: Any, bias: Any, weight: Any, target: Any, **options: Any) -> list[Any]:
    """Of logits of an odd number of classes."""
    logits = lib.nn.functional.linear(x, w, bias)
    loss = lib.nn.functional.cross_entropy(logits.view(4, -1, w.shape[0]).flatten(0, 1), target, weight, **options)
    return [loss, *lib.autograd.grad([loss.square().sum()], [x, w])]


@pytest.mark.parametrize("share", [0, None])
@pytest.mark.parametrize(
    "options", [{}, {"ignore_index": 3, "label_smoothing": 0.1}, {"reduction": "none"}], ids=["mean", "smooth", "none"]
)
@pytest.mark.parametrize("with_bias", [False, True])
def test_rows_of_logits_are_padded_in_programs(
    compiled: list[str], large: Any, share: int | None, options: dict[str, Any], with_bias: bool
) -> None:
    """No product copies the gradient of the logits."""
    large(share)
    x, w = torch.randn(528, 512).bfloat16(), torch.randn(1027, 512).bfloat16() / 16
    bias = torch.randn(1027).bfloat16() if with_bias else None
    weight, target = torch.rand(1027) + 0.5, torch.randint(0, 1027, (528,))
    target[5] = 3

    def step(*tensors: Any) -> list[Any]:
        with flow.autocast("cuda", dtype=flow.bfloat16):
            return loss_and_gradients(flow, *tensors, **options)

    ours = [None if t is None else there(t) for t in (x, w, bias, weight, target)]
    for t in ours[:2]:
        t.requires_grad_()
    found = flow.compile(step, fullgraph=True)(*ours)
    assert "strided" not in compiled and "cross_entropy_backward" in compiled
    exact = [None if t is None else t.double() for t in (x, w, bias, weight)]
    for t in exact[:2]:
        t.requires_grad_()
    for ours_, expected in zip(found, loss_and_gradients(torch, *exact, target, **options)):
        same(ours_, expected.detach())


def test_rows_of_logits_that_others_read_are_not_padded(compiled: list[str], large: Any) -> None:
    large(0)
    x, w = torch.randn(528, 512).bfloat16(), torch.randn(1027, 512).bfloat16() / 16
    target = torch.randint(0, 1027, (528,))

    def step(x: Any, w: Any, target: Any) -> Any:
        logits = F.linear(x, w)
        return F.cross_entropy(logits, target), logits

    loss, logits = flow.compile(step, fullgraph=True)(*map(there, (x, w, target)))
    expected = x.double() @ w.double().mT
    assert logits.is_contiguous()
    same(logits, expected)
    same(loss, torch.nn.functional.cross_entropy(expected, target))


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_the_gradient_of_a_norm_takes_what_follows(compiled: list[str], dtype: torch.dtype) -> None:
    """The sum with the gradient that goes beside the norm, and its cast; the parameters' gradients are as they were."""
    x, r, dy = (torch.randn(*shape).to(dtype) for shape in ((6, 37, 96), (37, 96), (6, 37, 96)))
    w, b = torch.rand(96) + 0.5, torch.randn(96)

    def step(lib: Any, x: Any, r: Any, w: Any, b: Any, dy: Any) -> list[Any]:
        y = lib.nn.functional.layer_norm(x, (96,), w, b)
        dx, *rest = lib.autograd.grad([y], [x, w, b], [dy])
        total = dx + r
        return [total, total.to(lib.float16) if lib is flow else total, *rest]

    ours = [there(t.to(dtype)) for t in (x, r, w, b, dy)]
    exact = [t.to(dtype).double() for t in (x, r, w, b, dy)]
    for x, _, w, b, _ in (ours, exact):
        for t in (x, w, b):
            t.requires_grad_()
    found = flow.compile(lambda *tensors: step(flow, *tensors), fullgraph=True)(*ours)
    assert "gradients" in compiled and "flat" not in compiled and "strided" not in compiled
    for ours_, expected in zip(found, step(torch, *exact), strict=True):
        same(ours_, expected)


# ----------------------------------------------------------------------------------------------------- products of groups

ENDS = [40, 40, 100, 129]


def layer(x: Any, first: Any, second: Any, ends: Any) -> Any:
    """Rows of each expert through its own two layers."""
    return F.grouped_mm(F.grouped_mm(x, first, offs=ends).relu(), second, offs=ends)


def layer_in_float64(x: torch.Tensor, first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
    pieces = enumerate(zip([0, *ENDS], ENDS))
    rows = torch.cat([(x[i:j] @ first[g]).relu() @ second[g] for g, (i, j) in pieces])
    return torch.cat([rows, x.new_zeros(len(x) - len(rows), second.shape[2])])


@pytest.mark.parametrize("kind", ["eager", "graph"])
def test_products_of_groups_wait_for_nothing(cuda: FakeCuda, compiled: list[str], kind: str) -> None:
    """Of experts, with all gradients. The graph is captured once for whatever ends there are."""
    x, first, second = torch.randn(140, 48), torch.randn(4, 48, 32) / 8, torch.randn(4, 32, 24) / 8
    dy = torch.randn(140, 24)

    def step(x: Any, first: Any, second: Any, ends: Any, dy: Any) -> Any:
        leaves = [t.detach().requires_grad_() for t in (x, first, second)]
        y = layer(*leaves, ends)
        return (y, *flow.autograd.grad([y], leaves, [dy]))

    run = flow.compile(step) if kind == "graph" else step
    tensors = [there(t) for t in (x, first, second)]
    run(*tensors, there(torch.tensor([1, 2, 3, 140])), there(dy))
    ends = there(torch.tensor(ENDS))
    before = cuda.waits
    found = run(*tensors, ends, there(dy))
    assert cuda.waits == before
    assert {name for name in compiled if "matmul" in name or name in ("rows", "depths")} == {"rows", "depths"}
    doubles = [t.double().requires_grad_() for t in (x, first, second)]
    y = layer_in_float64(*doubles)
    y.backward(dy.double())
    for mine, theirs in zip(found, (y, *[t.grad for t in doubles])):
        same(mine, theirs.detach(), 1e-4)


def test_bad_ends_of_groups_are_reported_behind(cuda: FakeCuda) -> None:
    a, b = there(torch.randn(20, 16)), there(torch.randn(2, 16, 16))
    F.grouped_mm(a, b, offs=there(torch.tensor([12, 4])))
    with pytest.raises(IndexError, match="offs must rise from 0 to 20 at most"):
        flow.sync()


def test_gradients_of_weight_and_bias_are_one_op(compiled: list[str], large: Any) -> None:
    """In programs: the product adds up the gradient of the result as well. Casts behind both are as they were."""
    large(5)
    x, w, b, dy = (torch.randn(*shape).bfloat16() for shape in ((600, 264), (136, 264), (136,), (600, 136)))

    def step(lib: Any, x: Any, w: Any, b: Any, dy: Any) -> list[Any]:
        grads = lib.autograd.grad([lib.nn.functional.linear(x, w, b)], [x, w, b], [dy])
        return [grad.to(lib.float64 if lib is torch else lib.float32) for grad in grads]

    exact = [t.double() for t in (x, w, b, dy)]
    ours = [there(t) for t in (x, w, b, dy)]
    for tensors in (ours, exact):
        for t in tensors[:3]:
            t.requires_grad_()
    found = flow.compile(lambda *tensors: step(flow, *tensors), fullgraph=True)(*ours)
    assert "matmul_stream_k" in compiled and "reduce" not in compiled
    for ours_, expected in zip(found, step(torch, *exact), strict=True):
        same(ours_, expected)


def test_the_gradient_of_a_norm_reads_halves(compiled: list[str]) -> None:
    """Of the product behind it in mixed precision, which stores no other."""
    x, w, v = torch.randn(40, 96), torch.rand(96) + 0.5, torch.randn(64, 96) / 8

    def step(lib: Any, x: Any, w: Any, v: Any) -> Any:
        normed = lib.nn.functional.layer_norm(x, (96,), w)
        loss = lib.nn.functional.linear(normed, v).square().sum()
        return lib.autograd.grad([loss], [x, w, v])

    def ours(*tensors: Any) -> Any:
        with flow.autocast("cuda", dtype=flow.bfloat16):
            return step(flow, *[t.detach().requires_grad_() for t in tensors])

    tensors = [there(t) for t in (x, w, v)]
    ops = [op for node in optimized(ours, *tensors).nodes if isinstance(node, KernelNode) for op in node.ops()]
    assert [op.inputs[0].meta.dtype for op in ops if op.op.name == "layer_norm_gradients"] == [flow.bfloat16]
    found = flow.compile(ours, fullgraph=True)(*tensors)
    for mine, expected in zip(found, step(torch, *[t.double().requires_grad_() for t in (x, w, v)]), strict=True):
        same(mine, expected)


def transposed_product(a: Any, b: Any) -> Any:
    """As the gradient of a linear layer has it."""
    return a.mT @ b if isinstance(a, torch.Tensor) else flow._C.matmul(a, b, transpose_a=True)


@pytest.mark.parametrize("order", ["product first", "sum first"])
def test_several_products_and_sums_of_one_gradient(compiled: list[str], large: Any, order: str) -> None:
    large(5)
    a, b, c = (torch.randn(600, n).bfloat16() for n in (136, 264, 280))

    def program(a: Any, b: Any, c: Any) -> Any:
        sums = [a.sum(0)] if order == "sum first" else []
        products = [transposed_product(a, b), transposed_product(a, c)]
        return [*products, *sums, a.sum(0), a.sum(0), transposed_product(a, b)]

    found = flow.compile(program, fullgraph=True)(*map(there, (a, b, c)))
    assert "reduce" not in compiled
    for ours, expected in zip(found, program(a.double(), b.double(), c.double()), strict=True):
        same(ours, expected)


def test_a_sum_that_is_read_before_the_product_stays_alone(compiled: list[str], large: Any) -> None:
    large(5)
    a, b = torch.randn(600, 136).bfloat16(), torch.randn(600, 264).bfloat16()

    def program(a: Any, b: Any) -> Any:
        return transposed_product(a, b + a.sum(0)[0])

    found = flow.compile(program, fullgraph=True)(there(a), there(b))
    assert "reduce" in compiled
    same(found, program(a.double(), b.double()))


def test_casts_that_may_run_at_one_place_are_one_launch(compiled: list[str]) -> None:
    """Of arguments in front of what reads the first; of what is made of these behind what makes the last."""
    tensors = [torch.randn(*shape) for shape in ((7, 33), (5000,), (3, 1, 41))]

    def program(lib: Any, a: Any, b: Any, c: Any) -> Any:
        x, y = a.to(lib.bfloat16), b.to(lib.bfloat16)
        sums, z = x.cumsum(0), c.to(lib.bfloat16)
        return x, y, z, sums.to(lib.float32), y.cumsum(0).to(lib.float32), z.cumsum(2).to(lib.float32)

    found = flow.compile(lambda *tensors: program(flow, *tensors), fullgraph=True)(*map(there, tensors))
    assert compiled.count("cast_together") == 2 and "flat" not in compiled, compiled
    for ours, expected in zip(found, program(torch, *tensors), strict=True):
        same(ours, expected.double(), 1e-2)


def test_casts_that_wait_for_each_other_are_several_launches(compiled: list[str]) -> None:
    """Of what casts make, in both directions, and of one value for several."""

    def program(lib: Any, a: Any, b: Any) -> Any:
        sums = (a.cumsum(0), b.to(lib.float16).cumsum(0))
        x = a.to(lib.bfloat16)
        both = [each.to(dtype) for each in (*sums, a) for dtype in (lib.bfloat16, lib.float32, lib.float16)]
        back = [each.to(lib.float32).cumsum(0).to(lib.float16) for each in both]
        for _ in range(3):
            x = x.cumsum(0).to(lib.float32).cumsum(0).to(lib.bfloat16)
        return x, b.to(lib.bfloat16), *both, *back

    tensors = [torch.rand(5, 3), torch.rand(70)]
    found = flow.compile(lambda *tensors: program(flow, *tensors), fullgraph=True)(*map(there, tensors))
    for ours, expected in zip(found, program(torch, *tensors), strict=True):
        same(ours, expected.double(), 5e-2)
