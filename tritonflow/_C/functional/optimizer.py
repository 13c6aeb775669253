"""Functions of the binding: optimizer.

Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.binding.arguments import Binding as _Binding, all_tensors as _all_tensors
from tritonflow.functions.optimizer import (multi_tensor_adam8bit_update as _multi_tensor_adam8bit_update,
        multi_tensor_adam_update as _multi_tensor_adam_update, multi_tensor_sgd_update as _multi_tensor_sgd_update,
        multi_tensor_update as _multi_tensor_update)
from tritonflow.binding.library import publish as _publish
from tritonflow.binding.prototype import MISSING as _missing

_multi_tensor_sgd_update_slow = _Binding("multi_tensor_sgd_update",
        "Void (TensorTuple model, TensorTuple model_diff, TensorTuple momentum_buf=None, *, Tensor found_inf=None, Double learning_rate=1e-3, Double weight_decay=0.0, Double momentum=0.0, Double dampening=0.0, Bool nesterov=False, Bool maximize=False, Bool first_step=False)",
        _multi_tensor_sgd_update)
def multi_tensor_sgd_update(model=_missing, model_diff=_missing, momentum_buf=None, *extra, found_inf=None, learning_rate=0.001,
        weight_decay=0.0, momentum=0.0, dampening=0.0, nesterov=False, maximize=False, first_step=False, **unknown):
    """a step of stochastic gradient descent for many parameters in one launch; none where found_inf is not 0"""
    if (model.__class__ is tuple and model_diff.__class__ is tuple and (momentum_buf is None or momentum_buf.__class__ is tuple
            and _all_tensors(momentum_buf)) and (found_inf is None or found_inf.__class__ is _Tensor) and
            learning_rate.__class__ is float and weight_decay.__class__ is float and momentum.__class__ is float and
            dampening.__class__ is float and (nesterov is False or nesterov is True) and (maximize is False or maximize is True)
            and (first_step is False or first_step is True) and not extra and not unknown and _all_tensors(model) and
            _all_tensors(model_diff)):
        return _multi_tensor_sgd_update(model, model_diff, momentum_buf, found_inf, learning_rate, weight_decay, momentum,
                dampening, nesterov, maximize, first_step)
    return _multi_tensor_sgd_update_slow((model, model_diff, momentum_buf, found_inf, learning_rate, weight_decay, momentum,
            dampening, nesterov, maximize, first_step), extra, unknown)

_multi_tensor_adam_update_slow = _Binding("multi_tensor_adam_update",
        "Void (TensorTuple model, TensorTuple model_diff, TensorTuple m, TensorTuple v, TensorTuple step, TensorTuple max_v=None, *, Tensor found_inf=None, Double learning_rate=1e-3, Double beta1=0.9, Double beta2=0.999, Double epsilon=1e-8, Double weight_decay=0.0, Bool do_bias_correction=True, Bool decoupled=False, Bool maximize=False)",
        _multi_tensor_adam_update)
def multi_tensor_adam_update(model=_missing, model_diff=_missing, m=_missing, v=_missing, step=_missing, max_v=None, *extra,
        found_inf=None, learning_rate=0.001, beta1=0.9, beta2=0.999, epsilon=1e-08, weight_decay=0.0, do_bias_correction=True,
        decoupled=False, maximize=False, **unknown):
    """a step of Adam or AdamW for many parameters in one launch, counted in `step`; none where found_inf is not 0"""
    if (model.__class__ is tuple and model_diff.__class__ is tuple and m.__class__ is tuple and v.__class__ is tuple and
            step.__class__ is tuple and (max_v is None or max_v.__class__ is tuple and _all_tensors(max_v)) and
            (found_inf is None or found_inf.__class__ is _Tensor) and learning_rate.__class__ is float and
            beta1.__class__ is float and beta2.__class__ is float and epsilon.__class__ is float and
            weight_decay.__class__ is float and (do_bias_correction is True or do_bias_correction is False) and
            (decoupled is False or decoupled is True) and (maximize is False or maximize is True) and not extra and not unknown
            and _all_tensors(model) and _all_tensors(model_diff) and _all_tensors(m) and _all_tensors(v) and _all_tensors(step)):
        return _multi_tensor_adam_update(model, model_diff, m, v, step, max_v, found_inf, learning_rate, beta1, beta2, epsilon,
                weight_decay, do_bias_correction, decoupled, maximize)
    return _multi_tensor_adam_update_slow((model, model_diff, m, v, step, max_v, found_inf, learning_rate, beta1, beta2, epsilon,
            weight_decay, do_bias_correction, decoupled, maximize), extra, unknown)

_multi_tensor_adam8bit_update_slow = _Binding("multi_tensor_adam8bit_update",
        "Void (TensorTuple model, TensorTuple model_diff, TensorTuple m, TensorTuple m_scale, TensorTuple v, TensorTuple v_scale, TensorTuple step, TensorTuple max_v=None, TensorTuple max_v_scale=None, *, Int32 block_size=256, Tensor found_inf=None, Double learning_rate=1e-3, Double beta1=0.9, Double beta2=0.999, Double epsilon=1e-8, Double weight_decay=0.0, Bool decoupled=False, Bool maximize=False)",
        _multi_tensor_adam8bit_update)
def multi_tensor_adam8bit_update(model=_missing, model_diff=_missing, m=_missing, m_scale=_missing, v=_missing, v_scale=_missing,
        step=_missing, max_v=None, max_v_scale=None, *extra, block_size=256, found_inf=None, learning_rate=0.001, beta1=0.9,
        beta2=0.999, epsilon=1e-08, weight_decay=0.0, decoupled=False, maximize=False, **unknown):
    """a step of Adam or AdamW whose states are codes of 8 bits with a scale for each block, for many parameters in one launch"""
    if (model.__class__ is tuple and model_diff.__class__ is tuple and m.__class__ is tuple and m_scale.__class__ is tuple and
            v.__class__ is tuple and v_scale.__class__ is tuple and step.__class__ is tuple and
            (max_v is None or max_v.__class__ is tuple and _all_tensors(max_v)) and
            (max_v_scale is None or max_v_scale.__class__ is tuple and _all_tensors(max_v_scale)) and block_size.__class__ is int
            and (found_inf is None or found_inf.__class__ is _Tensor) and learning_rate.__class__ is float and
            beta1.__class__ is float and beta2.__class__ is float and epsilon.__class__ is float and
            weight_decay.__class__ is float and (decoupled is False or decoupled is True) and
            (maximize is False or maximize is True) and not extra and not unknown and _all_tensors(model) and
            _all_tensors(model_diff) and _all_tensors(m) and _all_tensors(m_scale) and _all_tensors(v) and _all_tensors(v_scale)
            and _all_tensors(step)):
        return _multi_tensor_adam8bit_update(model, model_diff, m, m_scale, v, v_scale, step, max_v, max_v_scale, block_size,
                found_inf, learning_rate, beta1, beta2, epsilon, weight_decay, decoupled, maximize)
    return _multi_tensor_adam8bit_update_slow((model, model_diff, m, m_scale, v, v_scale, step, max_v, max_v_scale, block_size,
            found_inf, learning_rate, beta1, beta2, epsilon, weight_decay, decoupled, maximize), extra, unknown)

_multi_tensor_update_slow = _Binding("multi_tensor_update",
        "Void (String rule, TensorTuple model, TensorTuple model_diff, TensorTuple numbers, TensorTuple states, FloatList hyperparameters, *, Tensor found_inf=None, Bool decay=False, Bool decoupled=False, Bool maximize=False)",
        _multi_tensor_update)
def multi_tensor_update(rule=_missing, model=_missing, model_diff=_missing, numbers=_missing, states=_missing,
        hyperparameters=_missing, *extra, found_inf=None, decay=False, decoupled=False, maximize=False, **unknown):
    """a step of an elementwise optimizer for many parameters in one launch, by a rule of kernels/optimizer_rules.py"""
    return _multi_tensor_update_slow((rule, model, model_diff, numbers, states, hyperparameters, found_inf, decay, decoupled,
            maximize), extra, unknown)

_methods = _publish(globals())
