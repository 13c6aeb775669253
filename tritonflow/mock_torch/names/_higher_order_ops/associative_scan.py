"""`torch._higher_order_ops.associative_scan`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tritonflow as flow
from tritonflow.graph.capture.pytree import flatten, unflatten

Slices = list[Any]


def associative_scan(
    combine_fn: Callable[..., Any], xs: Any, dim: int, reverse: bool = False, combine_mode: str = "pointwise",
    additional_inputs: Sequence[Any] = (),
) -> Any:  # fmt: skip
    """The results of an associative function over all beginnings of sequences:

        y[0] = x[0],    y[i] = combine_fn(y[i - 1], x[i])

    in log2(length) rounds, each of which combines pairs of neighbours at once.

    Args:
        combine_fn: of two nested lists of tensors, which gives a third one.
        xs: nested lists of tensors, equally long in `dim`.
        dim: the dimension of the sequences.
        reverse: whether they are read from the end.
        combine_mode: "pointwise" or "generic", which are computed alike here.
        additional_inputs: what `combine_fn` takes besides.

    Raises:
        ValueError: there are no tensors, or their lengths differ.

    Source: torch._higher_order_ops.associative_scan (Blelloch, "Prefix sums and their applications", 1990).
    """
    leaves: Slices = []
    structure = flatten(xs, leaves, [])
    lengths = {leaf.shape[dim] for leaf in leaves}
    if len(lengths) != 1:
        raise ValueError(f"associative_scan(): expected tensors of one length in dimension {dim}, got {sorted(lengths)}")

    def combine(left: Slices, right: Slices) -> Slices:
        found: Slices = []
        a, b = (unflatten(structure, iter(side), iter(())) for side in (left, right))
        flatten(combine_fn(a, b, *additional_inputs), found, [])
        return found

    flipped = [flow.flip(leaf, (dim,)) for leaf in leaves] if reverse else leaves
    results = _scan(combine, flipped, [dim % leaf.ndim for leaf in leaves])
    return unflatten(structure, iter([flow.flip(y, (dim,)) for y in results] if reverse else results), iter(()))


def _scan(combine: Callable[[Slices, Slices], Slices], xs: Slices, dims: list[int]) -> Slices:
    def part(tensors: Slices, *bounds: int | None) -> Slices:
        return [x[(slice(None),) * d + (slice(*bounds),)] for x, d in zip(tensors, dims, strict=True)]

    length = xs[0].shape[dims[0]]
    if length < 2:
        return xs
    odd = _scan(combine, combine(part(xs, 0, length - 1, 2), part(xs, 1, None, 2)), dims)
    even = part(xs, 0, 1)
    if length > 2:
        before = part(odd, 0, (length - 1) // 2)
        even = [flow.cat(pair, dim=d) for *pair, d in zip(even, combine(before, part(xs, 2, None, 2)), dims, strict=True)]
    return [_interleaved(a, b, d) for a, b, d in zip(even, odd, dims, strict=True)]


def _interleaved(even: Any, odd: Any, dim: int) -> Any:
    """even[0], odd[0], even[1], odd[1], ...; there may be one more of the even ones."""
    pairs = odd.shape[dim]
    both = flow.stack((even.narrow(dim, 0, pairs), odd), dim=dim + 1).flatten(dim, dim + 1)
    return flow.cat((both, even.narrow(dim, pairs, 1)), dim=dim) if even.shape[dim] > pairs else both
