"""Failures of other projects in saving, loading and resuming, as tests; each names where it was reported."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import pytest
from safetensors.torch import load_file

import tritonflow as flow
from tests.consistent.pool import Pool
from tritonflow.distributed import checkpoint
from tritonflow.distributed.checkpoint import files
from tritonflow.utils.data import DataLoader, DistributedSampler
from tritonflow.wire.connection import connection
from tritonflow.wire.world import this_rank

S, B = flow.sbp.split, flow.sbp.broadcast
MIB = 1 << 20


class Peak:
    """The most memory of its own that this process has while it runs, beyond what it had, in MiB."""

    def __enter__(self) -> Peak:
        self._before = self._most = self._now()
        self._ends = False
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def __exit__(self, *error: Any) -> None:
        self._ends = True
        self._thread.join()
        self.mib = (self._most - self._before) / 1024

    def _watch(self) -> None:
        while not self._ends:
            self._most = max(self._most, self._now())
            time.sleep(5e-4)

    @staticmethod
    def _now() -> int:
        status = Path("/proc/self/status").read_text()
        return int(status.partition("RssAnon:")[2].split()[0])


def large(value: float) -> dict[str, Any]:
    """Four tensors of 16 MiB, of which each of four ranks has a quarter."""
    placement = flow.placement("cpu", range(this_rank().world_size))
    return {f"x{k}": flow.full((1024, 4096), value + k, placement=placement, sbp=S(0)) for k in range(4)}


def gathers(folder: str) -> tuple[float, float, int, bool]:
    tensors, targets = large(1.0), large(0.0)
    flow.sync()
    before = moves()
    with Peak() as saving:
        checkpoint.save(tensors, checkpoint_id=folder)
    with Peak() as loading:
        checkpoint.load(targets, checkpoint_id=folder)
    same = all((targets[name].to_local().numpy() == x.to_local().numpy()).all() for name, x in tensors.items())
    return saving.mib, loading.mib, moves() - before, same


def moves() -> int:
    """How many of this rank's last collectives move elements of tensors."""
    return sum(record.channel == "data" for record in connection().ring.last())


def test_save_gathers_nothing(ranks4: Pool, tmp_path: Path) -> None:
    """Megatron-LM#1707, #1709: saving took the memory of the whole model on rank 0."""
    for saving, loading, moved, same in ranks4.run(gathers, str(tmp_path / "a")):
        assert same and moved == 0, "no rank sends elements to another one"
        assert saving <= 16 + 4 and loading <= 4, "own pieces, and no more than a slice of one tensor"


def test_old_checkpoint_kept_until_new_is_durable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """KempnerForge#102, Lightning#688: the old one was removed before the new one could be loaded."""
    checkpoint.save({"n": 1}, checkpoint_id=tmp_path / "a")
    seen = []
    publish, rmtree = files.publish, files.shutil.rmtree

    def at_removal(path: Any, *args: Any, **options: Any) -> None:
        state = {"n": 0}
        checkpoint.load(state, checkpoint_id=tmp_path / "a")
        seen.append(state["n"])
        rmtree(path, *args, **options)

    def watched(temporary: Path, folder: Path) -> None:
        monkeypatch.setattr(files.shutil, "rmtree", at_removal)
        publish(temporary, folder)
        monkeypatch.setattr(files.shutil, "rmtree", rmtree)

    monkeypatch.setattr(files, "publish", watched)
    checkpoint.save({"n": 2}, checkpoint_id=tmp_path / "a")
    assert seen == [1, 2], "nothing of before is removed but what was left over, and the old one behind the new one"


def empty_shards(folder: str) -> list[Any]:
    placement = flow.placement("cpu", range(this_rank().world_size))
    x = flow.arange(6.0).reshape(2, 3).to_global(placement, B).to_global(placement, S(0))
    none = flow.zeros(0, 3, placement=placement, sbp=S(0))
    checkpoint.save({"x": x, "none": none, "step": flow.tensor(4.0)}, checkpoint_id=folder)
    target = {"x": flow.zeros_like(x), "none": none, "step": flow.tensor(0.0)}
    checkpoint.load(target, checkpoint_id=folder)
    return target["x"].numpy().tolist()


def test_empty_shard_saved_and_loaded(tmp_path: Path) -> None:
    """pytorch#102821, torchtitan#811: ranks without elements, and scalars."""
    assert flow.testing.simulate(4)(empty_shards)(str(tmp_path / "a")) == [[[0, 1, 2], [3, 4, 5]]] * 4
    names = [set(load_file(path)) for path in (tmp_path / "a").glob("*.safetensors")]
    assert sorted(sum(map(list, names), [])) == ["none", "step", "x", "x"]


def optimizer_states(folder: str, trained: bool) -> list[Any]:
    placement = flow.placement("cpu", range(this_rank().world_size))
    w = flow.nn.Parameter(flow.arange(14.0).reshape(7, 2).to_global(placement, B).to_global(placement, S(0)))
    optimizer = flow.optim.Adam([w], lr=0.1)
    if trained:
        (w * w).sum().backward()
        optimizer.step()
        checkpoint.save({"w": w, "optimizer": optimizer}, checkpoint_id=folder)
    else:
        checkpoint.load({"w": w, "optimizer": optimizer}, checkpoint_id=folder)
        assert optimizer.state[w]["exp_avg"].sbp == (S(0),)
    return [w.numpy().tolist(), optimizer.state[w]["exp_avg_sq"].numpy().tolist(), optimizer.state[w]["step"].item()]


