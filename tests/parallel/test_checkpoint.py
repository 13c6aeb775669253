"""Checkpoints of many ranks: what is saved by some loads on others, in other layouts, with torch's readers, and with equal bits."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy
import pytest
import torch
import torch.distributed.checkpoint as dcp
from safetensors.torch import load_file, save_file
from torch.distributed.checkpoint import HuggingFaceStorageReader, HuggingFaceStorageWriter

import tritonflow as flow
from tests.consistent.pool import Pool, RankFailure
from tritonflow.distributed import checkpoint
from tritonflow.distributed.checkpoint import files
from tritonflow.distributed.checkpoint.plan import SavedTensor, deal, holders_of
from tritonflow.errors import CheckpointFolderError
from tritonflow.wire.world import this_rank

S, B = flow.sbp.split, flow.sbp.broadcast
SHAPES = {"w": (10, 3), "b": (5,), "one": (), "none": (0, 4), "few": (2, 7)}
TORCH = pytest.mark.filterwarnings("ignore::UserWarning:torch.*")


def numbers(name: str) -> numpy.ndarray[Any, Any]:
    """What the tensor of a name has."""
    shape = SHAPES[name]
    return (numpy.arange(numpy.prod(shape)) + 100 * len(name)).astype(numpy.float32).reshape(shape)


def state(sbp: Any, ranks: int, filled: bool) -> dict[str, Any]:
    """Global tensors over the first ranks of the world."""
    placement = flow.placement("cpu", range(ranks))
    tensors = {}
    for name, shape in SHAPES.items():
        own = B if sbp.dim is not None and sbp.dim >= len(shape) else sbp
        made = flow.tensor(numbers(name)) if filled else flow.zeros(shape) - 1
        tensors[name] = made.to_global(placement, B).to_global(placement, own)
    return tensors


def bits(tensors: dict[str, Any]) -> dict[str, list[Any]]:
    return {name: x.numpy().tolist() for name, x in tensors.items()}


EXPECTED = {name: numbers(name).tolist() for name in SHAPES}


def save_as(folder: str, sbp: Any) -> None:
    checkpoint.save(state(sbp, this_rank().world_size, True), checkpoint_id=folder)


def load_as(folder: str, sbp: Any) -> dict[str, list[Any]]:
    tensors = state(sbp, this_rank().world_size, False)
    checkpoint.load(tensors, checkpoint_id=folder)
    return bits(tensors)


# ------------------------------------------------------------------------------------------------------------- worlds


@pytest.mark.parametrize("sbp", [S(0), S(1), B], ids=str)
def test_four_ranks_save_and_others_load(sbp: Any, tmp_path: Path) -> None:
    folder = str(tmp_path / "step")
    flow.testing.simulate(4)(save_as)(folder, sbp)
    for ranks in (1, 2, 3, 4):
        for other in (S(0), S(1), B):
            for found in flow.testing.simulate(ranks)(load_as)(folder, other):
                assert found == EXPECTED, (ranks, other)


def test_processes_save_and_load(ranks: Pool, tmp_path: Path) -> None:
    folder = str(tmp_path / "step")
    ranks.run(save_as, folder, S(0))
    assert len(list(Path(folder).glob("shard-*"))) == ranks.size
    for other in (S(1), B):
        assert ranks.run(load_as, folder, other) == [EXPECTED] * ranks.size
    assert load_as(folder, B) == EXPECTED, "in a world of one rank"
    save_as(folder, B)
    assert ranks.run(load_as, folder, S(0)) == [EXPECTED] * ranks.size, "the folder was replaced"


def local_on_ranks(folder: str) -> Any:
    """Local tensors that differ by rank, values, and a tensor of a name that one rank alone has."""
    me = this_rank().index
    own: dict[str, Any] = {"x": flow.ones(2) * me, "n": me, "names": {f"stage{me}": flow.ones(3) * me, f"value{me}": [me]}}
    checkpoint.save(own, checkpoint_id=folder)
    own["x"].fill_(-1)
    own["names"][f"stage{me}"].fill_(-1)
    own["n"], own["names"][f"value{me}"] = -1, []
    checkpoint.load(own, checkpoint_id=folder, strict=False)
    return own["x"].tolist(), own["n"], own["names"][f"stage{me}"].tolist(), own["names"][f"value{me}"]


def test_rank_0_writes_what_is_local_and_each_rank_what_it_alone_has(tmp_path: Path) -> None:
    for me, found in enumerate(flow.testing.simulate(3)(local_on_ranks)(str(tmp_path / "a"))):
        assert found == ([0.0, 0.0], 0, [float(me)] * 3, [me])


def lines_of_a_mesh(folder: str) -> Any:
    mesh = flow.distributed.init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))
    me = this_rank().index

    def made(filled: bool) -> Any:
        x = flow.arange(12.0).reshape(4, 3) * filled
        line = x.to_global(mesh["tp"], B).to_global(mesh["tp"], S(0))
        both = x.to_global(mesh, [B, B]).to_global(mesh, [B, S(1)])
        return {"both": both, f"line{me // 2}": line}

    checkpoint.save(made(True), checkpoint_id=folder)
    own = made(False)
    checkpoint.load(own, checkpoint_id=folder, strict=False)
    return [x.to_local().tolist() for x in own.values()], [x.to_local().tolist() for x in made(True).values()]


def test_tensors_that_some_ranks_alone_know(tmp_path: Path) -> None:
    for loaded, expected in flow.testing.simulate(4)(lines_of_a_mesh)(str(tmp_path / "a")):
        assert loaded == expected
    files = [set(load_file(path)) for path in sorted((tmp_path / "a").glob("*.safetensors"))]
    assert files == [{"both", "line0"}, {"both", "line0"}, {"line1"}, {"line1"}] or sum(map(len, files)) == 6


# -------------------------------------------------------------------------------------------------------------- plans


def test_boxes_are_dealt_by_size_to_those_that_hold_them() -> None:
    flow.testing.simulate(4)(lambda: _dealt() if this_rank().index == 0 else None)()


def _dealt() -> None:
    placement = flow.placement("cpu", range(4))
    tensors = [
        SavedTensor.of(f"x{n}", flow.zeros(n, 8, placement=placement, sbp=B)) for n in (1, 2, 3, 4, 5, 6, 7, 8)
    ] + [SavedTensor.of("y", flow.zeros(3, 2, placement=placement, sbp=S(0))), SavedTensor.of("z", flow.zeros(7))]
    dealt = deal({tensor: (0, 1, 2, 3) for tensor in tensors})
    rows = [(each.rank, each.box[0][1]) for each in dealt if each.name[0] == "x"]
    load = [sum(n for owner, n in rows if owner == rank) for rank in range(4)]
    assert max(load) - min(load) <= 1 and sum(load) == 36
    assert [(each.box, each.rank) for each in dealt if each.name == "y"] == [(((k, k + 1), (0, 2)), k) for k in range(3)]
    assert [each.rank for each in dealt if each.name == "z"] == [0]


def test_names_that_differ_are_named() -> None:
    a, b = SavedTensor("w", (2,), "float32", None), SavedTensor("w", (3,), "float32", None)
    with pytest.raises(CheckpointFolderError, match=r"'w' is float32\[2\], local on rank 0 and float32\[3\], local on rank 1"):
        holders_of([[a], [b]])


# ------------------------------------------------------------------------------------------------- torch, Hugging Face


@TORCH
@pytest.mark.parametrize("sbp", [S(0), S(1), B], ids=str)
def test_torch_reads_ours(sbp: Any, tmp_path: Path) -> None:
    folder = str(tmp_path / "step")
    flow.testing.simulate(3)(save_as)(folder, sbp)
    theirs = {name: torch.full(shape, -1.0) for name, shape in SHAPES.items()}
    dcp.load(theirs, storage_reader=HuggingFaceStorageReader(folder), no_dist=True)
    assert {name: x.tolist() for name, x in theirs.items()} == EXPECTED


@TORCH
@pytest.mark.parametrize("distributed", [False, True])
def test_we_read_what_torch_writes(distributed: bool, tmp_path: Path) -> None:
    theirs = {name: torch.from_numpy(numpy.array(numbers(name))) for name in SHAPES if name != "none"}
    dcp.save(theirs, storage_writer=HuggingFaceStorageWriter(str(tmp_path), save_distributed=distributed), no_dist=True)
    for found in flow.testing.simulate(3)(lambda: _without_none(str(tmp_path)))():
        assert found == {name: values for name, values in EXPECTED.items() if name != "none"}


def _without_none(folder: str) -> Any:
    tensors = state(S(0), this_rank().world_size, False)
    del tensors["none"]
    checkpoint.load(tensors, checkpoint_id=folder)
    return bits(tensors)


def test_hugging_face_folders_in_half_precision_with_tied_weights(tmp_path: Path) -> None:
    save_file({"embed.weight": torch.ones(4, 2, dtype=torch.bfloat16) * 3}, tmp_path / "model-00001-of-00002.safetensors")
    save_file({"norm.weight": torch.ones(2, dtype=torch.bfloat16) * 5}, tmp_path / "model-00002-of-00002.safetensors")
    save_file({"unrelated": torch.ones(2)}, tmp_path / "other.safetensors")
    names = {"embed.weight": "model-00001-of-00002.safetensors", "norm.weight": "model-00002-of-00002.safetensors"}
    (tmp_path / "model.safetensors.index.json").write_text(json.dumps({"weight_map": names}))
    model = flow.nn.Module()
    model.embed, model.norm, model.head = flow.nn.Embedding(4, 2), flow.nn.LayerNorm(2, bias=False), flow.nn.Linear(2, 4, bias=False)
    model.head.weight = model.embed.weight
    checkpoint.load(model.state_dict(), checkpoint_id=tmp_path)
    assert model.head.weight.tolist() == [[3.0, 3.0]] * 4 and model.norm.weight.tolist() == [5.0, 5.0]
    (tmp_path / "model-00002-of-00002.safetensors").unlink()
    with pytest.raises(CheckpointFolderError, match="model-00002-of-00002.safetensors is missing"):
        checkpoint.load(model.state_dict(), checkpoint_id=tmp_path)


def test_dtypes(tmp_path: Path) -> None:
    """All that safetensors has, bit by bit; of others the error has the name."""
    made = {name: flow.tensor([0, 1, 1]).to(getattr(flow, name)) for name in files.CODES}
    checkpoint.save(made, checkpoint_id=tmp_path / "a")
    read = {name: flow.zeros(3).to(x.dtype) for name, x in made.items()}
    checkpoint.load(read, checkpoint_id=tmp_path / "a")
    assert all((files.bits_of(x) == files.bits_of(read[name])).all() for name, x in made.items()) and len(made) == 16
    assert "'z' has dtype complex128" in refused(lambda: checkpoint.save({"z": flow.ones(1, dtype=flow.complex128)}, checkpoint_id=tmp_path / "b"))
    save_file({"u": torch.ones(2).to(torch.float8_e8m0fnu)}, tmp_path / "u.safetensors")
    assert "'u' in" in refused(lambda: checkpoint.load({"u": flow.ones(2)}, checkpoint_id=tmp_path))


# -------------------------------------------------------------------------------------------------------------- states


class Counter:
    """An object with a state of its own, which has a tensor."""

    def __init__(self, n: int) -> None:
        self.n, self.sums = n, {}

    def state_dict(self) -> dict[str, Any]:
        return {"n": self.n, "sums": self.sums, "pair": (1, 2.5, None)}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        assert state["pair"] == (1, 2.5, None)
        self.n, self.sums = state["n"], state["sums"]


def training(global_: bool, seed: int) -> tuple[Any, Any, Any]:
    flow.manual_seed(seed)
    model = flow.nn.Sequential(flow.nn.Linear(6, 7), flow.nn.LayerNorm(7), flow.nn.Linear(7, 3))
    if global_:
        for sbp in (B, S(0)):  # all ranks have the same numbers, and then rows of them
            model.to_global(flow.placement("cpu", range(this_rank().world_size)), sbp)
    optimizer = flow.optim.AdamW(model.parameters(), lr=0.1)
    return model, optimizer, flow.optim.lr_scheduler.StepLR(optimizer, 2, 0.5)


def steps(model: Any, optimizer: Any, scheduler: Any, count: int) -> list[float]:
    losses = []
    for _ in range(count):
        p = next(model.parameters())
        x = flow.arange(24.0).reshape(4, 6).sin()
        if p.is_global:
            x = x.to_global(p.placement, B)
        optimizer.zero_grad()
        loss = (model(x) ** 2).mean()
        loss.backward()
        optimizer.step()
        scheduler.step()
        losses.append(float(loss.item()))
    return losses


def saved_training(folder: str, global_: bool) -> list[float]:
    parts = training(global_, 1)
    steps(*parts, 3)
    counter = Counter(5)
    counter.sums["a"] = flow.ones(2)
    checkpoint.save(_named(parts, counter), checkpoint_id=folder)
    return steps(*parts, 3)


def loaded_training(folder: str, global_: bool) -> list[float]:
    parts, counter = training(global_, 2), Counter(0)
    checkpoint.load(_named(parts, counter), checkpoint_id=folder)
    assert counter.n == 5 and counter.sums["a"].tolist() == [1.0, 1.0]
    return steps(*parts, 3)


def _named(parts: Any, counter: Counter) -> dict[str, Any]:
    return {"counter": counter, **dict(zip(("model", "optimizer", "scheduler"), parts))}


def test_training_goes_on(tmp_path: Path) -> None:
    """Optimizers that have made no step yet get their states, laid out as their parameters are."""
    expected = saved_training(str(tmp_path / "one"), False)
    assert loaded_training(str(tmp_path / "one"), False) == expected
    for found in flow.testing.simulate(3)(loaded_training)(str(tmp_path / "one"), True):
        assert found == pytest.approx(expected, rel=1e-4)
    on_three = flow.testing.simulate(3)(saved_training)(str(tmp_path / "three"), True)[0]
    assert flow.testing.simulate(3)(loaded_training)(str(tmp_path / "three"), True)[0] == on_three
    assert loaded_training(str(tmp_path / "three"), False) == pytest.approx(on_three, rel=1e-4)


# -------------------------------------------------------------------------------------------------------------- errors


def refused(call: Any) -> str:
    with pytest.raises(CheckpointFolderError) as caught:
        call()
    return str(caught.value)


def test_all_that_does_not_fit_is_one_error_and_nothing_changes(tmp_path: Path) -> None:
    folder = tmp_path / "a"
    checkpoint.save({"m": {"a": flow.ones(2), "b": flow.ones(3), "i": flow.ones(2, dtype=flow.int64), "n": 1}}, checkpoint_id=folder)
    own = {"m": {"a": flow.zeros(2), "b": flow.zeros(4), "c": flow.zeros(1), "i": flow.zeros(2), "n": flow.zeros(1)}, "k": 2}
    text = refused(lambda: checkpoint.load(own, checkpoint_id=folder))
    for line in (
        "missing in the checkpoint: m.c, k",
        "'m.b' has shape [4] in the state, and [3] in the checkpoint",
        "'m.i' has dtype float32 in the state, and int64 in the checkpoint",
        "'m.n' is a tensor in the state, and int in the checkpoint",
    ):
        assert line in text
    assert own["m"]["a"].tolist() == [0, 0] and own["k"] == 2
    text = refused(lambda: checkpoint.load({"m": {"a": flow.zeros(2)}}, checkpoint_id=folder))
    assert "left over in the checkpoint: m.b, m.i, m.n" in text
    some = {"m": {"a": flow.zeros(2), "c": 7}}
    checkpoint.load(some, checkpoint_id=folder, strict=False)
    assert some["m"]["a"].tolist() == [1, 1] and some["m"]["c"] == 7


def on_all_ranks(ranks: int, call: Any) -> list[str]:
    return flow.testing.simulate(ranks)(lambda: refused(call))()


def test_a_folder_that_is_no_checkpoint_is_one_error_on_all_ranks(tmp_path: Path) -> None:
    def load() -> None:
        checkpoint.load({"x": flow.zeros(1)}, checkpoint_id=tmp_path / "a")

    assert all("there is no such folder" in text for text in on_all_ranks(3, load))
    (tmp_path / "a").mkdir()
    assert all("no tritonflow.json and no safetensors files" in text for text in on_all_ranks(3, load))
    (tmp_path / "a" / ".metadata").write_bytes(b"pickle")
    assert all("python -m tritonflow from_dcp" in text for text in on_all_ranks(2, load))
    for text in ("{", "[]", '{"version": 2}', '{"version": 1, "sha256": ""}'):
        (tmp_path / "a" / "tritonflow.json").write_text(text)
        assert all(re.search("damaged|version 2", text) for text in on_all_ranks(2, load))


def test_ranks_that_disagree_all_raise(tmp_path: Path) -> None:
    folders = on_all_ranks(2, lambda: checkpoint.save({}, checkpoint_id=tmp_path / str(this_rank().index)))
    assert all("ranks save to different folders" in text for text in folders)
    sizes = on_all_ranks(2, lambda: checkpoint.save({"x": flow.ones(this_rank().index)}, checkpoint_id=tmp_path / "a"))
    assert all("'x' is float32[0], local on rank 0 and float32[1], local on rank 1" in text for text in sizes)
    object_ = on_all_ranks(2, lambda: checkpoint.save({"x": object() if this_rank().index else 1}, checkpoint_id=tmp_path / "a"))
    assert all(re.search(r"rank 1: TypeError: cannot save the object at 'x'", text) for text in object_)
    assert not list(tmp_path.iterdir())


def fails_on_rank_1(folder: str) -> None:
    shape = 3 if this_rank().index else 2
    checkpoint.load({"x": flow.zeros(shape)}, checkpoint_id=folder)


def test_what_does_not_fit_on_one_process_is_an_error_on_all(ranks2: Pool, tmp_path: Path) -> None:
    checkpoint.save({"x": flow.ones(2)}, checkpoint_id=tmp_path / "a")
    with pytest.raises(RankFailure) as caught:
        ranks2.run(fails_on_rank_1, str(tmp_path / "a"))
    assert sorted(caught.value.errors) == [0, 1]
    assert all("rank 1" in str(error) and "has shape [3]" in str(error) for error in caught.value.errors.values())


@pytest.mark.parametrize("how", ["cut", "flipped", "gone", "catalog"])
def test_damaged_files_are_found_before_anything_changes(how: str, tmp_path: Path) -> None:
    folder = tmp_path / "a"
    flow.testing.simulate(2)(save_as)(str(folder), S(0))
    path = folder / "shard-00002-model-00001-of-00001.safetensors"
    data = bytearray(path.read_bytes())
    if how == "cut":
        path.write_bytes(data[:-1])
    elif how == "catalog":
        catalog = folder / "tritonflow.json"
        catalog.write_text(catalog.read_text().replace("[[0,5],[0,3]]", "[[1,6],[0,3]]"))
    elif how == "flipped":
        data[-3] ^= 1
        path.write_bytes(data)
    else:
        path.unlink()
    for texts in flow.testing.simulate(3)(lambda: _load_damaged(str(folder)))():
        assert re.search("damaged|is missing|bytes, not", texts)


def _load_damaged(folder: str) -> str:
    tensors = state(B, this_rank().world_size, False)
    text = refused(lambda: checkpoint.load(tensors, checkpoint_id=folder))
    assert all((x.numpy() == -1).all() for x in tensors.values())
    return text


def test_partial_tensors_and_remote_folders_are_refused(tmp_path: Path) -> None:
    placement = flow.placement("cpu", [0])
    partial = flow.ones(2).to_global(placement, flow.sbp.partial_sum)
    assert "'x' is partial" in refused(lambda: checkpoint.save({"x": partial}, checkpoint_id=tmp_path / "a"))
    assert "upload='s3://a/b'" in refused(lambda: checkpoint.save({}, checkpoint_id="s3://a/b"))
    assert "whose keys are texts" in refused(lambda: checkpoint.save({1: 2}, checkpoint_id=tmp_path / "a"))
    with pytest.raises(CheckpointFolderError, match="two tensors of the state have the name 'a.b'"):
        checkpoint.save({"a.b": flow.ones(1), "a": {"b": flow.ones(1)}}, checkpoint_id=tmp_path / "a")


# ------------------------------------------------------------------------------------------------ torch's own format


@TORCH
def test_torchs_own_format_is_converted(tmp_path: Path) -> None:
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Linear(4, 2))
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.25, betas=(0.5, 0.75))
    model(torch.ones(1, 3)).sum().backward()
    optimizer.step()
    state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": 7, "list": [torch.ones(2), 3], "text": "a"}
    dcp.save(state, checkpoint_id=str(tmp_path / "theirs"), no_dist=True)
    assert command("from_dcp", str(tmp_path / "theirs"), str(tmp_path / "ours")) == 0
    ours = flow.nn.Sequential(flow.nn.Linear(3, 4), flow.nn.Linear(4, 2))
    own = flow.optim.AdamW(ours.parameters())
    state = {"model": ours, "optimizer": own, "step": 0, "list": [flow.zeros(2), 0], "text": ""}
    checkpoint.load(state, checkpoint_id=tmp_path / "ours")
    for p, q in zip(ours.parameters(), model.parameters()):
        assert (p.numpy() == q.detach().numpy()).all()
        assert (own.state[p]["exp_avg"].numpy() == optimizer.state[q]["exp_avg"].numpy()).all()
    assert own.param_groups[0]["lr"] == 0.25 and own.param_groups[0]["betas"] == (0.5, 0.75)
    assert state["step"] == 7 and state["list"][1] == 3 and state["text"] == "a"


def test_what_cannot_be_converted_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("from_dcp", str(tmp_path), str(tmp_path / "b")) == 1
    assert "has no .metadata" in capsys.readouterr().err
    (tmp_path / ".metadata").write_bytes(b"no pickle")
    assert command("from_dcp", str(tmp_path), str(tmp_path / "b")) == 1
    assert "torch cannot read" in capsys.readouterr().err and not (tmp_path / "b").exists()
    assert command("from_dcp", str(tmp_path), str(tmp_path)) == 1
    assert "exists already" in capsys.readouterr().err


def command(*arguments: str) -> int:
    from tritonflow.__main__ import main

    return main(list(arguments))


# ------------------------------------------------------------------------------------------------------------- merging


def merged(folder: str) -> None:
    tensors = {**state(S(0), this_rank().world_size, True), "half": flow.arange(3, dtype=flow.bfloat16)}
    checkpoint.save(tensors, checkpoint_id=folder, consolidate=True)


@TORCH
@pytest.mark.parametrize("largest", [5 << 30, 100])
def test_shards_are_merged_to_whole_tensors(largest: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tritonflow.distributed.checkpoint.hugging_face._LARGEST", largest)
    flow.testing.simulate(3)(merged)(str(tmp_path / "a"))
    folder = tmp_path / "a" / "consolidated"
    names = json.loads((folder / "model.safetensors.index.json").read_text())["weight_map"]
    assert len(set(names.values())) == (1 if largest > 100 else 2)
    found = {name: load_file(folder / file)[name] for name, file in names.items()}
    assert found.pop("half").tolist() == [0, 1, 2] and {name: x.tolist() for name, x in found.items()} == EXPECTED
    tensors = state(B, 1, False)
    checkpoint.load(tensors, checkpoint_id=folder, strict=False)
    assert bits(tensors) == EXPECTED
    theirs = {name: torch.zeros(shape) for name, shape in SHAPES.items()}
    dcp.load(theirs, storage_reader=HuggingFaceStorageReader(str(folder)), no_dist=True)
    assert {name: x.tolist() for name, x in theirs.items()} == EXPECTED
