"""Products with what stands in front of their operands: where that is taken, what is written for it, and that no bit changes."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import tritonflow as flow
from tests import where
from tests.graph.models import GPT, Block, ResNet, cnn
from tests.graph.test_fuse_products import Compiler, names, on_gpu
from tests.graph.test_graph import Train
from tritonflow import _C, nn
from tritonflow.device.provider import facts_of
from tritonflow.graph.capture.capture import Capture
from tritonflow.graph.fusion.product import FusedProduct
from tritonflow.graph.ir import Compute
from tritonflow.graph.passes import fuse_prologues, optimize
from tritonflow.graph.plan.executable import Executable
from tritonflow.ops.plan import specialise
from tritonflow.testing import assert_close

F = flow.nn.functional
Program = Callable[..., Any]
bf16, fp16, fp32 = flow.bfloat16, flow.float16, flow.float32


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Prologues wherever they are possible."""
    monkeypatch.setitem(fuse_prologues.__globals__["AGAIN"], facts_of(flow.device(where.device)).kind, 0)


def optimized(program: Program, *inputs: Any, without: Any = ()) -> Any:
    with Capture() as capture:
        graph = optimize(capture.finish(list(program(*[capture.input(x.meta) for x in inputs]))), without=without)
    graph.verify()
    return graph


def same_bits(program: Program, *inputs: Any) -> Any:
    """The graph, whose results have the bits that they have without prologues, and are eager mode's."""
    graphs = [optimized(program, *inputs, without=without) for without in ((), ("fuse_prologues",))]
    found = [Executable(graph, inputs[0].device).run(inputs) for graph in graphs]
    for actual, plain, eager in zip(*found, program(*inputs)):
        assert torch.equal(flow.to_torch(actual), flow.to_torch(plain))
        assert_close(actual, eager)
    return graphs[0]


def product(half: Any) -> Program:
    return lambda x, w, b: [F.linear(x.to(half), w.to(half), b.to(half))]


# ------------------------------------------------------------------------------------------------------- what is taken


@pytest.mark.parametrize("half", (bf16, fp16), ids=str)
def test_casts_of_a_small_product_are_part_of_it(half: Any) -> None:
    graph = same_bits(product(half), flow.randn(20, 40), flow.randn(24, 40), flow.randn(24))
    (node,) = graph.nodes
    assert node.name() == "fused[cast, cast, cast, linear]"


@pytest.mark.cpu_only(reason="which casts it pays to repeat is a matter of the device's figures")
def test_what_is_decided_is_told() -> None:
    x, w = flow.randn(512, 64), flow.randn(64, 64)
    program = flow.compile(lambda x, w: x.to(bf16) @ w.to(bf16))
    program(x, w)
    told = program.explain(x, w).why()
    assert told.count("no  cast in front of matmul: done for each tile it takes as long as moving 98.3 kB") == 2, told
    assert told.count("yes cast in front of matmul") == 1, told


@pytest.mark.cpu_only(reason="which casts it pays to repeat is a matter of the device's figures")
def test_a_weight_that_many_tiles_would_cast_is_cast_before() -> None:
    graph = same_bits(product(bf16), flow.randn(1000, 40), flow.randn(600, 40), flow.randn(600))
    assert [node.op.name for node in graph.nodes if isinstance(node, Compute)].count("cast") == 3
    graph = same_bits(lambda x, w: [x.to(bf16) @ w.to(bf16)], flow.randn(8, 400), flow.randn(400, 600))
    (node,) = [node for node in graph.nodes if isinstance(node, FusedProduct)]
    assert list(node.loaded) == [1]  # one row of tiles, which casts the weight once; five columns


def test_what_others_read_stays() -> None:
    x, w = flow.randn(20, 40), flow.randn(40, 24)

    def program(x: Any, w: Any) -> Any:
        half = w.to(bf16)
        return [x.to(bf16) @ half, half]

    assert names(same_bits(program, x, w)) == ["fused[cast, matmul]"]
    graph = same_bits(lambda x, w: [x.to(bf16) @ w.to(bf16) + w.to(bf16).sum()], x, w)
    assert names(graph) == ["fused[cast, matmul, add]"]


def test_a_product_with_itself() -> None:
    graph = same_bits(lambda x: [x.to(bf16) @ x.to(bf16).t()], flow.randn(20, 40))
    assert names(graph) == ["fused[cast, cast, matmul]"] and not graph.computes()


def test_a_sum_of_nothing() -> None:
    graph = same_bits(lambda x, w: [x.to(bf16)[:, :0] @ w.to(bf16)[:0]], flow.randn(20, 40), flow.randn(40, 24))
    assert names(graph) == ["fused[cast, cast, matmul]"]


