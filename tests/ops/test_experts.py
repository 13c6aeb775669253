"""Mixtures of experts: the choice of experts, the way of tokens to them and back, beside a loop over experts in float64."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import tritonflow as flow
from tests.ops.sides import ours
from tritonflow.testing import assert_close

F = flow.nn.functional


def leaf(x: torch.Tensor) -> Any:
    return ours(x).requires_grad_()


def largest(x: torch.Tensor, k: int) -> torch.Tensor:
    """The numbers of the k largest of each row, of equal ones the first: rounded logits have some."""
    return x.sort(dim=1, descending=True, stable=True).indices[:, :k]


def chosen(logits: Any, k: int, score: str, normed: bool, bias: Any, groups: int, best: int, scale: float) -> Any:
    """(weights, indices) as DeepSeek-V2 and V3 write it, of torch's tensors."""
    scores = logits.softmax(1) if score == "softmax" else logits.sigmoid()
    keys = scores if bias is None else scores + bias
    if groups > 1:
        parts = keys.reshape(len(keys), groups, -1)
        of_groups = parts.amax(2) if bias is None else parts.topk(2, 2).values.sum(2)
        kept = torch.zeros_like(of_groups, dtype=torch.bool).scatter(1, largest(of_groups, best), True)
        keys = parts.masked_fill(~kept[..., None], float("-inf")).reshape(keys.shape)
    indices = largest(keys, k)
    weights = scores.gather(1, indices)
    return (weights / weights.sum(1, keepdim=True) if normed else weights) * scale, indices


ROUTES = [
    {"k": k, "score": score, "normed": normed, "biased": biased, "groups": groups, "best": best}
    for k, groups, best in ((1, 1, 1), (3, 1, 1), (12, 1, 1), (4, 3, 2), (2, 4, 1), (4, 2, 2))
    for score in ("softmax", "sigmoid")
    for normed in (False, True)
    for biased in (False, True)
]


@pytest.mark.sampled(most=12)
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16], ids=str)
@pytest.mark.parametrize("route", ROUTES, ids=lambda route: "-".join(map(str, route.values())))
def test_the_choice_of_experts(route: dict[str, Any], dtype: torch.dtype) -> None:
    torch.manual_seed(0)
    logits = torch.randn(37, 12).to(dtype)
    bias = torch.randn(12).double() * 0.3 if route["biased"] else None
    exact = logits.double().requires_grad_()
    rest = (route["normed"], bias, route["groups"], route["best"], 2.5)
    wanted, indices = chosen(exact, route["k"], route["score"], *rest)
    given = leaf(logits)
    options = {
        "scoring_func": route["score"], "renormalize": route["normed"], "num_expert_group": route["groups"],
        "topk_group": route["best"], "e_score_correction_bias": None if bias is None else ours(bias), "routed_scaling_factor": 2.5,
    }  # fmt: skip
    with flow.no_grad():
        alone, _ = F.moe_topk(given, route["k"], **options)
    found, names = F.moe_topk(given, route["k"], **options)
    assert names.tolist() == indices.tolist()
    for weights in (found, alone):
        assert weights.dtype == (flow.float64 if dtype == torch.float64 else flow.float32)
        assert_close(weights.detach(), wanted.detach().to(weights_of(dtype)), op_class="norm", check_device=False)
    dy = torch.randn(wanted.shape, dtype=torch.float64)
    (wanted * dy).sum().backward()
    (found * ours(dy)).sum().backward()
    assert_close(given.grad, exact.grad.to(dtype), op_class="norm", check_device=False)


def weights_of(dtype: torch.dtype) -> torch.dtype:
    return torch.float64 if dtype == torch.float64 else torch.float32


