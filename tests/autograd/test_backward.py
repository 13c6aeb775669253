"""The backward engine: accumulation, graphs kept and released, `autograd.grad`, hooks, memory of gradients."""

from __future__ import annotations

import gc
import sys
import weakref
from typing import Any

import pytest
import torch

import tritonflow as flow
from tritonflow.interpreter.gradient_ops import gradient_ops


def leaf(*values: float, dtype: flow.dtype = flow.float32) -> flow.Tensor:
    return flow.tensor(list(values), dtype=dtype, requires_grad=True)


# ------------------------------------------------------------------------------------------------------- accumulation


def test_gradient_of_a_chain() -> None:
    x = leaf(1.0, 2.0, 3.0)
    ((x * x + 1) * 2).sum().backward()
    assert x.grad.tolist() == [4.0, 8.0, 12.0]


def test_gradients_accumulate_over_backwards() -> None:
    x = leaf(1.0, 2.0)
    (x * 2).sum().backward()
    first = x.grad
    (x * 3).sum().backward()
    assert x.grad is first
    assert first.tolist() == [5.0, 5.0]


def test_gradients_accumulate_within_a_graph() -> None:
    x = leaf(2.0)
    y = x * x
    (y * y + y + x).sum().backward()
    assert x.grad.tolist() == [4 * 8 + 4 + 1]


def test_broadcast_inputs_get_gradients_of_their_own_shape() -> None:
    x = flow.from_torch(torch.ones(3, 1)).requires_grad_()
    y = flow.from_torch(torch.ones(4)).requires_grad_()
    (x * y).sum().backward()
    assert x.grad.shape == (3, 1) and x.grad.tolist() == [[4.0]] * 3
    assert y.grad.shape == (4,) and y.grad.tolist() == [3.0] * 4


def test_gradients_have_the_dtype_of_their_inputs() -> None:
    x, y = leaf(1.0, 2.0), leaf(3.0, 4.0, dtype=flow.float64)
    (x * y).sum().backward()
    assert x.grad.dtype is flow.float32 and y.grad.dtype is flow.float64


def test_given_gradients() -> None:
    x = leaf(1.0, 2.0)
    (x * 2).backward(flow.tensor([10.0, 20.0]))
    assert x.grad.tolist() == [20.0, 40.0]


def test_backward_of_several_outputs() -> None:
    x = leaf(1.0, 2.0)
    flow.autograd.backward([(x * 2).sum(), x * 3], [None, flow.tensor([1.0, 2.0])])
    assert x.grad.tolist() == [5.0, 8.0]


def test_backward_into_some_leaves_only() -> None:
    x, y = leaf(1.0), leaf(2.0)
    (x * y).backward(inputs=[x])
    assert x.grad.tolist() == [2.0] and y.grad is None


def test_a_leaf_that_is_frozen_before_backward_gets_no_gradient() -> None:
    """As in torch, and again where it requires grad again; in a compiled program as well."""
    for wrap in (lambda f: f, flow.compile):
        x, w = leaf(1.0, 2.0), leaf(3.0, 4.0)
        f = wrap(lambda x, w: (x * w).sum())
        out = f(x, w)
        w.requires_grad_(False)
        out.backward(retain_graph=True)
        assert w.grad is None and x.grad.tolist() == [3.0, 4.0]
        w.requires_grad_()
        out.backward()
        assert w.grad.tolist() == [1.0, 2.0] and x.grad.tolist() == [6.0, 8.0]


def test_backward_of_a_leaf() -> None:
    x = flow.tensor(3.0, requires_grad=True)
    x.backward()
    assert x.grad.item() == 1.0


def test_unused_branches_are_not_reached() -> None:
    x, y = leaf(1.0), leaf(2.0)
    _ = y * 2
    (x * 2).sum().backward()
    assert y.grad is None


def test_deep_graphs_do_not_recurse() -> None:
    x = leaf(1.0)
    y = x
    for _ in range(20_000):
        y = y + 0.0
    y.sum().backward()
    assert x.grad.tolist() == [1.0]
    del y
    gc.collect()


def test_graph_is_freed_without_the_collector() -> None:
    gc.disable()
    try:
        x = leaf(1.0, 2.0)
        y = (x * x).exp()
        node = weakref.ref(y.grad_fn)
        loss = y.sum()
        loss.backward()
        del y, loss
        assert node() is None
    finally:
        gc.enable()


