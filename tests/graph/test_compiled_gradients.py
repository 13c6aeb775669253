"""What flow.compile returns has a history: parts of models train, with eager mode's gradients."""

from __future__ import annotations

import copy
import pickle
import threading
from collections.abc import Callable
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tests import where
from tests.profiler.test_profile import counts
from tritonflow import nn
from tritonflow.errors import AutogradError, CaptureError, VersionError
from tritonflow.graph.capture.pytree import flatten
from tritonflow.nn.graph import GraphModule
from tritonflow.profiler import profile

F = nn.functional


def bits(tensor: Any) -> Any:
    return None if tensor is None else tensor.detach().numpy().tobytes()


def encoder() -> Any:
    flow.manual_seed(0)
    return nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.BatchNorm1d(4), nn.Dropout(0.5), nn.Linear(4, 3))


def net() -> Any:
    flow.manual_seed(0)
    return nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 3))


def data() -> Any:
    return flow.arange(12.0).reshape(4, 3) / 7 - 0.8


def second_programs(compiled: Any) -> int:
    return sum(captured.backward is not None for captured in compiled.captures())


def test_part_of_a_model_trains() -> None:
    """Parameters, buffers and random numbers over steps of a compiled encoder behind an eager layer, before an eager head."""

    def train(wrap: Callable[[Any], Any]) -> list[Any]:
        flow.manual_seed(1)
        stem, head, body = nn.Linear(3, 3), nn.Linear(3, 1), encoder()
        part = wrap(body)
        parameters = [p for module in (stem, head, body) for p in module.parameters()]
        optimizer = flow.optim.SGD(parameters, lr=0.1, momentum=0.9)
        scaler = flow.amp.GradScaler(where.device, init_scale=8.0)
        found = []
        for _ in range(3):
            optimizer.zero_grad()
            loss = (head(part(stem(data()))) ** 2).mean()
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(parameters, 0.5)
            scaler.step(optimizer)
            scaler.update()
            found += [bits(loss), *map(bits, body.state_dict().values()), *[bits(p.grad) for p in parameters]]
        return found

    compiled = []
    wrap = lambda module: compiled.append(flow.compile(module)) or compiled[0]
    assert train(wrap) == train(lambda module: module)
    assert len(compiled[0].captures()) == 1


@pytest.mark.parametrize("leaf", (False, True))
@pytest.mark.parametrize(
    "program",
    (
        lambda x, w: x @ w,
        lambda x, w: (x @ w).relu().t(),
        lambda x, w: F.softmax(x.t().exp() @ x, -1)[1:],
        lambda x, w: {"a": ((x @ w).exp(), 3), "b": [x, w, x.argmax(1), x.t(), None]},
        lambda x, w: (w[0] * x, w[1:].t()),
        lambda x, w: (x.detach() @ w).split(2),
    ),
)
def test_results_of_every_kind(program: Any, leaf: bool) -> None:
    flow.manual_seed(2)
    w = flow.randn(3, 3).requires_grad_()
    f = flow.compile(lambda x: program(x, w))

    def gradients(run: Any) -> list[Any]:
        x = data().requires_grad_()
        results: list[Any] = []
        flatten(run(x if leaf else x * 2), results, [])
        floats = [result for result in results if result.requires_grad]
        w.grad = None
        sum((result * (k + 2)).sum() for k, result in enumerate(floats)).backward()
        return [len(floats), bits(x.grad), bits(w.grad)]

    expected = gradients(lambda x: program(x, w))
    assert gradients(f) == gradients(f) == expected


def test_results_that_backward_does_not_meet() -> None:
    f = flow.compile(lambda x: (x.exp(), x.sin(), x * 2))
    x = data().requires_grad_()
    f(x)[1].sum().backward()
    assert bits(x.grad) == bits(x.detach().cos())


def test_several_calls_before_a_backward_and_no_second_one() -> None:
    body = net()
    f = flow.compile(body)

    def gradients(run: Any, retain: bool) -> list[Any]:
        body.zero_grad()
        first, second = run(data()), run(data() * 2)
        loss = (first.exp() * second).sum()
        loss.backward(retain_graph=retain)
        if retain:
            loss.backward()
        with pytest.raises(AutogradError, match="has been released"):
            first.sum().backward()
        return [bits(p.grad) for p in body.parameters()]

    for retain in (False, True):
        assert gradients(f, retain) == gradients(body, retain)
    assert len(f.captures()) == 1


