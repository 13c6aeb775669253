"""Recurrent layers and cells against torch's: numbers, gradients, states, texts of errors; in eager mode and as graphs."""

from __future__ import annotations

import copy
import warnings
from typing import Any

import numpy
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import tritonflow as flow
from tests import where
from tests.nn.reference import assert_same
from tritonflow.testing import assert_close, in_float64

LAYERS = ("RNN", "LSTM", "GRU")
CELLS = ("RNNCell", "LSTMCell", "GRUCell")


def pair(layer: str, *args: Any, **kwargs: Any) -> tuple[Any, Any]:
    """The module of both libraries, with one state."""
    theirs = getattr(torch.nn, layer)(*args, **kwargs)
    ours = getattr(flow.nn, layer)(*args, **kwargs)
    assert [(k, tuple(v.shape)) for k, v in ours.state_dict().items()] == [
        (k, tuple(v.shape)) for k, v in theirs.state_dict().items()
    ]
    ours.load_state_dict(theirs.state_dict())
    return ours, theirs


def random(rng: numpy.random.Generator, *shape: int) -> tuple[Any, Any]:
    """A leaf of both libraries with the same numbers, torch's in float64."""
    data = rng.standard_normal(shape).astype(numpy.float32)
    return flow.tensor(data, requires_grad=True), torch.tensor(data).double().requires_grad_()


def flat(value: Any) -> list[Any]:
    return [value] if not isinstance(value, tuple) else [t for part in value for t in flat(part)]


def compare(ours: Any, theirs: Any, inputs: list[Any], rng: numpy.random.Generator, run: Any = None) -> None:
    """Results, and the gradients of inputs and parameters for a random gradient of every result."""
    theirs.double()
    mine, others = [i[0] for i in inputs], [i[1] for i in inputs]
    group = (lambda x, *state: (x, state[0] if len(state) == 1 else state)) if len(inputs) > 1 else lambda x: (x,)
    results = list(zip(flat((run or ours)(*group(*mine))), flat(theirs(*group(*others)))))
    for actual, expected in results:
        assert_close(actual, in_float64(expected), op_class="matmul")
    if run is not None:
        return
    weights = [random(rng, *expected.shape) for _, expected in results]
    sum((a * w).sum() for (a, _), (w, _) in zip(results, weights)).backward()
    sum((e * w).sum() for (_, e), (_, w) in zip(results, weights)).backward()
    for a, e in (*inputs, *zip(ours.parameters(), theirs.parameters())):
        assert_close(a.grad, in_float64(e.grad), op_class="matmul")


@st.composite
def layers(draw: Any) -> tuple[str, dict[str, Any], bool, bool]:
    """A layer with its arguments, whether its input has batches, and whether it is given a state."""
    layer = draw(st.sampled_from(LAYERS))
    hidden = draw(st.integers(2, 6))
    kwargs: dict[str, Any] = {"input_size": draw(st.integers(1, 5)), "hidden_size": hidden}
    kwargs.update(num_layers=draw(st.integers(1, 3)), bias=draw(st.booleans()), batch_first=draw(st.booleans()))
    kwargs.update(bidirectional=draw(st.booleans()))
    if layer == "RNN":
        kwargs["nonlinearity"] = draw(st.sampled_from(("tanh", "relu")))
    if layer == "LSTM":
        kwargs["proj_size"] = draw(st.integers(0, hidden - 1))
    return layer, kwargs, draw(st.booleans()), draw(st.booleans())


def inputs_of(kwargs: dict[str, Any], layer: str, batched: bool, given_state: bool, rng: Any) -> list[Any]:
    times, batch, size = 4, 3, kwargs["input_size"]
    first = (batch, times) if kwargs["batch_first"] else (times, batch)
    inputs = [random(rng, *(first if batched else (times,)), size)]
    if given_state:
        count = kwargs["num_layers"] * (1 + kwargs["bidirectional"])
        sizes = [kwargs.get("proj_size") or kwargs["hidden_size"], kwargs["hidden_size"]][: 1 + (layer == "LSTM")]
        inputs += [random(rng, count, *((batch,) if batched else ()), n) for n in sizes]
    return inputs


@settings(max_examples=25, deadline=None)
@given(layers(), st.integers(0, 1000))
def test_layers_compute_what_torchs_compute(case: Any, seed: int):
    layer, kwargs, batched, given_state = case
    rng = numpy.random.default_rng(seed)
    compare(*pair(layer, **kwargs), inputs_of(kwargs, layer, batched, given_state, rng), rng)


