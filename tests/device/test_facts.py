"""Devices as data: a device that tritonflow has never heard of, and what is chosen by kind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, get_args, get_type_hints

import pytest
import torch

import tritonflow as flow
from tests.device.fake_cuda import A100, B200, GPUS, H100, L40S, RTX_PRO_6000
from tritonflow.boxing.pieces import Layout
from tritonflow.boxing.routes import least_seconds
from tritonflow.device import device as devices
from tritonflow.device import provider as providers
from tritonflow.device.cpu import CpuProvider
from tritonflow.device.device import Device, is_gpu
from tritonflow.device.provider import facts_of
from tritonflow.device.torch_cuda import bandwidth_of
from tritonflow.execution.op_expr import all_op_exprs
from tritonflow.graph.explain import roof_measurement
from tritonflow.graph.fusion import price
from tritonflow.graph.passes import fuse_prologues
from tritonflow.graph.plan import tuning
from tritonflow.kernels import attention_config
from tritonflow.kernels.facts import DeviceFacts, architecture_of
from tritonflow.ops.precision import precision
from tritonflow.profiler.summary import Average
from tritonflow.settings import settings
from tritonflow.vm.machine import machine

NAMED = {
    "amp/grad_scaler.py", "cuda.py", "framework/tensor.py", "functions/random_generator.py", "interpreter/own_kernels.py",
    "random.py", "testing.py",
}  # fmt: skip
KINDS = set(get_args(get_type_hints(DeviceFacts)["kind"]))
LAUNCH, AGAIN = (fuse_prologues.__globals__[name] for name in ("LAUNCH", "AGAIN"))


class MirrorProvider(CpuProvider):
    """A device of its own name, in host memory. It does everything when it is asked."""

    name = "mirror"
    facts = DeviceFacts("gpu", lanes=64, processors=8, shared_memory=96 << 10, cache=4 << 20)  # type: ignore[assignment]


@pytest.fixture
def mirror(monkeypatch: pytest.MonkeyPatch) -> Iterator[Device]:
    monkeypatch.setitem(devices.DEVICE_TYPES, "mirror", "gpu")
    monkeypatch.setitem(providers._factories, "mirror", MirrorProvider)
    device = Device("mirror")
    yield device
    machine.sync()
    for expr in all_op_exprs():
        expr.clear_plans()
    providers._providers.pop(device, None)
    del Device._known["mirror", 0]


def test_a_new_device_is_a_name_and_a_provider(mirror: Device) -> None:
    x = flow.tensor([[1.0, -2.0, 3.0]], device=mirror, requires_grad=True)
    y = flow.relu(x).sum()
    y.backward()
    assert y.device is mirror and y.item() == 4.0
    assert x.grad.tolist() == [[1.0, 0.0, 1.0]]
    assert (x.detach() @ x.detach().t()).to("cpu").tolist() == [[14.0]]


def test_torch_shares_its_memory(mirror: Device) -> None:
    x = flow.ones(3, device=mirror)
    theirs = flow.to_torch(x[1:])
    x.mul_(2.0)
    assert theirs.tolist() == [2.0, 2.0] and theirs.data_ptr() == x.data_ptr() + 4
    theirs.fill_(5.0)
    assert x.tolist() == [2.0, 5.0, 5.0]


def test_a_graph_runs_there(mirror: Device) -> None:
    double = flow.compile(lambda x: flow.relu(x) * 2)
    assert double(flow.tensor([1.0, -1.0], device=mirror)).tolist() == [2.0, 0.0]


def test_placements_links_and_profiles_follow_the_kind_of_a_type(mirror: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    place = flow.placement("mirror", [0])
    assert place.device() is mirror and is_gpu("mirror:3") and not is_gpu("python")
    x, y = (Layout((64,), flow.placement("mirror", [0]), (sbp,)) for sbp in (flow.sbp.partial_sum, flow.sbp.broadcast))
    on_gpus = [layout._replace(placement=flow.placement("cuda", [0])) for layout in (x, y)]
    assert least_seconds(x, y, flow.float32) == least_seconds(*on_gpus, flow.float32)
    average = Average("instruction", "add", 1, 10, 10, 10, 1.0, nbytes=8, flops=20, device="mirror")
    assert average.rate() == "" and average.device_memory_usage == 8 and average.cpu_memory_usage == 0
    assert replace(average, device="cpu").rate() == "2.00"


def test_kinds_of_types_are_those_of_facts() -> None:
    assert set(devices.DEVICE_TYPES.values()) == KINDS
    assert facts_of(Device("cpu")).kind == devices.DEVICE_TYPES["cpu"] and H100.kind == devices.DEVICE_TYPES["cuda"]


def test_names_of_gpus_are_compared_where_the_page_says_why() -> None:
    """docs/design/devices.md."""
    root = Path(flow.__file__).parent
    asked = [p for p in root.rglob("*.py") if re.search(r'[=!]= "cuda"|"cuda" [=!]=|startswith\("cuda|"cpu", "cuda"\)', p.read_text())]
    paths = {str(p.relative_to(root)) for p in asked}
    rooms = ("device/", "bench/", "triton_compat/", "mock_torch/", "kernels/")
    assert {path for path in paths if not path.startswith(rooms)} == NAMED


def test_configurations_follow_facts_and_not_names(mirror: Device) -> None:
    """Of products: this GPU has shared memory for fewer stages than an H100."""
    from tritonflow.kernels import matmul

    facts = facts_of(mirror)
    rule = matmul.config(facts, "fp16", 4096, 4096, 4096)
    assert rule["num_warps"] == 8
    larger = facts._replace(shared_memory=227 << 10)
    few, many = (list(matmul.candidates(f, "fp16", 4096, 4096, rule)) for f in (facts, larger))
    assert rule == few[0] == many[0] and few != many
    for candidate in few[1:]:
        blocks = candidate["constexprs"]
        stage = (blocks["BLOCK_M"] + blocks["BLOCK_N"]) * blocks["BLOCK_K"] * 2
        assert stage * candidate["num_stages"] <= facts.shared_memory


@pytest.mark.parametrize(
    "table",
    [price.DEVICE_MODELS, LAUNCH, AGAIN, tuning.LEAST, roof_measurement.COPIES, attention_config.ROWS, attention_config.PAIRS],
)
def test_every_kind_is_in_every_table(table: dict[str, Any]) -> None:
    assert set(table) == KINDS


def test_facts_of_the_cpu_are_its_compilers() -> None:
    from tritonflow.triton_cpu.target import resolve

    facts = facts_of(Device("cpu"))
    assert (facts.kind, facts.lanes * 32) == ("cpu", resolve().vector_bits)
    with settings.override(num_threads=1):
        assert facts_of(Device("cpu")) == facts, "no result depends on the number of threads"


def test_bandwidth_is_that_of_clock_and_bus() -> None:
    """An H100's, and a release of torch that does not tell them."""
    properties = SimpleNamespace(memory_clock_rate=2_619_000, memory_bus_width=5120)
    assert bandwidth_of(properties) == H100.bandwidth and bandwidth_of(SimpleNamespace()) == 0


