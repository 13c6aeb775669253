"""`flow.associative_scan`: an associative function over all beginnings of sequences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tritonflow import _C
from tritonflow.autograd.batching import vmap
from tritonflow.autograd.tree import flatten
from tritonflow.control_flow.sequences import checked_dim
from tritonflow.control_flow.structures import StructureError, described, zipped
from tritonflow.errors import ArgumentValueError, InvalidArgumentError
from tritonflow.framework.tensor import Tensor

Slices = list[Any]


def associative_scan(
    combine_fn: Callable[[Any, Any], Any], xs: Any, dim: int, reverse: bool = False, combine_mode: str = "pointwise"
) -> Any:
    """The results of an associative function over all beginnings of sequences.

        y[0] = x[0],    y[i] = combine_fn(y[i - 1], x[i])

    in log2(length) rounds, each of which combines pairs of neighbours at once, by `vmap`.

    Args:
        combine_fn: of two elements of `xs`, without the dimension `dim`; gives a third one. It must be associative.
        xs: a tensor, or nested lists, tuples and dicts of tensors, which are equally long in `dim`.
        dim: the dimension of the sequences.
        reverse: whether they are read from the end.
        combine_mode: "pointwise" or "generic", which are computed alike here, on all devices.

    Returns:
        As `xs`.

    Raises:
        ValueError: an argument of another kind, or sequences that are empty or not equally long.
        RuntimeError: `reverse` is no bool; `combine_fn` gives another structure or shape.
        IndexError: `dim` is out of range.

    Source: torch._higher_order_ops.associative_scan; Blelloch, "Prefix sums and their applications", 1990.

    Example:
        >>> import tritonflow as flow
        >>> flow.associative_scan(lambda a, b: a + b, flow.tensor([1, 2, 3, 4]), 0)
        tensor([ 1,  3,  6, 10])
        >>> def decayed(left, right):  # x = p * x + s
        ...     return left[0] * right[0], left[1] * right[0] + right[1]
        >>> flow.associative_scan(decayed, (flow.full((3,), 0.5), flow.tensor([1.0, 2.0, 4.0])), 0)[1]
        tensor([1.0000, 2.5000, 5.2500])
    """
    leaves, rebuild = flatten(xs)
    dim = _checked(combine_fn, leaves, dim, reverse, combine_mode)
    combine_rows = vmap(combine_fn)

    def combine(left: Slices, right: Slices) -> Slices:
        found = combine_rows(rebuild(left), rebuild(right))
        try:
            pairs: list[tuple[Any, Any]] = []
            zipped(lambda *pair: pairs.append(pair), rebuild(left), found)
        except StructureError:
            raise InvalidArgumentError(
                f"Expected combine_fn to return the structure of xs but got {described(found)}, of elements one after the other"
            ) from None
        for expected, value in pairs:
            if expected.shape != value.shape:
                raise InvalidArgumentError(
                    f"Expected combine_fn to return elements of shape {tuple(expected.shape[1:])} but got {tuple(value.shape[1:])}"
                )
        return [value for _, value in pairs]

    rows = [_C.movedim(leaf, dim, 0) if dim else leaf for leaf in leaves]
    results = _scan(combine, [_C.flip(row, (0,)) for row in rows] if reverse else rows)
    results = [_C.flip(row, (0,)) for row in results] if reverse else results
    return rebuild([_C.movedim(row, 0, dim) if dim else row for row in results])


def _checked(combine_fn: Any, xs: list[Any], dim: Any, reverse: Any, combine_mode: Any) -> int:
    """The dimension of the sequences, counted from the front."""
    if not callable(combine_fn):
        raise ArgumentValueError(f"Combine_fn must be a callable, but got {combine_fn}")
    if not isinstance(dim, int):
        raise ArgumentValueError(f"Dim must be an int, but got {type(dim)}")
    if not isinstance(reverse, bool):
        raise InvalidArgumentError(f"Reverse must be a bool, but got {type(reverse)}")
    if combine_mode not in ("pointwise", "generic"):
        raise ArgumentValueError(f"Combine_mode must either 'pointwise' or 'generic', but got {combine_mode}")
    if not xs:
        raise ArgumentValueError("Expected at least 1 xs leaf")
    if not all(isinstance(x, Tensor) for x in xs):
        raise ArgumentValueError("xs leaves must be a Tensor")
    return checked_dim(xs, dim, ArgumentValueError)


def _scan(combine: Callable[[Slices, Slices], Slices], xs: Slices) -> Slices:
    length = xs[0].shape[0]
    if length < 2:
        return xs
    odd = _scan(combine, combine([x[0 : length - 1 : 2] for x in xs], [x[1::2] for x in xs]))
    even = [x[:1] for x in xs]
    if length > 2:
        later = combine([y[: (length - 1) // 2] for y in odd], [x[2::2] for x in xs])
        even = [_C.cat(pair) for pair in zip(even, later, strict=True)]
    return [_interleaved(*pair) for pair in zip(even, odd, strict=True)]


def _interleaved(even: Any, odd: Any) -> Any:
    """even[0], odd[0], even[1], odd[1], ...; there may be one more of the even ones."""
    pairs = odd.shape[0]
    both = _C.flatten(_C.stack([even[:pairs], odd], 1), 0, 1)
    return _C.cat([both, even[pairs:]]) if even.shape[0] > pairs else both
