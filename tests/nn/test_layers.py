"""Layers compute what torch's compute, forward and backward, from the same state dict."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy
import pytest
import torch

import tritonflow as flow
from tests.nn import test_layers_of_several_inputs
from tests.nn.reference import assert_same
from tests.torch_release import since
from tritonflow.testing import assert_close, in_float64


class Case(NamedTuple):
    """A layer by name and arguments, the shape of its input, and how exact it is."""

    layer: str
    args: tuple
    kwargs: dict
    shape: tuple
    op_class: str = "matmul"

    def __str__(self) -> str:
        return f"{self.layer}{self.args}{self.kwargs or ''}{list(self.shape)}"


CASES = [
    Case("Linear", (5, 3), {}, (4, 5)),
    Case("Linear", (5, 3), {"bias": False}, (2, 4, 5)),
    Case("Linear", (5, 3), {}, (5,)),
    Case("Conv2d", (3, 4, 3), {}, (2, 3, 8, 8)),
    Case("Conv2d", (4, 6, (3, 2)), {"stride": (2, 1), "padding": (1, 0), "dilation": 2, "groups": 2}, (2, 4, 9, 10)),
    Case("Conv2d", (3, 3, 3), {"padding": "same", "bias": False}, (1, 3, 6, 6)),
    Case("Conv2d", (3, 3, 3), {"padding": "valid"}, (3, 6, 6)),
    Case("BatchNorm1d", (4,), {}, (6, 4), "norm"),
    Case("BatchNorm1d", (4,), {"affine": False}, (3, 4, 5), "norm"),
    Case("BatchNorm2d", (3,), {"momentum": None}, (4, 3, 5, 5), "norm"),
    Case("BatchNorm2d", (3,), {"track_running_stats": False}, (4, 3, 5, 5), "norm"),
    Case("BatchNorm3d", (3,), {}, (2, 3, 2, 3, 2), "norm"),
    Case("LayerNorm", (6,), {}, (2, 3, 6), "norm"),
    Case("LayerNorm", ((3, 6),), {"bias": False}, (2, 3, 6), "norm"),
    Case("LayerNorm", (6,), {"elementwise_affine": False}, (4, 6), "norm"),
    Case("MaxPool2d", (2,), {}, (2, 3, 8, 8), "exact"),
    Case("MaxPool2d", (3,), {"stride": 2, "padding": 1, "ceil_mode": True}, (2, 3, 7, 8), "exact"),
    Case("AvgPool2d", (2,), {}, (2, 3, 8, 8), "reduction"),
    Case("AvgPool2d", (3,), {"stride": 2, "padding": 1, "count_include_pad": False}, (2, 3, 7, 8), "reduction"),
    Case("AdaptiveAvgPool2d", (1,), {}, (2, 3, 5, 7), "reduction"),
    Case("AdaptiveAvgPool2d", ((3, 2),), {}, (2, 3, 5, 7), "reduction"),
    Case("Flatten", (), {}, (2, 3, 4), "exact"),
    Case("Flatten", (0, 1), {}, (2, 3, 4), "exact"),
    Case("Unflatten", (1, (2, 3)), {}, (4, 6), "exact"),
    Case("Identity", (), {}, (3,), "exact"),
    Case("ReLU", (), {}, (3, 4), "exact"),
    Case("GELU", (), {}, (3, 4), "transcendental"),
    Case("GELU", (), {"approximate": "tanh"}, (3, 4), "transcendental"),
    Case("SiLU", (), {}, (3, 4), "transcendental"),
    Case("Sigmoid", (), {}, (3, 4), "transcendental"),
    Case("Tanh", (), {}, (3, 4), "transcendental"),
    Case("LeakyReLU", (0.2,), {}, (3, 4), "pointwise"),
    Case("Softsign", (), {}, (3, 4), "transcendental"),
    Case("LogSigmoid", (), {}, (3, 4), "transcendental"),
    Case("SELU", (), {}, (3, 4), "transcendental"),
    Case("Mish", (), {}, (3, 4), "transcendental"),
    Case("Hardsigmoid", (), {}, (3, 4), "transcendental"),
    Case("Hardswish", (), {}, (3, 4), "transcendental"),
    Case("ReLU6", (), {}, (3, 4), "transcendental"),
    Case("ELU", (0.7,), {}, (3, 4), "transcendental"),
    Case("CELU", (0.7,), {}, (3, 4), "transcendental"),
    Case("Hardshrink", (), {}, (3, 4), "transcendental"),
    Case("Softshrink", (0.2,), {}, (3, 4), "transcendental"),
    Case("Softplus", (2.0, 1.0), {}, (3, 4), "transcendental"),
    Case("Hardtanh", (-0.5, 0.8), {}, (3, 4), "transcendental"),
    Case("Threshold", (0.1, 5.0), {}, (3, 4), "transcendental"),
    Case("PReLU", (), {}, (3, 4), "pointwise"),
    Case("PReLU", (4,), {"init": 0.1}, (3, 4, 2), "pointwise"),
    Case("PReLU", (), {}, (), "pointwise"),
    Case("Softmax", (1,), {}, (3, 4), "norm"),
    Case("LogSoftmax", (0,), {}, (3, 4), "norm"),
    Case("Dropout", (0.0,), {}, (3, 4), "exact"),
    Case("ConvTranspose2d", (3, 4, 3), {}, (2, 3, 5, 6)),
    Case("ConvTranspose2d", (4, 6, (3, 2)), {"stride": 2, "padding": 1, "output_padding": (1, 0), "groups": 2}, (2, 4, 5, 4)),
    Case("ConvTranspose2d", (3, 2, 2), {"bias": False, "dilation": (2, 1)}, (3, 4, 4)),
    Case("RMSNorm", (6,), {}, (2, 3, 6), "norm"),
    Case("RMSNorm", ((3, 6),), {"eps": 1e-3}, (2, 3, 6), "norm"),
    Case("RMSNorm", ([6],), {"elementwise_affine": False}, (4, 6), "norm"),
    Case("GroupNorm", (2, 6), {}, (2, 6, 3, 4), "norm"),
    pytest.param(Case("GroupNorm", (1, 4), {"eps": 1e-3, "bias": False}, (3, 4, 5), "norm"), marks=since("2.13", "GroupNorm(bias=False)")),
    Case("GroupNorm", (2, 12), {"affine": False}, (3, 12), "norm"),
    Case("MaxPool1d", (2,), {}, (2, 3, 8), "exact"),
    Case("MaxPool1d", (3,), {"stride": 2, "padding": 1, "dilation": 2, "ceil_mode": True}, (3, 9), "exact"),
    Case("AvgPool1d", (2,), {}, (2, 3, 8), "reduction"),
    Case("AvgPool1d", (3,), {"stride": 2, "padding": 1, "count_include_pad": False}, (3, 9), "reduction"),
    Case("AvgPool1d", (3, 2, 1, True), {}, (2, 3, 8), "reduction"),
    Case("AdaptiveAvgPool1d", (3,), {}, (2, 3, 8), "reduction"),
    Case("AdaptiveAvgPool1d", (1,), {}, (3, 5), "reduction"),
    Case("ConstantPad1d", ((1, 2), 3.5), {}, (2, 3, 4), "exact"),
    Case("ConstantPad2d", ((1, 0, -1, 2), -1.0), {}, (2, 3, 4, 4), "exact"),
    Case("ConstantPad3d", (1, 0.5), {}, (2, 3, 2, 2), "exact"),
    Case("ZeroPad1d", (2,), {}, (3, 4), "exact"),
    Case("ZeroPad2d", ((1, 2, 0, 1),), {}, (2, 3, 4, 4), "exact"),
    Case("ZeroPad3d", (1,), {}, (1, 2, 2, 2, 2), "exact"),
    Case("Softmax2d", (), {}, (2, 3, 4, 5), "norm"),
    Case("Softmin", (1,), {}, (3, 4), "norm"),
    Case("Tanhshrink", (), {}, (3, 4), "norm"),
    Case("Conv1d", (3, 4, 3), {"padding": 2, "padding_mode": "circular"}, (2, 3, 7)),
    Case("Conv2d", (3, 4, 3), {"padding": (1, 2), "padding_mode": "reflect"}, (2, 3, 6, 7)),
    Case("Conv2d", (3, 4, (2, 3)), {"padding": "same", "padding_mode": "replicate"}, (2, 3, 6, 7)),
    Case("Conv3d", (3, 4, 3), {"padding": 1, "stride": (1, 2, 1)}, (2, 3, 4, 5, 4)),
    Case("Conv3d", (4, 6, (2, 1, 3)), {"groups": 2, "dilation": (2, 1, 1), "bias": False}, (2, 4, 5, 3, 6)),
    Case("Conv3d", (2, 3, (2, 3, 2)), {"padding": "same"}, (2, 2, 4, 4, 4)),
    Case("ConvTranspose1d", (4, 6, 3), {"stride": 2, "padding": 1, "output_padding": 1, "groups": 2}, (2, 4, 5)),
    Case("ConvTranspose3d", (4, 6, (3, 2, 2)), {"stride": 2, "padding": (1, 0, 1), "output_padding": 1, "groups": 2}, (2, 4, 3, 2, 4)),
    Case("MaxPool3d", (2,), {"stride": (1, 2, 2), "padding": 1}, (2, 3, 4, 6, 5), "exact"),
    Case("AvgPool3d", (3,), {"stride": 2, "padding": 1, "count_include_pad": False, "ceil_mode": True}, (2, 3, 5, 6, 5), "reduction"),
    Case("AdaptiveAvgPool3d", ((2, 3, None),), {}, (2, 3, 5, 4, 3), "reduction"),
    Case("AdaptiveMaxPool1d", (3,), {}, (2, 3, 8), "exact"),
    Case("AdaptiveMaxPool2d", ((3, 2),), {}, (2, 3, 7, 6), "exact"),
    Case("AdaptiveMaxPool3d", (2,), {}, (2, 3, 4, 5, 6), "exact"),
    Case("ReflectionPad1d", ((2, 1),), {}, (2, 3, 5), "exact"),
    Case("ReflectionPad2d", ((1, 2, 0, 1),), {}, (2, 3, 4, 4), "exact"),
    Case("ReflectionPad3d", (1,), {}, (1, 2, 3, 2, 3), "exact"),
    Case("ReplicationPad1d", (2,), {}, (2, 3, 4), "exact"),
    Case("ReplicationPad2d", ((1, 2, 0, 5),), {}, (2, 3, 4, 4), "exact"),
    Case("ReplicationPad3d", (1,), {}, (1, 2, 2, 2, 2), "exact"),
    Case("CircularPad1d", ((1, 3),), {}, (2, 3, 4), "exact"),
    Case("CircularPad2d", ((1, 2, 0, 1),), {}, (2, 3, 4, 4), "exact"),
    Case("CircularPad3d", (1,), {}, (1, 2, 2, 2, 2), "exact"),
    Case("Upsample", (), {"scale_factor": 2.0}, (2, 3, 4, 5), "norm"),
    Case("Upsample", (), {"size": (7, 3), "mode": "bicubic", "align_corners": False}, (2, 3, 4, 5), "norm"),
    Case("Upsample", (), {"scale_factor": (1.5, 2.0, 0.5), "mode": "trilinear"}, (2, 2, 4, 3, 4), "norm"),
    Case("UpsamplingNearest2d", (), {"scale_factor": 2}, (2, 3, 4, 5), "norm"),
    Case("UpsamplingBilinear2d", ((7, 6),), {}, (2, 3, 4, 5), "norm"),
    Case("PixelShuffle", (2,), {}, (2, 8, 3, 4), "exact"),
    Case("PixelUnshuffle", (2,), {}, (2, 3, 4, 6), "exact"),
    Case("ChannelShuffle", (3,), {}, (2, 6, 4), "exact"),
    Case("Unfold", ((2, 3),), {"padding": 1, "stride": (2, 1)}, (2, 3, 5, 6), "exact"),
    Case("Fold", ((4, 5), 2), {"padding": 1}, (2, 8, 30), "reduction"),
    Case("GLU", (1,), {}, (3, 4, 2), "transcendental"),
    Case("InstanceNorm1d", (3,), {}, (2, 3, 7), "norm"),
    Case("InstanceNorm2d", (3,), {"affine": True, "track_running_stats": True}, (2, 3, 5, 4), "norm"),
    Case("InstanceNorm2d", (3,), {"affine": True}, (3, 5, 4), "norm"),
    Case("InstanceNorm3d", (2,), {"eps": 1e-3}, (2, 2, 3, 4, 3), "norm"),
    Case("LocalResponseNorm", (3,), {"alpha": 0.5, "k": 2.0}, (2, 5, 4), "norm"),
    Case("LPPool1d", (2.0, 3), {"stride": 2}, (2, 3, 8), "norm"),
    Case("LPPool2d", (2.0, 2), {"ceil_mode": True}, (2, 3, 5, 4), "norm"),
    Case("LPPool3d", (2.0, 2), {}, (2, 3, 4, 4, 4), "norm"),
    Case("Dropout1d", (0.0,), {}, (2, 3, 4), "exact"),
    Case("Dropout2d", (0.0,), {}, (2, 3, 4, 4), "exact"),
    Case("Dropout3d", (0.0,), {}, (2, 3, 2, 2, 2), "exact"),
    Case("FeatureAlphaDropout", (0.0,), {}, (2, 3, 4), "exact"),
    Case("AlphaDropout", (0.0,), {}, (3, 4), "exact"),
    Case("TransformerEncoderLayer", (8, 2, 16, 0.0), {}, (5, 3, 8)),
    Case("TransformerEncoderLayer", (8, 2, 16, 0.0, "gelu"), {"norm_first": True, "batch_first": True, "bias": False}, (3, 5, 8)),
]


# Layers whose tests are of another kind: of sequences, of other modules, of names that OneFlow alone has.
ELSEWHERE = {
    "test_layers.py": {"CrossEntropyLoss", "MSELoss", "NLLLoss", "QuickGELU"},
    "test_layers_of_several_inputs.py": {
        "BCELoss", "CTCLoss", "RReLU", "SyncBatchNorm", "LazyLinear", "TransformerDecoder", "TransformerEncoder",
        *(f"MaxUnpool{rank}d" for rank in (1, 2, 3)), *(f"FractionalMaxPool{rank}d" for rank in (2, 3)),
        *(f"Lazy{kind}{rank}d" for kind in ("Conv", "ConvTranspose", "BatchNorm", "InstanceNorm") for rank in (1, 2, 3)),
    },
    "test_rnn.py": {"RNN", "LSTM", "GRU", "RNNCell", "LSTMCell", "GRUCell", "RNNBase", "RNNCellBase"},
    "test_container.py": {"ModuleDict", "ModuleList", "ParameterDict", "ParameterList", "Sequential"},
    "test_module.py": {"Module"},
}  # fmt: skip


def test_every_layer_has_a_row() -> None:
    """Those of `nn.modules`; OneFlow's, and `DataParallel`, are imported at their first use, and have tests of their own."""
    layers = {name for name, value in vars(flow.nn.modules).items() if isinstance(value, type) and issubclass(value, flow.nn.Module)}
    rows = {case.layer for case in map(case_of, [*CASES, *test_layers_of_several_inputs.CASES])}
    elsewhere = {name for names in ELSEWHERE.values() for name in names}
    assert layers - rows - elsewhere == set() and elsewhere <= layers - rows
    for file, names in ELSEWHERE.items():
        text = (Path(__file__).parent / file).read_text().replace("{rank}", "1")
        stems = {re.sub(r"\dd$", "1d", name.removeprefix("Lazy")) for name in names - {"RNNCellBase"}}
        assert not {stem for stem in stems if stem not in text}, file


