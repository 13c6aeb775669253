"""Functions of the binding: cast.

Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow.dtypes import DType as _DType
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.binding.arguments import Binding as _Binding, all_tensors as _all_tensors
from tritonflow.functions.cast import (cast as _cast, clone as _clone, copy_ as _copy, copy_array as _copy_array,
        copy_number as _copy_number, fill_copy_tensor as _fill_copy_tensor, fill_ as _fill_number, fill_tensor as _fill_tensor,
        to_device as _to_device, to_other as _to_other, fill as _fill, to_dtype as _to_dtype, type_as as _type_as,
        zero_ as _zero_)
from tritonflow.functions.generated import (cast_together as _cast_together)
from tritonflow.binding.library import publish as _publish
from tritonflow.binding.prototype import MISSING as _missing

_cast_together_slow = _Binding("cast_together", "TensorTuple (TensorTuple tensors, DataType dtype)", _cast_together)
def cast_together(tensors=_missing, dtype=_missing, *extra, **unknown):
    """casts of several contiguous tensors in one launch, in programs for a GPU"""
    if tensors.__class__ is tuple and dtype.__class__ is _DType and not extra and not unknown and _all_tensors(tensors):
        return _cast_together(tensors, dtype)
    return _cast_together_slow((tensors, dtype), extra, unknown)

_cast_slow = _Binding("cast", "Tensor (Tensor x, DataType dtype)", _cast)
def cast(x=_missing, dtype=_missing, *extra, **unknown):
    """The input in another dtype.

    The input itself where it has that dtype. Floating numbers are cut off towards 0 on the way to
    integers; everything but 0 is True.

    Args:
        x: the input.
        dtype: of the result; the input is cast to it first. Its own unless given.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Differentiable.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.Tensor.to.

    Example:
        >>> import tritonflow as flow
        >>> flow.cast(flow.tensor([1.7, -1.7, 0.0]), flow.int64)
        tensor([ 1, -1,  0])
    """
    if x.__class__ is _Tensor and dtype.__class__ is _DType and not extra and not unknown:
        return _cast(x, dtype)
    return _cast_slow((x, dtype), extra, unknown)

_clone_slow = _Binding("clone", "Tensor (Tensor input, *, MemoryFormat memory_format=None)", _clone, methods="clone")
def clone(input=_missing, *extra, memory_format=None, **unknown):
    """A copy of the input.

    The gradient flows through it; `detach` cuts it off.

    Args:
        input: the input.
        memory_format: the order of the dimensions in memory.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Differentiable. Method: `Tensor.clone`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.clone.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.tensor([1, 2])
        >>> y = flow.clone(x).zero_()
        >>> x, y
        (tensor([1, 2]), tensor([0, 0]))
    """
    if input.__class__ is _Tensor and memory_format is None and not extra and not unknown:
        return _clone(input, memory_format)
    return _clone_slow((input, memory_format), extra, unknown)

_copy__slow = _Binding("copy_", "Tensor (Tensor input, Tensor other, Bool non_blocking=False)", _copy,
        "Tensor (Tensor input, Scalar other, Bool non_blocking=False)", _copy_number,
        "Tensor (Tensor input, PyObject other, Bool non_blocking=False)", _copy_array, methods="copy_")
def copy_(input=_missing, other=_missing, non_blocking=False, *extra, **unknown):
    """other, broadcast and cast, written over input.

    Args:
        input: the input.
        other: what is written, a tensor, a NumPy array or a number; a tensor may be on another device.
        non_blocking: torch's; copies do not block anyway, but those to the host.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape, one that broadcasts to it -> the first.

    Differentiable. Method: `Tensor.copy_`.

    Raises:
        RuntimeError: a shape that does not broadcast to the input's.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.Tensor.copy_.

    Example:
        >>> import tritonflow as flow
        >>> flow.zeros(2, 2).copy_(flow.tensor([1, 2]))
        tensor([[1., 2.],
                [1., 2.]])
    """
    if (input.__class__ is _Tensor and other.__class__ is _Tensor and (non_blocking is False or non_blocking is True) and
            not extra and not unknown):
        return _copy(input, other, non_blocking)
    if (input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and
            (non_blocking is False or non_blocking is True) and not extra and not unknown):
        return _copy_number(input, other, non_blocking)
    return _copy__slow((input, other, non_blocking), extra, unknown)

_fill__slow = _Binding("fill_", "Tensor (Tensor input, Scalar value)", _fill_number, "Tensor (Tensor input, Tensor value)",
        _fill_tensor, methods="fill_")
def fill_(input=_missing, value=_missing, *extra, **unknown):
    """One number written over input.

    Args:
        input: the input.
        value: the number, or a tensor without dimensions.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Differentiable. Method: `Tensor.fill_`.

    Raises:
        RuntimeError: a tensor with dimensions.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.Tensor.fill_.

    Example:
        >>> import tritonflow as flow
        >>> flow.zeros(2).fill_(3)
        tensor([3., 3.])
    """
    if input.__class__ is _Tensor and (value.__class__ is float or value.__class__ is int) and not extra and not unknown:
        return _fill_number(input, value)
    return _fill__slow((input, value), extra, unknown)

_to_slow = _Binding("to",
        "Tensor (Tensor input, DataType dtype, Bool non_blocking=False, Bool copy=False, *, MemoryFormat memory_format=None)",
        _to_dtype,
        "Tensor (Tensor input, Device device=None, DataType dtype=None, Bool non_blocking=False, Bool copy=False, *, MemoryFormat memory_format=None)",
        _to_device,
        "Tensor (Tensor input, Tensor other, Bool non_blocking=False, Bool copy=False, *, MemoryFormat memory_format=None)",
        _to_other)
def to(input=_missing, device=_missing, dtype=_missing, non_blocking=_missing, copy=_missing, *extra, memory_format=None,
        other=_missing, **unknown):
    if (input.__class__ is _Tensor and device.__class__ is _DType and dtype is _missing and non_blocking is _missing and
            memory_format is None and copy is _missing and other is _missing and not extra and not unknown):
        return _to_dtype(input, device, False, False, memory_format)
    if (input.__class__ is _Tensor and device.__class__ is _Tensor and dtype is _missing and non_blocking is _missing and
            memory_format is None and copy is _missing and other is _missing and not extra and not unknown):
        return _to_other(input, device, False, False, memory_format)
    return _to_slow((input, device, dtype, non_blocking, copy, memory_format, other), extra, unknown)

_type_as_slow = _Binding("type_as", "Tensor (Tensor input, Tensor other)", _type_as, methods="type_as")
def type_as(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _type_as(input, other)
    return _type_as_slow((input, other), extra, unknown)

_zero__slow = _Binding("zero_", "Tensor (Tensor input)", _zero_, methods="zero_")
def zero_(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _zero_(input)
    return _zero__slow((input,), extra, unknown)

_fill_slow = _Binding("fill", "Tensor (Tensor input, Scalar value)", _fill, "Tensor (Tensor input, Tensor value)",
        _fill_copy_tensor)
def fill(input=_missing, value=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and (value.__class__ is float or value.__class__ is int) and not extra and not unknown:
        return _fill(input, value)
    return _fill_slow((input, value), extra, unknown)

_methods = _publish(globals())
