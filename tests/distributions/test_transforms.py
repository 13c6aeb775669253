"""Transforms and constraints are torch's: values, inverses, determinants, shapes."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import tritonflow as flow
from tests.distributions.cases import close

X = [[0.3, -1.2, 0.7], [2.0, 0.1, -0.4]]
CASES = {
    "exp": lambda d, t: d.ExpTransform(),
    "sigmoid": lambda d, t: d.SigmoidTransform(),
    "softplus": lambda d, t: d.SoftplusTransform(),
    "tanh": lambda d, t: d.TanhTransform(),
    "affine": lambda d, t: d.AffineTransform(1.0, t([2.0, -3.0, 0.5])),
    "affine of events": lambda d, t: d.AffineTransform(1.0, t([2.0, -3.0, 0.5]), event_dim=1),
    "affine of numbers": lambda d, t: d.AffineTransform(1.0, -3.0),
    "power": lambda d, t: d.ComposeTransform([d.ExpTransform(), d.PowerTransform(t([2.0, 0.5, -1.0]))]),
    "compose": lambda d, t: d.ComposeTransform([d.AffineTransform(0.0, 2.0), d.StickBreakingTransform()]),
    "independent": lambda d, t: d.IndependentTransform(d.ExpTransform(), 1),
    "reshape": lambda d, t: d.ReshapeTransform((3,), (3, 1)),
    "stick breaking": lambda d, t: d.StickBreakingTransform(),
    "correlations": lambda d, t: d.CorrCholeskyTransform(),
    "cat": lambda d, t: d.CatTransform([d.ExpTransform(), d.TanhTransform()], dim=1, lengths=[2, 1]),
    "stack": lambda d, t: d.StackTransform([d.ExpTransform(), d.AffineTransform(0.0, 2.0)], dim=0),
    "cdf": lambda d, t: d.CumulativeDistributionTransform(d.Normal(t(0.5), t(2.0))),
    "inverse": lambda d, t: d.SigmoidTransform().inv.inv,
}


@pytest.mark.parametrize("name", CASES)
def test_transform(name: str) -> None:
    ours = CASES[name](flow.distributions, lambda v: flow.tensor(v, dtype=flow.float64))
    theirs = CASES[name](torch.distributions, lambda v: torch.tensor(v, dtype=torch.float64))
    x = flow.tensor(X, dtype=flow.float64, requires_grad=True)
    torch_x = torch.tensor(X, dtype=torch.float64, requires_grad=True)
    y, torch_y = ours(x), theirs(torch_x)
    close(y, torch_y.detach(), rtol=1e-10, atol=1e-10)
    close(ours.inv(y), torch_x.detach(), rtol=1e-7, atol=1e-7)
    slope, torch_slope = ours.log_abs_det_jacobian(x, y), theirs.log_abs_det_jacobian(torch_x, torch_y)
    close(slope, torch_slope.detach(), rtol=1e-9, atol=1e-9)
    assert tuple(ours.forward_shape((2, 3))) == tuple(theirs.forward_shape((2, 3)))
    assert ours.bijective == theirs.bijective
    (found,), (expected,) = flow.autograd.grad((y * y).sum(), [x]), torch.autograd.grad((torch_y**2).sum(), [torch_x])
    close(found, expected, rtol=1e-8, atol=1e-8)


def test_not_bijective() -> None:
    d, x = flow.distributions, flow.tensor([[1.0, -2.0], [3.0, 4.0]])
    assert d.AbsTransform()(x).tolist() == [[1.0, 2.0], [3.0, 4.0]]
    close(d.SoftmaxTransform()(x).sum(-1), flow.ones(2))
    y = d.LowerCholeskyTransform()(x)
    assert bool(d.constraints.lower_cholesky.check(y))
    close(d.LowerCholeskyTransform().inv(y), x.tril())


def test_caches_and_equality() -> None:
    d, x = flow.distributions, flow.tensor([1.0])
    t = d.ExpTransform(cache_size=1)
    assert t.inv(t(x)) is x and t.with_cache(0) is not t
    assert d.ExpTransform() == d.ExpTransform() and d.ExpTransform() != d.TanhTransform()
    assert d.AffineTransform(0.0, flow.ones(2)) == d.AffineTransform(0.0, 1.0) != d.AffineTransform(0.0, 2.0)
    for wrong in (lambda: d.ExpTransform(cache_size=2), lambda: d.ReshapeTransform((2,), (3,))):
        with pytest.raises(ValueError):
            wrong()


CONSTRAINTS = {
    "boolean": [0.0, 0.5, 1.0], "nonnegative_integer": [-1.0, 0.0, 1.5], "positive_integer": [0.0, 1.0, 2.5],
    "real": [0.0, float("nan"), float("inf")], "positive": [-1.0, 0.0, 1.0], "nonnegative": [-1.0, 0.0, 1.0],
    "unit_interval": [-0.1, 0.0, 1.1], "simplex": [[0.5, 0.5], [0.5, 0.6], [-0.5, 1.5]], "one_hot": [[0.0, 1.0], [1.0, 1.0], [0.0, 0.5]],
    "real_vector": [[0.0, float("nan")], [1.0, 2.0]], "lower_triangular": [[1.0, 0.0], [2.0, 3.0]],
    "lower_cholesky": [[[1.0, 0.0], [2.0, -3.0]], [[1.0, 0.0], [2.0, 3.0]]], "symmetric": [[[1.0, 2.0], [2.0, 3.0]], [[1.0, 2.0], [0.0, 3.0]]],
    "corr_cholesky": [[[1.0, 0.0], [0.6, 0.8]], [[1.0, 0.0], [0.5, 0.5]]], "square": [[1.0, 2.0]],
}  # fmt: skip


@pytest.mark.parametrize("name", CONSTRAINTS)
def test_constraint(name: str) -> None:
    ours, theirs = getattr(flow.distributions.constraints, name), getattr(torch.distributions.constraints, name)
    assert ours.check(flow.tensor(CONSTRAINTS[name])).tolist() == theirs.check(torch.tensor(CONSTRAINTS[name])).tolist()
    assert (repr(ours), ours.is_discrete, ours.event_dim) == (repr(theirs), theirs.is_discrete, theirs.event_dim)


def _regions(c: Any) -> list[Any]:
    return [
        c.real, c.positive, c.nonnegative, c.greater_than(2.0), c.greater_than_eq(2.0), c.less_than(-1.0), c.unit_interval,
        c.interval(-1.0, 3.0), c.half_open_interval(1.0, 2.0), c.simplex, c.real_vector, c.corr_cholesky,
        c.stack([c.positive, c.real], 0), c.cat([c.positive, c.real], 0),
    ]  # fmt: skip


@pytest.mark.parametrize("number", range(14))
def test_registries(number: int) -> None:
    for registry in ("biject_to", "transform_to"):
        region = _regions(flow.distributions.constraints)[number]
        y = getattr(flow.distributions, registry)(region)(flow.tensor(X))
        assert bool(region.check(y).all())
        expected = getattr(torch.distributions, registry)(_regions(torch.distributions.constraints)[number])(torch.tensor(X))
        close(y, expected, rtol=1e-5, atol=1e-6)
