"""What has to be true of the parts of a sparse tensor.

Shapes and bounds are always checked, as an index outside of the tensor would be a wrong number. That takes one read of the
indices, which waits for a GPU. That indices ascend is checked where it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tritonflow.errors import InvalidArgumentError, NotYetImplementedError, ShapeError
from tritonflow.sparse.conversions import keys_of, lines_of
from tritonflow.sparse.tensor import refuse_capture

_all = [False]


class check_sparse_tensor_invariants:
    """A block, or a function, in which all invariants of new sparse tensors are checked; `enable()` does so from now on.

    Args:
        enable: whether they are.

    Source: torch.sparse.check_sparse_tensor_invariants.

    Example:
        >>> import tritonflow as flow
        >>> with flow.sparse.check_sparse_tensor_invariants():
        ...     flow.sparse_csr_tensor([0, 2], [1, 0], [1.0, 2.0], (1, 2))
        Traceback (most recent call last):
        tritonflow.errors.InvalidArgumentError: sparse_csr_tensor(): expected plain indices that ascend in each row or...
    """

    def __init__(self, enable: bool = True) -> None:
        self._wanted, self._before = bool(enable), [False]

    @staticmethod
    def is_enabled() -> bool:
        """Whether all invariants are checked."""
        return _all[0]

    @staticmethod
    def enable() -> None:
        """Check all invariants from now on."""
        _all[0] = True

    @staticmethod
    def disable() -> None:
        """Check shapes and bounds alone from now on."""
        _all[0] = False

    def __enter__(self) -> None:
        self._before.append(_all[0])
        _all[0] = self._wanted

    def __exit__(self, *error: object) -> None:
        _all[0] = self._before.pop()

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, in such a block."""

        def inside(*args: Any, **kwargs: Any) -> Any:
            with type(self)(self._wanted):
                return function(*args, **kwargs)

        return inside


def are_checked(asked: bool | None) -> bool:
    """Whether all invariants are checked, by the argument of a call or the setting."""
    return _all[0] if asked is None else bool(asked)


def smallest_size(index: Any) -> tuple[int, ...]:
    """The smallest sizes of the sparse dimensions that have all entries.

    Raises:
        RuntimeError: there are no entries, or a negative index.
    """
    if not index.shape[1]:
        return (0,) * int(index.shape[0])
    if int(index.min()) < 0:
        raise InvalidArgumentError(f"found negative index {int(index.min())}")
    highest: list[int] = index.amax(1).tolist()
    return tuple([n + 1 for n in highest])


def check_coo_parts(index: Any, entries: Any) -> None:
    """Check that indices and values have as many entries.

    Raises:
        RuntimeError: they have not, or indices are no matrix.
    """
    refuse_capture()
    if index.ndim != 2:
        raise ShapeError(f"indices must be sparse_dim x nnz, but got: {list(index.shape)}")
    if not entries.ndim or entries.shape[0] != index.shape[1]:
        count = entries.shape[0] if entries.ndim else "none"
        raise ShapeError(
            f"indices and values must have same nnz, but got nnz from indices: {index.shape[1]}, nnz from values: {count}"
        )


def check_coo(index: Any, entries: Any, shape: tuple[int, ...], ordered: bool) -> None:
    """Check the parts against a shape; where `ordered`, also that they are coalesced.

    Raises:
        RuntimeError: they do not fit.
    """
    sparse, dense = index.shape[0], entries.ndim - 1
    if len(shape) != sparse + dense:
        raise ShapeError(
            f"number of dimensions must be sparse_dim ({sparse}) + dense_dim ({dense}), but got {len(shape)}"
        )
    if tuple(entries.shape[1:]) != shape[sparse:]:
        wanted = [index.shape[1], *shape[sparse:]]
        raise ShapeError(f"values has incorrect size, expected {wanted}, got {list(entries.shape)}")
    if not index.shape[1] or not sparse:
        return
    for dim, (low, high) in enumerate(zip(index.amin(1).tolist(), index.amax(1).tolist())):
        if low < 0:
            raise InvalidArgumentError(f"found negative index {low} for dim {dim}")
        if high >= shape[dim]:
            raise InvalidArgumentError(
                f"size is inconsistent with indices: for dim {dim}, size is {shape[dim]} but found index {high}"
            )
    if ordered:
        keys = keys_of(index, shape[:sparse])
        if bool((keys[1:] <= keys[:-1]).any()):
            raise InvalidArgumentError("cannot set is_coalesced to true if indices correspond to uncoalesced COO tensor")


def check_compressed_parts(name: str, compressed: Any, plain: Any, entries: Any) -> None:
    """Check that the parts are vectors of one matrix, with as many columns as values, and indices of one dtype.

    Raises:
        RuntimeError: they do not fit.
        NotImplementedError: batches of matrices, or values of more dimensions.
    """
    refuse_capture()
    if (compressed.ndim, plain.ndim, entries.ndim) != (1, 1, 1):
        raise NotYetImplementedError(
            f"{name}(): expected vectors, the parts of one matrix, got parts of {compressed.ndim}, {plain.ndim} and"
            f" {entries.ndim} dimensions; help: batches and dense dimensions are not implemented: a list of matrices, or COO"
        )
    if compressed.dtype is not plain.dtype:
        raise InvalidArgumentError(f"{name}(): expected indices of one dtype, got {compressed.dtype!r} and {plain.dtype!r}")
    if len(plain) != len(entries):
        raise ShapeError(f"{name}(): expected as many plain indices as values, got {len(plain)} and {len(entries)}")
    if not len(compressed):
        raise ShapeError(f"{name}(): expected at least one compressed index")


def check_compressed(name: str, compressed: Any, plain: Any, shape: tuple[int, ...], ordered: bool) -> None:
    """Check the parts against a shape, compressed dimension first; where `ordered`, also that plain indices ascend.

    Raises:
        RuntimeError: they do not fit.
    """
    if len(shape) != 2:
        raise ShapeError(f"{name}(): expected a size of two dimensions, got {list(shape)}")
    if len(compressed) != shape[0] + 1:
        raise ShapeError(f"{name}(): expected {shape[0] + 1} compressed indices for size {shape[0]}, got {len(compressed)}")
    first, last, count = int(compressed[0]), int(compressed[-1]), len(plain)
    if first != 0 or last != count or bool((compressed[1:] < compressed[:-1]).any()):
        raise InvalidArgumentError(
            f"{name}(): expected compressed indices from 0 to the number of entries, {count}, that do not decrease"
        )
    if count and (int(plain.min()) < 0 or int(plain.max()) >= shape[1]):
        raise InvalidArgumentError(
            f"{name}(): expected plain indices from 0 to {shape[1] - 1}, got {int(plain.min())} to {int(plain.max())}"
        )
    if ordered and count:
        lines = lines_of(compressed, count)
        if bool(((plain[1:] <= plain[:-1]) & (lines[1:] == lines[:-1])).any()):
            raise InvalidArgumentError(f"{name}(): expected plain indices that ascend in each row or column, none twice")
