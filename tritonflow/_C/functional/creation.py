"""Functions of the binding: creation.

Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow import dtypes as _dtypes
from tritonflow.device.device import Device as _Device
from tritonflow.dtypes import DType as _DType
from tritonflow.framework.size import Size as _Size
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.binding.arguments import Binding as _Binding, all_ints as _all_ints
from tritonflow.functions.creation import (arange as _arange, arange_end as _arange_end, empty as _empty, eye as _eye,
        full as _full, linspace as _linspace, tril as _tril, triu as _triu, ones as _ones, zeros as _zeros)
from tritonflow.functions.creation_like import (empty_like as _empty_like, full_like as _full_like, new_empty as _new_empty,
        new_full as _new_full, new_ones as _new_ones, new_zeros as _new_zeros, ones_like as _ones_like, zeros_like as _zeros_like)
from tritonflow.functions.creation_sequences import (triangle_indices as _triangle_indices, empty_permuted as _empty_permuted,
        empty_strided as _empty_strided, logspace as _logspace, range_inclusive as _range_inclusive,
        scalar_tensor as _scalar_tensor, tril_indices as _tril_indices, triu_indices as _triu_indices, vander as _vander)
from tritonflow.binding.library import publish as _publish
from tritonflow.binding.prototype import MISSING as _missing

_tril_slow = _Binding("tril", "Tensor (Tensor input, Int64 diagonal=0, *, Bool inplace=False)", _tril, methods="tril")
def tril(input=_missing, diagonal=0, *extra, inplace=False, **unknown):
    """The lower triangle of matrices, zeros elsewhere.

    Elements (i, j) with j - i <= diagonal stay.

    Args:
        input: the input.
        diagonal: the last diagonal that stays: above the main one if positive, below it if negative.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n) -> the same.

    Differentiable. Methods: `Tensor.tril` and `Tensor.tril_`.

    Raises:
        RuntimeError: fewer than 2 dimensions.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.tril.

    Example:
        >>> import tritonflow as flow
        >>> flow.tril(flow.ones(3, 3))
        tensor([[1., 0., 0.],
                [1., 1., 0.],
                [1., 1., 1.]])
    """
    if (input.__class__ is _Tensor and diagonal.__class__ is int and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _tril(input, diagonal, inplace)
    return _tril_slow((input, diagonal, inplace), extra, unknown)

_tril__slow = _Binding("tril_", "Tensor (Tensor input, Int64 diagonal=0)", _tril, methods="tril_", inplace=True)
def tril_(input=_missing, diagonal=0, *extra, **unknown):
    if input.__class__ is _Tensor and diagonal.__class__ is int and not extra and not unknown:
        return _tril(input, diagonal, inplace=True)
    return _tril__slow((input, diagonal), extra, unknown)

_triu_slow = _Binding("triu", "Tensor (Tensor input, Int64 diagonal=0, *, Bool inplace=False)", _triu, methods="triu")
def triu(input=_missing, diagonal=0, *extra, inplace=False, **unknown):
    """The upper triangle of matrices, zeros elsewhere.

    Elements (i, j) with j - i >= diagonal stay.

    Args:
        input: the input.
        diagonal: the first diagonal that stays: above the main one if positive, below it if negative.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n) -> the same.

    Differentiable. Methods: `Tensor.triu` and `Tensor.triu_`.

    Raises:
        RuntimeError: fewer than 2 dimensions.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.triu.

    Example:
        >>> import tritonflow as flow
        >>> flow.triu(flow.ones(3, 3), 1)
        tensor([[0., 1., 1.],
                [0., 0., 1.],
                [0., 0., 0.]])
    """
    if (input.__class__ is _Tensor and diagonal.__class__ is int and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _triu(input, diagonal, inplace)
    return _triu_slow((input, diagonal, inplace), extra, unknown)

_triu__slow = _Binding("triu_", "Tensor (Tensor input, Int64 diagonal=0)", _triu, methods="triu_", inplace=True)
def triu_(input=_missing, diagonal=0, *extra, **unknown):
    if input.__class__ is _Tensor and diagonal.__class__ is int and not extra and not unknown:
        return _triu(input, diagonal, inplace=True)
    return _triu__slow((input, diagonal), extra, unknown)

_empty_slow = _Binding("empty",
        "Tensor (Shape size, *, DataType dtype=None, Device device=None, Bool requires_grad=False, Placement placement=None, SbpList sbp=None, MemoryFormat memory_format=None)",
        _empty)
def empty(size=_missing, *extra, dtype=None, device=None, requires_grad=False, placement=None, sbp=None, memory_format=None,
        **unknown):
    """A tensor with whatever is in its memory.

    Args:
        size: the shape, as integers or a sequence.
        dtype: of the numbers; default `flow.get_default_dtype()`.
        device: where the result lies, such as `"cpu"` or `"cuda:0"`; the default device unless given.
        requires_grad: whether backward leaves a gradient in `.grad`.
        placement: the devices over which a consistent result lies, with `sbp`; a local one unless given.
        sbp: how a consistent result lies over `placement`: split, broadcast or partial sum.
        memory_format: the order of the dimensions in memory.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        -> size.

    Raises:
        RuntimeError: a negative size.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.empty.

    Example:
        >>> import tritonflow as flow
        >>> flow.empty(2, 3).shape
        tritonflow.Size([2, 3])
    """
    if ((size.__class__ is _Size or (size.__class__ is tuple or size.__class__ is list) and _all_ints(size)) and
            (dtype is None or dtype.__class__ is _DType) and (device is None or device.__class__ is _Device) and
            (requires_grad is False or requires_grad is True) and placement is None and sbp is None and memory_format is None and
            not extra and not unknown):
        return _empty(tuple(size) if size.__class__ is list else size, dtype, device, requires_grad, placement, sbp,
                memory_format)
    if (size.__class__ is int and (dtype is None or dtype.__class__ is _DType) and (device is None or device.__class__ is _Device)
            and (requires_grad is False or requires_grad is True) and placement is None and sbp is None and memory_format is None
            and not unknown and _all_ints(extra)):
        return _empty((size, *extra), dtype, device, requires_grad, placement, sbp, memory_format)
    return _empty_slow((size, dtype, device, requires_grad, placement, sbp, memory_format), extra, unknown)

_full_slow = _Binding("full",
        "Tensor (Shape size, Scalar fill_value, *, DataType dtype=None, Device device=None, Bool requires_grad=False, Placement placement=None, SbpList sbp=None)",
        _full)
def full(size=_missing, fill_value=_missing, *extra, dtype=None, device=None, requires_grad=False, placement=None, sbp=None,
        **unknown):
    """A tensor of one number.

    Args:
        size: the shape, a sequence of integers.
        fill_value: the number.
        dtype: of the numbers; default that of fill_value.
        device: where the result lies, such as `"cpu"` or `"cuda:0"`; the default device unless given.
        requires_grad: whether backward leaves a gradient in `.grad`.
        placement: the devices over which a consistent result lies, with `sbp`; a local one unless given.
        sbp: how a consistent result lies over `placement`: split, broadcast or partial sum.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        -> size.

    Raises:
        RuntimeError: a negative size, or a number that the dtype does not have.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.full.

    Example:
        >>> import tritonflow as flow
        >>> flow.full((2, 3), 5.0)
        tensor([[5., 5., 5.],
                [5., 5., 5.]])
    """
    if ((size.__class__ is _Size or (size.__class__ is tuple or size.__class__ is list) and _all_ints(size)) and
            (fill_value.__class__ is float or fill_value.__class__ is int) and (dtype is None or dtype.__class__ is _DType) and
            (device is None or device.__class__ is _Device) and (requires_grad is False or requires_grad is True) and
            placement is None and sbp is None and not extra and not unknown):
        return _full(tuple(size) if size.__class__ is list else size, fill_value, dtype, device, requires_grad, placement, sbp)
    return _full_slow((size, fill_value, dtype, device, requires_grad, placement, sbp), extra, unknown)

_arange_slow = _Binding("arange",
        "Tensor (Scalar start, Scalar end, Scalar step=1, *, DataType dtype=None, Device device=None, Bool requires_grad=False, Placement placement=None, SbpList sbp=None)",
        _arange,
        "Tensor (Scalar end, *, DataType dtype=None, Device device=None, Bool requires_grad=False, Placement placement=None, SbpList sbp=None)",
        _arange_end)
def arange(start=_missing, end=_missing, step=1, *extra, dtype=None, device=None, requires_grad=False, placement=None, sbp=None,
        **unknown):
    """From start up to end, in steps.

    start, start + step, start + 2 * step, ...; the end is not among them. There are ceil((end - start)
    / step) numbers.

    Overloads:
        - `arange(start: Scalar, end: Scalar, step: Scalar = 1, *, dtype: DType | None = None, device: Device | str | None = None, requires_grad: bool = False, placement: Placement | DeviceMesh | None = None, sbp: Sbp | Sequence[Sbp] | None = None) -> Tensor`
        - `arange(end: Scalar, *, dtype: DType | None = None, device: Device | str | None = None, requires_grad: bool = False, placement: Placement | DeviceMesh | None = None, sbp: Sbp | Sequence[Sbp] | None = None) -> Tensor`

    Args:
        start: the first number; default 0.
        end: where it ends.
        step: the distance of numbers.
        dtype: of the numbers; default int64 if all arguments are integers, otherwise
            `flow.get_default_dtype()`.
        device: where the result lies, such as `"cpu"` or `"cuda:0"`; the default device unless given.
        requires_grad: whether backward leaves a gradient in `.grad`.
        placement: the devices over which a consistent result lies, with `sbp`; a local one unless given.
        sbp: how a consistent result lies over `placement`: split, broadcast or partial sum.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        -> (ceil((end - start) / step)).

    Raises:
        RuntimeError: step is 0, or leads away from end.
        NotImplementedError: a bool or complex dtype.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.arange.

    Example:
        >>> import tritonflow as flow
        >>> flow.arange(5), flow.arange(1, 2, 0.25)
        (tensor([0, 1, 2, 3, 4]), tensor([1.0000, 1.2500, 1.5000, 1.7500]))
    """
    if ((start.__class__ is float or start.__class__ is int) and (end.__class__ is float or end.__class__ is int) and
            (step.__class__ is int or step.__class__ is float) and (dtype is None or dtype.__class__ is _DType) and
            (device is None or device.__class__ is _Device) and (requires_grad is False or requires_grad is True) and
            placement is None and sbp is None and not extra and not unknown):
        return _arange(start, end, step, dtype, device, requires_grad, placement, sbp)
    if ((start.__class__ is float or start.__class__ is int) and (dtype is None or dtype.__class__ is _DType) and
            (device is None or device.__class__ is _Device) and (requires_grad is False or requires_grad is True) and
            placement is None and sbp is None and end is _missing and step.__class__ is int and step == 1 and not extra and
            not unknown):
        return _arange_end(start, dtype, device, requires_grad, placement, sbp)
    return _arange_slow((start, end, step, dtype, device, requires_grad, placement, sbp), extra, unknown)

_linspace_slow = _Binding("linspace",
        "Tensor (Scalar start, Scalar end, Int64 steps, *, DataType dtype=None, Device device=None, Bool requires_grad=False, Placement placement=None, SbpList sbp=None)",
        _linspace)
def linspace(start=_missing, end=_missing, steps=_missing, *extra, dtype=None, device=None, requires_grad=False, placement=None,
        sbp=None, **unknown):
    """Numbers at equal distances from start to end.

    Both ends are among them: number i is start + i * (end - start) / (steps - 1).

    Args:
        start: the first number.
        end: the last number.
        steps: how many.
        dtype: of the numbers; default `flow.get_default_dtype()`.
        device: where the result lies, such as `"cpu"` or `"cuda:0"`; the default device unless given.
        requires_grad: whether backward leaves a gradient in `.grad`.
        placement: the devices over which a consistent result lies, with `sbp`; a local one unless given.
        sbp: how a consistent result lies over `placement`: split, broadcast or partial sum.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        -> (steps).

    Raises:
        RuntimeError: steps is negative.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linspace.

    Example:
        >>> import tritonflow as flow
        >>> flow.linspace(0, 1, 5)
        tensor([0.0000, 0.2500, 0.5000, 0.7500, 1.0000])
    """
    if ((start.__class__ is float or start.__class__ is int) and (end.__class__ is float or end.__class__ is int) and
            steps.__class__ is int and (dtype is None or dtype.__class__ is _DType) and
            (device is None or device.__class__ is _Device) and (requires_grad is False or requires_grad is True) and
            placement is None and sbp is None and not extra and not unknown):
        return _linspace(start, end, steps, dtype, device, requires_grad, placement, sbp)
    return _linspace_slow((start, end, steps, dtype, device, requires_grad, placement, sbp), extra, unknown)

_eye_slow = _Binding("eye",
        "Tensor (Int64 n, Int64 m=None, *, DataType dtype=None, Device device=None, Bool requires_grad=False, Placement placement=None, SbpList sbp=None)",
        _eye)
def eye(n=_missing, m=None, *extra, dtype=None, device=None, requires_grad=False, placement=None, sbp=None, **unknown):
    """Ones on the diagonal, zeros elsewhere.

    Args:
        n: how many rows.
        m: how many columns; default n.
        dtype: of the numbers; default `flow.get_default_dtype()`.
        device: where the result lies, such as `"cpu"` or `"cuda:0"`; the default device unless given.
        requires_grad: whether backward leaves a gradient in `.grad`.
        placement: the devices over which a consistent result lies, with `sbp`; a local one unless given.
        sbp: how a consistent result lies over `placement`: split, broadcast or partial sum.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        -> (n, m).

    Raises:
        RuntimeError: n or m is negative.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.eye.

    Example:
        >>> import tritonflow as flow
        >>> flow.eye(2, 3)
        tensor([[1., 0., 0.],
                [0., 1., 0.]])
    """
    if (n.__class__ is int and (m is None or m.__class__ is int) and (dtype is None or dtype.__class__ is _DType) and
            (device is None or device.__class__ is _Device) and (requires_grad is False or requires_grad is True) and
            placement is None and sbp is None and not extra and not unknown):
        return _eye(n, m, dtype, device, requires_grad, placement, sbp)
    return _eye_slow((n, m, dtype, device, requires_grad, placement, sbp), extra, unknown)

_triangle_indices_slow = _Binding("triangle_indices",
        "Tensor (Int64 row, Int64 col, Int64 offset, Bool lower, DataType dtype, Device device=None)", _triangle_indices)
def triangle_indices(row=_missing, col=_missing, offset=_missing, lower=_missing, dtype=_missing, device=None, *extra, **unknown):
    """the coordinates of a matrix's lower or upper triangle, two rows"""
    if (row.__class__ is int and col.__class__ is int and offset.__class__ is int and (lower is False or lower is True) and
            dtype.__class__ is _DType and (device is None or device.__class__ is _Device) and not extra and not unknown):
        return _triangle_indices(row, col, offset, lower, dtype, device)
    return _triangle_indices_slow((row, col, offset, lower, dtype, device), extra, unknown)

