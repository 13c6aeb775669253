"""Compiled functions that look at numbers of tensors: each way is a path of parts, in front of which nothing runs twice."""

from __future__ import annotations

import copy
import gc
import warnings
from collections.abc import Callable
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tests import where
from tritonflow import nn
from tritonflow.device.provider import get_provider

Make = Callable[[], tuple[Any, Callable[[int], tuple[Any, ...]], list[Any]]]
PROGRAMS: dict[str, Make] = {}  # a function, its arguments in the k-th call, and what else it changes


def program(make: Make) -> Make:
    PROGRAMS[make.__name__] = make
    return make


def numbers(value: Any) -> Any:
    """What can be seen of a result."""
    if isinstance(value, flow.Tensor):
        return value.dtype, value.detach().numpy().copy(), value.requires_grad
    if isinstance(value, (list, tuple)):
        return [numbers(each) for each in value]
    if isinstance(value, dict):
        return {key: numbers(each) for key, each in value.items()}
    return type(value), value


def rows(k: int) -> tuple[flow.Tensor]:
    return (flow.tensor([1.0, 2.0, float(k % 3)]),)


@program
def if_a_sum_is_large() -> Any:
    return lambda x: x * x.sum() if x.sum() > 3.5 else x - 1, rows, []


@program
def two_decisions() -> Any:
    def f(x: Any) -> Any:
        y = x * 2
        if y.max() > 4:
            y = y / y.max()
        z = y + x
        if z.min() < 1:
            return z.abs(), y
        return z.exp(), y

    return f, lambda k: (flow.tensor([1.0, 2.5 * (k % 2), float(k % 3)]),), []


@program
def a_number_that_is_used_and_returned() -> Any:
    def f(x: Any) -> Any:
        n = x.sum().item()
        return x * n + n / 2, n, -n, x.mean().item()

    return f, rows, []


@program
def one_number_read_twice() -> Any:
    def f(x: Any) -> Any:
        y = x.sum()
        return x * y.item() + y.item(), y

    return f, rows, []


@program
def a_loop_until_it_is_small() -> Any:
    def f(x: Any) -> Any:
        steps = 0
        while x.norm() > 1:
            x = x / 2
            steps += 1
        return x, steps

    return f, lambda k: (flow.tensor([1.0, 2.0, 3.0]) * (1 + k % 3),), []


@program
def a_list_of_numbers() -> Any:
    def f(x: Any) -> Any:
        a, b, c = (x * 2).tolist()
        return x * a if a + b > c else x * c, [c, b, a]

    return f, rows, []


@program
def an_argument_is_looked_at() -> Any:
    return lambda x: x + 1 if x[0] > 0 else x - 1, lambda k: (flow.tensor([1.0, -2.0]) * (1 - 2 * (k % 2)),), []


@program
def ints_and_bools() -> Any:
    def f(x: Any) -> Any:
        n = (x > 1.5).sum().item()
        flag = (x > 1).all().item()
        return x * n, n, flag, n + 1 if flag else n

    return f, rows, []


@program
def an_argument_is_written_behind_a_look() -> Any:
    def f(x: Any) -> Any:
        before = x.sum()
        if before > 3:
            x.mul_(2)
        x.add_(1)
        return before, x.sum().item()

    return f, rows, []


@program
def a_buffer_counts() -> Any:
    net = nn.BatchNorm1d(3)
    net.register_buffer("count", flow.zeros(()))

    def f(x: Any) -> Any:
        net.count += 1
        if net.count % 3 == 0:
            net.running_mean.mul_(0.5)
        y = net(x)
        if y.max() > 1.2:
            net.count.add_(1)
        return y

    return f, lambda k: (flow.tensor([[1.0, 2.0, 3.0], [3.0 + k % 4, 1.0, 0.0], [1.0, 1.0, k % 2]]),), [net.count, net.running_mean]


@program
def random_numbers_before_and_behind() -> Any:
    def f(x: Any) -> Any:
        y = flow.rand(3) * x
        if y.sum() > 1.4:
            return y + flow.randn(3)
        return y, flow.rand(2)

    return f, rows, []