@pytest.mark.sampled
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("batch", [(), (3,)])
@pytest.mark.parametrize("cell", [*CELLS, "relu"])
def test_cells_compute_what_torchs_compute(cell: str, batch: tuple, bias: bool, rng: numpy.random.Generator):
    name, kwargs = ("RNNCell", {"nonlinearity": "relu"}) if cell == "relu" else (cell, {})
    modules = pair(name, 4, 5, bias=bias, **kwargs)
    states = [random(rng, *batch, 5) for _ in range(1 + (cell == "LSTMCell"))]
    compare(*modules, [random(rng, *batch, 4), *states], rng)
    compare(*pair(name, 4, 5, bias=bias, **kwargs), [random(rng, *batch, 4)], rng)


@pytest.mark.parametrize("layer", LAYERS)
def test_a_graph_computes_what_torch_computes(layer: str, rng: numpy.random.Generator):
    kwargs = {"input_size": 4, "hidden_size": 5, "num_layers": 2, "bidirectional": True, "batch_first": False}
    ours, theirs = pair(layer, **kwargs)
    inputs = inputs_of(kwargs, layer, True, True, rng)
    compare(ours, theirs, inputs, rng, run=flow.compile(ours))


@pytest.mark.parametrize("layer", [*LAYERS, *CELLS])
@pytest.mark.sampled(most=2)
def test_a_graph_trains_as_eager_mode_does(layer: str, rng: numpy.random.Generator):
    ours, _ = pair(layer, 4, 5)
    twin = copy.deepcopy(ours)
    data = [random(rng, *((6, 3) if layer in LAYERS else (3,)), 4)[0].detach() for _ in range(4)]

    def loss_of(net: Any, x: Any) -> Any:
        return sum((t**2).mean() for t in flat(net(x)))

    class Train(flow.nn.Graph):
        def __init__(self) -> None:
            super().__init__()
            self.net = twin
            self.add_optimizer(flow.optim.SGD(twin.parameters(), lr=0.5, momentum=0.9))

        def build(self, x: Any) -> Any:
            loss = loss_of(self.net, x)
            loss.backward()
            return loss

    optimizer = flow.optim.SGD(ours.parameters(), lr=0.5, momentum=0.9)
    train = Train()
    for x in data:
        optimizer.zero_grad()
        loss = loss_of(ours, x)
        loss.backward()
        optimizer.step()
        assert_close(train(x), loss, op_class="matmul")
    for p, q in zip(ours.parameters(), twin.parameters()):
        assert_close(q, p, op_class="matmul")


def test_the_products_of_the_inputs_are_one_launch(rng: numpy.random.Generator):
    def products(times: int) -> int:
        run, x = flow.compile(flow.nn.LSTM(4, 5).requires_grad_(False)), flow.ones(times, 3, 4)
        run(x)
        return sum("linear" in kernel.title for kernel in run.explain(x).kernels)

    assert products(7) - products(2) == 5  # one a time for the states


def test_dropout_lies_between_the_layers_while_training():
    layer = flow.nn.GRU(3, 8, num_layers=2, dropout=1.0)
    x, x2 = flow.ones(4, 2, 3), flow.zeros(4, 2, 3)
    assert not (layer.eval()(x)[0] == layer(x2)[0]).all()
    assert (layer.train()(x)[0] == layer(x2)[0]).all()  # nothing comes through
    assert not (layer(x)[1][0] == layer(x2)[1][0]).all()  # but to the first layer


@pytest.mark.parametrize("layer", [*LAYERS, *CELLS])
def test_parameters_start_in_the_range_of_torchs(layer: str):
    for p in getattr(flow.nn, layer)(40, 100).parameters():
        assert float(p.abs().max()) <= 0.1
        assert 0.04 < float(p.std()) < 0.08  # 0.2 / sqrt(12)


@pytest.mark.parametrize("layer", LAYERS)
def test_half_precision_and_autocast(layer: str, rng: numpy.random.Generator):
    module = getattr(flow.nn, layer)(4, 5)
    x = random(rng, 3, 2, 4)[0].detach()
    expected = module(x)[0]
    with flow.autocast(where.device, flow.bfloat16):
        assert_close(module(x)[0].float(), expected, rtol=0.05, atol=0.05)
    y, _ = module.to(flow.bfloat16)(x.to(flow.bfloat16))
    assert y.dtype == flow.bfloat16
    assert_close(y.float(), expected, rtol=0.05, atol=0.05)


REPRS = [
    ("RNN", (3, 4), {"nonlinearity": "relu"}),
    ("LSTM", (3, 4, 2), {"proj_size": 2, "bias": False, "batch_first": True, "dropout": 0.5, "bidirectional": True}),
    ("GRU", (3, 4), {}),
    ("RNNCell", (3, 4), {"nonlinearity": "relu", "bias": False}),
    ("LSTMCell", (3, 4), {}),
    ("GRUCell", (3, 4, False), {}),
]


@pytest.mark.parametrize("layer, args, kwargs", REPRS)
def test_repr(layer: str, args: tuple, kwargs: dict):
    assert_same(lambda lib: repr(getattr(lib.nn, layer)(*args, **kwargs)))


