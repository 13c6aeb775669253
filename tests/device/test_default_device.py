"""Where new tensors lie: the default device of a thread, and `with device:`."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy
import pytest
import torch

import tritonflow as flow
from tests.device.fake_cuda import FakeCuda


@pytest.fixture(autouse=True)
def _cpu_afterwards() -> Iterator[None]:
    yield
    flow.set_default_device(None)


def test_functions_that_make_tensors(cuda: FakeCuda) -> None:
    flow.set_default_device("cuda")
    made = {
        "zeros": flow.zeros(2), "full": flow.full((2,), 1.5), "arange": flow.arange(3), "randn": flow.randn(2), "eye": flow.eye(2),
        "tensor": flow.tensor([1, 2]), "Tensor": flow.Tensor(2, 2), "randperm": flow.randperm(4),
        "linear": flow.nn.Linear(2, 2).weight, "like": flow.zeros_like(flow.ones(2)), "array": flow.tensor(numpy.ones(2)),
    }  # fmt: skip
    assert {name: x.device.type for name, x in made.items()} == dict.fromkeys(made, "cuda")
    assert flow.zeros(2, device="cpu").device.type == "cpu"
    assert flow.from_torch(torch.ones(2)).device.type == flow.from_numpy(numpy.ones(2)).device.type == "cpu"
    assert flow.zeros_like(flow.zeros(2, device="cpu")).device.type == "cpu"
    assert flow.tensor(flow.zeros(2, device="cpu")).device.type == "cpu"
    flow.set_default_device(None)
    assert flow.zeros(2).device.type == flow.get_default_device().type == "cpu"


def test_blocks_nest_and_errors_leave_them(cuda: FakeCuda) -> None:
    with flow.device("cuda:1") as outer:
        with flow.device("cpu"), flow.device("cpu"):
            assert flow.zeros(1).device.type == "cpu"
        assert flow.zeros(1).device is flow.get_default_device() is outer
        with pytest.raises(ZeroDivisionError), flow.device("cuda:0"):
            raise ZeroDivisionError
        assert flow.zeros(1).device is outer
    assert flow.zeros(1).device.type == "cpu"


def test_of_the_thread(cuda: FakeCuda) -> None:
    flow.set_default_device("cuda")
    found = []
    thread = threading.Thread(target=lambda: found.append(flow.zeros(1).device.type))
    thread.start()
    thread.join()
    assert found == ["cpu"]


def test_a_compiled_function_follows(cuda: FakeCuda) -> None:
    function = flow.compile(lambda: flow.zeros(2) + 1)
    assert function().device.type == "cpu"
    with flow.device("cuda"):
        assert function().device.type == "cuda"
    assert function().device.type == "cpu"


def test_what_is_for_the_host_lies_there(cuda: FakeCuda) -> None:
    """Lengths of sequences, as in torch; and what a generator of the CPU draws."""
    rnn, weights = flow.nn.utils.rnn, [0.5, 0.1, 0.4]
    with flow.device("cuda"):
        packed = rnn.pack_sequence([flow.ones(3), flow.ones(1)])
        lengths = rnn.pad_packed_sequence(packed)[1]
        assert packed.data.device.type == "cuda"
        assert packed.batch_sizes.device.type == lengths.device.type == "cpu"
        for replacement in (True, False):
            drawn = []
            for device in ("cpu", "cuda"):
                generator = flow.Generator(device).manual_seed(3)
                samplers = (
                    flow.utils.data.RandomSampler(range(5), replacement, 5, generator),
                    flow.utils.data.WeightedRandomSampler(weights, 3, replacement, generator),
                )
                drawn.append([list(sampler) for sampler in samplers])
            assert drawn[0] == drawn[1]


def test_a_bad_name_changes_nothing() -> None:
    with pytest.raises(RuntimeError, match="Expected one of cpu, cuda, meta device type"):
        flow.set_default_device("tpu")
    with pytest.raises(TypeError):
        flow.set_default_device(1.5)
    assert flow.zeros(1).device.type == "cpu"
