"""Derivatives of every differentiable op: float64 gradcheck and gradgradcheck, and float32 backward against torch's in float64.

The samples are those of the values' tests, the small ones; finite differences are taken along one random direction per
input (`fast_mode`), the smallest samples get the whole Jacobian.
"""

from __future__ import annotations

import sys
import warnings
from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow
from tests.op_references import reference_of
from tests.op_samples import Sample, entries, kind_of, samples_of, tested_entries, tolerance_of, with_ops
from tests.ops.allowed import (
    CONSTANT_INPUTS,
    NO_GRADCHECK,
    TIES,
    TORCH_BACKWARD_FAILS,
    TORCH_HAS_NO_DERIVATIVE,
)
from tests.ops.sides import attempt, compare, narrowed, ours, widened
from tests.sampling import by_turn
from tests.torch_release import since
from tritonflow import _C
from tritonflow.registry.schema import Entry

SMALL = 70  # elements of all inputs; more would only cost time
WHOLE = 8
ORDINARY, LONG = 2, 8  # samples of an op in the ordinary run, and in the long one; those of hours has all
# At length 0 a cosine is steep within eps alone, which differences step over. Its gradient is compared with torch's below.
# A gradient for no row of padding is no derivative.
SKIPPED = (
    "padding_idx", "special values", "outside of the domain", "longer than a block", "in terms of the storage", "length 0", "no derivative",
)  # fmt: skip


def differentiable() -> list[str]:
    """Ops with a derivative, and composite ones that torch differentiates."""
    return [entry.name for entry in tested_entries() if is_differentiable(entry)]


def is_differentiable(entry: Entry) -> bool:
    """Whether an op of the entry has a derivative, or it is made of ops, of tensors and gives tensors."""
    if entry.name.endswith("_"):
        return False  # in place only: tests/autograd/test_inplace.py
    if entry.ops:
        return any(op.derivative for op in entry.ops)
    takes_tensors = any(p.type.name.startswith("Tensor") for s in entry.signatures for p in s.parameters)
    return takes_tensors and not entry.no_derivative and entry.signatures[0].returns != "Bool"


def _samples(name: str, dtype: torch.dtype, rng: numpy.random.Generator, most: int) -> list[Sample]:
    """Samples on which the op computes something from floating inputs, spread over the kinds of samples."""
    found = []
    for sample in samples_of(entries()[name], dtype, rng, thorough=most > ORDINARY):
        tensors = [t for t in _flat(sample.args) if isinstance(t, torch.Tensor)]
        floating = [t for t in tensors if t.dtype == dtype]
        usable = floating and all(t.isfinite().all() for t in floating) and sum(t.numel() for t in tensors) <= SMALL
        if usable and sample.label not in SKIPPED and not (name in TIES and sample.label == "expanded"):
            found.append(sample)
    if len(found) <= most:
        return found
    step = len(found) / most
    return [found[int(k * step)] for k in range(most)]


def _flat(values: Any) -> list[Any]:
    flat: list[Any] = []
    for value in values:
        flat.extend(_flat(value)) if isinstance(value, (list, tuple)) else flat.append(value)
    return flat


def _rebuilt(values: Any, leaves: Any) -> Any:
    """The arguments with their differentiable tensors taken from `leaves`."""
    result = []
    for value in values:
        if isinstance(value, (list, tuple)):
            result.append(type(value)(_rebuilt(value, leaves)))
        elif isinstance(value, flow.Tensor) and value.requires_grad:
            result.append(next(leaves))
        else:
            result.append(value)
    return result


def _leaves(name: str, args: Any) -> list[Any]:
    """The floating tensors, made to require grad, but those that the op does not differentiate by."""
    constant = CONSTANT_INPUTS.get(name, ())
    names = [p.name for p in entries()[name].signatures[0].parameters]
    wanted = [a for a, n in zip(args, names) if n not in constant] if constant else args
    kinds = (flow.Tensor, torch.Tensor)
    return [t.requires_grad_() for t in _flat(wanted) if isinstance(t, kinds) and t.is_floating_point()]


def _problem(name: str, sample: Sample) -> tuple[Any, list[Any]] | None:
    """A function of the floating tensors alone, and these; None where the call fails or gives nothing differentiable."""
    args, kwargs = ours(sample.args), ours(sample.kwargs)
    leaves = _leaves(name, args)

    def function(*values: Any) -> Any:
        result = getattr(_C, name)(*_rebuilt(args, iter(values)), **kwargs)
        outputs = [result] if isinstance(result, flow.Tensor) else list(result)
        return tuple(o for o in outputs if isinstance(o, flow.Tensor) and o.is_floating_point())

    result, error = attempt(function, leaves, {})
    if error is not None or not any(o.requires_grad for o in result):
        return None
    differentiable_outputs = [number for number, o in enumerate(result) if o.requires_grad]
    if not all(numpy.isfinite(o.detach().numpy()).all() for o in result if o.dtype is not flow.bfloat16):
        return None
    return lambda *values: tuple(function(*values)[k] for k in differentiable_outputs), leaves


