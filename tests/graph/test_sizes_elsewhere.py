"""Situations in which other frameworks compile once more for each size, refuse, or are wrong. Each test names the issue that tells of it."""

from __future__ import annotations

import random
import re
import time
import warnings
from typing import Any

import pytest

import tritonflow as flow
from tests.graph.test_sizes import check, counted, rows, same  # noqa: F401 (a fixture)
from tritonflow import nn
from tritonflow.errors import PinnedSizeError
from tritonflow.testing import assert_close

F = nn.functional

# ------------------------------------------------------------------------------------------------- few programs


class Wrapper(nn.Module):
    """What DistributedDataParallel is to a model: its forward calls that of another module."""

    def __init__(self, module: Any) -> None:
        super().__init__()
        self.module = module

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self.module(*args, **kwargs)


def test_growing_length_with_wrapped_module(counted: list[str]) -> None:  # noqa: F811 # pytorch/pytorch#140229
    layers = [nn.Sequential(nn.Linear(8, 8), nn.LayerNorm(8)) for _ in range(3)]
    model = Wrapper(nn.Sequential(*layers))
    optimizer = flow.optim.SGD(model.parameters(), 0.1)

    def step(x: Any) -> Any:
        optimizer.zero_grad()
        loss = model(x).pow(2).mean()
        loss.backward()
        optimizer.step()
        return loss

    compiled = flow.compile(step, fullgraph=True)
    assert all(compiled(flow.randn(2, n, 8)).shape == () for n in range(16, 48, 2))
    assert len(counted) == 2


