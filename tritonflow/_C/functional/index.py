"""Functions of the binding: index.

Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow.framework.size import Size as _Size
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.binding.arguments import Binding as _Binding, all_ints as _all_ints, all_tensors as _all_tensors
from tritonflow.functions.generated import (cheapest_columns as _cheapest_columns)
from tritonflow.functions.index import (index_get as _index_get, index_get_grad as _index_get_grad, index_put as _index_put,
        nonzero as _non_zero, one_hot as _one_hot, argwhere as _argwhere, embedding as _embedding, index_add as _index_add,
        index_put_grad as _index_put_grad, index_select as _index_select, masked_select as _masked_select,
        unravel_index as _unravel_index)
from tritonflow.functions.index_bags import (embedding_bag as _embedding_bag)
from tritonflow.functions.index_forms import (index_fill_tensor as _index_fill_tensor, index_copy as _index_copy,
        index_fill as _index_fill, index_put_items as _index_put_items, masked_scatter as _masked_scatter,
        nonzero_static as _nonzero_static, put as _put, take as _take, take_along_dim as _take_along_dim)
from tritonflow.functions.index_gather import (gather as _gather, scatter as _scatter, scatter_scalar as _scatter_scalar,
        gather_grad as _gather_grad, scatter_add as _scatter_add, scatter_grad as _scatter_grad,
        scatter_source_grad as _scatter_source_grad)
from tritonflow.functions.index_masks import (masked_fill as _masked_fill, masked_fill_tensor as _masked_fill_tensor)
from tritonflow.functions.index_oneflow import (one_hot_values as _one_hot_values)
from tritonflow.functions.index_positions import (embedding_sum as _embedding_sum,
        embedding_sum_grad_positions as _embedding_sum_grad_positions, embedding_sum_grad_weight as _embedding_sum_grad_weight,
        token_and_position_embedding as _token_and_position_embedding)
from tritonflow.functions.index_sampling_grids import (grid_sample_points as _grid_sample_points,
        grid_sample_slopes as _grid_sample_slopes, grid_sample_spread as _grid_sample_spread, affine_grid as _affine_grid,
        grid_sample as _grid_sample, grid_sample_slopes_grad as _grid_sample_slopes_grad, grid_sampler as _grid_sampler,
        grid_sampler_2d as _grid_sampler_2d, grid_sampler_3d as _grid_sampler_3d)
from tritonflow.functions.index_scatter_reduce import (scatter_fold as _scatter_fold, index_reduce as _index_reduce,
        scatter_fold_grad as _scatter_fold_grad, scatter_reduce as _scatter_reduce)
from tritonflow.functions.index_search import (bucketize_scalar as _bucketize_scalar,
        isin_scalar_element as _is_in_scalar_element, isin_scalar_tests as _is_in_scalar_tests, searchsorted as _search_sorted,
        searchsorted_scalar as _search_sorted_scalar, bincount as _bincount, bucketize as _bucketize, isin as _isin,
        unique as _unique, unique_consecutive as _unique_consecutive)
from tritonflow.functions.index_segments import (segment_reduce as _segment_reduce)
from tritonflow.binding.library import publish as _publish
from tritonflow.binding.prototype import MISSING as _missing

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
    if (dy.__class__ is _Tensor and indices.__class__ is tuple and
            (shape.__class__ is _Size or (shape.__class__ is tuple or shape.__class__ is list) and _all_ints(shape)) and
            dim.__class__ is int and (wrap is False or wrap is True) and sbp is None and not extra and not unknown and
            _all_tensors(indices)):
        return _index_get_grad(dy, indices, tuple(shape) if shape.__class__ is list else shape, dim, wrap, sbp)
    return _index_get_grad_slow((dy, indices, shape, dim, wrap, sbp), extra, unknown)

_embedding_sum_slow = _Binding("embedding_sum",
        "Tensor (Tensor tokens, Tensor weight, Tensor places, Tensor positions=None, Int32 padding=-1, Double scale=1.0)",
        _embedding_sum)
def embedding_sum(tokens=_missing, weight=_missing, places=_missing, positions=None, padding=-1, scale=1.0, *extra, **unknown):
    """rows of a table of tokens, scaled, plus rows of a table of positions"""
    if (tokens.__class__ is _Tensor and weight.__class__ is _Tensor and places.__class__ is _Tensor and
            (positions is None or positions.__class__ is _Tensor) and padding.__class__ is int and scale.__class__ is float and
            not extra and not unknown):
        return _embedding_sum(tokens, weight, places, positions, padding, scale)
    return _embedding_sum_slow((tokens, weight, places, positions, padding, scale), extra, unknown)

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
    if (input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and src.__class__ is _Tensor and
            (reduce is None or reduce.__class__ is str) and value is _missing and not extra and not unknown):
        return _scatter(input, dim, index, src, reduce, inplace=True)
    if (input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and
            (src.__class__ is float or src.__class__ is int) and (reduce is None or reduce.__class__ is str) and value is _missing
            and not extra and not unknown):
        return _scatter_scalar(input, dim, index, src, reduce, inplace=True)
    return _scatter__slow((input, dim, index, src, reduce, value), extra, unknown)

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

_cheapest_columns_slow = _Binding("cheapest_columns", "Tensor (Tensor cost)", _cheapest_columns)
def cheapest_columns(cost=_missing, *extra, **unknown):
    """the columns of rows in the assignment with the least sum of costs, as of scipy.optimize.linear_sum_assignment"""
    if cost.__class__ is _Tensor and not extra and not unknown:
        return _cheapest_columns(cost)
    return _cheapest_columns_slow((cost,), extra, unknown)

_grid_sample_points_slow = _Binding("grid_sample_points",
        "Tensor (Tensor x, Tensor grid, Shape image, String mode, String padding, Bool aligned, Shape orders)",
        _grid_sample_points)
def grid_sample_points(x=_missing, grid=_missing, image=_missing, mode=_missing, padding=_missing, aligned=_missing,
        orders=_missing, *extra, **unknown):
    """images of flat pixels seen at points, their weights differentiated as often as orders say"""
    if (x.__class__ is _Tensor and grid.__class__ is _Tensor and
            (image.__class__ is _Size or (image.__class__ is tuple or image.__class__ is list) and _all_ints(image)) and
            mode.__class__ is str and padding.__class__ is str and (aligned is False or aligned is True) and
            (orders.__class__ is _Size or (orders.__class__ is tuple or orders.__class__ is list) and _all_ints(orders)) and
            not extra and not unknown):
        return _grid_sample_points(x, grid, tuple(image) if image.__class__ is list else image, mode, padding, aligned,
                tuple(orders) if orders.__class__ is list else orders)
    return _grid_sample_points_slow((x, grid, image, mode, padding, aligned, orders), extra, unknown)

_grid_sample_spread_slow = _Binding("grid_sample_spread",
        "Tensor (Tensor grad, Tensor grid, Shape image, String mode, String padding, Bool aligned, Shape orders)",
        _grid_sample_spread)
def grid_sample_spread(grad=_missing, grid=_missing, image=_missing, mode=_missing, padding=_missing, aligned=_missing,
        orders=_missing, *extra, **unknown):
    """the gradient of the images of grid_sample_points"""
    if (grad.__class__ is _Tensor and grid.__class__ is _Tensor and
            (image.__class__ is _Size or (image.__class__ is tuple or image.__class__ is list) and _all_ints(image)) and
            mode.__class__ is str and padding.__class__ is str and (aligned is False or aligned is True) and
            (orders.__class__ is _Size or (orders.__class__ is tuple or orders.__class__ is list) and _all_ints(orders)) and
            not extra and not unknown):
        return _grid_sample_spread(grad, grid, tuple(image) if image.__class__ is list else image, mode, padding, aligned,
                tuple(orders) if orders.__class__ is list else orders)
    return _grid_sample_spread_slow((grad, grid, image, mode, padding, aligned, orders), extra, unknown)

_grid_sample_slopes_slow = _Binding("grid_sample_slopes",
        "Tensor (Tensor grad, Tensor x, Tensor grid, Shape image, String mode, String padding, Bool aligned, Shape orders)",
        _grid_sample_slopes)
def grid_sample_slopes(grad=_missing, x=_missing, grid=_missing, image=_missing, mode=_missing, padding=_missing,
        aligned=_missing, orders=_missing, *extra, **unknown):
    """the gradient of the grid of grid_sample_points"""
    if (grad.__class__ is _Tensor and x.__class__ is _Tensor and grid.__class__ is _Tensor and
            (image.__class__ is _Size or (image.__class__ is tuple or image.__class__ is list) and _all_ints(image)) and
            mode.__class__ is str and padding.__class__ is str and (aligned is False or aligned is True) and
            (orders.__class__ is _Size or (orders.__class__ is tuple or orders.__class__ is list) and _all_ints(orders)) and
            not extra and not unknown):
        return _grid_sample_slopes(grad, x, grid, tuple(image) if image.__class__ is list else image, mode, padding, aligned,
                tuple(orders) if orders.__class__ is list else orders)
    return _grid_sample_slopes_slow((grad, x, grid, image, mode, padding, aligned, orders), extra, unknown)

_index_select_slow = _Binding("index_select", "Tensor (Tensor input, Int32 dim, Tensor index)", _index_select,
        methods="index_select")
def index_select(input=_missing, dim=_missing, index=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and not extra and not unknown:
        return _index_select(input, dim, index)
    return _index_select_slow((input, dim, index), extra, unknown)

_index_put_grad_slow = _Binding("index_put_grad", "Tensor (Tensor dy, TensorTuple indices, Int32 dim, Bool accumulate)",
        _index_put_grad)
def index_put_grad(dy=_missing, indices=_missing, dim=_missing, accumulate=_missing, *extra, **unknown):
    if (dy.__class__ is _Tensor and indices.__class__ is tuple and dim.__class__ is int and
            (accumulate is False or accumulate is True) and not extra and not unknown and _all_tensors(indices)):
        return _index_put_grad(dy, indices, dim, accumulate)
    return _index_put_grad_slow((dy, indices, dim, accumulate), extra, unknown)

_index_add_slow = _Binding("index_add",
        "Tensor (Tensor input, Int32 dim, Tensor index, Tensor source, *, Scalar alpha=1, Bool inplace=False)", _index_add,
        methods="index_add")
def index_add(input=_missing, dim=_missing, index=_missing, source=_missing, *extra, alpha=1, inplace=False, **unknown):
    if (input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and source.__class__ is _Tensor and
            (alpha.__class__ is int or alpha.__class__ is float) and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _index_add(input, dim, index, source, alpha, inplace)
    return _index_add_slow((input, dim, index, source, alpha, inplace), extra, unknown)

_index_add__slow = _Binding("index_add_", "Tensor (Tensor input, Int32 dim, Tensor index, Tensor source, *, Scalar alpha=1)",
        _index_add, methods="index_add_", inplace=True)
def index_add_(input=_missing, dim=_missing, index=_missing, source=_missing, *extra, alpha=1, **unknown):
    if (input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and source.__class__ is _Tensor and
            (alpha.__class__ is int or alpha.__class__ is float) and not extra and not unknown):
        return _index_add(input, dim, index, source, alpha, inplace=True)
    return _index_add__slow((input, dim, index, source, alpha), extra, unknown)

_embedding_slow = _Binding("embedding",
        "Tensor (Tensor input, Tensor weight, Int64 padding_idx=None, Float max_norm=None, Float norm_type=2.0, Bool scale_grad_by_freq=False, Bool sparse=False)",
        _embedding)
def embedding(input=_missing, weight=_missing, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False,
        sparse=False, *extra, **unknown):
    if (input.__class__ is _Tensor and weight.__class__ is _Tensor and (padding_idx is None or padding_idx.__class__ is int) and
            (max_norm is None or max_norm.__class__ is float) and norm_type.__class__ is float and
            (scale_grad_by_freq is False or scale_grad_by_freq is True) and (sparse is False or sparse is True) and not extra and
            not unknown):
        return _embedding(input, weight, padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse)
    return _embedding_slow((input, weight, padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse), extra, unknown)

_argwhere_slow = _Binding("argwhere", "Tensor (Tensor input)", _argwhere, methods="argwhere")
def argwhere(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _argwhere(input)
    return _argwhere_slow((input,), extra, unknown)

_masked_select_slow = _Binding("masked_select", "Tensor (Tensor input, Tensor mask)", _masked_select, methods="masked_select")
def masked_select(input=_missing, mask=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and mask.__class__ is _Tensor and not extra and not unknown:
        return _masked_select(input, mask)
    return _masked_select_slow((input, mask), extra, unknown)

_unravel_index_slow = _Binding("unravel_index", "TensorTuple (Tensor indices, PyObject shape)", _unravel_index)
def unravel_index(indices=_missing, shape=_missing, *extra, **unknown):
    if indices.__class__ is _Tensor and shape is not _missing and not extra and not unknown:
        return _unravel_index(indices, shape)
    return _unravel_index_slow((indices, shape), extra, unknown)

_embedding_bag_slow = _Binding("embedding_bag",
        "Tensor (Tensor input, Tensor weight, Tensor offsets=None, Float max_norm=None, Float norm_type=2.0, Bool scale_grad_by_freq=False, String mode='mean', Bool sparse=False, Tensor per_sample_weights=None, Bool include_last_offset=False, Int64 padding_idx=None)",
        _embedding_bag)
def embedding_bag(input=_missing, weight=_missing, offsets=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False,
        mode='mean', sparse=False, per_sample_weights=None, include_last_offset=False, padding_idx=None, *extra, **unknown):
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

_take_slow = _Binding("take", "Tensor (Tensor input, Tensor index)", _take, methods="take")
def take(input=_missing, index=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and index.__class__ is _Tensor and not extra and not unknown:
        return _take(input, index)
    return _take_slow((input, index), extra, unknown)

_put_slow = _Binding("put", "Tensor (Tensor input, Tensor index, Tensor source, Bool accumulate=False, Bool inplace=False)", _put,
        methods="put")
def put(input=_missing, index=_missing, source=_missing, accumulate=False, inplace=False, *extra, **unknown):
    if (input.__class__ is _Tensor and index.__class__ is _Tensor and source.__class__ is _Tensor and
            (accumulate is False or accumulate is True) and (inplace is False or inplace is True) and not extra and not unknown):
        return _put(input, index, source, accumulate, inplace)
    return _put_slow((input, index, source, accumulate, inplace), extra, unknown)

_put__slow = _Binding("put_", "Tensor (Tensor input, Tensor index, Tensor source, Bool accumulate=False)", _put, methods="put_",
        inplace=True)
def put_(input=_missing, index=_missing, source=_missing, accumulate=False, *extra, **unknown):
    if (input.__class__ is _Tensor and index.__class__ is _Tensor and source.__class__ is _Tensor and
            (accumulate is False or accumulate is True) and not extra and not unknown):
        return _put(input, index, source, accumulate, inplace=True)
    return _put__slow((input, index, source, accumulate), extra, unknown)

_take_along_dim_slow = _Binding("take_along_dim", "Tensor (Tensor input, Tensor indices, Int32 dim=None)", _take_along_dim,
        methods="take_along_dim")
def take_along_dim(input=_missing, indices=_missing, dim=None, *extra, **unknown):
    if (input.__class__ is _Tensor and indices.__class__ is _Tensor and (dim is None or dim.__class__ is int) and not extra and
            not unknown):
        return _take_along_dim(input, indices, dim)
    return _take_along_dim_slow((input, indices, dim), extra, unknown)

_index_copy_slow = _Binding("index_copy", "Tensor (Tensor input, Int32 dim, Tensor index, Tensor source, Bool inplace=False)",
        _index_copy, methods="index_copy")
def index_copy(input=_missing, dim=_missing, index=_missing, source=_missing, inplace=False, *extra, **unknown):
    if (input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and source.__class__ is _Tensor and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _index_copy(input, dim, index, source, inplace)
    return _index_copy_slow((input, dim, index, source, inplace), extra, unknown)

_index_copy__slow = _Binding("index_copy_", "Tensor (Tensor input, Int32 dim, Tensor index, Tensor source)", _index_copy,
        methods="index_copy_", inplace=True)
def index_copy_(input=_missing, dim=_missing, index=_missing, source=_missing, *extra, **unknown):
    if (input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and source.__class__ is _Tensor and
            not extra and not unknown):
        return _index_copy(input, dim, index, source, inplace=True)
    return _index_copy__slow((input, dim, index, source), extra, unknown)

_index_fill_slow = _Binding("index_fill", "Tensor (Tensor input, Int32 dim, Tensor index, Scalar value, Bool inplace=False)",
        _index_fill, "Tensor (Tensor input, Int32 dim, Tensor index, Tensor value, Bool inplace=False)", _index_fill_tensor,
        methods="index_fill")
def index_fill(input=_missing, dim=_missing, index=_missing, value=_missing, inplace=False, *extra, **unknown):
    if (input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and
            (value.__class__ is float or value.__class__ is int) and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _index_fill(input, dim, index, value, inplace)
    return _index_fill_slow((input, dim, index, value, inplace), extra, unknown)

_index_fill__slow = _Binding("index_fill_", "Tensor (Tensor input, Int32 dim, Tensor index, Scalar value)", _index_fill,
        "Tensor (Tensor input, Int32 dim, Tensor index, Tensor value)", _index_fill_tensor, methods="index_fill_", inplace=True)
def index_fill_(input=_missing, dim=_missing, index=_missing, value=_missing, *extra, **unknown):
    if (input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and
            (value.__class__ is float or value.__class__ is int) and not extra and not unknown):
        return _index_fill(input, dim, index, value, inplace=True)
    return _index_fill__slow((input, dim, index, value), extra, unknown)

_index_put_slow = _Binding("index_put",
        "Tensor (Tensor input, TensorTuple indices, Tensor values, Bool accumulate=False, Bool inplace=False)", _index_put_items,
        methods="index_put", autocast="widest")
def index_put(input=_missing, indices=_missing, values=_missing, accumulate=False, inplace=False, *extra, **unknown):
    if (input.__class__ is _Tensor and indices.__class__ is tuple and values.__class__ is _Tensor and
            (accumulate is False or accumulate is True) and (inplace is False or inplace is True) and not extra and not unknown
            and _all_tensors(indices)):
        return _index_put_items(input, indices, values, accumulate, inplace)
    return _index_put_slow((input, indices, values, accumulate, inplace), extra, unknown)

_index_put__slow = _Binding("index_put_", "Tensor (Tensor input, TensorTuple indices, Tensor values, Bool accumulate=False)",
        _index_put_items, methods="index_put_", autocast="widest", inplace=True)
def index_put_(input=_missing, indices=_missing, values=_missing, accumulate=False, *extra, **unknown):
    if (input.__class__ is _Tensor and indices.__class__ is tuple and values.__class__ is _Tensor and
            (accumulate is False or accumulate is True) and not extra and not unknown and _all_tensors(indices)):
        return _index_put_items(input, indices, values, accumulate, inplace=True)
    return _index_put__slow((input, indices, values, accumulate), extra, unknown)

_masked_scatter_slow = _Binding("masked_scatter", "Tensor (Tensor input, Tensor mask, Tensor source, Bool inplace=False)",
        _masked_scatter, methods="masked_scatter")
def masked_scatter(input=_missing, mask=_missing, source=_missing, inplace=False, *extra, **unknown):
    if (input.__class__ is _Tensor and mask.__class__ is _Tensor and source.__class__ is _Tensor and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _masked_scatter(input, mask, source, inplace)
    return _masked_scatter_slow((input, mask, source, inplace), extra, unknown)

_masked_scatter__slow = _Binding("masked_scatter_", "Tensor (Tensor input, Tensor mask, Tensor source)", _masked_scatter,
        methods="masked_scatter_", inplace=True)
def masked_scatter_(input=_missing, mask=_missing, source=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and mask.__class__ is _Tensor and source.__class__ is _Tensor and not extra and not unknown:
        return _masked_scatter(input, mask, source, inplace=True)
    return _masked_scatter__slow((input, mask, source), extra, unknown)

_nonzero_static_slow = _Binding("nonzero_static", "Tensor (Tensor input, *, Int64 size, Int64 fill_value=-1)", _nonzero_static,
        methods="nonzero_static")
def nonzero_static(input=_missing, *extra, size=_missing, fill_value=-1, **unknown):
    if input.__class__ is _Tensor and size.__class__ is int and fill_value.__class__ is int and not extra and not unknown:
        return _nonzero_static(input, size, fill_value)
    return _nonzero_static_slow((input, size, fill_value), extra, unknown)

_scatter_add_slow = _Binding("scatter_add", "Tensor (Tensor input, Int32 dim, Tensor index, Tensor src, *, Bool inplace=False)",
        _scatter_add, methods="scatter_add", autocast="widest")
def scatter_add(input=_missing, dim=_missing, index=_missing, src=_missing, *extra, inplace=False, **unknown):
    if (input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and src.__class__ is _Tensor and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _scatter_add(input, dim, index, src, inplace)
    return _scatter_add_slow((input, dim, index, src, inplace), extra, unknown)

_scatter_add__slow = _Binding("scatter_add_", "Tensor (Tensor input, Int32 dim, Tensor index, Tensor src)", _scatter_add,
        methods="scatter_add_", autocast="widest", inplace=True)
def scatter_add_(input=_missing, dim=_missing, index=_missing, src=_missing, *extra, **unknown):
    if (input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and src.__class__ is _Tensor and
            not extra and not unknown):
        return _scatter_add(input, dim, index, src, inplace=True)
    return _scatter_add__slow((input, dim, index, src), extra, unknown)

_gather_grad_slow = _Binding("gather_grad", "Tensor (Tensor dy, Int32 dim, Tensor index, Shape shape)", _gather_grad)
def gather_grad(dy=_missing, dim=_missing, index=_missing, shape=_missing, *extra, **unknown):
    if (dy.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and
            (shape.__class__ is _Size or (shape.__class__ is tuple or shape.__class__ is list) and _all_ints(shape)) and not extra
            and not unknown):
        return _gather_grad(dy, dim, index, tuple(shape) if shape.__class__ is list else shape)
    return _gather_grad_slow((dy, dim, index, shape), extra, unknown)

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
            (shape.__class__ is _Size or (shape.__class__ is tuple or shape.__class__ is list) and _all_ints(shape)) and not extra
            and not unknown):
        return _scatter_source_grad(dy, dim, index, tuple(shape) if shape.__class__ is list else shape)
    return _scatter_source_grad_slow((dy, dim, index, shape), extra, unknown)

_token_and_position_embedding_slow = _Binding("token_and_position_embedding",
        "Tensor (Tensor input, Tensor weight, Tensor position_weight, Tensor positions=None, *, Int32 padding_idx=None, Double scale=1.0)",
        _token_and_position_embedding)
def token_and_position_embedding(input=_missing, weight=_missing, position_weight=_missing, positions=None, *extra,
        padding_idx=None, scale=1.0, **unknown):
    if (input.__class__ is _Tensor and weight.__class__ is _Tensor and position_weight.__class__ is _Tensor and
            (positions is None or positions.__class__ is _Tensor) and (padding_idx is None or padding_idx.__class__ is int) and
            scale.__class__ is float and not extra and not unknown):
        return _token_and_position_embedding(input, weight, position_weight, positions, padding_idx, scale)
    return _token_and_position_embedding_slow((input, weight, position_weight, positions, padding_idx, scale), extra, unknown)

_embedding_sum_grad_weight_slow = _Binding("embedding_sum_grad_weight",
        "Tensor (Tensor grad, Tensor tokens, Shape shape, Int32 padding, Double scale, SbpList sbp=None)",
        _embedding_sum_grad_weight)
def embedding_sum_grad_weight(grad=_missing, tokens=_missing, shape=_missing, padding=_missing, scale=_missing, sbp=None, *extra,
        **unknown):
    if (grad.__class__ is _Tensor and tokens.__class__ is _Tensor and
            (shape.__class__ is _Size or (shape.__class__ is tuple or shape.__class__ is list) and _all_ints(shape)) and
            padding.__class__ is int and scale.__class__ is float and sbp is None and not extra and not unknown):
        return _embedding_sum_grad_weight(grad, tokens, tuple(shape) if shape.__class__ is list else shape, padding, scale, sbp)
    return _embedding_sum_grad_weight_slow((grad, tokens, shape, padding, scale, sbp), extra, unknown)

_embedding_sum_grad_positions_slow = _Binding("embedding_sum_grad_positions",
        "Tensor (Tensor grad, Tensor tokens, Shape shape, SbpList sbp=None, Tensor positions=None)",
        _embedding_sum_grad_positions)
def embedding_sum_grad_positions(grad=_missing, tokens=_missing, shape=_missing, sbp=None, positions=None, *extra, **unknown):
    if (grad.__class__ is _Tensor and tokens.__class__ is _Tensor and
            (shape.__class__ is _Size or (shape.__class__ is tuple or shape.__class__ is list) and _all_ints(shape)) and
            sbp is None and (positions is None or positions.__class__ is _Tensor) and not extra and not unknown):
        return _embedding_sum_grad_positions(grad, tokens, tuple(shape) if shape.__class__ is list else shape, sbp, positions)
    return _embedding_sum_grad_positions_slow((grad, tokens, shape, sbp, positions), extra, unknown)

_affine_grid_slow = _Binding("affine_grid", "Tensor (Tensor theta, Shape size, Bool align_corners=None)", _affine_grid)
def affine_grid(theta=_missing, size=_missing, align_corners=None, *extra, **unknown):
    if (theta.__class__ is _Tensor and (size.__class__ is _Size or (size.__class__ is tuple or size.__class__ is list) and
            _all_ints(size)) and (align_corners is None or align_corners is False or align_corners is True) and not extra and
            not unknown):
        return _affine_grid(theta, tuple(size) if size.__class__ is list else size, align_corners)
    return _affine_grid_slow((theta, size, align_corners), extra, unknown)

_grid_sample_slow = _Binding("grid_sample",
        "Tensor (Tensor input, Tensor grid, String mode='bilinear', String padding_mode='zeros', Bool align_corners=None)",
        _grid_sample, autocast="float32")
def grid_sample(input=_missing, grid=_missing, mode='bilinear', padding_mode='zeros', align_corners=None, *extra, **unknown):
    if (input.__class__ is _Tensor and grid.__class__ is _Tensor and mode.__class__ is str and padding_mode.__class__ is str and
            (align_corners is None or align_corners is False or align_corners is True) and not extra and not unknown):
        return _grid_sample(input, grid, mode, padding_mode, align_corners)
    return _grid_sample_slow((input, grid, mode, padding_mode, align_corners), extra, unknown)

_grid_sampler_slow = _Binding("grid_sampler",
        "Tensor (Tensor input, Tensor grid, Int32 interpolation_mode, Int32 padding_mode, Bool align_corners)", _grid_sampler,
        autocast="float32")
def grid_sampler(input=_missing, grid=_missing, interpolation_mode=_missing, padding_mode=_missing, align_corners=_missing,
        *extra, **unknown):
    if (input.__class__ is _Tensor and grid.__class__ is _Tensor and interpolation_mode.__class__ is int and
            padding_mode.__class__ is int and (align_corners is False or align_corners is True) and not extra and not unknown):
        return _grid_sampler(input, grid, interpolation_mode, padding_mode, align_corners)
    return _grid_sampler_slow((input, grid, interpolation_mode, padding_mode, align_corners), extra, unknown)

_grid_sampler_2d_slow = _Binding("grid_sampler_2d",
        "Tensor (Tensor input, Tensor grid, Int32 interpolation_mode, Int32 padding_mode, Bool align_corners)", _grid_sampler_2d,
        autocast="float32")
def grid_sampler_2d(input=_missing, grid=_missing, interpolation_mode=_missing, padding_mode=_missing, align_corners=_missing,
        *extra, **unknown):
    if (input.__class__ is _Tensor and grid.__class__ is _Tensor and interpolation_mode.__class__ is int and
            padding_mode.__class__ is int and (align_corners is False or align_corners is True) and not extra and not unknown):
        return _grid_sampler_2d(input, grid, interpolation_mode, padding_mode, align_corners)
    return _grid_sampler_2d_slow((input, grid, interpolation_mode, padding_mode, align_corners), extra, unknown)

_grid_sampler_3d_slow = _Binding("grid_sampler_3d",
        "Tensor (Tensor input, Tensor grid, Int32 interpolation_mode, Int32 padding_mode, Bool align_corners)", _grid_sampler_3d,
        autocast="float32")
def grid_sampler_3d(input=_missing, grid=_missing, interpolation_mode=_missing, padding_mode=_missing, align_corners=_missing,
        *extra, **unknown):
    if (input.__class__ is _Tensor and grid.__class__ is _Tensor and interpolation_mode.__class__ is int and
            padding_mode.__class__ is int and (align_corners is False or align_corners is True) and not extra and not unknown):
        return _grid_sampler_3d(input, grid, interpolation_mode, padding_mode, align_corners)
    return _grid_sampler_3d_slow((input, grid, interpolation_mode, padding_mode, align_corners), extra, unknown)

_grid_sample_slopes_grad_slow = _Binding("grid_sample_slopes_grad",
        "TensorTuple (Tensor outer, Tensor grad, Tensor x, Tensor grid, Shape image, String mode, String padding, Bool aligned, Shape orders, Bool needs_grad, Bool needs_x, Bool needs_grid)",
        _grid_sample_slopes_grad)
def grid_sample_slopes_grad(outer=_missing, grad=_missing, x=_missing, grid=_missing, image=_missing, mode=_missing,
        padding=_missing, aligned=_missing, orders=_missing, needs_grad=_missing, needs_x=_missing, needs_grid=_missing, *extra,
        **unknown):
    if (outer.__class__ is _Tensor and grad.__class__ is _Tensor and x.__class__ is _Tensor and grid.__class__ is _Tensor and
            (image.__class__ is _Size or (image.__class__ is tuple or image.__class__ is list) and _all_ints(image)) and
            mode.__class__ is str and padding.__class__ is str and (aligned is False or aligned is True) and
            (orders.__class__ is _Size or (orders.__class__ is tuple or orders.__class__ is list) and _all_ints(orders)) and
            (needs_grad is False or needs_grad is True) and (needs_x is False or needs_x is True) and
            (needs_grid is False or needs_grid is True) and not extra and not unknown):
        return _grid_sample_slopes_grad(outer, grad, x, grid, tuple(image) if image.__class__ is list else image, mode, padding,
                aligned, tuple(orders) if orders.__class__ is list else orders, needs_grad, needs_x, needs_grid)
    return _grid_sample_slopes_grad_slow((outer, grad, x, grid, image, mode, padding, aligned, orders, needs_grad, needs_x,
            needs_grid), extra, unknown)

_scatter_reduce_slow = _Binding("scatter_reduce",
        "Tensor (Tensor input, Int32 dim, Tensor index, Tensor src, String reduce, *, Bool include_self=True, Bool inplace=False)",
        _scatter_reduce, methods="scatter_reduce")
def scatter_reduce(input=_missing, dim=_missing, index=_missing, src=_missing, reduce=_missing, *extra, include_self=True,
        inplace=False, **unknown):
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
    if (input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and src.__class__ is _Tensor and
            reduce.__class__ is str and (include_self is True or include_self is False) and not extra and not unknown):
        return _scatter_reduce(input, dim, index, src, reduce, include_self, inplace=True)
    return _scatter_reduce__slow((input, dim, index, src, reduce, include_self), extra, unknown)

_scatter_fold_grad_slow = _Binding("scatter_fold_grad",
        "TensorTuple (Tensor dy, Tensor x, Tensor src, Tensor index, Tensor y, Int32 dim, String fold, Bool include_self=True)",
        _scatter_fold_grad)
def scatter_fold_grad(dy=_missing, x=_missing, src=_missing, index=_missing, y=_missing, dim=_missing, fold=_missing,
        include_self=True, *extra, **unknown):
    if (dy.__class__ is _Tensor and x.__class__ is _Tensor and src.__class__ is _Tensor and index.__class__ is _Tensor and
            y.__class__ is _Tensor and dim.__class__ is int and fold.__class__ is str and
            (include_self is True or include_self is False) and not extra and not unknown):
        return _scatter_fold_grad(dy, x, src, index, y, dim, fold, include_self)
    return _scatter_fold_grad_slow((dy, x, src, index, y, dim, fold, include_self), extra, unknown)

_index_reduce_slow = _Binding("index_reduce",
        "Tensor (Tensor input, Int32 dim, Tensor index, Tensor source, String reduce, *, Bool include_self=True, Bool inplace=False)",
        _index_reduce, methods="index_reduce")
def index_reduce(input=_missing, dim=_missing, index=_missing, source=_missing, reduce=_missing, *extra, include_self=True,
        inplace=False, **unknown):
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
    if (input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and source.__class__ is _Tensor and
            reduce.__class__ is str and (include_self is True or include_self is False) and not extra and not unknown):
        return _index_reduce(input, dim, index, source, reduce, include_self, inplace=True)
    return _index_reduce__slow((input, dim, index, source, reduce, include_self), extra, unknown)

_bucketize_slow = _Binding("bucketize", "Tensor (Tensor input, Tensor boundaries, *, Bool out_int32=False, Bool right=False)",
        _bucketize, "Tensor (Scalar input, Tensor boundaries, *, Bool out_int32=False, Bool right=False)", _bucketize_scalar)
def bucketize(input=_missing, boundaries=_missing, *extra, out_int32=False, right=False, **unknown):
    if (input.__class__ is _Tensor and boundaries.__class__ is _Tensor and (out_int32 is False or out_int32 is True) and
            (right is False or right is True) and not extra and not unknown):
        return _bucketize(input, boundaries, out_int32, right)
    if ((input.__class__ is float or input.__class__ is int) and boundaries.__class__ is _Tensor and
            (out_int32 is False or out_int32 is True) and (right is False or right is True) and not extra and not unknown):
        return _bucketize_scalar(input, boundaries, out_int32, right)
    return _bucketize_slow((input, boundaries, out_int32, right), extra, unknown)

_unique_slow = _Binding("unique",
        "Any (Tensor input, Bool sorted=True, Bool return_inverse=False, Bool return_counts=False, Int32 dim=None)", _unique,
        methods="unique")
def unique(input=_missing, sorted=True, return_inverse=False, return_counts=False, dim=None, *extra, **unknown):
    if (input.__class__ is _Tensor and (sorted is True or sorted is False) and (return_inverse is False or return_inverse is True)
            and (return_counts is False or return_counts is True) and (dim is None or dim.__class__ is int) and not extra and
            not unknown):
        return _unique(input, sorted, return_inverse, return_counts, dim)
    return _unique_slow((input, sorted, return_inverse, return_counts, dim), extra, unknown)

_unique_consecutive_slow = _Binding("unique_consecutive",
        "Any (Tensor input, Bool return_inverse=False, Bool return_counts=False, Int32 dim=None)", _unique_consecutive,
        methods="unique_consecutive")
def unique_consecutive(input=_missing, return_inverse=False, return_counts=False, dim=None, *extra, **unknown):
    if (input.__class__ is _Tensor and (return_inverse is False or return_inverse is True) and
            (return_counts is False or return_counts is True) and (dim is None or dim.__class__ is int) and not extra and
            not unknown):
        return _unique_consecutive(input, return_inverse, return_counts, dim)
    return _unique_consecutive_slow((input, return_inverse, return_counts, dim), extra, unknown)

_bincount_slow = _Binding("bincount", "Tensor (Tensor input, Tensor weights=None, Int64 minlength=0)", _bincount,
        methods="bincount")
def bincount(input=_missing, weights=None, minlength=0, *extra, **unknown):
    if (input.__class__ is _Tensor and (weights is None or weights.__class__ is _Tensor) and minlength.__class__ is int and
            not extra and not unknown):
        return _bincount(input, weights, minlength)
    return _bincount_slow((input, weights, minlength), extra, unknown)

_isin_slow = _Binding("isin", "Tensor (Tensor elements, Tensor test_elements, *, Bool assume_unique=False, Bool invert=False)",
        _isin, "Tensor (Tensor elements, Scalar test_element, *, Bool assume_unique=False, Bool invert=False)",
        _is_in_scalar_tests, "Tensor (Scalar element, Tensor test_elements, *, Bool assume_unique=False, Bool invert=False)",
        _is_in_scalar_element)
def isin(elements=_missing, test_elements=_missing, *extra, assume_unique=False, invert=False, test_element=_missing,
        element=_missing, **unknown):
    if (elements.__class__ is _Tensor and test_elements.__class__ is _Tensor and (assume_unique is False or assume_unique is True)
            and (invert is False or invert is True) and test_element is _missing and element is _missing and not extra and
            not unknown):
        return _isin(elements, test_elements, assume_unique, invert)
    if (elements.__class__ is _Tensor and (test_elements.__class__ is float or test_elements.__class__ is int) and
            (assume_unique is False or assume_unique is True) and (invert is False or invert is True) and test_element is _missing
            and element is _missing and not extra and not unknown):
        return _is_in_scalar_tests(elements, test_elements, assume_unique, invert)
    if ((elements.__class__ is float or elements.__class__ is int) and test_elements.__class__ is _Tensor and
            (assume_unique is False or assume_unique is True) and (invert is False or invert is True) and test_element is _missing
            and element is _missing and not extra and not unknown):
        return _is_in_scalar_element(elements, test_elements, assume_unique, invert)
    return _isin_slow((elements, test_elements, assume_unique, invert, test_element, element), extra, unknown)

_segment_reduce_slow = _Binding("segment_reduce",
        "Tensor (Tensor data, String reduce, *, Tensor lengths=None, Tensor indices=None, Tensor offsets=None, Int32 axis=0, Bool unsafe=False, Double initial=None)",
        _segment_reduce)
def segment_reduce(data=_missing, reduce=_missing, *extra, lengths=None, indices=None, offsets=None, axis=0, unsafe=False,
        initial=None, **unknown):
    if (data.__class__ is _Tensor and reduce.__class__ is str and (lengths is None or lengths.__class__ is _Tensor) and
            (indices is None or indices.__class__ is _Tensor) and (offsets is None or offsets.__class__ is _Tensor) and
            axis.__class__ is int and (unsafe is False or unsafe is True) and (initial is None or initial.__class__ is float) and
            not extra and not unknown):
        return _segment_reduce(data, reduce, lengths, indices, offsets, axis, unsafe, initial)
    return _segment_reduce_slow((data, reduce, lengths, indices, offsets, axis, unsafe, initial), extra, unknown)

_methods = _publish(globals())