def case_of(given: Any) -> Any:
    return given if hasattr(given, "layer") else given.values[0]


def test_quick_gelu() -> None:
    x = flow.tensor([-2.0, 0.0, 3.0])
    expected = x.double() * (1.702 * x.double()).sigmoid()
    assert_close(flow.nn.QuickGELU()(x), expected, op_class="transcendental", check_dtype=False)


WIDE_IN_TORCH = {flow: flow.float32, torch: torch.float64}


def pair(case: Case) -> tuple[flow.nn.Module, torch.nn.Module]:
    """The layer of both libraries, with the same state."""
    theirs = getattr(torch.nn, case.layer)(*case.args, **case.kwargs)
    ours = getattr(flow.nn, case.layer)(*case.args, **case.kwargs)
    assert {k: tuple(v.shape) for k, v in ours.state_dict().items()} == {
        k: tuple(v.shape) for k, v in theirs.state_dict().items()
    }
    ours.load_state_dict(theirs.state_dict())
    return ours, theirs


def test_a_list_of_factors_is_a_tuple_of_them() -> None:
    layer = flow.nn.Upsample(scale_factor=[2, 1.0])
    assert layer.scale_factor == (2.0, 1.0)
    assert layer(flow.ones(2, 3, 4, 5)).shape == (2, 3, 8, 5)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_forward_and_backward(case: Case, rng: numpy.random.Generator):
    ours, theirs = pair(case)
    theirs.double()
    for training in (True, True, False):
        data = rng.standard_normal(case.shape).astype(numpy.float32)
        x, expected_x = flow.tensor(data, requires_grad=True), torch.tensor(data).double().requires_grad_()
        y, expected = ours.train(training)(x), theirs.train(training)(expected_x)
        assert_close(y, in_float64(expected), op_class=case.op_class)
        if not expected.requires_grad:
            continue
        grad = rng.standard_normal(expected.shape).astype(numpy.float32)
        y.backward(flow.tensor(grad))
        expected.backward(torch.tensor(grad).double())
        looser = "matmul" if case.op_class in ("exact", "pointwise") else case.op_class
        assert_close(x.grad, in_float64(expected_x.grad), op_class=looser)
        for (name, p), q in zip(ours.named_parameters(), theirs.parameters()):
            assert_close(p.grad, in_float64(q.grad), op_class="matmul", msg=lambda text, name=name: f"{name}: {text}")
    for (name, b), c in zip(ours.named_buffers(), theirs.buffers()):
        c = in_float64(c) if c.is_floating_point() else c
        assert_close(b.cpu(), c, op_class="norm", msg=lambda text, name=name: f"{name}: {text}")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_repr(case: Case):
    def scenario(lib):
        shown = repr(getattr(lib.nn, case.layer)(*case.args, **case.kwargs))
        return re.sub(", bias=(True|False)", "", shown)  # which norms show it depends on torch's version

    assert_same(scenario)


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("loss", ["CrossEntropyLoss", "NLLLoss"])
def test_class_losses(loss, weighted, reduction, rng):
    logits = rng.standard_normal((6, 4)).astype(numpy.float32)
    target = numpy.array([0, 3, 1, -100, 2, 2])
    results = []
    for lib in (flow, torch):
        dtype = WIDE_IN_TORCH[lib]
        weight = lib.tensor([1.0, 2.0, 0.5, 1.5], dtype=dtype) if weighted else None
        x = lib.tensor(logits, dtype=dtype, requires_grad=True)
        out = getattr(lib.nn, loss)(weight, reduction=reduction)(x, lib.tensor(target))
        out.sum().backward()
        results.append((out, x.grad))
    assert_close(results[0], [in_float64(t) for t in results[1]], op_class="norm")


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_mse(reduction, rng):
    a, b = rng.standard_normal((2, 3, 4)).astype(numpy.float32)
    results = []
    for lib in (flow, torch):
        x = lib.tensor(a, dtype=WIDE_IN_TORCH[lib], requires_grad=True)
        out = lib.nn.MSELoss(reduction=reduction)(x, lib.tensor(b, dtype=WIDE_IN_TORCH[lib]))
        out.sum().backward()
        results.append((out, x.grad))
    assert_close(results[0], [in_float64(t) for t in results[1]], op_class="reduction")


