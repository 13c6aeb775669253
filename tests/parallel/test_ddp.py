"""DistributedDataParallel: groups, hooks, views of buckets, uneven inputs, means of tokens. On simulated ranks."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow
from tests.consistent.test_data_parallel import Net, Scale, grads, on_ranks
from tritonflow import nn
from tritonflow.errors import ArgumentTypeError, ArgumentValueError, InvalidArgumentError, RankError
from tritonflow.nn.parallel import DistributedDataParallel, Join
from tritonflow.wire.world import this_rank

BATCH = numpy.random.default_rng(0).standard_normal((8, 3)).astype(numpy.float32)


def step(model: Any, x: Any) -> None:
    (model(x) ** 2).mean().backward()


# -------------------------------------------------------------------------------------------------------------- groups


@pytest.mark.parametrize("as_mesh", [False, True])
def test_a_group_averages_for_itself(as_mesh: bool) -> None:
    """Ranks 0, 1 and ranks 2, 3 have models of their own."""

    def f(rank: int) -> Any:
        first = rank // 2 * 2
        if as_mesh:
            group: Any = flow.distributed.init_device_mesh("cpu", (2, 2), mesh_dim_names=("group", "dp"))["dp"]
        else:
            group = flow.distributed.new_group([first, first + 1])
        module = Scale()
        module.a.data.fill_(10.0 * rank + 2)
        model = DistributedDataParallel(module, process_group=group)
        assert model.process_group.ranks == (first, first + 1) and copy.deepcopy(model).process_group.ranks == (first, first + 1)
        model(flow.tensor([rank + 1.0]), "ab").sum().backward()
        return model.a.item(), grads(model)

    assert on_ranks(4, f) == [(2.0, [[1.5 * 3], [1.5 * 2], [0.0]])] * 2 + [(22.0, [[3.5 * 3], [3.5 * 22], [0.0]])] * 2


def test_a_rank_outside_of_the_group() -> None:
    def f(rank: int) -> None:
        if rank == 1:
            with pytest.raises(InvalidArgumentError, match="rank 1 calls it for ranks \\[0\\], and is none of them"):
                DistributedDataParallel(Net(), process_group=[0])

    on_ranks(2, f)


# --------------------------------------------------------------------------------------------------------------- views


def trained(rank: int, world: int, **options: Any) -> list[Any]:
    """Weights after three steps of two accumulated backwards each."""
    model = DistributedDataParallel(Net(rank), bucket_cap_mb=7e-5, **options)
    optimizer = flow.optim.AdamW(model.parameters(), lr=0.1)
    rows = BATCH[rank::world]
    for k in range(3):
        with model.no_sync():
            step(model, flow.tensor(rows[:1]))
        step(model, flow.tensor(rows[1:]))
        optimizer.step()
        optimizer.zero_grad(set_to_none=k != 1)
    return [p.numpy() for p in model.parameters()]


@pytest.mark.parametrize("world", [1, 2, 3])
def test_views_of_buckets_change_no_bit(world: int) -> None:
    plain = on_ranks(world, lambda rank: trained(rank, world))
    views = on_ranks(world, lambda rank: trained(rank, world, gradient_as_bucket_view=True))
    assert all((a == b).all() for ours, theirs in zip(plain, views) for a, b in zip(ours, theirs))


def test_gradients_stay_where_they_are() -> None:
    def f(rank: int) -> None:
        model = DistributedDataParallel(Net(), gradient_as_bucket_view=True)
        addresses = []
        for _ in range(3):
            step(model, flow.tensor(BATCH[rank::2]))
            addresses.append([p.grad.data_ptr() for p in model.parameters()])
            model.zero_grad()
        assert addresses[0] == addresses[1] == addresses[2]
        assert len({p.grad for p in model.parameters()}) == 1, "none"

    on_ranks(2, f)


# --------------------------------------------------------------------------------------------------------------- hooks


def by_sum(state: Any, bucket: Any) -> Any:
    """The mean as a hook; it notes in `state` what it was called with."""
    state.append((bucket.index(), bucket.is_last(), [list(p.shape) for p in bucket.parameters()]))
    assert [list(g.shape) for g in bucket.gradients()] == state[-1][2]
    return flow.comm.all_reduce(bucket.buffer()) / this_rank().world_size


class Later:
    """A future."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def wait(self) -> Any:
        return [self.value]