_zeros_slow = _Binding("zeros",
        "Tensor (Shape size, *, DataType dtype=None, Device device=None, Bool requires_grad=False, Placement placement=None, SbpList sbp=None)",
        _zeros)
def zeros(size=_missing, *extra, dtype=None, device=None, requires_grad=False, placement=None, sbp=None, **unknown):
    if ((size.__class__ is _Size or (size.__class__ is tuple or size.__class__ is list) and _all_ints(size)) and
            (dtype is None or dtype.__class__ is _DType) and (device is None or device.__class__ is _Device) and
            (requires_grad is False or requires_grad is True) and placement is None and sbp is None and not extra and
            not unknown):
        return _zeros(tuple(size) if size.__class__ is list else size, dtype, device, requires_grad, placement, sbp)
    if (size.__class__ is int and (dtype is None or dtype.__class__ is _DType) and (device is None or device.__class__ is _Device)
            and (requires_grad is False or requires_grad is True) and placement is None and sbp is None and not unknown and
            _all_ints(extra)):
        return _zeros((size, *extra), dtype, device, requires_grad, placement, sbp)
    return _zeros_slow((size, dtype, device, requires_grad, placement, sbp), extra, unknown)

_ones_slow = _Binding("ones",
        "Tensor (Shape size, *, DataType dtype=None, Device device=None, Bool requires_grad=False, Placement placement=None, SbpList sbp=None)",
        _ones)
