"""Programs for many sizes: one capture serves all sizes of a kind, and each program is the one that its own sizes would have got."""

from __future__ import annotations

import copy
import logging
import random
import threading
from collections import Counter
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tests.graph.models import MODELS, Model
from tritonflow import nn
from tritonflow.errors import PinnedSizeError
from tritonflow.graph.api import attempts, compiled_graph, sized_graph
from tritonflow.graph.ir.concrete import concrete
from tritonflow.graph.ir.numbers import Numbers, Outcomes
from tritonflow.graph.passes import optimize
from tritonflow.graph.plan.memory import plan_memory
from tritonflow.graph.plan.schedule import schedule_of
from tritonflow.testing import assert_close

F = nn.functional


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of functions, each time that their Python is captured."""
    found: list[str] = []
    original = attempts.capture

    def capture(function: Any, *rest: Any) -> Any:
        found.append(function.name)
        return original(function, *rest)

    monkeypatch.setattr("tritonflow.graph.api.function.capture", capture)
    return found


@pytest.fixture
def without_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs have eager mode's bits before the passes."""
    for room in (compiled_graph, sized_graph):
        monkeypatch.setattr(room, "optimize", lambda graph, *_: graph)


def same(actual: Any, expected: Any) -> None:
    if isinstance(expected, (tuple, list)):
        assert len(actual) == len(expected)
        for a, b in zip(actual, expected):
            same(a, b)
    elif isinstance(expected, flow.Tensor):
        assert actual.shape == expected.shape and actual.dtype is expected.dtype
        numpy.testing.assert_array_equal(actual.detach().numpy(), expected.detach().numpy())
    else:
        assert type(actual) is type(expected) and actual == expected, (actual, expected)


def check(function: Any, calls: list[tuple[Any, ...]], **options: Any) -> Any:
    """Compare a compiled function with eager mode in calls of several sizes; returns it."""
    f = flow.compile(function, fullgraph=True, **options)
    for args in calls:
        given, again = copy.deepcopy(args), copy.deepcopy(args)
        same(f(*given), function(*again))
        same(list(given), list(again))
    return f


def rows(*sizes: int, cols: int = 4) -> list[tuple[Any, ...]]:
    return [(flow.randn(n, cols),) for n in sizes]


SIZES = (3, 5, 7, 16, 2, 64, 5, 33)


# ------------------------------------------------------------------------------------------------- how often Python runs


def test_the_first_call_is_for_its_sizes_and_the_second_for_all(counted: list[str]) -> None:
    f = check(lambda x: flow.relu(x) * 2, rows(*SIZES))
    assert len(counted) == 2 and len(f.captures()) == len(set(SIZES))


def test_dynamic_serves_all_sizes_from_the_first_call_on(counted: list[str], without_passes: None) -> None:
    check(lambda x: flow.relu(x).sum(1), rows(*SIZES, cols=8) + rows(4, 9, cols=7), dynamic=True)
    assert len(counted) == 1


def test_not_dynamic_captures_each_size(counted: list[str]) -> None:
    check(lambda x: flow.relu(x) * 2, rows(3, 5, 7, 3), dynamic=False)
    assert len(counted) == 3


def test_sizes_that_differ_are_symbols_and_others_stay(counted: list[str]) -> None:
    f = check(lambda x: (x * 2).reshape(-1), [(flow.randn(n, m),) for n, m in ((4, 3), (5, 3), (6, 3), (6, 4), (9, 8))])
    assert len(counted) == 3
    (family,) = f.programs._families.values()
    assert [len(template._dimensions.symbols) for template in family.templates] == [2, 1]


def test_a_graph_serves_many_sizes(counted: list[str]) -> None:
    class Square(nn.Graph):
        def build(self, x: Any) -> Any:
            return x * x

    graph = Square()
    for (x,) in rows(*SIZES):
        same(graph(x), x * x)
    assert len(counted) == 2


def test_oneflows_decorator(counted: list[str]) -> None:
    @nn.Graph.with_dynamic_input_shape(size=3)
    class Square(nn.Graph):
        def build(self, x: Any) -> Any:
            return x * x

    graph = Square()
    for (x,) in rows(*SIZES):
        same(graph(x), x * x)
    assert len(counted) == 1 and len(graph._captured.captures()) == 3
    with pytest.raises(ValueError, match="size must be positive"):
        nn.Graph.with_dynamic_input_shape(size=0)