def test_a_matrix_and_a_vector_have_none() -> None:
    assert not names(same_bits(lambda x, v: [x.to(bf16) @ v.to(bf16)], flow.randn(20, 40), flow.randn(40)))


def test_what_changes_zeros_or_is_dear_stays() -> None:
    x, w = flow.randn(20, 40), flow.randn(40, 24)
    for change in (flow.exp, lambda x: x + 1, lambda x: x * 1e300, lambda x: x / 0, lambda x: x * w.sum(), flow.tanh):
        assert not names(optimized(lambda x, w: [change(x) @ w], x, w))  # noqa: B023


def test_float64_stays() -> None:
    x, w = flow.randn(20, 40, dtype=flow.float64), flow.randn(40, 24)
    assert not names(same_bits(lambda x, w: [x.to(fp32) @ w, flow.relu(x) @ w.to(flow.float64)], x, w))


def test_chains() -> None:
    x, w = flow.randn(20, 40), flow.randn(40, 24)
    graph = same_bits(lambda x, w: [(flow.relu(x) * 0.3).to(bf16) @ (-w / 7).to(bf16)], x, w)
    assert names(graph) == ["fused[relu, scalar_mul, cast, negative, scalar_div, cast, matmul]"]


def test_what_is_there_only_for_a_cast_is_not_kept() -> None:
    """A large value, made in the forward and read in it and in the backward."""

    def program(x: Any, w: Any) -> Any:
        y = F.layer_norm(x, (40,))
        half = flow.cat([y, y]).to(bf16)
        return [half @ w, half.t() @ half]

    assert not names(same_bits(program, flow.randn(20, 40), flow.randn(40, 24, dtype=bf16)))


def test_the_function_reads_as_if_written_by_hand() -> None:
    def lines(program: Program, x: Any) -> list[str]:
        (node,) = [node for node in optimized(program, x).nodes if isinstance(node, FusedProduct)]
        return [line.strip() for line in inspect.getsource(node.loaded[0].function().fn).splitlines()[1:]]

    w = flow.randn(40, 24, dtype=bf16)
    assert lines(lambda x: [x.to(bf16) @ w], flow.randn(20, 40)) == [
        "def prologue_cast(x):", "x_0 = cast(x, tl.bfloat16)", "return x_0",
    ]  # fmt: skip
    assert lines(lambda x: [(flow.relu(x) * 0.5) @ w], flow.randn(20, 40, dtype=bf16)) == [
        "def prologue_relu_scalar_mul(x):", "x = cast(x, tl.float32)", "x_0 = cast(cast(relu(x), tl.bfloat16), tl.float32)",
        "x_1 = cast(mul(x_0, 0.5), tl.bfloat16)", "return x_1",
    ]  # fmt: skip


# ------------------------------------------------------------------------------------------------------- any product


@pytest.mark.usefixtures("always")
def test_a_sum_in_parts() -> None:
    x, w, b = flow.randn(8, 9000), flow.randn(16, 9000), flow.randn(16)
    graph = same_bits(product(bf16), x, w, b)
    assert names(graph) == ["fused[cast, cast, cast, linear]"]
    assert Executable(graph, x.device).launches == 2


@pytest.mark.usefixtures("always")
def test_views_of_what_is_cast() -> None:
    """Transposed, cut, broadcast; of a tensor that is itself a view."""
    x, w = flow.randn(3, 40, 20).transpose(1, 2), flow.randn(30, 40)

    def program(x: Any, w: Any) -> Any:
        half, v = x.to(bf16), w.to(bf16)
        return [half @ v.t().expand(3, 40, 30), v[4:10, 3:23] @ v[:, 3:23].t(), half @ v.view(40, 30).expand(3, 40, 30)]

    graph = same_bits(program, x, w)
    assert names(graph) == ["fused[cast, cast, matmul]"] * 3 and not graph.computes()


