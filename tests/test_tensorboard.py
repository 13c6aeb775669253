"""utils.tensorboard.SummaryWriter, over a stand-in of tensorboardX, and over those that are installed: their files are read back."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy
import pytest

import tritonflow as flow
from tritonflow.utils.tensorboard import SummaryWriter


def test_tensors_reach_the_writer_as_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []

    class Writer:
        def __init__(self, log_dir: str) -> None:
            self.log_dir = log_dir

        def add_scalars(self, *args: Any, **kwargs: Any) -> None:
            seen.append((args, kwargs))

        def close(self) -> None:
            seen.append("closed")

    monkeypatch.setitem(sys.modules, "tensorboardX", types.SimpleNamespace(SummaryWriter=Writer))
    with SummaryWriter("runs") as writer:
        assert writer.log_dir == "runs"
        writer.add_scalars("losses", {"a": flow.ones(2, requires_grad=True)}, global_step=3)
    (args, kwargs), closed = seen
    assert args[0] == "losses" and isinstance(args[1]["a"], numpy.ndarray) and kwargs == {"global_step": 3} and closed == "closed"


def test_the_error_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("tensorboardX", "tensorboard", "torch.utils.tensorboard"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match="pip install tensorboardX"):
        SummaryWriter()


class Pair(NamedTuple):
    first: Any
    second: Any


def test_structures_stay_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []
    writer = types.SimpleNamespace(add=lambda *args: seen.extend(args), log_dir="runs")
    monkeypatch.setitem(sys.modules, "tensorboardX", types.SimpleNamespace(SummaryWriter=lambda: writer))
    ours: Any = SummaryWriter()
    ours.add(Pair(flow.ones(1), "text"), [flow.ones(2, dtype=flow.bfloat16)], (flow.tensor(True),))
    pair, halves, truth = seen
    assert type(pair) is Pair and pair.second == "text" and pair.first.tolist() == [1.0]
    assert halves[0].dtype == numpy.float32 and truth[0].dtype == numpy.bool_ and ours.log_dir == "runs"
    with pytest.raises(NotImplementedError, match="explain\\(\\).save"):
        ours.add_graph(flow.nn.ReLU())


@pytest.mark.parametrize("package", ["tensorboardX", "tensorboard"])
def test_what_is_written_is_read_back(package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    protos = pytest.importorskip({"tensorboardX": "tensorboardX.proto.event_pb2"}.get(package, "tensorboard.compat.proto.event_pb2"))
    if package == "tensorboard":
        monkeypatch.setitem(sys.modules, "tensorboardX", None)
    weights = flow.nn.Parameter(flow.arange(12.0).reshape(3, 4))
    with SummaryWriter(str(tmp_path)) as writer:
        writer.add_scalar("loss", (weights * 0.5).sum(), 3)
        writer.add_histogram("weights", weights, 3)
        writer.add_histogram("halves", weights.bfloat16(), 3)
        writer.add_image("image", flow.ones(3, 4, 5) * 0.5, 3)
        writer.add_images("images", flow.zeros(2, 3, 4, 5), 3)
        writer.add_text("note", "hello", 3)
        writer.add_pr_curve("curve", flow.tensor([0, 1]), flow.tensor([0.1, 0.9]), 3)
    (file,) = tmp_path.glob("events.*")
    events = [protos.Event.FromString(record) for record in records(file.read_bytes())]
    values = {value.tag: value for event in events for value in event.summary.value}
    assert values["loss"].simple_value == 33 and {event.step for event in events} == {0, 3}
    for tag in ("weights", "halves"):
        assert (values[tag].histo.num, values[tag].histo.sum, values[tag].histo.max) == (12, 66, 11)
    assert (values["image"].image.height, values["image"].image.width, values["images"].image.width) == (4, 5, 10)
    assert {"note/text_summary", "curve"} <= set(values)


def records(data: bytes) -> Iterator[bytes]:
    """Of a TFRecord file: a length, its checksum, the bytes, their checksum."""
    while data:
        length = int.from_bytes(data[:8], "little")
        yield data[12 : 12 + length]
        data = data[16 + length :]
