"""autograd.functional against torch's, in float64."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow

X, Y = numpy.array([0.5, -1.5, 2.0]), numpy.array([[1.0, 2.0, 3.0], [0.1, -0.2, 0.3]])
ONE: list[tuple[Any, tuple[Any, ...]]] = [
    (lambda x: x.exp() * x.sum(), (X,)),
    (lambda x: (x * x).sum(), (X,)),
    (lambda x, y: (y @ x, x.sum()), (X, Y)),
    (lambda x, y: x.sin(), (X, Y)),  # independent of y
    (lambda x: x * 2, (numpy.array(3.0),)),
]
NUMBERS: list[tuple[Any, tuple[Any, ...]]] = [
    (lambda x: (x**3).sum(), (X,)),
    (lambda x, y: (y @ x).exp().sum(), (X, Y * 0.1)),
    (lambda x, y: (x * x).sum() + y.sum(), (X, Y)),
]


def plain(value: Any) -> Any:
    return tuple(plain(v) for v in value) if isinstance(value, tuple) else value.detach().numpy()


def same(a: Any, b: Any) -> None:
    if isinstance(a, tuple):
        assert isinstance(b, tuple) and len(a) == len(b)
        for x, y in zip(a, b):
            same(x, y)
        return
    assert a.shape == b.shape
    numpy.testing.assert_allclose(b, a, rtol=1e-10, atol=1e-12)


def both(name: str, function: Any, values: Any, vectors: Any = None, **options: Any) -> None:
    found = []
    for lib in (torch, flow):
        inputs = tuple(lib.tensor(v, dtype=lib.float64) for v in values)
        extra = () if vectors is None else (tuple(lib.tensor(v, dtype=lib.float64) for v in vectors),)
        inputs, extra = (inputs, extra) if len(inputs) > 1 else (inputs[0], tuple(e[0] if len(e) == 1 else e for e in extra))
        found.append(plain(getattr(lib.autograd.functional, name)(function, inputs, *extra, **options)))
    same(*found)


@pytest.mark.parametrize("strategy", ["reverse-mode", "forward-mode"])
@pytest.mark.parametrize("case", range(len(ONE)))
def test_jacobian(case: int, strategy: str) -> None:
    function, values = ONE[case]
    expected = torch.autograd.functional.jacobian(function, tuple(torch.tensor(v, dtype=torch.float64) for v in values))
    inputs = tuple(flow.tensor(v, dtype=flow.float64) for v in values)
    same(plain(expected), plain(flow.autograd.functional.jacobian(function, inputs, strategy=strategy)))


@pytest.mark.parametrize("strategy", ["reverse-mode", "forward-mode"])
def test_jacobian_of_nothing(strategy: str) -> None:
    found = flow.autograd.functional.jacobian(lambda x: (x * x, x.sum()), flow.zeros(0), strategy=strategy)
    assert [tuple(j.shape) for j in found] == [(0, 0), (0,)]


@pytest.mark.parametrize("name", ["hessian", "vhp", "hvp"])
@pytest.mark.parametrize("case", range(len(NUMBERS)))
def test_second_derivatives(case: int, name: str, rng: numpy.random.Generator) -> None:
    function, values = NUMBERS[case]
    both(name, function, values, None if name == "hessian" else [rng.standard_normal(v.shape) for v in values])


@pytest.mark.parametrize("case", range(len(ONE)))
def test_products(case: int, rng: numpy.random.Generator) -> None:
    function, values = ONE[case]
    both("jvp", function, values, [rng.standard_normal(v.shape) for v in values])
    result = function(*[torch.tensor(v, dtype=torch.float64) for v in values])
    results = result if isinstance(result, tuple) else (result,)
    vectors = tuple(rng.standard_normal(tuple(r.shape)) for r in results)
    found = []
    for lib in (torch, flow):
        given = tuple(lib.tensor(v, dtype=lib.float64) for v in vectors)
        inputs = tuple(lib.tensor(v, dtype=lib.float64) for v in values)
        v = given if isinstance(result, tuple) else given[0]
        found.append(plain(lib.autograd.functional.vjp(function, inputs, v)))
    same(*found)


def test_a_jacobian_can_be_differentiated() -> None:
    found = []
    for lib in (torch, flow):
        x = lib.tensor(X, dtype=lib.float64, requires_grad=True)
        lib.autograd.functional.jacobian(lambda x: x**3, x, create_graph=True).sum().backward()
        found.append(x.grad.numpy())
    same(*found)


@pytest.mark.parametrize(
    ("name", "function", "options"),
    [
        ("vjp", lambda x: x * x, {}),
        ("jvp", lambda x: x.detach(), {"v": "x", "strict": True}),
        ("hessian", lambda x: x * x, {}),
        ("hessian", lambda x: x.sum(), {"strict": True}),
        ("vjp", lambda x: x.sum(), {"v": "xx"}),
        ("jacobian", lambda x: (x, 3), {}),
        ("vhp", lambda x: x * x, {"v": "x"}),
    ],
)
def test_errors_are_torchs(name: str, function: Any, options: dict[str, Any]) -> None:
    kinds = []
    for lib in (torch, flow):
        x = lib.tensor(X)
        given = {**options, **({"v": {"x": x, "xx": lib.ones(4, dtype=lib.float64)}[options["v"]]} if "v" in options else {})}
        with pytest.raises((RuntimeError, TypeError)) as caught:
            getattr(lib.autograd.functional, name)(function, x, **given)
        kinds.append((isinstance(caught.value, TypeError), str(caught.value)[:25]))
    assert kinds[0] == kinds[1]
