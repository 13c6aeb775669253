"""fully_shard of modules on the meta device: shards without memory, `to_empty`, values, and training. On simulated ranks and processes."""

from __future__ import annotations

import gc
import re
from pathlib import Path
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tests.consistent.graph_programs import KINDS
from tests.consistent.pool import Pool
from tests.consistent.test_data_parallel import on_ranks
from tests.parallel.small_gpt import SmallGPT
from tests.parallel.test_fully_shard import ROWS, same, weights
from tests.parallel.test_fully_shard_captured import HALF, over_both, rows, stepping, units
from tritonflow import nn
from tritonflow.distributed import CPUOffloadPolicy, checkpoint, fully_shard
from tritonflow.distributed.checkpoint.state_dict import StateDictOptions, set_model_state_dict
from tritonflow.errors import CaptureError, CheckpointFolderError, InvalidArgumentError, NoDataError
from tritonflow.wire.world import this_rank


class Model(nn.Module):
    """Layers of many kinds, of odd sizes, one without a row on some ranks; two that are tied; buffers."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList(
            [nn.Linear(6, 7), nn.Sequential(nn.BatchNorm1d(7), nn.Linear(7, 6)), nn.LayerNorm(6), nn.Linear(6, 1), nn.Linear(1, 6)]
        )
        self.table = nn.Embedding(5, 6, padding_idx=3)
        self.head = nn.Linear(6, 5, bias=False)
        self.head.weight = self.table.weight
        self.register_buffer("scale", flow.full((6,), 0.5), persistent=False)

    def reset_parameters(self) -> None:
        with flow.no_grad():
            self.scale.fill_(0.5)

    def forward(self, x: Any) -> Any:
        for layer in self.layers:
            x = layer(x).tanh()
        table = self.table(flow.ones(x.shape[0], dtype=flow.int64))
        return self.head((x * self.scale + table).to(table.dtype))


def reset(model: Any, seed: int = 5) -> Any:
    """Fill a model, module by module."""
    flow.manual_seed(seed)
    for module in model.modules():
        if hasattr(module, "reset_parameters"):
            module.reset_parameters()
    return model


def on_meta(make: Any = Model, wrap: Any = units) -> Any:
    with flow.device("meta"):
        model = make()
    return wrap(model)


def real(make: Any = Model, wrap: Any = units, seed: int = 5) -> Any:
    return wrap(reset(make(), seed))


def state(model: Any) -> list[Any]:
    return [*weights(model), *[x.numpy().copy() for x in model.buffers()]]


def steps(model: Any, kind: str = "eager", optimizer: Any = None, count: int = 3) -> list[Any]:
    """Losses, and what the model has behind some steps."""
    rank, world = this_rank().index, this_rank().world_size
    step = stepping(model, optimizer or flow.optim.AdamW(model.parameters(), lr=0.05), kind)
    return [*[step(rows(rank, world, k % 2)).float().numpy().copy() for k in range(count)], *state(model)]


WRAPS: list[Any] = [
    (units, 1), (units, 2), (units, 3), (units, 4), (fully_shard, 2), (over_both, 4),
    (lambda m: units(m, reshard_after_forward=False), 2), (lambda m: units(m, offload_policy=CPUOffloadPolicy()), 2),
    (lambda m: units(m, mp_policy=HALF), 3), (lambda m: units(m, mesh=flow.distributed.init_device_mesh("cpu", (2,))), 2),
]  # fmt: skip


# ------------------------------------------------------------------------------------------------------------- numbers


@pytest.mark.parametrize("wrap, world", WRAPS)
def test_it_starts_and_trains_as_a_model_that_was_whole(wrap: Any, world: int) -> None:
    """With the bits of one rank that fills all of it with the same seed; the optimizer may be made before there is memory."""

    def f(rank: int) -> Any:
        expected = real(wrap=wrap)
        model = on_meta(wrap=wrap)
        assert all(p.is_meta and p.is_global for p in model.parameters()) and all(x.is_meta for x in model.buffers())
        optimizer = flow.optim.AdamW(model.parameters(), lr=0.05)
        assert model.to_empty(device="cpu") is model and not any(p.is_meta for p in model.parameters())
        reset(model)
        begins = same(state(model), state(reset(Model()))), same(state(model), state(expected))
        assert model.head._parameters["weight"] is model.table._parameters["weight"]
        return begins, same(steps(model, optimizer=optimizer), steps(expected))

    assert on_ranks(world, f) == [((True, True), True)] * world


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("world", [2, 4])
def test_programs_before_any_eager_call(kind: str, world: int) -> None:
    """Shards lie wherever `to_empty` has put them; a later forward in eager mode moves them, and programs follow."""

    def f(rank: int) -> Any:
        found = []
        for model in (reset(on_meta().to_empty(device="cpu")), real()):
            model.eval()  # whose buffers are not written
            optimizer = flow.optim.AdamW(model.parameters(), lr=0.05)
            step = stepping(model, optimizer, "eager" if found else kind)
            numbers = []
            for k in range(4):
                numbers.append(step(rows(rank, world, k % 2)).numpy().copy())
                if k:
                    with flow.no_grad():
                        numbers.append(model(rows(rank, world, k % 2)).numpy().copy())
            found.append([*numbers, *state(model)])
        return same(*found)

    assert on_ranks(world, f) == [True] * world


def test_frozen_and_ignored_parameters() -> None:
    def f(rank: int) -> Any:
        found = []
        for is_real in (False, True):
            model: Any = Model() if is_real else on_meta(wrap=lambda m: m)
            model.layers[0].weight.requires_grad_(False)
            ignored = model.layers[1][1].bias
            for layer in model.layers:
                fully_shard(layer, ignored_params={ignored})
            fully_shard(model, ignored_params={ignored})
            if not is_real:
                model.to_empty(device="cpu")
            reset(model)
            with flow.no_grad():
                ignored.fill_(0.25)  # it is local, and was drawn by another generator
            for k, p in enumerate(model.parameters()):
                if not p.is_meta and p.is_global:
                    nn.init.normal_(p, std=0.3 + k)
            found.append(steps(model))
            assert model.layers[0].weight.grad is None and model.layers[1][1].bias is ignored and ignored.is_local
        return same(*found)

    assert on_ranks(2, f) == [True] * 2


def test_modules_one_by_one() -> None:
    """As FSDP1's functions do it: memory for a module alone, and then its values."""

    def f(rank: int) -> Any:
        model = on_meta()
        flow.manual_seed(5)
        for module in model.modules():
            module.to_empty(device="cpu", recurse=False)
            if hasattr(module, "reset_parameters"):
                module.reset_parameters()
        return same(steps(model), steps(real()))

    assert on_ranks(2, f) == [True] * 2


