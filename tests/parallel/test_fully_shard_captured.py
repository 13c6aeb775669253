"""fully_shard in programs: eager mode's bits, memory, what is refused. On simulated ranks, and a few on processes."""

from __future__ import annotations

import warnings
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tests.consistent.graph_programs import KINDS, PLAIN
from tests.consistent.pool import Pool
from tests.consistent.test_data_parallel import on_ranks
from tests.consistent.test_no_backend_adds import no_backend_adds
from tests.parallel import small_gpt
from tests.parallel.test_fully_shard import ROWS, Layer, Net, grads, same, weights
from tests.parallel.test_fully_shard import whole as whole_of
from tritonflow import nn
from tritonflow.distributed import CPUOffloadPolicy, MixedPrecisionPolicy, fully_shard, init_device_mesh
from tritonflow.errors import AutogradError, CaptureError, InplaceError, InvalidArgumentError, RankError, VersionError
from tritonflow.graph.api import differentiate
from tritonflow.graph.ir import CollectiveStart
from tritonflow.graph.ranks import decide
from tritonflow.graph.ranks.cast_first import cast_first
from tritonflow.graph.ranks.cut_first import cut_first
from tritonflow.graph.ranks.regather import regather
from tritonflow.wire.world import this_rank

HALF = MixedPrecisionPolicy(flow.bfloat16)
HALF_INSIDE = MixedPrecisionPolicy(flow.bfloat16, flow.float32)
HALF_OUTSIDE = MixedPrecisionPolicy(flow.bfloat16, flow.float32, flow.float32)


class Plain(Layer):
    """A layer that sets nothing."""

    def forward(self, x: Any) -> Any:
        return (x @ self.weight.t() + self.bias).tanh()


class PlainNet(Net):
    """Such layers, and a weight of its own."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(3, seed)
        self.layers = nn.ModuleList([Plain(seed + k) for k in range(3)])


class Tied(PlainNet):
    """The weight twice, and one that nobody reads."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self.unread = nn.Parameter(flow.ones(5))
        self.other = nn.Module()
        self.other.weight = self.last

    def forward(self, x: Any) -> Any:
        return super().forward(x) + (x * 2) @ self.other.weight


class Twice(PlainNet):
    """Units that are called several times, one in a row and one in between."""

    def forward(self, x: Any) -> Any:
        for k in (0, 0, 1, 0, 2):
            x = self.layers[k](x)
        return x @ self.last


class Frozen(PlainNet):
    """A parameter that is not trained."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self.layers[1].weight.requires_grad_(False)


class Checkpoints(PlainNet):
    """Units that backward computes again."""

    def forward(self, x: Any) -> Any:
        for layer in self.layers:
            x = flow.utils.checkpoint.checkpoint(layer, x, use_reentrant=False)
        return x @ self.last


class Few(nn.Module):
    """Units of which some ranks have no row."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(6, 3), nn.Linear(3, 1)])
        for k, p in enumerate(self.parameters()):
            p.data.copy_(flow.tensor(numpy.random.default_rng(k).normal(0, 0.5, tuple(p.shape)).astype(numpy.float32)))

    def forward(self, x: Any) -> Any:
        return self.layers[1](self.layers[0](x).tanh())


