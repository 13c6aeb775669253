"""Automatic differentiation: `backward`, `grad`, `Function`, grad modes, anomaly mode."""

from tritonflow.autograd.anomaly_mode import detect_anomaly, set_detect_anomaly
from tritonflow.autograd.backward import backward, grad
from tritonflow.autograd.function import Function
from tritonflow.autograd.gradcheck import GradcheckError, gradcheck, gradgradcheck
from tritonflow.interpreter.grad_mode import (
    enable_grad,
    inference_mode,
    is_grad_enabled,
    is_inference_mode_enabled,
    no_grad,
    set_grad_enabled,
)

__all__ = [
    "Function",
    "GradcheckError",
    "backward",
    "detect_anomaly",
    "enable_grad",
    "grad",
    "gradcheck",
    "gradgradcheck",
    "inference_mode",
    "is_grad_enabled",
    "is_inference_mode_enabled",
    "no_grad",
    "set_detect_anomaly",
    "set_grad_enabled",
]