# ------------------------------------------------------------------------------------------------------------- loading


def test_states_are_loaded(tmp_path: Path) -> None:
    """Copied behind `to_empty`, or assigned without: whole tensors of each rank, or those of another sharded model."""

    def f(rank: int) -> Any:
        checkpoint.save({"model": real(seed=8).state_dict()}, checkpoint_id=str(tmp_path / "saved"))
        expected = steps(real(seed=8))
        found = []
        for way in ("copied", "assigned", "assigned shards", "checkpoint", "of rank 0"):
            model, whole = on_meta(), reset(Model(), 8)
            if way == "copied":
                model.to_empty(device="cpu").load_state_dict(whole.state_dict())
            elif way == "checkpoint":
                into = {"model": model.to_empty(device="cpu").state_dict()}
                checkpoint.load(into, checkpoint_id=str(tmp_path / "saved"))
            elif way == "of rank 0":
                options = StateDictOptions(full_state_dict=True, broadcast_from_rank0=True)
                set_model_state_dict(model, {} if rank else whole.state_dict(), options=options)
                model.scale.data = flow.empty(6)
            else:
                given = whole if way == "assigned" else real(seed=8)
                model.load_state_dict(given.state_dict(), assign=True)
                assert model.layers[0].weight.placement.type == "cpu" and not model.layers[1][0].running_mean.is_meta
                model.scale.data = flow.empty(6)  # is in no state
            model.reset_parameters()
            found.append(same(steps(model), expected))
        return found

    assert on_ranks(3, f) == [[True] * 5] * 3


