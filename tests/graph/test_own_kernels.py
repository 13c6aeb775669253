"""Launches of users' kernels in captures: the numbers of eager launches, in the order of the program."""

from __future__ import annotations

import threading
from typing import Any

import numpy
import pytest
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

import tritonflow as flow
from tests import where
from tritonflow import nn

pytestmark = pytest.mark.skipif(where.is_stand_in(), reason="Triton has no driver for the stand-in; tests/device/test_launch.py has its launches")


@triton.jit
def axpy(x, n, y, a, out, BLOCK: tl.constexpr, TWICE: tl.constexpr = False, bias=None):  # type: ignore[no-untyped-def]
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = a * tl.load(x + i, mask=i < n) + tl.load(y + i, mask=i < n)
    if bias is not None:
        value += tl.load(bias)
    if TWICE:
        value *= 2
    tl.store(out + i, value, mask=i < n)


@triton.jit
def add_one(x, n, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def]
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + i, tl.load(x + i, mask=i < n) + 1, mask=i < n)


@triton.jit
def with_pair(x, pair, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def]
    i = tl.arange(0, BLOCK)
    tl.store(x + i, tl.load(x + i) * pair[0] + pair[1])


def grid(meta: dict[str, Any]) -> tuple[int]:
    return (triton.cdiv(meta["n"], meta["BLOCK"]),)


def run_axpy(x: Any, y: Any, a: Any, **more: Any) -> Any:
    out = flow.empty_like(x)
    axpy[grid](x, x.numel(), y, a, out, BLOCK=64, **more)
    return out


@pytest.fixture
def operands() -> tuple[Any, Any]:
    return flow.randn(100), flow.randn(100)


def same(a: Any, b: Any) -> None:
    numpy.testing.assert_array_equal(a.numpy(), b.numpy())


def test_a_launch_between_ops(operands: Any, poison: None) -> None:
    def program(x: Any, y: Any, a: float) -> Any:
        return run_axpy(x.exp(), y, a) * 2

    compiled = flow.compile(program)
    for a in (1.5, -2.25):  # one graph for both
        same(compiled(*operands, a), program(*operands, a))
    rows = [row for row in compiled.explain().kernels if row.title.endswith(".axpy")]
    assert len(rows) == 1 and "test_own_kernels.py" in str(rows[0].lines)
    assert any("tl.store(out + i, value" in text for text in compiled.explain().sources.values())


def test_constants_and_what_is_absent(operands: Any, poison: None) -> None:
    for more in ({"TWICE": True}, {"bias": flow.ones(1)}, {"num_warps": 8, "TWICE": True}):
        program = flow.compile(lambda x, y, more=more: run_axpy(x, y, 3, **more))
        same(program(*operands), run_axpy(*operands, 3, **more))


def test_what_is_written_is_written_in_order(poison: None) -> None:
    def program(x: Any) -> Any:
        y = x * 2
        before = y.sum()
        add_one[1,](y[1], 4, BLOCK=4)  # a row of it
        add_one[1,](y, 3, BLOCK=4)  # a part of its memory
        return before, y, y.sum()

    x = flow.arange(12, dtype=flow.float32).reshape(3, 4)
    for got, wanted in zip(flow.compile(program)(x), program(x)):
        same(got, wanted)


def test_states_and_inputs_are_written(poison: None) -> None:
    state = flow.zeros(5)

    @flow.compile
    def program(x: Any) -> Any:
        add_one[1,](state, 5, BLOCK=8)
        add_one[1,](x, 5, BLOCK=8)
        return state + x

    x = flow.zeros(5)
    for turn in (1, 2, 3):
        assert program(x).tolist() == [2.0 * turn] * 5
        assert state.tolist() == x.tolist() == [turn] * 5
    version = x._version
    program(x)
    assert x._version > version