def test_without_gradients_there_is_no_second_program() -> None:
    body = net()
    f = flow.compile(body)
    with flow.no_grad():
        assert not f(data()).requires_grad
    assert second_programs(f) == 0
    assert f(data()).requires_grad and second_programs(f) == 1
    body.eval()
    assert f(data()).requires_grad
    body.requires_grad_(False)
    assert not f(data()).requires_grad


def test_the_backward_is_compiled_when_it_is_called() -> None:
    f = flow.compile(net())
    y = f(data())
    program = f.captures()[0].backward.compiled
    assert program._executable is None
    y.sum().backward()
    assert program._executable is not None


def test_frozen_parameters_are_captured_again() -> None:
    body = net()
    f = flow.compile(body)
    for frozen in (False, True, False):
        body[0].weight.requires_grad_(not frozen)
        body.zero_grad()
        f(data()).sum().backward()
        assert (body[0].weight.grad is None) is frozen and body[0].bias.grad is not None
    assert len(f.captures()) <= 3


@pytest.mark.filterwarnings("ignore:.*is not compiled, but runs in eager mode:UserWarning")
def test_a_buffer_that_comes_to_require_grad() -> None:
    scale = flow.ones(3)
    f = flow.compile(lambda x: x * scale)
    assert not f(data()).requires_grad
    w = flow.ones(3, requires_grad=True)
    scale.mul_(w)
    f(data()).sum().backward()
    assert bits(w.grad) == bits(data().sum(0))


def test_tied_parameters() -> None:
    body = nn.Sequential(nn.Linear(3, 3), nn.ReLU(), nn.Linear(3, 3))
    body[2].weight = body[0].weight
    f = flow.compile(body)

    def gradients(run: Any) -> list[Any]:
        body.zero_grad()
        for _ in range(2):
            run(data()).exp().sum().backward()
        return [bits(p.grad) for p in body.parameters()]

    assert gradients(f) == gradients(body) and len(gradients(f)) == 3


def test_inputs_written_in_place() -> None:
    def program(x: Any) -> Any:
        x.mul_(2)
        x[1:] = x[:-1].exp()
        return x.sum()

    def gradients(run: Any) -> Any:
        x = data().requires_grad_()
        y = x * 1
        (run(y) + (y * 3).sum()).backward()
        return x.grad, y.detach()

    for a, b in zip(gradients(flow.compile(program)), gradients(program)):
        flow.testing.assert_close(a, b)


def test_eager_tensors_that_are_written_have_the_history() -> None:
    def gradients(wrap: Any) -> list[Any]:
        total, w = flow.zeros(3), flow.ones(3, requires_grad=True)
        run = wrap(lambda x: [total.add_((x * w).sum(0)), None][1])
        for k in (1, 2, 3):
            run(data() * k)
        (total**2).sum().backward()
        return [total.detach(), w.grad]

    for a, b in zip(gradients(flow.compile), gradients(lambda f: f)):
        flow.testing.assert_close(a, b)


def test_written_between_forward_and_backward() -> None:
    body = net()
    f = flow.compile(body)
    y = f(data())
    with flow.no_grad():
        body[2].weight.mul_(2)
    with pytest.raises(VersionError, match="modified by an inplace operation.*CompiledFunctionBackward, is at version"):
        y.sum().backward()
    y = flow.compile(lambda x: x.exp())(data().requires_grad_())
    y.mul_(2)
    with pytest.raises(VersionError, match="modified by an inplace operation"):
        y.sum().backward()
    x = data().requires_grad_()
    with pytest.raises(VersionError):  # eager mode says so in backward, too
        flow.compile(lambda x: x.exp().add_(1))(x).sum().backward()


