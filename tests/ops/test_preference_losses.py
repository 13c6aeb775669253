"""Log-probabilities of tokens, and losses over these, beside torch's ops in float64 and liger-kernel's formulas."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
import torch

import tritonflow as flow
from tests.ops.sides import ours
from tritonflow.testing import assert_close

F = flow.nn.functional


def leaf(x: torch.Tensor) -> Any:
    return ours(x).requires_grad_()


def normal(*shape: int) -> torch.Tensor:
    return torch.randn(shape, dtype=torch.float64)


def compare(function: Any, reference: Any, *operands: torch.Tensor, op_class: str = "norm") -> None:
    """Results and gradients of all operands that are floats."""
    doubles = [x.clone().requires_grad_() if x.is_floating_point() else x for x in operands]
    leaves = [leaf(x) if x.is_floating_point() else ours(x) for x in operands]
    wanted, found = reference(*doubles), function(*leaves)
    dy = torch.randn(wanted.shape, dtype=torch.float64)
    wanted.backward(dy)
    found.backward(ours(dy))
    assert_close(found.detach(), wanted.detach(), op_class=op_class, check_device=False)
    for mine, theirs in zip(leaves, doubles):
        if theirs.is_floating_point() and theirs.grad is not None:
            assert_close(mine.grad, theirs.grad, op_class=op_class, check_device=False)


def log_probabilities(*shape: int) -> torch.Tensor:
    return normal(*shape).log_softmax(-1)


def chosen(logits: Any, index: Any, temperature: float) -> Any:
    several = index if index.ndim == logits.ndim else index[..., None]
    found = (logits / temperature).log_softmax(-1).gather(-1, several)
    return found if index.ndim == logits.ndim else found[..., 0]


@pytest.mark.parametrize("temperature", [1.0, 0.7])
@pytest.mark.parametrize("shape", [(), (3,), (2, 5), (2, 5, 4)], ids=str)
def test_log_probabilities_of_chosen_classes(shape: tuple[int, ...], temperature: float) -> None:
    torch.manual_seed(0)
    rows = shape if len(shape) < 3 else shape[:2]  # the last one: four classes for each row
    logits, index = normal(*rows, 30), torch.randint(0, 30, shape)
    compare(lambda x, i: F.selective_log_softmax(x, i, temperature), lambda x, i: chosen(x, i, temperature), logits, index)


@pytest.mark.parametrize("temperature", [1.0, 0.7])
@pytest.mark.parametrize("shape", [(), (3,), (2, 150)], ids=str)
def test_log_probabilities_of_a_linear_map(shape: tuple[int, ...], temperature: float) -> None:
    torch.manual_seed(0)
    operands = normal(*shape, 8), normal(30, 8), torch.randint(0, 30, shape), normal(30)
    compare(
        lambda x, w, i, b: F.linear_selective_log_softmax(x, w, i, b, temperature),
        lambda x, w, i, b: chosen(torch.nn.functional.linear(x, w, b), i, temperature),
        *operands, op_class="matmul",
    )  # fmt: skip


def test_no_index_is_left_out() -> None:
    for index in (-100, 30):
        with pytest.raises(IndexError):
            F.selective_log_softmax(flow.ones(1, 30), flow.tensor([index]))
            flow.sync()
        with pytest.raises(IndexError):
            F.linear_selective_log_softmax(flow.ones(1, 4), flow.ones(30, 4), flow.tensor([index]))
            flow.sync()


def divergence(q: Any, p: Any, beta: float) -> Any:
    if beta in (0.0, 1.0):
        a, b = (p, q) if beta == 0 else (q, p)
        return a.exp() * (a - b)
    m = (beta * p.exp() + (1 - beta) * q.exp()).log()
    return beta * p.exp() * (p - m) + (1 - beta) * q.exp() * (q - m)


@pytest.mark.parametrize("reduction", ["batchmean", "mean", "sum", "none"])
@pytest.mark.parametrize("beta", [0.0, 0.1, 0.5, 1.0])
def test_generalized_divergence(beta: float, reduction: str) -> None:
    def expected(q: Any, p: Any) -> Any:
        each = divergence(q, p, beta)
        return {"batchmean": each.sum() / 7, "mean": each.mean(), "sum": each.sum(), "none": each}[reduction]

    operands = log_probabilities(7, 11), log_probabilities(7, 11)
    compare(lambda q, p: F.generalized_jsd_loss(q, p, beta, reduction=reduction), expected, *operands)


def test_divergence_of_rows_that_count_and_of_classes_without_probability() -> None:
    q, p, labels = log_probabilities(6, 5), log_probabilities(6, 5), torch.tensor([1, -100, 2, -100, 0, 3])
    wanted = divergence(q, p, 0.3)[labels != -100].sum() / 4
    assert_close(F.generalized_jsd_loss(ours(q), ours(p), 0.3, labels=ours(labels)), wanted, op_class="norm", check_device=False)
    certain = torch.tensor([[0.0, -float("inf")]], dtype=torch.float64)
    for beta in (0.0, 0.5, 1.0):
        given = leaf(certain)
        loss = F.generalized_jsd_loss(given, ours(certain), beta)
        loss.backward()
        assert loss.item() == 0 and bool(given.grad.isfinite().all())
    none = flow.full((6,), -100)
    assert F.generalized_jsd_loss(ours(q), ours(p), labels=none).item() == 0


def test_second_derivatives_of_the_divergence() -> None:
    q, p = leaf(log_probabilities(3, 4)), leaf(log_probabilities(3, 4))
    assert flow.autograd.gradcheck(lambda q, p: F.generalized_jsd_loss(q, p, 0.3), (q, p))
    assert flow.autograd.gradgradcheck(lambda q, p: F.generalized_jsd_loss(q, p, 0.3), (q, p))


def dpo(kind: str, e: float, beta: float) -> Any:
    def loss(a: Any, b: Any, ra: Any, rb: Any) -> Any:
        ratio = (a - ra) - (b - rb)
        d, log = beta * ratio, torch.nn.functional.logsigmoid
        return {
            "sigmoid": -(1 - e) * log(d) - e * log(-d), "hinge": (1 - d).relu(), "ipo": (ratio - 1 / (2 * beta)) ** 2,
            "robust": (-(1 - e) * log(d) + e * log(-d)) / (1 - 2 * e),
        }[kind].mean()  # fmt: skip

    return loss


@pytest.mark.parametrize("kind, e", [("sigmoid", 0.0), ("sigmoid", 0.2), ("robust", 0.2), ("hinge", 0.0), ("ipo", 0.0)])
def test_preferences_of_pairs(kind: str, e: float) -> None:
    compare(
        lambda *logps: F.dpo_loss(*logps, beta=0.3, loss_type=kind, label_smoothing=e), dpo(kind, e, 0.3), *[normal(9) for _ in range(4)]
    )


def test_odds_and_prospects() -> None:
    def orpo(a: Any, b: Any) -> Any:
        odds = (a - b) - (torch.log1p(-a.exp()) - torch.log1p(-b.exp()))
        return -0.2 * torch.nn.functional.logsigmoid(odds).mean()

    def kto(a: Any, good: Any, ref: Any, kl: Any) -> Any:
        return (1 - torch.sigmoid(0.2 * (a - ref - kl) * torch.where(good, 1.0, -1.0))).mean()

    compare(lambda a, b: F.orpo_loss(a, b, beta=0.2), orpo, -normal(9).abs() - 0.1, -normal(9).abs() - 0.1)
    good = torch.arange(9) % 2 == 0
    compare(lambda *xs: F.kto_loss(*xs, beta=0.2), kto, normal(9), good, normal(9), torch.rand(1).double())


@pytest.mark.parametrize("level", ["token", "sequence"])
@pytest.mark.parametrize("kind", ["grpo", "bnpo", "dr_grpo", "dapo"])
def test_group_relative_policy_optimisation(kind: str, level: str) -> None:
    grpo = pytest.importorskip("liger_kernel.chunked_loss.grpo_loss").LigerFusedLinearGRPOFunction.ppo_loss_fn
    torch.manual_seed(0)
    mask = (torch.arange(6) < torch.tensor([[6], [3], [1], [0]])).double()
    logps, old, ref, advantages = -normal(4, 6).abs(), -normal(4, 6).abs(), -normal(4, 6).abs(), normal(4)
    weights = [ours(one) for one in (advantages, mask)]
    for has_old, has_ref, delta, count in product((False, True), (False, True), (None, 1.5), (None, 20.0)):
        options = {
            "beta": 0.1, "epsilon_low": 0.1, "epsilon_high": 0.3, "delta": delta, "loss_type": kind, "max_completion_length": 8,
            "importance_sampling_level": level,
        }  # fmt: skip
        older, reference = old if has_old else None, ref if has_ref else None
        exact, given = logps.clone().requires_grad_(), leaf(logps)
        number = None if count is None else torch.tensor(count)
        wanted, _ = grpo(exact, mask, advantages, mask, reference, older, num_items_in_batch=number, **options)
        beside = [None if one is None else ours(one) for one in (older, reference)]
        found = F.grpo_loss(given, *weights, *beside, num_items_in_batch=count, **options)
        wanted.backward()
        found.backward()
        assert_close(found.detach(), wanted.detach(), op_class="norm", check_device=False)
        assert_close(given.grad, exact.grad, op_class="norm", check_device=False)


def test_a_preference_without_logits_of_all_tokens() -> None:
    """DPO over a linear head: gradients of the head and the features, as by way of all logits."""
    torch.manual_seed(0)
    x, w, index = normal(4, 20, 8), normal(50, 8), torch.randint(0, 50, (4, 20))
    tokens = ours(index)

    def ours_of(x: Any, w: Any) -> Any:
        logps = F.linear_selective_log_softmax(x, w, tokens).sum(1)
        return F.dpo_loss(logps[:2], logps[2:])

    def theirs(x: Any, w: Any) -> Any:
        logps = chosen(x @ w.T, index, 1.0).sum(1)
        return -torch.nn.functional.logsigmoid(0.1 * (logps[:2] - logps[2:])).mean()

    compare(ours_of, theirs, x, w, op_class="matmul")
    step = flow.compile(lambda x, w: flow.autograd.grad(ours_of(x, w), (x, w)))
    leaves = leaf(x), leaf(w)
    for mine, eager in zip(step(*leaves), flow.autograd.grad(ours_of(*leaves), leaves)):
        assert_close(mine, eager, op_class="matmul")


def test_wrong_calls() -> None:
    a, b = flow.ones(3), flow.ones(3)
    with pytest.raises(RuntimeError, match=r"index must be \[3\]"):
        F.selective_log_softmax(flow.ones(3, 4), flow.zeros(2, dtype=flow.int64))
    with pytest.raises(RuntimeError, match=r"index must be \[3\]"):
        F.linear_selective_log_softmax(flow.ones(3, 4), flow.ones(5, 4), flow.zeros(2, dtype=flow.int64))
    with pytest.raises(ValueError, match="temperature must be above 0"):
        F.selective_log_softmax(flow.ones(3, 4), flow.zeros(3, dtype=flow.int64), 0.0)
    with pytest.raises(ValueError, match="beta must be in 0 to 1"):
        F.generalized_jsd_loss(flow.ones(3, 4), flow.ones(3, 4), 1.5)
    with pytest.raises(RuntimeError, match="do not fit"):
        F.generalized_jsd_loss(flow.ones(3, 4), flow.ones(3, 5))
    with pytest.raises(ValueError, match="loss_type must be 'sigmoid'"):
        F.dpo_loss(a, b, loss_type="none")
    with pytest.raises(ValueError, match="label_smoothing must be in 0 to 0.5"):
        F.dpo_loss(a, b, label_smoothing=0.5)
    with pytest.raises(ValueError, match="needs max_completion_length"):
        F.grpo_loss(flow.ones(3, 4), a, flow.ones(3, 4), loss_type="dr_grpo")
    with pytest.raises(ValueError, match="'token' or 'sequence'"):
        F.grpo_loss(flow.ones(3, 4), a, flow.ones(3, 4), importance_sampling_level="text")
    with pytest.raises(RuntimeError, match=r"advantages \(B\)"):
        F.grpo_loss(flow.ones(3, 4), flow.ones(4), flow.ones(3, 4))
