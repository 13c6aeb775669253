"""The random numbers of GPUs, seeded, saved and restored by `flow.cuda`; the GPUs are a stand-in."""

from __future__ import annotations

import pytest

import tritonflow as flow
from tests.device.fake_cuda import FakeCuda


def draw(index: int = 0) -> list[float]:
    return flow.rand(3, device=f"cuda:{index}").tolist()


def test_states_of_all(cuda: FakeCuda) -> None:
    """Each GPU goes on where its state was taken; a seed for all begins all anew."""
    cuda.count = 2
    flow.cuda.manual_seed_all(5)
    first = [draw(0), draw(1)]
    states = flow.cuda.get_rng_state_all()
    later = [draw(0), draw(1)]
    assert first != later
    flow.cuda.set_rng_state_all(states)
    assert [draw(0), draw(1)] == later
    flow.cuda.manual_seed_all(5)
    assert [draw(0), draw(1)] == first and flow.cuda.initial_seed() == 5


def test_the_state_of_one(cuda: FakeCuda) -> None:
    cuda.count = 2
    flow.cuda.manual_seed(1)
    state, other = flow.cuda.get_rng_state(), flow.cuda.get_rng_state("cuda:1")
    numbers = draw()
    flow.cuda.set_rng_state(state)
    assert draw() == numbers and flow.cuda.get_rng_state(1) == other
    flow.cuda.set_rng_state(new_state=state, device=flow.device("cuda:1"))
    assert draw(1) == numbers
    flow.cuda.seed_all()
    assert flow.cuda.get_rng_state(0) == flow.cuda.get_rng_state(1) != state
    with pytest.raises(TypeError, match="set_state"):
        flow.cuda.set_rng_state("wrong")


def test_capturing(cuda: FakeCuda) -> None:
    assert not flow.cuda.is_current_stream_capturing()
    cuda.capturing = True
    assert flow.cuda.is_current_stream_capturing()
    cuda.capturing = False


@pytest.mark.skipif(flow.cuda.is_available(), reason="there is a GPU")
def test_without_a_gpu() -> None:
    """Seeds are ignored as in torch; there are no states."""
    flow.cuda.manual_seed(1)
    flow.cuda.manual_seed_all(1)
    assert flow.cuda.get_rng_state_all() == [] and not flow.cuda.is_current_stream_capturing()
    with pytest.raises(RuntimeError):
        flow.cuda.get_rng_state()
