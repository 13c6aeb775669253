"""optim.swa_utils against torch's."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow


def models(lib: Any) -> Any:
    net = lib.nn.Sequential(lib.nn.Linear(2, 3), lib.nn.BatchNorm1d(3))
    return net


def averages(lib: Any, values: list[Any], **options: Any) -> dict[str, Any]:
    """The state of an averaged model after updates by a model of these states."""
    make = options.pop("make", lambda utils: {})
    net = models(lib)
    averaged = lib.optim.swa_utils.AveragedModel(net, **make(lib.optim.swa_utils), **options)
    for state in values:
        net.load_state_dict({k: lib.tensor(v) for k, v in state.items()})
        averaged.update_parameters(net)
    return {k: v.numpy() for k, v in averaged.state_dict().items()}


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"use_buffers": True},
        {"make": lambda utils: {"avg_fn": utils.get_ema_avg_fn(0.7)}},
        {"make": lambda utils: {"multi_avg_fn": utils.get_ema_multi_avg_fn(0.7)}, "use_buffers": True},
        {"make": lambda utils: {"multi_avg_fn": utils.get_swa_multi_avg_fn()}},
    ],
)
def test_averages(rng: numpy.random.Generator, options: dict[str, Any]) -> None:
    state = {k: v.numpy() for k, v in models(torch).state_dict().items()}
    values = [{k: numpy.asarray(rng.uniform(1, 5, v.shape), v.dtype) for k, v in state.items()} for _ in range(3)]
    expected, found = averages(torch, values, **options), averages(flow, values, **options)
    assert expected.keys() == found.keys()
    for name, value in expected.items():
        numpy.testing.assert_allclose(found[name], value, rtol=1e-6)


@pytest.mark.parametrize("decay", [0.3, 0.999, 1.0])
@pytest.mark.parametrize("average", ["ema", "swa"])
def test_averages_of_lists_round_once(rng: numpy.random.Generator, average: str, decay: float) -> None:
    """In bfloat16 the bits of torch's, which computes lerp."""
    starts, steps = (rng.standard_normal((4, 40)).astype("f") for _ in range(2))
    found = []
    for lib in (torch, flow):
        utils = lib.optim.swa_utils
        update = utils.get_ema_multi_avg_fn(decay) if average == "ema" else utils.get_swa_multi_avg_fn()
        means, current = ([lib.tensor(row).to(lib.bfloat16) for row in rows] for rows in (starts, steps))
        update(means, current, lib.tensor(2))
        found.append([mean.float().tolist() for mean in means])
    assert found[0] == found[1]


def test_another_model_is_refused() -> None:
    averaged = flow.optim.swa_utils.AveragedModel(models(flow))
    with pytest.raises(ValueError, match="shorter"):
        averaged.update_parameters(flow.nn.Sequential(flow.nn.Linear(2, 3)))
    with pytest.raises(ValueError, match="shorter"):
        flow.optim.swa_utils.get_swa_multi_avg_fn()([flow.ones(2)], [], 1)


def test_update_bn(rng: numpy.random.Generator) -> None:
    batches = [rng.standard_normal((4, 2)).astype("f") for _ in range(3)]
    found = []
    state = models(torch).state_dict()
    for lib in (torch, flow):
        net = models(lib)
        net.load_state_dict({k: lib.tensor(v.numpy()) for k, v in state.items()})
        net.eval()
        lib.optim.swa_utils.update_bn([(lib.tensor(b), 0) for b in batches], net)
        assert not net.training and net[1].momentum == 0.1
        found.append([net[1].running_mean.numpy(), net[1].running_var.numpy(), net[1].num_batches_tracked.item()])
    for a, b in zip(*found):
        numpy.testing.assert_allclose(b, a, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(("epochs", "strategy"), [(3, "cos"), (4, "linear"), (0, "linear")])
def test_swalr(epochs: int, strategy: str) -> None:
    found = []
    for lib in (torch, flow):
        groups = [{"params": [lib.zeros(1, requires_grad=True)]}, {"params": [lib.zeros(1, requires_grad=True)], "lr": 0.2}]
        optimizer = lib.optim.SGD(groups, lr=1.0)
        decay = lib.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)
        scheduler = lib.optim.swa_utils.SWALR(optimizer, [0.05, 0.5], epochs, strategy)
        lrs = [scheduler.get_last_lr()]
        for step in range(6):
            optimizer.step()
            scheduler.step()
            if step == 2:
                decay.step()
            lrs.append([group["lr"] for group in optimizer.param_groups])
        found.append(lrs)
    numpy.testing.assert_allclose(found[1], found[0], rtol=1e-12)


def test_errors() -> None:
    utils = flow.optim.swa_utils
    with pytest.raises(ValueError, match="Invalid decay value 2.0"):
        utils.get_ema_avg_fn(2.0)
    optimizer = flow.optim.SGD([flow.zeros(1, requires_grad=True)], lr=1.0)
    with pytest.raises(ValueError, match="anneal_strategy must be one of"):
        utils.SWALR(optimizer, 0.1, anneal_strategy="x")
