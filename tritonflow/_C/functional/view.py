"""Functions of the binding: view.

Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow.dtypes import DType as _DType
from tritonflow.framework.size import Size as _Size
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.binding.arguments import Binding as _Binding, all_ints as _all_ints, all_tensors as _all_tensors
from tritonflow.functions.generated import (region_grad as _region_grad)
from tritonflow.functions.view import (diagonal as _diagonal, expand as _expand, select as _select, slice_dims as _slice,
        slice_tuples as _slice_tuples, squeeze as _squeeze, unfold_tensor as _unfold_tensor, unsqueeze as _unsqueeze,
        view as _view, detach as _detach, expand_as as _expand_as, expand_reduced as _expand_reduced, narrow as _narrow,
        reshape as _reshape)
from tritonflow.functions.view_bits import (view_dtype as _view_dtype)
from tritonflow.functions.view_complex import (view_as_complex as _view_as_complex, view_as_real as _view_as_real,
        complex_of_pairs as _complex_of_pairs, pairs_of_complex as _pairs_of_complex)
from tritonflow.functions.view_copies import (alias_copy as _alias_copy, as_strided_copy as _as_strided_copy,
        detach_copy as _detach_copy, diagonal_copy as _diagonal_copy, expand_copy as _expand_copy, permute_copy as _permute_copy,
        squeeze_copy as _squeeze_copy, t_copy as _t_copy, transpose_copy as _transpose_copy, unfold_copy as _unfold_copy,
        unsqueeze_copy as _unsqueeze_copy, view_copy as _view_copy)
from tritonflow.functions.view_diagonals import (as_strided_scatter as _as_strided_scatter, block_diag as _block_diag,
        diag as _diag, diag_embed as _diag_embed, diagflat as _diagflat, diagonal_scatter as _diagonal_scatter,
        fill_diagonal_ as _fill_diagonal_, select_scatter as _select_scatter, slice_scatter as _slice_scatter, trace as _trace)
from tritonflow.functions.view_flips import (flip as _flip, fliplr as _fliplr, flipud as _flipud, roll as _roll, rot90 as _rot90)
from tritonflow.functions.view_gradients import (as_strided_grad as _as_strided_grad, diagonal_grad as _diagonal_grad,
        region as _region, select_grad as _select_grad, slice_grad as _slice_grad, unfold_tensor_grad as _unfold_tensor_grad)
from tritonflow.functions.view_orders import (permute as _permute, matrix_transpose as _matrix_transpose, movedim as _movedim,
        permute_inverse as _permute_inverse, transpose as _transpose)
from tritonflow.functions.view_part_copies import (narrow_copy as _narrow_copy, select_copy as _select_copy,
        slice_copy as _slice_copy, split_copy as _split_copy, unbind_copy as _unbind_copy)
from tritonflow.functions.view_parts import (chunk as _chunk, split as _split, split_sections as _split_sections,
        unbind as _unbind)
from tritonflow.functions.view_shapes import (flatten as _flatten, ravel as _ravel, reshape_as as _reshape_as,
        unflatten as _unflatten, view_as as _view_as)
from tritonflow.functions.view_splitting import (narrow_tensor as _narrow_tensor, tensor_split_indices as _tensor_split_indices,
        tensor_split_tensor as _tensor_split_tensor, dsplit as _dsplit, hsplit as _hsplit,
        split_with_sizes_copy as _split_with_sizes_copy, tensor_split as _tensor_split, unsafe_chunk as _unsafe_chunk,
        unsafe_split as _unsafe_split, unsafe_split_with_sizes as _unsafe_split_with_sizes, vsplit as _vsplit)
from tritonflow.functions.view_strides import (as_strided as _as_strided)
from tritonflow.binding.library import publish as _publish
from tritonflow.binding.prototype import MISSING as _missing

_view_slow = _Binding("view", "Tensor (Tensor x, Shape shape)", _view, "Tensor (Tensor x, DataType dtype)", _view_dtype,
        methods="view")
def view(x=_missing, shape=_missing, *extra, dtype=_missing, **unknown):
    """The same elements in another shape, over the same memory.

    The elements keep their row-major order. With a dtype the memory is read as numbers of that dtype:
    the last dimension becomes longer or shorter where their sizes differ. `flow.reshape` copies where
    no view is possible.

    Overloads:
        - `view(x: Tensor, shape: Sequence[int]) -> Tensor`
        - `view(x: Tensor, *shape: int) -> Tensor`
        - `view(x: Tensor, dtype: DType) -> Tensor`

    Args:
        x: the input.
        shape: the sizes; one may be -1, which is what the others leave.
        dtype: as what the memory is read.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> shape.

    Differentiable. Method: `Tensor.view`.

    Raises:
        RuntimeError: a shape of another number of elements, or memory that cannot be read in that shape or
            dtype.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.Tensor.view.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.arange(6)
        >>> flow.view(x, (2, -1))
        tensor([[0, 1, 2],
                [3, 4, 5]])
        >>> x.view(2, 3)[0].zero_(), x  # a view writes to x
        (tensor([0, 0, 0]), tensor([0, 0, 0, 3, 4, 5]))
    """
    if (x.__class__ is _Tensor and (shape.__class__ is _Size or (shape.__class__ is tuple or shape.__class__ is list) and
            _all_ints(shape)) and dtype is _missing and not extra and not unknown):
        return _view(x, tuple(shape) if shape.__class__ is list else shape)
    if x.__class__ is _Tensor and shape.__class__ is int and dtype is _missing and not unknown and _all_ints(extra):
        return _view(x, (shape, *extra))
    if x.__class__ is _Tensor and shape.__class__ is _DType and dtype is _missing and not extra and not unknown:
        return _view_dtype(x, shape)
    return _view_slow((x, shape, dtype), extra, unknown)

_permute_slow = _Binding("permute", "Tensor (Tensor input, Int32List dims)", _permute, methods="permute")
def permute(input=_missing, dims=_missing, *extra, **unknown):
    """Dimensions in another order: a view.

    Dimension i of the result is dimension dims[i] of the input.

    Args:
        input: the input.
        dims: the dimension, or several; negative ones count from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        sizes -> the sizes in the order dims.

    Differentiable. Method: `Tensor.permute`.

    Raises:
        RuntimeError: dims does not name each dimension once.
        IndexError: there is no such dimension.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.permute.

    Example:
        >>> import tritonflow as flow
        >>> flow.permute(flow.zeros(2, 3, 4), (2, 0, 1)).shape
        tritonflow.Size([4, 2, 3])
    """
    if (input.__class__ is _Tensor and (dims.__class__ is _Size or (dims.__class__ is tuple or dims.__class__ is list) and
            _all_ints(dims)) and not extra and not unknown):
        return _permute(input, tuple(dims) if dims.__class__ is list else dims)
    if input.__class__ is _Tensor and dims.__class__ is int and not unknown and _all_ints(extra):
        return _permute(input, (dims, *extra))
    return _permute_slow((input, dims), extra, unknown)

_expand_slow = _Binding("expand", "Tensor (Tensor input, Shape shape)", _expand, methods="expand")
def expand(input=_missing, shape=_missing, *extra, **unknown):
    """Dimensions of size 1, and new ones in front, repeated: a view.

    The repetitions share memory, so writing to one writes to all; `clone` makes them a tensor of their
    own.

    Args:
        input: the input.
        shape: the sizes; -1 leaves a size as it is.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        sizes that are 1 or those of shape, from the last on -> shape.

    Differentiable. Method: `Tensor.expand`.

    Raises:
        RuntimeError: a size other than 1 that differs, or fewer dimensions than the input has.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.Tensor.expand.

    Example:
        >>> import tritonflow as flow
        >>> flow.expand(flow.tensor([[1], [2]]), (2, 3))
        tensor([[1, 1, 1],
                [2, 2, 2]])
    """
    if (input.__class__ is _Tensor and (shape.__class__ is _Size or (shape.__class__ is tuple or shape.__class__ is list) and
            _all_ints(shape)) and not extra and not unknown):
        return _expand(input, tuple(shape) if shape.__class__ is list else shape)
    if input.__class__ is _Tensor and shape.__class__ is int and not unknown and _all_ints(extra):
        return _expand(input, (shape, *extra))
    return _expand_slow((input, shape), extra, unknown)

_broadcast_to_slow = _Binding("broadcast_to", "Tensor (Tensor input, Shape shape)", _expand, methods="broadcast_to",
        like="expand")
def broadcast_to(input=_missing, shape=_missing, *extra, **unknown):
    if (input.__class__ is _Tensor and (shape.__class__ is _Size or (shape.__class__ is tuple or shape.__class__ is list) and
            _all_ints(shape)) and not extra and not unknown):
        return _expand(input, tuple(shape) if shape.__class__ is list else shape)
    if input.__class__ is _Tensor and shape.__class__ is int and not unknown and _all_ints(extra):
        return _expand(input, (shape, *extra))
    return _broadcast_to_slow((input, shape), extra, unknown)

_squeeze_slow = _Binding("squeeze", "Tensor (Tensor input, Int32List[1] dim=None)", _squeeze, methods="squeeze")
def squeeze(input=_missing, dim=None, *extra, **unknown):
    """Dimensions of size 1 removed: a view.

    A dimension of another size stays, even if it is named.

    Args:
        input: the input.
        dim: which dimensions, one or several; default all.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., 1, ...) -> (..., ...).

    Differentiable. Method: `Tensor.squeeze`.

    Raises:
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.squeeze.

    Example:
        >>> import tritonflow as flow
        >>> flow.squeeze(flow.zeros(1, 3, 1)).shape, flow.squeeze(flow.zeros(1, 3, 1), 0).shape
        (tritonflow.Size([3]), tritonflow.Size([3, 1]))
    """
    if (input.__class__ is _Tensor and
            (dim is None or dim.__class__ is int or dim.__class__ is _Size or (dim.__class__ is tuple or dim.__class__ is list)
            and _all_ints(dim)) and not extra and not unknown):
        return _squeeze(input, (dim,) if dim.__class__ is int else tuple(dim) if dim.__class__ is list else dim)
    if input.__class__ is _Tensor and dim.__class__ is int and not unknown and _all_ints(extra):
        return _squeeze(input, (dim, *extra))
    return _squeeze_slow((input, dim), extra, unknown)

_unsqueeze_slow = _Binding("unsqueeze", "Tensor (Tensor input, Int32 dim)", _unsqueeze, methods="unsqueeze")
def unsqueeze(input=_missing, dim=_missing, *extra, **unknown):
    """A new dimension of size 1: a view.

    Args:
        input: the input.
        dim: where it is in the result, -input.ndim - 1 to input.ndim.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (...) -> (..., 1, ...).

    Differentiable. Method: `Tensor.unsqueeze`.

    Raises:
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.unsqueeze.

    Example:
        >>> import tritonflow as flow
        >>> flow.unsqueeze(flow.tensor([1, 2]), 1)
        tensor([[1],
                [2]])
    """
    if input.__class__ is _Tensor and dim.__class__ is int and not extra and not unknown:
        return _unsqueeze(input, dim)
    return _unsqueeze_slow((input, dim), extra, unknown)

_expand_dims_slow = _Binding("expand_dims", "Tensor (Tensor input, Int32 dim)", _unsqueeze, like="unsqueeze")
def expand_dims(input=_missing, dim=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and dim.__class__ is int and not extra and not unknown:
        return _unsqueeze(input, dim)
    return _expand_dims_slow((input, dim), extra, unknown)

_select_slow = _Binding("select", "Tensor (Tensor input, Int32 dim, Int32 index)", _select, methods="select")
def select(input=_missing, dim=_missing, index=_missing, *extra, **unknown):
    """One index of a dimension: a view.

    The same as x[index] in that dimension.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        index: which one, negative ones from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> (..., ...).

    Differentiable. Method: `Tensor.select`.

    Raises:
        IndexError: there is no such index or dimension; `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.select.

    Example:
        >>> import tritonflow as flow
        >>> flow.select(flow.tensor([[1, 2], [3, 4]]), 1, -1)
        tensor([2, 4])
    """
    if input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is int and not extra and not unknown:
        return _select(input, dim, index)
    return _select_slow((input, dim, index), extra, unknown)

_slice_slow = _Binding("slice", "Tensor (Tensor x, Int64List start, Int64List stop, Int64List step)", _slice,
        "Tensor (Tensor input, PyObject slice_tup_list)", _slice_tuples)
def slice(x=_missing, start=_missing, stop=_missing, step=_missing, *extra, input=_missing, slice_tup_list=_missing, **unknown):
    """Slices of the leading dimensions, in OneFlow's form: a view.

    The same as x[start[0] : stop[0] : step[0], start[1] : stop[1] : step[1], ...].

    Overloads:
        - `slice(x: Tensor, start: Sequence[int], stop: Sequence[int], step: Sequence[int]) -> Tensor`
        - `slice(input: Tensor, slice_tup_list: Sequence[Sequence[int | None]]) -> Tensor`

    Args:
        x: the input, with three lists.
        start: the first index of each leading dimension.
        stop: the index behind the last one.
        step: the distance of indices, at least 1.
        input: the input, with tuples.
        slice_tup_list: tuples (start, stop, step) instead, None where a bound is the default.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (n, ...) -> (ceil((stop - start) / step), ...).

    Differentiable.

    Raises:
        RuntimeError: a step below 1.
        ValueError: different numbers of bounds.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: oneflow.slice.

    Example:
        >>> import tritonflow as flow
        >>> flow.slice(flow.arange(12).reshape(3, 4), [[0, 3, 2], [1, None, None]])
        tensor([[ 1,  2,  3],
                [ 9, 10, 11]])
    """
    if (x.__class__ is _Tensor and (start.__class__ is _Size or (start.__class__ is tuple or start.__class__ is list) and
            _all_ints(start)) and (stop.__class__ is _Size or (stop.__class__ is tuple or stop.__class__ is list) and
            _all_ints(stop)) and (step.__class__ is _Size or (step.__class__ is tuple or step.__class__ is list) and
            _all_ints(step)) and input is _missing and slice_tup_list is _missing and not extra and not unknown):
        return _slice(x, tuple(start) if start.__class__ is list else start, tuple(stop) if stop.__class__ is list else stop,
                tuple(step) if step.__class__ is list else step)
    if (x.__class__ is _Tensor and start is not _missing and stop is _missing and step is _missing and input is _missing and
            slice_tup_list is _missing and not extra and not unknown):
        return _slice_tuples(x, start)
    return _slice_slow((x, start, stop, step, input, slice_tup_list), extra, unknown)

_region_grad_slow = _Binding("region_grad", "Tensor (Tensor dy, Shape shape, Shape region_stride, Int64 elements)", _region_grad)
def region_grad(dy=_missing, shape=_missing, region_stride=_missing, elements=_missing, *extra, **unknown):
    """the gradient of a region: the elements that it lies at"""
    if (dy.__class__ is _Tensor and (shape.__class__ is _Size or (shape.__class__ is tuple or shape.__class__ is list) and
            _all_ints(shape)) and
            (region_stride.__class__ is _Size or (region_stride.__class__ is tuple or region_stride.__class__ is list) and
            _all_ints(region_stride)) and elements.__class__ is int and not extra and not unknown):
        return _region_grad(dy, tuple(shape) if shape.__class__ is list else shape, tuple(region_stride) if
                region_stride.__class__ is list else region_stride, elements)
    return _region_grad_slow((dy, shape, region_stride, elements), extra, unknown)

_as_strided_slow = _Binding("as_strided", "Tensor (Tensor input, Shape size, Shape stride, Int64 storage_offset=None)",
        _as_strided, methods="as_strided")
def as_strided(input=_missing, size=_missing, stride=_missing, storage_offset=None, *extra, **unknown):
    """Elements of the memory at given strides: a view.

    Element (i, j, ...) is at storage_offset + i * stride[0] + j * stride[1] + ... of the storage.
    Elements may share memory.

    Args:
        input: the input.
        size: the sizes of the result.
        stride: the distance of neighbours in each dimension, in elements.
        storage_offset: where the first element is; default where the input's is.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> size.

    Differentiable. Method: `Tensor.as_strided`.

    Raises:
        RuntimeError: different numbers of sizes and strides, negative ones, or elements outside of the
            storage.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.as_strided.

    Example:
        >>> import tritonflow as flow
        >>> flow.as_strided(flow.arange(5), (3, 3), (1, 1))  # windows
        tensor([[0, 1, 2],
                [1, 2, 3],
                [2, 3, 4]])
    """
    if (input.__class__ is _Tensor and (size.__class__ is _Size or (size.__class__ is tuple or size.__class__ is list) and
            _all_ints(size)) and (stride.__class__ is _Size or (stride.__class__ is tuple or stride.__class__ is list) and
            _all_ints(stride)) and (storage_offset is None or storage_offset.__class__ is int) and not extra and not unknown):
        return _as_strided(input, tuple(size) if size.__class__ is list else size, tuple(stride) if stride.__class__ is list else
                stride, storage_offset)
    return _as_strided_slow((input, size, stride, storage_offset), extra, unknown)

_diagonal_slow = _Binding("diagonal", "Tensor (Tensor input, Int32 offset=0, Int32 dim1=0, Int32 dim2=1)", _diagonal,
        methods="diagonal")
def diagonal(input=_missing, offset=0, dim1=0, dim2=1, *extra, **unknown):
    """The elements with equal indices in two dimensions: a view.

    They are the last dimension of the result.

    Args:
        input: the input.
        offset: which diagonal: above the main one if positive, below it if negative.
        dim1: one of the two dimensions; a negative one counts from the end.
        dim2: one of the two dimensions; a negative one counts from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (m, n, ...) -> (..., length of the diagonal).

    Differentiable. Method: `Tensor.diagonal`.

    Raises:
        RuntimeError: dim1 and dim2 are the same.
        IndexError: there is no such dimension.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.diagonal.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.tensor([[1, 2], [3, 4]])
        >>> flow.diagonal(x), flow.diagonal(x, 1)
        (tensor([1, 4]), tensor([2]))
    """
    if (input.__class__ is _Tensor and offset.__class__ is int and dim1.__class__ is int and dim2.__class__ is int and not extra
            and not unknown):
        return _diagonal(input, offset, dim1, dim2)
    return _diagonal_slow((input, offset, dim1, dim2), extra, unknown)

_unfold_tensor_slow = _Binding("unfold_tensor", "Tensor (Tensor x, Int32 dimension, Int32 size, Int32 step)", _unfold_tensor,
        methods="unfold")
def unfold_tensor(x=_missing, dimension=_missing, size=_missing, step=_missing, *extra, **unknown):
    """Windows along a dimension, as a new last one: a view.

    Window i begins at i * step; there are floor((n - size) / step) + 1.

    Args:
        x: the input.
        dimension: along which one.
        size: how many elements a window has.
        step: the distance of windows.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> (..., windows, ..., size).

    Differentiable. Method: `Tensor.unfold`.

    Raises:
        RuntimeError: size is greater than the dimension or negative, or step is not positive.
        IndexError: there is no such dimension.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.Tensor.unfold.

    Example:
        >>> import tritonflow as flow
        >>> flow.arange(5).unfold(0, 3, 1)
        tensor([[0, 1, 2],
                [1, 2, 3],
                [2, 3, 4]])
    """
    if (x.__class__ is _Tensor and dimension.__class__ is int and size.__class__ is int and step.__class__ is int and not extra
            and not unknown):
        return _unfold_tensor(x, dimension, size, step)
    return _unfold_tensor_slow((x, dimension, size, step), extra, unknown)

_flip_slow = _Binding("flip", "Tensor (Tensor input, Int32List dims)", _flip, methods="flip")
def flip(input=_missing, dims=_missing, *extra, **unknown):
    """Dimensions in the reversed order of their elements.

    A copy.

    Args:
        input: the input.
        dims: the dimension, or several; negative ones count from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Differentiable. Method: `Tensor.flip`.

    Raises:
        RuntimeError: a dimension twice.
        IndexError: there is no such dimension.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.flip.

    Example:
        >>> import tritonflow as flow
        >>> flow.flip(flow.tensor([[1, 2], [3, 4]]), (1,))
        tensor([[2, 1],
                [4, 3]])
    """
    if (input.__class__ is _Tensor and (dims.__class__ is _Size or (dims.__class__ is tuple or dims.__class__ is list) and
            _all_ints(dims)) and not extra and not unknown):
        return _flip(input, tuple(dims) if dims.__class__ is list else dims)
    if input.__class__ is _Tensor and dims.__class__ is int and not unknown and _all_ints(extra):
        return _flip(input, (dims, *extra))
    return _flip_slow((input, dims), extra, unknown)

_view_as_real_slow = _Binding("view_as_real", "Tensor (Tensor input)", _view_as_real)
def view_as_real(input=_missing, *extra, **unknown):
    """Complex numbers as pairs of real ones along a new last dimension, over the same memory.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (...) of complex numbers -> (..., 2) of real ones.

    Differentiable.

    Raises:
        RuntimeError: the input is not complex.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.view_as_real.

    Example:
        >>> import tritonflow as flow
        >>> flow.view_as_real(flow.tensor([1 + 2j, 3j]))
        tensor([[1., 2.],
                [0., 3.]])
    """
    if input.__class__ is _Tensor and not extra and not unknown:
        return _view_as_real(input)
    return _view_as_real_slow((input,), extra, unknown)

_view_as_complex_slow = _Binding("view_as_complex", "Tensor (Tensor input)", _view_as_complex)
def view_as_complex(input=_missing, *extra, **unknown):
    """Pairs of real numbers along the last dimension as complex ones, over the same memory.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., 2) of real numbers -> (...) of complex ones.

    Differentiable.

    Raises:
        RuntimeError: another last size, a dtype that is not floating, or pairs that are no neighbours in
            memory.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.view_as_complex.

    Example:
        >>> import tritonflow as flow
        >>> flow.view_as_complex(flow.tensor([[1.0, 2.0], [0.0, 3.0]]))
        tensor([1.+2.j, 0.+3.j])
    """
    if input.__class__ is _Tensor and not extra and not unknown:
        return _view_as_complex(input)
    return _view_as_complex_slow((input,), extra, unknown)

_reshape_slow = _Binding("reshape", "Tensor (Tensor input, Shape shape)", _reshape, methods="reshape")
def reshape(input=_missing, shape=_missing, *extra, **unknown):
    if (input.__class__ is _Tensor and (shape.__class__ is _Size or (shape.__class__ is tuple or shape.__class__ is list) and
            _all_ints(shape)) and not extra and not unknown):
        return _reshape(input, tuple(shape) if shape.__class__ is list else shape)
    if input.__class__ is _Tensor and shape.__class__ is int and not unknown and _all_ints(extra):
        return _reshape(input, (shape, *extra))
    return _reshape_slow((input, shape), extra, unknown)

_expand_as_slow = _Binding("expand_as", "Tensor (Tensor input, Tensor other)", _expand_as, methods="expand_as")
def expand_as(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _expand_as(input, other)
    return _expand_as_slow((input, other), extra, unknown)

_expand_reduced_slow = _Binding("expand_reduced", "Tensor (Tensor input, Shape shape, Int32List dim=None, Bool keepdim=False)",
        _expand_reduced)
def expand_reduced(input=_missing, shape=_missing, dim=None, keepdim=False, *extra, **unknown):
    if (input.__class__ is _Tensor and (shape.__class__ is _Size or (shape.__class__ is tuple or shape.__class__ is list) and
            _all_ints(shape)) and (dim is None or dim.__class__ is _Size or (dim.__class__ is tuple or dim.__class__ is list) and
            _all_ints(dim)) and (keepdim is False or keepdim is True) and not extra and not unknown):
        return _expand_reduced(input, tuple(shape) if shape.__class__ is list else shape, tuple(dim) if dim.__class__ is list else
                dim, keepdim)
    return _expand_reduced_slow((input, shape, dim, keepdim), extra, unknown)

_narrow_slow = _Binding("narrow", "Tensor (Tensor input, Int32 dim, Tensor start, Int64 length)", _narrow_tensor,
        "Tensor (Tensor input, Int32 dim, Int64 start, Int64 length)", _narrow, methods="narrow")
def narrow(input=_missing, dim=_missing, start=_missing, length=_missing, *extra, **unknown):
    if (input.__class__ is _Tensor and dim.__class__ is int and start.__class__ is _Tensor and length.__class__ is int and
            not extra and not unknown):
        return _narrow_tensor(input, dim, start, length)
    if (input.__class__ is _Tensor and dim.__class__ is int and start.__class__ is int and length.__class__ is int and not extra
            and not unknown):
        return _narrow(input, dim, start, length)
    return _narrow_slow((input, dim, start, length), extra, unknown)

_detach_slow = _Binding("detach", "Tensor (Tensor x)", _detach, methods="detach")
def detach(x=_missing, *extra, **unknown):
    if x.__class__ is _Tensor and not extra and not unknown:
        return _detach(x)
    return _detach_slow((x,), extra, unknown)

_complex_of_pairs_slow = _Binding("complex_of_pairs", "Tensor (Tensor input)", _complex_of_pairs)
def complex_of_pairs(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _complex_of_pairs(input)
    return _complex_of_pairs_slow((input,), extra, unknown)

_pairs_of_complex_slow = _Binding("pairs_of_complex", "Tensor (Tensor input)", _pairs_of_complex)
def pairs_of_complex(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _pairs_of_complex(input)
    return _pairs_of_complex_slow((input,), extra, unknown)

_alias_copy_slow = _Binding("alias_copy", "Tensor (Tensor input)", _alias_copy)
def alias_copy(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _alias_copy(input)
    return _alias_copy_slow((input,), extra, unknown)

_as_strided_copy_slow = _Binding("as_strided_copy", "Tensor (Tensor input, Shape size, Shape stride, Int64 storage_offset=None)",
        _as_strided_copy)
def as_strided_copy(input=_missing, size=_missing, stride=_missing, storage_offset=None, *extra, **unknown):
    if (input.__class__ is _Tensor and (size.__class__ is _Size or (size.__class__ is tuple or size.__class__ is list) and
            _all_ints(size)) and (stride.__class__ is _Size or (stride.__class__ is tuple or stride.__class__ is list) and
            _all_ints(stride)) and (storage_offset is None or storage_offset.__class__ is int) and not extra and not unknown):
        return _as_strided_copy(input, tuple(size) if size.__class__ is list else size, tuple(stride) if stride.__class__ is list
                else stride, storage_offset)
    return _as_strided_copy_slow((input, size, stride, storage_offset), extra, unknown)

_detach_copy_slow = _Binding("detach_copy", "Tensor (Tensor input)", _detach_copy)
def detach_copy(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _detach_copy(input)
    return _detach_copy_slow((input,), extra, unknown)

_diagonal_copy_slow = _Binding("diagonal_copy", "Tensor (Tensor input, Int32 offset=0, Int32 dim1=0, Int32 dim2=1)",
        _diagonal_copy)
def diagonal_copy(input=_missing, offset=0, dim1=0, dim2=1, *extra, **unknown):
    if (input.__class__ is _Tensor and offset.__class__ is int and dim1.__class__ is int and dim2.__class__ is int and not extra
            and not unknown):
        return _diagonal_copy(input, offset, dim1, dim2)
    return _diagonal_copy_slow((input, offset, dim1, dim2), extra, unknown)

_expand_copy_slow = _Binding("expand_copy", "Tensor (Tensor input, Shape size)", _expand_copy)
def expand_copy(input=_missing, size=_missing, *extra, **unknown):
    if (input.__class__ is _Tensor and (size.__class__ is _Size or (size.__class__ is tuple or size.__class__ is list) and
            _all_ints(size)) and not extra and not unknown):
        return _expand_copy(input, tuple(size) if size.__class__ is list else size)
    return _expand_copy_slow((input, size), extra, unknown)

_permute_copy_slow = _Binding("permute_copy", "Tensor (Tensor input, Int32List dims)", _permute_copy)
def permute_copy(input=_missing, dims=_missing, *extra, **unknown):
    if (input.__class__ is _Tensor and (dims.__class__ is _Size or (dims.__class__ is tuple or dims.__class__ is list) and
            _all_ints(dims)) and not extra and not unknown):
        return _permute_copy(input, tuple(dims) if dims.__class__ is list else dims)
    return _permute_copy_slow((input, dims), extra, unknown)

_squeeze_copy_slow = _Binding("squeeze_copy", "Tensor (Tensor input, Int32List[1] dim=None)", _squeeze_copy)
def squeeze_copy(input=_missing, dim=None, *extra, **unknown):
    if (input.__class__ is _Tensor and
            (dim is None or dim.__class__ is int or dim.__class__ is _Size or (dim.__class__ is tuple or dim.__class__ is list)
            and _all_ints(dim)) and not extra and not unknown):
        return _squeeze_copy(input, (dim,) if dim.__class__ is int else tuple(dim) if dim.__class__ is list else dim)
    return _squeeze_copy_slow((input, dim), extra, unknown)

_t_copy_slow = _Binding("t_copy", "Tensor (Tensor input)", _t_copy)
def t_copy(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _t_copy(input)
    return _t_copy_slow((input,), extra, unknown)

_transpose_copy_slow = _Binding("transpose_copy", "Tensor (Tensor input, Int32 dim0, Int32 dim1)", _transpose_copy)
def transpose_copy(input=_missing, dim0=_missing, dim1=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and dim0.__class__ is int and dim1.__class__ is int and not extra and not unknown:
        return _transpose_copy(input, dim0, dim1)
    return _transpose_copy_slow((input, dim0, dim1), extra, unknown)

_unfold_copy_slow = _Binding("unfold_copy", "Tensor (Tensor input, Int32 dimension, Int32 size, Int32 step)", _unfold_copy)
def unfold_copy(input=_missing, dimension=_missing, size=_missing, step=_missing, *extra, **unknown):
    if (input.__class__ is _Tensor and dimension.__class__ is int and size.__class__ is int and step.__class__ is int and
            not extra and not unknown):
        return _unfold_copy(input, dimension, size, step)
    return _unfold_copy_slow((input, dimension, size, step), extra, unknown)

_unsqueeze_copy_slow = _Binding("unsqueeze_copy", "Tensor (Tensor input, Int32 dim)", _unsqueeze_copy)
def unsqueeze_copy(input=_missing, dim=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and dim.__class__ is int and not extra and not unknown:
        return _unsqueeze_copy(input, dim)
    return _unsqueeze_copy_slow((input, dim), extra, unknown)

_view_copy_slow = _Binding("view_copy", "Tensor (Tensor input, Shape size)", _view_copy)
def view_copy(input=_missing, size=_missing, *extra, **unknown):
    if (input.__class__ is _Tensor and (size.__class__ is _Size or (size.__class__ is tuple or size.__class__ is list) and
            _all_ints(size)) and not extra and not unknown):
        return _view_copy(input, tuple(size) if size.__class__ is list else size)
    return _view_copy_slow((input, size), extra, unknown)

_diag_embed_slow = _Binding("diag_embed", "Tensor (Tensor input, Int32 offset=0, Int32 dim1=-2, Int32 dim2=-1)", _diag_embed,
        methods="diag_embed")
def diag_embed(input=_missing, offset=0, dim1=-2, dim2=-1, *extra, **unknown):
    if (input.__class__ is _Tensor and offset.__class__ is int and dim1.__class__ is int and dim2.__class__ is int and not extra
            and not unknown):
        return _diag_embed(input, offset, dim1, dim2)
    return _diag_embed_slow((input, offset, dim1, dim2), extra, unknown)

_diag_slow = _Binding("diag", "Tensor (Tensor input, Int32 diagonal=0)", _diag, methods="diag")
def diag(input=_missing, diagonal=0, *extra, **unknown):
    if input.__class__ is _Tensor and diagonal.__class__ is int and not extra and not unknown:
        return _diag(input, diagonal)
    return _diag_slow((input, diagonal), extra, unknown)

_diagflat_slow = _Binding("diagflat", "Tensor (Tensor input, Int32 offset=0)", _diagflat, methods="diagflat")
def diagflat(input=_missing, offset=0, *extra, **unknown):
    if input.__class__ is _Tensor and offset.__class__ is int and not extra and not unknown:
        return _diagflat(input, offset)
    return _diagflat_slow((input, offset), extra, unknown)

_trace_slow = _Binding("trace", "Tensor (Tensor input)", _trace, methods="trace")
def trace(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _trace(input)
    return _trace_slow((input,), extra, unknown)

_fill_diagonal__slow = _Binding("fill_diagonal_", "Tensor (Tensor input, Scalar fill_value, Bool wrap=False)", _fill_diagonal_,
        methods="fill_diagonal_")
def fill_diagonal_(input=_missing, fill_value=_missing, wrap=False, *extra, **unknown):
    if (input.__class__ is _Tensor and (fill_value.__class__ is float or fill_value.__class__ is int) and
            (wrap is False or wrap is True) and not extra and not unknown):
        return _fill_diagonal_(input, fill_value, wrap)
    return _fill_diagonal__slow((input, fill_value, wrap), extra, unknown)

_diagonal_scatter_slow = _Binding("diagonal_scatter",
        "Tensor (Tensor input, Tensor src, Int32 offset=0, Int32 dim1=0, Int32 dim2=1)", _diagonal_scatter,
        methods="diagonal_scatter")
def diagonal_scatter(input=_missing, src=_missing, offset=0, dim1=0, dim2=1, *extra, **unknown):
    if (input.__class__ is _Tensor and src.__class__ is _Tensor and offset.__class__ is int and dim1.__class__ is int and
            dim2.__class__ is int and not extra and not unknown):
        return _diagonal_scatter(input, src, offset, dim1, dim2)
    return _diagonal_scatter_slow((input, src, offset, dim1, dim2), extra, unknown)

_select_scatter_slow = _Binding("select_scatter", "Tensor (Tensor input, Tensor src, Int32 dim, Int64 index)", _select_scatter,
        methods="select_scatter")
def select_scatter(input=_missing, src=_missing, dim=_missing, index=_missing, *extra, **unknown):
    if (input.__class__ is _Tensor and src.__class__ is _Tensor and dim.__class__ is int and index.__class__ is int and not extra
            and not unknown):
        return _select_scatter(input, src, dim, index)
    return _select_scatter_slow((input, src, dim, index), extra, unknown)

_slice_scatter_slow = _Binding("slice_scatter",
        "Tensor (Tensor input, Tensor src, Int32 dim=0, Int64 start=None, Int64 end=None, Int64 step=1)", _slice_scatter,
        methods="slice_scatter")
def slice_scatter(input=_missing, src=_missing, dim=0, start=None, end=None, step=1, *extra, **unknown):
    if (input.__class__ is _Tensor and src.__class__ is _Tensor and dim.__class__ is int and
            (start is None or start.__class__ is int) and (end is None or end.__class__ is int) and step.__class__ is int and
            not extra and not unknown):
        return _slice_scatter(input, src, dim, start, end, step)
    return _slice_scatter_slow((input, src, dim, start, end, step), extra, unknown)

_as_strided_scatter_slow = _Binding("as_strided_scatter",
        "Tensor (Tensor input, Tensor src, Shape size, Shape stride, Int64 storage_offset=None)", _as_strided_scatter,
        methods="as_strided_scatter")
def as_strided_scatter(input=_missing, src=_missing, size=_missing, stride=_missing, storage_offset=None, *extra, **unknown):
    if (input.__class__ is _Tensor and src.__class__ is _Tensor and
            (size.__class__ is _Size or (size.__class__ is tuple or size.__class__ is list) and _all_ints(size)) and
            (stride.__class__ is _Size or (stride.__class__ is tuple or stride.__class__ is list) and _all_ints(stride)) and
            (storage_offset is None or storage_offset.__class__ is int) and not extra and not unknown):
        return _as_strided_scatter(input, src, tuple(size) if size.__class__ is list else size, tuple(stride) if
                stride.__class__ is list else stride, storage_offset)
    return _as_strided_scatter_slow((input, src, size, stride, storage_offset), extra, unknown)

_block_diag_slow = _Binding("block_diag", "Tensor (TensorTuple tensors)", _block_diag)
def block_diag(tensors=_missing, *extra, **unknown):
    if tensors.__class__ is tuple and not extra and not unknown and _all_tensors(tensors):
        return _block_diag(tensors)
    if tensors.__class__ is _Tensor and not unknown and _all_tensors(extra):
        return _block_diag((tensors, *extra))
    return _block_diag_slow((tensors,), extra, unknown)

_fliplr_slow = _Binding("fliplr", "Tensor (Tensor input)", _fliplr, methods="fliplr")
def fliplr(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _fliplr(input)
    return _fliplr_slow((input,), extra, unknown)

_flipud_slow = _Binding("flipud", "Tensor (Tensor input)", _flipud, methods="flipud")
def flipud(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _flipud(input)
    return _flipud_slow((input,), extra, unknown)

_roll_slow = _Binding("roll", "Tensor (Tensor input, Int64List[1] shifts, Int32List[1] dims=None)", _roll, methods="roll")
def roll(input=_missing, shifts=_missing, dims=None, *extra, **unknown):
    if (input.__class__ is _Tensor and
            (shifts.__class__ is int or shifts.__class__ is _Size or (shifts.__class__ is tuple or shifts.__class__ is list) and
            _all_ints(shifts)) and
            (dims is None or dims.__class__ is int or dims.__class__ is _Size or (dims.__class__ is tuple or dims.__class__ is list)
            and _all_ints(dims)) and not extra and not unknown):
        return _roll(input, (shifts,) if shifts.__class__ is int else tuple(shifts) if shifts.__class__ is list else shifts,
                (dims,) if dims.__class__ is int else tuple(dims) if dims.__class__ is list else dims)
    return _roll_slow((input, shifts, dims), extra, unknown)

_rot90_slow = _Binding("rot90", "Tensor (Tensor input, Int64 k=1, Int32List dims=(0, 1))", _rot90, methods="rot90")
def rot90(input=_missing, k=1, dims=(0, 1), *extra, **unknown):
    if (input.__class__ is _Tensor and k.__class__ is int and
            (dims.__class__ is _Size or (dims.__class__ is tuple or dims.__class__ is list) and _all_ints(dims)) and not extra and
            not unknown):
        return _rot90(input, k, tuple(dims) if dims.__class__ is list else dims)
    return _rot90_slow((input, k, dims), extra, unknown)

_select_grad_slow = _Binding("select_grad", "Tensor (Tensor dy, Shape shape, Int32 dim, Int32 index)", _select_grad)
def select_grad(dy=_missing, shape=_missing, dim=_missing, index=_missing, *extra, **unknown):
    if (dy.__class__ is _Tensor and (shape.__class__ is _Size or (shape.__class__ is tuple or shape.__class__ is list) and
            _all_ints(shape)) and dim.__class__ is int and index.__class__ is int and not extra and not unknown):
        return _select_grad(dy, tuple(shape) if shape.__class__ is list else shape, dim, index)
    return _select_grad_slow((dy, shape, dim, index), extra, unknown)

_slice_grad_slow = _Binding("slice_grad", "Tensor (Tensor dy, Shape shape, Int32 dim, Int64 start, Int64 length, Int64 step)",
        _slice_grad)
def slice_grad(dy=_missing, shape=_missing, dim=_missing, start=_missing, length=_missing, step=_missing, *extra, **unknown):
    if (dy.__class__ is _Tensor and (shape.__class__ is _Size or (shape.__class__ is tuple or shape.__class__ is list) and
            _all_ints(shape)) and dim.__class__ is int and start.__class__ is int and length.__class__ is int and
            step.__class__ is int and not extra and not unknown):
        return _slice_grad(dy, tuple(shape) if shape.__class__ is list else shape, dim, start, length, step)
    return _slice_grad_slow((dy, shape, dim, start, length, step), extra, unknown)

_diagonal_grad_slow = _Binding("diagonal_grad", "Tensor (Tensor dy, Shape shape, Int32 offset, Int32 dim1, Int32 dim2)",
        _diagonal_grad)
def diagonal_grad(dy=_missing, shape=_missing, offset=_missing, dim1=_missing, dim2=_missing, *extra, **unknown):
    if (dy.__class__ is _Tensor and (shape.__class__ is _Size or (shape.__class__ is tuple or shape.__class__ is list) and
            _all_ints(shape)) and offset.__class__ is int and dim1.__class__ is int and dim2.__class__ is int and not extra and
            not unknown):
        return _diagonal_grad(dy, tuple(shape) if shape.__class__ is list else shape, offset, dim1, dim2)
    return _diagonal_grad_slow((dy, shape, offset, dim1, dim2), extra, unknown)

_region_slow = _Binding("region", "Tensor (Tensor x, Shape shape, Shape region_stride, Int64 elements)", _region)
def region(x=_missing, shape=_missing, region_stride=_missing, elements=_missing, *extra, **unknown):
    if (x.__class__ is _Tensor and (shape.__class__ is _Size or (shape.__class__ is tuple or shape.__class__ is list) and
            _all_ints(shape)) and
            (region_stride.__class__ is _Size or (region_stride.__class__ is tuple or region_stride.__class__ is list) and
            _all_ints(region_stride)) and elements.__class__ is int and not extra and not unknown):
        return _region(x, tuple(shape) if shape.__class__ is list else shape, tuple(region_stride) if
                region_stride.__class__ is list else region_stride, elements)
    return _region_slow((x, shape, region_stride, elements), extra, unknown)

_as_strided_grad_slow = _Binding("as_strided_grad",
        "Tensor (Tensor dy, Shape shape, Shape input_stride, Shape size, Shape stride, Int64 elements)", _as_strided_grad)
def as_strided_grad(dy=_missing, shape=_missing, input_stride=_missing, size=_missing, stride=_missing, elements=_missing, *extra,
        **unknown):
    if (dy.__class__ is _Tensor and (shape.__class__ is _Size or (shape.__class__ is tuple or shape.__class__ is list) and
            _all_ints(shape)) and
            (input_stride.__class__ is _Size or (input_stride.__class__ is tuple or input_stride.__class__ is list) and
            _all_ints(input_stride)) and (size.__class__ is _Size or (size.__class__ is tuple or size.__class__ is list) and
            _all_ints(size)) and (stride.__class__ is _Size or (stride.__class__ is tuple or stride.__class__ is list) and
            _all_ints(stride)) and elements.__class__ is int and not extra and not unknown):
        return _as_strided_grad(dy, tuple(shape) if shape.__class__ is list else shape, tuple(input_stride) if
                input_stride.__class__ is list else input_stride, tuple(size) if size.__class__ is list else size, tuple(stride)
                if stride.__class__ is list else stride, elements)
    return _as_strided_grad_slow((dy, shape, input_stride, size, stride, elements), extra, unknown)

_unfold_tensor_grad_slow = _Binding("unfold_tensor_grad", "Tensor (Tensor dy, Shape shape, Int32 dim, Int32 size, Int32 step)",
        _unfold_tensor_grad)
def unfold_tensor_grad(dy=_missing, shape=_missing, dim=_missing, size=_missing, step=_missing, *extra, **unknown):
    if (dy.__class__ is _Tensor and (shape.__class__ is _Size or (shape.__class__ is tuple or shape.__class__ is list) and
            _all_ints(shape)) and dim.__class__ is int and size.__class__ is int and step.__class__ is int and not extra and
            not unknown):
        return _unfold_tensor_grad(dy, tuple(shape) if shape.__class__ is list else shape, dim, size, step)
    return _unfold_tensor_grad_slow((dy, shape, dim, size, step), extra, unknown)

_permute_inverse_slow = _Binding("permute_inverse", "Tensor (Tensor input, Int32List dims)", _permute_inverse)
def permute_inverse(input=_missing, dims=_missing, *extra, **unknown):
    if (input.__class__ is _Tensor and (dims.__class__ is _Size or (dims.__class__ is tuple or dims.__class__ is list) and
            _all_ints(dims)) and not extra and not unknown):
        return _permute_inverse(input, tuple(dims) if dims.__class__ is list else dims)
    return _permute_inverse_slow((input, dims), extra, unknown)

_transpose_slow = _Binding("transpose", "Tensor (Tensor input, Int32 dim0, Int32 dim1)", _transpose,
        methods="transpose swapaxes swapdims")
def transpose(input=_missing, dim0=_missing, dim1=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and dim0.__class__ is int and dim1.__class__ is int and not extra and not unknown:
        return _transpose(input, dim0, dim1)
    return _transpose_slow((input, dim0, dim1), extra, unknown)

_swapaxes_slow = _Binding("swapaxes", "Tensor (Tensor input, Int32 dim0, Int32 dim1)", _transpose, like="transpose")
def swapaxes(input=_missing, dim0=_missing, dim1=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and dim0.__class__ is int and dim1.__class__ is int and not extra and not unknown:
        return _transpose(input, dim0, dim1)
    return _swapaxes_slow((input, dim0, dim1), extra, unknown)

_swapdims_slow = _Binding("swapdims", "Tensor (Tensor input, Int32 dim0, Int32 dim1)", _transpose, like="transpose")
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
    if (input.__class__ is _Tensor and
            (source.__class__ is int or source.__class__ is _Size or (source.__class__ is tuple or source.__class__ is list) and
            _all_ints(source)) and
            (destination.__class__ is int or destination.__class__ is _Size or (destination.__class__ is tuple or destination.__class__ is list)
            and _all_ints(destination)) and not extra and not unknown):
        return _movedim(input, (source,) if source.__class__ is int else tuple(source) if source.__class__ is list else source,
                (destination,) if destination.__class__ is int else tuple(destination) if destination.__class__ is list else
                destination)
    return _movedim_slow((input, source, destination), extra, unknown)

_moveaxis_slow = _Binding("moveaxis", "Tensor (Tensor input, Int32List[1] source, Int32List[1] destination)", _movedim,
        methods="moveaxis", like="movedim")
def moveaxis(input=_missing, source=_missing, destination=_missing, *extra, **unknown):
    if (input.__class__ is _Tensor and
            (source.__class__ is int or source.__class__ is _Size or (source.__class__ is tuple or source.__class__ is list) and
            _all_ints(source)) and
            (destination.__class__ is int or destination.__class__ is _Size or (destination.__class__ is tuple or destination.__class__ is list)
            and _all_ints(destination)) and not extra and not unknown):
        return _movedim(input, (source,) if source.__class__ is int else tuple(source) if source.__class__ is list else source,
                (destination,) if destination.__class__ is int else tuple(destination) if destination.__class__ is list else
                destination)
    return _moveaxis_slow((input, source, destination), extra, unknown)

_narrow_copy_slow = _Binding("narrow_copy", "Tensor (Tensor input, Int32 dim, Int64 start, Int64 length)", _narrow_copy,
        methods="narrow_copy")
def narrow_copy(input=_missing, dim=_missing, start=_missing, length=_missing, *extra, **unknown):
    if (input.__class__ is _Tensor and dim.__class__ is int and start.__class__ is int and length.__class__ is int and not extra
            and not unknown):
        return _narrow_copy(input, dim, start, length)
    return _narrow_copy_slow((input, dim, start, length), extra, unknown)

_select_copy_slow = _Binding("select_copy", "Tensor (Tensor input, Int32 dim, Int32 index)", _select_copy)
def select_copy(input=_missing, dim=_missing, index=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and dim.__class__ is int and index.__class__ is int and not extra and not unknown:
        return _select_copy(input, dim, index)
    return _select_copy_slow((input, dim, index), extra, unknown)

_slice_copy_slow = _Binding("slice_copy", "Tensor (Tensor input, Int32 dim=0, Int64 start=None, Int64 end=None, Int64 step=1)",
        _slice_copy)
def slice_copy(input=_missing, dim=0, start=None, end=None, step=1, *extra, **unknown):
    if (input.__class__ is _Tensor and dim.__class__ is int and (start is None or start.__class__ is int) and
            (end is None or end.__class__ is int) and step.__class__ is int and not extra and not unknown):
        return _slice_copy(input, dim, start, end, step)
    return _slice_copy_slow((input, dim, start, end, step), extra, unknown)

_split_copy_slow = _Binding("split_copy", "TensorTuple (Tensor input, Int64 split_size, Int32 dim=0)", _split_copy)
def split_copy(input=_missing, split_size=_missing, dim=0, *extra, **unknown):
    if input.__class__ is _Tensor and split_size.__class__ is int and dim.__class__ is int and not extra and not unknown:
        return _split_copy(input, split_size, dim)
    return _split_copy_slow((input, split_size, dim), extra, unknown)

_unbind_copy_slow = _Binding("unbind_copy", "TensorTuple (Tensor input, Int32 dim=0)", _unbind_copy)
def unbind_copy(input=_missing, dim=0, *extra, **unknown):
    if input.__class__ is _Tensor and dim.__class__ is int and not extra and not unknown:
        return _unbind_copy(input, dim)
    return _unbind_copy_slow((input, dim), extra, unknown)

_split_slow = _Binding("split", "TensorTuple (Tensor x, Int64 split_size_or_sections, Int32 dim=0)", _split,
        "TensorTuple (Tensor x, Int64List split_size_or_sections, Int32 dim=0)", _split_sections, methods="split")
def split(x=_missing, split_size_or_sections=_missing, dim=0, *extra, **unknown):
    if x.__class__ is _Tensor and split_size_or_sections.__class__ is int and dim.__class__ is int and not extra and not unknown:
        return _split(x, split_size_or_sections, dim)
    if (x.__class__ is _Tensor and
            (split_size_or_sections.__class__ is _Size or (split_size_or_sections.__class__ is tuple or split_size_or_sections.__class__ is list)
            and _all_ints(split_size_or_sections)) and dim.__class__ is int and not extra and not unknown):
        return _split_sections(x, tuple(split_size_or_sections) if split_size_or_sections.__class__ is list else
                split_size_or_sections, dim)
    return _split_slow((x, split_size_or_sections, dim), extra, unknown)

_split_with_sizes_slow = _Binding("split_with_sizes", "TensorTuple (Tensor input, Int64List split_sizes, Int32 dim=0)",
        _split_sections, methods="split_with_sizes")
def split_with_sizes(input=_missing, split_sizes=_missing, dim=0, *extra, **unknown):
    if (input.__class__ is _Tensor and
            (split_sizes.__class__ is _Size or (split_sizes.__class__ is tuple or split_sizes.__class__ is list) and
            _all_ints(split_sizes)) and dim.__class__ is int and not extra and not unknown):
        return _split_sections(input, tuple(split_sizes) if split_sizes.__class__ is list else split_sizes, dim)
    return _split_with_sizes_slow((input, split_sizes, dim), extra, unknown)

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

_flatten_slow = _Binding("flatten", "Tensor (Tensor input, Int32 start_dim=0, Int32 end_dim=-1)", _flatten, methods="flatten")
def flatten(input=_missing, start_dim=0, end_dim=-1, *extra, **unknown):
    if input.__class__ is _Tensor and start_dim.__class__ is int and end_dim.__class__ is int and not extra and not unknown:
        return _flatten(input, start_dim, end_dim)
    return _flatten_slow((input, start_dim, end_dim), extra, unknown)

_ravel_slow = _Binding("ravel", "Tensor (Tensor input)", _ravel, methods="ravel")
def ravel(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _ravel(input)
    return _ravel_slow((input,), extra, unknown)

_unflatten_slow = _Binding("unflatten", "Tensor (Tensor input, Int32 dim, Shape sizes)", _unflatten, methods="unflatten")
def unflatten(input=_missing, dim=_missing, sizes=_missing, *extra, **unknown):
    if (input.__class__ is _Tensor and dim.__class__ is int and
            (sizes.__class__ is _Size or (sizes.__class__ is tuple or sizes.__class__ is list) and _all_ints(sizes)) and not extra
            and not unknown):
        return _unflatten(input, dim, tuple(sizes) if sizes.__class__ is list else sizes)
    return _unflatten_slow((input, dim, sizes), extra, unknown)

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

_tensor_split_slow = _Binding("tensor_split", "TensorTuple (Tensor input, Int64 sections, Int32 dim=0)", _tensor_split,
        "TensorTuple (Tensor input, Int64List indices, Int32 dim=0)", _tensor_split_indices,
        "TensorTuple (Tensor input, Tensor tensor_indices_or_sections, Int32 dim=0)", _tensor_split_tensor,
        methods="tensor_split")
def tensor_split(input=_missing, sections=_missing, dim=0, *extra, indices=_missing, tensor_indices_or_sections=_missing,
        **unknown):
    if (input.__class__ is _Tensor and sections.__class__ is int and dim.__class__ is int and indices is _missing and
            tensor_indices_or_sections is _missing and not extra and not unknown):
        return _tensor_split(input, sections, dim)
    if (input.__class__ is _Tensor and (sections.__class__ is _Size or (sections.__class__ is tuple or sections.__class__ is list)
            and _all_ints(sections)) and dim.__class__ is int and indices is _missing and tensor_indices_or_sections is _missing
            and not extra and not unknown):
        return _tensor_split_indices(input, tuple(sections) if sections.__class__ is list else sections, dim)
    return _tensor_split_slow((input, sections, dim, indices, tensor_indices_or_sections), extra, unknown)

_hsplit_slow = _Binding("hsplit", "TensorTuple (Tensor input, Int64 sections)", _hsplit,
        "TensorTuple (Tensor input, Int64List indices)", _hsplit, methods="hsplit")
def hsplit(input=_missing, sections=_missing, *extra, indices=_missing, **unknown):
    if input.__class__ is _Tensor and sections.__class__ is int and indices is _missing and not extra and not unknown:
        return _hsplit(input, sections)
    if (input.__class__ is _Tensor and (sections.__class__ is _Size or (sections.__class__ is tuple or sections.__class__ is list)
            and _all_ints(sections)) and indices is _missing and not extra and not unknown):
        return _hsplit(input, tuple(sections) if sections.__class__ is list else sections)
    if input.__class__ is _Tensor and sections.__class__ is int and indices is _missing and not unknown and _all_ints(extra):
        return _hsplit(input, (sections, *extra))
    return _hsplit_slow((input, sections, indices), extra, unknown)

_vsplit_slow = _Binding("vsplit", "TensorTuple (Tensor input, Int64 sections)", _vsplit,
        "TensorTuple (Tensor input, Int64List indices)", _vsplit, methods="vsplit")
def vsplit(input=_missing, sections=_missing, *extra, indices=_missing, **unknown):
    if input.__class__ is _Tensor and sections.__class__ is int and indices is _missing and not extra and not unknown:
        return _vsplit(input, sections)
    if (input.__class__ is _Tensor and (sections.__class__ is _Size or (sections.__class__ is tuple or sections.__class__ is list)
            and _all_ints(sections)) and indices is _missing and not extra and not unknown):
        return _vsplit(input, tuple(sections) if sections.__class__ is list else sections)
    if input.__class__ is _Tensor and sections.__class__ is int and indices is _missing and not unknown and _all_ints(extra):
        return _vsplit(input, (sections, *extra))
    return _vsplit_slow((input, sections, indices), extra, unknown)

_dsplit_slow = _Binding("dsplit", "TensorTuple (Tensor input, Int64 sections)", _dsplit,
        "TensorTuple (Tensor input, Int64List indices)", _dsplit, methods="dsplit")
def dsplit(input=_missing, sections=_missing, *extra, indices=_missing, **unknown):
    if input.__class__ is _Tensor and sections.__class__ is int and indices is _missing and not extra and not unknown:
        return _dsplit(input, sections)
    if (input.__class__ is _Tensor and (sections.__class__ is _Size or (sections.__class__ is tuple or sections.__class__ is list)
            and _all_ints(sections)) and indices is _missing and not extra and not unknown):
        return _dsplit(input, tuple(sections) if sections.__class__ is list else sections)
    if input.__class__ is _Tensor and sections.__class__ is int and indices is _missing and not unknown and _all_ints(extra):
        return _dsplit(input, (sections, *extra))
    return _dsplit_slow((input, sections, indices), extra, unknown)

_unsafe_split_slow = _Binding("unsafe_split", "TensorTuple (Tensor input, Int64 split_size, Int32 dim=0)", _unsafe_split,
        methods="unsafe_split")
def unsafe_split(input=_missing, split_size=_missing, dim=0, *extra, **unknown):
    if input.__class__ is _Tensor and split_size.__class__ is int and dim.__class__ is int and not extra and not unknown:
        return _unsafe_split(input, split_size, dim)
    return _unsafe_split_slow((input, split_size, dim), extra, unknown)

_unsafe_chunk_slow = _Binding("unsafe_chunk", "TensorTuple (Tensor input, Int64 chunks, Int32 dim=0)", _unsafe_chunk,
        methods="unsafe_chunk")
def unsafe_chunk(input=_missing, chunks=_missing, dim=0, *extra, **unknown):
    if input.__class__ is _Tensor and chunks.__class__ is int and dim.__class__ is int and not extra and not unknown:
        return _unsafe_chunk(input, chunks, dim)
    return _unsafe_chunk_slow((input, chunks, dim), extra, unknown)

_unsafe_split_with_sizes_slow = _Binding("unsafe_split_with_sizes",
        "TensorTuple (Tensor input, Int64List split_sizes, Int32 dim=0)", _unsafe_split_with_sizes,
        methods="unsafe_split_with_sizes")
def unsafe_split_with_sizes(input=_missing, split_sizes=_missing, dim=0, *extra, **unknown):
    if (input.__class__ is _Tensor and
            (split_sizes.__class__ is _Size or (split_sizes.__class__ is tuple or split_sizes.__class__ is list) and
            _all_ints(split_sizes)) and dim.__class__ is int and not extra and not unknown):
        return _unsafe_split_with_sizes(input, tuple(split_sizes) if split_sizes.__class__ is list else split_sizes, dim)
    return _unsafe_split_with_sizes_slow((input, split_sizes, dim), extra, unknown)

_split_with_sizes_copy_slow = _Binding("split_with_sizes_copy", "TensorTuple (Tensor input, Int64List split_sizes, Int32 dim=0)",
        _split_with_sizes_copy)
def split_with_sizes_copy(input=_missing, split_sizes=_missing, dim=0, *extra, **unknown):
    if (input.__class__ is _Tensor and
            (split_sizes.__class__ is _Size or (split_sizes.__class__ is tuple or split_sizes.__class__ is list) and
            _all_ints(split_sizes)) and dim.__class__ is int and not extra and not unknown):
        return _split_with_sizes_copy(input, tuple(split_sizes) if split_sizes.__class__ is list else split_sizes, dim)
    return _split_with_sizes_copy_slow((input, split_sizes, dim), extra, unknown)

_methods = _publish(globals())
