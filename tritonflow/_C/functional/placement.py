"""Functions of the binding: placement.

Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.functional.arguments import Binding as _Binding
from tritonflow.functional.functors.placement import (global_to_global as _global_to_global, local_to_global as _local_to_global,
        to_global as _to_global, to_local as _to_local)
from tritonflow.functional.library import publish as _publish
from tritonflow.functional.prototype import MISSING as _missing

_to_global_slow = _Binding("to_global",
        "Tensor (Tensor input, Placement placement=None, SbpList sbp=None, *, SbpList grad_sbp=None, Bool check_meta=None, Bool copy=False)",
        _to_global, methods="to_global to_consistent")
def to_global(input=_missing, placement=None, sbp=None, *extra, grad_sbp=None, check_meta=None, copy=False, **unknown):
    """a consistent tensor, of local ones or of one that lies otherwise

    Args:
        input: the input.
        placement: the devices over which a consistent result lies, with `sbp`; a local one unless given.
        sbp: how a consistent result lies over `placement`: split, broadcast or partial sum.
        out: a tensor that the result is written into; not while gradients are recorded.

    Methods: `Tensor.to_global` and `Tensor.to_consistent`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.to_global.
    """
    if (input.__class__ is _Tensor and placement is None and sbp is None and grad_sbp is None and
            (check_meta is None or check_meta is False or check_meta is True) and (copy is False or copy is True) and not extra
            and not unknown):
        return _to_global(input, placement, sbp, grad_sbp, check_meta, copy)
    return _to_global_slow((input, placement, sbp, grad_sbp, check_meta, copy), extra, unknown)

_local_to_global_slow = _Binding("local_to_global",
        "Tensor (Tensor input, Placement placement, SbpList sbp, Shape shape=None, *, SbpList grad_sbp=None, Bool check_meta=None, Bool copy=False)",
        _local_to_global, methods="local_to_global")
def local_to_global(input=_missing, placement=_missing, sbp=_missing, shape=None, *extra, grad_sbp=None, check_meta=None,
        copy=False, **unknown):
    """a consistent tensor of a shape that is known, of local ones

    Args:
        input: the input.
        placement: the devices over which a consistent result lies, with `sbp`; a local one unless given.
        sbp: how a consistent result lies over `placement`: split, broadcast or partial sum.
        out: a tensor that the result is written into; not while gradients are recorded.

    Method: `Tensor.local_to_global`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.local_to_global.
    """
    return _local_to_global_slow((input, placement, sbp, shape, grad_sbp, check_meta, copy), extra, unknown)

_global_to_global_slow = _Binding("global_to_global",
        "Tensor (Tensor input, Placement placement=None, SbpList sbp=None, *, SbpList grad_sbp=None, Bool check_meta=False, Bool copy=False)",
        _global_to_global, methods="global_to_global")
def global_to_global(input=_missing, placement=None, sbp=None, *extra, grad_sbp=None, check_meta=False, copy=False, **unknown):
    """a consistent tensor that lies otherwise

    Args:
        input: the input.
        placement: the devices over which a consistent result lies, with `sbp`; a local one unless given.
        sbp: how a consistent result lies over `placement`: split, broadcast or partial sum.
        out: a tensor that the result is written into; not while gradients are recorded.

    Method: `Tensor.global_to_global`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.global_to_global.
    """
    if (input.__class__ is _Tensor and placement is None and sbp is None and grad_sbp is None and
            (check_meta is False or check_meta is True) and (copy is False or copy is True) and not extra and not unknown):
        return _global_to_global(input, placement, sbp, grad_sbp, check_meta, copy)
    return _global_to_global_slow((input, placement, sbp, grad_sbp, check_meta, copy), extra, unknown)

_to_local_slow = _Binding("to_local", "Tensor (Tensor input, *, SbpList grad_sbp=None, Bool copy=False)", _to_local,
        methods="to_local")
def to_local(input=_missing, *extra, grad_sbp=None, copy=False, **unknown):
    """the shard of this rank, which shares its memory

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Method: `Tensor.to_local`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.to_local.
    """
    if input.__class__ is _Tensor and grad_sbp is None and (copy is False or copy is True) and not extra and not unknown:
        return _to_local(input, grad_sbp, copy)
    return _to_local_slow((input, grad_sbp, copy), extra, unknown)

_methods = _publish(globals())