def test_other_world_size(tmp_path: Path) -> None:
    """Lightning#16815, pytorch#95892: optimizer states of a sharded model on another number of ranks."""
    for before in (1, 4):
        expected = flow.testing.simulate(before)(optimizer_states)(str(tmp_path / str(before)), True)[0]
        for now in (1, 2, 3, 4, 8):
            assert flow.testing.simulate(now)(optimizer_states)(str(tmp_path / str(before)), False) == [expected] * now


def seen(folder: str, steps: int) -> list[int]:
    """The samples of so many steps from the last checkpoint on, one more of which was fetched ahead."""
    flow.manual_seed(0)
    sampler = DistributedSampler(range(40), shuffle=True, seed=1)
    loader = DataLoader(list(range(40)), 4, sampler=sampler, collate_fn=list)
    checkpointer = flow.utils.Checkpointer(folder, every=1)
    step = checkpointer.resume(loader=loader)
    samples: list[int] = []
    while steps:
        for batch in loader:
            samples += batch
            step, steps = step + 1, steps - 1
            checkpointer.save(step, loader=loader)
            if not steps:
                break
        else:
            sampler.set_epoch(sampler.epoch + 1)
    checkpointer.wait()
    return samples


def test_loader_keeps_order_on_resume(tmp_path: Path) -> None:
    """accelerate#4195, verl#3457: a resumed epoch began in another order, or again from its beginning."""
    whole = flow.testing.simulate(2)(seen)(str(tmp_path / "whole"), 12)
    parts = [flow.testing.simulate(2)(seen)(str(tmp_path / "parts"), steps) for steps in (3, 2, 1, 6)]
    for rank in range(2):
        assert sum([part[rank] for part in parts], []) == whole[rank]


class Tied(flow.nn.Module):
    """An embedding whose weight is the head's."""

    def __init__(self) -> None:
        super().__init__()
        self.embed, self.head = flow.nn.Embedding(5, 3), flow.nn.Linear(3, 5, bias=False)
        self.head.weight = self.embed.weight


def tied(folder: str) -> tuple[bool, bool]:
    placement = flow.placement("cpu", range(this_rank().world_size))
    flow.manual_seed(1)
    model = Tied()
    for sbp in (B, S(0)):  # 5 rows over the ranks: uneven
        model.to_global(placement, sbp)
    model.head.weight = model.embed.weight
    checkpoint.save({"model": model}, checkpoint_id=folder)
    expected = model.embed.weight.numpy().copy()
    with flow.no_grad():
        model.embed.weight.zero_()
    checkpoint.load({"model": model}, checkpoint_id=folder)
    return model.head.weight is model.embed.weight, bool((model.head.weight.numpy() == expected).all())


def test_tied_weights_saved_and_loaded(tmp_path: Path) -> None:
    """pytorch#176076, #83052: tied weights in uneven shards. Both names are saved, so every reader finds them."""
    assert flow.testing.simulate(4)(tied)(str(tmp_path / "a")) == [(True, True)] * 4
    local, again = Tied(), Tied()
    checkpoint.save({"model": local}, checkpoint_id=tmp_path / "b")
    checkpoint.load({"model": again}, checkpoint_id=tmp_path / "b")
    assert again.head.weight is again.embed.weight and (again.head.weight.numpy() == local.embed.weight.numpy()).all()


# --------------------------------------------------------------------------------------------------------------- bars


@pytest.mark.long
def test_async_save_blocks_no_longer_than_the_host_copy(tmp_path: Path) -> None:
    """200 MB. Both are measured in turn, and the quickest counts: other processes take the cores at times."""
    tensors = {f"x{k}": flow.randn(6_250_000) for k in range(8)}
    copies, blocked = [], []
    for k in range(12):
        begin = time.perf_counter()
        held = [x.clone() for x in tensors.values()]
        flow.sync()
        copies.append(time.perf_counter() - begin)
        del held
        begin = time.perf_counter()
        saving = checkpoint.async_save(tensors, checkpoint_id=tmp_path / "a")
        blocked.append(time.perf_counter() - begin)
        saving.result()
        if k > 3 and min(blocked) <= 1.1 * min(copies):
            break
    assert min(blocked) <= 1.1 * min(copies), (min(blocked), min(copies))
    # a step that changes the tensors meanwhile changes nothing of what is saved
    expected = [x.numpy().copy() for x in tensors.values()]
    saving = checkpoint.async_save(tensors, checkpoint_id=tmp_path / "a")
    for x in tensors.values():
        x.zero_()
    saving.result()
    checkpoint.load(tensors, checkpoint_id=tmp_path / "a")
    assert all((x.numpy() == y).all() for x, y in zip(tensors.values(), expected))