class Inside(nn.Module):
    """Units in a unit that has a parameter of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = fully_shard(Plain(1)), fully_shard(Plain(2))
        self.scale = nn.Parameter(flow.ones(6) * 0.5)

    def forward(self, x: Any) -> Any:
        return self.second(self.first(x) * self.scale) + self.scale


def units(model: Any, inside: Any = None, **options: Any) -> Any:
    """Each layer a unit, and the model."""
    for layer in model.layers:
        fully_shard(layer, **{**options, **({} if inside is None else {"mp_policy": inside})})
    return fully_shard(model, **options)


def over_both(model: Any, **options: Any) -> Any:
    return units(model, mesh=init_device_mesh("cpu", (2, 2)), **options)


def rows(rank: int, world: int, k: int = 0, count: int = 2) -> flow.Tensor:
    return flow.tensor(ROWS[rank::world][k : k + count])


def stepping(model: Any, optimizer: Any, kind: str, without: Any = PLAIN) -> Any:
    """A training step in eager mode, or as a program of a kind."""

    def loss_of(x: Any) -> Any:
        return (model(x) ** 2).mean()

    def step(x: Any, loss_of: Any = loss_of) -> Any:
        optimizer.zero_grad()
        loss = loss_of(x)
        loss.backward()
        optimizer.step()
        return loss

    if kind == "graph":

        class Training(nn.Graph):
            def __init__(self) -> None:
                super().__init__()
                self.net = model
                self.add_optimizer(optimizer)
                self.config.without |= without

            def build(self, x: Any) -> Any:
                loss = loss_of(x)
                loss.backward()
                return loss

        return Training()
    if kind == "eager":
        return step
    compiled = flow.compile(step if kind == "step" else loss_of, fullgraph=True)
    compiled.config.without |= without
    return compiled if kind == "step" else lambda x: step(x, compiled)


def trained(make: Any, wrap: Any, kind: str, steps: int = 3) -> list[Any]:
    """The losses and the weights behind some steps."""
    rank, world = this_rank().index, this_rank().world_size
    model = wrap(make(7 * rank) if make is not Inside else nn.Sequential(*[fully_shard(Inside()) for _ in range(2)]))
    step = stepping(model, flow.optim.AdamW(model.parameters(), lr=0.05), kind)
    return [*[step(rows(rank, world, k % 2)).float().numpy().copy() for k in range(steps)], *weights(model)]


# ---------------------------------------------------------------------------------------------------------------- bits


CASES: list[Any] = [
    (Net, units, 1), (PlainNet, units, 3), (Tied, units, 2), (Twice, units, 2), (Frozen, units, 2), (Checkpoints, units, 2),
    (Few, units, 4), (Inside, fully_shard, 2), (PlainNet, fully_shard, 2), (PlainNet, over_both, 4),
    (PlainNet, lambda m: units(m, reshard_after_forward=False), 2),
    (PlainNet, lambda m: units(m, offload_policy=CPUOffloadPolicy()), 2),
    (PlainNet, lambda m: units(m, mp_policy=HALF), 3),
    (PlainNet, lambda m: units(m, mp_policy=MixedPrecisionPolicy(None, flow.bfloat16)), 3),
    (Checkpoints, lambda m: over_both(m, inside=HALF_INSIDE, mp_policy=HALF_OUTSIDE), 4),
]  # fmt: skip


@pytest.mark.parametrize("make, wrap, world", CASES)
def test_a_program_has_the_bits_of_eager_mode(make: Any, wrap: Any, world: int) -> None:
    """Losses and weights, of each kind of program. Where nothing is fused each number is rounded and added as in eager mode."""

    def f(rank: int) -> Any:
        expected = trained(make, wrap, "eager")
        return [same(expected, trained(make, wrap, kind)) for kind in KINDS]

    assert on_ranks(world, f) == [[True] * len(KINDS)] * world


def test_eager_and_captured_calls_alternate() -> None:
    """Each writes shards that the next one gathers."""

    def f(rank: int) -> Any:
        found = []
        for order in (["eager"] * 7, ["eager", "step", "eager", "loss", "step", "step", "loss"]):
            model = units(PlainNet())
            optimizer = flow.optim.AdamW(model.parameters(), lr=0.05)
            steps = {kind: stepping(model, optimizer, kind) for kind in dict.fromkeys(order)}
            evaluation = flow.compile(lambda x, model=model: model(x), fullgraph=True)
            evaluation.config.without |= PLAIN
            numbers = []
            for k, kind in enumerate(order):
                numbers.append(steps[kind](rows(rank, 2, k % 2)).numpy().copy())
                with flow.no_grad():
                    numbers += [(model if kind == "step" else evaluation)(rows(rank, 2)).numpy().copy()]
            found.append([*numbers, *weights(model)])
        return same(*found)

    assert on_ranks(2, f) == [True] * 2


def test_several_steps_and_models_in_one_program() -> None:
    def f(rank: int) -> Any:
        found = []
        for compiled in (False, True):
            models = [units(PlainNet(seed)) for seed in (0, 5)]
            optimizers = [flow.optim.SGD(model.parameters(), lr=0.05) for model in models]

            def step(x: Any, models: Any = models, optimizers: Any = optimizers) -> Any:
                for _ in range(2):
                    made = flow.cat([models[0](x)] * 3, 1)
                    for optimizer, y in zip(optimizers, (made, made.detach())):
                        models[0].zero_grad()
                        models[1].zero_grad()
                        loss = (models[1](y) ** 2).mean()
                        loss.backward()
                        optimizer.step()
                with flow.no_grad():
                    return loss, models[1](x)

            run = flow.compile(step, fullgraph=True) if compiled else step
            if compiled:
                run.config.without |= PLAIN
            numbers = [x.numpy().copy() for k in range(2) for x in run(rows(rank, 2, k))]
            found.append([*numbers, *weights(models[0]), *weights(models[1])])
        return same(*found)

    assert on_ranks(2, f) == [True] * 2


def test_clipping_and_scales() -> None:
    """A gradient that overflows on one rank skips the step of all."""

    def f(rank: int) -> Any:
        found = []
        for compiled in (False, True):
            model = units(PlainNet())
            optimizer, scaler = flow.optim.SGD(model.parameters(), lr=0.5), flow.amp.GradScaler("cpu", 1024.0, growth_interval=2)

            def step(x: Any, model: Any = model, optimizer: Any = optimizer, scaler: Any = scaler) -> Any:
                optimizer.zero_grad()
                scaler.scale((model(x) ** 2).mean()).backward()
                scaler.unscale_(optimizer)
                norm = nn.utils.clip_grad_norm_(model.parameters(), 0.01)
                scaler.step(optimizer)
                scaler.update()
                return norm

            run: Any = flow.compile(step, fullgraph=True) if compiled else step
            if compiled:
                run.config.without |= PLAIN
            norms = [run(rows(rank, 2, k % 2) * (float("inf") if k == 2 and rank else 1)).numpy().copy() for k in range(4)]
            found.append([numpy.nan_to_num(norms), *weights(model), numpy.array(scaler.get_scale())])
        return same(*found), float(found[0][-1])

    assert on_ranks(2, f) == [(True, 1024.0)] * 2


def test_micro_steps_of_a_graph() -> None:
    def f(rank: int) -> Any:
        model, plain = units(PlainNet()), units(PlainNet())
        graph = stepping(model, flow.optim.AdamW(model.parameters(), lr=0.05), "graph")
        graph.config.set_gradient_accumulation_steps(2)
        optimizer = flow.optim.AdamW(plain.parameters(), lr=0.05)
        for _ in range(2):
            x = rows(rank, 2, 0, 4)
            graph(x)
            optimizer.zero_grad()
            for k in (0, 2):
                loss = (plain(x[k : k + 2]) ** 2).mean()
                loss.backward(flow.tensor(0.5))
            optimizer.step()
        return same(weights(model), weights(plain))

    assert on_ranks(2, f) == [True] * 2


def test_what_is_frozen_later_is_captured_again() -> None:
    def f(rank: int) -> Any:
        found = []
        for kind in ("eager", "loss"):
            model = units(PlainNet())
            step = stepping(model, flow.optim.SGD(model.parameters(), lr=0.05), kind)
            for k in range(4):
                model.layers[1].weight.requires_grad_(k % 2 == 0)
                step(rows(rank, 2))
            found.append(weights(model))
        return same(*found)

    assert on_ranks(2, f) == [True] * 2


# ------------------------------------------------------------------------------------------------- gathers and memory


WITHOUT_BUCKETS = frozenset({"bucket"})


class Block(nn.Module):
    """The products of a transformer's block."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up, self.middle, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width), nn.Linear(width, 4 * width)

    def forward(self, x: Any) -> Any:
        y = self.middle(nn.functional.gelu(self.up(self.norm(x))))
        return x + self.down(y)[..., : x.shape[-1]]