@pytest.mark.parametrize("later", [False, True])
@pytest.mark.parametrize("view", [False, True])
def test_a_hook_averages(later: bool, view: bool) -> None:
    def f(rank: int) -> None:
        plain = DistributedDataParallel(Net())
        model, state = DistributedDataParallel(Net(), bucket_size=2, gradient_as_bucket_view=view), []
        model.register_comm_hook(state, (lambda s, b: Later(by_sum(s, b))) if later else by_sum)
        for _ in range(2):
            for one in (plain, model):
                step(one, flow.tensor(BATCH[rank::2]))
            assert grads(plain) == grads(model)
            plain.zero_grad()
            model.zero_grad()
        assert state == [(0, False, [[2], [2, 4]]), (1, True, [[4], [4, 3]])] * 2

    on_ranks(2, f)


def test_a_hook_may_compress() -> None:
    def f(rank: int) -> None:
        plain, model = DistributedDataParallel(Net()), DistributedDataParallel(Net())
        model.register_comm_hook(None, lambda _, bucket: flow.comm.all_reduce(bucket.buffer().to(flow.bfloat16)) / 2)
        for one in (plain, model):
            step(one, flow.tensor(BATCH[rank::2]))
        for p, q in zip(plain.parameters(), model.parameters()):
            assert q.grad.dtype is flow.float32
            numpy.testing.assert_allclose(q.grad.numpy(), p.grad.numpy(), atol=0.02)

    on_ranks(2, f)


def test_wrong_hooks() -> None:
    model = DistributedDataParallel(Net())
    with pytest.raises(ArgumentTypeError, match="argument 'hook' must be callable, not int"):
        model.register_comm_hook(None, 3)
    model.register_comm_hook(None, lambda state, bucket: None)
    with pytest.raises(InvalidArgumentError, match="can only be called once"):
        model.register_comm_hook(None, by_sum)
    with pytest.raises(ArgumentTypeError, match="a communication hook must return a tensor, or a future of one, not NoneType"):
        step(model, flow.tensor(BATCH))


# ------------------------------------------------------------------------------------------------------------- buffers


class Two(nn.Module):
    """Two buffers of one shape, in an order that may differ."""

    def __init__(self, rank: int, names: str) -> None:
        super().__init__()
        self.weight = nn.Parameter(flow.ones(1))
        for name in names:
            self.register_buffer(name, flow.tensor([10.0 * rank + ord(name) - ord("a")]))

    def forward(self, x: Any) -> Any:
        return x * self.weight + self.a + self.b


def test_buffers_are_found_by_name() -> None:
    def f(rank: int) -> Any:
        model = DistributedDataParallel(Two(rank, "ba" if rank else "ab"))
        model(flow.ones(1))
        return model.a.item(), model.b.item()

    assert on_ranks(2, f) == [(0.0, 1.0)] * 2


def test_buffers_of_other_names_are_an_error() -> None:
    def f(rank: int) -> None:
        model = Two(rank, "ab")
        if rank:
            model.register_buffer("c", model._buffers.pop("b"))
            model.b = 0
        DistributedDataParallel(model)(flow.ones(1))

    with pytest.raises(RankError, match="2 buffers, a to c"):
        on_ranks(2, f)


