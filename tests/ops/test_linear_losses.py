"""`linear_cross_entropy` in chunks of rows, beside the same loss by way of all logits in float64."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
import torch

import tritonflow as flow
from tests.ops.sides import ours
from tritonflow.testing import assert_close

F = flow.nn.functional
IGNORED = 2


def expected(x: Any, w: Any, t: Any, bias: Any = None, weight: Any = None, reduction: str = "mean", smoothing: float = 0.0,
             cap: float | None = None, square: float = 0.0, count: float | None = None) -> Any:  # fmt: skip
    """(loss, z-loss) as Liger's: a mean divides z-losses by the number of rows that count."""
    logits = torch.nn.functional.linear(x, w, bias)
    if cap is not None:
        logits = cap * torch.tanh(logits / cap)
    kind = reduction if count is None else "sum"
    loss = torch.nn.functional.cross_entropy(logits, t, weight, ignore_index=IGNORED, reduction=kind, label_smoothing=smoothing)
    z = square * torch.logsumexp(logits, 1) ** 2 * (t != IGNORED)
    z = z if kind == "none" else z.sum() if kind == "sum" else z.sum() / (t != IGNORED).sum()
    return (loss + z, z) if count is None else ((loss + z) / count, z / count)


def problem(rows: int, classes: int, depth: int, dtype: torch.dtype = torch.float64) -> list[torch.Tensor]:
    torch.manual_seed(0)
    x, w, b = torch.randn(rows, depth), torch.randn(classes, depth) / 2, torch.randn(classes)
    t = torch.randint(0, classes, (rows,))
    t[::7] = IGNORED
    return [x.to(dtype), w.to(dtype), b.to(dtype), t, torch.rand(classes).to(dtype)]


def leaf(x: torch.Tensor) -> Any:
    return ours(x).requires_grad_()


OPTIONS = [
    (reduction, bias, weighted, smoothing, cap, square, count)
    for reduction, bias, weighted, smoothing, cap, square, count in product(
        ("none", "sum", "mean"), (False, True), (False, True), (0.0, 0.1), (None, 3.0), (0.0, 0.01), (None, 7.0)
    )
    if count is None or reduction == "mean"
]


@pytest.mark.sampled(most=12)
@pytest.mark.parametrize("size", [(300, 70, 16), (5, 33, 8), (1, 3, 1), (128, 40, 8)], ids=str)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_against_all_logits(options: Any, size: Any) -> None:
    reduction, has_bias, weighted, smoothing, cap, square, count = options
    x, w, b, t, cw = problem(*size)
    if size[0] == 1:
        t[:] = 0
    doubles = [one.clone().requires_grad_() for one in (x, w, b)[: 2 + has_bias]]
    weight = cw if weighted else None
    wanted = expected(*doubles[:2], t, *doubles[2:] or [None], weight, reduction, smoothing, cap, square, count)
    dy = torch.randn(wanted[0].shape, dtype=torch.float64)
    (wanted[0] * dy).sum().backward()
    leaves = [leaf(one) for one in (x, w, b)[: 2 + has_bias]]
    found = F.linear_cross_entropy(
        *leaves[:2], ours(t), linear_bias=leaves[2] if has_bias else None, weight=ours(cw) if weighted else None,
        reduction=reduction, ignore_index=IGNORED, label_smoothing=smoothing, softcap=cap, lse_square_scale=square,
        return_z_loss=True, num_items_in_batch=count,
    )  # fmt: skip
    assert not found[1].requires_grad
    (found[0] * ours(dy)).sum().backward()
    for mine, theirs in zip((*found, *[one.grad for one in leaves]), (*wanted, *[one.grad for one in doubles])):
        assert_close(mine.detach(), theirs.detach(), op_class="matmul", check_device=False)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float32], ids=str)
