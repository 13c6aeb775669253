"""flow.comm: every function on 1 to 4 simulated ranks, its gradient, and what is refused before a byte moves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tritonflow.errors import (
    ArgumentTypeError,
    DTypeError,
    InplaceError,
    InvalidArgumentError,
    LocalityError,
    ShapeError,
)
from tritonflow.wire.world import this_rank

WORLDS = (1, 2, 3, 4)
BASE = numpy.array([[0.5, 2.0, -1.0], [3.0, 0.25, 4.0]], dtype=numpy.float32)


def on_ranks(world: int, function: Callable[..., Any]) -> list[Any]:
    """What `function(rank)` returns on each of so many ranks."""
    return flow.testing.simulate(world)(lambda: function(this_rank().index))()


def tensor(rank: int, times: float = 1.0) -> Any:
    """Rank r's numbers, which are exact in float32 whatever is added."""
    return flow.tensor((BASE + rank) * times)


def value(rank: int, times: float = 1.0) -> Any:
    return (BASE + rank) * times


def total(world: int, times: float = 1.0) -> Any:
    return sum(value(r, times) for r in range(world))


@pytest.mark.parametrize("world", WORLDS)
def test_all_reduce_gives_everyone_the_sum(world: int) -> None:
    def f(rank: int) -> Any:
        x = tensor(rank)
        assert flow.comm.all_reduce(x) is x
        return x.numpy().copy()

    for got in on_ranks(world, f):
        assert (got == total(world)).all()


@pytest.mark.parametrize("dtype", ["float64", "float16", "bfloat16", "int64", "int32", "uint8"])
def test_all_reduce_of_every_numeric_dtype(dtype: str) -> None:
    def f(rank: int) -> Any:
        x = flow.tensor([1, 2, 3], dtype=getattr(flow, dtype)) + rank
        flow.comm.all_reduce(x)
        return x.tolist()

    assert on_ranks(3, f) == [[6, 9, 12]] * 3


def test_half_types_are_added_in_float32() -> None:
    """2048 + 1 + 1 in float16 would be 2048: 2049 is no float16."""

    def f(rank: int) -> Any:
        x = flow.tensor([2048.0 if rank == 0 else 1.0], dtype=flow.float16)
        flow.comm.all_reduce(x)
        return x.tolist()

    assert on_ranks(3, f) == [[2050.0]] * 3


def test_all_reduce_has_the_same_bits_whatever_the_length() -> None:
    """One step or two: short and long tensors are added in the order of the ranks."""
    row = numpy.random.default_rng(0).standard_normal((4, 40_000)).astype(numpy.float32)

    def f(rank: int) -> Any:
        long, short = flow.tensor(row[rank]), flow.tensor(row[rank, :100])
        flow.comm.all_reduce(long)
        flow.comm.all_reduce(short)
        return long.numpy().copy(), short.numpy().copy()

    expected = row[0]
    for k in range(1, 4):
        expected = expected + row[k]
    for long, short in on_ranks(4, f):
        assert (long == expected).all() and (short == expected[:100]).all()


@pytest.mark.parametrize("shape", [(), (0,), (0, 3), (1,), (5, 1, 2)])
def test_any_shape_is_reduced(shape: tuple[int, ...]) -> None:
    def f(rank: int) -> Any:
        x = flow.ones(shape)
        flow.comm.all_reduce(x)
        return x.numpy().copy()

    for got in on_ranks(3, f):
        assert got.shape == shape and (got == 3).all()


def test_tensors_that_are_not_contiguous() -> None:
    def f(rank: int) -> Any:
        x = tensor(rank)
        flow.comm.all_reduce(x.t())
        flow.comm.broadcast(x[:, 1], 1)
        return x.numpy().copy()

    for got in on_ranks(2, f):
        assert (got == total(2)).all()