# --------------------------------------------------------------------------------------------------- memory of gradients


def test_leaves_never_share_the_memory_of_their_gradients() -> None:
    x, y = leaf(1.0, 2.0), leaf(3.0, 4.0)
    (x + y).sum().backward()
    assert x.grad is not y.grad and x.grad.data_ptr() != y.grad.data_ptr()
    x.grad.mul_(10)
    assert y.grad.tolist() == [1.0, 1.0]


def test_gradient_does_not_alias_the_incoming_one() -> None:
    x = leaf(1.0, 2.0)
    given = flow.tensor([5.0, 6.0])
    (x + 0).backward(given)
    x.grad.zero_()
    assert given.tolist() == [5.0, 6.0]
    z = leaf(1.0, 2.0)
    z.backward(given)
    z.grad.zero_()
    assert given.tolist() == [5.0, 6.0]


def test_accumulation_leaves_earlier_results_alone() -> None:
    x = leaf(1.0, 2.0)
    kept = []
    y = x + 0
    y.register_hook(lambda g: kept.append(g))
    y.sum().backward()
    (x * 2).sum().backward()
    assert kept[0].tolist() == [1.0, 1.0]


def test_gradients_are_contiguous() -> None:
    x = flow.from_torch(torch.ones(3, 2)).requires_grad_()
    (x.t() * flow.from_torch(torch.arange(6.0).reshape(2, 3))).sum().backward()
    assert x.grad.is_contiguous() and x.grad.tolist() == [[0, 3], [1, 4], [2, 5]]
    y = flow.tensor(1.0, requires_grad=True)
    y.expand(3, 4).sum().backward()
    assert y.grad.item() == 12.0


def test_views_of_one_leaf_share_its_gradient() -> None:
    x = leaf(1.0, 2.0, 3.0, 4.0)
    (x[:2].sum() * 2 + x[1:3].sum() * 3).backward()
    assert x.grad.tolist() == [2.0, 5.0, 3.0, 0.0]


# ----------------------------------------------------------------------------------------------------- a second backward


def test_second_backward_is_an_error_that_says_what_to_do() -> None:
    x = leaf(1.0, 2.0)
    y = (x * x).sum()
    y.backward()
    with pytest.raises(RuntimeError, match="second\\s+time. Specify retain_graph=True"):
        y.backward()
    assert x.grad.tolist() == [2.0, 4.0]


def test_retain_graph() -> None:
    x = leaf(1.0, 2.0)
    y = (x * x).sum()
    y.backward(retain_graph=True)
    y.backward()
    assert x.grad.tolist() == [4.0, 8.0]
    with pytest.raises(RuntimeError):
        y.backward()


def test_create_graph_gives_differentiable_gradients() -> None:
    x = leaf(2.0, 3.0)
    (first,) = flow.autograd.grad((x * x * x).sum(), x, create_graph=True)
    assert first.requires_grad and first.tolist() == [12.0, 27.0]
    (second,) = flow.autograd.grad(first.sum(), x, create_graph=True)
    assert second.tolist() == [12.0, 18.0]
    (third,) = flow.autograd.grad(second.sum(), x)
    assert third.tolist() == [6.0, 6.0]


def test_backward_with_create_graph() -> None:
    x = leaf(2.0)
    (x * x * x).sum().backward(create_graph=True)
    assert x.grad.requires_grad
    (g,) = flow.autograd.grad(x.grad.sum(), x)
    assert g.tolist() == [12.0]


# ------------------------------------------------------------------------------------------------------- autograd.grad


def test_grad_touches_no_leaf() -> None:
    x, y = leaf(1.0, 2.0), leaf(3.0, 4.0)
    gx, gy = flow.autograd.grad((x * y).sum(), (x, y))
    assert gx.tolist() == [3.0, 4.0] and gy.tolist() == [1.0, 2.0]
    assert x.grad is None and y.grad is None


def test_grad_by_an_inner_tensor() -> None:
    x = leaf(2.0)
    y = x * 3
    z = (y * y).sum()
    gy, gx = flow.autograd.grad(z, (y, x))
    assert gy.tolist() == [12.0] and gx.tolist() == [36.0]


def test_grad_of_unused_inputs() -> None:
    x, y = leaf(1.0), leaf(2.0)
    with pytest.raises(RuntimeError, match="appears to not have been used in the graph. Set allow_unused=True"):
        flow.autograd.grad(x * 2, (x, y))
    gx, gy = flow.autograd.grad(x * 2, (x, y), allow_unused=True)
    assert gx.tolist() == [2.0] and gy is None


