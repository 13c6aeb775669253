"""Adam8bit and AdamW8bit: what a model loses by states of 8 bits, their memory, state dicts, graphs, and what is refused."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
import torch

import tritonflow as flow

KINDS = [("Adam8bit", "Adam"), ("AdamW8bit", "AdamW")]


def pair(kind: str, shape: tuple[int, ...] = (70, 100), **options: Any) -> tuple[Any, Any]:
    flow.manual_seed(0)
    p = flow.randn(*shape, requires_grad=True)
    return p, getattr(flow.optim, kind)([p], lr=0.01, **options)


def step(p: Any, optimizer: Any, seed: int) -> None:
    flow.manual_seed(seed)
    p.grad = flow.randn(*p.shape, dtype=p.dtype)
    optimizer.step()


@pytest.mark.parametrize(("kind", "exact"), KINDS)
@pytest.mark.parametrize("options", [{}, {"amsgrad": True, "weight_decay": 0.1, "block_size": 128}, {"maximize": True}])
def test_steps_stay_near_those_of_32_bits(kind: str, exact: str, options: dict[str, Any]) -> None:
    """The first step is the same, as no state is read. Later ones differ by what rounding to codes moves m / sqrt(v)."""
    wide = {k: v for k, v in options.items() if k != "block_size"}
    (p, mine), (q, theirs) = pair(kind, **options), pair(exact, **wide)
    step(p, mine, 1), step(q, theirs, 1)
    assert float((p - q).abs().max()) < 1e-6
    for k in range(2, 12):
        step(p, mine, k), step(q, theirs, k)
    moved = q.detach() - pair(exact)[0].detach()
    assert float((p - q).norm() / moved.norm()) < 0.05 and mine.state[p]["step"].item() == 11


@pytest.mark.parametrize("shape", [(4096,), (17, 300), (64, 8, 3, 3)])
def test_sizes_and_layouts(shape: tuple[int, ...]) -> None:
    """The last block need not be full. A parameter in another order of memory has its codes in the order of its elements."""
    p, optimizer = pair("Adam8bit", shape)
    q = p.detach().permute(*reversed(range(p.ndim))).contiguous().permute(*reversed(range(p.ndim))).requires_grad_()
    other = flow.optim.Adam8bit([q], lr=0.01)
    for k in range(3):
        step(p, optimizer, k), step(q, other, k)
    assert flow.equal(p, q) and flow.equal(optimizer.state[p]["exp_avg"], other.state[q]["exp_avg"])
    assert optimizer.state[p]["exp_avg_scale"].shape == (-(-p.numel() // 256),)


def test_few_elements_have_states_of_32_bits() -> None:
    p, optimizer = pair("Adam8bit", (63, 65))
    q, exact = pair("Adam", (63, 65))
    for k in range(3):
        step(p, optimizer, k), step(q, exact, k)
    assert flow.equal(p, q) and optimizer.state[p]["exp_avg"].dtype is flow.float32
    p, optimizer = pair("Adam8bit", (10, 10), min_8bit_size=100)
    step(p, optimizer, 0)
    assert optimizer.state[p]["exp_avg"].dtype is flow.uint8


def test_memory() -> None:
    """2.03 bytes for each element in place of 8."""
    p, optimizer = pair("AdamW8bit", (512, 512))
    step(p, optimizer, 0)
    size = sum(t.numel() * t.element_size() for name, t in optimizer.state[p].items() if name != "step")
    assert size == p.numel() * (2 + 8 / 256)


def test_half_parameters() -> None:
    flow.manual_seed(0)
    for dtype in (flow.bfloat16, flow.float16):
        p = flow.randn(64, 64).to(dtype).requires_grad_()
        q = p.detach().float().requires_grad_()
        mine, exact = flow.optim.Adam8bit([p], lr=0.01), flow.optim.Adam([q], lr=0.01)
        for k in range(4):
            step(p, mine, k)
            q.grad = p.grad.float()
            exact.step()
        assert p.dtype is dtype and float((p.float() - q).abs().max()) < 0.05


# ------------------------------------------------------------------------------------------------ state dicts


def test_a_loaded_state_goes_on_where_it_was() -> None:
    """Also through a file, and for a parameter of bfloat16, whose states are not of its dtype."""
    for dtype in (flow.float32, flow.bfloat16):
        p, optimizer = pair("AdamW8bit")
        p = p.detach().to(dtype).requires_grad_()
        optimizer = flow.optim.AdamW8bit([p], lr=0.01)
        for k in range(3):
            step(p, optimizer, k)
        buffer = io.BytesIO()
        flow.save(optimizer.state_dict(), buffer)
        buffer.seek(0)
        q = p.detach().clone().requires_grad_()
        other = flow.optim.AdamW8bit([q], lr=5.0)
        other.load_state_dict(flow.load(buffer))
        assert other.state[q]["exp_avg"].dtype is flow.uint8 and other.state[q]["exp_avg_sq_scale"].dtype is flow.float32
        step(p, optimizer, 9), step(q, other, 9)
        assert flow.equal(p, q) and flow.equal(other.state[q]["exp_avg_sq"], optimizer.state[p]["exp_avg_sq"])


def test_states_of_32_bits_stay_so() -> None:
    p, exact = pair("Adam")
    step(p, exact, 0)
    q = p.detach().clone().requires_grad_()
    mine = flow.optim.Adam8bit([q], lr=0.01)
    mine.load_state_dict(exact.state_dict())
    step(p, exact, 1), step(q, mine, 1)
    assert flow.equal(p, q) and mine.state[q]["exp_avg"].dtype is flow.float32


def test_states_that_do_not_fit_are_refused() -> None:
    p, optimizer = pair("Adam8bit")
    step(p, optimizer, 0)
    saved = optimizer.state_dict()
    q, exact = pair("Adam")
    with pytest.raises(ValueError, match="codes of 8 bits as the state of parameter 0; help: load it into Adam8bit"):
        exact.load_state_dict(saved)
    other = flow.optim.Adam8bit([q], block_size=128)
    with pytest.raises(ValueError, match=r"'exp_avg' of parameter 0, with scales \[28\].*blocks of 128 have \[55\]"):
        other.load_state_dict(saved)
    del saved["state"][0]["exp_avg_sq_scale"]
    with pytest.raises(ValueError, match="'exp_avg_sq' of parameter 0, with scales none"):
        flow.optim.Adam8bit([q]).load_state_dict(saved)


def test_what_is_refused() -> None:
    p = flow.zeros(64, 64, requires_grad=True)
    with pytest.raises(ValueError, match="block_size must be one of 128, 256"):
        flow.optim.Adam8bit([p], block_size=100)
    with pytest.raises(NotImplementedError, match="bf16_stochastic_round"):
        flow.optim.AdamW8bit([p], bf16_stochastic_round=True)
    with pytest.raises(ValueError, match="Invalid learning rate"):
        flow.optim.Adam8bit([p], lr=-1.0)
    wide = flow.zeros(64, 64, dtype=flow.float64, requires_grad=True)
    optimizer = flow.optim.Adam8bit([wide])
    wide.grad = flow.ones(64, 64, dtype=flow.float64)
    with pytest.raises(RuntimeError, match="computes in float32, but a parameter is of tritonflow.float64"):
        optimizer.step()
    assert float(wide.abs().max()) == 0 and not optimizer.state[wide]
    over_ranks = flow.zeros(64, 64, placement=flow.placement("cpu", [0]), sbp=flow.sbp.broadcast, requires_grad=True)
    over_ranks.sum().backward()
    with pytest.raises(NotImplementedError, match="takes parameters of one rank"):
        flow.optim.Adam8bit([over_ranks]).step()


# ------------------------------------------------------------------------------------------------ training


class Task:
    """A model of two layers with wide weights, on samples of 16 classes."""

    def __init__(self) -> None:
        flow.manual_seed(1)
        self.x = flow.randn(512, 64)
        self.classes = self.x[:, :8].abs().argmax(1) + 8 * (self.x[:, 8] > 0).to(flow.int64)
        flow.manual_seed(2)
        self.net = flow.nn.Sequential(flow.nn.Linear(64, 256), flow.nn.GELU(), flow.nn.Linear(256, 16))

    def loss(self) -> Any:
        return flow.nn.functional.cross_entropy(self.net(self.x), self.classes)


def trained(kind: str, how: str = "eager", steps: int = 20) -> list[float]:
    task = Task()
    optimizer = getattr(flow.optim, kind)(task.net.parameters(), lr=3e-3)

    def eager() -> Any:
        optimizer.zero_grad()
        loss = task.loss()
        loss.backward()
        optimizer.step()
        return loss.detach()

    class Train(flow.nn.Graph):
        def __init__(self) -> None:
            super().__init__()
            self.net = task.net
            self.add_optimizer(optimizer)

        def build(self) -> Any:
            loss = task.loss()
            loss.backward()
            return loss

    run = {"eager": lambda: eager, "compiled": lambda: flow.compile(eager), "graph": Train}[how]()
    return [float(run()) for _ in range(steps)]


def test_a_model_trains_to_the_same_loss() -> None:
    """Within 1 % of what AdamW comes to."""
    wide, narrow = trained("AdamW", steps=20), trained("AdamW8bit", steps=20)
    assert wide[-1] < 0.5 * wide[0] and abs(narrow[-1] / wide[-1] - 1) < 0.01


@pytest.mark.parametrize("how", ["compiled", "graph"])
def test_graphs_train_as_eager_mode_does(how: str) -> None:
    eager, captured = trained("AdamW8bit", steps=8), trained("AdamW8bit", how, steps=8)
    assert np.allclose(eager, captured, rtol=1e-4)


def test_a_scaler_skips_a_step() -> None:
    p, optimizer = pair("Adam8bit")
    step(p, optimizer, 0)
    before = [p.detach().clone(), *[optimizer.state[p][name].clone() for name in ("exp_avg", "exp_avg_sq_scale", "step")]]
    scaler = flow.amp.GradScaler(init_scale=8.0)
    scaler.scale(flow.ones(()))
    p.grad = flow.full((70, 100), float("inf"))
    scaler.step(optimizer)
    scaler.update()
    after = [p.detach(), *[optimizer.state[p][name] for name in ("exp_avg", "exp_avg_sq_scale", "step")]]
    assert all(flow.equal(a, b) for a, b in zip(before, after))


def test_programs_that_import_torchao() -> None:
    with flow.mock_torch.enable():
        import torch as mock
        from torchao.optim import Adam8bit, AdamW8bit

        p = mock.ones(64, 64, requires_grad=True)
        optimizer = AdamW8bit([p], lr=1e-3, block_size=256)
        p.sum().backward()
        optimizer.step()
    assert Adam8bit is flow.optim.Adam8bit and type(p) is flow.Tensor and torch is not mock
