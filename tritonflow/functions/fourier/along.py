"""Fourier transforms of tensors along dimensions: torch's arguments, and rows for `transform`."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any

from tritonflow.dtypes import DType, bfloat16, float16, get_default_dtype, torch_name
from tritonflow.errors import DTypeError, InvalidArgumentError
from tritonflow.framework.tensor import Tensor, wrap_dim, wrap_own_dim
from tritonflow.functions.cast import cast
from tritonflow.functions.fourier import transform
from tritonflow.functions.generated import scalar_mul
from tritonflow.functions.join_constant_pad import constant_pad_nd
from tritonflow.functions.view import narrow, reshape, unshared
from tritonflow.functions.view_complex import complex_of_pairs, pairs_of_complex
from tritonflow.functions.view_orders import movedim

FORWARD, INVERSE = -1, 1  # the sign in the exponent

_NORMS = {None: "backward", "backward": "backward", "ortho": "ortho", "forward": "forward"}
_OTHER = {"backward": "forward", "ortho": "ortho", "forward": "backward"}


def checked_norm(norm: str | None) -> str:
    """Which way a transform is scaled.

    Raises:
        RuntimeError: it is no such name.
    """
    if norm not in _NORMS:
        raise InvalidArgumentError(f'Invalid normalization mode: "{norm}"')
    return _NORMS[norm]


def other_norm(norm: str | None) -> str:
    """The scale of a forward transform for an inverse one, and the other way round."""
    return _OTHER[checked_norm(norm)]


def _scale(norm: str, sign: int, n: int) -> float:
    if norm == "ortho":
        return 1 / sqrt(n)
    return 1 / n if (norm == "forward") == (sign == FORWARD) else 1.0


def promoted(x: Tensor, name: str, to_complex: bool) -> Tensor:
    """The input in the dtype that it is transformed in: whole numbers as the default dtype.

    Raises:
        RuntimeError: a half type, or complex numbers where real ones are expected.
    """
    dtype: DType = x.meta.dtype
    if dtype.is_complex and not to_complex:
        raise DTypeError(f"{name} expects a real input tensor, but got {torch_name(dtype)}")
    if dtype.to_real() in (float16, bfloat16):
        raise DTypeError(f"Unsupported dtype {torch_name(dtype)}")
    return x if dtype.has_gradient else cast(x, get_default_dtype())  # type: ignore[no-any-return]


def one_dim(x: Tensor, dim: int) -> int:
    """The dimension of a transform along one.

    Raises:
        IndexError: there is no such dimension.
    """
    return wrap_own_dim(dim, x.meta.ndim)


def check_length(n: int) -> int:
    """A number of data points.

    Raises:
        RuntimeError: it is not positive.
    """
    if n < 1:
        raise InvalidArgumentError(f"Invalid number of data points ({n}) specified")
    return n


def dims_and_sizes(x: Tensor, s: Sequence[int] | int | None, dim: Sequence[int] | int | None) -> tuple[list[int], list[int]]:
    """The dimensions of a transform along several, and how many numbers of each it takes.

    Raises:
        RuntimeError: they do not fit each other, or the tensor.
    """
    ndim = x.meta.ndim
    s = [s] if isinstance(s, int) else s
    dim = [dim] if isinstance(dim, int) else dim
    if dim is not None:
        dims = [wrap_dim(d, ndim) for d in dim]
        if len(set(dims)) != len(dims):
            raise InvalidArgumentError("FFT dims must be unique")
    if s is not None:
        if dim is not None and len(dims) != len(s):
            raise InvalidArgumentError("When given, dim and shape arguments must have the same length")
        if len(s) > ndim:
            raise InvalidArgumentError(f"Got shape with {len(s)} values but input tensor only has {ndim} dimensions.")
        if dim is None:
            dims = list(range(ndim - len(s), ndim))
    elif dim is None:
        dims = list(range(ndim))
    sizes = [x.meta.shape[d] if s is None or s[k] == -1 else s[k] for k, d in enumerate(dims)]
    for n in sizes:
        check_length(n)
    return dims, sizes


# ------------------------------------------------------------------------------------------------------------ rows


def _resized(x: Tensor, dim: int, n: int) -> Tensor:
    """The first n along a dimension, zeros behind what there is."""
    own = x.meta.shape[dim]
    if own >= n:
        return x if own == n else narrow(x, dim, 0, n)
    return constant_pad_nd(x, (0, 0) * (x.meta.ndim - dim - 1) + (0, n - own))


def _rows(x: Tensor, dim: int, inner: int) -> Tensor:
    """A dimension last, before `inner` others, and those before it as one."""
    ndim = x.meta.ndim
    moved = x if dim == ndim - 1 - inner else movedim(x, (dim,), (ndim - 1 - inner,))
    count = 1
    for n in moved.meta.shape[: ndim - 1 - inner]:
        count *= n
    return reshape(moved, (count, *moved.meta.shape[ndim - 1 - inner :]))


def _restored(rows: Tensor, shape: tuple[int, ...], dim: int, inner: int) -> Tensor:
    """What `_rows` was given, of a shape but along `dim`."""
    outer = [n for d, n in enumerate(shape) if d != dim]
    found = reshape(rows, (*outer, *rows.meta.shape[1:]))
    return found if dim == len(outer) else movedim(found, (len(outer),), (dim,))


def complex_to_complex(pairs: Tensor, dims: Sequence[int], sizes: Sequence[int], sign: int, norm: str) -> Tensor:
    """Pairs transformed along dimensions, the last of them first."""
    for dim, n in reversed(list(zip(dims, sizes))):
        pairs = _resized(pairs, dim, n)
        shape = pairs.meta.shape[:-1]
        found = transform.of_complex(_rows(pairs, dim, 1), sign, _scale(norm, sign, n))
        pairs = _restored(found, shape, dim, 1)
    return pairs


def real_to_complex(x: Tensor, dim: int, n: int, sign: int, norm: str, half: bool) -> Tensor:
    """Pairs of real numbers transformed along a dimension."""
    x = _resized(x, dim, n)
    found = transform.of_real(_rows(x, dim, 0), sign, _scale(norm, sign, n), half)
    return _restored(found, x.meta.shape, dim, 1)


def complex_to_real(pairs: Tensor, dim: int, n: int, sign: int, norm: str) -> Tensor:
    """Real numbers whose transforms along a dimension begin with the pairs."""
    pairs = _resized(pairs, dim, n // 2 + 1)
    shape = pairs.meta.shape[:-1]
    found = transform.to_real(_rows(pairs, dim, 1), n, sign, _scale(norm, sign, n))
    return _restored(found, shape, dim, 0)


# ------------------------------------------------------------------------------------------------------------ tensors


def numbers(pairs: Tensor) -> Tensor:
    """The complex numbers of pairs, in memory of their own."""
    return unshared(complex_of_pairs(pairs))


def transformed(x: Tensor, dims: Sequence[int], sizes: Sequence[int], sign: int, norm: str) -> Tensor:
    """A tensor, real or complex, transformed along dimensions to complex numbers."""
    if not dims:
        return numbers(scalar_mul(pairs_of_complex(x), 1.0))
    if x.meta.dtype.is_complex:
        return numbers(complex_to_complex(pairs_of_complex(x), dims, sizes, sign, norm))
    *rest, last = dims
    *rest_sizes, n = sizes
    pairs = real_to_complex(x, last, n, sign, norm, False)
    return numbers(complex_to_complex(pairs, rest, rest_sizes, sign, norm))


def half_spectrum(x: Tensor, dims: Sequence[int], sizes: Sequence[int], sign: int, norm: str) -> Any:
    """A real tensor transformed along dimensions, of the last one the first n // 2 + 1 numbers, as pairs."""
    *rest, last = dims
    *rest_sizes, n = sizes
    pairs = real_to_complex(x, last, n, sign, norm, True)
    return complex_to_complex(pairs, rest, rest_sizes, sign, norm)


def of_half_spectrum(pairs: Tensor, dims: Sequence[int], sizes: Sequence[int], sign: int, norm: str) -> Tensor:
    """The real tensor of such pairs; the last size is that of the result."""
    *rest, last = dims
    *rest_sizes, n = sizes
    return complex_to_real(complex_to_complex(pairs, rest, rest_sizes, sign, norm), last, n, sign, norm)