def planned(kind: str, checkpoints: bool = False, width: int = 64, without: Any = WITHOUT_BUCKETS) -> Any:
    """Bytes of the arenas and outputs of the programs of 8 blocks, their starts, bytes of shards, and of whole parameters of a block.

    The gradients are in the arena of a graph, and among the outputs of a compiled step. Those of the step before are gone.
    """
    model: Any = nn.Sequential(*[Block(width) for _ in range(8)])
    for block in model:
        fully_shard(block)
    fully_shard(model)
    if checkpoints:
        plain = model
        model = nn.Module()
        model.net = plain
        model.forward = lambda x: flow.utils.checkpoint.checkpoint_sequential(plain, 8, x, use_reentrant=False)
    step = stepping(model, flow.optim.AdamW(model.parameters()), kind, without)
    step(flow.ones(2, width))
    (captured,) = (step._captured if kind == "graph" else step).captures()
    programs = [captured.compiled]
    if captured.backward is not None and captured.backward.compiled is not None:
        programs.append(captured.backward.compiled)
    shards = sum(p.meta.local.nbytes for p in model.parameters())
    starts = [sum(isinstance(node, CollectiveStart) for node in program.graph.nodes) for program in programs]
    whole = sum(4 * p.meta.numel for p in Block(width).parameters())
    outputs = [sum(value.meta.nbytes for value in program.graph.outputs) for program in programs]
    return [program.executable.arena_bytes + n for program, n in zip(programs, outputs)], starts, shards, whole


