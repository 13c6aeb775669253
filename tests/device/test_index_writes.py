"""Writes by index on a GPU, a stand-in: sorted by target, positions write the bits that they write one after the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tests.device.fake_cuda import FakeCuda
from tritonflow.errors import IndexOutOfRangeError
from tritonflow.execution import eager_local
from tritonflow.execution.context import OpContext
from tritonflow.execution.op_expr import op_expr
from tritonflow.ops import index_writes

F = flow.nn.functional
Program = Callable[[Any], Any]  # from a Draws to a tensor


class Draws:
    """Tensors on a device, with the same numbers on each."""

    def __init__(self, device: str, seed: int) -> None:
        self.device, self.generator = device, numpy.random.default_rng(seed)

    def numbers(self, *shape: int, dtype: Any = flow.float32) -> Any:
        drawn = self.generator.standard_normal(shape) * 50
        return flow.tensor(drawn, dtype=flow.float32, device="cpu").to(dtype).to(self.device)

    def below(self, high: int, *shape: int, low: int = 0) -> Any:
        return self.tensor(self.generator.integers(low, high, shape))

    def tensor(self, values: Any) -> Any:
        return flow.tensor(values, dtype=flow.int64, device=self.device)


def same_on_both(program: Program, seed: int = 0) -> None:
    """Asserts that a program has the same bits on CPU and GPU."""
    on_cpu, on_gpu = (program(Draws(device, seed)).to("cpu") for device in ("cpu", "cuda"))
    assert on_cpu.dtype == on_gpu.dtype
    expected, found = (y.to(flow.float64).numpy() for y in (on_cpu, on_gpu))
    numpy.testing.assert_array_equal(found, expected)
    assert (numpy.signbit(found) == numpy.signbit(expected)).all()


def test_a_long_list_is_sorted(compiled: list[str]) -> None:
    """Two tiles, a merge and a rest; each row by itself, without a serial loop over positions."""
    same_on_both(lambda draws: draws.numbers(50, 3).index_add_(0, draws.below(50, 1500), draws.numbers(1500, 3)))
    assert {"sort_tiles", "merge_tiles", "add_runs", "add_long_runs"} <= set(compiled) and "put" not in compiled


def test_several_merges(cuda: FakeCuda, monkeypatch: pytest.MonkeyPatch) -> None:
    original = index_writes.sorted_kernels.config

    def small(*arguments: Any) -> Any:
        return {**original(*arguments), "sort_tiles": {"TILE": 16, "num_warps": 1}}

    monkeypatch.setattr(index_writes.sorted_kernels, "config", small)
    same_on_both(lambda draws: draws.numbers(9, 20).index_add_(0, draws.below(9, 2500), draws.numbers(2500, 20)))


@pytest.mark.long
def test_long_runs(cuda: FakeCuda) -> None:
    """One target throughout; runs that fill a chunk, or just not; runs that begin and end within lanes."""
    rest = [4] * 255 + [5] * 256 + [6] * 257 + [1] * 600
    for ids in ([5] * 300, [5] * 511 + [7] * 512 + [2] * 513, [8] * 100 + rest, [*range(9)] * 7 + rest):

        def program(draws: Draws, ids: list[int] = ids) -> Any:
            return draws.numbers(9, 20).index_add_(0, draws.tensor(ids), draws.numbers(len(ids), 20))

        same_on_both(program)


def test_long_runs_of_several_lists(cuda: FakeCuda) -> None:
    """Columns with indices of their own; a run ends where the next list begins with a smaller target, or goes on as another."""

    def program(draws: Draws) -> Any:
        at = numpy.minimum(draws.generator.zipf(1.3, (600, 9)) - 1, 5)
        at[:, 3] = at[:, 4] = 5
        return draws.numbers(6, 9).scatter_add_(0, draws.tensor(at), draws.numbers(600, 9))

    same_on_both(program)


@pytest.mark.parametrize("cols", [20, 1])
def test_gradients_write_all_rows(compiled: list[str], cols: int) -> None:
    """No zeros are written first, over which rows are written: those that nothing is added to have theirs from the same launch."""

    def program(draws: Draws) -> Any:
        at = draws.tensor([5] * 600 + [399, 7, 7, 0] + [30] * 255)
        return gradient(lambda w, i: F.embedding(i, w), draws, draws.numbers(400, cols), at)

    same_on_both(program)
    same_on_both(
        lambda draws: gradient(lambda w, i: F.embedding(i, w), draws, draws.numbers(50, cols), draws.tensor([3, 3]))
    )
    same_on_both(
        lambda draws: gradient(lambda w, i: F.embedding(i, w), draws, draws.numbers(50, cols), draws.tensor([]))
    )
    assert {"add_to_all", "add_long_runs"} <= set(compiled) and "add_runs" not in compiled


@pytest.mark.parametrize(
    "dtype",
    [flow.bfloat16, *(pytest.param(d, marks=pytest.mark.long) for d in (flow.float32, flow.float64, flow.int32))],
)
def test_dtypes(cuda: FakeCuda, dtype: Any) -> None:
    """A half type is rounded once on both."""

    def program(draws: Draws) -> Any:
        x = draws.numbers(6, 20, dtype=dtype)
        return x.index_add_(0, draws.below(6, 64), draws.numbers(64, 20, dtype=dtype))

    same_on_both(program)


def gradient(function: Callable[..., Any], draws: Draws, x: Any, *rest: Any) -> Any:
    x.requires_grad_()
    y = function(x, *rest)
    return flow.autograd.grad([y], [x], [draws.numbers(*y.shape)])[0]


def assigned(x: Any, at: Any, value: Any) -> Any:
    x[at] = value
    return x


PROGRAMS: dict[str, Program] = {
    "embedding backward": lambda draws: gradient(lambda w, i: F.embedding(i, w), draws, draws.numbers(30, 20), draws.below(30, 4, 16)),
    "index_select backward": lambda draws: gradient(
        lambda x, i: x.index_select(1, i), draws, draws.numbers(3, 30, 4), draws.below(30, 64)
    ),
    "gather backward": lambda draws: gradient(lambda x, i: x.gather(1, i), draws, draws.numbers(5, 9), draws.below(9, 5, 64)),
    "two indices": lambda draws: gradient(
        lambda x, i, j: x[:, i, j], draws, draws.numbers(3, 5, 6, 7), draws.below(5, 64, low=-5), draws.below(6, 64)
    ),
    "broadcast indices": lambda draws: gradient(
        lambda x, i, j: x[i, j], draws, draws.numbers(7, 6, 5), draws.below(7, 8, 1), draws.below(6, 1, 8)
    ),
    "a number everywhere": lambda draws: assigned(draws.numbers(7, 20), draws.below(7, 64), 2.5),
    "last value": lambda draws: assigned(draws.numbers(7, 20), draws.below(7, 64), draws.numbers(64, 20)),
    "last value at two indices": lambda draws: assigned(
        draws.numbers(5, 6, 20), (draws.below(5, 64, low=-5), draws.below(6, 64)), draws.numbers(64, 20)
    ),
    "columns of a transposed tensor": lambda draws: draws.numbers(20, 7).t().index_add_(0, draws.below(7, 64), draws.numbers(64, 20)),
    "indices of 32 bits": lambda draws: draws.numbers(7, 20).index_add_(0, draws.below(7, 64).to(flow.int32), draws.numbers(64, 20)),
    "one column": lambda draws: draws.numbers(7).index_add_(0, draws.below(7, 64), draws.numbers(64)),
    "scatter_add of rows": lambda draws: draws.numbers(9, 6).scatter_add(0, draws.below(9, 64, 5), draws.numbers(64, 6)),
    "scatter_add of columns": lambda draws: draws.numbers(6, 9).scatter_add_(1, draws.below(9, 5, 64), draws.numbers(6, 64)),
    "scatter_add by an index for all": lambda draws: draws.numbers(6, 9, 7).scatter_add(
        1, draws.below(9, 1, 64, 1).expand(6, 64, 7), draws.numbers(6, 64, 7)
    ),
    "scatter_add by an index for some": lambda draws: draws.numbers(6, 9, 7).scatter_add(
        1, draws.below(9, 6, 64, 1).expand(6, 64, 7), draws.numbers(6, 64, 7)
    ),
    "scatter": lambda draws: draws.numbers(6, 9).scatter(1, draws.below(9, 6, 64), draws.numbers(6, 64)),
    "scatter of a number": lambda draws: draws.numbers(9, 6).scatter(0, draws.below(9, 64, 6), 1.5),
}  # fmt: skip


@pytest.mark.parametrize(
    "name", [name if k % 8 == 0 else pytest.param(name, marks=pytest.mark.long) for k, name in enumerate(PROGRAMS)]
)
def test_same_bits(compiled: list[str], name: str) -> None:
    same_on_both(PROGRAMS[name])
    assert "sort_tiles" in compiled and "put" not in compiled


def test_numbers_that_are_none(cuda: FakeCuda) -> None:
    """NaN, infinities and zeros of both signs, added and written."""

    def program(draws: Draws) -> Any:
        x = flow.tensor([0.0, -0.0, numpy.inf, numpy.nan] * 2, device=draws.device)
        y = flow.tensor([-0.0, 0.0, numpy.inf, -numpy.inf, numpy.nan, 1.0] * 11, device=draws.device)
        x.index_add_(0, draws.below(8, 66), y)
        return flow.cat([x, assigned(x + 0, draws.below(8, 66), y)])

    same_on_both(program)


def test_a_bad_index_writes_nothing_and_is_reported(cuda: FakeCuda) -> None:
    def program(draws: Draws) -> Any:
        at = draws.below(7, 64)
        if draws.device == "cuda":
            at[30] = 7
            at[40] = -1
        value = draws.numbers(64, 20)
        if draws.device == "cpu":
            at[30] = at[40] = 0
            value[30] = value[40] = 0
        return flow.zeros(7, 20, device=draws.device).index_add_(0, at, value)

    with pytest.raises(IndexOutOfRangeError, match="dimension 0 with size 7"):
        same_on_both(program)
        flow.sync()


def test_a_shard(compiled: list[str]) -> None:
    """Rows 4 to 10 of 20: other ranks have the other rows, which are no errors."""

    def program(draws: Draws) -> Any:
        x, at, y = draws.numbers(7, 20), draws.below(20, 64), draws.numbers(64, 20)
        rows = ((20, 4),)
        written = eager_local.apply(op_expr("index_put"), (x, y, at), OpContext((0, False, False, False, rows), ()))
        added = eager_local.apply(op_expr("index_get_grad"), (y, at), OpContext(((7, 20), 0, False, rows), ()))
        return flow.cat([written, added])

    same_on_both(program)
    flow.sync()
    assert "sort_tiles" in compiled and "put" not in compiled


def test_nothing_to_write_to(compiled: list[str]) -> None:
    x = flow.zeros(0, 20, device="cuda")
    with pytest.raises(IndexOutOfRangeError, match="dimension with size 0"):
        x.index_add_(0, flow.zeros(64, dtype=flow.int64, device="cuda"), flow.zeros(64, 20, device="cuda"))
    x = flow.zeros(7, 0, device="cuda")
    x.index_add_(0, flow.full((64,), 9, dtype=flow.int64, device="cuda"), flow.zeros(64, 0, device="cuda"))
    flow.sync()


def test_few_positions_and_many_columns_are_not_sorted(compiled: list[str]) -> None:
    same_on_both(lambda draws: draws.numbers(7, 20).index_add_(0, draws.below(7, 16), draws.numbers(16, 20)))
    same_on_both(
        lambda draws: draws.numbers(3, 300_000).scatter_add_(0, draws.below(3, 17, 300_000), draws.numbers(17, 300_000))
    )
    assert "sort_tiles" not in compiled


def test_in_a_graph(compiled: list[str]) -> None:
    def program(draws: Draws) -> Any:
        table, ids, weights = draws.numbers(30, 20).requires_grad_(), draws.below(30, 300), draws.numbers(300, 20)

        def step(x: Any, i: Any, w: Any) -> Any:
            return flow.autograd.grad([F.embedding(i, x) * 2.0], [x], [w])[0]

        return flow.compile(step)(table, ids, weights)

    same_on_both(program)
    assert "sort_tiles" in compiled and "put" not in compiled
