"""`flow.scan`: a function along sequences, with what it carries from one element to the next."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from tritonflow import _C
from tritonflow.autograd.tree import mapped
from tritonflow.control_flow.sequences import checked_dim
from tritonflow.control_flow.structures import StructureError, Unwritten, check_alike, described, leaves, zipped
from tritonflow.errors import InvalidArgumentError
from tritonflow.framework.tensor import Tensor


def scan(combine_fn: Callable[[Any, Any], Any], init: Any, xs: Any, dim: int = 0, reverse: bool = False) -> tuple[Any, Any]:
    """What a function carries along sequences, and what it gives on the way.

        carry = init
        for each x of xs:
            carry, y = combine_fn(carry, x)

    In `flow.compile` the loop is unrolled: the program is for this length.

    Args:
        combine_fn: of the carry and an element of `xs`; gives the next carry and an element of the result.
        init: the first carry: a tensor, or nested lists, tuples and dicts of tensors.
        xs: the sequences: likewise, of tensors that are equally long in `dim`.
        dim: the dimension of the sequences, which their elements lack.
        reverse: whether they are read from the end.

    Returns:
        The last carry, and the elements of the result stacked: along `dim`, or, where they have too few dimensions, the first.
        None among them stays None. Without any sequence `init`, and an empty list.

    Raises:
        RuntimeError: an argument of another kind; sequences that are empty or not equally long; `combine_fn` gives no pair, a
            carry of another structure, shape, dtype or device, or elements that differ so, or writes what it is given in place.
        IndexError: `dim` is out of range.

    Source: torch._higher_order_ops.scan.

    Example:
        >>> import tritonflow as flow
        >>> decayed = lambda carry, x: (carry * 0.5 + x, carry)
        >>> flow.scan(decayed, flow.zeros(()), flow.tensor([1.0, 2.0, 4.0]))
        (tensor(5.2500), tensor([0.0000, 1.0000, 2.5000]))
    """
    tensors = leaves(xs)
    if not tensors:
        return init, []
    dim = _checked(combine_fn, init, tensors, dim, reverse)
    length = tensors[0].shape[dim]
    carry, results = init, []
    for position in reversed(range(length)) if reverse else range(length):
        element = mapped(partial(_C.select, dim=dim, index=position), xs)
        unwritten = Unwritten("scan(): what combine_fn is given", (carry, element))
        found = combine_fn(carry, element)
        unwritten.check()
        if not isinstance(found, (tuple, list)) or len(found) != 2:
            raise InvalidArgumentError(f"Expect combine_fn to return a tuple (next_carry, y) but got {described(found)}.")
        check_alike(init, found[0], ("init", "carry"))
        carry, result = found
        results.append(result)
    return carry, _stacked(results[::-1] if reverse else results, dim)


def _checked(combine_fn: Any, init: Any, xs: list[Any], dim: Any, reverse: Any) -> int:
    """The dimension of the sequences, counted from the front."""
    if not callable(combine_fn):
        raise InvalidArgumentError(f"Combine_fn must be a callable, but got {combine_fn}")
    if not isinstance(dim, int):
        raise InvalidArgumentError(f"Dim must be an int, but got {type(dim)}")
    if not isinstance(reverse, bool):
        raise InvalidArgumentError(f"Reverse must be a bool, but got {type(reverse)}")
    if not leaves(init):
        raise InvalidArgumentError("scan() operator requires init leaves.")
    for name, values in (("init", leaves(init)), ("xs", xs)):
        for value in values:
            if not isinstance(value, Tensor):
                raise InvalidArgumentError(f"All {name} leaves must be a Tensor but got {value}")
    return checked_dim(xs, dim, InvalidArgumentError)


def _stacked(results: list[Any], dim: int) -> Any:
    try:
        return zipped(lambda *values: _joined(values, dim), *results)
    except StructureError:
        raise InvalidArgumentError("Expect combine_fn to return y of one structure for all elements") from None


def _joined(values: tuple[Any, ...], dim: int) -> Any:
    """One leaf of all results."""
    if all(value is None for value in values):
        return None
    for value in values:
        if not isinstance(value, Tensor):
            raise InvalidArgumentError(f"Expect combine_fn to return tensors in y but got {described(value)}.")
        check_alike(values[0], value, ("the first y", "a later one"))
    return _C.stack(list(values), dim if dim <= values[0].ndim else 0)