def ones(size=_missing, *extra, dtype=None, device=None, requires_grad=False, placement=None, sbp=None, **unknown):
    if ((size.__class__ is _Size or (size.__class__ is tuple or size.__class__ is list) and _all_ints(size)) and
            (dtype is None or dtype.__class__ is _DType) and (device is None or device.__class__ is _Device) and
            (requires_grad is False or requires_grad is True) and placement is None and sbp is None and not extra and
            not unknown):
        return _ones(tuple(size) if size.__class__ is list else size, dtype, device, requires_grad, placement, sbp)
    if (size.__class__ is int and (dtype is None or dtype.__class__ is _DType) and (device is None or device.__class__ is _Device)
            and (requires_grad is False or requires_grad is True) and placement is None and sbp is None and not unknown and
            _all_ints(extra)):
        return _ones((size, *extra), dtype, device, requires_grad, placement, sbp)
    return _ones_slow((size, dtype, device, requires_grad, placement, sbp), extra, unknown)

_empty_like_slow = _Binding("empty_like",
        "Tensor (Tensor input, *, DataType dtype=None, Device device=None, Bool requires_grad=False, Placement placement=None, SbpList sbp=None, MemoryFormat memory_format=None)",
        _empty_like)
def empty_like(input=_missing, *extra, dtype=None, device=None, requires_grad=False, placement=None, sbp=None, memory_format=None,
        **unknown):
    if (input.__class__ is _Tensor and (dtype is None or dtype.__class__ is _DType) and
            (device is None or device.__class__ is _Device) and (requires_grad is False or requires_grad is True) and
            placement is None and sbp is None and memory_format is None and not extra and not unknown):
        return _empty_like(input, dtype, device, requires_grad, placement, sbp, memory_format)
    return _empty_like_slow((input, dtype, device, requires_grad, placement, sbp, memory_format), extra, unknown)

