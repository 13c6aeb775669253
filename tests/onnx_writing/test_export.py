"""ONNX models of programs, run by ONNX Runtime beside eager mode."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow
from tests.op_samples import entries, samples_of, tested_entries, thinned
from tests.ops.sides import convert, ours
from tests.sampling import by_turn
from tritonflow import _C, nn
from tritonflow.device.torch_exchange import from_torch_dtype
from tritonflow.errors import ArgumentValueError, ExportError

pytestmark = pytest.mark.cpu_only  # programs for CPUs are exported
onnx = pytest.importorskip("onnx")
runtime = pytest.importorskip("onnxruntime")
runtime.set_default_logger_severity(3)


def run(model: Any, *given: flow.Tensor) -> list[numpy.ndarray]:
    """What ONNX Runtime gives."""
    session = runtime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    named = {value.name: tensor.numpy() for value, tensor in zip(model.graph.input, given)}
    found: list[numpy.ndarray] = session.run(None, named)
    return found


def check(function: Callable[..., Any], *calls: tuple[flow.Tensor, ...], **options: Any) -> Any:
    """The model of the first call, which gives for all calls what the function gives."""
    model = flow.onnx.export(function, calls[0], **options)
    for given in calls:
        with flow.no_grad():
            made = function(*given)
        wanted = [made] if isinstance(made, flow.Tensor) else [t for t in made if isinstance(t, flow.Tensor)]
        found = run(model, *given)
        assert len(found) == len(wanted)
        for a, b in zip(found, wanted):
            assert a.dtype == b.numpy().dtype and a.shape == tuple(b.shape)
            numpy.testing.assert_allclose(a, b.numpy(), rtol=1e-4, atol=1e-5)
    return model


def pictures() -> nn.Module:
    model = nn.Sequential(
        nn.Conv2d(3, 8, 3, stride=2, padding=1, bias=False), nn.BatchNorm2d(8), nn.Hardswish(),
        nn.Conv2d(8, 8, 3, padding=2, dilation=2, groups=4), nn.SiLU(), nn.MaxPool2d(2), nn.Upsample(scale_factor=2, mode="bilinear"),
        nn.ConvTranspose2d(8, 4, 3, stride=2, output_padding=1), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(4, 5), nn.Softmax(-1),
    )  # fmt: skip
    return model.eval()


class Words(nn.Module):
    """An encoder with a table of positions, as language models have one."""

    def __init__(self) -> None:
        super().__init__()
        self.words, self.positions = nn.Embedding(50, 32), nn.Embedding(64, 32)
        self.layer = nn.TransformerEncoderLayer(32, 4, 64, batch_first=True, activation="gelu")
        self.head = nn.Linear(32, 50)

    def forward(self, tokens: flow.Tensor) -> flow.Tensor:
        length = tokens.shape[1]
        x = self.words(tokens) + self.positions.weight[:length]
        mask = flow.ones(length, length, dtype=flow.bool).tril()
        q, k = x.reshape(*tokens.shape, 4, 8).transpose(1, 2), x.reshape(*tokens.shape, 2, 16)[..., :8].transpose(1, 2)
        mixed = nn.functional.scaled_dot_product_attention(q, k, k, attn_mask=mask, enable_gqa=True)
        return self.head(self.layer(x + mixed.transpose(1, 2).reshape(*tokens.shape, 32)))  # type: ignore[no-any-return]


def images(batch: int) -> tuple[flow.Tensor, ...]:
    return (flow.randn(batch, 3, 16, 16),)


def tokens(batch: int, length: int) -> tuple[flow.Tensor, ...]:
    return (flow.randint(0, 50, (batch, length)),)


def test_pictures() -> None:
    net = pictures()
    model = check(net, images(2), images(1), images(5), dynamic={0: {0: "batch"}}, input_names=["image"], output_names=["p"])
    assert [value.name for value in model.graph.input] == ["image"] and [value.name for value in model.graph.output] == ["p"]
    assert {"0.weight", "1.running_mean", "10.bias"} <= {each.name for each in model.graph.initializer}
    assert model.graph.input[0].type.tensor_type.shape.dim[0].dim_param == "batch"
    (x,) = images(3)
    numpy.testing.assert_allclose(flow.onnx.load(model)(x).detach().numpy(), net(x).detach().numpy(), rtol=1e-4, atol=1e-5)


def test_words_of_any_batch_and_length() -> None:
    sizes = {0: {0: "batch", 1: "time"}}
    check(Words().eval(), tokens(2, 7), tokens(3, 9), tokens(1, 5), dynamic=sizes)


def test_recurrent_layers() -> None:
    layer = nn.LSTM(4, 6, batch_first=True, bidirectional=True)
    check(lambda x: layer(x)[0], (flow.randn(2, 3, 4),), (flow.randn(5, 3, 4),), dynamic={0: {0: "batch"}})


def test_halves_integers_and_several_results() -> None:
    x = flow.randn(4, 5, dtype=flow.float16)
    check(lambda x, n: (x * 2, n // 3, (n % 5 == 1) | (x.sum(-1).round() > 0), n.float() / 4), (x, flow.arange(-2, 2)))


def test_a_write_to_a_part() -> None:
    def written(x: flow.Tensor) -> flow.Tensor:
        y = x * 2
        y[1:, ::2] = 7.0
        y[0] += 1
        return y

    check(written, (flow.randn(3, 5),))


MOVES = ("transpose", "slice", "select", "reshape", "expand", "step", "flip", "unfold", "diagonal")


def moved(x: flow.Tensor, picks: list[float]) -> flow.Tensor:
    """A view of a tensor of four dimensions, by a move for each three picks."""
    for kind, at, by in zip(picks[::3], picks[1::3], picks[2::3]):
        move, d = MOVES[int(kind * len(MOVES))], int(at * x.ndim)
        n = x.shape[d]
        if move == "transpose":
            x = x.transpose(d, int(by * x.ndim))
        elif move == "slice" and n > 1:
            x = x.narrow(d, 1, n - 1) if by < 0.5 else x.narrow(d, 0, n - 1)
        elif move == "select" and x.ndim > 1:
            x = x.select(d, 0 if by < 0.5 else -1)
        elif move == "reshape":
            x = x.reshape(-1) if by < 0.3 or x.ndim < 2 else x.flatten(0, 1)
        elif move == "expand":
            x = x.unsqueeze(d).expand(*x.shape[:d], 3, *x.shape[d:])
        elif move == "step":
            x = x[tuple([slice(None)] * d + [slice(None, None, 2)])]
        elif move == "flip":
            x = x.flip(d)
        elif move == "unfold" and n > 2:
            x = x.unfold(d, 2, 1)
        elif move == "diagonal" and x.ndim > 2:
            x = x.diagonal(0, 0, 1)
    return x


@pytest.mark.parametrize("seed", [n if n < 6 else pytest.param(n, marks=pytest.mark.long) for n in range(60)])
def test_views(seed: int) -> None:
    """Of sizes that are numbers, and of a batch that differs."""
    draw = random.Random(seed)
    picks = [draw.random() for _ in range(3 * draw.randint(1, 5))]

    def function(x: flow.Tensor) -> flow.Tensor:
        return moved(x * 1.0, picks) * 2

    given = flow.randn(2, 6, 4, 5)
    check(function, (given,))
    try:
        model = flow.onnx.export(function, (given,), dynamic={0: {0: "batch"}}, sizes={"batch": [2, 3]})
    except ExportError:
        return  # moves that differ from batch to batch
    for batch in (2, 3):
        x = flow.randn(batch, 6, 4, 5)
        numpy.testing.assert_allclose(run(model, x)[0], function(x).numpy(), rtol=1e-6)


def names() -> list[Any]:
    """A sixth of the names in the ordinary run."""
    tested = [entry.name for entry in tested_entries()]
    quick = {name for name in tested if by_turn(name, (True, *[False] * 11), 1) == [True]}
    return [name if name in quick else pytest.param(name, marks=pytest.mark.long) for name in tested]


def tensors_of(sample: Any) -> list[flow.Tensor]:
    found: list[flow.Tensor] = []
    convert((sample.args, sample.kwargs), lambda t: found.append(ours(t)), lambda dtype: dtype)
    return found


@pytest.mark.parametrize("name", names())
def test_ops(name: str, rng: numpy.random.Generator) -> None:
    """Every op is written right, or refused. ONNX says nothing about infinities, empty tensors and the like."""
    for sample in thinned(list(samples_of(entries()[name], torch.float32, rng, False)), 4):
        if any(word in sample.label for word in ("special", "zero", "nothing")):
            continue
        tensors = tensors_of(sample)

        def function(*given: flow.Tensor, sample: Any = sample) -> Any:
            rest = iter(given)
            args, kwargs = convert((sample.args, sample.kwargs), lambda _: next(rest), from_torch_dtype)
            return getattr(_C, name)(*args, **kwargs)

        try:
            with flow.no_grad():
                result = function(*tensors)
            results = result if isinstance(result, tuple) else [result]
            if not tensors or not all(isinstance(t, flow.Tensor) and t.numel() for t in results):
                continue
        except Exception:  # what eager mode refuses
            continue
        try:
            check(function, tuple(tensors))
        except ExportError:
            continue


def test_files(tmp_path: Path) -> None:
    made = flow.onnx.export(lambda x: x.exp(), [flow.ones(2)], tmp_path / "exp.onnx")
    assert onnx.load(tmp_path / "exp.onnx") == made and made.producer_name == "tritonflow"


def test_torchs_name(tmp_path: Path) -> None:
    import tritonflow.mock_torch.names.onnx as mocked

    net, x = nn.Linear(3, 2), flow.randn(2, 3)
    axes = {"rows": {0: "batch"}, "y": {0: "batch"}}
    mocked.export(net, x, tmp_path / "net.onnx", input_names=["rows"], output_names=["y"], dynamic_axes=axes, opset_version=20)
    model = onnx.load(tmp_path / "net.onnx")
    for batch in (2, 5):
        given = flow.randn(batch, 3)
        numpy.testing.assert_allclose(run(model, given)[0], net(given).detach().numpy(), rtol=1e-5, atol=1e-6)
    with pytest.raises(ValueError, match="of opset 20, not 17"):
        mocked.export(net, x, tmp_path / "net.onnx", opset_version=17)


def test_what_is_refused(tmp_path: Path) -> None:
    x = flow.ones(2, 3)
    norm = nn.BatchNorm1d(3)
    for function, text in (
        (lambda x: x.erfinv(), "no ONNX op is known for erfinv, called at"),
        (norm, "writes a parameter or a buffer"),
        (lambda x: nn.functional.dropout(x), "random"),
        (lambda x: x * 2 if x.sum() > 0 else x, "needs the value of a tensor"),
    ):
        with pytest.raises(ExportError, match=text):
            flow.onnx.export(function, [x], tmp_path / "none.onnx")
    with pytest.raises(ArgumentValueError, match="input_names must be 1 different names"):
        flow.onnx.export(lambda x: x, [x], input_names=["a", "b"])
    with pytest.raises(ExportError, match="another program for other sizes"):
        flow.onnx.export(lambda x: x * x.shape[0] if x.shape[0] > 2 else x, [x], dynamic={0: {0: "batch"}})
    assert not list(tmp_path.iterdir())
