"""Automatic differentiation: `backward`, `grad`, `Function`, grad modes, anomaly mode."""

from tritonflow.autograd import forward_ad, function, functional, graph
from tritonflow.autograd.anomaly_mode import detect_anomaly, set_detect_anomaly
from tritonflow.autograd.backward import backward, grad
from tritonflow.autograd.function import Function
from tritonflow.autograd.gradcheck import GradcheckError, gradcheck, gradgradcheck
from tritonflow.autograd.variable import Variable
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
    "Variable",
    "backward",
    "detect_anomaly",
    "enable_grad",
    "forward_ad",
    "function",
    "functional",
    "grad",
    "gradcheck",
    "gradgradcheck",
    "graph",
    "inference_mode",
    "is_grad_enabled",
    "is_inference_mode_enabled",
    "no_grad",
    "set_detect_anomaly",
    "set_grad_enabled",
    "set_multithreading_enabled",
]


class set_multithreading_enabled:
    """Accepted and ignored: backward runs in the thread that calls it."""

    def __init__(self, mode: bool) -> None:
        self.mode = mode

    def __enter__(self) -> None:
        pass

    def __exit__(self, *error: object) -> None:
        pass
