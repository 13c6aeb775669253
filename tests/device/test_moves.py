"""Tensors that go from one device to another: their gradients come back. The GPU is a stand-in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

import tritonflow as flow
from tests.device.fake_cuda import FakeCuda
from tritonflow.errors import CaptureError

Mix = Callable[[Any, Any], Any]


def written(index: Any) -> Mix:
    """What writes a number to a part of a tensor."""

    def write(x: Any, w: Any) -> Any:
        y = x.clone()
        y[index(x)] = w
        return y

    return write


MIXES: dict[str, Mix] = {
    "to": lambda x, w: x * w.to(x.device),
    "to, cast": lambda x, w: x * w.to(x.device, flow.float64),
    "to other": lambda x, w: x * w.to(x),
    "type_as": lambda x, w: x * w.type_as(x),
    "as_tensor": lambda x, w: x * flow.as_tensor(w, device=x.device),
    "there and back": lambda x, w: (x * w).cpu() * w,
    "copy_": lambda x, w: flow.zeros_like(x).copy_(w),
    "fill_": lambda x, w: x.clone().fill_(w),
    "item": written(lambda x: 0),
    "mask": written(lambda x: x > 2),
    "mask of the host": written(lambda x: (x > 2).cpu()),
    "index of the host": written(lambda x: flow.tensor([1, 0])),
    "index_put": lambda x, w: x.index_put((flow.tensor([1]),), w),
    "added": lambda x, w: x + w,
    "consistent": lambda x, w: w.to_global(flow.placement(x.device.type, [0]), flow.sbp.broadcast),
}


def gradients(mix: Mix, device: str) -> list[Any]:
    x, w = flow.arange(6.0).reshape(2, 3).to(device).requires_grad_(), flow.tensor(2.0, requires_grad=True)
    mix(x, w).sum().backward()
    assert x.grad is None or x.grad.device == x.device
    assert w.grad is not None and w.grad.device == w.device
    return [None if x.grad is None else x.grad.tolist(), w.grad.tolist()]


@pytest.mark.parametrize("name", MIXES)
def test_gradients(cuda: FakeCuda, name: str) -> None:
    cuda.tells = True
    assert gradients(MIXES[name], "cuda") == gradients(MIXES[name], "cpu")


def test_a_network_on_two_gpus(cuda: FakeCuda) -> None:
    first, second = flow.nn.Linear(3, 4).to("cuda:0"), flow.nn.Linear(4, 2).to("cuda:1")
    whole = flow.nn.Sequential(flow.nn.Linear(3, 4), flow.nn.Linear(4, 2))
    whole.load_state_dict({f"{k}.{name}": p.cpu() for k, m in enumerate((first, second)) for name, p in m.state_dict().items()})
    x = flow.rand(5, 3)
    second(first(x.to("cuda:0")).to("cuda:1")).sum().backward()
    whole(x).sum().backward()
    for ours, expected in zip([*first.parameters(), *second.parameters()], whole.parameters()):
        assert ours.grad.device == ours.device and flow.allclose(ours.grad.cpu(), expected.grad)


def test_second_derivatives(cuda: FakeCuda) -> None:
    w = flow.tensor([1.0, 2.0], requires_grad=True)
    (first,) = flow.autograd.grad((w.to("cuda") ** 3).sum(), w, create_graph=True)
    first.sum().backward()
    assert (first.tolist(), w.grad.tolist()) == ([3.0, 12.0], [6.0, 12.0])


def test_what_has_no_history(cuda: FakeCuda) -> None:
    w = flow.ones(2, requires_grad=True)
    with flow.no_grad():
        assert not w.to("cuda").requires_grad
    assert not w.detach().to("cuda").requires_grad and w.to("cpu") is w
    assert all(p.is_leaf for p in flow.nn.Linear(2, 2).to("cuda").parameters())


def test_a_captured_program_moves_nothing_that_requires_grad(cuda: FakeCuda) -> None:
    cuda.tells = True
    w, x = flow.ones(2, requires_grad=True), flow.ones(2, device="cuda")
    with pytest.raises(CaptureError, match="copies a tensor that requires grad from cpu to cuda:0, at .*test_moves.py"):
        flow.compile(lambda x: x * w.to("cuda"), fullgraph=True)(x)
    with pytest.warns(UserWarning, match="runs in eager mode"):
        flow.compile(lambda x: x * w.to("cuda"))(x).sum().backward()
    assert w.grad.tolist() == [1.0, 1.0]
    table = w.detach()
    assert flow.compile(lambda x: x * table.to("cuda"), fullgraph=True)(x).tolist() == [1.0, 1.0]


def test_batched_tensors(cuda: FakeCuda) -> None:
    x = flow.arange(6.0).reshape(2, 3)
    moved = flow.func.vmap(lambda row: row.flip(0)[1:].to("cuda") * 2)(x)
    assert moved.is_cuda and moved.tolist() == [[2.0, 0.0], [8.0, 6.0]]
    assert flow.func.hessian(lambda v: (v.to("cuda") ** 3).sum())(flow.tensor([1.0, 2.0])).tolist() == [[6.0, 0.0], [0.0, 12.0]]


LAYOUTS: dict[str, Callable[[Any], Any]] = {
    "contiguous": lambda x: x,
    "transposed": lambda x: x.permute(2, 0, 3, 1),
    "channels_last": lambda x: x.permute(0, 3, 1, 2),
    "in the middle": lambda x: x[1:],
    "with gaps": lambda x: x[..., ::2],
    "expanded": lambda x: x[:1].expand(3, -1, -1, -1),
    "one image": lambda x: x[:1].permute(0, 3, 1, 2),
    "no elements": lambda x: x[:0].permute(0, 3, 1, 2),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_copy_lies_as_the_tensor(cuda: FakeCuda, name: str) -> None:
    """torch's own copies to its meta device say how."""
    cuda.tells = True
    x, strides = LAYOUTS[name](flow.arange(120.0).reshape(2, 3, 4, 5)), LAYOUTS[name](torch.zeros(2, 3, 4, 5)).to("meta").stride()
    for there in (x.to("cuda"), x.to("meta"), x.to("cuda").to("cuda:1"), x.to("cuda").cpu()):
        assert name == "expanded" or there.stride() == strides
        assert there.is_meta or there.tolist() == x.tolist()
    assert (x.to("cuda") * 2).tolist() == (x * 2).tolist()


def test_the_current_gpu(cuda: FakeCuda) -> None:
    x, layer = flow.ones(2), flow.nn.Linear(2, 2)
    assert x.cuda().device == flow.device("cuda:0")
    with flow.cuda.device(1):
        found = [x.cuda(), x.cuda().cuda(0), x.to("cuda"), layer.cuda().weight, flow.ones(2, device="cuda")]
    assert [y.device.index for y in found] == [1, 0, 1, 1, 1]
    assert found[0].cuda().device.index == 0 and x.cuda(1).device.index == x.cuda("cuda:1").device.index == 1
