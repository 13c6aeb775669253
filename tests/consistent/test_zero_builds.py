"""What `build` does with parameters that `enable_zero` has split: it reads and writes whole ones, as without it."""

from __future__ import annotations

from typing import Any

import pytest

import tritonflow as flow
from tests.consistent.graph_programs import everywhere, whole
from tests.consistent.test_zero import ALL, S0, B, Training, batch, equal
from tritonflow import nn
from tritonflow.errors import CaptureError


class Words(nn.Module):
    """An embedding that shortens the rows that it reads, or is the head as well, and one of positions."""

    def __init__(self, max_norm: float | None, is_tied: bool, **options: Any) -> None:
        super().__init__()
        self.words, self.positions = nn.Embedding(10, 8, max_norm=max_norm, **options), nn.Embedding(6, 8)
        self.norm, self.head = nn.LayerNorm(8), nn.Linear(8, 10, bias=False)
        if is_tied:
            self.head.weight = self.words.weight

    def forward(self, x: Any) -> Any:
        positions = flow.arange(6, placement=x.placement, sbp=B)
        return self.head(self.norm(self.words(x) + self.positions(positions)))


@pytest.mark.parametrize("size, stage, micro_steps, amp", [(2, 2, 1, None), (3, 3, 2, None), (4, 2, 1, flow.bfloat16)], ids=str)
def test_embeddings_have_the_bits(size: int, stage: int, micro_steps: int, amp: Any) -> None:
    """Tied ones, too, and those that are written where they are read: what `build` writes comes to the shares."""

    class Reads(Training):
        def build(self, x: Any) -> Any:
            loss = nn.functional.cross_entropy(self.net(x).float().reshape(-1, 10), x.reshape(-1))
            loss.backward()
            return loss

    def run() -> None:
        flow.manual_seed(1)
        x = flow.randint(0, 10, (12, 6)).to_global(everywhere(), B).to_global(sbp=S0)
        for args in ((None, False), (None, True), (0.5, False), (0.5, True)):
            found = []
            for zero in ({**ALL, "stage": stage}, None):
                graph = Reads(zero, layers=lambda args=args: [Words(*args, padding_idx=1)])
                graph.config.set_gradient_accumulation_steps(micro_steps)
                graph.config.enable_amp(amp is not None, dtype=amp or flow.bfloat16)
                losses = [whole(graph(x)) for _ in range(3)]
                found.append([*losses, *map(whole, graph.net.parameters())])
            assert equal(*found), args

    flow.testing.simulate(size)(run)()


def _scaled(net: Any) -> None:
    with flow.no_grad():
        net[0].weight.mul_(0.5)
        net[2].bias[1] = 1.0


def _by_data(net: Any) -> None:
    net[0].weight.data.clamp_(-0.1, 0.1)


def _clipped(net: Any) -> None:
    nn.utils.clip_grad_value_(net.parameters(), 0.001)


def _set_gradients(net: Any) -> None:
    net[0].weight.grad.mul_(2)
    net[0].bias.grad = None
    net[2].weight.grad = net[2].weight.grad * 3


@pytest.mark.parametrize("stage", [2, 3])
@pytest.mark.parametrize(
    "before, behind", [(_scaled, None), (_by_data, None), (None, _scaled), (_scaled, _by_data), (None, _clipped), (None, _set_gradients)]
)
def test_build_writes_parameters_and_gradients(before: Any, behind: Any, stage: int) -> None:
    """In front of the backward or behind it, as plain parallelism does."""

    class Writes(Training):
        def build(self, x: Any) -> Any:
            if before is not None:
                before(self.net)
            loss = self.net(x).pow(2).mean()
            loss.backward()
            if behind is not None:
                behind(self.net)
            return loss

    def run() -> None:
        plain = Writes().numbers()
        assert equal(Writes({**ALL, "stage": stage}).numbers(), plain) and not equal(Training().numbers(), plain)

    flow.testing.simulate(2)(run)()


def test_build_gives_no_parameter_other_memory() -> None:
    class Sets(Training):
        def build(self, x: Any) -> Any:
            self.net[0].weight.data = self.net[0].weight.detach() * 2
            return super().build(x)

    def run() -> None:
        for zero in (ALL, None):
            graph = Sets(zero)
            before = [whole(p) for p in graph.net.parameters()]
            with pytest.raises(CaptureError, match=r"data.* copy_\(\)"):
                graph(batch())
            assert equal([whole(p) for p in graph.net.parameters()], before)

    flow.testing.simulate(2)(run)()
