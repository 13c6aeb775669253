"""The Kullback-Leibler divergence KL(p || q) = E_p[log p(x) - log q(x)], by the classes of p and q.

The formulas are in kl_same.py (two of one family) and kl_pairs.py (of two families).

Example:
    >>> import tritonflow as flow
    >>> d = flow.distributions
    >>> d.kl_divergence(d.Normal(0.0, 1.0), d.Normal(1.0, 1.0))
    tensor(0.5000)
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

from tritonflow import _C
from tritonflow.framework.tensor import Tensor

__all__ = ["kl_divergence", "register_kl"]

_Formula = Callable[[Any, Any], Tensor]
_KL_REGISTRY: dict[tuple[type, type], _Formula] = {}
_KL_MEMOIZE: dict[tuple[type, type], _Formula] = {}


def register_kl(type_p: type, type_q: type) -> Callable[[_Formula], _Formula]:
    """A decorator: the function computes the divergence for these two classes and those derived from them.

    Raises:
        TypeError: one is no class. It may be of others, from which distributions are derived.

    Source: https://pytorch.org/docs/stable/distributions.html#torch.distributions.kl.register_kl

    Example:
        >>> import tritonflow as flow
        >>> class Mine(flow.distributions.Normal):
        ...     pass
        >>> @flow.distributions.register_kl(Mine, Mine)
        ... def divergence(p, q):
        ...     return flow.tensor(7.0)
        >>> flow.distributions.kl_divergence(Mine(0.0, 1.0), Mine(0.0, 1.0))
        tensor(7.)
    """
    for name, given in (("type_p", type_p), ("type_q", type_q)):
        if not isinstance(given, type):
            raise TypeError(f"Expected {name} to be a Distribution subclass but got {given}")

    def register(function: _Formula) -> _Formula:
        _KL_REGISTRY[type_p, type_q] = function
        _KL_MEMOIZE.clear()
        return function

    return register


def _formula(type_p: type, type_q: type) -> _Formula | None:
    """The function of the nearest classes: as near as possible for p, then for q."""
    found = _KL_MEMOIZE.get((type_p, type_q))
    if found is not None:
        return found
    matches = [(p, q) for p, q in _KL_REGISTRY if issubclass(type_p, p) and issubclass(type_q, q)]
    if not matches:
        return None
    left = min(matches, key=lambda pq: (type_p.__mro__.index(pq[0]), type_q.__mro__.index(pq[1])))
    right = min(matches, key=lambda pq: (type_q.__mro__.index(pq[1]), type_p.__mro__.index(pq[0])))
    if _KL_REGISTRY[left] is not _KL_REGISTRY[right]:
        names = [tuple(cls.__name__ for cls in pair) for pair in (left, right)]
        warnings.warn(
            f"Ambiguous kl_divergence({type_p.__name__}, {type_q.__name__}). Please register_kl({names[0][0]}, {names[1][1]})",
            RuntimeWarning,
            stacklevel=3,
        )
    _KL_MEMOIZE[type_p, type_q] = _KL_REGISTRY[left]
    return _KL_REGISTRY[left]


def kl_divergence(p: Any, q: Any) -> Tensor:
    """KL(p || q), of the shape `batch_shape`.

    Raises:
        NotImplementedError: there is no formula for the two classes.

    Example:
        >>> import tritonflow as flow
        >>> d = flow.distributions
        >>> d.kl_divergence(d.Bernoulli(0.5), d.Bernoulli(0.5))
        tensor(0.)
    """
    formula = _formula(type(p), type(q))
    if formula is None:
        raise NotImplementedError(
            f"No KL(p || q) is implemented for p type {type(p).__name__} and q type {type(q).__name__}"
        )
    return formula(p, q)


def infinite_like(tensor: Tensor) -> Tensor:
    """The divergence of a p that has values where q has none."""
    return _C.full_like(tensor, math.inf)


def x_log_x(tensor: Tensor) -> Tensor:
    """x log(x), and 0 where x is 0."""
    return _C.xlogy(tensor, tensor)