def test_options_are_checked() -> None:
    with pytest.raises(TypeError, match="argument 'dynamic' must be None, True or False, not int"):
        flow.compile(lambda x: x, dynamic=1)


# ------------------------------------------------------------------------------------------------- what programs do with sizes


@pytest.mark.usefixtures("without_passes")
@pytest.mark.parametrize(
    "function",
    [
        lambda x: x.mean(0) + x.shape[0],
        lambda x: x.sum() / x.shape[0] - x.numel() * 0.5,
        lambda x: x.view(x.shape[0], 2, -1).transpose(0, 1).reshape(2, -1),
        lambda x: flow.cat([x, x[1:], flow.zeros(x.shape[0], 4)]),
        lambda x: x[-1] + x[x.shape[0] // 2] + x[: x.shape[0] - 1].sum(0),
        lambda x: flow.arange(x.shape[0], dtype=flow.float32).unsqueeze(1) * x,
        lambda x: x @ x.T,
        lambda x: x.softmax(0).cumsum(0),
        lambda x: (x.shape, x.size(0) * 2 + 1, x.stride(), x.shape[0] > 4, [x.shape[0] % 3]),
        lambda x: x.expand(2, *x.shape).permute(2, 0, 1).contiguous(),
        lambda x: flow.stack(x.chunk(2, 1)).flip(1).roll(1, 1),
        lambda x: x.topk(2, 0).values + x.sort(0).values[:2],
        lambda x: F.pad(x, (1, 2, 0, 3)).std(1),
        lambda x: x.t().unfold(1, 2, 1).sum(-1),
        lambda x: flow.tril(x @ x.T) + flow.eye(x.shape[0]),
        lambda x: x.narrow(0, 1, x.shape[0] - 1).repeat(2, 1),
        lambda x: flow.full((x.shape[0] + 1, 2), x.shape[0]) + flow.tensor([x.shape[0], 1.5]),
        lambda x: x * x.shape[0] ** -0.5 + (x.shape[0] << 1) + abs(-x.shape[0]) + divmod(x.shape[0], 3)[1],
        lambda x: x.flatten().view(-1, 2).index_select(0, flow.tensor([0, 1])) * (x.shape[0] * x.shape[1]),
        lambda x: F.interpolate(x[None, None], scale_factor=0.5),
    ],
)  # fmt: skip
def test_functions_of_sizes(function: Any) -> None:
    check(function, rows(*SIZES))
    check(function, rows(*SIZES), dynamic=True)


def test_what_is_returned_of_a_size_is_a_plain_int() -> None:
    f = check(lambda x: (x.shape[0], x.shape), rows(3, 4, 5))
    n, shape = f(flow.ones(9, 4))
    assert type(n) is int and n == 9 and type(shape) is flow.Size and [*map(type, shape)] == [int, int]


def test_a_comparison_guards_its_outcome(counted: list[str]) -> None:
    check(lambda x: x * 2 if x.shape[0] > 10 else x - 1, rows(3, 4, 5, 11, 12, 30, 10, 9, 100))
    assert len(counted) == 3


def test_a_number_that_is_needed_pins_and_is_told_once(counted: list[str]) -> None:
    def f(x: Any) -> Any:
        return [x[k] * 2 for k in range(x.shape[0])]

    with pytest.warns(UserWarning, match=r"the number itself is needed at .*test_sizes.py:\d+, in f.*mark_static") as told:
        check(f, rows(2, 3, 4, 5, 3))
    assert len(told) == 1 and len(counted) == 4


def test_membership_and_dictionaries_ask_for_the_number() -> None:
    table = {3: 1.0, 5: 2.0, (7, 4): 3.0}
    check(lambda x: x * table.get(x.shape[0], 10.0), rows(*SIZES))
    check(lambda x: x * table.get(tuple(x.shape), 10.0), rows(*SIZES))
    check(lambda x: x + 1 if x.shape[0] in {3, 64} else x, rows(*SIZES))
    check(lambda x: x + 1 if x.shape[0] in (16, 33) else x, rows(*SIZES))


def test_sizes_zero_and_one() -> None:
    for dynamic in (None, True):
        check(lambda x: (x * 2).sum(0) + x.mean(), rows(3, 1, 5, 0, 1, 7, 0), dynamic=dynamic)
        check(lambda x, y: x + y, [(flow.randn(n, 4), flow.randn(m, 4)) for n, m in ((3, 3), (5, 5), (1, 5), (6, 1), (1, 1))], dynamic=dynamic)


def test_sizes_that_were_equal_by_chance() -> None:
    def f(x: Any, y: Any) -> Any:
        return x.sum(0) + y.sum(0), flow.cat([x, y])

    pairs = [(flow.randn(n, 4), flow.randn(m, 4)) for n, m in ((3, 3), (5, 5), (5, 6), (7, 2), (8, 8))]
    check(f, pairs)
    check(f, pairs, dynamic=True)


def test_an_op_that_refuses_other_sizes() -> None:
    f = flow.compile(lambda x, y: x + y, fullgraph=True)
    for n in (3, 4, 5):
        same(f(flow.ones(n), flow.ones(n)), flow.full((n,), 2.0))
    with pytest.raises(RuntimeError, match="must match|broadcast|Incompatible|shape"):
        f(flow.ones(6), flow.ones(7))
    same(f(flow.ones(8), flow.ones(1)), flow.full((8,), 2.0))


def test_recurrent_layers_of_any_batch(counted: list[str]) -> None:
    """One capture; also in reverse, and in several layers."""
    layer = nn.LSTM(4, 6, num_layers=2, bidirectional=True, batch_first=True)
    f = flow.compile(lambda x: layer(x)[0], dynamic=True)
    with flow.no_grad():
        for batch in (2, 5, 4, 9):
            x = flow.randn(batch, 3, 4)
            assert_close(f(x), layer(x)[0], op_class="matmul")
    assert len(counted) == 1


def test_ints_that_are_sizes(counted: list[str]) -> None:
    calls = [(flow.randn(20, 3), n) for n in (4, 6, 7, 3, 9, 40, 0, -2, 4, -30, 20)]
    check(lambda x, n: (x[:n].sum(0) * n, n), calls)
    assert len(counted) < 7
    counted.clear()
    check(lambda x, n: x[:4] * n, calls)
    assert len(counted) == 1  # no size is made of it


def test_an_int_that_is_an_index() -> None:
    calls = [(flow.randn(5, 3), k) for k in (-1, 1, 2, 0, -5, 4)]
    for dynamic in (None, True):
        check(lambda x, k: (x[k] * 2, x[:, k % 3], x[k % 2, 1:], x[..., k % 3]), calls, dynamic=dynamic)


def test_ints_and_sizes_together() -> None:
    calls = [(flow.randn(n, 3), k) for n, k in ((4, 2), (9, 3), (9, 5), (7, 5), (12, 11))]
    check(lambda x, k: flow.zeros(x.shape[0] + k).scatter(0, flow.tensor([k - 1]), 1.0) * k, calls)


# ------------------------------------------------------------------------------------------------- marks


def test_a_marked_size(counted: list[str]) -> None:
    f = flow.compile(lambda x: flow.relu(x) + 1)
    x = flow.randn(5, 4)
    flow.mark_dynamic(x, 0, min=2, max=100)
    same(f(x), flow.relu(x) + 1)
    for (y,) in rows(9, 2, 100):
        same(f(y), flow.relu(y) + 1)
    assert len(counted) == 1
    f(flow.randn(101, 4))
    assert len(counted) == 2


def test_marks_are_checked() -> None:
    x = flow.ones(5, 4)
    with pytest.raises(IndexError):
        flow.mark_dynamic(x, 2)
    with pytest.raises(ValueError, match="dimension 0 is 5, and the range is 6 to 9"):
        flow.mark_dynamic(x, 0, min=6, max=9)
    with pytest.raises(ValueError, match="at least 1"):
        flow.mark_dynamic(x, 0, min=0)


def test_a_marked_size_that_is_pinned_is_an_error() -> None:
    x = flow.ones(5, 4)
    flow.mark_dynamic(x, 0)
    for fullgraph in (False, True):
        f = flow.compile(lambda x: [x[k] for k in range(x.shape[0])], fullgraph=fullgraph)
        with pytest.raises(PinnedSizeError, match=r"dimension 0 of a tensor of shape \(5, 4\) was marked .* needed at .*test_sizes.py:\d+"):
            f(x)


def test_a_marked_size_that_comparisons_pin_is_an_error() -> None:
    x = flow.ones(1, 4)
    flow.mark_dynamic(x, 0)
    f = flow.compile(lambda x: x * 2 if x.shape[0] > 1 else x)
    with pytest.raises(PinnedSizeError, match=r"was marked by mark_dynamic\(\), but what is asked of it leaves 1 alone at .*test_sizes.py:\d+"):
        f(x)


def test_a_static_size_is_captured_for_each(counted: list[str]) -> None:
    f = flow.compile(lambda x: x * 2, dynamic=True)
    for n in (3, 4, 5):
        x = flow.ones(n, 4)
        flow.mark_static(x, 0)
        f(x)
    assert len(counted) == 3


def which_of_many(x: Any) -> Any:
    """What it does is another thing for each size."""
    return x * next((n for n in range(2, 40) if x.shape[0] == n), 0)


def test_templates_that_serve_one_size_each_end_in_static_captures(counted: list[str]) -> None:
    f = check(which_of_many, rows(*range(2, 30), *range(2, 30)))
    (family,) = f.programs._families.values()
    assert family.is_static and len(counted) == 28
    assert [template.refused > 0 for template in family.templates] == [True] * 4
    assert sum(captured.template is None for captured in f.captures()) == 24


def test_templates_that_were_asked_for_are_captured_on(counted: list[str]) -> None:
    f = check(which_of_many, rows(*range(2, 10)), dynamic=True)
    (family,) = f.programs._families.values()
    assert not family.is_static and len(family.templates) == len(counted) == 8


def test_templates_that_something_else_makes_idle_are_no_reason_to_be_static(counted: list[str]) -> None:
    factor = [0.0]
    f = flow.compile(lambda x: x * factor[0])
    for n in range(2, 20):
        factor[0] = float(min(n, 9))
        same(f(x := flow.randn(n, 3)), x * factor[0])
    assert len(counted) == 8


# ------------------------------------------------------------------------------------------------- states, gradients, memory


def test_a_cache_that_grows(counted: list[str]) -> None:
    class Cache:
        keys: Any = None

    def step(cache: Any, x: Any) -> Any:
        cache.keys = x if cache.keys is None else flow.cat([cache.keys, x], 1)
        return (cache.keys * x[:, -1:]).sum(1)

    ours, theirs = Cache(), Cache()
    f = flow.compile(lambda x: step(ours, x), fullgraph=True)
    for _ in range(12):
        x = flow.randn(2, 1, 4)
        same(f(x), step(theirs, x))
    same(ours.keys, theirs.keys)
    assert len(counted) <= 4


def test_a_view_of_a_part_is_a_view_in_each_run() -> None:
    f = flow.compile(lambda x: (x[1:], x.view(-1), x.detach()[: x.shape[0] - 1]), fullgraph=True)
    for n in SIZES:
        x = flow.randn(n, 4)
        a, b, c = f(x)
        same((a, b, c), (x[1:], x.view(-1), x[: n - 1]))
        x.zero_()
        assert not a.any() and not b.any() and not c.any()


def test_writes_over_arguments_and_states() -> None:
    total = flow.zeros(4)

    def f(x: Any, buffer: Any) -> Any:
        x[1:].mul_(2)
        buffer[: x.shape[0]] += x
        total.add_(x.sum(0))
        return x + 1

    compiled = flow.compile(f, fullgraph=True)
    for n in SIZES:
        x, buffer = flow.randn(n, 4), flow.zeros(70, 4)
        y, second = x.clone(), buffer.clone()
        before = total.clone()
        result = compiled(x, buffer)
        left = total.clone()
        total.copy_(before)
        same((result, x, buffer, left), (f(y, second), y, second, total))


@pytest.mark.usefixtures("without_passes")
def test_gradients_outside_of_the_call(counted: list[str]) -> None:
    layer = nn.Linear(4, 3)
    f = flow.compile(lambda x: flow.tanh(layer(x)).mean(1) * x.shape[0], fullgraph=True)
    for n in SIZES:
        x = flow.randn(n, 4, requires_grad=True)
        y = x.detach().requires_grad_()
        f(x).sum().backward()
        ours = [x.grad, layer.weight.grad, layer.bias.grad]
        layer.zero_grad()
        (flow.tanh(layer(y)).mean(1) * n).sum().backward()
        same(ours, [y.grad, layer.weight.grad, layer.bias.grad])
        layer.zero_grad()
    assert len(counted) == 2


def test_layer_norm_backward_keeps_the_batch() -> None:  # pytorch/pytorch#172822
    norm = nn.LayerNorm(4)
    f = flow.compile(lambda x: norm(x).pow(2), dynamic=True, fullgraph=True)
    for n in (2, 5, 9):
        x = flow.randn(n, 3, 4, requires_grad=True)
        f(x).sum().backward()
        assert x.grad.shape == (n, 3, 4)


def test_shapes_of_results_are_of_this_call() -> None:  # tinygrad/tinygrad#5360
    f = flow.compile(lambda x: x[1:-1])
    assert [f(flow.ones(n)).shape for n in (4, 5, 6, 9)] == [(2,), (3,), (4,), (7,)]


def test_product_in_the_middle_dimension() -> None:  # ml-explore/mlx#2607
    w = flow.randn(5, 6)
    check(lambda x: x @ w, [(flow.randn(2, n, 5),) for n in (3, 40, 41, 7)])


def test_max_of_a_size_is_no_pin(counted: list[str]) -> None:  # pytorch/pytorch#149635
    check(lambda x: flow.zeros(max(x.shape[0], 2), 3) + 1, rows(*SIZES), dynamic=True)
    assert len(counted) <= 2


def test_unused_input_has_no_size_guard(counted: list[str]) -> None:  # pytorch/pytorch#131893
    check(lambda x, unused: x * 2, [(flow.ones(3), flow.ones(n)) for n in SIZES])
    assert len(counted) == 2


def test_chunk_keeps_the_size() -> None:  # pytorch/pytorch#139936
    check(lambda x: [part.sum() for part in x.chunk(2, 0)], rows(4, 6, 8, 10))


def test_interpolate_by_a_fraction() -> None:  # pytorch/pytorch#147261
    check(lambda x: F.interpolate(x, scale_factor=1.5, mode="bilinear"), [(flow.randn(1, 2, n, n + 2),) for n in (4, 6, 8, 10)])


def test_repeat_of_a_marked_input() -> None:  # pytorch/pytorch#135796
    f = flow.compile(lambda x: x.repeat(2, 3), fullgraph=True)
    x = flow.randn(3, 4)
    flow.mark_dynamic(x, 0)
    same(f(x), x.repeat(2, 3))
    for (y,) in rows(5, 8):
        same(f(y), y.repeat(2, 3))


def test_attention_keeps_the_length(counted: list[str]) -> None:  # pytorch/pytorch#110322
    attention = nn.MultiheadAttention(8, 2, batch_first=True)
    f = flow.compile(lambda x: attention(x, x, x)[0], fullgraph=True)
    for n in (3, 5, 9, 17):
        x = flow.randn(2, n, 8)
        assert_close(f(x), attention(x, x, x)[0])
    assert len(counted) == 2


def test_a_program_that_is_not_right_is_captured_anew(caplog: pytest.LogCaptureFixture) -> None:
    def f(x: Any, y: Any) -> Any:
        return (x.unsqueeze(1) + y.unsqueeze(0)).sum(0)

    pairs = [(flow.randn(n), flow.randn(m)) for n, m in ((2, 3), (4, 5), (1, 6), (7, 1), (6, 6))]
    with caplog.at_level(logging.INFO, "tritonflow.graph"):
        check(f, pairs)


def test_programs_of_one_function_share_their_memory() -> None:
    f = flow.compile(lambda x: (x @ x.T).softmax(1) @ x, fullgraph=True)
    for n in range(64, 128):
        assert_close(f(flow.ones(n, 8)), flow.ones(n, 8))
    blocks = {captured.executable._arena.block.ptr: captured.executable._arena.block.nbytes for captured in f.captures()[1:]}
    assert len(blocks) < 12 and sum(blocks.values()) < 8 * max(captured.executable.arena_bytes for captured in f.captures())


def test_two_threads_run_programs_of_one_function() -> None:
    f = flow.compile(lambda x: (x @ x.T).softmax(1) @ x, fullgraph=True)
    for n in (30, 40, 50):
        f(flow.ones(n, 8))
    wrong: list[int] = []

    def run(n: int) -> None:
        for _ in range(200):
            if not flow.allclose(f(flow.full((n, 8), float(n))), flow.full((n, 8), float(n))):
                wrong.append(n)

    threads = [threading.Thread(target=run, args=(n,)) for n in (30, 40, 50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


# ------------------------------------------------------------------------------------------------- whole models


def trainer(model: Model, net: Any) -> Any:
    """A training step of a model."""
    optimizer = flow.optim.SGD(net.parameters(), lr=0.05)

    def step(*batch: Any) -> Any:
        optimizer.zero_grad()
        loss = model.loss(net, *batch)
        loss.backward()
        optimizer.step()
        return loss

    return step


TRAINED = [pytest.param(name, marks=[] if name in ("mlp", "gpt") else pytest.mark.long) for name in MODELS]


@pytest.mark.usefixtures("without_passes")
@pytest.mark.parametrize("name", TRAINED)
def test_training_steps_of_many_batches(name: str, counted: list[str]) -> None:
    """The first rows of batches, in turn: a step has eager mode's losses, bit for bit, and is captured twice."""
    model = MODELS[name]
    flow.manual_seed(0)
    net = model.make()
    other = copy.deepcopy(net)
    batches = [model.batch() for _ in range(6)]

    eager, compiled = trainer(model, net), flow.compile(trainer(model, other), fullgraph=True)
    sizes = [len(batches[0][0]) - k % 3 for k in range(6)]
    losses = []
    for step in (eager, compiled):
        flow.manual_seed(1)
        losses.append([step(*[tensor[:n].contiguous() for tensor in batch]).item() for n, batch in zip(sizes, batches)])
    assert losses[0] == losses[1]
    assert len(counted) <= 3, counted


# ------------------------------------------------------------------------------------------------- the witness


def launches(schedule: Any) -> Counter[Any]:
    return Counter((each.name, each.grid, each.sizes, each.kernel.reference) for step in schedule.steps for each in step.launches)


def static_schedule(program: Any, numbers: list[int]) -> Any:
    graph = concrete(program._graph, Numbers(numbers))
    return schedule_of(plan_memory(optimize(graph)), graph, program._provider)


@pytest.mark.parametrize("name", TRAINED)
def test_schedules_are_those_of_static_programs(name: str) -> None:
    """Kernels, grids and sizes, and the bytes between them, for random batches of each model; few plans serve them all."""
    model = MODELS[name]
    flow.manual_seed(0)
    net = model.make()
    compiled = flow.compile(trainer(model, net), fullgraph=True)
    batch = model.batch()
    for n in (len(batch[0]), len(batch[0]) - 1):
        compiled(*[tensor[:n].contiguous() for tensor in batch])
    (template,) = next(iter(compiled.programs._families.values())).templates
    program, draw = template._forward, random.Random(0)
    held = static_schedule(program, list(template._first.numbers)).arena  # all sizes share it, and the order is the best for these
    for size in [2, 3, *[draw.randint(2, 300) for _ in range(8)]]:
        numbers = [*template._first.numbers[:-1], size]
        sized, static = program._schedules.at(numbers, Outcomes(numbers))[0], static_schedule(program, numbers)
        assert launches(sized) == launches(static), size
        assert sized.arena <= max(1.1 * static.arena, held), size
    graphs, plans = program._schedules.counts
    assert graphs <= 6 and plans <= 6 * len(sized.steps)