@pytest.mark.parametrize("reduction", ["none", "mean"])
def test_half_types_add_in_float32(reduction: str, dtype: torch.dtype) -> None:
    """Each number is rounded once: by logits in half types losses would be off by a hundredth."""
    x, w, b, t, _ = problem(300, 500, 32, dtype)
    doubles = [one.double().requires_grad_() for one in (x, w, b)]
    loss, _ = expected(*doubles[:2], t, doubles[2], reduction=reduction)
    loss.sum().backward()
    leaves = [leaf(one) for one in (x, w, b)]
    found = F.linear_cross_entropy(*leaves[:2], ours(t), linear_bias=leaves[2], reduction=reduction, ignore_index=IGNORED)
    assert found.dtype == leaves[0].dtype
    found.sum().backward()
    eps = torch.finfo(dtype).eps
    for mine, theirs in zip((found, *[one.grad for one in leaves]), (loss, *[one.grad for one in doubles])):
        mine, theirs = torch.from_numpy(mine.detach().double().numpy()), theirs.detach()
        assert (mine - theirs).abs().max() <= max(eps, 1e-6) * theirs.abs().max() * 2


@pytest.mark.parametrize("frozen", [0, 1, 2])
@pytest.mark.parametrize("reduction", ["none", "mean"])
def test_frozen_factors_have_no_gradient(frozen: int, reduction: str) -> None:
    x, w, b, t, _ = problem(150, 30, 8)
    doubles, leaves = [[make(one) for one in (x, w, b)] for make in (torch.clone, ours)]
    for k in {0, 1, 2} - {frozen}:
        doubles[k].requires_grad_()
        leaves[k].requires_grad_()
    expected(*doubles[:2], t, doubles[2], reduction=reduction)[0].sum().backward()
    found = F.linear_cross_entropy(*leaves[:2], ours(t), linear_bias=leaves[2], reduction=reduction, ignore_index=IGNORED)
    found.sum().backward()
    assert leaves[frozen].grad is None
    for k in {0, 1, 2} - {frozen}:
        assert_close(leaves[k].grad, doubles[k].grad, op_class="matmul", check_device=False)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("reduction", ["none", "sum", "mean"])
def test_second_derivatives(reduction: str, weighted: bool) -> None:
    x, w, b, t, cw = problem(5, 4, 3)
    weight = ours(cw) if weighted else None

    def loss(x: Any, w: Any, b: Any) -> Any:
        return F.linear_cross_entropy(
            x, w, ours(t), linear_bias=b, weight=weight, reduction=reduction, ignore_index=IGNORED, label_smoothing=0.1,
            softcap=2.0, lse_square_scale=0.1,
        )  # fmt: skip

    leaves = [leaf(one) for one in (x, w, b)]
    assert flow.autograd.gradcheck(loss, leaves)
    assert flow.autograd.gradgradcheck(loss, leaves)


def test_a_graph_that_is_retained_gives_its_gradients_again() -> None:
    """A backward writes over what the node saved, unless it is retained."""
    x, w, _, t, _ = problem(150, 30, 8)
    leaves = [leaf(one) for one in (x, w)]
    loss = F.linear_cross_entropy(*leaves, ours(t)) * 3
    first = flow.autograd.grad(loss, leaves, retain_graph=True)
    second = flow.autograd.grad(loss, leaves, retain_graph=True)
    third = flow.autograd.grad(loss, leaves)
    for a, b, c in zip(first, second, third):
        assert flow.equal(a, b) and flow.equal(a, c)
    with pytest.raises(RuntimeError, match="second time"):
        flow.autograd.grad(loss, leaves)


def test_hooks_on_saved_tensors_see_no_gradients() -> None:
    """Those may hold what they see: then the gradients are made in backward, with class weights and z-losses too."""
    x, w, _, t, cw = problem(150, 30, 8)
    seen: list[Any] = []

    def loss(leaves: Any) -> Any:
        return F.linear_cross_entropy(*leaves, ours(t), weight=ours(cw), lse_square_scale=0.1)

    plain, hooked = [[leaf(one) for one in (x, w)] for _ in range(2)]
    loss(plain).backward()
    with flow.autograd.graph.saved_tensors_hooks(lambda one: seen.append((one, one.clone())) or one, lambda one: one):
        out = loss(hooked)
    out.backward()
    for a, b in zip(plain, hooked):
        assert_close(a.grad, b.grad, op_class="matmul")
    assert seen and all(flow.equal(one, copy) for one, copy in seen)


