"""The cost model of fusion: what it counts, what it decides for hand-made groups, and that it says why."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tritonflow as flow
from tests.graph.test_fusion import launches
from tritonflow.framework.meta import TensorMeta, contiguous_meta
from tritonflow.graph.capture.capture import Capture
from tritonflow.graph.explain.steps import reasons, title_of
from tritonflow.graph.explain.why import sentence
from tritonflow.graph.fusion.arithmetic import Count, count
from tritonflow.graph.fusion.decisions import Decision
from tritonflow.graph.fusion.group import POINTERS, STEPS, FusedNode
from tritonflow.graph.fusion.price import (
    DEVICE_MODELS,
    DeviceModel,
    Work,
    arithmetic_of,
    compare,
    live_values,
    work_of,
)
from tritonflow.graph.ir import Graph
from tritonflow.graph.passes import optimize
from tritonflow.graph.plan.memory import plan_memory
from tritonflow.ops.registry import OPS

F = flow.nn.functional
Program = Callable[..., list[Any]]
CPU, CUDA = (flow.device(kind) for kind in ("cpu", "cuda:0"))


def meta(*shape: int, device: Any = CPU) -> TensorMeta:
    return contiguous_meta(shape, flow.float32, device)


def captured(program: Program, *metas: TensorMeta) -> Graph:
    with Capture() as capture:
        return capture.finish(program(*[capture.input(each) for each in metas]))


def decided(program: Program, *metas: TensorMeta) -> tuple[list[Any], list[Decision]]:
    """The nodes that run kernels behind the passes, and the decisions."""
    decisions: list[Decision] = []
    graph = optimize(captured(program, *metas), None, ["recompute"], decisions)
    return [node for node in graph.nodes if node.ops()], decisions


# ---- what is counted


def test_arithmetic_is_counted_in_the_source() -> None:
    assert count("arithmetic.add") == Count(1, 1, 1)
    assert count("activation.relu") == Count(2, 2, 2)
    assert count("exponential.exp") == Count(20, 20, 1)
    gelu, backward = count("activation.gelu"), count("generated.gelu_exact_backward_x")
    assert gelu.operations > 20 and backward.operations > 40, "the error function, and the exponential"
    assert backward.chain < backward.operations * 2 // 3, "which do not wait for each other"


def test_every_function_is_counted() -> None:
    targets = {op.target for op in OPS.values() if op.kind == "pointwise"}
    targets |= {op.fusion for op in OPS.values() if op.fusion.startswith("rows.")}
    for target in targets:
        operations, chain, steps = count(target)
        assert 0 <= steps <= chain <= operations, target


def test_a_chain_and_branches() -> None:
    chain = captured(lambda x: [flow.exp(flow.exp(x) * 2)], meta(8)).computes()
    branches = captured(lambda x: [flow.exp(x) * flow.exp(-x)], meta(8)).computes()
    assert arithmetic_of([node for node in chain if node.op.name != "full"]) == Count(41, 41, 3)
    assert arithmetic_of(branches) == Count(42, 22, 3)


def test_values_that_live_at_a_time() -> None:
    def program(x: Any, y: Any) -> list[Any]:
        a = x + 1
        b = a * 2
        return [b - y, a]

    graph = captured(program, meta(8), meta(8))
    body = graph.computes()
    assert live_values(body, (), loads_first=False) == 2, "b and y"
    assert live_values(body, {body[0].outputs[0]}, loads_first=False) == 3, "and a"
    assert live_values(body[:1], (), loads_first=False) == 1, "a takes the register of x"
    assert live_values(body, (), loads_first=True) == 2, "y and x, then a, then b"


def test_work_counts_what_is_read_and_stored() -> None:
    def program(x: Any, w: Any) -> list[Any]:
        return [flow.relu(x + x.view(4, 8) * w)]

    body = captured(program, meta(4, 8), meta(8)).computes()
    work = work_of(body, "elements", set(body[-1].outputs), DEVICE_MODELS["cpu"])
    assert (work.elements, work.read, work.written, work.arrays) == (32, 4 * (32 + 8), 4 * 32, 2)


# ---- what is decided


def added(*xs: Any) -> list[Any]:
    total = xs[0]
    for x in xs[1:]:
        total = total + x
    return [total]


@pytest.mark.usefixtures("gpu")
def test_a_few_arrays_are_one_kernel_and_many_are_several() -> None:
    nodes, _ = decided(added, *[meta(1024, 1024)] * 12)
    assert len(nodes) == 1
    nodes, decisions = decided(added, *[meta(1024, 1024)] * 30)
    assert len(nodes) == 2, "so many arrays are not followed"
    (refused,) = (decision for decision in decisions if not decision.taken)
    assert refused.prices is not None and refused.prices.seconds[0] < refused.prices.seconds[1]
    nodes, _ = decided(added, *[meta(8)] * 30)
    assert len(nodes) == 1, "small ones are about launches"
    nodes, _ = decided(added, *[meta(1024, 1024, device=CUDA)] * 24)
    assert len(nodes) == 1, "a GPU follows no arrays"


def test_compilers_bound_a_kernel() -> None:
    nodes, decisions = decided(added, *[meta(8)] * (POINTERS + 8))
    assert len(nodes) == 2 and max(len(node.inputs) for node in nodes) == POINTERS
    assert any(str(POINTERS) in decision.reason for decision in decisions)

    def program(x: Any, y: Any) -> list[Any]:
        z = x
        for _ in range(100):
            z = z * y + x
        return [z]

    nodes, decisions = decided(program, meta(8), meta(8))
    assert [arithmetic_of(node.ops()).steps for node in nodes] == [STEPS, 200 - STEPS]
    assert any(str(STEPS) in decision.reason for decision in decisions)


@pytest.mark.long
def test_a_long_chain_compiles() -> None:
    x, y = flow.rand(9), flow.rand(9)

    def program(x: Any, y: Any) -> list[Any]:
        z = x
        for _ in range(200):
            z = z * y + x
        return [z]

    assert launches(program, x, y) == 3


@pytest.mark.usefixtures("gpu")
def test_too_many_live_values_are_two_kernels() -> None:
    def program(x: Any) -> list[Any]:
        y = flow.exp(x)
        return [y * k for k in range(1, 49)]

    large = meta(4096, 4096, device=CUDA)
    nodes, decisions = decided(program, large)
    assert len(nodes) > 1
    registers = DEVICE_MODELS["gpu"].templates["elements"].registers
    refused = [decision for decision in decisions if decision.prices is not None and not decision.taken]
    assert refused and all(decision.prices.together.live > registers for decision in refused if decision.prices)
    nodes, _ = decided(lambda x: program(x)[:8], large)
    assert len(nodes) == 1


@pytest.mark.usefixtures("gpu")
def test_chains_that_wait_are_cut_on_a_cpu() -> None:
    def program(x: Any) -> list[Any]:
        for _ in range(8):
            x = flow.exp(-x)
        return [x]

    assert len(decided(program, meta(256, 1024))[0]) > 1
    assert len(decided(program, meta(8))[0]) == 1, "a launch takes longer"
    assert len(decided(program, meta(256, 1024, device=CUDA))[0]) == 1, "other warps do not wait"
    assert len(decided(lambda x: [flow.exp(x) * flow.exp(-x) + flow.exp(x * x)], meta(256, 1024))[0]) == 1


def test_an_epilogue_of_many_operands_is_a_kernel_of_its_own() -> None:
    def program(x: Any, w: Any, *others: Any) -> list[Any]:
        return added(x @ w, *others)

    for others, kernels in ((2, 1), (12, 2)):
        nodes, decisions = decided(program, meta(512, 64), meta(64, 1024), *[meta(512, 1024)] * others)
        assert len(nodes) == kernels
        assert decisions[-1].taken is (kernels == 1) and decisions[-1].prices is not None


def test_sums_of_columns_take_few_arrays() -> None:
    def program(*xs: Any) -> list[Any]:
        return [added(*xs)[0].sum(0)]

    for arrays, kernels in ((3, 1), (8, 2)):
        nodes, decisions = decided(program, *[meta(1024, 1024)] * arrays)
        assert len(nodes) == kernels and decisions[-1].taken is (kernels == 1)
    assert len(decided(lambda *xs: [added(*xs)[0].sum()], *[meta(1024, 1024)] * 8)[0]) == 1


# ---- what holds for all


@st.composite
def works(draw: Any) -> Work:
    elements = draw(st.integers(1, 1 << 24))
    arrays, operations = draw(st.integers(1, 40)), draw(st.integers(0, 300))
    arithmetic = Count(operations, draw(st.integers(0, operations)), 0)
    template = draw(st.sampled_from(["elements", "rows", "product", "reduction", "columns"]))
    read = draw(st.integers(0, arrays)) * elements * 4
    return Work(template, elements, read, arrays * elements * 4 - read, arrays, arithmetic, draw(st.integers(0, 60)))


def gain(apart: list[Work], together: Work, model: DeviceModel) -> float:
    before, after = compare(apart, together, model).seconds
    return before - after


@given(works(), works(), works(), st.integers(1, 1 << 28), st.sampled_from(sorted(DEVICE_MODELS)))
def test_more_bytes_shared_never_make_fusing_less_wanted(a: Work, b: Work, c: Work, more: int, kind: str) -> None:
    model = DEVICE_MODELS[kind]
    shared = [a._replace(written=a.written + more), b._replace(read=b.read + more)]
    assert gain(shared, c, model) >= gain([a, b], c, model)


@given(works(), works(), works(), st.integers(1, 50), st.sampled_from(sorted(DEVICE_MODELS)))
def test_a_worse_kernel_is_never_more_wanted(a: Work, b: Work, c: Work, more: int, kind: str) -> None:
    model, now = DEVICE_MODELS[kind], gain([a, b], c, DEVICE_MODELS[kind])
    longer = c.arithmetic._replace(operations=c.arithmetic.operations + more)
    for worse in (c._replace(live=c.live + more), c._replace(arrays=c.arrays + more), c._replace(arithmetic=longer)):
        assert gain([a, b], worse, model) <= now


# ---- why


def test_decisions_name_both_sides_and_the_reason() -> None:
    def program(x: Any, w: Any) -> list[Any]:
        y = flow.relu(x + 1)
        return [y.t() * 2, flow.tanh(x @ w), y.sum(0)]

    nodes, decisions = decided(program, meta(64, 64), meta(64, 64))
    texts = [sentence(decision) for decision in decisions]
    assert any(text.startswith("yes relu with scalar_add: ") and " together, " in text for text in texts)
    assert "no  scalar_mul with [scalar_add, relu]: their shapes do not lie over each other" in texts
    assert any(text.startswith("yes tanh behind matmul: ") and "1 launch less" in text for text in texts)
    assert any(isinstance(node, FusedNode) for node in nodes)


def test_the_reasons_of_ops_that_read_a_reshaped_product_are_found() -> None:
    """The product stores the view that they read, so a pass replaces the nodes that were decided on."""

    def program(x: Any, w: Any) -> list[Any]:
        y = (x @ w).view(2, 32, 64)
        return [flow.relu(y) * 2, F.softmax(y, -1) * y]

    decisions: list[Decision] = []
    layout = plan_memory(optimize(captured(program, meta(64, 64), meta(64, 64)), None, (), decisions))
    titles = [title_of(step) for step in layout.steps]
    assert titles == ["matmul relu scalar_mul", "softmax mul"]
    texts = [list(map(sentence, each)) for each in reasons(layout, decisions)]
    assert texts[1][0].startswith("yes mul with softmax: ") and texts[0][0].startswith("yes scalar_mul with relu: ")


def test_an_explanation_says_why() -> None:
    f = flow.compile(lambda x, w: (flow.relu(x @ w) + 1).t() * 3)
    f(flow.ones(4, 4), flow.ones(4, 4))
    explanation = f.explain()
    first, second = explanation.why(0), explanation.why(1)
    assert first.startswith("0: matmul relu scalar_add\n    yes scalar_add with relu: ") and "behind matmul" in first
    assert second.splitlines()[1].startswith("    no  scalar_mul with [relu, scalar_add]: their shapes")
    assert explanation.why() == f"{first}\n{second}"
    assert "why" in explanation.to_html()
    with pytest.raises(IndexError):
        explanation.why(2)