_full_like_slow = _Binding("full_like",
        "Tensor (Tensor input, Scalar fill_value, *, DataType dtype=None, Device device=None, Bool requires_grad=False, Placement placement=None, SbpList sbp=None, MemoryFormat memory_format=None)",
        _full_like)
def full_like(input=_missing, fill_value=_missing, *extra, dtype=None, device=None, requires_grad=False, placement=None, sbp=None,
        memory_format=None, **unknown):
    if (input.__class__ is _Tensor and (fill_value.__class__ is float or fill_value.__class__ is int) and
            (dtype is None or dtype.__class__ is _DType) and (device is None or device.__class__ is _Device) and
            (requires_grad is False or requires_grad is True) and placement is None and sbp is None and memory_format is None and
            not extra and not unknown):
        return _full_like(input, fill_value, dtype, device, requires_grad, placement, sbp, memory_format)
    return _full_like_slow((input, fill_value, dtype, device, requires_grad, placement, sbp, memory_format), extra, unknown)

_zeros_like_slow = _Binding("zeros_like",
        "Tensor (Tensor input, *, DataType dtype=None, Device device=None, Bool requires_grad=False, Placement placement=None, SbpList sbp=None, MemoryFormat memory_format=None)",
        _zeros_like)
def zeros_like(input=_missing, *extra, dtype=None, device=None, requires_grad=False, placement=None, sbp=None, memory_format=None,
        **unknown):
    if (input.__class__ is _Tensor and (dtype is None or dtype.__class__ is _DType) and
            (device is None or device.__class__ is _Device) and (requires_grad is False or requires_grad is True) and
            placement is None and sbp is None and memory_format is None and not extra and not unknown):
        return _zeros_like(input, dtype, device, requires_grad, placement, sbp, memory_format)
    return _zeros_like_slow((input, dtype, device, requires_grad, placement, sbp, memory_format), extra, unknown)