def test_what_is_loaded_into_no_memory(tmp_path: Path) -> None:
    def f(rank: int) -> None:
        model = on_meta()
        with pytest.raises(CheckpointFolderError, match="is on the meta device"):
            checkpoint.save({"model": model.state_dict()}, checkpoint_id=str(tmp_path / "no"))
        checkpoint.save({"model": real().state_dict()}, checkpoint_id=str(tmp_path / "saved"))
        with pytest.raises(CheckpointFolderError, match=r"on the meta device.*help: call to_empty\(device=...\) before"):
            checkpoint.load({"model": model.state_dict()}, checkpoint_id=str(tmp_path / "saved"))
        assert all(x.is_meta for x in model.state_dict().values())

    on_ranks(2, f)
    with pytest.warns(UserWarning, match="copying from a non-meta parameter in the checkpoint to a meta parameter"):
        on_ranks(1, lambda rank: on_meta().load_state_dict(Model().state_dict()))


@pytest.mark.parametrize("kind", ["eager", *KINDS])
def test_states_are_assigned_while_it_trains(kind: str) -> None:
    """The memory is other memory then, which the next forward gathers; a state of the optimizer goes on."""

    def f(rank: int) -> Any:
        found = []
        for assign in (False, True):
            model = real()
            step = stepping(model, flow.optim.AdamW(model.parameters(), lr=0.05), kind)
            numbers = []
            for k in range(5):
                numbers.append(step(rows(rank, 2, k % 2)).numpy().copy())
                if k % 2:
                    model.load_state_dict(reset(Model(), k).state_dict(), assign=assign)
            found.append([*numbers, *weights(model)])
        return same(*found)

    assert on_ranks(2, f) == [True] * 2


# -------------------------------------------------------------------------------------------------------------- memory


class Large(nn.Module):
    """32 MiB of layers."""

    def __init__(self, width: int = 1024) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(width, width, bias=False) for _ in range(8)])

    def forward(self, x: Any) -> Any:
        for layer in self.layers:
            x = layer(x)
        return x


def resident(name: str) -> float:
    """MiB of this process: VmRSS as it is, VmHWM at its highest since it was reset."""
    (kilobytes,) = re.findall(rf"^{name}:\s+(\d+) kB$", Path("/proc/self/status").read_text(), re.MULTILINE)
    return int(kilobytes) / 1024


def peaks(is_real: bool, width: int = 1024) -> tuple[float, float]:
    """By how many MiB this rank's memory has grown at its highest, until the model has its values and behind a forward."""
    gc.collect()
    flow.sync()
    flow.empty_cache()  # what models before have had is not used again
    before = resident("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")
    if is_real:
        model = real(lambda: Large(width))
    else:
        model = reset(on_meta(lambda: Large(width)).to_empty(device="cpu"))
    begun = resident("VmHWM") - before
    with flow.no_grad():
        model(flow.ones(1, width))
    return begun, resident("VmHWM") - before


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="Linux tells the highest resident memory")
def test_a_rank_has_memory_of_its_shards_only(ranks2: Pool) -> None:
    """16 of 32 MiB, and never a whole parameter; in a forward the slot and messages of one unit or two, of 4 MiB each."""
    ranks2.run(peaks, False, 64)  # compiles
    for begun, behind in ranks2.run(peaks, False):
        assert 15 < begun < 22 and behind < 16 + 4 + 2 * 4 + 4, (begun, behind)
    for begun, _ in ranks2.run(peaks, True):
        assert begun > 30, "the model is whole at first"


