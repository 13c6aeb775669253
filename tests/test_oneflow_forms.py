"""Forms of torch's functions that only OneFlow has, and its generators; values beside torch's in float64."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
import torch

import tritonflow as flow
from tritonflow.nn import functional as F


def test_add_takes_several_tensors() -> None:
    x, y = (flow.randn(2, 3, dtype=flow.float64, requires_grad=True) for _ in range(2))
    total = flow.add(x, y, x, y)
    assert flow.equal(total, flow.add([x, y, x, y])) and flow.equal(total, ((x + y) + x) + y)
    total.sum().backward()
    assert x.grad.tolist() == y.grad.tolist() == [[2.0] * 3] * 2
    assert flow.equal(flow.compile(flow.add)(x, y, x), x + y + x)
    assert flow.equal(flow.add((x, y)), x + y)


def test_add_refuses_tensors_that_differ() -> None:
    a, b = flow.tensor([1, 2]), flow.tensor([3, 4])
    words = "inconsistent tensor size, expected all tensor to have the same number of elements, but got 2 and 4"
    with pytest.raises(RuntimeError, match=words):
        flow.add(a, b, flow.ones(2, 2, dtype=flow.int64))
    with pytest.raises(RuntimeError, match="expected all tenser to have same type, but found"):
        flow.add(a, b, flow.ones(2, dtype=flow.float64))
    for wrong in (lambda: flow.add(a), lambda: a.add(), lambda: flow.add([a])):
        with pytest.raises(TypeError, match="expected two tensors or more"):
            wrong()
    with pytest.raises(TypeError, match="invalid combination of arguments"):
        flow.add(a, b, 1)


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("inplace", [True, False])
def test_dropout_adds_a_tensor(inplace: bool, training: bool) -> None:
    x, addend = flow.randn(40, dtype=flow.float64), flow.randn(40, dtype=flow.float64)
    generator = flow.Generator()
    expected = F.dropout(x, 0.5, training, generator=generator.manual_seed(1)) + addend
    given = x.clone()
    found = F.dropout(given, 0.5, training, inplace, generator=generator.manual_seed(1), addend=addend)
    assert flow.equal(found, expected) and (found is given) == inplace
    layer = flow.nn.Dropout(0.5, inplace, generator.manual_seed(1)).train(training)
    assert flow.equal(layer(x.clone(), addend), expected)


def test_dropout_has_gradients_of_both() -> None:
    x, addend = (flow.ones(64, dtype=flow.float64, requires_grad=True) for _ in range(2))
    y = F.dropout(x, 0.25, addend=addend)
    y.sum().backward()
    assert addend.grad.tolist() == [1.0] * 64
    assert flow.allclose(x.grad, y.detach() - 1)


def test_dropout_in_place_changes_nothing_where_the_addend_does_not_fit() -> None:
    x = flow.ones(4)
    for wrong in (flow.ones(3), flow.ones(2, 4)):
        with pytest.raises(RuntimeError):
            F.dropout(x, 0.5, inplace=True, addend=wrong)
    assert x.tolist() == [1.0] * 4


def test_a_generator_of_any_device_draws_as_that_of_a_device() -> None:
    anywhere, cpu = flow.Generator(device="auto"), flow.Generator("cpu")
    assert anywhere.initial_seed() == cpu.initial_seed() and anywhere.get_state() == cpu.get_state()
    assert flow.equal(flow.rand(5, generator=anywhere), flow.rand(5, generator=cpu))
    assert flow.rand(5, generator=anywhere, device="meta").device == flow.device("meta")
    state = anywhere.on(flow.device("cpu")).get_state()
    assert state == cpu.get_state()
    drawn = flow.randn(3, generator=anywhere)
    for generator in (anywhere, flow.Generator("auto")):
        generator.set_state(state)
        assert flow.equal(flow.randn(3, generator=generator), drawn)
    assert anywhere.manual_seed(4).initial_seed() == 4 and anywhere.seed() == anywhere.initial_seed()
    assert repr(anywhere.manual_seed(4)) == "Generator(device='auto', seed=4)"


def test_states_of_several_devices_are_asked_of_each() -> None:
    generator = flow.Generator("auto")
    flow.rand(5, generator=generator)
    flow.rand(5, generator=generator, device="meta")
    with pytest.raises(RuntimeError, match=r"ask generator.on\(device\)"):
        generator.get_state()
    with pytest.raises(ValueError, match="Expected a 'cpu' device type for generator but found 'meta'"):
        flow.rand(2, device="cpu", generator=flow.Generator("meta"))


def test_a_compiled_function_draws_from_a_generator_of_any_device() -> None:
    fixed, anywhere = flow.Generator().manual_seed(3), flow.Generator("auto").manual_seed(3)
    compiled = flow.compile(lambda x: F.dropout(x, 0.5, generator=anywhere))
    x = flow.ones(50)
    for _ in range(3):
        assert flow.equal(compiled(x), F.dropout(x, 0.5, generator=fixed))


def test_the_default_generator_is_one_and_gives_those_of_devices() -> None:
    default = flow.default_generator
    assert default is flow.manual_seed(2) and default(flow.device("cpu")) is default
    a = flow.rand(3)
    default.manual_seed(2)
    assert flow.equal(flow.rand(3), a) and default.get_state() == flow.get_rng_state()
    assert default("meta").device == flow.device("meta")


@pytest.mark.parametrize("random_seed", [None, -1, 5])
def test_coins(random_seed: int | None) -> None:
    numbers = flow.nn.CoinFlip(4000, random_seed, 0.25)()
    assert numbers.dtype == flow.int8 and numbers.shape == (4000,) and sorted(set(numbers.tolist())) == [0, 1]
    assert abs(numbers.double().mean().item() - 0.25) < 0.03
    again = flow.nn.CoinFlip(4000, random_seed, 0.25)()
    assert flow.equal(numbers, again) == (random_seed == 5)
    with pytest.raises(RuntimeError, match="a probability between 0 and 1"):
        flow.nn.CoinFlip(probability=1.5)


def test_the_gradient_of_acosh_is_torchs_where_acosh_is_nan() -> None:
    def gradients(library: Any) -> list[Any]:
        x = library.tensor([-1.9, -1.2, -0.5, 0.3, 1.02, 1.9], dtype=library.float64, requires_grad=True)
        dx = library.autograd.grad(library.acosh(x).sum(), x, create_graph=True)[0]
        return [dx.detach().numpy(), library.autograd.grad(dx.sum(), x)[0].numpy()]

    for found, expected in zip(gradients(flow), gradients(torch)):
        torch.testing.assert_close(torch.tensor(found), torch.tensor(expected), equal_nan=True, rtol=1e-12, atol=0)


@pytest.mark.parametrize("sbp", [flow.sbp.broadcast, flow.sbp.split(0)])
def test_a_consistent_window(sbp: Any) -> None:
    placement = flow.placement("cpu", [0])
    window = flow.hann_window(6, False, dtype=flow.float64, placement=placement, sbp=sbp, requires_grad=True)
    assert window.sbp == (sbp,) and window.placement == placement and window.requires_grad and window.is_leaf
    assert flow.equal(window.to_local(), flow.hann_window(6, False, dtype=flow.float64))


WORDS: list[tuple[Any, str]] = [
    (lambda x: flow.stft(x.reshape(2, 2, 3), 4, return_complex=True), "Expected a 1D or 2D tensor,but got"),
    (lambda x: flow.stft(x, -1, center=False, return_complex=True), "Expected 0 < n_fft <"),
    (lambda x: flow.stft(x, 4, hop_length=-1, return_complex=True), "Expected hop_length > 0, but got"),
    (lambda x: flow.stft(x, 4, win_length=-1, return_complex=True), "Expected 0 < win_length <=n_fft ,but got"),
    (lambda x: flow.stft(x, 4, window=flow.ones(9), return_complex=True), "Expected a 1D window tensor of size equal to win_length="),
    (lambda x: flow.repeat_interleave(x, flow.rand(12), 0), "repeats has to be Long tensor"),
    (lambda x: flow.roi_align(x, x, 1.0, 2, 2), "The dimension of x tensor must be equal to 4, but got 1"),
    (lambda x: flow.roi_align(x.reshape(1, 1, 3, 4), x, 1.0, 2, 2), "The dimension of rois tensor must be equal to 2, but got 1"),
    (lambda x: flow.roi_align(x.reshape(1, 1, 3, 4), x.reshape(3, 4), 1.0, 2, 2), "The size of rois tensor must be equal to 5"),
]


@pytest.mark.parametrize(("call", "words"), WORDS)
def test_errors_have_oneflows_words(call: Any, words: str) -> None:
    with pytest.raises(RuntimeError, match=words):
        call(flow.rand(12))


def test_names() -> None:
    utils = import_module("tritonflow._utils")
    tensors = [flow.rand(2, 2), flow.rand(3)]
    flat = utils._flatten_dense_tensors(tensors)
    assert all(map(flow.equal, utils._unflatten_dense_tensors(flat, tensors), tensors)) and flat.shape == (7,)
    assert flow.placement("cpu", [0]).device_tag == "cpu"
    assert flow._C.roi_align is flow.roi_align
