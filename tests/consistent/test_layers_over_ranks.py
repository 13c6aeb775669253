"""Distributions, layers and averages of weights over consistent tensors: the numbers of local ones, on two simulated ranks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tests.distributions.cases import CASES
from tritonflow import nn
from tritonflow.nn.attention.flash import flash_attn_func
from tritonflow.nn.attention.flex_attention import flex_attention
from tritonflow.testing import simulate

S, B = flow.sbp.split, flow.sbp.broadcast


def on_two_ranks(function: Callable[[], Any]) -> list[Any]:
    """What a function returns on each of two simulated ranks."""
    return simulate(2)(function)()


def everywhere(x: Any) -> Any:
    """A local tensor, or a module, over both ranks."""
    return x.to_global(placement=flow.placement.all("cpu"), sbp=B)


def numbers(x: Any) -> numpy.ndarray:
    return x.detach().numpy()


@pytest.mark.parametrize("number", range(len(CASES)), ids=[name for name, _ in CASES])
def test_distributions(number: int) -> None:
    """A sample is consistent, and has the probability that it has locally; numbers beside tensors are over their placement."""
    name, parameters = CASES[number]
    tensors = {k: isinstance(v, list) for k, v in parameters.items()}

    def f() -> None:
        local = {k: flow.tensor(v, dtype=flow.float64) if tensors[k] else v for k, v in parameters.items()}
        theirs = getattr(flow.distributions, name)(**local)
        ours = getattr(flow.distributions, name)(**{k: everywhere(v) if tensors[k] else v for k, v in local.items()})
        flow.manual_seed(1)
        sample = ours.sample((2,))
        assert sample.is_global and tuple(sample.shape) == tuple(theirs.sample((2,)).shape)
        value = flow.tensor(numbers(sample))
        numpy.testing.assert_allclose(numbers(ours.log_prob(sample)), numbers(theirs.log_prob(value)), rtol=1e-6)

    on_two_ranks(f)


def test_parameters_that_are_split() -> None:
    def f() -> None:
        loc = everywhere(flow.tensor([1.0, 2.0, 3.0])).to_global(sbp=S(0))
        normal = flow.distributions.Normal(loc, 2.0)
        assert normal.rsample((2,)).is_global and normal.scale.is_global
        assert numbers(normal.cdf(loc)).tolist() == [0.5] * 3

    on_two_ranks(f)


LAYERS: dict[str, Any] = {
    "attention with added rows": (
        lambda: nn.MultiheadAttention(8, 2, add_bias_kv=True, add_zero_attn=True), lambda m, x: m(x, x, x)[0], (5, 3, 8)
    ),
    "attention with masks": (
        lambda: nn.MultiheadAttention(8, 2, add_bias_kv=True, add_zero_attn=True),
        lambda m, x: m(x, x, x, key_padding_mask=x[:, :, 0].t() > 0.5, attn_mask=x[:, 0, :5] > 0.9)[0],
        (5, 3, 8),
    ),
    "adaptive softmax": (
        lambda: nn.AdaptiveLogSoftmaxWithLoss(6, 9, [3, 6]), lambda m, x: m(x, (x[:, 0] * 9).long())[0], (4, 6)
    ),
    "a cell": (lambda: nn.GRUCell(3, 4), lambda m, x: m(x), (2, 3)),
    "packed sequences": (
        lambda: nn.GRU(2, 3),
        lambda m, x: nn.utils.rnn.pad_packed_sequence(
            m(nn.utils.rnn.pack_padded_sequence(x, [4, 2, 3], enforce_sorted=False))[0]
        )[0],
        (4, 3, 2),
    ),
    "an orthogonal weight": (lambda: nn.Linear(3, 3), lambda m, x: nn.utils.parametrizations.orthogonal(m)(x), (2, 3)),
}  # fmt: skip


@pytest.mark.parametrize("name", LAYERS)
def test_layers(name: str) -> None:
    make, call, shape = LAYERS[name]

    def f() -> None:
        flow.manual_seed(0)
        local, x = make(), flow.rand(*shape)
        ours = make()
        ours.load_state_dict(local.state_dict())
        found = call(everywhere(ours), everywhere(x))
        assert found.is_global
        numpy.testing.assert_allclose(numbers(found), numbers(call(local, x)), rtol=2e-5, atol=1e-6)

    on_two_ranks(f)


FUNCTIONS: dict[str, Any] = {
    "fft": (lambda x: flow.view_as_real(flow.fft.fft(x)), (4, 6)),
    "fft in steps": (lambda x: flow.view_as_real(flow.fft.rfft(x)), (2, 128)),
    "fft of a prime length": (lambda x: flow.fft.irfft(flow.fft.rfft(x), n=163), (2, 163)),
    "stft": (lambda x: flow.view_as_real(flow.stft(x, 16, return_complex=True)), (64,)),
    "inverse and vectors of complex matrices": (
        lambda x: flow.view_as_real(flow.linalg.inv(x + 1j * x.mT) @ flow.linalg.eigh(x + 1j * x.mT)[1].abs().to(flow.complex64)),
        (4, 3, 3),
    ),
    "deform_conv2d": (lambda x: nn.functional.deform_conv2d(x[:1], x[:, :, :3, :3].reshape(1, 8, 3, 3), x[:1, :, :2, :2]), (8, 1, 4, 4)),
    "flex_attention": (
        lambda x: flex_attention(x, x, x, score_mod=lambda score, b, h, q, k: score + q - k), (1, 2, 16, 8)
    ),
    "flash attention": (
        lambda x: flash_attn_func(x, x[:, :, :2], x[:, :, :2], causal=True, window_size=(3, 0), softcap=2.0, alibi_slopes=x[0, 0, :, 0]),
        (2, 9, 4, 8),
    ),
    "heads of flash attention": (
        lambda x: flash_attn_func(*[x.transpose(0, 2)] * 3, causal=True, sinks=x[:, 0, 0, 0]), (4, 9, 2, 8)
    ),
    "parameters_to_vector": (lambda x: nn.utils.parameters_to_vector([x, x[0]]), (2, 3)),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name: str) -> None:
    call, shape = FUNCTIONS[name]

    def f() -> None:
        flow.manual_seed(0)
        x = flow.rand(*shape)
        expected = numbers(call(x))
        for sbp in (B, S(0)):
            found = call(everywhere(x).to_global(sbp=sbp))
            assert found.is_global
            numpy.testing.assert_allclose(numbers(found), expected, rtol=2e-5, atol=2e-5)

    on_two_ranks(f)


@pytest.mark.parametrize("options", [{}, {"use_buffers": True}, {"decay": 0.5}])
def test_averaged_models(options: dict[str, Any]) -> None:
    def f() -> None:
        given = dict(options)
        if "decay" in given:
            given["multi_avg_fn"] = flow.optim.swa_utils.get_ema_multi_avg_fn(given.pop("decay"))
        found = []
        for put in (lambda x: x, everywhere):
            model = put(nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2)))
            averaged = flow.optim.swa_utils.AveragedModel(model, **given)
            for value in (1.0, 2.0, 6.0):
                for x in (*model.parameters(), model[1].running_mean):
                    nn.init.constant_(x, value)
                averaged.update_parameters(model)
            flow.optim.swa_utils.update_bn([put(flow.ones(4, 2))], averaged)
            found.append([numbers(x).tolist() for x in averaged.state_dict().values()])
        assert found[0] == found[1]

    on_two_ranks(f)
