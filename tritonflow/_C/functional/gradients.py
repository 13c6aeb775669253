"""Functions of the binding: gradients.

Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.binding.arguments import Binding as _Binding, all_tensors as _all_tensors
from tritonflow.functions.gradients import (amp_update_scale as _amp_update_scale, multi_tensor_clip as _multi_tensor_clip,
        multi_tensor_norm as _multi_tensor_norm, multi_tensor_scale_to_norm as _multi_tensor_scale_to_norm,
        multi_tensor_unscale as _multi_tensor_unscale)
from tritonflow.binding.library import publish as _publish
from tritonflow.binding.prototype import MISSING as _missing

_multi_tensor_norm_slow = _Binding("multi_tensor_norm", "Tensor (TensorTuple tensors, Double p=2.0)", _multi_tensor_norm)
def multi_tensor_norm(tensors=_missing, p=2.0, *extra, **unknown):
    """norms of pieces of many tensors in one launch, whose norm is that of all their elements"""
    if tensors.__class__ is tuple and p.__class__ is float and not extra and not unknown and _all_tensors(tensors):
        return _multi_tensor_norm(tensors, p)
    return _multi_tensor_norm_slow((tensors, p), extra, unknown)

_multi_tensor_scale_to_norm_slow = _Binding("multi_tensor_scale_to_norm",
        "Void (TensorTuple tensors, Tensor norm, Double max_norm)", _multi_tensor_scale_to_norm)
def multi_tensor_scale_to_norm(tensors=_missing, norm=_missing, max_norm=_missing, *extra, **unknown):
    """many tensors multiplied by min(max_norm / (norm + 1e-6), 1), in place and in one launch"""
    if (tensors.__class__ is tuple and norm.__class__ is _Tensor and max_norm.__class__ is float and not extra and not unknown and
            _all_tensors(tensors)):
        return _multi_tensor_scale_to_norm(tensors, norm, max_norm)
    return _multi_tensor_scale_to_norm_slow((tensors, norm, max_norm), extra, unknown)

_multi_tensor_clip_slow = _Binding("multi_tensor_clip", "Void (TensorTuple tensors, Double bound)", _multi_tensor_clip)
def multi_tensor_clip(tensors=_missing, bound=_missing, *extra, **unknown):
    """many tensors clipped to -bound ... bound, in place and in one launch"""
    if tensors.__class__ is tuple and bound.__class__ is float and not extra and not unknown and _all_tensors(tensors):
        return _multi_tensor_clip(tensors, bound)
    return _multi_tensor_clip_slow((tensors, bound), extra, unknown)

_multi_tensor_unscale_slow = _Binding("multi_tensor_unscale", "Void (TensorTuple tensors, Tensor scale, Tensor found_inf)",
        _multi_tensor_unscale)
def multi_tensor_unscale(tensors=_missing, scale=_missing, found_inf=_missing, *extra, **unknown):
    """many tensors divided by scale, in place and in one launch; found_inf becomes 1 where one of them is not finite"""
    if (tensors.__class__ is tuple and scale.__class__ is _Tensor and found_inf.__class__ is _Tensor and not extra and not unknown
            and _all_tensors(tensors)):
        return _multi_tensor_unscale(tensors, scale, found_inf)
    return _multi_tensor_unscale_slow((tensors, scale, found_inf), extra, unknown)

_amp_update_scale_slow = _Binding("amp_update_scale",
        "Void (Tensor scale, Tensor growth_tracker, Tensor found_inf, Double growth_factor, Double backoff_factor, Int64 growth_interval)",
        _amp_update_scale)
def amp_update_scale(scale=_missing, growth_tracker=_missing, found_inf=_missing, growth_factor=_missing, backoff_factor=_missing,
        growth_interval=_missing, *extra, **unknown):
    """the next scale of a loss, in place, from whether something overflowed with this one"""
    if (scale.__class__ is _Tensor and growth_tracker.__class__ is _Tensor and found_inf.__class__ is _Tensor and
            growth_factor.__class__ is float and backoff_factor.__class__ is float and growth_interval.__class__ is int and
            not extra and not unknown):
        return _amp_update_scale(scale, growth_tracker, found_inf, growth_factor, backoff_factor, growth_interval)
    return _amp_update_scale_slow((scale, growth_tracker, found_inf, growth_factor, backoff_factor, growth_interval), extra,
            unknown)

_methods = _publish(globals())