def test_processes(ranks2: Pool) -> None:
    assert ranks2.run(_as_real) == [[True] * 3] * 2


def _as_real() -> list[bool]:
    return [same(steps(reset(on_meta().to_empty(device="cpu")), kind), steps(real(), kind)) for kind in ("eager", "step", "graph")]


def test_a_gpt_on_processes(ranks2: Pool) -> None:
    assert ranks2.run(_gpt) == [True] * 2


def _gpt() -> bool:
    def wrap(model: Any) -> Any:
        for block in model.blocks:
            fully_shard(block)
        return fully_shard(model)

    found = []
    for model in (reset(on_meta(SmallGPT, wrap).to_empty(device="cpu")), real(SmallGPT, wrap)):
        optimizer = flow.optim.AdamW(model.parameters(), lr=0.01)
        for _ in range(2):
            model(flow.tensor(numpy.arange(16)[None] % 20)).sum().backward()
            optimizer.step()
        found.append(weights(model))
    return same(*found)


# -------------------------------------------------------------------------------------------------------------- errors


def test_a_forward_without_memory_is_an_error() -> None:
    """In eager mode and in a capture, on all ranks; it names what has no memory, and changes nothing."""

    def f(rank: int) -> Any:
        model = on_meta()
        text = r"parameters 'table.weight' of unit 'Model' are on the meta device.*; help: call to_empty\(device=...\)"
        for call in (model, flow.compile(lambda x: model(x), fullgraph=True), stepping(model, flow.optim.SGD(model.parameters()), "graph")):
            with pytest.raises((InvalidArgumentError, CaptureError), match=text):
                call(flow.tensor(ROWS[:2]))
        model.table.to_empty(device="cpu")
        with pytest.raises(InvalidArgumentError, match="parameters 'weight', 'bias' of unit 'layers.0'"):
            model(flow.tensor(ROWS[:2]))
        model.layers[0].to_empty(device="cpu")
        with pytest.raises(InvalidArgumentError, match="parameters '0.weight', '0.bias', '1.weight', '1.bias' of unit 'layers.1'"):
            model(flow.tensor(ROWS[:2]))
        model.layers[1][1].to_empty(device="cpu")
        with pytest.raises(InvalidArgumentError, match="parameters '0.weight', '0.bias' of unit 'layers.1'"):
            model(flow.tensor(ROWS[:2]))
        model.to_empty(device="cpu")
        return same(steps(reset(model)), steps(real()))

    assert on_ranks(2, f) == [True] * 2


def test_other_wrong_uses() -> None:
    def f(rank: int) -> None:
        model = on_meta()
        with pytest.raises(NoDataError, match="Please use nn.Module.to_empty"):
            model.to("cpu")
        with pytest.raises(NoDataError, match="no data"):
            model.layers[0].weight.numpy()
        model.to_empty(device="cpu").to(flow.float64)
        text = r"'table.weight' of unit 'Model' was float32\[5, 6\] over .*meta.*, and is float64\[5, 6\] over .*cpu.*; help: cast and move"
        with pytest.raises(InvalidArgumentError, match=text):
            model(flow.tensor(ROWS[:2]))
        model = real()
        model.layers[0].to_local()
        with pytest.raises(InvalidArgumentError, match=r"'weight' of unit 'layers.0' was .*, and is float32\[.*\] on cpu, a local tensor"):
            model(flow.tensor(ROWS[:2]))
        mixed = Model()
        mixed.layers[0].to("meta")
        with pytest.raises(InvalidArgumentError, match="expected parameters of one dtype on one device"):
            fully_shard(mixed)

    on_ranks(2, f)


def test_different_seeds_are_an_error() -> None:
    """As of all random numbers over ranks: shards would not be those of one model."""

    def f(rank: int) -> None:
        model = on_meta().to_empty(device="cpu")
        with pytest.raises(RuntimeError, match="expected the same seed on all ranks"):
            reset(model, rank)

    on_ranks(2, f)