@program
def training_with_clipping() -> Any:
    flow.manual_seed(0)
    net = nn.Sequential(nn.Linear(3, 8), nn.GELU(), nn.Dropout(0.2), nn.Linear(8, 1))
    optimizer = flow.optim.AdamW(net.parameters(), lr=0.05)

    def f(x: Any) -> Any:
        optimizer.zero_grad()
        loss = (net(x) - x.sum()).square().mean()
        loss.backward()
        norm = flow.stack([p.grad.norm() for p in net.parameters()]).norm()
        if norm > 4:
            for p in net.parameters():
                p.grad.mul_(4 / norm)
        if flow.isfinite(norm):
            optimizer.step()
        return loss, norm.item()

    return f, lambda k: (flow.tensor([[1.0, 2.0, float(k % 3)], [0.5, 0.1, 1.0]]),), [*net.parameters()]


@program
def a_scaler_skips_steps() -> Any:
    flow.manual_seed(0)
    net = nn.Linear(3, 1)
    optimizer = flow.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    state = {"scale": flow.tensor(4.0)}

    def f(x: Any) -> Any:
        optimizer.zero_grad()
        (net(x).mean() * state["scale"]).backward()
        if all(bool(flow.isfinite(p.grad).all()) for p in net.parameters()):
            for p in net.parameters():
                p.grad /= state["scale"]
            optimizer.step()
            state["scale"] = state["scale"] * 2
        else:
            state["scale"] = state["scale"] / 2
        return state["scale"]

    return f, lambda k: (flow.tensor([[1.0, 2.0, float("inf") if k % 4 == 3 else 1.0]]),), [*net.parameters()]


@program
def gradients_outside_across_a_look() -> Any:
    weight = flow.tensor([1.0, -1.0, 2.0], requires_grad=True)

    def f(x: Any) -> Any:
        hidden = (x * weight).tanh()
        scale = hidden.sum().item()
        if hidden.max() > 0.9:
            hidden = hidden * hidden
        return (hidden * weight).sum() * scale

    def step(x: Any) -> Any:  # what is compiled is inside
        return f(x)

    return step, rows, [weight]


@program
def looks_without_history() -> Any:
    weight = flow.tensor([1.0, -1.0, 2.0], requires_grad=True)

    def f(x: Any) -> Any:
        with flow.no_grad():
            large = (x * weight).sum() > 2
        return (x * weight * (2 if large else 3)).sum()

    return f, rows, [weight]


@program
def an_error_behind_a_look() -> Any:
    total = flow.zeros(3)

    def f(x: Any) -> Any:
        total.add_(x)
        if total.sum() > 9:
            raise ValueError("too much")
        return total * 2

    def caught(x: Any) -> Any:
        return f(x)

    return caught, rows, [total]


@program
def a_view_of_what_was_looked_at() -> Any:
    def f(x: Any) -> Any:
        y = (x * 2).reshape(3, 1)
        z = y.expand(3, 2)
        if y[1, 0] > 1:
            z = z.t().contiguous()
        y[0] += 1
        return y, z, y.view(3)

    return f, rows, []


def results_of(f: Any, arguments: Callable[[int], tuple[Any, ...]], changed: list[Any], calls: int) -> list[Any]:
    """What calls give, and leave, with the gradients of what requires some."""
    flow.manual_seed(5)
    found: list[Any] = []
    for k in range(calls):
        args = arguments(k)
        try:
            result = f(*args)
            if isinstance(result, flow.Tensor) and result.requires_grad and not result.ndim:
                result.backward()
        except ValueError as error:
            result = str(error)
        found.append(numbers([result, args, changed, [each.grad for each in changed if each.is_leaf and each.grad is not None]]))
    return found


def compare(actual: Any, expected: Any, exact: bool) -> None:
    if isinstance(expected, numpy.ndarray):
        if exact:
            numpy.testing.assert_array_equal(actual, expected)
        else:
            numpy.testing.assert_allclose(actual, expected, rtol=2e-5, atol=2e-6)
    elif isinstance(expected, (list, tuple)):
        assert len(actual) == len(expected)
        for a, b in zip(actual, expected):
            compare(a, b, exact)
    elif isinstance(expected, float):
        assert actual == expected if exact else actual == pytest.approx(expected, rel=2e-5)
    else:
        assert actual == expected


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_are_eager_modes(name: str) -> None:
    f, arguments, changed = PROGRAMS[name]()
    expected = results_of(f, arguments, changed, 14)
    f, arguments, changed = PROGRAMS[name]()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        if name == "an_error_behind_a_look":  # such calls run in eager mode
            warnings.simplefilter("ignore")
        compiled = flow.compile(f)
        compare(results_of(compiled, arguments, changed, 14), expected, exact=False)
    assert compiled.captures()


