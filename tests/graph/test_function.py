"""flow.compile: the same results as eager mode, captured again only where it must be."""

from __future__ import annotations

import logging
import math
from collections import namedtuple
from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow
from tritonflow.errors import CaptureError
from tritonflow.testing import in_float64


def equal(a: Any, b: Any) -> None:
    numpy.testing.assert_array_equal(a.detach().numpy(), b.detach().numpy())


def captures(compiled: Any) -> int:
    return len(compiled.captures())


def test_structure_of_inputs_and_outputs() -> None:
    Pair = namedtuple("Pair", "left right")

    @flow.compile
    def f(batch: Any, *, flag: bool) -> Any:
        x, (y, nothing) = batch["x"], batch["more"]
        assert nothing is None and flag is True
        return {"sum": x + y, "pair": Pair(x, [y, 3, "text", None])}

    x, y = flow.randn(2, 3), flow.randn(2, 3)
    result = f({"x": x, "more": (y, None)}, flag=True)
    equal(result["sum"], x + y)
    assert isinstance(result["pair"], Pair) and result["pair"].right[1:] == [3, "text", None]
    equal(result["pair"].left, x)


def test_another_shape_is_captured_again_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    f = flow.compile(lambda x: flow.relu(x))
    with caplog.at_level(logging.INFO, "tritonflow.graph"):
        for n in (3, 3, 4, 3):
            x = flow.randn(n)
            equal(f(x), flow.relu(x))
    assert captures(f) == 2
    assert "shape=(3,)" in caplog.text and "shape=(4,)" in caplog.text


def test_the_log_says_what_changed(caplog: pytest.LogCaptureFixture) -> None:
    net = flow.nn.Dropout(0.0)
    f = flow.compile(lambda x, k=1: net(x) + 1 if k > 0 else net(x) - 1)
    x = flow.ones(3)

    def told(*args: Any) -> str:
        caplog.clear()
        with caplog.at_level(logging.INFO, "tritonflow.graph"):
            f(*args)
        return caplog.text

    assert "captured" not in told(x, 1)
    assert "a number that control flow used: True became False" in told(x, -1)
    net.eval()
    assert "the attribute 'training' of a module" in told(x, -1)
    assert "the structure of the inputs" in told(x)
    with flow.no_grad():
        assert "a mode around the call" in told(x)


def test_plain_averages_over_all_batches() -> None:
    net, reference = flow.nn.BatchNorm1d(4, momentum=None), torch.nn.BatchNorm1d(4, momentum=None).double()
    f = flow.compile(lambda x: net(x))
    for _ in range(3):
        x = flow.randn(8, 4)
        flow.testing.assert_close(f(x), in_float64(reference(flow.to_torch(x).cpu().double())))
    for name, buffer in reference.named_buffers():
        flow.testing.assert_close(getattr(net, name).cpu(), in_float64(buffer) if buffer.is_floating_point() else buffer)
    assert captures(f) == 1


def test_the_cache_is_bounded() -> None:
    f = flow.compile(lambda x: x + 1, dynamic=False)
    for n in range(1, 40):
        f(flow.ones(n))
    assert captures(f) <= 16


def test_numbers_are_given_anew() -> None:
    f = flow.compile(lambda x, k, n: x * k + (k - n) / 2)
    x = flow.randn(5)
    for k, n in ((2.0, 1), (-3.5, 7)):
        equal(f(x, k, n), x * k + (k - n) / 2)
    assert captures(f) == 1


@pytest.mark.filterwarnings("ignore:.*is not compiled, but runs in eager mode:UserWarning")
def test_numbers_are_what_they_are_in_eager_mode() -> None:
    def program(x: Any, n: Any, k: Any) -> Any:
        assert isinstance(n, float) and not isinstance(n, int) and isinstance(k, int) and not isinstance(k, (float, bool))
        return x.add(2 * x, alpha=k) if math.sqrt(n) > 1 else flow.pow(k, x)

    f = flow.compile(program)
    for n, k in ((4.0, 2), (9.0, 3), (0.25, 4)):
        equal(f(flow.arange(3), n, k), program(flow.arange(3), n, k))
    with pytest.raises(RuntimeError, match="alpha"):
        flow.compile(lambda x, alpha: x.add(x, alpha=alpha))(flow.arange(3), 0.5)
    equal(flow.compile(lambda x, n: x**n)(flow.arange(3), 0.5), flow.arange(3) ** 0.5)