def test_ties_infinities_and_nan() -> None:
    """Of equal scores the first; an expert is never chosen twice; NaN is the largest."""
    nan, inf = float("nan"), float("inf")
    logits = flow.tensor([[0.0, 0.0, 0.0, 0.0], [1.0, 2.0, 2.0, 1.0], [-inf, 1.0, -inf, -inf], [0.0, nan, 1.0, nan]])
    for score in ("softmax", "sigmoid"):
        weights, indices = F.moe_topk(logits, 3, scoring_func=score)
        assert indices.tolist() == [[0, 1, 2], [1, 2, 0], [1, 0, 2], [1, 3, 2]]
    assert weights[2].tolist()[1:] == [0.0, 0.0]
    assert F.moe_topk(flow.full((2, 4), -inf), 4)[1].tolist() == [[0, 1, 2, 3]] * 2
    assert F.moe_topk(logits[:, :1], 1)[1].tolist() == [[0]] * 4
    assert F.moe_topk(flow.ones(0, 4), 2)[1].shape == (0, 2)


def test_transposed_logits() -> None:
    logits = torch.randn(12, 9)
    found = F.moe_topk(ours(logits).T, 3)[1]
    assert found.tolist() == logits.T.topk(3, 1).indices.tolist()


ROUTINGS = {
    "random": lambda: torch.rand(50, 8).argsort(1)[:, :3],
    "one token": lambda: torch.tensor([[5, 2]]),
    "all to one": lambda: torch.full((40, 1), 3),
    "all experts": lambda: torch.rand(20, 8).argsort(1),
    "few experts": lambda: torch.tensor([[7, 0]] * 30),
    "outside": lambda: torch.tensor([[8, 0], [1, -1], [8, 8], [2, 1]]),
    "many pairs": lambda: torch.randint(0, 8, (5000, 2)),
    "nothing": lambda: torch.zeros(0, 2, dtype=torch.int64),
}