SIZED: dict[str, Any] = {
    "mask": lambda x: x[x > 0].exp(),
    "mask and sum": lambda x: x[x[:, 0] > 0].sum(0),
    "nonzero": lambda x: flow.nonzero(x > 0.5),
    "where": lambda x: flow.where(x > 0.2),
    "masked_select": lambda x: flow.masked_select(x, x > 0) * 2 + 1,
    "nothing is left": lambda x: (x[x > 100], x[x > 100].sum(), (x > 100).nonzero().shape[0]),
    "a count is a size": lambda x: (x.flatten()[: (x > 0).sum().item()], flow.zeros((x > 0).sum().item(), 2)),
    "a count that is pinned": lambda x: x.flatten()[: int((x[:, 0] > 0).sum())],
    "sizes decide": lambda x: x if x[x > 0].numel() == 0 else x[x > 0][:4] if len(x[x > 0]) > 4 else x[x > 0] * len(x[x > 0]),
    "unique": lambda x: flow.unique((x * 2).round(), return_counts=True),
    "repeat": lambda x: flow.repeat_interleave(x, (x[:, 0].abs() * 2).to(flow.int64), 0),
    "written by a mask": lambda x: x.clone().masked_fill_(x > 1, 1.0).index_put_((x < -1,), flow.tensor(2.0)),
    "rows of a mask": lambda x: [row * 2 for row in x[x[:, 0] > 0]],
    "sum and mean": lambda x: (x.relu() * 2 if x.relu().sum() > 6 else x).mean().item(),
}


@pytest.mark.parametrize("dynamic", [None, True])
@pytest.mark.parametrize("name", SIZED)
def test_sizes_of_values(name: str, dynamic: bool | None) -> None:
    """In calls of other sizes, too."""
    flow.manual_seed(3)
    function = SIZED[name]
    compiled = flow.compile(function, dynamic=dynamic)
    for n in (6, 6, 6, 3, 9, 6, 5, 1, 12, 2, 7):
        x = flow.randn(n, 4)
        compare(numbers(compiled(x)), numbers(function(x)), exact=False)
    assert compiled.captures()


class Experts(nn.Module):
    """Each expert gets the rows that chose it."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = nn.Linear(8, 4)
        self.experts = nn.ModuleList([nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.Linear(16, 8)) for _ in range(4)])

    def forward(self, x: Any) -> Any:
        weight, chosen = self.gate(x).softmax(-1).topk(2, -1)
        out = flow.zeros_like(x)
        for number, expert in enumerate(self.experts):
            rows, k = flow.where(chosen == number)
            out = out.index_add(0, rows, expert(x[rows]) * weight[rows, k][:, None])
        return out


def test_experts_by_nonzero() -> None:
    """huggingface/transformers#40114"""
    flow.manual_seed(0)
    net, compiled = Experts(), flow.compile(Experts())
    compiled.load_state_dict(net.state_dict())
    for _ in range(12):
        x = flow.randn(6, 8)
        compare(numbers(compiled(x)), numbers(net(x)), exact=False)
        for each in (compiled, net):
            each.zero_grad()
            each(x).square().mean().backward()
        for p, q in zip(compiled.parameters(), net.parameters()):
            compare(numbers(p.grad), numbers(q.grad), exact=False)


def test_experts_are_one_program_for_all_counts() -> None:
    flow.manual_seed(0)
    net = Experts().requires_grad_(False)
    compiled = flow.compile(net)
    for _ in range(30):
        compiled(flow.randn(6, 8))
    assert len(compiled.captures()) <= 2