def test_control_flow_on_a_number_holds_for_that_number() -> None:
    f = flow.compile(lambda x, k: x + 1 if k > 2 else x - 1)
    x = flow.randn(5)
    for k in (1, 3, 1, 3):
        equal(f(x, k), x + 1 if k > 2 else x - 1)
    assert captures(f) == 2


def test_shapes_from_numbers() -> None:
    f = flow.compile(lambda x, n: x.reshape(n, -1).sum(0))
    x = flow.randn(12)
    for n in (3, 4):
        equal(f(x, n), x.reshape(n, -1).sum(0))


def test_in_place_and_views() -> None:
    def program(x: Any) -> Any:
        y = x.clone()
        y[1:, 0] += 2
        y.t()[2].mul_(y[0, 1])
        z = y.view(-1)
        z[::2] = 0.5
        x.add_(1)
        return y, z, x, y[0]

    x = flow.randn(4, 3)
    twin = x.clone()
    for a, b in zip((x, *flow.compile(program)(x)), (twin, *program(twin))):
        equal(a, b)


def test_inputs_are_written() -> None:
    def average(mean: Any, batch: Any) -> Any:
        mean.mul_(0.5).add_(batch["x"], alpha=0.5)
        batch["x"][0] = 7.0
        return mean * 2

    f = flow.compile(average)
    memory, twin = flow.zeros(3, 4), flow.zeros(3, 4)
    for _ in range(3):
        x = flow.randn(2, 3)
        a, b = {"x": x.clone()}, {"x": x.clone()}
        equal(f(memory[:, :2].t(), a), average(twin[:, :2].t(), b))
        equal(memory, twin)
        equal(a["x"], b["x"])
    assert captures(f) == 1
    with pytest.warns(UserWarning, match="shares memory with another argument or a parameter"):
        a, b = x.clone(), x.clone()
        equal(f(a, {"x": a}), average(b, {"x": b}))
        equal(a, b)
    with pytest.raises(CaptureError, match="shares memory with another argument or a parameter"):
        flow.compile(average, fullgraph=True)(x, {"x": x})
    with pytest.raises(RuntimeError, match="leaf"):
        f(flow.zeros(2, 3, requires_grad=True), {"x": x})


def test_gradients_of_inputs() -> None:
    def program(x: Any, w: Any) -> Any:
        loss = (x * w).sum() ** 2
        loss.backward()
        return x.grad, w.grad, x.requires_grad, w.requires_grad

    f = flow.compile(program)
    x, w = flow.randn(3, requires_grad=True), flow.randn(3)
    equal(f(x, w)[0], program(x.detach().requires_grad_(), w)[0])
    x.grad = None
    assert f(x, w)[1:] == (None, True, False) and x.grad is not None
    assert f(w, x)[2:] == (False, True)
    penalty = flow.compile(lambda x: flow.autograd.grad((x**3).sum(), x, create_graph=True)[0].pow(2).sum())
    equal(penalty(x), (9 * x**4).sum())


def test_outputs_are_new_tensors() -> None:
    f = flow.compile(lambda x: (x, x, x.t()))
    x = flow.randn(2, 2)
    a, b, c = f(x)
    a.zero_()
    equal(b, x)
    equal(c, x.t())
    first = f(x)[0]
    f(x)[0].zero_()
    equal(first, x)


def test_free_tensors_and_buffers_are_written_back() -> None:
    total = flow.zeros(3)

    @flow.compile
    def f(x: Any) -> Any:
        total.add_(x)
        return total * 2

    for k in range(1, 4):
        equal(f(flow.ones(3)), flow.full((3,), 2.0 * k))
    equal(total, flow.full((3,), 3.0))


def test_parameters_that_move_are_found() -> None:
    net = flow.nn.Linear(2, 2)
    f = flow.compile(net)
    x = flow.randn(3, 2)
    equal(f(x), net(x))
    net.weight.data = flow.randn(2, 2)
    equal(f(x), net(x))


def test_modes_of_a_module() -> None:
    net = flow.nn.Sequential(flow.nn.Linear(4, 4), flow.nn.Dropout(0.5), flow.nn.BatchNorm1d(4))
    f = flow.compile(net)
    x = flow.randn(6, 4)
    f(x)
    net.eval()
    equal(f(x), net(x))