WRONG = {
    "nonlinearity": lambda lib: lib.nn.RNN(3, 4, nonlinearity="gelu"),
    "mode": lambda lib: lib.nn.RNNBase("CNN", 3, 4),
    "dropout": lambda lib: lib.nn.GRU(3, 4, 2, dropout=1.5),
    "dropout flag": lambda lib: lib.nn.GRU(3, 4, 2, dropout=True),
    "bias": lambda lib: lib.nn.LSTM(3, 4, bias=1),
    "batch first": lambda lib: lib.nn.LSTM(3, 4, batch_first=None),
    "input size": lambda lib: lib.nn.LSTM(0, 4),
    "input type": lambda lib: lib.nn.LSTM(3.0, 4),
    "hidden size": lambda lib: lib.nn.LSTM(3, -4),
    "layers": lambda lib: lib.nn.LSTM(3, 4, 0),
    "projection": lambda lib: lib.nn.LSTM(3, 4, proj_size=4),
    "negative projection": lambda lib: lib.nn.LSTM(3, 4, proj_size=-1),
    "rank": lambda lib: lib.nn.GRU(3, 4)(lib.ones(3)),
    "dtype": lambda lib: lib.nn.LSTM(3, 4)(lib.ones(2, 2, 3, dtype=lib.float64)),
    "size": lambda lib: lib.nn.LSTM(3, 4)(lib.ones(2, 2, 5)),
    "no times": lambda lib: lib.nn.LSTM(3, 4)(lib.ones(0, 2, 3)),
    "state's rank": lambda lib: lib.nn.GRU(3, 4)(lib.ones(2, 2, 3), lib.ones(2, 4)),
    "state's rank without batches": lambda lib: lib.nn.GRU(3, 4)(lib.ones(2, 3), lib.ones(1, 2, 4)),
    "states' rank": lambda lib: lib.nn.LSTM(3, 4)(lib.ones(2, 2, 3), (lib.ones(2, 4), lib.ones(1, 2, 4))),
    "state's size": lambda lib: lib.nn.RNN(3, 4)(lib.ones(2, 2, 3), lib.ones(1, 2, 3)),
    "states' size": lambda lib: lib.nn.LSTM(3, 4)(lib.ones(2, 2, 3), (lib.ones(1, 2, 4), lib.ones(1, 3, 4))),
    "cell's rank": lambda lib: lib.nn.LSTMCell(3, 4)(lib.ones(2, 2, 3)),
    "cell's state's rank": lambda lib: lib.nn.GRUCell(3, 4)(lib.ones(2, 3), lib.ones(2, 2, 4)),
    "cell's states' rank": lambda lib: lib.nn.LSTMCell(3, 4)(lib.ones(2, 3), (lib.ones(2, 4), lib.ones(2, 2, 4))),
    "cell's size": lambda lib: lib.nn.LSTMCell(3, 4)(lib.ones(2, 5)),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_errors_are_torchs(wrong: str):
    assert_same(WRONG[wrong])


def test_errors_of_our_own():
    with pytest.raises(TypeError, match=r"LSTM: argument 'input' must be a tensor, not list"):
        flow.nn.LSTM(3, 4)([1.0])
    with pytest.raises(TypeError, match=r"argument 'hx' must be two tensors \(h_0, c_0\)"):
        flow.nn.LSTM(3, 4)(flow.ones(2, 2, 3), flow.ones(1, 2, 4))
    with pytest.raises(TypeError, match="argument 'hx' must be a tensor"):
        flow.nn.GRU(3, 4)(flow.ones(2, 2, 3), 0)
    with pytest.raises(RuntimeError, match=r"GRUCell: Expected hidden size \(2, 4\), got \(3, 4\)"):
        flow.nn.GRUCell(3, 4)(flow.ones(2, 3), flow.ones(3, 4))
    with pytest.raises(ValueError, match="Unknown nonlinearity 'gelu'"):
        flow.nn.RNNCell(3, 4, nonlinearity="gelu")


def test_dropout_of_a_single_layer_warns():
    with pytest.warns(UserWarning, match="num_layers greater than 1"):
        flow.nn.LSTM(3, 4, dropout=0.5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        flow.nn.LSTM(3, 4, 2, dropout=0.5)


def test_all_weights_are_the_parameters():
    layer = flow.nn.LSTM(3, 4, 2, bidirectional=True, proj_size=2)
    assert [[tuple(p.shape) for p in part] for part in layer.all_weights] == [
        [tuple(p.shape) for p in part] for part in torch.nn.LSTM(3, 4, 2, bidirectional=True, proj_size=2).all_weights
    ]
    assert {id(p) for part in layer.all_weights for p in part} == {id(p) for p in layer.parameters()}
