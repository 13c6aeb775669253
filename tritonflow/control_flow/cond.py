"""`flow.cond`: one of two functions, by a condition."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tritonflow import _C
from tritonflow.control_flow.structures import StructureError, Unwritten, described, leaves, zipped
from tritonflow.errors import InvalidArgumentError
from tritonflow.framework.tensor import Tensor
from tritonflow.framework.tensor_impl import BatchedTensorImpl


def cond(
    pred: bool | int | float | Tensor, true_fn: Callable[..., Any], false_fn: Callable[..., Any], operands: Sequence[Any] = ()
) -> Any:
    """What one of two functions gives.

        true_fn(*operands) if pred else false_fn(*operands)

    Only that function is called. Gradients are those of its ops: an operand that it does not read has none.

    Inside of `vmap`, for a condition that differs from example to example, both are called, and `where` chooses. Then both must
    give tensors of the same structure and shapes, and write no operand.

    In `flow.compile`, a condition that is a number chooses while the call is captured, and is a guard. One that is a tensor needs
    its value, as `if` does: the call runs in eager mode.

    Args:
        pred: a number, or a tensor of one element.
        true_fn, false_fn: functions of the operands, which give tensors, or nested lists, tuples and dicts of them.
        operands: a tuple or list of tensors, or of nested lists, tuples and dicts of them. Where `pred` is a number, of anything.

    Returns:
        What the function gives.

    Raises:
        RuntimeError: `pred` is something else, or has several elements; a function cannot be called; an operand is no tensor.
            Inside of `vmap`, results differ in structure or shape, or an operand is written.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.cond.html

    Example:
        >>> import tritonflow as flow
        >>> x = flow.tensor([1.0, 2.0])
        >>> flow.cond(x.sum() > 2, lambda x: x * 10, lambda x: -x, (x,))
        tensor([10., 20.])
        >>> flow.vmap(lambda row: flow.cond(row.sum() > 2, lambda r: r * 10, lambda r: -r, (row,)))(flow.eye(2) * 3 - 1)
        tensor([[-2.,  1.],
                [ 1., -2.]])
    """
    if not callable(true_fn) or not callable(false_fn):
        raise InvalidArgumentError("Expect both branches to be callable.")
    if isinstance(pred, (bool, int, float)):
        return true_fn(*operands) if pred else false_fn(*operands)
    _check(pred, operands)
    if pred.impl.__class__ is BatchedTensorImpl:
        return _selected(pred, true_fn, false_fn, operands)
    return true_fn(*operands) if pred else false_fn(*operands)


def _check(pred: Any, operands: Any) -> None:
    if not isinstance(pred, Tensor):
        raise InvalidArgumentError(f"Expected pred to be bool or tensor, but got {pred}.")
    if pred.numel() != 1:
        raise InvalidArgumentError(f"Expected pred to be bool or single-element tensor, but got {described(pred)}.")
    if not isinstance(operands, (tuple, list)) or not all(isinstance(leaf, Tensor) for leaf in leaves(operands)):
        raise InvalidArgumentError(
            "Expect operands to be a tuple of possibly nested dict/list/tuple that only consists of tensor leaves, but got"
            f" {described(operands)}."
        )


def _selected(pred: Any, true_fn: Callable[..., Any], false_fn: Callable[..., Any], operands: Sequence[Any]) -> Any:
    """Both results, and of each example the right one."""
    operands_unwritten = Unwritten("cond() inside of vmap calls both branches: its operands", operands)
    yes, no = true_fn(*operands), false_fn(*operands)
    operands_unwritten.check()
    chosen = _C.ne(_C.reshape(pred, ()), 0)
    try:
        return zipped(lambda own, other: _where(chosen, own, other), yes, no)
    except StructureError:
        raise InvalidArgumentError(
            f"Expected branches to return the same structure but got {described(yes)} and {described(no)}"
        ) from None


def _where(chosen: Any, yes: Any, no: Any) -> Any:
    if not isinstance(yes, Tensor) or not isinstance(no, Tensor):
        raise InvalidArgumentError(
            f"cond() inside of vmap chooses between tensors, but the branches return {described(yes)} and {described(no)}"
        )
    if yes.shape != no.shape:
        raise InvalidArgumentError(
            f"When merging two branches' output in cond(), expected same shape but got {tuple(yes.shape)} and {tuple(no.shape)}."
        )
    return _C.where(chosen, yes, no)
