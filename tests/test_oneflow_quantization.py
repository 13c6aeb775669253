"""OneFlow's layers of quantization (tritonflow/compat/quantization.py) beside its formulas in NumPy."""

from __future__ import annotations

import copy
from typing import Any

import numpy
import pytest

import tritonflow as flow

X = numpy.random.default_rng(0).uniform(-0.6, 0.5, (3, 4, 5))
KINDS = [("google", "symmetric"), ("google", "affine"), ("cambricon", "symmetric"), ("cambricon", "affine")]


def scales(rows: Any, formula: str, scheme: str, bits: int) -> tuple[Any, Any]:
    most = numpy.abs(rows).max(1)
    if formula == "cambricon":
        return numpy.floor(numpy.log2(most)) - (bits - 2), most * 0
    if scheme == "symmetric":
        return most / (2 ** (bits - 1) - 1), most * 0
    scale = (rows.max(1) - rows.min(1)) / (2**bits - 1)
    return scale, -numpy.rint(rows.min(1) / scale)


def quantized(rows: Any, scale: Any, zero: Any, formula: str, scheme: str, bits: int) -> tuple[Any, Any]:
    step = 2.0**scale if formula == "cambricon" else scale
    affine = formula == "google" and scheme == "affine"
    least, most = (0, 2**bits - 1) if affine else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    numbers = numpy.clip(numpy.rint(rows / step[:, None] + zero[:, None]), least, most)
    return numbers, (numbers - zero[:, None]) * step[:, None]


@pytest.mark.parametrize("bits", [2, 4, 8])
@pytest.mark.parametrize("per_layer", [True, False])
@pytest.mark.parametrize(("formula", "scheme"), KINDS)
def test_numbers_are_those_of_the_formulas(formula: str, scheme: str, per_layer: bool, bits: int) -> None:
    if formula == "cambricon" and not per_layer:
        with pytest.raises(RuntimeError, match="per-channel mode is not supported"):
            flow.nn.MinMaxObserver(formula, bits, scheme, per_layer)(flow.tensor(X))
        return
    rows = X.reshape(1 if per_layer else 3, -1)
    x = flow.tensor(X, requires_grad=True)
    scale, zero = flow.nn.MinMaxObserver(formula, bits, scheme, per_layer)(x)
    expected = scales(rows, formula, scheme, bits)
    numpy.testing.assert_allclose(scale.numpy(), expected[0], rtol=1e-14)
    numpy.testing.assert_array_equal(zero.numpy(), expected[1])
    numbers, back = quantized(rows, *expected, formula, scheme, bits)
    found = flow.nn.Quantization(formula, bits, scheme)(x, scale, zero)
    numpy.testing.assert_array_equal(found.detach().numpy().reshape(rows.shape), numbers)
    y = flow.nn.FakeQuantization(formula, bits, scheme)(x, scale, zero)
    numpy.testing.assert_allclose(y.detach().numpy().reshape(rows.shape), back, atol=1e-15)
    dy = flow.rand(3, 4, 5, dtype=flow.float64)
    y.backward(dy)
    assert flow.equal(x.grad, dy)


@pytest.mark.parametrize(("formula", "scheme"), KINDS)
def test_averages_move_while_training_up_to_a_step(formula: str, scheme: str) -> None:
    observer = flow.nn.MovingAverageMinMaxObserver(1, formula, 8, scheme, 0.75).double()
    affine = formula == "google" and scheme == "affine"
    most = least = numpy.zeros(1)
    for step, x in enumerate([X, X * 2, X * 9]):
        scale, zero = observer(flow.tensor(x), flow.tensor([step]))
        high, low = (x.max(), x.min()) if affine else (numpy.abs(x).max(),) * 2
        if step <= 1:
            most, least = (high, low) if not step else (most * 0.75 + high * 0.25, least * 0.75 + low * 0.25)
        numpy.testing.assert_allclose(observer.moving_max.numpy(), most, rtol=1e-14)
        expected = scales(numpy.array([[most, least]]).reshape(1, 2), formula, scheme, 8)
        numpy.testing.assert_allclose(scale.numpy(), expected[0], rtol=1e-14)
        numpy.testing.assert_array_equal(zero.numpy(), expected[1])
    observer.eval()(flow.tensor(X * 99), flow.tensor([0]))
    numpy.testing.assert_allclose(observer.moving_max.numpy(), most, rtol=1e-14)


@pytest.mark.parametrize("dims", [1, 2, 3])
def test_a_quantized_convolution_trains_as_in_a_graph(dims: int) -> None:
    layer = getattr(flow.nn, f"QatConv{dims}d")(2, 3, 3, padding=1, quantization_scheme="affine", weight_quant_per_layer=False)
    other = copy.deepcopy(layer)
    x = flow.randn(2, 2, *[5] * dims)
    y = layer(x)
    q, observed = layer.fake_quantizer, layer.weight_min_max_observer(layer.weight)
    inputs = layer.eval().input_min_max_observer(x, layer.current_train_step)
    plain = getattr(flow.nn.functional, f"conv{dims}d")
    assert flow.equal(y, plain(q(x, *inputs), q(layer.weight, *observed), layer.bias, padding=1))
    compiled = flow.compile(other)
    assert flow.allclose(compiled(x), y, atol=1e-5)
    assert flow.equal(other.input_min_max_observer.moving_max, layer.input_min_max_observer.moving_max)
    y.square().sum().backward()
    assert layer.weight.grad.abs().sum().item() > 0


@pytest.mark.parametrize("wrong", [{"quantization_bit": 1}, {"quantization_formula": "x"}, {"quantization_scheme": "x"}])
def test_wrong_settings_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(RuntimeError, match=next(iter(wrong))):
        flow.nn.FakeQuantization(**wrong)
    with pytest.raises(RuntimeError, match="scale must have one element, or one for each"):
        flow.nn.Quantization()(flow.ones(3, 2), flow.ones(2), flow.zeros(2))


def test_oneflows_import() -> None:
    from tritonflow.nn.modules import min_max_observer  # type: ignore[attr-defined]

    assert min_max_observer.MinMaxObserver is flow.nn.MinMaxObserver
