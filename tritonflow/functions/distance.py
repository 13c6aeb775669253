"""The functor of cosine_similarity: operands are promoted and broadcast, and the dimension goes."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import function, functor
from tritonflow.dtypes import result_type, torch_name
from tritonflow.errors import DTypeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor, wrap_dim
from tritonflow.functions.arithmetic import scalar_add, sub
from tritonflow.functions.cast import cast
from tritonflow.functions.reduction import norm
from tritonflow.functions.view import expand, squeeze, unshared
from tritonflow.interpreter.dispatch import dispatch
from tritonflow.ops.elementwise import broadcast_shapes

_cosine_similarity = op_expr("cosine_similarity")


@functor("CosineSimilarity")
def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Any:
    dtype = result_type([(x.meta.dtype, x.meta.ndim) for x in (x1, x2)])
    if not dtype.is_floating_point:
        raise DTypeError(f"expected common dtype to be floating point, yet common dtype is {torch_name(dtype)}")
    shape = broadcast_shapes([x1.meta.shape, x2.meta.shape])
    dim = wrap_dim(dim, len(shape))
    operands = tuple([expand(x if x.meta.dtype is dtype else cast(x, dtype), shape) for x in (x1, x2)])
    cosine = dispatch(_cosine_similarity, operands, (dim,), (float(eps),))[0]
    return unshared(squeeze(cosine, (dim,))) if shape else cosine


@function(
    "Tensor (Tensor x1, Tensor x2, Double p=2.0, Double eps=1e-6, Bool keepdim=False)",
    export=("flow", "nn.functional"), reference="torch.nn.functional.pairwise_distance", samples="pairwise_distance",
    tolerance="norm",
)
def pairwise_distance(x1: Tensor, x2: Tensor, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> Any:
    """The p-norm of x1 - x2 + eps along the last dimension.

    Args:
        x1: vectors.
        x2: vectors, which broadcast with x1.
        p: which norm.
        eps: what is added to every difference, so that the gradient is finite.
        keepdim: whether reduced dimensions stay, with size 1.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., D), (..., D) -> (...), with keepdim (..., 1).

    Raises:
        RuntimeError: shapes that do not broadcast.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.pairwise_distance.

    Example:
        >>> import tritonflow as flow
        >>> flow.pairwise_distance(flow.tensor([[0.0, 0.0]]), flow.tensor([[3.0, 4.0]]), eps=0.0)
        tensor([5.])
    """
    return norm(scalar_add(sub(x1, x2), eps), p, (-1,), keepdim)
