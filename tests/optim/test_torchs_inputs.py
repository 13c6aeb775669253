"""Every optimizer over the options that torch tests its own with, and over its error inputs."""

from __future__ import annotations

import re
from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow

# Of torch's `optim_db`, but SparseAdam, which refuses dense gradients, as here.
OPTIMIZERS = """
    Adadelta Adafactor Adagrad Adam Adamax AdamW ASGD LBFGS Muon NAdam RAdam RMSprop Rprop SGD
""".split()


def infos() -> dict[str, Any]:
    from torch.testing._internal.common_optimizers import optim_db  # takes 4 s: not while tests are collected

    return {info.optim_cls.__name__: info for info in optim_db}


def test_every_optimizer_is_here() -> None:
    assert set(infos()) == {*OPTIMIZERS, "SparseAdam"}


def ours(value: Any) -> Any:
    """An option as it is here: tensors as tensors, numbers in tuples as numbers."""
    if isinstance(value, (tuple, list)):
        return type(value)(v.item() if isinstance(v, torch.Tensor) else v for v in value)
    return flow.tensor(value.item()) if isinstance(value, torch.Tensor) else value


def follow(info: Any, options: dict[str, Any], rng: numpy.random.Generator) -> float:
    """The largest difference of the parameters after some steps in float64."""
    shapes = [(3, 4), (5, 2)] if info.optim_cls is torch.optim.Muon else [(3,), (3, 4), (2, 3, 4)]
    values = [rng.standard_normal(shape) for shape in shapes]
    theirs, mine = [torch.tensor(v, requires_grad=True) for v in values], [flow.tensor(v, requires_grad=True) for v in values]
    reference = info.optim_cls(theirs, **options)
    optimizer = getattr(flow.optim, info.optim_cls.__name__)(mine, **{k: ours(v) for k, v in options.items()})
    for _ in range(4):
        gradients = [rng.standard_normal(shape) for shape in shapes]
        for lib, parameters, steps in ((torch, theirs, reference), (flow, mine, optimizer)):

            def closure(lib: Any = lib, parameters: Any = parameters, gradients: Any = gradients) -> Any:
                for p, g in zip(parameters, gradients):
                    p.grad = lib.tensor(g)
                return lib.tensor(1.0)

            steps.step(closure)
    return max(float(abs(p.detach().numpy() - q.detach().numpy()).max()) for p, q in zip(theirs, mine))


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_steps(name: str, rng: numpy.random.Generator) -> None:
    info = infos()[name]
    tolerance = 0.3 if info.optim_cls is torch.optim.Muon else 1e-9  # Muon's iteration is in bfloat16
    for given in info.optim_inputs_func(device="cpu"):
        options = dict(given.kwargs)
        if not options.get("differentiable"):
            assert follow(info, options, rng) <= tolerance, options


def as_ours(value: Any, made: dict[int, Any]) -> Any:
    """The same structure with our tensors, one for each of torch's."""
    if isinstance(value, torch.Tensor):
        return made.setdefault(id(value), flow.tensor(value.detach().tolist(), requires_grad=value.requires_grad))
    if isinstance(value, dict):
        return {k: as_ours(v, made) for k, v in value.items()}
    return type(value)(as_ours(v, made) for v in value) if isinstance(value, (list, tuple)) else value


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_errors(name: str) -> None:
    info = infos()[name]
    for case in info.optim_error_inputs_func(device="cpu", dtype=torch.float32):
        given = case.optimizer_error_input
        if "complex" in given.desc:
            continue
        params = [flow.zeros(2, 2, requires_grad=True)] if given.params is None else as_ours(given.params, {})
        make = getattr(flow.optim, info.optim_cls.__name__)
        if issubclass(case.error_type, Warning):
            with pytest.warns(case.error_type, match=case.error_regex):
                make(params, **as_ours(given.kwargs, {}))
            continue
        with pytest.raises(case.error_type) as caught:
            make(params, **as_ours(given.kwargs, {}))
            raise AssertionError(f"no error: {given}")
        assert re.search(case.error_regex, str(caught.value)), (given.desc, str(caught.value), case.error_regex)