def test_an_expert_without_a_row_is_no_other_program() -> None:
    flow.manual_seed(0)
    net, other = Experts(), Experts()
    other.load_state_dict(net.state_dict())

    def train(net: Any) -> Any:
        optimizer = flow.optim.SGD(net.parameters(), lr=0.1)

        def step(x: Any) -> Any:
            optimizer.zero_grad()
            loss = net(x).square().mean()
            loss.backward()
            optimizer.step()
            return loss

        return step

    eager, compiled = train(net), flow.compile(train(other))
    for k in range(8):
        for each in (net, other):
            with flow.no_grad():
                each.gate.bias[0] = -100.0 * (k % 2)
        x = flow.randn(6, 8)
        compare(numbers(compiled(x)), numbers(eager(x)), exact=False)
    for p, q in zip(other.parameters(), net.parameters()):
        compare(numbers(p), numbers(q), exact=False)
    assert len(compiled.captures()) == 1


def test_select_with_a_number_read() -> None:
    """pytorch/pytorch#143249"""
    f = flow.compile(lambda x, i: x[i.item()] * 2)
    for k in (0, 2, 1, -1):
        assert f(flow.arange(3.0), flow.tensor(k)).item() == 2.0 * (k % 3)


def test_product_of_a_size_of_values() -> None:
    """pytorch/pytorch#147672"""
    f = flow.compile(lambda x, w: (x[x[:, 0] > 0] @ w).sum(0) * x[x[:, 0] > 0].shape[0])
    for n in (4, 2, 0):
        x = flow.cat([flow.ones(n, 3), -flow.ones(5 - n, 3)])
        assert f(x, flow.ones(3, 2)).tolist() == [3.0 * n * n] * 2


def test_ways_have_one_beginning() -> None:
    """What runs before a decision is one program, and runs once where the decision is another one."""

    def f(x: Any) -> Any:
        y = (x @ flow.ones(3, 3)).tanh()
        return y.sum(0) if y.sum() > 0 else y.t() @ x

    f = flow.compile(f)
    for k in (1.0, -1.0, 1.0, -1.0):
        f(flow.full((3, 3), k))
    first, second = f.captures()
    assert first.path.steps[0].program is second.path.steps[0].program
    assert first.path.steps[1].program is not second.path.steps[1].program


def test_fullgraph_refuses_to_wait() -> None:
    with pytest.raises(flow.errors.CaptureError, match="needs the value of a tensor"):
        flow.compile(lambda x: x if x.sum() > 0 else -x, fullgraph=True)(flow.ones(2))


def test_nothing_is_written_before_all_is_decided() -> None:
    """An index out of range behind a look: the states are as they were, and eager mode raises the error."""
    total, table = flow.zeros(2), flow.arange(4.0)

    def f(x: Any, i: Any) -> Any:
        total.add_(x.sum())
        y = table.index_select(0, i)
        return y * 2 if x.sum() > 0 else y

    f = flow.compile(f)
    f(flow.ones(2), flow.tensor([1]))
    with pytest.raises(IndexError):
        f(flow.ones(2), flow.tensor([7]))
        where.settle()
    assert total.tolist() in ([4.0, 4.0], [2.0, 2.0])


def test_a_number_that_differs_each_time_is_told_once() -> None:
    f = flow.compile(lambda x: x * int(str(int(x.sum().item() * 4))))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        assert [f(flow.ones(1) * k).item() for k in range(40)] == [4.0 * k * k for k in range(40)]
    assert len(told) == 1 and "item(), float() or int(), at" in str(told[0].message)
    assert "had 16 different outcomes" in str(told[0].message) and not f.captures()


def test_explain_has_the_backward() -> None:
    weight = nn.Parameter(flow.ones(4, 4))

    def function(x: Any) -> Any:
        y = x @ weight
        return y.pow(2).sum() * y.sum().item() if y.sum() > 0 else y.sum()

    f = flow.compile(function)
    for n in (3, 4, 5):
        f(flow.ones(n, 4)).backward()
    backward = f.explain().backward
    assert backward is not None and backward.kernels[-1].title == "matmul"


def test_explain_has_a_table_for_each_part() -> None:
    f = flow.compile(lambda x: x * 2 if (x * 3).sum() > 0 else x)
    f(flow.ones(3))
    explanation = f.explain()
    assert len(explanation.parts) == 1 and "behind 1 looks at numbers" in str(explanation)
    assert "CAPTURED" in repr(f)


def test_explain_of_a_program_for_many_sizes_has_a_table_for_each_part() -> None:
    f = flow.compile(lambda x: x[x > 0].sum())
    for n in (3, 4, 5):
        f(flow.ones(n))
    explanation = f.explain()
    assert len(explanation.parts) == 1 and "r1            0..  number 1 of the call" in str(explanation)