def test_embedding(rng):
    case = Case("Embedding", (7, 3), {"padding_idx": -2}, ())
    ours, theirs = pair(case)
    theirs.double()
    at = rng.integers(0, 7, (4, 5))
    y, expected = ours(flow.tensor(at)), theirs(torch.tensor(at))
    assert_close(y, in_float64(expected), op_class="exact")
    grad = rng.standard_normal((4, 5, 3)).astype(numpy.float32)
    y.backward(flow.tensor(grad))
    expected.backward(torch.tensor(grad).double())
    assert_close(ours.weight.grad, in_float64(theirs.weight.grad), op_class="reduction")
    assert flow.nn.Embedding(5, 2, padding_idx=1).weight[1].tolist() == [0, 0]
    table = flow.tensor([[1.0, 2.0], [3.0, 4.0]])
    pretrained = flow.nn.Embedding.from_pretrained(table)
    assert not pretrained.weight.requires_grad and pretrained(flow.tensor([1])).tolist() == [[3, 4]]
    with pytest.raises(IndexError):
        ours(flow.tensor([7])).numpy()


def test_dropout():
    flow.manual_seed(0)
    m = flow.nn.Dropout(0.25)
    x = flow.ones(100, 100, requires_grad=True)
    y = m(x)
    kept = (y != 0).sum().item() / 10000
    assert 0.72 < kept < 0.78 and set(numpy.unique(y.detach().numpy())) == {numpy.float32(0), numpy.float32(1 / 0.75)}
    y.sum().backward()
    assert (x.grad == y.detach()).all().item()
    assert m.eval()(x).tolist() == x.tolist()
    assert m(x, addend=x).mean().item() == 2
    a, b = (flow.nn.Dropout(generator=flow.Generator(x.device).manual_seed(7))(x).tolist() for _ in range(2))
    assert a == b


