"""Functions of the binding: view.

Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow.framework.tensor import Size as _Size
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.functional.arguments import Binding as _Binding, all_ints as _all_ints
from tritonflow.functional.functors.generated import (region_grad as _region_grad)
from tritonflow.functional.functors.reduction import (sum_to as _sum_to)
from tritonflow.functional.functors.view import (as_strided as _as_strided, chunk as _chunk, diagonal as _diagonal,
        expand as _expand, expand_as as _expand_as, flatten as _flatten, matrix_transpose as _matrix_transpose,
        movedim as _movedim, narrow as _narrow, permute as _permute, permute_inverse as _permute_inverse, reshape as _reshape,
        reshape_as as _reshape_as, select as _select, slice_dims as _slice, slice_tuples as _slice_tuples, split as _split,
        split_sections as _split_sections, squeeze as _squeeze, transpose as _transpose, unbind as _unbind,
        unfold_tensor as _unfold_tensor, unsqueeze as _unsqueeze, view as _view, view_as as _view_as)
from tritonflow.functional.functors.view_gradients import (as_strided_grad as _as_strided_grad, diagonal_grad as _diagonal_grad,
        region as _region, select_grad as _select_grad, slice_grad as _slice_grad, unfold_tensor_grad as _unfold_tensor_grad)
from tritonflow.functional.library import publish as _publish
from tritonflow.functional.prototype import MISSING as _missing

_view_slow = _Binding("view", "Tensor (Tensor x, Shape shape)", _view, methods="view")
def view(x=_missing, shape=_missing, *extra, **unknown):
    if (x.__class__ is _Tensor and (shape.__class__ is _Size or shape.__class__ is tuple and _all_ints(shape)) and not extra and
            not unknown):
        return _view(x, shape)
    if x.__class__ is _Tensor and shape.__class__ is int and not unknown and _all_ints(extra):
        return _view(x, (shape, *extra))
    return _view_slow((x, shape), extra, unknown)

_reshape_slow = _Binding("reshape", "Tensor (Tensor input, Shape shape)", _reshape, methods="reshape")
def reshape(input=_missing, shape=_missing, *extra, **unknown):
    if (input.__class__ is _Tensor and (shape.__class__ is _Size or shape.__class__ is tuple and _all_ints(shape)) and not extra
            and not unknown):
        return _reshape(input, shape)
    if input.__class__ is _Tensor and shape.__class__ is int and not unknown and _all_ints(extra):
        return _reshape(input, (shape, *extra))
    return _reshape_slow((input, shape), extra, unknown)

_flatten_slow = _Binding("flatten", "Tensor (Tensor input, Int32 start_dim=0, Int32 end_dim=-1)", _flatten, methods="flatten")
def flatten(input=_missing, start_dim=0, end_dim=-1, *extra, **unknown):
    if input.__class__ is _Tensor and start_dim.__class__ is int and end_dim.__class__ is int and not extra and not unknown:
        return _flatten(input, start_dim, end_dim)
    return _flatten_slow((input, start_dim, end_dim), extra, unknown)

_permute_slow = _Binding("permute", "Tensor (Tensor input, Int32List dims)", _permute, methods="permute")
def permute(input=_missing, dims=_missing, *extra, **unknown):
    if (input.__class__ is _Tensor and (dims.__class__ is _Size or dims.__class__ is tuple and _all_ints(dims)) and not extra and
            not unknown):
        return _permute(input, dims)
    if input.__class__ is _Tensor and dims.__class__ is int and not unknown and _all_ints(extra):
        return _permute(input, (dims, *extra))
    return _permute_slow((input, dims), extra, unknown)

_permute_inverse_slow = _Binding("permute_inverse", "Tensor (Tensor input, Int32List dims)", _permute_inverse)
def permute_inverse(input=_missing, dims=_missing, *extra, **unknown):
    if (input.__class__ is _Tensor and (dims.__class__ is _Size or dims.__class__ is tuple and _all_ints(dims)) and not extra and
            not unknown):
        return _permute_inverse(input, dims)
    return _permute_inverse_slow((input, dims), extra, unknown)

_transpose_slow = _Binding("transpose", "Tensor (Tensor input, Int32 dim0, Int32 dim1)", _transpose,
        methods="transpose swapaxes swapdims")
def transpose(input=_missing, dim0=_missing, dim1=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and dim0.__class__ is int and dim1.__class__ is int and not extra and not unknown:
        return _transpose(input, dim0, dim1)
    return _transpose_slow((input, dim0, dim1), extra, unknown)

_swapaxes_slow = _Binding("swapaxes", "Tensor (Tensor input, Int32 dim0, Int32 dim1)", _transpose)
def swapaxes(input=_missing, dim0=_missing, dim1=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and dim0.__class__ is int and dim1.__class__ is int and not extra and not unknown:
        return _transpose(input, dim0, dim1)
    return _swapaxes_slow((input, dim0, dim1), extra, unknown)

_swapdims_slow = _Binding("swapdims", "Tensor (Tensor input, Int32 dim0, Int32 dim1)", _transpose)
def swapdims(input=_missing, dim0=_missing, dim1=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and dim0.__class__ is int and dim1.__class__ is int and not extra and not unknown:
        return _transpose(input, dim0, dim1)
    return _swapdims_slow((input, dim0, dim1), extra, unknown)

_t_slow = _Binding("t", "Tensor (Tensor input)", _matrix_transpose, methods="t")
def t(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _matrix_transpose(input)
    return _t_slow((input,), extra, unknown)

_movedim_slow = _Binding("movedim", "Tensor (Tensor input, Int32List[1] source, Int32List[1] destination)", _movedim,
        methods="movedim")
def movedim(input=_missing, source=_missing, destination=_missing, *extra, **unknown):
    if (input.__class__ is _Tensor and (source.__class__ is int or source.__class__ is _Size or source.__class__ is tuple and
            _all_ints(source)) and
            (destination.__class__ is int or destination.__class__ is _Size or destination.__class__ is tuple and
            _all_ints(destination)) and not extra and not unknown):
        return _movedim(input, (source,) if source.__class__ is int else source, (destination,) if destination.__class__ is int
                else destination)
    return _movedim_slow((input, source, destination), extra, unknown)

_expand_slow = _Binding("expand", "Tensor (Tensor input, Shape shape)", _expand, methods="expand")
def expand(input=_missing, shape=_missing, *extra, **unknown):
    if (input.__class__ is _Tensor and (shape.__class__ is _Size or shape.__class__ is tuple and _all_ints(shape)) and not extra
            and not unknown):
        return _expand(input, shape)
    if input.__class__ is _Tensor and shape.__class__ is int and not unknown and _all_ints(extra):
        return _expand(input, (shape, *extra))
    return _expand_slow((input, shape), extra, unknown)

_broadcast_to_slow = _Binding("broadcast_to", "Tensor (Tensor input, Shape shape)", _expand)
def broadcast_to(input=_missing, shape=_missing, *extra, **unknown):
    if (input.__class__ is _Tensor and (shape.__class__ is _Size or shape.__class__ is tuple and _all_ints(shape)) and not extra
            and not unknown):
        return _expand(input, shape)
    return _broadcast_to_slow((input, shape), extra, unknown)

_expand_as_slow = _Binding("expand_as", "Tensor (Tensor input, Tensor other)", _expand_as, methods="expand_as")
def expand_as(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _expand_as(input, other)
    return _expand_as_slow((input, other), extra, unknown)

_view_as_slow = _Binding("view_as", "Tensor (Tensor input, Tensor other)", _view_as, methods="view_as")
def view_as(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _view_as(input, other)
    return _view_as_slow((input, other), extra, unknown)

_reshape_as_slow = _Binding("reshape_as", "Tensor (Tensor input, Tensor other)", _reshape_as, methods="reshape_as")
def reshape_as(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _reshape_as(input, other)
    return _reshape_as_slow((input, other), extra, unknown)

_sum_to_slow = _Binding("sum_to", "Tensor (Tensor input, Shape shape)", _sum_to)
def sum_to(input=_missing, shape=_missing, *extra, **unknown):
    if (input.__class__ is _Tensor and (shape.__class__ is _Size or shape.__class__ is tuple and _all_ints(shape)) and not extra
            and not unknown):
        return _sum_to(input, shape)
    return _sum_to_slow((input, shape), extra, unknown)

_squeeze_slow = _Binding("squeeze", "Tensor (Tensor input, Int32List[1] dim=None)", _squeeze, methods="squeeze")
def squeeze(input=_missing, dim=None, *extra, **unknown):
    if (input.__class__ is _Tensor and (dim is None or dim.__class__ is int or dim.__class__ is _Size or dim.__class__ is tuple
            and _all_ints(dim)) and not extra and not unknown):
        return _squeeze(input, (dim,) if dim.__class__ is int else dim)
    if input.__class__ is _Tensor and dim.__class__ is int and not unknown and _all_ints(extra):
        return _squeeze(input, (dim, *extra))
    return _squeeze_slow((input, dim), extra, unknown)

_unsqueeze_slow = _Binding("unsqueeze", "Tensor (Tensor input, Int32 dim)", _unsqueeze, methods="unsqueeze")
def unsqueeze(input=_missing, dim=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and dim.__class__ is int and not extra and not unknown:
        return _unsqueeze(input, dim)
    return _unsqueeze_slow((input, dim), extra, unknown)

_expand_dims_slow = _Binding("expand_dims", "Tensor (Tensor input, Int32 dim)", _unsqueeze)
def expand_dims(input=_missing, dim=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and dim.__class__ is int and not extra and not unknown:
        return _unsqueeze(input, dim)
    return _expand_dims_slow((input, dim), extra, unknown)

_select_slow = _Binding("select", "Tensor (Tensor input, Int32 dim, Int32 index)", _select, methods="select")
def select(input=_missing, dim=_missing, index=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is int and not extra and not unknown:
        return _select(input, dim, index)
    return _select_slow((input, dim, index), extra, unknown)

_select_grad_slow = _Binding("select_grad", "Tensor (Tensor dy, Shape shape, Int32 dim, Int32 index)", _select_grad)
def select_grad(dy=_missing, shape=_missing, dim=_missing, index=_missing, *extra, **unknown):
    if (dy.__class__ is _Tensor and (shape.__class__ is _Size or shape.__class__ is tuple and _all_ints(shape)) and
            dim.__class__ is int and index.__class__ is int and not extra and not unknown):
        return _select_grad(dy, shape, dim, index)
    return _select_grad_slow((dy, shape, dim, index), extra, unknown)

_narrow_slow = _Binding("narrow", "Tensor (Tensor input, Int32 dim, Int64 start, Int64 length)", _narrow, methods="narrow")
def narrow(input=_missing, dim=_missing, start=_missing, length=_missing, *extra, **unknown):
    if (input.__class__ is _Tensor and dim.__class__ is int and start.__class__ is int and length.__class__ is int and not extra
            and not unknown):
        return _narrow(input, dim, start, length)
    return _narrow_slow((input, dim, start, length), extra, unknown)

_slice_slow = _Binding("slice", "Tensor (Tensor x, Int64List start, Int64List stop, Int64List step)", _slice,
        "Tensor (Tensor input, PyObject slice_tup_list)", _slice_tuples)
def slice(x=_missing, start=_missing, stop=_missing, step=_missing, *extra, input=_missing, slice_tup_list=_missing, **unknown):
    if (x.__class__ is _Tensor and (start.__class__ is _Size or start.__class__ is tuple and _all_ints(start)) and
            (stop.__class__ is _Size or stop.__class__ is tuple and _all_ints(stop)) and
            (step.__class__ is _Size or step.__class__ is tuple and _all_ints(step)) and input is _missing and
            slice_tup_list is _missing and not extra and not unknown):
        return _slice(x, start, stop, step)
    if (x.__class__ is _Tensor and start is not _missing and stop is _missing and step is _missing and input is _missing and
            slice_tup_list is _missing and not extra and not unknown):
        return _slice_tuples(x, start)
    return _slice_slow((x, start, stop, step, input, slice_tup_list), extra, unknown)

_slice_grad_slow = _Binding("slice_grad", "Tensor (Tensor dy, Shape shape, Int32 dim, Int64 start, Int64 length, Int64 step)",
        _slice_grad)
def slice_grad(dy=_missing, shape=_missing, dim=_missing, start=_missing, length=_missing, step=_missing, *extra, **unknown):
    if (dy.__class__ is _Tensor and (shape.__class__ is _Size or shape.__class__ is tuple and _all_ints(shape)) and
            dim.__class__ is int and start.__class__ is int and length.__class__ is int and step.__class__ is int and not extra
            and not unknown):
        return _slice_grad(dy, shape, dim, start, length, step)
    return _slice_grad_slow((dy, shape, dim, start, length, step), extra, unknown)

_region_grad_slow = _Binding("region_grad", "Tensor (Tensor dy, Shape shape, Shape region_stride, Int64 elements)", _region_grad)
def region_grad(dy=_missing, shape=_missing, region_stride=_missing, elements=_missing, *extra, **unknown):
    if (dy.__class__ is _Tensor and (shape.__class__ is _Size or shape.__class__ is tuple and _all_ints(shape)) and
            (region_stride.__class__ is _Size or region_stride.__class__ is tuple and _all_ints(region_stride)) and
            elements.__class__ is int and not extra and not unknown):
        return _region_grad(dy, shape, region_stride, elements)
    return _region_grad_slow((dy, shape, region_stride, elements), extra, unknown)

_region_slow = _Binding("region", "Tensor (Tensor x, Shape shape, Shape region_stride, Int64 elements)", _region)
def region(x=_missing, shape=_missing, region_stride=_missing, elements=_missing, *extra, **unknown):
    if (x.__class__ is _Tensor and (shape.__class__ is _Size or shape.__class__ is tuple and _all_ints(shape)) and
            (region_stride.__class__ is _Size or region_stride.__class__ is tuple and _all_ints(region_stride)) and
            elements.__class__ is int and not extra and not unknown):
        return _region(x, shape, region_stride, elements)
    return _region_slow((x, shape, region_stride, elements), extra, unknown)

_as_strided_slow = _Binding("as_strided", "Tensor (Tensor input, Shape size, Shape stride, Int64 storage_offset=None)",
        _as_strided, methods="as_strided")
def as_strided(input=_missing, size=_missing, stride=_missing, storage_offset=None, *extra, **unknown):
    if (input.__class__ is _Tensor and (size.__class__ is _Size or size.__class__ is tuple and _all_ints(size)) and
            (stride.__class__ is _Size or stride.__class__ is tuple and _all_ints(stride)) and
            (storage_offset is None or storage_offset.__class__ is int) and not extra and not unknown):
        return _as_strided(input, size, stride, storage_offset)
    return _as_strided_slow((input, size, stride, storage_offset), extra, unknown)

_as_strided_grad_slow = _Binding("as_strided_grad",
        "Tensor (Tensor dy, Shape shape, Shape input_stride, Shape size, Shape stride, Int64 elements)", _as_strided_grad)
def as_strided_grad(dy=_missing, shape=_missing, input_stride=_missing, size=_missing, stride=_missing, elements=_missing, *extra,
        **unknown):
    if (dy.__class__ is _Tensor and (shape.__class__ is _Size or shape.__class__ is tuple and _all_ints(shape)) and
            (input_stride.__class__ is _Size or input_stride.__class__ is tuple and _all_ints(input_stride)) and
            (size.__class__ is _Size or size.__class__ is tuple and _all_ints(size)) and
            (stride.__class__ is _Size or stride.__class__ is tuple and _all_ints(stride)) and elements.__class__ is int and
            not extra and not unknown):
        return _as_strided_grad(dy, shape, input_stride, size, stride, elements)
    return _as_strided_grad_slow((dy, shape, input_stride, size, stride, elements), extra, unknown)

_diagonal_slow = _Binding("diagonal", "Tensor (Tensor input, Int32 offset=0, Int32 dim1=0, Int32 dim2=1)", _diagonal,
        methods="diagonal")
def diagonal(input=_missing, offset=0, dim1=0, dim2=1, *extra, **unknown):
    if (input.__class__ is _Tensor and offset.__class__ is int and dim1.__class__ is int and dim2.__class__ is int and not extra
            and not unknown):
        return _diagonal(input, offset, dim1, dim2)
    return _diagonal_slow((input, offset, dim1, dim2), extra, unknown)

_diagonal_grad_slow = _Binding("diagonal_grad", "Tensor (Tensor dy, Shape shape, Int32 offset, Int32 dim1, Int32 dim2)",
        _diagonal_grad)
def diagonal_grad(dy=_missing, shape=_missing, offset=_missing, dim1=_missing, dim2=_missing, *extra, **unknown):
    if (dy.__class__ is _Tensor and (shape.__class__ is _Size or shape.__class__ is tuple and _all_ints(shape)) and
            offset.__class__ is int and dim1.__class__ is int and dim2.__class__ is int and not extra and not unknown):
        return _diagonal_grad(dy, shape, offset, dim1, dim2)
    return _diagonal_grad_slow((dy, shape, offset, dim1, dim2), extra, unknown)

_unfold_tensor_slow = _Binding("unfold_tensor", "Tensor (Tensor x, Int32 dimension, Int32 size, Int32 step)", _unfold_tensor,
        methods="unfold")
def unfold_tensor(x=_missing, dimension=_missing, size=_missing, step=_missing, *extra, **unknown):
    if (x.__class__ is _Tensor and dimension.__class__ is int and size.__class__ is int and step.__class__ is int and not extra
            and not unknown):
        return _unfold_tensor(x, dimension, size, step)
    return _unfold_tensor_slow((x, dimension, size, step), extra, unknown)

_unfold_tensor_grad_slow = _Binding("unfold_tensor_grad", "Tensor (Tensor dy, Shape shape, Int32 dim, Int32 size, Int32 step)",
        _unfold_tensor_grad)
def unfold_tensor_grad(dy=_missing, shape=_missing, dim=_missing, size=_missing, step=_missing, *extra, **unknown):
    if (dy.__class__ is _Tensor and (shape.__class__ is _Size or shape.__class__ is tuple and _all_ints(shape)) and
            dim.__class__ is int and size.__class__ is int and step.__class__ is int and not extra and not unknown):
        return _unfold_tensor_grad(dy, shape, dim, size, step)
    return _unfold_tensor_grad_slow((dy, shape, dim, size, step), extra, unknown)

_split_slow = _Binding("split", "TensorTuple (Tensor x, Int64 split_size_or_sections, Int32 dim=0)", _split,
        "TensorTuple (Tensor x, Int64List split_size_or_sections, Int32 dim=0)", _split_sections, methods="split")
def split(x=_missing, split_size_or_sections=_missing, dim=0, *extra, **unknown):
    if x.__class__ is _Tensor and split_size_or_sections.__class__ is int and dim.__class__ is int and not extra and not unknown:
        return _split(x, split_size_or_sections, dim)
    if (x.__class__ is _Tensor and (split_size_or_sections.__class__ is _Size or split_size_or_sections.__class__ is tuple and
            _all_ints(split_size_or_sections)) and dim.__class__ is int and not extra and not unknown):
        return _split_sections(x, split_size_or_sections, dim)
    return _split_slow((x, split_size_or_sections, dim), extra, unknown)

_chunk_slow = _Binding("chunk", "TensorTuple (Tensor x, Int64 chunks, Int32 dim=0)", _chunk, methods="chunk")
def chunk(x=_missing, chunks=_missing, dim=0, *extra, **unknown):
    if x.__class__ is _Tensor and chunks.__class__ is int and dim.__class__ is int and not extra and not unknown:
        return _chunk(x, chunks, dim)
    return _chunk_slow((x, chunks, dim), extra, unknown)

_unbind_slow = _Binding("unbind", "TensorTuple (Tensor x, Int32 dim=0)", _unbind, methods="unbind")
def unbind(x=_missing, dim=0, *extra, **unknown):
    if x.__class__ is _Tensor and dim.__class__ is int and not extra and not unknown:
        return _unbind(x, dim)
    return _unbind_slow((x, dim), extra, unknown)

_methods = _publish(globals())
