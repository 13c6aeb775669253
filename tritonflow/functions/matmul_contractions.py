"""Functors of products that are made of matrix products, or of products of elements: outer, tensordot, kron, cross and others."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from tritonflow.binding.library import also, function, functor
from tritonflow.dtypes import float32, result_type, torch_name
from tritonflow.errors import ArgumentTypeError, DTypeError, InvalidArgumentError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor, wrap_dim, wrap_own_dim
from tritonflow.functions import reduction
from tritonflow.functions.arithmetic import checked_alpha
from tritonflow.functions.cast import cast, clone
from tritonflow.functions.generated import mul
from tritonflow.functions.matmul import HALVES, batch_matmul, check_same_dtype, dot, matmul, mm, mv, unrounded_product
from tritonflow.functions.matmul_added import add_product
from tritonflow.functions.unary_complex import conj_physical
from tritonflow.functions.view import expand, reshape, squeeze, unshared, unsqueeze
from tritonflow.functions.view_orders import permute, transpose
from tritonflow.interpreter.dispatch import dispatch2
from tritonflow.ops.elementwise import broadcast_shapes

_cross = op_expr("cross")


@function("Tensor (Tensor input, Tensor vec2)", methods="outer", samples="outer", tolerance="pointwise")
@also("ger", methods="ger")
def outer(input: Tensor, vec2: Tensor) -> Any:
    """All products of an element of one vector and an element of another.

    `out[i, j] = input[i] * vec2[j]`.

    Args:
        input: a vector.
        vec2: a vector.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (m), (n) -> (m, n).

    Method: `Tensor.outer`.

    Raises:
        RuntimeError: not two vectors.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.outer.

    Example:
        >>> import tritonflow as flow
        >>> flow.outer(flow.tensor([1.0, 2.0]), flow.tensor([3.0, 4.0]))
        tensor([[3., 4.],
                [6., 8.]])
    """
    for name, tensor in (("self", input), ("vec2", vec2)):
        if tensor.meta.ndim != 1:
            raise ShapeError(f"outer: Expected 1-D argument {name}, but got {tensor.meta.ndim}-D")
    return mul(unsqueeze(input, 1), vec2)


@function("Tensor (Tensor input, Tensor other)", methods="vdot", samples="dot", tolerance="matmul", autocast="widest")
def vdot(input: Tensor, other: Tensor) -> Any:
    """The inner product of two vectors.

    `out = sum of conj(input[i]) * other[i]`.

    Args:
        input: the input.
        other: a vector of the same size and dtype.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (n), (n) -> a tensor without dimensions.

    Under `flow.autocast` it computes in the widest dtype of its operands. Method: `Tensor.vdot`.

    Raises:
        RuntimeError: not two vectors; sizes or dtypes that differ.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.vdot.

    Example:
        >>> import tritonflow as flow
        >>> flow.vdot(flow.tensor([1j, 2.0]), flow.tensor([1j, 1.0]))
        tensor(3.+0.j)
    """
    return dot(conj_physical(input), other)


@function("Tensor (Tensor input, Tensor other)", methods="inner", samples="inner", tolerance="matmul", autocast="lower")
def inner(input: Tensor, other: Tensor) -> Any:
    """The products of the rows of two tensors.

    `out = sum over k of input[..., k] * other[..., k]`, for all pairs of rows.

    Args:
        input: the input.
        other: a tensor whose last dimension has the same size.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (*, k), (+, k) -> (*, +).

    Under `flow.autocast` it computes in its dtype. Method: `Tensor.inner`.

    Raises:
        RuntimeError: last sizes or dtypes that differ.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.inner.

    Example:
        >>> import tritonflow as flow
        >>> flow.inner(flow.tensor([[1.0, 2.0], [3.0, 4.0]]), flow.tensor([1.0, 1.0]))
        tensor([3., 7.])
    """
    # The sum over the last dimension of both; a product, if one has no dimensions.
    a, b = input.meta, other.meta
    if a.dtype is not b.dtype:
        raise DTypeError(
            f"expected both vectors to have same dtype, but found {torch_name(a.dtype)} and {torch_name(b.dtype)}"
        )
    if not a.ndim or not b.ndim:
        return mul(input, other)
    if a.shape[-1] != b.shape[-1]:
        raise ShapeError(
            f"inner() the last dimension must match on both input tensors but got shapes {list(a.shape)} and {list(b.shape)}"
        )
    return _contracted(input, other, [a.ndim - 1], [b.ndim - 1])


@function(
    "Tensor (Tensor a, Tensor b, Int64 dims=2)",
    "Tensor (Tensor a, Tensor b, Tensor dims) => TensorDotTensor",
    "Tensor (Tensor a, Tensor b, PyObject dims) => TensorDotDims",
    samples="tensordot", tolerance="matmul", autocast="lower",
)
def tensordot(a: Tensor, b: Tensor, dims: int = 2) -> Any:
    """The sum of products over pairs of dimensions.

    The dimensions that are not summed over follow each other, first those of `a`.

    Args:
        a: the input.
        b: the second tensor.
        dims: how many of the last dimensions of `a` meet the first of `b`; or two lists of dimensions that
            meet.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (*, k), (k, +) -> (*, +), where k are the dimensions summed over.

    Under `flow.autocast` it computes in its dtype.

    Raises:
        RuntimeError: dimensions of different sizes meet; different dtypes.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.tensordot.

    Example:
        >>> import tritonflow as flow
        >>> flow.tensordot(flow.ones(2, 3), flow.ones(3, 4), dims=1).shape
        tritonflow.Size([2, 4])
        >>> flow.tensordot(flow.ones(2, 3), flow.ones(2, 3), dims=([0, 1], [0, 1]))
        tensor(6.)
    """
    if dims < 0:
        raise InvalidArgumentError(f"tensordot expects dims >= 0, but got dims={dims}")
    if dims > min(a.meta.ndim, b.meta.ndim):
        raise InvalidArgumentError(f"tensordot expects dims < ndim_a or ndim_b, but got dims={dims}")
    return tensordot_dims(a, b, [range(a.meta.ndim - dims, a.meta.ndim), range(dims)])


@functor("TensorDotTensor")
def tensordot_tensor(a: Tensor, b: Tensor, dims: Tensor) -> Any:
    """A tensor of one number is the number, whatever its rank."""
    if dims.meta.numel == 1:
        return tensordot(a, b, int(dims.item()))  # type: ignore[attr-defined]
    return tensordot_dims(a, b, dims.tolist())


@functor("TensorDotDims")
def tensordot_dims(a: Tensor, b: Tensor, dims: Any) -> Any:
    """The sum over pairs of dimensions, the others of `a` before those of `b`."""
    given = dims if isinstance(dims, (list, tuple)) else ()
    if not all(isinstance(one, (int, list, tuple, range)) for one in given):
        raise ArgumentTypeError("tensordot expects dims to be int or two lists of ints")
    lists = [[one] if isinstance(one, int) else list(one) for one in given]
    if len(lists) != 2 or len(lists[0]) != len(lists[1]):
        raise InvalidArgumentError("both dimension lists should have same length")
    of_a, of_b = ([wrap_own_dim(d, x.meta.ndim) for d in own] for own, x in zip(lists, (a, b)))
    for own in (of_a, of_b):
        if twice := [d for i, d in enumerate(own) if d in own[:i]]:
            raise InvalidArgumentError(f"dim {twice[0]} appears multiple times in the list of dims")
    if a.meta.dtype is not b.meta.dtype:
        raise DTypeError("both inputs should have same dtype")
    keep_a, keep_b = [], []
    for d, e in zip(of_a, of_b):
        n, m = a.meta.shape[d], b.meta.shape[e]
        if n != m and 1 not in (n, m):
            raise ShapeError(
                f"contracted dimensions need to match, but first has size {n} in dim {d} and second has size {m} in dim {e}"
            )
        if n == 1 != m:
            b = reduction.sum(b, (e,), True, b.meta.dtype)
        elif m == 1 != n:
            a = reduction.sum(a, (d,), True, a.meta.dtype)
        keep_a.append(d)
        keep_b.append(e)
    return _contracted(a, b, keep_a, keep_b)


def _contracted(a: Tensor, b: Tensor, of_a: list[int], of_b: list[int]) -> Any:
    """The sum over dimensions of equal sizes, as one product of matrices."""
    rest_a, rest_b = ([d for d in range(x.meta.ndim) if d not in own] for x, own in ((a, of_a), (b, of_b)))
    shape_a, shape_b = a.meta.shape, b.meta.shape
    rows, columns = ([shape[d] for d in rest] for shape, rest in ((shape_a, rest_a), (shape_b, rest_b)))
    k = prod([shape_a[d] for d in of_a])
    left = reshape(permute(a, (*rest_a, *of_a)), (prod(rows), k))
    right = reshape(permute(b, (*of_b, *rest_b)), (k, prod(columns)))
    return unshared(reshape(matmul(left, right), (*rows, *columns)))


@function("Tensor (Tensor input, Tensor other)", methods="kron", samples="kron", tolerance="pointwise")
def kron(input: Tensor, other: Tensor) -> Any:
    """Every element of the first times the whole of the second.

    The Kronecker product: `out[i * p + k, j * q + l] = input[i, j] * other[k, l]`.

    Args:
        input: the input.
        other: a tensor; missing dimensions count as 1.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (m, n), (p, q) -> (m p, n q), and so on for other numbers of dimensions.

    Method: `Tensor.kron`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.kron.

    Example:
        >>> import tritonflow as flow
        >>> flow.kron(flow.eye(2), flow.tensor([[1.0, 2.0]]))
        tensor([[1., 2., 0., 0.],
                [0., 0., 1., 2.]])
    """
    # Every element of the first times the whole of the second.
    ndim = max(input.meta.ndim, other.meta.ndim)
    a, b = ((1,) * (ndim - x.meta.ndim) + x.meta.shape for x in (input, other))
    left = reshape(input, tuple([n for size in a for n in (size, 1)]))
    right = reshape(other, tuple([n for size in b for n in (1, size)]))
    return unshared(reshape(mul(left, right), tuple([n * m for n, m in zip(a, b)])))


@functor("Cross")
def cross(input: Tensor, other: Tensor, dim: int | None = None) -> Any:
    """The vector product along a dimension of size 3, the first one unless said."""
    a, b = input.meta.shape, other.meta.shape
    if len(a) != len(b):
        raise ShapeError(f"linalg.cross: inputs must have the same number of dimensions. Got {list(a)} and {list(b)}")
    shape = broadcast_shapes([a, b])
    if dim is None:
        dim = next((d for d, n in enumerate(shape) if n == 3), None)
        if dim is None:
            raise ShapeError("no dimension of size 3 in input")
    at = wrap_dim(dim, len(shape))
    if not shape or a[at] != 3 or b[at] != 3:
        raise ShapeError(f"linalg.cross: inputs dimension {dim} must have length 3. Got {list(a)} and {list(b)}")
    dtype = result_type([(x.meta.dtype, x.meta.ndim) for x in (input, other)])
    return dispatch2(_cross, expand(cast(input, dtype), shape), expand(cast(other, dtype), shape), (at,))


@function("Tensor (TensorTuple matrices)", samples="chain_matmul", tolerance="matmul", autocast="lower")
def chain_matmul(matrices: Sequence[Tensor]) -> Any:
    """The product of matrices, in the order that multiplies least.

    `matrices[0] @ matrices[1] @ ...`. Superseded by `flow.linalg.multi_dot`.

    Args:
        matrices: one or more, each with as many columns as the next has rows.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (n1, n2), (n2, n3), ... -> (n1, nk).

    Under `flow.autocast` it computes in its dtype.

    Raises:
        RuntimeError: sizes that do not fit.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.chain_matmul.

    Example:
        >>> import tritonflow as flow
        >>> flow.chain_matmul(flow.ones(2, 3), flow.ones(3, 4), flow.ones(4, 1))
        tensor([[12.],
                [12.]])
    """
    # The product of matrices, in the order that multiplies least.
    if not matrices:
        raise InvalidArgumentError("chain_matmul(): Expected one or more matrices")
    for position, matrix in enumerate(matrices):
        if matrix.meta.ndim != 2:
            raise ShapeError(f"Tensor {position} should be 2-D, but got {matrix.meta.ndim}-D")
    if len(matrices) == 1:
        return clone(matrices[0])
    cuts = _best_cuts([matrices[0].meta.shape[0], *[m.meta.shape[1] for m in matrices]])
    return _product(matrices, cuts, 0, len(matrices) - 1)


def _product(matrices: Any, cuts: dict[tuple[int, int], int], first: int, last: int) -> Any:
    """The product of the matrices `first` to `last`."""
    if first == last:
        return matrices[first]
    cut = cuts[first, last]
    return mm(_product(matrices, cuts, first, cut), _product(matrices, cuts, cut + 1, last))


def _best_cuts(sizes: list[int]) -> dict[tuple[int, int], int]:
    """Behind which matrix the product of the matrices `first` to `last` is cut in two. Source: CLRS."""
    count = len(sizes) - 1
    cost = {(k, k): 0 for k in range(count)}
    cuts = {}
    for length in range(1, count):
        for first in range(count - length):
            last = first + length
            costs = [
                (cost[first, cut] + cost[cut + 1, last] + sizes[first] * sizes[cut + 1] * sizes[last + 1], cut)
                for cut in range(first, last)
            ]
            cost[first, last], cuts[first, last] = min(costs)
    return cuts


@function(
    "Tensor (Tensor input, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1, Bool inplace=False)",
    methods=("addmv", "addmv_"), samples="addmv", tolerance="matmul", autocast="lower",
)
def addmv(input: Tensor, mat: Tensor, vec: Tensor, beta: Any = 1, alpha: Any = 1, inplace: bool = False) -> Any:
    """beta * input + alpha * mat @ vec.

    `out = beta * input + alpha * (mat @ vec)`. With beta = 0 NaN of the input is ignored.

    Args:
        input: what is added, broadcast to the product.
        mat: the matrix.
        vec: the vector.
        beta: the factor of `input`.
        alpha: the factor of the product.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        input, mat (m, n), vec (n) -> (m).

    Under `flow.autocast` it computes in its dtype. Methods: `Tensor.addmv` and `Tensor.addmv_`.

    Raises:
        RuntimeError: not a matrix and a vector; sizes or dtypes that differ.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.addmv.

    Example:
        >>> import tritonflow as flow
        >>> flow.addmv(flow.ones(2), flow.eye(2), flow.tensor([1.0, 2.0]))
        tensor([2., 3.])
    """
    _check_vector_operands(input, mat, vec)
    if mat.meta.dtype not in HALVES or mat.meta.shape[1] != vec.meta.shape[0]:
        return add_product(input, mv(mat, vec), beta, alpha, inplace)
    product = squeeze(unrounded_product(mat, unsqueeze(vec, 1)), (1,))
    return add_product(input, product, beta, alpha, inplace)


def _check_vector_operands(input: Tensor, mat: Tensor, vec: Tensor) -> None:
    if mat.meta.ndim != 2 or vec.meta.ndim != 1 or input.meta.ndim > 1:
        raise ShapeError(f"vector + matrix @ vector expected, got {input.meta.ndim}, {mat.meta.ndim}, {vec.meta.ndim}")
    check_same_dtype(input, mat)


@function(
    "Tensor (Tensor input, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1, Bool inplace=False)",
    methods=("addr", "addr_"), samples="addr", tolerance="pointwise", autocast="lower",
)
def addr(input: Tensor, vec1: Tensor, vec2: Tensor, beta: Any = 1, alpha: Any = 1, inplace: bool = False) -> Any:
    """beta * input + alpha * outer(vec1, vec2).

    `out = beta * input + alpha * outer(vec1, vec2)`. With beta = 0 NaN of the input is ignored.

    Args:
        input: what is added, broadcast to the product.
        vec1: the vector of the rows.
        vec2: the vector of the columns.
        beta: the factor of `input`.
        alpha: the factor of the product.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        input, vec1 (m), vec2 (n) -> (m, n).

    Under `flow.autocast` it computes in its dtype. Methods: `Tensor.addr` and `Tensor.addr_`.

    Raises:
        RuntimeError: not two vectors; sizes or dtypes that do not fit.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.addr.

    Example:
        >>> import tritonflow as flow
        >>> flow.addr(flow.ones(2, 2), flow.tensor([1.0, 2.0]), flow.tensor([3.0, 4.0]))
        tensor([[4., 5.],
                [7., 9.]])
    """
    for name, vec in (("vec1", vec1), ("vec2", vec2)):
        if vec.meta.ndim != 1:
            raise ShapeError(f"addr: Expected 1-D argument {name}, but got {vec.meta.ndim}-D")
    if input.meta.dtype in HALVES and input.meta.dtype is vec1.meta.dtype is vec2.meta.dtype:
        vec1, vec2 = cast(vec1, float32), cast(vec2, float32)  # whose products are rounded with the sum
    product = outer(vec1, vec2)
    beta, alpha = (checked_alpha(one, input, product) for one in (beta, alpha))
    return add_product(input, product, beta, alpha, inplace)


@function(
    "Tensor (Tensor input, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1, Bool inplace=False)",
    methods=("addbmm", "addbmm_"), samples="addbmm", tolerance="matmul", autocast="lower",
)
def addbmm(input: Tensor, batch1: Tensor, batch2: Tensor, beta: Any = 1, alpha: Any = 1, inplace: bool = False) -> Any:
    """beta * input + alpha * the sum of the products of a batch.

    `out = beta * input + alpha * sum over b of batch1[b] @ batch2[b]`. With beta = 0 NaN of the input
    is ignored.

    Args:
        input: what is added, broadcast to the sum.
        batch1: the left matrices.
        batch2: the right matrices.
        beta: the factor of `input`.
        alpha: the factor of the sum.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        input, batch1 (b, m, k), batch2 (b, k, n) -> (m, n).

    Under `flow.autocast` it computes in its dtype. Methods: `Tensor.addbmm` and `Tensor.addbmm_`.

    Raises:
        RuntimeError: not two batches; sizes or dtypes that differ.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.addbmm.

    Example:
        >>> import tritonflow as flow
        >>> flow.addbmm(flow.ones(1, 1), flow.ones(2, 1, 3), flow.ones(2, 3, 1))
        tensor([[7.]])
    """
    # The products of a batch, added up: one product of matrices whose inner dimension is the batch's, too.
    for name, batch in (("batch1", batch1), ("batch2", batch2)):
        if batch.meta.ndim != 3:
            raise ShapeError(f"{name} must be a 3D tensor")
    (count, rows, k), (other, inner_, columns) = batch1.meta.shape, batch2.meta.shape
    if (count, k) != (other, inner_):
        return batch_matmul(batch1, batch2)  # which says what is wrong
    check_same_dtype(input, batch1)
    left = reshape(transpose(batch1, 0, 1), (rows, count * k))
    product = unrounded_product(left, reshape(batch2, (count * k, columns)))
    return add_product(input, product, beta, alpha, inplace)