def test_rows_that_do_not_count() -> None:
    """A mean of none is NaN and its gradients are zeros, as those of cross_entropy; so is the loss of no weight."""
    x, w, _, t, _ = problem(9, 5, 3)
    for target, weight in ((torch.full((9,), IGNORED), None), (torch.zeros(9, dtype=torch.int64), torch.zeros(5).double())):
        doubles, leaves = [[make(one) for one in (x, w)] for make in (lambda one: one.clone().requires_grad_(), leaf)]
        torch.nn.functional.cross_entropy(doubles[0] @ doubles[1].T, target, weight, ignore_index=IGNORED).backward()
        found = F.linear_cross_entropy(
            *leaves, ours(target), ignore_index=IGNORED, weight=None if weight is None else ours(weight)
        )
        found.backward()
        assert found.isnan()
        for mine, theirs in zip(leaves, doubles):
            assert_close(mine.grad, theirs.grad, op_class="matmul", check_device=False, equal_nan=True)


def test_infinite_and_missing_logits() -> None:
    x, w, _, t, _ = problem(6, 5, 3)
    x[1, 0], w[1, 1], t[0] = float("nan"), float("-inf"), 0
    wanted, _ = expected(x, w, t, reduction="none")
    found = F.linear_cross_entropy(ours(x), ours(w), ours(t), reduction="none", ignore_index=IGNORED)
    assert_close(found, wanted, op_class="matmul", check_device=False, equal_nan=True)


@pytest.mark.parametrize("form", ["every second row", "transposed", "one row"])
def test_layouts(form: str) -> None:
    x, w, _, t, _ = problem(140, 30, 8)
    wanted, _ = expected(x, w, t)
    if form == "every second row":
        a, b = ours(x.repeat_interleave(2, 0))[::2], ours(w.repeat_interleave(2, 0))[::2]
    elif form == "transposed":
        a, b = ours(x.T.contiguous()).T, ours(w.T.contiguous()).T
    else:
        wanted = torch.nn.functional.cross_entropy(x[1] @ w.T, t[1])
        found = F.linear_cross_entropy(ours(x[1]), ours(w), ours(t[1]))
        assert found.shape == ()
        return assert_close(found, wanted, op_class="matmul", check_device=False)
    assert_close(F.linear_cross_entropy(a, b, ours(t), ignore_index=IGNORED), wanted, op_class="matmul", check_device=False)
    return None


def test_class_probabilities_and_several_losses() -> None:
    x, w, _, _, _ = problem(6, 5, 3)
    p = torch.rand(6, 5).double()
    logits = 2 * torch.tanh(x @ w.T / 2)
    z = 0.1 * torch.logsumexp(logits, 1) ** 2
    wanted = torch.nn.functional.cross_entropy(logits, p) + z.mean()
    found = F.linear_cross_entropy(ours(x), ours(w), ours(p), softcap=2.0, lse_square_scale=0.1)
    assert_close(found, wanted, op_class="matmul", check_device=False)
    many, t = torch.randn(5, 4, 3).double(), torch.randint(0, 5, (6, 4))
    wanted = torch.nn.functional.cross_entropy((x @ many.reshape(20, 3).T).reshape(6, 5, 4), t)
    assert_close(F.linear_cross_entropy(ours(x), ours(many), ours(t)), wanted, op_class="matmul", check_device=False)


def test_a_program_for_many_sizes() -> None:
    """Chunks are made anew: 100 rows are one chunk, 300 are three."""

    def step(x: Any, w: Any, t: Any) -> Any:
        loss = F.linear_cross_entropy(x, w, t, softcap=3.0)
        return loss, *flow.autograd.grad(loss, (x, w))

    compiled = flow.compile(step)
    for rows in (300, 100, 290, 1, 129, 128):
        x, w, _, t, _ = problem(rows, 70, 16)
        leaves = leaf(x), leaf(w)
        for mine, eager in zip(compiled(*leaves, ours(t)), step(*leaves, ours(t))):
            assert_close(mine.detach(), eager.detach(), op_class="matmul")