@pytest.mark.parametrize("world", WORLDS)
def test_reduce_leaves_the_others_as_they_are(world: int) -> None:
    def f(rank: int) -> Any:
        x = tensor(rank)
        flow.comm.reduce(x, world - 1)
        return x.numpy().copy()

    got = on_ranks(world, f)
    assert (got[-1] == total(world)).all()
    assert all((got[r] == value(r)).all() for r in range(world - 1))


@pytest.mark.parametrize("world", WORLDS)
def test_broadcast(world: int) -> None:
    def f(rank: int) -> Any:
        x = tensor(rank)
        flow.comm.broadcast(x, world - 1)
        return x.numpy().copy()

    for got in on_ranks(world, f):
        assert (got == value(world - 1)).all()


@pytest.mark.parametrize("world", WORLDS)
def test_all_gather(world: int) -> None:
    def f(rank: int) -> Any:
        outs = [flow.zeros(2, 3) for _ in range(world)]
        flow.comm.all_gather(outs, tensor(rank))
        stacked, behind = flow.zeros(world, 2, 3), flow.zeros(2 * world, 3)
        flow.comm.all_gather_into_tensor(stacked, tensor(rank))
        flow.comm.all_gather_into_tensor(behind, tensor(rank))
        return [o.numpy().copy() for o in outs], stacked.numpy().copy(), behind.numpy().copy()

    rows = numpy.stack([value(r) for r in range(world)])
    for outs, stacked, behind in on_ranks(world, f):
        assert (numpy.stack(outs) == rows).all() and (stacked == rows).all() and (behind == rows.reshape(-1, 3)).all()


@pytest.mark.parametrize("world", WORLDS)
def test_gather_and_scatter(world: int) -> None:
    dst = world - 1

    def f(rank: int) -> Any:
        outs = [flow.zeros(2, 3) for _ in range(world)] if rank == dst else None
        gathered = flow.comm.gather(tensor(rank), outs, dst)
        new = flow.comm.gather(tensor(rank), dst=dst)
        x = flow.zeros(2, 3)
        flow.comm.scatter(x, [tensor(r, 2.0) for r in range(world)] if rank == dst else None, dst)
        return [g.numpy().copy() for g in gathered], [g.numpy().copy() for g in new], x.numpy().copy()

    for rank, (gathered, new, x) in enumerate(on_ranks(world, f)):
        assert (x == value(rank, 2.0)).all()
        for k in range(world):
            if rank == dst:
                assert (gathered[k] == value(k)).all() and (new[k] == value(k)).all()
            else:
                assert gathered[k].size == 0


@pytest.mark.parametrize("world", WORLDS)
def test_reduce_scatter(world: int) -> None:
    def f(rank: int) -> Any:
        inputs = [tensor(rank, k + 1.0) for k in range(world)]
        out, stacked, behind = flow.zeros(2, 3), flow.zeros(2, 3), flow.zeros(2, 3)
        flow.comm.reduce_scatter(out, inputs)
        flow.comm.reduce_scatter_tensor(stacked, flow.stack(inputs))
        flow.comm.reduce_scatter_tensor(behind, flow.cat(inputs))
        return out.numpy().copy(), stacked.numpy().copy(), behind.numpy().copy()

    for rank, results in enumerate(on_ranks(world, f)):
        assert all((x == total(world, rank + 1.0)).all() for x in results)


@pytest.mark.parametrize("world", WORLDS)
def test_all_to_all(world: int) -> None:
    def f(rank: int) -> Any:
        outs = [flow.zeros(2, 3) for _ in range(world)]
        flow.comm.all_to_all(outs, [tensor(rank, k + 1.0) for k in range(world)])
        return [o.numpy().copy() for o in outs]

    for rank, outs in enumerate(on_ranks(world, f)):
        assert all((outs[k] == value(k, rank + 1.0)).all() for k in range(world))