def test_twice_differentiated() -> None:
    x = data().requires_grad_()
    y = flow.compile(lambda x: x**3)(x)
    with pytest.raises(AutogradError, match="create_graph=True: the backward of a compiled function"):
        flow.autograd.grad(y.sum(), x, create_graph=True)

    def penalty(x: Any) -> Any:
        return flow.autograd.grad((x**3).sum(), x, create_graph=True)[0].pow(2).sum()

    flow.compile(penalty)(x).backward()
    flow.testing.assert_close(x.grad, 36 * x.detach() ** 3)


def test_hooks() -> None:
    body = net()

    def gradients(run: Any, inside: bool) -> list[Any]:
        seen: list[Any] = []
        x = data().requires_grad_()
        y = x * 1
        y.retain_grad()
        handle = body[0].weight.register_hook(lambda g: seen.append(bits(g)) or g * 2)
        body.zero_grad()
        z = run(y)
        z.register_hook(lambda g: g * 5)
        z.retain_grad()
        z.exp().sum().backward()
        handle.remove()
        return [*seen, bits(y.grad), bits(z.grad), bits(x.grad), *[bits(p.grad) for p in body.parameters()]]

    def program(x: Any) -> Any:
        h = body[0](x)
        h.register_hook(lambda g: g * 3)
        y = body[2](h)
        y.retain_grad()
        return y

    assert gradients(flow.compile(body), False) == gradients(body, False)
    assert gradients(flow.compile(program), True) == gradients(program, True)


def test_gradients_of_results_in_the_middle() -> None:
    weight = flow.ones(2, requires_grad=True)

    @flow.compile
    def step(x: Any) -> Any:
        hidden = x * weight * 2
        return hidden, (hidden * hidden).sum()

    seen: list[Any] = []
    asks: list[Any] = [
        lambda hidden, loss: hidden.register_hook(seen.append),
        lambda hidden, loss: hidden.retain_grad(),
        lambda hidden, loss: flow.autograd.grad(loss, hidden, allow_unused=True),
    ]
    for ask in asks:
        hidden, loss = step(flow.ones(2))
        with pytest.raises(AutogradError, match=r"only the function knows that part"):
            ask(hidden, loss)
            loss.backward()
        assert weight.grad is None and hidden.grad is None and not seen
        hidden, loss = step(flow.ones(2))
        assert flow.autograd.grad(hidden.sum() * 3, hidden)[0].tolist() == [3.0, 3.0]
    hidden, loss = step(flow.ones(2))
    loss.register_hook(lambda grad: seen.append(grad.item()))
    hidden.register_hook(lambda grad: None) and hidden.sum().backward(retain_graph=True)
    assert weight.grad.tolist() == [2.0, 2.0] and not seen