@pytest.mark.parametrize("name", ROUTINGS)
@pytest.mark.parametrize("dtype", [torch.int64, torch.int32], ids=str)
def test_rows_in_the_order_of_experts(name: str, dtype: torch.dtype) -> None:
    torch.manual_seed(0)
    indices = ROUTINGS[name]()
    x = torch.arange(len(indices), dtype=torch.float32)[:, None].repeat(1, 3)
    flat = indices.flatten()
    keys = torch.where((flat >= 0) & (flat < 8), flat, 8)
    order = keys.argsort(stable=True)
    rows, positions, offs = F.moe_permute(ours(x), ours(indices.to(dtype)), 8)
    assert offs.dtype == flow.int32
    assert offs.tolist() == keys.bincount(minlength=9).cumsum(0)[:8].tolist()
    assert positions.flatten().tolist() == order.argsort().tolist()
    assert rows.tolist() == x[order // max(indices.shape[1], 1)].tolist()


def test_a_sort_of_many_experts() -> None:
    indices = torch.rand(700, 300).argsort(1)[:, :4]
    _, positions, offs = F.moe_permute(flow.ones(700, 1), ours(indices), 300)
    assert positions.flatten().tolist() == indices.flatten().argsort(stable=True).argsort().tolist()
    assert offs.tolist() == indices.flatten().bincount(minlength=300).cumsum(0).tolist()


def mixture(x: Any, logits: Any, up: Any, down: Any, k: int) -> Any:
    """Experts of two layers, by the kernels."""
    weights, indices = F.moe_topk(logits, k, renormalize=True)
    rows, positions, offs = F.moe_permute(x, indices, up.shape[0])
    hidden = F.silu(F.grouped_mm(rows, up.transpose(1, 2), offs=offs))
    return F.moe_unpermute(F.grouped_mm(hidden, down.transpose(1, 2), offs=offs), positions, weights.to(x.dtype))


def looped(x: Any, logits: Any, up: Any, down: Any, k: int) -> Any:
    """The same by a loop over experts, of torch's tensors."""
    weights, indices = logits.softmax(1).topk(k, 1)
    weights = weights / weights.sum(1, keepdim=True)
    out = torch.zeros_like(x)
    for e in range(len(up)):
        token, j = torch.where(indices == e)
        own = torch.nn.functional.silu(x[token] @ up[e].T) @ down[e].T
        out = out.index_add(0, token, own * weights[token, j, None])
    return out


def sizes(tokens: int, experts: int, width: int = 12, inner: int = 20) -> list[torch.Tensor]:
    torch.manual_seed(0)
    shapes = (tokens, width), (tokens, experts), (experts, inner, width), (experts, width, inner)
    return [torch.randn(shape, dtype=torch.float64) / 2 for shape in shapes]


@pytest.mark.parametrize("tokens, experts, k", [(50, 6, 2), (1, 5, 3), (300, 3, 3), (40, 64, 1)])
def test_a_mixture_against_a_loop(tokens: int, experts: int, k: int) -> None:
    operands = sizes(tokens, experts)
    doubles, leaves = [one.clone().requires_grad_() for one in operands], [leaf(one) for one in operands]
    wanted, found = looped(*doubles, k), mixture(*leaves, k)
    dy = torch.randn(wanted.shape, dtype=torch.float64)
    wanted.backward(dy)
    found.backward(ours(dy))
    for mine, theirs in zip((found, *[one.grad for one in leaves]), (wanted, *[one.grad for one in doubles])):
        assert_close(mine.detach(), theirs.detach(), op_class="matmul", check_device=False)


def test_all_tokens_go_to_one_expert() -> None:
    x, logits, up, down = sizes(90, 4)
    logits[:, 2] = 50
    wanted = looped(x, logits, up, down, 1)
    assert_close(mixture(*map(ours, (x, logits, up, down)), 1), wanted, op_class="matmul", check_device=False)


def test_frozen_experts_and_weights_in_other_layouts() -> None:
    x, logits, up, down = sizes(50, 6)
    doubles = x.clone().requires_grad_(), logits.clone().requires_grad_()
    looped(*doubles, up, down, 2).sum().backward()
    given = leaf(x), leaf(logits)
    held = ours(up.transpose(1, 2).contiguous()).transpose(1, 2), ours(down.repeat_interleave(2, 0))[::2]
    mixture(*given, *held, 2).sum().backward()
    for mine, theirs in zip(given, doubles):
        assert_close(mine.grad, theirs.grad, op_class="matmul", check_device=False)
    assert all(one.grad is None for one in held)


def test_second_derivatives() -> None:
    x, logits, up, down = [leaf(one) for one in sizes(4, 3, 2, 3)]
    assert flow.autograd.gradcheck(lambda *a: mixture(*a, 2), (x, logits, up, down))
    assert flow.autograd.gradgradcheck(lambda *a: mixture(*a, 2), (x, logits, up, down))


def test_a_program_for_many_sizes_is_eager_mode_bit_for_bit() -> None:
    def step(x: Any, logits: Any, up: Any, down: Any) -> Any:
        out = mixture(x, logits, up, down, 2)
        return out, *flow.autograd.grad(out.square().sum(), (x, logits, up, down))

    compiled = flow.compile(step)
    for tokens in (30, 31, 1, 200):
        leaves = [leaf(one.float()) for one in sizes(tokens, 5)]
        for mine, eager in zip(compiled(*leaves), step(*leaves)):
            assert_close(mine.detach(), eager.detach(), op_class="matmul")


def test_sums_of_half_types_are_in_float32_and_in_one_order() -> None:
    rows = torch.randn(400, 70).bfloat16()
    positions = torch.randperm(400).reshape(50, 8)
    weights = torch.rand(50, 8)
    found = [F.moe_unpermute(ours(rows), ours(positions), ours(weights)) for _ in range(3)]
    assert flow.equal(found[0], found[1]) and flow.equal(found[0], found[2])
    exact = (rows.double()[positions] * weights.double()[..., None]).sum(1)
    assert found[0].dtype == flow.bfloat16
    assert_close(found[0], exact.bfloat16(), op_class="norm", check_device=False)


def test_examples_under_vmap() -> None:
    x, indices = torch.randn(3, 10, 4), torch.stack([torch.rand(10, 5).argsort(1)[:, :2] for _ in range(3)])

    def there_and_back(x: Any, indices: Any) -> Any:
        rows, positions, _ = F.moe_permute(x, indices, 5)
        return F.moe_unpermute(rows, positions)

    with pytest.warns(UserWarning, match="batching rule"):
        found = flow.vmap(there_and_back)(ours(x), ours(indices))
    assert_close(found, x * 2, op_class="norm", check_device=False)


def test_the_loss_of_balance() -> None:
    logits, indices = torch.randn(30, 5).double(), torch.rand(30, 5).argsort(1)[:, :2]
    exact = logits.clone().requires_grad_()
    share = torch.nn.functional.one_hot(indices, 5).double().sum((0, 1)) / 30
    wanted = 5 * (share * exact.softmax(1).mean(0)).sum()
    wanted.backward()
    given = leaf(logits)
    found = F.moe_load_balancing_loss(given, ours(indices))
    found.backward()
    assert_close(found.detach(), wanted.detach(), op_class="norm", check_device=False)
    assert_close(given.grad, exact.grad, op_class="norm", check_device=False)


@pytest.mark.parametrize("tokens", [3, 2000])
@pytest.mark.parametrize("compiled", [False, True])
def test_a_row_that_stands_twice_is_found_before_a_gradient_has_rows_of_nobody(tokens: int, compiled: bool, poison: None) -> None:
    """Each pair writes the gradient of its row: with two pairs at one row, another row would stay as memory was."""
    torch.manual_seed(0)
    positions = torch.randperm(2 * tokens).reshape(tokens, 2)
    twice = positions.clone()
    twice[-1, 1] = twice[0, 0]
    rows = leaf(torch.randn(2 * tokens, 5))
    call = flow.compile(F.moe_unpermute) if compiled else F.moe_unpermute
    call(rows, ours(positions)).sum().backward()
    assert rows.grad.tolist() == [[1.0] * 5] * (2 * tokens)
    for dtype in (torch.int64, torch.int32):
        with pytest.raises(IndexError, match="each row once"):
            call(rows, ours(twice.to(dtype)))
            flow.sync()


def test_wrong_calls() -> None:
    logits, x, pairs = flow.ones(3, 6), flow.ones(3, 4), flow.zeros(3, 2, dtype=flow.int64)
    with pytest.raises(ValueError, match="k must be in 1 to 6"):
        F.moe_topk(logits, 7)
    with pytest.raises(ValueError, match="k must be in 1 to 2, the experts to choose from"):
        F.moe_topk(logits, 3, num_expert_group=3, topk_group=1)
    with pytest.raises(ValueError, match="do not fit"):
        F.moe_topk(logits, 1, num_expert_group=4)
    with pytest.raises(ValueError, match="'softmax' or 'sigmoid'"):
        F.moe_topk(logits, 1, scoring_func="relu")
    with pytest.raises(RuntimeError, match=r"e_score_correction_bias must be \(6,\)"):
        F.moe_topk(logits, 1, e_score_correction_bias=flow.ones(5))
    with pytest.raises(RuntimeError, match=r"expected \(tokens, features\)"):
        F.moe_permute(x, pairs[:2], 6)
    with pytest.raises(RuntimeError, match=r"tokens \* k"):
        F.moe_unpermute(x, pairs)
    with pytest.raises(RuntimeError, match="merging_probs must be"):
        F.moe_unpermute(flow.ones(6, 4), pairs, flow.ones(3, 3))
    with pytest.raises(IndexError, match="positions must be in"):
        F.moe_unpermute(flow.ones(6, 4), pairs + 6)
        flow.sync()