def test_names_to_ignore() -> None:
    def f(rank: int) -> Any:
        module = Two(rank, "ab")
        DistributedDataParallel._set_params_and_buffers_to_ignore_for_model(module, ["b", "weight"])
        model = DistributedDataParallel(module)
        model(flow.tensor([rank + 1.0])).sum().backward()
        return model.a.item(), model.b.item(), model.weight.grad.item()

    assert on_ranks(2, f) == [(0.0, 1.0, 1.0), (0.0, 11.0, 2.0)]


# ------------------------------------------------------------------------------------------------------- uneven inputs


def normalised_net() -> Any:
    """A net behind a batch norm, whose buffers follow the batches."""
    module = nn.Sequential(nn.BatchNorm1d(3, affine=False, momentum=0.5), Net(0))
    for k, p in enumerate(module.parameters()):
        p.data.copy_(flow.tensor(numpy.random.default_rng(k).uniform(-0.5, 0.5, tuple(p.shape)).astype(numpy.float32)))
    return module


def uneven(divide: bool, count: Callable[[int], int], **options: Any) -> list[Any]:
    """The weights of each rank after as many steps as it has inputs; and those of one process that sees the same sums."""

    def f(rank: int) -> Any:
        module = normalised_net()
        model: Any = DistributedDataParallel(module, **options)
        optimizer = flow.optim.SGD(model.parameters(), lr=0.1)
        with model.join(divide_by_initial_world_size=divide):
            for k in range(count(rank)):
                optimizer.zero_grad()
                step(model, flow.tensor(BATCH[k : k + 3] + rank))
                optimizer.step()
        return [x.numpy() for x in (*model.parameters(), *model.buffers())]

    return on_ranks(3, f)


def reference(divide: bool, count: Callable[[int], int]) -> list[Any]:
    """The same in torch, rank by rank. The buffers are those of the first rank with inputs."""
    weights = [torch.from_numpy(p.detach().numpy().copy()).double().requires_grad_() for p in normalised_net().parameters()]
    buffers = {rank: (torch.zeros(3).double(), torch.ones(3).double()) for rank in range(3)}
    for k in range(max(map(count, range(3)))):
        active = [rank for rank in range(3) if count(rank) > k]
        loss: Any = 0
        start = buffers[active[0]]
        for rank in active:
            x = torch.from_numpy(BATCH[k : k + 3] + rank).double()
            m, v = buffers[rank] = start[0].clone(), start[1].clone()
            x = torch.nn.functional.batch_norm(x, m, v, training=True, momentum=0.5)
            loss = loss + ((torch.relu(x @ weights[0].T + weights[1]) @ weights[2].T + weights[3]) ** 2).mean()
        gradients = torch.autograd.grad(loss / (3 if divide else len(active)), weights)
        with torch.no_grad():
            for w, g in zip(weights, gradients):
                w -= 0.1 * g
    return [x.detach().numpy() for x in (*weights, *buffers[active[0]])]


@pytest.mark.parametrize("divide", [True, False])
@pytest.mark.parametrize("counts", [(3, 3, 3), (1, 4, 2), (0, 2, 2), (4, 0, 0)])
def test_ranks_without_inputs(divide: bool, counts: tuple[int, ...]) -> None:
    found = uneven(divide, counts.__getitem__, bucket_size=2, gradient_as_bucket_view=divide)
    expected = reference(divide, counts.__getitem__)
    for rank in found:
        for ours, theirs, first in zip(rank, expected, found[0]):
            numpy.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-5)
            assert (ours == first).all()


def test_join_with_backwards_that_do_not_average() -> None:
    """Within `no_sync`, and of forwards that nobody differentiates, no rank waits for another."""

    def f(rank: int) -> Any:
        model = DistributedDataParallel(Scale(), broadcast_buffers=False)
        with model.join(divide_by_initial_world_size=False):
            for _ in range(rank + 1):
                with flow.no_grad():
                    model(flow.ones(1), "ab")
                with model.no_sync():
                    model(flow.ones(1), "ab").sum().backward()
                model(flow.ones(1), "ab").sum().backward()
        return grads(model)

    assert on_ranks(2, f)[1] == [[6.0 + 3.0 + 3.0], [4.0 + 2.0 + 2.0], [0.0]]


