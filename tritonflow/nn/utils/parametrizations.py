"""Ready parametrizations: weight normalisation, spectral normalisation, orthogonal matrices."""

from __future__ import annotations

from enum import Enum
from typing import Any, TypeVar

from tritonflow import _C
from tritonflow.autograd import no_grad
from tritonflow.binding.target import beside
from tritonflow.dtypes import finfo, int32
from tritonflow.errors import ArgumentValueError, NotYetImplementedError
from tritonflow.framework.tensor import Tensor
from tritonflow.nn.modules.module import Module
from tritonflow.nn.utils import parametrize
from tritonflow.nn.utils.norms import as_matrix, default_dim, norm_except_dim, random_unit, unit, weight_of

__all__ = ["orthogonal", "spectral_norm", "weight_norm"]

M = TypeVar("M", bound=Module)


class _WeightNorm(Module):
    def __init__(self, dim: int | None = 0) -> None:
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g: Any, weight_v: Any) -> Any:
        """g v / |v|."""
        return weight_of(weight_v, weight_g, self.dim)

    def right_inverse(self, weight: Any) -> Any:
        """(|weight|, weight)"""
        return norm_except_dim(weight, 2, self.dim), weight


def weight_norm(module: M, name: str = "weight", dim: int | None = 0) -> M:
    """Let a parameter be w = g v / |v|, with a length g for each slice along `dim` and a direction v.

    The lengths are `module.parametrizations.<name>.original0`, the directions `original1`. State dicts with the older names
    `<name>_g` and `<name>_v` can be loaded.

    Args:
        module: is changed.
        name: of the parameter.
        dim: the dimension of the slices; None for one length.

    Returns:
        The module.

    Source: https://pytorch.org/docs/stable/generated/torch.nn.utils.parametrizations.weight_norm.html

    Example:
        >>> import tritonflow as flow
        >>> m = flow.nn.utils.parametrizations.weight_norm(flow.nn.Linear(2, 3))
        >>> m.parametrizations.weight.original0.shape, m.parametrizations.weight.original1.shape
        (tritonflow.Size([3, 1]), tritonflow.Size([3, 2]))
    """
    parametrize.register_parametrization(module, name, _WeightNorm(dim), unsafe=True)

    def older_names(state_dict: dict[str, Any], prefix: str, *_: Any) -> None:
        g, v = f"{prefix}{name}_g", f"{prefix}{name}_v"
        if g in state_dict and v in state_dict:
            state_dict[f"{prefix}parametrizations.{name}.original0"] = state_dict.pop(g)
            state_dict[f"{prefix}parametrizations.{name}.original1"] = state_dict.pop(v)

    module._register_load_state_dict_pre_hook(older_names)
    return module


class _SpectralNorm(Module):
    _u: Any
    _v: Any

    def __init__(self, weight: Any, n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12) -> None:
        super().__init__()
        ndim = weight.ndim
        if not -ndim <= dim < ndim:
            raise IndexError(f"Dimension out of range (expected to be in range of [-{ndim}, {ndim - 1}] but got {dim})")
        if n_power_iterations <= 0:
            raise ArgumentValueError(
                f"Expected n_power_iterations to be positive, but got n_power_iterations={n_power_iterations}"
            )
        self.dim, self.eps = dim % ndim, eps
        if ndim > 1:
            self.n_power_iterations = n_power_iterations
            matrix = as_matrix(weight, self.dim)
            self.register_buffer("_u", random_unit(matrix, matrix.shape[0], eps))
            self.register_buffer("_v", random_unit(matrix, matrix.shape[1], eps))
            self._power_method(matrix, 15)

    def _power_method(self, matrix: Any, count: int) -> None:
        """Move u and v, in place, towards the singular vectors of the largest singular value."""
        with no_grad():
            for _ in range(count):
                self._u.copy_(unit(matrix.mv(self._v), self.eps))
                self._v.copy_(unit(matrix.t().mv(self._u), self.eps))

    def forward(self, weight: Any) -> Any:
        """The weight divided by its largest singular value."""
        if weight.ndim == 1:
            return unit(weight, self.eps)
        matrix = as_matrix(weight, self.dim)
        if self.training:
            self._power_method(matrix, self.n_power_iterations)
        u, v = self._u.clone(), self._v.clone()  # the next call writes them, and backward needs these
        return weight / u.dot(matrix.mv(v))

    def right_inverse(self, value: Any) -> Any:
        """The value itself."""
        return value


def spectral_norm(
    module: M, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None
) -> M:
    """Let a parameter be divided by its largest singular value, which power iterations estimate in each training step.

    Args:
        module: is changed.
        name: of the parameter, taken as a matrix.
        n_power_iterations: iterations in each forward pass in training mode.
        eps: the smallest norm that is divided by.
        dim: the dimension of the outputs: 1 for transposed convolutions, else 0, unless given.

    Returns:
        The module.

    Raises:
        ValueError: there is no such parameter, or no iteration.

    Source: https://pytorch.org/docs/stable/generated/torch.nn.utils.parametrizations.spectral_norm.html

    Example:
        >>> import tritonflow as flow
        >>> m = flow.nn.utils.parametrizations.spectral_norm(flow.nn.Linear(2, 2))
        >>> m.parametrizations.weight[0]._u.shape
        tritonflow.Size([2])
    """
    weight = _tensor_of(module, name)
    dim = default_dim(module) if dim is None else dim
    parametrize.register_parametrization(module, name, _SpectralNorm(weight, n_power_iterations, dim, eps))
    return module


class _OrthogonalMap(Enum):
    matrix_exp = 1
    cayley = 2
    householder = 3