def _check_all(name: str, rng: numpy.random.Generator, check: Any, most: int) -> None:
    failures, checked = [], 0
    for sample in _samples(name, torch.float64, rng, most):
        problem = _problem(name, sample)
        if problem is None:
            continue
        checked += 1
        size = sum(x.numel() for x in problem[1])
        try:
            check(*problem, fast_mode=size > WHOLE, atol=1e-5, rtol=1e-4)
        except Exception as error:
            failures.append(f"{name}{sample}\n{type(error).__name__}: {error}"[:1500])
    if failures:
        pytest.fail(f"{len(failures)} of {checked} samples failed:\n" + "\n\n".join(failures[:4]), pytrace=False)
    if not checked:
        assert kind_of(entries()[name]) in ("copy_of",) or name in NO_GRADCHECK, f"no sample of {name} was differentiated"


def _names(exceptions: dict[str, str], order: int) -> list[Any]:
    """Few samples in the ordinary run, more in the long one, all in hours. Entries with ops of their own have two of three orders in
    the ordinary run; those that are put together from ops have one there, and another in the long run."""
    names = [n for n in differentiable() if n not in exceptions]
    whole = [n for n in names if n in with_ops()]
    two = [n for n in whole if order in by_turn(n, (0, 1, 2), 2)]
    others = [(n, by_turn(n, (0, 1, 2), 2)) for n in names if n not in with_ops()]
    return [
        *[pytest.param(n, ORDINARY, id=n) for n in (*two, *[n for n, orders in others if order == orders[0]])],
        *[pytest.param(n, LONG, id=f"{n}-more", marks=pytest.mark.long) for n in whole],
        *[pytest.param(n, ORDINARY, id=f"{n}-more", marks=pytest.mark.long) for n, orders in others if order == orders[1]],
        *[pytest.param(n, sys.maxsize, id=f"{n}-all", marks=pytest.mark.hours) for n in names],
    ]


@pytest.mark.parametrize(("name", "most"), _names(NO_GRADCHECK, 1))
def test_gradcheck(name: str, most: int, rng: numpy.random.Generator) -> None:
    _check_all(name, rng, flow.autograd.gradcheck, most)


@pytest.mark.parametrize(("name", "most"), _names(NO_GRADCHECK, 2))
def test_gradgradcheck(name: str, most: int, rng: numpy.random.Generator) -> None:
    _check_all(name, rng, flow.autograd.gradgradcheck, most)


def _against_torch() -> list[Any]:
    new = since("2.13", "aminmax has a derivative")
    return [
        pytest.param(*each.values, id=each.id, marks=[*each.marks, *([new] if each.values[0] == "aminmax" else [])]) for each in _names({}, 0)
    ]


@pytest.mark.parametrize(("name", "most"), _against_torch())
def test_backward_against_torch(name: str, most: int, rng: numpy.random.Generator) -> None:
    reference = reference_of(entries()[name])
    failures = []
    for sample in _samples(name, torch.float32, rng, most):
        try:
            _backward_on_both(name, reference, sample)
        except AssertionError as error:
            failures.append(str(error))
    if failures:
        pytest.fail(f"{len(failures)} samples failed:\n" + "\n\n".join(failures[:4]), pytrace=False)


def _backward_on_both(name: str, reference: Any, sample: Sample) -> None:
    args, kwargs = widened(sample.args, torch.float32), widened(sample.kwargs, torch.float32)
    theirs = _leaves(name, args)
    expected, torch_error = attempt(reference, args, kwargs)
    if torch_error is not None:
        return
    outputs = [expected] if isinstance(expected, torch.Tensor) else list(expected)
    roots = [o for o in outputs if isinstance(o, torch.Tensor) and o.requires_grad]
    if not roots:
        return
    weights = [torch.linspace(0.5, 1.5, max(o.numel(), 1))[: o.numel()].reshape(o.shape).to(o.dtype) for o in roots]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = torch.autograd.grad(roots, theirs, weights, allow_unused=True)
        except RuntimeError:
            if (name, sample.label) in TORCH_BACKWARD_FAILS or name in TORCH_HAS_NO_DERIVATIVE:
                return
            raise
    our_args, our_kwargs = ours(sample.args), ours(sample.kwargs)
    leaves = _leaves(name, our_args)
    result, error = attempt(getattr(_C, name), our_args, our_kwargs)
    assert error is None, f"{name}{sample}: {type(error).__name__}: {error}"
    results = [result] if isinstance(result, flow.Tensor) else list(result)
    tops = [o for o in results if isinstance(o, flow.Tensor) and o.requires_grad]
    context = f"backward of {name}{sample}"
    assert len(tops) == len(roots), f"{context}: {len(tops)} outputs require grad, torch's {len(roots)}"
    given = [flow.from_torch(narrowed(w, torch.float32)) for w in weights]
    grads, error = attempt(flow.autograd.grad, (tops, leaves, given), {"allow_unused": True})
    assert error is None, f"{context}: {type(error).__name__}: {error}"
    for mine, their, leaf in zip(grads, found, theirs):
        exact = narrowed(torch.zeros_like(leaf) if their is None else their, torch.float32)
        compare(flow.from_torch(torch.zeros_like(exact)) if mine is None else mine, exact, _class(name), context)


