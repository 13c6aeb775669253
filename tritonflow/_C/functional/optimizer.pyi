# Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit.
# fmt: off
# ruff: noqa: I001
from collections.abc import Callable, Sequence
from typing import Any
from tritonflow.framework.tensor import Tensor


_methods: dict[str, Callable[..., Any]]


def multi_tensor_sgd_update(model: Sequence[Tensor], model_diff: Sequence[Tensor], momentum_buf: Sequence[Tensor] | None = ..., *,
        found_inf: Tensor | None = ..., learning_rate: float = ..., weight_decay: float = ..., momentum: float = ...,
        dampening: float = ..., nesterov: bool = ..., maximize: bool = ..., first_step: bool = ...) -> None: ...
def multi_tensor_adam_update(model: Sequence[Tensor], model_diff: Sequence[Tensor], m: Sequence[Tensor], v: Sequence[Tensor],
        step: Sequence[Tensor], max_v: Sequence[Tensor] | None = ..., *, found_inf: Tensor | None = ...,
        learning_rate: float = ..., beta1: float = ..., beta2: float = ..., epsilon: float = ..., weight_decay: float = ...,
        do_bias_correction: bool = ..., decoupled: bool = ..., maximize: bool = ...) -> None: ...
def multi_tensor_update(rule: str, model: Sequence[Tensor], model_diff: Sequence[Tensor], numbers: Sequence[Tensor],
        states: Sequence[Tensor], hyperparameters: Sequence[float], *, found_inf: Tensor | None = ..., decay: bool = ...,
        decoupled: bool = ..., maximize: bool = ...) -> None: ...