BAD: list[Callable] = [
    lambda lib: lib.nn.Conv2d(3, 4, 3, groups=2),
    lambda lib: lib.nn.Conv2d(4, 3, 3, groups=2),
    lambda lib: lib.nn.Conv2d(4, 4, 3, groups=0),
    lambda lib: lib.nn.Conv2d(4, 4, 3, padding="some"),
    lambda lib: lib.nn.Conv2d(4, 4, 3, padding="same", stride=2),
    lambda lib: lib.nn.BatchNorm2d(3)(lib.ones(2, 3)),
    lambda lib: lib.nn.BatchNorm2d(3)(lib.ones(2, 3, 4)),
    lambda lib: lib.nn.Dropout(1.5),
    lambda lib: lib.nn.Dropout(-0.1),
    lambda lib: lib.nn.ConvTranspose2d(3, 4, 3, groups=2),
    lambda lib: lib.nn.ConvTranspose2d(3, 4, 3, padding_mode="reflect"),
    lambda lib: lib.nn.ConvTranspose2d(3, 4, 3)(lib.ones(2, 4, 5, 5)),
    lambda lib: lib.nn.ConvTranspose2d(3, 4, 3, stride=2)(lib.ones(2, 3, 5, 5), output_size=(10, 13)),
    lambda lib: lib.nn.ConvTranspose2d(3, 4, 3, stride=2)(lib.ones(2, 3, 5, 5), output_size=(11,)),
    lambda lib: lib.nn.ConvTranspose2d(3, 4, 3, stride=2, output_padding=2)(lib.ones(2, 3, 5, 5)),
    lambda lib: lib.nn.ConvTranspose2d(3, 4, 2, padding=2)(lib.ones(2, 3, 2, 2)),
    lambda lib: lib.nn.functional.conv_transpose2d(lib.ones(1, 3, 4, 4), lib.ones(3, 4, 2, 2), lib.ones(1)),
    lambda lib: lib.nn.functional.conv_transpose2d(lib.ones(1, 3, 4, 4), lib.ones(3, 4, 2, 2), None, 0),
    lambda lib: lib.nn.functional.conv_transpose2d(lib.ones(1, 3, 4, 4), lib.ones(3, 4, 2, 2), None, 1, -1),
    lambda lib: lib.nn.functional.conv_transpose2d(lib.ones(1, 3, 4, 4), lib.ones(3, 4, 2, 2), None, 2, 0, -1),
    lambda lib: lib.nn.functional.conv_transpose2d(lib.ones(1, 3, 4, 4), lib.ones(3, 4, 2, 2), None, 1, 0, 0, 2),
    lambda lib: lib.nn.functional.conv_transpose2d(lib.ones(1, 3, 4, 4), lib.ones(3, 4, 2, 2), None, 1, 0, 0, 0),
    lambda lib: lib.nn.functional.conv_transpose2d(lib.ones(1, 3, 0, 4), lib.ones(3, 4, 2, 2)),
    lambda lib: lib.nn.GroupNorm(3, 4),
    lambda lib: lib.nn.GroupNorm(2, 4)(lib.ones(3)),
    lambda lib: lib.nn.RMSNorm(4)(lib.ones(2, 3)),
    lambda lib: lib.nn.MaxPool1d(4)(lib.ones(2, 3)),
    lambda lib: lib.nn.AvgPool1d(2, padding=2)(lib.ones(2, 3)),
    lambda lib: lib.nn.Softmax2d()(lib.ones(2, 3)),
    lambda lib: lib.nn.ConstantPad2d(-2, 0.0)(lib.ones(1, 2, 3)),
]


