"""The functor of pad."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import function, functor
from tritonflow.binding.target import beside
from tritonflow.errors import NotYetImplementedError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.meta import contiguous_stride
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.cast import clone, copy_
from tritonflow.functions.creation import full
from tritonflow.functions.view import narrow, unshared
from tritonflow.functions.view_gradients import set_region
from tritonflow.functions.view_strides import strided_view
from tritonflow.interpreter.choice import with_batch_of
from tritonflow.interpreter.dispatch import dispatch1

_pad_edges = op_expr("pad_edges")
_pad_edges_grad = op_expr("pad_edges_grad")

MODES = ("reflect", "replicate", "circular")


@functor("PadEdges")
def pad_edges(input: Tensor, dim: int, before: int, after: int, mode: str) -> Any:
    return dispatch1(_pad_edges, input, (dim, before, after, mode))


@functor("PadEdgesGrad")
def pad_edges_grad(grad: Tensor, dim: int, before: int, after: int, mode: str) -> Any:
    return dispatch1(_pad_edges_grad, grad, (dim, before, after, mode))


def _added_and_cut(amount: int) -> tuple[int, int]:
    """How many elements an amount adds, and how many it cuts off. Of a size that is never negative, nothing is asked."""
    return (amount, 0) if amount >= 0 else (0, -amount)


def _continued(input: Tensor, pad: Any, mode: str) -> Any:
    """The last dimensions continued beyond their ends; negative amounts cut. Never a view of the input."""
    given = input
    ndim, count = input.meta.ndim, len(pad) // 2
    if len(pad) % 2 or not 1 <= count <= 3 or ndim not in (count + 1, count + 2):
        raise NotYetImplementedError("Only 2D, 3D, 4D, 5D padding with non-constant padding are supported for now")
    for position in range(count):
        dim, n = ndim - 1 - position, input.meta.shape[ndim - 1 - position]
        before, after = pad[2 * position : 2 * position + 2]
        _check_amounts(input, dim, n, before, after, mode)
        added, cut = zip(_added_and_cut(before), _added_and_cut(after))
        if any(cut) and mode == "circular":  # what is left goes round; reflected is what there was
            input = narrow(input, dim, cut[0], n - sum(cut))
        if any(added):
            input = pad_edges(input, dim, *added, mode)
        if any(cut) and mode != "circular":
            input = narrow(input, dim, cut[0], input.meta.shape[dim] - sum(cut))
    return clone(input) if input.impl is given.impl else unshared(input)


def _check_amounts(input: Tensor, dim: int, n: int, before: int, after: int, mode: str) -> None:
    shape = list(input.meta.shape)
    if n + before + after < 1 or (not n and max(before, after) > 0):
        raise ShapeError(
            f"input (size: {n}) at dimension {dim} is too small for padding ({before}, {after}) of input {shape}"
        )
    if mode == "reflect" and max(before, after) >= n:
        raise ShapeError(
            "Argument #4: Padding size should be less than the corresponding input dimension, but got: padding"
            f" ({before}, {after}) at dimension {dim} of input {shape}"
        )
    if mode == "circular" and max(before, after) > n + min(before, 0) + min(after, 0):
        raise ShapeError("Padding value causes wrapping around more than once.")


@function(
    "Tensor (Tensor input, Int64List pad, String mode='constant', Scalar value=0)",
    export=("flow", "nn.functional"), reference="torch.nn.functional.pad", samples="pad",
)
def pad(input: Tensor, pad: Any, mode: str = "constant", value: Any = 0) -> Tensor:
    """The input with a constant around its last dimensions.

    "constant" puts `value` around them; "reflect" continues beyond an end with the elements before it,
    without the last one (c b | a b c | b a); "replicate" repeats the last one (a a | a b c | c c);
    "circular" begins again (b c | a b c | a b). Negative amounts cut off.

    Args:
        input: the input.
        pad: (before, after) of the last dimension, then of the one before it, ...
        mode: "constant", "reflect", "replicate" or "circular".
        value: the constant.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., H, W) -> (..., H + before + after, W + before + after).

    Raises:
        RuntimeError: an odd number of amounts, too many, a negative size, or more than a mode can continue.
        NotImplementedError: another mode, or dimensions that a mode does not take.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.pad.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> x = flow.tensor([[1, 2, 3]])
        >>> F.pad(x, (1, 2))
        tensor([[0, 1, 2, 3, 0, 0]])
        >>> F.pad(x, (1, 2), mode="reflect")
        tensor([[2, 1, 2, 3, 2, 1]])
        >>> F.pad(x, (-1, 0, 0, 1), value=9)
        tensor([[2, 3],
                [9, 9]])
    """
    # `value` around the last dimensions: pad = (before, after) of the last one, then of the one before, ...; negative cuts.
    if mode in MODES:
        return _continued(input, pad, mode)
    if mode != "constant":
        raise NotYetImplementedError(
            f"Unrecognised padding mode {mode}. Pad mode is {mode}, but only constant, reflect and replicate are valid."
            " help: so is circular"
        )
    if len(pad) > 2 * input.meta.ndim:
        raise ShapeError(f"Pad size should less than or equal to input axes * 2. But got {len(pad)}")
    if len(pad) % 2:
        raise ShapeError(f"Length of pad must be even but instead it equals {len(pad)}")
    shape, start = list(input.meta.shape), [0] * input.meta.ndim
    for position in range(len(pad) // 2):
        dim = input.meta.ndim - 1 - position
        before, after = pad[2 * position : 2 * position + 2]
        n = input.meta.shape[dim]
        if n + before + after < 0:
            raise ShapeError(
                f"The input size {n}, plus negative padding {before} and {after}, resulted in a negative size"
            )
        (added, cut), (_, cut_after) = _added_and_cut(before), _added_and_cut(after)
        length = n - cut - cut_after
        if length < 0:
            raise ShapeError("narrow(): length must be non-negative.")
        input = narrow(input, dim, cut, length)
        shape[dim], start[dim] = n + before + after, added
    stride = contiguous_stride(tuple(shape))
    elements = sum(s * step for s, step in zip(start, stride))
    if not value:
        return set_region(input, tuple(shape), stride, elements)
    result = with_batch_of(full(tuple(shape), value, dtype=input.dtype, **beside(input)), input)
    copy_(strided_view(result, input.meta.shape, stride, elements), input)
    return result  # type: ignore[no-any-return]