def test_functions_of_the_users() -> None:
    class Cube(flow.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x * x * x

        @staticmethod
        def backward(ctx: Any, dy: Any) -> Any:
            (x,) = ctx.saved_tensors
            return dy * x * 7

    class Broken(Cube):
        @staticmethod
        def backward(ctx: Any, dy: Any) -> Any:
            return dy * dy.sum().item()

    x = data().requires_grad_()
    flow.compile(Cube.apply)(x * 1).sum().backward()
    assert bits(x.grad) == bits(x.detach() * 7)
    x.grad = None
    with pytest.warns(UserWarning, match="value of a tensor"):
        y = flow.compile(Broken.apply)(x)
    y.sum().backward()
    assert bits(y) == bits(x.detach() * x * x) and bits(x.grad) == bits(flow.full_like(x, x.numel()))
    with pytest.raises(CaptureError, match="value of a tensor"):
        flow.compile(Broken.apply, fullgraph=True)(x)


def test_autocast() -> None:
    body = net()
    f = flow.compile(body)

    def gradients(run: Any) -> list[Any]:
        body.zero_grad()
        with flow.autocast(where.device, flow.bfloat16):
            y = run(data())
        y.float().exp().sum().backward()
        return [y.dtype, bits(y.float()), *[bits(p.grad) for p in body.parameters()]]

    assert gradients(f) == gradients(body)


def test_checkpointing() -> None:
    body = encoder()
    plain, marked = flow.compile(body), flow.compile(body)

    def gradients(run: Any) -> list[Any]:
        body.zero_grad()
        flow.manual_seed(7)
        x = data().requires_grad_()
        run(x).exp().sum().backward()
        return [bits(x.grad), *[bits(p.grad) for p in body.parameters()]]

    expected = gradients(plain)
    body.to(GraphModule).activation_checkpointing = True
    assert gradients(marked) == expected
    saved = [len(f.captures()[0].before.outputs) for f in (marked, plain)]
    assert saved[0] < saved[1]


def test_backward_inside() -> None:
    body = net()
    f = flow.compile(lambda x: (body(x).sum().backward(), body[0].weight.grad, body(x))[1:])
    grad, y = f(data())
    assert body[0].weight.grad is grad and not grad.requires_grad
    first = bits(grad)
    body.zero_grad()
    y.sum().backward()
    assert bits(body[0].weight.grad) == first

    def step(x: Any) -> Any:
        loss = (body(x) ** 2).sum()
        loss.backward()
        return loss, body[0].weight.grad

    loss, _ = flow.compile(step)(data())
    with pytest.raises(AutogradError, match="has been released"):
        loss.backward()
    with pytest.raises(CaptureError, match="an input that was computed outside"):
        flow.compile(step, fullgraph=True)(data().requires_grad_() * 2)


def test_backward_through_a_call_from_another_capture() -> None:
    y = flow.compile(net())(data())
    with pytest.raises(CaptureError, match="a call of a compiled function that was made outside"):
        flow.compile(lambda x: (y * x).sum().backward(retain_graph=True), fullgraph=True)(data())


@pytest.mark.filterwarnings("ignore:.*is not compiled, but runs in eager mode:UserWarning")
def test_leaves_made_inside() -> None:
    x = flow.compile(lambda x: x.detach().requires_grad_())(data())
    assert x.requires_grad and x.is_leaf

    def both(x: Any) -> Any:
        y = x.detach().requires_grad_()
        return y, y * 2

    def gradient(f: Any) -> Any:
        y, z = f(data())
        z.sum().backward()
        return bits(y.grad)

    assert gradient(flow.compile(both)) == gradient(both)


def test_graphs_have_no_gradients_and_inline_compiled_functions() -> None:
    body = net()
    f = flow.compile(body)

    class Eval(nn.Graph):
        def __init__(self) -> None:
            super().__init__()
            self.body = body

        def build(self, x: Any) -> Any:
            return f(x)

    assert not Eval()(data().requires_grad_()).requires_grad and f.captures() == []
    flow.compile(lambda x: f(x) * 2)(data()).sum().backward()
    assert body[0].weight.grad is not None and f.captures() == []


def test_methods_copies_and_threads() -> None:
    body = net()
    f = flow.compile(body)
    f(data())
    gradients = []
    for run in (body, f, copy.deepcopy(f), pickle.loads(pickle.dumps(f))):
        run.zero_grad()
        thread = threading.Thread(target=lambda run, x: run(x).exp().sum().backward(), args=(run, data()))
        thread.start()
        thread.join()
        gradients.append([bits(p.grad) for p in run.parameters()])
    assert all(each == gradients[0] for each in gradients)


def test_anomalies() -> None:
    x, f = flow.zeros(4, 3, requires_grad=True), flow.compile(lambda x: x.sqrt() * 0)
    assert f(x).shape == (4, 3)
    with flow.autograd.set_detect_anomaly(True):
        y = f(x)  # in eager mode, so that the error names the op
        with pytest.raises(RuntimeError, match="sqrt_backward.*nan values"):
            y.sum().backward()


def test_explanation_and_profile() -> None:
    f = flow.compile(net())
    with profile() as prof:
        f(data()).sum().backward()
    assert counts(prof, "instruction")["graph"] == 2
    explanation = f.explain()
    assert explanation.backward is not None and f"backward on {where.device}" in str(explanation)
    assert "Sequential, backward" in explanation.backward.to_html()
    assert "saved for backward" in repr(f)


def test_values_of_states_before_they_are_written() -> None:
    """As results, and as what the backward reads."""
    total = flow.zeros(4, 3)

    def program(x: Any) -> Any:
        old = total.clone()
        y = old * x
        total.add_(1)
        return old, y

    f = flow.compile(program)
    for k in range(3):
        x = data().requires_grad_()
        old, y = f(x)
        y.sum().backward()
        assert bits(old) == bits(x.grad) == bits(flow.full((4, 3), float(k)))
    numpy.testing.assert_array_equal(total.numpy(), 3.0)


def test_a_result_without_a_backward_leaves_others_theirs() -> None:
    """What one result has saved is written behind it. Eager mode raises where that result is differentiated, and there alone."""
    w = flow.nn.Parameter(flow.tensor([1.0, -0.5, 2.0]))

    def function(x: Any) -> Any:
        doubled, absolute = w * 2, w.abs()
        with flow.no_grad():
            w[0] = x[0]
        return doubled, absolute, doubled * x, absolute + doubled

    f = flow.compile(function, fullgraph=True)
    for number in range(4):
        for run in (function, f):
            w.grad = None
            result = run(flow.tensor([3.0, 1.0, 2.0]))[number]
            if number in (1, 3):
                with pytest.raises(VersionError, match="is an input of abs_backward"):
                    result.sum().backward()
            else:
                result.sum().backward()
                assert w.grad.tolist() == ([2.0, 2.0, 2.0] if number == 0 else [6.0, 2.0, 4.0])


@pytest.mark.parametrize("mode", [flow.no_grad, flow.enable_grad])
def test_a_view_of_what_was_written_has_its_history(mode: Any) -> None:
    w = flow.nn.Parameter(flow.ones(3))

    def function(x: Any) -> Any:
        early = w[1:]
        with flow.no_grad():
            w.mul_(0.5)
        return early, w[:2]

    with mode():
        found = [[each.requires_grad for each in run(flow.ones(1))] for run in (function, flow.compile(function, fullgraph=True))]
    assert found[0] == found[1]


@pytest.mark.parametrize("dynamic", [None, True])
def test_a_result_without_a_gradient_adds_nothing(dynamic: bool | None) -> None:
    """Zeros times a derivative that is not finite are NaN, and what was not asked for has not even zeros."""
    w = flow.nn.Parameter(flow.tensor([0.0, 1.0, 4.0]))

    def function(x: Any) -> Any:
        product = x * w
        running = product.cumsum(0)
        running[1] = product[0]
        return product.sqrt(), running, flow.cat([product.log(), running]), w * 2

    f = flow.compile(function, fullgraph=True, dynamic=dynamic)
    for rows in (1, 3, 2, 1, 4):
        for wanted in ((1,), (3,), (1, 3), (0, 1), (1,), (2, 3), (0, 1, 2, 3)):
            found = []
            for run in (function, f):
                w.grad, x = None, flow.full((rows, 3), 0.5).requires_grad_()
                results = run(x if rows > 1 else x[0])
                sum(results[number].sum() for number in wanted).backward()
                found.append(repr([x.grad, w.grad]))
            assert found[0] == found[1], (rows, wanted)


def test_what_a_result_without_a_gradient_has_saved_may_be_written() -> None:
    x, w = flow.ones(3), flow.nn.Parameter(flow.ones(3))
    f = flow.compile(lambda x: (w * x, (w * 2).exp()), fullgraph=True)
    for _ in range(2):
        first, second = f(x)
        second.mul_(2)
        first.sum().backward()
        with pytest.raises(VersionError):
            f(x)[1].mul_(2).sum().backward()


def test_a_gradient_that_fails_is_no_missing_gradient() -> None:
    """`allow_unused` is for what a result does not depend on: the error of a backward is raised, as in eager mode."""

    def both(x: flow.Tensor, y: flow.Tensor) -> tuple[flow.Tensor, flow.Tensor]:
        return flow.linalg.qr(x, mode="complete")[0], y * 2

    compiled, x, y = flow.compile(both), flow.randn(4, 2).requires_grad_(), flow.randn(3).requires_grad_()
    for function in (both, compiled, compiled):
        q, z = function(x, y)
        with pytest.raises(RuntimeError, match="not differentiable when mode='complete'"):
            flow.autograd.grad(q.sum(), x, allow_unused=True)
        assert flow.autograd.grad(q.sum(), y, allow_unused=True) == (None,)
        assert flow.autograd.grad(z.sum(), x, allow_unused=True) == (None,)
        assert flow.autograd.grad(z.sum(), y)[0].tolist() == [2, 2, 2]