def test_transposed_convolution_to_a_size(rng):
    ours, theirs = pair(Case("ConvTranspose2d", (2, 3, 3), {"stride": (2, 3), "padding": 1}, ()))
    theirs.double()
    data = rng.standard_normal((2, 2, 4, 5)).astype(numpy.float32)
    for size in ((7, 13), (8, 15), (2, 3, 8, 14)):
        y, expected = (m(lib.tensor(data, dtype=WIDE_IN_TORCH[lib]), output_size=size) for m, lib in ((ours, flow), (theirs, torch)))
        assert_close(y, in_float64(expected), op_class="matmul")


def test_positions_of_maxima(rng):
    data = rng.standard_normal((2, 3, 9)).astype(numpy.float32)
    found, expected = (lib.nn.MaxPool1d(3, 2, 1, return_indices=True)(lib.tensor(data)) for lib in (flow, torch))
    assert_close([x.cpu() for x in found], expected, op_class="exact")


@pytest.mark.parametrize("scenario", BAD)
def test_bad_arguments(scenario):
    kinds = []
    for lib in (flow, torch):
        with pytest.raises(Exception) as caught:
            scenario(lib)
        kinds.append(caught.type)
    assert issubclass(kinds[0], kinds[1])


@pytest.mark.parametrize(
    "call",
    [
        lambda: flow.nn.Linear(3, 4)(flow.ones(2, 5)),
        lambda: flow.nn.Conv2d(3, 4, 3)(flow.ones(2, 4, 8, 8)),
        lambda: flow.nn.Conv2d(3, 4, 3)(flow.ones(2, 3, 2, 2)),
        lambda: flow.nn.LayerNorm(5)(flow.ones(2, 4)),
        lambda: flow.nn.CrossEntropyLoss()(flow.ones(2, 4), flow.ones(3, dtype=flow.int64)),
        lambda: flow.nn.CrossEntropyLoss(reduction="average"),
        lambda: flow.nn.Linear(3, 4)(3),
    ],
)
def test_bad_input_raises(call):
    with pytest.raises((RuntimeError, ValueError, TypeError)):
        call()


