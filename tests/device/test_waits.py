"""What makes the host wait for a GPU: what the user reads, and nothing in a step of training. The GPU is a stand-in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tests.device.fake_cuda import FakeCuda
from tritonflow.device.device import Device
from tritonflow.device.provider import get_provider
from tritonflow.ops.multi_tensor import TABLES


def classifier() -> Any:
    model = flow.nn.Sequential(flow.nn.Embedding(9, 6), flow.nn.Linear(6, 7), flow.nn.LayerNorm(7), flow.nn.Linear(7, 3))
    return model.to("cuda")


def data() -> tuple[Any, Any]:
    return flow.tensor([1, 8, 3, 3], device="cuda"), flow.tensor([0, 2, 1, 2], device="cuda")


def eager_step(model: Any, optimizer: Any, scaler: Any) -> Callable[[Any, Any], Any]:
    def step(x: Any, target: Any) -> Any:
        optimizer.zero_grad()
        with flow.autocast("cuda", flow.float16):
            loss = flow.nn.functional.cross_entropy(model(x), target)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        flow.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        return loss

    return step


class Step(flow.nn.Graph):
    def __init__(self, model: Any, optimizer: Any, scaler: Any) -> None:
        super().__init__()
        self.model = model
        self.add_optimizer(optimizer)
        self.set_grad_scaler(scaler)
        self.config.enable_amp(True)

    def build(self, x: Any, target: Any) -> Any:
        loss = flow.nn.functional.cross_entropy(self.model(x), target)
        loss.backward()
        return loss


@pytest.mark.parametrize("kind", ["eager", "graph"])
def test_a_training_step_waits_for_nothing(cuda: FakeCuda, kind: str) -> None:
    """Gradients are at other addresses in every step, as they are where steps are not all alike."""
    model = classifier()
    optimizer = flow.optim.AdamW(model.parameters(), lr=0.1)
    scaler = flow.amp.GradScaler(init_scale=8.0)
    step: Any = (eager_step if kind == "eager" else Step)(model, optimizer, scaler)
    x, target = data()
    held = []
    for number in range(3 * TABLES):
        if number == TABLES + 2:
            before, asked = cuda.waits, len(cuda.sizes)
        loss = step(x, target)
        held.append([flow.empty_like(p) for p in model.parameters()])
    assert cuda.waits == before
    assert len(cuda.sizes) == asked, "memory for tables is bounded"
    assert numpy.isfinite(loss.item())
    assert cuda.waits == before + 1


def test_tables_are_right_whatever_is_evicted(cuda: FakeCuda) -> None:
    """As many sets of tensors as there are tables, one more, and the first again."""
    sets = [[flow.full((3,), 3.0 * k, device="cuda"), flow.full((2,), 4.0 * k, device="cuda")] for k in range(TABLES + 2)]
    for k in [*range(TABLES + 2), 0, 1, TABLES + 1, 1]:
        norm = flow.nn.utils.get_total_norm(sets[k])
        assert norm.item() == pytest.approx(k * (27 + 32) ** 0.5)


def test_tables_on_another_stream_are_in_its_order(cuda: FakeCuda) -> None:
    tensors = [flow.full((3,), 3.0, device="cuda"), flow.full((2,), 4.0, device="cuda")]
    flow.nn.utils.get_total_norm(tensors)
    side = flow.cuda.Stream()
    with flow.cuda.stream(side):
        before, staged = len(cuda.log), cuda.staged
        norm = flow.nn.utils.get_total_norm(tensors)
        assert {entry[1] for entry in cuda.log[before:] if entry[0] == "on"} == {side.cuda_stream}
        assert cuda.staged == staged + 1
    assert norm.item() == pytest.approx((27 + 32) ** 0.5)


def test_sequences_that_were_packed_here_are_padded_without_a_wait(cuda: FakeCuda) -> None:
    rnn = flow.nn.utils.rnn
    x = flow.ones(5, 3, 2, device="cuda")
    packed = rnn.pack_padded_sequence(x, [2, 5, 3], enforce_sorted=False)
    cuda.waits = 0
    packed = rnn.pack_padded_sequence(x, [2, 5, 3], enforce_sorted=False)
    assert rnn.pad_packed_sequence(packed)[1].tolist() == [2, 5, 3] and cuda.waits == 0
    assert rnn.pad_packed_sequence(packed._replace())[1].tolist() == [2, 5, 3] and cuda.waits == 1


def test_reading_a_number_is_one_wait(cuda: FakeCuda) -> None:
    """The error words come with it."""
    x = flow.tensor([1.5, -2.0, 3.0], device="cuda")
    got = flow.gather(x, 0, flow.tensor([2], device="cuda"))
    cuda.waits = 0
    assert got.item() == 3.0
    assert [entry[1] for entry in cuda.driver.log if entry[0] == "read"] == [4, 4]
    assert cuda.waits == 1
    assert x.tolist() == [1.5, -2.0, 3.0] and x.numpy()[0] == 1.5
    assert bool(x[0]) and int(x[2]) == 3
    bad = flow.gather(x, 0, flow.tensor([7], device="cuda"))
    with pytest.raises(IndexError, match="issued at"):
        bad.item()
    assert bad.item() == bad.item()


@pytest.mark.parametrize("dtype", [flow.float32, flow.bfloat16, flow.float64, flow.int64, flow.uint8, flow.bool])
@pytest.mark.sampled(most=3)
def test_reading_few_elements(cuda: FakeCuda, dtype: Any) -> None:
    x = flow.tensor([[1, 0, 1], [0, 0, 1]], dtype=dtype, device="cuda")
    assert x.tolist() == [[1, 0, 1], [0, 0, 1]]
    assert x.T.tolist() == [[1, 0], [0, 0], [1, 1]]
    assert x[1:, 1:].tolist() == [[0, 1]]
    assert x[:0].tolist() == []
    assert type(x[0, 0].item()) is type(flow.tensor(1, dtype=dtype).item())


def test_reading_from_another_stream(cuda: FakeCuda) -> None:
    """What another stream writes is waited for; what it found wrong is told, too."""
    x = flow.tensor([1.5, -2.0, 3.0], device="cuda")
    side = flow.cuda.Stream()
    with flow.cuda.stream(side):
        y = x * 2
        assert y[0].item() == 3.0
        bad = flow.gather(x, 0, flow.tensor([7], device="cuda"))
    with pytest.raises(IndexError):
        assert (x + 1)[0].item() == 2.5
    assert ("device", 0) in cuda.log
    del bad


def test_an_error_word_is_cleared_before_another_stream_may_set_it(late: FakeCuda) -> None:
    x, side = flow.tensor([1.5, -2.0, 3.0], device="cuda"), flow.cuda.Stream()
    y = x * 2  # the default stream has something to do yet
    with flow.cuda.stream(side):
        bad = flow.gather(x, 0, flow.tensor([7], device="cuda"))
    side.synchronize()
    with pytest.raises(IndexError, match="issued at"):
        flow.cuda.synchronize()
    del y, bad


def test_the_current_device_stays_where_numbers_are_read(cuda: FakeCuda) -> None:
    x = flow.tensor([2.5], device="cuda:1")
    assert x.item() == 2.5 and cuda.device == 0
    assert cuda.driver.called("read")[-1] == (4, 1)
    assert get_provider(Device("cuda:1")).read_now(x.ptr, 4) == numpy.float32(2.5).tobytes()