def _class(name: str) -> str:
    """Gradients take a few more roundings than results; what broadcasts is summed."""
    return {"exact": "reduction", "pointwise": "reduction", "transcendental": "reduction"}.get(
        tolerance_of(entries()[name]), tolerance_of(entries()[name])
    )


ZEROS = ((), (1,), (0, 3), tuple(range(9)))
PRODUCTS = {
    "prod": lambda module, x: module.prod(x),
    "prod of rows": lambda module, x: module.prod(x, -1, True),
    "prod of columns": lambda module, x: module.prod(x, 0),
    "cumprod": lambda module, x: module.cumprod(x, -1),
    "cumprod of columns": lambda module, x: module.cumprod(x, 0),
}


@pytest.mark.parametrize("zeros", ZEROS, ids=str)
@pytest.mark.parametrize("case", PRODUCTS)
def test_products_with_zeros_are_differentiated_again(case: str, zeros: tuple[int, ...]) -> None:
    """Up to the third derivative: a zero among the factors makes no difference."""
    values = [0.0 if k in zeros else (-1.0) ** k * (k + 1) / 4 for k in range(9)]
    found = []
    for module in (flow, torch):
        x = module.tensor(values, dtype=module.float64).reshape(3, 3).requires_grad_()
        total = (PRODUCTS[case](module, x) * 1.5).sum()
        gradients = []
        for order in range(3):
            (gradient,) = module.autograd.grad(total, x, create_graph=True)
            gradients.append(gradient.tolist())
            weights = module.tensor([k % 4 - order - 0.5 for k in range(9)], dtype=module.float64)
            total = (gradient * weights.reshape(3, 3)).sum()
        found.append(gradients)
    assert numpy.allclose(*found, rtol=1e-12, atol=1e-12)


POOLS: dict[str, tuple[tuple[int, ...], dict[str, Any]]] = {
    "max_pool1d": ((1, 2, 7), {"kernel_size": 3, "stride": 2, "padding": 1}),
    "max_pool2d": ((2, 2, 5, 6), {"kernel_size": 3, "stride": 2, "padding": 1}),
    "max_pool3d": ((1, 1, 4, 4, 4), {"kernel_size": 2}),
    "avg_pool2d": ((1, 2, 5, 6), {"kernel_size": 3, "stride": 2, "padding": 1, "count_include_pad": False}),
    "adaptive_avg_pool2d": ((1, 2, 5, 6), {"output_size": (3, 2)}),
    "adaptive_max_pool1d": ((1, 2, 7), {"output_size": 3}),
    "adaptive_max_pool2d": ((1, 2, 5, 6), {"output_size": (3, 2)}),
    "adaptive_max_pool3d": ((1, 1, 4, 5, 4), {"output_size": 2}),
    "lp_pool2d": ((1, 2, 5, 6), {"norm_type": 3, "kernel_size": 2}),
}


@pytest.mark.parametrize("layout", ["contiguous", "channels last", "compiled"])
@pytest.mark.parametrize("name", POOLS)
def test_pools_have_derivatives_of_any_order(name: str, layout: str) -> None:
    shape, options = POOLS[name]
    values = numpy.random.default_rng(0).standard_normal(shape) + 2
    found = []
    for module in (flow, torch):

        def gradients(x: Any, module: Any = module) -> list[Any]:
            result = getattr(module.nn.functional, name)(x**3, **options)
            made = []
            for order in range(4):
                weights = module.cos(module.arange(result.numel()).double() * (1.3 + order)).reshape(result.shape)
                (result,) = module.autograd.grad((result * result * weights).sum(), x, create_graph=True)
                made.append(result)
            return made

        x = module.tensor(values)
        if layout == "channels last" and len(shape) == 4:
            x = x.to(memory_format=module.channels_last)
        function = flow.compile(gradients) if layout == "compiled" and module is flow else gradients
        found.append([g.detach().numpy() for g in function(x.requires_grad_())])
    for got, expected in zip(*found):
        assert numpy.allclose(got, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", ["softmax", "log_softmax"])
def test_gradients_of_softmax_take_negative_dimensions(name: str) -> None:
    grad, x = flow.randn(2, 3, 4), flow.randn(2, 3, 4)
    for dim in range(3):
        y = getattr(flow, name)(x, dim)
        function = getattr(_C, f"{name}_grad")
        assert function(grad, y, dim - 3).equal(function(grad, y, dim))


@pytest.mark.parametrize("return_indices", [False, True])
@pytest.mark.parametrize("name", ["max_pool3d", "adaptive_max_pool3d"])
def test_max_pools_of_no_volumes(name: str, return_indices: bool) -> None:
    x = flow.zeros(0, 2, 4, 4, 4, requires_grad=True)
    found = getattr(flow.nn.functional, name)(x, 2, return_indices=return_indices)
    values = found[0] if return_indices else found
    assert not return_indices or found[1].shape == (0, 2, 2, 2, 2)
    assert values.shape == (0, 2, 2, 2, 2)
    (gradient,) = flow.autograd.grad(values.sum(), x)
    assert gradient.shape == x.shape
