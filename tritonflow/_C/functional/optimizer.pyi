# Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
# fmt: off
# ruff: noqa: I001
from collections.abc import Callable, Sequence
from typing import Any
from tritonflow.framework.tensor import Tensor

_methods: dict[str, Callable[..., Any]]

def multi_tensor_sgd_update(model: Sequence[Tensor], model_diff: Sequence[Tensor], momentum_buf: Sequence[Tensor] | None = None,
        *, found_inf: Tensor | None = None, learning_rate: float = 0.001, weight_decay: float = 0.0, momentum: float = 0.0,
        dampening: float = 0.0, nesterov: bool = False, maximize: bool = False, first_step: bool = False) -> None: ...
def multi_tensor_adam_update(model: Sequence[Tensor], model_diff: Sequence[Tensor], m: Sequence[Tensor], v: Sequence[Tensor],
        step: Sequence[Tensor], max_v: Sequence[Tensor] | None = None, *, found_inf: Tensor | None = None,
        learning_rate: float = 0.001, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-08, weight_decay: float = 0.0,
        do_bias_correction: bool = True, decoupled: bool = False, maximize: bool = False) -> None: ...
def multi_tensor_adam8bit_update(model: Sequence[Tensor], model_diff: Sequence[Tensor], m: Sequence[Tensor],
        m_scale: Sequence[Tensor], v: Sequence[Tensor], v_scale: Sequence[Tensor], step: Sequence[Tensor],
        max_v: Sequence[Tensor] | None = None, max_v_scale: Sequence[Tensor] | None = None, *, block_size: int = 256,
        found_inf: Tensor | None = None, learning_rate: float = 0.001, beta1: float = 0.9, beta2: float = 0.999,
        epsilon: float = 1e-08, weight_decay: float = 0.0, decoupled: bool = False, maximize: bool = False) -> None: ...
def multi_tensor_update(rule: str, model: Sequence[Tensor], model_diff: Sequence[Tensor], numbers: Sequence[Tensor],
        states: Sequence[Tensor], hyperparameters: Sequence[float], *, found_inf: Tensor | None = None, decay: bool = False,
        decoupled: bool = False, maximize: bool = False) -> None: ...
