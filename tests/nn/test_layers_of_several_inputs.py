"""Layers of several inputs compute what torch's compute in float64, forward and backward, from the same state dict."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy
import pytest
import torch

import tritonflow as flow
from tests.torch_release import since
from tritonflow.testing import assert_close
from tritonflow.wire.world import this_rank


class Case(NamedTuple):
    """A layer by name and arguments; what it is called with: shapes of random inputs, lists as they are, and keywords."""

    layer: str
    args: tuple
    kwargs: dict
    inputs: tuple
    call: dict = {}

    def __str__(self) -> str:
        return f"{self.layer}{self.args}{self.kwargs or ''}"


SIGNS = [1.0, -1.0, -1.0, 1.0]
CAUSAL = [[False, True, True, True], [False, False, True, True], [False, False, False, True], [False, False, False, False]]
PADDED = [[False, False, False, True], [False, False, True, True]]
CASES = [
    Case("L1Loss", (), {}, ((3, 4), (3, 4))),
    Case("SmoothL1Loss", (), {"beta": 0.5}, ((3, 4), (3, 4))),
    Case("HuberLoss", (), {"delta": 0.5, "reduction": "sum"}, ((3, 4), (3, 4))),
    Case("BCEWithLogitsLoss", (), {}, ((3, 4), (3, 4))),
    Case("KLDivLoss", (), {"reduction": "batchmean", "log_target": True}, ((3, 4), (3, 4))),
    Case("PoissonNLLLoss", (), {}, ((3, 4), (3, 4))),
    Case("GaussianNLLLoss", (), {"full": True}, ((2,), (2,), [0.5, 2.0])),
    Case("SoftMarginLoss", (), {"reduction": "none"}, ((4,), SIGNS)),
    Case("HingeEmbeddingLoss", (), {"margin": 0.5}, ((4,), SIGNS)),
    Case("MarginRankingLoss", (), {"margin": 0.5}, ((4,), (4,), SIGNS)),
    Case("CosineEmbeddingLoss", (), {"margin": 0.1}, ((4, 5), (4, 5), SIGNS)),
    Case("TripletMarginLoss", (), {"swap": True}, ((4, 5), (4, 5), (4, 5))),
    Case("TripletMarginWithDistanceLoss", (), {}, ((4, 5), (4, 5), (4, 5))),
    Case("MultiMarginLoss", (), {"p": 2}, ((3, 4), [0, 3, 1])),
    Case("MultiLabelMarginLoss", (), {}, ((2, 4), [[3, 0, -1, 1], [-1, 0, 0, 0]])),
    Case("MultiLabelSoftMarginLoss", (), {}, ((3, 4), (3, 4))),
    Case("CosineSimilarity", (), {"dim": 0}, ((4, 5), (4, 5))),
    Case("PairwiseDistance", (), {"p": 1.0, "keepdim": True}, ((4, 5), (4, 5))),
    Case("Bilinear", (3, 4, 5), {}, ((2, 6, 3), (2, 6, 4))),
    Case("MultiheadAttention", (8, 2), {}, ((5, 3, 8), (4, 3, 8), (4, 3, 8))),
    Case("MultiheadAttention", (8, 2), {"batch_first": True, "kdim": 6, "vdim": 7}, ((2, 4, 8), (2, 4, 6), (2, 4, 7)), {"need_weights": False}),
    Case("MultiheadAttention", (8, 4), {"add_bias_kv": True, "add_zero_attn": True, "bias": False}, ((4, 8), (4, 8), (4, 8))),
    Case("MultiheadAttention", (8, 2), {}, ((4, 2, 8),) * 3, {"attn_mask": CAUSAL, "key_padding_mask": PADDED, "average_attn_weights": False}),
    Case("MultiheadAttention", (8, 2), {}, ((4, 2, 8),) * 3, {"attn_mask": CAUSAL, "key_padding_mask": PADDED, "need_weights": False}),
    Case("TransformerDecoderLayer", (8, 2, 16, 0.0), {}, ((4, 2, 8), (5, 2, 8)), {"tgt_mask": CAUSAL}),
    Case("TransformerDecoderLayer", (8, 2, 16, 0.0, "gelu"), {"norm_first": True}, ((4, 2, 8), (4, 2, 8)), {"memory_key_padding_mask": PADDED}),
    Case("Transformer", (8, 2, 1, 2, 16, 0.0), {"batch_first": True}, ((2, 5, 8), (2, 4, 8)), {"tgt_mask": CAUSAL}),
    Case("EmbeddingBag", (6, 3), {"mode": "sum", "padding_idx": 1}, ([0, 1, 5, 5, 2], [0, 3, 3])),
    Case("EmbeddingBag", (6, 3), {"mode": "max"}, ([[0, 1, 5], [5, 2, 2]],)),
    Case("EmbeddingBag", (6, 3), {"max_norm": 1.0, "scale_grad_by_freq": False}, ([[0, 1, 5], [5, 2, 2]],)),
    Case("Embedding", (6, 3), {"max_norm": 0.7, "scale_grad_by_freq": True}, ([[0, 1, 5], [5, 2, 2]],)),
    Case("LinearCrossEntropyLoss", (5, 4), {"bias": True, "out_features": (2,)}, ((3, 5), [[0, 1], [2, 3], [3, 1]])),
    Case("AdaptiveLogSoftmaxWithLoss", (8, 12, [4, 8]), {"div_value": 2.0, "head_bias": True}, ((5, 8), [0, 5, 11, 3, 8])),
]


def pair(case: Case) -> tuple[Any, Any]:
    """The layer of both libraries in float64, with the same state."""
    theirs = getattr(torch.nn, case.layer)(*case.args, **case.kwargs).double()
    ours = getattr(flow.nn, case.layer)(*case.args, **case.kwargs).double()
    assert list(ours.state_dict()) == list(theirs.state_dict())
    ours.load_state_dict({k: flow.tensor(v.numpy()) for k, v in theirs.state_dict().items()})
    return ours, theirs


def flat(values: Any) -> list[Any]:
    if isinstance(values, (tuple, list)):
        return [x for value in values for x in flat(value)]
    return [] if values is None else [values]


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.sampled(most=16)
def test_forward_and_backward(case: Case, rng: numpy.random.Generator) -> None:
    ours, theirs = pair(case)
    data = [numpy.asarray(x) if isinstance(x, list) else rng.standard_normal(x) for x in case.inputs]
    results = []
    for lib, layer in ((flow, ours), (torch, theirs)):
        inputs = [lib.tensor(x, requires_grad=not isinstance(given, list)) for x, given in zip(data, case.inputs)]
        keywords = {k: lib.tensor(v) if isinstance(v, list) else v for k, v in case.call.items()}
        outputs = flat(layer(*inputs, **keywords))
        sum((y * y).sum() for y in outputs).backward()
        gradients = [x.grad for x in inputs if x.requires_grad] + [p.grad for p in layer.parameters() if p.grad is not None]
        results.append([x.detach().cpu() for x in (*outputs, *gradients)])
    assert len(results[0]) == len(results[1])
    for mine, expected in zip(*results):
        assert_close(mine, expected, op_class="matmul")


def test_losses_of_probabilities(rng: numpy.random.Generator) -> None:
    probabilities, targets, results = rng.uniform(0.1, 0.9, 5), rng.uniform(0, 1, 5), []
    for lib in (flow, torch):
        x = lib.tensor(probabilities, requires_grad=True)
        loss = lib.nn.BCELoss(reduction="sum")(x, lib.tensor(targets))
        loss.backward()
        results.append((loss.detach().cpu(), x.grad.cpu()))
    for mine, expected in zip(*results):
        assert_close(mine, expected, op_class="transcendental")


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_sequences_without_alignment(reduction: str, rng: numpy.random.Generator) -> None:
    logits, targets = rng.standard_normal((6, 3, 4)), numpy.array([[1, 2, 2], [3, 1, 3], [2, 1, 1]])
    results = []
    for lib in (flow, torch):
        x = lib.tensor(logits, requires_grad=True)
        loss = lib.nn.CTCLoss(reduction=reduction)(x.log_softmax(2), lib.tensor(targets), (6, 5, 4), (3, 2, 0))
        loss.sum().backward()
        results.append((loss.detach().cpu(), x.grad.cpu()))
    for mine, expected in zip(*results):
        assert_close(mine, expected, op_class="norm")


def test_maxima_and_back(rng: numpy.random.Generator) -> None:
    for rank in (1, 2, 3):
        data = rng.standard_normal((2, 3, *(6, 5, 4)[:rank]))
        results = []
        for lib in (flow, torch):
            values, at = getattr(lib.nn, f"MaxPool{rank}d")(2, return_indices=True)(lib.tensor(data))
            whole = getattr(lib.nn, f"MaxUnpool{rank}d")(2)(values, at, output_size=data.shape[2:])
            results.append([y.cpu() for y in (values, at, whole)])
        for mine, expected in zip(*results):
            assert_close(mine, expected, op_class="exact")


@pytest.mark.parametrize("rank", [2, 3])
def test_fractional_maxima_of_the_same_numbers(rank: int, rng: numpy.random.Generator) -> None:
    data, samples = rng.standard_normal((2, 3, *(9, 8, 7)[:rank])), rng.random((2, 3, rank))
    results = []
    for lib in (flow, torch):
        pool = getattr(lib.nn, f"FractionalMaxPool{rank}d")
        pooled = pool(2, (4, 3, 3)[:rank], return_indices=True, _random_samples=lib.tensor(samples))(lib.tensor(data))
        results.append([y.cpu() for y in pooled])
    for mine, expected in zip(*results):
        assert_close(mine, expected, op_class="exact")


BIAS = since("2.13", "the text of a norm says bias=True")


NORMS = ("BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d")
OTHERS = ("Linear", "Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d")


@pytest.mark.parametrize("layer", [*OTHERS, *[pytest.param(each, marks=BIAS) for each in NORMS]])
@pytest.mark.sampled(most=5)
def test_lazy_layers(layer: str) -> None:
    args = (3,) if layer == "Linear" else () if "Norm" in layer else (4, 3)
    shape = (2, 5) if layer == "Linear" else (2, 3, *(5, 6, 4)[: int(layer[-2])])
    lazy = getattr(flow.nn, f"Lazy{layer}")(*args)
    theirs = getattr(torch.nn, f"Lazy{layer}")(*args)
    assert lazy.has_uninitialized_params() == theirs.has_uninitialized_params()
    y, expected = lazy(flow.ones(*shape)), theirs(torch.ones(*shape))
    assert tuple(y.shape) == tuple(expected.shape)
    assert type(lazy) is getattr(flow.nn, layer) and repr(lazy) == repr(theirs)
    assert {k: tuple(v.shape) for k, v in lazy.state_dict().items()} == {k: tuple(v.shape) for k, v in theirs.state_dict().items()}


def test_lazy_layers_take_the_shapes_of_a_state_dict() -> None:
    state = flow.nn.Linear(5, 3).state_dict()
    lazy = flow.nn.LazyLinear(3)
    with pytest.raises(RuntimeError, match="uninitialized"):
        lazy.weight.shape
    with pytest.raises(ValueError, match="uninitialized"):
        lazy.weight.numel()
    lazy.load_state_dict(state)
    assert lazy.weight.tolist() == state["weight"].tolist() and isinstance(lazy.weight, flow.nn.Parameter)
    lazy(flow.ones(1, 5))
    assert repr(lazy) == "Linear(in_features=5, out_features=3, bias=True)"


def test_stacks_of_transformer_layers(rng: numpy.random.Generator) -> None:
    results, data = [], rng.standard_normal((4, 2, 8))
    state: dict[str, Any] = {}
    for lib in (torch, flow):
        torch.manual_seed(0)
        decoder = lib.nn.TransformerDecoder(lib.nn.TransformerDecoderLayer(8, 2, 16, 0.0), 2).double()
        encoder = lib.nn.TransformerEncoder(lib.nn.TransformerEncoderLayer(8, 2, 16, 0.0), 2, enable_nested_tensor=False).double()
        for name, stack in (("decoder", decoder), ("encoder", encoder)):
            state.setdefault(name, {k: v.numpy() for k, v in stack.state_dict().items()})
            stack.load_state_dict({k: lib.tensor(v) for k, v in state[name].items()})
        x = lib.tensor(data)
        results.append(decoder(x, encoder(x)).detach().cpu())
    assert_close(results[1], results[0], op_class="matmul")


def test_random_layers() -> None:
    flow.manual_seed(0)
    x = flow.ones(50, 40, 3, 3)
    channels = flow.nn.Dropout2d(0.25)(x)
    assert set(numpy.unique(channels.numpy())) == {numpy.float32(0), numpy.float32(1 / 0.75)}
    kept = channels[:, :, 0, 0] != 0
    assert (channels.amax((2, 3)) == channels.amin((2, 3))).all().item() and 0.7 < kept.float().mean().item() < 0.8
    normal = flow.randn(200, 200)
    dropped = flow.nn.AlphaDropout(0.3)(normal)
    assert abs(dropped.mean().item()) < 0.05 and abs(dropped.std().item() - 1) < 0.05
    slopes = flow.nn.RReLU(0.1, 0.3)(-flow.ones(1000))
    assert -0.3 <= slopes.min().item() < -0.28 and -0.12 < slopes.max().item() <= -0.1
    hard = flow.nn.functional.gumbel_softmax(flow.zeros(1000, 4), hard=True)
    assert hard.sum().item() == pytest.approx(1000, abs=1e-2) and 200 < hard.sum(0).max().item() < 320


def test_products_of_groups(rng: numpy.random.Generator) -> None:
    a, b = (flow.tensor(rng.standard_normal(shape)) for shape in ((7, 4), (3, 4, 5)))
    ends = flow.tensor([2, 2, 7], dtype=flow.int32)
    y = flow.nn.functional.grouped_mm(a, b, offs=ends)
    assert_close(y, flow.cat([a[:2] @ b[0], a[2:] @ b[2]]), op_class="matmul")
    assert flow.nn.functional.grouped_mm(a, b, offs=ends, out_dtype=a.dtype).dtype == a.dtype
    with pytest.raises(RuntimeError, match="out_dtype must be that of mat_a"):
        flow.nn.functional.grouped_mm(a, b, offs=ends, out_dtype=flow.float32)


def test_buffers_and_submodules() -> None:
    m = flow.nn.Sequential(flow.nn.Linear(2, 2), flow.nn.ReLU())
    m.seen = flow.nn.Buffer(flow.zeros(1), persistent=False)
    assert [n for n, _ in m.named_buffers()] == ["seen"] and "seen" not in m.state_dict()
    m.set_submodule("1", flow.nn.Tanh())
    assert isinstance(m[1], flow.nn.Tanh)


def test_one_device_in_parallel() -> None:
    model = flow.nn.DataParallel(flow.nn.Linear(2, 1))
    assert list(model.state_dict()) == ["module.weight", "module.bias"]
    assert model(flow.ones(3, 2)).shape == (3, 1)
    with pytest.raises(RuntimeError, match="DistributedDataParallel"):
        flow.nn.DataParallel(flow.nn.Linear(2, 1), device_ids=[0, 1])


def test_statistics_of_all_ranks(rng: numpy.random.Generator) -> None:
    data = rng.standard_normal((4, 3, 5))
    plain = flow.nn.BatchNorm1d(3).double()
    x = flow.tensor(data, requires_grad=True)
    y = plain(x)
    (y**3).sum().backward()

    def on_rank() -> tuple[flow.Tensor, ...]:
        mine = slice(2 * this_rank().index, 2 * this_rank().index + 2)
        layer = flow.nn.SyncBatchNorm.convert_sync_batchnorm(flow.nn.BatchNorm1d(3).double())
        layer.double()
        part = flow.tensor(data[mine], requires_grad=True)
        out = layer(part)
        (out**3).sum().backward()
        return out.detach(), part.grad, layer.running_mean, layer.running_var

    first, second = flow.testing.simulate(2)(on_rank)()
    for number, expected in enumerate((y.detach(), x.grad)):
        assert_close(flow.cat([first[number], second[number]]), expected.cpu(), op_class="norm")
    assert_close(list(first[2:]), [plain.running_mean.cpu(), plain.running_var.cpu()], op_class="norm")
    assert_close(list(second[2:]), list(first[2:]), op_class="exact")