_ones_like_slow = _Binding("ones_like",
        "Tensor (Tensor input, *, DataType dtype=None, Device device=None, Bool requires_grad=False, Placement placement=None, SbpList sbp=None, MemoryFormat memory_format=None)",
        _ones_like)
def ones_like(input=_missing, *extra, dtype=None, device=None, requires_grad=False, placement=None, sbp=None, memory_format=None,
        **unknown):
    if (input.__class__ is _Tensor and (dtype is None or dtype.__class__ is _DType) and
            (device is None or device.__class__ is _Device) and (requires_grad is False or requires_grad is True) and
            placement is None and sbp is None and memory_format is None and not extra and not unknown):
        return _ones_like(input, dtype, device, requires_grad, placement, sbp, memory_format)
    return _ones_like_slow((input, dtype, device, requires_grad, placement, sbp, memory_format), extra, unknown)

_new_empty_slow = _Binding("new_empty",
        "Tensor (Tensor input, Shape size, *, DataType dtype=None, Device device=None, Bool requires_grad=False, Placement placement=None, SbpList sbp=None)",
        _new_empty, methods="new_empty")
def new_empty(input=_missing, size=_missing, *extra, dtype=None, device=None, requires_grad=False, placement=None, sbp=None,
        **unknown):
    if (input.__class__ is _Tensor and (size.__class__ is _Size or (size.__class__ is tuple or size.__class__ is list) and
            _all_ints(size)) and (dtype is None or dtype.__class__ is _DType) and (device is None or device.__class__ is _Device)
            and (requires_grad is False or requires_grad is True) and placement is None and sbp is None and not extra and
            not unknown):
        return _new_empty(input, tuple(size) if size.__class__ is list else size, dtype, device, requires_grad, placement, sbp)
    if (input.__class__ is _Tensor and size.__class__ is int and (dtype is None or dtype.__class__ is _DType) and
            (device is None or device.__class__ is _Device) and (requires_grad is False or requires_grad is True) and
            placement is None and sbp is None and not unknown and _all_ints(extra)):
        return _new_empty(input, (size, *extra), dtype, device, requires_grad, placement, sbp)
    return _new_empty_slow((input, size, dtype, device, requires_grad, placement, sbp), extra, unknown)