def test_many_ways_are_told_with_the_line_that_decides() -> None:
    layers = [flow.nn.Linear(2, 2).requires_grad_(False) for _ in range(18)]
    f = flow.compile(lambda x, chosen: layers[chosen.item()](x))
    with pytest.warns(UserWarning, match=r"now because of another outcome of item\(\).*test_reads.py:\d+.* flow.where\(\)"):
        for k, layer in enumerate(layers):
            for _ in range(2):
                assert f(flow.ones(2), flow.tensor(k)).tolist() == layer(flow.ones(2)).tolist()
    assert len(f.captures()) == 18


def test_ways_that_are_taken_once_are_given_up() -> None:
    layers = [flow.nn.Linear(2, 2).requires_grad_(False) for _ in range(18)]
    f = flow.compile(lambda x, chosen: layers[chosen.item()](x))
    with pytest.warns(UserWarning, match=r"test_reads.py:\d+.* or some that hardly any other call has taken"):
        for k, layer in enumerate(layers):
            assert f(flow.ones(2), flow.tensor(k)).tolist() == layer(flow.ones(2)).tolist()
    assert not f.captures()


def test_copies_of_it_are_captured_anew() -> None:
    f = flow.compile(lambda x: x * 2 if x.sum() > 0 else x)
    f(flow.ones(3))
    assert copy.deepcopy(f)(flow.ones(3)).tolist() == [2.0, 2.0, 2.0]


class Clipping(nn.Graph):
    """A training step that clips where the norm is large."""

    def __init__(self, net: Any, optimizer: Any) -> None:
        super().__init__()
        self.net = net
        self.add_optimizer(optimizer)
        self.config.allow_values(True)

    def build(self, x: Any) -> Any:
        loss = self.net(x).square().mean()
        if loss > 0.5:
            loss = loss * 0.5
        loss.backward()
        return loss


def test_graphs_look_where_they_may() -> None:
    losses = []
    for compiled in (True, False):
        flow.manual_seed(0)
        net = nn.Linear(3, 4)
        optimizer = flow.optim.SGD(net.parameters(), lr=0.3)
        graph = Clipping(net, optimizer)
        losses.append([])
        for k in range(8):
            x = flow.full((2, 3), 0.2 * (k % 3 + 1))
            if compiled:
                loss = graph(x)
            else:
                optimizer.zero_grad()
                loss = net(x).square().mean()
                if loss > 0.5:
                    loss = loss * 0.5
                loss.backward()
                optimizer.step()
            losses[-1].append(loss.item())
    assert losses[0] == pytest.approx(losses[1], rel=1e-5)


def test_graphs_do_not_look_unless_told() -> None:
    class Looks(nn.Graph):
        def build(self, x: Any) -> Any:
            return x if x.sum() > 0 else -x

    with pytest.raises(RuntimeError, match="needs the value of a tensor"):
        Looks()(flow.ones(2))


def sums_twice(x: Any) -> Any:
    first = (x * 2).cumsum(0).cumsum(0)
    scale = first.sum().item()
    second = (x * scale).cumsum(0)
    return second.cumsum(0) if second.sum() > 1 else second


def reserved(f: Any, x: Any) -> int:
    """The bytes that a call takes at most, besides the arenas that programs have already."""
    pool = get_provider(x.meta.device).pool
    for _ in range(2):
        f(x)
    gc.collect()
    flow.empty_cache()
    before = pool.stats()["reserved_bytes"]
    result = f(x)
    assert result.shape == x.shape
    return pool.stats()["reserved_bytes"] - before


def test_memory_around_a_read() -> None:  # pytorch/pytorch#122512
    """A part hands over what later ones need alone: of five large values one, besides the result."""
    x = flow.rand(1 << 20)
    compiled, eager = flow.compile(sums_twice), reserved(sums_twice, x)
    assert reserved(compiled, x) <= 2 * 4 * x.numel() + (1 << 16)
    arenas = [step.program.at(compiled.captures()[0].numbers).compiled.executable.arena_bytes for step in compiled.captures()[0].path.steps]
    assert max(arenas) <= eager
