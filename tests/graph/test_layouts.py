"""Values made where they are wanted: parts of a cat, results in the layout of their copies; what must be copied still is."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tritonflow as flow
from tests.graph.models import Attention
from tests.graph.test_fusion import optimized
from tritonflow.graph.ir.cost import cost_of
from tritonflow.graph.plan.executable import Executable
from tritonflow.testing import assert_close

F = flow.nn.functional


def run(program: Any, *inputs: Any) -> tuple[int, int]:
    """The launches and bytes of a program, after a look at the results of two runs."""
    graph = optimized(program, *inputs)
    executable = Executable(graph, inputs[0].device)
    for _ in range(2):
        for actual, expected in zip(executable.run(inputs), program(*inputs)):
            assert actual.shape == expected.shape
            assert_close(actual, expected)
    return executable.launches, sum(cost_of(node).bytes for node in graph.nodes)


def test_parts_of_a_cat_are_made_there() -> None:
    x, y = flow.randn(4, 8), flow.randn(8, 8)
    tensor = 4 * 8 * 4
    assert run(lambda x, y: [flow.cat([x.exp(), (x @ y)]), x + 0.5], x, y)[0] == 3
    assert run(lambda x, y: [flow.cat([x.exp(), (x @ y)]).cumsum(0)], x, y)[0] == 3
    assert run(lambda x, y: [flow.stack([x.cumsum(0), x.cumsum(1)]) @ y], x, y) == (3, (2 + 2 + 2 + 2 + 2 + 2 - 2) * tensor)
    x = flow.randn(4, 64)
    assert run(lambda x: [flow.cat([x.exp(), x.sin() * 2], 1)], x) == (1, (1 + 2) * 8 * tensor), "rows with gaps between them"
    assert run(lambda x: [flow.cat([x.exp(), x[:, 1:]], 1)], x)[0] == 2, "one part is copied"


def test_what_others_read_too() -> None:
    x = flow.randn(4, 8)

    def program(x: Any) -> Any:
        a, b = x.cumsum(0), x.cumsum(1)
        joined = flow.cat([a, b])
        return joined * 2, a.t() + 1, b.sum(), joined[2:6].exp()

    run(program, x)
    run(lambda x: [flow.cat([x.cumsum(0), x.cumsum(0)]), x.cumsum(0)], x)
    run(lambda x: [flow.cat([x, x.cumsum(0), x])], x)
    run(lambda x: [a := x.cumsum(0), flow.cat([a, x.cumsum(1)]), flow.cat([x.cumsum(1), a]).exp()], x)


def test_parts_that_lie_elsewhere_are_copied() -> None:
    x = flow.randn(4, 4)
    assert run(lambda x: [flow.cat([x.cumsum(0).t(), x.cumsum(1).t()])], x)[0] == 4
    assert run(lambda x: [flow.cat([x.cumsum(0), x.cumsum(1)], 1)], x)[0] == 4
    assert run(lambda x: [flow.cat([x[0, :3].cumsum(0), x[1, :2].cumsum(0)])], x)[0] == 3  # not at a multiple of 16 bytes
    assert run(lambda x: [flow.cat([x.cumsum(0).reshape(2, 8), x.cumsum(1).reshape(2, 8)])], x)[0] <= 4


def test_written_parts() -> None:
    x = flow.randn(4, 8)

    def program(x: Any) -> Any:
        a, b = x.cumsum(0), x.cumsum(1)
        joined = flow.cat([a, b])
        a.mul_(2)
        joined[0] = 7.0
        return joined, a, b + 0

    run(program, x)


def attention(x: Any, w: Any, v: Any, heads: int, causal: bool = False) -> Any:
    b, t, d = x.shape
    q, k, u = F.linear(x, w).view(b, t, 3, heads, d // heads).permute(2, 0, 3, 1, 4).unbind(0)
    y = F.scaled_dot_product_attention(q, k, u, is_causal=causal)
    return F.linear(y.transpose(1, 2).reshape(b, t, d), v)


def gradients(x: Any, w: Any, v: Any, heads: int = 2, causal: bool = False) -> Any:
    leaves = [t.detach().requires_grad_() for t in (x, w, v)]
    y = attention(*leaves, heads, causal)
    return [y.detach(), *flow.autograd.grad(y, leaves, flow.cos(y.detach()))]


def inputs(b: int, t: int, d: int, dtype: Any = flow.float32) -> Any:
    return flow.randn(b, t, d, dtype=dtype), flow.randn(3 * d, d, dtype=dtype) / d, flow.randn(d, d, dtype=dtype) / d


def test_attention_copies_nothing() -> None:
    launches, moved = run(gradients, *inputs(2, 6, 16))
    copies = 2 * (1 + 3 + 3) * 2 * 6 * 16 * 4  # of its result; of three gradients into one tensor, and that permuted
    graph = optimized(gradients, *inputs(2, 6, 16))
    assert not {"cat", "contiguous_copy"} & {node.op.name for node in graph.computes()}
    assert launches == (10 if flow.zeros(1).device.type == "cpu" else 9)  # on a GPU gradients of attention are two launches
    without = optimized_without(gradients, *inputs(2, 6, 16))
    assert sum(cost_of(node).bytes for node in without.nodes) == moved + copies


def optimized_without(program: Any, *tensors: Any) -> Any:
    from tritonflow.graph.capture.capture import Capture
    from tritonflow.graph.passes import optimize

    with Capture() as capture:
        return optimize(capture.finish(list(program(*[capture.input(x.meta) for x in tensors]))), without={"choose_layouts"})


@pytest.mark.parametrize("dtype", (flow.float32, flow.float16, flow.bfloat16), ids=str)
def test_dtypes_of_attention(dtype: Any) -> None:
    run(gradients, *inputs(2, 6, 16, dtype))


@pytest.mark.long
@given(st.integers(1, 3), st.integers(1, 9), st.sampled_from((1, 2, 3, 4)), st.sampled_from((1, 2, 3, 8)), st.booleans())
@settings(max_examples=25, deadline=None)
def test_any_attention(b: int, t: int, heads: int, size: int, causal: bool) -> None:
    run(lambda *leaves: gradients(*leaves, heads, causal), *inputs(b, t, heads * size))


def test_a_result_that_is_wanted_as_it_is() -> None:
    q, k, v = (flow.randn(2, 3, 4, 8) for _ in range(3))

    def program(q: Any, k: Any, v: Any) -> Any:
        y = F.scaled_dot_product_attention(q, k, v)
        return y, y.transpose(1, 2).contiguous().sin()

    run(program, q, k, v)
    run(lambda q, k, v: [(y := F.scaled_dot_product_attention(q, k, v)).transpose(1, 2).contiguous(), y.permute(3, 0, 1, 2) * 2], q, k, v)
    run(lambda q, k, v: [(y := F.scaled_dot_product_attention(q, k, v)).transpose(1, 2).contiguous(), y.cumsum(1), y + 1], q, k, v)


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_any_cat(data: Any) -> None:
    """Of parts of all kinds, of which several come from one value, some are views, and the whole is permuted and copied."""
    n = data.draw(st.integers(1, 5))
    x = flow.randn(n, 4)
    makers: list[Any] = [
        lambda x: x, lambda x: x.exp(), lambda x: x.cumsum(0), lambda x: x.t().cumsum(0).t(), lambda x: x[:1].cumsum(1),
        lambda x: x @ x.t() @ x, lambda x: x.sum(0, keepdim=True), lambda x: x.reshape(2, -1).cumsum(1).reshape(-1, 4),
    ]  # fmt: skip
    chosen = data.draw(st.lists(st.sampled_from(makers), min_size=1, max_size=4))
    behind = data.draw(st.sampled_from([lambda z: z, lambda z: z * 2, lambda z: z.t().contiguous(), lambda z: z.t().clone() + 1]))
    shown = data.draw(st.booleans())

    def program(x: Any) -> Any:
        parts = [make(x) for make in chosen]
        return [behind(flow.cat(parts)), *(parts if shown else [])]

    run(program, x)


def test_a_module_keeps_its_gradients() -> None:
    net = Attention(16, 2, True)
    data = flow.randn(2, 5, 16)

    def step(x: Any) -> Any:
        net.zero_grad()
        loss = (net(x) ** 2).sum()
        loss.backward()
        return [loss, *[p.grad for p in net.parameters()]]

    for ours, theirs in zip(flow.compile(step)(data), step(data)):
        assert_close(ours, theirs)