_new_zeros_slow = _Binding("new_zeros",
        "Tensor (Tensor input, Shape size, *, DataType dtype=None, Device device=None, Bool requires_grad=False, Placement placement=None, SbpList sbp=None)",
        _new_zeros, methods="new_zeros")
def new_zeros(input=_missing, size=_missing, *extra, dtype=None, device=None, requires_grad=False, placement=None, sbp=None,
        **unknown):
    if (input.__class__ is _Tensor and (size.__class__ is _Size or (size.__class__ is tuple or size.__class__ is list) and
            _all_ints(size)) and (dtype is None or dtype.__class__ is _DType) and (device is None or device.__class__ is _Device)
            and (requires_grad is False or requires_grad is True) and placement is None and sbp is None and not extra and
            not unknown):
        return _new_zeros(input, tuple(size) if size.__class__ is list else size, dtype, device, requires_grad, placement, sbp)
    if (input.__class__ is _Tensor and size.__class__ is int and (dtype is None or dtype.__class__ is _DType) and
            (device is None or device.__class__ is _Device) and (requires_grad is False or requires_grad is True) and
            placement is None and sbp is None and not unknown and _all_ints(extra)):
        return _new_zeros(input, (size, *extra), dtype, device, requires_grad, placement, sbp)
    return _new_zeros_slow((input, size, dtype, device, requires_grad, placement, sbp), extra, unknown)

_new_ones_slow = _Binding("new_ones",
        "Tensor (Tensor input, Shape size, *, DataType dtype=None, Device device=None, Bool requires_grad=False, Placement placement=None, SbpList sbp=None)",
        _new_ones, methods="new_ones")
def new_ones(input=_missing, size=_missing, *extra, dtype=None, device=None, requires_grad=False, placement=None, sbp=None,
        **unknown):
    if (input.__class__ is _Tensor and (size.__class__ is _Size or (size.__class__ is tuple or size.__class__ is list) and
            _all_ints(size)) and (dtype is None or dtype.__class__ is _DType) and (device is None or device.__class__ is _Device)
            and (requires_grad is False or requires_grad is True) and placement is None and sbp is None and not extra and
            not unknown):
        return _new_ones(input, tuple(size) if size.__class__ is list else size, dtype, device, requires_grad, placement, sbp)
    if (input.__class__ is _Tensor and size.__class__ is int and (dtype is None or dtype.__class__ is _DType) and
            (device is None or device.__class__ is _Device) and (requires_grad is False or requires_grad is True) and
            placement is None and sbp is None and not unknown and _all_ints(extra)):
        return _new_ones(input, (size, *extra), dtype, device, requires_grad, placement, sbp)
    return _new_ones_slow((input, size, dtype, device, requires_grad, placement, sbp), extra, unknown)

