"""Functions of the binding: index.

Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow.framework.tensor import Size as _Size
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.functional.arguments import Binding as _Binding, all_ints as _all_ints, all_tensors as _all_tensors
from tritonflow.functional.functors.bags import (embedding_bag as _embedding_bag)
from tritonflow.functional.functors.histograms import (unravel_index as _unravel_index)
from tritonflow.functional.functors.index import (embedding as _embedding, gather as _gather, gather_grad as _gather_grad,
        index_add as _index_add, index_get as _index_get, index_get_grad as _index_get_grad, index_put as _index_put,
        index_put_grad as _index_put_grad, index_select as _index_select, masked_select as _masked_select, nonzero as _non_zero,
        one_hot as _one_hot, scatter as _scatter, scatter_add as _scatter_add, scatter_grad as _scatter_grad,
        scatter_scalar as _scatter_scalar, scatter_source_grad as _scatter_source_grad)
from tritonflow.functional.functors.index_forms import (index_copy as _index_copy, index_fill as _index_fill,
        index_fill_tensor as _index_fill_tensor, index_put_items as _index_put_items, masked_scatter as _masked_scatter,
        nonzero_static as _non_zero_static, put as _put, take as _take, take_along_dim as _take_along_dim)
from tritonflow.functional.functors.oneflow_forms import (one_hot_values as _one_hot_values)
from tritonflow.functional.functors.sampling_grids import (affine_grid as _affine_grid, grid_sample as _grid_sample,
        grid_sample_points as _grid_sample_points, grid_sample_slopes as _grid_sample_slopes,
        grid_sample_slopes_grad as _grid_sample_slopes_grad, grid_sample_spread as _grid_sample_spread,
        grid_sampler as _grid_sampler, grid_sampler_2d as _grid_sampler2d, grid_sampler_3d as _grid_sampler3d)
from tritonflow.functional.functors.scatter_reduce import (index_reduce as _index_reduce, scatter_fold as _scatter_fold,
        scatter_fold_grad as _scatter_fold_grad, scatter_reduce as _scatter_reduce)
from tritonflow.functional.functors.search import (bincount as _bin_count, bucketize as _bucketize,
        bucketize_scalar as _bucketize_scalar, isin as _is_in, isin_scalar_element as _is_in_scalar_element,
        isin_scalar_tests as _is_in_scalar_tests, searchsorted as _search_sorted, searchsorted_scalar as _search_sorted_scalar,
        unique as _unique, unique_consecutive as _unique_consecutive)
from tritonflow.functional.functors.segments import (segment_reduce as _segment_reduce)
from tritonflow.functional.functors.selection import (masked_fill as _masked_fill, masked_fill_tensor as _masked_fill_tensor)
from tritonflow.functional.library import publish as _publish
from tritonflow.functional.prototype import MISSING as _missing

_argwhere_slow = _Binding("argwhere", "Tensor (Tensor input)", _non_zero, methods="argwhere")
def argwhere(input=_missing, *extra, **unknown):
    """the coordinates of the elements that are not zero, a row each

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Not differentiable: gives no floating values. Method: `Tensor.argwhere`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.argwhere.
    """
    if input.__class__ is _Tensor and not extra and not unknown:
        return _non_zero(input)
    return _argwhere_slow((input,), extra, unknown)

_nonzero_slow = _Binding("nonzero", "Tensor (Tensor input, Bool as_tuple=False)", _non_zero, methods="nonzero")
def nonzero(input=_missing, as_tuple=False, *extra, **unknown):
    """the coordinates of the elements that are not zero, a row each

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Not differentiable. Method: `Tensor.nonzero`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nonzero.
    """
    if input.__class__ is _Tensor and (as_tuple is False or as_tuple is True) and not extra and not unknown:
        return _non_zero(input, as_tuple)
    return _nonzero_slow((input, as_tuple), extra, unknown)

_masked_select_slow = _Binding("masked_select", "Tensor (Tensor input, Tensor mask)", _masked_select, methods="masked_select")
def masked_select(input=_missing, mask=_missing, *extra, **unknown):
    """the elements where the mask is true, as a vector

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Method: `Tensor.masked_select`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.masked_select.
    """
    if input.__class__ is _Tensor and mask.__class__ is _Tensor and not extra and not unknown:
        return _masked_select(input, mask)
    return _masked_select_slow((input, mask), extra, unknown)

_masked_fill_slow = _Binding("masked_fill", "Tensor (Tensor input, Tensor mask, Tensor value, *, Bool inplace=False)",
        _masked_fill_tensor, "Tensor (Tensor input, Tensor mask, Scalar value, *, Bool inplace=False)", _masked_fill,
        methods="masked_fill")
def masked_fill(input=_missing, mask=_missing, value=_missing, *extra, inplace=False, **unknown):
    """a number where a mask holds

    Args:
        input: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input`, `mask` and `value` are broadcast together; the result has their common shape.

    Dtypes:
        The result has the dtype of `input`.

    Differentiable in `input`. Methods: `Tensor.masked_fill` and `Tensor.masked_fill_`.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.masked_fill.
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
    """In place: a number where a mask holds

    The result is written over `input`, which keeps its shape and dtype, and is returned. See
    `flow.masked_fill`.

    Args:
        input: the input.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        RuntimeError: the result does not fit the shape or the kind of dtype of `input`, or `input` is a
            leaf that requires grad.
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
    if (dy.__class__ is _Tensor and indices.__class__ is tuple and dim.__class__ is int and
            (accumulate is False or accumulate is True) and not extra and not unknown and _all_tensors(indices)):
        return _index_put_grad(dy, indices, dim, accumulate)
    return _index_put_grad_slow((dy, indices, dim, accumulate), extra, unknown)

_index_select_slow = _Binding("index_select", "Tensor (Tensor input, Int32 dim, Tensor index)", _index_select,
        methods="index_select")
def index_select(input=_missing, dim=_missing, index=_missing, *extra, **unknown):
    """the entries of a dimension at the indices of a vector

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Method: `Tensor.index_select`.

    Raises:
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.index_select.
    """
    if input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and not extra and not unknown:
        return _index_select(input, dim, index)
    return _index_select_slow((input, dim, index), extra, unknown)

_index_add_slow = _Binding("index_add",
        "Tensor (Tensor input, Int32 dim, Tensor index, Tensor source, *, Scalar alpha=1, Bool inplace=False)", _index_add,
        methods="index_add")
def index_add(input=_missing, dim=_missing, index=_missing, source=_missing, *extra, alpha=1, inplace=False, **unknown):
    """input with alpha * source added at the indices of a vector along a dimension

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Methods: `Tensor.index_add` and `Tensor.index_add_`.

    Raises:
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.index_add.
    """
    if (input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and source.__class__ is _Tensor and
            (alpha.__class__ is int or alpha.__class__ is float) and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _index_add(input, dim, index, source, alpha, inplace)
    return _index_add_slow((input, dim, index, source, alpha, inplace), extra, unknown)

_index_add__slow = _Binding("index_add_", "Tensor (Tensor input, Int32 dim, Tensor index, Tensor source, *, Scalar alpha=1)",
        _index_add, methods="index_add_", inplace=True)
def index_add_(input=_missing, dim=_missing, index=_missing, source=_missing, *extra, alpha=1, **unknown):
    """In place: input with alpha * source added at the indices of a vector along a dimension

    The result is written over `input`, which keeps its shape and dtype, and is returned. See
    `flow.index_add`.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.

    Raises:
        RuntimeError: the result does not fit the shape or the kind of dtype of `input`, or `input` is a
            leaf that requires grad.
        IndexError: `dim` is out of range.
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
    """y[i][j] = input[index[i][j]][j] for dim 0

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Differentiable in `input`. Method: `Tensor.gather`.

    Raises:
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.gather.
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
    """input with input[index[i][j]][j] = src[i][j] for dim 0

    Overloads:
        - `scatter(input: Tensor, dim: int, index: Tensor, src: Tensor, *, reduce: str | None = None) -> Tensor`
        - `scatter(input: Tensor, dim: int, index: Tensor, src: Number, *, reduce: str | None = None) -> Tensor`
        - `scatter(input: Tensor, dim: int, index: Tensor, value: Number, *, reduce: str | None = None) -> Tensor`

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        reduce: deprecated, see `reduction`.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Differentiable in `input` and `src`. Methods: `Tensor.scatter` and `Tensor.scatter_`.

    Raises:
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.scatter.
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
    """In place: input with input[index[i][j]][j] = src[i][j] for dim 0

    The result is written over `input`, which keeps its shape and dtype, and is returned. See
    `flow.scatter`.

    Overloads:
        - `scatter(input: Tensor, dim: int, index: Tensor, src: Tensor, *, reduce: str | None = None) -> Tensor`
        - `scatter(input: Tensor, dim: int, index: Tensor, src: Number, *, reduce: str | None = None) -> Tensor`
        - `scatter(input: Tensor, dim: int, index: Tensor, value: Number, *, reduce: str | None = None) -> Tensor`

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        reduce: deprecated, see `reduction`.

    Raises:
        RuntimeError: the result does not fit the shape or the kind of dtype of `input`, or `input` is a
            leaf that requires grad.
        IndexError: `dim` is out of range.
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
    """input with input[index[i][j]][j] += src[i][j] for dim 0

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Under `flow.autocast` it computes in the widest dtype of its operands. Methods: `Tensor.scatter_add`
    and `Tensor.scatter_add_`.

    Raises:
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.scatter_add.
    """
    if (input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and src.__class__ is _Tensor and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _scatter_add(input, dim, index, src, inplace)
    return _scatter_add_slow((input, dim, index, src, inplace), extra, unknown)

_scatter_add__slow = _Binding("scatter_add_", "Tensor (Tensor input, Int32 dim, Tensor index, Tensor src)", _scatter_add,
        methods="scatter_add_", autocast="widest", inplace=True)
def scatter_add_(input=_missing, dim=_missing, index=_missing, src=_missing, *extra, **unknown):
    """In place: input with input[index[i][j]][j] += src[i][j] for dim 0

    The result is written over `input`, which keeps its shape and dtype, and is returned. See
    `flow.scatter_add`.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.

    Raises:
        RuntimeError: the result does not fit the shape or the kind of dtype of `input`, or `input` is a
            leaf that requires grad.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.scatter_add.
    """
    if (input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and src.__class__ is _Tensor and
            not extra and not unknown):
        return _scatter_add(input, dim, index, src, inplace=True)
    return _scatter_add__slow((input, dim, index, src), extra, unknown)

_scatter_fold_slow = _Binding("scatter_fold",
        "Tensor (Tensor input, Int32 dim, Tensor index, Tensor src, String fold, Bool inplace=False)", _scatter_fold)
def scatter_fold(input=_missing, dim=_missing, index=_missing, src=_missing, fold=_missing, inplace=False, *extra, **unknown):
    """input with a fold (mul, maximum, minimum) of itself and src where the index says"""
    if (input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and src.__class__ is _Tensor and
            fold.__class__ is str and (inplace is False or inplace is True) and not extra and not unknown):
        return _scatter_fold(input, dim, index, src, fold, inplace)
    return _scatter_fold_slow((input, dim, index, src, fold, inplace), extra, unknown)

_scatter_fold_grad_slow = _Binding("scatter_fold_grad",
        "TensorTuple (Tensor dy, Tensor x, Tensor src, Tensor index, Tensor y, Int32 dim, String fold)", _scatter_fold_grad)
def scatter_fold_grad(dy=_missing, x=_missing, src=_missing, index=_missing, y=_missing, dim=_missing, fold=_missing, *extra,
        **unknown):
    if (dy.__class__ is _Tensor and x.__class__ is _Tensor and src.__class__ is _Tensor and index.__class__ is _Tensor and
            y.__class__ is _Tensor and dim.__class__ is int and fold.__class__ is str and not extra and not unknown):
        return _scatter_fold_grad(dy, x, src, index, y, dim, fold)
    return _scatter_fold_grad_slow((dy, x, src, index, y, dim, fold), extra, unknown)

_scatter_reduce_slow = _Binding("scatter_reduce",
        "Tensor (Tensor input, Int32 dim, Tensor index, Tensor src, String reduce, *, Bool include_self=True, Bool inplace=False)",
        _scatter_reduce, methods="scatter_reduce")
def scatter_reduce(input=_missing, dim=_missing, index=_missing, src=_missing, reduce=_missing, *extra, include_self=True,
        inplace=False, **unknown):
    """input with src folded in where the index says, by sum, prod, mean, amax or amin

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        reduce: deprecated, see `reduction`.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Methods: `Tensor.scatter_reduce` and `Tensor.scatter_reduce_`.

    Raises:
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.scatter_reduce.
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
    """In place: input with src folded in where the index says, by sum, prod, mean, amax or amin

    The result is written over `input`, which keeps its shape and dtype, and is returned. See
    `flow.scatter_reduce`.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        reduce: deprecated, see `reduction`.

    Raises:
        RuntimeError: the result does not fit the shape or the kind of dtype of `input`, or `input` is a
            leaf that requires grad.
        IndexError: `dim` is out of range.
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
    """input with the entries of source folded in at the indices of a vector, by prod, mean, amax or amin

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        reduce: deprecated, see `reduction`.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Methods: `Tensor.index_reduce` and `Tensor.index_reduce_`.

    Raises:
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.index_reduce.
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
    """In place: input with the entries of source folded in at the indices of a vector, by prod, mean, amax or amin

    The result is written over `input`, which keeps its shape and dtype, and is returned. See
    `flow.index_reduce`.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        reduce: deprecated, see `reduction`.

    Raises:
        RuntimeError: the result does not fit the shape or the kind of dtype of `input`, or `input` is a
            leaf that requires grad.
        IndexError: `dim` is out of range.
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
    """neighbouring entries folded segment by segment, by sum, mean, max, min or prod; segments by their lengths, or by offsets

    Args:
        reduce: deprecated, see `reduction`.
        axis: the dimension; a negative one counts from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.segment_reduce.
    """
    if (data.__class__ is _Tensor and reduce.__class__ is str and (lengths is None or lengths.__class__ is _Tensor) and
            (indices is None or indices.__class__ is _Tensor) and (offsets is None or offsets.__class__ is _Tensor) and
            axis.__class__ is int and (unsafe is False or unsafe is True) and (initial is None or initial.__class__ is float) and
            not extra and not unknown):
        return _segment_reduce(data, reduce, lengths, indices, offsets, axis, unsafe, initial)
    return _segment_reduce_slow((data, reduce, lengths, indices, offsets, axis, unsafe, initial), extra, unknown)

_scatter_grad_slow = _Binding("scatter_grad", "Tensor (Tensor dy, Int32 dim, Tensor index, Bool accumulate)", _scatter_grad)
def scatter_grad(dy=_missing, dim=_missing, index=_missing, accumulate=_missing, *extra, **unknown):
    if (dy.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and
            (accumulate is False or accumulate is True) and not extra and not unknown):
        return _scatter_grad(dy, dim, index, accumulate)
    return _scatter_grad_slow((dy, dim, index, accumulate), extra, unknown)

_scatter_source_grad_slow = _Binding("scatter_source_grad", "Tensor (Tensor dy, Int32 dim, Tensor index, Shape shape)",
        _scatter_source_grad)
def scatter_source_grad(dy=_missing, dim=_missing, index=_missing, shape=_missing, *extra, **unknown):
    if (dy.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and
            (shape.__class__ is _Size or shape.__class__ is tuple and _all_ints(shape)) and not extra and not unknown):
        return _scatter_source_grad(dy, dim, index, shape)
    return _scatter_source_grad_slow((dy, dim, index, shape), extra, unknown)

_embedding_slow = _Binding("embedding",
        "Tensor (Tensor input, Tensor weight, Int64 padding_idx=None, Float max_norm=None, Float norm_type=2.0, Bool scale_grad_by_freq=False, Bool sparse=False)",
        _embedding)
def embedding(input=_missing, weight=_missing, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False,
        sparse=False, *extra, **unknown):
    """rows of a table; the row `padding_idx` gets no gradient

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.embedding.
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
    """for each label a row with a one at its place

    Overloads:
        - `one_hot(input: Tensor, num_classes: int = -1) -> Tensor`
        - `one_hot(input: Tensor, num_classes: int = -1, on_value: Number = 1, off_value: Number = 0) -> Tensor`

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Not differentiable.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.one_hot.
    """
    if (input.__class__ is _Tensor and num_classes.__class__ is int and on_value.__class__ is int and on_value == 1 and
            off_value.__class__ is int and off_value == 0 and not extra and not unknown):
        return _one_hot(input, num_classes)
    return _one_hot_slow((input, num_classes, on_value, off_value), extra, unknown)

_index_put_slow = _Binding("index_put",
        "Tensor (Tensor input, TensorTuple indices, Tensor values, Bool accumulate=False, Bool inplace=False)", _index_put_items,
        methods="index_put", autocast="widest")
def index_put(input=_missing, indices=_missing, values=_missing, accumulate=False, inplace=False, *extra, **unknown):
    """input with values written (or added) at indices, one for each of the first dimensions

    Args:
        input: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Under `flow.autocast` it computes in the widest dtype of its operands. Methods: `Tensor.index_put`
    and `Tensor.index_put_`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.index_put.
    """
    if (input.__class__ is _Tensor and indices.__class__ is tuple and values.__class__ is _Tensor and
            (accumulate is False or accumulate is True) and (inplace is False or inplace is True) and not extra and not unknown
            and _all_tensors(indices)):
        return _index_put_items(input, indices, values, accumulate, inplace)
    return _index_put_slow((input, indices, values, accumulate, inplace), extra, unknown)

_index_put__slow = _Binding("index_put_", "Tensor (Tensor input, TensorTuple indices, Tensor values, Bool accumulate=False)",
        _index_put_items, methods="index_put_", autocast="widest", inplace=True)
def index_put_(input=_missing, indices=_missing, values=_missing, accumulate=False, *extra, **unknown):
    """In place: input with values written (or added) at indices, one for each of the first dimensions

    The result is written over `input`, which keeps its shape and dtype, and is returned. See
    `flow.index_put`.

    Args:
        input: the input.

    Raises:
        RuntimeError: the result does not fit the shape or the kind of dtype of `input`, or `input` is a
            leaf that requires grad.
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
    """input with the entries of source at the indices of a vector along a dimension

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Methods: `Tensor.index_copy` and `Tensor.index_copy_`.

    Raises:
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.index_copy.
    """
    if (input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and source.__class__ is _Tensor and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _index_copy(input, dim, index, source, inplace)
    return _index_copy_slow((input, dim, index, source, inplace), extra, unknown)

_index_copy__slow = _Binding("index_copy_", "Tensor (Tensor input, Int32 dim, Tensor index, Tensor source)", _index_copy,
        methods="index_copy_", inplace=True)
def index_copy_(input=_missing, dim=_missing, index=_missing, source=_missing, *extra, **unknown):
    """In place: input with the entries of source at the indices of a vector along a dimension

    The result is written over `input`, which keeps its shape and dtype, and is returned. See
    `flow.index_copy`.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.

    Raises:
        RuntimeError: the result does not fit the shape or the kind of dtype of `input`, or `input` is a
            leaf that requires grad.
        IndexError: `dim` is out of range.
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
    """input with a number at the indices of a vector along a dimension

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Methods: `Tensor.index_fill` and `Tensor.index_fill_`.

    Raises:
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.index_fill.
    """
    if (input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and
            (value.__class__ is float or value.__class__ is int) and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _index_fill(input, dim, index, value, inplace)
    return _index_fill_slow((input, dim, index, value, inplace), extra, unknown)

_index_fill__slow = _Binding("index_fill_", "Tensor (Tensor input, Int32 dim, Tensor index, Scalar value)", _index_fill,
        "Tensor (Tensor input, Int32 dim, Tensor index, Tensor value)", _index_fill_tensor, methods="index_fill_", inplace=True)
def index_fill_(input=_missing, dim=_missing, index=_missing, value=_missing, *extra, **unknown):
    """In place: input with a number at the indices of a vector along a dimension

    The result is written over `input`, which keeps its shape and dtype, and is returned. See
    `flow.index_fill`.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.

    Raises:
        RuntimeError: the result does not fit the shape or the kind of dtype of `input`, or `input` is a
            leaf that requires grad.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.index_fill.
    """
    if (input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and
            (value.__class__ is float or value.__class__ is int) and not extra and not unknown):
        return _index_fill(input, dim, index, value, inplace=True)
    return _index_fill__slow((input, dim, index, value), extra, unknown)

_take_slow = _Binding("take", "Tensor (Tensor input, Tensor index)", _take, methods="take")
def take(input=_missing, index=_missing, *extra, **unknown):
    """the elements at indices into the flattened input

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Method: `Tensor.take`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.take.
    """
    if input.__class__ is _Tensor and index.__class__ is _Tensor and not extra and not unknown:
        return _take(input, index)
    return _take_slow((input, index), extra, unknown)

_put_slow = _Binding("put", "Tensor (Tensor input, Tensor index, Tensor source, Bool accumulate=False, Bool inplace=False)", _put,
        methods="put")
def put(input=_missing, index=_missing, source=_missing, accumulate=False, inplace=False, *extra, **unknown):
    """input with source written (or added) at indices into the flattened input

    Args:
        input: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Methods: `Tensor.put` and `Tensor.put_`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.put.
    """
    if (input.__class__ is _Tensor and index.__class__ is _Tensor and source.__class__ is _Tensor and
            (accumulate is False or accumulate is True) and (inplace is False or inplace is True) and not extra and not unknown):
        return _put(input, index, source, accumulate, inplace)
    return _put_slow((input, index, source, accumulate, inplace), extra, unknown)

_put__slow = _Binding("put_", "Tensor (Tensor input, Tensor index, Tensor source, Bool accumulate=False)", _put, methods="put_",
        inplace=True)
def put_(input=_missing, index=_missing, source=_missing, accumulate=False, *extra, **unknown):
    """In place: input with source written (or added) at indices into the flattened input

    The result is written over `input`, which keeps its shape and dtype, and is returned. See
    `flow.put`.

    Args:
        input: the input.

    Raises:
        RuntimeError: the result does not fit the shape or the kind of dtype of `input`, or `input` is a
            leaf that requires grad.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.put.
    """
    if (input.__class__ is _Tensor and index.__class__ is _Tensor and source.__class__ is _Tensor and
            (accumulate is False or accumulate is True) and not extra and not unknown):
        return _put(input, index, source, accumulate, inplace=True)
    return _put__slow((input, index, source, accumulate), extra, unknown)

_unravel_index_slow = _Binding("unravel_index", "TensorTuple (Tensor indices, PyObject shape)", _unravel_index)
def unravel_index(indices=_missing, shape=_missing, *extra, **unknown):
    """the indices into each dimension of a shape from indices into its elements in a row

    Args:
        out: a tensor that the result is written into; not while gradients are recorded.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.unravel_index.
    """
    if indices.__class__ is _Tensor and shape is not _missing and not extra and not unknown:
        return _unravel_index(indices, shape)
    return _unravel_index_slow((indices, shape), extra, unknown)

_take_along_dim_slow = _Binding("take_along_dim", "Tensor (Tensor input, Tensor indices, Int32 dim=None)", _take_along_dim,
        methods="take_along_dim")
def take_along_dim(input=_missing, indices=_missing, dim=None, *extra, **unknown):
    """gather, with input and indices broadcast along the other dimensions

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end. All elements unless given.
        out: a tensor that the result is written into; not while gradients are recorded.

    Method: `Tensor.take_along_dim`.

    Raises:
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.take_along_dim.
    """
    if (input.__class__ is _Tensor and indices.__class__ is _Tensor and (dim is None or dim.__class__ is int) and not extra and
            not unknown):
        return _take_along_dim(input, indices, dim)
    return _take_along_dim_slow((input, indices, dim), extra, unknown)

_masked_scatter_slow = _Binding("masked_scatter", "Tensor (Tensor input, Tensor mask, Tensor source, Bool inplace=False)",
        _masked_scatter, methods="masked_scatter")
def masked_scatter(input=_missing, mask=_missing, source=_missing, inplace=False, *extra, **unknown):
    """input with the elements of source, one after the other, where the mask is true

    Args:
        input: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Methods: `Tensor.masked_scatter` and `Tensor.masked_scatter_`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.masked_scatter.
    """
    if (input.__class__ is _Tensor and mask.__class__ is _Tensor and source.__class__ is _Tensor and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _masked_scatter(input, mask, source, inplace)
    return _masked_scatter_slow((input, mask, source, inplace), extra, unknown)

_masked_scatter__slow = _Binding("masked_scatter_", "Tensor (Tensor input, Tensor mask, Tensor source)", _masked_scatter,
        methods="masked_scatter_", inplace=True)
def masked_scatter_(input=_missing, mask=_missing, source=_missing, *extra, **unknown):
    """In place: input with the elements of source, one after the other, where the mask is true

    The result is written over `input`, which keeps its shape and dtype, and is returned. See
    `flow.masked_scatter`.

    Args:
        input: the input.

    Raises:
        RuntimeError: the result does not fit the shape or the kind of dtype of `input`, or `input` is a
            leaf that requires grad.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.masked_scatter.
    """
    if input.__class__ is _Tensor and mask.__class__ is _Tensor and source.__class__ is _Tensor and not extra and not unknown:
        return _masked_scatter(input, mask, source, inplace=True)
    return _masked_scatter__slow((input, mask, source), extra, unknown)

_nonzero_static_slow = _Binding("nonzero_static", "Tensor (Tensor input, *, Int64 size, Int64 fill_value=-1)", _non_zero_static,
        methods="nonzero_static")
def nonzero_static(input=_missing, *extra, size=_missing, fill_value=-1, **unknown):
    """the coordinates of the first elements that are not zero, as many rows as said

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Not differentiable: gives no floating values. Method: `Tensor.nonzero_static`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nonzero_static.
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
    """where values belong in sorted rows

    Args:
        out: a tensor that the result is written into; not while gradients are recorded.

    Dtypes:
        `sorted_sequence` and `input`: of any dtype but bool.

    Not differentiable.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.searchsorted.
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
    """the number of the bucket of each value

    Args:
        input: a tensor or a number.
        out: a tensor that the result is written into; not while gradients are recorded.

    Not differentiable: gives no floating values.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.bucketize.
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
    """whether each element is one of the test elements

    Overloads:
        - `isin(elements: Tensor, test_elements: Tensor, *, assume_unique: bool = False, invert: bool = False) -> Tensor`
        - `isin(elements: Tensor, test_element: Number, *, assume_unique: bool = False, invert: bool = False) -> Tensor`
        - `isin(element: Number, test_elements: Tensor, *, assume_unique: bool = False, invert: bool = False) -> Tensor`

    Args:
        out: a tensor that the result is written into; not while gradients are recorded.

    Not differentiable: gives no floating values.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.isin.
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
    """the different elements or slices, in order

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end. All elements unless given.

    Method: `Tensor.unique`.

    Raises:
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.unique.
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
    """the first of each run of equal elements or slices

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end. All elements unless given.

    Method: `Tensor.unique_consecutive`.

    Raises:
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.unique_consecutive.
    """
    if (input.__class__ is _Tensor and (return_inverse is False or return_inverse is True) and
            (return_counts is False or return_counts is True) and (dim is None or dim.__class__ is int) and not extra and
            not unknown):
        return _unique_consecutive(input, return_inverse, return_counts, dim)
    return _unique_consecutive_slow((input, return_inverse, return_counts, dim), extra, unknown)

_bincount_slow = _Binding("bincount", "Tensor (Tensor input, Tensor weights=None, Int64 minlength=0)", _bin_count,
        methods="bincount")
def bincount(input=_missing, weights=None, minlength=0, *extra, **unknown):
    """how often each number occurs

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Method: `Tensor.bincount`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.bincount.
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
    """sums, means or maxima of rows of a table

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.embedding_bag.
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
    """positions of an affine map of an image

    Args:
        align_corners: whether the centres of the corner elements stay where they are.
        out: a tensor that the result is written into; not while gradients are recorded.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.affine_grid.
    """
    if (theta.__class__ is _Tensor and (size.__class__ is _Size or size.__class__ is tuple and _all_ints(size)) and
            (align_corners is None or align_corners is False or align_corners is True) and not extra and not unknown):
        return _affine_grid(theta, size, align_corners)
    return _affine_grid_slow((theta, size, align_corners), extra, unknown)

_grid_sample_slow = _Binding("grid_sample",
        "Tensor (Tensor input, Tensor grid, String mode='bilinear', String padding_mode='zeros', Bool align_corners=None)",
        _grid_sample, autocast="float32")
def grid_sample(input=_missing, grid=_missing, mode='bilinear', padding_mode='zeros', align_corners=None, *extra, **unknown):
    """an image seen at the positions of a grid

    Args:
        input: the input.
        align_corners: whether the centres of the corner elements stay where they are.
        out: a tensor that the result is written into; not while gradients are recorded.

    Under `flow.autocast` it computes in float32.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.grid_sample.
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
    """grid_sample with numbers for its modes

    Args:
        input: the input.
        align_corners: whether the centres of the corner elements stay where they are.
        out: a tensor that the result is written into; not while gradients are recorded.

    Under `flow.autocast` it computes in float32.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.grid_sampler.
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
    """grid_sampler of images

    Args:
        input: the input.
        align_corners: whether the centres of the corner elements stay where they are.
        out: a tensor that the result is written into; not while gradients are recorded.

    Under `flow.autocast` it computes in float32.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.grid_sampler_2d.
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
    """grid_sampler of volumes

    Args:
        input: the input.
        align_corners: whether the centres of the corner elements stay where they are.
        out: a tensor that the result is written into; not while gradients are recorded.

    Under `flow.autocast` it computes in float32.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.grid_sampler_3d.
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