def test_grad_by_something_that_does_not_require_it() -> None:
    x, y = leaf(1.0), flow.tensor([1.0])
    with pytest.raises(RuntimeError, match="does not require grad"):
        flow.autograd.grad(x * y, y)


def test_grad_of_the_input_itself() -> None:
    x = leaf(1.0, 2.0)
    (g,) = flow.autograd.grad(x, x, flow.tensor([3.0, 4.0]))
    assert g.tolist() == [3.0, 4.0]


# --------------------------------------------------------------------------------------------------------------- hooks


def test_hook_sees_and_replaces_a_gradient() -> None:
    x = leaf(1.0, 2.0)
    y = x * 2
    seen = []
    y.register_hook(lambda g: seen.append(g.tolist()))
    handle = y.register_hook(lambda g: g * 10)
    y.sum().backward(retain_graph=True)
    assert seen == [[1.0, 1.0]] and x.grad.tolist() == [20.0, 20.0]
    handle.remove()
    y.sum().backward()
    assert x.grad.tolist() == [22.0, 22.0]


def test_hook_on_a_leaf_runs_before_accumulation() -> None:
    x = leaf(1.0)
    x.register_hook(lambda g: g * 5)
    (x * 2 + x).sum().backward()
    assert x.grad.tolist() == [15.0]


def test_hook_sees_the_whole_gradient() -> None:
    x = leaf(1.0)
    y = x * 2
    seen = []
    y.register_hook(lambda g: seen.append(g.item()))
    (y * 2 + y * 3).sum().backward()
    assert seen == [5.0]


def test_hooks_on_tensors_without_gradient_are_refused() -> None:
    with pytest.raises(RuntimeError, match="doesn't require gradient"):
        flow.tensor([1.0]).register_hook(print)


def test_post_accumulate_hook() -> None:
    x = leaf(1.0)
    seen = []
    x.register_post_accumulate_grad_hook(lambda t: seen.append((t is x, t.grad.item())))
    (x * 2).sum().backward()
    assert seen == [(True, 2.0)]


def test_node_hooks() -> None:
    x = leaf(1.0)
    y = x * 3
    seen = []
    y.grad_fn.register_prehook(lambda grads: seen.append(("before", grads[0].item())))
    y.grad_fn.register_hook(lambda inputs, outputs: seen.append(("after", inputs[0].item(), outputs[0].item())))
    (y * 2).sum().backward()
    assert seen == [("before", 2.0), ("after", 6.0, 2.0)]


def test_retain_grad() -> None:
    x = leaf(1.0, 2.0)
    y = x * 2
    y.retain_grad()
    y.retain_grad()
    z = y * 3
    z.sum().backward()
    assert y.retains_grad and y.grad.tolist() == [3.0, 3.0]
    assert z.grad is None
    with pytest.raises(RuntimeError, match="can't retain_grad on Tensor that has requires_grad=False"):
        flow.tensor([1.0]).retain_grad()


# ------------------------------------------------------------------------------------------------------- flags, nodes


def test_flags_of_leaves_and_results() -> None:
    x = leaf(1.0)
    y = x * 2
    assert x.is_leaf and x.requires_grad and x.grad_fn is None
    assert not y.is_leaf and y.requires_grad and y.grad_fn is not None
    assert y.detach().is_leaf and not y.detach().requires_grad
    with pytest.raises(RuntimeError, match="you can only change requires_grad flags of leaf variables"):
        y.requires_grad = False
    x.requires_grad = False
    assert not (x * 2).requires_grad


def test_nodes_are_called_after_their_ops() -> None:
    x = leaf(1.0)
    y = (x * 2).exp()
    assert y.grad_fn.name() == "exp_backward"
    before = y.grad_fn.next_functions[0][0]
    assert "mul" in before.name()
    assert before.next_functions[0][0].name() == "AccumulateGrad"


def test_integer_results_have_no_history() -> None:
    x = leaf(1.0, 3.0)
    assert not x.argmax().requires_grad
    assert not (x > 2).requires_grad


