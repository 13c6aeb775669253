"""Training over ranks in eager mode, as an `nn.Graph`, as a compiled loss and as a compiled step: what each leaves."""

from __future__ import annotations

from typing import Any

import numpy

import tritonflow as flow
from tests import where
from tests.consistent import test_transformer as transformer
from tests.graph.models import MODELS
from tritonflow import nn
from tritonflow.framework.sbp import broadcast, split
from tritonflow.graph.passes import PASSES
from tritonflow.wire.world import this_rank

KINDS = ("graph", "loss", "step")
PLAIN = frozenset(run.__name__ for run in PASSES if run.__name__ != "remove_dead_code")  # without these bits are eager mode's


def everywhere() -> Any:
    return flow.placement(where.device, range(this_rank().world_size))


def simulated(size: int) -> Any:
    """A world of threads; on a GPU they have nodes of their own, and share it."""
    return flow.testing.simulate(size, size if where.device == "cuda" else 1)


def whole(x: flow.Tensor) -> numpy.ndarray[Any, Any]:
    """The numbers of a tensor, on every rank."""
    return x.detach().to_global(sbp=[broadcast] * x.placement.ndim).to_local().cpu().numpy().copy()


def over_ranks(net: Any, weights: Any = broadcast) -> Any:
    """A module with its tensors on every rank, those that it has twice once."""
    made: dict[int, Any] = {}
    for module in net.modules():
        for name, p in module._parameters.items():
            if p is not None:
                placed = p.detach().to_global(everywhere(), broadcast).to_global(sbp=weights)
                made.setdefault(id(p), nn.Parameter(placed.detach()))
                setattr(module, name, made[id(p)])
        for name, b in module._buffers.items():
            if b is not None:
                module._buffers[name] = b.to_global(everywhere(), broadcast)
    return net


def of_models(name: str, rows: int | None = None, weights: Any = broadcast) -> Any:
    """A net of the graph tests, its batch split over the ranks, and its loss.

    Args:
        rows: of the batch; None for as many as the tests have.
        weights: how parameters lie.
    """
    model = MODELS[name]
    net, batch = over_ranks(model.make(), weights), model.batch()
    if rows is not None:
        batch = tuple([flow.cat(parts)[:rows] for parts in zip(batch, *[model.batch() for _ in range(rows // len(batch[0]))])])
    return net, [x.to_global(everywhere(), broadcast).to_global(sbp=split(0)) for x in batch], model.loss


def transformer_with_split_weights(batch: Any) -> Any:
    """Megatron's layout; or whole weights, and a batch that is split."""
    net = transformer.Model(True)
    for name, p in list(net.named_parameters()):
        layer, _, kind = name.rpartition(".")
        sbp = broadcast if batch is not broadcast else transformer.LAYOUTS.get(layer.rpartition(".")[2], {}).get(kind, broadcast)
        placed = p.detach().to_global(everywhere(), broadcast).to_global(sbp=sbp)
        setattr(net.get_submodule(layer), kind, nn.Parameter(placed.detach()))
    count = transformer.BATCH * transformer.LENGTH
    tokens = flow.arange(count, placement=everywhere(), sbp=broadcast) * 7 % transformer.CLASSES
    tokens = tokens.view(transformer.BATCH, transformer.LENGTH).to_global(sbp=batch)
    positions = flow.arange(transformer.LENGTH, placement=everywhere(), sbp=broadcast)
    return net, [tokens, positions], lambda net, *inputs: net(*inputs)


def trained(make: Any, args: tuple[Any, ...], kind: str, without: Any = frozenset(), steps: int = 3) -> tuple[list[Any], list[Any]]:
    """The losses, and the parameters in the end. Masks and initial values are equal in each kind."""
    flow.manual_seed(3)
    net, batch, loss_of = make(*args)
    optimizer: Any = flow.optim.AdamW(net.parameters(), lr=1e-3)
    if not without:  # AdamW makes whole steps of gradients that are nearly 0: bits of sums would move weights
        optimizer = flow.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    flow.manual_seed(11)

    def step(*inputs: Any) -> Any:
        optimizer.zero_grad()
        loss = loss_of(net, *inputs)
        loss.backward()
        optimizer.step()
        return loss

    run: Any = step
    if kind == "graph":

        class Training(nn.Graph):
            def __init__(self) -> None:
                super().__init__()
                self.net = net
                self.add_optimizer(optimizer)
                self.config.without |= without

            def build(self, *inputs: Any) -> Any:
                loss = loss_of(self.net, *inputs)
                loss.backward()
                return loss

        run = Training()
    elif kind == "step":
        run = flow.compile(step, fullgraph=True)
        run.config.without |= without
    elif kind == "loss":
        compiled = flow.compile(lambda *inputs: loss_of(net, *inputs), fullgraph=True)
        compiled.config.without |= without

        def run(*inputs: Any) -> Any:
            optimizer.zero_grad()
            loss = compiled(*inputs)
            loss.backward()
            optimizer.step()
            return loss

    losses = [whole(run(*batch)) for _ in range(steps)]
    return losses, [whole(p) for p in net.parameters()]


def compared(make: str, args: tuple[Any, ...], kind: str, fused: bool = True) -> None:
    """Train in eager mode and as a program; fused kernels add in another order."""
    losses, weights = trained(globals()[make], args, "eager", frozenset() if fused else PLAIN)
    ours, moved = trained(globals()[make], args, kind, frozenset() if fused else PLAIN)
    if not fused:
        assert all((a == b).all() for a, b in zip([*losses, *weights], [*ours, *moved])), (losses, ours)
        return
    numpy.testing.assert_allclose(ours, losses, rtol=1e-5)
    for a, b in zip(moved, weights):
        numpy.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)


def of_groups(kind: str) -> None:
    """Ranks 0 and 1, and those behind them, compile programs of their own."""
    me = this_rank().index
    ranks = [0, 1] if me < 2 else list(range(2, this_rank().world_size))

    def f(x: Any) -> Any:
        if kind == "comm":
            return flow.comm.all_reduce(x * 2, ranks=ranks) + 1
        if kind == "copies":
            return flow.comm.broadcast(x * 3, ranks[-1], ranks=ranks) * x
        mesh = flow.placement(where.device, ranks, members_only=True)
        return ((x * 3).to_global(mesh, split(0)).sum(0) + x.to_global(mesh, broadcast)).to_global(sbp=broadcast).to_local()

    compiled = flow.compile(f, fullgraph=True)
    for k in range(3):
        x = flow.arange(5.0) * (me + k + 1)
        assert compiled(x).tolist() == f(x).tolist()
    assert len(compiled.captures()) == 1
