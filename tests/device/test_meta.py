"""The meta device: shapes, dtypes and errors of ops are those of the CPU, and nothing has elements."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

import tritonflow as flow
from tritonflow import nn

functional = nn.functional

CASES = {
    "pointwise": lambda x: flow.relu(x * 2 + x).exp(),
    "broadcast": lambda x: x + x[0],
    "promotion": lambda x: x > 1,
    "reduction": lambda x: flow.max(x, 1),
    "views": lambda x: x.t()[1:, None].expand(5, 2, 4),
    "contiguous": lambda x: x.t().contiguous(),
    "product": lambda x: x @ x.t(),
    "join": lambda x: flow.cat([x, x], 1),
    "cast": lambda x: x.to(flow.float16).long(),
    "sort": lambda x: x.sort(),
    "index": lambda x: x[flow.zeros(3, dtype=flow.int64, device=x.device)],
    "loss": lambda x: functional.cross_entropy(x, flow.zeros(4, dtype=flow.int64, device=x.device)),
    "norm": lambda x: functional.layer_norm(x, (6,)),
    "new": lambda x: (x.new_zeros(2), flow.ones_like(x), flow.rand_like(x)),
    "random": lambda x: functional.dropout(x, 0.5),
    "strides": lambda x: x.as_strided((2, 2), (1, 2), 3),
}


def facts(result: Any) -> Any:
    if isinstance(result, tuple):
        return [facts(r) for r in result]
    return result.shape, result.stride(), result.dtype, result.storage_offset()


@pytest.mark.parametrize("case", CASES)
def test_metas_are_those_of_the_cpu(case: str) -> None:
    function = CASES[case]
    with_data = flow.arange(24.0).reshape(4, 6)
    assert facts(function(with_data.to("meta"))) == facts(function(with_data))


@pytest.mark.parametrize("case", CASES)
def test_consistent_ones_lie_as_on_the_cpu(case: str) -> None:
    """Layouts are decided alike, and nothing moves."""

    def on(kind: str) -> Any:
        x = flow.arange(24.0).reshape(4, 6).to_global(flow.placement("cpu", [0, 1]), flow.sbp.broadcast).to_global(sbp=flow.sbp.split(0))
        for _ in range(2):  # the second time plans may be known
            found = CASES[case](x.to(kind)) if case not in ("index", "loss") else x.to(kind).softmax(0)
        found = found if isinstance(found, tuple) else (found,)
        assert all(y.is_meta is (kind == "meta") and y.placement.type == kind for y in found)
        return [(facts(y)[:3], y.sbp, y.to_local().shape) for y in found]

    for meta, cpu in flow.testing.simulate(2)(lambda: (on("meta"), on("cpu")))():
        assert meta == cpu


def test_errors_are_those_of_the_cpu() -> None:
    with pytest.raises(RuntimeError, match="must match"):
        flow.ones(2, device="meta") + flow.ones(3, device="meta")
    with pytest.raises(RuntimeError, match="Expected all tensors to be on the same device"):
        flow.ones(2, device="meta") + flow.ones(2)


READS = {
    "cpu": lambda x: x.cpu(),
    "to": lambda x: x.to("cpu"),
    "item": lambda x: x.sum().item(),
    "tolist": lambda x: x.tolist(),
    "numpy": lambda x: x.numpy(),
    "bool": lambda x: bool(x.sum()),
    "copy_": lambda x: flow.ones(2, 3).copy_(x),
    "nonzero": lambda x: x.nonzero(),
    "to_torch": flow.to_torch,
}


@pytest.mark.parametrize("read", READS)
def test_there_are_no_elements(read: str) -> None:
    with pytest.raises(NotImplementedError, match="no data|has none|cannot be called on meta tensors"):
        READS[read](flow.ones(2, 3, device="meta"))


def test_a_number_in_host_memory_goes_with_any_device() -> None:
    """An element without dimensions, of a pointwise op: as torch has it of GPUs."""
    x = flow.ones(2, 3, device="meta", requires_grad=True)
    number = flow.tensor(2.0, requires_grad=True)
    for result in (x * number, number - x, flow.where(x > number, x, number), (x * 1).mul_(number)):
        assert result.is_meta and result.shape == (2, 3)
    assert (flow.tensor(2, device="meta") + flow.tensor(0.5)).dtype is flow.float32
    with pytest.raises(RuntimeError, match="Expected all tensors to be on the same device"):
        flow.tensor(1.0).add_(flow.ones((), device="meta"))
    with pytest.raises(RuntimeError, match="Expected all tensors to be on the same device"):
        x @ flow.ones(3, 1)


def test_writes() -> None:
    x = flow.ones(2, 3, device="meta")
    version = x._version
    x.add_(1).copy_(flow.ones(2, 3))
    x[0] = 3
    x.normal_()
    assert x._version > version and x.is_meta and x.shape == (2, 3)


def test_a_model_without_memory() -> None:
    with flow.device("meta"):
        model = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Dropout(), nn.Linear(4, 2))
    other = nn.Sequential(nn.Conv2d(3, 4, 3, device="meta"), nn.Flatten(), nn.Embedding(3, 2, device="meta"))
    assert all(p.is_meta for p in (*model.parameters(), *model.buffers(), *other.parameters()))
    out = model(flow.ones(5, 3, device="meta"))
    out.sum().backward()
    assert out.shape == (5, 2) and model[0].weight.grad.shape == (4, 3)
    optimizer = flow.optim.AdamW(model.parameters())
    optimizer.step()
    with pytest.raises(NotImplementedError, match="Cannot copy out of meta tensor; no data! Please use nn.Module.to_empty"):
        model.to("cpu")
    with pytest.warns(UserWarning, match="which is a no-op"):
        model[0].load_state_dict(nn.Linear(3, 4).state_dict())
    model.to_empty(device="cpu")
    for parameter in model.parameters():
        nn.init.ones_(parameter)
    assert model(flow.ones(5, 3)).shape == (5, 2) and not model[0].weight.is_meta
    assert all(p.is_meta for p in nn.Linear(2, 2).to("meta").parameters())


def test_copies_and_text() -> None:
    x = nn.Parameter(flow.ones(2, 3, device="meta"))
    for twin in (copy.deepcopy(x), pickle.loads(pickle.dumps(x)), x.clone()):
        assert twin.is_meta and twin.shape == (2, 3) and twin.requires_grad
    assert repr(flow.ones(2, 3, device="meta", dtype=flow.int32)) == (
        "tensor(..., device='meta', size=(2, 3), dtype=tritonflow.int32)"
    )
    assert x.data_ptr() == 0 and x[1].storage_offset() == 3 and x.untyped_storage().nbytes() == 24


def test_captured_programs_run_as_they_are() -> None:
    compiled = flow.compile(lambda x: flow.relu(x * 2))
    assert compiled(flow.ones(2, device="meta")).is_meta
    assert compiled(flow.ones(2)).tolist() == [2.0, 2.0]


def test_the_name() -> None:
    device = flow.device("meta")
    assert (str(device), device.type, device.index) == ("meta", "meta", None)
    assert flow.device(type="cuda", index=1) is flow.device("cuda:1") is flow.device(1)
    assert (str(flow.device("cpu")), repr(flow.device("cpu")), flow.device("cpu").index) == (
        "cpu",
        "device(type='cpu')",
        None,
    )
    assert pickle.loads(pickle.dumps(device)) is device and {device: 1}[flow.device("meta")] == 1