class Scaled(flow.autograd.Function):
    """3 x + x, by the kernel both ways."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return run_axpy(x, x, 3.0)

    @staticmethod
    def backward(ctx: Any, dy: Any) -> Any:
        return run_axpy(dy.contiguous(), dy.contiguous(), 3.0)


def test_a_training_step(poison: None) -> None:
    def made() -> tuple[Any, Any]:
        flow.manual_seed(0)
        layer = nn.Linear(8, 8)
        return layer, flow.optim.SGD(layer.parameters(), lr=0.01)

    def step(layer: Any, x: Any) -> Any:
        loss = Scaled.apply(layer(x)).square().mean()
        loss.backward()
        return loss

    eager, graphed = made(), made()

    class Step(nn.Graph):
        def __init__(self) -> None:
            super().__init__()
            self.layer = graphed[0]
            self.add_optimizer(graphed[1])

        def build(self, x: Any) -> Any:
            return step(self.layer, x)

    graph, x = Step(), flow.randn(4, 8)
    for _ in range(3):
        loss = step(eager[0], x)
        eager[1].step()
        eager[1].zero_grad()
        numpy.testing.assert_allclose(graph(x).numpy(), loss.detach().numpy(), rtol=1e-6)
    numpy.testing.assert_allclose(graphed[0].weight.detach().numpy(), eager[0].weight.detach().numpy(), rtol=1e-6)


def test_an_autotuner_measures_outside_of_the_capture(poison: None) -> None:
    configs = [triton.Config({"BLOCK": block}) for block in (32, 128)]
    tuned = triton.autotune(configs, key=["n"], do_bench=lambda call, quantiles: (call(), [1.0] * 3)[1])(add_one)

    def program(x: Any) -> Any:
        y = x * 2
        tuned[grid](y, 100)
        return y

    compiled = flow.compile(program)
    x = flow.ones(100)
    assert compiled(x).tolist() == [3.0] * 100
    assert sum(row.title.endswith(".add_one") for row in compiled.explain().kernels) == 1
    assert tuned.best_config in configs


def test_an_op_of_ones_own(operands: Any, poison: None) -> None:
    @flow.library.triton_op("tests::three_and_one", mutates_args=())
    def three_and_one(x: Any, y: Any) -> Any:
        out = flow.empty_like(x)
        flow.library.wrap_triton(axpy)[grid](x, x.numel(), y, 3.0, out, BLOCK=64)
        return out

    three_and_one.register_autograd(lambda ctx, dout: (dout * 3, dout))

    def program(x: Any, y: Any) -> Any:
        x = x.detach().requires_grad_()
        (three_and_one(x, y) * y).sum().backward()
        return three_and_one(x, y), x.grad

    compiled = flow.compile(program, fullgraph=True)
    for got, wanted in zip(compiled(*operands), program(*operands)):
        same(got.detach(), wanted.detach())
    explanation = compiled.explain()
    launches = [row for row in explanation.kernels if row.title == "tests::three_and_one.axpy"]
    calls = [line for row in launches for _, _, line in row.lines]
    assert calls and all("three_and_one(x, y)" in call for call in calls)  # the line that calls the op
    assert "def axpy(x, n, y" in explanation.sources[launches[0].sources[0]]
    assert "tests::three_and_one.axpy" in explanation.to_html() and "tests::three_and_one.axpy" in str(explanation)

    class Net(nn.Graph):
        def build(self, x: Any, y: Any) -> Any:
            return three_and_one(x, y)

    same(Net()(*operands), three_and_one(*operands))


def test_a_pointwise_op_of_ones_own_is_fused(operands: Any, poison: None) -> None:
    def formula(dy: Any, x: Any, beta: float) -> Any:
        return swish_backward(dy, x, beta)

    @flow.library.pointwise_op("tests::swish_backward", numbers=("beta",))
    @triton.jit
    def swish_backward(dy, x, beta):  # type: ignore[no-untyped-def]
        s = 1 / (1 + tl.exp(-beta * x))
        return dy * s * (1 + beta * x * (1 - s))

    @flow.library.pointwise_op("tests::swish", numbers=("beta",), derivative={"x": formula})
    @triton.jit
    def swish(x, beta):  # type: ignore[no-untyped-def]
        return x / (1 + tl.exp(-beta * x))

    def program(x: Any, y: Any) -> Any:
        x = x.detach().requires_grad_()
        z = swish(x * 2, 1.5) + y
        z.sum().backward()
        return z.detach(), x.grad

    x, y = operands
    compiled = flow.compile(program, fullgraph=True)
    inner = 2 * x.double()
    s = (1.5 * inner).sigmoid()
    expected = inner * s + y, 2 * s * (1 + 1.5 * inner * (1 - s))
    for run in (program, compiled):
        for got, wanted in zip(run(x, y), expected):
            numpy.testing.assert_allclose(got.numpy(), wanted.numpy(), rtol=1e-5, atol=1e-6)
    row = next(row for row in compiled.explain().kernels if "tests::swish" in row.title)
    assert "scalar_mul" in row.title and "add" in row.title  # its neighbours
    assert any("def swish(x, beta)" in compiled.explain().sources[name] for name in row.sources)
    with pytest.raises(RuntimeError, match="Trying to backward through tests::swish_backward but no autograd formula"):
        swish_backward(x.requires_grad_(), x, 1.0).sum().backward()
    x.requires_grad_(False)


def test_a_pointwise_op_of_ones_own_elsewhere(operands: Any) -> None:
    """Broadcast, promoted, by strides, on metas, under vmap and twice differentiated."""

    @flow.library.pointwise_op("tests::cubed_less", derivative={"x": lambda dy, x, y: dy * 3 * x * x, "y": lambda dy, x, y: -dy})
    @triton.jit
    def cubed_less(x, y):  # type: ignore[no-untyped-def]
        return x * x * x - y

    x, y = (t.reshape(10, 10) for t in operands)
    numpy.testing.assert_allclose(cubed_less(x.T, y[0]).numpy(), (x.T.double() ** 3 - y[0]).numpy(), rtol=1e-5, atol=1e-6)
    assert cubed_less(x, flow.arange(10)).dtype is flow.float32 and cubed_less(flow.arange(3), flow.ones(3, dtype=flow.int64)).tolist() == [-1, 0, 7]
    assert cubed_less(flow.empty(3, 1, device="meta"), flow.empty(4, device="meta")).shape == (3, 4)
    same(flow.vmap(cubed_less, (0, None))(x, y[0]), cubed_less(x, y[0]))
    a, b = (t[:2, :3].double().detach().requires_grad_() for t in (x, y))
    assert flow.autograd.gradcheck(cubed_less, (a, b[0])) and flow.autograd.gradgradcheck(cubed_less, (a, b[0]))
    is_large = flow.library.pointwise_op("tests::is_large", result="bool")(triton.jit(_larger_than_one))
    assert is_large(flow.tensor([0.5, 2.0])).tolist() == [False, True] and not is_large(a).requires_grad
    everywhere = flow.ones(4, placement=flow.placement("cpu", [0]), sbp=flow.sbp.split(0))
    assert cubed_less(everywhere, everywhere).sbp == (flow.sbp.split(0),)
    with pytest.raises(RuntimeError, match="Expected a value of type 'Tensor' for argument 'y'"):
        cubed_less(x, 1.0)
    with pytest.raises(RuntimeError, match="decorated with triton.jit"):
        flow.library.pointwise_op("tests::plain", lambda x: x)
    for wrong, numbers in ((_larger_than_one, ("b",)), (_with_constant, ())):
        with pytest.raises(RuntimeError, match="are tensors, at least one, and behind them the numbers .*, and no constexprs"):
            flow.library.pointwise_op("tests::plain", triton.jit(wrong), numbers=numbers)
    number = flow.library.pointwise_op("tests::number", triton.jit(_larger_than_one), derivative={"x": lambda dy, x: 2.0})
    with pytest.raises(RuntimeError, match="tests::number: the derivative of x gave a float; expected a Tensor"):
        number(flow.ones(2, requires_grad=True)).sum().backward()
    less = flow.library.pointwise_op("tests::less", triton.jit(_less), numbers=("by",))
    assert less(flow.ones(1)).item() == 0 and less(x=flow.ones(1), by=3).item() == -2
    with pytest.raises(RuntimeError, match="result is one of"):
        flow.library.pointwise_op("tests::plain", triton.jit(_larger_than_one), result="int")


def _less(x, by=1.0):  # type: ignore[no-untyped-def]
    return x - by


def _with_constant(x, C: tl.constexpr):  # type: ignore[no-untyped-def]
    return x + C


def _larger_than_one(x):  # type: ignore[no-untyped-def]
    return x > 1


def test_an_autotuner_resets_nothing_of_a_capture(poison: None) -> None:
    """Measured on other memory, so that what the program has in the operands stays."""
    configs = [triton.Config({"BLOCK": block}) for block in (32, 128)]
    seen: list[Any] = []

    def perf_model(**named: Any) -> float:
        seen.append(named["n"])
        return float(named["BLOCK"])

    bench = {"do_bench": lambda call, quantiles: (call(), call(), [1.0] * 3)[2], "prune_configs_by": {"perf_model": perf_model, "top_k": 1}}
    resetting = triton.autotune(configs, key=["n"], reset_to_zero=["x"], **bench)(add_one)
    restoring = triton.autotune(configs, key=["n"], restore_value=["x"], **bench)(add_one)
    heuristic = triton.heuristics({"BLOCK": lambda named: 64})(add_one)

    def program(tuned: Any, x: Any) -> Any:
        y = x * 2
        tuned[grid](y, 100)
        return y

    x = flow.ones(100)
    for tuned, first in ((resetting, 1.0), (restoring, 3.0), (heuristic, 3.0)):
        assert flow.compile(lambda x, tuned=tuned: program(tuned, x), fullgraph=True)(x).tolist() == [3.0] * 100
        if tuned is not heuristic:
            assert tuned.best_config is configs[0]
            tuned.cache.clear()
        assert program(tuned, x).tolist() == [first] * 100
    assert seen


@pytest.mark.filterwarnings("ignore:.*is not compiled")
def test_what_gradients_would_miss_is_refused(operands: Any) -> None:
    """A kernel's write has no derivative; autograd does not look into kernels."""
    leaf = operands[0].clone().requires_grad_()
    for run in (lambda f: f(leaf), lambda f: flow.compile(f)(leaf)):
        with pytest.raises(RuntimeError, match="a leaf Tensor that requires grad is being used in an in-place operation"):
            run(lambda x: add_one[1,](leaf, 4, BLOCK=4))
        with pytest.raises(RuntimeError, match="the kernel add_one writes a tensor that requires grad, and its derivative is not known"):
            run(lambda x: add_one[1,](leaf * 2, 4, BLOCK=4))
        with flow.no_grad():
            run(lambda x: add_one[1,](leaf, 4, BLOCK=4))
    same(leaf.detach()[:4], operands[0][:4] + 2)
    saved = leaf * 1
    loss = (saved[2:] * saved[2:]).sum()  # what a view's op saved
    add_one[1,](saved.detach(), 4, BLOCK=4)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()