@pytest.mark.parametrize("world", [2, 4])
def test_memory_is_that_of_shares_and_of_two_units(monkeypatch: pytest.MonkeyPatch, world: int) -> None:
    """Beside shards and states: gradients in shares, and whole parameters and gradients of one unit, with activations.

    In backward a unit's parameters that it reads come again: three weights and the norm's, but of the last unit, which stays, and
    of the first one the norm's, as the batch gets no gradient.
    """
    for kind in ("graph", "step"):
        for arenas, starts, shards, whole in on_ranks(world, lambda rank, kind=kind: planned(kind)):
            assert arenas[0] <= 1.1 * (shards + 2 * whole), (kind, arenas, shards, whole)
            assert starts == [8 * 8 + 7 * 4 - 1 + 8 * 8]
    if world > 2:
        return
    monkeypatch.setattr(decide, "CHOICES", (cast_first,))
    for arenas, starts, shards, whole in on_ranks(world, lambda rank: planned("graph")):
        assert arenas[0] >= shards + 7 * whole
        assert starts == [8 * 8 + 8 * 8]


@pytest.mark.parametrize("kind", ["graph", "step"])
def test_memory_behind_all_passes(kind: str) -> None:
    """Where small tensors of a unit go together, and weights are larger than those."""
    for arenas, _, shards, whole in on_ranks(4, lambda rank: planned(kind, False, 128, frozenset())):
        assert arenas[0] <= 1.1 * (shards + 2 * whole), (arenas, shards, whole)


def test_what_is_computed_again_gathers_again() -> None:
    """Of checkpoints, too: whole parameters do not stay for them."""
    for kind in ("graph", "step"):
        for arenas, _, shards, whole in on_ranks(2, lambda rank, kind=kind: planned(kind, True)):
            assert arenas[0] <= 1.1 * (shards + 2 * whole), (kind, arenas, shards, whole)


