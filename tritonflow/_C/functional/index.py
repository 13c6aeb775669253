"""Functions of the binding: index.

Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow.framework.tensor import Size as _Size
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.binding.arguments import Binding as _Binding, all_ints as _all_ints, all_tensors as _all_tensors
from tritonflow.functions.index import (embedding as _embedding, gather as _gather, gather_grad as _gather_grad,
        index_add as _index_add, index_get as _index_get, index_get_grad as _index_get_grad, index_put as _index_put,
        index_put_grad as _index_put_grad, index_select as _index_select, masked_select as _masked_select, nonzero as _non_zero,
        one_hot as _one_hot, scatter as _scatter, scatter_add as _scatter_add, scatter_grad as _scatter_grad,
        scatter_scalar as _scatter_scalar, scatter_source_grad as _scatter_source_grad, unravel_index as _unravel_index)
from tritonflow.functions.index_bags import (embedding_bag as _embedding_bag)
from tritonflow.functions.index_forms import (index_copy as _index_copy, index_fill as _index_fill,
        index_fill_tensor as _index_fill_tensor, index_put_items as _index_put_items, masked_scatter as _masked_scatter,
        nonzero_static as _non_zero_static, put as _put, take as _take, take_along_dim as _take_along_dim)
from tritonflow.functions.index_masks import (masked_fill as _masked_fill, masked_fill_tensor as _masked_fill_tensor)
from tritonflow.functions.index_oneflow import (one_hot_values as _one_hot_values)
from tritonflow.functions.index_sampling_grids import (affine_grid as _affine_grid, grid_sample as _grid_sample,
        grid_sample_points as _grid_sample_points, grid_sample_slopes as _grid_sample_slopes,
        grid_sample_slopes_grad as _grid_sample_slopes_grad, grid_sample_spread as _grid_sample_spread,
        grid_sampler as _grid_sampler, grid_sampler_2d as _grid_sampler2d, grid_sampler_3d as _grid_sampler3d)
from tritonflow.functions.index_scatter_reduce import (index_reduce as _index_reduce, scatter_fold as _scatter_fold,
        scatter_fold_grad as _scatter_fold_grad, scatter_reduce as _scatter_reduce)
from tritonflow.functions.index_search import (bincount as _bin_count, bucketize as _bucketize,
        bucketize_scalar as _bucketize_scalar, isin as _is_in, isin_scalar_element as _is_in_scalar_element,
        isin_scalar_tests as _is_in_scalar_tests, searchsorted as _search_sorted, searchsorted_scalar as _search_sorted_scalar,
        unique as _unique, unique_consecutive as _unique_consecutive)
from tritonflow.functions.index_segments import (segment_reduce as _segment_reduce)
from tritonflow.binding.library import publish as _publish
from tritonflow.binding.prototype import MISSING as _missing

_argwhere_slow = _Binding("argwhere", "Tensor (Tensor input)", _non_zero, methods="argwhere")
def argwhere(input=_missing, *extra, **unknown):
    """The coordinates of the elements that are not zero, a row each.

    In row-major order. The number of rows depends on the numbers, so a graph cannot capture it;
    `flow.nonzero_static` has a fixed one.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        n dimensions -> (number of elements that are not 0, n), int64.

    Not differentiable: gives no floating values. Method: `Tensor.argwhere`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.argwhere.

    Example:
        >>> import tritonflow as flow
        >>> flow.argwhere(flow.tensor([[0, 5], [7, 0]]))
        tensor([[0, 1],
                [1, 0]])
    """
    if input.__class__ is _Tensor and not extra and not unknown:
        return _non_zero(input)
    return _argwhere_slow((input,), extra, unknown)

_nonzero_slow = _Binding("nonzero", "Tensor (Tensor input, Bool as_tuple=False)", _non_zero, methods="nonzero")
def nonzero(input=_missing, as_tuple=False, *extra, **unknown):
    """The coordinates of the elements that are not zero, a row each.

    In row-major order. With as_tuple they are a vector for each dimension, which indexes the input.

    Args:
        input: the input.
        as_tuple: whether the result is a tuple of vectors.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        n dimensions -> (number of elements that are not 0, n), int64; or n vectors.

    Not differentiable. Method: `Tensor.nonzero`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nonzero.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.tensor([[0, 5], [7, 0]])
        >>> flow.nonzero(x)
        tensor([[0, 1],
                [1, 0]])
        >>> x[flow.nonzero(x, as_tuple=True)]
        tensor([5, 7])
    """
    if input.__class__ is _Tensor and (as_tuple is False or as_tuple is True) and not extra and not unknown:
        return _non_zero(input, as_tuple)
    return _nonzero_slow((input, as_tuple), extra, unknown)

_masked_select_slow = _Binding("masked_select", "Tensor (Tensor input, Tensor mask)", _masked_select, methods="masked_select")
def masked_select(input=_missing, mask=_missing, *extra, **unknown):
    """The elements where the mask is true, as a vector.

    In row-major order; input and mask broadcast first.

    Args:
        input: the input.
        mask: bool.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        shapes that broadcast -> (number of true elements).

    Method: `Tensor.masked_select`.

    Raises:
        RuntimeError: a mask that is not bool, or shapes that do not broadcast.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.masked_select.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.tensor([1, 2, 3])
        >>> flow.masked_select(x, x > 1)
        tensor([2, 3])
    """
    if input.__class__ is _Tensor and mask.__class__ is _Tensor and not extra and not unknown:
        return _masked_select(input, mask)
    return _masked_select_slow((input, mask), extra, unknown)

_masked_fill_slow = _Binding("masked_fill", "Tensor (Tensor input, Tensor mask, Tensor value, *, Bool inplace=False)",
        _masked_fill_tensor, "Tensor (Tensor input, Tensor mask, Scalar value, *, Bool inplace=False)", _masked_fill,
        methods="masked_fill")
def masked_fill(input=_missing, mask=_missing, value=_missing, *extra, inplace=False, **unknown):
    """A number where a mask holds.

    Args:
        input: the input.
        mask: bool, which broadcasts with the input.
        value: a number, or a tensor without dimensions.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        shapes that broadcast -> the common shape.

    Dtypes:
        The result has the dtype of `input`.

    Differentiable in `input`. Methods: `Tensor.masked_fill` and `Tensor.masked_fill_`.

    Raises:
        RuntimeError: a mask that is not bool, or a value with dimensions; the shapes cannot be broadcast
            together.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.masked_fill.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.tensor([1.0, 2.0, 3.0])
        >>> flow.masked_fill(x, x > 1, 0.0)
        tensor([1., 0., 0.])
    """
    if (input.__class__ is _Tensor and mask.__class__ is _Tensor and value.__class__ is _Tensor and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _masked_fill_tensor(input, mask, value, inplace)
    if (input.__class__ is _Tensor and mask.__class__ is _Tensor and (value.__class__ is float or value.__class__ is int) and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _masked_fill(input, mask, value, inplace)
    return _masked_fill_slow((input, mask, value, inplace), extra, unknown)

_masked_fill__slow = _Binding("masked_fill_", "Tensor (Tensor input, Tensor mask, Tensor value)", _masked_fill_tensor,
        "Tensor (Tensor input, Tensor mask, Scalar value)", _masked_fill, methods="masked_fill_", inplace=True)
def masked_fill_(input=_missing, mask=_missing, value=_missing, *extra, **unknown):
    """In place: a number where a mask holds.

    The result is written over `input`, which keeps its shape and dtype, and is returned. See
    `flow.masked_fill`.

    Args:
        input: the input.
        mask: bool, which broadcasts with the input.
        value: a number, or a tensor without dimensions.

    Raises:
        RuntimeError: a mask that is not bool, or a value with dimensions; the shapes cannot be broadcast
            together; the result does not fit the shape or the kind of dtype of `input`; `input` is a leaf
            that requires grad.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.masked_fill.
    """
    if input.__class__ is _Tensor and mask.__class__ is _Tensor and value.__class__ is _Tensor and not extra and not unknown:
        return _masked_fill_tensor(input, mask, value, inplace=True)
    if (input.__class__ is _Tensor and mask.__class__ is _Tensor and (value.__class__ is float or value.__class__ is int) and
            not extra and not unknown):
        return _masked_fill(input, mask, value, inplace=True)
    return _masked_fill__slow((input, mask, value), extra, unknown)

_index_get_slow = _Binding("index_get", "Tensor (Tensor input, TensorTuple indices, Int32 dim=0, Bool wrap=True)", _index_get)
def index_get(input=_missing, indices=_missing, dim=0, wrap=True, *extra, **unknown):
    """the elements at index tensors for neighbouring dimensions"""
    if (input.__class__ is _Tensor and indices.__class__ is tuple and dim.__class__ is int and (wrap is True or wrap is False) and
            not extra and not unknown and _all_tensors(indices)):
        return _index_get(input, indices, dim, wrap)
    return _index_get_slow((input, indices, dim, wrap), extra, unknown)

_index_get_grad_slow = _Binding("index_get_grad",
        "Tensor (Tensor dy, TensorTuple indices, Shape shape, Int32 dim, Bool wrap, SbpList sbp=None)", _index_get_grad)
def index_get_grad(dy=_missing, indices=_missing, shape=_missing, dim=_missing, wrap=_missing, sbp=None, *extra, **unknown):
    """zeros with dy added at the indices; of a consistent tensor preferably laid out by sbp"""
    if (dy.__class__ is _Tensor and indices.__class__ is tuple and (shape.__class__ is _Size or shape.__class__ is tuple and
            _all_ints(shape)) and dim.__class__ is int and (wrap is False or wrap is True) and sbp is None and not extra and
            not unknown and _all_tensors(indices)):
        return _index_get_grad(dy, indices, shape, dim, wrap, sbp)
    return _index_get_grad_slow((dy, indices, shape, dim, wrap, sbp), extra, unknown)

_index_write_slow = _Binding("index_write",
        "Tensor (Tensor input, Tensor value, TensorTuple indices, Int32 dim=0, Bool accumulate=False, Bool wrap=True, Bool inplace=False)",
        _index_put)
def index_write(input=_missing, value=_missing, indices=_missing, dim=0, accumulate=False, wrap=True, inplace=False, *extra,
        **unknown):
    """input with value written (or added) at index tensors for neighbouring dimensions"""
    if (input.__class__ is _Tensor and value.__class__ is _Tensor and indices.__class__ is tuple and dim.__class__ is int and
            (accumulate is False or accumulate is True) and (wrap is True or wrap is False) and
            (inplace is False or inplace is True) and not extra and not unknown and _all_tensors(indices)):
        return _index_put(input, value, indices, dim, accumulate, wrap, inplace)
    return _index_write_slow((input, value, indices, dim, accumulate, wrap, inplace), extra, unknown)

_index_put_grad_slow = _Binding("index_put_grad", "Tensor (Tensor dy, TensorTuple indices, Int32 dim, Bool accumulate)",
        _index_put_grad)
def index_put_grad(dy=_missing, indices=_missing, dim=_missing, accumulate=_missing, *extra, **unknown):
    """the gradient of the tensor that index_put writes to"""
    if (dy.__class__ is _Tensor and indices.__class__ is tuple and dim.__class__ is int and
            (accumulate is False or accumulate is True) and not extra and not unknown and _all_tensors(indices)):
        return _index_put_grad(dy, indices, dim, accumulate)
    return _index_put_grad_slow((dy, indices, dim, accumulate), extra, unknown)

_index_select_slow = _Binding("index_select", "Tensor (Tensor input, Int32 dim, Tensor index)", _index_select,
        methods="index_select")
def index_select(input=_missing, dim=_missing, index=_missing, *extra, **unknown):
    """The entries of a dimension at the indices of a vector.

    Indices from the end are refused. The gradient adds up where an index occurs twice.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        index: a vector, int32 or int64.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...), (k) -> (..., k, ...).

    Method: `Tensor.index_select`.

    Raises:
        IndexError: an index outside of the dimension, or more than 1 dimension of indices; `dim` is out of
            range.
        RuntimeError: indices of another dtype.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.index_select.

    Example:
        >>> import tritonflow as flow
        >>> flow.index_select(flow.tensor([[1, 2], [3, 4]]), 1, flow.tensor([1, 1, 0]))
        tensor([[2, 2, 1],
                [4, 4, 3]])
    """
    if input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and not extra and not unknown:
        return _index_select(input, dim, index)
    return _index_select_slow((input, dim, index), extra, unknown)

_index_add_slow = _Binding("index_add",
        "Tensor (Tensor input, Int32 dim, Tensor index, Tensor source, *, Scalar alpha=1, Bool inplace=False)", _index_add,
        methods="index_add")
def index_add(input=_missing, dim=_missing, index=_missing, source=_missing, *extra, alpha=1, inplace=False, **unknown):
    """input with alpha * source added at the indices of a vector along a dimension.

    Where an index occurs several times, all are added.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        index: a vector, int32 or int64.
        source: an entry for each index.
        alpha: the factor of the source.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...), (k), (..., k, ...) -> (..., n, ...).

    Methods: `Tensor.index_add` and `Tensor.index_add_`.

    Raises:
        IndexError: an index outside of the dimension; `dim` is out of range.
        RuntimeError: shapes or dtypes that do not fit.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.index_add.

    Example:
        >>> import tritonflow as flow
        >>> flow.index_add(flow.zeros(3), 0, flow.tensor([0, 2, 0]), flow.tensor([1.0, 2.0, 3.0]))
        tensor([4., 0., 2.])
    """
    if (input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and source.__class__ is _Tensor and
            (alpha.__class__ is int or alpha.__class__ is float) and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _index_add(input, dim, index, source, alpha, inplace)
    return _index_add_slow((input, dim, index, source, alpha, inplace), extra, unknown)

_index_add__slow = _Binding("index_add_", "Tensor (Tensor input, Int32 dim, Tensor index, Tensor source, *, Scalar alpha=1)",
        _index_add, methods="index_add_", inplace=True)
def index_add_(input=_missing, dim=_missing, index=_missing, source=_missing, *extra, alpha=1, **unknown):
    """In place: input with alpha * source added at the indices of a vector along a dimension.

    The result is written over `input`, which keeps its shape and dtype, and is returned. See
    `flow.index_add`.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        index: a vector, int32 or int64.
        source: an entry for each index.
        alpha: the factor of the source.

    Raises:
        IndexError: an index outside of the dimension; `dim` is out of range.
        RuntimeError: shapes or dtypes that do not fit; the result does not fit the shape or the kind of
            dtype of `input`; `input` is a leaf that requires grad.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.index_add.
    """
    if (input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and source.__class__ is _Tensor and
            (alpha.__class__ is int or alpha.__class__ is float) and not extra and not unknown):
        return _index_add(input, dim, index, source, alpha, inplace=True)
    return _index_add__slow((input, dim, index, source, alpha), extra, unknown)

_gather_slow = _Binding("gather", "Tensor (Tensor input, Int32 dim, Tensor index, *, Bool sparse_grad=False)", _gather,
        methods="gather")
def gather(input=_missing, dim=_missing, index=_missing, *extra, sparse_grad=False, **unknown):
    """y[i][j] = input[index[i][j]][j] for dim 0.

    Of three dimensions, for dim 1: out[i][j][k] = input[i][index[i][j][k]][k].

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        index: positions along dim, int32 or int64; no larger than the input in the other dimensions.
        sparse_grad: torch's; the gradient is dense.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...), (..., k, ...) -> the shape of index.

    Differentiable. Method: `Tensor.gather`.

    Raises:
        IndexError: an index outside of the dimension; `dim` is out of range.
        RuntimeError: indices of another dtype, or of a shape that does not fit.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.gather.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.tensor([[1, 2], [3, 4]])
        >>> flow.gather(x, 1, flow.tensor([[0, 0], [1, 0]]))
        tensor([[1, 1],
                [4, 3]])
    """
    if (input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and
            (sparse_grad is False or sparse_grad is True) and not extra and not unknown):
        return _gather(input, dim, index, sparse_grad)
    return _gather_slow((input, dim, index, sparse_grad), extra, unknown)

_gather_grad_slow = _Binding("gather_grad", "Tensor (Tensor dy, Int32 dim, Tensor index, Shape shape)", _gather_grad)
def gather_grad(dy=_missing, dim=_missing, index=_missing, shape=_missing, *extra, **unknown):
    """zeros with dy added where gather read"""
    if (dy.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and
            (shape.__class__ is _Size or shape.__class__ is tuple and _all_ints(shape)) and not extra and not unknown):
        return _gather_grad(dy, dim, index, shape)
    return _gather_grad_slow((dy, dim, index, shape), extra, unknown)

_scatter_slow = _Binding("scatter",
        "Tensor (Tensor input, Int32 dim, Tensor index, Tensor src, *, String reduce=None, Bool inplace=False)", _scatter,
        "Tensor (Tensor input, Int32 dim, Tensor index, Scalar src, *, String reduce=None, Bool inplace=False)", _scatter_scalar,
        "Tensor (Tensor input, Int32 dim, Tensor index, Scalar value, *, String reduce=None, Bool inplace=False)",
        _scatter_scalar, methods="scatter")
def scatter(input=_missing, dim=_missing, index=_missing, src=_missing, *extra, reduce=None, inplace=False, value=_missing,
        **unknown):
    """input with input[index[i][j]][j] = src[i][j] for dim 0.

    A copy. Where several elements go to one place, any of them may be the one that stays; with a reduce
    all are added or multiplied.

    Overloads:
        - `scatter(input: Tensor, dim: int, index: Tensor, src: Tensor, *, reduce: str | None = None) -> Tensor`
        - `scatter(input: Tensor, dim: int, index: Tensor, src: Scalar, *, reduce: str | None = None) -> Tensor`
        - `scatter(input: Tensor, dim: int, index: Tensor, value: Scalar, *, reduce: str | None = None) -> Tensor`

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        index: positions along dim, int32 or int64.
        src: what is written, at least as large as index, or a number.
        reduce: "add" or "multiply" instead of writing.
        inplace: whether the result is written over the input.
        value: a number that is written.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...), (..., k, ...), (..., k, ...) -> the shape of input.

    Differentiable. Methods: `Tensor.scatter` and `Tensor.scatter_`.

    Raises:
        IndexError: an index outside of the dimension; `dim` is out of range.
        RuntimeError: dtypes or shapes that do not fit, or another reduce.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.scatter.

    Example:
        >>> import tritonflow as flow
        >>> flow.scatter(flow.zeros(2, 3), 1, flow.tensor([[2], [0]]), flow.tensor([[5.0], [7.0]]))
        tensor([[0., 0., 5.],
                [7., 0., 0.]])
    """
    if (input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and src.__class__ is _Tensor and
            (reduce is None or reduce.__class__ is str) and (inplace is False or inplace is True) and value is _missing and
            not extra and not unknown):
        return _scatter(input, dim, index, src, reduce, inplace)
    if (input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and
            (src.__class__ is float or src.__class__ is int) and (reduce is None or reduce.__class__ is str) and
            (inplace is False or inplace is True) and value is _missing and not extra and not unknown):
        return _scatter_scalar(input, dim, index, src, reduce, inplace)
    return _scatter_slow((input, dim, index, src, reduce, inplace, value), extra, unknown)

_scatter__slow = _Binding("scatter_", "Tensor (Tensor input, Int32 dim, Tensor index, Tensor src, *, String reduce=None)",
        _scatter, "Tensor (Tensor input, Int32 dim, Tensor index, Scalar src, *, String reduce=None)", _scatter_scalar,
        "Tensor (Tensor input, Int32 dim, Tensor index, Scalar value, *, String reduce=None)", _scatter_scalar,
        methods="scatter_", inplace=True)
def scatter_(input=_missing, dim=_missing, index=_missing, src=_missing, *extra, reduce=None, value=_missing, **unknown):
    """In place: input with input[index[i][j]][j] = src[i][j] for dim 0.

    The result is written over `input`, which keeps its shape and dtype, and is returned. See
    `flow.scatter`.

    Overloads:
        - `scatter_(input: Tensor, dim: int, index: Tensor, src: Tensor, *, reduce: str | None = None) -> Tensor`
        - `scatter_(input: Tensor, dim: int, index: Tensor, src: Scalar, *, reduce: str | None = None) -> Tensor`
        - `scatter_(input: Tensor, dim: int, index: Tensor, value: Scalar, *, reduce: str | None = None) -> Tensor`

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        index: positions along dim, int32 or int64.
        src: what is written, at least as large as index, or a number.
        reduce: "add" or "multiply" instead of writing.
        value: a number that is written.

    Raises:
        IndexError: an index outside of the dimension; `dim` is out of range.
        RuntimeError: dtypes or shapes that do not fit, or another reduce; the result does not fit the shape
            or the kind of dtype of `input`; `input` is a leaf that requires grad.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.scatter.
    """
    if (input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and src.__class__ is _Tensor and
            (reduce is None or reduce.__class__ is str) and value is _missing and not extra and not unknown):
        return _scatter(input, dim, index, src, reduce, inplace=True)
    if (input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and
            (src.__class__ is float or src.__class__ is int) and (reduce is None or reduce.__class__ is str) and value is _missing
            and not extra and not unknown):
        return _scatter_scalar(input, dim, index, src, reduce, inplace=True)
    return _scatter__slow((input, dim, index, src, reduce, value), extra, unknown)

_scatter_add_slow = _Binding("scatter_add", "Tensor (Tensor input, Int32 dim, Tensor index, Tensor src, *, Bool inplace=False)",
        _scatter_add, methods="scatter_add", autocast="widest")
def scatter_add(input=_missing, dim=_missing, index=_missing, src=_missing, *extra, inplace=False, **unknown):
    """input with input[index[i][j]][j] += src[i][j] for dim 0.

    A copy. Where several elements go to one place, all are added.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        index: positions along dim, int32 or int64.
        src: what is added, at least as large as index.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...), (..., k, ...), (..., k, ...) -> the shape of input.

    Under `flow.autocast` it computes in the widest dtype of its operands. Methods: `Tensor.scatter_add`
    and `Tensor.scatter_add_`.

    Raises:
        IndexError: an index outside of the dimension; `dim` is out of range.
        RuntimeError: dtypes or shapes that do not fit.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.scatter_add.

    Example:
        >>> import tritonflow as flow
        >>> flow.scatter_add(flow.zeros(3), 0, flow.tensor([0, 2, 0]), flow.tensor([1.0, 2.0, 3.0]))
        tensor([4., 0., 2.])
    """
    if (input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and src.__class__ is _Tensor and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _scatter_add(input, dim, index, src, inplace)
    return _scatter_add_slow((input, dim, index, src, inplace), extra, unknown)

_scatter_add__slow = _Binding("scatter_add_", "Tensor (Tensor input, Int32 dim, Tensor index, Tensor src)", _scatter_add,
        methods="scatter_add_", autocast="widest", inplace=True)
def scatter_add_(input=_missing, dim=_missing, index=_missing, src=_missing, *extra, **unknown):
    """In place: input with input[index[i][j]][j] += src[i][j] for dim 0.

    The result is written over `input`, which keeps its shape and dtype, and is returned. See
    `flow.scatter_add`.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        index: positions along dim, int32 or int64.
        src: what is added, at least as large as index.

    Raises:
        IndexError: an index outside of the dimension; `dim` is out of range.
        RuntimeError: dtypes or shapes that do not fit; the result does not fit the shape or the kind of
            dtype of `input`; `input` is a leaf that requires grad.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.scatter_add.
    """
    if (input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and src.__class__ is _Tensor and
            not extra and not unknown):
        return _scatter_add(input, dim, index, src, inplace=True)
    return _scatter_add__slow((input, dim, index, src), extra, unknown)

_scatter_fold_slow = _Binding("scatter_fold",
        "Tensor (Tensor input, Int32 dim, Tensor index, Tensor src, String fold, Bool include_self=True, Bool inplace=False)",
        _scatter_fold)
def scatter_fold(input=_missing, dim=_missing, index=_missing, src=_missing, fold=_missing, include_self=True, inplace=False,
        *extra, **unknown):
    """input with a fold (mul, maximum, minimum) of itself and src where the index says"""
    if (input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and src.__class__ is _Tensor and
            fold.__class__ is str and (include_self is True or include_self is False) and (inplace is False or inplace is True)
            and not extra and not unknown):
        return _scatter_fold(input, dim, index, src, fold, include_self, inplace)
    return _scatter_fold_slow((input, dim, index, src, fold, include_self, inplace), extra, unknown)

_scatter_fold_grad_slow = _Binding("scatter_fold_grad",
        "TensorTuple (Tensor dy, Tensor x, Tensor src, Tensor index, Tensor y, Int32 dim, String fold, Bool include_self=True)",
        _scatter_fold_grad)
def scatter_fold_grad(dy=_missing, x=_missing, src=_missing, index=_missing, y=_missing, dim=_missing, fold=_missing,
        include_self=True, *extra, **unknown):
    """the gradients of scatter_fold"""
    if (dy.__class__ is _Tensor and x.__class__ is _Tensor and src.__class__ is _Tensor and index.__class__ is _Tensor and
            y.__class__ is _Tensor and dim.__class__ is int and fold.__class__ is str and
            (include_self is True or include_self is False) and not extra and not unknown):
        return _scatter_fold_grad(dy, x, src, index, y, dim, fold, include_self)
    return _scatter_fold_grad_slow((dy, x, src, index, y, dim, fold, include_self), extra, unknown)

_scatter_reduce_slow = _Binding("scatter_reduce",
        "Tensor (Tensor input, Int32 dim, Tensor index, Tensor src, String reduce, *, Bool include_self=True, Bool inplace=False)",
        _scatter_reduce, methods="scatter_reduce")
def scatter_reduce(input=_missing, dim=_missing, index=_missing, src=_missing, reduce=_missing, *extra, include_self=True,
        inplace=False, **unknown):
    """input with src folded in where the index says, by sum, prod, mean, amax or amin.

    A copy. For dim 0 and "sum" input[index[i][j]][j] += src[i][j]. A place that no index names keeps
    its number. Equal maxima or minima share the gradient.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        index: positions along dim, int32 or int64.
        src: what is folded in, at least as large as index.
        reduce: "sum", "prod", "mean", "amax" or "amin".
        include_self: whether the input's numbers are folded in as well.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...), (..., k, ...), (..., k, ...) -> the shape of input.

    Methods: `Tensor.scatter_reduce` and `Tensor.scatter_reduce_`.

    Raises:
        IndexError: an index outside of the dimension; `dim` is out of range.
        RuntimeError: dtypes or shapes that do not fit, or another reduce.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.scatter_reduce.

    Example:
        >>> import tritonflow as flow
        >>> index, src = flow.tensor([0, 2, 0]), flow.tensor([1.0, 2.0, 3.0])
        >>> flow.scatter_reduce(flow.ones(3), 0, index, src, "sum")
        tensor([5., 1., 3.])
        >>> flow.scatter_reduce(flow.ones(3), 0, index, src, "mean", include_self=False)
        tensor([2., 1., 2.])
    """
    if (input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and src.__class__ is _Tensor and
            reduce.__class__ is str and (include_self is True or include_self is False) and (inplace is False or inplace is True)
            and not extra and not unknown):
        return _scatter_reduce(input, dim, index, src, reduce, include_self, inplace)
    return _scatter_reduce_slow((input, dim, index, src, reduce, include_self, inplace), extra, unknown)

_scatter_reduce__slow = _Binding("scatter_reduce_",
        "Tensor (Tensor input, Int32 dim, Tensor index, Tensor src, String reduce, *, Bool include_self=True)", _scatter_reduce,
        methods="scatter_reduce_", inplace=True)
def scatter_reduce_(input=_missing, dim=_missing, index=_missing, src=_missing, reduce=_missing, *extra, include_self=True,
        **unknown):
    """In place: input with src folded in where the index says, by sum, prod, mean, amax or amin.

    The result is written over `input`, which keeps its shape and dtype, and is returned. See
    `flow.scatter_reduce`.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        index: positions along dim, int32 or int64.
        src: what is folded in, at least as large as index.
        reduce: "sum", "prod", "mean", "amax" or "amin".
        include_self: whether the input's numbers are folded in as well.

    Raises:
        IndexError: an index outside of the dimension; `dim` is out of range.
        RuntimeError: dtypes or shapes that do not fit, or another reduce; the result does not fit the shape
            or the kind of dtype of `input`; `input` is a leaf that requires grad.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.scatter_reduce.
    """
    if (input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and src.__class__ is _Tensor and
            reduce.__class__ is str and (include_self is True or include_self is False) and not extra and not unknown):
        return _scatter_reduce(input, dim, index, src, reduce, include_self, inplace=True)
    return _scatter_reduce__slow((input, dim, index, src, reduce, include_self), extra, unknown)

_index_reduce_slow = _Binding("index_reduce",
        "Tensor (Tensor input, Int32 dim, Tensor index, Tensor source, String reduce, *, Bool include_self=True, Bool inplace=False)",
        _index_reduce, methods="index_reduce")
def index_reduce(input=_missing, dim=_missing, index=_missing, source=_missing, reduce=_missing, *extra, include_self=True,
        inplace=False, **unknown):
    """input with the entries of source folded in at the indices of a vector, by prod, mean, amax or amin.

    A copy. `flow.index_add` is for sums.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        index: a vector, int32 or int64.
        source: an entry for each index.
        reduce: "prod", "mean", "amax" or "amin".
        include_self: whether the input's numbers are folded in as well.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...), (k), (..., k, ...) -> (..., n, ...).

    Methods: `Tensor.index_reduce` and `Tensor.index_reduce_`.

    Raises:
        IndexError: an index outside of the dimension; `dim` is out of range.
        RuntimeError: dtypes or shapes that do not fit, or another reduce.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.index_reduce.

    Example:
        >>> import tritonflow as flow
        >>> flow.index_reduce(flow.zeros(2), 0, flow.tensor([0, 0]), flow.tensor([4.0, 6.0]), "amax")
        tensor([6., 0.])
    """
    if (input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and source.__class__ is _Tensor and
            reduce.__class__ is str and (include_self is True or include_self is False) and (inplace is False or inplace is True)
            and not extra and not unknown):
        return _index_reduce(input, dim, index, source, reduce, include_self, inplace)
    return _index_reduce_slow((input, dim, index, source, reduce, include_self, inplace), extra, unknown)

_index_reduce__slow = _Binding("index_reduce_",
        "Tensor (Tensor input, Int32 dim, Tensor index, Tensor source, String reduce, *, Bool include_self=True)", _index_reduce,
        methods="index_reduce_", inplace=True)
def index_reduce_(input=_missing, dim=_missing, index=_missing, source=_missing, reduce=_missing, *extra, include_self=True,
        **unknown):
    """In place: input with the entries of source folded in at the indices of a vector, by prod, mean, amax or amin.

    The result is written over `input`, which keeps its shape and dtype, and is returned. See
    `flow.index_reduce`.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        index: a vector, int32 or int64.
        source: an entry for each index.
        reduce: "prod", "mean", "amax" or "amin".
        include_self: whether the input's numbers are folded in as well.

    Raises:
        IndexError: an index outside of the dimension; `dim` is out of range.
        RuntimeError: dtypes or shapes that do not fit, or another reduce; the result does not fit the shape
            or the kind of dtype of `input`; `input` is a leaf that requires grad.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.index_reduce.
    """
    if (input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and source.__class__ is _Tensor and
            reduce.__class__ is str and (include_self is True or include_self is False) and not extra and not unknown):
        return _index_reduce(input, dim, index, source, reduce, include_self, inplace=True)
    return _index_reduce__slow((input, dim, index, source, reduce, include_self), extra, unknown)

_segment_reduce_slow = _Binding("segment_reduce",
        "Tensor (Tensor data, String reduce, *, Tensor lengths=None, Tensor indices=None, Tensor offsets=None, Int32 axis=0, Bool unsafe=False, Double initial=None)",
        _segment_reduce)
def segment_reduce(data=_missing, reduce=_missing, *extra, lengths=None, indices=None, offsets=None, axis=0, unsafe=False,
        initial=None, **unknown):
    """Neighbouring entries folded segment by segment, by sum, mean, max, min or prod; segments by their lengths, or by offsets.

    An empty segment has the initial number, or else 0 for "sum", 1 for "prod", NaN for "mean" and an
    infinity for "max" and "min".

    Args:
        data: entries along axis.
        reduce: "sum", "mean", "max", "min" or "prod".
        lengths: how many entries each segment has, which sum to the size along axis.
        indices: not taken.
        offsets: where each segment begins, and where the last one ends.
        axis: along which dimension; the last one of lengths or offsets.
        unsafe: whether lengths and offsets are not checked.
        initial: with what each segment begins.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...), (..., segments) -> (..., segments, ...).

    Raises:
        RuntimeError: neither lengths nor offsets, ones that do not fit, or another reduce.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.segment_reduce.

    Example:
        >>> import tritonflow as flow
        >>> flow.segment_reduce(flow.tensor([1.0, 2.0, 3.0]), "sum", lengths=flow.tensor([2, 1]))
        tensor([3., 3.])
    """
    if (data.__class__ is _Tensor and reduce.__class__ is str and (lengths is None or lengths.__class__ is _Tensor) and
            (indices is None or indices.__class__ is _Tensor) and (offsets is None or offsets.__class__ is _Tensor) and
            axis.__class__ is int and (unsafe is False or unsafe is True) and (initial is None or initial.__class__ is float) and
            not extra and not unknown):
        return _segment_reduce(data, reduce, lengths, indices, offsets, axis, unsafe, initial)
    return _segment_reduce_slow((data, reduce, lengths, indices, offsets, axis, unsafe, initial), extra, unknown)

_scatter_grad_slow = _Binding("scatter_grad", "Tensor (Tensor dy, Int32 dim, Tensor index, Bool accumulate)", _scatter_grad)
def scatter_grad(dy=_missing, dim=_missing, index=_missing, accumulate=_missing, *extra, **unknown):
    """the gradient of the tensor that scatter writes to"""
    if (dy.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and
            (accumulate is False or accumulate is True) and not extra and not unknown):
        return _scatter_grad(dy, dim, index, accumulate)
    return _scatter_grad_slow((dy, dim, index, accumulate), extra, unknown)

_scatter_source_grad_slow = _Binding("scatter_source_grad", "Tensor (Tensor dy, Int32 dim, Tensor index, Shape shape)",
        _scatter_source_grad)
def scatter_source_grad(dy=_missing, dim=_missing, index=_missing, shape=_missing, *extra, **unknown):
    """the gradient of what scatter writes"""
    if (dy.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and
            (shape.__class__ is _Size or shape.__class__ is tuple and _all_ints(shape)) and not extra and not unknown):
        return _scatter_source_grad(dy, dim, index, shape)
    return _scatter_source_grad_slow((dy, dim, index, shape), extra, unknown)

_embedding_slow = _Binding("embedding",
        "Tensor (Tensor input, Tensor weight, Int64 padding_idx=None, Float max_norm=None, Float norm_type=2.0, Bool scale_grad_by_freq=False, Bool sparse=False)",
        _embedding)
def embedding(input=_missing, weight=_missing, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False,
        sparse=False, *extra, **unknown):
    """Rows of a table; the row `padding_idx` gets no gradient.

    out[...] = weight[input[...]].

    Args:
        input: row numbers, int32 or int64.
        weight: the table.
        padding_idx: the row that gets no gradient; a negative one counts from the end.
        max_norm: rows that are looked up and longer are shortened to this norm first, in place.
        norm_type: which norm max_norm is one of.
        scale_grad_by_freq: whether gradients are divided by how often their row is looked up.
        sparse: torch's; the gradient is dense.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape, (rows, D) -> (..., D).

    Raises:
        IndexError: a row that does not exist.
        RuntimeError: row numbers of another dtype, or a table of other than 2 dimensions.
        ValueError: padding_idx is no row.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.embedding.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> table = flow.tensor([[0.0, 0.0], [1.0, 2.0], [3.0, 4.0]])
        >>> F.embedding(flow.tensor([2, 0]), table)
        tensor([[3., 4.],
                [0., 0.]])
    """
    if (input.__class__ is _Tensor and weight.__class__ is _Tensor and (padding_idx is None or padding_idx.__class__ is int) and
            (max_norm is None or max_norm.__class__ is float) and norm_type.__class__ is float and
            (scale_grad_by_freq is False or scale_grad_by_freq is True) and (sparse is False or sparse is True) and not extra and
            not unknown):
        return _embedding(input, weight, padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse)
    return _embedding_slow((input, weight, padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse), extra, unknown)

_one_hot_slow = _Binding("one_hot", "Tensor (Tensor input, Int64 num_classes=-1)", _one_hot,
        "Tensor (Tensor input, Int64 num_classes=-1, Scalar on_value=1, Scalar off_value=0)", _one_hot_values)
def one_hot(input=_missing, num_classes=-1, on_value=1, off_value=0, *extra, **unknown):
    """For each label a row with a one at its place.

    With on_value and off_value, OneFlow's form, these stand for 1 and 0.

    Overloads:
        - `one_hot(input: Tensor, num_classes: int = -1) -> Tensor`
        - `one_hot(input: Tensor, num_classes: int = -1, on_value: Scalar = 1, off_value: Scalar = 0) -> Tensor`

    Args:
        input: labels, int64.
        num_classes: how many; -1 is the largest label + 1.
        on_value: the number at the label's place.
        off_value: the number at the others.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> (..., num_classes).

    Not differentiable.

    Raises:
        RuntimeError: labels of another dtype, a label that is negative or not less than num_classes, or an
            empty tensor without num_classes.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.one_hot.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.one_hot(flow.tensor([0, 2]))
        tensor([[1, 0, 0],
                [0, 0, 1]])
    """
    if (input.__class__ is _Tensor and num_classes.__class__ is int and on_value.__class__ is int and on_value == 1 and
            off_value.__class__ is int and off_value == 0 and not extra and not unknown):
        return _one_hot(input, num_classes)
    return _one_hot_slow((input, num_classes, on_value, off_value), extra, unknown)

_index_put_slow = _Binding("index_put",
        "Tensor (Tensor input, TensorTuple indices, Tensor values, Bool accumulate=False, Bool inplace=False)", _index_put_items,
        methods="index_put", autocast="widest")
def index_put(input=_missing, indices=_missing, values=_missing, accumulate=False, inplace=False, *extra, **unknown):
    """input with values written (or added) at indices, one for each of the first dimensions.

    A copy; input[indices] = values writes over it instead. A mask stands for as many indices as it has
    dimensions.

    Args:
        input: the input.
        indices: integer tensors that broadcast, negative ones from the end; or masks.
        values: what is written, which broadcasts to the indices and the other dimensions.
        accumulate: whether values are added, all where places are the same.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (n1, ..., nk, ...), k shapes that broadcast, values -> the shape of input.

    Under `flow.autocast` it computes in the widest dtype of its operands. Methods: `Tensor.index_put`
    and `Tensor.index_put_`.

    Raises:
        IndexError: an index outside of its dimension, too many of them, or shapes that do not broadcast.
        RuntimeError: dtypes that differ, or values that do not broadcast.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.index_put.

    Example:
        >>> import tritonflow as flow
        >>> rows, columns = flow.tensor([0, 1]), flow.tensor([1, 0])
        >>> flow.index_put(flow.zeros(2, 2), (rows, columns), flow.tensor([5.0, 7.0]))
        tensor([[0., 5.],
                [7., 0.]])
    """
    if (input.__class__ is _Tensor and indices.__class__ is tuple and values.__class__ is _Tensor and
            (accumulate is False or accumulate is True) and (inplace is False or inplace is True) and not extra and not unknown
            and _all_tensors(indices)):
        return _index_put_items(input, indices, values, accumulate, inplace)
    return _index_put_slow((input, indices, values, accumulate, inplace), extra, unknown)

_index_put__slow = _Binding("index_put_", "Tensor (Tensor input, TensorTuple indices, Tensor values, Bool accumulate=False)",
        _index_put_items, methods="index_put_", autocast="widest", inplace=True)
def index_put_(input=_missing, indices=_missing, values=_missing, accumulate=False, *extra, **unknown):
    """In place: input with values written (or added) at indices, one for each of the first dimensions.

    The result is written over `input`, which keeps its shape and dtype, and is returned. See
    `flow.index_put`.

    Args:
        input: the input.
        indices: integer tensors that broadcast, negative ones from the end; or masks.
        values: what is written, which broadcasts to the indices and the other dimensions.
        accumulate: whether values are added, all where places are the same.

    Raises:
        IndexError: an index outside of its dimension, too many of them, or shapes that do not broadcast.
        RuntimeError: dtypes that differ, or values that do not broadcast; the result does not fit the shape
            or the kind of dtype of `input`; `input` is a leaf that requires grad.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.index_put.
    """
    if (input.__class__ is _Tensor and indices.__class__ is tuple and values.__class__ is _Tensor and
            (accumulate is False or accumulate is True) and not extra and not unknown and _all_tensors(indices)):
        return _index_put_items(input, indices, values, accumulate, inplace=True)
    return _index_put__slow((input, indices, values, accumulate), extra, unknown)

_index_copy_slow = _Binding("index_copy", "Tensor (Tensor input, Int32 dim, Tensor index, Tensor source, Bool inplace=False)",
        _index_copy, methods="index_copy")
def index_copy(input=_missing, dim=_missing, index=_missing, source=_missing, inplace=False, *extra, **unknown):
    """input with the entries of source at the indices of a vector along a dimension.

    A copy.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        index: a vector, int64.
        source: an entry for each index.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...), (k), (..., k, ...) -> (..., n, ...).

    Methods: `Tensor.index_copy` and `Tensor.index_copy_`.

    Raises:
        IndexError: an index outside of the dimension, or another number of them than of entries; `dim` is
            out of range.
        RuntimeError: dtypes or shapes that do not fit.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.index_copy.

    Example:
        >>> import tritonflow as flow
        >>> flow.index_copy(flow.zeros(3), 0, flow.tensor([2, 0]), flow.tensor([5.0, 7.0]))
        tensor([7., 0., 5.])
    """
    if (input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and source.__class__ is _Tensor and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _index_copy(input, dim, index, source, inplace)
    return _index_copy_slow((input, dim, index, source, inplace), extra, unknown)

_index_copy__slow = _Binding("index_copy_", "Tensor (Tensor input, Int32 dim, Tensor index, Tensor source)", _index_copy,
        methods="index_copy_", inplace=True)
def index_copy_(input=_missing, dim=_missing, index=_missing, source=_missing, *extra, **unknown):
    """In place: input with the entries of source at the indices of a vector along a dimension.

    The result is written over `input`, which keeps its shape and dtype, and is returned. See
    `flow.index_copy`.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        index: a vector, int64.
        source: an entry for each index.

    Raises:
        IndexError: an index outside of the dimension, or another number of them than of entries; `dim` is
            out of range.
        RuntimeError: dtypes or shapes that do not fit; the result does not fit the shape or the kind of
            dtype of `input`; `input` is a leaf that requires grad.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.index_copy.
    """
    if (input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and source.__class__ is _Tensor and
            not extra and not unknown):
        return _index_copy(input, dim, index, source, inplace=True)
    return _index_copy__slow((input, dim, index, source), extra, unknown)

_index_fill_slow = _Binding("index_fill", "Tensor (Tensor input, Int32 dim, Tensor index, Scalar value, Bool inplace=False)",
        _index_fill, "Tensor (Tensor input, Int32 dim, Tensor index, Tensor value, Bool inplace=False)", _index_fill_tensor,
        methods="index_fill")
def index_fill(input=_missing, dim=_missing, index=_missing, value=_missing, inplace=False, *extra, **unknown):
    """input with a number at the indices of a vector along a dimension.

    A copy.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        index: a vector, int64, negative ones from the end.
        value: a number, or a tensor without dimensions.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...), (k) -> (..., n, ...).

    Methods: `Tensor.index_fill` and `Tensor.index_fill_`.

    Raises:
        IndexError: an index outside of the dimension, or of another dtype; `dim` is out of range.
        RuntimeError: a value with dimensions.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.index_fill.

    Example:
        >>> import tritonflow as flow
        >>> flow.index_fill(flow.zeros(2, 3), 1, flow.tensor([0, 2]), 5.0)
        tensor([[5., 0., 5.],
                [5., 0., 5.]])
    """
    if (input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and
            (value.__class__ is float or value.__class__ is int) and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _index_fill(input, dim, index, value, inplace)
    return _index_fill_slow((input, dim, index, value, inplace), extra, unknown)

_index_fill__slow = _Binding("index_fill_", "Tensor (Tensor input, Int32 dim, Tensor index, Scalar value)", _index_fill,
        "Tensor (Tensor input, Int32 dim, Tensor index, Tensor value)", _index_fill_tensor, methods="index_fill_", inplace=True)
def index_fill_(input=_missing, dim=_missing, index=_missing, value=_missing, *extra, **unknown):
    """In place: input with a number at the indices of a vector along a dimension.

    The result is written over `input`, which keeps its shape and dtype, and is returned. See
    `flow.index_fill`.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        index: a vector, int64, negative ones from the end.
        value: a number, or a tensor without dimensions.

    Raises:
        IndexError: an index outside of the dimension, or of another dtype; `dim` is out of range.
        RuntimeError: a value with dimensions; the result does not fit the shape or the kind of dtype of
            `input`; `input` is a leaf that requires grad.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.index_fill.
    """
    if (input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and
            (value.__class__ is float or value.__class__ is int) and not extra and not unknown):
        return _index_fill(input, dim, index, value, inplace=True)
    return _index_fill__slow((input, dim, index, value), extra, unknown)

_take_slow = _Binding("take", "Tensor (Tensor input, Tensor index)", _take, methods="take")
def take(input=_missing, index=_missing, *extra, **unknown):
    """The elements at indices into the flattened input.

    Args:
        input: the input.
        index: int64, negative ones from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape, any shape -> the shape of index.

    Method: `Tensor.take`.

    Raises:
        IndexError: an index outside of the input.
        RuntimeError: indices of another dtype.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.take.

    Example:
        >>> import tritonflow as flow
        >>> flow.take(flow.tensor([[1, 2], [3, 4]]), flow.tensor([3, 0]))
        tensor([4, 1])
    """
    if input.__class__ is _Tensor and index.__class__ is _Tensor and not extra and not unknown:
        return _take(input, index)
    return _take_slow((input, index), extra, unknown)

_put_slow = _Binding("put", "Tensor (Tensor input, Tensor index, Tensor source, Bool accumulate=False, Bool inplace=False)", _put,
        methods="put")
def put(input=_missing, index=_missing, source=_missing, accumulate=False, inplace=False, *extra, **unknown):
    """input with source written (or added) at indices into the flattened input.

    A copy.

    Args:
        input: the input.
        index: int64, negative ones from the end.
        source: a number for each index.
        accumulate: whether they are added, all where indices are the same.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape, k elements, k elements -> the shape of input.

    Methods: `Tensor.put` and `Tensor.put_`.

    Raises:
        IndexError: an index outside of the input.
        RuntimeError: dtypes that differ, or numbers of elements that do.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.put.

    Example:
        >>> import tritonflow as flow
        >>> flow.put(flow.zeros(2, 2), flow.tensor([3, 0]), flow.tensor([5.0, 7.0]))
        tensor([[7., 0.],
                [0., 5.]])
    """
    if (input.__class__ is _Tensor and index.__class__ is _Tensor and source.__class__ is _Tensor and
            (accumulate is False or accumulate is True) and (inplace is False or inplace is True) and not extra and not unknown):
        return _put(input, index, source, accumulate, inplace)
    return _put_slow((input, index, source, accumulate, inplace), extra, unknown)

_put__slow = _Binding("put_", "Tensor (Tensor input, Tensor index, Tensor source, Bool accumulate=False)", _put, methods="put_",
        inplace=True)
def put_(input=_missing, index=_missing, source=_missing, accumulate=False, *extra, **unknown):
    """In place: input with source written (or added) at indices into the flattened input.

    The result is written over `input`, which keeps its shape and dtype, and is returned. See
    `flow.put`.

    Args:
        input: the input.
        index: int64, negative ones from the end.
        source: a number for each index.
        accumulate: whether they are added, all where indices are the same.

    Raises:
        IndexError: an index outside of the input.
        RuntimeError: dtypes that differ, or numbers of elements that do; the result does not fit the shape
            or the kind of dtype of `input`; `input` is a leaf that requires grad.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.put.
    """
    if (input.__class__ is _Tensor and index.__class__ is _Tensor and source.__class__ is _Tensor and
            (accumulate is False or accumulate is True) and not extra and not unknown):
        return _put(input, index, source, accumulate, inplace=True)
    return _put__slow((input, index, source, accumulate), extra, unknown)

_unravel_index_slow = _Binding("unravel_index", "TensorTuple (Tensor indices, PyObject shape)", _unravel_index)
def unravel_index(indices=_missing, shape=_missing, *extra, **unknown):
    """The indices into each dimension of a shape from indices into its elements in a row.

    An index outside of the shape is not refused: it counts around, as in torch.

    Args:
        indices: integers.
        shape: the sizes, an integer or a sequence of them.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> as many of that shape as shape has sizes.

    Raises:
        ValueError: a negative size.
        TypeError: indices or sizes that are no integers; an argument has the wrong type, or there is no
            such argument.

    Source: torch.unravel_index.

    Example:
        >>> import tritonflow as flow
        >>> flow.unravel_index(flow.tensor([0, 5]), (2, 3))
        (tensor([0, 1]), tensor([0, 2]))
    """
    if indices.__class__ is _Tensor and shape is not _missing and not extra and not unknown:
        return _unravel_index(indices, shape)
    return _unravel_index_slow((indices, shape), extra, unknown)

_take_along_dim_slow = _Binding("take_along_dim", "Tensor (Tensor input, Tensor indices, Int32 dim=None)", _take_along_dim,
        methods="take_along_dim")
def take_along_dim(input=_missing, indices=_missing, dim=None, *extra, **unknown):
    """gather, with input and indices broadcast along the other dimensions.

    It applies what argsort, argmax and the like give. Without dim both are flattened.

    Args:
        input: the input.
        indices: positions along dim, int64.
        dim: along which dimension; default of all elements, flattened.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...), (..., k, ...) -> (..., k, ...).

    Method: `Tensor.take_along_dim`.

    Raises:
        RuntimeError: indices of another dtype, or another number of dimensions.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.take_along_dim.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.tensor([[3, 1, 2], [5, 6, 4]])
        >>> flow.take_along_dim(x, flow.argsort(x, 1), 1)
        tensor([[1, 2, 3],
                [4, 5, 6]])
    """
    if (input.__class__ is _Tensor and indices.__class__ is _Tensor and (dim is None or dim.__class__ is int) and not extra and
            not unknown):
        return _take_along_dim(input, indices, dim)
    return _take_along_dim_slow((input, indices, dim), extra, unknown)

_masked_scatter_slow = _Binding("masked_scatter", "Tensor (Tensor input, Tensor mask, Tensor source, Bool inplace=False)",
        _masked_scatter, methods="masked_scatter")
def masked_scatter(input=_missing, mask=_missing, source=_missing, inplace=False, *extra, **unknown):
    """input with the elements of source, one after the other, where the mask is true.

    A copy: the k-th true element has the k-th element of the source.

    Args:
        input: the input.
        mask: bool, which broadcasts with the input.
        source: at least as many elements as the mask has true ones.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        shapes that broadcast, any shape -> the common shape.

    Methods: `Tensor.masked_scatter` and `Tensor.masked_scatter_`.

    Raises:
        RuntimeError: a mask that is not bool, or dtypes that differ.
        IndexError: too few elements.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.masked_scatter.

    Example:
        >>> import tritonflow as flow
        >>> flow.masked_scatter(flow.zeros(3), flow.tensor([True, False, True]), flow.tensor([5.0, 7.0]))
        tensor([5., 0., 7.])
    """
    if (input.__class__ is _Tensor and mask.__class__ is _Tensor and source.__class__ is _Tensor and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _masked_scatter(input, mask, source, inplace)
    return _masked_scatter_slow((input, mask, source, inplace), extra, unknown)

_masked_scatter__slow = _Binding("masked_scatter_", "Tensor (Tensor input, Tensor mask, Tensor source)", _masked_scatter,
        methods="masked_scatter_", inplace=True)
def masked_scatter_(input=_missing, mask=_missing, source=_missing, *extra, **unknown):
    """In place: input with the elements of source, one after the other, where the mask is true.

    The result is written over `input`, which keeps its shape and dtype, and is returned. See
    `flow.masked_scatter`.

    Args:
        input: the input.
        mask: bool, which broadcasts with the input.
        source: at least as many elements as the mask has true ones.

    Raises:
        RuntimeError: a mask that is not bool, or dtypes that differ; the result does not fit the shape or
            the kind of dtype of `input`; `input` is a leaf that requires grad.
        IndexError: too few elements.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.masked_scatter.
    """
    if input.__class__ is _Tensor and mask.__class__ is _Tensor and source.__class__ is _Tensor and not extra and not unknown:
        return _masked_scatter(input, mask, source, inplace=True)
    return _masked_scatter__slow((input, mask, source), extra, unknown)

_nonzero_static_slow = _Binding("nonzero_static", "Tensor (Tensor input, *, Int64 size, Int64 fill_value=-1)", _non_zero_static,
        methods="nonzero_static")
def nonzero_static(input=_missing, *extra, size=_missing, fill_value=-1, **unknown):
    """The coordinates of the first elements that are not zero, as many rows as said.

    Args:
        input: the input.
        size: how many rows.
        fill_value: what stands in rows for which there is no element.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        n dimensions -> (size, n), int64.

    Not differentiable: gives no floating values. Method: `Tensor.nonzero_static`.

    Raises:
        RuntimeError: size is negative.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nonzero_static.

    Example:
        >>> import tritonflow as flow
        >>> flow.nonzero_static(flow.tensor([0, 5, 7]), size=3)
        tensor([[ 1],
                [ 2],
                [-1]])
    """
    if input.__class__ is _Tensor and size.__class__ is int and fill_value.__class__ is int and not extra and not unknown:
        return _non_zero_static(input, size, fill_value)
    return _nonzero_static_slow((input, size, fill_value), extra, unknown)

_searchsorted_slow = _Binding("searchsorted",
        "Tensor (Tensor sorted_sequence, Tensor input, *, Bool out_int32=False, Bool right=False, String side=None, Tensor sorter=None)",
        _search_sorted,
        "Tensor (Tensor sorted_sequence, Scalar input, *, Bool out_int32=False, Bool right=False, String side=None, Tensor sorter=None)",
        _search_sorted_scalar)
def searchsorted(sorted_sequence=_missing, input=_missing, *extra, out_int32=False, right=False, side=None, sorter=None,
        **unknown):
    """Where values belong in sorted rows.

    The number of elements that are less than the value; with right, less or equal: there a value can be
    put in, and the row stays sorted.

    Args:
        sorted_sequence: rows that rise.
        input: the values; for several rows as many rows of values.
        out_int32: whether the result is int32, and not int64.
        right: whether equal elements come before a value.
        side: "left" or "right", another way to say it.
        sorter: indices that sort the rows, which need not be sorted then.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (n) or (..., n), values -> the shape of the values.

    Dtypes:
        `sorted_sequence` and `input`: real, and not bool.

    Not differentiable.

    Raises:
        RuntimeError: rows of values that do not fit, sides that contradict each other, or a sorter of
            another shape or dtype.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.searchsorted.

    Example:
        >>> import tritonflow as flow
        >>> row = flow.tensor([1, 3, 3, 5])
        >>> flow.searchsorted(row, flow.tensor([0, 3, 9])), flow.searchsorted(row, 3, right=True)
        (tensor([0, 1, 4]), tensor(3))
    """
    if (sorted_sequence.__class__ is _Tensor and input.__class__ is _Tensor and (out_int32 is False or out_int32 is True) and
            (right is False or right is True) and (side is None or side.__class__ is str) and
            (sorter is None or sorter.__class__ is _Tensor) and not extra and not unknown):
        return _search_sorted(sorted_sequence, input, out_int32, right, side, sorter)
    if (sorted_sequence.__class__ is _Tensor and (input.__class__ is float or input.__class__ is int) and
            (out_int32 is False or out_int32 is True) and (right is False or right is True) and
            (side is None or side.__class__ is str) and (sorter is None or sorter.__class__ is _Tensor) and not extra and
            not unknown):
        return _search_sorted_scalar(sorted_sequence, input, out_int32, right, side, sorter)
    return _searchsorted_slow((sorted_sequence, input, out_int32, right, side, sorter), extra, unknown)

_bucketize_slow = _Binding("bucketize", "Tensor (Tensor input, Tensor boundaries, *, Bool out_int32=False, Bool right=False)",
        _bucketize, "Tensor (Scalar input, Tensor boundaries, *, Bool out_int32=False, Bool right=False)", _bucketize_scalar)
def bucketize(input=_missing, boundaries=_missing, *extra, out_int32=False, right=False, **unknown):
    """The number of the bucket of each value.

    Bucket i is boundaries[i - 1] < value <= boundaries[i]; with right it is boundaries[i - 1] <= value
    < boundaries[i].

    Args:
        input: a tensor or a number.
        boundaries: a vector that rises.
        out_int32: whether the result is int32, and not int64.
        right: whether a value that is a boundary belongs to the bucket behind it.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape, (n) -> the first.

    Not differentiable: gives no floating values.

    Raises:
        RuntimeError: boundaries of other than 1 dimension.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.bucketize.

    Example:
        >>> import tritonflow as flow
        >>> flow.bucketize(flow.tensor([0.5, 1.0, 7.0]), flow.tensor([1.0, 2.0]))
        tensor([0, 0, 2])
    """
    if (input.__class__ is _Tensor and boundaries.__class__ is _Tensor and (out_int32 is False or out_int32 is True) and
            (right is False or right is True) and not extra and not unknown):
        return _bucketize(input, boundaries, out_int32, right)
    if ((input.__class__ is float or input.__class__ is int) and boundaries.__class__ is _Tensor and
            (out_int32 is False or out_int32 is True) and (right is False or right is True) and not extra and not unknown):
        return _bucketize_scalar(input, boundaries, out_int32, right)
    return _bucketize_slow((input, boundaries, out_int32, right), extra, unknown)

_isin_slow = _Binding("isin", "Tensor (Tensor elements, Tensor test_elements, *, Bool assume_unique=False, Bool invert=False)",
        _is_in, "Tensor (Tensor elements, Scalar test_element, *, Bool assume_unique=False, Bool invert=False)",
        _is_in_scalar_tests, "Tensor (Scalar element, Tensor test_elements, *, Bool assume_unique=False, Bool invert=False)",
        _is_in_scalar_element)
def isin(elements=_missing, test_elements=_missing, *extra, assume_unique=False, invert=False, test_element=_missing,
        element=_missing, **unknown):
    """Whether each element is one of the test elements.

    Overloads:
        - `isin(elements: Tensor, test_elements: Tensor, *, assume_unique: bool = False, invert: bool = False) -> Tensor`
        - `isin(elements: Tensor, test_element: Scalar, *, assume_unique: bool = False, invert: bool = False) -> Tensor`
        - `isin(element: Scalar, test_elements: Tensor, *, assume_unique: bool = False, invert: bool = False) -> Tensor`

    Args:
        elements: what is looked for.
        test_elements: among which.
        assume_unique: torch's; nothing here.
        invert: whether the answer is negated.
        test_element: the only number among which.
        element: a number that is looked for.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape, any shape -> the first, bool.

    Not differentiable: gives no floating values.

    Raises:
        RuntimeError: bool or complex numbers.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.isin.

    Example:
        >>> import tritonflow as flow
        >>> flow.isin(flow.tensor([1, 2, 3]), flow.tensor([3, 1]))
        tensor([ True, False,  True])
    """
    if (elements.__class__ is _Tensor and test_elements.__class__ is _Tensor and (assume_unique is False or assume_unique is True)
            and (invert is False or invert is True) and test_element is _missing and element is _missing and not extra and
            not unknown):
        return _is_in(elements, test_elements, assume_unique, invert)
    if (elements.__class__ is _Tensor and (test_elements.__class__ is float or test_elements.__class__ is int) and
            (assume_unique is False or assume_unique is True) and (invert is False or invert is True) and test_element is _missing
            and element is _missing and not extra and not unknown):
        return _is_in_scalar_tests(elements, test_elements, assume_unique, invert)
    if ((elements.__class__ is float or elements.__class__ is int) and test_elements.__class__ is _Tensor and
            (assume_unique is False or assume_unique is True) and (invert is False or invert is True) and test_element is _missing
            and element is _missing and not extra and not unknown):
        return _is_in_scalar_element(elements, test_elements, assume_unique, invert)
    return _isin_slow((elements, test_elements, assume_unique, invert, test_element, element), extra, unknown)

_unique_slow = _Binding("unique",
        "Any (Tensor input, Bool sorted=True, Bool return_inverse=False, Bool return_counts=False, Int32 dim=None)", _unique,
        methods="unique")
def unique(input=_missing, sorted=True, return_inverse=False, return_counts=False, dim=None, *extra, **unknown):
    """The different elements, in order; or the different slices along a dimension.

    In rising order, whether sorted or not. The number of results depends on the numbers, so a graph
    cannot capture it.

    Args:
        input: the input.
        sorted: torch's; the result is sorted anyway.
        return_inverse: whether it is also given which result each element is.
        return_counts: whether it is also given how often each result occurs.
        dim: slices of which dimension; default elements.

    Shape:
        any shape -> (number of different elements); with dim (..., number of different slices, ...).

    Method: `Tensor.unique`.

    Raises:
        RuntimeError: slices without elements.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.unique.

    Example:
        >>> import tritonflow as flow
        >>> flow.unique(flow.tensor([3, 1, 3]), return_inverse=True, return_counts=True)
        (tensor([1, 3]), tensor([1, 0, 1]), tensor([1, 2]))
    """
    if (input.__class__ is _Tensor and (sorted is True or sorted is False) and (return_inverse is False or return_inverse is True)
            and (return_counts is False or return_counts is True) and (dim is None or dim.__class__ is int) and not extra and
            not unknown):
        return _unique(input, sorted, return_inverse, return_counts, dim)
    return _unique_slow((input, sorted, return_inverse, return_counts, dim), extra, unknown)

_unique_consecutive_slow = _Binding("unique_consecutive",
        "Any (Tensor input, Bool return_inverse=False, Bool return_counts=False, Int32 dim=None)", _unique_consecutive,
        methods="unique_consecutive")
def unique_consecutive(input=_missing, return_inverse=False, return_counts=False, dim=None, *extra, **unknown):
    """The first of each run of equal elements or slices.

    Args:
        input: the input.
        return_inverse: whether it is also given to which run each element belongs.
        return_counts: whether it is also given how long each run is.
        dim: slices of which dimension; default elements.

    Shape:
        any shape -> (number of runs); with dim (..., number of runs, ...).

    Method: `Tensor.unique_consecutive`.

    Raises:
        NotImplementedError: complex numbers.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.unique_consecutive.

    Example:
        >>> import tritonflow as flow
        >>> flow.unique_consecutive(flow.tensor([1, 1, 3, 1]), return_counts=True)
        (tensor([1, 3, 1]), tensor([2, 1, 1]))
    """
    if (input.__class__ is _Tensor and (return_inverse is False or return_inverse is True) and
            (return_counts is False or return_counts is True) and (dim is None or dim.__class__ is int) and not extra and
            not unknown):
        return _unique_consecutive(input, return_inverse, return_counts, dim)
    return _unique_consecutive_slow((input, return_inverse, return_counts, dim), extra, unknown)

_bincount_slow = _Binding("bincount", "Tensor (Tensor input, Tensor weights=None, Int64 minlength=0)", _bin_count,
        methods="bincount")
def bincount(input=_missing, weights=None, minlength=0, *extra, **unknown):
    """How often each number occurs.

    With weights it is their sum for each number, as float32 or float64.

    Args:
        input: a vector of integers that are not negative.
        weights: a weight for each of them.
        minlength: the least length of the result.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (n) -> (max(largest number + 1, minlength)).

    Method: `Tensor.bincount`.

    Raises:
        RuntimeError: other than 1 dimension, negative or floating numbers, or weights of another shape.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.bincount.

    Example:
        >>> import tritonflow as flow
        >>> flow.bincount(flow.tensor([0, 2, 2]), minlength=4)
        tensor([1, 0, 2, 0])
    """
    if (input.__class__ is _Tensor and (weights is None or weights.__class__ is _Tensor) and minlength.__class__ is int and
            not extra and not unknown):
        return _bin_count(input, weights, minlength)
    return _bincount_slow((input, weights, minlength), extra, unknown)

_embedding_bag_slow = _Binding("embedding_bag",
        "Tensor (Tensor input, Tensor weight, Tensor offsets=None, Float max_norm=None, Float norm_type=2.0, Bool scale_grad_by_freq=False, String mode='mean', Bool sparse=False, Tensor per_sample_weights=None, Bool include_last_offset=False, Int64 padding_idx=None)",
        _embedding_bag)
def embedding_bag(input=_missing, weight=_missing, offsets=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False,
        mode='mean', sparse=False, per_sample_weights=None, include_last_offset=False, padding_idx=None, *extra, **unknown):
    """sums, means or maxima of rows of a table.

    Bags are the rows of a matrix of row numbers, or the parts of a vector that begin at offsets. An
    empty bag gives zeros.

    Args:
        input: row numbers, int32 or int64.
        weight: the table.
        offsets: where each bag of a vector begins, the first at 0.
        max_norm: rows that are looked up and longer are shortened to this norm first, in place.
        norm_type: which norm max_norm is one of.
        scale_grad_by_freq: whether gradients are divided by how often their row is looked up.
        mode: "sum", "mean" or "max".
        sparse: torch's; the gradient is dense.
        per_sample_weights: a factor for each row number, with mode="sum".
        include_last_offset: whether the last offset is the end of the last bag.
        padding_idx: the row that does not count.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (B, n), (rows, D) -> (B, D); (n), (rows, D), offsets (B) -> (B, D).

    Raises:
        ValueError: another mode, or offsets and weights that do not fit.
        NotImplementedError: per_sample_weights with another mode.
        RuntimeError: row numbers of another dtype, or padding_idx is no row.
        IndexError: a row that does not exist.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.embedding_bag.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> table = flow.tensor([[0.0, 0.0], [1.0, 2.0], [3.0, 4.0]])
        >>> F.embedding_bag(flow.tensor([1, 2, 2]), table, flow.tensor([0, 2]), mode="sum")
        tensor([[4., 6.],
                [3., 4.]])
    """
    if (input.__class__ is _Tensor and weight.__class__ is _Tensor and (offsets is None or offsets.__class__ is _Tensor) and
            (max_norm is None or max_norm.__class__ is float) and norm_type.__class__ is float and
            (scale_grad_by_freq is False or scale_grad_by_freq is True) and mode.__class__ is str and
            (sparse is False or sparse is True) and (per_sample_weights is None or per_sample_weights.__class__ is _Tensor) and
            (include_last_offset is False or include_last_offset is True) and
            (padding_idx is None or padding_idx.__class__ is int) and not extra and not unknown):
        return _embedding_bag(input, weight, offsets, max_norm, norm_type, scale_grad_by_freq, mode, sparse, per_sample_weights,
                include_last_offset, padding_idx)
    return _embedding_bag_slow((input, weight, offsets, max_norm, norm_type, scale_grad_by_freq, mode, sparse, per_sample_weights,
            include_last_offset, padding_idx), extra, unknown)

_affine_grid_slow = _Binding("affine_grid", "Tensor (Tensor theta, Shape size, Bool align_corners=None)", _affine_grid)
def affine_grid(theta=_missing, size=_missing, align_corners=None, *extra, **unknown):
    """Positions of an affine map of an image.

    For every pixel of the result theta times its position (x, y, 1), in coordinates that are -1 and 1
    at the edges of the image, or at the centres of the outermost pixels with align_corners.
    `grid_sample` sees an image at these positions.

    Args:
        theta: matrices of the map.
        size: the shape of the result of grid_sample, (N, C, H, W) or (N, C, D, H, W).
        align_corners: whether -1 and 1 are the centres of the outermost pixels, and not the edges; default
            False, with a warning.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, 2, 3) -> (N, H, W, 2); (N, 3, 4) -> (N, D, H, W, 3).

    Raises:
        ValueError: matrices of another shape, or sizes that are not positive.
        NotImplementedError: other than 4 or 5 sizes.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.affine_grid.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> identity = flow.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])
        >>> F.affine_grid(identity, (1, 1, 1, 2), align_corners=False)
        tensor([[[[-0.5000,  0.0000],
                  [ 0.5000,  0.0000]]]])
    """
    if (theta.__class__ is _Tensor and (size.__class__ is _Size or size.__class__ is tuple and _all_ints(size)) and
            (align_corners is None or align_corners is False or align_corners is True) and not extra and not unknown):
        return _affine_grid(theta, size, align_corners)
    return _affine_grid_slow((theta, size, align_corners), extra, unknown)

_grid_sample_slow = _Binding("grid_sample",
        "Tensor (Tensor input, Tensor grid, String mode='bilinear', String padding_mode='zeros', Bool align_corners=None)",
        _grid_sample, autocast="float32")
def grid_sample(input=_missing, grid=_missing, mode='bilinear', padding_mode='zeros', align_corners=None, *extra, **unknown):
    """An image seen at the positions of a grid.

        out[n, c, i, j] = input[n, c] at x = grid[n, i, j, 0], y = grid[n, i, j, 1]

    Positions are -1 and 1 at the edges of the image, or at the centres of the outermost pixels with
    align_corners. After Jaderberg et al., Spatial transformer networks, 2015.

    Args:
        input: images or volumes.
        grid: positions (x, y) or (x, y, z).
        mode: "bilinear", "nearest", or "bicubic" of images: what is seen between pixels.
        padding_mode: "zeros", "border" (the nearest pixel) or "reflection": what is seen outside.
        align_corners: whether -1 and 1 are the centres of the outermost pixels, and not the edges; default
            False, with a warning.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, H, W), (N, H', W', 2) -> (N, C, H', W'); (N, C, D, H, W), (N, D', H', W', 3) -> (N, C, D',
        H', W').

    Under `flow.autocast` it computes in float32.

    Raises:
        ValueError: another mode or padding_mode.
        RuntimeError: shapes or dtypes that do not fit, or bicubic volumes.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.grid_sample.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> image, middle = flow.tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), flow.zeros(1, 1, 1, 2)
        >>> F.grid_sample(image, middle, align_corners=False)
        tensor([[[[2.5000]]]])
    """
    if (input.__class__ is _Tensor and grid.__class__ is _Tensor and mode.__class__ is str and padding_mode.__class__ is str and
            (align_corners is None or align_corners is False or align_corners is True) and not extra and not unknown):
        return _grid_sample(input, grid, mode, padding_mode, align_corners)
    return _grid_sample_slow((input, grid, mode, padding_mode, align_corners), extra, unknown)

_grid_sampler_slow = _Binding("grid_sampler",
        "Tensor (Tensor input, Tensor grid, Int32 interpolation_mode, Int32 padding_mode, Bool align_corners)", _grid_sampler,
        autocast="float32")
def grid_sampler(input=_missing, grid=_missing, interpolation_mode=_missing, padding_mode=_missing, align_corners=_missing,
        *extra, **unknown):
    """grid_sample with numbers for its modes.

    Args:
        input: the input.
        grid: positions (x, y) or (x, y, z).
        interpolation_mode: 0 is "bilinear", 1 "nearest", 2 "bicubic".
        padding_mode: 0 is "zeros", 1 "border", 2 "reflection".
        align_corners: whether -1 and 1 are the centres of the outermost pixels, and not the edges.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, H, W), (N, H', W', 2) -> (N, C, H', W'); (N, C, D, H, W), (N, D', H', W', 3) -> (N, C, D',
        H', W').

    Under `flow.autocast` it computes in float32.

    Raises:
        ValueError: another mode or padding_mode.
        RuntimeError: shapes or dtypes that do not fit, or bicubic volumes.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.grid_sampler.

    Example:
        >>> import tritonflow as flow
        >>> image, middle = flow.tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), flow.zeros(1, 1, 1, 2)
        >>> flow.grid_sampler(image, middle, 0, 0, False)
        tensor([[[[2.5000]]]])
    """
    if (input.__class__ is _Tensor and grid.__class__ is _Tensor and interpolation_mode.__class__ is int and
            padding_mode.__class__ is int and (align_corners is False or align_corners is True) and not extra and not unknown):
        return _grid_sampler(input, grid, interpolation_mode, padding_mode, align_corners)
    return _grid_sampler_slow((input, grid, interpolation_mode, padding_mode, align_corners), extra, unknown)

_grid_sampler_2d_slow = _Binding("grid_sampler_2d",
        "Tensor (Tensor input, Tensor grid, Int32 interpolation_mode, Int32 padding_mode, Bool align_corners)", _grid_sampler2d,
        autocast="float32")
def grid_sampler_2d(input=_missing, grid=_missing, interpolation_mode=_missing, padding_mode=_missing, align_corners=_missing,
        *extra, **unknown):
    """grid_sampler of images.

    Args:
        input: the input.
        grid: positions (x, y).
        interpolation_mode: 0 is "bilinear", 1 "nearest", 2 "bicubic".
        padding_mode: 0 is "zeros", 1 "border", 2 "reflection".
        align_corners: whether -1 and 1 are the centres of the outermost pixels, and not the edges.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, H, W), (N, H', W', 2) -> (N, C, H', W').

    Under `flow.autocast` it computes in float32.

    Raises:
        ValueError: another mode or padding_mode.
        RuntimeError: shapes or dtypes that do not fit.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.grid_sampler_2d.

    Example:
        >>> import tritonflow as flow
        >>> image, middle = flow.tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), flow.zeros(1, 1, 1, 2)
        >>> flow.grid_sampler_2d(image, middle, 0, 0, False)
        tensor([[[[2.5000]]]])
    """
    if (input.__class__ is _Tensor and grid.__class__ is _Tensor and interpolation_mode.__class__ is int and
            padding_mode.__class__ is int and (align_corners is False or align_corners is True) and not extra and not unknown):
        return _grid_sampler2d(input, grid, interpolation_mode, padding_mode, align_corners)
    return _grid_sampler_2d_slow((input, grid, interpolation_mode, padding_mode, align_corners), extra, unknown)

_grid_sampler_3d_slow = _Binding("grid_sampler_3d",
        "Tensor (Tensor input, Tensor grid, Int32 interpolation_mode, Int32 padding_mode, Bool align_corners)", _grid_sampler3d,
        autocast="float32")
def grid_sampler_3d(input=_missing, grid=_missing, interpolation_mode=_missing, padding_mode=_missing, align_corners=_missing,
        *extra, **unknown):
    """grid_sampler of volumes.

    Args:
        input: the input.
        grid: positions (x, y, z).
        interpolation_mode: 0 is "bilinear", 1 "nearest".
        padding_mode: 0 is "zeros", 1 "border", 2 "reflection".
        align_corners: whether -1 and 1 are the centres of the outermost pixels, and not the edges.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, D, H, W), (N, D', H', W', 3) -> (N, C, D', H', W').

    Under `flow.autocast` it computes in float32.

    Raises:
        ValueError: another mode or padding_mode.
        RuntimeError: shapes or dtypes that do not fit.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.grid_sampler_3d.

    Example:
        >>> import tritonflow as flow
        >>> volume, middle = flow.ones(1, 1, 2, 2, 2), flow.zeros(1, 1, 1, 1, 3)
        >>> flow.grid_sampler_3d(volume, middle, 0, 0, False).item()
        1.0
    """
    if (input.__class__ is _Tensor and grid.__class__ is _Tensor and interpolation_mode.__class__ is int and
            padding_mode.__class__ is int and (align_corners is False or align_corners is True) and not extra and not unknown):
        return _grid_sampler3d(input, grid, interpolation_mode, padding_mode, align_corners)
    return _grid_sampler_3d_slow((input, grid, interpolation_mode, padding_mode, align_corners), extra, unknown)

_grid_sample_points_slow = _Binding("grid_sample_points",
        "Tensor (Tensor x, Tensor grid, Shape image, String mode, String padding, Bool aligned, Shape orders)",
        _grid_sample_points)
def grid_sample_points(x=_missing, grid=_missing, image=_missing, mode=_missing, padding=_missing, aligned=_missing,
        orders=_missing, *extra, **unknown):
    """images of flat pixels seen at points, their weights differentiated as often as orders say"""
    if (x.__class__ is _Tensor and grid.__class__ is _Tensor and (image.__class__ is _Size or image.__class__ is tuple and
            _all_ints(image)) and mode.__class__ is str and padding.__class__ is str and (aligned is False or aligned is True) and
            (orders.__class__ is _Size or orders.__class__ is tuple and _all_ints(orders)) and not extra and not unknown):
        return _grid_sample_points(x, grid, image, mode, padding, aligned, orders)
    return _grid_sample_points_slow((x, grid, image, mode, padding, aligned, orders), extra, unknown)

_grid_sample_spread_slow = _Binding("grid_sample_spread",
        "Tensor (Tensor grad, Tensor grid, Shape image, String mode, String padding, Bool aligned, Shape orders)",
        _grid_sample_spread)
def grid_sample_spread(grad=_missing, grid=_missing, image=_missing, mode=_missing, padding=_missing, aligned=_missing,
        orders=_missing, *extra, **unknown):
    """the gradient of the images of grid_sample_points"""
    if (grad.__class__ is _Tensor and grid.__class__ is _Tensor and (image.__class__ is _Size or image.__class__ is tuple and
            _all_ints(image)) and mode.__class__ is str and padding.__class__ is str and (aligned is False or aligned is True) and
            (orders.__class__ is _Size or orders.__class__ is tuple and _all_ints(orders)) and not extra and not unknown):
        return _grid_sample_spread(grad, grid, image, mode, padding, aligned, orders)
    return _grid_sample_spread_slow((grad, grid, image, mode, padding, aligned, orders), extra, unknown)

_grid_sample_slopes_slow = _Binding("grid_sample_slopes",
        "Tensor (Tensor grad, Tensor x, Tensor grid, Shape image, String mode, String padding, Bool aligned, Shape orders)",
        _grid_sample_slopes)
def grid_sample_slopes(grad=_missing, x=_missing, grid=_missing, image=_missing, mode=_missing, padding=_missing,
        aligned=_missing, orders=_missing, *extra, **unknown):
    """the gradient of the grid of grid_sample_points"""
    if (grad.__class__ is _Tensor and x.__class__ is _Tensor and grid.__class__ is _Tensor and
            (image.__class__ is _Size or image.__class__ is tuple and _all_ints(image)) and mode.__class__ is str and
            padding.__class__ is str and (aligned is False or aligned is True) and
            (orders.__class__ is _Size or orders.__class__ is tuple and _all_ints(orders)) and not extra and not unknown):
        return _grid_sample_slopes(grad, x, grid, image, mode, padding, aligned, orders)
    return _grid_sample_slopes_slow((grad, x, grid, image, mode, padding, aligned, orders), extra, unknown)

_grid_sample_slopes_grad_slow = _Binding("grid_sample_slopes_grad",
        "TensorTuple (Tensor outer, Tensor grad, Tensor x, Tensor grid, Shape image, String mode, String padding, Bool aligned, Shape orders, Bool needs_grad, Bool needs_x, Bool needs_grid)",
        _grid_sample_slopes_grad)
def grid_sample_slopes_grad(outer=_missing, grad=_missing, x=_missing, grid=_missing, image=_missing, mode=_missing,
        padding=_missing, aligned=_missing, orders=_missing, needs_grad=_missing, needs_x=_missing, needs_grid=_missing, *extra,
        **unknown):
    """the gradients of grid_sample_slopes"""
    if (outer.__class__ is _Tensor and grad.__class__ is _Tensor and x.__class__ is _Tensor and grid.__class__ is _Tensor and
            (image.__class__ is _Size or image.__class__ is tuple and _all_ints(image)) and mode.__class__ is str and
            padding.__class__ is str and (aligned is False or aligned is True) and
            (orders.__class__ is _Size or orders.__class__ is tuple and _all_ints(orders)) and
            (needs_grad is False or needs_grad is True) and (needs_x is False or needs_x is True) and
            (needs_grid is False or needs_grid is True) and not extra and not unknown):
        return _grid_sample_slopes_grad(outer, grad, x, grid, image, mode, padding, aligned, orders, needs_grad, needs_x,
                needs_grid)
    return _grid_sample_slopes_grad_slow((outer, grad, x, grid, image, mode, padding, aligned, orders, needs_grad, needs_x,
            needs_grid), extra, unknown)

_methods = _publish(globals())