def windows(x: Any, size: int) -> Any:
    b, h, w, c = x.shape
    return x.view(b, h // size, size, w // size, size, c).permute(0, 1, 3, 2, 4, 5).reshape(-1, size * size, c)


def from_windows(parts: Any, size: int, h: Any, w: Any) -> Any:
    b = parts.shape[0] // (h * w // size // size)
    return parts.view(b, h // size, w // size, size, size, -1).permute(0, 1, 3, 2, 4, 5).reshape(b, h, w, -1)


class SwinBlock(nn.Module):
    """Attention in windows that are shifted by half a window; images are padded to whole windows."""

    def __init__(self, width: int, size: int, shift: int) -> None:
        super().__init__()
        self.norm, self.attention = nn.LayerNorm(width), nn.MultiheadAttention(width, 2, batch_first=True)
        self.size, self.shift = size, shift

    def forward(self, x: Any) -> Any:
        h, w = x.shape[1:3]
        y = F.pad(self.norm(x), (0, 0, 0, -w % self.size, 0, -h % self.size))
        height, width = y.shape[1:3]
        if self.shift:
            y = y.roll((-self.shift, -self.shift), (1, 2))
        parts = windows(y, self.size)
        y = from_windows(self.attention(parts, parts, parts, need_weights=False)[0], self.size, height, width)
        if self.shift:
            y = y.roll((self.shift, self.shift), (1, 2))
        return x + y[:, :h, :w]


def merged(x: Any) -> Any:
    """Four neighbours as one of four times the width."""
    x = F.pad(x, (0, 0, 0, x.shape[2] % 2, 0, x.shape[1] % 2))
    return flow.cat([x[:, 0::2, 0::2], x[:, 1::2, 0::2], x[:, 0::2, 1::2], x[:, 1::2, 1::2]], -1)


def test_sizes_flow_through_swin(counted: list[str]) -> None:  # noqa: F811 # pytorch/pytorch#127830
    first, second = (nn.ModuleList([SwinBlock(width, 4, shift) for shift in (0, 2)]) for width in (8, 32))

    def encoder(x: Any) -> Any:
        for block in first:
            x = block(x)
        x = merged(x)
        for block in second:
            x = block(x)
        return x.mean((1, 2))

    compiled = flow.compile(encoder, fullgraph=True)
    with flow.no_grad():
        for h, w in ((16, 12), (18, 23), (21, 30), (24, 40), (40, 28), (33, 17), (26, 50)):
            x = flow.randn(2, h, w, 8)
            assert_close(compiled(x), encoder(x))
    assert len(counted) <= 5  # by whether sizes are whole windows


def test_sizes_zero_and_one_do_not_multiply(counted: list[str]) -> None:  # noqa: F811 # pytorch/pytorch#136605
    def f(*tensors: Any) -> Any:
        return sum(t.sum(0) for t in tensors)

    compiled, draw = flow.compile(f, fullgraph=True), random.Random(0)
    for _ in range(120):
        given = [flow.randn(draw.choice((0, 1, *range(2, 30))), 3) for _ in range(5)]
        assert_close(compiled(*given), f(*given))
    assert len(counted) <= 40  # of 243 combinations of none, one and more


def test_batch_of_one_shares_the_program(counted: list[str]) -> None:  # noqa: F811 # pytorch/pytorch#186893
    layer = nn.Linear(4, 4)
    calls = [(flow.randn(n, 4),) for n in (2, 3, 1, 5, 1)]
    for dynamic in (None, True):
        counted.clear()
        f = flow.compile(lambda x: flow.relu(layer(x)), dynamic=dynamic, fullgraph=True)
        for (x,) in calls:
            assert_close(f(x), flow.relu(layer(x)))
        assert len(counted) == (2 if dynamic is None else 1)


def test_batch_of_one_comes_first(counted: list[str]) -> None:  # noqa: F811 # pytorch/pytorch#186893
    check(lambda x: flow.relu(x) * 2, rows(1, 2, 3, 1, 5), dynamic=True)
    assert len(counted) <= 2


def test_marked_and_unmarked_inputs_of_one_size(counted: list[str]) -> None:  # noqa: F811 # pytorch/pytorch#145587
    f = flow.compile(lambda a, b: a.shape[0] * a * b, fullgraph=True)
    for n in (4, 8, 10, 2):
        a, b = flow.randn(n, 3), flow.randn(n, 3)
        flow.mark_dynamic(a, 0, min=2, max=10)
        same(f(a, b), n * a * b)
    assert len(counted) <= 2


def test_counter_of_a_module(counted: list[str]) -> None:  # noqa: F811 # pytorch/pytorch#128319
    class Counting(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.counter, self.linear = 0, nn.Linear(4, 2)

        def forward(self, x: Any) -> Any:
            self.counter += 1
            return self.linear(x) * self.counter

    module = Counting()
    f = flow.compile(module)
    for k, n in enumerate((3, 4, 5, 9, 2, 7, 8, 3, 30, 31), 1):
        x = flow.randn(n, 4)
        assert_close(f(x), module.linear(x) * k)
        assert module.counter == k
    assert len(counted) <= 4


def test_int_that_becomes_a_size(counted: list[str]) -> None:  # noqa: F811 # pytorch/pytorch#132849
    def attention(q: Any, keys: Any, most: int) -> Any:
        scores = flow.zeros(q.shape[0], most) + q @ keys[:most].T
        return scores.softmax(-1) @ keys[:most]

    f = flow.compile(attention, fullgraph=True)
    q, keys = flow.randn(3, 4), flow.randn(64, 4)
    for most in range(5, 60):
        assert_close(f(q, keys, most), attention(q, keys, most))
    assert len(counted) <= 2


def test_arithmetic_of_two_numbers(counted: list[str]) -> None:  # noqa: F811 # pytorch/pytorch#171320
    f = flow.compile(lambda x, a, b: x * (a * b), fullgraph=True)
    for k in range(1, 60):
        x = flow.randn(4 + k % 7)
        same(f(x, 0.01 * k, 1.0), x * (0.01 * k * 1.0))
    assert len(counted) <= 2


def test_cache_that_grows(counted: list[str]) -> None:  # noqa: F811 # huggingface/transformers#37908
    """Prompts of other lengths, then a token at a time: keys and values are arguments, and results."""
    project = nn.Linear(8, 24)

    def layer(x: Any, keys: Any, values: Any) -> Any:
        q, k, v = project(x).chunk(3, -1)
        keys, values = flow.cat([keys, k], 1), flow.cat([values, v], 1)
        mask = flow.ones(q.shape[1], keys.shape[1], dtype=flow.bool).tril(keys.shape[1] - q.shape[1])
        return F.scaled_dot_product_attention(q, keys, values, mask), keys, values

    compiled = flow.compile(layer, fullgraph=True)
    with flow.no_grad():
        for prompt in (12, 7, 30, 19):
            states = [(flow.zeros(2, 0, 8), flow.zeros(2, 0, 8)) for _ in range(2)]
            for n in (prompt, 1, 1, 1, 3, 1):
                x = flow.randn(2, n, 8)
                results = [function(x, *state) for function, state in zip((layer, compiled), states)]
                assert_close(results[1][0], results[0][0])
                states = [result[1:] for result in results]
    assert len(counted) <= 5


@pytest.mark.parametrize("name", ["cumsum", "cumprod", "logcumsumexp", "cummax", "cummin"])
def test_scan_keeps_the_size(name: str, counted: list[str]) -> None:  # noqa: F811 # ml-explore/mlx#4460
    check(lambda x: getattr(flow, name)(x, 0), [(flow.rand(n, 3),) for n in (4, 7, 30, 2, 65)])
    assert len(counted) == 2


# ------------------------------------------------------------------------------------------------- numbers that are asked for


def test_marked_size_narrowed_to_one_number_is_an_error(counted: list[str]) -> None:  # noqa: F811 # pytorch/pytorch#122307
    def f(x: Any) -> Any:
        if x.shape[0] > 5:
            return x.cos()
        if x.shape[0] < 5:
            return x * 2
        return x.sin()

    x = flow.randn(5, 3, 3)
    flow.mark_dynamic(x, 0)
    with pytest.raises(PinnedSizeError, match="dimension 0 of a tensor of shape") as raised:
        flow.compile(f)(x)
    first = f.__code__.co_firstlineno
    assert [int(line) for line in re.findall(r"test_sizes_elsewhere.py:(\d+)", str(raised.value))] == [first + 1, first + 3]


def test_error_names_the_line_that_pinned() -> None:  # pytorch/pytorch#136002
    def f(x: Any) -> Any:
        if x.size(0) == 5:
            return x * 2
        return x + 1

    x = flow.randn(5)
    flow.mark_dynamic(x, 0)
    with pytest.raises(PinnedSizeError, match=rf"test_sizes_elsewhere.py:{f.__code__.co_firstlineno + 1}"):
        flow.compile(f)(x)
    y = flow.randn(6)  # any other number may go the other way
    flow.mark_dynamic(y, 0)
    same(flow.compile(f)(y), y + 1)


def test_python_random_after_a_pin() -> None:  # pytorch/pytorch#196437
    ours, theirs = random.Random(7), random.Random(7)

    def step(x: Any, draws: random.Random) -> Any:
        return [x[k] * draws.randint(1, 100) for k in range(x.shape[0])]

    for dynamic in (None, True):
        f = flow.compile(lambda x: step(x, ours), dynamic=dynamic)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for shape in ((1,), (1, 5), (2, 2), (2, 3), (2, 3), (3, 3), (2, 2)):
                x = flow.ones(shape)
                same(f(x), step(x, theirs))
        assert ours.getstate() == theirs.getstate()


# ------------------------------------------------------------------------------------------------- numbers of other kinds


def test_a_text_that_is_not_made_asks_for_no_number(counted: list[str]) -> None:  # noqa: F811
    def f(x: Any, names: bool) -> Any:
        assert x.ndim == 2, f"two dimensions expected, and not {x.shape}"
        if names:
            raise ValueError(f"names of {x.shape[0]} rows")
        return x * 2

    check(lambda x: f(x, False), rows(3, 4, 5, 6))
    assert len(counted) == 2
    with pytest.raises(ValueError, match="names of 7 rows"):
        flow.compile(lambda x: f(x, True), dynamic=True, fullgraph=True)(flow.ones(7, 2))


def test_parts_by_a_number_of_them(counted: list[str]) -> None:  # noqa: F811
    """A program is for a number of parts, and not for their sizes."""
    whole = [(flow.randint(-8, 8, (n, 4)).float(),) for n in (7, 8, 9, 30, 31, 7)]  # whose sums are the same in any order
    check(lambda x: flow.stack([part.sum() for part in x.chunk(3)]), whole)
    assert len(counted) == 2
    counted.clear()
    check(lambda x: [part * 2 for part in x.split(4)], rows(5, 6, 7, 8, 9, 12, 4, 3, 11))
    assert len(counted) == 4  # for one size, and for two, three and one part


def test_heads_of_any_width(counted: list[str]) -> None:  # noqa: F811
    f = flow.compile(F.scaled_dot_product_attention, dynamic=True, fullgraph=True)
    for length, width in ((5, 8), (7, 16), (9, 12)):
        q = flow.randn(2, 2, length, width)
        assert_close(f(q, q, q), F.scaled_dot_product_attention(q, q, q))
    assert len(counted) == 1


def mask_of_positions(x: Any) -> Any:
    """As transformers makes the mask of an attention: a function of four numbers, over all of them."""

    def mask(batch: Any, head: Any, query: Any, key: Any) -> Any:
        return (key <= query) & (query >= batch)

    for dims in ((None, None, None, 0), (None, None, 0, None), (None, 0, None, None), (0, None, None, None)):
        mask = flow.vmap(mask, in_dims=dims)
    positions = flow.arange(x.shape[0])
    return mask(flow.arange(2), flow.arange(1), positions, positions)


def gradients_of_examples(x: Any) -> Any:
    weight = flow.ones(3, 4)
    return flow.func.vmap(flow.func.grad(lambda w, row: F.linear(row, w).pow(2).sum()), in_dims=(None, 0))(weight, x)


def jacobian_of_columns(x: Any) -> Any:
    return flow.func.vmap(flow.func.jacrev(lambda column: column * column.mean()), in_dims=1, out_dims=1)(x)


@pytest.mark.parametrize("function", [mask_of_positions, gradients_of_examples, jacobian_of_columns])
def test_vmap_keeps_the_size(function: Any, counted: list[str]) -> None:  # noqa: F811
    f = flow.compile(function)
    for n in (7, 8, 12, 5, 30):
        x = flow.randn(n, 4)
        assert_close(f(x).float(), function(x).float(), rtol=1e-5, atol=1e-6)
    assert len(counted) == 2


def test_an_index_out_of_range_names_this_calls_classes() -> None:
    f = flow.compile(F.cross_entropy, dynamic=True)
    for classes in (4, 6, 9):
        x = flow.randn(3, classes)
        assert_close(f(x, flow.tensor([0, 1, classes - 1])), F.cross_entropy(x, flow.tensor([0, 1, classes - 1])))
        with pytest.raises(IndexError, match=rf"\[0, {classes}\)"):
            f(x, flow.tensor([0, 1, classes])).item()


def test_what_depends_on_known_values_and_on_sizes() -> None:
    """Ops on tensors from outside run while a call is captured; their sizes are plain numbers then."""
    known = flow.tensor([1.0, 0.0, 2.0, 0.0, 3.0, 4.0, 5.0])
    for function in (
        lambda x: x * len(known[: x.shape[0]].nonzero()),
        lambda x: (x * 2, x.masked_select(known[0].expand(x.shape[0]) > 0)),
        lambda x: x + len(flow.unique(known[x.shape[0] - 1 :])),
    ):
        for dynamic in (None, True):
            f = flow.compile(function, dynamic=dynamic)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                for n in (3, 4, 6, 5, 3):
                    x = flow.randn(n)
                    same(f(x), function(x))
    assert type(flow.ones(3).ptr) is int and flow.ones(16).sum().item() == 16


def test_arena_with_a_lower_bound_only(counted: list[str]) -> None:  # noqa: F811 # apache/tvm#18663
    """A size that may be as large as it likes takes the memory of this call's number, and not of the least or the largest one."""

    def function(x: Any) -> Any:
        y = x.cumsum(0)
        z = (y @ y.t()).cumsum(0)
        return (z.softmax(-1).cumsum(1) @ y).sum(0)

    f = flow.compile(function, fullgraph=True)
    for n in (16, 400, 17, 4, 1000):
        x = flow.randn(n, 8)
        flow.mark_dynamic(x, 0, min=4)
        assert_close(f(x), function(x), rtol=1e-4, atol=1e-4)
        (own,) = [captured for captured in f.captures() if captured.metas[0].shape[0] == n]
        static = flow.compile(function, fullgraph=True, dynamic=False)
        static(x)
        assert own.executable.arena_bytes <= 1.1 * static.captures()[0].executable.arena_bytes + 256
    assert counted.count(f.name) == 6  # with one of each static function


# ------------------------------------------------------------------------------------------------- time


class Dense(nn.Module):
    """DenseNet's block: each layer gets the results of all before it."""

    def __init__(self, layers: int, width: int, growth: int) -> None:
        super().__init__()
        made = [nn.Sequential(nn.BatchNorm2d(n), nn.ReLU(), nn.Conv2d(n, growth, 3, padding=1)) for n in range(width, width + layers * growth, growth)]
        self.layers = nn.ModuleList(made)

    def forward(self, x: Any) -> Any:
        features = [x]
        for layer in self.layers:
            features.append(layer(flow.cat(features, 1)))
        return F.avg_pool2d(flow.cat(features, 1), 2)


def test_planning_ends_in_time() -> None:  # pytorch/pytorch#118492
    """Symbolic integers are calculated with once: 156 sizes of `cat` took 1.5 s, and now 0.4 s."""
    net = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), Dense(12, 8, 4), Dense(12, 56, 4)).eval()
    x = flow.randn(4, 3, 16, 16)
    with flow.no_grad():
        expected = net(x)
        f = flow.compile(net, dynamic=True, fullgraph=True)
        before = time.process_time()
        result = f(x)
        assert time.process_time() - before < 20  # of which a cold cache takes most, for kernels
        assert_close(result, expected, rtol=1e-3, atol=1e-4)
        y = flow.randn(2, 3, 20, 20)
        assert_close(f(y), net(y), rtol=1e-3, atol=1e-4)
