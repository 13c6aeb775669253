"""Functions of the binding: placement.

Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.binding.arguments import Binding as _Binding
from tritonflow.functions.placement import (to_global as _to_global, to_local as _to_local, global_to_global as _global_to_global,
        local_to_global as _local_to_global)
from tritonflow.binding.library import publish as _publish
from tritonflow.binding.prototype import MISSING as _missing

_to_global_slow = _Binding("to_global",
        "Tensor (Tensor input, Placement placement=None, SbpList sbp=None, *, SbpList grad_sbp=None, Bool check_meta=None, Bool copy=False)",
        _to_global, methods="to_global to_consistent")
def to_global(input=_missing, placement=None, sbp=None, *extra, grad_sbp=None, check_meta=None, copy=False, **unknown):
    """A consistent tensor, of local ones or of one that lies otherwise.

    Each rank of the placement gives its shard: with `split` the shards are put together, with
    `broadcast` they are the same, with `partial_sum` they add up. Of a consistent tensor it moves
    elements where placement or sbp differ.

    Args:
        input: the input.
        placement: the devices; of a consistent input default its own.
        sbp: how it lies over each dimension of the placement; of a consistent input default its own.
        grad_sbp: how the gradient lies.
        check_meta: whether all ranks compare shapes and dtypes first; default True of local tensors.
        copy: whether it never shares the input's memory.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        a shard on each rank -> the whole.

    Differentiable. Methods: `Tensor.to_global` and `Tensor.to_consistent`.

    Raises:
        RuntimeError: an sbp that does not fit the placement or the shape, or shards that differ where they
            must not.
        ValueError: no placement or no sbp for a local tensor.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: oneflow.Tensor.to_global.

    Example:
        >>> import tritonflow as flow
        >>> placement = flow.placement("cpu", [0])
        >>> x = flow.to_global(flow.tensor([1.0, 2.0]), placement, flow.sbp.split(0))
        >>> x.sbp, x.shape
        ((tritonflow.sbp.split(dim=0),), tritonflow.Size([2]))
    """
    if (input.__class__ is _Tensor and placement is None and sbp is None and grad_sbp is None and
            (check_meta is None or check_meta is False or check_meta is True) and (copy is False or copy is True) and not extra
            and not unknown):
        return _to_global(input, placement, sbp, grad_sbp, check_meta, copy)
    return _to_global_slow((input, placement, sbp, grad_sbp, check_meta, copy), extra, unknown)

_to_local_slow = _Binding("to_local", "Tensor (Tensor input, *, SbpList grad_sbp=None, Bool copy=False)", _to_local,
        methods="to_local")
def to_local(input=_missing, *extra, grad_sbp=None, copy=False, **unknown):
    """The shard of this rank, which shares its memory.

    Args:
        input: the input.
        grad_sbp: how the gradients of the shards make the gradient of the whole; it splits what sbp splits.
        copy: whether it does not share the memory.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        the whole -> the shard.

    Differentiable. Method: `Tensor.to_local`.

    Raises:
        RuntimeError: an input that is local, or a grad_sbp that splits another dimension.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: oneflow.Tensor.to_local.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.ones(2, placement=flow.placement("cpu", [0]), sbp=flow.sbp.broadcast)
        >>> flow.to_local(x)
        tensor([1., 1.])
    """
    if input.__class__ is _Tensor and grad_sbp is None and (copy is False or copy is True) and not extra and not unknown:
        return _to_local(input, grad_sbp, copy)
    return _to_local_slow((input, grad_sbp, copy), extra, unknown)

_local_to_global_slow = _Binding("local_to_global",
        "Tensor (Tensor input, Placement placement, SbpList sbp, Shape shape=None, *, SbpList grad_sbp=None, Bool check_meta=None, Bool copy=False)",
        _local_to_global, methods="local_to_global")
def local_to_global(input=_missing, placement=_missing, sbp=_missing, shape=None, *extra, grad_sbp=None, check_meta=None,
        copy=False, **unknown):
    return _local_to_global_slow((input, placement, sbp, shape, grad_sbp, check_meta, copy), extra, unknown)

_global_to_global_slow = _Binding("global_to_global",
        "Tensor (Tensor input, Placement placement=None, SbpList sbp=None, *, SbpList grad_sbp=None, Bool check_meta=False, Bool copy=False)",
        _global_to_global, methods="global_to_global")
def global_to_global(input=_missing, placement=None, sbp=None, *extra, grad_sbp=None, check_meta=False, copy=False, **unknown):
    if (input.__class__ is _Tensor and placement is None and sbp is None and grad_sbp is None and
            (check_meta is False or check_meta is True) and (copy is False or copy is True) and not extra and not unknown):
        return _global_to_global(input, placement, sbp, grad_sbp, check_meta, copy)
    return _global_to_global_slow((input, placement, sbp, grad_sbp, check_meta, copy), extra, unknown)

_methods = _publish(globals())