def test_random_numbers_are_fresh_and_eager_modes() -> None:
    f = flow.compile(lambda x: flow.nn.functional.dropout(x, 0.5) + flow.rand(8))
    x = flow.ones(8)
    flow.manual_seed(3)
    graph = [f(x) for _ in range(3)]
    flow.manual_seed(3)
    for a in graph:
        equal(a, flow.nn.functional.dropout(x, 0.5) + flow.rand(8))
    assert not numpy.array_equal(graph[0].numpy(), graph[1].numpy())


def test_gradients_inside() -> None:
    w = flow.randn(3, requires_grad=True)

    def program(x: Any) -> Any:
        loss = ((x * w) ** 2).sum()
        return flow.autograd.grad(loss, [w])[0]

    x = flow.randn(3)
    equal(flow.compile(program)(x), program(x))
    assert w.grad is None


def test_eager_gradients_are_added_to() -> None:
    w = flow.randn(3, requires_grad=True)
    w.sum().backward()
    before = w.grad

    @flow.compile
    def f(x: Any) -> Any:
        (x * w).sum().backward()
        return w.grad

    result = f(flow.full((3,), 2.0))
    assert w.grad is before and result is before
    equal(before, flow.full((3,), 3.0))


@pytest.mark.parametrize(
    "look",
    (
        lambda x: x.item(), lambda x: x.numpy(), lambda x: x.tolist(), lambda x: float(x), lambda x: bool(x),
        lambda x: int(x), lambda x: x.data_ptr(), lambda x: x.storage_offset(), lambda x: flow.to_torch(x),
    ),
)  # fmt: skip
def test_the_value_of_a_tensor_is_not_known(look: Any) -> None:
    f = flow.compile(lambda x: look(x.sum()), fullgraph=True)
    with pytest.raises(CaptureError, match="while the lambda is captured as a graph, at .*. Return the tensor and look at it outside"):
        f(flow.ones(2))
    equal(flow.ones(2) + 1, flow.full((2,), 2.0))  # nothing is left switched on


def test_shapes_that_depend_on_data() -> None:
    for program in (flow.nonzero, lambda x: x[x > 0]):
        with pytest.raises(CaptureError, match="depends on the values"):
            flow.compile(program, fullgraph=True)(flow.ones(2))


def test_shapes_that_depend_on_tensors_beside_the_graph() -> None:
    mask, repeats = flow.tensor([True, False, True]), flow.tensor([1, 2, 0])
    program = lambda x: (x[mask], x.repeat_interleave(repeats, 0), mask.nonzero(), flow.masked_select(x.cos(), mask[:, None]))
    compiled = flow.compile(program)
    for number, program_count in enumerate((1, 1, 2, 3)):
        if number == 2:
            mask[1] = True
        if number == 3:
            repeats.add_(1)
        x = flow.randn(3, 2, requires_grad=True)
        for a, b in zip(compiled(x), program(x)):
            equal(a, b)
        equal(*(flow.autograd.grad(f(x)[1].square().sum(), x)[0] for f in (compiled, program)))
        assert captures(compiled) == program_count

    def writes(x: Any) -> Any:
        mask.logical_not_()
        return x[mask]

    with pytest.raises(CaptureError):
        flow.compile(writes, fullgraph=True)(flow.ones(3))
    weight = flow.ones(3, requires_grad=True)
    with pytest.raises(CaptureError, match="depends on the values"):
        flow.compile(lambda x: weight.nonzero() + x, fullgraph=True)(flow.ones(3))


def test_wrong_inputs_and_results() -> None:
    with pytest.raises(CaptureError, match="what the function returns or keeps has a object in it"):
        flow.compile(lambda x: object(), fullgraph=True)(flow.ones(1))
    with pytest.raises(TypeError, match="inputs must be"):
        flow.compile(lambda x: flow.ones(1), fullgraph=True)(iter([1]))
    with pytest.warns(UserWarning, match="what the function returns or keeps has a object in it"):
        assert type(flow.compile(lambda x: object())(flow.ones(1))) is object
    with pytest.warns(UserWarning, match="inputs must be"):
        equal(flow.compile(lambda x, y: x + next(y))(flow.ones(1), iter([2.0])), flow.full((1,), 3.0))
    with pytest.raises(TypeError, match="callable"):
        flow.compile(3)