def test_a_backward_program_saves_shards() -> None:
    """A compiled loss hands no whole parameter over: its backward gathers it, and fails if it was written in between."""

    def f(rank: int) -> Any:
        model = units(PlainNet())
        compiled = flow.compile(lambda x: (model(x) ** 2).mean(), fullgraph=True)
        loss = compiled(rows(rank, 2))
        (captured,) = compiled.captures()
        outputs = captured.compiled.graph.outputs
        assert sum(tuple(value.meta.shape) == (6, 6) for value in outputs) == 1, "the weight of the last unit stays"
        starts = [node for node in captured.backward.compiled.graph.nodes if isinstance(node, CollectiveStart)]
        with flow.no_grad():
            model.layers[1].weight.mul_(0.5)
        with pytest.raises(VersionError, match="modified by an inplace operation"):
            loss.backward()
        return [node.verb.name for node in starts].count("gather"), len(starts)

    for gathers, starts in on_ranks(2, f):
        assert gathers == 1, "a weight is gathered, as the first one has no reader"
        assert starts < 1 + 7, "seven gradients are reduced, the small ones together"


def test_passes_leave_graphs_that_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each graph behind `regather` makes its values before they are read, and has one gather for each phase that reads."""
    seen = []

    def checked(graph: Any) -> Any:
        found = regather(graph)
        found.verify()
        seen.append(len(found.nodes))
        return found

    checked.__name__ = "regather"
    monkeypatch.setattr(decide, "CHOICES", (cast_first, cut_first, checked))
    monkeypatch.setattr(differentiate, "regather", checked)
    on_ranks(2, lambda rank: [trained(make, units, kind) for make in (Twice, Checkpoints) for kind in KINDS])
    assert len(seen) >= 12


@pytest.mark.parametrize("kind", ["loss", "step"])
def test_autocast_sends_half_types(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    """Of what is read in bfloat16 only. The bits are those of casts behind the gathers."""

    def f(rank: int) -> Any:
        model = units(PlainNet())
        optimizer = flow.optim.SGD(model.parameters(), lr=0.05)

        def loss_of(x: Any) -> Any:
            with flow.autocast("cpu", dtype=flow.bfloat16):
                return (model(x) ** 2).float().mean()

        def step(x: Any, loss_of: Any = loss_of) -> Any:
            optimizer.zero_grad()
            loss = loss_of(x)
            loss.backward()
            optimizer.step()
            return loss

        compiled = flow.compile(step if kind == "step" else loss_of, fullgraph=True)
        compiled.config.without |= PLAIN
        losses = [(compiled if kind == "step" else step)(rows(rank, 2, k), *[compiled] * (kind == "loss")) for k in range(2)]
        (captured,) = compiled.captures()
        starts = [node.verb for node in captured.compiled.graph.nodes if isinstance(node, CollectiveStart)]
        sent = sum(part.nbytes for verb in starts if verb.name == "gather" for part in verb.sends if part.peer != rank)
        return sent, [loss.numpy().copy() for loss in losses], weights(model)

    ours = on_ranks(2, f)
    monkeypatch.setattr(decide, "CHOICES", (regather,))
    for (sent, *numbers), (before, *expected) in zip(ours, on_ranks(2, f)):
        assert all(same(a, b) for a, b in zip(numbers, expected))
        biases = 3 * 3 * 4  # are added in float32
        assert sent - biases == (before - biases) / 2


# ------------------------------------------------------------------------------------------------------- what is refused


def test_gradients_that_are_reduced_later_are_eager_modes() -> None:
    """And what follows them, until they are reduced. Behind that programs run again."""

    def f(rank: int) -> Any:
        found = []
        for compiled in (False, True):
            model = units(PlainNet())
            loss_of: Any = lambda x, model=model: (model(x) ** 2).mean()
            if compiled:
                loss_of = flow.compile(loss_of)
                loss_of.config.without |= PLAIN
            numbers = []
            for _ in range(2):
                model.zero_grad()
                for syncs, k in ((False, 0), (True, 1), (True, 0)):
                    model.set_requires_gradient_sync(syncs)
                    loss_of(rows(rank, 2, k)).backward()
                numbers += grads(model)
            found.append(numbers)
        return same(*found), bool(loss_of.captures())

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        assert on_ranks(2, f) == [(True, True)] * 2
    assert any("adds up gradients that it reduces later" in str(each.message) for each in told)


def test_refusals_have_names() -> None:
    def f(rank: int) -> None:
        x = rows(rank, 2)
        model = units(PlainNet())
        compiled = flow.compile(lambda x: model(x).sum(), fullgraph=True)
        loss = compiled(x)
        model.set_requires_gradient_sync(False)
        with pytest.raises(AutogradError, match="reads 'gradient_sync', which was changed between the call and backward"):
            loss.backward()
        with pytest.raises(CaptureError, match=r"unit 'PlainNet' adds up gradients that it reduces later \(set_requires_gradient"):
            compiled(x)
        model.set_requires_gradient_sync(True)
        compiled(x).backward()

        def switches(x: Any) -> Any:
            model.set_requires_gradient_sync(False)
            return model(x).sum()

        with pytest.raises(CaptureError, match=r"switches\(\) calls set_requires_gradient_sync\(\): call it outside"):
            flow.compile(switches, fullgraph=True)(x)

        with pytest.raises(CaptureError, match=r"the lambda calls fully_shard\(\): call it outside"):
            flow.compile(lambda x: fully_shard(PlainNet())(x), fullgraph=True)(x)

        class Writes(Plain):
            def forward(self, x: Any) -> Any:
                with flow.no_grad():
                    self.weight.mul_(0.5)
                return super().forward(x)

        with pytest.raises(InplaceError, match="a parameter of unit 'Writes' was written in its forward"):
            flow.compile(fully_shard(Writes()), fullgraph=True)(x)
        offloaded = units(PlainNet())
        offloaded._sharding.units[0].host = flow.device("meta")  # as of a module on a GPU
        with pytest.raises(CaptureError, match=r"unit 'PlainNet' has its shards on the host \(CPUOffloadPolicy\)"):
            flow.compile(lambda x: offloaded(x), fullgraph=True)(x)
        model.layers[1].bias = nn.Parameter(model.layers[1].bias.detach() + 1)
        with pytest.raises(InvalidArgumentError, match="parameter 'bias' of unit 'layers.1' was replaced"):
            compiled(x)

    on_ranks(2, f)


def test_a_rank_that_skips_a_unit_is_named() -> None:
    class Skips(PlainNet):
        def forward(self, x: Any) -> Any:
            for k, layer in enumerate(self.layers):
                if k != 1 or this_rank().index == 0:
                    x = layer(x)
            return x @ self.last

    with pytest.raises(RankError, match="of unit 'layers.1'"):
        on_ranks(2, lambda rank: flow.compile(units(Skips()), fullgraph=True)(flow.tensor(ROWS)))


@pytest.mark.parametrize("dynamic", [None, False, True])
def test_batches_of_other_sizes(dynamic: bool | None) -> None:
    """A rank whose batch has a size of its own captures it alone, and asks nobody: what goes over the ranks is the same."""

    def f(rank: int) -> Any:
        model, plain = units(PlainNet()), units(PlainNet())
        compiled = flow.compile(lambda x: (model(x) ** 2).mean(), fullgraph=True, dynamic=dynamic)
        found = []
        for count in (4, 4 - rank, 3, 6 - rank):
            for one, loss_of in ((model, compiled), (plain, lambda x: (plain(x) ** 2).mean())):
                one.zero_grad()
                loss_of(flow.tensor(ROWS[:count])).backward()
            found.append(all(numpy.allclose(a, b, atol=1e-6) for a, b in zip(grads(model), grads(plain))))
        return found

    assert on_ranks(2, f) == [[True] * 4] * 2


# ------------------------------------------------------------------------------------------------------------ processes


def gpt(kind: str, checkpoints: bool) -> tuple[list[float], list[Any]]:
    """Losses and weights of a GPT with its blocks as units, by a kind of program with all passes."""
    rank, world = this_rank().index, this_rank().world_size
    model, optimizer = small_gpt.made("fully_shard, checkpoints" if checkpoints else "fully_shard")

    def loss_of(tokens: Any, targets: Any) -> Any:
        return nn.functional.cross_entropy(model(tokens).flatten(0, 1), targets.flatten())

    def step(tokens: Any, targets: Any, loss_of: Any = loss_of) -> Any:
        optimizer.zero_grad()
        loss = loss_of(tokens, targets)
        loss.backward()
        optimizer.step()
        return loss

    run: Any = step
    if kind == "step":
        run = flow.compile(step, fullgraph=True)
    elif kind == "loss":
        compiled = flow.compile(loss_of, fullgraph=True)
        run = lambda *batch: step(*batch, compiled)
    losses = []
    for number in range(2):
        share = [flow.tensor(x[rank * 8 // world : (rank + 1) * 8 // world]) for x in small_gpt.batch(number)]
        losses.append(run(*share).item())
    return losses, weights(model)


def compared(kind: str, checkpoints: bool) -> None:
    expected, found = gpt("eager", checkpoints), gpt(kind, checkpoints)
    numpy.testing.assert_allclose(found[0], expected[0], rtol=1e-5)
    for a, b in zip(found[1], expected[1]):
        numpy.testing.assert_allclose(a, b, atol=1e-5)


def test_a_gpt_with_checkpoints_behind_all_passes() -> None:
    flow.testing.simulate(2)(compared)("loss", True)


def test_a_gpt_on_ranks(ranks2: Pool) -> None:
    ranks2.run(_without_backend)


def _without_backend() -> None:
    with no_backend_adds():
        compared("step", False)


def test_bits_on_ranks(ranks2: Pool) -> None:
    ranks2.run(_bits)


def _bits() -> None:
    for make, wrap, kind in ((Twice, units, "loss"), (PlainNet, lambda m: units(m, mp_policy=HALF), "graph")):
        assert same(trained(make, wrap, "eager"), trained(make, wrap, kind))


@pytest.mark.parametrize("which", [0, 1, 2])
def test_one_result_of_several_has_a_gradient(which: int) -> None:
    """What a gather waits for is no part of the parameter: it may be of a result that has no gradient."""

    def f(rank: int) -> Any:
        found = []
        for compiled in (False, True):
            model = units(PlainNet())

            def losses(x: Any, model: Any = model) -> Any:
                return model(x).square().mean(), model(x).sum(), model.layers[1](x).sum()

            function = flow.compile(losses, fullgraph=True) if compiled else losses
            if compiled:
                function.config.without |= PLAIN
            made = function(rows(rank, 2))
            made[which].backward(retain_graph=True)
            first = [None if p.grad is None else whole_of(p.grad) for p in model.parameters()]
            made[(which + 1) % 3].backward()
            found.append((first, grads(model)))
        (alone, both), (own, together) = found
        return [(a is None, b is None) if a is None or b is None else (a == b).all() for a, b in zip(alone, own)], same(both, together)

    for alone, both in on_ranks(2, f):
        assert all(each in (True, (True, True)) for each in alone) and both


class Counting(Checkpoints):
    """What no program can have: a buffer that is written in a checkpoint."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        for layer in self.layers:
            layer.register_forward_pre_hook(lambda layer, args: layer.count.add_(1) and None)


def test_a_rank_is_refused_alone_what_all_were_refused() -> None:
    """Its batch has another size each time, so that it looks again whether a program can have the call."""

    def f(rank: int) -> int:
        model = units(Counting())
        loss = flow.compile(lambda x: (model(x) ** 2).mean())
        for k in range(8):
            loss(rows(rank, 2, count=2 + k % 2 * rank)).backward()
        return len(loss.captures())

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert on_ranks(2, f) == [0, 0]
