"""Optimizers over complex parameters, whose parts are elements of their own, against torch.optim."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow
from tests.optim.test_optimizers import KINDS

SHAPES = [(5,), (2, 3), ()]


def pairs(rng: numpy.random.Generator) -> tuple[list[Any], list[Any]]:
    """Complex parameters, one of which is not contiguous, and a real one; of both packages."""
    values = [rng.standard_normal(s) + 1j * rng.standard_normal(s) for s in SHAPES] + [rng.standard_normal(4)]
    ours, theirs = ([package.tensor(v, requires_grad=True) for v in values] for package in (flow, torch))
    ours[1], theirs[1] = (
        package.tensor(values[1].T.copy()).t().requires_grad_() for package in (flow, torch)
    )
    return ours, theirs


def loss(parameters: list[Any]) -> Any:
    return sum((p.abs() ** 4).sum() + (p * p).real.sum() if p.is_complex() else (p**4).sum() for p in parameters)


def steps(optimizer: Any, parameters: list[Any], count: int = 4) -> None:
    for _ in range(count):
        optimizer.zero_grad()
        loss(parameters).backward()
        optimizer.step()


def agree(ours: list[Any], theirs: list[Any]) -> None:
    for mine, right in zip(ours, theirs):
        numpy.testing.assert_allclose(mine.detach().numpy(), right.detach().numpy(), rtol=1e-9)


@pytest.mark.parametrize(("kind", "options"), KINDS)
def test_trajectory_and_state(rng: numpy.random.Generator, kind: str, options: dict[str, Any]) -> None:
    ours, theirs = pairs(rng)
    mine, right = (getattr(p.optim, kind)(x, **{**options, "lr": 0.02}) for p, x in ((flow, ours), (torch, theirs)))
    steps(mine, ours)
    steps(right, theirs)
    agree(ours, theirs)
    for number, expected in right.state_dict()["state"].items():
        found = mine.state_dict()["state"][number]
        for name, value in expected.items():
            if isinstance(value, torch.Tensor) and value.ndim:
                numpy.testing.assert_allclose(found[name].numpy(), value.numpy(), rtol=1e-9, err_msg=name)


@pytest.mark.parametrize("kind", ["Adam", "Adagrad"])
def test_a_loaded_state_goes_on(rng: numpy.random.Generator, kind: str) -> None:
    ours, theirs = pairs(rng)
    right = getattr(torch.optim, kind)(theirs, lr=0.02)
    steps(right, theirs, 2)
    with flow.no_grad():
        for mine, value in zip(ours, theirs):
            mine.copy_(flow.tensor(value.detach().numpy()))
    mine = getattr(flow.optim, kind)(ours, lr=0.02)
    mine.load_state_dict(right.state_dict())
    steps(mine, ours, 2)
    steps(right, theirs, 2)
    agree(ours, theirs)


@pytest.mark.parametrize("search", [None, "strong_wolfe"])
def test_lbfgs(rng: numpy.random.Generator, search: str | None) -> None:
    ours, theirs = (found[::2] for found in pairs(rng))  # torch refuses gradients that are not contiguous
    for package, parameters in ((flow, ours), (torch, theirs)):
        optimizer = package.optim.LBFGS(parameters, lr=0.1, max_iter=5, line_search_fn=search)

        def closure(optimizer: Any = optimizer, parameters: Any = parameters) -> Any:
            optimizer.zero_grad()
            value = loss(parameters)
            value.backward()
            return value

        for _ in range(2):
            optimizer.step(closure)
    agree(ours, theirs)


def test_lamb_is_that_of_the_parts(rng: numpy.random.Generator) -> None:
    """And of a parameter that is not contiguous."""
    value = rng.standard_normal((2, 3)) + 1j * rng.standard_normal((2, 3))
    z = flow.tensor(value.T.copy()).t().requires_grad_()
    parts = flow.view_as_real(flow.tensor(value)).clone().requires_grad_()
    for p, objective in ((z, lambda: (z.abs() ** 4).sum()), (parts, lambda: ((parts * parts).sum(-1) ** 2).sum())):
        optimizer = flow.optim.LAMB([p], lr=0.02, weight_decay=0.1)
        for _ in range(3):
            optimizer.zero_grad()
            objective().backward()
            optimizer.step()
    numpy.testing.assert_allclose(flow.view_as_real(z.detach()).numpy(), parts.detach().numpy(), rtol=1e-6)
    assert not numpy.allclose(z.detach().numpy(), value)


def test_a_compiled_step(rng: numpy.random.Generator) -> None:
    ours, theirs = pairs(rng)
    mine, right = flow.optim.AdamW(ours, lr=0.02, amsgrad=True), torch.optim.AdamW(theirs, lr=0.02, amsgrad=True)

    @flow.compile
    def step() -> Any:
        mine.zero_grad()
        value = loss(ours)
        value.backward()
        mine.step()
        return value

    for _ in range(3):
        step()
    steps(right, theirs, 3)
    agree(ours, theirs)


@pytest.mark.parametrize("order", [2.0, 1.0, 0.0, float("inf"), 3.0])
def test_clipping_by_norm(rng: numpy.random.Generator, order: float) -> None:
    ours, theirs = pairs(rng)
    norms = []
    for package, parameters in ((flow, ours), (torch, theirs)):
        loss(parameters).backward()
        norms.append(package.nn.utils.clip_grad_norm_(parameters, 0.5, order))
    assert not norms[0].is_complex()
    agree([norms[0], *[p.grad for p in ours]], [norms[1], *[p.grad for p in theirs]])


def test_what_has_no_meaning_for_complex_numbers_is_refused() -> None:
    z = flow.ones(2, 2, dtype=flow.complex64, requires_grad=True)
    z.grad = flow.ones(2, 2, dtype=flow.complex64)
    for kind in ("Adafactor", "Muon"):
        with pytest.raises(RuntimeError, match=f"{kind} does not support complex parameters"):
            getattr(flow.optim, kind)([z]).step()
    with pytest.raises(NotImplementedError, match="complex"):
        flow.nn.utils.clip_grad_value_([z], 0.5)
    assert z.grad.tolist() == [[1, 1], [1, 1]]