def test_prices_of_gpus_follow_facts() -> None:
    h100, a100, untold = map(price._gpu_model, (H100, A100, H100._replace(bandwidth=0)))
    given = price.DEVICE_MODELS["gpu"]
    for model, bandwidth in ((h100, 3.35e12), (a100, 2.04e12), (untold, 3.35e12)):
        assert model.roof.bandwidth == pytest.approx(bandwidth, rel=0.01)
    assert h100.roof.flops == given.roof.flops and h100.spill == given.spill
    assert a100.roof.flops == pytest.approx(19.5e12, rel=0.5), "NVIDIA's data sheet; no fact tells the clock"


@pytest.mark.parametrize(
    ("facts", "clock", "halves", "singles"),
    [
        (A100, 1.41e9, 312e12, 19.5e12), (L40S, 2.52e9, 362e12, 91.6e12), (H100, 1.83e9, 989e12, 66.9e12),
        (B200, 1.86e9, 2250e12, 75e12), (RTX_PRO_6000, 2.62e9, 504e12, 126e12),
    ],
)  # fmt: skip
def test_rates_of_architectures_are_those_of_data_sheets(facts: DeviceFacts, clock: float, halves: float, singles: float) -> None:
    """Dense products of halves with sums of float32, and multiply-adds of float32; what moves at the memory's speed."""
    has, each = facts.architecture, 2 * clock * facts.processors
    assert has.halves * each == pytest.approx(halves, rel=0.05) and has.singles * each == pytest.approx(singles, rel=0.1)
    assert has.moved * each / 2 == pytest.approx(facts.bandwidth, rel=0.1)
    assert facts.shared_memory == has.shared_memory - 1024 and has.tf32 * 2 == has.halves


def test_unknown_architectures_are_as_those_before() -> None:
    """Also to devices that are no GPU, and GPUs without products of bfloat16."""
    known = {103: 100, 121: 120, 130: 120, 75: 0, 0: 0}
    assert all(architecture_of(k) is architecture_of(v) for k, v in known.items())
    assert facts_of(Device("cpu")).architecture.matrix_units == "none"


def test_planners_ask_for_facts_and_not_for_numbers() -> None:
    """What an architecture has stands in kernels/facts.py."""
    root = Path(flow.__file__).parent
    files = [file for room in ("kernels", "ops", "graph", "functions") for file in (root / room).rglob("*.py")]
    asking = [file.name for file in files if file.name != "facts.py" and re.search(r"\.capability\b|\bsm_\d+ *[<>=]", file.read_text())]
    assert len(files) > 100 and not asking


def test_plans_of_architectures() -> None:
    """sm_120 copies by descriptors, and has neither products of groups nor memory for their tiles."""
    from tritonflow.kernels import matmul, matmul_persistent

    tiles = {arch: matmul.config(facts, "bf16", 8192, 8192, 8192)["constexprs"] for arch, facts in GPUS.items()}
    large = {arch for arch, blocks in tiles.items() if (blocks["BLOCK_M"], blocks["BLOCK_N"]) == (128, 256)}
    persistent = {a for a, facts in GPUS.items() if matmul_persistent.config(facts, "bf16", 8192, 8192, 8192) is not None}
    assert large == persistent == {90, 100}
    assert {arch for arch, facts in GPUS.items() if precision(facts, flow.float32, "matmul") == "tf32x3"} == {80, 90, 100}


@pytest.mark.cuda
def test_facts_of_a_gpu_are_torchs() -> None:
    facts, properties = facts_of(Device("cuda")), torch.cuda.get_device_properties(0)
    assert facts.kind == "gpu" and facts.lanes == 32 and facts.processors == properties.multi_processor_count
    assert facts.shared_memory >= 64 << 10 and facts.cache >= 1 << 20
    assert facts.capability == properties.major * 10 + properties.minor
