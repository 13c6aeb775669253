"""Functions of the binding: index.

Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow.framework.tensor import Size as _Size
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.functional.arguments import Binding as _Binding, all_ints as _all_ints, all_tensors as _all_tensors
from tritonflow.functional.functors.index import (embedding as _embedding, gather as _gather, gather_grad as _gather_grad,
        index_add as _index_add, index_get as _index_get, index_get_grad as _index_get_grad, index_put as _index_put,
        index_put_grad as _index_put_grad, index_select as _index_select, masked_select as _masked_select, nonzero as _non_zero,
        one_hot as _one_hot, scatter as _scatter, scatter_add as _scatter_add, scatter_grad as _scatter_grad,
        scatter_scalar as _scatter_scalar, scatter_source_grad as _scatter_source_grad)
from tritonflow.functional.functors.selection import (masked_fill as _masked_fill, masked_fill_tensor as _masked_fill_tensor)
from tritonflow.functional.library import publish as _publish
from tritonflow.functional.prototype import MISSING as _missing

_argwhere_slow = _Binding("argwhere", "Tensor (Tensor input)", _non_zero, methods="argwhere")
def argwhere(input=_missing, *extra, **unknown):
    """the coordinates of the elements that are not zero, a row each"""
    if input.__class__ is _Tensor and not extra and not unknown:
        return _non_zero(input)
    return _argwhere_slow((input,), extra, unknown)

_nonzero_slow = _Binding("nonzero", "Tensor (Tensor input, Bool as_tuple=False)", _non_zero, methods="nonzero")
def nonzero(input=_missing, as_tuple=False, *extra, **unknown):
    """the coordinates of the elements that are not zero, a row each"""
    if input.__class__ is _Tensor and (as_tuple is False or as_tuple is True) and not extra and not unknown:
        return _non_zero(input, as_tuple)
    return _nonzero_slow((input, as_tuple), extra, unknown)

_masked_select_slow = _Binding("masked_select", "Tensor (Tensor input, Tensor mask)", _masked_select, methods="masked_select")
def masked_select(input=_missing, mask=_missing, *extra, **unknown):
    """the elements where the mask is true, as a vector"""
    if input.__class__ is _Tensor and mask.__class__ is _Tensor and not extra and not unknown:
        return _masked_select(input, mask)
    return _masked_select_slow((input, mask), extra, unknown)

_masked_fill_slow = _Binding("masked_fill", "Tensor (Tensor input, Tensor mask, Tensor value, *, Bool inplace=False)",
        _masked_fill_tensor, "Tensor (Tensor input, Tensor mask, Scalar value, *, Bool inplace=False)", _masked_fill,
        methods="masked_fill")
def masked_fill(input=_missing, mask=_missing, value=_missing, *extra, inplace=False, **unknown):
    """a number where a mask holds"""
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
    """In place: a number where a mask holds"""
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

_index_put_slow = _Binding("index_put",
        "Tensor (Tensor input, Tensor value, TensorTuple indices, Int32 dim=0, Bool accumulate=False, Bool wrap=True, Bool inplace=False)",
        _index_put)
def index_put(input=_missing, value=_missing, indices=_missing, dim=0, accumulate=False, wrap=True, inplace=False, *extra,
        **unknown):
    """input with value written (or added) at index tensors for neighbouring dimensions"""
    if (input.__class__ is _Tensor and value.__class__ is _Tensor and indices.__class__ is tuple and dim.__class__ is int and
            (accumulate is False or accumulate is True) and (wrap is True or wrap is False) and
            (inplace is False or inplace is True) and not extra and not unknown and _all_tensors(indices)):
        return _index_put(input, value, indices, dim, accumulate, wrap, inplace)
    return _index_put_slow((input, value, indices, dim, accumulate, wrap, inplace), extra, unknown)

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
    """the entries of a dimension at the indices of a vector"""
    if input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and not extra and not unknown:
        return _index_select(input, dim, index)
    return _index_select_slow((input, dim, index), extra, unknown)

_index_add_slow = _Binding("index_add",
        "Tensor (Tensor input, Int32 dim, Tensor index, Tensor source, *, Scalar alpha=1, Bool inplace=False)", _index_add,
        methods="index_add")
def index_add(input=_missing, dim=_missing, index=_missing, source=_missing, *extra, alpha=1, inplace=False, **unknown):
    """input with alpha * source added at the indices of a vector along a dimension"""
    if (input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and source.__class__ is _Tensor and
            (alpha.__class__ is int or alpha.__class__ is float) and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _index_add(input, dim, index, source, alpha, inplace)
    return _index_add_slow((input, dim, index, source, alpha, inplace), extra, unknown)

_index_add__slow = _Binding("index_add_", "Tensor (Tensor input, Int32 dim, Tensor index, Tensor source, *, Scalar alpha=1)",
        _index_add, methods="index_add_", inplace=True)
def index_add_(input=_missing, dim=_missing, index=_missing, source=_missing, *extra, alpha=1, **unknown):
    """In place: input with alpha * source added at the indices of a vector along a dimension"""
    if (input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and source.__class__ is _Tensor and
            (alpha.__class__ is int or alpha.__class__ is float) and not extra and not unknown):
        return _index_add(input, dim, index, source, alpha, inplace=True)
    return _index_add__slow((input, dim, index, source, alpha), extra, unknown)

_gather_slow = _Binding("gather", "Tensor (Tensor input, Int32 dim, Tensor index, *, Bool sparse_grad=False)", _gather,
        methods="gather")
def gather(input=_missing, dim=_missing, index=_missing, *extra, sparse_grad=False, **unknown):
    """y[i][j] = input[index[i][j]][j] for dim 0"""
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
    """input with input[index[i][j]][j] = src[i][j] for dim 0"""
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
    """In place: input with input[index[i][j]][j] = src[i][j] for dim 0"""
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
    """input with input[index[i][j]][j] += src[i][j] for dim 0"""
    if (input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and src.__class__ is _Tensor and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _scatter_add(input, dim, index, src, inplace)
    return _scatter_add_slow((input, dim, index, src, inplace), extra, unknown)

_scatter_add__slow = _Binding("scatter_add_", "Tensor (Tensor input, Int32 dim, Tensor index, Tensor src)", _scatter_add,
        methods="scatter_add_", autocast="widest", inplace=True)
def scatter_add_(input=_missing, dim=_missing, index=_missing, src=_missing, *extra, **unknown):
    """In place: input with input[index[i][j]][j] += src[i][j] for dim 0"""
    if (input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is _Tensor and src.__class__ is _Tensor and
            not extra and not unknown):
        return _scatter_add(input, dim, index, src, inplace=True)
    return _scatter_add__slow((input, dim, index, src), extra, unknown)

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
    """rows of a table; the row `padding_idx` gets no gradient"""
    if (input.__class__ is _Tensor and weight.__class__ is _Tensor and (padding_idx is None or padding_idx.__class__ is int) and
            (max_norm is None or max_norm.__class__ is float) and norm_type.__class__ is float and
            (scale_grad_by_freq is False or scale_grad_by_freq is True) and (sparse is False or sparse is True) and not extra and
            not unknown):
        return _embedding(input, weight, padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse)
    return _embedding_slow((input, weight, padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse), extra, unknown)

_one_hot_slow = _Binding("one_hot", "Tensor (Tensor input, Int64 num_classes=-1)", _one_hot)
def one_hot(input=_missing, num_classes=-1, *extra, **unknown):
    """for each label a row with a one at its place"""
    if input.__class__ is _Tensor and num_classes.__class__ is int and not extra and not unknown:
        return _one_hot(input, num_classes)
    return _one_hot_slow((input, num_classes), extra, unknown)

_methods = _publish(globals())
