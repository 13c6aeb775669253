"""Each pass alone: what it takes out, and what it must leave."""

from __future__ import annotations

import re
from dataclasses import FrozenInstanceError, replace
from pathlib import Path
from typing import Any

import pytest
import torch

import tritonflow as flow
from tests import where
from tritonflow.graph.capture.capture import Capture
from tritonflow.graph.ir import Compute, Graph, Late, Node, NodeVisitor, Value, View, root
from tritonflow.graph.passes import PASSES
from tritonflow.graph.passes.cast_in_losses import cast_in_losses
from tritonflow.graph.passes.dead_code import remove_dead_code
from tritonflow.graph.passes.fold_constants import fold_constants
from tritonflow.graph.passes.mask_before_pooling import mask_before_pooling
from tritonflow.graph.passes.merge_equal import merge_equal
from tritonflow.graph.passes.remove_copies import remove_copies
from tritonflow.graph.passes.simplify import simplify
from tritonflow.graph.plan.executable import Executable
from tritonflow.testing import assert_close

F = flow.nn.functional


def captured(program: Any, *inputs: Any) -> Graph:
    with Capture() as capture:
        return capture.finish(list(program(*[capture.input(x.meta) for x in inputs])))


def names(graph: Graph) -> list[str]:
    graph.verify()
    return [node.op.name for node in graph.computes()]


def test_dead_code_goes_and_writes_stay() -> None:
    x, total = flow.ones(3), flow.zeros(3)

    def program(x: Any) -> Any:
        flow.exp(x)
        total.add_(x)
        return [flow.relu(x)]

    assert names(remove_dead_code(captured(program, x))) == ["add", "relu"]


def test_copies_go() -> None:
    x = flow.randn(3, 4)
    graph = remove_copies(captured(lambda x: [x.clone().clone().sum(), x.t().contiguous()], x))
    assert names(remove_dead_code(graph)) == ["sum", "contiguous_copy"]


def test_copies_that_are_written_still_leave_their_source_alone() -> None:
    state = flow.ones(4)

    def program(x: Any) -> Any:
        y = state.clone()
        y.mul_(2)
        y[1] = 7.0
        z = x.clone()
        z.add_(1)
        return y, z, state + x

    x = flow.randn(4)
    graph = captured(program, x)
    for run in PASSES:
        graph = run(graph)
        graph.verify()
    for actual, expected in zip(Executable(graph, x.device).run([x]), program(x)):
        assert_close(actual, expected)
    assert_close(state, flow.ones(4))


def test_equal_nodes_are_merged() -> None:
    x = flow.randn(3, 4)
    graph = captured(lambda x: [flow.exp(x) + flow.exp(x), x.t().sum(0) * x.t().sum(0), x * 2 - x * 2.0], x)
    merged = remove_dead_code(merge_equal(graph))
    assert names(merged).count("exp") == 1 and names(merged).count("sum") == 1
    assert sum(isinstance(node, View) for node in merged.nodes) == 1
    assert names(merged).count("scalar_mul") == 2  # 2 and 2.0 promote differently


def test_random_numbers_are_not_merged() -> None:
    x = flow.ones(3)
    graph = remove_dead_code(merge_equal(captured(lambda x: [x * flow.rand(3) + flow.rand(3)], x)))
    assert names(graph).count("random_uniform") == 2


def test_an_invalid_graph_is_noticed() -> None:
    x = flow.ones(3)
    graph = captured(lambda x: [flow.exp(flow.relu(x))], x)
    with pytest.raises(ValueError, match=r"exp.* uses a value that is not made before"):
        replace(graph, nodes=graph.nodes[::-1]).verify()
    with pytest.raises(ValueError, match="not made by its nodes"):
        replace(graph, outputs=[*graph.outputs, Value(x.meta)]).verify()
    with pytest.raises(ValueError, match="made elsewhere"):
        replace(graph, nodes=[*graph.nodes, graph.nodes[0]]).verify()
    view = View(x := graph.inputs[0], x.meta, 0)
    with pytest.raises(ValueError, match="made elsewhere"):
        replace(graph, nodes=[*graph.nodes, graph.nodes[0].replace(outputs=view.outputs)]).verify()


def test_passes_leave_the_graph_that_they_get() -> None:
    def program(x: Any, w: Any) -> list[Any]:
        y = flow.softmax((x.view(8, 4) @ w).view(2, 4, 4) * (flow.ones(()) / 2), -1).clone()
        z = flow.nn.functional.dropout(flow.relu(y * 1), 0.5)
        return [flow.cat([z.exp(), z.exp()], 1).permute(1, 0, 2).contiguous(), z.sum(), flow.tanh(x @ flow.ones(8, 4))]

    graph = captured(program, flow.ones(4, 8), flow.ones(4, 4))
    for run in PASSES:
        before = [(node, node.inputs, node.outputs) for node in graph.nodes], graph.results(), str(graph)
        after = run(graph)  # type: ignore[operator]
        assert ([(node, node.inputs, node.outputs) for node in graph.nodes], graph.results(), str(graph)) == before
        graph.verify()
        after.verify()
        graph = after