@pytest.mark.parametrize("dtype", ["float32", "bool", "int64"])
def test_send_and_recv(dtype: str) -> None:
    def f(rank: int) -> Any:
        x = tensor(2).to(getattr(flow, dtype))
        if rank == 2:
            flow.comm.send(x, 0)
            flow.comm.send(x.t(), 0)
            flow.comm.send(x, 0, send_meta=False)
        elif rank == 0:
            out = flow.zeros(3, 2, dtype=x.dtype)
            came = flow.comm.recv(2)
            assert flow.comm.recv(2, out=out) is out
            told = flow.comm.recv(2, x.shape, x.dtype, x.device)
            assert came.dtype is x.dtype and (came.numpy() == x.numpy()).all() and (told.numpy() == x.numpy()).all()
            assert (out.numpy() == x.numpy().T).all()
        flow.comm.barrier()

    on_ranks(3, f)


# -------------------------------------------------------------------------------------------------------------- gradients


def adjoint(world: int, program: Callable[[int, Any], Any]) -> None:
    """<w, f(x)> = <f'(w), x> over all ranks, f being linear: what backward gives is the adjoint of what forward does.

    `program(rank, x)` returns the tensors that a rank gets of its x.
    """
    generator = numpy.random.default_rng(world)
    xs = generator.integers(-4, 5, (world, world, 2, 3)).astype(numpy.float32)

    def f(rank: int) -> Any:
        x = flow.tensor(xs[rank], requires_grad=True)
        got = program(rank, x)
        weights = [flow.tensor(((numpy.arange(y.numel()) * 7 + rank) % 5).astype(numpy.float32)).reshape(y.shape) for y in got]
        loss = sum((y * w).sum() for y, w in zip(got, weights))
        loss.backward()
        return loss.item(), float((x.grad.numpy() * xs[rank]).sum()), x.grad is not None

    results = on_ranks(world, f)
    assert sum(r[0] for r in results) == sum(r[1] for r in results)
    assert any(r[0] for r in results)


def _reduce_all(rank: int, x: Any) -> Any:
    y = x * 1
    flow.comm.all_reduce(y)
    return [y]


def _broadcast(rank: int, x: Any) -> Any:
    y = x * 1
    flow.comm.broadcast(y, 1)
    return [y]


def _reduce(rank: int, x: Any) -> Any:
    return [flow.comm.reduce(x * 1, 1)]


def _all_gather(rank: int, x: Any) -> Any:
    outs = [flow.zeros_like(x) for _ in range(x.shape[0])]
    return flow.comm.all_gather(outs, x)


def _all_gather_into_tensor(rank: int, x: Any) -> Any:
    return [flow.comm.all_gather_into_tensor(flow.zeros(x.shape[0] ** 2, 2, 3), x)]


def _gather(rank: int, x: Any) -> Any:
    return flow.comm.gather(x, dst=1)


def _scatter(rank: int, x: Any) -> Any:
    y = x[0] * 0
    return [flow.comm.scatter(y, list(x.unbind(0)) if rank == 1 else None, 1)]


def _reduce_scatter(rank: int, x: Any) -> Any:
    return [flow.comm.reduce_scatter(flow.zeros(2, 3), list(x.unbind(0)))]


def _reduce_scatter_tensor(rank: int, x: Any) -> Any:
    return [flow.comm.reduce_scatter_tensor(flow.zeros(2, 3), x)]


def _all_to_all(rank: int, x: Any) -> Any:
    return flow.comm.all_to_all([flow.zeros(2, 3) for _ in range(x.shape[0])], list(x.unbind(0)))


@pytest.mark.parametrize(
    "program",
    [_reduce_all, _broadcast, _reduce, _all_gather, _all_gather_into_tensor, _gather, _scatter, _reduce_scatter]
    + [_reduce_scatter_tensor, _all_to_all],
    ids=lambda f: f.__name__.strip("_"),
)
def test_backward_is_the_adjoint(program: Callable[[int, Any], Any]) -> None:
    for world in (2, 3):
        adjoint(world, program)


