"""Attention spelled out: which spellings become one op forward and one backward, which stay, and that results are torch's."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from importlib import import_module
from math import inf, sqrt
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import tritonflow as flow
from tests import where
from tests.graph.test_fusion import optimized
from tritonflow import nn
from tritonflow.graph.plan.executable import Executable
from tritonflow.testing import assert_close, reference

F = nn.functional
fuse_attention = import_module("tritonflow.graph.passes.fuse_attention")
Program = Callable[..., Any]  # of a library (flow or torch), q, k, v, and masks
OPS = ["scaled_dot_product_attention", "attention_grad"]


@pytest.fixture
def any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """Attention is fused however small it is."""
    monkeypatch.setattr(fuse_attention, "pays", lambda attention: True)


def attention(m: Any, q: Any, k: Any, v: Any, scores: Callable[[Any], Any]) -> Any:
    """softmax(what `scores` makes of q k') v."""
    return m.softmax(scores(q @ k.transpose(-2, -1)), -1) @ v


def matrices(
    *batch: int, rows: int = 20, keys: int = 20, size: int = 16, dtype: Any = torch.float32
) -> list[torch.Tensor]:
    torch.manual_seed(0)
    return [torch.randn(*batch, n, size, dtype=dtype) for n in (rows, keys, keys)]


def trained(m: Any, program: Program) -> Program:
    """The program's result and the gradients of q, k and v."""

    def run(*tensors: Any) -> Any:
        leaves = [x.detach().requires_grad_() for x in tensors[:3]]
        y = program(m, *leaves, *tensors[3:])
        return [y, *m.autograd.grad(y, leaves, y.detach() * 2 + 1)]

    return run


def ops(graph: Any) -> list[str]:
    """The ops of attention in a graph."""
    return [op.op.name for node in graph.nodes for op in node.ops() if op.op.name in (*OPS, "softmax", "softmax_grad")]


class Wide:
    """torch, where programs that ask for float32 compute in float64."""

    float32 = torch.float64

    def __getattr__(self, name: str) -> Any:
        return getattr(torch, name)


def check(
    program: Program, *tensors: Any, expected: list[str] = OPS, wrap: Any = trained, exact: Program | None = None
) -> Any:
    """The graph, after a look at its ops, and at results and gradients beside those of torch in float64."""
    inputs = [flow.from_torch(x) for x in tensors]
    graph = optimized(wrap(flow, program), *inputs)
    assert ops(graph) == expected
    results = Executable(graph, inputs[0].device).run(inputs)
    roundings = float(tensors[0].shape[-1])  # a sum over a head is rounded as often
    expected_results = reference(wrap(Wide(), exact or program), *tensors, dtype=tensors[0].dtype, roundings=roundings)
    assert_close(results, expected_results, op_class="matmul", equal_nan=True)
    return graph


tril = torch.ones(24, 24).tril()
padding = torch.arange(20) < torch.tensor([[20], [13]])[:, None, None]  # (2, 1, 1, 20)

SPELLINGS: dict[str, tuple[Program, tuple[Any, ...]]] = {
    "plain": (lambda m, q, k, v: attention(m, q, k, v, lambda s: s), ()),
    "divided": (lambda m, q, k, v: attention(m, q, k, v, lambda s: s / sqrt(16)), ()),
    "multiplied": (lambda m, q, k, v: attention(m, q, k, v, lambda s: 0.3 * s), ()),
    "scaled in front": (lambda m, q, k, v: attention(m, q * 0.5, k * 0.25, v, lambda s: s), ()),
    "a constant tensor": (lambda m, q, k, v: attention(m, q, k, v, lambda s: s / m.full((), 4.0)), ()),
    "two factors": (lambda m, q, k, v: attention(m, q, k, v, lambda s: s * 0.3 / 0.7), ()),
    "added": (lambda m, q, k, v, x: attention(m, q, k, v, lambda s: s * 0.25 + x), (torch.randn(20, 20),)),
    "added from the left": (lambda m, q, k, v, x: attention(m, q, k, v, lambda s: x + s * 0.25), (torch.randn(3, 1, 20),)),
    "nanoGPT": (lambda m, q, k, v, x: attention(m, q, k, v, lambda s: (s * 0.25).masked_fill(x[:20, :20] == 0, -inf)), (tril,)),
    "a finite fill": (lambda m, q, k, v, x: attention(m, q, k, v, lambda s: (s / 4).masked_fill(~x, -1e9)), (padding,)),
    "a small fill": (lambda m, q, k, v, x: attention(m, q, k, v, lambda s: (s / 4).masked_fill(~x, -0.5)), (padding,)),
    "scaled behind": (lambda m, q, k, v, x: attention(m, q, k, v, lambda s: s.masked_fill(~x, -1e4) / 4), (padding,)),
    "two masks": (
        lambda m, q, k, v, x, y: attention(m, q, k, v, lambda s: s.masked_fill(x[:20, :20] == 0, -inf).masked_fill(~y, -inf)),
        (tril, padding),
    ),
    "where": (lambda m, q, k, v, x: attention(m, q, k, v, lambda s: m.where(x, s * 0.25, -inf)), (padding,)),
    "where not": (lambda m, q, k, v, x: attention(m, q, k, v, lambda s: m.where(~x, -1e9, s * 0.25)), (padding,)),
    "where, of tensors": (lambda m, q, k, v, x: attention(m, q, k, v, lambda s: m.where(x, s, m.full((), -1e9))), (padding,)),
    "computed causal": (
        lambda m, q, k, v: attention(m, q, k, v, lambda s: s.masked_fill(m.ones(20, 20).triu(1).bool(), -inf)), (),
    ),
    "in place": (lambda m, q, k, v, x: attention(m, q, k, v, lambda s: s.mul_(0.25).masked_fill_(~x, -inf)), (padding,)),
    "its own softmax dtype": (lambda m, q, k, v: m.softmax(q @ k.mT * 0.25, -1, dtype=m.float32) @ v, ()),
    "given transposed": (lambda m, q, k, v: (q.mT.contiguous().mT @ k.mT.contiguous() * 0.25).softmax(-1) @ v.mT.contiguous().mT, ()),
    "queries are keys": (lambda m, q, k, v: (q @ q.mT * 0.25).softmax(-1) @ v + k, ()),
}  # fmt: skip


@pytest.mark.usefixtures("any_size")
@pytest.mark.parametrize("name", SPELLINGS)
@pytest.mark.sampled(most=7)
def test_spellings(name: str) -> None:
    program, masks = SPELLINGS[name]
    check(program, *matrices(2, 3), *masks).verify()


@pytest.mark.usefixtures("any_size")
@pytest.mark.parametrize("batch", ((), (2,), (2, 3)))
def test_any_batch_and_sizes(batch: tuple[int, ...]) -> None:
    program, _ = SPELLINGS["divided"]
    check(program, *matrices(*batch, rows=5, keys=70, size=24))


@pytest.mark.usefixtures("any_size")
def test_heads_that_share_keys_and_values() -> None:
    q, k, v = matrices(2, 3)
    check(SPELLINGS["divided"][0], q, k[:, :1].contiguous(), v[:, :1].contiguous())


@pytest.mark.usefixtures("any_size")
def test_values_of_another_width() -> None:
    q, k, v = matrices(2, 3)
    check(SPELLINGS["divided"][0], q, k, v[..., :5].contiguous())


@pytest.mark.usefixtures("any_size")
@pytest.mark.parametrize("dtype", (torch.float64, torch.bfloat16, torch.float16))
def test_dtypes(dtype: Any) -> None:
    q, k, v = matrices(2, 3, dtype=dtype)
    check(lambda m, q, k, v: attention(m, q, k, v, lambda s: s * 0.25), q, k, v)
    upcast = lambda m, q, k, v: m.softmax(q @ k.mT / 4, -1, dtype=m.float32).to(q.dtype) @ v
    if dtype is not torch.float64:
        check(upcast, q, k, v)


@pytest.mark.usefixtures("any_size")
def test_under_autocast() -> None:
    """The kernel rounds less often than the ops: it is no farther from float32 than torch is."""
    program, masks = SPELLINGS["nanoGPT"]
    tensors = [*matrices(2, 3), *masks]

    def cast(m: Any, *tensors: Any) -> Any:
        with m.autocast("cpu" if m is torch else where.device, m.bfloat16):
            return program(m, *tensors)

    graph = optimized(trained(flow, cast), *map(flow.from_torch, tensors))
    assert ops(graph) == OPS
    actual = Executable(graph, flow.device(where.device)).run([flow.from_torch(x) for x in tensors])
    for ours, theirs, exact in zip(actual, trained(torch, cast)(*tensors), trained(torch, program)(*tensors)):
        assert flow.to_torch(ours).dtype is theirs.dtype
        assert (flow.to_torch(ours).cpu() - exact).norm() <= 1.05 * (theirs - exact).norm()


@pytest.mark.usefixtures("any_size")
def test_forward_alone() -> None:
    program, masks = SPELLINGS["nanoGPT"]
    check(program, *matrices(2, 3), *masks, expected=OPS[:1], wrap=lambda m, program: lambda *x: [program(m, *x)])


@pytest.mark.usefixtures("any_size")
@pytest.mark.parametrize("fill", (-inf, -1e9, torch.finfo(torch.float32).min, -2.0))
def test_rows_without_keys(fill: float) -> None:
    allowed = torch.rand(2, 1, 20, 20) > 0.3
    allowed[0, :, 4] = allowed[1, :, 11] = False
    tensors = matrices(2, 3)
    check(lambda m, q, k, v, x: attention(m, q, k, v, lambda s: (s / 4).masked_fill(~x, fill)), *tensors, allowed)
    if fill < -3:
        added = torch.zeros(allowed.shape).masked_fill(~allowed, fill)

        def absorbed(s: Any, x: Any) -> Any:
            """s / 4 + x as float32 has it, whose sums with the fill are the fill."""
            return torch.where(x == 0, s / 4, s / 4 - (s / 4).detach() + x)

        check(
            lambda m, q, k, v, x: attention(m, q, k, v, lambda s: s / 4 + x), *tensors, added,
            exact=lambda m, q, k, v, x: attention(m, q, k, v, lambda s: absorbed(s, x)),
        )  # fmt: skip


def _hooked(m: Any, q: Any, k: Any, v: Any) -> Any:
    weights = m.softmax(q @ k.mT / 4, -1)
    weights.register_hook(lambda grad: grad * 2)
    return weights @ v


def _twice(m: Any, q: Any, k: Any, v: Any) -> Any:
    weights = m.softmax(q @ k.mT / 4, -1)
    return weights @ v + weights @ (v * v)


def _learned(m: Any, q: Any, k: Any, v: Any) -> Any:
    bias = (q + k)[..., :1].mT
    return m.softmax(q @ k.mT / 4 + bias, -1) @ v


STAYS: dict[str, Program] = {
    "weights that are read elsewhere": lambda m, q, k, v: (w := m.softmax(q @ k.mT / 4, -1)) @ v + w[..., :1],
    "weights that are hooked": _hooked,
    "weights for two values": _twice,
    "scores that are read elsewhere": lambda m, q, k, v: m.softmax(s := q @ k.mT, -1) @ v + s.sum(),
    "a mask that wants a gradient": _learned,
    "a scale that is a tensor": lambda m, q, k, v: m.softmax(q @ k.mT * v[0, 0, 0, 0], -1) @ v,
    "columns": lambda m, q, k, v: m.softmax(q @ k.mT, -2) @ v,
    "another function": lambda m, q, k, v: m.softmax(m.tanh(q @ k.mT), -1) @ v,
    "a function of the weights": lambda m, q, k, v: m.softmax(q @ k.mT, -1).square() @ v,
    "a mask that is added to a masked one": lambda m, q, k, v: m.softmax((q @ k.mT).masked_fill(k.mT[..., :1, :] > 0, -9.0) + v.detach()[..., :1], -1) @ v,
    "weights from the right": lambda m, q, k, v: (v.mT @ m.softmax(q @ k.mT, -1)).mT,
    "no softmax": lambda m, q, k, v: m.exp(q @ k.mT / 8) @ v,
    "a gradient that is not wanted": lambda m, q, k, v: m.softmax(q.detach() @ k.mT / 4, -1) @ v + q,
}  # fmt: skip


@pytest.mark.usefixtures("any_size")
@pytest.mark.parametrize("name", STAYS)
@pytest.mark.sampled(most=5)
def test_what_stays(name: str) -> None:
    softmax = [] if name == "no softmax" else ["softmax", "softmax_grad"]
    check(STAYS[name], *matrices(2, 3), expected=softmax)


@pytest.mark.usefixtures("any_size")
def test_weights_that_are_returned_stay() -> None:
    tensors = [flow.from_torch(x) for x in matrices(2, 3)]

    def returned(q: Any, k: Any, v: Any) -> Any:
        weights = F.softmax(q @ k.mT, -1)
        return weights, weights @ v

    assert ops(optimized(returned, *tensors)) == ["softmax"]


@pytest.mark.usefixtures("any_size")
def test_a_scale_of_each_run_stays_one() -> None:
    tensors = matrices(2, 3)
    program = flow.compile(lambda q, k, v, scale: F.softmax(q @ k.mT * scale, -1) @ v)
    for scale in (0.5, 0.25):
        expected = reference(lambda q, k, v, scale=scale: torch.softmax(q @ k.mT * scale, -1) @ v, *tensors)
        assert_close(flow.to_torch(program(*map(flow.from_torch, tensors), scale)), expected, op_class="matmul")


@pytest.mark.usefixtures("any_size")
def test_what_the_kernels_do_not_take_stays() -> None:
    divided, masked = SPELLINGS["divided"][0], SPELLINGS["where"]
    check(divided, *matrices(1, 2, rows=3, keys=3, size=257), expected=["softmax", "softmax_grad"])
    check(divided, *matrices(1, 2, 2), expected=["softmax", "softmax_grad"])
    check(masked[0], *matrices(2, 3, dtype=torch.float64), *masked[1], expected=["softmax", "softmax_grad"])


@pytest.mark.parametrize(
    ("keys", "batch", "masked", "fused"),
    [(64, 16, True, 0), (128, 16, True, 2), (128, 16, False, 0), (256, 16, False, 2)],
)
def test_it_is_done_where_it_pays(keys: int, batch: int, masked: bool, fused: int) -> None:
    tensors = [
        flow.from_torch(x) for x in (*matrices(batch, rows=keys, keys=keys, size=8), torch.ones(keys, keys).tril())
    ]

    def program(m: Any, q: Any, k: Any, v: Any, x: Any) -> Any:
        return attention(m, q, k, v, lambda s: s.masked_fill(x == 0, -inf) if masked else s * 0.5)

    found = ops(optimized(trained(flow, program), *tensors))
    assert found == (OPS if fused else ["softmax", "softmax_grad"])


class SelfAttention(nn.Module):
    """As in nanoGPT."""

    def __init__(self, d: int, heads: int, length: int, p: float) -> None:
        super().__init__()
        self.drop = nn.Dropout(p)
        self.heads, self.qkv, self.out = heads, nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.register_buffer("bias", flow.tril(flow.ones(length, length)).view(1, 1, length, length))

    def forward(self, x: Any) -> Any:
        b, t, d = x.shape
        q, k, v = (y.view(b, t, self.heads, d // self.heads).transpose(1, 2) for y in self.qkv(x).split(d, 2))
        scores = (q @ k.transpose(-2, -1)) * (1.0 / sqrt(k.shape[-1]))
        scores = scores.masked_fill(self.bias[:, :, :t, :t] == 0, float("-inf"))
        y = self.drop(F.softmax(scores, dim=-1)) @ v
        return self.out(y.transpose(1, 2).contiguous().view(b, t, d))


class Block(nn.Module):
    def __init__(self, d: int = 32, heads: int = 4, length: int = 160, p: float = 0.0) -> None:
        super().__init__()
        self.norm1, self.norm2, self.attention = nn.LayerNorm(d), nn.LayerNorm(d), SelfAttention(d, heads, length, p)
        self.up, self.down = nn.Linear(d, 2 * d), nn.Linear(2 * d, d)

    def forward(self, x: Any) -> Any:
        x = x + self.attention(self.norm1(x))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class Train(nn.Graph):
    def __init__(self, net: Any, fuse: bool = True) -> None:
        super().__init__()
        self.net = net
        self.add_optimizer(flow.optim.SGD(net.parameters(), lr=0.1, momentum=0.9))
        self.config.allow_fuse_attention(fuse)

    def build(self, x: Any, target: Any) -> Any:
        loss = ((self.net(x) - target) ** 2).mean()
        loss.backward()
        return loss

    @property
    def captured(self) -> Any:
        """The latest."""
        return self._captured.captures()[-1]

    @property
    def executable(self) -> Any:
        """Of the latest."""
        return self.captured.executable


def batches(count: int, length: int = 150) -> list[tuple[Any, Any]]:
    flow.manual_seed(2)
    return [(flow.randn(4, length, 32), flow.randn(4, length, 32)) for _ in range(count)]


def in_eager_mode(net: Any, data: Any) -> list[float]:
    optimizer, losses = flow.optim.SGD(net.parameters(), lr=0.1, momentum=0.9), []
    for x, target in data:
        optimizer.zero_grad()
        loss = ((net(x) - target) ** 2).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


@pytest.mark.parametrize("checkpointing", (False, True))
@pytest.mark.sampled(most=1)
def test_a_block_trains_as_in_eager_mode(checkpointing: bool) -> None:
    flow.manual_seed(0)
    net = nn.Sequential(Block(), Block())
    twin, data = deepcopy(net), batches(20)
    if checkpointing:
        net[0].to(nn.graph.GraphModule).activation_checkpointing = True
    graph = Train(net)
    actual = flow.tensor([graph(*batch).item() for batch in data])
    found = [op.op.name for node in graph.captured.graph.nodes for op in node.ops()]
    assert found.count("attention_grad") == 2 and "softmax" not in found
    assert found.count("scaled_dot_product_attention") == (3 if checkpointing else 2)
    assert_close(actual, flow.tensor(in_eager_mode(twin, data)), op_class="norm")


def test_launches_and_memory() -> None:
    flow.manual_seed(0)
    net, data = Block(), batches(2)
    plain, fused = Train(deepcopy(net), fuse=False), Train(deepcopy(net))
    for batch in data:
        assert_close(fused(*batch), plain(*batch), op_class="norm")
    assert fused.executable.launches < plain.executable.launches
    scores = 4 * 4 * 150 * 150 * 4  # bytes
    assert fused.executable.arena_bytes <= plain.executable.arena_bytes - scores
    with pytest.raises(TypeError, match=r"allow_fuse_attention\(\): mode must be True or False"):
        fused.config.allow_fuse_attention(1)


def test_explanation() -> None:
    graph = Train(Block())
    for batch in batches(2):
        graph(*batch)
    text = str(graph.explain())
    assert "scaled_dot_product_attention" in text and "attention_grad" in text


MASKS = (tril[:20, :20], torch.arange(20) < 13, torch.arange(1200).view(3, 20, 20) % 7 > 1)
STEP: dict[str, Callable[..., Any]] = {
    "mul": lambda m, s, x: s * 0.5,
    "div": lambda m, s, x: s / 3.0,
    "negative": lambda m, s, x: s * -1,
    "fill": lambda m, s, x: s.masked_fill(x == 0, -1e9),
    "fill with nothing": lambda m, s, x: s.masked_fill(x == 0, -inf),
    "where": lambda m, s, x: m.where(x == 0, -inf, s),
    "where a few": lambda m, s, x: m.where(x > 0, s, -1.5),
    "add": lambda m, s, x: s + x,
    "tanh": lambda m, s, x: m.tanh(s),
    "turn": lambda m, s, x: s.mT,
    "read": lambda m, s, x: s + 0 * s.sum(),
}
chains = st.lists(st.tuples(st.sampled_from(sorted(STEP)), st.integers(0, 2)), max_size=4)


@pytest.mark.long  # a graph is compiled for every example
@settings(max_examples=150, deadline=None)
@given(chains, st.lists(st.booleans(), min_size=3, max_size=3), st.sampled_from((1.0, -1.0)))
def test_any_chain(chain: list[tuple[str, int]], turned: list[bool], sign: float) -> None:
    """Whatever is recognised, results and gradients are torch's, NaN where it has NaN."""
    tensors = [x.mT.contiguous().mT if turn else x for x, turn in zip(matrices(2, 3), turned)]
    tensors[2] = tensors[2] * sign
    masks = [x.float() for x in MASKS]

    def program(m: Any, q: Any, k: Any, v: Any, *masks: Any) -> Any:
        scores = q @ k.mT * 0.25
        for name, mask in chain:
            scores = STEP[name](m, scores, masks[mask])
        return m.softmax(scores, -1) @ v

    inputs = [flow.from_torch(x) for x in (*tensors, *masks)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fuse_attention, "pays", lambda attention: True)
        graph = optimized(trained(flow, program), *inputs)
    results = Executable(graph, inputs[0].device).run(inputs)
    expected = reference(trained(torch, program), *tensors, *masks)
    assert_close(results, expected, op_class="matmul", equal_nan=True)


def test_what_is_not_taken_is_told() -> None:
    q, k, v = (flow.randn(2, 4, 16, 8) for _ in range(3))
    program = flow.compile(lambda q, k, v: flow.softmax(q @ k.transpose(-2, -1), -1) @ v)
    program(q, k, v)
    assert "no  matmul behind matmul: as attention this would be slower" in program.explain(q, k, v).why()
