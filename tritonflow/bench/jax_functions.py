"""JAX's function of an op's name, where it has one that takes the same arguments."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import torch

from tritonflow.bench.case import Timed
from tritonflow.bench.libraries import gradient_numbers, mapped


def timed_in_jax(name: str, arguments: tuple[Any, ...], backward: bool, first: bool) -> Timed | None:
    """The op by jax.jit, of the same numbers; None where JAX has no function of this name, or it does not take these arguments.

    Args:
        backward: the gradients of the floating-point arguments, whose forward call is not timed.
        first: the gradient of the first of them alone.
    """
    jax: Any = importlib.import_module("jax")  # no requirement of this package
    function = _function(jax, name)
    if function is None:
        return None
    floating = [k for k, x in enumerate(arguments) if isinstance(x, torch.Tensor) and x.is_floating_point()]
    at = [k for k, x in enumerate(arguments) if isinstance(x, torch.Tensor)]
    if backward:
        at = floating[:1] if first else floating

    def of_arrays(*arrays: Any) -> Any:
        chosen = dict(zip(at, arrays))
        return function(*[chosen.get(k, given) for k, given in enumerate(others)])

    try:
        others = [jax.numpy.asarray(x.numpy()) if isinstance(x, torch.Tensor) else x for x in arguments]
        arrays = [others[k] for k in at]
        return _gradients(jax, of_arrays, arrays) if backward else _compiled(jax, of_arrays, arrays)
    except (TypeError, ValueError, NotImplementedError):  # other arguments than torch's
        return None


def _compiled(jax: Any, function: Callable[..., Any], arrays: list[Any]) -> Timed:
    compiled = jax.jit(function)
    jax.block_until_ready(compiled(*arrays))  # an error of other arguments is raised here
    return Timed(lambda: jax.block_until_ready(compiled(*arrays)))


def _gradients(jax: Any, function: Callable[..., Any], arrays: list[Any]) -> Timed | None:
    if not arrays:
        return None
    y, pull = jax.vjp(jax.jit(function), *arrays)
    return _compiled(jax, lambda pull, g: pull(g), [pull, jax.numpy.asarray(gradient_numbers(y.shape).numpy())])


def as_torch(result: Any) -> Any:
    """JAX's arrays as torch's tensors."""
    convert: Callable[[Any], Any] = torch.from_dlpack
    return mapped(convert, result)


def _function(jax: Any, name: str) -> Callable[..., Any] | None:
    for module in (jax.nn, jax.numpy, jax.scipy.special, jax.lax):
        if callable(getattr(module, name, None)):
            found: Callable[..., Any] = getattr(module, name)
            return found
    return None