class _Orthogonal(Module):
    base: Any

    def __init__(self, weight: Any, orthogonal_map: _OrthogonalMap, use_trivialization: bool = True) -> None:
        super().__init__()
        self.shape = weight.shape
        self.orthogonal_map = orthogonal_map
        if use_trivialization:
            self.register_buffer("base", None)

    def forward(self, X: Any) -> Any:
        """An orthogonal matrix, or one with orthonormal rows or columns, from any matrix."""
        transposed = X.shape[-2] < X.shape[-1]
        X = X.transpose(-2, -1) if transposed else X
        n, k = X.shape[-2], X.shape[-1]
        if self.orthogonal_map is _OrthogonalMap.householder:
            lower = X.tril(-1)
            tau = 2.0 / (1.0 + (lower * lower).sum(-2))
            Q = _C.linalg_householder_product(lower, tau) * _diagonal(X).detach().to(int32).unsqueeze(-2)
        else:
            lower = X.tril()
            if n != k:
                lower = _C.cat([lower, lower.new_zeros((*lower.shape[:-1], n - k))], -1)
            Q = _exponential(lower - lower.transpose(-2, -1), self.orthogonal_map)[..., :k]
        if hasattr(self, "base"):
            Q = self.base @ Q
        return Q.transpose(-2, -1) if transposed else Q

    def right_inverse(self, Q: Any) -> Any:
        """What `forward` gives `Q` for. With a base it is minus the identity, and the base becomes `Q`."""
        if Q.shape != self.shape:
            raise ArgumentValueError(
                f"Expected a matrix or batch of matrices of shape {self.shape}. Got a tensor of shape {Q.shape}."
            )
        if not hasattr(self, "base"):
            raise NotYetImplementedError(
                "It is not possible to assign to an orthogonal parametrization when use_trivialization=False."
            )
        with no_grad():
            given = Q
            Q = Q.transpose(-2, -1) if Q.shape[-2] < Q.shape[-1] else Q
            n, k = Q.shape[-2], Q.shape[-1]
            if n != k:
                Q = _C.cat([Q, Q.new_empty((*Q.shape[:-1], n - k)).normal_()], -1)
            self.base = Q.clone() if n == k and _is_orthogonal(Q) else _orthonormal(Q)
            eye = _C.eye(given.shape[-2], given.shape[-1], dtype=given.dtype, **beside(given))
            return _C.zeros_like(given) - eye


def orthogonal(
    module: M, name: str = "weight", orthogonal_map: str | None = None, *, use_trivialization: bool = True
) -> M:
    """Let a matrix be orthogonal; of a matrix that is no square, its rows or columns are orthonormal.

    Args:
        module: is changed.
        name: of the parameter, a matrix or a batch of them.
        orthogonal_map: "matrix_exp", "cayley" or "householder"; the first for squares and the last for others unless given.
        use_trivialization: multiply by a constant orthogonal matrix, so that the parameter's value is the nearest one at first.

    Returns:
        The module.

    Raises:
        ValueError: there is no such parameter, it is no matrix, or the map is unknown.

    Source: https://pytorch.org/docs/stable/generated/torch.nn.utils.parametrizations.orthogonal.html

    Example:
        >>> import tritonflow as flow
        >>> m = flow.nn.utils.parametrizations.orthogonal(flow.nn.Linear(2, 4))
        >>> flow.allclose(m.weight.t() @ m.weight, flow.eye(2), atol=1e-6)
        True
    """
    weight = _tensor_of(module, name)
    if weight.ndim < 2:
        raise ArgumentValueError(f"Expected a matrix or batch of matrices. Got a tensor of {weight.ndim} dimensions.")
    if orthogonal_map is None:
        orthogonal_map = "matrix_exp" if weight.shape[-2] == weight.shape[-1] else "householder"
    if orthogonal_map not in _OrthogonalMap.__members__:
        raise ArgumentValueError(
            f'orthogonal_map has to be one of "matrix_exp", "cayley", "householder". Got: {orthogonal_map}'
        )
    chosen = _Orthogonal(weight, _OrthogonalMap[orthogonal_map], use_trivialization)
    parametrize.register_parametrization(module, name, chosen, unsafe=True)
    return module


def _tensor_of(module: Any, name: str) -> Any:
    tensor = getattr(module, name, None)
    if not isinstance(tensor, Tensor):
        raise ArgumentValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    return tensor


def _diagonal(x: Any) -> Any:
    """The diagonal of the last two dimensions."""
    eye = _C.eye(x.shape[-2], x.shape[-1], dtype=x.dtype, **beside(x))
    return (x * eye).sum(-2)


def _exponential(A: Any, kind: _OrthogonalMap) -> Any:
    """An orthogonal matrix from a skew-symmetric one: its exponential, or (1 - A/2)^-1 (1 + A/2)."""
    if kind is _OrthogonalMap.matrix_exp:
        return _C.matrix_exp(A)
    eye = _C.eye(A.shape[-1], dtype=A.dtype, **beside(A))
    return _C.linalg_solve(eye - 0.5 * A, eye + 0.5 * A)


def _is_orthogonal(Q: Any) -> bool:
    eye = _C.eye(Q.shape[-1], dtype=Q.dtype, **beside(Q))
    return bool(
        _C.allclose(Q.transpose(-2, -1) @ Q, eye.expand(Q.shape), atol=10.0 * Q.shape[-2] * finfo(Q.dtype).eps)
    )


def _orthonormal(A: Any) -> Any:
    """The Q of A = Q R with a positive diagonal of R."""
    Q, R = _C.linalg_qr(A)
    return Q * _C.sign(R.diagonal(0, -2, -1)).unsqueeze(-2)