def test_the_second_derivative_of_all_reduce() -> None:
    """y = (sum of x)^3 on every rank, summed over ranks: each derivative is over all ranks again."""

    def f(rank: int) -> Any:
        x = flow.tensor([rank + 1.0], requires_grad=True)
        y = x * 1
        flow.comm.all_reduce(y)
        (first,) = flow.autograd.grad((y**3).sum(), x, create_graph=True)
        (second,) = flow.autograd.grad(first.sum(), x)
        return first.item(), second.item()

    assert on_ranks(2, f) == [(2 * 3 * 3.0**2, 2 * 2 * 6 * 3.0)] * 2


# ------------------------------------------------------------------------------------------------------------ wrong calls


def test_wrong_calls_are_refused_and_move_nothing() -> None:
    comm, x, leaf = flow.comm, flow.ones(2), flow.ones(2, requires_grad=True)

    def f(rank: int) -> Any:
        with pytest.raises(ArgumentTypeError, match=r"all_reduce\(\): argument 'tensor' must be tensor, not list"):
            comm.all_reduce([1.0])
        with pytest.raises(InplaceError, match="leaf Tensor that requires grad"):
            comm.all_reduce(leaf)
        with pytest.raises(InvalidArgumentError, match=r"broadcast\(\): src=2 is not among the 2 ranks of the world"):
            comm.broadcast(x, 2)
        with pytest.raises(ArgumentTypeError, match=r"reduce\(\): argument 'dst' must be int, not float"):
            comm.reduce(x, 1.0)
        with pytest.raises(InvalidArgumentError, match=r"all_gather\(\): expected 2 tensors in 'tensor_list', one for each rank, got 1"):
            comm.all_gather([flow.zeros(2)], x)
        with pytest.raises(ShapeError, match=r"all_gather\(\): expected 'tensor_list\[1\]' of size \[2\], got \[3\]"):
            comm.all_gather([flow.zeros(2), flow.zeros(3)], x)
        with pytest.raises(DTypeError, match=r"expected 'output_tensor' of dtype tritonflow.float32, got tritonflow.int64"):
            comm.all_gather_into_tensor(flow.zeros(4, dtype=flow.int64), x)
        with pytest.raises(ShapeError, match=r"reduce_scatter_tensor\(\): expected 'input_tensor' of size \[4\], got \[3\]"):
            comm.reduce_scatter_tensor(x, flow.zeros(3))
        with pytest.raises(InvalidArgumentError, match=r"send\(\): dst=. is this rank itself"):
            comm.send(x, rank)
        with pytest.raises(InvalidArgumentError, match="shape, dtype and device together, or none of them"):
            comm.recv(1 - rank, (2,))
        placed = flow.ones(2, placement=flow.placement.all("cpu"), sbp=flow.sbp.broadcast)
        with pytest.raises(LocalityError, match=r"comm.all_reduce\(\): expected a local tensor"):
            comm.all_reduce(placed)
        flow.comm.all_reduce(total := x + rank)  # the world is as it was
        assert total.tolist() == [3.0, 3.0]

    on_ranks(2, f)


def test_ranks_of_a_simulated_world_have_random_numbers_of_their_own() -> None:
    """As processes have: ranks that seed and draw at the same time do not disturb each other, nor the process."""
    flow.manual_seed(7)
    before = flow.get_rng_state()

    def f(rank: int) -> Any:
        flow.manual_seed(3)
        drawn = [flow.rand(2).tolist() for _ in range(20)]
        placed = flow.rand(2, placement=flow.placement.all("cpu"), sbp=flow.sbp.broadcast).numpy().tolist()
        return drawn, placed

    first, *others = on_ranks(3, f)
    assert all(other == first for other in others)
    assert first[1] == first[0][0], "both generators have the seed"
    assert flow.get_rng_state() == before