def test_tensors_without_data(operands: Any) -> None:
    meta = flow.empty(100, device="meta")
    assert run_axpy(meta, meta, 1.0).is_meta  # as of any op
    triton.autotune([triton.Config({"BLOCK": b}) for b in (32, 64)], key=["n"])(add_one)[grid](meta, 100)
    with pytest.raises(RuntimeError, match="axpy: some tensors are on the meta device, and others are not, at .*test_own_kernels.py:"):
        run_axpy(meta, operands[0], 1.0)


def test_warmup_and_benchmarks() -> None:
    """By dtypes as by tensors."""
    assert add_one.warmup(flow.float32, 4, BLOCK=4, grid=(1,)).asm["ttir"]
    x = flow.zeros(4)
    assert add_one.warmup(x, 4, BLOCK=4, grid=(1,)) is not None and x.tolist() == [0.0] * 4
    assert triton.testing.do_bench(lambda: add_one[1,](x, 4, BLOCK=4), warmup=1, rep=1) > 0


def test_a_launch_that_fails_and_one_behind_it(operands: Any) -> None:
    x = operands[0].clone()
    version = x._version
    with pytest.raises(Exception, match="unknown_name"):
        broken[1,](x, BLOCK=4)
    add_one[1,](x, 4, BLOCK=4)
    same(x[:4], operands[0][:4] + 1)
    assert x._version == version + 1