_new_full_slow = _Binding("new_full",
        "Tensor (Tensor input, Shape size, Scalar fill_value, *, DataType dtype=None, Device device=None, Bool requires_grad=False, Placement placement=None, SbpList sbp=None)",
        _new_full, methods="new_full")
def new_full(input=_missing, size=_missing, fill_value=_missing, *extra, dtype=None, device=None, requires_grad=False,
        placement=None, sbp=None, **unknown):
    if (input.__class__ is _Tensor and (size.__class__ is _Size or (size.__class__ is tuple or size.__class__ is list) and
            _all_ints(size)) and (fill_value.__class__ is float or fill_value.__class__ is int) and
            (dtype is None or dtype.__class__ is _DType) and (device is None or device.__class__ is _Device) and
            (requires_grad is False or requires_grad is True) and placement is None and sbp is None and not extra and
            not unknown):
        return _new_full(input, tuple(size) if size.__class__ is list else size, fill_value, dtype, device, requires_grad,
                placement, sbp)
    return _new_full_slow((input, size, fill_value, dtype, device, requires_grad, placement, sbp), extra, unknown)

_logspace_slow = _Binding("logspace",
        "Tensor (Scalar start, Scalar end, Int64 steps, Float base=10.0, *, DataType dtype=None, Device device=None, Bool requires_grad=False, Placement placement=None, SbpList sbp=None)",
        _logspace)
def logspace(start=_missing, end=_missing, steps=_missing, base=10.0, *extra, dtype=None, device=None, requires_grad=False,
        placement=None, sbp=None, **unknown):
    if ((start.__class__ is float or start.__class__ is int) and (end.__class__ is float or end.__class__ is int) and
            steps.__class__ is int and base.__class__ is float and (dtype is None or dtype.__class__ is _DType) and
            (device is None or device.__class__ is _Device) and (requires_grad is False or requires_grad is True) and
            placement is None and sbp is None and not extra and not unknown):
        return _logspace(start, end, steps, base, dtype, device, requires_grad, placement, sbp)
    return _logspace_slow((start, end, steps, base, dtype, device, requires_grad, placement, sbp), extra, unknown)

_range_slow = _Binding("range",
        "Tensor (Scalar start, Scalar end, Scalar step=1, *, DataType dtype=None, Device device=None, Bool requires_grad=False, Placement placement=None, SbpList sbp=None)",
        _range_inclusive)
def range(start=_missing, end=_missing, step=1, *extra, dtype=None, device=None, requires_grad=False, placement=None, sbp=None,
        **unknown):
    if ((start.__class__ is float or start.__class__ is int) and (end.__class__ is float or end.__class__ is int) and
            (step.__class__ is int or step.__class__ is float) and (dtype is None or dtype.__class__ is _DType) and
            (device is None or device.__class__ is _Device) and (requires_grad is False or requires_grad is True) and
            placement is None and sbp is None and not extra and not unknown):
        return _range_inclusive(start, end, step, dtype, device, requires_grad, placement, sbp)
    return _range_slow((start, end, step, dtype, device, requires_grad, placement, sbp), extra, unknown)

_scalar_tensor_slow = _Binding("scalar_tensor",
        "Tensor (Scalar s, *, DataType dtype=None, Device device=None, Bool requires_grad=False, Placement placement=None, SbpList sbp=None)",
        _scalar_tensor)