# ---------------------------------------------------------------------------------------------- initial values


def test_default_initialisation_has_torchs_distribution():
    flow.manual_seed(1)
    for make in (lambda lib: lib.nn.Linear(400, 300), lambda lib: lib.nn.Conv2d(32, 64, 3)):
        ours, theirs = make(flow), make(torch)
        for p, q in zip(ours.parameters(), theirs.parameters()):
            values, expected = p.detach().numpy(), q.detach().numpy()
            bound = 1 / math.sqrt(400 if ours._get_name() == "Linear" else 32 * 9)
            assert abs(values).max() <= bound and abs(values.std() - expected.std()) < 0.1 * expected.std()
    weight = flow.nn.Embedding(300, 100).weight.detach().numpy()
    assert abs(weight.mean()) < 0.02 and abs(weight.std() - 1) < 0.02


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("uniform_", {"a": -2, "b": 3}),
        ("normal_", {"mean": 1, "std": 2}),
        ("trunc_normal_", {"std": 2.0, "a": -1.0, "b": 3.0}),
        ("xavier_uniform_", {"gain": 2.0}),
        ("xavier_normal_", {}),
        ("kaiming_uniform_", {"a": 0.3}),
        ("kaiming_normal_", {"mode": "fan_out", "nonlinearity": "relu"}),
    ],
)
def test_distributions(name, options):
    flow.manual_seed(2)
    torch.manual_seed(2)
    ours = getattr(flow.nn.init, name)(flow.empty(200, 300), **options).numpy()
    theirs = getattr(torch.nn.init, name)(torch.empty(200, 300), **options).numpy()
    deviation = theirs.std()
    quantiles = numpy.linspace(0.01, 0.99, 25)
    numpy.testing.assert_allclose(
        numpy.quantile(ours, quantiles), numpy.quantile(theirs, quantiles), atol=0.06 * deviation
    )
    assert abs(ours.mean() - theirs.mean()) < 0.02 * deviation