def test_what_a_graph_is_made_of_never_changes() -> None:
    graph = captured(lambda x: [flow.exp(x[1])], flow.ones(3, 4))
    view, exp = graph.nodes
    for whole, name in ((exp, "inputs"), (exp, "attrs"), (exp.outputs[0], "meta"), (view, "offset"), (graph, "nodes")):
        with pytest.raises(FrozenInstanceError):
            setattr(whole, name, ())
        with pytest.raises(FrozenInstanceError):
            delattr(whole, name)
    (x,), y = graph.inputs, Value(flow.ones(3, 4).meta)
    assert view.reading(lambda value: value) is view
    other = view.reading({x: y}.__getitem__)
    assert other.inputs == (y,) and other.outputs[0] is not view.outputs[0], "it is the view of something else"
    assert exp.reading({view.outputs[0]: x}.__getitem__).outputs is exp.outputs
    assert exp.again((x,)).outputs[0] is not exp.outputs[0] and exp.again((x,)).outputs[0].meta is exp.outputs[0].meta
    assert root(other.outputs[0]) is y and root(view.outputs[0]) is x


def test_constants_are_folded() -> None:
    x = flow.randn(3)

    def program(x: Any) -> Any:
        third = flow.ones(()) / 3
        return x * flow.exp(third - 2), flow.arange(3) + 1, third.expand(2).clone()

    graph = captured(program, x)
    folded = remove_dead_code(fold_constants(graph))
    assert sorted(names(folded)) == ["arange", "clone", "full", "full", "mul", "scalar_add"]
    for actual, expected in zip(Executable(folded, x.device).run([x]), program(x)):
        assert actual.tolist() == expected.tolist()


def test_numbers_of_each_run_are_not_folded() -> None:
    f = flow.compile(lambda x, a: x * (flow.ones(()) * a))
    assert [f(flow.ones(2), a).tolist() for a in (2.0, 3.0)] == [[2.0, 2.0], [3.0, 3.0]]


def test_what_changes_no_bit_goes() -> None:
    x, n = flow.tensor([-0.0, 1.5]), flow.arange(2)

    def program(x: Any, n: Any) -> Any:
        return (
            (x * 1 / 1.0 - 0) ** 1,
            x.double().float(),
            x.half().float(),
            x + 0,
            x * flow.ones(2),
            n.long(),
            (n.int().long() / 1),
        )

    graph = captured(program, x, n)
    simple = remove_dead_code(simplify(graph))
    assert names(simple) == ["cast", "cast", "scalar_add", "cast", "cast", "scalar_div"]
    for actual, expected in zip(Executable(simple, x.device).run([x, n]), program(x, n)):
        assert str(actual.tolist()) == str(expected.tolist()) and actual.dtype is expected.dtype


def test_readers_are_found_through_views_and_what_is_late() -> None:
    graph = captured(lambda x: [flow.exp(x[0]), x[1].reshape(2, 2)[0], flow.sin(x)], flow.ones(3, 4))
    (x,), (exp, sin) = graph.inputs, graph.computes()
    late = Late(x, sin.outputs[0])
    reader = Compute(exp.op, late.outputs, exp.attrs, exp.dynamic, [x.meta])
    graph = replace(graph, nodes=[*graph.nodes, late, reader])
    readers = graph.readers()
    assert all(isinstance(node, View) for node in readers.of(x) if node not in (sin, late))
    assert readers.through_views(x) == [sin, late, exp]
    assert readers.through_views(x, late=True) == [sin, exp, reader]
    assert not readers.through_views(sin.outputs[0], late=True), "a trigger is not read"
    assert readers.is_result(x) and readers.is_result(sin.outputs[0]) and not readers.is_result(reader.outputs[0])
    both = Compute(exp.op, (x,), exp.attrs, exp.dynamic, [x.meta])
    readers.merge([exp, sin], both)
    assert readers.through_views(x, late=True) == [both, reader]


def loss_of_logits(cast: Any, *results: str) -> Any:
    """The loss of a product in front of a cast and a view, and the gradient of the product's left side."""

    def program(x: Any, w: Any, target: Any) -> Any:
        x.requires_grad_()
        logits = x @ w
        loss = F.cross_entropy(cast(logits).view(-1, w.shape[1]), target)
        (dx,) = flow.autograd.grad([loss], [x])
        found = {"loss": loss, "dx": dx, "cast": cast(logits)}
        return [found[name] for name in results]

    return program


