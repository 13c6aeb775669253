"""`torch.distributed.checkpoint`: programs written for torch save and load by it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tritonflow as flow
from tritonflow import mock_torch
from tritonflow.errors import CheckpointFolderError
from tritonflow.mock_torch.names import distributed as dist
from tritonflow.testing import simulate
from tritonflow.wire.world import this_rank


@pytest.fixture
def torch() -> Any:
    with mock_torch.enable():
        import torch
        import torch.distributed.checkpoint
        import torch.distributed.checkpoint.state_dict
        import torch.distributed.checkpoint.stateful
    return torch


def trained(torch: Any, seed: int) -> tuple[Any, Any]:
    torch.manual_seed(seed)
    model = torch.nn.Linear(3, 2)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.1 * seed)
    if seed == 1:
        model(torch.ones(1, 3)).sum().backward()
        optimizer.step()
    return model, optimizer


class App:
    """torch's tutorial: a state of model and optimizer by names."""

    def __init__(self, torch: Any, model: Any, optimizer: Any) -> None:
        self.names, self.model, self.optimizer = torch.distributed.checkpoint.state_dict, model, optimizer

    def state_dict(self) -> dict[str, Any]:
        model, optimizer = self.names.get_state_dict(self.model, self.optimizer)
        return {"model": model, "optim": optimizer}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        self.names.set_state_dict(
            self.model, self.optimizer, model_state_dict=state["model"], optim_state_dict=state["optim"]
        )


@pytest.mark.parametrize("way", ["stateful", "dicts", "async"])
def test_torchs_tutorial(torch: Any, way: str, tmp_path: Path) -> None:
    dcp, names = torch.distributed.checkpoint, torch.distributed.checkpoint.state_dict

    def program(seed: int) -> Any:
        dist.init_process_group()
        model, optimizer = trained(torch, seed)
        if way == "stateful":
            state: dict[str, Any] = {"app": App(torch, model, optimizer)}
            assert isinstance(state["app"], dcp.stateful.Stateful)
        else:
            state = {"model": names.get_model_state_dict(model), "optim": names.get_optimizer_state_dict(model, optimizer)}
        if seed == 1:
            if way == "async":
                dcp.async_save(state, checkpoint_id=tmp_path / "a").result()
            else:
                dcp.save(state, storage_writer=dcp.FileSystemWriter(tmp_path / "a"))
        else:
            dcp.load(state, storage_reader=dcp.FileSystemReader(tmp_path / "a"))
            if way != "stateful":
                names.set_model_state_dict(model, state["model"])
                names.set_optimizer_state_dict(model, optimizer, state["optim"])
        return [p.tolist() for p in model.parameters()], [
            optimizer.state[p][name].tolist() for p in model.parameters() for name in ("step", "exp_avg")
        ], optimizer.param_groups[0]["lr"]

    expected = simulate(2)(program)(1)
    assert simulate(3)(program)(2) == [expected[0]] * 3


def test_as_in_torch_what_is_left_over_is_not_read(torch: Any, tmp_path: Path) -> None:
    dcp = torch.distributed.checkpoint
    dcp.save({"a": torch.ones(2), "b": torch.ones(2), "n": 3}, checkpoint_id=tmp_path / "a", no_dist=True)
    state = {"a": torch.zeros(2), "n": 0}
    dcp.load(state, checkpoint_id=tmp_path / "a")
    assert state["a"].tolist() == [1, 1] and state["n"] == 3
    with pytest.raises(dcp.CheckpointException, match="missing in the checkpoint: c"):
        dcp.load({"c": torch.zeros(2)}, checkpoint_id=tmp_path / "a")
    assert dcp.CheckpointException is CheckpointFolderError


def test_what_is_not_done_is_said(torch: Any, tmp_path: Path) -> None:
    dcp = torch.distributed.checkpoint
    with pytest.raises(NotImplementedError, match="a planner"):
        dcp.save({}, checkpoint_id=tmp_path, planner=object())
    with pytest.raises(NotImplementedError, match="storage of the program's own"):
        dcp.save({}, storage_writer=object())
    with pytest.raises(RuntimeError, match="expected 'checkpoint_id'"):
        dcp.load({})

    def alone() -> None:
        with pytest.raises(NotImplementedError, match="call it on all 2"):
            dcp.save({"r": this_rank().index}, checkpoint_id=tmp_path / "a", no_dist=True)

    simulate(2)(alone)()
    assert flow.ones(1).item() == 1
