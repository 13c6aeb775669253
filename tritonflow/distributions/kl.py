"""Kullback-Leibler divergences: `kl_divergence(p, q)`, and `register_kl` for more of them."""

from tritonflow.distributions import kl_covariance, kl_pairs, kl_same  # noqa: F401 (they register their formulas)
from tritonflow.distributions.divergence import _KL_MEMOIZE, _KL_REGISTRY, kl_divergence, register_kl

__all__ = ["kl_divergence", "register_kl"]

_KL_MEMOIZE, _KL_REGISTRY = _KL_MEMOIZE, _KL_REGISTRY  # programs look at them
