"""Gradients where functions have none in the ordinary sense: norms of zeros, medians of equal elements, losses of NaN. They are torch's."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import tritonflow as flow
from tritonflow.testing import assert_close

NAN, INF = float("nan"), float("inf")


def _compare(function: Any, numbers: list[float]) -> None:
    results = []
    for side in (flow, torch):
        x = side.tensor(numbers, dtype=side.float64, requires_grad=True)
        y = function(side, x)
        y.sum().backward()
        results.append((y, x.grad))
    for mine, theirs in zip(*results):
        assert_close(mine.cpu(), theirs, op_class="transcendental", equal_nan=True)


@pytest.mark.parametrize("numbers", [[0.0, 0.0, 0.0, 0.0], [1.0, 0.0, -2.0, 2.0]], ids=str)
@pytest.mark.parametrize("p", [-2.0, 0.5, 1.5, 3.0])
def test_norms_of_zeros(p: float, numbers: list[float]) -> None:
    _compare(lambda side, x: x.norm(p=p), numbers)
    _compare(lambda side, x: side.dist(x, x.detach(), p), numbers)
    _compare(lambda side, x: side.nn.functional.normalize(x.view(2, 2), p=p, dim=1), numbers)


@pytest.mark.parametrize("p", [INF, -INF, 0, 1, 2, 3], ids=str)
def test_norms_of_nan(p: float) -> None:
    """The norm that is the largest magnitude counts NaN among the largest. A count of elements has no gradient."""
    rows = [[1.0, NAN, -3.0], [1.0, 2.0, -2.0], [0.0, 0.0, 0.0], [INF, -INF, 1.0]]
    for name, dim in (("vector_norm", 1), ("vector_norm", (0, 1)), ("norm", 1)):
        found = []
        for side in (torch, flow):
            x = side.tensor(rows, dtype=side.float64, requires_grad=True)
            getattr(side.linalg, name)(x, p, dim).sum().backward()
            found.append(x.grad)
        assert (found[0] is None) == (found[1] is None) == (p == 0)
        if p:
            assert_close(found[1].cpu(), found[0], op_class="transcendental", equal_nan=True)


@pytest.mark.parametrize("p", [0.5, 1, 2, 3, INF], ids=str)
def test_slices_that_renorm_leaves_as_they_are_keep_their_gradients(p: float) -> None:
    def renormed(side: Any, x: Any) -> Any:
        return side.renorm(x.view(4, 3), p, 0, 1.5) * side.arange(1.0, 13.0, dtype=side.float64).view(4, 3)

    _compare(renormed, [1.0, NAN, -3.0, 1.0, 2.0, -2.0, 0.0, 0.0, 0.0, 0.1, NAN, 0.0])


@pytest.mark.parametrize("numbers", [[0.0, 0.0, 0.0], [1.0, 2.0, 2.0, 0.0, 1.0]], ids=str)
def test_equal_elements_share_the_gradient_of_a_median(numbers: list[float]) -> None:
    _compare(lambda side, x: x.median(), numbers)
    _compare(lambda side, x: x.nanmedian(), [*numbers, NAN])


@pytest.mark.parametrize("name", ["smooth_l1_loss", "huber_loss"])
def test_losses_of_nan_have_gradients_of_nan(name: str) -> None:
    _compare(lambda side, x: getattr(side.nn.functional, name)(x, side.zeros_like(x)), [NAN, 1.0, 0.5, -1.0, -3.0])


_SELECTIONS: dict[str, Any] = {
    **{f"{name} of all": lambda m, x, name=name: getattr(m, name)(x) for name in ("max", "min", "median", "nanmedian", "amax", "amin")},
    **{f"{name} of rows": lambda m, x, name=name: getattr(m, name)(x, 1)[0] for name in ("max", "min", "median")},
    "stable sort": lambda m, x: m.sort(x, dim=1, stable=True)[0],
    "stable sort downwards": lambda m, x: m.sort(x, dim=1, stable=True, descending=True)[0],
    "largest by topk": lambda m, x: m.topk(x, 1, 1)[0],
    "kthvalue": lambda m, x: m.kthvalue(x, 3, 1)[0],
    "amax of rows": lambda m, x: m.amax(x, 1),
    "maximum": lambda m, x: m.maximum(x, x.flip(1)),
    "cummax": lambda m, x: m.cummax(x, 1)[0],
}


@pytest.mark.parametrize("name", _SELECTIONS)
def test_gradients_of_nan_and_equals_are_those_of_torch(name: str) -> None:
    """Which of equals `topk` and `kthvalue` give is not promised: their rows have none that matter."""
    rows = [[1.0, NAN, 3.0, NAN, 2.0], [0.5, 7.0, 3.0, -1.0, 2.0]]
    if name not in ("largest by topk", "kthvalue"):
        rows += [[3.0, 3.0, 0.0, -0.0, 3.0]]
    for values in (rows, [[1.0, 3.0, 3.0, 0.0, 0.5]] if len(rows) == 3 else rows[1:]):
        found = []
        for m in (torch, flow):
            x = m.tensor(values, requires_grad=True)
            y = _SELECTIONS[name](m, x)
            weights = m.arange(1.0, y.numel() + 1).reshape(y.shape)
            found.append(torch.tensor(m.autograd.grad(y, x, weights)[0].tolist()))
        torch.testing.assert_close(found[1], found[0], rtol=1e-6, atol=0, equal_nan=True)


SCATTERED = [[1.0, NAN, 3.0, NAN], [2.0, 2.0, 1.0, 2.0], [INF, -INF, NAN, INF]]


@pytest.mark.parametrize("include_self", [True, False])
@pytest.mark.parametrize("reduce", ["amax", "amin"])
def test_gradients_of_scattered_extrema(reduce: str, include_self: bool) -> None:
    """NaN equals none: its gradients are NaN. What is not folded in has no part, as if it were not equal."""
    found = []
    for side in (torch, flow):
        x = side.tensor([[0.5, 2.5, NAN, 1.0]] * 2, requires_grad=True)
        src = side.tensor(SCATTERED, requires_grad=True)
        index = side.tensor([[0, 0, 1, 0], [1, 0, 1, 0], [0, 1, 0, 0]])
        weights = side.arange(1.0, 9.0).reshape(2, 4)
        y = x.scatter_reduce(0, index, src, reduce, include_self=include_self)
        z = x.index_reduce(0, index[0, 1:], src, reduce, include_self=include_self)
        gradients = [*side.autograd.grad(y, (x, src), weights), *side.autograd.grad(z, (x, src), weights)]
        found.append([torch.tensor(g.tolist()) for g in gradients])
    for mine, theirs in zip(found[1], found[0]):
        torch.testing.assert_close(mine, theirs, rtol=1e-6, atol=0, equal_nan=True)


@pytest.mark.parametrize("name", ["scatter_reduce", "segment_reduce"])
def test_infinities_share_a_gradient_only_among_themselves(name: str) -> None:
    src = flow.tensor([-INF, -INF], requires_grad=True)
    if name == "scatter_reduce":
        y = flow.zeros(1).scatter_reduce(0, flow.tensor([0, 0]), src, "amax", include_self=False)
    else:
        y = flow.segment_reduce(src, "max", lengths=flow.tensor([2]))
    assert flow.autograd.grad(y, src, flow.ones(1))[0].tolist() == [0.5, 0.5]


BENT: dict[str, Any] = {
    "elu": lambda m, x: m.nn.functional.elu(x, 0.7),
    "celu": lambda m, x: m.nn.functional.celu(x, 0.7),
    "selu": lambda m, x: m.nn.functional.selu(x),
    "huber_loss": lambda m, x: m.nn.functional.huber_loss(x, m.zeros_like(x), reduction="none"),
    "smooth_l1_loss": lambda m, x: m.nn.functional.smooth_l1_loss(x, m.zeros_like(x), reduction="none"),
}


@pytest.mark.parametrize("name", BENT)
def test_second_derivatives_where_pieces_meet(name: str) -> None:
    found = []
    for m in (torch, flow):
        x = m.tensor([-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0], dtype=m.float64, requires_grad=True)
        (first,) = m.autograd.grad(BENT[name](m, x).sum(), x, create_graph=True)
        found.append([torch.tensor(g.tolist()) for g in (first, m.autograd.grad(first.sum(), x)[0])])
    torch.testing.assert_close(found[1], found[0], rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize(
    ("numbers", "others"),
    [
        ([INF, INF, 1.0], [INF, INF, INF]),
        ([INF, 2.0, 3.0], [6.0, INF, INF]),
        ([-INF, INF, 2.0], [INF, -INF, -INF]),
        ([INF, 0.0, 3.0], [0.0, INF, NAN]),
        ([-INF, -INF, -INF, -1.0], [-INF, -INF, -INF, -INF]),
    ],
    ids=str,
)
def test_gradients_of_products_with_infinities(numbers: list[float], others: list[float]) -> None:
    x = flow.tensor([numbers], dtype=flow.float64, requires_grad=True)
    for product in (lambda x: x.prod(), lambda x: x.prod(1).sum(), lambda x: x.t().prod(0).sum()):
        (found,) = flow.autograd.grad(product(x), x)
        finite = [k for k, value in enumerate(others) if value == value]
        assert [found[0, k].item() for k in finite] == [others[k] for k in finite]


@pytest.mark.parametrize("dtype", ["float32", "complex64"])
def test_norms_of_one_number_do_not_overflow(dtype: str) -> None:
    number = 1e30 + 1e30j if dtype == "complex64" else -1e30
    for scale in (1, 1e-55):
        found = []
        for side in (flow, torch):
            x = side.tensor([[number * scale]], dtype=getattr(side, dtype), requires_grad=True)
            y = side.linalg.vector_norm(x, 2, 1)
            y.sum().backward()
            found.append(y.tolist())
        assert found[0] == pytest.approx(found[1], rel=1e-6)
        x = flow.tensor([[number * scale]], dtype=getattr(flow, dtype), requires_grad=True)
        flow.linalg.vector_norm(x, 2, 1).sum().backward()
        assert x.grad[0].tolist() == pytest.approx([number / abs(number)], rel=1e-5)


@pytest.mark.parametrize("weight", [None, 0.5, 1.0, 2.0], ids=str)
def test_gradients_by_targets_at_infinite_logits(weight: float | None) -> None:
    found = []
    for side in (flow, torch):
        x, target = side.tensor([-INF, INF, 0.3, -90.0, 90.0]), side.full((5,), 0.25, requires_grad=True)
        pos_weight = None if weight is None else side.full((5,), weight)
        loss = side.nn.functional.binary_cross_entropy_with_logits(x, target, pos_weight=pos_weight, reduction="sum")
        loss.backward()
        found.append(target.grad)
    assert found[0][:2].tolist() == [INF, -INF]
    assert_close(found[0].cpu(), found[1], op_class="transcendental")


@pytest.mark.parametrize("p", [1, 2])
def test_margins_that_are_just_kept_have_no_gradient(p: int) -> None:
    found = []
    for side in (flow, torch):
        x = side.tensor([[1.0, 0.0, 2.0, 0.0], [1.0, 1.0, 0.0, 0.0]], requires_grad=True)
        y = side.nn.functional.multi_margin_loss(x, side.tensor([0, 1]), p=p)
        y = y + side.nn.functional.multilabel_margin_loss(x, side.tensor([[1, -1, 0, 0], [0, 1, -1, 0]]))
        y.backward()
        found.append(x.grad.tolist())
    for mine, right in zip(*found):
        assert mine == pytest.approx(right)