@pytest.mark.parametrize(
    ("a", "b", "mean", "std"),
    [(5.2, 6, 0, 1), (8, 9, 0, 1), (-9, -8, 0, 1), (-math.inf, -30, 0, 1), (50, math.inf, 0, 1), (3, 9, 1, 0.5), (0.1, 4, 0, 1)],
)
@pytest.mark.parametrize("dtype", [flow.float32, flow.float64], ids=str)
def test_tails_of_normal_distributions(a, b, mean, std, dtype):
    """Drawn without a loss of digits: quantiles of what exp(-x^2 / 2) leaves of the interval."""
    flow.manual_seed(3)
    drawn = flow.nn.init.trunc_normal_(flow.empty(20000, dtype=dtype), mean, std, a, b).double().numpy()
    assert drawn.min() >= a and drawn.max() <= b and len(numpy.unique(drawn)) > 5000
    sign, near, far = (1, a, b) if a > mean else (-1, b, a)
    start, width = abs(near - mean) / std, min(abs(far - near) / std, 40 / max(abs(near - mean) / std, 1))
    offsets = numpy.linspace(0, width, 200001)
    weights = numpy.exp(-offsets * (start + offsets / 2))
    shares = numpy.concatenate([[0], numpy.cumsum((weights[1:] + weights[:-1]) / 2)])
    found = numpy.sort(sign * (drawn - mean) / std - start)
    uniform = numpy.interp(found, offsets, shares / shares[-1])
    assert abs(uniform - (numpy.arange(20000) + 0.5) / 20000).max() < 1.95 / 20000**0.5 + 1e-3


