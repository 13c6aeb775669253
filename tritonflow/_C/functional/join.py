"""Functions of the binding: join.

Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow.framework.tensor import Size as _Size
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.functional.arguments import Binding as _Binding, all_ints as _all_ints, all_tensors as _all_tensors
from tritonflow.functional.functors.join import (cat as _cat, hstack as _hstack, repeat as _repeat, stack as _stack,
        tile as _tile, vstack as _vstack)
from tritonflow.functional.functors.pad import (pad as _pad)
from tritonflow.functional.functors.view import (contiguous as _contiguous, detach as _detach)
from tritonflow.functional.library import publish as _publish
from tritonflow.functional.prototype import MISSING as _missing

_contiguous_slow = _Binding("contiguous", "Tensor (Tensor input)", _contiguous, methods="contiguous")
def contiguous(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _contiguous(input)
    return _contiguous_slow((input,), extra, unknown)

_cat_slow = _Binding("cat", "Tensor (TensorTuple tensors, Int32 dim=0)", _cat)
def cat(tensors=_missing, dim=0, *extra, **unknown):
    if tensors.__class__ is tuple and dim.__class__ is int and not extra and not unknown and _all_tensors(tensors):
        return _cat(tensors, dim)
    return _cat_slow((tensors, dim), extra, unknown)

_concat_slow = _Binding("concat", "Tensor (TensorTuple tensors, Int32 dim=0)", _cat)
def concat(tensors=_missing, dim=0, *extra, **unknown):
    if tensors.__class__ is tuple and dim.__class__ is int and not extra and not unknown and _all_tensors(tensors):
        return _cat(tensors, dim)
    return _concat_slow((tensors, dim), extra, unknown)

_stack_slow = _Binding("stack", "Tensor (TensorTuple tensors, Int32 dim=0)", _stack)
def stack(tensors=_missing, dim=0, *extra, **unknown):
    if tensors.__class__ is tuple and dim.__class__ is int and not extra and not unknown and _all_tensors(tensors):
        return _stack(tensors, dim)
    return _stack_slow((tensors, dim), extra, unknown)

_hstack_slow = _Binding("hstack", "Tensor (TensorTuple tensors)", _hstack)
def hstack(tensors=_missing, *extra, **unknown):
    if tensors.__class__ is tuple and not extra and not unknown and _all_tensors(tensors):
        return _hstack(tensors)
    if tensors.__class__ is _Tensor and not unknown and _all_tensors(extra):
        return _hstack((tensors, *extra))
    return _hstack_slow((tensors,), extra, unknown)

_vstack_slow = _Binding("vstack", "Tensor (TensorTuple tensors)", _vstack)
def vstack(tensors=_missing, *extra, **unknown):
    if tensors.__class__ is tuple and not extra and not unknown and _all_tensors(tensors):
        return _vstack(tensors)
    if tensors.__class__ is _Tensor and not unknown and _all_tensors(extra):
        return _vstack((tensors, *extra))
    return _vstack_slow((tensors,), extra, unknown)

_pad_slow = _Binding("pad", "Tensor (Tensor input, Int64List pad, String mode='constant', Scalar value=0)", _pad)
def pad(input=_missing, pad=_missing, mode='constant', value=0, *extra, **unknown):
    """the input with a constant around its last dimensions"""
    if (input.__class__ is _Tensor and (pad.__class__ is _Size or pad.__class__ is tuple and _all_ints(pad)) and
            mode.__class__ is str and (value.__class__ is int or value.__class__ is float) and not extra and not unknown):
        return _pad(input, pad, mode, value)
    return _pad_slow((input, pad, mode, value), extra, unknown)

_repeat_slow = _Binding("repeat", "Tensor (Tensor input, Shape repeats)", _repeat, methods="repeat")
def repeat(input=_missing, repeats=_missing, *extra, **unknown):
    if (input.__class__ is _Tensor and (repeats.__class__ is _Size or repeats.__class__ is tuple and _all_ints(repeats)) and
            not extra and not unknown):
        return _repeat(input, repeats)
    if input.__class__ is _Tensor and repeats.__class__ is int and not unknown and _all_ints(extra):
        return _repeat(input, (repeats, *extra))
    return _repeat_slow((input, repeats), extra, unknown)

_tile_slow = _Binding("tile", "Tensor (Tensor input, Shape dims)", _tile, methods="tile")
def tile(input=_missing, dims=_missing, *extra, **unknown):
    if (input.__class__ is _Tensor and (dims.__class__ is _Size or dims.__class__ is tuple and _all_ints(dims)) and not extra and
            not unknown):
        return _tile(input, dims)
    if input.__class__ is _Tensor and dims.__class__ is int and not unknown and _all_ints(extra):
        return _tile(input, (dims, *extra))
    return _tile_slow((input, dims), extra, unknown)

_detach_slow = _Binding("detach", "Tensor (Tensor x)", _detach, methods="detach")
def detach(x=_missing, *extra, **unknown):
    if x.__class__ is _Tensor and not extra and not unknown:
        return _detach(x)
    return _detach_slow((x,), extra, unknown)

_methods = _publish(globals())
