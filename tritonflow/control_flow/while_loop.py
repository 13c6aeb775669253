"""`flow.while_loop`: a function again and again, while a condition holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tritonflow.autograd.tree import mapped
from tritonflow.control_flow.structures import Unwritten, check_alike, described, leaves
from tritonflow.dtypes import bool_
from tritonflow.errors import InvalidArgumentError
from tritonflow.framework.tensor import Tensor


def while_loop(
    cond_fn: Callable[..., Any],
    body_fn: Callable[..., Any],
    carried_inputs: Sequence[Any],
    additional_inputs: Sequence[Any] = (),
) -> Any:
    """The values behind a loop.

        while cond_fn(*carried, *additional):
            carried = body_fn(*carried, *additional)

    Gradients are those of the ops of all rounds. In `flow.compile`, a loop whose condition is a number is unrolled. A condition
    that is a tensor needs its value, as `if` does: the call runs in eager mode.

    Args:
        cond_fn: gives a bool, or a tensor of it without dimensions.
        body_fn: gives a tuple of values like those that it is given, without `additional_inputs`.
        carried_inputs: a tuple or list of the values before the first round: tensors and ints, or nested lists, tuples and dicts
            of them.
        additional_inputs: what both functions take besides, and the loop does not change.

    Returns:
        What `body_fn` gave last; without any round copies of `carried_inputs`, as a tuple.

    Raises:
        RuntimeError: an argument of another kind; the condition is no bool; `body_fn` gives values of another number, structure,
            shape, dtype or device, or writes those that it is given in place.

    Source: torch._higher_order_ops.while_loop.

    Example:
        >>> import tritonflow as flow
        >>> flow.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * 2), (0, flow.ones(2)))
        (3, tensor([8., 8.]))
        >>> flow.while_loop(lambda x: x.sum() < 90, lambda x: (x * x,), (flow.tensor([2.0, 3.0]),))
        (tensor([16., 81.]),)
    """
    _check(cond_fn, body_fn, carried_inputs, additional_inputs)
    carried = tuple(carried_inputs)
    unwritten = Unwritten("while_loop(): carried_inputs", carried)
    if not _holds(cond_fn(*carried, *additional_inputs)):
        unwritten.check()
        return mapped(lambda leaf: leaf.clone() if isinstance(leaf, Tensor) else leaf, carried)
    while True:
        result = body_fn(*carried, *additional_inputs)
        unwritten.check()
        _check_round(result, carried)
        carried = tuple(result)
        unwritten = Unwritten("while_loop(): carried_inputs", carried)
        goes_on = _holds(cond_fn(*carried, *additional_inputs))
        unwritten.check()
        if not goes_on:
            return result


def _check(cond_fn: Any, body_fn: Any, carried_inputs: Any, additional_inputs: Any) -> None:
    if not callable(cond_fn) or not callable(body_fn):
        raise InvalidArgumentError("Expect cond_fn and body_fn to be callable.")
    for name, value in (("carried_inputs", carried_inputs), ("additional_inputs", additional_inputs)):
        if not isinstance(value, (tuple, list)):
            raise InvalidArgumentError(f"{name} must be a tuple or list but got {type(value)}")
    if not all(isinstance(leaf, (Tensor, int)) for leaf in leaves(carried_inputs)):
        raise InvalidArgumentError(
            "Expect carried_inputs to be a tuple of possibly nested dict/list/tuple that only consists of tensor or int leaves,"
            f" but got {described(carried_inputs)}."
        )


def _holds(condition: Any) -> bool:
    if isinstance(condition, bool) or (isinstance(condition, Tensor) and condition.dtype is bool_ and condition.shape == ()):
        return bool(condition)
    raise InvalidArgumentError(f"cond_fn must return a boolean scalar tensor or a boolean but got {described(condition)}")


def _check_round(result: Any, carried: tuple[Any, ...]) -> None:
    if not isinstance(result, (tuple, list)):
        raise InvalidArgumentError(f"body_fn should return a tuple but got {type(result)}")
    if len(result) != len(carried):
        raise InvalidArgumentError(
            f"body_fn should return the same number of elements as carried_inputs, got {len(result)} vs {len(carried)}"
        )
    check_alike(tuple(result), carried, ("body_fn_output", "carried_inputs"))
