"""JAX's function of an op's name, where it has one that takes the same arguments."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import torch

from tritonflow.bench.case import Timed
from tritonflow.bench.libraries import mapped


def timed_in_jax(name: str, arguments: tuple[Any, ...], direction: str) -> Timed | None:
    """The op by jax.jit, of the same numbers; None where JAX has no function of this name, or it does not take these arguments."""
    jax: Any = importlib.import_module("jax")  # no requirement of this package
    function = _function(jax, name)
    if function is None:
        return None
    at = [k for k, x in enumerate(arguments) if isinstance(x, torch.Tensor)]

    def of_arrays(*arrays: Any) -> Any:
        chosen = dict(zip(at, arrays))
        return function(*[chosen.get(k, x) for k, x in enumerate(arguments)])

    try:
        return _timed(jax, of_arrays, [jax.numpy.asarray(arguments[k].numpy()) for k in at], direction)
    except (TypeError, ValueError, NotImplementedError):  # other arguments than torch's
        return None


def _timed(jax: Any, function: Callable[..., Any], arrays: list[Any], direction: str) -> Timed | None:
    compiled = jax.jit(function)
    if direction == "backward":
        floating = [k for k, x in enumerate(arrays) if jax.numpy.issubdtype(x.dtype, jax.numpy.floating)]
        if not floating:
            return None
        compiled = jax.jit(jax.grad(lambda *xs: function(*xs).sum(), argnums=tuple(floating)))
    jax.block_until_ready(compiled(*arrays))  # an error of other arguments is raised here
    return Timed(lambda: jax.block_until_ready(compiled(*arrays)))


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
