"""Programs written for torch's names: `torch.distributed.fsdp`, `.optim`, `.algorithms`, and the wrapper's options."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import tritonflow as flow
from tests.consistent.test_data_parallel import on_ranks
from tritonflow import mock_torch

ROWS = numpy.random.default_rng(0).standard_normal((8, 4)).astype(numpy.float32)


def program(rank: int, way: str) -> Any:
    """A training step in torch's words; the weights."""
    with mock_torch.enable():
        import torch
        import torch.distributed as dist
        from torch.distributed.algorithms.ddp_comm_hooks import default_hooks
        from torch.distributed.algorithms.join import Join
        from torch.distributed.fsdp import FSDPModule, MixedPrecisionPolicy, fully_shard
        from torch.distributed.optim import ZeroRedundancyOptimizer
        from torch.nn.parallel import DistributedDataParallel as DDP
    if not dist.is_initialized():
        dist.init_process_group("gloo")
    model: Any = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Tanh(), torch.nn.Linear(4, 2))
    for k, p in enumerate(model.parameters()):
        p.data.copy_(torch.from_numpy(numpy.random.default_rng(k).standard_normal(tuple(p.shape)).astype(numpy.float32)))
    if way == "fsdp":
        policy = MixedPrecisionPolicy(reduce_dtype=torch.float32)
        fully_shard(model[0], mp_policy=policy)
        fully_shard(model, mp_policy=policy, mesh=dist.device_mesh.init_device_mesh("cpu", (2,)))
        assert isinstance(model, FSDPModule)
        optimizer: Any = torch.optim.SGD(model.parameters(), lr=0.1)
    else:
        model = DDP(model, process_group=dist.new_group([0, 1]), gradient_as_bucket_view=True)
        if "hook" in way:
            model.register_comm_hook(None, getattr(default_hooks, way))
        optimizer = ZeroRedundancyOptimizer(model.parameters(), torch.optim.SGD, lr=0.1)
    x = torch.from_numpy(ROWS[rank::2])
    with Join([model, optimizer], enable=way != "fsdp") if way != "fsdp" else torch.enable_grad():
        (model(x) ** 2).mean().backward()
        optimizer.step()
    return [p.full().numpy() if p.is_global else p.detach().numpy() for p in model.parameters()]


@pytest.mark.parametrize("way", ["zero", "fsdp", "allreduce_hook", "fp16_compress_hook", "bf16_compress_hook"])
def test_a_program_of_torchs(way: str) -> None:
    reference = flow.nn.Sequential(flow.nn.Linear(4, 4), flow.nn.Tanh(), flow.nn.Linear(4, 2))
    for k, p in enumerate(reference.parameters()):
        p.data.copy_(flow.tensor(numpy.random.default_rng(k).standard_normal(tuple(p.shape)).astype(numpy.float32)))
    (reference(flow.tensor(ROWS)) ** 2).mean().backward()
    flow.optim.SGD(reference.parameters(), lr=0.1).step()
    for found in on_ranks(2, lambda rank: program(rank, way)):
        for ours, p in zip(found, reference.parameters()):
            numpy.testing.assert_allclose(ours, p.numpy(), atol=1e-2 if "compress" in way else 1e-5)


def from_meta(rank: int, is_loaded: bool) -> Any:
    """FSDP2's steps for a model that no rank can have whole."""
    with mock_torch.enable():
        import torch
        import torch.distributed as dist
        from torch.distributed.checkpoint.state_dict import StateDictOptions, set_model_state_dict
        from torch.distributed.fsdp import fully_shard
    if not dist.is_initialized():
        dist.init_process_group("gloo")
    with torch.device("meta"):
        model: Any = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Tanh(), torch.nn.Linear(4, 2))
    for layer in (model[0], model[2]):
        fully_shard(layer)
    fully_shard(model)
    torch.manual_seed(3)
    if is_loaded:
        whole = {} if rank else torch.nn.Sequential(*[torch.nn.Linear(4, 4), torch.nn.Tanh(), torch.nn.Linear(4, 2)]).state_dict()
        set_model_state_dict(model, whole, options=StateDictOptions(full_state_dict=True, broadcast_from_rank0=True))
    else:
        model.to_empty(device="cpu")
        for layer in (model[0], model[2]):
            layer.reset_parameters()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    (model(torch.from_numpy(ROWS[rank::2])) ** 2).mean().backward()
    optimizer.step()
    return [p.full().numpy() for p in model.parameters()]


@pytest.mark.parametrize("is_loaded", [False, True])
def test_a_program_that_begins_on_the_meta_device(is_loaded: bool) -> None:
    flow.manual_seed(3)
    reference = flow.nn.Sequential(flow.nn.Linear(4, 4), flow.nn.Tanh(), flow.nn.Linear(4, 2))
    (reference(flow.tensor(ROWS)) ** 2).mean().backward()
    flow.optim.SGD(reference.parameters(), lr=0.1).step()
    for found in on_ranks(2, lambda rank: from_meta(rank, is_loaded)):
        for ours, p in zip(found, reference.parameters()):
            numpy.testing.assert_allclose(ours, p.numpy(), atol=1e-5)