def test_an_input_without_a_formula_is_refused_if_it_requires_grad() -> None:
    x, target, weight = flow.zeros(2, 3, requires_grad=True), flow.zeros(2, dtype=flow.int64), flow.ones(3)
    flow.nn.functional.nll_loss(x, target, weight).backward()
    with pytest.raises(NotImplementedError, match="the derivative for 'weight' is not implemented"):
        flow.nn.functional.nll_loss(x, target, weight.requires_grad_())


def test_results_do_not_depend_on_the_run() -> None:
    generator = torch.Generator().manual_seed(0)
    data = torch.randn(40, 50, generator=generator)
    found = []
    for _ in range(2):
        x = flow.from_torch(data.clone()).requires_grad_()
        y = (x @ x.t()).exp().sum() + (x * x).sum()
        y.backward()
        found.append(flow.to_torch(x.grad).clone())
    assert torch.equal(found[0], found[1])


def test_a_zero_dim_tensor_that_requires_grad_is_no_number():
    low = flow.tensor(0.5, requires_grad=True)
    flow.clamp(flow.tensor([0.0, 1.0, 0.25]), min=low).sum().backward()
    assert low.grad.item() == 2
    with pytest.raises(TypeError, match="invalid combination of arguments"):
        flow.add(flow.ones(2), flow.ones(2), alpha=low)


def test_attention_with_rows_that_may_attend_to_nothing():
    """The fused kernels and the composition behind double backward agree: such rows give 0, whatever the mask's dtype."""
    allowed = flow.tensor([[True, False], [False, False]])
    query, key, value = (flow.randn(1, 1, 2, 4, dtype=flow.float64, requires_grad=True) for _ in range(3))
    additive = flow.where(allowed, 0.0, -float("inf")).to(flow.float64)

    def gradients(mask, create_graph):
        out = flow.nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        return [out, *flow.autograd.grad(out.sum(), (query, key, value), create_graph=create_graph)]

    expected = gradients(allowed, False)
    assert not expected[0][0, 0, 1].any()
    for mask, create_graph in ((allowed, True), (additive, False), (additive, True)):
        for a, b in zip(gradients(mask, create_graph), expected):
            flow.testing.assert_close(a.detach(), b.detach())


# ------------------------------------------------------------------------------------------------- gradients not copied


class _Kept(flow.autograd.Function):
    """Doubles; its backward keeps what it is given and what it returns."""

    seen: list[flow.Tensor] = []

    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        _Kept.seen = [grad, grad * 2]
        return _Kept.seen[1]


def hooked(x: flow.Tensor) -> flow.Tensor:
    y = x * 2
    y.register_hook(_Kept.seen.append)
    return y + 1


class _Overwriting(flow.autograd.Function):
    """x + y over x; its backward keeps what it returns."""

    @staticmethod
    def forward(ctx, x, y):
        ctx.mark_dirty(x)
        return x.add_(y)

    @staticmethod
    def backward(ctx, grad):
        _Kept.seen = [grad * 1, grad * 1]
        return tuple(_Kept.seen)


def overwritten(x: flow.Tensor, y: flow.Tensor) -> flow.Tensor:
    base = x * 2
    _Overwriting.apply(base[:], y)
    return base


# Of two leaves: the result, and how many of their two gradients are copied.
COPIES = {
    "made for each": (lambda a, b: (a * b).exp(), 0),
    "passed through": (lambda a, b: a * 3 + 1 + b * 2, 0),
    "passed to both": (lambda a, b: (a + b).exp(), 1),
    "a view of it to the other": (lambda a, b: (a + b.reshape(1, 2).reshape(2)).exp(), 1),
    "summed": (lambda a, b: a * b + a.exp() + b.exp(), 0),
    "seen by a function": (lambda a, b: _Kept.apply(a) * b + b, 1),
    "seen by a hook": (lambda a, b: hooked(a) * b, 0),
    "seen by a leaf's hook": (lambda a, b: (a.register_hook(_Kept.seen.append), a * b)[1], 1),
    "seen by a function that writes through a view": (lambda a, b: overwritten(b, a), 3),  # two of them in CopySlices
    "of a bias": (lambda a, b: flow.nn.functional.linear(flow.ones(3, 1), b[:, None], a).sum(0), 1),  # that of b, a view
    "saved": (lambda a, b: _Weighted.apply(a, flow.ones(2)) * b, 1),
}


class _Weighted(flow.autograd.Function):
    """The sum of x with weights 1, whose backward returns a saved tensor."""

    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(weight)
        return x * weight

    @staticmethod
    def backward(ctx, grad):
        (weight,) = ctx.saved_tensors
        return weight, None