def test_other_initial_values():
    w = flow.nn.Parameter(flow.empty(3, 5))
    assert flow.nn.init.constant_(w, 2.5) is w and w.tolist() == [[2.5] * 5] * 3 and w.requires_grad and w.is_leaf
    assert flow.nn.init.eye_(w).sum().item() == 3
    for shape in ((6, 4), (4, 6), (5, 2, 3)):
        q = flow.nn.init.orthogonal_(flow.empty(*shape), gain=2).numpy().reshape(shape[0], -1)
        product = q @ q.T if shape[0] <= q.shape[1] else q.T @ q
        numpy.testing.assert_allclose(product, 4 * numpy.eye(len(product)), atol=1e-5)
    kernel = flow.nn.init.dirac_(flow.empty(4, 2, 3, 3), groups=2)
    numpy.testing.assert_array_equal(kernel.numpy(), torch.nn.init.dirac_(torch.empty(4, 2, 3, 3), 2).numpy())
    column = flow.nn.init.sparse_(flow.empty(10, 4), 0.3).numpy()
    assert ((column == 0).sum(0) == 3).all()


def test_bad_initial_values():
    for call in (
        lambda init, lib: init.xavier_uniform_(lib.empty(3)),
        lambda init, lib: init.kaiming_normal_(lib.empty(3, 3), mode="fan"),
        lambda init, lib: init.calculate_gain("nope"),
        lambda init, lib: init.calculate_gain("leaky_relu", "x"),
        lambda init, lib: init.orthogonal_(lib.empty(3)),
        lambda init, lib: init.eye_(lib.empty(3)),
        lambda init, lib: init.dirac_(lib.empty(3)),
    ):
        assert_same(lambda lib, call=call: call(lib.nn.init, lib))


def test_parameters_to_vector():
    m = flow.nn.Linear(3, 2)
    v = flow.nn.utils.parameters_to_vector(m.parameters())
    assert v.shape == (8,) and v.requires_grad
    flow.nn.utils.vector_to_parameters(flow.tensor([float(i) for i in range(8)]), m.parameters())
    assert m.weight.tolist() == [[0, 1, 2], [3, 4, 5]] and m.bias.tolist() == [6, 7]
    with pytest.raises(ValueError, match="8 elements"):
        flow.nn.utils.vector_to_parameters(flow.ones(7), m.parameters())
    with pytest.raises(TypeError):
        flow.nn.utils.vector_to_parameters([1.0], m.parameters())


@pytest.mark.parametrize(
    "name", ["ReLU", "ReLU6", "SiLU", "SELU", "ELU", "CELU", "Mish", "Hardswish", "Hardtanh", "LeakyReLU"]
)
def test_activations_in_place(name, rng):
    data = rng.standard_normal((3, 4)).astype(numpy.float32)
    results = []
    for lib in (flow, torch):
        x = lib.tensor(data, dtype=WIDE_IN_TORCH[lib], requires_grad=True)
        h = x * 1
        y = getattr(lib.nn, name)(inplace=True)(h)
        assert y.data_ptr() == h.data_ptr()
        (y * y).sum().backward()
        results.append((h, x.grad))
    assert_close(results[0], [in_float64(t) for t in results[1]], op_class="matmul")


@pytest.mark.parametrize(("shape", "weights"), [((3, 4), 1), ((2, 4, 3), 4), ((), 1), ((0, 4), 4)])
def test_prelu_is_a_method_and_a_name_of_flow(shape: tuple[int, ...], weights: int) -> None:
    x, w = torch.randn(shape, dtype=torch.float64), torch.rand(weights, dtype=torch.float64)
    theirs = [x.clone().requires_grad_(), w.clone().requires_grad_()]
    expected = theirs[0].prelu(theirs[1])
    expected.sum().backward()
    for call in (flow.Tensor.prelu, flow.prelu):
        ours = [flow.from_torch(x.clone()).requires_grad_(), flow.from_torch(w.clone()).requires_grad_()]
        actual = call(*ours)
        actual.sum().backward()
        torch.testing.assert_close(flow.to_torch(actual.detach()), expected.detach())
        for mine, their in zip(ours, theirs, strict=True):
            torch.testing.assert_close(flow.to_torch(mine.grad), their.grad)
