"""Products of matrices on a GPU, a stand-in: factors whose rows begin at odd addresses, splits of K, epilogues in parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

import tritonflow as flow
from tests.device.fake_cuda import FakeCuda, on_stand_in
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
    """Small products are planned as large ones are; the function says into how many splits, or None for a program for each tile."""
    monkeypatch.setattr(matmul, "PADDED", 1 << 20)
    return lambda splits: monkeypatch.setattr(matmul_persistent, "persistent_splits", lambda *sizes: splits)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_large_factors_with_odd_rows_are_copied_before(compiled: list[str], large: Any, dtype: torch.dtype) -> None:
    """The gradient of a linear layer with an odd number of outputs, whose rows run on in it, and its columns."""
    large(1)
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


def test_a_long_sum_is_split_over_programs_that_compute_several_tiles(compiled: list[str], large: Any) -> None:
    """As where there are few tiles, and no smaller ones are faster."""
    large(3)
    a, b, bias = torch.randn(300, 1000).bfloat16(), torch.randn(1000, 520).bfloat16() / 8, torch.randn(520).bfloat16()
    same(F.linear(there(a), there(b).mT, there(bias)), a.double() @ b.double() + bias.double())
    assert compiled[-2:] == ["matmul_persistent", "reduce_splits"]


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