def scalar_tensor(s=_missing, *extra, dtype=None, device=None, requires_grad=False, placement=None, sbp=None, **unknown):
    if ((s.__class__ is float or s.__class__ is int) and (dtype is None or dtype.__class__ is _DType) and
            (device is None or device.__class__ is _Device) and (requires_grad is False or requires_grad is True) and
            placement is None and sbp is None and not extra and not unknown):
        return _scalar_tensor(s, dtype, device, requires_grad, placement, sbp)
    return _scalar_tensor_slow((s, dtype, device, requires_grad, placement, sbp), extra, unknown)

_empty_strided_slow = _Binding("empty_strided",
        "Tensor (Shape size, Shape stride, *, DataType dtype=None, Device device=None, Bool requires_grad=False)", _empty_strided)
def empty_strided(size=_missing, stride=_missing, *extra, dtype=None, device=None, requires_grad=False, **unknown):
    if ((size.__class__ is _Size or (size.__class__ is tuple or size.__class__ is list) and _all_ints(size)) and
            (stride.__class__ is _Size or (stride.__class__ is tuple or stride.__class__ is list) and _all_ints(stride)) and
            (dtype is None or dtype.__class__ is _DType) and (device is None or device.__class__ is _Device) and
            (requires_grad is False or requires_grad is True) and not extra and not unknown):
        return _empty_strided(tuple(size) if size.__class__ is list else size, tuple(stride) if stride.__class__ is list else
                stride, dtype, device, requires_grad)
    return _empty_strided_slow((size, stride, dtype, device, requires_grad), extra, unknown)

_empty_permuted_slow = _Binding("empty_permuted",
        "Tensor (Shape size, Int64List physical_layout, *, DataType dtype=None, Device device=None, Bool requires_grad=False)",
        _empty_permuted)
def empty_permuted(size=_missing, physical_layout=_missing, *extra, dtype=None, device=None, requires_grad=False, **unknown):
    if ((size.__class__ is _Size or (size.__class__ is tuple or size.__class__ is list) and _all_ints(size)) and
            (physical_layout.__class__ is _Size or (physical_layout.__class__ is tuple or physical_layout.__class__ is list) and
            _all_ints(physical_layout)) and (dtype is None or dtype.__class__ is _DType) and
            (device is None or device.__class__ is _Device) and (requires_grad is False or requires_grad is True) and not extra
            and not unknown):
        return _empty_permuted(tuple(size) if size.__class__ is list else size, tuple(physical_layout) if
                physical_layout.__class__ is list else physical_layout, dtype, device, requires_grad)
    return _empty_permuted_slow((size, physical_layout, dtype, device, requires_grad), extra, unknown)

_tril_indices_slow = _Binding("tril_indices",
        "Tensor (Int64 row, Int64 col, Int64 offset=0, *, DataType dtype=kInt64, Device device=None)", _tril_indices)
def tril_indices(row=_missing, col=_missing, offset=0, *extra, dtype=_dtypes.int64, device=None, **unknown):
    if (row.__class__ is int and col.__class__ is int and offset.__class__ is int and dtype.__class__ is _DType and
            (device is None or device.__class__ is _Device) and not extra and not unknown):
        return _tril_indices(row, col, offset, dtype, device)
    return _tril_indices_slow((row, col, offset, dtype, device), extra, unknown)

_triu_indices_slow = _Binding("triu_indices",
        "Tensor (Int64 row, Int64 col, Int64 offset=0, *, DataType dtype=kInt64, Device device=None)", _triu_indices)
def triu_indices(row=_missing, col=_missing, offset=0, *extra, dtype=_dtypes.int64, device=None, **unknown):
    if (row.__class__ is int and col.__class__ is int and offset.__class__ is int and dtype.__class__ is _DType and
            (device is None or device.__class__ is _Device) and not extra and not unknown):
        return _triu_indices(row, col, offset, dtype, device)
    return _triu_indices_slow((row, col, offset, dtype, device), extra, unknown)

_vander_slow = _Binding("vander", "Tensor (Tensor x, Int64 N=None, Bool increasing=False)", _vander)
def vander(x=_missing, N=None, increasing=False, *extra, **unknown):
    if (x.__class__ is _Tensor and (N is None or N.__class__ is int) and (increasing is False or increasing is True) and not extra
            and not unknown):
        return _vander(x, N, increasing)
    return _vander_slow((x, N, increasing), extra, unknown)

_methods = _publish(globals())