@pytest.mark.parametrize("references", [1, 100])
@pytest.mark.parametrize("case", COPIES)
def test_only_shared_gradients_are_copied(case: str, references: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever reference counts say: they differ between versions of Python."""
    function, expected = COPIES[case]
    monkeypatch.setattr(sys, "getrefcount", lambda _: references)
    copies = []
    clone = gradient_ops.clone
    monkeypatch.setattr(gradient_ops, "clone", lambda x: (copies.append(x), clone(x))[1])
    a, b = leaf(1.0, 2.0), leaf(3.0, 4.0)
    a.grad = b.grad = None
    function(a, b).backward(flow.ones(2))
    assert len(copies) == expected
    before = [seen.tolist() for seen in _Kept.seen]
    other = b.grad.tolist()
    a.grad.mul_(100.0)
    assert b.grad.tolist() == other and [seen.tolist() for seen in _Kept.seen] == before
    _Kept.seen = []


def test_only_gradients_that_were_asked_for_are_computed() -> None:
    x, w = flow.randn(2, 3, requires_grad=True), flow.randn(3, 4, requires_grad=True)
    y = x @ (w * 2)
    with flow.profiler.profile() as profile:
        (dx,) = flow.autograd.grad(y, x, flow.ones_like(y), retain_graph=True)
    launched = {row.name: row.count for row in profile.key_averages() if row.kind == "instruction"}
    assert dx.shape == x.shape and launched["matmul"] == 1 and "scalar_mul" not in launched
    assert flow.autograd.grad(y, w, flow.ones_like(y))[0].shape == w.shape


def test_a_complex_result_needs_a_gradient() -> None:
    for module in (flow, torch):
        x = module.tensor(1 + 1j, requires_grad=True)
        with pytest.raises(RuntimeError, match="grad can be implicitly created only for real scalar outputs but got"):
            (x * 2).backward()
        (x * 2).backward(module.tensor(1j))
        assert x.grad.tolist() == 2j


@pytest.mark.parametrize("op", ["addcmul", "where", "bmm"])
def test_what_has_saved_nothing_goes_backward_again(op: str) -> None:
    """The wanted gradient reads no tensor, although others of the op do."""

    def result(lib: Any) -> Any:
        x, y = lib.ones(2, 3, 3, requires_grad=True), lib.full((2, 3, 3), 2.0)
        if op == "where":
            return lib.where(y > 0, x, y)
        return lib.bmm(x, y) if op == "bmm" else lib.addcmul(x, y, y)

    for lib in (torch, flow):
        y = result(lib)
        y.sum().backward()
        if op == "addcmul":
            y.sum().backward()
        else:
            with pytest.raises(RuntimeError, match="a second time"):
                y.sum().backward()


def test_gradients_by_inputs_are_retained_and_counted_once() -> None:
    """`backward(inputs=[y])` makes y retain its gradient, as torch does; one that does so already gets it once."""
    results = []
    for lib in (torch, flow):
        x = lib.tensor([1.0, 2.0], requires_grad=True)
        y, z = x * 2, x * 3
        y.retain_grad()
        (y * y + z * z).sum().backward(inputs=[y, z], retain_graph=True)
        first = y.grad.tolist(), z.grad.tolist(), y.retains_grad, z.retains_grad, x.grad
        (z * z).sum().backward()
        edge = lib.autograd.graph.get_gradient_edge
        (x * x).sum().backward(inputs=[edge(x), edge(y)])
        results.append((first, z.grad.tolist(), x.grad.tolist()))
        with pytest.raises(RuntimeError, match="can't retain_grad"):
            (x * x).sum().backward(inputs=[lib.ones(2)])
    assert results[0] == results[1]


def test_hooks_before_a_node_change_no_gradient_that_is_asked_for() -> None:
    results = []
    for lib in (torch, flow):
        x = lib.tensor([1.0, 2.0], requires_grad=True)
        y = x * 2
        y.retain_grad()
        y.grad_fn.register_prehook(lambda grads: (grads[0] * 5,))
        by_x, by_y = lib.autograd.grad((y * y).sum(), [x, y], retain_graph=True)
        y.register_hook(lambda grad: grad * 2)
        y.sum().backward()
        results.append([t.tolist() for t in (by_x, by_y, y.grad, x.grad)])
    assert results[0] == results[1]