def test_join_that_throws() -> None:
    def f(rank: int) -> None:
        model = DistributedDataParallel(Scale())
        with pytest.raises(RuntimeError, match=r"exhausted inputs: \[0\]. Throwing across all ranks"):
            with model.join(throw_on_early_termination=True):
                for _ in range(rank + 1):
                    model(flow.ones(1), "ab").sum().backward()
        model(flow.ones(1), "ab").sum().backward()  # it has left the block

    on_ranks(2, f)


def test_wrong_joins() -> None:
    with pytest.raises(ArgumentValueError, match="at least one joinable"):
        Join([])
    model = DistributedDataParallel(Scale())
    with model.join(enable=False):
        assert model.joined is None
    with pytest.raises(ZeroDivisionError), model.join():
        raise ZeroDivisionError
    assert model.joined is None


# ------------------------------------------------------------------------------------------------------ means of tokens


def test_the_mean_of_tokens() -> None:
    """Gradients of one process that has all tokens, over two accumulated backwards; ranks have 7, 2 and 0 of them."""
    labels = numpy.array([[0, 1, 0, 1], [1, 0, 1, -100], [1, -100, -100, -100], [-100, 0, -100, -100], *[[-100] * 4] * 2])
    x = numpy.random.default_rng(1).standard_normal((6, 4, 3)).astype(numpy.float32)
    net = torch.nn.Linear(3, 2).double()
    net.weight.data.copy_(torch.arange(6).reshape(2, 3) / 6)
    net.bias.data.zero_()
    logits = net(torch.from_numpy(x).double())
    loss = torch.nn.functional.cross_entropy(logits.reshape(-1, 2), torch.from_numpy(labels).reshape(-1))
    loss.backward()

    def f(rank: int) -> Any:
        module = nn.Linear(3, 2)
        module.weight.data.copy_(flow.arange(6).reshape(2, 3) / 6)
        module.bias.data.zero_()
        model, mine = DistributedDataParallel(module), labels[2 * rank : 2 * rank + 2]
        count: Any = int((mine != -100).sum())
        losses = []
        for k in range(2):
            logits = model(flow.tensor(x[2 * rank + k]))
            total = nn.functional.cross_entropy(logits, flow.tensor(mine[k]), reduction="sum")
            losses.append(flow.distributed.global_mean(total, count if k else flow.tensor(count)))
        (losses[0] + losses[1]).backward()
        return sum(one.item() for one in losses), module.weight.grad.numpy()

    found = on_ranks(3, f)
    assert abs(numpy.mean([value for value, _ in found]) - loss.item()) < 1e-6
    for _, gradient in found:
        numpy.testing.assert_allclose(gradient, net.weight.grad.numpy(), atol=1e-6)


def test_wrong_counts() -> None:
    loss = flow.ones(())
    with pytest.raises(ArgumentTypeError, match="argument 'count' must be int or Tensor, not float"):
        flow.distributed.global_mean(loss, 2.0)
    with pytest.raises(ArgumentValueError, match="expected count >= 0, got -1"):
        flow.distributed.global_mean(loss, -1)
    with pytest.raises(ArgumentValueError, match="expected one number in 'count'"):
        flow.distributed.global_mean(loss, flow.ones(2))


def test_bytes_of_a_step(sent: Counter[int]) -> None:
    """A mean over n ranks sends 2 (n - 1) / n of the gradients' bytes, whatever the options."""

    def f(rank: int) -> int:
        module = nn.Linear(512, 512, bias=False)
        model = DistributedDataParallel(module, gradient_as_bucket_view=True)
        before = sent[rank]
        step(model, flow.ones(2, 512))
        return sent[rank] - before

    for n in (2, 4):
        assert on_ranks(n, f) == [2 * (n - 1) * 512 * 512 * 4 // n] * n