def images(groups: int = 1, channels: int = 4) -> Any:
    return flow.randn(2, channels, 9, 7), flow.randn(8, channels // groups, 3, 3), flow.randn(8)


@pytest.mark.sampled(most=2)
@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("channels", (4, 32))
@pytest.mark.parametrize("groups", (1, 2))
@pytest.mark.parametrize("stride", (1, 2))
def test_convolutions(channels: int, groups: int, stride: int) -> None:
    x, w, b = images(groups, channels)

    def program(x: Any, w: Any, b: Any) -> Any:
        leaves = [t.detach().requires_grad_() for t in (x, w, b)]
        half = [t.to(bf16) for t in leaves]
        y = F.relu(F.conv2d(*half, padding=1, stride=stride, groups=groups))
        return [y.detach(), *flow.autograd.grad(y, leaves, flow.ones_like(y))]

    forward, backward, weight = names(same_bits(program, x, w, b))
    assert forward.startswith("fused[cast, cast, cast, conv2d, relu") and backward.startswith("fused[cast, conv_data_grad, ")
    assert weight == "fused[cast, conv_filter_grad, cast]"


@pytest.mark.sampled
@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("batch", (2, 9))
@pytest.mark.parametrize("kernel", (1, 3))
@pytest.mark.parametrize("channels", (4, 24))
def test_the_gradient_of_a_filter_casts_both(batch: int, kernel: int, channels: int) -> None:
    """Also where the batch is summed in parts."""
    x, dy = flow.randn(batch, channels, 9, 8), flow.randn(batch, 6, 10 - kernel, 9 - kernel)

    def program(x: Any, dy: Any) -> Any:
        geometry = ((6, channels, kernel, kernel), (1, 1), (0, 0), (1, 1), 1)
        return [_C.conv_filter_grad(flow.relu(dy * 0.5).to(bf16), x.to(bf16), *geometry)]

    assert names(same_bits(program, x, dy)) == ["fused[scalar_mul, relu, cast, cast, conv_filter_grad]"]


@pytest.mark.usefixtures("always")
def test_convolutions_of_one_pixel_and_in_depth() -> None:
    x, w = flow.randn(2, 20, 5, 5), flow.randn(6, 20, 1, 1)
    assert names(same_bits(lambda x, w: [F.conv2d(x.to(bf16), w.to(bf16))], x, w)) == ["fused[cast, cast, conv2d]"]
    x, w = flow.randn(2, 4, 5, 5), flow.randn(4, 1, 3, 3)
    assert not names(same_bits(lambda x, w: [F.conv2d(x.to(bf16), w.to(bf16), groups=4)], x, w))


CHAINS: list[Program] = [
    lambda x: x, flow.relu, lambda x: x * 0.37, lambda x: -x, lambda x: flow.relu(x / 3).square(), lambda x: x.abs(),
]  # fmt: skip


@st.composite
def cases(draw: Any) -> Any:
    batch = draw(st.lists(st.integers(1, 3), max_size=2))
    m, n, k = (draw(st.integers(2, 70)) for _ in range(3))
    chains, transposed = ([draw(st.sampled_from(kind)) for _ in range(2)] for kind in (CHAINS, (False, True)))
    loaded, half = draw(st.sampled_from((fp32, bf16, fp16))), draw(st.sampled_from((fp32, bf16, fp16)))
    return batch, (m, n, k), chains, transposed, (loaded, half), draw(st.booleans())


@pytest.mark.long  # kernels are compiled for every example
@pytest.mark.usefixtures("always")
@settings(max_examples=60, deadline=None)
@given(cases())
def test_anything(case: Any) -> None:
    batch, (m, n, k), chains, transposed, (loaded, half), batched = case
    flow.manual_seed(m)
    shapes = [(*batch, m, k), (*(batch if batched else ()), k, n)]
    inputs = [flow.randn(*s[:-2], *(s[:-3:-1] if t else s[-2:]), dtype=loaded) for s, t in zip(shapes, transposed)]

    def program(*inputs: Any) -> Any:
        a, b = (chain(x).to(half) for chain, x in zip(chains, inputs))
        a, b = (x.transpose(-1, -2) if t else x for x, t in zip((a, b), transposed))
        y = a @ b
        return [y, flow.tanh(y)]

    same_bits(program, *inputs)


# -------------------------------------------------------------------------------------------------------------- steps


class Step(Train):
    """A step in mixed precision."""

    def __init__(self, net: Any, prologues: bool = True) -> None:
        super().__init__(net, flow.optim.SGD(net.parameters(), lr=0.1, momentum=0.9))
        self.config.enable_amp(dtype=bf16)
        self.config.allow_fuse_prologues(prologues)

    def build(self, x: Any, target: Any) -> Any:
        y = self.net(x).float()
        loss = F.cross_entropy(y, target) if target.dtype is flow.int64 else ((y - target) ** 2).mean()
        loss.backward()
        return loss

    @property
    def captured(self) -> Any:
        (captured,) = self._captured.captures()
        return captured


def mlp() -> Any:
    return nn.Sequential(nn.Linear(20, 30), nn.ReLU(), nn.Linear(30, 30), nn.ReLU(), nn.Linear(30, 4))


MODELS: dict[str, Any] = {
    "mlp": (mlp, lambda: (flow.randn(8, 20), flow.randint(0, 4, (8,)))),
    "cnn": (cnn, lambda: (flow.randn(8, 1, 12, 12), flow.randint(0, 4, (8,)))),
    "resnet": (ResNet, lambda: (flow.randn(8, 1, 12, 12), flow.randint(0, 4, (8,)))),
    "block": (lambda: Block(64, 4, p=0.0), lambda: (flow.randn(8, 16, 64), flow.randn(8, 16, 64))),
    "gpt": (lambda: GPT(layers=2), lambda: (flow.randint(0, 20, (4, 16)), flow.randint(0, 20, (64,)))),
}
SAVED = {"mlp": 7, "cnn": 4, "resnet": 5, "block": 1, "gpt": 13}  # launches; more where weights are small


@pytest.mark.parametrize("name", [pytest.param(x, marks=[pytest.mark.long] if x in ("resnet", "cnn") else []) for x in MODELS])
@pytest.mark.sampled(most=1)
def test_a_step_in_mixed_precision(name: str) -> None:
    """Bit for bit the step without prologues, in fewer launches."""
    make, batch = MODELS[name]
    flow.manual_seed(0)
    x, target = batch()
    found = []
    for prologues in (True, False):
        flow.manual_seed(1)
        step = Step(make(), prologues)
        losses = [step(x, target).item() for _ in range(4)]
        parameters = [flow.to_torch(p.detach()).cpu() for p in step.net.parameters()]
        found.append((losses, parameters, step.captured.executable.launches))
    (losses, parameters, launches), (plain_losses, plain, plain_launches) = found
    assert losses == plain_losses
    assert all(map(torch.equal, parameters, plain))
    saved = plain_launches - launches
    assert saved == SAVED[name] if where.device == "cpu" else saved > 0


def test_transposes_are_no_copies() -> None:
    """A linear layer's weight gradient reads both operands as they lie, attention's heads are views of one product's result."""
    step = Step(mlp())
    step(flow.randn(8, 20), flow.randint(0, 4, (8,)))
    assert "contiguous_copy" not in str(step.captured.graph)

    class Attention(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.qkv = nn.Linear(32, 96)

        def forward(self, x: Any) -> Any:
            q, k, v = self.qkv(x).view(2, 8, 3, 4, 8).permute(2, 0, 3, 1, 4).unbind(0)
            return (flow.softmax(q @ k.transpose(-1, -2), -1) @ v).flatten(1)

    step = Step(Attention())
    step(flow.randn(2, 8, 32), flow.randn(2, 256))
    text = str(step.captured.graph)
    assert "cat(" not in text
    assert text.count("contiguous_copy") <= 2, text  # of what was cut into three: the keys' gradient, and all put together again


# -------------------------------------------------------------------------------------------------------------- on GPUs


@pytest.mark.usefixtures("gpu")
def test_a_gpu_casts_before_what_many_tiles_load() -> None:
    for rows, taken in ((256, True), (8192, False)):
        with Capture() as capture:
            x, w = (capture.input(on_gpu(t)) for t in (flow.empty(rows, 512, dtype=bf16), flow.empty(2048, 512)))
            graph = optimize(capture.finish([F.linear(x, w.to(bf16))]))
        assert names(graph) == (["fused[cast, linear]"] if taken else [])


@pytest.mark.usefixtures("gpu")
@pytest.mark.parametrize("arch", (pytest.param(80, marks=pytest.mark.long), 90))
def test_generated_kernels_compile_for_gpus(arch: int) -> None:
    def image(x: Any, w: Any, b: Any) -> Any:
        return [F.relu(F.conv2d(x.to(fp16), w.to(fp16), b.to(fp16), padding=1))]

    def weight(dy: Any, x: Any, w: Any) -> Any:
        return [_C.conv_filter_grad(dy.to(fp16), x.to(fp16), w.shape, (1, 1), (1, 1), (1, 1), 1).to(fp32) + w * 0.1]

    long = (flow.randn(8, 9000), flow.randn(16, 9000), flow.randn(16))
    wide = (flow.randn(256, 512), flow.randn(256, 512), flow.randn(256))
    cases = ((product(bf16), long), (product(fp16), wide), (image, images()), (image, images(channels=64)))
    filters = [(flow.randn(2, 8, 9, 7), flow.randn(2, c, 9, 7), flow.randn(8, c, 3, 3)) for c in (4, 64)]
    cases += tuple([(weight, each) for each in filters])
    for program, inputs in cases:
        with Capture() as capture:
            graph = optimize(capture.finish(list(program(*[capture.input(on_gpu(x)) for x in inputs]))))
        (node,) = [node for node in graph.nodes if isinstance(node, FusedProduct)]
        assert node.name().startswith("fused[cast, cast, ")
        plan = node.plan()
        for launch in plan.launches:
            kernel, _ = specialise(plan, launch, Compiler(arch))  # type: ignore[arg-type]
            assert kernel.asm["cubin"]  # type: ignore[attr-defined]
            assert kernel.metadata.shared <= 163 << 10  # type: ignore[attr-defined]; what an A100's program may have