@pytest.mark.parametrize(("results", "casts"), [(("loss", "dx"), 0), (("loss", "dx", "cast"), 1)])
def test_cross_entropy_casts_on_its_way(results: tuple[str, ...], casts: int) -> None:
    rng = torch.Generator().manual_seed(0)
    operands = [flow.from_torch(torch.randn(s, generator=rng).bfloat16()) for s in ((2, 3, 8), (8, 5))]
    inputs = [*operands, flow.tensor([0, 4, 2, 3, 1, 1])]
    program = loss_of_logits(lambda y: y.float(), *results)
    graph = remove_dead_code(merge_equal(captured(program, *inputs)))
    assert names(graph).count("cast") == 2
    narrow = remove_dead_code(cast_in_losses(graph))
    assert names(narrow).count("cast") == casts
    own, plain = (Executable(g, operands[0].device).run(inputs) for g in (narrow, graph))
    for a, b in zip(own, plain):
        assert a.dtype is b.dtype and a.tolist() == b.tolist()
    with flow.autocast(where.device, dtype=flow.bfloat16):
        assert "cast" not in names(captured(loss_of_logits(lambda y: y, "loss", "dx"), *inputs))


def pooled(*geometry: Any, **options: Any) -> Any:
    """relu and max pooling: what they give, and the gradient of a product in front of them."""

    def program(x: Any, w: Any) -> Any:
        w.requires_grad_()
        y = F.max_pool2d(flow.relu(x * w), *geometry, **options)
        return y, *flow.autograd.grad((y * y * 0.5 - y).sum(), [w])

    return program


@pytest.mark.parametrize("geometry", ((2,), (3, 2, 1), (2, 3), (3, 1, 1, 2)), ids=str)
@pytest.mark.parametrize("dtype", (flow.float32, flow.bfloat16), ids=str)
def test_relus_gradient_is_masked_where_it_is_pooled(geometry: tuple[int, ...], dtype: Any) -> None:
    """Windows apart and over each other, ties at 0, NaN: no bit changes."""
    x, w = (flow.randn(2, 3, 9, 8, dtype=dtype) for _ in range(2))
    x[0, 0, 2, 3] = float("nan")
    x[1, 1, :3, :3] = 0.0
    graph = remove_dead_code(mask_before_pooling(captured(pooled(*geometry), x, w)))
    order = names(graph)
    assert order.index("relu_backward_x") < order.index("max_pool_grad") and order.count("max_pool_grad") == 1
    for actual, expected in zip(Executable(graph, x.device).run([x, w]), pooled(*geometry)(x, w.detach())):
        assert torch.equal(bits(actual), bits(expected))


def bits(x: Any) -> Any:
    return flow.to_torch(x.detach()).contiguous().view(torch.uint8)


def test_a_pooling_gradient_that_others_read_stays() -> None:
    def program(x: Any) -> Any:
        y = flow.relu(x.requires_grad_())
        z = F.max_pool2d(y, 2)
        return flow.autograd.grad((z * z).sum(), [x, y])

    def of_another(x: Any) -> Any:
        y = flow.relu(x.requires_grad_())
        return flow.autograd.grad((F.max_pool2d(y, 2).exp().sum() + y.exp().sum()), [x])

    for each in (program, of_another):
        order = names(remove_dead_code(mask_before_pooling(captured(each, flow.randn(1, 2, 4, 4)))))
        assert order.index("max_pool_grad") < order.index("relu_backward_x")


def test_each_pass_says_why_it_stands_there_and_what_is_true_behind_it() -> None:
    source = (Path(flow.__file__).parent / "graph" / "passes" / "__init__.py").read_text()
    entries = re.findall(r"^    # It .*\.\n    # Behind it, .*\.\n    (\w+),$", source, re.MULTILINE)
    assert entries == [run.__name__ for run in PASSES]


def test_visitors_know_every_kind_of_node() -> None:
    def visitor(names: Any) -> Any:
        return type("Visitor", (NodeVisitor,), {name: lambda self, node, name=name: name for name in names})()

    methods, kinds = NodeVisitor.__abstractmethods__, [Node]
    for kind in kinds:
        kinds += kind.__subclasses__()
    concrete = [kind for kind in kinds if not getattr(kind.accept, "__isabstractmethod__", False)]
    assert {object.__new__(kind).accept(visitor(methods)) for kind in concrete} == methods
    for name in methods:
        with pytest.raises(TypeError, match=name):
            visitor(methods - {name})