@triton.jit
def broken(x, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def]
    tl.store(x + tl.arange(0, BLOCK), unknown_name)  # noqa: F821


def test_threads_launch_between_ops_of_others() -> None:
    """Each write is seen by what is issued later, whichever thread issues it."""
    shared = flow.zeros(4096)

    def work() -> None:
        for _ in range(25):
            with lock:
                shared.add_(1)
                add_one[(64,)](shared, 4096, BLOCK=64)

    lock = threading.Lock()
    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (shared == 150).all()


def test_what_a_capture_does_not_take(operands: Any) -> None:
    x, _ = operands
    with pytest.raises(RuntimeError, match="with_pair: argument pair is a tuple; a kernel that is captured takes tensors.*, at .*test_own_kernels.py:"):
        flow.compile(lambda x: with_pair[1,](x * 1, (2, 3), BLOCK=64), fullgraph=True)(x)
    with pytest.raises(RuntimeError, match="add_one: a capture knows no option debug.*, at .*test_own_kernels.py:"):
        flow.compile(lambda x: add_one[1,](x, 4, BLOCK=4, debug=True), fullgraph=True)(x)
    with pytest.raises(RuntimeError, match="needs the value of a tensor.*, at .*test_own_kernels.py:"):
        flow.compile(lambda x: add_one[1,](TensorDescriptor.from_tensor(x * 1, [4]), 4, BLOCK=4), fullgraph=True)(x)
    with_pair[1,](x, (0, 3), BLOCK=64)  # which Triton itself takes
    assert x[:64].tolist() == [3.0] * 64
