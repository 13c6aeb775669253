"""Transforms of parts of a tensor: one after another, or stacked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow import _C
from tritonflow.distributions import constraints
from tritonflow.distributions.transform import Transform
from tritonflow.distributions.utils import sum_rightmost
from tritonflow.framework.tensor import Tensor


class _PartsTransform(Transform):
    """The base of transforms of parts of a tensor along a dimension."""

    transforms: list[Any]
    dim: int

    def _check_parts(self, tseq: Sequence[Any]) -> None:
        assert all(isinstance(t, Transform) for t in tseq)
        self.transforms = [t.with_cache(self._cache_size) if self._cache_size else t for t in tseq]

    def _parts(self, x: Tensor) -> list[Tensor]:
        raise NotImplementedError

    @property
    def bijective(self) -> bool:  # type: ignore[override]
        return all(t.bijective for t in self.transforms)


class CatTransform(_PartsTransform):
    """Transforms of parts of given lengths along a dimension.

    Args:
        tseq: the transforms.
        dim: the dimension.
        lengths: the length of each part, 1 unless given.
        cache_size: of each transform.
    """

    def __init__(self, tseq: Sequence[Any], dim: int = 0, lengths: Sequence[int] | None = None, cache_size: int = 0) -> None:
        super().__init__(cache_size=cache_size)
        self._check_parts(tseq)
        self.lengths = [1] * len(self.transforms) if lengths is None else list(lengths)
        assert len(self.lengths) == len(self.transforms)
        self.dim = dim

    @property
    def event_dim(self) -> int:
        return max(t.event_dim for t in self.transforms)

    @property
    def length(self) -> int:
        """How long the dimension is."""
        return sum(self.lengths)

    def with_cache(self, cache_size: int = 1) -> Any:
        if self._cache_size == cache_size:
            return self
        return CatTransform(self.transforms, self.dim, self.lengths, cache_size)

    def _parts(self, x: Tensor) -> list[Tensor]:
        assert -x.ndim <= self.dim < x.ndim and x.shape[self.dim] == self.length
        starts = [sum(self.lengths[:i]) for i in range(len(self.lengths))]
        return [x.narrow(self.dim, start, length) for start, length in zip(starts, self.lengths)]

    def _call(self, x: Tensor) -> Tensor:
        return _C.cat([t(part) for t, part in zip(self.transforms, self._parts(x))], self.dim)

    def _inverse(self, y: Tensor) -> Tensor:
        return _C.cat([t.inv(part) for t, part in zip(self.transforms, self._parts(y))], self.dim)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        slopes = []
        for transform, a, b in zip(self.transforms, self._parts(x), self._parts(y)):
            slope = transform.log_abs_det_jacobian(a, b)
            slopes.append(sum_rightmost(slope, self.event_dim - transform.event_dim))
        dim = self.dim - x.ndim if self.dim >= 0 else self.dim
        dim += self.event_dim
        if dim < 0:
            return _C.cat(slopes, dim)
        total = slopes[0]
        for slope in slopes[1:]:
            total = total + slope
        return total

    @constraints.dependent_property
    def domain(self) -> Any:  # type: ignore[override]
        return constraints.cat([t.domain for t in self.transforms], self.dim, self.lengths)

    @constraints.dependent_property
    def codomain(self) -> Any:  # type: ignore[override]
        return constraints.cat([t.codomain for t in self.transforms], self.dim, self.lengths)


class StackTransform(_PartsTransform):
    """Transforms of the slices along a dimension.

    Args:
        tseq: the transforms.
        dim: the dimension.
        cache_size: of each transform.
    """

    def __init__(self, tseq: Sequence[Any], dim: int = 0, cache_size: int = 0) -> None:
        super().__init__(cache_size=cache_size)
        self._check_parts(tseq)
        self.dim = dim

    def with_cache(self, cache_size: int = 1) -> Any:
        return self if self._cache_size == cache_size else StackTransform(self.transforms, self.dim, cache_size)

    def _parts(self, x: Tensor) -> list[Tensor]:
        assert -x.ndim <= self.dim < x.ndim and x.shape[self.dim] == len(self.transforms)
        return [x.select(self.dim, i) for i in range(x.shape[self.dim])]

    def _call(self, x: Tensor) -> Tensor:
        return _C.stack([t(part) for t, part in zip(self.transforms, self._parts(x))], self.dim)

    def _inverse(self, y: Tensor) -> Tensor:
        return _C.stack([t.inv(part) for t, part in zip(self.transforms, self._parts(y))], self.dim)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        parts = zip(self.transforms, self._parts(x), self._parts(y))
        return _C.stack([t.log_abs_det_jacobian(a, b) for t, a, b in parts], self.dim)

    @constraints.dependent_property
    def domain(self) -> Any:  # type: ignore[override]
        return constraints.stack([t.domain for t in self.transforms], self.dim)

    @constraints.dependent_property
    def codomain(self) -> Any:  # type: ignore[override]
        return constraints.stack([t.codomain for t in self.transforms], self.dim)
