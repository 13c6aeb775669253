"""The functor of embeddings of tokens and positions, and its gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow.binding.library import function, functor
from tritonflow.binding.target import beside
from tritonflow.errors import ArgumentValueError, DTypeError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.runtime_scalar import as_float
from tritonflow.framework.tensor import Tensor
from tritonflow.functions import reduction
from tritonflow.functions.creation import arange_end
from tritonflow.functions.elementwise_selection import where_scalar_x
from tritonflow.functions.generated import scalar_eq, scalar_mul
from tritonflow.functions.index import check_index, index_get_grad
from tritonflow.functions.norm import require_floating
from tritonflow.functions.view import expand, reshape, unsqueeze
from tritonflow.interpreter.dispatch import dispatch

_embedding_sum = op_expr("embedding_sum")


@function(
    "Tensor (Tensor input, Tensor weight, Tensor position_weight, Tensor positions=None, *, Int32 padding_idx=None, "
    "Double scale=1.0)",
    export="nn.functional", reference="op_references.token_and_position_embedding", samples="positions", tolerance="pointwise",
)
def token_and_position_embedding(
    input: Tensor, weight: Tensor, position_weight: Tensor, positions: Tensor | None = None, padding_idx: int | None = None,
    scale: float = 1.0,
) -> Any:  # fmt: skip
    """Embeddings of tokens plus those of their positions, in one pass.

    out[..., t] = scale * weight[input[..., t]] + position_weight[positions[..., t]]

    It is added in float32, in float64 of float64, and rounded once.

    Args:
        input: tokens, int32 or int64.
        weight: a row for each token.
        position_weight: a row for each position, of the dtype and width of `weight`.
        positions: int32 or int64, for each token, or for each index of the last dimension; default: that index.
        padding_idx: the token whose row gets no gradient; a negative one counts from the end.
        scale: a factor of the rows of tokens.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., T), (tokens, D), (positions, D) -> (..., T, D).

    Raises:
        IndexError: a token or a position that does not exist.
        RuntimeError: shapes or dtypes that do not fit.
        ValueError: padding_idx is no row, or T is more than there are positions.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: keras_hub.layers.TokenAndPositionEmbedding.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> words, places = flow.tensor([[0.0], [1.0], [2.0]]), flow.tensor([[10.0], [20.0]])
        >>> F.token_and_position_embedding(flow.tensor([2, 1]), words, places)
        tensor([[12.],
                [21.]])
    """
    positions = _checked(input, weight, position_weight, positions)
    rows = weight.meta.shape[0]
    if padding_idx is not None and not -rows <= padding_idx < rows:
        raise ArgumentValueError("token_and_position_embedding(): padding_idx must be within the rows of weight")
    padding = -1 if padding_idx is None else padding_idx % rows
    return _sum(input, weight, position_weight, positions, padding, as_float(scale))


def _sum(tokens: Tensor, weight: Tensor, places: Tensor, positions: Tensor | None, padding: int, scale: float) -> Any:
    return dispatch(_embedding_sum, (tokens, weight, places, positions), (padding,), (scale,))


@functor("EmbeddingSum")
def embedding_sum(
    tokens: Tensor, weight: Tensor, places: Tensor, positions: Tensor | None = None, padding: int = -1, scale: float = 1.0
) -> Any:
    return _sum(tokens, weight, places, positions, padding, scale)


def _checked(input: Tensor, weight: Tensor, places: Tensor, positions: Tensor | None) -> Tensor | None:
    """Positions as the op takes them: for each token, or for each index of the last dimension."""
    name = "token_and_position_embedding"
    check_index(name, input)
    require_floating(name, weight=weight, position_weight=places)
    x, w, p = input.meta, weight.meta, places.meta
    if w.dtype is not p.dtype:
        raise DTypeError(f"{name}(): expected tables of one dtype, but got {w.dtype} and {p.dtype}")
    if x.ndim < 1 or w.ndim != 2 or p.ndim != 2 or w.shape[1] != p.shape[1]:
        raise ShapeError(
            f"{name}(): expected tokens of a dimension or more, and tables (rows, D), but got"
            f" {list(x.shape)}, {list(w.shape)} and {list(p.shape)}"
        )
    if positions is None:
        if x.shape[-1] > p.shape[0]:
            raise ArgumentValueError(f"{name}(): {x.shape[-1]} tokens in a row, and {p.shape[0]} positions")
        return None
    check_index(name, positions)
    if positions.meta.ndim and positions.meta.numel == x.shape[-1] == positions.meta.shape[-1]:
        return reshape(positions, (x.shape[-1],))
    if positions.meta.shape == x.shape:
        return positions
    try:
        return expand(positions, x.shape)
    except RuntimeError:
        raise ShapeError(f"{name}(): positions {list(positions.meta.shape)} do not fit tokens {list(x.shape)}") from None


@function("Tensor (Tensor grad, Tensor tokens, Shape shape, Int32 padding, Double scale, SbpList sbp=None)", bind_python=False)
def embedding_sum_grad_weight(
    grad: Tensor, tokens: Tensor, shape: Sequence[int], padding: int, scale: float, sbp: Any = None
) -> Any:
    """The gradient of the table of tokens."""
    if padding >= 0:
        grad = where_scalar_x(unsqueeze(scalar_eq(tokens, padding), -1), 0.0, grad)
    if scale != 1.0:
        grad = scalar_mul(grad, scale)
    return index_get_grad(grad, [tokens], tuple(shape), 0, False, sbp)


@function("Tensor (Tensor grad, Tensor tokens, Shape shape, SbpList sbp=None, Tensor positions=None)", bind_python=False)
def embedding_sum_grad_positions(
    grad: Tensor, tokens: Tensor, shape: Sequence[int], sbp: Any = None, positions: Tensor | None = None
) -> Any:
    """The gradient of the table of positions. Those that all rows share are added up first."""
    ndim = tokens.meta.ndim
    if positions is None or positions.meta.ndim < ndim:
        grad = reduction.sum(grad, tuple(range(ndim - 1))) if ndim > 1 else grad
    if positions is None:
        positions = arange_end(tokens.meta.shape[-1], **beside(grad))
    return index_get_grad(grad, [positions], tuple(shape), 0, False, sbp)