def test_bad_indices_raise_in_every_run() -> None:
    f = flow.compile(lambda x, i: x[i] + 1)
    x = flow.randn(4)
    with pytest.raises(IndexError):
        f(x, flow.tensor([0, 7]))
        flow.sync()
    i = flow.tensor([0, 3])
    equal(f(x, i), x[i] + 1)


def test_graphs_do_not_nest_but_compiled_functions_do() -> None:
    inner = flow.compile(lambda x: x + 1)
    outer = flow.compile(lambda x: inner(x) * 2)
    x = flow.randn(2)
    equal(outer(x), (x + 1) * 2)
    assert captures(inner) == 0


def test_tensors_that_the_function_keeps_are_those_of_each_run() -> None:
    kept: list[Any] = []

    @flow.compile(fullgraph=True)
    def f(x: Any) -> Any:
        kept.append((x, x * 2))
        return x + 1

    given = [flow.full((2,), float(k)) for k in range(3)]
    for x in given:
        f(x)
    assert [x for x, _ in kept] == given and [y.tolist() for _, y in kept] == [[0.0, 0.0], [2.0, 2.0], [4.0, 4.0]]
    assert captures(f) == 1
    equal(flow.compile(lambda y: y + kept[1][0], fullgraph=True)(flow.ones(2)), flow.full((2,), 2.0))


def test_the_text_of_a_tensor_is_made_in_eager_mode() -> None:
    for look in (repr, str, lambda x: " ".join(map(str, [x, x]))):
        with pytest.warns(UserWarning, match="needs the value of a tensor"):
            assert flow.compile(look)(flow.ones(2)) == look(flow.ones(2))
        with pytest.raises(CaptureError, match="needs the value of a tensor"):
            flow.compile(look, fullgraph=True)(flow.ones(2))


@pytest.mark.filterwarnings("ignore:.*is not compiled, but runs in eager mode:UserWarning")
def test_a_function_without_tensors() -> None:
    f = flow.compile(lambda n: {"n": n + 1, "module": flow.nn.Identity()})
    for n in (1, 2):
        assert f(n)["n"] == n + 1 and isinstance(f(n)["module"], flow.nn.Identity)


def test_writes_behind_masks_are_captured() -> None:
    def clipped(x: Any) -> Any:
        y = x * 2
        y[y > 1] = 1.0
        y[:, flow.tensor([True, False])] = x.sum()
        return y

    x = flow.randn(5, 2)
    assert (flow.compile(clipped)(x) == clipped(x)).all()


def test_checks_of_numbers_that_a_captured_function_holds() -> None:
    """What an op refuses by the numbers of a tensor is not read in a capture, also where the tensor is no input."""
    target, std, offsets = flow.tensor([0.0, 1.0]), flow.ones(2), flow.tensor([0, 1])

    @flow.compile
    def f(x: flow.Tensor, table: flow.Tensor) -> tuple[flow.Tensor, ...]:
        drawn = flow.normal(0.0, std), flow.multinomial(std, 1)
        bags = flow.nn.functional.embedding_bag(flow.tensor([0, 1, 1]), table, offsets, mode="sum")
        return flow.nn.functional.binary_cross_entropy(x, target), bags, *drawn

    table = flow.tensor([[1.0], [2.0]])
    loss, bags, noise, category = f(flow.tensor([0.5, 0.5]), table)
    assert abs(loss.item() - 0.6931472) < 1e-6 and bags.tolist() == [[1.0], [4.0]]
    assert noise.shape == (2,) and category.item() in (0, 1)


def test_a_number_beyond_float32_is_infinite_as_in_eager_mode() -> None:
    for f in (lambda x: (1 - x) * -1e308, lambda x: x / 1e300, lambda x: x.clamp(max=1e300)):
        x = flow.tensor([0.0, 1.0, 3.0])
        assert repr(flow.compile(f)(x)) == repr(f(x))


def test_an_object_whose_module_python_does_not_know_is_made_again() -> None:
    names: dict[str, Any] = {"__name__": "unknown_module"}
    exec("class Pair:\n    def __init__(self, x):\n        self.x = x\n", names)
    f = flow.compile(lambda x: names["Pair"](x * 2), fullgraph=True)
    for k in (1.0, 2.0):
        assert f(flow.ones(1) * k).x.item() == 2.0 * k
    assert captures(f) == 1