def test_autocast_casts_the_factors_and_gives_float32() -> None:
    x, w, b, t, cw = problem(20, 30, 8, torch.float32)
    args = ours(x), ours(w), ours(t)
    with flow.autocast("cpu", dtype=flow.bfloat16):
        found = F.linear_cross_entropy(*args, linear_bias=ours(b), weight=ours(cw))
    halves = [one.bfloat16().double() for one in (x, w, b)]
    wanted = torch.nn.functional.cross_entropy(halves[0] @ halves[1].T + halves[2], t, cw.double())
    assert found.dtype == flow.float32
    assert abs(found.item() - wanted.item()) < 1e-5


def test_examples_under_vmap() -> None:
    x, w, _, t, _ = problem(12, 5, 3)
    many = torch.stack([x, x + 1, x * 2])
    with pytest.warns(UserWarning, match="batching rule"):
        found = flow.vmap(lambda x: F.linear_cross_entropy(x, ours(w), ours(t)))(ours(many))
    wanted = torch.stack([torch.nn.functional.cross_entropy(one @ w.T, t) for one in many])
    assert_close(found, wanted, op_class="matmul", check_device=False)


def test_wrong_calls() -> None:
    x, w, _, t, _ = [ours(one) for one in problem(6, 5, 3)]
    with pytest.raises(ValueError, match="label_smoothing must be between"):
        F.linear_cross_entropy(x, w, t, label_smoothing=2.0)
    with pytest.raises(ValueError, match="softcap must be above 0, but got -1.0"):
        F.linear_cross_entropy(x, w, t, softcap=-1.0)
    with pytest.raises(ValueError, match="num_items_in_batch is for a mean"):
        F.linear_cross_entropy(x, w, t, reduction="sum", num_items_in_batch=3)
    with pytest.raises(RuntimeError, match="weight tensor should be defined either for all 5 classes"):
        F.linear_cross_entropy(x, w, t, weight=flow.ones(4))
    with pytest.raises(RuntimeError):
        F.linear_cross_entropy(x, w.float(), t)
    with pytest.raises(IndexError, match=r"class indices must be in \[0, 5\)"):
        F.linear_cross_entropy(x, w, t + 3)
        flow.sync()
    with pytest.raises(IndexError, match=r"class indices must be in \[0, 5\)"):
        F.linear_cross_entropy(x, w, t - 9, ignore_index=-100)
        flow.sync()


def test_nothing() -> None:
    w = flow.ones(5, 3)
    assert F.linear_cross_entropy(flow.ones(0, 3), w, flow.zeros(0, dtype=flow.int64)).isnan()
    assert F.linear_cross_entropy(flow.ones(0, 3), w, flow.zeros(0, dtype=flow.int64), reduction="sum").item() == 0


@pytest.mark.parametrize("reduction", ["none", "mean"])
@pytest.mark.parametrize("checkpointed", [False, True])
def test_gradients_of_some_operands(reduction: str, checkpointed: bool) -> None:
    """What nobody asks for is no tensor without elements, which the engine refused."""
    given = [flow.randn(5, 3).requires_grad_(), flow.randn(7, 3).requires_grad_(), flow.randn(7).requires_grad_()]
    target = flow.tensor([0, 6, 2, 2, 5])

    def loss(x: Any, w: Any, b: Any) -> Any:
        return F.linear_cross_entropy(x, w, target, linear_bias=b, reduction=reduction)

    def run(function: Any) -> Any:
        return flow.utils.checkpoint.checkpoint(function, *given, use_reentrant=False) if checkpointed else function(*given)

    wanted = flow.autograd.grad(run(loss).sum(), given)
    for operand, right in zip(given, wanted):
        assert flow.allclose(flow.autograd.grad(run(loss).sum(), operand)[0], right)
